/* Glicko-2 (M. Glickman, "Example of the Glicko-2 system"): how strong somebody is, how sure that is, and how
 * much it varies, from the results of one rating period. Pure numbers; who they belong to is in ratings.h. */
#ifndef HOST_CUP_GLICKO_H
#define HOST_CUP_GLICKO_H

struct glicko {
    double rating, deviation, volatility;
};

#define GLICKO_RATING     1500.0 /* of somebody who is new, like the next two */
#define GLICKO_DEVIATION  350.0  /* and never more */
#define GLICKO_VOLATILITY 0.06
#define GLICKO_TAU        0.5 /* how fast the volatility changes */

/* What the games of a period come to for one player. */
struct glicko_sum {
    double information, surprise;
};

struct glicko glicko_new(void);

/* One more game of the period: score is 1, 0.5 or 0. Both players are as they were when it began. */
void glicko_add(struct glicko_sum *, const struct glicko *own, const struct glicko *rival, double score);
/* The end of a period with at least one game. */
void glicko_close(struct glicko *, const struct glicko_sum *);
/* So many periods without a game. */
void glicko_rest(struct glicko *, double periods);

#endif
