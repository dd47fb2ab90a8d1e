/* Messages of Masters of Renaissance into actions: tolerant about how a value is written, strict about what
 * it is. What the rules forbid is not looked for here. */
#include "wire/renaissance/dialect.h"

static const char *const choice_words[] = {"PLAYLEADERCARD", "DISCARDLEADERCARD", "BUYDEVELOPMENTCARD",
                                           "USEPRODUCTION",  "MARKETACTION",      "ENDTURN"};
enum { CHOICES = sizeof choice_words / sizeof *choice_words, AMOUNT_MAX = UINT8_MAX };

const char *renaissance_choice_word(unsigned choice) {
    return choice_words[__builtin_ctz(choice)];
}

unsigned renaissance_choice_of(struct span word) {
    for (unsigned i = 0; i < CHOICES; i++)
        if (span_is_nocase(word, choice_words[i]))
            return 1u << i;
    return 0;
}

enum err renaissance_read_message(const json_t *body, struct renaissance_message *out) {
    static const struct {
        const char *word;
        enum renaissance_message_type type;
    } types[] = {
        {"pong", RENAISSANCE_MESSAGE_PONG},
        {"loginRequest", RENAISSANCE_MESSAGE_LOGIN},
        {"numberOfPlayersSelectionReply", RENAISSANCE_MESSAGE_NUMBER},
        {"leaderCardsReply", RENAISSANCE_MESSAGE_LEADERS},
        {"resourcesReply", RENAISSANCE_MESSAGE_RESOURCES},
        {"actionReply", RENAISSANCE_MESSAGE_ACTION},
        {"actionParameters", RENAISSANCE_MESSAGE_PARAMETERS},
        {"rowColumnSelection", RENAISSANCE_MESSAGE_LINE},
        {"resourcesManageReply", RENAISSANCE_MESSAGE_MANAGE},
        {"endTurn", RENAISSANCE_MESSAGE_END_TURN},
    };
    struct span word = json_text(body, "type");
    for (size_t i = 0; word.data != NULL && i < sizeof types / sizeof *types; i++) {
        if (!span_is_nocase(word, types[i].word))
            continue;
        *out = (struct renaissance_message){.type = types[i].type,
                                            .username = json_text(body, "username"),
                                            .choice = renaissance_choice_of(json_text(body, "action")),
                                            .has_choice = json_has(body, "action"),
                                            .body = body};
        if (json_has(body, "username") && out->username.data == NULL)
            out->username = SPAN(""); /* it is something, but no name */
        if (!json_int(body, "number", &out->number))
            out->number = 0;
        return json_seed(body, &out->seed) ? ERR_OK : ERR_FIELD_INVALID;
    }
    return ERR_UNKNOWN_TYPE;
}

static bool read_word(const json_t *value, const char *(*word)(unsigned), unsigned *out) {
    struct span text = span_trim(json_value_text(value));
    for (unsigned i = 0; text.size > 0 && word(i) != NULL; i++)
        if (span_is_nocase(text, word(i))) {
            *out = i;
            return true;
        }
    return false;
}

bool renaissance_read_kind(const json_t *value, unsigned *kind) {
    return read_word(value, renaissance_resource_word, kind);
}

bool renaissance_read_marble(const json_t *value, unsigned *marble) {
    return read_word(value, renaissance_marble_word, marble);
}

/* A list of kinds of resources with at most so many items. */
static bool read_kinds(const json_t *list, uint8_t *kinds, size_t kinds_max, size_t *count) {
    *count = 0;
    if (list == NULL || json_is_null(list))
        return true;
    if (!json_is_array(list) || json_array_size(list) > kinds_max)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        unsigned kind;
        if (!renaissance_read_kind(json_array_get(list, i), &kind))
            return false;
        kinds[(*count)++] = (uint8_t)kind;
    }
    return true;
}

