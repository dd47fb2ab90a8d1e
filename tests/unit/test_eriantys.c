/* The rules of Eriantys, one test or more for each number in docs/rules/eriantys.md; those of expert games,
 * from R23 on, are in test_eriantys_characters.c. */
#include "eriantys_world.h"

#include "base/buf.h"
#include "game/playout.h"

#include <math.h>

static void seats_and_teams(void **unused) { /* R1 */
    (void)unused;
    struct eriantys e;
    for (unsigned seats = 1; seats <= 5; seats++) {
        struct game_options options = {.seat_count = seats};
        assert_int_equal(game->setup(state_of(&e), &options),
                         seats >= 2 && seats <= 4 ? ERR_OK : ERR_SEAT_COUNT);
    }
    e = world_new(4);
    assert_int_equal(game->turn(state_of(&e)), SEAT_BIT(0));
    assert_int_equal(eriantys_team(&e, 0), eriantys_team(&e, 2));
    assert_int_equal(eriantys_team(&e, 1), eriantys_team(&e, 3));
    assert_int_not_equal(eriantys_team(&e, 0), eriantys_team(&e, 1));
    e = world_new(3);
    assert_int_not_equal(eriantys_team(&e, 0), eriantys_team(&e, 2));
}

static void steps_of_assistants(void **unused) { /* R2 */
    (void)unused;
    static const unsigned steps[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    for (unsigned value = 1; value <= 10; value++)
        assert_int_equal(eriantys_assistant_steps(value), steps[value - 1]);
}

static void islands_have_two_of_each_colour(void **unused) { /* R3 */
    (void)unused;
    struct eriantys e = world_setup(2, ERIANTYS_NORMAL);
    assert_refused(&e, SEAT_CHANCE, "islands BBBFFGGRRY", ERR_DRAW_WRONG);
    assert_refused(&e, SEAT_CHANCE, "draw entrance 0 BBFGRRY", ERR_ACTION_UNKNOWN);
    play(&e, SEAT_CHANCE, "islands YBFGRRGFBY");
    assert_int_equal(e.mother, 0);
    assert_int_equal(eriantys_sum(e.group[0].students), 0);
    assert_int_equal(eriantys_sum(e.group[6].students), 0);
    assert_int_equal(e.group[1].students[ERIANTYS_YELLOW], 1);
    assert_int_equal(e.group[5].students[ERIANTYS_RED], 1);
    assert_int_equal(e.group[7].students[ERIANTYS_RED], 1);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        assert_int_equal(e.bag[color], 24);
}

static void numbers_depend_on_the_players(void **unused) { /* R4, R6 */
    (void)unused;
    static const struct {
        unsigned seats, towers, entrance, cloud, bag;
    } rows[] = {{2, 8, 7, 3, 100}, {3, 6, 9, 4, 81}, {4, 8, 7, 3, 80}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct eriantys e = world_new(rows[i].seats);
        for (unsigned seat = 0; seat < rows[i].seats; seat++) {
            assert_int_equal(e.towers[eriantys_team(&e, seat)], rows[i].towers);
            assert_int_equal(eriantys_sum(e.seat[seat].entrance), rows[i].entrance);
            assert_int_equal(eriantys_sum(e.cloud[seat]), rows[i].cloud);
        }
        assert_int_equal(eriantys_sum(e.bag), rows[i].bag);
        assert_int_equal(eriantys_students_per_turn(&e), rows[i].cloud);
    }
}

static double choose(unsigned n, unsigned k) {
    double ways = 1;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return k > n ? 0 : ways;
}

/* Draws are without putting back: every outcome comes as often as there are ways to it. */
static void draws_have_their_true_probability(void **unused) { /* R6 */
    (void)unused;
    enum { SAMPLES = 40000 };
    struct eriantys e = world_new(2);
    struct action list[ERIANTYS_ACTIONS_MAX], action;
    struct rng rng;
    rng_seed(&rng, 1);
    memset(e.cloud, 0, sizeof e.cloud);
    e.phase = ERIANTYS_FILLING;
    e.turn = 0;
    const uint8_t bag[ERIANTYS_COLORS] = {4, 1, 0, 2, 6};
    memcpy(e.bag, bag, sizeof bag);
    size_t count = game->legal(state_of(&e), SEAT_CHANCE, list);
    unsigned seen[ERIANTYS_ACTIONS_MAX] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        size_t at = 0;
        game->sample(state_of(&e), SEAT_CHANCE, &rng, &action);
        while (!action_equal(&list[at], &action))
            assert_true(++at < count);
        seen[at]++;
    }
    for (size_t i = 0; i < count; i++) {
        double expected = SAMPLES / choose(13, 3);
        for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
            expected *= choose(bag[color], list[i].arg[2 + color]);
        if (fabs(seen[i] - expected) > 5 * sqrt(expected) + 1)
            fail_msg("outcome %zu came %u times instead of %.0f", i, seen[i], expected);
    }
}

