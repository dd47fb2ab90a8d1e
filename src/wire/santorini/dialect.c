/* Reading: what clients say, and what it means at a table. Writing is in write.c. */
#include "wire/santorini/dialect.h"

#include <stdio.h>

static const struct {
    const char *word, *reply;
    enum santorini_phase phase;
} requests[SANTORINI_REQUEST_TYPES] = {
    [SANTORINI_SET_NUMBER] = {"setNumberOfPlayers", "errorNumber", SANTORINI_OVER},
    [SANTORINI_ADD_PLAYER] = {"addPlayer", "playerAdded", SANTORINI_BORN},
    [SANTORINI_SET_GODS] = {"setMatchGodCards", "setMatchGodCards", SANTORINI_OFFER},
    [SANTORINI_SET_GOD] = {"setGodCard", "godCardAssigned", SANTORINI_TAKE},
    [SANTORINI_SET_START] = {"setStartPlayer", "setStartPlayer", SANTORINI_START},
    [SANTORINI_SET_COLOR] = {"colorUpdate", "colorUpdate", SANTORINI_COLOR},
    [SANTORINI_SET_BUILDERS] = {"buildersPlacement", "buildersPlacement", SANTORINI_PLACE},
    [SANTORINI_SET_STEP] = {"setStepChoice", "setStepChoice", SANTORINI_TURN},
    [SANTORINI_MOVE] = {"move", "move", SANTORINI_TURN},
    [SANTORINI_BUILD] = {"build", "build", SANTORINI_TURN},
    [SANTORINI_FORCE] = {"force", "force", SANTORINI_TURN},
    [SANTORINI_REMOVE] = {"remove", "remove", SANTORINI_TURN},
    [SANTORINI_BORROW] = {"borrow", "borrow", SANTORINI_TURN},
    [SANTORINI_DISCONNECT] = {"disconnect", "disconnect", SANTORINI_OVER},
    [SANTORINI_PONG] = {"pong", "ping", SANTORINI_OVER},
};

static const struct santorini_request request_empty = {
    .color = SANTORINI_COLORS,
    .positions = {SANTORINI_NOWHERE, SANTORINI_NOWHERE},
    .src = SANTORINI_NOWHERE,
    .dst = SANTORINI_NOWHERE,
    .step = SANTORINI_STEP_NONE,
};

static const char *const step_words[SANTORINI_STEP_COUNT] = {"MOVE",   "BUILD",  "FORCE",
                                                             "REMOVE", "BORROW", "END"};

const char *santorini_request_word(enum santorini_request_type type) {
    return requests[type].word;
}

const char *santorini_reply_word(enum santorini_request_type type) {
    return requests[type].reply;
}

enum santorini_phase santorini_request_phase(enum santorini_request_type type) {
    return requests[type].phase;
}

const char *santorini_step_word(enum santorini_step step) {
    return step_words[step];
}

enum santorini_step santorini_step_by_word(struct span word) {
    unsigned step = 0;
    while (step < SANTORINI_STEP_COUNT && !span_is_nocase(span_trim(word), step_words[step]))
        step++;
    return (enum santorini_step)step;
}

static enum err complain(struct santorini_request *r, enum err e, const char *text) {
    snprintf(r->complaint, sizeof r->complaint, "%s", text);
    return e;
}

/* As much of a client's text as an answer repeats, without a broken character at its end. */
static struct span excerpt(struct span text) {
    enum { EXCERPT_BYTES_MAX = 40 };
    size_t size = text.size;
    if (size > EXCERPT_BYTES_MAX) {
        size = EXCERPT_BYTES_MAX;
        while (size > 0 && ((unsigned char)text.data[size] & 0xc0) == 0x80)
            size--;
    }
    return span_make(text.data, size);
}

static enum err field_missing(struct santorini_request *r, const char *field) {
    snprintf(r->complaint, sizeof r->complaint, "the field \"%s\" is missing or no text", field);
    return ERR_FIELD_MISSING;
}

