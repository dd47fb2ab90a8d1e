/* The fast way to read a plain message. The library reads byte by byte through five functions, which was a
 * quarter of what a move over WebSocket costs; values are still its own, and whatever is not plain is left to
 * it, so that it alone says what is wrong with a message. */
#include "wire/json/read.h"

enum { NUMBER_DIGITS_MAX = 15, PLAIN_DEPTH_MAX = JSON_DEPTH_MAX };

struct plain {
    const char *at, *end;
    unsigned depth;
};

static json_t *plain_value(struct plain *);

/* The next byte that is no space, '\0' at the end; it stays. */
static char plain_peek(struct plain *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
    return p->at < p->end ? *p->at : '\0';
}

static bool plain_take(struct plain *p, char byte) {
    bool is_there = plain_peek(p) == byte;
    p->at += is_there;
    return is_there;
}

/* Behind the quotation mark; data NULL when it is not plain. */
static struct span plain_text(struct plain *p) {
    const char *from = p->at;
    while (p->at < p->end && *p->at >= ' ' && *p->at < 0x7f && *p->at != '"' && *p->at != '\\')
        p->at++;
    if (p->at == p->end || *p->at != '"')
        return (struct span){0};
    return span_make(from, (size_t)(p->at++ - from));
}

static json_t *plain_string(struct plain *p) {
    struct span text = plain_text(p);
    return text.data == NULL ? NULL : json_stringn_nocheck(text.data, text.size);
}

static json_t *plain_number(struct plain *p) {
    const char *from = p->at;
    json_int_t number = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (p->at - from < NUMBER_DIGITS_MAX)
            number = 10 * number + (*p->at - '0');
    ptrdiff_t digits = p->at - from;
    bool is_real = p->at < p->end && (*p->at == '.' || *p->at == 'e' || *p->at == 'E');
    bool is_plain = digits <= NUMBER_DIGITS_MAX && (digits == 1 || *from != '0') && !is_real;
    return is_plain ? json_integer(number) : NULL;
}

static json_t *plain_word(struct plain *p, struct span word, json_t *value) {
    if ((size_t)(p->end - p->at) < word.size || memcmp(p->at, word.data, word.size) != 0)
        return NULL;
    p->at += word.size;
    return value;
}

static bool plain_item(struct plain *p, json_t *list) {
    json_t *item = plain_value(p);
    return item != NULL && json_array_append_new(list, item) == 0;
}

/* A name that comes twice is for the library to refuse. */
static bool plain_field(struct plain *p, json_t *object) {
    struct span name = plain_take(p, '"') ? plain_text(p) : (struct span){0};
    if (name.data == NULL || !plain_take(p, ':') || json_object_getn(object, name.data, name.size) != NULL)
        return false;
    json_t *value = plain_value(p);
    return value != NULL && json_object_setn_new_nocheck(object, name.data, name.size, value) == 0;
}

/* Behind the bracket: what it contains, up to the closing one. */
static json_t *plain_container(struct plain *p, json_t *container, char close,
                               bool (*take)(struct plain *, json_t *)) {
    bool is_plain = ++p->depth <= PLAIN_DEPTH_MAX;
    if (!plain_take(p, close)) {
        do
            is_plain = is_plain && take(p, container);
        while (is_plain && plain_take(p, ','));
        is_plain = is_plain && plain_take(p, close);
    }
    p->depth--;
    if (is_plain)
        return container;
    json_decref(container);
    return NULL;
}

static json_t *plain_value(struct plain *p) {
    switch (plain_peek(p)) {
    case '{': p->at++; return plain_container(p, json_object(), '}', plain_field);
    case '[': p->at++; return plain_container(p, json_array(), ']', plain_item);
    case '"': p->at++; return plain_string(p);
    case 't': return plain_word(p, SPAN("true"), json_true());
    case 'f': return plain_word(p, SPAN("false"), json_false());
    case 'n': return plain_word(p, SPAN("null"), json_null());
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return plain_number(p);
    default: return NULL;
    }
}

json_t *json_read_plain(struct span text) {
    if (text.size == 0) /* it may have no data at all */
        return NULL;
    struct plain p = {.at = text.data, .end = text.data + text.size};
    json_t *value = plain_value(&p);
    if (value == NULL)
        return NULL;
    plain_peek(&p);
    if (p.at == p.end)
        return value;
    json_decref(value);
    return NULL;
}
