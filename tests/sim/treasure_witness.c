#include "treasure_witness.h"

#include "host/hunt/internal.h"
#include "http_stream.h"
#include "wire/treasure/answer.h"
#include "wire/treasure/dialect.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Listeners of a table: each seat, whatever connections its player has; whoever asks about the game itself;
 * and each connection. What was done may be said on one connection after the state that shows it was sent on
 * another, but never after it on the same one. */
enum { LISTENER_OF_GAME = TREASURE_SEATS, LISTENER_OF_CONNECTIONS };

struct asked {
    struct asked *next;
    struct treasure_ask ask;
};

struct told {
    struct told *next;
    const struct sim_dialect *dialect;
    size_t connection;
    struct http_stream stream;
    struct asked *first, **last;
    bool is_fouled;
};

/* A state that a player was shown: its id and all of its bytes, as numbers. */
struct shown {
    uint64_t id, body;
};

struct known {
    struct known *next;
    uint64_t table;
    unsigned seat;
    char id[HUNT_ID_CHARS + 1];
    struct shown *shown;
    size_t shown_count, shown_capacity;
    uint64_t seq; /* of the last event of the table when it was shown the last of them */
};

/* Of the run; there is one at a time. */
static struct {
    struct told *told;
    struct known *known;
    struct rng rng;
} witness;

void treasure_witness_begin(uint64_t seed) {
    rng_seed(&witness.rng, seed);
}

/* Connections. */

static struct told *told_of(size_t connection) {
    struct told *told = witness.told;
    while (told != NULL && told->connection != connection)
        told = told->next;
    if (told != NULL)
        return told;
    told = calloc(1, sizeof *told);
    assert(told != NULL);
    told->connection = connection;
    told->last = &told->first;
    told->next = witness.told;
    witness.told = told;
    return told;
}

void treasure_witness_asked(size_t connection, const struct treasure_ask *ask) {
    struct told *told = told_of(connection);
    struct asked *asked = calloc(1, sizeof *asked);
    assert(asked != NULL);
    asked->ask = *ask;
    *told->last = asked;
    told->last = &asked->next;
}

void treasure_witness_fouled(size_t connection) {
    told_of(connection)->is_fouled = true;
}

static struct treasure_ask asked_take(struct told *told) {
    struct asked *asked = told->first;
    struct treasure_ask ask = {.kind = TREASURE_ASK_NOTHING};
    if (asked == NULL)
        return ask;
    ask = asked->ask;
    told->first = asked->next;
    if (told->first == NULL)
        told->last = &told->first;
    free(asked);
    return ask;
}

/* Players. */

static struct known *known_find(struct span id) {
    struct known *k = witness.known;
    while (k != NULL && !span_is(id, k->id))
        k = k->next;
    return k;
}

static struct known *known_other(const struct known *player) {
    struct known *k = witness.known;
    while (k != NULL && (k->table != player->table || k->seat == player->seat))
        k = k->next;
    return k;
}

static void known_add(uint64_t table, unsigned seat, const char *id) {
    struct known *k = calloc(1, sizeof *k);
    assert(k != NULL);
    k->table = table;
    k->seat = seat;
    snprintf(k->id, sizeof k->id, "%s", id);
    k->next = witness.known;
    witness.known = k;
}

/* Facts. */

static const char *const direction_words[TREASURE_DIRECTIONS] = {"Up", "Down", "Left", "Right"};

static void created_text(char text[SIM_FACT_BYTES_MAX]) {
    snprintf(text, SIM_FACT_BYTES_MAX, "created");
}

static void registered_text(char text[SIM_FACT_BYTES_MAX], unsigned seat, const struct digest *token) {
    char hex[2 * DIGEST_BYTES + 1];
    digest_format(token, hex);
    snprintf(text, SIM_FACT_BYTES_MAX, "seat %u is %s", seat, hex);
}

