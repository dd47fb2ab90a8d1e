/* Formats of cups, played to the end with results from a seed: what each promises, for every number of
 * entrants and seats; and worked examples of standings. */
#include "tests.h"

#include "base/mem.h"
#include "host/cup/format.h"

static struct cup_sheet sheet;
static struct rng rng;

static void begin(uint32_t entrants, uint32_t seats, uint32_t rounds) {
    cup_sheet_free(&sheet);
    sheet = (struct cup_sheet){.seats = seats, .rounds = rounds, .entrant_count = entrants};
}

static int finish(void **unused) {
    (void)unused;
    cup_sheet_free(&sheet);
    return 0;
}

/* Decides a pairing: better entrants have smaller numbers and win, or chance decides. */
static void decide(struct cup_pairing *p, bool by_chance) {
    int32_t results[SEATS_MAX];
    for (uint32_t seat = 0; seat < p->count; seat++)
        results[seat] = by_chance ? (int32_t)rng_below(&rng, 3) : -(int32_t)p->entrant[seat];
    cup_share(p->count, results, p->points);
    p->how = CUP_PLAYED;
}

/* Nobody is twice in a plan, and all sizes are right. */
static void check_plan(const struct cup_plan *plan) {
    bool is_in[CUP_ENTRANTS_MAX] = {false};
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct cup_pairing *p = &plan->pairings[i];
        assert_in_range(p->count, 1, sheet.seats);
        for (uint32_t seat = 0; seat < p->count; seat++) {
            assert_true(p->entrant[seat] < sheet.entrant_count);
            assert_false(is_in[p->entrant[seat]]);
            assert_false(sheet.is_gone[p->entrant[seat]] && sheet.seats > 2);
            is_in[p->entrant[seat]] = true;
        }
    }
}

/* Plays all of it; returns the number of tables. */
static uint32_t play(const struct cup_format *format, bool by_chance) {
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    uint32_t plans = 0;
    for (;;) {
        format->plan(&sheet, plan);
        if (plan->count == 0)
            break;
        assert_true(++plans <= 4 * CUP_ROUNDS_MAX);
        check_plan(plan);
        for (uint32_t i = 0; i < plan->count; i++) {
            cup_sheet_add(&sheet, &plan->pairings[i]);
            struct cup_pairing *p = &sheet.pairings[sheet.pairing_count - 1];
            if (p->count > 1)
                decide(p, by_chance);
        }
    }
    mem_free(plan);
    assert_true(sheet.pairing_count <= format->tables(&sheet) + sheet.entrant_count * CUP_ROUNDS_MAX);
    return sheet.pairing_count;
}

static struct cup_standing *standings(const struct cup_format *format) {
    struct cup_standing *rows = mem_alloc(sheet.entrant_count * sizeof *rows);
    uint32_t rank[CUP_ENTRANTS_MAX];
    if (format->rank != NULL)
        format->rank(&sheet, rank);
    cup_standings(&sheet, format->rank == NULL ? NULL : rank, rows);
    return rows;
}

static void everybody_meets_everybody(void **unused) {
    (void)unused;
    for (uint32_t seats = 2; seats <= 4; seats++)
        for (uint32_t n = 2; n <= 25; n++)
            for (uint32_t cycles = 1; cycles <= 2; cycles++) {
                begin(n, seats, 0);
                uint32_t tables = play(cycles == 1 ? &cup_round_robin : &cup_double_round_robin, true);
                uint8_t *met = cup_sheet_meetings(&sheet);
                for (uint32_t a = 0; a < n; a++)
                    for (uint32_t b = 0; b < n; b++)
                        if (a != b && seats == 2)
                            assert_int_equal(met[a * n + b], cycles);
                        else if (a != b)
                            assert_true(met[a * n + b] >= cycles);
                assert_true(seats > 2 || tables == cycles * n * (n - 1) / 2);
                mem_free(met);
            }
}

