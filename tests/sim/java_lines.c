#include "java_lines.h"

#include "java_client.h"

#include <stdio.h>
#include <stdlib.h>

/* A field under another name. */
static void rename_field(json_t *from, const char *name, json_t *to, const char *other) {
    json_object_set(to, other, json_object_get(from, name));
}

static void rename_fields(json_t *from, const char *const (*names)[2], json_t *to) {
    for (; (*names)[0] != NULL; names++)
        rename_field(from, (*names)[0], to, (*names)[1]);
}

/* What the server says. */

struct record_line {
    const char *record, *type, *action;
    const char *names[12][2];
};

static const struct record_line record_lines[] = {
    {"Ping", "ping", NULL, {{0}}},
    {"UsernameResponse", "usernameResponse", NULL, {{"isFree", "isFree"}, {"nickname", "username"}}},
    {"PlayerNumberRequest", "numberOfPlayersSelectionRequest", NULL, {{"max", "max"}}},
    {"Players", "players", NULL, {{"players", "players"}}},
    {"DevCardGrid", "devCardGrid", NULL, {{"devCardId", "devCardGrid"}}},
    {"MarketMarbles", "market", NULL, {{"marbles", "marbles"}, {"freeMarble", "freeMarble"}}},
    {"LeaderCardsRequest", "leaderCardsRequest", NULL, {{"leaderCardsId", "leaderCards"}}},
    {"LeaderCardSetupDone", "leaderCardsResponse", NULL, {{0}}},
    {"FaithTrackMessage",
     "faithTrackUpdate",
     NULL,
     {{"activatedVatican", "vaticanReportActivated"},
      {"vaticanReportPos", "vaticanReportPosition"},
      {"report", "report"},
      {"position", "faithTrackPositions"}}},
    {"ResourcesRequest", "resourcesRequest", NULL, {{"resourceNumber", "number"}}},
    {"StartingResourceDone", "resourcesResponse", NULL, {{0}}},
    {"SetupGameUpdate",
     "setupUpdate",
     NULL,
     {{"leaderCards", "leaderCards"},
      {"resources", "warehouse"},
      {"newFaithTrackPosition", "faithTrackPositions"}}},
    {"StartTurn", "startTurn", NULL, {{"name", "nickname"}}},
    {"ActionRequest", "possibleAction", NULL, {{"possibleActions", "actions"}}},
    {"ActionResponse", "actionResponse", NULL, {{"action", "action"}}},
    {"ResourcesManageRequest", "resourcesManageRequest", NULL, {{"resources", "resources"}}},
    {"PlayLeaderCardUpdate",
     "layoutUpdate",
     "PLAYLEADERCARD",
     {{"nickname", "nickname"}, {"id", "id"}, {"warehouse", "warehouse"}}},
    {"DiscardLeaderCardUpdate",
     "layoutUpdate",
     "DISCARDLEADERCARD",
     {{"nickname", "nickname"}, {"id", "id"}}},
    {"BuyDevelopmentCardUpdate",
     "layoutUpdate",
     "BUYDEVELOPMENTCARD",
     {{"nickname", "nickname"},
      {"id", "id"},
      {"gridId", "newId"},
      {"color", "color"},
      {"level", "level"},
      {"slot", "devCardSlot"},
      {"warehouse", "warehouse"},
      {"strongbox", "strongbox"}}},
    {"UseProductionUpdate",
     "layoutUpdate",
     "USEPRODUCTION",
     {{"nickname", "nickname"}, {"warehouse", "warehouse"}, {"strongbox", "strongbox"}}},
    {"MarketActionUpdate",
     "layoutUpdate",
     "MARKETACTION",
     {{"nickname", "nickname"},
      {"newFreeMarble", "freeMarble"},
      {"pos", "index"},
      {"rowOrCol", "isRow"},
      {"warehouse", "warehouse"}}},
    {"LorenzoMessage",
     "lorenzoUpdate",
     NULL,
     {{"lorenzoPosition", "faithTrackPosition"}, {"newCardGrid", "devCardGrid"}, {"message", "message"}}},
    {"EndGameMessage", "endGame", NULL, {{0}}},
    {"FinalScoreMessage", "finalScore", NULL, {{"finalScores", "scores"}, {"lorenzoWin", "lorenzoWon"}}},
    {"ErrorMessage", "errorMessage", NULL, {{"error", "error"}}},
    {"Disconnection", "disconnectionMessage", NULL, {{"username", "nickname"}}},
    {"Reconnection", "reconnectionMessage", NULL, {{"username", "nickname"}}},
    {"ReConnectionUpdate",
     "reconnectionUpdate",
     NULL,
     {{"username", "username"},
      {"devCardSlots", "devCardSlots"},
      {"faithPositions", "faithTrackPositions"},
      {"leaderCardsPlayed", "leaderCardsPlayed"},
      {"leaderCards", "leaderCards"},
      {"strongbox", "strongbox"},
      {"warehouse", "warehouse"},
      {"cardsInHand", "cardsInHand"},
      {"playersConnected", "playersConnected"},
      {"vaticanReportActivated", "vaticanReportActivated"},
      {"setupDone", "setupDone"}}},
};

