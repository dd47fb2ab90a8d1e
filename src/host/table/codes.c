/* Short codes for tables that are to be opened. There are so few of them that one which is drawn may be in
 * use: finished tables keep theirs as long as their journals are kept, and only the store knows those. Nobody
 * waits for it: some codes are drawn ahead and looked up in the background, and whoever wishes for a certain
 * one has it looked up first. What another node does meanwhile is found out by the append, which refuses an
 * id that is used. */
#include "host/table/internal.h"

#include "base/mem.h"

#include <utlist.h>

/* A code that is being looked up. */
struct code_look {
    struct tables *tables;
    uint64_t id;
    bool is_used;
    tables_fetched *fetched; /* who has wished for it; NULL: nobody, it is to be a spare one */
    void *context;
    struct code_look *prev, *next;
};

static bool code_seen(void *context, uint64_t table, const struct event *event) {
    struct code_look *look = context;
    (void)table;
    (void)event;
    look->is_used = true;
    return false;
}

static void code_looked(void *context, enum err e);

static void code_look(struct tables *tables, uint64_t id, tables_fetched *fetched, void *context) {
    struct code_look *look = mem_alloc(sizeof *look);
    *look = (struct code_look){.tables = tables, .id = id, .fetched = fetched, .context = context};
    DL_APPEND(tables->codes.looks, look);
    store_load(tables->config.store, &(struct store_load){.table = id,
                                                          .from_seq = 1,
                                                          .is_past = fetched == NULL,
                                                          .visit = code_seen,
                                                          .done = code_looked,
                                                          .context = look});
}

static bool code_is_used(const struct tables *tables, uint64_t id) {
    bool is_used = tables_find(tables, id) != NULL;
    for (size_t i = 0; i < TABLES_CODES_USED_MAX; i++)
        is_used = is_used || tables->codes.used[i] == id;
    return is_used;
}

/* One that is used is of a table that runs, which comes here from another node, or of one that is over. */
static void code_tell(struct tables *tables, const struct code_look *look, enum err e) {
    struct tables_codes *codes = &tables->codes;
    if (look->is_used && !code_is_used(tables, look->id))
        codes->used[codes->used_count++ % TABLES_CODES_USED_MAX] = look->id;
    if (!look->is_used || tables_fetch(tables, look->id, look->fetched, look->context) == NULL)
        look->fetched(look->context, e == ERR_IO && tables->nodes != NULL ? ERR_IO : ERR_OK);
}

static void code_looked(void *context, enum err e) {
    struct code_look *look = context;
    struct tables_codes *codes = &look->tables->codes;
    DL_DELETE(codes->looks, look);
    if (look->fetched != NULL) {
        code_tell(look->tables, look, e);
    } else {
        codes->looks_count--;
        codes->is_failing = e != ERR_OK;
        if (e == ERR_OK && !look->is_used)
            codes->spare[codes->spare_count++] = look->id;
    }
    mem_free(look);
}

bool tables_fetch_code(struct tables *tables, uint64_t id, tables_fetched *fetched, void *context) {
    if (tables_find(tables, id) != NULL)
        return tables_fetch(tables, id, fetched, context) != NULL;
    code_look(tables, id, fetched, context);
    return true;
}

uint64_t tables_short_of(const struct digest *digest) {
    return TABLES_SHORT_FROM + digest_to_number(digest->bytes) % (TABLES_SHORT_BELOW - TABLES_SHORT_FROM);
}

static uint64_t code_draw(struct tables *tables) {
    struct digest random;
    tables->config.secret(tables->config.context, &random);
    return tables_short_of(&random);
}

void codes_fill(struct tables *tables) {
    struct tables_codes *codes = &tables->codes;
    size_t looks_max = tables->config.is_repeatable ? 0 : codes->is_failing ? 1 : TABLES_CODES_SPARE_MAX;
    while (codes->looks_count < looks_max &&
           codes->spare_count + codes->looks_count < TABLES_CODES_SPARE_MAX) {
        codes->looks_count++;
        code_look(tables, code_draw(tables), NULL, NULL);
    }
}

uint64_t tables_new_short(struct tables *tables) {
    struct tables_codes *codes = &tables->codes;
    uint64_t id = 0;
    while (id == 0 || code_is_used(tables, id))
        id = codes->spare_count > 0 ? codes->spare[--codes->spare_count] : code_draw(tables);
    if (!codes->is_failing)
        codes_fill(tables);
    return id;
}

uint64_t tables_take_short(struct tables *tables, uint64_t wish) {
    return wish != 0 && !code_is_used(tables, wish) ? wish : tables_new_short(tables);
}

void codes_free(struct tables *tables) {
    while (tables->codes.looks != NULL) {
        struct code_look *look = tables->codes.looks;
        DL_DELETE(tables->codes.looks, look);
        mem_free(look);
    }
}
