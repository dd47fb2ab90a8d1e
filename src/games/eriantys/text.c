/* Eriantys in words: actions as text and back, names, and the description of a view. docs/rules/eriantys.md
 * lists the texts. */
#include "games/eriantys/internal.h"

#include <stdio.h>

enum { DRAW_COUNTS = 2, PLACED = 10 };

static const char *const color_names[ERIANTYS_COLORS] = {"BLUE", "FUCHSIA", "GREEN", "RED", "YELLOW"};
static const char color_letters[] = "BFGRY";
static const char *const place_words[ERIANTYS_PLACES] = {"entrance", "dining", "island", "card", "cloud"};

/* What the actions of seats look like: '@' is a colour, '~' an island, '#' a number; each is the next
 * argument. */
static const char *const patterns[] = {
    [ERIANTYS_PLAY_ASSISTANT] = "assistant #",
    [ERIANTYS_TO_ISLAND] = "student @ island ~",
    [ERIANTYS_TO_DINING] = "student @ dining",
    [ERIANTYS_MOVE_MOTHER] = "mother ~",
    [ERIANTYS_TAKE_CLOUD] = "cloud #",
    [ERIANTYS_PAY] = "pay #",
    [ERIANTYS_USE_MONK] = "monk @ ~",
    [ERIANTYS_USE_HERALD] = "herald ~",
    [ERIANTYS_USE_BAN] = "ban ~",
    [ERIANTYS_USE_IGNORE] = "ignore @",
    [ERIANTYS_USE_PRINCESS] = "princess @",
    [ERIANTYS_USE_RETURN] = "return @",
    [ERIANTYS_SWAP_IN] = "swap in @",
    [ERIANTYS_SWAP_OUT] = "swap out @",
};

const char *eriantys_color_name(unsigned color) {
    return color < ERIANTYS_COLORS ? color_names[color] : "?";
}

unsigned eriantys_color_of_name(struct span name) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        if (span_is_nocase(name, color_names[color]))
            return color;
    return ERIANTYS_NONE;
}

/* Letters are for people who type; texts that are written have names. */
static unsigned color_of_letter(char letter) {
    const char text[] = {letter, '\0'};
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        if (span_is_nocase(span_make(&color_letters[color], 1), text))
            return color;
    return ERIANTYS_NONE;
}

const char *eriantys_tower_name(unsigned team) {
    static const char *const names[ERIANTYS_TEAMS_MAX] = {"WHITE", "BLACK", "GREY"};
    return names[team];
}

/* Whether nothing of the action phase of the round has happened yet. */
static bool is_planning(const struct eriantys *e) {
    return e->phase <= ERIANTYS_PLANNING;
}

const char *eriantys_phase_name(const struct eriantys *e) {
    return is_planning(e) ? "PLANNING" : "ACTION";
}

const char *eriantys_subphase_name(const struct eriantys *e) {
    static const char *const students[] = {"MOVE_STUDENT_1", "MOVE_STUDENT_2", "MOVE_STUDENT_3",
                                           "MOVE_STUDENT_4"};
    switch ((enum eriantys_phase)e->phase) {
    case ERIANTYS_STUDENTS: return students[e->moved];
    case ERIANTYS_MOTHER: return "MOVE_MOTHER_NATURE";
    case ERIANTYS_CLOUD_CHOICE: return "CHOOSE_CLOUD";
    case ERIANTYS_OVER: return "END_TURN";
    default: return "PLAY_ASSISTANT";
    }
}

struct line {
    char *text; /* room for ACTION_TEXT_BYTES_MAX */
    size_t size;
};

static void line_add(struct line *line, const char *text) {
    size_t room = ACTION_TEXT_BYTES_MAX - line->size;
    int size = snprintf(line->text + line->size, room, "%s", text);
    line->size += size < 0 ? 0 : (size_t)size < room ? (size_t)size : room - 1;
}

