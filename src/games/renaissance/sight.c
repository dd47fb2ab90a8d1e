/* What a seat may know of Masters of Renaissance: everything but the leaders in the hands of others and those
 * that they did not keep (R4). And the invariants. */
#include "games/renaissance/internal.h"

static void leaders_hide(uint8_t *leaders, unsigned count) {
    memset(leaders, RENAISSANCE_HIDDEN, count);
}

void renaissance_redact_state(struct game_state *state, unsigned viewer) {
    struct renaissance *r = (struct renaissance *)state;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        struct renaissance_seat *s = &r->seat[seat];
        if (seat == viewer)
            continue;
        leaders_hide(s->hand, s->hand_count);
        leaders_hide(s->dropped, s->dropped_count);
    }
}

void renaissance_redact_action(const struct game_state *state, unsigned actor, struct action *action,
                               unsigned viewer) {
    (void)state;
    if (action->kind == RENAISSANCE_DEAL && action->arg[0] != viewer)
        leaders_hide(action->arg + 1, RENAISSANCE_LEADERS_DEALT);
    if (action->kind == RENAISSANCE_KEEP && actor != viewer)
        leaders_hide(action->arg, RENAISSANCE_LEADERS_KEPT);
}

static void known_add(bool known[RENAISSANCE_HIDDEN + 1], const uint8_t *leaders, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        known[leaders[i]] = true;
}

/* The leaders that the view shows nowhere. Returns their number. */
static unsigned leaders_unknown(const struct renaissance *r, uint8_t out[RENAISSANCE_LEADERS]) {
    bool known[RENAISSANCE_HIDDEN + 1] = {false};
    unsigned count = 0;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        const struct renaissance_seat *s = &r->seat[seat];
        known_add(known, s->hand, s->hand_count);
        known_add(known, s->dropped, s->dropped_count);
        known_add(known, s->played, s->played_count);
        known_add(known, s->discarded, s->discarded_count);
    }
    for (unsigned leader = 1; leader <= RENAISSANCE_LEADERS; leader++)
        if (!known[leader])
            out[count++] = (uint8_t)leader;
    return count;
}

/* Puts leaders drawn from the pool in place of hidden ones, rising. */
static void leaders_imagine(uint8_t *leaders, unsigned count, uint8_t pool[RENAISSANCE_LEADERS],
                            unsigned *left, struct rng *rng) {
    if (count == 0 || leaders[0] != RENAISSANCE_HIDDEN)
        return;
    for (unsigned i = 0; i < count; i++) {
        unsigned pick = rng_below(rng, *left), at = i;
        uint8_t leader = pool[pick];
        pool[pick] = pool[--*left];
        for (; at > 0 && leaders[at - 1] > leader; at--)
            leaders[at] = leaders[at - 1];
        leaders[at] = leader;
    }
}

void renaissance_imagine(struct game_view *view, unsigned viewer, struct rng *rng) {
    (void)viewer;
    struct renaissance *r = (struct renaissance *)view;
    uint8_t pool[RENAISSANCE_LEADERS];
    unsigned left = leaders_unknown(r, pool);
    for (unsigned seat = 0; seat < r->seats; seat++) {
        struct renaissance_seat *s = &r->seat[seat];
        leaders_imagine(s->hand, s->hand_count, pool, &left, rng);
        leaders_imagine(s->dropped, s->dropped_count, pool, &left, rng);
    }
}

/* R2 */
static const char *valid_market(const struct renaissance *r) {
    static const uint8_t expected[RENAISSANCE_MARBLE_COLOURS] = {4, 1, 2, 2, 2, 2};
    uint8_t counts[RENAISSANCE_MARBLE_COLOURS] = {0};
    if (r->phase == RENAISSANCE_LAYING)
        return NULL;
    for (unsigned i = 0; i < RENAISSANCE_MARBLES; i++) {
        unsigned marble = i < RENAISSANCE_CELLS ? r->market[i] : r->free_marble;
        if (marble >= RENAISSANCE_MARBLE_COLOURS)
            return "there is a marble of no colour";
        counts[marble]++;
    }
    return memcmp(counts, expected, sizeof counts) == 0 ? NULL : "the marbles are not those of the game";
}

