/* JSON as the protocol documents of courses print it: keys without quotes, printed quotes, sets in braces,
 * something behind the object. Mending makes real JSON of such a line; what cannot be mended stays as wrong
 * as it was. */
#ifndef WIRE_JSON_MEND_H
#define WIRE_JSON_MEND_H

#include "base/buf.h"

/* Appends the line to out with
 *
 * - bare words before a colon put in quotes: {type:"move"} becomes {"type":"move"};
 * - printed quotes around a string replaced by those of JSON: {“type”:”move”} becomes
 *   {"type":"move"};
 * - braces around something that has no keys turned into brackets: {"A","B"} becomes ["A","B"];
 * - whatever follows the end of the outermost object dropped.
 *
 * Of valid JSON nothing changes but blanks outside strings and what stands behind the object. Nothing is
 * appended when the line is nested deeper than JSON_DEPTH_MAX. */
void json_mend(struct span line, struct buf *out);

#endif
