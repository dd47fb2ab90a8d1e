/* Random games of Santorini. Where nobody has a power, whole turns are played on the board alone (plain.h);
 * the turn as a machine of steps (turn.c) takes over where something else happens than the next turn, so how
 * a table ends is written only there. Where somebody has one, that machine plays what turns it can in one go.
 * The numbers drawn, and the end, are those of the stock playout. */
#include "game/playout.h"
#include "games/santorini/plain.h"

/* Turns in a row, before each of which the table is one that turn_begin can go on with. */
struct run {
    struct plain board;
    uint8_t builder[SANTORINI_SEATS_MAX][SANTORINI_BUILDERS];
    uint8_t next[SANTORINI_SEATS_MAX]; /* the seat after each */
    unsigned seat;                     /* that begins its turn now */
    unsigned turns, climbed;           /* as in struct santorini, before it begins */
};

static struct run playout_begin(const struct santorini *s) {
    struct run r = {.board = plain_of(s), .seat = s->mover, .turns = s->turns - 1u, .climbed = s->climbed};
    memcpy(r.builder, s->builder, sizeof r.builder);
    for (unsigned seat = 0; seat < s->seat_count; seat++)
        if (santorini_is_alive(s, seat))
            r.next[seat] = (uint8_t)seat_after(s, seat);
    return r;
}

/* Hands the table back at the beginning of a turn. */
static void playout_end(const struct run *r, struct santorini *s) {
    memcpy(s->block, r->board.block, sizeof s->block);
    s->dome = r->board.dome;
    memcpy(s->builder, r->builder, sizeof s->builder);
    s->turns = (uint16_t)r->turns;
    s->climbed = (uint8_t)r->climbed;
    turn_begin(s, r->seat);
}

/* One turn by two random numbers. False when it is for turn.c to play, because it is the last that may be
 * (R17), because there is none (R10), or from *move on (if it has a kind) because that wins (R8). */
static inline bool playout_turn(struct run *r, struct rng *rng, struct action *move) {
    struct plain *p = &r->board;
    uint8_t *own = r->builder[r->seat];
    move->kind = 0;
    if (r->turns + 1 == SANTORINI_TURNS_MAX || own[0] == SANTORINI_NOWHERE || own[1] == SANTORINI_NOWHERE)
        return false;
    cell_set first = plain_moves(p, own[0]), second = plain_moves(p, own[1]);
    unsigned count = cells_count(first), sum = count + cells_count(second);
    if (sum == 0)
        return false;
    uint32_t n = rng_below(rng, sum);
    unsigned b = n >= count, from = own[b], to = cell_nth(b ? second : first, b ? n - count : n);
    if (plain_wins(p, from, CELL_BIT(to)) != 0) {
        *move = santorini_action(SANTORINI_ACT_MOVE, b, to);
        return false;
    }
    /* Blocks are listed before domes. */
    cell_set sites = plain_sites(p, from, to), blocks = sites & ~p->block[2];
    unsigned block_count = cells_count(blocks);
    n = rng_below(rng, cells_count(sites));
    unsigned site = n < block_count ? cell_nth(blocks, n) : cell_nth(sites & ~blocks, n - block_count);
    bool is_up = plain_height(p, to) > plain_height(p, from);
    plain_build(p, site);
    p->occupied ^= CELL_BIT(from) | CELL_BIT(to);
    own[b] = (uint8_t)to;
    r->climbed = (r->climbed & ~(1u << r->seat)) | (unsigned)is_up << r->seat;
    r->turns++;
    r->seat = r->next[r->seat];
    return true;
}

/* Plays as many turns as can be played on the board alone, from the beginning of one. */
static size_t playout_turns(struct santorini *s, struct rng *rng) {
    struct run r = playout_begin(s);
    struct action move = {0};
    size_t plies = 0;
    while (playout_turn(&r, rng, &move))
        plies += 2;
    playout_end(&r, s);
    if (move.kind != 0)
        turn_play(s, &move);
    return plies + (move.kind != 0);
}

/* One action, or as many as there is a short way for. */
static size_t playout_some(const struct game *game, struct game_state *state, seat_set set, struct rng *rng) {
    struct santorini *s = (struct santorini *)state;
    size_t played = 0;
    if (s->phase == SANTORINI_TURN)
        played = santorini_is_plain(s, 0) ? playout_turns(s, rng) : turn_play_random(s, rng);
    if (played > 0)
        return played;
    playout_step(game, state, set, rng);
    return 1;
}

size_t santorini_playout(const struct game *game, struct game_state *state, struct rng *rng) {
    size_t plies = 0;
    seat_set set;
    while ((set = game->turn(state)) != 0)
        plies += playout_some(game, state, set, rng);
    return plies;
}