static void line_add_number(struct line *line, unsigned number) {
    char text[12];
    snprintf(text, sizeof text, "%u", number);
    line_add(line, text);
}

static void pattern_format(const char *pattern, const struct action *action, struct line *line) {
    unsigned next = 0;
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at == '@')
            line_add(line, eriantys_color_name(action->arg[next++]));
        else if (*at == '~' || *at == '#')
            line_add_number(line, action->arg[next++]);
        else
            line_add(line, (const char[]){*at, '\0'});
    }
}

/* "draw cloud 1 BBR" */
static void draw_format(const struct action *action, struct line *line) {
    line_add(line, "draw ");
    line_add(line, action->arg[0] < ERIANTYS_PLACES ? place_words[action->arg[0]] : "?");
    line_add(line, " ");
    line_add_number(line, action->arg[1]);
    line_add(line, " ");
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        for (unsigned i = 0; i < action->arg[DRAW_COUNTS + color]; i++)
            line_add(line, (const char[]){color_letters[color], '\0'});
}

void eriantys_action_format(const struct game_state *state, unsigned seat, const struct action *action,
                            char text[ACTION_TEXT_BYTES_MAX]) {
    struct line line = {text, 0};
    (void)state;
    (void)seat;
    text[0] = '\0';
    switch (action->kind) {
    case ERIANTYS_PLACE_STUDENTS:
        line_add(&line, "islands ");
        for (unsigned i = 0; i < PLACED; i++)
            line_add(
                &line,
                (const char[]){action->arg[i] < ERIANTYS_COLORS ? color_letters[action->arg[i]] : '?', '\0'});
        return;
    case ERIANTYS_DRAW: draw_format(action, &line); return;
    case ERIANTYS_CHOOSE_CHARACTERS: pattern_format("characters # # #", action, &line); return;
    default:
        if (action->kind > 0 && action->kind < sizeof patterns / sizeof *patterns)
            pattern_format(patterns[action->kind], action, &line);
        else
            line_add(&line, "?");
    }
}

