#include "host/cup/glicko.h"

#include <math.h>

/* The numbers of the steps are those of the paper. */

#define GLICKO_SCALE  173.7178 /* step 2 */
#define GLICKO_EXACT  0.000001 /* step 5: how far the volatility is iterated */
#define GLICKO_PI     3.14159265358979323846
#define GLICKO_ROUNDS 200 /* of an iteration that takes a handful */

struct glicko glicko_new(void) {
    return (struct glicko){GLICKO_RATING, GLICKO_DEVIATION, GLICKO_VOLATILITY};
}

/* Steps 3 and 4, one term of each sum. */
void glicko_add(struct glicko_sum *sum, const struct glicko *own, const struct glicko *rival, double score) {
    double phi = rival->deviation / GLICKO_SCALE;
    double g = 1 / sqrt(1 + 3 * phi * phi / (GLICKO_PI * GLICKO_PI));
    double expected = 1 / (1 + exp(-g * (own->rating - rival->rating) / GLICKO_SCALE));
    sum->information += g * g * expected * (1 - expected);
    sum->surprise += g * (score - expected);
}

/* What step 5 is about. */
struct glicko_step {
    double a, delta2, phi2, v;
};

static double glicko_f(const struct glicko_step *s, double x) {
    double e = exp(x), below = s->phi2 + s->v + e;
    return e * (s->delta2 - below) / (2 * below * below) - (x - s->a) / (GLICKO_TAU * GLICKO_TAU);
}

/* Step 5: the Illinois algorithm. */
static double glicko_volatility(const struct glicko_step *s) {
    double a = s->a, b = a - GLICKO_TAU;
    if (s->delta2 > s->phi2 + s->v)
        b = log(s->delta2 - s->phi2 - s->v);
    else
        for (unsigned k = 2; k < GLICKO_ROUNDS && glicko_f(s, b) < 0; k++)
            b = s->a - k * GLICKO_TAU;
    double fa = glicko_f(s, a), fb = glicko_f(s, b);
    for (unsigned i = 0; i < GLICKO_ROUNDS && fabs(b - a) > GLICKO_EXACT; i++) {
        double c = a + (a - b) * fa / (fb - fa), fc = glicko_f(s, c);
        if (fc * fb <= 0) {
            a = b;
            fa = fb;
        } else {
            fa /= 2;
        }
        b = c;
        fb = fc;
    }
    return exp(a / 2);
}

void glicko_close(struct glicko *player, const struct glicko_sum *sum) {
    double phi = player->deviation / GLICKO_SCALE, v = 1 / sum->information, delta = v * sum->surprise;
    double sigma = glicko_volatility(&(struct glicko_step){.a = log(player->volatility * player->volatility),
                                                           .delta2 = delta * delta,
                                                           .phi2 = phi * phi,
                                                           .v = v});
    double before2 = phi * phi + sigma * sigma;                                                 /* step 6 */
    double after2 = 1 / (1 / before2 + 1 / v);                                                  /* step 7 */
    *player = (struct glicko){.rating = player->rating + GLICKO_SCALE * after2 * sum->surprise, /* step 8 */
                              .deviation = GLICKO_SCALE * sqrt(after2),
                              .volatility = sigma};
}

void glicko_rest(struct glicko *player, double periods) {
    double phi = player->deviation / GLICKO_SCALE;
    double grown = GLICKO_SCALE * sqrt(phi * phi + periods * player->volatility * player->volatility);
    player->deviation = grown < GLICKO_DEVIATION ? grown : GLICKO_DEVIATION;
}
