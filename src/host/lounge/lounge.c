#include "host/lounge/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

struct lounge_config lounge_config_default(void) {
    return (struct lounge_config){
        .tables_max = 10000, .idle_ms = 24 * 60 * 60 * 1000, .linger_ms = 10 * 60 * 1000, .linger_max = 1000};
}

/* Bots. */

static void job_free(struct thinker_job *job) {
    mem_free(job->view);
    mem_free(job);
}

static void bot_has_chosen(struct thinker_job *job) {
    struct lounge_table *lt = job->context;
    if (lt != NULL)
        lt->job = NULL;
    if (lt != NULL && !lt->lounge->is_stopped) {
        struct table *t = lt->table;
        if (table_version(t) == lt->job_version && !table_is_busy(t)) {
            enum err e = table_act(t, job->seat, &job->action, 1, lounge_now_ms(lt->lounge));
            if (e != ERR_OK) /* a bot that breaks the rules would be asked for ever */
                log_event(LOG_ERROR, "bot-refused", LOG_TEXT("game", span_of(table_game(t)->name)),
                          LOG_TEXT("why", span_of(game_refusal(table_game(t), e)->word)));
        } else {
            lounge_table_pump(lt);
        }
    }
    job_free(job);
}

static unsigned bot_level(const struct table *t, unsigned seat) {
    return lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat)).level;
}

static void bot_think(struct lounge_table *lt, unsigned seat, unsigned level) {
    struct table *t = lt->table;
    const struct game *game = table_game(t);
    struct thinker_job *job = mem_alloc(sizeof *job);
    struct digest derived;
    *job = (struct thinker_job){
        .game = game, .level = level, .seat = seat, .done = bot_has_chosen, .context = lt};
    job->view = (struct game_view *)game_state_alloc(game);
    memcpy(job->view, table_view(t, seat), game->state_size);
    table_derive(t, "bot", seat, table_version(t), &derived);
    rng_seed(&job->rng, digest_to_number(derived.bytes));
    lt->job = job;
    lt->job_version = table_version(t);
    thinker_submit(lt->lounge->config.thinker, job);
}

static void bots_think(struct lounge_table *lt) {
    const struct table *t = lt->table;
    if (lt->lounge->is_stopped || lt->job != NULL || table_state_word(t) != TABLE_RUNNING ||
        table_free_seats(t) > 0)
        return;
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++) {
        unsigned level = bot_level(t, seat);
        if (level == 0 || !table_may_act(t, seat))
            continue;
        bot_think(lt, seat, level);
        return;
    }
}

/* A bot that was ordered and does not sit yet. True when a request is on its way. */
static bool bots_sit(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < table_options(lt->table)->seat_count; seat++)
        if (lt->note.bot_level[seat] != 0 && table_name(lt->table, seat)[0] == '\0')
            return lounge_seat_bot(lt, seat, lt->note.bot_level[seat]) == ERR_OK;
    return false;
}

/* The clock runs once everybody is there. */
static void clock_set(struct lounge_table *lt) {
    if (lt->note.turn_ms != 0 && table_turn_ms(lt->table) == 0 && table_free_seats(lt->table) == 0)
        table_set_clock(lt->table, lt->note.turn_ms, lounge_now_ms(lt->lounge));
}

void lounge_table_pump(struct lounge_table *lt) {
    struct lounge *l = lt->lounge;
    while (!table_is_busy(lt->table) && table_state_word(lt->table) != TABLE_OPENING && l->is_awake) {
        bool is_over = table_state_word(lt->table) == TABLE_OVER;
        if (!is_over && bots_sit(lt))
            return;
        if (lt->opening != NULL && lounge_opening_finish(lt))
            return;
        struct lounge_request *r = lt->queue;
        if (r == NULL)
            break;
        DL_DELETE(lt->queue, r);
        lt->queue_count--;
        r->why = lounge_request_start(lt, r);
        if (r->why == ERR_OK && !r->is_done)
            lt->current = r;
        else
            lounge_request_answer(l, lt, r);
    }
    if (!table_is_busy(lt->table) && l->is_awake) {
        clock_set(lt);
        bots_think(lt);
    }
}

