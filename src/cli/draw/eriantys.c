/* Eriantys in a terminal: islands in three rows, clouds, characters, and a line for every school. Students
 * are capital letters, towers are signs; counts stand behind them.
 *
 * What is typed is short: a student is a letter and where it goes, everything else a letter and a number.
 * Whole texts of actions are understood too. */
#include "games/eriantys/eriantys.h"
#include "cli/play.h"

#include <ctype.h>
#include <stdio.h>

enum {
    ISLANDS_PER_ROW = 4,
    ISLAND_COLUMNS = 19,
    ENTRANCE_COLUMNS = 11,
    NAME_COLUMNS = 9,
    COLOR_CODES = ERIANTYS_COLORS,
    SHORT_TEXT_BYTES = 8,
    LINE_COLUMNS = 80,
};

static const char letters[] = "BFGRY";
static const char *const color_codes[COLOR_CODES] = {"38;5;39", "38;5;213", "38;5;40", "38;5;203",
                                                     "38;5;226"};
static const char *const tower_signs[ERIANTYS_TEAMS_MAX] = {"○", "●", "◆"};
static const char *const tower_letters[ERIANTYS_TEAMS_MAX] = {"w", "b", "g"};

struct picture {
    const struct play_table *t;
    const struct eriantys *e;
    struct buf *out;
    size_t columns; /* written in this line, as they are seen */
};

static void draw_eriantys_put(struct picture *p, const char *text) {
    buf_append_text(p->out, text);
    for (; *text != '\0'; text++)
        p->columns +=
            ((unsigned char)*text & 0xc0) != 0x80; /* the further bytes of a character take no room */
}

static void draw_eriantys_put_number(struct picture *p, unsigned number) {
    char text[12];
    snprintf(text, sizeof text, "%u", number);
    draw_eriantys_put(p, text);
}

/* Blanks up to a column; one at least when the line is there already. */
static void put_to(struct picture *p, size_t column) {
    do
        draw_eriantys_put(p, " ");
    while (p->columns < column);
}

static void draw_eriantys_line_end(struct picture *p) {
    while (p->out->size > 0 && p->out->data[p->out->size - 1] == ' ')
        p->out->size--;
    buf_append_byte(p->out, '\n');
    p->columns = 0;
}

static void draw_eriantys_paint(const struct picture *p, const char *code) {
    if (p->t->has_color)
        buf_printf(p->out, "\x1b[%sm", code);
}

static const char *tower_sign(const struct picture *p, unsigned team) {
    return p->t->is_ascii ? tower_letters[team] : tower_signs[team];
}

/* "B2F1", or "-" when there are none. */
static void put_students(struct picture *p, const uint8_t students[ERIANTYS_COLORS]) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        if (students[color] == 0)
            continue;
        draw_eriantys_paint(p, color_codes[color]);
        draw_eriantys_put(p, (const char[]){letters[color], '\0'});
        draw_eriantys_put_number(p, students[color]);
        draw_eriantys_paint(p, "0");
    }
    if (eriantys_sum(students) == 0)
        draw_eriantys_put(p, "-");
}

/* Who sits there, from the person's side. */
static void draw_eriantys_seat_name(const struct play_table *t, unsigned seat, char *text, size_t size) {
    if (t->names != NULL)
        snprintf(text, size, "%s", t->names[seat]);
    else if (seat == t->person)
        snprintf(text, size, "you");
    else
        snprintf(text, size, "bot %u", seat + 1);
}

static void head_line(struct picture *p) {
    const struct eriantys *e = p->e;
    char name[NAME_COLUMNS + 1];
    draw_eriantys_seat_name(p->t, e->mover, name, sizeof name);
    draw_eriantys_put(p, "Round ");
    draw_eriantys_put_number(p, e->round + 1u);
    draw_eriantys_put(p, e->is_last_round ? ", the last one" : "");
    if (e->phase >= ERIANTYS_STUDENTS && e->phase < ERIANTYS_OVER) {
        draw_eriantys_put(p, "; in order of play:");
        for (unsigned i = 0; i < e->seat_count; i++) {
            char other[NAME_COLUMNS + 1];
            draw_eriantys_seat_name(p->t, e->order[i], other, sizeof other);
            draw_eriantys_put(p, i == e->turn ? " [" : " ");
            draw_eriantys_put(p, other);
            draw_eriantys_put(p, i == e->turn ? "]" : "");
        }
    }
    draw_eriantys_put(p, "; in the bag ");
    draw_eriantys_put_number(p, eriantys_sum(e->bag));
    draw_eriantys_line_end(p);
}

