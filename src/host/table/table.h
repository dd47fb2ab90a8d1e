/* Tables: games being played, each a fold over its journal.
 *
 * Check, journal, apply, announce, in that order. A request is checked at once and refused at once, and then
 * nothing has happened. One that is allowed goes to the store; only when it is on disk does the table change,
 * and only then is its listener told. While a request is on its way the table takes no other.
 *
 * When the store cannot write, or takes too long, nothing is lost and nothing is announced: the listener is
 * told once that the table stalls, and the request is tried again with every beat until it is saved.
 *
 * When another writer of the same journal was first, what it wrote is folded and the request is judged again,
 * as if it had come now.
 *
 * What a breach of the rules costs, and what becomes of a seat that is given up, is policy of the table, not
 * a rule. */
#ifndef HOST_TABLE_TABLE_H
#define HOST_TABLE_TABLE_H

#include "base/address.h"
#include "game/game.h"
#include "host/table/record.h"
#include "store/store.h"

struct tables; /* all tables of this process */
struct table;
struct table_guest;
struct table_listener;

struct tables_config {
    struct store *store; /* borrowed */
    void *context;
    int64_t (*wall_ms)(void *context);                 /* the time for the journal */
    void (*secret)(void *context, struct digest *out); /* DIGEST_BYTES nobody can guess */
    bool is_repeatable;       /* what tables draw follows from the order of requests alone, so that no code is
                                 drawn ahead; one that a table which is over has is refused like a conflict */
    uint64_t (*now_us)(void); /* how long answers take is measured by it; NULL: it is not */
    bool returns_from_anywhere;  /* a name is enough to come back, wherever from; see table_may_return */
    uint64_t address_bytes_max;  /* that tables which were opened from one address write in an hour before it
                                    may open no more; 0: any number */
    uint32_t address_tables_max; /* that are not over and were opened from one address; 0: any number */
};

/* Gives. Follows the store: every event that is on disk changes its table here. */
struct tables *tables_create(const struct tables_config *);
/* Frees all tables with it. Their journals stay. The store is closed before, or is drained no more. */
void tables_free(struct tables *);

/* From now on no table is opened here (ERR_DRAINING), or tables are again. */
void tables_drain(struct tables *, bool is_draining);
bool tables_is_draining(const struct tables *);
/* Whether that is so, and none runs any more: of a store that others share, none at which somebody is online
 * here. */
bool tables_are_drained(const struct tables *);

/* Other limits from now on, as in struct tables_config. */
void tables_set_limits(struct tables *, uint32_t address_tables_max, uint64_t address_bytes_max);

enum {
    TABLES_PATIENCE_MS = 2000,      /* a request that is longer on its way stalls its table */
    TABLE_CONFLICTS_MAX = 8,        /* in a row, before a request waits for the next beat */
    TABLE_ROOM_BYTES = 1024 * 1024, /* that must be left of the memory for one more table to be opened */
    TABLES_CARE_RETRY_MS = 1000,    /* what another node takes care of is looked at again after so long */
};

/* About once a second: a sign of life for the store, and another try for every table that stalls. */
void tables_beat(struct tables *);

/* Turn clocks: when the next one runs out (TIMERS_NEVER: none runs), and letting them run out. now_ms is the
 * loop's clock. */
uint64_t tables_next_ms(const struct tables *);
void tables_advance(struct tables *, uint64_t now_ms);

/* Changes whenever anything that is told of any table does: what was written from tables is still true as
 * long as it is the same. */
uint64_t tables_change(const struct tables *);

/* Where their journals live; borrowed. */
struct store *tables_store(const struct tables *);

/* The last time that any of these was told. */
uint64_t tables_now_ms(const struct tables *);
/* The time now by the clock of the journal. */
int64_t tables_journal_ms(const struct tables *);
/* The time by that clock before which everything happened at least so long ago, by the loop's clock too,
 * which nobody can set. */
int64_t tables_ago_ms(struct tables *, uint32_t delay_ms);

size_t tables_count(const struct tables *);
struct table *tables_find(const struct tables *, uint64_t id);
/* The table that was opened or brought back last, and the one before a table; NULL: there is none. */
struct table *tables_newest(const struct tables *);
struct table *table_older(const struct table *);
/* One listener for all tables, told before those of the table itself: of the lobby. */
void tables_listen(struct tables *, const struct table_listener *);
/* Shows all tables to visit, which may close the one it is shown. */
void tables_each(struct tables *, void (*visit)(void *context, struct table *), void *context);