static void planning_goes_clockwise(void **unused) { /* R7: from the one who begins, not in the last order */
    (void)unused;
    struct eriantys e = world_new(3);
    assert_refused(&e, 1, "assistant 3", ERR_NOT_YOUR_TURN);
    static const char *const others[] = {"student BLUE dining", "mother 1", "cloud 0", "pay 1",
                                         "swap in RED"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_refused(&e, 0, others[i], ERR_ASSISTANT_FIRST);
    play(&e, 0, "assistant 9");
    play(&e, 1, "assistant 5");
    play(&e, 2, "assistant 7");
    assert_refused(&e, 1, "assistant 3", ERR_ASSISTANT_LATE);
    round_play(&e);
    chance_acts(&e);
    assert_int_equal(e.first, 1);
    play(&e, 1, "assistant 10");
    play(&e, 2, "assistant 9");
    play(&e, 0, "assistant 8");
    assert_int_equal(e.mover, 0);
}

static void nobody_plays_the_same_assistant(void **unused) { /* R8 */
    (void)unused;
    struct eriantys e = world_new(3);
    assert_refused(&e, 0, "assistant 0", ERR_ASSISTANT_UNKNOWN);
    assert_refused(&e, 0, "assistant 11", ERR_ASSISTANT_UNKNOWN);
    play(&e, 0, "assistant 3");
    assert_refused(&e, 1, "assistant 3", ERR_ASSISTANT_TAKEN);
    play(&e, 1, "assistant 4");
    assert_refused(&e, 2, "assistant 4", ERR_ASSISTANT_TAKEN);
    play(&e, 2, "assistant 5");
    round_play(&e);
    chance_acts(&e);
    assert_refused(&e, 0, "assistant 3", ERR_ASSISTANT_GONE);
}

static void the_same_assistant_when_there_is_no_other(void **unused) { /* R8 */
    (void)unused;
    struct eriantys e = world_new(3);
    e.round = 8;
    e.seat[0].hand = 1 << 3 | 1 << 9;
    e.seat[1].hand = 1 << 4 | 1 << 9;
    e.seat[2].hand = 1 << 3 | 1 << 4;
    play(&e, 0, "assistant 3");
    play(&e, 1, "assistant 4");
    assert_int_equal(tried(&e, 2, "assistant 4"), ERR_OK);
    play(&e, 2, "assistant 3");
    /* R9: of equal values who played first acts first. */
    assert_int_equal(e.order[0], 0);
    assert_int_equal(e.order[1], 2);
    assert_int_equal(e.order[2], 1);
    e.seat[2].hand |= 1 << 7;
    e.phase = ERIANTYS_PLANNING;
    e.mover = 2;
    e.seat[2].assistant = 0;
    assert_refused(&e, 2, "assistant 4", ERR_ASSISTANT_TAKEN);
}

static void the_lowest_value_acts_first_and_begins_the_next_round(void **unused) { /* R9 */
    (void)unused;
    struct eriantys e = world_new(4);
    play(&e, 0, "assistant 10");
    play(&e, 1, "assistant 2");
    play(&e, 2, "assistant 7");
    play(&e, 3, "assistant 1");
    const uint8_t order[] = {3, 1, 2, 0};
    assert_memory_equal(e.order, order, sizeof order);
    assert_int_equal(e.mover, 3);
    round_play(&e);
    assert_int_equal(e.first, 3);
    assert_int_equal(e.round, 1);
    for (unsigned seat = 0; seat < 4; seat++)
        assert_int_equal(e.seat[seat].assistant, 0);
}

static void students_are_moved_first(void **unused) { /* R10 */
    (void)unused;
    struct eriantys e = world_new(2);
    plan(&e, 5);
    entrance_set(&e, 0, "BBFFFRR");
    assert_refused(&e, 0, "mother 1", ERR_STUDENTS_FIRST);
    assert_refused(&e, 0, "cloud 0", ERR_STUDENTS_FIRST);
    assert_refused(&e, 0, "student GREEN dining", ERR_ENTRANCE_EMPTY);
    assert_refused(&e, 0, "student BLUE island 12", ERR_ISLAND_UNKNOWN);
    assert_refused(&e, 1, "student BLUE dining", ERR_NOT_YOUR_TURN);
    struct action odd = eriantys_action(ERIANTYS_TO_DINING, 5);
    assert_int_equal(game->check(state_of(&e), 0, &odd), ERR_STUDENT_COLOR);
    assert_string_equal(eriantys_subphase_name(&e), "MOVE_STUDENT_1");
    play(&e, 0, "student BLUE dining");
    play(&e, 0, "student RED island 4");
    assert_string_equal(eriantys_subphase_name(&e), "MOVE_STUDENT_3");
    play(&e, 0, "student RED island 4");
    assert_int_equal(e.seat[0].dining[ERIANTYS_BLUE], 1);
    assert_true(e.group[4].students[ERIANTYS_RED] >= 2);
    assert_refused(&e, 0, "student BLUE dining", ERR_STUDENTS_DONE);
    assert_string_equal(eriantys_subphase_name(&e), "MOVE_MOTHER_NATURE");
}

static void a_table_has_ten_seats(void **unused) { /* R11 */
    (void)unused;
    struct eriantys e = world_new(2);
    plan(&e, 5);
    entrance_set(&e, 0, "BBBBBBB");
    dining_set(&e, 0, "BBBBBBBBB");
    play(&e, 0, "student BLUE dining");
    assert_int_equal(e.seat[0].dining[ERIANTYS_BLUE], 10);
    assert_refused(&e, 0, "student BLUE dining", ERR_DINING_FULL);
}

static void professors_follow_the_most_students(void **unused) { /* R12 */
    (void)unused;
    struct eriantys e = world_new(3);
    plan(&e, 5);
    entrance_set(&e, 0, "BBRRRFFFF");
    dining_set(&e, 1, "RR");
    dining_set(&e, 2, "R");
    play(&e, 0, "student BLUE dining");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0);
    play(&e, 0, "student RED dining");
    play(&e, 0, "student RED dining");
    assert_int_equal(e.professor[ERIANTYS_RED], 1); /* as many are not enough */
    play(&e, 0, "student RED dining");
    assert_int_equal(e.professor[ERIANTYS_RED], 0);
    assert_int_equal(e.professor[ERIANTYS_FUCHSIA], ERIANTYS_NONE);
}

