/* Cups: opened, entered, directed to the end at tables of a lounge, and gone on with after a restart. */
#include "lounge_world.h"

#include "base/mem.h"
#include "games/santorini/santorini.h"
#include "host/cup/cups.h"

static struct cups *cups;
static int cup_changes;

struct cup_reply {
    bool is_there;
    enum err why;
    char reason[200];
    char token[TOKEN_CHARS + 1];
};
static struct cup_reply last;

static void on_cup_answer(void *context, void *given, const struct cups_answer *a) {
    (void)context;
    struct cup_reply *reply = given;
    assert_false(reply->is_there);
    reply->is_there = true;
    reply->why = a->why;
    snprintf(reply->reason, sizeof reply->reason, "%s", a->reason == NULL ? "" : a->reason);
    snprintf(reply->token, sizeof reply->token, "%s", a->token == NULL ? "" : a->token);
}

static void on_cup_changed(void *context, const struct cup_fold *f) {
    (void)context;
    assert_true(f->last_seq > 0);
    cup_changes++;
}

static void cups_begin(void) {
    cups = cups_create(&(struct cups_config){.tables = tables, .history = history, .lounge = lounge},
                       &(struct cups_output){.answer = on_cup_answer, .changed = on_cup_changed});
    cups_advance(cups, now_ms);
    settle();
}

static int begin(void **unused) {
    start(unused);
    cup_changes = 0;
    cups_begin();
    return 0;
}

static int end(void **unused) {
    cups_stop(cups);
    cups_free(cups);
    return stop(unused);
}

/* As after kill -9: whatever was on its way is lost. */
static void begin_anew(void) {
    cups_stop(cups);
    cups_free(cups);
    restart();
    cups_begin();
}

static void pass_time(uint64_t ms) {
    pass(ms);
    cups_advance(cups, now_ms);
    settle();
}

static void open_cup(const char *name, const struct game *game, uint32_t seats, uint32_t format) {
    last = (struct cup_reply){0};
    cups_open(cups,
              &(struct cups_order){.name = span_of(name),
                                   .game = game,
                                   .options = game_options_default(game, seats),
                                   .format = format,
                                   .clocks = {.turn_ms = 60000},
                                   .tables_max = 3,
                                   .protocol = LOUNGE_PROTOCOL},
              &last, now_ms);
    settle();
    assert_true(last.is_there);
}

static const struct cup_fold *cup(void) {
    const struct cup_fold *f = cups_at(cups, 0);
    assert_non_null(f);
    return f;
}

static enum err wish(struct cups_wish w) {
    last = (struct cup_reply){0};
    w.cup = cup()->id;
    cups_wish(cups, &w, &last, now_ms);
    settle();
    assert_true(last.is_there);
    return last.why;
}

static enum err enter(const char *name, unsigned level) {
    return wish((struct cups_wish){.kind = CUPS_ENTER, .name = span_of(name), .bot_level = level});
}

static enum err do_it(enum cups_wish_kind kind) {
    return wish((struct cups_wish){.kind = kind});
}

static void enter_bots(unsigned count) {
    char name[16];
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof name, "bot-%u", i + 1);
        assert_int_equal(enter(name, 1), ERR_OK);
    }
}

/* A request of bots after the other, until the cup is over or so many were made. */
static unsigned play(unsigned steps) {
    unsigned made = 0;
    settle();
    while (made < steps && !cup_fold_is_closed(cup()) && thinker_inline_work(thinker)) {
        settle();
        made++;
    }
    return made;
}

static void of_bots(uint32_t format) {
    open_cup("spring", &paper_soccer_game, 2, format);
    assert_int_equal(last.why, ERR_OK);
    assert_int_equal(strlen(last.token), TOKEN_CHARS);
    enter_bots(5);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    play(1000000);
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_true(cup_sheet_is_decided(&cup()->sheet));
}

static void bots_of_every_format(void **unused) {
    (void)unused;
    for (uint32_t format = 1; format < CUP_FORMAT_COUNT; format++) {
        char name[16];
        snprintf(name, sizeof name, "cup-%u", format);
        open_cup(name, &paper_soccer_game, 2, format);
        assert_int_equal(last.why, ERR_OK);
        enter_bots(3);
        assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
        play(1000000);
        assert_int_equal(cup()->phase, CUP_OVER);
    }
}