/* An id for a table that is to be opened: one that nobody can guess; the next number for protocols that count
 * their games (its code is that number in digits; counting goes on after a restart); or one whose code has
 * TABLE_SHORT_CODE_CHARS characters, the first of them a letter, for people to type. */
enum { TABLE_SHORT_CODE_CHARS = 5 };
uint64_t tables_new_id(struct tables *);
uint64_t tables_new_number(struct tables *);
uint64_t tables_new_short(struct tables *);
/* Such an id that follows from a digest, used or not. */
uint64_t tables_short_of(const struct digest *);
/* The wished one unless it is known to be used, which tables_fetch_code finds out; or a new one; 0 is no
 * wish. */
uint64_t tables_take_short(struct tables *, uint64_t wish);

/* Codes of private tables cannot be told from those of none by who tries them: an address has so many misses
 * in TABLES_MISSES_MS, and then private tables are hidden from it as if they were not there. */
enum { TABLES_MISSES_MAX = 100, TABLES_MISSES_MS = 5 * 60 * 1000 };
bool tables_may_guess(struct tables *, const struct address *);
void tables_missed(struct tables *, const struct address *);

/* Whether somebody from this address may open one more table: it has not too many, and theirs have not
 * written too much. After a restart nobody has opened any. */
bool tables_may_open(struct tables *, const struct address *);
/* Whether the store has so little room left that nobody may. */
bool tables_is_scarce(const struct tables *);
/* How many tables that are not over were opened from an address; 0 when it is nobody's in particular. */
uint32_t tables_opened_from(const struct tables *, const struct address *);

/* Loads a finished table as its journal has it, to be looked at and closed again; it has no listener. loaded
 * is called by a later store_drain. NULL when the journal has no finished table under this id, or the table
 * is here already (why is ERR_TABLE_UNKNOWN), or it cannot be read or does not fold (ERR_UNAVAILABLE). */
struct tables_load;
typedef void tables_loaded(void *context, struct table *, enum err why);
struct tables_load *tables_load(struct tables *, uint64_t id, tables_loaded *, void *context);
/* The one who asked for it is not told any more. */
void tables_load_forget(struct tables_load *);

/* Several nodes may share a store: each has all tables, folds what the others write, and knows who is there
 * through them. */
bool tables_is_shared(const struct tables *);
/* Whether this node takes care of the table when something must happen although nobody asks: clocks, bots,
 * absence, the end of what nobody wants any more. Never whether something is true. Always, where nobody
 * shares the store. */
bool table_is_cared(const struct table *);
/* The same for whatever else has a journal with this id. */
bool tables_is_cared(const struct tables *, uint64_t id);
/* Who knows for whom seats are kept: asked about every guest before it sits down. It may change the seat, and
 * refuses whoever is not to sit at the table. NULL: nobody keeps any. */
typedef enum err tables_usher(void *context, const struct table *, struct table_guest *);
void tables_set_usher(struct tables *, tables_usher *, void *context);
/* From now on commits to journals that are no tables' are shown to visit; NULL ends it. */
void tables_hear_cups(struct tables *, store_visit_commit *visit, void *context);
/* How long the store of several nodes was away in this run, all outages together: time that nobody is charged
 * for. Clocks of turns have been given it. */
uint64_t tables_outages_ms(const struct tables *);
/* Whether it is known who else is there; not while the store is away. */
bool tables_has_company(const struct tables *);
/* Whether what lives at one node at a time lives here, and that is known. */
bool tables_has_lease(const struct tables *);

/* The store is about to be closed: nothing is told to other nodes any more. */
void tables_store_closes(struct tables *);

/* Who wants to know when another node has opened a table, which is here then; and when tables are cared for
 * by other nodes than before, or the lease has moved. Either may be NULL. */
struct tables_greeter {
    void *context;
    void (*came)(void *context, struct table *);
    void (*company)(void *context);
};
void tables_greet(struct tables *, const struct tables_greeter *);
/* Ends it, for everything with this context. */
void tables_ungreet(struct tables *, const void *context);

