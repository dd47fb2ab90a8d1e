/* parlor bot renaissance: a player of Masters of Renaissance over lines of JSON. It follows the game from
 * what it is told (renaissance/follow.h), and says what its bot does (renaissance/answer.h). */
#include "base/log.h"
#include "bots/renaissance_bot.h"
#include "cli/bot/programs.h"
#include "cli/bot_choice.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/json_client.h"
#include "cli/options.h"
#include "cli/renaissance/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

struct renaissance_client {
    struct json_client client;
    struct renaissance_answers answers;
    struct bot *bot;
    struct rng rng;
    const char *name;
    int64_t players, games, games_max;
};

/* Ends with the exit status, or goes on. */
enum { GO_ON = -1 };

static int bot_renaissance_lost_connection(enum err e) {
    fprintf(stderr, "parlor: %s\n", err_sentence(e));
    return 1;
}

static int bot_renaissance_sent(struct renaissance_client *c) {
    enum err e = json_client_send(&c->client);
    return e == ERR_OK ? GO_ON : bot_renaissance_lost_connection(e);
}

static int log_in(struct renaissance_client *c) {
    writer_text(json_client_begin(&c->client, "loginRequest"), "username", span_of(c->name));
    return bot_renaissance_sent(c);
}

static void bot_renaissance_choose(void *context, const struct game_view *view, unsigned seat,
                                   struct action *out) {
    struct renaissance_client *c = context;
    bot_choose(c->bot, view, seat, &c->rng, out);
}

static int bot_renaissance_game_over(struct renaissance_client *c, const json_t *message) {
    const char *name;
    json_t *points;
    printf("game over:");
    json_object_foreach(json_object_get(message, "scores"), name, points)
        printf(" %s %" JSON_INTEGER_FORMAT, name, json_integer_value(points));
    printf("%s\n", json_is_true(json_object_get(message, "lorenzoWon")) ? ", lost to Lorenzo" : "");
    fflush(stdout);
    c->games++;
    if (c->games == c->games_max)
        return 0;
    return renaissance_follow_is_farewell(&c->answers.follow, message) ? GO_ON : log_in(c);
}

static int choose_number(struct renaissance_client *c) {
    writer_int(json_client_begin(&c->client, "numberOfPlayersSelectionReply"), "number", c->players);
    return bot_renaissance_sent(c);
}

static int bot_renaissance_take(struct renaissance_client *c, const json_t *message) {
    struct span type = json_text(message, "type");
    bool is_free = true;
    if (!renaissance_follow_take(&c->answers.follow, message)) {
        fprintf(stderr, "parlor: cannot follow %.*s\n", (int)type.size, type.data);
        return 1;
    }
    if (span_is(type, "usernameResponse") && json_flag(message, "isFree", &is_free) && !is_free) {
        fprintf(stderr, "parlor: the server refused the name '%s'\n", c->name);
        return 1;
    }
    if (span_is(type, "errorMessage") && !span_is(json_text(message, "error"), "NOT_SAVED")) {
        fprintf(stderr, "parlor: the server refused a message: %s\n",
                json_string_value(json_object_get(message, "error")));
        return 1;
    }
    if (span_is(type, "numberOfPlayersSelectionRequest"))
        return choose_number(c);
    buf_clear(&c->client.out);
    if (renaissance_answer(&c->answers, message, &c->client.out, &c->client.writer))
        return bot_renaissance_sent(c);
    return span_is(type, "finalScore") ? bot_renaissance_game_over(c, message) : GO_ON;
}

static int bot_renaissance_play(struct renaissance_client *c) {
    int status = log_in(c);
    while (status == GO_ON) {
        json_t *message;
        enum err e = json_client_next(&c->client, &message);
        if (e != ERR_OK)
            return bot_renaissance_lost_connection(e);
        status = bot_renaissance_take(c, message);
        json_decref(message);
    }
    return status;
}

static int bot_renaissance_run(int argc, char **argv) {
    struct renaissance_client c = {.players = 2, .games_max = 1};
    const char *address = NULL, *kind_name = NULL, *spec = NULL;
    int64_t level = BOT_LEVEL_DEFAULT, seed = -1;
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect", "HOST:PORT", &address, "the server"),
        CONNECT_ROWS(way),
        ROW_TEXT("name", "NAME", &c.name, "the nickname to play under"),
        ROW_NUMBER("players", &c.players, 1, RENAISSANCE_SEATS_MAX, "how many shall play, when it is asked"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "strength"),
        ROW_NUMBER("games", &c.games_max, 0, INT64_MAX, "end after so many games; 0 plays on"),
        ROW_TEXT("kind", "KIND", &kind_name, "another kind of bot, such as random"),
        ROW_TEXT("bot", "BOT", &spec, "a bot as in parlor match, such as level:5,ms=100; instead of the two"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, "makes its choices repeatable; -1 draws one"),
        {0},
    };
    const struct options options = {
        .command = "bot renaissance",
        .operands = "",
        .about = "Plays Masters of Renaissance on a server.",
        .rows = rows,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (address == NULL || c.name == NULL) {
        fprintf(stderr, "parlor: --connect HOST:PORT and --name NAME are needed\n");
        return EXIT_USAGE;
    }
    if (!connect_is_address("--connect", address))
        return EXIT_USAGE;
    struct bot *bot = bot_choice(&renaissance_game, kind_name, level, spec);
    if (bot == NULL)
        return EXIT_USAGE;
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    rng_seed(&c.rng, (uint64_t)seed);
    c.answers.context = &c;
    c.answers.choose = bot_renaissance_choose;
    renaissance_follow_begin(&c.answers.follow, span_of(c.name));
    c.bot = bot;
    int status = json_client_open(&c.client, address, &way) ? bot_renaissance_play(&c) : 1;
    json_client_close(&c.client);
    bot_close(c.bot);
    return status;
}

const struct bot_program bot_renaissance = {"renaissance", "a player of Masters of Renaissance over JSON",
                                            bot_renaissance_run};
