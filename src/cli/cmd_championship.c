/* parlor championship: opens, fills, directs and shows a championship of a running server, over its API. Each
 * word is one request; the owner's token comes from the environment, because others can see a command line.
 */
#include "base/span.h"
#include "cli/command.h"
#include "cli/http_client.h"
#include "cli/journal/tool.h"
#include "cli/options.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHAMPIONSHIP_TOKEN_VARIABLE "PARLOR_TOKEN"
#define CHAMPIONSHIP_URL_DEFAULT    "http://127.0.0.1:8080"

enum {
    CHAMPIONSHIP_OPERANDS_MAX = 258, /* a word, a name, and so many entrants */
    CHAMPIONSHIP_PATH_BYTES_MAX = 512,
    CHAMPIONSHIP_BODY_BYTES_MAX = 4096,
};

static struct {
    const char *url, *game, *format, *protocol, *why;
    uint32_t seats, rounds, turn_ms, tables, bot, pairing;
    bool is_client, is_json;
} asked;

static const struct option_row championship_rows[] = {
    ROW_TEXT("url", "URL", &asked.url, "of the server"),
    ROW_TEXT("game", "GAME", &asked.game, "open, ratings: the game"),
    ROW_TEXT("format", "FORMAT", &asked.format,
             "open: round-robin, double-round-robin, swiss, knockout or ladder"),
    ROW_TEXT("protocol", "NAME", &asked.protocol, "open: whose clients may enter, too"),
    ROW_U32("seats", &asked.seats, 2, 4, "open: at a table"),
    ROW_U32("rounds", &asked.rounds, 1, 255, "open: of swiss and ladder"),
    ROW_SECONDS("turn", &asked.turn_ms, "open: for a turn"),
    ROW_U32("tables", &asked.tables, 1, 64, "open: at the same time"),
    ROW_U32("bot", &asked.bot, 1, 5, "enter: bots of this level"),
    ROW_FLAG("client", &asked.is_client, "enter: clients of the protocol of the championship"),
    ROW_U32("pairing", &asked.pairing, 0, 8191, "replay: its number"),
    ROW_TEXT("why", "TEXT", &asked.why, "disqualify: the reason"),
    ROW_FLAG("json", &asked.is_json, "print answers as the server gives them"),
    {0},
};

static const char championship_about[] =
    "Championships of a running server. What is the owner's needs the token in the environment, "
    "as\n" CHAMPIONSHIP_TOKEN_VARIABLE ".\n\n"
    "  list                       all of them\n"
    "  open NAME                  opens one, and prints the owner's token\n"
    "  enter NAME ENTRANT...      enters bots, or players, whose tokens are printed\n"
    "  leave NAME ENTRANT         takes an entry back, or withdraws\n"
    "  start NAME, pause NAME, resume NAME, cancel NAME\n"
    "  disqualify NAME ENTRANT    who loses whatever is to come\n"
    "  replay NAME                plays a pairing again\n"
    "  show NAME                  standings and pairings\n"
    "  csv NAME                   the standings for table calculators\n"
    "  ratings                    who is how strong at a game (Glicko-2), by championships that are over";

/* One request; prints why it was refused. The answer is given, or NULL. */
static json_t *championship_ask(struct http_client *client, const char *method, const char *path,
                                const json_t *body, struct buf *text) {
    char sent[CHAMPIONSHIP_BODY_BYTES_MAX];
    size_t size = body == NULL ? 0 : json_dumpb(body, sent, sizeof sent, JSON_COMPACT);
    int status = 0;
    buf_clear(text);
    enum err e = size > sizeof sent
                     ? ERR_TOO_LARGE
                     : http_client_ask(client, method, path, span_make(sent, size), &status, text);
    if (e != ERR_OK) {
        fprintf(stderr, "parlor: %s: %s\n", asked.url, err_sentence(e));
        return NULL;
    }
    json_t *answer = json_loadb(text->data, text->size, 0, NULL);
    if (status < 300)
        return answer == NULL ? json_object() : answer; /* a table for calculators is none */
    const char *reason = json_string_value(json_object_get(answer, "reason"));
    fprintf(stderr, "parlor: %s\n", reason == NULL ? "the server has refused it" : reason);
    json_decref(answer);
    return NULL;
}

