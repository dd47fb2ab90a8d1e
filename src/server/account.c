#include "server/account.h"

#include "base/mem.h"
#include "server/share.h"

#include <assert.h>
#include <uthash.h>
#include <utlist.h>

struct account {
    struct address address; /* nobody's: of one connection */
    uint32_t holders;
    uint64_t had_us, at_us; /* so much was not forgotten at that time */
    uint64_t turn, turn_us; /* what it was served at once, in that turn */
    struct holder *resting;
    struct account *prev, *next; /* in the ring, or of those that were left */
    UT_hash_handle by_address;   /* last: nobody's has none, so that it takes no memory for it */
};

static void account_forget(struct account *a, uint64_t now_us) {
    uint64_t halves = now_us > a->at_us ? (now_us - a->at_us) / ACCOUNT_HALF_US : 0;
    if (halves == 0)
        return;
    a->had_us = halves < 64 ? a->had_us >> halves : 0;
    a->at_us += halves * ACCOUNT_HALF_US;
}

static void account_free(struct accounts *all, struct account *a) {
    assert(a->resting == NULL);
    if (!address_is_nobody(&a->address))
        HASH_DELETE(by_address, all->by_address, a);
    mem_free(a);
}

/* Those that were left for long enough are like new ones. */
static void accounts_tidy(struct accounts *all, uint64_t now_us) {
    while (all->left != NULL) {
        struct account *a = all->left;
        account_forget(a, now_us);
        if (a->had_us >= ACCOUNT_GREEDY_US && all->left_count <= ACCOUNTS_LEFT_MAX)
            return;
        DL_DELETE(all->left, a);
        all->left_count--;
        account_free(all, a);
    }
}

static struct account *account_find(struct accounts *all, const struct address *address, uint64_t now_us) {
    struct account *a = NULL;
    if (!address_is_nobody(address))
        HASH_FIND(by_address, all->by_address, address, sizeof *address, a);
    if (a != NULL)
        return a;
    a = mem_alloc(address_is_nobody(address) ? offsetof(struct account, by_address) : sizeof *a);
    a->address = *address;
    a->at_us = now_us;
    if (!address_is_nobody(address))
        HASH_ADD(by_address, all->by_address, address, sizeof a->address, a);
    return a;
}

void account_open(struct accounts *all, struct holder *h, const struct address *address, uint64_t now_us) {
    accounts_tidy(all, now_us);
    struct account *a = account_find(all, address, now_us);
    if (a->holders == 0 && a->prev != NULL) { /* it was left, and is not new */
        DL_DELETE(all->left, a);
        a->prev = a->next = NULL;
        all->left_count--;
    }
    a->holders++;
    *h = (struct holder){.account = a};
}

void account_close(struct accounts *all, struct holder *h, uint64_t now_us) {
    struct account *a = h->account;
    if (a == NULL)
        return;
    account_rise(all, h);
    h->account = NULL;
    if (--a->holders > 0)
        return;
    account_forget(a, now_us);
    if (address_is_nobody(&a->address) || a->had_us < ACCOUNT_GREEDY_US) {
        account_free(all, a);
        return;
    }
    DL_APPEND(all->left, a);
    all->left_count++;
    accounts_tidy(all, now_us);
}

void accounts_free(struct accounts *all) {
    struct account *a, *next;
    DL_FOREACH_SAFE(all->left, a, next) {
        account_free(all, a);
    }
    assert(all->by_address == NULL);
    *all = (struct accounts){0};
}

static bool account_is_greedy(struct account *a, uint64_t now_us) {
    account_forget(a, now_us);
    return a->had_us > ACCOUNT_GREEDY_US;
}

void account_charge(struct accounts *all, const struct holder *h, uint64_t turn, uint64_t us,
                    uint64_t now_us) {
    struct account *a = h->account;
    if (a == NULL)
        return;
    if (all->turn != turn) {
        all->turn = turn;
        all->turn_us = 0;
    }
    if (a->turn != turn) {
        a->turn = turn;
        a->turn_us = 0;
    }
    a->had_us += us;
    a->turn_us += us;
    if (account_is_greedy(a, now_us))
        all->turn_us += us;
}

bool account_must_wait(struct accounts *all, const struct holder *h, uint64_t turn, uint64_t now_us) {
    struct account *a = h->account;
    if (a == NULL)
        return false;
    if (account_is_greedy(a, now_us))
        return all->ring != NULL || (all->turn == turn && all->turn_us >= SHARE_RESUME_US);
    return a->turn == turn && a->turn_us >= ACCOUNT_AT_ONCE_US;
}

void account_rest(struct accounts *all, struct holder *h) {
    struct account *a = h->account;
    assert(!h->is_resting);
    if (a->resting == NULL)
        DL_APPEND(all->ring, a);
    h->is_resting = true;
    DL_APPEND(a->resting, h);
    all->resting_count++;
}

void account_rise(struct accounts *all, struct holder *h) {
    struct account *a = h->account;
    if (!h->is_resting)
        return;
    h->is_resting = false;
    DL_DELETE(a->resting, h);
    all->resting_count--;
    DL_DELETE(all->ring, a);
    a->prev = a->next = NULL;
    if (a->resting != NULL) /* behind the others, for its next connection */
        DL_APPEND(all->ring, a);
}

struct holder *accounts_next(const struct accounts *all) {
    return all->ring == NULL ? NULL : all->ring->resting;
}
