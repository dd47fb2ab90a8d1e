/* Messages to clients. What they say is read in messages.c. */
#include "wire/eriantys/dialect.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

void eriantys_write_error(struct buf *out, const char *text) {
    struct writer w = writer_message(out, "error");
    writer_text(&w, "message", span_of(text));
    writer_object_end(&w);
}

void eriantys_write_creation(struct buf *out, const char *code) {
    struct writer w = writer_message(out, "gameCreation");
    writer_text(&w, "code", span_of(code));
    writer_object_end(&w);
}

/* expectedPlayers and those who are known, by name. */
static void write_players(struct writer *w, const struct eriantys_scene *scene) {
    unsigned sorted[ERIANTYS_SEATS_MAX], count = 0;
    for (unsigned seat = 0; seat < scene->state->seat_count; seat++) {
        unsigned at = count;
        if (scene->names[seat][0] == '\0')
            continue;
        for (; at > 0 && strcmp(scene->names[sorted[at - 1]], scene->names[seat]) > 0; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = seat;
        count++;
    }
    writer_int(w, "expectedPlayers", scene->state->seat_count);
    writer_list_begin(w, "players");
    for (unsigned i = 0; i < count; i++) {
        writer_object_begin(w, NULL);
        writer_text(w, "name", span_of(scene->names[sorted[i]]));
        writer_bool(w, "online", scene->is_online[sorted[i]]);
        writer_object_end(w);
    }
    writer_list_end(w);
}

void eriantys_write_enter(struct buf *out, bool is_found, const struct eriantys_scene *scene) {
    struct writer w = writer_message(out, "enterGame");
    writer_bool(&w, "found", is_found);
    if (is_found)
        write_players(&w, scene);
    writer_object_end(&w);
}

void eriantys_write_waiting(struct buf *out, const struct eriantys_scene *scene) {
    struct writer w = writer_message(out, "waitingRoomUpdate");
    write_players(&w, scene);
    writer_object_end(&w);
}

void eriantys_write_login(struct buf *out, bool is_success) {
    struct writer w = writer_message(out, "login");
    writer_bool(&w, "success", is_success);
    writer_object_end(&w);
}

void eriantys_write_start(struct buf *out) {
    struct writer w = writer_message(out, "gameStart");
    writer_object_end(&w);
}

void eriantys_write_turn(struct buf *out, const char *player, bool is_enabled) {
    struct writer w = writer_message(out, "turnEnable");
    writer_text(&w, "player", span_of(player));
    writer_bool(&w, "enable", is_enabled);
    writer_object_end(&w);
}

void eriantys_write_win(struct buf *out, const struct eriantys_scene *scene, seat_set winners) {
    struct writer w = writer_message(out, "win");
    if (winners == 0) {
        writer_null(&w, "winners");
    } else {
        writer_list_begin(&w, "winners");
        for (unsigned seat = 0; seat < scene->state->seat_count; seat++)
            if ((winners & SEAT_BIT(seat)) != 0)
                writer_text(&w, NULL, span_of(scene->names[seat]));
        writer_list_end(&w);
    }
    writer_object_end(&w);
}

/* Commands as the document shows them: which fields there are depends on the kind. */

static void write_id(struct writer *w, const char *name, unsigned id) {
    if (id == ERIANTYS_NONE)
        writer_null(w, name);
    else
        writer_int(w, name, id);
}

static void write_student(struct writer *w, const char *player, const struct eriantys_move *move) {
    static const char *const places[ERIANTYS_PLACES] = {[ERIANTYS_AT_ENTRANCE] = "entrance",
                                                        [ERIANTYS_AT_DINING] = "diningRoom",
                                                        [ERIANTYS_AT_ISLAND] = "island",
                                                        [ERIANTYS_AT_CARD] = "card"};
    writer_text(w, "subtype", SPAN("move"));
    writer_text(w, "pawn", SPAN("student"));
    writer_text(w, "player", span_of(player));
    writer_text(w, "color", span_of(eriantys_color_name(move->color)));
    writer_text(w, "from", span_of(places[move->from]));
    writer_text(w, "to", span_of(places[move->to]));
    write_id(w, "fromId", move->from_id);
    write_id(w, "toId", move->to_id);
    writer_bool(w, "special", move->is_special);
}

/* The way of a student; false when the action moves none. */
static bool student_way(const struct eriantys *e, const struct action *action, struct eriantys_move *move) {
    bool is_jester = eriantys_is_active(e, ERIANTYS_JESTER);
    enum eriantys_place other = is_jester ? ERIANTYS_AT_CARD : ERIANTYS_AT_DINING;
    unsigned none = ERIANTYS_NONE, color = action->arg[0],
             card = is_jester ? (unsigned)ERIANTYS_JESTER : none;
    switch (action->kind) {
    case ERIANTYS_TO_ISLAND:
        *move = (struct eriantys_move){color, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_ISLAND,
                                       none,  action->arg[1],       false};
        return true;
    case ERIANTYS_TO_DINING:
        *move = (struct eriantys_move){color, ERIANTYS_AT_ENTRANCE, ERIANTYS_AT_DINING, none, none, false};
        return true;
    case ERIANTYS_USE_MONK:
        *move = (struct eriantys_move){color,         ERIANTYS_AT_CARD, ERIANTYS_AT_ISLAND,
                                       ERIANTYS_MONK, action->arg[1],   true};
        return true;
    case ERIANTYS_USE_PRINCESS:
        *move = (struct eriantys_move){color, ERIANTYS_AT_CARD, ERIANTYS_AT_DINING, ERIANTYS_PRINCESS, none,
                                       true};
        return true;
    case ERIANTYS_SWAP_IN:
        *move = (struct eriantys_move){color, other, ERIANTYS_AT_ENTRANCE, card, none, true};
        return true;
    case ERIANTYS_SWAP_OUT:
        *move = (struct eriantys_move){color, ERIANTYS_AT_ENTRANCE, other, none, card, true};
        return true;
    default: return false;
    }
}

static void write_mother(struct writer *w, unsigned island, bool is_walking) {
    writer_text(w, "subtype", SPAN("move"));
    writer_text(w, "pawn", SPAN("motherNature"));
    writer_int(w, "island", island);
    writer_bool(w, "move", is_walking);
}

static void write_number_of_player(struct writer *w, const char *subtype, const char *player,
                                   const char *field, unsigned number) {
    writer_text(w, "subtype", span_of(subtype));
    writer_text(w, "player", span_of(player));
    writer_int(w, field, number);
}

static void write_color(struct writer *w, const char *subtype, unsigned color) {
    writer_text(w, "subtype", span_of(subtype));
    writer_text(w, "color", span_of(eriantys_color_name(color)));
}

void eriantys_write_command_fields(struct writer *w, const struct eriantys_scene *scene, unsigned seat,
                                   const struct action *action) {
    struct eriantys_move move;
    const char *player = scene->names[seat];
    unsigned argument = action->arg[0];
    if (student_way(scene->state, action, &move)) {
        write_student(w, player, &move);
        return;
    }
    switch (action->kind) {
    case ERIANTYS_PLAY_ASSISTANT:
        write_number_of_player(w, "playAssistant", player, "assistant", argument);
        break;
    case ERIANTYS_MOVE_MOTHER:
    case ERIANTYS_USE_HERALD: write_mother(w, argument, action->kind == ERIANTYS_MOVE_MOTHER); break;
    case ERIANTYS_USE_BAN:
        writer_text(w, "subtype", SPAN("ban"));
        writer_int(w, "island", argument);
        break;
    case ERIANTYS_USE_IGNORE: write_color(w, "ignore", argument); break;
    case ERIANTYS_USE_RETURN: write_color(w, "return", argument); break;
    case ERIANTYS_PAY: write_number_of_player(w, "pay", player, "character", argument); break;
    default:
        assert(action->kind == ERIANTYS_TAKE_CLOUD);
        write_number_of_player(w, "refill", player, "cloud", argument);
    }
}

void eriantys_write_command(struct buf *out, const struct eriantys_scene *scene, unsigned seat,
                            const struct action *action) {
    struct writer w = writer_message(out, "command");
    eriantys_write_command_fields(&w, scene, seat, action);
    writer_object_end(&w);
}
