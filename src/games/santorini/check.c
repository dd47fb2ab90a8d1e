/* Why an action of Santorini is refused. Whether it is follows from the same sets that legal lists; only then
 * the reason is looked for, from the plain rules to the powers, so that a client learns the first thing that
 * it has overlooked. */
#include "games/santorini/internal.h"

static bool is_offered(const struct santorini *s, unsigned god) {
    for (unsigned i = 0; i < s->offered_count; i++)
        if (s->offered[i] == god)
            return true;
    return false;
}

/* R2 */
static enum err born_refusal(const struct action *action) {
    struct santorini_birth birth = santorini_action_birth(action);
    bool is_unknown = birth.year == 0 && birth.month == 0 && birth.day == 0;
    return is_unknown || santorini_birth_is_real(birth.year, birth.month, birth.day) ? ERR_OK
                                                                                     : ERR_BIRTH_DATE;
}

/* Why a god that is not among the choices is refused. R3, R15 */
static enum err god_reason(const struct santorini *s, enum santorini_kind kind, unsigned god) {
    if (god == GOD_NONE || god >= GOD_COUNT)
        return ERR_GOD_UNKNOWN;
    if (kind == SANTORINI_ACT_OFFER)
        return santorini_god_fits((enum santorini_god)god, s->seat_count) ? ERR_GOD_OFFERED : ERR_GOD_SEATS;
    return kind == SANTORINI_ACT_TAKE && !is_offered(s, god) ? ERR_GOD_NOT_OFFERED : ERR_GOD_TAKEN;
}

static enum err place_reason(const struct santorini *s, unsigned cell) {
    if (cell >= SANTORINI_CELLS)
        return ERR_CELL_OUTSIDE;
    return cell_is_in(cell, cells_occupied(s)) ? ERR_PLACE_OCCUPIED : ERR_PLACE_POWER; /* R4 */
}

/* What is chosen before the first turn, and by chance. */
static enum err choice_refusal(const struct santorini *s, enum santorini_kind kind, unsigned choice) {
    if (choice < 32 && (santorini_choices(s) >> choice & 1))
        return ERR_OK;
    switch (kind) {
    case SANTORINI_ACT_START: return ERR_STARTER_UNKNOWN;
    case SANTORINI_ACT_COLOR: return choice >= SANTORINI_COLORS ? ERR_COLOR_UNKNOWN : ERR_COLOR_TAKEN;
    case SANTORINI_ACT_PLACE: return place_reason(s, choice);
    default: return god_reason(s, kind, choice);
    }
}

/* A move that is not among the steps. */
static enum err move_reason(const struct santorini *s, unsigned builder, unsigned cell) {
    struct santorini_steps raw;
    turn_steps_raw(s, &raw);
    unsigned from = santorini_cell(s, builder);
    cell_set any = raw.move[0] | raw.move[1] | raw.move[2];
    if (cell_is_in(cell, raw.move[builder]))
        return ERR_TURN_DEAD_END; /* R9 */
    if (raw.move[builder] == 0 && s->actor != SANTORINI_NOBODY)
        return any != 0 ? ERR_BUILDER_OTHER : ERR_MOVE_LATE; /* R7 */
    if (!cell_is_in(cell, santorini_near[from]))
        return ERR_MOVE_FAR;
    if (santorini_has_dome(s, cell))
        return ERR_MOVE_DOMED;
    if (santorini_height(s, cell) > santorini_height(s, from) + 1)
        return ERR_MOVE_HIGH;
    return cell_is_in(cell, cells_occupied(s)) ? ERR_MOVE_OCCUPIED : ERR_MOVE_POWER;
}

/* A block or dome that is not among the steps: what is wrong with the cell. */
static enum err site_reason(const struct santorini *s, unsigned builder, unsigned cell, bool is_dome) {
    if (!cell_is_in(cell, santorini_near[santorini_cell(s, builder)]))
        return ERR_BUILD_FAR;
    if (cell_is_in(cell, cells_occupied(s)))
        return ERR_BUILD_OCCUPIED;
    if (santorini_has_dome(s, cell))
        return ERR_BUILD_DOMED;
    if (!is_dome && santorini_height(s, cell) == SANTORINI_HEIGHT_MAX)
        return ERR_BUILD_HIGH;
    return is_dome && santorini_height(s, cell) < SANTORINI_HEIGHT_MAX ? ERR_DOME_LOW : ERR_BUILD_POWER;
}

/* Whether the build could be made if no other seat had a god. */
static bool is_hindered(const struct santorini *s, unsigned builder, unsigned cell, bool is_dome) {
    struct santorini alone = *s;
    struct santorini_steps raw;
    alone.alive = (uint8_t)(1u << s->mover);
    turn_steps_raw(&alone, &raw);
    return cell_is_in(cell, is_dome ? raw.dome[builder] : raw.block[builder]);
}

