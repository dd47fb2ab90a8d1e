/* Words into records of Java. Every record stands alone: a reset comes before it, so that a writer remembers
 * nothing and what is written once serves all who hear it. */
#include "wire/renaissance_java/dialect.h"

#include <assert.h>

enum { MAP_BUCKETS = 16, MAP_THRESHOLD = 12 }; /* of a new map of Java; not looked at */

static void put_record(struct java_writer *w, enum renaissance_java_record record) {
    java_put_record(w, &renaissance_java_records[record]);
}

static void put_map_begin(struct java_writer *w, uint32_t count) {
    java_put_map(w, &java_hash_map, count, MAP_BUCKETS, MAP_THRESHOLD);
}

static void put_map_end(struct java_writer *w) {
    java_put_map_end(w, &java_hash_map);
}

static void put_list_begin(struct java_writer *w, uint32_t count) {
    java_put_list(w, count, count);
}

static void put_string(struct java_writer *w, const char *text) {
    java_put_text(w, span_of(text));
}

/* null: there is no card. */
static void put_card_id(struct java_writer *w, unsigned card) {
    char id[RENAISSANCE_ID_BYTES];
    if (card == 0) {
        java_put_null(w);
        return;
    }
    renaissance_card_id(card, id);
    put_string(w, id);
}

static void put_leader_id(struct java_writer *w, unsigned leader) {
    char id[RENAISSANCE_ID_BYTES];
    assert(leader != RENAISSANCE_HIDDEN); /* whoever wrote this took the view of the wrong seat */
    renaissance_leader_id(leader, id);
    put_string(w, id);
}

static void put_leader_ids(struct java_writer *w, const uint8_t *leaders, unsigned count) {
    put_list_begin(w, count);
    for (unsigned i = 0; i < count; i++)
        put_leader_id(w, leaders[i]);
    java_put_list_end(w);
}

static void put_resource(struct java_writer *w, unsigned kind) {
    java_put_word(w, &renaissance_java_resource, kind);
}

static void put_marble(struct java_writer *w, unsigned marble) {
    java_put_word(w, &renaissance_java_marble, marble);
}

static void put_warehouse(struct java_writer *w, const struct renaissance *r, unsigned seat) {
    const struct renaissance_depot *depots = renaissance_warehouse(r, seat);
    unsigned count = renaissance_depot_count(&r->seat[seat]);
    put_map_begin(w, count);
    for (unsigned i = 0; i < count; i++) {
        java_put_integer(w, (int32_t)i);
        put_list_begin(w, depots[i].count);
        for (unsigned k = 0; k < depots[i].count; k++)
            put_resource(w, depots[i].kind);
        java_put_list_end(w);
    }
    put_map_end(w);
}

/* With all four of them: a missing one is more than the client can bear. */
static void put_strongbox(struct java_writer *w, const struct renaissance_seat *s) {
    put_map_begin(w, RENAISSANCE_KINDS);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++) {
        put_resource(w, kind);
        java_put_integer(w, s->strongbox[kind]);
    }
    put_map_end(w);
}

/* Row 0 of the grid is level 3. */
static void put_grid(struct java_writer *w, const struct renaissance *r) {
    java_put_array(w, &java_string_rows, RENAISSANCE_LEVELS);
    for (unsigned level = RENAISSANCE_LEVELS; level >= 1; level--) {
        java_put_array(w, &java_strings, RENAISSANCE_COLOURS);
        for (unsigned colour = 0; colour < RENAISSANCE_COLOURS; colour++)
            put_card_id(w, r->visible[renaissance_pile(colour, level)]);
    }
}

static void put_market(struct java_writer *w, const struct renaissance *r) {
    put_marble(w, r->free_marble);
    java_put_array(w, &renaissance_java_marble_rows, RENAISSANCE_ROWS);
    for (unsigned row = 0; row < RENAISSANCE_ROWS; row++) {
        java_put_array(w, &renaissance_java_marbles, RENAISSANCE_COLUMNS);
        for (unsigned column = 0; column < RENAISSANCE_COLUMNS; column++)
            put_marble(w, r->market[row * RENAISSANCE_COLUMNS + column]);
    }
}

/* A map from every name to a value of the seat, which put_value writes. */
static void put_by_name(struct java_writer *w, const struct renaissance_scene *scene,
                        void (*put_value)(struct java_writer *, const struct renaissance_scene *,
                                          unsigned seat)) {
    put_map_begin(w, scene->state->seats);
    for (unsigned seat = 0; seat < scene->state->seats; seat++) {
        put_string(w, scene->names[seat]);
        put_value(w, scene, seat);
    }
    put_map_end(w);
}

