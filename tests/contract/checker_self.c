/* The checks themselves: each is given a copy of the fixture that is broken in one place and must complain,
 * and none may complain about the honest fixture (that is in contract.c). Then what only a test that knows
 * the fixture can say: odds, and which bytes are secret. */
#include "tests.h"

#include "checker.h"
#include "fixture_game.h"
#include "game/playout.h"
#include "game/stock.h"

#include <stdio.h>

enum { TABLES = 20 };

static char complaint[COMPLAINT_BYTES_MAX];

/* True when some check of the two lists complains about the game with these options. */
static bool is_caught(const struct game *game, uint32_t seats) {
    struct game_options options = game_options_default(game, seats);
    bool is_sound = true;
    for (const struct contract_check *check = contract_checks; is_sound && check->name != NULL; check++)
        is_sound = contract_run(game, &options, check, 1, TABLES, complaint);
    for (const struct contract_check *check = secret_checks; is_sound && check->name != NULL; check++)
        is_sound = contract_run(game, &options, check, 1, TABLES, complaint);
    return !is_sound;
}

/* The game must be caught by just this check: the checks before it are content, so that its name says what is
 * wrong. */
static void assert_caught_by(const struct game *game, const char *name) {
    if (!is_caught(game, 3))
        fail_msg("nobody noticed: %s", name);
    if (strncmp(complaint, name, strlen(name)) != 0)
        fail_msg("expected '%s', but got: %s", name, complaint);
}

static void the_honest_game_is_not_caught(void **unused) {
    (void)unused;
    for (uint32_t seats = 3; seats <= 4; seats++)
        if (is_caught(&fixture_game, seats))
            fail_msg("%s", complaint);
    assert_null(contract_setup(&fixture_game));
}

static struct bids *bids_of(struct game_state *state) {
    return (struct bids *)state;
}

static size_t legal_forgets_one(const struct game_state *state, unsigned seat, struct action *out) {
    size_t count = fixture_game.legal(state, seat, out);
    return count > 1 && count != LEGAL_UNLISTED ? count - 1 : count;
}

static size_t legal_repeats_one(const struct game_state *state, unsigned seat, struct action *out) {
    size_t count = fixture_game.legal(state, seat, out);
    if (count > 0 && count < fixture_game.actions_max)
        out[count] = out[0];
    return count > 0 && count < fixture_game.actions_max ? count + 1 : count;
}

static size_t legal_for_anybody(const struct game_state *state, unsigned seat, struct action *out) {
    size_t count = fixture_game.legal(state, seat, out);
    return count == 0 && seat == SEAT_WATCHER ? fixture_game.legal(state, 0, out) : count;
}

static void legal_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.legal = legal_forgets_one;
    assert_caught_by(&game, "sample is legal");
    game.legal = legal_repeats_one;
    assert_caught_by(&game, "legal lists what check allows, each once");
    game.legal = legal_for_anybody;
    assert_caught_by(&game, "legal lists what check allows, each once");
}

static seat_set turn_of_ghosts(const struct game_state *state) {
    seat_set set = fixture_game.turn(state);
    return set & SEAT_BIT(0) ? set | SEAT_BIT(3) : set;
}

static void sample_too_high(const struct game_state *state, unsigned seat, struct rng *rng,
                            struct action *out) {
    fixture_game.sample(state, seat, rng, out);
    if (rng_below(rng, 50) == 0)
        out->arg[0]++;
}

/* Nobody bids the most that it may. */
static void sample_cautious(const struct game_state *state, unsigned seat, struct rng *rng,
                            struct action *out) {
    struct action list[BIDS_CARD_MAX + 1];
    fixture_game.sample(state, seat, rng, out);
    if (out->kind == BIDS_BID)
        *out = list[rng_below(rng, (uint32_t)fixture_game.legal(state, seat, list) - 1)];
}