/* Nobody sits at two tables, and no more tables run than may. */
static void tables_run_beside_each_other(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    enter_bots(8);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    unsigned most = 0;
    while (!cup_fold_is_closed(cup())) {
        unsigned running = 0, at[CUP_ENTRANTS_MAX] = {0};
        const struct cup_fold *f = cup();
        for (uint32_t i = 0; i < f->sheet.pairing_count; i++)
            if (f->sheet.pairings[i].how == CUP_UNDECIDED && cups_is_played(cups, f, i)) {
                running++;
                for (uint32_t seat = 0; seat < 2; seat++)
                    assert_int_equal(at[f->sheet.pairings[i].entrant[seat]]++, 0);
            }
        assert_true(running <= 3);
        most = running > most ? running : most;
        assert_true(play(1) == 1 || cup_fold_is_closed(cup()));
    }
    assert_int_equal(most, 3);
    assert_int_equal(cup()->sheet.pairing_count, 28);
}

/* The same cup twice, once with a restart after every so many steps: tables that ran go on where they were.
 */
static void a_restart_goes_on(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_SWISS);
    enter_bots(6);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    unsigned restarts = 0;
    while (!cup_fold_is_closed(cup())) {
        play(37);
        if (restarts < 25 && !cup_fold_is_closed(cup())) {
            uint64_t seq = cup()->last_seq;
            begin_anew();
            assert_true(cup()->last_seq >= seq);
            restarts++;
        }
    }
    assert_true(restarts >= 5);
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(cup()->sheet.pairing_count, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(cup()->records[i].replays, 0);
        const struct fold *fold = past_at(history, cup()->records[i].table, HISTORY_LAST);
        assert_true(fold != NULL && fold->is_finished);
        for (unsigned seat = 0; seat < 2; seat++)
            assert_string_equal(fold->seats[seat]->name,
                                cup_fold_name(cup(), cup()->sheet.pairings[i].entrant[seat]));
    }
}

static struct table *table_of(uint32_t pairing) {
    struct table *t = tables_find(tables, cup()->records[pairing].table);
    assert_non_null(t);
    return t;
}

/* Who entered through the API has a token that is known at every table; who does not move runs out of time.
 */
static void people_have_tokens(void **unused) {
    (void)unused;
    struct digest token;
    open_cup("spring", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    assert_int_equal(enter("ann", 0), ERR_OK);
    assert_true(token_hash(span_of(last.token), &token));
    assert_int_equal(cups_entrant_of(cup(), &token), 0);
    assert_int_equal(enter("bob", 0), ERR_OK);
    assert_int_equal(enter("ann", 1), ERR_FIELD_INVALID);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    struct table *t = table_of(0);
    unsigned seat = table_seat_by_token(t, &token);
    assert_true(seat < 2);
    assert_string_equal(table_name(t, seat), "ann");
    assert_int_equal(table_free_seats(t), 0);
    assert_int_equal(table_turn_ms(t), 60000);
    unsigned mover = table_may_act(t, 0) ? 0 : 1;
    pass_time(61000);
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(cup()->sheet.pairings[0].how, CUP_FORFEITED);
    assert_int_equal(cup()->sheet.pairings[0].points[mover], 0);
    assert_int_equal(cup()->records[0].loser, mover);
    assert_string_equal(cup()->records[0].reason, "time");
    assert_true(cup()->records[0].why[0] != '\0'); /* as the table says it */
    assert_true(cup()->records[0].has_stamps);
    assert_true(cup()->records[0].stamps.heard_ms >= cup()->records[0].stamps.asked_ms);
    assert_int_equal(sit(table_id(t), SEAT_WATCHER, "eve")->answer.why, ERR_TABLE_OVER);
}

static struct glicko strength(const char *name) {
    const struct cup_fold *f = cup();
    return cups_rating_line(cups, f, cup_fold_named(f, span_of(name))).after;
}

static void assert_same_strength(struct glicko a, struct glicko b) {
    assert_true(a.rating == b.rating && a.deviation == b.deviation && a.volatility == b.volatility);
}

/* ann wins, because bob leaves. */
static void play_for_ann(const char *name, const struct digest *token) {
    pass_time(1000);
    open_cup(name, &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_ENTER, .name = SPAN("ann"), .token = token}),
                     ERR_OK);
    assert_int_equal(enter("bob", 0), ERR_OK);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_LEAVE, .name = SPAN("bob")}), ERR_OK);
    settle();
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(cup()->sheet.pairings[0].how, CUP_FORFEITED);
}

