/* Where journals live, behind one interface: memory (for tests and measuring), SQLite (the embedded default),
 * and PostgreSQL, in which many may write.
 *
 * append is optimistic: it names the event it expects to be the last one, and whoever comes second gets
 * ERR_CONFLICT and looks again. Nothing here makes the caller wait for a disk: appends are queued, a writer
 * commits what has gathered, and the results are delivered by store_drain on the caller's thread, in the
 * order of the appends to a table. Journals and lists that are needed while the loop runs come the same way,
 * so that a store on another machine fits; what reads at once is for the start and for commands. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/histogram.h"
#include "store/event.h"

#include <assert.h>
#include <stdatomic.h>

struct store;

/* The result of an append: ERR_OK once it is on disk for good; ERR_CONFLICT when the table has moved on;
 * ERR_IO when it could not be written (nothing of it is there). */
typedef void store_done(void *context, enum err);

/* A new table may go on from another one: then the events behind its set-up are those that were played there
 * (store/origin.h), and the store refers to the other journal instead of keeping them again. */
enum { STORE_ORIGINS_MAX = 32 }; /* journals that refer to each other, one behind the other */
struct store_origin {
    uint64_t table, version; /* its first so many events; it is over */
    size_t count;   /* of the events behind the set-up that come from there; 0: the journal is whole */
    uint32_t depth; /* one more than that of the other journal, at most STORE_ORIGINS_MAX */
};

struct store_request {
    uint64_t table;
    uint64_t expected_seq; /* seq of the table's last event; 0 opens a new table */
    const struct event
        *events; /* at least one, seq counting on from expected_seq, hashes filled in; all or none */
    size_t event_count;
    struct store_origin origin;  /* of a new table. Its events are in the request all the same, and all of
                                    them have the time of the set-up */
    const struct digest *secret; /* of a new table's dice: kept beside the journal, not in it, until the
                                    result reveals it; or NULL */
    store_done *done;
    void *context;
};

struct store_table {
    uint64_t table;
    const char *game;     /* from its set-up; borrowed */
    const char *protocol; /* borrowed; EVENT_PROTOCOL_CHAMPIONSHIP: it is no table but a championship */
    int64_t created_ms;
    int64_t finished_ms; /* 0: still running */
    uint64_t last_seq;
};

/* All, running and finished are tables and championships alike. */
enum store_filter { STORE_ALL, STORE_RUNNING, STORE_FINISHED, STORE_CHAMPIONSHIPS };

/* Visitors return false to stop early. Everything they are shown is borrowed. */
typedef bool store_visit_event(void *context, uint64_t table, const struct event *);
typedef bool store_visit_table(void *context, const struct store_table *);

/* One append that was committed: all its events, in order. */
typedef void store_visit_commit(void *context, uint64_t table, const struct event *events, size_t count);

/* A journal that is asked for: visit is shown its events from from_seq on, in order, secret the secret of its
 * dice if there is one, origin to which journal it refers (each NULL: it is not asked for), and then done is
 * called with what store_read returns. */
struct store_load {
    uint64_t table;
    uint64_t from_seq;
    bool is_running; /* it is wanted only if it runs: nothing is shown of one that is over */
    bool is_past;    /* no move waits for it: it is read apart from the others, however long it takes */
    store_visit_event *visit;
    void (*secret)(void *context, const struct digest *);
    void (*origin)(void *context, const struct store_origin *);
    store_done *done;
    void *context;
};

/* A list that is asked for: visit is shown its tables, in the order of store_list, or of store_list_finished
 * when finished ones are wanted; then done is called with what these return. Always read apart. */
struct store_look {
    enum store_filter filter;
    int64_t before_ms; /* of finished ones: as store_list_finished says */
    uint64_t before_table;
    const char *game;  /* only of this one; NULL: of any. Borrowed until done is called */
    size_t tables_max; /* after so many the list ends; 0: never */
    store_visit_table *visit;
    store_done *done;
    void *context;
};

