#include "game/game.h"

#include "base/mem.h"

struct game_options game_options_default(const struct game *game, uint32_t seat_count) {
    struct game_options options = {.seat_count = seat_count};
    for (size_t i = 0; game->options[i].name != NULL; i++)
        options.value[i] = game->options[i].value_default;
    return options;
}

static bool option_value_parse(const struct game_option *option, const char *text, int32_t *out) {
    int64_t value;
    if (option->words != NULL) {
        for (value = 0; option->words[value] != NULL; value++)
            if (strcmp(option->words[value], text) == 0) {
                *out = (int32_t)value;
                return true;
            }
        return false;
    }
    if (!span_to_int(span_of(text), &value) || value < option->value_min || value > option->value_max)
        return false;
    *out = (int32_t)value;
    return true;
}

enum err game_options_set(const struct game *game, struct game_options *options, const char *name,
                          const char *value) {
    for (size_t i = 0; game->options[i].name != NULL; i++)
        if (strcmp(game->options[i].name, name) == 0)
            return option_value_parse(&game->options[i], value, &options->value[i]) ? ERR_OK
                                                                                    : ERR_OPTION_INVALID;
    return ERR_OPTION_UNKNOWN;
}

enum err game_options_check(const struct game *game, const struct game_options *options) {
    if (options->seat_count < game->seats_min || options->seat_count > game->seats_max)
        return ERR_SEAT_COUNT;
    for (size_t i = 0; game->options[i].name != NULL; i++)
        if (options->value[i] < game->options[i].value_min || options->value[i] > game->options[i].value_max)
            return ERR_OPTION_INVALID;
    return ERR_OK;
}

bool game_knows_rules(const struct game *game, uint32_t version) {
    uint32_t oldest = game->rules_oldest == 0 ? game->rules_version : game->rules_oldest;
    return version >= oldest && version <= game->rules_version;
}

uint32_t game_options_rules(const struct game *game, const struct game_options *options) {
    return options->rules_version == 0 ? game->rules_version : options->rules_version;
}

void game_view(const struct game *game, const struct game_state *state, unsigned viewer,
               struct game_view *out) {
    memcpy(out, state, game->state_size);
    game->redact_state((struct game_state *)out, viewer);
}

struct game_state *game_state_alloc(const struct game *game) {
    return mem_alloc(game->state_size);
}

const struct game *game_by_name(struct span name) {
    for (size_t i = 0; games[i] != NULL; i++)
        if (span_is(name, games[i]->name))
            return games[i];
    return NULL;
}
