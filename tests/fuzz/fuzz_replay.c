/* Any text is either refused or leads to a valid state; and a replay that was accepted is accepted again. */
#include "fuzz.h"

#include "game/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct replay replay, again;
    enum err e = replay_run(&replay, span_make(data, size));
    if (e == ERR_OK) {
        assert(replay.game->valid(replay.state) == NULL);
        assert(replay.plies <= replay.game->plies_max);
        assert(!replay.has_end || replay.game->turn(replay.state) == 0);
        enum err e_again = replay_run(&again, span_make(data, size));
        assert(e_again == ERR_OK && again.plies == replay.plies);
        assert(memcmp(again.state, replay.state, replay.game->state_size) == 0);
        replay_free(&again);
    }
    replay_free(&replay);
    return 0;
}