/* Several nodes, each a process with a store of its own, may share the journals of one database. Beside
 * commits a node hears who else is there, and words of the others: about what no journal knows, and may be
 * lost. */
enum {
    STORE_NODES_MAX = 64,
    STORE_NODE_LOST_MS = 3000,               /* a node without a sign of life is gone, and so is its lease */
    STORE_WORD_BYTES_MAX = 4000,             /* of one word */
    STORE_WORDS_BYTES_MAX = 8 * 1024 * 1024, /* that wait; those beyond are lost */
};

/* Who was there with the last sign of life of this node. */
struct store_company {
    uint64_t self;
    uint64_t nodes[STORE_NODES_MAX];   /* this one among them */
    uint32_t ages_ms[STORE_NODES_MAX]; /* how long ago each gave its sign of life */
    size_t count;
    bool has_lease; /* what lives at one node at a time lives here */
};

/* All are called by store_drain. */
struct store_neighbours {
    void *context;
    void (*company)(void *context, const struct store_company *);
    void (*word)(void *context, uint64_t node, struct span word);
    /* Words may have been lost, of this node and of others. */
    void (*missed)(void *context);
};

struct store_outage;

struct store_ops {
    void (*append)(struct store *, const struct store_request *);
    void (*load)(struct store *, const struct store_load *);
    void (*look)(struct store *, const struct store_look *);
    size_t (*drain)(struct store *);
    bool (*work)(struct store *);
    enum err (*read)(struct store *, uint64_t table, uint64_t from_seq, store_visit_event *, void *context);
    enum err (*read_running)(struct store *, store_visit_event *, void *context);
    enum err (*list)(struct store *, enum store_filter, store_visit_table *, void *context);
    enum err (*list_finished)(struct store *, int64_t before_ms, uint64_t before_table, store_visit_table *,
                              void *context);
    enum err (*secret)(struct store *, uint64_t table, struct digest *out);
    enum err (*last_table)(struct store *, uint64_t below, uint64_t *out);
    enum err (*origin)(struct store *, uint64_t table, struct store_origin *out); /* NULL: all are whole */
    void (*follow)(struct store *, store_visit_commit *, void *context);
    void (*beat)(struct store *, int64_t wall_ms);
    void (*say)(struct store *, struct span word); /* NULL where nobody shares it */
    enum err (*inherit)(struct store *, const struct store_outage *, size_t count, int64_t beat_ms,
                        const struct digest *key);
    void (*close)(struct store *);
};

/* A time during which nobody was there. */
struct store_outage {
    int64_t from_ms, to_ms;
};
enum {
    STORE_OUTAGES_MAX = 1024,     /* that are remembered, the newest */
    STORE_BEAT_GAP_MS = 3 * 1000, /* a longer time between two beats is one in which nobody was there */
    STORE_BEATS_LATE = 3, /* so many beats in a row that nobody has begun to write: the writer hangs */
};

/* What has become of appends so far, as far as it was delivered; for the thread that drains. */
struct store_figures {
    uint64_t asked;                    /* appends */
    uint64_t saved, failed, conflicts; /* how they ended */
    uint64_t events;                   /* that were saved */
    struct histogram commits;          /* how long each took that had appends in it */
};

struct store {
    const struct store_ops *ops;
    struct store_figures figures;
    /* Set by whoever owns the loop: called from any thread when store_drain has something to do. May be NULL.
     */
    void (*wake)(void *context);
    void *wake_context;
    int64_t last_beat_ms; /* wall time of the last sign of life before this run; 0 for a new store */
    /* The outages before that one. Owned by the store. */
    struct store_outage *outages;
    size_t outage_count;
    struct digest key; /* for hashes of what must not be read from the journal, such as where players come
                          from; the same in every run. Not of a store that is opened to be read */
    _Atomic bool is_scarce; /* so little is left where it writes that nothing new should be begun */
    const char *loss; /* what the store has lost while nobody ran, as a sentence; NULL: nothing. Owned */
    bool is_shared;   /* other nodes may write to its journals, too */
    bool is_serving; /* a loop runs on it, which must not wait: set by whoever runs that. From then on nothing
                        is read but by store_load and store_look */
    struct store_neighbours neighbours; /* set by whoever wants to hear of them; of a shared store */
    /* Kept by the engine, from any thread: whether the last write failed, and the beats that wait for the
     * writer. */
    atomic_bool is_failing;
    atomic_uint beats_waiting;
};

