/* parlor journal show CODE: every event of a table in words. */
#include "cli/journal_tool.h"

static void print_event(const struct fold *fold, const struct event *event, bool knows_all) {
    struct buf words = {0};
    char time[TIME_TEXT_BYTES];
    time_text(event->time_ms, time);
    event_words(fold, event, knows_all, &words);
    printf("%s %5llu  %-8s %s\n", time, (unsigned long long)event->seq, event_kind_word(event->kind),
           buf_text(&words));
    buf_free(&words);
}

static int print_events(const struct record *record, bool knows_all) {
    struct fold fold;
    int status = 0;
    fold_init(&fold, record->table);
    for (size_t i = 0; i < record->event_count && status == 0; i++) {
        print_event(&fold, &record->events[i], knows_all);
        enum err e = fold_event(&fold, &record->events[i]);
        if (e != ERR_OK) {
            fflush(stdout);
            fprintf(stderr, "parlor: table %s, event %llu: %s%s%s\n", record->code,
                    (unsigned long long)record->events[i].seq, err_sentence(e),
                    fold.complaint == NULL ? "" : ": ", fold.complaint == NULL ? "" : fold.complaint);
            status = 1;
        }
    }
    fold_free(&fold);
    return status;
}

int journal_show(struct store *store, const char *code, bool knows_all) {
    struct record record;
    struct event_result result;
    int status = 1;
    if (record_find(&record, store, code))
        status = print_events(&record, knows_all || record_result(&record, &result));
    record_free(&record);
    return status;
}
