/* Nodes at one store: who is there, where the lease is, and words, from every engine that can be shared. */
#include "tests.h"

#include "base/log.h"
#include "journals.h"
#include "postgres.h"

#include <semaphore.h>
#include <stdio.h>
#include <time.h>

enum { HANG_GUARD_S = 60, NODES = 2, TABLE = 21, WORDS = 1000 };

struct node {
    struct store *store;
    struct store_company company;
    unsigned companies, words, missed;
    uint64_t from; /* who said the last word */
    char last[STORE_WORD_BYTES_MAX + 1];
    uint64_t commits; /* the number of the last event that was followed */
    unsigned commits_before_word;
    enum err e;
    unsigned done_count;
};

static struct node nodes[NODES];
static sem_t woken;
static int64_t wall_ms;

static void on_wake(void *context) {
    (void)context;
    sem_post(&woken);
}

static void on_company(void *context, const struct store_company *company) {
    struct node *n = context;
    n->company = *company;
    n->companies++;
}

static void on_word(void *context, uint64_t from, struct span word) {
    struct node *n = context;
    n->words++;
    n->from = from;
    n->commits_before_word = (unsigned)n->commits;
    assert_true(span_copy(word, n->last, sizeof n->last));
}

static void on_missed(void *context) {
    ((struct node *)context)->missed++;
}

static void on_commit(void *context, uint64_t table, const struct event *events, size_t count) {
    (void)table;
    ((struct node *)context)->commits = events[count - 1].seq;
}

static void on_done(void *context, enum err e) {
    struct node *n = context;
    n->e = e;
    n->done_count++;
}

static void node_begin(struct node *n, struct store *store) {
    *n = (struct node){.store = store};
    store->wake = on_wake;
    store->neighbours = (struct store_neighbours){n, on_company, on_word, on_missed};
    store_follow(store, on_commit, n);
}

static void turn(void) {
    for (size_t i = 0; i < NODES; i++) {
        if (nodes[i].store == NULL)
            continue;
        store_work(nodes[i].store);
        store_drain(nodes[i].store);
    }
}

/* Until it is so: whatever happens wakes somebody. */
#define AWAIT(condition)                                                                                     \
    do {                                                                                                     \
        struct timespec until_;                                                                              \
        clock_gettime(CLOCK_REALTIME, &until_);                                                              \
        until_.tv_sec += HANG_GUARD_S;                                                                       \
        for (turn(); !(condition); turn())                                                                   \
            assert_int_equal(sem_timedwait(&woken, &until_), 0);                                             \
    } while (0)

static void beat(struct node *n) {
    unsigned before = n->companies;
    wall_ms += 1000;
    store_beat(n->store, wall_ms);
    AWAIT(n->companies > before);
}

static void words_are_heard(void) {
    struct node *a = &nodes[0], *b = &nodes[1];
    char text[STORE_WORD_BYTES_MAX];
    unsigned words = a->words;
    store_say(a->store, SPAN("hello there, \"b\" {1} \\ 'x'"));
    AWAIT(b->words == 1);
    assert_string_equal(b->last, "hello there, \"b\" {1} \\ 'x'");
    assert_int_equal(b->from, a->company.self);
    memset(text, 'x', sizeof text);
    store_say(a->store, span_make(text, sizeof text)); /* the longest */
    AWAIT(b->words == 2);
    assert_int_equal(strlen(b->last), sizeof text);
    for (unsigned i = 0; i < WORDS; i++) {
        int size = snprintf(text, sizeof text, "word %u", i);
        store_say(a->store, span_make(text, (size_t)size));
    }
    AWAIT(b->words == 2 + WORDS); /* in order */
    snprintf(text, sizeof text, "word %d", WORDS - 1);
    assert_string_equal(b->last, text);
    assert_int_equal(a->words, words); /* nobody hears its own */
}

