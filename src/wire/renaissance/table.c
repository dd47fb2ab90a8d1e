/* What happens at a table of Masters of Renaissance, told to those who are connected through this port. It is
 * told from what the table says, whoever has done it and through whatever protocol. */
#include "wire/renaissance/internal.h"

#include "base/log.h"

/* A finished table can still be looked at by others for so long, and who was away can ask how it ended. */
enum { LINGER_MS = 60 * 1000 };

/* The table as a viewer may know it. */
static struct renaissance_scene scene_of_table(const struct table *table, unsigned viewer) {
    struct renaissance_scene scene = {.state = renaissance_of_view(table_view(table, viewer))};
    for (unsigned seat = 0; seat < scene.state->seats; seat++) {
        scene.names[seat] = table_name(table, seat);
        scene.is_online[seat] = table_is_online(table, seat);
    }
    return scene;
}

static struct renaissance_scene scene_of(const struct renaissance_table *t, unsigned viewer) {
    return scene_of_table(t->table, viewer);
}

static unsigned seat_count(const struct renaissance_table *t) {
    return table_options(t->table)->seat_count;
}

static bool hears(const struct renaissance_player *player) {
    return player != NULL && player->session != NULL && !player->is_returning;
}

/* Says what is in port->out to these seats, and empties it. */
static void say(struct renaissance_table *t, seat_set seats) {
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if ((seats & SEAT_BIT(seat)) != 0 && hears(t->players[seat]))
            renaissance_say(t->port, t->players[seat]);
    buf_clear(&t->port->out);
}

#define ALL_SEATS (SEAT_BIT(RENAISSANCE_SEATS_MAX) - 1)

static void say_to_all(struct renaissance_table *t) {
    say(t, ALL_SEATS);
}

static void say_to_others(struct renaissance_table *t, unsigned but) {
    say(t, ALL_SEATS & ~SEAT_BIT(but));
}

static void say_to(struct renaissance_table *t, unsigned seat) {
    say(t, SEAT_BIT(seat));
}

enum renaissance_prompt renaissance_prompt_of(const struct renaissance_table *t, unsigned seat) {
    const struct renaissance *r = renaissance_view(t, seat);
    const struct renaissance_seat *s = &r->seat[seat];
    if (!t->is_begun || t->is_over || r->phase == RENAISSANCE_OVER || s->is_away)
        return PROMPT_NOTHING;
    if (s->stage == RENAISSANCE_MUST_KEEP)
        return PROMPT_LEADERS;
    if (s->stage == RENAISSANCE_MUST_PUT)
        return r->phase == RENAISSANCE_KEEPING ? PROMPT_NOTHING : PROMPT_RESOURCES;
    if (t->owes_empty & SEAT_BIT(seat))
        return PROMPT_RESOURCES;
    if (!t->is_set_up)
        return PROMPT_NOTHING;
    if (r->phase == RENAISSANCE_ARRANGING && r->mover == seat)
        return PROMPT_MANAGE;
    return renaissance_possible(r, seat) != 0 ? PROMPT_ACTION : PROMPT_NOTHING;
}

void renaissance_send_prompt(struct renaissance_player *player) {
    struct renaissance_table *t = player->table;
    struct renaissance_scene scene = scene_of(t, player->seat);
    struct buf *out = &t->port->out;
    enum renaissance_prompt prompt = renaissance_prompt_of(t, player->seat);
    switch (prompt) {
    case PROMPT_LEADERS: renaissance_write_leaders_request(out, &scene, player->seat); break;
    case PROMPT_RESOURCES:
        renaissance_write_resources_request(out, scene.state->seat[player->seat].gifts);
        break;
    case PROMPT_ACTION:
        renaissance_write_possible(out, renaissance_possible(scene.state, player->seat));
        break;
    case PROMPT_MANAGE: renaissance_write_manage_request(out, &scene); break;
    case PROMPT_NUMBER:
    case PROMPT_NOTHING: break;
    }
    player->prompted = prompt;
    player->needs_prompt = false;
    if (prompt != PROMPT_NOTHING)
        say_to(t, player->seat);
}

