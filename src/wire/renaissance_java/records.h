/* The messages of the clients and servers of the authors of Masters of Renaissance, as Java writes them:
 * X(record, class, serialVersionUID, fields in the order of the stream). Names, numbers and order are theirs;
 * a client ends when one of them is wrong. The kinds of fields are in classes.c. */
#ifndef WIRE_RENAISSANCE_JAVA_RECORDS_H
#define WIRE_RENAISSANCE_JAVA_RECORDS_H

#include "wire/java/stream.h"

/* clang-format off */
#define CLIENT "it.polimi.ingsw.messages.clientToServer."
#define SERVER "it.polimi.ingsw.messages.serverToClient."
#define LAYOUT "it.polimi.ingsw.messages.serverToClient.layoutUpdate."

#define RENAISSANCE_JAVA_CLIENT_RECORDS(X) \
    X(ACTION_REPLY, CLIENT "ActionReply", 0xd9645e6146654f75, ACTION("action")) \
    X(BUY_DEVELOPMENT_CARD_PARAMETERS, CLIENT "BuyDevelopmentCardParameters", 0x8762792822fa9152, \
      INT("devCardSlot"), INT("level"), HASH_MAP("cardDepotRes"), COLOR("color"), HASH_MAP("strongboxRes"), \
      TEXT("username"), HASH_MAP("warehouseDepotRes")) \
    X(DISCARD_LEADER_CARD_PARAMETERS, CLIENT "DiscardLeaderCardParameters", 0xa360461f71251199, TEXT("id"), \
      TEXT("username")) \
    X(END_TURN, CLIENT "EndTurn", 0x6ef17441cb325619) \
    X(LEADER_CARDS_REPLY, CLIENT "LeaderCardsReply", 0xcf8cf57580da5fb7, LIST("leaderCardsId"), \
      TEXT("username")) \
    X(LOGIN_MESSAGE, CLIENT "LoginMessage", 0x5c5e58134d8cef37, TEXT("username")) \
    X(PLAY_LEADER_CARD_PARAMETERS, CLIENT "PlayLeaderCardParameters", 0xdf5b39f411fffa10, TEXT("id"), \
      TEXT("username")) \
    X(PLAYER_NUMBER_REPLY, CLIENT "PlayerNumberReply", 0x66336c4db921c778, INT("playerNum")) \
    X(PONG, CLIENT "Pong", 0x78fcbdced314c7c8) \
    X(RESOURCES_MANAGE_REPLY, CLIENT "ResourcesManageReply", 0xb508f77ba426b25e, MAP("discardRes"), \
      MAP("resources")) \
    X(RESOURCES_REPLY, CLIENT "ResourcesReply", 0x2aa45b7b8eb93f0d, MAP("resources"), TEXT("username")) \
    X(ROW_COLUMN_SELECTION, CLIENT "RowColumnSelection", 0x35d3e957218827fc, INT("index"), FLAG("rowOrCol"), \
      LIST("exchangeBuffResources"), TEXT("username")) \
    X(USE_PRODUCTION_PARAMETERS, CLIENT "UseProductionParameters", 0x1f0ee3d3958ddcec, LIST("boardResGain"), \
      HASH_MAP("cardDepotRes"), LIST("indexDevSlot"), LIST("indexLeaderSlot"), LIST("leaderCardGain"), \
      HASH_MAP("strongboxRes"), TEXT("username"), HASH_MAP("warehouseDepotRes"))

