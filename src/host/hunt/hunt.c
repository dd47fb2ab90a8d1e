#include "host/hunt/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

struct hunt_config hunt_config_default(void) {
    return (struct hunt_config){
        .games_max = 10000,
        .idle_ms = 10 * 60 * 1000,
        .poll_interval_ms = 400,
        .action_ms = 5000,
        .game_ms = 10 * 60 * 1000,
    };
}

void hunt_refuse(struct hunt *h, void *ticket, enum err why, const char *text) {
    h->output.answer(h->output.context, ticket,
                     &(struct hunt_answer){.kind = HUNT_REFUSED, .why = why, .text = text});
}

/* Games and the lists they are in. */

static void game_list(struct hunt_game *g, struct hunt_game **list) {
    if (g->list != NULL)
        DL_DELETE(*g->list, g);
    g->list = list;
    DL_APPEND(*list, g);
}

void hunt_game_touch(struct hunt_game *g) {
    bool is_over = table_state_word(g->table) == TABLE_OVER;
    g->last_ms = g->hunt->now_ms;
    game_list(g, is_over ? &g->hunt->finished : &g->hunt->running);
}

static struct hunt_game *game_add(struct hunt *h, uint64_t id) {
    struct hunt_game *g = mem_alloc(sizeof *g);
    g->hunt = h;
    g->id = id;
    g->last_ms = h->now_ms;
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        g->players[seat].game = g;
        g->players[seat].seat = seat;
    }
    HASH_ADD(by_id, h->games, id, sizeof g->id, g);
    game_list(g, &h->running);
    return g;
}

static void game_free(struct hunt_game *g) {
    DL_DELETE(*g->list, g);
    mem_free(g);
}

/* Nobody can reach it any more; everybody who waits for something in it is told. */
static void game_detach(struct hunt_game *g, enum err why) {
    struct hunt *h = g->hunt;
    HASH_DELETE(by_id, h->games, g);
    timers_stop(&h->timers, &g->limit);
    hunt_game_refuse_all(g, why);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        timers_stop(&h->timers, &g->players[seat].poll);
        timers_stop(&h->timers, &g->players[seat].gone);
        if (g->players[seat].attachment != NULL)
            h->output.forget(h->output.context, g->players[seat].attachment);
    }
}

/* Ends the table of a game that is dropped, as soon as what is on its way is saved. */
static void game_end(struct hunt_game *g) {
    if (table_is_busy(g->table)) {
        game_list(g, &g->hunt->dropped);
        return;
    }
    if (table_state_word(g->table) != TABLE_OVER) {
        enum err e = table_abandon(g->table);
        assert(e == ERR_OK);
        (void)e;
    }
    table_close(g->table);
    game_free(g);
}

void hunt_game_undo(struct hunt_game *g) {
    struct table *table = g->table;
    game_detach(g, ERR_BUSY);
    game_free(g);
    table_withdraw(table);
}

static void dropped_settled(void *context, struct table *table) {
    (void)table;
    hunt_game_answer(context);
    game_end(context);
}

static void game_drop(struct hunt_game *g) {
    game_detach(g, ERR_TABLE_UNKNOWN);
    table_listen(g->table, &(struct table_listener){.context = g, .settled = dropped_settled});
    game_end(g);
}

static void make_room(struct hunt *h) {
    while (HASH_CNT(by_id, h->games) >= h->config.games_max)
        game_drop(h->finished != NULL ? h->finished : h->running);
}

static const struct table_listener no_listener;

/* A game from the table that has it. */
static struct hunt_game *game_adopt(struct hunt *h, struct table *table) {
    struct hunt_game *g = game_add(h, table_id(table));
    g->table = table;
    hunt_policy_read(span_of(table_setup_note(table)), &g->policy);
    table_listen(
        table, &(struct table_listener){.context = g, .settled = hunt_game_settled, .late = hunt_game_late});
    hunt_game_seat(g);
    hunt_game_touch(g);
    return g;
}

static void adopt_running(void *context, struct table *table) {
    if (strcmp(table_protocol(table), HUNT_PROTOCOL) == 0)
        game_adopt(context, table);
}

