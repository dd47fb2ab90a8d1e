/* Masters of Renaissance over Java streams: words into records and records into messages; and the port on
 * links of memory and a clock of its own: pauses, the order that its clients rely on, one room with lines of
 * JSON. */
#include "port_world.h"

#include "java_client.h"
#include "wire/peers.h"
#include "wire/renaissance_java/dialect.h"
#include "wire/renaissance_java/port.h"

enum { PAUSE_MS = 50 };

/* Bytes. */

static struct java_message message;

/* Shows the records that were sent, with a line feed behind each; those of other streams are refused. */
static void shown(struct buf *out, struct span bytes, bool has_header) {
    struct java_reader reader = {.classes = renaissance_java_all, .has_begun = !has_header};
    char complaint[JAVA_COMPLAINT_BYTES_MAX] = "";
    while (bytes.size > 0) {
        size_t size;
        enum java_result result = java_read(&reader, bytes, &message, &size, complaint);
        assert_string_equal(complaint, "");
        assert_true(result == JAVA_PASSED || result == JAVA_MESSAGE);
        if (result == JAVA_MESSAGE) {
            java_show(&message, out);
            buf_append_byte(out, '\n');
        }
        bytes = span_make(bytes.data + size, bytes.size - size);
    }
    java_reader_free(&reader);
}

static void expect_hex(const struct buf *found, const char *hex) {
    struct buf text = {0};
    for (size_t i = 0; i < found->size; i++)
        buf_printf(&text, "%02x", (uint8_t)found->data[i]);
    assert_string_equal(buf_text(&text), hex);
    buf_free(&text);
}

static void records_are_byte_for_byte_what_the_page_says(void **unused) {
    (void)unused;
    struct buf out = {0};
    renaissance_java_write_ping(&out, false);
    expect_hex(&out,
               "79737200"
               "2c69742e706f6c696d692e696e6773772e6d657373616765732e736572766572546f436c69656e742e50696e67"
               "55dced3c63ec836d0200007870");
    buf_clear(&out);
    renaissance_java_write(&out,
                           &(struct renaissance_word){.type = RENAISSANCE_SAYS_USERNAME, .name = "alice"});
    buf_consume(&out, sizeof(struct renaissance_java_entry));
    expect_hex(&out, "797372003869742e706f6c696d692e696e6773772e6d657373616765732e736572766572546f436c69656e7"
                     "42e557365726e61"
                     "6d65526573706f6e7365488e5663efead2470200025a00066973467265654c00086e69636b6e616d6574001"
                     "24c6a6176612f6c61"
                     "6e672f537472696e673b787001740005616c696365");
    buf_free(&out);
}

/* Two players in the middle of everything. */
static struct renaissance state;
static const struct renaissance_scene scene = {.state = &state,
                                               .names = {"alice", "b\xc3\xb6"
                                                                  "b\xf0\x9f\x8e\xb2y"},
                                               .is_online = {true, false}};

static void set_up(unsigned seats) {
    static const uint8_t marbles[RENAISSANCE_CELLS] = {0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5};
    state = (struct renaissance){.seats = (uint8_t)seats, .phase = RENAISSANCE_BEFORE, .free_marble = 5};
    memcpy(state.market, marbles, sizeof marbles);
    for (unsigned pile = 1; pile < RENAISSANCE_PILES; pile++)
        state.visible[pile] = (uint8_t)renaissance_pile_card(pile, 0);
    for (unsigned seat = 0; seat < seats; seat++) {
        struct renaissance_seat *s = &state.seat[seat];
        s->stage = RENAISSANCE_READY;
        s->faith = (uint8_t)(3 + seat);
        s->hand[0] = (uint8_t)(1 + seat);
        s->hand_count = 1;
        s->played[0] = (uint8_t)(5 + seat); /* a store */
        s->played_count = 1;
        s->depot[1] = (struct renaissance_depot){RENAISSANCE_STONES, 2};
        s->depot[3] = (struct renaissance_depot){renaissance_leader(5 + seat)->kind, 1};
        s->strongbox[RENAISSANCE_SHIELDS] = 7;
        s->slot[1][0] = 1;
        s->slot[1][1] = 17;
    }
    state.report[0] = (struct renaissance_report){.happened = 1, .kept = 2};
    state.taken[RENAISSANCE_COINS] = 2;
}

static void expect_word(const struct renaissance_word *word, const char *text) {
    struct buf out = {0}, found = {0};
    renaissance_java_write(&out, word);
    for (struct span rest = buf_span(&out), record; rest.size > 0;) {
        (void)renaissance_java_next(&rest, &record);
        shown(&found, record, false);
    }
    assert_string_equal(buf_text(&found), text);
    buf_free(&out);
    buf_free(&found);
}

