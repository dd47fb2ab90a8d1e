#include "server/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers may be older than the kernel, whose interface these numbers are. */
#define SANDBOX_REFER       (UINT64_C(1) << 13) /* since version 2 */
#define SANDBOX_TRUNCATE    (UINT64_C(1) << 14) /* since version 3 */
#define SANDBOX_CONNECT_TCP (UINT64_C(1) << 1)  /* since version 4 */

enum { SANDBOX_ABI_REFER = 2, SANDBOX_ABI_TRUNCATE = 3, SANDBOX_ABI_NET = 4 };

static const uint64_t read_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t write_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                     SANDBOX_REFER | SANDBOX_TRUNCATE;
static const uint64_t file_rights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | SANDBOX_TRUNCATE;

/* As the kernel knows it, whatever the headers do. */
struct sandbox_ruleset {
    uint64_t files, net;
};

void sandbox_allow(struct sandbox *s, const char *path, bool is_written) {
    if (s->count == SANDBOX_PATHS_MAX || path == NULL || strlen(path) >= SANDBOX_PATH_BYTES_MAX ||
        access(path, F_OK) != 0)
        return;
    struct sandbox_path *p = &s->paths[s->count++];
    snprintf(p->path, sizeof p->path, "%s", path);
    p->is_written = is_written;
}

void sandbox_allow_beside(struct sandbox *s, const char *file, bool is_written) {
    char folder[SANDBOX_PATH_BYTES_MAX];
    if (file == NULL || strlen(file) >= sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        slash[slash == folder] = '\0';
    sandbox_allow(s, folder, is_written);
}

void sandbox_allow_system(struct sandbox *s) {
    static const char *const files[] = {"/usr/lib",
                                        "/usr/share/zoneinfo",
                                        "/usr/share/ca-certificates",
                                        "/lib",
                                        "/lib64",
                                        "/etc/ssl",
                                        "/etc/hosts",
                                        "/etc/resolv.conf",
                                        "/etc/nsswitch.conf",
                                        "/etc/host.conf",
                                        "/etc/gai.conf",
                                        "/etc/services",
                                        "/etc/ld.so.cache",
                                        "/etc/localtime",
                                        "/etc/passwd",
                                        "/proc/self",
                                        "/proc/self/exe",
                                        "/dev/urandom",
                                        "/dev/null"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sandbox_allow(s, files[i], false);
}

static uint64_t sandbox_handled(int abi) {
    uint64_t rights =
        (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* all of version 1, running programs among them */
    rights |= abi >= SANDBOX_ABI_REFER ? SANDBOX_REFER : 0;
    return rights | (abi >= SANDBOX_ABI_TRUNCATE ? SANDBOX_TRUNCATE : 0);
}

static void sandbox_rule(int ruleset, const struct sandbox_path *p, uint64_t handled) {
    struct stat found;
    int fd = open(p->path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    uint64_t rights = read_rights | (p->is_written ? write_rights : 0);
    if (fstat(fd, &found) == 0 && !S_ISDIR(found.st_mode))
        rights &= file_rights;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & handled, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

int sandbox_files(const struct sandbox *s) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi <= 0)
        return 0;
    uint64_t handled = sandbox_handled(abi);
    struct sandbox_ruleset about = {.files = handled, .net = s->connects ? 0 : SANDBOX_CONNECT_TCP};
    size_t size = abi >= SANDBOX_ABI_NET ? sizeof about : sizeof about.files;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &about, size, 0);
    if (ruleset < 0)
        return 0;
    for (size_t i = 0; i < s->count; i++)
        sandbox_rule(ruleset, &s->paths[i], handled);
    bool is_kept = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return is_kept ? abi : 0;
}

/* Calls that a game server never needs, whoever has taken it over. */
static const int sandbox_denied[] = {
    SCMP_SYS(execve),          SCMP_SYS(execveat),         SCMP_SYS(fork),
    SCMP_SYS(vfork),           SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(mount),           SCMP_SYS(umount2),          SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),          SCMP_SYS(unshare),          SCMP_SYS(setns),
    SCMP_SYS(setuid),          SCMP_SYS(setgid),           SCMP_SYS(setreuid),
    SCMP_SYS(setregid),        SCMP_SYS(setresuid),        SCMP_SYS(setresgid),
    SCMP_SYS(setgroups),       SCMP_SYS(capset),           SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),      SCMP_SYS(keyctl),
    SCMP_SYS(add_key),         SCMP_SYS(request_key),      SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),     SCMP_SYS(finit_module),     SCMP_SYS(delete_module),
    SCMP_SYS(reboot),          SCMP_SYS(swapon),           SCMP_SYS(swapoff),
    SCMP_SYS(settimeofday),    SCMP_SYS(clock_settime),    SCMP_SYS(open_by_handle_at),
#if !defined(__SANITIZE_ADDRESS__) /* whose search for leaks traces the process at its end */
    SCMP_SYS(ptrace),
#endif
};

bool sandbox_calls(const struct sandbox *s) {
    bool is_good = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL)
        return false;
    is_good = is_good && seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0;
    for (size_t i = 0; i < sizeof sandbox_denied / sizeof *sandbox_denied; i++)
        is_good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), sandbox_denied[i], 0) == 0 && is_good;
    if (!s->connects)
        is_good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(connect), 0) == 0 && is_good;
    is_good = is_good && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_good;
}
