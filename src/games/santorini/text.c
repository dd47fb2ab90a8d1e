/* Santorini in words: actions as text and back, and the description of a view. docs/rules/santorini.md lists
 * the texts. */
#include "games/santorini/internal.h"

#include <stdio.h>

enum { TEXT_ARGS_MAX = 2, BORN_PARTS = 3 };

/* What an argument of an action is, and so how it is written. */
enum arg_form { ARG_NONE, ARG_GOD, ARG_SEAT, ARG_COLOR, ARG_BUILDER, ARG_CELL };

static const struct {
    const char *word;
    enum arg_form form[TEXT_ARGS_MAX];
} kinds[] = {
    [SANTORINI_ACT_BORN] = {"born", {ARG_NONE}},
    [SANTORINI_ACT_OFFER] = {"offer", {ARG_GOD}},
    [SANTORINI_ACT_TAKE] = {"take", {ARG_GOD}},
    [SANTORINI_ACT_DRAW] = {"draw", {ARG_GOD}},
    [SANTORINI_ACT_START] = {"start", {ARG_SEAT}},
    [SANTORINI_ACT_COLOR] = {"color", {ARG_COLOR}},
    [SANTORINI_ACT_PLACE] = {"place", {ARG_CELL}},
    [SANTORINI_ACT_MOVE] = {"move", {ARG_BUILDER, ARG_CELL}},
    [SANTORINI_ACT_BUILD] = {"build", {ARG_BUILDER, ARG_CELL}},
    [SANTORINI_ACT_DOME] = {"dome", {ARG_BUILDER, ARG_CELL}},
    [SANTORINI_ACT_FORCE] = {"force", {ARG_BUILDER, ARG_CELL}},
    [SANTORINI_ACT_REMOVE] = {"remove", {ARG_CELL}},
    [SANTORINI_ACT_BORROW] = {"borrow", {ARG_CELL}},
    [SANTORINI_ACT_END] = {"end", {ARG_NONE}},
};

static const char *const color_words[SANTORINI_COLORS] = {"MAGENTA", "LIGHT_BLUE", "WHITE"};

const char *santorini_color_name(enum santorini_color color) {
    return color_words[color];
}

enum santorini_color santorini_color_by_name(struct span name) {
    unsigned color = 0;
    while (color < SANTORINI_COLORS && !span_is_nocase(name, color_words[color]))
        color++;
    return (enum santorini_color)color;
}

/* Appends a blank and the argument. */
static void arg_format(enum arg_form form, unsigned value, char text[ACTION_TEXT_BYTES_MAX]) {
    size_t size = strlen(text), room = ACTION_TEXT_BYTES_MAX - size;
    char *at = text + size;
    switch (form) {
    case ARG_NONE: return;
    case ARG_GOD:
        snprintf(at, room, " %s", value == GOD_NONE || value >= GOD_COUNT ? "?" : santorini_rows[value].name);
        return;
    case ARG_COLOR: snprintf(at, room, " %s", value < SANTORINI_COLORS ? color_words[value] : "?"); return;
    case ARG_SEAT: snprintf(at, room, " %u", value); return;
    case ARG_BUILDER: snprintf(at, room, " %u", value + 1); return;
    case ARG_CELL: snprintf(at, room, " %u%u", value / SANTORINI_SIDE, value % SANTORINI_SIDE); return;
    }
}

void santorini_action_format(const struct game_state *state, unsigned seat, const struct action *action,
                             char text[ACTION_TEXT_BYTES_MAX]) {
    (void)state;
    (void)seat;
    unsigned kind = action->kind;
    struct santorini_birth birth = santorini_action_birth(action);
    if (kind < SANTORINI_ACT_BORN || kind > SANTORINI_ACT_END)
        snprintf(text, ACTION_TEXT_BYTES_MAX, "?");
    else if (kind == SANTORINI_ACT_BORN && birth.year == 0 && birth.month == 0 && birth.day == 0)
        snprintf(text, ACTION_TEXT_BYTES_MAX, "born unknown");
    else if (kind == SANTORINI_ACT_BORN)
        snprintf(text, ACTION_TEXT_BYTES_MAX, "born %04u-%02u-%02u", birth.year, birth.month, birth.day);
    else {
        snprintf(text, ACTION_TEXT_BYTES_MAX, "%s", kinds[kind].word);
        for (unsigned i = 0; i < TEXT_ARGS_MAX; i++)
            arg_format(kinds[kind].form[i], action->arg[i], text);
    }
}

