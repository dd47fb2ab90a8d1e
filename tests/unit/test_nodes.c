/* Tables at several nodes that share a store: what one has opened comes to the others, who is where is known
 * to all, and one of them takes care of each table. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/receipt.h"
#include "games/paper_soccer/paper_soccer.h"
#include "host/room/room.h"
#include "host/table/internal.h"

#include <stdio.h>
#include <utlist.h>

enum { NODES = 3, BEAT_MS = 1000, TURN_MS = 5000, TABLES = 200 };

/* A server: its way to the journals that all share, and what it has been told. */
struct node {
    struct store *store;
    struct store_ops ops, memory;
    store_visit_commit *follow;
    void *follow_context;
    bool is_deaf; /* hears nothing of commits */
    bool is_lost; /* gives no sign of life */
    struct tables *tables;
    unsigned came, companies, presences, doubled, settled, refused, fetched;
    enum err why;
};

static struct node nodes[NODES];
static uint64_t now_ms;
static int64_t wall_ms;
static struct rng rng;

static struct node *node_of(const struct store *s) {
    for (size_t i = 0; i < NODES; i++)
        if (nodes[i].store == s)
            return &nodes[i];
    return NULL;
}

static void commit_heard(void *context, uint64_t table, const struct event *events, size_t count) {
    struct node *n = context;
    if (!n->is_deaf)
        n->follow(n->follow_context, table, events, count);
}

static void node_follow(struct store *s, store_visit_commit *visit, void *context) {
    struct node *n = node_of(s);
    n->follow = visit;
    n->follow_context = context;
    n->memory.follow(s, commit_heard, n);
}

static int64_t on_wall(void *context) {
    (void)context;
    return wall_ms;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&rng), out->bytes + i);
}

static void on_settled(void *context, struct table *t) {
    struct node *n = context;
    (void)t;
    n->settled++;
}

static void on_refused(void *context, struct table *t, unsigned seat, enum err why) {
    struct node *n = context;
    (void)t;
    (void)seat;
    n->refused++;
    n->why = why;
}

static void on_presence(void *context, struct table *t, unsigned seat) {
    struct node *n = context;
    (void)t;
    (void)seat;
    n->presences++;
}

static void on_doubled(void *context, struct table *t, unsigned seat) {
    struct node *n = context;
    assert_int_equal(seat, 0);
    assert_true(t->is_online[seat]);
    n->doubled++;
}

static void on_late(void *context, struct table *t) {
    (void)context;
    if (table_may_withdraw(t))
        table_withdraw(t);
}

static struct table_listener listener_of(struct node *n) {
    return (struct table_listener){.context = n,
                                   .settled = on_settled,
                                   .refused = on_refused,
                                   .late = on_late,
                                   .presence = on_presence,
                                   .doubled = on_doubled};
}

static void on_came(void *context, struct table *t) {
    struct table_listener listener = listener_of(context);
    ((struct node *)context)->came++;
    table_listen(t, &listener);
}

static void on_company(void *context) {
    ((struct node *)context)->companies++;
}

/* Until everybody has heard what there is to hear. */
static void settle(void) {
    for (int round = 0; round < 8; round++)
        for (size_t i = 0; i < NODES; i++) {
            if (nodes[i].store == NULL)
                continue;
            store_work(nodes[i].store);
            store_drain(nodes[i].store);
        }
}

/* So many seconds pass. */
static void live(unsigned seconds) {
    for (; seconds > 0; seconds--) {
        now_ms += BEAT_MS;
        wall_ms += BEAT_MS;
        for (size_t i = 0; i < NODES; i++) {
            if (nodes[i].store == NULL || nodes[i].is_lost)
                continue;
            tables_advance(nodes[i].tables, now_ms);
            tables_beat(nodes[i].tables);
        }
        settle();
    }
}

