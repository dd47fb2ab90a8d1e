/* What a server sends: names, fields and numbers of the classes of the game's authors. Which order they have in the stream is for Java to
 * say. */
package it.polimi.ingsw.messages.serverToClient;

import it.polimi.ingsw.client.representations.MarbleColors;
import it.polimi.ingsw.controller.Actions;
import it.polimi.ingsw.controller.Error;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Map;

class ActionRequest implements Serializable {
    private static final long serialVersionUID = 8292488836263844360L;
    ArrayList<?> possibleActions;
}

class ActionResponse implements Serializable {
    private static final long serialVersionUID = 7775598310666951570L;
    Actions action;
}

class DevCardGrid implements Serializable {
    private static final long serialVersionUID = -3713392563694821963L;
    String[][] devCardId;
}

class Disconnection implements Serializable {
    private static final long serialVersionUID = -7773591642724646944L;
    String username;
}

class EndGameMessage implements Serializable {
    private static final long serialVersionUID = -264152951649558888L;
}

class ErrorMessage implements Serializable {
    private static final long serialVersionUID = 8029744865738125696L;
    Error error;
}

class FaithTrackMessage implements Serializable {
    private static final long serialVersionUID = -3988866665734830663L;
    boolean report;
    int vaticanReportPos;
    ArrayList<?> activatedVatican;
    Map<?, ?> position;
}

class FinalScoreMessage implements Serializable {
    private static final long serialVersionUID = 9025559144017933574L;
    boolean lorenzoWin;
    Map<?, ?> finalScores;
}

class LeaderCardSetupDone implements Serializable {
    private static final long serialVersionUID = -6429636604789424082L;
}

class LeaderCardsRequest implements Serializable {
    private static final long serialVersionUID = 8134782261673319136L;
    ArrayList<?> leaderCardsId;
}

class MarketMarbles implements Serializable {
    private static final long serialVersionUID = -2341106908003199480L;
    MarbleColors freeMarble;
    MarbleColors[][] marbles;
}

class Ping implements Serializable {
    private static final long serialVersionUID = 6187080831730484077L;
}

class PlayerNumberRequest implements Serializable {
    private static final long serialVersionUID = -2973798254967664488L;
    int max;
}

class Players implements Serializable {
    private static final long serialVersionUID = 983711243720155362L;
    ArrayList<?> players;
}

class Reconnection implements Serializable {
    private static final long serialVersionUID = 2005441771191396905L;
    String username;
}

class ResourcesManageRequest implements Serializable {
    private static final long serialVersionUID = 5537484690279262940L;
    ArrayList<?> resources;
}

class ResourcesRequest implements Serializable {
    private static final long serialVersionUID = -4033423579214248039L;
    int resourceNumber;
}

class StartTurn implements Serializable {
    private static final long serialVersionUID = 7969490691267429105L;
    String name;
}

class StartingResourceDone implements Serializable {
    private static final long serialVersionUID = 7931691097976429308L;
}

class UsernameResponse implements Serializable {
    private static final long serialVersionUID = 5228211204650619463L;
    boolean isFree;
    String nickname;
}
