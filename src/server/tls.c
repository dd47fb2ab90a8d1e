#include "server/tls.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <malloc.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>

enum { TLS_RECORD_BYTES_MAX = SSL3_RT_MAX_PLAIN_LENGTH, TLS_DATE_BYTES_MAX = 64, TLS_NAME_BYTES_MAX = 128 };

static const char tls_ciphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20"; /* of 1.2; those of 1.3 are all good */
static const unsigned char tls_http[] = "\x08http/1.1";
static const unsigned char tls_http_two[] = "\x02h2";

struct tls_keys {
    const char *certificate, *key;
    SSL_CTX *context;
};

/* Everything that a session owns beside this is OpenSSL's. */
struct tls {
    SSL *session;
    struct span input; /* what OpenSSL has not read yet, while it is called */
    struct buf *out;   /* what it writes to, while it is called */
    int64_t bytes;
    bool is_http;
    bool has_failed;
    char reason[TLS_NAME_BYTES_MAX];
};

/* The account: what OpenSSL has allocated in this thread, less what it has freed there. */
static _Thread_local int64_t tls_counted;

static void *tls_alloc(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    void *memory = mem_resize(NULL, size);
    tls_counted += (int64_t)malloc_usable_size(memory);
    return memory;
}

static void tls_release(void *memory, const char *file, int line) {
    (void)file;
    (void)line;
    tls_counted -= (int64_t)malloc_usable_size(memory);
    mem_free(memory);
}

static void *tls_resize(void *memory, size_t size, const char *file, int line) {
    if (size == 0) {
        tls_release(memory, file, line);
        return NULL;
    }
    tls_counted -= (int64_t)malloc_usable_size(memory);
    memory = mem_resize(memory, size);
    tls_counted += (int64_t)malloc_usable_size(memory);
    return memory;
}

void tls_account(void) {
    CRYPTO_set_mem_functions(tls_alloc, tls_resize, tls_release);
}

/* The first complaint that OpenSSL has in its queue, which is empty afterwards. */
static void tls_complaint(char *out, size_t size) {
    unsigned long first = ERR_peek_error();
    const char *words = first == 0                ? NULL
                        : ERR_SYSTEM_ERROR(first) ? strerror(ERR_GET_REASON(first))
                                                  : ERR_reason_error_string(first);
    snprintf(out, size, "%s", words == NULL ? "it cannot be read" : words);
    ERR_clear_error();
}

/* What a connection is to OpenSSL: input that lies there already, and output that is always taken. */

static int tls_bio_read(BIO *bio, char *out, size_t size, size_t *got) {
    struct tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *got = tls->input.size < size ? tls->input.size : size;
    if (*got == 0) {
        BIO_set_retry_read(bio);
        return 0;
    }
    memcpy(out, tls->input.data, *got);
    tls->input = span_make(tls->input.data + *got, tls->input.size - *got);
    return 1;
}

static int tls_bio_write(BIO *bio, const char *bytes, size_t size, size_t *written) {
    struct tls *tls = BIO_get_data(bio);
    assert(tls->out != NULL);
    buf_append(tls->out, span_make(bytes, size));
    *written = size;
    return 1;
}

static long tls_bio_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *tls_bio_method(void) {
    static BIO_METHOD *method;
    if (method != NULL)
        return method;
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "parlor");
    assert(method != NULL);
    BIO_meth_set_read_ex(method, tls_bio_read);
    BIO_meth_set_write_ex(method, tls_bio_write);
    BIO_meth_set_ctrl(method, tls_bio_control);
    return method;
}

/* Certificate and key. */

static int tls_on_password(char *out, int size, int is_writing, void *context) {
    (void)out;
    (void)size;
    (void)is_writing;
    (void)context;
    return 0; /* nobody sits there to be asked */
}

/* Whether the peer offers this name; offers are names with their lengths before them. */
static bool tls_offers(const unsigned char *offers, unsigned size, const unsigned char *name) {
    for (unsigned at = 0; at < size; at += offers[at] + 1u)
        if (size - at > name[0] && memcmp(offers + at, name, name[0] + 1u) == 0)
            return true;
    return false;
}

