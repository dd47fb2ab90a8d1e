#include "wire/api/json.h"

#include "base/mem.h"
#include "game/stock.h"
#include "host/table/figures.h"

#include <stdio.h>

enum { SAMPLES_MAX = 8 };

void api_write_code(struct writer *w, const char *name, uint64_t table) {
    char code[TABLE_CODE_CHARS + 1];
    table_code_format(table, code);
    writer_text(w, name, span_of(code));
}

void api_write_viewer(struct writer *w, const char *name, unsigned viewer) {
    if (viewer < SEATS_MAX)
        writer_int(w, name, viewer);
    else
        writer_text(w, name, viewer == VIEWER_ALL ? SPAN("all") : SPAN("watcher"));
}

/* Games. */

static void write_protocols(struct writer *w, const struct game *game, const struct tables *tables) {
    writer_list_begin(w, "protocols");
    writer_text(w, NULL, SPAN(LOUNGE_PROTOCOL));
    for (size_t i = 0; tables_door_at(tables, i) != NULL; i++)
        if (tables_door_at(tables, i)->game == game)
            writer_text(w, NULL, span_of(tables_door_at(tables, i)->protocol));
    writer_list_end(w);
}

static void write_game(struct writer *w, const struct game *game, const struct tables *tables) {
    writer_object_begin(w, NULL);
    game_write(game, w);
    writer_object_begin(w, "levels");
    writer_int(w, "min", BOT_LEVEL_MIN);
    writer_int(w, "max", BOT_LEVEL_MAX);
    writer_int(w, "default", BOT_LEVEL_DEFAULT);
    writer_object_end(w);
    write_protocols(w, game, tables);
    writer_object_end(w);
}

void api_write_games(struct writer *w, const struct tables *tables) {
    writer_object_begin(w, NULL);
    writer_list_begin(w, "games");
    for (size_t i = 0; games[i] != NULL; i++)
        write_game(w, games[i], tables);
    writer_list_end(w);
    writer_object_end(w);
}

/* Tables. */

static void write_seats(struct writer *w, const struct snapshot *s, bool is_public) {
    static const char *const kinds[] = {
        [LOUNGE_FREE] = "free", [LOUNGE_PERSON] = "person", [LOUNGE_MACHINE] = "bot"};
    writer_list_begin(w, "seats");
    for (unsigned seat = 0; seat < s->options->seat_count; seat++) {
        const struct lounge_face *face = &s->faces[seat];
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(is_public && s->is_claimable[seat] ? "" : s->names[seat]));
        writer_text(w, "kind", span_of(kinds[face->kind]));
        writer_text(w, "protocol", span_of(face->protocol));
        writer_bool(w, "online", s->is_online[seat]);
        if (face->level == 0)
            writer_null(w, "level");
        else
            writer_int(w, "level", face->level);
        writer_object_end(w);
    }
    writer_list_end(w);
}

static void api_json_write_turn(struct writer *w, const struct snapshot *s) {
    seat_set turn = snapshot_turn(s);
    writer_list_begin(w, "turn");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++)
        if ((turn & SEAT_BIT(seat)) != 0)
            writer_int(w, NULL, seat);
    writer_list_end(w);
}

bool api_is_winner(const struct snapshot *s, unsigned seat) {
    int32_t most = s->points[0];
    for (unsigned other = 1; other < s->options->seat_count; other++)
        most = s->points[other] > most ? s->points[other] : most;
    /* A player who is alone has won with any point, and otherwise lost. */
    bool has_winner = strcmp(s->why, "undecided") != 0 && (s->options->seat_count > 1 || most > 0);
    return has_winner && s->points[seat] == most;
}

static void write_winners(struct writer *w, const struct snapshot *s) {
    writer_list_begin(w, "winners");
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        if (api_is_winner(s, seat))
            writer_int(w, NULL, seat);
    writer_list_end(w);
}

