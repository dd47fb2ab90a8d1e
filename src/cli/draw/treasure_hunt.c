/* Treasure Hunt in a terminal: the map with three columns to a field, what one knows in words below it, and
 * moves as letters, words or arrows.
 *
 * Everything comes from the view of the person, so that nothing is shown that a seat may not know. Terrain
 * shows by colour and by its sign; a field that was uncovered has no sign of grass any more. */
#include "games/treasure_hunt/treasure_hunt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/play.h"

#include <assert.h>

enum paint { PLAIN, WATER, GRASS, GRASS_SEEN, MOUNTAIN, MOUNTAIN_SEEN, MINE, THEIRS, THINGS, FAINT, PAINTS };

/* Backgrounds of 256 colours for terrain, foregrounds on top of them for the rest. */
static const char *const paint_codes[PAINTS] = {
    [PLAIN] = "0",
    [WATER] = "0;38;5;117;48;5;25",
    [GRASS] = "0;38;5;22;48;5;71",
    [GRASS_SEEN] = "0;38;5;71;48;5;22",
    [MOUNTAIN] = "0;38;5;255;48;5;244",
    [MOUNTAIN_SEEN] = "0;38;5;250;48;5;238",
    [MINE] = "1;38;5;226",
    [THEIRS] = "1;38;5;203",
    [THINGS] = "1;38;5;231",
    [FAINT] = "2",
};

/* One picture: the table, and what may be seen of it. */
struct picture {
    const struct play_table *t;
    const struct treasure_hunt *h;
    struct buf *out;
    unsigned me;    /* the person; in a replay the first seat */
    unsigned enemy; /* the field where the other is, or is said to be */
};

static const char *draw_treasure_hunt_pick(const struct picture *p, const char *fine, const char *ascii) {
    return p->t->is_ascii ? ascii : fine;
}

static void draw_treasure_hunt_paint(const struct picture *p, enum paint paint) {
    if (p->t->has_color)
        buf_printf(p->out, "\x1b[%sm", paint_codes[paint]);
}

static bool draw_treasure_hunt_is_field(unsigned field) {
    return field < TREASURE_FIELDS;
}

/* A view cannot be shown in place of the state: it is a copy. Gives. */
static struct game_view *view_make(const struct play_table *t) {
    struct game_view *view = mem_alloc(t->game->state_size);
    if (t->names == NULL)
        game_view(t->game, t->state, t->person, view);
    else
        memcpy(view, t->state, t->game->state_size); /* of a replay: already what may be shown */
    return view;
}

static bool is_replay(const struct picture *p) {
    return p->t->names != NULL;
}

static bool is_whole(const struct treasure_hunt *h) {
    return h->seat[0].has_half && h->seat[1].has_half;
}

static struct picture picture_make(const struct play_table *t, const struct game_view *view,
                                   struct buf *out) {
    struct picture p = {.t = t, .h = treasure_of_view(view), .out = out, .me = t->person};
    const struct treasure_seat *own = &p.h->seat[p.me], *other = &p.h->seat[p.me ^ 1];
    bool is_told = !is_replay(&p) && p.h->phase != TREASURE_OVER && draw_treasure_hunt_is_field(own->fake);
    p.enemy = is_told ? own->fake : other->position;
    return p;
}

static bool is_uncovered(const struct picture *p, unsigned field) {
    return treasure_set_has(p->h->seat[p->me].seen, field) ||
           (is_replay(p) && treasure_set_has(p->h->seat[p->me ^ 1].seen, field));
}

static const char *thing_at(const struct picture *p, unsigned field) {
    const struct treasure_seat *own = &p->h->seat[p->me], *other = &p->h->seat[p->me ^ 1];
    if (own->fort == field)
        return "F";
    if (other->fort == field)
        return "X";
    if (own->treasure == field)
        return "$";
    return other->treasure == field ? "%" : NULL;
}

static enum paint ground_of(const struct picture *p, unsigned field) {
    bool is_seen = is_uncovered(p, field);
    switch (p->h->terrain[field]) {
    case TREASURE_WATER: return WATER;
    case TREASURE_GRASS: return is_seen ? GRASS_SEEN : GRASS;
    case TREASURE_MOUNTAIN: return is_seen ? MOUNTAIN_SEEN : MOUNTAIN;
    default: return FAINT;
    }
}

