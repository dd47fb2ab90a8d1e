/* The room by itself, with a protocol that only writes down what it is told. */
#include "table_world.h"

#include "base/mem.h"
#include "host/room/room.h"

#include <stdarg.h>
#include <stdio.h>

struct player {
    struct room_member member;
    char letter;
    unsigned pipelined; /* things that it has said in advance: each makes the table busy */
};

struct ticket {
    struct room_request room;
    unsigned number;
    enum direction direction;
};

static struct room room;
static uint64_t now_ms;
static char told[4096];

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
    size_t used = strlen(told);
    va_list args;
    va_start(args, format);
    vsnprintf(told + used, sizeof told - used, format, args);
    va_end(args);
}

/* What was told since the last time. */
static void assert_told(const char *wanted) {
    assert_string_equal(told, wanted);
    told[0] = '\0';
}

static char letter(const struct room_member *m) {
    return m == NULL ? '-' : ((const struct player *)(const void *)m)->letter;
}

static void player_speak(struct room_member *m) {
    struct player *p = (struct player *)(void *)m;
    if (p->pipelined == 0 || !room_member_may_speak(m))
        return;
    p->pipelined--;
    note("%c! ", p->letter);
    if (m->seat != SEAT_WATCHER) {
        struct action action = pitch_action(m->seat == 0 ? NORTH : EAST);
        enum err e = table_act(m->at->table, m->seat, &action, 1, now_ms);
        assert_true(e == ERR_OK || e == ERR_NOT_YOUR_TURN);
    }
}

static void on_told(struct room *r, const struct room_notice *n) {
    static const char *const words[] = {
        [ROOM_ADOPTED] = "adopted", [ROOM_AWAKE] = "awake",       [ROOM_OPENED] = "opened",
        [ROOM_SAT] = "sat",         [ROOM_GOT_UP] = "got-up",     [ROOM_OVER] = "over",
        [ROOM_IDLE] = "idle",       [ROOM_GIVEN_UP] = "given-up", [ROOM_STALLED] = "stalled",
        [ROOM_KEPT] = "kept",       [ROOM_ASKED] = "asked",       [ROOM_LATE] = "late",
        [ROOM_CLOSED] = "closed"};
    (void)r;
    if (n->kind == ROOM_HEAR) {
        player_speak(n->member);
    } else if (n->kind == ROOM_PRESENCE) {
        note("%u%s%s ", n->seat, table_is_online(n->table->table, n->seat) ? "on" : "off",
             n->is_change ? "!" : "");
    } else if (n->kind < sizeof words / sizeof *words && words[n->kind] != NULL) {
        bool is_of_member = n->member != NULL || n->kind == ROOM_SAT;
        bool is_of_seat =
            n->kind == ROOM_SAT || n->kind == ROOM_GOT_UP || n->kind == ROOM_GIVEN_UP || n->kind == ROOM_KEPT;
        note("%s", words[n->kind]);
        if (is_of_member)
            note("(%c)", letter(n->member));
        if (is_of_seat)
            note("%u", n->seat);
        note(" ");
    }
}

static enum err on_start(struct room_table *rt, struct room_request *r) {
    struct action action = pitch_action(((struct ticket *)(void *)r)->direction);
    return table_act(rt->table, 0, &action, 1, now_ms);
}

static void on_answer(struct room_table *rt, struct room_request *r) {
    (void)rt;
    note("%u:%s ", ((struct ticket *)(void *)r)->number, err_word(r->why));
    mem_free(r);
}

static void on_put_off(struct room_table *rt, struct room_request *r, bool is_undone) {
    (void)rt;
    r->why = is_undone ? ERR_UNAVAILABLE : ERR_BUSY;
}

static struct room_policy policy_default(void) {
    return (struct room_policy){.protocol = "test",
                                .game = &paper_soccer_game,
                                .member_bytes = sizeof(struct player),
                                .table_bytes = sizeof(struct room_table),
                                .requests_max = 2,
                                .tell = on_told};
}

static void begin(struct room_policy policy) {
    room = (struct room){0};
    told[0] = '\0';
    now_ms = 1000;
    room_begin(&room, &policy, tables);
    room_advance(&room, now_ms);
}

static void pass(uint64_t ms) {
    now_ms += ms;
    room_advance(&room, now_ms);
}

static struct room_member *join(char name) {
    struct room_member *m = room_member_add(&room);
    ((struct player *)(void *)m)->letter = name;
    return m;
}

static struct room_table *open_here(struct room_member *creator) {
    struct table_setup setup = {.game = &paper_soccer_game,
                                .options = game_options_default(&paper_soccer_game, 2)};
    struct room_table *rt;
    room_enter(&room, now_ms);
    assert_int_equal(room_open(&room, &setup, creator, &rt), ERR_OK);
    room_exit(&room);
    return rt;
}

