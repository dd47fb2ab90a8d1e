#include "wire/json/mend.h"

#include "wire/json/read.h"

static bool json_mend_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c) {
    return c == '_' || c == '$' || c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct span json_mend_take(struct span *rest, size_t size) {
    struct span taken = span_make(rest->data, size);
    rest->data += size;
    rest->size -= size;
    return taken;
}

enum { PRINTED_QUOTE_BYTES = 3 };

/* A quote as a word processor prints it, of either side. */
static bool begins_printed_quote(struct span text) {
    return text.size >= PRINTED_QUOTE_BYTES && (memcmp(text.data, "\u201c", PRINTED_QUOTE_BYTES) == 0 ||
                                                memcmp(text.data, "\u201d", PRINTED_QUOTE_BYTES) == 0);
}

/* The bytes up to and with the printed quote that ends the string; 0 when there is none. */
static size_t printed_string_size(struct span text) {
    for (size_t at = PRINTED_QUOTE_BYTES; at + PRINTED_QUOTE_BYTES <= text.size; at++)
        if (begins_printed_quote(span_make(text.data + at, text.size - at)))
            return at + PRINTED_QUOTE_BYTES;
    return 0;
}

/* Takes the next token off the front: a string with its quotes, a run of letters and digits, or one other
 * byte. Its size is 0 at the end. */
static struct span token_next(struct span *rest) {
    while (rest->size > 0 && json_mend_is_blank(rest->data[0]))
        json_mend_take(rest, 1);
    if (rest->size == 0)
        return (struct span){0};
    size_t size = 1;
    if (rest->data[0] == '"') {
        while (size < rest->size && rest->data[size] != '"')
            size += rest->data[size] == '\\' ? 2 : 1;
        size = size < rest->size ? size + 1 : rest->size;
    } else if (begins_printed_quote(*rest)) {
        size_t whole = printed_string_size(*rest);
        size = whole == 0 ? 1 : whole;
    } else if (is_word(rest->data[0])) {
        while (size < rest->size && is_word(rest->data[size]))
            size++;
    }
    return json_mend_take(rest, size);
}

/* Whether the braces that have just been opened enclose values and no keys. Empty ones are an object. */
static bool begins_set(struct span rest) {
    struct span first = token_next(&rest), second = token_next(&rest);
    if (first.size == 0 || first.data[0] == '}')
        return false;
    bool can_be_key = first.data[0] == '"' || begins_printed_quote(first) || is_word(first.data[0]);
    return !can_be_key || (second.size > 0 && second.data[0] != ':');
}

static bool is_key(struct span token, struct span rest) {
    struct span next = token_next(&rest);
    return is_word(token.data[0]) && next.size > 0 && next.data[0] == ':';
}

static void json_mend_append_quoted(struct buf *out, struct span text) {
    buf_append_byte(out, '"');
    buf_append(out, text);
    buf_append_byte(out, '"');
}

void json_mend(struct span line, struct buf *out) {
    bool is_set[JSON_DEPTH_MAX];
    size_t depth = 0, start = out->size;
    for (struct span token = token_next(&line); token.size > 0; token = token_next(&line)) {
        char c = token.data[0];
        if (is_key(token, line)) {
            json_mend_append_quoted(out, token);
        } else if (token.size > 1 && begins_printed_quote(token)) {
            json_mend_append_quoted(
                out, span_make(token.data + PRINTED_QUOTE_BYTES, token.size - 2 * PRINTED_QUOTE_BYTES));
        } else if (c == '{' || c == '[') {
            if (depth == JSON_DEPTH_MAX) {
                out->size = start;
                return;
            }
            is_set[depth] = c == '[' || begins_set(line);
            buf_append_byte(out, is_set[depth++] ? '[' : '{');
        } else if (c == '}' && depth > 0) {
            buf_append_byte(out, is_set[--depth] ? ']' : '}');
        } else {
            depth -= c == ']' && depth > 0;
            buf_append(out, token);
        }
        if (depth == 0 && (c == '}' || c == ']'))
            return;
    }
}
