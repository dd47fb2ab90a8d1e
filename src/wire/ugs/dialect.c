/* The UGS dialect with expat. One parser serves all messages of a reader: it is reset before each, and the
 * texts it decodes go into an arena that is reserved once per message, so that spans into it stay where they
 * are. */
#include "wire/ugs/dialect.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "games/paper_soccer/paper_soccer.h"
#include "wire/xml/frame.h"
#include "wire/xml/parser.h"

#include <assert.h>
#include <stdio.h>

enum {
    COMPLAINT_BYTES_MAX = 160,
    PLAYERS_FIRST = 16,
    POINTS_MAX = PITCH_MOVE_STEPS_MAX + 1, /* a whole move, and the starting point that some repeat */
};

/* The words of the type attribute (section 3). */
static const char *const type_word[HALL_TYPE_COUNT] = {
    [HALL_ERROR] = "error",
    [HALL_PLAYER_LOGIN] = "playerLogin",
    [HALL_MASTER_LOGIN] = "gameMasterLogin",
    [HALL_LOGIN_RESPONSE] = "loginResponse",
    [HALL_BEGIN_GAME] = "beginGame",
    [HALL_GAME_STATE] = "gameState",
    [HALL_MOVE] = "move",
    [HALL_THANK_YOU] = "thank you",
    [HALL_LEAVE_GAME] = "leaveGame",
    [HALL_PLAYER_LEFT_GAME] = "playerLeftGame",
    [HALL_LOGOUT] = "logout",
    [HALL_SERVER_SHUTDOWN] = "serverShutdown",
    [HALL_CHAMPIONS_LIST] = "championsList",
};

/* Where in the message the parser is, as far as it matters. */
enum place { PLACE_ELSEWHERE, PLACE_PAYLOAD, PLACE_GAME_OVER, PLACE_RESPONSE };

struct ugs_reader {
    XML_Parser parser;
    struct buf arena;          /* decoded texts of the message */
    struct buf payload_pieces; /* of a payload that does not lie in one piece */
    struct hall_player *players;
    size_t player_count, player_capacity;
    char complaint[COMPLAINT_BYTES_MAX];

    /* The message being read. */
    struct span document;
    struct hall_message *out;
    unsigned depth;
    enum place place; /* of the child of <message> that is open */
    bool has_type, has_accept, is_accepted;
    int64_t login_error; /* -1: none was named */
    enum err refusal;    /* why a handler stopped the parser */

    /* The points in its payload. */
    bool accepts_move_points;
    size_t list_count; /* <move> or <gameState> elements so far */
    bool is_in_point;  /* where nothing more may come */
    struct pitch_point points[POINTS_MAX];
};

static void refuse(struct ugs_reader *r, enum err e) {
    if (r->refusal == ERR_OK)
        r->refusal = e;
    XML_StopParser(r->parser, XML_FALSE);
}

/* Reading messages */

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* Keeps a text in the arena. A decoded text is never longer than its source and no source is kept twice, so
 * the arena never has to move. */
static struct span keep(struct ugs_reader *r, const char *text) {
    if (text == NULL || *text == '\0')
        return (struct span){0};
    struct span bytes = span_of(text);
    assert(r->arena.capacity - r->arena.size >= bytes.size);
    struct span kept = {r->arena.data + r->arena.size, bytes.size};
    buf_append(&r->arena, bytes);
    return kept;
}

/* Keeps the attribute of an element that may come only once: the first that has a value counts. */
static void keep_first(struct ugs_reader *r, struct span *field, const char *text) {
    if (field->size == 0)
        *field = keep(r, text);
}

static int64_t number_or(const char *text, int64_t min, int64_t max, int64_t otherwise) {
    int64_t value;
    if (text == NULL || !span_to_int(span_trim(span_of(text)), &value) || value < min || value > max)
        return otherwise;
    return value;
}

/* "looser" is in the course papers, and some masters send nothing else (section 9). */
static struct span keep_result(struct ugs_reader *r, const char *text) {
    if (text == NULL)
        return (struct span){0};
    struct span word = span_trim(span_of(text));
    if (span_is_nocase(word, "winner"))
        return SPAN("winner");
    if (span_is_nocase(word, "loser") || span_is_nocase(word, "looser"))
        return SPAN("loser");
    return keep(r, text);
}

