#include "cli/renaissance/follow.h"

enum {
    ALL_TOKENS = (1 << RENAISSANCE_TOKENS) - 1,
    ALL_PILE_CARDS = (1 << RENAISSANCE_PILE_CARDS) - 1,
};

void renaissance_follow_begin(struct renaissance_follow *f, struct span name) {
    *f = (struct renaissance_follow){.name = name};
    memset(f->state.unseen, ALL_PILE_CARDS, sizeof f->state.unseen);
}

static bool find_seat(const struct renaissance_follow *f, struct span name, unsigned *seat) {
    for (*seat = 0; *seat < f->state.seats; ++*seat)
        if (span_is(name, f->names[*seat]))
            return true;
    return false;
}

/* Nobody has its leaders yet, and those of the others are hidden. */
static bool take_players(struct renaissance_follow *f, const json_t *message) {
    const json_t *players = json_object_get(message, "players");
    struct renaissance *r = &f->state;
    renaissance_follow_begin(f, f->name);
    r->seats = (uint8_t)json_array_size(players);
    if (r->seats < 1 || json_array_size(players) > RENAISSANCE_SEATS_MAX)
        return false;
    r->phase = RENAISSANCE_KEEPING;
    r->tokens = r->seats == 1 ? ALL_TOKENS : 0;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        struct renaissance_seat *s = &r->seat[seat];
        if (!span_copy(json_value_text(json_array_get(players, seat)), f->names[seat], sizeof f->names[seat]))
            return false;
        s->faith = (uint8_t)renaissance_first_faith(r->seats, seat);
        s->gifts = (uint8_t)renaissance_gifts(r->seats, seat);
        s->hand_count = RENAISSANCE_LEADERS_DEALT;
        memset(s->hand, RENAISSANCE_HIDDEN, s->hand_count);
    }
    return find_seat(f, f->name, &f->seat);
}

/* A card lies on its pile now. When Lorenzo takes two cards of a pile nobody sees the one between: one of
 * those not seen is guessed to be it, and the guess is corrected here when it turns out to be another. */
static bool pile_show(struct renaissance *r, unsigned pile, unsigned card) {
    unsigned place = 0;
    while (place < RENAISSANCE_PILE_CARDS && renaissance_pile_card(pile, place) != card)
        place++;
    if (place == RENAISSANCE_PILE_CARDS)
        return false;
    unsigned bit = 1u << place;
    if (r->lorenzo_took[pile] & bit) {
        unsigned other = r->unseen[pile] & -(unsigned)r->unseen[pile];
        r->lorenzo_took[pile] = (uint8_t)((r->lorenzo_took[pile] & ~bit) | other);
        r->unseen[pile] = (uint8_t)(r->unseen[pile] & ~other);
    }
    r->unseen[pile] = (uint8_t)(r->unseen[pile] & ~bit);
    r->visible[pile] = (uint8_t)card;
    return true;
}

/* Lorenzo takes the visible card of a pile. */
static void pile_lose(struct renaissance *r, unsigned pile) {
    for (unsigned i = 0; i < RENAISSANCE_PILE_CARDS; i++)
        if (renaissance_pile_card(pile, i) == r->visible[pile])
            r->lorenzo_took[pile] |= (uint8_t)(1u << i);
    r->visible[pile] = 0;
}

static bool take_pile(struct renaissance *r, unsigned pile, const json_t *value) {
    unsigned card = json_is_null(value) ? 0 : renaissance_card_of_id(json_value_text(value));
    if ((card == 0 && !json_is_null(value)) || (card != 0 && renaissance_pile_of(card) != pile))
        return false;
    if (card == r->visible[pile])
        return true;
    if (r->visible[pile] != 0)
        pile_lose(r, pile);
    if (card != 0)
        return pile_show(r, pile, card);
    r->lorenzo_took[pile] |= r->unseen[pile]; /* whatever was not seen is gone too */
    r->unseen[pile] = 0;
    return true;
}

/* Row 0 is level 3. */
static bool take_grid(struct renaissance_follow *f, const json_t *message) {
    const json_t *grid = json_object_get(message, "devCardGrid");
    for (unsigned row = 0; row < RENAISSANCE_LEVELS; row++)
        for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
            if (!take_pile(&f->state, renaissance_pile(colour, RENAISSANCE_LEVELS - row),
                           json_array_get(json_array_get(grid, row), colour)))
                return false;
    return true;
}

