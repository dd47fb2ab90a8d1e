/* What happens at a table of Masters of Renaissance, told to those who are connected through this room. It is
 * told from what the room tells, whoever has done it and through whatever protocol. */
#include "wire/renaissance/internal.h"

const struct renaissance *renaissance_view(const struct room_table *rt, unsigned viewer) {
    return renaissance_of_view(table_view(rt->table, viewer));
}

static struct renaissance_scene told_scene(const struct room_table *rt, unsigned viewer) {
    struct renaissance_scene scene = {.state = renaissance_view(rt, viewer)};
    for (unsigned seat = 0; seat < scene.state->seats; seat++) {
        scene.names[seat] = table_name(rt->table, seat);
        scene.is_online[seat] = table_is_online(rt->table, seat);
    }
    return scene;
}

/* Saying. */

static bool told_hears(struct room_member *m) {
    return m != NULL && !renaissance_talk(m)->is_returning;
}

/* To all of them but one seat; SEAT_WATCHER: to all. */
static void told_say(struct room_table *rt, unsigned but) {
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (seat != but && told_hears(rt->seats[seat].member))
            json_say(rt->seats[seat].member);
}

void renaissance_tell_stalled(struct room_table *rt) {
    renaissance_write_error(json_room_message(rt->room), RENAISSANCE_ERROR_STALLED, ERR_IO);
    told_say(rt, SEAT_WATCHER);
    if (rt->sitter != NULL)
        json_say(rt->sitter);
}

void renaissance_tell_presence(struct room_table *rt, unsigned seat) {
    const char *name = table_name(rt->table, seat);
    if (table_is_online(rt->table, seat))
        renaissance_write_back(json_room_message(rt->room), name);
    else
        renaissance_write_gone(json_room_message(rt->room), name);
    told_say(rt, seat);
}

/* What is asked for. */

static enum renaissance_prompt prompt_of_seat(struct room_table *rt, unsigned seat) {
    const struct renaissance_table *t = renaissance_table(rt);
    const struct renaissance *r = renaissance_view(rt, seat);
    const struct renaissance_seat *s = &r->seat[seat];
    if (rt->is_forming || rt->is_over || r->phase == RENAISSANCE_OVER || s->is_away)
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

enum renaissance_prompt renaissance_prompt_of(struct room_member *m) {
    if (m->seat == SEAT_WATCHER)
        return m->is_asked ? PROMPT_NUMBER : PROMPT_NOTHING;
    return renaissance_talk(m)->is_returning ? PROMPT_NOTHING : prompt_of_seat(m->at, m->seat);
}

void renaissance_tell_prompt(struct room_member *m) {
    struct renaissance_talk *talk = renaissance_talk(m);
    struct renaissance_scene scene = {0};
    struct buf *out = json_room_message(m->room);
    if (m->seat != SEAT_WATCHER)
        scene = told_scene(m->at, m->seat);
    talk->prompted = renaissance_prompt_of(m);
    talk->needs_prompt = false;
    switch (talk->prompted) {
    case PROMPT_NUMBER: renaissance_write_number_request(out); break;
    case PROMPT_LEADERS: renaissance_write_leaders_request(out, &scene, m->seat); break;
    case PROMPT_RESOURCES: renaissance_write_resources_request(out, scene.state->seat[m->seat].gifts); break;
    case PROMPT_ACTION: renaissance_write_possible(out, renaissance_possible(scene.state, m->seat)); break;
    case PROMPT_MANAGE: renaissance_write_manage_request(out, &scene); break;
    case PROMPT_NOTHING: break;
    }
    json_say(m);
}

/* How far the table is. */

static void renaissance_told_write_board(struct buf *out, const struct renaissance_scene *scene) {
    renaissance_write_grid(out, scene);
    renaissance_write_market(out, scene);
}

/* The starting resources are asked for: of those who get none too, as soon as everybody has its leaders. */
static void write_storing(struct buf *out, struct room_table *rt, const struct renaissance_scene *scene) {
    struct renaissance_table *t = renaissance_table(rt);
    struct renaissance_faith_change change = {0};
    bool has_faith = false;
    t->tells_storing = true;
    for (unsigned seat = 0; seat < scene->state->seats; seat++) {
        change.faith[seat] = scene->state->seat[seat].faith;
        has_faith = has_faith || change.faith[seat] > 0;
        if (told_hears(rt->seats[seat].member) && renaissance_gifts(scene->state->seats, seat) == 0)
            t->owes_empty |= SEAT_BIT(seat);
    }
    if (has_faith)
        renaissance_write_faith(out, scene, &change);
}

/* The protocol wants everybody to be shown what each has kept of its leaders, which the game keeps secret: so
 * each hand is taken from the view of its own seat. Nowhere else is more told than the viewer may know. */
static void renaissance_told_write_setup(struct buf *out, const struct room_table *rt) {
    struct renaissance_scene scene = told_scene(rt, SEAT_WATCHER);
    struct renaissance shown = *scene.state;
    for (unsigned seat = 0; seat < shown.seats; seat++)
        memcpy(shown.seat[seat].hand, renaissance_view(rt, seat)->seat[seat].hand,
               sizeof shown.seat[seat].hand);
    scene.state = &shown;
    renaissance_write_setup(out, &scene);
}

static void told_turn(struct room_table *rt, const struct renaissance *r) {
    struct renaissance_table *t = renaissance_table(rt);
    struct room_member *m = rt->seats[r->mover].member;
    t->turn_mover = r->mover;
    t->turn_round = r->round;
    renaissance_write_turn(json_room_message(rt->room), table_name(rt->table, r->mover));
    told_say(rt, r->mover);
    if (m == NULL)
        return;
    renaissance_talk(m)->chosen = 0;
    /* A player who came late and was asked for its starting resources before is not asked twice: it may have
     * answered.
     */
    if (renaissance_prompt_of(m) == PROMPT_ACTION)
        renaissance_talk(m)->needs_prompt = true;
}

/* How far the table is, apart from what was done: the set-up, and whose turn it is. */
static void told_progress(struct room_table *rt) {
    struct renaissance_table *t = renaissance_table(rt);
    struct renaissance_scene scene = told_scene(rt, SEAT_WATCHER);
    const struct renaissance *r = scene.state;
    struct buf *out = json_room_message(rt->room);
    if (rt->is_forming || rt->is_over)
        return;
    if (!t->tells_storing && r->phase >= RENAISSANCE_STORING)
        write_storing(out, rt, &scene);
    if (!t->is_set_up && t->owes_empty == 0 && r->phase >= RENAISSANCE_BEFORE) {
        t->is_set_up = true;
        renaissance_told_write_board(out, &scene);
        renaissance_told_write_setup(out, rt);
    }
    told_say(rt, SEAT_WATCHER);
    if (t->is_set_up && r->phase == RENAISSANCE_BEFORE &&
        (r->mover != t->turn_mover || r->round != t->turn_round))
        told_turn(rt, r);
}

void renaissance_tell_progress(struct room_table *rt) {
    told_progress(rt);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_member *m = rt->seats[seat].member;
        if (told_hears(m) &&
            (renaissance_talk(m)->needs_prompt || renaissance_talk(m)->prompted != renaissance_prompt_of(m)))
            renaissance_tell_prompt(m);
    }
}

