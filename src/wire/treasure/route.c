#include "wire/treasure/route.h"

#include "base/mem.h"
#include "host/table/figures.h"
#include "wire/treasure/dialect.h"

#include <ctype.h>
#include <stdio.h>
#include <utlist.h>

enum { PATH_PIECES_MAX = 5, SENTENCE_BYTES_MAX = 512 };

static const char xml_type[] = "application/xml;charset=UTF-8";

/* One request on its way through the hunt. */
struct ticket {
    struct ticket *next_free;
    struct http_exchange *exchange;
    bool accepts_gzip;
    /* Of a game whose messages are recorded: what was asked, until it is known whether it was refused. */
    struct buf asked;
    uint64_t table; /* 0: nothing is recorded */
    unsigned seat;
    uint64_t version; /* of the table when it was asked */
    struct address origin;
};

/* What a player was shown last. */
struct rendering {
    struct rendering *prev, *next; /* by the last use, oldest first */
    struct hunt_player *player;
    uint64_t version;
    struct buf plain;
    struct buf gzip; /* empty until somebody asks for it */
};

struct route {
    struct tables *tables;
    struct hunt *hunt;
    struct inspector *inspector;
    struct treasure_reader *reader;
    struct buf out;
    struct ticket *free_tickets;
    struct rendering *renderings;
    size_t rendering_bytes;
    bool is_ending; /* there is nobody to answer any more */
};

static void answer_error(struct route *r, struct http_exchange *x, int status, const char *name,
                         const char *sentence) {
    buf_clear(&r->out);
    treasure_write_error(&r->out, name, sentence);
    http_answer(x, status, xml_type, buf_span(&r->out));
}

/* Refusals are answered with 200, because the clients read the envelope only then (section 2). */
static void answer_refusal(struct route *r, struct http_exchange *x, enum err why, const char *detail) {
    char sentence[SENTENCE_BYTES_MAX];
    snprintf(sentence, sizeof sentence, "%s%s%s", err_sentence(why), *detail == '\0' ? "" : ": ", detail);
    answer_error(r, x, 200, treasure_error_name(why), sentence);
}

/* States. */

static size_t rendering_size(const struct rendering *n) {
    return n->plain.capacity + n->gzip.capacity + sizeof *n;
}

static void rendering_free(struct route *r, struct rendering *n) {
    r->rendering_bytes -= rendering_size(n);
    DL_DELETE(r->renderings, n);
    *hunt_attachment(n->player) = NULL;
    buf_free(&n->plain);
    buf_free(&n->gzip);
    mem_free(n);
}

static void hunt_forgets(void *context, void *attachment) {
    rendering_free(context, attachment);
}

static void render(struct rendering *n) {
    static struct hunt_view view; /* larger than a stack frame should be */
    hunt_view(n->player, &view);
    buf_clear(&n->plain);
    buf_clear(&n->gzip);
    treasure_write_state(&n->plain, &view, hunt_kind_of(n->player));
    n->version = hunt_version(n->player);
}

/* The rendering of what a player may see now. */
static struct rendering *rendering_of(struct route *r, struct hunt_player *player, bool wants_gzip) {
    void **attachment = hunt_attachment(player);
    struct rendering *n = *attachment;
    if (n != NULL && n->version == hunt_version(player) && (!wants_gzip || n->gzip.size > 0)) {
        DL_DELETE(r->renderings, n);
        DL_APPEND(r->renderings, n);
        return n;
    }
    if (n == NULL) {
        *attachment = n = mem_alloc(sizeof *n);
        n->player = player;
    } else {
        r->rendering_bytes -= rendering_size(n);
        DL_DELETE(r->renderings, n);
    }
    if (n->plain.size == 0 || n->version != hunt_version(player))
        render(n);
    if (wants_gzip && n->gzip.size == 0)
        http_gzip(&n->gzip, buf_span(&n->plain));
    r->rendering_bytes += rendering_size(n);
    DL_APPEND(r->renderings, n);
    while (r->rendering_bytes > TREASURE_CACHE_BYTES_MAX && r->renderings != n)
        rendering_free(r, r->renderings);
    return n;
}

