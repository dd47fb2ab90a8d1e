#include "games/santorini/santorini.h"

#include "game/stock.h"
#include "games/santorini/internal.h"

#include <assert.h>

/* clang-format off */
const cell_set santorini_near[SANTORINI_CELLS] = {
    0x0000062, 0x00000e5, 0x00001ca, 0x0000394, 0x0000308,
    0x0000c43, 0x0001ca7, 0x000394e, 0x000729c, 0x0006118,
    0x0018860, 0x00394e0, 0x00729c0, 0x00e5380, 0x00c2300,
    0x0310c00, 0x0729c00, 0x0e53800, 0x1ca7000, 0x1846000,
    0x0218000, 0x0538000, 0x0a70000, 0x14e0000, 0x08c0000};
/* clang-format on */

cell_set santorini_neighbours(unsigned cell) {
    return santorini_near[cell];
}

cell_set santorini_occupied(const struct santorini *s) {
    return cells_occupied(s);
}

unsigned santorini_owner(const struct santorini *s, unsigned cell, unsigned *builder) {
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
            if (s->builder[seat][b] == cell) {
                if (builder != NULL)
                    *builder = b;
                return seat;
            }
    return SANTORINI_NOBODY;
}

unsigned santorini_towers(const struct santorini *s) {
    return cells_count(s->dome & s->block[SANTORINI_HEIGHT_MAX - 1]);
}

bool santorini_birth_is_real(unsigned year, unsigned month, unsigned day) {
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year == 0 || year > SANTORINI_YEAR_MAX || month == 0 || month > 12 || day == 0)
        return false;
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day <= days[month - 1] + (month == 2 && is_leap ? 1u : 0u);
}

struct santorini_birth santorini_action_birth(const struct action *action) {
    return (struct santorini_birth){.year = (uint16_t)(action->arg[0] | action->arg[1] << 8),
                                    .month = action->arg[2],
                                    .day = action->arg[3]};
}

struct action santorini_action_born(unsigned year, unsigned month, unsigned day) {
    return (struct action){.kind = SANTORINI_ACT_BORN,
                           .arg = {(uint8_t)year, (uint8_t)(year >> 8), (uint8_t)month, (uint8_t)day}};
}

static struct santorini *santorini_state_of(struct game_state *state) {
    return (struct santorini *)state;
}

/* The set-up. */

static void clear(struct santorini *s, unsigned seat_count) {
    memset(s, 0, sizeof *s);
    memset(s->builder, SANTORINI_NOWHERE, sizeof s->builder);
    memset(s->color, SANTORINI_NOBODY, sizeof s->color);
    memset(s->start, SANTORINI_NOWHERE, sizeof s->start);
    s->seat_count = (uint8_t)seat_count;
    s->rules_version = (uint8_t)santorini_game.rules_version;
    s->alive = (uint8_t)((1u << seat_count) - 1);
    s->winner = s->starter = s->actor = s->led_seat = s->led_builder = SANTORINI_NOBODY;
    s->first_built = SANTORINI_NOWHERE;
    for (unsigned seat = 0; seat < seat_count; seat++)
        s->order[seat] = (uint8_t)seat;
}

/* R14: without gods nothing is asked; the first seat begins and the colours go by seats. */
static void plain_begin(struct santorini *s) {
    s->gods_option = SANTORINI_GODS_NONE;
    s->starter = 0;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        s->color[seat] = (uint8_t)seat;
    s->phase = SANTORINI_PLACE;
}

static enum err santorini_setup(struct game_state *state, const struct game_options *options) {
    enum err e = game_options_check(&santorini_game, options);
    if (e != ERR_OK)
        return e;
    struct santorini *s = santorini_state_of(state);
    clear(s, options->seat_count);
    s->rules_version = (uint8_t)game_options_rules(&santorini_game, options);
    if (options->value[SANTORINI_OPTION_GODS] == SANTORINI_GODS_NONE)
        plain_begin(s);
    return ERR_OK;
}

/* R2: whether a seat comes before another, by age and then by seat. */
static bool is_younger(const struct santorini *s, unsigned a, unsigned b) {
    struct santorini_birth x = s->birth[a], y = s->birth[b];
    if (x.year != y.year)
        return x.year > y.year;
    if (x.month != y.month)
        return x.month > y.month;
    return x.day != y.day ? x.day > y.day : a < b;
}