static const char *sign_of(const struct picture *p, unsigned field) {
    switch (p->h->terrain[field]) {
    case TREASURE_WATER: return draw_treasure_hunt_pick(p, "≈", "~");
    case TREASURE_GRASS: return is_uncovered(p, field) ? " " : draw_treasure_hunt_pick(p, "·", ".");
    case TREASURE_MOUNTAIN: return draw_treasure_hunt_pick(p, "▲", "^");
    default: return "?";
    }
}

/* Three columns: the own avatar, what is there, the other avatar. */
static void draw_treasure_hunt_field(const struct picture *p, unsigned field) {
    enum paint ground = ground_of(p, field);
    const char *thing = thing_at(p, field);
    bool has_me = p->h->seat[p->me].position == field, has_enemy = p->enemy == field;
    draw_treasure_hunt_paint(p, ground);
    if (has_me)
        draw_treasure_hunt_paint(p, MINE);
    buf_append_text(p->out, has_me ? "@" : " ");
    if (thing != NULL)
        draw_treasure_hunt_paint(p, THINGS);
    else if (has_me)
        draw_treasure_hunt_paint(p, ground);
    buf_append_text(p->out, thing != NULL ? thing : sign_of(p, field));
    if (has_enemy)
        draw_treasure_hunt_paint(p, THEIRS);
    buf_append_text(p->out, has_enemy ? "E" : " ");
    draw_treasure_hunt_paint(p, PLAIN);
}

static void draw_map(const struct picture *p) {
    unsigned width = treasure_width(p->h), height = treasure_height(p->h);
    buf_append_text(p->out, "   ");
    for (unsigned x = 0; x < width; x++)
        buf_printf(p->out, "%2u ", x);
    p->out->size--;
    buf_append_byte(p->out, '\n');
    for (unsigned y = 0; y < height; y++) {
        buf_printf(p->out, "%2u ", y);
        for (unsigned x = 0; x < width; x++)
            draw_treasure_hunt_field(p, y * width + x);
        /* Without colours the line may end in blanks. */
        while (!p->t->has_color && p->out->data[p->out->size - 1] == ' ')
            p->out->size--;
        buf_append_byte(p->out, '\n');
    }
}

static void at_text(const struct picture *p, unsigned field) {
    unsigned width = treasure_width(p->h);
    buf_printf(p->out, "(%u,%u)", field % width, field / width);
}

static const char *half_word(const struct treasure_hunt *h, unsigned seat) {
    bool is_first = h->origin == seat;
    return h->shape == TREASURE_STACKED ? (is_first ? "upper" : "lower") : (is_first ? "left" : "right");
}

static void own_line(const struct picture *p) {
    static const char *const words[] = {"up", "down", "left", "right"};
    const struct treasure_seat *s = &p->h->seat[p->me];
    buf_append_text(p->out, "@ you at ");
    at_text(p, s->position);
    buf_printf(p->out, ", your half is the %s one. ", half_word(p->h, p->me));
    if (s->progress == 0) {
        buf_append_text(p->out, "No step is under way.\n");
        return;
    }
    int to = treasure_neighbour(p->h, s->position, (enum treasure_direction)s->direction);
    unsigned cost = treasure_step_cost(p->h, s->position, (unsigned)to);
    buf_printf(p->out, "Step %s: %u of %u ", words[s->direction], s->progress, cost);
    draw_treasure_hunt_paint(p, MINE);
    for (unsigned i = 0; i < cost; i++)
        buf_append_text(p->out, i < s->progress ? draw_treasure_hunt_pick(p, "■", "#")
                                                : draw_treasure_hunt_pick(p, "□", "-"));
    draw_treasure_hunt_paint(p, PLAIN);
    buf_append_byte(p->out, '\n');
}

static void treasure_line(const struct picture *p) {
    const struct treasure_seat *s = &p->h->seat[p->me];
    unsigned left = 0;
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        left += p->h->terrain[field] == TREASURE_GRASS && treasure_half_owner(p->h, field) == p->me &&
                !treasure_set_has(s->seen, field);
    buf_append_text(p->out, "$ your treasure: ");
    if (s->has_treasure)
        buf_append_text(p->out, "you have it\n");
    else if (draw_treasure_hunt_is_field(s->treasure)) {
        buf_append_text(p->out, "at ");
        at_text(p, s->treasure);
        buf_append_byte(p->out, '\n');
    } else
        buf_printf(p->out, "on one of %u fields of grass\n", left);
}

