#include "disk.h"

#include "base/rng.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { PATH_BYTES_MAX = 64 };

/* What the disk has been asked to do to a file since its last sync: a write, or a cut to a size. */
struct change {
    struct change *next, *prev;
    bool is_truncate;
    int64_t at; /* or the new size */
    size_t size;
    uint8_t data[];
};

struct image {
    uint8_t *data;
    size_t size, capacity;
};

struct inode {
    struct inode *next, *prev;
    char path[PATH_BYTES_MAX]; /* "": has no name and goes with its handle */
    unsigned handles;
    bool is_deleted;
    struct image seen;    /* what a read gives */
    struct image lasting; /* what is there after a power cut, whatever happens */
    struct change *changes;
};

struct handle {
    sqlite3_file base; /* first */
    struct inode *inode;
    uint64_t life; /* of the disk in which it was opened */
};

/* The memory of the disk does not come from mem_alloc: that is counted as the server's. */
static struct disk {
    struct inode *inodes;
    struct rng rng, mark_rng;
    bool is_powersafe, does_lie;
    enum fault fault;
    unsigned fault_percent;
    bool will_end, is_dead;
    uint64_t end_in;
    enum disk_end end;
    uint64_t life;
    struct disk_counts counts;
} disk;

static void image_fit(struct image *image, size_t size) {
    if (size > image->capacity) {
        image->capacity = size + size / 2;
        image->data = realloc(image->data, image->capacity);
        assert(image->data != NULL);
    }
}

static void image_resize(struct image *image, size_t size) {
    image_fit(image, size);
    if (size > image->size)
        memset(image->data + image->size, 0, size - image->size);
    image->size = size;
}

static void image_write(struct image *image, int64_t at, const void *data, size_t size) {
    if (size == 0) /* of a write that was torn at its very start */
        return;
    if ((size_t)at + size > image->size)
        image_resize(image, (size_t)at + size);
    memcpy(image->data + at, data, size);
}

static void change_add(struct inode *inode, bool is_truncate, int64_t at, const void *data, size_t size) {
    struct change *change = calloc(1, sizeof *change + size);
    assert(change != NULL);
    change->is_truncate = is_truncate;
    change->at = at;
    change->size = size;
    if (size > 0)
        memcpy(change->data, data, size);
    DL_APPEND(inode->changes, change);
}

static void changes_drop(struct inode *inode) {
    struct change *change, *next;
    DL_FOREACH_SAFE(inode->changes, change, next)
    free(change);
    inode->changes = NULL;
}

/* The sectors of a write reach the disk each on its own: this one with so many percent. */
static void change_tear(struct inode *inode, const struct change *change, unsigned percent) {
    for (size_t done = 0; done < change->size;) {
        int64_t at = change->at + (int64_t)done;
        size_t piece = DISK_SECTOR_BYTES - (size_t)(at % DISK_SECTOR_BYTES);
        if (piece > change->size - done)
            piece = change->size - done;
        if (rng_below(&disk.rng, 100) < percent)
            image_write(&inode->lasting, at, change->data + done, piece);
        else
            disk.counts.sectors_lost++;
        done += piece;
    }
}

/* Of what has not been synced, a random part becomes lasting and the rest never will. */
static void changes_tear(struct inode *inode, unsigned percent) {
    struct change *change;
    DL_FOREACH(inode->changes, change) {
        if (!change->is_truncate)
            change_tear(inode, change, percent);
        else if (rng_below(&disk.rng, 100) < percent)
            image_resize(&inode->lasting, (size_t)change->at);
    }
    changes_drop(inode);
}

static void changes_last(struct inode *inode) {
    struct change *change;
    DL_FOREACH(inode->changes, change) {
        if (change->is_truncate)
            image_resize(&inode->lasting, (size_t)change->at);
        else
            image_write(&inode->lasting, change->at, change->data, change->size);
    }
    changes_drop(inode);
}

static void inode_free(struct inode *inode) {
    DL_DELETE(disk.inodes, inode);
    changes_drop(inode);
    free(inode->seen.data);
    free(inode->lasting.data);
    free(inode);
}

static struct inode *inode_find(const char *path) {
    struct inode *inode;
    DL_FOREACH(disk.inodes, inode) {
        if (!inode->is_deleted && strcmp(inode->path, path) == 0)
            return inode;
    }
    return NULL;
}

