/* The rules of Paper Soccer, one test or more for each number in docs/rules/paper-soccer.md, and the tools of
 * the rules (moves, keys, scoring, counting) against slow and obvious versions of themselves. */
#include "tests.h"

#include "base/mem.h"
#include "game/perft.h"
#include "game/playout.h"
#include "games/paper_soccer/paper_soccer.h"

static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[] = {1, 1, 0, -1, -1, -1, 0, 1};

/* jdermont's position: 107 steps after which one turn has 51,647,883 ordered ways. */
static const char monster[] =
    "13064113570225017036575014630745741422243523574227742164435274617703502106741745431"
    "672745757134661453130361";

static struct game_state *state_of(struct pitch *p) {
    return (struct game_state *)p;
}

/* Makes steps given as digits from kick-off, whoever makes them. */
static struct pitch after(enum attack first_attack, const char *digits) {
    struct pitch p;
    pitch_setup(&p, first_attack);
    for (; *digits != '\0'; digits++) {
        assert_int_equal(pitch_check_step(&p, (unsigned)(*digits - '0')), ERR_OK);
        pitch_step(&p, (enum direction)(*digits - '0'));
    }
    assert_null(paper_soccer_game.valid(state_of(&p)));
    return p;
}

static void assert_ball(const struct pitch *p, int x, int y) {
    struct pitch_point at = pitch_point_of(p->ball);
    assert_int_equal(at.x, x);
    assert_int_equal(at.y, y);
}

/* R1 and R3 once more, from the words of the rules instead of the table. */
static bool is_point(int x, int y) {
    return (abs(x) <= 4 && abs(y) <= 5) || (abs(x) <= 1 && abs(y) == 6);
}

static bool is_playable(int x, int y, int to_x, int to_y) {
    if (!is_point(x, y) || !is_point(to_x, to_y))
        return false;
    if (abs(y) == 6 || abs(to_y) == 6) {
        int goal_x = abs(y) == 6 ? x : to_x, mouth_x = abs(y) == 6 ? to_x : x;
        return abs(y) != abs(to_y) && abs(mouth_x) <= 1 && (mouth_x == 0 || goal_x == 0);
    }
    if (x == to_x && abs(x) == 4)
        return false;
    return !(y == to_y && abs(y) == 5 && (abs(x) > 1 || abs(to_x) > 1));
}

