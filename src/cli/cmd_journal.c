/* parlor journal list|show|export|verify|import|copy|backup|repair: what is in the journals of a data
 * directory or a database. */
#include "base/mem.h"
#include "cli/command.h"
#include "cli/journal/tool.h"
#include "cli/options.h"
#include "cli/store_choice.h"
#include "store/data_dir.h"

#include <limits.h>

static struct {
    const char *data, *store;
    bool is_running, is_finished, is_all, is_replay, accepts_loss;
    const char *game, *output;
    int64_t limit;
} opt;

struct listing {
    struct store *store;
    struct store_table *rows;
    char (*games)[EVENT_NAME_BYTES_MAX + 1];
    char (*protocols)[EVENT_NAME_BYTES_MAX + 1];
    size_t count, capacity;
};

static bool listing_add(void *context, const struct store_table *row) {
    struct listing *l = context;
    if (opt.game != NULL && strcmp(row->game, opt.game) != 0)
        return true;
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 256 : 2 * l->capacity;
        l->rows = mem_resize(l->rows, l->capacity * sizeof l->rows[0]);
        l->games = mem_resize(l->games, l->capacity * sizeof l->games[0]);
        l->protocols = mem_resize(l->protocols, l->capacity * sizeof l->protocols[0]);
    }
    l->rows[l->count] = *row;
    snprintf(l->games[l->count], sizeof l->games[0], "%s", row->game);
    snprintf(l->protocols[l->count], sizeof l->protocols[0], "%s", row->protocol);
    l->count++;
    return true;
}

struct people {
    const struct game *game; /* NULL: not known here */
    unsigned seat_count, seated;
    char names[SEATS_MAX][EVENT_NAME_BYTES_MAX + 1];
    bool has_result;
    struct event_result result;
};

/* Reading stops when everybody has a name. */
static bool people_add(void *context, uint64_t table, const struct event *event) {
    struct people *people = context;
    struct event_setup setup;
    struct event_seat seat;
    (void)table;
    if (event->kind == EVENT_SETUP && event_setup_read(event->body, &setup) == ERR_OK)
        people->seat_count = setup.options.seat_count;
    if (event->kind == EVENT_SEAT && event_seat_read(event->body, &seat) == ERR_OK) {
        people->seated -= people->names[seat.seat][0] != '\0';
        people->seated += seat.name[0] != '\0';
        memcpy(people->names[seat.seat], seat.name, sizeof seat.name);
    }
    return people->seated < people->seat_count;
}

static bool result_add(void *context, uint64_t table, const struct event *event) {
    struct people *people = context;
    (void)table;
    if (event->kind == EVENT_RESULT)
        people->has_result = event_result_read(event->body, &people->result) == ERR_OK;
    return true;
}

static void state_words(struct people *people, struct buf *out) {
    static const char *const outcomes[] = {
        [OUTCOME_PLAYED] = "", [OUTCOME_FORFEITED] = " (forfeited)", [OUTCOME_UNDECIDED] = " (undecided)"};
    if (people->has_result) {
        points_words(people->game, &people->result, people->names, out);
        buf_append_text(out, outcomes[people->result.outcome]);
        return;
    }
    buf_append_text(out, "running");
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        char name[EVENT_NAME_BYTES_MAX + 1];
        name_text(people->names[seat], name);
        if (name[0] != '\0')
            buf_printf(out, "%s %s", seat == 0 ? ":" : ",", name);
    }
}

static enum err championship_state(struct store *store, uint64_t table, struct buf *words) {
    struct record record;
    struct story story;
    enum err e = record_read(&record, store, table);
    bool folds = true;
    story_begin(&story, &record);
    for (size_t i = 0; i < record.event_count && folds; i++)
        folds = story_take(&story, &record.events[i]) == ERR_OK;
    if (story.is_cup)
        cup_standing_words(&story.cup, words);
    else
        standing_words(&story.championship, words);
    story_end(&story);
    record_free(&record);
    return e;
}

