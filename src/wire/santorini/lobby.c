/* Who joins which table. The line is empty as long as some table has room; otherwise its first one is asked
 * for the number of players of the next table, and the next one too when no answer comes. */
#include "wire/santorini/internal.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>
#include <utlist.h>

enum {
    STAGE_EMPTY_MS =
        10 * 60 * 1000,      /* a table that was opened through another protocol may be empty for so long */
    PATIENCE_MS = 15 * 1000, /* how long the others wait for one who was asked and says nothing */
};

/* Nobody is seated with somebody who is away. */
static bool stage_has_room(const struct stage *stage) {
    return !stage->is_dropped && !stage->is_opening && !stage_has_missed(stage) &&
           stage_named(stage) + stage_unnamed(stage) < table_options(stage->table)->seat_count;
}

static struct stage *find_room(const struct santorini_port *p) {
    struct stage *stage = p->forming;
    while (stage != NULL && !stage_has_room(stage))
        stage = stage->forming_next;
    return stage;
}

static void answer_late(struct timer *timer, uint64_t now_ms);
static void answer_slow(struct timer *timer, uint64_t now_ms);

static void answer_arm(struct visitor *v) {
    const struct santorini_port_config *config = &v->port->config;
    bool is_long = config->answer_ms == 0 || config->answer_ms > PATIENCE_MS;
    timers_arm(&v->port->timers, &v->timer, v->port->now_ms + (is_long ? PATIENCE_MS : config->answer_ms),
               is_long ? answer_slow : answer_late);
}

/* Who keeps others waiting goes behind them. */
static void answer_late(struct timer *timer, uint64_t now_ms) {
    struct visitor *v = TIMER_OWNER(timer, struct visitor, timer);
    struct santorini_port *p = v->port;
    p->now_ms = now_ms;
    if (v->at == NULL && p->line_count == 1) {
        answer_arm(v);
        return;
    }
    bool was_in_line = v->at == NULL;
    visitor_send_error(v, "the answer took too long, and others are waiting");
    lobby_leave(v);
    if (was_in_line)
        lobby_arrive(v);
    else
        visitor_dismiss(v);
    lobby_advance(p);
}

static void ask_number(struct visitor *v);

/* Silent connections do not hold up those who answer: the next in line is asked, too, or the place at the
 * table goes to whoever says a name first. */
static void answer_slow(struct timer *timer, uint64_t now_ms) {
    struct visitor *v = TIMER_OWNER(timer, struct visitor, timer);
    struct santorini_port *p = v->port;
    p->now_ms = now_ms;
    if (v->at == NULL && p->line_count == 1) {
        answer_arm(v);
        return;
    }
    v->is_slow = true;
    if (p->config.answer_ms != 0)
        timers_arm(&p->timers, timer, now_ms + p->config.answer_ms - PATIENCE_MS, answer_late);
    struct visitor *next = v->at == NULL ? p->line : NULL;
    while (next != NULL && next->is_asked_number)
        next = next->next;
    if (next != NULL && p->opening_count == 0)
        ask_number(next);
    lobby_advance(p);
}

static void ask_number(struct visitor *v) {
    v->is_asked_number = true;
    santorini_write_plain(&v->port->out, "askNumberOfPlayers");
    visitor_send(v);
    answer_arm(v);
}

static void ask_first(struct santorini_port *p) {
    if (p->line != NULL && p->opening_count == 0 && !p->line->is_asked_number)
        ask_number(p->line);
}

bool lobby_awaits(const struct santorini_port *p) {
    const struct stage_seat *seat;
    DL_FOREACH(p->missed, seat)
    if (!seat->is_leaving && !seat->stage->is_dropped &&
        stage_seat_is_ours(seat->stage->table, seat->number) &&
        santorini_is_alive(stage_view(seat->stage), seat->number))
        return true;
    return false;
}

static void ask_name(struct visitor *v) {
    v->is_asked = true;
    santorini_write_plain(&v->port->out, "askNickAndDate");
    visitor_send(v);
}