static void r1_the_pitch_has_its_points_and_lines(void **unused) {
    (void)unused;
    struct pitch p;
    pitch_setup(&p, ATTACK_TOP);
    int points = 0, ends = 0, fresh = 0;
    for (int i = 0; i < PITCH_POINTS; i++) {
        struct pitch_point at = pitch_point_of((unsigned)i);
        assert_int_equal(pitch_index_of(at), is_point(at.x, at.y) ? i : -1);
        points += is_point(at.x, at.y);
        fresh += p.mask[i] == 0;
        for (int d = 0; d < DIRECTIONS; d++) {
            bool is_free = !(p.mask[i] & (1 << d));
            assert_int_equal(is_free, is_playable(at.x, at.y, at.x + dx[d], at.y + dy[d]));
            ends += is_free;
        }
    }
    assert_int_equal(points, 105);
    assert_int_equal(ends / 2, PITCH_EDGES);
    assert_int_equal(fresh, 65); /* 64 and the centre */
    static const struct pitch_point outside[] = {{-5, 0}, {5, 0},  {-2, 6},        {2, 6},        {2, -6},
                                                 {0, 7},  {0, -7}, {INT32_MAX, 0}, {0, INT32_MIN}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(pitch_index_of(outside[i]), -1);
}

static void r2_a_step_goes_to_a_neighbour(void **unused) {
    (void)unused;
    for (unsigned d = 0; d < DIRECTIONS; d++) {
        struct pitch p;
        pitch_setup(&p, ATTACK_TOP);
        assert_int_equal(pitch_check_step(&p, d), ERR_OK);
        pitch_step(&p, (enum direction)d);
        assert_ball(&p, dx[d], dy[d]);
        assert_int_equal(p.mover, 1);
    }
    struct pitch p = after(ATTACK_TOP, ""), before = p;
    static const struct pitch_point far[] = {{0, 0},          {2, 0},          {0, -2},        {1, 2},
                                             {INT32_MAX, 0},  {INT32_MIN, 0},  {0, INT32_MAX}, {0, INT32_MIN},
                                             {INT32_MIN, -1}, {-1, INT32_MAX}, {65536, 65536}};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        assert_int_equal(pitch_play_move(&p, &far[i], 1, NULL), ERR_STEP_TOO_LONG);
    assert_int_equal(pitch_check_step(&p, DIRECTIONS), ERR_ACTION_UNKNOWN);
    assert_memory_equal(&p, &before, sizeof p);
}

static void r3_the_border_cannot_be_played(void **unused) {
    (void)unused;
    struct pitch side = after(ATTACK_TOP, "2222");
    assert_ball(&side, 4, 0);
    for (unsigned d = NORTH; d <= SOUTH; d++)
        assert_int_equal(pitch_check_step(&side, d), ERR_STEP_OUTSIDE);
    assert_int_equal(pitch_check_step(&side, NORTH_WEST), ERR_OK);

    struct pitch beside_goal = after(ATTACK_TOP, "200001");
    assert_ball(&beside_goal, 2, 5);
    assert_int_equal(pitch_check_step(&beside_goal, NORTH_WEST), ERR_STEP_OUTSIDE); /* to (1,6) */
    assert_int_equal(pitch_check_step(&beside_goal, WEST), ERR_STEP_OUTSIDE);       /* along the border */
}

static void r3_a_post_leads_into_the_goal_by_the_diagonal_alone(void **unused) {
    (void)unused;
    struct pitch right = after(ATTACK_TOP, "00001");
    assert_ball(&right, 1, 5);
    assert_int_equal(pitch_check_step(&right, NORTH), ERR_STEP_OUTSIDE);
    assert_int_equal(pitch_check_step(&right, NORTH_EAST), ERR_STEP_OUTSIDE);
    assert_int_equal(pitch_check_step(&right, NORTH_WEST), ERR_OK);
    struct pitch left = after(ATTACK_TOP, "44445");
    assert_ball(&left, -1, -5);
    assert_int_equal(pitch_check_step(&left, SOUTH), ERR_STEP_OUTSIDE);
    assert_int_equal(pitch_check_step(&left, SOUTH_EAST), ERR_OK);
}

static void r3_the_mouth_is_open(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "00001");
    assert_int_equal(pitch_check_step(&p, WEST), ERR_OK);
    pitch_step(&p, WEST);
    assert_ball(&p, 0, 5);
    assert_int_equal(pitch_check_step(&p, WEST), ERR_OK);
    assert_int_equal(pitch_check_step(&p, EAST), ERR_STEP_USED);
}

static void r3_a_corner_may_be_cut(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "1111");
    assert_ball(&p, 4, 4);
    assert_int_equal(pitch_check_step(&p, NORTH_WEST), ERR_OK);
    unsigned mover = p.mover;
    pitch_step(&p, NORTH_WEST);
    assert_ball(&p, 3, 5);
    assert_int_equal(p.mover, mover);
}

static void r4_a_line_is_used_in_both_directions(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "0");
    assert_int_equal(pitch_check_step(&p, SOUTH), ERR_STEP_USED); /* back */
    p = after(ATTACK_TOP, "035");                                 /* a triangle back to the centre */
    assert_ball(&p, 0, -1);
    p = after(ATTACK_TOP, "025");
    assert_ball(&p, 0, 0);
    assert_int_equal(pitch_check_step(&p, NORTH), ERR_STEP_USED);      /* the same way again */
    assert_int_equal(pitch_check_step(&p, NORTH_EAST), ERR_STEP_USED); /* and the last one back */
    assert_int_equal(pitch_check_step(&p, EAST), ERR_OK);
}

static void r4_diagonals_may_cross(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "14"); /* (0,0)-(1,1), then down to (1,0) */
    assert_ball(&p, 1, 0);
    assert_int_equal(pitch_check_step(&p, NORTH_WEST), ERR_OK);
    pitch_step(&p, NORTH_WEST);
    assert_ball(&p, 0, 1);
}

