/* Positions of Eriantys for tests: a table after its set-up, and hands that put things where a test wants
 * them without making or losing any. */
#ifndef TESTS_ERIANTYS_WORLD_H
#define TESTS_ERIANTYS_WORLD_H

#include "tests.h"

#include "games/eriantys/eriantys.h"

#define WORLD_FUNCTION static __attribute__((unused))

WORLD_FUNCTION const struct game *const game = &eriantys_game;

WORLD_FUNCTION struct game_state *state_of(struct eriantys *e) {
    return (struct game_state *)e;
}

WORLD_FUNCTION struct action parsed(struct eriantys *e, unsigned seat, const char *text) {
    struct action action;
    if (game->action_parse(state_of(e), seat, span_of(text), &action) != ERR_OK)
        fail_msg("'%s' is no action", text);
    return action;
}

WORLD_FUNCTION enum err tried(struct eriantys *e, unsigned seat, const char *text) {
    struct action action = parsed(e, seat, text);
    return game->check(state_of(e), seat, &action);
}

WORLD_FUNCTION void play(struct eriantys *e, unsigned seat, const char *text) {
    struct action action = parsed(e, seat, text);
    enum err wrong = game->check(state_of(e), seat, &action);
    if (wrong != ERR_OK)
        fail_msg("seat %u may not '%s': %s", seat, text, game_refusal(game, wrong)->word);
    game->apply(state_of(e), seat, &action);
    if (game->valid(state_of(e)) != NULL)
        fail_msg("after '%s' %s", text, game->valid(state_of(e)));
}

/* Several actions of one seat, with semicolons between them. */
WORLD_FUNCTION void play_all(struct eriantys *e, unsigned seat, const char *texts) {
    while (*texts != '\0') {
        char text[ACTION_TEXT_BYTES_MAX];
        size_t size = strcspn(texts, ";");
        assert_true(size < sizeof text);
        memcpy(text, texts, size);
        text[size] = '\0';
        play(e, seat, text);
        texts += size + (texts[size] == ';');
    }
}

WORLD_FUNCTION void assert_refused(struct eriantys *e, unsigned seat, const char *text, enum err expected) {
    enum err actual = tried(e, seat, text);
    if (actual != expected)
        fail_msg("'%s' of seat %u is %s, not %s", text, seat, game_refusal(game, actual)->word,
                 game_refusal(game, expected)->word);
}

/* Chance draws at random until a seat is to act or the table is over. */
WORLD_FUNCTION void chance_acts(struct eriantys *e) {
    struct rng rng;
    rng_seed(&rng, 6);
    while (game->turn(state_of(e)) == SEAT_BIT(SEAT_CHANCE)) {
        struct action action;
        game->sample(state_of(e), SEAT_CHANCE, &rng, &action);
        assert_int_equal(game->check(state_of(e), SEAT_CHANCE, &action), ERR_OK);
        game->apply(state_of(e), SEAT_CHANCE, &action);
        assert_null(game->valid(state_of(e)));
    }
}

WORLD_FUNCTION struct eriantys world_setup(unsigned seats, enum eriantys_mode mode) {
    struct eriantys e;
    struct game_options options = game_options_default(game, seats);
    options.value[ERIANTYS_OPTION_MODE] = (int32_t)mode;
    assert_int_equal(game->setup(state_of(&e), &options), ERR_OK);
    return e;
}

/* A normal game in its first planning phase. */
WORLD_FUNCTION struct eriantys world_new(unsigned seats) {
    struct eriantys e = world_setup(seats, ERIANTYS_NORMAL);
    chance_acts(&e);
    return e;
}

/* The same of an expert game with these characters ("characters 1 7 11"). */
WORLD_FUNCTION struct eriantys world_expert(unsigned seats, const char *characters) {
    struct eriantys e = world_setup(seats, ERIANTYS_EXPERT);
    struct rng rng;
    rng_seed(&rng, 6);
    while (e.phase != ERIANTYS_SETUP_CHARACTERS) {
        struct action action;
        game->sample(state_of(&e), SEAT_CHANCE, &rng, &action);
        game->apply(state_of(&e), SEAT_CHANCE, &action);
    }
    play(&e, SEAT_CHANCE, characters);
    chance_acts(&e);
    return e;
}

/* Seat 0 plays the assistant of this value, the others high ones, so that it acts first or where its value
 * puts it. */
WORLD_FUNCTION void plan(struct eriantys *e, unsigned value) {
    static const char *const others[] = {"", "assistant 8", "assistant 9", "assistant 10"};
    char text[ACTION_TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "assistant %u", value);
    play(e, 0, text);
    for (unsigned seat = 1; seat < e->seat_count; seat++)
        play(e, seat, others[seat]);
}

