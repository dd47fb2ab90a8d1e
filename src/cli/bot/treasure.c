/* parlor bot treasure-hunt: a player over HTTP and XML. It registers with a playerUsername, so that it works
 * with every server of the protocol, and thinks from what the answers show. */
#include "base/clock.h"
#include "bots/treasure_bot.h"
#include "cli/bot/programs.h"
#include "cli/bot_choice.h"
#include "cli/command.h"
#include "cli/http_client.h"
#include "cli/options.h"
#include "wire/treasure/answer.h"
#include "wire/xml/parser.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

enum { PATH_BYTES_MAX = 600, SEAT = 0 /* the own one, in the own picture */ };

struct treasure_client {
    struct http_client http;
    char game[TREASURE_TEXT_BYTES_MAX];
    char player[TREASURE_TEXT_BYTES_MAX];
    uint32_t interval_ms;
    uint64_t asked_ms; /* when the last state was asked for */
    struct bot *bot;   /* how it thinks */
    struct rng rng;    /* of its slips */
    struct buf body, answer_text;
    struct treasure_answer answer;
    struct treasure_hunt picture; /* what is known of the map */
    unsigned actions;
    enum treasure_direction direction; /* of the last move */
};

/* Asks; false after having said what is wrong. */
static bool ask(struct treasure_client *c, const char *method, const char *path) {
    int status = 0;
    buf_clear(&c->answer_text);
    enum err e = http_client_ask(&c->http, method, path, buf_span(&c->body), &status, &c->answer_text);
    if (e == ERR_OK)
        e = treasure_answer_read(buf_span(&c->answer_text), span_of(c->player), &c->answer);
    if (e != ERR_OK)
        fprintf(stderr, "parlor: %s gave status %d: %s\n", path, status, err_sentence(e));
    else if (!c->answer.is_okay)
        fprintf(stderr, "parlor: %s: %s\n", c->answer.name, c->answer.message);
    return e == ERR_OK && c->answer.is_okay;
}

static bool create_game(struct treasure_client *c) {
    buf_clear(&c->body);
    if (!ask(c, "GET", "/games"))
        return false;
    memcpy(c->game, c->answer.id, sizeof c->game);
    printf("game %s\n", c->game);
    fflush(stdout);
    return true;
}

static bool bot_treasure_enter(struct treasure_client *c, const char *name) {
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "/games/%s/players", c->game);
    buf_clear(&c->body);
    buf_append_text(&c->body, "<playerRegistration><playerUsername>");
    xml_write_text(&c->body, span_of(name), "&<>");
    buf_append_text(&c->body, "</playerUsername></playerRegistration>");
    if (!ask(c, "POST", path))
        return false;
    memcpy(c->player, c->answer.id, sizeof c->player);
    return true;
}

/* A client must leave some time between two state queries. */
static void wait_for_turn(struct treasure_client *c) {
    uint64_t due_ms = c->asked_ms + c->interval_ms, now_ms = clock_monotonic_ms();
    if (c->asked_ms != 0 && now_ms < due_ms) {
        uint64_t left_ms = due_ms - now_ms;
        struct timespec left = {.tv_sec = (time_t)(left_ms / 1000),
                                .tv_nsec = (long)(left_ms % 1000) * 1000000};
        nanosleep(&left, NULL);
    }
    c->asked_ms = clock_monotonic_ms();
}

static bool look(struct treasure_client *c) {
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "/games/%s/states/%s", c->game, c->player);
    wait_for_turn(c);
    buf_clear(&c->body);
    if (!ask(c, "GET", path))
        return false;
    if (!c->answer.has_state)
        fprintf(stderr, "parlor: the state does not mention this player\n");
    return c->answer.has_state;
}

