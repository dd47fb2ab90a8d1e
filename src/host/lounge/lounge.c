#include "host/lounge/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "host/table_job.h"

#include <assert.h>
#include <utlist.h>

struct lounge_config lounge_config_default(void) {
    return (struct lounge_config){.tables_max = 10000,
                                  .idle_ms = 24 * 60 * 60 * 1000,
                                  .wait_ms = ROOM_WAIT_MS,
                                  .linger_ms = 10 * 60 * 1000,
                                  .linger_max = 1000,
                                  .claim_ms = 2 * 60 * 1000,
                                  .absent_ms = 30 * 1000};
}

/* Bots. */

static unsigned bot_level(const struct table *t, unsigned seat) {
    return lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat)).level;
}

static void lounge_bot_act(struct lounge_table *lt, const struct thinker_job *job) {
    struct table *t = lt->room.table;
    bool is_back = bot_level(t, job->seat) == 0 && lt->stand_in[job->seat] == 0;
    if (table_version(t) != lt->job_version || table_is_busy(t) || is_back) {
        room_pump(&lt->room);
        return;
    }
    uint64_t used_us = job->took_us < job->budget_us ? job->took_us : job->budget_us;
    enum err e = table_act_turn(
        t, job->seat,
        &(struct table_turn){
            .actions = &job->action, .count = 1, .has_used = true, .used_ms = (uint32_t)(used_us / 1000)},
        lt->room.room->now_ms);
    if (e != ERR_OK) /* a bot that breaks the rules would be asked for ever */
        log_event(LOG_ERROR, "bot-refused", LOG_TEXT("game", span_of(table_game(t)->name)),
                  LOG_TEXT("why", span_of(game_refusal(table_game(t), e)->word)));
}

/* Most tables have none most of the time. */
static void lounge_plan_keep(struct lounge_table *lt, const struct bot_plan *plan) {
    if (plan->count == 0) {
        mem_free(lt->plan);
        lt->plan = NULL;
        return;
    }
    if (lt->plan == NULL)
        lt->plan = mem_alloc(sizeof *lt->plan);
    *lt->plan = *plan;
}

static void bot_has_chosen(struct thinker_job *job) {
    struct lounge_table *lt = job->context;
    if (lt != NULL) {
        lt->job = NULL;
        lt->thought_us = job->spent_us;
        if (!job->is_cancelled)
            lounge_plan_keep(lt, &job->plan);
    }
    if (lt != NULL && !lounge_of(lt)->is_stopped && !job->is_cancelled) {
        struct room *room = lt->room.room;
        room_enter(room, tables_now_ms(room->tables));
        lounge_bot_act(lt, job);
        room_exit(room);
    }
    table_job_free(job);
}

/* A part of what is left, so that there is always more left: never all of it. */
static uint64_t lounge_bot_budget_us(const struct table *t, unsigned seat) {
    uint64_t turn_us = (uint64_t)table_turn_ms(t) * 1000 / 2, left_us = table_left_ms(t, seat) * 1000;
    uint64_t game_us = left_us / LOUNGE_BOT_PARTS + (uint64_t)table_increment_ms(t) * 1000 / 2;
    game_us = game_us < left_us / 2 ? game_us : left_us / 2;
    if (table_game_ms(t) == 0)
        return turn_us;
    game_us = turn_us != 0 && turn_us < game_us ? turn_us : game_us;
    return game_us > 0 ? game_us : 1;
}

static bool bots_are_alone(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (bot_level(t, seat) == 0)
            return false;
    return true;
}

void lounge_bots_tell(struct lounge_table *lt) {
    struct table *t = lt->room.table;
    seat_set seats = 0;
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (bot_level(t, seat) != 0 || lt->stand_in[seat] != 0)
            seats |= SEAT_BIT(seat);
    table_set_told(t, seats, lt->room.room->now_ms);
}

static void lounge_bot_think(struct lounge_table *lt, unsigned seat, unsigned level) {
    struct table *t = lt->room.table;
    struct thinker_job *job = table_job_create(t, seat, level);
    job->done = bot_has_chosen;
    job->context = lt;
    job->is_awaited = !bots_are_alone(t);
    job->budget_us = lounge_bot_budget_us(t, seat);
    job->spent_us = lt->thought_us;
    if (lt->plan != NULL)
        job->plan = *lt->plan;
    lt->job = job;
    lt->job_version = table_version(t);
    thinker_submit(lounge_of(lt)->config.thinker, job);
}

