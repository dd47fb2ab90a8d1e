/* What the API says about cups (host/cup/cups.h). Points are numbers with up to three digits behind the
 * point. */
#ifndef WIRE_API_CUP_JSON_H
#define WIRE_API_CUP_JSON_H

#include "host/cup/cups.h"

/* The fields of a cup that change with it; inside an object that has begun. And the same with its standings,
 * as lists show it. */
void api_write_cup_summary(struct writer *, const struct cup_fold *);
void api_write_cup_row(struct writer *, const struct cups *, const struct cup_fold *);
/* All of it, with the pairings of a round (0: of all). entrant is who asks, or any that does not exist. */
void api_write_cup(struct writer *, const struct cups *, const struct cup_fold *, uint32_t round,
                   uint32_t entrant);

/* Tables for calculators: RFC 4180. */
void api_write_cup_standings_csv(struct buf *out, const struct cups *, const struct cup_fold *);
void api_write_cup_pairings_csv(struct buf *out, const struct cups *, const struct cup_fold *);

/* The first so many players of a game, the strongest first. */
void api_write_ratings(struct writer *, const struct ratings *, const char *game, size_t rows_max);

#endif