static bool eriantys_number_parse(struct span word, uint8_t *out) {
    int64_t number;
    if (!span_to_int(word, &number) || number < 0 || number > UINT8_MAX)
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool argument_parse(const struct eriantys *e, char shape, struct span word, uint8_t *out) {
    if (shape == '@') {
        unsigned color = word.size == 1 ? color_of_letter(word.data[0]) : eriantys_color_of_name(word);
        *out = (uint8_t)color;
        return color != ERIANTYS_NONE;
    }
    if (!eriantys_number_parse(word, out))
        return false;
    if (shape == '~')
        *out = (uint8_t)eriantys_group_id(e, *out);
    return true;
}

static bool pattern_parse(const struct eriantys *e, const char *pattern, struct span text,
                          struct action *out) {
    struct span wanted = span_of(pattern), part;
    unsigned next = 0;
    while ((part = span_word(&wanted)).size > 0) {
        struct span word = span_word(&text);
        char literal[16];
        if (strchr("@~#", part.data[0]) != NULL) {
            if (!argument_parse(e, part.data[0], word, &out->arg[next++]))
                return false;
        } else if (!span_copy(part, literal, sizeof literal) || !span_is_nocase(word, literal))
            return false;
    }
    return span_word(&text).size == 0;
}

static bool letters_parse(struct span letters, uint8_t *colors, unsigned count) {
    if (letters.size != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        const char *letter = memchr(color_letters, letters.data[i], ERIANTYS_COLORS);
        if (letter == NULL)
            return false;
        colors[i] = (uint8_t)(letter - color_letters);
    }
    return true;
}

static bool draw_parse(struct span text, struct action *out) {
    struct span place = span_word(&text), index = span_word(&text), letters = span_word(&text);
    uint8_t colors[PLACED];
    out->arg[0] = ERIANTYS_PLACES;
    for (unsigned i = 0; i < ERIANTYS_PLACES; i++)
        if (span_is_nocase(place, place_words[i]))
            out->arg[0] = (uint8_t)i;
    if (out->arg[0] == ERIANTYS_PLACES || !eriantys_number_parse(index, &out->arg[1]) ||
        letters.size > PLACED || letters.size == 0 || !letters_parse(letters, colors, (unsigned)letters.size))
        return false;
    for (unsigned i = 0; i < letters.size; i++)
        out->arg[DRAW_COUNTS + colors[i]]++;
    return span_word(&text).size == 0;
}

enum err eriantys_action_parse(const struct game_state *state, unsigned seat, struct span text,
                               struct action *out) {
    struct span rest = text, first = span_word(&rest);
    (void)seat;
    if (span_is_nocase(first, "islands")) {
        *out = (struct action){.kind = ERIANTYS_PLACE_STUDENTS};
        return letters_parse(span_trim(rest), out->arg, PLACED) ? ERR_OK : ERR_ACTION_TEXT;
    }
    if (span_is_nocase(first, "draw")) {
        *out = (struct action){.kind = ERIANTYS_DRAW};
        return draw_parse(rest, out) ? ERR_OK : ERR_ACTION_TEXT;
    }
    *out = (struct action){.kind = ERIANTYS_CHOOSE_CHARACTERS};
    if (pattern_parse(eriantys_of(state), "characters # # #", text, out))
        return ERR_OK;
    for (unsigned kind = 1; kind < sizeof patterns / sizeof *patterns; kind++) {
        *out = (struct action){.kind = (uint8_t)kind};
        if (pattern_parse(eriantys_of(state), patterns[kind], text, out))
            return ERR_OK;
    }
    return ERR_ACTION_TEXT;
}

static void eriantys_write_students(struct writer *w, const char *name,
                                    const uint8_t students[ERIANTYS_COLORS]) {
    writer_object_begin(w, name);
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        writer_int(w, color_names[color], students[color]);
    writer_object_end(w);
}

static void write_optional(struct writer *w, const char *name, unsigned number) {
    if (number == ERIANTYS_NONE)
        writer_null(w, name);
    else
        writer_int(w, name, number);
}

static void eriantys_write_seat(struct writer *w, const struct eriantys *e, unsigned seat) {
    const struct eriantys_seat *s = &e->seat[seat];
    unsigned team = eriantys_team(e, seat);
    writer_object_begin(w, NULL);
    writer_int(w, "team", team);
    writer_text(w, "tower", span_of(eriantys_tower_name(team)));
    writer_int(w, "towers", e->towers[team]); /* R15: partners show the same */
    if (e->mode == ERIANTYS_EXPERT)
        writer_int(w, "coins", s->coins);
    write_optional(w, "assistant", s->assistant == 0 ? (unsigned)ERIANTYS_NONE : s->assistant);
    writer_list_begin(w, "hand");
    for (unsigned value = 1; value <= ERIANTYS_ASSISTANTS; value++)
        if (s->hand >> value & 1)
            writer_int(w, NULL, value);
    writer_list_end(w);
    eriantys_write_students(w, "entrance", s->entrance);
    eriantys_write_students(w, "dining", s->dining);
    writer_object_end(w);
}

static void write_group(struct writer *w, const struct eriantys *e, unsigned index) {
    const struct eriantys_group *g = &e->group[index];
    writer_object_begin(w, NULL);
    writer_int(w, "id", g->id);
    writer_int(w, "size", g->size);
    if (g->tower == ERIANTYS_NONE)
        writer_null(w, "tower");
    else
        writer_text(w, "tower", span_of(eriantys_tower_name(g->tower)));
    writer_int(w, "bans", g->bans);
    writer_bool(w, "mother", index == e->mother);
    eriantys_write_students(w, "students", g->students);
    writer_object_end(w);
}

static void eriantys_write_card(struct writer *w, const struct eriantys *e, unsigned index) {
    const struct eriantys_card *card = &e->card[index];
    const struct eriantys_character_row *row = eriantys_character_row(card->id);
    writer_object_begin(w, NULL);
    writer_int(w, "id", card->id);
    writer_text(w, "name", span_of(row->name));
    writer_int(w, "cost", eriantys_cost(card));
    writer_bool(w, "active", index == e->paid);
    writer_int(w, "uses", eriantys_uses_left(e, index));
    if (row->students > 0)
        eriantys_write_students(w, "students", card->students);
    if (row->bans > 0)
        writer_int(w, "bans", card->bans);
    writer_object_end(w);
}

static void write_expert(struct writer *w, const struct eriantys *e) {
    writer_int(w, "bank", e->bank);
    writer_list_begin(w, "characters");
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY && e->card[i].id != 0; i++)
        eriantys_write_card(w, e, i);
    writer_list_end(w);
    if (e->ignored == ERIANTYS_NONE)
        writer_null(w, "ignored");
    else
        writer_text(w, "ignored", span_of(color_names[e->ignored]));
    if (e->open_half == 0)
        writer_null(w, "due-half");
    else
        writer_text(w, "due-half", e->open_half == ERIANTYS_SWAP_IN ? SPAN("out") : SPAN("in"));
}

