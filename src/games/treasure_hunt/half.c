/* Half maps of Treasure Hunt: the rules R4 to R11 that each must keep, how one is drawn at random, and how it
 * travels in an action. */
#include "games/treasure_hunt/treasure_hunt.h"

#include <stdio.h>

enum {
    /* What is drawn stays a little above the minima and leaves enough room to walk. */
    DRAWN_WATER_MORE = 4, /* up to so many above the minimum, this number excluded */
    DRAWN_MOUNTAINS_MORE = 8,
    BITS_PER_FIELD = 2,
    FIELDS_PER_BYTE = 8 / BITS_PER_FIELD,
    HALF_BYTES = (TREASURE_HALF_FIELDS + FIELDS_PER_BYTE - 1) / FIELDS_PER_BYTE,
    FORT_ARG = HALF_BYTES,
};

/* A set of fields of a half map: bit i is field i. */
typedef uint64_t half_set;
#define HALF_BIT(field) ((half_set)1 << (field))
#define HALF_ALL        (HALF_BIT(TREASURE_HALF_FIELDS) - 1)
/* The first field of every row, and the fields of a row. */
#define HALF_COLUMN ((half_set)0x10040100401)
#define HALF_ROW    (HALF_BIT(TREASURE_HALF_WIDTH) - 1)
_Static_assert(TREASURE_HALF_WIDTH == 10 && TREASURE_HALF_HEIGHT == 5,
               "HALF_COLUMN has five bits, ten apart");

/* The four edges (R10) and how much water each may have. */
static const struct edge {
    const char *what;
    half_set fields;
    uint32_t water_max;
} edges[] = {
    {"water on the top edge", HALF_ROW, TREASURE_LONG_EDGE_WATER_MAX},
    {"water on the bottom edge", HALF_ROW << (TREASURE_HALF_FIELDS - TREASURE_HALF_WIDTH),
     TREASURE_LONG_EDGE_WATER_MAX},
    {"water on the left edge", HALF_COLUMN, TREASURE_SHORT_EDGE_WATER_MAX},
    {"water on the right edge", HALF_COLUMN << (TREASURE_HALF_WIDTH - 1), TREASURE_SHORT_EDGE_WATER_MAX},
};
enum { EDGES = sizeof edges / sizeof *edges };

static half_set half_water(const struct treasure_half *half) {
    half_set water = 0;
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++)
        water |= (half_set)(half->terrain[field] == TREASURE_WATER) << field;
    return water;
}

/* R10: the water of an edge beyond what it may have, in the order of the fields. */
static half_set edge_surplus(const struct edge *edge, half_set water) {
    water &= edge->fields;
    for (uint32_t i = 0; i < edge->water_max; i++)
        water &= water - 1;
    return water;
}

/* R11: the fields without water that the first one of them has no way to. */
static half_set half_islands(half_set water) {
    half_set land = ~water & HALF_ALL, reached = land & -land, before;
    half_set not_first = ~HALF_COLUMN, not_last = ~(HALF_COLUMN << (TREASURE_HALF_WIDTH - 1));
    do {
        before = reached;
        reached |= ((reached & not_last) << 1 | (reached & not_first) >> 1) & land;
        reached |= (reached << TREASURE_HALF_WIDTH | reached >> TREASURE_HALF_WIDTH) & land;
    } while (reached != before);
    return land & ~reached;
}

static struct treasure_offence offence(unsigned rule, const char *what, int32_t found, int32_t bound) {
    return (struct treasure_offence){.rule = rule, .what = what, .found = found, .bound = bound};
}

static struct treasure_offence offence_at(unsigned rule, const char *what, unsigned field) {
    return (struct treasure_offence){.rule = rule,
                                     .what = what,
                                     .has_field = true,
                                     .x = (int32_t)(field % TREASURE_HALF_WIDTH),
                                     .y = (int32_t)(field / TREASURE_HALF_WIDTH)};
}

/* R4 */
enum err treasure_half_put(struct treasure_half *half, int64_t x, int64_t y, enum treasure_terrain terrain,
                           bool is_fort, struct treasure_offence *out) {
    struct treasure_offence wrong = {.rule = 4, .what = "outside", .has_field = true};
    wrong.x = (int32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
    wrong.y = (int32_t)(y < INT32_MIN ? INT32_MIN : y > INT32_MAX ? INT32_MAX : y);
    *out = wrong;
    if (x < 0 || x >= TREASURE_HALF_WIDTH || y < 0 || y >= TREASURE_HALF_HEIGHT)
        return ERR_HALF_FIELD;
    size_t field = (size_t)y * TREASURE_HALF_WIDTH + (size_t)x;
    out->what = half->terrain[field] != TREASURE_UNKNOWN ? "given twice" : "without terrain";
    if (half->terrain[field] != TREASURE_UNKNOWN || terrain < TREASURE_WATER || terrain > TREASURE_MOUNTAIN)
        return ERR_HALF_FIELD;
    half->terrain[field] = (uint8_t)terrain;
    half->is_fort[field] = is_fort;
    *out = (struct treasure_offence){.what = ""};
    return ERR_OK;
}

/* R4 */
static enum err check_fields(const struct treasure_half *half, struct treasure_offence *out) {
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++)
        if (half->terrain[field] < TREASURE_WATER || half->terrain[field] > TREASURE_MOUNTAIN) {
            *out = offence_at(4, "not given", field);
            return ERR_HALF_FIELD;
        }
    return ERR_OK;
}

