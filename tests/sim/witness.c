/* Who was told what. Everything that the server says about a table is a fact; all who are told facts about
 * one table are told the same ones in the same order, and what is told about a journalled table follows from
 * its journal, whatever happened to the server in between.
 *
 * At tables to which people come back a listener is one stay: it is shown the table as it is, and from there
 * on told everything, but for what happens in a pause of the protocol: after it the listener is told how the
 * table is then. What was to be told is made from the journal as it grows, so that a long journal is not
 * read anew with every look; when a crash took events that nobody was told of, it is made anew. */
#include "sim.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <uthash.h>

/* What somebody who comes is told first, and what is told next. */
struct sim_view {
    size_t line_count;
    uint64_t hash; /* of the facts of those lines */
    size_t next;   /* fact */
};

/* What was to be told about a table, as far as its journal was looked at. */
struct sim_telling {
    struct fold fold;
    struct game_state *before, *after; /* of the step */
    size_t event_count;
    struct sim_fact *facts;
    size_t fact_count, fact_capacity;
    struct sim_view *views;
    size_t view_count, view_capacity;
};

enum telling_kind { TOLD_WHOLE, TOLD_IN_PAUSE, TOLD_BEGINNING };

struct told {
    char *text;
    bool is_in_pause;
    bool is_beginning; /* others may be told more */
};

struct listener_facts {
    size_t listener;
    struct told *told;
    size_t count, capacity;
};

/* Several protocols may speak of a table, each in its own words. */
struct facts_key {
    uint64_t table;
    const struct sim_dialect *dialect;
};

struct table_facts {
    struct facts_key key;
    UT_hash_handle hh;
    uint64_t table;
    const struct sim_dialect *dialect;
    bool is_journalled;
    bool is_unchecked; /* something was told since it was looked at last */
    struct listener_facts *listeners;
    size_t listener_count, listener_capacity;
    struct sim_telling *telling; /* NULL: not looked at yet, or of a dialect without tells */
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

static const uint64_t hash_begin = 0xcbf29ce484222325u;

static uint64_t hash_text(uint64_t hash, struct span text) {
    for (size_t i = 0; i < text.size; i++)
        hash = (hash ^ (uint8_t)text.data[i]) * 0x100000001b3u;
    return hash;
}

void sim_fact_text(struct span line, char text[SIM_FACT_BYTES_MAX]) {
    enum { SHOWN = 120 };
    snprintf(text, SIM_FACT_BYTES_MAX, "%.*s #%016llx", line.size < SHOWN ? (int)line.size : SHOWN, line.data,
             (unsigned long long)hash_text(hash_begin, line));
}

/* Room for one more of the things in an array that grows. */
static void *grown(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    *capacity = *capacity == 0 ? 16 : 2 * *capacity;
    array = realloc(array, *capacity * size);
    assert(array != NULL);
    return array;
}

void telling_add(struct sim_telling *t, const char *text, bool is_optional) {
    char *copy = strdup(text);
    assert(copy != NULL);
    t->facts = grown(t->facts, t->fact_count, &t->fact_capacity, sizeof *t->facts);
    t->facts[t->fact_count++] = (struct sim_fact){.text = copy, .is_optional = is_optional};
}

void telling_add_state(struct sim_telling *t, const char *text) {
    if (t->fact_count == 0 || strcmp(t->facts[t->fact_count - 1].text, text) != 0)
        telling_add(t, text, false);
}

static void view_add(struct sim_telling *t, struct sim_view view) {
    t->views = grown(t->views, t->view_count, &t->view_capacity, sizeof *t->views);
    t->views[t->view_count++] = view;
}

void telling_view(struct sim_telling *t, struct span lines) {
    struct sim_view view = {.hash = hash_begin, .next = t->fact_count};
    while (lines.size > 0) {
        char text[SIM_FACT_BYTES_MAX];
        const char *end = memchr(lines.data, '\n', lines.size);
        size_t size = end == NULL ? lines.size : (size_t)(end - lines.data);
        sim_fact_text(span_make(lines.data, size), text);
        view.hash = hash_text(view.hash, span_of(text));
        view.line_count++;
        size += end != NULL;
        lines = span_make(lines.data + size, lines.size - size);
    }
    view_add(t, view);
}

void telling_view_fact(struct sim_telling *t, const char *text) {
    view_add(t, (struct sim_view){1, hash_text(hash_begin, span_of(text)), t->fact_count});
}

static struct sim_telling *telling_create(uint64_t table) {
    struct sim_telling *t = calloc(1, sizeof *t);
    assert(t != NULL);
    fold_init(&t->fold, table);
    return t;
}

static void telling_free(struct sim_telling *t) {
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->fact_count; i++)
        free(t->facts[i].text);
    free(t->facts);
    free(t->views);
    free(t->before);
    free(t->after);
    counted_pause(true);
    fold_free(&t->fold);
    counted_pause(false);
    free(t);
}

