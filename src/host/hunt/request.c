/* Requests that change a game. They are taken one after the other: each is answered when what it did is on
 * disk, and only then the next begins. Between them the bot acts, and limits strike. */
#include "host/hunt/internal.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

enum { LIMIT_RETRY_MS = 100 };

static void request_free(struct hunt_request *r) {
    mem_free(r->texts);
    mem_free(r->nodes);
    mem_free(r);
}

static void request_answer(struct hunt_game *g, struct hunt_request *r) {
    struct hunt *h = g->hunt;
    char code[TABLE_CODE_CHARS + 1];
    struct hunt_answer answer = {.kind = HUNT_DONE};
    if (r->why != ERR_OK) {
        answer = (struct hunt_answer){
            .kind = HUNT_REFUSED, .why = r->why, .is_put_off = r->is_put_off, .text = r->complaint};
    } else if (r->kind == HUNT_REQUEST_CREATE) {
        table_code_format(g->id, code);
        answer = (struct hunt_answer){.kind = HUNT_CREATED, .text = code};
    } else if (r->kind == HUNT_REQUEST_REGISTER) {
        answer = (struct hunt_answer){.kind = HUNT_REGISTERED, .text = r->id};
    }
    h->output.answer(h->output.context, r->ticket, &answer);
    request_free(r);
}

void hunt_game_answer(struct hunt_game *g) {
    struct hunt_request *r = g->current;
    g->current = NULL;
    if (r != NULL)
        request_answer(g, r);
}

void hunt_game_refuse_all(struct hunt_game *g, enum err why) {
    struct hunt_request *r, *next;
    /* Creating never fails: what was made may be gone at once, but is said to be there when it is on disk. */
    bool is_kept = g->current != NULL && g->current->kind == HUNT_REQUEST_CREATE && why == ERR_TABLE_UNKNOWN;
    if (g->current != NULL && !is_kept) {
        hunt_refuse(g->hunt, g->current->ticket, why, err_sentence(why));
        request_free(g->current);
        g->current = NULL;
    }
    DL_FOREACH_SAFE(g->queue, r, next) {
        hunt_refuse(g->hunt, r->ticket, why, err_sentence(why));
        request_free(r);
    }
    g->queue = NULL;
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        struct hunt_wait *w = g->players[seat].waiting;
        while (w != NULL) {
            struct hunt_wait *after = w->next;
            hunt_refuse(g->hunt, w->ticket, why, err_sentence(why));
            mem_free(w);
            w = after;
        }
        g->players[seat].waiting = NULL;
    }
}

static struct hunt_player *player_look(struct hunt_game *g, struct span id) {
    struct hunt_player *found = NULL;
    struct digest token;
    if (id.size != HUNT_ID_CHARS)
        return NULL;
    hunt_id_digest(id, &token);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct digest *known = g->players[seat].is_seated ? table_token(g->table, seat) : NULL;
        if (known != NULL && digest_equal(known, &token))
            found = &g->players[seat];
    }
    return found;
}

bool hunt_place(struct hunt *h, struct span game, struct span player, uint64_t *table, unsigned *seat) {
    struct hunt_game *g = NULL;
    if (!table_code_parse(game, table))
        return false;
    HASH_FIND(by_id, h->games, table, sizeof *table, g);
    struct hunt_player *p = g == NULL ? NULL : player_look(g, player);
    *seat = p == NULL ? SEAT_WATCHER : p->seat;
    return g != NULL;
}

/* Who polls is there, and stays there for a while. The timer is not set again with every request. */
static void player_unseen(struct timer *timer, uint64_t now_ms) {
    struct hunt_player *p = TIMER_OWNER(timer, struct hunt_player, gone);
    if (p->seen_ms + HUNT_SEEN_MS > now_ms)
        timers_arm(&p->game->hunt->timers, timer, p->seen_ms + HUNT_SEEN_MS, player_unseen);
    else
        table_set_online(p->game->table, p->seat, false);
}

