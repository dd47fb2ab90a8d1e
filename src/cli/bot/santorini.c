/* parlor bot santorini: a player over lines of JSON. It keeps a table of its own and plays on it what the
 * messages tell, so it can think with the rules; only the order of the players and what chance gave Chaos
 * must be read off.
 *
 * The seats of its own table are the players in the order of play, from the challenger on. The messages name
 * the challenger first and the one after it next; with three players the last one follows from that. */
#include "base/log.h"
#include "bots/bots.h"
#include "cli/bot/programs.h"
#include "cli/bot_choice.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/json_client.h"
#include "cli/options.h"
#include "wire/santorini/dialect.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

/* Ends with the exit status, or goes on. */
enum { GO_ON = -1, GAME_OVER = -2 };

enum { NAME_BYTES_MAX = 4 * SANTORINI_NAME_CHARS_MAX + 1 };

struct santorini_bot {
    struct json_client client;
    const char *name, *date;
    int64_t seat_count;
    struct bot *bot;
    struct rng rng;
    int64_t games, games_max, won, lost;

    /* The table. */
    char players[SANTORINI_SEATS_MAX][NAME_BYTES_MAX]; /* as they were named, then in the order of play */
    unsigned player_count, ordered_count;
    struct santorini state;
    bool is_set_up;
    bool is_refused;      /* something that it said; why comes next */
    struct action chosen; /* the step that was asked for; kind 0: none */
    bool is_answered;     /* it has said something in its turn, and nothing has come of it yet */
    bool is_shaken;       /* ... and somebody has left meanwhile: it may be refused for that */
};

static int bot_santorini_fail(const char *why) {
    fprintf(stderr, "parlor: %s\n", why);
    return 1;
}

static int bot_santorini_sent(enum err e) {
    return e == ERR_OK ? GO_ON : bot_santorini_fail(err_sentence(e));
}

static struct game_state *bot_santorini_state_of(struct santorini_bot *b) {
    return (struct game_state *)&b->state;
}

static unsigned seat_of(const struct santorini_bot *b, struct span name) {
    unsigned seat = 0;
    while (seat < b->player_count && !span_is(name, b->players[seat]))
        seat++;
    return seat;
}

/* False when the own table does not allow what the server says was done. */
static bool bot_santorini_follow(struct santorini_bot *b, unsigned seat, const struct action *action) {
    if (santorini_game.check(bot_santorini_state_of(b), seat, action) != ERR_OK)
        return false;
    santorini_game.apply(bot_santorini_state_of(b), seat, action);
    return true;
}

static void bot_santorini_table_forget(struct santorini_bot *b) {
    b->player_count = b->ordered_count = 0;
    b->is_set_up = b->is_answered = b->is_shaken = false;
    b->chosen = (struct action){0};
}

/* A new table: whoever is first in the order is the youngest. */
static bool table_set_up(struct santorini_bot *b) {
    struct game_options options = game_options_default(&santorini_game, b->player_count);
    bool is_followed = santorini_game.setup(bot_santorini_state_of(b), &options) == ERR_OK;
    for (unsigned seat = 0; is_followed && seat < b->player_count; seat++) {
        struct action born = santorini_action_born(2000 - seat, 1, 1);
        is_followed = bot_santorini_follow(b, seat, &born);
    }
    b->is_set_up = is_followed;
    return is_followed;
}

/* The next one in the order of play is known. */
static bool order_next(struct santorini_bot *b, struct span name) {
    unsigned seat = seat_of(b, name), place = b->ordered_count;
    char moved[NAME_BYTES_MAX];
    if (seat == b->player_count)
        return false;
    if (seat < place)
        return true;
    memcpy(moved, b->players[seat], sizeof moved);
    memmove(b->players[place + 1], b->players[place], (seat - place) * sizeof moved);
    memcpy(b->players[place], moved, sizeof moved);
    b->ordered_count++;
    return true;
}

static bool bot_santorini_take_player(struct santorini_bot *b, const struct santorini_request *r) {
    return b->player_count < SANTORINI_SEATS_MAX &&
           span_copy(r->name, b->players[b->player_count++], NAME_BYTES_MAX);
}

/* Medusa's blocks are told as builds, after the turn whose end has set them on the own table. */
static bool is_consequence(const struct santorini_bot *b, const struct santorini_request *r) {
    return r->type == SANTORINI_BUILD &&
           (b->state.phase != SANTORINI_TURN || seat_of(b, r->name) != b->state.mover);
}

