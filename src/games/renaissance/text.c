/* Masters of Renaissance in words: actions as text and back, and the description of a view.
 * docs/rules/renaissance.md lists the texts. */
#include "games/renaissance/internal.h"

#include <stdio.h>

enum { WORDS_MAX = 1 + RENAISSANCE_PILES, WORD_BYTES_MAX = 16 };

static const char marble_letters[] = "WRBYGP";

static const char *const phase_words[] = {"laying", "showing",   "dealing",  "keeping", "storing",
                                          "before", "arranging", "choosing", "paying",  "revealing",
                                          "after",  "turning",   "over"};
static const char *const end_words[] = {"running",    "points",    "solo-won", "solo-faith",
                                        "solo-cards", "solo-left", "solo-late"};
static const char *const stage_words[] = {"keep", "put", "ready"};
static const char *const ability_words[] = {"discount", "store", "exchange", "production"};

/* A word of the game in small letters. */
struct word {
    char text[WORD_BYTES_MAX];
};

static struct word renaissance_lower(const char *word) {
    struct word out = {"?"};
    for (size_t i = 0; word != NULL && i < sizeof out.text; i++) {
        out.text[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 'a' - 'A') : word[i];
        if (word[i] == '\0')
            break;
    }
    return out;
}

static struct word resource(unsigned kind) {
    return renaissance_lower(renaissance_resource_word(kind));
}

static struct word leader_word(unsigned leader) {
    struct word out = {"?"};
    if (leader != RENAISSANCE_HIDDEN)
        renaissance_leader_id(leader, out.text);
    return out;
}

static struct word card_word(unsigned card) {
    struct word out;
    renaissance_card_id(card, out.text);
    return out;
}

/* "lay WWRB/YGPW/BYGP W" */
static void format_lay(const uint8_t *arg, char text[ACTION_TEXT_BYTES_MAX]) {
    char *at = text + snprintf(text, ACTION_TEXT_BYTES_MAX, "lay ");
    for (unsigned i = 0; i < RENAISSANCE_MARBLES; i++) {
        if (i > 0 && i % RENAISSANCE_COLUMNS == 0)
            *at++ = i == RENAISSANCE_CELLS ? ' ' : '/';
        *at++ = arg[i] < RENAISSANCE_MARBLE_COLOURS ? marble_letters[arg[i]] : '?';
    }
    *at = '\0';
}

static void format_show(const uint8_t *arg, char text[ACTION_TEXT_BYTES_MAX]) {
    int at = snprintf(text, ACTION_TEXT_BYTES_MAX, "show");
    for (unsigned i = 0; i < RENAISSANCE_PILES; i++)
        at += snprintf(text + at, (size_t)(ACTION_TEXT_BYTES_MAX - at), " %s", card_word(arg[i]).text);
}

static void format_push(const uint8_t *arg, char text[ACTION_TEXT_BYTES_MAX]) {
    bool is_row = arg[0] < RENAISSANCE_ROWS;
    int at = snprintf(text, ACTION_TEXT_BYTES_MAX, "push %s %u", is_row ? "row" : "column",
                      is_row ? arg[0] : arg[0] - (unsigned)RENAISSANCE_ROWS);
    if (arg[1] > 0)
        snprintf(text + at, (size_t)(ACTION_TEXT_BYTES_MAX - at), " %u", arg[1]);
}

static void format_fill(const uint8_t *arg, char text[ACTION_TEXT_BYTES_MAX]) {
    if (arg[2] == 0)
        snprintf(text, ACTION_TEXT_BYTES_MAX, "fill %u -", arg[0]);
    else
        snprintf(text, ACTION_TEXT_BYTES_MAX, "fill %u %s %u", arg[0], resource(arg[1]).text, arg[2]);
}

static void format_setup(const struct action *action, char text[ACTION_TEXT_BYTES_MAX]) {
    const uint8_t *arg = action->arg;
    switch (action->kind) {
    case RENAISSANCE_LAY: format_lay(arg, text); return;
    case RENAISSANCE_SHOW: format_show(arg, text); return;
    case RENAISSANCE_DEAL:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "deal %u %s %s %s %s", arg[0], leader_word(arg[1]).text,
                 leader_word(arg[2]).text, leader_word(arg[3]).text, leader_word(arg[4]).text);
        return;
    case RENAISSANCE_REVEAL:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "reveal %s", card_word(arg[0]).text);
        return;
    case RENAISSANCE_TOKEN: snprintf(text, ACTION_TEXT_BYTES_MAX, "token %u", arg[0]); return;
    case RENAISSANCE_KEEP:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "keep %s %s", leader_word(arg[0]).text,
                 leader_word(arg[1]).text);
        return;
    default: snprintf(text, ACTION_TEXT_BYTES_MAX, "put %s %u", resource(arg[0]).text, arg[1]);
    }
}

