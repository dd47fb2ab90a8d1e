/* Cards of shared links: who opens the address of a table, a player or a championship is answered with the
 * document of the page, and programs that show links read in its head what it is about. A card says what
 * anybody could read in the lobby: of a private table no more than its game. */
#include "base/mem.h"
#include "base/utf8.h"
#include "host/championship/championship.h"
#include "wire/api/asking.h"
#include "wire/api/past.h"
#include "wire/http/page_route.h"

#include <stdio.h>

enum {
    CARD_TITLE_BYTES_MAX = 1024, /* four names of 50 characters fit */
    CARD_NAME_BYTES_MAX = 200,
    CARD_NAME_CHARS_MAX = 50,
};

/* Texts of one card while it is made; what does not fit is cut off between two characters. */
struct card {
    char title[CARD_TITLE_BYTES_MAX], about[CARD_TITLE_BYTES_MAX];
    const char *game; /* whose picture it has; NULL: the one of the page */
};

static void card_text(char out[CARD_TITLE_BYTES_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void card_text(char out[CARD_TITLE_BYTES_MAX], const char *format, ...) {
    va_list list;
    va_start(list, format);
    int wanted = vsnprintf(out, CARD_TITLE_BYTES_MAX, format, list);
    va_end(list);
    size_t size = strlen(out);
    while (wanted >= CARD_TITLE_BYTES_MAX && size > 0 && !utf8_is_valid(span_make(out, size)))
        size--;
    out[size] = '\0';
}

static void card_answer(const struct asking *a, int status, const struct card *card) {
    const struct page_card told = {span_of(card->title), span_of(card->about), page_picture(card->game)};
    page_answer_card(a->request, a->exchange, status, &told);
}

/* The page itself says that there is nothing at this address. */
static void card_answer_none(const struct asking *a) {
    page_answer_card(a->request, a->exchange, 404, NULL);
}

/* A name that its owner comes back by is not told to everybody, as in lists. */
static const char *card_name(const struct snapshot *s, unsigned seat) {
    return s->is_claimable[seat] ? "somebody" : s->names[seat];
}

static bool card_is_any(const struct snapshot *s, unsigned seat) {
    (void)s;
    (void)seat;
    return true;
}

static bool card_is_winner(const struct snapshot *s, unsigned seat) {
    return api_is_winner(s, seat);
}

/* "Ann", "Ann and Bob", "Ann, Bob and Cid": who sits there and is meant. Returns how many. */
static unsigned card_names(const struct snapshot *s, bool (*is_meant)(const struct snapshot *, unsigned seat),
                           char out[CARD_TITLE_BYTES_MAX]) {
    unsigned seats[SEATS_MAX], count = 0;
    for (unsigned seat = 0; seat < s->options->seat_count; seat++)
        if (s->names[seat] != NULL && s->names[seat][0] != '\0' && is_meant(s, seat))
            seats[count++] = seat;
    size_t size = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < count && size < CARD_TITLE_BYTES_MAX; i++)
        size += (size_t)snprintf(out + size, CARD_TITLE_BYTES_MAX - size, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " and "
                                                  : ", ",
                                 card_name(s, seats[i]));
    return count;
}

static void card_of_finished(const struct snapshot *s, const char *names, struct card *out) {
    char winners[CARD_TITLE_BYTES_MAX];
    unsigned count = card_names(s, card_is_winner, winners);
    card_text(out->title, API_CARD_PLAYERS, s->game->title, names);
    if (count == 0)
        card_text(out->about, API_CARD_UNDECIDED);
    else
        card_text(out->about, API_CARD_WON, winners, count == 1 ? "has" : "have");
}

/* What everybody may know of a table. */
static void card_of_table(const struct snapshot *s, bool is_private, struct card *out) {
    char names[CARD_TITLE_BYTES_MAX];
    out->game = s->game->name;
    if (is_private) {
        card_text(out->title, API_CARD_TABLE, s->game->title);
        card_text(out->about, API_CARD_PRIVATE);
        return;
    }
    unsigned count = card_names(s, card_is_any, names);
    const char *state = snapshot_state(s);
    if (count == 0) {
        card_text(out->title, API_CARD_TABLE, s->game->title);
        card_text(out->about, API_CARD_WAITS);
    } else if (strcmp(state, "open") == 0) {
        card_text(out->title, API_CARD_INVITATION, names, count == 1 ? "invites" : "invite", s->game->title);
        card_text(out->about, API_CARD_INVITES);
    } else if (strcmp(state, "running") == 0) {
        card_text(out->title, API_CARD_PLAYERS, s->game->title, names);
        card_text(out->about, API_CARD_RUNS);
    } else {
        card_of_finished(s, names, out);
    }
}

/* A position of the past: what it was about then, and no result of later. */
static void card_of_position(const struct snapshot *s, bool is_private, struct card *out) {
    char names[CARD_TITLE_BYTES_MAX];
    card_of_table(s, is_private, out);
    if (is_private)
        return;
    card_names(s, card_is_any, names);
    card_text(out->title, API_CARD_PLAYERS, s->game->title, names);
    card_text(out->about, API_CARD_POSITION);
}

/* /t/CODE, /t/CODE/at/VERSION, /t/CODE/wire. */
static void cards_table(struct asking *a) {
    struct api_scene scene;
    struct card card = {0};
    int64_t version = 0;
    bool has_version = a->piece_count == 4 && span_is(a->piece[2], "at");
    bool is_wire = a->piece_count == 3 && span_is(a->piece[2], "wire");
    if ((a->piece_count != 2 && !has_version && !is_wire) || !table_code_parse(a->piece[1], &a->table) ||
        (has_version && (!span_to_int(a->piece[3], &version) || version < 1))) {
        card_answer_none(a);
        return;
    }
    enum err e = api_scene_find(a->api, a->table, HISTORY_LAST, &a->asker, &scene);
    if (e == ERR_OK && has_version && (uint64_t)version > scene.snapshot.version)
        e = ERR_VERSION_UNKNOWN;
    bool is_private = e == ERR_OK && api_scene_is_private(a->api, &scene);
    struct refusal why;
    if (e == ERR_TABLE_UNKNOWN || e == ERR_VERSION_UNKNOWN) {
        card_answer_none(a);
    } else if (e == ERR_LATER && past_has_room(a->api, &a->request->address, &why)) {
        asking_refuse(a, e, NULL);
    } else if (e != ERR_OK) {
        page_answer_card(a->request, a->exchange, 200, NULL); /* the page asks again, and tells why */
    } else {
        if (has_version)
            card_of_position(&scene.snapshot, is_private, &card);
        else
            card_of_table(&scene.snapshot, is_private, &card);
        card_answer(a, 200, &card);
    }
}

static int card_digit(char letter) {
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    letter |= 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* A piece of a path as text. False when it is none that could be a name. */
static bool card_decode(struct span piece, char out[CARD_NAME_BYTES_MAX + 1]) {
    size_t size = 0;
    for (size_t i = 0; i < piece.size; i++) {
        char letter = piece.data[i];
        if (size == CARD_NAME_BYTES_MAX)
            return false;
        if (letter == '%') {
            int high = i + 2 < piece.size ? card_digit(piece.data[i + 1]) : -1;
            int low = high >= 0 ? card_digit(piece.data[i + 2]) : -1;
            if (low < 0)
                return false;
            letter = (char)(high * 16 + low);
            i += 2;
        }
        out[size++] = letter;
    }
    out[size] = '\0';
    struct span text = span_make(out, size);
    return size > 0 && memchr(out, '\0', size) == NULL && utf8_is_valid(text) && utf8_is_one_line(text) &&
           utf8_length(text) <= CARD_NAME_CHARS_MAX;
}

/* /p/NAME. Whether anybody has played by that name is not looked up: that is a search of all tables. */
static void cards_player(struct asking *a) {
    struct card card = {0};
    char name[CARD_NAME_BYTES_MAX + 1];
    if (a->piece_count != 2 || !card_decode(a->piece[1], name)) {
        card_answer_none(a);
        return;
    }
    card_text(card.title, API_CARD_PLAYER, name);
    card_text(card.about, API_CARD_RESULTS);
    card_answer(a, 200, &card);
}

/* What everybody may know of a championship with a format. */
static void card_of_cup(const struct cup_fold *f, struct card *out) {
    const struct game *game = game_by_name(span_of(f->about.game));
    const char *first = NULL;
    if (f->sheet.entrant_count > 0) {
        struct cup_standing *rows = cup_fold_standings(f);
        first = rows[0].played > 0 ? cup_fold_name(f, rows[0].entrant) : NULL;
        mem_free(rows);
    }
    out->game = f->about.game;
    card_text(out->title, API_CARD_CUP, f->about.name, game == NULL ? f->about.game : game->title);
    if (f->phase == CUP_OPEN)
        card_text(out->about, API_CARD_CUP_OPEN);
    else if (f->phase == CUP_OVER && first != NULL)
        card_text(out->about, API_CARD_CUP_WON, first);
    else if (f->phase == CUP_OVER || f->phase == CUP_CANCELLED)
        card_text(out->about, API_CARD_CUP_OVER);
    else if (first != NULL)
        card_text(out->about, API_CARD_CUP_LEADS, first);
    else
        card_text(out->about, API_CARD_CUP_RUNS);
}

/* Whether the hall has a championship of this name, or another node could: then the page looks for it. */
static bool card_is_of_hall(const struct asking *a, const char *name) {
    const struct hall_desk *desk = a->api->config.desk;
    struct hall_championship c;
    for (size_t i = 0; desk != NULL && desk->hall != NULL && hall_championship_at(desk->hall, i, &c); i++)
        if (strcmp(c.name, name) == 0)
            return true;
    return desk != NULL && desk->is_elsewhere;
}

/* /c/NAME; /c alone is a page without a card. */
static void cards_cup(struct asking *a) {
    struct card card = {0};
    char name[CARD_NAME_BYTES_MAX + 1];
    if (a->piece_count != 2 || !card_decode(a->piece[1], name)) {
        card_answer_none(a);
        return;
    }
    const struct cup_fold *f = cups_find(a->api->cups, span_of(name));
    if (f != NULL) {
        card_of_cup(f, &card);
        card_answer(a, 200, &card);
    } else {
        page_answer_card(a->request, a->exchange, card_is_of_hall(a, name) ? 200 : 404, NULL);
    }
}

bool cards_take(struct asking *a) {
    bool is_table = a->piece_count > 0 && span_is(a->piece[0], "t");
    bool is_player = a->piece_count > 0 && span_is(a->piece[0], "p");
    bool is_cup = a->piece_count > 1 && span_is(a->piece[0], "c");
    bool is_read = a->request->method == HTTP_METHOD_GET || a->request->method == HTTP_METHOD_HEAD;
    if (!is_read || (!is_table && !is_player && !is_cup))
        return false;
    struct span path = a->request->path;
    if (memmem(path.data, path.size, "//", 2) != NULL) /* which the page does not read as one */
        card_answer_none(a);
    else if (is_table)
        cards_table(a);
    else if (is_cup)
        cards_cup(a);
    else
        cards_player(a);
    return true;
}