static bool take_market(struct renaissance_follow *f, const json_t *message) {
    const json_t *marbles = json_object_get(message, "marbles");
    unsigned marble;
    for (unsigned i = 0; i < RENAISSANCE_CELLS; i++) {
        const json_t *row = json_array_get(marbles, i / RENAISSANCE_COLUMNS);
        if (!renaissance_read_marble(json_array_get(row, i % RENAISSANCE_COLUMNS), &marble))
            return false;
        f->state.market[i] = (uint8_t)marble;
    }
    if (!renaissance_read_marble(json_object_get(message, "freeMarble"), &marble))
        return false;
    f->state.free_marble = (uint8_t)marble;
    return true;
}

static unsigned read_leaders(const json_t *list, uint8_t *out, unsigned out_max) {
    unsigned count = 0;
    for (; count < out_max && count < json_array_size(list); count++)
        out[count] = (uint8_t)renaissance_leader_of_id(json_value_text(json_array_get(list, count)));
    return count;
}

/* The four from which two are chosen lie in the hand, rising. */
static bool take_leaders_request(struct renaissance_follow *f, const json_t *message) {
    struct renaissance_seat *s = &f->state.seat[f->seat];
    uint8_t dealt[RENAISSANCE_LEADERS_DEALT];
    if (read_leaders(json_object_get(message, "leaderCards"), dealt, RENAISSANCE_LEADERS_DEALT) !=
        RENAISSANCE_LEADERS_DEALT)
        return false;
    for (unsigned i = 0; i < RENAISSANCE_LEADERS_DEALT; i++) {
        unsigned at = i;
        for (; at > 0 && s->hand[at - 1] > dealt[i]; at--)
            s->hand[at] = s->hand[at - 1];
        s->hand[at] = dealt[i];
    }
    s->hand_count = RENAISSANCE_LEADERS_DEALT;
    memset(s->dropped, 0, sizeof s->dropped); /* who comes back before it has chosen was shown nothing else */
    s->dropped_count = 0;
    s->stage = RENAISSANCE_MUST_KEEP;
    return true;
}

static bool take_resources_request(struct renaissance_follow *f, const json_t *message) {
    struct renaissance_seat *s = &f->state.seat[f->seat];
    int64_t number;
    if (!json_int(message, "number", &number) || number < 0 || number > 2)
        return false;
    if (f->state.phase == RENAISSANCE_KEEPING)
        f->state.phase = RENAISSANCE_STORING;
    s->gifts = (uint8_t)number;
    s->stage = number > 0 ? RENAISSANCE_MUST_PUT : RENAISSANCE_READY;
    return true;
}

/* The seat has its two leaders; what it did not keep is not known, or not any more. */
static void seat_ready(struct renaissance_seat *s, const uint8_t *hand, unsigned count) {
    memset(s->hand, 0, sizeof s->hand);
    memcpy(s->hand, hand, count);
    s->hand_count = (uint8_t)count;
    if (count == 2 && hand[0] > hand[1] && hand[0] != RENAISSANCE_HIDDEN) {
        s->hand[0] = hand[1];
        s->hand[1] = hand[0];
    }
    memset(s->dropped, RENAISSANCE_HIDDEN, sizeof s->dropped);
    s->dropped_count = RENAISSANCE_LEADERS_KEPT;
    memset(s->discarded, 0, sizeof s->discarded);
    s->discarded_count = 0;
    s->stage = RENAISSANCE_READY;
    s->gifts = 0;
}

static void leader_forget(struct renaissance_seat *s, unsigned leader) {
    unsigned at = 0;
    while (at < s->hand_count && s->hand[at] != leader)
        at++;
    if (at == s->hand_count) /* one that was hidden */
        at = 0;
    if (s->hand_count == 0)
        return;
    for (s->hand_count--; at < s->hand_count; at++)
        s->hand[at] = s->hand[at + 1];
    s->hand[s->hand_count] = 0;
}

static bool take_positions(struct renaissance_follow *f, const json_t *message) {
    const json_t *positions = json_object_get(message, "faithTrackPositions");
    for (unsigned seat = 0; seat < f->state.seats; seat++) {
        int64_t position;
        if (!json_int(positions, f->names[seat], &position) || position < 0 ||
            position > RENAISSANCE_FAITH_MAX)
            return false;
        f->state.seat[seat].faith = (uint8_t)position;
    }
    return true;
}

/* The protocol shows to everybody what everybody has kept. A late one comes after the first, when others may
 * have played some of it. */