static int start(void **state) {
    (void)state;
    log_set_level(LOG_ERROR);
    memset(nodes, 0, sizeof nodes);
    rng_seed(&rng, 7);
    now_ms = 1000;
    wall_ms = 1000000;
    for (size_t i = 0; i < NODES; i++) {
        struct node *n = &nodes[i];
        n->store = i == 0 ? store_memory_open(false) : store_memory_share(nodes[0].store);
        n->memory = n->ops = *n->store->ops;
        n->ops.follow = node_follow;
        n->store->ops = &n->ops;
    }
    for (size_t i = 0; i < NODES; i++) {
        struct node *n = &nodes[i];
        n->tables = tables_create(
            &(struct tables_config){.store = n->store, .wall_ms = on_wall, .secret = on_secret});
        tables_greet(n->tables, &(struct tables_greeter){n, on_came, on_company});
    }
    live(1);
    return 0;
}

static void node_close(struct node *n) {
    tables_store_closes(n->tables);
    n->memory.close(n->store);
    tables_free(n->tables);
    n->store = NULL;
}

static int stop(void **state) {
    (void)state;
    for (size_t i = 0; i < NODES; i++)
        if (nodes[i].store != NULL)
            node_close(&nodes[i]);
    return 0;
}

static struct table *open_at(struct node *n, uint64_t id, bool has_players) {
    struct table_setup setup = {.id = id != 0 ? id : tables_new_id(n->tables),
                                .game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2),
                                .protocol = "test",
                                .turn_timeout_ms = has_players ? TURN_MS : 0};
    struct table_listener listener = listener_of(n);
    struct table *t;
    if (has_players)
        setup.names[0] = SPAN("ann"), setup.names[1] = SPAN("bob");
    assert_int_equal(table_open(n->tables, &setup, &listener, now_ms, &t), ERR_OK);
    return t;
}

static struct table *at(const struct node *n, const struct table *t) {
    return tables_find(n->tables, t->id);
}

static enum err act(struct table *t, unsigned seat, enum direction d) {
    struct action action = pitch_action(d);
    return table_act(t, seat, &action, 1, now_ms);
}

static enum err sit(struct table *t, unsigned seat, const char *name, bool is_any_seat) {
    return table_sit(t,
                     &(struct table_guest){.seat = seat, .name = span_of(name), .is_any_seat = is_any_seat},
                     NULL, 0, now_ms);
}

static uint32_t fetch_waited_ms; /* of the last */

static void fetched(void *context, enum err why) {
    assert_int_equal(why, ERR_OK);
    ((struct node *)context)->fetched++;
    fetch_waited_ms = receipt_waited_ms();
}

static void tables_come_with_all_that_was_played(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    store_work(nodes[0].store);
    store_drain(nodes[0].store);
    assert_int_equal(act(t, 0, NORTH), ERR_OK); /* before anybody has heard of the table */
    store_work(nodes[0].store);
    store_drain(nodes[1].store); /* ... and while it is being loaded */
    store_drain(nodes[0].store);
    assert_int_equal(act(t, 1, NORTH), ERR_OK);
    settle();
    for (size_t i = 1; i < NODES; i++) {
        const struct table *other = at(&nodes[i], t);
        assert_non_null(other);
        assert_int_equal(nodes[i].came, 1);
        assert_int_equal(table_version(other), table_version(t));
        assert_memory_equal(table_state(other), table_state(t), paper_soccer_game.state_size);
        assert_true(digest_equal(&other->secret, &t->secret));
    }
    assert_int_equal(act(at(&nodes[1], t), 0, NORTH), ERR_OK);
    settle();
    assert_int_equal(table_version(t), table_version(at(&nodes[2], t)));
    assert_int_equal(table_forfeit(at(&nodes[2], t), 0, REASON_RESIGNED), ERR_OK);
    settle();
    assert_int_equal(table_state_word(t), TABLE_OVER);
}

