/* The twelve characters of expert games: a table with a row for each, and the few functions that the rows
 * need. What only changes a number for the rest of the turn is a field of the row; what lets the mover do
 * something is an effect. */
#include "games/eriantys/internal.h"

#include <assert.h>
#include <limits.h>

enum {
    RETURN_MAX = 3,     /* R38: students of the Thief's colour, per seat */
    JESTER_SWAPS = 3,   /* R33 */
    MINSTREL_SWAPS = 2, /* R36 */
};

#define KIND_BIT(kind) (1u << (kind))

static struct eriantys_seat *mover_of(struct eriantys *e) {
    return &e->seat[e->mover];
}

/* R20: chance puts another student on the card that was paid, unless the bag is empty. */
static void refill_want(struct eriantys *e) {
    if (eriantys_sum(e->bag) == 0)
        eriantys_bag_fail(e);
    else
        e->refill_due = e->paid;
}

static enum err card_check(const struct eriantys *e, const struct action *action) {
    return e->card[e->paid].students[action->arg[0]] == 0 ? ERR_CARD_EMPTY : ERR_OK;
}

/* R27 */
static void monk_use(struct eriantys *e, const struct action *action) {
    e->card[e->paid].students[action->arg[0]]--;
    e->group[eriantys_group_index(e, action->arg[1])].students[action->arg[0]]++;
    refill_want(e);
}

static enum err anything_goes(const struct eriantys *e, const struct action *action) {
    (void)e;
    (void)action;
    return ERR_OK;
}

/* R29 */
static void herald_use(struct eriantys *e, const struct action *action) {
    eriantys_resolve(e, eriantys_group_index(e, action->arg[0]));
}

/* R31, R39: a card that can be paid has a tile. */
static void ban_put(struct eriantys *e, const struct action *action) {
    e->card[e->paid].bans--;
    e->group[eriantys_group_index(e, action->arg[0])].bans++;
}

/* R35 */
static void ignore_use(struct eriantys *e, const struct action *action) {
    e->ignored = action->arg[0];
}

static enum err princess_check(const struct eriantys *e, const struct action *action) {
    if (e->seat[e->mover].dining[action->arg[0]] == ERIANTYS_TABLE_SEATS)
        return ERR_DINING_FULL;
    return card_check(e, action);
}

/* R37 */
static void princess_use(struct eriantys *e, const struct action *action) {
    e->card[e->paid].students[action->arg[0]]--;
    eriantys_dining_add(e, e->mover, action->arg[0]);
    eriantys_professor_update(e, action->arg[0]);
    refill_want(e);
}

/* R38 */
static void return_use(struct eriantys *e, const struct action *action) {
    unsigned color = action->arg[0];
    for (unsigned seat = 0; seat < e->seat_count; seat++) {
        uint8_t *dining = &e->seat[seat].dining[color];
        uint8_t count = *dining < RETURN_MAX ? *dining : RETURN_MAX;
        *dining -= count;
        e->bag[color] += count;
    }
    eriantys_professor_update(e, color);
}

/* R26: notes the half that was done; true when the swap is complete. */
static bool eriantys_half_done(struct eriantys *e, unsigned kind) {
    bool is_complete = e->open_half != 0;
    e->open_half = is_complete ? 0 : (uint8_t)kind;
    return is_complete;
}

/* R33 */
static enum err jester_check(const struct eriantys *e, const struct action *action) {
    if (action->kind == ERIANTYS_SWAP_IN)
        return card_check(e, action);
    return e->seat[e->mover].entrance[action->arg[0]] == 0 ? ERR_ENTRANCE_EMPTY : ERR_OK;
}

static void jester_use(struct eriantys *e, const struct action *action) {
    uint8_t *card = &e->card[e->paid].students[action->arg[0]],
            *entrance = &mover_of(e)->entrance[action->arg[0]];
    bool is_in = action->kind == ERIANTYS_SWAP_IN;
    *card += is_in ? -1 : 1;
    *entrance += is_in ? 1 : -1;
    eriantys_half_done(e, action->kind);
}

/* R36 */
static enum err minstrel_check(const struct eriantys *e, const struct action *action) {
    const struct eriantys_seat *s = &e->seat[e->mover];
    unsigned color = action->arg[0];
    if (action->kind == ERIANTYS_SWAP_IN)
        return s->dining[color] == 0 ? ERR_DINING_EMPTY : ERR_OK;
    if (s->dining[color] == ERIANTYS_TABLE_SEATS)
        return ERR_DINING_FULL;
    return s->entrance[color] == 0 ? ERR_ENTRANCE_EMPTY : ERR_OK;
}

static void minstrel_use(struct eriantys *e, const struct action *action) {
    struct eriantys_seat *s = mover_of(e);
    unsigned color = action->arg[0];
    if (action->kind == ERIANTYS_SWAP_IN) {
        s->dining[color]--;
        s->entrance[color]++;
    } else {
        s->entrance[color]--;
        eriantys_dining_add(e, e->mover, color);
    }
    if (eriantys_half_done(e, action->kind))
        eriantys_professors_update(e);
}

