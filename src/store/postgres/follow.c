#include "store/postgres/follow.h"

#include "base/clock.h"
#include "base/mem.h"
#include "store/origin.h"
#include "store/postgres/notice.h"
#include "store/postgres/read.h"

#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    FOLLOW_TIMEOUT_MS = 10 * 1000,
    FOLLOW_SINCE_INTERVAL_MS = 5 * 1000,
    FOLLOW_RETRY_MS = 250,
    FOLLOW_PAGE = 2000,
    FOLLOW_NOTICES_MAX = 1000, /* that are read at once */
};

/* Events of one table in a row, as a commit to show. */
struct follow_run {
    struct pending_list *news;
    uint64_t table;
    struct event *events; /* bodies as sizes only, one behind the other in bodies */
    size_t count, capacity;
    struct buf bodies;
};

static void follow_run_end(struct follow_run *r) {
    const char *body = r->bodies.data;
    /* A journal that nobody could have appended like that is for the fold to refuse. */
    bool is_sound =
        r->count > 0 && (r->events[0].seq > 1 || (r->events[0].seq == 1 && event_begins(r->events[0].kind)));
    for (size_t i = 0; i < r->count; i++) {
        r->events[i].body.data = body;
        body += r->events[i].body.size;
        is_sound = is_sound && r->events[i].body.size <= EVENT_BODY_BYTES_MAX;
    }
    if (is_sound)
        pending_push(r->news, pending_copy(&(struct store_request){.table = r->table,
                                                                   .expected_seq = r->events[0].seq - 1,
                                                                   .events = r->events,
                                                                   .event_count = r->count}));
    r->count = 0;
    buf_clear(&r->bodies);
}

static bool follow_run_take(void *context, uint64_t table, const struct event *event) {
    struct follow_run *r = context;
    if (r->count > 0 && (r->table != table || r->events[r->count - 1].seq + 1 != event->seq))
        follow_run_end(r);
    if (r->count == r->capacity) {
        r->capacity = r->capacity == 0 ? 64 : 2 * r->capacity;
        r->events = mem_resize(r->events, r->capacity * sizeof *r->events);
    }
    r->table = table;
    r->events[r->count++] = *event;
    buf_append(&r->bodies, event->body);
    return true;
}

/* The events of these rows, table by table. False when what some of them refer to could not be read. */
static bool follow_news_add(struct follow *f, struct pending_list *news, const PGresult *rows) {
    struct read_from from = {&f->link, FOLLOW_TIMEOUT_MS};
    struct follow_run run = {.news = news};
    struct origin_filter filter = {
        .rows = read_rows, .engine = &from, .visit = follow_run_take, .context = &run};
    for (int row = 0; row < PQntuples(rows) && filter.result != ERR_IO; row++) {
        struct event event;
        uint64_t table = read_event(rows, row, &event);
        origin_filter_take(&filter, table, &event);
    }
    follow_run_end(&run);
    mem_free(run.events);
    buf_free(&run.bodies);
    return filter.result != ERR_IO;
}

static void news_hand_over(struct follow *f, struct pending_list *news) {
    if (news->first == NULL)
        return;
    pthread_mutex_lock(&f->queue->lock);
    pending_move(&f->news, news);
    pthread_mutex_unlock(&f->queue->lock);
    queue_wake_loop(f->queue);
}

/* The oldest transaction that has not ended. */
static bool since_take(struct follow *f) {
    PGresult *row = link_run(&f->link, "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", NULL,
                             FOLLOW_TIMEOUT_MS);
    if (row == NULL)
        return false;
    f->since_before = f->since;
    f->since = link_int(row, 0, 0);
    f->since_taken_ms = clock_monotonic_ms();
    PQclear(row);
    return true;
}