static void prompts_send(struct renaissance_table *t) {
    for (unsigned seat = 0; seat < seat_count(t); seat++) {
        struct renaissance_player *player = t->players[seat];
        if (!hears(player))
            continue;
        enum renaissance_prompt prompt = renaissance_prompt_of(t, seat);
        if (player->needs_prompt || prompt != player->prompted)
            renaissance_send_prompt(player);
    }
}

/* The starting resources are asked for: of those who get none too, as soon as everybody has its leaders. */
static void storing_tell(struct renaissance_table *t, const struct renaissance_scene *scene) {
    struct renaissance_faith_change change = {0};
    bool has_faith = false;
    t->tells_storing = true;
    for (unsigned seat = 0; seat < scene->state->seats; seat++) {
        change.faith[seat] = scene->state->seat[seat].faith;
        has_faith = has_faith || change.faith[seat] > 0;
        if (hears(t->players[seat]) && renaissance_gifts(scene->state->seats, seat) == 0)
            t->owes_empty |= SEAT_BIT(seat);
    }
    if (has_faith) {
        renaissance_write_faith(&t->port->out, scene, &change);
        say_to_all(t);
    }
}

static void board_tell(struct renaissance_table *t, const struct renaissance_scene *scene, seat_set seats) {
    renaissance_write_grid(&t->port->out, scene);
    say(t, seats);
    renaissance_write_market(&t->port->out, scene);
    say(t, seats);
}

/* The protocol wants everybody to be shown what each has kept of its leaders, which the game keeps secret: so
 * each hand is taken from the view of its own seat. Nowhere else is more told than the viewer may know. */
static void setup_write(struct renaissance_table *t) {
    struct renaissance_scene scene = scene_of(t, SEAT_WATCHER);
    struct renaissance shown = *scene.state;
    for (unsigned seat = 0; seat < shown.seats; seat++)
        memcpy(shown.seat[seat].hand, renaissance_view(t, seat)->seat[seat].hand,
               sizeof shown.seat[seat].hand);
    scene.state = &shown;
    renaissance_write_setup(&t->port->out, &scene);
}

static void setup_tell(struct renaissance_table *t, const struct renaissance_scene *scene) {
    t->is_set_up = true;
    board_tell(t, scene, ALL_SEATS);
    setup_write(t);
    say_to_all(t);
}

static void turn_tell(struct renaissance_table *t, const struct renaissance *r) {
    struct renaissance_player *player = t->players[r->mover];
    t->turn_mover = r->mover;
    t->turn_round = r->round;
    renaissance_write_turn(&t->port->out, table_name(t->table, r->mover));
    say_to_others(t, r->mover);
    if (player == NULL)
        return;
    player->chosen = 0;
    /* Who came late and was asked for its starting resources before is not asked twice: it may have answered.
     */
    if (renaissance_prompt_of(t, r->mover) == PROMPT_ACTION)
        player->needs_prompt = true;
}

/* How far the table is, apart from what was done: the set-up, and whose turn it is. */
static void progress_tell(struct renaissance_table *t) {
    struct renaissance_scene scene = scene_of(t, SEAT_WATCHER);
    const struct renaissance *r = scene.state;
    if (!t->is_begun || t->is_over)
        return;
    if (!t->tells_storing && r->phase >= RENAISSANCE_STORING)
        storing_tell(t, &scene);
    if (!t->is_set_up && t->owes_empty == 0 && r->phase >= RENAISSANCE_BEFORE)
        setup_tell(t, &scene);
    if (t->is_set_up && r->phase == RENAISSANCE_BEFORE &&
        (r->mover != t->turn_mover || r->round != t->turn_round))
        turn_tell(t, r);
}

void renaissance_go_on(struct renaissance_table *t) {
    progress_tell(t);
    prompts_send(t);
}

static void faith_tell(struct renaissance_table *t, const struct renaissance_scene *scene) {
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    unsigned count = renaissance_faith_changes(&t->told, scene->state, changes);
    for (unsigned i = 0; i < count; i++) {
        renaissance_write_faith(&t->port->out, scene, &changes[i]);
        say_to_all(t);
    }
}

/* Tolerance 26: once. */
static void end_tell(struct renaissance_table *t, const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    if ((r->is_ending || r->phase == RENAISSANCE_OVER) && !t->told.is_ending) {
        renaissance_write_end(&t->port->out);
        say_to_all(t);
    }
    if (r->phase == RENAISSANCE_OVER) {
        renaissance_write_scores(&t->port->out, scene);
        say_to_all(t);
    }
}

