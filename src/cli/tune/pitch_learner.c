#include "cli/tune/pitch_learner.h"

#include "base/mem.h"

#include <math.h>

enum {
    LEARNER_BATCH = 256, /* lessons after which the weights change */
    LEARNER_WEIGHTS = (PITCH_NET_INPUTS + 2) * PITCH_NET_HIDDEN + 1,
    LEARNER_BIAS = PITCH_NET_INPUTS * PITCH_NET_HIDDEN, /* behind the rows of the inputs */
    LEARNER_OUTPUT = LEARNER_BIAS + PITCH_NET_HIDDEN,
    LEARNER_OUTPUT_BIAS = LEARNER_OUTPUT + PITCH_NET_HIDDEN,
};

/* Adam: how fast the two means forget. */
static const float first_decay = 0.9f, second_decay = 0.999f, tiny = 1e-8f;

struct pitch_learner {
    float weight[LEARNER_WEIGHTS];
    float slope[LEARNER_WEIGHTS];  /* of this batch */
    float first[LEARNER_WEIGHTS];  /* mean of slopes */
    float second[LEARNER_WEIGHTS]; /* mean of their squares */
    unsigned batches;
};

/* One lesson as the net sees it. */
struct glance {
    uint16_t inputs[PITCH_NET_INPUTS_MAX];
    size_t count;
    float unit[PITCH_NET_HIDDEN];
    float chance; /* to win */
};

void pitch_lesson_draw(struct pitch_lesson *lessons, size_t place, size_t count, struct rng *rng) {
    size_t other = place + rng_below(rng, (uint32_t)(count - place));
    struct pitch_lesson lesson = lessons[other];
    lessons[other] = lessons[place];
    lessons[place] = lesson;
}

static float learner_draw(struct rng *rng, float width) {
    return ((float)rng_below(rng, 20001) / 10000.0f - 1.0f) * width;
}

struct pitch_learner *pitch_learner_create(struct rng *rng) {
    struct pitch_learner *l = mem_alloc(sizeof *l);
    for (size_t i = 0; i < LEARNER_BIAS; i++)
        l->weight[i] = learner_draw(rng, 0.05f);
    for (size_t i = 0; i < PITCH_NET_HIDDEN; i++) {
        l->weight[LEARNER_BIAS + i] = 0.3f;
        l->weight[LEARNER_OUTPUT + i] = learner_draw(rng, 0.5f);
    }
    return l;
}

void pitch_learner_free(struct pitch_learner *l) {
    mem_free(l);
}

static void learner_look(const struct pitch_learner *l, const struct pitch *p, bool is_mirrored,
                         struct glance *g) {
    float out = l->weight[LEARNER_OUTPUT_BIAS];
    struct pitch_points points;
    pitch_points_of(p, &points);
    g->count = pitch_net_inputs(p, goal_turns(p, &points), g->inputs);
    for (size_t i = 0; is_mirrored && i < g->count; i++)
        g->inputs[i] = pitch_net_mirrored(g->inputs[i]);
    memcpy(g->unit, l->weight + LEARNER_BIAS, sizeof g->unit);
    for (size_t i = 0; i < g->count; i++) {
        const float *row = l->weight + (size_t)g->inputs[i] * PITCH_NET_HIDDEN;
        for (size_t h = 0; h < PITCH_NET_HIDDEN; h++)
            g->unit[h] += row[h];
    }
    for (size_t h = 0; h < PITCH_NET_HIDDEN; h++) {
        float clipped = g->unit[h] < 0 ? 0 : g->unit[h] > 1 ? 1 : g->unit[h];
        out += clipped * l->weight[LEARNER_OUTPUT + h];
    }
    g->chance = 1.0f / (1.0f + expf(-out));
}

static void learner_add_slopes(struct pitch_learner *l, const struct glance *g, float outcome) {
    float error = g->chance - outcome, back[PITCH_NET_HIDDEN];
    l->slope[LEARNER_OUTPUT_BIAS] += error;
    for (size_t h = 0; h < PITCH_NET_HIDDEN; h++) {
        float unit = g->unit[h];
        bool is_open = unit > 0 && unit < 1;
        l->slope[LEARNER_OUTPUT + h] += error * (unit < 0 ? 0 : unit > 1 ? 1 : unit);
        back[h] = is_open ? error * l->weight[LEARNER_OUTPUT + h] : 0;
        l->slope[LEARNER_BIAS + h] += back[h];
    }
    for (size_t i = 0; i < g->count; i++) {
        float *row = l->slope + (size_t)g->inputs[i] * PITCH_NET_HIDDEN;
        for (size_t h = 0; h < PITCH_NET_HIDDEN; h++)
            row[h] += back[h];
    }
}

