/* What a viewer of Masters of Renaissance may know into messages. Nothing is hidden here: a scene has only
 * what may be told. */
#include "wire/renaissance/dialect.h"

#include <assert.h>

static struct writer renaissance_write_message_begin(struct buf *out, const char *type) {
    if (out->size > 0)
        buf_append_byte(out, '\n');
    return writer_message(out, type);
}

static void renaissance_put_end(struct writer *w) {
    writer_object_end(w);
}

static void renaissance_put_word(struct writer *w, const char *name, const char *word) {
    writer_text(w, name, span_of(word));
}

/* null: there is no card. */
static void renaissance_put_card(struct writer *w, const char *name, unsigned card) {
    char id[RENAISSANCE_ID_BYTES];
    if (card == 0) {
        writer_null(w, name);
        return;
    }
    renaissance_card_id(card, id);
    renaissance_put_word(w, name, id);
}

static void renaissance_write_leader(struct writer *w, const char *name, unsigned leader) {
    char id[RENAISSANCE_ID_BYTES];
    assert(leader != RENAISSANCE_HIDDEN); /* whoever wrote this took the view of the wrong seat */
    renaissance_leader_id(leader, id);
    renaissance_put_word(w, name, id);
}

static void renaissance_put_leaders(struct writer *w, const uint8_t *leaders, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        renaissance_write_leader(w, NULL, leaders[i]);
}

/* "0": ["COINS"], and so on for every depot that the seat has. */
static void write_warehouse(struct writer *w, const char *name, const struct renaissance *r, unsigned seat) {
    static const char *const keys[RENAISSANCE_DEPOTS] = {"0", "1", "2", "3", "4"};
    const struct renaissance_depot *depots = renaissance_warehouse(r, seat);
    writer_object_begin(w, name);
    for (unsigned i = 0; i < renaissance_depot_count(&r->seat[seat]); i++) {
        writer_list_begin(w, keys[i]);
        for (unsigned k = 0; k < depots[i].count; k++)
            renaissance_put_word(w, NULL, renaissance_resource_word(depots[i].kind));
        writer_list_end(w);
    }
    writer_object_end(w);
}

static void write_strongbox(struct writer *w, const char *name, const struct renaissance_seat *s) {
    writer_object_begin(w, name);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        writer_int(w, renaissance_resource_word(kind), s->strongbox[kind]);
    writer_object_end(w);
}

/* Row 0 of the grid is level 3. */
static void renaissance_put_grid(struct writer *w, const struct renaissance *r) {
    writer_list_begin(w, "devCardGrid");
    for (unsigned level = RENAISSANCE_LEVELS; level >= 1; level--) {
        writer_list_begin(w, NULL);
        for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
            renaissance_put_card(w, NULL, r->visible[renaissance_pile(colour, level)]);
        writer_list_end(w);
    }
    writer_list_end(w);
}

static void write_marbles(struct writer *w, const struct renaissance *r) {
    writer_list_begin(w, "marbles");
    for (unsigned row = 0; row < RENAISSANCE_ROWS; row++) {
        writer_list_begin(w, NULL);
        for (unsigned column = 0; column < RENAISSANCE_COLUMNS; column++)
            renaissance_put_word(w, NULL,
                                 renaissance_marble_word(r->market[row * RENAISSANCE_COLUMNS + column]));
        writer_list_end(w);
    }
    writer_list_end(w);
    renaissance_put_word(w, "freeMarble", renaissance_marble_word(r->free_marble));
}

static void renaissance_write_positions(struct writer *w, const struct renaissance_scene *scene,
                                        const uint8_t faith[RENAISSANCE_SEATS_MAX]) {
    writer_object_begin(w, "faithTrackPositions");
    for (unsigned seat = 0; seat < scene->state->seats; seat++)
        writer_int(w, scene->names[seat], faith[seat]);
    writer_object_end(w);
}

static void write_positions_now(struct writer *w, const struct renaissance_scene *scene) {
    uint8_t faith[RENAISSANCE_SEATS_MAX];
    for (unsigned seat = 0; seat < scene->state->seats; seat++)
        faith[seat] = scene->state->seat[seat].faith;
    renaissance_write_positions(w, scene, faith);
}

