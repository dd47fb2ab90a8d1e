/* parlor bot paper-soccer: a UGS player. It keeps its own board, as every UGS player must, and works with any
 * UGS server. */
#include "base/log.h"
#include "bots/paper_soccer_bot.h"
#include "cli/bot/programs.h"
#include "cli/bot_choice.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/options.h"
#include "cli/ugs_client.h"
#include "host/hall/master.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

static const char *const attack_words[] = {"top", "bottom", NULL};

enum { GAME_ID_BYTES_MAX = 256 };

struct ugs_bot {
    struct ugs_client client;
    struct span nick;
    enum attack first_attack;
    struct bot *bot;
    struct rng rng;
    char table[GAME_ID_BYTES_MAX]; /* the gameId being played; empty between games */
    struct pitch pitch;
    int64_t games, games_max, won, lost;
    struct pitch_point points[PITCH_MOVE_STEPS_MAX + 1];
};

/* Ends with the exit status, or goes on. */
enum { GO_ON = -1 };

static int bot_ugs_lost_connection(enum err e) {
    fprintf(stderr, "parlor: %s\n", err_sentence(e));
    return 1;
}

/* A whole move: from the bot that thinks in moves, or step by step from one that plays any game. */
static size_t choose_move(struct ugs_bot *b, uint8_t dirs[PITCH_MOVE_STEPS_MAX]) {
    if (b->bot->kind == &paper_soccer_bot_kind)
        return pitch_bot_turn(b->bot, &b->pitch, &b->rng, dirs);
    struct pitch trial = b->pitch;
    size_t count = 0;
    while (!trial.is_over && trial.mover == b->pitch.mover) {
        struct action action;
        bot_choose(b->bot, (const struct game_view *)&trial, trial.mover, &b->rng, &action);
        dirs[count++] = action.arg[0];
        pitch_step(&trial, (enum direction)action.arg[0]);
    }
    return count;
}

static enum err send_move(struct ugs_bot *b) {
    uint8_t dirs[PITCH_MOVE_STEPS_MAX];
    size_t count = choose_move(b, dirs);
    unsigned at = b->pitch.ball;
    for (size_t i = 0; i < count; i++) {
        at = (unsigned)((int)at + pitch_offset[dirs[i]]);
        b->points[i] = pitch_point_of(at);
    }
    return ugs_client_send(&b->client, &(struct hall_message){.type = HALL_MOVE,
                                                              .has_table = true,
                                                              .table = span_of(b->table),
                                                              .points = b->points,
                                                              .point_count = count});
}

static int bot_ugs_game_over(struct ugs_bot *b, const struct hall_message *m) {
    for (size_t i = 0; i < m->player_count; i++)
        if (span_equal(m->players[i].nick, b->nick)) {
            bool has_won = span_is(m->players[i].result, "winner");
            b->won += has_won;
            b->lost += !has_won;
            printf("game %.*s: %s\n", (int)m->table.size, m->table.data, has_won ? "won" : "lost");
        }
    fflush(stdout);
    b->table[0] = '\0';
    b->games++;
    enum err e = ugs_client_send(
        &b->client,
        &(struct hall_message){.type = HALL_THANK_YOU, .has_table = m->has_table, .table = m->table});
    if (e == ERR_OK && b->games == b->games_max) {
        e = ugs_client_send(&b->client, &(struct hall_message){.type = HALL_LOGOUT});
        return e == ERR_OK ? 0 : bot_ugs_lost_connection(e);
    }
    return e == ERR_OK ? GO_ON : bot_ugs_lost_connection(e);
}

/* Brings the own board up to date with the move that a state carries. False when it does not fit. */
static bool bot_ugs_follow(struct ugs_bot *b, const struct hall_message *m) {
    return m->unread == ERR_OK &&
           (m->point_count == 0 || pitch_play_move(&b->pitch, m->points, m->point_count, NULL) == ERR_OK);
}

static int take_state(struct ugs_bot *b, const struct hall_message *m) {
    if (m->is_over)
        return bot_ugs_game_over(b, m);
    if (!span_is(m->table, b->table)) {
        if (!span_copy(m->table, b->table, sizeof b->table))
            return bot_ugs_lost_connection(ERR_TOO_LARGE);
        pitch_setup(&b->pitch, b->first_attack);
    }
    enum err e = ERR_OK;
    if (!bot_ugs_follow(b, m))
        e = ugs_client_send(
            &b->client,
            &(struct hall_message){.type = HALL_LEAVE_GAME, .has_table = true, .table = span_of(b->table)});
    else if (m->has_next && span_equal(m->next, b->nick) && !b->pitch.is_over)
        e = send_move(b);
    return e == ERR_OK ? GO_ON : bot_ugs_lost_connection(e);
}

