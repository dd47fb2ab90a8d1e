/* What a hall begins with that comes while the loop runs: read in the background, by a test. */
#ifndef TESTS_HALL_PAST_H
#define TESTS_HALL_PAST_H

#include "tests.h"

#include "host/hall/hall.h"
#include "host/table/table.h"
#include "store/store.h"

static void past_is_read(void *context, enum err e) {
    bool *is_read = context;
    assert_int_equal(e, ERR_OK);
    *is_read = true;
}

/* Gives; the config is to be that of the hall. A read that waits ends the test. */
static struct hall_past *past_read(struct tables *tables, struct hall_config *config) {
    struct store *store = tables_store(tables);
    bool is_read = false;
    config->tables = tables;
    config->keeps_championships = true;
    store->is_serving = true;
    struct hall_past *past = hall_past_read(config, past_is_read, &is_read);
    assert_false(is_read);
    for (int i = 0; i < 2 * HALL_CHAMPIONSHIPS_MAX && !is_read; i++) {
        store_work(store);
        store_drain(store);
    }
    store->is_serving = false;
    assert_true(is_read);
    return past;
}

#endif
