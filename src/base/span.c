#include "base/span.h"

static char span_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool span_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool span_is_nocase(struct span a, const char *text) {
    size_t i = 0;
    for (; i < a.size && text[i] != '\0'; i++)
        if (span_lower(a.data[i]) != span_lower(text[i]))
            return false;
    return i == a.size && text[i] == '\0';
}

struct span span_trim(struct span a) {
    while (a.size > 0 && span_is_blank(a.data[0])) {
        a.data++;
        a.size--;
    }
    while (a.size > 0 && span_is_blank(a.data[a.size - 1]))
        a.size--;
    return a;
}

struct span span_word(struct span *text) {
    *text = span_trim(*text);
    struct span word = {text->data, 0};
    while (word.size < text->size && text->data[word.size] != ' ' && text->data[word.size] != '\t')
        word.size++;
    text->data += word.size;
    text->size -= word.size;
    *text = span_trim(*text);
    return word;
}

size_t span_words(struct span text, struct span *words, size_t max) {
    size_t count = 0, at = 0;
    while (at < text.size) {
        size_t from = at;
        while (at < text.size && text.data[at] != ' ')
            at++;
        if (at > from && count == max)
            return 0;
        if (at > from)
            words[count++] = span_make(text.data + from, at - from);
        at++;
    }
    return count;
}

bool span_to_int(struct span a, int64_t *out) {
    size_t i = 0;
    bool negative = false;
    if (a.size > 0 && (a.data[0] == '-' || a.data[0] == '+')) {
        negative = a.data[0] == '-';
        i = 1;
    }
    if (i == a.size)
        return false;
    int64_t value = 0;
    for (; i < a.size; i++) {
        if (a.data[i] < '0' || a.data[i] > '9')
            return false;
        int64_t digit = a.data[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *out = value;
    return true;
}

bool span_copy(struct span a, char *text, size_t text_size) {
    if (a.size >= text_size || (a.size > 0 && memchr(a.data, '\0', a.size) != NULL)) {
        text[0] = '\0';
        return false;
    }
    if (a.size > 0)
        memcpy(text, a.data, a.size);
    text[a.size] = '\0';
    return true;
}
