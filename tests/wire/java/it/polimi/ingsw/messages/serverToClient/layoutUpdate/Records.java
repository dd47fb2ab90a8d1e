/* What a server sends about what somebody has done: names, fields and numbers of the classes of the game's authors. Which order they have in the stream is for Java to
 * say. */
package it.polimi.ingsw.messages.serverToClient.layoutUpdate;

import it.polimi.ingsw.client.representations.MarbleColors;
import it.polimi.ingsw.model.gameboard.Color;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Map;

class BuyDevelopmentCardUpdate implements Serializable {
    private static final long serialVersionUID = 2790217738695629735L;
    int level;
    int slot;
    Color color;
    String gridId;
    String id;
    String nickname;
    Map<?, ?> strongbox;
    Map<?, ?> warehouse;
}

class DiscardLeaderCardUpdate implements Serializable {
    private static final long serialVersionUID = -1307082600681630073L;
    String id;
    String nickname;
}

class LorenzoMessage implements Serializable {
    private static final long serialVersionUID = -717781399046129366L;
    int lorenzoPosition;
    String message;
    String[][] newCardGrid;
}

class MarketActionUpdate implements Serializable {
    private static final long serialVersionUID = -6429292198155283624L;
    int pos;
    boolean rowOrCol;
    MarbleColors newFreeMarble;
    ArrayList<?> newMarbles;
    String nickname;
    Map<?, ?> warehouse;
}

class PlayLeaderCardUpdate implements Serializable {
    private static final long serialVersionUID = 5615304229032547115L;
    String id;
    String nickname;
    Map<?, ?> warehouse;
}

class ReConnectionUpdate implements Serializable {
    private static final long serialVersionUID = 3599405767496863076L;
    boolean setupDone;
    Map<?, ?> cardsInHand;
    Map<?, ?> devCardSlots;
    Map<?, ?> faithPositions;
    ArrayList<?> leaderCards;
    Map<?, ?> leaderCardsPlayed;
    Map<?, ?> playersConnected;
    Map<?, ?> strongbox;
    String username;
    Map<?, ?> vaticanReportActivated;
    Map<?, ?> warehouse;
}

class SetupGameUpdate implements Serializable {
    private static final long serialVersionUID = 5114824859327052833L;
    Map<?, ?> leaderCards;
    Map<?, ?> newFaithTrackPosition;
    Map<?, ?> resources;
}

class UseProductionUpdate implements Serializable {
    private static final long serialVersionUID = 228856137131726835L;
    String nickname;
    Map<?, ?> strongbox;
    Map<?, ?> warehouse;
}
