/* Masters of Renaissance in a terminal of 80 x 24: the market beside the grid of cards, the faith track, the
 * own board, a line for every other seat, and actions as short words.
 *
 * Resources are letters everywhere, drawn and typed: c coins, t stones, v servants, d shields; f is faith. */
#include "games/renaissance/renaissance.h"
#include "base/mem.h"
#include "cli/play.h"

#include <assert.h>

enum { CELL_COLUMNS = 16, RULE_TEXT_BYTES = 48, TYPED_BYTES_MAX = 160 };

enum paint { PLAIN, STRONG, FAINT, RED, GREEN, YELLOW, BLUE, PURPLE, GREY, PAINTS };

static const char *const paint_codes[PAINTS] = {
    [PLAIN] = "0",         [STRONG] = "1",     [FAINT] = "2",         [RED] = "31",        [GREEN] = "32",
    [YELLOW] = "38;5;220", [BLUE] = "38;5;75", [PURPLE] = "38;5;141", [GREY] = "38;5;245",
};

static const char kind_letters[] = "ctvd";
static const char *const kind_words[RENAISSANCE_KINDS] = {"coin", "stone", "servant", "shield"};
static const char *const kinds_words[RENAISSANCE_KINDS] = {"coins", "stones", "servants", "shields"};

struct picture {
    const struct play_table *t;
    const struct renaissance *r;
    struct buf *out;
    unsigned me; /* the person; in a replay the seat that is on turn */
};

static void draw_renaissance_paint(const struct picture *p, enum paint paint) {
    if (p->t->has_color)
        buf_printf(p->out, "\x1b[%sm", paint_codes[paint]);
}

static enum paint colour_paint(unsigned colour) {
    static const uint8_t paints[RENAISSANCE_COLOURS] = {PURPLE, YELLOW, GREEN, BLUE};
    return (enum paint)paints[colour];
}

static enum paint marble_paint(unsigned marble) {
    static const uint8_t paints[RENAISSANCE_MARBLE_COLOURS] = {PLAIN, RED, BLUE, YELLOW, GREY, PURPLE};
    return (enum paint)paints[marble];
}

/* Some of each kind as "2c1v", "-" for nothing. Returns the length. */
static size_t counts_text(const uint8_t counts[RENAISSANCE_KINDS], unsigned faith,
                          char text[RULE_TEXT_BYTES]) {
    size_t size = 0;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        if (counts[kind] > 0)
            size += (size_t)snprintf(text + size, RULE_TEXT_BYTES - size, "%u%c", counts[kind],
                                     kind_letters[kind]);
    if (faith > 0)
        size += (size_t)snprintf(text + size, RULE_TEXT_BYTES - size, "%uf", faith);
    return size > 0 ? size : (size_t)snprintf(text, RULE_TEXT_BYTES, "-");
}

/* "1c1v>2t1f" */
static void production_text(const struct renaissance_card *card, char text[2 * RULE_TEXT_BYTES]) {
    char input[RULE_TEXT_BYTES], output[RULE_TEXT_BYTES];
    counts_text(card->input, 0, input);
    counts_text(card->output, card->faith, output);
    snprintf(text, 2 * RULE_TEXT_BYTES, "%s>%s", input, output);
}

static void marble_draw(const struct picture *p, unsigned marble) {
    draw_renaissance_paint(p, marble_paint(marble));
    buf_append_byte(p->out, renaissance_marble_word(marble)[0]);
    draw_renaissance_paint(p, PLAIN);
}

/* The market beside the six lines of the grid: 10 columns. */
static void market_line(const struct picture *p, unsigned line) {
    if (line == 0)
        buf_append_text(p->out, "   0 1 2 3");
    else if (line <= RENAISSANCE_ROWS) {
        buf_printf(p->out, " %u", line - 1);
        for (unsigned i = 0; i < RENAISSANCE_COLUMNS; i++) {
            buf_append_byte(p->out, ' ');
            marble_draw(p, p->r->market[(line - 1) * RENAISSANCE_COLUMNS + i]);
        }
    } else if (line == RENAISSANCE_ROWS + 1) {
        buf_append_text(p->out, " free ");
        marble_draw(p, p->r->free_marble);
        buf_append_text(p->out, "   ");
    } else
        buf_append_text(p->out, "          ");
}

