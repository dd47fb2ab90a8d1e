/* Reading what clients say, by the table of messages. Numbers in comments are those of the tolerances on
 * docs/protocols/eriantys.md. */
#include "wire/eriantys/dialect.h"

#include "base/utf8.h"

#include <stdio.h>

/* A command as it is read. */
struct command {
    unsigned color;  /* ERIANTYS_NONE: none is said */
    int64_t number;  /* of a card, cloud or island */
    bool is_walking; /* of mother nature */
    bool is_special;
    struct command_place {
        unsigned at; /* enum eriantys_place */
        unsigned id;
    } from, to;
};

/* 15: what is no name is told like one that is taken. */
static bool message_read_name(const json_t *value, void *place) {
    struct span name = span_trim(json_value_text(value));
    bool is_name =
        !utf8_is_all_blank(name) && utf8_is_one_line(name) && utf8_length(name) <= ERIANTYS_NAME_CHARS_MAX;
    *(struct span *)place = is_name ? name : SPAN("");
    return json_is_string(value);
}

/* What is far out of range becomes a number that no game has, for check to refuse with the words of the rule.
 */
static unsigned message_number(int64_t value) {
    return value >= 0 && value < ERIANTYS_NONE ? (unsigned)value : ERIANTYS_NONE - 1;
}

static const char *message_place_word(unsigned i) {
    static const char *const words[] = {[ERIANTYS_AT_ENTRANCE] = "entrance",
                                        [ERIANTYS_AT_DINING] = "diningRoom",
                                        [ERIANTYS_AT_ISLAND] = "island",
                                        [ERIANTYS_AT_CARD] = "card",
                                        "dining-room",
                                        NULL};
    return words[i];
}

/* 3: the document writes diningRoom, its authors' programs dining-room. */
static bool message_read_place(const json_t *value, void *place) {
    struct span word = json_value_text(value);
    unsigned at = ERIANTYS_AT_DINING;
    bool is_place =
        json_word(word, message_place_word, &at) || span_is_nocase(span_trim(word), "dining_room");
    *(unsigned *)place = at > ERIANTYS_AT_CARD ? ERIANTYS_AT_DINING : at;
    return is_place;
}

/* The number of an island or a character; places without numbers have none, whatever stands there. */
static bool message_read_place_id(const json_t *value, void *place) {
    struct command_place *p = place;
    int64_t number;
    p->id = ERIANTYS_NONE;
    bool is_known = p->at == ERIANTYS_AT_CARD && (value == NULL || json_is_null(value)); /* 3: by the way */
    if (is_known || (p->at != ERIANTYS_AT_ISLAND && p->at != ERIANTYS_AT_CARD))
        return true;
    if (!json_value_int(value, &number))
        return false;
    p->id = message_number(number);
    return true;
}

static const char *eriantys_messages_message_color_word(unsigned i) {
    return i < ERIANTYS_COLORS ? eriantys_color_name(i) : NULL;
}

/* clang-format off */
static const struct json_kind
    seats_kind = {.form = JSON_NUMBER, .min = ERIANTYS_SEATS_MIN, .max = ERIANTYS_SEATS_MAX, .unknown = ERR_FIELD_INVALID}, /* 16 */
    flag_kind = {.form = JSON_FLAG},
    text_kind = {.form = JSON_TEXT},
    code_kind = {NULL, JSON_SCHEMA({"minLength": 1}), .form = JSON_TEXT},
    own_name_kind = {NULL, JSON_SCHEMA({"type": "string"}), .read = message_read_name, .min = 1, .max = ERIANTYS_NAME_CHARS_MAX},
    name_kind = {"name", JSON_SCHEMA({"description":
                 "of a player; those who sit there through another protocol may have more than 32 characters"}),
                 JSON_TEXT, .min = 1, .max = 64},
    color_kind = {"color", .form = JSON_WORD, .word = eriantys_messages_message_color_word, .unknown = ERR_STUDENT_COLOR},
    place_kind = {"place", .read = message_read_place, .word = message_place_word},
    place_id_kind = {NULL, JSON_SCHEMA({"type": ["integer", "null"]}), .read = message_read_place_id},
    assistant_kind = {"assistant", .form = JSON_NUMBER, .min = 1, .max = ERIANTYS_ASSISTANTS},
    character_kind = {"character", .form = JSON_NUMBER, .min = 1, .max = ERIANTYS_CHARACTERS},
    cloud_kind = {"cloud", .form = JSON_NUMBER, .max = ERIANTYS_SEATS_MAX - 1},
    island_kind = {"island", .form = JSON_NUMBER, .max = ERIANTYS_ISLANDS - 1};