/* By one number, but the lowest bid comes in place of the highest. */
static void sample_uneven(const struct game_state *state, unsigned seat, struct rng *rng,
                          struct action *out) {
    struct action list[BIDS_CARD_MAX + 1];
    fixture_game.sample(state, seat, rng, out);
    if (out->kind == BIDS_BID && out->arg[0] + 1u == fixture_game.legal(state, seat, list))
        out->arg[0] = 0;
}

static void turn_and_sample_are_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.turn = turn_of_ghosts;
    assert_caught_by(&game, "turn names seats of the table");
    game.turn = fixture_game.turn;
    game.sample = sample_too_high;
    assert_caught_by(&game, "sample is legal");
    game.sample = sample_cautious;
    assert_caught_by(&game, "sample leaves nothing out");
    game.sample = sample_uneven;
    assert_caught_by(&game, "sample leaves nothing out");
}

static enum err check_ignores_tail(const struct game_state *state, unsigned seat,
                                   const struct action *action) {
    struct action trimmed = {.kind = action->kind, .arg = {action->arg[0]}};
    return fixture_game.check(state, seat, &trimmed);
}

static enum err check_ignores_seat(const struct game_state *state, unsigned seat,
                                   const struct action *action) {
    seat_set set = fixture_game.turn(state);
    bool is_other = set != 0 && !(set & SEAT_BIT(SEAT_CHANCE)) && seat < SEATS_MAX && !(set & SEAT_BIT(seat));
    return fixture_game.check(state, is_other ? (unsigned)__builtin_ctz(set) : seat, action);
}

static enum err check_ignores_range(const struct game_state *state, unsigned seat,
                                    const struct action *action) {
    return fixture_game.check(state, seat == SEAT_WATCHER + 1 ? SEAT_CHANCE : seat, action);
}

static enum err check_changes_state(const struct game_state *state, unsigned seat,
                                    const struct action *action) {
    enum err e = fixture_game.check(state, seat, action);
    struct bids *b = bids_of((struct game_state *)(uintptr_t)state);
    if (e != ERR_OK && b->phase == BIDS_CHOOSE)
        b->points[seat % SEATS_MAX]++;
    return e;
}

static void check_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.check = check_ignores_tail;
    assert_caught_by(&game, "other actions are refused");
    game.check = check_ignores_seat;
    assert_caught_by(&game, "other seats are refused");
    game.check = check_ignores_range;
    assert_caught_by(&game, "other seats are refused");
    game.check = check_changes_state;
    assert_caught_by(&game, "asking changes nothing");
}

static void format_loses_value(const struct game_state *state, unsigned seat, const struct action *action,
                               char text[ACTION_TEXT_BYTES_MAX]) {
    struct action other = *action;
    if (action->kind == BIDS_BID && action->arg[0] == 3)
        other.arg[0] = 2;
    fixture_game.action_format(state, seat, &other, text);
}

static enum err parse_accepts_all(const struct game_state *state, unsigned seat, struct span text,
                                  struct action *out) {
    if (fixture_game.action_parse(state, seat, text, out) != ERR_OK)
        *out = (struct action){.kind = BIDS_BID};
    return ERR_OK;
}

static void text_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.action_format = format_loses_value;
    assert_caught_by(&game, "text goes and comes back");
    game.action_format = fixture_game.action_format;
    game.action_parse = parse_accepts_all;
    assert_caught_by(&game, "garbage is no action");
}

static unsigned applied;

static void apply_by_mood(struct game_state *state, unsigned seat, const struct action *action) {
    fixture_game.apply(state, seat, action);
    bids_of(state)->points[0] += ++applied % 7 == 0;
}

static void apply_breaks(struct game_state *state, unsigned seat, const struct action *action) {
    fixture_game.apply(state, seat, action);
    if (action->kind == BIDS_BID && action->arg[0] == 4)
        bids_of(state)->card[seat] = 3;
}

static void apply_depends_on_slack(struct game_state *state, unsigned seat, const struct action *action) {
    fixture_game.apply(state, seat, action);
    if (action->kind == BIDS_DIE && bids_of(state)->round == 0)
        bids_of(state)->motto[5] = (uint8_t)++applied; /* as from uninitialised memory */
}