/* Counts each card where it is. */
static const char *cards_count(const struct renaissance *r, uint8_t counts[RENAISSANCE_CARDS + 1]) {
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++) {
        for (unsigned i = 0; i < RENAISSANCE_PILE_CARDS; i++)
            counts[renaissance_pile_card(pile, i)] =
                (uint8_t)((r->unseen[pile] >> i & 1) + (r->lorenzo_took[pile] >> i & 1));
        if (r->visible[pile] > RENAISSANCE_CARDS ||
            (r->visible[pile] != 0 && renaissance_pile_of(r->visible[pile]) != pile))
            return "a visible card is not of its pile";
        counts[r->visible[pile]]++;
    }
    for (unsigned i = 0; i < r->seats * RENAISSANCE_SLOTS; i++) {
        const uint8_t *slot = r->seat[i / RENAISSANCE_SLOTS].slot[i % RENAISSANCE_SLOTS];
        for (unsigned level = 1; level <= RENAISSANCE_LEVELS; level++) {
            unsigned card = slot[level - 1];
            if (card > RENAISSANCE_CARDS || (card != 0 && renaissance_card(card)->level != level) ||
                (card != 0 && level > 1 && slot[level - 2] == 0))
                return "a card lies where it cannot";
            counts[card]++;
        }
    }
    return NULL;
}

/* R3 */
static const char *valid_cards(const struct renaissance *r) {
    uint8_t counts[RENAISSANCE_CARDS + 1] = {0};
    const char *wrong = cards_count(r, counts);
    for (unsigned card = 1; card <= RENAISSANCE_CARDS && wrong == NULL; card++)
        if (counts[card] != 1)
            wrong = "a card is missing or there twice";
    for (unsigned pile = 0; pile < RENAISSANCE_PILES && wrong == NULL && r->phase > RENAISSANCE_SHOWING;
         pile++)
        if (r->visible[pile] == 0 && r->unseen[pile] != 0 &&
            (r->phase != RENAISSANCE_REVEALING || r->revealing != pile))
            wrong = "a pile hides its top card";
    return wrong;
}

static bool leaders_mark(bool seen[RENAISSANCE_LEADERS + 1], const uint8_t *leaders, unsigned count,
                         unsigned room, bool is_rising) {
    for (unsigned i = 0; i < room; i++) {
        unsigned leader = leaders[i];
        if (i >= count ? leader != 0 : leader < 1 || leader > RENAISSANCE_LEADERS || seen[leader])
            return false;
        if (i < count && is_rising && i > 0 && leaders[i - 1] >= leader)
            return false;
        seen[leader] = true;
    }
    return true;
}

/* R4 */
static const char *valid_leaders(const struct renaissance *r) {
    bool seen[RENAISSANCE_LEADERS + 1] = {false};
    for (unsigned seat = 0; seat < r->seats; seat++) {
        const struct renaissance_seat *s = &r->seat[seat];
        unsigned sum = s->hand_count + s->dropped_count + s->played_count + s->discarded_count;
        if (s->hand_count > RENAISSANCE_LEADERS_DEALT || s->dropped_count > RENAISSANCE_LEADERS_KEPT ||
            s->played_count > RENAISSANCE_LEADERS_KEPT || s->discarded_count > RENAISSANCE_LEADERS_KEPT ||
            sum != (r->phase > RENAISSANCE_DEALING || s->hand_count > 0 ? RENAISSANCE_LEADERS_DEALT : 0u))
            return "a seat has not four leaders";
        if ((s->stage == RENAISSANCE_MUST_KEEP) != (s->dropped_count == 0))
            return "leaders were kept too early or too late";
        if (!leaders_mark(seen, s->hand, s->hand_count, RENAISSANCE_LEADERS_DEALT, true) ||
            !leaders_mark(seen, s->dropped, s->dropped_count, RENAISSANCE_LEADERS_KEPT, true) ||
            !leaders_mark(seen, s->played, s->played_count, RENAISSANCE_LEADERS_KEPT, false) ||
            !leaders_mark(seen, s->discarded, s->discarded_count, RENAISSANCE_LEADERS_KEPT, false))
            return "a leader is there twice, or none";
    }
    return NULL;
}