static void order_make(struct santorini *s) {
    for (unsigned i = 1; i < s->seat_count; i++)
        for (unsigned k = i; k > 0 && is_younger(s, s->order[k], s->order[k - 1]); k--) {
            uint8_t younger = s->order[k];
            s->order[k] = s->order[k - 1];
            s->order[k - 1] = younger;
        }
}

static void play_born(struct santorini *s, unsigned seat, const struct action *action) {
    s->birth[seat] = santorini_action_birth(action);
    s->has_birth |= (uint8_t)(1u << seat);
    if (s->has_birth != s->alive)
        return;
    order_make(s);
    s->mover = s->order[0];
    s->phase = SANTORINI_OFFER;
}

static void play_offer(struct santorini *s, unsigned god) {
    s->offered[s->offered_count++] = (uint8_t)god;
    if (s->offered_count < s->seat_count)
        return;
    s->phase = SANTORINI_TAKE;
    s->mover = (uint8_t)seat_after(s, s->mover);
}

/* R34: the simple gods that nobody has. */
static uint16_t deck_make(const struct santorini *s) {
    unsigned deck = (2u << GOD_SIMPLE_LAST) - 2;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (s->card[seat] <= GOD_SIMPLE_LAST)
            deck &= ~(1u << s->card[seat]);
    return (uint16_t)deck;
}

static void play_take(struct santorini *s, unsigned god) {
    bool has_chaos = false;
    s->card[s->mover] = (uint8_t)god;
    if (s->mover != s->order[0]) {
        s->mover = (uint8_t)seat_after(s, s->mover);
        return;
    }
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        has_chaos = has_chaos || s->card[seat] == GOD_CHAOS;
    s->phase = has_chaos ? SANTORINI_DRAW : SANTORINI_START;
    s->chaos_deck = has_chaos ? deck_make(s) : 0;
}

static void play_draw(struct santorini *s, unsigned god) {
    s->chaos_power = (uint8_t)god;
    s->chaos_deck &= (uint16_t) ~(1u << god);
    if (s->chaos_deck == 0)
        s->chaos_deck = deck_make(s);
    if (s->turns > 0)
        turn_next(s);
    else
        s->phase = SANTORINI_START;
}

static void play_color(struct santorini *s, unsigned color) {
    s->color[s->mover] = (uint8_t)color;
    s->mover = (uint8_t)seat_after(s, s->mover);
    if (s->mover != s->starter)
        return;
    s->phase = SANTORINI_PLACE;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (row_of(s, seat)->places_first) /* R33 */
            s->mover = (uint8_t)seat;
}

unsigned santorini_placing(const struct santorini *s) {
    return s->builder[s->mover][0] == SANTORINI_NOWHERE ? 0 : 1;
}

cell_set santorini_places(const struct santorini *s) {
    const struct santorini_row *row = row_of(s, s->mover);
    cell_set cells = CELLS_ALL & ~santorini_occupied(s);
    if (s->phase != SANTORINI_PLACE)
        return 0;
    return row->places != NULL ? row->places(s, s->mover, cells) : cells;
}

static void play_place(struct santorini *s, unsigned cell) {
    s->builder[s->mover][santorini_placing(s)] = (uint8_t)cell;
    if (s->builder[s->mover][1] == SANTORINI_NOWHERE)
        return;
    unsigned seat = s->starter;
    do {
        if (s->builder[seat][0] == SANTORINI_NOWHERE) {
            s->mover = (uint8_t)seat;
            return;
        }
        seat = seat_after(s, seat);
    } while (seat != s->starter);
    turn_begin(s, s->starter);
}

cell_set santorini_places_after(const struct santorini *s, unsigned cell) {
    struct santorini next = *s;
    play_place(&next, cell);
    return santorini_places(&next);
}

/* R3, R15: the gods that can still be offered. */
static uint32_t choices_offer(const struct santorini *s) {
    uint32_t set = 0;
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++)
        set |= (uint32_t)(santorini_rows[god].seats >> s->seat_count & 1) << god;
    for (unsigned i = 0; i < s->offered_count; i++)
        set &= ~(1u << s->offered[i]);
    return set;
}

