/* The registry of tables: clocks, beats, and the way back after a restart. */
#include "host/table/internal.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "host/table/fold.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <utlist.h>

/* The number whose digits are the code of an id; ids of other codes have been given to nobody. */
static uint64_t tables_number_of(uint64_t id) {
    char code[TABLE_CODE_CHARS + 1];
    int64_t number;
    table_code_format(id, code);
    return span_to_int(span_of(code), &number) ? (uint64_t)number : 0;
}

void tables_make_room(struct tables *tables, const struct game *game) {
    if (tables->scratch_bytes >= game->state_size)
        return;
    struct game_state **const scratch[] = {&tables->next, &tables->before, &tables->trial};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) {
        mem_free(*scratch[i]);
        *scratch[i] = game_state_alloc(game);
    }
    tables->scratch_bytes = game->state_size;
}

/* The one way by which a live table changes: events that are on disk, whoever asked for them. Those of its
 * own request are settled when it is done, and those of others with them when there is one. */
static void tables_take_commit(void *context, uint64_t id, const struct event *events, size_t count) {
    struct tables *tables = context;
    struct table *t = tables_find(tables, id);
    if (t == NULL && tables->cups != NULL && events[0].kind >= EVENT_CUP) {
        tables->cups(tables->cups_context, id, events, count);
        return;
    }
    if (t == NULL) {
        arrivals_hear(context, id, events, count);
        return;
    }
    uint64_t told_seq = t->told_seq;
    for (size_t i = 0; i < count; i++)
        table_take_event(t, &events[i]);
    /* Of a table that does not fold nothing more is taken. */
    if (t->is_opened && events[count - 1].seq > t->told_seq && t->told_seq == t->fold.last_seq)
        arrivals_fill_gap(t);
    if (t->request == NULL && t->told_seq > told_seq)
        table_settle(t);
}

void tables_hear_cups(struct tables *tables, store_visit_commit *visit, void *context) {
    tables->cups = visit;
    tables->cups_context = context;
}

void tables_set_usher(struct tables *tables, tables_usher *usher, void *context) {
    tables->usher = usher;
    tables->usher_context = context;
}

struct tables *tables_create(const struct tables_config *config) {
    struct tables *tables = mem_alloc(sizeof *tables);
    tables->config = *config;
    tables->bytes = (struct ration){.amount = config->address_bytes_max, .time_ms = TABLES_BYTES_MS};
    tables->misses = (struct ration){.amount = TABLES_MISSES_MAX, .time_ms = TABLES_MISSES_MS};
    store_follow(config->store, tables_take_commit, tables);
    if (config->store->is_shared)
        tables->nodes = nodes_create(tables, config->store);
    uint64_t last;
    enum err e = store_last_table(config->store, TABLES_NUMBER_BELOW, &last);
    if (e == ERR_OK && last >= TABLES_SHORT_FROM && last < TABLES_SHORT_BELOW)
        e = store_last_table(config->store, TABLES_SHORT_FROM, &last);
    if (e == ERR_OK)
        tables->last_number = tables_number_of(last);
    return tables;
}

void tables_drain(struct tables *tables, bool is_draining) {
    tables->is_draining = is_draining;
}

bool tables_is_draining(const struct tables *tables) {
    return tables->is_draining;
}

bool tables_are_drained(const struct tables *tables) {
    static const bool nobody[SEATS_MAX];
    for (const struct table *t = tables->newest; t != NULL && tables->is_draining; t = t->older)
        if (!t->fold.is_finished &&
            (tables->nodes == NULL || memcmp(t->is_online, nobody, sizeof nobody) != 0))
            return false;
    return tables->is_draining;
}

void tables_set_limits(struct tables *tables, uint32_t address_tables_max, uint64_t address_bytes_max) {
    tables->config.address_tables_max = address_tables_max;
    tables->config.address_bytes_max = tables->bytes.amount = address_bytes_max;
}

static void tables_load_free(struct tables_load *);

void tables_free(struct tables *tables) {
    struct table *t, *next;
    HASH_ITER(by_id, tables->by_id, t, next) {
        HASH_DELETE(by_id, tables->by_id, t);
        table_free(t);
    }
    while (tables->free_requests != NULL) {
        struct table_request *r = tables->free_requests;
        tables->free_requests = r->next_free;
        table_request_free(r);
    }
    while (tables->loads != NULL)
        tables_load_free(tables->loads);
    arrivals_free(tables);
    codes_free(tables);
    if (tables->nodes != NULL)
        nodes_free(tables->nodes);
    timers_free(&tables->clocks);
    tally_free(&tables->openers);
    ration_free(&tables->misses);
    ration_free(&tables->bytes);
    while (tables->voices != NULL) {
        struct table_voice *v = tables->voices;
        tables->voices = v->next;
        mem_free(v);
    }
    mem_free(tables->next);
    mem_free(tables->before);
    mem_free(tables->trial);
    table_views_free(&tables->views);
    table_views_free(&tables->views_before);
    mem_free(tables);
}

