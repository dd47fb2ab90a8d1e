/* The way back of championships after a restart, from their journals. */
#include "host/hall/internal.h"

struct found_row {
    uint64_t id;
    bool is_over;
};

struct found {
    struct buf rows; /* struct found_row, oldest first */
    size_t running;
};

static bool restore_found(void *context, const struct store_table *row) {
    struct found *f = context;
    struct found_row found = {row->table, row->finished_ms != 0};
    buf_append(&f->rows, span_make(&found, sizeof found));
    f->running += !found.is_over;
    return true;
}

struct folding {
    struct championship_fold fold;
    bool is_broken;
    bool is_cup; /* of another kind, and not the hall's (host/cup/cups.h) */
};

static bool restore_fold(void *context, uint64_t id, const struct event *event) {
    struct folding *f = context;
    f->is_cup = event->kind == EVENT_CUP;
    if (f->is_cup)
        return false;
    bool fits = event->kind != EVENT_ENTRANT || event->body.size <= HALL_NICK_BYTES_MAX + 1 + DIGEST_BYTES;
    enum err e = fits ? championship_fold_event(&f->fold, event) : ERR_MALFORMED;
    if (e == ERR_OK)
        return true;
    table_log_broken(id, event->seq, NULL, e);
    f->is_broken = true;
    return false;
}

/* The championship of the whole hall, of this type and for so many, goes on when that is wished; others stay
 * as they are. */
static bool restore_wants(struct hall *hall, const struct championship_fold *fold) {
    const struct event_championship *about = &fold->about;
    const struct contest *whole = hall->whole;
    if (about->number > hall->opened_count)
        hall->opened_count = about->number;
    if (about->format == 0)
        return false;
    if (whole == NULL)
        return about->number != 0 && strlen(about->type) < HALL_TYPE_BYTES_MAX;
    return hall->config.championship_resumes && !whole->is_kept && about->number == 0 && !fold->is_closed &&
           about->entrants == whole->players && strcmp(whole->pool->type, about->type) == 0;
}

/* All that run, and of those that are over the newest, as many as there is room for; the newest first. */
static enum err restore_all(struct hall *hall, const struct found *found) {
    struct store *store = tables_store(hall->config.tables);
    const struct found_row *rows = (const void *)found->rows.data;
    size_t room = found->running < HALL_CHAMPIONSHIPS_MAX ? HALL_CHAMPIONSHIPS_MAX - found->running : 0;
    for (size_t i = found->rows.size / sizeof *rows, count = 0; i-- > 0 && count < HALL_CHAMPIONSHIPS_MAX;) {
        struct folding f = {.is_broken = false};
        uint64_t id = rows[i].id;
        if (rows[i].is_over && room == 0)
            continue;
        room -= rows[i].is_over;
        championship_fold_init(&f.fold, id);
        enum err e = store_read(store, id, 1, restore_fold, &f);
        room += f.is_cup;     /* which takes none */
        if (e == ERR_DAMAGED) /* the others go on */
            table_log_broken(id, f.fold.last_seq + 1, NULL, e);
        if (e == ERR_OK && !f.is_broken && !f.is_cup && restore_wants(hall, &f.fold)) {
            contest_restore(hall, &f.fold);
            count++;
            continue;
        }
        championship_fold_free(&f.fold);
        if (e != ERR_OK && e != ERR_DAMAGED)
            return e;
    }
    return ERR_OK;
}

enum err hall_restore(struct hall *hall, uint64_t now_ms) {
    struct found found = {0};
    if (!hall->config.keeps_championships)
        return ERR_OK;
    hall_enter(hall, now_ms);
    enum err e = store_list(tables_store(hall->config.tables), STORE_CHAMPIONSHIPS, restore_found, &found);
    if (e == ERR_OK || e == ERR_DAMAGED)
        e = restore_all(hall, &found);
    buf_free(&found.rows);
    hall_exit(hall);
    return e;
}
