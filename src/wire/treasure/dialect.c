/* The Treasure Hunt dialect with expat. One parser serves all documents of a reader: it is reset before each,
 * and the texts go into an arena that is reserved once per document, so that spans into it stay where they
 * are. */
#include "wire/treasure/dialect.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "wire/xml/parser.h"

#include <stdio.h>

/* The elements that have a text. */
enum field {
    FIELD_USERNAME,
    FIELD_FIRST_NAME,
    FIELD_LAST_NAME,
    FIELD_ACCOUNT,
    FIELD_PLAYER,
    FIELD_MOVE,
    FIELD_X,
    FIELD_Y,
    FIELD_FORT,
    FIELD_TERRAIN,
    FIELD_COUNT,
    FIELD_NODE_FIRST = FIELD_X,
};

static const char *const field_words[FIELD_COUNT] = {
    [FIELD_USERNAME] = "playerUsername",
    [FIELD_FIRST_NAME] = "studentFirstName",
    [FIELD_LAST_NAME] = "studentLastName",
    [FIELD_ACCOUNT] = "studentUAccount",
    [FIELD_PLAYER] = "uniquePlayerID",
    [FIELD_MOVE] = "move",
    [FIELD_X] = "X",
    [FIELD_Y] = "Y",
    [FIELD_FORT] = "fortPresent",
    [FIELD_TERRAIN] = "terrain",
};

#define FIELD_BIT(field) (1u << (field))

/* Which document is read: its root, and the fields right under it. */
struct form {
    const char *root;
    unsigned fields;
    bool has_nodes;
};

static const struct form registration_form = {
    "playerRegistration",
    FIELD_BIT(FIELD_USERNAME) | FIELD_BIT(FIELD_FIRST_NAME) | FIELD_BIT(FIELD_LAST_NAME) |
        FIELD_BIT(FIELD_ACCOUNT),
    false,
};
static const struct form move_form = {"playerMove", FIELD_BIT(FIELD_PLAYER) | FIELD_BIT(FIELD_MOVE), false};
static const struct form half_form = {"playerHalfMap", FIELD_BIT(FIELD_PLAYER), true};

struct treasure_reader {
    struct xml_reader xml;
    struct hunt_node *nodes;
    size_t node_count;

    /* The document being read. */
    const struct form *form;
    unsigned depth;
    unsigned field_depth; /* of the field that is open; 0: none is */
    enum field field;     /* that is open */
    size_t field_at;      /* where its text begins in the arena */
    unsigned nodes_depth; /* 2 inside of the list of nodes */
    unsigned node_depth;  /* 3 inside of a node */
    unsigned found;       /* set of the fields that were there; those of the node that is open */
    struct span text[FIELD_COUNT];
};

static enum err complain_value(struct treasure_reader *r, enum field field, const char *wanted) {
    struct span text = span_trim(r->text[field]);
    int size = xml_quote_size(text);
    if (r->form->has_nodes && field >= FIELD_NODE_FIRST)
        snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_VALUE_OF_NODE, field_words[field],
                 r->node_count + 1, size, text.data, wanted);
    else
        snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_VALUE, field_words[field], size,
                 text.data, wanted);
    return ERR_FIELD_INVALID;
}

static enum err complain_missing(struct treasure_reader *r, enum field field) {
    if (field >= FIELD_NODE_FIRST)
        snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_MISSING_NODE, field_words[field],
                 r->node_count + 1);
    else
        snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_MISSING, field_words[field]);
    return ERR_FIELD_MISSING;
}

/* Nodes of a half map. */

static enum err read_number(struct treasure_reader *r, enum field field, int64_t *out) {
    return span_to_int(span_trim(r->text[field]), out) ? ERR_OK
                                                       : complain_value(r, field, TREASURE_MUST_BE_NUMBER);
}

/* The words of XML's boolean type. */
static enum err read_bool(struct treasure_reader *r, enum field field, bool *out) {
    struct span text = span_trim(r->text[field]);
    *out = span_is(text, "true") || span_is(text, "1");
    if (*out || span_is(text, "false") || span_is(text, "0"))
        return ERR_OK;
    return complain_value(r, field, TREASURE_MUST_BE_FLAG);
}

static const char *const terrain_words[] = {
    [TREASURE_WATER] = "Water", [TREASURE_GRASS] = "Grass", [TREASURE_MOUNTAIN] = "Mountain"};