static void island(struct picture *p, unsigned index) {
    const struct eriantys_group *g = &p->e->group[index];
    draw_eriantys_put(p, index == p->e->mother ? ">" : " ");
    draw_eriantys_put(p, g->id < 10 ? " " : "");
    draw_eriantys_put_number(p, g->id);
    draw_eriantys_put(p, g->bans > 0 ? "!" : " ");
    draw_eriantys_put(p, g->tower == ERIANTYS_NONE ? "." : tower_sign(p, g->tower));
    draw_eriantys_put_number(p, g->size);
    draw_eriantys_put(p, " ");
    put_students(p, g->students);
}

static void island_lines(struct picture *p) {
    for (unsigned i = 0; i < p->e->group_count; i++) {
        size_t column = i % ISLANDS_PER_ROW * ISLAND_COLUMNS;
        if (i > 0 && column == 0)
            draw_eriantys_line_end(p);
        else if (column > 0)
            put_to(p, column);
        island(p, i);
    }
    draw_eriantys_line_end(p);
}

static void cloud_line(struct picture *p) {
    draw_eriantys_put(p, "Clouds ");
    for (unsigned i = 0; i < p->e->seat_count; i++) {
        draw_eriantys_put(p, "  ");
        draw_eriantys_put_number(p, i);
        draw_eriantys_put(p, ": ");
        put_students(p, p->e->cloud[i]);
    }
    draw_eriantys_line_end(p);
}

/* A character with what it costs, what lies on it and what it does; a star marks the one that is paid. */
static void character_lines(struct picture *p) {
    const struct eriantys *e = p->e;
    for (unsigned i = 0; i < ERIANTYS_CHARACTERS_IN_PLAY && e->card[i].id != 0; i++) {
        const struct eriantys_card *card = &e->card[i];
        const struct eriantys_character_row *row = eriantys_character_row(card->id);
        draw_eriantys_put(p, i == e->paid ? "*" : " ");
        draw_eriantys_put(p, card->id < 10 ? " " : "");
        draw_eriantys_put_number(p, card->id);
        draw_eriantys_put(p, " ");
        draw_eriantys_put(p, row->title);
        draw_eriantys_put(p, ", ");
        draw_eriantys_put_number(p, eriantys_cost(card));
        draw_eriantys_put(p, "$");
        draw_eriantys_put(p, row->students > 0 || card->bans > 0 ? " " : "");
        if (row->students > 0)
            put_students(p, card->students);
        for (unsigned ban = 0; ban < card->bans; ban++)
            draw_eriantys_put(p, "!");
        draw_eriantys_put(p, ": ");
        if (p->columns + strlen(row->text) > LINE_COLUMNS) {
            draw_eriantys_line_end(p);
            draw_eriantys_put(p, "      ");
        }
        draw_eriantys_put(p, row->text);
        draw_eriantys_line_end(p);
    }
}

static void seat_head(struct picture *p) {
    draw_eriantys_put(p, "         towers");
    draw_eriantys_put(p, p->e->mode == ERIANTYS_EXPERT ? " $  card entrance    dining room         hand"
                                                       : "    card entrance    dining room         hand");
    draw_eriantys_line_end(p);
}

/* The tables of the dining room; a star has the professor. */
static void put_dining(struct picture *p, unsigned seat) {
    for (unsigned color = 0; color < ERIANTYS_COLORS; color++) {
        draw_eriantys_paint(p, color_codes[color]);
        draw_eriantys_put(p, (const char[]){letters[color], '\0'});
        draw_eriantys_put_number(p, p->e->seat[seat].dining[color]);
        draw_eriantys_put(p, p->e->professor[color] == seat ? "*" : " ");
        draw_eriantys_paint(p, "0");
    }
}