static struct inode *inode_make(const char *path) {
    struct inode *inode = calloc(1, sizeof *inode);
    assert(inode != NULL && strlen(path) < sizeof inode->path);
    snprintf(inode->path, sizeof inode->path, "%s", path);
    DL_APPEND(disk.inodes, inode);
    return inode;
}

/* The mark of the store is written after everything else and never synced. It has chances of its own, and is
 * not an operation in whose middle the end comes: so it changes nothing in what a seed does to the rest. */
static bool is_mark(const struct inode *inode) {
    size_t size = strlen(inode->path), suffix = sizeof "-mark" - 1;
    return size > suffix && strcmp(inode->path + size - suffix, "-mark") == 0;
}

static void mark_cut(struct inode *inode) {
    struct change *change;
    DL_FOREACH(inode->changes, change) {
        for (size_t done = 0; done < change->size; done += DISK_SECTOR_BYTES)
            if (rng_below(&disk.mark_rng, 8) > 0) {
                size_t rest = change->size - done;
                image_write(&inode->lasting, change->at + (int64_t)done, change->data + done,
                            rest < DISK_SECTOR_BYTES ? rest : DISK_SECTOR_BYTES);
            }
    }
    changes_drop(inode);
}

static void power_cut(void) {
    static const unsigned percents[] = {0, 20, 50, 80, 100};
    unsigned percent = percents[rng_below(&disk.rng, 5)];
    struct inode *inode;
    DL_FOREACH(disk.inodes, inode) {
        if (is_mark(inode))
            mark_cut(inode);
        else
            changes_tear(inode, percent);
        image_resize(&inode->seen, 0);
        image_write(&inode->seen, 0, inode->lasting.data, inode->lasting.size);
    }
}

static void end_now(void) {
    if (disk.end == DISK_POWER_CUT)
        power_cut();
    disk.will_end = false;
    disk.is_dead = true;
    disk.life++;
}

void disk_end_after(uint64_t operations, enum disk_end end) {
    disk.will_end = true;
    disk.end_in = operations;
    disk.end = end;
    if (operations == 0)
        end_now();
}

bool disk_is_dead(void) {
    return disk.is_dead;
}

void disk_revive(void) {
    disk.is_dead = false;
    disk.will_end = false;
    disk_fault_set(FAULT_NONE, 0);
}

void disk_fault_set(enum fault fault, unsigned percent) {
    disk.fault = fault;
    disk.fault_percent = percent;
}

void disk_lie(bool does_lie) {
    disk.does_lie = does_lie;
}

struct disk_counts disk_counts(void) {
    return disk.counts;
}

static struct disk disk_before; /* a copy was made */

void disk_copy_begin(const char *from, const char *to) {
    struct inode *inode, *next;
    size_t size = strlen(from);
    disk_before = disk;
    disk.fault = FAULT_NONE;
    disk.will_end = false;
    DL_FOREACH_SAFE(disk.inodes, inode, next) {
        char path[2 * PATH_BYTES_MAX];
        if (inode->is_deleted || strncmp(inode->path, from, size) != 0)
            continue;
        snprintf(path, sizeof path, "%s%s", to, inode->path + size);
        struct inode *copy = inode_make(path);
        image_write(&copy->seen, 0, inode->seen.data, inode->seen.size);
        image_write(&copy->lasting, 0, inode->seen.data, inode->seen.size);
    }
}

void disk_copy_end(const char *to) {
    struct inode *inode, *next;
    DL_FOREACH_SAFE(disk.inodes, inode, next) {
        if (strncmp(inode->path, to, strlen(to)) == 0) {
            assert(inode->handles == 0);
            inode_free(inode);
        }
    }
    struct inode *inodes = disk.inodes;
    disk = disk_before;
    disk.inodes = inodes;
}

size_t disk_size(const char *path) {
    const struct inode *inode = inode_find(path);
    return inode == NULL ? 0 : inode->seen.size;
}

void disk_damage(const char *path, uint64_t at, const void *bytes, size_t size) {
    struct inode *inode = inode_find(path);
    assert(inode != NULL && at + size <= inode->seen.size);
    image_write(&inode->seen, (int64_t)at, bytes, size);
}