static enum err read_name(const json_t *m, struct santorini_request *r) {
    r->name = json_text(m, "name");
    return r->name.data == NULL ? field_missing(r, "name") : ERR_OK;
}

/* Takes a number off the front, with the sign between two of them behind it. */
static bool date_part(struct span *text, unsigned *out) {
    unsigned value = 0;
    size_t size = 0;
    for (; size < text->size && size < 4 && text->data[size] >= '0' && text->data[size] <= '9'; size++)
        value = value * 10 + (unsigned)(text->data[size] - '0');
    if (size == 0)
        return false;
    size += size < text->size && strchr(".-/", text->data[size]) != NULL;
    *text = span_make(text->data + size, text->size - size);
    *out = value;
    return true;
}

/* The words that are known are enough: a client may be ahead of this server. */
static enum err read_words(const json_t *m, struct santorini_request *r) {
    const json_t *steps = json_object_get(m, "steps");
    if (steps == NULL)
        return ERR_OK;
    if (!json_is_array(steps))
        return complain(r, ERR_FIELD_INVALID, "the field \"steps\" is a list of words");
    r->words = SANTORINI_WORDS_DOCUMENT;
    for (size_t i = 0; i < json_array_size(steps); i++)
        r->words |= 1u << santorini_step_by_word(json_value_text(json_array_get(steps, i)));
    return ERR_OK;
}

static enum err read_player(const json_t *m, struct santorini_request *r) {
    enum err e = read_name(m, r);
    struct span date = json_text(m, "date");
    unsigned year, month, day;
    if (e == ERR_OK)
        e = read_words(m, r);
    if (e != ERR_OK)
        return e;
    if (date.data == NULL)
        return field_missing(r, "date");
    struct span rest = span_trim(date);
    bool ends_in_digit = rest.size > 0 && rest.data[rest.size - 1] >= '0' && rest.data[rest.size - 1] <= '9';
    if (!ends_in_digit || !date_part(&rest, &year) || !date_part(&rest, &month) || !date_part(&rest, &day) ||
        rest.size > 0 || !santorini_birth_is_real(year, month, day))
        return complain(r, ERR_BIRTH_DATE, "a date is a real day written yyyy.MM.dd");
    r->birth = (struct santorini_birth){.year = (uint16_t)year, .month = (uint8_t)month, .day = (uint8_t)day};
    return json_seed(m, &r->seed) ? ERR_OK : complain(r, ERR_FIELD_INVALID, JSON_SEED_COMPLAINT);
}

static enum err add_god(struct santorini_request *r, struct span name) {
    enum santorini_god god = name.data == NULL ? GOD_NONE : santorini_god_by_name(span_trim(name));
    if (god == GOD_NONE) {
        struct span shown = excerpt(name);
        snprintf(r->complaint, sizeof r->complaint, "there is no god '%.*s'", (int)shown.size,
                 shown.size == 0 ? "" : shown.data);
        return ERR_GOD_UNKNOWN;
    }
    if (r->god_count == SANTORINI_SEATS_MAX)
        return complain(r, ERR_FIELD_INVALID, "these are more gods than players");
    r->gods[r->god_count++] = (uint8_t)god;
    return ERR_OK;
}

/* A list of names, or an object whose keys are the names. */
static enum err read_gods(const json_t *m, struct santorini_request *r) {
    json_t *gods = json_object_get(m, json_has(m, "godCardNames") ? "godCardNames" : "godDescriptions");
    enum err e = ERR_OK;
    if (json_is_object(gods)) {
        const char *key;
        json_t *value;
        json_object_foreach(gods, key, value) {
            if (e == ERR_OK)
                e = add_god(r, span_of(key));
        }
        return e;
    }
    if (!json_is_array(gods))
        return complain(r, ERR_FIELD_MISSING, "the field \"godCardNames\" is missing or no list of names");
    for (size_t i = 0; i < json_array_size(gods) && e == ERR_OK; i++)
        e = add_god(r, json_value_text(json_array_get(gods, i)));
    return e;
}