static void r5_the_ball_bounces_where_a_line_ends(void **unused) {
    (void)unused;
    static const struct {
        const char *steps;
        const char *where;
        bool bounces;
    } cases[] = {
        {"2222", "side border", true},
        {"200001", "top border", true},
        {"00001", "post", true},
        {"44447", "nothing: an inner point", false},
        {"025", "the centre, which the first step left", true},
        {"0247", "a point with a line", true},
        {"00000", "the mouth centre at first touch", false},
        {"44444", "the other mouth centre", false},
        {"0000166", "the other post, along the mouth", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = strlen(cases[i].steps);
        char but_last[16] = {0};
        memcpy(but_last, cases[i].steps, count - 1);
        struct pitch p = after(ATTACK_TOP, cases[i].steps);
        if ((p.mover == after(ATTACK_TOP, but_last).mover) != cases[i].bounces)
            fail_msg("%s: bounces is not %d", cases[i].where, cases[i].bounces);
    }
}

static void r6_a_fresh_point_passes_the_turn_and_a_move_has_a_point(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, ""), before = p;
    assert_int_equal(pitch_play_move(&p, NULL, 0, NULL), ERR_MOVE_EMPTY);
    assert_memory_equal(&p, &before, sizeof p);
    assert_int_equal(pitch_play_move(&p, &(struct pitch_point){1, 1}, 1, NULL), ERR_OK);
    assert_int_equal(p.mover, 1);
    assert_int_equal(p.steps, 1);
    struct action n = pitch_action(NORTH);
    assert_int_equal(paper_soccer_game.check(state_of(&p), 0, &n), ERR_NOT_YOUR_TURN);
    assert_int_equal(paper_soccer_game.check(state_of(&p), 1, &n), ERR_OK);
}

static void r7_a_move_goes_on_while_the_ball_bounces(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "222"), before = p;
    static const struct pitch_point move[] = {{4, 0}, {3, 1}};
    assert_int_equal(pitch_play_move(&p, move, 1, NULL), ERR_MOVE_TOO_SHORT);
    assert_memory_equal(&p, &before, sizeof p);
    uint8_t dirs[2];
    assert_int_equal(pitch_play_move(&p, move, 2, dirs), ERR_OK);
    assert_int_equal(dirs[0], EAST);
    assert_int_equal(dirs[1], NORTH_WEST);
    assert_ball(&p, 3, 1);
}

static void r8_a_move_stops_where_the_turn_ends(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, ""), before = p;
    static const struct pitch_point past_fresh[] = {{0, 1}, {0, 2}};
    assert_int_equal(pitch_play_move(&p, past_fresh, 2, NULL), ERR_MOVE_TOO_LONG);
    assert_memory_equal(&p, &before, sizeof p);

    p = before = after(ATTACK_TOP, "00000");
    static const struct pitch_point past_goal[] = {{0, 6}, {1, 5}};
    assert_int_equal(pitch_play_move(&p, past_goal, 2, NULL), ERR_MOVE_TOO_LONG);
    assert_memory_equal(&p, &before, sizeof p);

    p = before = after(ATTACK_TOP, "0111");
    static const struct pitch_point past_corner[] = {{4, 5}, {3, 5}};
    assert_int_equal(pitch_play_move(&p, past_corner, 2, NULL), ERR_MOVE_TOO_LONG);
    assert_memory_equal(&p, &before, sizeof p);
}

/* The first refusal counts, in the order of the points, and a refused move leaves nothing behind. */
static void a_move_is_played_whole_or_not_at_all(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "222"), before = p;
    static const struct pitch_point along_border[] = {{4, 0}, {4, 1}, {3, 1}};
    assert_int_equal(pitch_play_move(&p, along_border, 3, NULL), ERR_STEP_OUTSIDE);
    static const struct pitch_point stays[] = {{4, 0}, {4, 0}};
    assert_int_equal(pitch_play_move(&p, stays, 2, NULL), ERR_STEP_TOO_LONG);
    static const struct pitch_point comes_back[] = {{4, 0}, {3, 0}};
    assert_int_equal(pitch_play_move(&p, comes_back, 2, NULL), ERR_STEP_USED);
    static const struct pitch_point starts_with_the_ball[] = {{3, 0}, {3, 1}};
    assert_int_equal(pitch_play_move(&p, starts_with_the_ball, 2, NULL), ERR_STEP_TOO_LONG);
    assert_memory_equal(&p, &before, sizeof p);
}