static enum err read_terrain(struct treasure_reader *r, enum treasure_terrain *out) {
    struct span text = span_trim(r->text[FIELD_TERRAIN]);
    for (unsigned i = TREASURE_WATER; i <= TREASURE_MOUNTAIN; i++)
        if (span_is(text, terrain_words[i])) {
            *out = (enum treasure_terrain)i;
            return ERR_OK;
        }
    return complain_value(r, FIELD_TERRAIN, TREASURE_MUST_BE_TERRAIN);
}

static enum err node_end(struct treasure_reader *r) {
    struct hunt_node node = {0};
    if (r->node_count == HUNT_NODES_MAX)
        return ERR_TOO_LARGE;
    for (unsigned field = FIELD_NODE_FIRST; field < FIELD_COUNT; field++)
        if ((r->found & FIELD_BIT(field)) == 0)
            return complain_missing(r, (enum field)field);
    enum err e = read_number(r, FIELD_X, &node.x);
    if (e == ERR_OK)
        e = read_number(r, FIELD_Y, &node.y);
    if (e == ERR_OK)
        e = read_bool(r, FIELD_FORT, &node.is_fort);
    if (e == ERR_OK)
        e = read_terrain(r, &node.terrain);
    if (e != ERR_OK)
        return e;
    r->nodes[r->node_count++] = node;
    for (unsigned field = FIELD_NODE_FIRST; field < FIELD_COUNT; field++)
        r->found &= ~FIELD_BIT(field);
    return ERR_OK;
}

/* The parser's handlers. */

static const char *local_name(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon == NULL ? name : colon + 1;
}

static void root_begin(struct treasure_reader *r, const char *name) {
    if (strcmp(name, r->form->root) == 0)
        return;
    snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_ROOT_OTHER, xml_quote_size(span_of(name)),
             name, r->form->root);
    xml_reader_refuse(&r->xml, ERR_UNKNOWN_TYPE);
}

static void field_begin(struct treasure_reader *r, const char *name, unsigned fields) {
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if ((fields & FIELD_BIT(field)) == 0 || strcmp(name, field_words[field]) != 0)
            continue;
        if ((r->found & FIELD_BIT(field)) != 0) {
            snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_TWICE, field_words[field]);
            xml_reader_refuse(&r->xml, ERR_FIELD_INVALID);
            return;
        }
        r->found |= FIELD_BIT(field);
        r->field = (enum field)field;
        r->field_depth = r->depth;
        r->field_at = r->xml.arena.size;
    }
}

static void XMLCALL treasure_on_start(void *context, const XML_Char *raw_name, const XML_Char **attributes) {
    static const unsigned node_fields =
        FIELD_BIT(FIELD_X) | FIELD_BIT(FIELD_Y) | FIELD_BIT(FIELD_FORT) | FIELD_BIT(FIELD_TERRAIN);
    (void)attributes;
    struct treasure_reader *r = context;
    const char *name = local_name(raw_name);
    r->depth++;
    if (r->depth > TREASURE_DEPTH_MAX) {
        xml_reader_refuse(&r->xml, ERR_TOO_DEEP);
    } else if (r->depth == 1) {
        root_begin(r, name);
    } else if (r->field_depth == 0) {
        if (r->depth == 2)
            field_begin(r, name, r->form->fields);
        if (r->form->has_nodes && r->depth == 2 && strcmp(name, "playerHalfMapNodes") == 0)
            r->nodes_depth = r->depth;
        else if (r->nodes_depth == 2 && r->depth == 3 && strcmp(name, "playerHalfMapNode") == 0)
            r->node_depth = r->depth;
        else if (r->node_depth == 3 && r->depth == 4)
            field_begin(r, name, node_fields);
    }
}

static void XMLCALL treasure_on_end(void *context, const XML_Char *name) {
    (void)name;
    struct treasure_reader *r = context;
    if (r->field_depth == r->depth) {
        r->text[r->field] = span_make(r->xml.arena.data + r->field_at, r->xml.arena.size - r->field_at);
        r->field_depth = 0;
    } else if (r->node_depth == r->depth) {
        enum err e = node_end(r);
        r->node_depth = 0;
        if (e != ERR_OK)
            xml_reader_refuse(&r->xml, e);
    } else if (r->nodes_depth == r->depth) {
        r->nodes_depth = 0;
    }
    r->depth--;
}

