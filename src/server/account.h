/* What every address has had of the loop's time lately, through all its connections, and in which order those
 * connections are resumed that rest (share.h). Whoever has had little is served at once; whoever has had much
 * is greedy, and takes its turn behind those who rest. Addresses take turns there, and the connections of an
 * address among themselves: so many connections have no more of the loop than one.
 *
 * Plain counting without a clock of its own, for the loop's thread. */
#ifndef SERVER_ACCOUNT_H
#define SERVER_ACCOUNT_H

#include "base/address.h"

enum {
    ACCOUNT_HALF_US = 50 * 1000,  /* after so long half of what an address has had is forgotten */
    ACCOUNT_GREEDY_US = 5 * 1000, /* of what is not forgotten; whoever has had more is greedy */
    ACCOUNT_AT_ONCE_US = 100,     /* in a turn, of an address that is not */
    ACCOUNTS_LEFT_MAX = 1024,     /* that are kept without a connection, because they are greedy */
};

struct account;

/* A connection as its account sees it. Zeroed: it has none. */
struct holder {
    struct account *account;
    struct holder *prev, *next; /* of those of the account that rest */
    bool is_resting;
};

/* Zeroed at first. */
struct accounts {
    struct account *by_address;
    struct account *ring; /* those with connections that rest, the first comes next */
    struct account *left; /* those without connections, the one that was left first comes first */
    size_t left_count;
    size_t resting_count; /* connections */
    uint64_t turn;        /* of the loop, to which this belongs: */
    uint64_t turn_us;     /* what those have had who rested or are greedy */
};

/* A connection from an address begins and ends. One of nobody in particular has an account of its own. */
void account_open(struct accounts *, struct holder *, const struct address *, uint64_t now_us);
void account_close(struct accounts *, struct holder *, uint64_t now_us);
void accounts_free(struct accounts *);

/* The connection has had so much of the loop's time, in a turn. */
void account_charge(struct accounts *, const struct holder *, uint64_t turn, uint64_t us, uint64_t now_us);

/* What the connection says now waits behind those who rest: its address is greedy, and others wait or enough
 * time of this turn is gone; or the address has been served at once for long enough in this turn. */
bool account_must_wait(struct accounts *, const struct holder *, uint64_t turn, uint64_t now_us);

/* The connection rests, or rests no more. */
void account_rest(struct accounts *, struct holder *);
void account_rise(struct accounts *, struct holder *);
/* Who is resumed next; NULL: nobody rests. */
struct holder *accounts_next(const struct accounts *);

#endif
