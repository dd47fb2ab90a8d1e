/* What options were set to at some time, as text, so that it is known which have changed when they are read
 * again. */
#ifndef CLI_OPTIONS_CHANGE_H
#define CLI_OPTIONS_CHANGE_H

#include "base/buf.h"
#include "cli/options.h"

/* Appends every option with its value, in their order. */
void options_note(const struct options *, struct buf *out);

/* Shows the names of those that differ between two notes of the same options. */
void options_changed(struct span before, struct span after, void (*visit)(void *context, struct span name),
                     void *context);

#endif