static bool fails(enum fault fault) {
    if (disk.fault != fault || rng_below(&disk.rng, 100) >= disk.fault_percent)
        return false;
    disk.counts.faults++;
    return true;
}

/* Counts an operation that changes something. True when it is the one in whose middle the end comes. */
static bool is_last(void) {
    return disk.will_end && disk.end_in-- <= 1;
}

static struct inode *live(sqlite3_file *file) {
    struct handle *handle = (struct handle *)(void *)file;
    return disk.is_dead || handle->life != disk.life ? NULL : handle->inode;
}

static int on_close(sqlite3_file *file) {
    struct handle *handle = (struct handle *)(void *)file;
    handle->inode->handles--;
    if (handle->inode->handles == 0 && (handle->inode->is_deleted || handle->inode->path[0] == '\0'))
        inode_free(handle->inode);
    return SQLITE_OK;
}

static int on_read(sqlite3_file *file, void *out, int size, sqlite3_int64 at) {
    struct inode *inode = live(file);
    if (inode == NULL)
        return SQLITE_IOERR_READ;
    size_t there = (size_t)at >= inode->seen.size ? 0 : inode->seen.size - (size_t)at;
    size_t got = there < (size_t)size ? there : (size_t)size;
    if (got > 0)
        memcpy(out, inode->seen.data + at, got);
    memset((char *)out + got, 0, (size_t)size - got);
    return got == (size_t)size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static void write_some(struct inode *inode, const void *data, size_t size, int64_t at) {
    if (size == 0)
        return;
    image_write(&inode->seen, at, data, size);
    change_add(inode, false, at, data, size);
}

/* A write that fails has written a part. */
static int on_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    struct inode *inode = live(file);
    if (inode == NULL)
        return SQLITE_IOERR_WRITE;
    if (is_mark(inode)) {
        if (rng_below(&disk.mark_rng, 4) == 0)
            changes_last(inode); /* the system writes it back when it likes */
        write_some(inode, data, (size_t)size, at);
        return SQLITE_OK;
    }
    disk.counts.writes++;
    bool is_end = is_last(), is_full = fails(FAULT_FULL), is_broken = fails(FAULT_WRITE);
    size_t part = (size_t)size;
    if (is_end || is_full || is_broken)
        part = rng_below(&disk.rng, (uint32_t)size);
    write_some(inode, data, part, at);
    if (is_end)
        end_now();
    return is_full ? SQLITE_FULL : is_end || is_broken ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct inode *inode = live(file);
    if (inode == NULL)
        return SQLITE_IOERR_TRUNCATE;
    if (is_last()) {
        end_now();
        return SQLITE_IOERR_TRUNCATE;
    }
    image_resize(&inode->seen, (size_t)size);
    change_add(inode, true, size, NULL, 0);
    return SQLITE_OK;
}

static int on_sync(sqlite3_file *file, int flags) {
    struct inode *inode = live(file);
    (void)flags;
    if (inode == NULL)
        return SQLITE_IOERR_FSYNC;
    disk.counts.syncs++;
    if (is_last()) {
        end_now();
        return SQLITE_IOERR_FSYNC;
    }
    if (fails(FAULT_SYNC)) {
        /* The system takes the pages for clean from now on. Not on disks without safe overwriting: for those
         * SQLite writes the end of a padded log after the sync and relies on the next one. */
        if (disk.is_powersafe && rng_below(&disk.rng, 2) == 0)
            changes_tear(inode, rng_below(&disk.rng, 101));
        return SQLITE_IOERR_FSYNC;
    }
    if (!disk.does_lie)
        changes_last(inode);
    return SQLITE_OK;
}

