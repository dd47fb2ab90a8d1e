/* Expert games of Eriantys: R5 and R23 to R39 of docs/rules/eriantys.md, and how commands of a protocol
 * become actions. */
#include "eriantys_world.h"

/* Seat 0 is in its turn with enough coins, on a board without students, with the assistant of this value. */
static struct eriantys turn_of(unsigned seats, const char *characters, unsigned value) {
    struct eriantys e = world_expert(seats, characters);
    islands_clear(&e);
    coins_set(&e, 0, 6);
    plan(&e, value);
    assert_null(game->valid(state_of(&e)));
    return e;
}

static struct eriantys_card *card_of(struct eriantys *e, unsigned character) {
    return &e->card[eriantys_card_index(e, character)];
}

static void the_set_up_of_an_expert_game(void **unused) { /* R5 */
    (void)unused;
    struct eriantys e = world_expert(4, "characters 1 7 11");
    assert_int_equal(e.bank, 16);
    for (unsigned seat = 0; seat < 4; seat++)
        assert_int_equal(e.seat[seat].coins, 1);
    assert_int_equal(eriantys_sum(card_of(&e, ERIANTYS_MONK)->students), 4);
    assert_int_equal(eriantys_sum(card_of(&e, ERIANTYS_JESTER)->students), 6);
    assert_int_equal(eriantys_sum(card_of(&e, ERIANTYS_PRINCESS)->students), 4);
    assert_int_equal(eriantys_sum(e.bag), 80 - 14);
    e = world_expert(2, "characters 5 6 8");
    assert_int_equal(card_of(&e, ERIANTYS_HERBALIST)->bans, 4);
    assert_int_equal(eriantys_sum(e.bag), 100);
    e = world_setup(2, ERIANTYS_EXPERT);
    e.phase = ERIANTYS_SETUP_CHARACTERS;
    assert_refused(&e, SEAT_CHANCE, "characters 1 1 2", ERR_CHARACTER_UNKNOWN);
    assert_refused(&e, SEAT_CHANCE, "characters 3 2 1", ERR_CHARACTER_UNKNOWN);
    assert_refused(&e, SEAT_CHANCE, "characters 1 2 13", ERR_CHARACTER_UNKNOWN);
}

static void every_character_is_as_likely(void **unused) { /* R5 */
    (void)unused;
    struct eriantys e = world_setup(2, ERIANTYS_EXPERT);
    struct rng rng;
    unsigned seen[ERIANTYS_CHARACTERS + 1] = {0};
    rng_seed(&rng, 1);
    e.phase = ERIANTYS_SETUP_CHARACTERS;
    for (int i = 0; i < 12000; i++) {
        struct action action;
        game->sample(state_of(&e), SEAT_CHANCE, &rng, &action);
        for (unsigned k = 0; k < ERIANTYS_CHARACTERS_IN_PLAY; k++)
            seen[action.arg[k]]++;
    }
    for (unsigned id = 1; id <= ERIANTYS_CHARACTERS; id++)
        assert_in_range(seen[id], 2760, 3240); /* 3000, and five times its deviation */
}

