/* The rules of Masters of Renaissance about more than one turn: the faith track, the end, Lorenzo, and
 * players who are away. What a player does in a turn is in test_renaissance.c. */
#include "renaissance_scene.h"

/* R27 */
static void the_track_counts_the_last_value_passed(void **unused) {
    (void)unused;
    static const uint8_t points[RENAISSANCE_FAITH_MAX + 1] = {0, 0, 0, 1, 1, 1,  2,  2,  2,  4,  4,  4, 6,
                                                              6, 6, 9, 9, 9, 12, 12, 12, 16, 16, 16, 20};
    struct renaissance r = table_begun(2);
    for (unsigned faith = 0; faith <= RENAISSANCE_FAITH_MAX; faith++) {
        stand(&r, 0, faith);
        assert_int_equal(renaissance_points(&r, 0), points[faith]);
    }
}

/* R27 */
static void steps_beyond_the_end_are_lost(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    stand(&r, 0, 7);
    for (unsigned i = 0; i < 17; i++) { /* one by one, with all reports on the way */
        struct renaissance_seat *s = &r.seat[0];
        s->hand[0] = 1;
        s->hand[1] = 2;
        s->hand_count = 2;
        memset(s->discarded, 0, sizeof s->discarded);
        s->discarded_count = 0;
        play(&r, 0, "discard L001");
    }
    assert_int_equal(r.seat[0].faith, 24);
    r.seat[0].discarded_count = 0;
    memset(r.seat[0].discarded, 0, sizeof r.seat[0].discarded);
    r.seat[0].hand[0] = 1;
    r.seat[0].hand[1] = 2;
    r.seat[0].hand_count = 2;
    play(&r, 0, "discard L001");
    assert_int_equal(r.seat[0].faith, 24);
    assert_int_equal(r.report[2].kept, 1);
}