static void seat_line(struct picture *p, unsigned seat) {
    const struct eriantys *e = p->e;
    const struct eriantys_seat *s = &e->seat[seat];
    char name[NAME_COLUMNS];
    unsigned team = eriantys_team(e, seat);
    draw_eriantys_seat_name(p->t, seat, name, sizeof name);
    draw_eriantys_put(p, name);
    put_to(p, NAME_COLUMNS);
    draw_eriantys_put(p, tower_sign(p, team));
    draw_eriantys_put(p, " ");
    draw_eriantys_put_number(p, e->towers[team]);
    put_to(p, 16);
    if (e->mode == ERIANTYS_EXPERT)
        draw_eriantys_put_number(p, s->coins);
    put_to(p, 19);
    if (s->assistant > 0)
        draw_eriantys_put_number(p, s->assistant);
    put_to(p, 24);
    put_students(p, s->entrance);
    put_to(p, 24 + ENTRANCE_COLUMNS + 1);
    put_dining(p, seat);
    put_to(p, 56);
    for (unsigned value = 1; value <= ERIANTYS_ASSISTANTS; value++)
        if (s->hand >> value & 1) {
            draw_eriantys_put_number(p, value);
            draw_eriantys_put(p, " ");
        }
    draw_eriantys_line_end(p);
}

/* An action as it may be typed. */
static void short_format(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    const struct action *a = &ply->action;
    char text[ACTION_TEXT_BYTES_MAX];
    switch (a->kind) {
    case ERIANTYS_PLAY_ASSISTANT: buf_printf(out, "a%u", a->arg[0]); return;
    case ERIANTYS_TO_ISLAND: buf_printf(out, "%c%u", letters[a->arg[0]], a->arg[1]); return;
    case ERIANTYS_TO_DINING: buf_printf(out, "%cd", letters[a->arg[0]]); return;
    case ERIANTYS_MOVE_MOTHER: buf_printf(out, "m%u", a->arg[0]); return;
    case ERIANTYS_TAKE_CLOUD: buf_printf(out, "c%u", a->arg[0]); return;
    case ERIANTYS_PAY: buf_printf(out, "p%u", a->arg[0]); return;
    default: break;
    }
    t->game->action_format(t->state, ply->seat, a, text);
    buf_printf(out, "(%s)", text);
}

/* Of four who belongs to whom. */
static void partner_line(struct picture *p) {
    static const char *const words[] = {" (white)", " (black)", " (grey)"};
    for (unsigned team = 0; team < p->e->team_count; team++) {
        const char *before = team == 0 ? "Partners: " : "; ";
        for (unsigned seat = 0; seat < p->e->seat_count; seat++) {
            char name[NAME_COLUMNS + 1];
            if (eriantys_team(p->e, seat) != team)
                continue;
            draw_eriantys_seat_name(p->t, seat, name, sizeof name);
            draw_eriantys_put(p, before);
            draw_eriantys_put(p, name);
            before = " and ";
        }
        draw_eriantys_put(p, words[team]);
    }
    draw_eriantys_line_end(p);
}

static void draw_eriantys_legend(struct picture *p) {
    draw_eriantys_put(p, "> mother nature  ");
    for (unsigned team = 0; team < p->e->team_count; team++) {
        static const char *const words[] = {" white", " black", " grey"};
        draw_eriantys_put(p, tower_sign(p, team));
        draw_eriantys_put(p, words[team]);
        draw_eriantys_put(p, "  ");
    }
    draw_eriantys_put(p, ". no tower  * professor");
    draw_eriantys_put(p, p->e->mode == ERIANTYS_EXPERT ? "  ! no entry" : "");
    draw_eriantys_line_end(p);
}

static void schools_draw(const struct play_table *t, struct buf *out) {
    struct picture p = {.t = t, .e = eriantys_of(t->state), .out = out};
    head_line(&p);
    island_lines(&p);
    cloud_line(&p);
    if (p.e->mode == ERIANTYS_EXPERT)
        character_lines(&p);
    seat_head(&p);
    for (unsigned seat = 0; seat < p.e->seat_count; seat++)
        seat_line(&p, seat);
    if (p.e->team_count < p.e->seat_count)
        partner_line(&p);
    draw_eriantys_legend(&p);
}

static const char *color_word(unsigned color) {
    static const char *const words[ERIANTYS_COLORS] = {"blue", "pink", "green", "red", "yellow"};
    return words[color];
}

