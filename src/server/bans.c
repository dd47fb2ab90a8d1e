#include "server/bans.h"

#include "base/mem.h"

#include <uthash.h>

struct ban_row {
    struct address address;
    uint64_t until_ms;
    UT_hash_handle by_address;
};

static struct ban_row *ban_of(const struct bans *b, const struct address *address) {
    struct ban_row *row;
    HASH_FIND(by_address, b->rows, address, sizeof *address, row);
    return row;
}

static void ban_forget(struct bans *b, struct ban_row *row) {
    HASH_DELETE(by_address, b->rows, row);
    mem_free(row);
}

bool bans_add(struct bans *b, const struct address *address, uint64_t until_ms) {
    struct ban_row *row = ban_of(b, address);
    if (row == NULL && HASH_CNT(by_address, b->rows) >= BANS_MAX)
        return false;
    if (row == NULL) {
        row = mem_alloc(sizeof *row);
        row->address = *address;
        HASH_ADD(by_address, b->rows, address, sizeof row->address, row);
    }
    row->until_ms = until_ms;
    return true;
}

bool bans_lift(struct bans *b, const struct address *address) {
    struct ban_row *row = ban_of(b, address);
    if (row == NULL)
        return false;
    ban_forget(b, row);
    return true;
}

bool bans_have(struct bans *b, const struct address *address, uint64_t now_ms) {
    struct ban_row *row = b->rows == NULL ? NULL : ban_of(b, address);
    if (row == NULL)
        return false;
    if (now_ms < row->until_ms)
        return true;
    ban_forget(b, row);
    return false;
}

void bans_each(struct bans *b, uint64_t now_ms,
               void (*visit)(void *context, const struct address *, uint64_t left_ms), void *context) {
    struct ban_row *row, *next;
    HASH_ITER(by_address, b->rows, row, next)
    if (bans_have(b, &row->address, now_ms))
        visit(context, &row->address, row->until_ms - now_ms);
}

void bans_free(struct bans *b) {
    while (b->rows != NULL)
        ban_forget(b, b->rows);
}
