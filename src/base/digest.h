/* Hashes that commit to something: the chain of a journal and the dice of a table. BLAKE2b by libsodium. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/span.h"

enum { DIGEST_BYTES = 32 };

struct digest {
    uint8_t bytes[DIGEST_BYTES];
};

/* The digest of the pieces in order. Every piece goes in with its length, so that no two lists of pieces are
 * alike. With a key (DIGEST_BYTES long, or NULL) nobody can compute it who does not have the key. */
void digest_of(struct digest *out, const uint8_t *key, const struct span *pieces, size_t piece_count);

/* Compares in a time that does not depend on where they differ. */
bool digest_equal(const struct digest *, const struct digest *);

/* DIGEST_BYTES from the system that nobody can guess. */
void digest_secret(struct digest *out);

/* 64 hexadecimal digits and a NUL; and back (false when the text is anything else). */
void digest_format(const struct digest *, char text[2 * DIGEST_BYTES + 1]);
bool digest_parse(struct span text, struct digest *out);

/* A whole number as 8 bytes, little endian, and back: how numbers become pieces. */
void digest_number(uint64_t value, uint8_t out[8]);
uint64_t digest_to_number(const uint8_t bytes[8]);

#endif
