#include "store/sqlite/mark.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static const char magic[] = "PRLRMARK";
enum { HEAD_BYTES = 24, ENTRY_BYTES = 24, DIGEST_AT = MARK_BYTES - DIGEST_BYTES };
_Static_assert(HEAD_BYTES + MARK_ENTRIES_MAX * ENTRY_BYTES <= DIGEST_AT, "all of it fits");

void mark_open(struct mark *m, const char *database, const char *vfs_name, bool is_written) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    *m = (struct mark){0};
    /* The kind of file whose owner and rights SQLite takes from the database. Its names end with two zeros.
     */
    size_t size = strlen(database) + sizeof MARK_SUFFIX;
    m->path = mem_alloc(size + 1);
    snprintf(m->path, size, "%s" MARK_SUFFIX, database);
    m->file = vfs == NULL ? NULL : mem_alloc((size_t)vfs->szOsFile);
    int flags =
        SQLITE_OPEN_WAL | (is_written ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
    if (m->file != NULL && vfs->xOpen(vfs, m->path, m->file, flags, NULL) == SQLITE_OK)
        return;
    mem_free(m->file);
    m->file = NULL;
}

void mark_close(struct mark *m) {
    if (m->file != NULL)
        m->file->pMethods->xClose(m->file);
    mem_free(m->file);
    mem_free(m->path);
    *m = (struct mark){0};
}

static void image_digest(const uint8_t *image, struct digest *out) {
    const struct span pieces[] = {span_make(image, DIGEST_AT)};
    digest_of(out, NULL, pieces, 1);
}

bool mark_read(struct mark *m) {
    uint8_t image[MARK_BYTES];
    struct digest right;
    mark_clear(m, 0);
    if (m->file == NULL || m->file->pMethods->xRead(m->file, image, MARK_BYTES, 0) != SQLITE_OK)
        return false;
    image_digest(image, &right);
    uint64_t count = digest_to_number(image + 16);
    if (memcmp(image, magic, 8) != 0 || memcmp(image + DIGEST_AT, right.bytes, DIGEST_BYTES) != 0 ||
        count > MARK_ENTRIES_MAX)
        return false;
    m->last_id = digest_to_number(image + 8);
    m->entry_count = (size_t)count;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = image + HEAD_BYTES + i * ENTRY_BYTES;
        m->entries[i] =
            (struct mark_entry){digest_to_number(at), digest_to_number(at + 8), digest_to_number(at + 16)};
    }
    return true;
}

void mark_add(struct mark *m, const struct mark_entry *entry) {
    size_t i = 0;
    while (i < m->entry_count && m->entries[i].table != entry->table)
        i++;
    if (i == m->entry_count && m->entry_count < MARK_ENTRIES_MAX)
        m->entry_count++;
    if (i == MARK_ENTRIES_MAX)
        i--;
    memmove(m->entries + 1, m->entries, i * sizeof m->entries[0]);
    m->entries[0] = *entry;
    if (entry->id > m->last_id)
        m->last_id = entry->id;
}

void mark_clear(struct mark *m, uint64_t last_id) {
    m->last_id = last_id;
    m->entry_count = 0;
}

void mark_write(struct mark *m) {
    uint8_t image[MARK_BYTES] = {0};
    struct digest digest;
    if (m->file == NULL)
        return;
    memcpy(image, magic, 8);
    digest_number(m->last_id, image + 8);
    digest_number(m->entry_count, image + 16);
    for (size_t i = 0; i < m->entry_count; i++) {
        uint8_t *at = image + HEAD_BYTES + i * ENTRY_BYTES;
        digest_number(m->entries[i].table, at);
        digest_number(m->entries[i].seq, at + 8);
        digest_number(m->entries[i].id, at + 16);
    }
    image_digest(image, &digest);
    memcpy(image + DIGEST_AT, digest.bytes, DIGEST_BYTES);
    /* One that cannot be written stays as it was, or is torn: then it knows less, or nothing. */
    int code = m->file->pMethods->xWrite(m->file, image, MARK_BYTES, 0);
    (void)code;
}
