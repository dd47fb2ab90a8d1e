/* The UGS dialect: <message type="..."> documents to struct hall_message and back. Pure: no sockets, no
 * clock, no tables. The same two functions serve the server, the master program and the bot, because every
 * message can be read and written here. Quirks cite the section of docs/protocols/ugs.md that they honour. */
#ifndef WIRE_UGS_H
#define WIRE_UGS_H

#include "base/buf.h"
#include "base/err.h"
#include "host/hall.h"

/* How messages are written; zero is the form that all known readers understand. */
struct ugs_style {
    bool omits_declaration; /* without <?xml ...?> */
    bool ends_with_newline;
};

/* Reads messages; keeps the parser and its memory from one to the next. */
struct ugs_reader;
struct ugs_reader *ugs_reader_create(void);
void ugs_reader_free(struct ugs_reader *);

/* Reads one whole message. Its spans point into the reader or into document and live until the next call.
 *   ERR_OK
 *   ERR_UNKNOWN_TYPE                 well-formed, but no <message> or no known type: answer with error, keep
 * the connection ERR_MALFORMED, ERR_DOCTYPE, ERR_ENCODING   not to be trusted: answer with error and close
 * Missing fields are not refused here: they stay empty, and whoever needs them says so. */
enum err ugs_read(struct ugs_reader *, struct span document, struct hall_message *out) MUST_CHECK;

/* What was wrong in the last ugs_read that was refused, one line for people: "line 1, column 17: mismatched
 * tag". */
const char *ugs_reader_complaint(const struct ugs_reader *);

/* Appends one message. payload is copied byte for byte, everything else is escaped. */
void ugs_write(struct buf *out, const struct hall_message *, const struct ugs_style *);

/* The points in a payload (section 3 of the protocol page): the seed's <move><point x= y=/>...</move>, and
 * when accepts_move_points also repeated <move x= y=/>. Writes at most points_max and returns ERR_OK with
 * *count, or why they cannot be read: ERR_FIELD_INVALID, ERR_FIELD_MISSING, ERR_TOO_LARGE. An empty payload
 * has no points. */
struct pitch_point;
enum err ugs_points_read(struct ugs_reader *, struct span payload, bool accepts_move_points,
                         struct pitch_point *points, size_t points_max, size_t *count) MUST_CHECK;

/* Appends <move> or <gameState> (the element name) with these points. */
void ugs_points_write(struct buf *out, const char *element, const struct pitch_point *points, size_t count);

#endif
