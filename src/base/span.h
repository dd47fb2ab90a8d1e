/* A piece of somebody else's bytes: pointer and length, not terminated, never owned. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *data;
    size_t size;
};

/* The span of a string literal. */
#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})

static inline struct span span_of(const char *text) {
    return (struct span){text, strlen(text)};
}

static inline struct span span_make(const void *data, size_t size) {
    return (struct span){data, size};
}

static inline bool span_equal(struct span a, struct span b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool span_is(struct span a, const char *text) {
    return span_equal(a, span_of(text));
}

/* Compares ASCII letters without case. */
bool span_is_nocase(struct span a, const char *text);

/* Without leading and trailing blanks, tabs, CR and LF. */
struct span span_trim(struct span a);

/* Takes the first word off a text: what stands before the next blank or tab. Empty when there is none. */
struct span span_word(struct span *text);

/* The words of a text, which blanks separate. Returns their number; 0 when there are none, or more than max.
 */
size_t span_words(struct span text, struct span *words, size_t max);

/* Reads the whole span as a decimal number, with an optional sign. False, and *out untouched, when it is
 * anything else or does not fit. */
bool span_to_int(struct span a, int64_t *out);

/* Copies into a terminated string. False, and text empty, when it does not fit or contains a NUL. */
bool span_copy(struct span a, char *text, size_t text_size);

#endif
