#include "shared_store.h"

#include "base/mem.h"
#include "store/pending.h"

#include <assert.h>
#include <stdlib.h>
#include <utlist.h>

enum {
    ANSWER_USUAL_MS = 4,
    ANSWER_SLOW_MS = 1500,
    NEWS_USUAL_MS = 8,
    NEWS_SLOW_MS = 4000,
    COMPANY_USUAL_MS = 10,
    COMPANY_LATE_MS = 3500, /* longer than anybody believes in an old company */
    OUTAGE_MIN_MS = 2000,   /* as in PostgreSQL */
    DOUBT_AWAY_MS = 2000,   /* so long at most until a node is connected again after a lost answer */
};

/* In the order in which those of one drain are delivered. */
enum parcel_kind { PARCEL_DONE, PARCEL_NEWS, PARCEL_LOADED, PARCEL_WORD, PARCEL_MISSED, PARCEL_COMPANY };

/* Something on its way to a node. */
struct parcel {
    struct parcel *prev, *next;
    enum parcel_kind kind;
    uint64_t due_ms;
    struct pending *pending;
    struct pending_load *load;
    uint64_t node;
    struct buf word;
    struct store_company company;
};

struct shared_store {
    struct store base; /* first: the interface points at it */
    struct shared_db *db;
    struct shared_store *prev, *next;
    uint64_t number;
    int64_t seen_ms; /* its last sign of life; 0: it has left */
    bool is_cut, is_dead, has_beat, has_beaten, has_missed;
    int64_t beat_ms;
    uint64_t away_until_ms;
    struct pending_list queue, doubtful;
    struct pending_loads loads;
    struct parcel *said;  /* words that wait for the writer */
    struct parcel *inbox; /* by kind, and then in the order in which they were sent */
    struct store_follower follower;
};

/* A node that was there: also one that was killed leaves its sign of life. */
struct shared_sign {
    struct shared_sign *next;
    uint64_t number;
    int64_t seen_ms;
};

/* Who has written the events of a journal, node by node. */
struct shared_authors {
    uint64_t table;
    uint64_t *numbers; /* of the event with the number after its place */
    UT_hash_handle hh;
};

struct shared_db {
    struct sim *sim;
    struct shared_plan plan;
    struct rng rng;
    struct store *journals;
    struct shared_store *nodes;
    struct shared_sign *signs; /* of nodes that are gone without a word */
    uint64_t node_count;
    bool is_away;
    int64_t beat_ms; /* of any node */
    struct store_outage outages[STORE_OUTAGES_MAX];
    size_t outage_count;
    uint64_t lease;
    int64_t lease_until_ms;
    struct shared_authors *authors;
};

static struct shared_store *shared_of(struct store *s) {
    return (struct shared_store *)(void *)s;
}

static bool db_chance(struct shared_db *db, unsigned per_mille) {
    return sim_chance(&db->rng, per_mille);
}

static bool is_away(const struct shared_store *n) {
    return n->db->is_away || n->is_cut || n->db->sim->now_ms < n->away_until_ms;
}

static uint64_t delay_ms(struct shared_db *db, uint32_t usual_ms, uint32_t slow_ms) {
    return sim_below(&db->rng, db_chance(db, db->plan.slow) ? slow_ms : usual_ms);
}

/* Parcels. */

static void parcel_free(struct parcel *p) {
    mem_free(p->pending);
    if (p->load != NULL)
        pending_loads_free(&(struct pending_loads){p->load, p->load, 1});
    buf_free(&p->word);
    mem_free(p);
}

static void inbox_free(struct parcel **list) {
    struct parcel *p, *next;
    DL_FOREACH_SAFE(*list, p, next) {
        DL_DELETE(*list, p);
        parcel_free(p);
    }
}

/* Puts a parcel behind those of its kind, and not before those that it must follow. */
static void parcel_send(struct shared_store *to, struct parcel *p, uint64_t in_ms, bool is_ordered) {
    struct parcel *other, *behind = NULL;
    p->due_ms = to->db->sim->now_ms + in_ms;
    DL_FOREACH(to->inbox, other) {
        if (other->kind <= p->kind)
            behind = other;
        bool is_before = other->kind == p->kind &&
                         (p->kind != PARCEL_NEWS || other->pending->table == p->pending->table) &&
                         (p->kind != PARCEL_WORD || other->node == p->node);
        if (is_ordered && is_before && other->due_ms > p->due_ms)
            p->due_ms = other->due_ms;
    }
    if (behind == NULL)
        DL_PREPEND(to->inbox, p);
    else
        DL_APPEND_ELEM(to->inbox, behind, p);
}