static void XMLCALL treasure_on_text(void *context, const XML_Char *text, int size) {
    struct treasure_reader *r = context;
    if (r->field_depth == 0 || r->field_depth != r->depth)
        return;
    xml_reader_keep(&r->xml, span_make(text, (size_t)size));
}

struct treasure_reader *treasure_reader_create(void) {
    struct treasure_reader *r = mem_alloc(sizeof *r);
    xml_reader_init(&r->xml);
    r->nodes = mem_alloc(HUNT_NODES_MAX * sizeof *r->nodes);
    return r;
}

void treasure_reader_free(struct treasure_reader *r) {
    if (r == NULL)
        return;
    xml_reader_free(&r->xml);
    mem_free(r->nodes);
    mem_free(r);
}

const char *treasure_reader_complaint(const struct treasure_reader *r) {
    return r->xml.complaint;
}

static void read_begin(struct treasure_reader *r, const struct form *form) {
    r->form = form;
    r->xml.complaint[0] = '\0';
    r->depth = r->field_depth = r->nodes_depth = r->node_depth = 0;
    r->found = 0;
    r->node_count = 0;
    memset(r->text, 0, sizeof r->text);
}

static enum err read_document(struct treasure_reader *r, const struct form *form, struct span document) {
    read_begin(r, form);
    if (document.size == 0) {
        snprintf(r->xml.complaint, sizeof r->xml.complaint, "%s", treasure_body_empty.sentence);
        return treasure_body_empty.why;
    }
    if (document.size > TREASURE_BODY_BYTES_MAX)
        return ERR_TOO_LARGE;
    if (xml_looks_like_utf16(document))
        return ERR_ENCODING;
    return xml_reader_parse(&r->xml, document, treasure_on_start, treasure_on_end, treasure_on_text);
}

/* A field that must be there and not empty, in the form in which it stands there. */
static enum err need(struct treasure_reader *r, enum field field) {
    if ((r->found & FIELD_BIT(field)) == 0)
        return complain_missing(r, field);
    if (r->text[field].size > 0)
        return ERR_OK;
    snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_EMPTY, field_words[field]);
    return ERR_FIELD_INVALID;
}

static enum err need_name(struct treasure_reader *r, enum field field, struct span *out) {
    enum err e = need(r, field);
    *out = r->text[field];
    if (e == ERR_OK && !utf8_is_one_line(*out)) {
        snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_CONTROL, field_words[field]);
        return ERR_FIELD_INVALID;
    }
    if (e != ERR_OK || utf8_length(*out) <= HUNT_NAME_CHARS_MAX)
        return e;
    snprintf(r->xml.complaint, sizeof r->xml.complaint, TREASURE_TOO_LONG, field_words[field],
             utf8_length(*out), HUNT_NAME_CHARS_MAX);
    return ERR_FIELD_INVALID;
}

enum err treasure_read_registration(struct treasure_reader *r, struct span document, struct hunt_name *out) {
    static const unsigned course =
        FIELD_BIT(FIELD_FIRST_NAME) | FIELD_BIT(FIELD_LAST_NAME) | FIELD_BIT(FIELD_ACCOUNT);
    enum err e = read_document(r, &registration_form, document);
    *out = (struct hunt_name){.kind = HUNT_SEED};
    if (e != ERR_OK)
        return e;
    if ((r->found & FIELD_BIT(FIELD_USERNAME)) != 0 || (r->found & course) == 0)
        return need_name(r, FIELD_USERNAME, &out->username);
    out->kind = HUNT_COURSE;
    e = need_name(r, FIELD_FIRST_NAME, &out->first_name);
    if (e == ERR_OK)
        e = need_name(r, FIELD_LAST_NAME, &out->last_name);
    return e == ERR_OK ? need_name(r, FIELD_ACCOUNT, &out->account) : e;
}

/* Ids and words: white space around them comes from pretty printing. */
static enum err need_word(struct treasure_reader *r, enum field field, struct span *out) {
    r->text[field] = span_trim(r->text[field]);
    *out = r->text[field];
    return need(r, field);
}

