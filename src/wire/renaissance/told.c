/* What happens at a table of Masters of Renaissance, told to those who are connected through this room. It is
 * told from what the room tells, whoever has done it and through whatever protocol. */
#include "wire/renaissance/internal.h"

const struct renaissance *renaissance_view(const struct room_table *rt, unsigned viewer) {
    return renaissance_of_view(table_view(rt->table, viewer));
}

struct renaissance_scene renaissance_scene(const struct room_table *rt, unsigned viewer) {
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
            renaissance_say(rt->seats[seat].member);
}

void renaissance_tell_stalled(struct room_table *rt) {
    renaissance_begin(rt->room);
    RENAISSANCE_PUT(rt->room, ERROR, .error = RENAISSANCE_ERROR_STALLED, .why = ERR_IO);
    told_say(rt, SEAT_WATCHER);
    if (rt->sitter != NULL)
        renaissance_say(rt->sitter);
}

void renaissance_tell_presence(struct room_table *rt, unsigned seat) {
    const char *name = table_name(rt->table, seat);
    bool was_unsure = (renaissance_table(rt)->unsure & SEAT_BIT(seat)) != 0;
    renaissance_table(rt)->unsure &= ~SEAT_BIT(seat);
    if (was_unsure && table_is_online(rt->table, seat))
        return;
    renaissance_begin(rt->room);
    if (table_is_online(rt->table, seat))
        RENAISSANCE_PUT(rt->room, BACK, .seat = seat, .name = name);
    else
        RENAISSANCE_PUT(rt->room, GONE, .seat = seat, .name = name);
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
        return m->is_asked || m->is_slow ? PROMPT_NUMBER : PROMPT_NOTHING;
    return renaissance_talk(m)->is_returning ? PROMPT_NOTHING : prompt_of_seat(m->at, m->seat);
}

static void told_put_prompt(struct room_member *m, enum renaissance_prompt prompt,
                            const struct renaissance_scene *scene) {
    struct room *room = m->room;
    switch (prompt) {
    case PROMPT_NUMBER: RENAISSANCE_PUT(room, NUMBER_REQUEST, .scene = NULL); break;
    case PROMPT_LEADERS: RENAISSANCE_PUT(room, LEADERS_REQUEST, .scene = scene, .seat = m->seat); break;
    case PROMPT_RESOURCES:
        RENAISSANCE_PUT(room, RESOURCES_REQUEST, .scene = scene, .number = scene->state->seat[m->seat].gifts);
        break;
    case PROMPT_ACTION:
        RENAISSANCE_PUT(room, POSSIBLE, .scene = scene, .seat = m->seat,
                        .number = renaissance_possible(scene->state, m->seat));
        break;
    case PROMPT_MANAGE: RENAISSANCE_PUT(room, MANAGE_REQUEST, .scene = scene); break;
    case PROMPT_NOTHING: break;
    }
}

void renaissance_tell_prompt(struct room_member *m) {
    struct renaissance_talk *talk = renaissance_talk(m);
    struct renaissance_scene scene = {0};
    if (m->seat != SEAT_WATCHER)
        scene = renaissance_scene(m->at, m->seat);
    talk->prompted = renaissance_prompt_of(m);
    talk->needs_prompt = false;
    if (talk->prompted == PROMPT_NUMBER && talk->owes_number)
        return;
    talk->owes_number = talk->prompted == PROMPT_NUMBER && renaissance_speech(m)->keeps_questions;
    renaissance_begin(m->room);
    told_put_prompt(m, talk->prompted, &scene);
    renaissance_say(m);
}

/* How far the table is. */

static void told_put_board(struct room *room, const struct renaissance_scene *scene) {
    RENAISSANCE_PUT(room, GRID, .scene = scene);
    RENAISSANCE_PUT(room, MARKET, .scene = scene);
}

/* The starting resources are asked for: of those who get none too, as soon as everybody has its leaders. */
static void told_put_storing(struct room_table *rt, const struct renaissance_scene *scene) {
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
        RENAISSANCE_PUT(rt->room, FAITH, .scene = scene, .change = &change);
}

/* The protocol wants everybody to be shown what each has kept of its leaders, which the game keeps secret: so
 * each hand is taken from the view of its own seat. Nowhere else is more told than the viewer may know. */
static void told_put_setup(const struct room_table *rt) {
    struct renaissance_scene scene = renaissance_scene(rt, SEAT_WATCHER);
    struct renaissance shown = *scene.state;
    for (unsigned seat = 0; seat < shown.seats; seat++)
        memcpy(shown.seat[seat].hand, renaissance_view(rt, seat)->seat[seat].hand,
               sizeof shown.seat[seat].hand);
    scene.state = &shown;
    RENAISSANCE_PUT(rt->room, SETUP, .scene = &scene);
}

