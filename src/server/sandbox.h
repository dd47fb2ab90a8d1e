/* What the process gives up once it knows what it needs (--sandbox): it gains no privileges any more, opens
 * no files but those that are named here, starts no programs and, unless a database must be reached, connects
 * to nobody. Where the kernel does not have one of these the others hold, and the log says so.
 *
 * sandbox_files counts for the calling thread and those that it starts afterwards, so it comes before any
 * thread is started; sandbox_calls counts for all threads, and comes when everything listens. */
#ifndef SERVER_SANDBOX_H
#define SERVER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

enum { SANDBOX_PATHS_MAX = 64, SANDBOX_PATH_BYTES_MAX = 1024 };

/* Zeroed at first. */
struct sandbox {
    struct sandbox_path {
        char path[SANDBOX_PATH_BYTES_MAX];
        bool is_written;
    } paths[SANDBOX_PATHS_MAX];
    size_t count;
    bool connects; /* to a database */
};

/* A file or everything below a directory may be read, or also written, made and removed. What does not exist
 * is left out; of what is too much is left out, too. */
void sandbox_allow(struct sandbox *, const char *path, bool is_written);
/* The same for the directory in which a file is, or will be. */
void sandbox_allow_beside(struct sandbox *, const char *file, bool is_written);
/* What the libraries read: names of hosts, certificates of authorities, the clock's zone, themselves. */
void sandbox_allow_system(struct sandbox *);

/* How far the kernel goes along: the version of Landlock's interface, 0: it has none. */
int sandbox_files(const struct sandbox *);
/* Whether it filters calls. */
bool sandbox_calls(const struct sandbox *);

#endif
