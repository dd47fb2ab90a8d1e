/* parlor journal verify: holds journals against their chain, the rules, the dice and the results. */
#include "cli/journal/tool.h"

struct verify {
    struct store *store;
    struct rows rows; /* of all tables */
    size_t table_count;
    size_t championships;                       /* of the tables */
    size_t events, chances, problems, unsealed; /* unsealed: tables whose dice are still secret */
    size_t lost;                                /* tables whose secret was lost */
    size_t mixed;                               /* of the chances, those with seeds of players in them */
};

static void journal_verify_problem(struct verify *v, const char *code, uint64_t seq, const char *what,
                                   const char *more) {
    v->problems++;
    printf("%s %llu: %s%s%s\n", code, (unsigned long long)seq, what, more == NULL ? "" : ": ",
           more == NULL ? "" : more);
}

/* The secret of the dice, by the result or, for a running table, from beside the journal. */
static bool secret_of(struct verify *v, const struct record *record, struct digest *out) {
    struct event_result result;
    if (!record_result(record, &result))
        return store_secret(v->store, record->table, out) == ERR_OK;
    *out = result.secret;
    return true;
}

/* False when the table cannot be followed any further. */
static bool verify_event(struct verify *v, struct fold *fold, const struct record *record, size_t i,
                         const struct digest *secret) {
    const struct event *event = &record->events[i];
    bool is_dice_wrong = secret != NULL && fold_check_dice(fold, event, secret) == ERR_DICE_WRONG;
    enum err e = fold_event(fold, event);
    if (e != ERR_OK) {
        journal_verify_problem(v, record->code, event->seq, game_refusal(fold->game, e)->sentence,
                               fold->complaint);
        return false;
    }
    if (is_dice_wrong)
        journal_verify_problem(v, record->code, event->seq, err_sentence(ERR_DICE_WRONG),
                               event_kind_word(event->kind));
    v->events++;
    v->chances += event->kind == EVENT_CHANCE;
    v->mixed += event->kind == EVENT_CHANCE && fold->dice.mixed_seq != 0;
    return true;
}

/* The row beside the journal says how long it is and whether it has ended: so that a journal that was cut at
 * its end is noticed, which the chain cannot do. */
static void verify_row(struct verify *v, uint64_t last_seq, bool is_finished, const struct record *record,
                       const struct store_table *row) {
    if (row->last_seq != last_seq)
        journal_verify_problem(v, record->code, last_seq, "the journal is cut, or its table's row is wrong",
                               NULL);
    else if ((row->finished_ms != 0) != is_finished)
        journal_verify_problem(v, record->code, last_seq, "the row of the table is wrong about its end",
                               NULL);
}

/* A championship has no dice and no rules but those of its fold. */
static void verify_championship(struct verify *v, const struct record *record,
                                const struct store_table *row) {
    struct story story;
    enum err e = ERR_OK;
    story_begin(&story, record);
    for (size_t i = 0; i < record->event_count && e == ERR_OK; i++) {
        e = story_take(&story, &record->events[i]);
        if (e != ERR_OK)
            journal_verify_problem(v, record->code, record->events[i].seq, err_sentence(e),
                                   story_complaint(&story));
        v->events += e == ERR_OK;
    }
    if (e == ERR_OK && row != NULL)
        verify_row(v, story_last_seq(&story), story_is_closed(&story), record, row);
    v->championships++;
    story_end(&story);
}

/* A server that had lost the secret of a table has ended it without one. That is no alteration: nobody has
 * won anything by it, and the chain and the rules still hold. */
static bool secret_was_lost(const struct record *record) {
    struct event_result result;
    struct event_setup setup;
    return record_result(record, &result) && event_setup_read(record->events[0].body, &setup) == ERR_OK &&
           fold_lost_secret(&setup.commitment, &result);
}

static void verify_record(struct verify *v, const struct record *record, const struct store_table *row) {
    struct fold fold;
    struct digest secret;
    if (record_is_championship(record)) {
        verify_championship(v, record, row);
        return;
    }
    bool is_lost = secret_was_lost(record);
    bool has_secret = !is_lost && secret_of(v, record, &secret);
    bool is_whole = true;
    fold_init(&fold, record->table);
    for (size_t i = 0; i < record->event_count && is_whole; i++)
        is_whole = verify_event(v, &fold, record, i, has_secret ? &secret : NULL);
    if (is_lost && is_whole)
        printf(
            "%s %llu: undecided because the server had lost the secret of its dice: what they decided cannot "
            "be checked\n",
            record->code, (unsigned long long)fold.last_seq);
    v->lost += is_lost;
    v->unsealed += !is_lost && !has_secret;
    if (is_whole && row != NULL)
        verify_row(v, fold.last_seq, fold.is_finished, record, row);
    fold_free(&fold);
}

static bool verify_all(struct verify *v) {
    enum err e = rows_read(&v->rows, v->store);
    v->table_count = v->rows.count;
    bool is_read = e == ERR_OK || e == ERR_DAMAGED;
    if (e == ERR_DAMAGED) {
        v->problems++;
        printf("the list of tables: %s; some may be missing below, see parlor journal repair\n",
               err_sentence(e));
    }
    for (size_t i = 0; i < v->table_count && is_read; i++) {
        struct record record;
        struct store_table row = v->rows.list[i];
        rows_progress(&v->rows, i);
        e = record_read(&record, v->store, row.table);
        is_read = e == ERR_OK || e == ERR_DAMAGED;
        if (e == ERR_DAMAGED)
            journal_verify_problem(v, record.code, record.event_count + 1, err_sentence(e),
                                   "see parlor journal repair");
        /* A running server may have gone on since the list was made. */
        else if (is_read)
            verify_record(v, &record, record.event_count > row.last_seq ? NULL : &row);
        record_free(&record);
    }
    rows_progress_end(&v->rows);
    if (!is_read)
        fprintf(stderr, "parlor: the journal cannot be read\n");
    return is_read;
}

static const struct store_table *journal_verify_row_of(struct verify *v, uint64_t table) {
    if (rows_read(&v->rows, v->store) != ERR_OK)
        return NULL;
    for (size_t i = 0; i < v->rows.count; i++)
        if (v->rows.list[i].table == table)
            return &v->rows.list[i];
    return NULL;
}

static bool verify_one(struct verify *v, const char *code) {
    struct record record;
    bool is_found = record_find(&record, v->store, code);
    if (is_found) {
        const struct store_table *row = journal_verify_row_of(v, record.table);
        verify_record(v, &record, row != NULL && record.event_count > row->last_seq ? NULL : row);
        v->table_count = 1;
    }
    record_free(&record);
    return is_found;
}

int journal_verify(struct store *store, const char *code) {
    struct verify v = {.store = store};
    bool is_all = code == NULL || strcmp(code, "all") == 0;
    bool is_read = is_all ? verify_all(&v) : verify_one(&v, code);
    rows_free(&v.rows);
    if (!is_read)
        return 1;
    printf("%zu tables, ", v.table_count - v.championships);
    if (v.championships > 0)
        printf("%zu championships, ", v.championships);
    printf("%zu events, %zu outcomes of chance", v.events, v.chances);
    if (v.mixed > 0)
        printf(" (%zu with seeds of players)", v.mixed);
    printf(": %zu problems", v.problems);
    if (v.unsealed > 0)
        printf(", %zu tables whose dice could not be checked yet", v.unsealed);
    if (v.lost > 0)
        printf(", %zu tables whose dice cannot be checked any more", v.lost);
    printf("\n");
    return v.problems == 0 ? 0 : 1;
}
