#include "wire/farewell.h"

#include "base/mem.h"
#include "store/event.h"

#include <uthash.h>

struct farewell {
    char name[EVENT_NAME_BYTES_MAX + 1];
    uint64_t until_ms;
    struct buf lines;
    UT_hash_handle by_name;
};

static void farewell_drop(struct farewells *f, struct farewell *one) {
    HASH_DELETE(by_name, f->by_name, one);
    buf_free(&one->lines);
    mem_free(one);
}

static struct farewell *farewell_find(const struct farewells *f, struct span name) {
    struct farewell *one = NULL;
    HASH_FIND(by_name, f->by_name, name.data, name.size, one);
    return one;
}

/* The hash is in the order of coming: the first one is the oldest. */
static void farewell_make_room(struct farewells *f, uint64_t now_ms) {
    while (f->by_name != NULL &&
           (f->by_name->until_ms <= now_ms || HASH_CNT(by_name, f->by_name) >= FAREWELLS_MAX))
        farewell_drop(f, f->by_name);
}

void farewells_add(struct farewells *f, struct span name, struct span lines, uint64_t now_ms,
                   uint64_t until_ms) {
    struct farewell *one = farewell_find(f, name);
    if (one != NULL)
        farewell_drop(f, one);
    if (name.size == 0 || name.size > EVENT_NAME_BYTES_MAX || until_ms <= now_ms)
        return;
    farewell_make_room(f, now_ms);
    one = mem_alloc(sizeof *one);
    memcpy(one->name, name.data, name.size);
    one->until_ms = until_ms;
    buf_append(&one->lines, lines);
    HASH_ADD_KEYPTR(by_name, f->by_name, one->name, name.size, one);
}

bool farewells_take(struct farewells *f, struct span name, uint64_t now_ms, struct buf *out) {
    struct farewell *one = farewell_find(f, name);
    if (one == NULL)
        return false;
    bool is_in_time = now_ms < one->until_ms;
    if (is_in_time)
        buf_append(out, buf_span(&one->lines));
    farewell_drop(f, one);
    return is_in_time;
}

void farewells_free(struct farewells *f) {
    while (f->by_name != NULL)
        farewell_drop(f, f->by_name);
}
