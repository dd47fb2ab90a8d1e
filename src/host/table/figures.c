#include "host/table/figures.h"

#include "host/table/internal.h"

#include <stdio.h>

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

/* Refusals. There are as many rows as pairs of a protocol and a row in a list of refusals that have met,
 * which are some dozens; the memory is the program's own, because it outlives every server. */

enum { REFUSAL_ROWS_MAX = 1024, REFUSAL_PROTOCOL_BYTES = 32 };

struct refusal_row {
    enum err why;
    const struct game *game;
    char protocol[REFUSAL_PROTOCOL_BYTES];
    uint64_t count;
};

static struct refusal_row refusal_rows[REFUSAL_ROWS_MAX];
static size_t refusal_count;

void refusals_count(const char *protocol, const struct game *game, enum err why) {
    const struct game *owner = why < ERR_GAME_FIRST ? NULL : game;
    size_t i = 0;
    if (why == ERR_OK)
        return;
    while (i < refusal_count && (refusal_rows[i].why != why || refusal_rows[i].game != owner ||
                                 strcmp(refusal_rows[i].protocol, protocol) != 0))
        i++;
    if (i == REFUSAL_ROWS_MAX)
        return;
    struct refusal_row *row = &refusal_rows[i];
    if (i == refusal_count) {
        refusal_count++;
        row->why = why;
        row->game = owner;
        snprintf(row->protocol, sizeof row->protocol, "%s", protocol);
    }
    row->count++;
}

void refusals_each(void (*visit)(void *context, const struct refusal_figure *), void *context) {
    for (size_t i = 0; i < refusal_count; i++) {
        const struct refusal_row *row = &refusal_rows[i];
        visit(context, &(struct refusal_figure){row->protocol, row->game, row->why, row->count});
    }
}