static void add_player(struct ugs_reader *r, const XML_Char **attributes) {
    if (r->player_count == r->player_capacity) {
        r->player_capacity = r->player_capacity == 0 ? PLAYERS_FIRST : 2 * r->player_capacity;
        r->players = mem_resize(r->players, r->player_capacity * sizeof *r->players);
    }
    struct hall_player *player = &r->players[r->player_count++];
    *player = (struct hall_player){.nick = keep(r, attribute(attributes, "nick"))};
    if (r->out->type == HALL_GAME_STATE)
        player->result = keep_result(r, attribute(attributes, "result"));
    if (r->out->type == HALL_CHAMPIONS_LIST) {
        player->won = (int32_t)number_or(attribute(attributes, "won"), 0, INT32_MAX, 0);
        player->lost = (int32_t)number_or(attribute(attributes, "lost"), 0, INT32_MAX, 0);
    }
}

static bool type_has_table(enum hall_type type) {
    return type == HALL_BEGIN_GAME || type == HALL_GAME_STATE || type == HALL_MOVE ||
           type == HALL_THANK_YOU || type == HALL_LEAVE_GAME || type == HALL_PLAYER_LEFT_GAME;
}

static void take_table(struct ugs_reader *r, const XML_Char **attributes) {
    const char *id = attribute(attributes, "id");
    if (id == NULL || r->out->has_table)
        return;
    r->out->has_table = true;
    r->out->table = keep(r, id);
}

static void take_error_id(struct ugs_reader *r, const XML_Char **attributes) {
    if (r->login_error < 0)
        r->login_error = number_or(attribute(attributes, "id"), 1, UGS_LOGIN_UNSAID - 1, -1);
}

static void take_response(struct ugs_reader *r, const XML_Char **attributes) {
    const char *accept = attribute(attributes, "accept");
    if (accept != NULL && !r->has_accept) {
        r->has_accept = true;
        r->is_accepted = span_is_nocase(span_trim(span_of(accept)), "yes");
    }
    r->place = PLACE_RESPONSE;
}

static void take_login(struct ugs_reader *r, const XML_Char **attributes) {
    struct hall_message *out = r->out;
    keep_first(r, &out->game_type, attribute(attributes, "gameType"));
    if (out->type == HALL_PLAYER_LOGIN) {
        keep_first(r, &out->nick, attribute(attributes, "nick"));
        return;
    }
    keep_first(r, &out->id, attribute(attributes, "id"));
    if (out->players_min < 0)
        out->players_min = number_or(attribute(attributes, "playersMin"), 0, INT64_MAX, -1);
    if (out->players_max < 0)
        out->players_max = number_or(attribute(attributes, "playersMax"), 0, INT64_MAX, -1);
}

static enum err read_coordinate(const char *text, int32_t *out) {
    int64_t value;
    if (text == NULL)
        return ERR_FIELD_MISSING;
    if (!span_to_int(span_trim(span_of(text)), &value) || value < INT32_MIN || value > INT32_MAX)
        return ERR_FIELD_INVALID;
    *out = (int32_t)value;
    return ERR_OK;
}

static enum err add_point(struct ugs_reader *r, const XML_Char **attributes) {
    struct pitch_point point;
    enum err e = read_coordinate(attribute(attributes, "x"), &point.x);
    if (e == ERR_OK)
        e = read_coordinate(attribute(attributes, "y"), &point.y);
    if (e != ERR_OK)
        return e;
    if (r->out->point_count == POINTS_MAX)
        return ERR_TOO_LARGE;
    r->points[r->out->point_count++] = point;
    r->is_in_point = true;
    return ERR_OK;
}

/* An element of the payload, itself or in it (section 4): <point x= y=/> in one list, and when that is
 * accepted <move x= y=/>, repeated, on its own or in a <gameState>. */
static enum err payload_element(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    if (r->is_in_point || (r->depth == 2 && r->list_count++ > 0 && !r->accepts_move_points))
        return ERR_FIELD_INVALID;
    bool is_point = strcmp(name, "point") == 0 && r->depth == 3;
    if (r->accepts_move_points && strcmp(name, "move") == 0 && r->depth <= 3)
        is_point = r->depth == 3 || attribute(attributes, "x") != NULL || attribute(attributes, "y") != NULL;
    if (is_point)
        return add_point(r, attributes);
    return r->depth == 2 ? ERR_OK : ERR_FIELD_INVALID;
}

