/* Writing: what the server says at a table of Santorini. */
#include "wire/santorini/dialect.h"

/* The names of the phases; the client that the document describes knows no others. */
static const char *const state_words[] = {
    [SANTORINI_BORN] = "SETUP_PLAYERS",   [SANTORINI_OFFER] = "SETUP_CARDS",
    [SANTORINI_TAKE] = "SETUP_CARDS",     [SANTORINI_DRAW] = "GAME",
    [SANTORINI_START] = "SETUP_CARDS",    [SANTORINI_COLOR] = "SETUP_COLOR",
    [SANTORINI_PLACE] = "SETUP_BUILDERS", [SANTORINI_TURN] = "GAME",
    [SANTORINI_OVER] = "ENDGAME",
};

static struct writer santorini_write_message_begin(struct buf *out, const char *type) {
    if (out->size > 0)
        buf_append_byte(out, '\n');
    return writer_message(out, type);
}

void santorini_write_plain(struct buf *out, const char *type) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_object_end(&w);
}

void santorini_write_name(struct buf *out, const char *type, struct span name) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_text(&w, "name", name);
    writer_object_end(&w);
}

static void write_one(struct buf *out, const char *type, const char *field, const char *text) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_text(&w, field, span_of(text));
    writer_object_end(&w);
}

void santorini_write_error(struct buf *out, const char *description) {
    write_one(out, "error", "description", description);
}

void santorini_write_state(struct buf *out, enum santorini_phase phase) {
    write_one(out, "stateUpdate", "state", state_words[phase]);
}

void santorini_write_end(struct buf *out, const char *winner) {
    write_one(out, "endGame", "winner", winner);
}

static void santorini_put_cell(struct writer *w, const char *name, unsigned cell) {
    writer_object_begin(w, name);
    writer_int(w, "i", cell / SANTORINI_SIDE);
    writer_int(w, "j", cell % SANTORINI_SIDE);
    writer_object_end(w);
}

static void write_given_cell(struct writer *w, const char *name, unsigned cell) {
    if (cell != SANTORINI_NOWHERE)
        santorini_put_cell(w, name, cell);
}

static void santorini_put_cells(struct writer *w, const char *name, cell_set cells) {
    writer_list_begin(w, name);
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++)
        if (cells & CELL_BIT(cell))
            santorini_put_cell(w, NULL, cell);
    writer_list_end(w);
}

static void write_god_names(struct writer *w, const char *name, const uint8_t *gods, unsigned count) {
    writer_list_begin(w, name);
    for (unsigned i = 0; i < count; i++)
        writer_text(w, NULL, span_of(santorini_god_name((enum santorini_god)gods[i])));
    writer_list_end(w);
}

/* The document has one field, the clients of its authors the other: both are there. */
static void write_match_gods(struct writer *w, const struct santorini_request *r) {
    if (r->god_count == 0)
        return;
    write_god_names(w, "godCardNames", r->gods, r->god_count);
    write_god_names(w, "godDescriptions", r->gods, r->god_count);
}

static void santorini_write_positions(struct writer *w, const uint8_t positions[SANTORINI_BUILDERS]) {
    writer_list_begin(w, "positions");
    for (unsigned i = 0; i < SANTORINI_BUILDERS; i++) {
        if (positions[i] == SANTORINI_NOWHERE)
            writer_null(w, NULL);
        else
            santorini_put_cell(w, NULL, positions[i]);
    }
    writer_list_end(w);
}

static void santorini_put_steps(struct writer *w, const struct santorini_request *r) {
    write_given_cell(w, "src", r->src);
    write_given_cell(w, "dst", r->dst);
    if (r->type == SANTORINI_BUILD)
        writer_bool(w, "buildDome", r->is_dome);
}