static void value_faith(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    java_put_integer(w, scene->state->seat[seat].faith);
}

static void value_warehouse(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    put_warehouse(w, scene->state, seat);
}

static void value_strongbox(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    put_strongbox(w, &scene->state->seat[seat]);
}

static void value_hand_count(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    java_put_integer(w, (int32_t)renaissance_hand_count(&scene->state->seat[seat]));
}

static void value_is_online(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    java_put_boolean(w, scene->is_online[seat]);
}

static void value_kept(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    uint8_t leaders[RENAISSANCE_LEADERS_DEALT];
    unsigned count = renaissance_kept(&scene->state->seat[seat], leaders);
    put_leader_ids(w, leaders, count);
}

static void value_played(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    const struct renaissance_seat *s = &scene->state->seat[seat];
    put_leader_ids(w, s->played, s->played_count);
}

static void value_slots(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    put_map_begin(w, RENAISSANCE_SLOTS);
    for (unsigned slot = 0; slot < RENAISSANCE_SLOTS; slot++) {
        const uint8_t *cards = scene->state->seat[seat].slot[slot];
        unsigned count = 0;
        while (count < RENAISSANCE_LEVELS && cards[count] != 0)
            count++;
        java_put_integer(w, (int32_t)slot);
        put_list_begin(w, count);
        for (unsigned i = 0; i < count; i++)
            put_card_id(w, cards[i]);
        java_put_list_end(w);
    }
    put_map_end(w);
}

static void value_reports(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    const struct renaissance_report *report = scene->state->report;
    unsigned count = 0;
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++)
        count += report[i].happened;
    put_map_begin(w, count);
    for (unsigned i = 0; i < RENAISSANCE_REPORTS; i++) {
        if (!report[i].happened)
            continue;
        java_put_integer(w, (int32_t)renaissance_pope_space(i));
        java_put_boolean(w, (report[i].kept & SEAT_BIT(seat)) != 0);
    }
    put_map_end(w);
}

/* Records. */

static void put_java_error(struct java_writer *w, enum renaissance_error error) {
    static const unsigned words[] = {
        [RENAISSANCE_ERROR_LEADERS] = 0,
        [RENAISSANCE_ERROR_RESOURCES] = 1,
        [RENAISSANCE_ERROR_ACTION] = 3,
        [RENAISSANCE_ERROR_MANAGE] = 4,
    };
    put_record(w, RENAISSANCE_JAVA_ERROR_MESSAGE);
    java_put_word(w, &renaissance_java_error, words[error]);
}

static void put_java_username(struct java_writer *w, const char *name) {
    put_record(w, RENAISSANCE_JAVA_USERNAME_RESPONSE);
    java_put_flag(w, name != NULL);
    if (name == NULL)
        java_put_null(w);
    else
        put_string(w, name);
}

/* The last seat first, as their server has it. */
static void put_java_players(struct java_writer *w, const struct renaissance_scene *scene) {
    put_record(w, RENAISSANCE_JAVA_PLAYERS);
    put_list_begin(w, scene->state->seats);
    for (unsigned seat = scene->state->seats; seat > 0; seat--)
        put_string(w, scene->names[seat - 1]);
    java_put_list_end(w);
}

static void put_java_setup(struct java_writer *w, const struct renaissance_scene *scene) {
    put_record(w, RENAISSANCE_JAVA_SETUP_GAME_UPDATE);
    put_by_name(w, scene, value_kept);
    put_by_name(w, scene, value_faith);
    put_by_name(w, scene, value_warehouse);
}

static void put_java_possible(struct java_writer *w, unsigned choices) {
    put_record(w, RENAISSANCE_JAVA_ACTION_REQUEST);
    put_list_begin(w, (uint32_t)__builtin_popcount(choices));
    for (; choices != 0; choices &= choices - 1)
        java_put_word(w, &renaissance_java_action, (unsigned)__builtin_ctz(choices));
    java_put_list_end(w);
}

static void put_java_manage(struct java_writer *w, const struct renaissance *r) {
    unsigned count = 0;
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        count += r->taken[kind];
    put_record(w, RENAISSANCE_JAVA_RESOURCES_MANAGE_REQUEST);
    put_list_begin(w, count);
    for (unsigned kind = 0; kind < RENAISSANCE_KINDS; kind++)
        for (unsigned i = 0; i < r->taken[kind]; i++)
            put_resource(w, kind);
    java_put_list_end(w);
}