static void apply_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.apply = apply_by_mood;
    assert_caught_by(&game, "apply is deterministic");
    game.apply = apply_depends_on_slack;
    assert_caught_by(&game, "apply is deterministic");
    game.apply = apply_breaks;
    assert_caught_by(&game, "apply is deterministic");
}

static void score_forgets(const struct game_state *state, int32_t points[SEATS_MAX]) {
    int32_t all[SEATS_MAX];
    fixture_game.score(state, all);
    memcpy(points, all, 2 * sizeof *points);
}

static const char *valid_doubts(const struct game_state *state) {
    return ((const struct bids *)state)->phase == BIDS_ROLL ? "I do not like it" : NULL;
}

static void ends_are_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.plies_max = 8;
    assert_caught_by(&game, "turn names seats of the table: the table goes on after plies_max");
    game = fixture_game;
    game.score = score_forgets;
    assert_caught_by(&game, "score speaks of every seat");
    game = fixture_game;
    game.valid = valid_doubts;
    assert_caught_by(&game, "apply is deterministic");
}

static size_t playout_other_order(const struct game *game, struct game_state *state, struct rng *rng) {
    rng_next(rng);
    return stock_playout(game, state, rng);
}

static uint64_t perft_one_more(const struct game *game, const struct game_state *state, unsigned turns) {
    return stock_perft(game, state, turns) + (turns == 2);
}

static void fast_paths_are_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.playout = playout_other_order;
    assert_caught_by(&game, "playout is the stock playout");
    game = fixture_game;
    game.perft = perft_one_more;
    assert_caught_by(&game, "perft is the stock perft");
}

static void describe_without_end(const struct game_view *view, struct writer *w) {
    (void)view;
    writer_object_begin(w, NULL);
    writer_int(w, "round", 1);
}

static void describe_nothing(const struct game_view *view, struct writer *w) {
    (void)view;
    if (w->form == WRITER_JSON) {
        writer_object_begin(w, NULL);
        writer_object_end(w);
    }
}

static void describe_where(const struct game_view *view, struct writer *w) {
    writer_object_begin(w, NULL);
    writer_int(w, "where", (int64_t)(uintptr_t)view);
    writer_int(w, "count", ++applied);
    writer_object_end(w);
}

static void describe_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.describe = describe_without_end;
    assert_caught_by(&game, "describe gives JSON and text");
    game.describe = describe_nothing;
    assert_caught_by(&game, "describe gives JSON and text");
    game.describe = describe_where;
    assert_caught_by(&game, "describe shows no secret");
}

/* Shows the cards of everybody with a number below 3: describe then leaks them. */
static void redact_forgets_cards(struct game_state *state, unsigned viewer) {
    struct bids before = *bids_of(state);
    fixture_game.redact_state(state, viewer);
    if (before.card[0] < 3)
        bids_of(state)->card[0] = before.card[0];
}

static void redact_grows(struct game_state *state, unsigned viewer) {
    fixture_game.redact_state(state, viewer);
    if (viewer == SEAT_WATCHER)
        bids_of(state)->die++;
}

static void imagine_high_cards(struct game_view *view, unsigned viewer, struct rng *rng) {
    fixture_game.imagine(view, viewer, rng);
    struct bids *b = (struct bids *)view;
    for (unsigned seat = 0; seat < SEATS_MAX && seat < b->seat_count; seat++)
        if (seat != viewer && b->card[seat] != BIDS_NONE)
            b->card[seat] = 1;
}

static void redact_action_by_card(const struct game_state *state, unsigned actor, struct action *action,
                                  unsigned viewer) {
    fixture_game.redact_action(state, actor, action, viewer);
    if (action->kind == BIDS_BID && actor != viewer)
        action->arg[1] = ((const struct bids *)state)->card[actor] > 3;
}