static void partners_have_professors_of_their_own(void **unused) { /* R12 */
    (void)unused;
    struct eriantys e = world_new(4);
    plan(&e, 5);
    entrance_set(&e, 0, "RRRRRRR");
    dining_set(&e, 2, "R");
    play_all(&e, 0, "student RED dining");
    assert_int_equal(e.professor[ERIANTYS_RED], 2);
    play_all(&e, 0, "student RED dining");
    assert_int_equal(e.professor[ERIANTYS_RED], 0);
    assert_int_equal(eriantys_professors(&e, 0), 1);
}

static void mother_nature_goes_as_far_as_the_assistant(void **unused) { /* R13 */
    (void)unused;
    struct eriantys e = world_new(2);
    plan(&e, 5);
    students_away(&e);
    assert_refused(&e, 0, "mother 0", ERR_MOTHER_TOO_FAR); /* not to go at all would be the whole ring */
    assert_refused(&e, 0, "mother 4", ERR_MOTHER_TOO_FAR);
    assert_refused(&e, 0, "mother 11", ERR_MOTHER_TOO_FAR);
    assert_refused(&e, 0, "mother 12", ERR_ISLAND_UNKNOWN);
    assert_refused(&e, 0, "cloud 0", ERR_MOTHER_FIRST);
    assert_int_equal(eriantys_steps_max(&e), 3);
    play(&e, 0, "mother 3");
    assert_int_equal(e.group[e.mother].id, 3);
    assert_refused(&e, 0, "mother 4", ERR_MOTHER_DONE);
}