static int tls_on_alpn(SSL *session, const unsigned char **out, unsigned char *out_size,
                       const unsigned char *offers, unsigned size, void *context) {
    (void)context;
    const struct tls *tls = SSL_get_app_data(session);
    bool wants_http = tls_offers(offers, size, tls_http);
    if (tls->is_http && wants_http) {
        *out = tls_http + 1;
        *out_size = tls_http[0];
        return SSL_TLSEXT_ERR_OK;
    }
    bool is_refused = tls->is_http || wants_http || tls_offers(offers, size, tls_http_two);
    return is_refused ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK;
}

static bool tls_context_set(SSL_CTX *context) {
    static const unsigned char id[] = "parlor";
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); /* tickets are with the peers */
    SSL_CTX_set_timeout(context, TLS_TICKET_S);
    SSL_CTX_set_default_passwd_cb(context, tls_on_password);
    SSL_CTX_set_alpn_select_cb(context, tls_on_alpn, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, tls_ciphers) == 1 &&
           SSL_CTX_set_session_id_context(context, id, sizeof id - 1) == 1;
}

static bool tls_context_load(SSL_CTX *context, const struct tls_keys *keys, const char **at) {
    *at = keys->certificate;
    if (SSL_CTX_use_certificate_chain_file(context, keys->certificate) != 1)
        return false;
    *at = keys->key;
    return SSL_CTX_use_PrivateKey_file(context, keys->key, SSL_FILETYPE_PEM) == 1 &&
           SSL_CTX_check_private_key(context) == 1;
}

static SSL_CTX *tls_context_open(const struct tls_keys *keys, char complaint[TLS_COMPLAINT_BYTES_MAX]) {
    char words[TLS_NAME_BYTES_MAX];
    const char *at = "TLS";
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context != NULL && tls_context_set(context) && tls_context_load(context, keys, &at))
        return context;
    tls_complaint(words, sizeof words);
    snprintf(complaint, TLS_COMPLAINT_BYTES_MAX, "%s: %s", at, words);
    SSL_CTX_free(context);
    return NULL;
}

static void tls_log_certificate(const SSL_CTX *context, const char *file) {
    char until[TLS_DATE_BYTES_MAX] = "?";
    const ASN1_TIME *end = X509_get0_notAfter(SSL_CTX_get0_certificate(context));
    BIO *memory = BIO_new(BIO_s_mem());
    if (memory != NULL && ASN1_TIME_print(memory, end) == 1) {
        int size = BIO_read(memory, until, sizeof until - 1);
        until[size > 0 ? size : 0] = '\0';
    }
    BIO_free(memory);
    bool is_over = X509_cmp_current_time(end) < 0;
    log_event(is_over ? LOG_WARN : LOG_INFO, is_over ? "certificate-over" : "certificate",
              LOG_TEXT("file", span_of(file)), LOG_TEXT("until", span_of(until)));
}

struct tls_keys *tls_keys_open(const char *certificate, const char *key,
                               char complaint[TLS_COMPLAINT_BYTES_MAX]) {
    struct tls_keys *keys = mem_alloc(sizeof *keys);
    *keys = (struct tls_keys){.certificate = certificate, .key = key};
    if (tls_keys_reload(keys, complaint) == ERR_OK)
        return keys;
    mem_free(keys);
    return NULL;
}

enum err tls_keys_reload(struct tls_keys *keys, char complaint[TLS_COMPLAINT_BYTES_MAX]) {
    SSL_CTX *context = tls_context_open(keys, complaint);
    if (context == NULL)
        return ERR_IO;
    SSL_CTX_free(keys->context); /* sessions that there are keep their own reference */
    keys->context = context;
    tls_log_certificate(context, keys->certificate);
    return ERR_OK;
}

void tls_keys_free(struct tls_keys *keys) {
    if (keys == NULL)
        return;
    SSL_CTX_free(keys->context);
    mem_free(keys);
}

