#include "wire/eriantys/dialect.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

/* Requests. */

static enum err complain(char complaint[JSON_COMPLAINT_BYTES_MAX], enum err e, const char *format,
                         const char *what) {
    int size = snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, format, what);
    (void)size; /* what does not fit is left out */
    return e;
}

/* A field that must be there and whose value is none that it can have. */
static enum err complain_of_field(const json_t *message, const char *field,
                                  char complaint[JSON_COMPLAINT_BYTES_MAX]) {
    if (!json_has(message, field))
        return complain(complaint, ERR_FIELD_MISSING, "the field '%s' is missing", field);
    return complain(complaint, ERR_FIELD_INVALID, "the field '%s' has a value that it cannot have", field);
}

static bool read_type(const json_t *message, enum eriantys_request_type *out) {
    static const struct {
        const char *word;
        enum eriantys_request_type type;
    } types[] = {
        {"gameCreation", ERIANTYS_REQUEST_CREATE}, {"enterGame", ERIANTYS_REQUEST_ENTER},
        {"login", ERIANTYS_REQUEST_LOGIN},         {"logout", ERIANTYS_REQUEST_LOGOUT},
        {"command", ERIANTYS_REQUEST_COMMAND},     {"ping", ERIANTYS_REQUEST_PING},
        {"pong", ERIANTYS_REQUEST_PONG},           {"error", ERIANTYS_REQUEST_ERROR},
    };
    struct span word = span_trim(json_text(message, "type"));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (word.data != NULL && span_is_nocase(word, types[i].word)) {
            *out = types[i].type;
            return true;
        }
    return false;
}

static enum err read_creation(const json_t *message, struct eriantys_request *r) {
    int64_t count;
    if (!json_int(message, "playersNumber", &count) || count < ERIANTYS_SEATS_MIN || /* 16 */
        count > ERIANTYS_SEATS_MAX)
        return complain_of_field(message, "playersNumber", r->complaint);
    if (!json_flag(message, "expert", &r->is_expert))
        return complain_of_field(message, "expert", r->complaint);
    r->seat_count = (unsigned)count;
    return ERR_OK;
}

/* 15: what is no name is told like one that is taken. */
static enum err read_name(const json_t *message, struct eriantys_request *r) {
    struct span name = json_text(message, "name");
    if (name.data == NULL)
        return complain_of_field(message, "name", r->complaint);
    name = span_trim(name);
    bool is_name =
        !utf8_is_all_blank(name) && !utf8_has_control(name) && utf8_length(name) <= ERIANTYS_NAME_CHARS_MAX;
    r->name = is_name ? name : SPAN("");
    return json_seed(message, &r->seed)
               ? ERR_OK
               : complain(r->complaint, ERR_FIELD_INVALID, "%s", JSON_SEED_COMPLAINT);
}

enum err eriantys_read_request(const json_t *message, struct eriantys_request *out) {
    *out = (struct eriantys_request){0};
    if (!read_type(message, &out->type)) {
        if (!json_has(message, "type"))
            return complain_of_field(message, "type", out->complaint);
        return complain(out->complaint, ERR_UNKNOWN_TYPE, "%s", err_sentence(ERR_UNKNOWN_TYPE));
    }
    switch (out->type) {
    case ERIANTYS_REQUEST_CREATE: return read_creation(message, out);
    case ERIANTYS_REQUEST_ENTER:
        out->code = span_trim(json_text(message, "code"));
        return out->code.data != NULL ? ERR_OK : complain_of_field(message, "code", out->complaint);
    case ERIANTYS_REQUEST_LOGIN: return read_name(message, out);
    default: return ERR_OK;
    }
}

/* Commands. */

enum command {
    COMMAND_ASSISTANT,
    COMMAND_MOVE,
    COMMAND_BAN,
    COMMAND_IGNORE,
    COMMAND_RETURN,
    COMMAND_PAY,
    COMMAND_REFILL
};

/* A command that is being read. */
struct command_reader {
    const json_t *message;
    const struct eriantys *state;
    char *complaint;
};

static enum err field_wrong(const struct command_reader *r, const char *field) {
    return complain_of_field(r->message, field, r->complaint);
}

static bool read_subtype(const json_t *message, enum command *out) {
    static const char *const words[] = {[COMMAND_ASSISTANT] = "playAssistant",
                                        [COMMAND_MOVE] = "move",
                                        [COMMAND_BAN] = "ban",
                                        [COMMAND_IGNORE] = "ignore",
                                        [COMMAND_RETURN] = "return",
                                        [COMMAND_PAY] = "pay",
                                        [COMMAND_REFILL] = "refill"};
    struct span word = span_trim(json_text(message, "subtype"));
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (word.data != NULL && span_is_nocase(word, words[i])) {
            *out = (enum command)i;
            return true;
        }
    return false;
}

/* A number of a card, cloud or island. What is far out of range becomes one that no game has, for check to
 * refuse with the words of the rule. */
static enum err read_number(const struct command_reader *r, const char *field, unsigned *out) {
    int64_t value;
    if (!json_int(r->message, field, &value))
        return field_wrong(r, field);
    *out = value >= 0 && value < ERIANTYS_NONE ? (unsigned)value : ERIANTYS_NONE - 1;
    return ERR_OK;
}

/* 5: any island stands for its group. */
static enum err read_island(const struct command_reader *r, const char *field, unsigned *out) {
    enum err e = read_number(r, field, out);
    if (e == ERR_OK)
        *out = eriantys_group_id(r->state, *out);
    return e;
}

