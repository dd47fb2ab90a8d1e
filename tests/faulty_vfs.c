#include "faulty_vfs.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int fault_now;
static void (*at_fault)(void);

static int fault(int code) {
    void (*look)(void) = at_fault;
    at_fault = NULL;
    if (look != NULL)
        look();
    return code;
}

struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real; /* lies behind this struct */
};

static sqlite3_file *real_of(sqlite3_file *file) {
    return ((struct faulty_file *)(void *)file)->real;
}

static int faulty_close(sqlite3_file *f) {
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int faulty_read(sqlite3_file *f, void *out, int size, sqlite3_int64 at) {
    return real_of(f)->pMethods->xRead(real_of(f), out, size, at);
}

static int faulty_write(sqlite3_file *f, const void *data, int size, sqlite3_int64 at) {
    if (fault_now == FAULT_FULL)
        return fault(SQLITE_FULL);
    if (fault_now == FAULT_WRITE)
        return fault(SQLITE_IOERR_WRITE);
    return real_of(f)->pMethods->xWrite(real_of(f), data, size, at);
}

static int faulty_truncate(sqlite3_file *f, sqlite3_int64 size) {
    return real_of(f)->pMethods->xTruncate(real_of(f), size);
}

static int faulty_sync(sqlite3_file *f, int flags) {
    if (fault_now == FAULT_SYNC)
        return fault(SQLITE_IOERR_FSYNC);
    return real_of(f)->pMethods->xSync(real_of(f), flags);
}

static int faulty_size(sqlite3_file *f, sqlite3_int64 *out) {
    return real_of(f)->pMethods->xFileSize(real_of(f), out);
}

static int faulty_lock(sqlite3_file *f, int level) {
    return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int faulty_unlock(sqlite3_file *f, int level) {
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int faulty_check_lock(sqlite3_file *f, int *out) {
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int faulty_control(sqlite3_file *f, int op, void *arg) {
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int faulty_sector(sqlite3_file *f) {
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int faulty_device(sqlite3_file *f) {
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int faulty_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
    return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}

static int faulty_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
    return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void faulty_shm_barrier(sqlite3_file *f) {
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int faulty_shm_unmap(sqlite3_file *f, int remove) {
    return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check_lock,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_device,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    sqlite3_vfs *real = vfs->pAppData;
    struct faulty_file *f = (struct faulty_file *)(void *)file;
    f->real = (sqlite3_file *)(void *)(f + 1);
    int code = real->xOpen(real, name, f->real, flags, out_flags);
    f->base.pMethods = f->real->pMethods == NULL ? NULL : &methods;
    return code;
}

void faulty_vfs_register(void) {
    static sqlite3_vfs faulty;
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    if (faulty.zName != NULL)
        return;
    faulty = *real;
    faulty.pNext = NULL;
    faulty.zName = "faulty";
    faulty.pAppData = real;
    faulty.szOsFile = (int)sizeof(struct faulty_file) + real->szOsFile;
    faulty.xOpen = faulty_open;
    sqlite3_vfs_register(&faulty, 0);
}

void faulty_vfs_at_fault(void (*look)(void)) {
    at_fault = look;
}

void faulty_vfs_set(enum fault next) {
    fault_now = (int)next;
}
