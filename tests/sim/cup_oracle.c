#include "cups.h"

#include "host/cup/format.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRINGS_MAX = 512, ENTRANTS_MAX = 32, TEXT_BYTES = 128, NAME_BYTES = EVENT_NAME_BYTES_MAX + 1 };

enum cup_fact_kind { FACT_ENTRANT, FACT_BEGUN, FACT_RESULT };

/* Something that somebody was told of a championship. */
struct cup_fact {
    enum cup_fact_kind kind;
    unsigned pairing, replays;
    char cup[NAME_BYTES], text[TEXT_BYTES];
    struct cup_fact *next;
};

static struct cup_fact *facts;

static struct cup_fact *fact_add(enum cup_fact_kind kind, const char *cup, const char *text) {
    struct cup_fact *fact = calloc(1, sizeof *fact);
    assert(fact != NULL);
    fact->kind = kind;
    snprintf(fact->cup, sizeof fact->cup, "%s", cup);
    snprintf(fact->text, sizeof fact->text, "%s", text);
    fact->next = facts;
    facts = fact;
    return fact;
}

void cup_told_entrant(const char *cup, const char *name) {
    fact_add(FACT_ENTRANT, cup, name);
}

void cup_told_begun(const char *cup) {
    fact_add(FACT_BEGUN, cup, "");
}

void cup_told_result(struct sim *sim, const char *cup, unsigned pairing, unsigned replays, const char *text) {
    for (struct cup_fact *fact = facts; fact != NULL; fact = fact->next) {
        if (fact->kind != FACT_RESULT || fact->pairing != pairing || fact->replays != replays ||
            strcmp(fact->cup, cup) != 0)
            continue;
        if (strcmp(fact->text, text) != 0)
            sim_fail(sim, "pairing %u of championship %s was '%s', and is '%s' now", pairing, cup, fact->text,
                     text);
        return;
    }
    struct cup_fact *fact = fact_add(FACT_RESULT, cup, text);
    fact->pairing = pairing;
    fact->replays = replays;
    sim->counts.facts_told++;
}

void cup_told_free(void) {
    while (facts != NULL) {
        struct cup_fact *next = facts->next;
        free(facts);
        facts = next;
    }
}

/* A championship by its journal, read without the code that is to be checked. */
struct pairing_copy {
    struct event_cup_pairing planned; /* with the table at which it was played last */
    struct event_cup_result result;
    unsigned replays;
    bool is_decided;
};

struct cup_copy {
    struct event_cup about;
    char names[ENTRANTS_MAX][NAME_BYTES];
    size_t entrant_count, gone_count, pairing_count;
    struct pairing_copy pairings[PAIRINGS_MAX];
    bool has_begun, is_closed;
    enum event_outcome outcome;
    const char *complaint;
};

static void copy_round(struct cup_copy *c, const struct event *event) {
    static struct event_cup_round round;
    if (event_cup_round_read(event->body, &round) != ERR_OK ||
        c->pairing_count + round.count > PAIRINGS_MAX) {
        c->complaint = "plans what cannot be read";
        return;
    }
    for (uint32_t i = 0; i < round.count; i++)
        c->pairings[c->pairing_count++] =
            (struct pairing_copy){.planned = round.pairings[i], .is_decided = round.pairings[i].count == 1};
}

static void copy_result(struct cup_copy *c, const struct event *event) {
    struct event_cup_result result;
    if (event_cup_result_read(event->body, &result) != ERR_OK || result.pairing >= c->pairing_count) {
        c->complaint = "has a result of no pairing";
        return;
    }
    if (c->pairings[result.pairing].is_decided)
        c->complaint = "has decided a pairing twice";
    c->pairings[result.pairing].result = result;
    c->pairings[result.pairing].is_decided = true;
}

static void copy_replay(struct cup_copy *c, const struct event *event) {
    struct event_cup_replay replay;
    if (event_cup_replay_read(event->body, &replay) != ERR_OK || replay.pairing >= c->pairing_count) {
        c->complaint = "plays again what was no pairing";
        return;
    }
    c->pairings[replay.pairing].planned.table = replay.table;
    c->pairings[replay.pairing].replays++;
    c->pairings[replay.pairing].is_decided = false;
}

