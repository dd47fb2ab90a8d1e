/* What is said in the room of Masters of Renaissance, in the framing of whoever hears it. */
#include "wire/renaissance/internal.h"

#include "base/mem.h"

#include <assert.h>

enum { PATIENCE_MS = 3 * 1000 }; /* how long the others wait for one who was asked and says nothing */

void renaissance_write_word(struct buf *out, const struct renaissance_word *w) {
    const struct renaissance_scene *scene = w->scene;
    switch (w->type) {
    case RENAISSANCE_SAYS_ERROR: renaissance_write_error(out, w->error, w->why); break;
    case RENAISSANCE_SAYS_USERNAME: renaissance_write_username(out, w->name); break;
    case RENAISSANCE_SAYS_NUMBER_REQUEST: renaissance_write_number_request(out); break;
    case RENAISSANCE_SAYS_PLAYERS: renaissance_write_players(out, scene); break;
    case RENAISSANCE_SAYS_GRID: renaissance_write_grid(out, scene); break;
    case RENAISSANCE_SAYS_MARKET: renaissance_write_market(out, scene); break;
    case RENAISSANCE_SAYS_LEADERS_REQUEST: renaissance_write_leaders_request(out, scene, w->seat); break;
    case RENAISSANCE_SAYS_LEADERS_RESPONSE: renaissance_write_leaders_response(out); break;
    case RENAISSANCE_SAYS_RESOURCES_REQUEST: renaissance_write_resources_request(out, w->number); break;
    case RENAISSANCE_SAYS_RESOURCES_RESPONSE: renaissance_write_resources_response(out); break;
    case RENAISSANCE_SAYS_SETUP: renaissance_write_setup(out, scene); break;
    case RENAISSANCE_SAYS_POSSIBLE: renaissance_write_possible(out, w->number); break;
    case RENAISSANCE_SAYS_ACTION_RESPONSE: renaissance_write_action_response(out, w->number); break;
    case RENAISSANCE_SAYS_MANAGE_REQUEST: renaissance_write_manage_request(out, scene); break;
    case RENAISSANCE_SAYS_FAITH: renaissance_write_faith(out, scene, w->change); break;
    case RENAISSANCE_SAYS_PLAYED: renaissance_write_played(out, scene, w->seat, w->number); break;
    case RENAISSANCE_SAYS_DISCARDED: renaissance_write_discarded(out, scene, w->seat, w->number); break;
    case RENAISSANCE_SAYS_BOUGHT: renaissance_write_bought(out, scene, w->seat, w->number); break;
    case RENAISSANCE_SAYS_PRODUCED: renaissance_write_produced(out, scene, w->seat); break;
    case RENAISSANCE_SAYS_PUSHED: renaissance_write_pushed(out, scene, w->seat, w->number); break;
    case RENAISSANCE_SAYS_LORENZO: renaissance_write_lorenzo(out, scene); break;
    case RENAISSANCE_SAYS_TURN: renaissance_write_turn(out, w->name); break;
    case RENAISSANCE_SAYS_END: renaissance_write_end(out); break;
    case RENAISSANCE_SAYS_SCORES: renaissance_write_scores(out, scene); break;
    case RENAISSANCE_SAYS_GONE: renaissance_write_gone(out, w->name); break;
    case RENAISSANCE_SAYS_BACK: renaissance_write_back(out, w->name); break;
    case RENAISSANCE_SAYS_UPDATE: renaissance_write_update(out, scene, w->seat); break;
    }
}

static void voice_say_lines(struct room_member *m, struct span lines) {
    json_peer_send_lines(json_member_peer(m), lines);
}

const struct renaissance_speech renaissance_json_speech = {.write = renaissance_write_word,
                                                           .say = voice_say_lines};

void renaissance_begin(struct room *room) {
    struct renaissance_room *rr = renaissance_room(room);
    rr->is_keeping = false;
    for (unsigned i = 0; i < RENAISSANCE_VOICES; i++)
        buf_clear(&rr->voices[i].out);
}

void renaissance_put(struct room *room, const struct renaissance_word *word) {
    struct renaissance_room *rr = renaissance_room(room);
    for (unsigned i = 0; i < RENAISSANCE_VOICES; i++) {
        struct renaissance_voice *voice = &rr->voices[i];
        if (voice->speech != NULL && (voice->member_count > 0 || rr->is_keeping))
            voice->speech->write(&voice->out, word);
    }
}