static void a_group_is_one_step_and_the_ring_may_be_gone_round(void **unused) { /* R13, R16 */
    (void)unused;
    struct eriantys e = world_new(2);
    groups_set(&e, "43311", "01.0.");
    plan(&e, 7);
    students_away(&e);
    e.mother = 1;
    assert_refused(&e, 0, "mother 4", ERR_MOTHER_TOO_FAR); /* five groups, four steps */
    assert_int_equal(tried(&e, 0, "mother 0"), ERR_OK);
    assert_int_equal(tried(&e, 0, "mother 3"), ERR_OK); /* any island of the group is the group */
    e.seat[0].assistant = 9;
    assert_int_equal(tried(&e, 0, "mother 4"), ERR_OK);
    struct action inside = eriantys_action(ERIANTYS_MOVE_MOTHER, 5);
    assert_int_equal(game->check(state_of(&e), 0, &inside), ERR_ISLAND_UNKNOWN);
}

/* Seat 0 stops at island 2 after moving its students out of the way. */
static void stop_at_two(struct eriantys *e) {
    plan(e, 3);
    students_away(e);
    play(e, 0, "mother 2");
}

static void influence_is_students_of_own_professors(void **unused) { /* R14, R15 */
    (void)unused;
    struct eriantys e = world_new(2);
    islands_clear(&e);
    dining_set(&e, 0, "BB");
    dining_set(&e, 1, "RR");
    island_set(&e, 2, "BBRGGGG"); /* the greens belong to nobody and hinder nobody */
    assert_int_equal(eriantys_influence(&e, 2, 0), 2);
    assert_int_equal(eriantys_influence(&e, 2, 1), 1);
    stop_at_two(&e);
    assert_int_equal(e.group[2].tower, 0);
    assert_int_equal(e.towers[0], 7);
}

static void a_tie_changes_nothing(void **unused) { /* R15 */
    (void)unused;
    struct eriantys e = world_new(2);
    islands_clear(&e);
    dining_set(&e, 0, "BB");
    dining_set(&e, 1, "RR");
    island_set(&e, 2, "BBRR");
    stop_at_two(&e);
    assert_int_equal(e.group[2].tower, ERIANTYS_NONE);
    e = world_new(2);
    islands_clear(&e);
    stop_at_two(&e); /* nobody has any influence */
    assert_int_equal(e.group[2].tower, ERIANTYS_NONE);
    e = world_new(2);
    islands_clear(&e);
    dining_set(&e, 0, "BB");
    tower_set(&e, 2, 1);
    island_set(&e, 2, "B");
    stop_at_two(&e);
    assert_int_equal(e.group[2].tower, 1);
}

static void a_tower_counts_without_a_professor(void **unused) { /* R14 */
    (void)unused;
    struct eriantys e = world_new(2);
    islands_clear(&e);
    tower_set(&e, 2, 1);
    dining_set(&e, 0, "B");
    island_set(&e, 2, "B");
    assert_int_equal(eriantys_influence(&e, 2, 1), 1);
    stop_at_two(&e);
    assert_int_equal(e.group[2].tower, 1);
}

static void partners_count_together(void **unused) { /* R14 */
    (void)unused;
    struct eriantys e = world_new(4);
    islands_clear(&e);
    dining_set(&e, 0, "BB");
    dining_set(&e, 2, "FF");
    dining_set(&e, 1, "RR");
    island_set(&e, 2, "BFFRR");
    assert_int_equal(eriantys_influence(&e, 2, 0), 3);
    stop_at_two(&e);
    assert_int_equal(e.group[2].tower, 0);
    assert_int_equal(e.towers[0], 7);
}

