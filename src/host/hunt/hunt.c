#include "host/hunt/internal.h"

#include "base/limit.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>
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

/* Games. */

/* Nobody can reach it any more; everybody who polls it is told. */
static void game_close(struct hunt_game *g, enum err why) {
    struct hunt *h = hunt_of(g);
    timers_stop(&h->room.timers, &g->limit);
    if (g->job != NULL)
        g->job->context = NULL; /* freed when the bot has chosen */
    g->job = NULL;
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        struct hunt_player *p = &g->players[seat];
        timers_stop(&h->room.timers, &p->poll);
        while (p->waiting != NULL) {
            struct hunt_wait *w = p->waiting;
            p->waiting = w->next;
            hunt_refuse(h, w->ticket, why, err_sentence(why));
            mem_free(w);
        }
        if (p->attachment != NULL)
            h->output.forget(h->output.context, p->attachment);
        p->attachment = NULL;
    }
}

static void game_forget(struct room_table *rt) {
    game_close(hunt_game_of(rt), rt->room->is_ending ? ERR_CLOSED : ERR_TABLE_UNKNOWN);
}

/* The game is given up. Creating never fails: what was made may be gone at once, but is said to be there when
 * it is on disk. */
static void game_drop(struct room_table *rt) {
    struct room_request *creation = rt->current != NULL && rt->current->opens ? rt->current : NULL;
    if (rt->is_over) {
        room_table_free(rt);
        return;
    }
    rt->current = creation != NULL ? NULL : rt->current;
    room_refuse_all(rt, ERR_TABLE_UNKNOWN);
    rt->current = creation;
    game_close(hunt_game_of(rt), ERR_TABLE_UNKNOWN);
    room_table_hide(rt);
    room_table_drop(rt);
}

/* False: everybody plays, or who asks has most. */
static bool hunt_make_room(struct hunt *h, const struct address *asker) {
    while (hunt_game_count(h) >= h->config.games_max) {
        struct room_table *rt = h->room.over != NULL ? h->room.over : room_table_least(&h->room, asker, true);
        if (rt == NULL) {
            limit_hit(LIMIT_TABLES, asker);
            return false;
        }
        game_drop(rt);
    }
    return true;
}

void hunt_game_recall(struct hunt *h, struct table *table) {
    static const struct address nobody;
    if (strcmp(table_protocol(table), HUNT_PROTOCOL) != 0 || table_outcome(table) == OUTCOME_UNDECIDED ||
        !hunt_make_room(h, &nobody)) {
        table_close(table);
        return;
    }
    room_adopt(&h->room, table);
}

struct hunt_game *hunt_game_find(struct hunt *h, struct span id_text) {
    uint64_t id;
    if (id_text.size != TABLE_SHORT_CODE_CHARS || !table_code_parse(id_text, &id))
        return NULL;
    struct room_table *rt = room_table_of(&h->room, id);
    return rt == NULL || rt->is_opening ? NULL : hunt_game_of(rt); /* nobody can know of it yet */
}

bool hunt_may_find(struct hunt *h, struct span id_text, const struct address *address) {
    const struct hunt_game *g = hunt_game_find(h, id_text);
    bool may_guess = tables_may_guess(h->room.tables, address);
    if (g == NULL)
        tables_missed(h->room.tables, address);
    return g == NULL || !g->room.is_private || may_guess;
}

/* What the set-up of a game says besides its options; players come one by one, each as it says. */
static void setup_fill(struct hunt *h, const struct hunt_policy *policy, struct table_setup *setup) {
    hunt_policy_format(policy, h->note);
    setup->note = span_of(h->note);
    setup->options.value[TREASURE_OPTION_PLAYERS] = TREASURE_PLAYERS_ANY;
    setup->options.value[TREASURE_OPTION_ACTIONS_MAX] = (int32_t)policy->actions_max;
    setup->options.value[TREASURE_OPTION_FORTS] =
        policy->may_name_forts ? TREASURE_FORTS_ANY : TREASURE_FORTS_ONE;
}

/* Through the door: the same without anybody who waits for an answer. */
static enum err hunt_admits(struct room *room, struct table_setup *setup) {
    struct hunt *h = (struct hunt *)(void *)room;
    struct hunt_policy policy = {.actions_max = (uint32_t)setup->options.value[TREASURE_OPTION_ACTIONS_MAX],
                                 .may_name_forts =
                                     setup->options.value[TREASURE_OPTION_FORTS] == TREASURE_FORTS_ANY};
    setup_fill(h, &policy, setup);
    return hunt_make_room(h, &setup->opener) ? ERR_OK : ERR_TOO_MANY;
}