/* The actions of an event one by one. */
static void telling_actions(struct sim_telling *t, const struct sim_dialect *dialect, struct sim_step *step) {
    static struct event_action action;
    const struct game *game = t->fold.game;
    if (event_action_read(step->event->body, &action) != ERR_OK)
        return;
    memcpy(t->after, t->before, game->state_size);
    step->seat = action.seat;
    step->before = t->before;
    step->state = t->after;
    for (size_t i = 0; i < action.action_count; i++) {
        memcpy(t->before, t->after, game->state_size);
        game->apply(t->after, action.seat, &action.actions[i]);
        step->action = &action.actions[i];
        step->is_last = i + 1 == action.action_count;
        dialect->tells(t, step);
    }
}

static bool telling_event(struct sim_telling *t, const struct sim_dialect *dialect,
                          const struct event *event) {
    struct sim_step step = {.fold = &t->fold, .event = event, .is_last = true};
    bool has_state = t->fold.state != NULL;
    if (has_state)
        memcpy(t->before, t->fold.state, t->fold.game->state_size);
    if (fold_event(&t->fold, event) != ERR_OK)
        return false;
    t->event_count++;
    if (!has_state) {
        t->before = malloc(t->fold.game->state_size);
        t->after = malloc(t->fold.game->state_size);
        assert(t->before != NULL && t->after != NULL);
    }
    if (event->kind == EVENT_ACTION || event->kind == EVENT_CHANCE) {
        telling_actions(t, dialect, &step);
        return true;
    }
    step.before = has_state ? t->before : NULL;
    step.state = t->fold.state;
    dialect->tells(t, &step);
    return true;
}

void witness_free(struct witness *w) {
    struct table_facts *t, *next;
    HASH_ITER(hh, w->tables, t, next) {
        for (size_t i = 0; i < t->listener_count; i++) {
            for (size_t k = 0; k < t->listeners[i].count; k++)
                free(t->listeners[i].told[k].text);
            free(t->listeners[i].told);
        }
        free(t->listeners);
        telling_free(t->telling);
        HASH_DEL(w->tables, t);
        free(t);
    }
    free(w);
}

static struct table_facts *table_get(struct witness *w, const struct sim_dialect *dialect, uint64_t table,
                                     bool is_journalled) {
    struct table_facts *t;
    struct facts_key key = {table, dialect};
    HASH_FIND(hh, w->tables, &key, sizeof key, t);
    if (t != NULL)
        return t;
    t = calloc(1, sizeof *t);
    assert(t != NULL);
    t->key = key;
    t->table = table;
    t->dialect = dialect;
    t->is_journalled = is_journalled;
    HASH_ADD(hh, w->tables, key, sizeof t->key, t);
    return t;
}

static struct listener_facts *listener_get(struct table_facts *t, size_t listener) {
    size_t i = 0;
    while (i < t->listener_count && t->listeners[i].listener != listener)
        i++;
    t->listeners = grown(t->listeners, t->listener_count, &t->listener_capacity, sizeof *t->listeners);
    if (i == t->listener_count)
        t->listeners[t->listener_count++] = (struct listener_facts){.listener = listener};
    return &t->listeners[i];
}