static void the_table_of_characters(void **unused) { /* R24 */
    (void)unused;
    static const unsigned costs[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    for (unsigned id = 1; id <= ERIANTYS_CHARACTERS; id++) {
        struct eriantys_card card = {.id = (uint8_t)id};
        assert_int_equal(eriantys_cost(&card), costs[id - 1]);
        card.has_coin = 1;
        assert_int_equal(eriantys_cost(&card), costs[id - 1] + 1);
        assert_int_equal(eriantys_character_row(id)->uses, id == 7 ? 6 : id == 10 ? 4 : 1);
    }
}

static void coins_come_from_every_third_seat(void **unused) { /* R23 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 4 6", 5);
    entrance_set(&e, 0, "BBFFRRR");
    dining_set(&e, 0, "BBFFFFFRRRRRRRR");
    play(&e, 0, "student BLUE dining");
    assert_int_equal(e.seat[0].coins, 7);
    play(&e, 0, "student FUCHSIA dining");
    assert_int_equal(e.seat[0].coins, 8);
    play(&e, 0, "student RED dining");
    assert_int_equal(e.seat[0].coins, 9);
    e = turn_of(2, "characters 2 4 6", 5);
    entrance_set(&e, 0, "BBFFRRR");
    dining_set(&e, 0, "BB");
    coins_set(&e, 1, 14);
    assert_int_equal(e.bank, 0);
    play(&e, 0, "student BLUE dining"); /* the bank is empty: the student sits down all the same */
    assert_int_equal(e.seat[0].coins, 6);
    play(&e, 0, "student BLUE dining");
    assert_int_equal(e.seat[0].coins, 6);
}

static void when_a_character_can_be_paid(void **unused) { /* R24 */
    (void)unused;
    struct eriantys e = world_expert(2, "characters 2 4 6");
    assert_refused(&e, 0, "pay 4", ERR_ASSISTANT_FIRST);
    plan(&e, 5);
    assert_refused(&e, 1, "pay 4", ERR_NOT_YOUR_TURN);
    assert_refused(&e, 0, "pay 0", ERR_CHARACTER_UNKNOWN);
    assert_refused(&e, 0, "pay 13", ERR_CHARACTER_UNKNOWN);
    assert_refused(&e, 0, "pay 1", ERR_CHARACTER_ABSENT);
    assert_refused(&e, 0, "pay 2", ERR_COINS_SHORT);
    play(&e, 0, "pay 4");
    coins_set(&e, 0, 6);
    assert_refused(&e, 0, "pay 2", ERR_CHARACTER_PAID);
    assert_refused(&e, 0, "pay 4", ERR_CHARACTER_PAID);
    students_away(&e);
    play_all(&e, 0, "mother 1;cloud 0");
    assert_int_equal(e.paid, ERIANTYS_NONE);
    students_away(&e);
    play(&e, 1, "mother 2");
    assert_refused(&e, 1, "pay 4", ERR_COINS_SHORT);
    coins_set(&e, 1, 2);
    play(&e, 1, "pay 4"); /* of no use any more, and allowed */
    assert_int_equal(e.seat[1].coins, 0);
}

static void the_cost_rises_once(void **unused) { /* R24 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 4 6", 5);
    unsigned bank = e.bank;
    assert_int_equal(eriantys_cost(&e.card[0]), 2);
    play(&e, 0, "pay 2");
    assert_int_equal(e.seat[0].coins, 4);
    assert_int_equal(e.bank, bank + 1); /* one coin lies on the card */
    assert_int_equal(eriantys_cost(&e.card[0]), 3);
    students_away(&e);
    play_all(&e, 0, "mother 1;cloud 0");
    coins_set(&e, 1, 3);
    bank = e.bank;
    play(&e, 1, "pay 2");
    assert_int_equal(e.bank, bank + 3);
    assert_int_equal(eriantys_cost(&e.card[0]), 3);
}

static void an_effect_may_go_unused(void **unused) { /* R25 */
    (void)unused;
    static const char *const waiting[] = {"pay 1", "pay 3",  "pay 5",  "pay 7",
                                          "pay 9", "pay 10", "pay 11", "pay 12"};
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
        static const char *const in_play[] = {"characters 1 3 5", "characters 7 9 10", "characters 1 11 12"};
        struct eriantys e = turn_of(2, in_play[i < 3 ? 0 : i < 6 ? 1 : 2], 5);
        play(&e, 0, waiting[i]);
        students_away(&e);
        play_all(&e, 0, "mother 1;cloud 0");
        assert_int_equal(e.mover, 1);
        assert_int_equal(e.uses_left, 0);
        assert_refused(&e, 1, "swap in BLUE", ERR_EFFECT_UNPAID);
    }
}