#define FIELD(...)  JSON_FIELD(struct command, __VA_ARGS__)
#define PLAYER      {"player", &name_kind, JSON_ASKED | JSON_UNREAD, 0, NULL} /* 4: looked at before */
#define NUMBER(NAME, KIND) FIELD(NAME, KIND, JSON_MUST, number)
#define COLOR       FIELD("color", color, JSON_MUST, color)

static const struct json_message pawns[] = {
    {"student", "Action.", JSON_FIELDS(PLAYER, COLOR, FIELD("from", place, JSON_MUST, from.at), FIELD("to", place, JSON_MUST, to.at),
                       FIELD("fromId", place_id, JSON_MUST, from), FIELD("toId", place_id, JSON_MUST, to),
                       FIELD("special", flag, JSON_ASKED, is_special)), /* 3: may be missing; the way tells */
     .schema = JSON_SCHEMA({"oneOf": [
        {"properties": {"from": {"const": "entrance"}, "to": {"enum": ["diningRoom", "dining-room"]},
                        "fromId": {"type": "null"}, "toId": {"type": "null"}, "special": {"const": false}}},
        {"properties": {"from": {"const": "entrance"}, "to": {"const": "island"},
                        "fromId": {"type": "null"}, "toId": {"$ref": "../common.json#/$defs/island"}, "special": {"const": false}}},
        {"properties": {"from": {"const": "card"}, "to": {"const": "island"},
                        "fromId": {"const": 1}, "toId": {"$ref": "../common.json#/$defs/island"}, "special": {"const": true}}},
        {"properties": {"from": {"const": "card"}, "to": {"enum": ["diningRoom", "dining-room"]},
                        "fromId": {"const": 11}, "toId": {"type": "null"}, "special": {"const": true}}},
        {"properties": {"from": {"const": "card"}, "to": {"const": "entrance"},
                        "fromId": {"const": 7}, "toId": {"type": "null"}, "special": {"const": true}}},
        {"properties": {"from": {"const": "entrance"}, "to": {"const": "card"},
                        "fromId": {"type": "null"}, "toId": {"const": 7}, "special": {"const": true}}},
        {"properties": {"from": {"enum": ["diningRoom", "dining-room"]}, "to": {"const": "entrance"},
                        "fromId": {"type": "null"}, "toId": {"type": "null"}, "special": {"const": true}}},
        {"properties": {"from": {"const": "entrance"}, "to": {"enum": ["diningRoom", "dining-room"]},
                        "fromId": {"type": "null"}, "toId": {"type": "null"}, "special": {"const": true}}}]})},
    {"motherNature", "Action; move: true walks, false is the Herald.", JSON_FIELDS(NUMBER("island", island), FIELD("move", flag, JSON_ASKED, is_walking))},
    {0},
};

enum { COMMAND_MOVE = 1 };

static const struct json_message commands[] = {
    {"playAssistant", "Planning.", JSON_FIELDS(PLAYER, NUMBER("assistant", assistant))},
    [COMMAND_MOVE] = {"move", .by = "pawn", .cases = pawns},
    {"ban", "Herbalist.", JSON_FIELDS(NUMBER("island", island))},
    {"ignore", "Mushroom seller.", JSON_FIELDS(COLOR)},
    {"return", "Thief; the students go back to the bag.", JSON_FIELDS(COLOR)},
    {"pay", "Own action turn, expert.", JSON_FIELDS(PLAYER, NUMBER("character", character))},
    {"refill", "Action; clouds are numbered from 0.", JSON_FIELDS(PLAYER, NUMBER("cloud", cloud))},
    {0},
};

