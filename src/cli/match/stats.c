#include "cli/match/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double z95 = 1.959964;

struct interval wilson(double score, size_t games) {
    double n = (double)games;
    if (games == 0)
        return (struct interval){0, 1};
    double middle = score + z95 * z95 / (2 * n);
    double width = z95 * sqrt(score * (1 - score) / n + z95 * z95 / (4 * n * n));
    double scale = 1 + z95 * z95 / n;
    return (struct interval){score <= 0 ? 0 : (middle - width) / scale,
                             score >= 1 ? 1 : (middle + width) / scale};
}

double elo_of_score(double score) {
    if (score <= 0)
        return -INFINITY;
    return score >= 1 ? INFINITY : 400 * log10(score / (1 - score));
}

double score_of_elo(double elo) {
    return 1 / (1 + pow(10, -elo / 400));
}

double superiority(double won, double lost) {
    return won + lost == 0 ? 0.5 : 0.5 * erfc(-(won - lost) / sqrt(2 * (won + lost)));
}

/* One "name=number", up to the comma. */
static bool sprt_read_one(struct sprt *s, const char **text) {
    static const char *const names[] = {"elo0=", "elo1=", "alpha=", "beta="};
    double *const values[] = {&s->elo0, &s->elo1, &s->alpha, &s->beta};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        char *end;
        if (strncmp(*text, names[i], size) != 0)
            continue;
        *values[i] = strtod(*text + size, &end);
        bool is_good = end != *text + size && (*end == ',' || *end == '\0') && isfinite(*values[i]);
        *text = *end == ',' ? end + 1 : end;
        return is_good;
    }
    return false;
}

bool sprt_read(struct sprt *s, const char *text) {
    *s = (struct sprt){.is_on = true, .elo1 = 20, .alpha = 0.05, .beta = 0.05};
    while (*text != '\0')
        if (!sprt_read_one(s, &text))
            return false;
    return s->elo0 < s->elo1 && s->alpha > 0 && s->alpha < 0.5 && s->beta > 0 && s->beta < 0.5;
}

void sprt_add(struct sprt *s, double score) {
    s->count++;
    s->sum += score;
    s->squares += score * score;
}

/* The normal approximation of the generalised test. A trace of a lost, a drawn and a won round goes into the
 * variance, so that the first rounds alone, all alike, decide nothing. */
double sprt_ratio(const struct sprt *s) {
    const double trace = 0.25;
    double count = s->count + 3 * trace, mean = (s->sum + 1.5 * trace) / count;
    double variance = (s->squares + 1.25 * trace) / count - mean * mean;
    double score0 = score_of_elo(s->elo0), score1 = score_of_elo(s->elo1);
    if (s->count == 0)
        return 0;
    return s->count * (score1 - score0) * (2 * s->sum / s->count - score0 - score1) / (2 * variance);
}

struct interval sprt_bounds(const struct sprt *s) {
    return (struct interval){log(s->beta / (1 - s->alpha)), log((1 - s->beta) / s->alpha)};
}

enum sprt_verdict sprt_decide(const struct sprt *s) {
    struct interval bounds = sprt_bounds(s);
    double ratio = sprt_ratio(s);
    return ratio >= bounds.high ? SPRT_ELO1 : ratio <= bounds.low ? SPRT_ELO0 : SPRT_OPEN;
}