/* Tables. */

static bool is_over(const struct lounge_table *lt) {
    return table_state_word(lt->table) == TABLE_OVER;
}

static uint64_t idle_due_ms(const struct lounge_table *lt) {
    const struct lounge_config *config = &lt->lounge->config;
    if (lt->is_crowded_out)
        return 0;
    return lt->changed_ms + (is_over(lt) ? config->linger_ms : config->idle_ms);
}

static void on_idle(struct timer *timer, uint64_t now_ms) {
    struct lounge_table *lt = TIMER_OWNER(timer, struct lounge_table, idle);
    struct lounge *l = lt->lounge;
    uint64_t due_ms = idle_due_ms(lt);
    if (due_ms > now_ms) {
        timers_arm(&l->timers, timer, due_ms, on_idle);
        return;
    }
    if (is_over(lt)) {
        struct table *table = lt->table; /* does not tell its owner that it is closed */
        lounge_table_free(lt);
        table_close(table);
        return;
    }
    enum err e = table_abandon(lt->table); /* busy: there is life in it */
    if (e != ERR_OK)
        timers_arm(&l->timers, timer, now_ms + l->config.idle_ms, on_idle);
}

static void idle_arm(struct lounge_table *lt) {
    uint64_t due_ms = idle_due_ms(lt);
    if (lt->watch == NULL && (!timer_is_armed(&lt->idle) || lt->idle.due_ms > due_ms))
        timers_arm(&lt->lounge->timers, &lt->idle, due_ms, on_idle);
}

static void over_remove(struct lounge_table *lt) {
    DL_DELETE2(lt->lounge->over, lt, over_prev, over_next);
    lt->lounge->over_count--;
}

/* A table of ours is over. When it is one too many, the first that ended goes as soon as timers are looked
 * at: not here, where somebody else may be in the middle of telling of it. */
static void over_add(struct lounge_table *lt) {
    struct lounge *l = lt->lounge;
    lt->is_counted_out = true;
    l->own_count--;
    DL_APPEND2(l->over, lt, over_prev, over_next);
    if (++l->over_count <= l->config.linger_max)
        return;
    struct lounge_table *first = l->over;
    over_remove(first);
    first->is_crowded_out = true;
    idle_arm(first);
}

/* Bots of the server are always there, which other protocols want to know. */
static void bots_are_online(struct table *table) {
    for (unsigned seat = 0; seat < table_options(table)->seat_count; seat++) {
        struct lounge_face face =
            lounge_face_of(table_protocol(table), table_name(table, seat), table_note(table, seat));
        if (face.kind == LOUNGE_MACHINE)
            table_set_online(table, seat, true);
    }
}

/* Whoever was at a seat that is free again is not there any more, whatever it listens to. */
static void presence_forget(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < table_options(lt->table)->seat_count; seat++) {
        if (table_name(lt->table, seat)[0] != '\0')
            continue;
        lt->seats[seat].listeners = 0;
        timers_stop(&lt->lounge->timers, &lt->seats[seat].gone);
    }
}

static void presence_seen(struct lounge_table *, unsigned seat);

/* Somebody sat down whose request was answered as unknown, and perhaps does not know it: the seat counts as
 * theirs for as long as after any request, and then its player is gone. */
static void presence_expect(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < table_options(lt->table)->seat_count; seat++)
        if (strcmp(table_note(lt->table, seat), LOUNGE_PROTOCOL) == 0 && !table_is_online(lt->table, seat) &&
            !is_over(lt))
            presence_seen(lt, seat);
}

