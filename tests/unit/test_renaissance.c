/* The rules of Masters of Renaissance, one test or more for each number in docs/rules/renaissance.md: what a
 * player does in a turn. The faith track, the end, Lorenzo and players who are away are in
 * test_renaissance_table.c. */
#include "renaissance_scene.h"

static void cards_are_as_printed(void **unused) {
    (void)unused;
    unsigned points = 0;
    for (unsigned number = 1; number <= RENAISSANCE_CARDS; number++) {
        const struct renaissance_card *card = renaissance_card(number);
        unsigned pile = renaissance_pile_of(number), place = renaissance_pile_place(number), cost = 0;
        points += card->points;
        /* R3: level and points go together, and a pile has each number of points once. */
        assert_int_equal(card->points, 4 * (card->level - 1) + place + 1);
        assert_int_equal(renaissance_pile_card(pile, place), number);
        for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
            cost += card->cost[kind];
        assert_in_range(cost, 2, 8);
        char id[RENAISSANCE_ID_BYTES];
        renaissance_card_id(number, id);
        assert_int_equal(renaissance_card_of_id(span_of(id)), number);
    }
    assert_int_equal(points, 312);
    assert_int_equal(renaissance_card_of_id(SPAN("D049")), 0);
    assert_int_equal(renaissance_card_of_id(SPAN("D000")), 0);
    assert_int_equal(renaissance_card_of_id(SPAN("L001")), 0);
    assert_int_equal(renaissance_leader_of_id(SPAN("L017")), 0);
    assert_int_equal(renaissance_leader_of_id(SPAN("L016")), 16);
}