static void learner_step(struct pitch_learner *l, size_t lessons, float rate) {
    l->batches++;
    float first_part = 1 - powf(first_decay, (float)l->batches);
    float second_part = 1 - powf(second_decay, (float)l->batches);
    for (size_t i = 0; i < LEARNER_WEIGHTS; i++) {
        float slope = l->slope[i] / (float)lessons;
        l->first[i] = first_decay * l->first[i] + (1 - first_decay) * slope;
        l->second[i] = second_decay * l->second[i] + (1 - second_decay) * slope * slope;
        l->weight[i] -= rate * (l->first[i] / first_part) / (sqrtf(l->second[i] / second_part) + tiny);
        l->slope[i] = 0;
    }
}

static double learner_loss(float chance, float outcome) {
    double p = chance < 1e-6f ? 1e-6 : chance > 1 - 1e-6f ? 1 - 1e-6 : (double)chance;
    return -((double)outcome * log(p) + (1 - (double)outcome) * log(1 - p));
}

double pitch_learner_learn(struct pitch_learner *l, struct pitch_lesson *lessons, size_t count, float rate,
                           struct rng *rng) {
    struct glance g;
    double loss = 0;
    size_t pending = 0;
    for (size_t i = 0; i < count; i++) {
        pitch_lesson_draw(lessons, i, count, rng);
        learner_look(l, &lessons[i].pitch, rng_below(rng, 2) == 0, &g);
        loss += learner_loss(g.chance, lessons[i].outcome);
        learner_add_slopes(l, &g, lessons[i].outcome);
        if (++pending == LEARNER_BATCH || i + 1 == count) {
            learner_step(l, pending, rate);
            pending = 0;
        }
    }
    return count == 0 ? 0 : loss / (double)count;
}

double pitch_learner_test(const struct pitch_learner *l, const struct pitch_lesson *lessons, size_t count) {
    struct glance g;
    double loss = 0;
    for (size_t i = 0; i < count; i++) {
        learner_look(l, &lessons[i].pitch, false, &g);
        loss += learner_loss(g.chance, lessons[i].outcome);
    }
    return count == 0 ? 0 : loss / (double)count;
}

static int16_t learner_round(float weight, float one) {
    float scaled = roundf(weight * one);
    return (int16_t)(scaled > 8191 ? 8191 : scaled < -8191 ? -8191 : scaled);
}

void pitch_learner_net(const struct pitch_learner *l, struct pitch_net *out) {
    for (size_t i = 0; i < PITCH_NET_INPUTS; i++)
        for (size_t h = 0; h < PITCH_NET_HIDDEN; h++)
            out->input[i][h] = learner_round(l->weight[i * PITCH_NET_HIDDEN + h], PITCH_NET_ONE);
    for (size_t h = 0; h < PITCH_NET_HIDDEN; h++) {
        out->bias[h] = learner_round(l->weight[LEARNER_BIAS + h], PITCH_NET_ONE);
        out->output[h] = learner_round(l->weight[LEARNER_OUTPUT + h], PITCH_NET_OUTPUT_ONE);
    }
    out->output_bias = (int32_t)roundf(l->weight[LEARNER_OUTPUT_BIAS] * PITCH_NET_ONE * PITCH_NET_OUTPUT_ONE);
}

static void row_write(struct buf *out, const int16_t *row, const char *end) {
    buf_append_byte(out, '{');
    for (size_t h = 0; h < PITCH_NET_HIDDEN; h++)
        buf_printf(out, h == 0 ? "%d" : ",%d", row[h]);
    buf_append_text(out, end);
}

void pitch_net_write(const struct pitch_net *net, struct buf *out) {
    buf_append_text(out, "/* Learned by parlor tune paper-soccer: see pitch_net.h. */\n.input = {\n");
    for (size_t i = 0; i < PITCH_NET_INPUTS; i++) {
        static const int16_t nothing[PITCH_NET_HIDDEN];
        if (memcmp(net->input[i], nothing, sizeof nothing) == 0)
            continue;
        buf_printf(out, "[%zu] = ", i);
        row_write(out, net->input[i], "},\n");
    }
    buf_append_text(out, "},\n.bias = ");
    row_write(out, net->bias, "},\n");
    buf_append_text(out, ".output = ");
    row_write(out, net->output, "},\n");
    buf_printf(out, ".output_bias = %d,\n", (int)net->output_bias);
}