static void player_seen(struct hunt_player *p) {
    struct hunt_game *g = p->game;
    p->seen_ms = g->hunt->now_ms;
    if (timer_is_armed(&p->gone) || table_state_word(g->table) == TABLE_OVER)
        return;
    timers_arm(&g->hunt->timers, &p->gone, p->seen_ms + HUNT_SEEN_MS, player_unseen);
    table_set_online(g->table, p->seat, true);
}

struct hunt_player *hunt_player_find(struct hunt_game *g, struct span id) {
    struct hunt_player *found = player_look(g, id);
    if (found == NULL)
        return NULL;
    memcpy(found->id, id.data, HUNT_ID_CHARS);
    hunt_game_touch(g);
    player_seen(found);
    return found;
}

/* Policy. */

static bool has_course_player(const struct hunt_game *g) {
    return g->players[0].name.kind == HUNT_COURSE || g->players[1].name.kind == HUNT_COURSE;
}

static bool has_begun(const struct hunt_game *g) {
    return hunt_game_state(g)->phase != TREASURE_ENTERING;
}

static bool violation_loses(const struct hunt_game *g) {
    if (g->policy.violation == HUNT_VIOLATION_BY_KIND)
        return has_course_player(g);
    return g->policy.violation == HUNT_VIOLATION_LOSES;
}

static void game_ran_out(struct timer *timer, uint64_t now_ms) {
    struct hunt_game *g = TIMER_OWNER(timer, struct hunt_game, limit);
    enum err e = table_time_out(g->table);
    if (e == ERR_BUSY)
        timers_arm(&g->hunt->timers, timer, now_ms + LIMIT_RETRY_MS, game_ran_out);
}

/* Once the players are there it is known which limits count. */
static void set_limits(struct hunt_game *g) {
    const struct hunt_config *config = &g->hunt->config;
    uint32_t clock_ms = has_course_player(g) ? config->action_ms : 0;
    if (g->policy.has_action_ms)
        clock_ms = g->policy.action_ms;
    if (g->policy.is_debug)
        clock_ms = 0;
    if (clock_ms != g->clock_ms) {
        g->clock_ms = clock_ms;
        table_set_clock(g->table, clock_ms, g->hunt->now_ms);
    }
    if (has_course_player(g) && !timer_is_armed(&g->limit))
        timers_arm(&g->hunt->timers, &g->limit, g->hunt->now_ms + config->game_ms, game_ran_out);
}

/* The bot. */

static void bot_sit(struct hunt_game *g, unsigned seat) {
    char note[EVENT_NOTE_BYTES_MAX + 1], name[EVENT_NAME_BYTES_MAX + 1];
    struct action enter = treasure_action_enter(TREASURE_SEED);
    hunt_name_format(&(struct hunt_name){.kind = HUNT_BOT, .username = SPAN("Parlor")}, name, note);
    enum err e =
        table_sit(g->table, &(struct table_guest){.seat = seat, .name = span_of(name), .note = span_of(note)},
                  &enter, 1, g->hunt->now_ms);
    assert(e == ERR_OK);
    (void)e;
}

static void bot_act(struct hunt_game *g, unsigned seat) {
    struct hunt *h = g->hunt;
    struct treasure_hunt view;
    struct action action;
    if (h->bot == NULL)
        h->bot = bot_for_game(&treasure_hunt_game, BOT_LEVEL_DEFAULT);
    table_view(g->table, seat, (struct game_view *)&view);
    bot_choose(h->bot, (const struct game_view *)&view, seat, &h->rng, &action);
    enum err e = table_act(g->table, seat, &action, 1, h->now_ms);
    assert(e == ERR_OK);
    (void)e;
}

/* True when the bot has done something, and the table is busy with it. */
static bool bot_goes_on(struct hunt_game *g) {
    if (!g->policy.has_bot)
        return false;
    if (g->players[0].is_seated && !g->players[1].is_seated) {
        bot_sit(g, 1);
        return true;
    }
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        if (g->players[seat].name.kind == HUNT_BOT &&
            game_may_act(&treasure_hunt_game, table_state(g->table), seat)) {
            bot_act(g, seat);
            return true;
        }
    return false;
}