static void move_text(char text[SIM_FACT_BYTES_MAX], unsigned seat, unsigned direction) {
    snprintf(text, SIM_FACT_BYTES_MAX, "seat %u goes %s", seat, direction_words[direction]);
}

static void half_text(char text[SIM_FACT_BYTES_MAX], unsigned seat) {
    snprintf(text, SIM_FACT_BYTES_MAX, "seat %u has sent its half", seat);
}

/* The text for a state: all of it but ids and names, which are looked at by themselves. */
static void state_text(char text[SIM_FACT_BYTES_MAX], unsigned seat, struct span body) {
    char line[SIM_FACT_BYTES_MAX];
    sim_fact_text(body, line);
    snprintf(text, SIM_FACT_BYTES_MAX, "seat %u sees %s", seat, strrchr(line, '#'));
}

/* Leaves out the text of the elements that a journal does not have, or not in these words. */
static void body_blank(struct span body, struct buf *out) {
    static const char *const names[] = {"uniquePlayerID>", "playerUsername>", "firstName>",
                                        "lastName>",       "uaccount>",       "gameStateId>"};
    size_t at = 0;
    while (at < body.size) {
        const char *mark = memchr(body.data + at, '<', body.size - at);
        size_t begin = mark == NULL ? body.size : (size_t)(mark + 1 - body.data);
        buf_append(out, span_make(body.data + at, begin - at));
        at = begin;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t size = strlen(names[i]);
            if (body.size - at < size || memcmp(body.data + at, names[i], size) != 0)
                continue;
            buf_append(out, span_make(body.data + at, size));
            at += size;
            while (at < body.size && body.data[at] != '<')
                at++;
            break;
        }
    }
}

/* How a table stands, from wherever it is known. */
struct standing {
    const struct game_view *view; /* of the seat */
    unsigned seat;
    bool has_other, is_over;
    int32_t points[SEATS_MAX];
};

static enum hunt_kind kind_of(const struct standing *s) {
    return treasure_kind_of(s->view, s->seat) == TREASURE_COURSE ? HUNT_COURSE : HUNT_SEED;
}

static void face_fill(const struct standing *s, unsigned seat, struct hunt_face *out) {
    *out = (struct hunt_face){.name.kind = kind_of(s), /* there is no name that would be told otherwise */
                              .standing = treasure_standing(s->view, seat),
                              .has_treasure = treasure_is_collected(s->view, seat)};
    if (s->is_over)
        out->standing = s->points[seat] > 0 ? TREASURE_WON : TREASURE_LOST;
}

/* The state that is to be told, with ids and names blank. */
static void standing_write(const struct standing *s, struct buf *out) {
    static struct hunt_view view;
    view = (struct hunt_view){.face_count = s->has_other ? 2 : 1};
    face_fill(s, s->seat, &view.faces[0]);
    face_fill(s, 1 - s->seat, &view.faces[1]);
    for (unsigned field = 0; field < TREASURE_FIELDS && treasure_fields_known(s->view) > 0; field++) {
        struct treasure_field seen = treasure_field_seen(s->view, s->seat, field);
        if (seen.terrain != TREASURE_UNKNOWN)
            view.fields[view.field_count++] = seen;
    }
    treasure_write_state(out, &view, kind_of(s));
}

static size_t listener_of(const struct told *told, const struct known *k) {
    return LISTENER_OF_CONNECTIONS + told->connection * TREASURE_SEATS + k->seat;
}

/* States. */

/* Fails with the place where it differs. */
static void check_same(struct sim *sim, const struct known *k, const char *what, struct span due,
                       struct span shown) {
    enum { BEFORE = 60, AFTER = 60 };
    size_t at = 0;
    if (span_equal(due, shown))
        return;
    while (at < due.size && at < shown.size && due.data[at] == shown.data[at])
        at++;
    size_t from = at < BEFORE ? 0 : at - BEFORE, to = at + AFTER;
    sim_fail(sim, "seat %u of a hunt is shown %s: '%.*s' instead of '%.*s'", k->seat, what,
             (int)((to < shown.size ? to : shown.size) - from), shown.data + from,
             (int)((to < due.size ? to : due.size) - from), due.data + from);
}