/* Why nothing can be written now, as a sentence, or NULL. It is known because of the beats, so it may be some
 * seconds old. */
static inline const char *store_why_not(struct store *s) {
    if (atomic_load(&s->is_failing))
        return "the store cannot be written; the log says why (store-failed)";
    return atomic_load(&s->beats_waiting) < STORE_BEATS_LATE ? NULL : "the store does not answer";
}

/* Queues an append; everything is copied. done is called by a later store_drain, never from here. */
static inline void store_append(struct store *s, const struct store_request *r) {
    s->figures.asked++;
    s->ops->append(s, r);
}

/* Appends are on their way to the disk, as far as the caller's thread has heard. */
static inline bool store_is_writing(const struct store *s) {
    return s->figures.asked > s->figures.saved + s->figures.failed + s->figures.conflicts;
}

/* Asks for a journal. visit and done are called by a later store_drain, never from here. ERR_IO, too, when
 * too many are asked for. */
static inline void store_load(struct store *s, const struct store_load *load) {
    s->ops->load(s, load);
}

/* The same for a list of tables. */
static inline void store_look(struct store *s, const struct store_look *look) {
    s->ops->look(s, look);
}

/* Delivers what has been committed, was loaded or has failed since the last call. Returns how many. done may
 * append and load again. */
static inline size_t store_drain(struct store *s) {
    return s->ops->drain(s);
}

/* Commits and loads everything that is queued, on this thread. For stores opened without a writer thread
 * (tests, simulation, commands). True when there was anything to do. */
static inline bool store_work(struct store *s) {
    return s->ops->work(s);
}

/* The events of a table from from_seq on, in order. A table that does not exist has none. This and all reads
 * that follow are for starts and commands, not for a loop that runs (is_serving): ERR_IO when the store
 * cannot be read, ERR_DAMAGED when its file is damaged where this stands; what was read before that has been
 * shown. */
static inline MUST_CHECK enum err store_read(struct store *s, uint64_t table, uint64_t from_seq,
                                             store_visit_event *visit, void *context) {
    assert(!s->is_serving);
    return s->ops->read(s, table, from_seq, visit, context);
}

/* The events of all running tables, table by table, each in order: what a restart reads, in one sweep.
 * Championships are not among them. */
static inline MUST_CHECK enum err store_read_running(struct store *s, store_visit_event *visit,
                                                     void *context) {
    assert(!s->is_serving);
    return s->ops->read_running(s, visit, context);
}

/* Tables by time of creation, oldest first. */
static inline MUST_CHECK enum err store_list(struct store *s, enum store_filter filter,
                                             store_visit_table *visit, void *context) {
    assert(!s->is_serving);
    return s->ops->list(s, filter, visit, context);
}

/* Finished tables by the time of their end, newest first: those that ended before the given time, or then
 * with a smaller id. Championships are not among them. */
static inline MUST_CHECK enum err store_list_finished(struct store *s, int64_t before_ms,
                                                      uint64_t before_table, store_visit_table *visit,
                                                      void *context) {
    assert(!s->is_serving);
    return s->ops->list_finished(s, before_ms, before_table, visit, context);
}

/* The secret that was given with a new table; ERR_FIELD_MISSING when there is none (any more). */
static inline MUST_CHECK enum err store_secret(struct store *s, uint64_t table, struct digest *out) {
    assert(!s->is_serving);
    return s->ops->secret(s, table, out);
}

/* The largest id of a table, running or finished, that is smaller than below; 0 when there is none. */
static inline MUST_CHECK enum err store_last_table(struct store *s, uint64_t below, uint64_t *out) {
    assert(!s->is_serving);
    return s->ops->last_table(s, below, out);
}

