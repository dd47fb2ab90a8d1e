/* The bytes of the bodies. Every value has exactly one form, so that a body that was read and is written
 * again gives the same bytes, and the reader refuses all others. */
#include "store/event.h"

#include "base/utf8.h"

#include <assert.h>

enum {
    WHO_TIMED = 0x40,  /* beside a seat: what it is charged follows at the end */
    WHO_GIVEN = 0xfe,  /* in place of a seat: chance, as the table was given it */
    WHO_CHANCE = 0xff, /* in place of a seat: chance, by the dice of the table */
    SETUP_VIOLATION_LOSES = 1,
    SETUP_NOTE = 2,
    SETUP_HOUSE = 4,
    SETUP_GIVEN = 8,
    SETUP_WAITS = 16,
    SETUP_FLAGS = SETUP_VIOLATION_LOSES | SETUP_NOTE | SETUP_HOUSE | SETUP_GIVEN | SETUP_WAITS,
    SEAT_DRAWN = 1,
    SEAT_TOKEN = 2,
    SEAT_NOTE = 4,
    SEAT_FREE = 8, /* nobody: no name follows */
    SEAT_SEED = 16,
    SEAT_HOME = 32,
    SEAT_FLAGS = SEAT_DRAWN | SEAT_TOKEN | SEAT_NOTE | SEAT_FREE | SEAT_SEED | SEAT_HOME,
    RESULT_FORFEITED = 4, /* by the word of the rules; OUTCOME_FORFEITED itself is the older way */
    FORFEIT_STAMPS = 16,  /* beside the reason: texts and stamps follow */
    PAIR_A_WON = 1,
    PAIR_A_LOST = 2,
    PAIR_B_WON = 4,
    PAIR_B_LOST = 8,
    PAIR_FLAGS = PAIR_A_WON | PAIR_A_LOST | PAIR_B_WON | PAIR_B_LOST,
};

void event_chain(struct event *event, uint64_t table, const struct digest *before) {
    static const struct digest zero;
    uint8_t table_bytes[8], seq_bytes[8], time_bytes[8], kind_bytes[8];
    digest_number(table, table_bytes);
    digest_number(event->seq, seq_bytes);
    digest_number((uint64_t)event->time_ms, time_bytes);
    digest_number((uint64_t)event->kind, kind_bytes);
    const struct span pieces[] = {
        span_make(before == NULL ? zero.bytes : before->bytes, DIGEST_BYTES),
        span_make(table_bytes, sizeof table_bytes),
        span_make(seq_bytes, sizeof seq_bytes),
        span_make(time_bytes, sizeof time_bytes),
        span_make(kind_bytes, sizeof kind_bytes),
        event->body,
    };
    digest_of(&event->hash, NULL, pieces, sizeof pieces / sizeof pieces[0]);
}

bool event_is_next(const struct event *event, uint64_t table, uint64_t last_seq,
                   const struct digest *last_hash, const char **complaint) {
    struct event right = *event;
    bool is_in_place = event->seq == last_seq + 1;
    *complaint = is_in_place ? NULL : "an event is missing or out of its place";
    event_chain(&right, table, last_seq == 0 ? NULL : last_hash);
    return is_in_place && digest_equal(&right.hash, &event->hash);
}

static void event_put_number(struct buf *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        buf_append_byte(out, (char)(value | 0x80));
    buf_append_byte(out, (char)value);
}

static void put_signed(struct buf *out, int32_t value) {
    event_put_number(out, value < 0 ? ((uint64_t)(-(int64_t)value) << 1) - 1 : (uint64_t)value << 1);
}

static void put_text(struct buf *out, const char *name, size_t bytes_max) {
    struct span text = span_of(name);
    assert(text.size > 0 && text.size <= bytes_max && utf8_is_valid(text));
    event_put_number(out, text.size);
    buf_append(out, text);
}

/* The same, and it may be empty. */
static void put_text_or_none(struct buf *out, const char *text, size_t bytes_max) {
    if (*text == '\0')
        event_put_number(out, 0);
    else
        put_text(out, text, bytes_max);
}

static void put_name(struct buf *out, const char *name) {
    put_text(out, name, EVENT_NAME_BYTES_MAX);
}

static void put_digest(struct buf *out, const struct digest *d) {
    buf_append(out, span_make(d->bytes, DIGEST_BYTES));
}

/* Reading goes on after a mistake without harm; ok says in the end whether there was one. */
struct reader {
    struct span rest;
    bool ok;
};

static uint8_t take_byte(struct reader *r) {
    if (r->rest.size == 0) {
        r->ok = false;
        return 0;
    }
    uint8_t byte = (uint8_t)r->rest.data[0];
    r->rest.data++;
    r->rest.size--;
    return byte;
}