/* What is not known of a request that could not be read is left out. */
void santorini_write_request(struct writer *w, const struct santorini_request *r, const char *name) {
    bool names_another = r->type == SANTORINI_ADD_PLAYER || r->type == SANTORINI_SET_START;
    if (names_another && r->name.data != NULL)
        writer_text(w, "name", r->name);
    else if (!names_another)
        writer_text(w, "name", span_of(name));
    switch (r->type) {
    case SANTORINI_SET_GODS: write_match_gods(w, r); break;
    case SANTORINI_SET_GOD:
        if (r->god_count > 0)
            writer_text(w, "godCard", span_of(santorini_god_name((enum santorini_god)r->gods[0])));
        break;
    case SANTORINI_SET_COLOR:
        if (r->color < SANTORINI_COLORS)
            writer_text(w, "color", span_of(santorini_color_name(r->color)));
        break;
    case SANTORINI_SET_BUILDERS:
        if (r->positions[0] != SANTORINI_NOWHERE || r->positions[1] != SANTORINI_NOWHERE)
            santorini_write_positions(w, r->positions);
        break;
    case SANTORINI_SET_STEP:
        if (r->step < SANTORINI_STEP_COUNT)
            writer_text(w, "stepChoice", span_of(santorini_step_word(r->step)));
        break;
    case SANTORINI_MOVE:
    case SANTORINI_BUILD:
    case SANTORINI_FORCE:
    case SANTORINI_REMOVE:
    case SANTORINI_BORROW: santorini_put_steps(w, r); break;
    default: break;
    }
}

void santorini_write_reply(struct buf *out, const struct santorini_request *r, const char *name,
                           bool result) {
    struct writer w = santorini_write_message_begin(out, santorini_reply_word(r->type));
    writer_bool(&w, "result", result);
    santorini_write_request(&w, r, name);
    writer_object_end(&w);
}

static struct span santorini_write_name_of(const struct santorini_scene *scene, unsigned seat) {
    return span_of(scene->names[seat]);
}

static void santorini_write_turn(struct buf *out, const struct santorini_scene *scene) {
    santorini_write_name(out, "turnUpdate", santorini_write_name_of(scene, scene->state->mover));
}

static void write_gods_named(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    struct santorini_request r = {.type = SANTORINI_SET_GODS, .god_count = s->offered_count};
    memcpy(r.gods, s->offered, sizeof r.gods);
    santorini_write_reply(out, &r, scene->names[s->order[0]], true);
}

static void write_placed(struct buf *out, const struct santorini_scene *scene, unsigned seat) {
    struct santorini_request r = {.type = SANTORINI_SET_BUILDERS};
    memcpy(r.positions, scene->state->builder[seat], sizeof r.positions);
    santorini_write_reply(out, &r, scene->names[seat], true);
}

static void write_displaced(struct buf *out, const struct santorini_scene *scene, const char *type,
                            const struct santorini_effect *effect) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_text(&w, "name", santorini_write_name_of(scene, effect->seat));
    santorini_put_cell(&w, "src", effect->from);
    write_given_cell(&w, "dst", effect->to);
    writer_object_end(&w);
}

/* Something that happens to a cell without a builder having built there. */
static void write_place(struct buf *out, const char *type, struct span name, unsigned cell) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_text(&w, "name", name);
    santorini_put_cell(&w, "dst", cell);
    writer_object_end(&w);
}

static void write_power(struct buf *out, const char *type, struct span name, enum santorini_god god) {
    struct writer w = santorini_write_message_begin(out, type);
    writer_text(&w, "name", name);
    writer_text(&w, "godCard", span_of(santorini_god_name(god)));
    writer_object_end(&w);
}

/* The document has one word, the clients of its authors the other: both are said. */
static void santorini_write_loss(struct buf *out, const struct santorini_scene *scene, unsigned seat) {
    struct writer w = santorini_write_message_begin(out, "lossUpdate");
    writer_text(&w, "name", santorini_write_name_of(scene, seat));
    writer_text(&w, "reason", scene->state->left >> seat & 1 ? SPAN("left") : SPAN("lost"));
    writer_object_end(&w);
    santorini_write_name(out, "lostUpdate", santorini_write_name_of(scene, seat));
}

