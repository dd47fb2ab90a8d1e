"""A player of Paper Soccer that moves segment by segment, as the C# program of the Universal Game System's course does. Written
from the description of that program alone: it reads as the program reads, and where the program would die, Died is raised.

It is not a pattern for new players, who read docs/protocols/ugs.md and talk as sections 1 to 13 say.
"""
import random
import re
import socket
import threading
import xml.etree.ElementTree as ElementTree

import wire

TYPES = ('playerLogin', 'gameMasterLogin', 'loginResponse', 'beginGame', 'gameState', 'move', 'thankYou', 'leaveGame',
         'playerLeftGame', 'logout', 'serverShutdown', 'championsList', 'error')
ENDS = '/message>', 'thankYou" />', 'leaveGame" />'
BOTTOM, TOP = -6, 6


class Died(Exception):
    """The program would have written the reason on its console, and would have waited there for ever."""


class Pitch:
    """What it has been shown."""

    def __init__(self):
        self.ball, self.lines, self.turns = (0, 0), set(), 0

    def exits(self):
        (x, y), found = self.ball, []
        for u, v in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            in_goal = abs(v) == 6 and abs(x) <= 1 and abs(u) <= 1 and (x == 0 or u == 0)
            on_border = (x == u and abs(x) == 4) or (y == v and abs(y) == 5 and max(abs(x), abs(u)) > 1)
            inside = abs(u) <= 4 and abs(v) <= 5 and not on_border
            if (in_goal or inside) and frozenset(((x, y), (u, v))) not in self.lines:
                found.append((u, v))
        return found

    def draw(self, start, end):
        """One segment, whoever moved. The program overlooks what does not fit and is lost from then on."""
        if start != self.ball or end not in self.exits():
            raise Died(f'{start} to {end} is no segment: the ball lies on {self.ball}')
        is_used = abs(end[0]) == 4 or (abs(end[1]) == 5 and end[0] != 0) or any(end in line for line in self.lines)
        self.lines.add(frozenset((start, end)))
        self.ball = end
        self.turns += not is_used


def read_messages(link):
    """One character after the other, without line ends, until the text has the end of a message in it."""
    text = ''
    while data := link.recv(1):
        if data not in b'\r\n':
            text += data.decode('latin-1')
        if text.endswith(ENDS):
            try:
                yield ElementTree.fromstring(text.encode('latin-1'))
            except ElementTree.ParseError as error:
                raise Died(f'{error} in {text}') from None
            text = ''
    raise Died(f'the end of the stream, which it does not notice; before it {text!r}')


def number(element, name):
    if not re.fullmatch(r'-?\d+', element.get(name, '0')):
        raise Died(f'{name} is no number')
    return int(element.get(name, '0'))


class Player(threading.Thread):
    """Plays until it is told thankYou or championsList. on_turn(player) is asked before each of its segments, when there is one:
    True plays it, False says nothing any more."""

    def __init__(self, port, nick, seed=0, on_turn=None):
        super().__init__(daemon=True)
        self.nick, self.random, self.on_turn = nick, random.Random(seed), on_turn
        self.pitch, self.named_first = Pitch(), None  # whether it begins: None before it is known
        self.results, self.champions, self.errors, self.failure = [], None, [], None
        self.unplayed = []  # which of the games ended before they were played to their end
        self.told = []
        self.ended = threading.Semaphore(0)
        self.link = socket.create_connection(('127.0.0.1', port))
        self.link.settimeout(wire.DEADLINE_S)
        self.send('playerLogin', f'<playerLogin nick="{nick}" gameType="paper_football" />')

    def send(self, kind, inside):
        self.link.sendall(f'<?xml version="1.0" encoding="utf-8"?><message type="{kind}">{inside}</message>\n'.encode())

    def run(self):
        try:
            for message in read_messages(self.link):
                self.told = [*self.told[-20:], ElementTree.tostring(message, 'unicode')]
                if not self.take(message):
                    return
        except Exception as error:  # pylint: disable=broad-except
            self.failure = f'{type(error).__name__}: {error}; told {self.told}'
        finally:
            self.link.close()

    def take(self, message):
        """False when the program ends."""
        kind = message.get('type')
        if kind not in TYPES:
            raise Died(f'the type {kind}')
        if kind == 'loginResponse':
            accept = message.find('response').get('accept')
            if accept not in ('yes', 'no') or (accept == 'no' and message.find('response/error') is None):
                raise Died('a login that is neither accepted nor refused')
            if accept == 'no':
                raise wire.Failure(f'{self.nick} was refused')
        elif kind == 'gameState':
            self.take_state(message)
        elif kind == 'error':
            self.errors.append(message.text)
        elif kind == 'championsList':
            self.champions = [(player.get('nick'), number(player, 'won'), number(player, 'lost')) for player in message]
        return kind not in ('thankYou', 'championsList')

    def take_state(self, message):
        inner, over, after = message.find('gameState'), message.find('gameOver'), message.find('nextPlayer')
        if inner is not None:
            points = [(number(point, 'x'), number(point, 'y')) for point in inner.findall('point')]
            if len(points) != 2:
                raise Died(f'{len(points)} points')
            self.pitch.draw(*points)
        if over is not None and len(over):
            self.take_over({player.get('nick'): player.get('result') for player in over})
            return
        if self.named_first is None:
            self.named_first = after.get('nick') == self.nick
        if after is not None and after.get('nick') == self.nick:
            self.move()

    def take_over(self, results):
        if not set(results.values()) <= {'winner', 'looser'}:
            raise Died(f'{results}')
        goal = self.pitch.ball[1]
        won = results[self.nick] == 'winner'
        if abs(goal) == 6 and won != (goal == self.goal()):
            raise wire.Failure(f'{self.nick} attacks {self.goal()}, the ball lies on {goal}, and it is told {results}')
        self.results.append(won)
        self.unplayed.append(abs(goal) != 6 and bool(self.pitch.exits()))
        self.pitch, self.named_first = Pitch(), None
        self.ended.release()

    def goal(self):
        """Who begins attacks the bottom goal."""
        return BOTTOM if self.named_first else TOP

    def move(self):
        """One segment towards its goal, more often than not. Nothing is drawn until the server shows it."""
        if self.on_turn is not None and not self.on_turn(self):
            return
        exits = self.pitch.exits()
        if self.random.random() < 0.6:
            exits = sorted(exits, key=lambda point: abs(point[1] - self.goal()))[:2]
        end = self.random.choice(exits)
        self.send_segment(self.pitch.ball, end)

    def send_segment(self, start, end):
        self.send('move', ''.join(f'<move x="{x}" y="{y}" />' for x, y in (start, end)))

    def wait_for(self, games):
        """Waits until it has played so many more."""
        for _ in range(games):
            if not self.ended.acquire(timeout=wire.DEADLINE_S):
                raise wire.Failure(f'{self.nick} plays no more: {self.failure}; told {self.told[-4:]}')

    def finish(self):
        """Waits for its end, which must be a good one."""
        self.join(wire.DEADLINE_S)
        if self.is_alive() or self.failure:
            raise wire.Failure(f'{self.nick} did not come to a good end: {self.failure}; told {self.told[-4:]}')