static uint64_t event_take_number(struct reader *r, uint64_t max) {
    uint64_t value = 0;
    uint8_t byte = 0x80;
    for (unsigned shift = 0; byte >= 0x80; shift += 7) {
        byte = take_byte(r);
        bool is_too_long = shift > 63 || (shift == 63 && byte > 1);
        bool is_padded = shift > 0 && byte == 0;
        if (!r->ok || is_too_long || is_padded) {
            r->ok = false;
            return 0;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (value > max)
        r->ok = false;
    return r->ok ? value : 0;
}

static int32_t take_signed(struct reader *r) {
    uint64_t value = event_take_number(r, UINT32_MAX);
    return (int32_t)((value & 1) != 0 ? -(int64_t)((value + 1) >> 1) : (int64_t)(value >> 1));
}

static struct span take_bytes(struct reader *r, uint64_t size) {
    if (size > r->rest.size) {
        r->ok = false;
        return (struct span){"", 0};
    }
    struct span bytes = {r->rest.data, (size_t)size};
    r->rest.data += size;
    r->rest.size -= (size_t)size;
    return bytes;
}

static void take_text(struct reader *r, char *out, size_t bytes_max) {
    struct span text = take_bytes(r, event_take_number(r, bytes_max));
    if (text.size == 0 || !utf8_is_valid(text) || !span_copy(text, out, bytes_max + 1))
        r->ok = false;
}

static void take_text_or_none(struct reader *r, char *out, size_t bytes_max) {
    if (r->rest.size > 0 && r->rest.data[0] == 0)
        take_byte(r);
    else
        take_text(r, out, bytes_max);
}

static void event_take_name(struct reader *r, char name[EVENT_NAME_BYTES_MAX + 1]) {
    take_text(r, name, EVENT_NAME_BYTES_MAX);
}

static void take_digest(struct reader *r, struct digest *out) {
    struct span bytes = take_bytes(r, DIGEST_BYTES);
    if (bytes.size == DIGEST_BYTES)
        memcpy(out->bytes, bytes.data, DIGEST_BYTES);
}

static uint8_t take_flags(struct reader *r, uint8_t known) {
    uint8_t flags = take_byte(r);
    if ((flags & ~known) != 0)
        r->ok = false;
    return flags;
}

static unsigned event_take_seat(struct reader *r) {
    unsigned seat = take_byte(r);
    if (seat >= SEATS_MAX)
        r->ok = false;
    return seat;
}

static uint32_t take_seat_count(struct reader *r) {
    uint8_t count = take_byte(r);
    if (count < 1 || count > SEATS_MAX) {
        r->ok = false;
        return 0;
    }
    return count;
}

static enum err event_take_end(const struct reader *r) {
    return r->ok && r->rest.size == 0 ? ERR_OK : ERR_MALFORMED;
}

/* Options at their end that are 0 are left out, so that a game may get new ones. */
static size_t options_written(const struct game_options *options) {
    size_t count = GAME_OPTIONS_MAX;
    while (count > 0 && options->value[count - 1] == 0)
        count--;
    return count;
}

void event_setup_write(struct buf *out, const struct event_setup *setup) {
    size_t options = options_written(&setup->options);
    assert(setup->format == EVENT_FORMAT);
    assert(setup->options.seat_count >= 1 && setup->options.seat_count <= SEATS_MAX);
    event_put_number(out, setup->format);
    put_name(out, setup->game);
    event_put_number(out, setup->rules_version);
    buf_append_byte(out, (char)setup->options.seat_count);
    event_put_number(out, options);
    for (size_t i = 0; i < options; i++)
        put_signed(out, setup->options.value[i]);
    buf_append_byte(
        out, (char)((setup->violation_loses ? SETUP_VIOLATION_LOSES : 0) |
                    (setup->note[0] != '\0' ? SETUP_NOTE : 0) | (setup->house[0] != '\0' ? SETUP_HOUSE : 0) |
                    (setup->has_given ? SETUP_GIVEN : 0) | (setup->waits_for_seats ? SETUP_WAITS : 0)));
    event_put_number(out, setup->turn_timeout_ms);
    put_name(out, setup->protocol);
    put_digest(out, &setup->commitment);
    if (setup->note[0] != '\0')
        put_text(out, setup->note, EVENT_NOTE_BYTES_MAX);
    if (setup->house[0] != '\0')
        put_text(out, setup->house, EVENT_NOTE_BYTES_MAX);
}

enum err event_setup_read(struct span body, struct event_setup *setup) {
    struct reader r = {body, true};
    *setup = (struct event_setup){0};
    setup->format = (uint32_t)event_take_number(&r, UINT32_MAX);
    if (setup->format != EVENT_FORMAT)
        return ERR_MALFORMED;
    event_take_name(&r, setup->game);
    setup->rules_version = (uint32_t)event_take_number(&r, UINT32_MAX);
    setup->options.seat_count = take_seat_count(&r);
    size_t options = (size_t)event_take_number(&r, GAME_OPTIONS_MAX);
    for (size_t i = 0; i < options; i++)
        setup->options.value[i] = take_signed(&r);
    if (options_written(&setup->options) != options)
        r.ok = false;
    uint8_t flags = take_flags(&r, SETUP_FLAGS);
    setup->violation_loses = (flags & SETUP_VIOLATION_LOSES) != 0;
    setup->has_given = (flags & SETUP_GIVEN) != 0;
    setup->waits_for_seats = (flags & SETUP_WAITS) != 0;
    setup->turn_timeout_ms = (uint32_t)event_take_number(&r, UINT32_MAX);
    event_take_name(&r, setup->protocol);
    take_digest(&r, &setup->commitment);
    if ((flags & SETUP_NOTE) != 0)
        take_text(&r, setup->note, EVENT_NOTE_BYTES_MAX);
    if ((flags & SETUP_HOUSE) != 0)
        take_text(&r, setup->house, EVENT_NOTE_BYTES_MAX);
    return event_take_end(&r);
}

bool event_seed_fits(struct span seed) {
    return seed.size > 0 && seed.size <= EVENT_SEED_BYTES_MAX && utf8_is_valid(seed) &&
           !utf8_has_control(seed);
}

void event_seat_write(struct buf *out, const struct event_seat *seat) {
    assert(seat->seat < SEATS_MAX);
    buf_append_byte(out, (char)seat->seat);
    buf_append_byte(out,
                    (char)((seat->is_drawn ? SEAT_DRAWN : 0) | (seat->has_token ? SEAT_TOKEN : 0) |
                           (seat->note[0] != '\0' ? SEAT_NOTE : 0) | (seat->seed[0] != '\0' ? SEAT_SEED : 0) |
                           (seat->name[0] == '\0' ? SEAT_FREE : 0) | (seat->has_home ? SEAT_HOME : 0)));
    if (seat->name[0] != '\0')
        put_name(out, seat->name);
    if (seat->has_token)
        put_digest(out, &seat->token);
    if (seat->note[0] != '\0')
        put_text(out, seat->note, EVENT_NOTE_BYTES_MAX);
    if (seat->seed[0] != '\0')
        put_text(out, seat->seed, EVENT_SEED_BYTES_MAX);
    if (seat->has_home)
        put_digest(out, &seat->home);
}

enum err event_seat_read(struct span body, struct event_seat *seat) {
    struct reader r = {body, true};
    *seat = (struct event_seat){0};
    seat->seat = event_take_seat(&r);
    uint8_t flags = take_flags(&r, SEAT_FLAGS);
    seat->is_drawn = (flags & SEAT_DRAWN) != 0;
    seat->has_token = (flags & SEAT_TOKEN) != 0;
    seat->has_home = (flags & SEAT_HOME) != 0;
    if (flags == SEAT_FREE)
        return event_take_end(&r);
    if ((flags & SEAT_FREE) != 0)
        return ERR_MALFORMED;
    event_take_name(&r, seat->name);
    if (seat->has_token)
        take_digest(&r, &seat->token);
    if ((flags & SEAT_NOTE) != 0)
        take_text(&r, seat->note, EVENT_NOTE_BYTES_MAX);
    if ((flags & SEAT_SEED) != 0) {
        take_text(&r, seat->seed, EVENT_SEED_BYTES_MAX);
        r.ok = r.ok && event_seed_fits(span_of(seat->seed));
    }
    if (seat->has_home)
        take_digest(&r, &seat->home);
    return event_take_end(&r);
}

static void put_actions(struct buf *out, uint8_t who, const struct action *actions, size_t count) {
    assert(count >= 1 && count <= EVENT_ACTIONS_MAX);
    buf_append_byte(out, (char)who);
    event_put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        size_t args = ACTION_ARGS;
        while (args > 0 && actions[i].arg[args - 1] == 0)
            args--;
        buf_append_byte(out, (char)(1 + args));
        buf_append_byte(out, (char)actions[i].kind);
        buf_append(out, span_make(actions[i].arg, args));
    }
}

void event_action_write(struct buf *out, unsigned seat, const struct action *actions, size_t count) {
    assert(seat < SEATS_MAX || seat == SEAT_CHANCE);
    put_actions(out, seat == SEAT_CHANCE ? WHO_CHANCE : (uint8_t)seat, actions, count);
}

void event_timed_write(struct buf *out, unsigned seat, const struct action *actions, size_t count,
                       uint32_t used_ms, bool ends_turn) {
    assert(seat < SEATS_MAX);
    put_actions(out, (uint8_t)(WHO_TIMED | seat), actions, count);
    event_put_number(out, (uint64_t)used_ms * 2 + ends_turn);
}

void event_given_write(struct buf *out, const struct action *actions, size_t count) {
    put_actions(out, WHO_GIVEN, actions, count);
}

static void event_take_action(struct reader *r, struct action *action) {
    uint8_t size = take_byte(r);
    if (size < 1 || size > ACTION_BYTES) {
        r->ok = false;
        return;
    }
    action->kind = take_byte(r);
    struct span args = take_bytes(r, size - 1u);
    if (args.size > 0 && args.data[args.size - 1] == 0)
        r->ok = false;
    memcpy(action->arg, args.data, args.size);
}

enum err event_action_read(struct span body, struct event_action *action) {
    struct reader r = {body, true};
    uint8_t who = take_byte(&r);
    bool is_chance = who == WHO_CHANCE || who == WHO_GIVEN;
    action->has_time = !is_chance && (who & WHO_TIMED) != 0;
    who = action->has_time ? who & (uint8_t)~WHO_TIMED : who;
    size_t count = (size_t)event_take_number(&r, EVENT_ACTIONS_MAX);
    action->seat = is_chance ? SEAT_CHANCE : who;
    action->is_given = who == WHO_GIVEN;
    action->action_count = count;
    if (count == 0 || (!is_chance && who >= SEATS_MAX))
        return ERR_MALFORMED;
    memset(action->actions, 0, count * sizeof action->actions[0]);
    for (size_t i = 0; i < count && r.ok; i++)
        event_take_action(&r, &action->actions[i]);
    uint64_t time = action->has_time ? event_take_number(&r, (uint64_t)UINT32_MAX * 2 + 1) : 0;
    action->used_ms = (uint32_t)(time / 2);
    action->ends_turn = time % 2 == 1;
    return event_take_end(&r);
}

static void event_put_stamps(struct buf *out, const struct event_stamps *stamps) {
    event_put_number(out, (uint64_t)stamps->asked_ms);
    event_put_number(out, (uint64_t)stamps->heard_ms);
    event_put_number(out, stamps->used_ms);
    event_put_number(out, stamps->allowed_ms);
}

void event_forfeit_write(struct buf *out, const struct event_forfeit *forfeit) {
    assert(forfeit->seat < SEATS_MAX);
    buf_append_byte(out, (char)forfeit->seat);
    buf_append_byte(out, (char)(forfeit->reason | (forfeit->has_stamps ? FORFEIT_STAMPS : 0)));
    if (!forfeit->has_stamps && forfeit->why[0] == '\0')
        return;
    assert(forfeit->has_stamps || forfeit->reason == REASON_VIOLATION);
    put_text_or_none(out, forfeit->why, EVENT_WHY_BYTES_MAX);
    put_text_or_none(out, forfeit->rule, EVENT_RULE_BYTES_MAX);
    put_text_or_none(out, forfeit->sent, EVENT_SENT_BYTES_MAX);
    if (!forfeit->has_stamps)
        return;
    event_put_stamps(out, &forfeit->stamps);
}

static void event_take_stamps(struct reader *r, struct event_stamps *out) {
    out->asked_ms = (int64_t)event_take_number(r, INT64_MAX);
    out->heard_ms = (int64_t)event_take_number(r, INT64_MAX);
    out->used_ms = (uint32_t)event_take_number(r, UINT32_MAX);
    out->allowed_ms = (uint32_t)event_take_number(r, UINT32_MAX);
}

enum err event_forfeit_read(struct span body, struct event_forfeit *forfeit) {
    struct reader r = {body, true};
    *forfeit = (struct event_forfeit){.seat = event_take_seat(&r)};
    uint8_t byte = take_byte(&r), reason = byte & (uint8_t)~FORFEIT_STAMPS;
    forfeit->reason = (enum event_reason)reason;
    forfeit->has_stamps = (byte & FORFEIT_STAMPS) != 0;
    if (forfeit->has_stamps || (reason == REASON_VIOLATION && r.rest.size > 0)) {
        take_text_or_none(&r, forfeit->why, EVENT_WHY_BYTES_MAX);
        take_text_or_none(&r, forfeit->rule, EVENT_RULE_BYTES_MAX);
        take_text_or_none(&r, forfeit->sent, EVENT_SENT_BYTES_MAX);
        bool has_more = !forfeit->has_stamps || forfeit->rule[0] != '\0' || forfeit->sent[0] != '\0';
        r.ok = r.ok && (forfeit->why[0] != '\0' || !has_more);
    }
    if (forfeit->has_stamps)
        event_take_stamps(&r, &forfeit->stamps);
    return reason <= REASON_RESIGNED ? event_take_end(&r) : ERR_MALFORMED;
}

void event_attendance_write(struct buf *out, const struct event_attendance *attendance) {
    assert(attendance->seat < SEATS_MAX);
    buf_append_byte(out, (char)attendance->seat);
    buf_append_byte(out, attendance->attendance == SEAT_BACK ? 1 : 0);
}

enum err event_attendance_read(struct span body, struct event_attendance *attendance) {
    struct reader r = {body, true};
    attendance->seat = event_take_seat(&r);
    uint8_t is_back = take_byte(&r);
    attendance->attendance = is_back == 1 ? SEAT_BACK : SEAT_AWAY;
    return is_back <= 1 ? event_take_end(&r) : ERR_MALFORMED;
}

void event_result_write(struct buf *out, const struct event_result *result) {
    assert(result->seat_count >= 1 && result->seat_count <= SEATS_MAX);
    bool is_new = result->outcome == OUTCOME_FORFEITED && !result->all_others_win;
    buf_append_byte(out, is_new ? RESULT_FORFEITED : (char)result->outcome);
    buf_append_byte(out, (char)result->seat_count);
    for (uint32_t seat = 0; seat < result->seat_count; seat++)
        put_signed(out, result->points[seat]);
    put_digest(out, &result->secret);
}

enum err event_result_read(struct span body, struct event_result *result) {
    struct reader r = {body, true};
    *result = (struct event_result){0};
    uint8_t outcome = take_byte(&r);
    result->all_others_win = outcome == OUTCOME_FORFEITED;
    if (outcome == RESULT_FORFEITED)
        outcome = OUTCOME_FORFEITED;
    result->outcome = (enum event_outcome)outcome;
    result->seat_count = take_seat_count(&r);
    for (uint32_t seat = 0; seat < result->seat_count; seat++)
        result->points[seat] = take_signed(&r);
    take_digest(&r, &result->secret);
    return outcome >= OUTCOME_PLAYED && outcome <= OUTCOME_UNDECIDED ? event_take_end(&r) : ERR_MALFORMED;
}

void event_championship_write(struct buf *out, const struct event_championship *championship) {
    assert(championship->format == EVENT_FORMAT && championship->entrants <= EVENT_ENTRANTS_MAX);
    event_put_number(out, championship->format);
    event_put_number(out, championship->number);
    event_put_number(out, championship->entrants);
    put_name(out, championship->type);
}

enum err event_championship_read(struct span body, struct event_championship *championship) {
    struct reader r = {body, true};
    *championship = (struct event_championship){0};
    championship->format = (uint32_t)event_take_number(&r, UINT32_MAX);
    if (championship->format != EVENT_FORMAT)
        return ERR_MALFORMED;
    championship->number = event_take_number(&r, UINT64_MAX);
    championship->entrants = (uint32_t)event_take_number(&r, EVENT_ENTRANTS_MAX);
    event_take_name(&r, championship->type);
    return championship->entrants >= 2 ? event_take_end(&r) : ERR_MALFORMED;
}

void event_entrant_write(struct buf *out, const struct event_entrant *entrant) {
    put_name(out, entrant->nick);
    if (entrant->has_home)
        put_digest(out, &entrant->home);
}

enum err event_entrant_read(struct span body, struct event_entrant *entrant) {
    struct reader r = {body, true};
    event_take_name(&r, entrant->nick);
    entrant->has_home = r.ok && r.rest.size > 0;
    if (entrant->has_home)
        take_digest(&r, &entrant->home);
    return event_take_end(&r);
}

void event_pair_write(struct buf *out, const struct event_pair *pair) {
    assert(pair->a < pair->b && pair->b < EVENT_ENTRANTS_MAX);
    event_put_number(out, pair->a);
    event_put_number(out, pair->b);
    buf_append_byte(out, (char)((pair->a_won ? PAIR_A_WON : 0) | (pair->a_lost ? PAIR_A_LOST : 0) |
                                (pair->b_won ? PAIR_B_WON : 0) | (pair->b_lost ? PAIR_B_LOST : 0)));
}

enum err event_pair_read(struct span body, struct event_pair *pair) {
    struct reader r = {body, true};
    pair->a = (uint32_t)event_take_number(&r, EVENT_ENTRANTS_MAX - 1);
    pair->b = (uint32_t)event_take_number(&r, EVENT_ENTRANTS_MAX - 1);
    uint8_t flags = take_flags(&r, PAIR_FLAGS);
    pair->a_won = (flags & PAIR_A_WON) != 0;
    pair->a_lost = (flags & PAIR_A_LOST) != 0;
    pair->b_won = (flags & PAIR_B_WON) != 0;
    pair->b_lost = (flags & PAIR_B_LOST) != 0;
    return pair->a < pair->b ? event_take_end(&r) : ERR_MALFORMED;
}

void event_withdrawal_write(struct buf *out, const struct event_withdrawal *withdrawal) {
    assert(withdrawal->entrant < EVENT_ENTRANTS_MAX);
    event_put_number(out, withdrawal->entrant);
}

enum err event_withdrawal_read(struct span body, struct event_withdrawal *withdrawal) {
    struct reader r = {body, true};
    withdrawal->entrant = (uint32_t)event_take_number(&r, EVENT_ENTRANTS_MAX - 1);
    return event_take_end(&r);
}

void event_close_write(struct buf *out, const struct event_close *end) {
    buf_append_byte(out, (char)end->outcome);
}

enum err event_close_read(struct span body, struct event_close *end) {
    struct reader r = {body, true};
    uint8_t outcome = take_byte(&r);
    end->outcome = (enum event_outcome)outcome;
    return outcome == OUTCOME_PLAYED || outcome == OUTCOME_UNDECIDED ? event_take_end(&r) : ERR_MALFORMED;
}

/* Cups. */

static void put_options(struct buf *out, const struct game_options *options) {
    size_t count = options_written(options);
    buf_append_byte(out, (char)options->seat_count);
    event_put_number(out, count);
    for (size_t i = 0; i < count; i++)
        put_signed(out, options->value[i]);
}

static void take_options(struct reader *r, struct game_options *options) {
    options->seat_count = take_seat_count(r);
    size_t count = (size_t)event_take_number(r, GAME_OPTIONS_MAX);
    for (size_t i = 0; i < count; i++)
        options->value[i] = take_signed(r);
    if (count > 0 && options->value[count - 1] == 0)
        r->ok = false; /* those at the end are left out */
}

void event_cup_write(struct buf *out, const struct event_cup *cup) {
    assert(cup->format == EVENT_FORMAT);
    event_put_number(out, cup->format);
    put_name(out, cup->name);
    put_name(out, cup->game);
    put_name(out, cup->protocol);
    event_put_number(out, cup->number);
    put_options(out, &cup->options);
    event_put_number(out, cup->rounds);
    event_put_number(out, cup->turn_ms);
    event_put_number(out, cup->game_ms);
    event_put_number(out, cup->increment_ms);
    event_put_number(out, cup->tables_max);
    put_digest(out, &cup->owner);
}

enum err event_cup_read(struct span body, struct event_cup *cup) {
    struct reader r = {body, true};
    *cup = (struct event_cup){0};
    cup->format = (uint32_t)event_take_number(&r, UINT32_MAX);
    if (cup->format != EVENT_FORMAT)
        return ERR_MALFORMED;
    event_take_name(&r, cup->name);
    event_take_name(&r, cup->game);
    event_take_name(&r, cup->protocol);
    cup->number = (uint32_t)event_take_number(&r, UINT32_MAX);
    take_options(&r, &cup->options);
    cup->rounds = (uint32_t)event_take_number(&r, UINT32_MAX);
    cup->turn_ms = (uint32_t)event_take_number(&r, UINT32_MAX);
    cup->game_ms = (uint32_t)event_take_number(&r, UINT32_MAX);
    cup->increment_ms = (uint32_t)event_take_number(&r, UINT32_MAX);
    cup->tables_max = (uint32_t)event_take_number(&r, UINT32_MAX);
    take_digest(&r, &cup->owner);
    return event_take_end(&r);
}

/* A bot's level, or 0 and the token; behind it 1 when it is a client of a protocol. */
void event_cup_entrant_write(struct buf *out, const struct event_cup_entrant *entrant) {
    put_name(out, entrant->name);
    event_put_number(out, entrant->bot_level);
    if (entrant->bot_level == 0)
        put_digest(out, &entrant->token);
    if (entrant->is_client)
        buf_append_byte(out, 1);
}

enum err event_cup_entrant_read(struct span body, struct event_cup_entrant *entrant) {
    struct reader r = {body, true};
    *entrant = (struct event_cup_entrant){0};
    event_take_name(&r, entrant->name);
    entrant->bot_level = (uint32_t)event_take_number(&r, UINT8_MAX);
    if (entrant->bot_level == 0)
        take_digest(&r, &entrant->token);
    entrant->is_client = r.ok && r.rest.size > 0 && entrant->bot_level == 0;
    if (entrant->is_client && take_byte(&r) != 1)
        r.ok = false;
    return event_take_end(&r);
}

void event_cup_gone_write(struct buf *out, const struct event_cup_gone *gone) {
    event_put_number(out, gone->entrant);
    buf_append_byte(out, gone->is_disqualified);
    put_text_or_none(out, gone->why, EVENT_WHY_BYTES_MAX);
}

enum err event_cup_gone_read(struct span body, struct event_cup_gone *gone) {
    struct reader r = {body, true};
    *gone = (struct event_cup_gone){0};
    gone->entrant = (uint32_t)event_take_number(&r, EVENT_CUP_ENTRANTS_MAX - 1);
    gone->is_disqualified = take_flags(&r, 1) != 0;
    take_text_or_none(&r, gone->why, EVENT_WHY_BYTES_MAX);
    return event_take_end(&r);
}

void event_cup_state_write(struct buf *out, enum event_cup_step step) {
    buf_append_byte(out, (char)step);
}

enum err event_cup_state_read(struct span body, enum event_cup_step *step) {
    struct reader r = {body, true};
    uint8_t byte = take_byte(&r);
    *step = (enum event_cup_step)byte;
    return byte >= CUP_STEP_BEGIN && byte <= CUP_STEP_RESUME ? event_take_end(&r) : ERR_MALFORMED;
}

void event_cup_round_write(struct buf *out, const struct event_cup_round *round) {
    event_put_number(out, round->count);
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_cup_pairing *p = &round->pairings[i];
        event_put_number(out, p->round);
        buf_append_byte(out, (char)p->count);
        for (uint32_t seat = 0; seat < p->count; seat++)
            event_put_number(out, p->entrant[seat]);
        event_put_number(out, p->table);
    }
}