/* What is no list of points is no fault of the message: the payload may be of any game. */
static void payload_unread(struct ugs_reader *r, enum err e) {
    r->out->unread = e;
    if (e != ERR_OK)
        r->out->point_count = 0;
}

static void begin_payload(struct ugs_reader *r) {
    struct span *payload = &r->out->payload;
    size_t at = (size_t)XML_GetCurrentByteIndex(r->parser);
    const char *start = r->document.data + at;
    r->place = PLACE_PAYLOAD;
    if (payload->data == NULL) {
        *payload = span_make(start, 0);
    } else if (r->payload_pieces.size > 0 || payload->data + payload->size != start) {
        if (r->payload_pieces.size == 0)
            buf_append(&r->payload_pieces, *payload);
        *payload = span_make(start, 0);
    }
}

static void end_payload(struct ugs_reader *r) {
    /* After an empty element the index is already behind it and the count is 0. */
    size_t end = (size_t)XML_GetCurrentByteIndex(r->parser) + (size_t)XML_GetCurrentByteCount(r->parser);
    struct span *payload = &r->out->payload;
    payload->size = (size_t)(r->document.data + end - payload->data);
    if (r->payload_pieces.size > 0)
        buf_append(&r->payload_pieces, *payload);
}

/* A child of <message>. Which children a type has is in section 3; all others are ignored. */
static void child_begin(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    struct hall_message *out = r->out;
    bool is_player = strcmp(name, "player") == 0;
    if (strcmp(name, "gameId") == 0 && type_has_table(out->type)) {
        take_table(r, attributes);
        return;
    }
    switch (out->type) {
    case HALL_MOVE:
        if (strcmp(name, "move") == 0)
            begin_payload(r);
        break;
    case HALL_GAME_STATE:
        if (strcmp(name, "gameState") == 0) {
            begin_payload(r);
        } else if (strcmp(name, "gameOver") == 0) {
            r->place = PLACE_GAME_OVER;
        } else if (strcmp(name, "nextPlayer") == 0) {
            out->has_next = true;
            keep_first(r, &out->next, attribute(attributes, "nick"));
        }
        break;
    case HALL_PLAYER_LOGIN:
    case HALL_MASTER_LOGIN:
        if (strcmp(name, type_word[out->type]) == 0)
            take_login(r, attributes);
        break;
    case HALL_LOGIN_RESPONSE:
        if (strcmp(name, "response") == 0)
            take_response(r, attributes);
        else if (strcmp(name, "error") == 0)
            take_error_id(r, attributes);
        break;
    case HALL_BEGIN_GAME:
    case HALL_CHAMPIONS_LIST:
        if (is_player)
            add_player(r, attributes);
        break;
    case HALL_PLAYER_LEFT_GAME:
        if (is_player)
            keep_first(r, &out->nick, attribute(attributes, "nick"));
        break;
    default: break;
    }
}

static void grandchild_begin(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    if (r->place == PLACE_GAME_OVER && strcmp(name, "player") == 0)
        add_player(r, attributes);
    else if (r->place == PLACE_RESPONSE && strcmp(name, "error") == 0)
        take_error_id(r, attributes);
}

static bool type_parse(struct span word, enum hall_type *out) {
    for (int i = 0; i < HALL_TYPE_COUNT; i++)
        if (span_is(word, type_word[i])) {
            *out = (enum hall_type)i;
            return true;
        }
    /* The blank in "thank you" tempts people (section 9). */
    if (span_is_nocase(word, "thank you") || span_is_nocase(word, "thankYou") ||
        span_is_nocase(word, "thank_you")) {
        *out = HALL_THANK_YOU;
        return true;
    }
    return false;
}