/* What the server repeats of somebody's request, as actions on the own table. */
static bool take_reply(struct santorini_bot *b, const json_t *message) {
    struct santorini_request r;
    struct santorini_scene scene = {.state = &b->state};
    struct action actions[SANTORINI_REQUEST_ACTIONS_MAX];
    size_t count = 0;
    bool result = false;
    b->is_refused = json_flag(message, "result", &result) && !result;
    b->is_answered = false;
    if (b->is_refused)
        return true;
    if (!result || santorini_read_reply(message, &r) != ERR_OK)
        return false;
    if (r.type == SANTORINI_ADD_PLAYER)
        return bot_santorini_take_player(b, &r);
    if (r.type == SANTORINI_SET_STEP || is_consequence(b, &r))
        return true;
    b->is_shaken = false;
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        scene.names[seat] = seat < b->player_count ? b->players[seat] : "";
    b->chosen = (struct action){0};
    bool is_followed = santorini_request_actions(&scene, &r, actions, &count) == ERR_OK;
    unsigned seat = b->state.mover;
    for (size_t i = 0; i < count && is_followed; i++)
        is_followed = bot_santorini_follow(b, seat, &actions[i]);
    return is_followed;
}

static bool end_turn(struct santorini_bot *b) {
    struct action end = santorini_action(SANTORINI_ACT_END, 0, 0);
    return bot_santorini_follow(b, b->state.mover, &end);
}

/* A player who is still at the own table has left, or the turn before has ended, which nobody was told. */
static bool bot_santorini_take_loss(struct santorini_bot *b, const json_t *message) {
    unsigned seat = seat_of(b, json_text(message, "name"));
    if (!santorini_is_alive(&b->state, seat))
        return seat < b->player_count;
    if (!span_is(json_text(message, "reason"), "left"))
        return end_turn(b);
    b->is_shaken = b->is_answered;
    return santorini_game.attend(bot_santorini_state_of(b), seat, SEAT_RETIRED);
}

/* Nobody else is told of the end that a player has chosen: it shows in who is next. */
static bool bot_santorini_take_turn(struct santorini_bot *b, struct span name) {
    b->is_answered = b->is_shaken = false;
    if (b->ordered_count < b->player_count && !order_next(b, name))
        return false;
    if (!b->is_set_up)
        return table_set_up(b);
    unsigned seat = seat_of(b, name);
    bool is_out = b->is_set_up && !santorini_is_alive(&b->state, seat); /* a starter without a turn */
    if (b->state.phase != SANTORINI_TURN || b->state.mover == seat || is_out)
        return seat < b->player_count;
    return end_turn(b) && b->state.mover == seat;
}

/* Chance has given Chaos a power; before it comes the end of a turn that nobody was told of. */
static bool take_draw(struct santorini_bot *b, const json_t *message) {
    struct action draw =
        santorini_action(SANTORINI_ACT_DRAW, santorini_god_by_name(json_text(message, "godCard")), 0);
    if (b->state.phase == SANTORINI_TURN && !end_turn(b))
        return false;
    return bot_santorini_follow(b, SEAT_CHANCE, &draw);
}

/* Answers. */

static struct action bot_santorini_choose(struct santorini_bot *b) {
    struct action action;
    bot_choose(b->bot, (const struct game_view *)&b->state, b->state.mover, &b->rng, &action);
    return action;
}

static int bot_santorini_say(struct santorini_bot *b, const struct santorini_request *r) {
    struct writer *w = json_client_begin(&b->client, santorini_request_word(r->type));
    santorini_write_request(w, r, b->name);
    return bot_santorini_sent(json_client_send(&b->client));
}

static int answer_number(struct santorini_bot *b) {
    struct writer *w = json_client_begin(&b->client, "setNumberOfPlayers");
    writer_int(w, "numberOfPlayers", b->seat_count);
    return bot_santorini_sent(json_client_send(&b->client));
}

static int answer_name(struct santorini_bot *b) {
    struct writer *w = json_client_begin(&b->client, "addPlayer");
    writer_text(w, "name", span_of(b->name));
    writer_text(w, "date", span_of(b->date));
    writer_list_begin(w, "steps");
    for (unsigned step = SANTORINI_STEP_FORCE; step <= SANTORINI_STEP_BORROW; step++)
        writer_text(w, NULL, span_of(santorini_step_word((enum santorini_step)step)));
    writer_list_end(w);
    return bot_santorini_sent(json_client_send(&b->client));
}

