/* Players that move segment by segment (section 14 of docs/protocols/ugs.md): what they are told and what
 * they say, between them and a hall to which they are players like any others. Their segments are collected
 * here and become one whole move; whole moves become segments. Pure: no sockets, no clock, no tables; the
 * pitch is kept here as every player of Paper Soccer keeps it. */
#ifndef WIRE_UGS_SEGMENTS_H
#define WIRE_UGS_SEGMENTS_H

#include "games/paper_soccer/paper_soccer.h"
#include "host/hall/hall.h"

enum { SEGMENTS_NICK_DIGITS_MAX = 10 };

/* Whether this playerLogin is of such a player: paper_football, and a nick of digits. */
bool segments_recognise(const struct hall_message *login);

struct segments;

/* Gives. document is the login as it came: when it is not byte for byte that of the one program that is
 * known, the player may be one of the papers after all, and is not shown a segment before its first move says
 * which. first_attack is the goal that the first player of a table attacks: these players take it for the
 * bottom one, so their pitch is turned when it is the top one. */
struct segments *segments_create(const struct hall_message *login, struct span document,
                                 enum attack first_attack);
void segments_free(struct segments *);

/* Whoever says what is told, in messages for ugs_write with is_segmented. They are borrowed for the call. */
struct segments_output {
    void *context;
    void (*say)(void *context, const struct hall_message *);
};

/* What the hall tells an ordinary player: says what this one is told instead, which may be nothing. */
void segments_tell(struct segments *, const struct hall_message *, const struct segments_output *);

/* The connection is about to be closed by the server: says the only word upon which such a player ends,
 * unless it was told one already. Nothing is said after it. */
void segments_farewell(struct segments *, const struct segments_output *);

enum segments_answer {
    SEGMENTS_PASSES,  /* out is for the hall: a whole move, or something that is the hall's to judge */
    SEGMENTS_GOES_ON, /* the player was told to go on, and has the time for a move again */
    SEGMENTS_NEVER,   /* it is a player of the papers, and from now on one like any other. Its message is the
                         hall's to judge; but when out names a table, the player is told out first, in the form
                         of the papers, and a move was an answer to nothing */
};

/* What the player says after its login. saw_point: the message has a <point>, as only players of the papers
 * send it. Of an illegal move that passes, *why is the rule that it breaks; otherwise ERR_OK. out borrows
 * from the message and from here until the next call. */
enum segments_answer segments_take(struct segments *, const struct hall_message *, bool saw_point,
                                   const struct segments_output *, struct hall_message *out, enum err *why);

#endif
