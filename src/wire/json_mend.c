#include "wire/json_mend.h"

#include "wire/json_read.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c) {
    return c == '_' || c == '$' || c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct span take(struct span *rest, size_t size) {
    struct span taken = span_make(rest->data, size);
    rest->data += size;
    rest->size -= size;
    return taken;
}

/* Takes the next token off the front: a string with its quotes, a run of letters and digits, or one other
 * character. Its size is 0 at the end. */
static struct span token_next(struct span *rest) {
    while (rest->size > 0 && is_blank(rest->data[0]))
        take(rest, 1);
    if (rest->size == 0)
        return (struct span){0};
    size_t size = 1;
    if (rest->data[0] == '"') {
        while (size < rest->size && rest->data[size] != '"')
            size += rest->data[size] == '\\' ? 2 : 1;
        size = size < rest->size ? size + 1 : rest->size;
    } else if (is_word(rest->data[0])) {
        while (size < rest->size && is_word(rest->data[size]))
            size++;
    }
    return take(rest, size);
}

/* Whether the braces that have just been opened enclose values and no keys. Empty ones are an object. */
static bool begins_set(struct span rest) {
    struct span first = token_next(&rest), second = token_next(&rest);
    if (first.size == 0 || first.data[0] == '}')
        return false;
    bool can_be_key = first.data[0] == '"' || is_word(first.data[0]);
    return !can_be_key || (second.size > 0 && second.data[0] != ':');
}

static bool is_key(struct span token, struct span rest) {
    struct span next = token_next(&rest);
    return is_word(token.data[0]) && next.size > 0 && next.data[0] == ':';
}

void json_mend(struct span line, struct buf *out) {
    bool is_set[JSON_DEPTH_MAX];
    size_t depth = 0, start = out->size;
    for (struct span token = token_next(&line); token.size > 0; token = token_next(&line)) {
        char c = token.data[0];
        if (is_key(token, line)) {
            buf_append_byte(out, '"');
            buf_append(out, token);
            buf_append_byte(out, '"');
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
