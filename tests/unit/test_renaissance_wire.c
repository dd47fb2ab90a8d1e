/* Masters of Renaissance into messages and back, on positions that come up too rarely in games. Rows are
 * those of docs/protocols/renaissance.md. */
#include "tests.h"

#include "wire/renaissance/dialect.h"

static struct renaissance world;
static struct buf out;

static const struct renaissance_scene scene = {
    .state = &world, .names = {"alice", "b\"\\ob", "carol", "david"}, .is_online = {true, true, false, true}};

/* A turn of alice among so many, with a market and cards. */
static void set_up(unsigned seats) {
    static const uint8_t marbles[RENAISSANCE_CELLS] = {0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5};
    world = (struct renaissance){.seats = (uint8_t)seats, .phase = RENAISSANCE_BEFORE, .free_marble = 5};
    memcpy(world.market, marbles, sizeof marbles);
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++) {
        world.visible[pile] = (uint8_t)renaissance_pile_card(pile, 0);
        world.unseen[pile] = 0xe;
    }
    for (unsigned seat = 0; seat < seats; seat++) {
        world.seat[seat].stage = RENAISSANCE_READY;
        world.seat[seat].dropped_count = 2;
    }
    world.tokens = seats == 1 ? 0x7f : 0;
}

static int clean(void **state) {
    (void)state;
    buf_free(&out);
    return 0;
}

static const char *written(void) {
    const char *text = buf_text(&out);
    buf_clear(&out);
    return text;
}

static enum err read_as(unsigned choice, const char *text, struct action *actions, size_t *count) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    struct renaissance_message m;
    json_t *body;
    assert_int_equal(json_read_object(span_of(text), &body, complaint), ERR_OK);
    assert_int_equal(renaissance_read_message(body, &m), ERR_OK);
    enum err e = renaissance_read_actions(&world, 0, &m, choice, actions, count);
    json_decref(body);
    return e;
}

/* The message is refused by itself or by the rules. */
static enum err tried(unsigned choice, const char *text) {
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX];
    struct renaissance trial = world;
    size_t count;
    enum err e = read_as(choice, text, actions, &count);
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        e = renaissance_game.check((struct game_state *)&trial, 0, &actions[i]);
        if (e == ERR_OK)
            renaissance_game.apply((struct game_state *)&trial, 0, &actions[i]);
    }
    if (e == ERR_OK)
        world = trial;
    return e;
}

static void row_14_depots_of_leaders_count_with_the_others(void **state) {
    (void)state;
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->played[0] = (uint8_t)renaissance_leader_of_id(SPAN("L005")); /* stones */
    s->played_count = 1;
    s->depot[2] = (struct renaissance_depot){RENAISSANCE_STONES, 3};
    s->depot[3] = (struct renaissance_depot){RENAISSANCE_STONES, 2};
    s->hand[0] = (uint8_t)renaissance_leader_of_id(SPAN("L006")); /* asks for five stones */
    s->hand_count = 1;
    assert_int_equal(tried(RENAISSANCE_MAY_PLAY_LEADER, "{\"type\":\"actionParameters\",\"id\":\"L006\"}"),
                     ERR_OK);
    renaissance_write_played(&out, &scene, 0, s->played[1]);
    assert_string_equal(written(),
                        "{\"type\":\"layoutUpdate\",\"nickname\":\"alice\",\"action\":\"PLAYLEADERCARD\","
                        "\"id\":\"L006\",\"warehouse\":{\"0\":[],\"1\":[],\"2\":[\"STONES\",\"STONES\","
                        "\"STONES\"],\"3\":[\"STONES\",\"STONES\"],\"4\":[]}}");
}

static void row_15_exchange_needs_a_resource_for_every_white_marble(void **state) {
    (void)state;
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX];
    size_t count;
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->played[0] = (uint8_t)renaissance_leader_of_id(SPAN("L012")); /* coins */
    s->played[1] = (uint8_t)renaissance_leader_of_id(SPAN("L011")); /* stones */
    s->played_count = 2;
