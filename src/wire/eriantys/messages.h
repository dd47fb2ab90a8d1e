/* What clients of Eriantys can say: X(request, word, what it is for or NULL for what is only borne with,
 * fields in the order in which they are read, or where its cases are). Kinds of fields and commands are in
 * messages.c. */
#ifndef WIRE_ERIANTYS_MESSAGES_H
#define WIRE_ERIANTYS_MESSAGES_H

/* clang-format off */
#define ERIANTYS_MESSAGES(X) \
    X(CREATE, "gameCreation", "Opens a game; the answer has its code.", \
      JSON_FIELDS(FIELD("playersNumber", seats, JSON_MUST, seat_count), FIELD("expert", flag, JSON_MUST, is_expert))) \
    X(ENTER, "enterGame", "Looks for a game and chooses it for the login.", JSON_FIELDS(FIELD("code", code, JSON_MUST, code))) \
    X(LOGIN, "login", "Takes a seat, or comes back to it.", \
      JSON_FIELDS(FIELD("name", own_name, JSON_MUST, name), FIELD("seed", json_seed, 0, seed), \
             FIELD("secret", json_secret, 0, secret))) \
    X(LOGOUT, "logout", "Leaves the seat; the connection stays.", JSON_FIELDS(FIELD("name", name, JSON_UNREAD, name))) \
    X(COMMAND, "command", "What a player does in its turn.", .by = "subtype", .cases = commands) \
    X(PING, "ping", NULL) \
    X(PONG, "pong", "The answer to a ping; welcome at any time.") \
    X(ERROR, "error", "Ignored.", JSON_FIELDS(FIELD("message", text, JSON_UNREAD, name)))
/* clang-format on */

#endif