static json_t *reversed(const json_t *list) {
    json_t *out = json_array();
    for (size_t i = json_array_size(list); i > 0; i--)
        json_array_append(out, json_array_get(list, i - 1));
    return out;
}

/* The whole market, of which only a line was told. */
static void market_push(struct java_lines *lines, const json_t *fields, json_t *message) {
    const json_t *line = json_object_get(fields, "newMarbles");
    size_t at = (size_t)json_integer_value(json_object_get(fields, "pos"));
    bool is_row = json_is_true(json_object_get(fields, "rowOrCol"));
    for (size_t i = 0; i < json_array_size(line); i++)
        json_array_set(json_array_get(lines->marbles, is_row ? at : i), is_row ? i : at,
                       json_array_get(line, i));
    json_object_set_new(message, "marbles", json_deep_copy(lines->marbles));
}

/* An update by which nothing changes, for clients that wait for one, is no news. */
static bool is_no_news(struct java_lines *lines, const char *record, const json_t *fields) {
    const char *name = json_string_value(json_object_get(fields, "nickname"));
    bool is_own = name != NULL && strcmp(name, lines->name) == 0;
    bool was_producing = lines->is_producing;
    if (strcmp(record, "ActionResponse") == 0)
        lines->is_producing =
            strcmp(json_string_value(json_object_get(fields, "action")), "USEPRODUCTION") == 0;
    if (!is_own || strcmp(record, "UseProductionUpdate") != 0)
        return false;
    lines->is_producing = false;
    return !was_producing;
}

static void lines_learn(struct java_lines *lines, const char *record, const json_t *fields) {
    const char *name = json_string_value(
        json_object_get(fields, strcmp(record, "UsernameResponse") == 0 ? "nickname" : "username"));
    if (name != NULL &&
        (strcmp(record, "UsernameResponse") == 0 || strcmp(record, "ReConnectionUpdate") == 0))
        snprintf(lines->name, sizeof lines->name, "%s", name);
    if (strcmp(record, "MarketMarbles") == 0) {
        json_decref(lines->marbles);
        lines->marbles = json_deep_copy(json_object_get(fields, "marbles"));
    }
}

static void line_of_record(struct java_lines *lines, const char *record, json_t *fields, struct buf *out) {
    const struct record_line *l = record_lines;
    while (strcmp(l->record, record) != 0)
        l++;
    lines_learn(lines, record, fields);
    if (is_no_news(lines, record, fields))
        return;
    json_t *message = json_pack("{s:s}", "type", l->type);
    if (strcmp(record, "Players") == 0) /* the last seat is the first there */
        json_object_set_new(fields, "players", reversed(json_object_get(fields, "players")));
    if (strcmp(record, "MarketActionUpdate") == 0)
        market_push(lines, fields, message);
    if (l->action != NULL)
        json_object_set_new(message, "action", json_string(l->action));
    rename_fields(fields, l->names, message);
    char *text = json_dumps(message, JSON_COMPACT);
    buf_append_text(out, text);
    free(text);
    json_decref(message);
}

static bool lines_read(struct java_lines *lines, struct buf *shown, struct buf *line) {
    struct java_reader reader = {.classes = renaissance_java_all, .has_begun = lines->has_begun};
    struct java_message message;
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    enum java_result result = JAVA_PASSED;
    while (result == JAVA_PASSED && lines->partial.size > 0) {
        size_t size;
        result = java_read(&reader, buf_span(&lines->partial), &message, &size, complaint);
        if (result == JAVA_MESSAGE)
            java_show(&message, shown);
        if (result == JAVA_MESSAGE || result == JAVA_PASSED)
            buf_consume(&lines->partial, size);
        lines->has_begun = reader.has_begun;
    }
    java_reader_free(&reader);
    if (lines->partial.size == 0)
        buf_free(&lines->partial);
    if (result == JAVA_REFUSED)
        buf_append_text(line, complaint);
    return result == JAVA_MESSAGE || result == JAVA_REFUSED;
}

