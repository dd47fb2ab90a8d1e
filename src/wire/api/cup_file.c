/* Championships that the operator wants: those of --championships FILE, and those that are opened over the
 * operator's socket. Of a file each is opened once, and found again by its name after a restart; its bots are
 * entered, and it begins by itself when as many have entered as it says. Nobody has the owner's token of
 * these: the operator directs them. */
#include "base/log.h"
#include "base/mem.h"
#include "wire/api/asking.h"

#include <inttypes.h>
#include <stdio.h>

enum { CUP_FILE_BYTES_MAX = 256 * 1024, CUP_FILE_REASON_BYTES = 256 };

struct cup_file {
    struct api *api;
    struct timer timer; /* due when there may be something to do */
    json_t *list;       /* owned */
    bool *is_asked;     /* owned, by the number in the list: it was opened, or refused, since the start */
};

static json_t *cup_file_read(const char *path, char *complaint, size_t size) {
    json_error_t wrong = {0};
    FILE *file = fopen(path, "re");
    char *text = mem_alloc(CUP_FILE_BYTES_MAX + 1);
    size_t read = file == NULL ? 0 : fread(text, 1, CUP_FILE_BYTES_MAX + 1, file);
    json_t *list = read > CUP_FILE_BYTES_MAX ? NULL : json_loadb(text, read, JSON_REJECT_DUPLICATES, &wrong);
    if (file != NULL)
        fclose(file);
    mem_free(text);
    if (json_is_array(list) && json_array_size(list) <= CUPS_MAX)
        return list;
    if (file == NULL)
        snprintf(complaint, size, API_CUP_FILE_UNREAD, path);
    else if (list == NULL && read <= CUP_FILE_BYTES_MAX)
        snprintf(complaint, size, API_CUP_FILE_NO_JSON, path, wrong.line, wrong.text);
    else
        snprintf(complaint, size, API_CUP_FILE_NO_LIST, path, CUPS_MAX);
    json_decref(list);
    return NULL;
}

static bool cup_file_bot(const json_t *bot) {
    struct span name = json_text(bot, "name");
    int64_t level;
    return json_is_object(bot) && name.size > 0 && name.size <= EVENT_NAME_BYTES_MAX &&
           json_plain_int(bot, "level", &level) && level >= BOT_LEVEL_MIN && level <= BOT_LEVEL_MAX;
}

static bool cup_file_bots_fit(const json_t *bots) {
    bool fits = json_is_array(bots) && json_array_size(bots) <= CUP_ENTRANTS_MAX;
    for (size_t i = 0; fits && i < json_array_size(bots); i++)
        fits = cup_file_bot(json_array_get(bots, i));
    return fits;
}

/* What is asked for; NULL, or what is wrong with it. What the order has are pieces of the entry. */
static const char *cup_file_order(struct api *api, const json_t *entry, struct cups_order *order,
                                  char reason[ASKING_REASON_BYTES_MAX]) {
    const char *field;
    int64_t count = 0;
    if (!json_is_object(entry))
        return api_cup_object.sentence;
    json_t *rest = json_copy((json_t *)(uintptr_t)entry);
    json_object_del(rest, "bots"); /* those of a table are others */
    enum err e = api_read_cup_order(api, rest, order, &field);
    json_decref(rest);
    if (e != ERR_OK)
        return api_cup_order_reason(field, e, reason);
    if (json_has(entry, "bots") && !cup_file_bots_fit(json_object_get(entry, "bots")))
        return api_cup_bots.sentence;
    if (json_has(entry, "begin_with") && (!json_plain_int(entry, "begin_with", &count) ||
                                          count < CUP_ENTRANTS_MIN || count > CUP_ENTRANTS_MAX))
        return api_cup_begin_with.sentence;
    return cups_order_complaint(order);
}

bool cup_file_check(const char *path, char *complaint, size_t size) {
    json_t *list = cup_file_read(path, complaint, size);
    const char *wrong = list == NULL ? "" : NULL;
    for (size_t i = 0; wrong == NULL && i < json_array_size(list); i++) {
        char reason[ASKING_REASON_BYTES_MAX];
        struct cups_order order;
        wrong = cup_file_order(NULL, json_array_get(list, i), &order, reason);
        for (size_t k = 0; wrong == NULL && k < i; k++)
            if (span_equal(json_text(json_array_get(list, k), "name"), order.name))
                wrong = api_cup_twice.sentence;
        if (wrong != NULL)
            snprintf(complaint, size, API_CUP_FILE_WRONG, path, i + 1, wrong);
    }
    json_decref(list);
    return wrong == NULL;
}

