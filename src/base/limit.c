#include "base/limit.h"

#include "base/log.h"

#define LIMIT_WORD(name, word, option)   word,
#define LIMIT_OPTION(name, word, option) option,

static const char *const limit_words[] = {LIMIT_LIST(LIMIT_WORD)};
static const char *const limit_options[] = {LIMIT_LIST(LIMIT_OPTION)};
static uint64_t limit_counts[LIMIT_COUNT];
static struct log_pace limit_paces[LIMIT_COUNT];

void limit_hit(enum limit limit, const struct address *who) {
    char text[ADDRESS_TEXT_BYTES_MAX] = "";
    uint64_t times;
    limit_counts[limit]++;
    if (!log_may(&limit_paces[limit], &times))
        return;
    if (who != NULL)
        address_format(who, text);
    log_event(LOG_INFO, "refused-at-door", LOG_TEXT("limit", span_of(limit_words[limit])),
              LOG_TEXT("option", span_of(limit_options[limit])), LOG_TEXT("address", span_of(text)),
              LOG_INT("times", (int64_t)times));
}

uint64_t limit_hits(enum limit limit) {
    return limit_counts[limit];
}

const char *limit_word(enum limit limit) {
    return limit_words[limit];
}
