"""What the tests of Masters of Renaissance over JSON share: a server, clients that hold every line against the schemas,
a ledger that follows a table from what is told to everybody and checks that nothing is lost and nothing is made, and a
mind that plays at random what the rules allow.

Written from the protocol page and the rules alone, without a line of the server's own code.
"""
import collections
import json
import os
import re
import socket
import sys
import time

import schema
import wire

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, '..', '..', 'clients', 'python', 'examples', 'renaissance_client.py')
sys.path.insert(0, os.path.dirname(EXAMPLE))
from renaissance_client import CARDS, COLORS, KINDS, card  # noqa: E402  the printed cards

SCHEMAS = schema.load(os.path.join(HERE, '..', '..', 'docs', 'protocols', 'renaissance'))
MARBLES = {'YELLOW': 'COINS', 'GREY': 'STONES', 'PURPLE': 'SERVANTS', 'BLUE': 'SHIELDS'}
MAIN = ['BUYDEVELOPMENTCARD', 'USEPRODUCTION', 'MARKETACTION']
LEADER = ['PLAYLEADERCARD', 'DISCARDLEADERCARD']
# Leaders by their numbers: what they can do, with which resource, and what they ask for: cards of colors, or five of a kind.
ABILITIES = ['discount', 'store', 'exchange', 'production']
LEADER_KINDS = ['SERVANTS SHIELDS STONES COINS', 'STONES SERVANTS SHIELDS COINS', 'SERVANTS SHIELDS STONES COINS',
                'SHIELDS SERVANTS STONES COINS']
REQUIREMENTS = ['GREEN YELLOW', 'BLUE PURPLE', 'BLUE GREEN', 'PURPLE YELLOW', 'COINS', 'STONES', 'SERVANTS', 'SHIELDS',
                'YELLOW YELLOW BLUE', 'GREEN GREEN PURPLE', 'BLUE BLUE YELLOW', 'PURPLE PURPLE GREEN',
                'YELLOW2', 'BLUE2', 'PURPLE2', 'GREEN2']
LEADER_POINTS = [2, 3, 5, 4]
TRACK_POINTS = [0, 1, 2, 4, 6, 9, 12, 16, 20]


def check(direction, message):
    wire.check_schema(SCHEMAS, direction, message)


class Server(wire.ProtocolServer):
    protocol = 'renaissance'


