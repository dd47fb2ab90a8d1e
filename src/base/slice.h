/* How soon a thread has a core when it wakes. The kernel lets whoever runs go on for its slice, and looks
 * again at the next tick of its clock: a thread that wakes beside a busy one waits for some milliseconds.
 * From Linux 6.12 on a thread may say that it wants short slices: it has no more of the processor than
 * before, but sooner. Older kernels do not mind. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdint.h>

enum {
    SLICE_LOOP_US = 300,   /* about what a turn of the loop takes at most */
    SLICE_WRITER_US = 100, /* the shortest that there is, for whoever writes what somebody waits for */
};

/* The calling thread wants slices of this length; threads that it starts have the usual ones. Nothing changes
 * when the system does not allow it, or when the operator has given the thread another policy than the usual
 * one. */
void slice_ask(uint32_t us);

#endif