/* A rating is that of a secret: it goes on with the token, and is the same after a restart. */
static void ratings_follow_the_token(void **unused) {
    (void)unused;
    struct digest ann;
    open_cup("first", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    assert_int_equal(enter("ann", 0), ERR_OK);
    assert_true(token_hash(span_of(last.token), &ann));
    assert_false(cups_know_token(cups, &cup()->about.owner));
    assert_true(cups_know_token(cups, &ann));
    assert_int_equal(do_it(CUPS_CANCEL), ERR_OK);
    play_for_ann("second", &ann);
    struct glicko once = strength("ann");
    assert_true(once.rating > 1600 && once.deviation < 300);
    assert_true(strength("bob").rating < 1400);
    assert_true(cups_entrant_of(cup(), &ann) == 0);
    assert_int_equal(strlen(last.token), 0);
    play_for_ann("third", &ann);
    struct glicko twice = strength("ann");
    assert_true(twice.rating > once.rating && twice.deviation < once.deviation);
    open_cup("fourth", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_ENTER, .name = SPAN("ann"), .token = &ann}),
                     ERR_OK);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_ENTER, .name = SPAN("eve"), .token = &ann}),
                     ERR_FIELD_INVALID);
    assert_int_equal(enter("eve", 0), ERR_OK);
    assert_same_strength(strength("ann"), twice);
    assert_true(strength("eve").rating == GLICKO_RATING);
    begin_anew();
    assert_same_strength(strength("ann"), twice);
    size_t count;
    mem_free(ratings_list(cups_ratings(cups), "paper-soccer", &count));
    assert_int_equal(count, 3); /* ann, and each bob by itself */
}

/* Those that are over and no longer at hand count as well: also after a restart, when all are read anew. */
static void ratings_outlive_cups(void **unused) {
    (void)unused;
    struct digest ann;
    char name[16];
    open_cup("first", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    assert_int_equal(enter("ann", 0), ERR_OK);
    assert_true(token_hash(span_of(last.token), &ann));
    for (unsigned i = 0; i < CUPS_OVER_MAX + 3; i++) {
        snprintf(name, sizeof name, "cup-%u", i);
        play_for_ann(name, &ann);
    }
    assert_null(cups_find(cups, SPAN("cup-2")));
    assert_non_null(cups_find(cups, SPAN("cup-3")));
    struct glicko before = strength("ann");
    size_t count;
    const struct rated **rows = ratings_list(cups_ratings(cups), "paper-soccer", &count);
    assert_string_equal(rows[0]->name, "ann");
    assert_int_equal(rows[0]->cups, CUPS_OVER_MAX + 3);
    mem_free(rows);
    begin_anew();
    assert_null(cups_find(cups, SPAN("cup-2")));
    assert_same_strength(strength("ann"), before);
}

static void seats_are_kept(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_KNOCKOUT);
    enter("ann", 0);
    enter("bob", 0);
    do_it(CUPS_BEGIN);
    assert_int_equal(sit(cup()->records[0].table, 0, "eve")->answer.why, ERR_SEAT_TAKEN);
}

/* Withdrawn in the middle of a table: that is lost, and so is what was to come. */
static void somebody_leaves(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(enter((const char *[]){"ann", "bob", "cid", "dan"}[i], 0), ERR_OK);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_LEAVE, .name = SPAN("dan")}), ERR_OK);
    assert_int_equal(cup()->sheet.entrant_count, 3); /* as if it had never come */
    assert_int_equal(enter("dan", 0), ERR_OK);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    assert_int_equal(enter("eve", 0), ERR_NOT_ASKED);
    assert_int_equal(
        wish((struct cups_wish){.kind = CUPS_DISQUALIFY, .name = SPAN("ann"), .why = SPAN("two accounts")}),
        ERR_OK);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_LEAVE, .name = SPAN("ann")}), ERR_PLAYER_UNKNOWN);
    unsigned walkovers = 0, forfeits = 0;
    for (uint32_t i = 0; i < cup()->sheet.pairing_count; i++) {
        const struct cup_pairing *p = &cup()->sheet.pairings[i];
        uint32_t seat;
        if (!cup_pairing_has(p, 0, &seat))
            continue;
        assert_int_equal(p->points[seat], 0);
        assert_int_equal(p->points[1 - seat], CUP_POINT);
        forfeits += p->how == CUP_FORFEITED;
        walkovers += p->how == CUP_WALKOVER;
        if (p->how == CUP_WALKOVER) {
            assert_string_equal(cup()->records[i].reason, "disqualified");
            assert_string_equal(cup()->records[i].why, "two accounts");
        }
    }
    assert_int_equal(forfeits, 1);
    assert_int_equal(walkovers, 2);
}

