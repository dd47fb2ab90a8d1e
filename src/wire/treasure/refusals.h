/* What the protocol of Treasure Hunt refuses in words of its own (wire/refusal.h): most of it follows the
 * sentence of the error. The hunt has more of them in host/hunt. */
#ifndef WIRE_TREASURE_REFUSALS_H
#define WIRE_TREASURE_REFUSALS_H

#include "wire/refusal.h"

/* clang-format off */
REFUSAL(treasure_body_empty, ERR_MALFORMED, "the body is empty")

/* A field whose value is none: what it must be. */
#define TREASURE_MUST_BE_NUMBER    "a whole number"
#define TREASURE_MUST_BE_FLAG      "true or false"
#define TREASURE_MUST_BE_TERRAIN   "Water, Grass or Mountain"
#define TREASURE_MUST_BE_DIRECTION "Up, Down, Left or Right"

#define TREASURE_VALUE         "%s is '%.*s', it must be %s"
#define TREASURE_VALUE_OF_NODE "%s of node %zu is '%.*s', it must be %s"
#define TREASURE_MISSING       "%s is missing"
#define TREASURE_MISSING_NODE  "%s of node %zu is missing"
#define TREASURE_TWICE         "there is more than one %s"
#define TREASURE_EMPTY         "%s is empty"
#define TREASURE_CONTROL       "%s has a character that ends a line, turns the direction of text or is not shown"
#define TREASURE_TOO_LONG      "%s has %zu characters, %d are allowed"
#define TREASURE_ROOT_OTHER    "the root element is %.*s, it must be %s"
#define TREASURE_METHOD        "this path is asked with %s"
/* clang-format on */

#endif
