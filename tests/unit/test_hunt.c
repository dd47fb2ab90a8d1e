/* Polled Treasure Hunt games with a clock of the test's own: late answers, limits, idle games, too many
 * games, restarts. */
#include "tests.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/timers.h"
#include "host/hunt/hunt.h"
#include "host/hunt/policy.h"
#include "host/room/room.h"
#include "host/thinker.h"
#include "twin.h"
#include "wire/treasure/dialect.h"

enum { TICKETS_MAX = 64 };

/* What came for a ticket. */
struct reply {
    bool is_there;
    enum hunt_answer_kind kind;
    enum err why;
    char text[HUNT_COMPLAINT_BYTES_MAX];
    struct hunt_player *player;
    uint64_t at_ms;
};

static struct store *store;
static struct tables *tables;
static struct hunt *hunt;
static struct hunt_config config;
static struct thinker *thinker;
static bool thinks_later; /* settle does not wait for bots */
static struct rng secrets;
static int64_t wall_ms;
static uint64_t now_ms;
static struct reply replies[TICKETS_MAX];
static size_t ticket_count;
static int forgotten_count;
static struct address opener;

static int64_t on_wall(void *context) {
    (void)context;
    return wall_ms;
}

static void on_secret(void *context, struct digest *out) {
    (void)context;
    for (size_t i = 0; i < DIGEST_BYTES; i += 8)
        digest_number(rng_next(&secrets), out->bytes + i);
}

static void on_answer(void *context, void *ticket, const struct hunt_answer *a) {
    (void)context;
    struct reply *reply = ticket;
    assert_false(reply->is_there);
    *reply = (struct reply){
        .is_there = true, .kind = a->kind, .why = a->why, .player = a->player, .at_ms = now_ms};
    if (a->text != NULL)
        snprintf(reply->text, sizeof reply->text, "%s", a->text);
}

static void on_forget(void *context, void *attachment) {
    (void)context;
    (void)attachment;
    forgotten_count++;
}

static const struct hunt_output output = {NULL, on_answer, on_forget};

static void nobody_listens(void *context, struct table *table) {
    (void)context;
    (void)table;
}

static void on_restored(void *context, struct table *table) {
    (void)context;
    table_listen(table, &(struct table_listener){
                            .context = NULL, .settled = nobody_listens, .stalled = nobody_listens});
}

static void hunt_start(void) {
    tables = tables_create(&(struct tables_config){.store = store, .wall_ms = on_wall, .secret = on_secret});
    assert_int_equal(tables_restore(tables, now_ms, on_restored, NULL), ERR_OK);
    config.tables = tables;
    hunt = hunt_create(&config, &output);
    assert_int_equal(hunt_next_ms(hunt), 0);
    hunt_advance(hunt, now_ms);
}

static int start(void **unused) {
    (void)unused;
    log_set_level(LOG_ERROR);
    rng_seed(&secrets, 5);
    now_ms = 1000;
    wall_ms = 1000000;
    ticket_count = 0;
    forgotten_count = 0;
    memset(replies, 0, sizeof replies);
    config = hunt_config_default();
    config.poll_interval_ms = 0;
    thinker = thinker_inline_create();
    thinks_later = false;
    config.thinker = thinker;
    store = store_memory_open(true);
    hunt_start();
    return 0;
}

static int stop(void **unused) {
    (void)unused;
    hunt_free(hunt);
    tables_free(tables);
    store_close(store);
    thinker_inline_work(thinker); /* what is still thought about is nobody's */
    thinker_free(thinker);
    return 0;
}

/* Another run of the program on the same journal. */
static void restart(void) {
    hunt_free(hunt);
    tables_free(tables);
    hunt_start();
}

/* Everything that is on its way arrives. */
static void settle(void) {
    while (store_drain(store) > 0 || (!thinks_later && thinker_inline_work(thinker))) {
    }
}

static void pass(uint64_t ms) {
    now_ms += ms;
    wall_ms += (int64_t)ms;
    hunt_advance(hunt, now_ms);
    tables_advance(tables, now_ms);
    settle();
}

static struct reply *ticket(void) {
    assert_true(ticket_count < TICKETS_MAX);
    return &replies[ticket_count++];
}