#define BOB                                                                                                  \
    "b\xc3\xb6"                                                                                              \
    "b\xf0\x9f\x8e\xb2y"
#define WAREHOUSES                                                                                           \
    "{\"alice\":" WAREHOUSE_A ",\"" BOB                                                                      \
    "\":{\"0\":[],\"1\":[\"STONES\",\"STONES\"],\"2\":[],\"3\":[\"SERVANTS\"]}}"
#define WAREHOUSE_A "{\"0\":[],\"1\":[\"STONES\",\"STONES\"],\"2\":[],\"3\":[\"STONES\"]}"
#define STRONGBOX   "{\"COINS\":0,\"STONES\":0,\"SERVANTS\":0,\"SHIELDS\":7}"
#define FAITH_NOW                                                                                            \
    "FaithTrackMessage "                                                                                     \
    "{\"report\":false,\"vaticanReportPos\":0,\"activatedVatican\":[],\"position\":{\"alice\":3,\"" BOB      \
    "\":4}}\n"
#define GRID                                                                                                 \
    "[[\"D034\",\"D036\",\"D033\",\"D035\"],[\"D018\",\"D020\",\"D017\",\"D019\"],[null,\"D004\",\"D001\","  \
    "\"D003\"]]"
#define WORD(TYPE, ...)                                                                                      \
    &(struct renaissance_word) {                                                                             \
        .type = RENAISSANCE_SAYS_##TYPE, .scene = &scene, __VA_ARGS__                                        \
    }

static void every_word_is_a_record(void **unused) {
    (void)unused;
    set_up(2);
    expect_word(WORD(USERNAME, .name = NULL), "UsernameResponse {\"isFree\":false,\"nickname\":null}\n");
    expect_word(WORD(NUMBER_REQUEST), "PlayerNumberRequest {\"max\":4}\n");
    expect_word(WORD(PLAYERS), "Players {\"players\":[\"" BOB "\",\"alice\"]}\n");
    expect_word(WORD(GRID), "DevCardGrid {\"devCardId\":" GRID "}\n");
    expect_word(
        WORD(MARKET),
        "MarketMarbles {\"freeMarble\":\"PURPLE\",\"marbles\":[[\"WHITE\",\"WHITE\",\"WHITE\",\"WHITE\"],"
        "[\"RED\",\"BLUE\",\"BLUE\",\"YELLOW\"],[\"YELLOW\",\"GREY\",\"GREY\",\"PURPLE\"]]}\n");
    expect_word(WORD(LEADERS_REQUEST, .seat = 1), "LeaderCardsRequest {\"leaderCardsId\":[\"L002\"]}\n");
    expect_word(WORD(LEADERS_RESPONSE, .number = 2), "LeaderCardSetupDone {}\n");
    expect_word(WORD(RESOURCES_REQUEST, .number = 2), "ResourcesRequest {\"resourceNumber\":2}\n");
    expect_word(WORD(RESOURCES_RESPONSE, .number = 2), "StartingResourceDone {}\n");
    expect_word(WORD(SETUP),
                "SetupGameUpdate {\"leaderCards\":{\"alice\":[\"L001\",\"L005\"],\"" BOB
                "\":[\"L002\",\"L006\"]},"
                "\"newFaithTrackPosition\":{\"alice\":3,\"" BOB "\":4},\"resources\":" WAREHOUSES "}\n");
    expect_word(WORD(POSSIBLE, .number = RENAISSANCE_MAY_BUY | RENAISSANCE_MAY_END_TURN),
                "ActionRequest {\"possibleActions\":[\"BUYDEVELOPMENTCARD\",\"ENDTURN\"]}\n");
    expect_word(WORD(ACTION_RESPONSE, .number = RENAISSANCE_MAY_PUSH),
                "ActionResponse {\"action\":\"MARKETACTION\"}\n");
    expect_word(WORD(MANAGE_REQUEST), "ResourcesManageRequest {\"resources\":[\"COINS\",\"COINS\"]}\n");
    expect_word(WORD(TURN, .name = "alice"), "StartTurn {\"name\":\"alice\"}\n");
    expect_word(WORD(END), "EndGameMessage {}\n");
    expect_word(WORD(GONE, .name = "alice"), "Disconnection {\"username\":\"alice\"}\n");
    expect_word(WORD(BACK, .name = "alice"), "Reconnection {\"username\":\"alice\"}\n");
    expect_word(WORD(ERROR, .error = RENAISSANCE_ERROR_LEADERS),
                "ErrorMessage {\"error\":\"STARTING_LEADER_CARD\"}\n");
    expect_word(WORD(ERROR, .error = RENAISSANCE_ERROR_RESOURCES),
                "ErrorMessage {\"error\":\"STARTING_RESOURCES\"}\n");
    expect_word(WORD(ERROR, .error = RENAISSANCE_ERROR_ACTION),
                "ErrorMessage {\"error\":\"INVALID_ACTION\"}\n");
    expect_word(WORD(ERROR, .error = RENAISSANCE_ERROR_MANAGE),
                "ErrorMessage {\"error\":\"MANAGE_RESOURCES\"}\n");
    expect_word(WORD(SCORES),
                "FinalScoreMessage {\"lorenzoWin\":false,\"finalScores\":{\"" BOB "\":14,\"alice\":12}}\n");
}