/* Cards that were printed wrong elsewhere. */
static void doubtful_cards_are_right(void **unused) {
    (void)unused;
    static const struct {
        unsigned card;
        struct renaissance_card is;
    } rows[] = {
        {1, {1, RENAISSANCE_CARD_GREEN, 1, {0, 0, 0, 2}, {1, 0, 0, 0}, {0, 0, 0, 0}, 1}},
        {11, {1, RENAISSANCE_CARD_BLUE, 3, {3, 0, 0, 0}, {0, 2, 0, 0}, {1, 0, 1, 1}, 0}},
        {19, {2, RENAISSANCE_CARD_BLUE, 5, {4, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, 2}},
        {20, {2, RENAISSANCE_CARD_YELLOW, 5, {0, 4, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, 2}},
        {25, {2, RENAISSANCE_CARD_GREEN, 7, {0, 0, 0, 5}, {2, 0, 0, 0}, {0, 2, 0, 0}, 2}},
        {48, {3, RENAISSANCE_CARD_YELLOW, 12, {0, 4, 4, 0}, {0, 0, 0, 1}, {0, 1, 3, 0}, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_memory_equal(renaissance_card(rows[i].card), &rows[i].is, sizeof rows[i].is);
}

static void leaders_are_as_printed(void **unused) {
    (void)unused;
    static const uint8_t points[] = {2, 3, 5, 4};
    unsigned kinds[4] = {0};
    for (unsigned number = 1; number <= RENAISSANCE_LEADERS; number++) {
        const struct renaissance_leader *leader = renaissance_leader(number);
        assert_int_equal(leader->ability, (number - 1) / 4);
        assert_int_equal(leader->points, points[leader->ability]);
        kinds[leader->ability] |= 1u << leader->kind;
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(kinds[i], 15);
    /* R25: the other kind for a store leader, two and one colours for an exchange leader. */
    assert_int_equal(renaissance_leader(5)->resources[RENAISSANCE_COINS], 5);
    assert_int_equal(renaissance_leader(5)->kind, RENAISSANCE_STONES);
    assert_int_equal(renaissance_leader(9)->cards[RENAISSANCE_CARD_YELLOW], 2);
    assert_int_equal(renaissance_leader(16)->cards_level2[RENAISSANCE_CARD_GREEN], 1);
}

/* R2 */
static void the_market_has_thirteen_marbles(void **unused) {
    (void)unused;
    struct renaissance r = table_new(2);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(SEAT_CHANCE));
    assert_int_equal(tried(&r, SEAT_CHANCE, "lay WWRB/YGPW/BYGP R"), ERR_FIELD_INVALID);
    play(&r, SEAT_CHANCE, scene_lay);
    assert_int_equal(r.market[2], RENAISSANCE_RED);
    assert_int_equal(r.free_marble, RENAISSANCE_WHITE);
}

/* R3 */
static void only_the_top_of_a_pile_is_known(void **unused) {
    (void)unused;
    struct renaissance r = table_new(1);
    play(&r, SEAT_CHANCE, scene_lay);
    assert_int_equal(
        tried(&r, SEAT_CHANCE, "show D004 D002 D001 D003 D018 D020 D017 D019 D034 D036 D033 D035"),
        ERR_FIELD_INVALID);
    r = table_begun(2);
    give(&r, 0, 0, 0, 2, 0);
    plays(&r, 0, "buy purple 1 0, pay servants 0 0 2");
    assert_int_equal(r.phase, RENAISSANCE_REVEALING);
    assert_int_equal(tried(&r, SEAT_CHANCE, "reveal D002"), ERR_FIELD_INVALID);
    assert_int_equal(tried(&r, SEAT_CHANCE, "reveal D005"), ERR_FIELD_INVALID);
    struct action list[8];
    assert_int_equal(game->legal(state_of(&r), SEAT_CHANCE, list), 3);
    play(&r, SEAT_CHANCE, "reveal D010");
    assert_int_equal(r.visible[renaissance_pile(RENAISSANCE_CARD_PURPLE, 1)], 10);
    assert_int_equal(renaissance_pile_left(&r, renaissance_pile(RENAISSANCE_CARD_PURPLE, 1)), 3);
}

/* R4 */
static void two_different_leaders_are_kept(void **unused) {
    (void)unused;
    struct renaissance r = table_dealt(2);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0) | SEAT_BIT(1));
    assert_int_equal(tried(&r, 0, "keep L001 L001"), ERR_LEADERS_KEPT);
    assert_int_equal(tried(&r, 0, "keep L001 L005"), ERR_LEADERS_KEPT);
    assert_int_equal(tried(&r, 0, "push row 0"), ERR_SETUP_UNFINISHED);
    play(&r, 1, "keep L006 L008");
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
    play(&r, 0, "keep L002 L004");
    assert_int_equal(r.seat[0].hand_count, 2);
    assert_int_equal(r.seat[0].dropped[0], 1);
    assert_int_equal(r.seat[0].dropped[1], 3);
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1));
}

/* R4 */
static void leaders_are_secret_until_they_are_played(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2), view;
    game_view(game, state_of(&r), 1, (struct game_view *)&view);
    assert_int_equal(view.seat[0].hand[0], RENAISSANCE_HIDDEN);
    assert_int_equal(view.seat[0].dropped[1], RENAISSANCE_HIDDEN);
    assert_int_equal(view.seat[1].hand[0], 5);
    own(&r, 0, 0, 5);
    own(&r, 0, 1, 8);
    play(&r, 0, "play L001");
    game_view(game, state_of(&r), 1, (struct game_view *)&view);
    assert_int_equal(view.seat[0].played[0], 1);
    assert_int_equal(view.seat[0].hand[0], RENAISSANCE_HIDDEN);
    assert_int_equal(view.seat[0].hand[1], 0);
    struct action deal = parsed(&r, SEAT_CHANCE, "deal 0 L001 L002 L003 L004"), shown = deal;
    game->redact_action(state_of(&r), SEAT_CHANCE, &shown, 0);
    assert_memory_equal(&shown, &deal, sizeof deal);
    game->redact_action(state_of(&r), SEAT_CHANCE, &shown, 1);
    assert_int_equal(shown.arg[1], RENAISSANCE_HIDDEN);
    assert_int_equal(shown.arg[4], RENAISSANCE_HIDDEN);
}

/* R1, R5 */
static void later_seats_start_with_more(void **unused) {
    (void)unused;
    static const uint8_t gifts[] = {0, 1, 1, 2}, faith[] = {0, 0, 1, 1};
    for (unsigned seats = 1; seats <= RENAISSANCE_SEATS_MAX; seats++) {
        struct renaissance r = table_dealt(seats);
        for (unsigned seat = 0; seat < seats; seat++) {
            assert_int_equal(r.seat[seat].gifts, gifts[seat]);
            assert_int_equal(r.seat[seat].faith, faith[seat]);
        }
    }
    struct renaissance r = table_dealt(1);
    play(&r, 0, "keep L001 L002");
    assert_int_equal(r.phase, RENAISSANCE_BEFORE);
}