static void write_plain(struct buf *out, const char *type) {
    struct writer w = renaissance_write_message_begin(out, type);
    renaissance_put_end(&w);
}

static void write_about(struct buf *out, const char *type, const char *name) {
    struct writer w = renaissance_write_message_begin(out, type);
    renaissance_put_word(&w, "nickname", name);
    renaissance_put_end(&w);
}

static void write_accepted(struct buf *out, const char *type) {
    struct writer w = renaissance_write_message_begin(out, type);
    writer_bool(&w, "accepted", true);
    renaissance_put_end(&w);
}

void renaissance_write_error(struct buf *out, enum renaissance_error error, enum err why) {
    static const char *const words[] = {
        [RENAISSANCE_ERROR_LEADERS] = "STARTING_LEADER_CARD",
        [RENAISSANCE_ERROR_RESOURCES] = "STARTING_RESOURCES",
        [RENAISSANCE_ERROR_ACTION] = "INVALID_ACTION",
        [RENAISSANCE_ERROR_MANAGE] = "MANAGE_RESOURCES",
        [RENAISSANCE_ERROR_STALLED] = "NOT_SAVED",
    };
    struct writer w = renaissance_write_message_begin(out, "errorMessage");
    renaissance_put_word(&w, "error", words[error]);
    renaissance_put_word(&w, "reason", game_refusal(&renaissance_game, why)->sentence);
    renaissance_put_end(&w);
}

void renaissance_write_username(struct buf *out, const char *name) {
    struct writer w = renaissance_write_message_begin(out, "usernameResponse");
    writer_bool(&w, "isFree", name != NULL);
    if (name != NULL)
        renaissance_put_word(&w, "username", name);
    else
        writer_null(&w, "username");
    renaissance_put_end(&w);
}

void renaissance_write_number_request(struct buf *out) {
    struct writer w = renaissance_write_message_begin(out, "numberOfPlayersSelectionRequest");
    writer_int(&w, "max", RENAISSANCE_SEATS_MAX);
    renaissance_put_end(&w);
}

void renaissance_write_players(struct buf *out, const struct renaissance_scene *scene) {
    struct writer w = renaissance_write_message_begin(out, "players");
    writer_list_begin(&w, "players");
    for (unsigned seat = 0; seat < scene->state->seats; seat++)
        renaissance_put_word(&w, NULL, scene->names[seat]);
    writer_list_end(&w);
    renaissance_put_end(&w);
}

void renaissance_write_grid(struct buf *out, const struct renaissance_scene *scene) {
    struct writer w = renaissance_write_message_begin(out, "devCardGrid");
    renaissance_put_grid(&w, scene->state);
    renaissance_put_end(&w);
}

void renaissance_write_market(struct buf *out, const struct renaissance_scene *scene) {
    struct writer w = renaissance_write_message_begin(out, "market");
    write_marbles(&w, scene->state);
    renaissance_put_end(&w);
}

void renaissance_write_leaders_request(struct buf *out, const struct renaissance_scene *scene,
                                       unsigned seat) {
    const struct renaissance_seat *s = &scene->state->seat[seat];
    struct writer w = renaissance_write_message_begin(out, "leaderCardsRequest");
    writer_list_begin(&w, "leaderCards");
    renaissance_put_leaders(&w, s->hand, s->hand_count);
    writer_list_end(&w);
    renaissance_put_end(&w);
}

void renaissance_write_leaders_response(struct buf *out) {
    write_accepted(out, "leaderCardsResponse");
}

void renaissance_write_resources_request(struct buf *out, unsigned number) {
    struct writer w = renaissance_write_message_begin(out, "resourcesRequest");
    writer_int(&w, "number", number);
    renaissance_put_end(&w);
}

void renaissance_write_resources_response(struct buf *out) {
    write_accepted(out, "resourcesResponse");
}

unsigned renaissance_kept(const struct renaissance_seat *s, uint8_t leaders[RENAISSANCE_LEADERS_DEALT]) {
    unsigned count = 0;
    if (s->stage == RENAISSANCE_MUST_KEEP)
        return 0;
    for (unsigned i = 0; i < s->hand_count; i++)
        leaders[count++] = s->hand[i];
    for (unsigned i = 0; i < s->played_count; i++)
        leaders[count++] = s->played[i];
    for (unsigned i = 0; i < s->discarded_count; i++)
        leaders[count++] = s->discarded[i];
    return count;
}