static void redact_action_from_actor(const struct game_state *state, unsigned actor, struct action *action,
                                     unsigned viewer) {
    (void)viewer;
    fixture_game.redact_action(state, actor, action, SEAT_WATCHER);
}

static size_t legal_by_secret(const struct game_state *state, unsigned seat, struct action *out) {
    const struct bids *b = (const struct bids *)state;
    size_t count = fixture_game.legal(state, seat, out);
    return b->phase == BIDS_CHOOSE && seat == 0 && count > 1 && b->card[1] == 4 ? count - 1 : count;
}

static void sample_by_secret(const struct game_state *state, unsigned seat, struct rng *rng,
                             struct action *out) {
    struct action list[BIDS_CARD_MAX + 1];
    size_t count = legal_by_secret(state, seat, list);
    if (seat == SEAT_CHANCE || count == LEGAL_UNLISTED)
        fixture_game.sample(state, seat, rng, out);
    else
        *out = list[rng_below(rng, (uint32_t)count)];
}

static enum err check_by_secret(const struct game_state *state, unsigned seat, const struct action *action) {
    struct action list[BIDS_CARD_MAX + 1];
    enum err e = fixture_game.check(state, seat, action);
    if (e != ERR_OK)
        return e;
    size_t count = legal_by_secret(state, seat, list);
    for (size_t i = 0; i < count; i++)
        if (action_equal(&list[i], action))
            return ERR_OK;
    return ERR_FIELD_INVALID;
}

static bool foresee_all(const struct game_view *view, unsigned viewer, const struct action *action) {
    (void)view;
    (void)viewer;
    (void)action;
    return true;
}

/* Refuses a bid of 9 with other words when seat 1 has the highest card: nothing that could be played differs.
 */
static enum err check_hints(const struct game_state *state, unsigned seat, const struct action *action) {
    const struct bids *b = (const struct bids *)state;
    enum err e = fixture_game.check(state, seat, action);
    bool is_hint = e == ERR_BID_TOO_HIGH && b->phase == BIDS_CHOOSE && seat == 0 && b->card[1] == 4;
    return is_hint ? ERR_TOO_LARGE : e;
}

static void outcomes_are_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.foresee = foresee_all;
    assert_caught_by(&game, "what is foreseen is so in all worlds");
    game = fixture_game;
    game.check = check_hints;
    assert_caught_by(&game, "a refusal tells no secret");
}

static void secrets_are_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.redact_state = redact_grows;
    assert_caught_by(&game, "redact twice is redact once");
    game.redact_state = redact_forgets_cards;
    assert_caught_by(&game, "imagined worlds are possible and look the same");
    game = fixture_game;
    game.imagine = imagine_high_cards;
    assert_caught_by(&game, "imagined worlds are possible and look the same");
    game = fixture_game;
    game.imagine = stock_imagine; /* leaves the blanks blank */
    assert_caught_by(&game, "imagined worlds are possible and look the same");
    game = fixture_game;
    game.redact_action = redact_action_by_card;
    assert_caught_by(&game, "redacted actions show no secret");
    game.redact_action = redact_action_from_actor;
    assert_caught_by(&game, "redacted actions show no secret");
    game = fixture_game;
    game.legal = legal_by_secret;
    game.check = check_by_secret;
    game.sample = sample_by_secret;
    assert_caught_by(&game, "one's own turn is no secret");
}

static void words_are_watched(void **unused) {
    (void)unused;
    static const char name[] = "refusals have words of their own";
    struct game game = fixture_game;
    game.refusals = NULL;
    assert_caught_by(&game, name);
    game.refusals = (const struct err_row[]){{"busy", "a word of everybody", ""}, {0}};
    assert_caught_by(&game, name);
    game.refusals = (const struct err_row[]){{"a", "one", ""}, {"a", "another", ""}, {0}};
    assert_caught_by(&game, name);
    game.refusals = (const struct err_row[]){{"a", "a rule of others", "chess R1"}, {0}};
    assert_caught_by(&game, name);
    game.refusals = (const struct err_row[]){{"a", "", ""}, {0}};
    assert_caught_by(&game, name);
}