static void on_settled(void *context, struct table *table) {
    struct lounge_table *lt = context;
    struct lounge *l = lt->lounge;
    struct lounge_request *r = lt->current;
    lt->current = NULL;
    bool was_unasked = lt->is_unasked;
    lt->is_unasked = false;
    lt->changed_ms = lounge_now_ms(l);
    if (is_over(lt) && lt->watch == NULL && !lt->is_counted_out)
        over_add(lt);
    idle_arm(lt);
    presence_forget(lt);
    bots_are_online(table);
    if (was_unasked)
        presence_expect(lt);
    if (r != NULL)
        lounge_request_answer(l, lt, r);
    lounge_table_pump(lt);
}

static void rematch_forget(struct lounge *l, const struct lounge_table *lt) {
    struct lounge_pair *pair;
    HASH_FIND(by_before, l->rematches, &lt->note.rematch_of, sizeof lt->note.rematch_of, pair);
    if (pair == NULL || pair->after != lt->id)
        return;
    HASH_DELETE(by_before, l->rematches, pair);
    mem_free(pair);
}

void lounge_table_free(struct lounge_table *lt) {
    struct lounge *l = lt->lounge;
    HASH_DELETE(by_id, l->tables, lt);
    if (lt->is_keyed)
        HASH_DELETE(by_key, l->keyed, lt);
    lounge_refuse_all(lt, ERR_CLOSED);
    rematch_forget(l, lt);
    timers_stop(&l->timers, &lt->idle);
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        timers_stop(&l->timers, &lt->seats[seat].gone);
    if (lt->job != NULL)
        lt->job->context = NULL; /* freed when the bot has chosen */
    if (lt->watch == NULL && !lt->is_counted_out)
        l->own_count--;
    if (lt->is_counted_out && !lt->is_crowded_out)
        over_remove(lt);
    mem_free(lt);
}

/* The owner of a table may close it as soon as it is over, before anybody else is told that: what was asked
 * is on disk then. */
static void on_closed(void *context, struct table *table) {
    struct lounge_table *lt = context;
    struct lounge_request *r = lt->current;
    if (r != NULL && !table_is_busy(table)) {
        lt->current = NULL;
        lounge_request_answer(lt->lounge, lt, r);
    }
    lounge_table_free(lt);
}

static void on_late(void *context, struct table *table) {
    (void)table;
    lounge_requests_late(context);
}

/* What was asked here; settled answers it. */
static void on_refused(void *context, struct table *table, unsigned seat, enum err why) {
    struct lounge_table *lt = context;
    (void)table;
    (void)seat;
    if (lt->current == NULL)
        return;
    lt->current->why = why;
    lt->current->has_sat = false;
}

static struct table_listener listener_of(struct lounge_table *lt) {
    return (struct table_listener){
        .context = lt, .settled = on_settled, .refused = on_refused, .late = on_late, .closed = on_closed};
}

static void rematch_remember(struct lounge *l, const struct lounge_table *lt) {
    struct lounge_pair *pair;
    if (lt->note.rematch_of == 0)
        return;
    HASH_FIND(by_before, l->rematches, &lt->note.rematch_of, sizeof lt->note.rematch_of, pair);
    if (pair == NULL) {
        pair = mem_alloc(sizeof *pair);
        pair->before = lt->note.rematch_of;
        HASH_ADD(by_before, l->rematches, before, sizeof pair->before, pair);
    }
    pair->after = lt->id;
}

static void key_remember(struct lounge *l, struct lounge_table *lt) {
    struct lounge_table *other;
    if (!lt->note.has_key)
        return;
    HASH_FIND(by_key, l->keyed, &lt->note.key, sizeof lt->note.key, other);
    lt->is_keyed = other == NULL;
    if (lt->is_keyed)
        HASH_ADD(by_key, l->keyed, note.key, sizeof lt->note.key, lt);
}

