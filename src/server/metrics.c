#include "server/metrics.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/mem.h"
#include "host/table/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* One family while it is written. */
struct metrics_family {
    struct buf *out;
    const struct metrics_source *source;
    const char *name;
    const char *type;
};

/* Pairs of a name and a value, ended by NULL. */
struct metrics_label {
    const char *name, *value;
};
enum { METRICS_LABELS_MAX = 4 };

static void metrics_value_escape(struct buf *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            buf_append_text(out, "\\n");
            continue;
        }
        if (*text == '"' || *text == '\\')
            buf_append_byte(out, '\\');
        buf_append_byte(out, *text);
    }
}

static void metrics_name(const struct metrics_family *f, const char *suffix,
                         const struct metrics_label *labels, const char *bound) {
    const char *before = "{";
    buf_printf(f->out, "%s%s", f->name, suffix);
    for (; labels != NULL && labels->name != NULL; labels++, before = ",") {
        buf_printf(f->out, "%s%s=\"", before, labels->name);
        metrics_value_escape(f->out, labels->value);
        buf_append_byte(f->out, '"');
    }
    if (bound != NULL)
        buf_printf(f->out, "%sle=\"%s\"", before, bound);
    if (*before == ',' || bound != NULL)
        buf_append_byte(f->out, '}');
    buf_append_byte(f->out, ' ');
}

static const char *metrics_suffix(const struct metrics_family *f) {
    return strcmp(f->type, "counter") == 0 ? "_total" : strcmp(f->type, "info") == 0 ? "_info" : "";
}

static void metrics_count(const struct metrics_family *f, const struct metrics_label *labels,
                          uint64_t value) {
    metrics_name(f, metrics_suffix(f), labels, NULL);
    buf_printf(f->out, "%" PRIu64 "\n", value);
}

static void metrics_number(const struct metrics_family *f, double value) {
    metrics_name(f, metrics_suffix(f), NULL, NULL);
    buf_printf(f->out, "%.6f\n", value);
}

static void metrics_histogram(const struct metrics_family *f, const struct metrics_label *labels,
                              const struct histogram *h) {
    uint64_t count = 0;
    for (size_t i = 0; i <= HISTOGRAM_BOUNDS; i++) {
        char bound[32] = "+Inf";
        if (i < HISTOGRAM_BOUNDS)
            snprintf(bound, sizeof bound, "%g%s", (double)histogram_bounds_us[i] / 1e6,
                     histogram_bounds_us[i] % 1000000 == 0 ? ".0" : "");
        count += h->counts[i];
        metrics_name(f, "_bucket", labels, bound);
        buf_printf(f->out, "%" PRIu64 "\n", count);
    }
    metrics_name(f, "_count", labels, NULL);
    buf_printf(f->out, "%" PRIu64 "\n", count);
    metrics_name(f, "_sum", labels, NULL);
    buf_printf(f->out, "%.6f\n", (double)h->sum_us / 1e6);
}

/* The process and the program. */

static void metrics_build(const struct metrics_family *f) {
    metrics_count(f, (const struct metrics_label[]){{"version", f->source->version}, {NULL, NULL}}, 1);
}

static void metrics_start_time(const struct metrics_family *f) {
    metrics_number(f, (double)f->source->started_ms / 1000);
}