static void every_update_is_a_record(void **unused) {
    (void)unused;
    struct renaissance_faith_change change = {.report = 8, .kept = 1, .faith = {8, 2}};
    set_up(2);
    expect_word(WORD(FAITH, .change = &change),
                "FaithTrackMessage {\"report\":true,\"vaticanReportPos\":8,\"activatedVatican\":[\"alice\"],"
                "\"position\":{\"alice\":8,\"" BOB "\":2}}\n");
    expect_word(WORD(PLAYED, .number = 5),
                "PlayLeaderCardUpdate {\"id\":\"L005\",\"nickname\":\"alice\",\"warehouse\":" WAREHOUSE_A
                "}\n");
    expect_word(WORD(DISCARDED, .number = 3),
                FAITH_NOW "DiscardLeaderCardUpdate {\"id\":\"L003\",\"nickname\":\"alice\"}\n");
    expect_word(WORD(BOUGHT, .number = 17), "BuyDevelopmentCardUpdate "
                                            "{\"level\":2,\"slot\":1,\"color\":\"GREEN\",\"gridId\":\"D017\","
                                            "\"id\":\"D017\",\"nickname\":\"alice\","
                                            "\"strongbox\":" STRONGBOX ",\"warehouse\":" WAREHOUSE_A "}\n");
    expect_word(WORD(PRODUCED),
                FAITH_NOW "UseProductionUpdate {\"nickname\":\"alice\",\"strongbox\":" STRONGBOX
                          ",\"warehouse\":" WAREHOUSE_A "}\n");
    expect_word(WORD(PUSHED, .number = 1),
                FAITH_NOW "MarketActionUpdate {\"pos\":1,\"rowOrCol\":true,\"newFreeMarble\":\"PURPLE\","
                          "\"newMarbles\":[\"RED\",\"BLUE\",\"BLUE\",\"YELLOW\"],\"nickname\":\"alice\","
                          "\"warehouse\":" WAREHOUSE_A "}\n");
    expect_word(
        WORD(PUSHED, .number = 6), FAITH_NOW
        "MarketActionUpdate {\"pos\":3,\"rowOrCol\":false,\"newFreeMarble\":\"PURPLE\","
        "\"newMarbles\":[\"WHITE\",\"YELLOW\",\"PURPLE\"],\"nickname\":\"alice\",\"warehouse\":" WAREHOUSE_A
        "}\n");
    expect_word(WORD(LORENZO), FAITH_NOW
                "LorenzoMessage {\"lorenzoPosition\":0,\"message\":\"no token\",\"newCardGrid\":" GRID "}\n");
    expect_word(WORD(UPDATE),
                "ReConnectionUpdate {\"setupDone\":true,\"cardsInHand\":{\"alice\":1,\"" BOB "\":1},"
                "\"devCardSlots\":{\"alice\":{\"0\":[],\"1\":[\"D001\",\"D017\"],\"2\":[]},\"" BOB
                "\":{\"0\":[],\"1\":[\"D001\",\"D017\"],\"2\":[]}},"
                "\"faithPositions\":{\"alice\":3,\"" BOB
                "\":4},\"leaderCards\":[\"L001\"],\"leaderCardsPlayed\":{\"alice\":[\"L005\"],\"" BOB
                "\":[\"L006\"]},"
                "\"playersConnected\":{\"alice\":true,\"" BOB "\":false},\"strongbox\":{\"alice\":" STRONGBOX
                ",\"" BOB "\":" STRONGBOX "},"
                "\"username\":\"alice\",\"vaticanReportActivated\":{\"alice\":{\"8\":false},\"" BOB
                "\":{\"8\":true}},\"warehouse\":" WAREHOUSES "}\n");
}

/* Alone nobody is told to wait; and there is no word for a disk that is full. */
static void some_words_are_left_out(void **unused) {
    (void)unused;
    set_up(1);
    expect_word(WORD(LEADERS_RESPONSE, .number = 1), "");
    expect_word(WORD(RESOURCES_RESPONSE, .number = 1), "");
    expect_word(WORD(ERROR, .error = RENAISSANCE_ERROR_STALLED, .why = ERR_IO), "");
}

