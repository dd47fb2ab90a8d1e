#include "checker.h"

#include "base/mem.h"
#include "game/perft.h"
#include "game/playout.h"
#include "game/replay.h"
#include "game/stock.h"
#include "json_check.h"

#include <limits.h>
#include <stdio.h>

enum {
    OPTION_VALUES_MAX = 16, /* of a longer range only the ends are tried */
    MUTANTS = 48,           /* per position */
    SAMPLES = 6,
    PROBES = 64,            /* random numbers, from low to high */
    DRAWS_PER_ACTION = 400, /* in so many times as many samples as there are actions, every one comes */
    PERFT_TURNS_MAX = 3,
    PERFT_NODES_MAX = 1000, /* larger trees are left to the perft file */
    /* Long tables: every position is looked at up to here, and then fewer and fewer. */
    EVERY_POSITION_UP_TO = 64, /* actions */
    THINNING = 16,
    PLIES_PER_CASE = 5000, /* no further table is begun after so many */
};

#define COMPLAIN(w, ...) (snprintf((w)->note, sizeof(w)->note, __VA_ARGS__), (w)->note)

static const unsigned strangers[] = {SEAT_WATCHER, SEAT_WATCHER + 1, 31, 32, 33, 99, UINT_MAX};
enum { STRANGER_COUNT = sizeof strangers / sizeof *strangers };

static bool state_equal(const struct walk *w, const struct game_state *a, const struct game_state *b) {
    return memcmp(a, b, w->game->state_size) == 0;
}

static bool is_listed(const struct action *list, size_t count, const struct action *action) {
    for (size_t i = 0; i < count; i++)
        if (action_equal(&list[i], action))
            return true;
    return false;
}

/* The actions of a seat that may act: the list, or some samples when there is none. Returns their number. */
static size_t some_actions(struct walk *w, unsigned seat) {
    size_t count = w->game->legal(w->state, seat, w->actions);
    if (count != LEGAL_UNLISTED)
        return count;
    size_t samples = w->game->actions_max < SAMPLES ? w->game->actions_max : SAMPLES;
    for (size_t i = 0; i < samples; i++)
        w->game->sample(w->state, seat, &w->rng, &w->actions[i]);
    return samples;
}

static const char *turn_is_sound(struct walk *w) {
    seat_set set = w->game->turn(w->state), seats = SEAT_BIT(w->options.seat_count) - 1;
    if (set != SEAT_BIT(SEAT_CHANCE) && (set & ~seats) != 0)
        return COMPLAIN(w, "turn is 0x%x: not chance alone and not only seats of the table", set);
    if (w->game->turn(w->state) != set)
        return "turn does not answer the same twice";
    return NULL;
}

static const char *turn_is_over(struct walk *w) {
    for (unsigned seat = 0; seat <= SEAT_CHANCE; seat++)
        if (w->game->legal(w->state, seat, w->actions) != 0)
            return COMPLAIN(w, "seat %u has legal actions after the end", seat);
    return NULL;
}

static const char *legal_of_seat(struct walk *w, unsigned seat) {
    size_t count = w->game->legal(w->state, seat, w->actions);
    if (!game_may_act(w->game, w->state, seat))
        return count == 0 ? NULL : COMPLAIN(w, "seat %u may not act and has legal actions", seat);
    if (count == LEGAL_UNLISTED)
        return NULL;
    if (count == 0 || count > w->game->actions_max)
        return COMPLAIN(w, "legal gives %zu actions to seat %u", count, seat);
    for (size_t i = 0; i < count; i++) {
        enum err e = w->game->check(w->state, seat, &w->actions[i]);
        if (e != ERR_OK)
            return COMPLAIN(w, "check refuses legal action %zu of seat %u: %s", i, seat,
                            game_refusal(w->game, e)->word);
        if (is_listed(w->actions, i, &w->actions[i]))
            return COMPLAIN(w, "legal lists action %zu of seat %u twice", i, seat);
    }
    return NULL;
}

