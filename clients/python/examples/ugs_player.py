#!/usr/bin/env python3
"""A Paper Soccer player for the Universal Game System: it moves at random, but never illegally."""
import argparse, random, re, socket, sys
import xml.etree.ElementTree as ElementTree


class Board:
    """The pitch, which no message ever shows whole: every player keeps it."""
    def __init__(self):
        self.ball, self.lines = (0, 0), set()

    def steps(self):
        """The points that the ball can go to."""
        (x, y), found = self.ball, []
        for u, v in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            in_goal = abs(v) == 6 and abs(x) <= 1 and abs(u) <= 1 and (x == 0 or u == 0)
            on_border = (x == u and abs(x) == 4) or (y == v and abs(y) == 5 and max(abs(x), abs(u)) > 1)
            in_field = abs(u) <= 4 and abs(v) <= 5 and not on_border
            if (in_goal or in_field) and frozenset(((x, y), (u, v))) not in self.lines:
                found.append((u, v))
        return found

    def step(self, to):
        """Moves the ball; true when it bounces there and the move goes on."""
        bounces = abs(to[0]) == 4 or (abs(to[1]) == 5 and to[0] != 0) or any(to in line for line in self.lines)
        self.lines.add(frozenset((self.ball, to)))
        self.ball = to
        return bounces and abs(to[1]) < 6 and bool(self.steps())


def messages(connection):
    """What the server says, message by message."""
    data = b''
    while piece := connection.recv(65536):
        data += piece
        while (end := data.find(b'</message>')) >= 0:
            text, data = data[:end + 10], data[end + 10:]
            yield ElementTree.fromstring(re.sub(rb'^\s*<\?.*?\?>', b'', text))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--connect_to', metavar='IP:PORT', required=True, type=re.compile(r'(.+):(\d+)').fullmatch, help='where the server listens for UGS')
parser.add_argument('--nick', required=True, help='what it is called')
parser.add_argument('--game-type', default='paper-soccer', help='the type under which the master runs Paper Soccer (default %(default)s)')
parser.add_argument('--games', type=int, default=0, help='stop after so many; 0 plays until the server closes')
options = parser.parse_args()
if not options.connect_to:
    parser.error('--connect_to takes IP:PORT')
host, port = options.connect_to.groups()
try:
    connection = socket.create_connection((host, int(port)))
except (OSError, OverflowError) as problem:
    sys.exit(f'cannot connect to {host}:{port}: {problem}')
send = lambda kind, inside='': connection.sendall(f'<message type="{kind}">{inside}</message>'.encode())
login = ElementTree.Element('playerLogin', nick=options.nick, gameType=options.game_type)
send('playerLogin', ElementTree.tostring(login, 'unicode'))
board, won, played = Board(), 0, 0
for message in messages(connection):
    if message.get('type') != 'gameState':
        if message.get('type') == 'error' or message.find('response[@accept="no"]') is not None:
            print('the server says:', ElementTree.tostring(message, 'unicode'))
        continue
    over, game = message.find('gameOver'), f'<gameId id="{message.find("gameId").get("id")}"/>'
    if over is not None:
        won += any(p.get('nick') == options.nick and p.get('result') == 'winner' for p in over)
        board, played = Board(), played + 1
        send('thank you', game)
        if played == options.games:
            send('logout')
            break
        continue
    for point in message.findall('gameState/point'):
        board.step((int(point.get('x')), int(point.get('y'))))
    if message.find('nextPlayer').get('nick') == options.nick:
        move, ball, lines = [random.choice(board.steps())], board.ball, set(board.lines)
        while board.step(move[-1]):
            move.append(random.choice(board.steps()))
        board.ball, board.lines = ball, lines  # it counts when the server says so
        send('move', game + '<move>' + ''.join(f'<point x="{x}" y="{y}"/>' for x, y in move) + '</move>')
print(f'{played} games: {won} won, {played - won} lost')