/* The faith track that comes with an update is enough. */
static void the_faith_track_is_told_once(void **unused) {
    (void)unused;
    struct renaissance_faith_change change = {.faith = {5, 5}};
    struct buf out = {0};
    unsigned entries = 0;
    set_up(2);
    renaissance_java_write(&out, WORD(FAITH, .change = &change));
    renaissance_java_write(&out, WORD(PRODUCED));
    for (struct span rest = buf_span(&out), record; rest.size > 0; entries++)
        (void)renaissance_java_next(&rest, &record);
    assert_int_equal(entries, 2);
    buf_free(&out);
}

/* What clients say. */

static struct renaissance_java_saying saying;

static struct renaissance_message *read_as(const char *name, const char *fields) {
    char complaint[JAVA_COMPLAINT_BYTES_MAX] = "";
    struct java_reader reader = {.classes = renaissance_java_heard, .has_begun = true};
    struct java_writer w;
    struct buf bytes = {0};
    size_t size;
    json_t *values = json_loads(fields, 0, NULL);
    assert_non_null(values);
    java_begin(&w, &bytes);
    java_client_put(&w, name, values);
    assert_int_equal(java_read(&reader, buf_span(&bytes), &message, &size, complaint), JAVA_MESSAGE);
    assert_int_equal(size, bytes.size);
    renaissance_java_saying_free(&saying);
    renaissance_java_read(&message, &saying);
    java_reader_free(&reader);
    buf_free(&bytes);
    json_decref(values);
    return &saying.message;
}

static void every_record_of_a_client_is_a_message(void **unused) {
    (void)unused;
    const struct renaissance_said *said = &saying.said;
    assert_int_equal(read_as("Pong", "{}")->type, RENAISSANCE_MESSAGE_PONG);
    assert_int_equal(read_as("LoginMessage", "{\"username\":\"b\\u00f6b\\ud83c\\udfb2y\"}")->type,
                     RENAISSANCE_MESSAGE_LOGIN);
    assert_true(span_is(saying.message.username, BOB));
    assert_null(read_as("LoginMessage", "{}")->username.data);
    assert_int_equal(read_as("PlayerNumberReply", "{\"playerNum\":3}")->number, 3);
    assert_int_equal(
        read_as("LeaderCardsReply", "{\"leaderCardsId\":[\"L003\",\"L001\"],\"username\":\"alice\"}")->wrong,
        ERR_OK);
    assert_true(said->kept[0] == 3 && said->kept[1] == 1 && span_is(saying.message.username, "alice"));
    assert_int_equal(
        read_as("ResourcesReply", "{\"resources\":{\"0\":[],\"2\":[\"COINS\",\"COINS\"]}}")->type,
        RENAISSANCE_MESSAGE_RESOURCES);
    assert_true(said->depots[2].kind == RENAISSANCE_COINS && said->depots[2].count == 2 &&
                said->depots[0].count == 0);
    assert_int_equal(read_as("ActionReply", "{\"action\":\"ENDTURN\"}")->choice, RENAISSANCE_MAY_END_TURN);
    assert_int_equal(read_as("PlayLeaderCardParameters", "{\"id\":\"L016\"}")->choice,
                     RENAISSANCE_MAY_PLAY_LEADER);
    assert_int_equal(said->leader, 16);
    assert_int_equal(read_as("DiscardLeaderCardParameters", "{\"id\":\"L002\"}")->choice,
                     RENAISSANCE_MAY_DISCARD_LEADER);
    assert_int_equal(
        read_as("BuyDevelopmentCardParameters",
                "{\"devCardSlot\":2,\"level\":3,\"color\":\"BLUE\",\"warehouseDepotRes\":{\"COINS\":1},"
                "\"cardDepotRes\":{\"STONES\":2},\"strongboxRes\":{\"SHIELDS\":300,\"COINS\":0}}")
            ->choice,
        RENAISSANCE_MAY_BUY);
    assert_true(said->slot == 2 && said->level == 3 && said->colour == RENAISSANCE_CARD_BLUE &&
                said->paid[RENAISSANCE_FROM_BASE][RENAISSANCE_COINS] == 1 &&
                said->paid[RENAISSANCE_FROM_LEADERS][RENAISSANCE_STONES] == 2 &&
                said->paid[RENAISSANCE_FROM_STRONGBOX][RENAISSANCE_SHIELDS] == 300);
    assert_int_equal(read_as("UseProductionParameters",
                             "{\"boardResGain\":[\"COINS\",\"STONES\",\"SHIELDS\"],\"indexDevSlot\":[2,0],"
                             "\"indexLeaderSlot\":[1,0],"
                             "\"leaderCardGain\":[\"SERVANTS\",\"COINS\"],\"strongboxRes\":{\"COINS\":4}}")
                         ->wrong,
                     ERR_OK);
    assert_true(said->board.count == 3 && said->cards.bits == 5 && said->leaders.bits == 3 &&
                said->leaders.first == 1 && said->gains.kind[0] == RENAISSANCE_SERVANTS &&
                said->paid[RENAISSANCE_FROM_STRONGBOX][0] == 4);
    assert_int_equal(
        read_as("RowColumnSelection", "{\"index\":3,\"rowOrCol\":true,\"exchangeBuffResources\":[\"COINS\"]}")
            ->type,
        RENAISSANCE_MESSAGE_LINE);
    assert_true(said->index == 3 && said->is_row && said->exchange.count == 1);
    assert_int_equal(
        read_as("ResourcesManageReply", "{\"discardRes\":{\"COINS\":1},\"resources\":{\"4\":[\"SHIELDS\"]}}")
            ->wrong,
        ERR_OK);
    assert_true(said->discard.is_given && said->discard.of[0] == 1 && said->depots[4].count == 1);
    read_as("ResourcesManageReply", "{\"resources\":{}}");
    assert_false(said->discard.is_given);
    assert_int_equal(read_as("EndTurn", "{}")->type, RENAISSANCE_MESSAGE_END_TURN);
    renaissance_java_saying_free(&saying);
    memset(&saying, 0, sizeof saying);
}

