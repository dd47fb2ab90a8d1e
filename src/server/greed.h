/* Who goes first when memory is short: of the address that has most the connection that has most. Plain
 * sorting, without a word about what a connection is. */
#ifndef SERVER_GREED_H
#define SERVER_GREED_H

#include "base/address.h"

struct greedy {
    void *conn;
    struct address address; /* nobody's: it counts for itself */
    size_t bytes;
    size_t weight; /* set by greed_sort: of all that its address has */
};

/* The greediest first. */
void greed_sort(struct greedy *list, size_t count);

#endif