static const struct eriantys_effect monk_effect = {KIND_BIT(ERIANTYS_USE_MONK), card_check, monk_use};
static const struct eriantys_effect herald_effect = {KIND_BIT(ERIANTYS_USE_HERALD), anything_goes,
                                                     herald_use};
static const struct eriantys_effect ban_effect = {KIND_BIT(ERIANTYS_USE_BAN), anything_goes, ban_put};
static const struct eriantys_effect ignore_effect = {KIND_BIT(ERIANTYS_USE_IGNORE), anything_goes,
                                                     ignore_use};
static const struct eriantys_effect princess_effect = {KIND_BIT(ERIANTYS_USE_PRINCESS), princess_check,
                                                       princess_use};
static const struct eriantys_effect return_effect = {KIND_BIT(ERIANTYS_USE_RETURN), anything_goes,
                                                     return_use};
static const struct eriantys_effect jester_effect = {KIND_BIT(ERIANTYS_SWAP_IN) | KIND_BIT(ERIANTYS_SWAP_OUT),
                                                     jester_check, jester_use};
static const struct eriantys_effect minstrel_effect = {
    KIND_BIT(ERIANTYS_SWAP_IN) | KIND_BIT(ERIANTYS_SWAP_OUT), minstrel_check, minstrel_use};

const struct eriantys_character_row eriantys_rows[ERIANTYS_CHARACTERS + 1] = {
    [0] = {.name = "", .title = "", .text = ""},
    [ERIANTYS_MONK] = {"monk", "Monk", .text = "one of its students goes to any island", .cost = 1, .uses = 1,
                       .students = 4, .effect = &monk_effect},
    [ERIANTYS_FARMER] = {"farmer", "Farmer", .text = "this turn you win professors on a tie too", .cost = 2,
                         .uses = 1, .wins_ties = true},
    [ERIANTYS_HERALD] = {"herald", "Herald", .text = "an island is resolved as if mother nature stood there",
                         .cost = 3, .uses = 1, .effect = &herald_effect},
    [ERIANTYS_MESSENGER] = {"messenger", "Messenger",
                            .text = "mother nature may go up to two islands further this turn", .cost = 1,
                            .uses = 1, .steps_more = 2},
    [ERIANTYS_HERBALIST] = {"herbalist", "Herbalist", .text = "puts a no-entry tile on an island", .cost = 2,
                            .uses = 1, .bans = ERIANTYS_BANS, .effect = &ban_effect},
    [ERIANTYS_CENTAUR] = {"centaur", "Centaur", .text = "towers give nobody influence this turn", .cost = 3,
                          .uses = 1, .without_towers = true},
    [ERIANTYS_JESTER] = {"jester", "Jester", .text = "swaps up to three of its students with your entrance",
                         .cost = 1, .uses = 2 * JESTER_SWAPS, .students = 6, .effect = &jester_effect},
    [ERIANTYS_KNIGHT] = {"knight", "Knight", .text = "two more influence for you this turn", .cost = 2,
                         .uses = 1, .influence_more = 2},
    [ERIANTYS_MUSHROOM_SELLER] = {"mushroom-seller", "Mushroom seller",
                                  .text = "students of a colour you name give no influence", .cost = 3,
                                  .uses = 1, .effect = &ignore_effect},
    [ERIANTYS_MINSTREL] = {"minstrel", "Minstrel",
                           .text = "swaps up to two of your dining room with your entrance", .cost = 1,
                           .uses = 2 * MINSTREL_SWAPS, .effect = &minstrel_effect},
    [ERIANTYS_PRINCESS] = {"princess", "Princess", .text = "one of its students goes to your dining room",
                           .cost = 2, .uses = 1, .students = 4, .effect = &princess_effect},
    [ERIANTYS_THIEF] = {"thief", "Thief",
                        .text = "all put up to three students of a colour back into the bag", .cost = 3,
                        .uses = 1, .effect = &return_effect},
};

const struct eriantys_character_row *eriantys_character_row(unsigned id) {
    assert(id <= ERIANTYS_CHARACTERS);
    return &eriantys_rows[id];
}

unsigned eriantys_cost(const struct eriantys_card *card) {
    return eriantys_rows[card->id].cost + card->has_coin;
}

unsigned eriantys_card_index(const struct eriantys *e, unsigned character) {
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++)
        if (e->card[i].id == character && character != 0)
            return i;
    return ERIANTYS_NONE;
}

bool eriantys_is_active(const struct eriantys *e, unsigned character) {
    return e->paid != ERIANTYS_NONE && e->card[e->paid].id == character;
}

unsigned eriantys_uses_left(const struct eriantys *e, unsigned card_index) {
    unsigned id = e->card[card_index].id;
    bool counts_down =
        card_index == e->paid && eriantys_rows[id].effect != NULL && id != ERIANTYS_MUSHROOM_SELLER;
    return counts_down ? e->uses_left : eriantys_rows[id].uses;
}