static void an_effect_is_used_as_often_as_it_says(void **unused) { /* R25 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 9", 5);
    assert_refused(&e, 0, "herald 3", ERR_EFFECT_UNPAID);
    play(&e, 0, "pay 5");
    assert_refused(&e, 0, "herald 3", ERR_EFFECT_UNPAID);
    assert_int_equal(eriantys_uses_left(&e, 1), 1);
    play(&e, 0, "ban 3");
    assert_int_equal(eriantys_uses_left(&e, 1), 0);
    assert_refused(&e, 0, "ban 4", ERR_EFFECT_USED);
}

static void the_monk(void **unused) { /* R27 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 4 6", 5);
    students_set(&e, card_of(&e, ERIANTYS_MONK)->students, "BBRR");
    play(&e, 0, "pay 1");
    assert_refused(&e, 0, "monk GREEN 4", ERR_CARD_EMPTY);
    assert_refused(&e, 0, "monk BLUE 12", ERR_ISLAND_UNKNOWN);
    play(&e, 0, "monk BLUE 4");
    assert_int_equal(e.group[4].students[ERIANTYS_BLUE], 1);
    assert_int_equal(game->turn(state_of(&e)), SEAT_BIT(SEAT_CHANCE));
    assert_refused(&e, 0, "student BLUE dining", ERR_NOT_YOUR_TURN);
    assert_refused(&e, SEAT_CHANCE, "draw card 1 BB", ERR_DRAW_WRONG);
    assert_refused(&e, SEAT_CHANCE, "draw card 7 B", ERR_ACTION_UNKNOWN);
    play(&e, SEAT_CHANCE, "draw card 1 G");
    assert_int_equal(card_of(&e, ERIANTYS_MONK)->students[ERIANTYS_GREEN], 1);
    assert_int_equal(game->turn(state_of(&e)), SEAT_BIT(0));
    assert_int_equal(e.phase, ERIANTYS_STUDENTS);
}

static void the_last_student_of_the_bag_for_a_character(void **unused) { /* R20 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 4 6", 5);
    students_set(&e, card_of(&e, ERIANTYS_MONK)->students, "BBRR");
    bag_leave(&e, 1);
    play_all(&e, 0, "pay 1;monk BLUE 4");
    assert_false(e.is_last_round);
    chance_acts(&e);
    assert_true(e.is_last_round);
    e = turn_of(2, "characters 1 4 6", 5);
    students_set(&e, card_of(&e, ERIANTYS_MONK)->students, "BBRR");
    bag_leave(&e, 0);
    play_all(&e, 0, "pay 1;monk BLUE 4"); /* there is nothing to draw, and the turn goes on */
    assert_true(e.is_last_round);
    assert_int_equal(game->turn(state_of(&e)), SEAT_BIT(0));
    assert_int_equal(eriantys_sum(card_of(&e, ERIANTYS_MONK)->students), 3);
    round_play(&e);
    assert_int_equal(e.end, ERIANTYS_BY_BAG);
}

static void the_farmer(void **unused) { /* R28 */
    (void)unused;
    struct eriantys e = turn_of(3, "characters 2 4 6", 5);
    dining_set(&e, 1, "BBRRYYY");
    dining_set(&e, 2, "RR");
    dining_set(&e, 0, "BBRFY");
    e.professor[ERIANTYS_BLUE] = 1;
    e.professor[ERIANTYS_RED] = 1;
    entrance_set(&e, 0, "RYYYYGG");
    play(&e, 0, "pay 2");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0); /* at once */
    assert_int_equal(e.professor[ERIANTYS_RED], 1);
    assert_int_equal(e.professor[ERIANTYS_GREEN], ERIANTYS_NONE); /* no student, no professor */
    play(&e, 0, "student RED dining");
    assert_int_equal(e.professor[ERIANTYS_RED], 0); /* with three that are equal too */
    play(&e, 0, "student YELLOW dining");
    assert_int_equal(e.professor[ERIANTYS_YELLOW], 1);
    play(&e, 0, "student YELLOW dining");
    assert_int_equal(e.professor[ERIANTYS_YELLOW], 0);
    play(&e, 0, "student GREEN island 6");
    play_all(&e, 0, "mother 1;cloud 0");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0); /* they stay after the turn */
    entrance_set(&e, 1, "BGGGGGGGG");
    dining_set(&e, 1, "BRRYYY");
    e.professor[ERIANTYS_BLUE] = 0;
    play(&e, 1, "student BLUE dining");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0); /* and the others win no ties */
}

static void the_farmer_wins_ties_against_the_owner_only(void **unused) { /* R28 */
    (void)unused;
    struct eriantys e = turn_of(3, "characters 2 4 6", 5);
    dining_set(&e, 1, "B");
    dining_set(&e, 2, "BB");
    dining_set(&e, 0, "BB");
    e.professor[ERIANTYS_BLUE] = 1; /* the owner has given students away and kept it */
    play(&e, 0, "pay 2");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 1);
}