static void what_fields_cannot_say_is_wrong(void **unused) {
    (void)unused;
    static const char *const wrong[][2] = {
        {"ActionReply", "{}"},
        {"LeaderCardsReply", "{\"leaderCardsId\":[\"L001\",\"D001\"]}"},
        {"LeaderCardsReply", "{\"leaderCardsId\":[1,2]}"},
        {"LeaderCardsReply", "{\"leaderCardsId\":[\"L001\"]}"},
        {"LeaderCardsReply", "{}"},
        {"ResourcesReply", "{}"},
        {"ResourcesReply", "{\"resources\":{\"0\":[\"COINS\",\"STONES\"]}}"},
        {"ResourcesReply", "{\"resources\":{\"5\":[\"COINS\"]}}"},
        {"ResourcesReply", "{\"resources\":{\"-1\":[\"COINS\"]}}"},
        {"ResourcesReply", "{\"resources\":{\"COINS\":[\"COINS\"]}}"},
        {"ResourcesReply", "{\"resources\":{\"0\":null}}"},
        {"PlayLeaderCardParameters", "{}"},
        {"PlayLeaderCardParameters", "{\"id\":\"L017\"}"},
        {"BuyDevelopmentCardParameters", "{\"level\":1}"},
        {"BuyDevelopmentCardParameters", "{\"color\":\"BLUE\",\"strongboxRes\":{\"COINS\":-1}}"},
        {"BuyDevelopmentCardParameters", "{\"color\":\"BLUE\",\"strongboxRes\":{\"COINS\":70000}}"},
        {"BuyDevelopmentCardParameters", "{\"color\":\"BLUE\",\"warehouseDepotRes\":{\"0\":1}}"},
        {"UseProductionParameters", "{\"indexDevSlot\":[0,0]}"},
        {"UseProductionParameters", "{\"indexDevSlot\":[3]}"},
        {"UseProductionParameters", "{\"boardResGain\":[\"COINS\",\"COINS\",\"COINS\",\"COINS\",\"COINS\"]}"},
        {"RowColumnSelection", "{\"exchangeBuffResources\":[null]}"},
        {"ResourcesManageReply", "{}"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_not_equal(read_as(wrong[i][0], wrong[i][1])->wrong, ERR_OK);
    renaissance_java_saying_free(&saying);
    memset(&saying, 0, sizeof saying);
}

/* The port. */

static struct port *lines; /* of JSON, in front of the same room */
static struct java_writer writers[LINKS];
static bool has_header[LINKS];

static void ports_begin(void) {
    struct renaissance_port_config config = renaissance_port_config_default();
    world_tables();
    config.tables = world.tables;
    config.silence_ms = 100 * 1000;
    world.port = renaissance_java_port_create(&config);
    lines = renaissance_port_create(&config);
}

static int begin(void **unused) {
    (void)unused;
    world_begin();
    ports_begin();
    return 0;
}

static int finish(void **unused) {
    lines->ops->free(lines);
    return end(unused);
}

/* Whatever is due at both ports up to then. */
static void wait_for(uint64_t ms) {
    for (; ms > 0; ms--) {
        world.now_ms++;
        world.port->ops->advance(world.port, world.now_ms);
        lines->ops->advance(lines, world.now_ms);
    }
}

static void java_opens(unsigned i) {
    struct buf header = {0};
    link_opens(i);
    java_begin(&writers[i], &header);
    java_put_header(&writers[i]);
    has_header[i] = true;
    world.port->ops->received(world.port, &world.links[i].link, buf_span(&header), world.now_ms);
    buf_free(&header);
}

/* As Java does it: what was said before is referred to. */
static void java_says(unsigned i, const char *name, const char *fields) {
    struct buf bytes = {0};
    json_t *values = json_loads(fields, 0, NULL);
    assert_non_null(values);
    writers[i].out = &bytes;
    java_client_put(&writers[i], name, values);
    world.port->ops->received(world.port, &world.links[i].link, buf_span(&bytes), world.now_ms);
    json_decref(values);
    buf_free(&bytes);
    save();
}

/* The names of the records that came since the last call, without pings. */
static const char *java_heard(unsigned i) {
    struct buf all = {0};
    char *line, *rest;
    shown(&all, buf_span(&world.links[i].sent), has_header[i]);
    has_header[i] = has_header[i] && world.links[i].sent.size == 0;
    buf_clear(&world.links[i].sent);
    buf_clear(&world.text);
    rest = all.size == 0 ? NULL : strdup(buf_text(&all));
    char *begin_of_all = rest;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] == '\0' || strncmp(line, "Ping ", 5) == 0)
            continue;
        buf_printf(&world.text, "%s%.*s", world.text.size > 0 ? " " : "", (int)strcspn(line, " "), line);
    }
    free(begin_of_all);
    buf_free(&all);
    return buf_text(&world.text);
}