static void cell_draw(const struct picture *p, unsigned pile, bool is_second_line) {
    char text[3 * RULE_TEXT_BYTES] = "", cost[RULE_TEXT_BYTES];
    unsigned card = p->r->visible[pile];
    if (card != 0 && is_second_line)
        production_text(renaissance_card(card), text);
    else if (card != 0) {
        uint8_t price[RENAISSANCE_KINDS];
        char id[RENAISSANCE_ID_BYTES];
        renaissance_price(&p->r->seat[p->me], card, price);
        counts_text(price, 0, cost);
        renaissance_card_id(card, id);
        snprintf(text, sizeof text, "%s %u: %s", id, renaissance_card(card)->points, cost);
    } else if (!is_second_line)
        snprintf(text, sizeof text, "none");
    draw_renaissance_paint(p, colour_paint(pile % RENAISSANCE_COLOURS));
    buf_printf(p->out, "%-*s", CELL_COLUMNS, text);
    draw_renaissance_paint(p, PLAIN);
}

static void draw_renaissance_line_end(const struct picture *p) {
    while (p->out->size > 0 && p->out->data[p->out->size - 1] == ' ')
        p->out->size--;
    buf_append_byte(p->out, '\n');
}

/* Level 3 on top, two lines each: id, points, price; production. */
static void table_draw(const struct picture *p) {
    buf_append_text(p->out, "Market       ");
    for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++) {
        const char *word = renaissance_colour_word(colour);
        draw_renaissance_paint(p, colour_paint(colour));
        buf_printf(p->out, "%-*s", CELL_COLUMNS, word);
        draw_renaissance_paint(p, PLAIN);
    }
    draw_renaissance_line_end(p);
    for (unsigned line = 0; line < 2 * RENAISSANCE_LEVELS; line++) {
        unsigned level = RENAISSANCE_LEVELS - line / 2;
        market_line(p, line);
        if (line % 2 == 0)
            buf_printf(p->out, " %u ", level);
        else
            buf_append_text(p->out, "   ");
        for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
            cell_draw(p, renaissance_pile(colour, level), line % 2 == 1);
        draw_renaissance_line_end(p);
    }
}

/* The spaces with their values, and below them who stands where. */
static void track_draw(const struct picture *p) {
    buf_append_text(p->out, "Faith");
    for (unsigned space = 0; space <= RENAISSANCE_FAITH_MAX; space++) {
        bool is_in_section = (space >= 5 && space <= 8) || (space >= 12 && space <= 16) || space >= 19;
        bool is_pope = space == 8 || space == 16 || space == 24;
        draw_renaissance_paint(p, is_pope ? RED : is_in_section ? YELLOW : PLAIN);
        buf_printf(p->out, "%3u", space);
    }
    draw_renaissance_paint(p, PLAIN);
    buf_append_text(p->out, "\n     ");
    for (unsigned space = 0; space <= RENAISSANCE_FAITH_MAX; space++) {
        char who[RENAISSANCE_SEATS_MAX + 2];
        size_t count = 0;
        for (unsigned seat = 0; seat < p->r->seats; seat++)
            if (p->r->seat[seat].faith == space)
                who[count++] = (char)('1' + seat);
        if (p->r->seats == 1 && p->r->lorenzo == space)
            who[count++] = 'L';
        who[count] = '\0';
        buf_printf(p->out, "%3s", count > 3 ? "all" : who);
    }
    draw_renaissance_line_end(p);
}

static void depots_draw(const struct picture *p, unsigned seat) {
    const struct renaissance_seat *s = &p->r->seat[seat];
    bool is_being_filled = seat == p->me && p->r->depot_next > 0;
    const struct renaissance_depot *depots = is_being_filled ? s->depot : renaissance_warehouse(p->r, seat);
    for (unsigned i = 0; i < renaissance_depot_count(s); i++) {
        unsigned capacity = renaissance_depot_capacity(s, i);
        buf_append_byte(p->out, '[');
        for (unsigned k = 0; k < capacity; k++)
            buf_append_byte(p->out, k < depots[i].count ? kind_letters[depots[i].kind] : '.');
        buf_append_byte(p->out, ']');
        if (i >= RENAISSANCE_BASE_DEPOTS)
            buf_append_byte(p->out, kind_letters[renaissance_depot_kind(s, i)]);
    }
}