static void the_herald(void **unused) { /* R29 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 6", 5);
    dining_set(&e, 0, "BB");
    island_set(&e, 9, "B");
    play_all(&e, 0, "pay 3;herald 9");
    assert_int_equal(e.group[9].tower, 0);
    assert_int_equal(e.mother, 0);
    students_away(&e);
    play(&e, 0, "mother 1"); /* she moves as usual */
    e = turn_of(2, "characters 3 5 6", 5);
    groups_set(&e, "4143", "0.1.");
    dining_set(&e, 0, "BB");
    island_set(&e, 4, "B");
    play_all(&e, 0, "pay 3;herald 4"); /* and the game may end at once */
    assert_int_equal(e.end, ERIANTYS_BY_GROUPS);
}

static void what_the_herald_joins_takes_mother_nature_along(void **unused) { /* R13, R16, R29 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 6", 1);
    dining_set(&e, 0, "BB");
    tower_set(&e, 0, 0);
    island_set(&e, 1, "B");
    play_all(&e, 0, "pay 3;herald 1");
    assert_int_equal(e.group[e.mother].size, 2);
    students_away(&e);
    play(&e, 0, "mother 2"); /* one step, over the whole group */

    e = turn_of(2, "characters 3 5 6", 1);
    dining_set(&e, 0, "BB");
    tower_set(&e, 0, 0);
    island_set(&e, 11, "B");
    play_all(&e, 0, "pay 3;herald 11");
    assert_int_equal(e.group[e.mother].id, 11);
    assert_int_equal(eriantys_group_id(&e, 0), 11);
    students_away(&e);
    assert_refused(&e, 0, "mother 2", ERR_MOTHER_TOO_FAR);
    play(&e, 0, "mother 1");
}

static void the_herald_may_place_the_last_tower_of_a_team(void **unused) { /* R15, R18, R29 */
    (void)unused;
    struct eriantys e = turn_of(4, "characters 3 5 6", 5);
    groups_set(&e, "711111", "0.1.1.");
    dining_set(&e, 2, "BB"); /* the partner's professor */
    island_set(&e, 9, "B");
    play_all(&e, 0, "pay 3;herald 9");
    assert_int_equal(e.end, ERIANTYS_BY_TOWERS);
    assert_int_equal(eriantys_winners(&e), SEAT_BIT(0) | SEAT_BIT(2));
}

static void an_effect_that_comes_too_late(void **unused) { /* R24, R30 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 4 6", 5);
    students_away(&e);
    play_all(&e, 0, "mother 1;pay 4");
    assert_refused(&e, 0, "mother 2", ERR_MOTHER_DONE);
    play(&e, 0, "cloud 0");
    assert_int_equal(eriantys_steps_max(&e), 4); /* it was for that turn alone */
}

static void the_messenger(void **unused) { /* R30 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 4 6", 3);
    students_away(&e);
    assert_refused(&e, 0, "mother 3", ERR_MOTHER_TOO_FAR);
    play(&e, 0, "pay 4");
    assert_int_equal(eriantys_steps_max(&e), 4);
    assert_refused(&e, 0, "mother 5", ERR_MOTHER_TOO_FAR);
    play_all(&e, 0, "mother 4;cloud 0");
    assert_int_equal(eriantys_steps_max(&e), 4); /* those of seat 1, with the assistant 8 */
}

static void the_herbalist(void **unused) { /* R31, R39 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 6", 5);
    dining_set(&e, 0, "BB");
    island_set(&e, 1, "B");
    play_all(&e, 0, "pay 5;ban 1");
    assert_int_equal(card_of(&e, ERIANTYS_HERBALIST)->bans, 3);
    assert_int_equal(e.group[1].bans, 1);
    students_away(&e);
    play(&e, 0, "mother 1");
    assert_int_equal(e.group[1].tower, ERIANTYS_NONE);
    assert_int_equal(e.group[1].bans, 0);
    assert_int_equal(card_of(&e, ERIANTYS_HERBALIST)->bans, 4);
    e = turn_of(2, "characters 3 5 6", 5);
    card_of(&e, ERIANTYS_HERBALIST)->bans = 0;
    e.group[4].bans = e.group[5].bans = 2;
    assert_refused(&e, 0, "pay 5", ERR_BANS_GONE);
    dining_set(&e, 0, "BB");
    island_set(&e, 4, "B");
    play_all(&e, 0, "pay 3;herald 4"); /* R39: the Herald uses a tile too */
    assert_int_equal(e.group[4].bans, 1);
    assert_int_equal(e.group[4].tower, ERIANTYS_NONE);
}

