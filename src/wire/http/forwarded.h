/* Where a proxy says that the client of a request is, and how it came there: X-Forwarded-For, or Forwarded of
 * RFC 7239. One of the two is believed and not both: a proxy that writes the one hands the other on as the
 * client has sent it. */
#ifndef WIRE_HTTP_FORWARDED_H
#define WIRE_HTTP_FORWARDED_H

#include "base/address.h"

/* The last address of X-Forwarded-For ("a, b"): what stands before it the client may have written itself.
 * False when there is none. */
bool forwarded_read_plain(struct span value, struct address *out);

/* The address behind the last "for" of Forwarded ('for=a;proto=https, for="[b]:80"'), of its last element.
 * False when it has none there, or a name instead of an address. */
bool forwarded_read(struct span value, struct address *out);

/* The same for how the client came to the proxy: "https" or "http" as the last word of X-Forwarded-Proto, and
 * behind the "proto" of the last element of Forwarded. *is_secure stays when neither is there. */
void forwarded_read_plain_proto(struct span value, bool *is_secure);
void forwarded_read_proto(struct span value, bool *is_secure);

#endif
