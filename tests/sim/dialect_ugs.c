/* The Universal Game System in the simulation: players of Paper Soccer at the built-in master, good and bad
 * ones, among them players that move segment by segment, and players of a game that nobody knows with a game
 * master of their own. */
#include "json_clients.h"

#include "games/paper_soccer/paper_soccer.h"
#include "host/hall/mixed.h"
#include "host/room/room.h"
#include "wire/ugs/port.h"
#include "wire/xml/frame.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PLAYERS_MIN = 2,
    PLAYERS_MORE = 10,
    ODD_PLAYERS = 3,
    SEGMENT_PLAYERS_MAX = 6,
    MASTER_GAMES_MAX = 8,
    MASTER_MOVES = 6, /* then a game of the odd master is over */
    NICK_BYTES_MAX = 24,
    PAYLOAD_BYTES_MAX = 200,
    TEXT_BYTES_MAX = 8192,
    THINK_MS = 60,
    AWAY_MS = 1500,
    PATIENCE_MS = 6000,
};

#define ODD_TYPE     "odd-game"
#define SEGMENT_TYPE "paper_football"

extern const struct sim_dialect ugs_dialect;

/* What all of a run share; there is one run at a time. */
static struct {
    struct ugs_port_config config;
    struct ugs_reader *reader, *told_reader;
    struct buf out;
    struct segment_ear *ears;
} ugs;

enum due { DUE_NOTHING, DUE_TURN, DUE_THANKS };

struct player {
    struct xml_frame frame;
    const char *type;
    bool is_odd; /* plays the game that the built-in master does not know */
    unsigned malice_per_mille;
    unsigned nick_number;
    char nick[NICK_BYTES_MAX];
    bool has_asked, is_in;
    enum due due;
    char table[HALL_TABLE_ID_BYTES_MAX];
    struct pitch pitch;
    bool is_number; /* its nick is: it may be taken for a player that moves segment by segment */
};

/* What a player that moves segment by segment has been shown. */
struct segment_pitch {
    struct pitch pitch;
    char table[HALL_TABLE_ID_BYTES_MAX];
    char points[TEXT_BYTES_MAX / 2]; /* of the turn that is being shown */
};

/* What was told on one connection to a player that is, or may be taken for, one of those. A client that has
 * connected again may still be told things on the connection before. */
struct segment_ear {
    struct segment_ear *next;
    size_t connection;
    bool is_welcome;   /* its login was answered: the server knows what it is */
    bool is_dismissed; /* it was told something after which nothing follows */
    bool is_asked;     /* for a move, to see what it is; it has not been told yet what the other one moved */
    struct segment_pitch pitch;
};

/* It answers every gameState that names it with exactly one move, also when the game is over by then. */
struct segment_player {
    struct xml_frame frame;
    unsigned malice_per_mille;
    unsigned nick_number;
    char nick[NICK_BYTES_MAX];
    bool is_known; /* logs in byte for byte as the known program does */
    bool is_in, owes_move, has_moved;
    unsigned early; /* moves that it has sent before it was asked for them */
    struct segment_pitch seen;
};

struct master_game {
    char table[HALL_TABLE_ID_BYTES_MAX];
    char nicks[3][NICK_BYTES_MAX];
    size_t count;
    unsigned moves;
    bool has_left[3];
    bool owes;
};

struct sim_master {
    struct xml_frame frame;
    bool has_asked, is_in;
    struct master_game games[MASTER_GAMES_MAX];
};

static struct segment_ear *ear_of(size_t connection) {
    struct segment_ear *ear = ugs.ears;
    while (ear != NULL && ear->connection != connection)
        ear = ear->next;
    if (ear != NULL)
        return ear;
    ear = calloc(1, sizeof *ear);
    assert(ear != NULL);
    ear->connection = connection;
    ear->next = ugs.ears;
    ugs.ears = ear;
    return ear;
}

static void ears_free(void) {
    while (ugs.ears != NULL) {
        struct segment_ear *next = ugs.ears->next;
        free(ugs.ears);
        ugs.ears = next;
    }
}

static void say(struct sim_client *client, const struct hall_message *m) {
    buf_clear(&ugs.out);
    ugs_write(&ugs.out, m, &ugs.config.style);
    sim_client_send(client, buf_span(&ugs.out));
}

static void say_raw(struct sim_client *client, const char *text) {
    sim_client_send(client, span_of(text));
}

static void say_garbage(struct sim_client *client) {
    static const char *const texts[] = {
        "hello\r\n",
        "<message type=\"",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><message/>",
        "<message type='ping'/>",
        "<message type='move'></mess></message>",
        "<message type='thank you'><gameId id='ZZZZZZZZZZ'/></message>",
        "<message type='gameState'><gameId id='1'/><nextPlayer nick='x'/><gameState/></message>",
        "<message type='move'><gameId id='0000000000'/><move><point x='0' y='1'/></move></message>",
        "<message type='move'><move><point x='1e9' y='z'/></move></message>",
        "\xff\xfe\x00",
        "<message type='error'>&#x41;</message>",
        "<message type='playerLogin'><playerLogin nick='a b' gameType='paper-soccer'/></message>",
    };
    say_raw(client, texts[sim_below(&client->rng, sizeof texts / sizeof *texts)]);
}