void renaissance_action_format(const struct game_state *state, unsigned seat, const struct action *action,
                               char text[ACTION_TEXT_BYTES_MAX]) {
    (void)state;
    (void)seat;
    const uint8_t *arg = action->arg;
    snprintf(text, ACTION_TEXT_BYTES_MAX, "?");
    switch (action->kind) {
    case RENAISSANCE_PUSH: format_push(arg, text); return;
    case RENAISSANCE_FILL: format_fill(arg, text); return;
    case RENAISSANCE_BUY:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "buy %s %u %u",
                 renaissance_lower(renaissance_colour_word(arg[0])).text, arg[1], arg[2]);
        return;
    case RENAISSANCE_BASE:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "base %s %s %s", resource(arg[0]).text, resource(arg[1]).text,
                 resource(arg[2]).text);
        return;
    case RENAISSANCE_CARD: snprintf(text, ACTION_TEXT_BYTES_MAX, "card %u", arg[0]); return;
    case RENAISSANCE_LEADER:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "leader %u %s", arg[0], resource(arg[1]).text);
        return;
    case RENAISSANCE_RUN: snprintf(text, ACTION_TEXT_BYTES_MAX, "run"); return;
    case RENAISSANCE_PAY:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "pay %s %u %u %u", resource(arg[0]).text, arg[1], arg[2],
                 arg[3]);
        return;
    case RENAISSANCE_PLAY:
    case RENAISSANCE_DISCARD:
        snprintf(text, ACTION_TEXT_BYTES_MAX, "%s %s", action->kind == RENAISSANCE_PLAY ? "play" : "discard",
                 leader_word(arg[0]).text);
        return;
    case RENAISSANCE_END_TURN: snprintf(text, ACTION_TEXT_BYTES_MAX, "end"); return;
    default:
        if (action->kind >= RENAISSANCE_LAY && action->kind <= RENAISSANCE_PUT)
            format_setup(action, text);
    }
}

/* What a word of an action is read as; each gives one byte. */
enum word_type { AS_NUMBER, AS_RESOURCE, AS_COLOUR, AS_CARD, AS_LEADER };

/* The actions whose text is a word and then one word per byte. */
static const struct {
    const char *word;
    uint8_t kind, count;
    uint8_t types[5];
} plain_forms[] = {
    {"deal", RENAISSANCE_DEAL, 5, {AS_NUMBER, AS_LEADER, AS_LEADER, AS_LEADER, AS_LEADER}},
    {"reveal", RENAISSANCE_REVEAL, 1, {AS_CARD}},
    {"token", RENAISSANCE_TOKEN, 1, {AS_NUMBER}},
    {"keep", RENAISSANCE_KEEP, 2, {AS_LEADER, AS_LEADER}},
    {"put", RENAISSANCE_PUT, 2, {AS_RESOURCE, AS_NUMBER}},
    {"fill", RENAISSANCE_FILL, 3, {AS_NUMBER, AS_RESOURCE, AS_NUMBER}},
    {"buy", RENAISSANCE_BUY, 3, {AS_COLOUR, AS_NUMBER, AS_NUMBER}},
    {"base", RENAISSANCE_BASE, 3, {AS_RESOURCE, AS_RESOURCE, AS_RESOURCE}},
    {"card", RENAISSANCE_CARD, 1, {AS_NUMBER}},
    {"leader", RENAISSANCE_LEADER, 2, {AS_NUMBER, AS_RESOURCE}},
    {"run", RENAISSANCE_RUN, 0, {0}},
    {"pay", RENAISSANCE_PAY, 4, {AS_RESOURCE, AS_NUMBER, AS_NUMBER, AS_NUMBER}},
    {"play", RENAISSANCE_PLAY, 1, {AS_LEADER}},
    {"discard", RENAISSANCE_DISCARD, 1, {AS_LEADER}},
    {"end", RENAISSANCE_END_TURN, 0, {0}},
};

static bool parse_name(struct span word, const char *(*name)(unsigned), uint8_t *out) {
    for (unsigned i = 0; name(i) != NULL; i++)
        if (span_is_nocase(word, name(i))) {
            *out = (uint8_t)i;
            return true;
        }
    return false;
}