static void root_begin(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    if (strcmp(name, "message") != 0) {
        snprintf(r->complaint, sizeof r->complaint, "the root element is <%.*s>, not <message>",
                 xml_quote_size(span_of(name)), name);
        return;
    }
    const char *type = attribute(attributes, "type");
    if (type == NULL)
        snprintf(r->complaint, sizeof r->complaint, "<message> has no type");
    else if (!type_parse(span_of(type), &r->out->type))
        snprintf(r->complaint, sizeof r->complaint, "the type is '%.*s'", xml_quote_size(span_of(type)),
                 type);
    else
        r->has_type = true;
    if (r->has_type && r->out->type == HALL_MASTER_LOGIN)
        r->out->players_min = r->out->players_max = -1;
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
    struct ugs_reader *r = context;
    r->depth++;
    if (r->depth == 1)
        root_begin(r, name, attributes);
    else if (r->has_type && r->depth == 2)
        child_begin(r, name, attributes);
    else if (r->has_type && r->depth == 3)
        grandchild_begin(r, name, attributes);
    if (r->place == PLACE_PAYLOAD && r->out->unread == ERR_OK)
        payload_unread(r, payload_element(r, name, attributes));
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
    (void)name;
    struct ugs_reader *r = context;
    if (r->depth == 2) {
        if (r->place == PLACE_PAYLOAD)
            end_payload(r);
        r->place = PLACE_ELSEWHERE;
    }
    r->is_in_point = false;
    r->depth--;
}

/* Only error messages have text, and they have nothing else: what is in the arena is the text so far. */
static void XMLCALL on_text(void *context, const XML_Char *text, int size) {
    struct ugs_reader *r = context;
    if (r->place == PLACE_PAYLOAD && span_trim(span_make(text, (size_t)size)).size > 0)
        payload_unread(r, r->out->unread == ERR_OK ? ERR_FIELD_INVALID : r->out->unread);
    if (!r->has_type || r->out->type != HALL_ERROR)
        return;
    assert(r->arena.capacity - r->arena.size >= (size_t)size);
    buf_append(&r->arena, span_make(text, (size_t)size));
    r->out->text = buf_span(&r->arena);
}

static void XMLCALL on_declaration(void *context, const XML_Char *version, const XML_Char *encoding,
                                   int standalone) {
    (void)version;
    (void)standalone;
    struct ugs_reader *r = context;
    if (xml_encoding_is_utf8(encoding))
        return;
    snprintf(r->complaint, sizeof r->complaint, "it is declared as %.*s", xml_quote_size(span_of(encoding)),
             encoding);
    refuse(r, ERR_ENCODING);
}

static void refuse_doctype(struct ugs_reader *r) {
    snprintf(r->complaint, sizeof r->complaint, "line %lu",
             (unsigned long)XML_GetCurrentLineNumber(r->parser));
    refuse(r, ERR_DOCTYPE);
}

static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal_subset) {
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    refuse_doctype(context);
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value,
                              int size, const XML_Char *base, const XML_Char *system_id,
                              const XML_Char *public_id, const XML_Char *notation) {
    (void)name;
    (void)is_parameter;
    (void)value;
    (void)size;
    (void)base;
    (void)system_id;
    (void)public_id;
    (void)notation;
    refuse_doctype(context);
}

struct ugs_reader *ugs_reader_create(bool accepts_move_points) {
    struct ugs_reader *r = mem_alloc(sizeof *r);
    r->accepts_move_points = accepts_move_points;
    r->parser = xml_parser_create();
    return r;
}

void ugs_reader_free(struct ugs_reader *r) {
    if (r == NULL)
        return;
    XML_ParserFree(r->parser);
    buf_free(&r->arena);
    buf_free(&r->payload_pieces);
    mem_free(r->players);
    mem_free(r);
}

const char *ugs_reader_complaint(const struct ugs_reader *r) {
    return r->complaint;
}

static void read_begin(struct ugs_reader *r, struct span document, struct hall_message *out) {
    xml_parser_reset(r->parser, r);
    XML_SetXmlDeclHandler(r->parser, on_declaration);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    XML_SetEntityDeclHandler(r->parser, on_entity);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    *out = (struct hall_message){0};
    r->out = out;
    r->document = document;
    r->refusal = ERR_OK;
    r->depth = 0;
    r->list_count = 0;
    r->is_in_point = false;
    r->place = PLACE_ELSEWHERE;
    r->has_type = r->has_accept = r->is_accepted = false;
    r->login_error = -1;
    r->player_count = 0;
    r->complaint[0] = '\0';
    buf_clear(&r->arena);
    buf_reserve(&r->arena, document.size);
    buf_clear(&r->payload_pieces);
}

