/* Treasure Hunt in words: actions as text and back, and the description of a view.
 * docs/rules/treasure-hunt.md lists the texts. */
#include "games/treasure_hunt/treasure_hunt.h"

#include <stdio.h>

static const char *const direction_words[TREASURE_DIRECTIONS] = {"up", "down", "left", "right"};
static const char *const kind_words[] = {"absent", "seed", "course"};
static const char *const shape_words[] = {"stacked", "side-by-side"};
static const char terrain_letters[] = "?WGM";
static const char fort_letter = 'F'; /* grass of a half map on which the fort may come to stand */
static const char drawn_word[] = "drawn";

enum { FIELD_TEXT_BYTES = 24, WORDS_MAX = 4 };

/* A field of the map as "x,y"; "?" when it is hidden, "-" when there is none. */
static void field_format(unsigned width, unsigned field, char text[FIELD_TEXT_BYTES]) {
    if (field == TREASURE_HIDDEN || field == TREASURE_NONE)
        snprintf(text, FIELD_TEXT_BYTES, "%s", field == TREASURE_HIDDEN ? "?" : "-");
    else
        snprintf(text, FIELD_TEXT_BYTES, "%u,%u", field % width, field / width);
}

static bool field_parse(struct span text, unsigned width, unsigned fields, uint8_t *out) {
    int64_t x, y;
    const char *comma = text.size == 0 ? NULL : memchr(text.data, ',', text.size);
    if (span_is(text, "-")) {
        *out = TREASURE_NONE;
        return true;
    }
    if (comma == NULL)
        return false;
    size_t size = (size_t)(comma - text.data);
    if (!span_to_int(span_make(text.data, size), &x) ||
        !span_to_int(span_make(comma + 1, text.size - size - 1), &y) || x < 0 || x >= width || y < 0 ||
        y >= fields / width)
        return false;
    *out = (uint8_t)(y * width + x);
    return true;
}

/* "half GGGGGGGGGG/..../GGGGGGGGGG 3,2"; of several forts "half GGFGGGFGGG/..../GGGGGGGGGG drawn" */
static void half_format(const struct action *action, char text[ACTION_TEXT_BYTES_MAX]) {
    struct treasure_half half;
    char fort[FIELD_TEXT_BYTES], rows[TREASURE_HALF_FIELDS + TREASURE_HALF_HEIGHT], *at = rows;
    unsigned fort_field = action->arg[13];
    treasure_half_of_action(action, &half);
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++) {
        if (i > 0 && i % TREASURE_HALF_WIDTH == 0)
            *at++ = '/';
        *at++ = fort_field == TREASURE_DRAWN && half.is_fort[i] != 0 ? fort_letter
                                                                     : terrain_letters[half.terrain[i]];
    }
    *at = '\0';
    if (fort_field == TREASURE_DRAWN)
        snprintf(fort, sizeof fort, "%s", drawn_word);
    else
        field_format(TREASURE_HALF_WIDTH, fort_field, fort);
    snprintf(text, ACTION_TEXT_BYTES_MAX, "half %s %s", rows, fort);
}

static bool half_parse(struct span rows, struct span fort, struct action *out) {
    struct treasure_half half = {0};
    unsigned forts = 0;
    uint8_t fort_field = TREASURE_NONE;
    bool is_drawn = span_is_nocase(fort, drawn_word);
    if (rows.size != TREASURE_HALF_FIELDS + TREASURE_HALF_HEIGHT - 1 ||
        (!is_drawn && !field_parse(fort, TREASURE_HALF_WIDTH, TREASURE_HALF_FIELDS, &fort_field)))
        return false;
    for (unsigned i = 0; i < rows.size; i++) {
        unsigned column = i % (TREASURE_HALF_WIDTH + 1), row = i / (TREASURE_HALF_WIDTH + 1);
        bool is_fort = is_drawn && rows.data[i] == fort_letter;
        const char *letter = is_fort ? terrain_letters + TREASURE_GRASS
                                     : memchr(terrain_letters + 1, rows.data[i], TREASURE_MOUNTAIN);
        if (column == TREASURE_HALF_WIDTH ? rows.data[i] != '/' : letter == NULL)
            return false;
        if (column == TREASURE_HALF_WIDTH)
            continue;
        half.terrain[row * TREASURE_HALF_WIDTH + column] = (uint8_t)(letter - terrain_letters);
        half.is_fort[row * TREASURE_HALF_WIDTH + column] = is_fort;
        forts += is_fort;
    }
    if (is_drawn && forts < 2)
        return false; /* one fort has a form of its own */
    if (fort_field != TREASURE_NONE)
        half.is_fort[fort_field] = 1;
    *out = treasure_half_action(&half);
    return true;
}