/* R6 */
static void starting_resources_keep_the_rules_of_depots(void **unused) {
    (void)unused;
    struct renaissance r = table_dealt(4);
    plays(&r, 0, "keep L001 L002");
    assert_int_equal(tried(&r, 0, "put coins 0"), ERR_NOT_YOUR_TURN);
    plays(&r, 1, "keep L005 L006");
    plays(&r, 2, "keep L009 L010");
    assert_int_equal(tried(&r, 3, "put coins 0"), ERR_SETUP_UNFINISHED);
    plays(&r, 3, "keep L013 L014");
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1) | SEAT_BIT(2) | SEAT_BIT(3));
    assert_int_equal(tried(&r, 1, "put coins 3"), ERR_DEPOT_UNKNOWN);
    assert_int_equal(tried(&r, 1, "keep L005 L006"), ERR_SETUP_FINISHED);
    play(&r, 3, "put coins 0");
    assert_int_equal(tried(&r, 3, "put coins 0"), ERR_DEPOT_FULL); /* two in the depot of one */
    assert_int_equal(tried(&r, 3, "put coins 1"), ERR_DEPOT_KIND); /* one kind in two depots */
    assert_int_equal(tried(&r, 3, "put stones 0"), ERR_DEPOT_KIND);
    play(&r, 3, "put stones 2");
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(1) | SEAT_BIT(2));
    play(&r, 2, "put shields 2");
    play(&r, 1, "put shields 2");
    assert_int_equal(game->turn(state_of(&r)), SEAT_BIT(0));
}

/* R7 */
static void a_turn_has_one_main_action(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    give(&r, 0, 9, 9, 9, 9);
    own(&r, 0, 0, 5);
    assert_int_equal(renaissance_possible(&r, 0), RENAISSANCE_MAY_PLAY_LEADER |
                                                      RENAISSANCE_MAY_DISCARD_LEADER | RENAISSANCE_MAY_BUY |
                                                      RENAISSANCE_MAY_PRODUCE | RENAISSANCE_MAY_PUSH);
    assert_int_equal(renaissance_possible(&r, 1), 0);
    play(&r, 0, "push row 2");
    assert_int_equal(renaissance_possible(&r, 0), 0);
    assert_int_equal(tried(&r, 0, "discard L001"), ERR_ACTION_UNFINISHED);
    assert_int_equal(tried(&r, 0, "buy blue 1 0"), ERR_ACTION_UNFINISHED);
    assert_int_equal(tried(&r, 0, "card 0"), ERR_ACTION_UNFINISHED);
    assert_int_equal(tried(&r, 0, "end"), ERR_ACTION_UNFINISHED);
    plays(&r, 0, "fill 0 shields 1, fill 1 coins 1, fill 2 stones 1");
    static const char *const others[] = {"push row 0", "buy blue 1 1",    "card 0",  "base coins coins coins",
                                         "run",        "pay coins 1 0 0", "fill 0 -"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tried(&r, 0, others[i]), ERR_MAIN_ACTION_TWICE);
    assert_int_equal(renaissance_possible(&r, 0),
                     RENAISSANCE_MAY_PLAY_LEADER | RENAISSANCE_MAY_DISCARD_LEADER | RENAISSANCE_MAY_END_TURN);
    plays(&r, 0, "discard L001, discard L002");
    assert_int_equal(renaissance_possible(&r, 0), RENAISSANCE_MAY_END_TURN);
    play(&r, 0, "end");
    assert_int_equal(r.mover, 1);
}

/* R8 */
static void a_turn_does_not_end_before_its_main_action(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    assert_int_equal(tried(&r, 0, "end"), ERR_MAIN_ACTION_AWAITED);
    assert_int_equal(tried(&r, 0, "fill 0 -"), ERR_MAIN_ACTION_AWAITED);
    assert_int_equal(tried(&r, 1, "end"), ERR_NOT_YOUR_TURN);
    play(&r, 0, "discard L001");
    assert_int_equal(tried(&r, 0, "end"), ERR_MAIN_ACTION_AWAITED);
}

