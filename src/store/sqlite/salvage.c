#include "store/sqlite/salvage.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum {
    PAGE_BYTES_DEFAULT = 4096,
    FILE_HEADER_BYTES = 100,
    LEAF_HEADER_BYTES = 8,
    LEAF_TABLE = 0x0d,
    COLUMNS = 7,                                     /* of a row of events, and of an older one of tables */
    COLUMNS_MAX = 8,                                 /* of one of tables */
    PAYLOAD_BYTES_MAX = EVENT_BODY_BYTES_MAX + 1024, /* more is damage */
};

struct salvage {
    FILE *file;
    uint32_t page_bytes, usable_bytes;
    uint64_t page_count;
    uint8_t *is_free; /* of every page: it is on the freelist, and what it says was deleted */
    uint8_t *page, *overflow;
    const struct salvage_visitor *visitor;
    struct salvage_counts *counts;
};

struct column {
    uint64_t type;
    const uint8_t *data;
    size_t size;
};

static uint32_t big4(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t big2(const uint8_t *p) {
    return (uint32_t)p[0] << 8 | p[1];
}

static bool page_read(struct salvage *s, uint64_t number, uint8_t *out) {
    return number >= 1 && number <= s->page_count &&
           fseek(s->file, (long)((number - 1) * s->page_bytes), SEEK_SET) == 0 &&
           fread(out, 1, s->page_bytes, s->file) == s->page_bytes;
}

/* A varint of SQLite: big endian, nine bytes at most. False at the end of the bytes. */
static bool varint(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    *out = 0;
    for (int i = 0; i < 9 && *at < end; i++) {
        uint8_t byte = *(*at)++;
        if (i == 8) {
            *out = *out << 8 | byte;
            return true;
        }
        *out = *out << 7 | (byte & 0x7f);
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

static size_t type_bytes(uint64_t type) {
    static const uint8_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < 12                                ? sizes[type]
           : type > 2 * (uint64_t)PAYLOAD_BYTES_MAX ? SIZE_MAX
                                                    : (size_t)((type - 12) / 2);
}

static bool is_number(const struct column *c) {
    return (c->type >= 1 && c->type <= 6) || c->type == 8 || c->type == 9;
}

static int64_t sqlite_salvage_number_of(const struct column *c) {
    if (c->type == 8 || c->type == 9)
        return (int64_t)c->type - 8;
    uint64_t value = (c->data[0] & 0x80) != 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < c->size; i++)
        value = value << 8 | c->data[i];
    return (int64_t)value;
}

static bool is_blob(const struct column *c) {
    return c->type >= 12 && c->type % 2 == 0;
}

static bool sqlite_salvage_is_text(const struct column *c) {
    return c->type >= 13 && c->type % 2 == 1;
}

/* How many columns there are; 0 when it is no row that is known. */
static int columns_read(const uint8_t *payload, size_t size, struct column columns[COLUMNS_MAX]) {
    const uint8_t *at = payload, *end = payload + size;
    uint64_t header;
    int i = 0;
    if (!varint(&at, end, &header) || header > size)
        return 0;
    const uint8_t *data = payload + header, *header_end = payload + header;
    for (; i < COLUMNS_MAX && at < header_end; i++) {
        if (!varint(&at, header_end, &columns[i].type))
            return 0;
        columns[i].size = type_bytes(columns[i].type);
        columns[i].data = data;
        if (columns[i].type == 10 || columns[i].type == 11 || columns[i].size > (size_t)(end - data))
            return 0;
        data += columns[i].size;
    }
    return i >= COLUMNS && at == header_end && data == end ? i : 0;
}

/* id, table_id, seq, time_ms, kind, body, hash. */
static bool event_take(struct salvage *s, const struct column c[COLUMNS_MAX], int count) {
    struct event event = {0};
    if (count != COLUMNS || c[0].type != 0 || !is_number(&c[1]) || !is_number(&c[2]) || !is_number(&c[3]) ||
        !is_number(&c[4]) || !is_blob(&c[5]) || !is_blob(&c[6]) || c[6].size != DIGEST_BYTES)
        return false;
    event.seq = (uint64_t)sqlite_salvage_number_of(&c[2]);
    event.time_ms = sqlite_salvage_number_of(&c[3]);
    event.kind = (enum event_kind)sqlite_salvage_number_of(&c[4]);
    event.body = span_make(c[5].data, c[5].size);
    memcpy(event.hash.bytes, c[6].data, DIGEST_BYTES);
    s->visitor->event(s->visitor->context, (uint64_t)sqlite_salvage_number_of(&c[1]), &event);
    return true;
}

/* id, game, protocol, created_ms, finished_ms, last_seq, secret; origin, which its events know, too. */
static bool row_take(struct salvage *s, uint64_t id, const struct column c[COLUMNS_MAX], int count) {
    struct digest secret;
    if (count == 0 || c[0].type != 0 || !sqlite_salvage_is_text(&c[1]) || !sqlite_salvage_is_text(&c[2]) ||
        !is_number(&c[3]) || !is_number(&c[4]) || !is_number(&c[5]) || (c[6].type != 0 && !is_blob(&c[6])))
        return false;
    bool has_secret = is_blob(&c[6]) && c[6].size == DIGEST_BYTES;
    if (has_secret)
        memcpy(secret.bytes, c[6].data, DIGEST_BYTES);
    s->visitor->row(s->visitor->context, id, (uint64_t)sqlite_salvage_number_of(&c[5]),
                    has_secret ? &secret : NULL);
    return true;
}

/* The whole of a payload of which only the first part stands in the cell. */
static bool overflow_read(struct salvage *s, uint32_t next, uint8_t *out, size_t size) {
    while (size > 0) {
        if (next == 0 || !page_read(s, next, s->overflow))
            return false;
        size_t part = size < s->usable_bytes - 4 ? size : s->usable_bytes - 4;
        memcpy(out, s->overflow + 4, part);
        out += part;
        size -= part;
        next = big4(s->overflow);
    }
    return true;
}

/* How much of a payload stands in the cell of a table leaf. */
static size_t local_bytes(const struct salvage *s, uint64_t payload) {
    uint64_t most = s->usable_bytes - 35, least = (s->usable_bytes - 12) * 32 / 255 - 23;
    if (payload <= most)
        return (size_t)payload;
    uint64_t part = least + (payload - least) % (s->usable_bytes - 4);
    return (size_t)(part <= most ? part : least);
}

static bool cell_take(struct salvage *s, size_t at_byte) {
    const uint8_t *at = s->page + at_byte, *end = s->page + s->usable_bytes;
    uint64_t size, rowid;
    struct column columns[COLUMNS_MAX];
    int count = 0;
    if (!varint(&at, end, &size) || !varint(&at, end, &rowid) || size > PAYLOAD_BYTES_MAX)
        return false;
    size_t local = local_bytes(s, size);
    bool is_whole = local == size;
    if ((size_t)(end - at) < local + (is_whole ? 0 : 4))
        return false;
    uint8_t *payload = mem_alloc((size_t)size + 1);
    memcpy(payload, at, local);
    if (is_whole || overflow_read(s, big4(at + local), payload + local, (size_t)size - local))
        count = columns_read(payload, (size_t)size, columns);
    bool is_read = event_take(s, columns, count) || row_take(s, rowid, columns, count);
    mem_free(payload);
    return is_read;
}

static void leaf_take(struct salvage *s) {
    uint32_t cells = big2(s->page + 3);
    s->counts->leaves++;
    for (uint32_t i = 0; i < cells && LEAF_HEADER_BYTES + 2 * i + 2 <= s->usable_bytes; i++) {
        uint32_t at = big2(s->page + LEAF_HEADER_BYTES + (size_t)2 * i);
        if (at < LEAF_HEADER_BYTES || at >= s->usable_bytes || !cell_take(s, at))
            s->counts->rows_broken++;
    }
}

/* What was deleted must not come back: retention removes tables on purpose. */
static void freelist_read(struct salvage *s, uint32_t trunk) {
    for (uint64_t steps = 0; trunk != 0 && steps <= s->page_count && page_read(s, trunk, s->page); steps++) {
        uint32_t count = big4(s->page + 4);
        s->is_free[trunk - 1] = 1;
        for (uint32_t i = 0; i < count && 8 + 4 * (size_t)i + 4 <= s->usable_bytes; i++) {
            uint32_t leaf = big4(s->page + 8 + (size_t)4 * i);
            if (leaf >= 1 && leaf <= s->page_count)
                s->is_free[leaf - 1] = 1;
        }
        trunk = big4(s->page);
    }
}

static bool header_read(struct salvage *s, uint32_t *freelist) {
    uint8_t header[FILE_HEADER_BYTES];
    if (fseek(s->file, 0, SEEK_SET) != 0 || fread(header, 1, sizeof header, s->file) != sizeof header)
        return false;
    bool is_whole = memcmp(header, "SQLite format 3", 16) == 0;
    uint32_t size = big2(header + 16) == 1 ? 65536 : big2(header + 16);
    bool is_power = size >= 512 && (size & (size - 1)) == 0;
    s->page_bytes = is_whole && is_power ? size : PAGE_BYTES_DEFAULT;
    s->usable_bytes = s->page_bytes - (is_whole ? header[20] : 0);
    *freelist = is_whole ? big4(header + 32) : 0;
    if (fseek(s->file, 0, SEEK_END) != 0 || ftell(s->file) < 0)
        return false;
    s->page_count = (uint64_t)ftell(s->file) / s->page_bytes;
    return s->usable_bytes >= 480;
}

enum err sqlite_salvage(const char *path, const struct salvage_visitor *visitor,
                        struct salvage_counts *counts) {
    struct salvage s = {.file = fopen(path, "rb"), .visitor = visitor, .counts = counts};
    uint32_t freelist;
    *counts = (struct salvage_counts){0};
    if (s.file == NULL)
        return ERR_IO;
    if (!header_read(&s, &freelist)) {
        fclose(s.file);
        return ERR_IO;
    }
    s.page = mem_alloc(s.page_bytes);
    s.overflow = mem_alloc(s.page_bytes);
    s.is_free = mem_alloc((size_t)s.page_count + 1);
    freelist_read(&s, freelist);
    counts->pages = s.page_count;
    for (uint64_t number = 2; number <= s.page_count; number++)
        if (s.is_free[number - 1] == 0 && page_read(&s, number, s.page) && s.page[0] == LEAF_TABLE)
            leaf_take(&s);
    mem_free(s.page);
    mem_free(s.overflow);
    mem_free(s.is_free);
    fclose(s.file);
    return ERR_OK;
}