static void seats_are_shared(void **unused) {
    (void)unused;
    for (uint32_t n = 2; n <= 24; n++) {
        uint32_t had[2][CUP_ENTRANTS_MAX] = {{0}};
        begin(n, 2, 0);
        play(&cup_round_robin, true);
        for (uint32_t i = 0; i < sheet.pairing_count; i++)
            for (uint32_t seat = 0; seat < 2; seat++)
                had[seat][sheet.pairings[i].entrant[seat]]++;
        for (uint32_t i = 0; i < n; i++)
            assert_in_range(had[0][i] + 1 - had[1][i], 0, 2);
    }
    begin(6, 2, 0); /* twice: each pair once with each seat */
    play(&cup_double_round_robin, true);
    for (uint32_t i = 0; i < sheet.pairing_count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_false(sheet.pairings[i].entrant[0] == sheet.pairings[j].entrant[0] &&
                         sheet.pairings[i].entrant[1] == sheet.pairings[j].entrant[1]);
}

/* Swiss: nobody meets twice, as long as there is a way; one rests who has not before; seats stay balanced. */
static void swiss_meets_anew(void **unused) {
    (void)unused;
    for (uint32_t n = 2; n <= 33; n++) {
        uint32_t rested[CUP_ENTRANTS_MAX] = {0}, first[CUP_ENTRANTS_MAX] = {0},
                 played[CUP_ENTRANTS_MAX] = {0};
        uint32_t rounds = n - 1 + n % 2;       /* so many perfect rounds there are */
        rounds = n <= 12 ? rounds / 2 + 1 : 7; /* a greedy beginning leaves at least half of them */
        begin(n, 2, rounds);
        play(&cup_swiss, true);
        uint8_t *met = cup_sheet_meetings(&sheet);
        for (uint32_t i = 0; i < n * n; i++)
            assert_true(met[i] <= 1);
        mem_free(met);
        for (uint32_t i = 0; i < sheet.pairing_count; i++) {
            const struct cup_pairing *p = &sheet.pairings[i];
            rested[p->entrant[0]] += p->count == 1;
            first[p->entrant[0]] += p->count == 2;
            for (uint32_t seat = 0; seat < p->count && p->count == 2; seat++)
                played[p->entrant[seat]]++;
        }
        for (uint32_t i = 0; i < n; i++) {
            assert_true(rested[i] <= 1);
            assert_in_range(2 * first[i] + 3 - played[i], 0,
                            6); /* at most three more of one than of the other */
        }
    }
}

/* More rounds than there are rivals: everybody meets everybody before anybody meets twice. */
static void swiss_goes_on(void **unused) {
    (void)unused;
    begin(2, 2, 5);
    assert_int_equal(play(&cup_swiss, true), 5);
    begin(4, 2, 6);
    assert_int_equal(play(&cup_swiss, true), 12);
    uint8_t *met = cup_sheet_meetings(&sheet);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++)
            assert_int_equal(met[a * 4 + b], a == b ? 0 : 2);
    mem_free(met);
}

static void swiss_of_many(void **unused) {
    (void)unused;
    begin(CUP_ENTRANTS_MAX, 2, 9);
    assert_int_equal(play(&cup_swiss, false), 9 * CUP_ENTRANTS_MAX / 2);
    struct cup_standing *rows = standings(&cup_swiss);
    assert_int_equal(rows[0].entrant, 0);
    assert_int_equal(rows[0].points, 9 * CUP_POINT);
    mem_free(rows);
}

/* Tables of three and four, filled as evenly as can be. */
static void swiss_of_groups(void **unused) {
    (void)unused;
    for (uint32_t seats = 3; seats <= 4; seats++)
        for (uint32_t n = 2; n <= 30; n++) {
            begin(n, seats, 3);
            play(&cup_swiss, true);
            for (uint32_t i = 0; i < sheet.pairing_count; i++)
                assert_true(sheet.pairings[i].count >= 2);
            assert_int_equal(sheet.pairing_count, 3 * cup_group_count(n, seats));
        }
}

/* A knock-out has one winner, for any number of entrants and seats, and whatever happens. */
static void knockout_has_a_winner(void **unused) {
    (void)unused;
    for (uint32_t seats = 2; seats <= 4; seats++)
        for (uint32_t n = 2; n <= 70; n++) {
            begin(n, seats, 0);
            play(&cup_knockout, false);
            struct cup_standing *rows = standings(&cup_knockout);
            assert_int_equal(rows[0].entrant, 0); /* the best one */
            assert_true(rows[1].rank > rows[0].rank);
            mem_free(rows);
            uint32_t losses[CUP_ENTRANTS_MAX] = {0};
            for (uint32_t i = 0; i < sheet.pairing_count; i++)
                for (uint32_t seat = 0; seat < sheet.pairings[i].count; seat++)
                    losses[sheet.pairings[i].entrant[seat]] += sheet.pairings[i].points[seat] < CUP_POINT;
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(losses[i], i == 0 ? 0 : 1);
            begin(n, seats, 0);
            play(&cup_knockout, true); /* with draws, which are played again */
            rows = standings(&cup_knockout);
            assert_true(rows[1].rank > rows[0].rank);
            mem_free(rows);
        }
}