static void tiles_add_up_and_go_one_by_one(void **unused) { /* R16, R39 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 6", 5);
    dining_set(&e, 0, "BB");
    tower_set(&e, 3, 0);
    island_set(&e, 2, "B");
    card_of(&e, ERIANTYS_HERBALIST)->bans = 2;
    e.group[3].bans = 2;
    students_away(&e);
    play(&e, 0, "mother 2");
    assert_int_equal(e.group[2].size, 2);
    assert_int_equal(e.group[2].bans, 2);
    play_all(&e, 0, "pay 3;herald 3");
    assert_int_equal(e.group[2].bans, 1);
}

static void the_centaur(void **unused) { /* R32 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 3 5 6", 5);
    dining_set(&e, 0, "BB");
    tower_set(&e, 1, 1);
    island_set(&e, 1, "B");
    students_away(&e);
    play_all(&e, 0, "pay 6;mother 1");
    assert_int_equal(e.group[1].tower, 0);
    e = turn_of(2, "characters 3 5 6", 5);
    dining_set(&e, 1, "BB");
    tower_set(&e, 1, 0);
    island_set(&e, 1, "B");
    students_away(&e);
    play_all(&e, 0, "pay 6;mother 1"); /* the own towers do not count either */
    assert_int_equal(e.group[1].tower, 1);
}

static void the_jester(void **unused) { /* R26, R33 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 9", 5);
    students_set(&e, card_of(&e, ERIANTYS_JESTER)->students, "BBBBBB");
    entrance_set(&e, 0, "RRRRRRR");
    play(&e, 0, "pay 7");
    assert_refused(&e, 0, "swap in RED", ERR_CARD_EMPTY);
    assert_refused(&e, 0, "swap out BLUE", ERR_ENTRANCE_EMPTY);
    play(&e, 0, "swap in BLUE");
    assert_int_equal(eriantys_sum(e.seat[0].entrance), 8);
    assert_refused(&e, 0, "swap in BLUE", ERR_SWAP_OPEN);
    assert_refused(&e, 0, "student RED dining", ERR_SWAP_OPEN);
    assert_refused(&e, 0, "mother 1", ERR_SWAP_OPEN);
    play(&e, 0, "swap out RED");
    play_all(&e, 0, "swap out RED;swap in BLUE"); /* in the other order */
    play(&e, 0, "student BLUE island 3");         /* students between swaps */
    play_all(&e, 0, "swap in BLUE;swap out RED");
    assert_refused(&e, 0, "swap in BLUE", ERR_EFFECT_USED);
    assert_int_equal(card_of(&e, ERIANTYS_JESTER)->students[ERIANTYS_RED], 3);
    assert_int_equal(e.seat[0].entrance[ERIANTYS_BLUE], 2);
    assert_int_equal(eriantys_sum(e.seat[0].entrance), 6);
}

