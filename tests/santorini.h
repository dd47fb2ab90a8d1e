/* Positions and steps of Santorini for tests, written as text. */
#ifndef TESTS_SANTORINI_H
#define TESTS_SANTORINI_H

#include "games/santorini/santorini.h"

/* A position in which seat 0 begins its turn. builders: "11 33 / 13 31" by seats, -- for one that is gone;
 * heights as in struct santorini_position, NULL for an empty board. */
static struct santorini board(const char *builders, const char *heights, enum santorini_god first,
                              enum santorini_god second, enum santorini_god third) {
    struct santorini_position p = {.heights = heights, .god = {first, second, third}};
    struct santorini s;
    unsigned seat = 0, builder = 0;
    memset(p.builder, SANTORINI_NOWHERE, sizeof p.builder);
    for (const char *at = builders; *at != '\0'; at++) {
        if (*at == '/') {
            seat++;
            builder = 0;
        } else if (*at != ' ') {
            if (*at != '-')
                p.builder[seat][builder] = (uint8_t)((at[0] - '0') * SANTORINI_SIDE + at[1] - '0');
            builder++;
            at++;
        }
    }
    p.seat_count = seat + 1;
    assert_true(santorini_set_position(&s, &p));
    return s;
}

static inline unsigned cell_of(const char *text) {
    return (unsigned)((text[0] - '0') * SANTORINI_SIDE + text[1] - '0');
}

static enum err try_step(const struct santorini *s, unsigned seat, const char *text, struct action *out) {
    const struct game_state *state = (const struct game_state *)s;
    assert_int_equal(santorini_game.action_parse(state, seat, span_of(text), out), ERR_OK);
    return santorini_game.check(state, seat, out);
}

/* Plays steps of the seat on turn, with commas between them. */
static void play(struct santorini *s, const char *texts) {
    char text[ACTION_TEXT_BYTES_MAX];
    for (const char *from = texts; *from != '\0';) {
        size_t size = strcspn(from, ",");
        struct action action;
        snprintf(text, sizeof text, "%.*s", (int)size, from);
        seat_set set = santorini_game.turn((const struct game_state *)s);
        assert_int_not_equal(set, 0);
        unsigned seat = (unsigned)__builtin_ctz(set);
        enum err e = try_step(s, seat, text, &action);
        if (e != ERR_OK)
            fail_msg("'%s' of '%s' is refused: %s", text, texts, game_refusal(&santorini_game, e)->word);
        santorini_game.apply((struct game_state *)s, seat, &action);
        assert_null(santorini_game.valid((const struct game_state *)s));
        from += size + (from[size] == ',');
    }
}

static inline void assert_refused(const struct santorini *s, const char *text, enum err expected) {
    struct action action;
    enum err e = try_step(s, s->mover, text, &action);
    if (e != expected)
        fail_msg("'%s' gives %s, not %s", text, game_refusal(&santorini_game, e)->word,
                 game_refusal(&santorini_game, expected)->word);
}

static inline void assert_allowed(const struct santorini *s, const char *text) {
    assert_refused(s, text, ERR_OK);
}

static inline void assert_at(const struct santorini *s, unsigned seat, unsigned builder, const char *text) {
    unsigned cell = text[0] == '-' ? SANTORINI_NOWHERE : cell_of(text);
    assert_int_equal(s->builder[seat][builder - 1], cell);
}

static inline void assert_won(const struct santorini *s, unsigned seat, enum santorini_end end) {
    assert_int_equal(s->phase, SANTORINI_OVER);
    assert_int_equal(s->winner, seat);
    assert_int_equal(s->end, end);
}

static inline void assert_turn_of(const struct santorini *s, unsigned seat) {
    assert_int_equal(s->phase, SANTORINI_TURN);
    assert_int_equal(s->mover, seat);
}

#endif
