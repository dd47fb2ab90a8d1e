/* The UGS dialect: <message type="..."> documents to struct hall_message and back. Pure: no sockets, no
 * clock, no tables. The same two functions serve the server, the master program and the bot, because every
 * message can be read and written here. Quirks cite the section of docs/protocols/ugs.md that they honour. */
#ifndef WIRE_UGS_DIALECT_H
#define WIRE_UGS_DIALECT_H

#include "base/buf.h"
#include "base/err.h"
#include "host/hall/hall.h"
#include "wire/ugs/refusals.h"

/* How messages are written; zero is the form that all known readers understand. */
struct ugs_style {
    bool omits_declaration; /* without <?xml ...?> */
    bool ends_with_newline;
    bool is_segmented; /* in the words of players that move segment by segment (section 14) */
};

/* The login_error of a refusal that names none; written without an <error> element. Larger than any id. */
enum { UGS_LOGIN_UNSAID = 255 };

/* Reads messages; keeps the parser and its memory from one to the next. */
struct ugs_reader;
/* accepts_move_points: points may also be <move x= y=/>, which some clients send (section 14). */
struct ugs_reader *ugs_reader_create(bool accepts_move_points);
void ugs_reader_free(struct ugs_reader *);

/* Reads one whole message of at most XML_FRAME_BYTES_MAX bytes. Its spans point into the reader or into
 * document and live until the next call of ugs_read.
 *
 * - ERR_OK. Missing fields are not refused here: they stay empty, and whoever needs them says so.
 * - ERR_UNKNOWN_TYPE: well-formed, but no <message> or no known type; answer with error, keep the connection.
 * - ERR_MALFORMED, ERR_DOCTYPE, ERR_ENCODING, ERR_TOO_LARGE: not to be trusted; answer with error and close.
 *
 * The points of a payload (section 4 of the protocol page) are read with it; when it has none, unread says
 * why: ERR_FIELD_INVALID, ERR_FIELD_MISSING, ERR_TOO_LARGE. An empty payload has none, which is no error.
 *
 * A loginResponse that refuses without saying why has UGS_LOGIN_UNSAID as login_error; error ids that only
 * other servers have (6, 7) are kept as they are. */
enum err ugs_read(struct ugs_reader *, struct span document, struct hall_message *out) MUST_CHECK;

/* What was wrong in the last ugs_read that was refused, in a line that goes with the sentence of the error:
 * "line 1, column 17: mismatched tag", "the type is 'ping'". */
const char *ugs_reader_complaint(const struct ugs_reader *);

/* Whether the payload of the last message that was read has a <point>. */
bool ugs_reader_saw_point(const struct ugs_reader *);

/* Appends one message. payload is copied byte for byte, everything else is escaped; points are only written
 * where there is no payload. */
void ugs_write(struct buf *out, const struct hall_message *, const struct ugs_style *);

#endif