static void assert_winner(struct pitch p, unsigned winner) {
    int32_t points[SEATS_MAX] = {0};
    assert_true(p.is_over);
    assert_int_equal(paper_soccer_game.turn(state_of(&p)), 0);
    paper_soccer_game.score(state_of(&p), points);
    assert_int_equal(points[winner], 1);
    assert_int_equal(points[winner ^ 1], 0);
    struct action n = pitch_action(NORTH);
    for (unsigned seat = 0; seat < 2; seat++)
        assert_int_equal(paper_soccer_game.check(state_of(&p), seat, &n), ERR_TABLE_OVER);
    assert_int_equal(pitch_play_move(&p, &(struct pitch_point){0, 0}, 1, NULL), ERR_TABLE_OVER);
}

static void r9_a_goal_wins_for_the_side_that_attacks_it(void **unused) {
    (void)unused;
    assert_winner(after(ATTACK_TOP, "000000"), 0);    /* the second seat's own goal */
    assert_winner(after(ATTACK_TOP, "000017"), 0);    /* the first seat's goal, over the post */
    assert_winner(after(ATTACK_TOP, "444444"), 1);    /* the second seat's goal */
    assert_winner(after(ATTACK_TOP, "444435"), 1);    /* the first seat's own goal */
    assert_winner(after(ATTACK_BOTTOM, "444435"), 0); /* and its goal, attacking the bottom */
    assert_winner(after(ATTACK_BOTTOM, "000017"), 1);
    assert_winner(after(ATTACK_TOP, "000007"), 0); /* the corners of a goal are goal too */
    assert_winner(after(ATTACK_TOP, "000001"), 0);
}

static void r10_a_ball_that_is_stuck_loses_for_the_mover(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "0111");
    assert_int_equal(p.mover, 0);
    pitch_step(&p, NORTH_EAST);
    assert_ball(&p, 4, 5);
    assert_winner(p, 1);
    assert_winner(after(ATTACK_BOTTOM, "01111"), 1);
    assert_winner(after(ATTACK_TOP, "021101"), 0); /* by the second seat */
}

static void r11_every_game_ends_in_time_with_one_winner(void **unused) {
    (void)unused;
    enum { GAMES = 3000 };
    struct rng rng;
    rng_seed(&rng, 11);
    for (int i = 0; i < GAMES; i++) {
        struct pitch p;
        pitch_setup(&p, (enum attack)(i & 1));
        unsigned turns = 1;
        while (!p.is_over) {
            unsigned mover = p.mover;
            struct action a;
            paper_soccer_game.sample(state_of(&p), mover, &rng, &a);
            pitch_step(&p, (enum direction)a.arg[0]);
            turns += p.mover != mover;
        }
        assert_true(turns <= PITCH_TURNS_MAX && p.steps <= PITCH_EDGES);
        assert_null(paper_soccer_game.valid(state_of(&p)));
    }
}

static void r12_the_first_seat_attacks_the_goal_of_its_option(void **unused) {
    (void)unused;
    struct game_options options = game_options_default(&paper_soccer_game, 2);
    struct pitch p;
    assert_int_equal(paper_soccer_game.setup(state_of(&p), &options), ERR_OK);
    assert_int_equal(pitch_attack_of(&p, 0), ATTACK_TOP);
    assert_int_equal(pitch_attack_of(&p, 1), ATTACK_BOTTOM);
    assert_int_equal(game_options_set(&paper_soccer_game, &options, "first-attacks", "bottom"), ERR_OK);
    assert_int_equal(paper_soccer_game.setup(state_of(&p), &options), ERR_OK);
    assert_int_equal(pitch_attack_of(&p, 0), ATTACK_BOTTOM);
    assert_int_equal(pitch_attack_of(&p, 1), ATTACK_TOP);
    assert_int_equal(p.mover, 0);
    assert_int_equal(game_options_set(&paper_soccer_game, &options, "first-attacks", "left"),
                     ERR_OPTION_INVALID);
    options.seat_count = 3;
    assert_int_equal(paper_soccer_game.setup(state_of(&p), &options), ERR_SEAT_COUNT);
}

