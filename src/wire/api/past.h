/* Waiting for the past of tables, whichever way it was asked for: what a request, a feed or a list lacks of
 * journals is read in the background, and whoever needs it goes on when it has come. Requests that wait have
 * ceilings, in all and for one address. */
#ifndef WIRE_API_PAST_H
#define WIRE_API_PAST_H

#include "wire/api/internal.h"

struct asking;

/* Before anything looks at histories that could wait: forgets what was lacking before. */
void past_begin(struct api *);
/* Whether anything has been lacking since then. */
bool past_is_lacking(const struct api *);

/* Whether one more request of this address may wait; otherwise *why is the answer. */
bool past_has_room(const struct api *, const struct address *, struct refusal *why);

/* Counts one that waits, for its address (NULL: it is no request). come and drop are set. */
void past_wait_begin(struct api *, struct past_wait *, const struct address *);
/* Asks for what is lacking, which must be something; come is called when it is there or cannot be had, and
 * may ask again or end it. */
void past_wait_lacking(struct past_wait *);
/* It waits no more, and is its owner's. */
void past_wait_end(struct past_wait *);

/* A request over HTTP that was put off: it waits and is taken again, or is refused because too many wait. It
 * ends with its connection. */
void past_put_off(const struct asking *);

/* Nobody will be answered any more: whatever still waits is dropped. */
void pasts_free(struct api *);

/* finished.c: the answer to a request for the list of finished tables, which comes later. */
void finished_list(const struct asking *, const struct api_list *);

#endif