static void lists_have_one_order(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        wall_ms += (int64_t)(rng_next(&rng) % 3) - 1; /* clocks are not the same everywhere */
        open_at(&nodes[rng_next(&rng) % NODES], 0, false);
        if (rng_next(&rng) % 2 == 0)
            settle();
    }
    settle();
    const struct table *a = tables_newest(nodes[0].tables), *b = tables_newest(nodes[1].tables);
    for (int i = 0; i < 20; i++, a = table_older(a), b = table_older(b))
        assert_int_equal(a->id, b->id);
    assert_null(a);
    assert_null(b);
}

/* A notice that comes before an earlier one, or without it. */
static void gaps_are_filled(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    nodes[1].is_deaf = true;
    assert_int_equal(act(t, 0, NORTH), ERR_OK);
    settle();
    assert_int_equal(table_version(at(&nodes[1], t)) + 1, table_version(t));
    nodes[1].is_deaf = false;
    nodes[1].settled = 0;
    assert_int_equal(act(t, 1, NORTH), ERR_OK);
    settle();
    assert_int_equal(table_version(at(&nodes[1], t)), table_version(t));
    assert_int_equal(nodes[1].settled, 1);
}

static void what_is_fetched_is_as_new_as_its_journal(void **state) {
    (void)state;
    struct node *n = &nodes[1];
    struct table *t = open_at(&nodes[0], 0, true), *over = open_at(&nodes[0], 0, true);
    n->is_deaf = true;
    settle();
    assert_null(at(n, t));
    assert_non_null(tables_fetch(n->tables, t->id, fetched, n));
    assert_int_equal(n->fetched, 0); /* later */
    settle();
    assert_int_equal(n->fetched, 1);
    assert_int_equal(table_version(at(n, t)), table_version(t));
    assert_int_equal(act(t, 0, NORTH), ERR_OK); /* one that is here, and old */
    settle();
    assert_true(table_version(at(n, t)) < table_version(t));
    assert_non_null(tables_fetch(n->tables, t->id, fetched, n));
    settle();
    assert_int_equal(n->fetched, 2);
    assert_int_equal(table_version(at(n, t)), table_version(t));
    assert_non_null(tables_fetch(n->tables, 12345678, fetched, n)); /* there is none */
    assert_int_equal(table_forfeit(over, 0, REASON_RESIGNED), ERR_OK);
    settle();
    assert_non_null(tables_fetch(n->tables, over->id, fetched, n)); /* one that is over does not come */
    tables_fetch_forget(tables_fetch(n->tables, t->id, fetched, n));
    settle();
    assert_int_equal(n->fetched, 4);
    assert_null(tables_find(n->tables, 12345678));
    assert_null(at(n, over));
    tables_fetch(n->tables, t->id, fetched, n); /* whoever ends meanwhile leaves nothing behind */
}

static uint32_t in_the_kernel(const void *context) {
    return *(const uint32_t *)context;
}

/* What waits for a table to come, or to be as new as its journal, arrived before that: no clock charges it.
 */
static void the_wait_for_a_table_is_known(void **state) {
    (void)state;
    const uint32_t before_ms = 300;
    struct node *n = &nodes[1];
    struct table *t = open_at(&nodes[0], 0, true);
    n->is_deaf = true;
    settle();
    for (int i = 0; i < 2; i++) { /* one that is not here, and then one that is */
        int64_t since_ms = wall_ms;
        receipt_begin(in_the_kernel, &before_ms);
        assert_non_null(tables_fetch(n->tables, t->id, fetched, n));
        receipt_end();
        wall_ms += 700;
        settle();
        assert_int_equal(n->fetched, i + 1);
        assert_true(fetch_waited_ms >= before_ms + 700);
        assert_true(fetch_waited_ms <= before_ms + (uint32_t)(wall_ms - since_ms));
        assert_int_equal(receipt_waited_ms(), 0); /* and is nobody else's */
    }
}