/* R44: a block where a builder was turned to stone, as if one of Medusa's builders that stand above had built
 * it.
 */
static void write_stone(struct buf *out, const struct santorini_scene *scene, const struct santorini *before,
                        unsigned cell) {
    const uint8_t *builder = scene->state->builder[before->mover];
    struct santorini_request r = {.type = SANTORINI_BUILD, .src = builder[0], .dst = (uint8_t)cell};
    if (builder[0] == SANTORINI_NOWHERE || !(santorini_neighbours(cell) & CELL_BIT(builder[0])) ||
        santorini_height(scene->state, builder[0]) < santorini_height(scene->state, cell))
        r.src = builder[1];
    santorini_write_reply(out, &r, scene->names[before->mover], true);
}

/* What an action has done besides what its own message says. */
static void write_effect(struct buf *out, const struct santorini_scene *scene, const struct santorini *before,
                         const struct action *action, const struct santorini_effect *effect) {
    struct span name =
        effect->seat == SANTORINI_NOBODY ? SPAN("") : santorini_write_name_of(scene, effect->seat);
    bool is_own = action != NULL && action->kind == SANTORINI_ACT_BUILD && effect->to == action->arg[1];
    switch (effect->kind) {
    case EFFECT_GONE: write_displaced(out, scene, "builderRemoved", effect); break;
    case EFFECT_BLOCK:
        if (!is_own)
            write_stone(out, scene, before, effect->to);
        else if (effect->is_under)
            write_place(out, "builderLifted", santorini_write_name_of(scene, before->mover), effect->to);
        break;
    case EFFECT_POWER: write_power(out, "powerUpdate", name, (enum santorini_god)effect->god); break;
    case EFFECT_OUT:
        if (scene->state->phase != SANTORINI_OVER)
            santorini_write_loss(out, scene, effect->seat);
        break;
    case EFFECT_TURN: santorini_write_name(out, "turnUpdate", name); break;
    case EFFECT_OVER: santorini_write_end(out, effect->seat == SANTORINI_NOBODY ? "" : name.data); break;
    default: break;
    }
}

static void write_step(struct buf *out, const struct santorini_scene *scene, const struct santorini *before,
                       unsigned seat, const struct action *action) {
    struct santorini_effect effects[SANTORINI_EFFECTS_MAX];
    size_t count = santorini_effects(before, action, scene->state, effects);
    for (size_t i = 0; i < count; i++)
        if (effects[i].kind == EFFECT_FORCED)
            write_displaced(out, scene, "builderPushed", &effects[i]);
    if (action != NULL && action->kind >= SANTORINI_ACT_MOVE && action->kind != SANTORINI_ACT_END) {
        struct santorini_request r;
        santorini_request_of(before, action, &r);
        santorini_write_reply(out, &r, scene->names[seat], true);
    }
    for (size_t i = 0; i < count; i++)
        write_effect(out, scene, before, action, &effects[i]);
}

/* The last builder of a seat is placed; after the last seat the first turn begins. A starter who has no room
 * is out in the game, which has begun then. */
static void write_place_news(struct buf *out, const struct santorini_scene *scene,
                             const struct santorini *before, unsigned seat, const struct action *action) {
    struct santorini_request r = {.type = SANTORINI_SET_BUILDERS};
    struct santorini_effect effects[SANTORINI_EFFECTS_MAX];
    struct santorini placed = *before;
    const struct santorini *s = scene->state;
    if (santorini_placing(before) == 0)
        return;
    placed.builder[seat][1] = action->arg[0];
    memcpy(r.positions, placed.builder[seat], sizeof r.positions);
    santorini_write_reply(out, &r, scene->names[seat], true);
    if (s->phase == SANTORINI_PLACE) {
        santorini_write_turn(out, scene);
        return;
    }
    bool can_start = s->phase != SANTORINI_OVER && s->mover == s->starter;
    size_t count = santorini_effects(&placed, action, s, effects);
    if (!can_start) {
        santorini_write_state(out, SANTORINI_TURN);
        santorini_write_name(out, "turnUpdate", santorini_write_name_of(scene, s->starter));
    }
    for (size_t i = 0; i < count; i++)
        write_effect(out, scene, &placed, action, &effects[i]);
    if (can_start)
        santorini_write_state(out, s->phase);
}

