#include "store/postgres/notice.h"

#include "base/mem.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SEAL_BYTES = 16,
    EVENTS_MAX = NOTICE_EVENTS_BYTES_MAX / 48, /* of one entry: no event is shorter with its hash */
    BASE64 = sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
};

static void base64_write(struct buf *b, struct span bytes) {
    size_t size = sodium_base64_encoded_len(bytes.size, BASE64);
    if (!buf_reserve(b, size))
        return;
    sodium_bin2base64(b->data + b->size, size, (const unsigned char *)bytes.data, bytes.size, BASE64);
    b->size += size - 1; /* without the zero */
}

/* Of an entry: what stands before its seal, and its events. */
static void seal_make(struct span place, struct span events, const struct digest *key, struct digest *out) {
    const struct span pieces[] = {place, events};
    digest_of(out, key->bytes, pieces, sizeof pieces / sizeof *pieces);
}

static void notice_event_write(struct buf *b, const struct event *event) {
    buf_printf(b, " %" PRId64 " %d ", event->time_ms, (int)event->kind);
    base64_write(b, span_make((const char *)event->hash.bytes, DIGEST_BYTES));
    buf_append_byte(b, ' ');
    if (event->body.size == 0)
        buf_append_byte(b, '-');
    else
        base64_write(b, event->body);
}

void notice_write(struct buf *b, const struct pending *first, const struct pending *last,
                  const struct digest *key) {
    char place[80];
    struct digest seal;
    int size = snprintf(place, sizeof place, "%" PRId64 " %" PRIu64 " %" PRIu64, (int64_t)first->table,
                        first->expected_seq + 1, last->expected_seq + last->event_count);
    struct span where = span_make(place, (size_t)size);
    struct buf events = {.bytes_max = NOTICE_EVENTS_BYTES_MAX};
    for (const struct pending *p = first; key != NULL && p != NULL && !buf_is_over(&events);
         p = p == last ? NULL : p->next)
        for (size_t i = 0; p->table == first->table && i < p->event_count && !buf_is_over(&events); i++)
            notice_event_write(&events, &p->events[i]);
    buf_append_byte(b, '\n');
    buf_append(b, where);
    if (key != NULL && !buf_is_over(&events)) {
        seal_make(where, buf_span(&events), key, &seal);
        buf_append_byte(b, ' ');
        base64_write(b, span_make((const char *)seal.bytes, SEAL_BYTES));
        buf_append(b, buf_span(&events));
    }
    buf_free(&events);
}

/* Reading: each takes what it is called for off the front. */

static bool number_take(struct span *from, int64_t *out) {
    const char *at = from->data, *end = from->data + from->size;
    uint64_t value = 0;
    if (at < end && *at == ' ')
        at++;
    bool is_negative = at < end && *at == '-';
    const char *digits = at += is_negative;
    for (; at < end && *at >= '0' && *at <= '9' && at - digits < 19; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *out = is_negative ? -(int64_t)value : (int64_t)value;
    *from = span_make(at, (size_t)(end - at));
    return at > digits;
}

static bool bytes_take(struct span *from, void *out, size_t size_max, size_t *size) {
    const char *end;
    if (from->size < 2 || from->data[0] != ' ')
        return false;
    *from = span_make(from->data + 1, from->size - 1);
    if (sodium_base642bin(out, size_max, from->data, from->size, NULL, size, &end, BASE64) != 0)
        return false;
    *from = span_make(end, from->size - (size_t)(end - from->data));
    return true;
}

static bool notice_event_take(struct span *from, struct event *event, char *body, size_t body_max) {
    int64_t kind;
    size_t size = 0;
    bool is_read = number_take(from, &event->time_ms) && number_take(from, &kind) &&
                   bytes_take(from, event->hash.bytes, DIGEST_BYTES, &size) && size == DIGEST_BYTES;
    size = 0;
    if (is_read && from->size >= 2 && from->data[1] == '-')
        *from = span_make(from->data + 2, from->size - 2);
    else
        is_read = is_read && bytes_take(from, body, body_max, &size);
    event->kind = is_read ? (enum event_kind)kind : 0;
    event->body = span_make(body, size);
    return is_read;
}

/* NULL when they are not all there. */
static struct pending *notice_events_take(const struct notice_entry *entry, struct span from) {
    struct event events[EVENTS_MAX];
    char bodies[NOTICE_EVENTS_BYTES_MAX];
    size_t count = (size_t)(entry->last - entry->first + 1), used = 0;
    if (entry->first < 1 || entry->last < entry->first || count > EVENTS_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        events[i] = (struct event){.seq = (uint64_t)entry->first + i};
        if (!notice_event_take(&from, &events[i], bodies + used, sizeof bodies - used))
            return NULL;
        used += events[i].body.size;
    }
    if (from.size > 0 || (events[0].seq == 1 && !event_begins(events[0].kind)))
        return NULL;
    return pending_copy(&(struct store_request){.table = (uint64_t)entry->table,
                                                .expected_seq = events[0].seq - 1,
                                                .events = events,
                                                .event_count = count});
}

const char *notice_read_node(const char *text, int64_t *node) {
    struct span from = span_of(text);
    return number_take(&from, node) && (from.size == 0 || from.data[0] == '\n') ? from.data : NULL;
}

const char *notice_read(const char *at, const struct digest *key, struct notice_entry *out) {
    if (*at != '\n')
        return NULL;
    const char *end = strchr(++at, '\n');
    struct span from = end == NULL ? span_of(at) : span_make(at, (size_t)(end - at));
    struct span line = from;
    *out = (struct notice_entry){0};
    if (!number_take(&from, &out->table) || !number_take(&from, &out->first) ||
        !number_take(&from, &out->last))
        return NULL;
    struct span place = span_make(line.data, line.size - from.size);
    struct digest told = {{0}}, made = {{0}};
    size_t size;
    if (bytes_take(&from, told.bytes, SEAL_BYTES, &size) && size == SEAL_BYTES) {
        seal_make(place, from, key, &made);
        memset(made.bytes + SEAL_BYTES, 0, DIGEST_BYTES - SEAL_BYTES);
        if (digest_equal(&told, &made))
            out->news = notice_events_take(out, from);
    }
    return line.data + line.size;
}