static void pair_format(const struct treasure_hunt *h, const char *word, const struct action *action,
                        char text[ACTION_TEXT_BYTES_MAX]) {
    char first[FIELD_TEXT_BYTES], second[FIELD_TEXT_BYTES];
    field_format(treasure_width(h), action->arg[0], first);
    field_format(treasure_width(h), action->arg[1], second);
    snprintf(text, ACTION_TEXT_BYTES_MAX, "%s %s %s", word, first, second);
}

void treasure_action_format(const struct game_state *state, unsigned seat, const struct action *action,
                            char text[ACTION_TEXT_BYTES_MAX]) {
    (void)seat;
    const uint8_t *arg = action->arg;
    switch (action->kind) {
    case TREASURE_ENTER:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "enter %s", kind_words[arg[0] <= TREASURE_COURSE ? arg[0] : 0]);
        return;
    case TREASURE_JOIN:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "join %u %s %u", arg[0], shape_words[arg[1] & 1], arg[2]);
        return;
    case TREASURE_HALF: half_format(action, text); return;
    case TREASURE_FORT: {
        char field[FIELD_TEXT_BYTES];
        field_format(treasure_width(treasure_of(state)), arg[0], field);
        snprintf(text, ACTION_TEXT_BYTES_MAX, "fort %s", field);
        return;
    }
    case TREASURE_HIDE: pair_format(treasure_of(state), "hide", action, text); return;
    case TREASURE_FAKE: pair_format(treasure_of(state), "fake", action, text); return;
    case TREASURE_MOVE:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "%s",
                 arg[0] < TREASURE_DIRECTIONS ? direction_words[arg[0]] : "move ?");
        return;
    default: snprintf(text, ACTION_TEXT_BYTES_MAX, "?");
    }
}

/* The index of a word in a list, or -1. */
static int treasure_word_index(struct span word, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (span_is_nocase(word, words[i]))
            return i;
    return -1;
}

static bool join_parse(const struct span words[WORDS_MAX], struct action *out) {
    int64_t first, origin;
    int shape = treasure_word_index(words[2], shape_words, 2);
    if (!span_to_int(words[1], &first) || first < 0 || first >= TREASURE_SEATS || shape < 0 ||
        !span_to_int(words[3], &origin) || origin < 0 || origin >= TREASURE_SEATS)
        return false;
    *out = (struct action){.kind = TREASURE_JOIN, .arg = {(uint8_t)first, (uint8_t)shape, (uint8_t)origin}};
    return true;
}

static bool pair_parse(const struct treasure_hunt *h, const struct span words[WORDS_MAX],
                       struct action *out) {
    unsigned width = treasure_width(h);
    *out = (struct action){.kind = span_is_nocase(words[0], "hide") ? TREASURE_HIDE : TREASURE_FAKE};
    return field_parse(words[1], width, TREASURE_FIELDS, &out->arg[0]) &&
           field_parse(words[2], width, TREASURE_FIELDS, &out->arg[1]);
}

enum err treasure_action_parse(const struct game_state *state, unsigned seat, struct span text,
                               struct action *out) {
    (void)seat;
    struct span words[WORDS_MAX];
    size_t count = span_words(text, words, WORDS_MAX);
    int index;
    bool is_known = false;
    if (count == 1 && (index = treasure_word_index(words[0], direction_words, TREASURE_DIRECTIONS)) >= 0) {
        *out = treasure_action_move((enum treasure_direction)index);
        is_known = true;
    } else if (count == 2 && span_is_nocase(words[0], "enter") &&
               (index = treasure_word_index(words[1], kind_words, TREASURE_COURSE + 1)) > 0) {
        *out = treasure_action_enter((enum treasure_kind)index);
        is_known = true;
    } else if (count == 3 && span_is_nocase(words[0], "half"))
        is_known = half_parse(words[1], words[2], out);
    else if (count == 3 && (span_is_nocase(words[0], "hide") || span_is_nocase(words[0], "fake")))
        is_known = pair_parse(treasure_of(state), words, out);
    else if (count == 2 && span_is_nocase(words[0], "fort")) {
        *out = (struct action){.kind = TREASURE_FORT};
        is_known = field_parse(words[1], treasure_width(treasure_of(state)), TREASURE_FIELDS, &out->arg[0]);
    } else if (count == 4 && span_is_nocase(words[0], "join"))
        is_known = join_parse(words, out);
    return is_known ? ERR_OK : ERR_ACTION_TEXT;
}

