#include "cli/journal/tool.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum { PROGRESS_EVERY_TABLES = 500 };

static bool record_add(void *context, uint64_t table, const struct event *event) {
    struct record *r = context;
    (void)table;
    if (r->event_count == r->event_capacity) {
        r->event_capacity = r->event_capacity == 0 ? 64 : 2 * r->event_capacity;
        r->events = mem_resize(r->events, r->event_capacity * sizeof r->events[0]);
    }
    struct event *kept = &r->events[r->event_count++];
    char *body = mem_alloc(event->body.size + 1);
    *kept = *event;
    memcpy(body, event->body.data, event->body.size);
    kept->body.data = body;
    return true;
}

enum err record_read(struct record *r, struct store *store, uint64_t table) {
    *r = (struct record){.table = table};
    table_code_format(table, r->code);
    return store_read(store, table, 1, record_add, r);
}

void record_free(struct record *r) {
    for (size_t i = 0; i < r->event_count; i++)
        mem_free((void *)(uintptr_t)r->events[i].body.data);
    mem_free(r->events);
    *r = (struct record){0};
}

bool record_find(struct record *r, struct store *store, const char *code) {
    uint64_t table;
    *r = (struct record){0};
    if (!table_code_parse(span_of(code), &table)) {
        fprintf(stderr, "parlor: '%s' is no code of a table: those have up to %d letters and digits\n", code,
                TABLE_CODE_CHARS);
        return false;
    }
    if (record_read(r, store, table) != ERR_OK) {
        fprintf(stderr, "parlor: the journal of table %s cannot be read\n", code);
        return false;
    }
    if (r->event_count == 0) {
        fprintf(stderr, "parlor: there is no table %s\n", code);
        return false;
    }
    return true;
}

static bool rows_add(void *context, const struct store_table *row) {
    struct rows *rows = context;
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity == 0 ? 256 : 2 * rows->capacity;
        rows->list = mem_resize(rows->list, rows->capacity * sizeof rows->list[0]);
    }
    rows->list[rows->count++] = *row;
    return true;
}

enum err rows_read(struct rows *rows, struct store *store) {
    *rows = (struct rows){0};
    return store_list(store, STORE_ALL, rows_add, rows);
}

void rows_free(struct rows *rows) {
    mem_free(rows->list);
    *rows = (struct rows){0};
}

