/* What the files of the room share: room.c (rooms and tables), member.c (members, seats and the line) and
 * request.c (requests with tickets). */
#ifndef HOST_ROOM_INTERNAL_H
#define HOST_ROOM_INTERNAL_H

#include "host/room/room.h"

void room_tell(struct room *, const struct room_notice *);
/* Somebody has come online or gone offline; was_online: the last one has just gone, perhaps. */
void room_watch_life(struct room_table *, bool was_online);

/* member.c */

/* Hears those who were moved. */
void room_hear_moved(struct room *);
/* The table has told of the presence of a seat. */
void room_seat_presence(struct room_seat *);
/* Nobody is waited for there any more. */
void room_seat_forget(struct room_seat *);
/* The time is known: who is away is waited for from now on. */
void room_seat_wake(struct room_seat *);

/* request.c */

/* What was being saved is on disk: it is answered, and what waits goes on. */
void room_requests_settled(struct room_table *);
/* The request that was being saved is answered. */
void room_current_answer(struct room_table *);
/* The store cannot save: everything that waits is answered. True when what is being saved is to be withdrawn.
 */
bool room_requests_late(struct room_table *);

#endif
