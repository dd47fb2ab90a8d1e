/* parlor bot renaissance: a player of Masters of Renaissance over lines of JSON. It follows the game from
 * what it is told (renaissance_follow.h), and says what its bot does, one message for the actions that belong
 * together. */
#include "base/log.h"
#include "bots/renaissance_bot.h"
#include "cli/bot_programs.h"
#include "cli/command.h"
#include "cli/json_client.h"
#include "cli/options.h"
#include "cli/renaissance_follow.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

struct renaissance_client {
    struct json_client client;
    struct renaissance_follow follow;
    struct bot *bot;
    struct rng rng;
    const char *name;
    int64_t players, games, games_max;
    struct action actions[RENAISSANCE_MESSAGE_ACTIONS_MAX]; /* chosen, and announced by actionReply */
    size_t action_count;
};

/* Ends with the exit status, or goes on. */
enum { GO_ON = -1 };

static int lost_connection(enum err e) {
    fprintf(stderr, "parlor: %s\n", err_sentence(e));
    return 1;
}

static int sent(struct renaissance_client *c) {
    enum err e = json_client_send(&c->client);
    return e == ERR_OK ? GO_ON : lost_connection(e);
}

static int log_in(struct renaissance_client *c) {
    writer_text(json_client_begin(&c->client, "loginRequest"), "username", span_of(c->name));
    return sent(c);
}

/* The next action of the bot, played on the state that is followed. */
static struct action step(struct renaissance_client *c, struct renaissance *state) {
    struct action action;
    bot_choose(c->bot, (const struct game_view *)state, c->follow.seat, &c->rng, &action);
    renaissance_game.apply((struct game_state *)state, c->follow.seat, &action);
    return action;
}

static void write_leader(struct writer *w, const char *name, unsigned leader) {
    char id[RENAISSANCE_ID_BYTES];
    renaissance_leader_id(leader, id);
    writer_text(w, name, span_of(id));
}

static void write_kind(struct writer *w, unsigned kind) {
    writer_text(w, NULL, span_of(renaissance_resource_word(kind)));
}

static void write_depots(struct writer *w, const struct renaissance_seat *s) {
    static const char *const keys[RENAISSANCE_DEPOTS] = {"0", "1", "2", "3", "4"};
    writer_object_begin(w, "warehouse");
    for (unsigned i = 0; i < renaissance_depot_count(s); i++) {
        writer_list_begin(w, keys[i]);
        for (unsigned k = 0; k < s->depot[i].count; k++)
            write_kind(w, s->depot[i].kind);
        writer_list_end(w);
    }
    writer_object_end(w);
}

static int reply_leaders(struct renaissance_client *c) {
    struct renaissance state = c->follow.state;
    struct action keep = step(c, &state);
    struct writer *w = json_client_begin(&c->client, "leaderCardsReply");
    writer_list_begin(w, "leaderCards");
    write_leader(w, NULL, keep.arg[0]);
    write_leader(w, NULL, keep.arg[1]);
    writer_list_end(w);
    return sent(c);
}

static int reply_resources(struct renaissance_client *c) {
    struct renaissance state = c->follow.state;
    const struct renaissance_seat *s = &state.seat[c->follow.seat];
    while (s->stage == RENAISSANCE_MUST_PUT)
        step(c, &state);
    write_depots(json_client_begin(&c->client, "resourcesReply"), s);
    return sent(c);
}

static int reply_manage(struct renaissance_client *c) {
    struct renaissance state = c->follow.state;
    while (state.phase == RENAISSANCE_ARRANGING)
        step(c, &state);
    write_depots(json_client_begin(&c->client, "resourcesManageReply"), &state.seat[c->follow.seat]);
    return sent(c);
}

static unsigned choice_of(const struct action *action) {
    switch (action->kind) {
    case RENAISSANCE_PLAY: return RENAISSANCE_MAY_PLAY_LEADER;
    case RENAISSANCE_DISCARD: return RENAISSANCE_MAY_DISCARD_LEADER;
    case RENAISSANCE_BUY: return RENAISSANCE_MAY_BUY;
    case RENAISSANCE_PUSH: return RENAISSANCE_MAY_PUSH;
    case RENAISSANCE_END_TURN: return RENAISSANCE_MAY_END_TURN;
    default: return RENAISSANCE_MAY_PRODUCE;
    }
}

