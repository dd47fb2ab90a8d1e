#include "cli/match/process.h"

#include "base/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PAUSE_MS = 5 };

/* Both ends close in whatever else is started meanwhile. */
static bool process_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0;
}

pid_t process_start(const char *const argv[], const char *log, int *ready_fd) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t broken_pipe;
    int ends[2] = {-1, -1};
    pid_t pid = -1;
    if (ready_fd != NULL && !process_pipe(ends))
        return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawnattr_setpgroup(&how, 0);
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    posix_spawnattr_setsigdefault(&how, &broken_pipe);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&files, ready_fd == NULL ? STDERR_FILENO : ends[1], STDOUT_FILENO);
    /* What is started has a copy of them: that they are not const there is history. */
    if (posix_spawnp(&pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (ready_fd != NULL) {
        close(ends[1]);
        *ready_fd = ends[0];
    }
    return pid;
}

enum process_end process_look(pid_t *pid) {
    int status;
    if (*pid <= 0)
        return PROCESS_DONE;
    pid_t ended = waitpid(*pid, &status, WNOHANG);
    if (ended == 0)
        return PROCESS_RUNS;
    kill(-*pid, SIGKILL); /* what it has started and left behind */
    *pid = 0;
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? PROCESS_DONE : PROCESS_FAILED;
}

void process_pause(void) {
    poll(NULL, 0, PAUSE_MS);
}

static bool process_ends_in(pid_t *pid, uint32_t ms) {
    uint64_t until_ms = clock_monotonic_ms() + ms;
    while (process_look(pid) == PROCESS_RUNS) {
        if (clock_monotonic_ms() >= until_ms)
            return false;
        process_pause();
    }
    return true;
}

void process_end(pid_t *pid, uint32_t patience_ms) {
    if (*pid <= 0 || process_ends_in(pid, patience_ms))
        return;
    kill(-*pid, SIGTERM);
    if (process_ends_in(pid, patience_ms))
        return;
    kill(-*pid, SIGKILL);
    waitpid(*pid, NULL, 0);
    *pid = 0;
}

bool process_self(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0 || (size_t)length >= size - 1)
        return false;
    path[length] = '\0';
    return true;
}