bool java_lines_next(struct java_lines *lines, struct span *bytes, struct buf *shown, struct buf *line) {
    buf_clear(shown);
    buf_clear(line);
    buf_append(&lines->partial, *bytes);
    bytes->size = 0;
    if (!lines_read(lines, shown, line))
        return false;
    if (shown->size == 0)
        return true;
    char *text = strdup(buf_text(shown)), *fields = strchr(text, ' ');
    *fields = '\0';
    json_t *values = json_loads(fields + 1, 0, NULL);
    assert(values != NULL);
    line_of_record(lines, text, values, line);
    json_decref(values);
    free(text);
    return true;
}

void java_lines_free(struct java_lines *lines) {
    buf_free(&lines->partial);
    json_decref(lines->marbles);
    *lines = (struct java_lines){0};
}

/* What a client says. */

static void set_name(json_t *fields, const json_t *message, const char *name) {
    const json_t *said = json_object_get(message, "username");
    json_object_set_new(fields, "username",
                        json_is_string(said) ? json_copy((json_t *)(uintptr_t)said) : json_string(name));
}

static void set_payment(json_t *fields, const json_t *message) {
    static const char *const places[][2] = {
        {"warehouse", "warehouseDepotRes"}, {"leaderDepot", "cardDepotRes"}, {"strongbox", "strongboxRes"}};
    for (size_t i = 0; i < 3; i++)
        rename_field(json_object_get(message, "paymentResources"), places[i][0], fields, places[i][1]);
}

static const char *parameters_of(const json_t *message, json_t *fields) {
    static const char *const names[][2] = {{"id", "id"},
                                           {"color", "color"},
                                           {"level", "level"},
                                           {"devCardSlot", "devCardSlot"},
                                           {"boardResources", "boardResGain"},
                                           {"leaderResources", "leaderCardGain"},
                                           {"devCardSlots", "indexDevSlot"},
                                           {"leaderCardSlots", "indexLeaderSlot"},
                                           {NULL, NULL}};
    const char *action = json_string_value(json_object_get(message, "action"));
    rename_fields((json_t *)(uintptr_t)message, names, fields);
    set_payment(fields, message);
    if (action == NULL)
        return NULL;
    return strcmp(action, "PLAYLEADERCARD") == 0       ? "PlayLeaderCardParameters"
           : strcmp(action, "DISCARDLEADERCARD") == 0  ? "DiscardLeaderCardParameters"
           : strcmp(action, "BUYDEVELOPMENTCARD") == 0 ? "BuyDevelopmentCardParameters"
           : strcmp(action, "USEPRODUCTION") == 0      ? "UseProductionParameters"
                                                       : NULL;
}

static const char *record_of(json_t *message, json_t *fields) {
    static const struct record_line said[] = {
        {"Pong", "pong", NULL, {{0}}},
        {"LoginMessage", "loginRequest", NULL, {{0}}},
        {"PlayerNumberReply", "numberOfPlayersSelectionReply", NULL, {{"number", "playerNum"}}},
        {"LeaderCardsReply", "leaderCardsReply", NULL, {{"leaderCards", "leaderCardsId"}}},
        {"ResourcesReply", "resourcesReply", NULL, {{"warehouse", "resources"}}},
        {"ActionReply", "actionReply", NULL, {{"action", "action"}}},
        {"RowColumnSelection",
         "rowColumnSelection",
         NULL,
         {{"index", "index"}, {"isRow", "rowOrCol"}, {"exchangeResources", "exchangeBuffResources"}}},
        {"ResourcesManageReply",
         "resourcesManageReply",
         NULL,
         {{"warehouse", "resources"}, {"discard", "discardRes"}}},
        {"EndTurn", "endTurn", NULL, {{0}}},
    };
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type != NULL && strcmp(type, "actionParameters") == 0)
        return parameters_of(message, fields);
    for (size_t i = 0; type != NULL && i < sizeof said / sizeof *said; i++)
        if (strcmp(said[i].type, type) == 0) {
            rename_fields(message, said[i].names, fields);
            return said[i].record;
        }
    return NULL;
}

bool java_lines_say(struct java_lines *lines, const json_t *message, const char *name, struct buf *out) {
    json_t *fields = json_object();
    struct java_writer w;
    const char *record = record_of((json_t *)(uintptr_t)message, fields);
    set_name(fields, message, name);
    if (record != NULL) {
        java_begin(&w, out);
        if (!lines->has_said)
            java_put_header(&w);
        lines->has_said = true;
        java_client_put(&w, record, fields);
        java_put_reset(&w);
    }
    json_decref(fields);
    return record != NULL;
}