/* The newest first; the same at every node. */
static int tables_order(const struct table *a, const struct table *b) {
    int64_t ms = table_created_ms(a), other_ms = table_created_ms(b);
    if (ms != other_ms)
        return ms > other_ms ? -1 : 1;
    return a->id > b->id ? -1 : a->id < b->id;
}

static void tables_add_last(struct tables *tables, struct table *t) {
    HASH_ADD(by_id, tables->by_id, id, sizeof t->id, t);
    DL_APPEND2(tables->newest, t, newer, older);
}

/* Beside other nodes few are newer: those of nodes whose clocks are a little ahead. */
void tables_add(struct tables *tables, struct table *t) {
    HASH_ADD(by_id, tables->by_id, id, sizeof t->id, t);
    struct table *before = tables->newest;
    while (before != NULL && tables->nodes != NULL && tables_order(before, t) < 0)
        before = before->older;
    if (before == NULL)
        DL_APPEND2(tables->newest, t, newer, older);
    else
        DL_PREPEND_ELEM2(tables->newest, before, t, newer, older);
}

void tables_remove(struct table *t) {
    static const bool nobody[SEATS_MAX];
    if (t->guests > 0 || memcmp(t->is_online, nobody, sizeof nobody) != 0) {
        memcpy(t->is_online, nobody, sizeof nobody);
        t->guests = 0;
        nodes_table_tell(t);
    }
    t->tables->change++;
    HASH_DELETE(by_id, t->tables->by_id, t);
    DL_DELETE2(t->tables->newest, t, newer, older);
    table_free(t);
}

struct table *tables_newest(const struct tables *tables) {
    return tables->newest;
}

struct table *table_older(const struct table *t) {
    return t->older;
}

void tables_add_door(struct tables *tables, const struct table_door *door) {
    assert(tables->door_count < TABLES_DOORS_MAX);
    tables->doors[tables->door_count++] = *door;
}

void tables_remove_door(struct tables *tables, const char *protocol) {
    for (size_t i = 0; i < tables->door_count; i++)
        if (strcmp(tables->doors[i].protocol, protocol) == 0)
            tables->doors[i] = tables->doors[--tables->door_count];
}

const struct table_door *tables_door(const struct tables *tables, struct span protocol) {
    for (size_t i = 0; i < tables->door_count; i++)
        if (span_is(protocol, tables->doors[i].protocol))
            return &tables->doors[i];
    return NULL;
}

const struct table_door *tables_door_at(const struct tables *tables, size_t index) {
    return index < tables->door_count ? &tables->doors[index] : NULL;
}

bool tables_may_open(struct tables *tables, const struct address *address) {
    bool is_full = tables->config.address_tables_max != 0 &&
                   tally_count(&tables->openers, address) >= tables->config.address_tables_max;
    if (!is_full && ration_allows(&tables->bytes, address, tables->now_ms))
        return true;
    limit_hit(is_full ? LIMIT_ADDRESS_TABLES : LIMIT_ADDRESS_JOURNAL, address);
    return false;
}

bool tables_is_scarce(const struct tables *tables) {
    return tables->config.store->is_scarce;
}

void table_request_free(struct table_request *r) {
    buf_free(&r->bodies);
    mem_free(r->events);
    mem_free(r->ask.actions);
    buf_free(&r->ask.sent);
    mem_free(r->ask.word);
    mem_free(r);
}

/* The memory of a long one, or of many that were on their way at once, would be kept for ever. */
void table_request_keep(struct tables *tables, struct table_request *r) {
    r->count = 0;
    if (tables->free_request_count == TABLES_FREE_REQUESTS_MAX ||
        r->bodies.capacity + r->ask.sent.capacity + r->capacity * sizeof *r->events >
            TABLES_REQUEST_BYTES_MAX) {
        table_request_free(r);
        return;
    }
    mem_free(r->ask.word);
    r->ask.word = NULL;
    buf_clear(&r->bodies);
    r->next_free = tables->free_requests;
    tables->free_requests = r;
    tables->free_request_count++;
}

/* What is made from another journal has one time, that of the set-up. */
void table_request_refer(struct table_request *r, const struct store_origin *origin) {
    r->origin = *origin;
    r->origin.count = r->count - 1;
    for (size_t i = 1; i < r->count; i++)
        r->events[i].time_ms = r->events[0].time_ms;
}