static void told_add(struct sim *sim, struct table_facts *t, size_t listener, const char *text,
                     enum telling_kind kind) {
    struct listener_facts *l = listener_get(t, listener);
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->table, code);
    sim_trace(sim, "listener %zu of table %s is told: %s", listener, code, text);
    char *copy = strdup(text);
    assert(copy != NULL);
    l->told = grown(l->told, l->count, &l->capacity, sizeof *l->told);
    l->told[l->count++] = (struct told){copy, kind == TOLD_IN_PAUSE, kind == TOLD_BEGINNING};
    t->is_unchecked = true;
    sim->counts.facts_told++;
}

void sim_told(struct sim *sim, const struct sim_dialect *dialect, size_t listener, uint64_t table,
              bool is_journalled, const char *text) {
    struct table_facts *t = table_get(sim->witness, dialect, table, is_journalled);
    told_add(sim, t, listener, text, TOLD_WHOLE);
}

void sim_told_in_pause(struct sim *sim, const struct sim_dialect *dialect, size_t listener, uint64_t table,
                       const char *text) {
    struct table_facts *t = table_get(sim->witness, dialect, table, true);
    told_add(sim, t, listener, text, TOLD_IN_PAUSE);
}

void sim_told_was_in_pause(struct sim *sim, const struct sim_dialect *dialect, size_t listener,
                           uint64_t table) {
    struct listener_facts *l = listener_get(table_get(sim->witness, dialect, table, true), listener);
    if (l->count > 0)
        l->told[l->count - 1].is_in_pause = true;
}

void sim_told_beginning(struct sim *sim, const struct sim_dialect *dialect, size_t listener, uint64_t table,
                        const char *text) {
    struct table_facts *t = table_get(sim->witness, dialect, table, true);
    told_add(sim, t, listener, text, TOLD_BEGINNING);
}

static bool told_agree(const struct told *a, const struct told *b) {
    return strcmp(a->text, b->text) == 0 ||
           (a->is_beginning && strncmp(a->text, b->text, strlen(a->text)) == 0) ||
           (b->is_beginning && strncmp(a->text, b->text, strlen(b->text)) == 0);
}

/* The listeners who heard less heard the beginning of what the others heard. */
static void check_agreement(struct sim *sim, const struct table_facts *t) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->table, code);
    for (size_t i = 1; i < t->listener_count; i++) {
        const struct listener_facts *a = &t->listeners[0], *b = &t->listeners[i];
        for (size_t k = 0; k < a->count && k < b->count; k++)
            if (!told_agree(&a->told[k], &b->told[k])) {
                sim_fail(sim, "table %s: fact %zu is '%s' for listener %zu and '%s' for listener %zu", code,
                         k, a->told[k].text, a->listener, b->told[k].text, b->listener);
                return;
            }
    }
}

static bool fact_is(const struct sim_fact *fact, const char *text) {
    return fact->is_beginning ? strncmp(fact->text, text, strlen(fact->text)) == 0
                              : strcmp(fact->text, text) == 0;
}

/* The fact of a telling, from one on, that the listener was told; the count of them when there is none. Only
 * optional ones may have gone untold in between; in a pause everything, and nothing optional is told there.
 */
static size_t find_fact(const struct sim_telling *t, size_t at, const struct told *told) {
    for (; at < t->fact_count; at++) {
        const struct sim_fact *fact = &t->facts[at];
        if (fact_is(fact, told->text) && !(told->is_in_pause && fact->is_optional))
            return at;
        if (!told->is_in_pause && !fact->is_optional)
            return t->fact_count;
    }
    return at;
}

/* How many facts of a listener, from one on, follow in their order from the facts of a telling, from one on.
 * A table may look the same more than once, so that it is not plain how much was untold in a pause. */