/* R9 */
static void the_free_marble_is_pushed_in(void **unused) {
    (void)unused;
    static const uint8_t column[] = {RENAISSANCE_WHITE, RENAISSANCE_GREY, RENAISSANCE_WHITE},
                         pushed[] = {RENAISSANCE_GREY, RENAISSANCE_WHITE, RENAISSANCE_PURPLE};
    struct renaissance r = table_new(1);
    play(&r, SEAT_CHANCE, "lay BWRB/YGPW/YWGW P");
    play(&r, SEAT_CHANCE, scene_show);
    play(&r, SEAT_CHANCE, "deal 0 L001 L002 L003 L004");
    play(&r, 0, "keep L001 L002");
    uint8_t marbles[RENAISSANCE_COLUMNS];
    struct action bad = renaissance_action(RENAISSANCE_PUSH, RENAISSANCE_LINES, 0, 0, 0);
    assert_int_equal(game->check(state_of(&r), 0, &bad), ERR_MARKET_LINE);
    assert_int_equal(renaissance_line(&r, RENAISSANCE_ROWS + 1, marbles), 3);
    assert_memory_equal(marbles, column, sizeof column);
    struct renaissance before = r;
    play(&r, 0, "push column 1");
    renaissance_line(&r, RENAISSANCE_ROWS + 1, marbles);
    assert_memory_equal(marbles, pushed, sizeof pushed);
    assert_int_equal(r.free_marble, RENAISSANCE_WHITE);
    assert_int_equal(r.line, RENAISSANCE_ROWS + 1);

    r = before;
    assert_int_equal(renaissance_line(&r, 0, marbles), 4);
    play(&r, 0, "push row 0");
    assert_int_equal(r.free_marble, RENAISSANCE_BLUE);
    for (unsigned i = 0; i + 1 < RENAISSANCE_COLUMNS; i++)
        assert_int_equal(r.market[i], before.market[i + 1]);
    assert_int_equal(r.market[3], RENAISSANCE_PURPLE);
}

static void assert_taken(const struct renaissance *r, unsigned coins, unsigned stones, unsigned servants,
                         unsigned shields) {
    assert_int_equal(r->taken[RENAISSANCE_COINS], coins);
    assert_int_equal(r->taken[RENAISSANCE_STONES], stones);
    assert_int_equal(r->taken[RENAISSANCE_SERVANTS], servants);
    assert_int_equal(r->taken[RENAISSANCE_SHIELDS], shields);
}

/* R10 */
static void marbles_give_resources_and_faith(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    play(&r, 0, "push row 2");
    assert_taken(&r, 1, 1, 1, 1);
    assert_int_equal(r.seat[0].faith, 0);
    r = table_begun(2);
    play(&r, 0, "push row 0"); /* white, white, red, blue */
    assert_taken(&r, 0, 0, 0, 1);
    assert_int_equal(r.seat[0].faith, 1);
    assert_int_equal(r.seat[1].faith, 0);
}

/* R11 */
static void exchange_leaders_turn_white_marbles(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(3);
    r.mover = 2;
    assert_int_equal(tried(&r, 2, "push row 0 1"), ERR_EXCHANGE_WRONG); /* none is in play */
    hold_in_play(&r, 2, 9, 10);                                         /* servants, shields */
    struct renaissance two = r;
    r.seat[2].played[1] = 0;
    r.seat[2].played_count = 1;
    r.seat[2].hand[0] = 10;
    r.seat[2].hand_count = 1;
    assert_int_equal(tried(&r, 2, "push row 0 1"), ERR_EXCHANGE_WRONG); /* there is nothing to choose */
    play(&r, 2, "push row 0");
    assert_taken(&r, 0, 0, 2, 1);

    for (unsigned first = 0; first <= 2; first++) {
        char text[ACTION_TEXT_BYTES_MAX];
        r = two;
        snprintf(text, sizeof text, first == 0 ? "push row 0" : "push row 0 %u", first);
        play(&r, 2, text);
        assert_taken(&r, 0, 0, first, 1 + 2 - first);
    }
    assert_int_equal(tried(&two, 2, "push row 0 3"), ERR_EXCHANGE_WRONG);
    assert_int_equal(tried(&two, 2, "push row 2 1"), ERR_EXCHANGE_WRONG); /* no white marble */
}

/* R12 */
static void the_whole_warehouse_is_arranged_anew(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    store(&r, 0, 0, RENAISSANCE_COINS, 1);
    store(&r, 0, 1, RENAISSANCE_SHIELDS, 2);
    play(&r, 0, "push row 2");
    assert_int_equal(tried(&r, 0, "fill 1 coins 1"), ERR_DEPOT_ORDER);
    assert_int_equal(tried(&r, 0, "fill 3 coins 1"), ERR_DEPOT_UNKNOWN);
    play(&r, 0, "fill 0 servants 1");
    assert_int_equal(tried(&r, 0, "fill 0 stones 1"), ERR_DEPOT_ORDER);
    assert_int_equal(tried(&r, 0, "fill 1 stones 2"), ERR_DEPOT_INVENTED);
    /* Until it is whole the others see what was there before. */
    assert_int_equal(renaissance_warehouse(&r, 0)[1].count, 2);
    play(&r, 0, "fill 1 coins 2");
    assert_int_equal(tried(&r, 0, "fill 2 coins 1"), ERR_DEPOT_KIND);
    play(&r, 0, "fill 2 shields 3");
    assert_depot(&r, 0, 0, RENAISSANCE_SERVANTS, 1);
    assert_depot(&r, 0, 1, RENAISSANCE_COINS, 2);
    assert_depot(&r, 0, 2, RENAISSANCE_SHIELDS, 3);
    assert_int_equal(r.seat[1].faith, 1); /* the stone (R15) */
    assert_int_equal(r.phase, RENAISSANCE_AFTER);
}

