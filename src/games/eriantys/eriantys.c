/* The rules of Eriantys: who acts when, what an action needs, and what follows it. */
#include "games/eriantys/eriantys.h"

#include "game/playout.h"
#include "game/stock.h"
#include "games/eriantys/internal.h"

#include <assert.h>

enum {
    HAND_FULL = ((1 << ERIANTYS_ASSISTANTS) - 1) << 1,

    /* Students, mother nature, cloud, payment, and six halves of a swap, or one use and a refill. */
    STUDENTS_PER_TURN_MAX = 4,
    TURN_PLIES_MAX = STUDENTS_PER_TURN_MAX + 1 + 1 + 1 + 6,
    ROUND_PLIES_MAX = ERIANTYS_CLOUDS_MAX + ERIANTYS_SEATS_MAX + ERIANTYS_SEATS_MAX * TURN_PLIES_MAX,
    SETUP_PLIES_MAX = 1 + ERIANTYS_SEATS_MAX + 1 + ERIANTYS_CHARACTERS_IN_PLAY,
};

_Static_assert(sizeof(struct eriantys_seat) == 2 * ERIANTYS_COLORS + 4, "no padding");
_Static_assert(sizeof(struct eriantys_group) == 4 + ERIANTYS_COLORS, "no padding");
_Static_assert(sizeof(struct eriantys_card) == 3 + ERIANTYS_COLORS, "no padding");

static void groups_setup(struct eriantys *e) {
    e->group_count = ERIANTYS_ISLANDS;
    for (unsigned i = 0; i < ERIANTYS_ISLANDS; i++) {
        e->group[i].id = (uint8_t)i;
        e->group[i].size = 1;
        e->group[i].tower = ERIANTYS_NONE;
    }
}

static enum err eriantys_setup(struct game_state *state, const struct game_options *options) {
    struct eriantys *e = (struct eriantys *)state;
    enum err wrong = game_options_check(&eriantys_game, options);
    if (wrong != ERR_OK)
        return wrong;
    memset(e, 0, sizeof *e);
    e->mode = (uint8_t)options->value[ERIANTYS_OPTION_MODE];
    e->seat_count = (uint8_t)options->seat_count;
    e->team_count = e->seat_count == 3 ? 3 : 2; /* R1 */
    groups_setup(e);
    for (unsigned team = 0; team < e->team_count; team++)
        e->towers[team] = (uint8_t)eriantys_towers_of_team(e);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        e->bag[color] = ERIANTYS_STUDENTS_PER_COLOR;
        e->professor[color] = ERIANTYS_NONE;
    }
    for (unsigned seat = 0; seat < e->seat_count; seat++) {
        e->seat[seat].hand = HAND_FULL;
        e->seat[seat].coins = e->mode == ERIANTYS_EXPERT;
    }
    if (e->mode == ERIANTYS_EXPERT) /* R5 */
        e->bank = (uint8_t)(ERIANTYS_COINS - e->seat_count);
    e->winner = e->paid = e->ignored = e->refill_due = ERIANTYS_NONE;
    return ERR_OK;
}

static seat_set eriantys_seats_on_turn(const struct game_state *state) {
    const struct eriantys *e = eriantys_of(state);
    if (e->phase == ERIANTYS_OVER)
        return 0;
    return eriantys_is_chance(e) ? SEAT_BIT(SEAT_CHANCE) : SEAT_BIT(e->mover);
}

/* R8: the assistants that others have played in this round, as bits of a hand. */
static unsigned hand_taken(const struct eriantys *e) {
    unsigned taken = 0;
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        if (e->seat[seat].assistant > 0)
            taken |= 1u << e->seat[seat].assistant;
    return taken;
}

/* R8: what the mover may play: whatever nobody has played, or anything when there is no such card in its
 * hand. */
static unsigned hand_playable(const struct eriantys *e) {
    unsigned hand = e->seat[e->mover].hand, free = hand & ~hand_taken(e);
    return free != 0 ? free : hand;
}

bool eriantys_hand_is_taken(const struct eriantys *e) {
    return e->phase == ERIANTYS_PLANNING && (e->seat[e->mover].hand & ~hand_taken(e)) == 0;
}