/* What a paid character does, in words. */
static void effect_tell(const struct action *a, struct buf *out) {
    const char *color = color_word(a->arg[0] < ERIANTYS_COLORS ? a->arg[0] : 0);
    switch (a->kind) {
    case ERIANTYS_USE_MONK:
        buf_printf(out, "sends a %s student of the Monk to island %u", color, a->arg[1]);
        return;
    case ERIANTYS_USE_HERALD: buf_printf(out, "lets the Herald resolve island %u", a->arg[0]); return;
    case ERIANTYS_USE_BAN: buf_printf(out, "puts a no-entry tile on island %u", a->arg[0]); return;
    case ERIANTYS_USE_IGNORE: buf_printf(out, "takes the influence from %s students", color); return;
    case ERIANTYS_USE_PRINCESS:
        buf_printf(out, "takes a %s student of the Princess into the dining room", color);
        return;
    case ERIANTYS_USE_RETURN:
        buf_printf(out, "sends %s students of everybody back into the bag", color);
        return;
    case ERIANTYS_SWAP_IN: buf_printf(out, "swaps a %s student into the entrance", color); return;
    default: buf_printf(out, "swaps a %s student out of the entrance", color);
    }
}

static void schools_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    const struct eriantys *e = eriantys_of(t->state);
    const struct action *a = &ply->action;
    char name[NAME_COLUMNS + 1];
    if (ply->seat == SEAT_CHANCE)
        return;
    draw_eriantys_seat_name(t, ply->seat, name, sizeof name);
    buf_printf(out, "%s ", name);
    switch (a->kind) {
    case ERIANTYS_PLAY_ASSISTANT: buf_printf(out, "plays the assistant %u", a->arg[0]); return;
    case ERIANTYS_TO_ISLAND:
        buf_printf(out, "moves a %s student to island %u", color_word(a->arg[0]), a->arg[1]);
        return;
    case ERIANTYS_TO_DINING:
        buf_printf(out, "moves a %s student into the dining room", color_word(a->arg[0]));
        return;
    case ERIANTYS_MOVE_MOTHER: buf_printf(out, "moves mother nature to island %u", a->arg[0]); return;
    case ERIANTYS_TAKE_CLOUD: {
        struct picture cloud = {.t = t, .e = e, .out = out};
        buf_printf(out, "takes cloud %u: ", a->arg[0]);
        put_students(&cloud, e->cloud[a->arg[0]]);
        return;
    }
    case ERIANTYS_PAY:
        buf_printf(out, "pays the %s, %u$", eriantys_character_row(a->arg[0])->title,
                   eriantys_cost(&e->card[eriantys_card_index(e, a->arg[0])]));
        return;
    default: effect_tell(a, out);
    }
}

static int color_of(char letter) {
    const char *at = letter == '\0' ? NULL : strchr(letters, toupper((unsigned char)letter));
    return at == NULL ? -1 : (int)(at - letters);
}

/* "B4", "Bd", "a3", "m5", "c0", "p7" */
static bool short_parse(const struct eriantys *e, struct span word, struct action *out) {
    static const struct {
        char letter;
        uint8_t kind;
    } shorts[] = {{'a', ERIANTYS_PLAY_ASSISTANT},
                  {'m', ERIANTYS_MOVE_MOTHER},
                  {'c', ERIANTYS_TAKE_CLOUD},
                  {'p', ERIANTYS_PAY}};
    int64_t number = -1;
    if (word.size < 2 || word.size >= SHORT_TEXT_BYTES)
        return false;
    int color = color_of(word.data[0]);
    struct span rest = span_make(word.data + 1, word.size - 1);
    if (color >= 0 && span_is_nocase(rest, "d")) {
        *out = eriantys_action(ERIANTYS_TO_DINING, (unsigned)color);
        return true;
    }
    if (!span_to_int(rest, &number) || number < 0 || number >= ERIANTYS_NONE)
        return false;
    if (color >= 0) {
        *out =
            eriantys_action_two(ERIANTYS_TO_ISLAND, (unsigned)color, eriantys_group_id(e, (unsigned)number));
        return true;
    }
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (tolower((unsigned char)word.data[0]) == shorts[i].letter) {
            unsigned argument = (unsigned)number;
            if (shorts[i].kind == ERIANTYS_MOVE_MOTHER)
                argument = eriantys_group_id(e, argument);
            *out = eriantys_action(shorts[i].kind, argument);
            return true;
        }
    return false;
}