static void presence_is_known_everywhere(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    table_set_online(t, 0, true);
    table_set_guests(t, 3);
    settle();
    for (size_t i = 1; i < NODES; i++) {
        const struct table *other = at(&nodes[i], t);
        assert_true(table_is_online(other, 0) && table_is_online_elsewhere(other, 0));
        assert_false(table_is_online(other, 1));
        assert_int_equal(table_guests_elsewhere(other), 3);
        assert_int_equal(nodes[i].presences, 1);
    }
    assert_false(table_is_online_elsewhere(t, 0));
    store_say(nodes[2].store, SPAN("h")); /* all tell everything again, and nothing has changed by it */
    settle();
    assert_int_equal(nodes[1].presences, 1);
    assert_int_equal(nodes[2].presences, 1);
    table_set_online(at(&nodes[1], t), 0, true); /* at two nodes; one of them is enough */
    table_set_online(t, 0, false);
    settle();
    assert_true(table_is_online(t, 0) && table_is_online(at(&nodes[2], t), 0));
    table_set_online(at(&nodes[1], t), 0, false);
    settle();
    assert_false(table_is_online(t, 0) || table_is_online(at(&nodes[2], t), 0));
    assert_int_equal(nodes[2].presences, 2);
}

/* The one who has gone may have gone because of what is still on its way here. */
static void presence_waits_for_the_request(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true), *other;
    settle();
    other = at(&nodes[1], t);
    table_set_online(t, 0, true);
    settle();
    assert_int_equal(act(other, 0, NORTH), ERR_OK);
    table_set_online(t, 0, false);
    store_drain(nodes[1].store); /* the word is here, the commit is not */
    assert_true(table_is_online(other, 0));
    settle();
    assert_false(table_is_online(other, 0));
}

/* A player who vanished from a node that was cut off sits at another one: each learns of the other when they
 * hear of each other again, once. */
static void a_seat_that_is_taken_at_two_nodes_is_told(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    table_set_online(t, 0, true);
    live(1);
    nodes[0].is_lost = true; /* and is forgotten */
    live(2 * STORE_NODE_LOST_MS / BEAT_MS);
    assert_false(table_is_online(at(&nodes[1], t), 0));
    assert_int_equal(nodes[0].doubled + nodes[1].doubled + nodes[2].doubled, 0);
    table_set_online(at(&nodes[1], t), 0, true);
    nodes[0].is_lost = false;
    live(4);
    assert_int_equal(nodes[0].doubled, 1);
    assert_int_equal(nodes[1].doubled, 1);
    assert_int_equal(nodes[2].doubled, 0); /* where nobody is */
    nodes[2].presences = 0;
    table_set_online(t, 0, false);
    live(2);
    assert_int_equal(nodes[0].doubled, 1);
    assert_true(table_is_online(t, 0));
    assert_int_equal(nodes[2].presences, 0); /* the player was there all the time */
}

static void words_may_be_anything(void **state) {
    (void)state;
    static const char *const words[] = {
        "",       "p",           "p ", "p x y z", "p 1",         "p 1 2", "q",
        "p -1 f", "p 5 ffff 99", "e",  "r r r r", "p 1 1 1 2 3", "\xff",  "p ffffffffffffffffffff f f"};
    char text[STORE_WORD_BYTES_MAX + 1];
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        store_say(nodes[1].store, span_of(words[i]));
    memset(text, 'p', sizeof text);
    store_say(nodes[1].store, span_make(text, STORE_WORD_BYTES_MAX));
    int size = snprintf(text, sizeof text, "p %llx 1 ffffffff ffffffff", (unsigned long long)t->id);
    store_say(nodes[1].store, span_make(text, (size_t)size));
    settle();
    assert_true(table_is_online(t, 0) && table_is_online(t, 1)); /* more seats than there are */
    assert_true(table_guests_elsewhere(t) < 100000);
    store_say(nodes[1].store, SPAN("r")); /* whoever tells nothing has nobody */
    store_say(nodes[1].store, SPAN("e"));
    settle();
    assert_false(table_is_online(t, 0) || table_is_online(t, 1));
    assert_int_equal(table_guests_elsewhere(t), 0);
}

