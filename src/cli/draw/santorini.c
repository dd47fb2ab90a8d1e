/* Santorini in a terminal: the board with two lines to a cell, its height as shading and as a digit, and
 * beside it who plays what. Steps are typed as the rules write them or shorter: whatever is left out must
 * follow from what is possible. */
#include "games/santorini/santorini.h"
#include "cli/play.h"
#include "cli/play_text.h"

#include <assert.h>

enum {
    CELL_COLUMNS = 7,
    SIDE_COLUMNS = 34, /* beside the board, so that all fits into 80 */
    WIDE_COLUMNS = 78,
    NAME_COLUMNS = 13,  /* of a god, before what it does */
    GODS_PER_PAGE = 6,  /* with what they do, so that a page fits on a screen */
    SIDE_ROWS = 17,     /* as high as the board */
    LAST_STEPS_MAX = 4, /* of a turn that are shown */
};

enum paint {
    PLAIN,
    FAINT,
    NEW,
    OPEN,
    SEAT_MAGENTA,
    SEAT_LIGHT_BLUE,
    SEAT_WHITE,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    DOME,
    PAINTS
};

static const char *const paint_codes[PAINTS] = {
    [PLAIN] = "0",          [FAINT] = "2",           [NEW] = "1;93",
    [OPEN] = "1;92",        [SEAT_MAGENTA] = "1;95", [SEAT_LIGHT_BLUE] = "1;96",
    [SEAT_WHITE] = "1;97",  [LEVEL_1] = "38;5;250",  [LEVEL_2] = "38;5;252",
    [LEVEL_3] = "38;5;255", [DOME] = "1;94",
};

/* One picture: the table, and the lines beside the board. */
struct picture {
    const struct play_table *t;
    const struct santorini *s;
    struct buf *out;
    struct buf side;
};

static const char *draw_santorini_pick(const struct picture *p, const char *fine, const char *ascii) {
    return p->t->is_ascii ? ascii : fine;
}

static void draw_santorini_painted(const struct play_table *t, struct buf *out, enum paint paint,
                                   const char *text) {
    if (t->has_color)
        buf_printf(out, "\x1b[%sm%s\x1b[0m", paint_codes[paint], text);
    else
        buf_append_text(out, text);
}

/* "you", "the bot", "bot 2", or the name of a replay. */
static void draw_santorini_who(const struct play_table *t, unsigned seat, struct buf *out) {
    if (t->names != NULL)
        buf_append_text(out, t->names[seat]);
    else if (seat == t->person)
        buf_append_text(out, "you");
    else if (t->options.seat_count == 2)
        buf_append_text(out, "the bot");
    else
        buf_printf(out, "bot %u", seat);
}

static enum paint seat_paint(const struct santorini *s, unsigned seat) {
    return s->color[seat] == SANTORINI_NOBODY ? PLAIN : (enum paint)(SEAT_MAGENTA + s->color[seat]);
}

/* The letter of a seat on the board: of its colour, so that it can be told without colours. */
static char seat_letter(const struct santorini *s, unsigned seat) {
    return s->color[seat] == SANTORINI_NOBODY ? '?' : "MLW"[s->color[seat]];
}

/* Cells where something can be done now. */
static cell_set open_cells(const struct play_table *t) {
    const struct santorini *s = santorini_of(t->state);
    struct santorini_steps steps;
    if (t->names != NULL || !game_may_act(t->game, t->state, t->person))
        return 0;
    santorini_steps(s, &steps);
    cell_set cells = steps.remove | steps.borrow | santorini_places(s);
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        cells |= steps.move[b] | steps.block[b] | steps.dome[b] | steps.force[b];
    return cells;
}