static void fort_line(const struct picture *p) {
    const struct treasure_seat *other = &p->h->seat[p->me ^ 1];
    bool candidates[TREASURE_FIELDS];
    unsigned left = 0;
    treasure_fort_candidates((const struct game_view *)p->h, p->me, candidates);
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        left += candidates[field];
    buf_append_text(p->out, "X its fort: ");
    if (draw_treasure_hunt_is_field(other->fort)) {
        buf_append_text(p->out, "at ");
        at_text(p, other->fort);
        buf_append_byte(p->out, '\n');
    } else
        buf_printf(p->out, "on one of %u fields of grass\n", left);
}

static void enemy_line(const struct picture *p) {
    const struct treasure_seat *own = &p->h->seat[p->me], *other = &p->h->seat[p->me ^ 1];
    buf_append_text(p->out, "E the bot: ");
    if (draw_treasure_hunt_is_field(p->enemy)) {
        bool is_told = p->h->phase != TREASURE_OVER && draw_treasure_hunt_is_field(own->fake);
        buf_append_text(p->out, "at ");
        at_text(p, p->enemy);
        if (is_told)
            buf_printf(p->out, ", falsely until your action %d", TREASURE_FAKED_ACTIONS);
    }
    buf_append_text(p->out, other->has_treasure ? ", it has its treasure\n" : ", without its treasure\n");
}

static void replay_lines(const struct picture *p) {
    for (unsigned i = 0; i < TREASURE_SEATS; i++) {
        unsigned seat = i == 0 ? p->me : p->me ^ 1;
        const struct treasure_seat *s = &p->h->seat[seat];
        const char *const signs[] = {"@ F $", "E X %"};
        buf_printf(p->out, "%s  %s: %s half, %u actions, ", signs[i], p->t->names[seat],
                   half_word(p->h, seat), s->actions);
        if (draw_treasure_hunt_is_field(s->position)) {
            buf_append_text(p->out, "at ");
            at_text(p, s->position);
        } else
            buf_append_text(p->out, "somewhere");
        buf_append_text(p->out, s->has_treasure ? ", has its treasure\n" : "\n");
    }
}

static void draw_treasure_hunt_legend(const struct picture *p) {
    static const struct {
        enum paint paint;
        const char *fine, *ascii, *what;
    } rows[] = {
        {WATER, " ≈ ", " ~ ", " water"},
        {GRASS, " · ", " . ", " grass"},
        {GRASS_SEEN, "   ", "   ", " uncovered"},
        {MOUNTAIN, " ▲ ", " ^ ", " mountain"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!p->t->has_color && rows[i].paint == GRASS_SEEN)
            continue; /* a blank in the map says it */
        draw_treasure_hunt_paint(p, rows[i].paint);
        buf_append_text(p->out, draw_treasure_hunt_pick(p, rows[i].fine, rows[i].ascii));
        draw_treasure_hunt_paint(p, PLAIN);
        buf_append_text(p->out, rows[i].what);
    }
    buf_append_text(p->out, "  F fort  $ treasure\n");
}

static void count_line(const struct picture *p) {
    buf_printf(p->out, "%u of %u actions are played", p->h->actions, p->h->actions_max);
    if (!is_replay(p))
        buf_printf(p->out, ", %u of them by you", p->h->seat[p->me].actions);
    buf_append_text(p->out, ".\n");
}

static void hunt_draw(const struct play_table *t, struct buf *out) {
    struct game_view *view = view_make(t);
    struct picture p = picture_make(t, view, out);
    if (p.h->phase < TREASURE_HALVES)
        buf_append_text(out, "The map is not there yet.\n");
    else {
        draw_map(&p);
        buf_append_byte(out, '\n');
        draw_treasure_hunt_legend(&p);
        if (is_replay(&p))
            replay_lines(&p);
        else if (is_whole(p.h)) {
            own_line(&p);
            treasure_line(&p);
            fort_line(&p);
            enemy_line(&p);
        }
        count_line(&p);
    }
    mem_free(view);
}

/* What stands for a direction: letters, words, arrow characters and what the arrow keys send. Words before
 * the letters they begin with. */
