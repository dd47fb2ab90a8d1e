/* Records of clients into messages: strict, because they come from one program. */
#include "wire/renaissance_java/dialect.h"

enum { READ_AMOUNT_MAX = UINT8_MAX };

static bool read_resource(const struct java_value *v, unsigned *kind) {
    if (v->kind != JAVA_ENUM || v->class != &renaissance_java_resource)
        return false;
    *kind = (unsigned)v->number;
    return true;
}

/* null is an empty one. */
static bool read_resources(const struct java_message *m, const struct java_value *list,
                           struct said_kinds *out) {
    if (list->kind == JAVA_NULL)
        return true;
    if (list->kind != JAVA_LIST || list->count > RENAISSANCE_COLUMNS)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        unsigned kind;
        if (!read_resource(java_item(m, list, i), &kind))
            return false;
        out->kind[i] = (uint8_t)kind;
    }
    out->count = list->count;
    return true;
}

/* A map from resources to how many of each. */
static bool read_amounts(const struct java_message *m, const struct java_value *map,
                         uint16_t counts[RENAISSANCE_KINDS]) {
    if (map->kind == JAVA_NULL)
        return true;
    if (map->kind != JAVA_MAP)
        return false;
    for (uint32_t i = 0; i < map->count; i += 2) {
        const struct java_value *amount = java_item(m, map, i + 1);
        unsigned kind;
        if (!read_resource(java_item(m, map, i), &kind) || amount->kind != JAVA_INTEGER ||
            amount->number < 0 || amount->number > UINT16_MAX - counts[kind])
            return false;
        counts[kind] = (uint16_t)(counts[kind] + amount->number);
    }
    return true;
}

static bool read_java_depot(const struct java_message *m, const struct java_value *list,
                            struct renaissance_depot *out) {
    unsigned kind = 0, first = 0;
    if (list->kind != JAVA_LIST || list->count > READ_AMOUNT_MAX)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!read_resource(java_item(m, list, i), &kind) || (i > 0 && kind != first))
            return false;
        first = kind;
    }
    *out = (struct renaissance_depot){(uint8_t)first, (uint8_t)list->count};
    return true;
}

/* A map from depots to lists of resources; a missing depot is empty. */
static bool read_depots(const struct java_message *m, const struct java_value *map,
                        struct renaissance_depot out[RENAISSANCE_DEPOTS]) {
    if (map->kind != JAVA_MAP)
        return false;
    for (uint32_t i = 0; i < map->count; i += 2) {
        const struct java_value *number = java_item(m, map, i);
        struct renaissance_depot depot;
        if (number->kind != JAVA_INTEGER || !read_java_depot(m, java_item(m, map, i + 1), &depot))
            return false;
        if (depot.count == 0)
            continue;
        if (number->number < 0 || number->number >= RENAISSANCE_DEPOTS || out[number->number].count > 0)
            return false;
        out[number->number] = depot;
    }
    return true;
}

/* Small numbers, each at most once. */
static bool read_slots(const struct java_message *m, const struct java_value *list, struct said_set *out) {
    if (list->kind == JAVA_NULL)
        return true;
    if (list->kind != JAVA_LIST)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct java_value *v = java_item(m, list, i);
        if (v->kind != JAVA_INTEGER || v->number < 0 || v->number >= RENAISSANCE_SLOTS ||
            (out->bits >> v->number & 1) != 0)
            return false;
        out->bits |= 1u << v->number;
        if (i == 0)
            out->first = (unsigned)v->number;
    }
    return true;
}

static bool read_leader(const struct java_value *v, unsigned *leader) {
    *leader = v->kind == JAVA_STRING ? renaissance_leader_of_id(v->text) : 0;
    return *leader != 0;
}

