/* Java streams of Masters of Renaissance as the lines of JSON that say the same, in both directions: so
 * clients of both framings follow the game by one code, and the witness holds one kind of facts against the
 * journals. */
#ifndef SIM_JAVA_LINES_H
#define SIM_JAVA_LINES_H

#include "base/buf.h"

#include <jansson.h>

enum { JAVA_LINES_NAME_BYTES_MAX = 64 };

/* What one connection was told so far. Zeroed: nothing. */
struct java_lines {
    bool has_begun;                       /* the header was heard */
    bool has_said;                        /* the header was said */
    struct buf partial;                   /* bytes of a message that is not whole */
    char name[JAVA_LINES_NAME_BYTES_MAX]; /* whose connection it is */
    json_t *marbles;                      /* of the market; NULL: not told yet */
    bool is_producing;                    /* its player may produce: only then an update of that is news */
};

/* Takes the next message of the server off the bytes, or keeps what there is of it: false. shown is the
 * message as the inspector has it, line what lines of JSON would say; empty when they would say nothing. A
 * stream that cannot be read leaves a sentence in line and nothing in shown. */
bool java_lines_next(struct java_lines *, struct span *bytes, struct buf *shown, struct buf *line);
void java_lines_free(struct java_lines *);

/* What a client says in a line of JSON, as bytes of its stream, which end with a reset; false: there is no
 * record for it. name is who says it. */
bool java_lines_say(struct java_lines *, const json_t *message, const char *name, struct buf *out);

#endif
