#include "cli/renaissance/answer.h"

/* The next action that is chosen, played on a copy of the state that is followed. */
static struct action renaissance_answer_step(struct renaissance_answers *a, struct renaissance *state) {
    struct action action;
    a->choose(a->context, (const struct game_view *)state, a->follow.seat, &action);
    renaissance_game.apply((struct game_state *)state, a->follow.seat, &action);
    return action;
}

static void renaissance_answer_write_leader(struct writer *w, const char *name, unsigned leader) {
    char id[RENAISSANCE_ID_BYTES];
    renaissance_leader_id(leader, id);
    writer_text(w, name, span_of(id));
}

static void renaissance_answer_write_kind(struct writer *w, unsigned kind) {
    writer_text(w, NULL, span_of(renaissance_resource_word(kind)));
}

static void renaissance_answer_write_depots(struct writer *w, const struct renaissance_seat *s) {
    static const char *const keys[RENAISSANCE_DEPOTS] = {"0", "1", "2", "3", "4"};
    writer_object_begin(w, "warehouse");
    for (unsigned i = 0; i < renaissance_depot_count(s); i++) {
        writer_list_begin(w, keys[i]);
        for (unsigned k = 0; k < s->depot[i].count; k++)
            renaissance_answer_write_kind(w, s->depot[i].kind);
        writer_list_end(w);
    }
    writer_object_end(w);
}

static bool reply_leaders(struct renaissance_answers *a, struct buf *out, struct writer *w) {
    struct renaissance state = a->follow.state;
    struct action keep = renaissance_answer_step(a, &state);
    *w = writer_message(out, "leaderCardsReply");
    writer_list_begin(w, "leaderCards");
    renaissance_answer_write_leader(w, NULL, keep.arg[0]);
    renaissance_answer_write_leader(w, NULL, keep.arg[1]);
    writer_list_end(w);
    return true;
}

static bool reply_resources(struct renaissance_answers *a, struct buf *out, struct writer *w) {
    struct renaissance state = a->follow.state;
    const struct renaissance_seat *s = &state.seat[a->follow.seat];
    while (s->stage == RENAISSANCE_MUST_PUT)
        renaissance_answer_step(a, &state);
    *w = writer_message(out, "resourcesReply");
    renaissance_answer_write_depots(w, s);
    return true;
}

static bool reply_manage(struct renaissance_answers *a, struct buf *out, struct writer *w) {
    struct renaissance state = a->follow.state;
    while (state.phase == RENAISSANCE_ARRANGING)
        renaissance_answer_step(a, &state);
    *w = writer_message(out, "resourcesManageReply");
    renaissance_answer_write_depots(w, &state.seat[a->follow.seat]);
    return true;
}

static unsigned choice_of(const struct action *action) {
    switch (action->kind) {
    case RENAISSANCE_PLAY: return RENAISSANCE_MAY_PLAY_LEADER;
    case RENAISSANCE_DISCARD: return RENAISSANCE_MAY_DISCARD_LEADER;
    case RENAISSANCE_BUY: return RENAISSANCE_MAY_BUY;
    case RENAISSANCE_PUSH: return RENAISSANCE_MAY_PUSH;
    case RENAISSANCE_END_TURN: return RENAISSANCE_MAY_END_TURN;
    default: return RENAISSANCE_MAY_PRODUCE;
    }
}

/* Chooses an action with all that belongs to it, and announces it. */
static bool reply_action(struct renaissance_answers *a, struct buf *out, struct writer *w) {
    struct renaissance state = a->follow.state;
    a->action_count = 0;
    do
        a->actions[a->action_count++] = renaissance_answer_step(a, &state);
    while (state.phase == RENAISSANCE_CHOOSING || state.phase == RENAISSANCE_PAYING);
    unsigned choice = choice_of(&a->actions[0]);
    *w = writer_message(out, "actionReply");
    writer_text(w, "action", span_of(renaissance_choice_word(choice)));
    return true;
}

static void write_payment(struct writer *w, const struct renaissance_answers *a) {
    static const char *const places[RENAISSANCE_SOURCES] = {"warehouse", "leaderDepot", "strongbox"};
    writer_object_begin(w, "paymentResources");
    for (unsigned place = 0; place < RENAISSANCE_SOURCES; place++) {
        writer_object_begin(w, places[place]);
        for (size_t i = 0; i < a->action_count; i++) {
            const struct action *pay = &a->actions[i];
            if (pay->kind == RENAISSANCE_PAY && pay->arg[1 + place] > 0)
                writer_int(w, renaissance_resource_word(pay->arg[0]), pay->arg[1 + place]);
        }
        writer_object_end(w);
    }
    writer_object_end(w);
}