/* The students of a place become these letters; others go back to the bag, and these come from it. */
WORLD_FUNCTION void students_set(struct eriantys *e, uint8_t students[ERIANTYS_COLORS], const char *letters) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        e->bag[color] = (uint8_t)(e->bag[color] + students[color]);
        students[color] = 0;
    }
    for (; *letters != '\0'; letters++) {
        unsigned color = (unsigned)(strchr("BFGRY", *letters) - "BFGRY");
        assert_true(e->bag[color] > 0);
        e->bag[color]--;
        students[color]++;
    }
}

WORLD_FUNCTION void entrance_set(struct eriantys *e, unsigned seat, const char *letters) {
    students_set(e, e->seat[seat].entrance, letters);
}

/* With the professors for those who have most, and for nobody on ties. */
WORLD_FUNCTION void dining_set(struct eriantys *e, unsigned seat, const char *letters) {
    students_set(e, e->seat[seat].dining, letters);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        unsigned most = 0;
        for (unsigned i = 0; i < e->seat_count; i++)
            if (e->seat[i].dining[color] > most) {
                most = e->seat[i].dining[color];
                e->professor[color] = (uint8_t)i;
            }
        if (most == 0)
            e->professor[color] = ERIANTYS_NONE;
    }
}

WORLD_FUNCTION void island_set(struct eriantys *e, unsigned island, const char *letters) {
    students_set(e, e->group[eriantys_group_index(e, island)].students, letters);
}

/* All islands without students, so that a test sees only its own. */
WORLD_FUNCTION void islands_clear(struct eriantys *e) {
    for (unsigned i = 0; i < e->group_count; i++)
        students_set(e, e->group[i].students, "");
}

/* The team has towers on the group with this island. */
WORLD_FUNCTION void tower_set(struct eriantys *e, unsigned island, unsigned team) {
    struct eriantys_group *g = &e->group[eriantys_group_index(e, island)];
    assert_int_equal(g->tower, ERIANTYS_NONE);
    g->tower = (uint8_t)team;
    e->towers[team] = (uint8_t)(e->towers[team] - g->size);
}

/* The ring becomes groups of these sizes, from island 0 on, with the towers of these teams ('0' to '2', '.'
 * for none). */
WORLD_FUNCTION void groups_set(struct eriantys *e, const char *sizes, const char *teams) {
    unsigned id = 0;
    islands_clear(e);
    e->group_count = (uint8_t)strlen(sizes);
    memset(e->group, 0, sizeof e->group);
    for (unsigned team = 0; team < e->team_count; team++)
        e->towers[team] = (uint8_t)eriantys_towers_of_team(e);
    for (unsigned i = 0; i < e->group_count; i++) {
        e->group[i] = (struct eriantys_group){
            .id = (uint8_t)id, .size = (uint8_t)(sizes[i] - '0'), .tower = ERIANTYS_NONE};
        id += e->group[i].size;
    }
    for (unsigned i = 0; i < e->group_count; i++)
        if (teams[i] != '.')
            tower_set(e, e->group[i].id, (unsigned)(teams[i] - '0'));
    assert_int_equal(id, ERIANTYS_ISLANDS);
    e->mother = 0;
    assert_null(game->valid(state_of(e)));
}

/* Coins from the bank, so that the seat has so many. */
WORLD_FUNCTION void coins_set(struct eriantys *e, unsigned seat, unsigned coins) {
    e->bank = (uint8_t)(e->bank + e->seat[seat].coins - coins);
    e->seat[seat].coins = (uint8_t)coins;
}

/* All but so many students of the bag go to island 6, where no test looks. */
WORLD_FUNCTION void bag_leave(struct eriantys *e, unsigned count) {
    struct eriantys_group *g = &e->group[eriantys_group_index(e, 6)];
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        while (e->bag[color] > 0 && eriantys_sum(e->bag) > count) {
            e->bag[color]--;
            g->students[color]++;
        }
    assert_int_equal(eriantys_sum(e->bag), count);
}

/* The students of a turn, all to island 6 and in any order; then mother nature is to move. */
WORLD_FUNCTION void students_away(struct eriantys *e) {
    while (e->phase == ERIANTYS_STUDENTS) {
        unsigned color = 0;
        while (e->seat[e->mover].entrance[color] == 0)
            color++;
        struct action action = eriantys_action_two(ERIANTYS_TO_ISLAND, color, eriantys_group_id(e, 6));
        assert_int_equal(game->check(state_of(e), e->mover, &action), ERR_OK);
        game->apply(state_of(e), e->mover, &action);
    }
}

/* Plays whole turns of whoever is next, without more than is needed, until the round is another one. */
WORLD_FUNCTION void round_play(struct eriantys *e) {
    unsigned round = e->round;
    while (e->phase != ERIANTYS_OVER && e->round == round) {
        struct action actions[ERIANTYS_ACTIONS_MAX];
        students_away(e);
        if (e->phase == ERIANTYS_OVER || e->round != round)
            return;
        assert_true(game->legal(state_of(e), e->mover, actions) > 0);
        game->apply(state_of(e), e->mover, &actions[0]);
        if (game->valid(state_of(e)) != NULL)
            fail_msg("%s", game->valid(state_of(e)));
    }
}

#endif
