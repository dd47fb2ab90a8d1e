#include "wire/ugs/segments.h"

#include "base/mem.h"

#include <assert.h>

#define SEGMENTS_TYPE "paper_football"
#define SEGMENTS_LOGIN_START                                                                                 \
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><message type=\"playerLogin\"><playerLogin nick=\""
#define SEGMENTS_LOGIN_END "\" gameType=\"" SEGMENTS_TYPE "\" /></message>"

struct segments {
    char nick[SEGMENTS_NICK_DIGITS_MAX + 1];
    enum attack first_attack;
    bool is_certain;   /* it has moved in its way, */
    bool is_likely;    /* or has logged in as the known program does */
    bool is_withheld;  /* it was asked for a move to see which kind it is: points is what it was not told */
    bool is_dismissed; /* it was told something after which it ends */
    char table[HALL_TABLE_ID_BYTES_MAX];
    char next[HALL_NICK_BYTES_MAX + 1]; /* who is to move; empty: nobody, or it is not known yet */
    struct pitch pitch;                 /* as everybody knows it */
    struct pitch trial;                 /* the same with the segments that were collected */
    struct pitch_point points[PITCH_MOVE_STEPS_MAX + 1]; /* where they end */
    size_t count;
    size_t shown; /* of the move that comes next, it knows the first segments: they are its own */
};

bool segments_recognise(const struct hall_message *login) {
    bool is_number = login->nick.size > 0 && login->nick.size <= SEGMENTS_NICK_DIGITS_MAX;
    for (size_t i = 0; i < login->nick.size && is_number; i++)
        is_number = login->nick.data[i] >= '0' && login->nick.data[i] <= '9';
    return login->type == HALL_PLAYER_LOGIN && is_number && span_is(login->game_type, SEGMENTS_TYPE);
}

static bool segments_login_is_known(struct span document, struct span nick) {
    struct span start = SPAN(SEGMENTS_LOGIN_START), end = SPAN(SEGMENTS_LOGIN_END);
    if (document.size != start.size + nick.size + end.size)
        return false;
    return span_equal(span_make(document.data, start.size), start) &&
           span_equal(span_make(document.data + start.size, nick.size), nick) &&
           span_equal(span_make(document.data + start.size + nick.size, end.size), end);
}

struct segments *segments_create(const struct hall_message *login, struct span document,
                                 enum attack first_attack) {
    struct segments *s = mem_alloc(sizeof *s);
    bool fits = span_copy(login->nick, s->nick, sizeof s->nick);
    assert(fits);
    (void)fits;
    s->first_attack = first_attack;
    s->is_likely = segments_login_is_known(span_trim(document), login->nick);
    return s;
}

void segments_free(struct segments *s) {
    mem_free(s);
}

/* Their first player attacks the bottom goal. */
static struct pitch_point segments_turn(const struct segments *s, struct pitch_point point) {
    if (s->first_attack == ATTACK_TOP)
        point.y = point.y == INT32_MIN ? INT32_MAX : -point.y;
    return point;
}

static void segments_say(const struct segments *s, const struct segments_output *output,
                         const struct hall_message *m) {
    if (!s->is_dismissed)
        output->say(output->context, m);
}

static struct hall_message segments_next(const struct segments *s, const char *nick) {
    return (struct hall_message){.type = HALL_GAME_STATE,
                                 .has_table = true,
                                 .table = span_of(s->table),
                                 .has_next = true,
                                 .next = span_of(nick)};
}

static void segments_say_one(const struct segments *s, struct pitch_point from, struct pitch_point to,
                             struct hall_message state, const struct segments_output *output) {
    const struct pitch_point points[] = {segments_turn(s, from), segments_turn(s, to)};
    state.payload = state.text = (struct span){0};
    state.points = points;
    state.point_count = 2;
    segments_say(s, output, &state);
}

/* The segments of a whole move from the ball on, the first ones left out: the mover is named until the last
 * one, which brings what follows from the move. */
static void segments_say_move(const struct segments *s, struct pitch_point from,
                              const struct pitch_point *points, size_t count, size_t skip,
                              const struct hall_message *last, const struct segments_output *output) {
    for (size_t i = 0; i < count; from = points[i++]) {
        bool is_last = i + 1 == count;
        if (i >= skip || is_last)
            segments_say_one(s, from, points[i], is_last ? *last : segments_next(s, s->next), output);
    }
}

static bool segments_is_named(const struct segments *s) {
    return strcmp(s->next, s->nick) == 0;
}

/* Which kind of player it is has to be known before it is told a segment, but only its move can tell. Asked
 * for one before anything was moved, both kinds answer with one that they do not draw themselves. */
static void segments_ask(struct segments *s, const struct hall_message *state,
                         const struct segments_output *output) {
    memcpy(s->points, state->points, state->point_count * sizeof *s->points);
    s->count = state->point_count;
    s->is_withheld = true;
    struct hall_message question = segments_next(s, s->nick);
    segments_say(s, output, &question);
}

static void segments_begin(struct segments *s, struct span table) {
    bool fits = span_copy(table, s->table, sizeof s->table);
    assert(fits); /* the hall has named it */
    (void)fits;
    s->next[0] = '\0';
    s->shown = 0;
    pitch_setup(&s->pitch, s->first_attack);
}

