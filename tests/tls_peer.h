/* A client of TLS on pieces of memory, and a certificate that signs itself, for tests of the layer
 * (server/tls.h). */
#ifndef TESTS_TLS_PEER_H
#define TESTS_TLS_PEER_H

#include "base/buf.h"
#include "server/tls.h"

#include <assert.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TLS_PEER_DAY_S = 24 * 60 * 60 };

struct tls_peer {
    SSL_CTX *context;
    SSL *session;
    BIO *in, *out;   /* the session's */
    struct buf sent; /* what tls_peer_output has shown */
};

/* Certificate and key into one new file, whose name replaces the X of path. */
static inline void tls_peer_certify(char *path) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), TLS_PEER_DAY_S);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_sign(certificate, key, EVP_sha256());
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    assert(file != NULL);
    int written =
        PEM_write_X509(file, certificate) & PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
    assert(written == 1);
    (void)written;
    fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

/* A client of one version, 0 for any. */
static inline void tls_peer_open(struct tls_peer *peer, int version) {
    *peer = (struct tls_peer){0};
    peer->context = SSL_CTX_new(TLS_client_method());
    if (version != 0) {
        SSL_CTX_set_min_proto_version(peer->context, version);
        SSL_CTX_set_max_proto_version(peer->context, version);
    }
    peer->session = SSL_new(peer->context);
    peer->in = BIO_new(BIO_s_mem());
    peer->out = BIO_new(BIO_s_mem());
    SSL_set_bio(peer->session, peer->in, peer->out);
    SSL_set_connect_state(peer->session);
}

static inline void tls_peer_close(struct tls_peer *peer) {
    SSL_free(peer->session);
    SSL_CTX_free(peer->context);
    buf_free(&peer->sent);
}

/* What the client has to send, which it has sent then; valid until the next call. */
static inline struct span tls_peer_output(struct tls_peer *peer) {
    char *bytes;
    long size = BIO_get_mem_data(peer->out, &bytes);
    buf_clear(&peer->sent);
    buf_append(&peer->sent, span_make(bytes, (size_t)size));
    (void)BIO_reset(peer->out);
    return buf_span(&peer->sent);
}

static inline void tls_peer_input(struct tls_peer *peer, struct buf *sealed) {
    if (sealed->size > 0)
        BIO_write(peer->in, sealed->data, (int)sealed->size);
    buf_clear(sealed);
}

/* Both speak until the handshake is over for both; the last state of the server. What the server has sent
 * besides (tickets) the client has. */
static inline enum tls_state tls_peer_greet(struct tls_peer *peer, struct tls *tls) {
    struct buf plain = {0}, sealed = {0};
    enum tls_state state = TLS_GREETING;
    for (int step = 0; step < 8 && state == TLS_GREETING; step++) {
        SSL_do_handshake(peer->session);
        state = tls_receive(tls, tls_peer_output(peer), &plain, &sealed);
        tls_peer_input(peer, &sealed);
    }
    SSL_do_handshake(peer->session);
    buf_free(&plain);
    buf_free(&sealed);
    return state;
}

#endif