/* A word in short, or a whole text up to the next comma. */
static enum err schools_parse(const struct play_table *t, struct span *typed, struct action *out) {
    const char *comma = memchr(typed->data, ',', typed->size);
    size_t size = comma == NULL ? typed->size : (size_t)(comma - typed->data);
    struct span part = span_trim(span_make(typed->data, size)), rest = part, word = span_word(&rest);
    if (short_parse(eriantys_of(t->state), word, out)) {
        size_t taken = (size_t)(word.data + word.size - typed->data);
        if (rest.size == 0)
            taken = size + (comma != NULL);
        *typed = span_make(typed->data + taken, typed->size - taken);
        return ERR_OK;
    }
    size += comma != NULL;
    *typed = span_make(typed->data + size, typed->size - size);
    return t->game->action_parse(t->state, t->person, part, out);
}

/* Kinds of which one example stands for all. */
static const char *pattern_of(unsigned kind) {
    switch (kind) {
    case ERIANTYS_TO_ISLAND: return "COLOR ISLAND (B4)";
    case ERIANTYS_TO_DINING: return "COLOR d (Bd)";
    case ERIANTYS_USE_MONK: return "monk COLOR ISLAND";
    case ERIANTYS_USE_HERALD: return "herald ISLAND";
    case ERIANTYS_USE_BAN: return "ban ISLAND";
    case ERIANTYS_USE_IGNORE: return "ignore COLOR";
    case ERIANTYS_USE_PRINCESS: return "princess COLOR";
    case ERIANTYS_USE_RETURN: return "return COLOR";
    case ERIANTYS_SWAP_IN: return "swap in COLOR";
    case ERIANTYS_SWAP_OUT: return "swap out COLOR";
    default: return NULL;
    }
}

static void schools_choices(const struct play_table *t, struct buf *out) {
    struct action actions[ERIANTYS_ACTIONS_MAX];
    size_t count = t->game->legal(t->state, t->person, actions);
    const struct eriantys *e = eriantys_of(t->state);
    uint32_t said = 0;
    const char *blank = "";
    if (e->phase == ERIANTYS_STUDENTS)
        buf_printf(out, "student %u of %u: ", e->moved + 1u, eriantys_students_per_turn(e));
    for (size_t i = 0; i < count; i++) {
        const char *pattern = pattern_of(actions[i].kind);
        if (pattern != NULL && (said >> actions[i].kind & 1) != 0)
            continue;
        said |= 1u << actions[i].kind;
        buf_append_text(out, blank);
        blank = ", ";
        if (pattern != NULL)
            buf_append_text(out, pattern);
        else
            short_format(t, &(struct play_ply){t->person, actions[i]}, out);
    }
}

static void schools_reason(const struct play_table *t, struct buf *out) {
    static const char *const reasons[] = {
        [ERIANTYS_RUNNING] = "it goes on",
        [ERIANTYS_BY_TOWERS] = "the last tower was placed (R18)",
        [ERIANTYS_BY_GROUPS] = "three groups or fewer (R19)",
        [ERIANTYS_BY_BAG] = "the bag is empty (R20)",
        [ERIANTYS_BY_ASSISTANTS] = "all assistants are played (R21)",
    };
    const struct eriantys *e = eriantys_of(t->state);
    buf_printf(out, "%s; towers", reasons[e->end]);
    for (unsigned team = 0; team < e->team_count; team++)
        buf_printf(out, "%c%u", team == 0 ? ' ' : ':', eriantys_towers_placed(e, team));
    buf_append_text(out, ", professors");
    for (unsigned team = 0; team < e->team_count; team++)
        buf_printf(out, "%c%u", team == 0 ? ' ' : ':', eriantys_professors(e, team));
}

const struct play_face eriantys_face = {
    .game = &eriantys_game,
    .help = "a3       plays the assistant 3, which goes up to 2 islands with mother nature\n"
            "B4, Bd   moves a blue student to island 4, to your dining room (B F G R Y)\n"
            "m5       moves mother nature to island 5; the strongest school builds there\n"
            "c0       takes the students of cloud 0\n"
            "p7       pays the character 7; what it lets you do then is typed as it is shown\n"
            "Several in a line are played one after the other: Bd B4 R5 m3 c0",
    .sends_at_once = false,
    .draw = schools_draw,
    .tell = schools_tell,
    .parse = schools_parse,
    .choices = schools_choices,
    .reason = schools_reason,
};