static void read_end(struct ugs_reader *r) {
    struct hall_message *out = r->out;
    if (r->payload_pieces.size > 0)
        out->payload = buf_span(&r->payload_pieces);
    if (out->point_count > 0)
        out->points = r->points;
    if (r->player_count > 0) {
        out->players = r->players;
        out->player_count = r->player_count;
        out->is_over = out->type == HALL_GAME_STATE;
    }
    if (out->type == HALL_LOGIN_RESPONSE && !r->is_accepted)
        out->login_error = (enum hall_login_error)(r->login_error < 0 ? UGS_LOGIN_UNSAID : r->login_error);
}

static enum err refuse_unread(struct ugs_reader *r, struct hall_message *out, enum err e,
                              const char *detail) {
    *out = (struct hall_message){0};
    snprintf(r->complaint, sizeof r->complaint, "%s", detail);
    return e;
}

enum err ugs_read(struct ugs_reader *r, struct span document, struct hall_message *out) {
    if (document.size > XML_FRAME_BYTES_MAX)
        return refuse_unread(r, out, ERR_TOO_LARGE, "256 KiB is the limit");
    if (xml_looks_like_utf16(document))
        return refuse_unread(r, out, ERR_ENCODING, "it looks like UTF-16");
    read_begin(r, document, out);
    enum err e = ERR_OK;
    if (XML_Parse(r->parser, document.data, (int)document.size, XML_TRUE) != XML_STATUS_OK) {
        e = r->refusal;
        if (e == ERR_OK) {
            e = ERR_MALFORMED;
            xml_parser_complain(r->parser, r->complaint, sizeof r->complaint);
        }
    } else if (!r->has_type) {
        e = ERR_UNKNOWN_TYPE;
    } else {
        read_end(r);
    }
    if (e != ERR_OK)
        *out = (struct hall_message){0};
    return e;
}

/* Writing messages */

/* True for characters that XML 1.0 does not have, not even as a reference. */
static bool is_forbidden(int32_t c) {
    return c < 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe || c == 0xffff;
}

/* As text or as the value of an attribute. White space other than blanks is written as a reference, because
 * parsers would change it. */
static void write_escaped(struct buf *out, struct span text) {
    while (text.size > 0) {
        const char *start = text.data;
        int32_t c = utf8_next(&text);
        switch (c) {
        case '&': buf_append_text(out, "&amp;"); break;
        case '<': buf_append_text(out, "&lt;"); break;
        case '>': buf_append_text(out, "&gt;"); break;
        case '"': buf_append_text(out, "&quot;"); break;
        case '\t': buf_append_text(out, "&#9;"); break;
        case '\n': buf_append_text(out, "&#10;"); break;
        case '\r': buf_append_text(out, "&#13;"); break;
        default:
            if (is_forbidden(c))
                buf_append_text(out, "\xef\xbf\xbd"); /* U+FFFD */
            else
                buf_append(out, span_make(start, (size_t)(text.data - start)));
        }
    }
}

static void write_attribute(struct buf *out, const char *name, struct span value) {
    buf_append_byte(out, ' ');
    buf_append_text(out, name);
    buf_append_text(out, "=\"");
    write_escaped(out, value);
    buf_append_byte(out, '"');
}

static void write_number(struct buf *out, const char *name, int64_t value) {
    buf_append_byte(out, ' ');
    buf_append_text(out, name);
    buf_append_text(out, "=\"");
    buf_append_int(out, value);
    buf_append_byte(out, '"');
}

/* <element attribute="value"/> */
static void write_child(struct buf *out, const char *element, const char *name, struct span value) {
    buf_append_byte(out, '<');
    buf_append_text(out, element);
    write_attribute(out, name, value);
    buf_append_text(out, "/>");
}

static void write_table(struct buf *out, const struct hall_message *m) {
    if (m->has_table)
        write_child(out, "gameId", "id", m->table);
}

static void write_players(struct buf *out, const struct hall_message *m) {
    for (size_t i = 0; i < m->player_count; i++) {
        const struct hall_player *player = &m->players[i];
        buf_append_text(out, "<player");
        write_attribute(out, "nick", player->nick);
        if (m->type == HALL_GAME_STATE)
            write_attribute(out, "result", player->result);
        if (m->type == HALL_CHAMPIONS_LIST) {
            write_number(out, "won", player->won);
            write_number(out, "lost", player->lost);
        }
        buf_append_text(out, "/>");
    }
}

