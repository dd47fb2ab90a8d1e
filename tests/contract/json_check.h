/* A strict check that text is one JSON value (RFC 8259): for tests of what the program writes. */
#ifndef CONTRACT_JSON_CHECK_H
#define CONTRACT_JSON_CHECK_H

#include "base/span.h"

/* True when the text is one JSON value and nothing else but white space around it. */
bool json_is_valid(struct span text);

#endif