/* "2000-05-05", also with points or fewer digits, or "unknown". */
static enum err born_parse(struct span text, struct action *out) {
    static const int64_t most[BORN_PARTS] = {SANTORINI_YEAR_MAX, 99, 99};
    unsigned part[BORN_PARTS];
    if (span_is_nocase(text, "unknown")) {
        *out = santorini_action_born(0, 0, 0);
        return ERR_OK;
    }
    for (unsigned i = 0; i < BORN_PARTS; i++) {
        size_t size = 0;
        int64_t value;
        while (size < text.size && text.data[size] != '-' && text.data[size] != '.')
            size++;
        bool has_more = size < text.size;
        if (!span_to_int(span_make(text.data, size), &value) || value < 0 || value > most[i] ||
            has_more == (i == BORN_PARTS - 1))
            return ERR_BIRTH_DATE;
        part[i] = (unsigned)value;
        text = span_make(text.data + size + has_more, text.size - size - has_more);
    }
    *out = santorini_action_born(part[0], part[1], part[2]);
    return ERR_OK;
}

static enum err cell_parse(struct span word, uint8_t *out) {
    if (word.size != 2 || word.data[0] < '0' || word.data[0] > '9' || word.data[1] < '0' ||
        word.data[1] > '9')
        return ERR_ACTION_TEXT;
    if (word.data[0] >= '0' + SANTORINI_SIDE || word.data[1] >= '0' + SANTORINI_SIDE)
        return ERR_CELL_OUTSIDE; /* R1 */
    *out = (uint8_t)((word.data[0] - '0') * SANTORINI_SIDE + word.data[1] - '0');
    return ERR_OK;
}

/* Takes the argument off the front of the text. */
static enum err arg_parse(enum arg_form form, struct span *text, uint8_t *out) {
    int64_t number;
    if (form == ARG_NONE)
        return ERR_OK;
    struct span word = span_word(text);
    switch (form) {
    case ARG_GOD:
        *out = (uint8_t)santorini_god_by_name(word);
        return *out == GOD_NONE ? ERR_GOD_UNKNOWN : ERR_OK;
    case ARG_COLOR:
        *out = (uint8_t)santorini_color_by_name(word);
        return *out == SANTORINI_COLORS ? ERR_COLOR_UNKNOWN : ERR_OK;
    case ARG_CELL: return cell_parse(word, out);
    default: break;
    }
    int64_t first = form == ARG_BUILDER ? 1 : 0;
    if (!span_to_int(word, &number) || number < first || number >= first + SANTORINI_HANDS)
        return ERR_ACTION_TEXT;
    *out = (uint8_t)(number - first);
    return ERR_OK;
}

enum err santorini_action_parse(const struct game_state *state, unsigned seat, struct span text,
                                struct action *out) {
    (void)state;
    (void)seat;
    struct span word = span_word(&text);
    unsigned kind = SANTORINI_ACT_BORN;
    while (kind <= SANTORINI_ACT_END && !span_is_nocase(word, kinds[kind].word))
        kind++;
    if (kind > SANTORINI_ACT_END)
        return ERR_ACTION_TEXT;
    if (kind == SANTORINI_ACT_BORN)
        return born_parse(text, out);
    *out = (struct action){.kind = (uint8_t)kind};
    for (unsigned i = 0; i < TEXT_ARGS_MAX; i++) {
        enum err e = arg_parse(kinds[kind].form[i], &text, &out->arg[i]);
        if (e != ERR_OK)
            return e;
    }
    return text.size == 0 ? ERR_OK : ERR_ACTION_TEXT;
}

static void santorini_write_cell(struct writer *w, const char *name, unsigned cell) {
    if (cell == SANTORINI_NOWHERE) {
        writer_null(w, name);
        return;
    }
    writer_list_begin(w, name);
    writer_int(w, NULL, cell / SANTORINI_SIDE);
    writer_int(w, NULL, cell % SANTORINI_SIDE);
    writer_list_end(w);
}

static void santorini_write_cells(struct writer *w, const char *name, cell_set cells) {
    writer_list_begin(w, name);
    EACH_CELL(cell, cells)
    santorini_write_cell(w, NULL, cell);
    writer_list_end(w);
}

static void santorini_write_board(struct writer *w, const struct santorini *s) {
    writer_list_begin(w, "heights");
    for (unsigned row = 0; row < SANTORINI_SIDE; row++) {
        char text[SANTORINI_SIDE];
        for (unsigned column = 0; column < SANTORINI_SIDE; column++)
            text[column] = (char)('0' + santorini_height(s, row * SANTORINI_SIDE + column));
        writer_text(w, NULL, span_make(text, sizeof text));
    }
    writer_list_end(w);
    santorini_write_cells(w, "domes", s->dome);
}

static void write_god(struct writer *w, const char *name, unsigned god) {
    if (god == GOD_NONE)
        writer_null(w, name);
    else
        writer_text(w, name, span_of(santorini_rows[god].name));
}

