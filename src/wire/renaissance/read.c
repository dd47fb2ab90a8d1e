/* Messages of Masters of Renaissance into actions: tolerant about how a value is written, strict about what
 * it is. What the rules forbid is not looked for here. */
#include "wire/renaissance/dialect.h"
#include "wire/renaissance/port.h"

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

bool renaissance_read_kind(const json_t *value, unsigned *kind) {
    return json_word(json_value_text(value), renaissance_resource_word, kind);
}

bool renaissance_read_marble(const json_t *value, unsigned *marble) {
    return json_word(json_value_text(value), renaissance_marble_word, marble);
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

/* Ids in small letters too (tolerance 33). */
static bool said_leader(const json_t *value, void *place) {
    char id[RENAISSANCE_ID_BYTES];
    unsigned *leader = place;
    if (!span_copy(span_trim(json_value_text(value)), id, sizeof id))
        return false;
    if (id[0] == 'l')
        id[0] = 'L';
    *leader = renaissance_leader_of_id(span_of(id));
    return *leader != 0;
}

static enum err said_kept(const json_t *value, void *place, char *complaint) {
    unsigned *kept = place;
    (void)complaint;
    if (json_array_size(value) != RENAISSANCE_LEADERS_KEPT)
        return ERR_LEADERS_KEPT;
    bool are_known =
        said_leader(json_array_get(value, 0), &kept[0]) && said_leader(json_array_get(value, 1), &kept[1]);
    return are_known ? ERR_OK : ERR_FIELD_INVALID;
}

static bool said_depots(const json_t *value, void *place) {
    return renaissance_read_warehouse(value, place);
}

static bool said_counts(const json_t *value, void *place) {
    struct said_counts *counts = place;
    counts->is_given = true;
    return renaissance_read_counts(value, counts->of);
}

static bool said_kinds(const json_t *value, void *place) {
    struct said_kinds *kinds = place;
    bool are_kinds = read_kinds(value, kinds->kind, RENAISSANCE_COLUMNS, &kinds->count);
    kinds->count = are_kinds ? kinds->count : 0;
    return are_kinds;
}

/* Small numbers, each at most once (tolerance 16). */
static bool said_set(const json_t *value, void *place) {
    struct said_set set = {0};
    for (size_t i = json_array_size(value); i > 0; i--) {
        int64_t number;
        if (!json_value_int(json_array_get(value, i - 1), &number) || number < 0 ||
            number >= RENAISSANCE_SLOTS || (set.bits >> number & 1) != 0)
            return false;
        set.bits |= 1u << number;
        set.first = (unsigned)number;
    }
    *(struct said_set *)place = set;
    return json_is_array(value);
}

static bool said_payment(const json_t *value, void *place) {
    static const char *const sources[] = {[RENAISSANCE_FROM_BASE] = "warehouse",
                                          [RENAISSANCE_FROM_LEADERS] = "leaderDepot",
                                          [RENAISSANCE_FROM_STRONGBOX] = "strongbox"};
    uint16_t(*paid)[RENAISSANCE_KINDS] = place;
    bool is_right = true;
    for (unsigned i = 0; i < RENAISSANCE_SOURCES && is_right; i++)
        is_right = renaissance_read_counts(json_object_get(value, sources[i]), paid[i]);
    return is_right;
}

static const char *said_choice_word(unsigned i) {
    return i < CHOICES ? choice_words[i] : NULL;
}

/* clang-format off */
#define INVALID .refusal = ERR_FIELD_INVALID

static const struct json_kind
    name_kind = {"name", JSON_SCHEMA({"pattern": "^\\S+$", "description": "a nickname; the server says which lengths it takes"}),
                 JSON_TEXT, .min = 1, .max = RENAISSANCE_NAME_CHARS_MAX},
    players_kind = {.form = JSON_NUMBER, .min = 1, .max = RENAISSANCE_SEATS_MAX},
    action_kind = {"action", .form = JSON_WORD, .word = said_choice_word},
    leader_kind = {"leader", JSON_SCHEMA({"type": "string", "pattern": "^L0(0[1-9]|1[0-6])$", "description": "a leader card"}),
                   .read = said_leader, .refusal = ERR_LEADER_NOT_HELD},
    kept_kind = {NULL, JSON_SCHEMA({"uniqueItems": true}), .item = &leader_kind, .min = RENAISSANCE_LEADERS_KEPT,
                 .max = RENAISSANCE_LEADERS_KEPT, .take = said_kept, INVALID},
    resource_kind = {"resource", .form = JSON_WORD, .word = renaissance_resource_word},
    depots_kind = {"depots", JSON_SCHEMA({"type": "object", "patternProperties": {"^[0-4]$": {"$ref": "#/$defs/depot"}},
                   "additionalProperties": false, "description": "a missing depot is empty"}), .read = said_depots, INVALID},
    discard_kind = {NULL, JSON_SCHEMA({"oneOf": [{"$ref": "../common.json#/$defs/amounts"}, {"type": "null"}]}),
                    .read = said_counts, INVALID},
    line_kind = {.form = JSON_NUMBER, .max = RENAISSANCE_COLUMNS - 1, .refusal = ERR_FIELD_MISSING},
    row_kind = {.form = JSON_FLAG, .refusal = ERR_FIELD_MISSING},
    exchange_kind = {NULL, JSON_SCHEMA({"description": "for every white marble, when an exchange leader is in play"}),
                     .item = &resource_kind, .max = RENAISSANCE_COLUMNS, .read = said_kinds},
    color_kind = {"color", JSON_SCHEMA({"description": "of development cards, in the order of the columns of the grid"}),
                  JSON_WORD, .word = renaissance_colour_word, INVALID},
    level_kind = {"level", .form = JSON_NUMBER, .min = 1, .max = RENAISSANCE_LEVELS, INVALID},
    slot_kind = {"slot", JSON_SCHEMA({"description": "of development cards"}), JSON_NUMBER, .max = RENAISSANCE_SLOTS - 1, INVALID},
    payment_kind = {"paymentResources", JSON_SCHEMA({"type": "object", "properties": {"warehouse": {"$ref": "#/$defs/amounts"},
                    "leaderDepot": {"$ref": "#/$defs/amounts"}, "strongbox": {"$ref": "#/$defs/amounts"}},
                    "additionalProperties": false}), .read = said_payment},
    board_kind = {NULL, JSON_SCHEMA({"description": "empty, or the two paid and the one gained"}),
                  .item = &resource_kind, .max = 3, .read = said_kinds},
    gains_kind = {NULL, JSON_SCHEMA({"description": "the one gained by each leader of leaderCardSlots"}),
                  .item = &resource_kind, .max = RENAISSANCE_LEADERS_KEPT, .read = said_kinds},
    cards_kind = {NULL, JSON_SCHEMA({"uniqueItems": true}), .item = &slot_kind, .max = RENAISSANCE_SLOTS, .read = said_set, .refusal = ERR_PRODUCTION_TWICE},
    number_kind = {.form = JSON_NUMBER, .max = RENAISSANCE_LEADERS_KEPT - 1},
    leaders_kind = {NULL, JSON_SCHEMA({"uniqueItems": true, "description": "numbers of the own production leaders in the order of play"}),
                    .item = &number_kind, .max = RENAISSANCE_LEADERS_KEPT, .read = said_set, .refusal = ERR_PRODUCTION_TWICE};

#define FIELD(...)  JSON_FIELD(struct renaissance_said, __VA_ARGS__)
/* Read from every message, see renaissance_read_message. */
#define ANYWHERE(NAME, KIND, FLAGS) {NAME, &KIND##_kind, FLAGS | JSON_UNREAD, 0, NULL}
#define USERNAME    ANYWHERE("username", name, 0)
#define WAREHOUSE   FIELD("warehouse", depots, JSON_MUST, depots)
#define LEADER      JSON_FIELDS(USERNAME, FIELD("id", leader, JSON_MUST, leader))
#define PAYMENT     FIELD("paymentResources", payment, JSON_ASKED, paid)

/* In the order of the choices that they are for. */
static const struct json_message cases[] = {
    {"PLAYLEADERCARD", LEADER},
    {"DISCARDLEADERCARD", LEADER},
    {"BUYDEVELOPMENTCARD", JSON_FIELDS(USERNAME, FIELD("color", color, JSON_MUST, colour), FIELD("level", level, JSON_MUST, level),
                                  FIELD("devCardSlot", slot, JSON_MUST, slot), PAYMENT)},
    {"USEPRODUCTION", JSON_FIELDS(USERNAME, PAYMENT, FIELD("devCardSlots", cards, 0, cards), FIELD("leaderCardSlots", leaders, 0, leaders),
                             FIELD("leaderResources", gains, 0, gains), FIELD("boardResources", board, 0, board))},
    {0},
};

#define MESSAGE(TYPE, WORD, ABOUT, ...) [RENAISSANCE_MESSAGE_##TYPE] = {.word = WORD, .about = ABOUT, __VA_ARGS__},
/* clang-format on */

static const struct json_message messages[] = {RENAISSANCE_MESSAGES(MESSAGE){0}};
const struct json_message renaissance_messages = {.by = "type", .cases = messages};

enum err renaissance_read_message(const json_t *body, struct renaissance_message *out) {
    const struct json_message *found = json_message_case(&renaissance_messages, json_text(body, "type"));
    if (found == NULL)
        return ERR_UNKNOWN_TYPE;
    *out = (struct renaissance_message){.type = (enum renaissance_message_type)(found - messages),
                                        .username = json_text(body, "username"),
                                        .choice = renaissance_choice_of(json_text(body, "action")),
                                        .has_choice = json_has(body, "action"),
                                        .body = body};
    if (json_has(body, "username") && out->username.data == NULL)
        out->username = SPAN(""); /* it is something, but no name */
    if (!json_int(body, "number", &out->number))
        out->number = 0;
    bool is_good = json_seed(body, &out->seed) &&
                   json_optional(body, "secret", &json_secret_kind, &out->secret) &&
                   json_optional(body, "table", &json_table_kind, &out->table);
    return is_good ? ERR_OK : ERR_FIELD_INVALID;
}

/* The actions that are being made. */
struct run {
    struct action *out;
    size_t count;
};

static void run_add(struct run *run, unsigned kind, unsigned a, unsigned b, unsigned c, unsigned d) {
    run->out[run->count++] = renaissance_action(kind, a, b, c, d);
}

static unsigned said_depot_sum(const struct renaissance_depot depots[RENAISSANCE_DEPOTS]) {
    unsigned sum = 0;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        sum += depots[i].count;
    return sum;
}

bool renaissance_reads_empty(const struct renaissance_message *m) {
    struct renaissance_depot depots[RENAISSANCE_DEPOTS];
    if (m->said != NULL)
        return m->wrong == ERR_OK && said_depot_sum(m->said->depots) == 0;
    return renaissance_read_warehouse(json_object_get(m->body, "warehouse"), depots) &&
           said_depot_sum(depots) == 0;
}

static enum err run_gifts(const struct renaissance_seat *s, struct renaissance_said *said, struct run *run) {
    if (said_depot_sum(said->depots) != s->gifts)
        return ERR_GIFTS_COUNT;
    for (unsigned i = 0; i < RENAISSANCE_DEPOTS; i++)
        for (; said->depots[i].count > 0; said->depots[i].count--)
            run_add(run, RENAISSANCE_PUT, said->depots[i].kind, i, 0, 0);
    return ERR_OK;
}

/* Tolerance 15: with one exchange leader the list may be left out. Otherwise it names a resource of the
 * leaders in play for every white marble. */
static enum err run_exchange(const struct renaissance *r, const struct renaissance_seat *s, unsigned line,
                             const struct said_kinds *said, unsigned *for_first) {
    uint8_t marbles[RENAISSANCE_COLUMNS];
    unsigned whites = 0, leaders = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE);
    for (unsigned i = renaissance_line(r, line, marbles); i > 0; i--)
        whites += marbles[i - 1] == RENAISSANCE_WHITE;
    *for_first = 0;
    if (said->count == 0 && (leaders < 2 || whites == 0))
        return ERR_OK;
    if (leaders == 0 || said->count != whites)
        return ERR_EXCHANGE_WRONG;
    for (size_t i = 0; i < said->count; i++) {
        unsigned of = 0;
        while (of < leaders &&
               renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_EXCHANGE, of))->kind !=
                   said->kind[i])
            of++;
        if (of == leaders)
            return ERR_EXCHANGE_WRONG;
        *for_first += leaders == 2 && of == 0;
    }
    return ERR_OK;
}