/* Tickets that were answered serve again, so that long games find room. */
static void tickets_clear(void) {
    ticket_count = 0;
    memset(replies, 0, sizeof replies);
}

struct match {
    char id[TABLE_CODE_CHARS + 1];
    char player[2][HUNT_ID_CHARS + 1];
};

static void create(struct match *g, const char *query) {
    struct reply *reply = ticket();
    hunt_create_game(hunt, span_of(query), &opener, reply, now_ms);
    assert_false(reply->is_there); /* not before it is on disk */
    settle();
    assert_true(reply->is_there && reply->kind == HUNT_CREATED);
    assert_int_equal(strlen(reply->text), TABLE_SHORT_CODE_CHARS);
    memcpy(g->id, reply->text, sizeof g->id);
}

static const struct hunt_name seed_name = {.kind = HUNT_SEED, .username = {"ann", 3}};
static const struct hunt_name course_name = {
    .kind = HUNT_COURSE, .first_name = {"Ann", 3}, .last_name = {"Lee", 3}, .account = {"leea99", 6}};

static void enter(struct match *g, unsigned number, const struct hunt_name *name) {
    struct reply *reply = ticket();
    hunt_register(hunt, span_of(g->id), name, reply, now_ms);
    assert_false(reply->is_there);
    settle();
    assert_true(reply->is_there && reply->kind == HUNT_REGISTERED);
    assert_int_equal(strlen(reply->text), HUNT_ID_CHARS);
    memcpy(g->player[number], reply->text, sizeof g->player[number]);
}

static void begin(struct match *g, const char *query, const struct hunt_name *first,
                  const struct hunt_name *second) {
    create(g, query);
    enter(g, 0, first);
    enter(g, 1, second);
}

static struct reply *poll(const struct match *g, unsigned number) {
    struct reply *reply = ticket();
    hunt_poll(hunt, span_of(g->id), span_of(g->player[number]), reply, now_ms);
    if (!reply->is_there)
        settle(); /* a finished game may have to be loaded */
    return reply;
}

static struct hunt_view view;

static const struct hunt_view *look(const struct match *g, unsigned number) {
    struct reply *reply = poll(g, number);
    assert_true(reply->is_there && reply->kind == HUNT_STATE);
    hunt_view(reply->player, &view);
    return &view;
}

static enum treasure_standing standing(const struct match *g, unsigned number) {
    return look(g, number)->faces[0].standing;
}

static unsigned on_turn(const struct match *g) {
    unsigned number = standing(g, 0) == TREASURE_MUST_ACT ? 0 : 1;
    assert_int_equal(standing(g, number), TREASURE_MUST_ACT);
    assert_int_equal(standing(g, 1 - number), TREASURE_MUST_WAIT);
    return number;
}

static struct reply *move(const struct match *g, unsigned number, enum treasure_direction direction) {
    struct reply *reply = ticket();
    hunt_move(hunt, span_of(g->id), span_of(g->player[number]), direction, reply, now_ms);
    settle();
    assert_true(reply->is_there);
    return reply;
}

/* One legal action of whoever is on turn. */
static void act(const struct match *g) {
    tickets_clear();
    unsigned number = on_turn(g);
    for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
        if (move(g, number, (enum treasure_direction)d)->kind == HUNT_DONE)
            return;
    fail();
}

static void send_half(const struct match *g, unsigned number) {
    struct rng rng;
    struct treasure_half half;
    struct hunt_node nodes[TREASURE_HALF_FIELDS];
    rng_seed(&rng, 17 + number);
    treasure_half_draw(&half, &rng);
    for (int i = 0; i < TREASURE_HALF_FIELDS; i++)
        nodes[i] = (struct hunt_node){.x = i % TREASURE_HALF_WIDTH,
                                      .y = i / TREASURE_HALF_WIDTH,
                                      .terrain = (enum treasure_terrain)half.terrain[i],
                                      .is_fort = half.is_fort[i] != 0};
    struct reply *reply = ticket();
    hunt_half(hunt, span_of(g->id), span_of(g->player[number]), nodes, TREASURE_HALF_FIELDS, reply, now_ms);
    settle();
    assert_int_equal(reply->kind, HUNT_DONE);
}

static void begin_course(struct match *g, const char *query) {
    begin(g, query, &course_name, &course_name);
    send_half(g, on_turn(g));
    send_half(g, on_turn(g));
}

