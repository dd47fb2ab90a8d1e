/* The rules of Paper Soccer beyond what the contract tests and the perft file show. */
#include "tests.h"

#include "base/mem.h"
#include "game/perft.h"
#include "game/playout.h"
#include "games/paper_soccer.h"

static const struct game_state *state_of(const struct pitch *p) {
    return (const struct game_state *)p;
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

static void the_pitch_has_its_lines(void **unused) {
    (void)unused;
    static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[] = {1, 1, 0, -1, -1, -1, 0, 1};
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
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pitch_has_its_lines),
    };
    (void)state_of;
    return cmocka_run_group_tests_name("paper_soccer", tests, NULL, NULL);
}
