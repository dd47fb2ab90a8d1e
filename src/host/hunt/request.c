/* Requests that change a game. They are taken one after the other: each is answered when what it did is on
 * disk, and only then the next begins. Between them the bot acts, and limits strike. */
#include "host/hunt/internal.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "host/table_job.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

enum { LIMIT_RETRY_MS = 100 };

static struct hunt_request *request_of(struct room_request *r) {
    return (struct hunt_request *)(void *)r;
}

static void hunt_request_free(struct hunt_request *r) {
    mem_free(r->texts);
    mem_free(r->nodes);
    mem_free(r);
}

void hunt_answer(struct room_table *rt, struct room_request *request) {
    struct hunt *h = (struct hunt *)(void *)rt->room;
    struct hunt_request *r = request_of(request);
    enum err why = r->room.why;
    char code[TABLE_CODE_CHARS + 1];
    struct hunt_answer answer = {.kind = HUNT_DONE};
    if (why != ERR_OK) {
        answer = (struct hunt_answer){.kind = HUNT_REFUSED,
                                      .why = why,
                                      .is_put_off = r->is_put_off,
                                      .text = r->complaint[0] == '\0'
                                                  ? game_refusal(&treasure_hunt_game, why)->sentence
                                                  : r->complaint};
    } else if (r->kind == HUNT_REQUEST_CREATE) {
        table_code_format(rt->id, code);
        answer = (struct hunt_answer){.kind = HUNT_CREATED, .text = code};
    } else if (r->kind == HUNT_REQUEST_REGISTER) {
        answer = (struct hunt_answer){.kind = HUNT_REGISTERED, .text = r->id};
    }
    h->output.answer(h->output.context, r->ticket, &answer);
    hunt_request_free(r);
}

static struct hunt_player *player_look(struct hunt_game *g, struct span id) {
    struct hunt_player *found = NULL;
    struct digest token;
    if (id.size != HUNT_ID_CHARS)
        return NULL;
    hunt_id_digest(id, &token);
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct digest *known = g->players[seat].is_seated ? table_token(g->room.table, seat) : NULL;
        if (known != NULL && digest_equal(known, &token))
            found = &g->players[seat];
    }
    return found;
}

bool hunt_place(struct hunt *h, struct span game, struct span player, uint64_t *table, unsigned *seat) {
    struct room_table *rt = table_code_parse(game, table) ? room_table_of(&h->room, *table) : NULL;
    const struct hunt_player *p = rt == NULL ? NULL : player_look(hunt_game_of(rt), player);
    *seat = p == NULL ? SEAT_WATCHER : p->seat;
    return rt != NULL;
}

struct hunt_player *hunt_player_find(struct hunt_game *g, struct span id) {
    struct hunt_player *found = player_look(g, id);
    if (found == NULL)
        return NULL;
    memcpy(found->id, id.data, HUNT_ID_CHARS);
    room_touch(&g->room);
    room_seen(&g->room, found->seat);
    return found;
}

/* Policy. */

static bool has_course_player(const struct hunt_game *g) {
    return g->players[0].name.kind == HUNT_COURSE || g->players[1].name.kind == HUNT_COURSE;
}

static bool has_begun(const struct hunt_game *g) {
    return hunt_game_view(g)->phase != TREASURE_ENTERING;
}

static bool violation_loses(const struct hunt_game *g) {
    if (g->policy.violation == HUNT_VIOLATION_BY_KIND)
        return has_course_player(g);
    return g->policy.violation == HUNT_VIOLATION_LOSES;
}

static void game_ran_out(struct timer *timer, uint64_t now_ms) {
    struct hunt_game *g = TIMER_OWNER(timer, struct hunt_game, limit);
    uint64_t outages_ms = tables_outages_ms(g->room.room->tables);
    bool is_cared = table_is_cared(g->room.table);
    if (!is_cared || outages_ms > g->outages_ms) {
        uint64_t more_ms = is_cared ? outages_ms - g->outages_ms : TABLES_CARE_RETRY_MS;
        g->outages_ms = is_cared ? outages_ms : g->outages_ms;
        timers_arm(&g->room.room->timers, timer, now_ms + more_ms, game_ran_out);
        return;
    }
    char words[TABLE_CAUSE_WORDS_BYTES];
    uint32_t limit_ms = hunt_of(g)->config.game_ms;
    snprintf(words, sizeof words, "the game took longer than %g s", limit_ms / 1000.0);
    enum err e = table_time_out_why(
        g->room.table, SEAT_WATCHER,
        &(struct table_cause){.words = words, .rule = "clocks C6", .allowed_ms = limit_ms});
    if (e == ERR_BUSY)
        timers_arm(&g->room.room->timers, timer, now_ms + LIMIT_RETRY_MS, game_ran_out);
}