/* All whole messages in the bytes, each to take; the client may be gone after one. */
static void hear(struct sim_client *client, struct xml_frame *frame, struct span bytes,
                 void (*take)(struct sim_client *, const struct hall_message *)) {
    while (client->conn != NULL) {
        struct span document;
        struct hall_message m;
        if (xml_frame_next(frame, &bytes, &document) != ERR_OK) {
            sim_fail(client->sim, "what the server sends to client %zu is not XML", client->index);
            return;
        }
        if (document.size == 0)
            return;
        if (ugs_read(ugs.reader, document, &m) != ERR_OK) {
            sim_fail(client->sim, "what the server sends to client %zu cannot be read: %.*s", client->index,
                     (int)document.size, document.data);
            return;
        }
        take(client, &m);
    }
}

static void points_text(char *text, size_t text_size, const struct pitch_point *points, size_t count) {
    size_t used = strlen(text);
    for (size_t i = 0; i < count && used < text_size; i++)
        used += (size_t)snprintf(text + used, text_size - used, "(%d,%d)", points[i].x, points[i].y);
}

static void text_add(char *text, const char *a, const char *b) {
    size_t used = strlen(text);
    snprintf(text + used, TEXT_BYTES_MAX - used, "%s%s", a, b);
}

/* Who is next, or how it ended. */
static void text_add_state(char *text, const struct hall_message *m) {
    char nick[NICK_BYTES_MAX] = "";
    if (m->has_next && span_copy(m->next, nick, sizeof nick))
        text_add(text, "next ", nick);
    for (size_t i = 0; i < m->player_count && m->is_over; i++) {
        char result[16] = "";
        if (span_copy(m->players[i].nick, nick, sizeof nick) &&
            span_copy(m->players[i].result, result, sizeof result)) {
            text_add(text, i == 0 ? "over " : " ", nick);
            text_add(text, ":", result);
        }
    }
    text_add(text, " | ", "");
}

/* A player whose nick is a number is asked for a move before it is told the first one of the other player, in
 * a state that says nothing; and when the game is over by then, it is never told that one. */
static bool ear_is_asked(struct segment_ear *ear, const struct hall_message *m) {
    bool is_begun = span_is(m->table, ear->pitch.table);
    bool was_asked = is_begun && ear->is_asked;
    ear->is_asked = is_begun && m->has_next && m->payload.size == 0;
    return ear->is_asked || (was_asked && m->is_over);
}

static bool player_is_asked(const struct player *p, size_t connection, const struct hall_message *m) {
    if (!p->is_number)
        return false;
    struct segment_ear *ear = ear_of(connection);
    bool is_asked = ear_is_asked(ear, m);
    if (!span_copy(m->table, ear->pitch.table, sizeof ear->pitch.table))
        ear->pitch.table[0] = '\0';
    return is_asked;
}

/* The points of an illegal move are not for those who are shown segments. */
static void tell_state(struct sim *sim, size_t connection, uint64_t table, const struct hall_message *m,
                       const char *text) {
    if (m->is_over && m->payload.size == 0)
        sim_told_beginning(sim, &ugs_dialect, connection, table, text);
    else
        sim_told(sim, &ugs_dialect, connection, table, true, text);
}

static void player_told(struct sim_client *client, size_t connection, struct span bytes) {
    const struct player *p = client->own;
    struct hall_message m;
    char text[TEXT_BYTES_MAX] = "";
    uint64_t table;
    if (ugs_read(ugs.told_reader, bytes, &m) != ERR_OK) {
        sim_fail(client->sim, "the server says what it cannot read itself: %.*s", (int)bytes.size,
                 bytes.data);
        return;
    }
    if (m.type != HALL_GAME_STATE)
        return;
    if (!table_code_parse(m.table, &table)) {
        sim_fail(client->sim, "a table has an id that is none");
        return;
    }
    if (player_is_asked(p, connection, &m))
        return;
    text_add_state(text, &m);
    points_text(text, sizeof text, m.points, m.point_count);
    if (!p->is_odd) {
        tell_state(client->sim, connection, table, &m, text);
        return;
    }
    /* Games that are not journalled are numbered anew by every server. */
    table |= client->sim->server->start << TABLE_ID_BITS;
    sim_told(client->sim, &ugs_dialect, connection, table, false, text);
}

static void player_login(struct sim_client *client) {
    struct player *p = client->own;
    if (p->is_number)
        snprintf(p->nick, sizeof p->nick, "%zu%03u", client->index, p->nick_number % 1000);
    else
        snprintf(p->nick, sizeof p->nick, "p%zu-%u", client->index, p->nick_number);
    p->has_asked = true;
    say(client, &(struct hall_message){
                    .type = HALL_PLAYER_LOGIN, .nick = span_of(p->nick), .game_type = span_of(p->type)});
    sim_client_act_in(client, PATIENCE_MS);
}

static struct hall_message about_table(const struct player *p, enum hall_type type) {
    return (struct hall_message){.type = type, .has_table = true, .table = span_of(p->table)};
}

