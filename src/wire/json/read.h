/* Reading JSON that strangers' programs write: strict about what is JSON, tolerant about how a value is
 * written. Numbers may come as "2" or 2.0, flags as "true", words in any case. */
#ifndef WIRE_JSON_READ_H
#define WIRE_JSON_READ_H

#include "base/err.h"
#include "base/span.h"
#include "wire/json/refusals.h"

#include <jansson.h>

enum { JSON_DEPTH_MAX = 32, JSON_COMPLAINT_BYTES_MAX = 256 };

/* One object, perhaps with the mark before it that some libraries write first (U+FEFF); gives, to be freed
 * with json_decref. Refused, with a sentence of what is wrong in complaint: ERR_MALFORMED (no JSON, not
 * UTF-8, a key twice, something behind it), ERR_TOO_DEEP, ERR_FIELD_INVALID (JSON that is no object). A whole
 * number may have any size: one that does not fit is refused where it is wanted. */
enum err json_read_object(struct span text, json_t **out,
                          char complaint[JSON_COMPLAINT_BYTES_MAX]) MUST_CHECK;

/* The same value as the library makes of the text, faster; NULL when it is not plain: ASCII without
 * backslashes and whole numbers of a few digits, which is what nearly all messages are. Then the library
 * decides. */
json_t *json_read_plain(struct span text);

/* Fields of an object. A field that is null counts as missing. object may be any value or NULL: then all of
 * its fields are missing. */
bool json_has(const json_t *object, const char *name);
/* The text of a string; data is NULL when it is missing or no string. Borrowed from the object. */
struct span json_text(const json_t *object, const char *name);
/* The field seed, with which a player adds to the dice; empty when it is missing. False when it cannot be one
 * (event_seed_fits), which json_seed_invalid says. */
bool json_seed(const json_t *object, struct span *out);
/* False when it is missing or no whole number that fits: 2, "2", " 2 ", 2.0. */
bool json_int(const json_t *object, const char *name, int64_t *out);
/* False when it is missing or no flag: true, "true", "FALSE", 1. */
bool json_flag(const json_t *object, const char *name, bool *out);

/* The same where a text is neither: 2, 2.0; true. */
bool json_plain_int(const json_t *object, const char *name, int64_t *out);
bool json_plain_flag(const json_t *object, const char *name, bool *out);

/* The same for a value itself, such as an item of a list. */
struct span json_value_text(const json_t *value);
bool json_value_int(const json_t *value, int64_t *out);
bool json_value_flag(const json_t *value, bool *out);

/* Which of some words, up to NULL, a text is: in any case and with blanks around it. False: none. */
bool json_word(struct span text, const char *(*word)(unsigned), unsigned *out);

#endif