/* What a player sees is so, at this moment. And it does not tell this world from others: of those in which
 * the player could be as well, one is imagined, and there it would be shown the same. */
static void check_truth(struct sim *sim, const struct known *k, const struct table *t, struct span blank) {
    struct treasure_hunt seen, other;
    struct game_view *view = (struct game_view *)&seen, *view_there = (struct game_view *)&other;
    struct standing s = {.view = view,
                         .seat = k->seat,
                         .has_other = t->fold.seats[1 - k->seat]->name[0] != '\0',
                         .is_over = t->fold.is_finished};
    struct buf here = {0}, there = {0};
    memcpy(s.points, t->fold.result->points, sizeof s.points);
    game_view(t->fold.game, t->fold.state, k->seat, view);
    standing_write(&s, &here);
    check_same(sim, k, "what is not so", buf_span(&here), blank);
    t->fold.game->imagine(view, k->seat, &witness.rng);
    game_view(t->fold.game, (const struct game_state *)&seen, k->seat, view_there);
    s.view = view_there;
    standing_write(&s, &there);
    check_same(sim, k, "what it cannot know", buf_span(&there), blank);
    buf_free(&here);
    buf_free(&there);
}

/* Forts and treasures only where the player has been, the other nowhere but where it is said to be, and never
 * by its real id. */
static void check_secrets(struct sim *sim, const struct known *k, const struct table *t,
                          const struct treasure_answer *answer, struct span body) {
    const struct treasure_hunt *h = treasure_of(t->fold.state);
    const struct treasure_seat *own = &h->seat[k->seat], *enemy = &h->seat[1 - k->seat];
    const struct known *other = known_other(k);
    bool is_moving = h->phase == TREASURE_MOVING && !t->fold.is_finished;
    if (other != NULL && memmem(body.data, body.size, other->id, HUNT_ID_CHARS) != NULL)
        sim_fail(sim, "seat %u of a hunt is told the id of the other", k->seat);
    if (is_moving && own->actions < TREASURE_FAKED_ACTIONS && own->fake == TREASURE_NONE)
        sim_fail(sim, "seat %u of a hunt sees the other after %u actions", k->seat, own->actions);
    for (size_t i = 0; i < answer->field_count; i++) {
        const struct treasure_field *f = &answer->fields[i];
        unsigned field = f->y * treasure_width(h) + f->x;
        bool is_uncovered = treasure_set_has(own->seen, field);
        if (f->has_enemy_fort && (enemy->fort != field || !is_uncovered))
            sim_fail(sim, "seat %u of a hunt is shown the fort of the other", k->seat);
        if (f->has_own_treasure && (own->treasure != field || !is_uncovered))
            sim_fail(sim, "seat %u of a hunt is shown a treasure", k->seat);
        if (is_moving && f->has_enemy && own->fake != TREASURE_NONE && own->fake != field)
            sim_fail(sim, "seat %u of a hunt is shown where the other is", k->seat);
    }
}

static uint64_t text_number(struct span text) {
    char line[SIM_FACT_BYTES_MAX];
    sim_fact_text(text, line);
    return strtoull(strrchr(line, '#') + 1, NULL, 16);
}

/* It was shown this before, and nothing has happened since. */
static bool is_shown_again(const struct sim *sim, const struct known *k, struct span body) {
    const struct table *t = k == NULL ? NULL : tables_find(sim->server->tables, k->table);
    return t != NULL && k->shown_count > 0 && k->seq == t->fold.last_seq &&
           k->shown[k->shown_count - 1].body == text_number(body);
}

