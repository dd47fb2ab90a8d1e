/* What clients of Santorini can say: X(request, word, word of the answer, phase in which it is awaited or
 * OVER, what it is for, fields in the order in which they are read). Kinds of fields are in messages.c;
 * SPEAKER is the name of whoever says it, which the connection decides. */
#ifndef WIRE_SANTORINI_MESSAGES_H
#define WIRE_SANTORINI_MESSAGES_H

/* clang-format off */
#define SANTORINI_MESSAGES(X) \
    X(SET_NUMBER, "setNumberOfPlayers", "errorNumber", OVER, "The answer to askNumberOfPlayers.", \
      SPEAKER, FIELD("numberOfPlayers", number, JSON_MUST, number)) \
    X(ADD_PLAYER, "addPlayer", "playerAdded", BORN, "Name and date of birth; or the name alone of a player who comes back.", \
      FIELD("name", name, JSON_MUST, name), FIELD("secret", json_secret, 0, secret), \
      FIELD("table", json_table, 0, table), FIELD("steps", steps, JSON_NEEDED, words), \
      FIELD("date", date, JSON_NEEDED, birth), FIELD("seed", json_seed, 0, seed)) \
    X(SET_GODS, "setMatchGodCards", "setMatchGodCards", OFFER, "The challenger names as many gods as there are players.", \
      SPEAKER, FIELD("godCardNames", gods, JSON_NEEDED, gods, .alias = "godDescriptions")) \
    X(SET_GOD, "setGodCard", "godCardAssigned", TAKE, "One of the gods that were named.", \
      SPEAKER, FIELD("godCard", god, JSON_MUST, gods)) \
    X(SET_START, "setStartPlayer", "setStartPlayer", START, "The challenger says who begins; name is that player.", \
      FIELD("name", name, JSON_MUST, name)) \
    X(SET_COLOR, "colorUpdate", "colorUpdate", COLOR, "A colour that nobody has.", \
      SPEAKER, FIELD("color", color, JSON_MUST, color)) \
    X(SET_BUILDERS, "buildersPlacement", "buildersPlacement", PLACE, "Where the two builders start.", \
      SPEAKER, FIELD("positions", positions, JSON_MUST, positions)) \
    X(SET_STEP, "setStepChoice", "setStepChoice", TURN, "The answer to askStep.", \
      SPEAKER, FIELD("stepChoice", step, JSON_MUST, step)) \
    X(MOVE, "move", "move", TURN, "A builder moves.", SPEAKER, SRC, DST) \
    X(BUILD, "build", "build", TURN, "A builder builds a block or a dome.", \
      SPEAKER, FIELD("buildDome", dome, 0, is_dome), SRC, DST) \
    X(FORCE, "force", "force", TURN, "A builder brings the opponent on dst to its other side (Charon).", SPEAKER, SRC, DST) \
    X(REMOVE, "remove", "remove", TURN, "Takes a block off a cell (Ares).", SPEAKER, DST) \
    X(BORROW, "borrow", "borrow", TURN, "Leads the opponent's builder on dst for an extra turn (Dionysus).", SPEAKER, DST) \
    X(DISCONNECT, "disconnect", "disconnect", OVER, "Gives up the seat and leaves.", SPEAKER) \
    X(PONG, "pong", "ping", OVER, "The answer to ping.", SPEAKER)
/* clang-format on */

#endif
