/* Masters of Renaissance over lines of JSON. It follows the game as the bot does, and chooses at random. */
#include "load.h"

#include "base/writer.h"
#include "cli/renaissance/answer.h"

#include <stdio.h>

struct renaissance_player {
    struct load_conn conn; /* first */
    char name[24];
    struct renaissance_answers answers;
};

static void renaissance_choose(void *context, const struct game_view *view, unsigned seat,
                               struct action *out) {
    struct renaissance_player *p = context;
    renaissance_game.sample((const struct game_state *)(const void *)view, seat, &p->conn.rng, out);
}

static void renaissance_begin(struct load_conn *conn) {
    struct renaissance_player *p = (struct renaissance_player *)conn;
    snprintf(p->name, sizeof p->name, "%s%u", load_wishes.name, conn->number);
    p->answers.context = p;
    p->answers.choose = renaissance_choose;
    renaissance_follow_begin(&p->answers.follow, span_of(p->name));
    load_say_text(conn, "{\"type\":\"loginRequest\",\"username\":\"%s\"}\n", p->name);
}

/* What is said before the first turn is no move: both are asked at the same time then. */
static bool renaissance_is_set_up(struct span line) {
    return load_begins(line, "{\"type\":\"leaderCardsRequest\"") ||
           load_begins(line, "{\"type\":\"resourcesRequest\"");
}

static void renaissance_answer_line(struct renaissance_player *p, struct span line, const json_t *message) {
    static struct buf out;
    struct writer writer;
    buf_clear(&out);
    if (!renaissance_answer(&p->answers, message, &out, &writer))
        return;
    writer_object_end(&writer);
    buf_append_byte(&out, '\n');
    if (renaissance_is_set_up(line))
        load_say(&p->conn, buf_span(&out));
    else
        load_move(&p->conn, buf_span(&out));
}

static void renaissance_take(struct load_conn *conn, struct span line) {
    struct renaissance_player *p = (struct renaissance_player *)conn;
    if (load_pong(conn, line))
        return;
    if (load_begins(line, "{\"type\":\"numberOfPlayersSelectionRequest\"")) {
        load_say(conn, SPAN("{\"type\":\"numberOfPlayersSelectionReply\",\"number\":2}\n"));
        return;
    }
    if (load_begins(line, "{\"type\":\"errorMessage\"") || load_has(line, "\"isFree\":false"))
        load_error(conn, "refused", line);
    load_answered(conn);
    json_t *message = load_json(conn, line);
    if (message == NULL || !renaissance_follow_take(&p->answers.follow, message))
        load_error(conn, "cannot be followed", line);
    else
        renaissance_answer_line(p, line, message);
    json_decref(message);
    if (load_begins(line, "{\"type\":\"finalScore\"") && p->answers.follow.seat == 0)
        load_over(conn);
}

const struct load_client load_renaissance = {
    .name = "renaissance",
    .seats = 2,
    .size = sizeof(struct renaissance_player),
    .begin = renaissance_begin,
    .message = load_line,
    .take = renaissance_take,
};
