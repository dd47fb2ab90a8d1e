/* A table at one moment, from the table itself or from its journal, for whoever shows it. Only what a viewer
 * may know can be had of it. */
#ifndef HOST_TABLE_SNAPSHOT_H
#define HOST_TABLE_SNAPSHOT_H

#include "host/lounge/note.h"
#include "host/table/history.h"
#include "host/table/table.h"
#include "host/table/trial.h"

/* Texts and pointers are borrowed from where it was taken. */
struct snapshot {
    uint64_t table;
    const struct game *game;
    const struct game_options *options;
    const struct game_state *truth; /* nobody's but the functions' below */
    const struct table *live;       /* where it was taken from; NULL: from a journal */
    uint64_t version;
    const char *protocol;
    struct lounge_note note; /* zero for tables that clients of other protocols opened */
    int64_t made_ms;
    const char *names[SEATS_MAX];
    const struct digest *tokens[SEATS_MAX]; /* NULL: none */
    const char *seeds[SEATS_MAX];           /* that those who sit there have brought; "": none */
    struct digest commitment;               /* to the dice; zero: there are none */
    uint64_t mixed_seq;                     /* of the event with the first seed; 0: there is none */
    struct lounge_face faces[SEATS_MAX];
    bool is_online[SEATS_MAX];
    bool is_claimable[SEATS_MAX]; /* by who says its name, see table_is_claimable; lists do not name it */
    bool violation_loses;
    struct lounge_clocks clocks; /* that it has or will have; of other protocols' tables: while it runs */
    bool has_clock;
    uint64_t left_ms[SEATS_MAX]; /* to each seat, see table_left_ms */
    unsigned free_seats;
    bool is_over;
    const char *why; /* "played", "resigned", ...; of a table that is over */
    int32_t points[SEATS_MAX];
};

/* The same table gives the same, wherever it is taken from; only while it runs the first knows who is online
 * and what is left of the turn. One that is over must still know its last event (table_last). */
void snapshot_of_table(const struct table *, struct snapshot *out);
void snapshot_of_fold(const struct fold *, struct snapshot *out);

/* Those who sit there are the ones of another snapshot of the same table. */
void snapshot_take_seats(struct snapshot *, const struct snapshot *from);

/* "open", "running" or "finished". */
const char *snapshot_state(const struct snapshot *);

/* The seat whose token this is, or SEAT_WATCHER. Takes the same time for every token. */
unsigned snapshot_seat(const struct snapshot *, const struct digest *token);

/* What the viewer may know, as one object. VIEWER_ALL only when the table is over by now. */
void snapshot_describe(const struct snapshot *, unsigned viewer, struct writer *);

/* The same as a view for a seat that looks ahead; given, to be freed with mem_free. */
struct game_view *snapshot_view(const struct snapshot *, unsigned seat);

/* The seats that may act now, without chance; nobody at a table that is over. */
seat_set snapshot_turn(const struct snapshot *);
bool snapshot_is_chance(const struct snapshot *);

/* The actions of a seat that may act, as game.legal and game.sample give them, and the text of one. What a
 * seat may do does not depend on what it may not know: the contract of a game. */
size_t snapshot_legal(const struct snapshot *, unsigned seat, struct action *out);
void snapshot_sample(const struct snapshot *, unsigned seat, struct rng *, struct action *out);
void snapshot_format(const struct snapshot *, unsigned seat, const struct action *,
                     char text[ACTION_TEXT_BYTES_MAX]);

/* Plays actions of a seat, see trial_play, in a world that is imagined from its view. From then on this is a
 * snapshot of that world, and the truth is out of reach; snapshot_end frees it. */
enum err snapshot_try(struct snapshot *, unsigned seat, const struct span *texts, size_t count, struct rng *,
                      struct trial *out) MUST_CHECK;
void snapshot_end(struct snapshot *);

#endif