static void partners_show_the_same_towers(void **unused) { /* R15 */
    (void)unused;
    struct eriantys e = world_new(4);
    struct buf out = {0};
    struct writer w;
    tower_set(&e, 3, 0);
    writer_init(&w, WRITER_JSON, &out);
    game->describe((struct game_view *)&e, &w);
    unsigned sevens = 0;
    for (const char *at = buf_text(&out); (at = strstr(at, "\"towers\":7")) != NULL; at++)
        sevens++;
    assert_int_equal(sevens, 2);
    buf_free(&out);
}

static void conquered_towers_go_home(void **unused) { /* R15 */
    (void)unused;
    struct eriantys e = world_new(2);
    groups_set(&e, "1131111111", ".01.......");
    dining_set(&e, 0, "BB");
    island_set(&e, 2, "BBBB");
    assert_int_equal(e.towers[1], 5);
    stop_at_two(&e);
    assert_int_equal(e.towers[1], 8);
    assert_int_equal(e.towers[0], 4); /* R16: and it has joined its neighbour */
    assert_int_equal(e.group[1].id, 1);
    assert_int_equal(e.group[1].size, 4);
    assert_int_equal(e.group[e.mother].id, 1);
}

static void groups_join_on_both_sides_and_over_the_end_of_the_ring(void **unused) { /* R16 */
    (void)unused;
    struct eriantys e = world_new(2);
    islands_clear(&e);
    dining_set(&e, 0, "BB");
    tower_set(&e, 11, 0);
    tower_set(&e, 1, 0);
    island_set(&e, 11, "RR");
    island_set(&e, 0, "BB");
    island_set(&e, 1, "G");
    e.mother = 10;
    plan(&e, 3);
    students_away(&e);
    play(&e, 0, "mother 0");
    assert_int_equal(e.group_count, 10);
    assert_int_equal(e.group[9].id, 11);
    assert_int_equal(e.group[9].size, 3);
    assert_int_equal(e.group[0].id, 2);
    assert_int_equal(e.mother, 9);
    assert_int_equal(e.group[9].students[ERIANTYS_RED], 2);
    assert_int_equal(e.group[9].students[ERIANTYS_GREEN], 1);
    assert_int_equal(e.towers[0], 5);
    for (unsigned island = 0; island < 2; island++)
        assert_int_equal(eriantys_group_id(&e, island), 11);
    assert_int_equal(eriantys_group_id(&e, 11), 11);
    assert_int_equal(eriantys_group_id(&e, 10), 10);
    assert_int_equal(eriantys_group_id(&e, 12), 12);
}

static void a_cloud_is_taken_at_last(void **unused) { /* R17 */
    (void)unused;
    struct eriantys e = world_new(2);
    plan(&e, 5);
    students_away(&e);
    play(&e, 0, "mother 1");
    assert_string_equal(eriantys_subphase_name(&e), "CHOOSE_CLOUD");
    assert_refused(&e, 0, "cloud 2", ERR_CLOUD_UNKNOWN);
    play(&e, 0, "cloud 1");
    assert_int_equal(eriantys_sum(e.seat[0].entrance), 7);
    assert_int_equal(eriantys_sum(e.cloud[1]), 0);
    assert_int_equal(e.mover, 1);
    students_away(&e);
    play(&e, 1, "mother 2");
    assert_refused(&e, 1, "cloud 1", ERR_CLOUD_EMPTY);
    play(&e, 1, "cloud 0");
    assert_int_equal(e.round, 1);
}

static void the_last_tower_wins_at_once(void **unused) { /* R18 */
    (void)unused;
    struct eriantys e = world_new(2);
    groups_set(&e, "7113", "0..1");
    dining_set(&e, 0, "BB");
    island_set(&e, 7, "B");
    plan(&e, 1);
    students_away(&e);
    play(&e, 0, "mother 7");
    assert_int_equal(e.phase, ERIANTYS_OVER);
    assert_int_equal(e.end, ERIANTYS_BY_TOWERS);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(0));
    assert_int_equal(game->turn(state_of(&e)), 0);
    assert_refused(&e, 0, "cloud 0", ERR_TABLE_OVER);
}