/* Starting a request. Each of these returns why it is refused, with more about it in the complaint, or ERR_OK
 * when the table is busy with it. */

static enum err refuse(struct hunt_request *r, enum err why, const char *detail) {
    snprintf(r->complaint, sizeof r->complaint, "%s%s%s", err_sentence(why), *detail == '\0' ? "" : ": ",
             detail);
    return why;
}

/* A breach of the rules; what it costs is policy. */
static enum err refuse_violation(struct hunt_game *g, struct hunt_request *r, enum err why,
                                 const char *detail) {
    refuse(r, why, detail);
    const struct table_breach breach = {.why = why, .words = span_of(r->complaint)};
    if (violation_loses(g) && table_violate(g->table, r->seat, &breach) == ERR_OK) {
        size_t used = strlen(r->complaint);
        snprintf(r->complaint + used, sizeof r->complaint - used, "; the game is lost by it");
    }
    return why;
}

static enum err start_register(struct hunt_game *g, struct hunt_request *r) {
    char name[EVENT_NAME_BYTES_MAX + 1], note[EVENT_NOTE_BYTES_MAX + 1];
    unsigned seat = 0;
    struct digest random, token;
    while (seat < TREASURE_SEATS && g->players[seat].is_seated)
        seat++;
    if (seat == TREASURE_SEATS)
        return refuse(r, ERR_TABLE_FULL, "");
    r->seat = seat;
    digest_secret(&random);
    hunt_id_format(random.bytes, r->id);
    hunt_id_digest(span_of(r->id), &token);
    hunt_name_format(&r->name, name, note);
    struct action enter =
        treasure_action_enter(r->name.kind == HUNT_COURSE ? TREASURE_COURSE : TREASURE_SEED);
    struct table_guest guest = {.seat = seat, .name = span_of(name), .token = &token, .note = span_of(note)};
    enum err e = table_sit(g->table, &guest, &enter, 1, g->hunt->now_ms);
    return e == ERR_OK ? ERR_OK : refuse(r, e, "");
}

/* Whether the player may act at all; the same for moves and half maps. */
static enum err start_turn(struct hunt_game *g, struct hunt_request *r) {
    if (table_state_word(g->table) == TABLE_OVER)
        return refuse(r, ERR_TABLE_OVER, "the game has ended");
    if (!has_begun(g))
        return refuse(r, ERR_NOT_YOUR_TURN, "the other player has not registered yet");
    if (game_may_act(&treasure_hunt_game, table_state(g->table), r->seat))
        return ERR_OK;
    if (g->players[r->seat].name.kind == HUNT_COURSE)
        return refuse_violation(g, r, ERR_NOT_YOUR_TURN, "wait until your state is MustAct");
    return refuse(r, ERR_NOT_YOUR_TURN, "wait until your state is MustAct");
}

static enum err act(struct hunt_game *g, struct hunt_request *r, const struct action *action) {
    enum err e = table_act(g->table, r->seat, action, 1, g->hunt->now_ms);
    return e == ERR_OK ? ERR_OK : refuse_violation(g, r, e, "");
}

static enum err start_move(struct hunt_game *g, struct hunt_request *r) {
    enum err e = start_turn(g, r);
    if (e != ERR_OK)
        return e;
    if (hunt_game_state(g)->phase == TREASURE_HALVES)
        return refuse_violation(g, r, ERR_HALF_AWAITED, "");
    struct action action = treasure_action_move(r->direction);
    return act(g, r, &action);
}

static enum err half_read(const struct hunt_game *g, const struct hunt_request *r, struct treasure_half *half,
                          struct treasure_offence *offence) {
    *half = (struct treasure_half){0};
    for (size_t i = 0; i < r->node_count; i++) {
        const struct hunt_node *n = &r->nodes[i];
        enum err e = treasure_half_put(half, n->x, n->y, n->terrain, n->is_fort, offence);
        if (e != ERR_OK)
            return e;
    }
    return treasure_half_check(half, (enum treasure_forts)hunt_game_state(g)->forts, offence);
}