/* R13 */
static void base_depots_hold_one_kind_each(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    store(&r, 0, 1, RENAISSANCE_STONES, 2);
    play(&r, 0, "push row 2");
    assert_int_equal(tried(&r, 0, "fill 0 stones 2"), ERR_DEPOT_FULL);
    play(&r, 0, "fill 0 stones 1");
    assert_int_equal(tried(&r, 0, "fill 1 stones 2"), ERR_DEPOT_KIND);
    play(&r, 0, "fill 1 -");
    assert_int_equal(tried(&r, 0, "fill 2 coins 4"), ERR_DEPOT_FULL);
    play(&r, 0, "fill 2 coins 1");
}

/* R14 */
static void store_leaders_add_depots(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    hold_in_play(&r, 0, 7, 5); /* shields first, then stones */
    store(&r, 0, 2, RENAISSANCE_STONES, 2);
    assert_int_equal(renaissance_depot_count(&r.seat[0]), 5);
    assert_int_equal(renaissance_depot_kind(&r.seat[0], 3), RENAISSANCE_SHIELDS);
    assert_int_equal(renaissance_depot_kind(&r.seat[0], 4), RENAISSANCE_STONES);
    assert_int_equal(renaissance_depot_capacity(&r.seat[1], 3), 0);
    play(&r, 0, "push row 2");
    plays(&r, 0, "fill 0 coins 1, fill 1 servants 1, fill 2 stones 1");
    assert_int_equal(tried(&r, 0, "fill 3 stones 2"), ERR_DEPOT_LEADER);
    play(&r, 0, "fill 3 shields 1");
    assert_int_equal(r.phase, RENAISSANCE_ARRANGING);
    play(&r, 0, "fill 4 stones 2"); /* beside the one in a base depot */
    assert_int_equal(r.phase, RENAISSANCE_AFTER);
    assert_int_equal(r.seat[1].faith, 0);
    assert_int_equal(renaissance_stock_sum(&r.seat[0], RENAISSANCE_STONES), 3);
}

/* R15 */
static void what_is_not_placed_moves_the_others(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(4);
    r.seat[3].is_away = 1;
    store(&r, 0, 2, RENAISSANCE_SHIELDS, 2);
    play(&r, 0, "push row 2");
    plays(&r, 0, "fill 0 coins 1, fill 1 -, fill 2 -"); /* a stone, a servant, and three shields, two older */
    assert_int_equal(r.seat[0].faith, 0);
    assert_int_equal(r.seat[1].faith, 5);
    assert_int_equal(r.seat[2].faith, 6);
    assert_int_equal(r.seat[3].faith, 6);
    r = table_dealt(1);
    play(&r, 0, "keep L001 L002");
    plays(&r, 0, "push row 2, fill 0 -, fill 1 -, fill 2 shields 1");
    assert_int_equal(r.lorenzo, 3);
    assert_int_equal(r.seat[0].faith, 0);
}