static enum err assistant_check(const struct eriantys *e, unsigned value) {
    if (e->phase != ERIANTYS_PLANNING)
        return ERR_ASSISTANT_LATE;
    if (value == 0 || value > ERIANTYS_ASSISTANTS)
        return ERR_ASSISTANT_UNKNOWN;
    if ((e->seat[e->mover].hand >> value & 1) == 0)
        return ERR_ASSISTANT_GONE;
    return hand_playable(e) >> value & 1 ? ERR_OK : ERR_ASSISTANT_TAKEN;
}

/* R10, R11: whether the mover has a student of this colour to move, and room for it at the table. */
static bool has_student(const struct eriantys *e, unsigned color) {
    return e->seat[e->mover].entrance[color] > 0;
}

static bool has_room(const struct eriantys *e, unsigned color) {
    return e->seat[e->mover].dining[color] < ERIANTYS_TABLE_SEATS;
}

static inline bool has_students(const struct eriantys *e, unsigned cloud) {
    return eriantys_sum(e->cloud[cloud]) != 0;
}

static enum err student_check(const struct eriantys *e, const struct action *action) {
    unsigned color = action->arg[0];
    if (e->phase != ERIANTYS_STUDENTS)
        return ERR_STUDENTS_DONE; /* R10 */
    if (color >= ERIANTYS_COLORS)
        return ERR_STUDENT_COLOR;
    if (action->kind == ERIANTYS_TO_ISLAND && !eriantys_is_group(e, action->arg[1]))
        return ERR_ISLAND_UNKNOWN;
    if (!has_student(e, color))
        return ERR_ENTRANCE_EMPTY;
    return action->kind == ERIANTYS_TO_DINING && !has_room(e, color) ? ERR_DINING_FULL : ERR_OK;
}

/* R13 */
static enum err mother_check(const struct eriantys *e, unsigned island) {
    if (e->phase != ERIANTYS_MOTHER)
        return e->phase == ERIANTYS_STUDENTS ? ERR_STUDENTS_FIRST : ERR_MOTHER_DONE;
    unsigned distance = eriantys_distance(e, island);
    if (distance == 0)
        return ERR_ISLAND_UNKNOWN;
    return distance <= eriantys_steps_max(e) ? ERR_OK : ERR_MOTHER_TOO_FAR;
}

/* R17 */
static enum err cloud_check(const struct eriantys *e, unsigned cloud) {
    if (e->phase != ERIANTYS_CLOUD_CHOICE)
        return e->phase == ERIANTYS_STUDENTS ? ERR_STUDENTS_FIRST : ERR_MOTHER_FIRST;
    if (cloud >= e->seat_count)
        return ERR_CLOUD_UNKNOWN;
    return has_students(e, cloud) ? ERR_OK : ERR_CLOUD_EMPTY;
}

static unsigned arguments_of(unsigned kind) {
    return kind == ERIANTYS_TO_ISLAND || kind == ERIANTYS_USE_MONK ? 2 : 1;
}

/* True for an action of a seat with nothing behind its arguments. */
static bool is_well_formed(const struct action *action) {
    if (action->kind < ERIANTYS_PLAY_ASSISTANT || action->kind > ERIANTYS_SWAP_OUT)
        return false;
    for (unsigned i = arguments_of(action->kind); i < ACTION_ARGS; i++)
        if (action->arg[i] != 0)
            return false;
    return true;
}

static bool is_half(unsigned kind) {
    return kind == ERIANTYS_SWAP_IN || kind == ERIANTYS_SWAP_OUT;
}

