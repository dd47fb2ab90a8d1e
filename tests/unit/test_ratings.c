/* Glicko-2 by the paper's own example, and what of championships counts. */
#include "base/mem.h"
#include "host/cup/ratings.h"
#include "tests.h"

#include <math.h>
#include <stdio.h>

#define ASSERT_NEAR(value, wanted, error) assert_true(fabs((value) - (wanted)) < (error))

static void the_example_of_the_paper(void **unused) {
    (void)unused;
    struct glicko player = {1500, 200, 0.06};
    const struct glicko rivals[] = {{1400, 30, 0.06}, {1550, 100, 0.06}, {1700, 300, 0.06}};
    const double scores[] = {1, 0, 0};
    struct glicko_sum sum = {0};
    for (size_t i = 0; i < 3; i++)
        glicko_add(&sum, &player, &rivals[i], scores[i]);
    glicko_close(&player, &sum);
    ASSERT_NEAR(player.rating, 1464.06, 0.01);
    ASSERT_NEAR(player.deviation, 151.52, 0.01);
    ASSERT_NEAR(player.volatility, 0.05999, 0.00001);
}

/* Somebody who wins what nobody expected is more volatile: the other branch of step 5. */
static void surprises_raise_the_volatility(void **unused) {
    (void)unused;
    struct glicko player = {1500, 50, 0.06};
    const struct glicko rival = {2300, 30, 0.06};
    struct glicko_sum sum = {0};
    for (int i = 0; i < 20; i++)
        glicko_add(&sum, &player, &rival, 1);
    glicko_close(&player, &sum);
    assert_true(player.volatility > 0.0601);
    assert_true(player.rating > 1600 && player.deviation > 0 && isfinite(player.rating));
}

static void rest_makes_less_sure(void **unused) {
    (void)unused;
    struct glicko player = {1600, 50, 0.06};
    glicko_rest(&player, 1);
    ASSERT_NEAR(player.deviation, sqrt(50.0 * 50 + 173.7178 * 173.7178 * 0.06 * 0.06), 0.0001);
    assert_true(player.rating == 1600);
    glicko_rest(&player, 1e9);
    assert_true(player.deviation == GLICKO_DEVIATION);
}

/* A championship as its fold has it, without a journal. */

enum { DAY_MS = 24 * 60 * 60 * 1000 };

static struct cup_entrant entrants[4];
static struct cup_entrant *entrant_list[4];

static struct cup_fold fold_of(uint32_t seats, int64_t end_ms) {
    struct cup_fold f = {.id = 1, .phase = CUP_OVER, .last_ms = end_ms, .entrants = entrant_list};
    snprintf(f.about.game, sizeof f.about.game, "paper-soccer");
    f.sheet = (struct cup_sheet){.seats = seats, .entrant_count = 4};
    for (unsigned i = 0; i < 4; i++) {
        entrant_list[i] = &entrants[i];
        entrants[i] = (struct cup_entrant){0};
        snprintf(entrants[i].about.name, sizeof entrants[i].about.name, "player %u", i);
        entrants[i].about.token.bytes[0] = (uint8_t)(i + 1);
    }
    return f;
}

static void add(struct cup_fold *f, uint32_t count, const uint32_t *who, const int32_t *results,
                enum cup_how how) {
    struct cup_pairing p = {.round = 1, .count = count};
    memcpy(p.entrant, who, count * sizeof *who);
    cup_sheet_add(&f->sheet, &p);
    struct cup_pairing *added = &f->sheet.pairings[f->sheet.pairing_count - 1];
    cup_share(count, results, added->points);
    added->how = how;
}

static double rating_of(const struct ratings *r, unsigned entrant) {
    return ratings_of(r, "paper-soccer", &entrants[entrant].about).rating;
}

static void what_counts(void **unused) {
    (void)unused;
    struct ratings r = {0};
    struct rating_line lines[4];
    struct cup_fold f = fold_of(2, 1000);
    add(&f, 2, (const uint32_t[]){0, 1}, (const int32_t[]){1, 0}, CUP_PLAYED);
    add(&f, 2, (const uint32_t[]){2, 0}, (const int32_t[]){0, 1}, CUP_WALKOVER);
    add(&f, 1, (const uint32_t[]){3}, (const int32_t[]){1}, CUP_BYE);
    ratings_take(&r, &f, lines);
    ASSERT_NEAR(rating_of(&r, 0), 1662.31, 0.01); /* 1500/350 beats 1500/350 */
    ASSERT_NEAR(rating_of(&r, 1), 1337.69, 0.01);
    assert_true(lines[0].before.rating == 1500 && lines[0].after.rating == rating_of(&r, 0));
    assert_true(rating_of(&r, 2) == 1500 && rating_of(&r, 3) == 1500);
    size_t count;
    const struct rated **rows = ratings_list(&r, "paper-soccer", &count);
    assert_int_equal(count, 2); /* a walkover and a bye make nobody known */
    assert_string_equal(rows[0]->name, "player 0");
    assert_int_equal(rows[0]->games, 1);
    assert_int_equal(rows[0]->cups, 1);
    mem_free(rows);
    rows = ratings_list(&r, "santorini", &count);
    assert_int_equal(count, 0);
    mem_free(rows);
    assert_true(ratings_know(&r, &entrants[0].about.token));
    assert_false(ratings_know(&r, &entrants[2].about.token));
    cup_sheet_free(&f.sheet);
    ratings_free(&r);
}