void lobby_ask_early(struct visitor *v) {
    if (v->seat == NULL && !v->is_asked && !v->is_asked_number && v->name[0] == '\0' && lobby_awaits(v->port))
        ask_name(v);
}

/* The last one without a name for whom there is no place any more; the silent ones stay as long as any seat
 * is free. */
static struct visitor *find_surplus(const struct stage *stage) {
    unsigned left = table_options(stage->table)->seat_count - stage_named(stage);
    struct visitor *v, *last = NULL;
    if (left > 0 && stage_unnamed(stage) <= left)
        return NULL;
    DL_FOREACH(stage->visitors, v)
    last = v->seat == NULL && v != stage->sitter && (left == 0 || !v->is_slow) ? v : last;
    return last;
}

void lobby_check_full(struct stage *stage) {
    struct santorini_port *p = stage->port;
    unsigned seat_count = table_options(stage->table)->seat_count;
    struct visitor *v, *next;
    if (stage->is_dropped || stage->is_opening)
        return;
    struct visitor *last;
    while ((last = find_surplus(stage)) != NULL) {
        visitor_send_error(last, "somebody else has taken the last seat");
        lobby_leave(last);
        last->is_moved = p->has_moved = true;
        lobby_arrive(last);
    }
    if (stage_named(stage) + stage_unnamed(stage) < seat_count)
        return;
    DL_FOREACH_SAFE(stage->visitors, v, next) {
        if (v->seat != NULL || v->name[0] != '\0' || v == stage->sitter)
            continue;
        if (!v->is_asked)
            ask_name(v);
        if (v->timer.place == 0)
            answer_arm(v);
    }
}

static void join(struct stage *stage, struct visitor *v) {
    v->at = stage;
    v->is_slow = false;
    DL_APPEND(stage->visitors, v);
}

/* A visitor who has said its name in line sits down. */
static void sit_named(struct visitor *v) {
    struct santorini_port *p = v->port;
    if (v->name[0] == '\0' || table_is_busy(v->at->table))
        return;
    const char *why = stage_name_complaint(v->at->table, span_of(v->name));
    enum err e = why == NULL ? stage_sit(v, span_of(v->name), v->birth, span_of(v->seed)) : ERR_FIELD_INVALID;
    if (e == ERR_OK)
        return;
    struct santorini_request r = {.type = SANTORINI_ADD_PLAYER, .name = span_of(v->name)};
    santorini_write_reply(&p->out, &r, "", false);
    santorini_write_error(&p->out, why == NULL ? err_sentence(e) : why);
    v->name[0] = '\0';
    ask_name(v);
}

/* What is known of the table so far, as for somebody who comes back. */
static void welcome(struct visitor *v) {
    struct santorini_scene scene = stage_scene(v->at);
    santorini_write_replay(&v->port->out, &scene);
    stage_write_away(v->at, SEAT_WATCHER);
    visitor_send(v);
    sit_named(v);
    lobby_ask_early(v);
}

void lobby_seat_named(struct stage *stage) {
    struct visitor *v;
    DL_FOREACH(stage->visitors, v)
    if (v->seat == NULL)
        sit_named(v);
}

void lobby_arrive(struct visitor *v) {
    struct santorini_port *p = v->port;
    struct stage *stage = find_room(p);
    v->at = NULL;
    v->seat = NULL;
    v->is_asked = v->is_slow = false;
    if (stage != NULL) {
        join(stage, v);
        welcome(v);
        lobby_check_full(stage);
        return;
    }
    if (p->line_count >= p->config.waiting_max || p->stage_count >= p->config.tables_max) {
        visitor_send_error(v, "too many players are connected, come back later");
        visitor_dismiss(v);
        return;
    }
    DL_APPEND(p->line, v);
    p->line_count++;
    ask_first(p);
    lobby_ask_early(v);
}

void lobby_leave(struct visitor *v) {
    struct santorini_port *p = v->port;
    timers_stop(&p->timers, &v->timer);
    v->is_asked_number = false;
    if (v->at == NULL) {
        DL_DELETE(p->line, v);
        p->line_count--;
        return;
    }
    struct stage *stage = v->at;
    DL_DELETE(stage->visitors, v);
    if (stage->sitter == v)
        stage->sitter = NULL;
    v->at = NULL;
    if (stage->is_forming && stage_is_empty(stage) && !stage->is_sitting)
        stage_drop(stage);
}