static void actions_are_refused_unless_every_byte_is_right(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, "");
    struct action good = pitch_action(EAST), bad = good;
    assert_int_equal(paper_soccer_game.check(state_of(&p), 0, &good), ERR_OK);
    bad.kind = 0;
    assert_int_equal(paper_soccer_game.check(state_of(&p), 0, &bad), ERR_ACTION_UNKNOWN);
    bad = good;
    bad.arg[0] = DIRECTIONS;
    assert_int_equal(paper_soccer_game.check(state_of(&p), 0, &bad), ERR_ACTION_UNKNOWN);
    bad = good;
    bad.arg[ACTION_ARGS - 1] = 1;
    assert_int_equal(paper_soccer_game.check(state_of(&p), 0, &bad), ERR_ACTION_UNKNOWN);
    assert_int_equal(paper_soccer_game.check(state_of(&p), SEAT_CHANCE, &good), ERR_NOT_YOUR_TURN);
    assert_int_equal(paper_soccer_game.check(state_of(&p), SEAT_WATCHER, &good), ERR_NOT_YOUR_TURN);
}

/* A random running position, at most so many random steps into a game. */
static struct pitch random_position(struct rng *rng, uint32_t steps_max) {
    struct pitch p, next;
    pitch_setup(&p, (enum attack)rng_below(rng, 2));
    for (uint32_t steps = rng_below(rng, steps_max + 1); steps > 0; steps--) {
        struct action a;
        next = p;
        paper_soccer_game.sample(state_of(&p), p.mover, rng, &a);
        pitch_step(&next, (enum direction)a.arg[0]);
        if (next.is_over)
            break;
        p = next;
    }
    return p;
}

/* Every way to play one turn, by plain recursion. */
enum { WAYS_MAX = 4000 };

struct ways {
    struct pitch end[WAYS_MAX];
    size_t count;
    bool is_full;
};

static void ways_walk(struct ways *w, const struct pitch *p, unsigned mover) {
    for (unsigned d = 0; d < DIRECTIONS && !w->is_full; d++) {
        struct pitch next = *p;
        if (pitch_check_step(p, d) != ERR_OK)
            continue;
        pitch_step(&next, (enum direction)d);
        if (!next.is_over && next.mover == mover)
            ways_walk(w, &next, mover);
        else if (w->count == WAYS_MAX)
            w->is_full = true;
        else
            w->end[w->count++] = next;
    }
}

static int pitch_compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct pitch));
}

static size_t ways_distinct(struct ways *w) {
    size_t distinct = 0;
    qsort(w->end, w->count, sizeof *w->end, pitch_compare);
    for (size_t i = 0; i < w->count; i++)
        if (i == 0 || pitch_compare(&w->end[i], &w->end[distinct - 1]) != 0)
            w->end[distinct++] = w->end[i];
    return distinct;
}

static bool ways_score(const struct ways *w, enum attack goal) {
    for (size_t i = 0; i < w->count; i++)
        if (pitch_is_goal(w->end[i].ball) && (w->end[i].ball >= TOP_GOAL_FIRST) == (goal == ATTACK_TOP))
            return true;
    return false;
}

static struct pitch_moves moves_alloc(size_t moves, size_t steps, size_t seen) {
    struct pitch_moves m = {.move_capacity = moves, .steps_capacity = steps, .seen_capacity = seen};
    m.move = mem_alloc(moves * sizeof *m.move);
    m.steps = mem_alloc(steps);
    m.seen = mem_alloc(seen * sizeof *m.seen);
    return m;
}

static void moves_free(struct pitch_moves *m) {
    mem_free(m->move);
    mem_free(m->steps);
    mem_free(m->seen);
}

