/* A disk that fails on demand: SQLite's own file system with errors in place of some answers. */
#ifndef TESTS_FAULTY_VFS_H
#define TESTS_FAULTY_VFS_H

enum fault {
    FAULT_NONE,
    FAULT_FULL,  /* writes find the disk full */
    FAULT_WRITE, /* writes fail */
    FAULT_SYNC,  /* writes work, but the disk does not say that they are lasting */
};

/* Registers it under the name "faulty", once. */
void faulty_vfs_register(void);

/* From now on, for all files and threads. */
void faulty_vfs_set(enum fault);

/* Called once, in the middle of the next answer that is an error: what is in the files then is what a crash
 * at that moment leaves. */
void faulty_vfs_at_fault(void (*look)(void));

#endif
