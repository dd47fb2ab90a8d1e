#!/usr/bin/env python3
"""A player for Treasure Hunt over HTTP and XML, with nothing but Python's standard library.

    treasure_client.py http://127.0.0.1:8080                 creates a game, prints its id and joins it
    treasure_client.py http://127.0.0.1:8080 --game Ss8Zc    joins a game

It walks to the nearest field where it has not been, to its treasure as soon as that is seen, and then to the castle of
the other player.
"""
import argparse
import heapq
import http.client
import sys
import time
import urllib.parse
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

STEPS = {'Up': (0, -1), 'Down': (0, 1), 'Left': (-1, 0), 'Right': (1, 0)}
EFFORT = {'Grass': 1, 'Mountain': 2}  # to leave or to enter a field; nobody walks on water


class Server:
    def __init__(self, address, interval):
        parts = urllib.parse.urlsplit(address)
        self.base, self.interval, self.last = parts.path.rstrip('/'), interval, 0.0
        self.connection = http.client.HTTPConnection(parts.netloc, timeout=60)

    def ask(self, method, path, body=None):
        headers = {'Accept': 'application/xml', 'Content-Type': 'application/xml'}
        self.connection.request(method, self.base + path, body and body.encode(), headers)
        answer = xml.fromstring(self.connection.getresponse().read())
        if answer.findtext('state', 'Okay') != 'Okay':
            raise SystemExit(f"{answer.findtext('exceptionName')}: {answer.findtext('exceptionMessage')}")
        return answer

    def state(self, game, player):
        time.sleep(max(0.0, self.last + self.interval - time.monotonic()))
        self.last = time.monotonic()
        return self.ask('GET', f'/games/{game}/states/{player}').find('data')


class Map:
    """What one answer tells about the fields."""

    def __init__(self, data):
        self.effort, self.me, self.treasure, self.castle = {}, None, None, None
        for node in data.iter('mapNode'):
            place = int(node.findtext('X')), int(node.findtext('Y'))
            if node.findtext('terrain') in EFFORT:
                self.effort[place] = EFFORT[node.findtext('terrain')]
            if node.findtext('playerPositionState') in ('MyPlayerPosition', 'BothPlayerPosition'):
                self.me = place
            if node.findtext('treasureState').startswith('MyTreasure'):
                self.treasure = place
            if node.findtext('fortState') == 'EnemyFortPresent':
                self.castle = place

    def way(self, is_goal):
        """The first step of the shortest way to a goal, or None."""
        queue, done = [(0, self.me, None)], set()
        while queue:
            cost, place, first = heapq.heappop(queue)
            if place in done:
                continue
            done.add(place)
            if first and is_goal(place):
                return first
            for name, (x, y) in STEPS.items():
                beside = place[0] + x, place[1] + y
                if beside in self.effort and beside not in done:
                    effort = self.effort[place] + self.effort[beside]
                    heapq.heappush(queue, (cost + effort, beside, first or name))
        return None


def choose(fields, seen, has_treasure):
    target = fields.castle if has_treasure else fields.treasure
    if target:
        return fields.way(lambda place: place == target)
    return fields.way(lambda place: place not in seen)


def play(server, game, player):
    seen, direction, start = set(), None, None
    while True:
        data = server.state(game, player)
        me = next(p for p in data.iter('player') if p.findtext('uniquePlayerID') == player)
        if me.findtext('state') in ('Won', 'Lost'):
            return me.findtext('state')
        if me.findtext('state') != 'MustAct':
            continue
        fields = Map(data)
        seen.add(fields.me)
        if fields.me != start:  # arrived; until then the direction is kept, or the effort is lost
            start, direction = fields.me, choose(fields, seen, me.findtext('collectedTreasure') == 'true')
        server.ask('POST', f'/games/{game}/moves',
                   f'<playerMove><uniquePlayerID>{player}</uniquePlayerID><move>{direction}</move></playerMove>')


def main():
    parser = argparse.ArgumentParser(description='A player for Treasure Hunt: plays one game and prints Won or Lost.')
    parser.add_argument('address', help='URL of the server, such as http://127.0.0.1:8080')
    parser.add_argument('--game', help='the id of a game; without it one is created')
    parser.add_argument('--name', default='python', help='what it is called (default %(default)s)')
    parser.add_argument('--interval', type=float, default=0.4, help='seconds between two state queries')
    options = parser.parse_args()
    if not options.address.startswith('http://'):
        parser.error(f'{options.address}: an address begins with http://')
    try:
        server = Server(options.address, options.interval)
        game = options.game or server.ask('GET', '/games').findtext('uniqueGameID')
    except (OSError, http.client.HTTPException) as problem:
        sys.exit(f'{options.address}: {problem}')
    print('game', game, flush=True)
    answer = server.ask('POST', f'/games/{game}/players', '<playerRegistration><playerUsername>'
                        + escape(options.name) + '</playerUsername></playerRegistration>')
    print(play(server, game, answer.findtext('data/uniquePlayerID')))


if __name__ == '__main__':
    sys.exit(main())