/* What stands in another journal costs nothing. */
void table_charge(const struct table *t) {
    const struct table_request *r = t->request;
    size_t bytes = r->bodies.size + r->count * TABLES_EVENT_BYTES;
    for (size_t i = 1; i <= r->origin.count; i++)
        bytes -= r->events[i].body.size + TABLES_EVENT_BYTES;
    ration_spend(&t->tables->bytes, &t->opener, bytes, t->tables->now_ms);
}

uint32_t tables_opened_from(const struct tables *tables, const struct address *address) {
    return tally_count(&tables->openers, address);
}

bool tables_may_guess(struct tables *tables, const struct address *address) {
    if (ration_allows(&tables->misses, address, tables->now_ms))
        return true;
    limit_hit(LIMIT_GUESSES, address);
    return false;
}

void tables_missed(struct tables *tables, const struct address *address) {
    ration_spend(&tables->misses, address, 1, tables->now_ms);
}

void table_forget_opener(struct table *t) {
    static const struct address nobody;
    table_count_out(t);
    tally_remove(&t->tables->openers, &t->opener);
    t->opener = nobody;
}

void tables_greet(struct tables *tables, const struct tables_greeter *greeter) {
    assert(tables->greeter_count < TABLES_GREETERS_MAX);
    tables->greeters[tables->greeter_count++] = *greeter;
}

void tables_ungreet(struct tables *tables, const void *context) {
    size_t kept = 0;
    for (size_t i = 0; i < tables->greeter_count; i++)
        if (tables->greeters[i].context != context)
            tables->greeters[kept++] = tables->greeters[i];
    tables->greeter_count = kept;
}

void tables_tell_company(struct tables *tables) {
    for (size_t i = 0; i < tables->greeter_count; i++)
        if (tables->greeters[i].company != NULL)
            tables->greeters[i].company(tables->greeters[i].context);
}

void tables_listen(struct tables *tables, const struct table_listener *listener) {
    tables->listener = *listener;
}

uint64_t tables_change(const struct tables *tables) {
    return tables->change;
}

struct store *tables_store(const struct tables *tables) {
    return tables->config.store;
}

uint64_t tables_now_ms(const struct tables *tables) {
    return tables->now_ms;
}

int64_t tables_journal_ms(const struct tables *tables) {
    return tables->config.wall_ms(tables->config.context);
}

int64_t tables_ago_ms(struct tables *tables, uint32_t delay_ms) {
    return steady_ago(&tables->steady, delay_ms, tables_journal_ms(tables), tables->now_ms);
}

size_t tables_count(const struct tables *tables) {
    return HASH_CNT(by_id, tables->by_id);
}

struct table *tables_find(const struct tables *tables, uint64_t id) {
    struct table *t = NULL;
    HASH_FIND(by_id, tables->by_id, &id, sizeof id, t);
    return t;
}

void tables_each(struct tables *tables, void (*visit)(void *context, struct table *), void *context) {
    struct table *t, *next;
    HASH_ITER(by_id, tables->by_id, t, next) visit(context, t);
}

uint64_t tables_new_id(struct tables *tables) {
    uint64_t id;
    do {
        struct digest random;
        tables->config.secret(tables->config.context, &random);
        memcpy(&id, random.bytes, sizeof id);
        id &= ((uint64_t)1 << TABLE_ID_BITS) - 1;
    } while (id < TABLES_NUMBER_BELOW || tables_find(tables, id) != NULL);
    return id;
}

void tables_number_seen(struct tables *tables, uint64_t id) {
    uint64_t number = id < TABLES_NUMBER_BELOW ? tables_number_of(id) : 0;
    if (number > tables->last_number)
        tables->last_number = number;
}

uint64_t tables_new_number(struct tables *tables) {
    char code[24];
    uint64_t id;
    snprintf(code, sizeof code, "%" PRIu64, ++tables->last_number);
    bool is_code = table_code_parse(span_of(code), &id);
    assert(is_code && id < TABLES_NUMBER_BELOW);
    (void)is_code;
    return id;
}

void tables_beat(struct tables *tables) {
    struct table *t, *next;
    int64_t wall_ms = tables_journal_ms(tables);
    steady_look(&tables->steady, wall_ms, tables->now_ms);
    store_beat(tables->config.store, wall_ms);
    DL_FOREACH_SAFE2(tables->waiting, t, next, waiting_next) {
        bool is_late = tables->now_ms - t->waiting_since_ms >= TABLES_PATIENCE_MS;
        if (is_late && t->is_sent)
            table_stalls(t); /* a disk that does not even say that it failed */
        if (is_late && !table_tell_late(t))
            continue;
        if (t->is_waiting && !t->is_sent)
            table_retry(t);
    }
    arrivals_beat(tables);
    codes_fill(tables);
}