static void bots_think(struct lounge_table *lt) {
    const struct table *t = lt->room.table;
    if (lounge_of(lt)->is_stopped || lt->job != NULL || table_state_word(t) != TABLE_RUNNING ||
        table_free_seats(t) > 0)
        return;
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++) {
        /* A stand-in is known alone at the node that was asked for it, or took care when it was due. */
        unsigned level = lt->stand_in[seat] != 0 ? lt->stand_in[seat]
                         : table_is_cared(t)     ? bot_level(t, seat)
                                                 : 0;
        if (level == 0 || !table_may_act(t, seat))
            continue;
        lounge_bot_think(lt, seat, level);
        return;
    }
}

bool lounge_bots_sit(struct lounge_table *lt) {
    const struct table *t = lt->room.table;
    if (lt->note.cup != 0)
        return lounge_entrants_sit(lt);
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (lt->note.bot_level[seat] != 0 && table_name(t, seat)[0] == '\0')
            return lounge_seat_bot(lt, seat, lt->note.bot_level[seat]) == ERR_OK;
    return false;
}

/* The node that opened the table seats its bots; the one that takes care does when that is gone. */
static bool table_between(struct room_table *rt) {
    return !rt->is_over && (rt->is_opened_here || table_is_cared(rt->table)) &&
           lounge_bots_sit(lounge_table_of(rt));
}

/* The clock runs once everybody is there. */
static void clock_set(struct lounge_table *lt) {
    struct table *t = lt->room.table;
    const struct lounge_clocks *clocks = &lt->note.clocks;
    uint64_t now_ms = lt->room.room->now_ms;
    if (table_free_seats(t) > 0)
        return;
    if (clocks->turn_ms != 0 && table_turn_ms(t) == 0)
        table_set_clock(t, clocks->turn_ms, now_ms);
    if (clocks->game_ms != 0 && table_game_ms(t) == 0)
        table_set_game_clock(t, clocks->game_ms, clocks->increment_ms, now_ms);
    lounge_bots_tell(lt);
}

static void table_rest(struct room_table *rt) {
    clock_set(lounge_table_of(rt));
    bots_think(lounge_table_of(rt));
}

/* Tables. */

/* Bots of the server are always there, which other protocols want to know. */
static void bots_are_online(struct table *table) {
    for (unsigned seat = 0; seat < table_options(table)->seat_count; seat++) {
        struct lounge_face face =
            lounge_face_of(table_protocol(table), table_name(table, seat), table_note(table, seat));
        if (face.kind == LOUNGE_MACHINE)
            table_set_online(table, seat, true);
    }
}

/* Somebody sat down whose request was answered as unknown, and perhaps does not know it: the seat counts as
 * theirs for as long as after any request, and then its player is gone. */
static void presence_expect(struct room_table *rt) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (strcmp(table_note(rt->table, seat), LOUNGE_PROTOCOL) == 0 && !table_is_online(rt->table, seat))
            room_seen(rt, seat);
}

static void rematch_forget(struct lounge *l, const struct lounge_table *lt) {
    struct lounge_pair *pair;
    HASH_FIND(by_before, l->rematches, &lt->note.rematch_of, sizeof lt->note.rematch_of, pair);
    if (pair == NULL || pair->after != lt->room.id)
        return;
    HASH_DELETE(by_before, l->rematches, pair);
    mem_free(pair);
}