/* Makes sure that a running table is here, and as new as its journal is now: fetched is called once, by a
 * later store_drain, whether it is there or not. NULL, and it is not called, when there is nothing to wait
 * for. What another node was told is known here after it, unless the journal could not be read: then why is
 * ERR_IO, and what is here may be old. */
struct tables_fetch;
typedef void tables_fetched(void *context, enum err why);
struct tables_fetch *tables_fetch(struct tables *, uint64_t id, tables_fetched *, void *context);
/* The same before a table is opened under an id that somebody wishes for: after it, tables_take_short knows
 * whether that is used, by a table that runs, which is here then, or by one that is over. False, and fetched
 * is not called, when there is nothing to wait for. Nobody can forget it. */
bool tables_fetch_code(struct tables *, uint64_t id, tables_fetched *, void *context);
/* The one who asked for it is not told any more. */
void tables_fetch_forget(struct tables_fetch *);

/* Brings back all running tables from the journal, and shows each to visit, which sets its listener or ends
 * it. The time during which nobody was there is not charged to any clock. A table whose dice have lost their
 * secret ends undecided after that, which is logged. A journal that does not fold, or stands where the file
 * is damaged, is left alone and logged. Returns ERR_IO when the store cannot be read. */
enum err tables_restore(struct tables *, uint64_t now_ms, void (*visit)(void *context, struct table *),
                        void *context) MUST_CHECK;

/* Says in the log that the journal of a table or championship cannot be gone on with, from which event on,
 * and why; game: of the table as far as it is known, or NULL. */
void table_log_broken(uint64_t id, uint64_t seq, const struct game *, enum err why);

/* A step of a table, told while it is made. What it says is what one viewer may know, a seat or SEAT_WATCHER:
 * there is no way from here to the truth. How the table stands after the step is table_view. */
struct table_notice {
    struct table *table;
    unsigned seat; /* that acted, or SEAT_CHANCE; of an attendance the seat whose player is away, back or gone
                      for good */
    enum attendance attendance;
};

/* How the table stood before the step. Made once, whoever asks for it; borrowed until the listener returns.
 */
const struct game_view *notice_before(const struct table_notice *, unsigned viewer);
/* The action that was played; of played only. */
struct action notice_action(const struct table_notice *, unsigned viewer);

/* What a table tells. Every function may be NULL. Those that tell of one request come in the order in which
 * things happened, all of it on disk already, and then settled. The table takes no request before settled, so
 * those before it only look. */
struct table_listener {
    void *context;
    /* The last request is on disk and the table has changed: look at it. */
    void (*settled)(void *context, struct table *);
    /* The last request cannot be saved at the moment. It stays, and settled follows when it could be. */
    void (*stalled)(void *context, struct table *);
    /* The last request, which was allowed when it came, is refused after all: another writer was first, and
     * by what it wrote this may not be done any more. seat: for whom it was asked, SEAT_WATCHER: for nobody.
     * settled follows. */
    void (*refused)(void *context, struct table *, unsigned seat, enum err why);
    /* Another node has opened a table with this id, which was a number or fixed: this one was never opened,
     * and is closed after it. The other one comes in its place. NULL: the set-up stalls. Told to the owner
     * alone. */
    void (*taken)(void *context, struct table *);
    /* The request has waited for TABLES_PATIENCE_MS or longer, told again with every beat: whoever asked for
     * it may withdraw it. */
    void (*late)(void *context, struct table *);
    /* One event of the request, before anything else is told of it; an action is then told step by step. The
     * record is borrowed until this returns. */
    void (*happened)(void *context, struct table *, const struct record *);
    /* Somebody has sat down; or has got up, and the seat has no name any more. */
    void (*sat)(void *context, struct table *, unsigned seat);
    /* One action was played, by a seat or by SEAT_CHANCE. */
    void (*played)(void *context, const struct table_notice *);
    /* A seat is away, back or gone for good, and the rules went on with that (game.attend). */
    void (*attended)(void *context, const struct table_notice *);
    /* A seat is online now or no more; see table_set_online. Not about a request. */
    void (*presence)(void *context, struct table *, unsigned seat);
    /* A seat that is online here is so at another node, too: one of the two may not have noticed yet that its
     * player has gone. Told once of each time; not of seats of those who come from anywhere with a token. */
    void (*doubled)(void *context, struct table *, unsigned seat);
    /* There are more or fewer without a seat at other nodes, see table_set_guests. */
    void (*guests)(void *context, struct table *);
    /* The table is forgotten: do not use it any more. The watch ends by itself. */
    void (*closed)(void *context, struct table *);
};

