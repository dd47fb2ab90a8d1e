#include "cli/play.h"

#include "base/mem.h"
#include "bots/bots.h"
#include "cli/play_text.h"
#include "game/playout.h"

#include <assert.h>
#include <stdlib.h>

enum {
    PENDING_COLUMNS_MAX = 68,
    PROMPT_COLUMNS_MAX = 64, /* of its last line; what is typed stands behind it */
    PROMPT_ROWS = 2,
    NEWS_ROWS_MIN = 1,
};

const char *const play_seat_words[] = {"first", "second", "third", "fourth", "random", NULL};

static const char clear_screen[] = "\x1b[H\x1b[2J";

#define ENTRY(name) &name,
static const struct play_face *const faces[] = {
#include "cli/face_list.h"
    NULL,
};
#undef ENTRY

const struct play_face *play_face_of(const struct game *game) {
    for (size_t i = 0; faces[i] != NULL; i++)
        if (faces[i]->game == game)
            return faces[i];
    return NULL;
}

static const struct play_face *face_of(const struct game *game) {
    const struct play_face *face = play_face_of(game);
    return face == NULL ? &plain_face : face;
}

struct session {
    const struct play_settings *settings;
    const struct play_face *face;
    struct play_table table;
    struct bot *bot;
    struct bot *adviser; /* NULL until a hint was wanted */
    struct rng rng;
    FILE *in, *out;
    char *line; /* of getline */
    size_t line_capacity;
    struct buf text;     /* being put together */
    struct buf notice;   /* to be shown under the next picture */
    struct buf ahead;    /* typed for the turns to come */
    struct buf news;     /* see play_table */
    struct buf narrowed; /* see play_table */
    bool is_quit, is_resigned;
};

/* The next line without blanks at its ends; false at the end of input. */
static bool line_read(struct session *s, struct span *out) {
    fflush(s->out);
    ssize_t size = getline(&s->line, &s->line_capacity, s->in);
    if (size < 0) {
        fputc('\n', s->out);
        return false;
    }
    *out = span_trim(span_make(s->line, (size_t)size));
    if (s->settings->echoes)
        fprintf(s->out, "%.*s\n", (int)out->size, out->data);
    return true;
}

static bool is_over(const struct play_table *t) {
    return t->game->turn(t->state) == 0;
}

static void table_setup(struct session *s) {
    struct play_table *t = &s->table;
    enum err e = t->game->setup(t->state, &t->options);
    assert(e == ERR_OK);
    (void)e;
    t->count = 0;
}

static void table_apply(struct play_table *t, unsigned seat, const struct action *action) {
    t->game->apply(t->state, seat, action);
    t->plies[t->count++] = (struct play_ply){seat, *action};
}

/* Takes the last action back by playing all others again. */
static void table_undo(struct session *s) {
    struct play_table *t = &s->table;
    size_t count = t->count - 1;
    table_setup(s);
    for (size_t i = 0; i < count; i++)
        t->game->apply(t->state, t->plies[i].seat, &t->plies[i].action);
    t->count = count;
}

/* The pending actions are the person's turn now. */
static void table_send(struct session *s) {
    struct play_table *t = &s->table;
    buf_clear(&s->news);
    t->last_from = t->pending_from;
    t->last_end = t->pending_from = t->count;
}

static void news_add(struct session *s, unsigned seat, const struct action *action) {
    struct play_table *t = &s->table;
    struct play_ply ply = {seat, *action};
    size_t before = s->news.size;
    t->game->redact_action(t->state, seat, &ply.action, t->person);
    s->face->tell(t, &ply, &s->news);
    if (s->news.size > before)
        buf_append_byte(&s->news, '\n');
}