/* Chooses an action with all that belongs to it, and announces it. */
static int reply_action(struct renaissance_client *c) {
    struct renaissance state = c->follow.state;
    c->action_count = 0;
    do
        c->actions[c->action_count++] = step(c, &state);
    while (state.phase == RENAISSANCE_CHOOSING || state.phase == RENAISSANCE_PAYING);
    unsigned choice = choice_of(&c->actions[0]);
    writer_text(json_client_begin(&c->client, "actionReply"), "action",
                span_of(renaissance_choice_word(choice)));
    return sent(c);
}

static void write_payment(struct writer *w, const struct renaissance_client *c) {
    static const char *const places[RENAISSANCE_SOURCES] = {"warehouse", "leaderDepot", "strongbox"};
    writer_object_begin(w, "paymentResources");
    for (unsigned place = 0; place < RENAISSANCE_SOURCES; place++) {
        writer_object_begin(w, places[place]);
        for (size_t i = 0; i < c->action_count; i++) {
            const struct action *a = &c->actions[i];
            if (a->kind == RENAISSANCE_PAY && a->arg[1 + place] > 0)
                writer_int(w, renaissance_resource_word(a->arg[0]), a->arg[1 + place]);
        }
        writer_object_end(w);
    }
    writer_object_end(w);
}

/* A list with one item for every action of a kind: a number of it, or a resource. */
static void write_items(struct writer *w, const struct renaissance_client *c, const char *name, unsigned kind,
                        unsigned arg, bool is_resource) {
    writer_list_begin(w, name);
    for (size_t i = 0; i < c->action_count; i++) {
        if (c->actions[i].kind != kind)
            continue;
        if (is_resource)
            write_kind(w, c->actions[i].arg[arg]);
        else
            writer_int(w, NULL, c->actions[i].arg[arg]);
    }
    writer_list_end(w);
}

static void write_production(struct writer *w, const struct renaissance_client *c) {
    const struct action *base = &c->actions[0];
    write_payment(w, c);
    writer_list_begin(w, "boardResources");
    for (unsigned i = 0; i < 3 && base->kind == RENAISSANCE_BASE; i++)
        write_kind(w, base->arg[i]);
    writer_list_end(w);
    write_items(w, c, "leaderResources", RENAISSANCE_LEADER, 1, true);
    write_items(w, c, "devCardSlots", RENAISSANCE_CARD, 0, false);
    write_items(w, c, "leaderCardSlots", RENAISSANCE_LEADER, 0, false);
}

/* With two exchange leaders in play every white marble is named; the first ones count for the first leader.
 */
static void write_line(struct writer *w, const struct renaissance_client *c) {
    const struct renaissance *r = &c->follow.state;
    const struct renaissance_seat *s = &r->seat[c->follow.seat];
    const uint8_t *arg = c->actions[0].arg;
    uint8_t marbles[RENAISSANCE_COLUMNS];
    bool is_row = arg[0] < RENAISSANCE_ROWS;
    unsigned first = arg[1], leaders = renaissance_leaders_in_play(s, RENAISSANCE_EXCHANGE);
    writer_int(w, "index", is_row ? arg[0] : arg[0] - RENAISSANCE_ROWS);
    writer_bool(w, "isRow", is_row);
    writer_list_begin(w, "exchangeResources");
    for (unsigned i = renaissance_line(r, arg[0], marbles); i > 0 && leaders > 0; i--) {
        if (marbles[i - 1] != RENAISSANCE_WHITE)
            continue;
        bool is_second = leaders == 2 && first == 0;
        write_kind(w,
                   renaissance_leader(renaissance_leader_in_play(s, RENAISSANCE_EXCHANGE, is_second))->kind);
        first -= first > 0;
    }
    writer_list_end(w);
}