/* Whether something was begun that is told when it is done. */
static bool is_under_way(const struct renaissance *r) {
    return r->phase == RENAISSANCE_ARRANGING || r->phase == RENAISSANCE_CHOOSING ||
           r->phase == RENAISSANCE_PAYING || r->phase == RENAISSANCE_REVEALING ||
           r->phase == RENAISSANCE_TURNING;
}

/* The card that a seat has now and had not before. */
static unsigned card_new(const struct renaissance_seat *before, const struct renaissance_seat *now) {
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        if (renaissance_top(now, slot) != renaissance_top(before, slot))
            return renaissance_top(now, slot);
    return 0;
}

/* Writes what was done when something that was under way since t->told is done now. */
static void layout_write(struct renaissance_table *t, const struct renaissance_scene *scene,
                         const struct action *action, const struct renaissance *before) {
    struct buf *out = &t->port->out;
    unsigned seat = t->told.mover, card = card_new(&t->told.seat[seat], &scene->state->seat[seat]);
    switch (action->kind) {
    case RENAISSANCE_PLAY: renaissance_write_played(out, scene, seat, action->arg[0]); break;
    case RENAISSANCE_DISCARD: renaissance_write_discarded(out, scene, seat, action->arg[0]); break;
    case RENAISSANCE_FILL: renaissance_write_pushed(out, scene, seat, before->line); break;
    case RENAISSANCE_PAY:
    case RENAISSANCE_REVEAL:
        if (before->lorenzo_acts)
            renaissance_write_lorenzo(out, scene);
        else if (card != 0)
            renaissance_write_bought(out, scene, seat, card);
        else
            renaissance_write_produced(out, scene, seat);
        break;
    case RENAISSANCE_TOKEN: renaissance_write_lorenzo(out, scene); break;
    default: break;
    }
}

/* Answers who has done it, in the set-up and at the end of a turn. */
static void answer_tell(struct renaissance_table *t, const struct renaissance_scene *scene, unsigned seat,
                        const struct action *action) {
    struct renaissance_player *player = t->players[seat];
    struct buf *out = &t->port->out;
    bool is_ready = scene->state->seat[seat].stage == RENAISSANCE_READY;
    if (action->kind == RENAISSANCE_KEEP) {
        renaissance_write_leaders_response(out);
        say_to(t, seat);
    }
    if (action->kind == RENAISSANCE_PUT && is_ready) {
        renaissance_write_resources_response(out);
        say_to(t, seat);
    }
    if ((action->kind == RENAISSANCE_KEEP || action->kind == RENAISSANCE_PUT) && is_ready && t->is_set_up) {
        setup_write(t); /* the others had theirs without this player */
        say_to(t, seat);
    }
    if (action->kind == RENAISSANCE_END_TURN && player != NULL && player->is_ending) {
        renaissance_write_action_response(out, RENAISSANCE_MAY_END_TURN);
        say_to(t, seat);
    }
    if (player != NULL) {
        player->is_ending = false;
        player->needs_prompt = true;
    }
}

/* Everything here is told to all of them, so it is what anybody may know. */
static void table_played(void *context, const struct table_notice *notice) {
    struct renaissance_table *t = context;
    if (t->is_over)
        return;
    struct renaissance_scene scene = scene_of(t, SEAT_WATCHER);
    struct action action = notice_action(notice, SEAT_WATCHER);
    if (t->is_begun && notice->seat < RENAISSANCE_SEATS_MAX)
        answer_tell(t, &scene, notice->seat, &action);
    if (is_under_way(scene.state))
        return;
    if (t->is_begun) {
        faith_tell(t, &scene);
        layout_write(t, &scene, &action, renaissance_of_view(notice_before(notice, SEAT_WATCHER)));
        if (t->port->out.size > 0)
            say_to_all(t);
        end_tell(t, &scene);
    }
    t->told = *scene.state;
    progress_tell(t);
}