static enum err setup_any_seats(struct game_state *state, const struct game_options *options) {
    struct game_options patched = *options;
    patched.seat_count = options->seat_count == 2 ? 3 : options->seat_count;
    return fixture_game.setup(state, &patched);
}

static enum err setup_any_option(struct game_state *state, const struct game_options *options) {
    struct game_options patched = *options;
    if (patched.value[BIDS_OPTION_ROUNDS] > BIDS_ROUNDS_MAX)
        patched.value[BIDS_OPTION_ROUNDS] = BIDS_ROUNDS_MAX;
    return fixture_game.setup(state, &patched);
}

static enum err setup_leaves_slack(struct game_state *state, const struct game_options *options) {
    uint8_t slack = bids_of(state)->motto[3];
    enum err e = fixture_game.setup(state, options);
    bids_of(state)->motto[3] = slack;
    return e;
}

static void setup_is_watched(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    game.setup = setup_any_seats;
    assert_non_null(contract_setup(&game));
    game.setup = setup_any_option;
    assert_non_null(contract_setup(&game));
    game.setup = setup_leaves_slack;
    assert_non_null(contract_setup(&game));
}

/* Plays at random from the start until the phase comes. */
static void bids_until(const struct game *game, struct bids *b, enum bids_phase phase, uint64_t seed,
                       uint32_t seats) {
    struct game_options options = game_options_default(game, seats);
    struct game_state *state = (struct game_state *)b;
    struct rng rng;
    rng_seed(&rng, seed);
    assert_int_equal(game->setup(state, &options), ERR_OK);
    while (b->phase != phase) {
        struct action action;
        unsigned seat = playout_seat(game->turn(state), &rng);
        game->sample(state, seat, &rng, &action);
        game->apply(state, seat, &action);
    }
}

/* Pearson's statistic of the outcomes of chance against odds; with three degrees of freedom it stays
 * below 21.1 in 9,999 of 10,000 seeds. */
static double chance_misfit(const struct game *game, const struct bids *b, const uint32_t odds[5],
                            uint32_t odds_sum) {
    enum { DRAWS = 20000 };
    unsigned seen[256] = {0};
    struct rng rng;
    double misfit = 0;
    rng_seed(&rng, 7);
    for (int i = 0; i < DRAWS; i++) {
        struct action action;
        game->sample((const struct game_state *)b, SEAT_CHANCE, &rng, &action);
        seen[action.arg[0]]++;
    }
    for (unsigned value = 1; value <= 4; value++) {
        double expected = (double)DRAWS * odds[value] / odds_sum, off = seen[value] - expected;
        misfit += off * off / expected;
    }
    return misfit;
}

static void sample_any_side(const struct game_state *state, unsigned seat, struct rng *rng,
                            struct action *out) {
    fixture_game.sample(state, seat, rng, out);
    if (seat == SEAT_CHANCE)
        out->arg[0] = (uint8_t)(1 + rng_below(rng, 4));
}

static void chance_keeps_its_odds(void **unused) {
    (void)unused;
    static const uint32_t bag[] = {0, 1, 2, 3, 4};
    struct game unfair = fixture_game;
    struct bids b;
    unfair.sample = sample_any_side;
    bids_until(&fixture_game, &b, BIDS_DEAL, 1, 3);
    assert_true(chance_misfit(&fixture_game, &b, bag, 10) < 21.1);
    assert_true(chance_misfit(&unfair, &b, bag, 10) > 21.1);
    bids_until(&fixture_game, &b, BIDS_ROLL, 1, 3);
    assert_true(chance_misfit(&fixture_game, &b, bids_die_odds_loaded, BIDS_DIE_ODDS_SUM) < 21.1);
    assert_true(chance_misfit(&unfair, &b, bids_die_odds_loaded, BIDS_DIE_ODDS_SUM) > 21.1);
    b.die_is_loaded = 0;
    assert_true(chance_misfit(&fixture_game, &b, bids_die_odds_fair, BIDS_DIE_ODDS_SUM) < 21.1);
}

