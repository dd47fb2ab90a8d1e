/* Framing of lines on a stream: each ends with LF, CR or CRLF. Works on any split into segments and looks at
 * every byte once. Blank lines are skipped. */
#ifndef WIRE_JSON_LINE_FRAME_H
#define WIRE_JSON_LINE_FRAME_H

#include "base/buf.h"
#include "base/err.h"

enum { LINE_FRAME_BYTES_MAX = 64 * 1024 };

struct line_frame {
    struct buf partial; /* a line whose end has not arrived; no memory while there is none */
    bool is_skipping;   /* the rest of a line that was too long */
    bool is_given;      /* what partial holds was a whole line, and has been handed out */
};

/* A zeroed struct line_frame is a new stream.
 *
 * Takes bytes off the front of *input until a line is whole or the input is used up:
 *
 * - ERR_OK and line->size > 0: a line without its end, valid until the next call. One that lies whole in the
 *   input is not copied.
 * - ERR_OK and line->size == 0: the input is used up and more is needed. Call until this comes: only then the
 *   memory of a line that came in pieces is given back.
 * - ERR_TOO_LARGE, once for a line of more than LINE_FRAME_BYTES_MAX: the rest of it is skipped, and the
 *   stream goes on. */
enum err line_frame_next(struct line_frame *, struct span *input, struct span *line) MUST_CHECK;

void line_frame_free(struct line_frame *);

#endif
