#include "server/proxy_header.h"

enum {
    PROXY_VERSION = 2,
    PROXY_LOCAL = 0,
    PROXY_FOR = 1,
    PROXY_UNKNOWN = 0,
    PROXY_FOUR = 1,
    PROXY_SIX = 2,
    PROXY_UNIX = 3,
    PROXY_STREAM = 1,
    PROXY_FOUR_BYTES = 12, /* two addresses and two ports */
    PROXY_SIX_BYTES = 36,
    PROXY_UNIX_BYTES = 216,
    PROXY_LINE_BYTES_MAX = 107, /* of version 1, its end included */
    PROXY_RECORD_BYTES = 3,     /* before its content */
};

static const char proxy_start[] = "PROXY ";
static const uint8_t proxy_signature[12] = "\r\n\r\n\0\r\nQUIT\n";

static enum proxy_header_state proxy_refuse(const char **reason, const char *words) {
    *reason = words;
    return PROXY_HEADER_REFUSED;
}

/* The text of an address of the family that the line names. */
static bool proxy_address(struct span text, bool is_four, struct address *out) {
    bool has_colon = text.size > 0 && memchr(text.data, ':', text.size) != NULL;
    return is_four != has_colon && address_parse(text, out);
}

static bool proxy_number(struct span text) {
    int64_t number;
    return span_to_int(text, &number) && number >= 0 && number <= UINT16_MAX;
}

/* Takes the word off a line, up to its one blank. */
static struct span proxy_word(struct span *line) {
    const char *blank = line->size == 0 ? NULL : memchr(line->data, ' ', line->size);
    size_t size = blank == NULL ? line->size : (size_t)(blank - line->data);
    struct span word = span_make(line->data, size);
    size += blank != NULL;
    *line = span_make(line->data + size, line->size - size);
    return word;
}

/* What stands behind "PROXY " in a line, without its end. */
static enum proxy_header_state proxy_read_line(struct span line, struct proxy_header *out,
                                               const char **reason) {
    struct address there;
    struct span family = proxy_word(&line);
    bool is_four = span_is(family, "TCP4");
    if (span_is(family, "UNKNOWN"))
        return PROXY_HEADER_READ;
    out->has_origin = (is_four || span_is(family, "TCP6")) &&
                      proxy_address(proxy_word(&line), is_four, &out->origin) &&
                      proxy_address(proxy_word(&line), is_four, &there) && proxy_number(proxy_word(&line)) &&
                      proxy_number(proxy_word(&line)) && line.size == 0;
    return out->has_origin ? PROXY_HEADER_READ
                           : proxy_refuse(reason, "the line of the header is not as it should be");
}

static enum proxy_header_state proxy_read_one(struct span bytes, struct proxy_header *out,
                                              const char **reason) {
    size_t start = sizeof proxy_start - 1;
    const char *end = memmem(bytes.data, bytes.size, "\r\n", 2);
    if (end == NULL && bytes.size < PROXY_LINE_BYTES_MAX)
        return PROXY_HEADER_WAITS;
    if (end == NULL || (size_t)(end - bytes.data) + 2 > PROXY_LINE_BYTES_MAX)
        return proxy_refuse(reason, "the header is too long");
    out->size = (size_t)(end - bytes.data) + 2;
    return proxy_read_line(span_make(bytes.data + start, out->size - 2 - start), out, reason);
}

/* Nothing that cannot become a header is waited for. */
static enum proxy_header_state proxy_wait(struct span bytes, struct proxy_header *out, const char **reason) {
    size_t start = sizeof proxy_start - 1;
    if (bytes.size == 0)
        return PROXY_HEADER_WAITS;
    if (bytes.size >= start && memcmp(bytes.data, proxy_start, start) == 0)
        return proxy_read_one(bytes, out, reason);
    size_t size = bytes.size < sizeof proxy_signature ? bytes.size : sizeof proxy_signature;
    bool may_be_one = bytes.size < start && memcmp(bytes.data, proxy_start, bytes.size) == 0;
    if (may_be_one || memcmp(bytes.data, proxy_signature, size) == 0)
        return PROXY_HEADER_WAITS;
    return proxy_refuse(reason, "a trusted proxy did not begin with a header of the PROXY protocol");
}

/* Records are not looked at, but they must be whole. */
static bool proxy_records_are_whole(const uint8_t *at, size_t size) {
    while (size >= PROXY_RECORD_BYTES) {
        size_t record = PROXY_RECORD_BYTES + ((size_t)at[1] << 8 | at[2]);
        if (record > size)
            return false;
        at += record;
        size -= record;
    }
    return size == 0;
}

/* The bytes behind the start of a header whose command is to speak for somebody. */
static enum proxy_header_state proxy_read_ends(uint8_t kind, const uint8_t *at, size_t size,
                                               struct proxy_header *out, const char **reason) {
    static const size_t sizes[] = {[PROXY_UNKNOWN] = 0,
                                   [PROXY_FOUR] = PROXY_FOUR_BYTES,
                                   [PROXY_SIX] = PROXY_SIX_BYTES,
                                   [PROXY_UNIX] = PROXY_UNIX_BYTES};
    unsigned family = kind >> 4, transport = kind & 0xf;
    if (family > PROXY_UNIX || transport > PROXY_STREAM ||
        (family != PROXY_UNKNOWN && transport != PROXY_STREAM))
        return proxy_refuse(reason, "the header is of no stream of TCP");
    if (size < sizes[family])
        return proxy_refuse(reason, "the header has no room for its addresses");
    if (family != PROXY_UNKNOWN && !proxy_records_are_whole(at + sizes[family], size - sizes[family]))
        return proxy_refuse(reason, "a record of the header is cut off");
    out->has_origin = family == PROXY_FOUR || family == PROXY_SIX;
    if (out->has_origin)
        out->origin = family == PROXY_FOUR ? address_of_four(at) : address_of_six(at);
    return PROXY_HEADER_READ;
}

enum proxy_header_state proxy_header_read(struct span bytes, struct proxy_header *out, const char **reason) {
    const uint8_t *at = (const uint8_t *)bytes.data;
    *out = (struct proxy_header){0};
    if (bytes.size < PROXY_HEADER_START_BYTES || memcmp(at, proxy_signature, sizeof proxy_signature) != 0)
        return proxy_wait(bytes, out, reason);
    unsigned version = at[12] >> 4, command = at[12] & 0xf;
    size_t size = (size_t)at[14] << 8 | at[15];
    if (version != PROXY_VERSION || command > PROXY_FOR)
        return proxy_refuse(reason, "the version or command of the header is not known");
    if (PROXY_HEADER_START_BYTES + size > PROXY_HEADER_BYTES_MAX)
        return proxy_refuse(reason, "the header is too long");
    if (bytes.size - PROXY_HEADER_START_BYTES < size)
        return PROXY_HEADER_WAITS;
    out->size = PROXY_HEADER_START_BYTES + size;
    if (command == PROXY_LOCAL)
        return PROXY_HEADER_READ;
    return proxy_read_ends(at[13], at + PROXY_HEADER_START_BYTES, size, out, reason);
}