static const char *legal_is_sound(struct walk *w) {
    const char *wrong = NULL;
    for (unsigned seat = 0; seat <= SEAT_CHANCE && wrong == NULL; seat++)
        wrong = legal_of_seat(w, seat);
    for (size_t i = 0; i < STRANGER_COUNT && wrong == NULL; i++)
        if (w->game->legal(w->state, strangers[i], w->actions) != 0)
            wrong = COMPLAIN(w, "seat %u does not exist and has legal actions", strangers[i]);
    return wrong;
}

static const char *sample_of_seat(struct walk *w, unsigned seat) {
    size_t count = w->game->legal(w->state, seat, w->actions);
    for (int i = 0; i < SAMPLES; i++) {
        struct action action;
        memset(&action, 0xa5, sizeof action);
        w->game->sample(w->state, seat, &w->rng, &action);
        if (w->game->check(w->state, seat, &action) != ERR_OK)
            return COMPLAIN(w, "check refuses a sample of seat %u", seat);
        if (count != LEGAL_UNLISTED && !is_listed(w->actions, count, &action))
            return COMPLAIN(w, "a sample of seat %u is not in its list of legal actions", seat);
    }
    return NULL;
}

/* Calls look for every seat that may act, until one complains. */
static const char *each_mover(struct walk *w, const char *(*look)(struct walk *, unsigned seat)) {
    const char *wrong = NULL;
    for (unsigned seat = 0; seat <= SEAT_CHANCE && wrong == NULL; seat++)
        if (game_may_act(w->game, w->state, seat))
            wrong = look(w, seat);
    return wrong;
}

static const char *sample_is_legal(struct walk *w) {
    return each_mover(w, sample_of_seat);
}

/* A generator from which rng_below draws this value: its next number is the middle of those that lead to it,
 * and s[1] what rng_next makes that number of. */
static struct rng rng_giving(uint32_t value, uint32_t below) {
    const uint64_t ninth = 0x8e38e38e38e38e39u, fifth = 0xcccccccccccccccdu; /* modulo 2^64 */
    uint64_t middle = ((2 * (uint64_t)value + 1) << 31) / below;
    return (struct rng){{1, rng_rotate((middle << 32) * ninth, 64 - 7) * fifth, 2, 3}};
}

/* Moves an action from the rest of the list to those that were found; false when it is not there. */
static bool find_next(struct action *list, size_t *found, size_t count, const struct action *action) {
    for (size_t i = *found; i < count; i++)
        if (action_equal(&list[i], action)) {
            struct action other = list[*found];
            list[*found] = list[i];
            list[i] = other;
            ++*found;
            return true;
        }
    return false;
}

/* Samples by a generator of which the next number is known; true when no other number was taken. */
static bool sample_by_one(struct walk *w, unsigned seat, struct rng rng, struct action *out) {
    struct rng next = rng;
    rng_next(&next);
    w->game->sample(w->state, seat, &rng, out);
    return memcmp(&rng, &next, sizeof rng) == 0;
}

/* Whether a sample takes one random number, whatever it is. */
static bool sample_takes_one(struct walk *w, unsigned seat) {
    struct action action;
    for (uint32_t value = 0; value < PROBES; value++)
        if (!sample_by_one(w, seat, rng_giving(value, PROBES), &action))
            return false;
    return true;
}

/* A sample of one random number gives all listed actions the same chance, so there is a number for each;
 * others give each of them some. */
static const char *sample_spread_of_seat(struct walk *w, unsigned seat) {
    size_t count = w->game->legal(w->state, seat, w->actions), found = 0;
    if (seat == SEAT_CHANCE || count == LEGAL_UNLISTED)
        return NULL; /* chance has odds of its own */
    bool is_even = sample_takes_one(w, seat);
    for (size_t i = 0; i < (is_even ? 1 : DRAWS_PER_ACTION) * count && found < count; i++) {
        struct action action;
        struct rng rng = is_even ? rng_giving((uint32_t)i, (uint32_t)count) : w->rng;
        w->game->sample(w->state, seat, &rng, &action);
        find_next(w->actions, &found, count, &action);
        w->rng = is_even ? w->rng : rng;
    }
    return found == count
               ? NULL
               : COMPLAIN(w, "seat %u: %zu of %zu actions never come, or others come in their place", seat,
                          count - found, count);
}