/* R5, R6, R7 */
static enum err check_counts(const struct treasure_half *half, struct treasure_offence *out) {
    static const struct {
        unsigned rule;
        enum treasure_terrain terrain;
        const char *what;
        int32_t min;
        enum err e;
    } minima[] = {
        {5, TREASURE_MOUNTAIN, "mountain", TREASURE_MOUNTAINS_MIN, ERR_HALF_MOUNTAIN},
        {6, TREASURE_GRASS, "grass", TREASURE_GRASS_MIN, ERR_HALF_GRASS},
        {7, TREASURE_WATER, "water", TREASURE_WATER_MIN, ERR_HALF_WATER},
    };
    int32_t count[TREASURE_MOUNTAIN + 1] = {0};
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++)
        count[half->terrain[field]]++;
    for (size_t i = 0; i < sizeof minima / sizeof *minima; i++)
        if (count[minima[i].terrain] < minima[i].min) {
            *out = offence(minima[i].rule, minima[i].what, count[minima[i].terrain], minima[i].min);
            return minima[i].e;
        }
    return ERR_OK;
}

/* R8, R9 */
static enum err check_forts(const struct treasure_half *half, enum treasure_forts may,
                            struct treasure_offence *out) {
    uint8_t forts[TREASURE_HALF_FIELDS];
    unsigned count = 0;
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++)
        if (half->is_fort[field] != 0)
            forts[count++] = (uint8_t)field;
    if (count == 0) {
        *out = offence(8, "fort", 0, 1);
        return ERR_HALF_FORTS;
    }
    if (count > 1 && may == TREASURE_FORTS_ONE) {
        *out = offence_at(8, "a second fort", forts[1]);
        return ERR_HALF_FORTS;
    }
    for (unsigned i = 0; i < count; i++)
        if (half->terrain[forts[i]] != TREASURE_GRASS) {
            *out = offence_at(9, "the fort", forts[i]);
            return ERR_HALF_FORT_GRASS;
        }
    return ERR_OK;
}

/* R10; the field is the first one of an edge that is too much. */
static enum err check_edges(half_set water, struct treasure_offence *out) {
    for (size_t i = 0; i < EDGES; i++) {
        half_set surplus = edge_surplus(&edges[i], water);
        if (surplus != 0) {
            *out = offence_at(10, edges[i].what, (unsigned)__builtin_ctzll(surplus));
            out->found = __builtin_popcountll(water & edges[i].fields);
            out->bound = (int32_t)edges[i].water_max;
            return ERR_HALF_EDGE;
        }
    }
    return ERR_OK;
}

/* R11; the field is the first island. */
static enum err check_islands(half_set water, struct treasure_offence *out) {
    half_set islands = half_islands(water);
    if (islands == 0)
        return ERR_OK;
    *out = offence_at(11, "an island", (unsigned)__builtin_ctzll(islands));
    return ERR_HALF_ISLAND;
}

enum err treasure_half_check(const struct treasure_half *half, enum treasure_forts forts,
                             struct treasure_offence *out) {
    struct treasure_offence ignored, *where = out == NULL ? &ignored : out;
    *where = (struct treasure_offence){.what = ""};
    enum err e = check_fields(half, where);
    if (e == ERR_OK)
        e = check_counts(half, where);
    if (e == ERR_OK)
        e = check_forts(half, forts, where);
    if (e == ERR_OK)
        e = check_edges(half_water(half), where);
    return e == ERR_OK ? check_islands(half_water(half), where) : e;
}

void treasure_offence_format(enum err e, const struct treasure_offence *o,
                             char text[TREASURE_OFFENCE_TEXT_BYTES_MAX]) {
    size_t size = TREASURE_OFFENCE_TEXT_BYTES_MAX;
    const char *sentence = game_refusal(&treasure_hunt_game, e)->sentence;
    switch (o->rule) {
    case 5:
    case 6:
    case 7:
        snprintf(text, size, "there are %d fields of %s, there must be at least %d (R%u)", (int)o->found,
                 o->what, (int)o->bound, o->rule);
        return;
    case 10:
        snprintf(text, size, "there are %d fields of %s, there may be %d; field (%d,%d) is too much (R10)",
                 (int)o->found, o->what, (int)o->bound, (int)o->x, (int)o->y);
        return;
    default: break;
    }
    if (o->rule != 0 && o->has_field)
        snprintf(text, size, "%s; field (%d,%d) is %s (R%u)", sentence, (int)o->x, (int)o->y,
                 o->rule == 9 ? "not" : o->what, o->rule);
    else if (o->rule != 0)
        snprintf(text, size, "%s, there is none (R%u)", sentence, o->rule);
    else
        snprintf(text, size, "%s", sentence);
}