static void assert_refused(const struct reply *reply, enum err why) {
    assert_true(reply->is_there);
    assert_int_equal(reply->kind, HUNT_REFUSED);
    assert_string_equal(game_refusal(&treasure_hunt_game, reply->why)->word,
                        game_refusal(&treasure_hunt_game, why)->word);
    assert_true(reply->text[0] != '\0');
}

static void assert_gone(const struct match *g) {
    assert_refused(poll(g, 0), ERR_TABLE_UNKNOWN);
}

static void assert_over(const struct match *g, unsigned loser) {
    assert_int_equal(standing(g, loser), TREASURE_LOST);
    assert_int_equal(standing(g, 1 - loser), TREASURE_WON);
}

static void queries_that_come_too_early_are_answered_late(void **unused) {
    (void)unused;
    struct match g;
    config.poll_interval_ms = 400;
    restart();
    begin(&g, "", &seed_name, &seed_name);
    assert_true(poll(&g, 0)->is_there);
    now_ms += 100;
    struct reply *second = poll(&g, 0), *third = poll(&g, 0);
    assert_false(second->is_there || third->is_there);
    assert_true(poll(&g, 1)->is_there); /* the other player does not wait for it */
    assert_true(hunt_next_ms(hunt) == now_ms + 300);
    pass(299);
    assert_false(second->is_there || third->is_there);
    pass(1);
    assert_true(second->is_there && third->is_there && second->kind == HUNT_STATE);
    struct reply *fourth = poll(&g, 0);
    assert_false(fourth->is_there);
    pass(400);
    assert_true(fourth->is_there);
    pass(400);
    assert_true(poll(&g, 0)->is_there);
}

static void a_late_answer_tells_what_is_true_then(void **unused) {
    (void)unused;
    struct match g;
    config.poll_interval_ms = 400;
    restart();
    create(&g, "");
    enter(&g, 0, &seed_name);
    assert_true(poll(&g, 0)->is_there);
    struct reply *late = poll(&g, 0);
    enter(&g, 1, &seed_name);
    assert_false(late->is_there);
    pass(400);
    assert_true(late->is_there);
    hunt_view(late->player, &view);
    assert_int_equal(view.face_count, 2);
}

static void idle_games_are_given_up(void **unused) {
    (void)unused;
    struct match empty, waiting, running, watched;
    create(&empty, "");
    create(&waiting, "");
    enter(&waiting, 0, &seed_name);
    begin(&running, "", &seed_name, &seed_name);
    begin(&watched, "", &seed_name, &seed_name);
    assert_int_equal(hunt_game_count(hunt), 4);
    pass(config.idle_ms / 2);
    look(&watched, 1);
    pass(config.idle_ms / 2);
    assert_int_equal(hunt_game_count(hunt), 1);
    assert_int_equal(tables_count(tables), 1);
    look(&watched, 0);
    assert_gone(&waiting);
    assert_gone(&running);
    struct reply *reply = ticket();
    hunt_register(hunt, span_of(empty.id), &seed_name, reply, now_ms);
    settle();
    assert_refused(reply, ERR_TABLE_UNKNOWN);
    restart();
    assert_int_equal(hunt_game_count(hunt), 1);
    assert_gone(&running);
}

/* Asking for players that are not there does not keep a game alive. */
static void strangers_keep_nothing_alive(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "", &seed_name, &seed_name);
    pass(config.idle_ms - 1);
    struct reply *reply = ticket();
    hunt_poll(hunt, span_of(g.id), SPAN("00000000-0000-4000-8000-000000000000"), reply, now_ms);
    assert_refused(reply, ERR_PLAYER_UNKNOWN);
    pass(1);
    assert_gone(&g);
}

static bool is_online(const struct match *g, unsigned seat) {
    uint64_t id;
    assert_true(table_code_parse(span_of(g->id), &id));
    return table_is_online(tables_find(tables, id), seat);
}