static void sit(struct room_member *m, struct room_table *rt, const char *name) {
    room_enter(&room, now_ms);
    room_member_come(m, rt);
    assert_int_equal(room_sit(m, &(struct table_guest){.seat = room_seat_free(rt), .name = span_of(name)}),
                     ERR_OK);
    room_exit(&room);
    store_drain(&disk.base);
}

static void leave(struct room_member *m) {
    room_enter(&room, now_ms);
    room_member_leave(m);
    room_exit(&room);
}

static void a_creator_is_not_heard_before_its_table_is_there(void **unused) {
    (void)unused;
    begin(policy_default());
    struct room_member *a = join('a');
    ((struct player *)(void *)a)->pipelined = 1;
    open_here(a);
    assert_false(room_member_may_speak(a));
    assert_told("");
    store_drain(&disk.base);
    assert_told("opened(a) a! ");
    room_end(&room);
}

static void seats_are_taken_lost_and_given_up(void **unused) {
    (void)unused;
    struct room_policy policy = policy_default();
    policy.grace_ms = 100;
    begin(policy);
    struct room_table *rt = open_here(NULL);
    store_drain(&disk.base);
    struct room_member *a = join('a'), *b = join('b');
    sit(a, rt, "ann");
    sit(b, rt, "bob");
    assert_told("opened sat(a)0 0on sat(b)1 1on ");
    assert_true(room_is_complete(rt));
    leave(a);
    assert_told("0off! ");
    assert_true(rt->seats[0].is_away && room.away == &rt->seats[0]);
    pass(99);
    room_member_come(a, rt);
    room_seat_take(rt, 0, a);
    assert_told("0on! ");
    pass(1000);
    assert_told("");
    leave(b);
    pass(100);
    assert_told("1off! given-up1 ");
    room_end(&room);
}

/* The seat of a member that goes while it is being saved is there, and its player is away. */
static void a_member_may_go_while_its_seat_is_saved(void **unused) {
    (void)unused;
    begin(policy_default());
    struct room_table *rt = open_here(NULL);
    store_drain(&disk.base);
    struct room_member *a = join('a');
    room_member_come(a, rt);
    assert_int_equal(room_sit(a, &(struct table_guest){.seat = 0, .name = SPAN("ann")}), ERR_OK);
    room_member_free(a);
    store_drain(&disk.base);
    assert_told("opened sat(-)0 ");
    assert_true(rt->seats[0].is_away);
    rt->seats[0].is_leaving = true;
    assert_true(room_vacate(rt));
    store_drain(&disk.base);
    assert_told("got-up0 ");
    assert_false(rt->seats[0].is_away || rt->seats[0].is_leaving);
    room_end(&room);
}

/* One that always has something to say does not keep the others from being heard. */
static void members_are_heard_in_turn(void **unused) {
    (void)unused;
    begin(policy_default());
    struct room_table *rt = open_here(NULL);
    store_drain(&disk.base);
    struct room_member *a = join('a'), *b = join('b'), *c = join('c');
    sit(a, rt, "ann");
    sit(b, rt, "bob");
    room_member_come(c, rt);
    told[0] = '\0';
    ((struct player *)(void *)a)->pipelined = 2;
    ((struct player *)(void *)b)->pipelined = 2;
    ((struct player *)(void *)c)->pipelined = 2;
    assert_int_equal(step(rt->table, 0, NORTH), ERR_OK);
    store_drain(&disk.base); /* ann is too early, what bob plays is saved before anybody else is heard */
    assert_told("a! b! ");
    store_drain(&disk.base);
    assert_told("c! a! ");
    store_drain(&disk.base);
    assert_told("b! ");
    store_drain(&disk.base);
    assert_told("c! ");
    room_end(&room);
}

static void the_line_asks_one_after_the_other(void **unused) {
    (void)unused;
    struct room_policy policy = policy_default();
    policy.answer_ms = 100;
    policy.patience_ms = 30;
    begin(policy);
    struct room_member *a = join('a'), *b = join('b');
    room_line_join(a);
    room_line_ask(&room);
    room_line_ask(&room);
    assert_told("asked(a) ");
    pass(200); /* nobody else waits */
    assert_told("");
    room_line_join(b);
    pass(30);
    assert_told("asked(b) ");
    pass(70);
    assert_told("late(a) ");
    assert_null(room.line); /* bob says nothing either */
    assert_ptr_equal(room.silent, b);
    assert_int_equal(room.line_count, 2);
    room_member_free(b);
    room_line_ask(&room);
    assert_told("asked(a) ");
    room_end(&room);
}