/* Of several nodes one opens it. */
static bool cup_file_is_cared(const struct api *api, struct span name) {
    struct digest digest;
    digest_of(&digest, NULL, &name, 1);
    return tables_is_cared(api->config.lounge.tables, digest_to_number(digest.bytes));
}

static void cup_file_ask(struct cup_file *file, size_t index, const json_t *entry) {
    char reason[ASKING_REASON_BYTES_MAX];
    struct api *api = file->api;
    struct cups_order order;
    const char *wrong = cup_file_order(api, entry, &order, reason);
    if (wrong == NULL && !cup_file_is_cared(api, order.name))
        return;
    file->is_asked[index] = true;
    if (wrong != NULL)
        log_event(LOG_ERROR, "championship-refused", LOG_TEXT("name", json_text(entry, "name")),
                  LOG_TEXT("why", span_of(wrong)));
    else
        cups_open(api->cups, &order, NULL, api->now_ms);
}

/* One thing that it lacks: the next follows when that is on disk. */
static void cup_file_fill(struct api *api, const json_t *entry, const struct cup_fold *f) {
    const json_t *bots = json_object_get(entry, "bots");
    int64_t level = 0, begin_with = 0;
    size_t i = 0;
    if (f->phase != CUP_OPEN || !tables_is_cared(api->config.lounge.tables, f->id))
        return;
    while (i < json_array_size(bots) &&
           cup_fold_named(f, json_text(json_array_get(bots, i), "name")) < f->sheet.entrant_count)
        i++;
    struct cups_wish wish = {.kind = CUPS_BEGIN, .cup = f->id};
    if (i < json_array_size(bots)) {
        (void)json_plain_int(json_array_get(bots, i), "level", &level);
        wish.kind = CUPS_ENTER;
        wish.name = json_text(json_array_get(bots, i), "name");
        wish.bot_level = (unsigned)level;
    } else if (!json_plain_int(entry, "begin_with", &begin_with) || begin_with == 0 ||
               f->sheet.entrant_count < begin_with) {
        return;
    }
    cups_wish(api->cups, &wish, NULL, api->now_ms);
}

static void cup_file_due(struct timer *timer, uint64_t now_ms) {
    struct cup_file *file = TIMER_OWNER(timer, struct cup_file, timer);
    file->api->now_ms = now_ms;
    for (size_t i = 0; i < json_array_size(file->list); i++) {
        const json_t *entry = json_array_get(file->list, i);
        const struct cup_fold *f = cups_find(file->api->cups, json_text(entry, "name"));
        if (f != NULL)
            cup_file_fill(file->api, entry, f);
        else if (!file->is_asked[i])
            cup_file_ask(file, i, entry);
    }
}

void cup_file_changed(struct api *api) {
    if (api->cup_file != NULL && !timer_is_armed(&api->cup_file->timer))
        timers_arm(&api->timers, &api->cup_file->timer, api->now_ms, cup_file_due);
}

void cup_file_begin(struct api *api) {
    char complaint[CUP_FILE_REASON_BYTES];
    struct hall_desk *desk = api->config.desk;
    if (desk != NULL) {
        desk->cups = api->cups;
        desk->cups_context = api;
        desk->open_cup = cup_file_open;
    }
    if (api->config.championships == NULL)
        return;
    json_t *list = cup_file_read(api->config.championships, complaint, sizeof complaint);
    if (list == NULL) { /* it was read a moment ago */
        log_event(LOG_ERROR, "championships-unread", LOG_TEXT("why", span_of(complaint)));
        return;
    }
    api->cup_file = mem_alloc(sizeof *api->cup_file);
    api->cup_file->api = api;
    api->cup_file->list = list;
    api->cup_file->is_asked = mem_alloc(json_array_size(list) + 1);
    cup_file_changed(api);
}

void cup_file_end(struct api *api) {
    if (api->config.desk != NULL)
        api->config.desk->cups = NULL;
    if (api->cup_file == NULL)
        return;
    timers_stop(&api->timers, &api->cup_file->timer);
    json_decref(api->cup_file->list);
    mem_free(api->cup_file->is_asked);
    mem_free(api->cup_file);
    api->cup_file = NULL;
}

const char *cup_file_open(void *context, const json_t *message, uint64_t now_ms) {
    static char reason[ASKING_REASON_BYTES_MAX];
    struct api *api = context;
    struct cups_order order;
    const char *wrong = cup_file_order(api, message, &order, reason);
    if (wrong == NULL && cups_find(api->cups, order.name) != NULL)
        wrong = api_cup_twice.sentence;
    if (wrong == NULL)
        cups_open(api->cups, &order, NULL, now_ms);
    return wrong;
}