/* To which journal that of a table refers; count 0: to none. */
static inline MUST_CHECK enum err store_origin(struct store *s, uint64_t table, struct store_origin *out) {
    *out = (struct store_origin){0};
    assert(!s->is_serving);
    return s->ops->origin == NULL ? ERR_OK : s->ops->origin(s, table, out);
}

/* From now on every commit, of whoever appended it, is shown during store_drain, before the done of its
 * append. One follower per store; visit NULL ends it. */
static inline void store_follow(struct store *s, store_visit_commit *visit, void *context) {
    s->ops->follow(s, visit, context);
}

/* A sign of life, about once a second: kept so that a restart knows how long nobody was there. It is written
 * like any append, so it also finds out when a failed disk works again. */
static inline void store_beat(struct store *s, int64_t wall_ms) {
    s->ops->beat(s, wall_ms);
}

/* Tells a word to all other nodes of a shared store; it may be lost. Copied. */
static inline void store_say(struct store *s, struct span word) {
    s->ops->say(s, word);
}

/* The journals of another store have been copied here: its outages, and, unless this one has had a life of
 * its own, its last beat and its key (NULL: not known). Written at once; for commands. */
static inline MUST_CHECK enum err store_inherit(struct store *s, const struct store_outage *outages,
                                                size_t count, int64_t beat_ms, const struct digest *key) {
    return s->ops->inherit(s, outages, count, beat_ms, key);
}

/* Commits what is queued, then frees. Callbacks are not called any more. */
static inline void store_close(struct store *s) {
    s->ops->close(s);
}

/* A store that forgets with the process. Commits in store_work, or at once when it has no use for waiting
 * (is_immediate: appends are ready for the next store_drain). */
struct store *store_memory_open(bool is_immediate);

/* One more node at a store in memory: the same journals, with commits, words and signs of life that come
 * through store_drain. Each is closed by itself, in any order; what is on its way there is lost with it. For
 * tests and the simulation. */
struct store *store_memory_share(struct store *);

struct store_sqlite_config {
    const char *path;
    const char *vfs;        /* NULL: the system's; tests bring a disk of their own */
    bool has_writer_thread; /* otherwise store_work does it */
    bool is_exclusive;      /* nobody else opens the file, not even to read: no shared memory is needed */
    bool is_read_only;      /* for commands that look at the journal of a running server */
    bool accepts_loss;      /* goes on although something that was saved is gone; otherwise that is refused */
    uint64_t reserve_bytes; /* with less free on its disk the store is scarce (struct store); 0: never */
    uint32_t keep_days;     /* finished tables older than this are removed; 0: kept for ever */
    uint64_t keep_tables;   /* at most so many finished tables are kept; 0: no limit */
};

/* Opens or creates. Prints nothing; *complaint (when not NULL) becomes a sentence that says why it could not,
 * borrowed until the next call. Refuses a file of a newer format. */
enum err store_sqlite_open(const struct store_sqlite_config *, struct store **out,
                           const char **complaint) MUST_CHECK;

struct store_postgres_config {
    const char *url;        /* as libpq reads it: postgresql://USER@HOST,HOST/DATABASE?sslmode=verify-full */
    bool has_writer_thread; /* otherwise store_work does it, and commits of others are not followed */
    bool is_read_only;      /* for commands that look */
    bool is_alone;          /* one database without a standby is meant; otherwise that is refused */
    const char *lease;      /* the name of what lives at one node at a time; NULL: nothing does */
    uint32_t keep_days;     /* as for SQLite */
    uint64_t keep_tables;
};

/* The same in a database of PostgreSQL 15 or later. Makes and migrates the schema; refuses a newer one, and a
 * database that promises too little. The log is told once what it promises. */
enum err store_postgres_open(const struct store_postgres_config *, struct store **out,
                             const char **complaint) MUST_CHECK;

/* A copy of the whole store that is consistent in itself, made while the server runs (SQLite's online
 * backup). */
enum err store_sqlite_backup(const char *from_path, const char *to_path, const char **complaint) MUST_CHECK;

#endif