/* Who asks is there; who has not asked for a while is not, until the next request. */
static void players_are_there_as_long_as_they_ask(void **unused) {
    (void)unused;
    struct match g;
    create(&g, "");
    enter(&g, 0, &seed_name);
    assert_true(is_online(&g, 0) && !is_online(&g, 1));
    pass(HUNT_SEEN_MS - 1);
    poll(&g, 0);
    enter(&g, 1, &seed_name);
    pass(HUNT_SEEN_MS - 1);
    assert_true(is_online(&g, 0) && is_online(&g, 1));
    poll(&g, 1);
    pass(1);
    assert_true(!is_online(&g, 0) && is_online(&g, 1));
    struct reply *reply = ticket();
    hunt_poll(hunt, span_of(g.id), SPAN("00000000-0000-4000-8000-000000000000"), reply, now_ms);
    assert_false(is_online(&g, 0));
    restart();
    assert_false(is_online(&g, 1));
    poll(&g, 0);
    poll(&g, 1);
    assert_true(is_online(&g, 0) && is_online(&g, 1));
}

static void one_game_too_many_drops_the_oldest(void **unused) {
    (void)unused;
    struct match first, second, over, more;
    config.games_max = 3;
    restart();
    begin(&first, "", &seed_name, &seed_name);
    begin(&second, "", &seed_name, &seed_name);
    begin(&over, "?", &seed_name, &seed_name);
    struct reply *reply = ticket();
    hunt_create_game(hunt, SPAN(""), &opener, reply, now_ms);
    assert_refused(reply, ERR_TOO_MANY); /* all of them are played */
    pass(ROOM_LEFT_MS);
    begin(&more, "maxActions=1", &seed_name, &seed_name); /* drops the first, nothing is finished */
    assert_gone(&first);
    act(&more);
    look(&over, 0);
    look(&second, 0);
    create(&first, ""); /* drops the finished one */
    assert_int_equal(hunt_game_count(hunt), 3);
    look(&over, 0);
    look(&second, 0);
    assert_int_equal(look(&more, 0)->face_count, 2); /* which the journal still has */
    assert_int_equal(hunt_game_count(hunt), 3);
    assert_refused(poll(&first, 0), ERR_TABLE_UNKNOWN); /* now the one that nobody ever looked at */
}

/* What waits in a game that is dropped is answered. */
static void dropping_answers_everybody(void **unused) {
    (void)unused;
    struct match g, other;
    config.games_max = 1;
    config.poll_interval_ms = 400;
    restart();
    static const uint8_t greedy[4] = {10, 0, 0, 1};
    struct address modest = opener;
    opener = address_of_four(greedy);
    create(&g, "");
    opener = modest; /* somebody who has none */
    enter(&g, 0, &seed_name);
    look(&g, 0);
    struct reply *late = poll(&g, 0);
    struct reply *moved = ticket();
    for (unsigned i = 0; i < HUNT_REQUESTS_MAX / 2; i++) /* one of them is being saved */
        hunt_register(hunt, span_of(g.id), &seed_name, ticket(), now_ms);
    (void)moved;
    create(&other, "");
    assert_refused(late, ERR_TABLE_UNKNOWN);
    assert_int_equal(hunt_game_count(hunt), 1);
    settle();
    assert_int_equal(tables_count(tables), 1);
    for (struct reply *reply = moved + 1; reply < replies + ticket_count; reply++)
        assert_true(reply->is_there);
}

/* Whoever created it is told so all the same, and not before it is on disk. */
static void a_game_may_be_dropped_while_it_is_created(void **unused) {
    (void)unused;
    config.games_max = 1;
    restart();
    struct reply *first = ticket(), *second = ticket(), *third = ticket();
    hunt_create_game(hunt, SPAN(""), &opener, first, now_ms);
    hunt_create_game(hunt, SPAN(""), &opener, second, now_ms);
    assert_int_equal(hunt_game_count(hunt), 1);
    assert_false(first->is_there);
    settle();
    assert_true(first->is_there && first->kind == HUNT_CREATED);
    assert_true(second->is_there && second->kind == HUNT_CREATED);
    hunt_create_game(hunt, SPAN(""), &opener, third, now_ms);
    hunt_create_game(hunt, SPAN(""), &opener, ticket(), now_ms);
    restart();
    assert_refused(third, ERR_CLOSED);
}

static void the_attachment_is_forgotten_with_the_game(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "", &seed_name, &seed_name);
    struct reply *reply = poll(&g, 0);
    int something;
    assert_null(*hunt_attachment(reply->player));
    *hunt_attachment(reply->player) = &something;
    assert_ptr_equal(*hunt_attachment(poll(&g, 0)->player), &something);
    pass(config.idle_ms);
    assert_int_equal(forgotten_count, 1);
}