static enum err seat_check(const struct eriantys *e, const struct action *action) {
    if (!is_well_formed(action))
        return ERR_ACTION_UNKNOWN;
    if (action->kind == ERIANTYS_PLAY_ASSISTANT)
        return assistant_check(e, action->arg[0]);
    if (e->phase == ERIANTYS_PLANNING)
        return ERR_ASSISTANT_FIRST; /* R7, R24 */
    if (e->open_half != 0 && !is_half(action->kind))
        return ERR_SWAP_OPEN; /* R26 */
    switch (action->kind) {
    case ERIANTYS_TO_ISLAND:
    case ERIANTYS_TO_DINING: return student_check(e, action);
    case ERIANTYS_MOVE_MOTHER: return mother_check(e, action->arg[0]);
    case ERIANTYS_TAKE_CLOUD: return cloud_check(e, action->arg[0]);
    case ERIANTYS_PAY: return eriantys_pay_check(e, action->arg[0]);
    default: return eriantys_use_check(e, action);
    }
}

static enum err eriantys_check(const struct game_state *state, unsigned seat, const struct action *action) {
    const struct eriantys *e = eriantys_of(state);
    if (e->phase == ERIANTYS_OVER)
        return ERR_TABLE_OVER;
    if (!game_may_act(&eriantys_game, state, seat))
        return ERR_NOT_YOUR_TURN;
    return seat == SEAT_CHANCE ? eriantys_chance_check(e, action) : seat_check(e, action);
}

/* What the phase itself lets do, without characters, is counted and numbered instead of listed: a random
 * action needs only one of them. Whether an action is among them is asked of the functions that check uses.
 */

/* The ways of a student of this colour: to every group, and to the dining room as the last one. */
static inline unsigned student_ways(const struct eriantys *e, unsigned color) {
    return has_student(e, color) * ((unsigned)e->group_count + has_room(e, color));
}