static enum err start_half(struct hunt_game *g, struct hunt_request *r) {
    if (g->players[r->seat].name.kind != HUNT_COURSE)
        return refuse(r, ERR_HALF_UNWANTED, "the server draws the half of a player with a playerUsername");
    enum err e = start_turn(g, r);
    if (e != ERR_OK)
        return e;
    if (hunt_game_state(g)->phase != TREASURE_HALVES)
        return refuse_violation(g, r, ERR_HALF_UNWANTED, "it has been sent before");
    struct treasure_half half;
    struct treasure_offence offence = {0};
    e = half_read(g, r, &half, &offence);
    if (e != ERR_OK) {
        char text[TREASURE_OFFENCE_TEXT_BYTES_MAX];
        treasure_offence_format(e, &offence, text);
        return refuse_violation(g, r, e, text);
    }
    struct action action = treasure_half_action(&half);
    return act(g, r, &action);
}

static enum err start(struct hunt_game *g, struct hunt_request *r) {
    switch (r->kind) {
    case HUNT_REQUEST_REGISTER: return start_register(g, r);
    case HUNT_REQUEST_MOVE: return start_move(g, r);
    case HUNT_REQUEST_HALF: return start_half(g, r);
    case HUNT_REQUEST_CREATE: break;
    }
    assert(false);
    return ERR_UNKNOWN_TYPE;
}

void hunt_game_pump(struct hunt_game *g) {
    while (!table_is_busy(g->table)) {
        if (table_state_word(g->table) == TABLE_RUNNING && g->hunt->is_awake) {
            if (has_begun(g))
                set_limits(g);
            if (bot_goes_on(g))
                return;
        }
        struct hunt_request *r = g->queue;
        if (r == NULL)
            return;
        DL_DELETE(g->queue, r);
        g->queue_count--;
        r->why = start(g, r);
        if (table_is_busy(g->table))
            g->current = r;
        else
            request_answer(g, r);
    }
}

void hunt_game_settled(void *context, struct table *table) {
    struct hunt_game *g = context;
    const struct hunt_request *r = g->current;
    g->is_unasked = false;
    hunt_game_seat(g);
    hunt_game_touch(g);
    if (table_state_word(table) == TABLE_OVER)
        timers_stop(&g->hunt->timers, &g->limit);
    if (r != NULL && r->kind == HUNT_REQUEST_REGISTER && r->why == ERR_OK)
        player_seen(&g->players[r->seat]);
    hunt_game_answer(g);
    hunt_game_pump(g);
}

static void request_put_off(struct hunt_game *g, struct hunt_request *r, bool is_undone) {
    r->why = ERR_BUSY;
    r->is_put_off = true;
    snprintf(r->complaint, sizeof r->complaint, "the server cannot save at the moment: %s",
             is_undone ? "nothing has happened, try again later"
                       : "this may still be done when it can, look at the state before you try again");
    request_answer(g, r);
}

/* What waits for its turn has not begun. What is being saved is taken back where the store has refused it;
 * otherwise it may still be done. */
void hunt_game_late(void *context, struct table *table) {
    struct hunt_game *g = context;
    struct hunt_request *r, *next, *current = g->current;
    bool is_undone = table_may_withdraw(table);
    DL_FOREACH_SAFE(g->queue, r, next) {
        DL_DELETE(g->queue, r);
        g->queue_count--;
        request_put_off(g, r, true);
    }
    if (current == NULL && !g->is_unasked)
        return;
    bool is_opening = table_state_word(table) == TABLE_OPENING;
    g->current = NULL;
    g->is_unasked = !is_undone;
    if (current != NULL)
        request_put_off(g, current, is_undone);
    if (is_undone && is_opening)
        hunt_game_undo(g);
    else if (is_undone)
        table_withdraw(table);
}

/* Taking requests. */

static struct hunt_request *request_make(enum hunt_request_kind kind, void *ticket) {
    struct hunt_request *r = mem_alloc(sizeof *r);
    r->kind = kind;
    r->ticket = ticket;
    return r;
}

