#include "base/slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct sched_attr of the kernel in its first form; the C library of Debian 12 does not know it. */
struct slice_attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
};

enum { SLICE_RESET_ON_FORK = 1, SLICE_NS_PER_US = 1000 };

void slice_ask(uint32_t us) {
    struct slice_attributes a = {0};
    if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0 || a.policy != SCHED_OTHER)
        return;
    a.size = sizeof a;
    a.flags |= SLICE_RESET_ON_FORK;
    a.runtime_ns = (uint64_t)us * SLICE_NS_PER_US;
    a.deadline_ns = a.period_ns = 0;
    /* Without it the thread is served later on a busy machine, and nothing else is different. */
    (void)!syscall(SYS_sched_setattr, 0, &a, 0);
}