/* The path of a championship. Names are as the server has them, so nothing in them needs an escape; whatever
 * else is asked for is refused. */
static bool championship_path(char path[CHAMPIONSHIP_PATH_BYTES_MAX], const char *name, const char *what) {
    bool fits =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == strlen(name) &&
        name[0] != '\0' && strlen(name) <= 50;
    if (fits)
        snprintf(path, CHAMPIONSHIP_PATH_BYTES_MAX, "/api/v1/championships/%s%s", name, what);
    else
        fprintf(stderr, "parlor: '%s' is no name of a championship\n", name);
    return fits;
}

/* Names of games have nothing that needs an escape either. */
static bool championship_ratings_path(char path[CHAMPIONSHIP_PATH_BYTES_MAX]) {
    const char *game = asked.game == NULL ? "" : asked.game;
    bool fits =
        game[0] != '\0' && strspn(game, "abcdefghijklmnopqrstuvwxyz-") == strlen(game) && strlen(game) <= 50;
    if (fits)
        snprintf(path, CHAMPIONSHIP_PATH_BYTES_MAX, "/api/v1/ratings?game=%s", game);
    else
        fprintf(stderr, "parlor: championship ratings: --game is the name of a game\n");
    return fits;
}

static void championship_set(json_t *body, const char *name, const char *text) {
    if (text != NULL)
        json_object_set_new(body, name, json_string(text));
}

static void championship_set_number(json_t *body, const char *name, uint32_t number) {
    if (number != 0)
        json_object_set_new(body, name, json_integer(number));
}

static bool championship_open(struct http_client *client, const char *name, struct buf *text) {
    json_t *body = json_object();
    championship_set(body, "name", name);
    championship_set(body, "game", asked.game);
    championship_set(body, "format", asked.format == NULL ? "round-robin" : asked.format);
    championship_set(body, "protocol", asked.protocol);
    championship_set_number(body, "seats", asked.seats);
    championship_set_number(body, "rounds", asked.rounds);
    championship_set_number(body, "turn_ms", asked.turn_ms);
    championship_set_number(body, "tables_max", asked.tables);
    json_t *answer = championship_ask(client, "POST", "/api/v1/championships", body, text);
    if (answer != NULL && !asked.is_json)
        printf("%s\n", json_string_value(json_object_get(answer, "owner_token")));
    json_decref(body);
    json_decref(answer);
    return answer != NULL;
}

static bool championship_enter(struct http_client *client, const char *path, const char *entrant,
                               struct buf *text) {
    json_t *body = json_object();
    championship_set(body, "name", entrant);
    championship_set_number(body, "bot", asked.bot);
    if (asked.is_client)
        json_object_set_new(body, "client", json_true());
    json_t *answer = championship_ask(client, "POST", path, body, text);
    const char *token = json_string_value(json_object_get(answer, "token"));
    if (answer != NULL && !asked.is_json && token != NULL)
        printf("%s %s\n", token, entrant);
    json_decref(body);
    json_decref(answer);
    return answer != NULL;
}

static int64_t championship_stamp(const json_t *stamps, const char *name) {
    return json_integer_value(json_object_get(stamps, name));
}

/* By what a pairing was lost, and the end of its line. */
static void championship_show_loss(const json_t *row) {
    const char *why = json_string_value(json_object_get(row, "why"));
    const char *rule = json_string_value(json_object_get(row, "rule"));
    const char *sent = json_string_value(json_object_get(row, "sent"));
    const json_t *object = json_object_get(row, "stamps");
    const struct event_stamps stamps = {.asked_ms = championship_stamp(object, "asked_ms"),
                                        .heard_ms = championship_stamp(object, "heard_ms"),
                                        .used_ms = (uint32_t)championship_stamp(object, "used_ms"),
                                        .allowed_ms = (uint32_t)championship_stamp(object, "allowed_ms")};
    bool has_rule = rule != NULL && rule[0] != '\0';
    struct buf cause = {0};
    journal_cause_words(sent == NULL ? "" : sent, json_is_object(object) ? &stamps : NULL, &cause);
    if (why != NULL && why[0] != '\0')
        printf("; %s%s%s%s%.*s", has_rule ? "(" : "", has_rule ? rule : "", has_rule ? ") " : "", why,
               (int)cause.size, cause.size == 0 ? "" : cause.data);
    putchar('\n');
    buf_free(&cause);
}