static enum err read_color(const struct command_reader *r, unsigned *out) {
    struct span word = json_text(r->message, "color");
    if (word.data == NULL)
        return field_wrong(r, "color");
    *out = eriantys_color_of_name(span_trim(word));
    return *out == ERIANTYS_NONE
               ? complain(r->complaint, ERR_STUDENT_COLOR, "%s", err_sentence(ERR_STUDENT_COLOR))
               : ERR_OK;
}

/* 3: the document writes diningRoom, its authors' programs dining-room. */
static enum err read_place(const struct command_reader *r, const char *field, enum eriantys_place *out) {
    static const struct {
        const char *word;
        enum eriantys_place place;
    } places[] = {
        {"entrance", ERIANTYS_AT_ENTRANCE},  {"card", ERIANTYS_AT_CARD},
        {"island", ERIANTYS_AT_ISLAND},      {"diningRoom", ERIANTYS_AT_DINING},
        {"dining-room", ERIANTYS_AT_DINING}, {"dining_room", ERIANTYS_AT_DINING},
    };
    struct span word = span_trim(json_text(r->message, field));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (word.data != NULL && span_is_nocase(word, places[i].word)) {
            *out = places[i].place;
            return ERR_OK;
        }
    return field_wrong(r, field);
}

/* The number of an island or a character; places without numbers have none, whatever stands there. */
static enum err read_place_id(const struct command_reader *r, const char *field, enum eriantys_place place,
                              unsigned *out) {
    *out = ERIANTYS_NONE;
    if (place == ERIANTYS_AT_ISLAND)
        return read_number(r, field, out);
    if (place == ERIANTYS_AT_CARD && json_has(r->message, field)) /* 3: the way tells which card */
        return read_number(r, field, out);
    return ERR_OK;
}

static enum err read_student(const struct command_reader *r, struct action *out) {
    struct eriantys_move move = {0};
    enum err e = read_color(r, &move.color);
    if (e == ERR_OK)
        e = read_place(r, "from", &move.from);
    if (e == ERR_OK)
        e = read_place(r, "to", &move.to);
    if (e == ERR_OK)
        e = read_place_id(r, "fromId", move.from, &move.from_id);
    if (e == ERR_OK)
        e = read_place_id(r, "toId", move.to, &move.to_id);
    if (e != ERR_OK)
        return e;
    /* 3: may be missing; eriantys_move_action knows which ways are special anyhow */
    if (json_has(r->message, "special") && !json_flag(r->message, "special", &move.is_special))
        return field_wrong(r, "special");
    e = eriantys_move_action(r->state, &move, out);
    return e == ERR_OK ? e : complain(r->complaint, e, "%s", err_sentence(e));
}

static enum err read_mother(const struct command_reader *r, struct action *out) {
    unsigned island;
    bool is_walking = true;
    enum err e = read_island(r, "island", &island);
    if (e != ERR_OK)
        return e;
    if (json_has(r->message, "move") && !json_flag(r->message, "move", &is_walking))
        return field_wrong(r, "move");
    *out = eriantys_action(is_walking ? ERIANTYS_MOVE_MOTHER : ERIANTYS_USE_HERALD, island);
    return ERR_OK;
}

static enum err read_move(const struct command_reader *r, struct action *out) {
    struct span pawn = span_trim(json_text(r->message, "pawn"));
    if (pawn.data != NULL && span_is_nocase(pawn, "student"))
        return read_student(r, out);
    if (pawn.data != NULL && span_is_nocase(pawn, "motherNature"))
        return read_mother(r, out);
    return field_wrong(r, "pawn");
}

/* A command with one argument. */
static enum err read_simple(const struct command_reader *r, enum command command, struct action *out) {
    unsigned argument = 0, kind = 0;
    enum err e = ERR_OK;
    switch (command) {
    case COMMAND_ASSISTANT:
        kind = ERIANTYS_PLAY_ASSISTANT;
        e = read_number(r, "assistant", &argument);
        break;
    case COMMAND_PAY:
        kind = ERIANTYS_PAY;
        e = read_number(r, "character", &argument);
        break;
    case COMMAND_REFILL:
        kind = ERIANTYS_TAKE_CLOUD;
        e = read_number(r, "cloud", &argument);
        break;
    case COMMAND_BAN:
        kind = ERIANTYS_USE_BAN;
        e = read_island(r, "island", &argument);
        break;
    case COMMAND_IGNORE:
        kind = ERIANTYS_USE_IGNORE;
        e = read_color(r, &argument);
        break;
    default: kind = ERIANTYS_USE_RETURN; e = read_color(r, &argument);
    }
    *out = eriantys_action(kind, argument);
    return e;
}

enum err eriantys_read_command(const json_t *message, const struct eriantys *state, struct span player,
                               struct action *out, char complaint[JSON_COMPLAINT_BYTES_MAX]) {
    struct command_reader r = {message, state, complaint};
    enum command command;
    if (!read_subtype(message, &command))
        return complain_of_field(message, "subtype", complaint);
    if (json_has(message, "player")) { /* 4 */
        struct span name = json_text(message, "player");
        if (name.data == NULL || !span_equal(span_trim(name), player))
            return complain(complaint, ERR_FIELD_INVALID, "%s", "the field 'player' is not your own name");
    }
    return command == COMMAND_MOVE ? read_move(&r, out) : read_simple(&r, command, out);
}

/* Messages. */

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
