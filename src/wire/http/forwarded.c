#include "wire/http/forwarded.h"

bool forwarded_read_plain(struct span value, struct address *out) {
    const char *comma = value.size == 0 ? NULL : memrchr(value.data, ',', value.size);
    size_t skipped = comma == NULL ? 0 : (size_t)(comma + 1 - value.data);
    return address_parse(span_trim(span_make(value.data + skipped, value.size - skipped)), out);
}

/* Cuts off what stands before the next such sign that is not in quotes; false when nothing is left. */
static bool forwarded_next(struct span *rest, char sign, struct span *out) {
    bool is_quoted = false;
    size_t i = 0;
    if (rest->data == NULL)
        return false;
    for (; i < rest->size && (is_quoted || rest->data[i] != sign); i++) {
        if (is_quoted && rest->data[i] == '\\')
            i += i + 1 < rest->size;
        else if (rest->data[i] == '"')
            is_quoted = !is_quoted;
    }
    *out = span_trim(span_make(rest->data, i));
    *rest = i < rest->size ? span_make(rest->data + i + 1, rest->size - i - 1) : span_make(NULL, 0);
    return true;
}

/* "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]", "[2001:db8::1]:80", with or without quotes around it. */
static bool forwarded_address(struct span node, struct address *out) {
    if (node.size >= 2 && node.data[0] == '"' && node.data[node.size - 1] == '"')
        node = span_make(node.data + 1, node.size - 2);
    if (node.size > 0 && node.data[0] == '[') {
        const char *end = memchr(node.data, ']', node.size);
        return end != NULL && address_parse(span_make(node.data + 1, (size_t)(end - node.data) - 1), out);
    }
    const char *colon = node.size == 0 ? NULL : memchr(node.data, ':', node.size);
    return address_parse(colon == NULL ? node : span_make(node.data, (size_t)(colon - node.data)), out);
}

bool forwarded_read(struct span value, struct address *out) {
    struct span element = {NULL, 0}, pair, name;
    while (forwarded_next(&value, ',', &element)) {
    }
    while (forwarded_next(&element, ';', &pair)) {
        struct span node = pair;
        if (forwarded_next(&node, '=', &name) && span_is_nocase(name, "for") && node.data != NULL)
            return forwarded_address(span_trim(node), out);
    }
    return false;
}
