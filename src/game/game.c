#include "game/game.h"

#include "base/mem.h"
#include "game/stock.h"

#include <assert.h>

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

const struct err_row *game_refusal(const struct game *game, enum err e) {
    if (e < ERR_GAME_FIRST)
        return err_row(e);
    assert(game != NULL && game->refusals != NULL);
    const struct err_row *row = game->refusals;
    for (int own = ERR_GAME_FIRST; own < (int)e && row->word != NULL; own++)
        row++;
    assert(row->word != NULL);
    return row;
}

bool game_knows_rules(const struct game *game, uint32_t version) {
    uint32_t oldest = game->rules_oldest == 0 ? game->rules_version : game->rules_oldest;
    return version >= oldest && version <= game->rules_version;
}

uint32_t game_options_rules(const struct game *game, const struct game_options *options) {
    return options->rules_version == 0 ? game->rules_version : options->rules_version;
}

bool game_has_secrets(const struct game *game) {
    return game->redact_state != stock_redact_state;
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

static void game_write_option(const struct game_option *option, struct writer *w) {
    writer_object_begin(w, NULL);
    writer_text(w, "name", span_of(option->name));
    writer_text(w, "help", span_of(option->help));
    if (option->words == NULL) {
        writer_null(w, "words");
    } else {
        writer_list_begin(w, "words");
        for (size_t i = 0; option->words[i] != NULL; i++)
            writer_text(w, NULL, span_of(option->words[i]));
        writer_list_end(w);
    }
    writer_int(w, "min", option->value_min);
    writer_int(w, "max", option->value_max);
    game_option_write(option, option->value_default, "default", w);
    writer_object_end(w);
}

void game_option_write(const struct game_option *option, int32_t value, const char *name, struct writer *w) {
    if (option->words != NULL)
        writer_text(w, name, span_of(option->words[value]));
    else
        writer_int(w, name, value);
}

void game_write(const struct game *game, struct writer *w) {
    writer_text(w, "name", span_of(game->name));
    writer_text(w, "title", span_of(game->title));
    writer_int(w, "rules_version", game->rules_version);
    writer_int(w, "seats_min", game->seats_min);
    writer_int(w, "seats_max", game->seats_max);
    writer_bool(w, "secrets", game->redact_state != stock_redact_state);
    writer_list_begin(w, "options");
    for (size_t i = 0; game->options[i].name != NULL; i++)
        game_write_option(&game->options[i], w);
    writer_list_end(w);
}
