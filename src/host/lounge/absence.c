/* Players of the lounge's own tables who are gone while the others wait for them: since when, who may claim
 * their seats, and the bots that play on for them. A stand-in is a fact of the moment, like being online: it
 * is not in the journal, ends when the player is back, and is asked for again after a restart. */
#include "host/lounge/internal.h"

/* Time that several nodes had no store is nobody's fault. */
static uint64_t absence_clock_ms(const struct lounge_table *lt) {
    const struct room *room = lt->room.room;
    return room->now_ms - tables_outages_ms(room->tables);
}

void lounge_absence_begin(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        lt->away_ms[seat] = absence_clock_ms(lt);
}

void lounge_absence_note(struct lounge_table *lt, unsigned seat) {
    if (table_is_online(lt->room.table, seat))
        lt->stand_in[seat] = 0;
    else
        lt->away_ms[seat] = absence_clock_ms(lt);
}

/* Whether the seat is one of a person whose absence the lounge is the judge of: other protocols have rules of
 * their own about it. */
static bool absence_is_ours(const struct lounge_table *lt, unsigned seat) {
    const struct table *t = lt->room.table;
    struct lounge_face face = lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat));
    return lt->room.is_own && face.kind == LOUNGE_PERSON && !table_has_given_up(t, seat);
}

static uint64_t absence_left_ms(const struct lounge_table *lt, unsigned seat) {
    uint64_t clock_ms = absence_clock_ms(lt), claim_ms = lounge_of(lt)->config.claim_ms;
    /* An outage is known when it is over, and the player may have gone in the middle of it. */
    uint64_t gone_ms = clock_ms > lt->away_ms[seat] ? clock_ms - lt->away_ms[seat] : 0;
    return gone_ms >= claim_ms ? 0 : claim_ms - gone_ms;
}

bool lounge_absent(struct lounge *l, uint64_t id, unsigned seat, struct lounge_absence *out,
                   uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = lounge_table_get(l, id);
    bool is_absent = lt != NULL && table_state_word(lt->room.table) == TABLE_RUNNING &&
                     table_free_seats(lt->room.table) == 0 && seat < room_seat_count(&lt->room) &&
                     absence_is_ours(lt, seat) && !table_is_online(lt->room.table, seat);
    if (is_absent)
        *out = (struct lounge_absence){.left_ms = absence_left_ms(lt, seat), .bot_level = lt->stand_in[seat]};
    room_exit(&l->room);
    return is_absent;
}

enum err lounge_claim_start(struct lounge_table *lt, struct lounge_request *r) {
    struct table *t = lt->room.table;
    enum err e = lounge_may_act(lounge_of(lt), lt->room.id, r->seat);
    if (e != ERR_OK)
        return e;
    if (r->claimed == r->seat || r->claimed >= room_seat_count(&lt->room))
        return ERR_FIELD_INVALID;
    if (table_free_seats(t) > 0)
        return ERR_TABLE_WAITS;
    if (!absence_is_ours(lt, r->claimed))
        return ERR_CLAIM_IMPOSSIBLE;
    if (table_is_online(t, r->claimed) || absence_left_ms(lt, r->claimed) > 0 ||
        !table_may_act(t, r->claimed))
        return ERR_CLAIM_EARLY;
    if (r->bot_level == 0)
        return table_forfeit_why(
            t, r->claimed, REASON_LEFT,
            &(struct table_cause){.words = "was away, and another player claimed the seat",
                                  .allowed_ms = lounge_of(lt)->config.claim_ms});
    lt->stand_in[r->claimed] = (uint8_t)r->bot_level;
    r->room.is_done = true;
    return ERR_OK;
}