uint32_t santorini_choices(const struct santorini *s) {
    uint32_t set = 0;
    switch (s->phase) {
    case SANTORINI_OFFER: return choices_offer(s);
    case SANTORINI_TAKE: /* R3 */
        for (unsigned i = 0; i < s->offered_count; i++)
            set |= 1u << s->offered[i];
        for (unsigned seat = 0; seat < s->seat_count; seat++)
            set &= ~(1u << s->card[seat]);
        return set;
    case SANTORINI_DRAW: return s->chaos_deck; /* R34 */
    case SANTORINI_START: return (1u << s->seat_count) - 1;
    case SANTORINI_COLOR:
        set = (1u << SANTORINI_COLORS) - 1;
        for (unsigned seat = 0; seat < s->seat_count; seat++)
            set &= ~(s->color[seat] < SANTORINI_COLORS ? 1u << s->color[seat] : 0);
        return set;
    default: return santorini_places(s);
    }
}

bool santorini_set_position(struct santorini *s, const struct santorini_position *position) {
    clear(s, position->seat_count);
    plain_begin(s);
    unsigned cell = 0;
    for (const char *text = position->heights; text != NULL && *text != '\0'; text++) {
        static const char signs[] = "01234abc";
        const char *sign = strchr(signs, *text);
        if (*text == ' ')
            continue;
        if (sign == NULL || cell == SANTORINI_CELLS)
            return false;
        unsigned place = (unsigned)(sign - signs), height = place > 4 ? place - 5 : place > 3 ? 3 : place;
        for (unsigned h = 0; h < height; h++)
            s->block[h] |= CELL_BIT(cell);
        s->dome |= place > 3 ? CELL_BIT(cell) : 0;
        cell++;
    }
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        s->card[seat] = (uint8_t)position->god[seat];
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
            unsigned at = position->builder[seat][b];
            if (at != SANTORINI_NOWHERE &&
                (at >= SANTORINI_CELLS || cell_is_in(at, santorini_occupied(s) | s->dome)))
                return false;
            s->builder[seat][b] = (uint8_t)at;
        }
        s->gods_option = s->card[seat] != GOD_NONE ? SANTORINI_GODS_CHOOSE : s->gods_option;
    }
    if (position->heights != NULL && cell != SANTORINI_CELLS)
        return false;
    turn_begin(s, 0);
    return true;
}

/* The interface. */

static seat_set santorini_turn(const struct game_state *state) {
    const struct santorini *s = santorini_of(state);
    switch (s->phase) {
    case SANTORINI_BORN: return s->alive & (seat_set)~s->has_birth;
    case SANTORINI_DRAW: return SEAT_BIT(SEAT_CHANCE);
    case SANTORINI_OVER: return 0;
    default: return SEAT_BIT(s->mover);
    }
}

static enum err santorini_check(const struct game_state *state, unsigned seat, const struct action *action) {
    if (santorini_of(state)->phase == SANTORINI_OVER)
        return ERR_TABLE_OVER;
    if (!game_may_act(&santorini_game, state, seat))
        return ERR_NOT_YOUR_TURN;
    return santorini_refusal(santorini_of(state), seat, action);
}

struct list {
    struct action *out;
    size_t count;
};

static void santorini_list_add(struct list *list, enum santorini_kind kind, unsigned first, unsigned second) {
    list->out[list->count++] = santorini_action(kind, first, second);
}

/* Steps of one kind by one builder, or by none. */
struct step_group {
    cell_set cells;
    uint32_t before, sum; /* steps before this group, and with it */
    uint8_t kind, builder;
};
enum { GROUPS_MAX = 4 * SANTORINI_HANDS + 2 };

struct step_groups {
    unsigned count;
    uint32_t sum; /* of all steps */
    struct step_group group[GROUPS_MAX];
};

static inline void group_add(struct step_groups *g, cell_set cells, enum santorini_kind kind,
                             unsigned builder) {
    if (cells == 0)
        return;
    struct step_group *group = &g->group[g->count++];
    group->cells = cells;
    group->before = g->sum;
    group->sum = g->sum += cells_count(cells);
    group->kind = (uint8_t)kind;
    group->builder = (uint8_t)builder;
}

/* All steps but the end, in the order in which legal lists them; no group is empty. */
static inline void steps_group(const struct santorini_steps *steps, struct step_groups *out) {
    out->count = out->sum = 0;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        group_add(out, steps->move[b], SANTORINI_ACT_MOVE, b);
        group_add(out, steps->block[b], SANTORINI_ACT_BUILD, b);
        group_add(out, steps->dome[b], SANTORINI_ACT_DOME, b);
        group_add(out, steps->force[b], SANTORINI_ACT_FORCE, b);
    }
    if ((steps->remove | steps->borrow) == 0)
        return;
    group_add(out, steps->remove, SANTORINI_ACT_REMOVE, 0);
    group_add(out, steps->borrow, SANTORINI_ACT_BORROW, 0);
}

