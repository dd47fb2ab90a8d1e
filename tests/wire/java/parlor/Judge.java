package parlor;

import it.polimi.ingsw.client.representations.MarbleColors;
import it.polimi.ingsw.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds a server to what the client of the game's authors relies on: whatever would leave that client waiting, make it
 * draw nothing or throw is an error here. Numbers are those of "Order and pace" in docs/protocols/renaissance-java.md.
 */
final class Judge {
    private final String nickname;
    private final int seats;
    private boolean hasFaith;
    private boolean hasBoard;
    private boolean isSetUp;
    private boolean hasMarket;
    private boolean hasGrid;
    private boolean hasPlayers;
    private boolean takesQuestion;
    private boolean isNumberOpen;
    private final Set<String> away = new HashSet<>();

    Judge(String nickname, int seats) {
        this.nickname = nickname;
        this.seats = seats;
    }

    private static void check(boolean isRight, String rule) {
        if (!isRight)
            throw new IllegalStateException(rule);
    }

    /** The client says this. */
    void said(Object message, boolean isEndOfTurn) {
        if (Records.name(message).equals("ActionReply") && !isEndOfTurn)
            takesQuestion = false;
        if (Records.name(message).equals("PlayerNumberReply"))
            isNumberOpen = false;
    }

    private void update(boolean needsFaith) {
        check(hasBoard, "8: an update before there is a board");
        check(hasFaith || !needsFaith, "1: an update without the faith track before it");
        if (needsFaith)
            hasFaith = false;
        takesQuestion = true;
    }

    private static void checkStrongbox(Map<Resource, Integer> strongbox) {
        for (Resource resource : Resource.values())
            check(strongbox.get(resource) != null, "8: no " + resource + " in a strongbox");
    }

    private static void checkWarehouse(Map<Integer, List<Resource>> warehouse) {
        for (int depot = 0; depot < 3; depot++)
            check(warehouse.get(depot) != null, "8: no depot " + depot);
    }

    private void checkLayout(Object message, boolean hasWarehouse, boolean hasStrongbox) throws ReflectiveOperationException {
        if (hasWarehouse)
            checkWarehouse(Records.get(message, "warehouse"));
        if (hasStrongbox)
            checkStrongbox(Records.get(message, "strongbox"));
        check(Records.<String>get(message, "nickname") != null, "an update of nobody");
    }

    private void error(Object message) throws ReflectiveOperationException {
        String error = Records.get(message, "error").toString();
        check(isSetUp || error.startsWith("STARTING"), "9: " + error + " before the set-up is done");
        takesQuestion = true;
    }

    private void presence(Object message, boolean isBack) throws ReflectiveOperationException {
        String name = Records.get(message, "username");
        check(!name.equals(nickname), "11: about oneself");
        check(isBack ? away.remove(name) : away.add(name), "11: twice in a row: " + name);
        takesQuestion = takesQuestion || !isBack;
    }

    private void board(Object message) throws ReflectiveOperationException {
        check(hasMarket && hasGrid && hasPlayers, "4: a board before market, grid and players");
        boolean isReturn = Records.name(message).equals("ReConnectionUpdate");
        hasBoard = true; // also of who comes back before it has chosen, while others play
        isSetUp = !isReturn || Records.<Boolean>get(message, "setupDone");
        takesQuestion = takesQuestion || !isReturn;
        for (Map<Integer, List<Resource>> warehouse
                : Records.<Map<String, Map<Integer, List<Resource>>>>get(message, isReturn ? "warehouse" : "resources").values())
            checkWarehouse(warehouse);
        if (!isReturn)
            return;
        for (Map<Resource, Integer> strongbox : Records.<Map<String, Map<Resource, Integer>>>get(message, "strongbox").values())
            checkStrongbox(strongbox);
        away.clear();
        Records.<Map<String, Boolean>>get(message, "playersConnected").forEach((name, isThere) -> {
            if (!isThere)
                away.add(name);
        });
        check(!away.contains(nickname), "who returns is there");
    }

    private void market(Object message) throws ReflectiveOperationException {
        MarbleColors[][] marbles = Records.get(message, "marbles");
        check(marbles.length == 3 && marbles[2].length == 4, "a market of 3 times 4");
        hasMarket = true;
    }

    private void lorenzo(Object message) throws ReflectiveOperationException {
        check(seats == 1, "Lorenzo, and others");
        check(!Records.<String>get(message, "message").isEmpty(), "Lorenzo says nothing");
        update(true);
    }

    /** The server says this. */
    void heard(Object message) throws ReflectiveOperationException {
        switch (Records.name(message)) {
            case "Players" -> hasPlayers = true;
            case "MarketMarbles" -> market(message);
            case "DevCardGrid" -> hasGrid = true;
            case "FaithTrackMessage" -> hasFaith = true;
            case "SetupGameUpdate", "ReConnectionUpdate" -> board(message);
            case "StartTurn" -> takesQuestion = false;
            case "ActionRequest" -> check(takesQuestion, "7: a question that the client does not take yet");
            case "PlayerNumberRequest" -> {
                check(!isNumberOpen, "10: the same question twice");
                isNumberOpen = true;
            }
            case "ErrorMessage" -> error(message);
            case "Disconnection" -> presence(message, false);
            case "Reconnection" -> presence(message, true);
            case "LeaderCardSetupDone", "StartingResourceDone" -> check(seats > 1, "12: alone");
            case "PlayLeaderCardUpdate" -> {
                checkLayout(message, true, false);
                update(false);
            }
            case "BuyDevelopmentCardUpdate" -> {
                checkLayout(message, true, true);
                update(false);
            }
            case "DiscardLeaderCardUpdate" -> {
                checkLayout(message, false, false);
                update(true);
            }
            case "UseProductionUpdate" -> {
                checkLayout(message, true, true);
                update(true);
            }
            case "MarketActionUpdate" -> {
                checkLayout(message, true, false);
                update(true);
            }
            case "LorenzoMessage" -> lorenzo(message);
            default -> {
            }
        }
    }
}