/* Plays a listed move step by step under the rules. */
static struct pitch moves_play(const struct pitch_moves *m, size_t i, const struct pitch *from) {
    struct pitch p = *from;
    for (size_t s = 0; s < m->move[i].count; s++) {
        unsigned d = m->steps[m->move[i].first + s];
        assert_false(p.is_over || p.mover != from->mover);
        assert_int_equal(pitch_check_step(&p, d), ERR_OK);
        pitch_step(&p, (enum direction)d);
    }
    assert_true(p.is_over || p.mover != from->mover);
    assert_int_equal(p.ball, m->move[i].end);
    assert_int_equal(p.is_over, m->move[i].ends_game);
    return p;
}

static void lists_keys_and_scoring_agree_with_brute_force(void **unused) {
    (void)unused;
    enum { POSITIONS = 400 };
    struct ways *w = mem_alloc(sizeof *w);
    struct pitch *listed = mem_alloc(WAYS_MAX * sizeof *listed);
    struct pitch_moves m = moves_alloc(WAYS_MAX, WAYS_MAX * 64, 1 << 14);
    struct rng rng;
    rng_seed(&rng, 5);
    int compared = 0, scored = 0, refused_to_score = 0;
    for (int i = 0; i < POSITIONS; i++) {
        struct pitch p = random_position(&rng, 60);
        w->count = 0;
        w->is_full = false;
        ways_walk(w, &p, p.mover);
        if (w->is_full)
            continue;
        compared++;
        assert_int_equal(pitch_perft(&p, 1), w->count);
        for (int goal = ATTACK_TOP; goal <= ATTACK_BOTTOM; goal++) {
            bool can = pitch_can_score(&p, (enum attack)goal);
            assert_int_equal(can, ways_score(w, (enum attack)goal));
            scored += can;
            refused_to_score += !can;
        }
        size_t distinct = ways_distinct(w);
        pitch_moves_list(&p, &m);
        assert_true(m.is_complete);
        assert_int_equal(m.count, distinct);
        for (size_t k = 0; k < m.count; k++) {
            listed[k] = moves_play(&m, k, &p);
            if (listed[k].mover == listed[0].mover)
                assert_true((pitch_key(&listed[k]) ^ pitch_key(&listed[0])) ==
                            (m.move[k].key ^ m.move[0].key));
        }
        qsort(listed, m.count, sizeof *listed, pitch_compare);
        assert_memory_equal(listed, w->end, distinct * sizeof *listed);
    }
    /* The comparison means something only when it met all cases. */
    assert_true(compared > 200 && scored > 20 && refused_to_score > 200);
    moves_free(&m);
    mem_free(listed);
    mem_free(w);
}

static void equal_positions_have_equal_keys(void **unused) {
    (void)unused;
    /* The same three lines, drawn in two orders. */
    struct pitch a = after(ATTACK_TOP, "025"), b = after(ATTACK_TOP, "164");
    assert_int_equal(a.ball, b.ball);
    assert_memory_equal(a.mask, b.mask, sizeof a.mask);
    assert_true(pitch_key(&a) == pitch_key(&b));
    b.mover ^= 1;
    assert_true(pitch_key(&a) != pitch_key(&b));
    struct pitch c = after(ATTACK_TOP, "024");
    assert_true(pitch_key(&a) != pitch_key(&c));
}

static void a_list_that_meets_a_ceiling_says_so(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, monster);
    struct pitch_moves few = moves_alloc(100, 10000, 1 << 12), short_steps = moves_alloc(1000, 500, 1 << 12),
                       narrow = moves_alloc(1000, 10000, 64);
    struct pitch_moves *const lists[] = {&few, &short_steps, &narrow};
    for (size_t i = 0; i < 3; i++) {
        pitch_moves_list(&p, lists[i]);
        assert_false(lists[i]->is_complete);
        assert_true(lists[i]->count <= lists[i]->move_capacity);
        assert_true(lists[i]->steps_count <= lists[i]->steps_capacity);
        for (size_t k = 0; k < lists[i]->count; k++)
            moves_play(lists[i], k, &p);
        moves_free(lists[i]);
    }
}

