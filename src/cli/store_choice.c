#include "cli/store_choice.h"

#include "store/data_dir.h"

#include <limits.h>
#include <stdio.h>

bool store_choice_parse(const char *text, enum store_kind *out) {
    struct span span = span_of(text);
    *out = STORE_KIND_SQLITE;
    if (span_equal(span, SPAN("memory")))
        *out = STORE_KIND_MEMORY;
    else if (strncmp(text, "postgresql://", 13) == 0 || strncmp(text, "postgres://", 11) == 0)
        *out = STORE_KIND_POSTGRES;
    else
        return span_equal(span, SPAN("sqlite"));
    return true;
}

static enum err store_choice_open(const char *data, enum store_kind kind, const char *url, struct store **out,
                                  const char **complaint) {
    char path[PATH_MAX];
    if (kind == STORE_KIND_POSTGRES)
        return store_postgres_open(&(struct store_postgres_config){.url = url, .is_read_only = true}, out,
                                   complaint);
    if (snprintf(path, sizeof path, "%s/%s", data, STORE_FILE) >= (int)sizeof path) {
        *complaint = "the name of the data directory is too long";
        return ERR_IO;
    }
    return store_sqlite_open(&(struct store_sqlite_config){.path = path, .is_read_only = true}, out,
                             complaint);
}

struct store *store_choice_read(const char *data, const char *text) {
    const char *complaint = "";
    struct store *store = NULL;
    enum store_kind kind;
    if (!store_choice_parse(text, &kind) || kind == STORE_KIND_MEMORY) {
        fprintf(stderr, "parlor: --store takes sqlite, or postgresql://...\n");
        return NULL;
    }
    if (store_choice_open(data, kind, text, &store, &complaint) != ERR_OK) {
        fprintf(stderr, "parlor: %s\n", complaint);
        return NULL;
    }
    if (store->loss != NULL)
        fprintf(stderr, "parlor: warning: %s\n", store->loss);
    return store;
}