static void write_kept(struct writer *w, const char *name, const struct renaissance_seat *s) {
    uint8_t leaders[RENAISSANCE_LEADERS_DEALT];
    unsigned count = renaissance_kept(s, leaders);
    writer_list_begin(w, name);
    renaissance_put_leaders(w, leaders, count);
    writer_list_end(w);
}

void renaissance_write_setup(struct buf *out, const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    struct writer w = renaissance_write_message_begin(out, "setupUpdate");
    writer_object_begin(&w, "leaderCards");
    for (unsigned seat = 0; seat < r->seats; seat++)
        write_kept(&w, scene->names[seat], &r->seat[seat]);
    writer_object_end(&w);
    writer_object_begin(&w, "warehouse");
    for (unsigned seat = 0; seat < r->seats; seat++)
        write_warehouse(&w, scene->names[seat], r, seat);
    writer_object_end(&w);
    write_positions_now(&w, scene);
    renaissance_put_end(&w);
}

void renaissance_write_possible(struct buf *out, unsigned choices) {
    struct writer w = renaissance_write_message_begin(out, "possibleAction");
    writer_list_begin(&w, "actions");
    for (unsigned choice = 1; choice <= RENAISSANCE_MAY_END_TURN; choice <<= 1)
        if (choices & choice)
            renaissance_put_word(&w, NULL, renaissance_choice_word(choice));
    writer_list_end(&w);
    renaissance_put_end(&w);
}

void renaissance_write_action_response(struct buf *out, unsigned choice) {
    struct writer w = renaissance_write_message_begin(out, "actionResponse");
    renaissance_put_word(&w, "action", renaissance_choice_word(choice));
    renaissance_put_end(&w);
}

void renaissance_write_manage_request(struct buf *out, const struct renaissance_scene *scene) {
    struct writer w = renaissance_write_message_begin(out, "resourcesManageRequest");
    writer_list_begin(&w, "resources");
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        for (unsigned i = 0; i < scene->state->taken[kind]; i++)
            renaissance_put_word(&w, NULL, renaissance_resource_word(kind));
    writer_list_end(&w);
    renaissance_put_end(&w);
}

/* Tolerance 23: those that really got the tile. */
void renaissance_write_faith(struct buf *out, const struct renaissance_scene *scene,
                             const struct renaissance_faith_change *change) {
    struct writer w = renaissance_write_message_begin(out, "faithTrackUpdate");
    writer_list_begin(&w, "vaticanReportActivated");
    for (unsigned seat = 0; seat < scene->state->seats && change->report != 0; seat++)
        if (change->kept & SEAT_BIT(seat))
            renaissance_put_word(&w, NULL, scene->names[seat]);
    writer_list_end(&w);
    writer_int(&w, "vaticanReportPosition", change->report);
    writer_bool(&w, "report", change->report != 0);
    renaissance_write_positions(&w, scene, change->faith);
    renaissance_put_end(&w);
}

static struct writer begin_layout(struct buf *out, const struct renaissance_scene *scene, unsigned seat,
                                  unsigned choice) {
    struct writer w = renaissance_write_message_begin(out, "layoutUpdate");
    renaissance_put_word(&w, "nickname", scene->names[seat]);
    renaissance_put_word(&w, "action", renaissance_choice_word(choice));
    return w;
}

void renaissance_write_played(struct buf *out, const struct renaissance_scene *scene, unsigned seat,
                              unsigned leader) {
    struct writer w = begin_layout(out, scene, seat, RENAISSANCE_MAY_PLAY_LEADER);
    renaissance_write_leader(&w, "id", leader);
    write_warehouse(&w, "warehouse", scene->state, seat);
    renaissance_put_end(&w);
}

void renaissance_write_discarded(struct buf *out, const struct renaissance_scene *scene, unsigned seat,
                                 unsigned leader) {
    struct writer w = begin_layout(out, scene, seat, RENAISSANCE_MAY_DISCARD_LEADER);
    renaissance_write_leader(&w, "id", leader);
    renaissance_put_end(&w);
}

