/* The Universal Game System with its game of Paper Soccer: docs/protocols/ugs.md has the sections. */
#include "cli/check/check.h"

#include <stddef.h>

static const struct check_step steps[] = {
    {CHECK_OPEN, "A", NULL, "", ""},
    {CHECK_SAY, "A",
     "<message type=\"playerLogin\"><playerLogin nick=\"{ann}\" gameType=\"paper-soccer\"/></message>",
     "ugs 3.1", "a player logs in with a nick and a game type"},
    {CHECK_HEAR, "A", "<message type=\"loginResponse\"><response accept=\"yes\"/></message>", "ugs 3.3",
     "a login that is right is accepted: loginResponse with accept=\"yes\""},
    {CHECK_OPEN, "C", NULL, "", ""},
    {CHECK_SAY, "C",
     "<message type=\"playerLogin\"><playerLogin nick=\"{ann}\" gameType=\"paper-soccer\"/></message>",
     "ugs 3.1", "a second player says the same nick"},
    {CHECK_HEAR, "C",
     "<message type=\"loginResponse\"><response accept=\"no\"/><error id=\"{...}\"/></message>", "ugs 3.3",
     "a nick that is in use is refused: accept=\"no\", and an error with its number beside the response"},
    {CHECK_CLOSE, "C", NULL, "", ""},
    {CHECK_OPEN, "B", NULL, "", ""},
    {CHECK_SAY, "B",
     "<message type=\"playerLogin\"><playerLogin nick=\"{bob}\" gameType=\"paper-soccer\"/></message>",
     "ugs 3.1", "the opponent logs in"},
    {CHECK_HEAR, "B", "<message type=\"loginResponse\"><response accept=\"yes\"/></message>", "ugs 3.3",
     "a login that is right is accepted: loginResponse with accept=\"yes\""},
    {CHECK_HEAR, "AB",
     "<message type=\"gameState\"><gameId id=\"{game}\"/><nextPlayer nick=\"{first}\"/>{...}</message>",
     "ugs 3.5",
     "when two players wait a game begins: both get a gameState with its gameId and the nextPlayer"},
    {CHECK_SAY, "{first}",
     "<message type=\"move\"><gameId id=\"{game}\"/><move><point x=\"0\" y=\"1\"/></move></message>",
     "ugs 3.6", "the next player moves"},
    {CHECK_HEAR, "AB",
     "<message type=\"gameState\"><gameId id=\"{game}\"/><nextPlayer nick=\"{second}\"/><gameState><point "
     "x=\"0\" y=\"1\"/></gameState></message>",
     "ugs 3.5", "a move is told to both, the mover too: the points of that move, and who is next"},
    {CHECK_SAY, "!{first}",
     "<message type=\"move\"><gameId id=\"{game}\"/><move><point x=\"3\" y=\"3\"/></move></message>", "ugs 4",
     "the other moves too far"},
    {CHECK_HEAR, "AB",
     "<message type=\"gameState\"><gameId id=\"{game}\"/><gameOver>{...}<player nick=\"{second}\" "
     "result=\"loser\"/>{...}</gameOver>{...}</message>",
     "ugs 3.5", "an illegal move ends the game: gameOver names its player as loser"},
    {CHECK_SAY, "A", "<message type=\"thank you\"><gameId id=\"{game}\"/></message>", "ugs 3.7",
     "both thank for the game"},
    {CHECK_SAY, "B", "<message type=\"thank you\"><gameId id=\"{game}\"/></message>", "ugs 3.7",
     "both thank for the game"},
    {CHECK_HEAR, "AB",
     "<message type=\"gameState\"><gameId id=\"{again}\"/><nextPlayer nick=\"{begins}\"/>{...}</message>",
     "ugs 3.7", "whoever has thanked waits again: with two who wait the next game begins"},
    {CHECK_CLOSE, "B", NULL, "", ""},
    {CHECK_HEAR, "A",
     "<message type=\"gameState\"><gameId id=\"{again}\"/><gameOver>{...}<player nick=\"{ann}\" "
     "result=\"winner\"/>{...}</gameOver>{...}</message>",
     "ugs 8", "whoever loses contact loses the game: the other is told that it has won"},
    {CHECK_CLOSE, "A", NULL, "", ""},
    {CHECK_END, NULL, NULL, NULL, NULL},
};

static const char *const bot[] = {"paper-soccer", "--connect_to", "{server}", "--nick",
                                  "{name}",       "--games",      "1",        NULL};

const struct check_script check_ugs = {"ugs", &check_xml_form, steps, bot};
