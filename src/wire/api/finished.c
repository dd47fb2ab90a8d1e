/* The list of finished tables. Its rows come from the store, and what each shows from its journal, so the
 * answer comes in steps: the list, then the journals that are not at hand, as many as may be shown. */
#include "base/mem.h"
#include "wire/api/asking.h"
#include "wire/api/past.h"

enum { FINISHED_LOOKED_MAX = 1000 }; /* that one request looks at to find those that are public */

struct finished {
    struct past_wait wait;     /* first */
    struct http_wait *request; /* NULL: its connection has ended, and the list is still on its way */
    bool accepts_gzip;
    bool is_listed; /* the rows have come */
    struct api_list list;
    struct writer writer;
    struct buf out;
    size_t at; /* the first row that was not looked at */
    size_t count;
    struct {
        uint64_t table;
        int64_t ms;
    } found[FINISHED_LOOKED_MAX];
};

static void finished_free(struct finished *f) {
    buf_free(&f->out);
    mem_free(f);
}

static void finished_drop(struct past_wait *w) {
    finished_free((struct finished *)(void *)w);
}

/* The store still knows it when its rows have not come. */
static void finished_gone(void *context) {
    struct finished *f = context;
    f->request = NULL;
    f->wait.is_request = false;
    if (!f->is_listed)
        return;
    past_wait_end(&f->wait);
    finished_free(f);
}

/* Ends what waits; gives the exchange, to be answered. */
static struct http_exchange *finished_end(struct finished *f) {
    past_wait_end(&f->wait);
    return http_wait_end(f->request);
}

static void finished_refuse(struct finished *f, enum err why) {
    struct api *api = f->wait.api;
    asking_answer_problem(api, finished_end(f), &(struct api_refusal){.why = why});
    finished_free(f);
}

static void finished_answer(struct finished *f) {
    struct api *api = f->wait.api;
    writer_list_end(&f->writer);
    api_list_write_next(&f->writer, &f->list);
    writer_object_end(&f->writer);
    buf_clear(&api->out);
    buf_append(&api->out, buf_span(&f->out));
    asking_answer(api, finished_end(f), f->accepts_gzip, 200);
    finished_free(f);
}

/* One row with its journal at hand. False when the list is full. */
static bool finished_show(struct finished *f, const struct fold *fold, int64_t ms) {
    struct snapshot s;
    snapshot_of_fold(fold, &s);
    return s.note.is_private ||
           api_list_add(&f->list, &s, lounge_watch_delay_ms(f->wait.api->lounge, &s), ms, &f->writer);
}

/* Shows what is at hand, up to the first row whose journal is lacking; what lies behind it and may be shown
 * is asked for with it. */
static void finished_go_on(struct finished *f) {
    struct history *history = f->wait.api->history;
    bool is_lacking = false, is_full = false;
    past_begin(f->wait.api);
    for (size_t i = f->at, left = f->list.limit + 1 - f->list.count; i < f->count && left > 0 && !is_full;
         i++) {
        const struct fold *fold = history_at(history, f->found[i].table, HISTORY_LAST);
        /* A journal that does not fold is no reason to hide the others; a store that cannot be read is. */
        if (fold == NULL && history_error(history) == ERR_IO) {
            finished_refuse(f, ERR_UNAVAILABLE);
            return;
        }
        is_lacking = is_lacking || (fold == NULL && history_error(history) == ERR_LATER);
        left -= is_lacking;
        if (is_lacking)
            continue;
        f->at = i + 1;
        is_full = fold != NULL && !finished_show(f, fold, f->found[i].ms);
    }
    if (is_lacking)
        past_wait_lacking(&f->wait);
    else
        finished_answer(f);
}

static void finished_come(struct past_wait *w) {
    finished_go_on((struct finished *)(void *)w);
}

static bool finished_take(void *context, const struct store_table *row) {
    struct finished *f = context;
    f->found[f->count].table = row->table;
    f->found[f->count++].ms = row->finished_ms;
    return f->count < FINISHED_LOOKED_MAX;
}

static void finished_listed(void *context, enum err e) {
    struct finished *f = context;
    f->is_listed = true;
    if (f->request == NULL)
        finished_gone(f);
    else if (e != ERR_OK)
        finished_refuse(f, ERR_UNAVAILABLE);
    else
        finished_go_on(f);
}

void finished_list(const struct asking *a, const struct api_list *list) {
    struct refusal why;
    if (!past_has_room(a->api, &a->request->address, &why)) {
        asking_refuse_as(a, why);
        return;
    }
    struct finished *f = mem_alloc(sizeof *f);
    f->wait = (struct past_wait){.come = finished_come, .drop = finished_drop};
    f->request = http_wait(a->exchange, a->request, finished_gone, f);
    f->accepts_gzip = a->request->accepts_gzip;
    f->list = *list;
    writer_init(&f->writer, WRITER_JSON, &f->out);
    writer_object_begin(&f->writer, NULL);
    writer_list_begin(&f->writer, "tables");
    past_wait_begin(a->api, &f->wait, &a->request->address);
    store_look(a->api->config.store,
               &(struct store_look){.filter = STORE_FINISHED,
                                    .before_ms = list->has_before ? list->before_ms : INT64_MAX,
                                    .before_table = list->has_before ? list->before_table : 0,
                                    .game = list->game == NULL ? NULL : list->game->name,
                                    .tables_max = FINISHED_LOOKED_MAX,
                                    .visit = finished_take,
                                    .done = finished_listed,
                                    .context = f});
}