static void write_start(struct buf *out, const struct santorini_scene *scene) {
    struct santorini_request r = {.type = SANTORINI_SET_START,
                                  .name = santorini_write_name_of(scene, scene->state->starter)};
    santorini_write_reply(out, &r, "", true);
}

/* Cards, starter and colours: one answer each, and who is next. */
static void write_choice(struct buf *out, const struct santorini_scene *scene, unsigned seat,
                         const struct action *action) {
    const struct santorini *s = scene->state;
    struct santorini_request r;
    santorini_request_of(s, action, &r);
    santorini_write_reply(out, &r, scene->names[seat], true);
    if (s->phase != SANTORINI_DRAW)
        santorini_write_turn(out, scene);
    if (s->phase == SANTORINI_PLACE)
        santorini_write_state(out, s->phase);
}

/* What chance gives Chaos, whoever has it then. */
static void write_draw(struct buf *out, const struct santorini_scene *scene, const struct action *action) {
    unsigned seat = 0;
    while (scene->state->card[seat] != GOD_CHAOS)
        seat++;
    write_power(out, "powerDrawn", santorini_write_name_of(scene, seat), (enum santorini_god)action->arg[0]);
}

void santorini_write_news(struct buf *out, const struct santorini_scene *scene,
                          const struct santorini *before, unsigned seat, const struct action *action) {
    const struct santorini *s = scene->state;
    switch (action == NULL ? SANTORINI_ACT_END : action->kind) {
    case SANTORINI_ACT_BORN:
        if (s->phase == SANTORINI_BORN)
            return;
        santorini_write_state(out, s->phase);
        santorini_write_turn(out, scene);
        return;
    case SANTORINI_ACT_OFFER:
        if (s->phase == SANTORINI_OFFER)
            return;
        write_gods_named(out, scene);
        santorini_write_turn(out, scene);
        return;
    case SANTORINI_ACT_TAKE:
    case SANTORINI_ACT_COLOR: write_choice(out, scene, seat, action); return;
    case SANTORINI_ACT_START:
        write_start(out, scene);
        santorini_write_state(out, s->phase);
        return;
    case SANTORINI_ACT_PLACE: write_place_news(out, scene, before, seat, action); return;
    case SANTORINI_ACT_DRAW:
        write_draw(out, scene, action);
        write_step(out, scene, before, seat, action);
        if (s->phase == SANTORINI_START)
            santorini_write_turn(out, scene);
        return;
    default: write_step(out, scene, before, seat, action);
    }
}

/* Prompts. */

static void write_god_texts(struct writer *w, const uint8_t *gods, unsigned count) {
    writer_object_begin(w, "godDescriptions");
    for (unsigned i = 0; i < count; i++)
        writer_text(w, santorini_god_name((enum santorini_god)gods[i]),
                    span_of(santorini_god_text((enum santorini_god)gods[i])));
    writer_object_end(w);
}

static void ask_gods(struct buf *out, const struct santorini_scene *scene) {
    struct writer w = santorini_write_message_begin(out, "chooseMatchGodCards");
    uint8_t gods[GOD_COUNT];
    unsigned count = 0;
    for (unsigned god = GOD_NONE + 1; god < GOD_COUNT; god++)
        if (santorini_god_fits((enum santorini_god)god, scene->state->seat_count))
            gods[count++] = (uint8_t)god;
    writer_int(&w, "numberOfPlayers", scene->state->seat_count);
    write_god_texts(&w, gods, count);
    writer_object_end(&w);
}