static void write_field(struct writer *w, const char *name, unsigned width, unsigned field) {
    if (field == TREASURE_NONE)
        writer_null(w, name);
    else if (field == TREASURE_HIDDEN)
        writer_text(w, name, SPAN("hidden"));
    else {
        writer_list_begin(w, name);
        writer_int(w, NULL, field % width);
        writer_int(w, NULL, field / width);
        writer_list_end(w);
    }
}

static void write_map(struct writer *w, const struct treasure_hunt *h) {
    unsigned width = treasure_width(h), height = treasure_height(h);
    writer_text(w, "shape", span_of(shape_words[h->shape]));
    writer_int(w, "origin", h->origin);
    writer_list_begin(w, "map");
    for (unsigned y = 0; y < height; y++) {
        char row[2 * TREASURE_HALF_WIDTH];
        for (unsigned x = 0; x < width; x++)
            row[x] = terrain_letters[h->terrain[y * width + x]];
        writer_text(w, NULL, span_make(row, width));
    }
    writer_list_end(w);
}

static void treasure_write_seat(struct writer *w, const struct treasure_hunt *h, unsigned seat) {
    const struct treasure_seat *s = &h->seat[seat];
    unsigned width = treasure_width(h);
    writer_object_begin(w, NULL);
    writer_text(w, "kind", span_of(kind_words[s->kind]));
    writer_int(w, "actions", s->actions);
    writer_bool(w, "collected", s->has_treasure);
    write_field(w, "position", width, s->position);
    write_field(w, "fort", width, s->fort);
    write_field(w, "treasure", width, s->treasure);
    write_field(w, "told", width, s->fake);
    if (s->progress > 0) {
        writer_text(w, "direction", span_of(direction_words[s->direction]));
        writer_int(w, "progress", s->progress);
    }
    writer_list_begin(w, "seen");
    for (unsigned field = 0; field < TREASURE_FIELDS; field++)
        if (treasure_set_has(s->seen, field))
            write_field(w, NULL, width, field);
    writer_list_end(w);
    writer_object_end(w);
}

/* Those of which one is drawn, for the seat that named them. */
static void write_forts(struct writer *w, const struct treasure_hunt *h) {
    writer_list_begin(w, "forts");
    for (unsigned i = 0; i < TREASURE_HALF_FIELDS; i++)
        if ((h->fort_set[i / 8] >> i % 8 & 1) != 0)
            write_field(w, NULL, treasure_width(h), treasure_field_of_half(h, h->mover, i));
    writer_list_end(w);
}

void treasure_describe(const struct game_view *view, struct writer *w) {
    static const char *const phases[] = {"entering", "joining", "halves", "drawing",
                                         "hiding",   "moving",  "faking", "over"};
    static const char *const ends[] = {"running", "fort", "limit"};
    const struct treasure_hunt *h = treasure_of_view(view);
    writer_object_begin(w, NULL);
    writer_text(w, "phase", span_of(phases[h->phase]));
    if (h->phase == TREASURE_OVER) {
        writer_int(w, "winner", h->winner);
        writer_text(w, "by", span_of(ends[h->end]));
    } else if (h->phase >= TREASURE_HALVES)
        writer_int(w, "mover", h->mover);
    writer_int(w, "actions", h->actions);
    writer_int(w, "actions-max", h->actions_max);
    if (h->phase >= TREASURE_HALVES)
        write_map(w, h);
    if (h->phase == TREASURE_DRAWING)
        write_forts(w, h);
    writer_list_begin(w, "seats");
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++)
        treasure_write_seat(w, h, seat);
    writer_list_end(w);
    writer_object_end(w);
}