static void take(struct room_table *rt, unsigned number, enum direction direction) {
    struct ticket *t = mem_alloc(sizeof *t);
    t->number = number;
    t->direction = direction;
    room_enter(&room, now_ms);
    room_take(rt, &t->room);
    room_exit(&room);
}

static struct room_table *open_with_tickets(void) {
    struct room_policy policy = policy_default();
    policy.start = on_start;
    policy.answer = on_answer;
    policy.put_off = on_put_off;
    begin(policy);
    struct room_table *rt = open_here(NULL);
    store_drain(&disk.base);
    sit(join('a'), rt, "ann");
    sit(join('b'), rt, "bob");
    told[0] = '\0';
    return rt;
}

static void requests_wait_for_their_turn(void **unused) {
    (void)unused;
    struct room_table *rt = open_with_tickets();
    take(rt, 1, NORTH);
    take(rt, 2, NORTH);
    take(rt, 3, NORTH);
    take(rt, 4, NORTH);
    assert_told("4:busy ");
    store_drain(&disk.base);
    assert_told("1:ok 2:not-your-turn 3:not-your-turn ");
    room_end(&room);
}

/* What waits has not begun; what is being saved is taken back when the store has refused it. */
static void a_full_disk_is_told_to_everybody(void **unused) {
    (void)unused;
    struct room_table *rt = open_with_tickets();
    uint64_t version = table_version(rt->table);
    disk.is_full = true;
    take(rt, 1, NORTH);
    take(rt, 2, NORTH);
    store_drain(&disk.base);
    tables_advance(tables, now_ms + TABLES_PATIENCE_MS);
    tables_beat(tables);
    store_drain(&disk.base);
    assert_told("stalled 2:unavailable 1:unavailable ");
    disk.is_full = false;
    tables_beat(tables);
    store_drain(&disk.base);
    assert_int_equal(table_version(rt->table), version);
    room_end(&room);
}

static void finished_tables_are_kept_for_a_while(void **unused) {
    (void)unused;
    struct room_policy policy = policy_default();
    policy.linger_ms = 100;
    policy.linger_max = 2;
    policy.tables_max = 1;
    begin(policy);
    for (int i = 0; i < 3; i++) {
        struct room_table *rt = open_here(NULL);
        struct table_setup setup = {.game = &paper_soccer_game,
                                    .options = game_options_default(&paper_soccer_game, 2)};
        struct room_table *other;
        assert_int_equal(room_open(&room, &setup, NULL, &other), ERR_TOO_MANY);
        store_drain(&disk.base);
        assert_int_equal(table_abandon(rt->table), ERR_OK);
        store_drain(&disk.base);
        pass(10);
    }
    assert_int_equal(room.over_count, 2);
    assert_int_equal(tables_count(tables), 2);
    pass(100);
    assert_int_equal(tables_count(tables), 0);
    room_end(&room);
}

static void empty_tables_are_given_up(void **unused) {
    (void)unused;
    struct room_policy policy = policy_default();
    policy.keep_ms = 100;
    begin(policy);
    struct room_table *rt = open_here(NULL);
    store_drain(&disk.base);
    struct room_member *a = join('a');
    sit(a, rt, "ann");
    told[0] = '\0';
    pass(1000);
    assert_told("");
    leave(a);
    pass(99);
    assert_told("0off! ");
    pass(1);
    store_drain(&disk.base);
    assert_told("idle over ");
    room_end(&room);
}

/* Through the door somebody else opens a table of the room; after a restart it is there again. */
static void tables_come_through_the_door_and_back(void **unused) {
    (void)unused;
    begin(policy_default());
    const struct table_door *door = tables_door(tables, SPAN("test"));
    struct table_wish wish = {.options = game_options_default(&paper_soccer_game, 2)};
    struct table *table;
    assert_non_null(door);
    assert_int_equal(door->open(door->context, &wish, now_ms, &table), ERR_OK);
    store_drain(&disk.base);
    assert_told("opened ");
    assert_non_null(room_table_of(&room, table_id(table)));
    room_end(&room);
    assert_null(tables_door(tables, SPAN("test")));
    restart(0);
    begin(policy_default());
    assert_told("adopted awake ");
    room_end(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(a_creator_is_not_heard_before_its_table_is_there),
        TABLE_TEST(seats_are_taken_lost_and_given_up),
        TABLE_TEST(a_member_may_go_while_its_seat_is_saved),
        TABLE_TEST(members_are_heard_in_turn),
        TABLE_TEST(the_line_asks_one_after_the_other),
        TABLE_TEST(requests_wait_for_their_turn),
        TABLE_TEST(a_full_disk_is_told_to_everybody),
        TABLE_TEST(finished_tables_are_kept_for_a_while),
        TABLE_TEST(empty_tables_are_given_up),
        TABLE_TEST(tables_come_through_the_door_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