#define LINE "{\"type\":\"rowColumnSelection\",\"index\":0,\"isRow\":true,\"exchangeResources\":"
    assert_int_equal(read_as(0, LINE "[]}", actions, &count), ERR_EXCHANGE_WRONG);
    assert_int_equal(read_as(0, LINE "[\"COINS\",\"COINS\",\"COINS\"]}", actions, &count),
                     ERR_EXCHANGE_WRONG);
    assert_int_equal(read_as(0, LINE "[\"COINS\",\"STONES\",\"COINS\",\"SHIELDS\"]}", actions, &count),
                     ERR_EXCHANGE_WRONG);
    assert_int_equal(
        read_as(0, LINE "[\"COINS\",\"STONES\",\"COINS\",\"COINS\",\"COINS\"]}", actions, &count),
        ERR_FIELD_INVALID);
    assert_int_equal(read_as(0, LINE "[\"coins\",\"STONES\",\"COINS\",\"COINS\"]}", actions, &count), ERR_OK);
    assert_int_equal(count, 1);
    assert_int_equal(actions[0].arg[1], 3);
    s->played_count = 1;
    assert_int_equal(read_as(0, LINE "[]}", actions, &count), ERR_OK);
    assert_int_equal(tried(0, LINE "[\"COINS\",\"COINS\",\"COINS\",\"COINS\"]}"), ERR_OK);
    assert_int_equal(world.taken[RENAISSANCE_COINS], 4);
}

static void rows_16_17_productions(void **state) {
    (void)state;
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->slot[0][0] = 2; /* D002: a stone for a step */
    s->strongbox[RENAISSANCE_STONES] = 3;
    s->strongbox[RENAISSANCE_COINS] = 3;
#define PRODUCE         "{\"type\":\"actionParameters\",\"action\":\"USEPRODUCTION\","
#define PAYING(amounts) "\"paymentResources\":{\"strongbox\":" amounts "}}"
    assert_int_equal(
        tried(RENAISSANCE_MAY_PRODUCE, PRODUCE "\"devCardSlots\":[0,0]," PAYING("{\"STONES\":2}")),
        ERR_PRODUCTION_TWICE);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE, PRODUCE "\"devCardSlots\":[0]," PAYING("{\"STONES\":2}")),
                     ERR_PAYMENT_WRONG);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE, PRODUCE "\"devCardSlots\":[1]," PAYING("{\"STONES\":1}")),
                     ERR_PRODUCTION_UNKNOWN);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE,
                           PRODUCE "\"devCardSlots\":[0]," PAYING("{\"STONES\":65535,\"stones\":2}")),
                     ERR_FIELD_INVALID);
    assert_int_equal(
        tried(RENAISSANCE_MAY_PRODUCE, PRODUCE "\"boardResources\":[\"COINS\",\"SHIELDS\"]," PAYING("{}")),
        ERR_FIELD_INVALID);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE, PRODUCE
                           "\"devCardSlots\":[0],\"boardResources\":[\"SHIELDS\"]," PAYING("{\"STONES\":2}")),
                     ERR_PAYMENT_WRONG);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE,
                           PRODUCE "\"devCardSlots\":[0],\"boardResources\":[\"SHIELDS\"]," PAYING(
                               "[\"STONES\",\"coins\",\"STONES\"]")),
                     ERR_OK);
    assert_int_equal(s->strongbox[RENAISSANCE_STONES], 1);
    assert_int_equal(s->strongbox[RENAISSANCE_COINS], 2);
    assert_int_equal(s->strongbox[RENAISSANCE_SHIELDS], 1);
    assert_int_equal(s->faith, 1);
}