static void copy_entrant(struct cup_copy *c, const struct event *event) {
    struct event_cup_entrant entrant;
    if (event_cup_entrant_read(event->body, &entrant) != ERR_OK || c->entrant_count == ENTRANTS_MAX)
        c->complaint = "has an entrant that cannot be read";
    else
        memcpy(c->names[c->entrant_count++], entrant.name, sizeof entrant.name);
}

static void copy_event(struct cup_copy *c, const struct event *event) {
    enum event_cup_step step;
    struct event_close close;
    if (c->is_closed)
        c->complaint = "goes on after its end";
    switch (event->kind) {
    case EVENT_CUP:
        if (event_cup_read(event->body, &c->about) != ERR_OK)
            c->complaint = "cannot be read";
        break;
    case EVENT_CUP_ENTRANT: copy_entrant(c, event); break;
    case EVENT_CUP_GONE: c->gone_count++; break;
    case EVENT_CUP_STATE:
        if (event_cup_state_read(event->body, &step) == ERR_OK && step == CUP_STEP_BEGIN)
            c->has_begun = true;
        break;
    case EVENT_CUP_ROUND: copy_round(c, event); break;
    case EVENT_CUP_RESULT: copy_result(c, event); break;
    case EVENT_CUP_REPLAY: copy_replay(c, event); break;
    case EVENT_CUP_CLOSE:
        c->is_closed = event_close_read(event->body, &close) == ERR_OK;
        c->outcome = close.outcome;
        break;
    default: c->complaint = "has an event of a table";
    }
}

/* How a pairing was decided, as it is told. */
static void pairing_text(const struct cup_copy *c, const struct pairing_copy *p, char text[TEXT_BYTES]) {
    static const char *const words[] = {"undecided", "played", "forfeited", "walkover"};
    bool was_played = p->result.how == 1 || p->result.how == 2;
    size_t used = (size_t)snprintf(text, TEXT_BYTES, "%s",
                                   p->planned.count == 1 ? "bye"
                                   : p->is_decided       ? words[p->result.how & 3]
                                                         : words[0]);
    for (uint32_t i = 0; i < p->planned.count && used < TEXT_BYTES; i++)
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, " %s %d", c->names[p->planned.entrant[i]],
                                 was_played ? p->result.results[i] : 0);
}

static const char *fact_complaint(const struct cup_copy *c, const struct cup_fact *fact) {
    static char text[TEXT_BYTES];
    bool is_there = false;
    if (fact->kind == FACT_BEGUN)
        return c->has_begun ? NULL : "has not begun";
    for (size_t i = 0; i < c->entrant_count; i++)
        is_there = is_there || strcmp(c->names[i], fact->text) == 0;
    if (fact->kind == FACT_ENTRANT)
        return is_there ? NULL : "does not have its entrant";
    if (fact->pairing >= c->pairing_count)
        return "does not have its pairing";
    const struct pairing_copy *p = &c->pairings[fact->pairing];
    if (p->replays != fact->replays)
        return p->replays > fact->replays ? NULL : "was not played again";
    pairing_text(c, p, text);
    return strcmp(text, fact->text) == 0 ? NULL : text;
}

static void check_facts(struct sim *sim, const struct cup_copy *c) {
    for (const struct cup_fact *fact = facts; fact != NULL; fact = fact->next) {
        if (strcmp(fact->cup, c->about.name) != 0)
            continue;
        const char *complaint = fact_complaint(c, fact);
        sim->counts.facts_checked++;
        if (complaint != NULL)
            sim_fail(sim, "'%s' was told of championship %s, and by its journal it is: %s", fact->text,
                     c->about.name, complaint);
    }
}

static bool has_both(const struct event_cup_pairing *p, uint32_t a, uint32_t b) {
    unsigned found = 0;
    for (uint32_t i = 0; i < p->count; i++)
        found += p->entrant[i] == a || p->entrant[i] == b;
    return found == 2;
}