/* Once the players are there it is known which limits count. */
static void set_limits(struct hunt_game *g) {
    const struct hunt_config *config = &hunt_of(g)->config;
    uint32_t clock_ms = has_course_player(g) ? config->action_ms : 0;
    if (g->policy.has_action_ms)
        clock_ms = g->policy.action_ms;
    if (g->policy.is_debug)
        clock_ms = 0;
    if (clock_ms != g->clock_ms) {
        g->clock_ms = clock_ms;
        table_set_clock(g->room.table, clock_ms, g->room.room->now_ms);
    }
    if (has_course_player(g) && !timer_is_armed(&g->limit)) {
        g->outages_ms = tables_outages_ms(g->room.room->tables);
        timers_arm(&g->room.room->timers, &g->limit, g->room.room->now_ms + config->game_ms, game_ran_out);
    }
}

/* The bot. */

static void bot_sit(struct hunt_game *g, unsigned seat) {
    char note[EVENT_NOTE_BYTES_MAX + 1], name[EVENT_NAME_BYTES_MAX + 1];
    struct action enter = treasure_action_enter(TREASURE_SEED);
    hunt_name_format(&(struct hunt_name){.kind = HUNT_BOT, .username = SPAN("Parlor")}, name, note);
    enum err e = table_sit(g->room.table,
                           &(struct table_guest){.seat = seat, .name = span_of(name), .note = span_of(note)},
                           &enter, 1, g->room.room->now_ms);
    assert(e == ERR_OK);
    (void)e;
}

static void hunt_request_bot_play(struct hunt_game *g, unsigned seat, const struct action *action) {
    enum err e = table_act(g->room.table, seat, action, 1, g->room.room->now_ms);
    assert(e == ERR_OK);
    (void)e;
}

/* What the bot has chosen is played if the game has not moved on meanwhile. */
static void hunt_request_bot_chose(struct thinker_job *job) {
    struct hunt_game *g = job->context;
    if (g != NULL) {
        g->job = NULL;
        g->thought_us = job->spent_us;
    }
    if (g != NULL && !job->is_cancelled) {
        struct room *room = g->room.room;
        struct table *t = g->room.table;
        uint64_t now_ms = tables_now_ms(room->tables);
        room_enter(room, now_ms > room->now_ms ? now_ms : room->now_ms);
        if (table_version(t) == g->job_version && !table_is_busy(t) && table_may_act(t, job->seat))
            hunt_request_bot_play(g, job->seat, &job->action);
        else
            room_pump(&g->room);
        room_exit(room);
    }
    table_job_free(job);
}

/* The loop does not wait for it, and neither does its clock run. */
static void hunt_request_bot_think(struct hunt_game *g, unsigned seat) {
    struct table *t = g->room.table;
    struct thinker_job *job = table_job_create(t, seat, BOT_LEVEL_DEFAULT);
    job->done = hunt_request_bot_chose;
    job->context = g;
    job->is_awaited = true;
    job->spent_us = g->thought_us;
    g->job = job;
    g->job_version = table_version(t);
    table_set_told(t, SEAT_BIT(seat), g->room.room->now_ms);
    thinker_submit(hunt_of(g)->config.thinker, job);
}

/* True when the bot has sat down, and the table is busy with it; what it plays comes from the thinker. */
static bool bot_goes_on(struct hunt_game *g) {
    if (!g->policy.has_bot)
        return false;
    if (g->players[0].is_seated && !g->players[1].is_seated) {
        bot_sit(g, 1);
        return true;
    }
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        if (g->players[seat].name.kind == HUNT_BOT && table_may_act(g->room.table, seat)) {
            if (g->job == NULL)
                hunt_request_bot_think(g, seat);
            return false;
        }
    return false;
}

