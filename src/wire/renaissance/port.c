#include "wire/renaissance/port.h"

#include "base/log.h"
#include "base/mem.h"
#include "wire/renaissance/internal.h"

#include <assert.h>
#include <utlist.h>

struct renaissance_port_config renaissance_port_config_default(void) {
    return (struct renaissance_port_config){
        .ping_ms = 2000,
        .silence_ms = 5000,
        .keep_ms = 10 * 60 * 1000,
        .return_ms = 30 * 1000,
        .answer_ms = 30 * 1000,
        .players_max = 10000,
        .tables_max = 1000,
        .name_chars_min = 4,
        .name_chars_max = 15,
    };
}

void renaissance_say(struct renaissance_port *p, const struct renaissance_player *player) {
    json_peer_send(player->session->peer, buf_span(&p->out));
}

static void session_say(struct renaissance_port *p, struct renaissance_session *session) {
    json_peer_send(session->peer, buf_span(&p->out));
    buf_clear(&p->out);
}

/* Says what the player is asked for once more, when it is asked for something. */
static void repeat_request(struct renaissance_port *p, struct renaissance_session *session) {
    struct renaissance_player *player = session->player;
    if (player == NULL || player->is_returning)
        return;
    if (player->table != NULL) {
        renaissance_send_prompt(player);
    } else if (player->is_asked) {
        renaissance_write_number_request(&p->out);
        session_say(p, session);
    }
}

/* Refuses a message, and repeats what is asked for. Nothing has happened. */
static void refuse(struct renaissance_port *p, struct renaissance_session *session,
                   enum renaissance_error error, enum err why) {
    json_peer_refused(session->peer, why);
    renaissance_write_error(&p->out, error, why);
    session_say(p, session);
    repeat_request(p, session);
}

/* What may be answered at the moment. */
static enum renaissance_prompt prompt_of(const struct renaissance_session *session) {
    const struct renaissance_player *player = session->player;
    if (player == NULL || player->is_returning)
        return PROMPT_NOTHING;
    if (player->table == NULL)
        return player->is_asked ? PROMPT_NUMBER : PROMPT_NOTHING;
    return renaissance_prompt_of(player->table, player->seat);
}

/* The player does what the message says. */
static enum err act(struct renaissance_port *p, struct renaissance_player *player,
                    const struct renaissance_message *m, unsigned choice) {
    struct renaissance_table *t = player->table;
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX];
    size_t count;
    enum err e =
        renaissance_read_actions(renaissance_view(t, player->seat), player->seat, m, choice, actions, &count);
    if (e == ERR_OK)
        e = table_act(t->table, player->seat, actions, count, p->now_ms);
    if (e != ERR_OK)
        log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(err_word(e))));
    return e;
}

static void act_or_refuse(struct renaissance_port *p, struct renaissance_session *session,
                          const struct renaissance_message *m, enum renaissance_error error) {
    enum err e = act(p, session->player, m, 0);
    if (e != ERR_OK)
        refuse(p, session, error, e);
}

/* Who gets no starting resources says so with an empty warehouse, which changes nothing at the table. */
static void take_empty(struct renaissance_port *p, struct renaissance_session *session,
                       const struct renaissance_message *m) {
    struct renaissance_player *player = session->player;
    if (!renaissance_reads_empty(m)) {
        refuse(p, session, RENAISSANCE_ERROR_RESOURCES, ERR_GIFTS_COUNT);
        return;
    }
    player->table->owes_empty &= ~SEAT_BIT(player->seat);
    renaissance_write_resources_response(&p->out);
    session_say(p, session);
    renaissance_go_on(player->table);
}

static void take_resources(struct renaissance_port *p, struct renaissance_session *session,
                           const struct renaissance_message *m) {
    struct renaissance_player *player = session->player;
    if (player->table->owes_empty & SEAT_BIT(player->seat))
        take_empty(p, session, m);
    else
        act_or_refuse(p, session, m, RENAISSANCE_ERROR_RESOURCES);
}

