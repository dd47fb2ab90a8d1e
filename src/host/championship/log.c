#include "host/championship/log.h"

#include "base/log.h"
#include "base/mem.h"

#include <assert.h>

struct championship_log *championship_log_create(struct store *store, uint64_t id) {
    struct championship_log *log = mem_alloc(sizeof *log);
    log->store = store;
    championship_fold_init(&log->saved, id);
    return log;
}

struct championship_log *championship_log_resume(struct store *store, const struct championship_fold *fold) {
    struct championship_log *log = mem_alloc(sizeof *log);
    log->store = store;
    log->saved = *fold;
    return log;
}

static void events_drop(struct championship_log *log, size_t count) {
    for (size_t i = 0; i < count; i++)
        mem_free((void *)(uintptr_t)log->events[i].body.data);
    memmove(log->events, log->events + count, (log->count - count) * sizeof log->events[0]);
    log->count -= count;
}

void championship_log_free(struct championship_log *log) {
    if (log->count > 0)
        events_drop(log, log->count);
    mem_free(log->events);
    championship_fold_free(&log->saved);
    mem_free(log);
}

uint64_t championship_log_add(struct championship_log *log, enum event_kind kind, struct span body,
                              int64_t time_ms) {
    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 8 : 2 * log->capacity;
        log->events = mem_resize(log->events, log->capacity * sizeof log->events[0]);
    }
    const struct event *last = log->count == 0 ? NULL : &log->events[log->count - 1];
    uint64_t last_seq = last == NULL ? log->saved.last_seq : last->seq;
    const struct digest *before = last != NULL ? &last->hash : last_seq > 0 ? &log->saved.last_hash : NULL;
    char *kept = mem_alloc(body.size + 1);
    if (body.size > 0)
        memcpy(kept, body.data, body.size);
    struct event *event = &log->events[log->count++];
    *event = (struct event){.seq = last_seq + 1, .time_ms = time_ms, .kind = kind, .body = {kept, body.size}};
    event_chain(event, log->saved.id, before);
    return event->seq;
}

static void appended(void *context, enum err e) {
    struct championship_log *log = context;
    size_t count = log->sent;
    log->sent = 0;
    if (e != ERR_OK) {
        char code[TABLE_CODE_CHARS + 1];
        table_code_format(log->saved.id, code);
        if (!log->is_failing)
            log_event(LOG_ERROR, e == ERR_CONFLICT ? "journal-conflict" : "championship-stalls",
                      LOG_TEXT("table", span_of(code)), LOG_TEXT("why", span_of(err_sentence(e))));
        log->is_failing = true;
        log->failed(log);
        return;
    }
    log->is_failing = false;
    for (size_t i = 0; i < count; i++) {
        e = championship_fold_event(&log->saved, &log->events[i]);
        assert(e == ERR_OK); /* what is played follows the same rules as its fold */
    }
    events_drop(log, count);
    championship_log_send(log);
    log->done(log);
}

void championship_log_send(struct championship_log *log) {
    if (log->sent > 0 || log->count == 0)
        return;
    log->sent = log->count < CHAMPIONSHIP_LOG_EVENTS_MAX ? log->count : CHAMPIONSHIP_LOG_EVENTS_MAX;
    store_append(log->store, &(struct store_request){.table = log->saved.id,
                                                     .expected_seq = log->saved.last_seq,
                                                     .events = log->events,
                                                     .event_count = log->sent,
                                                     .done = appended,
                                                     .context = log});
}

bool championship_log_is_idle(const struct championship_log *log) {
    return log->count == 0;
}