static struct renaissance_voice *voice_of(struct room_member *m) {
    return ((struct renaissance_member *)(void *)m)->voice;
}

void renaissance_say(struct room_member *m) {
    struct renaissance_voice *voice = voice_of(m);
    voice->speech->say(m, buf_span(&voice->out));
}

void renaissance_keep_begin(struct room *room) {
    renaissance_begin(room);
    renaissance_room(room)->is_keeping = true;
}

void renaissance_keep(struct room_table *rt, unsigned seat) {
    struct renaissance_room *rr = renaissance_room(rt->room);
    struct span name = span_of(table_name(rt->table, seat));
    for (unsigned i = 0; i < RENAISSANCE_VOICES; i++)
        if (rr->voices[i].speech != NULL)
            farewells_add(&rr->voices[i].farewells, name, buf_span(&rr->voices[i].out), rt->room->now_ms,
                          rt->room->now_ms + RENAISSANCE_LINGER_MS);
    rr->is_keeping = false;
}

bool renaissance_say_kept(struct room_member *m, struct span name) {
    struct renaissance_room *rr = renaissance_room(m->room);
    bool was_kept = false;
    renaissance_begin(m->room);
    for (unsigned i = 0; i < RENAISSANCE_VOICES; i++) {
        struct renaissance_voice *voice = &rr->voices[i];
        bool is_known = farewells_take(&voice->farewells, name, m->room->now_ms, &voice->out);
        was_kept = was_kept || (is_known && voice == voice_of(m));
    }
    if (was_kept)
        renaissance_say(m);
    return was_kept;
}

/* The room. */

/* The voice of a framing; it takes the first place that is free. */
static struct renaissance_voice *voice_find(struct renaissance_room *rr,
                                            const struct renaissance_speech *speech) {
    struct renaissance_voice *voice = rr->voices;
    while (voice->speech != NULL && voice->speech != speech)
        voice++;
    assert(voice < rr->voices + RENAISSANCE_VOICES);
    voice->speech = speech;
    return voice;
}

static void voice_release(struct json_room *jr) {
    struct renaissance_room *rr = (struct renaissance_room *)(void *)jr;
    for (unsigned i = 0; i < RENAISSANCE_VOICES; i++) {
        buf_free(&rr->voices[i].out);
        farewells_free(&rr->voices[i].farewells);
    }
}

static struct renaissance_room *voice_room_create(const struct renaissance_port_config *config) {
    struct renaissance_room *rr = mem_alloc(sizeof *rr);
    rr->config = *config;
    rr->json.release = voice_release;
    json_room_begin(&rr->json, renaissance_room_tell,
                    (struct room_policy){.protocol = RENAISSANCE_PROTOCOL,
                                         .game = &renaissance_game,
                                         .member_bytes = sizeof(struct renaissance_member),
                                         .table_bytes = sizeof(struct renaissance_table),
                                         .hears_in_order = true,
                                         .tables_max = (uint32_t)config->tables_max,
                                         .keep_ms = config->keep_ms,
                                         .grace_ms = config->return_ms,
                                         .turn_ms = config->turn_ms,
                                         .game_ms = config->game_ms,
                                         .increment_ms = config->increment_ms,
                                         .answer_ms = config->answer_ms,
                                         .patience_ms = PATIENCE_MS,
                                         .linger_ms = RENAISSANCE_LINGER_MS},
                    config->tables);
    return rr;
}

struct port *renaissance_room_open(const struct renaissance_port_config *config,
                                   const struct renaissance_speech *speech,
                                   const struct json_room_dialect *dialect,
                                   const struct peers_config *peers) {
    struct room *room = room_of_protocol(config->tables, RENAISSANCE_PROTOCOL);
    struct renaissance_room *rr = room == NULL ? voice_room_create(config) : renaissance_room(room);
    voice_find(rr, speech);
    return json_room_add_port(&rr->json, dialect, peers);
}

void renaissance_come(struct room_member *m, const struct renaissance_speech *speech) {
    struct renaissance_voice *voice = voice_find(renaissance_room(m->room), speech);
    ((struct renaissance_member *)(void *)m)->voice = voice;
    voice->member_count++;
}

void renaissance_go(struct room_member *m) {
    voice_of(m)->member_count--;
}