static void java_expects(unsigned i, const char *wanted) {
    wait_for(20 * PAUSE_MS);
    assert_string_equal(java_heard(i), wanted);
}

static void json_says(unsigned i, const char *text) {
    struct buf line = {0};
    buf_printf(&line, "%s\n", text);
    lines->ops->received(lines, &world.links[i].link, buf_span(&line), world.now_ms);
    buf_free(&line);
    save();
}

static void json_opens(unsigned i) {
    buf_free(&world.links[i].sent);
    world.links[i] = (struct test_link){.link.ops = &test_link_ops};
    lines->ops->opened(lines, &world.links[i].link, world.now_ms);
}

#define SET_UP_FIRST "Players DevCardGrid MarketMarbles LeaderCardsRequest"

/* Leaders as they are in the last request. */
static void keep_leaders(unsigned i, const char *name) {
    struct buf all = {0};
    char fields[200], *list;
    wait_for(20 * PAUSE_MS);
    shown(&all, buf_span(&world.links[i].sent), has_header[i]);
    list = strstr(buf_text(&all), "leaderCardsId");
    assert_non_null(list);
    snprintf(fields, sizeof fields, "{\"leaderCardsId\":[%.6s,%.6s],\"username\":\"%s\"}", list + 16,
             list + 23, name);
    buf_free(&all);
    java_says(i, "LeaderCardsReply", fields);
}

/* Two of them at a table, up to the first turn. */
static void two_begin(void) {
    java_opens(0);
    java_says(0, "LoginMessage", "{\"username\":\"alice\"}");
    java_says(0, "PlayerNumberReply", "{\"playerNum\":2}");
    java_opens(1);
    java_says(1, "LoginMessage", "{\"username\":\"bobby\"}");
    save();
    keep_leaders(0, "alice");
    keep_leaders(1, "bobby");
    java_says(0, "ResourcesReply", "{\"resources\":{\"0\":[],\"1\":[],\"2\":[]},\"username\":\"alice\"}");
    java_says(1, "ResourcesReply",
              "{\"resources\":{\"0\":[\"COINS\"],\"1\":[],\"2\":[]},\"username\":\"bobby\"}");
    java_expects(0,
                 "UsernameResponse PlayerNumberRequest " SET_UP_FIRST " LeaderCardSetupDone ResourcesRequest "
                 "StartingResourceDone DevCardGrid MarketMarbles SetupGameUpdate ActionRequest");
    java_expects(1, "UsernameResponse " SET_UP_FIRST
                    " LeaderCardSetupDone ResourcesRequest StartingResourceDone "
                    "DevCardGrid MarketMarbles SetupGameUpdate StartTurn");
}

static void messages_come_with_pauses_and_pings_do_not_wait(void **unused) {
    (void)unused;
    java_opens(0);
    struct test_link *l = &world.links[0];
    assert_int_equal(l->sent.size, JAVA_HEADER_BYTES + 61); /* the header and a ping, without a reset */
    wait_for(2000 - 1);
    assert_int_equal(l->sent.size, JAVA_HEADER_BYTES + 61);
    java_says(0, "LoginMessage", "{\"username\":\"alice\"}");
    size_t first = l->sent.size;
    assert_true(first >
                JAVA_HEADER_BYTES + 61); /* the answer at once, the question not before the pause is over */
    wait_for(1);
    assert_int_equal(l->sent.size, first + 62); /* a ping meanwhile */
    wait_for(PAUSE_MS - 2);
    assert_int_equal(l->sent.size, first + 62);
    wait_for(1);
    assert_true(l->sent.size > first + 62);
    assert_string_equal(java_heard(0), "UsernameResponse PlayerNumberRequest");
}