static enum err run_line(const struct renaissance *r, const struct renaissance_seat *s,
                         const struct renaissance_said *said, enum err wrong, struct run *run) {
    unsigned for_first;
    bool is_line = wrong != ERR_FIELD_MISSING; /* the resources are another matter */
    if (is_line &&
        (said->index < 0 || said->index >= (said->is_row ? RENAISSANCE_ROWS : RENAISSANCE_COLUMNS)))
        return ERR_MARKET_LINE;
    if (wrong != ERR_OK)
        return wrong;
    unsigned line = (unsigned)said->index + (said->is_row ? 0 : RENAISSANCE_ROWS);
    enum err e = run_exchange(r, s, line, &said->exchange, &for_first);
    run_add(run, RENAISSANCE_PUSH, line, for_first, 0, 0);
    return e;
}

/* Tolerances 11, 12, 13: what is neither placed nor named as discarded is counted as discarded; what is named
 * must be exactly that. */
static enum err run_manage(const struct renaissance *r, const struct renaissance_seat *s,
                           const struct renaissance_said *said, struct run *run) {
    const struct renaissance_depot *depots = said->depots;
    int left[RENAISSANCE_KINDS];
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
        if (left[kind] < 0 || (said->discard.is_given && left[kind] != said->discard.of[kind]))
            return ERR_DEPOT_INVENTED;
    return ERR_OK;
}

