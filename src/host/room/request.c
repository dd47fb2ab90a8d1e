/* Requests with tickets. They are taken one after the other: each is answered when what it did is on disk,
 * and only then the next begins. */
#include "host/room/internal.h"

#include <utlist.h>

static void request_answer(struct room_table *rt, struct room_request *r) {
    rt->room->policy.answer(rt, r);
}

static struct room_request *request_next(struct room_table *rt) {
    struct room_request *r = rt->queue;
    if (r == NULL)
        return NULL;
    DL_DELETE(rt->queue, r);
    rt->queue_count--;
    return r;
}

/* Another node was first at a seat. True while the request waits for what comes of it now. */
static bool request_is_again(struct room_table *rt, struct room_request *r) {
    if (table_is_busy(rt->table))
        return true;
    r->why = rt->room->policy.again(rt, r);
    return table_is_busy(rt->table) && !r->is_done && !r->opens;
}

/* What was being saved is on disk. A request that opens a table may have more to do there, when nobody else
 * is doing something. True while it has. */
static bool request_goes_on(struct room_table *rt) {
    const struct room_policy *policy = &rt->room->policy;
    struct room_request *r = rt->current;
    if (r == NULL)
        return false;
    if (r->why == ERR_SEAT_TAKEN && policy->again != NULL && request_is_again(rt, r))
        return true;
    if (r->opens && r->why == ERR_OK && policy->goes_on != NULL &&
        (table_is_busy(rt->table) || policy->goes_on(rt, r)))
        return true;
    rt->current = NULL;
    request_answer(rt, r);
    return false;
}

void room_pump(struct room_table *rt) {
    const struct room_policy *policy = &rt->room->policy;
    while (!table_is_busy(rt->table) && rt->room->is_awake) {
        if (request_goes_on(rt) || (policy->between != NULL && policy->between(rt)))
            return;
        struct room_request *r = request_next(rt);
        if (r == NULL)
            break;
        r->why = policy->start(rt, r);
        if (table_is_busy(rt->table) && !r->is_done)
            rt->current = r;
        else
            request_answer(rt, r);
    }
    if (!table_is_busy(rt->table) && rt->room->is_awake && policy->rest != NULL)
        policy->rest(rt);
}

void room_current_answer(struct room_table *rt) {
    struct room_request *r = rt->current;
    if (r == NULL || r->opens)
        return;
    rt->current = NULL;
    request_answer(rt, r);
}

void room_requests_settled(struct room_table *rt) {
    rt->is_unasked = false;
    if (!request_goes_on(rt))
        room_pump(rt);
}

void room_take(struct room_table *rt, struct room_request *r) {
    if (rt->queue_count == rt->room->policy.requests_max) {
        r->why = ERR_BUSY;
        request_answer(rt, r);
        return;
    }
    DL_APPEND(rt->queue, r);
    rt->queue_count++;
    room_pump(rt);
}

void room_refuse_all(struct room_table *rt, enum err why) {
    struct room_request *r = rt->current != NULL ? rt->current : request_next(rt);
    rt->current = NULL;
    for (; r != NULL; r = request_next(rt)) {
        r->why = why;
        request_answer(rt, r);
    }
}

/* What waits for its turn has not begun. What is being saved is taken back where the store has refused it;
 * otherwise it may still be done. What somebody else asks of a table that belongs to another protocol is
 * neither current nor unasked here, and stays; and so does the set-up of such a table. */
bool room_requests_late(struct room_table *rt) {
    struct room_request *r, *current = rt->current;
    while ((r = request_next(rt)) != NULL) {
        rt->room->policy.put_off(rt, r, true);
        request_answer(rt, r);
    }
    if (current == NULL && !rt->is_unasked)
        return false;
    bool is_set_up = table_state_word(rt->table) == TABLE_OPENING;
    bool is_undone = table_may_withdraw(rt->table) && (rt->is_own || !is_set_up) &&
                     (current == NULL || !current->opens || is_set_up);
    rt->current = NULL;
    rt->is_unasked = !is_undone;
    if (current != NULL) {
        rt->room->policy.put_off(rt, current, is_undone);
        request_answer(rt, current);
    }
    return is_undone;
}