bool renaissance_read_counts(const json_t *value, uint16_t counts[RENAISSANCE_KINDS]) {
    uint8_t kinds[AMOUNT_MAX];
    size_t count;
    memset(counts, 0, RENAISSANCE_KINDS * sizeof *counts);
    if (!json_is_object(value)) {
        if (!read_kinds(value, kinds, AMOUNT_MAX, &count))
            return false;
        for (size_t i = 0; i < count; i++)
            counts[kinds[i]]++;
        return true;
    }
    const char *key;
    json_t *item;
    json_object_foreach((json_t *)(uintptr_t)value, key, item) {
        int64_t amount;
        unsigned kind = 0;
        while (kind < RENAISSANCE_KINDS && !span_is_nocase(span_of(key), renaissance_resource_word(kind)))
            kind++;
        if (kind == RENAISSANCE_KINDS || !json_value_int(item, &amount) || amount < 0 ||
            amount > UINT16_MAX - counts[kind]) /* "COINS" and "coins" are two keys of one kind */
            return false;
        counts[kind] = (uint16_t)(counts[kind] + amount);
    }
    return true;
}

/* A depot is a list of resources of one kind. */
static bool read_depot(const json_t *list, struct renaissance_depot *out) {
    uint8_t kinds[AMOUNT_MAX];
    size_t count;
    if (!read_kinds(list, kinds, AMOUNT_MAX, &count))
        return false;
    for (size_t i = 1; i < count; i++)
        if (kinds[i] != kinds[0])
            return false;
    *out = (struct renaissance_depot){count == 0 ? 0 : kinds[0], (uint8_t)count};
    return true;
}

bool renaissance_read_warehouse(const json_t *map, struct renaissance_depot out[RENAISSANCE_DEPOTS]) {
    const char *key;
    json_t *item;
    memset(out, 0, RENAISSANCE_DEPOTS * sizeof *out);
    if (!json_is_object(map))
        return false;
    json_object_foreach((json_t *)(uintptr_t)map, key, item) {
        struct renaissance_depot depot;
        int64_t number;
        if (!read_depot(item, &depot) || !span_to_int(span_trim(span_of(key)), &number))
            return false;
        bool exists = number >= 0 && number < RENAISSANCE_DEPOTS;
        if (depot.count > 0 && (!exists || out[number].count > 0))
            return false;
        if (depot.count > 0)
            out[number] = depot;
    }
    return true;
}

/* The actions that are being read. */
struct run {
    struct action *out;
    size_t count;
};

static void run_add(struct run *run, unsigned kind, unsigned a, unsigned b, unsigned c, unsigned d) {
    run->out[run->count++] = renaissance_action(kind, a, b, c, d);
}

/* Ids in small letters too (tolerance 33). */
static unsigned read_leader(const json_t *value) {
    char id[RENAISSANCE_ID_BYTES];
    if (!span_copy(span_trim(json_value_text(value)), id, sizeof id))
        return 0;
    if (id[0] == 'l')
        id[0] = 'L';
    return renaissance_leader_of_id(span_of(id));
}

static enum err read_leaders(const struct renaissance_message *m, struct run *run) {
    const json_t *list = json_object_get(m->body, "leaderCards");
    if (!json_is_array(list) || json_array_size(list) != RENAISSANCE_LEADERS_KEPT)
        return ERR_LEADERS_KEPT;
    unsigned a = read_leader(json_array_get(list, 0)), b = read_leader(json_array_get(list, 1));
    if (a == 0 || b == 0)
        return ERR_FIELD_INVALID;
    run_add(run, RENAISSANCE_KEEP, a < b ? a : b, a < b ? b : a, 0, 0);
    return ERR_OK;
}

bool renaissance_reads_empty(const struct renaissance_message *m) {
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    unsigned sum = 0;
    if (!renaissance_read_warehouse(json_object_get(m->body, "warehouse"), depots))
        return false;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        sum += depots[i].count;
    return sum == 0;
}

static enum err read_resources(const struct renaissance_seat *s, const struct renaissance_message *m,
                               struct run *run) {
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    unsigned sum = 0;
    if (!renaissance_read_warehouse(json_object_get(m->body, "warehouse"), depots))
        return ERR_FIELD_INVALID;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        sum += depots[i].count;
    if (sum != s->gifts)
        return ERR_GIFTS_COUNT;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        for (; depots[i].count > 0; depots[i].count--)
            run_add(run, RENAISSANCE_PUT, depots[i].kind, i, 0, 0);
    return ERR_OK;
}

/* Tolerance 15: with one exchange leader the list may be left out. Otherwise it names a resource of the
 * leaders in play for every white marble. */