/* The upper line of a cell: who stands there, or a dome, and whether it can be chosen. */
static void draw_upper(const struct picture *p, unsigned cell, bool is_open) {
    unsigned builder = 0, seat = santorini_owner(p->s, cell, &builder);
    buf_append_text(p->out, "  ");
    if (seat != SANTORINI_NOBODY) {
        char text[8];
        snprintf(text, sizeof text, "%c%u ", seat_letter(p->s, seat), builder + 1);
        draw_santorini_painted(p->t, p->out, seat_paint(p->s, seat), text);
    } else if (santorini_has_dome(p->s, cell))
        draw_santorini_painted(p->t, p->out, DOME, draw_santorini_pick(p, "╭─╮", "(^)"));
    else
        buf_append_text(p->out, "   ");
    buf_append_byte(p->out, ' ');
    if (is_open)
        draw_santorini_painted(p->t, p->out, OPEN, draw_santorini_pick(p, "•", "*"));
    else
        buf_append_byte(p->out, ' ');
}

/* The lower line: blocks as shading. */
static void draw_lower(const struct picture *p, unsigned cell) {
    static const char *const fine[] = {"      ", "░░░░░░", "▒▒▒▒▒▒", "▓▓▓▓▓▓"};
    static const char *const ascii[] = {"      ", "......", "======", "######"};
    unsigned height = santorini_height(p->s, cell);
    char digit[] = {(char)('0' + height), '\0'};
    draw_santorini_painted(p->t, p->out, (enum paint)(height == 0 ? FAINT : LEVEL_1 + height - 1),
                           draw_santorini_pick(p, fine[height], ascii[height]));
    draw_santorini_painted(p->t, p->out, height == 0 ? FAINT : PLAIN, height == 0 ? " " : digit);
}

static void draw_rule(const struct picture *p, unsigned row) {
    const char *left = row == 0 ? "┌" : row == SANTORINI_SIDE ? "└" : "├";
    const char *right = row == 0 ? "┐" : row == SANTORINI_SIDE ? "┘" : "┤";
    const char *middle = row == 0 ? "┬" : row == SANTORINI_SIDE ? "┴" : "┼";
    buf_append_text(p->out, "  ");
    for (unsigned column = 0; column < SANTORINI_SIDE; column++) {
        buf_append_text(p->out, draw_santorini_pick(p, column == 0 ? left : middle, "+"));
        for (unsigned i = 0; i < CELL_COLUMNS; i++)
            buf_append_text(p->out, draw_santorini_pick(p, "─", "-"));
    }
    buf_append_text(p->out, draw_santorini_pick(p, right, "+"));
}

static void draw_cells(const struct picture *p, unsigned row, bool is_upper, cell_set open) {
    if (is_upper)
        buf_printf(p->out, "%u ", row);
    else
        buf_append_text(p->out, "  ");
    for (unsigned column = 0; column < SANTORINI_SIDE; column++) {
        unsigned cell = row * SANTORINI_SIDE + column;
        buf_append_text(p->out, draw_santorini_pick(p, "│", "|"));
        if (is_upper)
            draw_upper(p, cell, open >> cell & 1);
        else
            draw_lower(p, cell);
    }
    buf_append_text(p->out, draw_santorini_pick(p, "│", "|"));
}

/* Breaks a sentence into lines of so many columns, each indented. */
static void wrap(struct buf *out, const char *text, size_t columns) {
    struct span rest = span_of(text);
    size_t column = 0;
    while (rest.size > 0) {
        struct span word = span_word(&rest);
        if (column > 0 && column + 1 + word.size > columns) {
            buf_append_byte(out, '\n');
            column = 0;
        }
        buf_append_text(out, column == 0 ? "  " : " ");
        buf_append(out, word);
        column += word.size + (column == 0 ? 2 : 1);
    }
    buf_append_byte(out, '\n');
}