static void put_java_faith(struct java_writer *w, const struct renaissance_scene *scene,
                           const struct renaissance_faith_change *change) {
    seat_set kept = change->report == 0 ? 0 : change->kept;
    put_record(w, RENAISSANCE_JAVA_FAITH_TRACK_MESSAGE);
    java_put_flag(w, change->report != 0);
    java_put_int(w, change->report);
    put_list_begin(w, (uint32_t)__builtin_popcountll(kept));
    for (unsigned seat = 0; seat < scene->state->seats; seat++)
        if (kept & SEAT_BIT(seat))
            put_string(w, scene->names[seat]);
    java_put_list_end(w);
    put_map_begin(w, scene->state->seats);
    for (unsigned seat = 0; seat < scene->state->seats; seat++) {
        put_string(w, scene->names[seat]);
        java_put_integer(w, change->faith[seat]);
    }
    put_map_end(w);
}

static void put_java_bought(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat,
                            unsigned card) {
    const struct renaissance *r = scene->state;
    const struct renaissance_card *bought = renaissance_card(card);
    put_record(w, RENAISSANCE_JAVA_BUY_DEVELOPMENT_CARD_UPDATE);
    java_put_int(w, bought->level);
    java_put_int(w, (int32_t)renaissance_slot_of(&r->seat[seat], card));
    java_put_word(w, &renaissance_java_color, bought->colour);
    put_card_id(w, r->visible[renaissance_pile_of(card)]);
    put_card_id(w, card);
    put_string(w, scene->names[seat]);
    put_strongbox(w, &r->seat[seat]);
    put_warehouse(w, r, seat);
}

static void put_java_produced(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    put_record(w, RENAISSANCE_JAVA_USE_PRODUCTION_UPDATE);
    put_string(w, scene->names[seat]);
    put_strongbox(w, &scene->state->seat[seat]);
    put_warehouse(w, scene->state, seat);
}

static void put_java_leader(struct java_writer *w, const struct renaissance_word *word) {
    bool is_played = word->type == RENAISSANCE_SAYS_PLAYED;
    put_record(w, is_played ? RENAISSANCE_JAVA_PLAY_LEADER_CARD_UPDATE
                            : RENAISSANCE_JAVA_DISCARD_LEADER_CARD_UPDATE);
    put_leader_id(w, word->number);
    put_string(w, word->scene->names[word->seat]);
    if (is_played)
        put_warehouse(w, word->scene->state, word->seat);
}

/* Only the line that was pushed, as it is now. */
static void put_java_pushed(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat,
                            unsigned line) {
    uint8_t marbles[RENAISSANCE_COLUMNS];
    bool is_row = line < RENAISSANCE_ROWS;
    unsigned count = renaissance_line(scene->state, line, marbles);
    put_record(w, RENAISSANCE_JAVA_MARKET_ACTION_UPDATE);
    java_put_int(w, (int32_t)(is_row ? line : line - RENAISSANCE_ROWS));
    java_put_flag(w, is_row);
    put_marble(w, scene->state->free_marble);
    put_list_begin(w, count);
    for (unsigned i = 0; i < count; i++)
        put_marble(w, marbles[i]);
    java_put_list_end(w);
    put_string(w, scene->names[seat]);
    put_warehouse(w, scene->state, seat);
}

/* The text must not be empty. */
static void put_java_lorenzo(struct java_writer *w, const struct renaissance *r) {
    put_record(w, RENAISSANCE_JAVA_LORENZO_MESSAGE);
    java_put_int(w, r->lorenzo);
    put_string(w, r->token_last == 0 ? "no token" : renaissance_token_text(r->token_last));
    put_grid(w, r);
}

static void put_java_scores(struct java_writer *w, const struct renaissance_scene *scene) {
    const struct renaissance *r = scene->state;
    unsigned order[RENAISSANCE_SEATS_MAX];
    renaissance_ranking(r, order);
    put_record(w, RENAISSANCE_JAVA_FINAL_SCORE_MESSAGE);
    java_put_flag(w, r->seats == 1 && r->end != RENAISSANCE_SOLO_WON);
    java_put_map(w, &java_linked_hash_map, r->seats, MAP_BUCKETS, MAP_THRESHOLD);
    for (unsigned i = 0; i < r->seats; i++) {
        put_string(w, scene->names[order[i]]);
        java_put_integer(w, (int32_t)renaissance_points(r, order[i]));
    }
    java_put_map_end(w, &java_linked_hash_map);
}

