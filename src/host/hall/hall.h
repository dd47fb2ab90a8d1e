/* The hall: where players and game masters of the Universal Game System meet. It knows logins, pools of free
 * players per game type, tables that a master runs, whose turn the master announced, time limits and results.
 * It never looks into a move or a game state: those are relayed byte for byte, so that a master may bring a
 * game nobody here has heard of.
 *
 * No sockets and no clock: members are told things through struct hall_output, the time is an argument of
 * every call. The built-in master (master.h) is a member like any other, but for what it is told, which it
 * hears by a plain call. */
#ifndef HOST_HALL_HALL_H
#define HOST_HALL_HALL_H

#include "base/address.h"
#include "base/buf.h"
#include "base/err.h"

struct master_config;
struct mixed;
struct pitch_point;

/* The word for the tables of its built-in master in the journal. */
#define HALL_PROTOCOL "ugs"

enum {
    HALL_NICK_BYTES_MAX = 64,
    HALL_TYPE_BYTES_MAX = 64,
    HALL_TABLE_SEATS_MAX = 64,     /* the most that a master may ask for as playersMin */
    HALL_TABLE_ID_BYTES_MAX = 24,  /* with the final NUL */
    HALL_CHAMPIONSHIPS_MAX = 64,   /* that are known: one more drops the oldest that is over */
    HALL_OPEN_MS = 10 * 60 * 1000, /* after so long one to which nobody has come ends */
    HALL_RETRY_MS = 1000,          /* until what could not be written of one is tried again */
};

/* Everything that members and hall say to each other; docs/protocols/ugs.md has the meaning of each. */
enum hall_type {
    HALL_ERROR,          /* any: text */
    HALL_PLAYER_LOGIN,   /* player: nick, game_type */
    HALL_MASTER_LOGIN,   /* master: id, game_type, players_min, players_max */
    HALL_LOGIN_RESPONSE, /* hall: login_error (HALL_LOGIN_OK = accepted) */
    HALL_BEGIN_GAME,     /* hall to master: table, players */
    HALL_GAME_STATE, /* master, relayed to players: table; next or is_over with players; payload or points,
                        and text: what was wrong with them */
    HALL_MOVE,       /* player, relayed to master: table, payload or points */
    HALL_THANK_YOU,  /* player: table */
    HALL_LEAVE_GAME, /* player: table */
    HALL_PLAYER_LEFT_GAME, /* hall to master and back: nick, table */
    HALL_LOGOUT,           /* player */
    HALL_SERVER_SHUTDOWN,  /* hall */
    HALL_CHAMPIONS_LIST,   /* hall: players with won and lost */
    HALL_TYPE_COUNT,
};

enum hall_login_error {
    HALL_LOGIN_OK = 0,
    HALL_LOGIN_NICK = 1,      /* empty, with blanks, too long, or in use */
    HALL_LOGIN_GAME_TYPE = 2, /* empty, too long, or not that of the championship */
    HALL_LOGIN_POOL_FULL = 3, /* the pool or the championship is full, or has begun */
    HALL_LOGIN_MASTER_TAKEN = 4,
    HALL_LOGIN_DESCRIPTION = 5, /* playersMin and playersMax make no sense */
};

struct hall_player {
    struct span nick;
    struct span result; /* "winner" or "loser" as sent; empty when there is none */
    int32_t won, lost;  /* champions list only */
};

/* One message. Fields that the type does not use are zero. All spans are borrowed for the length of the call.
 */
struct hall_message {
    enum hall_type type;
    struct span text;
    struct span nick;
    struct span id;
    struct span game_type;
    int64_t players_min, players_max; /* -1 when missing or not a number */
    enum hall_login_error login_error;
    bool has_table;    /* false: the message did not name one */
    struct span table; /* the gameId */
    bool has_next;
    struct span next; /* nick of the player to move */
    bool is_over;     /* a gameOver with at least one player */
    const struct hall_player *players;
    size_t player_count;
    /* All <move> or inner <gameState> elements with their tags, byte for byte. Empty: what stands in points.
     */
    struct span payload;
    /* The same as Paper Soccer has it; unread is why that cannot be. */
    const struct pitch_point *points;
    size_t point_count;
    enum err unread;
    uint32_t silent_ms; /* of a player who left because it did not move for so long; 0: it went. Not on wires
                         */
};