static struct parcel *parcel_make(enum parcel_kind kind) {
    struct parcel *p = mem_alloc(sizeof *p);
    p->kind = kind;
    return p;
}

static void done_send(struct shared_store *n, struct pending *pending) {
    struct parcel *p = parcel_make(PARCEL_DONE);
    p->pending = pending;
    parcel_send(n, p, delay_ms(n->db, ANSWER_USUAL_MS, ANSWER_SLOW_MS), true);
}

static struct pending *pending_again(const struct pending *p) {
    return pending_copy(&(struct store_request){.table = p->table,
                                                .expected_seq = p->expected_seq,
                                                .events = p->events,
                                                .event_count = p->event_count});
}

/* The others hear of a commit, some of them twice. */
static void commit_tell(struct shared_store *n, const struct pending *pending) {
    struct shared_db *db = n->db;
    struct shared_store *other;
    DL_FOREACH(db->nodes, other) {
        if (other == n || db->sim->options.broken == BREAK_IGNORE_OTHERS)
            continue;
        bool is_again = db_chance(db, db->plan.again);
        for (int i = 0; i <= is_again; i++) {
            struct parcel *p = parcel_make(PARCEL_NEWS);
            p->pending = pending_again(pending);
            parcel_send(other, p, delay_ms(db, NEWS_USUAL_MS, NEWS_SLOW_MS), i == 0);
        }
        db->sim->counts.news_again += is_again;
    }
}

/* Committing. */

static void result_take(void *context, enum err e) {
    *(enum err *)context = e;
}

/* Writes a request that was judged on what is not true any more behind what is. */
static void pending_rebase(struct shared_db *db, struct pending *p);

static void authors_note(struct shared_store *n, const struct pending *p) {
    struct shared_db *db = n->db;
    struct shared_authors *a;
    HASH_FIND(hh, db->authors, &p->table, sizeof p->table, a);
    if (a == NULL) {
        a = mem_alloc(sizeof *a);
        a->table = p->table;
        HASH_ADD(hh, db->authors, table, sizeof a->table, a);
    }
    a->numbers = mem_resize(a->numbers, (p->expected_seq + p->event_count) * sizeof *a->numbers);
    for (size_t i = 0; i < p->event_count; i++) {
        a->numbers[p->expected_seq + i] = n->number;
        char code[TABLE_CODE_CHARS + 1];
        table_code_format(p->table, code);
        sim_trace(db->sim, "node %llx commits event %llu of table %s: %s", (unsigned long long)n->number,
                  (unsigned long long)(p->expected_seq + i + 1), code, event_kind_word(p->events[i].kind));
    }
}

bool shared_is_author(const struct store *s, uint64_t table, uint64_t seq) {
    const struct shared_store *n = (const struct shared_store *)(const void *)s;
    struct shared_authors *a;
    HASH_FIND(hh, n->db->authors, &table, sizeof table, a);
    return a != NULL && a->numbers[seq - 1] == n->number;
}

static enum err commit(struct shared_store *n, struct pending *p) {
    struct shared_db *db = n->db;
    enum err result = ERR_IO;
    if (db->sim->options.broken == BREAK_JUDGE_OLD && p->expected_seq > 0)
        pending_rebase(db, p);
    store_append(db->journals, &(struct store_request){.table = p->table,
                                                       .expected_seq = p->expected_seq,
                                                       .events = p->events,
                                                       .event_count = p->event_count,
                                                       .origin = p->origin,
                                                       .secret = p->has_secret ? &p->secret : NULL,
                                                       .done = result_take,
                                                       .context = &result});
    store_drain(db->journals);
    db->sim->counts.commits += result == ERR_OK;
    db->sim->counts.conflicts += result == ERR_CONFLICT;
    if (result == ERR_OK) {
        authors_note(n, p);
        commit_tell(n, p);
    }
    return result;
}

static bool last_take(void *context, uint64_t table, const struct event *event) {
    (void)table;
    *(struct event *)context = *event;
    return true;
}