static void an_open_half_ends_no_turn(void **unused) { /* R26 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 9", 5);
    students_set(&e, card_of(&e, ERIANTYS_JESTER)->students, "BBBBBB");
    students_away(&e);
    play_all(&e, 0, "mother 1;pay 7;swap in BLUE");
    assert_refused(&e, 0, "cloud 0", ERR_SWAP_OPEN);
    struct action actions[ERIANTYS_ACTIONS_MAX];
    size_t count = game->legal(state_of(&e), 0, actions);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(actions[i].kind, ERIANTYS_SWAP_OUT);
    play_all(&e, 0, "swap out BLUE;cloud 0");
    assert_int_equal(e.mover, 1);
}

static void the_knight(void **unused) { /* R34 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 8", 5);
    assert_int_equal(eriantys_bonus_seat(&e), ERIANTYS_NONE);
    dining_set(&e, 1, "RR");
    island_set(&e, 1, "R");
    students_away(&e);
    play(&e, 0, "pay 8");
    assert_int_equal(eriantys_bonus_seat(&e), 0);
    assert_int_equal(eriantys_influence(&e, 1, 0), 2); /* without a professor, a student or a tower */
    play(&e, 0, "mother 1");
    assert_int_equal(e.group[1].tower, 0);
    e = turn_of(2, "characters 2 7 8", 5);
    dining_set(&e, 0, "BBFF");
    island_set(&e, 1, "BF");
    play(&e, 0, "pay 8");
    assert_int_equal(eriantys_influence(&e, 1, 0), 4); /* two for all professors together */
    assert_int_equal(eriantys_influence(&e, 1, 1), 0);
}

static void the_mushroom_seller(void **unused) { /* R35 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 9", 5);
    dining_set(&e, 0, "BB");
    dining_set(&e, 1, "RR");
    island_set(&e, 1, "BRR");
    students_away(&e);
    play_all(&e, 0, "pay 9;ignore RED");
    assert_refused(&e, 0, "ignore BLUE", ERR_EFFECT_USED);
    assert_int_equal(eriantys_uses_left(&e, 2), 1); /* the protocol does not count it */
    assert_int_equal(eriantys_influence(&e, 1, 1), 0);
    play_all(&e, 0, "mother 1;cloud 0");
    assert_int_equal(e.group[1].tower, 0);
    assert_int_equal(e.ignored, ERIANTYS_NONE);
}

static void the_minstrel(void **unused) { /* R23, R26, R36 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 10", 5);
    entrance_set(&e, 0, "RRRRRRR");
    dining_set(&e, 0, "BBRR");
    dining_set(&e, 1, "BRR");
    e.professor[ERIANTYS_RED] = 1;
    play(&e, 0, "pay 10");
    assert_refused(&e, 0, "swap in GREEN", ERR_DINING_EMPTY);
    assert_refused(&e, 0, "swap out BLUE", ERR_ENTRANCE_EMPTY);
    play(&e, 0, "swap out RED");
    assert_int_equal(e.seat[0].coins, 6);           /* five were left: the third seat pays */
    assert_int_equal(e.professor[ERIANTYS_RED], 1); /* not before the other half */
    play(&e, 0, "swap in BLUE");
    assert_int_equal(e.professor[ERIANTYS_RED], 0);
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0); /* as many: it stays */
    play_all(&e, 0, "swap in BLUE;swap out RED");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 1);
    assert_refused(&e, 0, "swap in RED", ERR_EFFECT_USED);
    assert_int_equal(eriantys_sum(e.seat[0].entrance), 7);
    e = turn_of(2, "characters 2 7 10", 5);
    entrance_set(&e, 0, "RRRRRRR");
    dining_set(&e, 0, "RRRRRRRRRR");
    play(&e, 0, "pay 10");
    assert_refused(&e, 0, "swap out RED", ERR_DINING_FULL);
}

static void the_princess(void **unused) { /* R23, R37 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 2 7 11", 5);
    students_set(&e, card_of(&e, ERIANTYS_PRINCESS)->students, "BBBR");
    dining_set(&e, 0, "BBRRRRRRRRRR");
    dining_set(&e, 1, "BB");
    e.professor[ERIANTYS_BLUE] = 1;
    play(&e, 0, "pay 11");
    assert_refused(&e, 0, "princess GREEN", ERR_CARD_EMPTY);
    assert_refused(&e, 0, "princess RED", ERR_DINING_FULL);
    play(&e, 0, "princess BLUE");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 0);
    assert_int_equal(e.seat[0].coins, 5);
    play(&e, SEAT_CHANCE, "draw card 11 Y");
    assert_int_equal(eriantys_sum(card_of(&e, ERIANTYS_PRINCESS)->students), 4);
}

static void the_thief(void **unused) { /* R12, R38 */
    (void)unused;
    struct eriantys e = turn_of(3, "characters 2 7 12", 5);
    dining_set(&e, 0, "BBR");
    dining_set(&e, 1, "BBBBB");
    dining_set(&e, 2, "BBBB");
    unsigned bag = e.bag[ERIANTYS_BLUE];
    play_all(&e, 0, "pay 12;return BLUE");
    assert_int_equal(e.bag[ERIANTYS_BLUE], bag + 2 + 3 + 3);
    assert_int_equal(e.seat[0].dining[ERIANTYS_BLUE], 0);
    assert_int_equal(e.seat[1].dining[ERIANTYS_BLUE], 2);
    assert_int_equal(e.seat[2].dining[ERIANTYS_BLUE], 1);
    assert_int_equal(e.professor[ERIANTYS_BLUE], 1);
    assert_int_equal(e.seat[0].dining[ERIANTYS_RED], 1);
    e = turn_of(2, "characters 2 7 12", 5);
    dining_set(&e, 1, "BB");
    play_all(&e, 0, "pay 12;return BLUE");
    assert_int_equal(e.professor[ERIANTYS_BLUE], 1); /* with none and none the owner keeps it */
}