enum err event_cup_round_read(struct span body, struct event_cup_round *round) {
    struct reader r = {body, true};
    round->count = (uint32_t)event_take_number(&r, EVENT_CUP_ROUND_MAX);
    for (uint32_t i = 0; i < round->count && r.ok; i++) {
        struct event_cup_pairing *p = &round->pairings[i];
        *p = (struct event_cup_pairing){.round = (uint32_t)event_take_number(&r, UINT8_MAX)};
        p->count = take_seat_count(&r);
        for (uint32_t seat = 0; seat < p->count; seat++)
            p->entrant[seat] = (uint32_t)event_take_number(&r, EVENT_CUP_ENTRANTS_MAX - 1);
        p->table = event_take_number(&r, UINT64_MAX);
    }
    return event_take_end(&r);
}

void event_cup_result_write(struct buf *out, const struct event_cup_result *result) {
    event_put_number(out, result->pairing);
    event_put_number(out, result->how);
    buf_append_byte(out, (char)result->seat_count);
    for (uint32_t seat = 0; seat < result->seat_count; seat++)
        put_signed(out, result->results[seat]);
    buf_append_byte(out, (char)result->loser);
    put_text_or_none(out, result->reason, EVENT_RULE_BYTES_MAX);
    put_text_or_none(out, result->why, EVENT_WHY_BYTES_MAX);
    if (!result->has_stamps)
        return;
    put_text_or_none(out, result->rule, EVENT_RULE_BYTES_MAX);
    put_text_or_none(out, result->sent, EVENT_CUP_SENT_BYTES_MAX);
    event_put_stamps(out, &result->stamps);
}