static void strongbox_draw(const struct picture *p, const struct renaissance_seat *s) {
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        buf_printf(p->out, " %u%c", s->strongbox[kind], kind_letters[kind]);
}

static void draw_renaissance_seat_name(const struct picture *p, unsigned seat, char text[RULE_TEXT_BYTES]) {
    if (p->t->names != NULL)
        snprintf(text, RULE_TEXT_BYTES, "%.20s", p->t->names[seat]);
    else
        snprintf(text, RULE_TEXT_BYTES, seat == p->t->person ? "you" : "bot");
}

static void head_draw(const struct picture *p, unsigned seat) {
    const struct renaissance_seat *s = &p->r->seat[seat];
    char name[RULE_TEXT_BYTES];
    draw_renaissance_seat_name(p, seat, name);
    buf_printf(p->out, "%u %s%s: %u p", seat + 1, name, s->is_away ? " (away)" : "",
               renaissance_points(p->r, seat));
}

static void slots_draw(const struct picture *p, const struct renaissance_seat *s) {
    buf_append_text(p->out, " slots");
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        unsigned top = renaissance_top(s, slot);
        char id[RENAISSANCE_ID_BYTES], text[2 * RULE_TEXT_BYTES];
        buf_printf(p->out, "  %u: ", slot);
        if (top == 0) {
            buf_append_text(p->out, "empty");
            continue;
        }
        renaissance_card_id(top, id);
        production_text(renaissance_card(top), text);
        draw_renaissance_paint(p, colour_paint(renaissance_card(top)->colour));
        buf_printf(p->out, "%s/%u %s", id, renaissance_card(top)->level, text);
        draw_renaissance_paint(p, PLAIN);
    }
    draw_renaissance_line_end(p);
}

/* "L003 2 p: cards cost 1 stone less": its points and what it does. */
static void leader_text(const struct picture *p, unsigned number) {
    const struct renaissance_leader *leader = renaissance_leader(number);
    char id[RENAISSANCE_ID_BYTES];
    const char *kind = kind_words[leader->kind], *kinds = kinds_words[leader->kind];
    renaissance_leader_id(number, id);
    buf_printf(p->out, "%s %u p: ", id, leader->points);
    switch (leader->ability) {
    case RENAISSANCE_DISCOUNT: buf_printf(p->out, "cards cost 1 %s less", kind); break;
    case RENAISSANCE_STORE: buf_printf(p->out, "a depot for 2 %s", kinds); break;
    case RENAISSANCE_EXCHANGE: buf_printf(p->out, "white marbles give %s", kinds); break;
    default: buf_printf(p->out, "1 %s makes 1 of any and 1 faith", kind);
    }
}

static void leader_asks(const struct picture *p, unsigned number) {
    const struct renaissance_leader *leader = renaissance_leader(number);
    char text[RULE_TEXT_BYTES];
    const char *between = "; needs ";
    if (counts_text(leader->resources, 0, text) > 1) {
        buf_printf(p->out, "; needs %s", text);
        return;
    }
    for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++) {
        unsigned any = leader->cards[colour], second = leader->cards_level2[colour];
        struct span word = span_of(renaissance_colour_word(colour));
        if (any + second == 0)
            continue;
        buf_printf(p->out, "%s%u %.*s%s", between, any + second, (int)word.size, word.data,
                   second > 0 ? " of level 2" : "");
        between = ", ";
    }
}

static void leaders_draw(const struct picture *p, const struct renaissance_seat *s) {
    bool is_known = s->hand_count == 0 || s->hand[0] != RENAISSANCE_HIDDEN;
    for (unsigned i = 0; i < s->hand_count && is_known; i++) {
        buf_append_text(p->out, " hand  ");
        leader_text(p, s->hand[i]);
        leader_asks(p, s->hand[i]);
        draw_renaissance_line_end(p);
    }
    for (unsigned i = 0; i < s->played_count; i++) {
        buf_append_text(p->out, " played  ");
        leader_text(p, s->played[i]);
        draw_renaissance_line_end(p);
    }
}

static void own_draw(const struct picture *p) {
    const struct renaissance_seat *s = &p->r->seat[p->me];
    draw_renaissance_paint(p, STRONG);
    head_draw(p, p->me);
    draw_renaissance_paint(p, PLAIN);
    buf_append_text(p->out, ", depots ");
    depots_draw(p, p->me);
    buf_append_text(p->out, " strongbox");
    strongbox_draw(p, s);
    draw_renaissance_line_end(p);
    slots_draw(p, s);
    leaders_draw(p, s);
}