static void lounge_table_forget(struct room_table *rt) {
    struct lounge_table *lt = lounge_table_of(rt);
    struct lounge *l = lounge_of(lt);
    if (lt->is_keyed)
        HASH_DELETE(by_key, l->keyed, lt);
    lounge_absence_end(lt);
    rematch_forget(l, lt);
    if (lt->job != NULL)
        lt->job->context = NULL; /* freed when the bot has chosen */
    mem_free(lt->plan);
    lt->plan = NULL;
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
    pair->after = lt->room.id;
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

void lounge_table_known(struct lounge_table *lt) {
    struct table *table = lt->room.table;
    lounge_note_read(lt->room.is_own ? table_setup_note(table) : table_house_note(table), &lt->note);
    key_remember(lounge_of(lt), lt);
    if (lt->room.is_own)
        rematch_remember(lounge_of(lt), lt);
    lounge_absence_begin(lt);
    bots_are_online(table);
}

struct lounge_table *lounge_table_get(struct lounge *l, uint64_t id) {
    struct room_table *rt = room_table_of(&l->room, id);
    struct table *table = rt == NULL ? tables_find(l->room.tables, id) : NULL;
    if (table != NULL && table_state_word(table) != TABLE_OPENING)
        rt = room_adopt(&l->room, table);
    return rt == NULL ? NULL : lounge_table_of(rt);
}

static void lounge_tell(struct room *room, const struct room_notice *n) {
    (void)room;
    switch (n->kind) {
    case ROOM_ADOPTED: lounge_table_known(lounge_table_of(n->table)); break;
    case ROOM_AWAKE:
        lounge_absence_wake(lounge_table_of(n->table));
        room_pump(n->table);
        break;
    case ROOM_REFUSED:
        if (n->table->current != NULL)
            ((struct lounge_request *)(void *)n->table->current)->has_sat = false;
        break;
    case ROOM_SETTLED:
    case ROOM_OVER:
        bots_are_online(n->table->table);
        if (n->table->is_unasked)
            presence_expect(n->table);
        break;
    default: break;
    }
}

/* All tables, for the list. */

static bool lounge_has_online(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (table_is_online(t, seat) && bot_level(t, seat) == 0)
            return true;
    return false;
}

/* What a list shows changes with these alone: the state, free seats, and whether any person is there. */
static uint32_t mark_of(const struct table *t) {
    enum table_state_word state = table_state_word(t);
    return state == TABLE_RUNNING ? 2 + table_free_seats(t) + (lounge_has_online(t) ? 0 : SEATS_MAX + 1) : 1;
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

static void all_presence(void *context, struct table *table, unsigned seat) {
    struct lounge *l = context;
    struct room_table *rt = room_table_of(&l->room, table_id(table));
    if (rt != NULL)
        lounge_absence_note(lounge_table_of(rt), seat);
    if (table_state_word(table) == TABLE_RUNNING)
        all_settled(context, table);
}

static void all_closed(void *context, struct table *table) {
    struct lounge *l = context;
    if (*table_mark(table) > 1)
        l->output.unlisted(l->output.context, table_id(table));
    *table_mark(table) = 1;
}

/* What is known of a table; NULL: nothing is. */
static const struct lounge_note *lounge_note_of(const struct lounge *l, uint64_t id) {
    struct room_table *rt = room_table_of(&l->room, id);
    return rt == NULL ? NULL : &lounge_table_of(rt)->note;
}

bool lounge_is_private(const struct lounge *l, const struct table *table) {
    const struct lounge_note *note = lounge_note_of(l, table_id(table));
    return note != NULL && note->is_private;
}

bool lounge_is_inspected(const struct lounge *l, const struct table *table) {
    const struct lounge_note *note = lounge_note_of(l, table_id(table));
    return note != NULL && note->is_inspected;
}

bool lounge_is_owner(const struct lounge *l, const struct snapshot *s, const struct digest *token) {
    const struct lounge_note *known = lounge_note_of(l, s->table), *note = known == NULL ? &s->note : known;
    return note->has_owner && digest_equal(&note->owner, token);
}

bool lounge_is_owners(const struct lounge *l, uint64_t table, const struct address *origin) {
    const struct lounge_note *note = lounge_note_of(l, table);
    struct digest home;
    bool has_home = tables_home(l->room.tables, 0, origin, &home);
    return note != NULL && note->has_home == has_home && (!has_home || digest_equal(&home, &note->home));
}

uint32_t lounge_watch_delay_ms(const struct lounge *l, const struct snapshot *s) {
    if (s->note.has_watch_delay)
        return s->note.watch_delay_ms;
    return strcmp(s->protocol, LOUNGE_PROTOCOL) == 0 ? 0 : l->config.watch_delay_ms;
}

void lounge_list(const struct lounge *l, bool (*visit)(void *context, struct table *), void *context) {
    for (struct table *t = tables_newest(l->room.tables); t != NULL; t = table_older(t))
        if (table_state_word(t) == TABLE_RUNNING && !lounge_is_private(l, t) && !visit(context, t))
            return;
}

size_t lounge_table_count(const struct lounge *l) {
    return HASH_CNT(by_id, l->room.by_id);
}

uint64_t lounge_rematch_of(const struct lounge *l, uint64_t table) {
    struct lounge_pair *pair;
    HASH_FIND(by_before, l->rematches, &table, sizeof table, pair);
    return pair == NULL ? 0 : pair->after;
}

/* Who is there. */

void lounge_seen(struct lounge *l, uint64_t id, unsigned seat, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = lounge_table_get(l, id);
    if (lt != NULL)
        room_seen(&lt->room, seat);
    room_exit(&l->room);
}

void lounge_attach(struct lounge *l, uint64_t id, unsigned seat, bool is_attached, uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = lounge_table_get(l, id);
    if (lt != NULL)
        room_listen(&lt->room, seat, is_attached);
    room_exit(&l->room);
}

/* The lounge itself. */

static bool has_bot(const struct table *t) {
    for (unsigned seat = 0; seat < table_options(t)->seat_count; seat++)
        if (bot_level(t, seat) != 0)
            return true;
    return false;
}

/* Tables of others are known from the start when something of ours is at them. */
static void adopt(void *context, struct table *table) {
    struct lounge *l = context;
    if (room_table_of(&l->room, table_id(table)) == NULL &&
        (table_house_note(table)[0] != '\0' || has_bot(table)))
        room_adopt(&l->room, table);
    *table_mark(table) = lounge_is_private(l, table) ? 0 : mark_of(table);
}

/* Another node has opened a table. */
static void lounge_came(void *context, struct table *table) {
    struct lounge *l = context;
    room_enter(&l->room, tables_now_ms(l->room.tables));
    adopt(l, table);
    struct room_table *rt = room_table_of(&l->room, table_id(table));
    if (rt != NULL) /* it may be the turn of a bot already */
        room_pump(rt);
    if (!lounge_is_private(l, table))
        l->output.listed(l->output.context, table);
    room_exit(&l->room);
}

struct lounge *lounge_create(const struct lounge_config *config, const struct lounge_output *output) {
    struct lounge *l = mem_alloc(sizeof *l);
    l->config = *config;
    l->output = *output;
    room_begin(&l->room,
               &(struct room_policy){.protocol = LOUNGE_PROTOCOL,
                                     .table_bytes = sizeof(struct lounge_table),
                                     .tables_max = config->tables_max,
                                     .idle_ms = config->idle_ms,
                                     .wait_ms = config->wait_ms,
                                     .linger_ms = config->linger_ms,
                                     .linger_max = config->linger_max,
                                     .requests_max = LOUNGE_REQUESTS_MAX,
                                     .seen_ms = LOUNGE_SEEN_MS,
                                     .seen_waiting_ms = LOUNGE_SEEN_WAITING_MS,
                                     .tell = lounge_tell,
                                     .start = lounge_request_start,
                                     .again = lounge_request_again,
                                     .goes_on = lounge_request_goes_on,
                                     .between = table_between,
                                     .rest = table_rest,
                                     .answer = lounge_request_answer,
                                     .put_off = lounge_request_put_off,
                                     .forget = lounge_table_forget},
               config->tables);
    tables_each(config->tables, adopt, l);
    tables_greet(config->tables, &(struct tables_greeter){.context = l, .came = lounge_came});
    tables_listen(config->tables,
                  &(struct table_listener){
                      .context = l, .settled = all_settled, .presence = all_presence, .closed = all_closed});
    return l;
}

void lounge_free(struct lounge *l) {
    static const struct table_listener nobody;
    tables_listen(l->room.tables, &nobody);
    room_end(&l->room);
    mem_free(l);
}

void lounge_stop(struct lounge *l) {
    l->is_stopped = true;
}

uint64_t lounge_next_ms(const struct lounge *l) {
    return room_next_ms(&l->room);
}

void lounge_advance(struct lounge *l, uint64_t now_ms) {
    room_advance(&l->room, now_ms);
}
