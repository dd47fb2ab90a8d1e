/* The board of one seat in Masters of Renaissance, and the market: what is where, what it is worth, what can
 * be afforded. Questions only; what changes is in renaissance.c. */
#include "games/renaissance/renaissance.h"

static const uint8_t base_capacity[RENAISSANCE_BASE_DEPOTS] = {1, 2, 3}; /* R13 */

unsigned renaissance_gifts(unsigned seats, unsigned seat) {
    static const uint8_t gifts[RENAISSANCE_SEATS_MAX] = {0, 1, 1, 2}; /* R5 */
    return seat < seats ? gifts[seat] : 0;
}

unsigned renaissance_first_faith(unsigned seats, unsigned seat) {
    return seat < seats && seat >= 2 ? 1 : 0; /* R5 */
}

unsigned renaissance_leader_in_play(const struct renaissance_seat *s, enum renaissance_ability ability,
                                    unsigned i) {
    for (unsigned k = 0; k < s->played_count; k++)
        if (renaissance_leader(s->played[k])->ability == ability && i-- == 0)
            return s->played[k];
    return 0;
}

unsigned renaissance_leaders_in_play(const struct renaissance_seat *s, enum renaissance_ability ability) {
    unsigned count = 0;
    for (unsigned k = 0; k < s->played_count; k++)
        count += renaissance_leader(s->played[k])->ability == ability;
    return count;
}

unsigned renaissance_depot_count(const struct renaissance_seat *s) {
    return RENAISSANCE_BASE_DEPOTS + renaissance_leaders_in_play(s, RENAISSANCE_STORE);
}

unsigned renaissance_depot_capacity(const struct renaissance_seat *s, unsigned depot) {
    if (depot < RENAISSANCE_BASE_DEPOTS)
        return base_capacity[depot];
    return depot < renaissance_depot_count(s) ? RENAISSANCE_LEADER_DEPOT_CAPACITY : 0; /* R14 */
}

unsigned renaissance_depot_kind(const struct renaissance_seat *s, unsigned depot) {
    return renaissance_leader(
               renaissance_leader_in_play(s, RENAISSANCE_STORE, depot - RENAISSANCE_BASE_DEPOTS))
        ->kind;
}

const struct renaissance_depot *renaissance_warehouse(const struct renaissance *r, unsigned seat) {
    return r->phase == RENAISSANCE_ARRANGING && r->mover == seat ? r->before : r->seat[seat].depot;
}

void renaissance_stock(const struct renaissance_seat *s, unsigned kind, unsigned out[RENAISSANCE_SOURCES]) {
    out[RENAISSANCE_FROM_BASE] = out[RENAISSANCE_FROM_LEADERS] = 0;
    out[RENAISSANCE_FROM_STRONGBOX] = s->strongbox[kind];
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        if (s->depot[i].count > 0 && s->depot[i].kind == kind)
            out[i < RENAISSANCE_BASE_DEPOTS ? RENAISSANCE_FROM_BASE : RENAISSANCE_FROM_LEADERS] +=
                s->depot[i].count;
}

unsigned renaissance_stock_sum(const struct renaissance_seat *s, unsigned kind) {
    unsigned stock[RENAISSANCE_SOURCES];
    renaissance_stock(s, kind, stock);
    return stock[RENAISSANCE_FROM_BASE] + stock[RENAISSANCE_FROM_LEADERS] + stock[RENAISSANCE_FROM_STRONGBOX];
}

unsigned renaissance_resources_left(const struct renaissance_seat *s) {
    unsigned sum = 0;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        sum += renaissance_stock_sum(s, kind);
    return sum;
}

void renaissance_price(const struct renaissance_seat *s, unsigned card, uint8_t cost[RENAISSANCE_KINDS]) {
    memcpy(cost, renaissance_card(card)->cost, RENAISSANCE_KINDS);
    for (unsigned i = 0; i < s->played_count; i++) {
        const struct renaissance_leader *leader = renaissance_leader(s->played[i]);
        if (leader->ability == RENAISSANCE_DISCOUNT && cost[leader->kind] > 0) /* R17 */
            cost[leader->kind]--;
    }
}