static void pending_rebase(struct shared_db *db, struct pending *p) {
    struct event last = {0};
    enum err e = store_read(db->journals, p->table, p->expected_seq, last_take, &last);
    if (e != ERR_OK || last.seq <= p->expected_seq || event_ends(last.kind))
        return;
    const struct digest *before = &last.hash;
    p->expected_seq = last.seq;
    for (size_t i = 0; i < p->event_count; i++) {
        p->events[i].seq = last.seq + 1 + i;
        event_chain(&p->events[i], p->table, before);
        before = &p->events[i].hash;
    }
}

static bool list_has(const struct pending_list *list, uint64_t table) {
    const struct pending *p = list->first;
    while (p != NULL && p->table != table)
        p = p->next;
    return p != NULL;
}

/* What became of appends whose answer was lost is found out: some were committed, some were not, and some are
 * only now, by the session that was lost. */
static void doubts_settle(struct shared_store *n) {
    struct shared_db *db = n->db;
    while (n->doubtful.first != NULL) {
        struct pending *p = pending_pop(&n->doubtful);
        if (p->result == ERR_BUSY)
            p->result = db_chance(db, 300) ? commit(n, p) : ERR_IO;
        if (db->sim->options.broken == BREAK_GUESS_OUTCOME)
            p->result = ERR_IO;
        done_send(n, p);
    }
}

/* The answer to all that was written together is lost, and with it the connection. */
static void queue_doubt(struct shared_store *n) {
    struct shared_db *db = n->db;
    bool is_written = db_chance(db, 500);
    sim_trace(db->sim, "node %llx loses an answer", (unsigned long long)n->number);
    db->sim->counts.doubts++;
    for (struct pending *p = n->queue.first; p != NULL; p = p->next)
        p->result = is_written ? commit(n, p) : ERR_BUSY;
    pending_move(&n->doubtful, &n->queue);
    n->away_until_ms = db->sim->now_ms + sim_below(&db->rng, DOUBT_AWAY_MS);
}

/* What comes behind an append that is in doubt waits for it; everything else cannot be written. */
static bool queue_refuse(struct shared_store *n) {
    struct pending_list queue = n->queue;
    bool has_refused = false;
    n->queue = (struct pending_list){0};
    while (queue.first != NULL) {
        struct pending *p = pending_pop(&queue);
        if (list_has(&n->doubtful, p->table)) {
            pending_push(&n->queue, p);
            continue;
        }
        p->result = ERR_IO;
        done_send(n, p);
        has_refused = true;
    }
    return has_refused;
}

static bool queue_write(struct shared_store *n) {
    if (n->queue.first == NULL)
        return false;
    if (db_chance(n->db, n->db->plan.doubt)) {
        queue_doubt(n);
        return true;
    }
    while (n->queue.first != NULL) {
        struct pending *p = pending_pop(&n->queue);
        p->result = commit(n, p);
        done_send(n, p);
    }
    return true;
}

static void load_read(struct store *journals, struct pending_load *l) {
    const struct store_load *asked = &l->asked;
    if (l->is_look) {
        l->result =
            l->look.filter == STORE_FINISHED
                ? store_list_finished(journals, l->look.before_ms, l->look.before_table, pending_look_take, l)
                : store_list(journals, l->look.filter, pending_look_take, l);
        return;
    }
    l->result = store_read(journals, asked->table, asked->from_seq, pending_load_take, l);
    if (l->result == ERR_OK && asked->secret != NULL)
        l->has_secret = store_secret(journals, asked->table, &l->secret) == ERR_OK;
    if (l->result == ERR_OK && asked->origin != NULL)
        l->result = store_origin(journals, asked->table, &l->origin);
}

static void loads_run(struct shared_store *n) {
    while (n->loads.first != NULL) {
        struct pending_load *l = n->loads.first;
        n->loads.first = l->next;
        n->loads.count--;
        l->next = NULL;
        if (is_away(n))
            l->result = ERR_IO;
        if (l->result == ERR_OK)
            load_read(n->db->journals, l);
        struct parcel *p = parcel_make(PARCEL_LOADED);
        p->load = l;
        parcel_send(n, p, delay_ms(n->db, ANSWER_USUAL_MS, ANSWER_SLOW_MS), true);
    }
    n->loads.last = NULL;
}

/* Who is there. */

static void company_add(struct store_company *c, uint64_t number, int64_t seen_ms, int64_t now_ms) {
    if (seen_ms != 0 && now_ms - seen_ms <= STORE_NODE_LOST_MS && c->count < STORE_NODES_MAX)
        c->nodes[c->count++] = number;
}

