/* What chance decides in Eriantys: the set-up, the clouds and the refills of characters. A draw is one
 * outcome for as many students as are drawn together; which of them came first is never known. */
#include "games/eriantys/internal.h"

#include <assert.h>

enum {
    SETUP_PER_COLOR = 2,                                /* R3: students of each colour on the islands */
    SETUP_STUDENTS = SETUP_PER_COLOR * ERIANTYS_COLORS, /* one on each island but two */
    ISLAND_OPPOSITE = ERIANTYS_ISLANDS / 2,             /* R3: of mother nature's, at 0 */
    DRAW_COUNTS = 2, /* first argument of a draw that is a number of students */
};

/* A draw that is due: as many students for this place. */
struct draw {
    uint8_t place, index, count;
};

static struct draw draw_due(const struct eriantys *e) {
    if (e->refill_due != ERIANTYS_NONE)
        return (struct draw){ERIANTYS_AT_CARD, e->card[e->refill_due].id, 1};
    switch ((enum eriantys_phase)e->phase) {
    case ERIANTYS_SETUP_ENTRANCES:
        return (struct draw){ERIANTYS_AT_ENTRANCE, e->turn, (uint8_t)eriantys_entrance_size(e)};
    case ERIANTYS_SETUP_CARDS:
        return (struct draw){ERIANTYS_AT_CARD, e->card[e->turn].id,
                             eriantys_character_row(e->card[e->turn].id)->students};
    default: return (struct draw){ERIANTYS_AT_CLOUD, e->turn, (uint8_t)eriantys_cloud_size(e)};
    }
}

static bool eriantys_is_blank(const struct action *action, unsigned from) {
    for (unsigned i = from; i < ACTION_ARGS; i++)
        if (action->arg[i] != 0)
            return false;
    return true;
}

/* R3: two of each colour. */
static enum err place_check(const struct action *action) {
    unsigned count[ERIANTYS_COLORS] = {0};
    for (unsigned i = 0; i < SETUP_STUDENTS; i++)
        if (action->arg[i] >= ERIANTYS_COLORS || ++count[action->arg[i]] > SETUP_PER_COLOR)
            return ERR_DRAW_WRONG;
    return eriantys_is_blank(action, SETUP_STUDENTS) ? ERR_OK : ERR_ACTION_UNKNOWN;
}

static enum err characters_check(const struct action *action) {
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++)
        if (action->arg[i] == 0 || action->arg[i] > ERIANTYS_CHARACTERS ||
            (i > 0 && action->arg[i] <= action->arg[i - 1]))
            return ERR_CHARACTER_UNKNOWN;
    return eriantys_is_blank(action, ERIANTYS_CHARACTERS_IN_PLAY) ? ERR_OK : ERR_ACTION_UNKNOWN;
}

static enum err draw_check(const struct eriantys *e, const struct action *action) {
    struct draw due = draw_due(e);
    unsigned sum = 0;
    if (action->arg[0] != due.place || action->arg[1] != due.index ||
        !eriantys_is_blank(action, DRAW_COUNTS + ERIANTYS_COLORS))
        return ERR_ACTION_UNKNOWN;
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        sum += action->arg[DRAW_COUNTS + color];
        if (action->arg[DRAW_COUNTS + color] > e->bag[color])
            return ERR_DRAW_WRONG;
    }
    return sum == due.count ? ERR_OK : ERR_DRAW_WRONG;
}

enum err eriantys_chance_check(const struct eriantys *e, const struct action *action) {
    bool is_own_phase = e->refill_due == ERIANTYS_NONE;
    if (is_own_phase && e->phase == ERIANTYS_SETUP_ISLANDS)
        return action->kind == ERIANTYS_PLACE_STUDENTS ? place_check(action) : ERR_ACTION_UNKNOWN;
    if (is_own_phase && e->phase == ERIANTYS_SETUP_CHARACTERS)
        return action->kind == ERIANTYS_CHOOSE_CHARACTERS ? characters_check(action) : ERR_ACTION_UNKNOWN;
    return action->kind == ERIANTYS_DRAW ? draw_check(e, action) : ERR_ACTION_UNKNOWN;
}

static void place_sample(struct rng *rng, struct action *out) {
    out->kind = ERIANTYS_PLACE_STUDENTS;
    for (unsigned i = 0; i < SETUP_STUDENTS; i++) {
        unsigned other = rng_below(rng, i + 1);
        out->arg[i] = out->arg[other];
        out->arg[other] = (uint8_t)(i / SETUP_PER_COLOR);
    }
}

/* R5: every three of the twelve are equally likely. */
static void characters_sample(struct rng *rng, struct action *out) {
    unsigned chosen = 0, wanted = ERIANTYS_CHARACTERS_IN_PLAY;
    out->kind = ERIANTYS_CHOOSE_CHARACTERS;
    for (unsigned id = 1; id <= ERIANTYS_CHARACTERS; id++)
        if (rng_below(rng, ERIANTYS_CHARACTERS + 1 - id) < wanted - chosen)
            out->arg[chosen++] = (uint8_t)id;
}

/* One student after the other, without putting any back. */
static void draw_sample(const struct eriantys *e, struct rng *rng, struct action *out) {
    struct draw due = draw_due(e);
    unsigned left[ERIANTYS_COLORS], sum = eriantys_sum(e->bag), rest;
    out->kind = ERIANTYS_DRAW;
    out->arg[0] = due.place;
    out->arg[1] = due.index;
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        left[color] = e->bag[color];
    for (unsigned i = 0; i < due.count; i++) {
        unsigned color = eriantys_color_nth(left, rng_below(rng, sum--), &rest);
        left[color]--;
        out->arg[DRAW_COUNTS + color]++;
    }
}

