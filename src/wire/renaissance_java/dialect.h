/* The words of Masters of Renaissance as the clients of its authors have them: records of Java
 * (docs/protocols/renaissance-java.md). Pure, like the words in lines of JSON beside it. */
#ifndef WIRE_RENAISSANCE_JAVA_DIALECT_H
#define WIRE_RENAISSANCE_JAVA_DIALECT_H

#include "wire/renaissance/dialect.h"
#include "wire/renaissance_java/records.h"

/* What a client has said. The message borrows the rest, which must not move. */
struct renaissance_java_saying {
    struct renaissance_message message;
    struct renaissance_said said;
    struct buf username;
};

/* Every record that a client may send means something; what is wrong with its values is in message.wrong. */
void renaissance_java_read(const struct java_message *, struct renaissance_java_saying *out);
void renaissance_java_saying_free(struct renaissance_java_saying *);

/* Words that were written, one after the other: each with this before it. */
struct renaissance_java_entry {
    uint8_t type;   /* enum renaissance_word_type */
    uint8_t detail; /* of an error: which; of a player who has gone or come: the seat; of an update: which
                       seats are away, and whether the set-up is done */
    uint32_t size;  /* of the record that follows */
};
enum { RENAISSANCE_JAVA_IS_SET_UP = 0x80 };

/* Appends a word as an entry; none when these clients have no word for it. An update that the client handles
 * only after one of the faith track has one before it, whether or not something has moved there. */
void renaissance_java_write(struct buf *out, const struct renaissance_word *);

/* Takes the first entry off the front of what was written; the record is what follows it. */
struct renaissance_java_entry renaissance_java_next(struct span *written, struct span *record);

/* A ping, with a reset before it or without: as the first message of a stream. */
void renaissance_java_write_ping(struct buf *out, bool is_first);

#endif