static int number_compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void company_send(struct shared_store *n, uint64_t in_ms) {
    struct shared_db *db = n->db;
    int64_t now_ms = sim_true_ms(db->sim);
    const struct shared_store *other;
    const struct shared_sign *sign;
    struct parcel *p = parcel_make(PARCEL_COMPANY);
    p->company.self = n->number;
    n->seen_ms = now_ms;
    DL_FOREACH(db->nodes, other) company_add(&p->company, other->number, other->seen_ms, now_ms);
    LL_FOREACH(db->signs, sign) company_add(&p->company, sign->number, sign->seen_ms, now_ms);
    qsort(p->company.nodes, p->company.count, sizeof *p->company.nodes, number_compare);
    if (db->lease == n->number || db->lease_until_ms < now_ms) {
        db->lease = n->number;
        db->lease_until_ms = now_ms + STORE_NODE_LOST_MS;
    }
    p->company.has_lease = db->lease == n->number;
    parcel_send(n, p, in_ms, true);
}

static void outage_add(struct shared_db *db, int64_t from_ms, int64_t to_ms) {
    if (db->outage_count == STORE_OUTAGES_MAX)
        memmove(db->outages, db->outages + 1, --db->outage_count * sizeof *db->outages);
    db->outages[db->outage_count++] = (struct store_outage){from_ms, to_ms};
}

static void beat_write(struct shared_store *n) {
    struct shared_db *db = n->db;
    bool is_late = db_chance(db, db->plan.late_company);
    if (db->beat_ms != 0 && n->beat_ms - db->beat_ms > (n->has_beaten ? OUTAGE_MIN_MS : 0))
        outage_add(db, db->beat_ms, n->beat_ms);
    n->has_beaten = true;
    db->beat_ms = n->beat_ms;
    company_send(n, sim_below(&db->rng, is_late ? COMPANY_LATE_MS : COMPANY_USUAL_MS));
}

/* Words. */

static void words_lose(struct shared_store *n) {
    struct parcel *p, *next;
    DL_FOREACH_SAFE(n->inbox, p, next) {
        if (p->kind != PARCEL_WORD)
            continue;
        DL_DELETE(n->inbox, p);
        parcel_free(p);
        n->db->sim->counts.words_lost++;
    }
    n->has_missed = true;
}

static void words_tell(struct shared_store *n) {
    struct shared_db *db = n->db;
    struct parcel *said, *next;
    struct shared_store *other;
    DL_FOREACH_SAFE(n->said, said, next) {
        DL_FOREACH(db->nodes, other) {
            if (other == n)
                continue;
            db->sim->counts.words++;
            if (is_away(other)) {
                words_lose(other);
                continue;
            }
            struct parcel *p = parcel_make(PARCEL_WORD);
            p->node = n->number;
            buf_append(&p->word, buf_span(&said->word));
            parcel_send(other, p, delay_ms(db, NEWS_USUAL_MS, NEWS_SLOW_MS), true);
        }
        DL_DELETE(n->said, said);
        parcel_free(said);
    }
}

/* The interface. */

static bool shared_work(struct store *s) {
    struct shared_store *n = shared_of(s);
    bool has_worked = n->loads.first != NULL || n->has_beat || n->said != NULL;
    loads_run(n);
    if (is_away(n)) {
        has_worked = queue_refuse(n) || has_worked;
        if (n->said != NULL) {
            inbox_free(&n->said);
            n->has_missed = true;
        }
        n->has_beat = false;
        words_lose(n);
        return has_worked;
    }
    has_worked = has_worked || n->doubtful.first != NULL;
    doubts_settle(n);
    has_worked = queue_write(n) || has_worked;
    if (is_away(n))
        return has_worked;
    words_tell(n);
    if (db_chance(n->db, n->db->plan.lose_words))
        words_lose(n);
    if (n->has_missed && n->db->sim->options.broken != BREAK_FORGET_MISSED)
        parcel_send(n, parcel_make(PARCEL_MISSED), sim_below(&n->db->rng, NEWS_USUAL_MS), true);
    n->has_missed = false;
    if (n->has_beat)
        beat_write(n);
    n->has_beat = false;
    return has_worked;
}

static void shared_append(struct store *s, const struct store_request *r) {
    struct shared_store *n = shared_of(s);
    if (!n->is_dead)
        pending_push(&n->queue, pending_copy(r));
}

