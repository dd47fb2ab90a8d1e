/* Framing of XML documents that follow each other on a stream without length, NUL or line rule: a message
 * ends with the end of its root element. Works on any split into segments and looks at every byte once.
 *
 * Between messages it skips white space and NUL bytes, one byte order mark at the very start of the stream,
 * and before the root element the declaration, processing instructions and comments. It knows quotes,
 * comments, CDATA and nesting; a whole message still goes through a parser. Refused here, because there would
 * be no end to wait for or nothing to gain by waiting: DOCTYPE at its first letters, and an end tag that is
 * not that of the open element. */
#ifndef WIRE_XML_FRAME_H
#define WIRE_XML_FRAME_H

#include "base/buf.h"
#include "base/err.h"

enum { XML_FRAME_BYTES_MAX = 256 * 1024, XML_FRAME_DEPTH_MAX = 64 };

struct xml_frame {
    struct buf partial; /* a message whose end has not arrived; no memory while there is none */
    uint32_t state;     /* of the scanner, see frame.c */
    uint32_t depth;
    uint32_t name;                      /* hash of the element name that is being read */
    uint16_t open[XML_FRAME_DEPTH_MAX]; /* hashes of the names of the open elements */
    bool has_started;                   /* the first byte of the stream is behind us */
};

/* A zeroed struct xml_frame is a new stream.
 *
 * Takes bytes off the front of *input until a message is whole, the input is used up, or something is
 * refused:
 *
 * - ERR_OK and message->size > 0: a message, from its first '<' to its last '>', valid until the next call. A
 *   message that lies whole in the input is not copied.
 * - ERR_OK and message->size == 0: the input is used up and more is needed. Call until this comes: only then
 *   the memory of a message that came in pieces is given back.
 * - ERR_NOT_XML, ERR_DOCTYPE, ERR_TOO_LARGE, ERR_TOO_DEEP, ERR_MALFORMED: the stream is lost, answer and
 *   close. Every further call says the same. */
enum err xml_frame_next(struct xml_frame *, struct span *input, struct span *message) MUST_CHECK;

/* True while the beginning of a message has arrived and its end has not. */
bool xml_frame_is_partial(const struct xml_frame *);

void xml_frame_free(struct xml_frame *);

#endif