static void metrics_cpu(const struct metrics_family *f) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    metrics_number(f, (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
}

static void metrics_resident(const struct metrics_family *f) {
    char text[128];
    ssize_t size = f->source->memory_file < 0 ? -1 : pread(f->source->memory_file, text, sizeof text - 1, 0);
    if (size <= 0)
        return;
    text[size] = '\0';
    char *second = strchr(text, ' '); /* pages in all, pages that are resident, and so on */
    if (second != NULL)
        metrics_count(f, NULL, strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void metrics_files_max(const struct metrics_family *f) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        metrics_count(f, NULL, limit.rlim_cur);
}

static void metrics_memory(const struct metrics_family *f) {
    metrics_count(f, NULL, mem_used());
}

static void metrics_memory_peak(const struct metrics_family *f) {
    metrics_count(f, NULL, mem_peak());
}

static void metrics_memory_max(const struct metrics_family *f) {
    metrics_count(f, NULL, mem_max());
}

static void metrics_log_lines(const struct metrics_family *f) {
    static const char *const levels[] = {"debug", "info", "warn", "error"};
    struct log_figures log;
    log_figures(&log);
    for (size_t i = 0; i <= LOG_ERROR; i++)
        metrics_count(f, (const struct metrics_label[]){{"level", levels[i]}, {NULL, NULL}}, log.lines[i]);
}

static void metrics_log_dropped(const struct metrics_family *f) {
    struct log_figures log;
    log_figures(&log);
    metrics_count(f, NULL, log.dropped);
}

/* Listeners and the loop. */

/* One sample for each listener. */
static void metrics_ports(const struct metrics_family *f, uint64_t (*of)(const struct port_figures *)) {
    const char *name;
    const struct port_figures *figures;
    for (size_t i = 0; (figures = server_port_figures(f->source->server, i, &name)) != NULL; i++)
        metrics_count(f, (const struct metrics_label[]){{"protocol", name}, {NULL, NULL}}, of(figures));
}

#define METRICS_PORT(field)                                                                                  \
    static uint64_t metrics_port_##field(const struct port_figures *p) {                                     \
        return p->field;                                                                                     \
    }                                                                                                        \
    static void metrics_##field(const struct metrics_family *f) {                                            \
        metrics_ports(f, metrics_port_##field);                                                              \
    }

METRICS_PORT(links)
METRICS_PORT(accepted)
METRICS_PORT(messages)
METRICS_PORT(received_bytes)
METRICS_PORT(sent_bytes)

static void metrics_limits(const struct metrics_family *f) {
    for (int i = 0; i < LIMIT_COUNT; i++)
        metrics_count(f, (const struct metrics_label[]){{"limit", limit_word((enum limit)i)}, {NULL, NULL}},
                      limit_hits((enum limit)i));
}

static void metrics_loop_turns(const struct metrics_family *f) {
    struct server_figures figures;
    server_figures(f->source->server, &figures);
    metrics_histogram(f, NULL, figures.turns);
}

static void metrics_loop_halts(const struct metrics_family *f) {
    struct server_figures figures;
    server_figures(f->source->server, &figures);
    metrics_number(f, (double)figures.halted_ms / 1000);
}

static void metrics_http_answers(const struct metrics_family *f) {
    static const char *const classes[] = {NULL, "1xx", "2xx", "3xx", "4xx", "5xx"};
    for (size_t i = 1; i < sizeof classes / sizeof *classes; i++)
        metrics_count(f, (const struct metrics_label[]){{"code", classes[i]}, {NULL, NULL}},
                      f->source->http->answers[i]);
}

static void metrics_http_took(const struct metrics_family *f) {
    metrics_histogram(f, NULL, &f->source->http->took);
}

/* Tables. */

static const struct metrics_label *metrics_table_labels(const struct table_figures *row,
                                                        struct metrics_label labels[METRICS_LABELS_MAX]) {
    labels[0] = (struct metrics_label){"game", row->game};
    labels[1] = (struct metrics_label){"protocol", row->protocol};
    labels[2] = labels[3] = (struct metrics_label){NULL, NULL};
    return labels;
}

static void metrics_rows(const struct metrics_family *f, uint64_t (*of)(const struct table_figures *)) {
    size_t count;
    const struct table_figures *rows = tables_figures(f->source->tables, &count);
    for (size_t i = 0; i < count; i++) {
        struct metrics_label labels[METRICS_LABELS_MAX];
        metrics_count(f, metrics_table_labels(&rows[i], labels), of(&rows[i]));
    }
}

#define METRICS_ROW(field)                                                                                   \
    static uint64_t metrics_row_##field(const struct table_figures *row) {                                   \
        return row->field;                                                                                   \
    }                                                                                                        \
    static void metrics_##field(const struct metrics_family *f) {                                            \
        metrics_rows(f, metrics_row_##field);                                                                \
    }

METRICS_ROW(running)
METRICS_ROW(opened)
METRICS_ROW(begun)
METRICS_ROW(moves)

static void metrics_ended(const struct metrics_family *f) {
    size_t count;
    const struct table_figures *rows = tables_figures(f->source->tables, &count);
    for (size_t i = 0; i < count; i++)
        for (int outcome = OUTCOME_PLAYED; outcome < TABLE_OUTCOMES; outcome++) {
            struct metrics_label labels[METRICS_LABELS_MAX];
            metrics_table_labels(&rows[i], labels);
            labels[2] = (struct metrics_label){"outcome", record_outcome((enum event_outcome)outcome)};
            metrics_count(f, labels, rows[i].ended[outcome]);
        }
}

static void metrics_answers(const struct metrics_family *f) {
    size_t count;
    const struct table_figures *rows = tables_figures(f->source->tables, &count);
    for (size_t i = 0; i < count; i++) {
        struct metrics_label labels[METRICS_LABELS_MAX];
        metrics_histogram(f, metrics_table_labels(&rows[i], labels), &rows[i].answers);
    }
}

static void metrics_refusal(void *context, const struct refusal_figure *r) {
    const struct err_row *row = game_refusal(r->game, r->why);
    const struct metrics_label labels[] = {
        {"protocol", r->protocol}, {"error", row->word}, {"rule", row->rule}, {NULL, NULL}};
    metrics_count(context, labels, r->count);
}

static void metrics_refusals(const struct metrics_family *f) {
    struct metrics_family family = *f;
    refusals_each(metrics_refusal, &family);
}

/* The store. */

static void metrics_commits(const struct metrics_family *f) {
    metrics_histogram(f, NULL, &f->source->store->figures.commits);
}

static void metrics_store_queue(const struct metrics_family *f) {
    const struct store_figures *s = &f->source->store->figures;
    metrics_count(f, NULL, s->asked - s->saved - s->failed - s->conflicts);
}

