#include "host/hunt/policy.h"

#include "games/treasure_hunt/treasure_hunt.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* Takes the text before the mark off the front, and the mark with it; all of it when there is no mark. */
static struct span take_until(struct span *text, char mark) {
    const char *end = text->size == 0 ? NULL : memchr(text->data, mark, text->size);
    struct span taken = {text->data, end == NULL ? text->size : (size_t)(end - text->data)};
    size_t used = end == NULL ? taken.size : taken.size + 1;
    text->data += used;
    text->size -= used;
    return taken;
}

/* "5" or "2.5" seconds. */
static bool read_seconds(struct span text, uint32_t *out) {
    struct span fraction = text;
    struct span whole = take_until(&fraction, '.');
    int64_t seconds, thousandths = 0, scale = 100;
    if (!span_to_int(whole, &seconds) || seconds < 0 || seconds > HUNT_ACTION_MS_MAX / 1000)
        return false;
    for (size_t i = 0; i < fraction.size; i++, scale /= 10) {
        if (fraction.data[i] < '0' || fraction.data[i] > '9')
            return false;
        thousandths += (fraction.data[i] - '0') * scale;
    }
    int64_t ms = seconds * 1000 + thousandths;
    if (ms > HUNT_ACTION_MS_MAX)
        return false;
    *out = (uint32_t)ms;
    return true;
}

static void read_one(struct span name, struct span value, struct hunt_policy *out) {
    int64_t number;
    if (span_is(name, "violation") && out->violation == HUNT_VIOLATION_BY_KIND) {
        if (span_is_nocase(value, "lose"))
            out->violation = HUNT_VIOLATION_LOSES;
        else if (span_is_nocase(value, "refuse"))
            out->violation = HUNT_VIOLATION_IS_REFUSED;
    } else if (span_is(name, "actionTime") && !out->has_action_ms) {
        out->has_action_ms = read_seconds(value, &out->action_ms);
    } else if (span_is(name, "maxActions") && out->actions_max == 0) {
        if (span_to_int(value, &number) && number >= 1 && number <= TREASURE_ACTIONS_CEILING)
            out->actions_max = (uint32_t)number;
    } else if (span_is(name, "enableDebugMode")) {
        out->is_debug = out->is_debug || span_is_nocase(value, "true");
    } else if (span_is(name, "enableDummyCompetition")) {
        out->has_bot = out->has_bot || span_is_nocase(value, "true");
    } else if (span_is(name, "forts")) {
        out->may_name_forts = out->may_name_forts || span_is_nocase(value, "any");
    }
}

void hunt_policy_read(struct span query, struct hunt_policy *out) {
    *out = (struct hunt_policy){0};
    while (query.size > 0) {
        struct span value = take_until(&query, '&');
        struct span name = take_until(&value, '=');
        read_one(name, value, out);
    }
}

void hunt_policy_format(const struct hunt_policy *policy, char text[HUNT_POLICY_BYTES_MAX]) {
    static const char *const violations[] = {"", "&violation=lose", "&violation=refuse"};
    char time[32] = "", actions[32] = "", all[HUNT_POLICY_BYTES_MAX];
    if (policy->has_action_ms)
        snprintf(time, sizeof time, "&actionTime=%" PRIu32 ".%03" PRIu32, policy->action_ms / 1000,
                 policy->action_ms % 1000);
    if (policy->actions_max > 0)
        snprintf(actions, sizeof actions, "&maxActions=%" PRIu32, policy->actions_max);
    int size = snprintf(all, sizeof all, "%s%s%s%s%s%s", violations[policy->violation], time, actions,
                        policy->is_debug ? "&enableDebugMode=true" : "",
                        policy->has_bot ? "&enableDummyCompetition=true" : "",
                        policy->may_name_forts ? "&forts=any" : "");
    assert(size >= 0 && size < HUNT_POLICY_BYTES_MAX);
    memcpy(text, all + (size > 0), (size_t)size + (size == 0));
}