static void side_seat(struct picture *p, unsigned seat) {
    const struct santorini *s = p->s;
    assert(seat < SANTORINI_SEATS_MAX);
    enum santorini_god power = santorini_power(s, seat);
    struct buf text = {0};
    draw_santorini_who(p->t, seat, &text);
    if (s->color[seat] != SANTORINI_NOBODY)
        buf_printf(&text, " (%c)", seat_letter(s, seat));
    if (s->card[seat] != GOD_NONE)
        buf_printf(&text, ", %s", santorini_god_name((enum santorini_god)s->card[seat]));
    if (power != s->card[seat] && santorini_is_alive(s, seat))
        buf_printf(&text, " with %s", power == GOD_NONE ? "nothing" : santorini_god_name(power));
    if (power == GOD_MORPHEUS)
        buf_printf(&text, ", %u token%s", s->tokens[seat], s->tokens[seat] == 1 ? "" : "s");
    if (!santorini_is_alive(s, seat))
        buf_append_text(&text, ", out");
    draw_santorini_painted(p->t, &p->side, seat_paint(s, seat), buf_text(&text));
    buf_append_byte(&p->side, '\n');
    /* The texts of three gods would be longer than the board is high. */
    bool has_room = s->seat_count == 2 || seat == p->t->person;
    if (power != GOD_NONE && s->phase >= SANTORINI_PLACE && has_room)
        wrap(&p->side, santorini_god_text(power), SIDE_COLUMNS);
    buf_free(&text);
}

/* What the bots did since the person's turn, as many of the last lines as there is room for. */
static void side_news(struct picture *p) {
    struct span news = p->t->news;
    struct buf lines = {0};
    text_wrap(&lines, news, SIDE_COLUMNS, 2);
    struct span rest = buf_span(&lines);
    size_t used = text_line_count(buf_span(&p->side)), count = text_line_count(rest);
    size_t room = used < SIDE_ROWS ? SIDE_ROWS - used : 1;
    for (size_t skipped = 0; skipped + room < count; skipped++)
        text_line(&rest);
    buf_append(&p->side, rest);
    buf_free(&lines);
}

/* Of a replay: the last turn. */
static void side_last(struct picture *p) {
    const struct play_table *t = p->t;
    if (t->last_end == t->last_from)
        return;
    struct buf text = {0};
    draw_santorini_who(t, t->plies[t->last_from].seat, &text);
    buf_append_text(&text, " played");
    size_t from = t->last_from;
    if (t->last_end - from > LAST_STEPS_MAX) {
        buf_printf(&text, " %zu steps, at last", t->last_end - from);
        from = t->last_end - LAST_STEPS_MAX;
    }
    for (size_t i = from; i < t->last_end; i++) {
        char action[ACTION_TEXT_BYTES_MAX];
        t->game->action_format(t->state, t->plies[i].seat, &t->plies[i].action, action);
        buf_printf(&text, "%s %s", i == from ? "" : ",", action);
    }
    wrap(&p->side, buf_text(&text), SIDE_COLUMNS);
    buf_free(&text);
}

static void side_make(struct picture *p) {
    for (unsigned i = 0; i < p->s->seat_count; i++)
        side_seat(p, p->s->phase == SANTORINI_BORN ? i : p->s->order[i]);
    buf_append_byte(&p->side, '\n');
    if (p->t->names != NULL)
        side_last(p);
    else
        side_news(p);
}

/* Takes the next line of the side, or nothing. */
static void draw_santorini_side(struct picture *p, struct span *rest) {
    const char *end = rest->size == 0 ? NULL : memchr(rest->data, '\n', rest->size);
    if (end != NULL) {
        size_t size = (size_t)(end - rest->data);
        buf_append_text(p->out, "  ");
        buf_append(p->out, span_make(rest->data, size));
        *rest = span_make(end + 1, rest->size - size - 1);
    }
    while (p->out->size > 0 && p->out->data[p->out->size - 1] == ' ')
        p->out->size--;
    buf_append_byte(p->out, '\n');
}

static void draw_board(struct picture *p) {
    cell_set open = open_cells(p->t);
    side_make(p);
    struct span side = buf_span(&p->side);
    buf_append_text(p->out, "  ");
    for (unsigned column = 0; column < SANTORINI_SIDE; column++)
        buf_printf(p->out, "    %u   ", column);
    buf_append_byte(p->out, ' ');
    draw_santorini_side(p, &side);
    for (unsigned row = 0; row <= SANTORINI_SIDE; row++) {
        draw_rule(p, row);
        draw_santorini_side(p, &side);
        for (unsigned line = 0; row < SANTORINI_SIDE && line < 2; line++) {
            draw_cells(p, row, line == 0, open);
            draw_santorini_side(p, &side);
        }
    }
}