static enum err journal_table_words(struct store *store, const struct store_table *row, const char *game,
                                    struct buf *words) {
    struct people people = {.game = game_by_name(span_of(game))};
    enum err e = store_read(store, row->table, 1, people_add, &people);
    if (e == ERR_OK && row->finished_ms != 0)
        e = store_read(store, row->table, row->last_seq, result_add, &people);
    state_words(&people, words);
    return e;
}

static enum err list_row(struct listing *l, size_t i) {
    const struct store_table *row = &l->rows[i];
    struct buf words = {0};
    char code[TABLE_CODE_CHARS + 1], time[TIME_TEXT_BYTES];
    char game[EVENT_NAME_BYTES_MAX + 1], protocol[EVENT_NAME_BYTES_MAX + 1];
    bool is_championship = strcmp(l->protocols[i], EVENT_PROTOCOL_CHAMPIONSHIP) == 0;
    enum err e = is_championship ? championship_state(l->store, row->table, &words)
                                 : journal_table_words(l->store, row, l->games[i], &words);
    table_code_format(row->table, code);
    time_text(row->created_ms, time);
    name_text(l->games[i], game);
    name_text(l->protocols[i], protocol);
    printf("%-10s  %s  %-14s %-7s %5llu events  %s\n", code, time, game, protocol,
           (unsigned long long)row->last_seq, buf_text(&words));
    buf_free(&words);
    return e;
}

static int journal_list(struct store *store) {
    struct listing l = {.store = store};
    enum store_filter filter = opt.is_running == opt.is_finished ? STORE_ALL
                               : opt.is_running                  ? STORE_RUNNING
                                                                 : STORE_FINISHED;
    enum err e = store_list(store, filter, listing_add, &l);
    size_t limit = opt.limit == 0 ? SIZE_MAX : (size_t)opt.limit;
    for (size_t i = l.count > limit ? l.count - limit : 0; i < l.count && e == ERR_OK; i++)
        e = list_row(&l, i);
    mem_free(l.rows);
    mem_free(l.games);
    mem_free(l.protocols);
    if (e != ERR_OK)
        fprintf(stderr, "parlor: the journal cannot be read\n");
    return e == ERR_OK ? 0 : 1;
}

static int journal_backup(const char *file) {
    char path[PATH_MAX];
    const char *complaint = "";
    struct store *store = store_choice_read(opt.data, opt.store); /* warns where something is missing */
    if (store == NULL)
        return 1;
    store_close(store);
    snprintf(path, sizeof path, "%s/%s", opt.data, STORE_FILE);
    if (store_sqlite_backup(path, file, &complaint) == ERR_OK)
        return 0;
    fprintf(stderr, "parlor: %s\n", complaint);
    return 1;
}

static int usage(const char *what) {
    fprintf(stderr, "parlor: %s; see 'parlor journal --help'\n", what);
    return EXIT_USAGE;
}

/* The subcommands that read the store. */
static int run_on_store(const char *what, const char *operand) {
    struct store *store = store_choice_read(opt.data, opt.store);
    int status = 1;
    if (store == NULL)
        return status;
    if (strcmp(what, "list") == 0)
        status = journal_list(store);
    else if (strcmp(what, "show") == 0)
        status = journal_show(store, operand, opt.is_all);
    else if (strcmp(what, "verify") == 0)
        status = journal_verify(store, operand);
    else
        status = journal_export(store, operand, opt.output, opt.is_replay);
    store_close(store);
    return status;
}

/* PostgreSQL has programs of its own for its files. */
static bool is_file(const char *what) {
    enum store_kind kind;
    if (store_choice_parse(opt.store, &kind) && kind == STORE_KIND_SQLITE)
        return true;
    fprintf(stderr,
            "parlor: %s is for the file of SQLite; of a database pg_dump makes a copy, and pg_basebackup\n",
            what);
    return false;
}