/* Two tables that differ in one card and one bid of another seat are the same bytes to everybody else. */
static bool hides_cards(const struct game *game) {
    struct bids one, two;
    bids_until(game, &one, BIDS_CHOOSE, 3, 4);
    one.card[2] = 3;
    one.bid[2] = 1;
    two = one;
    two.card[2] = 4;
    two.bid[2] = 2;
    bool is_hidden = true;
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++) {
        struct bids view_one, view_two;
        game_view(game, (struct game_state *)&one, viewer, (struct game_view *)&view_one);
        game_view(game, (struct game_state *)&two, viewer, (struct game_view *)&view_two);
        bool is_same = memcmp(&view_one, &view_two, sizeof view_one) == 0;
        is_hidden = is_hidden && is_same == (viewer != 2);
    }
    return is_hidden;
}

static void redact_forgets_bids(struct game_state *state, unsigned viewer) {
    struct bids before = *bids_of(state);
    fixture_game.redact_state(state, viewer);
    memcpy(bids_of(state)->bid, before.bid, sizeof before.bid);
}

static void cards_and_bids_are_hidden(void **unused) {
    (void)unused;
    struct game game = fixture_game;
    assert_true(hides_cards(&fixture_game));
    game.redact_state = redact_forgets_bids;
    assert_false(hides_cards(&game));
    game.redact_state = stock_redact_state;
    assert_false(hides_cards(&game));
}

/* Actions that differ only in what is hidden are equal after redaction, for all but the one who may know. */
static bool hides_actions(const struct game *game, const struct bids *b, unsigned actor, enum bids_kind kind,
                          unsigned knower) {
    const struct game_state *state = (const struct game_state *)b;
    bool is_hidden = true;
    for (unsigned viewer = 0; viewer <= SEAT_WATCHER; viewer++) {
        struct action one = {.kind = (uint8_t)kind, .arg = {1}}, two = {.kind = (uint8_t)kind, .arg = {2}};
        game->redact_action(state, actor, &one, viewer);
        game->redact_action(state, actor, &two, viewer);
        is_hidden = is_hidden && action_equal(&one, &two) == (viewer != knower);
    }
    return is_hidden;
}

static void actions_are_hidden(void **unused) {
    (void)unused;
    struct game open = fixture_game;
    struct bids b;
    open.redact_action = stock_redact_action;
    bids_until(&fixture_game, &b, BIDS_DEAL, 1, 4);
    assert_true(hides_actions(&fixture_game, &b, SEAT_CHANCE, BIDS_CARD, 0));
    assert_false(hides_actions(&open, &b, SEAT_CHANCE, BIDS_CARD, 0));
    bids_until(&fixture_game, &b, BIDS_CHOOSE, 1, 4);
    assert_true(hides_actions(&fixture_game, &b, 3, BIDS_BID, 3));
    assert_false(hides_actions(&open, &b, 3, BIDS_BID, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_honest_game_is_not_caught),
        cmocka_unit_test(setup_is_watched),
        cmocka_unit_test(turn_and_sample_are_watched),
        cmocka_unit_test(legal_is_watched),
        cmocka_unit_test(check_is_watched),
        cmocka_unit_test(text_is_watched),
        cmocka_unit_test(apply_is_watched),
        cmocka_unit_test(ends_are_watched),
        cmocka_unit_test(fast_paths_are_watched),
        cmocka_unit_test(describe_is_watched),
        cmocka_unit_test(secrets_are_watched),
        cmocka_unit_test(words_are_watched),
        cmocka_unit_test(outcomes_are_watched),
        cmocka_unit_test(chance_keeps_its_odds),
        cmocka_unit_test(cards_and_bids_are_hidden),
        cmocka_unit_test(actions_are_hidden),
    };
    return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