/* A game that was over before the server was started again, or was forgotten since. */
static struct hunt_game *game_recall(struct hunt *h, uint64_t id, enum err *why) {
    struct table *table = tables_recall(h->config.tables, id, why);
    if (table == NULL)
        return NULL;
    table_listen(table, &no_listener);
    if (strcmp(table_protocol(table), HUNT_PROTOCOL) != 0 || table_outcome(table) == OUTCOME_UNDECIDED) {
        table_close(table);
        return NULL;
    }
    make_room(h);
    return game_adopt(h, table);
}

struct hunt_game *hunt_game_find(struct hunt *h, struct span id_text, enum err *why) {
    struct hunt_game *g = NULL;
    uint64_t id;
    *why = ERR_TABLE_UNKNOWN;
    if (id_text.size != TABLE_SHORT_CODE_CHARS || !table_code_parse(id_text, &id))
        return NULL;
    HASH_FIND(by_id, h->games, &id, sizeof id, g);
    if (g == NULL)
        g = game_recall(h, id, why);
    else if (table_state_word(g->table) == TABLE_OPENING)
        return NULL; /* nobody can know of it yet */
    return g;
}

static void door_hang(struct hunt *);

struct hunt *hunt_create(const struct hunt_config *config, const struct hunt_output *output) {
    struct hunt *h = mem_alloc(sizeof *h);
    struct digest seed;
    h->config = *config;
    h->output = *output;
    digest_secret(&seed);
    rng_seed(&h->rng, digest_to_number(seed.bytes));
    tables_each(config->tables, adopt_running, h);
    door_hang(h);
    return h;
}

/* The tables are closed and no more: the store may be closed already. */
void hunt_free(struct hunt *h) {
    struct hunt_game *g, *next;
    tables_remove_door(h->config.tables, HUNT_PROTOCOL);
    HASH_ITER(by_id, h->games, g, next) {
        game_detach(g, ERR_CLOSED);
        table_close(g->table);
        game_free(g);
    }
    DL_FOREACH_SAFE(h->dropped, g, next) {
        hunt_game_refuse_all(g, ERR_CLOSED);
        table_close(g->table);
        mem_free(g);
    }
    if (h->bot != NULL)
        bot_close(h->bot);
    timers_free(&h->timers);
    mem_free(h);
}

/* Opens the table of a game; players come one by one, each as it says. */
static void game_open(struct hunt_game *g, struct span house, const struct address *opener) {
    struct hunt *h = g->hunt;
    char note[HUNT_POLICY_BYTES_MAX];
    hunt_policy_format(&g->policy, note);
    struct table_setup setup = {.id = g->id,
                                .game = &treasure_hunt_game,
                                .options = game_options_default(&treasure_hunt_game, TREASURE_SEATS),
                                .protocol = HUNT_PROTOCOL,
                                .note = span_of(note),
                                .house = house,
                                .opener = *opener};
    setup.options.value[TREASURE_OPTION_PLAYERS] = TREASURE_PLAYERS_ANY;
    setup.options.value[TREASURE_OPTION_ACTIONS_MAX] = (int32_t)g->policy.actions_max;
    setup.options.value[TREASURE_OPTION_FORTS] =
        g->policy.may_name_forts ? TREASURE_FORTS_ANY : TREASURE_FORTS_ONE;
    enum err e = table_open(
        h->config.tables, &setup,
        &(struct table_listener){.context = g, .settled = hunt_game_settled, .late = hunt_game_late},
        h->now_ms, &g->table);
    assert(e == ERR_OK);
    (void)e;
}

void hunt_create_game(struct hunt *h, struct span query, const struct address *opener, void *ticket,
                      uint64_t now_ms) {
    h->now_ms = now_ms;
    if (!tables_may_open(h->config.tables, opener)) {
        hunt_refuse(h, ticket, ERR_ADDRESS_FULL, err_sentence(ERR_ADDRESS_FULL));
        return;
    }
    make_room(h);
    struct hunt_game *g = game_add(h, tables_new_short(h->config.tables));
    hunt_policy_read(query, &g->policy);
    g->current = mem_alloc(sizeof *g->current);
    g->current->kind = HUNT_REQUEST_CREATE;
    g->current->ticket = ticket;
    game_open(g, SPAN(""), opener);
}

