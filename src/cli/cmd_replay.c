/* parlor replay CODE: steps through a table in the terminal, line by line, so that it also works on a pipe.
 * Of a table that still runs it shows what a watcher may know. */
#include "base/mem.h"
#include "cli/command.h"
#include "cli/journal/tool.h"
#include "cli/options.h"
#include "cli/play.h"
#include "cli/store_choice.h"

#include <stdlib.h>
#include <unistd.h>

static const char clear_screen[] = "\x1b[H\x1b[2J";

/* A seat is away, back or gone for good before the action of this number. */
struct coming {
    size_t before;
    unsigned seat;
    enum attendance attendance;
};

struct replayer {
    struct fold fold;       /* of the whole journal */
    struct play_ply *plies; /* as they were played */
    size_t count;
    struct coming *comings;
    size_t coming_count;
    struct buf last; /* how it ended, in words */
    char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1];
    const char *name_list[SEATS_MAX];
    bool is_ascii, has_color;
};

static void comings_add(struct replayer *r, const struct event *event) {
    struct coming coming = {.before = r->count};
    if (!event_attends(event, &coming.seat, &coming.attendance))
        return;
    r->comings = mem_resize(r->comings, (r->coming_count + 1) * sizeof r->comings[0]);
    r->comings[r->coming_count++] = coming;
}

static void plies_add(struct replayer *r, const struct event *event) {
    static struct event_action action;
    if ((event->kind != EVENT_ACTION && event->kind != EVENT_CHANCE) ||
        event_action_read(event->body, &action) != ERR_OK)
        return;
    r->plies = mem_resize(r->plies, (r->count + action.action_count) * sizeof r->plies[0]);
    for (size_t i = 0; i < action.action_count; i++)
        r->plies[r->count++] = (struct play_ply){action.seat, action.actions[i]};
}

static void ending_add(struct replayer *r, const struct event *event) {
    if (event->kind != EVENT_TIMEOUT && event->kind != EVENT_FORFEIT && event->kind != EVENT_RESULT)
        return;
    buf_printf(&r->last, "%s: ", event_kind_word(event->kind));
    event_words(&r->fold, event, true, &r->last);
    buf_append_byte(&r->last, '\n');
}

static bool replayer_load(struct replayer *r, const struct record *record) {
    for (size_t i = 0; i < record->event_count; i++) {
        const struct event *event = &record->events[i];
        ending_add(r, event);
        enum err e = fold_event(&r->fold, event);
        if (e != ERR_OK) {
            fprintf(stderr, "parlor: table %s, event %llu: %s\n", record->code,
                    (unsigned long long)event->seq, game_refusal(r->fold.game, e)->sentence);
            return false;
        }
        plies_add(r, event);
        comings_add(r, event);
    }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        name_text(r->fold.seats[seat]->name, r->names[seat]);
        if (r->names[seat][0] == '\0')
            snprintf(r->names[seat], sizeof r->names[seat], "seat %u", seat);
        r->name_list[seat] = r->names[seat];
    }
    return true;
}

/* The position after so many actions, and the actions up to there, as far as the viewer may know them. */
struct position {
    struct game_state *state;
    struct play_ply *plies;
    size_t last_from; /* where the last turn began */
    char text[ACTION_TEXT_BYTES_MAX];
};

/* What happened between the action before this number and it; *next is the first that has not happened yet.
 */
static void apply_comings(const struct replayer *r, size_t number, size_t *next, struct game_state *state) {
    for (; *next < r->coming_count && r->comings[*next].before == number; (*next)++) {
        bool goes_on = r->fold.game->attend(state, r->comings[*next].seat, r->comings[*next].attendance);
        (void)goes_on; /* a seat that loses the table changes nothing on the board */
    }
}

static void position_make(const struct replayer *r, size_t at, struct position *out) {
    const struct game *game = r->fold.game;
    out->state = game_state_alloc(game);
    out->plies = mem_alloc((at + 1) * sizeof out->plies[0]);
    enum err e = game->setup(out->state, &r->fold.setup.options);
    size_t coming = 0;
    for (size_t i = 0; i < at && e == ERR_OK; i++) {
        struct play_ply ply = r->plies[i];
        apply_comings(r, i, &coming, out->state);
        if (i == 0 || ply.seat != r->plies[i - 1].seat)
            out->last_from = i;
        if (!r->fold.is_finished)
            game->redact_action(out->state, ply.seat, &ply.action, SEAT_WATCHER);
        game->action_format(out->state, ply.seat, &ply.action, out->text);
        out->plies[i] = ply;
        game->apply(out->state, r->plies[i].seat, &r->plies[i].action);
    }
    apply_comings(r, at, &coming, out->state);
    if (!r->fold.is_finished)
        game->redact_state(out->state, SEAT_WATCHER);
}

static void position_free(struct position *p) {
    mem_free(p->state);
    mem_free(p->plies);
}