/* A page of the gods that can be named, with what they do. */
static void draw_names(const struct picture *p) {
    enum santorini_god gods[GOD_COUNT];
    unsigned count = 0;
    buf_append_text(p->out, "The gods of this table, named so far:");
    for (unsigned i = 0; i < p->s->offered_count; i++)
        buf_printf(p->out, " %s", santorini_god_name((enum santorini_god)p->s->offered[i]));
    buf_append_text(p->out, p->s->offered_count == 0 ? " none\n" : "\n");
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++)
        if (santorini_god_fits((enum santorini_god)god, p->s->seat_count))
            gods[count++] = (enum santorini_god)god;
    unsigned pages = (count + GODS_PER_PAGE - 1) / GODS_PER_PAGE, page = p->t->page % pages;
    buf_printf(p->out, "Page %u of %u, Enter shows the next one:\n\n", page + 1, pages);
    for (unsigned i = page * GODS_PER_PAGE; i < count && i < (page + 1) * GODS_PER_PAGE; i++) {
        struct buf line = {0};
        buf_printf(&line, "%-*s%s\n", NAME_COLUMNS, santorini_god_name(gods[i]), santorini_god_text(gods[i]));
        text_wrap(p->out, buf_span(&line), WIDE_COLUMNS, NAME_COLUMNS);
        buf_free(&line);
    }
}

/* The gods that were named, with what they do. */
static void draw_offer(const struct picture *p) {
    buf_append_text(p->out, "The gods of this table:\n\n");
    for (unsigned i = 0; i < p->s->offered_count; i++) {
        enum santorini_god god = (enum santorini_god)p->s->offered[i];
        buf_printf(p->out, "%s", santorini_god_name(god));
        for (unsigned seat = 0; seat < p->s->seat_count; seat++)
            if (p->s->card[seat] == god) {
                buf_append_text(p->out, ", taken by ");
                draw_santorini_who(p->t, seat, p->out);
            }
        buf_append_byte(p->out, '\n');
        wrap(p->out, santorini_god_text(god), WIDE_COLUMNS);
    }
}

static void santorini_draw(const struct play_table *t, struct buf *out) {
    struct picture p = {.t = t, .s = santorini_of(t->state), .out = out};
    switch (p.s->phase) {
    case SANTORINI_BORN:
        buf_append_text(out, "The youngest player is the challenger and names the gods.\n");
        break;
    case SANTORINI_OFFER: draw_names(&p); break;
    case SANTORINI_TAKE: draw_offer(&p); break;
    default: draw_board(&p);
    }
    buf_free(&p.side);
}

/* What was typed of a step; what is missing is to follow from what is possible. */
struct typed {
    int kind;      /* 0: not said */
    int builder;   /* -1: not said */
    unsigned cell; /* SANTORINI_NOWHERE: not said; SANTORINI_CELLS: off the board */
};

