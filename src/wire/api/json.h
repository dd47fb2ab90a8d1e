/* What the API says: JSON of games, tables, events and refusals. */
#ifndef WIRE_API_JSON_H
#define WIRE_API_JSON_H

#include "host/hall/hall.h"
#include "host/inspector.h"
#include "host/lounge/lounge.h"
#include "wire/api/refusals.h"

/* Who looks, and through whose eyes. */
struct api_sight {
    unsigned seat;   /* the asker's own; SEAT_WATCHER: none */
    unsigned viewer; /* a seat, SEAT_WATCHER or VIEWER_ALL */
};

/* {"games":[...]}; a whole document. */
void api_write_games(struct writer *, const struct tables *);

/* The fields of a table as lists show it; inside an object that has begun. */
void api_write_summary(struct writer *, const struct snapshot *, uint32_t watch_delay_ms);

/* Of a table that is over: whether this seat has won, alone or with others. */
bool api_is_winner(const struct snapshot *, unsigned seat);

/* More about a table than it knows itself. */
struct api_extra {
    const struct record *last; /* the event that led here; NULL: none */
    uint64_t rematch;          /* the table where it goes on; 0: none */
    bool is_inspected, is_private;
    unsigned absent_level; /* of the bots that play on for who is gone; 0: none does */
    uint32_t watch_delay_ms;
    struct rng *rng; /* for samples */
};

/* All fields of a table; inside an object that has begun. */
void api_write_table(struct writer *, const struct snapshot *, const struct api_sight *,
                     const struct api_extra *);

/* A seat, who may act, and what that seat may do (rng draws samples): seat, turn, legal, legal_unlisted and
 * legal_samples; inside an object that has begun. */
void api_write_moves(struct writer *, const struct snapshot *, unsigned seat, struct rng *);

/* The viewer as the API calls it: a number or a word. */
void api_write_viewer(struct writer *, const char *name, unsigned viewer);

/* The options of a table as an object. */
void api_write_options(struct writer *, const struct game *, const struct game_options *);

void api_write_code(struct writer *, const char *name, uint64_t table);

struct api_refusal {
    enum err why;
    const struct game *game; /* of the table, which words its own refusals; NULL: why is none of them */
    const char *reason;      /* more than the sentence of the error; NULL: that */
    bool has_index;
    size_t index;
    bool has_version;
    uint64_t version;
};

/* The status of HTTP that an error has. */
int api_status(enum err);

/* error, reason, rule, status and so on; inside an object that has begun. */
void api_write_refusal(struct writer *, const struct api_refusal *);

/* The whole document of RFC 9457. */
void api_write_problem(struct writer *, const struct api_refusal *);

/* A championship of the hall; inside an object that has begun. */
void api_write_championship(struct writer *, const struct hall *, size_t index);

/* One message of the inspector, of a table of this game, as an item of a list; a hidden one without what was
 * said and what was wrong with it. */
void api_write_message(struct writer *, const struct game *, const struct inspector_message *,
                       bool is_hidden);

#endif
