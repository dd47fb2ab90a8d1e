/* The decision of a bot that sits at a table, as a job for the thinker (host/thinker.h). */
#ifndef HOST_TABLE_JOB_H
#define HOST_TABLE_JOB_H

#include "host/table/table.h"
#include "host/thinker.h"

/* With what the seat may know now, chance that follows from the table's secret, and in the account of whoever
 * opened the table; done, context and the rest are the asker's. Gives. */
struct thinker_job *table_job_create(const struct table *, unsigned seat, unsigned level);
void table_job_free(struct thinker_job *);

#endif
