/* What a client sends: names, fields and numbers of the classes of the game's authors. Which order they have in the stream is for Java to
 * say. */
package it.polimi.ingsw.messages.clientToServer;

import it.polimi.ingsw.controller.Actions;
import it.polimi.ingsw.model.gameboard.Color;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

class ActionReply implements Serializable {
    private static final long serialVersionUID = -2781994897922240651L;
    Actions action;
}

class BuyDevelopmentCardParameters implements Serializable {
    private static final long serialVersionUID = -8691251117579136686L;
    int devCardSlot;
    int level;
    HashMap<?, ?> cardDepotRes;
    Color color;
    HashMap<?, ?> strongboxRes;
    String username;
    HashMap<?, ?> warehouseDepotRes;
}

class DiscardLeaderCardParameters implements Serializable {
    private static final long serialVersionUID = -6674257546906889831L;
    String id;
    String username;
}

class EndTurn implements Serializable {
    private static final long serialVersionUID = 7994298639490111001L;
}

class LeaderCardsReply implements Serializable {
    private static final long serialVersionUID = -3491145726097203273L;
    ArrayList<?> leaderCardsId;
    String username;
}

class LoginMessage implements Serializable {
    private static final long serialVersionUID = 6655854139228876599L;
    String username;
}

class PlayLeaderCardParameters implements Serializable {
    private static final long serialVersionUID = -2352222659934160368L;
    String id;
    String username;
}

class PlayerNumberReply implements Serializable {
    private static final long serialVersionUID = 7364348896755173240L;
    int playerNum;
}

class Pong implements Serializable {
    private static final long serialVersionUID = 8718051674684704712L;
}

class ResourcesManageReply implements Serializable {
    private static final long serialVersionUID = -5401795642623872418L;
    Map<?, ?> discardRes;
    Map<?, ?> resources;
}

class ResourcesReply implements Serializable {
    private static final long serialVersionUID = 3072681432007130893L;
    Map<?, ?> resources;
    String username;
}

class RowColumnSelection implements Serializable {
    private static final long serialVersionUID = 3878700264530126844L;
    int index;
    boolean rowOrCol;
    ArrayList<?> exchangeBuffResources;
    String username;
}

class UseProductionParameters implements Serializable {
    private static final long serialVersionUID = 2237976562736422124L;
    ArrayList<?> boardResGain;
    HashMap<?, ?> cardDepotRes;
    ArrayList<?> indexDevSlot;
    ArrayList<?> indexLeaderSlot;
    ArrayList<?> leaderCardGain;
    HashMap<?, ?> strongboxRes;
    String username;
    HashMap<?, ?> warehouseDepotRes;
}
