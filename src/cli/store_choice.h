/* Which store a command is about: --store says it, and --data where the file of SQLite lies. */
#ifndef CLI_STORE_CHOICE_H
#define CLI_STORE_CHOICE_H

#include "store/store.h"

enum store_kind { STORE_KIND_SQLITE, STORE_KIND_MEMORY, STORE_KIND_POSTGRES };

/* "sqlite", "memory" or the URL of a database, postgresql://...; false when it is none of them. */
bool store_choice_parse(const char *text, enum store_kind *out);

/* Opens the store for reading: the file in the directory data, or the database. Says why on standard error
 * when it cannot. NULL then. */
struct store *store_choice_read(const char *data, const char *store);

#endif
