#include "host/inspector.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <uthash.h>
#include <utlist.h>

struct kept {
    struct kept *next;
    struct inspector_message message; /* its text follows */
    char protocol[INSPECTOR_PROTOCOL_BYTES_MAX];
    char text[];
};

struct inspected {
    uint64_t table;
    UT_hash_handle by_table; /* in the order of their coming */
    struct kept *first, *last;
    size_t count, bytes;
    uint64_t next_number;
};

struct inspector {
    struct inspector_config config;
    struct inspected *tables;
    size_t bytes; /* of all messages */
    void (*recorded)(void *context, uint64_t table, const struct inspector_message *);
    void *context;
    uint64_t (*version)(void *context, uint64_t table);
    void *version_context;
};

struct inspector *inspector_create(const struct inspector_config *config) {
    struct inspector *in = mem_alloc(sizeof *in);
    in->config = *config;
    return in;
}

static size_t kept_bytes(const struct kept *k) {
    return sizeof *k + k->message.text.size;
}

static void drop_first(struct inspector *in, struct inspected *t) {
    struct kept *k = t->first;
    t->first = k->next;
    if (t->first == NULL)
        t->last = NULL;
    t->count--;
    t->bytes -= k->message.text.size;
    in->bytes -= kept_bytes(k);
    mem_free(k);
}

static void inspected_free(struct inspector *in, struct inspected *t) {
    HASH_DELETE(by_table, in->tables, t);
    while (t->first != NULL)
        drop_first(in, t);
    mem_free(t);
}

void inspector_free(struct inspector *in) {
    struct inspected *t, *next;
    HASH_ITER(by_table, in->tables, t, next) inspected_free(in, t);
    mem_free(in);
}

static struct inspected *find(const struct inspector *in, uint64_t table) {
    struct inspected *t;
    HASH_FIND(by_table, in->tables, &table, sizeof table, t);
    return t;
}

static struct inspected *add(struct inspector *in, uint64_t table) {
    if (HASH_CNT(by_table, in->tables) == INSPECTOR_TABLES_MAX)
        inspected_free(in, in->tables);
    struct inspected *t = mem_alloc(sizeof *t);
    t->table = table;
    t->next_number = 1;
    HASH_ADD(by_table, in->tables, table, sizeof t->table, t);
    return t;
}

void inspector_enable(struct inspector *in, uint64_t table) {
    if (find(in, table) == NULL)
        add(in, table);
}

void inspector_enable_all(struct inspector *in) {
    in->config.has_all = true;
}

bool inspector_wants(const struct inspector *in, uint64_t table) {
    return in != NULL && (in->config.has_all || (in->tables != NULL && find(in, table) != NULL));
}

/* What is no text is shown as question marks. */
static void text_mend(char *text, size_t size) {
    struct span rest = {text, size};
    while (rest.size > 0) {
        size_t at = size - rest.size;
        if (utf8_next(&rest) < 0)
            text[at] = '?';
    }
}

/* Whoever has most gives. */
static void inspector_make_room(struct inspector *in) {
    struct inspected *t, *most = in->tables;
    while (in->bytes > INSPECTOR_ALL_BYTES_MAX) {
        for (t = in->tables; t != NULL; t = t->by_table.next)
            most = t->bytes > most->bytes ? t : most;
        /* More than one, so that it need not be looked for with every message. */
        for (size_t enough = most->bytes / 2; most->first != NULL && most->bytes >= enough;)
            drop_first(in, most);
    }
}

/* The value behind the word "secret", in JSON or as an attribute of XML, is shown as stars: up to the quote
 * that ends it, or to the end where there is none. */
static void text_blank_secrets(char *text, size_t size) {
    static const char word[] = "secret";
    char *end = text + size, *at = text;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
        at += sizeof word - 1;
        if (at < end && (*at == '"' || *at == '\''))
            at++;
        while (at < end && strchr(" \t:=", *at) != NULL)
            at++;
        if (at >= end || (*at != '"' && *at != '\''))
            continue;
        for (char quote = *at++; at < end && *at != quote; at++) {
            bool is_escape = *at == '\\' && at + 1 < end;
            *at = '*';
            if (is_escape)
                *++at = '*';
        }
    }
}

static struct kept *inspector_keep(const struct inspector_message *message) {
    size_t size =
        message->text.size < INSPECTOR_TEXT_BYTES_MAX ? message->text.size : INSPECTOR_TEXT_BYTES_MAX;
    /* A character is not cut in two. */
    while (size < message->text.size && size > 0 && ((unsigned char)message->text.data[size] & 0xc0) == 0x80)
        size--;
    struct kept *k = mem_alloc(sizeof *k + size);
    k->message = *message;
    if (size > 0)
        memcpy(k->text, message->text.data, size);
    text_mend(k->text, size);
    text_blank_secrets(k->text, size);
    k->message.text = span_make(k->text, size);
    bool fits = span_copy(span_of(message->protocol), k->protocol, sizeof k->protocol);
    assert(fits);
    (void)fits;
    k->message.protocol = k->protocol;
    return k;
}

void inspector_ask_versions(struct inspector *in, uint64_t (*version)(void *context, uint64_t table),
                            void *context) {
    in->version = version;
    in->version_context = context;
}

uint64_t inspector_version(const struct inspector *in, uint64_t table) {
    return in->version == NULL ? 0 : in->version(in->version_context, table);
}

void inspector_record(struct inspector *in, uint64_t table, const struct inspector_message *message) {
    if (!inspector_wants(in, table))
        return;
    struct inspected *t = find(in, table);
    if (t == NULL)
        t = add(in, table);
    struct kept *k = inspector_keep(message);
    k->message.number = t->next_number++;
    k->message.at_ms = in->config.wall_ms();
    if (k->message.version == 0)
        k->message.version = inspector_version(in, table);
    if (t->last == NULL)
        t->first = k;
    else
        t->last->next = k;
    t->last = k;
    t->count++;
    t->bytes += k->message.text.size;
    in->bytes += kept_bytes(k);
    while (t->count > INSPECTOR_MESSAGES_MAX || t->bytes > INSPECTOR_BYTES_MAX)
        drop_first(in, t);
    inspector_make_room(in);
    if (in->recorded != NULL && t->last == k) /* it was not the greediest */
        in->recorded(in->context, table, &k->message);
}

uint64_t inspector_read(const struct inspector *in, uint64_t table, uint64_t from,
                        bool (*visit)(void *context, const struct inspector_message *), void *context) {
    const struct inspected *t = find(in, table);
    if (t == NULL)
        return in->config.has_all ? 1 : 0;
    for (const struct kept *k = t->first; k != NULL; k = k->next)
        if (k->message.number >= from && !visit(context, &k->message))
            break;
    return t->next_number;
}

void inspector_listen(struct inspector *in,
                      void (*recorded)(void *context, uint64_t table, const struct inspector_message *),
                      void *context) {
    in->recorded = recorded;
    in->context = context;
}