static void api_json_write_result(struct writer *w, const struct snapshot *s) {
    if (!s->is_over) {
        writer_null(w, "result");
        return;
    }
    writer_object_begin(w, "result");
    writer_list_begin(w, "points");
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        writer_int(w, NULL, s->points[seat]);
    writer_list_end(w);
    write_winners(w, s);
    writer_text(w, "why", span_of(s->why));
    writer_object_end(w);
}

/* is_public: for a list that anybody may ask for. */
static void write_head(struct writer *w, const struct snapshot *s, bool is_private, uint32_t watch_delay_ms,
                       bool is_public) {
    api_write_code(w, "code", s->table);
    writer_text(w, "game", span_of(s->game->name));
    writer_text(w, "protocol", span_of(s->protocol));
    writer_text(w, "state", span_of(snapshot_state(s)));
    writer_int(w, "version", (int64_t)s->version);
    writer_bool(w, "private", is_private);
    writer_int(w, "watch_delay_ms", watch_delay_ms);
    writer_int(w, "made_ms", s->made_ms);
    write_seats(w, s, is_public);
    api_json_write_turn(w, s);
}

void api_write_summary(struct writer *w, const struct snapshot *s, uint32_t watch_delay_ms) {
    write_head(w, s, s->note.is_private, watch_delay_ms, true);
    api_json_write_result(w, s);
}

void api_write_options(struct writer *w, const struct game *game, const struct game_options *values) {
    const struct game_option *options = game->options;
    writer_object_begin(w, "options");
    for (size_t i = 0; options[i].name != NULL; i++)
        game_option_write(&options[i], values->value[i], options[i].name, w);
    writer_object_end(w);
}

/* The commitment, what each seat has added, and after which event all draws have that in them. */
static void write_dice(struct writer *w, const struct snapshot *s) {
    char text[2 * DIGEST_BYTES + 1];
    digest_format(&s->commitment, text);
    writer_object_begin(w, "dice");
    writer_text(w, "commitment", span_of(text));
    writer_list_begin(w, "seeds");
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        if (s->seeds[seat][0] == '\0')
            writer_null(w, NULL);
        else
            writer_text(w, NULL, span_of(s->seeds[seat]));
    writer_list_end(w);
    if (s->mixed_seq == 0)
        writer_null(w, "mixed_after");
    else
        writer_int(w, "mixed_after", (int64_t)s->mixed_seq);
    writer_object_end(w);
}

static void write_clocks(struct writer *w, const struct snapshot *s) {
    if (!s->has_clock) {
        writer_null(w, "clocks");
        return;
    }
    seat_set turn = snapshot_turn(s);
    writer_list_begin(w, "clocks");
    for (unsigned seat = 0; seat < s->options->seat_count; seat++) {
        bool is_running = (turn & SEAT_BIT(seat)) != 0 && s->free_seats == 0;
        writer_object_begin(w, NULL);
        writer_int(w, "seat", seat);
        writer_int(w, "left_ms", (int64_t)s->left_ms[seat]);
        writer_bool(w, "running", is_running);
        writer_object_end(w);
    }
    writer_list_end(w);
}

static void api_json_write_action(struct writer *w, const struct snapshot *s, unsigned seat,
                                  const struct action *action) {
    char text[ACTION_TEXT_BYTES_MAX];
    snapshot_format(s, seat, action, text);
    writer_text(w, NULL, span_of(text));
}

/* How the actions of a seat are known does not depend on what it may not know: the contract of a game. */
static void write_legal(struct writer *w, const struct snapshot *s, unsigned seat, struct rng *rng) {
    bool may_act = seat < SEATS_MAX && (snapshot_turn(s) & SEAT_BIT(seat)) != 0 && s->free_seats == 0;
    struct action *actions = mem_alloc(s->game->actions_max * sizeof *actions);
    size_t count = may_act ? snapshot_legal(s, seat, actions) : 0;
    bool is_unlisted = count == LEGAL_UNLISTED;
    writer_list_begin(w, "legal");
    for (size_t i = 0; !is_unlisted && i < count; i++)
        api_json_write_action(w, s, seat, &actions[i]);
    writer_list_end(w);
    writer_bool(w, "legal_unlisted", is_unlisted);
    writer_list_begin(w, "legal_samples");
    for (size_t i = 0; is_unlisted && i < SAMPLES_MAX; i++) {
        struct action action = {0};
        snapshot_sample(s, seat, rng, &action);
        api_json_write_action(w, s, seat, &action);
    }
    writer_list_end(w);
    mem_free(actions);
}

