/* What the files of Santorini's room share: room.c (who comes back, plays and goes, and what they are told)
 * and lobby.c (who waits, comes to a table and sits down). */
#ifndef WIRE_SANTORINI_INTERNAL_H
#define WIRE_SANTORINI_INTERNAL_H

#include "wire/json/room_port.h"
#include "wire/santorini/dialect.h"
#include "wire/santorini/port.h"

/* The word for its tables in the journal; and the first word of the note of a player who sat down here. The
 * date of birth follows after a space, and is played when all are there. */
#define SANTORINI_PROTOCOL "santorini"

/* One connection: in line, at a table without a seat yet, or on a seat. The room's is_asked is for the number
 * of players in line, and at a table for a name that all wait for. */
struct visitor {
    struct json_member json;
    bool is_asked_name;
    bool swallows_number; /* it was asked for it when it came to a table of somebody else */
    bool has_ponged;
    unsigned words; /* the steps that it knows, see struct santorini_request */
};

/* What a visitor has said of itself, for as long as its table forms: kept by its member (room_member.kept).
 */
struct visitor_words {
    struct santorini_birth birth;
    char name[SANTORINI_NAME_BYTES_MAX + 1]; /* until it has a seat; "": it has, or is to say another */
    char seed[EVENT_SEED_BYTES_MAX + 1], secret[EVENT_SEED_BYTES_MAX + 1];
};

struct stage {
    struct room_table room;
    bool has_news;    /* something was played that the next prompt has to follow */
    seat_set through; /* whose players have given up, or lost while others play on: they wait for no end */
    enum santorini_step steps[SANTORINI_SEATS_MAX]; /* that were chosen, until something is played */
};

struct santorini_room {
    struct json_room json;
    uint32_t silence_ms, turn_ms;
};

static inline struct visitor *santorini_visitor(struct room_member *m) {
    return (struct visitor *)(void *)m;
}

/* NULL: it has said nothing. */
static inline struct visitor_words *santorini_words(const struct room_member *m) {
    return m->kept;
}

/* The same, and if it has said nothing it has from now on. */
struct visitor_words *santorini_words_keep(struct room_member *);
/* Whether it has said a name and has no seat yet. And it is to say one again, or has a seat. */
bool santorini_has_name(const struct room_member *);
void santorini_name_drop(struct room_member *);

static inline struct stage *santorini_stage(struct room_table *rt) {
    return (struct stage *)(void *)rt;
}

static inline struct santorini_room *santorini_room(struct room *room) {
    return (struct santorini_room *)(void *)room;
}

/* room.c */

/* Whether a player can come back to a seat here. */
bool santorini_seat_is_any_awaited(const struct room *);

/* A message that has a type and nothing else. */
void santorini_say_plain(struct room_member *, const char *type);
void santorini_say_error(struct room_member *, const char *description);
/* What is known of the table so far, for a newcomer or (not SEAT_WATCHER) the player of this seat. */
void santorini_say_replay(struct room_member *, unsigned own);

/* What was asked of the member is asked again. */
void santorini_refuse_player(struct room_member *, const struct santorini_request *, struct refusal why);
/* Nobody waits for such a request now, or from this player. */
void santorini_refuse_time(struct room_member *, struct refusal why);

/* lobby.c */

/* Out of line or away from the table; a seat stays its player's, unless the table still waits for others. */
void santorini_visitor_leave(struct room_member *);
/* why NULL: what there was to say is said. */
void santorini_visitor_dismiss(struct room_member *, const char *why);
void santorini_ask_name(struct room_member *);
/* Asks for a name although nobody waits for it, so that a player who has vanished can come back: a client of
 * the document says its name only when it is asked. */
void santorini_ask_early(struct room_member *);
/* The visitor sits down under the name that it has said. */
void santorini_visitor_sit(struct room_member *);
/* The same for a name that was said before there was a table for it. */
void santorini_visitor_sit_kept(struct room_member *);

/* To the table that has room, or in line. One too many is told so and closed. */
void santorini_lobby_arrive(struct room_member *);
/* Names are asked for when there are as many players as seats; who is too much goes back. */
void santorini_lobby_check_full(struct room_table *);
/* Fills tables that have room from the line, and asks whoever is first then. */
void santorini_lobby_fill(struct room *);
void santorini_lobby_take_number(struct room_member *, const struct santorini_request *);

#endif
