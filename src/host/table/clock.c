/* The clocks of a table: of the turn, and of each seat for the whole game. A clock runs from the moment when
 * its seat was asked to the moment when the bytes of the answer arrived, and stands while the table saves.
 * What a seat has used of its game stands in the journal with each of its actions; so every node and every
 * restart knows the same. docs/clocks.md has the rules by their numbers. */
#include "host/table/internal.h"

#include "base/receipt.h"

#include <assert.h>
#include <stdio.h>

/* C3: seats whose time is told with their actions are never struck by a clock. */
static seat_set clock_seats(const struct table *t) {
    seat_set turn = t->fold.game->turn(t->fold.state);
    return table_free_seats(t) > 0 || t->is_held || turn == SEAT_BIT(SEAT_CHANCE) ? 0 : turn & ~t->told;
}

static uint64_t clock_bank_ms(const struct table *t, unsigned seat) {
    uint64_t has_ms = t->game_ms + (uint64_t)t->increment_ms * t->fold.turns[seat];
    return has_ms > t->fold.used_ms[seat] ? has_ms - t->fold.used_ms[seat] : 0;
}

/* Of the time that runs now. */
static uint64_t clock_passed_ms(const struct table *t, unsigned seat) {
    int64_t passed_ms = (int64_t)(t->is_held ? t->held_ms : t->tables->now_ms) - t->since_ms[seat];
    return (t->asked & SEAT_BIT(seat)) != 0 && passed_ms > 0 ? (uint64_t)passed_ms : 0;
}

/* When the clock of a seat for the game runs out. */
static uint64_t clock_game_due_ms(const struct table *t, unsigned seat) {
    int64_t due_ms = t->since_ms[seat] + (int64_t)clock_bank_ms(t, seat);
    return due_ms < 0 ? 0 : (uint64_t)due_ms;
}

/* The seat whose time for the game was over when the timer was to strike, or SEAT_WATCHER. */
static unsigned clock_game_loser(const struct table *t) {
    seat_set seats = t->game_ms == 0 ? 0 : clock_seats(t);
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        if ((seats & SEAT_BIT(seat)) != 0 && clock_game_due_ms(t, seat) <= t->clock_due_ms)
            return seat;
    return SEAT_WATCHER;
}

/* A player whose node may have been lost before the time was over is not charged for that. */
static bool clock_may_strike(const struct table *t) {
    seat_set turn = t->fold.game->turn(t->fold.state);
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++)
        if ((turn & SEAT_BIT(seat)) != 0 && !nodes_were_there(t, seat, t->clock_due_ms))
            return false;
    return table_is_cared(t);
}

/* Clocks run at every node; the one that takes care lets them strike. */
static void clock_ran_out(struct timer *timer, uint64_t now_ms) {
    struct table *t = TIMER_OWNER(timer, struct table, clock);
    if (!clock_may_strike(t)) {
        timers_arm(&t->tables->clocks, timer, now_ms + TABLES_CARE_RETRY_MS, clock_ran_out);
        return;
    }
    char words[TABLE_CAUSE_WORDS_BYTES];
    unsigned loser = clock_game_loser(t);
    bool is_game = loser != SEAT_WATCHER;
    if (is_game)
        snprintf(words, sizeof words, "the time for the whole game is used up");
    else
        snprintf(words, sizeof words, "no action within %g s", t->turn_timeout_ms / 1000.0);
    /* Refused when the seat has just acted, and then its time is not over. */
    enum err e = table_time_out_why(
        t, loser, &(struct table_cause){.rule = is_game ? "clocks C2" : "clocks C1", .words = words});
    (void)e;
}

static void clock_arm(struct table *t) {
    seat_set seats = t->fold.is_finished || t->request != NULL ? 0 : clock_seats(t);
    uint64_t due_ms = t->turn_timeout_ms != 0 && seats != 0 ? t->turn_due_ms : TIMERS_NEVER;
    for (unsigned seat = 0; t->game_ms != 0 && seat < t->fold.setup.options.seat_count; seat++)
        if ((seats & SEAT_BIT(seat)) != 0 && clock_game_due_ms(t, seat) < due_ms)
            due_ms = clock_game_due_ms(t, seat);
    t->clock_due_ms = due_ms;
    if (due_ms == TIMERS_NEVER)
        timers_stop(&t->tables->clocks, &t->clock);
    else
        timers_arm(&t->tables->clocks, &t->clock, due_ms, clock_ran_out);
}

/* C5: what passed while the table saved is charged to nobody who was asked before and still is. */
static void clock_ask_seats(struct table *t, uint64_t used_ms) {
    seat_set turn = t->fold.game->turn(t->fold.state), stay = t->asked & ~t->fold.answered;
    int64_t now_ms = (int64_t)t->tables->now_ms;
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++) {
        if ((stay & turn & SEAT_BIT(seat)) != 0) {
            t->since_ms[seat] += t->is_stopped ? now_ms - (int64_t)t->stopped_ms : 0;
            if (t->since_ms[seat] > now_ms) /* an outage was longer than what had passed of this turn */
                t->since_ms[seat] = now_ms;
            continue;
        }
        t->since_ms[seat] = now_ms - (int64_t)used_ms;
        t->asked_ms[seat] = used_ms > 0 ? t->fold.last_ms : tables_journal_ms(t->tables);
    }
    t->asked = table_free_seats(t) > 0 ? 0 : turn;
    t->fold.answered = 0;
    t->is_stopped = false;
}

void table_clock_start(struct table *t, uint64_t used_ms) {
    clock_ask_seats(t, used_ms);
    t->turn_due_ms = t->tables->now_ms + (t->turn_timeout_ms > used_ms ? t->turn_timeout_ms - used_ms : 0);
    clock_arm(t);
}