void api_write_moves(struct writer *w, const struct snapshot *s, unsigned seat, struct rng *rng) {
    if (seat < SEATS_MAX)
        writer_int(w, "seat", seat);
    else
        writer_null(w, "seat");
    api_json_write_turn(w, s);
    write_legal(w, s, seat, rng);
}

void api_write_table(struct writer *w, const struct snapshot *s, const struct api_sight *sight,
                     const struct api_extra *extra) {
    struct buf view = {0};
    struct writer view_writer;
    write_head(w, s, extra->is_private, extra->watch_delay_ms, false);
    writer_bool(w, "inspect", extra->is_inspected);
    writer_bool(w, "violation_loses", s->violation_loses);
    writer_int(w, "turn_ms", s->clocks.turn_ms);
    writer_int(w, "game_ms", s->clocks.game_ms);
    writer_int(w, "increment_ms", s->clocks.increment_ms);
    writer_int(w, "absent_bot", extra->absent_level);
    write_dice(w, s);
    api_write_options(w, s->game, s->options);
    if (sight->seat < SEATS_MAX)
        writer_int(w, "seat", sight->seat);
    else
        writer_null(w, "seat");
    api_write_viewer(w, "as", sight->viewer);
    writer_bool(w, "over", s->is_over);
    api_json_write_result(w, s);
    write_clocks(w, s);
    writer_init(&view_writer, WRITER_JSON, &view);
    snapshot_describe(s, sight->viewer, &view_writer);
    writer_raw(w, "view", buf_span(&view));
    buf_free(&view);
    write_legal(w, s, sight->viewer, extra->rng);
    if (extra->last == NULL)
        writer_null(w, "last");
    else
        record_write(w, "last", extra->last, sight->viewer);
    if (extra->rematch == 0)
        writer_null(w, "rematch");
    else
        api_write_code(w, "rematch", extra->rematch);
}

/* Refusals. */

int api_status(enum err why) {
    switch (why) {
    case ERR_MALFORMED:
    case ERR_TOO_DEEP:
    case ERR_FIELD_MISSING:
    case ERR_FIELD_INVALID:
    case ERR_OPTION_UNKNOWN:
    case ERR_OPTION_INVALID:
    case ERR_SEAT_COUNT:
    case ERR_UNKNOWN_TYPE:
    case ERR_GAME_UNKNOWN: return 400;
    case ERR_TOKEN_UNKNOWN: return 401;
    case ERR_HOST_UNKNOWN:
    case ERR_ORIGIN_REFUSED:
    case ERR_BANNED:
    case ERR_ADVICE_REFUSED:
    case ERR_NOT_ALLOWED: return 403;
    case ERR_PATH_UNKNOWN:
    case ERR_TABLE_UNKNOWN:
    case ERR_HANDOVER_UNKNOWN:
    case ERR_VERSION_UNKNOWN: return 404;
    case ERR_METHOD_UNKNOWN: return 405;
    case ERR_CONFLICT:
    case ERR_TABLE_OVER:
    case ERR_GIVEN_UP:
    case ERR_TABLE_FULL:
    case ERR_SEAT_TAKEN:
    case ERR_TABLE_WAITS:
    case ERR_CLAIM_EARLY:
    case ERR_TABLE_RUNS: return 409;
    case ERR_TOO_LARGE: return 413;
    case ERR_CONTENT_TYPE: return 415;
    case ERR_TOO_MANY:
    case ERR_TOO_OFTEN:
    case ERR_ADDRESS_FULL: return 429;
    case ERR_BUSY:
    case ERR_DRAINING:
    case ERR_IO:
    case ERR_UNAVAILABLE:
    case ERR_CLOSED: return 503;
    default: return 422;
    }
}