/* Starting a request. Each of these returns why it is refused, with more about it in the complaint, or ERR_OK
 * when the table is busy with it. */

static enum err request_refuse(struct hunt_request *r, enum err why, const char *detail) {
    snprintf(r->complaint, sizeof r->complaint, "%s%s%s", game_refusal(&treasure_hunt_game, why)->sentence,
             *detail == '\0' ? "" : ": ", detail);
    return why;
}

/* What a player sent, for the journal when it costs the game: without the secret id that stood beside it. */
static void request_sent(const struct hunt_request *r, struct buf *out) {
    static const char *const directions[] = {
        [TREASURE_UP] = "Up", [TREASURE_DOWN] = "Down", [TREASURE_LEFT] = "Left", [TREASURE_RIGHT] = "Right"};
    static const char *const terrains[] = {[TREASURE_UNKNOWN] = "?",
                                           [TREASURE_GRASS] = "Grass",
                                           [TREASURE_WATER] = "Water",
                                           [TREASURE_MOUNTAIN] = "Mountain"};
    if (r->kind == HUNT_REQUEST_MOVE)
        buf_printf(out, "move %s", directions[r->direction]);
    for (size_t i = 0; i < r->node_count && out->size < EVENT_SENT_BYTES_MAX; i++) {
        const struct hunt_node *n = &r->nodes[i];
        buf_printf(out, "%s%d,%d %s%s", i == 0 ? "half map: " : "; ", (int)n->x, (int)n->y,
                   terrains[n->terrain], n->is_fort ? " fort" : "");
    }
}

