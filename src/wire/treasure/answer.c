#include "wire/treasure/answer.h"

#include <assert.h>
#include <expat.h>

enum { DEPTH_MAX = 16 };

struct reading {
    XML_Parser parser;
    struct treasure_answer *out;
    struct span player;
    unsigned depth;
    bool is_in_player;
    char text[TREASURE_TEXT_BYTES_MAX]; /* of the element that is open; cut when it is too long */
    size_t text_size;
    /* The player entry that is open. */
    bool is_own;
    enum treasure_standing standing;
    bool has_treasure;
    bool is_broken;
};

static const char *const standing_words[] = {[TREASURE_MUST_WAIT] = "MustWait",
                                             [TREASURE_MUST_ACT] = "MustAct",
                                             [TREASURE_WON] = "Won",
                                             [TREASURE_LOST] = "Lost"};
static const char *const terrain_words[] = {
    [TREASURE_WATER] = "Water", [TREASURE_GRASS] = "Grass", [TREASURE_MOUNTAIN] = "Mountain"};

static void XMLCALL treasure_answer_on_start(void *context, const XML_Char *name,
                                             const XML_Char **attributes) {
    (void)attributes;
    struct reading *r = context;
    struct treasure_answer *out = r->out;
    r->text_size = 0;
    if (++r->depth > DEPTH_MAX)
        XML_StopParser(r->parser, XML_FALSE);
    if (strcmp(name, "player") == 0) {
        r->is_in_player = true;
        r->is_own = false;
    } else if (strcmp(name, "mapNode") == 0) {
        if (out->field_count == TREASURE_FIELDS)
            r->is_broken = true;
        else
            out->fields[out->field_count++] = (struct treasure_field){0};
    }
}

static void XMLCALL treasure_answer_on_text(void *context, const XML_Char *text, int size) {
    struct reading *r = context;
    size_t room = sizeof r->text - 1 - r->text_size;
    size_t used = (size_t)size < room ? (size_t)size : room;
    memcpy(r->text + r->text_size, text, used);
    r->text_size += used;
}

static int treasure_answer_word_index(const char *const *words, size_t count, struct span text) {
    for (size_t i = 0; i < count; i++)
        if (words[i] != NULL && span_is(text, words[i]))
            return (int)i;
    return -1;
}

static void treasure_answer_keep(struct reading *r, char *to, struct span text) {
    if (!span_copy(text, to, TREASURE_TEXT_BYTES_MAX))
        r->is_broken = true;
}

static void player_field(struct reading *r, const char *name, struct span text) {
    if (strcmp(name, "uniquePlayerID") == 0)
        r->is_own = span_equal(text, r->player);
    else if (strcmp(name, "collectedTreasure") == 0)
        r->has_treasure = span_is(text, "true") || span_is(text, "1");
    else if (strcmp(name, "state") == 0) {
        int standing = treasure_answer_word_index(standing_words, 4, text);
        r->is_broken = r->is_broken || standing < 0;
        r->standing = (enum treasure_standing)standing;
    } else if (strcmp(name, "player") == 0) {
        r->is_in_player = false;
        if (!r->is_own)
            return;
        r->out->has_state = true;
        r->out->standing = r->standing;
        r->out->has_treasure = r->has_treasure;
    }
}

static void coordinate(struct reading *r, struct span text, int64_t max, uint8_t *out) {
    int64_t value;
    if (span_to_int(text, &value) && value >= 0 && value <= max)
        *out = (uint8_t)value;
    else
        r->is_broken = true;
}

static void node_field(struct reading *r, const char *name, struct span text) {
    if (r->out->field_count == 0)
        return;
    struct treasure_field *f = &r->out->fields[r->out->field_count - 1];
    bool is_both = span_is(text, "BothPlayerPosition");
    if (strcmp(name, "X") == 0) {
        coordinate(r, text, 2 * TREASURE_HALF_WIDTH - 1, &f->x);
    } else if (strcmp(name, "Y") == 0) {
        coordinate(r, text, 2 * TREASURE_HALF_HEIGHT - 1, &f->y);
    } else if (strcmp(name, "terrain") == 0) {
        int terrain = treasure_answer_word_index(terrain_words, 4, text);
        r->is_broken = r->is_broken || terrain < 0;
        f->terrain = (uint8_t)terrain;
    } else if (strcmp(name, "playerPositionState") == 0) {
        f->has_viewer = is_both || span_is(text, "MyPlayerPosition");
        f->has_enemy = is_both || span_is(text, "EnemyPlayerPosition");
    } else if (strcmp(name, "treasureState") == 0) {
        f->has_own_treasure = span_is(text, "MyTreasuresPresent") || span_is(text, "MyTreasureIsPresent");
    } else if (strcmp(name, "fortState") == 0) {
        f->has_own_fort = span_is(text, "MyFortPresent");
        f->has_enemy_fort = span_is(text, "EnemyFortPresent");
    }
}

static void XMLCALL treasure_answer_on_end(void *context, const XML_Char *name) {
    struct reading *r = context;
    struct treasure_answer *out = r->out;
    struct span text = span_trim(span_make(r->text, r->text_size));
    if (r->is_in_player)
        player_field(r, name, text);
    else if (strcmp(name, "uniqueGameID") == 0 || strcmp(name, "uniquePlayerID") == 0)
        treasure_answer_keep(r, out->id, text);
    else if (strcmp(name, "state") == 0)
        out->is_okay = span_is(text, "Okay");
    else if (strcmp(name, "exceptionName") == 0)
        treasure_answer_keep(r, out->name, text);
    else if (strcmp(name, "exceptionMessage") == 0)
        treasure_answer_keep(r, out->message, text);
    else if (strcmp(name, "gameStateId") == 0)
        treasure_answer_keep(r, out->state_id, text);
    else if (strcmp(name, "uniqueGameIdentifier") == 0)
        out->is_okay = out->id[0] != '\0';
    else
        node_field(r, name, text);
    r->text_size = 0;
    r->depth--;
}

enum err treasure_answer_read(struct span document, struct span player, struct treasure_answer *out) {
    struct reading r = {.out = out, .player = player, .parser = XML_ParserCreate(NULL)};
    *out = (struct treasure_answer){0};
    assert(r.parser != NULL);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, treasure_answer_on_start, treasure_answer_on_end);
    XML_SetCharacterDataHandler(r.parser, treasure_answer_on_text);
    bool is_read = XML_Parse(r.parser, document.data, (int)document.size, XML_TRUE) == XML_STATUS_OK;
    XML_ParserFree(r.parser);
    return is_read && !r.is_broken ? ERR_OK : ERR_MALFORMED;
}