static size_t carers(uint64_t id) {
    size_t count = 0;
    for (size_t i = 0; i < NODES; i++)
        if (nodes[i].store != NULL && !nodes[i].is_lost)
            count += table_is_cared(tables_find(nodes[i].tables, id));
    return count;
}

static size_t cared_of(const struct node *n) {
    size_t count = 0;
    for (const struct table *t = tables_newest(n->tables); t != NULL; t = table_older(t))
        count += table_is_cared(t);
    return count;
}

static void one_node_takes_care_of_each_table(void **state) {
    (void)state;
    uint64_t ids[TABLES];
    for (size_t i = 0; i < TABLES; i++) {
        ids[i] = open_at(&nodes[i % NODES], 0, false)->id;
        settle();
    }
    for (size_t i = 0; i < TABLES; i++)
        assert_int_equal(carers(ids[i]), 1);
    for (size_t i = 0; i < NODES; i++)
        assert_true(cared_of(&nodes[i]) > TABLES / NODES / 2);
    nodes[1].is_lost = true;
    size_t before = cared_of(&nodes[0]), companies = nodes[0].companies;
    live(STORE_NODE_LOST_MS / BEAT_MS + 1);
    for (size_t i = 0; i < TABLES; i++)
        assert_int_equal(carers(ids[i]), 1);
    assert_true(cared_of(&nodes[0]) > before); /* and those that it had it has still */
    assert_true(nodes[0].companies > companies);
    nodes[1].is_lost = false;
    live(2);
    for (size_t i = 0; i < TABLES; i++)
        assert_int_equal(carers(ids[i]), 1);
    assert_int_equal(cared_of(&nodes[0]), before);
}

static void nobody_who_is_cut_off_takes_care(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, false);
    settle();
    for (size_t i = 0; i < NODES; i++) {
        tables_advance(nodes[i].tables, now_ms + 10 * BEAT_MS); /* without a sign of life */
        assert_false(table_is_cared(at(&nodes[i], t)));
        assert_false(tables_has_lease(nodes[i].tables));
    }
}

static void clocks_strike_at_one_node(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    uint64_t version = table_version(t);
    live(TURN_MS / BEAT_MS + 2);
    for (size_t i = 0; i < NODES; i++) {
        const struct table *other = at(&nodes[i], t);
        assert_int_equal(table_state_word(other), TABLE_OVER);
        assert_int_equal(table_version(other), version + 2); /* the time-out, and the result */
    }
}

static void the_time_of_an_outage_is_charged_to_nobody(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    for (size_t i = 0; i < NODES; i++) /* nobody can say that it lives */
        tables_advance(nodes[i].tables, now_ms + 20 * BEAT_MS);
    now_ms += 20 * BEAT_MS;
    live(2);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    live(TURN_MS / BEAT_MS + 2);
    assert_int_equal(table_state_word(t), TABLE_OVER);
}

/* Also when the time was over before the loss was noticed. */
static void players_of_a_lost_node_have_time_to_return(void **state) {
    (void)state;
    for (unsigned played_s = 0; played_s < TURN_MS / BEAT_MS - 1; played_s++) {
        struct table *t = open_at(&nodes[0], 0, true);
        settle();
        table_set_online(at(&nodes[2], t), 0, true);
        live(played_s);
        nodes[2].is_lost = true;
        live(STORE_NODE_LOST_MS / BEAT_MS);
        assert_true(table_is_online(t, 0));
        live(1);
        assert_false(table_is_online(t, 0));
        live(TURN_MS / BEAT_MS - played_s - 1);
        assert_int_equal(table_state_word(t), TABLE_RUNNING);
        live(4);
        assert_int_equal(table_state_word(t), TABLE_OVER);
        nodes[2].is_lost = false;
        live(2);
    }
}

