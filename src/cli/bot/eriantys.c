/* parlor bot eriantys: a player over lines of JSON, on any server that speaks the protocol. Every status
 * shows the whole game, so it keeps nothing between two of them. */
#include "base/log.h"
#include "bots/bots.h"
#include "cli/bot/programs.h"
#include "cli/bot_choice.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/eriantys/follow.h"
#include "cli/json_client.h"
#include "cli/options.h"

#include <stdio.h>
#include <sys/random.h>

/* Ends with the exit status, or goes on. */
enum { GO_ON = -1 };

/* In a row, and then the two do not speak of the same game. */
enum { REFUSALS_MAX = 8 };

struct eriantys_bot {
    struct json_client client;
    char name[4 * ERIANTYS_NAME_CHARS_MAX + 1]; /* without the blanks that the server would not keep either */
    const char *code;                           /* NULL: one is created */
    int64_t seat_count;
    bool is_expert;
    struct bot *bot;
    struct rng rng;
    unsigned refusals; /* in a row */
    bool is_refused;   /* what it has sent last */
    bool has_state;
    bool is_mover; /* in the last status, which follows */
    struct eriantys state;
};

static int bot_eriantys_fail(const char *text) {
    fprintf(stderr, "parlor: %s\n", text);
    return 1;
}

static int bot_eriantys_sent(enum err e) {
    return e == ERR_OK ? GO_ON : bot_eriantys_fail(err_sentence(e));
}

static int create(struct eriantys_bot *b) {
    struct writer *w = json_client_begin(&b->client, "gameCreation");
    writer_int(w, "playersNumber", b->seat_count);
    writer_bool(w, "expert", b->is_expert);
    return bot_eriantys_sent(json_client_send(&b->client));
}

static int bot_eriantys_enter(struct eriantys_bot *b, struct span code) {
    writer_text(json_client_begin(&b->client, "enterGame"), "code", code);
    return bot_eriantys_sent(json_client_send(&b->client));
}

static int take_creation(struct eriantys_bot *b, struct span code) {
    printf("code %.*s\n", (int)code.size, code.data);
    fflush(stdout);
    return bot_eriantys_enter(b, code);
}

static int take_found(struct eriantys_bot *b, const json_t *message) {
    bool is_found = false;
    if (!json_flag(message, "found", &is_found) || !is_found)
        return bot_eriantys_fail("the server has no such game with a free seat");
    writer_text(json_client_begin(&b->client, "login"), "name", span_of(b->name));
    return bot_eriantys_sent(json_client_send(&b->client));
}

static int bot_eriantys_take_login(const json_t *message) {
    bool is_success = false;
    if (!json_flag(message, "success", &is_success) || !is_success)
        return bot_eriantys_fail("the server refuses the login under this name");
    return GO_ON;
}

static int take_status(struct eriantys_bot *b, const json_t *message) {
    struct span names[ERIANTYS_SEATS_MAX];
    b->has_state = eriantys_follow_status(message, &b->state, names);
    b->is_mover = b->has_state && span_is(names[b->state.mover], b->name);
    return b->has_state ? GO_ON : bot_eriantys_fail("the server's status cannot be read");
}

static int bot_eriantys_take_turn(struct eriantys_bot *b, const json_t *message) {
    bool is_enabled = false;
    unsigned seat = b->state.mover;
    if (!json_flag(message, "enable", &is_enabled) || !is_enabled ||
        !span_is(json_text(message, "player"), b->name) || !b->is_mover)
        return GO_ON;
    b->refusals = b->is_refused ? b->refusals : 0;
    b->is_refused = false;
    struct eriantys_scene scene = {.state = &b->state};
    struct action action;
    scene.names[seat] = b->name;
    bot_choose(b->bot, (const struct game_view *)&b->state, seat, &b->rng, &action);
    eriantys_write_command_fields(json_client_begin(&b->client, "command"), &scene, seat, &action);
    return bot_eriantys_sent(json_client_send(&b->client));
}

static int take_win(const struct eriantys_bot *b, const json_t *message) {
    const json_t *winners = json_object_get(message, "winners");
    bool has_won = false;
    for (size_t i = 0; i < json_array_size(winners); i++)
        has_won = has_won || span_is(json_value_text(json_array_get(winners, i)), b->name);
    printf("%s\n", has_won ? "won" : json_array_size(winners) == 0 ? "draw" : "lost");
    return 0;
}