static enum err read_god(const json_t *m, struct santorini_request *r) {
    struct span name = json_text(m, "godCard");
    return name.data == NULL ? field_missing(r, "godCard") : add_god(r, name);
}

static enum err read_color(const json_t *m, struct santorini_request *r) {
    struct span name = json_text(m, "color");
    r->color = name.data == NULL ? SANTORINI_COLORS : santorini_color_by_name(span_trim(name));
    if (name.data == NULL)
        return field_missing(r, "color");
    return r->color == SANTORINI_COLORS ? complain(r, ERR_COLOR_UNKNOWN, err_sentence(ERR_COLOR_UNKNOWN))
                                        : ERR_OK;
}

static enum err read_cell(const json_t *value, struct santorini_request *r, uint8_t *out) {
    int64_t row, column;
    if (!json_int(value, "i", &row) || !json_int(value, "j", &column))
        return complain(r, ERR_FIELD_MISSING, "a cell is an object with the numbers \"i\" and \"j\"");
    if (row < 0 || row >= SANTORINI_SIDE || column < 0 || column >= SANTORINI_SIDE)
        return complain(r, ERR_CELL_OUTSIDE, err_sentence(ERR_CELL_OUTSIDE));
    *out = (uint8_t)(row * SANTORINI_SIDE + column);
    return ERR_OK;
}

static enum err read_positions(const json_t *m, struct santorini_request *r) {
    const json_t *positions = json_object_get(m, "positions");
    enum err e = ERR_OK;
    if (!json_is_array(positions) || json_array_size(positions) != SANTORINI_BUILDERS)
        return complain(r, ERR_FIELD_INVALID, "the field \"positions\" is a list of two cells");
    for (size_t i = 0; i < SANTORINI_BUILDERS && e == ERR_OK; i++)
        e = read_cell(json_array_get(positions, i), r, &r->positions[i]);
    return e;
}

static enum err read_step(const json_t *m, struct santorini_request *r) {
    struct span word = json_text(m, "stepChoice");
    r->step = word.data == NULL ? SANTORINI_STEP_NONE : santorini_step_by_word(word);
    if (word.data == NULL)
        return field_missing(r, "stepChoice");
    return r->step == SANTORINI_STEP_NONE ? complain(r, ERR_FIELD_INVALID, "there is no such step") : ERR_OK;
}

static enum err read_dst(const json_t *m, struct santorini_request *r) {
    return read_cell(json_object_get(m, "dst"), r, &r->dst);
}

static enum err read_src_dst(const json_t *m, struct santorini_request *r) {
    enum err e = read_cell(json_object_get(m, "src"), r, &r->src);
    return e == ERR_OK ? read_dst(m, r) : e;
}

static enum err read_build(const json_t *m, struct santorini_request *r) {
    if (json_has(m, "buildDome") && !json_flag(m, "buildDome", &r->is_dome))
        return complain(r, ERR_FIELD_INVALID, "the field \"buildDome\" is true or false");
    return read_src_dst(m, r);
}

static enum err read_fields(const json_t *m, struct santorini_request *r) {
    switch (r->type) {
    case SANTORINI_SET_NUMBER:
        return json_int(m, "numberOfPlayers", &r->number)
                   ? ERR_OK
                   : complain(r, ERR_FIELD_MISSING, "the field \"numberOfPlayers\" is missing or no number");
    case SANTORINI_ADD_PLAYER: return read_player(m, r);
    case SANTORINI_SET_GODS: return read_gods(m, r);
    case SANTORINI_SET_GOD: return read_god(m, r);
    case SANTORINI_SET_START: return read_name(m, r);
    case SANTORINI_SET_COLOR: return read_color(m, r);
    case SANTORINI_SET_BUILDERS: return read_positions(m, r);
    case SANTORINI_SET_STEP: return read_step(m, r);
    case SANTORINI_BUILD: return read_build(m, r);
    case SANTORINI_MOVE:
    case SANTORINI_FORCE: return read_src_dst(m, r);
    case SANTORINI_REMOVE:
    case SANTORINI_BORROW: return read_dst(m, r);
    default: return ERR_OK;
    }
}