void rows_progress(const struct rows *rows, size_t done) {
    if (done % PROGRESS_EVERY_TABLES == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%zu of %zu tables", done, rows->count);
}

void rows_progress_end(const struct rows *rows) {
    if (rows->count > PROGRESS_EVERY_TABLES && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%40s\r", "");
}

bool record_result(const struct record *r, struct event_result *out) {
    if (r->event_count == 0 || r->events[r->event_count - 1].kind != EVENT_RESULT)
        return false;
    return event_result_read(r->events[r->event_count - 1].body, out) == ERR_OK;
}

void time_text(int64_t wall_ms, char text[TIME_TEXT_BYTES]) {
    int64_t ms = wall_ms % 1000;
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm tm;
    if (ms < 0) {
        ms += 1000;
        seconds--;
    }
    if (gmtime_r(&seconds, &tm) == NULL) {
        snprintf(text, TIME_TEXT_BYTES, "%" PRId64 " ms", wall_ms);
        return;
    }
    size_t size = strftime(text, TIME_TEXT_BYTES, "%Y-%m-%d %H:%M:%S", &tm);
    snprintf(text + size, TIME_TEXT_BYTES - size, ".%03dZ", (int)ms);
}

void name_text(const char *name, char text[EVENT_NAME_BYTES_MAX + 1]) {
    struct span rest = span_of(name);
    size_t size = 0;
    while (rest.size > 0) {
        struct span before = rest;
        int32_t point = utf8_next(&rest);
        size_t bytes = before.size - rest.size;
        bool is_control = point < 0x20 || (point >= 0x7f && point < 0xa0);
        memcpy(text + size, is_control ? "?" : before.data, is_control ? 1 : bytes);
        size += is_control ? 1 : bytes;
    }
    text[size] = '\0';
}

/* A text that somebody else has written, without what would move on a terminal. */
static void text_words(const char *text, struct buf *out) {
    for (struct span rest = span_of(text); rest.size > 0;) {
        struct span before = rest;
        int32_t point = utf8_next(&rest);
        if (point < 0x20 || (point >= 0x7f && point < 0xa0))
            buf_append_byte(out, ' ');
        else
            buf_append(out, span_make(before.data, before.size - rest.size));
    }
}

static void seat_words(const struct fold *fold, unsigned seat, struct buf *out) {
    char name[EVENT_NAME_BYTES_MAX + 1];
    buf_printf(out, "seat %u", seat);
    if (seat < SEATS_MAX && fold->seats[seat]->name[0] != '\0') {
        name_text(fold->seats[seat]->name, name);
        buf_printf(out, " (%s)", name);
    }
}

static void setup_words(const struct event *event, struct buf *out) {
    struct event_setup setup;
    char text[2 * DIGEST_BYTES + 1], name[EVENT_NAME_BYTES_MAX + 1];
    if (event_setup_read(event->body, &setup) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    name_text(setup.game, name);
    buf_printf(out, "%s", name);
    buf_printf(out, ", rules %u, %u seats", setup.rules_version, setup.options.seat_count);
    const struct game *game = game_by_name(span_of(setup.game));
    for (size_t i = 0; game != NULL && game->options[i].name != NULL; i++) {
        const struct game_option *option = &game->options[i];
        int32_t value = setup.options.value[i];
        bool has_word = option->words != NULL && value >= 0 && value <= option->value_max;
        if (has_word)
            buf_printf(out, ", %s %s", option->name, option->words[value]);
        else
            buf_printf(out, ", %s %d", option->name, value);
    }
    if (setup.turn_timeout_ms > 0)
        buf_printf(out, ", %g s a turn", setup.turn_timeout_ms / 1000.0);
    if (setup.violation_loses)
        buf_append_text(out, ", a violation loses");
    name_text(setup.protocol, name);
    digest_format(&setup.commitment, text);
    buf_printf(out, ", opened by %s, dice %s", name, text);
}

/* Every action in the state in which it is played. */
static void action_words(const struct fold *fold, const struct event *event, bool knows_all,
                         struct buf *out) {
    struct event_action action;
    if (fold->game == NULL || event_action_read(event->body, &action) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    const struct game *game = fold->game;
    struct game_state *state = game_state_alloc(game);
    memcpy(state, fold->state, game->state_size);
    if (action.seat != SEAT_CHANCE) {
        seat_words(fold, action.seat, out);
        buf_append_byte(out, ':');
    }
    for (size_t i = 0; i < action.action_count; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        struct action shown = action.actions[i];
        if (game->check(state, action.seat, &action.actions[i]) != ERR_OK) {
            buf_append_text(out, " illegal");
            break;
        }
        if (!knows_all)
            game->redact_action(state, action.seat, &shown, SEAT_WATCHER);
        game->action_format(state, action.seat, &shown, text);
        buf_printf(out, "%s%s", i == 0 && action.seat == SEAT_CHANCE ? "" : " ", text);
        game->apply(state, action.seat, &action.actions[i]);
    }
    if (action.is_given)
        buf_append_text(out, " (given)");
    if (action.has_time)
        buf_printf(out, " (%g s)", action.used_ms / 1000.0);
    mem_free(state);
}

static void moment_words(int64_t ms, struct buf *out) {
    char text[TIME_TEXT_BYTES];
    time_text(ms, text);
    buf_append_text(out, text);
}

static void stamps_words(const struct event_stamps *stamps, struct buf *out) {
    buf_append_text(out, ", asked ");
    moment_words(stamps->asked_ms, out);
    buf_append_text(out, ", heard ");
    moment_words(stamps->heard_ms, out);
    buf_printf(out, ", used %g s", stamps->used_ms / 1000.0);
    if (stamps->allowed_ms > 0)
        buf_printf(out, " of %g s", stamps->allowed_ms / 1000.0);
}

void journal_cause_words(const char *sent, const struct event_stamps *stamps, struct buf *out) {
    if (sent[0] != '\0') {
        buf_append_text(out, ", sent ");
        text_words(sent, out);
    }
    if (stamps != NULL)
        stamps_words(stamps, out);
}

static void loss_words(const struct fold *fold, const struct event *event, struct buf *out) {
    static const char *const reasons[] = {[0] = "out of time",
                                          [REASON_LEFT] = "left",
                                          [REASON_VIOLATION] = "broke the rules",
                                          [REASON_RESIGNED] = "resigned"};
    struct event_forfeit forfeit;
    if (event_forfeit_read(event->body, &forfeit) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    seat_words(fold, forfeit.seat, out);
    buf_printf(out, " %s", reasons[forfeit.reason]);
    if (forfeit.why[0] != '\0') {
        buf_printf(out, " (%s%s", forfeit.rule, forfeit.rule[0] == '\0' ? "" : ": ");
        text_words(forfeit.why, out);
        buf_append_byte(out, ')');
    }
    journal_cause_words(forfeit.sent, forfeit.has_stamps ? &forfeit.stamps : NULL, out);
}

static void attendance_words(const struct fold *fold, const struct event *event, struct buf *out) {
    struct event_attendance attendance;
    if (event_attendance_read(event->body, &attendance) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    seat_words(fold, attendance.seat, out);
    buf_append_text(out, attendance.attendance == SEAT_BACK ? " is back" : " is away");
}

/* Another seat has as many points: what breaks the tie is said too. */
static bool is_tied(const struct game *game, const struct event_result *result, uint32_t seat) {
    for (uint32_t other = 0; other < result->seat_count; other++)
        if (other != seat &&
            game_points(game, result->points[other]) == game_points(game, result->points[seat]))
            return true;
    return false;
}

static void score_words(const struct game *game, const struct event_result *result, uint32_t seat,
                        struct buf *out) {
    int32_t score = result->points[seat], points = game_points(game, score);
    buf_printf(out, " %d", points);
    if (points != score && is_tied(game, result, seat))
        buf_printf(out, " (%d left)", score - points * game->score_unit);
}

void points_words(const struct game *game, const struct event_result *result,
                  char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1], struct buf *out) {
    for (uint32_t seat = 0; seat < result->seat_count; seat++) {
        char name[EVENT_NAME_BYTES_MAX + 1];
        name_text(names[seat], name);
        buf_append_text(out, seat == 0 ? "" : ", ");
        if (name[0] == '\0')
            buf_printf(out, "seat %u:", seat);
        else
            buf_append_text(out, name);
        if (result->seat_count > 1 || result->outcome != OUTCOME_PLAYED)
            score_words(game, result, seat, out);
        else if (result->points[seat] > 0) /* game.score: alone, more than 0 is won */
            buf_printf(out, " won with %d points", game_points(game, result->points[seat]));
        else
            buf_append_text(out, " lost");
    }
}

static void journal_tool_result_words(const struct fold *fold, const struct event *event, struct buf *out) {
    static const char *const outcomes[] = {
        [OUTCOME_PLAYED] = "played", [OUTCOME_FORFEITED] = "forfeited", [OUTCOME_UNDECIDED] = "undecided"};
    struct event_result result;
    char text[2 * DIGEST_BYTES + 1], names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1];
    if (event_result_read(event->body, &result) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        bool fits = span_copy(span_of(fold->seats[seat]->name), names[seat], sizeof names[seat]);
        assert(fits);
        (void)fits;
    }
    digest_format(&result.secret, text);
    buf_printf(out, "%s: ", outcomes[result.outcome]);
    points_words(fold->game, &result, names, out);
    if (fold_lost_secret(&fold->setup.commitment, &result))
        buf_append_text(out, "; the server had lost the secret of the dice");
    else
        buf_printf(out, "; secret of the dice %s", text);
}

static void seat_event_words(const struct event *event, struct buf *out) {
    struct event_seat seat;
    char name[EVENT_NAME_BYTES_MAX + 1];
    if (event_seat_read(event->body, &seat) != ERR_OK) {
        buf_append_text(out, "cannot be read");
        return;
    }
    if (seat.name[0] == '\0') {
        buf_printf(out, "seat %u is free again", seat.seat);
        return;
    }
    name_text(seat.name, name);
    buf_printf(out, "%s sits at seat %u%s", name, seat.seat, seat.is_drawn ? " (drawn)" : "");
    if (seat.seed[0] != '\0')
        buf_printf(out, ", adds \"%s\" to the dice", seat.seed);
}

void event_words(const struct fold *fold, const struct event *event, bool knows_all, struct buf *out) {
    switch (event->kind) {
    case EVENT_SETUP: setup_words(event, out); return;
    case EVENT_SEAT: seat_event_words(event, out); return;
    case EVENT_ACTION:
    case EVENT_CHANCE: action_words(fold, event, knows_all, out); return;
    case EVENT_TIMEOUT:
    case EVENT_FORFEIT: loss_words(fold, event, out); return;
    case EVENT_ATTENDANCE: attendance_words(fold, event, out); return;
    case EVENT_RESULT: journal_tool_result_words(fold, event, out); return;
    case EVENT_CHAMPIONSHIP:
    case EVENT_ENTRANT:
    case EVENT_PAIR:
    case EVENT_WITHDRAWAL:
    case EVENT_CLOSE:
    case EVENT_CUP:
    case EVENT_CUP_ENTRANT:
    case EVENT_CUP_GONE:
    case EVENT_CUP_STATE:
    case EVENT_CUP_ROUND:
    case EVENT_CUP_RESULT:
    case EVENT_CUP_REPLAY:
    case EVENT_CUP_CLOSE: break;
    }
    buf_append_text(out, "of a kind that is not known");
}