static const char *sample_is_spread(struct walk *w) {
    return each_mover(w, sample_spread_of_seat);
}

/* Some bytes that are near an action, or nowhere near. */
static struct action mutant(struct walk *w, unsigned seat) {
    struct action action;
    w->game->sample(w->state, seat, &w->rng, &action);
    uint8_t bytes[ACTION_BYTES];
    memcpy(bytes, &action, sizeof bytes);
    uint32_t changes = 1 + rng_below(&w->rng, 3);
    uint32_t near = rng_below(&w->rng, 2) ? ACTION_BYTES : 3;
    for (uint32_t i = 0; i < changes; i++)
        bytes[rng_below(&w->rng, near)] = (uint8_t)rng_below(&w->rng, rng_below(&w->rng, 2) ? 256 : 12);
    memcpy(&action, bytes, sizeof bytes);
    return action;
}

static const char *mutants_of_seat(struct walk *w, unsigned seat) {
    size_t count = w->game->legal(w->state, seat, w->actions);
    for (int i = 0; i < MUTANTS; i++) {
        struct action action = mutant(w, seat);
        if (w->game->check(w->state, seat, &action) != ERR_OK)
            continue;
        if (count != LEGAL_UNLISTED && !is_listed(w->actions, count, &action))
            return COMPLAIN(w, "check allows seat %u an action that legal does not list, kind %u arg %u %u",
                            seat, action.kind, action.arg[0], action.arg[1]);
        if (count != LEGAL_UNLISTED)
            continue; /* looked at by apply_of_seat */
        memcpy(w->scratch, w->state, w->game->state_size);
        w->game->apply(w->scratch, seat, &action);
        if (w->game->valid(w->scratch) != NULL)
            return COMPLAIN(w, "check allows an action that breaks the state: %s",
                            w->game->valid(w->scratch));
    }
    return NULL;
}

static const char *mutants_are_refused(struct walk *w) {
    return each_mover(w, mutants_of_seat);
}

static const char *strangers_with(struct walk *w, unsigned mover) {
    struct action action;
    w->game->sample(w->state, mover, &w->rng, &action);
    for (unsigned seat = 0; seat <= SEAT_CHANCE; seat++)
        if (!game_may_act(w->game, w->state, seat) && w->game->check(w->state, seat, &action) == ERR_OK)
            return COMPLAIN(w, "check allows seat %u to act out of turn", seat);
    for (size_t i = 0; i < STRANGER_COUNT; i++)
        if (w->game->check(w->state, strangers[i], &action) == ERR_OK)
            return COMPLAIN(w, "check allows seat %u to act, which does not exist", strangers[i]);
    return NULL;
}

static const char *strangers_are_refused(struct walk *w) {
    return each_mover(w, strangers_with);
}

static const char *nobody_acts_after_the_end(struct walk *w) {
    for (int i = 0; i < MUTANTS; i++) {
        struct action action = {.kind = (uint8_t)rng_below(&w->rng, 16),
                                .arg = {(uint8_t)rng_below(&w->rng, 16)}};
        for (unsigned seat = 0; seat <= SEAT_WATCHER; seat++)
            if (w->game->check(w->state, seat, &action) == ERR_OK)
                return COMPLAIN(w, "check allows seat %u to act after the end", seat);
    }
    return NULL;
}

/* Whether somebody has words for an error: the game or everybody. */
static bool is_worded(const struct game *game, enum err e) {
    size_t count = 0;
    while (game->refusals != NULL && game->refusals[count].word != NULL)
        count++;
    return e < ERR_COUNT || (e >= ERR_GAME_FIRST && (size_t)(e - ERR_GAME_FIRST) < count);
}