/* The kinds of actions that they are, in the same order. */
static const unsigned command_kinds[] = {ERIANTYS_PLAY_ASSISTANT, 0, ERIANTYS_USE_BAN, ERIANTYS_USE_IGNORE,
                                         ERIANTYS_USE_RETURN, ERIANTYS_PAY, ERIANTYS_TAKE_CLOUD};

#undef FIELD
#define FIELD(...) JSON_FIELD(struct eriantys_request, __VA_ARGS__)
#define MESSAGE(TYPE, WORD, ABOUT, ...) [ERIANTYS_REQUEST_##TYPE] = {.word = WORD, .about = ABOUT, __VA_ARGS__},
/* clang-format on */

static const struct json_message messages[] = {ERIANTYS_MESSAGES(MESSAGE){0}};
const struct json_message eriantys_messages = {.by = "type", .cases = messages};

static const struct json_message *message_case(const struct json_message *of, const json_t *message) {
    return json_message_case(of, span_trim(json_text(message, of->by)));
}

enum err eriantys_read_request(const json_t *message, struct eriantys_request *out) {
    const struct json_message *found = message_case(&eriantys_messages, message);
    *out = (struct eriantys_request){.seed = SPAN(""), .secret = SPAN("")};
    if (found == NULL && !json_has(message, "type"))
        return json_complain_of(message, "type", out->complaint);
    if (found == NULL) {
        snprintf(out->complaint, sizeof out->complaint, "%s", err_sentence(ERR_UNKNOWN_TYPE));
        return ERR_UNKNOWN_TYPE;
    }
    out->type = (enum eriantys_request_type)(found - messages);
    enum err e = json_take_fields(&eriantys_game, found->fields, message, out, out->complaint);
    out->code = span_trim(out->code);
    return e;
}

static enum err command_student(const struct command *c, const struct eriantys *state, struct action *out,
                                char *complaint) {
    const struct eriantys_move move = {.color = c->color,
                                       .from = (enum eriantys_place)c->from.at,
                                       .to = (enum eriantys_place)c->to.at,
                                       .from_id = c->from.id,
                                       .to_id = c->to.id,
                                       .is_special = c->is_special};
    enum err e = eriantys_move_action(state, &move, out);
    if (e != ERR_OK)
        snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, "%s", game_refusal(&eriantys_game, e)->sentence);
    return e;
}

enum err eriantys_read_command(const json_t *message, const struct eriantys *state, struct span player,
                               struct action *out, char complaint[JSON_COMPLAINT_BYTES_MAX]) {
    const struct json_message *command = message_case(&messages[ERIANTYS_REQUEST_COMMAND], message);
    struct command c = {.color = ERIANTYS_NONE, .is_walking = true};
    complaint[0] = '\0';
    if (command == NULL)
        return json_complain_of(message, "subtype", complaint);
    if (json_has(message, "player") && !span_equal(span_trim(json_text(message, "player")), player)) { /* 4 */
        snprintf(complaint, JSON_COMPLAINT_BYTES_MAX, "%s", eriantys_player_other.sentence);
        return eriantys_player_other.why;
    }
    bool is_move = command == &commands[COMMAND_MOVE];
    const struct json_message *said = is_move ? message_case(command, message) : command;
    if (said == NULL)
        return json_complain_of(message, command->by, complaint);
    enum err e = json_take_fields(&eriantys_game, said->fields, message, &c, complaint);
    if (e == ERR_OK && said == &pawns[0])
        return command_student(&c, state, out, complaint);
    unsigned kind = !is_move       ? command_kinds[command - commands]
                    : c.is_walking ? ERIANTYS_MOVE_MOTHER
                                   : ERIANTYS_USE_HERALD;
    unsigned number = c.color == ERIANTYS_NONE ? message_number(c.number) : c.color;
    bool is_island = is_move || kind == ERIANTYS_USE_BAN; /* 5: any island stands for its group */
    *out = eriantys_action(kind, is_island ? eriantys_group_id(state, number) : number);
    return e;
}