static void send_points(struct sim_client *client, const struct pitch_point *points, size_t count) {
    struct player *p = client->own;
    struct hall_message move = about_table(p, HALL_MOVE);
    move.points = points;
    move.point_count = count;
    say(client, &move);
}

static size_t move_choose(struct sim_client *client, struct pitch_point points[PITCH_MOVE_STEPS_MAX + 1]) {
    const struct player *p = client->own;
    struct pitch copy = p->pitch;
    size_t count = 0;
    if (copy.is_over) { /* it does not know better: the game is not this one */
        points[0] = (struct pitch_point){0, 1};
        return 1;
    }
    do {
        unsigned exits = pitch_exits(&copy);
        for (uint32_t skip = sim_below(&client->rng, (uint32_t)__builtin_popcount(exits)); skip > 0; skip--)
            exits &= exits - 1;
        pitch_step(&copy, (enum direction)__builtin_ctz(exits));
        points[count++] = pitch_point_of(copy.ball);
    } while (!copy.is_over && copy.mover == p->pitch.mover);
    return count;
}

/* Something that a good player does not do on its turn. */
static void misbehave(struct sim_client *client) {
    struct player *p = client->own;
    struct pitch_point points[PITCH_MOVE_STEPS_MAX + 1];
    size_t count = move_choose(client, points);
    struct hall_message leave = about_table(p, HALL_LEAVE_GAME);
    switch (sim_below(&client->rng, 12)) {
    case 0: send_points(client, points, 0); break;
    case 1: send_points(client, points, count - 1); break;
    case 2:
        points[count] = (struct pitch_point){points[count - 1].x, points[count - 1].y + 1};
        send_points(client, points, count + 1);
        break;
    case 3: send_points(client, &(struct pitch_point){-100, 7}, 1); break;
    case 4: say_garbage(client); break;
    case 5: say(client, &leave); break;
    case 6: say(client, &(struct hall_message){.type = HALL_LOGOUT}); break;
    case 7: sim_client_close(client, false); break;
    case 8: sim_client_close(client, true); break;
    case 9: /* twice, the second time too early */
        send_points(client, points, count);
        send_points(client, points, count);
        break;
    case 10: say_raw(client, "<message type='move'><move><point x='0'"); break;
    case 11: break; /* says nothing */
    }
}

static void player_turn(struct sim_client *client) {
    const struct player *p = client->own;
    struct pitch_point points[PITCH_MOVE_STEPS_MAX + 1];
    if (sim_chance(&client->rng, p->malice_per_mille)) {
        misbehave(client);
        return;
    }
    send_points(client, points, move_choose(client, points));
}

static void player_thanks(struct sim_client *client) {
    struct player *p = client->own;
    struct hall_message thanks = about_table(p, HALL_THANK_YOU);
    if (sim_chance(&client->rng, p->malice_per_mille)) {
        say(client, sim_chance(&client->rng, 500) ? &(struct hall_message){.type = HALL_ERROR} : &thanks);
        if (sim_chance(&client->rng, 500))
            sim_client_close(client, sim_chance(&client->rng, 500));
        return;
    }
    say(client, &thanks);
}

