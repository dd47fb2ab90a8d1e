/* parlor journal export: journals as JSON lines, or one table as the text of game/replay.h. The lines are
 * described in docs/journal.md. */
#include "cli/journal/tool.h"
#include "game/replay.h"

#include "base/mem.h"
#include "base/writer.h"

#include <errno.h>

static void write_hex(struct writer *w, const char *name, struct span bytes) {
    static const char digits[] = "0123456789abcdef";
    struct buf text = {0};
    buf_reserve(&text, 2 * bytes.size + 1);
    for (size_t i = 0; i < bytes.size; i++) {
        buf_append_byte(&text, digits[(unsigned char)bytes.data[i] >> 4]);
        buf_append_byte(&text, digits[(unsigned char)bytes.data[i] & 15]);
    }
    writer_text(w, name, span_of(buf_text(&text)));
    buf_free(&text);
}

static void write_event(const struct story *story, const struct record *record, const struct event *event,
                        uint64_t last_seq, FILE *out) {
    struct buf line = {0}, words = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &line);
    writer_object_begin(&w, NULL);
    writer_text(&w, "table", span_of(record->code));
    writer_int(&w, "id", (int64_t)record->table);
    writer_int(&w, "seq", (int64_t)event->seq);
    writer_int(&w, "last_seq", (int64_t)last_seq);
    writer_int(&w, "time_ms", event->time_ms);
    writer_int(&w, "kind", event->kind);
    writer_text(&w, "word", span_of(event_kind_word(event->kind)));
    write_hex(&w, "body", event->body);
    write_hex(&w, "hash", span_make(event->hash.bytes, DIGEST_BYTES));
    story_words(story, event, true, &words);
    writer_text(&w, "text", buf_span(&words));
    writer_object_end(&w);
    buf_append_byte(&line, '\n');
    fwrite(line.data, 1, line.size, out);
    buf_free(&line);
    buf_free(&words);
}

static enum err journal_export_complain(const struct record *record, const struct event *event, enum err e) {
    fprintf(stderr, "parlor: table %s, event %llu: %s\n", record->code, (unsigned long long)event->seq,
            err_sentence(e));
    return e;
}

/* Everything is exported, even what does not fold; only the words need the state. Every line says how long
 * the journal is by its row, unless a running server has gone on since the row was read. */
static void export_lines(const struct record *record, uint64_t row_last_seq, FILE *out) {
    struct story story;
    uint64_t last_seq = row_last_seq > record->event_count ? row_last_seq : record->event_count;
    bool folds = true;
    story_begin(&story, record);
    for (size_t i = 0; i < record->event_count; i++) {
        write_event(&story, record, &record->events[i], last_seq, out);
        folds = folds && story_take(&story, &record->events[i]) == ERR_OK;
    }
    story_end(&story);
}

static void replay_actions(struct buf *text, const struct fold *fold, const struct event *event) {
    struct event_action action;
    struct game_state *state = game_state_alloc(fold->game);
    memcpy(state, fold->state, fold->game->state_size);
    if (event_action_read(event->body, &action) != ERR_OK)
        action.action_count = 0;
    for (size_t i = 0; i < action.action_count; i++) {
        if (fold->game->check(state, action.seat, &action.actions[i]) != ERR_OK)
            break;
        replay_write_action(text, fold->game, state, action.seat, &action.actions[i]);
        fold->game->apply(state, action.seat, &action.actions[i]);
    }
    mem_free(state);
}

/* True when the table went on with it, so that the form has a line for it. */
static bool replay_attendance(struct buf *text, const struct fold *fold, const struct event *event) {
    unsigned seat;
    enum attendance attendance;
    if (fold->game == NULL || !event_attends(event, &seat, &attendance) ||
        seat >= fold->setup.options.seat_count)
        return false;
    struct game_state *trial = game_state_alloc(fold->game);
    memcpy(trial, fold->state, fold->game->state_size);
    bool goes_on = fold->game->attend(trial, seat, attendance);
    if (goes_on)
        replay_write_attendance(text, seat, attendance);
    mem_free(trial);
    return goes_on;
}

/* What the form has no line for stands in it as a remark. */
static enum err export_replay(const struct record *record, FILE *out) {
    struct fold fold;
    struct buf text = {0};
    enum err e = ERR_OK;
    fold_init(&fold, record->table);
    buf_printf(&text, "# table %s\n", record->code);
    for (size_t i = 0; i < record->event_count && e == ERR_OK; i++) {
        const struct event *event = &record->events[i];
        if (event->kind == EVENT_ACTION || event->kind == EVENT_CHANCE) {
            if (fold.game != NULL)
                replay_actions(&text, &fold, event);
        } else if (event->kind != EVENT_SETUP && event->kind != EVENT_RESULT &&
                   !replay_attendance(&text, &fold, event)) {
            buf_printf(&text, "# ");
            event_words(&fold, event, true, &text);
            buf_append_byte(&text, '\n');
        }
        e = fold_event(&fold, event);
        if (e != ERR_OK)
            journal_export_complain(record, event, e);
        else if (event->kind == EVENT_SETUP && fold.game != NULL)
            replay_write_head(&text, fold.game, &fold.setup.options);
    }
    if (e == ERR_OK && fold.game->turn(fold.state) == 0)
        replay_write_end(&text, fold.game, &fold.setup.options, fold.state);
    if (e == ERR_OK)
        fwrite(text.data, 1, text.size, out);
    buf_free(&text);
    fold_free(&fold);
    return e;
}

struct all {
    struct store *store;
    FILE *out;
    enum err e;
};

static bool export_table(void *context, const struct store_table *row) {
    struct all *all = context;
    struct record record;
    all->e = record_read(&record, all->store, row->table);
    if (all->e == ERR_OK)
        export_lines(&record, row->last_seq, all->out);
    record_free(&record);
    return all->e == ERR_OK;
}

static enum err export_all(struct store *store, FILE *out) {
    struct all all = {store, out, ERR_OK};
    enum err e = store_list(store, STORE_ALL, export_table, &all);
    if (e == ERR_OK)
        e = all.e;
    if (e != ERR_OK)
        fprintf(stderr, "parlor: the journal cannot be read\n");
    return e;
}

struct sought {
    uint64_t table, last_seq;
};

static bool row_seen(void *context, const struct store_table *row) {
    struct sought *sought = context;
    if (row->table == sought->table)
        sought->last_seq = row->last_seq;
    return row->table != sought->table;
}

static enum err export_one(struct store *store, const char *code, bool is_replay, FILE *out) {
    struct record record;
    enum err e = ERR_FIELD_INVALID;
    if (record_find(&record, store, code)) {
        e = ERR_OK;
        struct sought row = {.table = record.table};
        if (is_replay)
            e = export_replay(&record, out);
        else
            e = store_list(store, STORE_ALL, row_seen, &row);
        if (!is_replay)
            export_lines(&record, row.last_seq, out);
    }
    record_free(&record);
    return e;
}

int journal_export(struct store *store, const char *code, const char *output, bool is_replay) {
    FILE *out = output == NULL ? stdout : fopen(output, "w");
    if (out == NULL) {
        fprintf(stderr, "parlor: cannot write %s: %s\n", output, strerror(errno));
        return 1;
    }
    enum err e = code == NULL ? export_all(store, out) : export_one(store, code, is_replay, out);
    bool is_written = ferror(out) == 0 && (out == stdout ? fflush(out) : fclose(out)) == 0;
    if (!is_written)
        fprintf(stderr, "parlor: cannot write %s: %s\n", output == NULL ? "the export" : output,
                strerror(errno));
    return e == ERR_OK && is_written ? 0 : 1;
}