#define RENAISSANCE_JAVA_SERVER_RECORDS(X) \
    X(ACTION_REQUEST, SERVER "ActionRequest", 0x7314d6a93d661a08, LIST("possibleActions")) \
    X(ACTION_RESPONSE, SERVER "ActionResponse", 0x6be87977776e5b92, ACTION("action")) \
    X(DEV_CARD_GRID, SERVER "DevCardGrid", 0xcc77612341649db5, ROWS("devCardId")) \
    X(DISCONNECTION, SERVER "Disconnection", 0x941ea7965273bfe0, TEXT("username")) \
    X(END_GAME_MESSAGE, SERVER "EndGameMessage", 0xfc558a4a3e8e9e98) \
    X(ERROR_MESSAGE, SERVER "ErrorMessage", 0x6f6f626977567180, ERROR("error")) \
    X(FAITH_TRACK_MESSAGE, SERVER "FaithTrackMessage", 0xc8a4b2e6c47a85b9, FLAG("report"), \
      INT("vaticanReportPos"), LIST("activatedVatican"), MAP("position")) \
    X(FINAL_SCORE_MESSAGE, SERVER "FinalScoreMessage", 0x7d413a38d677b506, FLAG("lorenzoWin"), \
      MAP("finalScores")) \
    X(LEADER_CARD_SETUP_DONE, SERVER "LeaderCardSetupDone", 0xa6c55792d8ad802e) \
    X(LEADER_CARDS_REQUEST, SERVER "LeaderCardsRequest", 0x70e48d5df82fdae0, LIST("leaderCardsId")) \
    X(MARKET_MARBLES, SERVER "MarketMarbles", 0xdf82b7abbf419608, MARBLE("freeMarble"), MARBLES("marbles")) \
    X(PING, SERVER "Ping", 0x55dced3c63ec836d) \
    X(PLAYER_NUMBER_REQUEST, SERVER "PlayerNumberRequest", 0xd6baf23e32f9d098, INT("max")) \
    X(PLAYERS, SERVER "Players", 0x0da6d82a0b7f60e2, LIST("players")) \
    X(RECONNECTION, SERVER "Reconnection", 0x1bd4c2aa6597ea29, TEXT("username")) \
    X(RESOURCES_MANAGE_REQUEST, SERVER "ResourcesManageRequest", 0x4cd918fca9426adc, LIST("resources")) \
    X(RESOURCES_REQUEST, SERVER "ResourcesRequest", 0xc806669fec400799, INT("resourceNumber")) \
    X(START_TURN, SERVER "StartTurn", 0x6e99518f3dc702f1, TEXT("name")) \
    X(STARTING_RESOURCE_DONE, SERVER "StartingResourceDone", 0x6e1307079b035afc) \
    X(USERNAME_RESPONSE, SERVER "UsernameResponse", 0x488e5663efead247, FLAG("isFree"), TEXT("nickname")) \
    X(BUY_DEVELOPMENT_CARD_UPDATE, LAYOUT "BuyDevelopmentCardUpdate", 0x26b8d84008f25ba7, INT("level"), \
      INT("slot"), COLOR("color"), TEXT("gridId"), TEXT("id"), TEXT("nickname"), MAP("strongbox"), \
      MAP("warehouse")) \
    X(DISCARD_LEADER_CARD_UPDATE, LAYOUT "DiscardLeaderCardUpdate", 0xeddc4f4cc6471687, TEXT("id"), \
      TEXT("nickname")) \
    X(LORENZO_MESSAGE, LAYOUT "LorenzoMessage", 0xf609ed9edb78f92a, INT("lorenzoPosition"), TEXT("message"), \
      ROWS("newCardGrid")) \
    X(MARKET_ACTION_UPDATE, LAYOUT "MarketActionUpdate", 0xa6c690cf43c39358, INT("pos"), FLAG("rowOrCol"), \
      MARBLE("newFreeMarble"), LIST("newMarbles"), TEXT("nickname"), MAP("warehouse")) \
    X(PLAY_LEADER_CARD_UPDATE, LAYOUT "PlayLeaderCardUpdate", 0x4ded9171f53bd32b, TEXT("id"), TEXT("nickname"), \
      MAP("warehouse")) \
    X(RE_CONNECTION_UPDATE, LAYOUT "ReConnectionUpdate", 0x31f3a8799e248d64, FLAG("setupDone"), \
      MAP("cardsInHand"), MAP("devCardSlots"), MAP("faithPositions"), LIST("leaderCards"), \
      MAP("leaderCardsPlayed"), MAP("playersConnected"), MAP("strongbox"), TEXT("username"), \
      MAP("vaticanReportActivated"), MAP("warehouse")) \
    X(SETUP_GAME_UPDATE, LAYOUT "SetupGameUpdate", 0x46fb821c2c86bc21, MAP("leaderCards"), \
      MAP("newFaithTrackPosition"), MAP("resources")) \
    X(USE_PRODUCTION_UPDATE, LAYOUT "UseProductionUpdate", 0x032d0f71b66797f3, TEXT("nickname"), \
      MAP("strongbox"), MAP("warehouse"))

#define RENAISSANCE_JAVA_RECORD(RECORD, ...) RENAISSANCE_JAVA_##RECORD,
enum renaissance_java_record {
    RENAISSANCE_JAVA_CLIENT_RECORDS(RENAISSANCE_JAVA_RECORD)
    RENAISSANCE_JAVA_SERVER_RECORDS(RENAISSANCE_JAVA_RECORD)
    RENAISSANCE_JAVA_RECORDS,
    RENAISSANCE_JAVA_FROM_CLIENTS = RENAISSANCE_JAVA_ACTION_REQUEST, /* so many come first */
};
/* clang-format on */

extern const struct java_class renaissance_java_records[RENAISSANCE_JAVA_RECORDS];

/* What a client may send, and everything there is; ended by NULL. */
extern const struct java_class *const renaissance_java_heard[], *const renaissance_java_all[];

/* Constants have the numbers of the game's own lists; choice i is the bit 1 << i of RENAISSANCE_MAY_*. */
extern const struct java_class renaissance_java_resource, renaissance_java_color, renaissance_java_marble,
    renaissance_java_action, renaissance_java_error;
extern const struct java_class renaissance_java_marbles, renaissance_java_marble_rows; /* arrays */

#endif