/* Lets bots and chance act as long as somebody other than the person can. */
static void others_act(struct session *s) {
    struct play_table *t = &s->table;
    struct game_view *view = mem_alloc(t->game->state_size);
    seat_set set;
    unsigned before = SEAT_WATCHER;
    while ((set = t->game->turn(t->state) & ~SEAT_BIT(t->person)) != 0) {
        unsigned seat = playout_seat(set, &s->rng);
        struct action action;
        if (seat == SEAT_CHANCE)
            t->game->sample(t->state, seat, &s->rng, &action);
        else {
            game_view(t->game, t->state, seat, view);
            bot_choose(s->bot, view, seat, &s->rng, &action);
        }
        if (seat != before)
            t->last_from = t->count;
        before = seat;
        news_add(s, seat, &action);
        table_apply(t, seat, &action);
        t->last_end = t->pending_from = t->count;
    }
    mem_free(view);
}

/* The news under the picture; on a screen as many of the last ones as there is room for beside so many rows.
 */
static void news_show(struct session *s, size_t rows) {
    struct span news = buf_span(&s->news);
    size_t count = text_line_count(news);
    rows += text_line_count(buf_span(&s->text)) + PROMPT_ROWS;
    size_t all = s->settings->rows > 0 ? s->settings->rows : TERMINAL_ROWS;
    size_t room = rows + NEWS_ROWS_MIN < all ? all - rows : NEWS_ROWS_MIN;
    if (s->settings->clears && count > room) {
        size_t skipped = count - room + 1;
        for (size_t i = 0; i < skipped; i++)
            text_line(&news);
        buf_printf(&s->text, "(%zu more of the others; news shows them)\n", skipped);
    }
    text_wrap(&s->text, news, TERMINAL_COLUMNS, 2);
}

static void play_show(struct session *s) {
    struct buf notice = {0};
    text_wrap(&notice, buf_span(&s->notice), TERMINAL_COLUMNS, 2);
    buf_clear(&s->notice);
    buf_clear(&s->text);
    s->table.news = buf_span(&s->news);
    s->face->draw(&s->table, &s->text);
    buf_append_byte(&s->text, '\n');
    if (!s->face->draws_news)
        news_show(s, text_line_count(buf_span(&notice)));
    buf_append(&s->text, buf_span(&notice));
    fputs(s->settings->clears ? clear_screen : "", s->out);
    fwrite(s->text.data, 1, s->text.size, s->out);
    buf_free(&notice);
}

static void actions_format(const struct play_table *t, size_t from, size_t end, struct buf *out) {
    for (size_t i = from; i < end; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->plies[i].seat, &t->plies[i].action, text);
        buf_printf(out, "%s%s", i == from ? "" : " ", text);
    }
}

static bool is_complete(const struct play_table *t) {
    return t->count > t->pending_from && !game_may_act(t->game, t->state, t->person);
}

/* The actions that are not sent yet in one line; of many the last ones. */
static void pending_append(const struct play_table *t, struct buf *out) {
    struct buf all = {0};
    actions_format(t, t->pending_from, t->count, &all);
    size_t skipped = all.size > PENDING_COLUMNS_MAX ? all.size - PENDING_COLUMNS_MAX : 0;
    buf_printf(out, "Pending: %s%s\n", skipped > 0 ? "..." : "", buf_text(&all) + skipped);
    buf_free(&all);
}

/* The mark behind which is typed stands in a line of its own when the last one is long. */
static void prompt_write(struct session *s) {
    struct buf lines = {0};
    text_wrap(&lines, buf_span(&s->text), TERMINAL_COLUMNS, 2);
    struct span last = buf_span(&lines), rest = last;
    while (rest.size > 0)
        last = text_line(&rest);
    if (text_columns(last) > PROMPT_COLUMNS_MAX && lines.size > 3) {
        lines.size -= 3; /* " > " */
        buf_append_text(&lines, "\n> ");
    }
    fwrite(lines.data, 1, lines.size, s->out);
    buf_free(&lines);
}