static enum err read_kept(const struct java_message *m, const struct java_value *list, unsigned *kept) {
    if (list->kind != JAVA_LIST || list->count != RENAISSANCE_LEADERS_KEPT)
        return ERR_LEADERS_KEPT;
    for (uint32_t i = 0; i < list->count; i++)
        if (!read_leader(java_item(m, list, i), &kept[i]))
            return ERR_FIELD_INVALID;
    return ERR_OK;
}

/* A name that is null is missing. */
static void read_username(const struct java_value *v, struct renaissance_java_saying *out) {
    if (v->kind != JAVA_STRING)
        return;
    java_text_append(&out->username, v->text);
    out->message.username = out->username.size == 0 ? SPAN("") : buf_span(&out->username);
}

static bool read_production(const struct java_message *m, const struct java_value *v,
                            struct renaissance_said *said) {
    return read_resources(m, java_item(m, v, 0), &said->board) &&
           read_amounts(m, java_item(m, v, 1), said->paid[RENAISSANCE_FROM_LEADERS]) &&
           read_slots(m, java_item(m, v, 2), &said->cards) &&
           read_slots(m, java_item(m, v, 3), &said->leaders) &&
           read_resources(m, java_item(m, v, 4), &said->gains) &&
           read_amounts(m, java_item(m, v, 5), said->paid[RENAISSANCE_FROM_STRONGBOX]) &&
           read_amounts(m, java_item(m, v, 7), said->paid[RENAISSANCE_FROM_BASE]);
}

static bool read_purchase(const struct java_message *m, const struct java_value *v,
                          struct renaissance_said *said) {
    said->slot = java_item(m, v, 0)->number;
    said->level = java_item(m, v, 1)->number;
    said->colour = (unsigned)java_item(m, v, 3)->number;
    return java_item(m, v, 3)->kind == JAVA_ENUM &&
           read_amounts(m, java_item(m, v, 2), said->paid[RENAISSANCE_FROM_LEADERS]) &&
           read_amounts(m, java_item(m, v, 4), said->paid[RENAISSANCE_FROM_STRONGBOX]) &&
           read_amounts(m, java_item(m, v, 6), said->paid[RENAISSANCE_FROM_BASE]);
}

/* The action that a record announces, or is about. */
static void read_choice(struct renaissance_message *message, unsigned choice) {
    message->has_choice = true;
    message->choice = choice;
}

/* What the record is, and whose name is in it. */
static const struct shape {
    enum renaissance_message_type type;
    unsigned choice;
    int username; /* the place of the name among the fields; -1: it has none */
} shapes[RENAISSANCE_JAVA_FROM_CLIENTS] = {
    [RENAISSANCE_JAVA_ACTION_REPLY] = {RENAISSANCE_MESSAGE_ACTION, 0, -1},
    [RENAISSANCE_JAVA_BUY_DEVELOPMENT_CARD_PARAMETERS] = {RENAISSANCE_MESSAGE_PARAMETERS, RENAISSANCE_MAY_BUY,
                                                          5},
    [RENAISSANCE_JAVA_DISCARD_LEADER_CARD_PARAMETERS] = {RENAISSANCE_MESSAGE_PARAMETERS,
                                                         RENAISSANCE_MAY_DISCARD_LEADER, 1},
    [RENAISSANCE_JAVA_END_TURN] = {RENAISSANCE_MESSAGE_END_TURN, 0, -1},
    [RENAISSANCE_JAVA_LEADER_CARDS_REPLY] = {RENAISSANCE_MESSAGE_LEADERS, 0, 1},
    [RENAISSANCE_JAVA_LOGIN_MESSAGE] = {RENAISSANCE_MESSAGE_LOGIN, 0, 0},
    [RENAISSANCE_JAVA_PLAY_LEADER_CARD_PARAMETERS] = {RENAISSANCE_MESSAGE_PARAMETERS,
                                                      RENAISSANCE_MAY_PLAY_LEADER, 1},
    [RENAISSANCE_JAVA_PLAYER_NUMBER_REPLY] = {RENAISSANCE_MESSAGE_NUMBER, 0, -1},
    [RENAISSANCE_JAVA_PONG] = {RENAISSANCE_MESSAGE_PONG, 0, -1},
    [RENAISSANCE_JAVA_RESOURCES_MANAGE_REPLY] = {RENAISSANCE_MESSAGE_MANAGE, 0, -1},
    [RENAISSANCE_JAVA_RESOURCES_REPLY] = {RENAISSANCE_MESSAGE_RESOURCES, 0, 1},
    [RENAISSANCE_JAVA_ROW_COLUMN_SELECTION] = {RENAISSANCE_MESSAGE_LINE, 0, 3},
    [RENAISSANCE_JAVA_USE_PRODUCTION_PARAMETERS] = {RENAISSANCE_MESSAGE_PARAMETERS, RENAISSANCE_MAY_PRODUCE,
                                                    6},
};