/* What is recorded of a request of a game: the body, or the path of one that has none. */
static void record_asked(struct route *r, struct ticket *t, const struct http_request *request,
                         struct span game, struct span player) {
    uint64_t table;
    unsigned seat;
    if (r->inspector == NULL || !hunt_place(r->hunt, game, player, &table, &seat) ||
        !inspector_wants(r->inspector, table))
        return;
    t->table = table;
    t->seat = seat;
    t->origin = request->client;
    t->version = inspector_version(r->inspector, table);
    if (request->body.size > 0) {
        buf_append(&t->asked, request->body);
    } else {
        buf_append(&t->asked, SPAN("GET "));
        buf_append(&t->asked, request->path);
    }
}

/* Ids of players are secrets, and so every id is shown as stars but for that of a state. */
static struct span record_blanked(struct buf *text) {
    static const char state_tag[] = "<gameStateId>";
    char *data = text->data;
    for (size_t i = 0; i + HUNT_ID_CHARS <= text->size; i++) {
        size_t count = 0;
        while (count < HUNT_ID_CHARS && (isxdigit((unsigned char)data[i + count]) || data[i + count] == '-'))
            count++;
        bool is_state = i >= sizeof state_tag - 1 &&
                        memcmp(data + i - (sizeof state_tag - 1), state_tag, sizeof state_tag - 1) == 0;
        if (count == HUNT_ID_CHARS && !is_state)
            memset(data + i, '*', count);
        i += count;
    }
    return buf_span(text);
}

/* Both sides of an exchange, when it is over. */
static void record(struct route *r, struct ticket *t, struct span answer, enum err why) {
    if (t->table == 0)
        return;
    struct inspector_message message = {.version = t->version,
                                        .seat = t->seat,
                                        .protocol = HUNT_PROTOCOL,
                                        .origin = t->origin,
                                        .is_incoming = true,
                                        .text = record_blanked(&t->asked),
                                        .why = why};
    inspector_record(r->inspector, t->table, &message);
    buf_clear(&t->asked);
    buf_append(&t->asked, answer);
    message.is_incoming = false;
    message.version = 0; /* that of the answer */
    message.text = record_blanked(&t->asked);
    message.why = ERR_OK;
    inspector_record(r->inspector, t->table, &message);
}

static void answer_state(struct route *r, struct ticket *t, struct hunt_player *player) {
    struct rendering *n = rendering_of(r, player, t->accepts_gzip);
    record(r, t, buf_span(&n->plain), ERR_OK);
    if (t->accepts_gzip)
        http_answer_gzip(t->exchange, 200, xml_type, buf_span(&n->gzip));
    else
        http_answer(t->exchange, 200, xml_type, buf_span(&n->plain));
}

/* Answers. */

static struct ticket *ticket_take(struct route *r, const struct http_request *request,
                                  struct http_exchange *exchange, struct span game, struct span player) {
    struct ticket *t = r->free_tickets;
    if (t != NULL)
        r->free_tickets = t->next_free;
    else
        t = mem_alloc(sizeof *t);
    *t = (struct ticket){.exchange = exchange, .accepts_gzip = request->accepts_gzip};
    record_asked(r, t, request, game, player);
    return t;
}

static void treasure_route_answer(struct route *r, struct ticket *t, const struct hunt_answer *a) {
    buf_clear(&r->out);
    switch (a->kind) {
    case HUNT_CREATED: treasure_write_game(&r->out, a->text); break;
    case HUNT_REGISTERED: treasure_write_player(&r->out, a->text); break;
    case HUNT_DONE: treasure_write_okay(&r->out); break;
    case HUNT_REFUSED: treasure_write_error(&r->out, treasure_error_name(a->why), a->text); break;
    case HUNT_STATE: answer_state(r, t, a->player); return;
    }
    /* A database comes back; a journal that is damaged does not. */
    bool is_away = a->kind == HUNT_REFUSED && a->why == ERR_UNAVAILABLE && tables_is_shared(r->tables);
    bool is_put_off = a->is_put_off || is_away;
    if (a->kind == HUNT_REFUSED)
        refusals_count(HUNT_PROTOCOL, &treasure_hunt_game, a->why);
    record(r, t, buf_span(&r->out), a->kind == HUNT_REFUSED ? a->why : ERR_OK);
    if (is_put_off) /* nothing that the envelope's reader could do better */
        http_exchange_set_headers(t->exchange, SPAN("Retry-After: 2\r\n"));
    http_answer(t->exchange, is_put_off ? 503 : 200, xml_type, buf_span(&r->out));
}

