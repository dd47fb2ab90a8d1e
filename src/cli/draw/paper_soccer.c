/* Paper Soccer in a terminal: the pitch on a canvas of characters, four columns and two rows to a unit, and
 * steps as digits, compass words or arrows.
 *
 * Whose line it is shows twice: by colour, and where there is none by its form, single for the person and
 * double for the bot. A slanting line is one character between its two points, or two beside it for a double
 * one, so that two that cross can always be told apart. */
#include "games/paper_soccer/paper_soccer.h"
#include "base/utf8.h"
#include "cli/play.h"

#include <assert.h>

enum {
    UNIT_COLUMNS = 4,
    UNIT_ROWS = 2,
    MARGIN = 2,
    CANVAS_COLUMNS = MARGIN + (PITCH_WIDTH - 1) * UNIT_COLUMNS + 1 + MARGIN,
    CANVAS_ROWS = (PITCH_HEIGHT - 1) * UNIT_ROWS + 1,
};

enum paint { PLAIN, FAINT, MINE, THEIRS, MINE_NEW, THEIRS_NEW, BALL, EXIT, EXIT_BOUNCE, PAINTS };

static const char *const paint_codes[PAINTS] = {"0",    "2",       "36",   "33",  "1;96",
                                                "1;93", "1;97;41", "1;92", "1;95"};

struct cell {
    const char *glyph; /* NULL: blank */
    enum paint paint;
};

struct canvas {
    struct cell cells[CANVAS_ROWS][CANVAS_COLUMNS];
    bool is_ascii, has_color;
};

/* The same sign in both character sets. */
static const char *draw_paper_soccer_pick(const struct canvas *c, const char *fine, const char *ascii) {
    return c->is_ascii ? ascii : fine;
}

static struct cell *cell_at(struct canvas *c, unsigned point, int right, int down) {
    struct pitch_point at = pitch_point_of(point);
    return &c->cells[(6 - at.y) * UNIT_ROWS + down][MARGIN + (at.x + 4) * UNIT_COLUMNS + right];
}

static void draw_paper_soccer_put(struct canvas *c, unsigned point, int right, int down, const char *glyph,
                                  enum paint paint) {
    *cell_at(c, point, right, down) = (struct cell){glyph, paint};
}

/* The line that leaves a point to the north, north-east, east or south-east. */
static void draw_line(struct canvas *c, unsigned from, unsigned d, bool is_double, enum paint paint) {
    bool is_new = paint == MINE_NEW || paint == THEIRS_NEW;
    const char *flat = is_double ? draw_paper_soccer_pick(c, "═", "=")
                       : is_new  ? draw_paper_soccer_pick(c, "━", "-")
                                 : draw_paper_soccer_pick(c, "─", "-");
    const char *upright = is_double ? draw_paper_soccer_pick(c, "║", "H")
                          : is_new  ? draw_paper_soccer_pick(c, "┃", "|")
                                    : draw_paper_soccer_pick(c, "│", "|");
    bool is_rising = d == NORTH_EAST;
    const char *slant =
        is_rising ? draw_paper_soccer_pick(c, "╱", "/") : draw_paper_soccer_pick(c, "╲", "\\");
    int down = is_rising ? -1 : 1;
    switch (d) {
    case NORTH: draw_paper_soccer_put(c, from, 0, -1, upright, paint); return;
    case EAST:
        for (int right = 1; right < UNIT_COLUMNS; right++)
            draw_paper_soccer_put(c, from, right, 0, flat, paint);
        return;
    default: break;
    }
    for (int right = 1; right < UNIT_COLUMNS; right++) {
        if (is_double == (right == UNIT_COLUMNS / 2))
            continue;
        const struct cell *there = cell_at(c, from, right, down);
        bool is_crossing = there->glyph != NULL && there->glyph != slant;
        draw_paper_soccer_put(c, from, right, down, is_crossing ? draw_paper_soccer_pick(c, "╳", "X") : slant,
                              paint);
    }
}

static void draw_step(struct canvas *c, unsigned from, unsigned d, bool is_double, enum paint paint) {
    if (d < 4)
        draw_line(c, from, d, is_double, paint);
    else
        draw_line(c, (unsigned)(from + pitch_offset[d]), d ^ 4, is_double, paint);
}