unsigned renaissance_slot_of(const struct renaissance_seat *s, unsigned card) {
    unsigned slot = 0;
    while (slot < RENAISSANCE_SLOTS && renaissance_top(s, slot) != card)
        slot++;
    return slot;
}

void renaissance_write_bought(struct buf *out, const struct renaissance_scene *scene, unsigned seat,
                              unsigned card) {
    const struct renaissance *r = scene->state;
    const struct renaissance_card *bought = renaissance_card(card);
    struct writer w = begin_layout(out, scene, seat, RENAISSANCE_MAY_BUY);
    renaissance_put_card(&w, "id", card);
    renaissance_put_card(&w, "newId", r->visible[renaissance_pile_of(card)]);
    renaissance_put_word(&w, "color", renaissance_colour_word(bought->colour));
    writer_int(&w, "level", bought->level);
    writer_int(&w, "devCardSlot", renaissance_slot_of(&r->seat[seat], card));
    write_warehouse(&w, "warehouse", r, seat);
    write_strongbox(&w, "strongbox", &r->seat[seat]);
    renaissance_put_end(&w);
}

void renaissance_write_produced(struct buf *out, const struct renaissance_scene *scene, unsigned seat) {
    struct writer w = begin_layout(out, scene, seat, RENAISSANCE_MAY_PRODUCE);
    write_warehouse(&w, "warehouse", scene->state, seat);
    write_strongbox(&w, "strongbox", &scene->state->seat[seat]);
    renaissance_put_end(&w);
}

void renaissance_write_pushed(struct buf *out, const struct renaissance_scene *scene, unsigned seat,
                              unsigned line) {
    bool is_row = line < RENAISSANCE_ROWS;
    struct writer w = begin_layout(out, scene, seat, RENAISSANCE_MAY_PUSH);
    write_marbles(&w, scene->state);
    writer_int(&w, "index", is_row ? line : line - RENAISSANCE_ROWS);
    writer_bool(&w, "isRow", is_row);
    write_warehouse(&w, "warehouse", scene->state, seat);
    writer_null(&w, "strongbox"); /* not modified */
    renaissance_put_end(&w);
}

void renaissance_write_lorenzo(struct buf *out, const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    struct writer w = renaissance_write_message_begin(out, "lorenzoUpdate");
    writer_int(&w, "faithTrackPosition", r->lorenzo);
    renaissance_put_grid(&w, r);
    renaissance_put_word(&w, "message", r->token_last == 0 ? "" : renaissance_token_text(r->token_last));
    renaissance_put_end(&w);
}

void renaissance_write_turn(struct buf *out, const char *name) {
    write_about(out, "startTurn", name);
}

void renaissance_write_end(struct buf *out) {
    write_plain(out, "endGame");
}

void renaissance_ranking(const struct renaissance *r, unsigned order[RENAISSANCE_SEATS_MAX]) {
    unsigned ranks[RENAISSANCE_SEATS_MAX];
    for (unsigned seat = 0; seat < r->seats; seat++) {
        unsigned at = seat;
        ranks[seat] =
            renaissance_points(r, seat) * RENAISSANCE_SCORE_UNIT + renaissance_resources_left(&r->seat[seat]);
        for (; at > 0 && ranks[order[at - 1]] < ranks[seat]; at--)
            order[at] = order[at - 1];
        order[at] = seat;
    }
}

/* In the order of the ranks (tolerance 27). */
void renaissance_write_scores(struct buf *out, const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    unsigned order[RENAISSANCE_SEATS_MAX];
    renaissance_ranking(r, order);
    struct writer w = renaissance_write_message_begin(out, "finalScore");
    writer_object_begin(&w, "scores");
    for (unsigned i = 0; i < r->seats; i++)
        writer_int(&w, scene->names[order[i]], renaissance_points(r, order[i]));
    writer_object_end(&w);
    writer_bool(&w, "lorenzoWon", r->seats == 1 && r->end != RENAISSANCE_SOLO_WON);
    renaissance_put_end(&w);
}

void renaissance_write_gone(struct buf *out, const char *name) {
    write_about(out, "disconnectionMessage", name);
}

void renaissance_write_back(struct buf *out, const char *name) {
    write_about(out, "reconnectionMessage", name);
}