/* The newest player, through another protocol, is about to be there: that is no return. */
void renaissance_tell_begin(struct room_table *rt) {
    struct renaissance_table *t = renaissance_table(rt);
    struct renaissance_scene scene = told_scene(rt, SEAT_WATCHER);
    struct buf *out = json_room_message(rt->room);
    t->told = *scene.state;
    t->turn_mover = SEAT_CHANCE;
    renaissance_write_players(out, &scene);
    renaissance_told_write_board(out, &scene);
    told_say(rt, SEAT_WATCHER);
    for (unsigned seat = 0; seat < scene.state->seats; seat++) {
        if (scene.is_online[seat] || (seat == t->newest && !rt->seats[seat].is_away))
            continue;
        room_seat_miss(&rt->seats[seat]);
        renaissance_tell_presence(rt, seat);
        if (renaissance_seat_is_ours(rt, seat))
            table_attend(rt->table, seat, SEAT_AWAY, rt->room->now_ms);
    }
}

void renaissance_tell_resumed(struct room_table *rt) {
    struct renaissance_table *t = renaissance_table(rt);
    const struct renaissance *r = renaissance_view(rt, SEAT_WATCHER);
    t->told = *r;
    t->tells_storing = r->phase >= RENAISSANCE_STORING;
    t->is_set_up = r->phase >= RENAISSANCE_BEFORE;
    t->turn_mover = t->is_set_up ? r->mover : SEAT_CHANCE;
    t->turn_round = r->round;
}

/* What was done. */

static void write_faith(struct buf *out, const struct renaissance *then,
                        const struct renaissance_scene *scene) {
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    unsigned count = renaissance_faith_changes(then, scene->state, changes);
    for (unsigned i = 0; i < count; i++)
        renaissance_write_faith(out, scene, &changes[i]);
}