/* R16, R19 */
static void a_card_is_bought_from_everywhere(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    assert_int_equal(tried(&r, 0, "buy purple 1 0"), ERR_CARD_PRICE);
    assert_int_equal(tried(&r, 0, "buy purple 4 0"), ERR_CARD_GONE);
    hold_in_play(&r, 0, 6, 5); /* depots for servants and stones */
    store(&r, 0, 0, RENAISSANCE_SERVANTS, 1);
    store(&r, 0, 3, RENAISSANCE_SERVANTS, 1);
    give(&r, 0, 0, 0, 1, 0);
    play(&r, 0, "buy purple 1 2");
    assert_int_equal(r.owed[RENAISSANCE_SERVANTS], 2);
    assert_int_equal(tried(&r, 0, "pay servants 1 1 1"), ERR_PAYMENT_WRONG);
    assert_int_equal(tried(&r, 0, "pay servants 1 0 0"), ERR_PAYMENT_WRONG);
    assert_int_equal(tried(&r, 0, "pay servants 0 0 2"), ERR_PAYMENT_LACKING);
    assert_int_equal(tried(&r, 0, "pay coins 0 0 0"), ERR_PAYMENT_WRONG);
    struct action list[8];
    assert_int_equal(game->legal(state_of(&r), 0, list), 3);
    struct renaissance all = r;
    play(&r, 0, "pay servants 1 0 1");
    assert_depot(&r, 0, 0, 0, 0);
    assert_depot(&r, 0, 3, RENAISSANCE_SERVANTS, 1);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SERVANTS], 0);
    assert_int_equal(r.seat[0].slot[2][0], 2);
    play(&all, 0, "pay servants 0 1 1");
    assert_depot(&all, 0, 0, RENAISSANCE_SERVANTS, 1);
    assert_depot(&all, 0, 3, 0, 0);
}

/* R16 */
static void an_empty_pile_sells_nothing(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    give(&r, 0, 9, 9, 9, 9);
    own(&r, 1, 0, 6);
    own(&r, 1, 1, 10);
    own(&r, 1, 2, 14);
    plays(&r, 0, "buy purple 1 0, pay servants 0 0 2");
    assert_int_equal(r.phase, RENAISSANCE_AFTER); /* there is nothing to reveal */
    assert_int_equal(r.visible[0], 0);
    play(&r, 0, "end");
    r.mover = 0;
    assert_int_equal(tried(&r, 0, "buy purple 1 1"), ERR_CARD_GONE);
}

/* R17 */
static void discounts_do_not_go_below_nothing(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    uint8_t cost[RENAISSANCE_KINDS];
    hold_in_play(&r, 0, 1, 2); /* servants, shields */
    renaissance_price(&r.seat[0], 2, cost);
    assert_int_equal(cost[RENAISSANCE_SERVANTS], 1);
    assert_int_equal(cost[RENAISSANCE_SHIELDS], 0); /* the price has none */
    renaissance_price(&r.seat[0], 5, cost);         /* one stone, one servant, one shield */
    assert_int_equal(cost[RENAISSANCE_STONES], 1);
    assert_int_equal(cost[RENAISSANCE_SERVANTS] + cost[RENAISSANCE_SHIELDS], 0);
    give(&r, 0, 0, 0, 1, 0);
    plays(&r, 0, "buy purple 1 0, pay servants 0 0 1");
    assert_int_equal(r.seat[0].slot[0][0], 2);
}

/* R18 */
static void cards_are_stacked_by_level(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    give(&r, 0, 9, 9, 9, 9);
    assert_int_equal(tried(&r, 0, "buy green 2 0"), ERR_CARD_SLOT);
    assert_int_equal(tried(&r, 0, "buy green 1 3"), ERR_CARD_SLOT);
    own(&r, 0, 1, 6);
    assert_int_equal(tried(&r, 0, "buy green 1 1"), ERR_CARD_SLOT);
    assert_int_equal(tried(&r, 0, "buy green 3 1"), ERR_CARD_SLOT);
    assert_int_equal(tried(&r, 0, "buy green 2 1"), ERR_OK); /* on a purple one */
    own(&r, 0, 1, 21);
    assert_int_equal(tried(&r, 0, "buy green 3 1"), ERR_OK);
    own(&r, 0, 1, 38);
    assert_int_equal(tried(&r, 0, "buy green 3 1"), ERR_CARD_SLOT);
}

/* R20, R22 */
static void every_production_is_used_once(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    give(&r, 0, 9, 9, 9, 9);
    own(&r, 0, 0, 5); /* a stone to a servant */
    assert_int_equal(tried(&r, 0, "run"), ERR_PRODUCTION_NONE);
    assert_int_equal(tried(&r, 0, "card 1"), ERR_PRODUCTION_UNKNOWN);
    assert_int_equal(tried(&r, 0, "card 3"), ERR_PRODUCTION_UNKNOWN);
    assert_int_equal(tried(&r, 0, "leader 0 coins"), ERR_PRODUCTION_UNKNOWN);
    play(&r, 0, "base coins coins shields");
    assert_int_equal(tried(&r, 0, "base coins coins shields"), ERR_PRODUCTION_TWICE);
    play(&r, 0, "card 0");
    assert_int_equal(tried(&r, 0, "card 0"), ERR_PRODUCTION_TWICE);
    assert_int_equal(tried(&r, 0, "base coins coins shields"), ERR_PRODUCTION_TWICE);
    play(&r, 0, "run");
    assert_int_equal(tried(&r, 0, "pay stones 0 0 1"), ERR_PAYMENT_WRONG); /* coins come first */
    plays(&r, 0, "pay coins 0 0 2, pay stones 0 0 1");
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_COINS], 7);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_STONES], 8);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SERVANTS], 10);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SHIELDS], 10);
}

