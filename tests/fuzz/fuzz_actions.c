/* The actions of every game as text. The first byte chooses the game, the second how many random plies have
 * been played, the rest is the text of an action for every seat. */
#include "fuzz.h"

#include "base/mem.h"
#include "game/game.h"

enum { HEAD_BYTES = 2 };

static void play_on(const struct game *game, struct game_state *state, unsigned plies) {
    struct rng rng;
    rng_seed(&rng, plies);
    for (unsigned i = 0; i < plies; i++) {
        seat_set turn = game->turn(state);
        if (turn == 0)
            return;
        unsigned seat = (unsigned)__builtin_ctz(turn);
        struct action action;
        game->sample(state, seat, &rng, &action);
        game->apply(state, seat, &action);
    }
}

static void check_text(const struct game *game, const struct game_state *state, unsigned seat,
                       struct span text) {
    struct action action, again;
    if (game->action_parse(state, seat, text, &action) != ERR_OK)
        return;
    char formatted[ACTION_TEXT_BYTES_MAX];
    game->action_format(state, seat, &action, formatted);
    enum err e = game->action_parse(state, seat, span_of(formatted), &again);
    assert(e == ERR_OK && action_equal(&action, &again));
    if (game->check(state, seat, &action) != ERR_OK)
        return;
    struct game_state *copy = game_state_alloc(game);
    memcpy(copy, state, game->state_size);
    game->apply(copy, seat, &action);
    assert(game->valid(copy) == NULL);
    mem_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD_BYTES)
        return 0;
    size_t game_count = 0;
    while (games[game_count] != NULL)
        game_count++;
    const struct game *game = games[data[0] % game_count];
    struct game_state *state = game_state_alloc(game);
    struct game_options options = game_options_default(game, game->seats_min);
    enum err e = game->setup(state, &options);
    assert(e == ERR_OK);
    play_on(game, state, data[1]);
    for (unsigned seat = 0; seat <= SEAT_CHANCE; seat++)
        check_text(game, state, seat, span_make(data + HEAD_BYTES, size - HEAD_BYTES));
    mem_free(state);
    return 0;
}
