/* parlor journal copy FROM TO: everything that one store keeps into another, whatever their engines: journals
 * of tables and championships, running or finished, the secrets of dice, the outages. The source is verified
 * before anything is written; the target afterwards, and the last hash of every journal, in which all its
 * events are, must be that of the source. */
#include "base/clock.h"
#include "base/mem.h"
#include "cli/journal/tool.h"
#include "cli/store_choice.h"
#include "store/data_dir.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    COPY_APPEND_EVENTS_MAX = 1024, /* of one append: a long journal goes in pieces */
    COPY_BATCH_EVENTS = 4096,      /* that gather before they are written */
};

/* One end of a copy. */
struct copy_side {
    const char *url; /* of a database; NULL: the file in the directory place */
    const char *place;
    struct data_dir dir;
    bool has_dir;
    struct store *store;
};

struct copy {
    struct copy_side from, to;
    struct rows rows;        /* of the source */
    struct digest *hashes;   /* the last of each row */
    size_t events, gathered; /* so far, and since the last batch */
    size_t waiting;          /* appends without a result */
    enum err result;         /* of the others */
};

static bool copy_complain(const char *what) {
    fprintf(stderr, "parlor: %s\n", what);
    return false;
}

static bool side_parse(struct copy_side *side, const char *text) {
    enum store_kind kind;
    bool is_word = store_choice_parse(text, &kind);
    if (is_word && kind == STORE_KIND_POSTGRES)
        side->url = text;
    else if (strncmp(text, "sqlite:", 7) == 0)
        side->place = text + 7;
    else
        side->place = text;
    if (side->url == NULL && side->place[0] == '\0')
        return copy_complain("copy takes sqlite:DIR, DIR or postgresql://..., twice");
    return true;
}