/* The same id is the same state to the last byte, whatever happened in between, and none comes back. */
static void check_state_id(struct sim *sim, struct known *k, const char *state_id, struct span body) {
    struct shown shown = {text_number(span_of(state_id)), text_number(body)};
    for (size_t i = 0; i < k->shown_count; i++) {
        if (k->shown[i].id != shown.id)
            continue;
        if (k->shown[i].body != shown.body)
            sim_fail(sim, "seat %u of a hunt is shown two states of the id %s", k->seat, state_id);
        else if (i + 1 != k->shown_count)
            sim_fail(sim, "seat %u of a hunt is shown the state %s again after another", k->seat, state_id);
        return;
    }
    if (k->shown_count == k->shown_capacity) {
        k->shown_capacity = k->shown_capacity == 0 ? 16 : 2 * k->shown_capacity;
        k->shown = realloc(k->shown, k->shown_capacity * sizeof *k->shown);
        assert(k->shown != NULL);
    }
    k->shown[k->shown_count++] = shown;
}

static void state_told(struct sim *sim, const struct told *told, struct known *k,
                       const struct treasure_answer *answer, struct span body) {
    const struct table *t = tables_find(sim->server->tables, k->table);
    char text[SIM_FACT_BYTES_MAX];
    struct buf blank = {0};
    body_blank(body, &blank);
    if (!answer->has_state)
        sim_fail(sim, "seat %u of a hunt is shown a state that is not its own", k->seat);
    check_state_id(sim, k, answer->state_id, body);
    if (t != NULL) {
        k->seq = t->fold.last_seq;
        check_secrets(sim, k, t, answer, body);
        check_truth(sim, k, t, buf_span(&blank));
    }
    state_text(text, k->seat, buf_span(&blank));
    sim_told(sim, told->dialect, k->seat, k->table, true, text);
    sim_told(sim, told->dialect, listener_of(told, k), k->table, true, text);
    buf_free(&blank);
}

/* Answers. */

static void player_added(struct sim *sim, const struct told *told, uint64_t table, const char *id) {
    struct table *t = tables_find(sim->server->tables, table);
    struct digest token;
    char text[SIM_FACT_BYTES_MAX];
    hunt_id_digest(span_of(id), &token);
    for (unsigned seat = 0; t != NULL && seat < TREASURE_SEATS; seat++)
        if (table_token(t, seat) != NULL && digest_equal(table_token(t, seat), &token)) {
            known_add(table, seat, id);
            registered_text(text, seat, &token);
            sim_told(sim, told->dialect, seat, table, true, text);
            return;
        }
    sim_fail(sim, "somebody has registered and sits nowhere");
}

static void okay_told(struct sim *sim, const struct told *told, const struct treasure_ask *ask,
                      const struct treasure_answer *answer, struct span body) {
    char text[SIM_FACT_BYTES_MAX];
    uint64_t table;
    struct known *k = known_find(span_of(ask->player));
    bool has_table =
        table_code_parse(span_of(ask->kind == TREASURE_ASK_GAME ? answer->id : ask->game), &table);
    switch (ask->kind) {
    case TREASURE_ASK_GAME:
        created_text(text);
        if (has_table)
            sim_told(sim, told->dialect, LISTENER_OF_GAME, table, true, text);
        return;
    case TREASURE_ASK_PLAYER:
        if (has_table)
            player_added(sim, told, table, answer->id);
        return;
    case TREASURE_ASK_STATE:
        if (k != NULL)
            state_told(sim, told, k, answer, body);
        return;
    case TREASURE_ASK_MOVE: move_text(text, k == NULL ? 0 : k->seat, ask->direction); break;
    case TREASURE_ASK_HALF: half_text(text, k == NULL ? 0 : k->seat); break;
    default: return;
    }
    if (k == NULL) {
        sim_fail(sim, "somebody who has not registered has acted in a hunt");
        return;
    }
    sim_told(sim, told->dialect, listener_of(told, k), k->table, true, text);
}