static void eriantys_write_board(struct writer *w, const struct eriantys *e) {
    writer_list_begin(w, "islands");
    for (unsigned i = 0; i < e->group_count; i++)
        write_group(w, e, i);
    writer_list_end(w);
    writer_list_begin(w, "clouds");
    for (unsigned i = 0; i < e->seat_count; i++)
        eriantys_write_students(w, NULL, e->cloud[i]);
    writer_list_end(w);
    eriantys_write_students(w, "bag", e->bag);
    writer_object_begin(w, "professors");
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++)
        write_optional(w, color_names[color], e->professor[color]);
    writer_object_end(w);
}

static void write_end(struct writer *w, const struct eriantys *e) {
    static const char *const ends[] = {"running", "towers", "groups", "bag", "assistants"};
    seat_set winners = eriantys_winners(e);
    writer_text(w, "by", span_of(ends[e->end]));
    writer_list_begin(w, "winners");
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        if (winners & SEAT_BIT(seat))
            writer_int(w, NULL, seat);
    writer_list_end(w);
}

void eriantys_describe(const struct game_view *view, struct writer *w) {
    static const char *const phases[] = {"setup",    "setup",    "setup",  "setup",        "filling",
                                         "planning", "students", "mother", "choose-cloud", "over"};
    const struct eriantys *e = eriantys_of_view(view);
    writer_object_begin(w, NULL);
    writer_text(w, "phase", span_of(phases[e->phase]));
    writer_text(w, "mode", e->mode == ERIANTYS_EXPERT ? SPAN("expert") : SPAN("normal"));
    writer_int(w, "round", e->round);
    writer_bool(w, "last-round", e->is_last_round != 0);
    writer_int(w, "first", e->first);
    writer_int(w, "mover", e->mover);
    if (e->phase >= ERIANTYS_STUDENTS) {
        writer_list_begin(w, "order");
        for (unsigned i = 0; i < e->seat_count; i++)
            writer_int(w, NULL, e->order[i]);
        writer_list_end(w);
        writer_int(w, "moved", e->moved);
        writer_int(w, "to-move", eriantys_students_per_turn(e));
        writer_int(w, "steps", eriantys_steps_max(e));
    }
    if (e->phase == ERIANTYS_OVER)
        write_end(w, e);
    eriantys_write_board(w, e);
    if (e->mode == ERIANTYS_EXPERT)
        write_expert(w, e);
    writer_list_begin(w, "seats");
    for (unsigned seat = 0; seat < e->seat_count; seat++)
        eriantys_write_seat(w, e, seat);
    writer_list_end(w);
    writer_object_end(w);
}
