/* What the program finds in the database: its tables, and what the database promises. */
#ifndef STORE_POSTGRES_SCHEMA_H
#define STORE_POSTGRES_SCHEMA_H

#include "store/postgres/link.h"

enum { SCHEMA_TIMEOUT_MS = 60 * 1000, PROMISE_BYTES = 512 };

/* Makes the schema where there is none, brings an older one up to date, refuses a newer one or a foreign one;
 * under a lock, so that many may start at the same time. Where may_write is not set it only looks. False, and
 * l->why is a sentence. */
bool schema_prepare(struct link *l, bool may_write) MUST_CHECK;

/* Whether what the database answers for is enough: every commit on disk here and at a synchronous standby, or
 * here alone when is_alone says that nothing else is meant. promise becomes a sentence about it. False, and
 * l->why is a sentence that says what to set. */
bool schema_promise(struct link *l, bool is_alone, char promise[PROMISE_BYTES]) MUST_CHECK;

#endif
