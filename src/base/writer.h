/* One walk over a thing, many forms of it: a game describes its view as objects, lists and values, and the
 * writer decides whether that becomes JSON or text for people. */
#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include "base/buf.h"

enum { WRITER_DEPTH_MAX = 16 };

enum writer_form { WRITER_JSON, WRITER_TEXT };

struct writer {
    struct buf *out; /* borrows */
    enum writer_form form;
    int depth;
    bool in_list[WRITER_DEPTH_MAX];
    bool has_items[WRITER_DEPTH_MAX];
};

void writer_init(struct writer *, enum writer_form form, struct buf *out);

/* Begins a message in JSON: an object that is still open, with its type. */
struct writer writer_message(struct buf *out, const char *type);

/* The name is ignored inside a list and for the outermost thing; give NULL there. */
void writer_object_begin(struct writer *, const char *name);
void writer_object_end(struct writer *);
void writer_list_begin(struct writer *, const char *name);
void writer_list_end(struct writer *);
void writer_int(struct writer *, const char *name, int64_t value);
void writer_bool(struct writer *, const char *name, bool value);
void writer_text(struct writer *, const char *name, struct span value);
void writer_null(struct writer *, const char *name);
/* Something that another writer of the same form has written. */
void writer_raw(struct writer *, const char *name, struct span written);

#endif
