/* parlor check: how far a server of somebody else speaks one of the protocols as its page says. First a
 * conversation, message by message, then a whole game between two bots of ours. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/writer.h"
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/match/process.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CHECK_PATIENCE_MS = 10 * 1000,
    CHECK_PLAY_MS = 10 * 60 * 1000,
    CHECK_PLAYERS = 2,
    CHECK_ARGS_MAX = 16,
    CHECK_ARG_BYTES_MAX = 512,
    CHECK_SHOWN_BYTES = 160, /* of a message in the text for people */
    CHECK_PATH_BYTES_MAX = 4096,
};

static const struct check_script *const scripts[] = {&check_ugs, &check_treasure, &check_santorini,
                                                     &check_eriantys, &check_renaissance};
enum { CHECK_SCRIPTS = sizeof scripts / sizeof scripts[0] };

static struct cmd_check {
    bool is_json, is_talk_only;
    uint32_t patience_ms, play_ms;
} options;

static const struct option_row check_rows[] = {
    ROW_FLAG("json", &options.is_json, "print the report as one JSON object"),
    ROW_FLAG("talk-only", &options.is_talk_only, "leave out the whole game between two bots"),
    ROW_SECONDS("patience", &options.patience_ms, "for the server to say what it should"),
    ROW_SECONDS("play-time", &options.play_ms, "for the whole game"),
    {0},
};

static const struct options check_options = {
    .command = "check",
    .operands = "PROTOCOL HOST:PORT",
    .about =
        "Talks to a server as clients of one of the protocols (ugs, treasure, santorini, eriantys,\n"
        "renaissance) do, and says of every message whether it is what the page of the protocol asks\n"
        "for; then two bots play a whole game there. The server must be at rest: nobody else waits there.\n"
        "Ends with 0 when everything conforms, 1 when something does not, 2 for a wrong call.",
    .rows = check_rows,
    .operands_min = 2,
    .operands_max = 2,
};

/* How the whole game went. */
struct check_play {
    bool is_played; /* it was tried */
    bool conforms;
    char complaint[CHECK_COMPLAINT_BYTES];
};

static void cmd_check_show(void *context, const struct check_result *r) {
    (void)context;
    const struct check_step *step = r->step;
    bool is_long = r->text.size > CHECK_SHOWN_BYTES;
    int size = is_long ? CHECK_SHOWN_BYTES : (int)r->text.size;
    printf("%s %c%c %.*s%s\n", r->conforms ? "ok  " : "FAIL", r->who, r->is_heard ? '<' : '>', size,
           r->text.size == 0 ? "" : r->text.data, is_long ? "..." : "");
    if (r->conforms)
        return;
    printf("     %s: %s\n     but: %s\n", step->rule, step->sentence, r->complaint);
    if (step->kind == CHECK_HEAR)
        printf("     awaited: %s\n", step->text);
}

static void cmd_check_write(const struct check *c, const struct check_play *play, bool conforms) {
    struct buf out = {0};
    struct writer w;
    writer_init(&w, WRITER_JSON, &out);
    writer_object_begin(&w, NULL);
    writer_text(&w, "protocol", span_of(c->script->protocol));
    writer_text(&w, "server", span_of(c->server));
    writer_bool(&w, "conforms", conforms);
    writer_list_begin(&w, "messages");
    for (size_t i = 0; i < c->result_count; i++) {
        const struct check_result *r = &c->results[i];
        writer_object_begin(&w, NULL);
        writer_text(&w, "client", span_make(&r->who, 1));
        writer_text(&w, "direction", r->is_heard ? SPAN("heard") : SPAN("said"));
        writer_text(&w, "text", r->text.size == 0 ? SPAN("") : buf_span(&r->text));
        writer_bool(&w, "conforms", r->conforms);
        writer_text(&w, "rule", span_of(r->step->rule));
        writer_text(&w, "sentence", span_of(r->step->sentence));
        writer_text(&w, "awaited", span_of(r->is_heard ? r->step->text : ""));
        writer_text(&w, "why", span_of(r->complaint));
        writer_object_end(&w);
    }
    writer_list_end(&w);
    writer_object_begin(&w, "game");
    writer_bool(&w, "played", play->is_played);
    writer_bool(&w, "conforms", play->conforms);
    writer_text(&w, "why", span_of(play->complaint));
    writer_object_end(&w);
    writer_object_end(&w);
    printf("%.*s\n", (int)out.size, out.data);
    buf_free(&out);
}

static pid_t cmd_check_start_bot(const struct check *c, const char *name, const char *log) {
    char self[CHECK_PATH_BYTES_MAX], texts[CHECK_ARGS_MAX][CHECK_ARG_BYTES_MAX];
    const char *argv[CHECK_ARGS_MAX + 3] = {self, "bot"};
    size_t count = 0;
    for (; c->script->bot[count] != NULL && count < CHECK_ARGS_MAX; count++) {
        struct buf text = {0};
        const char *word = c->script->bot[count];
        if (strcmp(word, "{name}") == 0)
            buf_append_text(&text, name);
        else
            check_fill(c, word, &text);
        if (!span_copy(buf_span(&text), texts[count], CHECK_ARG_BYTES_MAX))
            texts[count][0] = '\0';
        buf_free(&text);
        argv[count + 2] = texts[count];
    }
    argv[count + 2] = NULL;
    return process_self(self, sizeof self) ? process_start(argv, log, NULL) : -1;
}