/* Actions that are played with the set-up, before anybody sits down. */
struct table_step {
    unsigned seat; /* SEAT_CHANCE: an outcome that is given, not drawn */
    const struct action *actions;
    size_t count;
};

struct table_setup {
    uint64_t id; /* from tables_new_id; where a protocol chooses it: a wish, or 0 */
    const struct game *game;
    struct game_options options;
    bool violation_loses;     /* an illegal action forfeits the seat; otherwise it is refused and may be tried
                                 again */
    uint32_t turn_timeout_ms; /* a seat that takes longer loses; 0: no clock */
    const char *protocol;     /* through which it is opened: "ugs" */
    struct span note;         /* what the protocol must know again after a restart; may be empty */
    struct span house;        /* what whoever opens it through a door must know again; may be empty */
    struct span names[SEATS_MAX]; /* empty: nobody sits there yet, see table_sit */
    struct address
        opener; /* for which it counts as long as it is not over; tables_may_open was asked before */
    const struct table_step *steps; /* what it begins with; then nobody sits there yet */
    size_t step_count;
    struct store_origin origin; /* the journal from which all the steps are; count is not looked at. Table 0:
                                   from none */
    bool is_private;            /* its code is to be one that nobody can guess */
    bool draws_seats; /* the dice decide who of the names sits where, and nobody may be missing; otherwise in
                         their order */
    bool is_fixed;    /* its id is that one, and no other of its kind */
};

/* Opens a table: gives the listener a settled when its set-up is on disk. The table belongs to tables.
 * Refuses any while tables are drained, options that the game refuses, names that are longer than
 * EVENT_NAME_BYTES_MAX and notes that are longer than EVENT_NOTE_BYTES_MAX, and steps that the rules refuse.
 */
enum err table_open(struct tables *, const struct table_setup *, const struct table_listener *,
                    uint64_t now_ms, struct table **out) MUST_CHECK;

/* What is asked for at a door. */
struct table_wish {
    struct game_options options;
    struct span house;     /* for the set-up */
    struct address opener; /* the same */
    uint64_t id;           /* of the table, if that is not used yet; 0: any */
    bool is_fixed;         /* it is to have that id, whatever codes others have */
    bool is_private;       /* the same */
};

/* A door: how somebody else opens a table that belongs to a protocol, so that its clients can come to it as
 * if one of them had opened it. A protocol has at most one; it hangs it up when it begins. */
struct table_door {
    const char *protocol; /* "eriantys" */
    const struct game *game;
    void *context;
    /* Opens a table with free seats that the protocol owns, under an id that it chooses. It takes its players
     * by table_sit. Refuses what table_open refuses, and ERR_TOO_MANY. */
    enum err (*open)(void *context, const struct table_wish *, uint64_t now_ms, struct table **out);
};

void tables_add_door(struct tables *, const struct table_door *);
/* Takes the doors of a protocol down: at its end. */
void tables_remove_door(struct tables *, const char *protocol);
/* The door of a protocol; NULL: it has none. */
const struct table_door *tables_door(const struct tables *, struct span protocol);
/* All of them, one after the other; NULL: there are no more. */
const struct table_door *tables_door_at(const struct tables *, size_t index);

/* Forgets a table; its journal stays, and a request that is on its way is still written. */
void table_close(struct table *);

/* Another listener in place of the one that table_open was given: of whoever owns the table. */
void table_listen(struct table *, const struct table_listener *);

/* No protocol here is its owner: another node has it, or nobody. It is forgotten when it is over. */
void table_disown(struct table *);

/* One more listener, of whoever looks on: any number may watch a table. They are told after the owner, in the
 * order in which they came. */
struct table_watch;
struct table_watch *table_watch(struct table *, const struct table_listener *);
void table_unwatch(struct table_watch *);

