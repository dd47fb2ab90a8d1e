#!/usr/bin/env python3
"""A Paper Soccer player for the Universal Game System. It moves at random, but never illegally.

    ugs_player.py --connect_to 127.0.0.1:8888 --nick robot [--games 10]
"""
import argparse
import random
import re
import socket
import xml.etree.ElementTree as ElementTree


class Board:
    """The pitch, which no message ever shows whole: every player keeps it."""

    def __init__(self):
        self.ball, self.lines = (0, 0), set()

    def is_border(self, x, y):
        """A line was drawn here before the game; in the middle of the mouths there is none."""
        return abs(x) == 4 or (abs(y) == 5 and x != 0)

    def steps(self):
        """The points that the ball can go to."""
        (x, y), found = self.ball, []
        for to in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            in_field = abs(to[0]) <= 4 and abs(to[1]) <= 5
            in_goal = abs(to[1]) == 6 and abs(y) == 5 and abs(x) <= 1 and abs(to[0]) <= 1 and (x == 0 or to[0] == 0)
            along_side = x == to[0] and abs(x) == 4
            along_end = y == to[1] and abs(y) == 5 and max(abs(x), abs(to[0])) > 1
            if in_goal or (in_field and not along_side and not along_end and frozenset((self.ball, to)) not in self.lines):
                found.append(to)
        return found

    def step(self, to):
        """Moves the ball; true when it bounces there and the move goes on."""
        was_met = self.is_border(*to) or any(to in line for line in self.lines)
        self.lines.add(frozenset((self.ball, to)))
        self.ball = to
        return was_met and abs(to[1]) < 6 and bool(self.steps())


def messages(connection):
    """What the server says, message by message. It writes every message with an end tag."""
    data = b''
    while piece := connection.recv(65536):
        data += piece
        while (end := data.find(b'</message>')) >= 0:
            text, data = data[:end + 10], data[end + 10:]
            yield ElementTree.fromstring(re.sub(rb'^\s*<\?.*?\?>', b'', text))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--connect_to', metavar='IP:PORT', required=True)
    parser.add_argument('--nick', required=True)
    parser.add_argument('--games', type=int, default=0, help='stop after so many; 0 plays until the server closes')
    options = parser.parse_args()
    host, port = options.connect_to.rsplit(':', 1)
    connection = socket.create_connection((host, int(port)))

    def send(kind, content=''):
        connection.sendall(f'<?xml version="1.0" encoding="UTF-8"?><message type="{kind}">{content}</message>'.encode())

    login = ElementTree.Element('playerLogin', nick=options.nick, gameType='paper-soccer')
    send('playerLogin', ElementTree.tostring(login, 'unicode'))
    board, won, played = Board(), 0, 0
    for message in messages(connection):
        if message.find('response[@accept="no"]') is not None:
            raise SystemExit(f'the server refused the login: error {message.find(".//error").get("id")}')
        if message.get('type') == 'error':
            print('the server says:', message.text)
        if message.get('type') in ('serverShutdown', 'championsList'):
            print(ElementTree.tostring(message, 'unicode'))
        if message.get('type') != 'gameState':
            continue
        game, over, points = message.find('gameId').get('id'), message.find('gameOver'), message.findall('gameState/point')
        if over is not None:
            won += any(player.get('nick') == options.nick and player.get('result') == 'winner' for player in over)
            played += 1
            print(f'game {game}: {won} of {played} won', flush=True)
            send('thank you', f'<gameId id="{game}"/>')
            if played == options.games:
                send('logout')
                return
            continue
        if not points:
            board = Board()
        for point in points:
            board.step((int(point.get('x')), int(point.get('y'))))
        if message.find('nextPlayer').get('nick') == options.nick:
            before, move, bounces = (board.ball, set(board.lines)), [], True
            while bounces:
                move.append(random.choice(board.steps()))
                bounces = board.step(move[-1])
            board.ball, board.lines = before  # the server says it again, and then it counts
            send('move', f'<gameId id="{game}"/><move>' + ''.join(f'<point x="{x}" y="{y}"/>' for x, y in move) + '</move>')


main()