/* The step of a group on one of its cells; the other bytes of the action are 0 already. */
static void group_action(const struct step_group *group, unsigned cell, struct action *out) {
    bool has_builder = group->kind < SANTORINI_ACT_REMOVE;
    out->kind = group->kind;
    out->arg[0] = (uint8_t)(has_builder ? group->builder : cell);
    out->arg[1] = (uint8_t)(has_builder ? cell : 0);
}

static void list_steps(const struct santorini *s, struct list *list) {
    struct santorini_steps steps;
    struct step_groups groups;
    santorini_steps(s, &steps);
    steps_group(&steps, &groups);
    for (unsigned i = 0; i < groups.count; i++)
        EACH_CELL(cell, groups.group[i].cells) {
            list->out[list->count] = (struct action){0};
            group_action(&groups.group[i], cell, &list->out[list->count++]);
        }
    if (steps.can_end)
        santorini_list_add(list, SANTORINI_ACT_END, 0, 0);
}

/* The kind of action by which something of santorini_choices is chosen in this phase. */
static enum santorini_kind choice_kind(const struct santorini *s) {
    return (enum santorini_kind)(s->phase - SANTORINI_BORN + SANTORINI_ACT_BORN);
}

static size_t santorini_legal(const struct game_state *state, unsigned seat, struct action *out) {
    const struct santorini *s = santorini_of(state);
    struct list list = {out, 0};
    if (!game_may_act(&santorini_game, state, seat))
        return 0;
    if (s->phase == SANTORINI_BORN)
        return LEGAL_UNLISTED;
    if (s->phase == SANTORINI_TURN)
        list_steps(s, &list);
    else
        EACH_CELL(choice, santorini_choices(s))
    santorini_list_add(&list, choice_kind(s), choice, 0);
    return list.count;
}

/* R2: most players say when they were born. */
static void sample_born(struct rng *rng, struct action *out) {
    enum { YEAR_FIRST = 1930, YEARS = 90 };
    unsigned month = 1 + rng_below(rng, 12), year = YEAR_FIRST + rng_below(rng, YEARS);
    unsigned day = 1 + rng_below(rng, 28);
    *out = rng_below(rng, 8) == 0 ? santorini_action_born(0, 0, 0) : santorini_action_born(year, month, day);
}

/* One of the steps, each with the same chance, without a list of them. */
static void sample_steps(const struct santorini *s, struct rng *rng, struct action *out) {
    struct santorini_steps steps;
    struct step_groups groups;
    santorini_steps(s, &steps);
    steps_group(&steps, &groups);
    uint32_t n = rng_below(rng, groups.sum + steps.can_end);
    if (n == groups.sum) {
        out->kind = SANTORINI_ACT_END;
        return;
    }
    const struct step_group *group = groups.group;
    while (n >= group->sum)
        group++;
    group_action(group, cell_nth(group->cells, n - group->before), out);
}

static void santorini_sample(const struct game_state *state, unsigned seat, struct rng *rng,
                             struct action *out) {
    const struct santorini *s = santorini_of(state);
    (void)seat;
    memset(out, 0, sizeof *out);
    if (s->phase == SANTORINI_BORN)
        sample_born(rng, out);
    else if (s->phase == SANTORINI_TURN)
        sample_steps(s, rng, out);
    else {
        uint32_t choices = santorini_choices(s);
        out->kind = (uint8_t)choice_kind(s);
        out->arg[0] = (uint8_t)cell_nth(choices, rng_below(rng, cells_count(choices)));
    }
}

static void santorini_apply(struct game_state *state, unsigned seat, const struct action *action) {
    struct santorini *s = santorini_state_of(state);
    unsigned first = action->arg[0];
    switch (action->kind) {
    case SANTORINI_ACT_BORN: play_born(s, seat, action); return;
    case SANTORINI_ACT_OFFER: play_offer(s, first); return;
    case SANTORINI_ACT_TAKE: play_take(s, first); return;
    case SANTORINI_ACT_DRAW: play_draw(s, first); return;
    case SANTORINI_ACT_START:
        s->starter = s->mover = (uint8_t)first;
        s->phase = SANTORINI_COLOR;
        return;
    case SANTORINI_ACT_COLOR: play_color(s, first); return;
    case SANTORINI_ACT_PLACE: play_place(s, first); return;
    default: turn_play(s, action);
    }
}