static void clocks_strike_for_players_elsewhere(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    settle();
    for (size_t i = 0; i < NODES; i++)
        table_set_online(at(&nodes[i], t), 0, i != 1);
    live(TURN_MS / BEAT_MS - 1);
    assert_int_equal(table_state_word(t), TABLE_RUNNING);
    live(3);
    assert_int_equal(table_state_word(t), TABLE_OVER);
}

static size_t leases(void) {
    size_t count = 0;
    for (size_t i = 0; i < NODES; i++)
        count += nodes[i].store != NULL && !nodes[i].is_lost && tables_has_lease(nodes[i].tables);
    return count;
}

static void the_lease_is_at_one_node(void **state) {
    (void)state;
    assert_int_equal(leases(), 1);
    assert_true(tables_has_lease(nodes[0].tables));
    live(10);
    assert_true(tables_has_lease(nodes[0].tables) && leases() == 1);
    nodes[0].is_lost = true;
    live(STORE_NODE_LOST_MS / BEAT_MS + 1);
    assert_int_equal(leases(), 1);
    nodes[0].is_lost = false;
    live(2);
    assert_int_equal(leases(), 1);
    assert_false(tables_has_lease(nodes[0].tables));
}

static void any_seat_is_another_one_when_it_is_taken(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, false), *same = open_at(&nodes[0], 0, false);
    settle();
    assert_int_equal(sit(t, 0, "ann", true), ERR_OK);
    assert_int_equal(sit(at(&nodes[1], t), 0, "bob", true), ERR_OK);
    settle();
    assert_int_equal(table_free_seats(t), 0);
    assert_string_equal(table_name(at(&nodes[1], t), 1), "bob");
    assert_int_equal(nodes[1].refused, 0);
    assert_int_equal(sit(same, 0, "ann", true), ERR_OK); /* but nobody sits there twice */
    assert_int_equal(sit(at(&nodes[1], same), 0, "ann", true), ERR_OK);
    settle();
    assert_int_equal(table_free_seats(same), 1);
    assert_int_equal(nodes[1].refused, 1);
    assert_int_equal(nodes[1].why, ERR_SEAT_TAKEN);
}

static void an_id_is_opened_once(void **state) {
    (void)state;
    uint64_t id = tables_new_id(nodes[0].tables);
    struct table *t = open_at(&nodes[0], id, true);
    open_at(&nodes[1], id, true);
    settle();
    struct table *other = tables_find(nodes[1].tables, id);
    assert_non_null(other);
    assert_true(digest_equal(&other->fold.last_hash, &t->fold.last_hash));
    assert_int_equal(act(other, 0, NORTH), ERR_OK);
    settle();
    assert_int_equal(table_version(t), table_version(other));
}

static void a_node_may_end_while_others_go_on(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[1], 0, true);
    settle();
    table_set_online(t, 0, true);
    uint64_t id = t->id;
    node_close(&nodes[1]);
    live(STORE_NODE_LOST_MS / BEAT_MS + 1);
    t = tables_find(nodes[0].tables, id);
    assert_int_equal(act(t, 0, NORTH), ERR_OK);
    settle();
    assert_int_equal(table_version(tables_find(nodes[2].tables, id)), table_version(t));
    assert_int_equal(carers(id), 1);
}

/* Rooms. */

struct place {
    struct room room;
    unsigned adopted, fetched, given_up;
    bool has_table;
};

static void place_told(struct room *room, const struct room_notice *n) {
    struct place *p = (struct place *)(void *)room;
    p->adopted += n->kind == ROOM_ADOPTED;
    p->given_up += n->kind == ROOM_GIVEN_UP;
    if (n->kind == ROOM_FETCHED) {
        p->fetched++;
        p->has_table = n->table != NULL;
    }
}