static void two_play_and_one_goes(void **unused) {
    (void)unused;
    two_begin();
    java_says(0, "ActionReply", "{\"action\":\"ENDTURN\"}");
    java_expects(0, "ErrorMessage ActionRequest");
    java_says(1, "EndTurn", "{}"); /* not on turn */
    java_expects(1, "ErrorMessage");
    java_says(0, "ActionReply", "{\"action\":\"MARKETACTION\"}");
    java_says(0, "RowColumnSelection", "{\"index\":0,\"rowOrCol\":true,\"username\":\"alice\"}");
    java_expects(0, "ActionResponse ResourcesManageRequest");
    link_breaks(0);
    save();
    java_expects(1, "Disconnection FaithTrackMessage MarketActionUpdate ActionRequest");
    java_opens(0);
    java_says(0, "LoginMessage", "{\"username\":\"alice\"}");
    java_expects(0, "Players DevCardGrid MarketMarbles ReConnectionUpdate StartTurn");
    java_expects(1, "Reconnection");
}

/* Only EndTurn ends a turn. */
static void a_turn_ends_at_its_end(void **unused) {
    (void)unused;
    two_begin();
    java_says(0, "ActionReply", "{\"action\":\"MARKETACTION\"}");
    java_says(0, "RowColumnSelection", "{\"index\":0,\"rowOrCol\":true,\"username\":\"alice\"}");
    java_says(0, "ResourcesManageReply", "{\"resources\":{\"0\":[],\"1\":[],\"2\":[]}}");
    java_says(0, "ActionReply", "{\"action\":\"ENDTURN\"}");
    java_expects(0, "ActionResponse ResourcesManageRequest FaithTrackMessage MarketActionUpdate "
                    "ActionRequest ActionResponse");
    java_expects(1, "FaithTrackMessage MarketActionUpdate");
    java_says(0, "EndTurn", "{}");
    java_expects(0, "StartTurn");
    java_expects(1, "ActionRequest");
}

/* After a restart who is on turn has heard of no update, and must before it takes the question. */
static void a_question_comes_after_an_update(void **unused) {
    (void)unused;
    two_begin();
    lines->ops->free(lines);
    world.port->ops->free(world.port);
    tables_free(world.tables);
    ports_begin();
    wait_for(1);
    for (unsigned i = 0; i < 2; i++) {
        java_opens(i);
        java_says(i, "LoginMessage", i == 0 ? "{\"username\":\"alice\"}" : "{\"username\":\"bobby\"}");
    }
    java_expects(0, "Players DevCardGrid MarketMarbles ReConnectionUpdate FaithTrackMessage "
                    "UseProductionUpdate ActionRequest Reconnection");
    java_expects(1, "Players DevCardGrid MarketMarbles ReConnectionUpdate StartTurn");
}

static void both_framings_are_one_room(void **unused) {
    (void)unused;
    json_opens(2);
    json_says(2, "{\"type\":\"loginRequest\",\"username\":\"carol\"}");
    json_says(2, "{\"type\":\"numberOfPlayersSelectionReply\",\"number\":2}");
    java_opens(0);
    java_says(0, "LoginMessage", "{\"username\":\"carol\"}");
    java_expects(0, "UsernameResponse"); /* taken */
    java_says(0, "LoginMessage", "{\"username\":\"alice\"}");
    save();
    java_expects(0, "UsernameResponse " SET_UP_FIRST);
    buf_append_byte(&world.links[2].sent, '\0');
    assert_non_null(
        strstr(world.links[2].sent.data, "{\"type\":\"players\",\"players\":[\"carol\",\"alice\"]}\n"));
    lines->ops->closed(lines, &world.links[2].link, world.now_ms);
    save();
    java_expects(0, "Disconnection");
    /* and carol comes back as a client of Java streams */
    java_opens(1);
    java_says(1, "LoginMessage", "{\"username\":\"carol\"}");
    java_expects(1, "Players DevCardGrid MarketMarbles ReConnectionUpdate LeaderCardsRequest");
    java_expects(0, "Reconnection");
}

static void some_names_are_not_admitted(void **unused) {
    (void)unused;
    static const char *const fields[] = {"{\"username\":\"admin1\"}", "{\"username\":\"admin4\"}",
                                         "{\"username\":null}", "{\"username\":\"a b c\"}",
                                         "{\"username\":\"\\ud83c\\udfb2\"}"};
    java_opens(0);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        java_says(0, "LoginMessage", fields[i]);
        java_expects(0, "UsernameResponse");
    }
    java_says(0, "LoginMessage", "{\"username\":\"admin5\"}");
    java_expects(0, "UsernameResponse PlayerNumberRequest");
}

