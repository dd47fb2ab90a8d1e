/* parlor journal repair: what can be saved of a damaged journal, into a new file. The damaged one is never
 * changed. Every table whose chain holds is saved whole; of the others the events before the first one that
 * is missing or does not follow. */
#include "base/mem.h"
#include "cli/journal/tool.h"
#include "store/data_dir.h"
#include "store/origin.h"
#include "store/sqlite/mark.h"
#include "store/sqlite/salvage.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct found_event {
    uint64_t table;
    struct event event; /* the body is owned */
};

struct found_row {
    uint64_t table, last_seq;
    bool has_secret;
    struct digest secret;
};

struct repair {
    struct found_event *events;
    size_t event_count, event_capacity;
    struct found_row *rows;
    size_t row_count, row_capacity;
    struct store *store;
    size_t whole, cut, lost, saved, missing; /* tables, tables, tables, events, events */
};

static void take_event(void *context, uint64_t table, const struct event *event) {
    struct repair *r = context;
    if (r->event_count == r->event_capacity) {
        r->event_capacity = r->event_capacity == 0 ? 1024 : 2 * r->event_capacity;
        r->events = mem_resize(r->events, r->event_capacity * sizeof *r->events);
    }
    char *body = mem_alloc(event->body.size + 1);
    memcpy(body, event->body.data, event->body.size);
    struct found_event *found = &r->events[r->event_count++];
    *found = (struct found_event){table, *event};
    found->event.body.data = body;
}

static void take_row(void *context, uint64_t table, uint64_t last_seq, const struct digest *secret) {
    struct repair *r = context;
    if (r->row_count == r->row_capacity) {
        r->row_capacity = r->row_capacity == 0 ? 256 : 2 * r->row_capacity;
        r->rows = mem_resize(r->rows, r->row_capacity * sizeof *r->rows);
    }
    struct found_row *row = &r->rows[r->row_count++];
    *row = (struct found_row){.table = table, .last_seq = last_seq, .has_secret = secret != NULL};
    if (secret != NULL)
        row->secret = *secret;
}

static int compare_events(const void *a, const void *b) {
    const struct found_event *x = a, *y = b;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return x->event.seq < y->event.seq ? -1 : x->event.seq > y->event.seq;
}

static int compare_rows(const void *a, const void *b) {
    const struct found_row *x = a, *y = b;
    return x->table < y->table ? -1 : x->table > y->table;
}

static const struct found_row *journal_repair_row_of(const struct repair *r, uint64_t table) {
    const struct found_row key = {.table = table};
    return r->row_count == 0 ? NULL : bsearch(&key, r->rows, r->row_count, sizeof *r->rows, compare_rows);
}

static void journal_repair_on_done(void *context, enum err e) {
    *(enum err *)context = e;
}

static bool table_write(struct repair *r, uint64_t table, const struct event *events, size_t count,
                        const struct digest *secret) {
    enum err result = ERR_IO;
    store_append(r->store,
                 &(struct store_request){.table = table,
                                         .events = events,
                                         .event_count = count,
                                         .secret = event_ends(events[count - 1].kind) ? NULL : secret,
                                         .done = journal_repair_on_done,
                                         .context = &result});
    store_work(r->store);
    store_drain(r->store);
    return result == ERR_OK;
}

/* The first of the events that were found of a table, or of one behind it. */
static size_t found_first(const struct repair *r, uint64_t table) {
    size_t low = 0, high = r->event_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->events[middle].table < table)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows of a table that follow one another from the first on, for origin_read; engine is the struct
 * repair. One that stands for events of another journal is believed here, and its events are held against the
 * chain when they have been made. */
static enum err found_rows(void *engine, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                           void *context) {
    const struct repair *r = engine;
    struct digest before = {{0}};
    uint64_t seq = 0;
    for (size_t i = found_first(r, table); i < r->event_count && r->events[i].table == table; i++) {
        const struct event *row = &r->events[i].event;
        const char *complaint;
        bool is_origin = row->kind == (enum event_kind)ORIGIN_ROW_KIND && seq == 1 && row->seq > 1;
        if (!is_origin && !event_is_next(row, table, seq, &before, &complaint))
            continue;
        seq = row->seq;
        before = row->hash;
        if (seq >= from_seq && !visit(context, table, row))
            break;
    }
    return ERR_OK;
}

/* What is saved of a table. */
struct chain {
    struct event *events; /* bodies owned */
    size_t count, capacity;
};

static bool chain_take(void *context, uint64_t table, const struct event *event) {
    static const struct digest none;
    struct chain *c = context;
    const char *complaint;
    const struct digest *before = c->count == 0 ? &none : &c->events[c->count - 1].hash;
    if (!event_is_next(event, table, c->count, before, &complaint))
        return false;
    if (c->count == c->capacity) {
        c->capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
        c->events = mem_resize(c->events, c->capacity * sizeof *c->events);
    }
    char *body = mem_alloc(event->body.size + 1);
    memcpy(body, event->body.data, event->body.size);
    c->events[c->count] = *event;
    c->events[c->count++].body.data = body;
    return true;
}

static void chain_free(struct chain *c) {
    for (size_t i = 0; i < c->count; i++)
        mem_free((void *)(uintptr_t)c->events[i].body.data);
    mem_free(c->events);
}