static void too_few_towers_are_enough_to_win(void **unused) { /* R15, R18 */
    (void)unused;
    struct eriantys e = world_new(3);
    groups_set(&e, "53112", "01...");
    dining_set(&e, 0, "BB");
    island_set(&e, 5, "BBBB");
    e.mother = 0;
    plan(&e, 1);
    students_away(&e);
    play(&e, 0, "mother 5");
    assert_int_equal(e.end, ERIANTYS_BY_TOWERS);
    assert_int_equal(e.towers[0], 0);
    assert_int_equal(e.towers[1], 6);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(0));
}

static void three_groups_end_it_at_once(void **unused) { /* R19: exactly three, and also two from four */
    (void)unused;
    struct eriantys e = world_new(2);
    groups_set(&e, "4143", "0.1.");
    dining_set(&e, 0, "BB");
    island_set(&e, 4, "B");
    plan(&e, 1);
    students_away(&e);
    play(&e, 0, "mother 4");
    assert_int_equal(e.end, ERIANTYS_BY_GROUPS);
    assert_int_equal(e.group_count, 3);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(0));

    e = world_new(2);
    groups_set(&e, "4134", "0.01");
    dining_set(&e, 0, "BB");
    tower_set(&e, 4, 1);
    island_set(&e, 4, "BBB");
    plan(&e, 1);
    students_away(&e);
    play(&e, 0, "mother 4");
    assert_int_equal(e.end, ERIANTYS_BY_TOWERS); /* eight towers: R18 goes first */

    e = world_new(2);
    groups_set(&e, "3126", "0.0.");
    dining_set(&e, 0, "BB");
    island_set(&e, 3, "B");
    plan(&e, 1);
    students_away(&e);
    play(&e, 0, "mother 3");
    assert_int_equal(e.end, ERIANTYS_BY_GROUPS);
    assert_int_equal(e.group_count, 2);
}

static void a_bag_too_small_leaves_the_clouds_empty(void **unused) { /* R20 */
    (void)unused;
    struct eriantys e = world_new(3);
    plan(&e, 5);
    bag_leave(&e, 11);
    round_play(&e);
    assert_int_equal(e.phase, ERIANTYS_PLANNING); /* no draw */
    assert_true(e.is_last_round);
    assert_int_equal(eriantys_sum(e.bag), 11);
    play(&e, 0, "assistant 1");
    play(&e, 1, "assistant 2");
    play(&e, 2, "assistant 3");
    for (unsigned seat = 0; seat < 3; seat++) {
        assert_int_equal(e.mover, seat);
        students_away(&e);
        play(&e, seat,
             seat == 0   ? "mother 4"
             : seat == 1 ? "mother 5"
                         : "mother 7"); /* and the turn is over */
    }
    assert_int_equal(e.end, ERIANTYS_BY_BAG);
}

static void
a_bag_that_is_just_enough(void **unused) { /* R20: clouds are taken as usual, and it ends after the round */
    (void)unused;
    struct eriantys e = world_new(3);
    plan(&e, 5);
    bag_leave(&e, 12);
    round_play(&e);
    assert_int_equal(e.phase, ERIANTYS_FILLING);
    assert_false(e.is_last_round);
    chance_acts(&e);
    assert_true(e.is_last_round);
    assert_int_equal(eriantys_sum(e.bag), 0);
    play(&e, 0, "assistant 1");
    play(&e, 1, "assistant 2");
    play(&e, 2, "assistant 3");
    students_away(&e);
    struct action actions[ERIANTYS_ACTIONS_MAX];
    game->legal(state_of(&e), 0, actions);
    game->apply(state_of(&e), 0, &actions[0]);
    assert_int_equal(e.phase, ERIANTYS_CLOUD_CHOICE);
    round_play(&e);
    assert_int_equal(e.end, ERIANTYS_BY_BAG);
}