static void knockout_rests_at_first_only(void **unused) {
    (void)unused;
    begin(11, 2, 0);
    play(&cup_knockout, false);
    uint32_t byes = 0;
    for (uint32_t i = 0; i < sheet.pairing_count; i++)
        if (sheet.pairings[i].count == 1) {
            assert_int_equal(sheet.pairings[i].round, 1);
            assert_true(sheet.pairings[i].entrant[0] < 5); /* those who are seeded first */
            byes++;
        }
    assert_int_equal(byes, 5);
    assert_int_equal(sheet.pairing_count, 5 + 10);
}

/* A draw is played again with the seats changed, and in the end whoever is seeded first goes on. */
static void knockout_of_draws(void **unused) {
    (void)unused;
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    const int32_t level[SEATS_MAX] = {0};
    uint32_t first = 9;
    begin(2, 2, 0);
    for (unsigned i = 0; i < 3; i++) {
        cup_knockout.plan(&sheet, plan);
        assert_int_equal(plan->count, 1);
        assert_int_equal(plan->pairings[0].round, 1);
        assert_true(plan->pairings[0].entrant[0] != first);
        first = plan->pairings[0].entrant[0];
        cup_sheet_add(&sheet, &plan->pairings[0]);
        cup_share(2, level, sheet.pairings[i].points);
        sheet.pairings[i].how = CUP_PLAYED;
    }
    cup_knockout.plan(&sheet, plan);
    assert_int_equal(plan->count, 0);
    struct cup_standing *rows = standings(&cup_knockout);
    assert_int_equal(rows[0].entrant, 0);
    mem_free(rows);
    mem_free(plan);
}

/* Who is always better climbs from the last rung to the first, one rung a round. */
static void ladder_is_climbed(void **unused) {
    (void)unused;
    struct cup_plan *plan = mem_alloc(sizeof *plan);
    begin(7, 2, 8);
    for (;;) {
        cup_ladder.plan(&sheet, plan);
        if (plan->count == 0)
            break;
        check_plan(plan);
        for (uint32_t i = 0; i < plan->count; i++) {
            cup_sheet_add(&sheet, &plan->pairings[i]);
            struct cup_pairing *p = &sheet.pairings[sheet.pairing_count - 1];
            const int32_t results[2] = {(int32_t)p->entrant[0], (int32_t)p->entrant[1]};
            cup_share(2, results, p->points); /* the last to enter are the best */
            p->how = CUP_PLAYED;
        }
    }
    struct cup_standing *rows = standings(&cup_ladder);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(rows[i].entrant, 6 - i);
    mem_free(rows);
    mem_free(plan);
    for (uint32_t seats = 2; seats <= 4; seats++)
        for (uint32_t n = 2; n <= 20; n++) {
            begin(n, seats, 0);
            play(&cup_ladder, true);
            assert_int_equal(cup_sheet_round(&sheet), n);
        }
}

/* Those who have gone are not planned for, and a cup goes on to its end without them. */
static void those_who_have_gone(void **unused) {
    (void)unused;
    static const struct cup_format *const formats[] = {&cup_round_robin, &cup_swiss, &cup_knockout,
                                                       &cup_ladder};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (uint32_t seats = 2; seats <= 4; seats++)
            for (uint32_t n = 3; n <= 12; n++) {
                struct cup_plan *plan = mem_alloc(sizeof *plan);
                begin(n, seats, 4);
                for (uint32_t round = 0;; round++) {
                    formats[f]->plan(&sheet, plan);
                    if (plan->count == 0)
                        break;
                    assert_true(round < 4 * CUP_ROUNDS_MAX);
                    for (uint32_t i = 0; i < plan->count; i++) {
                        cup_sheet_add(&sheet, &plan->pairings[i]);
                        struct cup_pairing *p = &sheet.pairings[sheet.pairing_count - 1];
                        if (p->count > 1 && round == 0)
                            decide(p, false);
                        else if (p->count > 1)
                            cup_walkover(&sheet, p);
                    }
                    sheet.is_gone[0] = true;
                    sheet.is_gone[round % n] = true;
                }
                assert_true(cup_sheet_is_decided(&sheet));
                mem_free(plan);
            }
}

static void points_are_shared(void **unused) {
    (void)unused;
    uint32_t points[SEATS_MAX];
    cup_share(2, (const int32_t[]){1, 0}, points);
    assert_int_equal(points[0], CUP_POINT);
    assert_int_equal(points[1], 0);
    cup_share(2, (const int32_t[]){3, 3}, points);
    assert_int_equal(points[0], CUP_POINT / 2);
    cup_share(3, (const int32_t[]){5, 9, 5}, points);
    assert_int_equal(points[1], CUP_POINT);
    assert_int_equal(points[0], CUP_POINT / 4);
    assert_int_equal(points[2], CUP_POINT / 4);
    cup_share(4, (const int32_t[]){4, 3, 2, 1}, points);
    assert_int_equal(points[0], 12);
    assert_int_equal(points[1], 8);
    assert_int_equal(points[2], 4);
    assert_int_equal(points[3], 0);
}