void table_clock_stop(struct table *t) {
    timers_stop(&t->tables->clocks, &t->clock);
    t->is_stopped = true;
    t->stopped_ms = t->tables->now_ms;
}

void table_clock_extend(struct table *t, uint64_t more_ms) {
    t->turn_due_ms += more_ms;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        t->since_ms[seat] += (int64_t)more_ms;
    if (timer_is_armed(&t->clock))
        clock_arm(t);
}

void tables_clocks_extend(struct tables *tables, uint64_t more_ms) {
    tables->outages_ms += more_ms;
    for (struct table *t = tables->newest; t != NULL; t = t->older)
        table_clock_extend(t, more_ms);
}

/* C4: bytes that waited for the server arrived earlier than they were looked at. */
uint32_t table_clock_used_ms(const struct table *t, unsigned seat) {
    uint64_t passed_ms = clock_passed_ms(t, seat), waited_ms = receipt_waited_ms();
    passed_ms = passed_ms > waited_ms ? passed_ms - waited_ms : 0;
    return passed_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)passed_ms;
}

void table_clock_stamps(const struct table *t, unsigned seat, uint32_t allowed_ms, struct event_stamps *out) {
    bool is_asked = (t->asked & SEAT_BIT(seat)) != 0;
    int64_t now_ms = tables_journal_ms(t->tables) - (int64_t)receipt_waited_ms();
    uint64_t has_ms = t->game_ms != 0 ? clock_bank_ms(t, seat) : t->turn_timeout_ms;
    if (t->game_ms != 0 && t->turn_timeout_ms != 0 && t->turn_timeout_ms < has_ms)
        has_ms = t->turn_timeout_ms;
    if (allowed_ms == 0 && is_asked)
        allowed_ms = has_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)has_ms;
    int64_t asked_ms = is_asked ? t->asked_ms[seat] : t->fold.last_ms;
    *out = (struct event_stamps){.asked_ms = asked_ms > 0 ? asked_ms : 0,
                                 .heard_ms = now_ms > 0 ? now_ms : 0,
                                 .used_ms = table_clock_used_ms(t, seat),
                                 .allowed_ms = allowed_ms};
}

unsigned table_clock_loser(const struct table *t, unsigned named) {
    seat_set set = t->fold.game->turn(t->fold.state);
    return named == SEAT_WATCHER ? (unsigned)__builtin_ctz(set) : named;
}

void table_set_clock(struct table *t, uint32_t turn_timeout_ms, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    t->turn_timeout_ms = turn_timeout_ms;
    if (t->request != NULL)
        return;
    t->turn_due_ms = now_ms + (turn_timeout_ms > t->used_ms ? turn_timeout_ms - t->used_ms : 0);
    clock_arm(t);
}

void table_set_game_clock(struct table *t, uint32_t game_ms, uint32_t increment_ms, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    t->game_ms = game_ms;
    t->increment_ms = increment_ms;
    if (t->request == NULL)
        clock_arm(t);
}

/* Whose bot has gone is asked from now on: what passed before was not its player's. */
static void clock_ask_again(struct table *t, seat_set seats, uint64_t now_ms) {
    t->tables->now_ms = now_ms;
    for (unsigned seat = 0; seat < t->fold.setup.options.seat_count; seat++) {
        if ((seats & t->asked & SEAT_BIT(seat)) == 0)
            continue;
        t->since_ms[seat] = (int64_t)now_ms;
        t->asked_ms[seat] = tables_journal_ms(t->tables);
        t->turn_due_ms = now_ms + t->turn_timeout_ms;
    }
}

void table_set_told(struct table *t, seat_set seats, uint64_t now_ms) {
    if (t->told == seats)
        return;
    clock_ask_again(t, t->told & ~seats, now_ms);
    t->told = seats;
    if (t->request == NULL)
        clock_arm(t);
}

void table_hold_clock(struct table *t, bool is_held, uint64_t now_ms) {
    if (t->is_held == is_held)
        return;
    t->tables->now_ms = now_ms;
    for (unsigned seat = 0; !is_held && seat < SEATS_MAX; seat++) {
        int64_t from_ms = (int64_t)t->held_ms > t->since_ms[seat] ? (int64_t)t->held_ms : t->since_ms[seat];
        t->since_ms[seat] += (int64_t)now_ms - from_ms;
    }
    t->is_held = is_held;
    t->held_ms = now_ms;
    t->turn_due_ms = now_ms + t->turn_timeout_ms;
    if (t->request == NULL)
        clock_arm(t);
}

uint32_t table_turn_ms(const struct table *t) {
    return t->turn_timeout_ms;
}

uint32_t table_game_ms(const struct table *t) {
    return t->game_ms;
}

uint32_t table_increment_ms(const struct table *t) {
    return t->increment_ms;
}

uint64_t table_left_ms(const struct table *t, unsigned seat) {
    bool is_asked = t->request == NULL && (clock_seats(t) & SEAT_BIT(seat)) != 0;
    uint64_t now_ms = t->tables->now_ms, left_ms = UINT64_MAX;
    if (t->turn_timeout_ms != 0)
        left_ms = !is_asked ? t->turn_timeout_ms : t->turn_due_ms > now_ms ? t->turn_due_ms - now_ms : 0;
    if (t->game_ms == 0)
        return t->turn_timeout_ms == 0 ? 0 : left_ms;
    uint64_t bank_ms = clock_bank_ms(t, seat), passed_ms = is_asked ? clock_passed_ms(t, seat) : 0;
    bank_ms = bank_ms > passed_ms ? bank_ms - passed_ms : 0;
    return bank_ms < left_ms ? bank_ms : left_ms;
}