/* Somebody who sits down at a table that is open. */
struct table_guest {
    unsigned seat;
    struct span name;
    const struct digest *token; /* the hash of the secret by which the player is known, or NULL */
    struct span note;           /* what the protocol must know again about the player; may be empty */
    struct span seed;           /* what the player adds to the dice, see event_seed_fits; may be empty */
    struct address origin;      /* from where the player may come back by its name; nobody's: not known */
    struct span secret;         /* by which it may, too, instead of a token; may be empty */
    bool takes_over;  /* the seat may be taken: as long as no seat has acted, the guest sits there instead */
    bool is_any_seat; /* when another node was first there, any other free seat will do, unless somebody of
                         the same name has come */
};

/* A guest takes a seat, and plays these actions with it (count 0: none), all in one request. Returns why it
 * is refused, or ERR_OK: settled follows, and then the seat has its name. Refused are ERR_BUSY,
 * ERR_TABLE_OVER, ERR_SEAT_TAKEN, ERR_FIELD_INVALID (no such seat; a name, note or seed that is no text or
 * does not fit), and what the rules say about the actions, which is never a violation here. */
enum err table_sit(struct table *, const struct table_guest *, const struct action *actions, size_t count,
                   uint64_t now_ms) MUST_CHECK;

/* The player who sits there leaves the seat free again, which is possible until a seat has acted, and as long
 * as other seats are free until its own player has. Refused are ERR_BUSY, ERR_TABLE_OVER, ERR_FIELD_INVALID
 * (no such seat, nobody sits there, too late); otherwise settled follows, and then the seat has no name and
 * nobody is online there. */
enum err table_get_up(struct table *, unsigned seat, uint64_t now_ms) MUST_CHECK;

/* A seat plays these actions, all of them or none. Returns why it is refused, or ERR_OK: settled follows.
 * When policy makes a violation a loss, a refusal by the rules starts that instead, and settled follows too;
 * being out of turn (ERR_NOT_YOUR_TURN), too early (ERR_BUSY) or too late (ERR_TABLE_OVER) is never a
 * violation. */
enum err table_act(struct table *, unsigned seat, const struct action *actions, size_t count,
                   uint64_t now_ms) MUST_CHECK;

/* The same for what a seat sent as one turn, which may have to be all of it. */
struct table_turn {
    const struct action *actions;
    size_t count;
    enum err broken;              /* what is wrong behind the last of them; ERR_OK: nothing */
    enum err too_short, too_long; /* refused so when the seat is still on turn after them, or not any more
                                     before one; ERR_OK: any number will do */
    struct span sent;             /* as in struct table_breach */
    bool has_used;                /* how long it took is told, and not measured (table_set_told): */
    uint32_t used_ms;
};
enum err table_act_turn(struct table *, unsigned seat, const struct table_turn *, uint64_t now_ms) MUST_CHECK;

/* The request that is on its way was meant for this version of the table and no other: when another writer
 * was first it is refused with ERR_CONFLICT instead of being judged again. */
void table_pin_request(struct table *);

/* The seat is given up: it broke the rules with something that could not even be read as actions, left,
 * resigned. The table goes on without it when the rules know how (game.attend), otherwise the seat loses and
 * the table is over: its rivals have won (game.rivals). A table with free seats has no result: who leaves or
 * resigns there gets up, as with table_get_up, and whatever else would be a loss is refused with
 * ERR_TABLE_WAITS. ERR_BUSY while a request is on its way, ERR_TABLE_OVER when there is nothing to lose any
 * more; otherwise settled follows. */
enum err table_forfeit(struct table *, unsigned seat, enum event_reason) MUST_CHECK;

/* Why a seat is given up, for the journal and everybody who reads it. The texts are literals, or last until
 * the call returns where none is kept. */
enum { TABLE_CAUSE_WORDS_BYTES = 160 };
#define TABLE_WORDS_AWAY "was away for longer than a player is waited for"
struct table_cause {
    const char *words;   /* a sentence; NULL: there is no more to say */
    const char *rule;    /* "clocks C1"; NULL: none */
    uint32_t allowed_ms; /* the time that its player had by a clock that is not the table's; 0: none */
};

/* The same with more to say about it. */
enum err table_forfeit_why(struct table *, unsigned seat, enum event_reason,
                           const struct table_cause *) MUST_CHECK;

/* How a seat broke the rules, for the journal and everybody who reads it. */
struct table_breach {
    enum err why;      /* its rule stands there too */
    struct span words; /* empty: the sentence of why */
    struct span sent;  /* what the player sent, as text; may be empty, and is cut at EVENT_SENT_BYTES_MAX */
};

