#include "json_check.h"

#include "base/utf8.h"

enum { JSON_DEPTH_MAX = 64 };

struct cursor {
    const char *at, *end;
};

static bool value(struct cursor *c, int depth);

static int peek(const struct cursor *c) {
    return c->at < c->end ? (unsigned char)*c->at : -1;
}

static bool take(struct cursor *c, int byte) {
    if (peek(c) != byte)
        return false;
    c->at++;
    return true;
}

static void blanks(struct cursor *c) {
    while (peek(c) == ' ' || peek(c) == '\t' || peek(c) == '\n' || peek(c) == '\r')
        c->at++;
}

static size_t digits(struct cursor *c) {
    const char *from = c->at;
    while (peek(c) >= '0' && peek(c) <= '9')
        c->at++;
    return (size_t)(c->at - from);
}

static bool number(struct cursor *c) {
    take(c, '-');
    bool is_zero = peek(c) == '0';
    size_t count = digits(c);
    if (count == 0 || (is_zero && count > 1))
        return false;
    if (take(c, '.') && digits(c) == 0)
        return false;
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '+'))
            take(c, '-');
        return digits(c) > 0;
    }
    return true;
}

static bool string(struct cursor *c) {
    if (!take(c, '"'))
        return false;
    while (!take(c, '"')) {
        if (peek(c) < 0x20)
            return false; /* a control character, or the end */
        if (!take(c, '\\')) {
            c->at++;
            continue;
        }
        int escape = peek(c);
        if (escape <= 0 || strchr("\"\\/bfnrtu", escape) == NULL)
            return false;
        c->at++;
        for (int i = 0; escape == 'u' && i < 4; i++, c->at++)
            if (peek(c) <= 0 || strchr("0123456789abcdefABCDEF", peek(c)) == NULL)
                return false;
    }
    return true;
}

/* The inside of an object or a list, behind its first bracket. */
static bool items(struct cursor *c, int close, int depth) {
    blanks(c);
    if (take(c, close))
        return true;
    do {
        blanks(c);
        if (close == '}') {
            if (!string(c))
                return false;
            blanks(c);
            if (!take(c, ':'))
                return false;
        }
        if (!value(c, depth + 1))
            return false;
    } while (take(c, ','));
    return take(c, close);
}

static bool word(struct cursor *c, const char *text) {
    size_t size = strlen(text);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, text, size) != 0)
        return false;
    c->at += size;
    return true;
}

/* One value with the blanks around it. */
static bool value(struct cursor *c, int depth) {
    blanks(c);
    bool is_good = depth < JSON_DEPTH_MAX;
    if (is_good && take(c, '{'))
        is_good = items(c, '}', depth);
    else if (is_good && take(c, '['))
        is_good = items(c, ']', depth);
    else if (is_good && peek(c) == '"')
        is_good = string(c);
    else if (is_good)
        is_good = word(c, "true") || word(c, "false") || word(c, "null") || number(c);
    blanks(c);
    return is_good;
}

bool json_is_valid(struct span text) {
    struct cursor c = {text.data, text.data + text.size};
    return text.size > 0 && utf8_is_valid(text) && value(&c, 0) && c.at == c.end;
}
