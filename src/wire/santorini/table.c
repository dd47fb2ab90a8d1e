/* What happens at a table of the port: told to whoever is connected, from the table's own notices, so that it
 * is the same whoever did it; and seats whose players are gone. */
#include "wire/santorini/internal.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <utlist.h>

const struct game *const santorini_port_game = &santorini_game;

struct stage *stage_create(struct santorini_port *p, unsigned seat_count) {
    struct stage *stage = mem_alloc(sizeof *stage);
    stage->port = p;
    stage->is_forming = true;
    for (unsigned seat = 0; seat < seat_count; seat++)
        stage->seats[seat] = (struct stage_seat){.stage = stage, .number = seat, .step = SANTORINI_STEP_NONE};
    DL_APPEND(p->stages, stage);
    DL_APPEND2(p->forming, stage, forming_prev, forming_next);
    p->stage_count++;
    return stage;
}

static void formed(struct stage *stage) {
    if (!stage->is_forming)
        return;
    stage->is_forming = false;
    DL_DELETE2(stage->port->forming, stage, forming_prev, forming_next);
}

/* The seat waits for nobody any more. */
static void seat_forget(struct stage_seat *seat) {
    struct santorini_port *p = seat->stage->port;
    timers_stop(&p->timers, &seat->grace);
    if (seat->is_missed)
        DL_DELETE(p->missed, seat);
    seat->is_missed = seat->is_leaving = false;
}

void stage_free(struct stage *stage) {
    struct santorini_port *p = stage->port;
    formed(stage);
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        if (stage->seats[seat].stage != NULL)
            seat_forget(&stage->seats[seat]);
    DL_DELETE(p->stages, stage);
    p->stage_count--;
    timers_stop(&p->timers, &stage->empty);
    p->opening_count -= stage->is_opening;
    table_close(stage->table);
    mem_free(stage);
}

bool stage_is_empty(const struct stage *stage) {
    return stage->visitors == NULL && stage_named(stage) == 0 && !stage->is_from_door;
}

/* What anybody may know; the game has no secrets. */
static const struct santorini *state_of(const struct table *table) {
    return santorini_of_view(table_view(table, SEAT_WATCHER));
}

const struct santorini *stage_view(const struct stage *stage) {
    return state_of(stage->table);
}

static struct santorini_scene scene_of(const struct table *table) {
    struct santorini_scene scene = {.state = state_of(table)};
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        scene.names[seat] = seat < scene.state->seat_count ? table_name(table, seat) : "";
    return scene;
}

struct santorini_scene stage_scene(const struct stage *stage) {
    return scene_of(stage->table);
}

unsigned stage_named(const struct stage *stage) {
    return table_options(stage->table)->seat_count - table_free_seats(stage->table);
}

unsigned stage_unnamed(const struct stage *stage) {
    const struct visitor *v;
    unsigned count = 0;
    DL_FOREACH(stage->visitors, v) count += v->seat == NULL && !v->is_slow;
    return count;
}

static bool is_over(const struct stage *stage) {
    return table_state_word(stage->table) == TABLE_OVER;
}

/* Seats. */

bool stage_seat_is_ours(const struct table *table, unsigned seat) {
    const char *note = table_note(table, seat);
    size_t size = strlen(SANTORINI_SEAT_NOTE);
    return strncmp(note, SANTORINI_SEAT_NOTE, size) == 0 && (note[size] == '\0' || note[size] == ' ');
}

/* What the player of a seat has said of its birth on sitting down here; all 0: nothing. */
static struct santorini_birth seat_birth(const struct table *table, unsigned seat) {
    unsigned year, month, day;
    if (sscanf(table_note(table, seat), SANTORINI_SEAT_NOTE " %u.%u.%u", &year, &month, &day) != 3)
        return (struct santorini_birth){0};
    return (struct santorini_birth){.year = (uint16_t)year, .month = (uint8_t)month, .day = (uint8_t)day};
}