static enum err read_type(const json_t *m, struct santorini_request *r, bool is_reply) {
    struct span type = json_text(m, "type");
    unsigned i = 0;
    *r = request_empty;
    while (i < SANTORINI_REQUEST_TYPES && !span_is(type, is_reply ? requests[i].reply : requests[i].word))
        i++;
    r->type = (enum santorini_request_type)i;
    if (i < SANTORINI_REQUEST_TYPES)
        return ERR_OK;
    if (type.data == NULL)
        return complain(r, ERR_UNKNOWN_TYPE, "a message has a \"type\"");
    struct span shown = excerpt(type);
    snprintf(r->complaint, sizeof r->complaint, "the type '%.*s' is not known", (int)shown.size, shown.data);
    return ERR_UNKNOWN_TYPE;
}

enum err santorini_read(const json_t *message, struct santorini_request *out) {
    enum err e = read_type(message, out, false);
    return e == ERR_OK ? read_fields(message, out) : e;
}

enum err santorini_read_reply(const json_t *message, struct santorini_request *out) {
    enum err e = read_type(message, out, true);
    if (e != ERR_OK)
        return e;
    if (out->type != SANTORINI_ADD_PLAYER)
        e = read_fields(message, out);
    out->name = json_text(message, "name");
    return e;
}

/* The number of the builder on a cell that the turn may use. */
static enum err builder_at(const struct santorini *s, unsigned cell, unsigned *out) {
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if (santorini_cell(s, b) == cell) {
            *out = b;
            return ERR_OK;
        }
    return ERR_BUILDER_UNKNOWN;
}

static enum err step_action(const struct santorini *s, const struct santorini_request *r,
                            enum santorini_kind kind, struct action *out) {
    unsigned builder = 0;
    enum err e = builder_at(s, r->src, &builder);
    *out = santorini_action(kind, builder, r->dst);
    return e;
}

static enum err offer_actions(const struct santorini *s, const struct santorini_request *r,
                              struct action *out, size_t *count) {
    unsigned known = 0;
    *count = 0;
    for (unsigned i = 0; i < r->god_count; i++) {
        bool is_known = false;
        for (unsigned k = 0; k < s->offered_count; k++)
            is_known = is_known || s->offered[k] == r->gods[i];
        known += is_known;
        if (!is_known)
            out[(*count)++] = santorini_action(SANTORINI_ACT_OFFER, r->gods[i], 0);
    }
    return known == s->offered_count && r->god_count == s->seat_count ? ERR_OK : ERR_FIELD_INVALID;
}

static enum err start_action(const struct santorini_scene *scene, const struct santorini_request *r,
                             struct action *out) {
    unsigned count = scene->state->seat_count, seat = 0;
    while (seat < count && !span_is(r->name, scene->names[seat]))
        seat++;
    for (unsigned i = 0; i < count && seat == count; i++)
        if (span_is_nocase(span_trim(r->name), scene->names[i]))
            seat = i;
    *out = santorini_action(SANTORINI_ACT_START, seat, 0);
    return seat < count ? ERR_OK : ERR_STARTER_UNKNOWN;
}