/* The terrain of a half, four fields to a byte, and back. There is room for all fields of HALF_BYTES bytes.
 */
static void terrain_pack(const uint8_t terrain[HALF_BYTES * FIELDS_PER_BYTE], uint8_t bytes[HALF_BYTES]) {
    for (unsigned i = 0; i < HALF_BYTES; i++) {
        const uint8_t *t = terrain + i * FIELDS_PER_BYTE;
        bytes[i] = (uint8_t)((t[0] & 3) | (t[1] & 3) << 2 | (t[2] & 3) << 4 | (t[3] & 3) << 6);
    }
}

static void terrain_unpack(const uint8_t bytes[HALF_BYTES], uint8_t terrain[HALF_BYTES * FIELDS_PER_BYTE]) {
    for (unsigned i = 0; i < HALF_BYTES; i++)
        for (unsigned k = 0; k < FIELDS_PER_BYTE; k++)
            terrain[i * FIELDS_PER_BYTE + k] = bytes[i] >> k * BITS_PER_FIELD & 3;
}

struct action treasure_half_action(const struct treasure_half *half) {
    struct action action = {.kind = TREASURE_HALF};
    uint8_t terrain[HALF_BYTES * FIELDS_PER_BYTE] = {0};
    unsigned count = 0;
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS; field++)
        count += half->is_fort[field] != 0;
    memcpy(terrain, half->terrain, sizeof half->terrain);
    action.arg[FORT_ARG] = count == 0 ? TREASURE_NONE : TREASURE_DRAWN;
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS && count > 0; field++)
        if (half->is_fort[field] != 0 && count > 1)
            terrain[field] = TREASURE_UNKNOWN;
        else if (half->is_fort[field] != 0) {
            action.arg[FORT_ARG] = (uint8_t)field;
            break;
        }
    terrain_pack(terrain, action.arg);
    return action;
}

bool treasure_half_of_action(const struct action *action, struct treasure_half *out) {
    uint8_t terrain[HALF_BYTES * FIELDS_PER_BYTE];
    memset(out, 0, sizeof *out);
    terrain_unpack(action->arg, terrain);
    memcpy(out->terrain, terrain, sizeof out->terrain);
    unsigned fort = action->arg[FORT_ARG];
    if (fort < TREASURE_HALF_FIELDS)
        out->is_fort[fort] = 1;
    for (unsigned field = 0; field < TREASURE_HALF_FIELDS && fort == TREASURE_DRAWN; field++)
        if (out->terrain[field] == TREASURE_UNKNOWN) {
            out->terrain[field] = TREASURE_GRASS;
            out->is_fort[field] = 1;
        }
    struct action again = treasure_half_action(out);
    return action_equal(&again, action);
}

/* R10, R11: whether water in these fields is allowed. */
static bool is_water_allowed(half_set water) {
    for (size_t i = 0; i < EDGES; i++)
        if (edge_surplus(&edges[i], water) != 0)
            return false;
    return half_islands(water) == 0;
}

/* Fields become water one by one, in random order, where the rules still allow it. False when that was not
 * enough. */
static bool draw_water(half_set *out, struct rng *rng) {
    uint8_t order[TREASURE_HALF_FIELDS];
    uint32_t wanted = TREASURE_WATER_MIN + rng_below(rng, DRAWN_WATER_MORE), count = 0;
    half_set water = 0;
    for (uint32_t i = 0; i < TREASURE_HALF_FIELDS; i++) {
        uint32_t k = rng_below(rng, i + 1);
        order[i] = order[k];
        order[k] = (uint8_t)i;
    }
    for (size_t i = 0; i < TREASURE_HALF_FIELDS && count < wanted; i++)
        if (is_water_allowed(water | HALF_BIT(order[i]))) {
            water |= HALF_BIT(order[i]);
            count++;
        }
    *out = water;
    return count == wanted;
}

/* One field of grass, each as likely as the others. */
static unsigned draw_grass(const struct treasure_half *half, struct rng *rng) {
    unsigned field;
    do
        field = rng_below(rng, TREASURE_HALF_FIELDS);
    while (half->terrain[field] != TREASURE_GRASS);
    return field;
}

void treasure_half_draw(struct treasure_half *half, struct rng *rng) {
    half_set water;
    while (!draw_water(&water, rng))
        ;
    memset(half->is_fort, 0, sizeof half->is_fort);
    memset(half->terrain, TREASURE_GRASS, sizeof half->terrain);
    for (; water != 0; water &= water - 1)
        half->terrain[__builtin_ctzll(water)] = TREASURE_WATER;
    for (uint32_t more = TREASURE_MOUNTAINS_MIN + rng_below(rng, DRAWN_MOUNTAINS_MORE); more > 0; more--)
        half->terrain[draw_grass(half, rng)] = TREASURE_MOUNTAIN;
    half->is_fort[draw_grass(half, rng)] = 1;
}