uint64_t tables_next_ms(const struct tables *tables) {
    return timers_next_ms(&tables->clocks);
}

void tables_advance(struct tables *tables, uint64_t now_ms) {
    tables->now_ms = now_ms;
    timers_advance(&tables->clocks, now_ms);
}

uint64_t tables_outages_ms(const struct tables *tables) {
    return tables->outages_ms;
}

struct restore {
    struct tables *tables;
    void (*visit)(void *context, struct table *);
    void *context;
    struct fold fold;
    bool has_fold;
    bool is_broken; /* the table that is being folded */
    size_t count, broken;
};

/* What is used of the turn: the time until the last sign of life counts, but neither this outage nor those
 * that came since the turn began. */
static uint64_t used_ms(const struct tables *tables, const struct fold *fold) {
    const struct store *store = tables->config.store;
    int64_t beat = store->last_beat_ms;
    int64_t used = beat > fold->last_ms ? beat - fold->last_ms : 0;
    for (size_t i = 0; i < store->outage_count && used > 0; i++) {
        int64_t from = store->outages[i].from_ms, to = store->outages[i].to_ms;
        from = from > fold->last_ms ? from : fold->last_ms;
        to = to < beat ? to : beat;
        used -= to > from ? to - from : 0;
    }
    return used < 0 ? 0 : (uint64_t)used; /* clocks of the wall may be set back */
}

/* Why the table cannot have its dice back; NULL: it has them. Without them t->secret is zero. */
static const char *restore_secret(struct table *t) {
    static const struct digest none;
    enum err e = store_secret(t->tables->config.store, t->id, &t->secret);
    if (e == ERR_OK && fold_secret_fits(&t->fold, &t->secret))
        return NULL;
    t->secret = none;
    if (!fold_has_dice(&t->fold))
        return NULL;
    return e == ERR_OK              ? "the secret of its dice is not the one that it committed to"
           : e == ERR_FIELD_MISSING ? "the secret of its dice is missing"
                                    : "the secret of its dice cannot be read";
}

/* A table without its dice is brought back only to end undecided, so that its players learn of it as of any
 * such end. The result is saved when everybody who listens is there. */
static void restore_table(struct restore *r) {
    struct table *t = table_alloc(r->tables, &r->fold);
    t->is_opened = true;
    t->told_seq = t->fold.last_seq;
    tables_add_last(r->tables, t);
    const char *why = restore_secret(t);
    t->used_ms = used_ms(r->tables, &t->fold);
    table_clock_start(t, t->used_ms);
    r->count++;
    r->visit(r->context, t);
    if (why == NULL)
        return;
    table_log_undecided(t->id, why);
    enum err e = table_abandon(t); /* busy: whoever was shown it has done so already */
    assert(e == ERR_OK || e == ERR_BUSY);
    (void)e;
}

static void finish_fold(struct restore *r) {
    if (!r->has_fold)
        return;
    if (!r->is_broken && r->fold.game != NULL && !r->fold.is_finished)
        restore_table(r);
    fold_free(&r->fold);
    r->has_fold = false;
}

void table_log_undecided(uint64_t id, const char *why) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(id, code);
    log_event(LOG_ERROR, "table-undecided", LOG_TEXT("table", span_of(code)), LOG_TEXT("why", span_of(why)));
}

void table_log_broken(uint64_t id, uint64_t seq, const struct game *game, enum err why) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(id, code);
    log_event(LOG_ERROR, "journal-broken", LOG_TEXT("table", span_of(code)), LOG_INT("seq", (int64_t)seq),
              LOG_TEXT("why", span_of(game_refusal(game, why)->sentence)));
}

static bool restore_event(void *context, uint64_t table, const struct event *event) {
    struct restore *r = context;
    if (!r->has_fold || r->fold.table != table) {
        finish_fold(r);
        fold_init(&r->fold, table);
        r->has_fold = true;
        r->is_broken = false;
    }
    if (r->is_broken)
        return true;
    enum err e = fold_event(&r->fold, event);
    if (e != ERR_OK) {
        table_log_broken(table, event->seq, r->fold.game, e);
        r->is_broken = true;
        r->broken++;
    }
    return true;
}

/* The fold is not whole: nothing may come of it. */
static void drop_fold(struct restore *r) {
    r->is_broken = true;
    finish_fold(r);
}

