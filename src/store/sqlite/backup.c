/* A copy of the journal while the server runs. The copy is made from one snapshot, so that it does not start
 * over with every commit, and comes into its place whole or not at all. */
#include "store/sqlite/db.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    BACKUP_PAGES_PER_STEP = 1024,
    BACKUP_BUSY_PAUSE_MS = 20,
    BACKUP_BUSY_TRIES_MAX = 500, /* in a row: ten seconds */
};

static int copy_pages(sqlite3 *from, sqlite3 *to) {
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    int code, busy = 0;
    if (backup == NULL)
        return sqlite3_errcode(to);
    do {
        code = sqlite3_backup_step(backup, BACKUP_PAGES_PER_STEP);
        bool is_busy = code == SQLITE_BUSY || code == SQLITE_LOCKED;
        busy = is_busy ? busy + 1 : 0;
        if (is_busy)
            sqlite3_sleep(BACKUP_BUSY_PAUSE_MS);
    } while (code == SQLITE_OK || (busy > 0 && busy < BACKUP_BUSY_TRIES_MAX));
    sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static enum err copy_file(struct db *from, const char *path, char *why, size_t why_size) {
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK)
        code = copy_pages(from->handle, to);
    if (code != SQLITE_OK)
        snprintf(why, why_size, "the copy cannot be written: %s",
                 to == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(to));
    if (sqlite3_close(to) != SQLITE_OK)
        code = SQLITE_ERROR;
    return code == SQLITE_OK ? ERR_OK : ERR_IO;
}

/* A new name is only lasting once its directory is on disk. */
static int sync_directory_of(const char *path) {
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int result = fsync(fd);
    close(fd);
    return result;
}

static enum err move_into_place(const char *from, const char *to, char *why, size_t why_size) {
    if (rename(from, to) == 0 && sync_directory_of(to) == 0)
        return ERR_OK;
    snprintf(why, why_size, "the copy cannot be moved to %s: %s", to, strerror(errno));
    return ERR_IO;
}

enum err store_sqlite_backup(const char *from_path, const char *to_path, const char **complaint) {
    static _Thread_local char why[DB_COMPLAINT_BYTES];
    char temporary[PATH_MAX];
    struct db from;
    if (complaint != NULL)
        *complaint = why;
    if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", to_path) >= (int)sizeof temporary) {
        snprintf(why, sizeof why, "the name of the copy is too long");
        return ERR_IO;
    }
    enum err e = db_open(&from, from_path, NULL, DB_READ, false, why);
    if (e != ERR_OK)
        return e;
    int fd = mkstemp(temporary);
    if (fd < 0) {
        snprintf(why, sizeof why, "the copy %s cannot be written: %s", to_path, strerror(errno));
        db_close(&from);
        return ERR_IO;
    }
    close(fd);
    /* Reading anything inside a transaction takes the snapshot. */
    if (sqlite3_exec(from.handle, "BEGIN; SELECT count(*) FROM meta", NULL, NULL, NULL) != SQLITE_OK) {
        snprintf(why, sizeof why, "the journal cannot be read: %s", sqlite3_errmsg(from.handle));
        e = ERR_IO;
    }
    if (e == ERR_OK)
        e = copy_file(&from, temporary, why, sizeof why);
    db_close(&from);
    if (e == ERR_OK)
        e = move_into_place(temporary, to_path, why, sizeof why);
    if (e != ERR_OK)
        unlink(temporary);
    return e;
}
