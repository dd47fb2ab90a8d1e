/* Follows a game of Eriantys from what the server tells one of its players, for the bot. */
#ifndef CLI_ERIANTYS_FOLLOW_H
#define CLI_ERIANTYS_FOLLOW_H

#include "wire/eriantys/dialect.h"

/* The state that a status shows: everything that can be told from it. Unknown to it are how many
 * no-entry tiles lie on one group when there are several such groups (each has one, the first has the rest),
 * and whether a round in which clouds were taken was begun without clouds. names has room for the names in
 * the order of the seats; they are borrowed from the message. False when it is none. */
bool eriantys_follow_status(const json_t *message, struct eriantys *out,
                            struct span names[ERIANTYS_SEATS_MAX]);

#endif
