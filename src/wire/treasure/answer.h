/* The other side of the Treasure Hunt dialect: what a client reads from the server's answers. Both kinds of
 * player's words are understood. */
#ifndef WIRE_TREASURE_ANSWER_H
#define WIRE_TREASURE_ANSWER_H

#include "base/err.h"
#include "games/treasure_hunt/treasure_hunt.h"

enum { TREASURE_TEXT_BYTES_MAX = 256 };

struct treasure_answer {
    bool is_okay; /* otherwise name and message say why not */
    char name[TREASURE_TEXT_BYTES_MAX];
    char message[TREASURE_TEXT_BYTES_MAX];
    char id[TREASURE_TEXT_BYTES_MAX]; /* of a new game, or of a new player */

    bool has_state;
    enum treasure_standing standing; /* of the player itself */
    bool has_treasure;
    char state_id[TREASURE_TEXT_BYTES_MAX];
    struct treasure_field fields[TREASURE_FIELDS];
    size_t field_count;
};

/* Reads one whole answer; player is the id of the player itself, or empty. ERR_MALFORMED when it is none. */
enum err treasure_answer_read(struct span document, struct span player,
                              struct treasure_answer *out) MUST_CHECK;

#endif
