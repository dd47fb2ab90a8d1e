/* Text for a terminal: how wide it is seen, and lines that fit. */
#ifndef CLI_PLAY_TEXT_H
#define CLI_PLAY_TEXT_H

#include "base/buf.h"

enum { TERMINAL_COLUMNS = 80, TERMINAL_ROWS = 24 };

/* Columns that the text takes: none for colour codes and marks that combine, two for wide characters. */
size_t text_columns(struct span text);

/* Appends the text with every line broken at blanks so that none is wider than columns; what follows a break
 * is indented by so many. Of a word that is wider the rest stands in the next line. */
void text_wrap(struct buf *out, struct span text, size_t columns, size_t indent);

/* Takes the first line off the front, without its end. text must not be empty. */
struct span text_line(struct span *text);

size_t text_line_count(struct span text);

#endif
