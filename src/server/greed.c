#include "server/greed.h"

#include "base/mem.h"

#include <stdlib.h>
#include <uthash.h>

/* What all connections of an address have. */
struct purse {
    struct address address;
    size_t bytes;
    UT_hash_handle by_address;
};

static int greedy_compare(const void *a, const void *b) {
    const struct greedy *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : 0;
}

static struct purse *purse_of(struct purse **purses, const struct address *address) {
    struct purse *purse;
    HASH_FIND(by_address, *purses, address, sizeof *address, purse);
    if (purse != NULL)
        return purse;
    purse = mem_alloc(sizeof *purse);
    purse->address = *address;
    HASH_ADD(by_address, *purses, address, sizeof purse->address, purse);
    return purse;
}

static void purses_free(struct purse *purses) {
    struct purse *purse, *next;
    HASH_ITER(by_address, purses, purse, next) {
        HASH_DELETE(by_address, purses, purse);
        mem_free(purse);
    }
}

void greed_sort(struct greedy *list, size_t count) {
    struct purse *purses = NULL;
    for (size_t i = 0; i < count; i++)
        if (!address_is_nobody(&list[i].address))
            purse_of(&purses, &list[i].address)->bytes += list[i].bytes;
    for (size_t i = 0; i < count; i++)
        list[i].weight =
            address_is_nobody(&list[i].address) ? list[i].bytes : purse_of(&purses, &list[i].address)->bytes;
    purses_free(purses);
    qsort(list, count, sizeof *list, greedy_compare);
}
