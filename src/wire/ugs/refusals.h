/* What messages of the Universal Game System are refused with in words of their own (wire/refusal.h). What
 * the hall and its master refuse is theirs. */
#ifndef WIRE_UGS_REFUSALS_H
#define WIRE_UGS_REFUSALS_H

#include "wire/refusal.h"

/* clang-format off */
/* messages: what follows the sentence of the error */
REFUSAL(ugs_type_missing,   ERR_UNKNOWN_TYPE,   "<message> has no type")
REFUSAL(ugs_too_large,      ERR_TOO_LARGE,      "256 KiB is the limit")
REFUSAL(ugs_utf16,          ERR_ENCODING,       "it looks like UTF-16")
REFUSAL(ugs_message_late,   ERR_MALFORMED,      "the rest of a message did not arrive in time")
REFUSAL(ugs_refused_too_often, ERR_TOO_MANY,    "too many messages in a row were refused")
REFUSAL(ugs_hall_elsewhere, ERR_UNAVAILABLE,    "the hall is at another node of this server at the moment: connect again")

#define UGS_ROOT_OTHER    "the root element is <%.*s>, not <message>"
#define UGS_TYPE_UNKNOWN  "the type is '%.*s'"
#define UGS_DOCTYPE       "line %lu"
/* clang-format on */

#endif