static int kind_of(struct span word) {
    static const struct {
        const char *text, *letter;
        enum santorini_kind kind;
    } verbs[] = {
        {"move", "m", SANTORINI_ACT_MOVE},     {"build", "b", SANTORINI_ACT_BUILD},
        {"dome", "d", SANTORINI_ACT_DOME},     {"force", "f", SANTORINI_ACT_FORCE},
        {"remove", "r", SANTORINI_ACT_REMOVE}, {"borrow", "l", SANTORINI_ACT_BORROW},
        {"end", "e", SANTORINI_ACT_END},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (span_is_nocase(word, verbs[i].text) || span_is_nocase(word, verbs[i].letter))
            return verbs[i].kind;
    return 0;
}

static bool is_digit(char byte, unsigned end) {
    return byte >= '0' && byte < '0' + (int)end;
}

/* Two digits, perhaps of a cell that is not on the board. */
static bool is_cell(struct span word, unsigned end) {
    return word.size == 2 && is_digit(word.data[0], end) && is_digit(word.data[1], end);
}

/* The next word, which a comma ends too. */
static struct span typed_word(struct span *rest) {
    struct span before = *rest, word = span_word(rest);
    const char *comma = word.size < 2 ? NULL : memchr(word.data + 1, ',', word.size - 1);
    if (comma == NULL)
        return word;
    *rest = span_make(comma, before.size - (size_t)(comma - before.data));
    return span_make(word.data, (size_t)(comma - word.data));
}

/* Takes verb, builder and cell off the front, each only if it is there. */
static struct typed typed_take(struct span *text) {
    struct typed t = {0, -1, SANTORINI_NOWHERE};
    struct span rest = *text, word = typed_word(&rest);
    if ((t.kind = kind_of(word)) != 0) {
        *text = rest;
        word = typed_word(&rest);
    }
    if (t.kind != SANTORINI_ACT_END && word.size == 1 && word.data[0] >= '1' && word.data[0] <= '3') {
        t.builder = word.data[0] - '1';
        *text = rest;
        word = typed_word(&rest);
    }
    if (t.kind != SANTORINI_ACT_END && is_cell(word, 10)) {
        t.cell = is_cell(word, SANTORINI_SIDE)
                     ? (unsigned)((word.data[0] - '0') * SANTORINI_SIDE + word.data[1] - '0')
                     : SANTORINI_CELLS;
        *text = rest;
    }
    return t;
}

static bool typed_fits(const struct typed *t, const struct action *action) {
    bool has_builder = action->kind >= SANTORINI_ACT_MOVE && action->kind <= SANTORINI_ACT_FORCE;
    unsigned cell = has_builder ? action->arg[1] : action->arg[0];
    if (action->kind == SANTORINI_ACT_END)
        return t->kind == SANTORINI_ACT_END;
    return (t->kind == 0 || t->kind == action->kind) && cell == t->cell &&
           (t->builder < 0 || (has_builder && action->arg[0] == t->builder));
}

static enum err step_parse(const struct play_table *t, struct span *text, struct action *out) {
    struct action actions[SANTORINI_ACTIONS_MAX];
    struct span before = *text;
    struct typed typed = typed_take(text);
    size_t count = t->game->legal(t->state, t->person, actions), fits = 0;
    if (typed.kind != SANTORINI_ACT_END && typed.cell == SANTORINI_NOWHERE) {
        *text = span_make(before.data + before.size, 0);
        return t->game->action_parse(t->state, t->person, before, out);
    }
    if (typed.cell == SANTORINI_CELLS)
        return ERR_CELL_OUTSIDE;
    for (size_t i = 0; i < count; i++)
        if (typed_fits(&typed, &actions[i])) {
            *out = actions[i];
            fits++;
        }
    if (fits > 1)
        return ERR_STEP_AMBIGUOUS;
    /* Nothing fits: the rules say what is wrong with the plainest reading. */
    if (fits == 0) {
        const struct santorini *s = santorini_of(t->state);
        unsigned kind = typed.kind != 0 ? (unsigned)typed.kind
                        : s->moves == 0 ? SANTORINI_ACT_MOVE
                                        : SANTORINI_ACT_BUILD;
        unsigned builder = typed.builder >= 0             ? (unsigned)typed.builder
                           : s->actor != SANTORINI_NOBODY ? s->actor
                                                          : 0;
        bool has_builder = kind <= SANTORINI_ACT_FORCE;
        *out = kind == SANTORINI_ACT_END
                   ? santorini_action(SANTORINI_ACT_END, 0, 0)
                   : santorini_action((enum santorini_kind)kind, has_builder ? builder : typed.cell,
                                      has_builder ? typed.cell : 0);
    }
    return ERR_OK;
}

/* A word of the set-up with or without its verb: "take Apollo" and "Apollo". */
static enum err setup_parse(const struct play_table *t, const char *verb, struct span *text,
                            struct action *out) {
    char whole[ACTION_TEXT_BYTES_MAX];
    struct span rest = *text, word = typed_word(&rest);
    if (span_is_nocase(word, verb))
        word = typed_word(&rest);
    *text = rest;
    snprintf(whole, sizeof whole, "%s %.*s", verb, (int)(word.size < 64 ? word.size : 64), word.data);
    return t->game->action_parse(t->state, t->person, span_of(whole), out);
}

static enum err santorini_parse(const struct play_table *t, struct span *text, struct action *out) {
    static const char *const verbs[] = {
        [SANTORINI_BORN] = "born",   [SANTORINI_OFFER] = "offer", [SANTORINI_TAKE] = "take",
        [SANTORINI_START] = "start", [SANTORINI_COLOR] = "color", [SANTORINI_PLACE] = "place",
    };
    const struct santorini *s = santorini_of(t->state);
    while (text->size > 0 && (text->data[0] == ',' || text->data[0] == ' '))
        *text = span_make(text->data + 1, text->size - 1);
    if (s->phase <= SANTORINI_PLACE && s->phase != SANTORINI_DRAW)
        return setup_parse(t, verbs[s->phase], text, out);
    return step_parse(t, text, out);
}

/* Columns of the line that is being written. */
static size_t column_of(const struct buf *out) {
    size_t column = 0;
    while (column < out->size && out->data[out->size - 1 - column] != '\n')
        column++;
    return column;
}

/* What one builder can do, on a line of its own when it does not fit behind the others. */
static void cells_write(struct buf *out, const char *what, unsigned builder, cell_set cells) {
    struct buf part = {0};
    if (cells == 0)
        return;
    buf_append_text(&part, what);
    if (builder < SANTORINI_HANDS)
        buf_printf(&part, " %u", builder + 1);
    buf_append_text(&part, " to");
    for (; cells != 0; cells &= cells - 1) {
        unsigned cell = (unsigned)__builtin_ctz(cells);
        buf_printf(&part, " %u%u", cell / SANTORINI_SIDE, cell % SANTORINI_SIDE);
    }
    buf_append_text(&part, "; ");
    if (column_of(out) + part.size > WIDE_COLUMNS) {
        out->size--; /* the blank before it */
        buf_append_text(out, "\n  ");
    }
    buf_append(out, buf_span(&part));
    buf_free(&part);
}

static void steps_write(const struct santorini *s, struct buf *out) {
    struct santorini_steps steps;
    size_t before = out->size;
    santorini_steps(s, &steps);
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        cells_write(out, "move", b, steps.move[b]);
        cells_write(out, "build", b, steps.block[b]);
        cells_write(out, "dome", b, steps.dome[b]);
        cells_write(out, "force", b, steps.force[b]);
    }
    cells_write(out, "remove", SANTORINI_HANDS, steps.remove);
    cells_write(out, "borrow", SANTORINI_HANDS, steps.borrow);
    if (steps.can_end)
        buf_append_text(out, "end");
    else if (out->size > before)
        out->size -= 2;
}