static enum err read_exchange(const struct renaissance *r, const struct renaissance_seat *s, unsigned line,
                              const json_t *list, unsigned *for_first) {
    uint8_t marbles[RENAISSANCE_COLUMNS], kinds[RENAISSANCE_COLUMNS];
    unsigned whites = 0, leaders = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE);
    size_t count;
    for (unsigned i = renaissance_line(r, line, marbles); i > 0; i--)
        whites += marbles[i - 1] == RENAISSANCE_WHITE;
    *for_first = 0;
    if (!read_kinds(list, kinds, RENAISSANCE_COLUMNS, &count))
        return ERR_FIELD_INVALID;
    if (count == 0 && (leaders < 2 || whites == 0))
        return ERR_OK;
    if (leaders == 0 || count != whites)
        return ERR_EXCHANGE_WRONG;
    for (size_t i = 0; i < count; i++) {
        unsigned of = 0;
        while (of < leaders &&
               renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_EXCHANGE, of))->kind != kinds[i])
            of++;
        if (of == leaders)
            return ERR_EXCHANGE_WRONG;
        *for_first += leaders == 2 && of == 0;
    }
    return ERR_OK;
}

static enum err read_line(const struct renaissance *r, const struct renaissance_seat *s,
                          const struct renaissance_message *m, struct run *run) {
    int64_t index;
    bool is_row;
    unsigned for_first;
    if (!json_int(m->body, "index", &index) || !json_flag(m->body, "isRow", &is_row))
        return ERR_FIELD_MISSING;
    if (index < 0 || index >= (is_row ? RENAISSANCE_ROWS : RENAISSANCE_COLUMNS))
        return ERR_MARKET_LINE;
    unsigned line = (unsigned)index + (is_row ? 0 : RENAISSANCE_ROWS);
    enum err e = read_exchange(r, s, line, json_object_get(m->body, "exchangeResources"), &for_first);
    run_add(run, RENAISSANCE_PUSH, line, for_first, 0, 0);
    return e;
}

/* Tolerances 11, 12, 13: what is neither placed nor named as discarded is counted as discarded; what is named
 * must be exactly that. */
static enum err read_manage(const struct renaissance *r, const struct renaissance_seat *s,
                            const struct renaissance_message *m, struct run *run) {
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    uint16_t discard[RENAISSANCE_KINDS];
    int left[RENAISSANCE_KINDS];
    if (!renaissance_read_warehouse(json_object_get(m->body, "warehouse"), depots) ||
        !renaissance_read_counts(json_object_get(m->body, "discard"), discard))
        return ERR_FIELD_INVALID;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        left[kind] = r->pool[kind];
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++) {
        left[depots[i].kind] -= depots[i].count;
        if (i < renaissance_depot_count(s))
            run_add(run, RENAISSANCE_FILL, i, depots[i].kind, depots[i].count, 0);
        else if (depots[i].count > 0)
            return ERR_DEPOT_UNKNOWN;
    }
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        if (left[kind] < 0 || (json_has(m->body, "discard") && left[kind] != discard[kind]))
            return ERR_DEPOT_INVENTED;
    return ERR_OK;
}

/* What is paid, of each kind from each source. */
struct payment {
    uint16_t from[RENAISSANCE_SOURCES][RENAISSANCE_KINDS];
};

static bool read_payment(const struct renaissance_message *m, struct payment *out) {
    const json_t *payment = json_object_get(m->body, "paymentResources");
    return renaissance_read_counts(json_object_get(payment, "warehouse"), out->from[RENAISSANCE_FROM_BASE]) &&
           renaissance_read_counts(json_object_get(payment, "leaderDepot"),
                                   out->from[RENAISSANCE_FROM_LEADERS]) &&
           renaissance_read_counts(json_object_get(payment, "strongbox"),
                                   out->from[RENAISSANCE_FROM_STRONGBOX]);
}

static unsigned payment_sum(const struct payment *payment, unsigned kind) {
    unsigned sum = 0;
    for (unsigned i = 0; i < RENAISSANCE_SOURCES; i++)
        sum += payment->from[i][kind];
    return sum;
}

/* One action for every kind that is owed; what is paid must be exactly that. */
static enum err pay(const struct payment *payment, const uint8_t owed[RENAISSANCE_KINDS], struct run *run) {
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        if (payment_sum(payment, kind) != owed[kind])
            return ERR_PAYMENT_WRONG;
        if (owed[kind] > 0)
            run_add(run, RENAISSANCE_PAY, kind, payment->from[RENAISSANCE_FROM_BASE][kind],
                    payment->from[RENAISSANCE_FROM_LEADERS][kind],
                    payment->from[RENAISSANCE_FROM_STRONGBOX][kind]);
    }
    return ERR_OK;
}