static const char *refusals_of_seat(struct walk *w, unsigned seat) {
    for (int i = 0; i < MUTANTS; i++) {
        struct action action = mutant(w, seat);
        enum err e = w->game->check(w->state, seat, &action);
        if (!is_worded(w->game, e))
            return COMPLAIN(w, "nobody has words for error %d of kind %u arg %u %u", (int)e, action.kind,
                            action.arg[0], action.arg[1]);
    }
    return NULL;
}

static const char *refusals_are_worded(struct walk *w) {
    return each_mover(w, refusals_of_seat);
}

/* One row of a game's own against those before it and those of everybody. */
static const char *refusal_is_new(struct walk *w, const struct err_row *row) {
    size_t size = strlen(w->game->name);
    for (int e = 0; e < ERR_COUNT; e++)
        if (strcmp(row->word, err_word((enum err)e)) == 0)
            return COMPLAIN(w, "the word %s is one of base/err.h", row->word);
    for (const struct err_row *before = w->game->refusals; before < row; before++)
        if (strcmp(row->word, before->word) == 0)
            return COMPLAIN(w, "the word %s is there twice", row->word);
    if (row->sentence[0] == '\0')
        return COMPLAIN(w, "%s has no sentence", row->word);
    if (row->rule[0] != '\0' && (strncmp(row->rule, w->game->name, size) != 0 || row->rule[size] != ' '))
        return COMPLAIN(w, "%s is about %s, another game's rule", row->word, row->rule);
    return NULL;
}

static const char *refusals_are_new(struct walk *w) {
    const char *wrong = NULL;
    for (const struct err_row *row = w->game->refusals; row != NULL && row->word != NULL && wrong == NULL;
         row++)
        wrong = refusal_is_new(w, row);
    return wrong;
}

/* Everything that takes a const state, on a copy that is compared afterwards. */
static const char *questions_of_seat(struct walk *w, unsigned seat) {
    char text[ACTION_TEXT_BYTES_MAX];
    struct action action, parsed;
    struct span span;
    memcpy(w->scratch, w->state, w->game->state_size);
    w->game->turn(w->scratch);
    w->game->legal(w->scratch, seat, w->actions);
    w->game->sample(w->scratch, seat, &w->rng, &action);
    w->game->action_format(w->scratch, seat, &action, text);
    span = span_of(text);
    if (w->game->action_parse(w->scratch, seat, span, &parsed) != ERR_OK)
        return "parse refuses what format gave";
    w->game->redact_action(w->scratch, seat, &parsed, SEAT_WATCHER);
    for (int i = 0; i < SAMPLES; i++) {
        enum err e = w->game->check(w->scratch, i % SEATS_MAX, &action);
        struct action other = mutant(w, seat);
        e = e == ERR_OK ? w->game->check(w->scratch, seat, &other) : e;
        (void)e;
    }
    w->game->valid(w->scratch);
    return state_equal(w, w->scratch, w->state) ? NULL : "a function that only asks has changed the state";
}

static const char *questions_change_nothing(struct walk *w) {
    return each_mover(w, questions_of_seat);
}

static const char *text_of_seat(struct walk *w, unsigned seat) {
    size_t count = some_actions(w, seat);
    for (size_t i = 0; i < count; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        memset(text, 'x', sizeof text);
        w->game->action_format(w->state, seat, &w->actions[i], text);
        if (memchr(text, '\0', sizeof text) == NULL)
            return "the text of an action has no end";
        struct span span = span_of(text);
        if (span.size == 0 || !span_equal(span, span_trim(span)) || strchr(text, '\n') != NULL)
            return COMPLAIN(w, "the text of an action does not fit in a line: '%s'", text);
        struct action parsed;
        memset(&parsed, 0xa5, sizeof parsed);
        enum err e = w->game->action_parse(w->state, seat, span, &parsed);
        if (e != ERR_OK)
            return COMPLAIN(w, "parse refuses '%s': %s", text, game_refusal(w->game, e)->word);
        if (!action_equal(&parsed, &w->actions[i]))
            return COMPLAIN(w, "parse makes another action of '%s'", text);
    }
    return NULL;
}