/* A breach of the rules; what it costs is policy. */
static enum err refuse_violation(struct hunt_game *g, struct hunt_request *r, enum err why,
                                 const char *detail) {
    request_refuse(r, why, detail);
    struct buf sent = {0};
    request_sent(r, &sent);
    const struct table_breach breach = {.why = why, .words = span_of(r->complaint), .sent = buf_span(&sent)};
    bool is_lost = violation_loses(g) && table_violate(g->room.table, r->seat, &breach) == ERR_OK;
    buf_free(&sent);
    if (is_lost) {
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
        return request_refuse(r, ERR_TABLE_FULL, "");
    r->seat = seat;
    digest_secret(&random);
    hunt_id_format(random.bytes, r->id);
    hunt_id_digest(span_of(r->id), &token);
    hunt_name_format(&r->name, name, note);
    struct action enter =
        treasure_action_enter(r->name.kind == HUNT_COURSE ? TREASURE_COURSE : TREASURE_SEED);
    struct table_guest guest = {.seat = seat, .name = span_of(name), .token = &token, .note = span_of(note)};
    enum err e = table_sit(g->room.table, &guest, &enter, 1, g->room.room->now_ms);
    return e == ERR_OK ? ERR_OK : request_refuse(r, e, "");
}

/* Whether the player may act at all; the same for moves and half maps. */
static enum err start_turn(struct hunt_game *g, struct hunt_request *r) {
    if (table_state_word(g->room.table) == TABLE_OVER)
        return request_refuse(r, ERR_TABLE_OVER, "the game has ended");
    if (!has_begun(g))
        return request_refuse(r, ERR_NOT_YOUR_TURN, "the other player has not registered yet");
    if (table_may_act(g->room.table, r->seat))
        return ERR_OK;
    if (g->players[r->seat].name.kind == HUNT_COURSE)
        return refuse_violation(g, r, ERR_NOT_YOUR_TURN, "wait until your state is MustAct");
    return request_refuse(r, ERR_NOT_YOUR_TURN, "wait until your state is MustAct");
}

static enum err hunt_request_act(struct hunt_game *g, struct hunt_request *r, const struct action *action) {
    enum err e = table_act(g->room.table, r->seat, action, 1, g->room.room->now_ms);
    return e == ERR_OK ? ERR_OK : refuse_violation(g, r, e, "");
}

static enum err start_move(struct hunt_game *g, struct hunt_request *r) {
    enum err e = start_turn(g, r);
    if (e != ERR_OK)
        return e;
    if (hunt_game_view(g)->phase == TREASURE_HALVES)
        return refuse_violation(g, r, ERR_HALF_AWAITED, "");
    struct action action = treasure_action_move(r->direction);
    return hunt_request_act(g, r, &action);
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
    return treasure_half_check(half, (enum treasure_forts)hunt_game_view(g)->forts, offence);
}

static enum err start_half(struct hunt_game *g, struct hunt_request *r) {
    if (g->players[r->seat].name.kind != HUNT_COURSE)
        return request_refuse(r, ERR_HALF_UNWANTED,
                              "the server draws the half of a player with a playerUsername");
    enum err e = start_turn(g, r);
    if (e != ERR_OK)
        return e;
    if (hunt_game_view(g)->phase != TREASURE_HALVES)
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
    return hunt_request_act(g, r, &action);
}

enum err hunt_start(struct room_table *rt, struct room_request *request) {
    struct hunt_game *g = hunt_game_of(rt);
    struct hunt_request *r = request_of(request);
    switch (r->kind) {
    case HUNT_REQUEST_REGISTER: return start_register(g, r);
    case HUNT_REQUEST_MOVE: return start_move(g, r);
    case HUNT_REQUEST_HALF: return start_half(g, r);
    case HUNT_REQUEST_POLL:
    case HUNT_REQUEST_CREATE: break;
    }
    assert(false);
    return ERR_UNKNOWN_TYPE;
}

bool hunt_between(struct room_table *rt) {
    struct hunt_game *g = hunt_game_of(rt);
    if (table_state_word(rt->table) != TABLE_RUNNING || rt->is_hidden)
        return false;
    if (has_begun(g))
        set_limits(g);
    return table_is_cared(rt->table) && bot_goes_on(g);
}

void hunt_put_off(struct room_table *rt, struct room_request *request, bool is_undone) {
    struct hunt_request *r = request_of(request);
    (void)rt;
    r->room.why = ERR_BUSY;
    r->is_put_off = true;
    snprintf(r->complaint, sizeof r->complaint, "the server cannot save at the moment: %s",
             is_undone ? "nothing has happened, try again later"
                       : "this may still be done when it can, look at the state before you try again");
}

/* Taking requests. */

static struct hunt_request *hunt_request_make(enum hunt_request_kind kind, void *ticket) {
    struct hunt_request *r = mem_alloc(sizeof *r);
    r->kind = kind;
    r->ticket = ticket;
    return r;
}

struct room_request *hunt_creation(void *ticket) {
    struct hunt_request *r = hunt_request_make(HUNT_REQUEST_CREATE, ticket);
    r->room.opens = true;
    return &r->room;
}

static struct span hunt_request_text_keep(char **at, struct span text) {
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
                                 .username = hunt_request_text_keep(&at, name->username),
                                 .first_name = hunt_request_text_keep(&at, name->first_name),
                                 .last_name = hunt_request_text_keep(&at, name->last_name),
                                 .account = hunt_request_text_keep(&at, name->account)};
}

static enum err text_check(struct span text) {
    if (text.size == 0)
        return ERR_FIELD_MISSING;
    return text.size <= HUNT_NAME_BYTES_MAX && utf8_is_valid(text) &&
                   utf8_length(text) <= HUNT_NAME_CHARS_MAX && utf8_is_one_line(text)
               ? ERR_OK
               : ERR_FIELD_INVALID;
}

static enum err hunt_request_name_check(const struct hunt_name *name) {
    enum err e = ERR_OK;
    if (name->kind != HUNT_COURSE)
        return text_check(name->username);
    const struct span texts[] = {name->first_name, name->last_name, name->account};
    for (size_t i = 0; i < 3 && e == ERR_OK; i++)
        e = text_check(texts[i]);
    return e;
}

static void request_drop(struct hunt *h, struct hunt_request *r, enum err why, const char *text) {
    hunt_refuse(h, r->ticket, why, text);
    hunt_request_free(r);
}

/* A request to a game that is known. */
static void request_take(struct hunt *h, struct hunt_game *g, struct hunt_request *r) {
    if (r->kind == HUNT_REQUEST_REGISTER) {
        enum err e = hunt_request_name_check(&r->name);
        if (e == ERR_OK)
            room_take(&g->room, &r->room);
        else
            request_drop(h, r, e, "a name has from 1 to 50 characters");
        return;
    }
    struct hunt_player *p = hunt_player_find(g, span_of(r->player));
    if (p == NULL) {
        request_drop(h, r, ERR_PLAYER_UNKNOWN, err_sentence(ERR_PLAYER_UNKNOWN));
    } else if (r->kind == HUNT_REQUEST_POLL) {
        hunt_player_poll(p, r->ticket, h->room.now_ms);
        hunt_request_free(r);
    } else {
        r->seat = p->seat;
        room_take(&g->room, &r->room);
    }
}

