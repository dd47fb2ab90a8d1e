/* Where a peer comes from, as far as limits are concerned, and how many of something every such place has.
 * Not a socket address: whoever has one of IPv6 has its whole network of 64 bits, which counts as one. */
#ifndef BASE_ADDRESS_H
#define BASE_ADDRESS_H

#include "base/err.h"
#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

enum { ADDRESS_BYTES = 16, ADDRESSES_MAX = 8 };

/* All zero: nobody in particular, who is not counted and has no limit. */
struct address {
    uint8_t bytes[ADDRESS_BYTES];
};

/* From the bytes of an IPv4 address, or of an IPv6 one, which may stand for one of IPv4. */
struct address address_of_four(const uint8_t bytes[4]);
struct address address_of_six(const uint8_t bytes[16]);

/* From its text, of IPv4 or IPv6, without a port. */
bool address_parse(struct span text, struct address *out);

/* Its text: of IPv4, or the network of IPv6; "" of nobody. */
enum { ADDRESS_TEXT_BYTES_MAX = 64 };
void address_format(const struct address *, char out[ADDRESS_TEXT_BYTES_MAX]);

/* An address of this machine itself. */
bool address_is_loopback(const struct address *);
bool address_is_nobody(const struct address *);
bool address_equal(const struct address *, const struct address *);

/* A few of them, from a text with commas between them: false when one is none, or there are more. */
struct addresses {
    struct address of[ADDRESSES_MAX];
    size_t count;
};

bool addresses_parse(struct span text, struct addresses *out);
bool addresses_have(const struct addresses *, const struct address *);

/* How many everybody has. All zero at first. */
struct tally {
    struct tally_row *rows;
};

uint32_t tally_count(const struct tally *, const struct address *);
/* One more, and one less of those that were added. Of nobody nothing is counted. */
void tally_add(struct tally *, const struct address *);
void tally_remove(struct tally *, const struct address *);
void tally_free(struct tally *);

/* Splits "ADDR:PORT" ("[::1]:80" too) into its parts. */
enum err address_split(const char *text, char *host, size_t host_size, uint16_t *port) MUST_CHECK;

#endif