const char *stage_name_complaint(const struct table *table, struct span name) {
    if (utf8_has_control(name))
        return "a name has no control characters";
    if (utf8_is_all_blank(name) || utf8_length(name) > SANTORINI_NAME_CHARS_MAX)
        return "a name has from 1 to 32 characters";
    for (unsigned seat = 0; table != NULL && seat < table_options(table)->seat_count; seat++)
        if (span_is(name, table_name(table, seat)))
            return "somebody at the table has this name already";
    return NULL;
}

enum err stage_sit(struct visitor *v, struct span name, struct santorini_birth birth, struct span seed) {
    struct stage *stage = v->at;
    struct table *table = stage->table;
    char note[sizeof SANTORINI_SEAT_NOTE + 16];
    unsigned seat = 0;
    if (table_free_seats(table) == 0)
        return ERR_TABLE_FULL;
    while (table_name(table, seat)[0] != '\0')
        seat++;
    snprintf(note, sizeof note, SANTORINI_SEAT_NOTE " %u.%u.%u", birth.year, birth.month, birth.day);
    struct table_guest guest = {.seat = seat, .name = name, .note = span_of(note), .seed = seed};
    enum err e = table_sit(table, &guest, NULL, 0, stage->port->now_ms);
    if (e != ERR_OK)
        return e;
    timers_stop(&stage->port->timers, &v->timer);
    stage->is_sitting = true;
    stage->sitter = v;
    return ERR_OK;
}

bool stage_has_missed(const struct stage *stage) {
    bool is_missed = false;
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        is_missed = is_missed || stage->seats[seat].is_missed;
    return is_missed;
}

void stage_write_away(struct stage *stage, unsigned except) {
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        if (stage->seats[seat].is_missed && seat != except && santorini_is_alive(stage_view(stage), seat))
            santorini_write_name(&stage->port->out, "playerDisconnected",
                                 span_of(table_name(stage->table, seat)));
}

bool stage_vacate(struct stage *stage) {
    struct table *table = stage->table;
    for (unsigned number = 0; number < SANTORINI_SEATS_MAX && stage->is_forming; number++) {
        struct stage_seat *seat = &stage->seats[number];
        if (!seat->is_leaving || table_is_busy(table) || is_over(stage))
            continue;
        if (table_get_up(table, number, stage->port->now_ms) == ERR_OK)
            return true;
        if (table_free_seats(table) > 0) {
            stage_drop(stage); /* somebody has said a date through another protocol: the seats hold */
            continue;
        }
        seat->is_leaving = false; /* all were there, so it is a game that is left */
        if (seat->is_through)
            table_attend(table, number, SEAT_RETIRED, stage->port->now_ms);
    }
    return table_is_busy(table);
}

static void grace_over(struct timer *timer, uint64_t now_ms) {
    struct stage_seat *seat = TIMER_OWNER(timer, struct stage_seat, grace);
    seat->stage->port->now_ms = now_ms;
    log_event(LOG_DEBUG, "grace-over",
              LOG_TEXT("name", span_of(table_name(seat->stage->table, seat->number))));
    stage_seat_give_up(seat);
}

static void grace_arm(struct stage_seat *seat) {
    struct santorini_port *p = seat->stage->port;
    if (p->is_started && santorini_is_alive(stage_view(seat->stage), seat->number))
        timers_arm(&p->timers, &seat->grace, p->now_ms + p->config.grace_ms, grace_over);
}

static void seat_miss(struct stage_seat *seat) {
    struct santorini_port *p = seat->stage->port;
    if (seat->is_missed || is_over(seat->stage))
        return;
    seat->is_missed = true;
    DL_PREPEND(p->missed, seat);
    grace_arm(seat);
}

/* Others flush what is said about this. */
static void set_online(struct stage_seat *seat, bool is_online) {
    struct santorini_port *p = seat->stage->port;
    p->is_speaking = true;
    table_set_online(seat->stage->table, seat->number, is_online);
    p->is_speaking = false;
}