static enum err build_reason(const struct santorini *s, unsigned builder, unsigned cell, bool is_dome) {
    struct santorini_steps raw;
    turn_steps_raw(s, &raw);
    cell_set own = raw.block[builder] | raw.dome[builder], any = 0;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        any |= raw.block[b] | raw.dome[b];
    if (cell_is_in(cell, is_dome ? raw.dome[builder] : raw.block[builder]))
        return ERR_TURN_DEAD_END; /* R9 */
    if (is_hindered(s, builder, cell, is_dome))
        return ERR_BUILD_POWER; /* R19 */
    if (own == 0 && any != 0)
        return ERR_BUILDER_OTHER; /* R7 */
    if (any == 0 && s->moves == 0)
        return ERR_BUILD_EARLY;
    return any == 0 ? ERR_BUILD_LATE : site_reason(s, builder, cell, is_dome);
}

static enum err builder_refusal(const struct santorini *s, const struct action *action) {
    unsigned builder = action->arg[0], cell = action->arg[1];
    if (s->is_choosing)
        return action->kind == SANTORINI_ACT_MOVE ? ERR_MOVE_LATE : ERR_BUILD_LATE;
    if (builder >= SANTORINI_HANDS || santorini_cell(s, builder) == SANTORINI_NOWHERE ||
        (builder != SANTORINI_BORROWED && s->led_seat != SANTORINI_NOBODY))
        return ERR_BUILDER_UNKNOWN;
    if (cell >= SANTORINI_CELLS)
        return ERR_CELL_OUTSIDE;
    if (turn_allows(s, action))
        return ERR_OK;
    switch (action->kind) {
    case SANTORINI_ACT_MOVE: return move_reason(s, builder, cell);
    case SANTORINI_ACT_BUILD: return build_reason(s, builder, cell, false);
    case SANTORINI_ACT_DOME: return build_reason(s, builder, cell, true);
    default: return ERR_STEP_POWER;
    }
}

static enum err step_refusal(const struct santorini *s, const struct action *action) {
    switch (action->kind) {
    case SANTORINI_ACT_END: return turn_allows(s, action) ? ERR_OK : ERR_TURN_OPEN;
    case SANTORINI_ACT_REMOVE:
    case SANTORINI_ACT_BORROW:
        if (action->arg[0] >= SANTORINI_CELLS)
            return ERR_CELL_OUTSIDE;
        return turn_allows(s, action) ? ERR_OK : ERR_STEP_POWER;
    default: return builder_refusal(s, action);
    }
}

/* How many arguments a kind has; the rest must be zero. */
static unsigned arg_count(unsigned kind) {
    static const uint8_t counts[] = {
        [SANTORINI_ACT_BORN] = 4,   [SANTORINI_ACT_OFFER] = 1, [SANTORINI_ACT_TAKE] = 1,
        [SANTORINI_ACT_DRAW] = 1,   [SANTORINI_ACT_START] = 1, [SANTORINI_ACT_COLOR] = 1,
        [SANTORINI_ACT_PLACE] = 1,  [SANTORINI_ACT_MOVE] = 2,  [SANTORINI_ACT_BUILD] = 2,
        [SANTORINI_ACT_DOME] = 2,   [SANTORINI_ACT_FORCE] = 2, [SANTORINI_ACT_REMOVE] = 1,
        [SANTORINI_ACT_BORROW] = 1, [SANTORINI_ACT_END] = 0,
    };
    return counts[kind];
}

static enum santorini_phase phase_of(unsigned kind) {
    return kind >= SANTORINI_ACT_MOVE ? SANTORINI_TURN
                                      : (enum santorini_phase)(kind - SANTORINI_ACT_BORN + SANTORINI_BORN);
}

enum err santorini_refusal(const struct santorini *s, unsigned seat, const struct action *action) {
    (void)seat;
    if (action->kind < SANTORINI_ACT_BORN || action->kind > SANTORINI_ACT_END)
        return ERR_ACTION_UNKNOWN;
    for (unsigned i = arg_count(action->kind); i < ACTION_ARGS; i++)
        if (action->arg[i] != 0)
            return ERR_ACTION_UNKNOWN;
    if (phase_of(action->kind) != s->phase)
        return ERR_PHASE_OTHER; /* R3 */
    unsigned first = action->arg[0];
    if (action->kind == SANTORINI_ACT_BORN)
        return born_refusal(action);
    return action->kind < SANTORINI_ACT_MOVE ? choice_refusal(s, (enum santorini_kind)action->kind, first)
                                             : step_refusal(s, action);
}
