/* Paper Soccer over the Universal Game System. Every gameState is held against the rules. */
#include "load.h"

#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"

#include <stdio.h>

enum { ID_BYTES_MAX = 64 };

struct ugs_player {
    struct load_conn conn; /* first */
    char nick[24];
    char table[ID_BYTES_MAX];
    struct pitch pitch;
    bool is_in;
};

static struct span ugs_text(const struct hall_message *message) {
    static struct buf out;
    buf_clear(&out);
    ugs_write(&out, message, &(struct ugs_style){0});
    return buf_span(&out);
}

static void ugs_begin(struct load_conn *conn) {
    struct ugs_player *player = (struct ugs_player *)conn;
    snprintf(player->nick, sizeof player->nick, "%s%u", load_wishes.name, conn->number);
    load_say(conn, ugs_text(&(struct hall_message){.type = HALL_PLAYER_LOGIN,
                                                   .nick = span_of(player->nick),
                                                   .game_type = SPAN("paper-soccer")}));
}

static size_t ugs_message(const struct load_conn *conn, struct span input) {
    (void)conn;
    struct span rest = load_behind(input, "</message>");
    return rest.data == NULL ? 0 : input.size - rest.size;
}

/* A random legal move of the seat on turn, as the points that it touches. */
static size_t ugs_choose(struct rng *rng, const struct pitch *pitch,
                         struct pitch_point points[PITCH_MOVE_STEPS_MAX]) {
    struct pitch copy = *pitch;
    size_t count = 0;
    do {
        unsigned exits = pitch_exits(&copy);
        for (uint32_t skip = rng_below(rng, (uint32_t)__builtin_popcount(exits)); skip > 0; skip--)
            exits &= exits - 1;
        pitch_step(&copy, (enum direction)__builtin_ctz(exits));
        points[count++] = pitch_point_of(copy.ball);
    } while (!copy.is_over && copy.mover == pitch->mover);
    return count;
}

static void ugs_move(struct ugs_player *player) {
    struct pitch_point points[PITCH_MOVE_STEPS_MAX];
    size_t count = ugs_choose(&player->conn.rng, &player->pitch, points);
    load_move(&player->conn, ugs_text(&(struct hall_message){.type = HALL_MOVE,
                                                             .has_table = true,
                                                             .table = span_of(player->table),
                                                             .points = points,
                                                             .point_count = count}));
}

/* Points are found by their text and not by an XML parser: the load must cost less than what it measures.
 * That the text is right shows when the move is played here. */
static size_t ugs_points(struct span message, struct pitch_point *points) {
    size_t count = 0;
    for (struct span rest = load_behind(message, "<point "); rest.size > 0;
         rest = load_behind(rest, "<point ")) {
        int64_t x, y;
        if (count == PITCH_MOVE_STEPS_MAX || !span_to_int(load_value(rest, "x=\"", '"'), &x) ||
            !span_to_int(load_value(rest, "y=\"", '"'), &y))
            return SIZE_MAX;
        points[count++] = (struct pitch_point){(int32_t)x, (int32_t)y};
    }
    return count;
}

static void ugs_take_state(struct ugs_player *player, struct span message) {
    struct pitch_point points[PITCH_MOVE_STEPS_MAX];
    size_t count = ugs_points(message, points);
    bool is_over = load_has(message, "<gameOver>"), is_mine = player->conn.sent_ns != 0;
    load_answered(&player->conn);
    if (count == 0) {
        pitch_setup(&player->pitch, ATTACK_TOP);
        if (!span_copy(load_value(message, "<gameId id=\"", '"'), player->table, sizeof player->table))
            load_error(&player->conn, "no gameId", message);
    } else if (count == SIZE_MAX || pitch_play_move(&player->pitch, points, count, NULL) != ERR_OK ||
               (player->pitch.is_over != 0) != is_over) {
        load_error(&player->conn, "against the rules", message);
        return;
    }
    if (!is_over && span_is(load_value(message, "<nextPlayer nick=\"", '"'), player->nick))
        ugs_move(player);
    else if (is_over && is_mine)
        load_over(&player->conn);
}

static void ugs_take(struct load_conn *conn, struct span message) {
    struct ugs_player *player = (struct ugs_player *)conn;
    if (load_has(message, "type=\"gameState\"") && player->is_in)
        ugs_take_state(player, message);
    else if (load_has(message, "accept=\"yes\"") && !player->is_in)
        player->is_in = true;
    else if (!load_has(message, "type=\"logout\"") && !load_has(message, "type=\"error\""))
        load_error(conn, "unexpected", message);
}

const struct load_client load_ugs = {
    .name = "ugs",
    .seats = 2,
    .size = sizeof(struct ugs_player),
    .begin = ugs_begin,
    .message = ugs_message,
    .take = ugs_take,
};