void eriantys_chance_sample(const struct eriantys *e, struct rng *rng, struct action *out) {
    memset(out, 0, sizeof *out);
    if (e->phase == ERIANTYS_SETUP_ISLANDS)
        place_sample(rng, out);
    else if (e->phase == ERIANTYS_SETUP_CHARACTERS)
        characters_sample(rng, out);
    else
        draw_sample(e, rng, out);
}

/* All ways to draw so many from this colour on, behind count others. */
static size_t draws_list(const struct eriantys *e, struct action *draw, unsigned color, unsigned wanted,
                         struct action *out, size_t count) {
    if (color == ERIANTYS_COLORS - 1) {
        if (wanted > e->bag[color])
            return count;
        draw->arg[DRAW_COUNTS + color] = (uint8_t)wanted;
        out[count] = *draw;
        return count + 1;
    }
    for (unsigned taken = 0; taken <= wanted && taken <= e->bag[color]; taken++) {
        draw->arg[DRAW_COUNTS + color] = (uint8_t)taken;
        count = draws_list(e, draw, color + 1, wanted - taken, out, count);
    }
    return count;
}

/* Clouds and refills have few enough outcomes to list; the set-up has not. */
size_t eriantys_chance_legal(const struct eriantys *e, struct action *out) {
    if (e->phase < ERIANTYS_FILLING)
        return LEGAL_UNLISTED;
    struct draw due = draw_due(e);
    struct action draw = {.kind = ERIANTYS_DRAW, .arg = {due.place, due.index}};
    return draws_list(e, &draw, 0, due.count, out, 0);
}

void eriantys_bag_fail(struct eriantys *e) {
    e->is_last_round = 1;
    e->has_bag_failed = 1;
}

static void planning_begin(struct eriantys *e) {
    e->phase = ERIANTYS_PLANNING;
    e->turn = 0;
    e->mover = e->first;
}

void eriantys_round_begin(struct eriantys *e) {
    e->turn = 0;
    if (eriantys_sum(e->bag) >= e->seat_count * eriantys_cloud_size(e)) {
        e->phase = ERIANTYS_FILLING;
        return;
    }
    eriantys_bag_fail(e);
    planning_begin(e);
}

/* The first card from the one at turn on that wants students; then the first round. */
static void cards_go_on(struct eriantys *e) {
    e->phase = ERIANTYS_SETUP_CARDS;
    while (e->turn < ERIANTYS_CHARACTERS_IN_PLAY &&
           eriantys_character_row(e->card[e->turn].id)->students == 0)
        e->turn++;
    if (e->turn == ERIANTYS_CHARACTERS_IN_PLAY)
        eriantys_round_begin(e);
}

static void place_apply(struct eriantys *e, const struct action *action) {
    unsigned next = 0;
    for (unsigned island = 0; island < ERIANTYS_ISLANDS; island++) {
        if (island % ISLAND_OPPOSITE == 0)
            continue;
        unsigned color = action->arg[next++];
        e->bag[color]--;
        e->group[island].students[color]++;
    }
    e->phase = ERIANTYS_SETUP_ENTRANCES;
    e->turn = 0;
}

static void characters_apply(struct eriantys *e, const struct action *action) {
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++) {
        e->card[i].id = action->arg[i];
        e->card[i].bans = eriantys_character_row(action->arg[i])->bans;
    }
    e->turn = 0;
    cards_go_on(e);
}

static uint8_t *draw_target(struct eriantys *e, const struct action *action) {
    switch (action->arg[0]) {
    case ERIANTYS_AT_ENTRANCE: return e->seat[action->arg[1]].entrance;
    case ERIANTYS_AT_CARD: return e->card[eriantys_card_index(e, action->arg[1])].students;
    default: return e->cloud[action->arg[1]];
    }
}

/* What follows a draw. */
static void draw_go_on(struct eriantys *e) {
    if (e->refill_due != ERIANTYS_NONE) {
        e->refill_due = ERIANTYS_NONE;
        return;
    }
    e->turn++;
    if (e->phase == ERIANTYS_SETUP_CARDS)
        cards_go_on(e);
    else if (e->turn == e->seat_count && e->phase == ERIANTYS_FILLING)
        planning_begin(e);
    else if (e->turn == e->seat_count && e->mode == ERIANTYS_EXPERT)
        e->phase = ERIANTYS_SETUP_CHARACTERS;
    else if (e->turn == e->seat_count)
        eriantys_round_begin(e);
}

void eriantys_chance_apply(struct eriantys *e, const struct action *action) {
    if (action->kind == ERIANTYS_PLACE_STUDENTS) {
        place_apply(e, action);
        return;
    }
    if (action->kind == ERIANTYS_CHOOSE_CHARACTERS) {
        characters_apply(e, action);
        return;
    }
    uint8_t *target = draw_target(e, action);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        e->bag[color] -= action->arg[DRAW_COUNTS + color];
        target[color] += action->arg[DRAW_COUNTS + color];
    }
    if (eriantys_sum(e->bag) == 0) /* R20 */
        eriantys_bag_fail(e);
    draw_go_on(e);
}