static void santorini_write_seat(struct writer *w, const struct santorini *s, unsigned seat) {
    writer_object_begin(w, NULL);
    if (s->color[seat] == SANTORINI_NOBODY)
        writer_null(w, "color");
    else
        writer_text(w, "color", span_of(color_words[s->color[seat]]));
    write_god(w, "god", s->card[seat]);
    write_god(w, "power", santorini_power(s, seat));
    writer_bool(w, "in", santorini_is_alive(s, seat));
    writer_list_begin(w, "builders");
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        santorini_write_cell(w, NULL, s->builder[seat][b]);
    writer_list_end(w);
    if (santorini_power(s, seat) == GOD_MORPHEUS)
        writer_int(w, "tokens", s->tokens[seat]);
    if (santorini_power(s, seat) == GOD_ATHENA)
        writer_bool(w, "ban", s->climbed >> seat & 1);
    writer_object_end(w);
}

static void santorini_write_hands(struct writer *w, const char *name, const cell_set cells[SANTORINI_HANDS],
                                  unsigned hands) {
    writer_list_begin(w, name);
    for (unsigned b = 0; b < hands; b++)
        santorini_write_cells(w, NULL, cells[b]);
    writer_list_end(w);
}

/* The steps that are open, a list of cells for each builder; the third builder is the one that is led. */
static void santorini_write_steps(struct writer *w, const struct santorini *s) {
    struct santorini_steps steps;
    unsigned hands = s->led_seat == SANTORINI_NOBODY ? SANTORINI_BUILDERS : SANTORINI_HANDS;
    santorini_steps(s, &steps);
    writer_object_begin(w, "steps");
    santorini_write_hands(w, "move", steps.move, hands);
    santorini_write_hands(w, "build", steps.block, hands);
    santorini_write_hands(w, "dome", steps.dome, hands);
    if ((steps.force[0] | steps.force[1]) != 0)
        santorini_write_hands(w, "force", steps.force, hands);
    if (steps.remove != 0)
        santorini_write_cells(w, "remove", steps.remove);
    if (steps.borrow != 0)
        santorini_write_cells(w, "borrow", steps.borrow);
    writer_bool(w, "end", steps.can_end);
    writer_object_end(w);
    if (s->led_seat != SANTORINI_NOBODY)
        santorini_write_cell(w, "led", santorini_cell(s, SANTORINI_BORROWED));
}

/* The gods that can still be named, or those that the table has, with what they do. */
static void write_gods(struct writer *w, const struct santorini *s) {
    writer_list_begin(w, "gods");
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++) {
        bool is_named = false;
        for (unsigned i = 0; i < s->offered_count; i++)
            is_named = is_named || s->offered[i] == god;
        if (s->phase == SANTORINI_OFFER ? !santorini_god_fits((enum santorini_god)god, s->seat_count)
                                        : !is_named)
            continue;
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(santorini_rows[god].name));
        writer_text(w, "text", span_of(santorini_rows[god].text));
        writer_bool(w, "named", is_named);
        writer_object_end(w);
    }
    writer_list_end(w);
}

static void write_progress(struct writer *w, const struct santorini *s) {
    static const char *const phases[] = {"born",  "offer", "take", "draw", "start",
                                         "color", "place", "turn", "over"};
    static const char *const ends[] = {"running", "climb", "power", "last", "length"};
    writer_text(w, "phase", span_of(phases[s->phase]));
    if (s->phase == SANTORINI_OVER) {
        if (s->winner == SANTORINI_NOBODY)
            writer_null(w, "winner");
        else
            writer_int(w, "winner", s->winner);
        writer_text(w, "by", span_of(ends[s->end]));
    } else if (s->phase != SANTORINI_BORN && s->phase != SANTORINI_DRAW)
        writer_int(w, "mover", s->mover);
    writer_int(w, "turns", s->turns);
}

void santorini_describe(const struct game_view *view, struct writer *w) {
    const struct santorini *s = santorini_of_view(view);
    writer_object_begin(w, NULL);
    write_progress(w, s);
    if (s->phase > SANTORINI_BORN) {
        writer_list_begin(w, "order");
        for (unsigned i = 0; i < s->seat_count; i++)
            writer_int(w, NULL, s->order[i]);
        writer_list_end(w);
    }
    if (s->starter != SANTORINI_NOBODY)
        writer_int(w, "starter", s->starter);
    santorini_write_board(w, s);
    writer_list_begin(w, "seats");
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        santorini_write_seat(w, s, seat);
    writer_list_end(w);
    if (s->phase == SANTORINI_OFFER || s->offered_count > 0)
        write_gods(w, s);
    if (s->phase == SANTORINI_PLACE)
        santorini_write_cells(w, "places", santorini_places(s));
    if (s->phase == SANTORINI_TURN)
        santorini_write_steps(w, s);
    writer_object_end(w);
}