static void places_begin(struct place places[2]) {
    memset(places, 0, 2 * sizeof *places);
    for (size_t i = 0; i < 2; i++) {
        room_begin(&places[i].room,
                   &(struct room_policy){.protocol = "test",
                                         .game = &paper_soccer_game,
                                         .member_bytes = sizeof(struct room_member),
                                         .table_bytes = sizeof(struct room_table),
                                         .counts_guests = true,
                                         .tell = place_told},
                   nodes[i].tables);
        room_advance(&places[i].room, now_ms);
    }
}

/* Two nodes that both take care of a championship open the same table: one of them has it, and both play it.
 */
static void rooms_open_one_table(void **state) {
    (void)state;
    static struct place places[2];
    struct room_table *opened;
    places_begin(places);
    uint64_t id = tables_new_id(nodes[0].tables);
    for (size_t i = 0; i < 2; i++) {
        struct table_setup setup = {.id = id,
                                    .game = &paper_soccer_game,
                                    .options = game_options_default(&paper_soccer_game, 2),
                                    .is_fixed = true};
        assert_int_equal(room_open(&places[i].room, &setup, NULL, &opened), ERR_OK);
        assert_int_equal(opened->id, id);
    }
    settle();
    assert_int_equal(places[0].adopted + places[1].adopted, 1);
    for (size_t i = 0; i < 2; i++) {
        const struct room_table *rt = room_table_of(&places[i].room, id);
        assert_non_null(rt);
        assert_false(rt->is_opening);
        assert_false(table_is_busy(rt->table));
        assert_int_equal(places[i].room.opening_count, 0);
        assert_int_equal(places[i].room.own_count, 1);
    }
    struct table *here = tables_find(nodes[0].tables, id), *there = tables_find(nodes[1].tables, id);
    assert_int_equal(sit(there, 0, "ann", false), ERR_OK);
    settle();
    assert_string_equal(table_name(here, 0), "ann");
    for (size_t i = 0; i < 2; i++)
        room_end(&places[i].room);
    settle();
}

static void rooms_meet(void **state) {
    (void)state;
    static struct place places[2];
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2)};
    struct room_table *first, *second;
    char code[TABLE_CODE_CHARS + 1];
    places_begin(places);
    const struct address nobody = {{0}};
    struct room_member *m = room_member_add(&places[1].room);
    assert_int_equal(room_open(&places[0].room, &setup, NULL, &first), ERR_OK);
    store_work(nodes[0].store);
    store_drain(nodes[0].store);
    table_code_format(first->id, code);
    assert_null(room_find(&places[1].room, span_of(code), &nobody)); /* it has not come yet */
    assert_true(room_fetch(m, span_of(code), &nobody));
    assert_false(room_member_may_speak(m));
    settle();
    assert_true(places[1].adopted == 1 && places[1].fetched == 1 && places[1].has_table);
    assert_true(room_member_may_speak(m));
    assert_false(room_fetch(m, SPAN("no code"), &nobody));
    assert_true(room_fetch(m, SPAN("ZZZZZ"), &nobody));
    settle();
    assert_false(places[1].has_table);

    struct room_table *there = room_find(&places[1].room, span_of(code), &nobody);
    room_member_come(m, there); /* who waits there without a seat is known here */
    settle();
    assert_int_equal(table_guests_elsewhere(first->table), 1);
    assert_false(room_is_forsaken(first));
    setup.id = 0;
    wall_ms++;
    assert_int_equal(room_open(&places[1].room, &setup, NULL, &second), ERR_OK);
    settle();
    const struct room_table *here = room_table_of(&places[0].room, second->id);
    assert_true(room_table_is_older(first, here) && room_table_is_older(there, second));
    room_fetch(m, SPAN("ZZZZZ"), &nobody);
    for (size_t i = 0; i < 2; i++)
        room_end(&places[i].room);
    settle();
}

/* So many seconds pass, for the room too. */
static void live_in(struct place *place, unsigned seconds) {
    for (; seconds > 0; seconds--) {
        live(1);
        room_advance(&place->room, now_ms);
    }
}