/* One line for a seat that is not one's own. */
static void other_draw(const struct picture *p, unsigned seat) {
    const struct renaissance_seat *s = &p->r->seat[seat];
    head_draw(p, seat);
    buf_printf(p->out, ", faith %u, %u cards, ", s->faith, renaissance_cards_owned(s));
    depots_draw(p, seat);
    strongbox_draw(p, s);
    buf_append_byte(p->out, ',');
    for (unsigned i = 0; i < s->played_count; i++) {
        char id[RENAISSANCE_ID_BYTES];
        renaissance_leader_id(s->played[i], id);
        buf_printf(p->out, " %s", id);
    }
    buf_printf(p->out, " +%u", s->hand_count);
    draw_renaissance_line_end(p);
}

static void status_draw(const struct picture *p) {
    const struct renaissance *r = p->r;
    char text[RULE_TEXT_BYTES];
    bool is_last = r->is_ending && r->phase != RENAISSANCE_OVER;
    buf_printf(p->out, "Round %u%s.", r->round + 1, is_last ? ", the last" : "");
    if (r->seats == 1) {
        buf_printf(p->out, " Lorenzo on %u", r->lorenzo);
        if (r->token_last != 0)
            buf_printf(p->out, "; his last token: %s", renaissance_token_text(r->token_last));
        buf_append_text(p->out,
                        r->phase >= RENAISSANCE_ARRANGING && r->phase <= RENAISSANCE_PAYING ? ".\n" : ".");
    }
    if (r->phase == RENAISSANCE_ARRANGING) {
        counts_text(r->taken, 0, text);
        buf_printf(p->out, " Taken: %s.", text);
        counts_text(r->pool, 0, text);
        buf_printf(p->out, " To place: %s.", text);
    }
    if (r->phase == RENAISSANCE_PAYING || r->phase == RENAISSANCE_CHOOSING) {
        counts_text(r->owed, 0, text);
        buf_printf(p->out, " Owed: %s.", text);
    }
    draw_renaissance_line_end(p);
}

static void renaissance_draw(const struct play_table *t, struct buf *out) {
    struct renaissance *view = mem_alloc(sizeof *view);
    if (t->names == NULL)
        game_view(t->game, t->state, t->person, (struct game_view *)view);
    else
        memcpy(view, t->state, sizeof *view); /* of a replay: already what may be shown */
    struct picture p = {t, view, out, t->names == NULL ? t->person : view->mover};
    if (view->phase > RENAISSANCE_SHOWING) {
        table_draw(&p);
        track_draw(&p);
        own_draw(&p);
        for (unsigned seat = 0; seat < view->seats; seat++)
            if (seat != p.me)
                other_draw(&p, seat);
        status_draw(&p);
    } else
        buf_append_text(out, "Nothing is laid out yet.\n");
    mem_free(view);
}

/* What fills depots, pays or ends a turn is seen in the picture and gets no line. */
static bool is_worth_telling(unsigned kind) {
    return kind != RENAISSANCE_FILL && kind != RENAISSANCE_PAY && kind != RENAISSANCE_RUN &&
           kind != RENAISSANCE_END_TURN;
}

static void purchase_tell(const struct renaissance *r, const struct action *a, struct buf *out) {
    unsigned card = r->visible[renaissance_pile(a->arg[0], a->arg[1])];
    char id[RENAISSANCE_ID_BYTES];
    renaissance_card_id(card, id);
    buf_printf(out, "buys %s, %s of level %u, into slot %u", id, renaissance_colour_word(a->arg[0]),
               a->arg[1], a->arg[2]);
}

