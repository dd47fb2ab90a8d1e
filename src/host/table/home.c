/* Who may come back by a name. The protocols that other people wrote know a player by its name alone, so a
 * seat also remembers where its player came from, and the secret that it may have brought, as hashes that say
 * nothing without the key of the store. */
#include "host/table/internal.h"

#include <assert.h>

bool tables_home(const struct tables *tables, uint64_t table, const struct address *address,
                 struct digest *out) {
    uint8_t number[8];
    if (address_is_nobody(address))
        return false;
    digest_number(table, number);
    const struct span pieces[] = {SPAN("parlor home"), span_make(number, sizeof number),
                                  span_make(address->bytes, ADDRESS_BYTES)};
    digest_of(out, tables->config.store->key.bytes, pieces, sizeof pieces / sizeof *pieces);
    return true;
}

bool tables_is_home(const struct tables *tables, uint64_t table, const struct digest *home,
                    const struct address *address) {
    struct digest shown;
    return home == NULL || tables->config.returns_from_anywhere ||
           (tables_home(tables, table, address, &shown) && digest_equal(&shown, home));
}

/* Never the hash of a token (host/token.h), whatever the secret is; and keyed, because secrets that people
 * think of can be guessed. */
static void home_secret_hash(const struct table *t, struct span secret, struct digest *out) {
    uint8_t number[8];
    digest_number(t->id, number);
    const struct span pieces[] = {SPAN("parlor seat secret"), span_make(number, sizeof number), secret};
    digest_of(out, t->tables->config.store->key.bytes, pieces, sizeof pieces / sizeof *pieces);
}

void table_guest_home(const struct table *t, const struct table_guest *guest, struct event_seat *out) {
    if (guest->token != NULL)
        return;
    out->has_home = tables_home(t->tables, t->id, &guest->origin, &out->home);
    out->has_token = guest->secret.size > 0;
    if (out->has_token)
        home_secret_hash(t, guest->secret, &out->token);
}

bool table_may_return(const struct table *t, unsigned seat, const struct address *origin,
                      struct span secret) {
    const struct fold_seat *place = t->fold.seats[seat];
    struct digest shown;
    if (place->token != NULL && secret.size > 0) {
        home_secret_hash(t, secret, &shown);
        if (digest_equal(&shown, place->token))
            return true;
    }
    if (place->home != NULL && tables_home(t->tables, t->id, origin, &shown) &&
        digest_equal(&shown, place->home))
        return true;
    return place->token == NULL && (place->home == NULL || t->tables->config.returns_from_anywhere);
}

bool table_is_claimable(const struct table *t, unsigned seat) {
    const struct fold_seat *place = t->fold.seats[seat];
    return place->name[0] != '\0' && !table_is_online(t, seat) && !t->fold.is_finished &&
           (place->home != NULL || place->token == NULL);
}

const struct digest *table_token(const struct table *t, unsigned seat) {
    assert(seat < t->fold.setup.options.seat_count);
    return t->fold.seats[seat]->token;
}

unsigned table_seat_by_token(const struct table *t, const struct digest *token) {
    static const struct digest none;
    unsigned found = SEAT_WATCHER;
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++) {
        const struct digest *own = t->fold.seats[seat]->token;
        bool is_equal = digest_equal(own == NULL ? &none : own, token);
        if (is_equal && own != NULL)
            found = seat;
    }
    return found;
}
