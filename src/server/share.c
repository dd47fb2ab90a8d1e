#include "server/share.h"

void share_renew(struct share *s, uint64_t turn, uint64_t now_us) {
    *s = (struct share){.turn = turn, .begun_us = now_us};
}

void share_begin(struct share *s, uint64_t turn, uint64_t now_us) {
    if (s->turn != turn)
        share_renew(s, turn, now_us);
}

bool share_is_spent(const struct share *s, size_t resting, uint64_t now_us) {
    if (s->bytes >= SHARE_BYTES || s->messages >= SHARE_MESSAGES)
        return true;
    uint64_t part_us = SHARE_US / (resting + 1);
    uint64_t max_us = part_us > SHARE_US_MIN ? part_us : SHARE_US_MIN;
    return (s->bytes > 0 || s->messages > 0) && now_us - s->begun_us >= max_us;
}