struct hall_config {
    uint32_t move_timeout_ms;
    uint32_t thanks_timeout_ms;
    uint32_t master_timeout_ms;
    uint32_t settle_timeout_ms; /* for the master's verdict after a player left */
    uint32_t login_timeout_ms;
    uint32_t return_timeout_ms; /* for the entrants of a championship to come back after a restart */
    /* A player of the built-in master's game who waits so long alone is shown to others as an open table; 0:
     * never */
    uint32_t alone_timeout_ms;
    uint32_t players_max;           /* logged in at the same time */
    uint32_t tables_per_master_max; /* games that a master runs at the same time; 0 = no limit */
    /* The papers' championship mode; championship_players 0 = normal mode. */
    const char *championship_type;
    uint32_t championship_players;
    bool championship_resumes; /* goes on where an earlier run left one of the same type and size, if one did
                                */
    /* Where the built-in master plays, and where the numbers of games come from; borrowed. NULL: there is no
     * such master, and numbers begin with 1. */
    struct tables *tables;
    /* The built-in master: a member that is logged in from the start for all of its game types (the first is
     * the one that counts, the others are aliases of it) and that can neither be silent nor leave. NULL:
     * there is none, and none in a championship of another type. Only its switches count; borrowed by
     * hall_create. */
    const struct master_config *master;
    struct mixed *mixed;      /* tables at which others sit, too; borrowed. NULL: there are none */
    bool keeps_championships; /* in the store of tables; otherwise they live only as long as the hall */
};

struct hall_config hall_config_default(void);

struct hall;
struct hall_member; /* one connection, or the built-in master */

/* How the hall reaches the outside. */
struct hall_output {
    void *context;
    /* Appends a message as members understand it. */
    void (*write)(void *context, struct buf *out, const struct hall_message *);
    /* Tells a member what was written, of this type. Must not call back into the hall. */
    void (*send)(void *context, void *member_context, enum hall_type, struct span written);
    /* The hall has nothing more to say to this member: deliver what is on its way, then close. The member is
     * gone. */
    void (*close)(void *context, void *member_context);
    /* Championship over, or the hall was shut down: everybody has been told and closed. */
    void (*ended)(void *context);
};

/* Gives. The strings of config are borrowed for the life of the hall. When championships are kept, hall_free
 * needs a store that is closed or has nothing more to deliver. */
struct hall *hall_create(const struct hall_config *, const struct hall_output *);
void hall_free(struct hall *);

/* A connection has been opened; it has login_timeout_ms to log in. The member belongs to the hall and lives
 * until close is called for it or hall_leave by the caller, whichever is first. */
struct hall_member *hall_join(struct hall *, void *member_context, uint64_t now_ms);
/* Where it comes from: an entrant of a championship comes back from there after a restart. opener is the
 * address for which tables count that are opened for it. */
void hall_member_is_from(struct hall_member *, const struct address *origin, const struct address *opener);

/* Brings back the championships that the store has: those that run with their standing, waiting for their
 * entrants, who log in with their nicks; the newest that are over. Call it before anybody joins. Returns
 * ERR_IO when the store cannot be read. */
enum err hall_restore(struct hall *, uint64_t now_ms) MUST_CHECK;

/* The same for a hall that is to come while the loop runs: what the store has is read in the background, and
 * the hall begins after that. done is called by a later store_drain; ERR_IO: the store cannot be read. The
 * config is borrowed. */
struct hall_past;
struct hall_past *hall_past_read(const struct hall_config *, void (*done)(void *context, enum err),
                                 void *context);
void hall_restore_past(struct hall *, struct hall_past *, uint64_t now_ms);
/* After done, or when the store has nothing more to deliver. */
void hall_past_free(struct hall_past *);

/* A member says something. May end the life of the member (close is called then). */
void hall_take(struct hall *, struct hall_member *, const struct hall_message *, uint64_t now_ms);

/* The connection of a member is gone. close is not called for it. */
void hall_leave(struct hall *, struct hall_member *, uint64_t now_ms);

/* Whether the member has logged in. */
bool hall_member_is_in(const struct hall_member *);

/* Whether a player says thank you, which all do unless this says otherwise. One that does not is taken for
 * free at the end of a game, unless it was named and has not answered: then its one late move is its thanks,
 * and does not count as a move. */
void hall_member_set_thanks(struct hall_member *, bool is_thankful);