/* Tolerance 26: once. */
static void write_ending(struct buf *out, const struct renaissance *then,
                         const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    if ((r->is_ending || r->phase == RENAISSANCE_OVER) && !then->is_ending)
        renaissance_write_end(out);
    if (r->phase == RENAISSANCE_OVER)
        renaissance_write_scores(out, scene);
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

/* Writes what was done when something that was under way since then is done now. */
static void write_layout(struct buf *out, const struct renaissance *then,
                         const struct renaissance_scene *scene, const struct action *action,
                         const struct renaissance *before) {
    unsigned seat = then->mover, card = card_new(&then->seat[seat], &scene->state->seat[seat]);
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
static void told_answer(struct room_member *m, const struct renaissance_seat *s,
                        const struct action *action) {
    struct renaissance_talk *talk = renaissance_talk(m);
    struct buf *out = json_room_message(m->room);
    bool is_keep = action->kind == RENAISSANCE_KEEP, is_put = action->kind == RENAISSANCE_PUT;
    bool is_ready = s->stage == RENAISSANCE_READY;
    if (is_keep)
        renaissance_write_leaders_response(out);
    if (is_put && is_ready)
        renaissance_write_resources_response(out);
    if ((is_keep || is_put) && is_ready && renaissance_table(m->at)->is_set_up)
        renaissance_told_write_setup(out, m->at); /* the others had theirs without this player */
    if (action->kind == RENAISSANCE_END_TURN && talk->is_ending)
        renaissance_write_action_response(out, RENAISSANCE_MAY_END_TURN);
    if (told_hears(m))
        json_say(m);
    talk->is_ending = false;
    talk->needs_prompt = true;
}

/* What a seat had begun at the market is over when it is away or gone. Everything but the answer is told to
 * all of them, so it is what anybody may know. */
void renaissance_tell_step(const struct room_notice *n) {
    struct room_table *rt = n->table;
    struct renaissance *then = &renaissance_table(rt)->told;
    struct renaissance_scene scene = told_scene(rt, SEAT_WATCHER);
    const struct renaissance *before = renaissance_of_view(notice_before(n->played, SEAT_WATCHER));
    bool is_action = n->kind == ROOM_PLAYED, is_told = !rt->is_forming;
    struct action action = is_action ? notice_action(n->played, SEAT_WATCHER) : (struct action){0};
    if (is_action && is_told && n->seat < RENAISSANCE_SEATS_MAX && rt->seats[n->seat].member != NULL)
        told_answer(rt->seats[n->seat].member, &scene.state->seat[n->seat], &action);
    if (is_under_way(scene.state))
        return;
    struct buf *out = json_room_message(rt->room);
    if (is_told)
        write_faith(out, then, &scene);
    if (is_told && is_action)
        write_layout(out, then, &scene, &action, before);
    else if (is_told && before->phase == RENAISSANCE_ARRANGING)
        renaissance_write_pushed(out, &scene, before->mover, before->line);
    if (is_told)
        write_ending(out, then, &scene);
    told_say(rt, SEAT_WATCHER);
    *then = *scene.state;
    told_progress(rt);
}

/* Return and end. */

/* Everything that somebody who comes back to this seat is told. */
static void write_whole(struct buf *out, const struct renaissance_scene *scene, unsigned seat) {
    renaissance_write_players(out, scene);
    renaissance_told_write_board(out, scene);
    renaissance_write_update(out, scene, seat);
    if (scene->state->seats == 1)
        renaissance_write_lorenzo(out, scene);
    if (scene->state->is_ending || scene->state->phase == RENAISSANCE_OVER)
        renaissance_write_end(out);
}

void renaissance_tell_return(struct room_member *m) {
    struct room_table *rt = m->at;
    struct renaissance_scene scene = told_scene(rt, m->seat);
    const struct renaissance *r = scene.state;
    struct buf *out = json_room_message(rt->room);
    if (table_is_busy(rt->table) || r->seat[m->seat].is_away)
        return;
    renaissance_talk(m)->is_returning = false;
    write_whole(out, &scene, m->seat);
    if (renaissance_table(rt)->is_set_up && r->mover != m->seat)
        renaissance_write_turn(out, table_name(rt->table, r->mover));
    json_say(m);
    renaissance_tell_prompt(m);
}

static void farewell_add(struct room_table *rt, unsigned seat) {
    struct renaissance_scene scene = told_scene(rt, seat);
    struct buf *out = json_room_message(rt->room);
    scene.is_online[seat] = true;
    write_whole(out, &scene, seat);
    renaissance_write_scores(out, &scene);
    json_farewell_keep(rt, seat, RENAISSANCE_LINGER_MS);
}

void renaissance_tell_end(struct room_table *rt) {
    if (renaissance_view(rt, SEAT_WATCHER)->phase != RENAISSANCE_OVER) { /* given up from outside */
        renaissance_write_end(json_room_message(rt->room));
        told_say(rt, SEAT_WATCHER);
        return;
    }
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (!told_hears(rt->seats[seat].member) && renaissance_seat_is_ours(rt, seat))
            farewell_add(rt, seat);
}
