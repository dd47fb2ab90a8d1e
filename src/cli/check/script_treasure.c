/* Treasure Hunt over HTTP and XML: docs/protocols/treasure.md has the sections. */
#include "cli/check/check.h"

#include <stddef.h>

static const struct check_step steps[] = {
    {CHECK_OPEN, "A", NULL, "", ""},
    {CHECK_SAY, "A", "GET /games", "treasure 3", "a game is created"},
    {CHECK_HEAR, "A", "200 <uniqueGameIdentifier><uniqueGameID>{game}</uniqueGameID></uniqueGameIdentifier>",
     "treasure 3", "the answer is the id of a new game"},
    {CHECK_SAY, "A",
     "POST /games/{game}/players "
     "<playerRegistration><playerUsername>{ann}</playerUsername></playerRegistration>",
     "treasure 4", "a player registers"},
    {CHECK_HEAR, "A",
     "200 "
     "<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</"
     "state><data{...}><uniquePlayerID>{annid}</uniquePlayerID></data></responseEnvelope>",
     "treasure 4", "a registration is answered with the secret id of the player"},
    {CHECK_SAY, "A", "GET /games/{game}/states/{annid}", "treasure 5",
     "the player asks for the state before the other is there"},
    {CHECK_HEAR, "A",
     "200 "
     "<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</"
     "state><data{...}><players><player><uniquePlayerID>{annid}</uniquePlayerID>{...}<state>MustWait</"
     "state>{...}</player></players>{...}<gameStateId>{...}</gameStateId></data></responseEnvelope>",
     "treasure 5", "whoever is alone waits: its state is MustWait"},
    {CHECK_OPEN, "B", NULL, "", ""},
    {CHECK_SAY, "B",
     "POST /games/{game}/players "
     "<playerRegistration><playerUsername>{bob}</playerUsername></playerRegistration>",
     "treasure 4", "the other registers"},
    {CHECK_HEAR, "B",
     "200 "
     "<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</"
     "state><data{...}><uniquePlayerID>{bobid}</uniquePlayerID></data></responseEnvelope>",
     "treasure 4", "a registration is answered with the secret id of the player"},
    {CHECK_SAY, "B",
     "POST /games/{game}/players "
     "<playerRegistration><playerUsername>third</playerUsername></playerRegistration>",
     "treasure 4", "a third registers"},
    {CHECK_HEAR, "B",
     "200 "
     "<responseEnvelope><exceptionName>{...}</exceptionName><exceptionMessage>{...}</"
     "exceptionMessage><state>Error</state></responseEnvelope>",
     "treasure 8", "a game with two players is full: the envelope says Error with a name and a sentence"},
    {CHECK_SAY, "A", "GET /games/{game}/states/{annid}", "treasure 5", "the player asks for the state"},
    {CHECK_HEAR, "A",
     "200 "
     "<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</"
     "state><data{...}><players>{...}<playerUsername>{ann}</playerUsername>{...}</"
     "players><map>{...}<playerPositionState>MyPlayerPosition</playerPositionState>{...}</"
     "map><gameStateId>{...}</gameStateId></data></responseEnvelope>",
     "treasure 5", "with two players there is a map, and the player sees where it stands"},
    {CHECK_SAY, "A",
     "POST /games/{game}/moves "
     "<playerMove><uniquePlayerID>00000000-0000-4000-8000-000000000000</uniquePlayerID><move>Up</move></"
     "playerMove>",
     "treasure 6", "somebody moves whom the game does not know"},
    {CHECK_HEAR, "A",
     "200 "
     "<responseEnvelope><exceptionName>{...}</exceptionName><exceptionMessage>{...}</"
     "exceptionMessage><state>Error</state></responseEnvelope>",
     "treasure 8", "an id that is not that of a player is refused, never with data"},
    {CHECK_SAY, "A", "GET /games/ZZZZZ/states/{annid}", "treasure 5",
     "somebody asks for a game that there is not"},
    {CHECK_HEAR, "A",
     "200 "
     "<responseEnvelope><exceptionName>{...}</exceptionName><exceptionMessage>{...}</"
     "exceptionMessage><state>Error</state></responseEnvelope>",
     "treasure 8", "a game that there is not is refused in the same envelope"},
    {CHECK_SAY, "A", "GET /games", "treasure 3", "a game is created for two players that play it to the end"},
    {CHECK_HEAR, "A", "200 <uniqueGameIdentifier><uniqueGameID>{play}</uniqueGameID></uniqueGameIdentifier>",
     "treasure 3", "the answer is the id of a new game, another one than before"},
    {CHECK_END, NULL, NULL, NULL, NULL},
};

static const char *const bot[] = {"treasure-hunt", "--connect", "http://{server}", "--game",
                                  "{play}",        "--name",    "{name}",          NULL};

const struct check_script check_treasure = {"treasure", &check_http_form, steps, bot};