static const char *text_goes_and_comes(struct walk *w) {
    return each_mover(w, text_of_seat);
}

static const char *parse_accepts(struct walk *w, unsigned seat, struct span text) {
    struct action action, again;
    char back[ACTION_TEXT_BYTES_MAX];
    if (w->game->action_parse(w->state, seat, text, &action) != ERR_OK)
        return NULL;
    w->game->action_format(w->state, seat, &action, back);
    if (w->game->action_parse(w->state, seat, span_of(back), &again) != ERR_OK ||
        !action_equal(&action, &again))
        return COMPLAIN(w, "parse makes something of '%.*s' that format does not know", (int)text.size,
                        text.data);
    return NULL;
}

static const char *garbage_of_seat(struct walk *w, unsigned seat) {
    static char long_text[1000];
    memset(long_text, 'A', sizeof long_text);
    const struct span garbage[] = {
        SPAN(""),
        SPAN(" "),
        SPAN("\xff\xfe\xfd"),
        SPAN("no such action at all"),
        SPAN("\0\0"),
        SPAN("-1 -1"),
        SPAN("\n\n"),
        SPAN("{\"a\": 1}"),
        span_make(long_text, sizeof long_text),
    };
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        struct action action;
        if (w->game->action_parse(w->state, seat, garbage[i], &action) == ERR_OK)
            return COMPLAIN(w, "parse accepts garbage number %zu", i);
    }
    const char *wrong = NULL;
    for (int i = 0; i < MUTANTS && wrong == NULL; i++) {
        char text[8];
        size_t size = 1 + rng_below(&w->rng, sizeof text);
        for (size_t k = 0; k < size; k++)
            text[k] = (char)rng_below(&w->rng, 256);
        wrong = parse_accepts(w, seat, span_make(text, size));
    }
    return wrong;
}

static const char *garbage_is_refused(struct walk *w) {
    return each_mover(w, garbage_of_seat);
}

static const char *apply_of_seat(struct walk *w, unsigned seat) {
    size_t count = some_actions(w, seat);
    for (size_t i = 0; i < count; i++) {
        memcpy(w->scratch, w->state, w->game->state_size);
        memcpy(w->other, w->state, w->game->state_size);
        w->game->apply(w->scratch, seat, &w->actions[i]);
        w->game->apply(w->other, seat, &w->actions[i]);
        if (!state_equal(w, w->scratch, w->other))
            return "apply does not do the same twice";
        const char *broken = w->game->valid(w->scratch);
        if (broken != NULL)
            return COMPLAIN(w, "an action of seat %u breaks the state: %s", seat, broken);
    }
    return NULL;
}

static const char *apply_is_deterministic(struct walk *w) {
    return each_mover(w, apply_of_seat);
}

static const char *state_is_valid(struct walk *w) {
    const char *broken = w->game->valid(w->state);
    if (broken != NULL)
        return COMPLAIN(w, "valid says: %s", broken);
    if (w->plies > w->game->plies_max)
        return COMPLAIN(w, "%zu actions are more than plies_max", w->plies);
    return NULL;
}

static const char *replay_is_live(struct walk *w) {
    struct replay replay;
    const char *wrong = NULL;
    if (w->plies == 0)
        return NULL;
    enum err e = replay_run_of(&replay, w->game, buf_span(&w->record));
    if (e != ERR_OK)
        wrong =
            COMPLAIN(w, "the replay is refused in line %zu: %s", replay.line, game_refusal(w->game, e)->word);
    else if (replay.plies != w->plies || !state_equal(w, replay.state, w->state))
        wrong = "the replay leads elsewhere";
    replay_free(&replay);
    return wrong;
}

static const char *replay_ends_alike(struct walk *w) {
    struct replay replay;
    const char *wrong = replay_is_live(w);
    size_t size = w->record.size;
    replay_write_end(&w->record, w->game, &w->options, w->state);
    enum err e = replay_run_of(&replay, w->game, buf_span(&w->record));
    if (wrong == NULL && (e != ERR_OK || !replay.has_end))
        wrong = COMPLAIN(w, "the end of the replay is refused: %s", game_refusal(w->game, e)->word);
    w->record.size = size;
    replay_free(&replay);
    return wrong;
}