static void hunt_answers(void *context, void *ticket, const struct hunt_answer *a) {
    struct route *r = context;
    struct ticket *t = ticket;
    if (!r->is_ending)
        treasure_route_answer(r, t, a);
    buf_free(&t->asked);
    t->next_free = r->free_tickets;
    r->free_tickets = t;
}

/* Requests. */

struct path {
    struct span piece[PATH_PIECES_MAX];
    size_t count; /* PATH_PIECES_MAX: so many or more */
};

/* Slashes may be doubled, and may stand at the end (section 2). */
static struct path path_split(struct span text) {
    struct path path = {.count = 0};
    while (text.size > 0 && path.count < PATH_PIECES_MAX) {
        const char *slash = memchr(text.data, '/', text.size);
        size_t size = slash == NULL ? text.size : (size_t)(slash - text.data);
        if (size > 0)
            path.piece[path.count++] = span_make(text.data, size);
        size += slash != NULL;
        text.data += size;
        text.size -= size;
    }
    return path;
}

/* A body that cannot be read. */
static void refuse_body(struct route *r, struct span game, const struct http_request *request,
                        struct http_exchange *x, enum err why) {
    answer_refusal(r, x, why, treasure_reader_complaint(r->reader));
    struct ticket t = {.exchange = x};
    record_asked(r, &t, request, game, SPAN(""));
    record(r, &t, buf_span(&r->out), why);
    buf_free(&t.asked);
}

static void take_registration(struct route *r, struct span game, const struct http_request *request,
                              struct http_exchange *x, uint64_t now_ms) {
    struct hunt_name name;
    enum err e = treasure_read_registration(r->reader, request->body, &name);
    if (e == ERR_OK && !hunt_may_find(r->hunt, game, &request->address))
        answer_error(r, x, 200, treasure_error_name(ERR_TABLE_UNKNOWN), err_sentence(ERR_TABLE_UNKNOWN));
    else if (e == ERR_OK)
        hunt_register(r->hunt, game, &name, ticket_take(r, request, x, game, SPAN("")), now_ms);
    else
        refuse_body(r, game, request, x, e);
}

static void take_move(struct route *r, struct span game, const struct http_request *request,
                      struct http_exchange *x, uint64_t now_ms) {
    struct span player;
    enum treasure_direction direction;
    enum err e = treasure_read_move(r->reader, request->body, &player, &direction);
    if (e == ERR_OK)
        hunt_move(r->hunt, game, player, direction, ticket_take(r, request, x, game, player), now_ms);
    else
        refuse_body(r, game, request, x, e);
}

static void take_half(struct route *r, struct span game, const struct http_request *request,
                      struct http_exchange *x, uint64_t now_ms) {
    struct span player;
    const struct hunt_node *nodes;
    size_t count;
    enum err e = treasure_read_half(r->reader, request->body, &player, &nodes, &count);
    if (e == ERR_OK)
        hunt_half(r->hunt, game, player, nodes, count, ticket_take(r, request, x, game, player), now_ms);
    else
        refuse_body(r, game, request, x, e);
}

static void answer_unknown(struct route *r, struct http_exchange *x) {
    answer_error(r, x, 404, "UnknownPathException", err_sentence(ERR_PATH_UNKNOWN));
}

/* Paths that nobody has are this protocol's, whose clients read nothing but the envelope; a person is shown
 * the page. */
static bool unknown(void *context, const struct http_request *request, struct http_exchange *x) {
    bool is_read = request->method == HTTP_METHOD_GET || request->method == HTTP_METHOD_HEAD;
    if (is_read && request->accepts_html)
        return false;
    answer_unknown(context, x);
    return true;
}

static void answer_method(struct route *r, struct http_exchange *x, const char *wanted) {
    char sentence[SENTENCE_BYTES_MAX];
    snprintf(sentence, sizeof sentence, TREASURE_METHOD, wanted);
    answer_error(r, x, 200, "WrongMethodException", sentence);
}