/* The last line of what a bot has said. */
static void cmd_check_last_line(const char *log, char *out, size_t size) {
    FILE *file = fopen(log, "r");
    char line[CHECK_COMPLAINT_BYTES] = "";
    out[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
    if (file != NULL)
        fclose(file);
}

/* Waits until both bots are done; which of them has failed, or -1. */
static int cmd_check_wait(pid_t bots[CHECK_PLAYERS], bool *is_late) {
    uint64_t until_ms = clock_monotonic_ms() + options.play_ms;
    unsigned done = 0;
    bool has_ended[CHECK_PLAYERS] = {false};
    *is_late = false;
    while (done < CHECK_PLAYERS) {
        for (int i = 0; i < CHECK_PLAYERS; i++) {
            enum process_end end = has_ended[i] ? PROCESS_RUNS : process_look(&bots[i]);
            if (end == PROCESS_FAILED)
                return i;
            has_ended[i] = has_ended[i] || end == PROCESS_DONE;
            done += end == PROCESS_DONE;
        }
        *is_late = clock_monotonic_ms() > until_ms;
        if (*is_late)
            return 0;
        process_pause();
    }
    return -1;
}

static void cmd_check_play(struct check *c, struct check_play *play) {
    char logs[CHECK_PLAYERS][64], names[CHECK_PLAYERS][CHECK_VALUE_BYTES_MAX + 1],
        line[CHECK_COMPLAINT_BYTES / 2];
    pid_t bots[CHECK_PLAYERS];
    bool is_late;
    play->is_played = true;
    for (int i = 0; i < CHECK_PLAYERS; i++) {
        snprintf(logs[i], sizeof logs[i], "/tmp/parlor-check-XXXXXX");
        int fd = mkstemp(logs[i]);
        if (fd >= 0)
            close(fd);
        snprintf(names[i], sizeof names[i], "%s2", check_look(c, i == 0 ? SPAN("ann") : SPAN("bob")));
        bots[i] = cmd_check_start_bot(c, names[i], logs[i]);
    }
    int failed = cmd_check_wait(bots, &is_late);
    play->conforms = failed < 0;
    if (failed >= 0) {
        cmd_check_last_line(logs[failed], line, sizeof line);
        snprintf(play->complaint, sizeof play->complaint, "%s%s%s",
                 is_late ? "the game did not end in time" : "a bot could not go on",
                 *line == '\0' ? "" : ": ", line);
    }
    for (int i = 0; i < CHECK_PLAYERS; i++) {
        process_end(&bots[i], 0);
        unlink(logs[i]);
    }
}

static const struct check_script *cmd_check_find(const char *protocol) {
    for (size_t i = 0; i < CHECK_SCRIPTS; i++)
        if (strcmp(scripts[i]->protocol, protocol) == 0)
            return scripts[i];
    fprintf(stderr,
            "parlor: no protocol '%s' can be checked; there are ugs, treasure, santorini, eriantys and "
            "renaissance\n",
            protocol);
    return NULL;
}

/* Names that nobody has who is there by chance. */
static void cmd_check_name(struct check *c, const char *server) {
    char number[CHECK_NAME_BYTES], name[CHECK_NAME_BYTES + 4];
    bool is_kept = true;
    snprintf(number, sizeof number, "%u", (unsigned)(clock_wall_ms() % 100000));
    snprintf(name, sizeof name, "ann%s", number);
    is_kept = check_keep(c, SPAN("ann"), span_of(name)) && is_kept;
    snprintf(name, sizeof name, "bob%s", number);
    is_kept = check_keep(c, SPAN("bob"), span_of(name)) && is_kept;
    is_kept = check_keep(c, SPAN("server"), span_of(server)) && is_kept;
    (void)is_kept; /* they fit */
}

static int cmd_check_all(struct check *c) {
    struct check_play play = {.conforms = true};
    bool conforms = check_run(c);
    check_hang_up(c);
    if (conforms && !options.is_talk_only)
        cmd_check_play(c, &play);
    conforms = conforms && play.conforms;
    if (options.is_json)
        cmd_check_write(c, &play, conforms);
    else if (play.is_played)
        printf("%s a whole game between two bots%s%s\n", play.conforms ? "ok  " : "FAIL",
               play.conforms ? "" : ": ", play.complaint);
    if (!options.is_json)
        printf("%s: %zu messages, %s\n", c->script->protocol, c->result_count,
               conforms ? "all conform" : "and something does not conform");
    return conforms ? 0 : 1;
}

static int cmd_check_run(int argc, char **argv) {
    struct operands operands;
    options = (struct cmd_check){.patience_ms = CHECK_PATIENCE_MS, .play_ms = CHECK_PLAY_MS};
    int status = options_parse(&check_options, argc, argv, &operands);
    if (status != OPTIONS_GO_ON)
        return status;
    struct check *c = mem_alloc(sizeof *c);
    c->script = cmd_check_find(operands.list[0]);
    c->server = operands.list[1];
    c->patience_ms = options.patience_ms;
    c->shown = options.is_json ? NULL : cmd_check_show;
    status = EXIT_USAGE;
    if (c->script != NULL && connect_is_address("HOST:PORT", c->server) &&
        strlen(c->server) < CHECK_VALUE_BYTES_MAX) {
        cmd_check_name(c, c->server);
        status = cmd_check_all(c);
    }
    check_free(c);
    mem_free(c);
    return status;
}

const struct command cmd_check = {"check", "how far somebody else's server conforms to a protocol",
                                  cmd_check_run};
