/* What clients of Masters of Renaissance can say: X(message, word, what it is for, its fields in the order in
 * which they are read, or where its cases are). Kinds of fields and the actions are in read.c. */
#ifndef WIRE_RENAISSANCE_MESSAGES_H
#define WIRE_RENAISSANCE_MESSAGES_H

/* clang-format off */
#define RENAISSANCE_MESSAGES(X) \
    X(PONG, "pong", "Answers a ping.") \
    X(LOGIN, "loginRequest", "Asks for a nickname; the nickname of a seat whose player is gone comes back to it.", \
      JSON_FIELDS(ANYWHERE("username", name, JSON_ASKED), ANYWHERE("seed", json_seed, 0), \
             ANYWHERE("secret", json_secret, 0), ANYWHERE("table", json_table, 0))) \
    X(NUMBER, "numberOfPlayersSelectionReply", "How many shall play.", JSON_FIELDS(ANYWHERE("number", players, JSON_ASKED))) \
    X(LEADERS, "leaderCardsReply", "The two leaders that are kept, of the four offered.", \
      JSON_FIELDS(USERNAME, FIELD("leaderCards", kept, JSON_MUST, kept))) \
    X(RESOURCES, "resourcesReply", "Where the starting resources go.", JSON_FIELDS(USERNAME, WAREHOUSE)) \
    X(ACTION, "actionReply", "Which of the possible actions comes next; ENDTURN ends the turn at once.", \
      JSON_FIELDS(ANYWHERE("action", action, JSON_ASKED))) \
    X(PARAMETERS, "actionParameters", "What the action announced by actionReply is about.", .by = "action", .cases = cases) \
    X(LINE, "rowColumnSelection", "The line of the market.", \
      JSON_FIELDS(USERNAME, FIELD("index", line, JSON_MUST, index), FIELD("isRow", row, JSON_MUST, is_row), \
             FIELD("exchangeResources", exchange, 0, exchange))) \
    X(MANAGE, "resourcesManageReply", "The whole warehouse after the market. What is not in it is discarded.", \
      JSON_FIELDS(WAREHOUSE, FIELD("discard", discard, 0, discard))) \
    X(END_TURN, "endTurn", "Ends the turn.")
/* clang-format on */

#endif
