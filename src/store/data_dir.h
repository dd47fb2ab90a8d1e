/* The directory in which a server keeps what must last. One process at a time may use it; a lock on the file
 * "lock" inside says so and goes away with the process, however that ends. */
#ifndef STORE_DATA_DIR_H
#define STORE_DATA_DIR_H

#include "base/err.h"

#include <stddef.h>

/* The journal inside it. */
#define STORE_FILE "parlor.db"

struct data_dir {
    int lock_fd;
};

/* Makes the directory when it is missing (not its parents) and locks it. ERR_IO, and why as one line for
 * people, when that cannot be done or another process has it. */
enum err data_dir_open(struct data_dir *, const char *path, char *complaint,
                       size_t complaint_size) MUST_CHECK;

void data_dir_close(struct data_dir *);

#endif