static void prompt(struct session *s) {
    const struct play_table *t = &s->table;
    buf_clear(&s->text);
    if (t->count > t->pending_from)
        pending_append(t, &s->text);
    if (is_complete(t))
        buf_append_text(&s->text, "Complete. Enter sends it, undo takes a step back > ");
    else {
        buf_append_text(&s->text, t->count > t->pending_from ? "Go on: " : "Your turn: ");
        s->face->choices(t, &s->text);
        buf_append_text(&s->text, " > ");
    }
    prompt_write(s);
}

static void notice_help(struct session *s) {
    buf_printf(&s->notice, "%s\n", s->face->help);
    if (!s->face->sends_at_once)
        buf_append_text(&s->notice,
                        "Enter    sends a complete turn\n"
                        "undo     takes back an action that is not sent; undo all: all of them\n");
    buf_append_text(&s->notice, "news     shows what was done since your last turn\n"
                                "hint     shows what a bot would play in your place\n"
                                "resign   gives this table up\n"
                                "help     shows this\n"
                                "quit     ends the program, as the end of input does\n");
}

static void notice_refusal(struct session *s, struct span typed, enum err e) {
    const struct err_row *row = game_refusal(s->table.game, e);
    buf_printf(&s->notice, "Not possible: '%.*s': %s", (int)typed.size, typed.data, row->sentence);
    if (*row->rule != '\0')
        buf_printf(&s->notice, " (%s)", row->rule);
    buf_append_text(&s->notice, ".\n");
}

/* Plays what was typed as pending actions, up to the first that is refused. */
static void typed_play(struct session *s, struct span typed) {
    struct play_table *t = &s->table;
    while (typed.size > 0) {
        struct action action;
        struct span before = typed;
        enum err e = s->face->parse(t, &typed, &action);
        struct span taken = span_trim(span_make(before.data, before.size - typed.size));
        if (e == ERR_OK)
            e = t->game->check(t->state, t->person, &action);
        if (e == ERR_NOT_YOUR_TURN || e == ERR_TABLE_OVER) {
            buf_printf(&s->notice, "Your turn ends before '%.*s'.\n", (int)taken.size, taken.data);
            return;
        }
        if (e != ERR_OK) {
            notice_refusal(s, taken, e);
            return;
        }
        table_apply(t, t->person, &action);
        typed = span_trim(typed);
        if (s->face->sends_at_once && is_complete(t)) {
            table_send(s);
            buf_append(&s->ahead, typed);
            return;
        }
    }
}

/* Plays on with what was typed before the last turn was sent. */
static void ahead_play(struct session *s) {
    struct buf typed = s->ahead;
    s->ahead = (struct buf){0};
    typed_play(s, buf_span(&typed));
    buf_free(&typed);
}

static void narrow_end(struct session *s) {
    buf_clear(&s->narrowed);
    s->table.narrowed = buf_span(&s->narrowed);
}

/* Words that fit several actions are kept: the next ones tell which of them it is. True when the line is
 * dealt with. */
static bool typed_narrow(struct session *s, struct span line) {
    struct play_table *t = &s->table;
    struct action action;
    struct buf words = s->narrowed;
    s->narrowed = (struct buf){0};
    buf_printf(&words, " %.*s", (int)line.size, line.data);
    size_t count = s->face->fits(t, buf_span(&words), &action);
    if (count == 0) {
        buf_clear(&words);
        buf_append(&words, line);
        count = s->face->fits(t, line, &action);
    }
    if (count == 1)
        table_apply(t, t->person, &action);
    if (count > 1)
        s->narrowed = words;
    else
        buf_free(&words);
    t->narrowed = buf_span(&s->narrowed);
    return count > 0;
}

static void notice_undo(struct session *s, bool is_all) {
    struct play_table *t = &s->table;
    narrow_end(s);
    if (t->count == t->pending_from) {
        buf_append_text(&s->notice, "There is nothing to take back.\n");
        return;
    }
    do
        table_undo(s);
    while (is_all && t->count > t->pending_from);
}

