#include "base/digest.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>

static void sodium_start(void) {
    int started = sodium_init();
    assert(started >= 0);
    (void)started;
}

/* libsodium chooses its fastest code once; the store's writer and the loop may be the first together. */
static void sodium_ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, sodium_start);
}

void digest_of(struct digest *out, const uint8_t *key, const struct span *pieces, size_t piece_count) {
    crypto_generichash_state state;
    sodium_ready();
    crypto_generichash_init(&state, key, key == NULL ? 0 : DIGEST_BYTES, DIGEST_BYTES);
    for (size_t i = 0; i < piece_count; i++) {
        uint8_t size[8];
        digest_number(pieces[i].size, size);
        crypto_generichash_update(&state, size, sizeof size);
        crypto_generichash_update(&state, (const uint8_t *)pieces[i].data, pieces[i].size);
    }
    crypto_generichash_final(&state, out->bytes, DIGEST_BYTES);
}

bool digest_equal(const struct digest *a, const struct digest *b) {
    return sodium_memcmp(a->bytes, b->bytes, DIGEST_BYTES) == 0;
}

void digest_secret(struct digest *out) {
    sodium_ready();
    randombytes_buf(out->bytes, DIGEST_BYTES);
}

void digest_format(const struct digest *d, char text[2 * DIGEST_BYTES + 1]) {
    sodium_bin2hex(text, 2 * DIGEST_BYTES + 1, d->bytes, DIGEST_BYTES);
}

bool digest_parse(struct span text, struct digest *out) {
    struct digest d;
    size_t size;
    if (text.size != 2 * DIGEST_BYTES ||
        sodium_hex2bin(d.bytes, DIGEST_BYTES, text.data, text.size, NULL, &size, NULL) != 0 ||
        size != DIGEST_BYTES)
        return false;
    *out = d;
    return true;
}

void digest_number(uint64_t value, uint8_t out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

uint64_t digest_to_number(const uint8_t bytes[8]) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}
