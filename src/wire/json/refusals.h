/* What lines of JSON are refused with in words of their own (wire/refusal.h), whichever protocol they are of.
 */
#ifndef WIRE_JSON_REFUSALS_H
#define WIRE_JSON_REFUSALS_H

#include "wire/refusal.h"

#define JSON_SEED_COMPLAINT   "a seed is a text of 1 to 64 bytes without control characters"
#define JSON_SECRET_COMPLAINT "a secret is a text of 1 to 64 bytes without control characters"
#define JSON_TABLE_COMPLAINT  "a table is named by its code, a text of 1 to 10 letters and digits"

/* clang-format off */
REFUSAL(json_line_too_long,  ERR_TOO_LARGE,     "the line is too long")
REFUSAL(json_not_an_object,  ERR_FIELD_INVALID, "a message is a JSON object")
REFUSAL(json_seed_invalid,   ERR_FIELD_INVALID, JSON_SEED_COMPLAINT)
REFUSAL(json_text_has_null,  ERR_MALFORMED,     "\\u0000 is not allowed in a text")
REFUSAL(json_name_has_null,  ERR_MALFORMED,     "\\u0000 is not allowed in a name")
REFUSAL(json_has_no_room,    ERR_MALFORMED,     "there is no room to read it")
REFUSAL(json_nested_too_deep, ERR_MALFORMED,    "it is nested too deep")

#define JSON_FIELD_MISSING "the field '%s' is missing"
#define JSON_FIELD_INVALID "the field '%s' has a value that it cannot have"
#define JSON_DEEPER_THAN "nested deeper than %d levels"
#define JSON_NOT_JSON    "not JSON, column %d: %s"
/* clang-format on */

#endif