/* The same for REASON_VIOLATION, when it is known what was broken. Nobody can break the rules of a table that
 * waits for players: ERR_TABLE_WAITS. */
enum err table_violate(struct table *, unsigned seat, const struct table_breach *) MUST_CHECK;

/* The player of the seat is away or back, or has left for good (SEAT_RETIRED, as table_forfeit with
 * REASON_LEFT). Takes effect as soon as the request that is on its way is through, and settled follows; of
 * several wishes about a seat in the meantime only the last one counts. Nothing happens at a table that is
 * over, or when the rules do not know what follows from being away. */
void table_attend(struct table *, unsigned seat, enum attendance, uint64_t now_ms);
/* The same for SEAT_RETIRED with more to say about it: the texts of the cause are literals. */
void table_retire(struct table *, unsigned seat, const struct table_cause *, uint64_t now_ms);

/* Whether the request that is on its way can be withdrawn: the store has refused it, so that nothing of it is
 * there, and it waits to be tried again. */
bool table_may_withdraw(const struct table *);
/* Takes it back. settled follows, with nothing changed and the turn beginning anew; a table whose set-up it
 * was is closed. */
void table_withdraw(struct table *);

/* The seat that is on turn has run out of time, and is given up in the same way. The same refusals, and
 * ERR_NOT_YOUR_TURN when nobody is on turn. The table's own clock does this by itself; it does not run while
 * seats are free. */
enum err table_time_out(struct table *) MUST_CHECK;
/* The same by another clock, or of a seat of several that are on turn (SEAT_WATCHER: the first). */
enum err table_time_out_why(struct table *, unsigned seat, const struct table_cause *) MUST_CHECK;

/* Gives the table another clock from now on: turn_timeout_ms for the turn that runs and for those to come; 0
 * stops it. Not in the journal: whoever sets it sets it again after a restart, and what was used of the turn
 * before that counts. */
void table_set_clock(struct table *, uint32_t turn_timeout_ms, uint64_t now_ms);
/* The same for a clock of each seat for the whole game, and what it gets more with each turn that it ends; 0:
 * none. What seats have used of it stands in the journal. */
void table_set_game_clock(struct table *, uint32_t game_ms, uint32_t increment_ms, uint64_t now_ms);
/* The clocks stand from now on, because whoever is on turn is kept from acting; and run again, with a whole
 * turn. */
void table_hold_clock(struct table *, bool is_held, uint64_t now_ms);
/* Seats whose clocks are not measured here, because how long they took is told with their actions (has_used):
 * those of our own bots. They are never out of time by a clock of the table. */
void table_set_told(struct table *, seat_set seats, uint64_t now_ms);

/* Ends the table without a result. The same refusals. */
enum err table_abandon(struct table *) MUST_CHECK;

/* Whether somebody is connected as this seat, through whatever protocol: a fact of the moment, not in the
 * journal. Nobody is, at first and after a restart. */
void table_set_online(struct table *, unsigned seat, bool is_online);
bool table_is_online(const struct table *, unsigned seat);
/* The same through another node. */
bool table_is_online_elsewhere(const struct table *, unsigned seat);
/* Whether the presence that is being told is that of another node. */
bool table_tells_remote(const struct table *);
/* How many wait at the table without a seat, for the other nodes; and how many do so there. */
void table_set_guests(struct table *, unsigned count);
unsigned table_guests_elsewhere(const struct table *);

enum table_state_word { TABLE_OPENING, TABLE_RUNNING, TABLE_OVER };

uint64_t table_id(const struct table *);
const char *table_protocol(const struct table *);
/* Who opened it; nobody's when that is not counted, or after a restart. Borrowed. */
const struct address *table_opener(const struct table *);
const struct game *table_game(const struct table *);
const struct game_options *table_options(const struct table *);
/* The seat was given up, and the table went on without it. */
bool table_is_retired(const struct table *, unsigned seat);
/* The same, or the table was lost by it; a breach of the rules is none. */
bool table_has_given_up(const struct table *, unsigned seat);
/* An illegal action forfeits the seat here. */
bool table_violation_loses(const struct table *);
/* The time for one turn, for the whole game, and what comes to that with each turn; 0: there is no such
 * clock. */