static void request_take(struct hunt_game *g, struct hunt_request *r) {
    if (g->queue_count == HUNT_REQUESTS_MAX) {
        r->why = refuse(r, ERR_BUSY, "");
        request_answer(g, r);
        return;
    }
    DL_APPEND(g->queue, r);
    g->queue_count++;
    hunt_game_pump(g);
}

static struct span text_keep(char **at, struct span text) {
    struct span kept = {*at, text.size};
    if (text.size > 0)
        memcpy(*at, text.data, text.size);
    *at += text.size;
    return kept;
}

static void name_keep(struct hunt_request *r, const struct hunt_name *name) {
    char *at = r->texts = mem_alloc(name->username.size + name->first_name.size + name->last_name.size +
                                    name->account.size + 1);
    r->name = (struct hunt_name){.kind = name->kind,
                                 .username = text_keep(&at, name->username),
                                 .first_name = text_keep(&at, name->first_name),
                                 .last_name = text_keep(&at, name->last_name),
                                 .account = text_keep(&at, name->account)};
}

static enum err text_check(struct span text) {
    if (text.size == 0)
        return ERR_FIELD_MISSING;
    return text.size <= HUNT_NAME_BYTES_MAX && utf8_is_valid(text) && utf8_length(text) <= HUNT_NAME_CHARS_MAX
               ? ERR_OK
               : ERR_FIELD_INVALID;
}

static enum err name_check(const struct hunt_name *name) {
    enum err e = ERR_OK;
    if (name->kind != HUNT_COURSE)
        return text_check(name->username);
    const struct span texts[] = {name->first_name, name->last_name, name->account};
    for (size_t i = 0; i < 3 && e == ERR_OK; i++)
        e = text_check(texts[i]);
    return e;
}

void hunt_register(struct hunt *h, struct span game, const struct hunt_name *name, void *ticket,
                   uint64_t now_ms) {
    h->now_ms = now_ms;
    enum err e;
    struct hunt_game *g = hunt_game_find(h, game, &e);
    if (g != NULL)
        e = name_check(name);
    if (e != ERR_OK) {
        hunt_refuse(h, ticket, e, g == NULL ? err_sentence(e) : "a name has from 1 to 50 characters");
        return;
    }
    struct hunt_request *r = request_make(HUNT_REQUEST_REGISTER, ticket);
    name_keep(r, name);
    request_take(g, r);
}

/* The player behind a request, or NULL, and then the ticket is answered. */
static struct hunt_player *player_of(struct hunt *h, struct span game, struct span player, void *ticket) {
    enum err why;
    struct hunt_game *g = hunt_game_find(h, game, &why);
    struct hunt_player *p = g == NULL ? NULL : hunt_player_find(g, player);
    why = g == NULL ? why : ERR_PLAYER_UNKNOWN;
    if (p == NULL)
        hunt_refuse(h, ticket, why, err_sentence(why));
    return p;
}

void hunt_move(struct hunt *h, struct span game, struct span player, enum treasure_direction direction,
               void *ticket, uint64_t now_ms) {
    h->now_ms = now_ms;
    struct hunt_player *p = player_of(h, game, player, ticket);
    if (p == NULL)
        return;
    struct hunt_request *r = request_make(HUNT_REQUEST_MOVE, ticket);
    r->seat = p->seat;
    r->direction = direction;
    request_take(p->game, r);
}

void hunt_half(struct hunt *h, struct span game, struct span player, const struct hunt_node *nodes,
               size_t count, void *ticket, uint64_t now_ms) {
    h->now_ms = now_ms;
    struct hunt_player *p = player_of(h, game, player, ticket);
    if (p == NULL)
        return;
    assert(count <= HUNT_NODES_MAX);
    struct hunt_request *r = request_make(HUNT_REQUEST_HALF, ticket);
    r->seat = p->seat;
    r->nodes = mem_alloc((count + 1) * sizeof *nodes);
    memcpy(r->nodes, nodes, count * sizeof *nodes);
    r->node_count = count;
    request_take(p->game, r);
}