static void turn_tell(const struct renaissance *r, const struct action *a, struct buf *out) {
    char id[RENAISSANCE_ID_BYTES];
    switch (a->kind) {
    case RENAISSANCE_KEEP: buf_append_text(out, "keeps two leaders"); return;
    case RENAISSANCE_PUT:
        buf_printf(out, "puts a %s into depot %u", kind_words[a->arg[0]], a->arg[1]);
        return;
    case RENAISSANCE_PUSH:
        buf_printf(out, "takes the marbles of %s %u", a->arg[0] < RENAISSANCE_ROWS ? "row" : "column",
                   a->arg[0] < RENAISSANCE_ROWS ? a->arg[0] : a->arg[0] - (unsigned)RENAISSANCE_ROWS);
        return;
    case RENAISSANCE_BUY: purchase_tell(r, a, out); return;
    case RENAISSANCE_BASE:
        buf_printf(out, "produces a %s for a %s and a %s", kind_words[a->arg[2]], kind_words[a->arg[0]],
                   kind_words[a->arg[1]]);
        return;
    case RENAISSANCE_CARD: buf_printf(out, "produces with the card in slot %u", a->arg[0]); return;
    case RENAISSANCE_LEADER: buf_printf(out, "produces a %s with a leader", kind_words[a->arg[1]]); return;
    case RENAISSANCE_PLAY:
        renaissance_leader_id(a->arg[0], id);
        buf_printf(out, "plays the leader %s", id);
        return;
    default: buf_append_text(out, "discards a leader for a step of faith");
    }
}

static void draw_renaissance_tell(const struct play_table *t, const struct play_ply *ply, struct buf *out) {
    if (ply->seat == SEAT_CHANCE || !is_worth_telling(ply->action.kind))
        return;
    buf_printf(out, "bot %u ", ply->seat + 1);
    turn_tell(renaissance_of(t->state), &ply->action, out);
}

static int kind_of_letter(char letter) {
    const char *found = letter == '\0' ? NULL : strchr(kind_letters, letter);
    return found == NULL ? -1 : (int)(found - kind_letters);
}

/* A word such as "tt" or "-" for the depot that is filled next. */
static bool parse_depot(const struct renaissance *r, struct span word, struct action *out) {
    int kind = word.size > 0 ? kind_of_letter(word.data[0]) : -1;
    if (span_is(word, "-")) {
        *out = renaissance_action(RENAISSANCE_FILL, r->depot_next, 0, 0, 0);
        return true;
    }
    for (size_t i = 0; i < word.size; i++)
        if (kind < 0 || word.data[i] != word.data[0])
            return false;
    *out = renaissance_action(RENAISSANCE_FILL, r->depot_next, (unsigned)kind, (unsigned)word.size, 0);
    return word.size > 0;
}

/* "pay": what is owed next, from the warehouse first. */
static struct action payment_usual(const struct renaissance *r, unsigned seat) {
    unsigned kind = 0, stock[RENAISSANCE_SOURCES], paid[RENAISSANCE_SOURCES];
    while (kind + 1 < RENAISSANCE_KINDS && r->owed[kind] == 0)
        kind++;
    unsigned left = r->owed[kind];
    renaissance_stock(&r->seat[seat], kind, stock);
    for (unsigned i = 0; i < RENAISSANCE_SOURCES; i++) {
        paid[i] = left < stock[i] ? left : stock[i];
        left -= paid[i];
    }
    return renaissance_action(RENAISSANCE_PAY, kind, paid[RENAISSANCE_FROM_BASE],
                              paid[RENAISSANCE_FROM_LEADERS], paid[RENAISSANCE_FROM_STRONGBOX]);
}

/* The text as the rules write it: resources by their words, lines with "push" before them. */
static void typed_expand(struct span typed, char text[TYPED_BYTES_MAX]) {
    size_t size = 0, at = 0;
    text[0] = '\0';
    while (at < typed.size) {
        size_t from = at;
        while (at < typed.size && typed.data[at] != ' ')
            at++;
        struct span word = span_make(typed.data + from, at - from);
        int kind = word.size == 1 ? kind_of_letter(word.data[0]) : -1;
        const char *before = size == 0 ? "" : " ";
        if (size == 0 && (span_is_nocase(word, "row") || span_is_nocase(word, "column")))
            before = "push ";
        if (word.size > 0 && size < TYPED_BYTES_MAX)
            size += (size_t)snprintf(text + size, TYPED_BYTES_MAX - size, "%s%.*s", before,
                                     kind < 0 ? (int)word.size : INT16_MAX,
                                     kind < 0 ? word.data : renaissance_resource_word((unsigned)kind));
        at++;
    }
}