/* Before there is a board errors of a turn are not told. */
static void errors_wait_for_a_board(void **unused) {
    (void)unused;
    java_opens(0);
    java_says(0, "EndTurn", "{}");
    java_says(0, "ActionReply", "{\"action\":\"MARKETACTION\"}");
    java_expects(0, "");
    java_says(0, "LoginMessage", "{\"username\":\"alice\"}");
    java_says(0, "PlayerNumberReply", "{\"playerNum\":1}");
    save();
    java_expects(0, "UsernameResponse PlayerNumberRequest " SET_UP_FIRST);
    java_says(0, "EndTurn", "{}");
    java_expects(0, "LeaderCardsRequest");
    java_says(0, "LeaderCardsReply", "{\"leaderCardsId\":[],\"username\":\"alice\"}");
    java_expects(0, "ErrorMessage LeaderCardsRequest");
}

/* A question is not asked twice, and the answer that comes late counts when it is asked for. */
static void a_late_number_counts(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        java_opens(i);
        java_says(i, "LoginMessage", i == 0 ? "{\"username\":\"alice\"}" : "{\"username\":\"bobby\"}");
    }
    java_expects(0, "UsernameResponse PlayerNumberRequest");
    java_expects(1, "UsernameResponse");
    for (int second = 0; second < 31; second++) {
        wait_for(1000);
        for (unsigned i = 0; i < 2; i++)
            java_says(i, "Pong", "{}");
    }
    java_expects(0, ""); /* no error: it could not be shown */
    java_expects(1, "PlayerNumberRequest");
    java_says(0, "PlayerNumberReply", "{\"playerNum\":1}");
    java_expects(0, "");
    java_says(1, "PlayerNumberReply", "{\"playerNum\":1}"); /* the other's table is full with the other */
    for (int i = 0; i < 4; i++)
        save();
    java_expects(0, SET_UP_FIRST);
    java_expects(1, SET_UP_FIRST);
}

static void a_stream_that_is_none_ends(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"GET / HTTP/1.1\r\n", "{\"type\":\"loginRequest\"}\n",
                                        "\xac\xed\x01"};
    for (size_t i = 0; i < 3; i++) {
        link_opens(0);
        world.port->ops->received(world.port, &world.links[0].link, span_of(wrong[i]), world.now_ms);
        assert_true(world.links[0].is_closed);
    }
    two_begin();
    world.port->ops->received(world.port, &world.links[0].link, SPAN("\x7b"), world.now_ms);
    assert_true(world.links[0].is_closed);
    save();
    java_expects(1, "Disconnection ActionRequest");
}

/* Who asks faster than it may be answered is owed so much that it is gone. */
static void what_waits_for_its_pause_has_a_ceiling(void **unused) {
    (void)unused;
    struct buf bytes = {0};
    json_t *values = json_loads("{\"username\":\"-\"}", 0, NULL);
    java_opens(0);
    writers[0].out = &bytes;
    for (int i = 0; i < 2 * PEER_QUEUE_BYTES_MAX / 120; i++)
        java_client_put(&writers[0], "LoginMessage", values);
    json_decref(values);
    world.port->ops->received(world.port, &world.links[0].link, buf_span(&bytes), world.now_ms);
    buf_free(&bytes);
    assert_false(world.links[0].is_closed);
    wait_for(PAUSE_MS);
    assert_true(world.links[0].is_closed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_byte_for_byte_what_the_page_says),
        cmocka_unit_test(every_word_is_a_record),
        cmocka_unit_test(every_update_is_a_record),
        cmocka_unit_test(some_words_are_left_out),
        cmocka_unit_test(the_faith_track_is_told_once),
        cmocka_unit_test(every_record_of_a_client_is_a_message),
        cmocka_unit_test(what_fields_cannot_say_is_wrong),
        cmocka_unit_test_setup_teardown(messages_come_with_pauses_and_pings_do_not_wait, begin, finish),
        cmocka_unit_test_setup_teardown(two_play_and_one_goes, begin, finish),
        cmocka_unit_test_setup_teardown(a_turn_ends_at_its_end, begin, finish),
        cmocka_unit_test_setup_teardown(a_question_comes_after_an_update, begin, finish),
        cmocka_unit_test_setup_teardown(both_framings_are_one_room, begin, finish),
        cmocka_unit_test_setup_teardown(some_names_are_not_admitted, begin, finish),
        cmocka_unit_test_setup_teardown(errors_wait_for_a_board, begin, finish),
        cmocka_unit_test_setup_teardown(a_late_number_counts, begin, finish),
        cmocka_unit_test_setup_teardown(a_stream_that_is_none_ends, begin, finish),
        cmocka_unit_test_setup_teardown(what_waits_for_its_pause_has_a_ceiling, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