static bool parse_number(struct span word, uint8_t *out) {
    enum { NUMBER_MAX = 99 };
    int64_t number;
    if (!span_to_int(word, &number) || number < 0 || number > NUMBER_MAX)
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool parse_word(struct span word, enum word_type type, uint8_t *out) {
    switch (type) {
    case AS_NUMBER: return parse_number(word, out);
    case AS_RESOURCE: return parse_name(word, renaissance_resource_word, out);
    case AS_COLOUR: return parse_name(word, renaissance_colour_word, out);
    case AS_CARD: *out = (uint8_t)renaissance_card_of_id(word); return *out != 0;
    default: *out = (uint8_t)renaissance_leader_of_id(word); return *out != 0;
    }
}

static bool parse_plain(const struct span *words, size_t count, struct action *out) {
    for (size_t i = 0; i < sizeof plain_forms / sizeof *plain_forms; i++) {
        if (count != 1u + plain_forms[i].count || !span_is_nocase(words[0], plain_forms[i].word))
            continue;
        bool is_good = true;
        out->kind = plain_forms[i].kind;
        for (size_t k = 0; k + 1 < count && is_good; k++)
            is_good = parse_word(words[k + 1], (enum word_type)plain_forms[i].types[k], &out->arg[k]);
        /* An empty depot is written otherwise. */
        return is_good && (out->kind != RENAISSANCE_FILL || out->arg[2] > 0);
    }
    return false;
}

static bool parse_lay(struct span rows, struct span free_marble, struct action *out) {
    enum { ROW = RENAISSANCE_COLUMNS + 1 };
    unsigned cell = 0;
    if (rows.size != RENAISSANCE_ROWS * ROW - 1 || free_marble.size != 1)
        return false;
    out->kind = RENAISSANCE_LAY;
    for (size_t i = 0; i <= rows.size; i++) {
        char c = i < rows.size ? rows.data[i] : free_marble.data[0];
        const char *letter = c == '\0' ? NULL : strchr(marble_letters, c);
        if (i < rows.size && i % ROW == ROW - 1 ? c != '/' : letter == NULL)
            return false;
        if (letter != NULL && !(i < rows.size && i % ROW == ROW - 1))
            out->arg[cell++] = (uint8_t)(letter - marble_letters);
    }
    return true;
}

static bool parse_show(const struct span *words, struct action *out) {
    out->kind = RENAISSANCE_SHOW;
    for (unsigned i = 0; i < RENAISSANCE_PILES; i++)
        if (!parse_word(words[1 + i], AS_CARD, &out->arg[i]))
            return false;
    return true;
}

static bool parse_push(const struct span *words, size_t count, struct action *out) {
    bool is_row = span_is_nocase(words[1], "row");
    uint8_t index;
    out->kind = RENAISSANCE_PUSH;
    if ((!is_row && !span_is_nocase(words[1], "column")) || !parse_number(words[2], &index) ||
        index >= (is_row ? RENAISSANCE_ROWS : RENAISSANCE_COLUMNS))
        return false;
    out->arg[0] = (uint8_t)(is_row ? index : RENAISSANCE_ROWS + index);
    return count == 3 || parse_number(words[3], &out->arg[1]);
}

enum err renaissance_action_parse(const struct game_state *state, unsigned seat, struct span text,
                                  struct action *out) {
    (void)state;
    (void)seat;
    struct span words[WORDS_MAX];
    size_t count = span_words(text, words, WORDS_MAX);
    bool is_known = false;
    memset(out, 0, sizeof *out);
    if (count == 3 && span_is_nocase(words[0], "fill") && span_is(words[2], "-")) {
        out->kind = RENAISSANCE_FILL;
        is_known = parse_number(words[1], &out->arg[0]);
    } else if (count == 3 && span_is_nocase(words[0], "lay"))
        is_known = parse_lay(words[1], words[2], out);
    else if (count == 1 + RENAISSANCE_PILES && span_is_nocase(words[0], "show"))
        is_known = parse_show(words, out);
    else if ((count == 3 || count == 4) && span_is_nocase(words[0], "push"))
        is_known = parse_push(words, count, out);
    else if (count > 0)
        is_known = parse_plain(words, count, out);
    return is_known ? ERR_OK : ERR_ACTION_TEXT;
}

static void renaissance_write_word(struct writer *w, const char *name, struct word word) {
    writer_text(w, name, span_of(word.text));
}

/* So many of each kind, those of which there are any. */
static void write_counts(struct writer *w, const char *name, const uint8_t counts[RENAISSANCE_KINDS]) {
    writer_object_begin(w, name);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        if (counts[kind] > 0)
            writer_int(w, resource(kind).text, counts[kind]);
    writer_object_end(w);
}

static void write_market(struct writer *w, const struct renaissance *r) {
    writer_list_begin(w, "market");
    for (unsigned row = 0; row < RENAISSANCE_ROWS; row++) {
        char letters[RENAISSANCE_COLUMNS];
        for (unsigned i = 0; i < RENAISSANCE_COLUMNS; i++)
            letters[i] = marble_letters[r->market[row * RENAISSANCE_COLUMNS + i]];
        writer_text(w, NULL, span_make(letters, sizeof letters));
    }
    writer_list_end(w);
    writer_text(w, "free", span_make(&marble_letters[r->free_marble], 1));
}

static void renaissance_write_card(struct writer *w, const char *name, unsigned card) {
    if (card == 0)
        writer_null(w, name);
    else
        renaissance_write_word(w, name, card_word(card));
}

/* Level by level from 1, in each purple, yellow, green, blue. */
static void renaissance_text_write_grid(struct writer *w, const struct renaissance *r) {
    writer_list_begin(w, "grid");
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
        renaissance_write_card(w, NULL, r->visible[pile]);
    writer_list_end(w);
    writer_list_begin(w, "left");
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
        writer_int(w, NULL, renaissance_pile_left(r, pile));
    writer_list_end(w);
}

static void renaissance_write_leaders(struct writer *w, const char *name, const uint8_t *leaders,
                                      unsigned count) {
    writer_list_begin(w, name);
    for (unsigned i = 0; i < count; i++)
        renaissance_write_word(w, NULL, leader_word(leaders[i]));
    writer_list_end(w);
}

static void renaissance_write_depots(struct writer *w, const char *name,
                                     const struct renaissance_depot *depots, unsigned count) {
    writer_list_begin(w, name);
    for (unsigned i = 0; i < count; i++) {
        writer_list_begin(w, NULL);
        for (unsigned k = 0; k < depots[i].count; k++)
            renaissance_write_word(w, NULL, resource(depots[i].kind));
        writer_list_end(w);
    }
    writer_list_end(w);
}

static void renaissance_write_slots(struct writer *w, const struct renaissance_seat *s) {
    writer_list_begin(w, "slots");
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        writer_list_begin(w, NULL);
        for (unsigned i = 0; i < RENAISSANCE_LEVELS && s->slot[slot][i] != 0; i++)
            renaissance_write_word(w, NULL, card_word(s->slot[slot][i]));
        writer_list_end(w);
    }
    writer_list_end(w);
}