/* R28, R29 */
static void a_report_counts_once_for_who_is_there(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(4), before;
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    stand(&r, 0, 7);
    stand(&r, 1, 5);
    stand(&r, 2, 4);
    before = r;
    play(&r, 0, "discard L001");
    assert_int_equal(r.report[0].happened, 1);
    assert_int_equal(r.report[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(renaissance_faith_changes(&before, &r, changes), 1);
    assert_int_equal(changes[0].report, 8);
    assert_int_equal(changes[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(changes[0].faith[0], 8);
    assert_int_equal(changes[0].faith[3], 1);
    assert_int_equal(renaissance_points(&r, 0), 2 + 2);
    assert_int_equal(renaissance_points(&r, 1), 1 + 2);
    assert_int_equal(renaissance_points(&r, 2), 1);
    /* Who comes to the space later, or into the section, gets nothing any more. */
    r.phase = RENAISSANCE_AFTER;
    play(&r, 0, "end");
    stand(&r, 1, 7);
    before = r;
    play(&r, 1, "discard L005");
    assert_int_equal(r.report[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(renaissance_faith_changes(&before, &r, changes), 1);
    assert_int_equal(changes[0].report, 0);
    assert_int_equal(changes[0].faith[1], 8);
    assert_int_equal(renaissance_faith_changes(&r, &r, changes), 0);
}

/* R28: of four steps together the first ones cause the report, and it is those that count. */
static void others_move_together_step_by_step(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(4), before;
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    stand(&r, 1, 7);
    stand(&r, 2, 3);
    stand(&r, 3, 4);
    before = r;
    plays(&r, 0, "push row 2, fill 0 -, fill 1 -, fill 2 -");
    assert_int_equal(r.seat[2].faith, 7); /* in the section in the end, but not when it counted */
    assert_int_equal(r.report[0].kept, SEAT_BIT(1) | SEAT_BIT(3));
    assert_int_equal(renaissance_faith_changes(&before, &r, changes), 2);
    assert_int_equal(changes[0].report, 8);
    assert_int_equal(changes[0].kept, SEAT_BIT(1) | SEAT_BIT(3));
    assert_int_equal(changes[0].faith[1], 8);
    assert_int_equal(changes[0].faith[2], 4);
    assert_int_equal(changes[0].faith[3], 5);
    assert_int_equal(changes[1].report, 0);
    assert_int_equal(changes[1].faith[1], 11);
    assert_int_equal(changes[1].faith[2], 7);
}

/* R28: each report once, whoever comes there afterwards; two of them in one production. */
static void one_action_can_cause_two_reports(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(3), before;
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    r.report[0].happened = 1;
    stand(&r, 0, 13);
    stand(&r, 1, 15);
    stand(&r, 2, 7);
    before = r;
    plays(&r, 0, "push row 2, fill 0 -, fill 1 -, fill 2 -");
    assert_int_equal(renaissance_faith_changes(&before, &r, changes), 2);
    assert_int_equal(changes[0].report, 16);
    assert_int_equal(changes[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(changes[0].faith[2], 8);
    assert_int_equal(changes[1].report, 0);
    assert_int_equal(changes[1].faith[1], 19);

    r = table_begun(2);
    r.report[0].happened = 1;
    stand(&r, 0, 14);
    stand(&r, 1, 15);
    own(&r, 0, 0, 5);
    own(&r, 0, 0, 21);
    own(&r, 0, 0, 41); /* a servant to a coin and three steps */
    own(&r, 0, 1, 6);
    own(&r, 0, 1, 22);
    own(&r, 0, 1, 42); /* a coin to a stone and three steps */
    own(&r, 0, 2, 7);
    own(&r, 0, 2, 27); /* two servants to two shields and two steps */
    hold_in_play(&r, 0, 16, 13);
    give(&r, 0, 9, 9, 9, 9);
    before = r;
    plays(&r, 0, "card 0, card 1, card 2, leader 0 coins, leader 1 coins, run");
    plays(&r, 0, "pay coins 0 0 2, pay servants 0 0 3, pay shields 0 0 1");
    assert_int_equal(r.seat[0].faith, 24);
    assert_int_equal(renaissance_faith_changes(&before, &r, changes), 2);
    assert_int_equal(changes[0].report, 16);
    assert_int_equal(changes[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(changes[0].faith[0], 16);
    assert_int_equal(changes[1].report, 24);
    assert_int_equal(changes[1].kept, SEAT_BIT(0));
    assert_int_equal(changes[1].faith[0], 24);
}

/* R30 */
static void the_last_round_is_played_to_its_end(void **unused) {
    (void)unused;
    for (unsigned trigger = 0; trigger < 3; trigger++) {
        struct renaissance r = table_begun(3);
        while (r.mover != trigger)
            skip_turn(&r);
        own(&r, trigger, 0, 5);
        own(&r, trigger, 0, 21);
        own(&r, trigger, 0, 37);
        own(&r, trigger, 1, 9);
        own(&r, trigger, 1, 25);
        own(&r, trigger, 1, 41);
        give(&r, trigger, 0, 0, 2, 0);
        plays(&r, trigger, "buy purple 1 2, pay servants 0 0 2");
        play(&r, SEAT_CHANCE, "reveal D006");
        assert_int_equal(r.is_ending, 1);
        assert_int_equal(r.phase, RENAISSANCE_AFTER);
        play(&r, trigger, "end");
        for (unsigned seat = trigger + 1; seat < 3; seat++) {
            assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(seat));
            skip_turn(&r);
        }
        assert_int_equal(game->turn(state_of(&r)), 0);
        assert_int_equal(r.end, RENAISSANCE_BY_POINTS);
    }
}

/* R30 */
static void a_marker_on_the_last_space_ends_it_too(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    r.report[0].happened = r.report[1].happened = 1;
    stand(&r, 1, 22);
    plays(&r, 0, "push row 2, fill 0 coins 1, fill 1 stones 1, fill 2 -");
    assert_int_equal(r.seat[1].faith, 24);
    assert_int_equal(r.is_ending, 1);
    play(&r, 0, "end");
    assert_int_equal(r.mover, 1);
    skip_turn(&r);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R31 */
static void points_are_summed_up(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    own(&r, 0, 0, 5);  /* 2, covered */
    own(&r, 0, 0, 21); /* 6 */
    own(&r, 0, 1, 8);  /* 2 */
    assert_int_equal(renaissance_points(&r, 0), 10);
    play(&r, 0, "play L001"); /* 2; the other one stays in the hand and counts nothing */
    assert_int_equal(renaissance_points(&r, 0), 12);
    stand(&r, 0, 9); /* 4 */
    r.report[0].happened = 1;
    r.report[0].kept = 1; /* 2 */
    assert_int_equal(renaissance_points(&r, 0), 18);
    give(&r, 0, 3, 1, 0, 0);
    store(&r, 0, 2, RENAISSANCE_SHIELDS, 3); /* 7 resources: 1 */
    store(&r, 0, 1, RENAISSANCE_SERVANTS, 2);
    assert_int_equal(renaissance_resources_left(&r.seat[0]), 9);
    assert_int_equal(renaissance_points(&r, 0), 19);
    give(&r, 0, 3, 1, 0, 1);
    assert_int_equal(renaissance_points(&r, 0), 20);
}

/* R32 */
static void ties_go_to_who_has_more_left(void **unused) {
    (void)unused;
    int32_t points[SEATS_MAX];
    struct renaissance r = table_begun(3);
    stand(&r, 2, 0);
    give(&r, 0, 2, 0, 0, 0);
    give(&r, 1, 1, 0, 0, 0); /* with the coin in its depot: 2 */
    give(&r, 2, 0, 0, 3, 0); /* with a stone: 4 */
    r.phase = RENAISSANCE_OVER;
    r.end = RENAISSANCE_BY_POINTS;
    game->score(state_of(&r), points);
    assert_int_equal(points[0], points[1]); /* shared */
    assert_true(points[2] > points[0]);
    stand(&r, 0, 3);
    game->score(state_of(&r), points);
    assert_true(points[0] > points[2]); /* a point is worth more than any rest */
    assert_int_equal(points[0], 1 * RENAISSANCE_SCORE_UNIT + 2);
}

static struct renaissance solo_begun(void) {
    struct renaissance r = table_dealt(1);
    play(&r, 0, "keep L001 L002");
    return r;
}

/* R33 */
static void tokens_move_lorenzo(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    struct action list[8];
    skip_turn(&r);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(SEAT_CHANCE));
    assert_int_equal(game->legal(state_of(&r), SEAT_CHANCE, list), RENAISSANCE_TOKENS);
    assert_int_equal(tried(&r, SEAT_CHANCE, "token 0"), ERR_FIELD_INVALID);
    assert_int_equal(tried(&r, SEAT_CHANCE, "token 8"), ERR_FIELD_INVALID);
    play(&r, SEAT_CHANCE, "token 5");
    assert_int_equal(r.lorenzo, 2);
    assert_int_equal(r.token_last, 5);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
    skip_turn(&r);
    assert_int_equal(tried(&r, SEAT_CHANCE, "token 5"), ERR_FIELD_INVALID); /* it is gone */
    play(&r, SEAT_CHANCE, "token 6");
    assert_int_equal(r.lorenzo, 4);
    skip_turn(&r);
    assert_int_equal(game->legal(state_of(&r), SEAT_CHANCE, list), 5);
    play(&r, SEAT_CHANCE, "token 7");
    assert_int_equal(r.lorenzo, 5);
    skip_turn(&r);
    assert_int_equal(game->legal(state_of(&r), SEAT_CHANCE, list), RENAISSANCE_TOKENS); /* shuffled */
}

/* R33, R34 */
static void tokens_discard_the_lowest_cards(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    unsigned low = renaissance_pile(RENAISSANCE_CARD_GREEN, 1),
             next = renaissance_pile(RENAISSANCE_CARD_GREEN, 2);
    skip_turn(&r);
    play(&r, SEAT_CHANCE, "token 1"); /* two green ones */
    assert_int_equal(r.phase, RENAISSANCE_REVEALING);
    play(&r, SEAT_CHANCE, "reveal D013");
    play(&r, SEAT_CHANCE, "reveal D005"); /* the second one went too */
    assert_int_equal(r.visible[low], 5);
    assert_int_equal(renaissance_pile_left(&r, low), 2);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
    /* One is left on level 1: the other one comes from level 2. */
    own(&r, 0, 0, 9);
    r.tokens = 127;
    skip_turn(&r);
    play(&r, SEAT_CHANCE, "token 1");
    play(&r, SEAT_CHANCE, "reveal D021");
    assert_int_equal(r.visible[low], 0);
    assert_int_equal(renaissance_pile_left(&r, low), 0);
    assert_int_equal(r.visible[next], 21);
    assert_int_equal(renaissance_pile_left(&r, next), 3);
    static const struct {
        const char *token;
        unsigned colour;
    } rows[] = {{"token 2", RENAISSANCE_CARD_YELLOW},
                {"token 3", RENAISSANCE_CARD_BLUE},
                {"token 4", RENAISSANCE_CARD_PURPLE}};
    for (size_t i = 0; i < 3; i++) {
        struct renaissance solo = solo_begun();
        skip_turn(&solo);
        play(&solo, SEAT_CHANCE, rows[i].token);
        assert_int_equal(solo.revealing, renaissance_pile(rows[i].colour, 1));
    }
}

/* R28, R35 */
static void lorenzo_wins_on_the_last_space(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    int32_t points[SEATS_MAX];
    r.lorenzo = 23;
    r.report[0].happened = r.report[1].happened = 1;
    stand(&r, 0, 19);
    skip_turn(&r);
    play(&r, SEAT_CHANCE, "token 6");
    assert_int_equal(r.lorenzo, 24);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
    assert_int_equal(r.end, RENAISSANCE_SOLO_FAITH);
    assert_int_equal(r.report[2].kept, 1); /* his report counts as any other */
    game->score(state_of(&r), points);
    assert_int_equal(points[0], 0);
}

/* R35: noticed when the turn ends, without a token. */
static void discards_can_bring_lorenzo_to_the_end(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    r.lorenzo = 21;
    r.report[0].happened = r.report[1].happened = 1;
    plays(&r, 0, "push row 2, fill 0 -, fill 1 -, fill 2 -");
    assert_int_equal(r.lorenzo, 24);
    assert_int_equal(r.is_ending, 1);
    assert_int_equal(r.phase, RENAISSANCE_AFTER);
    play(&r, 0, "end");
    assert_int_equal(r.end, RENAISSANCE_SOLO_FAITH);
    assert_int_equal(r.token_last, 0);
}

/* Of a colour only the visible cards of each level are left. */
static void colour_thin(struct renaissance *r, unsigned colour) {
    for (unsigned level = 1; level <= RENAISSANCE_LEVELS; level++) {
        unsigned pile = renaissance_pile(colour, level);
        r->lorenzo_took[pile] = r->unseen[pile];
        r->unseen[pile] = 0;
    }
}

/* R35 */
static void a_colour_that_is_gone_loses(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    colour_thin(&r, RENAISSANCE_CARD_BLUE);
    skip_turn(&r);
    play(&r, SEAT_CHANCE, "token 3");
    assert_int_equal(r.phase, RENAISSANCE_BEFORE); /* level 3 is left */
    r.tokens = 127;
    skip_turn(&r);
    play(&r, SEAT_CHANCE, "token 3"); /* one was there of the two */
    assert_int_equal(r.end, RENAISSANCE_SOLO_CARDS);
}

/* R35: seven cards, and with the seventh the last one of a colour: both hold, and it is lost. */
static void the_last_card_of_a_colour_loses_whoever_takes_it(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    unsigned pile = renaissance_pile(RENAISSANCE_CARD_BLUE, 1);
    colour_thin(&r, RENAISSANCE_CARD_BLUE);
    for (unsigned level = 2; level <= RENAISSANCE_LEVELS; level++) {
        unsigned other = renaissance_pile(RENAISSANCE_CARD_BLUE, level);
        r.lorenzo_took[other] = 15;
        r.visible[other] = 0;
    }
    own(&r, 0, 0, 5);
    own(&r, 0, 0, 21);
    own(&r, 0, 0, 37);
    own(&r, 0, 1, 9);
    own(&r, 0, 1, 25);
    own(&r, 0, 1, 41);
    give(&r, 0, 2, 0, 0, 0);
    assert_int_equal(renaissance_pile_left(&r, pile), 1);
    plays(&r, 0, "buy blue 1 2, pay coins 0 0 2, end");
    assert_int_equal(renaissance_cards_owned(&r.seat[0]), 7);
    assert_int_equal(r.end, RENAISSANCE_SOLO_CARDS);
}

/* R35 */
static void seven_cards_or_the_last_space_win(void **unused) {
    (void)unused;
    int32_t points[SEATS_MAX];
    struct renaissance r = solo_begun();
    r.report[0].happened = r.report[1].happened = 1;
    stand(&r, 0, 23);
    play(&r, 0, "discard L001");
    assert_int_equal(r.is_ending, 1);
    assert_int_equal(r.phase, RENAISSANCE_BEFORE); /* the turn goes on */
    plays(&r, 0, "push row 2, fill 0 coins 1, fill 1 stones 1, fill 2 shields 1");
    play(&r, 0, "end");
    assert_int_equal(r.end, RENAISSANCE_SOLO_WON);
    assert_int_equal(r.token_last, 0);
    game->score(state_of(&r), points);
    assert_int_equal(points[0], 24 * RENAISSANCE_SCORE_UNIT + 3); /* the track and the tile of 4 */

    r = solo_begun();
    own(&r, 0, 0, 5);
    own(&r, 0, 0, 21);
    own(&r, 0, 0, 37);
    own(&r, 0, 1, 9);
    own(&r, 0, 1, 25);
    own(&r, 0, 1, 41);
    give(&r, 0, 2, 0, 0, 0);
    plays(&r, 0, "buy blue 1 2, pay coins 0 0 2");
    play(&r, SEAT_CHANCE, "reveal D007");
    play(&r, 0, "end");
    assert_int_equal(r.end, RENAISSANCE_SOLO_WON);
}

/* R36 */
static void seats_that_are_away_are_skipped(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(3);
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(r.mover, 0);
    skip_turn(&r);
    assert_int_equal(r.mover, 2);
    skip_turn(&r);
    assert_int_equal(r.mover, 0);
    attend(&r, 1, SEAT_BACK);
    assert_int_equal(r.mover, 0); /* not before its turn comes */
    skip_turn(&r);
    assert_int_equal(r.mover, 1);
    attend(&r, 1, SEAT_AWAY); /* on turn: it ends */
    assert_int_equal(r.mover, 2);
    assert_int_equal(r.phase, RENAISSANCE_BEFORE);
}

/* R36 */
static void who_leaves_in_the_middle_loses_what_was_taken(void **unused) {
    (void)unused;
    for (unsigned fills = 0; fills < 3; fills++) {
        static const char *const texts[] = {"fill 0 coins 1", "fill 1 shields 2"};
        struct renaissance r = table_begun(2);
        store(&r, 0, 0, RENAISSANCE_SHIELDS, 1);
        play(&r, 0, "push row 2");
        struct renaissance pushed = r;
        for (unsigned i = 0; i < fills; i++)
            play(&r, 0, texts[i]);
        attend(&r, 0, SEAT_AWAY);
        assert_int_equal(r.mover, 1);
        assert_depot(&r, 0, 0, RENAISSANCE_SHIELDS, 1);
        assert_depot(&r, 0, 1, 0, 0);
        assert_int_equal(r.seat[1].faith, 4);
        assert_memory_equal(r.market, pushed.market, sizeof r.market); /* the push stands */
    }
}

/* R36 */
static void an_action_that_was_begun_is_undone(void **unused) {
    (void)unused;
    static const char *const begun[] = {"buy green 1 0", "base coins coins stones",
                                        "base coins coins stones, run", "buy blue 1 0"};
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
        struct renaissance r = table_begun(2);
        give(&r, 0, 5, 5, 5, 5);
        plays(&r, 0, begun[i]);
        attend(&r, 0, SEAT_AWAY);
        assert_int_equal(r.mover, 1);
        assert_int_equal(renaissance_resources_left(&r.seat[0]), 20);
        assert_int_equal(renaissance_cards_owned(&r.seat[0]), 0);
        assert_int_equal(tried(&r, 1, "push row 0"), ERR_OK);
    }
}

/* R36: the card is bought and paid, only the next one is not shown yet. */
static void who_leaves_before_the_next_card_is_shown_keeps_the_card(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    give(&r, 0, 0, 0, 2, 0);
    plays(&r, 0, "buy purple 1 0, pay servants 0 0 2");
    attend(&r, 0, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(SEAT_CHANCE));
    play(&r, SEAT_CHANCE, "reveal D010");
    assert_int_equal(r.mover, 1);
    assert_int_equal(renaissance_cards_owned(&r.seat[0]), 1);
}

/* R37 */
static void the_setup_does_not_wait_for_who_is_away(void **unused) {
    (void)unused;
    struct renaissance r = table_dealt(3);
    play(&r, 0, "keep L001 L002");
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(2));
    play(&r, 2, "keep L009 L010");
    assert_int_equal(r.phase, RENAISSANCE_STORING);
    attend(&r, 2, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0)); /* the first turn */
    assert_int_equal(r.phase, RENAISSANCE_BEFORE);
    assert_int_equal(r.seat[2].faith, 1);
    /* Back: what is owed can be given at once, beside the turn of another, and must be before the own one. */
    attend(&r, 1, SEAT_BACK);
    attend(&r, 2, SEAT_BACK);
    assert_true(renaissance_owes_setup(&r, 1));
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0) | SEAT_BIT(1) | SEAT_BIT(2));
    assert_int_equal(tried(&r, 1, "put coins 0"), ERR_SETUP_UNFINISHED);
    play(&r, 1, "keep L005 L006");
    play(&r, 1, "put coins 0");
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0) | SEAT_BIT(2));
    skip_turn(&r);
    skip_turn(&r);
    assert_int_equal(r.mover, 2);
    assert_int_equal(tried(&r, 2, "push row 0"), ERR_SETUP_UNFINISHED);
    assert_int_equal(renaissance_possible(&r, 2), 0);
    play(&r, 2, "put stones 2");
    assert_int_equal(tried(&r, 2, "push row 0"), ERR_OK);
}

/* R38 */
static void when_all_are_away_the_first_to_return_plays(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(3);
    attend(&r, 1, SEAT_AWAY);
    attend(&r, 2, SEAT_AWAY);
    attend(&r, 0, SEAT_AWAY);
    assert_int_not_equal(game->turn(state_of(&r)), 0);
    attend(&r, 2, SEAT_BACK);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(2));
    attend(&r, 1, SEAT_BACK);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(2));
    skip_turn(&r);
    assert_int_equal(r.mover, 1);

    r = table_dealt(2);
    attend(&r, 0, SEAT_AWAY);
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0) | SEAT_BIT(1));
    attend(&r, 1, SEAT_BACK);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1));
    play(&r, 1, "keep L005 L006");
    play(&r, 1, "put coins 0");
    assert_int_equal(r.mover, 1);
    assert_int_equal(r.phase, RENAISSANCE_BEFORE);
}

