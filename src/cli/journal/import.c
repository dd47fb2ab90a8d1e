/* parlor journal import FILE: a new table from a list of actions. */
#include "host/table/import.h"
#include "base/clock.h"
#include "cli/journal/tool.h"
#include "cli/store_choice.h"
#include "store/data_dir.h"

#include <errno.h>
#include <limits.h>

enum { IMPORT_BYTES_MAX = 1024 * 1024 };

static bool file_read(const char *path, struct buf *out) {
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (in == NULL) {
        fprintf(stderr, "parlor: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    buf_reserve(out, IMPORT_BYTES_MAX + 1);
    out->size = fread(out->data, 1, IMPORT_BYTES_MAX + 1, in);
    bool is_read = ferror(in) == 0 && out->size <= IMPORT_BYTES_MAX;
    if (!is_read)
        fprintf(stderr, "parlor: cannot read %s: it is %s\n", path,
                out->size > IMPORT_BYTES_MAX ? "larger than a megabyte" : "no file");
    if (in != stdin)
        fclose(in);
    return is_read;
}

static void journal_import_on_done(void *context, enum err e) {
    *(enum err *)context = e;
}

/* A new table, which nobody else writes to. */
static bool journal_import_append(struct store *store, const struct import *import, uint64_t table,
                                  const struct digest *secret) {
    enum err result = ERR_IO;
    struct store_request request = {
        .table = table,
        .events = import->events,
        .event_count = import->event_count,
        .secret = import->is_finished ? NULL : secret,
        .done = journal_import_on_done,
        .context = &result,
    };
    store_append(store, &request);
    store_work(store);
    store_drain(store);
    if (result != ERR_OK)
        fprintf(stderr, "parlor: the table cannot be written: %s\n", err_sentence(result));
    return result == ERR_OK;
}

static enum err journal_import_open(const char *data, const char *url, bool accepts_loss, struct store **out,
                                    const char **complaint) {
    char path[PATH_MAX];
    /* It does not play, so what the database promises is for the servers to judge. */
    if (url != NULL)
        return store_postgres_open(&(struct store_postgres_config){.url = url, .is_alone = true}, out,
                                   complaint);
    snprintf(path, sizeof path, "%s/%s", data, STORE_FILE);
    return store_sqlite_open(&(struct store_sqlite_config){.path = path, .accepts_loss = accepts_loss}, out,
                             complaint);
}

static bool journal_import_into(const char *data, const char *url, struct span text, const char *file,
                                bool accepts_loss) {
    char code[TABLE_CODE_CHARS + 1];
    const char *complaint = "";
    struct store *store = NULL;
    struct import import;
    struct digest secret, id;
    digest_secret(&secret);
    digest_secret(&id);
    uint64_t table = digest_to_number(id.bytes) >> (64 - TABLE_ID_BITS);
    enum err e = import_text(&import, text, table, clock_wall_ms(), &secret);
    bool is_done = false;
    if (e != ERR_OK)
        fprintf(stderr, "parlor: %s, line %zu: %s\n", file, import.line,
                game_refusal(import.game, e)->sentence);
    else if (journal_import_open(data, url, accepts_loss, &store, &complaint) != ERR_OK)
        fprintf(stderr, "parlor: %s\n", complaint);
    else
        is_done = journal_import_append(store, &import, table, &secret);
    if (store != NULL)
        store_close(store);
    if (is_done) {
        table_code_format(table, code);
        printf("%s\n", code);
    }
    import_free(&import);
    return is_done;
}

/* Into the file of a directory, which it needs alone. */
static bool journal_import_alone(const char *data, struct span text, const char *file, bool accepts_loss) {
    struct data_dir dir;
    char complaint[512];
    if (data_dir_open(&dir, data, complaint, sizeof complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s; import needs it alone\n", complaint);
        return false;
    }
    bool is_done = journal_import_into(data, NULL, text, file, accepts_loss);
    data_dir_close(&dir);
    return is_done;
}

int journal_import(const char *data, const char *store, const char *file, bool accepts_loss) {
    struct buf text = {0};
    enum store_kind kind;
    bool is_done = false;
    if (!store_choice_parse(store, &kind) || kind == STORE_KIND_MEMORY)
        fprintf(stderr, "parlor: --store takes sqlite, or postgresql://...\n");
    else if (file_read(file, &text))
        is_done = kind == STORE_KIND_POSTGRES
                      ? journal_import_into(data, store, buf_span(&text), file, accepts_loss)
                      : journal_import_alone(data, buf_span(&text), file, accepts_loss);
    buf_free(&text);
    return is_done ? 0 : 1;
}