static void rows_23_25_reports_are_told_as_they_were(void **state) {
    (void)state;
    set_up(3);
    world.seat[0].faith = 3;
    world.seat[1].faith = 7;
    world.seat[2].faith = 4; /* gets inside with the step that brings bob onto 8 */
    memset(world.market, RENAISSANCE_YELLOW, RENAISSANCE_COLUMNS);
    struct renaissance before = world;
    assert_int_equal(tried(0, "{\"type\":\"rowColumnSelection\",\"index\":\"0\",\"isRow\":1}"), ERR_OK);
    assert_int_equal(tried(0, "{\"type\":\"resourcesManageReply\",\"warehouse\":{}}"), ERR_OK);
    struct renaissance_faith_change changes[RENAISSANCE_FAITH_CHANGES_MAX];
    assert_int_equal(renaissance_faith_changes(&before, &world, changes), 2);
    renaissance_write_faith(&out, &scene, &changes[0]);
    assert_string_equal(
        written(), "{\"type\":\"faithTrackUpdate\",\"vaticanReportActivated\":[\"b\\\"\\\\ob\",\"carol\"],"
                   "\"vaticanReportPosition\":8,\"report\":true,\"faithTrackPositions\":{\"alice\":3,"
                   "\"b\\\"\\\\ob\":8,\"carol\":5}}");
    renaissance_write_faith(&out, &scene, &changes[1]);
    assert_string_equal(written(),
                        "{\"type\":\"faithTrackUpdate\",\"vaticanReportActivated\":[],"
                        "\"vaticanReportPosition\":0,\"report\":false,\"faithTrackPositions\":{\"alice\":3,"
                        "\"b\\\"\\\\ob\":11,\"carol\":8}}");
}

static void row_24_reports_are_per_player(void **state) {
    (void)state;
    set_up(2);
    world.report[0] = (struct renaissance_report){.happened = 1, .kept = 1};
    world.report[1] = (struct renaissance_report){.happened = 1, .kept = 2};
    renaissance_write_update(&out, &scene, 1);
    assert_non_null(strstr(written(), "\"vaticanReportActivated\":{\"alice\":{\"8\":true,\"16\":false},"
                                      "\"b\\\"\\\\ob\":{\"8\":false,\"16\":true}}"));
}

static void row_27_scores_are_in_the_order_of_the_ranks(void **state) {
    (void)state;
    set_up(4);
    world.phase = RENAISSANCE_OVER;
    world.end = RENAISSANCE_BY_POINTS;
    world.seat[1].faith = world.seat[3].faith = 9;
    world.seat[3].strongbox[RENAISSANCE_COINS] = 3; /* no point, but more left */
    world.seat[2].faith = 12;
    renaissance_write_scores(&out, &scene);
    assert_string_equal(written(),
                        "{\"type\":\"finalScore\",\"scores\":{\"carol\":6,\"david\":4,\"b\\\"\\\\ob\":4,"
                        "\"alice\":0},\"lorenzoWon\":false}");
}

static void row_30_alone_won_and_lost_is_lost(void **state) {
    (void)state;
    set_up(1);
    world.phase = RENAISSANCE_AFTER;
    world.seat[0].faith = world.lorenzo = RENAISSANCE_FAITH_MAX;
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        world.report[i].happened = 1;
    assert_int_equal(tried(0, "{\"type\":\"endTurn\"}"), ERR_OK);
    assert_int_equal(world.phase, RENAISSANCE_OVER);
    renaissance_write_scores(&out, &scene);
    assert_string_equal(written(), "{\"type\":\"finalScore\",\"scores\":{\"alice\":20},\"lorenzoWon\":true}");
}

static void row_37_level_2_is_level_2(void **state) {
    (void)state;
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->hand[0] = (uint8_t)renaissance_leader_of_id(SPAN("L013")); /* asks for a yellow card of level 2 */
    s->hand_count = 1;
    s->slot[0][0] = (uint8_t)renaissance_pile_card(renaissance_pile(RENAISSANCE_CARD_BLUE, 1), 1);
    s->slot[0][1] = (uint8_t)renaissance_pile_card(renaissance_pile(RENAISSANCE_CARD_BLUE, 2), 1);
    s->slot[0][2] = (uint8_t)renaissance_pile_card(renaissance_pile(RENAISSANCE_CARD_YELLOW, 3), 1);
#define PLAY "{\"type\":\"actionParameters\",\"id\":\"L013\"}"
    assert_int_equal(tried(RENAISSANCE_MAY_PLAY_LEADER, PLAY), ERR_LEADER_UNEARNED);
    s->slot[0][1] = (uint8_t)renaissance_pile_card(renaissance_pile(RENAISSANCE_CARD_YELLOW, 2), 1);
    assert_int_equal(tried(RENAISSANCE_MAY_PLAY_LEADER, PLAY), ERR_OK);
}