static unsigned assistants_count(unsigned set) {
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static inline unsigned usual_count(const struct eriantys *e) {
    unsigned count = 0;
    if (e->open_half != 0)
        return 0; /* R26 */
    switch ((enum eriantys_phase)e->phase) {
    case ERIANTYS_PLANNING: return assistants_count(hand_playable(e));
    case ERIANTYS_STUDENTS:
        for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
            count += student_ways(e, color);
        return count;
    case ERIANTYS_MOTHER:
        return eriantys_steps_max(e) < e->group_count ? eriantys_steps_max(e) : e->group_count;
    default:
        for (unsigned cloud = 0; cloud < e->seat_count; cloud++)
            count += has_students(e, cloud);
        return count;
    }
}

/* One of these actions: its kind and arguments, with the index of a group in place of its id. */
struct usual {
    unsigned kind, first, second;
};

static inline struct usual usual_student(const struct eriantys *e, unsigned index) {
    unsigned ways[ERIANTYS_COLORS], way;
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        ways[color] = student_ways(e, color);
    unsigned color = eriantys_color_nth(ways, index, &way);
    return (struct usual){way < e->group_count ? ERIANTYS_TO_ISLAND : ERIANTYS_TO_DINING, color, way};
}

/* The index-th of the actions that usual_count counts. */
static inline struct usual usual_nth(const struct eriantys *e, unsigned index) {
    unsigned hand, group, cloud = 0;
    switch ((enum eriantys_phase)e->phase) {
    case ERIANTYS_PLANNING:
        for (hand = hand_playable(e); index > 0; index--)
            hand &= hand - 1;
        return (struct usual){ERIANTYS_PLAY_ASSISTANT, (unsigned)__builtin_ctz(hand), 0};
    case ERIANTYS_STUDENTS: return usual_student(e, index);
    case ERIANTYS_MOTHER:
        group = e->mother + 1u + index;
        return (struct usual){ERIANTYS_MOVE_MOTHER, group < e->group_count ? group : group - e->group_count,
                              0};
    default:
        while (!has_students(e, cloud) || index-- > 0)
            cloud++;
        return (struct usual){ERIANTYS_TAKE_CLOUD, cloud, 0};
    }
}

static void usual_at(const struct eriantys *e, unsigned index, struct action *out) {
    struct usual usual = usual_nth(e, index);
    memset(out, 0, sizeof *out);
    out->kind = (uint8_t)usual.kind;
    out->arg[0] = usual.kind == ERIANTYS_MOVE_MOTHER ? e->group[usual.first].id : (uint8_t)usual.first;
    out->arg[1] = usual.kind == ERIANTYS_TO_ISLAND ? e->group[usual.second].id : 0;
}

static size_t eriantys_legal(const struct game_state *state, unsigned seat, struct action *out) {
    const struct eriantys *e = eriantys_of(state);
    if (!game_may_act(&eriantys_game, state, seat))
        return 0;
    if (seat == SEAT_CHANCE)
        return eriantys_chance_legal(e, out);
    unsigned usual = usual_count(e), more = eriantys_characters_count(e);
    for (unsigned i = 0; i < usual; i++)
        usual_at(e, i, &out[i]);
    for (unsigned i = 0; i < more; i++)
        eriantys_characters_at(e, i, &out[usual + i]);
    return usual + more;
}

static void eriantys_sample(const struct game_state *state, unsigned seat, struct rng *rng,
                            struct action *out) {
    const struct eriantys *e = eriantys_of(state);
    if (seat == SEAT_CHANCE) {
        eriantys_chance_sample(e, rng, out);
        return;
    }
    unsigned usual = usual_count(e), index = rng_below(rng, usual + eriantys_characters_count(e));
    if (index < usual)
        usual_at(e, index, out);
    else
        eriantys_characters_at(e, index - usual, out);
}

/* R9: by rising value, among equals those first who have played first. */
static void order_find(struct eriantys *e) {
    for (unsigned i = 0; i < e->seat_count; i++) {
        unsigned next = e->first + i, seat = next < e->seat_count ? next : next - e->seat_count, at = i;
        while (at > 0 && e->seat[e->order[at - 1]].assistant > e->seat[seat].assistant) {
            e->order[at] = e->order[at - 1];
            at--;
        }
        e->order[at] = (uint8_t)seat;
    }
}

static inline void play_assistant(struct eriantys *e, unsigned value) {
    struct eriantys_seat *s = &e->seat[e->mover];
    s->hand &= (uint16_t) ~(1u << value);
    s->assistant = (uint8_t)value;
    e->turn++;
    e->mover = (uint8_t)(e->mover + 1 == e->seat_count ? 0 : e->mover + 1); /* R7 */
    if (e->turn < e->seat_count)
        return;
    if (s->hand == 0) /* R21 */
        e->is_last_round = 1;
    order_find(e);
    e->phase = ERIANTYS_STUDENTS;
    e->turn = 0;
    e->mover = e->order[0];
}

static void round_end(struct eriantys *e) {
    if (e->is_last_round) { /* R20, R21 */
        eriantys_finish(e, e->has_bag_failed ? ERIANTYS_BY_BAG : ERIANTYS_BY_ASSISTANTS);
        return;
    }
    e->round++;
    e->first = e->order[0]; /* R9 */
    memset(e->order, 0, sizeof e->order);
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        e->seat[seat].assistant = 0;
    eriantys_round_begin(e);
}

/* R25: whatever was paid for is over. */
static void eriantys_turn_end(struct eriantys *e) {
    e->moved = 0;
    e->paid = e->ignored = ERIANTYS_NONE;
    e->uses_left = 0;
    e->turn++;
    if (e->turn == e->seat_count) {
        round_end(e);
        return;
    }
    e->mover = e->order[e->turn];
    e->phase = ERIANTYS_STUDENTS;
}

static inline void student_done(struct eriantys *e) {
    e->moved++;
    if (e->moved == eriantys_students_per_turn(e))
        e->phase = ERIANTYS_MOTHER;
}

static inline void student_to_group(struct eriantys *e, unsigned color, unsigned group_index) {
    e->seat[e->mover].entrance[color]--;
    e->group[group_index].students[color]++;
    student_done(e);
}

static inline void student_to_dining(struct eriantys *e, unsigned color) {
    e->seat[e->mover].entrance[color]--;
    eriantys_dining_add(e, e->mover, color);
    eriantys_professor_update(e, color);
    student_done(e);
}

static bool has_clouds(const struct eriantys *e) {
    for (unsigned cloud = 0; cloud < e->seat_count; cloud++)
        if (has_students(e, cloud))
            return true;
    return false;
}

static inline void move_mother(struct eriantys *e, unsigned group_index) {
    e->mother = (uint8_t)group_index;
    e->phase = ERIANTYS_CLOUD_CHOICE;
    eriantys_resolve(e, e->mother);
    if (e->phase != ERIANTYS_OVER && !has_clouds(e)) /* R20 */
        eriantys_turn_end(e);
}

static inline void take_cloud(struct eriantys *e, unsigned cloud) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        e->seat[e->mover].entrance[color] += e->cloud[cloud][color];
        e->cloud[cloud][color] = 0;
    }
    eriantys_turn_end(e);
}