static void ask_god(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    struct writer w = santorini_write_message_begin(out, "askGod");
    write_god_texts(&w, s->offered, s->offered_count);
    writer_list_begin(&w, "chosenGodCards");
    for (unsigned place = 0; place < s->seat_count; place++)
        if (s->card[s->order[place]] != GOD_NONE)
            writer_text(&w, NULL, span_of(santorini_god_name((enum santorini_god)s->card[s->order[place]])));
    writer_list_end(&w);
    writer_object_end(&w);
}

static void ask_start(struct buf *out, const struct santorini_scene *scene) {
    struct writer w = santorini_write_message_begin(out, "chooseStartPlayer");
    writer_list_begin(&w, "players");
    for (unsigned place = 0; place < scene->state->seat_count; place++)
        writer_text(&w, NULL, santorini_write_name_of(scene, scene->state->order[place]));
    writer_list_end(&w);
    writer_object_end(&w);
}

static void ask_color(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    struct writer w = santorini_write_message_begin(out, "askColor");
    writer_list_begin(&w, "chosenColors");
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (s->color[seat] != SANTORINI_NOBODY)
            writer_text(&w, NULL, span_of(santorini_color_name((enum santorini_color)s->color[seat])));
    writer_list_end(&w);
    writer_object_end(&w);
}

/* Cells for both builders; where the second depends on the first (Eros), one list for each cell of the first.
 */
static void ask_builders(struct buf *out, const struct santorini_scene *scene) {
    struct writer w = santorini_write_message_begin(out, "askBuilders");
    const struct santorini *s = scene->state;
    cell_set cells = santorini_places(s);
    bool depends = false;
    santorini_put_cells(&w, "possibleDst", cells);
    for (unsigned cell = 0; cell < SANTORINI_CELLS && santorini_placing(s) == 0; cell++)
        if (cells & CELL_BIT(cell))
            depends = depends || santorini_places_after(s, cell) != (cells & ~CELL_BIT(cell));
    if (depends) {
        writer_list_begin(&w, "possibleSecondDst");
        for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++)
            if (cells & CELL_BIT(cell))
                santorini_put_cells(&w, NULL, santorini_places_after(s, cell));
        writer_list_end(&w);
    }
    writer_object_end(&w);
}

static void ask_step(struct buf *out, unsigned open) {
    struct writer w = santorini_write_message_begin(out, "askStep");
    writer_list_begin(&w, "possibleSteps");
    for (unsigned step = 0; step < SANTORINI_STEP_COUNT; step++)
        if (open >> step & 1)
            writer_text(&w, NULL, span_of(santorini_step_word((enum santorini_step)step)));
    writer_list_end(&w);
    writer_object_end(&w);
}

/* The numbers, from 1, of the builders whose lists count; those of others only show where they could go. */
static void santorini_put_hands(struct writer *w, const struct santorini *s,
                                const cell_set cells[SANTORINI_HANDS]) {
    writer_list_begin(w, "builders");
    for (unsigned b = 0; b < SANTORINI_HANDS; b++)
        if (cells[b] != 0)
            writer_int(w, NULL, b + 1);
    writer_list_end(w);
    if (s->led_seat != SANTORINI_NOBODY)
        santorini_put_cell(w, "borrowed", santorini_cell(s, SANTORINI_BORROWED));
}

/* While one builder is bound to act, the other one is shown what it could do in its place. A client of the
 * document knows that of the one that it has moved, not of the one that was made to force somebody. */
static bool is_shown_idle(const struct santorini *s, unsigned words, unsigned builder, cell_set legal) {
    return builder < SANTORINI_BUILDERS && legal == 0 && s->actor < SANTORINI_BUILDERS &&
           s->actor != builder && (words != 0 || s->moves + s->early > 0);
}