/* A step in words. */
static void step_tell(const struct santorini *s, const struct action *action, struct buf *out) {
    unsigned builder = action->arg[0] + 1u, cell = action->arg[1], only = action->arg[0];
    unsigned row = cell / SANTORINI_SIDE, column = cell % SANTORINI_SIDE;
    switch (action->kind) {
    case SANTORINI_ACT_MOVE: buf_printf(out, " moves builder %u to %u%u", builder, row, column); return;
    case SANTORINI_ACT_BUILD:
        buf_printf(out, " builds level %u on %u%u", santorini_height(s, cell) + 1u, row, column);
        return;
    case SANTORINI_ACT_DOME: buf_printf(out, " puts a dome on %u%u", row, column); return;
    case SANTORINI_ACT_FORCE:
        buf_printf(out, " forces the builder on %u%u to the other side of builder %u", row, column, builder);
        return;
    default: break;
    }
    row = only / SANTORINI_SIDE;
    column = only % SANTORINI_SIDE;
    if (action->kind == SANTORINI_ACT_REMOVE)
        buf_printf(out, " takes a block away from %u%u", row, column);
    else
        buf_printf(out, " leads the builder on %u%u for an extra turn", row, column);
}

static void draw_santorini_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    const struct action *action = &ply->action;
    unsigned kind = action->kind, first = action->arg[0];
    if (kind == SANTORINI_ACT_BORN || kind == SANTORINI_ACT_END || kind == SANTORINI_ACT_COLOR)
        return;
    if (ply->seat == SEAT_CHANCE)
        buf_append_text(out, "chance");
    else
        draw_santorini_who(t, ply->seat, out);
    switch (kind) {
    case SANTORINI_ACT_OFFER:
        buf_printf(out, " names %s", santorini_god_name((enum santorini_god)first));
        break;
    case SANTORINI_ACT_TAKE:
        buf_printf(out, " takes %s", santorini_god_name((enum santorini_god)first));
        break;
    case SANTORINI_ACT_DRAW:
        buf_printf(out, " draws %s", santorini_god_name((enum santorini_god)first));
        break;
    case SANTORINI_ACT_START:
        buf_append_text(out, " lets ");
        draw_santorini_who(t, first, out);
        buf_append_text(out, " begin");
        break;
    case SANTORINI_ACT_PLACE:
        buf_printf(out, " places a builder on %u%u", first / SANTORINI_SIDE, first % SANTORINI_SIDE);
        break;
    default: step_tell(santorini_of(t->state), action, out);
    }
}