enum err treasure_read_move(struct treasure_reader *r, struct span document, struct span *player,
                            enum treasure_direction *out) {
    static const char *const words[TREASURE_DIRECTIONS] = {
        [TREASURE_UP] = "Up", [TREASURE_DOWN] = "Down", [TREASURE_LEFT] = "Left", [TREASURE_RIGHT] = "Right"};
    struct span word;
    *player = (struct span){0};
    enum err e = read_document(r, &move_form, document);
    if (e == ERR_OK)
        e = need_word(r, FIELD_PLAYER, player);
    if (e == ERR_OK)
        e = need_word(r, FIELD_MOVE, &word);
    if (e != ERR_OK)
        return e;
    for (unsigned i = 0; i < TREASURE_DIRECTIONS; i++)
        if (span_is(word, words[i])) {
            *out = (enum treasure_direction)i;
            return ERR_OK;
        }
    return complain_value(r, FIELD_MOVE, TREASURE_MUST_BE_DIRECTION);
}

enum err treasure_read_half(struct treasure_reader *r, struct span document, struct span *player,
                            const struct hunt_node **nodes, size_t *count) {
    *player = (struct span){0};
    enum err e = read_document(r, &half_form, document);
    if (e == ERR_OK)
        e = need_word(r, FIELD_PLAYER, player);
    *nodes = r->nodes;
    *count = r->node_count;
    return e;
}

/* Answers. */

#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
#define DATA(type)  "<data xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"" type "\">"
#define OKAY        DECLARATION "<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</state>"

/* A carriage return would become a line feed. */
static void write_text(struct buf *out, struct span text) {
    xml_write_text(out, text, "&<>\"'\r");
}

static void write_element(struct buf *out, const char *name, struct span text) {
    buf_append_byte(out, '<');
    buf_append_text(out, name);
    buf_append_byte(out, '>');
    write_text(out, text);
    buf_append(out, SPAN("</"));
    buf_append_text(out, name);
    buf_append_byte(out, '>');
}

void treasure_write_game(struct buf *out, const char *id) {
    buf_append(out, SPAN(DECLARATION "<uniqueGameIdentifier>"));
    write_element(out, "uniqueGameID", span_of(id));
    buf_append(out, SPAN("</uniqueGameIdentifier>"));
}

void treasure_write_player(struct buf *out, const char *id) {
    buf_append(out, SPAN(OKAY DATA("uniquePlayerIdentifier")));
    write_element(out, "uniquePlayerID", span_of(id));
    buf_append(out, SPAN("</data></responseEnvelope>"));
}

void treasure_write_okay(struct buf *out) {
    buf_append(out, SPAN(OKAY "</responseEnvelope>"));
}

void treasure_write_error(struct buf *out, const char *name, const char *sentence) {
    buf_append(out, SPAN(DECLARATION "<responseEnvelope>"));
    write_element(out, "exceptionName", span_of(name));
    write_element(out, "exceptionMessage", span_of(sentence));
    buf_append(out, SPAN("<state>Error</state></responseEnvelope>"));
}

/* A seed player is told one name, a course player three, whatever the other one is (section 5). */
static void write_names(struct buf *out, const struct hunt_name *name, enum hunt_kind viewer) {
    if (viewer != HUNT_COURSE && name->kind != HUNT_COURSE) {
        write_element(out, "playerUsername", name->username);
    } else if (viewer != HUNT_COURSE) {
        buf_append(out, SPAN("<playerUsername>"));
        write_text(out, name->first_name);
        buf_append_byte(out, ' ');
        write_text(out, name->last_name);
        buf_append(out, SPAN("</playerUsername>"));
    } else if (name->kind != HUNT_COURSE) {
        write_element(out, "firstName", name->username);
        write_element(out, "lastName", name->username);
        write_element(out, "uaccount", name->username);
    } else {
        write_element(out, "firstName", name->first_name);
        write_element(out, "lastName", name->last_name);
        write_element(out, "uaccount", name->account);
    }
}

static void treasure_dialect_write_player(struct buf *out, const struct hunt_face *face,
                                          enum hunt_kind viewer) {
    static const char *const words[] = {[TREASURE_MUST_WAIT] = "MustWait",
                                        [TREASURE_MUST_ACT] = "MustAct",
                                        [TREASURE_WON] = "Won",
                                        [TREASURE_LOST] = "Lost"};
    buf_append(out, SPAN("<player>"));
    write_element(out, "uniquePlayerID", span_of(face->id));
    write_names(out, &face->name, viewer);
    write_element(out, "state", span_of(words[face->standing]));
    write_element(out, "collectedTreasure", face->has_treasure ? SPAN("true") : SPAN("false"));
    buf_append(out, SPAN("</player>"));
}

