"""What the Santorini tests share: a server with its --santorini listener, clients that hold every line against the schemas,
a player that chooses at random among what is listed, and a loop that lets many of them play. Written from the protocol
page alone: it knows no rules of the game.
"""
import json
import os
import random
import selectors
import socket
import time

import schema
import wire

SCHEMAS = schema.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'protocols', 'santorini'))
NAMES = ('ann', 'bob', 'cid')
DATES = ('2000.05.05', '1990.05.05', '1980.05.05')
STEPS = ['FORCE', 'REMOVE', 'BORROW']  # that these clients know besides those of the document
COLORS = ('WHITE', 'MAGENTA', 'LIGHT_BLUE')
random.seed(1)  # a test does the same every time, as far as it depends on its own choices


def check(condition, text):
    if not condition:
        raise wire.Failure(text)


class Server(wire.ProtocolServer):
    """Clients that answer pings only when a test reads from them are not gone when the machine or the test is slow."""
    protocol = 'santorini'

    def __init__(self, parlor, options=(), data=None):
        super().__init__(parlor, ('--santorini-silence', '600', *options), data)


class Client:
    """One connection. Lines are held against the schemas unless is_checked is off."""
    is_checked = True

    def __init__(self, port, name='client', answers_pings=True):
        self.name, self.answers_pings = name, answers_pings
        self.socket = socket.create_connection(('127.0.0.1', port), timeout=wire.DEADLINE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b''
        self.is_ended = False

    def send(self, kind, **fields):
        message = {'type': kind, **fields}
        if self.is_checked:
            wire.check_schema(SCHEMAS, 'client', message)
        self.send_raw(json.dumps(message))

    def send_raw(self, line, end='\n'):
        data = line if isinstance(line, bytes) else (line + end).encode()
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.is_ended = True

    def lines(self):
        """The whole lines that have come, without pings; reads once."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b''
        except socket.timeout:
            raise wire.Failure(f'{self.name}: nothing comes') from None
        self.is_ended = not data
        *whole, self.data = (self.data + data).split(b'\n')
        messages = []
        for line in whole:
            message = json.loads(line)
            if self.is_checked:
                wire.check_schema(SCHEMAS, 'server', message)
            if message['type'] == 'ping' and self.answers_pings:
                self.send_raw('{"type":"pong"}')
            elif message['type'] != 'ping':
                messages.append(message)
        return messages

    def close(self):
        self.socket.close()


class Asker(Client):
    """A client that reads one message after the other."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.waiting = []

    def read(self):
        """The next message; None at the end of the stream."""
        deadline = time.monotonic() + wire.DEADLINE_S
        while not self.waiting:
            if self.is_ended:
                return None
            self.waiting = self.lines()
            check(self.waiting or self.is_ended or time.monotonic() < deadline, f'{self.name}: nothing comes but pings')
        return self.waiting.pop(0)

    def expect(self, kind, **fields):
        """The next message must be of this type and have these fields."""
        message = self.read()
        check(message is not None, f'{self.name}: expected {kind}, but the stream has ended')
        check(message['type'] == kind and all(message.get(key) == value for key, value in fields.items()),
              f'{self.name}: expected {kind} {fields}\n  but got {message}')
        return message

    def expect_refusal(self, kind, **fields):
        """The type with result false, then why."""
        self.expect(kind, result=False, **fields)
        return self.expect('error')['description']

    def expect_end(self):
        message = self.read()
        check(message is None, f'{self.name}: expected the end of the stream, but got {message}')

    def read_until(self, kind, **fields):
        """Passes over other messages."""
        passed = []
        while True:
            message = self.read()
            check(message is not None, f'{self.name}: the stream has ended before {kind} {fields}, after {passed}')
            if message['type'] == kind and all(message.get(key) == value for key, value in fields.items()):
                return message
            passed.append(message)

    def settle(self):
        """All that the server has to say about what was sent before has come when its complaint about this comes."""
        self.send_raw('{"type":"settle"}')
        passed = []
        while True:
            message = self.read()
            check(message is not None, f'{self.name}: the stream has ended')
            if message['type'] == 'error' and "'settle'" in message['description']:
                return passed
            passed.append(message)


def cell(text):
    """{'i': 1, 'j': 2} of '12'."""
    return {'i': int(text[0]), 'j': int(text[1])}


def cells(text):
    return [cell(word) for word in text.split()]


def connect(server, count):
    """So many players at a table, asked for their names."""
    players = [Asker(server.port, name) for name in NAMES[:1]]
    players[0].expect('askNumberOfPlayers')
    players[0].send('setNumberOfPlayers', numberOfPlayers=count)
    players[0].expect('stateUpdate', state='SETUP_PLAYERS')
    for name in NAMES[1:count]:
        players.append(Asker(server.port, name))
        players[-1].expect('stateUpdate', state='SETUP_PLAYERS')
    for player in players:
        player.expect('askNickAndDate')
    return players


def named(server, count):
    """... who have said them: the first is the youngest, and is asked for the gods."""
    players = connect(server, count)
    for player, date in zip(players, DATES):
        player.send('addPlayer', name=player.name, date=date, steps=STEPS)
        for other in players:
            other.expect('playerAdded', name=player.name, result=True)
    for player in players:
        player.expect('stateUpdate', state='SETUP_CARDS')
        player.expect('turnUpdate', name='ann')
    return players


def skip(players, kind, **fields):
    for player in players:
        player.read_until(kind, **fields)


def with_gods(server, gods):
    """... who have these gods, in their order; ann is asked who begins."""
    players = named(server, len(gods))
    players[0].expect('chooseMatchGodCards')
    players[0].send('setMatchGodCards', godCardNames=list(gods))
    for number in [*range(1, len(gods)), 0]:
        players[number].read_until('askGod')
        players[number].send('setGodCard', godCard=gods[number])
        skip(players, 'godCardAssigned', name=NAMES[number])
    players[0].read_until('chooseStartPlayer')
    return players


def begun(server, gods, positions):
    """... whose builders stand there; ann begins, and has been asked for nothing yet."""
    players = with_gods(server, gods)
    players[0].send('setStartPlayer', name='ann')
    for player, color in zip(players, COLORS):
        player.read_until('askColor')
        player.send('colorUpdate', color=color)
    for player, places in zip(players, positions):
        player.read_until('askBuilders')
        player.send('buildersPlacement', positions=cells(places))
    skip(players, 'stateUpdate', state='GAME')
    return players


def move(player, src, dst):
    player.send('move', src=cell(src), dst=cell(dst))


def build(player, src, dst, **fields):
    player.send('build', src=cell(src), dst=cell(dst), **fields)


def turn(players, number, src, dst, at, **fields):
    """A plain turn of one of them, seen by all."""
    players[number].read_until('possibleMoveDestinations')
    move(players[number], src, dst)
    skip(players, 'move', result=True)
    players[number].read_until('possibleBuildDestinations')
    build(players[number], dst, at, **fields)
    skip(players, 'build', result=True)


def listed(message, number):
    return {f'{where["i"]}{where["j"]}' for where in message['possibleDst'][number]}


class Board:
    """The board as the messages tell it."""

    def __init__(self):
        self.builders = {}  # name: [cell or None, cell or None], cells as (i, j)
        self.heights = {}
        self.domes = set()

    @staticmethod
    def place(where):
        return None if where is None else (where['i'], where['j'])

    def shift(self, name, src, dst):
        """A builder of that player, or another one (led by somebody else), goes from src to dst."""
        owners = [name] + [other for other in self.builders if other != name]
        for owner in owners:
            if src in self.builders[owner]:
                self.builders[owner][self.builders[owner].index(src)] = dst
                return
        raise wire.Failure(f'nobody stands on {src}')

    def take(self, message):
        kind = message['type']
        dst = self.place(message.get('dst'))
        if message.get('result') is False:
            return
        if kind == 'buildersPlacement':
            self.builders[message['name']] = [self.place(where) for where in message['positions']]
        elif kind in ('move', 'builderPushed', 'builderRemoved'):
            self.shift(message['name'], self.place(message['src']), dst)
        elif kind == 'build' and message['buildDome']:
            self.domes.add(dst)
        elif kind == 'build':
            self.heights[dst] = self.heights.get(dst, 0) + 1
        elif kind == 'remove':
            self.heights[dst] -= 1
        elif kind == 'lossUpdate' and message['name'] in self.builders:
            self.builders[message['name']] = [None, None]

    def shown(self):
        """For comparing two boards."""
        return (self.builders, {where: height for where, height in self.heights.items() if height}, self.domes)


class Player(Client):
    """Chooses at random among what it is offered, and must never be refused."""

    def __init__(self, port, name, date='1998.04.11', seats=2, gods=None):
        super().__init__(port, name)
        self.date, self.seats, self.gods = date, seats, gods
        self.board = Board()
        self.winner = None
        self.seen = set()  # types of messages
        self.gods_seen = []
        self.requests = 0

    def pump(self):
        for message in self.lines():
            self.take(message)

    def take(self, message):
        kind = message['type']
        self.seen.add(kind)
        check(message.get('result') is not False and kind not in ('error', 'errorNumber'),
              f'{self.name} is refused: {message} {self.board.shown()}')
        self.board.take(message)
        answer = getattr(self, 'on_' + kind, None)
        if answer:
            answer(message)
            self.requests += 1

    def say(self, kind, **fields):
        self.send(kind, name=self.name, **fields)

    def on_askNumberOfPlayers(self, _):
        self.say('setNumberOfPlayers', numberOfPlayers=self.seats)

    def on_askNickAndDate(self, _):
        self.say('addPlayer', date=self.date, steps=STEPS)

    def on_chooseMatchGodCards(self, message):
        wanted = [god for god in self.gods or () if god in message['godDescriptions']]
        others = [god for god in message['godDescriptions'] if god not in wanted]
        count = message['numberOfPlayers']
        self.say('setMatchGodCards', godCardNames=(wanted + random.sample(others, count))[:count])

    def on_askGod(self, message):
        self.say('setGodCard', godCard=random.choice([god for god in message['godDescriptions']
                                                      if god not in message['chosenGodCards']]))

    def on_chooseStartPlayer(self, message):
        self.send('setStartPlayer', name=random.choice(message['players']))

    def on_askColor(self, message):
        self.say('colorUpdate', color=random.choice([color for color in COLORS if color not in message['chosenColors']]))

    def on_askBuilders(self, message):
        first = random.randrange(len(message['possibleDst']))
        seconds = [where for where in message['possibleDst'] if where != message['possibleDst'][first]]
        if 'possibleSecondDst' in message:
            seconds = message['possibleSecondDst'][first]
        self.say('buildersPlacement', positions=[message['possibleDst'][first], random.choice(seconds)])

    def on_askStep(self, message):
        self.say('setStepChoice', stepChoice=random.choice(message['possibleSteps']))

    def source(self, message, builder):
        if builder == 3:
            return message['borrowed']
        i, j = self.board.builders[self.name][builder - 1]
        return {'i': i, 'j': j}

    def on_possibleMoveDestinations(self, message):
        builder = random.choice(message['builders'])
        self.say('move', src=self.source(message, builder), dst=random.choice(message['possibleDst'][builder - 1]))

    def on_possibleBuildDestinations(self, message):
        builder = random.choice(message['builders'])
        block, dome = {1: (0, 2), 2: (1, 3), 3: (4, 5)}[builder]
        lists = message['possibleDst']
        dst, is_dome = random.choice([(where, False) for where in lists[block]] + [(where, True) for where in lists[dome]])
        self.say('build', src=self.source(message, builder), dst=dst, buildDome=is_dome)

    def on_possibleForceDestinations(self, message):
        builder = random.choice(message['builders'])
        self.say('force', src=self.source(message, builder), dst=random.choice(message['possibleDst'][builder - 1]))

    def on_possibleRemoveDestinations(self, message):
        self.say('remove', dst=random.choice(message['possibleDst']))

    def on_possibleBorrowDestinations(self, message):
        self.say('borrow', dst=random.choice(message['possibleDst']))

    def on_setMatchGodCards(self, message):
        self.gods_seen = message['godCardNames']
        self.requests -= 1  # nothing to answer

    def on_endGame(self, message):
        self.requests -= 1
        self.winner = message['winner']


class Loop:
    """Lets any number of players play; each reads when something has come for it."""

    def __init__(self):
        self.selector = selectors.DefaultSelector()
        self.count = 0

    def add(self, player):
        self.selector.register(player.socket, selectors.EVENT_READ, player)
        self.count += 1

    def remove(self, player):
        self.selector.unregister(player.socket)
        self.count -= 1

    def run(self, until):
        """Until the function says so."""
        while not until():
            ready = self.selector.select(wire.DEADLINE_S)
            check(ready, 'nothing comes')
            for key, _ in ready:
                key.data.pump()
                if key.data.is_ended:
                    self.remove(key.data)

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.data.close()
        self.selector.close()


def play_games(port, games, at_once, each=None, seats=lambda number: 2 + number % 2):
    """So many games between random players, some at the same time. Calls each with the players of every finished game."""
    loop = Loop()
    running, started = [], 0
    try:
        while started < games or running:
            while started < games and len(running) < at_once:
                count = seats(started)
                players = [Player(port, f'p{started}-{i}', f'{random.randint(1930, 2020)}.{random.randint(1, 12):02}.'
                                  f'{random.randint(1, 28):02}', count) for i in range(count)]
                for player in players:
                    loop.add(player)
                    # The next one connects when this one has been taken into the line, so that they meet.
                    loop.run(lambda player=player: player.seen)  # pylint: disable=cell-var-from-loop
                running.append(players)
                started += 1
            loop.run(lambda: any(all(p.is_ended for p in players) for players in running))
            for players in [players for players in running if all(p.is_ended for p in players)]:
                running.remove(players)
                check_finished(players)
                for player in players:
                    player.close()
                if each:
                    each(players)
    finally:
        loop.close()


def check_finished(players):
    winners = {player.winner for player in players}
    check(len(winners) == 1 and None not in winners, f'the winners are {winners}')
    boards = [player.board.shown() for player in players]
    check(all(board == boards[0] for board in boards), f'they see different boards: {boards}')
    check(all('disconnect' in player.seen for player in players), 'nobody said goodbye')
