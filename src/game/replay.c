#include "game/replay.h"

#include "base/mem.h"

static struct span line_take(struct span *text) {
    const char *end = text->size == 0 ? NULL : memchr(text->data, '\n', text->size);
    struct span line = {text->data, end == NULL ? text->size : (size_t)(end - text->data)};
    size_t taken = end == NULL ? text->size : line.size + 1;
    text->data += taken;
    text->size -= taken;
    return span_trim(line);
}

static enum err read_game(struct replay *r, struct span rest) {
    int64_t version;
    struct span name = span_word(&rest);
    if (r->only == NULL)
        r->game = game_by_name(name);
    else if (span_is(name, r->only->name))
        r->game = r->only;
    if (r->game == NULL || !span_to_int(rest, &version) || version < 0 || version > UINT32_MAX ||
        !game_knows_rules(r->game, (uint32_t)version))
        return ERR_FIELD_INVALID;
    r->options = game_options_default(r->game, r->game->seats_min);
    r->options.rules_version = (uint32_t)version;
    return ERR_OK;
}

static enum err read_seats(struct replay *r, struct span rest) {
    int64_t count;
    if (!span_to_int(rest, &count) || count < 1 || count > SEATS_MAX)
        return ERR_FIELD_INVALID;
    r->options.seat_count = (uint32_t)count;
    return ERR_OK;
}

static enum err read_option(struct replay *r, struct span rest) {
    char name[64], value[64];
    struct span word = span_word(&rest);
    if (!span_copy(word, name, sizeof name) || !span_copy(rest, value, sizeof value))
        return ERR_FIELD_INVALID;
    return game_options_set(r->game, &r->options, name, value);
}

static enum err read_end(struct replay *r, struct span rest) {
    int32_t points[SEATS_MAX] = {0};
    if (r->game->turn(r->state) != 0)
        return ERR_FIELD_INVALID;
    r->game->score(r->state, points);
    for (uint32_t seat = 0; seat < r->options.seat_count; seat++) {
        int64_t said;
        if (!span_to_int(span_word(&rest), &said) || said != points[seat])
            return ERR_FIELD_INVALID;
    }
    r->has_end = true;
    return rest.size == 0 ? ERR_OK : ERR_FIELD_INVALID;
}

static enum err read_action(struct replay *r, struct span word, struct span rest) {
    int64_t seat = SEAT_CHANCE;
    if (!span_is(word, "chance") && (!span_to_int(word, &seat) || seat < 0 || seat >= r->options.seat_count))
        return ERR_FIELD_INVALID;
    struct action action;
    enum err e = r->game->action_parse(r->state, (unsigned)seat, rest, &action);
    if (e == ERR_OK)
        e = r->game->check(r->state, (unsigned)seat, &action);
    if (e != ERR_OK)
        return e;
    if (r->visit != NULL)
        r->visit(r->visit_context, r, (unsigned)seat, &action);
    r->game->apply(r->state, (unsigned)seat, &action);
    r->plies++;
    return ERR_OK;
}

static const char *const attendance_words[] = {
    [SEAT_AWAY] = "away", [SEAT_BACK] = "back", [SEAT_RETIRED] = "retire"};
enum { ATTENDANCES = sizeof attendance_words / sizeof attendance_words[0] };

static enum err read_attendance(struct replay *r, enum attendance attendance, struct span rest) {
    int64_t seat;
    if (!span_to_int(rest, &seat) || seat < 0 || seat >= r->options.seat_count)
        return ERR_FIELD_INVALID;
    if (r->game->turn(r->state) == 0)
        return ERR_TABLE_OVER;
    r->attendance = attendance;
    if (r->visit != NULL)
        r->visit(r->visit_context, r, (unsigned)seat, NULL);
    return r->game->attend(r->state, (unsigned)seat, attendance) ? ERR_OK : ERR_ACTION_UNKNOWN;
}

static enum err replay_read_event(struct replay *r, struct span word, struct span rest) {
    for (int i = 0; i < ATTENDANCES; i++)
        if (span_is(word, attendance_words[i]))
            return read_attendance(r, (enum attendance)i, rest);
    return read_action(r, word, rest);
}

static enum err read_line(struct replay *r, struct span line) {
    struct span word = span_word(&line);
    if (span_is(word, "game"))
        return r->game == NULL ? read_game(r, line) : ERR_FIELD_INVALID;
    if (r->game == NULL || r->has_end)
        return ERR_FIELD_INVALID;
    if (r->state == NULL && span_is(word, "seats"))
        return read_seats(r, line);
    if (r->state == NULL && span_is(word, "option"))
        return read_option(r, line);
    if (r->state == NULL) {
        r->state = game_state_alloc(r->game);
        enum err e = r->game->setup(r->state, &r->options);
        if (e != ERR_OK)
            return e;
    }
    return span_is(word, "end") ? read_end(r, line) : replay_read_event(r, word, line);
}

static enum err read_text(struct replay *r, struct span text) {
    while (text.size > 0) {
        struct span line = line_take(&text);
        r->line++;
        if (line.size == 0 || line.data[0] == '#')
            continue;
        enum err e = read_line(r, line);
        if (e != ERR_OK)
            return e;
    }
    return r->state == NULL ? ERR_FIELD_MISSING : ERR_OK;
}

enum err replay_run(struct replay *r, struct span text) {
    return replay_run_of(r, NULL, text);
}

enum err replay_run_of(struct replay *r, const struct game *only, struct span text) {
    *r = (struct replay){.only = only};
    return read_text(r, text);
}

enum err replay_run_each(struct replay *r, struct span text, replay_visit *visit, void *context) {
    *r = (struct replay){.visit = visit, .visit_context = context};
    return read_text(r, text);
}

void replay_free(struct replay *r) {
    mem_free(r->state);
    *r = (struct replay){0};
}

void replay_write_head(struct buf *b, const struct game *game, const struct game_options *options) {
    buf_printf(b, "game %s %u\nseats %u\n", game->name, game_options_rules(game, options),
               options->seat_count);
    for (size_t i = 0; game->options[i].name != NULL; i++) {
        const struct game_option *option = &game->options[i];
        if (option->words != NULL)
            buf_printf(b, "option %s %s\n", option->name, option->words[options->value[i]]);
        else
            buf_printf(b, "option %s %d\n", option->name, options->value[i]);
    }
}

void replay_write_action(struct buf *b, const struct game *game, const struct game_state *state,
                         unsigned seat, const struct action *action) {
    char text[ACTION_TEXT_BYTES_MAX];
    game->action_format(state, seat, action, text);
    if (seat == SEAT_CHANCE)
        buf_printf(b, "chance %s\n", text);
    else
        buf_printf(b, "%u %s\n", seat, text);
}

void replay_write_attendance(struct buf *b, unsigned seat, enum attendance attendance) {
    buf_printf(b, "%s %u\n", attendance_words[attendance], seat);
}

void replay_write_end(struct buf *b, const struct game *game, const struct game_options *options,
                      const struct game_state *state) {
    int32_t points[SEATS_MAX] = {0};
    game->score(state, points);
    buf_append_text(b, "end");
    for (uint32_t seat = 0; seat < options->seat_count; seat++)
        buf_printf(b, " %d", points[seat]);
    buf_append_byte(b, '\n');
}