/* R21 */
static void base_production_takes_any_two(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    store(&r, 0, 0, RENAISSANCE_COINS, 1);
    give(&r, 0, 0, 0, 0, 1);
    assert_int_equal(tried(&r, 0, "base coins coins stones"), ERR_PRODUCTION_PRICE);
    assert_int_equal(tried(&r, 0, "base shields coins stones"), ERR_ACTION_UNKNOWN); /* in their order */
    plays(&r, 0, "base coins shields stones, run, pay coins 1 0 0, pay shields 0 0 1");
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_STONES], 1);
    assert_int_equal(renaissance_resources_left(&r.seat[0]), 1);
}

/* R22 */
static void only_the_top_card_produces(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    own(&r, 0, 0, 5);
    own(&r, 0, 0, 29); /* a coin to two shields and a step */
    give(&r, 0, 1, 1, 0, 0);
    plays(&r, 0, "card 0, run, pay coins 0 0 1");
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SHIELDS], 2);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SERVANTS], 0);
    assert_int_equal(r.seat[0].faith, 1);
}

/* R23 */
static void production_leaders_give_one_and_a_step(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    hold_in_play(&r, 0, 16, 13); /* coins, then shields */
    give(&r, 0, 1, 0, 0, 1);
    assert_int_equal(tried(&r, 0, "leader 2 coins"), ERR_PRODUCTION_UNKNOWN);
    play(&r, 0, "leader 0 stones");
    assert_int_equal(tried(&r, 0, "leader 0 stones"), ERR_PRODUCTION_TWICE);
    plays(&r, 0, "leader 1 servants, run, pay coins 0 0 1, pay shields 0 0 1");
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_STONES], 1);
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SERVANTS], 1);
    assert_int_equal(r.seat[0].faith, 2);
}

/* R24 */
static void outputs_do_not_pay_inputs(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    own(&r, 0, 0, 5); /* a stone to a servant */
    own(&r, 0, 1, 7); /* a servant to a stone */
    give(&r, 0, 0, 1, 0, 0);
    play(&r, 0, "card 0");
    assert_int_equal(tried(&r, 0, "card 1"), ERR_PRODUCTION_PRICE);
    plays(&r, 0, "run, pay stones 0 0 1");
    assert_int_equal(r.seat[0].strongbox[RENAISSANCE_SERVANTS], 1);
    for (unsigned depot = 0; depot < RENAISSANCE_BASE_DEPOTS; depot++)
        assert_depot(&r, 0, depot, 0, 0); /* never the warehouse */
}

/* R25 */
static void leaders_ask_for_resources_of_all_places(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    hold_in_play(&r, 0, 7, 8);
    struct renaissance_seat *s = &r.seat[0];
    s->played[1] = 0;
    s->played_count = 1;
    s->hand[0] = 8; /* asks for five shields; the store leader 7 holds two of them */
    s->hand_count = 1;
    store(&r, 0, 1, RENAISSANCE_SHIELDS, 2);
    store(&r, 0, 3, RENAISSANCE_SHIELDS, 2);
    assert_int_equal(tried(&r, 0, "play L008"), ERR_LEADER_UNEARNED);
    give(&r, 0, 0, 0, 0, 1);
    play(&r, 0, "play L008");
    assert_int_equal(renaissance_stock_sum(s, RENAISSANCE_SHIELDS), 5); /* nothing is spent */
    assert_int_equal(renaissance_depot_count(s), 5);
}

/* R25 */
static void leaders_ask_for_cards(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    hold(&r, 0, 9, 13); /* two yellow and a blue; a yellow one of level 2 */
    own(&r, 0, 0, 8);
    own(&r, 0, 1, 7);
    assert_int_equal(tried(&r, 0, "play L009"), ERR_LEADER_UNEARNED);
    assert_int_equal(tried(&r, 0, "play L013"), ERR_LEADER_UNEARNED);
    own(&r, 0, 0, 21); /* the yellow one is covered and still counts */
    own(&r, 0, 0, 40); /* yellow, but of level 3 */
    assert_int_equal(tried(&r, 0, "play L009"), ERR_OK);
    assert_int_equal(tried(&r, 0, "play L013"), ERR_LEADER_UNEARNED);
    own(&r, 0, 1, 24);
    assert_int_equal(tried(&r, 0, "play L013"), ERR_OK);
}