/* R13, R14 */
static const char *valid_depots(const struct renaissance_seat *s) {
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++) {
        const struct renaissance_depot *d = &s->depot[i];
        if (d->count > renaissance_depot_capacity(s, i) || d->kind >= RENAISSANCE_KINDS ||
            (d->count == 0 && d->kind != 0))
            return "a depot holds what it cannot";
        if (i >= RENAISSANCE_BASE_DEPOTS && d->count > 0 && d->kind != renaissance_depot_kind(s, i))
            return "the depot of a leader holds another kind";
        for (unsigned k = 0; k < i && i < RENAISSANCE_BASE_DEPOTS; k++)
            if (d->count > 0 && s->depot[k].count > 0 && s->depot[k].kind == d->kind)
                return "two base depots hold the same kind";
    }
    return NULL;
}

static const char *renaissance_valid_seat(const struct renaissance *r, unsigned seat) {
    const struct renaissance_seat *s = &r->seat[seat];
    if (s->faith > RENAISSANCE_FAITH_MAX || s->stage > RENAISSANCE_READY || s->is_away > 1 ||
        s->is_retired > s->is_away)
        return "a number of a seat is out of its range";
    if (s->gifts > renaissance_gifts(r->seats, seat) ||
        (s->gifts == 0) != (s->stage == RENAISSANCE_READY ||
                            (s->stage == RENAISSANCE_MUST_KEEP && renaissance_gifts(r->seats, seat) == 0)))
        return "the starting resources do not add up";
    return valid_depots(s);
}

/* R28 */
static const char *valid_reports(const struct renaissance *r) {
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++) {
        unsigned highest = r->lorenzo;
        for (unsigned seat = 0; seat < r->seats; seat++)
            highest = r->seat[seat].faith > highest ? r->seat[seat].faith : highest;
        if ((highest >= renaissance_pope_space(i)) != (r->report[i].happened == 1))
            return "a report is missing or came too early";
        for (unsigned seat = 0; seat < r->seats; seat++)
            if ((r->report[i].kept >> seat & 1) && r->seat[seat].faith < renaissance_section_begin(i))
                return "somebody has a tile without having been there";
    }
    return NULL;
}

/* What is under way, and nothing else. */
static const char *valid_action(const struct renaissance *r) {
    bool is_owed = renaissance_owed_next(r) < RENAISSANCE_KINDS;
    unsigned taken = 0, pool = 0;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        taken += r->taken[kind];
        pool += r->pool[kind];
        if (r->owed[kind] > 0 && renaissance_stock_sum(&r->seat[r->mover], kind) < r->owed[kind])
            return "more is owed than is there";
    }
    if (is_owed != (r->phase == RENAISSANCE_PAYING || r->phase == RENAISSANCE_CHOOSING))
        return "a debt does not fit the phase";
    if (r->phase != RENAISSANCE_ARRANGING && (taken > 0 || pool > 0 || r->depot_next > 0))
        return "something from the market is left over";
    if ((r->bought != 0 && r->phase != RENAISSANCE_PAYING) ||
        (r->productions != 0) != (is_owed && r->bought == 0))
        return "a purchase or production does not fit the phase";
    return NULL;
}

const char *renaissance_valid(const struct game_state *state) {
    const struct renaissance *r = renaissance_of(state);
    if (r->phase > RENAISSANCE_OVER || r->seats < 1 || r->seats > RENAISSANCE_SEATS_MAX ||
        r->mover >= r->seats || !game_knows_rules(&renaissance_game, r->rules_version) ||
        r->round >= RENAISSANCE_ROUNDS_MAX || r->lorenzo > RENAISSANCE_FAITH_MAX ||
        (r->seats > 1 && (r->lorenzo != 0 || r->tokens != 0)))
        return "a number is out of its range";
    if ((r->phase == RENAISSANCE_OVER) != (r->end != RENAISSANCE_RUNNING))
        return "the end does not fit the phase";
    const char *wrong = valid_market(r);
    if (wrong == NULL)
        wrong = valid_cards(r);
    if (wrong == NULL)
        wrong = valid_leaders(r);
    for (unsigned seat = 0; seat < r->seats && wrong == NULL; seat++)
        wrong = renaissance_valid_seat(r, seat);
    if (wrong == NULL)
        wrong = valid_reports(r);
    return wrong == NULL ? valid_action(r) : wrong;
}
