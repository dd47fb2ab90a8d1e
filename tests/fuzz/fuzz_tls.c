/* Whatever a peer of TLS sends, the layer says nothing to the protocol but what a client has sealed, fails
 * for good when it fails, and gives all its memory back.
 *
 * The first byte says what the others are: bytes of a stranger; bytes behind a handshake; or where the
 * client's own bytes are changed on their way (pairs of place and bits). */
#include "fuzz.h"

#include "base/log.h"
#include "base/mem.h"
#include "server/tls.h"
#include "tls_peer.h"

enum { STRANGER, BEHIND, CHANGED, KINDS };
enum { BYTES_MAX = 32 * 1024 };

static const char said[] = "what a client says";

static struct tls_keys *fuzz_keys(void) {
    static struct tls_keys *keys;
    if (keys != NULL)
        return keys;
    static char path[] = "/tmp/parlor-fuzz-tls-XXXXXX";
    char complaint[TLS_COMPLAINT_BYTES_MAX];
    tls_account();
    log_set_level(LOG_ERROR);
    tls_peer_certify(path);
    keys = tls_keys_open(path, path, complaint);
    assert(keys != NULL);
    unlink(path);
    return keys;
}

/* What the server makes of the bytes, in pieces of the given size. */
static enum tls_state fuzz_feed(struct tls *tls, struct span bytes, size_t piece, struct buf *plain,
                                struct buf *sealed) {
    enum tls_state state = TLS_GREETING;
    bool has_failed = false;
    while (bytes.size > 0) {
        size_t size = piece < bytes.size ? piece : bytes.size;
        state = tls_receive(tls, span_make(bytes.data, size), plain, sealed);
        assert(!has_failed || state == TLS_FAILED);
        has_failed = state == TLS_FAILED;
        bytes = span_make(bytes.data + size, bytes.size - size);
    }
    return state;
}

/* Changes the bytes that the next pairs name. */
static void fuzz_change(struct span bytes, const uint8_t **data, size_t *size) {
    for (int pair = 0; pair < 2 && *size >= 3 && bytes.size > 0; pair++) {
        size_t place = ((size_t)(*data)[0] << 8 | (*data)[1]) % bytes.size;
        ((char *)(uintptr_t)bytes.data)[place] ^= (char)(*data)[2];
        *data += 3;
        *size -= 3;
    }
}

static void fuzz_talk(struct tls *tls, int kind, size_t piece, const uint8_t *data, size_t size) {
    struct tls_peer peer;
    struct buf plain = {0}, sealed = {0};
    enum tls_state state = TLS_GREETING;
    tls_peer_open(&peer, size > 0 && data[0] & 1 ? TLS1_2_VERSION : 0);
    for (int step = 0; step < 6 && state != TLS_FAILED; step++) {
        SSL_do_handshake(peer.session);
        if (step == 3 && SSL_is_init_finished(peer.session))
            SSL_write(peer.session, said, sizeof said - 1);
        struct span output = tls_peer_output(&peer);
        if (kind == CHANGED)
            fuzz_change(output, &data, &size);
        if (output.size > 0)
            state = fuzz_feed(tls, output, piece, &plain, &sealed);
        tls_peer_input(&peer, &sealed);
    }
    assert(plain.size == 0 || span_is(buf_span(&plain), said));
    assert(kind != BEHIND || (state == TLS_OPEN && plain.size > 0));
    if (kind == BEHIND) {
        buf_clear(&plain);
        fuzz_feed(tls, span_make(data, size), piece, &plain, &sealed);
        assert(plain.size == 0); /* nobody has sealed it */
        tls_end(tls, &sealed);
    }
    buf_free(&plain);
    buf_free(&sealed);
    tls_peer_close(&peer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tls_keys *keys = fuzz_keys();
    if (size < 2 || size > BYTES_MAX)
        return 0;
    int kind = data[0] % KINDS;
    size_t piece = data[1] == 0 ? size : data[1];
    struct tls *tls = tls_create(keys, data[0] & 0x80);
    if (kind == STRANGER) {
        struct buf plain = {0}, sealed = {0};
        fuzz_feed(tls, span_make(data + 2, size - 2), piece, &plain, &sealed);
        assert(plain.size == 0);
        buf_free(&plain);
        buf_free(&sealed);
    } else {
        fuzz_talk(tls, kind, piece, data + 2, size - 2);
    }
    tls_free(tls);
    return 0;
}
