package parlor;

import it.polimi.ingsw.controller.Actions;
import it.polimi.ingsw.model.Resource;
import it.polimi.ingsw.model.gameboard.Color;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A player of Masters of Renaissance over the object streams of the JDK. It plays badly, but uses every action, breaks a rule now
 * and then on purpose, and holds the server to what the client of the game's authors relies on (Judge).
 *
 * <p>usage: StreamPlayer PORT NICKNAME PLAYERS SEED [leave TURNS | stop MESSAGE]
 *
 * <p>leave: closes the connection when it is asked for an action the so manieth time. stop: says nothing more when such a message has
 * come, and waits for the end. What happens is told on standard output, a line each; the end is "score ...", "left" or "gone".
 */
public final class StreamPlayer {
    /** Of the cards in the order of their numbers: what they cost and what their productions take, in coins, stones, servants and shields. */
    private static final String[] COSTS = ("0002 0020 2000 0200 0111 1011 1110 1101 0003 0030 3000 0300 2002 0220 2020 0202 "
            + "0004 0040 4000 0400 0023 2030 3200 0302 0005 0050 5000 0500 3003 0033 3300 0330 "
            + "0006 0060 6000 0600 0025 2050 5200 0520 0007 0070 7000 0700 4004 0044 4400 0440").split(" ");
    private static final String[] INPUTS = ("1000 0100 0001 0010 0100 1000 0010 0001 0020 2000 0200 0002 0110 1001 0101 1010 "
            + "0100 1000 0010 0001 0011 1010 1100 0101 2000 0200 0020 0002 1000 0100 0010 0001 "
            + "2000 0200 0020 0002 1010 0101 1001 0110 0010 1000 0100 0001 0100 1000 0010 0001").split(" ");

    private final String nickname;
    private final int players;
    private final Random random;
    private final Judge judge;
    private final int leaveAt;
    private final String stopAt;
    private ObjectOutputStream out;

    private Map<Integer, List<Resource>> warehouse = new HashMap<>();
    private Map<Resource, Integer> strongbox = new EnumMap<>(Resource.class);
    private String[][] grid;
    private final List<List<String>> slots = new ArrayList<>();
    private final List<String> hand = new ArrayList<>();
    private Serializable parameters;
    private boolean hasTriedLeader;
    private boolean hasTriedWarehouse;
    private boolean hasTriedPurchase;
    private boolean isStopped;
    private int questions;

    private StreamPlayer(String nickname, int players, long seed, int leaveAt, String stopAt) {
        this.nickname = nickname;
        this.players = players;
        this.random = new Random(seed);
        this.judge = new Judge(nickname, players);
        this.leaveAt = leaveAt;
        this.stopAt = stopAt;
        for (int i = 0; i < 3; i++)
            slots.add(new ArrayList<>());
        for (Resource resource : Resource.values())
            strongbox.put(resource, 0);
        for (int depot = 0; depot < 3; depot++)
            warehouse.put(depot, new ArrayList<>());
    }

