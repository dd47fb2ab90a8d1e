/* The Treasure Hunt dialect: XML documents to requests of host/hunt/hunt.h, and its answers to XML. Pure: no
 * sockets, no clock, no tables. Two kinds of player are spoken to in their own words: seed players, who
 * register with a playerUsername, and course players with first name, last name and account. Quirks cite the
 * section of docs/protocols/treasure.md that they honour. */
#ifndef WIRE_TREASURE_DIALECT_H
#define WIRE_TREASURE_DIALECT_H

#include "base/buf.h"
#include "base/err.h"
#include "host/hunt/hunt.h"
#include "wire/treasure/refusals.h"

enum { TREASURE_BODY_BYTES_MAX = 64 * 1024, TREASURE_DEPTH_MAX = 16 };

/* Reads documents; keeps the parser and its memory from one to the next. */
struct treasure_reader;
struct treasure_reader *treasure_reader_create(void);
void treasure_reader_free(struct treasure_reader *);

/* Each reads one whole document. What is given out points into the reader and lives until the next read.
 *
 * - ERR_MALFORMED, ERR_DOCTYPE, ERR_ENCODING, ERR_TOO_LARGE, ERR_TOO_DEEP: not to be trusted.
 * - ERR_UNKNOWN_TYPE: another root element than the one that belongs here.
 * - ERR_FIELD_MISSING, ERR_FIELD_INVALID: the complaint says which.
 *
 * Elements may come in any order, with unknown ones between them; prefixes of namespaces are passed over. */
enum err treasure_read_registration(struct treasure_reader *, struct span document,
                                    struct hunt_name *out) MUST_CHECK;
enum err treasure_read_move(struct treasure_reader *, struct span document, struct span *player,
                            enum treasure_direction *out) MUST_CHECK;
/* Whether the nodes make a half map is for the rules to say. */
enum err treasure_read_half(struct treasure_reader *, struct span document, struct span *player,
                            const struct hunt_node **nodes, size_t *count) MUST_CHECK;

/* What was wrong in the last read that was refused: "playerUsername is missing". */
const char *treasure_reader_complaint(const struct treasure_reader *);

/* Answers. Each appends one document. */
void treasure_write_game(struct buf *out, const char *id);
void treasure_write_player(struct buf *out, const char *id);
void treasure_write_okay(struct buf *out);
void treasure_write_state(struct buf *out, const struct hunt_view *, enum hunt_kind viewer);

/* An error: a name that ends in Exception, and a sentence. Both must not be empty. */
void treasure_write_error(struct buf *out, const char *name, const char *sentence);
/* The name that goes with an error. */
const char *treasure_error_name(enum err);

#endif
