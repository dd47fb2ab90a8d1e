/* parlor journal show CODE: every event of a table or championship in words. */
#include "cli/journal/tool.h"

static void print_event(const struct story *story, const struct event *event, bool knows_all) {
    struct buf words = {0};
    char time[TIME_TEXT_BYTES];
    time_text(event->time_ms, time);
    story_words(story, event, knows_all, &words);
    printf("%s %5llu  %-8s %s\n", time, (unsigned long long)event->seq, event_kind_word(event->kind),
           buf_text(&words));
    buf_free(&words);
}

static int print_events(const struct record *record, bool knows_all) {
    struct story story;
    int status = 0;
    story_begin(&story, record);
    for (size_t i = 0; i < record->event_count && status == 0; i++) {
        print_event(&story, &record->events[i], knows_all);
        enum err e = story_take(&story, &record->events[i]);
        if (e != ERR_OK) {
            const char *complaint = story_complaint(&story);
            fflush(stdout);
            fprintf(stderr, "parlor: table %s, event %llu: %s%s%s\n", record->code,
                    (unsigned long long)record->events[i].seq, game_refusal(story.table.game, e)->sentence,
                    complaint == NULL ? "" : ": ", complaint == NULL ? "" : complaint);
            status = 1;
        }
    }
    story_end(&story);
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