enum err santorini_request_actions(const struct santorini_scene *scene, const struct santorini_request *r,
                                   struct action out[SANTORINI_REQUEST_ACTIONS_MAX], size_t *count) {
    const struct santorini *s = scene->state;
    *count = 1;
    switch (r->type) {
    case SANTORINI_SET_GODS: return offer_actions(s, r, out, count);
    case SANTORINI_SET_GOD: out[0] = santorini_action(SANTORINI_ACT_TAKE, r->gods[0], 0); return ERR_OK;
    case SANTORINI_SET_START: return start_action(scene, r, out);
    case SANTORINI_SET_COLOR: out[0] = santorini_action(SANTORINI_ACT_COLOR, r->color, 0); return ERR_OK;
    case SANTORINI_SET_BUILDERS:
        /* Whoever placed one of them elsewhere places the other one now. */
        *count = SANTORINI_BUILDERS - santorini_placing(s);
        for (unsigned i = 0; i < *count; i++)
            out[i] = santorini_action(SANTORINI_ACT_PLACE, r->positions[santorini_placing(s) + i], 0);
        return ERR_OK;
    case SANTORINI_SET_STEP:
        *count = r->step == SANTORINI_STEP_END;
        out[0] = santorini_action(SANTORINI_ACT_END, 0, 0);
        return ERR_OK;
    case SANTORINI_MOVE: return step_action(s, r, SANTORINI_ACT_MOVE, out);
    case SANTORINI_BUILD:
        return step_action(s, r, r->is_dome ? SANTORINI_ACT_DOME : SANTORINI_ACT_BUILD, out);
    case SANTORINI_FORCE: return step_action(s, r, SANTORINI_ACT_FORCE, out);
    case SANTORINI_REMOVE: out[0] = santorini_action(SANTORINI_ACT_REMOVE, r->dst, 0); return ERR_OK;
    case SANTORINI_BORROW: out[0] = santorini_action(SANTORINI_ACT_BORROW, r->dst, 0); return ERR_OK;
    default: *count = 0; return ERR_UNKNOWN_TYPE;
    }
}

void santorini_request_of(const struct santorini *s, const struct action *action,
                          struct santorini_request *out) {
    static const enum santorini_request_type types[] = {
        [SANTORINI_ACT_BORN] = SANTORINI_ADD_PLAYER,    [SANTORINI_ACT_OFFER] = SANTORINI_SET_GODS,
        [SANTORINI_ACT_TAKE] = SANTORINI_SET_GOD,       [SANTORINI_ACT_DRAW] = SANTORINI_PONG,
        [SANTORINI_ACT_START] = SANTORINI_SET_START,    [SANTORINI_ACT_COLOR] = SANTORINI_SET_COLOR,
        [SANTORINI_ACT_PLACE] = SANTORINI_SET_BUILDERS, [SANTORINI_ACT_MOVE] = SANTORINI_MOVE,
        [SANTORINI_ACT_BUILD] = SANTORINI_BUILD,        [SANTORINI_ACT_DOME] = SANTORINI_BUILD,
        [SANTORINI_ACT_FORCE] = SANTORINI_FORCE,        [SANTORINI_ACT_REMOVE] = SANTORINI_REMOVE,
        [SANTORINI_ACT_BORROW] = SANTORINI_BORROW,      [SANTORINI_ACT_END] = SANTORINI_SET_STEP,
    };
    const uint8_t *arg = action->arg;
    *out = request_empty;
    out->type = types[action->kind];
    out->is_dome = action->kind == SANTORINI_ACT_DOME;
    out->step = SANTORINI_STEP_END;
    switch (out->type) {
    case SANTORINI_SET_GOD:
        out->gods[0] = arg[0];
        out->god_count = 1;
        break;
    case SANTORINI_SET_COLOR: out->color = (enum santorini_color)arg[0]; break;
    case SANTORINI_MOVE:
    case SANTORINI_BUILD:
    case SANTORINI_FORCE:
        out->src = (uint8_t)santorini_cell(s, arg[0]);
        out->dst = arg[1];
        break;
    case SANTORINI_REMOVE:
    case SANTORINI_BORROW: out->dst = arg[0]; break;
    default: break;
    }
}

unsigned santorini_open_steps(const struct santorini_steps *steps) {
    unsigned open = 0;
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        open |= (steps->move[b] != 0) << SANTORINI_STEP_MOVE;
        open |= ((steps->block[b] | steps->dome[b]) != 0) << SANTORINI_STEP_BUILD;
        open |= (steps->force[b] != 0) << SANTORINI_STEP_FORCE;
    }
    open |= (steps->remove != 0) << SANTORINI_STEP_REMOVE;
    open |= (steps->borrow != 0) << SANTORINI_STEP_BORROW;
    return open | steps->can_end << SANTORINI_STEP_END;
}