/* The turn ends with actionReply ENDTURN; an endTurn right after it is not needed, but may come (tolerance
 * 9). */
static void take_action(struct renaissance_port *p, struct renaissance_session *session,
                        const struct renaissance_message *m) {
    struct renaissance_player *player = session->player;
    if ((renaissance_possible(renaissance_view(player->table, player->seat), player->seat) & m->choice) ==
        0) {
        refuse(p, session, RENAISSANCE_ERROR_ACTION, ERR_NOT_OFFERED);
        return;
    }
    if (m->choice != RENAISSANCE_MAY_END_TURN) {
        player->chosen = m->choice;
        renaissance_write_action_response(&p->out, m->choice);
        session_say(p, session);
        return;
    }
    struct renaissance_message end = {.type = RENAISSANCE_MESSAGE_END_TURN};
    enum err e = act(p, player, &end, 0);
    if (e != ERR_OK) {
        refuse(p, session, RENAISSANCE_ERROR_ACTION, e);
        return;
    }
    player->is_ending = session->swallows_end = true;
}

/* Parameters are for the action that was announced last (tolerance 7). */
static void take_parameters(struct renaissance_port *p, struct renaissance_session *session,
                            const struct renaissance_message *m) {
    struct renaissance_player *player = session->player;
    bool is_line = m->type == RENAISSANCE_MESSAGE_LINE;
    unsigned choice = player->chosen, named = is_line ? RENAISSANCE_MAY_PUSH : m->choice;
    unsigned possible = renaissance_possible(renaissance_view(player->table, player->seat), player->seat);
    if (choice == 0 && p->config.is_lenient)
        choice = named & possible;
    player->chosen = 0;
    bool is_named_right = is_line || m->has_choice ? named == choice : true;
    enum err e = ERR_NOT_ANNOUNCED;
    if (choice != 0 && is_named_right && (is_line || choice != RENAISSANCE_MAY_PUSH))
        e = act(p, player, m, choice);
    if (e != ERR_OK)
        refuse(p, session, RENAISSANCE_ERROR_ACTION, e);
}

/* Why an answer is not the one that is awaited (tolerances 6, 10, 36). */
static enum err unasked(const struct renaissance_session *session, const struct renaissance_message *m) {
    const struct renaissance_player *player = session->player;
    if (player == NULL)
        return ERR_NOT_LOGGED_IN;
    if (m->username.data != NULL && !span_is(m->username, player->name))
        return ERR_NOT_YOUR_NAME;
    bool is_waiting = player->table != NULL && prompt_of(session) == PROMPT_NOTHING;
    return is_waiting ? ERR_NOT_YOUR_TURN : ERR_NOT_ASKED;
}

static void refuse_peer(struct buf *out, enum err why) {
    renaissance_write_error(out, RENAISSANCE_ERROR_ACTION, why);
}

static void take_number(struct renaissance_port *p, struct renaissance_session *session, int64_t number) {
    enum err e = renaissance_choose_number(p, session->player, number);
    if (e == ERR_OK)
        renaissance_lobby_go_on(p);
    else if (e == ERR_ADDRESS_FULL)
        refuse(p, session, RENAISSANCE_ERROR_ACTION, e);
    else
        repeat_request(p, session);
}