    public static void main(String[] args) throws Exception {
        boolean leaves = args.length > 5 && args[4].equals("leave");
        StreamPlayer player = new StreamPlayer(args[1], Integer.parseInt(args[2]), Long.parseLong(args[3]),
                leaves ? Integer.parseInt(args[5]) : 0, args.length > 5 && !leaves ? args[5] : "");
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(args[0]))) {
            player.play(socket);
        }
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void play(Socket socket) throws IOException, ReflectiveOperationException {
        out = new ObjectOutputStream(socket.getOutputStream());
        out.flush();
        ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
        say(Records.make("LoginMessage", "username", nickname));
        try {
            while (true) {
                Object message = in.readObject();
                if (Records.name(message).equals("Ping")) {
                    say(Records.make("Pong"));
                    continue;
                }
                judge.heard(message);
                isStopped = isStopped || Records.name(message).equals(stopAt);
                if (Records.name(message).equals(stopAt))
                    tell("stopped");
                if (!isStopped && !hear(message))
                    return;
            }
        } catch (EOFException end) {
            tell("gone");
        }
    }

    private void say(Serializable message) throws IOException, ReflectiveOperationException {
        boolean isEnd = Records.name(message).equals("ActionReply") && Records.get(message, "action") == Actions.ENDTURN;
        judge.said(message, isEnd);
        out.writeObject(message);
        out.flush();
    }

    /** False: that was all. */
    private boolean hear(Object message) throws IOException, ReflectiveOperationException {
        switch (Records.name(message)) {
            case "UsernameResponse" -> {
                if (!Records.<Boolean>get(message, "isFree")) {
                    tell("refused");
                    return false;
                }
                tell("login " + Records.get(message, "nickname"));
            }
            case "PlayerNumberRequest" -> say(Records.make("PlayerNumberReply", "playerNum", players));
            case "DevCardGrid" -> grid = Records.get(message, "devCardId");
            case "LeaderCardsRequest" -> chooseLeaders(Records.get(message, "leaderCardsId"));
            case "ResourcesRequest" -> chooseResources(Records.<Integer>get(message, "resourceNumber"));
            case "SetupGameUpdate" -> setUp(message);
            case "ReConnectionUpdate" -> comeBack(message);
            case "ActionRequest" -> {
                if (++questions == leaveAt) {
                    tell("left");
                    return false;
                }
                act(Records.get(message, "possibleActions"));
            }
            case "ActionResponse" -> say(parameters);
            case "ResourcesManageRequest" -> arrange(Records.get(message, "resources"));
            case "ErrorMessage", "Disconnection", "Reconnection", "EndGameMessage" -> tell(words(message));
            case "FinalScoreMessage" -> {
                Map<String, Integer> scores = Records.get(message, "finalScores");
                if (!(scores instanceof LinkedHashMap) || !scores.containsKey(nickname))
                    throw new IllegalStateException("scores without an order, or without oneself");
                tell("score " + Records.get(message, "lorenzoWin") + " " + scores);
                return false;
            }
            default -> layout(message);
        }
        return true;
    }

    private static String words(Object message) throws ReflectiveOperationException {
        return switch (Records.name(message)) {
            case "ErrorMessage" -> "error " + Records.get(message, "error");
            case "EndGameMessage" -> "ending";
            default -> Records.name(message) + " " + Records.get(message, "username");
        };
    }

    /** First the same leader twice, which is refused. */
    private void chooseLeaders(List<String> leaders) throws IOException, ReflectiveOperationException {
        boolean isWrong = !hasTriedLeader;
        hasTriedLeader = true;
        ArrayList<String> kept = new ArrayList<>(List.of(leaders.get(0), leaders.get(isWrong ? 0 : 3)));
        say(Records.make("LeaderCardsReply", "leaderCardsId", kept, "username", nickname));
    }

    private void chooseResources(int number) throws IOException, ReflectiveOperationException {
        Map<Integer, List<Resource>> depots = new HashMap<>();
        for (int depot = 0; depot < 3; depot++)
            depots.put(depot, new ArrayList<>());
        for (int i = 0; i < number; i++)
            depots.get(2).add(Resource.COINS);
        say(Records.make("ResourcesReply", "resources", depots, "username", nickname));
    }

    private void setUp(Object message) throws ReflectiveOperationException {
        hand.clear();
        hand.addAll(Records.<Map<String, List<String>>>get(message, "leaderCards").get(nickname));
        warehouse = Records.<Map<String, Map<Integer, List<Resource>>>>get(message, "resources").get(nickname);
        tell("set-up " + Records.get(message, "newFaithTrackPosition"));
    }

    private void comeBack(Object message) throws ReflectiveOperationException {
        hasTriedLeader = hasTriedWarehouse = hasTriedPurchase = true;
        hand.clear();
        hand.addAll(Records.<List<String>>get(message, "leaderCards"));
        warehouse = Records.<Map<String, Map<Integer, List<Resource>>>>get(message, "warehouse").get(nickname);
        strongbox = Records.<Map<String, Map<Resource, Integer>>>get(message, "strongbox").get(nickname);
        Map<Integer, List<String>> cards = Records.<Map<String, Map<Integer, List<String>>>>get(message, "devCardSlots").get(nickname);
        for (int slot = 0; slot < 3; slot++)
            slots.set(slot, new ArrayList<>(cards.get(slot)));
        tell("return " + Records.get(message, "setupDone"));
    }

    /** What somebody has done: of others only that it can be read. */
    private void layout(Object message) throws ReflectiveOperationException {
        String name = Records.name(message);
        if (name.equals("LorenzoMessage"))
            grid = Records.get(message, "newCardGrid");
        if (name.equals("BuyDevelopmentCardUpdate")) {
            Color color = Records.get(message, "color");
            grid[3 - Records.<Integer>get(message, "level")][color.ordinal()] = Records.get(message, "gridId");
        }
        if (!name.endsWith("Update") || !nickname.equals(Records.get(message, "nickname")))
            return;
        if (!name.equals("DiscardLeaderCardUpdate"))
            warehouse = Records.get(message, "warehouse");
        else
            hand.remove(Records.<String>get(message, "id"));
        if (name.equals("PlayLeaderCardUpdate"))
            hand.remove(Records.<String>get(message, "id"));
        if (name.equals("UseProductionUpdate") || name.equals("BuyDevelopmentCardUpdate"))
            strongbox = Records.get(message, "strongbox");
        if (name.equals("BuyDevelopmentCardUpdate")) {
            slots.get(Records.<Integer>get(message, "slot")).add(Records.get(message, "id"));
            tell("bought " + Records.get(message, "id"));
        }
    }

    // Turns.

    private void announce(Actions action, Serializable then) throws IOException, ReflectiveOperationException {
        parameters = then;
        say(Records.make("ActionReply", "action", action));
    }

    private void act(List<Actions> possible) throws IOException, ReflectiveOperationException {
        if (possible.contains(Actions.BUYDEVELOPMENTCARD)) {
            mainAction(possible);
            return;
        }
        if (possible.contains(Actions.DISCARDLEADERCARD) && random.nextInt(6) == 0) {
            leader();
            return;
        }
        announce(Actions.ENDTURN, Records.make("EndTurn"));
    }

    private void leader() throws IOException, ReflectiveOperationException {
        boolean isPlay = random.nextBoolean() && Integer.parseInt(hand.get(0).substring(1)) > 4;
        announce(isPlay ? Actions.PLAYLEADERCARD : Actions.DISCARDLEADERCARD,
                Records.make(isPlay ? "PlayLeaderCardParameters" : "DiscardLeaderCardParameters", "id", hand.get(0), "username", nickname));
    }

    private void mainAction(List<Actions> possible) throws IOException, ReflectiveOperationException {
        if (!hasTriedPurchase) { // what cannot be paid is refused
            hasTriedPurchase = true;
            announce(Actions.BUYDEVELOPMENTCARD, purchase(Color.BLUE, 3, 0, new int[4], new int[4]));
        } else if (possible.contains(Actions.PLAYLEADERCARD) && random.nextInt(12) == 0) {
            leader();
        } else if (!buy() && !produce()) {
            boolean isRow = random.nextBoolean();
            announce(Actions.MARKETACTION, Records.make("RowColumnSelection", "index", random.nextInt(isRow ? 3 : 4),
                    "rowOrCol", isRow, "exchangeBuffResources", new ArrayList<Resource>(), "username", nickname));
        }
    }

    private int[] stored() {
        int[] stored = new int[4];
        for (int depot = 0; depot < 3; depot++)
            for (Resource resource : warehouse.get(depot))
                stored[resource.ordinal()]++;
        return stored;
    }

    private static int number(String card) {
        return Integer.parseInt(card.substring(1)) - 1;
    }

    /** What is taken from the warehouse of what is owed, the rest from the strongbox; null: there is not as much. */
    private int[] payment(int[] owed) {
        int[] stored = stored();
        int[] paid = new int[4];
        for (Resource resource : Resource.values()) {
            int kind = resource.ordinal();
            paid[kind] = Math.min(stored[kind], owed[kind]);
            if (owed[kind] - paid[kind] > strongbox.get(resource))
                return null;
        }
        return paid;
    }

    private static int[] amounts(String digits) {
        int[] amounts = new int[4];
        for (int kind = 0; kind < 4; kind++)
            amounts[kind] = digits.charAt(kind) - '0';
        return amounts;
    }

    private static HashMap<Resource, Integer> counted(int[] amounts) {
        HashMap<Resource, Integer> counted = new HashMap<>();
        for (Resource resource : Resource.values())
            counted.put(resource, amounts[resource.ordinal()]);
        return counted;
    }

    private static int[] rest(int[] owed, int[] paid) {
        int[] rest = new int[4];
        for (int kind = 0; kind < 4; kind++)
            rest[kind] = owed[kind] - paid[kind];
        return rest;
    }

    private Serializable purchase(Color color, int level, int slot, int[] owed, int[] paid) throws ReflectiveOperationException {
        return Records.make("BuyDevelopmentCardParameters", "devCardSlot", slot, "level", level, "cardDepotRes", new HashMap<Resource, Integer>(),
                "color", color, "strongboxRes", counted(rest(owed, paid)), "username", nickname, "warehouseDepotRes", counted(paid));
    }

    private boolean buy() throws IOException, ReflectiveOperationException {
        for (Color color : Color.values())
            for (int slot = 0; slot < 3; slot++) {
                int level = slots.get(slot).size() + 1;
                String card = level > 3 ? null : grid[3 - level][color.ordinal()];
                int[] owed = card == null ? null : amounts(COSTS[number(card)]);
                int[] paid = owed == null ? null : payment(owed);
                if (paid == null)
                    continue;
                announce(Actions.BUYDEVELOPMENTCARD, purchase(color, level, slot, owed, paid));
                return true;
            }
        return false;
    }

    /** The productions of cards that can be paid, and often that of the board as well. */
    private boolean produce() throws IOException, ReflectiveOperationException {
        int[] owed = new int[4];
        ArrayList<Integer> used = new ArrayList<>();
        ArrayList<Resource> board = new ArrayList<>();
        if (random.nextInt(3) == 0)
            return false;
        for (int slot = 0; slot < 3; slot++) {
            List<String> cards = slots.get(slot);
            int[] more = cards.isEmpty() ? null : amounts(INPUTS[number(cards.get(cards.size() - 1))]);
            int[] all = more == null ? null : rest(owed, rest(new int[4], more));
            if (all == null || payment(all) == null)
                continue;
            owed = all;
            used.add(slot);
        }
        for (Resource resource : Resource.values()) {
            owed[resource.ordinal()] += 2;
            if (board.isEmpty() && payment(owed) != null)
                Collections.addAll(board, resource, resource, Resource.values()[random.nextInt(4)]);
            else
                owed[resource.ordinal()] -= 2;
        }
        if (used.isEmpty() && board.isEmpty())
            return false;
        int[] paid = payment(owed);
        announce(Actions.USEPRODUCTION, Records.make("UseProductionParameters", "boardResGain", board, "cardDepotRes", new HashMap<Resource, Integer>(),
                "indexDevSlot", used, "indexLeaderSlot", new ArrayList<Integer>(), "leaderCardGain", new ArrayList<Resource>(),
                "strongboxRes", counted(rest(owed, paid)), "username", nickname, "warehouseDepotRes", counted(paid)));
        return true;
    }

    /** The kinds of which there are most go where there is most room. The first time something is invented, which is refused. */
    private void arrange(List<Resource> taken) throws IOException, ReflectiveOperationException {
        int[] left = stored();
        for (Resource resource : taken)
            left[resource.ordinal()]++;
        Map<Integer, List<Resource>> depots = new HashMap<>(warehouse);
        for (int depot = 2; depot >= 0; depot--) {
            int most = 0;
            for (int kind = 1; kind < 4; kind++)
                if (left[kind] > left[most] && !isPlaced(depots, kind, depot) || isPlaced(depots, most, depot))
                    most = kind;
            int count = isPlaced(depots, most, depot) ? 0 : Math.min(depot + 1, left[most]);
            depots.put(depot, new ArrayList<>(Collections.nCopies(count, Resource.values()[most])));
            left[most] -= count;
        }
        if (!hasTriedWarehouse)
            depots.put(1, new ArrayList<>(List.of(Resource.COINS, Resource.STONES)));
        hasTriedWarehouse = true;
        say(Records.make("ResourcesManageReply", "discardRes", counted(left), "resources", depots));
    }

    private static boolean isPlaced(Map<Integer, List<Resource>> depots, int kind, int below) {
        for (int depot = 2; depot > below; depot--)
            if (depots.get(depot).contains(Resource.values()[kind]))
                return true;
        return false;
    }
}