/* Three players; the first has begun the last round and ended its turn: the second is on turn. */
static struct renaissance last_round_begun(void) {
    struct renaissance r = table_begun(3);
    r.report[0].happened = r.report[1].happened = 1;
    stand(&r, 0, 23);
    play(&r, 0, "discard L001");
    skip_turn(&r);
    assert_int_equal(r.is_ending, 1);
    assert_int_equal(r.mover, 1);
    return r;
}

/* R38: whoever comes back first after all have left a last turn that was not played plays on. */
static void in_a_last_round_the_first_to_return_plays_on(void **unused) {
    (void)unused;
    for (unsigned first = 0; first < 3; first++) {
        struct renaissance r = last_round_begun();
        attend(&r, 0, SEAT_AWAY);
        attend(&r, 2, SEAT_AWAY);
        attend(&r, 1, SEAT_AWAY);
        assert_int_not_equal(game->turn(state_of(&r)), 0);
        attend(&r, first, SEAT_BACK);
        assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(first));
        assert_int_equal(r.phase, RENAISSANCE_BEFORE);
        skip_turn(&r);
        assert_int_equal(r.phase, RENAISSANCE_OVER); /* nobody else is there */
    }
}

/* R38 as it was: tables that began by the first rules go on by them. */
static void by_the_first_rules_a_last_round_that_nobody_plays_is_over(void **unused) {
    (void)unused;
    struct renaissance r = last_round_begun();
    r.rules_version = RENAISSANCE_RULES_FIRST;
    attend(&r, 0, SEAT_AWAY);
    attend(&r, 2, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1));
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R38: those who come back in time have their turns too, once each. */
static void in_a_last_round_the_others_follow(void **unused) {
    (void)unused;
    struct renaissance r = last_round_begun();
    for (unsigned seat = 0; seat < 3; seat++)
        attend(&r, seat, SEAT_AWAY);
    assert_int_equal(r.mover, 2); /* whose turn it became when the second left */
    for (unsigned seat = 0; seat < 3; seat++)
        attend(&r, seat, SEAT_BACK);
    for (unsigned seat = 0; seat < 3; seat++) {
        assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(seat));
        skip_turn(&r);
    }
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R38: a turn waits as it is, so that nobody gets more than one by leaving. */
static void in_a_last_round_a_turn_waits_as_it_is(void **unused) {
    (void)unused;
    static const char *const begun[] = {"base coins coins stones", "push row 2",
                                        "push row 2, fill 0 -, fill 1 -, fill 2 -"};
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
        struct renaissance r = last_round_begun(), before;
        give(&r, 1, 5, 5, 5, 5);
        attend(&r, 0, SEAT_AWAY);
        attend(&r, 2, SEAT_AWAY);
        plays(&r, 1, begun[i]);
        before = r;
        attend(&r, 1, SEAT_AWAY);
        attend(&r, 1, SEAT_BACK);
        assert_memory_equal(&r, &before, sizeof r);
        attend(&r, 1, SEAT_AWAY);
        struct renaissance third = r;
        attend(&third, 2, SEAT_BACK); /* further round the table */
        assert_int_equal(game->turn(state_of(&third)), SEAT_BIT(2));
        attend(&r, 0, SEAT_BACK);
        if (i == 0)
            assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
        else /* the turn was played, and everybody who is there has had one */
            assert_int_equal(r.phase, RENAISSANCE_OVER);
    }
}