static void course_games_have_time_limits(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "", &course_name, &course_name);
    unsigned first = on_turn(&g);
    pass(config.action_ms - 1);
    assert_int_equal(standing(&g, first), TREASURE_MUST_ACT);
    send_half(&g, first);
    pass(config.action_ms - 1);
    send_half(&g, 1 - first);
    pass(config.action_ms - 1);
    assert_int_equal(standing(&g, first), TREASURE_MUST_ACT);
    pass(1);
    assert_over(&g, first);
}

static void the_whole_game_has_a_limit(void **unused) {
    (void)unused;
    struct match g;
    begin_course(&g, "enableDebugMode=true");
    unsigned mover = on_turn(&g);
    for (uint32_t at = 0; at < config.game_ms - 1000; at += 1000) {
        tickets_clear();
        pass(1000);
        assert_int_equal(standing(&g, mover), TREASURE_MUST_ACT);
    }
    pass(1000);
    assert_over(&g, mover);
}

/* R26 */
static void course_games_have_a_limit_of_actions(void **unused) {
    (void)unused;
    struct match g;
    begin_course(&g, "violation=refuse");
    for (int i = 2; i < TREASURE_ACTIONS_DEFAULT; i++)
        act(&g);
    tickets_clear();
    unsigned winner = standing(&g, 0) == TREASURE_WON ? 0 : 1;
    assert_over(&g, 1 - winner);
}

static void seed_games_have_no_limits(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "", &seed_name, &seed_name);
    for (int i = 0; i < TREASURE_ACTIONS_DEFAULT + 12; i++) {
        act(&g);
        pass(config.idle_ms - 1);
    }
    on_turn(&g);
}

static void limits_can_be_set_for_any_game(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "actionTime=2.5&maxActions=3", &seed_name, &seed_name);
    unsigned first = on_turn(&g);
    act(&g);
    act(&g);
    pass(2499);
    assert_int_equal(standing(&g, first), TREASURE_MUST_ACT);
    act(&g);
    assert_over(&g, 1 - first); /* by the number of actions */
    tickets_clear();
    begin(&g, "actionTime=2.5&maxActions=3", &seed_name, &seed_name);
    first = on_turn(&g);
    restart(); /* policy stands in the journal */
    pass(2499);
    assert_int_equal(standing(&g, first), TREASURE_MUST_ACT);
    pass(1);
    assert_over(&g, first); /* by time */
}

/* Nobody waits for a player who is not there yet. */
static void no_clock_runs_before_both_are_there(void **unused) {
    (void)unused;
    struct match g;
    create(&g, "actionTime=1");
    enter(&g, 0, &course_name);
    pass(config.idle_ms - 1);
    assert_int_equal(standing(&g, 0), TREASURE_MUST_WAIT);
    enter(&g, 1, &seed_name);
    pass(999);
    assert_int_equal(standing(&g, 0), TREASURE_MUST_ACT);
    pass(1);
    assert_over(&g, 0);
}

static void everything_comes_back_after_a_restart(void **unused) {
    (void)unused;
    struct match g;
    struct hunt_view before[2];
    begin(&g, "violation=refuse", &seed_name, &course_name);
    send_half(&g, 1);
    act(&g);
    for (unsigned i = 0; i < 2; i++)
        before[i] = *look(&g, i);
    char ids[2][HUNT_ID_CHARS + 1];
    for (unsigned i = 0; i < 2; i++)
        memcpy(ids[i], before[i].state_id, sizeof ids[i]);
    restart();
    for (unsigned i = 0; i < 2; i++) {
        const struct hunt_view *after = look(&g, i);
        assert_string_equal(after->state_id, ids[i]);
        assert_int_equal(after->field_count, TREASURE_FIELDS);
        assert_memory_equal(after->fields, before[i].fields, sizeof before[i].fields);
        for (int face = 0; face < 2; face++) {
            assert_string_equal(after->faces[face].id, before[i].faces[face].id);
            assert_int_equal(after->faces[face].standing, before[i].faces[face].standing);
            assert_int_equal(after->faces[face].name.kind, before[i].faces[face].name.kind);
        }
    }
    assert_true(span_is(look(&g, 1)->faces[0].name.account, "leea99"));
    assert_true(span_is(look(&g, 0)->faces[0].name.username, "ann"));
    act(&g);
}