/* The outline of the map, once: its shape and whose half lies where. */
static void picture_begin(struct treasure_client *c) {
    struct treasure_hunt *h = &c->picture;
    unsigned fort = TREASURE_NONE;
    *h = (struct treasure_hunt){.phase = TREASURE_MOVING, .shape = TREASURE_STACKED};
    for (size_t i = 0; i < c->answer.field_count; i++)
        if (c->answer.fields[i].x >= TREASURE_HALF_WIDTH)
            h->shape = TREASURE_SIDE_BY_SIDE;
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        h->seat[seat] = (struct treasure_seat){.kind = TREASURE_SEED,
                                               .has_half = 1,
                                               .fort = TREASURE_HIDDEN,
                                               .treasure = TREASURE_HIDDEN,
                                               .position = TREASURE_HIDDEN,
                                               .fake = TREASURE_NONE,
                                               .first_seen = TREASURE_NONE};
    for (size_t i = 0; i < c->answer.field_count; i++) {
        const struct treasure_field *f = &c->answer.fields[i];
        if (f->has_own_fort)
            fort = f->y * treasure_width(h) + f->x;
    }
    h->seat[SEAT].fort = (uint8_t)fort;
    h->seat[SEAT].position = (uint8_t)fort;
    h->origin = SEAT;
    if (fort != TREASURE_NONE && treasure_half_owner(h, fort) != SEAT)
        h->origin = 1 - SEAT;
}

/* The step that is under way goes on, or has brought the avatar to another field. */
static void follow_step(struct treasure_client *c, unsigned position) {
    struct treasure_seat *own = &c->picture.seat[SEAT];
    bool is_under_way = c->actions > 0 && position == own->position;
    if (is_under_way && own->progress > 0 && own->direction == c->direction)
        own->progress++;
    else
        own->progress = is_under_way;
    own->direction = (uint8_t)c->direction;
    own->position = (uint8_t)position;
}

/* Brings the picture up to date with the last answer; false when that has no whole map. */
static bool picture_update(struct treasure_client *c) {
    struct treasure_hunt *h = &c->picture;
    struct treasure_seat *own = &h->seat[SEAT], *other = &h->seat[1 - SEAT];
    if (c->answer.field_count != TREASURE_FIELDS)
        return false;
    if (c->actions == 0)
        picture_begin(c);
    unsigned position = TREASURE_NONE, enemy = TREASURE_NONE;
    own->treasure = c->answer.has_treasure ? TREASURE_NONE : TREASURE_HIDDEN;
    own->has_treasure = c->answer.has_treasure;
    for (size_t i = 0; i < TREASURE_FIELDS; i++) {
        const struct treasure_field *f = &c->answer.fields[i];
        unsigned field = f->y * treasure_width(h) + f->x;
        if (f->x >= treasure_width(h) || f->y >= treasure_height(h))
            return false;
        h->terrain[field] = f->terrain;
        position = f->has_viewer ? field : position;
        enemy = f->has_enemy ? field : enemy;
        if (f->has_own_treasure)
            own->treasure = (uint8_t)field;
        if (f->has_enemy_fort)
            other->fort = (uint8_t)field;
    }
    if (position == TREASURE_NONE || own->fort == TREASURE_NONE)
        return false;
    follow_step(c, position);
    own->actions = (uint16_t)c->actions;
    treasure_sight_add(h, position, own->seen);
    if (c->actions >= TREASURE_FAKED_ACTIONS && own->first_seen == TREASURE_NONE) {
        own->first_seen = (uint8_t)enemy;
        own->first_seen_moves = (uint8_t)(c->actions + 1); /* the other may have been first */
    }
    other->position = (uint8_t)enemy;
    return true;
}

