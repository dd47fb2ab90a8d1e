"""What the tests of Eriantys over JSON share: a server, clients that hold every line against the schemas, and a mind that
knows which commands the rules allow and what may never be lost.

Written from the protocol page alone, without a line of the server's own code.
"""
import json
import os
import random
import socket
import time

import schema
import wire

COLORS = ('BLUE', 'FUCHSIA', 'GREEN', 'RED', 'YELLOW')
STUDENTS_PER_COLOR = 26
COINS = 20
MONK, HERALD, HERBALIST, JESTER, MUSHROOMS, MINSTREL, PRINCESS, THIEF = 1, 3, 5, 7, 9, 10, 11, 12
SCHEMAS = schema.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'protocols', 'eriantys'))


def check(direction, message):
    wire.check_schema(SCHEMAS, direction, message)


PATIENT = ('--eriantys-silence', '60')  # a test that is held up for a while has not left
random.seed(wire.SEED)  # a test does the same every time, as far as it depends on its own choices


class Server(wire.ProtocolServer):
    protocol = 'eriantys'

    def __init__(self, parlor, options=PATIENT, data=None):
        super().__init__(parlor, options, data)


class Client:
    """One connection. Pings are answered and not shown; nor are waiting-room updates, unless they are asked for."""
    last_status_line = last_status = None

    def __init__(self, server, name='client', checks=True):
        self.name, self.checks = name, checks
        self.socket = socket.create_connection(('127.0.0.1', server.port), timeout=wire.DEADLINE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b''
        self.status = None  # the last one
        self.answers_pings = True

    def send_raw(self, line):
        self.socket.sendall(line if isinstance(line, bytes) else line.encode() + b'\n')

    def send(self, kind, **fields):
        message = {'type': kind, **fields}
        if self.checks:
            check('client', message)
        self.send_raw(json.dumps(message))

    def command(self, **fields):
        self.send('command', **fields)

    def read_line(self):
        """The next line; None at the end of the stream."""
        while b'\n' not in self.data:
            try:
                piece = self.socket.recv(65536)
            except ConnectionResetError:
                piece = b''
            except socket.timeout:
                raise wire.Failure(f'{self.name}: nothing comes; so far {self.data!r}') from None
            if not piece:
                if self.data:
                    raise wire.Failure(f'{self.name}: the stream ends in {self.data!r}')
                return None
            self.data += piece
        line, self.data = self.data.split(b'\n', 1)
        return line

    def read_any(self):
        """The next message, whatever it is."""
        line = self.read_line()
        if line is None:
            return None
        if line == Client.last_status_line:  # everybody gets the same one
            self.status = Client.last_status
            return self.status
        message = json.loads(line)
        if self.checks:
            check('server', message)
        if message['type'] == 'status':
            check_status(message)
            self.status = Client.last_status = message
            Client.last_status_line = line
        if message['type'] == 'ping' and self.answers_pings:
            self.send('pong')
        return message

    def read(self, also=()):
        started = time.monotonic()
        message = self.read_any()
        while message is not None and message['type'] in ('ping', 'waitingRoomUpdate') and message['type'] not in also:
            if time.monotonic() - started > wire.DEADLINE_S:  # pings come for ever
                raise wire.Failure(f'{self.name}: nothing comes but {message}')
            message = self.read_any()
        return message

    def expect(self, kind, **fields):
        """The next message must be of this type and have these fields."""
        message = self.read(also=(kind,))
        wanted = {'type': kind, **fields}
        if message is None or any(key not in message or message[key] != value for key, value in wanted.items()):
            raise wire.Failure(f'{self.name}: expected {wanted}\n  but got {json.dumps(message)[:1000]}')
        return message

    def expect_end(self):
        message = self.read()
        if message is not None:
            raise wire.Failure(f'{self.name}: expected the end of the stream, but got {message}')

    def expect_nothing(self):
        """Nothing more was sent before the answer to a question that changes nothing."""
        self.send('enterGame', code='-')
        message = self.read()
        if message not in ({'type': 'enterGame', 'found': False}, {'type': 'error', 'message': 'you are in a game; log out first'}):
            raise wire.Failure(f'{self.name}: {message}')

    def create(self, players=2, expert=False):
        self.send('gameCreation', playersNumber=players, expert=expert)
        return self.expect('gameCreation')['code']

    def enter(self, code):
        self.send('enterGame', code=code)
        return self.expect('enterGame')

    def login(self, code, success=True):
        """Enters and logs in under the client's name."""
        self.enter(code)
        self.send('login', name=self.name)
        self.expect('login', success=success)
        return self

    def expect_turn(self, mover, enable=True):
        """A status, and whose turn it is."""
        status = self.expect('status', activeUser=mover)
        self.expect('turnEnable', player=mover, enable=enable)
        return status

    def close(self):
        self.socket.close()


def begin(server, names=('ann', 'bob'), expert=False, wanted=None):
    """The clients of a game that has just begun; each knows its code. With wanted, one of these characters is in play."""
    while True:
        clients = [Client(server, name) for name in names]
        code = clients[0].create(len(names), expert)
        for client in clients:
            client.login(code)
        for client in clients:
            client.expect('status')
            client.expect('gameStart')
            client.expect('turnEnable', player=names[0], enable=True)
            client.code = code
        if wanted is None or {card['id'] for card in clients[0].status['gameBoard']['characters']} & set(wanted):
            return clients
        for client in clients:
            client.close()


def check_status(status):
    """Nothing is lost and nothing is made: students, towers, coins, tiles."""
    board, players = status['gameBoard'], status['players']
    if status['board'] != board:
        raise wire.Failure('board and gameBoard differ')
    heaps = [board['bag'], *board['clouds'], *(island['students'] for island in board['islands'])]
    heaps += [heap for player in players for heap in (player['schoolBoard']['entrance'], player['schoolBoard']['diningRoom'])]
    heaps += [card['containedStudents'] for card in board['characters'] if 'containedStudents' in card]
    for color in COLORS:
        total = sum(heap[color] for heap in heaps)
        if total != STUDENTS_PER_COLOR:
            raise wire.Failure(f'{total} students are {color} in {json.dumps(status)}')
    check_towers(board, players)
    if status['expert']:
        coins = sum(player['coins'] for player in players) + sum(card['alreadyPaid'] for card in board['characters'])
        if coins > COINS:
            raise wire.Failure(f'{coins} coins in {json.dumps(status)}')
        for card in board['characters']:
            bans = sum(island['ban'] for island in board['islands'])
            if card['id'] == HERBALIST and bans + card['availableBans'] > 4:
                raise wire.Failure(f'too many tiles in {json.dumps(status)}')


def check_towers(board, players):
    each = 6 if len(players) == 3 else 8
    for player in players:
        kind, left = player['schoolBoard']['towerType'], player['schoolBoard']['towersNumber']
        placed = sum(island['size'] for island in board['islands'] if island['tower'] == kind)
        # Who conquers with too few towers places those it has, and has won by it: no status shows that.
        if left + placed != each:
            raise wire.Failure(f'{left} and {placed} towers are {kind}')
    ids, sizes = [island['id'] for island in board['islands']], [island['size'] for island in board['islands']]
    if sum(sizes) != 12 or any((ids[at] + sizes[at]) % 12 != ids[(at + 1) % len(ids)] for at in range(len(ids))):
        raise wire.Failure(f'the islands are no ring: {list(zip(ids, sizes))}')
    if board['motherNatureIsland'] not in ids:
        raise wire.Failure('mother nature is nowhere')


class Mind:
    """The commands that the rules allow to the player whose turn a status shows."""

    def __init__(self, status):
        self.status, self.board = status, status['gameBoard']
        self.name = status['activeUser']
        self.me = next(player for player in status['players'] if player['name'] == self.name)
        self.entrance, self.dining = self.me['schoolBoard']['entrance'], self.me['schoolBoard']['diningRoom']
        self.islands = [island['id'] for island in self.board['islands']]
        self.active = next((card for card in self.board['characters'] if card['active']), None)

    def assistants(self):
        taken = {played['assistant'] for played in self.board['playedAssistants']}
        hand = [card['id'] for card in self.me['assistants']]
        return [{'subtype': 'playAssistant', 'player': self.name, 'assistant': card}
                for card in [card for card in hand if card not in taken] or hand]

    def move(self, color, origin, target, from_id=None, to_id=None, special=False):
        return {'subtype': 'move', 'pawn': 'student', 'player': self.name, 'color': color, 'from': origin, 'to': target,
                'fromId': from_id, 'toId': to_id, 'special': special}

    def students(self):
        for color in COLORS:
            if self.entrance[color]:
                if self.dining[color] < 10:
                    yield self.move(color, 'entrance', random.choice(('diningRoom', 'dining-room')))
                for island in self.islands:
                    yield self.move(color, 'entrance', 'island', to_id=island)

    def mother(self):
        played = next(played for played in self.board['playedAssistants'] if played['player'] == self.name)
        steps = (played['assistant'] + 1) // 2 + 2 * played['bonus']
        at = self.islands.index(self.board['motherNatureIsland'])
        for step in range(1, min(steps, len(self.islands)) + 1):
            yield {'subtype': 'move', 'pawn': 'motherNature', 'island': self.islands[(at + step) % len(self.islands)], 'move': True}

    def clouds(self):
        return [{'subtype': 'refill', 'player': self.name, 'cloud': at} for at, cloud in enumerate(self.board['clouds'])
                if any(cloud.values())]

    def payments(self):
        if not self.active:
            for card in self.board['characters']:
                if card['effectCost'] + card['alreadyPaid'] <= self.me['coins'] and card.get('availableBans', 1):
                    yield {'subtype': 'pay', 'player': self.name, 'character': card['id']}

    def open_half(self):
        """1 when a student came into the entrance and one must go out, -1 for the contrary, 0 when no swap is open."""
        size, per_turn = (9, 4) if len(self.status['players']) == 3 else (7, 3)
        phase = self.status['subPhase']
        moved = int(phase[-1]) - 1 if phase.startswith('MOVE_STUDENT') else per_turn
        return sum(self.entrance.values()) - (size - moved)

    def swaps(self):
        """Either half of a swap, or only the one that is due."""
        other = self.active['containedStudents'] if self.active['id'] == JESTER else self.dining
        half = self.open_half()
        place, card = ('card', JESTER) if self.active['id'] == JESTER else ('diningRoom', None)
        for color in COLORS:
            if half <= 0 and other[color]:
                yield self.move(color, place, 'entrance', from_id=card, special=True)
            if half >= 0 and self.entrance[color] and (card or self.dining[color] < 10):
                yield self.move(color, 'entrance', place, to_id=card, special=True)

    def effects(self):
        kind = self.active['id'] if self.active and self.active['usesNumber'] else 0
        if kind == MONK:
            return [self.move(color, 'card', 'island', MONK, island, True) for color in COLORS for island in self.islands
                    if self.active['containedStudents'][color]]
        if kind == PRINCESS:
            return [self.move(color, 'card', 'diningRoom', PRINCESS, None, True) for color in COLORS
                    if self.active['containedStudents'][color] and self.dining[color] < 10]
        if kind == HERALD:
            return [{'subtype': 'move', 'pawn': 'motherNature', 'island': island, 'move': False} for island in self.islands]
        if kind == HERBALIST:
            return [{'subtype': 'ban', 'island': island} for island in self.islands]
        if kind == MUSHROOMS and not self.board['ignoreColor']:
            return [{'subtype': 'ignore', 'color': color} for color in COLORS]
        if kind == THIEF:
            return [{'subtype': 'return', 'color': color} for color in COLORS]
        return list(self.swaps()) if kind in (JESTER, MINSTREL) else []

    def commands(self):
        phase = self.status['subPhase']
        if phase == 'PLAY_ASSISTANT':
            return self.assistants()
        if self.active and self.active['id'] in (JESTER, MINSTREL) and self.open_half():
            return list(self.swaps())
        plain = {'MOVE_MOTHER_NATURE': self.mother, 'CHOOSE_CLOUD': self.clouds}.get(phase, self.students)()
        return [*plain, *self.payments(), *self.effects()]

    def choose(self, rng):
        """One command; characters are preferred, and what brings coins for them."""
        commands = self.commands()
        dining = [one for one in commands if one.get('from') == 'entrance' and one['to'].startswith('dining')]
        if dining and rng.random() < 0.4:
            return rng.choice(dining)
        special = [one for one in commands if one['subtype'] in ('pay', 'ban', 'ignore', 'return') or one.get('special')
                   or one.get('move') is False]
        return rng.choice(special if special and rng.random() < 0.5 else commands)


def canonical(command):
    """A command as the server forwards it."""
    return {key: 'diningRoom' if value == 'dining-room' else value for key, value in command.items()}


def step(clients, command=None, rng=random):
    """The player on turn does something legal, and everybody hears of it in the promised order. Returns the winners as
    (names,) when that was the end, otherwise None."""
    before = clients[0].status
    mover = next(client for client in clients if client.name == before['activeUser'])
    command = command or Mind(before).choose(rng)
    mover.command(**command)
    winners = None
    for client in clients:
        if client is not mover:
            forwarded = client.expect('command')
            if forwarded != {'type': 'command', **canonical(command)}:
                raise wire.Failure(f'{client.name}: {command} was forwarded as {forwarded}')
        message = client.read()
        if message['type'] == 'win':
            winners = (message['winners'],)
            continue
        if message['type'] == 'turnEnable':
            if message != {'type': 'turnEnable', 'player': mover.name, 'enable': False}:
                raise wire.Failure(f'{client.name}: {message} after {command}')
            message = client.read()
        elif command['subtype'] in ('playAssistant', 'refill'):
            raise wire.Failure(f'{client.name}: the turn of {mover.name} has ended and nobody says so')
        if message['type'] != 'status':
            raise wire.Failure(f'{client.name}: {message} after {command}')
        client.expect('turnEnable', player=message['activeUser'], enable=True)
    if winners is None and any(client.status != clients[0].status for client in clients):
        raise wire.Failure('not everybody sees the same')
    return winners


def play(clients, rng=random, until=None):
    """Whole games, or until the last status fits. Returns the winners, or None."""
    while until is None or not until(clients[0].status):
        winners = step(clients, rng=rng)
        if winners is not None:
            return winners[0]
    return None
