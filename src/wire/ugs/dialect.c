/* The UGS dialect with expat. One parser serves all messages of a reader: it is reset before each, and the
 * texts it decodes go into an arena that is reserved once per message, so that spans into it stay where they
 * are. */
#include "wire/ugs/dialect.h"

#include "base/mem.h"
#include "games/paper_soccer/paper_soccer.h"
#include "wire/xml/frame.h"
#include "wire/xml/parser.h"

#include <assert.h>
#include <stdio.h>

enum {
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

/* What an element says. */
enum said {
    SAID_TEXT,   /* a span; the first that is not empty counts */
    SAID_NUMBER, /* an int64_t; the first that is one counts */
    SAID_TABLE,
    SAID_NEXT,
    SAID_ACCEPT,
    SAID_ERROR,
    SAID_PLAYER,  /* one more of a list */
    SAID_PAYLOAD, /* all of the element, byte for byte */
};

#define TYPE(name)  (1u << HALL_##name)
#define FIELD(name) offsetof(struct hall_message, name)
#define TABLE_TYPES                                                                                          \
    (TYPE(BEGIN_GAME) | TYPE(GAME_STATE) | TYPE(MOVE) | TYPE(THANK_YOU) | TYPE(LEAVE_GAME) |                 \
     TYPE(PLAYER_LEFT_GAME))

/* Which elements the types have (section 3), in the order in which they are written; all others are ignored.
 * One with several attributes has several rows. */
static const struct row {
    unsigned types;
    const char *parent; /* NULL: <message> itself */
    const char *element, *attribute;
    enum said said;
    size_t field;
} rows[] = {
    {TYPE(PLAYER_LOGIN), NULL, "playerLogin", "nick", SAID_TEXT, FIELD(nick)},
    {TYPE(PLAYER_LOGIN), NULL, "playerLogin", "gameType", SAID_TEXT, FIELD(game_type)},
    {TYPE(MASTER_LOGIN), NULL, "gameMasterLogin", "id", SAID_TEXT, FIELD(id)},
    {TYPE(MASTER_LOGIN), NULL, "gameMasterLogin", "gameType", SAID_TEXT, FIELD(game_type)},
    {TYPE(MASTER_LOGIN), NULL, "gameMasterLogin", "playersMin", SAID_NUMBER, FIELD(players_min)},
    {TYPE(MASTER_LOGIN), NULL, "gameMasterLogin", "playersMax", SAID_NUMBER, FIELD(players_max)},
    {TYPE(LOGIN_RESPONSE), "response", "error", "id", SAID_ERROR, 0}, /* read, never written by rows */
    {TYPE(LOGIN_RESPONSE), NULL, "response", "accept", SAID_ACCEPT, 0},
    {TYPE(LOGIN_RESPONSE), NULL, "error", "id", SAID_ERROR, 0},
    {TYPE(PLAYER_LEFT_GAME), NULL, "player", "nick", SAID_TEXT, FIELD(nick)},
    {TABLE_TYPES, NULL, "gameId", "id", SAID_TABLE, FIELD(table)},
    {TYPE(BEGIN_GAME) | TYPE(CHAMPIONS_LIST), NULL, "player", NULL, SAID_PLAYER, 0},
    {TYPE(GAME_STATE), "gameOver", "player", NULL, SAID_PLAYER, 0},
    {TYPE(GAME_STATE), NULL, "nextPlayer", "nick", SAID_NEXT, FIELD(next)},
    {TYPE(GAME_STATE), NULL, "gameState", NULL, SAID_PAYLOAD, 0},
    {TYPE(MOVE), NULL, "move", NULL, SAID_PAYLOAD, 0},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static bool ugs_row_has_type(const struct row *row, enum hall_type type) {
    return (row->types & 1u << type) != 0;
}

struct ugs_reader {
    struct xml_reader xml;
    struct buf payload; /* its elements, one after the other */
    struct buf players; /* struct hall_player */

    /* The message being read. */
    struct span document;
    struct hall_message *out;
    unsigned depth;
    const char *open;  /* the child of <message> that is open, when elements in it count */
    bool is_payload;   /* it is of the payload, */
    size_t payload_at; /* and begins here */
    bool has_type, has_accept, is_accepted;
    int64_t login_error; /* -1: none was named */

    /* The points in its payload. */
    bool accepts_move_points;
    size_t list_count; /* <move> or <gameState> elements so far */
    bool is_in_point;  /* where nothing more may come */
    bool has_point;    /* a <point>, readable or not */
    struct pitch_point points[POINTS_MAX];
};

/* Reading messages */

static const char *ugs_attribute(const XML_Char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* No source is kept twice. */
static struct span ugs_keep(struct ugs_reader *r, const char *text) {
    return text == NULL || *text == '\0' ? (struct span){0} : xml_reader_keep(&r->xml, span_of(text));
}

/* Keeps the attribute of an element that may come only once: the first that has a value counts. */
static void ugs_keep_first(struct ugs_reader *r, struct span *field, const char *text) {
    if (field->size == 0)
        *field = ugs_keep(r, text);
}

static int64_t ugs_number_or(const char *text, int64_t min, int64_t max, int64_t otherwise) {
    int64_t value;
    if (text == NULL || !span_to_int(span_trim(span_of(text)), &value) || value < min || value > max)
        return otherwise;
    return value;
}

/* "looser" is in the course papers, and some masters send nothing else (section 9). */
static struct span ugs_keep_result(struct ugs_reader *r, const char *text) {
    if (text == NULL)
        return (struct span){0};
    struct span word = span_trim(span_of(text));
    if (span_is_nocase(word, "winner"))
        return SPAN("winner");
    if (span_is_nocase(word, "loser") || span_is_nocase(word, "looser"))
        return SPAN("loser");
    return ugs_keep(r, text);
}

static void ugs_add_player(struct ugs_reader *r, const XML_Char **attributes) {
    struct hall_player player = {.nick = ugs_keep(r, ugs_attribute(attributes, "nick"))};
    if (r->out->type == HALL_GAME_STATE)
        player.result = ugs_keep_result(r, ugs_attribute(attributes, "result"));
    if (r->out->type == HALL_CHAMPIONS_LIST) {
        player.won = (int32_t)ugs_number_or(ugs_attribute(attributes, "won"), 0, INT32_MAX, 0);
        player.lost = (int32_t)ugs_number_or(ugs_attribute(attributes, "lost"), 0, INT32_MAX, 0);
    }
    buf_append(&r->players, span_make(&player, sizeof player));
}

static enum err ugs_read_coordinate(const char *text, int32_t *out) {
    int64_t value;
    if (text == NULL)
        return ERR_FIELD_MISSING;
    if (!span_to_int(span_trim(span_of(text)), &value) || value < INT32_MIN || value > INT32_MAX)
        return ERR_FIELD_INVALID;
    *out = (int32_t)value;
    return ERR_OK;
}

static enum err ugs_add_point(struct ugs_reader *r, const XML_Char **attributes) {
    struct pitch_point point;
    enum err e = ugs_read_coordinate(ugs_attribute(attributes, "x"), &point.x);
    if (e == ERR_OK)
        e = ugs_read_coordinate(ugs_attribute(attributes, "y"), &point.y);
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
static enum err ugs_payload_element(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    if (r->is_in_point || (r->depth == 2 && r->list_count++ > 0 && !r->accepts_move_points))
        return ERR_FIELD_INVALID;
    bool is_point = strcmp(name, "point") == 0 && r->depth == 3;
    if (r->accepts_move_points && strcmp(name, "move") == 0 && r->depth <= 3)
        is_point =
            r->depth == 3 || ugs_attribute(attributes, "x") != NULL || ugs_attribute(attributes, "y") != NULL;
    if (is_point)
        return ugs_add_point(r, attributes);
    return r->depth == 2 ? ERR_OK : ERR_FIELD_INVALID;
}

/* What is no list of points is no fault of the message: the payload may be of any game. */
static void ugs_payload_unread(struct ugs_reader *r, enum err e) {
    r->out->unread = e;
    if (e != ERR_OK)
        r->out->point_count = 0;
}

static void ugs_row_read(struct ugs_reader *r, const struct row *row, const XML_Char **attributes) {
    struct hall_message *out = r->out;
    void *field = (char *)out + row->field;
    int64_t *number = field;
    const char *value = row->attribute == NULL ? NULL : ugs_attribute(attributes, row->attribute);
    switch (row->said) {
    case SAID_TABLE:
        if (!out->has_table)
            ugs_keep_first(r, field, value);
        out->has_table |= value != NULL;
        break;
    case SAID_NEXT: out->has_next = true; /* fallthrough */
    case SAID_TEXT: ugs_keep_first(r, field, value); break;
    case SAID_NUMBER:
        if (*number < 0)
            *number = ugs_number_or(value, 0, INT64_MAX, -1);
        break;
    case SAID_ACCEPT:
        if (value != NULL && !r->has_accept)
            r->is_accepted = span_is_nocase(span_trim(span_of(value)), "yes");
        r->has_accept |= value != NULL;
        break;
    case SAID_ERROR:
        if (r->login_error < 0)
            r->login_error = ugs_number_or(value, 1, UGS_LOGIN_UNSAID - 1, -1);
        break;
    case SAID_PLAYER: ugs_add_player(r, attributes); break;
    case SAID_PAYLOAD:
        r->is_payload = true;
        r->payload_at = (size_t)XML_GetCurrentByteIndex(r->xml.parser);
        break;
    }
}

/* A child of <message>, or an element in one. */
static void ugs_element_begin(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    const char *parent = r->open;
    if (r->depth == 3 && parent == NULL)
        return;
    for (const struct row *row = rows; row < rows + ROW_COUNT; row++) {
        if (!ugs_row_has_type(row, r->out->type))
            continue;
        if (row->parent == parent && strcmp(row->element, name) == 0)
            ugs_row_read(r, row, attributes);
        if (r->depth == 2 && row->parent != NULL && strcmp(row->parent, name) == 0)
            r->open = row->parent;
    }
}

static void ugs_payload_end(struct ugs_reader *r) {
    /* After an empty element the index is already behind it and the count is 0. */
    size_t end =
        (size_t)XML_GetCurrentByteIndex(r->xml.parser) + (size_t)XML_GetCurrentByteCount(r->xml.parser);
    buf_append(&r->payload, span_make(r->document.data + r->payload_at, end - r->payload_at));
    r->is_payload = false;
}

static bool ugs_type_parse(struct span word, enum hall_type *out) {
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

static void ugs_root_begin(struct ugs_reader *r, const char *name, const XML_Char **attributes) {
    if (strcmp(name, "message") != 0) {
        snprintf(r->xml.complaint, sizeof r->xml.complaint, UGS_ROOT_OTHER, xml_quote_size(span_of(name)),
                 name);
        return;
    }
    const char *type = ugs_attribute(attributes, "type");
    if (type == NULL)
        snprintf(r->xml.complaint, sizeof r->xml.complaint, "%s", ugs_type_missing.sentence);
    else if (!ugs_type_parse(span_of(type), &r->out->type))
        snprintf(r->xml.complaint, sizeof r->xml.complaint, UGS_TYPE_UNKNOWN, xml_quote_size(span_of(type)),
                 type);
    else
        r->has_type = true;
    if (r->has_type && r->out->type == HALL_MASTER_LOGIN)
        r->out->players_min = r->out->players_max = -1;
}

static void XMLCALL ugs_on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
    struct ugs_reader *r = context;
    r->depth++;
    if (r->depth == 1)
        ugs_root_begin(r, name, attributes);
    else if (r->has_type && r->depth <= 3)
        ugs_element_begin(r, name, attributes);
    r->has_point |= r->is_payload && strcmp(name, "point") == 0;
    if (r->is_payload && r->out->unread == ERR_OK)
        ugs_payload_unread(r, ugs_payload_element(r, name, attributes));
}

static void XMLCALL ugs_on_end(void *context, const XML_Char *name) {
    (void)name;
    struct ugs_reader *r = context;
    if (r->depth == 2 && r->is_payload)
        ugs_payload_end(r);
    if (r->depth == 2)
        r->open = NULL;
    r->is_in_point = false;
    r->depth--;
}

/* Only error messages have text, and they have nothing else: what is in the arena is the text so far. */
static void XMLCALL ugs_on_text(void *context, const XML_Char *text, int size) {
    struct ugs_reader *r = context;
    if (r->is_payload && span_trim(span_make(text, (size_t)size)).size > 0)
        ugs_payload_unread(r, r->out->unread == ERR_OK ? ERR_FIELD_INVALID : r->out->unread);
    if (!r->has_type || r->out->type != HALL_ERROR)
        return;
    xml_reader_keep(&r->xml, span_make(text, (size_t)size));
    r->out->text = buf_span(&r->xml.arena);
}

struct ugs_reader *ugs_reader_create(bool accepts_move_points) {
    struct ugs_reader *r = mem_alloc(sizeof *r);
    r->accepts_move_points = accepts_move_points;
    xml_reader_init(&r->xml);
    return r;
}

void ugs_reader_free(struct ugs_reader *r) {
    if (r == NULL)
        return;
    xml_reader_free(&r->xml);
    buf_free(&r->payload);
    buf_free(&r->players);
    mem_free(r);
}

const char *ugs_reader_complaint(const struct ugs_reader *r) {
    return r->xml.complaint;
}

bool ugs_reader_saw_point(const struct ugs_reader *r) {
    return r->has_point;
}

static void ugs_read_begin(struct ugs_reader *r, struct span document, struct hall_message *out) {
    *out = (struct hall_message){0};
    r->out = out;
    r->document = document;
    r->depth = 0;
    r->list_count = 0;
    r->is_in_point = r->has_point = false;
    r->open = NULL;
    r->is_payload = false;
    r->has_type = r->has_accept = r->is_accepted = false;
    r->login_error = -1;
    buf_clear(&r->players);
    buf_clear(&r->payload);
}

static void ugs_read_end(struct ugs_reader *r) {
    struct hall_message *out = r->out;
    if (r->payload.size > 0)
        out->payload = buf_span(&r->payload);
    if (out->point_count > 0)
        out->points = r->points;
    if (r->players.size > 0) {
        out->players = (const struct hall_player *)(const void *)r->players.data;
        out->player_count = r->players.size / sizeof *out->players;
        out->is_over = out->type == HALL_GAME_STATE;
    }
    if (out->type == HALL_LOGIN_RESPONSE && !r->is_accepted)
        out->login_error = (enum hall_login_error)(r->login_error < 0 ? UGS_LOGIN_UNSAID : r->login_error);
}

static enum err ugs_refuse_unread(struct ugs_reader *r, struct hall_message *out, struct refusal why) {
    *out = (struct hall_message){0};
    snprintf(r->xml.complaint, sizeof r->xml.complaint, "%s", why.sentence);
    return why.why;
}

enum err ugs_read(struct ugs_reader *r, struct span document, struct hall_message *out) {
    if (document.size > XML_FRAME_BYTES_MAX)
        return ugs_refuse_unread(r, out, ugs_too_large);
    if (xml_looks_like_utf16(document))
        return ugs_refuse_unread(r, out, ugs_utf16);
    ugs_read_begin(r, document, out);
    enum err e = xml_reader_parse(&r->xml, document, ugs_on_start, ugs_on_end, ugs_on_text);
    if (e == ERR_OK && r->has_type)
        ugs_read_end(r);
    else if (e == ERR_OK)
        e = ERR_UNKNOWN_TYPE;
    if (e == ERR_DOCTYPE)
        snprintf(r->xml.complaint, sizeof r->xml.complaint, UGS_DOCTYPE,
                 (unsigned long)XML_GetCurrentLineNumber(r->xml.parser));
    if (e != ERR_OK)
        *out = (struct hall_message){0};
    return e;
}

/* Writing messages */

/* As text or as the value of an attribute. White space other than blanks is written as a reference, because
 * parsers would change it. */
static void ugs_write_escaped(struct buf *out, struct span text) {
    xml_write_text(out, text, "&<>\"\t\n\r");
}

static void ugs_write_three(struct buf *out, const char *a, const char *b, const char *c) {
    buf_append_text(out, a);
    buf_append_text(out, b);
    buf_append_text(out, c);
}

static void ugs_write_attribute(struct buf *out, const char *name, struct span value) {
    ugs_write_three(out, " ", name, "=\"");
    ugs_write_escaped(out, value);
    buf_append_byte(out, '"');
}

static void ugs_write_number(struct buf *out, const char *name, int64_t value) {
    ugs_write_three(out, " ", name, "=\"");
    buf_append_int(out, value);
    buf_append_byte(out, '"');
}

/* Players that move segment by segment know no other word for it. */
static struct span ugs_result_word(struct span result, const struct ugs_style *style) {
    return style->is_segmented && span_is(result, "loser") ? SPAN("looser") : result;
}

static void ugs_write_players(struct buf *out, const struct hall_message *m, const struct ugs_style *style) {
    for (size_t i = 0; i < m->player_count; i++) {
        const struct hall_player *player = &m->players[i];
        buf_append_text(out, "<player");
        ugs_write_attribute(out, "nick", player->nick);
        if (m->type == HALL_GAME_STATE)
            ugs_write_attribute(out, "result", ugs_result_word(player->result, style));
        if (m->type == HALL_CHAMPIONS_LIST) {
            ugs_write_number(out, "won", player->won);
            ugs_write_number(out, "lost", player->lost);
        }
        buf_append_text(out, "/>");
    }
}

/* Two hyphens in a row end a comment, and one before its end is one too many. */
static void ugs_write_comment(struct buf *out, struct span words) {
    buf_append_text(out, "<!-- ");
    for (size_t i = 0; i < words.size; i++) {
        buf_append_byte(out, words.data[i]);
        if (words.data[i] == '-' && i + 1 < words.size && words.data[i + 1] == '-')
            buf_append_byte(out, ' ');
    }
    buf_append_text(out, " -->");
}

/* The payload as it came, or its points; what is wrong with them is a comment, which no parser minds. */
static void ugs_write_payload(struct buf *out, const struct hall_message *m, const char *element) {
    if (m->payload.size > 0) {
        buf_append(out, m->payload);
        return;
    }
    ugs_write_three(out, "<", element, ">");
    for (size_t i = 0; i < m->point_count; i++) {
        buf_append_text(out, "<point");
        ugs_write_number(out, "x", m->points[i].x);
        ugs_write_number(out, "y", m->points[i].y);
        buf_append_text(out, "/>");
    }
    if (m->text.size > 0)
        ugs_write_comment(out, m->text);
    ugs_write_three(out, "</", element, ">");
}

static bool ugs_row_is_said(const struct row *row, const struct hall_message *m,
                            const struct ugs_style *style) {
    bool has_payload = m->payload.size > 0 || m->point_count > 0;
    switch (row->said) {
    case SAID_TABLE: return m->has_table;
    case SAID_NEXT: return m->has_next && !m->is_over;
    case SAID_ERROR:
        return row->parent == NULL && m->login_error != HALL_LOGIN_OK &&
               (int)m->login_error != UGS_LOGIN_UNSAID;
    case SAID_PLAYER: return row->parent == NULL || m->is_over;
    case SAID_PAYLOAD: return has_payload || !style->is_segmented;
    default: return true;
    }
}

static void ugs_row_write_attribute(struct buf *out, const struct row *row, const struct hall_message *m) {
    const void *field = (const char *)m + row->field;
    const int64_t *number = field;
    if (row->said == SAID_ACCEPT)
        ugs_write_attribute(out, row->attribute, m->login_error == HALL_LOGIN_OK ? SPAN("yes") : SPAN("no"));
    else if (row->said == SAID_ERROR)
        ugs_write_number(out, row->attribute, m->login_error);
    else if (row->said != SAID_NUMBER)
        ugs_write_attribute(out, row->attribute, *(const struct span *)field);
    else if (*number >= 0)
        ugs_write_number(out, row->attribute, *number);
}

static void ugs_row_write(struct buf *out, const struct row *row, const struct hall_message *m,
                          const struct ugs_style *style) {
    if (row->said == SAID_PAYLOAD) {
        ugs_write_payload(out, m, row->element);
    } else if (row->said == SAID_PLAYER) {
        buf_append_text(out, m->is_over ? "<gameOver>" : "");
        ugs_write_players(out, m, style);
        buf_append_text(out, m->is_over ? "</gameOver>" : "");
    } else {
        if (row == rows || row[-1].types != row->types || strcmp(row[-1].element, row->element) != 0)
            ugs_write_three(out, "<", row->element, "");
        ugs_row_write_attribute(out, row, m);
        if (row[1].types != row->types || strcmp(row[1].element, row->element) != 0)
            buf_append_text(out, "/>");
    }
}

/* The error inside the response, where those look for it. */
static void ugs_write_refusal(struct buf *out, const struct hall_message *m) {
    buf_append_text(out, "<response accept=\"no\"><error");
    ugs_write_number(out, "id", m->login_error);
    buf_append_text(out, "/></response>");
}

void ugs_write(struct buf *out, const struct hall_message *m, const struct ugs_style *style) {
    assert(m->type < HALL_TYPE_COUNT);
    const char *type = style->is_segmented && m->type == HALL_THANK_YOU ? "thankYou" : type_word[m->type];
    bool is_refusal =
        style->is_segmented && m->type == HALL_LOGIN_RESPONSE && m->login_error != HALL_LOGIN_OK;
    if (!style->omits_declaration)
        buf_append_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    ugs_write_three(out, "<message type=\"", type, "\">");
    if (m->type == HALL_ERROR)
        ugs_write_escaped(out, m->text);
    if (is_refusal)
        ugs_write_refusal(out, m);
    for (const struct row *row = rows; row < rows + ROW_COUNT && !is_refusal; row++)
        if (ugs_row_has_type(row, m->type) && ugs_row_is_said(row, m, style))
            ugs_row_write(out, row, m, style);
    buf_append_text(out, "</message>");
    if (style->ends_with_newline)
        buf_append_byte(out, '\n');
}