/* The directory is locked, so no server runs on it. */
static bool side_lock(struct copy_side *side, char path[PATH_MAX], bool is_source) {
    char complaint[512];
    if (snprintf(path, PATH_MAX, "%s/%s", side->place, STORE_FILE) >= PATH_MAX)
        return copy_complain("the name of the data directory is too long");
    if (is_source && access(path, R_OK) != 0) {
        fprintf(stderr, "parlor: there is no journal to copy in %s: %s\n", side->place, strerror(errno));
        return false;
    }
    if (data_dir_open(&side->dir, side->place, complaint, sizeof complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s; copy needs it alone\n", complaint);
        return false;
    }
    side->has_dir = true;
    return true;
}

static bool side_open(struct copy_side *side, bool is_source, bool accepts_loss) {
    char path[PATH_MAX];
    const char *complaint = "";
    enum err e;
    if (side->url == NULL && !side_lock(side, path, is_source))
        return false;
    /* It does not play, so what a database promises is for the servers to judge. */
    if (side->url != NULL)
        e = store_postgres_open(
            &(struct store_postgres_config){.url = side->url, .is_read_only = is_source, .is_alone = true},
            &side->store, &complaint);
    else
        e = store_sqlite_open(&(struct store_sqlite_config){.path = path,
                                                            .is_read_only = is_source,
                                                            .accepts_loss = accepts_loss},
                              &side->store, &complaint);
    if (e != ERR_OK)
        return copy_complain(complaint);
    if (side->store->loss == NULL)
        return true;
    fprintf(stderr, "parlor: %s%s\n", side->store->loss,
            accepts_loss ? "" : ". Put the file back, or copy the rest by --accept-loss");
    return accepts_loss;
}

static void side_close(struct copy_side *side) {
    if (side->store != NULL)
        store_close(side->store);
    if (side->has_dir)
        data_dir_close(&side->dir);
}

static int copy_row_order(const void *a, const void *b) {
    const struct store_table *left = a, *right = b;
    return left->table < right->table ? -1 : left->table > right->table;
}

/* Nothing is mixed: a target that has any of the tables may have played on. */
static bool target_is_free(const struct copy *copy) {
    struct rows there;
    char code[TABLE_CODE_CHARS + 1];
    bool is_free = true;
    if (rows_read(&there, copy->to.store) != ERR_OK) {
        rows_free(&there);
        return copy_complain("the target cannot be read");
    }
    if (there.count > 0)
        qsort(there.list, there.count, sizeof there.list[0], copy_row_order);
    for (size_t i = 0; i < copy->rows.count && there.count > 0 && is_free; i++)
        if (bsearch(&copy->rows.list[i], there.list, there.count, sizeof there.list[0], copy_row_order) !=
            NULL) {
            table_code_format(copy->rows.list[i].table, code);
            fprintf(stderr, "parlor: the target has table %s already; nothing was copied\n", code);
            is_free = false;
        }
    rows_free(&there);
    return is_free;
}

static void copy_on_done(void *context, enum err e) {
    struct copy *copy = context;
    copy->waiting--;
    if (copy->result == ERR_OK)
        copy->result = e;
}

static bool copy_flush(struct copy *copy) {
    copy->gathered = 0;
    store_work(copy->to.store);
    store_drain(copy->to.store);
    if (copy->waiting > 0) /* the connection broke during a commit, and the database is not back at once */
        copy->result = ERR_IO;
    if (copy->result != ERR_OK)
        fprintf(stderr,
                "parlor: the target cannot be written: %s. It has a part of the tables now: empty it, and "
                "copy again\n",
                err_sentence(copy->result));
    return copy->result == ERR_OK;
}

/* False: it should have a secret, and that cannot be read. */
static bool secret_find(struct copy *copy, const struct store_table *row, struct digest *secret,
                        bool *has_secret) {
    struct record record;
    *has_secret = row->finished_ms == 0 && store_secret(copy->from.store, row->table, secret) == ERR_OK;
    if (*has_secret || row->finished_ms != 0) /* then the result has told it */
        return true;
    bool is_fine = record_read(&record, copy->from.store, row->table) == ERR_OK &&
                   record_is_championship(&record); /* which has no dice */
    if (!is_fine)
        fprintf(stderr,
                "parlor: the secret of the dice of table %s cannot be read: copy as the role of the servers. "
                "If it is lost, a server that is started there ends the table\n",
                record.code);
    record_free(&record);
    return is_fine;
}

/* Before anything is written. */
static bool secrets_are_there(struct copy *copy) {
    struct digest secret;
    bool is_fine = true, has_secret;
    for (size_t i = 0; i < copy->rows.count && is_fine; i++)
        is_fine = secret_find(copy, &copy->rows.list[i], &secret, &has_secret);
    return is_fine;
}

/* A journal that refers to another one does so in the target, too, if that one is there by then. */
static bool record_append(struct copy *copy, const struct record *record, const struct digest *secret,
                          const struct store_origin *origin) {
    bool is_fine = origin->count == 0 || copy_flush(copy);
    size_t at = 0;
    while (at < record->event_count && is_fine) {
        size_t left = record->event_count - at;
        size_t piece = COPY_APPEND_EVENTS_MAX;
        if (at == 0 && piece <= origin->count)
            piece = origin->count + 1;
        struct store_request request = {
            .table = record->table,
            .expected_seq = at,
            .events = &record->events[at],
            .event_count = left < piece ? left : piece,
            .origin = at == 0 ? *origin : (struct store_origin){0},
            .secret = at == 0 ? secret : NULL,
            .done = copy_on_done,
            .context = copy,
        };
        copy->waiting++;
        copy->gathered += request.event_count;
        store_append(copy->to.store, &request);
        at += request.event_count;
        if (copy->gathered >= COPY_BATCH_EVENTS)
            is_fine = copy_flush(copy);
    }
    return is_fine;
}

static bool table_copy(struct copy *copy, size_t i) {
    const struct store_table *row = &copy->rows.list[i];
    struct record record;
    struct digest secret;
    struct store_origin origin;
    bool has_secret;
    bool is_fine = record_read(&record, copy->from.store, row->table) == ERR_OK &&
                   store_origin(copy->from.store, row->table, &origin) == ERR_OK &&
                   record.event_count == row->last_seq && record.event_count > 0;
    if (!is_fine)
        fprintf(stderr, "parlor: the journal of table %s cannot be read, or goes on while it is copied\n",
                record.code);
    if (is_fine && secret_find(copy, row, &secret, &has_secret)) {
        copy->hashes[i] = record.events[record.event_count - 1].hash;
        copy->events += record.event_count;
        is_fine = record_append(copy, &record, has_secret ? &secret : NULL, &origin);
    } else {
        is_fine = false;
    }
    record_free(&record);
    return is_fine;
}

static bool tables_copy(struct copy *copy) {
    bool is_fine = true;
    copy->hashes = mem_alloc((copy->rows.count + 1) * sizeof copy->hashes[0]);
    for (size_t i = 0; i < copy->rows.count && is_fine; i++) {
        rows_progress(&copy->rows, i);
        is_fine = table_copy(copy, i);
    }
    rows_progress_end(&copy->rows);
    return is_fine && copy_flush(copy);
}

/* What the source knows of times without a server. A target in which a server has lived learns besides that
 * nobody took care of these tables since their own server has ended. */
static bool life_copy(struct copy *copy) {
    const struct store *from = copy->from.store;
    struct store_outage *outages = mem_alloc((from->outage_count + 1) * sizeof *outages);
    size_t count = from->outage_count;
    if (count > 0)
        memcpy(outages, from->outages, count * sizeof *outages);
    if (copy->to.store->last_beat_ms != 0 && from->last_beat_ms != 0)
        outages[count++] = (struct store_outage){from->last_beat_ms, clock_wall_ms()};
    bool has_key = !digest_equal(&from->key, &(struct digest){{0}});
    enum err e =
        store_inherit(copy->to.store, outages, count, from->last_beat_ms, has_key ? &from->key : NULL);
    mem_free(outages);
    return e == ERR_OK || copy_complain("the outages cannot be written into the target");
}

static bool copy_hash_read(void *context, uint64_t table, const struct event *event) {
    (void)table;
    *(struct digest *)context = event->hash;
    return true;
}

/* The same journals: the last hash stands for all that comes before it. */
static bool hashes_compare(struct copy *copy) {
    bool is_same = true;
    for (size_t i = 0; i < copy->rows.count && is_same; i++) {
        const struct store_table *row = &copy->rows.list[i];
        char code[TABLE_CODE_CHARS + 1];
        struct digest hash = {{0}};
        is_same = store_read(copy->to.store, row->table, row->last_seq, copy_hash_read, &hash) == ERR_OK &&
                  memcmp(hash.bytes, copy->hashes[i].bytes, sizeof hash.bytes) == 0;
        table_code_format(row->table, code);
        if (!is_same)
            fprintf(stderr, "parlor: table %s is not the same in the target\n", code);
    }
    return is_same;
}

/* A server of the source may have gone on; a directory is locked, but a database is not. */
static bool source_is_at_rest(struct copy *copy) {
    struct rows now;
    bool is_same = rows_read(&now, copy->from.store) == ERR_OK && now.count == copy->rows.count;
    for (size_t i = 0; i < copy->rows.count && is_same; i++)
        is_same = now.list[i].table == copy->rows.list[i].table &&
                  now.list[i].last_seq == copy->rows.list[i].last_seq;
    rows_free(&now);
    return is_same ||
           copy_complain("the source has changed while it was copied: stop its servers, empty the target, "
                         "and copy again");
}

static bool copy_run(struct copy *copy) {
    fprintf(stderr, "parlor: verifying the source\n");
    if (rows_read(&copy->rows, copy->from.store) != ERR_OK)
        return copy_complain("the source cannot be read");
    if (!target_is_free(copy))
        return false;
    if (!secrets_are_there(copy))
        return false;
    if (journal_verify(copy->from.store, NULL) != 0)
        return copy_complain("the source has problems, so nothing was copied");
    fprintf(stderr, "parlor: copying %zu tables\n", copy->rows.count);
    if (!tables_copy(copy) || !life_copy(copy))
        return false;
    fprintf(stderr, "parlor: verifying the target\n");
    bool is_same = journal_verify(copy->to.store, NULL) == 0;
    is_same = hashes_compare(copy) && is_same;
    if (!is_same)
        return copy_complain("the target is not a copy of the source: do not use it");
    return source_is_at_rest(copy);
}

int journal_copy(const char *from, const char *to, bool accepts_loss) {
    struct copy copy = {.result = ERR_OK};
    bool is_done = side_parse(&copy.from, from) && side_parse(&copy.to, to) &&
                   side_open(&copy.from, true, accepts_loss) && side_open(&copy.to, false, false) &&
                   copy_run(&copy);
    if (is_done)
        printf("copied %zu journals with %zu events\n", copy.rows.count, copy.events);
    side_close(&copy.to);
    side_close(&copy.from);
    rows_free(&copy.rows);
    mem_free(copy.hashes);
    return is_done ? 0 : 1;
}