unsigned renaissance_top(const struct renaissance_seat *s, unsigned slot) {
    unsigned top = 0;
    for (unsigned i = 0; i < RENAISSANCE_LEVELS && s->slot[slot][i] != 0; i++)
        top = s->slot[slot][i];
    return top;
}

unsigned renaissance_cards_owned(const struct renaissance_seat *s) {
    unsigned count = 0;
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        for (unsigned i = 0; i < RENAISSANCE_LEVELS; i++)
            count += s->slot[slot][i] != 0;
    return count;
}

bool renaissance_leader_is_earned(const struct renaissance_seat *s, unsigned number) {
    const struct renaissance_leader *leader = renaissance_leader(number);
    unsigned cards[RENAISSANCE_COLOURS] = {0}, cards_level2[RENAISSANCE_COLOURS] = {0};
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
        for (unsigned i = 0; i < RENAISSANCE_LEVELS && s->slot[slot][i] != 0; i++) {
            const struct renaissance_card *card = renaissance_card(s->slot[slot][i]);
            cards[card->colour]++;
            cards_level2[card->colour] += card->level == 2; /* R25: exactly level 2 */
        }
    for (unsigned i = 0; i < RENAISSANCE_COLOURS; i++)
        if (cards[i] < leader->cards[i] || cards_level2[i] < leader->cards_level2[i])
            return false;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        if (leader->resources[kind] > 0 && renaissance_stock_sum(s, kind) < leader->resources[kind])
            return false;
    return true;
}

unsigned renaissance_marble_kind(unsigned marble) {
    switch (marble) { /* R10 */
    case RENAISSANCE_BLUE: return RENAISSANCE_SHIELDS;
    case RENAISSANCE_YELLOW: return RENAISSANCE_COINS;
    case RENAISSANCE_GREY: return RENAISSANCE_STONES;
    case RENAISSANCE_PURPLE: return RENAISSANCE_SERVANTS;
    default: return RENAISSANCE_KINDS;
    }
}

unsigned renaissance_line(const struct renaissance *r, unsigned line, uint8_t marbles[RENAISSANCE_COLUMNS]) {
    bool is_row = line < RENAISSANCE_ROWS;
    unsigned count = is_row ? RENAISSANCE_COLUMNS : RENAISSANCE_ROWS;
    for (unsigned i = 0; i < count; i++)
        marbles[i] = is_row ? r->market[line * RENAISSANCE_COLUMNS + i]
                            : r->market[i * RENAISSANCE_COLUMNS + line - RENAISSANCE_ROWS];
    return count;
}

unsigned renaissance_pile_left(const struct renaissance *r, unsigned pile) {
    return (unsigned)__builtin_popcount(r->unseen[pile]) + (r->visible[pile] != 0);
}

bool renaissance_owes_setup(const struct renaissance *r, unsigned seat) {
    return seat < r->seats && !r->seat[seat].is_away && r->seat[seat].stage != RENAISSANCE_READY &&
           r->phase >= RENAISSANCE_KEEPING && r->phase < RENAISSANCE_OVER;
}

unsigned renaissance_possible(const struct renaissance *r, unsigned seat) {
    bool is_before = r->phase == RENAISSANCE_BEFORE, is_after = r->phase == RENAISSANCE_AFTER;
    if ((!is_before && !is_after) || r->mover != seat || r->seat[seat].stage != RENAISSANCE_READY)
        return 0;
    unsigned possible = is_after ? RENAISSANCE_MAY_END_TURN
                                 : RENAISSANCE_MAY_BUY | RENAISSANCE_MAY_PRODUCE | RENAISSANCE_MAY_PUSH;
    if (r->seat[seat].hand_count > 0)
        possible |= RENAISSANCE_MAY_PLAY_LEADER | RENAISSANCE_MAY_DISCARD_LEADER;
    return possible;
}