class Client:
    """One connection. Pings are answered and not shown."""

    def __init__(self, server, name='client', checks=True):
        self.name, self.checks = name, checks
        self.socket = socket.create_connection(('127.0.0.1', server.port), timeout=wire.DEADLINE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b''
        self.lines = collections.deque()
        self.heard = []  # all messages, pings apart
        self.answers_pings = True
        self.pings = 0

    def send_raw(self, line):
        self.socket.sendall(line if isinstance(line, bytes) else line.encode() + b'\n')

    def send(self, kind, **fields):
        message = {'type': kind, **fields}
        if self.checks:
            check('client', message)
        self.send_raw(json.dumps(message))

    def say(self, kind, **fields):
        """The same in a form that only a tolerant server takes."""
        self.send_raw(json.dumps({'type': kind, **fields}))

    def read_line(self):
        """The next line; None at the end of the stream."""
        while not self.lines:
            try:
                piece = self.socket.recv(65536)
            except ConnectionResetError:
                piece = b''
            except socket.timeout:
                raise wire.Failure(f'{self.name}: nothing comes after {self.heard[-3:]}') from None
            if not piece:
                if self.data:
                    raise wire.Failure(f'{self.name}: the stream ends in {self.data!r}')
                return None
            *lines, self.data = (self.data + piece).split(b'\n')
            self.lines.extend(lines)
        return self.lines.popleft()

    def read(self):
        """The next message that is no ping; None at the end of the stream."""
        deadline = time.monotonic() + wire.DEADLINE_S
        while True:
            if time.monotonic() > deadline:
                raise wire.Failure(f'{self.name}: only pings come after {self.heard[-3:]}')
            line = self.read_line()
            if line is None:
                return None
            message = json.loads(line)
            if self.checks:
                check('server', message)
            if message['type'] != 'ping':
                self.heard.append(message)
                return message
            self.pings += 1
            if self.answers_pings:
                self.send('pong')

    def expect(self, kind, **fields):
        """The next message must be of this type and have these fields."""
        message = self.read()
        wanted = {'type': kind, **fields}
        if message is None or any(key not in message or message[key] != value for key, value in wanted.items()):
            raise wire.Failure(f'{self.name}: expected {wanted}\n  but got {json.dumps(message)[:1000]}')
        return message

    def expect_all(self, *kinds):
        """Messages of these types, in this order."""
        return [self.expect(kind) for kind in kinds]

    def expect_error(self, error='INVALID_ACTION', then=None):
        self.expect('errorMessage', error=error)
        return self.expect(then) if then else None

    def expect_end(self):
        message = self.read()
        if message is not None:
            raise wire.Failure(f'{self.name}: expected the end of the stream, but got {message}')

    def expect_nothing(self, then=None):
        """Nothing more was sent before the answer to a message that changes nothing; then what is asked for, if anything
        is."""
        self.send_raw('{"type":"nothing"}')
        return self.expect_error(then=then)

    def login(self, name=None):
        self.name = name or self.name
        self.send('loginRequest', username=self.name)
        self.expect('usernameResponse', isFree=True, username=self.name)
        return self

    def back(self):
        """Logs in to a seat; returns the update, after which comes what is asked for."""
        self.send('loginRequest', username=self.name)
        self.expect_all('players', 'devCardGrid', 'market')
        return self.expect('reconnectionUpdate', username=self.name)

    def close(self):
        self.socket.close()


def join(server, names, checks=True):
    """Clients who have logged in, the first having chosen their number; nothing after that was read."""
    clients = [Client(server, name, checks) for name in names]
    clients[0].login()
    clients[0].expect('numberOfPlayersSelectionRequest', max=4)
    clients[0].send('numberOfPlayersSelectionReply', number=len(names))
    for client in clients[1:]:
        client.login()
    return clients


def keep_leaders(clients):
    """Until everybody is asked for resources."""
    names = [client.name for client in clients]
    for client in clients:
        client.expect('players', players=names)
        client.expect_all('devCardGrid', 'market')
    for client in clients:
        dealt = client.expect('leaderCardsRequest')['leaderCards']
        client.send('leaderCardsReply', username=client.name, leaderCards=dealt[:2])
        client.expect('leaderCardsResponse', accepted=True)
    for seat, client in enumerate(clients):
        if len(clients) > 2:
            client.expect('faithTrackUpdate', report=False, vaticanReportPosition=0)
        client.expect('resourcesRequest', number=[0, 1, 1, 2][seat])


def begin(server, names=('alice', 'bobby'), checks=True):
    """Clients whose set-up is done; the first has been asked for its action. Everybody has put stones into depot 1."""
    clients = join(server, names, checks)
    keep_leaders(clients)
    for seat, client in enumerate(clients):
        stones = ['STONES'] * [0, 1, 1, 2][seat]
        client.send('resourcesReply', username=client.name, warehouse={'0': [], '1': stones, '2': []})
        client.expect('resourcesResponse', accepted=True)
    for client in clients:
        client.grid, client.market, client.setup = client.expect_all('devCardGrid', 'market', 'setupUpdate')
        if client is not clients[0]:
            client.expect('startTurn', nickname=names[0])
    clients[0].expect('possibleAction', actions=LEADER + MAIN)
    return clients


def parts(leader):
    """Ability, resource and requirement of a leader."""
    number = int(leader[1:]) - 1
    return ABILITIES[number // 4], LEADER_KINDS[number // 4].split()[number % 4], REQUIREMENTS[number]


class Board:
    """What everybody knows of a player."""

    def __init__(self):
        self.warehouse = {'0': [], '1': [], '2': []}
        self.strongbox = dict.fromkeys(KINDS, 0)
        self.slots = [[], [], []]
        self.played, self.faith, self.tiles = [], 0, 0

    def stock(self):
        """Of each kind: in base depots, in leader depots, in the strongbox."""
        stock = {kind: [0, 0, self.strongbox[kind]] for kind in KINDS}
        for depot, content in self.warehouse.items():
            for kind in content:
                stock[kind][depot > '2'] += 1
        return stock

    def totals(self):
        return {kind: sum(where) for kind, where in self.stock().items()}

    def cards(self):
        return [number for slot in self.slots for number in slot]

    def leaders(self, ability):
        return [parts(leader)[1] for leader in self.played if parts(leader)[0] == ability]

    def price(self, number):
        """The cost of a card, less what discounts take off."""
        cost = dict(card(number, 0))
        for kind in self.leaders('discount'):
            if cost.get(kind):
                cost[kind] -= 1
        return {kind: amount for kind, amount in cost.items() if amount}

    def points(self):
        cards = sum((int(number[1:]) - 1) // 4 + 1 for number in self.cards())
        leaders = sum(LEADER_POINTS[(int(leader[1:]) - 1) // 4] for leader in self.played)
        return cards + leaders + TRACK_POINTS[self.faith // 3] + self.tiles + sum(self.totals().values()) // 5


class Ledger:
    """Follows one table from what everybody is told, and holds every update against what was there before and what the
    player who acted has asked for."""

    def __init__(self, names):
        self.names = names
        self.boards = {name: Board() for name in names}
        self.marbles, self.free, self.grid = [], None, []
        self.colors = {}  # of cards, from the columns in which they were seen
        self.request = None  # what the player on turn has sent last
        self.steps = dict.fromkeys(names, 0)  # of faith since the last layout update
        self.lorenzo, self.lorenzo_steps = 0, 0
        self.reports = set()
        self.told = []  # lines to everybody, in their order
        self.ending = False

    def fail(self, message, why):
        raise wire.Failure(f'{why}\n  {json.dumps(message)}\n  after {json.dumps(self.request)}')

    def take(self, message):
        handler = getattr(self, 'take_' + message['type'], None)
        if handler:
            handler(message)

    def take_market(self, message):
        self.marbles, self.free = message['marbles'], message['freeMarble']
        self.check_marbles(message)

    def take_devCardGrid(self, message):
        self.grid = message['devCardGrid']
        for row in self.grid:
            self.colors.update((number, color) for number, color in zip(row, COLORS) if number)

    def take_setupUpdate(self, message):
        self.steps = dict.fromkeys(self.names, 0)
        for seat, name in enumerate(self.names):
            board = self.boards[name]
            board.warehouse, board.faith = message['warehouse'][name], message['faithTrackPositions'][name]
            stored = sum(map(len, board.warehouse.values()))
            if stored != [0, 1, 1, 2][seat] or board.faith != [0, 0, 1, 1][seat]:
                self.fail(message, f'{name} begins with {stored} resources and {board.faith} faith')

    def take_faithTrackUpdate(self, message):
        positions = message['faithTrackPositions']
        for name, board in self.boards.items():
            if positions[name] < board.faith:
                self.fail(message, f'{name} goes back')
            self.steps[name] += positions[name] - board.faith
            board.faith = positions[name]
        if message['report']:
            self.take_report(message, message['vaticanReportPosition'])

    def take_report(self, message, space):
        if space in self.reports:
            self.fail(message, 'a second report')
        self.reports.add(space)
        first, tile = {8: (5, 2), 16: (12, 3), 24: (19, 4)}[space]
        inside = [name for name in self.names if self.boards[name].faith >= first]
        if inside != message['vaticanReportActivated']:
            self.fail(message, f'{inside} are inside')
        for name in inside:
            self.boards[name].tiles += tile

    def take_layoutUpdate(self, message):
        board = self.boards[message['nickname']]
        before, was_warehouse = board.totals(), board.warehouse
        faith, self.steps = self.steps, dict.fromkeys(self.names, 0)
        mine = faith.pop(message['nickname'])
        board.warehouse = message.get('warehouse', board.warehouse)
        board.strongbox = message.get('strongbox') or board.strongbox
        self.check_depots(message, board)
        change = {kind: amount - before[kind] for kind, amount in board.totals().items()}
        getattr(self, 'layout_' + message['action'])(message, board, change, mine, set(faith.values()), was_warehouse)

    def check_depots(self, message, board):
        stores = board.leaders('store')
        if message['action'] == 'PLAYLEADERCARD' and parts(message['id'])[0] == 'store':
            stores = stores + [parts(message['id'])[1]]
        for depot, content in board.warehouse.items():
            allowed = set(KINDS) if depot < '3' else {stores[int(depot) - 3]}
            if len(set(content)) > 1 or not set(content) <= allowed or len(content) > {'0': 1, '2': 3}.get(depot, 2):
                self.fail(message, f'depot {depot} holds what it cannot')
        kinds = [content[0] for depot, content in board.warehouse.items() if depot < '3' and content]
        if len(set(kinds)) != len(kinds) or len(board.warehouse) != 3 + len(stores):
            self.fail(message, 'the depots are not as they can be')

    def check_marbles(self, message):
        marbles = sorted([marble for row in self.marbles for marble in row] + [self.free])
        wanted = sorted(['WHITE'] * 4 + ['BLUE', 'GREY', 'YELLOW', 'PURPLE'] * 2 + ['RED'])
        if marbles != wanted:
            self.fail(message, f'the marbles are {marbles}')

    def nobody_moved(self, message, mine, others):
        if mine or others - {0}:
            self.fail(message, 'faith came from nowhere')

    def layout_PLAYLEADERCARD(self, message, board, change, mine, others, _):
        board.played.append(message['id'])
        if any(change.values()) or self.request['id'] != message['id']:
            self.fail(message, 'a leader costs nothing')
        self.nobody_moved(message, mine, others)

    def layout_DISCARDLEADERCARD(self, message, board, change, mine, others, _):
        if mine != 1 and board.faith < 24:
            self.fail(message, 'a discarded leader is a step')
        self.nobody_moved(message, 0, others)

    def layout_BUYDEVELOPMENTCARD(self, message, board, change, mine, others, _):
        row, column = 3 - message['level'], COLORS.index(message['color'])
        if self.grid[row][column] != message['id'] or len(board.slots[message['devCardSlot']]) != message['level'] - 1:
            self.fail(message, 'that card was not there, or does not fit')
        price = board.price(message['id'])
        if any(change[kind] != -price.get(kind, 0) for kind in KINDS):
            self.fail(message, f'paid {change} for {price}')
        board.slots[message['devCardSlot']].append(message['id'])
        self.grid[row][column] = message['newId']
        self.colors[message['newId']] = message['color']
        self.nobody_moved(message, mine, others)

    def layout_USEPRODUCTION(self, message, board, change, mine, others, _):
        wanted, faith = dict.fromkeys(KINDS, 0), 0
        for slot in self.request.get('devCardSlots', []):
            number = board.slots[slot][-1]
            faith += int(CARDS[int(number[1:]) - 1][-1])
            for kind in KINDS:
                wanted[kind] += card(number, 2).get(kind, 0) - card(number, 1).get(kind, 0)
        for index, gain in zip(self.request.get('leaderCardSlots', []), self.request.get('leaderResources', [])):
            wanted[board.leaders('production')[index]] -= 1
            wanted[gain] += 1
            faith += 1
        for at, kind in enumerate(self.request.get('boardResources', [])):
            wanted[kind] += 1 if at == 2 else -1
        if change != wanted or mine != min(faith, mine + 24 - board.faith):
            self.fail(message, f'produced {change} and {mine} faith, not {wanted} and {faith}')
        self.nobody_moved(message, 0, others)

    def layout_MARKETACTION(self, message, board, change, mine, others, was):
        index, is_row = message['index'], message['isRow']
        line = self.marbles[index] if is_row else [row[index] for row in self.marbles]
        pushed, fallen = list(line[1:]) + [self.free], line[0]
        rows = [list(row) for row in self.marbles]
        for at, marble in enumerate(pushed):
            rows[index if is_row else at][at if is_row else index] = marble
        if rows != message['marbles'] or fallen != message['freeMarble']:
            self.fail(message, f'the market should be {rows} and {fallen}')
        self.marbles, self.free = rows, fallen
        exchange = board.leaders('exchange')
        whites = line.count('WHITE') if exchange else 0
        taken = sum(marble in MARBLES for marble in line) + whites
        discarded = taken - sum(change.values())
        red = line.count('RED')
        if discarded < 0 or (mine != red and board.faith < 24):
            self.fail(message, f'{taken} taken, {change}, {mine} faith')
        for kind in KINDS:
            most = sum(MARBLES.get(marble) == kind for marble in line) + whites * (kind in exchange)
            if change[kind] > most or change[kind] < -sum(content.count(kind) for content in was.values()):
                self.fail(message, f'{kind} from nowhere')
        self.check_discarded(message, discarded)

    def check_discarded(self, message, discarded):
        """Every discarded resource is a step for all the others."""
        for name in self.names:
            moved = self.boards[name].faith - self.before_market[name]
            if name != message['nickname'] and moved != min(discarded, 24 - self.before_market[name]):
                self.fail(message, f'{discarded} discarded, but {name} moved {moved}')
        if len(self.names) == 1:
            self.lorenzo_steps += discarded

    def take_lorenzoUpdate(self, message):
        text, steps = message['message'], self.lorenzo_steps
        self.lorenzo_steps = 0
        if 'step' in text:
            steps += 2 if 'two' in text else 1
        if message['faithTrackPosition'] != min(24, self.lorenzo + steps):
            self.fail(message, f'Lorenzo was on {self.lorenzo} and goes {steps}')
        self.lorenzo = message['faithTrackPosition']
        self.take_devCardGrid(message)

    def take_endGame(self, message):
        if self.ending:
            self.fail(message, 'the end a second time')
        self.ending = True

    def take_finalScore(self, message):
        points = {name: board.points() for name, board in self.boards.items()}
        if points != message['scores'] or not self.ending:
            self.fail(message, f'the points are {points}')
        order = [(points[name], sum(self.boards[name].totals().values())) for name in message['scores']]
        if order != sorted(order, reverse=True):
            self.fail(message, f'the ranks are {order}')

    def mark(self):
        """A market action begins: the discards are counted from here."""
        self.before_market = {name: board.faith for name, board in self.boards.items()}


class Mind:
    """A player who does at random what the rules allow, from what the ledger knows."""

    def __init__(self, ledger, name, rng):
        self.ledger, self.name, self.rng = ledger, name, rng
        self.hand = []

    @property
    def board(self):
        return self.ledger.boards[self.name]

    def pay(self, price):
        """A random payment of the price; None when it cannot be paid."""
        payment = {'warehouse': {}, 'leaderDepot': {}, 'strongbox': {}}
        for kind, amount in price.items():
            stock = self.board.stock()[kind]
            coins = [place for place, there in zip(payment, stock) for _ in range(there)]
            if len(coins) < amount:
                return None
            for place in self.rng.sample(coins, amount):
                payment[place][kind] = payment[place].get(kind, 0) + 1
        return payment

    def earned(self, leader):
        requirement = parts(leader)[2]
        if requirement in KINDS:
            return self.board.totals()[requirement] >= 5
        cards = self.board.cards()
        if requirement.endswith('2'):
            return any(self.ledger.colors[number] == requirement[:-1] and 17 <= int(number[1:]) <= 32 for number in cards)
        colors = [self.ledger.colors[number] for number in cards]
        return all(colors.count(color) >= requirement.split().count(color) for color in requirement.split())

    def purchases(self):
        for row, cards in enumerate(self.ledger.grid):
            for color, number in zip(COLORS, cards):
                slots = [at for at, slot in enumerate(self.board.slots) if len(slot) == 2 - row]
                payment = self.pay(self.board.price(number)) if number and slots else None
                if payment is not None:
                    yield {'color': color, 'level': 3 - row, 'devCardSlot': self.rng.choice(slots), 'paymentResources': payment}

    def gain(self):
        """The resource that a production of choice gives."""
        return self.rng.choice(KINDS)

    def keep(self, dealt):
        """The two leaders that are kept."""
        return self.rng.sample(dealt, 2)

    def production(self):
        """Some of the productions that can be paid together, or None."""
        price = collections.Counter()
        request = {'boardResources': [], 'leaderResources': [], 'devCardSlots': [], 'leaderCardSlots': []}
        sources = [('devCardSlots', at) for at, slot in enumerate(self.board.slots) if slot]
        sources += [('leaderCardSlots', at) for at in range(len(self.board.leaders('production')))]
        sources.append(('boardResources', 0))
        self.rng.shuffle(sources)
        for field, at in sources:
            inputs = [self.rng.choice(KINDS), self.rng.choice(KINDS)]
            takes = {'devCardSlots': lambda: card(self.board.slots[at][-1], 1), 'boardResources': lambda: collections.Counter(inputs),
                     'leaderCardSlots': lambda: {self.board.leaders('production')[at]: 1}}[field]()
            if self.rng.random() < 0.3 or self.pay(price + collections.Counter(takes)) is None:
                continue
            price.update(takes)
            gain = self.gain()
            request[field] += inputs + [gain] if field == 'boardResources' else [at]
            request['leaderResources'] += [gain] if field == 'leaderCardSlots' else []
        return dict(request, paymentResources=self.pay(price)) if price else None

    def line(self):
        is_row = self.rng.random() < 0.5
        index = self.rng.randrange(3 if is_row else 4)
        line = self.ledger.marbles[index] if is_row else [row[index] for row in self.ledger.marbles]
        exchange = self.board.leaders('exchange')
        whites = [self.rng.choice(exchange) for marble in line if marble == 'WHITE'] if exchange else []
        if len(exchange) == 1 and self.rng.random() < 0.5:
            whites = []
        return {'index': index, 'isRow': is_row, 'exchangeResources': whites}

    def choose(self, actions):
        """An action and its parameters."""
        choices = []
        for leader in self.hand if 'PLAYLEADERCARD' in actions else []:
            if self.earned(leader):
                choices += [('PLAYLEADERCARD', {'id': leader})] * 9
            choices.append(('DISCARDLEADERCARD', {'id': leader}))
        if 'ENDTURN' in actions:
            choices += [('ENDTURN', None)] * 2
        if 'MARKETACTION' in actions:
            choices += [('BUYDEVELOPMENTCARD', purchase) for purchase in self.purchases()] * 2
            production = self.production()
            choices += [('USEPRODUCTION', production)] * 3 if production else []
            choices += [('MARKETACTION', self.line())] * 4
        return self.rng.choice(choices)

    def arrange(self, taken):
        """A random place for what there is; sometimes something is left out."""
        pool = collections.Counter(taken)
        for content in self.board.warehouse.values():
            pool.update(content)
        warehouse = {}
        for at, kind in enumerate(self.board.leaders('store')):
            count = min(2, pool[kind]) if self.rng.random() < 0.9 else 0
            warehouse[str(3 + at)] = [kind] * count
            pool[kind] -= count
        depots, kinds = [2, 1, 0], sorted(KINDS, key=lambda kind: -pool[kind])
        if self.rng.random() < 0.2:
            self.rng.shuffle(kinds)
        for depot, kind in zip(depots, kinds):
            warehouse[str(depot)] = [kind] * min(depot + 1, pool[kind])
            pool[kind] -= len(warehouse[str(depot)])
        return warehouse, {kind: pool[kind] for kind in KINDS if pool[kind]}


BROADCASTS = {'devCardGrid', 'market', 'setupUpdate', 'faithTrackUpdate', 'layoutUpdate', 'lorenzoUpdate', 'endGame', 'finalScore'}


class Party:
    """Clients at one table, played by minds in one thread, and the ledger of that table. Everybody must be told the same
    in the same order."""

    def __init__(self, server, names, rng, checks=True):
        self.clients = {client.name: client for client in join(server, names, checks)}
        self.ledger, self.rng = Ledger(list(names)), rng
        self.minds = {name: Mind(self.ledger, name, rng) for name in names}
        self.seen = dict.fromkeys(names, 0)
        self.dealt = {}
        self.requests = 0

    def hear(self, name):
        """The next message of a client; what everybody is told goes into the ledger once."""
        message = self.clients[name].read()
        if message is None:
            raise wire.Failure(f'{name}: the server is gone')
        if message['type'] == 'errorMessage':
            raise wire.Failure(f'{name}: refused {self.ledger.request}')
        if message['type'] in BROADCASTS:
            at = self.seen[name]
            self.seen[name] += 1
            if at < len(self.ledger.told):
                if self.ledger.told[at] != message:
                    raise wire.Failure(f'{name} is told {message}\n  and another {self.ledger.told[at]}')
            else:
                self.ledger.told.append(json.loads(json.dumps(message)))
                self.ledger.take(message)
                if message['type'] == 'layoutUpdate' and message['action'] in LEADER:
                    self.minds[message['nickname']].hand.remove(message['id'])
                if message['type'] == 'setupUpdate':
                    for other, leaders in message['leaderCards'].items():
                        self.minds[other].hand = list(leaders)
        return message

    def hear_until(self, name, *kinds):
        while True:
            message = self.hear(name)
            if message['type'] in kinds:
                return message

    def send(self, name, kind, **fields):
        self.requests += 1
        self.ledger.request = fields
        self.clients[name].send(kind, **fields)

    def set_up(self):
        for name in self.clients:
            dealt = self.hear_until(name, 'leaderCardsRequest')['leaderCards']
            self.send(name, 'leaderCardsReply', username=name, leaderCards=self.minds[name].keep(dealt))
        for name in self.clients:
            number = self.hear_until(name, 'resourcesRequest')['number']
            kinds = [self.rng.choice(KINDS) for _ in range(number)]
            depots = {'1': kinds} if len(set(kinds)) < 2 else {'1': kinds[:1], '2': kinds[1:]}
            self.send(name, 'resourcesReply', username=name, warehouse=depots)

    def act(self, name, message):
        """Answers possibleAction."""
        action, parameters = self.minds[name].choose(message['actions'])
        self.ledger.mark()
        self.send(name, 'actionReply', action=action)
        self.hear_until(name, 'actionResponse')
        if action == 'MARKETACTION':
            self.send(name, 'rowColumnSelection', username=name, **parameters)
        elif action != 'ENDTURN':
            self.send(name, 'actionParameters', username=name, action=action, **parameters)
        elif self.rng.random() < 0.3:
            self.send(name, 'endTurn')
        return action == 'ENDTURN'

    def manage(self, name, message):
        warehouse, discard = self.minds[name].arrange(message['resources'])
        more = {'discard': discard} if self.rng.random() < 0.5 else {}
        self.send(name, 'resourcesManageReply', warehouse=warehouse, **more)

    def play(self):
        """Until the end; returns the final score."""
        self.set_up()
        mover, has_ended = next(iter(self.clients)), False
        while True:
            # Who has just ended its turn is told whose it is; who begins one may still have to read about those before.
            kinds = ['possibleAction', 'resourcesManageRequest', 'finalScore'] + ['startTurn'] * has_ended
            message = self.hear_until(mover, *kinds)
            has_ended = False
            if message['type'] == 'possibleAction':
                has_ended = self.act(mover, message)
            elif message['type'] == 'resourcesManageRequest':
                self.manage(mover, message)
            elif message['type'] == 'startTurn':
                mover = message['nickname']
            else:
                break
        for name in self.clients:
            if name != mover:
                self.hear_until(name, 'finalScore')
            if self.seen[name] != len(self.ledger.told):
                raise wire.Failure(f'{name} was not told everything')
        return message

    def close(self):
        for client in self.clients.values():
            client.close()


QUIET = ('--store', 'memory', '--renaissance-silence', '60')
KEPT = ('--renaissance-silence', '60')  # with a journal


def with_server(case, *options):
    def run():
        with Server(sys.argv[1], options or QUIET) as server:
            case(server)
            if server.process.poll() is None:  # unless the case has killed it
                server.stop()
    return run


def demand(condition, why):
    if not condition:
        raise wire.Failure(why)


def push(client, index=0, is_row=True, **fields):
    client.send('actionReply', action='MARKETACTION')
    client.expect('actionResponse', action='MARKETACTION')
    client.send('rowColumnSelection', username=client.name, index=index, isRow=is_row, **fields)
    return client.expect('resourcesManageRequest')['resources']


def end_turn(client):
    client.send('actionReply', action='ENDTURN')
    client.expect('actionResponse', action='ENDTURN')


def until(client, *kinds):
    while True:
        message = client.read()
        demand(message is not None, f'{client.name}: the stream has ended')
        if message['type'] in kinds:
            return message


def market_turn(clients, mover):
    """The mover takes the first row, discards everything and ends its turn; everybody has read until then."""
    push(clients[mover])
    clients[mover].send('resourcesManageReply', warehouse={})
    for client in clients:
        until(client, 'layoutUpdate')
    clients[mover].expect('possibleAction')
    end_turn(clients[mover])


def back(server, name):
    """A connection that has come back to its seat as soon as the server has noticed that the last one is gone."""
    while True:
        client = Client(server, name)
        client.send('loginRequest', username=name)
        if client.read()['type'] == 'players':
            client.expect_all('devCardGrid', 'market')
            client.update = client.expect('reconnectionUpdate', username=name)
            return client
        client.close()


def names_of(leaders):
    return set(re.findall(r'L0\d\d', json.dumps(leaders)))
