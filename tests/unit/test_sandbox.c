/* The sandbox: what a process can do before it, and cannot do after it. Each case is a process of its own. */
#include "tests.h"

#include "server/sandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char own[64], foreign[64], own_file[96], foreign_file[96];
static struct sockaddr_in listening;
static struct sandbox sandbox;

static int set_up(void **state) {
    (void)state;
    snprintf(own, sizeof own, "/tmp/parlor-own-XXXXXX");
    snprintf(foreign, sizeof foreign, "/tmp/parlor-foreign-XXXXXX");
    if (mkdtemp(own) == NULL || mkdtemp(foreign) == NULL)
        return -1;
    snprintf(own_file, sizeof own_file, "%s/file", own);
    snprintf(foreign_file, sizeof foreign_file, "%s/file", foreign);
    close(open(foreign_file, O_CREAT | O_WRONLY, 0600));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    listening.sin_family = AF_INET;
    listening.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof listening;
    return bind(fd, (struct sockaddr *)&listening, size) || listen(fd, 8) ||
           getsockname(fd, (struct sockaddr *)&listening, &size);
}

static int tear_down(void **state) {
    (void)state;
    unlink(own_file);
    unlink(foreign_file);
    rmdir(own);
    rmdir(foreign);
    return 0;
}

static int can_connect(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int failed = connect(fd, (struct sockaddr *)&listening, sizeof listening) == 0 ? 0 : errno;
    close(fd);
    return failed;
}

static int can_run(void) {
    char *const words[] = {(char *)(uintptr_t) "true", NULL};
    execve("/bin/true", words, NULL);
    return errno;
}

static int can_open(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* Runs a case in a process of its own; what it returns, 0 is good. */
static int apart(int (*run)(void)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(run());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int before(void) {
    return can_open(foreign_file, O_RDONLY) != 0 || can_connect() != 0;
}

static int files_only(void) {
    sandbox_allow(&sandbox, own, true);
    if (sandbox_files(&sandbox) == 0)
        return 77; /* this kernel has none */
    if (can_open(own_file, O_CREAT | O_RDWR | O_TRUNC) != 0 || unlink(own_file) != 0)
        return 2;
    if (can_open(foreign_file, O_RDONLY) != EACCES || can_open("/etc/shadow", O_RDONLY) != EACCES)
        return 3;
    if (unlink(foreign_file) == 0 || mkdir("/tmp/parlor-foreign-folder", 0700) == 0)
        return 4;
    return can_run() == EACCES ? 0 : 5;
}

static int calls_only(void) {
    if (!sandbox_calls(&sandbox))
        return 77;
    return can_run() == EPERM && can_connect() == EPERM ? 0 : 3;
}

static int database(void) {
    sandbox.connects = true;
    sandbox_allow_system(&sandbox);
    if (sandbox_files(&sandbox) == 0 || !sandbox_calls(&sandbox))
        return 77;
    return can_connect() == 0 && can_open("/etc/hosts", O_RDONLY) == 0 && can_run() != 0 ? 0 : 3;
}

static pthread_barrier_t entered;

static void *run_beside(void *out) {
    pthread_barrier_wait(&entered);
    *(int *)out = can_connect();
    return NULL;
}

/* A thread that was there before is held, too. */
static int all_threads(void) {
    pthread_t thread;
    int failed = 0;
    pthread_barrier_init(&entered, NULL, 2);
    pthread_create(&thread, NULL, run_beside, &failed);
    bool is_held = sandbox_calls(&sandbox);
    pthread_barrier_wait(&entered);
    pthread_join(thread, NULL);
    return !is_held ? 77 : failed == EPERM ? 0 : 3;
}

static void check(int (*run)(void)) {
    int status = apart(run);
    if (status == 77)
        skip();
    assert_int_equal(status, 0);
}

static void without_it_everything_is_allowed(void **state) {
    (void)state;
    check(before);
}

static void foreign_files_and_programs_are_closed(void **state) {
    (void)state;
    check(files_only);
}

static void nothing_is_run_and_nobody_connected_to(void **state) {
    (void)state;
    check(calls_only);
}

static void a_database_can_be_reached(void **state) {
    (void)state;
    check(database);
}

static void it_holds_for_all_threads(void **state) {
    (void)state;
    check(all_threads);
}

static void paths_that_are_none_are_left_out(void **state) {
    (void)state;
    static struct sandbox s;
    sandbox_allow(&s, "/nowhere/at/all", true);
    sandbox_allow(&s, NULL, true);
    assert_int_equal(s.count, 0);
    sandbox_allow_beside(&s, own_file, true);
    assert_int_equal(s.count, 1);
    assert_string_equal(s.paths[0].path, own);
    sandbox_allow_beside(&s, "/file", false);
    assert_string_equal(s.paths[1].path, "/");
    sandbox_allow_beside(&s, "file", false);
    assert_string_equal(s.paths[2].path, ".");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_it_everything_is_allowed),
        cmocka_unit_test(foreign_files_and_programs_are_closed),
        cmocka_unit_test(nothing_is_run_and_nobody_connected_to),
        cmocka_unit_test(a_database_can_be_reached),
        cmocka_unit_test(it_holds_for_all_threads),
        cmocka_unit_test(paths_that_are_none_are_left_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