enum err event_cup_result_read(struct span body, struct event_cup_result *result) {
    struct reader r = {body, true};
    *result = (struct event_cup_result){0};
    result->pairing = (uint32_t)event_take_number(&r, EVENT_CUP_PAIRINGS_MAX - 1);
    result->how = (uint32_t)event_take_number(&r, UINT8_MAX);
    result->seat_count = take_seat_count(&r);
    for (uint32_t seat = 0; seat < result->seat_count; seat++)
        result->results[seat] = take_signed(&r);
    result->loser = take_byte(&r);
    if (result->loser >= result->seat_count && result->loser != SEAT_WATCHER)
        r.ok = false;
    take_text_or_none(&r, result->reason, EVENT_RULE_BYTES_MAX);
    take_text_or_none(&r, result->why, EVENT_WHY_BYTES_MAX);
    result->has_stamps = r.ok && r.rest.size > 0;
    if (result->has_stamps) {
        take_text_or_none(&r, result->rule, EVENT_RULE_BYTES_MAX);
        take_text_or_none(&r, result->sent, EVENT_CUP_SENT_BYTES_MAX);
        event_take_stamps(&r, &result->stamps);
    }
    return event_take_end(&r);
}

void event_cup_replay_write(struct buf *out, const struct event_cup_replay *replay) {
    event_put_number(out, replay->pairing);
    event_put_number(out, replay->table);
}

