/* The Paper Soccer game master: begins tables, judges moves by the rules, says who is next and who has won.
 * It speaks in struct hall_message and knows points, not how they are written, so the same source is the
 * built-in master of the hall and `parlor master`. */
#ifndef HOST_HALL_MASTER_H
#define HOST_HALL_MASTER_H

#include "games/paper_soccer/paper_soccer.h"
#include "host/hall/hall.h"
#include "host/inspector.h"
#include "host/table/table.h"

struct master_config {
    enum attack first_attack;
    struct inspector *inspector; /* is told of moves that break the rules; borrowed, or NULL */
    struct tables *tables;       /* where its tables live; borrowed */
    bool is_at_home; /* the server's gameIds are codes of tables that are still to be opened here */
    void *context;
    void (*say)(void *context, const struct hall_message *); /* to the server; the message is borrowed */
    /* A table cannot be saved at the moment; what it has to say comes when it could be. NULL: nobody asks. */
    void (*stalled)(void *context, struct span table);
    /* A table has ended undecided, by another node that took the hall for its own. NULL: nobody asks. */
    void (*undecided)(void *context, struct span table);
};

/* The game types that the built-in master answers to; the first is the one that `parlor master` logs in with.
 */
extern const char *const master_types[];
extern const size_t master_type_count;

struct master;
struct master *master_create(const struct master_config *);
void master_free(struct master *);

/* Plays what the player on turn sent as a move; when it breaks the rules it loses, which is logged and told
 * to the inspector (or NULL). What table_act_turn returns. */
enum err master_act(struct table *, const struct hall_message *move, struct inspector *, uint64_t now_ms);
/* The player of a seat is gone, or has not moved for so long (silent_ms not 0): what the journal keeps of it.
 * What table_forfeit returns. */
enum err master_give_up(struct table *, unsigned seat, uint32_t silent_ms) MUST_CHECK;
/* The rule that a move has broken, and its sentence, for people. */
enum { MASTER_WORDS_BYTES = EVENT_RULE_BYTES_MAX + EVENT_WHY_BYTES_MAX };
void master_words(enum err broken, char words[MASTER_WORDS_BYTES]);

/* What the server says to the master. Anything but beginGame, move and playerLeftGame is ignored. The answers
 * come from store_drain, when they are on disk. */
void master_take(struct master *, const struct hall_message *, uint64_t now_ms);

/* Its tables are nobody's here from now on, and go on: of a master whose hall has moved to another node. */
void master_disown(struct master *);

/* A table of this protocol that a restart has brought back, or that a hall before has left behind. Its
 * players cannot come back to it, for the protocol knows no reconnection, and its master was gone with the
 * server: it ends undecided. */
void master_restored(struct table *);

size_t master_table_count(const struct master *);

#endif