static void told_turn(struct room_table *rt, const struct renaissance *r) {
    struct renaissance_table *t = renaissance_table(rt);
    struct room_member *m = rt->seats[r->mover].member;
    t->turn_mover = r->mover;
    t->turn_round = r->round;
    renaissance_begin(rt->room);
    RENAISSANCE_PUT(rt->room, TURN, .seat = r->mover, .name = table_name(rt->table, r->mover));
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
    struct renaissance_scene scene = renaissance_scene(rt, SEAT_WATCHER);
    const struct renaissance *r = scene.state;
    renaissance_begin(rt->room);
    if (rt->is_forming || rt->is_over)
        return;
    if (!t->tells_storing && r->phase >= RENAISSANCE_STORING)
        told_put_storing(rt, &scene);
    if (!t->is_set_up && t->owes_empty == 0 && r->phase >= RENAISSANCE_BEFORE) {
        t->is_set_up = true;
        told_put_board(rt->room, &scene);
        told_put_setup(rt);
    }
    told_say(rt, SEAT_WATCHER);
    if (t->is_set_up && r->phase == RENAISSANCE_BEFORE &&
        (r->mover != t->turn_mover || r->round != t->turn_round))
        told_turn(rt, r);
}

/* A player who is here although another node took it for gone is about to be back. It keeps what it was
 * asked, so that it does not answer the same question twice. */
static bool told_is_coming_back(struct room_member *m) {
    return renaissance_view(m->at, SEAT_WATCHER)->seat[m->seat].is_away;
}

void renaissance_tell_progress(struct room_table *rt) {
    told_progress(rt);
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++) {
        struct room_member *m = rt->seats[seat].member;
        if (told_hears(m) && !told_is_coming_back(m) &&
            (renaissance_talk(m)->needs_prompt || renaissance_talk(m)->prompted != renaissance_prompt_of(m)))
            renaissance_tell_prompt(m);
    }
}