struct running {
    uint64_t id, last_seq;
};
struct running_list {
    struct running *rows;
    size_t count, capacity;
};

static bool running_add(void *context, const struct store_table *row) {
    struct running_list *l = context;
    if (strcmp(row->protocol, EVENT_PROTOCOL_CHAMPIONSHIP) == 0)
        return true;
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 64 : 2 * l->capacity;
        l->rows = mem_resize(l->rows, l->capacity * sizeof *l->rows);
    }
    l->rows[l->count++] = (struct running){row->table, row->last_seq};
    return true;
}

static enum err restore_one(struct restore *r, const struct running *row) {
    enum err e = store_read(r->tables->config.store, row->id, 1, restore_event, r);
    uint64_t read = r->has_fold ? r->fold.last_seq : 0;
    bool is_cut = e == ERR_OK && !r->is_broken && read != row->last_seq;
    if ((e == ERR_OK || e == ERR_DAMAGED) && (e != ERR_OK || is_cut) && !r->is_broken) {
        table_log_broken(row->id, read + 1, NULL, ERR_DAMAGED);
        r->broken++;
    }
    if (e == ERR_OK && !is_cut)
        finish_fold(r);
    else
        drop_fold(r);
    return e == ERR_DAMAGED ? ERR_OK : e;
}

/* The file is damaged: each table is read by itself, and those that can be read come back. */
static enum err restore_one_by_one(struct restore *r) {
    struct running_list list = {0};
    enum err e = store_list(r->tables->config.store, STORE_RUNNING, running_add, &list);
    if (e == ERR_DAMAGED) {
        log_event(
            LOG_ERROR, "journal-damaged",
            LOG_TEXT("why", SPAN("the list of tables; some may be missing, see parlor journal repair")));
        e = ERR_OK;
    }
    for (size_t i = 0; i < list.count && e == ERR_OK; i++) {
        r->is_broken = false;
        if (tables_find(r->tables, list.rows[i].id) == NULL)
            e = restore_one(r, &list.rows[i]);
    }
    mem_free(list.rows);
    return e;
}

enum err tables_restore(struct tables *tables, uint64_t now_ms, void (*visit)(void *context, struct table *),
                        void *context) {
    struct restore r = {.tables = tables, .visit = visit, .context = context};
    tables->now_ms = now_ms;
    enum err e = store_read_running(tables->config.store, restore_event, &r);
    if (e == ERR_OK)
        finish_fold(&r);
    else
        drop_fold(&r);
    if (e == ERR_DAMAGED)
        e = restore_one_by_one(&r);
    DL_SORT2(tables->newest, tables_order, newer, older);
    if (r.count + r.broken > 0)
        log_event(LOG_INFO, "tables-restored", LOG_INT("tables", (int64_t)r.count),
                  LOG_INT("broken", (int64_t)r.broken));
    return e;
}

static bool load_event(void *context, uint64_t table, const struct event *event) {
    struct tables_load *l = context;
    (void)table;
    l->is_broken = fold_event(&l->fold, event) != ERR_OK;
    return !l->is_broken;
}

static void tables_load_free(struct tables_load *l) {
    DL_DELETE(l->tables->loads, l);
    fold_free(&l->fold);
    mem_free(l);
}

static void load_done(void *context, enum err e) {
    struct tables_load *l = context;
    struct tables *tables = l->tables;
    struct table *t = NULL;
    if (l->loaded != NULL && e == ERR_OK && l->fold.is_finished &&
        tables_find(tables, l->fold.table) == NULL) {
        t = table_alloc(tables, &l->fold);
        t->is_opened = true;
        t->told_seq = t->fold.last_seq;
        t->secret = t->fold.result->secret;
        tables_add_last(tables, t);
    }
    tables_loaded *loaded = l->loaded;
    bool is_broken = e != ERR_OK || l->is_broken;
    context = l->context;
    tables_load_free(l);
    if (loaded != NULL)
        loaded(context, t, t != NULL ? ERR_OK : is_broken ? ERR_UNAVAILABLE : ERR_TABLE_UNKNOWN);
}

struct tables_load *tables_load(struct tables *tables, uint64_t id, tables_loaded *loaded, void *context) {
    struct tables_load *l = mem_alloc(sizeof *l);
    l->tables = tables;
    l->loaded = loaded;
    l->context = context;
    fold_init(&l->fold, id);
    DL_APPEND(tables->loads, l);
    store_load(tables->config.store,
               &(struct store_load){
                   .table = id, .from_seq = 1, .visit = load_event, .done = load_done, .context = l});
    return l;
}

void tables_load_forget(struct tables_load *l) {
    l->loaded = NULL;
}