/* Several actions that are one message, thought through on a copy of the table. */
static int answer_several(struct santorini_bot *b) {
    struct santorini before = b->state;
    struct santorini_request r;
    struct action action = bot_santorini_choose(b);
    unsigned count = 0;
    santorini_request_of(&b->state, &action, &r);
    for (;;) {
        if (r.type == SANTORINI_SET_GODS)
            r.gods[r.god_count++] = action.arg[0];
        else
            r.positions[count] = action.arg[0];
        santorini_game.apply(bot_santorini_state_of(b), b->state.mover, &action);
        if (++count == (r.type == SANTORINI_SET_GODS ? before.seat_count : SANTORINI_BUILDERS))
            break;
        action = bot_santorini_choose(b);
    }
    b->state = before;
    return bot_santorini_say(b, &r);
}

static int answer_one(struct santorini_bot *b, const struct action *action) {
    struct santorini_request r;
    santorini_request_of(&b->state, action, &r);
    if (r.type == SANTORINI_SET_START)
        r.name = span_of(b->players[action->arg[0]]);
    return bot_santorini_say(b, &r);
}

static enum santorini_step step_of(const struct action *action) {
    switch (action->kind) {
    case SANTORINI_ACT_MOVE: return SANTORINI_STEP_MOVE;
    case SANTORINI_ACT_BUILD:
    case SANTORINI_ACT_DOME: return SANTORINI_STEP_BUILD;
    case SANTORINI_ACT_FORCE: return SANTORINI_STEP_FORCE;
    case SANTORINI_ACT_REMOVE: return SANTORINI_STEP_REMOVE;
    case SANTORINI_ACT_BORROW: return SANTORINI_STEP_BORROW;
    default: return SANTORINI_STEP_END;
    }
}

static int answer_step(struct santorini_bot *b) {
    b->chosen = bot_santorini_choose(b);
    return bot_santorini_say(
        b, &(struct santorini_request){.type = SANTORINI_SET_STEP, .step = step_of(&b->chosen)});
}

/* A list of cells: either the step was chosen before, or there is only one kind. */
static int answer_cells(struct santorini_bot *b) {
    struct action action = b->chosen.kind == 0 ? bot_santorini_choose(b) : b->chosen;
    b->chosen = (struct action){0};
    return answer_one(b, &action);
}

/* A question can only be answered when the own table stands where it is asked. */
static int bot_santorini_answer(struct santorini_bot *b, struct span type) {
    enum santorini_phase phase = (enum santorini_phase)b->state.phase;
    if (span_is(type, "askNumberOfPlayers"))
        return answer_number(b);
    if (span_is(type, "askNickAndDate"))
        return answer_name(b);
    if (!b->is_set_up || !span_is(span_of(b->name), b->players[b->state.mover]))
        return bot_santorini_fail("the server asks out of turn");
    if (phase == SANTORINI_OFFER || phase == SANTORINI_PLACE)
        return answer_several(b);
    if (b->is_answered)
        return GO_ON; /* asked once more because somebody has left; what it said is judged next */
    b->is_answered = phase == SANTORINI_TURN;
    if (span_is(type, "askStep"))
        return answer_step(b);
    if (phase == SANTORINI_TURN)
        return answer_cells(b);
    struct action action = bot_santorini_choose(b);
    return answer_one(b, &action);
}

static int bot_santorini_take_end(struct santorini_bot *b, struct span winner) {
    bool has_won = span_is(winner, b->name);
    b->won += has_won;
    b->lost += !has_won && winner.size > 0;
    b->games++;
    printf("game %" PRId64 ": %s\n", b->games, has_won ? "won" : winner.size == 0 ? "nobody won" : "lost");
    fflush(stdout);
    return GAME_OVER;
}

/* Back to the beginning: the players who were named are so no more. */
static int take_phase(struct santorini_bot *b, struct span state) {
    if (span_is(state, "SETUP_PLAYERS"))
        bot_santorini_table_forget(b);
    return GO_ON;
}

static bool is_question(struct span type) {
    static const char *const words[] = {
        "askNumberOfPlayers",
        "askNickAndDate",
        "chooseMatchGodCards",
        "askGod",
        "chooseStartPlayer",
        "askColor",
        "askBuilders",
        "askStep",
        "possibleMoveDestinations",
        "possibleBuildDestinations",
        "possibleForceDestinations",
        "possibleRemoveDestinations",
        "possibleBorrowDestinations",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is(type, words[i]))
            return true;
    return false;
}

static bool is_reply(struct span type) {
    for (unsigned i = SANTORINI_ADD_PLAYER; i <= SANTORINI_BORROW; i++)
        if (span_is(type, santorini_reply_word((enum santorini_request_type)i)))
            return true;
    return false;
}