static unsigned said_payment_sum(const struct renaissance_said *said, unsigned kind) {
    unsigned sum = 0;
    for (unsigned i = 0; i < RENAISSANCE_SOURCES; i++)
        sum += said->paid[i][kind];
    return sum;
}

/* One action for every kind that is owed; what is paid must be exactly that. */
static enum err run_payment(const struct renaissance_said *said, const uint8_t owed[RENAISSANCE_KINDS],
                            struct run *run) {
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        if (said_payment_sum(said, kind) != owed[kind])
            return ERR_PAYMENT_WRONG;
        if (owed[kind] > 0)
            run_add(run, RENAISSANCE_PAY, kind, said->paid[RENAISSANCE_FROM_BASE][kind],
                    said->paid[RENAISSANCE_FROM_LEADERS][kind], said->paid[RENAISSANCE_FROM_STRONGBOX][kind]);
    }
    return ERR_OK;
}

static enum err run_purchase(const struct renaissance *r, const struct renaissance_seat *s,
                             const struct renaissance_said *said, struct run *run) {
    uint8_t owed[RENAISSANCE_KINDS];
    if (said->level < 1 || said->level > RENAISSANCE_LEVELS)
        return ERR_CARD_GONE;
    if (said->slot < 0 || said->slot >= RENAISSANCE_SLOTS)
        return ERR_CARD_SLOT;
    unsigned card = r->visible[renaissance_pile(said->colour, (unsigned)said->level)];
    if (card == 0)
        return ERR_CARD_GONE;
    renaissance_price(s, card, owed);
    run_add(run, RENAISSANCE_BUY, said->colour, (unsigned)said->level, (unsigned)said->slot, 0);
    return run_payment(said, owed, run);
}