enum err event_cup_replay_read(struct span body, struct event_cup_replay *replay) {
    struct reader r = {body, true};
    replay->pairing = (uint32_t)event_take_number(&r, EVENT_CUP_PAIRINGS_MAX - 1);
    replay->table = event_take_number(&r, UINT64_MAX);
    return event_take_end(&r);
}

void event_number_write(struct buf *out, uint64_t value) {
    event_put_number(out, value);
}

bool event_number_read(struct span *rest, uint64_t *out) {
    struct reader r = {*rest, true};
    *out = event_take_number(&r, UINT64_MAX);
    *rest = r.rest;
    return r.ok;
}

void event_body_give(struct buf *out, struct span body) {
    buf_append_byte(out, (char)WHO_GIVEN);
    buf_append(out, span_make(body.data + 1, body.size - 1));
}

bool event_begins(enum event_kind kind) {
    return kind == EVENT_SETUP || kind == EVENT_CHAMPIONSHIP || kind == EVENT_CUP;
}

bool event_ends(enum event_kind kind) {
    return kind == EVENT_RESULT || kind == EVENT_CLOSE || kind == EVENT_CUP_CLOSE;
}

void event_row(const struct event *first, char game[EVENT_NAME_BYTES_MAX + 1],
               char protocol[EVENT_NAME_BYTES_MAX + 1]) {
    struct event_setup setup;
    struct event_championship championship;
    struct event_cup cup;
    game[0] = protocol[0] = '\0';
    if (first->kind == EVENT_CHAMPIONSHIP) {
        memcpy(protocol, EVENT_PROTOCOL_CHAMPIONSHIP, sizeof EVENT_PROTOCOL_CHAMPIONSHIP);
        if (event_championship_read(first->body, &championship) == ERR_OK)
            memcpy(game, championship.type, sizeof championship.type);
    } else if (first->kind == EVENT_CUP) {
        memcpy(protocol, EVENT_PROTOCOL_CHAMPIONSHIP, sizeof EVENT_PROTOCOL_CHAMPIONSHIP);
        if (event_cup_read(first->body, &cup) == ERR_OK)
            memcpy(game, cup.game, sizeof cup.game);
    } else if (event_setup_read(first->body, &setup) == ERR_OK) {
        memcpy(game, setup.game, sizeof setup.game);
        memcpy(protocol, setup.protocol, sizeof setup.protocol);
    }
}

