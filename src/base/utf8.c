#include "base/utf8.h"

int32_t utf8_next(struct span *text) {
    const unsigned char *p = (const unsigned char *)text->data;
    size_t size = 1;
    int32_t code = p[0], least = 0;
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        size = 4;
        code = p[0] & 0x07;
        least = 0x10000;
    } else if ((p[0] & 0xf0) == 0xe0) {
        size = 3;
        code = p[0] & 0x0f;
        least = 0x800;
    } else if ((p[0] & 0xe0) == 0xc0) {
        size = 2;
        code = p[0] & 0x1f;
        least = 0x80;
    } else if (p[0] >= 0x80) {
        code = -1;
    }
    if (size > text->size)
        code = -1;
    for (size_t i = 1; code >= 0 && i < size; i++)
        code = (p[i] & 0xc0) == 0x80 ? (code << 6) | (p[i] & 0x3f) : -1;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        code = -1;
    size_t taken = code < 0 ? 1 : size;
    text->data += taken;
    text->size -= taken;
    return code;
}

bool utf8_is_valid(struct span text) {
    while (text.size > 0)
        if (utf8_next(&text) < 0)
            return false;
    return true;
}

bool utf8_is_blank(int32_t c) {
    return c <= 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
           (c >= 0x2028 && c <= 0x202f) || c == 0x200b || c == 0x200e || c == 0x200f || c == 0x061c ||
           (c >= 0x205f && c <= 0x2069) || c == 0x3000 || c == 0xfeff;
}

static bool utf8_is_control(int32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

bool utf8_has_control(struct span text) {
    while (text.size > 0)
        if (utf8_is_control(utf8_next(&text)))
            return true;
    return false;
}

bool utf8_is_one_line(struct span text) {
    while (text.size > 0) {
        int32_t c = utf8_next(&text);
        bool is_turn = c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                       (c >= 0x2066 && c <= 0x2069);
        if (utf8_is_control(c) || c == 0x2028 || c == 0x2029 || is_turn)
            return false;
    }
    return true;
}

bool utf8_is_all_blank(struct span text) {
    while (text.size > 0)
        if (!utf8_is_blank(utf8_next(&text)))
            return false;
    return true;
}

struct span utf8_without_last(struct span text) {
    do
        text.size--;
    while (((unsigned char)text.data[text.size] & 0xc0) == 0x80);
    return text;
}

size_t utf8_length(struct span text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++)
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return count;
}