static void shared_load(struct store *s, const struct store_load *load) {
    struct shared_store *n = shared_of(s);
    if (!n->is_dead)
        pending_loads_push(&n->loads, load);
}

static void shared_look(struct store *s, const struct store_look *look) {
    struct shared_store *n = shared_of(s);
    if (!n->is_dead)
        pending_looks_push(&n->loads, look);
}

/* News of a journal to which an append of this node is on its way may stand behind that. */
static bool is_flying(const struct shared_store *n, uint64_t table) {
    const struct parcel *p;
    DL_FOREACH(n->inbox, p)
    if (p->kind == PARCEL_DONE && p->pending->table == table)
        return true;
    return list_has(&n->queue, table) || list_has(&n->doubtful, table);
}

/* While the database is away only what has come before is delivered. */
static bool is_due(const struct shared_store *n, const struct parcel *p) {
    if (p->kind == PARCEL_NEWS && (is_away(n) || is_flying(n, p->pending->table)))
        return false;
    return p->due_ms <= n->db->sim->now_ms;
}

uint64_t shared_store_next_ms(const struct store *s) {
    const struct shared_store *n = (const struct shared_store *)(const void *)s;
    const struct parcel *p;
    uint64_t next = TIMERS_NEVER;
    DL_FOREACH(n->inbox, p) {
        bool is_held = p->kind == PARCEL_NEWS && (is_away(n) || is_flying(n, p->pending->table));
        if (!is_held && p->due_ms < next)
            next = p->due_ms;
    }
    return next;
}

static void parcel_deliver(struct shared_store *n, struct parcel *p) {
    const struct store_neighbours *told = &n->base.neighbours;
    switch (p->kind) {
    case PARCEL_DONE:
    case PARCEL_NEWS:
        pending_deliver(&(struct pending_list){p->pending, p->pending, p->pending->event_count},
                        &n->follower);
        p->pending = NULL;
        break;
    case PARCEL_LOADED:
        pending_loads_deliver(&(struct pending_loads){p->load, p->load, 1});
        p->load = NULL;
        break;
    case PARCEL_WORD:
        if (told->word != NULL)
            told->word(told->context, p->node, buf_span(&p->word));
        break;
    case PARCEL_MISSED:
        if (told->missed != NULL)
            told->missed(told->context);
        break;
    case PARCEL_COMPANY:
        if (told->company != NULL)
            told->company(told->context, &p->company);
        break;
    }
    parcel_free(p);
}

/* What is delivered may send for more, and each delivery may set free what was held back. */
static size_t shared_drain(struct store *s) {
    struct shared_store *n = shared_of(s);
    size_t count = 0;
    struct parcel *p;
    do {
        DL_FOREACH(n->inbox, p)
        if (is_due(n, p))
            break;
        if (p == NULL)
            break;
        DL_DELETE(n->inbox, p);
        parcel_deliver(n, p);
        count++;
    } while (true);
    return count;
}

static enum err shared_read(struct store *s, uint64_t table, uint64_t from_seq, store_visit_event *visit,
                            void *context) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_read(n->db->journals, table, from_seq, visit, context);
}

static enum err shared_read_running(struct store *s, store_visit_event *visit, void *context) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_read_running(n->db->journals, visit, context);
}

static enum err shared_list(struct store *s, enum store_filter filter, store_visit_table *visit,
                            void *context) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_list(n->db->journals, filter, visit, context);
}

static enum err shared_list_finished(struct store *s, int64_t before_ms, uint64_t before_table,
                                     store_visit_table *visit, void *context) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO
                      : store_list_finished(n->db->journals, before_ms, before_table, visit, context);
}

static enum err shared_secret(struct store *s, uint64_t table, struct digest *out) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_secret(n->db->journals, table, out);
}

static enum err shared_last_table(struct store *s, uint64_t below, uint64_t *out) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_last_table(n->db->journals, below, out);
}

static enum err shared_origin(struct store *s, uint64_t table, struct store_origin *out) {
    struct shared_store *n = shared_of(s);
    return is_away(n) ? ERR_IO : store_origin(n->db->journals, table, out);
}

static void shared_follow(struct store *s, store_visit_commit *visit, void *context) {
    shared_of(s)->follower = (struct store_follower){visit, context};
}

static void shared_beat(struct store *s, int64_t wall_ms) {
    struct shared_store *n = shared_of(s);
    n->has_beat = !n->is_dead;
    n->beat_ms = wall_ms;
}