static int on_size(sqlite3_file *file, sqlite3_int64 *out) {
    struct inode *inode = live(file);
    *out = inode == NULL ? 0 : (sqlite3_int64)inode->seen.size;
    return inode == NULL ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

static int on_lock(sqlite3_file *file, int level) {
    (void)file;
    (void)level;
    return SQLITE_OK;
}

static int on_check_lock(sqlite3_file *file, int *out) {
    (void)file;
    *out = 0;
    return SQLITE_OK;
}

static int on_control(sqlite3_file *file, int operation, void *argument) {
    (void)file;
    (void)operation;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int on_sector(sqlite3_file *file) {
    (void)file;
    return DISK_SECTOR_BYTES;
}

static int on_device(sqlite3_file *file) {
    (void)file;
    return disk.is_powersafe ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0;
}

static int on_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    static const sqlite3_io_methods methods = {
        .iVersion = 1, /* no shared memory: the file belongs to one connection */
        .xClose = on_close,
        .xRead = on_read,
        .xWrite = on_write,
        .xTruncate = on_truncate,
        .xSync = on_sync,
        .xFileSize = on_size,
        .xLock = on_lock,
        .xUnlock = on_lock,
        .xCheckReservedLock = on_check_lock,
        .xFileControl = on_control,
        .xSectorSize = on_sector,
        .xDeviceCharacteristics = on_device,
    };
    struct handle *handle = (struct handle *)(void *)file;
    (void)vfs;
    file->pMethods = NULL;
    if (disk.is_dead)
        return SQLITE_CANTOPEN;
    struct inode *inode = path == NULL ? NULL : inode_find(path);
    if (inode == NULL) {
        if ((flags & SQLITE_OPEN_CREATE) == 0)
            return SQLITE_CANTOPEN;
        inode = inode_make(path == NULL ? "" : path);
    }
    inode->handles++;
    *handle = (struct handle){.base = {&methods}, .inode = inode, .life = disk.life};
    if (out_flags != NULL)
        *out_flags = flags;
    return SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *path, int is_synced) {
    (void)vfs;
    (void)is_synced;
    if (disk.is_dead)
        return SQLITE_IOERR_DELETE;
    struct inode *inode = inode_find(path);
    if (inode == NULL)
        return SQLITE_IOERR_DELETE_NOENT;
    if (is_last()) {
        end_now();
        return SQLITE_IOERR_DELETE;
    }
    inode->is_deleted = true;
    if (inode->handles == 0)
        inode_free(inode);
    return SQLITE_OK;
}

static int on_access(sqlite3_vfs *vfs, const char *path, int flags, int *out) {
    (void)vfs;
    struct inode *inode = disk.is_dead ? NULL : inode_find(path);
    *out = inode != NULL && (flags != SQLITE_ACCESS_EXISTS || inode->seen.size > 0);
    return disk.is_dead ? SQLITE_IOERR_ACCESS : SQLITE_OK;
}

static int on_full_path(sqlite3_vfs *vfs, const char *path, int size, char *out) {
    (void)vfs;
    snprintf(out, (size_t)size, "%s", path);
    return SQLITE_OK;
}

static int on_randomness(sqlite3_vfs *vfs, int size, char *out) {
    (void)vfs;
    for (int i = 0; i < size; i++)
        out[i] = (char)rng_next(&disk.rng);
    return size;
}

static int on_sleep(sqlite3_vfs *vfs, int us) {
    (void)vfs;
    return us;
}

static int on_time(sqlite3_vfs *vfs, double *out) {
    (void)vfs;
    *out = 2460000.5;
    return SQLITE_OK;
}

static int on_error(sqlite3_vfs *vfs, int size, char *out) {
    (void)vfs;
    (void)size;
    (void)out;
    return 0;
}

void disk_create(uint64_t seed, bool is_powersafe) {
    static sqlite3_vfs vfs = {
        .iVersion = 1,
        .szOsFile = sizeof(struct handle),
        .mxPathname = PATH_BYTES_MAX,
        .zName = DISK_VFS,
        .xOpen = on_open,
        .xDelete = on_delete,
        .xAccess = on_access,
        .xFullPathname = on_full_path,
        .xRandomness = on_randomness,
        .xSleep = on_sleep,
        .xCurrentTime = on_time,
        .xGetLastError = on_error,
    };
    /* The default, because it is the default one that SQLite asks for random numbers. */
    if (sqlite3_vfs_find(DISK_VFS) == NULL)
        sqlite3_vfs_register(&vfs, 1);
    uint64_t life = disk.life;
    disk = (struct disk){.is_powersafe = is_powersafe, .life = life + 1};
    rng_seed(&disk.rng, seed);
    rng_seed(&disk.mark_rng, seed + 1);
    sqlite3_randomness(0, NULL); /* the next number starts from ours */
}

void disk_destroy(void) {
    struct inode *inode, *next;
    DL_FOREACH_SAFE(disk.inodes, inode, next) {
        assert(inode->handles == 0);
        inode_free(inode);
    }
}