/* The announced action was accepted: its parameters. */
static int send_parameters(struct renaissance_client *c, struct span word) {
    const uint8_t *arg = c->actions[0].arg;
    unsigned choice = choice_of(&c->actions[0]);
    if (choice == RENAISSANCE_MAY_END_TURN || c->action_count == 0)
        return GO_ON;
    bool is_market = choice == RENAISSANCE_MAY_PUSH;
    struct writer *w = json_client_begin(&c->client, is_market ? "rowColumnSelection" : "actionParameters");
    writer_text(w, "username", span_of(c->name));
    if (!is_market)
        writer_text(w, "action", word);
    if (choice == RENAISSANCE_MAY_PLAY_LEADER || choice == RENAISSANCE_MAY_DISCARD_LEADER)
        write_leader(w, "id", arg[0]);
    if (choice == RENAISSANCE_MAY_BUY) {
        writer_text(w, "color", span_of(renaissance_colour_word(arg[0])));
        writer_int(w, "level", arg[1]);
        writer_int(w, "devCardSlot", arg[2]);
        write_payment(w, c);
    }
    if (choice == RENAISSANCE_MAY_PRODUCE)
        write_production(w, c);
    if (is_market)
        write_line(w, c);
    return sent(c);
}

static int game_over(struct renaissance_client *c, const json_t *message) {
    const char *name;
    json_t *points;
    printf("game over:");
    json_object_foreach(json_object_get(message, "scores"), name, points)
        printf(" %s %" JSON_INTEGER_FORMAT, name, json_integer_value(points));
    printf("%s\n", json_is_true(json_object_get(message, "lorenzoWon")) ? ", lost to Lorenzo" : "");
    fflush(stdout);
    c->games++;
    return c->games == c->games_max ? 0 : log_in(c);
}

static int choose_number(struct renaissance_client *c) {
    writer_int(json_client_begin(&c->client, "numberOfPlayersSelectionReply"), "number", c->players);
    return sent(c);
}

static int take(struct renaissance_client *c, const json_t *message) {
    struct span type = json_text(message, "type");
    bool is_free = true;
    if (!renaissance_follow_take(&c->follow, message)) {
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
    if (span_is(type, "leaderCardsRequest"))
        return reply_leaders(c);
    if (span_is(type, "resourcesRequest"))
        return reply_resources(c);
    if (span_is(type, "possibleAction"))
        return reply_action(c);
    if (span_is(type, "actionResponse"))
        return send_parameters(c, json_text(message, "action"));
    if (span_is(type, "resourcesManageRequest"))
        return reply_manage(c);
    return span_is(type, "finalScore") ? game_over(c, message) : GO_ON;
}

static int play(struct renaissance_client *c) {
    int status = log_in(c);
    while (status == GO_ON) {
        json_t *message;
        enum err e = json_client_next(&c->client, &message);
        if (e != ERR_OK)
            return lost_connection(e);
        status = take(c, message);
        json_decref(message);
    }
    return status;
}

static int bot_renaissance_run(int argc, char **argv) {
    struct renaissance_client c = {.players = 2, .games_max = 1};
    const char *address = NULL, *kind_name = NULL;
    int64_t level = BOT_LEVEL_DEFAULT, seed = -1;
    const struct option_row rows[] = {
        ROW_TEXT("connect", "HOST:PORT", &address, "the server"),
        ROW_TEXT("name", "NAME", &c.name, "the nickname to play under"),
        ROW_NUMBER("players", &c.players, 1, RENAISSANCE_SEATS_MAX, NULL,
                   "how many shall play, when it is asked"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, NULL, "strength"),
        ROW_NUMBER("games", &c.games_max, 0, INT64_MAX, NULL, "end after so many games; 0 plays on"),
        ROW_TEXT("kind", "KIND", &kind_name, "another kind of bot, such as random"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, NULL, "makes its choices repeatable; -1 draws one"),
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
    const struct bot_kind *kind =
        kind_name == NULL ? &renaissance_bot_kind : bot_kind_by_name(span_of(kind_name), &renaissance_game);
    if (kind == NULL) {
        fprintf(stderr, "parlor: no kind of bot '%s' plays Masters of Renaissance\n", kind_name);
        return EXIT_USAGE;
    }
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    rng_seed(&c.rng, (uint64_t)seed);
    renaissance_follow_begin(&c.follow, span_of(c.name));
    c.bot = bot_open(kind, &renaissance_game, (unsigned)level);
    int status = json_client_open(&c.client, address) ? play(&c) : 1;
    json_client_close(&c.client);
    bot_close(c.bot);
    return status;
}

const struct bot_program bot_renaissance = {"renaissance", "a player of Masters of Renaissance over JSON",
                                            bot_renaissance_run};
