#include "cli/game_choice.h"

#include <stdio.h>

enum { OPTION_TEXT_BYTES_MAX = 64 };

static bool option_read(const struct game *game, struct game_options *out, struct span text) {
    char name[OPTION_TEXT_BYTES_MAX], value[OPTION_TEXT_BYTES_MAX];
    const char *equals = text.size == 0 ? NULL : memchr(text.data, '=', text.size);
    size_t size = equals == NULL ? 0 : (size_t)(equals - text.data);
    enum err e = ERR_OPTION_INVALID;
    if (equals != NULL && span_copy(span_make(text.data, size), name, sizeof name) &&
        span_copy(span_make(equals + 1, text.size - size - 1), value, sizeof value))
        e = game_options_set(game, out, name, value);
    if (e != ERR_OK)
        fprintf(stderr, "parlor: %s: '%.*s': %s\n", game->name, (int)text.size, text.data, err_sentence(e));
    return e == ERR_OK;
}

bool game_choice(const char *name, int64_t seats, const char *options, const struct game **game,
                 struct game_options *out) {
    *game = game_by_name(span_of(name));
    if (*game == NULL) {
        fprintf(stderr, "parlor: no game '%s'\n", name);
        return false;
    }
    *out = game_options_default(*game, seats == 0 ? (*game)->seats_min : (uint32_t)seats);
    const char *from = options == NULL ? "" : options;
    while (*from != '\0') {
        size_t size = strcspn(from, ",");
        if (!option_read(*game, out, span_make(from, size)))
            return false;
        from += size + (from[size] == ',');
    }
    enum err e = game_options_check(*game, out);
    if (e != ERR_OK)
        fprintf(stderr, "parlor: %s: %s\n", name, err_sentence(e));
    return e == ERR_OK;
}

enum err game_choice_play(const struct game *game, struct game_state *state, const char *actions) {
    const char *from = actions;
    while (*from != '\0') {
        size_t size = strcspn(from, ",");
        struct span text = span_trim(span_make(from, size)), rest = text, word = span_word(&rest);
        seat_set set = game->turn(state);
        int64_t seat = set == 0 ? 0 : __builtin_ctz(set);
        if (span_to_int(word, &seat))
            text = rest;
        struct action action;
        enum err e = ERR_NOT_YOUR_TURN;
        if (seat >= 0 && seat <= SEAT_CHANCE)
            e = game->action_parse(state, (unsigned)seat, text, &action);
        if (e == ERR_OK)
            e = game->check(state, (unsigned)seat, &action);
        if (e != ERR_OK) {
            fprintf(stderr, "parlor: '%.*s': %s\n", (int)size, from, game_refusal(game, e)->sentence);
            return e;
        }
        game->apply(state, (unsigned)seat, &action);
        from += size + (from[size] == ',');
    }
    return ERR_OK;
}
