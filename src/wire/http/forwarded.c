#include "wire/http/forwarded.h"

/* The last of a list with commas. */
static struct span forwarded_last(struct span value) {
    const char *comma = value.size == 0 ? NULL : memrchr(value.data, ',', value.size);
    size_t skipped = comma == NULL ? 0 : (size_t)(comma + 1 - value.data);
    return span_trim(span_make(value.data + skipped, value.size - skipped));
}

bool forwarded_read_plain(struct span value, struct address *out) {
    return address_parse(forwarded_last(value), out);
}

static void forwarded_scheme(struct span scheme, bool *is_secure) {
    if (span_is_nocase(scheme, "https"))
        *is_secure = true;
    else if (span_is_nocase(scheme, "http"))
        *is_secure = false;
}

void forwarded_read_plain_proto(struct span value, bool *is_secure) {
    forwarded_scheme(forwarded_last(value), is_secure);
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

static struct span forwarded_unquoted(struct span text) {
    bool is_quoted = text.size >= 2 && text.data[0] == '"' && text.data[text.size - 1] == '"';
    return is_quoted ? span_make(text.data + 1, text.size - 2) : text;
}

/* "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]", "[2001:db8::1]:80", with or without quotes around it. */
static bool forwarded_address(struct span node, struct address *out) {
    node = forwarded_unquoted(node);
    if (node.size > 0 && node.data[0] == '[') {
        const char *end = memchr(node.data, ']', node.size);
        return end != NULL && address_parse(span_make(node.data + 1, (size_t)(end - node.data) - 1), out);
    }
    const char *colon = node.size == 0 ? NULL : memchr(node.data, ':', node.size);
    return address_parse(colon == NULL ? node : span_make(node.data, (size_t)(colon - node.data)), out);
}

/* What stands behind a name in the last element; false when it is not there. */
static bool forwarded_find(struct span value, const char *wanted, struct span *out) {
    struct span element = {NULL, 0}, pair, name;
    while (forwarded_next(&value, ',', &element)) {
    }
    while (forwarded_next(&element, ';', &pair)) {
        struct span node = pair;
        if (forwarded_next(&node, '=', &name) && span_is_nocase(name, wanted) && node.data != NULL) {
            *out = span_trim(node);
            return true;
        }
    }
    return false;
}

bool forwarded_read(struct span value, struct address *out) {
    struct span node;
    return forwarded_find(value, "for", &node) && forwarded_address(node, out);
}

void forwarded_read_proto(struct span value, bool *is_secure) {
    struct span scheme;
    if (forwarded_find(value, "proto", &scheme))
        forwarded_scheme(forwarded_unquoted(scheme), is_secure);
}