static bool renaissance_follow_take_setup(struct renaissance_follow *f, const json_t *message) {
    struct renaissance *r = &f->state;
    bool is_first = r->phase < RENAISSANCE_BEFORE;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        struct renaissance_seat *s = &r->seat[seat];
        const json_t *kept = json_object_get(json_object_get(message, "leaderCards"), f->names[seat]);
        uint8_t hand[RENAISSANCE_LEADERS_KEPT];
        if (!renaissance_read_warehouse(
                json_object_get(json_object_get(message, "warehouse"), f->names[seat]), s->depot))
            return false;
        if (read_leaders(kept, hand, RENAISSANCE_LEADERS_KEPT) == RENAISSANCE_LEADERS_KEPT &&
            (is_first || seat == f->seat))
            seat_ready(s, hand, RENAISSANCE_LEADERS_KEPT);
    }
    if (is_first)
        r->phase = RENAISSANCE_AFTER; /* of nobody yet */
    return take_positions(f, message);
}

static void report_take(struct renaissance *r, unsigned i, seat_set kept) {
    struct renaissance_report *report = &r->report[i];
    report->happened = 1;
    report->kept = (uint8_t)kept;
    report->lorenzo = r->lorenzo;
    for (unsigned seat = 0; seat < r->seats; seat++)
        report->faith[seat] = r->seat[seat].faith;
}

static bool take_faith(struct renaissance_follow *f, const json_t *message) {
    const json_t *list = json_object_get(message, "vaticanReportActivated");
    int64_t space = 0;
    seat_set kept = 0;
    if (!take_positions(f, message) || !json_int(message, "vaticanReportPosition", &space))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        unsigned seat;
        if (!find_seat(f, json_value_text(json_array_get(list, i)), &seat))
            return false;
        kept |= SEAT_BIT(seat);
    }
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        if (space == renaissance_pope_space(i))
            report_take(&f->state, i, kept);
    return true;
}

static bool take_strongbox(struct renaissance_seat *s, const json_t *value) {
    return value == NULL || json_is_null(value) || renaissance_read_counts(value, s->strongbox);
}

static bool take_purchase(struct renaissance_follow *f, struct renaissance_seat *s, const json_t *message) {
    unsigned card = renaissance_card_of_id(json_text(message, "id"));
    int64_t slot;
    if (card == 0 || !json_int(message, "devCardSlot", &slot) || slot < 0 || slot >= RENAISSANCE_SLOTS)
        return false;
    unsigned pile = renaissance_pile_of(card);
    s->slot[slot][renaissance_card(card)->level - 1] = (uint8_t)card;
    f->state.visible[pile] = 0;
    return take_pile(&f->state, pile, json_object_get(message, "newId"));
}

static bool take_layout(struct renaissance_follow *f, const json_t *message) {
    unsigned seat, choice = renaissance_choice_of(json_text(message, "action"));
    if (!find_seat(f, json_text(message, "nickname"), &seat))
        return false;
    struct renaissance_seat *s = &f->state.seat[seat];
    unsigned leader = renaissance_leader_of_id(json_text(message, "id"));
    if (json_has(message, "warehouse") &&
        !renaissance_read_warehouse(json_object_get(message, "warehouse"), s->depot))
        return false;
    if (!take_strongbox(s, json_object_get(message, "strongbox")))
        return false;
    switch (choice) {
    case RENAISSANCE_MAY_PLAY_LEADER:
        leader_forget(s, leader);
        if (s->played_count < RENAISSANCE_LEADERS_KEPT)
            s->played[s->played_count++] = (uint8_t)leader;
        return leader != 0;
    case RENAISSANCE_MAY_DISCARD_LEADER:
        leader_forget(s, leader);
        if (s->discarded_count < RENAISSANCE_LEADERS_KEPT)
            s->discarded[s->discarded_count++] = (uint8_t)leader;
        return leader != 0;
    case RENAISSANCE_MAY_BUY: return take_purchase(f, s, message);
    case RENAISSANCE_MAY_PUSH: return take_market(f, message);
    default: return true;
    }
}

/* The token is known by what it does; two of them do the same. */
static void token_take(struct renaissance *r, struct span text) {
    for (unsigned token = 1; token <= RENAISSANCE_TOKENS; token++)
        if (span_is(text, renaissance_token_text(token)) && (r->tokens >> (token - 1) & 1) != 0) {
            r->tokens =
                (uint8_t)(token == RENAISSANCE_TOKENS ? ALL_TOKENS : r->tokens & ~(1u << (token - 1)));
            r->token_last = (uint8_t)token;
            return;
        }
}

