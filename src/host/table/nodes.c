/* Tables beside those of other nodes on the same store. What is true stands in the journals, which every node
 * folds; here is what no journal knows:
 *
 *     who takes care   of a table, when something must happen although nobody asks. Every node works it out
 *                      from who is there, so that nothing has to be written. Two may believe it for a moment;
 *                      then the journal decides, as between any two writers
 *     who is where     which seats are online at which node, and how many are there without a seat. Each node
 *                      tells its own ("p"); a node that may have missed something asks all others ("h"), and
 *                      they tell everything from the beginning ("r") to the end ("e"). What a node has not
 *                      told between the two is not so any more, and what it has told did not change
 * meanwhile. Until all have told everything nobody is taken for absent: the node takes care of nothing
 *
 *                      Seats are those of a version of the table: it is not believed who is there before the
 *                      journal has been heard so far, for somebody else may still seem to sit there
 *
 *     words            "h" | "r" | "e" | "p" (" " table " " version " " seats " " guests)...
 *                      numbers in hexadecimal
 */
#include "host/table/internal.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <utlist.h>

enum {
    NODES_TRUST_MS = 2000,          /* so long it is believed who was there last */
    NODES_RETURN_MS = 1000,         /* until the players of a node that is lost may be somewhere else */
    NODES_ENTRY_BYTES = 48,         /* the most that one table takes in a word */
    NODES_GUESTS_MAX = 65535,       /* of one table at one node */
    NODES_PLACES_MAX = 1000 * 1000, /* of tables at other nodes; who is at more of them is not known */
};

/* Another node. */
struct nodes_other {
    uint64_t node;
    uint64_t heard_ms;
    bool is_known; /* it has told everything, and nothing was missed since */
    struct nodes_other *next;
};

/* Who is at a table through another node. */
struct nodes_place {
    struct {
        uint64_t node, table;
    } key;
    uint64_t version; /* of the table, with which this was told */
    seat_set told;    /* online, as it was told; and as far as that is believed */
    seat_set seats;
    unsigned guests;
    bool is_old; /* the node has begun again since it told this */
    UT_hash_handle hh;
};

struct nodes {
    struct tables *tables;
    struct store *store; /* NULL: it is closed */
    struct store_company company;
    bool has_company;
    bool is_informed;    /* everybody there has told everything */
    uint64_t company_ms; /* when it was told */
    struct nodes_other *others;
    struct nodes_place *places;
};

/* Who takes care. */

static bool company_is_trusted(const struct nodes *n) {
    return n->has_company && n->tables->now_ms - n->company_ms <= NODES_TRUST_MS;
}

/* A number for a table at a node; the node with the largest one takes care. So the tables of a node that is
 * lost are spread over the others, and all others stay where they are. */