static void eriantys_apply(struct game_state *state, unsigned seat, const struct action *action) {
    struct eriantys *e = (struct eriantys *)state;
    if (seat == SEAT_CHANCE) {
        eriantys_chance_apply(e, action);
        return;
    }
    switch (action->kind) {
    case ERIANTYS_PLAY_ASSISTANT: play_assistant(e, action->arg[0]); break;
    case ERIANTYS_TO_ISLAND:
        student_to_group(e, action->arg[0], eriantys_group_index(e, action->arg[1]));
        break;
    case ERIANTYS_TO_DINING: student_to_dining(e, action->arg[0]); break;
    case ERIANTYS_MOVE_MOTHER: move_mother(e, eriantys_group_index(e, action->arg[0])); break;
    case ERIANTYS_TAKE_CLOUD: take_cloud(e, action->arg[0]); break;
    case ERIANTYS_PAY: eriantys_pay(e, action->arg[0]); break;
    default: eriantys_use(e, action);
    }
}

static inline void usual_play(struct eriantys *e, struct usual usual) {
    switch (usual.kind) {
    case ERIANTYS_PLAY_ASSISTANT: play_assistant(e, usual.first); break;
    case ERIANTYS_TO_ISLAND: student_to_group(e, usual.first, usual.second); break;
    case ERIANTYS_TO_DINING: student_to_dining(e, usual.first); break;
    case ERIANTYS_MOVE_MOTHER: move_mother(e, usual.first); break;
    default: take_cloud(e, usual.first);
    }
}

/* The stock playout without actions of seats, in games without characters. */
static size_t eriantys_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    struct eriantys *e = (struct eriantys *)state;
    size_t plies = 0;
    if (e->mode == ERIANTYS_EXPERT)
        return playout(game, state, rng);
    while (e->phase != ERIANTYS_OVER) {
        for (; eriantys_is_chance(e); plies++) {
            struct action action;
            eriantys_chance_sample(e, rng, &action);
            eriantys_chance_apply(e, &action);
        }
        struct rng local = *rng; /* through the pointer every byte written could be one of it */
        for (; e->phase > ERIANTYS_FILLING && e->phase != ERIANTYS_OVER; plies++)
            usual_play(e, usual_nth(e, rng_below(&local, usual_count(e))));
        *rng = local;
    }
    return plies;
}

/* R40 */
static seat_set game_rivals(const struct game_state *state, unsigned seat) {
    const struct eriantys *e = eriantys_of(state);
    seat_set rivals = 0;
    for (unsigned other = 0; other < e->seat_count; other++)
        rivals |= eriantys_team(e, other) != eriantys_team(e, seat) ? SEAT_BIT(other) : 0;
    return rivals;
}

/* R22: a point for those who have won; a draw is one for the whole table. */
static void eriantys_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct eriantys *e = eriantys_of(state);
    seat_set winners = eriantys_winners(e);
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        points[seat] = (winners & SEAT_BIT(seat)) != 0;
}

/* The character whose card a move of a student needs; 0: none is needed or named. */
static unsigned card_of_move(const struct eriantys_move *move) {
    return move->from == ERIANTYS_AT_CARD ? move->from_id : move->to == ERIANTYS_AT_CARD ? move->to_id : 0;
}