/* What was written while nobody listened. */
static bool catch_up(struct follow *f) {
    struct pending_list news = {0};
    int64_t table = INT64_MIN, seq = 0, since = f->since_before != 0 ? f->since_before : f->since;
    int count = since == 0 ? 0 : FOLLOW_PAGE;
    while (count == FOLLOW_PAGE) {
        struct link_params params = {0};
        link_param_int(&params, since);
        link_param_int(&params, table);
        link_param_int(&params, seq);
        link_param_int(&params, FOLLOW_PAGE);
        PGresult *rows = link_run(&f->link,
                                  "SELECT " READ_EVENT_COLUMNS " FROM parlor.events e WHERE e.xact >= $1 "
                                  "AND (e.table_id, e.seq) > ($2, $3) ORDER BY e.table_id, e.seq LIMIT $4",
                                  &params, FOLLOW_TIMEOUT_MS);
        link_params_free(&params);
        if (rows == NULL) {
            pending_free(&news);
            return false;
        }
        count = PQntuples(rows);
        if (count > 0) {
            table = link_int(rows, count - 1, 0);
            seq = link_int(rows, count - 1, 1);
        }
        bool is_read = follow_news_add(f, &news, rows);
        PQclear(rows);
        if (!is_read) {
            pending_free(&news);
            return false;
        }
    }
    news_hand_over(f, &news);
    return true;
}

static const char noticed_sql[] =
    "SELECT " READ_EVENT_COLUMNS
    " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS n(id, first, last) "
    "JOIN parlor.events e ON e.table_id = n.id AND e.seq BETWEEN n.first AND n.last "
    "ORDER BY e.table_id, e.seq";

static bool follow_connect(struct follow *f) {
    bool is_there = link_open(&f->link, f->url, LINK_WRITE, f->application) &&
                    read_prepare(&f->link, FOLLOW_TIMEOUT_MS) &&
                    link_prepare(&f->link, "noticed", noticed_sql, FOLLOW_TIMEOUT_MS) &&
                    link_do(&f->link, "LISTEN parlor", NULL, FOLLOW_TIMEOUT_MS) && catch_up(f) &&
                    since_take(f);
    if (is_there)
        company_miss(f->company, f->queue);
    else
        link_close(&f->link);
    return is_there;
}

/* Entries of notices of other nodes, for one statement; or the events that came with all of them. Words wait
 * until that is read: whoever hears that a player has gone knows the last move. */
struct notices {
    size_t count;
    int64_t tables[FOLLOW_NOTICES_MAX], firsts[FOLLOW_NOTICES_MAX], lasts[FOLLOW_NOTICES_MAX];
    struct pending_list news;
    bool must_read;   /* some have come without their events, so all are read: in the order of each table */
    struct buf words; /* each with a zero behind it */
};

static void array_write(struct link_params *params, const int64_t *numbers, size_t count) {
    link_array_begin(params, LINK_INTS);
    for (size_t i = 0; i < count; i++)
        link_array_int(params, numbers[i]);
    link_array_end(params);
}

static void notices_read(struct follow *f, const struct notices *all) {
    struct link_params params = {0};
    struct pending_list news = {0};
    array_write(&params, all->tables, all->count);
    array_write(&params, all->firsts, all->count);
    array_write(&params, all->lasts, all->count);
    PGresult *rows = link_run_prepared(&f->link, "noticed", &params, FOLLOW_TIMEOUT_MS);
    link_params_free(&params);
    if (rows == NULL) { /* to be caught up with over a new link */
        link_close(&f->link);
        return;
    }
    bool is_read = follow_news_add(f, &news, rows);
    PQclear(rows);
    news_hand_over(f, &news);
    if (!is_read)
        link_close(&f->link);
}

static void notices_finish(struct follow *f, struct notices *all) {
    if (all->must_read) {
        pending_free(&all->news);
        notices_read(f, all);
    }
    news_hand_over(f, &all->news);
    all->count = 0;
    all->must_read = false;
}