static void row_38_discounts_are_of_what_a_card_costs(void **state) {
    (void)state;
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->played[0] = (uint8_t)renaissance_leader_of_id(SPAN("L004")); /* coins */
    s->played_count = 1;
    s->strongbox[RENAISSANCE_SERVANTS] = 2;
    world.visible[renaissance_pile(RENAISSANCE_CARD_PURPLE, 1)] = 2; /* D002 costs two servants */
    world.unseen[renaissance_pile(RENAISSANCE_CARD_PURPLE, 1)] = 0;
#define BUY "{\"type\":\"actionParameters\",\"color\":\"purple\",\"level\":\"1\",\"devCardSlot\":0,"
    assert_int_equal(tried(RENAISSANCE_MAY_BUY, BUY PAYING("{\"SERVANTS\":1}")), ERR_PAYMENT_WRONG);
    assert_int_equal(tried(RENAISSANCE_MAY_BUY, BUY PAYING("{\"SERVANTS\":2,\"COINS\":0}")), ERR_OK);
    renaissance_write_bought(&out, &scene, 0, 2);
    assert_non_null(strstr(
        written(), "\"id\":\"D002\",\"newId\":null,\"color\":\"PURPLE\",\"level\":1,\"devCardSlot\":0"));
}

static struct renaissance_seat *set_up_with(struct span first, struct span second) {
    set_up(2);
    struct renaissance_seat *s = &world.seat[0];
    s->played[0] = (uint8_t)renaissance_leader_of_id(first);
    s->played[1] = (uint8_t)renaissance_leader_of_id(second);
    s->played_count = 2;
    return s;
}

/* What white marbles give goes into the depot of a leader like any other resource. */
static void exchange_and_store_work_together(void **state) {
    (void)state;
    struct renaissance_seat *s = set_up_with(SPAN("L005"), SPAN("L011")); /* both stones */
    assert_int_equal(tried(0, LINE "[\"STONES\",\"STONES\",\"STONES\",\"STONES\"]}"), ERR_OK);
#define MANAGE(warehouse) "{\"type\":\"resourcesManageReply\",\"warehouse\":" warehouse "}"
    assert_int_equal(tried(0, MANAGE("{\"1\":[\"STONES\"],\"3\":[\"STONES\",\"STONES\",\"STONES\"]}")),
                     ERR_DEPOT_FULL);
    assert_int_equal(tried(0, MANAGE("{\"1\":[\"STONES\"],\"2\":[\"STONES\"],\"3\":[\"STONES\"]}")),
                     ERR_DEPOT_KIND);
    assert_int_equal(tried(0, MANAGE("{\"4\":[\"STONES\"]}")), ERR_DEPOT_UNKNOWN);
    assert_int_equal(tried(0, MANAGE("{\"0\":[\"STONES\"],\"3\":[\"STONES\",\"STONES\"]}")), ERR_OK);
    assert_int_equal(s->depot[0].count, 1);
    assert_int_equal(s->depot[3].count, 2);
    assert_int_equal(world.seat[1].faith, 1); /* the fourth */
}

/* A lower price is paid from the depot of a leader, from that of the board and from the strongbox alike. */
static void discount_and_store_work_together(void **state) {
    (void)state;
    struct renaissance_seat *s = set_up_with(SPAN("L003"), SPAN("L005")); /* both stones */
    s->depot[2] = (struct renaissance_depot){RENAISSANCE_STONES, 1};
    s->depot[3] = (struct renaissance_depot){RENAISSANCE_STONES, 2};
    world.visible[renaissance_pile(RENAISSANCE_CARD_YELLOW, 1)] = 12; /* D012 costs three stones */
#define BUY_YELLOW "{\"type\":\"actionParameters\",\"color\":\"YELLOW\",\"level\":1,\"devCardSlot\":2,"
#define FROM(base, leaders)                                                                                  \
    "\"paymentResources\":{\"warehouse\":{\"STONES\":" base "},\"leaderDepot\":{\"STONES\":" leaders "}}}"
    assert_int_equal(tried(RENAISSANCE_MAY_BUY, BUY_YELLOW FROM("1", "2")), ERR_PAYMENT_WRONG);
    assert_int_equal(tried(RENAISSANCE_MAY_BUY, BUY_YELLOW FROM("2", "0")), ERR_PAYMENT_LACKING);
    assert_int_equal(tried(RENAISSANCE_MAY_BUY, BUY_YELLOW FROM("1", "1")), ERR_OK);
    assert_int_equal(s->depot[2].count, 0);
    assert_int_equal(s->depot[3].count, 1);
    assert_int_equal(s->slot[2][0], 12);
}

