/* What results say about strength: scores with intervals, Elo, likelihood of superiority, and the sequential
 * test that decides how many games are enough. Plain numbers, nothing of games. */
#ifndef CLI_MATCH_STATS_H
#define CLI_MATCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Scores are parts of what could be won, 0 to 1. */
struct interval {
    double low, high;
};

/* The 95 % interval of Wilson for a score over so many games. */
struct interval wilson(double score, size_t games);

/* The difference in Elo that such a score means; -INFINITY for 0, INFINITY for 1. And back. */
double elo_of_score(double score);
double score_of_elo(double elo);

/* How likely the one who won so many and lost so many is the better one. */
double superiority(double won, double lost);

/* A sequential probability ratio test of elo0 against elo1 over rounds: a round is a set of games with the
 * same chance in which everybody had every seat, its score the mean over its games. */
struct sprt {
    bool is_on;
    double elo0, elo1, alpha, beta;
    /* Of the rounds so far. */
    double count, sum, squares;
};

enum sprt_verdict { SPRT_OPEN, SPRT_ELO0, SPRT_ELO1 };

/* Reads "elo0=0,elo1=20", also with alpha and beta (0.05 unless given). False when it is anything else. */
bool sprt_read(struct sprt *, const char *text);
void sprt_add(struct sprt *, double score);
/* The logarithm of the likelihood ratio, and its two bounds. */
double sprt_ratio(const struct sprt *);
struct interval sprt_bounds(const struct sprt *);
enum sprt_verdict sprt_decide(const struct sprt *);

#endif