static void pause_and_go_on(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_SWISS);
    enter_bots(4);
    assert_int_equal(do_it(CUPS_PAUSE), ERR_NOT_ASKED);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    assert_int_equal(do_it(CUPS_PAUSE), ERR_OK);
    play(1000000); /* what ran is played to its end */
    assert_int_equal(cup()->phase, CUP_PAUSED);
    assert_int_equal(cup()->sheet.pairing_count, 2);
    assert_true(cup_sheet_is_decided(&cup()->sheet));
    begin_anew();
    assert_int_equal(cup()->phase, CUP_PAUSED);
    assert_int_equal(do_it(CUPS_RESUME), ERR_OK);
    play(1000000);
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(do_it(CUPS_PAUSE), ERR_TABLE_OVER);
}

static void played_again(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_SWISS);
    enter("ann", 0);
    enter("bob", 0);
    enter("cid", 0);
    do_it(CUPS_BEGIN);
    uint64_t table = cup()->records[0].table;
    assert_int_equal(cup()->sheet.pairings[1].how, CUP_BYE);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_REPLAY, .pairing = 1}), ERR_FIELD_INVALID);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_REPLAY, .pairing = 0}), ERR_OK);
    assert_true(cup()->records[0].table != table);
    assert_int_equal(table_outcome(tables_find(tables, table)), OUTCOME_UNDECIDED);
    assert_int_equal(table_free_seats(table_of(0)), 0);
    assert_int_equal(table_forfeit(table_of(0), 0, REASON_RESIGNED), ERR_OK);
    settle();
    assert_int_equal(cup_sheet_round(&cup()->sheet), 2);
    assert_string_equal(cup()->records[0].reason, "resigned");
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_REPLAY, .pairing = 0}), ERR_FIELD_INVALID);
}

/* A table that comes to nothing is played again, and then shared. */
static void tables_without_a_result(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    enter("ann", 0);
    enter("bob", 0);
    do_it(CUPS_BEGIN);
    for (unsigned i = 0; i <= CUPS_REPLAYS_MAX; i++) {
        assert_int_equal(cup()->records[0].replays, i);
        assert_int_equal(table_abandon(table_of(0)), ERR_OK);
        settle();
    }
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(cup()->sheet.pairings[0].points[0], CUP_POINT / 2);
    assert_string_equal(cup()->records[0].reason, "undecided");
}

static void cancelled(void **unused) {
    (void)unused;
    open_cup("spring", &paper_soccer_game, 2, CUP_ROUND_ROBIN);
    enter_bots(4);
    do_it(CUPS_BEGIN);
    uint64_t table = cup()->records[0].table;
    assert_int_equal(do_it(CUPS_CANCEL), ERR_OK);
    think();
    assert_int_equal(cup()->phase, CUP_CANCELLED);
    assert_int_equal(table_outcome(tables_find(tables, table)), OUTCOME_UNDECIDED);
    assert_int_equal(enter("late", 1), ERR_TABLE_OVER);
}

static void what_is_refused(void **unused) {
    (void)unused;
    open_cup("", &paper_soccer_game, 2, CUP_SWISS);
    assert_int_equal(last.why, ERR_FIELD_INVALID);
    open_cup("a b", &paper_soccer_game, 2, CUP_SWISS);
    assert_int_equal(last.why, ERR_FIELD_INVALID);
    open_cup("spring", &paper_soccer_game, 3, CUP_SWISS);
    assert_int_equal(last.why, ERR_FIELD_INVALID);
    open_cup("spring", &paper_soccer_game, 2, CUP_SWISS);
    assert_int_equal(last.why, ERR_OK);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_NOT_ASKED);
    assert_non_null(strstr(last.reason, "two entrants"));
    assert_int_equal(enter(" ", 1), ERR_FIELD_INVALID);
    assert_int_equal(enter("two\nlines", 1), ERR_FIELD_INVALID);
    assert_int_equal(wish((struct cups_wish){.kind = CUPS_LEAVE, .name = SPAN("nobody")}),
                     ERR_PLAYER_UNKNOWN);
    open_cup("spring", &paper_soccer_game, 2, CUP_SWISS);
    assert_int_equal(last.why, ERR_FIELD_INVALID);
    assert_non_null(strstr(last.reason, "of this name"));
    last = (struct cup_reply){0};
    cups_wish(cups, &(struct cups_wish){.kind = CUPS_BEGIN, .cup = 12345}, &last, now_ms);
    assert_int_equal(last.why, ERR_TABLE_UNKNOWN);
}

