/* TLS of one server: the certificate with its key, and the sessions of connections that speak it. It lies
 * between the bytes of a socket and those of a protocol, and knows neither: whatever is to be sent is
 * appended to a buffer of the caller. Versions 1.2 and 1.3 alone, without client certificates, renegotiation
 * and compression; sessions are resumed by tickets, so nothing is kept of those who are gone.
 *
 * An idle session owns at most TLS_IDLE_BYTES_MAX: OpenSSL gives its buffers back while nothing is under way,
 * and there is none of ours. */
#ifndef SERVER_TLS_H
#define SERVER_TLS_H

#include "base/buf.h"
#include "base/err.h"

enum {
    TLS_IDLE_BYTES_MAX = 20 * 1024,
    TLS_COMPLAINT_BYTES_MAX = 512,
    TLS_HELLO_BYTES_MAX = 16 * 1024,     /* that a peer may say before the handshake is over */
    TLS_GREETING_BYTES_MAX = 128 * 1024, /* of memory that a session may have while its handshake lasts */
    TLS_TICKET_S = 2 * 60 * 60,          /* for so long a session can be resumed */
};

/* Has what OpenSSL allocates counted as all other memory is (base/mem.h). Before anything else that may use
 * OpenSSL, in whatever library; afterwards it does nothing. */
void tls_account(void);

struct tls_keys;

/* Gives what was read from two files of PEM: a certificate with those that lead to it, and its key, which may
 * be the same file. Names are borrowed. NULL: complaint says why. */
struct tls_keys *tls_keys_open(const char *certificate, const char *key,
                               char complaint[TLS_COMPLAINT_BYTES_MAX]);

/* Reads the files again. Sessions that there are stay as they are. On ERR_IO complaint says why, and what was
 * read before is used on. */
enum err tls_keys_reload(struct tls_keys *, char complaint[TLS_COMPLAINT_BYTES_MAX]) MUST_CHECK;

void tls_keys_free(struct tls_keys *);

struct tls;

/* Gives one session. With is_http the peer may ask for HTTP/1.1 (ALPN); otherwise one that asks for any HTTP
 * is refused, so that a browser cannot be led to talk to another protocol. Keys are borrowed for this call.
 */
struct tls *tls_create(struct tls_keys *, bool is_http);
void tls_free(struct tls *);

/* Of memory that the session has now. */
size_t tls_bytes(const struct tls *);

enum tls_state {
    TLS_GREETING, /* the handshake is not over: nothing can be sent */
    TLS_OPEN,
    TLS_ENDED,  /* the peer has said that it says nothing more; it may still be told things */
    TLS_FAILED, /* there is nothing more to be had from it, see tls_reason */
};

/* Takes bytes of the peer, all of them. Appends what they mean to plain, and what the peer must be sent to
 * out, also when it fails. */
enum tls_state tls_receive(struct tls *, struct span bytes, struct buf *plain, struct buf *out);

/* Appends to out what the peer must be sent to be told this. False: the session has failed. Only when it is
 * open or has ended. */
bool tls_send(struct tls *, struct span plain, struct buf *out) MUST_CHECK;

/* Nothing more will be sent. Appends what tells the peer so. */
void tls_end(struct tls *, struct buf *out);

/* Why it has failed, for the log: a few words of OpenSSL's or our own. */
const char *tls_reason(const struct tls *);

#endif