static enum err read_purchase(const struct renaissance *r, const struct renaissance_seat *s,
                              const struct renaissance_message *m, struct run *run) {
    unsigned colour;
    int64_t level, slot;
    struct payment payment;
    uint8_t owed[RENAISSANCE_KINDS];
    if (!read_word(json_object_get(m->body, "color"), renaissance_colour_word, &colour) ||
        !json_int(m->body, "level", &level) || !json_int(m->body, "devCardSlot", &slot) ||
        !read_payment(m, &payment))
        return ERR_FIELD_INVALID;
    if (level < 1 || level > RENAISSANCE_LEVELS)
        return ERR_CARD_GONE;
    if (slot < 0 || slot >= RENAISSANCE_SLOTS)
        return ERR_CARD_SLOT;
    unsigned card = r->visible[renaissance_pile(colour, (unsigned)level)];
    if (card == 0)
        return ERR_CARD_GONE;
    renaissance_price(s, card, owed);
    run_add(run, RENAISSANCE_BUY, colour, (unsigned)level, (unsigned)slot, 0);
    return pay(&payment, owed, run);
}

/* A list of small numbers, each at most once (tolerance 16): bits. */
static bool read_set(const json_t *list, unsigned below, unsigned *bits) {
    *bits = 0;
    if (list == NULL || json_is_null(list))
        return true;
    for (size_t i = 0; json_is_array(list) && i < json_array_size(list); i++) {
        int64_t number;
        if (!json_value_int(json_array_get(list, i), &number) || number < 0 || number >= below ||
            (*bits >> number & 1) != 0)
            return false;
        *bits |= 1u << number;
    }
    return json_is_array(list);
}

static enum err read_cards(const struct renaissance_seat *s, const struct renaissance_message *m,
                           struct run *run, uint8_t owed[RENAISSANCE_KINDS]) {
    unsigned slots;
    if (!read_set(json_object_get(m->body, "devCardSlots"), RENAISSANCE_SLOTS, &slots))
        return ERR_PRODUCTION_TWICE;
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        unsigned card = renaissance_top(s, slot);
        if ((slots >> slot & 1) == 0)
            continue;
        if (card == 0)
            return ERR_PRODUCTION_UNKNOWN;
        for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
            owed[kind] = (uint8_t)(owed[kind] + renaissance_card(card)->input[kind]);
        run_add(run, RENAISSANCE_CARD, slot, 0, 0, 0);
    }
    return ERR_OK;
}

/* The resources gained stand in the order of the leaders named; the actions rise. */
static enum err read_leader_productions(const struct renaissance_seat *s, const struct renaissance_message *m,
                                        struct run *run, uint8_t owed[RENAISSANCE_KINDS]) {
    const json_t *list = json_object_get(m->body, "leaderCardSlots");
    uint8_t gains[RENAISSANCE_LEADERS_KEPT];
    unsigned set;
    size_t count;
    if (!read_set(list, RENAISSANCE_LEADERS_KEPT, &set))
        return ERR_PRODUCTION_TWICE;
    if (!read_kinds(json_object_get(m->body, "leaderResources"), gains, RENAISSANCE_LEADERS_KEPT, &count) ||
        count != (unsigned)__builtin_popcount(set))
        return ERR_FIELD_INVALID;
    for (unsigned i = 0; i < RENAISSANCE_LEADERS_KEPT; i++) {
        unsigned leader = renaissance_leader_in_play(s, RENAISSANCE_PRODUCTION, i);
        int64_t first = 0;
        if ((set >> i & 1) == 0)
            continue;
        if (leader == 0 || !json_value_int(json_array_get(list, 0), &first))
            return ERR_PRODUCTION_UNKNOWN;
        owed[renaissance_leader(leader)->kind]++;
        run_add(run, RENAISSANCE_LEADER, i, gains[count == 2 && first != (int64_t)i], 0, 0);
    }
    return ERR_OK;
}

/* Two resources paid and the one gained. Tolerance 17: with the one gained alone, what is paid is what the
 * payment has left over. */