static void draw(const struct replayer *r, size_t at, const struct position *position, struct buf *out) {
    const struct play_face *face = play_face_of(r->fold.game);
    if (face == NULL) {
        struct writer w;
        writer_init(&w, WRITER_TEXT, out);
        /* Everything may be shown of a finished table, and of others the state is already redacted. */
        r->fold.game->describe((const struct game_view *)position->state, &w);
        buf_append_byte(out, '\n');
        return;
    }
    const struct play_table table = {
        .game = r->fold.game,
        .options = r->fold.setup.options,
        .state = position->state,
        .plies = position->plies,
        .count = at,
        .pending_from = at,
        .last_from = position->last_from,
        .last_end = at,
        .is_ascii = r->is_ascii,
        .has_color = r->has_color,
        .names = r->name_list,
    };
    face->draw(&table, out);
}

static void cmd_replay_show(struct replayer *r, size_t at) {
    struct position position = {0};
    struct buf out = {0};
    position_make(r, at, &position);
    if (isatty(STDOUT_FILENO) && isatty(STDIN_FILENO))
        buf_append_text(&out, clear_screen);
    draw(r, at, &position, &out);
    buf_printf(&out, "\n%zu of %zu", at, r->count);
    if (at > 0 && r->plies[at - 1].seat == SEAT_CHANCE)
        buf_printf(&out, ", chance: %s", position.text);
    else if (at > 0)
        buf_printf(&out, ", %s: %s", r->names[r->plies[at - 1].seat], position.text);
    buf_append_byte(&out, '\n');
    if (at == r->count && r->last.size > 0)
        buf_append(&out, buf_span(&r->last));
    else if (at == r->count)
        buf_append_text(&out, "the table goes on\n");
    fwrite(out.data, 1, out.size, stdout);
    buf_free(&out);
    position_free(&position);
}

/* Where a line leads to; false when it leads out. */
static bool obey(const struct replayer *r, struct span line, size_t *at) {
    int64_t number;
    if (span_is_nocase(line, "q") || span_is_nocase(line, "quit"))
        return false;
    if (line.size == 0 || span_is_nocase(line, "n") || span_is_nocase(line, "next"))
        *at += *at < r->count;
    else if (span_is_nocase(line, "p") || span_is_nocase(line, "previous"))
        *at -= *at > 0;
    else if (span_is_nocase(line, "f") || span_is_nocase(line, "first"))
        *at = 0;
    else if (span_is_nocase(line, "l") || span_is_nocase(line, "last"))
        *at = r->count;
    else if (span_to_int(line, &number) && number >= 0 && (uint64_t)number <= r->count)
        *at = (size_t)number;
    else
        printf("n or Enter: next, p: previous, first, last, a number from 0 to %zu, q: quit\n", r->count);
    return true;
}

static void step_through(struct replayer *r, size_t at) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size = 0;
    bool goes_on = true;
    while (goes_on) {
        cmd_replay_show(r, at);
        fputs("> ", stdout);
        fflush(stdout);
        size = getline(&line, &capacity, stdin);
        if (size < 0)
            fputc('\n', stdout);
        goes_on = size >= 0 && obey(r, span_trim(span_make(line, (size_t)size)), &at);
    }
    mem_free(line);
}

static int replay_table(struct store *store, const char *code, int64_t at, bool is_ascii) {
    struct record record;
    struct replayer r = {.is_ascii = is_ascii};
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    int status = 1;
    r.has_color = isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') && term != NULL &&
                  strcmp(term, "dumb") != 0;
    if (record_find(&record, store, code)) {
        fold_init(&r.fold, record.table);
        if (replayer_load(&r, &record)) {
            step_through(&r, (uint64_t)at > r.count ? r.count : (size_t)at);
            status = 0;
        }
        fold_free(&r.fold);
    }
    record_free(&record);
    mem_free(r.plies);
    mem_free(r.comings);
    buf_free(&r.last);
    return status;
}

static int replay_command(int argc, char **argv) {
    const char *data = "parlor-data", *store_text = "sqlite";
    int64_t at = 0;
    bool is_ascii = false;
    const struct option_row rows[] = {
        ROW_TEXT("data", "DIR", &data, "the data directory"),
        ROW_TEXT("store", "STORE", &store_text, "sqlite, which is in --data, or postgresql://..."),
        ROW_NUMBER("at", &at, 0, INT32_MAX, "begin after N actions"),
        ROW_FLAG("ascii", &is_ascii, "draw with ASCII characters only"),
        {0},
    };
    const struct options options = {
        .command = "replay",
        .operands = "CODE",
        .about =
            "Steps through a table, action by action: n or Enter for the next, p for the one before, first,\n"
            "last, a number, q to quit. Of a table that still runs it shows what a watcher may know.",
        .rows = rows,
        .operands_min = 1,
        .operands_max = 1,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    struct store *store = store_choice_read(data, store_text);
    if (store == NULL)
        return 1;
    int status = replay_table(store, operands.list[0], at, is_ascii);
    store_close(store);
    return status;
}

const struct command cmd_replay = {"replay", "step through a table in the terminal", replay_command};