/* What stands at a point of the border: the lines that are closed from there on along it. */
static const char *border_glyph(const struct canvas *c, struct pitch_point at) {
    int x = at.x, y = at.y < 0 ? -at.y : at.y;
    bool is_top = at.y > 0;
    if (c->is_ascii)
        return "+";
    if (y == 6)
        return x == 0 ? "─" : (x < 0) == is_top ? (is_top ? "┌" : "┘") : (is_top ? "┐" : "└");
    if (y == 5 && (x == -4 || x == 4))
        return (x < 0) == is_top ? (is_top ? "┌" : "┘") : (is_top ? "┐" : "└");
    if (y == 5 && (x == -1 || x == 1))
        return (x < 0) == is_top ? (is_top ? "┘" : "┌") : (is_top ? "└" : "┐");
    return y == 5 ? (is_top ? "┬" : "┴") : (x < 0 ? "├" : "┤");
}

static bool is_border(struct pitch_point at) {
    return at.x == 4 || at.x == -4 || at.y == 6 || at.y == -6 || ((at.y == 5 || at.y == -5) && at.x != 0);
}

/* Two border points side by side have a border line between them, except across the mouth and where the line
 * would leave the pitch or cut a corner. */
static bool is_border_line(struct pitch_point a, struct pitch_point b) {
    if (!is_border(a) || !is_border(b) || pitch_index_of(b) < 0)
        return false;
    return a.x == b.x ? a.x == 4 || a.x == -4 || a.x == 1 || a.x == -1 : a.y == b.y;
}

static void draw_pitch(struct canvas *c, const struct pitch *p) {
    for (unsigned i = 0; i < PITCH_POINTS; i++) {
        struct pitch_point at = pitch_point_of(i);
        if (pitch_index_of(at) < 0)
            continue;
        if (is_border_line(at, (struct pitch_point){at.x, at.y + 1}))
            draw_line(c, i, NORTH, false, FAINT);
        if (is_border_line(at, (struct pitch_point){at.x + 1, at.y}))
            draw_line(c, i, EAST, false, FAINT);
        if (is_border(at))
            draw_paper_soccer_put(c, i, 0, 0, border_glyph(c, at), FAINT);
        else if (p->mask[i] == 0)
            draw_paper_soccer_put(c, i, 0, 0, draw_paper_soccer_pick(c, "·", "."), FAINT);
        else
            draw_paper_soccer_put(c, i, 0, 0, draw_paper_soccer_pick(c, "•", "o"), PLAIN);
    }
}

/* All lines in the order of play, so that the newest are on top. */
static void draw_lines(struct canvas *c, const struct play_table *t) {
    struct pitch p;
    pitch_setup(&p, (enum attack)t->options.value[PITCH_OPTION_FIRST_ATTACKS]);
    for (size_t i = 0; i < t->count; i++) {
        bool is_mine = t->plies[i].seat == t->person;
        bool is_new = i >= t->pending_from || (i >= t->last_from && i < t->last_end);
        enum paint paint = is_mine ? (is_new ? MINE_NEW : MINE) : (is_new ? THEIRS_NEW : THEIRS);
        unsigned d = t->plies[i].action.arg[0], from = p.ball;
        draw_step(c, from, d, !is_mine && !c->has_color, paint);
        pitch_step(&p, (enum direction)d);
        struct pitch_point at = pitch_point_of(from);
        if (is_new && !is_border(at))
            draw_paper_soccer_put(c, from, 0, 0,
                                  c->has_color ? draw_paper_soccer_pick(c, "•", "o")
                                               : draw_paper_soccer_pick(c, "◆", "*"),
                                  paint);
    }
}

static const struct pitch *draw_paper_soccer_pitch_of(const struct play_table *t) {
    return (const struct pitch *)t->state;
}

static bool is_to_act(const struct play_table *t) {
    return t->names == NULL && game_may_act(t->game, t->state, t->person);
}

/* Who made the lines of the first or the second kind: "you" and "the bot", or the names of a replay. */
static const char *draw_paper_soccer_who(const struct play_table *t, bool is_mine) {
    if (t->names == NULL)
        return is_mine ? "you" : "the bot";
    return t->names[is_mine ? t->person : 1 - t->person];
}

/* Whether the turn goes on after a step in this direction. */
static bool exit_bounces(const struct pitch *p, unsigned d) {
    struct pitch next = *p;
    pitch_step(&next, (enum direction)d);
    return !next.is_over && next.mover == p->mover;
}

