#include "host/table/figures.h"

#include "base/mem.h"
#include "host/table/internal.h"

#include <stdio.h>

enum { REFUSAL_PROTOCOL_BYTES = 32 };

static struct table_figures *tables_figures_row(struct tables *tables, const char *game,
                                                const char *protocol) {
    struct table_figures *row = tables->figures;
    size_t i = 0;
    while (i < tables->figures_count && (row[i].game != game || strcmp(row[i].protocol, protocol) != 0))
        i++;
    if (i < tables->figures_count)
        return &row[i];
    if (i == TABLE_FIGURES_MAX)
        return &row[TABLE_FIGURES_MAX - 1];
    row[i].game = game;
    snprintf(row[i].protocol, sizeof row[i].protocol, "%s", protocol);
    tables->figures_count++;
    return &row[i];
}

const struct table_figures *tables_figures(const struct tables *tables, size_t *count) {
    *count = tables->figures_count;
    return tables->figures;
}

void table_count_in(struct table *t) {
    t->figures = tables_figures_row(t->tables, t->fold.game->name, t->fold.setup.protocol);
    t->is_counted = !t->fold.is_finished;
    t->figures->running += t->is_counted;
}

void table_count_out(struct table *t) {
    t->figures->running -= t->is_counted;
    t->is_counted = false;
}

/* 0 when answers are not measured. */
static uint64_t figures_now_us(const struct table *t) {
    return t->tables->config.now_us == NULL ? 0 : t->tables->config.now_us();
}

void table_count_asked(struct table *t) {
    t->asked_us = figures_now_us(t);
}

void table_count_answered(struct table *t) {
    histogram_add(&t->figures->answers, figures_now_us(t) - t->asked_us);
}

/* Refusals. There are as many rows as pairs of a protocol and a row in a list of refusals, at most. */

struct refusal_key {
    char protocol[REFUSAL_PROTOCOL_BYTES];
    const struct game *game;
    uint64_t why; /* of 64 bits, so that no byte of the key is undefined */
};

struct refusal_row {
    struct refusal_key key;
    uint64_t count;
    UT_hash_handle by_key;
};

static struct refusal_row *refusal_rows;

void refusals_count(const char *protocol, const struct game *game, enum err why) {
    struct refusal_key key = {.game = why < ERR_GAME_FIRST ? NULL : game, .why = why};
    struct refusal_row *row;
    if (why == ERR_OK)
        return;
    snprintf(key.protocol, sizeof key.protocol, "%s", protocol);
    HASH_FIND(by_key, refusal_rows, &key, sizeof key, row);
    if (row == NULL) {
        row = mem_alloc(sizeof *row);
        row->key = key;
        HASH_ADD(by_key, refusal_rows, key, sizeof row->key, row);
    }
    row->count++;
}

void refusals_each(void (*visit)(void *context, const struct refusal_figure *), void *context) {
    struct refusal_row *row, *next;
    HASH_ITER(by_key, refusal_rows, row, next)
    visit(context,
          &(struct refusal_figure){row->key.protocol, row->key.game, (enum err)row->key.why, row->count});
}