/* Two discounts on one card, each on its own kind. */
static void two_discounts_work_together(void **state) {
    (void)state;
    struct renaissance_seat *s = set_up_with(SPAN("L003"), SPAN("L001")); /* stones, servants */
    s->strongbox[RENAISSANCE_SHIELDS] = 1;
    world.visible[renaissance_pile(RENAISSANCE_CARD_GREEN, 1)] = 5; /* D005: a stone, a servant, a shield */
    assert_int_equal(tried(RENAISSANCE_MAY_BUY,
                           "{\"type\":\"actionParameters\",\"color\":\"GREEN\",\"level\":1,"
                           "\"devCardSlot\":0," PAYING("{\"SHIELDS\":1}")),
                     ERR_OK);
    assert_int_equal(s->strongbox[RENAISSANCE_SHIELDS], 0);
}

/* A production leader is paid from the depot of another leader, and its step can call a report. */
static void production_and_store_work_together(void **state) {
    (void)state;
    struct renaissance_seat *s = set_up_with(SPAN("L005"), SPAN("L015")); /* both stones */
    s->depot[3] = (struct renaissance_depot){RENAISSANCE_STONES, 2};
    s->faith = 7;
    world.seat[1].faith = 5;
#define LEADER_RUN PRODUCE "\"leaderCardSlots\":[0],\"leaderResources\":[\"STONES\"],"
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE, LEADER_RUN FROM("1", "0")), ERR_PAYMENT_LACKING);
    assert_int_equal(tried(RENAISSANCE_MAY_PRODUCE, LEADER_RUN FROM("0", "1")), ERR_OK);
    assert_int_equal(s->depot[3].count, 1);
    assert_int_equal(s->strongbox[RENAISSANCE_STONES], 1);
    assert_int_equal(world.report[0].kept, SEAT_BIT(0) | SEAT_BIT(1));
}

static void row_33_words_in_any_case(void **state) {
    (void)state;
    for (unsigned choice = 1; choice <= RENAISSANCE_MAY_END_TURN; choice <<= 1)
        assert_int_equal(renaissance_choice_of(span_of(renaissance_choice_word(choice))), choice);
    assert_int_equal(renaissance_choice_of(SPAN("endturn")), RENAISSANCE_MAY_END_TURN);
    assert_int_equal(renaissance_choice_of(SPAN("MANAGE")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(row_14_depots_of_leaders_count_with_the_others, clean),
        cmocka_unit_test_teardown(row_15_exchange_needs_a_resource_for_every_white_marble, clean),
        cmocka_unit_test_teardown(rows_16_17_productions, clean),
        cmocka_unit_test_teardown(rows_23_25_reports_are_told_as_they_were, clean),
        cmocka_unit_test_teardown(row_24_reports_are_per_player, clean),
        cmocka_unit_test_teardown(row_27_scores_are_in_the_order_of_the_ranks, clean),
        cmocka_unit_test_teardown(row_30_alone_won_and_lost_is_lost, clean),
        cmocka_unit_test_teardown(exchange_and_store_work_together, clean),
        cmocka_unit_test_teardown(discount_and_store_work_together, clean),
        cmocka_unit_test_teardown(two_discounts_work_together, clean),
        cmocka_unit_test_teardown(production_and_store_work_together, clean),
        cmocka_unit_test_teardown(row_33_words_in_any_case, clean),
        cmocka_unit_test_teardown(row_37_level_2_is_level_2, clean),
        cmocka_unit_test_teardown(row_38_discounts_are_of_what_a_card_costs, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