static void draw_ball(struct canvas *c, const struct play_table *t) {
    static const char *const digits[DIRECTIONS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    const struct pitch *p = draw_paper_soccer_pitch_of(t);
    for (unsigned d = 0; is_to_act(t) && d < DIRECTIONS; d++)
        if (pitch_exits(p) & (1u << d))
            draw_paper_soccer_put(c, (unsigned)(p->ball + pitch_offset[d]), 0, 0, digits[d],
                                  exit_bounces(p, d) ? EXIT_BOUNCE : EXIT);
    draw_paper_soccer_put(c, p->ball, 0, 0, draw_paper_soccer_pick(c, "●", "@"), BALL);
}

static void paint_begin(const struct play_table *t, struct buf *out, enum paint paint) {
    if (t->has_color)
        buf_printf(out, "\x1b[%sm", paint_codes[paint]);
}

static void draw_paper_soccer_painted(const struct play_table *t, struct buf *out, enum paint paint,
                                      const char *text) {
    paint_begin(t, out, paint);
    buf_append_text(out, text);
    paint_begin(t, out, PLAIN);
}

static void last_turn(const struct play_table *t, struct buf *out) {
    if (t->last_end == t->last_from)
        return;
    bool is_mine = t->plies[t->last_from].seat == t->person;
    paint_begin(t, out, is_mine ? MINE_NEW : THEIRS_NEW);
    buf_printf(out, "%s played", draw_paper_soccer_who(t, is_mine));
    enum { SHOWN_MAX = 8 };
    size_t from = t->last_from;
    if (t->last_end - from > SHOWN_MAX) {
        buf_printf(out, " %zu steps, at last", t->last_end - from);
        from = t->last_end - SHOWN_MAX / 2;
    }
    for (size_t i = from; i < t->last_end; i++) {
        char text[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->plies[i].seat, &t->plies[i].action, text);
        buf_printf(out, " %s", text);
    }
    paint_begin(t, out, PLAIN);
}

static void goal_label(const struct play_table *t, struct buf *out, enum attack goal) {
    bool is_mine = pitch_attack_of(draw_paper_soccer_pitch_of(t), t->person) == goal;
    buf_append_text(out, t->is_ascii ? "<- " : "◄ ");
    bool is_you = is_mine && t->names == NULL;
    paint_begin(t, out, is_mine ? MINE_NEW : THEIRS_NEW);
    buf_printf(out, "%s %s this goal", draw_paper_soccer_who(t, is_mine), is_you ? "attack" : "attacks");
    paint_begin(t, out, PLAIN);
}

static void draw_paper_soccer_legend(const struct play_table *t, struct buf *out, bool is_mine,
                                     bool is_double) {
    paint_begin(t, out, is_mine ? MINE : THEIRS);
    buf_append_text(out, is_double ? (t->is_ascii ? "===" : "═══") : (t->is_ascii ? "---" : "───"));
    if (t->names == NULL)
        buf_append_text(out, is_mine ? " your lines" : " the bot's lines");
    else
        buf_printf(out, " lines of %s", draw_paper_soccer_who(t, is_mine));
    paint_begin(t, out, PLAIN);
}

/* What stands to the right of the pitch in a row of the canvas. */
static void draw_paper_soccer_side(const struct play_table *t, unsigned row, struct buf *out) {
    static const char *const rose[2][3] = {{"7   0   1", "6   *   2", "5   4   3"},
                                           {"7 ↖  0 ↑  1 ↗", "6 ←  ·    2 →", "5 ↙  4 ↓  3 ↘"}};
    bool is_double = !t->has_color;
    switch (row) {
    case 0: goal_label(t, out, ATTACK_TOP); return;
    case CANVAS_ROWS - 1: goal_label(t, out, ATTACK_BOTTOM); return;
    case 4: draw_paper_soccer_legend(t, out, true, false); return;
    case 5: draw_paper_soccer_legend(t, out, false, is_double); return;
    case 6: buf_append_text(out, t->is_ascii ? ".   fresh: ends a turn" : "·   fresh: ends a turn"); return;
    case 7:
        buf_append_text(out, t->is_ascii ? "o   used: the ball bounces" : "•   used: the ball bounces");
        return;
    case 8:
        draw_paper_soccer_painted(t, out, BALL, t->is_ascii ? "@" : "●");
        buf_append_text(out, "   the ball");
        return;
    case 9:
        if (is_double)
            buf_append_text(out, t->is_ascii ? "*   on the last turn" : "◆   on the last turn");
        return;
    case 11:
    case 12:
    case 13:
        if (t->names == NULL)
            draw_paper_soccer_painted(t, out, EXIT, rose[!t->is_ascii][row - 11]);
        return;
    case 16: last_turn(t, out); return;
    default: return;
    }
}

static void draw_row(const struct play_table *t, const struct cell *cells, struct buf *out) {
    enum paint paint = PLAIN;
    for (unsigned column = 0; column < CANVAS_COLUMNS; column++) {
        if (cells[column].paint != paint && paint != PLAIN)
            paint_begin(t, out, PLAIN);
        if (cells[column].paint != paint && cells[column].paint != PLAIN)
            paint_begin(t, out, cells[column].paint);
        paint = cells[column].paint;
        buf_append_text(out, cells[column].glyph == NULL ? " " : cells[column].glyph);
    }
    if (paint != PLAIN)
        paint_begin(t, out, PLAIN);
}

static void soccer_draw(const struct play_table *t, struct buf *out) {
    struct canvas c = {.is_ascii = t->is_ascii, .has_color = t->has_color};
    draw_pitch(&c, draw_paper_soccer_pitch_of(t));
    draw_lines(&c, t);
    draw_ball(&c, t);
    for (unsigned row = 0; row < CANVAS_ROWS; row++) {
        draw_row(t, c.cells[row], out);
        buf_append_text(out, "  ");
        draw_paper_soccer_side(t, row, out);
        while (out->data[out->size - 1] == ' ')
            out->size--;
        buf_append_byte(out, '\n');
    }
}

/* Arrow characters, and what the arrow keys send. */
static const struct {
    const char *text;
    enum direction direction;
} arrows[] = {
    {"↑", NORTH},      {"↗", NORTH_EAST}, {"→", EAST},      {"↘", SOUTH_EAST},
    {"↓", SOUTH},      {"↙", SOUTH_WEST}, {"←", WEST},      {"↖", NORTH_WEST},
    {"\x1b[A", NORTH}, {"\x1b[B", SOUTH}, {"\x1b[C", EAST}, {"\x1b[D", WEST},
    {"\x1bOA", NORTH}, {"\x1bOB", SOUTH}, {"\x1bOC", EAST}, {"\x1bOD", WEST},
};

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static struct span span_skip(struct span text, size_t size) {
    return span_make(text.data + size, text.size - size);
}

static enum err soccer_parse(const struct play_table *t, struct span *typed, struct action *out) {
    while (typed->size > 0 && (typed->data[0] == ',' || typed->data[0] == ' ' || typed->data[0] == '-'))
        *typed = span_skip(*typed, 1);
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        size_t size = strlen(arrows[i].text);
        if (typed->size >= size && memcmp(typed->data, arrows[i].text, size) == 0) {
            *typed = span_skip(*typed, size);
            *out = pitch_action(arrows[i].direction);
            return ERR_OK;
        }
    }
    struct span word = span_make(typed->data, 0);
    while (word.size < typed->size && is_letter(word.data[word.size]))
        word.size++;
    if (word.size == 0 && typed->size > 0) {
        struct span rest = *typed;
        utf8_next(&rest);
        word.size = typed->size - rest.size;
    }
    *typed = span_skip(*typed, word.size);
    return t->game->action_parse(t->state, t->person, word, out);
}