static void renaissance_write_seat(struct writer *w, const struct renaissance *r, unsigned seat) {
    const struct renaissance_seat *s = &r->seat[seat];
    writer_object_begin(w, NULL);
    writer_int(w, "faith", s->faith);
    writer_int(w, "points", renaissance_points(r, seat));
    writer_text(w, "setup", span_of(stage_words[s->stage]));
    if (s->gifts > 0)
        writer_int(w, "gifts", s->gifts);
    writer_bool(w, "away", s->is_away != 0);
    writer_bool(w, "retired", s->is_retired != 0);
    renaissance_write_depots(w, "warehouse", renaissance_warehouse(r, seat), renaissance_depot_count(s));
    writer_object_begin(w, "strongbox");
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        writer_int(w, resource(kind).text, s->strongbox[kind]);
    writer_object_end(w);
    renaissance_write_slots(w, s);
    renaissance_write_leaders(w, "hand", s->hand, s->hand_count);
    renaissance_write_leaders(w, "played", s->played, s->played_count);
    renaissance_write_leaders(w, "discarded", s->discarded, s->discarded_count);
    writer_list_begin(w, "tiles");
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        if (r->report[i].kept & SEAT_BIT(seat))
            writer_int(w, NULL, renaissance_tile_points(i));
    writer_list_end(w);
    writer_object_end(w);
}

/* What the mover has begun. */
static void write_pending(struct writer *w, const struct renaissance *r) {
    if (r->phase == RENAISSANCE_ARRANGING) {
        bool is_row = r->line < RENAISSANCE_ROWS;
        writer_text(w, "pushed", is_row ? SPAN("row") : SPAN("column"));
        writer_int(w, "line", is_row ? r->line : r->line - RENAISSANCE_ROWS);
        write_counts(w, "taken", r->taken);
        write_counts(w, "pool", r->pool);
        writer_int(w, "depot", r->depot_next);
        renaissance_write_depots(w, "filled", r->seat[r->mover].depot, r->depot_next);
    }
    if (r->phase == RENAISSANCE_PAYING || r->phase == RENAISSANCE_CHOOSING) {
        if (r->bought != 0) {
            renaissance_write_card(w, "buying", r->bought);
            writer_int(w, "slot", r->slot);
        }
        write_counts(w, "owed", r->owed);
    }
}