static void notice_news(struct session *s) {
    buf_append_text(&s->notice, s->news.size == 0 ? "Nobody has done anything since your last turn.\n"
                                                  : "Since your last turn:\n");
    buf_append(&s->notice, buf_span(&s->news));
}

/* What the bot knows of its reasons; nothing where it knows none. */
static void notice_why(struct session *s, const struct game_view *view, const struct bot_thought *thought) {
    const struct play_table *t = &s->table;
    char texts[BOT_LINE_MAX][ACTION_TEXT_BYTES_MAX];
    size_t count = bot_line_format(t->game, view, t->person, thought, texts);
    if (thought->nodes > 0)
        buf_printf(&s->notice, "It has looked at %llu positions", (unsigned long long)thought->nodes);
    if (thought->nodes > 0 && thought->depth > 0)
        buf_printf(&s->notice, ", %u turns ahead", thought->depth);
    if (thought->nodes > 0)
        buf_append_text(&s->notice, ".\n");
    if (thought->has_value)
        buf_printf(&s->notice, "It expects %+d for you, where %d is a sure win.\n", (int)thought->value,
                   BOT_VALUE_MAX);
    for (size_t i = 1; i < count; i++)
        buf_printf(&s->notice, "%s%s%s", i == 1 ? "Then it expects: " : ", ",
                   thought->line[i].seat == t->person ? "" : "the other ", texts[i]);
    if (count > 1)
        buf_append_text(&s->notice, ".\n");
}

/* What a bot would do in the person's place: one as good as those at the table, and no worse than the usual
 * one. Chance of the table is not touched, so that a table goes on as it would have without the question. */
static void notice_hint(struct session *s) {
    const struct play_table *t = &s->table;
    unsigned level = s->settings->level > BOT_LEVEL_DEFAULT ? s->settings->level : BOT_LEVEL_DEFAULT;
    struct game_view *view;
    struct action action;
    struct rng rng;
    char text[ACTION_TEXT_BYTES_MAX];
    if (is_complete(t)) {
        buf_append_text(&s->notice, "Your turn is complete.\n");
        return;
    }
    if (s->adviser == NULL) {
        s->adviser = bot_for_game(t->game, level);
        s->adviser->slips = 0;
    }
    view = mem_alloc(t->game->state_size);
    game_view(t->game, t->state, t->person, view);
    rng_seed(&rng, s->settings->seed + t->count);
    bot_choose(s->adviser, view, t->person, &rng, &action);
    bot_action_format(t->game, view, t->person, &action, text);
    buf_printf(&s->notice, "A bot of level %u would play: %s\n", level, text);
    notice_why(s, view, &s->adviser->thought);
    mem_free(view);
}

static void line_obey(struct session *s, struct span line) {
    if (line.size == 0 && is_complete(&s->table))
        table_send(s);
    else if (line.size == 0 && s->narrowed.size > 0)
        narrow_end(s);
    else if (line.size == 0)
        s->table.page++;
    else if (span_is_nocase(line, "news"))
        notice_news(s);
    else if (span_is_nocase(line, "hint"))
        notice_hint(s);
    else if (span_is_nocase(line, "quit") || span_is_nocase(line, "q"))
        s->is_quit = true;
    else if (span_is_nocase(line, "resign"))
        s->is_resigned = true;
    else if (span_is_nocase(line, "undo") || span_is_nocase(line, "u"))
        notice_undo(s, false);
    else if (span_is_nocase(line, "undo all"))
        notice_undo(s, true);
    else if (span_is_nocase(line, "help") || span_is_nocase(line, "h") || span_is(line, "?"))
        notice_help(s);
    else if (s->face->fits == NULL || !typed_narrow(s, line))
        typed_play(s, line);
}

static void person_acts(struct session *s) {
    struct play_table *t = &s->table;
    size_t sent = t->pending_from;
    while (!s->is_quit && !s->is_resigned && t->pending_from == sent) {
        struct span line;
        if (s->ahead.size > 0) {
            ahead_play(s);
            continue;
        }
        play_show(s);
        prompt(s);
        if (line_read(s, &line))
            line_obey(s, line);
        else
            s->is_quit = true;
    }
}