struct lounge_table *lounge_table_add(struct lounge *l, struct table *table) {
    struct lounge_table *lt = mem_alloc(sizeof *lt);
    bool is_own = strcmp(table_protocol(table), LOUNGE_PROTOCOL) == 0;
    struct table_listener listener = listener_of(lt);
    lt->lounge = l;
    lt->id = table_id(table);
    lt->table = table;
    lt->changed_ms = l->now_ms;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        lt->seats[seat].table = lt;
    HASH_ADD(by_id, l->tables, id, sizeof lt->id, lt);
    lounge_note_read(is_own ? table_setup_note(table) : table_house_note(table), &lt->note);
    key_remember(l, lt);
    if (is_own) {
        table_listen(table, &listener);
        l->own_count++;
        rematch_remember(l, lt);
        idle_arm(lt);
    } else {
        lt->watch = table_watch(table, &listener);
    }
    bots_are_online(table);
    return lt;
}

struct lounge_table *lounge_table_get(struct lounge *l, uint64_t id) {
    struct lounge_table *lt;
    HASH_FIND(by_id, l->tables, &id, sizeof id, lt);
    if (lt != NULL)
        return lt;
    struct table *table = tables_find(l->config.tables, id);
    bool is_there = table != NULL && table_state_word(table) != TABLE_OPENING;
    return is_there ? lounge_table_add(l, table) : NULL;
}

bool lounge_has_room(const struct lounge *l) {
    return l->own_count < l->config.tables_max;
}

/* All tables, for the list. */

/* What a list shows changes with these alone. */
static uint32_t mark_of(const struct table *t) {
    enum table_state_word state = table_state_word(t);
    return state == TABLE_RUNNING ? 2 + table_free_seats(t) : 1;
}

static void all_settled(void *context, struct table *table) {
    struct lounge *l = context;
    uint32_t *mark = table_mark(table), now = mark_of(table);
    if (*mark == now || lounge_is_private(l, table))
        return;
    *mark = now;
    if (now == 1)
        l->output.unlisted(l->output.context, table_id(table));
    else
        l->output.listed(l->output.context, table);
}

static void all_closed(void *context, struct table *table) {
    struct lounge *l = context;
    if (*table_mark(table) > 1)
        l->output.unlisted(l->output.context, table_id(table));
    *table_mark(table) = 1;
}

bool lounge_is_private(const struct lounge *l, const struct table *table) {
    struct lounge_table *lt;
    uint64_t id = table_id(table);
    HASH_FIND(by_id, l->tables, &id, sizeof id, lt);
    return lt != NULL && lt->note.is_private;
}

bool lounge_is_inspected(const struct lounge *l, const struct table *table) {
    struct lounge_table *lt;
    uint64_t id = table_id(table);
    HASH_FIND(by_id, l->tables, &id, sizeof id, lt);
    return lt != NULL && lt->note.is_inspected;
}

bool lounge_is_owner(const struct lounge *l, const struct snapshot *s, const struct digest *token) {
    struct lounge_table *lt;
    HASH_FIND(by_id, l->tables, &s->table, sizeof s->table, lt);
    const struct lounge_note *note = lt == NULL ? &s->note : &lt->note;
    return note->has_owner && digest_equal(&note->owner, token);
}

uint32_t lounge_watch_delay_ms(const struct lounge *l, const struct snapshot *s) {
    if (s->note.has_watch_delay)
        return s->note.watch_delay_ms;
    return strcmp(s->protocol, LOUNGE_PROTOCOL) == 0 ? 0 : l->config.watch_delay_ms;
}

void lounge_list(const struct lounge *l, bool (*visit)(void *context, struct table *), void *context) {
    for (struct table *t = tables_newest(l->config.tables); t != NULL; t = table_older(t))
        if (table_state_word(t) == TABLE_RUNNING && !lounge_is_private(l, t) && !visit(context, t))
            return;
}

size_t lounge_table_count(const struct lounge *l) {
    return HASH_CNT(by_id, l->tables);
}

uint64_t lounge_rematch_of(const struct lounge *l, uint64_t table) {
    struct lounge_pair *pair;
    HASH_FIND(by_before, l->rematches, &table, sizeof table, pair);
    return pair == NULL ? 0 : pair->after;
}

/* Who is there. */

static uint64_t gone_due_ms(const struct lounge_presence *p) {
    return p->seen_ms +
           (table_free_seats(p->table->table) > 0 ? LOUNGE_SEEN_WAITING_MS : (uint64_t)LOUNGE_SEEN_MS);
}

