/* A disk in memory as a VFS for SQLite, with everything that real ones do to their users: writes that have
 * not been synced are lost, torn and reordered by sectors when the power goes; writes and syncs fail; the
 * disk is full for a while; what was written before a failed sync may never become lasting although a later
 * sync succeeds. It is the only VFS that the simulation uses, and every choice comes from its seed. */
#ifndef SIM_DISK_H
#define SIM_DISK_H

#include "faulty_vfs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_VFS "sim"

enum { DISK_SECTOR_BYTES = 512 };

enum disk_end {
    DISK_KILLED,    /* the process is gone, what it has written is in the hands of the system */
    DISK_POWER_CUT, /* the machine is gone, and with it what was not synced, in part */
};

struct disk_counts {
    uint64_t writes, syncs, faults; /* faults: operations that were refused */
    uint64_t sectors_lost;          /* by power cuts and failed syncs */
};

/* A new and empty disk; there is one at a time. Registers the VFS when that is not done yet. */
void disk_create(uint64_t seed, bool is_powersafe);
void disk_destroy(void);

/* What goes wrong from now on, in percent of the operations that it applies to. */
void disk_fault_set(enum fault, unsigned percent);

/* For the proof that the simulation would notice: syncs succeed without doing anything. */
void disk_lie(bool does_lie);

/* The end comes in the middle of the operation that is so many further, or at once with 0. From then on every
 * operation on files that are open fails and changes nothing, until disk_revive. */
void disk_end_after(uint64_t operations, enum disk_end);
bool disk_is_dead(void);

/* The machine is back; files have to be opened anew. Nothing is wrong any more. */
void disk_revive(void);

/* Copies what a read gives of a file and of those that belong to it to other names, for somebody who tries
 * something with it: until disk_copy_end the disk is well, counts nothing and draws nothing of its own. */
void disk_copy_begin(const char *from, const char *to);
/* The copies are closed, and gone. */
void disk_copy_end(const char *to);
/* Changes the bytes of a file from some place on. */
void disk_damage(const char *path, uint64_t at, const void *bytes, size_t size);
size_t disk_size(const char *path);

struct disk_counts disk_counts(void);

#endif