static const struct {
    const char *text;
    enum treasure_direction direction;
    bool is_step; /* as many actions as the whole step takes */
} typed_words[] = {
    {"down", TREASURE_DOWN, false},   {"up", TREASURE_UP, false},        {"left", TREASURE_LEFT, false},
    {"right", TREASURE_RIGHT, false}, {"w", TREASURE_UP, false},         {"a", TREASURE_LEFT, false},
    {"s", TREASURE_DOWN, false},      {"d", TREASURE_RIGHT, false},      {"W", TREASURE_UP, true},
    {"A", TREASURE_LEFT, true},       {"S", TREASURE_DOWN, true},        {"D", TREASURE_RIGHT, true},
    {"↑", TREASURE_UP, false},        {"↓", TREASURE_DOWN, false},       {"←", TREASURE_LEFT, false},
    {"→", TREASURE_RIGHT, false},     {"\x1b[A", TREASURE_UP, false},    {"\x1b[B", TREASURE_DOWN, false},
    {"\x1b[D", TREASURE_LEFT, false}, {"\x1b[C", TREASURE_RIGHT, false}, {"\x1bOA", TREASURE_UP, false},
    {"\x1bOB", TREASURE_DOWN, false}, {"\x1bOD", TREASURE_LEFT, false},  {"\x1bOC", TREASURE_RIGHT, false},
};

/* Whether one more action in this direction brings the avatar to the next field, or nowhere at all. */
static bool is_last_of_step(const struct play_table *t, enum treasure_direction direction) {
    const struct treasure_hunt *h = treasure_of(t->state);
    const struct treasure_seat *s = &h->seat[t->person];
    if (treasure_move_check(h, t->person, direction) != ERR_OK)
        return true;
    unsigned to = (unsigned)treasure_neighbour(h, s->position, direction);
    unsigned progress = s->direction == direction ? s->progress : 0;
    return progress + 1 >= treasure_step_cost(h, s->position, to);
}

static enum err hunt_parse(const struct play_table *t, struct span *typed, struct action *out) {
    while (typed->size > 1 && (typed->data[0] == ' ' || typed->data[0] == ','))
        *typed = span_make(typed->data + 1, typed->size - 1);
    for (size_t i = 0; i < sizeof typed_words / sizeof *typed_words; i++) {
        size_t size = strlen(typed_words[i].text);
        struct span front = span_make(typed->data, size);
        if (typed->size < size ||
            !(size > 1 ? span_is_nocase(front, typed_words[i].text) : span_is(front, typed_words[i].text)))
            continue;
        enum treasure_direction direction = typed_words[i].direction;
        *out = treasure_action_move(direction);
        /* The sign of a whole step stays in front until its last action. */
        if (!typed_words[i].is_step || !game_may_act(t->game, t->state, t->person) ||
            is_last_of_step(t, direction))
            *typed = span_make(typed->data + size, typed->size - size);
        return ERR_OK;
    }
    struct span rest = *typed;
    utf8_next(&rest);
    *typed = rest;
    return ERR_ACTION_TEXT;
}

static void hunt_choices(const struct play_table *t, struct buf *out) {
    static const char letters[] = "wsad";
    const struct treasure_hunt *h = treasure_of(t->state);
    const char *blank = "";
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++) {
        static const char *const words[] = {"up", "down", "left", "right"};
        if (treasure_move_check(h, t->person, d) != ERR_OK)
            continue;
        buf_printf(out, "%s%c %s", blank, letters[d], words[d]);
        blank = ", ";
    }
    buf_append_text(out, "; capitals walk to the next field");
}

static void hunt_reason(const struct play_table *t, struct buf *out) {
    const struct treasure_hunt *h = treasure_of(t->state);
    bool is_won = h->winner == t->person;
    assert(h->phase == TREASURE_OVER);
    if (h->end == TREASURE_BY_FORT)
        buf_append_text(out, is_won ? "you came into the bot's fort with your treasure (R23)"
                                    : "the bot came into your fort with its treasure (R23)");
    else
        buf_printf(out, "%u actions are played and it would be %s turn (R26)", h->actions,
                   is_won ? "the bot's" : "your");
}

/* R25: which way the bot goes is its secret. */
static void draw_treasure_hunt_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    (void)t;
    if (ply->action.kind == TREASURE_MOVE)
        buf_append_text(out, "the bot spent an action on a step; you cannot see where to");
}

const struct play_face treasure_hunt_face = {
    .game = &treasure_hunt_game,
    .help = "Find your treasure ($) in your half, then the fort of the bot (X) in the other.\n"
            "w a s d, arrows, or up left down right spend one action; a step takes 2 from\n"
            "grass to grass, 3 between grass and mountain, 4 between mountains.\n"
            "Capitals W A S D spend as many as it takes.\n"
            "Several in a line, such as DDSS, are played one after the other.\n"
            "Mountains show the eight fields around them.",
    .sends_at_once = true,
    .draw = hunt_draw,
    .tell = draw_treasure_hunt_tell,
    .parse = hunt_parse,
    .choices = hunt_choices,
    .reason = hunt_reason,
};