static void the_last_assistants_end_it_after_the_round(void **unused) { /* R21 */
    (void)unused;
    struct eriantys e = world_new(2);
    e.round = 9;
    e.seat[0].hand = 1 << 4;
    e.seat[1].hand = 1 << 6;
    play(&e, 0, "assistant 4");
    assert_false(e.is_last_round);
    play(&e, 1, "assistant 6");
    assert_true(e.is_last_round);
    assert_int_equal(e.phase, ERIANTYS_STUDENTS);
    round_play(&e);
    assert_int_equal(e.end, ERIANTYS_BY_ASSISTANTS);
    assert_int_equal(e.round, 9);
}

/* The last turn of the last round of an empty board, so that what a test has put there decides. */
static void last_turn(struct eriantys *e) {
    islands_clear(e);
    plan(e, 7);
    e->is_last_round = 1;
    e->turn = (uint8_t)(e->seat_count - 1);
    e->mover = e->order[e->turn];
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        for (unsigned seat = 0; seat < e->seat_count; seat++)
            assert_true(e->seat[seat].dining[color] <= ERIANTYS_TABLE_SEATS);
    round_play(e);
    assert_int_equal(e->phase, ERIANTYS_OVER);
}

static void assert_points(struct eriantys *e, const int32_t *expected) {
    int32_t points[SEATS_MAX] = {0};
    game->score(state_of(e), points);
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        assert_int_equal(points[seat], expected[seat]);
}

static void most_towers_win(void **unused) { /* R22 */
    (void)unused;
    struct eriantys e = world_new(3);
    tower_set(&e, 7, 1);
    tower_set(&e, 9, 1);
    tower_set(&e, 11, 2);
    dining_set(&e, 0, "BFGRY");
    last_turn(&e);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(1));
    assert_points(&e, (const int32_t[]){0, 1, 0});
}

static void professors_decide_among_the_equal_only(void **unused) { /* R22 */
    (void)unused;
    struct eriantys e = world_new(3);
    tower_set(&e, 7, 1);
    tower_set(&e, 9, 2);
    dining_set(&e, 0, "BFG");
    dining_set(&e, 1, "R");
    last_turn(&e);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(1));
    assert_points(&e, (const int32_t[]){0, 1, 0});
}

static void partners_have_their_professors_together(void **unused) { /* R22 */
    (void)unused;
    struct eriantys e = world_new(4);
    dining_set(&e, 0, "B");
    dining_set(&e, 2, "FG");
    dining_set(&e, 1, "RY");
    last_turn(&e);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(0) | SEAT_BIT(2));
    assert_points(&e, (const int32_t[]){1, 0, 1, 0});
}

static void equal_in_everything_is_a_draw(void **unused) { /* R22 */
    (void)unused;
    struct eriantys e = world_new(2);
    last_turn(&e); /* no towers, no professors */
    assert_int_equal(eriantys_winners(&e), 0);
    assert_points(&e, (const int32_t[]){0, 0});
    e = world_new(3);
    tower_set(&e, 7, 1);
    tower_set(&e, 9, 2);
    dining_set(&e, 1, "R");
    dining_set(&e, 2, "B");
    last_turn(&e);
    assert_int_equal(eriantys_winners(&e), 0);
    assert_points(&e, (const int32_t[]){0, 0, 0}); /* for all, also who was behind */
}

static void a_normal_game_has_no_characters(void **unused) { /* R5 */
    (void)unused;
    struct eriantys e = world_new(2);
    plan(&e, 5);
    assert_refused(&e, 0, "pay 4", ERR_NOT_EXPERT);
    assert_refused(&e, 0, "ban 4", ERR_NOT_EXPERT);
    assert_int_equal(e.bank, 0);
    assert_int_equal(e.seat[0].coins, 0);
    dining_set(&e, 0, "BB");
    entrance_set(&e, 0, "BBBBBBB");
    play(&e, 0, "student BLUE dining");
    assert_int_equal(e.seat[0].coins, 0);
}