/* The answer to what is asked for; anything else is refused (tolerance 36). */
static void take_answer(struct renaissance_port *p, struct renaissance_session *session,
                        const struct renaissance_message *m) {
    static const uint8_t answers[] = {
        [RENAISSANCE_MESSAGE_NUMBER] = PROMPT_NUMBER,       [RENAISSANCE_MESSAGE_LEADERS] = PROMPT_LEADERS,
        [RENAISSANCE_MESSAGE_RESOURCES] = PROMPT_RESOURCES, [RENAISSANCE_MESSAGE_ACTION] = PROMPT_ACTION,
        [RENAISSANCE_MESSAGE_PARAMETERS] = PROMPT_ACTION,   [RENAISSANCE_MESSAGE_LINE] = PROMPT_ACTION,
        [RENAISSANCE_MESSAGE_MANAGE] = PROMPT_MANAGE,       [RENAISSANCE_MESSAGE_END_TURN] = PROMPT_ACTION,
    };
    struct renaissance_player *player = session->player;
    bool is_own = player != NULL && (m->username.data == NULL || span_is(m->username, player->name));
    if (!is_own || answers[m->type] != prompt_of(session)) { /* tolerances 6, 10 */
        refuse(p, session, RENAISSANCE_ERROR_ACTION, unasked(session, m));
        return;
    }
    switch (m->type) {
    case RENAISSANCE_MESSAGE_NUMBER: take_number(p, session, m->number); break;
    case RENAISSANCE_MESSAGE_LEADERS: act_or_refuse(p, session, m, RENAISSANCE_ERROR_LEADERS); break;
    case RENAISSANCE_MESSAGE_RESOURCES: take_resources(p, session, m); break;
    case RENAISSANCE_MESSAGE_ACTION: take_action(p, session, m); break;
    case RENAISSANCE_MESSAGE_MANAGE: act_or_refuse(p, session, m, RENAISSANCE_ERROR_MANAGE); break;
    case RENAISSANCE_MESSAGE_END_TURN: act_or_refuse(p, session, m, RENAISSANCE_ERROR_ACTION); break;
    default: take_parameters(p, session, m);
    }
}

static void port_received(void *context, struct json_peer *peer, const json_t *message, uint64_t now_ms) {
    struct renaissance_port *p = context;
    struct renaissance_session *session = json_peer_session(peer);
    struct renaissance_message m;
    p->now_ms = now_ms;
    enum err e = renaissance_read_message(message, &m);
    if (e != ERR_OK) {
        session->swallows_end = false;
        refuse(p, session, RENAISSANCE_ERROR_ACTION, e);
        return;
    }
    if (m.type == RENAISSANCE_MESSAGE_PONG)
        return;
    bool is_swallowed = session->swallows_end && m.type == RENAISSANCE_MESSAGE_END_TURN;
    session->swallows_end = false;
    if (is_swallowed)
        return;
    if (m.type != RENAISSANCE_MESSAGE_LOGIN) {
        take_answer(p, session, &m);
    } else if (session->player == NULL) {
        bool fits = span_copy(m.seed, session->seed, sizeof session->seed);
        assert(fits);
        (void)fits;
        renaissance_login(p, session, m.username);
    } else { /* tolerance 35 */
        renaissance_write_username(&p->out, NULL);
        session_say(p, session);
    }
}

/* The connection is gone. */
static void session_end(struct renaissance_port *p, struct renaissance_session *session) {
    struct renaissance_player *player = session->player;
    DL_DELETE(p->sessions, session);
    json_peer_set_session(session->peer, NULL);
    mem_free(session);
    if (player != NULL)
        renaissance_leave(p, player);
}

static void port_malformed(void *context, struct json_peer *peer, enum err why, const char *complaint,
                           uint64_t now_ms) {
    struct renaissance_port *p = context;
    struct renaissance_session *session = json_peer_session(peer);
    p->now_ms = now_ms;
    session->swallows_end = false;
    log_event(LOG_DEBUG, "message-refused", LOG_TEXT("why", span_of(complaint)));
    if (why != ERR_TOO_LARGE) { /* tolerance 34 */
        refuse(p, session, RENAISSANCE_ERROR_ACTION, why);
        return;
    }
    renaissance_write_error(&p->out, RENAISSANCE_ERROR_ACTION, why);
    session_say(p, session);
    session_end(p, session);
    json_peer_close(peer);
}