/* The player has begun its move and has the time for one again. Nothing happens when it is not on turn. */
void hall_move_goes_on(struct hall *, struct hall_member *, uint64_t now_ms);

/* The table at which a member plays now, and its seat there; false when it is at none. The id is borrowed. */
bool hall_member_place(const struct hall_member *, const char **table, size_t *seat);

/* When the next time limit runs out (TIMERS_NEVER: none is running), and letting those run out that are due.
 */
uint64_t hall_next_ms(const struct hall *);
void hall_advance(struct hall *, uint64_t now_ms);

/* serverShutdown to everybody, then close them all. */
void hall_shutdown(struct hall *);
/* It was shut down, and nothing that it saves comes back any more: it may be freed while the server goes on.
 */
bool hall_is_at_rest(const struct hall *);

/* Championships that are opened while the hall runs, each with a pool of its own beside that of its game
 * type. Players enter one by logging in with its name as their game type; it begins when all are there and
 * the type has a master. At its end its players are told the list, and let go. */
enum hall_championship_state { HALL_CHAMPIONSHIP_OPEN, HALL_CHAMPIONSHIP_RUNS, HALL_CHAMPIONSHIP_OVER };

/* Borrowed. */
struct hall_championship {
    const char *name; /* "paper-soccer#1" */
    const char *type;
    uint32_t players, entered;
    enum hall_championship_state state;
    bool is_paused;
};

/* Who is told that a championship is open: index is its place for hall_championship_at. */
struct hall_opening {
    void *context;
    void (*opened)(void *context, const struct hall *, size_t index);
    /* The store could not save it for TABLES_PATIENCE_MS: nobody is told of it any more. It is undone, or,
     * where it is not known what has become of it, may still come, if the store does not refuse it. NULL:
     * opened is told however late it is. */
    void (*put_off)(void *context, bool is_undone);
    struct address opener; /* from where it is opened: who has most makes room, see HALL_OPEN_MS */
};

/* Opens one, and tells so when it is on disk: from inside the call where nothing is kept. Refused, and not
 * told: ERR_FIELD_INVALID (the type is empty, too long or no text, or too few or too many players),
 * ERR_TOO_MANY (also when the whole hall is one championship). */
enum err hall_open_championship(struct hall *, struct span type, int64_t players, const struct hall_opening *,
                                uint64_t now_ms) MUST_CHECK;

/* Whether players could enter a championship of this type. They could not when it is a game of ours whose
 * clients speak another protocol, as long as no master has logged in for it here. What nobody has heard of
 * may still get one. */
bool hall_may_enter(const struct hall *, struct span type);

/* The championships that are known, oldest first, and behind them the one that the whole hall is, whose name
 * is its game type; false when there are no more. */
bool hall_championship_at(const struct hall *, size_t index, struct hall_championship *out);

/* The operator's wishes about the championship of a name: no new games begin, or they do again; and it ends
 * as it stands, games that run end undecided, and its players are let go. ERR_TABLE_UNKNOWN, ERR_TABLE_OVER.
 * A pause is forgotten with the process. */
enum err hall_pause_championship(struct hall *, struct span name, bool is_paused, uint64_t now_ms) MUST_CHECK;
enum err hall_cancel_championship(struct hall *, struct span name, uint64_t now_ms) MUST_CHECK;

/* How it stands by what is on disk, best first: players with nick, won and lost. visit is called for each. */
void hall_championship_standings(const struct hall *, size_t index,
                                 void (*visit)(void *context, const struct hall_player *), void *context);

/* Where the hall of this process is to be found, for those who are not of its protocol; NULL: there is none.
 * And the championships with a format (host/cup/cups.h), which the API has: they are opened by what is said
 * of them in JSON, and what is wrong with it is the answer; NULL: nothing. */
struct cups;
struct json_t;
struct hall_desk {
    struct hall *hall;
    bool is_elsewhere; /* at another node */
    struct cups *cups;
    void *cups_context;
    const char *(*open_cup)(void *cups_context, const struct json_t *message, uint64_t now_ms);
};

struct hall_counts {
    size_t players, masters, tables, members;
    uint64_t tables_finished;
    size_t mixed_tables;  /* of them, those at which others play, too */
    size_t master_tables; /* of the built-in master; some may be ahead of the hall or behind it */
};
struct hall_counts hall_counts(const struct hall *);

/* The sentence that goes with a login error, for logs and for people. */
const char *hall_login_sentence(enum hall_login_error);

#endif