/* Sessions. */

struct tls *tls_create(struct tls_keys *keys, bool is_http) {
    struct tls *tls = mem_alloc(sizeof *tls);
    int64_t before = tls_counted;
    tls->is_http = is_http;
    tls->session = SSL_new(keys->context);
    BIO *bio = BIO_new(tls_bio_method());
    assert(tls->session != NULL && bio != NULL); /* which only a lack of memory prevents */
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(tls->session, bio, bio);
    SSL_set_app_data(tls->session, tls);
    SSL_set_accept_state(tls->session);
    tls->bytes += tls_counted - before;
    return tls;
}

void tls_free(struct tls *tls) {
    if (tls == NULL)
        return;
    SSL_free(tls->session);
    mem_free(tls);
}

size_t tls_bytes(const struct tls *tls) {
    return sizeof *tls + (tls->bytes > 0 ? (size_t)tls->bytes : 0);
}

const char *tls_reason(const struct tls *tls) {
    return tls->reason;
}

static void tls_fail(struct tls *tls) {
    if (!tls->has_failed)
        tls_complaint(tls->reason, sizeof tls->reason);
    tls->has_failed = true;
}

/* Reads as much as there is; true when the peer has ended its stream. */
static bool tls_read(struct tls *tls, struct buf *plain) {
    for (;;) {
        size_t got = 0;
        if (!buf_reserve(plain, TLS_RECORD_BYTES_MAX)) {
            tls->has_failed = true;
            return false;
        }
        if (SSL_read_ex(tls->session, plain->data + plain->size, TLS_RECORD_BYTES_MAX, &got) == 1) {
            plain->size += got;
            continue;
        }
        int why = SSL_get_error(tls->session, 0);
        if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_ZERO_RETURN)
            tls_fail(tls);
        return why == SSL_ERROR_ZERO_RETURN;
    }
}

static void tls_greet(struct tls *tls) {
    int done = SSL_do_handshake(tls->session);
    if (done != 1 && SSL_get_error(tls->session, done) != SSL_ERROR_WANT_READ)
        tls_fail(tls);
}

enum tls_state tls_receive(struct tls *tls, struct span bytes, struct buf *plain, struct buf *out) {
    int64_t before = tls_counted;
    bool has_ended = false;
    if (tls->has_failed)
        return TLS_FAILED;
    ERR_clear_error();
    tls->input = bytes;
    tls->out = out;
    if (!SSL_is_init_finished(tls->session))
        tls_greet(tls);
    bool is_greeting = !tls->has_failed && !SSL_is_init_finished(tls->session);
    if (!tls->has_failed && !is_greeting)
        has_ended = tls_read(tls, plain);
    tls->out = NULL;
    tls->bytes += tls_counted - before;
    if (is_greeting && tls_bytes(tls) > TLS_GREETING_BYTES_MAX) { /* for a message that it only speaks of */
        snprintf(tls->reason, sizeof tls->reason, "the handshake wants too much memory");
        tls->has_failed = true;
    }
    if (tls->has_failed)
        return TLS_FAILED;
    return is_greeting ? TLS_GREETING : has_ended ? TLS_ENDED : TLS_OPEN;
}

bool tls_send(struct tls *tls, struct span plain, struct buf *out) {
    int64_t before = tls_counted;
    size_t written = 0;
    if (tls->has_failed)
        return false;
    ERR_clear_error();
    tls->out = out;
    if (plain.size > 0 && SSL_write_ex(tls->session, plain.data, plain.size, &written) != 1)
        tls_fail(tls);
    tls->out = NULL;
    tls->bytes += tls_counted - before;
    return !tls->has_failed;
}

void tls_end(struct tls *tls, struct buf *out) {
    if (tls->has_failed || !SSL_is_init_finished(tls->session))
        return;
    tls->out = out;
    SSL_shutdown(tls->session);
    ERR_clear_error();
    tls->out = NULL;
}