static void take_post(struct route *r, const struct path *path, const struct http_request *request,
                      struct http_exchange *x, uint64_t now_ms) {
    static const struct {
        const char *word;
        void (*take)(struct route *, struct span game, const struct http_request *, struct http_exchange *,
                     uint64_t now_ms);
    } posts[] = {{"players", take_registration}, {"moves", take_move}, {"halfmaps", take_half}};
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++)
        if (span_is(path->piece[2], posts[i].word)) {
            if (request->method == HTTP_METHOD_POST)
                posts[i].take(r, path->piece[1], request, x, now_ms);
            else
                answer_method(r, x, "POST");
            return;
        }
    answer_unknown(r, x);
}

static bool treasure_route_take(void *context, const struct http_request *request, struct http_exchange *x,
                                uint64_t now_ms) {
    struct route *r = context;
    struct path path = path_split(request->path);
    bool is_get = request->method == HTTP_METHOD_GET;
    if (path.count == 0 || !span_is(path.piece[0], "games"))
        return false;
    if (path.count == 1) {
        if (is_get || request->method == HTTP_METHOD_POST)
            hunt_create_game(r->hunt, request->query, &request->address,
                             ticket_take(r, request, x, SPAN(""), SPAN("")), now_ms);
        else
            answer_method(r, x, "GET");
    } else if (path.count == 4 && span_is(path.piece[2], "states")) {
        if (is_get || request->method == HTTP_METHOD_HEAD)
            hunt_poll(r->hunt, path.piece[1], path.piece[3],
                      ticket_take(r, request, x, path.piece[1], path.piece[3]), now_ms);
        else
            answer_method(r, x, "GET");
    } else if (path.count == 3) {
        take_post(r, &path, request, x, now_ms);
    } else {
        answer_unknown(r, x);
    }
    return true;
}

/* What another node was told of the game is known here before the request is taken. */
static bool treasure_route_waits(void *context, const struct http_request *request,
                                 void (*resume)(void *ticket, enum err), void *ticket) {
    struct route *r = context;
    struct path path = path_split(request->path);
    uint64_t table;
    return path.count > 2 && span_is(path.piece[0], "games") && table_code_parse(path.piece[1], &table) &&
           tables_fetch(r->tables, table, resume, ticket) != NULL;
}

/* What is here may be older than what the player knows: nothing is said rather than that. */
static void treasure_route_waited(void *context, const struct http_request *request, struct http_exchange *x,
                                  enum err why) {
    (void)request;
    (void)why;
    http_exchange_set_headers(x, SPAN("Retry-After: 2\r\n"));
    answer_error(context, x, 503, treasure_error_name(ERR_UNAVAILABLE), err_sentence(ERR_UNAVAILABLE));
}

static bool treasure_route_refuse(void *context, const struct http_request *request, struct http_exchange *x,
                                  enum err why) {
    struct path path = path_split(request->path);
    if (path.count == 0 || !span_is(path.piece[0], "games"))
        return false;
    answer_error(context, x, 429, treasure_error_name(why), err_sentence(why));
    return true;
}

static uint64_t treasure_route_next_ms(void *context) {
    const struct route *r = context;
    return hunt_next_ms(r->hunt);
}

static void treasure_route_advance(void *context, uint64_t now_ms) {
    struct route *r = context;
    hunt_advance(r->hunt, now_ms);
}

static void treasure_route_free(void *context) {
    struct route *r = context;
    r->is_ending = true;
    hunt_free(r->hunt);
    while (r->free_tickets != NULL) {
        struct ticket *t = r->free_tickets;
        r->free_tickets = t->next_free;
        mem_free(t);
    }
    treasure_reader_free(r->reader);
    buf_free(&r->out);
    mem_free(r);
}

struct http_route treasure_route(const struct hunt_config *config, struct inspector *inspector) {
    struct route *r = mem_alloc(sizeof *r);
    r->tables = config->tables;
    r->inspector = inspector;
    r->reader = treasure_reader_create();
    r->hunt = hunt_create(config, &(struct hunt_output){r, hunt_answers, hunt_forgets});
    return (struct http_route){.context = r,
                               .take = treasure_route_take,
                               .waits = tables_is_shared(config->tables) ? treasure_route_waits : NULL,
                               .waited = treasure_route_waited,
                               .unknown = unknown,
                               .refuse = treasure_route_refuse,
                               .next_ms = treasure_route_next_ms,
                               .advance = treasure_route_advance,
                               .free = treasure_route_free};
}
