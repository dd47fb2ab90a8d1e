/* Whoever waits for the past of tables. What a request lacks of a journal is read in the background, and then
 * the request is taken again from the beginning: it has changed nothing so far, so every path is written as
 * if all journals were at hand, and refuses with ERR_LATER when one is not. Nobody is told that word. */
#include "wire/api/past.h"

#include "base/limit.h"
#include "base/mem.h"
#include "wire/api/asking.h"

#include <utlist.h>

enum {
    PAST_WAITS_MAX = 512,        /* requests of all askers that wait, */
    PAST_WAITS_ADDRESS_MAX = 64, /* and of one address */
    PAST_ROUNDS_MAX =
        16, /* so often a request is taken again: then its table goes on faster than it is read */
};

void past_begin(struct api *api) {
    history_begin(api->history);
    history_begin(api->late);
    api->is_put_off = false;
}

bool past_is_lacking(const struct api *api) {
    return history_lacks(api->history) || history_lacks(api->late);
}

bool past_has_room(const struct api *api, const struct address *address, struct refusal *why) {
    const struct past_wait *w;
    size_t all = 0, own = 0;
    DL_FOREACH(api->waits, w) {
        all += w->is_request;
        own += w->is_request && !address_is_nobody(address) && address_equal(&w->address, address);
    }
    if (own >= PAST_WAITS_ADDRESS_MAX)
        *why = api_past_yours;
    else if (all >= PAST_WAITS_MAX)
        *why = api_past_many;
    else if (api->rounds >= PAST_ROUNDS_MAX)
        *why = api_past_behind;
    else
        return true;
    return false;
}

void past_wait_begin(struct api *api, struct past_wait *w, const struct address *address) {
    w->api = api;
    w->rounds = api->rounds + 1;
    w->is_request = address != NULL;
    if (address != NULL)
        w->address = *address;
    DL_APPEND(api->waits, w);
}

void past_wait_end(struct past_wait *w) {
    DL_DELETE(w->api->waits, w);
    if (w->wait != NULL)
        history_wait_forget(w->wait);
    w->wait = NULL;
}

static void past_wait_come(void *context) {
    struct past_wait *w = context;
    w->wait = NULL;
    w->come(w);
}

/* One history after the other: what has come from one is at hand, unless the table has gone on. */
void past_wait_lacking(struct past_wait *w) {
    struct api *api = w->api;
    struct history *h = history_lacks(api->late) ? api->late : api->history;
    w->wait = history_wait(h, past_wait_come, w);
    past_begin(api);
}

/* A request over HTTP. */
struct past_request {
    struct past_wait wait; /* first */
    struct http_wait *request;
};

static void past_request_drop(struct past_wait *w) {
    mem_free(w);
}

static void past_request_come(struct past_wait *w) {
    struct api *api = w->api;
    struct http_wait *request = ((struct past_request *)(void *)w)->request;
    unsigned before = api->rounds;
    api->rounds = w->rounds;
    past_wait_end(w);
    mem_free(w);
    http_retake(request);
    api->rounds = before;
}

static void past_request_gone(void *context) {
    struct past_wait *w = context;
    past_wait_end(w);
    mem_free(w);
}

void past_put_off(const struct asking *a) {
    struct refusal why;
    if (!past_has_room(a->api, &a->request->address, &why)) {
        past_begin(a->api);
        asking_refuse_as(a, why);
        return;
    }
    struct past_request *r = mem_alloc(sizeof *r);
    *r = (struct past_request){.wait = {.come = past_request_come, .drop = past_request_drop}};
    r->request = http_wait(a->exchange, a->request, past_request_gone, r);
    past_wait_begin(a->api, &r->wait, &a->request->address);
    past_wait_lacking(&r->wait);
}

void pasts_free(struct api *api) {
    while (api->waits != NULL) {
        struct past_wait *w = api->waits;
        past_wait_end(w);
        w->drop(w);
    }
}