uint32_t table_turn_ms(const struct table *);
uint32_t table_game_ms(const struct table *);
uint32_t table_increment_ms(const struct table *);
/* What is left to a seat, of whichever clock is the next to run out, by the time that tables was told last; 0
 * without a clock. */
uint64_t table_left_ms(const struct table *, unsigned seat);
/* A number of the one who listens to all tables, 0 at first. */
uint32_t *table_mark(struct table *);
/* True once a seat has acted. */
bool table_has_begun(const struct table *);
/* Number of seats on which nobody sits yet. */
unsigned table_free_seats(const struct table *);
enum table_state_word table_state_word(const struct table *);
/* The name at a seat; "" when nobody sits there. */
const char *table_name(const struct table *, unsigned seat);
/* What the guest brought: the token (NULL: none), the note ("": none). */
const struct digest *table_token(const struct table *, unsigned seat);
const char *table_note(const struct table *, unsigned seat);
/* The seat whose player brought this token, or SEAT_WATCHER. How long it takes does not depend on the token.
 */
unsigned table_seat_by_token(const struct table *, const struct digest *token);
/* Whether somebody who says the name of a seat is its player: it comes from where the player sat down, or
 * shows the secret that the player brought then. Where neither is known of a player the name is enough, and
 * where names are enough anywhere it is for those without a secret. Who is known by a token is not known by
 * its name. */
bool table_may_return(const struct table *, unsigned seat, const struct address *origin, struct span secret);
/* Whether anybody could be the player of this seat by its name: it was taken so, and nobody is online there.
 */
bool table_is_claimable(const struct table *, unsigned seat);
/* A keyed hash of an address, other at every table (0: at none in particular), the same in every run. False:
 * of nobody there is none. */
bool tables_home(const struct tables *, uint64_t table, const struct address *, struct digest *out);
/* Whether somebody from there is at home where that was kept (NULL: it was not, and everybody is). */
bool tables_is_home(const struct tables *, uint64_t table, const struct digest *home, const struct address *);
/* What whoever sits there has added to the dice; "": nothing. */
const char *table_seed(const struct table *, unsigned seat);
/* The commitment to the secret of the dice; and the number of the event with the first seed, 0: there is
 * none. All draws after that event have seeds in them. */
void table_commitment(const struct table *, struct digest *out);
uint64_t table_mixed_seq(const struct table *);
/* The notes of the set-up: of the protocol that has the table, and of whoever opened it through a door; "":
 * none. */
const char *table_setup_note(const struct table *);
const char *table_house_note(const struct table *);
/* A digest that only this table can make, the same in every run of the program: of the purpose and two
 * numbers, keyed with the table's secret. */
void table_derive(const struct table *, const char *purpose, uint64_t a, uint64_t b, struct digest *out);
/* The seat that its dice give to the first who comes, of a table with two where nobody has sat yet. */
unsigned table_draw_seat(const struct table *);
/* When it was opened, by the clock of the journal. */
int64_t table_created_ms(const struct table *);
/* True while a request is on its way. */
bool table_is_busy(const struct table *);
/* Whether what is being told (sat, played) is of that request; otherwise another writer was first. */
bool table_tells_own(const struct table *);
/* How it ended, and the points per seat; of a table that is over. After a forfeit its rivals
 * have 1 and all others 0, undecided gives 0 to all. */
enum event_outcome table_outcome(const struct table *);
void table_points(const struct table *, int32_t points[SEATS_MAX]);
/* Number of events on disk; every change of the table raises it. */
uint64_t table_version(const struct table *);
/* The last of them. False before the set-up is on disk. Borrowed until the table changes. */
bool table_last(const struct table *, struct record *out);
/* Why the seat that lost did so, of a table that was forfeited; 0 for a time-out. */
enum event_reason table_loss_reason(const struct table *);

/* What a viewer may know of the table, as far as it is on disk: a seat, or SEAT_WATCHER. Made once, whoever
 * asks for it, and without a copy when the game has no secrets. Borrowed until the table changes, or a view
 * of another table is asked for. */
const struct game_view *table_view(const struct table *, unsigned viewer);

/* Whether the rules let this seat act now, and its actions, as game.legal: neither is ever a secret. */
bool table_may_act(const struct table *, unsigned seat);
size_t table_legal(const struct table *, unsigned seat, struct action *out);

#endif
