/* The face of a game without a picture of its own: its description, in which grids are drawn, and the legal
 * actions as the game writes them. An action is typed whole, or by those of its words that tell it from the
 * others: where actions name cells, the cells are enough. */
#include "base/mem.h"
#include "cli/play.h"

#include <strings.h>

enum { LISTED_ACTIONS_MAX = 40 };

static void plain_draw(const struct play_table *t, struct buf *out) {
    struct game_view *view = mem_alloc(t->game->state_size);
    struct writer w;
    game_view(t->game, t->state, t->person, view);
    writer_init(&w, WRITER_TEXT, out);
    t->game->describe(view, &w);
    buf_append_byte(out, '\n');
    mem_free(view);
}

static enum err plain_parse(const struct play_table *t, struct span *typed, struct action *out) {
    struct span all = *typed;
    *typed = span_make(all.data + all.size, 0);
    return t->game->action_parse(t->state, t->person, all, out);
}

/* The words stand in the text in the same order, whatever else stands between them. */
static bool words_fit(struct span words, struct span text) {
    struct span word, next;
    while ((word = span_word(&words)).size > 0) {
        do
            next = span_word(&text);
        while (next.size > 0 &&
               (next.size != word.size || strncasecmp(next.data, word.data, word.size) != 0));
        if (next.size == 0)
            return false;
    }
    return true;
}

/* The legal actions that the words fit, first in the list; 0 when they are too many to list. */
static size_t plain_list(const struct play_table *t, struct span words, struct action *actions) {
    size_t count = t->game->legal(t->state, t->person, actions), kept = 0;
    for (size_t i = 0; count != LEGAL_UNLISTED && i < count; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->person, &actions[i], text);
        if (words_fit(words, span_of(text)))
            actions[kept++] = actions[i];
    }
    return kept;
}

static size_t plain_fits(const struct play_table *t, struct span words, struct action *out) {
    if (t->game->action_parse(t->state, t->person, span_trim(words), out) == ERR_OK &&
        t->game->check(t->state, t->person, out) == ERR_OK)
        return 1;
    struct action *actions = mem_alloc(t->game->actions_max * sizeof *actions);
    size_t count = plain_list(t, words, actions);
    *out = actions[0];
    mem_free(actions);
    return count;
}

static void plain_choices(const struct play_table *t, struct buf *out) {
    struct action *actions = mem_alloc(t->game->actions_max * sizeof *actions);
    size_t count = plain_list(t, t->narrowed, actions);
    size_t pages = (count + LISTED_ACTIONS_MAX - 1) / LISTED_ACTIONS_MAX;
    size_t first = pages == 0 ? 0 : t->page % pages * LISTED_ACTIONS_MAX;
    for (size_t i = first; i < count && i < first + LISTED_ACTIONS_MAX; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->person, &actions[i], text);
        buf_printf(out, "%s%s", i == first ? "" : ", ", text);
    }
    if (count == 0)
        buf_append_text(out, "too many to list");
    else if (pages > 1)
        buf_printf(out, " (%zu of %zu; Enter shows more)",
                   count - first < LISTED_ACTIONS_MAX ? count - first : LISTED_ACTIONS_MAX, count);
    mem_free(actions);
}

static void plain_reason(const struct play_table *t, struct buf *out) {
    int32_t points[SEATS_MAX] = {0};
    t->game->score(t->state, points);
    buf_append_text(out, "the points are");
    for (uint32_t seat = 0; seat < t->options.seat_count; seat++)
        buf_printf(out, " %d%s", points[seat], seat == t->person ? " (you)" : "");
}

static void plain_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    char text[ACTION_TEXT_BYTES_MAX];
    if (ply->seat == SEAT_CHANCE)
        return;
    t->game->action_format(t->state, ply->seat, &ply->action, text);
    buf_printf(out, "bot %u: %s", ply->seat + 1, text);
}

const struct play_face plain_face = {
    .help = "Type an action as it is listed, or enough of its words: of \"move a1 b2\" the cells\n"
            "a1 b2, in one line or one after the other. Words that fit several actions show\n"
            "these; Enter shows all again.",
    .draw = plain_draw,
    .tell = plain_tell,
    .parse = plain_parse,
    .fits = plain_fits,
    .choices = plain_choices,
    .reason = plain_reason,
};