static const char *score_is_whole(struct walk *w) {
    int32_t first[SEATS_MAX], second[SEATS_MAX];
    memset(first, 0x11, sizeof first);
    memset(second, 0x77, sizeof second);
    w->game->score(w->state, first);
    w->game->score(w->state, second);
    if (memcmp(first, second, w->options.seat_count * sizeof *first) != 0)
        return "score leaves out a seat, or says different things";
    return NULL;
}

static const char *playout_is_stock(struct walk *w) {
    if (w->game->playout == stock_playout && w->plies > 0)
        return NULL; /* nothing to compare, and to play on from every position takes long */
    struct rng rng = w->rng, stock_rng = w->rng;
    memcpy(w->scratch, w->state, w->game->state_size);
    memcpy(w->other, w->state, w->game->state_size);
    size_t plies = w->game->playout(w->game, w->scratch, &rng);
    size_t stock_plies = stock_playout(w->game, w->other, &stock_rng);
    if (plies != stock_plies || !state_equal(w, w->scratch, w->other))
        return COMPLAIN(w, "playout ends elsewhere than the stock one, after %zu and %zu actions", plies,
                        stock_plies);
    if (memcmp(&rng, &stock_rng, sizeof rng) != 0)
        return "playout draws other numbers than the stock one";
    rng_next(&w->rng);
    return w->game->turn(w->scratch) == 0 ? NULL : "playout stops before the end";
}

/* True when the tree is listed all over and has at most *nodes positions; counts them down. */
static bool tree_is_small(struct walk *w, const struct game_state *state, unsigned turns, size_t *nodes) {
    seat_set set = w->game->turn(state);
    bool is_small = true;
    struct action *actions = mem_alloc(w->game->actions_max * sizeof *actions);
    struct game_state *next = game_state_alloc(w->game);
    for (unsigned seat = 0; seat <= SEAT_CHANCE && is_small; seat++) {
        size_t count = set & SEAT_BIT(seat) ? w->game->legal(state, seat, actions) : 0;
        is_small = count != LEGAL_UNLISTED;
        for (size_t i = 0; i < count && is_small; i++) {
            memcpy(next, state, w->game->state_size);
            w->game->apply(next, seat, &actions[i]);
            unsigned left = w->game->turn(next) == set ? turns : turns - 1;
            is_small = (*nodes)-- > 0 && (left == 0 || tree_is_small(w, next, left, nodes));
        }
    }
    mem_free(actions);
    mem_free(next);
    return is_small;
}

static const char *perft_is_stock(struct walk *w) {
    for (unsigned turns = 0; turns <= PERFT_TURNS_MAX; turns++) {
        size_t nodes = PERFT_NODES_MAX;
        if (turns > 0 && !tree_is_small(w, w->state, turns, &nodes))
            return NULL;
        uint64_t count = w->game->perft(w->game, w->state, turns),
                 stock = perft_turns(w->game, w->state, turns);
        if (count != stock)
            return COMPLAIN(w, "perft counts %llu sequences of %u turns, the stock one %llu",
                            (unsigned long long)count, turns, (unsigned long long)stock);
    }
    return NULL;
}

static const char *describe_to(struct walk *w, unsigned viewer) {
    struct buf json = {0}, text = {0};
    struct writer writer;
    const char *wrong = NULL;
    game_view(w->game, w->state, viewer, w->view);
    writer_init(&writer, WRITER_JSON, &json);
    w->game->describe(w->view, &writer);
    int depth = writer.depth;
    writer_init(&writer, WRITER_TEXT, &text);
    w->game->describe(w->view, &writer);
    if (depth != 0 || !json_is_valid(buf_span(&json)) || json.data[0] != '{')
        wrong = COMPLAIN(w, "for viewer %u this is no JSON object: %.150s", viewer, buf_text(&json));
    else if (span_trim(buf_span(&text)).size == 0)
        wrong = COMPLAIN(w, "for viewer %u there is no text", viewer);
    buf_free(&json);
    buf_free(&text);
    return wrong;
}