static void shared_say(struct store *s, struct span word) {
    struct shared_store *n = shared_of(s);
    if (n->is_dead)
        return;
    struct parcel *p = parcel_make(PARCEL_WORD);
    buf_append(&p->word, word);
    DL_APPEND(n->said, p);
}

static void shared_close(struct store *s) {
    struct shared_store *n = shared_of(s);
    struct shared_db *db = n->db;
    if (!n->is_dead && !is_away(n)) { /* an end in order: it says that it goes */
        doubts_settle(n);
        queue_write(n);
        doubts_settle(n);
        words_tell(n);
        n->seen_ms = 0;
        db->lease_until_ms = db->lease == n->number ? 0 : db->lease_until_ms;
    }
    if (n->seen_ms != 0) {
        struct shared_sign *sign = mem_alloc(sizeof *sign);
        *sign = (struct shared_sign){NULL, n->number, n->seen_ms};
        LL_PREPEND(db->signs, sign);
    }
    DL_DELETE(db->nodes, n);
    pending_free(&n->queue);
    pending_free(&n->doubtful);
    pending_loads_free(&n->loads);
    inbox_free(&n->said);
    inbox_free(&n->inbox);
    mem_free(n->base.outages);
    mem_free(n);
}

static const struct store_ops shared_ops = {
    .append = shared_append,
    .load = shared_load,
    .look = shared_look,
    .drain = shared_drain,
    .work = shared_work,
    .read = shared_read,
    .read_running = shared_read_running,
    .list = shared_list,
    .list_finished = shared_list_finished,
    .secret = shared_secret,
    .last_table = shared_last_table,
    .origin = shared_origin,
    .follow = shared_follow,
    .beat = shared_beat,
    .say = shared_say,
    .close = shared_close,
};

enum err shared_store_open(struct shared_db *db, struct store **out) {
    if (db->is_away)
        return ERR_IO;
    struct shared_store *n = mem_alloc(sizeof *n);
    n->base.ops = &shared_ops;
    n->base.is_shared = true;
    n->base.last_beat_ms = db->beat_ms;
    n->base.outages = mem_alloc(sizeof db->outages);
    n->base.outage_count = db->outage_count;
    memcpy(n->base.outages, db->outages, sizeof db->outages);
    n->db = db;
    n->number = rng_mix(db->sim->options.seed + ++db->node_count) >> 1;
    DL_APPEND(db->nodes, n);
    company_send(n, 0);
    parcel_send(n, parcel_make(PARCEL_MISSED), 0, true);
    *out = &n->base;
    return ERR_OK;
}

void shared_store_kill(struct store *s) {
    struct shared_store *n = shared_of(s);
    if (!is_away(n) && db_chance(n->db, 300))
        while (n->queue.first != NULL) {
            struct pending *p = pending_pop(&n->queue);
            enum err e = commit(n, p);
            (void)e; /* nobody is left to be told */
            mem_free(p);
        }
    n->is_dead = true;
}

void shared_store_cut(struct shared_db *db, struct store *s, bool is_away) {
    if (s == NULL)
        db->is_away = is_away;
    else
        shared_of(s)->is_cut = is_away;
}

struct shared_db *shared_db_create(struct sim *sim, const struct shared_plan *plan) {
    struct shared_db *db = mem_alloc(sizeof *db);
    db->sim = sim;
    db->plan = *plan;
    rng_seed(&db->rng, rng_next(&sim->plan_rng));
    db->journals = store_memory_open(true);
    return db;
}

void shared_db_calm(struct shared_db *db) {
    struct shared_store *n;
    db->plan = (struct shared_plan){0};
    db->is_away = false;
    DL_FOREACH(db->nodes, n) {
        n->is_cut = false;
        n->away_until_ms = 0;
    }
}

void shared_db_free(struct shared_db *db) {
    struct shared_sign *sign, *next;
    struct shared_authors *a, *next_author;
    assert(db->nodes == NULL);
    LL_FOREACH_SAFE(db->signs, sign, next) mem_free(sign);
    HASH_ITER(hh, db->authors, a, next_author) {
        HASH_DEL(db->authors, a);
        mem_free(a->numbers);
        mem_free(a);
    }
    store_close(db->journals);
    mem_free(db);
}

struct store *shared_journals(const struct shared_db *db) {
    return db->journals;
}