/* The sentence of an error in the words of this API, where a game is the rules and nothing else. */
static const char *sentence_of(const struct api_refusal *r) {
    return r->why == ERR_TABLE_UNKNOWN ? api_table_unknown.sentence : game_refusal(r->game, r->why)->sentence;
}

void api_write_refusal(struct writer *w, const struct api_refusal *r) {
    const struct err_row *row = game_refusal(r->game, r->why);
    refusals_count(LOUNGE_PROTOCOL, r->game, r->why);
    writer_int(w, "status", api_status(r->why));
    writer_text(w, "error", span_of(row->word));
    writer_text(w, "reason", span_of(r->reason == NULL ? sentence_of(r) : r->reason));
    writer_text(w, "rule", span_of(row->rule));
    if (r->has_index)
        writer_int(w, "index", (int64_t)r->index);
    if (r->has_version)
        writer_int(w, "version", (int64_t)r->version);
}

void api_write_problem(struct writer *w, const struct api_refusal *r) {
    char type[128];
    snprintf(type, sizeof type, "urn:parlor:error:%s", game_refusal(r->game, r->why)->word);
    writer_object_begin(w, NULL);
    writer_text(w, "type", span_of(type));
    writer_text(w, "title", span_of(sentence_of(r)));
    api_write_refusal(w, r);
    writer_object_end(w);
}

static void write_standing(void *context, const struct hall_player *player) {
    struct writer *w = context;
    writer_object_begin(w, NULL);
    writer_text(w, "nick", player->nick);
    writer_int(w, "won", player->won);
    writer_int(w, "lost", player->lost);
    writer_object_end(w);
}

void api_write_championship(struct writer *w, const struct hall *hall, size_t index) {
    static const char *const states[] = {[HALL_CHAMPIONSHIP_OPEN] = "open",
                                         [HALL_CHAMPIONSHIP_RUNS] = "running",
                                         [HALL_CHAMPIONSHIP_OVER] = "finished"};
    struct hall_championship c;
    if (!hall_championship_at(hall, index, &c))
        return;
    writer_text(w, "name", span_of(c.name));
    writer_text(w, "type", span_of(c.type));
    writer_int(w, "players", c.players);
    writer_int(w, "entered", c.entered);
    writer_text(w, "state", span_of(states[c.state]));
    writer_list_begin(w, "standings");
    hall_championship_standings(hall, index, write_standing, w);
    writer_list_end(w);
}

void api_write_message(struct writer *w, const struct game *game, const struct inspector_message *m,
                       bool is_hidden) {
    static const struct err_row nothing = {"", "", ""};
    bool is_refused = m->why != ERR_OK && !is_hidden;
    const struct err_row *row = is_refused ? game_refusal(game, m->why) : &nothing;
    writer_object_begin(w, NULL);
    writer_int(w, "n", (int64_t)m->number);
    writer_int(w, "at_ms", m->at_ms);
    if (m->seat < SEATS_MAX)
        writer_int(w, "seat", m->seat);
    else
        writer_null(w, "seat");
    writer_int(w, "connection", (int64_t)m->connection);
    writer_text(w, "protocol", span_of(m->protocol));
    writer_text(w, "direction", m->is_incoming ? SPAN("in") : SPAN("out"));
    writer_text(w, "text", is_hidden ? SPAN("") : m->text);
    writer_bool(w, "hidden", is_hidden);
    writer_bool(w, "refused", is_refused);
    writer_text(w, "error", span_of(row->word));
    writer_text(w, "reason", span_of(row->sentence));
    writer_text(w, "rule", span_of(row->rule));
    writer_object_end(w);
}
