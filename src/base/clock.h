/* The two clocks of the machine. Only the event loop, the client programs and the log read them; everything
 * else is told the time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that never goes back. */
uint64_t clock_monotonic_ms(void);

/* Nanoseconds of the same clock, for measuring. */
uint64_t clock_monotonic_ns(void);

/* Microseconds of the same. */
uint64_t clock_monotonic_us(void);

/* Nanoseconds that this thread has computed, which a busy machine does not change; for measuring. */
uint64_t clock_cpu_ns(void);

/* Milliseconds since 1970, for people. */
int64_t clock_wall_ms(void);

#endif