enum err eriantys_move_action(const struct eriantys *e, const struct eriantys_move *move,
                              struct action *out) {
    static const struct {
        uint8_t from, to, is_special, kind, card;
    } ways[] = {
        {ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_ISLAND, 0, ERIANTYS_TO_ISLAND, 0},
        {ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_DINING, 0, ERIANTYS_TO_DINING, 0},
        {ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_DINING, 1, ERIANTYS_SWAP_OUT, 0},
        {ERIANTYS_AT_DINING, ERIANTYS_AT_ENTRANCE, 1, ERIANTYS_SWAP_IN, 0},
        {ERIANTYS_AT_CARD, ERIANTYS_AT_ISLAND, 1, ERIANTYS_USE_MONK, ERIANTYS_MONK},
        {ERIANTYS_AT_CARD, ERIANTYS_AT_ENTRANCE, 1, ERIANTYS_SWAP_IN, ERIANTYS_JESTER},
        {ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_CARD, 1, ERIANTYS_SWAP_OUT, ERIANTYS_JESTER},
        {ERIANTYS_AT_CARD, ERIANTYS_AT_DINING, 1, ERIANTYS_USE_PRINCESS, ERIANTYS_PRINCESS},
    };
    bool is_dining = move->from == ERIANTYS_AT_ENTRANCE && move->to == ERIANTYS_AT_DINING;
    bool is_half_due = e->open_half == ERIANTYS_SWAP_IN && eriantys_is_active(e, ERIANTYS_MINSTREL);
    bool is_special = is_dining ? move->is_special || is_half_due
                                : move->to != ERIANTYS_AT_ISLAND || move->from == ERIANTYS_AT_CARD;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].from != move->from || ways[i].to != move->to || ways[i].is_special != is_special)
            continue;
        unsigned card = card_of_move(move);
        bool swaps_dining = move->from == ERIANTYS_AT_DINING || (is_dining && is_special);
        if (card != ERIANTYS_NONE && card != ways[i].card)
            return ERR_EFFECT_OTHER;
        if ((swaps_dining && !eriantys_is_active(e, ERIANTYS_MINSTREL)) ||
            (ways[i].card != 0 && !eriantys_is_active(e, ways[i].card)))
            return e->mode == ERIANTYS_EXPERT ? ERR_EFFECT_UNPAID : ERR_NOT_EXPERT;
        *out = eriantys_action(ways[i].kind, move->color);
        if (move->to == ERIANTYS_AT_ISLAND)
            out->arg[1] =
                (uint8_t)(move->to_id < ERIANTYS_NONE ? eriantys_group_id(e, move->to_id) : ERIANTYS_NONE);
        return ERR_OK;
    }
    return ERR_MOVE_WAY;
}

static const char *const mode_words[] = {"normal", "expert", NULL};

static const struct game_option game_options[] = {
    [ERIANTYS_OPTION_MODE] = {"mode", "normal, or expert with coins and characters", mode_words,
                              ERIANTYS_NORMAL, ERIANTYS_EXPERT, ERIANTYS_NORMAL},
    {0},
};

const struct game eriantys_game = {
    .name = "eriantys",
    .title = "Eriantys",
    .rules_version = 1,
    .seats_min = ERIANTYS_SEATS_MIN,
    .seats_max = ERIANTYS_SEATS_MAX,
    .state_size = sizeof(struct eriantys),
    .actions_max = ERIANTYS_ACTIONS_MAX,
    .plies_max = SETUP_PLIES_MAX + ERIANTYS_ROUNDS_MAX * ROUND_PLIES_MAX,
    .options = game_options,
    .refusals = (const struct err_row[]){ERIANTYS_REFUSALS(ERR_ROW){0}},
    .setup = eriantys_setup,
    .turn = eriantys_seats_on_turn,
    .legal = eriantys_legal,
    .sample = eriantys_sample,
    .check = eriantys_check,
    .apply = eriantys_apply,
    .attend = stock_attend,
    .rivals = game_rivals,
    .score = eriantys_score,
    .valid = eriantys_valid,
    .redact_state = stock_redact_state,
    .redact_action = stock_redact_action,
    .imagine = stock_imagine,
    .foresee = stock_foresee,
    .describe = eriantys_describe,
    .action_format = eriantys_action_format,
    .action_parse = eriantys_action_parse,
    .playout = eriantys_playout,
    .perft = stock_perft,
};