void stage_seat_take(struct stage_seat *seat, struct visitor *v) {
    seat->visitor = v;
    seat->step = SANTORINI_STEP_NONE;
    v->seat = seat;
    v->name[0] = '\0';
    timers_stop(&v->port->timers, &v->timer);
    set_online(seat, true);
}

void stage_seat_lose(struct stage_seat *seat) {
    seat->visitor = NULL;
    set_online(seat, false);
    if (seat->stage->is_forming && seat->is_missed) {
        seat->is_leaving = true;
        stage_vacate(seat->stage);
    }
}

void stage_seat_give_up(struct stage_seat *seat) {
    struct stage *stage = seat->stage;
    seat->is_through = true;
    if (stage->is_forming) {
        seat->is_leaving = true;
        stage_vacate(stage);
    } else {
        table_attend(stage->table, seat->number, SEAT_RETIRED, stage->port->now_ms);
    }
}

static void abandon(struct stage *stage) {
    enum err e = table_abandon(stage->table);
    assert(e == ERR_OK || e == ERR_TABLE_OVER || e == ERR_BUSY);
    (void)e;
}

void stage_drop(struct stage *stage) {
    if (stage->is_dropped)
        return;
    stage->is_dropped = true;
    if (!table_is_busy(stage->table))
        abandon(stage);
}

/* What the table tells. */

static void table_presence(void *context, struct table *table, unsigned number) {
    struct stage *stage = context;
    struct stage_seat *seat = &stage->seats[number];
    struct span name = span_of(table_name(table, number));
    bool is_online = table_is_online(table, number);
    if (is_online == !seat->is_missed || name.size == 0)
        return;
    if (is_online)
        seat_forget(seat);
    else
        seat_miss(seat);
    if (is_online == seat->is_missed)
        return;
    santorini_write_name(&stage->port->out, is_online ? "playerReconnected" : "playerDisconnected", name);
    stage_send(stage, seat->visitor);
    if (!stage->port->is_speaking)
        json_port_flush(stage->port->json);
}

static void table_sat(void *context, struct table *table, unsigned number) {
    struct stage *stage = context;
    struct stage_seat *seat = &stage->seats[number];
    struct santorini_request r = {.type = SANTORINI_ADD_PLAYER, .name = span_of(table_name(table, number))};
    bool is_ours = stage->is_sitting;
    struct visitor *sitter = stage->sitter;
    if (r.name.size == 0) { /* the seat is free again */
        seat_forget(seat);
        seat->is_through = false;
        return;
    }
    santorini_write_reply(&stage->port->out, &r, "", true);
    stage_send(stage, NULL);
    stage->is_sitting = false;
    stage->sitter = NULL;
    if (is_ours && sitter != NULL)
        stage_seat_take(seat, sitter);
    else if (is_ours) {
        seat_miss(seat);
        seat->is_leaving = stage->is_forming;
    }
}

/* action NULL: the seat has retired. */
static void news(struct stage *stage, const struct table_notice *notice, const struct action *action) {
    struct santorini_scene scene = stage_scene(stage);
    santorini_write_news(&stage->port->out, &scene, santorini_of_view(notice_before(notice, SEAT_WATCHER)),
                         notice->seat, action);
    stage_send(stage, NULL);
    stage->has_news = true;
    for (unsigned i = 0; i < SANTORINI_SEATS_MAX; i++) {
        stage->seats[i].step = SANTORINI_STEP_NONE;
        if (scene.state->phase != SANTORINI_OVER && !santorini_is_alive(scene.state, i))
            stage->seats[i].is_through = true;
    }
}

static void table_played(void *context, const struct table_notice *notice) {
    struct action action = notice_action(notice, SEAT_WATCHER);
    news(context, notice, &action);
}

static void table_attended(void *context, const struct table_notice *notice) {
    if (notice->attendance == SEAT_RETIRED)
        news(context, notice, NULL);
}