static const char *describe_is_json(struct walk *w) {
    const char *wrong = describe_to(w, SEAT_WATCHER);
    for (unsigned viewer = 0; viewer < w->options.seat_count && wrong == NULL; viewer++)
        wrong = describe_to(w, viewer);
    return wrong;
}

const struct contract_check contract_checks[] = {
    {"turn names seats of the table", turn_is_sound, turn_is_over},
    {"legal lists what check allows, each once", legal_is_sound, NULL},
    {"sample is legal", sample_is_legal, NULL},
    {"sample leaves nothing out", sample_is_spread, NULL},
    {"other actions are refused", mutants_are_refused, nobody_acts_after_the_end},
    {"other seats are refused", strangers_are_refused, NULL},
    {"refusals have words of their own", refusals_are_worded, refusals_are_new},
    {"asking changes nothing", questions_change_nothing, NULL},
    {"text goes and comes back", text_goes_and_comes, NULL},
    {"garbage is no action", garbage_is_refused, NULL},
    {"apply is deterministic", apply_is_deterministic, NULL},
    {"states are valid and tables end", state_is_valid, state_is_valid},
    {"replay leads to the same bytes", replay_is_live, replay_ends_alike},
    {"score speaks of every seat", NULL, score_is_whole},
    {"playout is the stock playout", playout_is_stock, NULL},
    {"perft is the stock perft", perft_is_stock, NULL},
    {"describe gives JSON and text", describe_is_json, describe_is_json},
    {0},
};

static void walk_open(struct walk *w, const struct game *game, const struct game_options *options) {
    *w = (struct walk){.game = game, .options = *options};
    w->state = game_state_alloc(game);
    w->scratch = game_state_alloc(game);
    w->other = game_state_alloc(game);
    w->view = (struct game_view *)game_state_alloc(game);
    w->actions = mem_alloc(game->actions_max * sizeof *w->actions);
}

static void walk_close(struct walk *w) {
    mem_free(w->state);
    mem_free(w->scratch);
    mem_free(w->other);
    mem_free(w->view);
    mem_free(w->actions);
    buf_free(&w->record);
}

/* One table from start to end. The play itself draws from its own numbers, so that every check sees the same
 * tables.
 */
static const char *walk_table(struct walk *w, const struct contract_check *check, uint64_t seed) {
    struct rng play;
    seat_set set;
    rng_seed(&play, seed);
    rng_seed(&w->rng, ~seed);
    buf_clear(&w->record);
    w->plies = 0;
    if (w->game->setup(w->state, &w->options) != ERR_OK)
        return "setup refuses options that it offers";
    replay_write_head(&w->record, w->game, &w->options);
    size_t look_next = 0;
    while ((set = w->game->turn(w->state)) != 0) {
        bool is_looked_at = check->at != NULL && w->plies == look_next;
        const char *wrong = is_looked_at ? check->at(w) : NULL;
        if (wrong != NULL)
            return wrong;
        if (w->plies == look_next)
            look_next += 1 + (w->plies < EVERY_POSITION_UP_TO ? 0 : w->plies / THINNING);
        if (w->plies > w->game->plies_max)
            return "the table goes on after plies_max actions";
        struct action action;
        unsigned seat = playout_seat(set, &play);
        w->game->sample(w->state, seat, &play, &action);
        replay_write_action(&w->record, w->game, w->state, seat, &action);
        w->game->apply(w->state, seat, &action);
        w->plies++;
    }
    return check->over == NULL ? NULL : check->over(w);
}