static void request_loaded(void *context, struct table *table, enum err why) {
    struct hunt_request *r = context;
    struct hunt *h = r->hunt;
    uint64_t now_ms = tables_now_ms(h->room.tables);
    DL_DELETE(h->loading, r);
    room_enter(&h->room, now_ms > h->room.now_ms ? now_ms : h->room.now_ms);
    if (table != NULL)
        hunt_game_recall(h, table);
    struct hunt_game *g = hunt_game_find(h, span_of(r->game));
    why = why == ERR_OK ? ERR_TABLE_UNKNOWN : why;
    if (g == NULL)
        request_drop(h, r, why, err_sentence(why));
    else
        request_take(h, g, r);
    room_exit(&h->room);
}

/* A game that is not known here may be a finished one, and then the journal has it. */
static void request_deal(struct hunt *h, struct hunt_request *r, struct span game, struct span player,
                         uint64_t now_ms) {
    uint64_t id;
    room_enter(&h->room, now_ms);
    struct hunt_game *g = hunt_game_find(h, game);
    bool is_code = span_copy(game, r->game, sizeof r->game) && game.size == TABLE_SHORT_CODE_CHARS &&
                   table_code_parse(game, &id);
    if (player.size != HUNT_ID_CHARS || !span_copy(player, r->player, sizeof r->player))
        r->player[0] = '\0';
    if (g != NULL) {
        request_take(h, g, r);
    } else if (!is_code || tables_find(h->room.tables, id) != NULL) {
        request_drop(h, r, ERR_TABLE_UNKNOWN, err_sentence(ERR_TABLE_UNKNOWN));
    } else {
        r->hunt = h;
        DL_APPEND(h->loading, r);
        r->load = tables_load(h->room.tables, id, request_loaded, r);
    }
    room_exit(&h->room);
}

void hunt_requests_forget(struct hunt *h) {
    while (h->loading != NULL) {
        struct hunt_request *r = h->loading;
        DL_DELETE(h->loading, r);
        tables_load_forget(r->load);
        request_drop(h, r, ERR_CLOSED, err_sentence(ERR_CLOSED));
    }
}

void hunt_poll(struct hunt *h, struct span game, struct span player, void *ticket, uint64_t now_ms) {
    struct hunt_game *g = hunt_game_find(h, game);
    struct hunt_player *p;
    room_enter(&h->room, now_ms);
    p = g == NULL ? NULL : hunt_player_find(g, player);
    if (p != NULL) /* the usual case keeps nothing */
        hunt_player_poll(p, ticket, now_ms);
    else
        request_deal(h, hunt_request_make(HUNT_REQUEST_POLL, ticket), game, player, now_ms);
    room_exit(&h->room);
}

void hunt_register(struct hunt *h, struct span game, const struct hunt_name *name, void *ticket,
                   uint64_t now_ms) {
    struct hunt_request *r = hunt_request_make(HUNT_REQUEST_REGISTER, ticket);
    name_keep(r, name);
    request_deal(h, r, game, SPAN(""), now_ms);
}

void hunt_move(struct hunt *h, struct span game, struct span player, enum treasure_direction direction,
               void *ticket, uint64_t now_ms) {
    struct hunt_request *r = hunt_request_make(HUNT_REQUEST_MOVE, ticket);
    r->direction = direction;
    request_deal(h, r, game, player, now_ms);
}

void hunt_half(struct hunt *h, struct span game, struct span player, const struct hunt_node *nodes,
               size_t count, void *ticket, uint64_t now_ms) {
    assert(count <= HUNT_NODES_MAX);
    struct hunt_request *r = hunt_request_make(HUNT_REQUEST_HALF, ticket);
    r->nodes = mem_alloc((count + 1) * sizeof *nodes);
    memcpy(r->nodes, nodes, count * sizeof *nodes);
    r->node_count = count;
    request_deal(h, r, game, player, now_ms);
}
