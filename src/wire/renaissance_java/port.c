/* Clients of Java streams in the room of Masters of Renaissance: which of what is said they are told, in
 * which order and at which pace. They handle every message in a thread of its own and guard themselves with
 * three flags; numbers in comments are those of "Order and pace" in docs/protocols/renaissance-java.md. */
#include "wire/renaissance_java/port.h"

#include "base/log.h"
#include "host/table/figures.h"
#include "wire/java/frame.h"
#include "wire/renaissance/internal.h"
#include "wire/renaissance_java/dialect.h"

/* Bytes. */

static bool java_peer_take(struct peer *peer, void *frame, struct span *input, uint64_t now_ms) {
    return java_frame_take(frame, renaissance_java_heard, peer, input, now_ms);
}

static void java_peer_release(void *frame) {
    java_frame_release(frame);
}

static size_t java_peer_kept_bytes(const void *frame) {
    return ((const struct java_frame *)frame)->partial.capacity;
}

static void java_peer_ping(struct buf *out) {
    renaissance_java_write_ping(out, false);
}

static void java_peer_greet(struct buf *out) {
    renaissance_java_write_ping(out, true);
}

static void java_peer_show(const void *message, struct buf *out) {
    java_show(message, out);
}

/* What we have said ourselves stands alone, so it can be read alone. */
static void java_peer_show_sent(struct span bytes, struct buf *out) {
    struct java_reader reader = {.classes = renaissance_java_all, .has_begun = true};
    struct java_message message;
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    size_t size;
    enum java_result result = java_read(&reader, bytes, &message, &size, complaint);
    if (result == JAVA_PASSED) /* the reset */
        result =
            java_read(&reader, span_make(bytes.data + size, bytes.size - size), &message, &size, complaint);
    if (result == JAVA_MESSAGE)
        java_show(&message, out);
    java_reader_free(&reader);
}

static const struct peer_framing java_framing = {
    .frame_bytes = sizeof(struct java_frame),
    .take = java_peer_take,
    .release = java_peer_release,
    .kept_bytes = java_peer_kept_bytes,
    .ping = java_peer_ping,
    .greet = java_peer_greet,
    .show_received = java_peer_show,
    .show_sent = java_peer_show_sent,
};

/* What is said. */

static void java_say(struct room_member *m, struct span said);

/* An update that changes nothing, for a client that must have one before it takes the question (7). */
static void java_say_nothing_new(struct room_member *m) {
    const struct renaissance_scene scene = renaissance_scene(m->at, m->seat);
    struct buf out = {0};
    renaissance_java_write(&out, &(struct renaissance_word){
                                     .type = RENAISSANCE_SAYS_PRODUCED, .scene = &scene, .seat = m->seat});
    java_say(m, buf_span(&out));
    buf_free(&out);
}

/* Whether the member is to be told this; and what it knows then. */
static bool java_takes(struct room_member *m, const struct renaissance_java_entry *entry) {
    struct renaissance_manners *manners = &renaissance_talk(m)->manners;
    seat_set seat;
    switch (entry->type) {
    case RENAISSANCE_SAYS_ERROR: /* 9 */
        if (!manners->is_drawn &&
            (entry->detail == RENAISSANCE_ERROR_ACTION || entry->detail == RENAISSANCE_ERROR_MANAGE))
            return false;
        manners->takes_question = true;
        return true;
    case RENAISSANCE_SAYS_GONE: /* 11 */
    case RENAISSANCE_SAYS_BACK:
        seat = SEAT_BIT(entry->detail);
        if (((manners->away & seat) != 0) == (entry->type == RENAISSANCE_SAYS_GONE))
            return false;
        manners->away ^= seat;
        manners->takes_question = manners->takes_question || entry->type == RENAISSANCE_SAYS_GONE;
        return true;
    case RENAISSANCE_SAYS_TURN: manners->takes_question = false; return true;
    case RENAISSANCE_SAYS_SETUP: manners->is_drawn = manners->takes_question = true; return true;
    case RENAISSANCE_SAYS_UPDATE:
        manners->is_drawn = (entry->detail & RENAISSANCE_JAVA_IS_SET_UP) != 0;
        manners->away = entry->detail & ~RENAISSANCE_JAVA_IS_SET_UP;
        return true;
    case RENAISSANCE_SAYS_PLAYED:
    case RENAISSANCE_SAYS_DISCARDED:
    case RENAISSANCE_SAYS_BOUGHT:
    case RENAISSANCE_SAYS_PRODUCED:
    case RENAISSANCE_SAYS_PUSHED:
    case RENAISSANCE_SAYS_LORENZO: manners->takes_question = true; return true;
    case RENAISSANCE_SAYS_POSSIBLE:
        if (!manners->takes_question)
            java_say_nothing_new(m);
        return true;
    default: return true;
    }
}

static void java_say(struct room_member *m, struct span said) {
    while (said.size > 0) {
        struct span record;
        struct renaissance_java_entry entry = renaissance_java_next(&said, &record);
        if (java_takes(m, &entry))
            peer_queue(json_member_peer(m), record, m->room->now_ms); /* 5 */
    }
}

/* Their client draws players of these names with 50 of each resource. */
static bool java_admits(struct span name) {
    return name.size != 6 || memcmp(name.data, "admin", 5) != 0 || name.data[5] < '1' || name.data[5] > '4';
}

static const struct renaissance_speech java_speech = {
    .write = renaissance_java_write,
    .say = java_say,
    .admits = java_admits,
    .ends_at_end_turn = true, /* 6 */
    .keeps_questions = true,  /* 10 */
    .leaves_at_the_end = true,
};

/* What is heard. */

static void java_member_opened(struct room_member *m) {
    renaissance_come(m, &java_speech);
}

/* An action that is announced is waited for by the client itself, but for the end of a turn (7). */
static void java_member_heard(struct room_member *m, const void *message) {
    struct renaissance_java_saying saying;
    renaissance_java_read(message, &saying);
    if (saying.message.type == RENAISSANCE_MESSAGE_ACTION &&
        saying.message.choice != RENAISSANCE_MAY_END_TURN)
        renaissance_talk(m)->manners.takes_question = false;
    renaissance_hear(m, &saying.message);
    renaissance_java_saying_free(&saying);
}

/* Nothing that comes after it could be read, and these clients have no word for it. */
static void java_member_malformed(struct room_member *m, enum err why, const char *complaint) {
    refusals_count(peer_protocol(json_member_peer(m)), NULL, why);
    log_event(LOG_INFO, "stream-refused", LOG_TEXT("why", span_of(complaint)));
    renaissance_drop(m);
}

struct port *renaissance_java_port_create(const struct renaissance_port_config *config) {
    return renaissance_room_open(config, &java_speech,
                                 &(struct json_room_dialect){.opened = java_member_opened,
                                                             .heard = java_member_heard,
                                                             .malformed = java_member_malformed,
                                                             .left = renaissance_leave},
                                 &(struct peers_config){.framing = &java_framing,
                                                        .ping_first_ms = config->ping_ms,
                                                        .ping_every_ms = config->ping_ms,
                                                        .silence_ms = config->silence_ms,
                                                        .pause_ms = config->java_pause_ms,
                                                        .inspector = config->inspector,
                                                        .protocol = "renaissance-java"});
}