/* R36, R38: the last to leave throws away what brings another marker to the end. */
static void a_last_round_that_begins_with_leaving_waits(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    r.report[0].happened = r.report[1].happened = 1;
    stand(&r, 1, 23);
    attend(&r, 1, SEAT_AWAY);
    play(&r, 0, "push row 2");
    attend(&r, 0, SEAT_AWAY);
    assert_int_equal(r.is_ending, 1);
    assert_int_equal(r.phase, RENAISSANCE_AFTER);
    attend(&r, 1, SEAT_BACK);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1));
    skip_turn(&r);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R36: with somebody there a last round goes on without who is away. */
static void a_last_round_does_not_wait_for_who_is_away(void **unused) {
    (void)unused;
    struct renaissance r = last_round_begun();
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(r.mover, 2);
    attend(&r, 2, SEAT_AWAY);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R38, R41: nobody can get more rounds than there are. */
static void the_ceiling_holds_for_who_comes_back(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    r.round = RENAISSANCE_ROUNDS_MAX - 1;
    skip_turn(&r);
    attend(&r, 0, SEAT_AWAY);
    attend(&r, 1, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1));
    struct renaissance second = r;
    attend(&second, 1, SEAT_BACK);
    assert_int_equal(game->turn(state_of(&second)), SEAT_BIT(1));
    attend(&r, 0, SEAT_BACK);
    assert_int_equal(r.phase, RENAISSANCE_OVER);
}