bool event_attends(const struct event *event, unsigned *seat, enum attendance *attendance) {
    struct event_forfeit forfeit;
    struct event_attendance coming;
    switch (event->kind) {
    case EVENT_TIMEOUT:
    case EVENT_FORFEIT:
        if (event_forfeit_read(event->body, &forfeit) != ERR_OK)
            return false;
        *seat = forfeit.seat;
        *attendance = SEAT_RETIRED;
        return true;
    case EVENT_ATTENDANCE:
        if (event_attendance_read(event->body, &coming) != ERR_OK)
            return false;
        *seat = coming.seat;
        *attendance = coming.attendance;
        return true;
    case EVENT_SETUP:
    case EVENT_SEAT:
    case EVENT_ACTION:
    case EVENT_CHANCE:
    case EVENT_RESULT:
    case EVENT_CHAMPIONSHIP:
    case EVENT_ENTRANT:
    case EVENT_PAIR:
    case EVENT_WITHDRAWAL:
    case EVENT_CLOSE:
    case EVENT_CUP:
    case EVENT_CUP_ENTRANT:
    case EVENT_CUP_GONE:
    case EVENT_CUP_STATE:
    case EVENT_CUP_ROUND:
    case EVENT_CUP_RESULT:
    case EVENT_CUP_REPLAY:
    case EVENT_CUP_CLOSE: break;
    }
    return false;
}