static const char *position_word(const struct treasure_field *f) {
    if (f->has_viewer)
        return f->has_enemy ? "BothPlayerPosition" : "MyPlayerPosition";
    return f->has_enemy ? "EnemyPlayerPosition" : "NoPlayerPresent";
}

/* The seed document spells the treasure in its own way (section 5). */
static const char *treasure_word(const struct treasure_field *f, enum hunt_kind viewer) {
    if (!f->has_own_treasure)
        return "NoOrUnknownTreasureState";
    return viewer == HUNT_COURSE ? "MyTreasureIsPresent" : "MyTreasuresPresent";
}

static void write_node(struct buf *out, const struct treasure_field *f, enum hunt_kind viewer) {
    buf_append(out, SPAN("<mapNode><playerPositionState>"));
    buf_append_text(out, position_word(f));
    buf_append(out, SPAN("</playerPositionState><terrain>"));
    buf_append_text(out, terrain_words[f->terrain]);
    buf_append(out, SPAN("</terrain><treasureState>"));
    buf_append_text(out, treasure_word(f, viewer));
    buf_append(out, SPAN("</treasureState><fortState>"));
    buf_append_text(out, f->has_own_fort     ? "MyFortPresent"
                         : f->has_enemy_fort ? "EnemyFortPresent"
                                             : "NoOrUnknownFortState");
    buf_append(out, SPAN("</fortState><X>"));
    buf_append_int(out, f->x);
    buf_append(out, SPAN("</X><Y>"));
    buf_append_int(out, f->y);
    buf_append(out, SPAN("</Y></mapNode>"));
}

void treasure_write_state(struct buf *out, const struct hunt_view *view, enum hunt_kind viewer) {
    buf_append(out, SPAN(OKAY DATA("gameState") "<players>"));
    for (size_t i = 0; i < view->face_count; i++)
        treasure_dialect_write_player(out, &view->faces[i], viewer);
    buf_append(out, SPAN("</players>"));
    if (view->field_count > 0) {
        buf_append(out, SPAN("<map><mapNodes>"));
        for (size_t i = 0; i < view->field_count; i++)
            write_node(out, &view->fields[i], viewer);
        buf_append(out, SPAN("</mapNodes></map>"));
    }
    write_element(out, "gameStateId", span_of(view->state_id));
    buf_append(out, SPAN("</data></responseEnvelope>"));
}

const char *treasure_error_name(enum err e) {
    switch ((int)e) { /* those of the game too */
    case ERR_TABLE_UNKNOWN: return "GameNotFoundException";
    case ERR_TABLE_FULL: return "GameFullException";
    case ERR_TABLE_OVER: return "GameOverException";
    case ERR_PLAYER_UNKNOWN: return "PlayerUnknownException";
    case ERR_NOT_YOUR_TURN: return "NotYourTurnException";
    case ERR_BUSY:
    case ERR_TOO_OFTEN: return "TooManyRequestsException";
    case ERR_TOO_MANY:
    case ERR_DRAINING:
    case ERR_ADDRESS_FULL: return "TooManyGamesException";
    case ERR_FIELD_MISSING:
    case ERR_FIELD_INVALID: return "InvalidFieldException";
    case ERR_UNKNOWN_TYPE: return "WrongMessageException";
    case ERR_MALFORMED:
    case ERR_DOCTYPE:
    case ERR_ENCODING:
    case ERR_TOO_LARGE:
    case ERR_TOO_DEEP: return "MalformedMessageException";
    case ERR_MOVE_WATER:
    case ERR_MOVE_OFF_MAP:
    case ERR_HALF_AWAITED: return "IllegalMoveException";
    case ERR_HALF_FIELD:
    case ERR_HALF_MOUNTAIN:
    case ERR_HALF_GRASS:
    case ERR_HALF_WATER:
    case ERR_HALF_FORTS:
    case ERR_HALF_FORT_GRASS:
    case ERR_HALF_EDGE:
    case ERR_HALF_ISLAND:
    case ERR_HALF_UNWANTED: return "IllegalHalfMapException";
    default: return "RequestRefusedException";
    }
}