static void write_solo(struct writer *w, const struct renaissance *r) {
    writer_object_begin(w, "lorenzo");
    writer_int(w, "faith", r->lorenzo);
    writer_int(w, "tokens", __builtin_popcount(r->tokens));
    if (r->token_last != 0)
        writer_text(w, "token", span_of(renaissance_token_text(r->token_last)));
    writer_object_end(w);
}

static void write_card_details(struct writer *w, unsigned number) {
    const struct renaissance_card *card = renaissance_card(number);
    writer_object_begin(w, card_word(number).text);
    renaissance_write_word(w, "colour", renaissance_lower(renaissance_colour_word(card->colour)));
    writer_int(w, "level", card->level);
    writer_int(w, "points", card->points);
    write_counts(w, "cost", card->cost);
    write_counts(w, "input", card->input);
    write_counts(w, "output", card->output);
    writer_int(w, "faith", card->faith);
    writer_object_end(w);
}

/* What is printed on the cards that lie open, so that nobody needs a list of all. */
static void write_cards(struct writer *w, const struct renaissance *r) {
    writer_object_begin(w, "cards");
    for (unsigned pile = 0; pile < RENAISSANCE_PILES; pile++)
        if (r->visible[pile] != 0)
            write_card_details(w, r->visible[pile]);
    for (unsigned i = 0; i < r->seats * RENAISSANCE_SLOTS; i++)
        for (unsigned k = 0; k < RENAISSANCE_LEVELS; k++) {
            unsigned card = r->seat[i / RENAISSANCE_SLOTS].slot[i % RENAISSANCE_SLOTS][k];
            if (card != 0)
                write_card_details(w, card);
        }
    writer_object_end(w);
}

static void write_leader_details(struct writer *w, const uint8_t *leaders, unsigned count) {
    for (unsigned i = 0; i < count && leaders[i] != RENAISSANCE_HIDDEN; i++) {
        const struct renaissance_leader *leader = renaissance_leader(leaders[i]);
        writer_object_begin(w, leader_word(leaders[i]).text);
        writer_text(w, "ability", span_of(ability_words[leader->ability]));
        renaissance_write_word(w, "resource", resource(leader->kind));
        writer_int(w, "points", leader->points);
        write_counts(w, "asks", leader->resources);
        for (unsigned k = 0; k < 2; k++) {
            writer_object_begin(w, k == 0 ? "asks-cards" : "asks-cards-level-two");
            const uint8_t *asked = k == 0 ? leader->cards : leader->cards_level2;
            for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
                if (asked[colour] > 0)
                    writer_int(w, renaissance_lower(renaissance_colour_word(colour)).text, asked[colour]);
            writer_object_end(w);
        }
        writer_object_end(w);
    }
}

void renaissance_describe(const struct game_view *view, struct writer *w) {
    const struct renaissance *r = renaissance_of_view(view);
    writer_object_begin(w, NULL);
    writer_text(w, "phase", span_of(phase_words[r->phase]));
    writer_int(w, "round", r->round);
    if (r->phase == RENAISSANCE_OVER)
        writer_text(w, "by", span_of(end_words[r->end]));
    else if (r->phase >= RENAISSANCE_BEFORE)
        writer_int(w, "mover", r->mover);
    writer_bool(w, "ending", r->is_ending != 0);
    if (r->phase > RENAISSANCE_LAYING)
        write_market(w, r);
    if (r->phase > RENAISSANCE_SHOWING)
        renaissance_text_write_grid(w, r);
    write_pending(w, r);
    if (r->seats == 1)
        write_solo(w, r);
    writer_list_begin(w, "reports");
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        if (r->report[i].happened)
            writer_int(w, NULL, renaissance_pope_space(i));
    writer_list_end(w);
    writer_list_begin(w, "seats");
    for (unsigned seat = 0; seat < r->seats; seat++)
        renaissance_write_seat(w, r, seat);
    writer_list_end(w);
    write_cards(w, r);
    writer_object_begin(w, "leaders");
    for (unsigned seat = 0; seat < r->seats; seat++) {
        const struct renaissance_seat *s = &r->seat[seat];
        write_leader_details(w, s->hand, s->hand_count);
        write_leader_details(w, s->played, s->played_count);
        write_leader_details(w, s->discarded, s->discarded_count);
    }
    writer_object_end(w);
    writer_object_end(w);
}