static void texts_are_tolerant_and_strict(void **unused) { /* R16 */
    (void)unused;
    struct eriantys e = world_new(2);
    struct action action;
    groups_set(&e, "43311", "01.0.");
    action = parsed(&e, 0, "student blue island 2");
    assert_int_equal(action.arg[1], 0);
    action = parsed(&e, 0, "  Student  y  DINING ");
    assert_int_equal(action.arg[0], ERIANTYS_YELLOW);
    static const char *const wrong[] = {"assistant",    "assistant x", "assistant 300", "student PINK dining",
                                        "student BLUE", "mother -1",   "swap BLUE",     "draw sea 0 BBB",
                                        "draw cloud 0", "islands BFG", "pay 1 2",       "characters 1 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(game->action_parse(state_of(&e), 0, span_of(wrong[i]), &action), ERR_ACTION_TEXT);
}

/* Thousands of games: PARLOR_GAMES asks for more than the usual few. */
static void nothing_is_ever_lost(void **unused) { /* R2, R15, R23 */
    (void)unused;
    const char *wanted = getenv("PARLOR_GAMES");
    int64_t tables = 20;
    if (wanted != NULL)
        assert_true(span_to_int(span_of(wanted), &tables));
    for (int64_t i = 0; i < tables; i++) {
        struct eriantys e = world_setup(2 + (unsigned)i % 3, i / 3 % 2 ? ERIANTYS_EXPERT : ERIANTYS_NORMAL);
        struct rng rng;
        seat_set set;
        rng_seed(&rng, (uint64_t)i);
        while ((set = game->turn(state_of(&e))) != 0) {
            struct action action;
            unsigned seat = playout_seat(set, &rng);
            game->sample(state_of(&e), seat, &rng, &action);
            game->apply(state_of(&e), seat, &action);
            if (game->valid(state_of(&e)) != NULL)
                fail_msg("game %d: %s", (int)i, game->valid(state_of(&e)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats_and_teams),
        cmocka_unit_test(steps_of_assistants),
        cmocka_unit_test(islands_have_two_of_each_colour),
        cmocka_unit_test(numbers_depend_on_the_players),
        cmocka_unit_test(draws_have_their_true_probability),
        cmocka_unit_test(planning_goes_clockwise),
        cmocka_unit_test(nobody_plays_the_same_assistant),
        cmocka_unit_test(the_same_assistant_when_there_is_no_other),
        cmocka_unit_test(the_lowest_value_acts_first_and_begins_the_next_round),
        cmocka_unit_test(students_are_moved_first),
        cmocka_unit_test(a_table_has_ten_seats),
        cmocka_unit_test(professors_follow_the_most_students),
        cmocka_unit_test(partners_have_professors_of_their_own),
        cmocka_unit_test(mother_nature_goes_as_far_as_the_assistant),
        cmocka_unit_test(a_group_is_one_step_and_the_ring_may_be_gone_round),
        cmocka_unit_test(influence_is_students_of_own_professors),
        cmocka_unit_test(a_tie_changes_nothing),
        cmocka_unit_test(a_tower_counts_without_a_professor),
        cmocka_unit_test(partners_count_together),
        cmocka_unit_test(partners_show_the_same_towers),
        cmocka_unit_test(conquered_towers_go_home),
        cmocka_unit_test(groups_join_on_both_sides_and_over_the_end_of_the_ring),
        cmocka_unit_test(a_cloud_is_taken_at_last),
        cmocka_unit_test(the_last_tower_wins_at_once),
        cmocka_unit_test(too_few_towers_are_enough_to_win),
        cmocka_unit_test(three_groups_end_it_at_once),
        cmocka_unit_test(a_bag_too_small_leaves_the_clouds_empty),
        cmocka_unit_test(a_bag_that_is_just_enough),
        cmocka_unit_test(the_last_assistants_end_it_after_the_round),
        cmocka_unit_test(most_towers_win),
        cmocka_unit_test(professors_decide_among_the_equal_only),
        cmocka_unit_test(partners_have_their_professors_together),
        cmocka_unit_test(equal_in_everything_is_a_draw),
        cmocka_unit_test(a_normal_game_has_no_characters),
        cmocka_unit_test(texts_are_tolerant_and_strict),
        cmocka_unit_test(nothing_is_ever_lost),
    };
    return cmocka_run_group_tests_name("eriantys", tests, NULL, NULL);
}