/* Through the door: the same without anybody who waits for an answer. */
static enum err door_open(void *context, const struct table_wish *wish, uint64_t now_ms, struct table **out) {
    struct hunt *h = context;
    enum err e = game_options_check(&treasure_hunt_game, &wish->options);
    if (e != ERR_OK)
        return e;
    h->now_ms = now_ms;
    make_room(h);
    struct hunt_game *g = game_add(h, tables_new_short(h->config.tables));
    g->policy.actions_max = (uint32_t)wish->options.value[TREASURE_OPTION_ACTIONS_MAX];
    g->policy.may_name_forts = wish->options.value[TREASURE_OPTION_FORTS] == TREASURE_FORTS_ANY;
    game_open(g, wish->house, &wish->opener);
    *out = g->table;
    return ERR_OK;
}

static void door_hang(struct hunt *h) {
    tables_add_door(h->config.tables, &(struct table_door){.protocol = HUNT_PROTOCOL,
                                                           .game = &treasure_hunt_game,
                                                           .context = h,
                                                           .open = door_open});
}

/* Time. */

/* The games of the last run go on. */
static void wake(struct hunt *h) {
    struct hunt_game *g, *next;
    h->is_awake = true;
    HASH_ITER(by_id, h->games, g, next) {
        g->last_ms = h->now_ms;
        hunt_game_pump(g);
    }
}

static void reap(struct hunt *h, struct hunt_game *const *list) {
    while (*list != NULL && h->now_ms - (*list)->last_ms >= h->config.idle_ms) {
        char code[TABLE_CODE_CHARS + 1];
        table_code_format((*list)->id, code);
        log_event(LOG_DEBUG, "hunt-idle", LOG_TEXT("table", span_of(code)));
        game_drop(*list);
    }
}

uint64_t hunt_next_ms(const struct hunt *h) {
    if (!h->is_awake)
        return 0;
    uint64_t next_ms = timers_next_ms(&h->timers);
    const struct hunt_game *oldest[] = {h->running, h->finished};
    for (size_t i = 0; i < 2; i++)
        if (oldest[i] != NULL && oldest[i]->last_ms + h->config.idle_ms < next_ms)
            next_ms = oldest[i]->last_ms + h->config.idle_ms;
    return next_ms;
}

void hunt_advance(struct hunt *h, uint64_t now_ms) {
    h->now_ms = now_ms;
    if (!h->is_awake)
        wake(h);
    timers_advance(&h->timers, now_ms);
    reap(h, &h->running);
    reap(h, &h->finished);
}

size_t hunt_game_count(const struct hunt *h) {
    return HASH_CNT(by_id, h->games);
}

/* State queries: answered at once, or with all others that came too early when the time has come. */

static void show(struct hunt_player *p, void *ticket) {
    struct hunt *h = p->game->hunt;
    h->output.answer(h->output.context, ticket, &(struct hunt_answer){.kind = HUNT_STATE, .player = p});
}

static void poll_due(struct timer *timer, uint64_t now_ms) {
    struct hunt_player *p = TIMER_OWNER(timer, struct hunt_player, poll);
    struct hunt_wait *w = p->waiting, *earlier = NULL;
    p->waiting = NULL;
    p->free_ms = now_ms + p->game->hunt->config.poll_interval_ms;
    while (w != NULL) { /* into the order in which they came */
        struct hunt_wait *next = w->next;
        w->next = earlier;
        earlier = w;
        w = next;
    }
    while (earlier != NULL) {
        w = earlier;
        earlier = w->next;
        show(p, w->ticket);
        mem_free(w);
    }
}

void hunt_poll(struct hunt *h, struct span game, struct span player, void *ticket, uint64_t now_ms) {
    h->now_ms = now_ms;
    enum err why;
    struct hunt_game *g = hunt_game_find(h, game, &why);
    struct hunt_player *p = g == NULL ? NULL : hunt_player_find(g, player);
    if (p == NULL) {
        why = g == NULL ? why : ERR_PLAYER_UNKNOWN;
        hunt_refuse(h, ticket, why, err_sentence(why));
        return;
    }
    if (now_ms >= p->free_ms && p->waiting == NULL) {
        p->free_ms = now_ms + h->config.poll_interval_ms;
        show(p, ticket);
        return;
    }
    struct hunt_wait *w = mem_alloc(sizeof *w);
    w->ticket = ticket;
    w->next = p->waiting;
    p->waiting = w;
    timers_arm(&h->timers, &p->poll, p->free_ms > now_ms ? p->free_ms : now_ms, poll_due);
}