/* R26 */
static void a_discarded_leader_is_a_step(void **unused) {
    (void)unused;
    struct renaissance r = table_begun(2);
    assert_int_equal(tried(&r, 0, "discard L003"), ERR_LEADER_NOT_HELD); /* not kept */
    assert_int_equal(tried(&r, 0, "discard L005"), ERR_LEADER_NOT_HELD); /* another's */
    assert_int_equal(tried(&r, 0, "play L005"), ERR_LEADER_NOT_HELD);
    play(&r, 0, "discard L002");
    assert_int_equal(r.seat[0].faith, 1);
    assert_int_equal(tried(&r, 0, "discard L002"), ERR_LEADER_NOT_HELD);
    assert_int_equal(tried(&r, 0, "play L002"), ERR_LEADER_NOT_HELD);
    play(&r, 0, "discard L001");
    assert_int_equal(r.seat[0].faith, 2);
    assert_int_equal(r.seat[0].hand_count, 0);
    own(&r, 0, 0, 5);
    own(&r, 0, 1, 8);
    assert_int_equal(tried(&r, 0, "discard L001"), ERR_LEADER_NOT_HELD);
}

static void texts_are_refused_that_are_no_actions(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "push",
        "push row",
        "push row 3",
        "push column 4",
        "push diagonal 1",
        "fill 0",
        "fill 0 gold 1",
        "fill 0 coins",
        "fill 0 coins 0",
        "buy red 1 0",
        "pay coins 1",
        "keep L001",
        "play L017",
        "play 1",
        "lay WWRB/YGPW/BYGP",
        "end turn",
        "lay WWRB/YGPW/BYGQ W",
        "base coins coins",
        "token -1",
        "put coins x",
    };
    struct renaissance r = table_begun(2);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct action action;
        assert_int_equal(game->action_parse(state_of(&r), 0, span_of(texts[i]), &action), ERR_ACTION_TEXT);
    }
    assert_int_equal(parsed(&r, 0, "PUSH Row 1").arg[0], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_are_as_printed),
        cmocka_unit_test(doubtful_cards_are_right),
        cmocka_unit_test(leaders_are_as_printed),
        cmocka_unit_test(the_market_has_thirteen_marbles),
        cmocka_unit_test(only_the_top_of_a_pile_is_known),
        cmocka_unit_test(two_different_leaders_are_kept),
        cmocka_unit_test(leaders_are_secret_until_they_are_played),
        cmocka_unit_test(later_seats_start_with_more),
        cmocka_unit_test(starting_resources_keep_the_rules_of_depots),
        cmocka_unit_test(a_turn_has_one_main_action),
        cmocka_unit_test(a_turn_does_not_end_before_its_main_action),
        cmocka_unit_test(the_free_marble_is_pushed_in),
        cmocka_unit_test(marbles_give_resources_and_faith),
        cmocka_unit_test(exchange_leaders_turn_white_marbles),
        cmocka_unit_test(the_whole_warehouse_is_arranged_anew),
        cmocka_unit_test(base_depots_hold_one_kind_each),
        cmocka_unit_test(store_leaders_add_depots),
        cmocka_unit_test(what_is_not_placed_moves_the_others),
        cmocka_unit_test(a_card_is_bought_from_everywhere),
        cmocka_unit_test(an_empty_pile_sells_nothing),
        cmocka_unit_test(discounts_do_not_go_below_nothing),
        cmocka_unit_test(cards_are_stacked_by_level),
        cmocka_unit_test(every_production_is_used_once),
        cmocka_unit_test(base_production_takes_any_two),
        cmocka_unit_test(only_the_top_card_produces),
        cmocka_unit_test(production_leaders_give_one_and_a_step),
        cmocka_unit_test(outputs_do_not_pay_inputs),
        cmocka_unit_test(leaders_ask_for_resources_of_all_places),
        cmocka_unit_test(leaders_ask_for_cards),
        cmocka_unit_test(a_discarded_leader_is_a_step),
        cmocka_unit_test(texts_are_refused_that_are_no_actions),
    };
    return cmocka_run_group_tests_name("renaissance", tests, NULL, NULL);
}
