/* The way back of championships after a restart, or when the hall comes from another node: from their
 * journals.
 */
#include "host/hall/internal.h"

#include "base/mem.h"

struct found_row {
    uint64_t id;
    bool is_over;
};

/* What the store has: all that run, and of those that are over the newest, as many as there is room for. They
 * are read one after the other, the newest first. */
struct hall_past {
    const struct hall_config *config;
    struct buf rows; /* struct found_row, oldest first */
    size_t running;
    size_t left;      /* rows that have not been read */
    size_t room;      /* for those that are over */
    struct buf folds; /* struct championship_fold, those that may be wanted, newest first */
    uint32_t last_number;
    /* The one that is being read. */
    struct championship_fold fold;
    bool has_fold, is_broken;
    bool is_cup; /* of another kind, and not the hall's (host/cup/cups.h) */
    void (*done)(void *context, enum err);
    void *context;
};

static bool past_row(void *context, const struct store_table *row) {
    struct hall_past *past = context;
    struct found_row found = {row->table, row->finished_ms != 0};
    buf_append(&past->rows, span_make(&found, sizeof found));
    past->running += !found.is_over;
    return true;
}

static bool past_event(void *context, uint64_t id, const struct event *event) {
    struct hall_past *past = context;
    past->is_cup = event->kind == EVENT_CUP;
    if (past->is_cup)
        return false;
    bool fits = event->kind != EVENT_ENTRANT || event->body.size <= HALL_NICK_BYTES_MAX + 1 + DIGEST_BYTES;
    enum err e = fits ? championship_fold_event(&past->fold, event) : ERR_MALFORMED;
    if (e == ERR_OK)
        return true;
    table_log_broken(id, event->seq, NULL, e);
    past->is_broken = true;
    return false;
}

/* Whether a hall could want it: the championship of the whole hall, or any other where there is none. */
static bool past_may_want(const struct hall_past *past) {
    const struct event_championship *about = &past->fold.about;
    if (about->format == 0)
        return false;
    if (past->config->championship_players == 0)
        return about->number != 0 && strlen(about->type) < HALL_TYPE_BYTES_MAX;
    return past->config->championship_resumes && about->number == 0 && !past->fold.is_closed &&
           about->entrants == past->config->championship_players;
}

static void past_listed(struct hall_past *past) {
    past->left = past->rows.size / sizeof(struct found_row);
    past->room = past->running < HALL_CHAMPIONSHIPS_MAX ? HALL_CHAMPIONSHIPS_MAX - past->running : 0;
}

/* The journal to read next; 0: there is none. */
static uint64_t past_next(struct hall_past *past) {
    const struct found_row *rows = (const void *)past->rows.data;
    while (past->left > 0 && past->folds.size / sizeof past->fold < HALL_CHAMPIONSHIPS_MAX) {
        const struct found_row *row = &rows[--past->left];
        if (row->is_over && past->room == 0)
            continue;
        past->room -= row->is_over;
        championship_fold_init(&past->fold, row->id);
        past->has_fold = true;
        past->is_broken = past->is_cup = false;
        return row->id;
    }
    return 0;
}

/* It was read; a damaged one does not keep the others from going on. */
static enum err past_took(struct hall_past *past, enum err e) {
    bool is_whole = e == ERR_OK && !past->is_broken && !past->is_cup;
    past->room += past->is_cup; /* which takes none */
    past->has_fold = false;
    if (e == ERR_DAMAGED)
        table_log_broken(past->fold.id, past->fold.last_seq + 1, NULL, e);
    if (is_whole && past->fold.about.number > past->last_number)
        past->last_number = past->fold.about.number;
    if (is_whole && past_may_want(past))
        buf_append(&past->folds, span_make(&past->fold, sizeof past->fold));
    else
        championship_fold_free(&past->fold);
    return e == ERR_DAMAGED ? ERR_OK : e;
}

static enum err past_read_now(struct hall_past *past) {
    struct store *store = tables_store(past->config->tables);
    enum err e = store_list(store, STORE_CHAMPIONSHIPS, past_row, past);
    if (e != ERR_OK && e != ERR_DAMAGED)
        return e;
    past_listed(past);
    uint64_t id = past_next(past);
    for (e = ERR_OK; id != 0 && e == ERR_OK; id = e == ERR_OK ? past_next(past) : 0)
        e = past_took(past, store_read(store, id, 1, past_event, past));
    return e;
}

static void past_done(void *context, enum err e);

static void past_read_next(struct hall_past *past) {
    uint64_t id = past_next(past);
    if (id == 0) {
        past->done(past->context, ERR_OK);
        return;
    }
    store_load(tables_store(past->config->tables), &(struct store_load){.table = id,
                                                                        .from_seq = 1,
                                                                        .is_past = true,
                                                                        .visit = past_event,
                                                                        .done = past_done,
                                                                        .context = past});
}

static void past_done(void *context, enum err e) {
    struct hall_past *past = context;
    e = past_took(past, e);
    if (e == ERR_OK)
        past_read_next(past);
    else
        past->done(past->context, e);
}

static void past_looked(void *context, enum err e) {
    struct hall_past *past = context;
    past_listed(past);
    if (e == ERR_OK || e == ERR_DAMAGED)
        past_read_next(past);
    else
        past->done(past->context, e);
}

struct hall_past *hall_past_read(const struct hall_config *config, void (*done)(void *context, enum err),
                                 void *context) {
    struct hall_past *past = mem_alloc(sizeof *past);
    *past = (struct hall_past){.config = config, .done = done, .context = context};
    store_look(tables_store(config->tables),
               &(struct store_look){
                   .filter = STORE_CHAMPIONSHIPS, .visit = past_row, .done = past_looked, .context = past});
    return past;
}

static void past_free_content(struct hall_past *past) {
    struct championship_fold *folds = (void *)past->folds.data;
    for (size_t i = 0; i < past->folds.size / sizeof *folds; i++)
        championship_fold_free(&folds[i]);
    if (past->has_fold)
        championship_fold_free(&past->fold);
    buf_free(&past->folds);
    buf_free(&past->rows);
}

void hall_past_free(struct hall_past *past) {
    past_free_content(past);
    mem_free(past);
}

/* The championship of the whole hall, of this type, goes on when that is wished; others stay as they are. */
static bool restore_wants(const struct hall *hall, const struct championship_fold *fold) {
    const struct contest *whole = hall->whole;
    return whole == NULL || (!whole->is_kept && strcmp(whole->pool->type, fold->about.type) == 0);
}

void hall_restore_past(struct hall *hall, struct hall_past *past, uint64_t now_ms) {
    struct championship_fold *folds = (void *)past->folds.data;
    hall_enter(hall, now_ms);
    if (past->last_number > hall->opened_count)
        hall->opened_count = past->last_number;
    for (size_t i = 0; i < past->folds.size / sizeof *folds; i++) {
        if (restore_wants(hall, &folds[i]))
            contest_restore(hall, &folds[i]);
        else
            championship_fold_free(&folds[i]);
    }
    past->folds.size = 0;
    hall_exit(hall);
}

enum err hall_restore(struct hall *hall, uint64_t now_ms) {
    struct hall_past past = {.config = &hall->config};
    if (!hall->config.keeps_championships)
        return ERR_OK;
    enum err e = past_read_now(&past);
    hall_restore_past(hall, &past, now_ms);
    past_free_content(&past);
    return e;
}
