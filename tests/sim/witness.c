/* Who was told what. Everything that the server says about a table is a fact; all who are told facts about
 * one table are told the same ones in the same order, and what is told about a journalled table follows from
 * its journal, whatever happened to the server in between. */
#include "sim.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <uthash.h>

enum { LISTENERS_MAX = 8 }; /* of one table: players, or seats and a watcher */

struct listener_facts {
    size_t listener;
    char **texts;
    size_t count, capacity;
};

struct table_facts {
    uint64_t table;
    UT_hash_handle hh;
    const struct sim_dialect *dialect;
    bool is_journalled;
    bool is_unchecked; /* something was told since it was looked at last */
    struct listener_facts listeners[LISTENERS_MAX];
    size_t listener_count;
};

struct witness {
    struct table_facts *tables;
    struct sim_fact expected[SIM_FACTS_MAX];
};

struct witness *witness_create(void) {
    struct witness *w = calloc(1, sizeof *w);
    assert(w != NULL);
    return w;
}

void witness_free(struct witness *w) {
    struct table_facts *t, *next;
    HASH_ITER(hh, w->tables, t, next) {
        for (size_t i = 0; i < t->listener_count; i++) {
            for (size_t k = 0; k < t->listeners[i].count; k++)
                free(t->listeners[i].texts[k]);
            free(t->listeners[i].texts);
        }
        HASH_DEL(w->tables, t);
        free(t);
    }
    free(w);
}

static struct table_facts *table_get(struct witness *w, const struct sim_dialect *dialect, uint64_t table,
                                     bool is_journalled) {
    struct table_facts *t;
    HASH_FIND(hh, w->tables, &table, sizeof table, t);
    if (t != NULL)
        return t;
    t = calloc(1, sizeof *t);
    assert(t != NULL);
    t->table = table;
    t->dialect = dialect;
    t->is_journalled = is_journalled;
    HASH_ADD(hh, w->tables, table, sizeof t->table, t);
    return t;
}

static struct listener_facts *listener_get(struct table_facts *t, size_t listener) {
    size_t i = 0;
    while (i < t->listener_count && t->listeners[i].listener != listener)
        i++;
    assert(i < LISTENERS_MAX);
    if (i == t->listener_count)
        t->listeners[t->listener_count++] = (struct listener_facts){.listener = listener};
    return &t->listeners[i];
}

void sim_told(struct sim *sim, const struct sim_dialect *dialect, size_t listener, uint64_t table,
              bool is_journalled, const char *text) {
    struct table_facts *t = table_get(sim->witness, dialect, table, is_journalled);
    struct listener_facts *l = listener_get(t, listener);
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 16 : 2 * l->capacity;
        l->texts = realloc(l->texts, l->capacity * sizeof *l->texts);
        assert(l->texts != NULL);
    }
    char *copy = strdup(text);
    assert(copy != NULL);
    l->texts[l->count++] = copy;
    t->is_unchecked = true;
    sim->counts.facts_told++;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(table, code);
    sim_trace(sim, "listener %zu of table %s is told: %s", listener, code, text);
}

/* The listeners who heard less heard the beginning of what the others heard. */
static void check_agreement(struct sim *sim, const struct table_facts *t) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->table, code);
    for (size_t i = 1; i < t->listener_count; i++) {
        const struct listener_facts *a = &t->listeners[0], *b = &t->listeners[i];
        for (size_t k = 0; k < a->count && k < b->count; k++)
            if (strcmp(a->texts[k], b->texts[k]) != 0) {
                sim_fail(sim, "table %s: fact %zu is '%s' for listener %zu and '%s' for listener %zu", code,
                         k, a->texts[k], a->listener, b->texts[k], b->listener);
                return;
            }
    }
}

static bool fact_is(const struct sim_fact *fact, const char *text) {
    return fact->is_beginning ? strncmp(fact->text, text, strlen(fact->text)) == 0
                              : strcmp(fact->text, text) == 0;
}

/* Every fact in its order; only optional ones of the journal may have gone untold in between. */
static void check_listener(struct sim *sim, const struct table_facts *t, const struct listener_facts *l,
                           const struct sim_fact *expected, size_t expected_count) {
    size_t at = 0;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->table, code);
    for (size_t k = 0; k < l->count; k++) {
        while (at < expected_count && !fact_is(&expected[at], l->texts[k]) && expected[at].is_optional)
            at++;
        if (at == expected_count || !fact_is(&expected[at], l->texts[k])) {
            sim_fail(sim, "table %s: listener %zu was told '%s', but the journal has %s%s%s", code,
                     l->listener, l->texts[k], at == expected_count ? "nothing more" : "'",
                     at == expected_count ? "" : expected[at].text, at == expected_count ? "" : "'");
            return;
        }
        at++;
        sim->counts.facts_checked++;
    }
}

static bool copy_event(void *context, uint64_t table, const struct event *event) {
    struct journal_copy *j = context;
    (void)table;
    if (j->count == j->capacity) {
        j->capacity = j->capacity == 0 ? 64 : 2 * j->capacity;
        j->events = realloc(j->events, j->capacity * sizeof *j->events);
        assert(j->events != NULL);
    }
    if (j->bodies_size + event->body.size + 1 > j->bodies_capacity) {
        j->bodies_capacity = 2 * (j->bodies_size + event->body.size + 1);
        j->bodies = realloc(j->bodies, j->bodies_capacity);
        assert(j->bodies != NULL);
    }
    j->events[j->count++] = *event;
    if (event->body.size > 0)
        memcpy(j->bodies + j->bodies_size, event->body.data, event->body.size);
    j->bodies_size += event->body.size;
    return true;
}

bool journal_copy_read(struct sim *sim, uint64_t table, struct journal_copy *j) {
    *j = (struct journal_copy){0};
    if (store_read(sim->store, table, 1, copy_event, j) != ERR_OK) {
        sim_fail(sim, "the journal of a table cannot be read");
        journal_copy_free(j);
        return false;
    }
    const char *body = j->bodies;
    for (size_t i = 0; i < j->count; i++) { /* they may have moved while it grew */
        j->events[i].body.data = body;
        body += j->events[i].body.size;
    }
    return true;
}

void journal_copy_free(struct journal_copy *j) {
    free(j->events);
    free(j->bodies);
    *j = (struct journal_copy){0};
}

static void check_table(struct sim *sim, struct table_facts *t) {
    struct sim_fact *expected = sim->witness->expected;
    size_t count = 0;
    struct journal_copy journal;
    t->is_unchecked = false;
    check_agreement(sim, t);
    if (!t->is_journalled || !journal_copy_read(sim, t->table, &journal))
        return;
    t->dialect->expected(journal.events, journal.count, expected, &count);
    journal_copy_free(&journal);
    for (size_t i = 0; i < t->listener_count; i++)
        check_listener(sim, t, &t->listeners[i], expected, count);
    for (size_t i = 0; i < count; i++)
        free(expected[i].text);
    sim->counts.tables_checked++;
}

void witness_check(struct sim *sim) {
    struct table_facts *t, *next;
    HASH_ITER(hh, sim->witness->tables, t, next) {
        if (t->is_unchecked && !sim->has_failed)
            check_table(sim, t);
    }
}

void witness_recheck(struct sim *sim) {
    struct table_facts *t, *next;
    HASH_ITER(hh, sim->witness->tables, t, next) {
        t->is_unchecked = true;
    }
}