void lobby_advance(struct santorini_port *p) {
    struct stage *stage;
    while (p->line != NULL && (stage = find_room(p)) != NULL) {
        struct visitor *v = p->line;
        lobby_leave(v);
        join(stage, v);
        welcome(v);
        lobby_check_full(stage);
    }
    ask_first(p);
}

static struct visitor *find_moved(const struct santorini_port *p) {
    const struct stage *stage;
    struct visitor *v;
    DL_FOREACH(p->line, v)
    if (v->is_moved)
        return v;
    DL_FOREACH2(p->forming, stage, forming_next) {
        DL_FOREACH(stage->visitors, v)
        if (v->is_moved)
            return v;
    }
    return NULL;
}

void lobby_resume(struct santorini_port *p) {
    while (p->has_moved) {
        struct visitor *v = find_moved(p);
        p->has_moved = v != NULL;
        if (v == NULL)
            return;
        v->is_moved = false;
        json_peer_resume(v->peer, p->now_ms);
    }
}

static struct stage *open_stage(struct santorini_port *p, const struct table_wish *wish) {
    struct stage *stage = stage_create(p, wish->options.seat_count);
    struct table_setup setup = {
        .id = tables_new_short(p->config.tables),
        .game = santorini_port_game,
        .options = wish->options,
        .protocol = SANTORINI_PROTOCOL,
        .house = wish->house,
        .opener = wish->opener,
    };
    struct table_listener listener = stage_listener(stage);
    stage->is_opening = true;
    p->opening_count++;
    enum err e = table_open(p->config.tables, &setup, &listener, p->now_ms, &stage->table);
    assert(e == ERR_OK);
    (void)e;
    return stage;
}

void lobby_open_table(struct visitor *v, unsigned seat_count) {
    struct santorini_port *p = v->port;
    const struct table_wish wish = {.options = game_options_default(santorini_port_game, seat_count),
                                    .opener = *json_peer_address(v->peer)};
    lobby_leave(v);
    if (!tables_may_open(p->config.tables, &wish.opener)) {
        json_peer_refused(v->peer, ERR_ADDRESS_FULL);
        visitor_send_error(v, err_sentence(ERR_ADDRESS_FULL));
        visitor_dismiss(v); /* asking once more would not help */
        lobby_advance(p);
    } else if (p->stage_count >= p->config.tables_max) {
        lobby_arrive(v);
    } else {
        join(open_stage(p, &wish), v);
    }
}

/* Nobody has come to a table that was opened through another protocol. */
static void still_empty(struct timer *timer, uint64_t now_ms) {
    struct stage *stage = TIMER_OWNER(timer, struct stage, empty);
    stage->port->now_ms = now_ms;
    stage->is_from_door = false;
    if (stage_is_empty(stage))
        stage_drop(stage);
}

/* The protocol has no words for a game without gods. */
static enum err door_open(void *context, const struct table_wish *wish, uint64_t now_ms, struct table **out) {
    struct santorini_port *p = context;
    struct game_options own = game_options_default(santorini_port_game, wish->options.seat_count);
    enum err e = game_options_check(santorini_port_game, &wish->options);
    if (e == ERR_OK && memcmp(own.value, wish->options.value, sizeof own.value) != 0)
        e = ERR_OPTION_INVALID;
    if (e == ERR_OK && p->stage_count >= p->config.tables_max)
        e = ERR_TOO_MANY;
    if (e != ERR_OK)
        return e;
    p->now_ms = now_ms;
    struct stage *stage = open_stage(p, wish);
    stage->is_from_door = true;
    timers_arm(&p->timers, &stage->empty, now_ms + STAGE_EMPTY_MS, still_empty);
    *out = stage->table;
    return ERR_OK;
}

const struct table_door santorini_door = {
    .protocol = SANTORINI_PROTOCOL, .game = &santorini_game, .open = door_open};
