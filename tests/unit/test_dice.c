/* Fair dice: commitments, draws and the draw of seats. */
#include "tests.h"

#include "host/table/dice.h"

/* Nobody has brought a seed. */
static const struct dice plain;

static struct digest count_up(void) {
    struct digest secret;
    for (int i = 0; i < DIGEST_BYTES; i++)
        secret.bytes[i] = (uint8_t)i;
    return secret;
}

/* The same values by Python: hashlib.blake2b(digest_size=32, key=secret), see docs/journal.md. */
static void dice_are_the_documented_ones(void **state) {
    (void)state;
    struct digest secret = count_up(), commitment;
    struct rng rng;
    char text[2 * DIGEST_BYTES + 1];
    dice_commit(&commitment, 12345, &secret);
    digest_format(&commitment, text);
    assert_string_equal(text, "b2dfdcf55ab332b87301bdce11787a5401199801bca73d98df302bc355ff9c4c");
    dice_draw(&rng, 12345, &secret, &plain, 7, "chance");
    assert_true(rng.s[0] == 0xa7a6232cb95f1a66u);
    assert_true(rng.s[1] == 0x0a65ddaf42732a0eu);
    assert_true(rng.s[2] == 0x59bed8741f3d8ec4u);
    assert_true(rng.s[3] == 0xe3005f43c21ab650u);
}

static void follow(struct dice *d, uint64_t seq, enum event_kind kind, const struct buf *body) {
    dice_follow(d, &(struct event){.seq = seq, .kind = kind, .body = buf_span(body)});
}

static void follow_seat(struct dice *d, uint64_t seq, unsigned seat, const char *seed) {
    struct event_seat event = {.seat = seat, .name = "x"};
    struct buf body = {0};
    snprintf(event.seed, sizeof event.seed, "%s", seed);
    event_seat_write(&body, &event);
    follow(d, seq, EVENT_SEAT, &body);
    buf_free(&body);
}

static void follow_setup(struct dice *d) {
    struct event_setup setup = {.format = EVENT_FORMAT,
                                .game = "g",
                                .options = {.seat_count = 2},
                                .waits_for_seats = true,
                                .protocol = "p"};
    struct buf body = {0};
    event_setup_write(&body, &setup);
    follow(d, 1, EVENT_SETUP, &body);
    buf_free(&body);
}

/* Also by Python: two seeds, and the number of a draw before anybody has done anything. */
static void seeds_are_mixed_as_documented(void **state) {
    (void)state;
    struct digest secret = count_up();
    struct dice dice = {0};
    struct rng rng;
    struct buf nothing = {0};
    follow_setup(&dice);
    follow_seat(&dice, 2, 0, "");
    assert_int_equal(dice.mixed_seq, 0);
    follow_seat(&dice, 3, 1, "salt");
    follow_seat(&dice, 4, 0, "\xc3\xa4");
    assert_int_equal(dice.mixed_seq, 3);
    dice_draw(&rng, 12345, &secret, &dice, 5, "chance");
    assert_true(rng.s[0] == 0xb1ef7bd333cc47beu);
    follow(&dice, 5, EVENT_CHANCE, &nothing);
    follow(&dice, 6, EVENT_ACTION, &nothing);
    dice_draw(&rng, 12345, &secret, &dice, 7, "chance");
    assert_true(rng.s[0] == 0xdcd8090a8bea51a8u);
}

/* When nobody brings a seed it does not matter whether players sit down before chance decides or after it. */
static void seats_without_seeds_change_nothing(void **state) {
    (void)state;
    struct digest secret = count_up();
    struct dice early = {0}, late = {0};
    struct rng before, after;
    follow_setup(&early);
    follow_setup(&late);
    dice_draw(&before, 1, &secret, &early, 2, "chance");
    follow_seat(&late, 2, 0, "");
    follow_seat(&late, 3, 1, "");
    dice_draw(&after, 1, &secret, &late, 4, "chance");
    assert_memory_equal(&before, &after, sizeof before);
    follow_seat(&late, 4, 1, "x");
    dice_draw(&after, 1, &secret, &late, 5, "chance");
    assert_memory_not_equal(&before, &after, sizeof before);
}

