/* What a player of a hunt sees, and who the players are. */
#include "host/hunt/internal.h"

#include <assert.h>
#include <stdio.h>

/* Between the names of a course player in its note. XML does not have this character, so no name does. */
#define NOTE_MARK "\x1f"

static const char *const note_words[] = {[HUNT_SEED] = "seed", [HUNT_COURSE] = "course", [HUNT_BOT] = "bot"};

void hunt_id_format(const uint8_t *bytes, char text[HUNT_ID_CHARS + 1]) {
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (int i = 0; i < 16; i++) {
        uint8_t byte = bytes[i];
        if (i == 6)
            byte = (uint8_t)(0x40 | (byte & 0x0f)); /* version 4: random */
        if (i == 8)
            byte = (uint8_t)(0x80 | (byte & 0x3f)); /* the usual variant */
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        text[at++] = digits[byte >> 4];
        text[at++] = digits[byte & 15];
    }
    text[at] = '\0';
}

void hunt_id_digest(struct span id, struct digest *out) {
    digest_of(out, NULL, (struct span[]){SPAN("parlor player"), id}, 2);
}

/* As many whole characters as fit. */
static void append_cut(char *text, size_t text_size, struct span piece) {
    size_t used = strlen(text);
    size_t size = piece.size < text_size - 1 - used ? piece.size : text_size - 1 - used;
    while (size < piece.size && size > 0 && ((unsigned char)piece.data[size] & 0xc0) == 0x80)
        size--;
    if (size > 0)
        memcpy(text + used, piece.data, size);
    text[used + size] = '\0';
}

void hunt_name_format(const struct hunt_name *player, char name[EVENT_NAME_BYTES_MAX + 1],
                      char note[EVENT_NOTE_BYTES_MAX + 1]) {
    name[0] = note[0] = '\0';
    append_cut(note, EVENT_NOTE_BYTES_MAX + 1, span_of(note_words[player->kind]));
    if (player->kind != HUNT_COURSE) {
        append_cut(name, EVENT_NAME_BYTES_MAX + 1, player->username);
        return;
    }
    append_cut(name, EVENT_NAME_BYTES_MAX + 1, player->first_name);
    append_cut(name, EVENT_NAME_BYTES_MAX + 1, SPAN(" "));
    append_cut(name, EVENT_NAME_BYTES_MAX + 1, player->last_name);
    const struct span pieces[] = {player->first_name, player->last_name, player->account};
    for (size_t i = 0; i < 3; i++) {
        append_cut(note, EVENT_NOTE_BYTES_MAX + 1, SPAN(NOTE_MARK));
        append_cut(note, EVENT_NOTE_BYTES_MAX + 1, pieces[i]);
    }
}

static struct span take_piece(struct span *rest) {
    const char *mark = rest->size == 0 ? NULL : memchr(rest->data, NOTE_MARK[0], rest->size);
    struct span piece = {rest->data, mark == NULL ? rest->size : (size_t)(mark - rest->data)};
    size_t used = piece.size + (mark != NULL);
    rest->data += used;
    rest->size -= used;
    return piece;
}

static struct hunt_name hunt_view_name_of(const struct table *t, unsigned seat) {
    struct span rest = span_of(table_note(t, seat));
    struct span word = take_piece(&rest);
    struct hunt_name name = {.kind = HUNT_SEED, .username = span_of(table_name(t, seat))};
    if (span_is(word, note_words[HUNT_BOT]))
        name.kind = HUNT_BOT;
    if (!span_is(word, note_words[HUNT_COURSE]))
        return name;
    name.kind = HUNT_COURSE;
    name.first_name = take_piece(&rest);
    name.last_name = take_piece(&rest);
    name.account = take_piece(&rest);
    return name;
}

void hunt_game_seat(struct hunt_game *g) {
    for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
        struct hunt_player *p = &g->players[seat];
        bool is_taken = table_name(g->room.table, seat)[0] != '\0';
        if (p->is_seated == is_taken)
            continue;
        p->is_seated = is_taken; /* or free again: somebody who came through the API has got up */
        p->name = is_taken ? hunt_view_name_of(g->room.table, seat) : (struct hunt_name){0};
    }
}

/* A table that is over by policy is not over by the rules, so the points decide. */
static enum treasure_standing standing_of(const struct hunt_game *g, const struct game_view *view,
                                          unsigned seat) {
    if (table_state_word(g->room.table) != TABLE_OVER)
        return treasure_standing(view, seat);
    int32_t points[SEATS_MAX];
    table_points(g->room.table, points);
    return points[seat] > 0 ? TREASURE_WON : TREASURE_LOST;
}

static void show_face(const struct hunt_player *p, const struct game_view *view, struct hunt_face *out) {
    out->name = p->name;
    out->standing = standing_of(p->game, view, p->seat);
    out->has_treasure = treasure_is_collected(view, p->seat);
}

void hunt_view(const struct hunt_player *p, struct hunt_view *out) {
    const struct hunt_game *g = p->game;
    const struct hunt_player *other = &g->players[1 - p->seat];
    const struct game_view *view = table_view(g->room.table, p->seat);
    struct digest derived;
    show_face(p, view, &out->faces[0]);
    memcpy(out->faces[0].id, p->id, sizeof p->id);
    out->face_count = 1;
    if (other->is_seated) {
        show_face(other, view, &out->faces[1]);
        table_derive(g->room.table, "hunt mask", p->seat, 0, &derived);
        hunt_id_format(derived.bytes, out->faces[1].id);
        out->face_count = 2;
    }
    out->field_count = 0;
    for (unsigned field = 0; field < TREASURE_FIELDS && treasure_fields_known(view) > 0; field++) {
        struct treasure_field seen = treasure_field_seen(view, p->seat, field);
        if (seen.terrain != TREASURE_UNKNOWN)
            out->fields[out->field_count++] = seen;
    }
    table_derive(g->room.table, "hunt state", p->seat, hunt_version(p), &derived);
    hunt_id_format(derived.bytes, out->state_id);
}

/* Every request changes what both players see: somebody comes, the other one is on turn, it is over. */
uint64_t hunt_version(const struct hunt_player *p) {
    return table_version(p->game->room.table);
}

enum hunt_kind hunt_kind_of(const struct hunt_player *p) {
    return p->name.kind;
}

void **hunt_attachment(struct hunt_player *p) {
    return &p->attachment;
}