static enum err run_cards(const struct renaissance_seat *s, const struct renaissance_said *said,
                          struct run *run, uint8_t owed[RENAISSANCE_KINDS]) {
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        unsigned card = renaissance_top(s, slot);
        if ((said->cards.bits >> slot & 1) == 0)
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
static enum err run_leaders(const struct renaissance_seat *s, const struct renaissance_said *said,
                            struct run *run, uint8_t owed[RENAISSANCE_KINDS]) {
    const struct said_kinds *gains = &said->gains;
    if (said->leaders.bits >> RENAISSANCE_LEADERS_KEPT != 0)
        return ERR_PRODUCTION_TWICE;
    if (gains->count != (unsigned)__builtin_popcount(said->leaders.bits))
        return ERR_FIELD_INVALID;
    for (unsigned i = 0; i < RENAISSANCE_LEADERS_KEPT; i++) {
        unsigned leader = renaissance_leader_in_play(s, RENAISSANCE_PRODUCTION, i);
        if ((said->leaders.bits >> i & 1) == 0)
            continue;
        if (leader == 0)
            return ERR_PRODUCTION_UNKNOWN;
        owed[renaissance_leader(leader)->kind]++;
        run_add(run, RENAISSANCE_LEADER, i, gains->kind[gains->count == 2 && said->leaders.first != i], 0, 0);
    }
    return ERR_OK;
}

/* Two resources paid and the one gained. Tolerance 17: with the one gained alone, what is paid is what the
 * payment has left over. */
static enum err run_base(const struct renaissance_said *said, uint8_t owed[RENAISSANCE_KINDS],
                         struct action *out, bool *is_used) {
    enum { GAIN_ONLY = 1, WHOLE = 3 };
    const uint8_t *kinds = said->board.kind;
    uint8_t paid[2];
    size_t count = said->board.count;
    unsigned left = 0;
    if (count == 2 || count > WHOLE)
        return ERR_FIELD_INVALID;
    *is_used = count > 0;
    if (count == 0)
        return ERR_OK;
    memcpy(paid, kinds, sizeof paid);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS && count == GAIN_ONLY; kind++)
        for (unsigned sum = said_payment_sum(said, kind); sum > owed[kind]; sum--, left++)
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

/* What could be read is judged before what could not. */
static enum err run_production(const struct renaissance_seat *s, const struct renaissance_said *said,
                               enum err wrong, struct run *run) {
    uint8_t owed[RENAISSANCE_KINDS] = {0};
    bool has_base;
    /* The board comes first, but what it takes may show only when the others are known. */
    struct action base = {0};
    run->count = 1;
    enum err e = run_cards(s, said, run, owed);
    if (e == ERR_OK)
        e = run_leaders(s, said, run, owed);
    if (e == ERR_OK)
        e = run_base(said, owed, &base, &has_base);
    if (e != ERR_OK || wrong != ERR_OK)
        return e != ERR_OK ? e : wrong;
    run->out[0] = base;
    if (!has_base)
        memmove(run->out, run->out + 1, --run->count * sizeof *run->out);
    run_add(run, RENAISSANCE_RUN, 0, 0, 0, 0);
    return run_payment(said, owed, run);
}

static enum err run_parameters(const struct renaissance *r, const struct renaissance_seat *s,
                               const struct renaissance_said *said, unsigned choice, struct run *run) {
    if (choice == RENAISSANCE_MAY_BUY)
        return run_purchase(r, s, said, run);
    if (choice != RENAISSANCE_MAY_PLAY_LEADER && choice != RENAISSANCE_MAY_DISCARD_LEADER)
        return ERR_ACTION_UNKNOWN;
    run_add(run, choice == RENAISSANCE_MAY_PLAY_LEADER ? RENAISSANCE_PLAY : RENAISSANCE_DISCARD, said->leader,
            0, 0, 0);
    return ERR_OK;
}

enum err renaissance_read_actions(const struct renaissance *r, unsigned seat,
                                  const struct renaissance_message *m, unsigned choice,
                                  struct action out[RENAISSANCE_MESSAGE_ACTIONS_MAX], size_t *count) {
    const struct renaissance_seat *s = &r->seat[seat];
    bool has_case = m->type == RENAISSANCE_MESSAGE_PARAMETERS && choice < RENAISSANCE_MAY_PUSH;
    bool is_production = has_case && choice == RENAISSANCE_MAY_PRODUCE;
    const struct json_message *message = has_case ? &cases[__builtin_ctz(choice)] : &messages[m->type];
    struct run run = {.out = out};
    struct renaissance_said said = m->said != NULL ? *m->said : (struct renaissance_said){0};
    enum err e = m->said != NULL ? m->wrong
                                 : json_take_fields(&renaissance_game, message->fields, m->body, &said, NULL);
    *count = 0;
    if (e != ERR_OK && m->type != RENAISSANCE_MESSAGE_LINE && !is_production)
        return e;
    switch (m->type) {
    case RENAISSANCE_MESSAGE_LEADERS:
        run_add(&run, RENAISSANCE_KEEP, said.kept[said.kept[0] > said.kept[1]],
                said.kept[said.kept[0] <= said.kept[1]], 0, 0);
        break;
    case RENAISSANCE_MESSAGE_RESOURCES: e = run_gifts(s, &said, &run); break;
    case RENAISSANCE_MESSAGE_LINE: e = run_line(r, s, &said, e, &run); break;
    case RENAISSANCE_MESSAGE_MANAGE: e = run_manage(r, s, &said, &run); break;
    case RENAISSANCE_MESSAGE_PARAMETERS:
        e = is_production ? run_production(s, &said, e, &run) : run_parameters(r, s, &said, choice, &run);
        break;
    case RENAISSANCE_MESSAGE_END_TURN: run_add(&run, RENAISSANCE_END_TURN, 0, 0, 0, 0); break;
    default: e = ERR_ACTION_UNKNOWN;
    }
    *count = run.count;
    return e;
}