static enum err renaissance_parse(const struct play_table *t, struct span *typed, struct action *out) {
    const struct renaissance *r = renaissance_of(t->state);
    struct span all = *typed;
    size_t size = 0, word_size = 0;
    while (size < all.size && all.data[size] != ',' && all.data[size] != ';')
        size++;
    while (word_size < size && all.data[word_size] != ' ')
        word_size++;
    if (r->phase == RENAISSANCE_ARRANGING && parse_depot(r, span_make(all.data, word_size), out)) {
        size_t skip = word_size + (word_size < all.size && word_size == size);
        *typed = span_make(all.data + skip, all.size - skip);
        return ERR_OK;
    }
    size_t skip = size + (size < all.size);
    *typed = span_make(all.data + skip, all.size - skip);
    struct span one = span_trim(span_make(all.data, size));
    if (span_is_nocase(one, "pay") && r->phase == RENAISSANCE_PAYING) {
        *out = payment_usual(r, t->person);
        return ERR_OK;
    }
    char text[TYPED_BYTES_MAX];
    typed_expand(one, text);
    return t->game->action_parse(t->state, t->person, span_of(text), out);
}

static void renaissance_choices(const struct play_table *t, struct buf *out) {
    const struct renaissance *r = renaissance_of(t->state);
    const struct renaissance_seat *s = &r->seat[t->person];
    if (s->stage == RENAISSANCE_MUST_KEEP)
        buf_printf(out, "keep two of your leaders, such as: keep L%03u L%03u", s->hand[0], s->hand[1]);
    else if (s->stage == RENAISSANCE_MUST_PUT)
        buf_printf(out, "put %u of your choice into depots, such as: put c 0", s->gifts);
    else if (r->phase == RENAISSANCE_BEFORE)
        buf_append_text(out, "row N, column N, buy COLOUR LEVEL SLOT, base A B GAIN, card SLOT,\n"
                             "leader N GAIN, play ID, discard ID");
    else if (r->phase == RENAISSANCE_ARRANGING)
        buf_printf(out, "what depots %u to %u hold, such as: c tt -", r->depot_next,
                   renaissance_depot_count(s) - 1);
    else if (r->phase == RENAISSANCE_CHOOSING)
        buf_append_text(out, "card SLOT, leader N GAIN, or run");
    else if (r->phase == RENAISSANCE_PAYING)
        buf_append_text(out, "pay, or pay KIND DEPOTS LEADERS STRONGBOX");
    else
        buf_append_text(out, s->hand_count > 0 ? "end, play ID, discard ID" : "end");
}

static void renaissance_reason(const struct play_table *t, struct buf *out) {
    static const char *const reasons[] = {
        [RENAISSANCE_SOLO_WON] = "you were faster than Lorenzo",
        [RENAISSANCE_SOLO_FAITH] = "Lorenzo is on the last space (R35)",
        [RENAISSANCE_SOLO_CARDS] = "a colour has no card left (R35)",
        [RENAISSANCE_SOLO_LEFT] = "nobody is left (R40)",
        [RENAISSANCE_SOLO_LATE] = "it took too many rounds (R41)",
    };
    const struct renaissance *r = renaissance_of(t->state);
    assert(r->end != RENAISSANCE_RUNNING);
    if (r->seats == 1) {
        buf_printf(out, "%s, with %u points", reasons[r->end], renaissance_points(r, 0));
        return;
    }
    buf_append_text(out, "the points are");
    for (unsigned seat = 0; seat < r->seats; seat++)
        buf_printf(out, " %u%s", renaissance_points(r, seat), seat == t->person ? " (you)" : "");
}

const struct play_face renaissance_face = {
    .game = &renaissance_game,
    .help = "c coins, t stones, v servants, d shields, f faith. A card says: D001 points:\n"
            "price, and below it what it produces. In a line, commas separate actions.\n"
            "row 1, column 3   take marbles; then what each depot holds from now on: c tt -\n"
            "buy purple 1 0    colour, level, slot; then pay, or pay v 1 0 1\n"
            "base c t d, card 0, leader 0 c, run   productions; then pay\n"
            "play L001, discard L001, end\n"
            "undo     takes back one pending action, undo all takes back all of them",
    .sends_at_once = true,
    .draw = renaissance_draw,
    .tell = draw_renaissance_tell,
    .parse = renaissance_parse,
    .choices = renaissance_choices,
    .reason = renaissance_reason,
};
