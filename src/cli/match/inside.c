/* A game of bots in this process: nobody but the rules between them. */
#include "base/clock.h"
#include "base/mem.h"
#include "cli/match/match.h"
#include "game/playout.h"
#include "game/replay.h"

#include <stdio.h>

/* Purposes of seeds. */
enum { SEED_CHANCE, SEED_OPENING, SEED_BOT };

struct inside {
    const struct match *match;
    struct game_state *state;
    struct game_view *view;
    struct bot *bots[SEATS_MAX];
    struct rng chance, opening, own[SEATS_MAX];
    struct buf text; /* of the game so far */
};

uint64_t match_seed(const struct match *m, uint32_t round, uint64_t purpose) {
    return rng_mix(rng_mix(m->seed + purpose * 0x1000003u) + round);
}

static void inside_begin(struct inside *in, const struct match *m, uint32_t index) {
    uint32_t round = index / m->count;
    *in = (struct inside){.match = m, .state = game_state_alloc(m->game)};
    in->view = mem_alloc(m->game->state_size);
    rng_seed(&in->chance, match_seed(m, round, SEED_CHANCE));
    rng_seed(&in->opening, match_seed(m, round, SEED_OPENING));
    for (unsigned seat = 0; seat < m->count; seat++) {
        unsigned who = match_sitter(m, index, seat);
        in->bots[seat] = bot_spec_open(&m->contestant[who].spec, m->game, clock_cpu_ns);
        rng_seed(&in->own[seat], match_seed(m, index, SEED_BOT + who));
    }
    enum err e = m->game->setup(in->state, &m->options);
    (void)e; /* the options were checked */
    replay_write_head(&in->text, m->game, &m->options);
}

static void inside_end(struct inside *in) {
    for (unsigned seat = 0; seat < in->match->count; seat++)
        bot_close(in->bots[seat]);
    mem_free(in->state);
    mem_free(in->view);
    buf_free(&in->text);
}

/* The seat whose action comes next: of several the first, so that the order is no matter of luck. */
static unsigned inside_seat(seat_set set) {
    return (unsigned)__builtin_ctz(set);
}

static void inside_choose(struct inside *in, unsigned seat, struct match_result *out, struct action *action) {
    const struct game *game = in->match->game;
    if (seat == SEAT_CHANCE) {
        game->sample(in->state, seat, &in->chance, action);
    } else if (out->plies < in->match->opening) {
        game->sample(in->state, seat, &in->opening, action);
    } else {
        game_view(game, in->state, seat, in->view);
        uint64_t begun_ns = clock_cpu_ns();
        bot_choose(in->bots[seat], in->view, seat, &in->own[seat], action);
        uint64_t took_ns = clock_cpu_ns() - begun_ns;
        out->moves[seat]++;
        out->thought_ns[seat] += took_ns;
        out->longest_ns[seat] = took_ns > out->longest_ns[seat] ? took_ns : out->longest_ns[seat];
    }
}

static void inside_save(const struct inside *in, uint32_t index) {
    char path[MATCH_PATH_BYTES_MAX];
    snprintf(path, sizeof path, "%s/game-%04u.txt", in->match->output, index + 1);
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fwrite(in->text.data, 1, in->text.size, file) == in->text.size;
    if (file != NULL && fclose(file) != 0)
        is_written = false;
    if (!is_written)
        fprintf(stderr, "parlor: %s could not be written\n", path);
}

void match_play_inside(const struct match *m, uint32_t index, struct match_result *out) {
    struct inside in;
    seat_set set;
    bool is_fair = true;
    inside_begin(&in, m, index);
    while (is_fair && (set = m->game->turn(in.state)) != 0) {
        unsigned seat = inside_seat(set);
        struct action action = {0};
        inside_choose(&in, seat, out, &action);
        if (m->game->check(in.state, seat, &action) != ERR_OK) {
            is_fair = false;
            out->faults[seat] = FAULT_ILLEGAL;
            for (unsigned i = 0; i < m->count; i++)
                out->points[i] = i != seat;
            break;
        }
        replay_write_action(&in.text, m->game, in.state, seat, &action);
        m->game->apply(in.state, seat, &action);
        out->plies++;
    }
    if (is_fair) {
        m->game->score(in.state, out->points);
        replay_write_end(&in.text, m->game, &m->options, in.state);
    }
    inside_save(&in, index);
    inside_end(&in);
}