static uint64_t nodes_weight(uint64_t node, uint64_t table) {
    uint64_t x = node ^ (table * UINT64_C(0x9e3779b97f4a7c15));
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

bool table_is_cared(const struct table *t) {
    return tables_is_cared(t->tables, t->id);
}

bool tables_is_cared(const struct tables *tables, uint64_t id) {
    const struct nodes *n = tables->nodes;
    if (n == NULL)
        return true;
    if (!company_is_trusted(n) || !n->is_informed)
        return false;
    uint64_t own = nodes_weight(n->company.self, id);
    for (size_t i = 0; i < n->company.count; i++)
        if (nodes_weight(n->company.nodes[i], id) > own)
            return false;
    return true;
}

/* Whether the node was there at that time, as far as is known. */
static bool node_was_there(const struct nodes *n, uint64_t node, uint64_t then_ms) {
    for (size_t i = 0; i < n->company.count; i++)
        if (n->company.nodes[i] == node)
            return n->company_ms >= then_ms + n->company.ages_ms[i];
    return false;
}

bool nodes_were_there(const struct table *t, unsigned seat, uint64_t then_ms) {
    const struct nodes *n = t->tables->nodes;
    const struct nodes_other *other;
    if (n == NULL || t->is_online[seat])
        return true;
    LL_FOREACH(n->others, other) {
        struct nodes_place key = {.key = {other->node, t->id}}, *place;
        HASH_FIND(hh, n->places, &key.key, sizeof key.key, place);
        if (place != NULL && (place->seats & SEAT_BIT(seat)) != 0 && !node_was_there(n, other->node, then_ms))
            return false;
    }
    return true;
}

bool tables_is_shared(const struct tables *tables) {
    return tables->nodes != NULL;
}

bool tables_has_company(const struct tables *tables) {
    return tables->nodes == NULL || company_is_trusted(tables->nodes);
}

bool tables_has_lease(const struct tables *tables) {
    const struct nodes *n = tables->nodes;
    return n == NULL || (company_is_trusted(n) && n->company.has_lease);
}

/* Who is where. */

static void place_free(struct nodes *n, struct nodes_place *place) {
    HASH_DEL(n->places, place);
    mem_free(place);
}

static struct nodes_place *place_find(const struct nodes *n, uint64_t node, uint64_t table) {
    struct nodes_place key = {.key = {node, table}}, *place;
    HASH_FIND(hh, n->places, &key.key, sizeof key.key, place);
    return place;
}

void nodes_table_update(struct table *t) {
    t->is_update_due = t->request != NULL;
    if (!t->is_update_due)
        nodes_table_update_now(t);
}

void nodes_table_update_now(struct table *t) {
    const struct nodes *n = t->tables->nodes;
    const struct nodes_other *other;
    seat_set seats = 0;
    unsigned guests = 0;
    t->is_update_due = false;
    if (n == NULL)
        return;
    t->is_ahead_elsewhere = false;
    LL_FOREACH(n->others, other) {
        struct nodes_place *place = place_find(n, other->node, t->id);
        if (place == NULL)
            continue;
        if (place->version <= t->told_seq)
            place->seats = place->told;
        else
            t->is_ahead_elsewhere = true;
        seats |= place->seats;
        guests += place->guests;
    }
    table_set_elsewhere(t, seats, guests);
}

void nodes_seat_changes(struct table *t, unsigned seat) {
    const struct nodes *n = t->tables->nodes;
    const struct nodes_other *other;
    if (n == NULL)
        return;
    t->elsewhere &= ~SEAT_BIT(seat);
    LL_FOREACH(n->others, other) {
        struct nodes_place *place = place_find(n, other->node, t->id);
        if (place == NULL)
            continue;
        place->seats &= ~SEAT_BIT(seat);
        if (place->version < t->told_seq)
            place->told &= ~SEAT_BIT(seat);
        else
            t->is_ahead_elsewhere = true;
    }
}

/* What is said of a table. */
struct nodes_entry {
    uint64_t table, version;
    seat_set seats;
    unsigned guests;
};

static void place_set(struct nodes *n, uint64_t node, const struct nodes_entry *entry) {
    uint64_t table = entry->table;
    seat_set seats = entry->seats;
    unsigned guests = entry->guests;
    struct nodes_place *place = place_find(n, node, table);
    if (place == NULL && (seats != 0 || guests != 0) && HASH_COUNT(n->places) < NODES_PLACES_MAX) {
        place = mem_alloc(sizeof *place);
        place->key.node = node;
        place->key.table = table;
        HASH_ADD(hh, n->places, key, sizeof place->key, place);
    }
    if (place == NULL)
        return;
    struct table *t = tables_find(n->tables, table);
    place->version = entry->version;
    place->told = seats;
    place->guests = guests;
    place->is_old = false;
    if (seats == 0 && guests == 0)
        place_free(n, place);
    if (t != NULL)
        nodes_table_update(t);
}

static void places_begin_again(struct nodes *n, uint64_t node) {
    struct nodes_place *place, *next;
    HASH_ITER(hh, n->places, place, next) {
        if (place->key.node == node)
            place->is_old = true;
    }
}

/* Forgets who was there through a node that is lost, for which nobody is charged; or only what is old. */
static void places_drop(struct nodes *n, uint64_t node, bool is_lost) {
    struct nodes_place *place, *next;
    HASH_ITER(hh, n->places, place, next) {
        if (place->key.node != node || (!is_lost && !place->is_old))
            continue;
        struct table *t = tables_find(n->tables, place->key.table);
        place_free(n, place);
        if (t == NULL)
            continue;
        if (is_lost)
            table_clock_extend(t, STORE_NODE_LOST_MS + NODES_RETURN_MS);
        nodes_table_update(t);
    }
}

static seat_set seats_here(const struct table *t) {
    seat_set seats = 0;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        seats |= t->is_online[seat] ? SEAT_BIT(seat) : 0;
    return seats;
}

static int entry_format(const struct table *t, char *text) {
    return snprintf(text, NODES_ENTRY_BYTES, " %" PRIx64 " %" PRIx64 " %x %x", t->id, t->told_seq,
                    (unsigned)seats_here(t), t->guests > NODES_GUESTS_MAX ? NODES_GUESTS_MAX : t->guests);
}

void nodes_table_tell(const struct table *t) {
    struct nodes *n = t->tables->nodes;
    char word[1 + NODES_ENTRY_BYTES] = "p";
    if (n == NULL || n->store == NULL)
        return;
    int size = 1 + entry_format(t, word + 1);
    store_say(n->store, span_make(word, (size_t)size));
}

/* Everybody who is here, from the beginning. */
static void nodes_tell_all(struct nodes *n) {
    struct buf word = {0};
    store_say(n->store, SPAN("r"));
    for (const struct table *t = tables_newest(n->tables); t != NULL; t = table_older(t)) {
        char entry[NODES_ENTRY_BYTES];
        if (seats_here(t) == 0 && t->guests == 0)
            continue;
        int size = entry_format(t, entry);
        if (word.size + (size_t)size > STORE_WORD_BYTES_MAX) {
            store_say(n->store, buf_span(&word));
            buf_clear(&word);
        }
        if (word.size == 0)
            buf_append_byte(&word, 'p');
        buf_append(&word, span_make(entry, (size_t)size));
    }
    if (word.size > 0)
        store_say(n->store, buf_span(&word));
    store_say(n->store, SPAN("e"));
    buf_free(&word);
}

/* What the store tells. */

static struct nodes_other *other_hear(struct nodes *n, uint64_t node) {
    struct nodes_other *other;
    LL_SEARCH_SCALAR(n->others, other, node, node);
    if (other == NULL) {
        other = mem_alloc(sizeof *other);
        other->node = node;
        LL_PREPEND(n->others, other);
    }
    other->heard_ms = n->tables->now_ms;
    return other;
}

/* What waited for it is looked at now. */
static void nodes_inform(struct nodes *n) {
    bool was_informed = n->is_informed;
    n->is_informed = n->has_company;
    for (size_t i = 0; i < n->company.count && n->is_informed; i++) {
        const struct nodes_other *other;
        LL_SEARCH_SCALAR(n->others, other, node, n->company.nodes[i]);
        n->is_informed = n->company.nodes[i] == n->company.self || (other != NULL && other->is_known);
    }
    if (n->is_informed && !was_informed)
        tables_tell_company(n->tables);
}

static void entries_read(struct nodes *n, uint64_t node, struct span word) {
    struct buf text = {0};
    unsigned long long table, version;
    unsigned seats, guests;
    int used;
    buf_append(&text, word);
    const char *at = buf_text(&text);
    while (sscanf(at, " %llx %llx %x %x%n", &table, &version, &seats, &guests, &used) == 4) {
        place_set(n, node,
                  &(struct nodes_entry){table, version, (seat_set)(seats & (SEAT_BIT(SEATS_MAX) - 1)),
                                        guests > NODES_GUESTS_MAX ? NODES_GUESTS_MAX : guests});
        at += used;
    }
    buf_free(&text);
}

static void on_word(void *context, uint64_t node, struct span word) {
    struct nodes *n = context;
    if (word.size == 0)
        return;
    struct nodes_other *other = other_hear(n, node);
    switch (word.data[0]) {
    case 'h': nodes_tell_all(n); break;
    case 'r': places_begin_again(n, node); break;
    case 'p': entries_read(n, node, span_make(word.data + 1, word.size - 1)); break;
    case 'e':
        other->is_known = true;
        places_drop(n, node, false);
        nodes_inform(n);
        break;
    default: break; /* of a later version */
    }
}

static void on_missed(void *context) {
    struct nodes *n = context;
    struct nodes_other *other;
    LL_FOREACH(n->others, other) other->is_known = false;
    nodes_inform(n);
    nodes_tell_all(n);
    store_say(n->store, SPAN("h"));
}

static bool company_has(const struct store_company *company, uint64_t node) {
    for (size_t i = 0; i < company->count; i++)
        if (company->nodes[i] == node)
            return true;
    return false;
}

static void others_look_over(struct nodes *n) {
    struct nodes_other *other, *next;
    LL_FOREACH_SAFE(n->others, other, next) {
        if (company_has(&n->company, other->node) || n->tables->now_ms - other->heard_ms < STORE_NODE_LOST_MS)
            continue;
        uint64_t node = other->node;
        LL_DELETE(n->others, other);
        mem_free(other);
        places_drop(n, node, true);
    }
}

static bool company_equal(const struct store_company *a, const struct store_company *b) {
    return a->count == b->count && a->has_lease == b->has_lease &&
           memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0;
}

/* A time without company is an outage of the store, which nobody is charged for. */
static void on_company(void *context, const struct store_company *company) {
    struct nodes *n = context;
    struct tables *tables = n->tables;
    bool is_new = !company_is_trusted(n) || !company_equal(company, &n->company);
    if (n->has_company && !company_is_trusted(n))
        tables_clocks_extend(tables, tables->now_ms - n->company_ms);
    n->company = *company;
    n->has_company = true;
    n->company_ms = tables->now_ms;
    others_look_over(n);
    nodes_inform(n);
    if (!n->is_informed) /* somebody who was taken for lost is back, or has not answered yet */
        store_say(n->store, SPAN("h"));
    if (is_new)
        tables_tell_company(tables);
}

struct nodes *nodes_create(struct tables *tables, struct store *store) {
    struct nodes *n = mem_alloc(sizeof *n);
    n->tables = tables;
    n->store = store;
    store->neighbours = (struct store_neighbours){n, on_company, on_word, on_missed};
    return n;
}

void tables_store_closes(struct tables *tables) {
    static const struct store_neighbours nobody;
    if (tables->nodes == NULL)
        return;
    tables->nodes->store->neighbours = nobody;
    tables->nodes->store = NULL;
}

void nodes_free(struct nodes *n) {
    struct nodes_place *place, *next_place;
    struct nodes_other *other, *next_other;
    HASH_ITER(hh, n->places, place, next_place) {
        place_free(n, place);
    }
    LL_FOREACH_SAFE(n->others, other, next_other) mem_free(other);
    mem_free(n);
}