static int journal_run(const char *what, const char *operand, const char *second) {
    if (strcmp(what, "copy") == 0)
        return second == NULL ? usage("copy takes where from and where to")
                              : journal_copy(operand, second, opt.accepts_loss);
    if (second != NULL)
        return usage("only copy takes two operands");
    if (strcmp(what, "list") == 0)
        return operand == NULL ? run_on_store(what, NULL) : usage("list takes no operand");
    if (strcmp(what, "verify") == 0)
        return run_on_store(what, operand);
    if (strcmp(what, "export") == 0) {
        if ((operand == NULL) != opt.is_all)
            return usage("export takes the code of a table, or --all");
        if (opt.is_all && opt.is_replay)
            return usage("--replay is the form of one table");
        return run_on_store(what, operand);
    }
    if (strcmp(what, "show") == 0)
        return operand == NULL ? usage("show takes the code of a table") : run_on_store(what, operand);
    if (strcmp(what, "import") == 0)
        return operand == NULL ? usage("import takes a file")
                               : journal_import(opt.data, opt.store, operand, opt.accepts_loss);
    if ((strcmp(what, "backup") == 0 || strcmp(what, "repair") == 0) && !is_file(what))
        return EXIT_USAGE;
    if (strcmp(what, "backup") == 0)
        return operand == NULL ? usage("backup takes the file to write") : journal_backup(operand);
    if (strcmp(what, "repair") == 0)
        return operand != NULL ? usage("repair takes no operand") : journal_repair(opt.data, opt.output);
    return usage("there is list, show, export, verify, import, copy, backup and repair");
}

static int journal_command(int argc, char **argv) {
    static const struct option_row rows[] = {
        ROW_TEXT("data", "DIR", &opt.data, "the data directory"),
        ROW_TEXT("store", "STORE", &opt.store, "sqlite, which is in --data, or postgresql://..."),
        ROW_FLAG("running", &opt.is_running, "list: only tables that run"),
        ROW_FLAG("finished", &opt.is_finished, "list: only tables that are finished"),
        ROW_TEXT("game", "GAME", &opt.game, "list: only of this game"),
        ROW_NUMBER("limit", &opt.limit, 0, INT32_MAX, "list: only the newest N; 0: all"),
        ROW_FLAG("all", &opt.is_all, "show: what is still secret too; export: all tables"),
        ROW_TEXT("output", "FILE", &opt.output,
                 "export: there instead of standard output; repair: the new file"),
        ROW_FLAG("replay", &opt.is_replay, "export: as text that import and people read"),
        ROW_FLAG("accept-loss", &opt.accepts_loss, "import, copy: although the journal has lost events"),
        {0},
    };
    static const struct options options = {
        .command = "journal",
        .operands = "list|show|export|verify|import|copy|backup|repair [CODE|FILE|FROM TO]",
        .about =
            "The journals of a data directory or of a database. In a directory all but import and copy work "
            "while\n"
            "a server runs on it, in a database all do but copy, whose source must be at rest.\n\n"
            "  list           one line per table, oldest first\n"
            "  show CODE      every event of a table in words; of a running one what a watcher may know\n"
            "  export CODE    as JSON lines, described in docs/journal.md\n"
            "  verify [CODE]  chain, rules, dice and results of one table or all; exit status 1 on any "
            "problem\n"
            "  import FILE    a new table from a list of actions, - for standard input; prints its code\n"
            "  copy FROM TO   everything from one store to another, each DIR, sqlite:DIR or "
            "postgresql://...;\n"
            "                 both sides are verified, and a target with any of the tables is refused\n"
            "  backup FILE    a copy of everything\n"
            "  repair         saves what can be read of a damaged journal into a new file, "
            "parlor.db.repaired\n"
            "                 unless --output names another; exit status 1 when anything is missing",
        .rows = rows,
        .operands_min = 1,
        .operands_max = 3,
    };
    opt.data = "parlor-data";
    opt.store = "sqlite";
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    return journal_run(operands.list[0], operands.count > 1 ? operands.list[1] : NULL,
                       operands.count > 2 ? operands.list[2] : NULL);
}

const struct command cmd_journal = {"journal", "look at journals, check, copy and import them",
                                    journal_command};