static void notice_take(struct follow *f, struct notices *all, const char *text) {
    struct notice_entry entry;
    int64_t node;
    if (company_is_word(text)) {
        buf_append(&all->words, span_make(text, strlen(text) + 1));
        return;
    }
    const char *at = notice_read_node(text, &node);
    while (at != NULL && node != f->node && (at = notice_read(at, f->key, &entry)) != NULL) {
        if (all->count == FOLLOW_NOTICES_MAX)
            notices_finish(f, all);
        all->tables[all->count] = entry.table;
        all->firsts[all->count] = entry.first;
        all->lasts[all->count++] = entry.last;
        if (entry.news == NULL)
            all->must_read = true;
        else
            pending_push(&all->news, entry.news);
    }
}

static void words_hear(struct follow *f, struct buf *words) {
    if (buf_is_over(words))
        company_miss(f->company, f->queue);
    else
        for (size_t at = 0; at < words->size; at += strlen(words->data + at) + 1)
            company_hear(f->company, f->queue, words->data + at);
    buf_clear(words);
}

/* Until there are none: more may come with the answer to a statement. */
static void notices_take(struct follow *f) {
    struct notices all = {.words.bytes_max = STORE_WORDS_BYTES_MAX};
    bool is_more = true;
    while (is_more && link_is_open(&f->link)) {
        PGnotify *notice = NULL;
        while (link_is_open(&f->link) && (notice = PQnotifies(f->link.conn)) != NULL) {
            notice_take(f, &all, notice->extra);
            PQfreemem(notice);
        }
        is_more = all.must_read;
        notices_finish(f, &all);
        words_hear(f, &all.words);
    }
    buf_free(&all.words);
}

static void follow_loads_run(struct follow *f) {
    struct pending_loads loads;
    if (!queue_take_loads(f->queue, &loads))
        return;
    read_loads(&f->link, &loads, FOLLOW_TIMEOUT_MS);
    queue_hand_back_loads(f->queue, &loads);
}

/* Until something comes, or it is time to look by oneself. */
static void follow_wait(struct follow *f) {
    bool is_open = link_is_open(&f->link);
    struct pollfd fds[] = {{.fd = f->wake_fd, .events = POLLIN},
                           {.fd = is_open ? PQsocket(f->link.conn) : -1, .events = POLLIN}};
    uint64_t count;
    poll(fds, 2, is_open ? FOLLOW_SINCE_INTERVAL_MS : FOLLOW_RETRY_MS);
    if (fds[0].revents != 0 && read(f->wake_fd, &count, sizeof count) < 0)
        return;
    if (is_open && PQconsumeInput(f->link.conn) == 0)
        link_close(&f->link);
}

static bool follow_is_over(struct follow *f) {
    pthread_mutex_lock(&f->queue->lock);
    bool is_over = f->queue->is_closing;
    pthread_mutex_unlock(&f->queue->lock);
    return is_over;
}

static void *follow_main(void *context) {
    struct follow *f = context;
    while (!follow_is_over(f)) {
        bool is_open = link_is_open(&f->link) || follow_connect(f);
        follow_loads_run(f);
        if (link_is_open(&f->link) && clock_monotonic_ms() - f->since_taken_ms >= FOLLOW_SINCE_INTERVAL_MS &&
            !since_take(f))
            link_close(&f->link);
        if (is_open && link_is_open(&f->link))
            notices_take(f);
        follow_wait(f);
    }
    return NULL;
}

bool follow_begin(struct follow *f) {
    f->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return f->wake_fd >= 0 && follow_connect(f);
}

bool follow_start(struct follow *f) {
    f->has_thread = pthread_create(&f->thread, NULL, follow_main, f) == 0;
    return f->has_thread;
}

void follow_wake(struct follow *f) {
    const uint64_t one = 1;
    if (f->wake_fd >= 0 && write(f->wake_fd, &one, sizeof one) < 0)
        return;
}

void follow_end(struct follow *f) {
    if (f->has_thread) {
        follow_wake(f);
        pthread_join(f->thread, NULL);
    }
    link_close(&f->link);
    pending_free(&f->news);
    if (f->wake_fd >= 0)
        close(f->wake_fd);
    f->wake_fd = -1;
}