static bool port_place(void *context, const struct json_peer *peer, uint64_t *table, unsigned *seat) {
    const struct renaissance_session *session = json_peer_session(peer);
    (void)context;
    if (session == NULL || session->player == NULL || session->player->table == NULL)
        return false;
    *table = table_id(session->player->table->table);
    *seat = session->player->seat;
    return true;
}

static void port_opened(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct renaissance_port *p = context;
    struct renaissance_session *session = mem_alloc(sizeof *session);
    p->now_ms = now_ms;
    session->peer = peer;
    json_peer_set_session(peer, session);
    DL_APPEND(p->sessions, session);
}

static void port_closed(void *context, struct json_peer *peer, uint64_t now_ms) {
    struct renaissance_port *p = context;
    p->now_ms = now_ms;
    session_end(p, json_peer_session(peer));
}

/* A message is judged by how the table stands, so it waits until what is on its way is saved. */
static bool port_may_hear(void *context, const struct json_peer *peer) {
    const struct renaissance_session *session = json_peer_session(peer);
    (void)context;
    return session->player == NULL || session->player->table == NULL ||
           !table_is_busy(session->player->table->table);
}

static uint64_t port_next_ms(void *context) {
    const struct renaissance_port *p = context;
    return p->has_restored ? 0 : timers_next_ms(&p->timers);
}

static void port_advance(void *context, uint64_t now_ms) {
    struct renaissance_port *p = context;
    struct renaissance_table *t;
    p->now_ms = now_ms;
    if (p->has_restored) {
        p->has_restored = false;
        DL_FOREACH(p->tables, t) renaissance_adopted(t);
        renaissance_lobby_go_on(p);
    }
    timers_advance(&p->timers, now_ms);
}

/* Everybody is disconnected, but nobody is away: whoever comes after the restart goes on. */
static void port_shutdown(void *context) {
    struct renaissance_port *p = context;
    struct renaissance_session *session, *next;
    DL_FOREACH_SAFE(p->sessions, session, next) {
        if (session->player != NULL)
            session->player->session = NULL;
        mem_free(session);
    }
    p->sessions = NULL;
}

static void port_free(void *context) {
    struct renaissance_port *p = context;
    struct renaissance_player *player, *next;
    port_shutdown(p);
    tables_remove_door(p->config.tables, RENAISSANCE_PROTOCOL);
    while (p->tables != NULL)
        renaissance_table_free(p->tables);
    DL_FOREACH_SAFE(p->waiting, player, next) renaissance_player_free(p, player);
    farewells_free(&p->farewells);
    timers_free(&p->timers);
    buf_free(&p->out);
    mem_free(p);
}

static void adopt(void *context, struct table *table) {
    if (strcmp(table_protocol(table), RENAISSANCE_PROTOCOL) == 0)
        renaissance_adopt(context, table);
}

struct port *renaissance_port_create(const struct renaissance_port_config *config) {
    struct renaissance_port *p = mem_alloc(sizeof *p);
    struct table_door door = renaissance_door;
    p->config = *config;
    p->json = json_port_create(&(struct json_port_config){.ping_every_ms = config->ping_ms,
                                                          .silence_ms = config->silence_ms,
                                                          .inspector = config->inspector,
                                                          .protocol = RENAISSANCE_PROTOCOL},
                               &(struct json_dialect){.context = p,
                                                      .opened = port_opened,
                                                      .refuse = refuse_peer,
                                                      .may_hear = port_may_hear,
                                                      .received = port_received,
                                                      .malformed = port_malformed,
                                                      .place = port_place,
                                                      .closed = port_closed,
                                                      .next_ms = port_next_ms,
                                                      .advance = port_advance,
                                                      .shutdown = port_shutdown,
                                                      .free = port_free});
    tables_each(config->tables, adopt, p);
    door.context = p;
    tables_add_door(config->tables, &door);
    return p->json;
}