/* What its fields say; ERR_FIELD_INVALID: something that they cannot. */
static enum err read_fields(enum renaissance_java_record record, const struct java_message *m,
                            struct renaissance_java_saying *out) {
    const struct java_value *v = &m->values[0];
    struct renaissance_said *said = &out->said;
    bool is_right = true;
    switch (record) {
    case RENAISSANCE_JAVA_ACTION_REPLY:
        is_right = java_item(m, v, 0)->kind == JAVA_ENUM;
        read_choice(&out->message, 1u << java_item(m, v, 0)->number);
        break;
    case RENAISSANCE_JAVA_BUY_DEVELOPMENT_CARD_PARAMETERS: is_right = read_purchase(m, v, said); break;
    case RENAISSANCE_JAVA_USE_PRODUCTION_PARAMETERS: is_right = read_production(m, v, said); break;
    case RENAISSANCE_JAVA_PLAY_LEADER_CARD_PARAMETERS:
    case RENAISSANCE_JAVA_DISCARD_LEADER_CARD_PARAMETERS:
        is_right = read_leader(java_item(m, v, 0), &said->leader);
        break;
    case RENAISSANCE_JAVA_LEADER_CARDS_REPLY: return read_kept(m, java_item(m, v, 0), said->kept);
    case RENAISSANCE_JAVA_PLAYER_NUMBER_REPLY: out->message.number = java_item(m, v, 0)->number; break;
    case RENAISSANCE_JAVA_RESOURCES_MANAGE_REPLY:
        said->discard.is_given = java_item(m, v, 0)->kind != JAVA_NULL;
        is_right = read_amounts(m, java_item(m, v, 0), said->discard.of) &&
                   read_depots(m, java_item(m, v, 1), said->depots);
        break;
    case RENAISSANCE_JAVA_RESOURCES_REPLY: is_right = read_depots(m, java_item(m, v, 0), said->depots); break;
    case RENAISSANCE_JAVA_ROW_COLUMN_SELECTION:
        said->index = java_item(m, v, 0)->number;
        said->is_row = java_item(m, v, 1)->number != 0;
        is_right = read_resources(m, java_item(m, v, 2), &said->exchange);
        break;
    default: break;
    }
    return is_right ? ERR_OK : ERR_FIELD_INVALID;
}

void renaissance_java_read(const struct java_message *m, struct renaissance_java_saying *out) {
    enum renaissance_java_record record =
        (enum renaissance_java_record)(m->values[0].class - renaissance_java_records);
    const struct shape *shape = &shapes[record];
    *out = (struct renaissance_java_saying){.message = {.type = shape->type}};
    out->message.said = &out->said;
    if (shape->choice != 0)
        read_choice(&out->message, shape->choice);
    if (shape->username >= 0)
        read_username(java_item(m, &m->values[0], (uint32_t)shape->username), out);
    out->message.wrong = read_fields(record, m, out);
}

void renaissance_java_saying_free(struct renaissance_java_saying *saying) {
    buf_free(&saying->username);
}