/* That somebody has gone is no refusal: the game waits. Nor is it the end when a command is refused: whoever
 * goes may do so while the command is on its way, and the server says when to play again. */
static int bot_eriantys_take_error(struct eriantys_bot *b, struct span text) {
    if (span_is(text, ERIANTYS_USER_DISCONNECTED)) {
        log_event(LOG_INFO, "waiting", LOG_TEXT("why", text));
        return GO_ON;
    }
    fprintf(stderr, "parlor: the server refuses: %.*s\n", (int)text.size, text.size == 0 ? "" : text.data);
    b->is_refused = true;
    return b->has_state && ++b->refusals < REFUSALS_MAX ? GO_ON : 1;
}

static int bot_eriantys_take(struct eriantys_bot *b, const json_t *message) {
    struct span type = json_text(message, "type");
    if (span_is(type, "gameCreation"))
        return take_creation(b, json_text(message, "code"));
    if (span_is(type, "enterGame"))
        return take_found(b, message);
    if (span_is(type, "login"))
        return bot_eriantys_take_login(message);
    if (span_is(type, "status"))
        return take_status(b, message);
    if (span_is(type, "turnEnable"))
        return bot_eriantys_take_turn(b, message);
    if (span_is(type, "win"))
        return take_win(b, message);
    if (span_is(type, "error"))
        return bot_eriantys_take_error(b, json_text(message, "message"));
    return GO_ON;
}

static int bot_eriantys_play(struct eriantys_bot *b) {
    int status = b->code == NULL ? create(b) : bot_eriantys_enter(b, span_of(b->code));
    while (status == GO_ON) {
        json_t *message;
        enum err e = json_client_next(&b->client, &message);
        status = e == ERR_OK ? bot_eriantys_take(b, message) : bot_eriantys_fail(err_sentence(e));
        json_decref(message);
    }
    return status;
}

static int bot_eriantys_run(int argc, char **argv) {
    const char *address = NULL, *kind_name = NULL, *spec = NULL, *name = NULL;
    int64_t level = BOT_LEVEL_DEFAULT, seed = -1;
    struct eriantys_bot b = {.seat_count = ERIANTYS_SEATS_MIN};
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect", "HOST:PORT", &address, "the server"),
        CONNECT_ROWS(way),
        ROW_TEXT("name", "NAME", &name, "the name to play under"),
        ROW_TEXT("code", "CODE", &b.code, "the game to enter; without it one is created"),
        ROW_NUMBER("create", &b.seat_count, ERIANTYS_SEATS_MIN, ERIANTYS_SEATS_MAX,
                   "creates a game for so many players and prints its code"),
        ROW_FLAG("expert", &b.is_expert, "with coins and characters"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "strength"),
        ROW_TEXT("kind", "KIND", &kind_name, "another kind of bot, such as random"),
        ROW_TEXT("bot", "BOT", &spec, "a bot as in parlor match, such as level:5,ms=100; instead of the two"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, "makes its choices repeatable; -1 draws one"),
        {0},
    };
    const struct options options = {
        .command = "bot eriantys",
        .operands = "",
        .about = "Plays one game of Eriantys on a server that speaks its protocol.",
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
    if (!span_copy(span_trim(span_of(name)), b.name, sizeof b.name)) {
        fprintf(stderr, "parlor: a name has at most %d characters\n", ERIANTYS_NAME_CHARS_MAX);
        return EXIT_USAGE;
    }
    struct bot *bot = bot_choice(&eriantys_game, kind_name, level, spec);
    if (bot == NULL)
        return EXIT_USAGE;
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    rng_seed(&b.rng, (uint64_t)seed);
    b.bot = bot;
    int status = json_client_open(&b.client, address, &way) ? bot_eriantys_play(&b) : 1;
    json_client_close(&b.client);
    bot_close(b.bot);
    return status;
}

const struct bot_program bot_eriantys = {"eriantys", "a player of Eriantys over lines of JSON",
                                         bot_eriantys_run};