/* Of four at a table partners are level, and every other two are a game. */
static void more_than_two_at_a_table(void **unused) {
    (void)unused;
    struct ratings r = {0};
    struct cup_fold f = fold_of(4, 1000);
    add(&f, 4, (const uint32_t[]){0, 1, 2, 3}, (const int32_t[]){1, 0, 1, 0}, CUP_PLAYED);
    ratings_take(&r, &f, NULL);
    size_t count;
    const struct rated **rows = ratings_list(&r, "paper-soccer", &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows[i]->games, 2);
    mem_free(rows);
    ASSERT_NEAR(rating_of(&r, 0), rating_of(&r, 2), 0.0001);
    ASSERT_NEAR(rating_of(&r, 0) - 1500, 1500 - rating_of(&r, 1), 0.0001);
    assert_true(rating_of(&r, 0) > 1600);
    cup_sheet_free(&f.sheet);
    ratings_free(&r);
}

/* Bots of a level are one player, and do not play against themselves. */
static void bots_are_rated_by_level(void **unused) {
    (void)unused;
    struct ratings r = {0};
    struct cup_fold f = fold_of(2, 1000);
    entrants[0].about.bot_level = entrants[1].about.bot_level = 3;
    entrants[2].about.bot_level = 1;
    add(&f, 2, (const uint32_t[]){0, 1}, (const int32_t[]){1, 0}, CUP_PLAYED);
    add(&f, 2, (const uint32_t[]){0, 2}, (const int32_t[]){1, 0}, CUP_PLAYED);
    add(&f, 2, (const uint32_t[]){2, 1}, (const int32_t[]){0, 1}, CUP_FORFEITED);
    ratings_take(&r, &f, NULL);
    size_t count;
    const struct rated **rows = ratings_list(&r, "paper-soccer", &count);
    assert_int_equal(count, 2);
    assert_string_equal(rows[0]->name, "level:3");
    assert_int_equal(rows[0]->games, 2);
    assert_string_equal(rows[1]->name, "level:1");
    mem_free(rows);
    cup_sheet_free(&f.sheet);
    ratings_free(&r);
}

/* The same token goes on under another name, and days without a championship make less sure. */
static void days_between(void **unused) {
    (void)unused;
    struct ratings at_once = {0}, later = {0};
    for (int i = 0; i < 2; i++) {
        struct ratings *r = i == 0 ? &at_once : &later;
        struct cup_fold f = fold_of(2, 1000);
        struct rating_line lines[4];
        for (int n = 0; n < 10; n++)
            add(&f, 2, (const uint32_t[]){0, 1}, (const int32_t[]){n % 2, 1 - n % 2}, CUP_PLAYED);
        ratings_take(r, &f, lines);
        assert_true(lines[0].after.deviation < 200);
        snprintf(entrants[0].about.name, sizeof entrants[0].about.name, "renamed");
        f.last_ms = i == 0 ? 2000 : (int64_t)400 * DAY_MS;
        ratings_take(r, &f, lines);
        cup_sheet_free(&f.sheet);
    }
    struct glicko soon = ratings_of(&at_once, "paper-soccer", &entrants[0].about);
    struct glicko late = ratings_of(&later, "paper-soccer", &entrants[0].about);
    assert_true(late.deviation > soon.deviation + 5);
    size_t count;
    const struct rated **rows = ratings_list(&later, "paper-soccer", &count);
    assert_int_equal(count, 2);
    assert_true(strcmp(rows[0]->name, "renamed") == 0 || strcmp(rows[1]->name, "renamed") == 0);
    assert_int_equal(rows[0]->cups, 2);
    mem_free(rows);
    ratings_free(&at_once);
    ratings_free(&later);
}

/* There is a ceiling, and whoever played longest ago makes room. */
static void as_many_as_there_is_room_for(void **unused) {
    (void)unused;
    struct ratings r = {0};
    for (unsigned n = 0; n < RATINGS_MAX / 2 + 1; n++) {
        struct cup_fold f = fold_of(2, 1000 + (int64_t)n);
        for (unsigned i = 0; i < 2; i++) {
            entrants[i].about.token.bytes[1] = (uint8_t)(n >> 8);
            entrants[i].about.token.bytes[2] = (uint8_t)n;
        }
        add(&f, 2, (const uint32_t[]){0, 1}, (const int32_t[]){1, 0}, CUP_PLAYED);
        ratings_take(&r, &f, NULL);
        cup_sheet_free(&f.sheet);
    }
    size_t count;
    mem_free(ratings_list(&r, "paper-soccer", &count));
    assert_int_equal(count, RATINGS_MAX);
    assert_true(ratings_know(&r, &entrants[0].about.token));
    entrants[0].about.token.bytes[1] = entrants[0].about.token.bytes[2] = 0;
    assert_false(ratings_know(&r, &entrants[0].about.token));
    ratings_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_paper),
        cmocka_unit_test(surprises_raise_the_volatility),
        cmocka_unit_test(rest_makes_less_sure),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(more_than_two_at_a_table),
        cmocka_unit_test(bots_are_rated_by_level),
        cmocka_unit_test(days_between),
        cmocka_unit_test(as_many_as_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