/* Two cards of one colour are gone. When both were of one pile, one of those not seen was between. */
static void token_cards(struct renaissance *before, struct renaissance *r) {
    enum { CARDS_OF_TOKEN = 2 };
    if (r->token_last == 0 || r->token_last > RENAISSANCE_COLOURS)
        return;
    unsigned gone = 0, pile = RENAISSANCE_PILES;
    for (unsigned i = 0; i < RENAISSANCE_PILES; i++) {
        unsigned more = (unsigned)__builtin_popcount(r->lorenzo_took[i]) -
                        (unsigned)__builtin_popcount(before->lorenzo_took[i]);
        gone += more;
        if (more == 1)
            pile = i;
    }
    if (gone + 1 != CARDS_OF_TOKEN || pile == RENAISSANCE_PILES || r->unseen[pile] == 0)
        return;
    unsigned guess = r->unseen[pile] & -(unsigned)r->unseen[pile];
    r->unseen[pile] = (uint8_t)(r->unseen[pile] & ~guess);
    r->lorenzo_took[pile] |= (uint8_t)guess;
}

static bool take_lorenzo(struct renaissance_follow *f, const json_t *message) {
    struct renaissance before = f->state;
    int64_t position;
    if (!json_int(message, "faithTrackPosition", &position) || position < 0 ||
        position > RENAISSANCE_FAITH_MAX)
        return false;
    f->state.lorenzo = (uint8_t)position;
    token_take(&f->state, json_text(message, "message"));
    if (!take_grid(f, message))
        return false;
    token_cards(&before, &f->state);
    return true;
}

static void renaissance_follow_turn_of(struct renaissance *r, unsigned seat) {
    if (r->phase == RENAISSANCE_AFTER && seat <= r->mover && r->round + 1 < RENAISSANCE_ROUNDS_MAX)
        r->round++;
    r->mover = (uint8_t)seat;
    r->phase = RENAISSANCE_BEFORE;
}

static bool renaissance_follow_take_turn(struct renaissance_follow *f, const json_t *message) {
    unsigned seat;
    if (!find_seat(f, json_text(message, "nickname"), &seat))
        return false;
    renaissance_follow_turn_of(&f->state, seat);
    f->state.phase = RENAISSANCE_AFTER; /* somewhere in it: nothing is asked of us */
    return true;
}

static bool take_possible(struct renaissance_follow *f, const json_t *message) {
    const json_t *actions = json_object_get(message, "actions");
    unsigned possible = 0;
    for (size_t i = 0; i < json_array_size(actions); i++)
        possible |= renaissance_choice_of(json_value_text(json_array_get(actions, i)));
    memset(f->state.taken, 0, sizeof f->state.taken);
    memset(f->state.before, 0, sizeof f->state.before);
    memset(f->state.pool, 0, sizeof f->state.pool);
    if (possible & RENAISSANCE_MAY_PUSH)
        renaissance_follow_turn_of(&f->state, f->seat);
    f->state.mover = (uint8_t)f->seat;
    f->state.phase = possible & RENAISSANCE_MAY_END_TURN ? RENAISSANCE_AFTER : RENAISSANCE_BEFORE;
    return possible != 0;
}

/* The market action is where FILL begins. */
static bool take_manage(struct renaissance_follow *f, const json_t *message) {
    struct renaissance *r = &f->state;
    struct renaissance_seat *s = &r->seat[f->seat];
    uint16_t taken[RENAISSANCE_KINDS];
    if (!renaissance_read_counts(json_object_get(message, "resources"), taken))
        return false;
    r->mover = (uint8_t)f->seat;
    r->phase = RENAISSANCE_ARRANGING;
    r->depot_next = 0;
    memcpy(r->before, s->depot, sizeof r->before);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        r->taken[kind] = (uint8_t)taken[kind];
        r->pool[kind] = (uint8_t)(taken[kind] + renaissance_stock_sum(s, kind) - s->strongbox[kind]);
    }
    return true;
}

static bool take_presence(struct renaissance_follow *f, const json_t *message, bool is_away) {
    unsigned seat;
    if (!find_seat(f, json_text(message, "nickname"), &seat))
        return false;
    f->state.seat[seat].is_away = is_away;
    return true;
}

static bool update_slots(struct renaissance *r, struct renaissance_seat *s, const json_t *slots) {
    static const char *const keys[RENAISSANCE_SLOTS] = {"0", "1", "2"};
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        const json_t *cards = json_object_get(slots, keys[slot]);
        for (unsigned i = 0; i < RENAISSANCE_LEVELS && i < json_array_size(cards); i++) {
            unsigned card = renaissance_card_of_id(json_value_text(json_array_get(cards, i)));
            if (card == 0)
                return false;
            unsigned pile = renaissance_pile_of(card), on_top = r->visible[pile];
            if (!pile_show(r, pile, card))
                return false;
            r->visible[pile] = (uint8_t)on_top;
            s->slot[slot][i] = (uint8_t)card;
        }
    }
    return true;
}