/* R18: a seat that is given up is out at once and the others go on; before the first turn there is nothing to
 * go on with. */
static bool santorini_attend(struct game_state *state, unsigned seat, enum attendance attendance) {
    struct santorini *s = santorini_state_of(state);
    if (attendance != SEAT_RETIRED || s->turns == 0 || s->phase == SANTORINI_OVER ||
        !santorini_is_alive(s, seat))
        return false;
    bool is_own_draw = s->phase == SANTORINI_DRAW && s->card[seat] == GOD_CHAOS;
    bool is_own_turn = s->phase == SANTORINI_TURN && s->mover == seat;
    bool is_led = s->phase == SANTORINI_TURN && s->led_seat == seat;
    s->left |= (uint8_t)(1u << seat);
    seat_out(s, seat);
    if (s->phase == SANTORINI_OVER)
        return true;
    if (is_own_turn || is_own_draw || is_led)
        turn_pass(s);
    else if (s->phase == SANTORINI_TURN)
        turn_resume(s);
    return true;
}

static void santorini_score(const struct game_state *state, int32_t points[SEATS_MAX]) {
    const struct santorini *s = santorini_of(state);
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        points[seat] = s->winner == SANTORINI_NOBODY ? santorini_is_alive(s, seat) : s->winner == seat;
}

static const char *board_valid(const struct santorini *s) {
    cell_set seen = 0;
    if ((s->block[0] | s->dome) & ~CELLS_ALL || s->block[1] & ~s->block[0] || s->block[2] & ~s->block[1])
        return "blocks stand on blocks";
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        for (unsigned b = 0; b < SANTORINI_BUILDERS; b++) {
            unsigned cell = s->builder[seat][b];
            if (cell == SANTORINI_NOWHERE)
                continue;
            if (cell >= SANTORINI_CELLS || !santorini_is_alive(s, seat))
                return "builders of those who are in stand on the board";
            if (cell_is_in(cell, seen | s->dome))
                return "a builder stands alone, and on no dome";
            seen |= CELL_BIT(cell);
        }
    return NULL;
}

static const char *santorini_valid(const struct game_state *state) {
    const struct santorini *s = santorini_of(state);
    const char *wrong = board_valid(s);
    if (wrong != NULL)
        return wrong;
    if (s->phase > SANTORINI_OVER || s->seat_count < 2 || s->seat_count > SANTORINI_SEATS_MAX)
        return "phase and seats are in range";
    if (s->alive == 0 || s->alive >> s->seat_count != 0)
        return "somebody is in";
    if ((s->phase == SANTORINI_OVER) != (s->end != SANTORINI_RUNNING))
        return "what is over has a reason";
    if (s->phase == SANTORINI_TURN && (!santorini_is_alive(s, s->mover) || cells_of(s, s->mover) == 0))
        return "who is on turn has a builder";
    if (s->phase == SANTORINI_TURN && !turn_is_possible(s))
        return "who is on turn can do something";
    return NULL;
}

static const char *const gods_words[] = {"choose", "none", NULL};
static const struct game_option santorini_options[] = {
    {"gods", "choose: cards as the rules have them; none: nobody has a power", gods_words, 0, 1, 0},
    {0},
};

const struct game santorini_game = {
    .name = "santorini",
    .title = "Santorini",
    .rules_version = SANTORINI_RULES_LED,
    .rules_oldest = SANTORINI_RULES_FIRST,
    .seats_min = 2,
    .seats_max = SANTORINI_SEATS_MAX,
    .state_size = sizeof(struct santorini),
    .actions_max = SANTORINI_ACTIONS_MAX,
    .plies_max = SANTORINI_TURNS_MAX * (SANTORINI_MOVES_MAX + 16) + 64,
    .options = santorini_options,
    .refusals = (const struct err_row[]){SANTORINI_REFUSALS(ERR_ROW){0}},
    .setup = santorini_setup,
    .turn = santorini_turn,
    .legal = santorini_legal,
    .sample = santorini_sample,
    .check = santorini_check,
    .apply = santorini_apply,
    .attend = santorini_attend,
    .rivals = stock_rivals,
    .score = santorini_score,
    .valid = santorini_valid,
    .redact_state = stock_redact_state,
    .redact_action = stock_redact_action,
    .imagine = stock_imagine,
    .foresee = stock_foresee,
    .describe = santorini_describe,
    .action_format = santorini_action_format,
    .action_parse = santorini_action_parse,
    .playout = santorini_playout,
    .perft = santorini_perft,
};