static void player_acts(struct sim_client *client) {
    struct player *p = client->own;
    enum due due = p->due;
    if (client->conn == NULL) {
        xml_frame_free(&p->frame);
        p->frame = (struct xml_frame){0};
        p->has_asked = p->is_in = false;
        p->due = DUE_NOTHING;
        p->table[0] = '\0';
        bool is_connected = sim_client_connect(client);
        sim_client_act_in(client, sim_below(&client->rng, is_connected ? THINK_MS : AWAY_MS));
        return;
    }
    sim_client_act_in(client, PATIENCE_MS);
    if (!p->is_in) {
        if (sim_chance(&client->rng, p->malice_per_mille / 4))
            say_garbage(client);
        else
            player_login(client);
        return;
    }
    p->due = DUE_NOTHING;
    switch (due) {
    case DUE_TURN: player_turn(client); break;
    case DUE_THANKS: player_thanks(client); break;
    case DUE_NOTHING:
        if (sim_chance(&client->rng, p->malice_per_mille))
            say_garbage(client);
        break;
    }
    if (client->conn == NULL) /* it hung up itself */
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

/* The points of a state, played on the player's own pitch. */
static void follow_points(struct player *p, const struct pitch_point *points, size_t count) {
    for (size_t i = 0; i < count && !p->pitch.is_over; i++) {
        int target = pitch_index_of(points[i]);
        for (unsigned d = 0; d < DIRECTIONS; d++)
            if (target == p->pitch.ball + pitch_offset[d] && (pitch_exits(&p->pitch) & (1u << d)) != 0) {
                pitch_step(&p->pitch, (enum direction)d);
                break;
            }
    }
}

static void player_state(struct sim_client *client, const struct hall_message *m) {
    struct player *p = client->own;
    if (!span_is(m->table, p->table)) {
        pitch_setup(&p->pitch, ugs.config.master.first_attack);
        if (!span_copy(m->table, p->table, sizeof p->table))
            p->table[0] = '\0';
    }
    bool is_mine = m->has_next && span_is(m->next, p->nick);
    bool is_over = m->is_over;
    if (m->unread == ERR_OK)
        follow_points(p, m->points, m->point_count);
    p->due = is_over ? DUE_THANKS : is_mine ? DUE_TURN : DUE_NOTHING;
    bool dawdles = sim_chance(&client->rng, p->malice_per_mille / 4);
    uint32_t think_ms = dawdles ? 2 * ugs.config.hall.move_timeout_ms : THINK_MS;
    if (p->due != DUE_NOTHING)
        sim_client_act_in(client, sim_below(&client->rng, think_ms));
}

static void player_takes(struct sim_client *client, const struct hall_message *m) {
    struct player *p = client->own;
    switch (m->type) {
    case HALL_LOGIN_RESPONSE:
        p->is_in = m->login_error == HALL_LOGIN_OK;
        if (p->is_in)
            break;
        p->nick_number += sim_below(&client->rng, 2); /* sometimes the old one again */
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
        break;
    case HALL_GAME_STATE: player_state(client, m); break;
    default: break;
    }
}

static void player_hears(struct sim_client *client, struct span bytes) {
    hear(client, &((struct player *)client->own)->frame, bytes, player_takes);
}

static void client_closed(struct sim_client *client) {
    sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void player_freed(struct sim_client *client) {
    xml_frame_free(&((struct player *)client->own)->frame);
}

/* Players that move segment by segment. Where the one program that is known would die of what it is told, the
 * run fails. */

static struct pitch_point segment_turn(struct pitch_point point) {
    if (ugs.config.master.first_attack == ATTACK_TOP)
        point.y = -point.y;
    return point;
}

/* A state as it is seen. Returns whether it ends a turn, a game, or is the first. */
static bool segment_see(struct sim_client *client, struct segment_pitch *s, const struct hall_message *m) {
    bool is_new = !span_is(m->table, s->table);
    if (is_new) {
        pitch_setup(&s->pitch, ugs.config.master.first_attack);
        s->points[0] = '\0';
        if (!span_copy(m->table, s->table, sizeof s->table))
            s->table[0] = '\0';
    }
    if (m->payload.size == 0) {
        s->points[0] = '\0';
        return is_new || m->is_over;
    }
    if (m->unread != ERR_OK || m->point_count != 2) {
        sim_fail(client->sim, "client %zu is told %zu points, and would die", client->index, m->point_count);
        return false;
    }
    struct pitch_point from = segment_turn(m->points[0]), to = segment_turn(m->points[1]);
    struct pitch_point ball = pitch_point_of(s->pitch.ball);
    int d = pitch_direction(from, to);
    if (from.x != ball.x || from.y != ball.y || d < 0 || pitch_check_step(&s->pitch, (unsigned)d) != ERR_OK) {
        sim_fail(client->sim, "client %zu is told a segment that does not fit", client->index);
        return false;
    }
    unsigned mover = s->pitch.mover;
    pitch_step(&s->pitch, (enum direction)d);
    points_text(s->points, sizeof s->points, &to, 1);
    return s->pitch.is_over || s->pitch.mover != mover;
}

static void segment_told_state(struct sim_client *client, struct segment_ear *ear,
                               const struct hall_message *m, struct span document) {
    const struct segment_player *p = client->own;
    char text[TEXT_BYTES_MAX] = "";
    uint64_t table;
    if (memmem(document.data, document.size, "\"loser\"", 7) != NULL || !table_code_parse(m->table, &table)) {
        sim_fail(client->sim, "client %zu is told what it does not know: %.*s", client->index,
                 (int)document.size, document.data);
        return;
    }
    if (ear_is_asked(ear, m)) {
        if (p->is_known)
            sim_fail(client->sim, "client %zu is asked what it is, which is known", client->index);
        return;
    }
    if (!segment_see(client, &ear->pitch, m))
        return;
    text_add_state(text, m);
    text_add(text, ear->pitch.points, "");
    ear->pitch.points[0] = '\0';
    tell_state(client->sim, ear->connection, table, m, text);
}

static void segment_told(struct sim_client *client, size_t connection, struct span bytes) {
    struct segment_ear *ear = ear_of(connection);
    struct xml_frame frame = {0};
    struct span document;
    struct hall_message m;
    while (xml_frame_next(&frame, &bytes, &document) == ERR_OK && document.size > 0) {
        if (ugs_read(ugs.told_reader, document, &m) != ERR_OK || ear->is_dismissed ||
            (ear->is_welcome && m.type == HALL_SERVER_SHUTDOWN)) {
            sim_fail(client->sim, "client %zu is told what it cannot hear: %.*s", client->index,
                     (int)document.size, document.data);
            break;
        }
        ear->is_welcome |= m.type == HALL_LOGIN_RESPONSE;
        ear->is_dismissed = m.type == HALL_THANK_YOU || m.type == HALL_CHAMPIONS_LIST;
        if (m.type == HALL_GAME_STATE)
            segment_told_state(client, ear, &m, document);
    }
    xml_frame_free(&frame);
}

static void segment_takes(struct sim_client *client, const struct hall_message *m) {
    struct segment_player *p = client->own;
    if (m->type == HALL_LOGIN_RESPONSE) {
        p->is_in = m->login_error == HALL_LOGIN_OK;
        p->nick_number += p->is_in ? 0 : sim_below(&client->rng, 2);
        if (!p->is_in)
            sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
    }
    if (m->type != HALL_GAME_STATE)
        return;
    if (p->owes_move && !span_is(m->table, p->seen.table))
        sim_fail(client->sim, "client %zu is in a new game, and has not answered in the old one",
                 client->index);
    segment_see(client, &p->seen, m);
    if (!m->has_next || !span_is(m->next, p->nick))
        return;
    bool dawdles = sim_chance(&client->rng, p->malice_per_mille / 4);
    uint32_t think_ms = dawdles ? 2 * ugs.config.hall.move_timeout_ms : THINK_MS;
    p->owes_move = p->early == 0;
    p->early -= p->early > 0;
    if (p->owes_move)
        sim_client_act_in(client, sim_below(&client->rng, think_ms));
}

static void segment_hears(struct sim_client *client, struct span bytes) {
    hear(client, &((struct segment_player *)client->own)->frame, bytes, segment_takes);
}

static void segment_login(struct sim_client *client) {
    struct segment_player *p = client->own;
    char text[PAYLOAD_BYTES_MAX];
    snprintf(p->nick, sizeof p->nick, "%zu%03u", client->index, p->nick_number % 1000);
    snprintf(
        text, sizeof text,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><message type=\"playerLogin\"><playerLogin nick=\"%s\" "
        "gameType=\"" SEGMENT_TYPE "\"%s/></message>\n",
        p->nick, p->is_known ? " " : "");
    say_raw(client, text);
}

static void segment_send(struct sim_client *client, struct pitch_point from, struct pitch_point to) {
    char text[PAYLOAD_BYTES_MAX];
    from = segment_turn(from);
    to = segment_turn(to);
    snprintf(text, sizeof text,
             "<message type=\"move\"><move x=\"%d\" y=\"%d\" /><move x=\"%d\" y=\"%d\" /></message>\r\n",
             from.x, from.y, to.x, to.y);
    ((struct segment_player *)client->own)->has_moved = true;
    say_raw(client, text);
}

/* Something that the known program does not do. */
static void segment_misbehave(struct sim_client *client, struct pitch_point ball, struct pitch_point to) {
    switch (sim_below(&client->rng, 9)) {
    case 0: segment_send(client, to, ball); break;
    case 1: segment_send(client, ball, ball); break;
    case 2: segment_send(client, ball, (struct pitch_point){-100, 7}); break;
    case 3: say_raw(client, "<message type='move'><move x='0' y='0'/></message>"); break;
    case 4: say_garbage(client); break;
    case 5: sim_client_close(client, sim_chance(&client->rng, 500)); break;
    case 6: /* twice, the second time too early or in the middle of a turn */
        ((struct segment_player *)client->own)->early++;
        segment_send(client, ball, to);
        segment_send(client, ball, to);
        break;
    case 7: say_raw(client, "<message type='move'><move><point x='0' y='1'/></move></message>"); break;
    case 8: break; /* says nothing */
    }
}

static void segment_move(struct sim_client *client) {
    struct segment_player *p = client->own;
    struct pitch copy = p->seen.pitch;
    struct pitch_point ball = pitch_point_of(copy.ball), to = {0, 1};
    p->owes_move = false;
    if (!copy.is_over) {
        unsigned exits = pitch_exits(&copy);
        for (uint32_t skip = sim_below(&client->rng, (uint32_t)__builtin_popcount(exits)); skip > 0; skip--)
            exits &= exits - 1;
        pitch_step(&copy, (enum direction)__builtin_ctz(exits));
        to = pitch_point_of(copy.ball);
    }
    /* Before its first segment it would be taken for a player of the papers by some of that. */
    if (p->has_moved && sim_chance(&client->rng, p->malice_per_mille))
        segment_misbehave(client, ball, to);
    else
        segment_send(client, ball, to);
}

static void segment_acts(struct sim_client *client) {
    struct segment_player *p = client->own;
    if (client->conn == NULL) {
        xml_frame_free(&p->frame);
        p->frame = (struct xml_frame){0};
        p->is_in = p->owes_move = p->has_moved = false;
        p->early = 0;
        p->seen = (struct segment_pitch){.points = ""};
        bool is_connected = sim_client_connect(client);
        sim_client_act_in(client, sim_below(&client->rng, is_connected ? THINK_MS : AWAY_MS));
        return;
    }
    sim_client_act_in(client, PATIENCE_MS);
    if (!p->is_in)
        segment_login(client);
    else if (p->owes_move)
        segment_move(client);
    if (client->conn == NULL) /* it hung up itself */
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
}

static void segment_freed(struct sim_client *client) {
    xml_frame_free(&((struct segment_player *)client->own)->frame);
}

static void segment_add(struct sim *sim) {
    static const struct sim_client_kind kind = {.size = sizeof(struct segment_player),
                                                .acts = segment_acts,
                                                .heard = segment_hears,
                                                .closed = client_closed,
                                                .told = segment_told,
                                                .freed = segment_freed};
    static const unsigned malices[] = {0, 0, 5, 40, 200};
    struct sim_client *client = sim_client_add(sim, &ugs_dialect, &kind);
    struct segment_player *p = client->own;
    p->malice_per_mille = malices[sim_below(&sim->plan_rng, 5)];
    p->is_known = sim_chance(&sim->plan_rng, 500);
}

static struct master_game *game_find(struct sim_master *master, struct span table) {
    for (size_t i = 0; i < MASTER_GAMES_MAX; i++)
        if (span_is(table, master->games[i].table))
            return &master->games[i];
    return NULL;
}

static void master_begins(struct sim_master *master, const struct hall_message *m) {
    struct master_game *game = game_find(master, SPAN(""));
    if (game == NULL || m->player_count > 3)
        return;
    *game = (struct master_game){.owes = true, .count = m->player_count};
    bool fits = span_copy(m->table, game->table, sizeof game->table);
    for (size_t i = 0; i < game->count; i++)
        fits = span_copy(m->players[i].nick, game->nicks[i], sizeof game->nicks[i]) && fits;
    assert(fits);
}

static void master_takes(struct sim_client *client, const struct hall_message *m) {
    struct sim_master *master = client->own;
    struct master_game *game = m->has_table ? game_find(master, m->table) : NULL;
    if (m->type == HALL_LOGIN_RESPONSE) {
        master->is_in = m->login_error == HALL_LOGIN_OK;
    } else if (m->type == HALL_BEGIN_GAME) {
        master_begins(master, m);
    } else if (m->type == HALL_MOVE && game != NULL) {
        game->moves++;
        game->owes = true;
    } else if (m->type == HALL_PLAYER_LEFT_GAME && game != NULL) {
        for (size_t i = 0; i < game->count; i++)
            game->has_left[i] = game->has_left[i] || span_is(m->nick, game->nicks[i]);
        game->moves = MASTER_MOVES;
        game->owes = true;
    }
    sim_client_act_in(client, sim_below(&client->rng, THINK_MS));
}

/* The next state of a game: whoever is next, or the end. */
static void master_answers(struct sim_client *client, struct master_game *game) {
    struct hall_player players[3] = {0};
    char payload[PAYLOAD_BYTES_MAX], table[HALL_TABLE_ID_BYTES_MAX];
    memcpy(table, game->table, sizeof table);
    snprintf(payload, sizeof payload, "<gameState><point x=\"%u\" y=\"0\"/></gameState>", game->moves);
    struct hall_message state = {
        .type = HALL_GAME_STATE, .has_table = true, .table = span_of(table), .payload = span_of(payload)};
    game->owes = false;
    if (game->moves < MASTER_MOVES) {
        size_t next = sim_below(&client->rng, (uint32_t)game->count);
        state.has_next = true;
        state.next = sim_chance(&client->rng, 20) ? SPAN("nobody") : span_of(game->nicks[next]);
        say(client, &state);
        return;
    }
    for (size_t i = 0; i < game->count; i++) {
        players[i].nick = span_of(game->nicks[i]);
        players[i].result = game->has_left[i] || i == 0 ? SPAN("loser") : SPAN("winner");
    }
    state.is_over = true;
    state.players = players;
    state.player_count = game->count;
    say(client, &state);
    game->table[0] = '\0';
}

static void master_acts(struct sim_client *client) {
    struct sim_master *master = client->own;
    sim_client_act_in(client, PATIENCE_MS);
    if (client->conn == NULL) {
        xml_frame_free(&master->frame);
        *master = (struct sim_master){0};
        sim_client_connect(client);
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
    } else if (!master->is_in) {
        say(client, &(struct hall_message){.type = HALL_MASTER_LOGIN,
                                           .id = SPAN("odd-master"),
                                           .game_type = SPAN(ODD_TYPE),
                                           .players_min = 2 + (int64_t)sim_below(&client->rng, 2),
                                           .players_max = 3});
    } else if (sim_chance(&client->rng, 4)) {
        sim_client_close(client, sim_chance(&client->rng, 500));
        sim_client_act_in(client, sim_below(&client->rng, AWAY_MS));
    } else if (sim_chance(&client->rng, 5)) {
        say_garbage(client);
    } else {
        for (size_t i = 0; i < MASTER_GAMES_MAX; i++)
            if (master->games[i].owes && !sim_chance(&client->rng, 10))
                master_answers(client, &master->games[i]);
    }
}

static void master_hears(struct sim_client *client, struct span bytes) {
    hear(client, &((struct sim_master *)client->own)->frame, bytes, master_takes);
}

static void master_told(struct sim_client *client, size_t connection, struct span bytes) {
    (void)client;
    (void)connection;
    (void)bytes;
}

static void master_freed(struct sim_client *client) {
    xml_frame_free(&((struct sim_master *)client->own)->frame);
}

static void player_add(struct sim *sim, bool is_odd) {
    static const struct sim_client_kind kind = {.size = sizeof(struct player),
                                                .acts = player_acts,
                                                .heard = player_hears,
                                                .closed = client_closed,
                                                .told = player_told,
                                                .freed = player_freed};
    static const unsigned malices[] = {0, 0, 5, 40, 200};
    struct sim_client *client = sim_client_add(sim, &ugs_dialect, &kind);
    struct player *p = client->own;
    p->is_odd = is_odd;
    p->type = is_odd ? ODD_TYPE : master_types[sim_below(&sim->plan_rng, (uint32_t)master_type_count)];
    p->malice_per_mille = malices[sim_below(&sim->plan_rng, 5)];
    p->is_number = !is_odd && strcmp(p->type, SEGMENT_TYPE) == 0 && sim_chance(&sim->plan_rng, 500);
}

static void ugs_prepare(struct sim *sim) {
    struct rng *rng = &sim->plan_rng;
    struct hall_config *hall = &ugs.config.hall;
    ugs.config = ugs_port_config_default();
    hall->move_timeout_ms = 500 + sim_below(rng, 8000);
    hall->thanks_timeout_ms = 200 + sim_below(rng, 3000);
    hall->master_timeout_ms = 500 + sim_below(rng, 5000);
    hall->settle_timeout_ms = 200 + sim_below(rng, 3000);
    hall->login_timeout_ms = 1000 + sim_below(rng, 9000);
    hall->alone_timeout_ms = sim_chance(rng, 300) ? 0 : 50 + sim_below(rng, 3000);
    hall->tables_per_master_max = sim_chance(rng, 200) ? 1 + sim_below(rng, 3) : 0;
    ugs.config.message_timeout_ms = 300 + sim_below(rng, 5000);
    ugs.config.style.ends_with_newline = sim_chance(rng, 200);
    ugs.config.master.first_attack = sim_chance(rng, 500) ? ATTACK_TOP : ATTACK_BOTTOM;
    if (sim_chance(rng, 150)) {
        hall->championship_type = master_types[0];
        hall->championship_players = 2 + sim_below(rng, 4);
    }
    ugs.reader = ugs_reader_create(false);
    ugs.told_reader = ugs_reader_create(false);
}

static void ugs_populate(struct sim *sim) {
    static const struct sim_client_kind master = {.size = sizeof(struct sim_master),
                                                  .acts = master_acts,
                                                  .heard = master_hears,
                                                  .closed = client_closed,
                                                  .told = master_told,
                                                  .freed = master_freed};
    size_t players = PLAYERS_MIN + sim_below(&sim->plan_rng, PLAYERS_MORE);
    for (size_t i = 0; i < players; i++)
        player_add(sim, false);
    for (uint32_t i = sim_below(&sim->plan_rng, SEGMENT_PLAYERS_MAX + 1); i > 0; i--)
        segment_add(sim);
    for (size_t i = 0; i < ODD_PLAYERS; i++)
        player_add(sim, true);
    sim_client_add(sim, &ugs_dialect, &master);
}

static void ugs_finish(struct sim *sim) {
    (void)sim;
    ugs_reader_free(ugs.reader);
    ugs_reader_free(ugs.told_reader);
    buf_free(&ugs.out);
    ears_free();
}

static struct port *ugs_open(struct sim *sim, struct tables *tables) {
    (void)sim;
    ugs.config.hall.tables = tables;
    return ugs_port_create(&ugs.config);
}

static void ugs_restored(struct sim *sim, struct table *table) {
    (void)sim;
    mixed_restored(table);
}

/* What the journal says so far, as it is told. */
struct telling {
    char names[2][NICK_BYTES_MAX];
    struct pitch pitch;
    char points[TEXT_BYTES_MAX / 2]; /* of the turn so far, which is told as a whole */
    struct sim_fact *out;
    size_t *out_count;
};

static void telling_setup(struct telling *t, const struct event *event) {
    struct event_setup setup;
    if (event_setup_read(event->body, &setup) == ERR_OK)
        pitch_setup(&t->pitch, (enum attack)setup.options.value[PITCH_OPTION_FIRST_ATTACKS]);
}

static void telling_seat(struct telling *t, const struct event *event) {
    struct event_seat seat;
    if (event_seat_read(event->body, &seat) == ERR_OK && seat.seat < 2)
        snprintf(t->names[seat.seat], sizeof t->names[seat.seat], "%.*s", NICK_BYTES_MAX - 1, seat.name);
    for (char *c = t->names[seat.seat]; *c != '\0'; c++)
        *c = *c == ' ' ? '_' : *c; /* bots have blanks in their names, nicks have none */
}

static bool is_forfeit(const struct event *event, enum event_reason reason) {
    struct event_forfeit forfeit;
    return event != NULL && event->kind == EVENT_FORFEIT &&
           event_forfeit_read(event->body, &forfeit) == ERR_OK && forfeit.reason == reason;
}

/* One message: who is next, or how it ended when the result comes next; and these points. */
static void telling_message(struct telling *t, const struct event *after, const char *points,
                            bool is_any_points) {
    struct event_result result;
    char text[TEXT_BYTES_MAX] = "";
    if (after != NULL && after->kind == EVENT_RESULT && event_result_read(after->body, &result) == ERR_OK &&
        result.outcome != OUTCOME_UNDECIDED) {
        for (unsigned seat = 0; seat < 2; seat++) {
            text_add(text, seat == 0 ? "over " : " ", t->names[seat]);
            text_add(text, ":", result.points[seat] > 0 ? "winner" : "loser");
        }
    } else {
        text_add(text, "next ", t->names[t->pitch.mover]);
    }
    text_add(text, " | ", points);
    char *copy = strdup(text);
    assert(copy != NULL && *t->out_count < SIM_FACTS_MAX);
    /* When a player left while it was being saved, the end is all that is said. */
    t->out[(*t->out_count)++] = (struct sim_fact){
        .text = copy, .is_optional = is_forfeit(after, REASON_LEFT), .is_beginning = is_any_points};
}

/* All have come. When the server is killed before anybody has moved, a seat is free again and the game begins
 * once more, for somebody else. */
static void telling_beginning(struct telling *t, const struct event *after) {
    size_t before = *t->out_count;
    if (t->names[0][0] == '\0' || t->names[1][0] == '\0')
        return;
    telling_message(t, after, "", false);
    struct sim_fact *fact = &t->out[before];
    fact->is_optional |= after != NULL && after->kind == EVENT_SEAT;
    if (before == 0 || strcmp(fact->text, fact[-1].text) != 0)
        return;
    fact[-1].is_optional = fact->is_optional;
    free(fact->text);
    (*t->out_count)--;
}

/* Others may play a turn step by step; it is told when it has ended. */
static void telling_action(struct telling *t, const struct event *event, const struct event *after) {
    struct event_action action;
    unsigned mover = t->pitch.mover;
    if (event_action_read(event->body, &action) != ERR_OK)
        return;
    for (size_t i = 0; i < action.action_count && !t->pitch.is_over; i++) {
        pitch_step(&t->pitch, (enum direction)action.actions[i].arg[0]);
        struct pitch_point point = pitch_point_of(t->pitch.ball);
        points_text(t->points, sizeof t->points, &point, 1);
    }
    if (!t->pitch.is_over && t->pitch.mover == mover)
        return;
    telling_message(t, after, t->points, false);
    t->points[0] = '\0';
}

static void ugs_expected(const struct event *events, size_t count, struct sim_fact *out, size_t *out_count) {
    struct telling t = {.out = out, .out_count = out_count};
    for (size_t i = 0; i < count; i++) {
        const struct event *after = i + 1 < count ? &events[i + 1] : NULL;
        switch (events[i].kind) {
        case EVENT_SETUP: telling_setup(&t, &events[i]); break;
        case EVENT_SEAT:
            telling_seat(&t, &events[i]);
            telling_beginning(&t, after);
            break;
        case EVENT_ACTION: telling_action(&t, &events[i], after); break;
        case EVENT_TIMEOUT:
        case EVENT_FORFEIT: /* points of an illegal move are shown, but they are nothing that happened */
            telling_message(&t, after, "", is_forfeit(&events[i], REASON_VIOLATION));
            break;
        default: break;
        }
    }
}

static size_t ugs_table_count(const struct port *port) {
    return ugs_port_counts(port).tables;
}

static const char *ugs_waits(const struct sim *sim, const struct port *port, bool is_saving) {
    const struct hall_config *hall = &ugs.config.hall;
    uint64_t next = port->ops->next_ms(port);
    uint64_t longest_ms = hall->move_timeout_ms;
    const uint32_t limits[] = {hall->thanks_timeout_ms,
                               hall->master_timeout_ms,
                               hall->settle_timeout_ms,
                               hall->login_timeout_ms,
                               hall->alone_timeout_ms,
                               ugs.config.message_timeout_ms,
                               ROOM_WAIT_MS,
                               MIXED_IDLE_MS,
                               MIXED_DOOR_KEEP_MS};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        longest_ms = limits[i] > longest_ms ? limits[i] : longest_ms;
    struct hall_counts counts = ugs_port_counts(port);
    if (next == TIMERS_NEVER) /* those who are not of the hall have the clock of their table, or none */
        return counts.tables > counts.mixed_tables && !is_saving ? "has tables and no deadline" : NULL;
    return next > sim->now_ms + longest_ms ? "waits longer than any of its limits" : NULL;
}

static const char *ugs_remains(const struct port *port) {
    struct hall_counts counts = ugs_port_counts(port);
    if (counts.players > 0)
        return "players";
    if (counts.tables > 0)
        return "tables";
    if (counts.masters > 1 || counts.members != counts.masters)
        return "members";
    if (counts.master_tables > 0)
        return "tables of its master";
    return json_clients_remain(port);
}

const struct sim_dialect ugs_dialect = {
    .name = "ugs",
    .prepare = ugs_prepare,
    .open = ugs_open,
    .restored = ugs_restored,
    .populate = ugs_populate,
    .expected = ugs_expected,
    .has_no_dice = true,
    .has_free_seats = true,
    .waits_for_ever = true,
    .table_count = ugs_table_count,
    .waits = ugs_waits,
    .remains = ugs_remains,
    .finish = ugs_finish,
};