static void championship_show(const json_t *cup) {
    size_t i, seat;
    const json_t *row, *player;
    printf("%s: %s, %s, %s\n", json_string_value(json_object_get(cup, "name")),
           json_string_value(json_object_get(cup, "type")), json_string_value(json_object_get(cup, "format")),
           json_string_value(json_object_get(cup, "state")));
    json_array_foreach(json_object_get(cup, "standings"), i, row) printf(
        "%4lld  %-30s %7.3g  %lld-%lld-%lld  %7.2f +- %.2f\n",
        (long long)json_integer_value(json_object_get(row, "place")),
        json_string_value(json_object_get(row, "nick")), json_number_value(json_object_get(row, "points")),
        (long long)json_integer_value(json_object_get(row, "won")),
        (long long)json_integer_value(json_object_get(row, "drawn")),
        (long long)json_integer_value(json_object_get(row, "lost")),
        json_number_value(json_object_get(row, "rating")),
        json_number_value(json_object_get(row, "deviation")));
    json_array_foreach(json_object_get(cup, "pairings"), i, row) {
        const json_t *points = json_object_get(row, "points");
        const char *table = json_string_value(json_object_get(row, "table"));
        printf("%4zu  round %lld  %-10s %-10s ", i,
               (long long)json_integer_value(json_object_get(row, "round")), table == NULL ? "" : table,
               json_string_value(json_object_get(row, "how")));
        json_array_foreach(json_object_get(row, "players"), seat, player) {
            printf("%s%s", seat == 0 ? "" : " - ", json_string_value(player));
            if (json_array_size(points) > 0)
                printf(" %.3g", json_number_value(json_array_get(points, seat)));
        }
        championship_show_loss(row);
    }
}

static void championship_list(const json_t *answer) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(answer, "championships"), i, row) {
        const char *format = json_string_value(json_object_get(row, "format"));
        printf("%-24s %-14s %-18s %-9s %lld entered\n", json_string_value(json_object_get(row, "name")),
               json_string_value(json_object_get(row, "type")), format == NULL ? "ugs" : format,
               json_string_value(json_object_get(row, "state")),
               (long long)json_integer_value(json_object_get(row, "entered")));
    }
}

static void championship_ratings(const json_t *answer) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(answer, "ratings"), i, row) {
        long long played = (long long)json_integer_value(json_object_get(row, "games"));
        long long cups = (long long)json_integer_value(json_object_get(row, "championships"));
        printf("%4zu  %-30s %8.2f +- %-7.2f %lld game%s, %lld championship%s\n", i + 1,
               json_string_value(json_object_get(row, "name")),
               json_number_value(json_object_get(row, "rating")),
               json_number_value(json_object_get(row, "deviation")), played, played == 1 ? "" : "s", cups,
               cups == 1 ? "" : "s");
    }
}

/* What the owner does with one: the word is the last piece of the path. */
static bool championship_direct(struct http_client *client, const char *word, const struct operands *operands,
                                struct buf *text) {
    char path[CHAMPIONSHIP_PATH_BYTES_MAX], what[32];
    json_t *body = json_object();
    snprintf(what, sizeof what, "/%s", word);
    championship_set(body, "name", operands->count > 2 ? operands->list[2] : NULL);
    championship_set(body, "why", asked.why);
    if (strcmp(word, "replay") == 0)
        json_object_set_new(body, "pairing", json_integer(asked.pairing));
    json_t *answer = championship_path(path, operands->list[1], what)
                         ? championship_ask(client, "POST", path, body, text)
                         : NULL;
    if (answer != NULL && !asked.is_json)
        printf("%s is %s\n", json_string_value(json_object_get(answer, "name")),
               json_string_value(json_object_get(answer, "state")));
    json_decref(body);
    json_decref(answer);
    return answer != NULL;
}