/* Leaders of others are only counted. What was discarded is not shown any more. */
static void update_leaders(struct renaissance_follow *f, const json_t *message, unsigned seat) {
    struct renaissance_seat *s = &f->state.seat[seat];
    uint8_t hand[RENAISSANCE_LEADERS_KEPT] = {RENAISSANCE_HIDDEN, RENAISSANCE_HIDDEN};
    int64_t count = 0;
    s->played_count =
        (uint8_t)read_leaders(json_object_get(json_object_get(message, "leaderCardsPlayed"), f->names[seat]),
                              s->played, RENAISSANCE_LEADERS_KEPT);
    if (!json_int(json_object_get(message, "cardsInHand"), f->names[seat], &count) || count < 0 ||
        count > RENAISSANCE_LEADERS_KEPT)
        count = 0;
    if (seat == f->seat)
        count = read_leaders(json_object_get(message, "leaderCards"), hand, RENAISSANCE_LEADERS_KEPT);
    seat_ready(s, hand, (unsigned)count);
    s->discarded_count = (uint8_t)(RENAISSANCE_LEADERS_KEPT - s->played_count - count);
    memset(s->discarded, RENAISSANCE_HIDDEN, s->discarded_count);
}

static void update_reports(struct renaissance_follow *f, const json_t *message) {
    static const char *const keys[RENAISSANCE_REPORTS] = {"8", "16", "24"};
    const json_t *reports = json_object_get(message, "vaticanReportActivated");
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++) {
        seat_set kept = 0;
        bool has_happened = false, is_kept;
        for (unsigned seat = 0; seat < f->state.seats; seat++)
            if (json_flag(json_object_get(reports, f->names[seat]), keys[i], &is_kept)) {
                has_happened = true;
                kept |= is_kept ? SEAT_BIT(seat) : 0;
            }
        if (has_happened)
            report_take(&f->state, i, kept);
    }
}

static bool take_update(struct renaissance_follow *f, const json_t *message) {
    struct renaissance *r = &f->state;
    if (!take_positions(f, message))
        return false;
    for (unsigned seat = 0; seat < r->seats; seat++) {
        struct renaissance_seat *s = &r->seat[seat];
        const char *name = f->names[seat];
        bool is_online = true;
        if (!renaissance_read_warehouse(json_object_get(json_object_get(message, "warehouse"), name),
                                        s->depot) ||
            !take_strongbox(s, json_object_get(json_object_get(message, "strongbox"), name)) ||
            !update_slots(r, s, json_object_get(json_object_get(message, "devCardSlots"), name)))
            return false;
        update_leaders(f, message, seat);
        s->is_away = json_flag(json_object_get(message, "playersConnected"), name, &is_online) && !is_online;
    }
    update_reports(f, message);
    r->phase = RENAISSANCE_AFTER; /* until somebody is said to be on turn */
    f->is_just_back = true;
    return true;
}

bool renaissance_follow_take(struct renaissance_follow *f, const json_t *message) {
    static const struct {
        const char *type;
        bool (*take)(struct renaissance_follow *, const json_t *);
    } types[] = {
        {"players", take_players},
        {"devCardGrid", take_grid},
        {"market", take_market},
        {"leaderCardsRequest", take_leaders_request},
        {"resourcesRequest", take_resources_request},
        {"setupUpdate", renaissance_follow_take_setup},
        {"possibleAction", take_possible},
        {"resourcesManageRequest", take_manage},
        {"faithTrackUpdate", take_faith},
        {"layoutUpdate", take_layout},
        {"lorenzoUpdate", take_lorenzo},
        {"startTurn", renaissance_follow_take_turn},
        {"reconnectionUpdate", take_update},
    };
    struct span type = json_text(message, "type");
    if (span_is(type, "endGame"))
        f->state.is_ending = 1;
    if (span_is(type, "startTurn") || span_is(type, "possibleAction") ||
        span_is(type, "resourcesManageRequest"))
        f->is_just_back = false;
    if (span_is(type, "disconnectionMessage") || span_is(type, "reconnectionMessage"))
        return take_presence(f, message, span_is(type, "disconnectionMessage"));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (span_is(type, types[i].type))
            return types[i].take(f, message);
    return true;
}

bool renaissance_follow_is_farewell(const struct renaissance_follow *f, const json_t *message) {
    return f->is_just_back && span_is(json_text(message, "type"), "finalScore");
}