static void put_java_update(struct java_writer *w, const struct renaissance_scene *scene, unsigned seat) {
    const struct renaissance_seat *s = &scene->state->seat[seat];
    put_record(w, RENAISSANCE_JAVA_RE_CONNECTION_UPDATE);
    java_put_flag(w, s->stage == RENAISSANCE_READY);
    put_by_name(w, scene, value_hand_count);
    put_by_name(w, scene, value_slots);
    put_by_name(w, scene, value_faith);
    put_leader_ids(w, s->hand, renaissance_hand_count(s));
    put_by_name(w, scene, value_played);
    put_by_name(w, scene, value_is_online);
    put_by_name(w, scene, value_strongbox);
    put_string(w, scene->names[seat]);
    put_by_name(w, scene, value_reports);
    put_by_name(w, scene, value_warehouse);
}

static void put_java_text(struct java_writer *w, enum renaissance_java_record record, const char *text) {
    put_record(w, record);
    put_string(w, text);
}

static void put_java_number(struct java_writer *w, enum renaissance_java_record record, unsigned number) {
    put_record(w, record);
    java_put_int(w, (int32_t)number);
}

static void put_java_layout(struct java_writer *w, const struct renaissance_word *word) {
    const struct renaissance_scene *scene = word->scene;
    switch (word->type) {
    case RENAISSANCE_SAYS_PLAYED:
    case RENAISSANCE_SAYS_DISCARDED: put_java_leader(w, word); break;
    case RENAISSANCE_SAYS_BOUGHT: put_java_bought(w, scene, word->seat, word->number); break;
    case RENAISSANCE_SAYS_PRODUCED: put_java_produced(w, scene, word->seat); break;
    case RENAISSANCE_SAYS_PUSHED: put_java_pushed(w, scene, word->seat, word->number); break;
    default: put_java_lorenzo(w, scene->state); break;
    }
}

static void put_java_word(struct java_writer *w, const struct renaissance_word *word) {
    const struct renaissance_scene *scene = word->scene;
    switch (word->type) {
    case RENAISSANCE_SAYS_ERROR: put_java_error(w, word->error); break;
    case RENAISSANCE_SAYS_USERNAME: put_java_username(w, word->name); break;
    case RENAISSANCE_SAYS_NUMBER_REQUEST:
        put_java_number(w, RENAISSANCE_JAVA_PLAYER_NUMBER_REQUEST, RENAISSANCE_SEATS_MAX);
        break;
    case RENAISSANCE_SAYS_PLAYERS: put_java_players(w, scene); break;
    case RENAISSANCE_SAYS_GRID:
        put_record(w, RENAISSANCE_JAVA_DEV_CARD_GRID);
        put_grid(w, scene->state);
        break;
    case RENAISSANCE_SAYS_MARKET:
        put_record(w, RENAISSANCE_JAVA_MARKET_MARBLES);
        put_market(w, scene->state);
        break;
    case RENAISSANCE_SAYS_LEADERS_REQUEST:
        put_record(w, RENAISSANCE_JAVA_LEADER_CARDS_REQUEST);
        put_leader_ids(w, scene->state->seat[word->seat].hand, scene->state->seat[word->seat].hand_count);
        break;
    case RENAISSANCE_SAYS_LEADERS_RESPONSE: put_record(w, RENAISSANCE_JAVA_LEADER_CARD_SETUP_DONE); break;
    case RENAISSANCE_SAYS_RESOURCES_REQUEST:
        put_java_number(w, RENAISSANCE_JAVA_RESOURCES_REQUEST, word->number);
        break;
    case RENAISSANCE_SAYS_RESOURCES_RESPONSE: put_record(w, RENAISSANCE_JAVA_STARTING_RESOURCE_DONE); break;
    case RENAISSANCE_SAYS_SETUP: put_java_setup(w, scene); break;
    case RENAISSANCE_SAYS_POSSIBLE: put_java_possible(w, word->number); break;
    case RENAISSANCE_SAYS_ACTION_RESPONSE:
        put_record(w, RENAISSANCE_JAVA_ACTION_RESPONSE);
        java_put_word(w, &renaissance_java_action, (unsigned)__builtin_ctz(word->number));
        break;
    case RENAISSANCE_SAYS_MANAGE_REQUEST: put_java_manage(w, scene->state); break;
    case RENAISSANCE_SAYS_FAITH: put_java_faith(w, scene, word->change); break;
    case RENAISSANCE_SAYS_TURN: put_java_text(w, RENAISSANCE_JAVA_START_TURN, word->name); break;
    case RENAISSANCE_SAYS_END: put_record(w, RENAISSANCE_JAVA_END_GAME_MESSAGE); break;
    case RENAISSANCE_SAYS_SCORES: put_java_scores(w, scene); break;
    case RENAISSANCE_SAYS_GONE: put_java_text(w, RENAISSANCE_JAVA_DISCONNECTION, word->name); break;
    case RENAISSANCE_SAYS_BACK: put_java_text(w, RENAISSANCE_JAVA_RECONNECTION, word->name); break;
    case RENAISSANCE_SAYS_UPDATE: put_java_update(w, scene, word->seat); break;
    default: put_java_layout(w, word); break;
    }
}