static bool move(struct treasure_client *c) {
    static const char *const words[TREASURE_DIRECTIONS] = {
        [TREASURE_UP] = "Up", [TREASURE_DOWN] = "Down", [TREASURE_LEFT] = "Left", [TREASURE_RIGHT] = "Right"};
    char path[PATH_BYTES_MAX];
    if (!picture_update(c)) {
        fprintf(stderr, "parlor: the state has no whole map\n");
        return false;
    }
    const struct game_view *view = (const struct game_view *)&c->picture;
    c->direction = rng_below(&c->rng, 1000) < treasure_bot_slips_after(c->bot, c->actions)
                       ? treasure_bot_slip(view, SEAT, &c->rng)
                       : treasure_bot_move(view, SEAT, c->bot->level, c->bot->nodes_max);
    c->actions++;
    snprintf(path, sizeof path, "/games/%s/moves", c->game);
    buf_clear(&c->body);
    buf_printf(&c->body, "<playerMove><uniquePlayerID>%s</uniquePlayerID><move>%s</move></playerMove>",
               c->player, words[c->direction]);
    return ask(c, "POST", path);
}

static int bot_treasure_play(struct treasure_client *c) {
    while (look(c)) {
        if (c->answer.standing == TREASURE_WON || c->answer.standing == TREASURE_LOST) {
            printf("game %s: %s\n", c->game, c->answer.standing == TREASURE_WON ? "won" : "lost");
            return 0;
        }
        if (c->answer.standing == TREASURE_MUST_ACT && !move(c))
            return 1;
    }
    return 1;
}

static int bot_treasure_run(int argc, char **argv) {
    const char *url = NULL, *game = NULL, *name = "Parlor", *spec = NULL;
    int64_t level = BOT_LEVEL_DEFAULT, seed = -1;
    struct treasure_client c = {.interval_ms = 400};
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect", "URL", &url, "the server, such as http://127.0.0.1:8080 or https://..."),
        CONNECT_ROWS(way),
        ROW_TEXT("game", "ID", &game, "the game to join; without it one is created"),
        ROW_TEXT("name", "NAME", &name, "the name to play under, at most 50 characters"),
        ROW_NUMBER("level", &level, BOT_LEVEL_MIN, BOT_LEVEL_MAX, "strength"),
        ROW_TEXT("bot", "BOT", &spec, "a bot as in parlor match, such as level:5; instead of the level"),
        ROW_NUMBER("seed", &seed, -1, INT64_MAX, "makes its choices repeatable; -1 draws one"),
        {.name = "interval",
         .value = "SECONDS",
         .help = "between two state queries",
         .kind = OPTION_SECONDS,
         .target = &c.interval_ms,
         .max = OPTION_SECONDS_MS_MAX},
        {0},
    };
    const struct options options = {
        .command = "bot treasure-hunt",
        .operands = "",
        .about = "Plays one game of Treasure Hunt on a server that speaks HTTP and XML.",
        .rows = rows,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (url == NULL) {
        fprintf(stderr, "parlor: --connect URL is needed\n");
        return EXIT_USAGE;
    }
    if (game != NULL && !span_copy(span_of(game), c.game, sizeof c.game)) {
        fprintf(stderr, "parlor: --game cannot be '%s': it is too long for an id\n", game);
        return EXIT_USAGE;
    }
    if (!http_client_is_url("--connect", url))
        return EXIT_USAGE;
    c.bot = bot_choice(&treasure_hunt_game, NULL, level, spec);
    if (c.bot == NULL)
        return EXIT_USAGE;
    if (c.bot->kind != &treasure_bot_kind) {
        fprintf(stderr, "parlor: '%s': the map of this protocol is too little for other kinds of bots\n",
                spec);
        bot_close(c.bot);
        return EXIT_USAGE;
    }
    if (seed < 0 && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return 1;
    rng_seed(&c.rng, (uint64_t)seed);
    int status = 1;
    if (http_client_open(&c.http, url, &way) && (game != NULL || create_game(&c)) &&
        bot_treasure_enter(&c, name))
        status = bot_treasure_play(&c);
    http_client_close(&c.http);
    bot_close(c.bot);
    buf_free(&c.body);
    buf_free(&c.answer_text);
    return status;
}

const struct bot_program bot_treasure = {"treasure-hunt", "a player of Treasure Hunt over HTTP and XML",
                                         bot_treasure_run};