/* Tolerance 39: the top card of every slot, and all cards of every slot from the bottom to the top. */
static void renaissance_put_slots(struct writer *w, const struct renaissance_scene *scene) {
    static const char *const keys[RENAISSANCE_SLOTS] = {"0", "1", "2"};
    const struct renaissance *r = scene->state;
    writer_object_begin(w, "devCards");
    for (unsigned seat = 0; seat < r->seats; seat++) {
        writer_list_begin(w, scene->names[seat]);
        for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++)
            renaissance_put_card(w, NULL, renaissance_top(&r->seat[seat], slot));
        writer_list_end(w);
    }
    writer_object_end(w);
    writer_object_begin(w, "devCardSlots");
    for (unsigned seat = 0; seat < r->seats; seat++) {
        writer_object_begin(w, scene->names[seat]);
        for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
            const uint8_t *cards = r->seat[seat].slot[slot];
            writer_list_begin(w, keys[slot]);
            for (unsigned i = 0; i < RENAISSANCE_LEVELS && cards[i] != 0; i++)
                renaissance_put_card(w, NULL, cards[i]);
            writer_list_end(w);
        }
        writer_object_end(w);
    }
    writer_object_end(w);
}

/* Tolerance 24: per player. A report that has not happened has no key. */
static void write_reports(struct writer *w, const struct renaissance_scene *scene) {
    static const char *const keys[RENAISSANCE_REPORTS] = {"8", "16", "24"};
    const struct renaissance *r = scene->state;
    writer_object_begin(w, "vaticanReportActivated");
    for (unsigned seat = 0; seat < r->seats; seat++) {
        writer_object_begin(w, scene->names[seat]);
        for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
            if (r->report[i].happened)
                writer_bool(w, keys[i], (r->report[i].kept & SEAT_BIT(seat)) != 0);
        writer_object_end(w);
    }
    writer_object_end(w);
}

unsigned renaissance_hand_count(const struct renaissance_seat *s) {
    return s->stage == RENAISSANCE_MUST_KEEP ? 0 : s->hand_count;
}

static void write_leaders_seen(struct writer *w, const struct renaissance_scene *scene, unsigned seat) {
    const struct renaissance *r = scene->state;
    writer_object_begin(w, "leaderCardsPlayed");
    for (unsigned i = 0; i < r->seats; i++) {
        writer_list_begin(w, scene->names[i]);
        renaissance_put_leaders(w, r->seat[i].played, r->seat[i].played_count);
        writer_list_end(w);
    }
    writer_object_end(w);
    writer_list_begin(w, "leaderCards");
    renaissance_put_leaders(w, r->seat[seat].hand, renaissance_hand_count(&r->seat[seat]));
    writer_list_end(w);
}

void renaissance_write_update(struct buf *out, const struct renaissance_scene *scene, unsigned seat) {
    const struct renaissance *r = scene->state;
    struct writer w = renaissance_write_message_begin(out, "reconnectionUpdate");
    renaissance_put_word(&w, "username", scene->names[seat]);
    renaissance_put_slots(&w, scene);
    write_positions_now(&w, scene);
    write_leaders_seen(&w, scene, seat);
    writer_object_begin(&w, "strongbox");
    for (unsigned i = 0; i < r->seats; i++)
        write_strongbox(&w, scene->names[i], &r->seat[i]);
    writer_object_end(&w);
    writer_object_begin(&w, "warehouse");
    for (unsigned i = 0; i < r->seats; i++)
        write_warehouse(&w, scene->names[i], r, i);
    writer_object_end(&w);
    writer_object_begin(&w, "cardsInHand");
    for (unsigned i = 0; i < r->seats; i++)
        writer_int(&w, scene->names[i], renaissance_hand_count(&r->seat[i]));
    writer_object_end(&w);
    writer_object_begin(&w, "playersConnected");
    for (unsigned i = 0; i < r->seats; i++)
        writer_bool(&w, scene->names[i], scene->is_online[i]);
    writer_object_end(&w);
    write_reports(&w, scene);
    writer_bool(&w, "setupDone", r->seat[seat].stage == RENAISSANCE_READY);
    renaissance_put_end(&w);
}