static void table_stalled(void *context, struct table *table) {
    struct stage *stage = context;
    (void)table;
    santorini_write_error(&stage->port->out,
                          "the server cannot save at the moment; the game goes on as soon as it can");
    stage_send(stage, NULL);
    json_port_flush(stage->port->json);
}

void stage_prompt(struct stage *stage) {
    const struct santorini *s = stage_view(stage);
    struct stage_seat *seat = &stage->seats[s->mover];
    if (s->phase == SANTORINI_BORN || s->phase == SANTORINI_OVER || seat->visitor == NULL)
        return;
    struct santorini_scene scene = stage_scene(stage);
    struct action action;
    if (santorini_speaks_for(scene.state, seat->visitor->words, &action)) {
        enum err e = table_act(stage->table, s->mover, &action, 1, stage->port->now_ms);
        assert(e == ERR_OK || e == ERR_TABLE_OVER || e == ERR_BUSY);
        (void)e;
        return;
    }
    santorini_write_prompt(&stage->port->out, &scene, seat->step, seat->visitor->words);
    visitor_send(seat->visitor);
}

/* When the table has ended without the rules having said who won: somebody left before the first turn. */
static void write_result(struct buf *out, const struct table *table) {
    int32_t points[SEATS_MAX];
    unsigned best = 0, shared = 0, count = table_options(table)->seat_count;
    if (state_of(table)->phase == SANTORINI_OVER || table_outcome(table) == OUTCOME_UNDECIDED)
        return;
    table_points(table, points);
    for (unsigned seat = 1; seat < count; seat++)
        best = points[seat] > points[best] ? seat : best;
    for (unsigned seat = 0; seat < count; seat++)
        shared += points[seat] == points[best];
    santorini_write_end(out, shared == 1 ? table_name(table, best) : "");
}

/* Keeps how the table ended for these seats, as far as their players came through this port. */
static void keep_end(struct santorini_port *p, const struct table *table, seat_set seats) {
    if (seats == 0 || table_outcome(table) == OUTCOME_UNDECIDED)
        return;
    struct santorini_scene scene = scene_of(table);
    santorini_write_replay(&p->out, &scene);
    write_result(&p->out, table);
    for (unsigned seat = 0; seat < table_options(table)->seat_count; seat++)
        if ((seats & SEAT_BIT(seat)) != 0 && stage_seat_is_ours(table, seat))
            farewells_add(&p->farewells, span_of(table_name(table, seat)), buf_span(&p->out), p->now_ms,
                          p->now_ms + p->config.grace_ms);
    buf_clear(&p->out);
}

/* The seats whose players are away and have not given up. */
static seat_set awaited(const struct stage *stage) {
    seat_set seats = 0;
    for (unsigned seat = 0; seat < SANTORINI_SEATS_MAX; seat++)
        if (stage->seats[seat].is_missed && !stage->seats[seat].is_through)
            seats |= SEAT_BIT(seat);
    return seats;
}

/* The table is over: everybody goes; or back to the lobby, when it was never complete. */
static void finish(struct stage *stage) {
    struct santorini_port *p = stage->port;
    struct visitor *visitors = stage->visitors, *v, *next;
    bool is_dropped = stage->is_dropped && table_outcome(stage->table) == OUTCOME_UNDECIDED;
    if (!is_dropped) {
        write_result(&p->out, stage->table);
        stage_send(stage, NULL);
        keep_end(p, stage->table, awaited(stage));
    }
    stage->visitors = NULL;
    stage_free(stage);
    DL_FOREACH(visitors, v) {
        v->at = NULL;
        v->seat = NULL;
        timers_stop(&p->timers, &v->timer);
    }
    DL_FOREACH_SAFE(visitors, v, next) {
        v->is_moved = p->has_moved = true;
        if (is_dropped)
            lobby_arrive(v);
        else
            visitor_dismiss(v);
    }
    lobby_advance(p);
}

