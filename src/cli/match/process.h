/* Programs that a match starts: each in a process group of its own, so that what a shell starts ends with it.
 */
#ifndef CLI_MATCH_PROCESS_H
#define CLI_MATCH_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts a program whose standard output and error go to a file; with ready_fd the output goes to a pipe
 * instead, whose other end it gives. Returns the process, or -1. */
pid_t process_start(const char *const argv[], const char *log, int *ready_fd);

enum process_end { PROCESS_RUNS, PROCESS_DONE, PROCESS_FAILED };

/* Whether it still runs, without waiting. Once it has ended, *pid becomes 0, which has ended well. */
enum process_end process_look(pid_t *pid);

/* Waits so long for its end, then asks it to end, waits as long again, and ends it. */
void process_end(pid_t *pid, uint32_t patience_ms);

/* The path of this program. */
bool process_self(char *path, size_t size);

/* Waits a little before the next look at something that others do. */
void process_pause(void);

#endif