/* Three at a table, where the last table has two. */
static void more_seats(void **unused) {
    (void)unused;
    open_cup("spring", &santorini_game, 3, CUP_SWISS);
    assert_int_equal(last.why, ERR_OK);
    enter_bots(5);
    assert_int_equal(do_it(CUPS_BEGIN), ERR_OK);
    play(1000000);
    assert_int_equal(cup()->phase, CUP_OVER);
    assert_int_equal(cup()->sheet.pairings[0].count, 3);
    assert_int_equal(cup()->sheet.pairings[1].count, 2);
}

/* What nobody enters goes after an hour, what does not begin after a week. */
static void deserted(void **unused) {
    (void)unused;
    open_cup("empty", &paper_soccer_game, 2, CUP_SWISS);
    pass_time(CUPS_EMPTY_MS / 2);
    assert_int_equal(cup()->phase, CUP_OPEN);
    begin_anew(); /* which is nothing to begin the hour again for */
    pass_time(CUPS_EMPTY_MS / 2 + CUPS_SWEEP_MS);
    assert_int_equal(cup()->phase, CUP_CANCELLED);
    open_cup("waiting", &paper_soccer_game, 2, CUP_SWISS);
    enter("ann", 0);
    pass_time(2 * CUPS_EMPTY_MS);
    assert_int_equal(cup()->phase, CUP_OPEN);
    pass_time(CUPS_IDLE_MS);
    assert_int_equal(cup()->phase, CUP_CANCELLED);
}

static void one_address_has_so_many(void **unused) {
    (void)unused;
    struct address opener;
    char name[16];
    assert_true(address_parse(SPAN("192.0.2.7"), &opener));
    for (unsigned i = 0; i <= CUPS_ADDRESS_MAX; i++) {
        snprintf(name, sizeof name, "cup-%u", i);
        last = (struct cup_reply){0};
        cups_open(cups,
                  &(struct cups_order){.name = span_of(name),
                                       .game = &paper_soccer_game,
                                       .options = game_options_default(&paper_soccer_game, 2),
                                       .format = CUP_SWISS,
                                       .clocks = {.turn_ms = 60000},
                                       .tables_max = 1,
                                       .protocol = LOUNGE_PROTOCOL,
                                       .opener = opener},
                  &last, now_ms);
        settle();
        assert_int_equal(last.why, i < CUPS_ADDRESS_MAX ? ERR_OK : ERR_ADDRESS_FULL);
    }
}

static void changes_are_told(void **unused) {
    (void)unused;
    of_bots(CUP_KNOCKOUT);
    assert_true(cup_changes > 10);
    struct cup_standing *rows = cup_fold_standings(cup());
    assert_int_equal(rows[0].place, 1);
    assert_true(rows[0].rank < rows[1].rank);
    mem_free(rows);
}

#define CUP_CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CUP_CASE(bots_of_every_format),
        CUP_CASE(tables_run_beside_each_other),
        CUP_CASE(a_restart_goes_on),
        CUP_CASE(people_have_tokens),
        CUP_CASE(ratings_follow_the_token),
        CUP_CASE(ratings_outlive_cups),
        CUP_CASE(seats_are_kept),
        CUP_CASE(somebody_leaves),
        CUP_CASE(pause_and_go_on),
        CUP_CASE(played_again),
        CUP_CASE(tables_without_a_result),
        CUP_CASE(cancelled),
        CUP_CASE(what_is_refused),
        CUP_CASE(more_seats),
        CUP_CASE(deserted),
        CUP_CASE(one_address_has_so_many),
        CUP_CASE(changes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