static enum err read_base(const struct renaissance_message *m, const struct payment *payment,
                          uint8_t owed[RENAISSANCE_KINDS], struct action *out, bool *is_used) {
    enum { GAIN_ONLY = 1, WHOLE = 3 };
    uint8_t kinds[WHOLE], paid[2];
    size_t count;
    unsigned left = 0;
    if (!read_kinds(json_object_get(m->body, "boardResources"), kinds, WHOLE, &count) || count == 2)
        return ERR_FIELD_INVALID;
    *is_used = count > 0;
    if (count == 0)
        return ERR_OK;
    memcpy(paid, kinds, sizeof paid);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS && count == GAIN_ONLY; kind++)
        for (unsigned sum = payment_sum(payment, kind); sum > owed[kind]; sum--, left++)
            if (left < 2)
                paid[left] = (uint8_t)kind;
    if (count == GAIN_ONLY && left != 2)
        return ERR_PAYMENT_WRONG;
    owed[paid[0]]++;
    owed[paid[1]]++;
    bool is_rising = paid[0] <= paid[1];
    *out = renaissance_action(RENAISSANCE_BASE, paid[!is_rising], paid[is_rising], kinds[count - 1], 0);
    return ERR_OK;
}

static enum err read_production(const struct renaissance_seat *s, const struct renaissance_message *m,
                                struct run *run) {
    struct payment payment;
    uint8_t owed[RENAISSANCE_KINDS] = {0};
    bool has_base;
    if (!read_payment(m, &payment))
        return ERR_FIELD_INVALID;
    /* The board comes first, but what it takes may show only when the others are known. */
    struct action base = {0};
    run->count = 1;
    enum err e = read_cards(s, m, run, owed);
    if (e == ERR_OK)
        e = read_leader_productions(s, m, run, owed);
    if (e == ERR_OK)
        e = read_base(m, &payment, owed, &base, &has_base);
    if (e != ERR_OK)
        return e;
    run->out[0] = base;
    if (!has_base)
        memmove(run->out, run->out + 1, --run->count * sizeof *run->out);
    run_add(run, RENAISSANCE_RUN, 0, 0, 0, 0);
    return pay(&payment, owed, run);
}

static enum err read_leader_action(const struct renaissance_message *m, unsigned kind, struct run *run) {
    unsigned leader = read_leader(json_object_get(m->body, "id"));
    if (leader == 0)
        return ERR_LEADER_NOT_HELD;
    run_add(run, kind, leader, 0, 0, 0);
    return ERR_OK;
}

static enum err read_parameters(const struct renaissance *r, const struct renaissance_seat *s,
                                const struct renaissance_message *m, unsigned choice, struct run *run) {
    switch (choice) {
    case RENAISSANCE_MAY_PLAY_LEADER: return read_leader_action(m, RENAISSANCE_PLAY, run);
    case RENAISSANCE_MAY_DISCARD_LEADER: return read_leader_action(m, RENAISSANCE_DISCARD, run);
    case RENAISSANCE_MAY_BUY: return read_purchase(r, s, m, run);
    case RENAISSANCE_MAY_PRODUCE: return read_production(s, m, run);
    default: return ERR_ACTION_UNKNOWN;
    }
}

enum err renaissance_read_actions(const struct renaissance *r, unsigned seat,
                                  const struct renaissance_message *m, unsigned choice,
                                  struct action out[RENAISSANCE_MESSAGE_ACTIONS_MAX], size_t *count) {
    const struct renaissance_seat *s = &r->seat[seat];
    struct run run = {.out = out};
    enum err e;
    switch (m->type) {
    case RENAISSANCE_MESSAGE_LEADERS: e = read_leaders(m, &run); break;
    case RENAISSANCE_MESSAGE_RESOURCES: e = read_resources(s, m, &run); break;
    case RENAISSANCE_MESSAGE_LINE: e = read_line(r, s, m, &run); break;
    case RENAISSANCE_MESSAGE_MANAGE: e = read_manage(r, s, m, &run); break;
    case RENAISSANCE_MESSAGE_PARAMETERS: e = read_parameters(r, s, m, choice, &run); break;
    case RENAISSANCE_MESSAGE_END_TURN:
        run_add(&run, RENAISSANCE_END_TURN, 0, 0, 0, 0);
        e = ERR_OK;
        break;
    default: e = ERR_ACTION_UNKNOWN;
    }
    *count = run.count;
    return e;
}