static void on_gone(struct timer *timer, uint64_t now_ms) {
    struct lounge_presence *p = TIMER_OWNER(timer, struct lounge_presence, gone);
    if (gone_due_ms(p) > now_ms) /* the last player has come since then */
        timers_arm(&p->table->lounge->timers, timer, gone_due_ms(p), on_gone);
    else if (p->listeners == 0)
        table_set_online(p->table->table, (unsigned)(p - p->table->seats), false);
}

static void presence_seen(struct lounge_table *lt, unsigned seat) {
    struct lounge_presence *p = &lt->seats[seat];
    p->seen_ms = lounge_now_ms(lt->lounge);
    timers_arm(&lt->lounge->timers, &p->gone, gone_due_ms(p), on_gone);
    table_set_online(lt->table, seat, true);
}

void lounge_seen(struct lounge *l, uint64_t id, unsigned seat, uint64_t now_ms) {
    struct lounge_table *lt = lounge_table_get(l, id);
    l->now_ms = now_ms;
    if (lt == NULL || table_state_word(lt->table) == TABLE_OVER)
        return;
    presence_seen(lt, seat);
}

void lounge_attach(struct lounge *l, uint64_t id, unsigned seat, bool is_attached, uint64_t now_ms) {
    struct lounge_table *lt = lounge_table_get(l, id);
    l->now_ms = now_ms;
    if (lt == NULL)
        return;
    struct lounge_presence *p = &lt->seats[seat];
    if (!is_attached && p->listeners == 0)
        return; /* the table was forgotten in between and is another one now */
    p->listeners += is_attached ? 1 : -1;
    if (p->listeners == 0)
        timers_stop(&l->timers, &p->gone);
    table_set_online(lt->table, seat, p->listeners > 0);
}

/* The lounge itself. */

static bool has_bot(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (bot_level(t, seat) != 0)
            return true;
    return false;
}

static void adopt(void *context, struct table *table) {
    struct lounge *l = context;
    if (strcmp(table_protocol(table), LOUNGE_PROTOCOL) == 0 || table_house_note(table)[0] != '\0' ||
        has_bot(table))
        lounge_table_add(l, table);
    *table_mark(table) = lounge_is_private(l, table) ? 0 : mark_of(table);
}

struct lounge *lounge_create(const struct lounge_config *config, const struct lounge_output *output) {
    struct lounge *l = mem_alloc(sizeof *l);
    l->config = *config;
    l->output = *output;
    tables_each(config->tables, adopt, l);
    tables_listen(config->tables,
                  &(struct table_listener){.context = l, .settled = all_settled, .closed = all_closed});
    return l;
}

static const struct table_listener nobody;

void lounge_free(struct lounge *l) {
    struct lounge_table *lt, *next;
    tables_listen(l->config.tables, &nobody);
    HASH_ITER(by_id, l->tables, lt, next) {
        if (lt->watch == NULL)
            table_listen(lt->table, &nobody);
        else
            table_unwatch(lt->watch);
        lounge_table_free(lt);
    }
    timers_free(&l->timers);
    mem_free(l);
}

/* What was there before the lounge could be told the time. */
static void wake(struct lounge *l) {
    struct lounge_table *lt, *next;
    l->is_awake = true;
    HASH_ITER(by_id, l->tables, lt, next) {
        lt->changed_ms = l->now_ms;
        timers_stop(&l->timers, &lt->idle);
        idle_arm(lt);
        lounge_table_pump(lt);
    }
}

void lounge_stop(struct lounge *l) {
    l->is_stopped = true;
}

uint64_t lounge_next_ms(const struct lounge *l) {
    return l->is_awake ? timers_next_ms(&l->timers) : 0;
}

void lounge_advance(struct lounge *l, uint64_t now_ms) {
    l->now_ms = now_ms;
    if (!l->is_awake)
        wake(l);
    timers_advance(&l->timers, now_ms);
}