static void table_tell(struct repair *r, uint64_t table, uint64_t had, const struct event *kept,
                       size_t count) {
    char code[TABLE_CODE_CHARS + 1], time[TIME_TEXT_BYTES];
    table_code_format(table, code);
    r->saved += count;
    r->missing += had - count;
    r->whole += count == had;
    r->cut += count > 0 && count < had;
    r->lost += count == 0;
    if (count == had)
        return;
    if (count == 0) {
        printf("%s: none of %llu events saved\n", code, (unsigned long long)had);
        return;
    }
    time_text(kept[count - 1].time_ms, time);
    printf("%s: %zu of %llu events saved, up to %s\n", code, count, (unsigned long long)had, time);
}

static bool table_save(struct repair *r, const struct found_event *found, size_t count) {
    uint64_t table = found[0].table;
    const struct found_row *row = journal_repair_row_of(r, table);
    struct chain chain = {0};
    enum err e = origin_read(found_rows, r, table, 1, chain_take, &chain);
    (void)e; /* what cannot be made is missing */
    size_t length = chain.count > 0 && event_begins(chain.events[0].kind) ? chain.count : 0;
    uint64_t had = found[count - 1].event.seq;
    if (row != NULL && row->last_seq > had)
        had = row->last_seq;
    if (length > had)
        had = length;
    bool is_written = length == 0 || table_write(r, table, chain.events, length,
                                                 row != NULL && row->has_secret ? &row->secret : NULL);
    table_tell(r, table, had, chain.events, length);
    chain_free(&chain);
    return is_written;
}

/* Tables of which nothing but the row is left. */
static void rows_tell(struct repair *r) {
    for (size_t i = 0; i < r->row_count; i++) {
        uint64_t table = r->rows[i].table;
        size_t first = found_first(r, table);
        if (first == r->event_count || r->events[first].table != table)
            table_tell(r, table, r->rows[i].last_seq, NULL, 0);
    }
}

static bool tables_save(struct repair *r) {
    bool is_written = true;
    qsort(r->events, r->event_count, sizeof *r->events, compare_events);
    qsort(r->rows, r->row_count, sizeof *r->rows, compare_rows);
    for (size_t i = 0, next; i < r->event_count && is_written; i = next) {
        for (next = i + 1; next < r->event_count && r->events[next].table == r->events[i].table;)
            next++;
        is_written = table_save(r, &r->events[i], next - i);
    }
    rows_tell(r);
    return is_written;
}

/* The pages as they are with the write-ahead log, in a file of their own; the database itself when SQLite
 * cannot even begin with it. */
static bool image_make(const char *path, const char *image) {
    const char *complaint = "";
    if (store_sqlite_backup(path, image, &complaint) == ERR_OK)
        return true;
    fprintf(stderr, "parlor: %s; reading the file as it lies, without its write-ahead log\n", complaint);
    return false;
}

static void repair_free(struct repair *r) {
    for (size_t i = 0; i < r->event_count; i++)
        mem_free((void *)(uintptr_t)r->events[i].event.body.data);
    mem_free(r->events);
    mem_free(r->rows);
}

static int repair_into(struct repair *r, const char *path, const char *output) {
    char image[PATH_MAX], mark[PATH_MAX];
    struct salvage_counts counts;
    const char *complaint = "";
    const struct salvage_visitor visitor = {.context = r, .event = take_event, .row = take_row};
    if (snprintf(image, sizeof image, "%s.pages", output) >= (int)sizeof image ||
        snprintf(mark, sizeof mark, "%s" MARK_SUFFIX, output) >= (int)sizeof mark) {
        fprintf(stderr, "parlor: the name of the new file is too long\n");
        return 1;
    }
    bool has_image = image_make(path, image);
    enum err e = sqlite_salvage(has_image ? image : path, &visitor, &counts);
    if (has_image)
        unlink(image);
    if (e != ERR_OK) {
        fprintf(stderr, "parlor: %s cannot be read\n", path);
        return 1;
    }
    const struct store_sqlite_config config = {.path = output, .is_exclusive = true};
    if (store_sqlite_open(&config, &r->store, &complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s\n", complaint);
        return 1;
    }
    bool is_written = tables_save(r);
    store_close(r->store);
    unlink(mark); /* it belongs to the name, and the file is about to get another */
    if (!is_written) {
        fprintf(stderr, "parlor: %s cannot be written\n", output);
        return 1;
    }
    printf("%zu tables saved whole, %zu in part, %zu lost; %zu events saved, %zu missing; %llu rows of %llu "
           "pages "
           "could not be read\n%s is the repaired journal; %s is as it was\n",
           r->whole, r->cut, r->lost, r->saved, r->missing, (unsigned long long)counts.rows_broken,
           (unsigned long long)counts.pages, output, path);
    return r->cut + r->lost + r->missing + counts.rows_broken == 0 ? 0 : 1;
}

int journal_repair(const char *data, const char *output) {
    char path[PATH_MAX], standard[PATH_MAX];
    struct repair repair = {0};
    snprintf(path, sizeof path, "%s/%s", data, STORE_FILE);
    if (snprintf(standard, sizeof standard, "%s/%s.repaired", data, STORE_FILE) >= (int)sizeof standard) {
        fprintf(stderr, "parlor: the name of the data directory is too long\n");
        return 1;
    }
    if (output == NULL)
        output = standard;
    if (access(output, F_OK) == 0) {
        fprintf(stderr, "parlor: %s is there already; repair makes a new file\n", output);
        return 1;
    }
    int status = repair_into(&repair, path, output);
    repair_free(&repair);
    return status;
}