static void soccer_choices(const struct play_table *t, struct buf *out) {
    static const char *const signs[DIRECTIONS] = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
    const char *blank = "";
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        if (!(pitch_exits(draw_paper_soccer_pitch_of(t)) & (1u << d)))
            continue;
        struct action action = pitch_action((enum direction)d);
        char text[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->person, &action, text);
        const char *bounce = !exit_bounces(draw_paper_soccer_pitch_of(t), d) ? "" : t->is_ascii ? ":o" : "•";
        buf_printf(out, "%s%u%s%s%s", blank, d, t->is_ascii ? "=" : signs[d], t->is_ascii ? text : "",
                   bounce);
        blank = " ";
    }
}

static void soccer_reason(const struct play_table *t, struct buf *out) {
    const struct pitch *p = draw_paper_soccer_pitch_of(t);
    bool is_mine = p->mover == t->person, is_won = p->winner == t->person;
    assert(p->is_over);
    if (!pitch_is_goal(p->ball))
        buf_append_text(out, is_mine ? "you brought the ball to a point that it cannot leave (R10)"
                                     : "the bot brought the ball to a point that it cannot leave (R10)");
    else if (is_mine == is_won)
        buf_append_text(out, is_mine ? "you scored a goal (R9)" : "the bot scored a goal (R9)");
    else
        buf_append_text(out,
                        is_mine ? "it was an own goal of yours (R9)" : "it was an own goal of the bot (R9)");
}

/* The picture has the bot's whole turn as lines, and beside them in words. */
static void soccer_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    (void)t;
    (void)ply;
    (void)out;
}

const struct play_face paper_soccer_face = {
    .game = &paper_soccer_game,
    .help = "A turn is one or more steps: digits (0 is north, then clockwise), compass words\n"
            "(N NE E ...) or arrows, one or several in a line: 17 or NE NW. It goes on while\n"
            "the ball bounces and ends on a fresh point. Steps that bounce are marked.",
    .draws_news = true,
    .draw = soccer_draw,
    .tell = soccer_tell,
    .parse = soccer_parse,
    .choices = soccer_choices,
    .reason = soccer_reason,
};
