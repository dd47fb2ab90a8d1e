/* What tests of `parlor play` do with its lines. */
#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H

#include <stdbool.h>
#include <string.h>

/* Joins what was broken to fit the terminal: every sentence is in one line again. */
static inline void terminal_unwrap(char *written) {
    char *to = written;
    for (const char *from = written; *from != '\0'; from++) {
        bool is_break = strncmp(from, "\n  ", 3) == 0;
        *to++ = is_break ? ' ' : *from;
        from += is_break ? 2 : 0;
    }
    *to = '\0';
}

#endif