static void add(uint32_t a, uint32_t b, int32_t a_result, int32_t b_result) {
    const int32_t results[2] = {a_result, b_result};
    cup_sheet_add(&sheet, &(struct cup_pairing){.round = 1, .count = 2, .entrant = {a, b}});
    struct cup_pairing *p = &sheet.pairings[sheet.pairing_count - 1];
    cup_share(2, results, p->points);
    p->how = CUP_PLAYED;
}

/* A worked example: four meet each other once. 0 and 1 both have two points, 1 has beaten 0; 2 and 3 have
 * one. */
static void ties_are_broken(void **unused) {
    (void)unused;
    begin(4, 2, 0);
    add(0, 1, 0, 1);
    add(0, 2, 1, 0);
    add(0, 3, 1, 0);
    add(1, 2, 0, 1);
    add(1, 3, 1, 0);
    add(2, 3, 0, 1);
    struct cup_standing *rows = standings(&cup_round_robin);
    assert_int_equal(rows[0].entrant, 1);
    assert_int_equal(rows[1].entrant, 0);
    assert_int_equal(rows[2].entrant, 3);
    assert_int_equal(rows[3].entrant, 2);
    assert_int_equal(rows[0].points, 2 * CUP_POINT);
    assert_int_equal(rows[0].direct, CUP_POINT);
    assert_int_equal(rows[1].direct, 0);
    assert_int_equal(rows[0].buchholz, (2 + 1 + 1) * CUP_POINT);
    assert_int_equal(rows[0].sonneborn, (2 + 1) * CUP_POINT);
    assert_int_equal(rows[1].sonneborn, (1 + 1) * CUP_POINT);
    assert_int_equal(rows[0].won, 2);
    assert_int_equal(rows[0].lost, 1);
    mem_free(rows);
}

/* A bye is worth a point, and nobody is met by it; so is a walkover for whoever is there. */
static void without_a_table(void **unused) {
    (void)unused;
    begin(3, 2, 0);
    add(0, 1, 1, 1);
    cup_sheet_add(&sheet, &(struct cup_pairing){.round = 1, .count = 1, .entrant = {2}});
    cup_sheet_add(&sheet, &(struct cup_pairing){.round = 2, .count = 2, .entrant = {2, 0}});
    sheet.is_gone[0] = true;
    cup_walkover(&sheet, &sheet.pairings[2]);
    struct cup_standing *rows = standings(&cup_swiss);
    assert_int_equal(rows[0].entrant, 2);
    assert_int_equal(rows[0].points, 2 * CUP_POINT);
    assert_int_equal(rows[0].buchholz, 0);
    assert_int_equal(rows[1].points, CUP_POINT / 2);
    assert_int_equal(rows[1].drawn, 1);
    sheet.is_gone[2] = true; /* both: nobody has anything of it */
    cup_walkover(&sheet, &sheet.pairings[2]);
    assert_int_equal(sheet.pairings[2].points[0] + sheet.pairings[2].points[1], 0);
    mem_free(rows);
}

static void formats_have_words(void **unused) {
    (void)unused;
    for (uint32_t i = 1; i < CUP_FORMAT_COUNT; i++)
        assert_int_equal(cup_format_number(span_of(cup_format_of(i)->word)), i);
    assert_int_equal(cup_format_number(SPAN("league")), 0);
    assert_null(cup_format_of(0));
    assert_null(cup_format_of(CUP_FORMAT_COUNT));
}

int main(void) {
    rng_seed(&rng, 7);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(everybody_meets_everybody, finish),
        cmocka_unit_test_teardown(seats_are_shared, finish),
        cmocka_unit_test_teardown(swiss_meets_anew, finish),
        cmocka_unit_test_teardown(swiss_goes_on, finish),
        cmocka_unit_test_teardown(swiss_of_many, finish),
        cmocka_unit_test_teardown(swiss_of_groups, finish),
        cmocka_unit_test_teardown(knockout_has_a_winner, finish),
        cmocka_unit_test_teardown(knockout_rests_at_first_only, finish),
        cmocka_unit_test_teardown(knockout_of_draws, finish),
        cmocka_unit_test_teardown(ladder_is_climbed, finish),
        cmocka_unit_test_teardown(those_who_have_gone, finish),
        cmocka_unit_test_teardown(points_are_shared, finish),
        cmocka_unit_test_teardown(ties_are_broken, finish),
        cmocka_unit_test_teardown(without_a_table, finish),
        cmocka_unit_test(formats_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
