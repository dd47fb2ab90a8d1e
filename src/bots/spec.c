#include "bots/spec.h"

static bool spec_number(struct span text, int64_t min, int64_t max, int64_t *out) {
    return span_to_int(text, out) && *out >= min && *out <= max;
}

static bool spec_setting(struct bot_spec *spec, struct span text, const char **complaint) {
    const char *equals = text.size == 0 ? NULL : memchr(text.data, '=', text.size);
    size_t size = equals == NULL ? 0 : (size_t)(equals - text.data);
    struct span name = equals == NULL ? span_of("level") : span_make(text.data, size);
    struct span value = equals == NULL ? text : span_make(equals + 1, text.size - size - 1);
    int64_t number;
    if (span_is(name, "level")) {
        *complaint = "a level is a number from 1 to 5";
        if (!spec_number(value, BOT_LEVEL_MIN, BOT_LEVEL_MAX, &number))
            return false;
        spec->level = (unsigned)number;
    } else if (span_is(name, "ms")) {
        *complaint = "ms is a number from 1 to 600000";
        if (!spec_number(value, 1, BOT_SPEC_MS_MAX, &number))
            return false;
        spec->ms = (uint32_t)number;
    } else if (span_is(name, "nodes")) {
        *complaint = "nodes is a number from 1 on";
        if (!spec_number(value, 1, (int64_t)BOT_NODES_ANY, &number))
            return false;
        spec->nodes = (uint64_t)number;
    } else if (span_is(name, "weights")) {
        *complaint = "weights are first or tuned";
        spec->is_untuned = span_is(value, "first");
        return spec->is_untuned || span_is(value, "tuned");
    } else {
        *complaint = "after the colon stand level=N, ms=N, nodes=N and weights=first, with commas";
        return false;
    }
    return true;
}

bool bot_spec_read(struct span text, const struct game *game, struct bot_spec *out, const char **complaint) {
    const char *colon = text.size == 0 ? NULL : memchr(text.data, ':', text.size);
    struct span kind = colon == NULL ? text : span_make(text.data, (size_t)(colon - text.data));
    struct span rest = colon == NULL ? (struct span){0} : span_make(colon + 1, text.size - kind.size - 1);
    *out = (struct bot_spec){.level = colon == NULL ? BOT_LEVEL_DEFAULT : BOT_LEVEL_MAX};
    *complaint = "no kind of bot with this name plays the game";
    if (!span_is(kind, "level")) {
        out->kind = bot_kind_by_name(kind, game);
        if (out->kind == NULL)
            return false;
    }
    while (rest.size > 0) {
        const char *comma = memchr(rest.data, ',', rest.size);
        size_t size = comma == NULL ? rest.size : (size_t)(comma - rest.data);
        if (!spec_setting(out, span_make(rest.data, size), complaint))
            return false;
        size += comma != NULL;
        rest = span_make(rest.data + size, rest.size - size);
    }
    return true;
}

struct bot *bot_spec_open(const struct bot_spec *spec, const struct game *game, uint64_t (*now_ns)(void)) {
    struct bot *bot =
        spec->kind == NULL ? bot_for_game(game, spec->level) : bot_open(spec->kind, game, spec->level);
    if (spec->is_untuned && bot->kind->weights != NULL)
        bot->weights = bot->kind->weights->firsts;
    if (spec->nodes > 0)
        bot->nodes_max = spec->nodes;
    else if (spec->ms > 0)
        bot->nodes_max = BOT_NODES_ANY;
    if (spec->ms > 0) {
        bot->now_ns = now_ns;
        bot->time_max_ns = (uint64_t)spec->ms * 1000 * 1000;
    }
    return bot;
}