static bool championship_look(struct http_client *client, const char *word, const struct operands *operands,
                              struct buf *text) {
    char path[CHAMPIONSHIP_PATH_BYTES_MAX] = "/api/v1/championships";
    bool is_csv = strcmp(word, "csv") == 0, is_list = strcmp(word, "list") == 0;
    bool is_ratings = strcmp(word, "ratings") == 0;
    if (is_ratings && !championship_ratings_path(path))
        return false;
    if (!is_list && !is_ratings &&
        !championship_path(path, operands->list[1], is_csv ? "/standings.csv" : ""))
        return false;
    json_t *answer = championship_ask(client, "GET", path, NULL, text);
    if (answer != NULL && is_csv)
        printf("%.*s", (int)text->size, text->data);
    else if (answer != NULL && !asked.is_json && is_list)
        championship_list(answer);
    else if (answer != NULL && !asked.is_json && is_ratings)
        championship_ratings(answer);
    else if (answer != NULL && !asked.is_json)
        championship_show(answer);
    json_decref(answer);
    return answer != NULL;
}

/* The words, how many more follow, and of which kind they are. */
static const struct championship_word {
    const char *word;
    int least, most;
    enum { WORD_LOOK, WORD_OPEN, WORD_ENTER, WORD_DIRECT } kind;
} championship_words[] = {
    {"list", 0, 0, WORD_LOOK},     {"show", 1, 1, WORD_LOOK},
    {"csv", 1, 1, WORD_LOOK},      {"ratings", 0, 0, WORD_LOOK},
    {"open", 1, 1, WORD_OPEN},     {"enter", 2, CHAMPIONSHIP_OPERANDS_MAX, WORD_ENTER},
    {"leave", 1, 2, WORD_DIRECT},  {"start", 1, 1, WORD_DIRECT},
    {"pause", 1, 1, WORD_DIRECT},  {"resume", 1, 1, WORD_DIRECT},
    {"cancel", 1, 1, WORD_DIRECT}, {"disqualify", 2, 2, WORD_DIRECT},
    {"replay", 1, 1, WORD_DIRECT},
};

static bool championship_do(struct http_client *client, const struct championship_word *word,
                            const struct operands *operands, struct buf *text) {
    char path[CHAMPIONSHIP_PATH_BYTES_MAX];
    bool is_done = true;
    switch (word->kind) {
    case WORD_LOOK: return championship_look(client, word->word, operands, text);
    case WORD_OPEN: return championship_open(client, operands->list[1], text);
    case WORD_DIRECT: return championship_direct(client, word->word, operands, text);
    case WORD_ENTER: break;
    }
    is_done = championship_path(path, operands->list[1], "/entrants");
    for (int i = 2; i < operands->count && is_done; i++)
        is_done = championship_enter(client, path, operands->list[i], text);
    return is_done;
}

static int championship_take(const struct operands *operands) {
    const struct championship_word *word = NULL;
    for (size_t i = 0; i < sizeof championship_words / sizeof *championship_words; i++)
        if (strcmp(championship_words[i].word, operands->list[0]) == 0)
            word = &championship_words[i];
    if (word == NULL || operands->count - 1 < word->least || operands->count - 1 > word->most) {
        fprintf(stderr, "parlor: championship %s: see 'parlor championship --help'\n", operands->list[0]);
        return EXIT_USAGE;
    }
    struct http_client client;
    struct buf text = {0};
    bool is_done = http_client_open(&client, asked.url, NULL);
    client.type = "application/json";
    client.token = getenv(CHAMPIONSHIP_TOKEN_VARIABLE);
    if (client.token != NULL && client.token[0] == '\0')
        client.token = NULL;
    is_done = is_done && championship_do(&client, word, operands, &text);
    if (is_done && asked.is_json && strcmp(word->word, "csv") != 0)
        printf("%.*s\n", (int)text.size, text.data);
    http_client_close(&client);
    buf_free(&text);
    return is_done ? 0 : 1;
}

static int championship_run(int argc, char **argv) {
    struct operands operands;
    asked.url = CHAMPIONSHIP_URL_DEFAULT;
    const struct options options = {.command = "championship",
                                    .operands = "WORD [NAME [ENTRANT...]]",
                                    .about = championship_about,
                                    .rows = championship_rows,
                                    .operands_min = 1,
                                    .operands_max = CHAMPIONSHIP_OPERANDS_MAX};
    int status = options_parse(&options, argc, argv, &operands);
    if (status == OPTIONS_GO_ON && !http_client_is_url("--url", asked.url))
        status = EXIT_USAGE;
    return status == OPTIONS_GO_ON ? championship_take(&operands) : status;
}

const struct command cmd_championship = {"championship", "open, direct and show championships of a server",
                                         championship_run};