static void write_login(struct buf *out, const struct hall_message *m) {
    buf_append_byte(out, '<');
    buf_append_text(out, type_word[m->type]);
    if (m->type == HALL_PLAYER_LOGIN)
        write_attribute(out, "nick", m->nick);
    else
        write_attribute(out, "id", m->id);
    write_attribute(out, "gameType", m->game_type);
    if (m->type == HALL_MASTER_LOGIN && m->players_min >= 0)
        write_number(out, "playersMin", m->players_min);
    if (m->type == HALL_MASTER_LOGIN && m->players_max >= 0)
        write_number(out, "playersMax", m->players_max);
    buf_append_text(out, "/>");
}

static void write_response(struct buf *out, const struct hall_message *m) {
    bool is_accepted = m->login_error == HALL_LOGIN_OK;
    write_child(out, "response", "accept", is_accepted ? SPAN("yes") : SPAN("no"));
    if (is_accepted || (int)m->login_error == UGS_LOGIN_UNSAID)
        return;
    buf_append_text(out, "<error");
    write_number(out, "id", m->login_error);
    buf_append_text(out, "/>");
}

/* Two hyphens in a row end a comment, and one before its end is one too many. */
static void write_comment(struct buf *out, struct span words) {
    buf_append_text(out, "<!-- ");
    for (size_t i = 0; i < words.size; i++) {
        buf_append_byte(out, words.data[i]);
        if (words.data[i] == '-' && i + 1 < words.size && words.data[i + 1] == '-')
            buf_append_byte(out, ' ');
    }
    buf_append_text(out, " -->");
}

/* The payload as it came, or its points; what is wrong with them is a comment, which no parser minds. */
static void write_payload(struct buf *out, const struct hall_message *m, const char *element) {
    if (m->payload.size > 0) {
        buf_append(out, m->payload);
        return;
    }
    buf_append_byte(out, '<');
    buf_append_text(out, element);
    buf_append_byte(out, '>');
    for (size_t i = 0; i < m->point_count; i++) {
        buf_append_text(out, "<point");
        write_number(out, "x", m->points[i].x);
        write_number(out, "y", m->points[i].y);
        buf_append_text(out, "/>");
    }
    if (m->text.size > 0)
        write_comment(out, m->text);
    buf_append_text(out, "</");
    buf_append_text(out, element);
    buf_append_byte(out, '>');
}

static void write_state(struct buf *out, const struct hall_message *m) {
    write_table(out, m);
    if (m->is_over) {
        buf_append_text(out, "<gameOver>");
        write_players(out, m);
        buf_append_text(out, "</gameOver>");
    } else if (m->has_next) {
        write_child(out, "nextPlayer", "nick", m->next);
    }
    write_payload(out, m, "gameState");
}

static void write_content(struct buf *out, const struct hall_message *m) {
    switch (m->type) {
    case HALL_ERROR: write_escaped(out, m->text); break;
    case HALL_PLAYER_LOGIN:
    case HALL_MASTER_LOGIN: write_login(out, m); break;
    case HALL_LOGIN_RESPONSE: write_response(out, m); break;
    case HALL_GAME_STATE: write_state(out, m); break;
    case HALL_MOVE:
        write_table(out, m);
        write_payload(out, m, "move");
        break;
    case HALL_BEGIN_GAME:
        write_table(out, m);
        write_players(out, m);
        break;
    case HALL_THANK_YOU:
    case HALL_LEAVE_GAME: write_table(out, m); break;
    case HALL_PLAYER_LEFT_GAME:
        write_child(out, "player", "nick", m->nick);
        write_table(out, m);
        break;
    case HALL_CHAMPIONS_LIST: write_players(out, m); break;
    case HALL_LOGOUT:
    case HALL_SERVER_SHUTDOWN:
    case HALL_TYPE_COUNT: break;
    }
}

void ugs_write(struct buf *out, const struct hall_message *m, const struct ugs_style *style) {
    assert(m->type < HALL_TYPE_COUNT);
    if (!style->omits_declaration)
        buf_append_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    buf_append_text(out, "<message type=\"");
    buf_append_text(out, type_word[m->type]);
    buf_append_text(out, "\">");
    write_content(out, m);
    buf_append_text(out, "</message>");
    if (style->ends_with_newline)
        buf_append_byte(out, '\n');
}