/* A seat is away, back or given up. What it had begun at the market is over with that. */
static void table_attended(void *context, const struct table_notice *notice) {
    struct renaissance_table *t = context;
    const struct renaissance *was = renaissance_of_view(notice_before(notice, SEAT_WATCHER));
    if (t->is_over)
        return;
    struct renaissance_scene scene = scene_of(t, SEAT_WATCHER);
    if (is_under_way(scene.state))
        return;
    if (t->is_begun) {
        faith_tell(t, &scene);
        if (was->phase == RENAISSANCE_ARRANGING) {
            renaissance_write_pushed(&t->port->out, &scene, was->mover, was->line);
            say_to_all(t);
        }
        end_tell(t, &scene);
    }
    t->told = *scene.state;
    progress_tell(t);
}

static void table_presence(void *context, struct table *table, unsigned seat) {
    struct renaissance_table *t = context;
    struct renaissance_player *player = t->players[seat];
    bool is_online = table_is_online(table, seat);
    renaissance_watch_empty(t);
    if (!t->is_begun || t->is_over || player == NULL || player->is_told_gone == !is_online)
        return;
    player->is_told_gone = !is_online;
    if (is_online)
        renaissance_write_back(&t->port->out, player->name);
    else
        renaissance_write_gone(&t->port->out, player->name);
    say_to_others(t, seat);
    json_port_flush(t->port->json);
}

static void table_sat(void *context, struct table *table, unsigned seat) {
    (void)table;
    renaissance_lobby_sat(context, seat);
}

static void table_stalled(void *context, struct table *table) {
    struct renaissance_table *t = context;
    (void)table;
    renaissance_write_error(&t->port->out, RENAISSANCE_ERROR_STALLED, ERR_IO);
    say_to_all(t);
    json_port_flush(t->port->json);
}

/* Everybody has come. */
static void table_begin(struct renaissance_table *t) {
    struct renaissance_scene scene = scene_of(t, SEAT_WATCHER);
    t->is_begun = true;
    t->told = *scene.state;
    renaissance_write_players(&t->port->out, &scene);
    say_to_all(t);
    board_tell(t, &scene, ALL_SEATS);
    for (unsigned seat = 0; seat < scene.state->seats; seat++) {
        struct renaissance_player *player = t->players[seat];
        /* The newest player, through another protocol, is about to be there: that is no return. */
        player->is_told_gone =
            player->is_elsewhere ? seat != t->newest && !scene.is_online[seat] : player->session == NULL;
        if (!player->is_told_gone)
            continue;
        renaissance_write_gone(&t->port->out, player->name);
        say_to_others(t, seat);
        if (!player->is_elsewhere)
            table_attend(t->table, seat, SEAT_AWAY, t->port->now_ms);
    }
}

void renaissance_complete_return(struct renaissance_player *player) {
    struct renaissance_table *t = player->table;
    struct renaissance_scene scene = scene_of(t, player->seat);
    const struct renaissance *r = scene.state;
    struct buf *out = &t->port->out;
    if (table_is_busy(t->table) || r->seat[player->seat].is_away)
        return;
    player->is_returning = false;
    renaissance_write_players(out, &scene);
    say_to(t, player->seat);
    board_tell(t, &scene, SEAT_BIT(player->seat));
    renaissance_write_update(out, &scene, player->seat);
    say_to(t, player->seat);
    if (r->seats == 1) {
        renaissance_write_lorenzo(out, &scene);
        say_to(t, player->seat);
    }
    if (r->is_ending) {
        renaissance_write_end(out);
        say_to(t, player->seat);
    }
    if (t->is_set_up && r->mover != player->seat) {
        renaissance_write_turn(out, table_name(t->table, r->mover));
        say_to(t, player->seat);
    }
    renaissance_send_prompt(player);
}

static void linger_due(struct timer *timer, uint64_t now_ms) {
    struct renaissance_table *t = TIMER_OWNER(timer, struct renaissance_table, timer);
    t->port->now_ms = now_ms;
    renaissance_table_free(t);
}

/* The player is free of its table. Who was coming back, and has not been answered yet, logs in anew. */
static void player_release(struct renaissance_port *p, struct renaissance_player *player) {
    struct renaissance_session *session = player->session;
    bool is_returning = player->is_returning;
    char name[sizeof player->name];
    memcpy(name, player->name, sizeof name);
    renaissance_player_free(p, player);
    if (session == NULL)
        return;
    session->player = NULL;
    if (is_returning)
        renaissance_login(p, session, span_of(name));
    json_peer_resume(session->peer, p->now_ms);
}

