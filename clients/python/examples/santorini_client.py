#!/usr/bin/env python3
"""A Santorini player in Python's standard library, as anybody could write it from the protocol document alone.

It plays at random among the cells that the server lists, and prints who has won.
"""
import argparse
import json
import random
import socket
import sys


class Player:
    def __init__(self, host, port, name, date='2000.01.01', players='2', table=None):
        self.name, self.date, self.players = name, date, players
        self.table = {} if table is None else {'table': table}
        self.socket = socket.create_connection((host, int(port)))
        self.lines = self.socket.makefile('r', encoding='utf-8', newline='\n')
        self.builders = {}  # name: [cell, cell]
        self.acting = None  # the builder of this turn, once it has acted
        self.tries = []  # what can still be sent when a move or build is refused

    def send(self, kind, **fields):
        self.socket.sendall((json.dumps({'type': kind, 'name': self.name, **fields}) + '\n').encode())

    def play(self):
        """Reads until the game is over; returns the winner's name, None when the server went away."""
        for line in self.lines:
            message = json.loads(line)
            getattr(self, 'on_' + message['type'], lambda _: None)(message)
            if message['type'] in ('endGame', 'disconnect'):
                return message.get('winner')
        return None

    def on_ping(self, _):
        self.send('pong')

    def on_askNumberOfPlayers(self, message):
        if self.table:  # which has its number
            self.on_askNickAndDate(message)
        else:
            self.send('setNumberOfPlayers', numberOfPlayers=self.players)

    def on_askNickAndDate(self, _):
        self.send('addPlayer', date=self.date, **self.table)

    def on_playerAdded(self, message):
        if not message['result']:
            self.name += '_'  # asked again

    def on_chooseMatchGodCards(self, message):
        gods = random.sample(sorted(message['godDescriptions']), int(message['numberOfPlayers']))
        self.send('setMatchGodCards', godCardNames=gods)

    def on_askGod(self, message):
        left = set(message['godDescriptions']) - set(message['chosenGodCards'])
        self.send('setGodCard', godCard=random.choice(sorted(left)))

    def on_chooseStartPlayer(self, message):
        self.send('setStartPlayer', name=random.choice(message['players']))

    def on_askColor(self, message):
        left = {'MAGENTA', 'LIGHT_BLUE', 'WHITE'} - set(message['chosenColors'])
        self.send('colorUpdate', color=random.choice(sorted(left)))

    def on_askBuilders(self, _):
        taken = [cell for cells in self.builders.values() for cell in cells]
        free = [{'i': i, 'j': j} for i in range(5) for j in range(5) if {'i': i, 'j': j} not in taken]
        self.send('buildersPlacement', positions=random.sample(free, 2))  # refused and asked again near some gods

    def on_buildersPlacement(self, message):
        if message['result']:
            self.builders[message['name']] = message['positions']

    def on_turnUpdate(self, _):
        self.acting = None

    def on_askStep(self, message):
        self.send('setStepChoice', stepChoice=random.choice([s for s in message['possibleSteps'] if s in ('MOVE', 'BUILD', 'END')]))

    def offer(self, kind, lists, fields=({},)):
        """Sends one of the listed cells; the others wait for a refusal. The builder that has acted comes first."""
        mine = self.builders[self.name]
        self.tries = [(kind, n % 2, {'src': mine[n % 2], 'dst': dst, **fields[n // 2]})
                      for n, cells in enumerate(lists[:2 * len(fields)]) for dst in cells if mine[n % 2]]
        random.shuffle(self.tries)
        self.tries.sort(key=lambda t: t[1] == self.acting)
        self.try_next()

    def on_possibleMoveDestinations(self, message):
        self.offer('move', message['possibleDst'])

    def on_possibleBuildDestinations(self, message):
        self.offer('build', message['possibleDst'], ({'buildDome': False}, {'buildDome': True}))

    def try_next(self):
        kind, _, fields = self.tries.pop()
        self.send(kind, **fields)

    def on_move(self, message):
        if not message['result']:
            self.try_next()
            return  # below: a builder of the mover, or of another player if a god leads it
        cells = next(c for c in (self.builders[message['name']], *self.builders.values()) if message['src'] in c)
        self.acting = cells.index(message['src'])
        cells[self.acting] = message['dst']

    def on_build(self, message):
        if not message['result']:
            self.try_next()
        elif message['name'] == self.name and message['src'] in self.builders[self.name]:
            self.acting = self.builders[self.name].index(message['src'])

    def on_builderPushed(self, message):  # not in the document, but some gods displace builders
        theirs = self.builders[message['name']]
        theirs[theirs.index(message['src'])] = message.get('dst')

    on_builderRemoved = on_builderPushed


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('host', help='where the server listens for Santorini')
    parser.add_argument('port', type=int)
    parser.add_argument('name', help='what it is called')
    parser.add_argument('date', nargs='?', default='2000.01.01', help='of birth: the youngest chooses the gods (default %(default)s)')
    parser.add_argument('players', nargs='?', default='2', choices=['2', '3'], help='its answer when it is the first at the table')
    parser.add_argument('--table', metavar='CODE', help='of a private table, such as one of a championship')
    try:
        player = Player(**vars(parser.parse_args()))
    except (OSError, OverflowError) as problem:
        sys.exit(f'cannot connect: {problem}')
    print('winner:', player.play())