const char *event_kind_word(unsigned kind) {
    static const char *const words[] = {
        [EVENT_SETUP] = "setup",
        [EVENT_SEAT] = "seat",
        [EVENT_ACTION] = "action",
        [EVENT_CHANCE] = "chance",
        [EVENT_TIMEOUT] = "timeout",
        [EVENT_FORFEIT] = "forfeit",
        [EVENT_RESULT] = "result",
        [EVENT_ATTENDANCE] = "attendance",
        [EVENT_CHAMPIONSHIP] = "championship",
        [EVENT_ENTRANT] = "entrant",
        [EVENT_PAIR] = "pair",
        [EVENT_WITHDRAWAL] = "withdrawal",
        [EVENT_CLOSE] = "close",
        [EVENT_CUP] = "cup",
        [EVENT_CUP_ENTRANT] = "cup-entrant",
        [EVENT_CUP_GONE] = "cup-gone",
        [EVENT_CUP_STATE] = "cup-state",
        [EVENT_CUP_ROUND] = "cup-round",
        [EVENT_CUP_RESULT] = "cup-result",
        [EVENT_CUP_REPLAY] = "cup-replay",
        [EVENT_CUP_CLOSE] = "cup-close",
    };
    if (kind >= sizeof words / sizeof words[0] || words[kind] == NULL)
        return "?";
    return words[kind];
}

static const char code_digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

void table_code_format(uint64_t table, char code[TABLE_CODE_CHARS + 1]) {
    int chars = 1;
    while (chars < TABLE_CODE_CHARS && table >> (5 * chars) != 0)
        chars++;
    for (int i = 0; i < chars; i++)
        code[i] = code_digits[table >> (5 * (chars - 1 - i)) & 31];
    code[chars] = '\0';
}

bool table_code_parse(struct span code, uint64_t *out) {
    uint64_t table = 0;
    if (code.size == 0 || code.size > TABLE_CODE_CHARS || (code.size > 1 && code.data[0] == '0'))
        return false;
    for (size_t i = 0; i < code.size; i++) {
        char c = code.data[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        const char *digit = c == '\0' ? NULL : strchr(code_digits, c);
        if (digit == NULL)
            return false;
        table = table << 5 | (uint64_t)(digit - code_digits);
    }
    *out = table;
    return true;
}
