#!/usr/bin/env python3
"""Random games of Eriantys over sockets, many at a time, of all player counts, normal and expert. Every status is checked for
conservation, and must be the same for everybody, byte for byte; a few commands on the way are illegal and must change
nothing. The number of games is 24, or what PARLOR_GAMES says.

usage: eriantys_games.py PARLOR
"""
import json
import os
import random
import selectors
import sys
import time
from collections import Counter

import wire
from eriantys_wire import PATIENT, Client, Mind, Server, check, check_status

PARLOR = sys.argv[1]
GAMES = int(os.environ.get('PARLOR_GAMES', '24'))
GAMES_AT_ONCE = 16
GAMES_WITH_SCHEMAS = 4  # checking every line against the schemas takes much longer than playing
SILENCE_S = 60
ILLEGAL_EVERY = 40
NAMES = ('ann', 'bob', 'cid', 'dan')
ILLEGAL = ('{"type":"command","subtype":"refill","cloud":9}', '{"type":"command","subtype":"pay","character":13}',
           '{"type":"command","subtype":"playAssistant","assistant":0}', '{"type":"command","subtype":"move"}',
           '{"type":"command","subtype":"ban","island":0,"player":"nobody"}')


class Player(Client):
    """A client that is read whenever there is something."""

    def __init__(self, server, game, name):
        super().__init__(server, name, checks=False)
        self.game = game
        self.seen, self.wanted = [], []  # statuses that came here and not yet to the first player, and the contrary
        self.is_refused = False  # it has sent something illegal on purpose
        self.socket.setblocking(False)

    def lines(self):
        """All whole lines that have come."""
        try:
            piece = self.socket.recv(262144)
        except BlockingIOError:
            return []
        if not piece:
            raise wire.Failure(f'{self.name}: the connection is closed')
        *lines, self.data = (self.data + piece).split(b'\n')
        return lines


class Game:
    """One table and its players. The first of them reads every status; what the others get must be the same bytes."""

    def __init__(self, server, number, rng, counts):
        self.number, self.rng, self.counts = number, rng, counts
        self.has_schemas = number < GAMES_WITH_SCHEMAS
        self.players = [Player(server, self, name) for name in NAMES[:2 + number % 3]]
        self.expert = number % 2 == 1
        self.status = None
        self.is_over = False
        self.line = None  # the last status as it came
        self.winners = []
        self.send(self.players[0], json.dumps({'type': 'gameCreation', 'playersNumber': len(self.players), 'expert': self.expert}))

    @staticmethod
    def send(player, line):
        player.socket.setblocking(True)
        player.send_raw(line)
        player.socket.setblocking(False)

    def take(self, player, line):
        if line.startswith(b'{"type":"status"'):
            self.take_status(player, line)
            return
        message = json.loads(line)
        if self.has_schemas:
            check('server', message)
        getattr(self, 'take_' + message['type'])(player, message)

    def take_ping(self, player, _):
        self.send(player, '{"type":"pong"}')

    def take_gameCreation(self, _, message):  # pylint: disable=invalid-name
        for player in self.players:
            self.send(player, json.dumps({'type': 'enterGame', 'code': message['code']}))

    def take_enterGame(self, player, message):  # pylint: disable=invalid-name
        if not message['found']:
            raise wire.Failure(f'{player.name}: the game is not found')
        self.send(player, json.dumps({'type': 'login', 'name': player.name}))

    def take_login(self, player, message):
        if not message['success']:
            raise wire.Failure(f'{player.name} cannot log in')

    def take_waitingRoomUpdate(self, *_):  # pylint: disable=invalid-name
        pass

    def take_gameStart(self, *_):  # pylint: disable=invalid-name
        pass

    def take_status(self, player, line):
        if player.is_refused:
            if line != self.line:
                raise wire.Failure('a refused command has changed something')
            return
        if player is not self.players[0]:
            player.seen.append(line)
            self.compare(player)
            return
        self.line = line
        self.status = json.loads(line)
        if self.has_schemas:
            check('server', self.status)
        check_status(self.status)
        self.counts['statuses'] += 1
        for other in self.players[1:]:
            other.wanted.append(line)
            self.compare(other)

    @staticmethod
    def compare(player):
        while player.seen and player.wanted:
            if player.seen.pop(0) != player.wanted.pop(0):
                raise wire.Failure(f'{player.name} sees something else')

    def take_turnEnable(self, player, message):  # pylint: disable=invalid-name
        player.is_refused = False
        # The first player's eyes are those that look; who acts may have heard of it before or after.
        if player is not self.players[0] or not message['enable']:
            return
        mover = next(other for other in self.players if other.name == message['player'])
        if self.status['activeUser'] != mover.name:
            raise wire.Failure(f'{mover.name} may play, but the status says {self.status["activeUser"]}')
        if mover is self.players[0] and self.rng.randrange(ILLEGAL_EVERY) == 0:
            mover.is_refused = True
            self.counts['refused'] += 1
            self.send(mover, self.rng.choice(ILLEGAL))
            return
        command = Mind(self.status).choose(self.rng)
        self.counts[command['subtype'] + (' special' if command.get('special') else '')] += 1
        message = {'type': 'command', **command}
        if self.has_schemas:
            check('client', message)
        self.send(mover, json.dumps(message))

    def take_command(self, player, message):
        pass

    def take_error(self, player, message):
        if not player.is_refused:
            raise wire.Failure(f'{player.name} was refused: {message["message"]} in {self.line}')

    def take_win(self, player, message):
        self.winners.append(message['winners'])
        if len(self.winners) < len(self.players):
            return
        if any(winners != self.winners[0] for winners in self.winners):
            raise wire.Failure(f'several winners: {self.winners}')
        if any(one.seen or one.wanted for one in self.players):
            raise wire.Failure('somebody did not see everything')
        self.counts['draws'] += self.winners[0] is None
        self.is_over = True
        for one in self.players:
            one.close()


def play(server):
    rng, counts = random.Random(2024), Counter()
    selector = selectors.DefaultSelector()
    running, begun, last = [], 0, time.monotonic()
    while begun < GAMES or running:
        while begun < GAMES and len(running) < GAMES_AT_ONCE:
            game = Game(server, begun, rng, counts)
            for player in game.players:
                selector.register(player.socket, selectors.EVENT_READ, player)
            running.append(game)
            begun += 1
        events = selector.select(SILENCE_S)
        if not events or time.monotonic() - last > SILENCE_S:
            raise wire.Failure(f'nothing goes on any more: {[(game.number, game.status) for game in running][:1]}')
        for key, _ in events:
            player = key.data
            for line in () if player.game.is_over else player.lines():
                if player.game.is_over:
                    break
                if not line.startswith(b'{"type":"ping"'):
                    last = time.monotonic()
                player.game.take(player, line)
            if player.game.is_over and player.game in running:
                running.remove(player.game)
                for one in player.game.players:
                    selector.unregister(one.socket)
    return counts


def random_games():
    started = time.monotonic()
    with Server(PARLOR, (*PATIENT, '--store', 'memory')) as server:
        counts = play(server)
        server.stop()
    print(f'# {GAMES} games in {time.monotonic() - started:.0f} s: ' + ', '.join(f'{n} {k}' for k, n in sorted(counts.items())))
    for kind in ('playAssistant', 'move', 'move special', 'refill', 'pay', 'refused'):
        if not counts[kind]:
            raise wire.Failure(f'there was no {kind}')


wire.run_cases([('random games lose nothing', random_games)])