static void santorini_choices(const struct play_table *t, struct buf *out) {
    const struct santorini *s = santorini_of(t->state);
    switch (s->phase) {
    case SANTORINI_BORN: buf_append_text(out, "your date of birth as 2000-05-05, or unknown"); return;
    case SANTORINI_OFFER:
        buf_printf(out, "name %u of the gods, of this or another page",
                   (unsigned)(s->seat_count - s->offered_count));
        return;
    case SANTORINI_TAKE: buf_append_text(out, "the god that you take"); return;
    case SANTORINI_START:
        buf_append_text(out, "who begins:");
        for (unsigned seat = 0; seat < s->seat_count; seat++) {
            buf_printf(out, "%s %u for ", seat == 0 ? "" : ",", seat);
            draw_santorini_who(t, seat, out);
        }
        return;
    case SANTORINI_COLOR: buf_append_text(out, "MAGENTA, LIGHT_BLUE or WHITE"); return;
    case SANTORINI_PLACE:
        buf_printf(out, "a cell for builder %u, row and column", santorini_placing(s) + 1);
        return;
    default: steps_write(s, out);
    }
}

static void santorini_reason(const struct play_table *t, struct buf *out) {
    const struct santorini *s = santorini_of(t->state);
    assert(s->phase == SANTORINI_OVER);
    if (s->winner != SANTORINI_NOBODY)
        draw_santorini_who(t, s->winner, out);
    switch (s->end) {
    case SANTORINI_BY_CLIMB: buf_append_text(out, " moved up to the third level (R8)"); return;
    case SANTORINI_BY_POWER:
        buf_printf(out, " won by the power of %s", santorini_god_name(santorini_power(s, s->winner)));
        return;
    case SANTORINI_BY_LAST:
        buf_append_text(out, s->winner == t->person && t->names == NULL ? " are the last one left (R11)"
                                                                        : " is the last one left (R11)");
        return;
    default: buf_printf(out, "%d turns were played (R17)", SANTORINI_TURNS_MAX);
    }
}

const struct play_face santorini_face = {
    .game = &santorini_game,
    .help = "A cell is two digits, row and column: 12. Cells where something can be done\n"
            "are marked. A step is\n"
            "  move 1 12    builder 1 goes there (m 1 12)\n"
            "  build 1 13   a block there (b 1 13)      dome 1 13   a dome there (d 1 13)\n"
            "  force 1 13   Charon (f)   remove 13   Ares (r)   borrow 13   Dionysus (l)\n"
            "  end          nothing more (e)\n"
            "and what can be guessed may be left out: 12 alone is enough when only one step\n"
            "leads there. Several steps may stand in one line: m 1 12 13. A turn counts as\n"
            "soon as it is complete; before that undo takes a step back.",
    .sends_at_once = true,
    .draws_news = true,
    .draw = santorini_draw,
    .tell = draw_santorini_tell,
    .parse = santorini_parse,
    .choices = santorini_choices,
    .reason = santorini_reason,
};
