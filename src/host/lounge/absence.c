/* Players of the lounge's own tables who are gone while the others wait for them: since when, who may claim
 * their seats, and the bots that play on for them. A stand-in is a fact of the moment, like being online: it
 * is not in the journal, ends when the player is back, and is asked for again after a restart. Where the
 * table was ordered so it comes by itself, again and again: that stands in the note of the set-up. */
#include "host/lounge/internal.h"

/* Time that several nodes had no store is nobody's fault. */
static uint64_t absence_clock_ms(const struct lounge_table *lt) {
    const struct room *room = lt->room.room;
    return room->now_ms - tables_outages_ms(room->tables);
}

static unsigned absence_level(const struct lounge *l, const struct lounge_note *note) {
    return note->has_absent ? note->absent_level : l->config.absent_level;
}

unsigned lounge_absent_level(const struct lounge *l, const struct snapshot *s) {
    return strcmp(s->protocol, LOUNGE_PROTOCOL) == 0 ? absence_level(l, &s->note) : 0;
}

/* Whether the seat is one of a person whose absence the lounge is the judge of: other protocols have rules of
 * their own about it. */
static bool absence_is_ours(const struct lounge_table *lt, unsigned seat) {
    const struct table *t = lt->room.table;
    struct lounge_face face = lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat));
    return lt->room.is_own && face.kind == LOUNGE_PERSON && !table_has_given_up(t, seat);
}

/* Of so long that the player must be away. */
static uint64_t absence_left_ms(const struct lounge_table *lt, unsigned seat, uint32_t must_ms) {
    uint64_t clock_ms = absence_clock_ms(lt);
    /* An outage is known when it is over, and the player may have gone in the middle of it. */
    uint64_t gone_ms = clock_ms > lt->away_ms[seat] ? clock_ms - lt->away_ms[seat] : 0;
    return gone_ms >= must_ms ? 0 : must_ms - gone_ms;
}

static bool absence_is_person(const struct table *t, unsigned seat) {
    return lounge_face_of(table_protocol(t), table_name(t, seat), table_note(t, seat)).kind == LOUNGE_PERSON;
}

/* Whether a person is there besides this seat: for nobody no bot plays on. */
static bool absence_is_noticed(const struct table *t, unsigned seat) {
    for (unsigned other = 0; other < table_options(t)->seat_count; other++)
        if (other != seat && table_is_online(t, other) && absence_is_person(t, other))
            return true;
    return false;
}

/* How long until a bot plays on for this seat by itself; UINT64_MAX: that is not to be expected. */
static uint64_t absence_due_ms(const struct lounge_table *lt, unsigned seat) {
    const struct table *t = lt->room.table;
    if (lt->stand_in[seat] != 0 || table_is_online(t, seat) || !absence_is_ours(lt, seat) ||
        !absence_is_noticed(t, seat))
        return UINT64_MAX;
    return absence_left_ms(lt, seat, lounge_of(lt)->config.absent_ms);
}

static void absence_over(struct timer *timer, uint64_t now_ms);

/* Looks again when the first one is due, or when another node may have gone that takes care. */
static void absence_arm(struct lounge_table *lt) {
    struct room *room = lt->room.room;
    uint64_t left_ms = UINT64_MAX;
    bool is_wanted = lt->room.is_own && !lt->room.is_over && room->is_awake &&
                     absence_level(lounge_of(lt), &lt->note) != 0 && table_free_seats(lt->room.table) == 0;
    for (unsigned seat = 0; is_wanted && seat < room_seat_count(&lt->room); seat++) {
        uint64_t due_ms = absence_due_ms(lt, seat);
        left_ms = due_ms < left_ms ? due_ms : left_ms;
    }
    if (left_ms == UINT64_MAX)
        timers_stop(&room->timers, &lt->absent);
    else
        timers_arm(&room->timers, &lt->absent, room->now_ms + (left_ms == 0 ? TABLES_CARE_RETRY_MS : left_ms),
                   absence_over);
}

/* Everybody whose time is over gets a stand-in. */
static void absence_over(struct timer *timer, uint64_t now_ms) {
    struct lounge_table *lt = TIMER_OWNER(timer, struct lounge_table, absent);
    const struct table *t = lt->room.table;
    bool is_cared = table_state_word(t) == TABLE_RUNNING && table_is_cared(t), is_changed = false;
    (void)now_ms;
    for (unsigned seat = 0; is_cared && seat < room_seat_count(&lt->room); seat++) {
        if (absence_due_ms(lt, seat) > 0)
            continue;
        lt->stand_in[seat] = (uint8_t)absence_level(lounge_of(lt), &lt->note);
        is_changed = true;
    }
    absence_arm(lt);
    if (is_changed)
        room_pump(&lt->room);
}

void lounge_absence_begin(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        lt->away_ms[seat] = absence_clock_ms(lt);
    absence_arm(lt);
}

void lounge_absence_wake(struct lounge_table *lt) {
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if (lt->away_ms[seat] == 0) /* as of a restart, before the time was known */
            lt->away_ms[seat] = absence_clock_ms(lt);
    absence_arm(lt);
}

void lounge_absence_end(struct lounge_table *lt) {
    timers_stop(&lt->room.room->timers, &lt->absent);
}

void lounge_absence_note(struct lounge_table *lt, unsigned seat) {
    if (!table_is_online(lt->room.table, seat)) {
        lt->away_ms[seat] = absence_clock_ms(lt);
    } else if (lt->stand_in[seat] != 0) {
        lt->stand_in[seat] = 0;
        lounge_bots_tell(lt);
    }
    absence_arm(lt);
}

bool lounge_absent(struct lounge *l, uint64_t id, unsigned seat, struct lounge_absence *out,
                   uint64_t now_ms) {
    room_enter(&l->room, now_ms);
    struct lounge_table *lt = lounge_table_get(l, id);
    bool is_absent = lt != NULL && table_state_word(lt->room.table) == TABLE_RUNNING &&
                     table_free_seats(lt->room.table) == 0 && seat < room_seat_count(&lt->room) &&
                     absence_is_ours(lt, seat) && !table_is_online(lt->room.table, seat);
    if (is_absent)
        *out = (struct lounge_absence){.left_ms = absence_left_ms(lt, seat, l->config.claim_ms),
                                       .bot_level = lt->stand_in[seat]};
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
    if (table_is_online(t, r->claimed) ||
        absence_left_ms(lt, r->claimed, lounge_of(lt)->config.claim_ms) > 0 || !table_may_act(t, r->claimed))
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