/* A player is away when the database goes, too. */
static void grace_is_not_used_up_by_an_outage(void **state) {
    enum { GRACE_S = 10, OUTAGE_S = 60 };
    static struct place place;
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2)};
    struct room_table *rt;
    (void)state;
    memset(&place, 0, sizeof place);
    node_close(&nodes[1]); /* so that the first one takes care */
    node_close(&nodes[2]);
    live(5);
    room_begin(&place.room,
               &(struct room_policy){.protocol = "test",
                                     .game = &paper_soccer_game,
                                     .member_bytes = sizeof(struct room_member),
                                     .table_bytes = sizeof(struct room_table),
                                     .grace_ms = GRACE_S * BEAT_MS,
                                     .tell = place_told},
               nodes[0].tables);
    room_advance(&place.room, now_ms);
    assert_int_equal(room_open(&place.room, &setup, NULL, &rt), ERR_OK);
    settle();
    struct room_member *m = room_member_add(&place.room);
    room_member_come(m, rt);
    assert_int_equal(room_sit(m, &(struct table_guest){.seat = 0, .name = SPAN("guest")}), ERR_OK);
    settle();
    room_enter(&place.room, now_ms);
    room_member_leave(m);
    room_exit(&place.room);
    live_in(&place, GRACE_S / 2);
    now_ms += OUTAGE_S * BEAT_MS; /* without a sign of life */
    tables_advance(nodes[0].tables, now_ms);
    room_advance(&place.room, now_ms);
    live_in(&place, GRACE_S / 2 - 1);
    assert_int_equal(place.given_up, 0);
    live_in(&place, OUTAGE_S + GRACE_S);
    assert_int_equal(place.given_up, 1);
    room_end(&place.room);
    settle();
}

#define NODES_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

/* Its owner is gone before the set-up is on disk: then nobody here knows of it, and it comes as if another
 * node had opened it. */
static void a_table_that_was_left_while_it_was_opened_comes(void **state) {
    (void)state;
    struct table *t = open_at(&nodes[0], 0, true);
    table_disown(t);
    assert_int_equal(nodes[0].came, 0);
    settle();
    for (size_t i = 0; i < NODES; i++)
        assert_int_equal(nodes[i].came, 1);
    assert_int_equal(act(t, 0, NORTH), ERR_OK);
    settle();
    assert_int_equal(nodes[0].came, 1); /* once */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NODES_TEST(tables_come_with_all_that_was_played),
        NODES_TEST(lists_have_one_order),
        NODES_TEST(gaps_are_filled),
        NODES_TEST(what_is_fetched_is_as_new_as_its_journal),
        NODES_TEST(the_wait_for_a_table_is_known),
        NODES_TEST(presence_is_known_everywhere),
        NODES_TEST(presence_waits_for_the_request),
        NODES_TEST(a_seat_that_is_taken_at_two_nodes_is_told),
        NODES_TEST(words_may_be_anything),
        NODES_TEST(one_node_takes_care_of_each_table),
        NODES_TEST(nobody_who_is_cut_off_takes_care),
        NODES_TEST(clocks_strike_at_one_node),
        NODES_TEST(the_time_of_an_outage_is_charged_to_nobody),
        NODES_TEST(players_of_a_lost_node_have_time_to_return),
        NODES_TEST(clocks_strike_for_players_elsewhere),
        NODES_TEST(the_lease_is_at_one_node),
        NODES_TEST(any_seat_is_another_one_when_it_is_taken),
        NODES_TEST(an_id_is_opened_once),
        NODES_TEST(a_table_that_was_left_while_it_was_opened_comes),
        NODES_TEST(a_node_may_end_while_others_go_on),
        NODES_TEST(rooms_open_one_table),
        NODES_TEST(rooms_meet),
        NODES_TEST(grace_is_not_used_up_by_an_outage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