enum err eriantys_pay_check(const struct eriantys *e, unsigned character) {
    if (e->mode != ERIANTYS_EXPERT)
        return ERR_NOT_EXPERT;
    if (character == 0 || character > ERIANTYS_CHARACTERS)
        return ERR_CHARACTER_UNKNOWN;
    unsigned index = eriantys_card_index(e, character);
    if (index == ERIANTYS_NONE)
        return ERR_CHARACTER_ABSENT;
    if (e->paid != ERIANTYS_NONE)
        return ERR_CHARACTER_PAID;
    if (e->seat[e->mover].coins < eriantys_cost(&e->card[index]))
        return ERR_COINS_SHORT;
    return eriantys_rows[character].bans > 0 && e->card[index].bans == 0 ? ERR_BANS_GONE : ERR_OK;
}

/* R24: the coins go to the bank, but one of the first payment stays on the card. */
void eriantys_pay(struct eriantys *e, unsigned character) {
    unsigned index = eriantys_card_index(e, character);
    struct eriantys_card *card = &e->card[index];
    unsigned cost = eriantys_cost(card);
    mover_of(e)->coins -= (uint8_t)cost;
    e->bank += (uint8_t)(cost - (card->has_coin ? 0 : 1));
    card->has_coin = 1;
    e->paid = (uint8_t)index;
    e->uses_left = eriantys_rows[character].uses;
    if (eriantys_rows[character].wins_ties) /* R28: at once, for all colours */
        eriantys_professors_update(e);
}

static bool takes_color(unsigned kind) {
    return kind != ERIANTYS_USE_HERALD && kind != ERIANTYS_USE_BAN;
}

/* The argument that is an island; -1 when there is none. */
static int island_argument(unsigned kind) {
    return kind == ERIANTYS_USE_MONK ? 1 : takes_color(kind) ? -1 : 0;
}

enum err eriantys_use_check(const struct eriantys *e, const struct action *action) {
    const struct eriantys_effect *effect = eriantys_active_row(e)->effect;
    int island = island_argument(action->kind);
    if (e->mode != ERIANTYS_EXPERT)
        return ERR_NOT_EXPERT;
    if (effect == NULL || (effect->kinds & KIND_BIT(action->kind)) == 0)
        return ERR_EFFECT_UNPAID;
    if (e->uses_left == 0)
        return ERR_EFFECT_USED;
    if (action->kind == e->open_half)
        return ERR_SWAP_OPEN;
    if (takes_color(action->kind) && action->arg[0] >= ERIANTYS_COLORS)
        return ERR_STUDENT_COLOR;
    if (island >= 0 && !eriantys_is_group(e, action->arg[island]))
        return ERR_ISLAND_UNKNOWN;
    return effect->check(e, action);
}

void eriantys_use(struct eriantys *e, const struct action *action) {
    e->uses_left--;
    eriantys_active_row(e)->effect->use(e, action);
}

/* How many actions of one kind there are with this colour (0 for kinds that take none): as many as islands to
 * choose from, or one. */
static unsigned uses_count(const struct eriantys *e, unsigned kind, unsigned color) {
    int island = island_argument(kind);
    struct action action = eriantys_action(kind, color);
    if (island >= 0)
        action.arg[island] = e->group[0].id;
    if (eriantys_use_check(e, &action) != ERR_OK)
        return 0;
    return island >= 0 ? e->group_count : 1;
}

/* The kinds of actions that the paid character lets do now. */
static uint32_t uses_kinds(const struct eriantys *e) {
    const struct eriantys_effect *effect = eriantys_active_row(e)->effect;
    return effect == NULL || e->uses_left == 0 ? 0 : effect->kinds;
}

static bool may_pay(const struct eriantys *e, unsigned card_index) {
    return e->paid == ERIANTYS_NONE && eriantys_pay_check(e, e->card[card_index].id) == ERR_OK;
}

/* Goes through all that characters let do: takes the index-th into out, or counts all when there are fewer.
 */
static unsigned characters_walk(const struct eriantys *e, unsigned index, struct action *out) {
    unsigned count = 0;
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY; i++)
        if (may_pay(e, i) && count++ == index)
            *out = eriantys_action(ERIANTYS_PAY, e->card[i].id);
    for (uint32_t kinds = uses_kinds(e); kinds != 0; kinds &= kinds - 1) {
        unsigned kind = (unsigned)__builtin_ctz(kinds), colors = takes_color(kind) ? ERIANTYS_COLORS : 1;
        for (unsigned color = 0; color < colors; color++) {
            unsigned more = uses_count(e, kind, color);
            if (index >= count && index < count + more) {
                *out = eriantys_action(kind, color);
                if (island_argument(kind) >= 0)
                    out->arg[island_argument(kind)] = e->group[index - count].id;
            }
            count += more;
        }
    }
    return count;
}

unsigned eriantys_characters_count(const struct eriantys *e) {
    struct action none;
    bool is_time = e->mode == ERIANTYS_EXPERT && e->phase >= ERIANTYS_STUDENTS;
    return is_time ? characters_walk(e, UINT_MAX, &none) : 0;
}

void eriantys_characters_at(const struct eriantys *e, unsigned index, struct action *out) {
    characters_walk(e, index, out);
}