/* The number of ordered ways is in tests/perft/paper-soccer.txt. */
static void the_monster_has_its_known_number_of_results(void **unused) {
    (void)unused;
    struct pitch p = after(ATTACK_TOP, monster);
    assert_int_equal(p.steps, 107);
    struct pitch_moves m = moves_alloc(500000, 16000000, 1 << 21);
    pitch_moves_list(&p, &m);
    assert_true(m.is_complete);
    assert_int_equal(m.count, 433648);
    uint16_t longest = 0;
    for (size_t i = 0; i < m.count; i++)
        longest = m.move[i].count > longest ? m.move[i].count : longest;
    assert_int_equal(longest, 36);
    moves_free(&m);
}

static void fast_playouts_draw_like_the_stock_one(void **unused) {
    (void)unused;
    enum { GAMES = 1000 };
    struct rng fast, stock;
    rng_seed(&fast, 3);
    rng_seed(&stock, 3);
    for (int i = 0; i < GAMES; i++) {
        struct pitch a = random_position(&fast, 30), b = random_position(&stock, 30);
        size_t plies = paper_soccer_game.playout(&paper_soccer_game, state_of(&a), &fast);
        assert_int_equal(plies, playout(&paper_soccer_game, state_of(&b), &stock));
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(&fast, &stock, sizeof fast);
        assert_int_equal(paper_soccer_game.playout(&paper_soccer_game, state_of(&a), &fast), 0);
    }
}

static void fast_perft_counts_like_the_stock_one(void **unused) {
    (void)unused;
    struct rng rng;
    rng_seed(&rng, 9);
    for (int i = 0; i < 40; i++) {
        struct pitch p = random_position(&rng, 20);
        for (unsigned turns = 0; turns <= 2; turns++) {
            uint64_t fast = pitch_perft(&p, turns);
            if (fast < 20000)
                assert_int_equal(fast, perft_turns(&paper_soccer_game, state_of(&p), turns));
        }
    }
    struct pitch over = after(ATTACK_TOP, "000000");
    assert_int_equal(pitch_perft(&over, 1), 0);
    assert_int_equal(perft_turns(&paper_soccer_game, state_of(&over), 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1_the_pitch_has_its_points_and_lines),
        cmocka_unit_test(r2_a_step_goes_to_a_neighbour),
        cmocka_unit_test(r3_the_border_cannot_be_played),
        cmocka_unit_test(r3_a_post_leads_into_the_goal_by_the_diagonal_alone),
        cmocka_unit_test(r3_the_mouth_is_open),
        cmocka_unit_test(r3_a_corner_may_be_cut),
        cmocka_unit_test(r4_a_line_is_used_in_both_directions),
        cmocka_unit_test(r4_diagonals_may_cross),
        cmocka_unit_test(r5_the_ball_bounces_where_a_line_ends),
        cmocka_unit_test(r6_a_fresh_point_passes_the_turn_and_a_move_has_a_point),
        cmocka_unit_test(r7_a_move_goes_on_while_the_ball_bounces),
        cmocka_unit_test(r8_a_move_stops_where_the_turn_ends),
        cmocka_unit_test(a_move_is_played_whole_or_not_at_all),
        cmocka_unit_test(r9_a_goal_wins_for_the_side_that_attacks_it),
        cmocka_unit_test(r10_a_ball_that_is_stuck_loses_for_the_mover),
        cmocka_unit_test(r11_every_game_ends_in_time_with_one_winner),
        cmocka_unit_test(r12_the_first_seat_attacks_the_goal_of_its_option),
        cmocka_unit_test(actions_are_refused_unless_every_byte_is_right),
        cmocka_unit_test(lists_keys_and_scoring_agree_with_brute_force),
        cmocka_unit_test(equal_positions_have_equal_keys),
        cmocka_unit_test(a_list_that_meets_a_ceiling_says_so),
        cmocka_unit_test(the_monster_has_its_known_number_of_results),
        cmocka_unit_test(fast_playouts_draw_like_the_stock_one),
        cmocka_unit_test(fast_perft_counts_like_the_stock_one),
    };
    return cmocka_run_group_tests_name("paper_soccer", tests, NULL, NULL);
}
