/* UTF-8: is it valid, what is the next character, how wide is it on a terminal. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/span.h"

/* Takes the first character off the front of text. Returns its code point, or -1 (and takes one byte) when
 * the bytes are not valid UTF-8. text must not be empty. */
int32_t utf8_next(struct span *text);

bool utf8_is_valid(struct span text);

/* True for every character that Unicode calls a space, for control characters, and for those without width
 * that separate, join or turn the direction of the text: two names that look the same could differ in them.
 * (Joiners that scripts and emoji need are none.) */
bool utf8_is_blank(int32_t code_point);

/* True when one of the characters is a control character. */
bool utf8_has_control(struct span text);

/* Whether it can be a name: no control character, none that ends a line or turns the direction of the text.
 */
bool utf8_is_one_line(struct span text);

/* True when there is nothing in it but blanks, or nothing at all. */
bool utf8_is_all_blank(struct span text);

/* The text without its last character; it must be valid and not empty. */
struct span utf8_without_last(struct span text);

/* Number of characters of a valid text. */
size_t utf8_length(struct span text);

#endif