static void print_champions(const struct hall_message *m) {
    printf("champions:\n");
    for (size_t i = 0; i < m->player_count; i++)
        printf("%3zu. %-24.*s %3d won %3d lost\n", i + 1, (int)m->players[i].nick.size,
               m->players[i].nick.data, m->players[i].won, m->players[i].lost);
    fflush(stdout);
}

static int bot_ugs_take(struct ugs_bot *b, const struct hall_message *m) {
    switch (m->type) {
    case HALL_LOGIN_RESPONSE:
        if (m->login_error == HALL_LOGIN_OK)
            return GO_ON;
        fprintf(stderr, "parlor: the server refused the login: error %d, %s\n", (int)m->login_error,
                hall_login_sentence(m->login_error));
        return 1;
    case HALL_GAME_STATE: return take_state(b, m);
    case HALL_CHAMPIONS_LIST: print_champions(m); return GO_ON;
    case HALL_SERVER_SHUTDOWN: return 0;
    case HALL_ERROR: log_event(LOG_WARN, "server-error", LOG_TEXT("text", m->text)); return GO_ON;
    default: return GO_ON;
    }
}

static int bot_ugs_play(struct ugs_bot *b, const char *type) {
    enum err e = ugs_client_send(
        &b->client,
        &(struct hall_message){.type = HALL_PLAYER_LOGIN, .nick = b->nick, .game_type = span_of(type)});
    int status = e == ERR_OK ? GO_ON : bot_ugs_lost_connection(e);
    while (status == GO_ON) {
        struct hall_message m;
        e = ugs_client_next(&b->client, &m);
        if (e == ERR_OK)
            status = bot_ugs_take(b, &m);
        else if (e != ERR_UNKNOWN_TYPE)
            status = bot_ugs_lost_connection(e);
    }
    return status;
}

static int bot_ugs_run(int argc, char **argv) {
    const char *address = NULL, *nick = NULL, *type = master_types[0], *kind_name = NULL, *spec = NULL;
    int first_attack = ATTACK_TOP;
    int64_t level = BOT_LEVEL_DEFAULT, games_max = 0, seed = -1;
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect_to", "IP:PORT", &address, "the UGS server"),
        CONNECT_ROWS(way),
        ROW_TEXT("nick", "NICK", &nick, "the name to play under, without blanks"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "strength"),
        ROW_NUMBER("games", &games_max, 0, INT64_MAX, "log out after so many games; 0 plays on"),
        ROW_TEXT("kind", "KIND", &kind_name, "another kind of bot, such as random"),
        ROW_TEXT("bot", "BOT", &spec, "a bot as in parlor match, such as level:5,ms=100; instead of the two"),
        ROW_TEXT("game-type", "TYPE", &type, "the name of the game on the server"),
        ROW_WORD("first-attacks", "top|bottom", &first_attack, attack_words,
                 "the goal that the first player attacks"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, "makes its choices repeatable; -1 draws one"),
        {0},
    };
    const struct options options = {
        .command = "bot paper-soccer",
        .operands = "",
        .about = "Plays Paper Soccer on a UGS server, one game after the other.",
        .rows = rows,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (address == NULL || nick == NULL) {
        fprintf(stderr, "parlor: --connect_to IP:PORT and --nick NICK are needed\n");
        return EXIT_USAGE;
    }
    if (!connect_is_address("--connect_to", address))
        return EXIT_USAGE;
    struct bot *bot = bot_choice(&paper_soccer_game, kind_name, level, spec);
    if (bot == NULL)
        return EXIT_USAGE;
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    struct ugs_bot b = {
        .nick = span_of(nick), .first_attack = (enum attack)first_attack, .games_max = games_max};
    rng_seed(&b.rng, (uint64_t)seed);
    b.bot = bot;
    int status = ugs_client_open(&b.client, address, &way, true) ? bot_ugs_play(&b, type) : 1;
    if (b.games > 0)
        printf("%" PRId64 " games: %" PRId64 " won, %" PRId64 " lost\n", b.games, b.won, b.lost);
    ugs_client_close(&b.client);
    bot_close(b.bot);
    return status;
}

const struct bot_program bot_ugs = {"paper-soccer", "a player on a server of the Universal Game System",
                                    bot_ugs_run};