static void answer_told(struct sim *sim, const struct told *told, const struct treasure_ask *ask,
                        struct span body) {
    static struct treasure_answer answer;
    if (ask->kind == TREASURE_ASK_STATE && is_shown_again(sim, known_find(span_of(ask->player)), body))
        return;
    if (treasure_answer_read(body, span_of(ask->player), &answer) != ERR_OK)
        sim_fail(sim, "the server says what is no answer of a hunt: %.*s", (int)body.size, body.data);
    else if (answer.is_okay)
        okay_told(sim, told, ask, &answer, body);
    else if (answer.name[0] == '\0' || answer.message[0] == '\0')
        sim_fail(sim, "a refusal of a hunt does not say why");
}

void treasure_witness_told(struct sim *sim, const struct sim_dialect *dialect, size_t connection,
                           struct span bytes) {
    struct told *told = told_of(connection);
    told->dialect = dialect;
    struct buf body = {0};
    enum http_piece piece;
    int status;
    counted_pause(true);
    http_stream_add(&told->stream, bytes);
    while ((piece = http_stream_next(&told->stream, &status, &body)) != HTTP_PIECE_NONE) {
        if (piece != HTTP_PIECE_ANSWER) {
            sim_fail(sim, "the server says what is not HTTP");
            break;
        }
        struct treasure_ask ask = asked_take(told);
        if (status == 200 && !told->is_fouled)
            answer_told(sim, told, &ask, buf_span(&body));
    }
    buf_free(&body);
    counted_pause(false);
}

/* The journal. */

static void tell_state(struct sim_telling *t, const struct fold *fold, unsigned seat) {
    struct treasure_hunt seen;
    struct standing s = {.view = (struct game_view *)&seen,
                         .seat = seat,
                         .has_other = fold->seats[1 - seat]->name[0] != '\0',
                         .is_over = fold->is_finished};
    struct buf out = {0};
    char text[SIM_FACT_BYTES_MAX];
    if (fold->is_finished)
        memcpy(s.points, fold->result->points, sizeof s.points);
    game_view(fold->game, fold->state, seat, (struct game_view *)&seen);
    standing_write(&s, &out);
    state_text(text, seat, buf_span(&out));
    telling_add(t, text, true);
    buf_free(&out);
}

/* Everything that may be told after an event. What is acknowledged comes before the states that show it. */
void treasure_witness_tells(struct sim_telling *t, const struct sim_step *step) {
    const struct fold *fold = step->fold;
    char text[SIM_FACT_BYTES_MAX];
    struct event_seat seat;
    if (step->before == NULL) {
        telling_view(t, SPAN(""));
        created_text(text);
        telling_add(t, text, true);
    }
    if (step->event->kind == EVENT_SEAT && event_seat_read(step->event->body, &seat) == ERR_OK &&
        seat.has_token) {
        registered_text(text, seat.seat, &seat.token);
        telling_add(t, text, true);
    }
    if (step->event->kind == EVENT_ACTION && step->action->kind == TREASURE_MOVE) {
        move_text(text, step->seat, step->action->arg[0]);
        telling_add(t, text, true);
    }
    if (step->event->kind == EVENT_ACTION && step->action->kind == TREASURE_HALF) {
        half_text(text, step->seat);
        telling_add(t, text, true);
    }
    for (unsigned viewer = 0; viewer < TREASURE_SEATS && step->is_last; viewer++)
        tell_state(t, fold, viewer);
}

void treasure_witness_finish(void) {
    while (witness.told != NULL) {
        struct told *told = witness.told;
        witness.told = told->next;
        while (told->first != NULL)
            asked_take(told);
        counted_pause(true);
        http_stream_free(&told->stream);
        counted_pause(false);
        free(told);
    }
    while (witness.known != NULL) {
        struct known *k = witness.known;
        witness.known = k->next;
        free(k->shown);
        free(k);
    }
}