/* R39 */
static void alone_the_table_waits(void **unused) {
    (void)unused;
    struct renaissance r = solo_begun();
    play(&r, 0, "push row 2");
    struct renaissance before = r;
    attend(&r, 0, SEAT_AWAY);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
    attend(&r, 0, SEAT_BACK);
    assert_memory_equal(&r, &before, sizeof r);
    plays(&r, 0, "fill 0 -, fill 1 -, fill 2 -");
    attend(&r, 0, SEAT_AWAY);
    assert_int_equal(r.phase, RENAISSANCE_AFTER);
    assert_int_equal(r.token_last, 0);
}

/* R40 */
static void who_is_gone_for_good_is_still_scored(void **unused) {
    (void)unused;
    int32_t points[SEATS_MAX];
    struct renaissance r = table_begun(2);
    give(&r, 0, 5, 5, 0, 0);
    attend(&r, 0, SEAT_RETIRED);
    assert_int_equal(r.mover, 1);
    attend(&r, 0, SEAT_BACK); /* not any more */
    assert_int_equal(r.seat[0].is_away, 1);
    attend(&r, 1, SEAT_RETIRED);
    assert_int_equal(game->turn(state_of(&r)), 0);
    game->score(state_of(&r), points);
    assert_int_equal(points[0], 2 * RENAISSANCE_SCORE_UNIT + 10);
    assert_false(game->attend(state_of(&r), 0, SEAT_BACK));

    r = solo_begun();
    attend(&r, 0, SEAT_RETIRED);
    assert_int_equal(r.end, RENAISSANCE_SOLO_LEFT);
}