/* Without a refusal before, it is about the server and passes. */
static int bot_santorini_take_error(struct santorini_bot *b, struct span why) {
    if (!b->is_refused) {
        log_event(LOG_WARN, "server-error", LOG_TEXT("text", why));
        return GO_ON;
    }
    b->is_refused = false;
    if (b->is_shaken) {
        b->is_shaken = false;
        b->is_answered = true;
        return answer_step(b); /* whatever is open now */
    }
    fprintf(stderr, "parlor: the server refuses: %.*s\n", (int)why.size, why.size == 0 ? "" : why.data);
    return 1;
}

static int bot_santorini_take(struct santorini_bot *b, const json_t *message) {
    struct span type = json_text(message, "type");
    bool is_followed = true;
    if (is_question(type))
        return bot_santorini_answer(b, type);
    if (span_is(type, "endGame"))
        return bot_santorini_take_end(b, json_text(message, "winner"));
    if (span_is(type, "disconnect"))
        return bot_santorini_fail("the server says goodbye");
    if (span_is(type, "stateUpdate"))
        return take_phase(b, json_text(message, "state"));
    if (span_is(type, "error"))
        return bot_santorini_take_error(b, json_text(message, "description"));
    if (is_reply(type))
        is_followed = take_reply(b, message);
    else if (span_is(type, "turnUpdate"))
        is_followed = bot_santorini_take_turn(b, json_text(message, "name"));
    else if (span_is(type, "lossUpdate"))
        is_followed = bot_santorini_take_loss(b, message);
    else if (span_is(type, "powerDrawn"))
        is_followed = take_draw(b, message);
    return is_followed ? GO_ON : bot_santorini_fail("the server's messages do not fit the rules");
}

static int play_game(struct santorini_bot *b, const char *address, const struct connect_way *way) {
    int status = json_client_open(&b->client, address, way) ? GO_ON : 1;
    bot_santorini_table_forget(b);
    while (status == GO_ON) {
        json_t *message;
        enum err e = json_client_next(&b->client, &message);
        status = e == ERR_OK ? bot_santorini_take(b, message) : bot_santorini_fail(err_sentence(e));
        json_decref(message);
    }
    json_client_close(&b->client);
    return status;
}

static int bot_santorini_run(int argc, char **argv) {
    const char *address = NULL, *name = NULL, *date = "2000.01.01", *kind_name = NULL, *spec = NULL;
    int64_t level = BOT_LEVEL_DEFAULT, games_max = 1, seed = -1, players = 2;
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect", "HOST:PORT", &address, "the server"),
        CONNECT_ROWS(way),
        ROW_TEXT("name", "NAME", &name, "the name to play under"),
        ROW_TEXT("born", "YYYY.MM.DD", &date, "the date to give; the youngest chooses the gods"),
        ROW_NUMBER("players", &players, 2, SANTORINI_SEATS_MAX, "how many, when it is asked"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "strength"),
        ROW_NUMBER("games", &games_max, 0, INT64_MAX, "ends after so many games; 0 plays on"),
        ROW_TEXT("kind", "KIND", &kind_name, "another kind of bot, such as random"),
        ROW_TEXT("bot", "BOT", &spec, "a bot as in parlor match, such as level:5,ms=100; instead of the two"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, "makes its choices repeatable; -1 draws one"),
        {0},
    };
    const struct options options = {
        .command = "bot santorini",
        .operands = "",
        .about = "Plays Santorini on a server, one game after the other.",
        .rows = rows,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (address == NULL || name == NULL) {
        fprintf(stderr, "parlor: --connect HOST:PORT and --name NAME are needed\n");
        return EXIT_USAGE;
    }
    if (!connect_is_address("--connect", address))
        return EXIT_USAGE;
    struct bot *bot = bot_choice(&santorini_game, kind_name, level, spec);
    if (bot == NULL)
        return EXIT_USAGE;
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    struct santorini_bot b = {.name = name, .date = date, .seat_count = players, .games_max = games_max};
    rng_seed(&b.rng, (uint64_t)seed);
    b.bot = bot;
    int status = GAME_OVER;
    while (status == GAME_OVER && (games_max == 0 || b.games < games_max))
        status = play_game(&b, address, &way);
    if (b.games > 0)
        printf("%" PRId64 " games: %" PRId64 " won, %" PRId64 " lost\n", b.games, b.won, b.lost);
    bot_close(b.bot);
    return status == GAME_OVER ? 0 : status;
}

const struct bot_program bot_santorini = {"santorini", "a player over lines of JSON", bot_santorini_run};