static void students_who_come_back_do_not_save_the_bag(void **unused) { /* R20, R38 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 4 12", 5);
    students_set(&e, card_of(&e, ERIANTYS_MONK)->students, "BBRR");
    dining_set(&e, 1, "GGG");
    bag_leave(&e, 1);
    play_all(&e, 0, "pay 1;monk BLUE 4");
    chance_acts(&e); /* the last student */
    students_away(&e);
    play_all(&e, 0, "mother 1;cloud 0");
    coins_set(&e, 1, 3);
    play_all(&e, 1, "pay 12;return GREEN");
    assert_int_equal(eriantys_sum(e.bag), 3);
    round_play(&e);
    assert_int_equal(e.end, ERIANTYS_BY_BAG);
}

static void a_turn_without_clouds_has_its_characters(void **unused) { /* R20, R24 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 4 6", 5);
    students_set(&e, card_of(&e, ERIANTYS_MONK)->students, "BBRR");
    bag_leave(&e, 5);
    round_play(&e);
    assert_true(e.is_last_round);
    play(&e, 0, "assistant 1");
    play(&e, 1, "assistant 2");
    coins_set(&e, 0, 2);
    unsigned left = eriantys_sum(e.bag);
    play_all(&e, 0, "pay 1;monk BLUE 4");
    chance_acts(&e); /* what is left in the bag is drawn all the same */
    assert_int_equal(eriantys_sum(e.bag), left - 1);
    students_away(&e);
    assert_int_equal(e.mover, 0);
    struct action actions[ERIANTYS_ACTIONS_MAX];
    game->legal(state_of(&e), 0, actions);
    game->apply(state_of(&e), 0, &actions[0]);
    assert_int_equal(e.mover, 1); /* mother nature has ended the turn, and with it what was paid */
    assert_int_equal(e.paid, ERIANTYS_NONE);
}

static void assert_move(struct eriantys *e, struct eriantys_move move, const char *expected) {
    struct action action, wanted = parsed(e, e->mover, expected);
    assert_int_equal(eriantys_move_action(e, &move, &action), ERR_OK);
    assert_true(action_equal(&action, &wanted));
}