/* How often two meet, where everybody meets everybody; and in a Swiss one at most once. */
static void check_meetings(struct sim *sim, const struct cup_copy *c) {
    unsigned most = c->about.number == CUP_DOUBLE_ROUND_ROBIN                            ? 2
                    : c->about.number == CUP_ROUND_ROBIN || c->about.number == CUP_SWISS ? 1
                                                                                         : 0;
    bool meets_all = c->about.number != CUP_SWISS && c->is_closed && c->outcome == OUTCOME_PLAYED &&
                     c->gone_count == 0 && c->about.rounds == 0;
    for (uint32_t a = 0; most > 0 && a < c->entrant_count; a++)
        for (uint32_t b = a + 1; b < c->entrant_count; b++) {
            unsigned met = 0;
            for (size_t i = 0; i < c->pairing_count; i++)
                met += has_both(&c->pairings[i].planned, a, b);
            if (met > most || (meets_all && met < most))
                sim_fail(sim, "%s and %s meet %u times in championship %s, and not %u times", c->names[a],
                         c->names[b], met, c->about.name, most);
        }
}

/* The result of a pairing is that of its table, at which its entrants sat. */
static void check_table(struct sim *sim, const struct cup_copy *c, const struct pairing_copy *p) {
    struct journal_copy journal;
    struct event_result result;
    struct event_seat seat;
    if (!journal_copy_read(sim, p->planned.table, &journal))
        return;
    const struct event *last = journal.count == 0 ? NULL : &journal.events[journal.count - 1];
    if (last == NULL || last->kind != EVENT_RESULT || event_result_read(last->body, &result) != ERR_OK)
        sim_fail(sim, "championship %s has the result of a table that has none", c->about.name);
    else if (memcmp(result.points, p->result.results, p->planned.count * sizeof *result.points) != 0)
        sim_fail(sim, "championship %s has another result than its table", c->about.name);
    for (size_t i = 0; i < journal.count; i++)
        if (journal.events[i].kind == EVENT_SEAT &&
            event_seat_read(journal.events[i].body, &seat) == ERR_OK && seat.seat < p->planned.count &&
            strcmp(seat.name, c->names[p->planned.entrant[seat.seat]]) != 0)
            sim_fail(sim, "%s sat at a table of championship %s in place of %s", seat.name, c->about.name,
                     c->names[p->planned.entrant[seat.seat]]);
    journal_copy_free(&journal);
}

static void check_pairings(struct sim *sim, const struct cup_copy *c) {
    for (size_t i = 0; i < c->pairing_count; i++) {
        const struct pairing_copy *p = &c->pairings[i];
        bool was_played = p->is_decided && p->planned.count > 1 && p->result.how != CUP_WALKOVER &&
                          strcmp(p->result.reason, "absent") != 0;
        if (c->is_closed && c->outcome == OUTCOME_PLAYED && !p->is_decided)
            sim_fail(sim, "championship %s is over, and pairing %zu is not decided", c->about.name, i);
        for (size_t k = 0; k < i; k++)
            if (p->planned.count > 1 && p->planned.table == c->pairings[k].planned.table)
                sim_fail(sim, "two pairings of championship %s have one table", c->about.name);
        if (was_played)
            check_table(sim, c, p);
    }
}

void cup_oracle_check(struct sim *sim, uint64_t id, const struct journal_copy *journal) {
    struct cup_copy *c = calloc(1, sizeof *c);
    (void)id;
    assert(c != NULL);
    for (size_t i = 0; i < journal->count; i++)
        copy_event(c, &journal->events[i]);
    if (c->complaint != NULL)
        sim_fail(sim, "championship %s %s", c->about.name, c->complaint);
    sim->counts.cups += c->has_begun;
    sim->counts.cup_results += c->pairing_count;
    check_facts(sim, c);
    check_meetings(sim, c);
    check_pairings(sim, c);
    if (c->has_begun && !c->is_closed)
        sim_fail(sim, "championship %s has begun and does not end", c->about.name);
    free(c);
}