static void commitment_is_to_table_and_secret(void **state) {
    (void)state;
    struct digest secret = count_up(), first, second;
    dice_commit(&first, 1, &secret);
    dice_commit(&second, 1, &secret);
    assert_true(digest_equal(&first, &second));
    dice_commit(&second, 2, &secret);
    assert_false(digest_equal(&first, &second));
    secret.bytes[31] ^= 1;
    dice_commit(&second, 1, &secret);
    assert_false(digest_equal(&first, &second));
}

static void draws_differ(void **state) {
    (void)state;
    struct digest secret = count_up(), other = secret;
    struct rng draws[5];
    other.bytes[0] = 1;
    dice_draw(&draws[0], 1, &secret, &plain, 1, "chance");
    dice_draw(&draws[1], 2, &secret, &plain, 1, "chance");
    dice_draw(&draws[2], 1, &secret, &plain, 2, "chance");
    dice_draw(&draws[3], 1, &secret, &plain, 1, "seats");
    dice_draw(&draws[4], 1, &other, &plain, 1, "chance");
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(&draws[i], &draws[k], sizeof draws[i]);
    struct rng again;
    dice_draw(&again, 1, &secret, &plain, 1, "chance");
    assert_memory_equal(&again, &draws[0], sizeof again);
}

static void secrets_are_new(void **state) {
    (void)state;
    struct digest first, second;
    digest_secret(&first);
    digest_secret(&second);
    assert_false(digest_equal(&first, &second));
}

/* Coarse, and always the same: the secret is fixed. With 60,000 rolls a face is off by more than 4 % only if
 * something is wrong (that would be six standard deviations). */
static void faces_come_up_alike(void **state) {
    (void)state;
    enum { ROLLS = 60000 };
    struct digest secret = count_up();
    unsigned faces[6] = {0};
    for (uint64_t seq = 1; seq <= ROLLS; seq++) {
        struct rng rng;
        dice_draw(&rng, 9, &secret, &plain, seq, "chance");
        faces[rng_below(&rng, 6)]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(faces[i], ROLLS / 6 * 96 / 100, ROLLS / 6 * 104 / 100);
}

static void seats_are_every_order(void **state) {
    (void)state;
    enum { TABLES = 24000 };
    struct digest secret = count_up();
    unsigned orders[256] = {0}, seen = 0;
    for (uint64_t table = 0; table < TABLES; table++) {
        unsigned joined[4], order = 0, seats = 0;
        dice_seats(table, &secret, &plain, 2, 4, joined);
        for (int i = 0; i < 4; i++) {
            order = order * 4 + joined[i];
            seats |= 1u << joined[i];
        }
        assert_int_equal(seats, 15);
        orders[order]++;
    }
    for (int i = 0; i < 256; i++)
        if (orders[i] > 0) {
            seen++;
            assert_in_range(orders[i], TABLES / 24 * 80 / 100, TABLES / 24 * 120 / 100);
        }
    assert_int_equal(seen, 24);
    unsigned alone[1] = {9};
    dice_seats(1, &secret, &plain, 2, 1, alone);
    assert_int_equal(alone[0], 0);
}

/* With three quarters of the range the simple product would give a third of the numbers twice the chance. */
static void below_is_exact(void **state) {
    (void)state;
    enum { DRAWS = 30000 };
    const uint32_t below = 3u << 30;
    struct rng rng;
    unsigned thirds[3] = {0};
    rng_seed(&rng, 1);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t drawn = rng_below(&rng, below);
        assert_true(drawn < below);
        thirds[drawn % 3]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(thirds[i], DRAWS / 3 * 95 / 100, DRAWS / 3 * 105 / 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&rng, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dice_are_the_documented_ones),
        cmocka_unit_test(seeds_are_mixed_as_documented),
        cmocka_unit_test(seats_without_seeds_change_nothing),
        cmocka_unit_test(commitment_is_to_table_and_secret),
        cmocka_unit_test(draws_differ),
        cmocka_unit_test(secrets_are_new),
        cmocka_unit_test(faces_come_up_alike),
        cmocka_unit_test(seats_are_every_order),
        cmocka_unit_test(below_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
