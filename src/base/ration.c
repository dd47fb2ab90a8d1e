#include "base/ration.h"

#include "base/mem.h"

#include <uthash.h>

struct ration_row {
    struct address address;
    uint64_t spent, at_ms; /* so much had not leaked yet at that time */
    UT_hash_handle by_address;
};

static struct ration_row *ration_row_of(const struct ration *r, const struct address *address) {
    struct ration_row *row;
    HASH_FIND(by_address, r->rows, address, sizeof *address, row);
    return row;
}

static void ration_row_free(struct ration *r, struct ration_row *row) {
    HASH_DELETE(by_address, r->rows, row);
    mem_free(row);
}

/* What has leaked away since is forgotten. Time too short to leak anything more counts at the next look. */
static void ration_leak(const struct ration *r, struct ration_row *row, uint64_t now_ms) {
    uint64_t passed_ms = now_ms > row->at_ms ? now_ms - row->at_ms : 0;
    double leaks = (double)r->amount * (double)passed_ms / (double)r->time_ms;
    uint64_t leaked = leaks < (double)row->spent ? (uint64_t)leaks : row->spent;
    row->spent -= leaked;
    row->at_ms = row->spent == 0
                     ? now_ms
                     : row->at_ms + (uint64_t)((double)leaked * (double)r->time_ms / (double)r->amount);
}

bool ration_allows(struct ration *r, const struct address *address, uint64_t now_ms) {
    struct ration_row *row = r->amount == 0 ? NULL : ration_row_of(r, address);
    if (row == NULL)
        return true;
    ration_leak(r, row, now_ms);
    if (row->spent > 0)
        return row->spent < r->amount;
    ration_row_free(r, row);
    return true;
}

void ration_spend(struct ration *r, const struct address *address, uint64_t amount, uint64_t now_ms) {
    if (r->amount == 0 || amount == 0 || address_is_nobody(address))
        return;
    struct ration_row *row = ration_row_of(r, address);
    if (row == NULL) {
        if (HASH_CNT(by_address, r->rows) >= RATION_ROWS_MAX)
            ration_row_free(r, r->rows);
        row = mem_alloc(sizeof *row);
        row->address = *address;
        row->at_ms = now_ms;
        HASH_ADD(by_address, r->rows, address, sizeof row->address, row);
    }
    ration_leak(r, row, now_ms);
    /* However much it was, the address waits at most twice the time. */
    row->spent = row->spent + amount > 2 * r->amount ? 2 * r->amount : row->spent + amount;
}

void ration_free(struct ration *r) {
    while (r->rows != NULL)
        ration_row_free(r, r->rows);
}