/* The newest player, through another protocol, is about to be there: that is no return. */
void renaissance_tell_begin(struct room_table *rt) {
    struct renaissance_table *t = renaissance_table(rt);
    struct renaissance_scene scene = renaissance_scene(rt, SEAT_WATCHER);
    t->told = *scene.state;
    t->turn_mover = SEAT_CHANCE;
    renaissance_begin(rt->room);
    RENAISSANCE_PUT(rt->room, PLAYERS, .scene = &scene);
    told_put_board(rt->room, &scene);
    told_say(rt, SEAT_WATCHER);
    for (unsigned seat = 0; seat < scene.state->seats; seat++) {
        if (scene.is_online[seat] || (seat == t->newest && !rt->seats[seat].is_away))
            continue;
        room_seat_miss(&rt->seats[seat]);
        if (tables_is_shared(rt->room->tables)) { /* it may be there, and not be known to be */
            t->awaited |= SEAT_BIT(seat);
            t->unsure |= SEAT_BIT(seat);
            continue;
        }
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

static void told_put_faith(struct room *room, const struct renaissance *then,
                           const struct renaissance_scene *scene) {
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    unsigned count = renaissance_faith_changes(then, scene->state, changes);
    for (unsigned i = 0; i < count; i++)
        RENAISSANCE_PUT(room, FAITH, .scene = scene, .change = &changes[i]);
}

/* Tolerance 26: once. */
static void told_put_ending(struct room *room, const struct renaissance *then,
                            const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    if ((r->is_ending || r->phase == RENAISSANCE_OVER) && !then->is_ending)
        RENAISSANCE_PUT(room, END, .scene = scene);
    if (r->phase == RENAISSANCE_OVER)
        RENAISSANCE_PUT(room, SCORES, .scene = scene);
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

/* What was done when something that was under way since then is done now. */
static void told_put_layout(struct room *room, const struct renaissance *then,
                            const struct renaissance_scene *scene, const struct action *action,
                            const struct renaissance *before) {
    unsigned seat = then->mover, card = card_new(&then->seat[seat], &scene->state->seat[seat]);
    struct renaissance_word word = {.scene = scene, .seat = seat, .number = action->arg[0]};
    switch (action->kind) {
    case RENAISSANCE_PLAY: word.type = RENAISSANCE_SAYS_PLAYED; break;
    case RENAISSANCE_DISCARD: word.type = RENAISSANCE_SAYS_DISCARDED; break;
    case RENAISSANCE_FILL:
        word.type = RENAISSANCE_SAYS_PUSHED;
        word.number = before->line;
        break;
    case RENAISSANCE_PAY:
    case RENAISSANCE_REVEAL:
        word.number = card;
        word.type = before->lorenzo_acts ? RENAISSANCE_SAYS_LORENZO
                    : card != 0          ? RENAISSANCE_SAYS_BOUGHT
                                         : RENAISSANCE_SAYS_PRODUCED;
        break;
    case RENAISSANCE_TOKEN: word.type = RENAISSANCE_SAYS_LORENZO; break;
    default: return;
    }
    renaissance_put(room, &word);
}

/* Answers who has done it, in the set-up and at the end of a turn. */
static void told_answer(struct room_member *m, const struct renaissance_seat *s,
                        const struct action *action) {
    struct renaissance_talk *talk = renaissance_talk(m);
    bool is_keep = action->kind == RENAISSANCE_KEEP, is_put = action->kind == RENAISSANCE_PUT;
    bool is_ready = s->stage == RENAISSANCE_READY;
    renaissance_begin(m->room);
    if (is_keep)
        RENAISSANCE_PUT(m->room, LEADERS_RESPONSE, .number = room_seat_count(m->at));
    if (is_put && is_ready)
        RENAISSANCE_PUT(m->room, RESOURCES_RESPONSE, .number = room_seat_count(m->at));
    if ((is_keep || is_put) && is_ready && renaissance_table(m->at)->is_set_up)
        told_put_setup(m->at); /* the others had theirs without this player */
    if (action->kind == RENAISSANCE_END_TURN && talk->is_ending)
        RENAISSANCE_PUT(m->room, ACTION_RESPONSE, .number = RENAISSANCE_MAY_END_TURN);
    if (told_hears(m))
        renaissance_say(m);
    talk->is_ending = false;
    talk->needs_prompt = true;
}

/* What a seat had begun at the market is over when it is away or gone. Everything but the answer is told to
 * all of them, so it is what anybody may know. */
void renaissance_tell_step(const struct room_notice *n) {
    struct room_table *rt = n->table;
    struct renaissance *then = &renaissance_table(rt)->told;
    struct renaissance_scene scene = renaissance_scene(rt, SEAT_WATCHER);
    const struct renaissance *before = renaissance_of_view(notice_before(n->played, SEAT_WATCHER));
    bool is_action = n->kind == ROOM_PLAYED, is_told = !rt->is_forming;
    struct action action = is_action ? notice_action(n->played, SEAT_WATCHER) : (struct action){0};
    if (is_action && is_told && n->seat < RENAISSANCE_SEATS_MAX && rt->seats[n->seat].member != NULL)
        told_answer(rt->seats[n->seat].member, &scene.state->seat[n->seat], &action);
    if (is_under_way(scene.state))
        return;
    renaissance_begin(rt->room);
    if (is_told)
        told_put_faith(rt->room, then, &scene);
    if (is_told && is_action)
        told_put_layout(rt->room, then, &scene, &action, before);
    else if (is_told && before->phase == RENAISSANCE_ARRANGING)
        RENAISSANCE_PUT(rt->room, PUSHED, .scene = &scene, .seat = before->mover, .number = before->line);
    if (is_told)
        told_put_ending(rt->room, then, &scene);
    told_say(rt, SEAT_WATCHER);
    *then = *scene.state;
    told_progress(rt);
}

/* Return and end. */

/* Everything that somebody who comes back to this seat is told. */
static void told_put_whole(struct room *room, const struct renaissance_scene *scene, unsigned seat) {
    RENAISSANCE_PUT(room, PLAYERS, .scene = scene);
    told_put_board(room, scene);
    RENAISSANCE_PUT(room, UPDATE, .scene = scene, .seat = seat);
    if (scene->state->seats == 1)
        RENAISSANCE_PUT(room, LORENZO, .scene = scene);
    if (scene->state->is_ending || scene->state->phase == RENAISSANCE_OVER)
        RENAISSANCE_PUT(room, END, .scene = scene);
}

void renaissance_tell_return(struct room_member *m) {
    struct room_table *rt = m->at;
    struct renaissance_scene scene = renaissance_scene(rt, m->seat);
    const struct renaissance *r = scene.state;
    if (table_is_busy(rt->table) || r->seat[m->seat].is_away)
        return;
    renaissance_talk(m)->is_returning = false;
    renaissance_begin(rt->room);
    told_put_whole(rt->room, &scene, m->seat);
    if (renaissance_table(rt)->is_set_up && r->mover != m->seat)
        RENAISSANCE_PUT(rt->room, TURN, .seat = r->mover, .name = table_name(rt->table, r->mover));
    renaissance_say(m);
    renaissance_tell_prompt(m);
}

static void farewell_add(struct room_table *rt, unsigned seat) {
    struct renaissance_scene scene = renaissance_scene(rt, seat);
    scene.is_online[seat] = true;
    renaissance_keep_begin(rt->room);
    told_put_whole(rt->room, &scene, seat);
    RENAISSANCE_PUT(rt->room, SCORES, .scene = &scene);
    renaissance_keep(rt, seat);
}

void renaissance_tell_end(struct room_table *rt) {
    if (renaissance_view(rt, SEAT_WATCHER)->phase != RENAISSANCE_OVER) { /* given up from outside */
        renaissance_begin(rt->room);
        RENAISSANCE_PUT(rt->room, END, .scene = NULL);
        told_say(rt, SEAT_WATCHER);
        return;
    }
    for (unsigned seat = 0; seat < room_seat_count(rt); seat++)
        if (!told_hears(rt->seats[seat].member) && renaissance_seat_is_ours(rt, seat))
            farewell_add(rt, seat);
}