/* R2: what the players said of their births is played when all are there; until then a seat can be free
 * again. Who came through another protocol may have said nothing; nobody is asked there. True when something
 * is on its way. */
static bool give_births(struct stage *stage) {
    const struct santorini *s = stage_view(stage);
    if (s->phase != SANTORINI_BORN || table_free_seats(stage->table) > 0)
        return false;
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        struct santorini_birth birth = seat_birth(stage->table, seat);
        struct action born = santorini_action_born(birth.year, birth.month, birth.day);
        if (!(s->has_birth >> seat & 1) &&
            table_act(stage->table, seat, &born, 1, stage->port->now_ms) == ERR_OK)
            return true;
    }
    return false;
}

/* Hears again whoever had to wait for the table. Each one once: any of them may go meanwhile. */
static void resume(struct stage *stage) {
    struct santorini_port *p = stage->port;
    struct visitor *v;
    p->resume_round++;
    do {
        DL_FOREACH(stage->visitors, v)
        if (v->resumed != p->resume_round)
            break;
        if (v == NULL)
            return;
        v->resumed = p->resume_round;
        json_peer_resume(v->peer, p->now_ms);
    } while (!table_is_busy(stage->table));
}

static void opened(struct stage *stage) {
    struct santorini_port *p = stage->port;
    stage->is_opening = false;
    p->opening_count--;
    santorini_write_state(&p->out, SANTORINI_BORN);
    stage_send(stage, NULL);
    struct visitor *v;
    DL_FOREACH(stage->visitors, v) lobby_ask_early(v);
}

/* True when the table waits for its players, and not for its journal. */
static bool look_over(struct stage *stage) {
    struct santorini_port *p = stage->port;
    if (stage->is_forming && stage_is_empty(stage))
        stage->is_dropped = true;
    if (stage->is_dropped)
        abandon(stage);
    if (table_is_busy(stage->table) || stage_vacate(stage))
        return false;
    if (stage->is_forming)
        lobby_check_full(stage);
    if (give_births(stage))
        return false;
    if (stage->is_forming && stage_view(stage)->phase != SANTORINI_BORN) {
        formed(stage);
        table_set_clock(stage->table, p->config.turn_ms, p->now_ms);
    }
    if (stage->is_forming)
        lobby_seat_named(stage);
    return true;
}

static void table_settled(void *context, struct table *table) {
    struct stage *stage = context;
    struct santorini_port *p = stage->port;
    (void)table;
    if (is_over(stage)) {
        finish(stage);
    } else {
        if (stage->is_opening)
            opened(stage);
        if (look_over(stage)) {
            if (stage->has_news)
                stage_prompt(stage);
            stage->has_news = false;
            resume(stage);
        }
        lobby_advance(p);
    }
    lobby_resume(p);
    json_port_flush(p->json);
}

struct table_listener stage_listener(struct stage *stage) {
    return (struct table_listener){
        .context = stage,
        .settled = table_settled,
        .stalled = table_stalled,
        .sat = table_sat,
        .played = table_played,
        .attended = table_attended,
        .presence = table_presence,
    };
}

void stage_adopt(struct santorini_port *p, struct table *table) {
    struct stage *stage = stage_create(p, table_options(table)->seat_count);
    struct table_listener listener = stage_listener(stage);
    stage->table = table;
    table_listen(table, &listener);
    /* Whoever sits there, also through another protocol: nobody else would ever give the seat up. */
    for (unsigned seat = 0; seat < table_options(table)->seat_count; seat++)
        if (table_name(table, seat)[0] != '\0' && !table_is_online(table, seat))
            seat_miss(&stage->seats[seat]);
}

void stage_start(struct stage *stage) {
    for (unsigned seat = 0; seat < table_options(stage->table)->seat_count; seat++)
        if (stage->seats[seat].is_missed)
            grace_arm(&stage->seats[seat]);
    if (stage_named(stage) == 0)
        stage_drop(stage);
    else
        look_over(stage);
}