/* A list with one item for every action of a kind: a number of it, or a resource. */
static void write_items(struct writer *w, const struct renaissance_answers *a, const char *name,
                        unsigned kind, unsigned arg, bool is_resource) {
    writer_list_begin(w, name);
    for (size_t i = 0; i < a->action_count; i++) {
        if (a->actions[i].kind != kind)
            continue;
        if (is_resource)
            renaissance_answer_write_kind(w, a->actions[i].arg[arg]);
        else
            writer_int(w, NULL, a->actions[i].arg[arg]);
    }
    writer_list_end(w);
}

static void write_production(struct writer *w, const struct renaissance_answers *a) {
    const struct action *base = &a->actions[0];
    write_payment(w, a);
    writer_list_begin(w, "boardResources");
    for (unsigned i = 0; i < 3 && base->kind == RENAISSANCE_BASE; i++)
        renaissance_answer_write_kind(w, base->arg[i]);
    writer_list_end(w);
    write_items(w, a, "leaderResources", RENAISSANCE_LEADER, 1, true);
    write_items(w, a, "devCardSlots", RENAISSANCE_CARD, 0, false);
    write_items(w, a, "leaderCardSlots", RENAISSANCE_LEADER, 0, false);
}

/* With two exchange leaders in play every white marble is named; the first ones count for the first leader.
 */
static void write_line(struct writer *w, const struct renaissance_answers *a) {
    const struct renaissance *r = &a->follow.state;
    const struct renaissance_seat *s = &r->seat[a->follow.seat];
    const uint8_t *arg = a->actions[0].arg;
    uint8_t marbles[RENAISSANCE_COLUMNS];
    bool is_row = arg[0] < RENAISSANCE_ROWS;
    unsigned first = arg[1], leaders = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE);
    writer_int(w, "index", is_row ? arg[0] : arg[0] - RENAISSANCE_ROWS);
    writer_bool(w, "isRow", is_row);
    writer_list_begin(w, "exchangeResources");
    for (unsigned i = renaissance_line(r, arg[0], marbles); i > 0 && leaders > 0; i--) {
        if (marbles[i - 1] != RENAISSANCE_WHITE)
            continue;
        bool is_second = leaders == 2 && first == 0;
        renaissance_answer_write_kind(
            w, renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_EXCHANGE, is_second))->kind);
        first -= first > 0;
    }
    writer_list_end(w);
}

/* The announced action was accepted: its parameters. */
static bool reply_parameters(struct renaissance_answers *a, struct span word, struct buf *out,
                             struct writer *w) {
    const uint8_t *arg = a->actions[0].arg;
    unsigned choice = choice_of(&a->actions[0]);
    if (choice == RENAISSANCE_MAY_END_TURN || a->action_count == 0)
        return false;
    bool is_market = choice == RENAISSANCE_MAY_PUSH;
    *w = writer_message(out, is_market ? "rowColumnSelection" : "actionParameters");
    writer_text(w, "username", a->follow.name);
    if (!is_market)
        writer_text(w, "action", word);
    if (choice == RENAISSANCE_MAY_PLAY_LEADER || choice == RENAISSANCE_MAY_DISCARD_LEADER)
        renaissance_answer_write_leader(w, "id", arg[0]);
    if (choice == RENAISSANCE_MAY_BUY) {
        writer_text(w, "color", span_of(renaissance_colour_word(arg[0])));
        writer_int(w, "level", arg[1]);
        writer_int(w, "devCardSlot", arg[2]);
        write_payment(w, a);
    }
    if (choice == RENAISSANCE_MAY_PRODUCE)
        write_production(w, a);
    if (is_market)
        write_line(w, a);
    return true;
}

bool renaissance_answer(struct renaissance_answers *a, const json_t *message, struct buf *out,
                        struct writer *w) {
    struct span type = json_text(message, "type");
    if (span_is(type, "leaderCardsRequest"))
        return reply_leaders(a, out, w);
    if (span_is(type, "resourcesRequest"))
        return reply_resources(a, out, w);
    if (span_is(type, "possibleAction"))
        return reply_action(a, out, w);
    if (span_is(type, "actionResponse"))
        return reply_parameters(a, json_text(message, "action"), out, w);
    return span_is(type, "resourcesManageRequest") && reply_manage(a, out, w);
}