/* Entries. */

/* Alone nobody is told to wait for others; and there is no word for a disk that is full. */
static bool word_is_left_out(const struct renaissance_word *word) {
    bool is_done =
        word->type == RENAISSANCE_SAYS_LEADERS_RESPONSE || word->type == RENAISSANCE_SAYS_RESOURCES_RESPONSE;
    return (is_done && word->number == 1) ||
           (word->type == RENAISSANCE_SAYS_ERROR && word->error == RENAISSANCE_ERROR_STALLED);
}

static bool word_wants_faith(enum renaissance_word_type type) {
    return type == RENAISSANCE_SAYS_DISCARDED || type == RENAISSANCE_SAYS_PRODUCED ||
           type == RENAISSANCE_SAYS_PUSHED || type == RENAISSANCE_SAYS_LORENZO;
}

static uint8_t entry_detail(const struct renaissance_word *word) {
    if (word->type == RENAISSANCE_SAYS_ERROR)
        return (uint8_t)word->error;
    if (word->type != RENAISSANCE_SAYS_UPDATE)
        return (uint8_t)word->seat;
    bool is_set_up = word->scene->state->seat[word->seat].stage == RENAISSANCE_READY;
    uint8_t detail = is_set_up ? RENAISSANCE_JAVA_IS_SET_UP : 0;
    for (unsigned seat = 0; seat < word->scene->state->seats; seat++)
        detail = (uint8_t)(detail | (word->scene->is_online[seat] ? 0 : SEAT_BIT(seat)));
    return detail;
}

static void entry_append(struct buf *out, const struct renaissance_word *word) {
    struct renaissance_java_entry entry = {.type = (uint8_t)word->type, .detail = entry_detail(word)};
    struct java_writer w;
    size_t begin = out->size;
    buf_append(out, span_make(&entry, sizeof entry));
    java_begin(&w, out);
    java_put_reset(&w);
    put_java_word(&w, word);
    if (buf_is_over(out))
        return;
    entry.size = (uint32_t)(out->size - begin - sizeof entry);
    memcpy(out->data + begin, &entry, sizeof entry);
}

static bool entry_last_is_faith(const struct buf *out) {
    struct span rest = buf_span(out), record;
    uint8_t type = UINT8_MAX;
    while (rest.size > 0)
        type = renaissance_java_next(&rest, &record).type;
    return type == RENAISSANCE_SAYS_FAITH;
}

void renaissance_java_write(struct buf *out, const struct renaissance_word *word) {
    if (word_is_left_out(word))
        return;
    if (word_wants_faith(word->type) && !entry_last_is_faith(out)) {
        struct renaissance_faith_change change = {0};
        for (unsigned seat = 0; seat < word->scene->state->seats; seat++)
            change.faith[seat] = word->scene->state->seat[seat].faith;
        entry_append(out, &(struct renaissance_word){
                              .type = RENAISSANCE_SAYS_FAITH, .scene = word->scene, .change = &change});
    }
    entry_append(out, word);
}

struct renaissance_java_entry renaissance_java_next(struct span *written, struct span *record) {
    struct renaissance_java_entry entry;
    memcpy(&entry, written->data, sizeof entry);
    *record = span_make(written->data + sizeof entry, entry.size);
    *written = span_make(record->data + entry.size, written->size - sizeof entry - entry.size);
    return entry;
}

void renaissance_java_write_ping(struct buf *out, bool is_first) {
    struct java_writer w;
    java_begin(&w, out);
    if (is_first)
        java_put_header(&w);
    else
        java_put_reset(&w);
    put_record(&w, RENAISSANCE_JAVA_PING);
}