/* Whoever hears a word knows what was committed before it was said. */
static void words_come_after_commits(void) {
    struct node *a = &nodes[0], *b = &nodes[1];
    struct journal j = {.table = TABLE};
    journal_setup(&j, 1000);
    journal_seat(&j, 0, "ann", 1001);
    for (unsigned i = 0; i < 2; i++) {
        unsigned words = b->words, done = a->done_count;
        store_append(a->store, &(struct store_request){.table = TABLE,
                                                       .expected_seq = i,
                                                       .events = &j.events[i],
                                                       .event_count = 1,
                                                       .done = on_done,
                                                       .context = a});
        AWAIT(a->done_count > done);
        assert_int_equal(a->e, ERR_OK);
        store_say(a->store, SPAN("done"));
        AWAIT(b->words > words);
        assert_int_equal(b->commits_before_word, i + 1);
    }
    journal_free(&j);
}

static void nodes_know_each_other(void) {
    struct node *a = &nodes[0], *b = &nodes[1];
    for (size_t i = 0; i < NODES; i++)
        beat(&nodes[i]);
    beat(a);
    assert_int_equal(a->company.count, 2);
    assert_int_equal(b->company.count, 2);
    assert_int_not_equal(a->company.self, b->company.self);
    assert_true(a->company.has_lease);
    assert_false(b->company.has_lease);
}

/* A node that ends in order leaves nobody waiting for its lease. */
static void lease_is_left(void) {
    struct node *b = &nodes[1];
    store_close(nodes[0].store);
    nodes[0].store = NULL;
    beat(b);
    assert_int_equal(b->company.count, 1);
    assert_true(b->company.has_lease);
}

static void company_is_kept(struct store *a, struct store *b) {
    sem_init(&woken, 0, 0);
    wall_ms = 1000000;
    node_begin(&nodes[0], a);
    node_begin(&nodes[1], b);
    assert_true(a->is_shared && b->is_shared);
    nodes_know_each_other();
    words_are_heard();
    words_come_after_commits();
    lease_is_left();
    store_close(b);
    sem_destroy(&woken);
}

static void memory_is_shared(void **state) {
    (void)state;
    for (int is_immediate = 0; is_immediate < 2; is_immediate++) {
        struct store *a = store_memory_open(is_immediate != 0);
        company_is_kept(a, store_memory_share(a));
    }
}

/* One more node on the database of the tests. */
static struct store *postgres_open(void) {
    char url[2 * POSTGRES_TEXT_BYTES];
    struct store *store;
    postgres_url(url, postgres.folder);
    const struct store_postgres_config config = {
        .url = url, .has_writer_thread = true, .is_alone = true, .lease = "hall"};
    assert_int_equal(store_postgres_open(&config, &store, NULL), ERR_OK);
    return store;
}

static void postgres_make(void) {
    if (!postgres_begin()) {
        printf("# skipped: %s\n", postgres.missing);
        skip();
    }
    log_set_level(LOG_ERROR);
    postgres_sql("DROP SCHEMA IF EXISTS parlor CASCADE", NULL);
}

static void postgres_is_shared(void **state) {
    (void)state;
    postgres_make();
    struct store *a = postgres_open();
    company_is_kept(a, postgres_open());
}

/* Followers who were away may have missed words, and are told so. */
static void postgres_tells_what_may_be_missed(void **state) {
    (void)state;
    postgres_make();
    sem_init(&woken, 0, 0);
    for (size_t i = 0; i < NODES; i++)
        node_begin(&nodes[i], postgres_open());
    AWAIT(nodes[0].missed > 0 && nodes[1].missed > 0); /* nobody knows what was said before */
    nodes[0].missed = nodes[1].missed = 0;
    postgres_sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%follow%'",
        NULL);
    AWAIT(nodes[0].missed > 0 && nodes[1].missed > 0);
    store_say(nodes[0].store, SPAN("again"));
    AWAIT(nodes[1].words == 1);
    for (size_t i = 0; i < NODES; i++)
        store_close(nodes[i].store);
    sem_destroy(&woken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(postgres_is_shared),
        cmocka_unit_test(postgres_tells_what_may_be_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
