#include "store/data_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATA_DIR_MODE = 0700, LOCK_MODE = 0600 };

enum err data_dir_open(struct data_dir *dir, const char *path, char *complaint, size_t complaint_size) {
    char lock[PATH_MAX];
    dir->lock_fd = -1;
    if (snprintf(lock, sizeof lock, "%s/lock", path) >= (int)sizeof lock) {
        snprintf(complaint, complaint_size, "the name of the data directory is too long");
        return ERR_IO;
    }
    if (mkdir(path, DATA_DIR_MODE) != 0 && errno != EEXIST) {
        snprintf(complaint, complaint_size, "cannot make the data directory %s: %s", path, strerror(errno));
        return ERR_IO;
    }
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    if (fd < 0) {
        snprintf(complaint, complaint_size, "cannot write in the data directory %s: %s", path,
                 strerror(errno));
        return ERR_IO;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            snprintf(complaint, complaint_size, "another server is using the data directory %s", path);
        else
            snprintf(complaint, complaint_size, "cannot lock the data directory %s: %s", path,
                     strerror(errno));
        close(fd);
        return ERR_IO;
    }
    dir->lock_fd = fd;
    return ERR_OK;
}

void data_dir_close(struct data_dir *dir) {
    if (dir->lock_fd >= 0)
        close(dir->lock_fd);
    dir->lock_fd = -1;
}