static void metrics_store_appends(const struct metrics_family *f) {
    const struct store_figures *s = &f->source->store->figures;
    const struct {
        const char *word;
        uint64_t count;
    } ends[] = {{"saved", s->saved}, {"failed", s->failed}, {"conflict", s->conflicts}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        metrics_count(f, (const struct metrics_label[]){{"result", ends[i].word}, {NULL, NULL}},
                      ends[i].count);
}

static void metrics_store_events(const struct metrics_family *f) {
    metrics_count(f, NULL, f->source->store->figures.events);
}

static void metrics_store_writable(const struct metrics_family *f) {
    struct store *store = (struct store *)(uintptr_t)f->source->store;
    metrics_count(f, NULL, store_why_not(store) == NULL);
}

/* The table of families: name, type, unit ("": none), help, and who writes the samples. */
static const struct metrics_row {
    const char *name, *type, *unit, *help;
    void (*write)(const struct metrics_family *);
} metrics_table[] = {
    {"parlor_build", "info", "", "The program that runs.", metrics_build},
    {"parlor_connections", "gauge", "", "Connections that are open now, by listener.", metrics_links},
    {"parlor_connections_accepted", "counter", "", "Connections that were taken, by listener.",
     metrics_accepted},
    {"parlor_messages", "counter", "", "Messages of clients that were dealt with, by listener.",
     metrics_messages},
    {"parlor_received_bytes", "counter", "bytes", "Bytes from clients, by listener.", metrics_received_bytes},
    {"parlor_sent_bytes", "counter", "bytes", "Bytes to clients, by listener.", metrics_sent_bytes},
    {"parlor_limit_hits", "counter", "", "How often somebody ran into a ceiling, by kind.", metrics_limits},
    {"parlor_tables", "gauge", "", "Tables that are here and not over.", metrics_running},
    {"parlor_tables_opened", "counter", "", "Tables that were opened here.", metrics_opened},
    {"parlor_tables_begun", "counter", "", "Tables whose last seat was taken here.", metrics_begun},
    {"parlor_tables_ended", "counter", "", "Tables that ended here, by outcome.", metrics_ended},
    {"parlor_moves", "counter", "",
     "Moves of players that are on disk, by the game and protocol of their table.", metrics_moves},
    {"parlor_refusals", "counter", "", "What players were refused, by the word and the rule of the refusal.",
     metrics_refusals},
    {"parlor_answer_seconds", "histogram", "seconds",
     "From a request to a table until everybody is told that it is on disk.", metrics_answers},
    {"parlor_http_answers", "counter", "", "Answers over HTTP, by class of status.", metrics_http_answers},
    {"parlor_http_answer_seconds", "histogram", "seconds", "From a whole HTTP request to its answer.",
     metrics_http_took},
    {"parlor_store_commit_seconds", "histogram", "seconds",
     "Time of a commit of the store that had appends in it.", metrics_commits},
    {"parlor_store_queue", "gauge", "", "Appends that wait for the store or are being committed.",
     metrics_store_queue},
    {"parlor_store_appends", "counter", "", "Appends that the store has answered, by result.",
     metrics_store_appends},
    {"parlor_store_events", "counter", "", "Events that were saved.", metrics_store_events},
    {"parlor_store_writable", "gauge", "", "1 while what players do can be saved, otherwise 0.",
     metrics_store_writable},
    {"parlor_loop_turn_seconds", "histogram", "seconds",
     "Work of one turn of the event loop, which is what everybody else waits for.", metrics_loop_turns},
    {"parlor_loop_halted_seconds", "counter", "seconds", "Time in which the server stood still.",
     metrics_loop_halts},
    {"parlor_memory_bytes", "gauge", "bytes", "Memory that clients have asked for.", metrics_memory},
    {"parlor_memory_peak_bytes", "gauge", "bytes", "The most of it that there ever was.",
     metrics_memory_peak},
    {"parlor_memory_max_bytes", "gauge", "bytes", "Its ceiling, 0 for none.", metrics_memory_max},
    {"parlor_log_lines", "counter", "", "Lines of the log that were written, by level.", metrics_log_lines},
    {"parlor_log_lines_dropped", "counter", "", "Lines of the log that nobody read in time.",
     metrics_log_dropped},
    {"process_start_time_seconds", "gauge", "seconds", "When the process began, since 1970.",
     metrics_start_time},
    {"process_cpu_seconds", "counter", "seconds", "Time of processors that the process has used.",
     metrics_cpu},
    {"process_resident_memory_bytes", "gauge", "bytes", "Memory of the process that is in the machine's.",
     metrics_resident},
    {"process_max_fds", "gauge", "", "The limit of open files.", metrics_files_max},
};

void metrics_write(struct buf *out, const struct metrics_source *source) {
    for (size_t i = 0; i < sizeof metrics_table / sizeof *metrics_table; i++) {
        const struct metrics_row *row = &metrics_table[i];
        buf_printf(out, "# TYPE %s %s\n", row->name, row->type);
        if (row->unit[0] != '\0')
            buf_printf(out, "# UNIT %s %s\n", row->name, row->unit);
        buf_printf(out, "# HELP %s %s\n", row->name, row->help);
        row->write(&(struct metrics_family){out, source, row->name, row->type});
    }
    buf_append_text(out, "# EOF\n");
}