/* Partners have the same points; only when all have is it a draw. Who plays alone wins points or nothing. */
static const char *play_result_words(const struct play_table *t, const int32_t points[SEATS_MAX]) {
    int32_t own = points[t->person], best = own, worst = own;
    if (t->options.seat_count == 1)
        return own > 0 ? "You have won" : "You have lost";
    for (uint32_t seat = 0; seat < t->options.seat_count; seat++) {
        best = points[seat] > best ? points[seat] : best;
        worst = points[seat] < worst ? points[seat] : worst;
    }
    return own < best ? "You have lost" : best > worst ? "You have won" : "It is a draw";
}

static void end_show(struct session *s) {
    const struct play_table *t = &s->table;
    int32_t points[SEATS_MAX] = {0};
    play_show(s);
    t->game->score(t->state, points);
    const char *result = play_result_words(t, points);
    buf_clear(&s->text);
    buf_printf(&s->text, "%s: ", result);
    s->face->reason(t, &s->text);
    buf_append_text(&s->text, ".\n");
    struct buf lines = {0};
    text_wrap(&lines, buf_span(&s->text), TERMINAL_COLUMNS, 2);
    fwrite(lines.data, 1, lines.size, s->out);
    buf_free(&lines);
}

static void table_play(struct session *s) {
    struct play_table *t = &s->table;
    t->pending_from = t->last_from = t->last_end = 0;
    t->person = s->settings->seat == PLAY_RANDOM ? rng_below(&s->rng, t->options.seat_count)
                                                 : (unsigned)s->settings->seat;
    s->is_resigned = false;
    buf_clear(&s->ahead);
    buf_clear(&s->news);
    narrow_end(s);
    t->page = 0;
    table_setup(s);
    buf_printf(&s->notice, "%s at level %u, seed %llu.\nYou have the %s seat. Type help for help.\n",
               t->game->title, s->settings->level, (unsigned long long)s->settings->seed,
               play_seat_words[t->person]);
    while (!s->is_quit && !s->is_resigned) {
        others_act(s);
        if (is_over(t)) {
            end_show(s);
            return;
        }
        person_acts(s);
    }
    if (s->is_resigned)
        fputs(t->options.seat_count == 1  ? "You have resigned.\n"
              : t->options.seat_count > 2 ? "You have resigned, the bots win.\n"
                                          : "You have resigned, the bot wins.\n",
              s->out);
}

static bool wants_another(struct session *s) {
    struct span line;
    fputs("Another one? [y/N] > ", s->out);
    return line_read(s, &line) && line.size > 0 && (line.data[0] == 'y' || line.data[0] == 'Y');
}

int play_run(const struct play_settings *settings, FILE *in, FILE *out) {
    const struct game *game = settings->game;
    struct session s = {.settings = settings, .face = face_of(game), .in = in, .out = out};
    s.table = (struct play_table){.game = game,
                                  .options = settings->options.seat_count != 0
                                                 ? settings->options
                                                 : game_options_default(game, game->seats_min),
                                  .state = game_state_alloc(game),
                                  .plies = mem_alloc(game->plies_max * sizeof *s.table.plies),
                                  .is_ascii = settings->is_ascii,
                                  .has_color = settings->has_color};
    rng_seed(&s.rng, settings->seed);
    s.bot = bot_for_game(game, settings->level);
    do
        table_play(&s);
    while (!s.is_quit && wants_another(&s));
    bot_close(s.bot);
    bot_close(s.adviser);
    mem_free(s.table.state);
    mem_free(s.table.plies);
    mem_free(s.line);
    buf_free(&s.text);
    buf_free(&s.notice);
    buf_free(&s.ahead);
    buf_free(&s.news);
    buf_free(&s.narrowed);
    return ferror(out) ? 1 : 0;
}