static void segments_tell_state(struct segments *s, const struct hall_message *m,
                                const struct segments_output *output) {
    if (!span_is(m->table, s->table))
        segments_begin(s, m->table);
    struct pitch after = s->pitch;
    struct pitch_point ball = pitch_point_of(s->pitch.ball);
    bool has_moved = m->unread == ERR_OK && m->point_count > 0 &&
                     pitch_play_move(&after, m->points, m->point_count, NULL) == ERR_OK;
    bool is_named = m->has_next && span_is(m->next, s->nick);
    struct hall_message state = *m;
    state.payload = state.text = (struct span){0};
    state.point_count = 0;
    s->is_withheld = false;
    if (has_moved && is_named && !s->is_certain && !s->is_likely)
        segments_ask(s, m, output);
    else if (has_moved)
        segments_say_move(s, ball, m->points, m->point_count, s->shown, &state, output);
    else /* the beginning, or an end without a move that could be drawn */
        segments_say(s, output, &state);
    if (!s->is_withheld) {
        s->pitch = s->trial = after;
        s->count = 0;
    }
    s->shown = 0;
    if (!m->has_next || !span_copy(m->next, s->next, sizeof s->next))
        s->next[0] = '\0';
}

void segments_tell(struct segments *s, const struct hall_message *m, const struct segments_output *output) {
    if (m->type == HALL_GAME_STATE)
        segments_tell_state(s, m, output);
    else if (m->type != HALL_SERVER_SHUTDOWN) /* which tells it nothing: its farewell follows */
        segments_say(s, output, m);
    s->is_dismissed |= m->type == HALL_CHAMPIONS_LIST;
}

void segments_farewell(struct segments *s, const struct segments_output *output) {
    segments_say(s, output, &(struct hall_message){.type = HALL_THANK_YOU});
    s->is_dismissed = true;
}

/* It has answered as its kind does: what was kept from it is told now. */
static void segments_release(struct segments *s, const struct segments_output *output) {
    struct hall_message last = segments_next(s, s->nick);
    struct pitch_point ball = pitch_point_of(s->pitch.ball);
    segments_say_move(s, ball, s->points, s->count, 0, &last, output);
    enum err e = pitch_play_move(&s->pitch, s->points, s->count, NULL);
    assert(e == ERR_OK); /* it was played before it was kept */
    (void)e;
    s->trial = s->pitch;
    s->count = 0;
    s->is_withheld = false;
}

/* One more segment; returns what is wrong with it. The point where it should end is collected also then,
 * unless there is none, or it does not begin at the ball: its points alone might be a good move. */
static enum err segments_collect(struct segments *s, const struct hall_message *m, bool saw_point) {
    if (m->unread != ERR_OK)
        return m->unread;
    if (m->point_count != 2 || saw_point)
        return ERR_FIELD_INVALID;
    struct pitch_point ball = pitch_point_of(s->trial.ball);
    struct pitch_point from = segments_turn(s, m->points[0]), to = segments_turn(s, m->points[1]);
    if (from.x != ball.x || from.y != ball.y)
        return ERR_STEP_ELSEWHERE;
    assert(s->count <= PITCH_MOVE_STEPS_MAX); /* each of them has drawn a line */
    s->points[s->count++] = to;
    int d = pitch_direction(ball, to);
    if (d < 0)
        return ERR_STEP_TOO_LONG;
    enum err e = pitch_check_step(&s->trial, (unsigned)d);
    if (e == ERR_OK)
        pitch_step(&s->trial, (enum direction)d);
    return e;
}

/* The turn has ended, or is broken: what was collected is the move. */
static void segments_whole(struct segments *s, const struct hall_message *m, enum err unread,
                           struct hall_message *out) {
    *out = (struct hall_message){.type = HALL_MOVE,
                                 .has_table = true,
                                 .table = span_of(s->table),
                                 .payload = m->payload,
                                 .points = s->points,
                                 .point_count = unread == ERR_OK ? s->count : 0,
                                 .unread = unread};
    s->shown = s->count > 0 ? s->count - 1 : 0;
    s->next[0] = '\0';
}

static enum segments_answer segments_take_move(struct segments *s, const struct hall_message *m,
                                               bool saw_point, const struct segments_output *output,
                                               struct hall_message *out, enum err *why) {
    bool is_here = !m->has_table || span_is(m->table, s->table);
    struct pitch_point ball = pitch_point_of(s->trial.ball);
    if (!segments_is_named(s) || !is_here)
        return SEGMENTS_PASSES;
    if (s->is_withheld && s->is_certain) {
        segments_release(s, output);
        return SEGMENTS_GOES_ON;
    }
    size_t before = s->count;
    *why = segments_collect(s, m, saw_point);
    if (*why == ERR_OK && !s->trial.is_over && s->trial.mover == s->pitch.mover) {
        segments_say_one(s, ball, s->points[s->count - 1], segments_next(s, s->nick), output);
        return SEGMENTS_GOES_ON;
    }
    segments_whole(s, m, s->count > before ? ERR_OK : *why, out);
    return SEGMENTS_PASSES;
}

enum segments_answer segments_take(struct segments *s, const struct hall_message *m, bool saw_point,
                                   const struct segments_output *output, struct hall_message *out,
                                   enum err *why) {
    bool is_of_papers = m->type == HALL_THANK_YOU || m->type == HALL_LEAVE_GAME || m->type == HALL_LOGOUT ||
                        m->type == HALL_ERROR || (m->type == HALL_MOVE && saw_point);
    *out = *m;
    *why = ERR_OK;
    if (is_of_papers && !s->is_certain) {
        *out = (struct hall_message){0};
        if (s->is_withheld) {
            *out = segments_next(s, s->nick);
            out->points = s->points;
            out->point_count = s->count;
        }
        return SEGMENTS_NEVER;
    }
    s->is_certain |= m->type == HALL_MOVE && m->unread == ERR_OK && m->point_count == 2 && !saw_point;
    return m->type == HALL_MOVE ? segments_take_move(s, m, saw_point, output, out, why) : SEGMENTS_PASSES;
}