static void moves_of_a_protocol_are_actions(void **unused) { /* R10, R26 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 7 10", 5);
    const unsigned none = ERIANTYS_NONE;
    struct action action;
    assert_move(
        &e, (struct eriantys_move){ERIANTYS_RED, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_ISLAND, none, 4, false},
        "student RED island 4");
    assert_move(
        &e, (struct eriantys_move){ERIANTYS_RED, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_DINING, none, none, false},
        "student RED dining");
    struct eriantys_move monk = {ERIANTYS_RED, ERIANTYS_AT_CARD, ERIANTYS_AT_ISLAND, ERIANTYS_MONK, 4, true};
    assert_int_equal(eriantys_move_action(&e, &monk, &action), ERR_EFFECT_UNPAID);
    struct eriantys paid = e;
    play(&paid, 0, "pay 1");
    assert_move(&paid, monk, "monk RED 4");
    monk.from_id = none;
    assert_move(&paid, monk, "monk RED 4");
    monk.from_id = ERIANTYS_JESTER;
    assert_int_equal(eriantys_move_action(&paid, &monk, &action), ERR_EFFECT_OTHER);
    paid = e;
    play(&paid, 0, "pay 7");
    assert_move(&paid,
                (struct eriantys_move){ERIANTYS_RED, ERIANTYS_AT_CARD, ERIANTYS_AT_ENTRANCE, ERIANTYS_JESTER,
                                       none, true},
                "swap in RED");
    assert_move(&paid,
                (struct eriantys_move){ERIANTYS_RED, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_CARD, none,
                                       ERIANTYS_JESTER, true},
                "swap out RED");
    struct eriantys_move back = {ERIANTYS_RED, ERIANTYS_AT_DINING, ERIANTYS_AT_ENTRANCE, none, none, true};
    assert_int_equal(eriantys_move_action(&paid, &back, &action), ERR_EFFECT_UNPAID);
    struct eriantys_move odd = {ERIANTYS_RED, ERIANTYS_AT_DINING, ERIANTYS_AT_CARD, none, none, true};
    assert_int_equal(eriantys_move_action(&paid, &odd, &action), ERR_MOVE_WAY);
    struct eriantys normal = world_new(2);
    assert_int_equal(eriantys_move_action(&normal, &back, &action), ERR_NOT_EXPERT);
}

static void moves_of_the_minstrel(void **unused) { /* R26, R36 */
    (void)unused;
    struct eriantys e = turn_of(2, "characters 1 7 10", 5);
    const unsigned none = ERIANTYS_NONE;
    struct eriantys_move in = {ERIANTYS_BLUE, ERIANTYS_AT_DINING, ERIANTYS_AT_ENTRANCE, none, none, false},
                         out = {ERIANTYS_RED, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_DINING, none, none, false};
    dining_set(&e, 0, "BB");
    entrance_set(&e, 0, "RRRRRRR");
    play(&e, 0, "pay 10");
    assert_move(&e, out, "student RED dining");
    assert_move(&e, in, "swap in BLUE");
    play(&e, 0, "swap in BLUE");
    assert_move(&e, out, "swap out RED"); /* nothing else could be meant */
    play(&e, 0, "swap out RED");
    out.is_special = true;
    assert_move(&e, out, "swap out RED");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_set_up_of_an_expert_game),
        cmocka_unit_test(every_character_is_as_likely),
        cmocka_unit_test(the_table_of_characters),
        cmocka_unit_test(coins_come_from_every_third_seat),
        cmocka_unit_test(when_a_character_can_be_paid),
        cmocka_unit_test(the_cost_rises_once),
        cmocka_unit_test(an_effect_may_go_unused),
        cmocka_unit_test(an_effect_is_used_as_often_as_it_says),
        cmocka_unit_test(the_monk),
        cmocka_unit_test(the_last_student_of_the_bag_for_a_character),
        cmocka_unit_test(the_farmer),
        cmocka_unit_test(the_farmer_wins_ties_against_the_owner_only),
        cmocka_unit_test(the_herald),
        cmocka_unit_test(what_the_herald_joins_takes_mother_nature_along),
        cmocka_unit_test(the_herald_may_place_the_last_tower_of_a_team),
        cmocka_unit_test(an_effect_that_comes_too_late),
        cmocka_unit_test(the_messenger),
        cmocka_unit_test(the_herbalist),
        cmocka_unit_test(tiles_add_up_and_go_one_by_one),
        cmocka_unit_test(the_centaur),
        cmocka_unit_test(the_jester),
        cmocka_unit_test(an_open_half_ends_no_turn),
        cmocka_unit_test(the_knight),
        cmocka_unit_test(the_mushroom_seller),
        cmocka_unit_test(the_minstrel),
        cmocka_unit_test(the_princess),
        cmocka_unit_test(the_thief),
        cmocka_unit_test(students_who_come_back_do_not_save_the_bag),
        cmocka_unit_test(a_turn_without_clouds_has_its_characters),
        cmocka_unit_test(moves_of_a_protocol_are_actions),
        cmocka_unit_test(moves_of_the_minstrel),
    };
    return cmocka_run_group_tests_name("eriantys characters", tests, NULL, NULL);
}