static size_t follow_facts(const struct sim_telling *t, size_t at, const struct listener_facts *l,
                           size_t from) {
    size_t k = from;
    for (; k < l->count && !l->told[k].is_in_pause; k++, at++)
        if ((at = find_fact(t, at, &l->told[k])) == t->fact_count)
            return k;
    if (k == l->count)
        return k;
    size_t most = k;
    while (most < l->count && (at = find_fact(t, at, &l->told[k])) < t->fact_count) {
        size_t followed = follow_facts(t, ++at, l, k + 1);
        most = followed > most ? followed : most;
    }
    return most;
}

/* Whether the listener was shown the table as it was at some time, and from there on told everything. */
static void check_stay(struct sim *sim, const struct table_facts *t, const struct listener_facts *l) {
    const struct sim_telling *telling = t->telling;
    char code[TABLE_CODE_CHARS + 1];
    size_t most = 0, lines = 0;
    uint64_t hash = hash_begin;
    for (size_t i = 0; i < telling->view_count && most < l->count; i++) {
        const struct sim_view *view = &telling->views[i];
        if (view->line_count > l->count)
            continue;
        if (view->line_count < lines) {
            lines = 0;
            hash = hash_begin;
        }
        for (; lines < view->line_count; lines++)
            hash = hash_text(hash, span_of(l->told[lines].text));
        size_t followed = hash == view->hash ? follow_facts(telling, view->next, l, view->line_count) : 0;
        most = followed > most ? followed : most;
    }
    sim->counts.facts_checked += most;
    if (most == l->count)
        return;
    table_code_format(t->table, code);
    sim_fail(
        sim,
        "table %s: listener %zu was told '%s' as number %zu of %zu, which does not follow from its journal",
        code, l->listener, l->told[most].text, most, l->count);
}

/* Every fact in its order; only optional ones of the journal may have gone untold in between. */
static void check_listener(struct sim *sim, const struct table_facts *t, const struct listener_facts *l,
                           const struct sim_fact *expected, size_t expected_count) {
    size_t at = 0;
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(t->table, code);
    for (size_t k = 0; k < l->count; k++) {
        while (at < expected_count && !fact_is(&expected[at], l->told[k].text) && expected[at].is_optional)
            at++;
        if (at == expected_count || !fact_is(&expected[at], l->told[k].text)) {
            sim_fail(sim, "table %s: listener %zu was told '%s', but the journal has %s%s%s", code,
                     l->listener, l->told[k].text, at == expected_count ? "nothing more" : "'",
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
    if (store_read(sim_journals(sim), table, 1, copy_event, j) != ERR_OK) {
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

/* Brings what was to be told up to the end of the journal. */
static void telling_grow(struct sim *sim, struct table_facts *t, const struct journal_copy *journal) {
    struct sim_telling *telling = t->telling;
    if (telling != NULL && telling->event_count > 0 &&
        (telling->event_count > journal->count ||
         !digest_equal(&telling->fold.last_hash, &journal->events[telling->event_count - 1].hash))) {
        telling_free(telling);
        telling = NULL;
    }
    if (telling == NULL)
        telling = telling_create(t->table);
    t->telling = telling;
    bool is_folding = true;
    counted_pause(true);
    while (is_folding && telling->event_count < journal->count)
        is_folding = telling_event(telling, t->dialect, &journal->events[telling->event_count]);
    counted_pause(false);
    if (!is_folding)
        sim_fail(sim, "the journal of a table that somebody was told of does not fold");
}

static void check_stays(struct sim *sim, struct table_facts *t, const struct journal_copy *journal) {
    telling_grow(sim, t, journal);
    for (size_t i = 0; i < t->listener_count && !sim->has_failed; i++)
        check_stay(sim, t, &t->listeners[i]);
    sim->counts.tables_checked++;
}

static void check_table(struct sim *sim, struct table_facts *t) {
    struct sim_fact *expected = sim->witness->expected;
    size_t count = 0;
    struct journal_copy journal;
    t->is_unchecked = false;
    if (t->dialect->tells != NULL) {
        if (journal_copy_read(sim, t->table, &journal)) {
            check_stays(sim, t, &journal);
            journal_copy_free(&journal);
        }
        return;
    }
    if (!t->dialect->has_late_listeners)
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