/* Appends everything that somebody who comes back to this seat after the end is told, message by message. */
static void end_write(struct buf *out, const struct renaissance_scene *scene, unsigned seat) {
    static void (*const parts[])(struct buf *, const struct renaissance_scene *) = {
        renaissance_write_players, renaissance_write_grid, renaissance_write_market};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        parts[i](out, scene);
        buf_append_byte(out, '\n');
    }
    renaissance_write_update(out, scene, seat);
    buf_append_byte(out, '\n');
    if (scene->state->seats == 1) {
        renaissance_write_lorenzo(out, scene);
        buf_append_byte(out, '\n');
    }
    renaissance_write_end(out);
    buf_append_byte(out, '\n');
    renaissance_write_scores(out, scene);
}

/* Keeps how the table ended for these seats, as far as their players came through this port. */
static void end_keep(struct renaissance_port *p, const struct table *table, seat_set seats) {
    for (unsigned seat = 0; seat < table_options(table)->seat_count; seat++) {
        struct renaissance_scene own = scene_of_table(table, seat);
        if (own.state->phase != RENAISSANCE_OVER || (seats & SEAT_BIT(seat)) == 0 ||
            strcmp(table_note(table, seat), RENAISSANCE_SEAT_NOTE) != 0)
            continue;
        own.is_online[seat] = true;
        end_write(&p->out, &own, seat);
        farewells_add(&p->farewells, span_of(own.names[seat]), buf_span(&p->out), p->now_ms,
                      p->now_ms + LINGER_MS);
        buf_clear(&p->out);
    }
}

static seat_set seats_away(const struct renaissance_table *t) {
    seat_set seats = 0;
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if (t->players[seat] != NULL && !hears(t->players[seat]))
            seats |= SEAT_BIT(seat);
    return seats;
}

/* The table is over: whoever played there may log in again, under any name. */
static void table_end(struct renaissance_table *t) {
    end_keep(t->port, t->table, seats_away(t));
    if (renaissance_view(t, SEAT_WATCHER)->phase != RENAISSANCE_OVER) { /* given up from outside */
        renaissance_write_end(&t->port->out);
        say_to_all(t);
    }
    t->is_over = true;
    t->port->table_count--;
    for (unsigned seat = 0; seat < seat_count(t); seat++) {
        struct renaissance_player *player = t->players[seat];
        if (player == NULL)
            continue;
        t->players[seat] = NULL;
        player_release(t->port, player);
    }
    timers_arm(&t->port->timers, &t->timer, t->port->now_ms + LINGER_MS, linger_due);
    renaissance_lobby_go_on(t->port);
}

/* Goes on with what players sent while the table was busy. Each may make it busy again. */
static void players_resume(struct renaissance_table *t) {
    for (unsigned seat = 0; seat < seat_count(t); seat++) {
        struct renaissance_player *player = t->players[seat];
        if (player != NULL && player->session != NULL && !table_is_busy(t->table))
            json_peer_resume(player->session->peer, t->port->now_ms);
    }
}

static void table_settled(void *context, struct table *table) {
    struct renaissance_table *t = context;
    struct renaissance_port *p = t->port;
    if (t->is_over)
        return;
    if (table_state_word(table) == TABLE_OVER) {
        table_end(t);
        json_port_flush(p->json);
        return;
    }
    for (unsigned seat = 0; seat < seat_count(t); seat++)
        if (t->players[seat] != NULL && t->players[seat]->session != NULL)
            table_set_online(table, seat, true);
    if (!t->is_begun && !renaissance_lobby_clear(t) && table_free_seats(table) == 0)
        table_begin(t);
    if (t->is_begun) {
        for (unsigned seat = 0; seat < seat_count(t); seat++)
            if (t->players[seat]->is_returning)
                renaissance_complete_return(t->players[seat]);
        renaissance_go_on(t);
    }
    renaissance_lobby_go_on(p);
    players_resume(t);
    json_port_flush(p->json);
}

const struct table_listener renaissance_listener = {
    .settled = table_settled,
    .stalled = table_stalled,
    .sat = table_sat,
    .played = table_played,
    .attended = table_attended,
    .presence = table_presence,
};