void hunt_create_game(struct hunt *h, struct span query, const struct address *opener, void *ticket,
                      uint64_t now_ms) {
    struct table_setup setup = {.game = &treasure_hunt_game,
                                .options = game_options_default(&treasure_hunt_game, TREASURE_SEATS),
                                .opener = *opener};
    struct hunt_policy policy;
    struct room_table *rt;
    room_enter(&h->room, now_ms);
    hunt_policy_read(query, &policy);
    setup_fill(h, &policy, &setup);
    enum err e = !tables_may_open(h->room.tables, opener) ? ERR_ADDRESS_FULL
                 : !hunt_make_room(h, opener)             ? ERR_TOO_MANY
                                                          : room_open(&h->room, &setup, NULL, &rt);
    if (e == ERR_OK)
        rt->current = hunt_creation(ticket);
    else
        hunt_refuse(h, ticket, e, err_sentence(e));
    room_exit(&h->room);
}

/* The room. */

static void tell_known(struct hunt_game *g) {
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        g->players[seat].game = g;
        g->players[seat].seat = seat;
    }
    hunt_policy_read(span_of(table_setup_note(g->room.table)), &g->policy);
    hunt_game_seat(g);
}

static void hunt_tell_settled(struct hunt_game *g) {
    const struct hunt_request *r = (const struct hunt_request *)(const void *)g->room.current;
    hunt_game_seat(g);
    if (g->room.is_over)
        timers_stop(&g->room.room->timers, &g->limit);
    if (r != NULL && r->kind == HUNT_REQUEST_REGISTER && r->room.why == ERR_OK)
        room_seen(&g->room, r->seat);
}

static void hunt_room_tell(struct room *room, const struct room_notice *n) {
    (void)room;
    switch (n->kind) {
    case ROOM_ADOPTED:
    case ROOM_OPENED: tell_known(hunt_game_of(n->table)); break;
    case ROOM_SETTLED:
    case ROOM_OVER: hunt_tell_settled(hunt_game_of(n->table)); break;
    case ROOM_SAT:
    case ROOM_GOT_UP: hunt_game_seat(hunt_game_of(n->table)); break;
    case ROOM_AWAKE: room_pump(n->table); break;
    case ROOM_IDLE: game_drop(n->table); break;
    default: break;
    }
}

struct hunt *hunt_create(const struct hunt_config *config, const struct hunt_output *output) {
    struct hunt *h = mem_alloc(sizeof *h);
    h->config = *config;
    h->output = *output;
    room_begin(&h->room,
               &(struct room_policy){.protocol = HUNT_PROTOCOL,
                                     .game = &treasure_hunt_game,
                                     .table_bytes = sizeof(struct hunt_game),
                                     .has_short_codes = true,
                                     .idle_ms = config->idle_ms,
                                     .linger_ms = config->idle_ms,
                                     .requests_max = HUNT_REQUESTS_MAX,
                                     .seen_ms = HUNT_SEEN_MS,
                                     .tell = hunt_room_tell,
                                     .start = hunt_start,
                                     .again = hunt_start,
                                     .between = hunt_between,
                                     .answer = hunt_answer,
                                     .put_off = hunt_put_off,
                                     .forget = game_forget,
                                     .admits = hunt_admits},
               config->tables);
    return h;
}

/* The tables are closed and no more: the store may be closed already. */
void hunt_free(struct hunt *h) {
    room_end(&h->room);
    hunt_requests_forget(h);
    mem_free(h);
}

uint64_t hunt_next_ms(const struct hunt *h) {
    return room_next_ms(&h->room);
}

void hunt_advance(struct hunt *h, uint64_t now_ms) {
    room_advance(&h->room, now_ms);
}

size_t hunt_game_count(const struct hunt *h) {
    return HASH_CNT(by_id, h->room.by_id);
}

/* State queries: answered at once, or with all others that came too early when the time has come. */

static void player_show(struct hunt_player *p, void *ticket) {
    struct hunt *h = hunt_of(p->game);
    h->output.answer(h->output.context, ticket, &(struct hunt_answer){.kind = HUNT_STATE, .player = p});
}

static void poll_due(struct timer *timer, uint64_t now_ms) {
    struct hunt_player *p = TIMER_OWNER(timer, struct hunt_player, poll);
    struct hunt_wait *w = p->waiting, *earlier = NULL;
    p->waiting = NULL;
    p->free_ms = now_ms + hunt_of(p->game)->config.poll_interval_ms;
    while (w != NULL) { /* into the order in which they came */
        struct hunt_wait *next = w->next;
        w->next = earlier;
        earlier = w;
        w = next;
    }
    while (earlier != NULL) {
        w = earlier;
        earlier = w->next;
        player_show(p, w->ticket);
        mem_free(w);
    }
}

void hunt_player_poll(struct hunt_player *p, void *ticket, uint64_t now_ms) {
    struct hunt *h = hunt_of(p->game);
    if (now_ms >= p->free_ms && p->waiting == NULL) {
        p->free_ms = now_ms + h->config.poll_interval_ms;
        player_show(p, ticket);
        return;
    }
    struct hunt_wait *w = mem_alloc(sizeof *w);
    w->ticket = ticket;
    w->next = p->waiting;
    p->waiting = w;
    timers_arm(&h->room.timers, &p->poll, p->free_ms > now_ms ? p->free_ms : now_ms, poll_due);
}
