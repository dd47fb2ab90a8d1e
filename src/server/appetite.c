#include "server/appetite.h"

#include "base/limit.h"
#include "base/log.h"

struct appetite appetite_make(uint32_t requests_max, uint64_t bytes_max) {
    return (struct appetite){
        .requests = {.amount = (uint64_t)requests_max * APPETITE_MS / 1000, .time_ms = APPETITE_MS},
        .bytes = {.amount = bytes_max * (APPETITE_MS / 1000), .time_ms = APPETITE_MS}};
}

void appetite_free(struct appetite *a) {
    ration_free(&a->requests);
    ration_free(&a->bytes);
}

void appetite_spend(struct appetite *a, const struct address *address, uint64_t bytes, uint64_t now_ms) {
    ration_spend(&a->bytes, address, bytes, now_ms);
}

static void appetite_log(struct appetite *a, uint64_t now_ms) {
    if (a->logged_ms != 0 && now_ms - a->logged_ms < APPETITE_LOG_MS)
        return;
    a->logged_ms = now_ms;
    log_event(LOG_WARN, "address-too-often",
              LOG_INT("max", (int64_t)(a->requests.amount * 1000 / APPETITE_MS)));
}

bool appetite_allows(struct appetite *a, const struct address *address, uint64_t bytes, uint64_t now_ms) {
    if (address_is_nobody(address))
        return true;
    appetite_spend(a, address, bytes, now_ms);
    if (!ration_allows(&a->bytes, address, now_ms)) {
        limit_hit(LIMIT_ADDRESS_BYTES, address);
        return false;
    }
    if (!ration_allows(&a->requests, address, now_ms)) {
        limit_hit(LIMIT_ADDRESS_REQUESTS, address);
        appetite_log(a, now_ms);
        return false;
    }
    ration_spend(&a->requests, address, 1, now_ms);
    return true;
}