bool contract_run(const struct game *game, const struct game_options *options,
                  const struct contract_check *check, uint64_t seed, unsigned tables,
                  char complaint[COMPLAINT_BYTES_MAX]) {
    struct walk w;
    const char *wrong = NULL;
    complaint[0] = '\0';
    walk_open(&w, game, options);
    size_t plies = 0;
    for (unsigned i = 0; i < tables && wrong == NULL && plies < PLIES_PER_CASE; i++) {
        wrong = walk_table(&w, check, seed + i);
        plies += w.plies;
        if (wrong != NULL)
            snprintf(complaint, COMPLAINT_BYTES_MAX, "%s: %s (seed %llu, after %zu actions)\n%s", check->name,
                     wrong, (unsigned long long)seed + i, w.plies, buf_text(&w.record));
    }
    walk_close(&w);
    return wrong == NULL;
}

static const char *setup_refuses(const struct game *game, struct game_state *state) {
    for (uint32_t seats = 0; seats < 100; seats++) {
        struct game_options options = game_options_default(game, seats);
        bool is_allowed = seats >= game->seats_min && seats <= game->seats_max;
        if ((game->setup(state, &options) == ERR_OK) != is_allowed)
            return "setup does not keep to seats_min and seats_max";
    }
    for (size_t i = 0; game->options[i].name != NULL; i++) {
        const int32_t wrong[] = {game->options[i].value_min - 1, game->options[i].value_max + 1, INT32_MIN,
                                 INT32_MAX};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            struct game_options options = game_options_default(game, game->seats_min);
            options.value[i] = wrong[k];
            if (game->setup(state, &options) == ERR_OK)
                return "setup accepts an option outside its range";
        }
    }
    return NULL;
}

static const char *setup_clears(const struct game *game, struct game_state *state, struct game_state *other) {
    struct game_options options = game_options_default(game, game->seats_max);
    memset(state, 0x00, game->state_size);
    memset(other, 0xff, game->state_size);
    if (game->setup(state, &options) != ERR_OK || game->setup(other, &options) != ERR_OK)
        return "setup refuses the default options";
    return memcmp(state, other, game->state_size) == 0 ? NULL : "setup leaves bytes as they were";
}

const char *contract_setup(const struct game *game) {
    struct game_state *state = game_state_alloc(game), *other = game_state_alloc(game);
    const char *wrong = setup_clears(game, state, other);
    if (wrong == NULL)
        wrong = setup_refuses(game, state);
    mem_free(state);
    mem_free(other);
    return wrong;
}

static bool option_is_listed(const struct game_option *option) {
    return option->words != NULL;
}

/* Every value of the option but its default, and with it every word of the options behind it. */
static void option_variants(const struct game *game, struct game_options options, size_t index,
                            const char *before,
                            void (*each)(void *, const struct game_options *, const char *), void *context) {
    const struct game_option *option = &game->options[index];
    int64_t range = (int64_t)option->value_max - option->value_min;
    for (int64_t value = option->value_min; value <= option->value_max;
         value += range < OPTION_VALUES_MAX ? 1 : range) {
        char name[CONTRACT_NAME_BYTES_MAX];
        if (value == option->value_default)
            continue;
        options.value[index] = (int32_t)value;
        if (option_is_listed(option))
            snprintf(name, sizeof name, "%s, %s %s", before, option->name, option->words[value]);
        else
            snprintf(name, sizeof name, "%s, %s %d", before, option->name, (int)value);
        each(context, &options, name);
        for (size_t i = index + 1; option_is_listed(option) && game->options[i].name != NULL; i++)
            if (option_is_listed(&game->options[i]))
                option_variants(game, options, i, name, each, context);
    }
}

void contract_variants(const struct game *game,
                       void (*each)(void *context, const struct game_options *, const char *),
                       void *context) {
    for (uint32_t seats = game->seats_min; seats <= game->seats_max; seats++) {
        struct game_options options = game_options_default(game, seats);
        char name[CONTRACT_NAME_BYTES_MAX];
        snprintf(name, sizeof name, "%s, %u seats", game->name, seats);
        each(context, &options, name);
        for (size_t i = 0; game->options[i].name != NULL; i++)
            option_variants(game, options, i, name, each, context);
    }
}
