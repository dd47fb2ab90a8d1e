/* What the journal keeps about tables and seats of the native API, besides the game: the note of a set-up (of
 * a table that it opened for another protocol: the note of the house) in the form of a query
 * ("owner=HASH&private=1&bots=1:3"), the note of a seat as a word. Read by the lounge
 * after a restart, and by whoever shows who sits where. */
#ifndef HOST_LOUNGE_NOTE_H
#define HOST_LOUNGE_NOTE_H

#include "bots/bots.h"
#include "store/event.h"

/* The protocol word of tables that are opened through the API, and of seats that are taken through it. */
#define LOUNGE_PROTOCOL "api"
/* The protocol word of seats of our own bots. */
#define LOUNGE_BOT "bot"

/* How much time a seat has; 0: no such clock. */
struct lounge_clocks {
    uint32_t turn_ms, game_ms;
    uint32_t increment_ms; /* that comes to game_ms with each turn */
};

struct lounge_note {
    bool has_owner;
    struct digest owner; /* what is kept of the owner's token */
    bool has_home;
    struct digest home; /* where the owner was, see tables_home */
    bool has_key;
    struct digest key; /* what is kept of the key of the request that opened it */
    uint64_t body;     /* a mark of what that request said */
    bool is_private;
    bool is_inspected;
    struct lounge_clocks clocks;
    bool has_watch_delay;         /* it was ordered with this one: */
    uint32_t watch_delay_ms;      /* so much later watchers see what is played */
    bool has_absent;              /* it was ordered with this one: */
    uint8_t absent_level;         /* of the bot that plays on for who is gone; 0: none does */
    uint8_t bot_level[SEATS_MAX]; /* 0: no bot is to sit there */
    uint64_t rematch_of;          /* the table before, whose players have the seats; 0: none */
    uint64_t cup;                 /* the cup whose entrants have the seats; 0: none */
    uint64_t from_table;          /* the table whose beginning was played again; 0: none */
    uint64_t from_version;
};

void lounge_note_read(const char *text, struct lounge_note *out);
void lounge_note_format(const struct lounge_note *, char text[EVENT_NOTE_BYTES_MAX + 1]);

enum lounge_kind { LOUNGE_FREE, LOUNGE_PERSON, LOUNGE_MACHINE };

/* Who sits on a seat. */
struct lounge_face {
    enum lounge_kind kind;
    const char *protocol; /* through which it came; borrowed from the table or a literal */
    unsigned level;       /* of a bot of the lounge; 0: it is none */
};

/* From the protocol of the table, and the name and note of the seat. */
struct lounge_face lounge_face_of(const char *table_protocol, const char *name, const char *note);

/* The note of a bot's seat. */
enum { LOUNGE_BOT_NOTE_BYTES = 8 };
void lounge_bot_note(unsigned level, char note[LOUNGE_BOT_NOTE_BYTES]);

#endif