static void ids_do_not_repeat(void **unused) {
    (void)unused;
    struct match g;
    char ids[20][HUNT_ID_CHARS + 1];
    begin(&g, "", &seed_name, &seed_name);
    for (int i = 0; i < 20; i++) {
        memcpy(ids[i], look(&g, 0)->state_id, sizeof ids[i]);
        assert_string_equal(look(&g, 0)->state_id, ids[i]);
        assert_string_not_equal(look(&g, 1)->state_id, ids[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(ids[i], ids[k]);
        act(&g);
    }
}

static void the_bot_plays_to_the_end(void **unused) {
    (void)unused;
    struct match g;
    create(&g, "enableDummyCompetition=true");
    enter(&g, 0, &seed_name);
    settle();
    assert_int_equal(look(&g, 0)->face_count, 2);
    assert_int_equal(look(&g, 0)->faces[1].name.kind, HUNT_BOT);
    for (int i = 0; i < 1000; i++) {
        tickets_clear();
        if (i == 3)
            restart();
        settle();
        enum treasure_standing own = standing(&g, 0);
        if (own == TREASURE_LOST)
            return; /* the player only walks up and down */
        assert_int_equal(own, TREASURE_MUST_ACT);
        for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
            if (move(&g, 0, (enum treasure_direction)d)->kind == HUNT_DONE)
                break;
    }
    fail();
}

/* While the bot thinks the game stands as it is, everybody is answered, and no clock runs; a game that is
 * given up meanwhile is not played on. */
static void the_bot_thinks_beside_the_game(void **unused) {
    (void)unused;
    struct match g;
    unsigned waited = 0;
    config.idle_ms = 24 * 60 * 60 * 1000;
    thinks_later = true;
    restart();
    create(&g, "enableDummyCompetition=true&actionTime=5");
    enter(&g, 0, &seed_name);
    settle();
    for (int i = 0; i < 1000 && standing(&g, 0) != TREASURE_LOST; i++) {
        tickets_clear();
        if (standing(&g, 0) == TREASURE_MUST_WAIT) {
            waited++;
            now_ms += 60 * 1000; /* longer than an action may take */
            tables_advance(tables, now_ms);
            settle();
            assert_int_equal(standing(&g, 0), TREASURE_MUST_WAIT);
            assert_true(thinker_inline_work(thinker));
            settle();
            continue;
        }
        for (unsigned d = 0; d < TREASURE_DIRECTIONS; d++)
            if (move(&g, 0, (enum treasure_direction)d)->kind == HUNT_DONE)
                break;
        settle();
    }
    assert_int_equal(standing(&g, 0), TREASURE_LOST);
    assert_true(waited > 3);
    create(&g, "enableDummyCompetition=true");
    enter(&g, 0, &seed_name);
    settle();
    stop(NULL); /* while it thinks */
    start(NULL);
}

static void too_many_requests_at_once_are_refused(void **unused) {
    (void)unused;
    struct match g;
    begin(&g, "", &seed_name, &seed_name);
    unsigned mover = on_turn(&g);
    tickets_clear();
    for (int i = 0; i < HUNT_REQUESTS_MAX + 8; i++) {
        const struct hunt_view *v = look(&g, mover);
        (void)v;
        hunt_move(hunt, span_of(g.id), span_of(g.player[mover]), (enum treasure_direction)(i % 4), ticket(),
                  now_ms);
    }
    size_t busy = 0;
    for (size_t i = 0; i < ticket_count; i++)
        busy += replies[i].is_there && replies[i].kind == HUNT_REFUSED && replies[i].why == ERR_BUSY;
    assert_in_range(busy, 1, 8);
    settle();
    for (size_t i = 0; i < ticket_count; i++)
        assert_true(replies[i].is_there);
}

static void policies_are_read_and_written(void **unused) {
    (void)unused;
    struct hunt_policy policy, again;
    char text[HUNT_POLICY_BYTES_MAX];
    hunt_policy_read(SPAN(""), &policy);
    hunt_policy_format(&policy, text);
    assert_string_equal(text, "");
    hunt_policy_read(SPAN("enableDummyCompetition=true&x=1&maxActions=9999&actionTime=86400&violation=refuse&"
                          "enableDebugMode=TRUE&violation=lose"),
                     &policy);
    assert_int_equal(policy.violation, HUNT_VIOLATION_IS_REFUSED);
    assert_true(policy.has_bot && policy.is_debug && policy.has_action_ms);
    assert_int_equal(policy.action_ms, HUNT_ACTION_MS_MAX);
    hunt_policy_format(&policy, text);
    hunt_policy_read(span_of(text), &again);
    assert_memory_equal(&policy, &again, sizeof policy);
    static const char *const nonsense[] = {"violation=",      "violation",          "actionTime=86400.001",
                                           "actionTime=1.x",  "actionTime=-1",      "maxActions=0",
                                           "maxActions=1e3",  "maxActions=999999",  "&&=&=&",
                                           "enableDebugMode", "enableDebugMode=1x", "Violation=lose"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        hunt_policy_read(span_of(nonsense[i]), &policy);
        hunt_policy_format(&policy, text);
        assert_string_equal(text, "");
    }
}

#define HUNT_TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

/* The document that a player polls. */
static void document(const struct match *g, unsigned number, struct buf *out) {
    tickets_clear();
    struct reply *reply = poll(g, number);
    assert_true(reply->is_there && reply->kind == HUNT_STATE);
    memset(&view, 0, sizeof view);
    hunt_view(reply->player, &view);
    buf_clear(out);
    treasure_write_state(out, &view, hunt_kind_of(reply->player));
}

static void twins_are_shown_alike(void **unused) {
    (void)unused;
    enum { TURNS = 40 };
    struct match g;
    struct rng rng;
    struct buf shown = {0}, again = {0};
    struct game_state *truth = game_state_alloc(&treasure_hunt_game);
    unsigned others = 0;
    uint64_t id;
    rng_seed(&rng, 3);
    begin(&g, "", &seed_name, &seed_name);
    assert_true(table_code_parse(span_of(g.id), &id));
    struct table *t = tables_find(tables, id);
    for (unsigned n = 0; n < TURNS && table_state_word(t) == TABLE_RUNNING; n++) {
        memcpy(truth, table_state(t), treasure_hunt_game.state_size);
        for (unsigned seat = 0; seat < TREASURE_SEATS; seat++) {
            document(&g, seat, &shown);
            others += truth_imagine(t, seat, &rng);
            document(&g, seat, &again);
            truth_set(t, truth);
            assert_string_equal(buf_text(&shown), buf_text(&again));
        }
        act(&g);
    }
    assert_true(others > TURNS);
    buf_free(&shown);
    buf_free(&again);
    mem_free(truth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HUNT_TEST(twins_are_shown_alike),
        HUNT_TEST(queries_that_come_too_early_are_answered_late),
        HUNT_TEST(a_late_answer_tells_what_is_true_then),
        HUNT_TEST(idle_games_are_given_up),
        HUNT_TEST(strangers_keep_nothing_alive),
        HUNT_TEST(players_are_there_as_long_as_they_ask),
        HUNT_TEST(one_game_too_many_drops_the_oldest),
        HUNT_TEST(dropping_answers_everybody),
        HUNT_TEST(a_game_may_be_dropped_while_it_is_created),
        HUNT_TEST(the_attachment_is_forgotten_with_the_game),
        HUNT_TEST(course_games_have_time_limits),
        HUNT_TEST(the_whole_game_has_a_limit),
        HUNT_TEST(course_games_have_a_limit_of_actions),
        HUNT_TEST(seed_games_have_no_limits),
        HUNT_TEST(limits_can_be_set_for_any_game),
        HUNT_TEST(no_clock_runs_before_both_are_there),
        HUNT_TEST(everything_comes_back_after_a_restart),
        HUNT_TEST(ids_do_not_repeat),
        HUNT_TEST(the_bot_plays_to_the_end),
        HUNT_TEST(the_bot_thinks_beside_the_game),
        HUNT_TEST(too_many_requests_at_once_are_refused),
        HUNT_TEST(policies_are_read_and_written),
    };
    return cmocka_run_group_tests_name("hunt", tests, NULL, NULL);
}