static void ask_move(struct buf *out, const struct santorini *s, const struct santorini_steps *steps,
                     unsigned words) {
    struct writer w = santorini_write_message_begin(out, "possibleMoveDestinations");
    unsigned lists = s->led_seat == SANTORINI_NOBODY ? SANTORINI_BUILDERS : SANTORINI_HANDS;
    writer_list_begin(&w, "possibleDst");
    for (unsigned b = 0; b < lists; b++) {
        cell_set move, block, dome;
        santorini_idle_steps(s, b, &move, &block, &dome);
        santorini_put_cells(&w, NULL, is_shown_idle(s, words, b, steps->move[b]) ? move : steps->move[b]);
    }
    writer_list_end(&w);
    santorini_put_hands(&w, s, steps->move);
    writer_object_end(&w);
}

/* First the cells for a block, then those for a dome; the borrowed builder's two lists come last. */
static void ask_build(struct buf *out, const struct santorini *s, const struct santorini_steps *steps,
                      unsigned words) {
    struct writer w = santorini_write_message_begin(out, "possibleBuildDestinations");
    cell_set block[SANTORINI_HANDS], dome[SANTORINI_HANDS], any[SANTORINI_HANDS];
    for (unsigned b = 0; b < SANTORINI_HANDS; b++) {
        cell_set move;
        any[b] = steps->block[b] | steps->dome[b];
        santorini_idle_steps(s, b, &move, &block[b], &dome[b]);
        if (!is_shown_idle(s, words, b, any[b])) {
            block[b] = steps->block[b];
            dome[b] = steps->dome[b];
        }
    }
    writer_list_begin(&w, "possibleDst");
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        santorini_put_cells(&w, NULL, block[b]);
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        santorini_put_cells(&w, NULL, dome[b]);
    if (s->led_seat != SANTORINI_NOBODY) {
        santorini_put_cells(&w, NULL, block[SANTORINI_BORROWED]);
        santorini_put_cells(&w, NULL, dome[SANTORINI_BORROWED]);
    }
    writer_list_end(&w);
    santorini_put_hands(&w, s, any);
    writer_object_end(&w);
}

static void ask_force(struct buf *out, const struct santorini *s, const struct santorini_steps *steps) {
    struct writer w = santorini_write_message_begin(out, "possibleForceDestinations");
    writer_list_begin(&w, "possibleDst");
    for (unsigned b = 0; b < SANTORINI_BUILDERS; b++)
        santorini_put_cells(&w, NULL, steps->force[b]);
    writer_list_end(&w);
    santorini_put_hands(&w, s, steps->force);
    writer_object_end(&w);
}

static void ask_cells(struct buf *out, const char *type, cell_set cells) {
    struct writer w = santorini_write_message_begin(out, type);
    santorini_put_cells(&w, "possibleDst", cells);
    writer_object_end(&w);
}

static void ask_turn(struct buf *out, const struct santorini *s, enum santorini_step chosen, unsigned words) {
    struct santorini_steps steps;
    santorini_offered(s, words, &steps);
    unsigned open = santorini_open_steps(&steps);
    if (chosen == SANTORINI_STEP_NONE && (open & (open - 1)) == 0)
        chosen = (enum santorini_step)__builtin_ctz(open);
    switch (chosen) {
    case SANTORINI_STEP_MOVE: ask_move(out, s, &steps, words); break;
    case SANTORINI_STEP_BUILD: ask_build(out, s, &steps, words); break;
    case SANTORINI_STEP_FORCE: ask_force(out, s, &steps); break;
    case SANTORINI_STEP_REMOVE: ask_cells(out, "possibleRemoveDestinations", steps.remove); break;
    case SANTORINI_STEP_BORROW: ask_cells(out, "possibleBorrowDestinations", steps.borrow); break;
    default: ask_step(out, open);
    }
}