/* R41 */
static void every_table_ends(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    unsigned turns = 0;
    for (; game->turn(state_of(&r)) != 0; turns++)
        skip_turn(&r);
    assert_int_equal(turns, 2 * RENAISSANCE_ROUNDS_MAX);
    assert_int_equal(r.end, RENAISSANCE_BY_POINTS);
}

/* One action of whoever may act, or somebody comes or goes. */
static void random_event(struct renaissance *r, struct rng *rng) {
    enum { ATTENDANCE_ONE_IN = 12, RETIREMENT_ONE_IN = 10 };
    if (rng_below(rng, ATTENDANCE_ONE_IN) == 0) {
        bool is_for_good = rng_below(rng, RETIREMENT_ONE_IN) == 0;
        attend(r, rng_below(rng, r->seats),
               rng_below(rng, 2) == 0 ? SEAT_BACK
               : is_for_good          ? SEAT_RETIRED
                                      : SEAT_AWAY);
        return;
    }
    struct action action;
    unsigned seat = playout_seat(game->turn(state_of(r)), rng);
    game->sample(state_of(r), seat, rng, &action);
    assert_int_equal(game->check(state_of(r), seat, &action), ERR_OK);
    game->apply(state_of(r), seat, &action);
    const char *wrong = game->valid(state_of(r));
    if (wrong != NULL)
        fail_msg("%s", wrong);
}

