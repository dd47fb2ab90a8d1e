#!/usr/bin/env python3
"""Tables at which players of two protocols and a bot sit: a Python client that knows only the protocol of its game, a player
over the native API, and a bot of the server. Each game is played to its end, once at a table that the API opened for
clients of the game's protocol, once at one that such a client opened.

usage: mixed.py PARLOR CLIENTS
"""
import os
import random
import re
import subprocess
import sys
import threading

import native
import wire
from native import check, play_out

PARLOR, CLIENTS = sys.argv[1:3]
RANDOM = random.Random(4)
GAME_DEADLINE_S = 120
server = None


class Stranger:
    """One of the example clients, in a process of its own."""

    def __init__(self, game, *arguments):
        self.process = subprocess.Popen([sys.executable, '-u', os.path.join(CLIENTS, f'{game}_client.py'), *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.guard = threading.Timer(GAME_DEADLINE_S, self.process.kill)
        self.guard.start()

    def line(self):
        return self.process.stdout.readline().decode().strip()

    def finish(self):
        """What it has said until it ended, which must be well."""
        text = self.process.communicate()[0].decode().strip()
        self.guard.cancel()
        check(self.process.returncode == 0, f'the client ended with {self.process.returncode}: {text[-1000:]}')
        return text


def address(game):
    return server.addresses[game]


def santorini(name, players=None):
    host, port = address('santorini').split(':')
    return Stranger('santorini', host, port, name, '2000.01.01', *([str(players)] if players else []))


def open_code(game):
    """The code of the only table of a game that waits for players; asked for until there is one."""
    for _ in range(10000):
        tables = server.get(f'/tables?game={game}&state=open')['tables']
        if tables:
            return tables[0]['code']
    raise wire.Failure(f'no table of {game} has appeared')


def finish(code, token, seat, stranger, kinds):
    """Plays the seat of the API to the end, once the others are there."""
    socket = native.Socket(server)
    socket.say(type='watch', table=code, token=token)
    socket.hear_until('table', lambda table: table['state'] == 'running')
    table = play_out(server, code, {seat: token}, RANDOM.choice)
    check(table['state'] == 'finished' and table['result']['why'] == 'played', f'{table["result"]}')
    found = sorted((s['kind'], s['protocol']) for s in table['seats'])
    check(found == sorted(kinds), f'{found} instead of {kinds}')
    text = stranger.finish()
    return table, text


def opened_by_the_api(game, stranger_of, **fields):
    """The API opens the table with itself and a bot at it; the last seat is for a client of the protocol."""
    opened = server.open(game, protocol=game, seats=3, bots=[{'seat': 1, 'level': 1}], seat={'name': 'native', 'seat': 0}, **fields)
    check(opened['protocol'] == game and opened['state'] == 'open', f'{opened["protocol"]} {opened["state"]}')
    stranger = stranger_of(opened['code'])
    return finish(opened['code'], opened['token'], 0, stranger, [('bot', 'bot'), ('person', 'api'), ('person', game)])


def opened_by_a_client(game, stranger, code=None):
    """A client opens the table; a player over the API takes the free seat."""
    code = code or open_code(game)
    seat = server.sit(code, 'native')
    return finish(code, seat['token'], seat['seat'], stranger, [('person', 'api'), ('person', game)])


def santorini_of_the_api():
    table, text = opened_by_the_api('santorini', lambda code: santorini('stranger'))
    winner = table['seats'][table['result']['winners'][0]]['name']
    check(text == f'winner: {winner}', f'{text} instead of {winner}')


def santorini_of_a_client():
    table, text = opened_by_a_client('santorini', santorini('stranger', 2))
    winner = table['seats'][table['result']['winners'][0]]['name']
    check(text == f'winner: {winner}', f'{text} instead of {winner}')


def eriantys(*arguments):
    return Stranger('eriantys', '--connect', address('eriantys'), '--name', 'stranger', *arguments)


def eriantys_of_the_api():
    opened_by_the_api('eriantys', lambda code: eriantys('--code', code), options={'mode': 'expert'})


def eriantys_of_a_client():
    stranger = eriantys('--create', '2')
    opened_by_a_client('eriantys', stranger, re.search(r'\w+$', stranger.line()).group())


def renaissance(*arguments):
    return Stranger('renaissance', address('renaissance'), '--name', 'stranger', *arguments)


def renaissance_of_the_api():
    opened_by_the_api('renaissance', lambda code: renaissance())


def renaissance_of_a_client():
    opened_by_a_client('renaissance', renaissance('--players', '2'))


def options_that_a_protocol_cannot_speak():
    server.refused('POST', '/tables', 'option-invalid', {'game': 'santorini', 'protocol': 'santorini', 'options': {'gods': 'none'}})


CASES = [
    ('Santorini, opened over the API', santorini_of_the_api),
    ('Santorini, opened by a client of its protocol', santorini_of_a_client),
    ('Santorini without gods has no words in its protocol', options_that_a_protocol_cannot_speak),
    ('Eriantys, opened over the API', eriantys_of_the_api),
    ('Eriantys, opened by a client of its protocol', eriantys_of_a_client),
    ('Masters of Renaissance, opened over the API', renaissance_of_the_api),
    ('Masters of Renaissance, opened by a client of its protocol', renaissance_of_a_client),
]


def main():
    global server
    listeners = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
    with native.Server(PARLOR, listeners) as server:
        wire.run_cases(CASES)


main()
