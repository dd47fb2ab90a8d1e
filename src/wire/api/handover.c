/* A seat that goes to another device: its player asks for a text that is good once and for a short time, and
 * whoever sends that is given the token. Tokens are kept as hashes elsewhere; here the token itself is kept,
 * in memory alone, until it is fetched or too old. The text never stands in a path, so no log has it. */
#include "base/mem.h"
#include "wire/api/asking.h"
#include "wire/api/past.h"

#include <utlist.h>

enum {
    HANDOVER_MS = 2 * 60 * 1000, /* so long it is good */
    HANDOVERS_MAX = 256,         /* at the same time, */
    HANDOVERS_ADDRESS_MAX = 16,  /* and of one address */
};

struct handover {
    struct handover *prev, *next; /* the oldest first */
    uint64_t table;
    unsigned seat;
    struct digest hash; /* of the text that was given out */
    char token[TOKEN_CHARS + 1];
    struct address address;
    uint64_t until_ms;
};

static void handover_end(struct api *api, struct handover *h) {
    DL_DELETE(api->handovers, h);
    memset(h->token, 0, sizeof h->token);
    mem_free(h);
}

void handovers_free(struct api *api) {
    while (api->handovers != NULL)
        handover_end(api, api->handovers);
}

/* Those that are too old go, and the one before of the same seat: only the newest is good. */
static void handovers_sweep(struct api *api, uint64_t now_ms, uint64_t table, unsigned seat) {
    struct handover *h, *next;
    DL_FOREACH_SAFE(api->handovers, h, next) {
        if (h->until_ms <= now_ms || (h->table == table && h->seat == seat))
            handover_end(api, h);
    }
}

static enum err handovers_room(const struct api *api, const struct address *address) {
    const struct handover *h;
    unsigned count = 0, own_count = 0;
    DL_FOREACH(api->handovers, h) {
        count++;
        own_count += address_equal(&h->address, address) && !address_is_nobody(address);
    }
    return count >= HANDOVERS_MAX               ? ERR_TOO_MANY
           : own_count >= HANDOVERS_ADDRESS_MAX ? ERR_ADDRESS_FULL
                                                : ERR_OK;
}

/* The token that the player has shown stands at the end of the header. */
static void handover_token(const struct asking *a, char token[TOKEN_CHARS + 1]) {
    struct span header = span_trim(a->request->authorization);
    memcpy(token, header.data + header.size - TOKEN_CHARS, TOKEN_CHARS);
    token[TOKEN_CHARS] = '\0';
}

static void handover_give(const struct asking *a) {
    struct api *api = a->api;
    struct api_scene scene;
    char text[TOKEN_CHARS + 1];
    if (!asking_player(a, &scene))
        return;
    handovers_sweep(api, a->now_ms, a->table, scene.sight.seat);
    enum err e = handovers_room(api, &a->request->address);
    if (e != ERR_OK) {
        asking_refuse(a, e, NULL);
        return;
    }
    struct handover *h = mem_alloc(sizeof *h);
    *h = (struct handover){.table = a->table,
                           .seat = scene.sight.seat,
                           .address = a->request->address,
                           .until_ms = a->now_ms + HANDOVER_MS};
    token_make(text, &h->hash);
    handover_token(a, h->token);
    DL_APPEND(api->handovers, h);
    struct writer w = asking_writer(api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_text(&w, "handover", span_of(text));
    writer_int(&w, "for_ms", HANDOVER_MS);
    writer_object_end(&w);
    asking_done(a, 201);
}

/* NULL: there is none of that text at the table. */
static struct handover *handover_find(const struct asking *a, struct span text) {
    struct digest hash;
    struct handover *h;
    if (!token_hash(text, &hash))
        return NULL;
    DL_FOREACH(a->api->handovers, h) {
        if (h->table == a->table && digest_equal(&h->hash, &hash))
            return h;
    }
    return NULL;
}

/* It was spoken for by somebody who had the seat then; the seat may be free or somebody else's by now. */
static bool handover_is_good(const struct asking *a, const struct handover *h) {
    struct api_asker asker = {.has_token = true};
    return h->until_ms > a->now_ms && token_hash(span_of(h->token), &asker.token) &&
           api_seat_of(a->api, h->table, &asker) == h->seat;
}

static void handover_fetch(const struct asking *a, struct span text) {
    struct tables *tables = a->api->config.lounge.tables;
    struct handover *h = tables_may_guess(tables, &a->asker.address) ? handover_find(a, text) : NULL;
    bool is_good = h != NULL && handover_is_good(a, h);
    if (past_is_lacking(a->api)) {
        asking_refuse(a, ERR_LATER, NULL);
        return;
    }
    if (!is_good) {
        tables_missed(tables, &a->asker.address);
        asking_refuse(a, ERR_HANDOVER_UNKNOWN, NULL);
        return;
    }
    struct writer w = asking_writer(a->api);
    writer_object_begin(&w, NULL);
    api_write_code(&w, "code", a->table);
    writer_int(&w, "seat", h->seat);
    writer_text(&w, "token", span_of(h->token));
    writer_object_end(&w);
    handover_end(a->api, h);
    asking_done(a, 200);
}

void handover_take(const struct asking *a) {
    json_t *message = asking_body(a);
    if (message == NULL)
        return;
    struct span text = json_text(message, "handover");
    if (!json_has(message, "handover"))
        handover_give(a);
    else if (text.data == NULL)
        asking_refuse_as(a, api_handover_invalid);
    else
        handover_fetch(a, text);
    json_decref(message);
}