/* Whoever comes and goes when, tables go on by the rules and end, and views keep their secrets. R36 to R41.
 */
static void tables_survive_any_coming_and_going(void **unused) {
    (void)unused;
    const char *text = getenv("PARLOR_RENAISSANCE_TABLES");
    int64_t tables = 200;
    if (text != NULL && !span_to_int(span_of(text), &tables))
        fail_msg("PARLOR_RENAISSANCE_TABLES is a number");
    struct rng rng;
    rng_seed(&rng, 1409);
    for (int64_t i = 0; i < tables; i++) {
        struct renaissance r = table_new(1 + (unsigned)i % RENAISSANCE_SEATS_MAX);
        for (size_t plies = 0; game->turn(state_of(&r)) != 0; plies++) {
            random_event(&r, &rng);
            assert_true(plies <= game->plies_max);
            unsigned viewer = rng_below(&rng, r.seats + 1u);
            struct renaissance view, world;
            viewer = viewer == r.seats ? (unsigned)SEAT_WATCHER : viewer;
            game_view(game, state_of(&r), viewer, (struct game_view *)&view);
            world = view;
            game->imagine((struct game_view *)&world, viewer, &rng);
            assert_null(game->valid(state_of(&world)));
            assert_int_equal(game->turn(state_of(&world)), game->turn(state_of(&r)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_track_counts_the_last_value_passed),
        cmocka_unit_test(steps_beyond_the_end_are_lost),
        cmocka_unit_test(a_report_counts_once_for_who_is_there),
        cmocka_unit_test(others_move_together_step_by_step),
        cmocka_unit_test(one_action_can_cause_two_reports),
        cmocka_unit_test(the_last_round_is_played_to_its_end),
        cmocka_unit_test(a_marker_on_the_last_space_ends_it_too),
        cmocka_unit_test(points_are_summed_up),
        cmocka_unit_test(ties_go_to_who_has_more_left),
        cmocka_unit_test(tokens_move_lorenzo),
        cmocka_unit_test(tokens_discard_the_lowest_cards),
        cmocka_unit_test(lorenzo_wins_on_the_last_space),
        cmocka_unit_test(discards_can_bring_lorenzo_to_the_end),
        cmocka_unit_test(a_colour_that_is_gone_loses),
        cmocka_unit_test(the_last_card_of_a_colour_loses_whoever_takes_it),
        cmocka_unit_test(seven_cards_or_the_last_space_win),
        cmocka_unit_test(seats_that_are_away_are_skipped),
        cmocka_unit_test(who_leaves_in_the_middle_loses_what_was_taken),
        cmocka_unit_test(an_action_that_was_begun_is_undone),
        cmocka_unit_test(who_leaves_before_the_next_card_is_shown_keeps_the_card),
        cmocka_unit_test(the_setup_does_not_wait_for_who_is_away),
        cmocka_unit_test(when_all_are_away_the_first_to_return_plays),
        cmocka_unit_test(in_a_last_round_the_first_to_return_plays_on),
        cmocka_unit_test(by_the_first_rules_a_last_round_that_nobody_plays_is_over),
        cmocka_unit_test(in_a_last_round_the_others_follow),
        cmocka_unit_test(in_a_last_round_a_turn_waits_as_it_is),
        cmocka_unit_test(a_last_round_that_begins_with_leaving_waits),
        cmocka_unit_test(a_last_round_does_not_wait_for_who_is_away),
        cmocka_unit_test(the_ceiling_holds_for_who_comes_back),
        cmocka_unit_test(alone_the_table_waits),
        cmocka_unit_test(who_is_gone_for_good_is_still_scored),
        cmocka_unit_test(every_table_ends),
        cmocka_unit_test(tables_survive_any_coming_and_going),
    };
    return cmocka_run_group_tests_name("renaissance_table", tests, NULL, NULL);
}