void santorini_write_prompt(struct buf *out, const struct santorini_scene *scene, enum santorini_step chosen,
                            unsigned words) {
    switch (scene->state->phase) {
    case SANTORINI_OFFER: ask_gods(out, scene); break;
    case SANTORINI_TAKE: ask_god(out, scene); break;
    case SANTORINI_START: ask_start(out, scene); break;
    case SANTORINI_COLOR: ask_color(out, scene); break;
    case SANTORINI_PLACE: ask_builders(out, scene); break;
    case SANTORINI_TURN: ask_turn(out, scene->state, chosen, words); break;
    default: break;
    }
}

/* Coming back. */

/* As if somebody had just built them: the one that the document has a message for. */
static void replay_blocks(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    for (unsigned cell = 0; cell < SANTORINI_CELLS; cell++) {
        unsigned height = santorini_height(s, cell);
        struct santorini_request r = {.type = SANTORINI_BUILD, .src = (uint8_t)cell, .dst = (uint8_t)cell};
        for (unsigned h = 0; h < height + santorini_has_dome(s, cell); h++) {
            r.is_dome = h == height;
            santorini_write_reply(out, &r, scene->names[s->mover], true);
        }
    }
}

static void replay_cards(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    santorini_write_state(out, SANTORINI_OFFER);
    if (s->phase == SANTORINI_OFFER)
        return;
    write_gods_named(out, scene);
    for (unsigned place = 0; place < s->seat_count; place++) {
        unsigned seat = s->order[(place + 1) % s->seat_count];
        struct santorini_request r = {.type = SANTORINI_SET_GOD, .gods = {s->card[seat]}, .god_count = 1};
        if (s->card[seat] != GOD_NONE)
            santorini_write_reply(out, &r, scene->names[seat], true);
    }
}

static void replay_colors(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    if (s->starter == SANTORINI_NOBODY)
        return;
    write_start(out, scene);
    santorini_write_state(out, SANTORINI_COLOR);
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        struct santorini_request r = {.type = SANTORINI_SET_COLOR,
                                      .color = (enum santorini_color)s->color[seat]};
        if (s->color[seat] != SANTORINI_NOBODY)
            santorini_write_reply(out, &r, scene->names[seat], true);
    }
}

static bool has_builders(const struct santorini *s, unsigned seat) {
    return s->builder[seat][0] != SANTORINI_NOWHERE || s->builder[seat][1] != SANTORINI_NOWHERE;
}

static void replay_board(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    if (s->phase == SANTORINI_COLOR || s->starter == SANTORINI_NOBODY)
        return;
    santorini_write_state(out, SANTORINI_PLACE);
    bool is_placing = s->phase == SANTORINI_PLACE;
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (has_builders(s, seat) && !(is_placing && seat == s->mover))
            write_placed(out, scene, seat);
    if (is_placing)
        return;
    /* The end has no state of its own on the wire. */
    santorini_write_state(out, s->phase == SANTORINI_OVER ? SANTORINI_TURN : s->phase);
    replay_blocks(out, scene);
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        enum santorini_god power = santorini_power(s, seat);
        if (!santorini_is_alive(s, seat))
            santorini_write_loss(out, scene, seat);
        else if (power != s->card[seat])
            write_power(out, "powerUpdate", santorini_write_name_of(scene, seat), power);
    }
}

void santorini_write_replay(struct buf *out, const struct santorini_scene *scene) {
    const struct santorini *s = scene->state;
    santorini_write_state(out, SANTORINI_BORN);
    for (unsigned seat = 0; seat < s->seat_count; seat++) {
        struct santorini_request r = {.type = SANTORINI_ADD_PLAYER,
                                      .name = santorini_write_name_of(scene, seat)};
        if (r.name.size > 0)
            santorini_write_reply(out, &r, "", true);
    }
    if (s->phase == SANTORINI_BORN)
        return;
    replay_cards(out, scene);
    replay_colors(out, scene);
    replay_board(out, scene);
    if (s->phase == SANTORINI_OVER)
        santorini_write_end(out, s->winner == SANTORINI_NOBODY ? "" : scene->names[s->winner]);
    else
        santorini_write_turn(out, scene);
}
