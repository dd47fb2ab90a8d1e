#!/usr/bin/env python3
"""Programs that play Eriantys: whole games between clients that were written from the protocol document alone, between Parlor's
own bots, and between both.

usage: eriantys_clients.py PARLOR ERIANTYS_CLIENT
"""
import json
import socket
import sys

import wire
from eriantys_wire import Server, begin

PARLOR, CLIENT = sys.argv[1:]
NAMES = ('ann', 'bob', 'cid', 'dan')
GAME_S = 300  # for a whole game of programs on a machine that has much else to do; only against hanging


class Program(wire.Process):
    """A client that may create the game."""

    def read_code(self):
        """The code of the game that it has created."""
        line = self.process.stdout.readline().decode()
        if not line.startswith('code '):
            raise wire.Failure(f'{self.arguments}: {line!r}\n{self.error_text()[-2000:]}')
        return line.split()[1]


def client(server, name, *options):
    return Program([sys.executable, CLIENT, '--connect', server.address, '--name', name, *options])


def bot(server, name, *options):
    return Program([PARLOR, 'bot', 'eriantys', '--connect', server.address, '--name', name, *options])


def run(server, kinds, expert, options=()):
    """A game between programs of these kinds; returns what each of them printed."""
    mode = ['--expert'] if expert else []
    programs = [kinds[0](server, NAMES[0], '--create', str(len(kinds)), *mode, *options)]
    try:
        code = programs[0].read_code()
        for name, kind in zip(NAMES[1:], kinds[1:]):
            programs.append(kind(server, name, '--code', code, *options))
        printed = [program.wait(deadline_s=GAME_S).splitlines() for program in programs]
        if any('refuses' in program.error_text() for program in programs):
            raise wire.Failure(f'something was refused: {[program.error_text() for program in programs]}')
        return printed
    finally:
        for program in programs:
            program.kill()


def clients_play(server):
    for count in (2, 3, 4):
        for expert in (False, True):
            printed = run(server, [client] * count, expert)
            if any(lines != printed[0] or len(lines) != 1 or not lines[0].startswith('winners ') for lines in printed):
                raise wire.Failure(f'{count} players, expert {expert}: {printed}')
            winners = json.loads(printed[0][0][8:])
            if winners is not None and not set(winners) <= set(NAMES[:count]):
                raise wire.Failure(f'strangers win: {winners}')


def check_bots(printed):
    words = sorted({word for lines in printed for word in lines})
    if any(len(lines) != 1 for lines in printed) or words not in (['lost', 'won'], ['draw']):
        raise wire.Failure(f'the bots say {printed}')


def bots_play(server):
    for count in (2, 3, 4):
        check_bots(run(server, [bot] * count, True, ('--level', '1')))
    for seed in range(4):  # every kind of command, and none is refused
        check_bots(run(server, [bot] * 3, True, ('--kind', 'random', '--seed', str(seed))))
    check_bots(run(server, [bot] * 2, False, ('--kind', 'random')))


def clients_and_bots_play_together(server):
    for kinds in ((client, bot), (bot, client, bot)):
        printed = run(server, kinds, True)
        won = [lines == ['won'] if kind is bot else name in (json.loads(lines[0][8:]) or [])
               for name, kind, lines in zip(NAMES, kinds, printed)]
        if sum(won) > 1:
            raise wire.Failure(f'{printed}')


class Script:
    """A server that says what it is told to, to one client."""

    def __init__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.listener.settimeout(wire.DEADLINE_S)
        self.address = f'127.0.0.1:{self.listener.getsockname()[1]}'
        self.connection = self.lines = None

    def accept(self):
        self.connection = self.listener.accept()[0]
        self.connection.settimeout(wire.DEADLINE_S)
        self.lines = self.connection.makefile(encoding='utf-8')

    def say(self, *messages):
        self.connection.sendall(''.join(json.dumps(message) + '\n' for message in messages).encode())

    def expect(self, kind):
        message = json.loads(self.lines.readline() or 'null')
        if message is None or message['type'] != kind:
            raise wire.Failure(f'expected {kind}, but got {message}')

    def close(self):
        self.listener.close()
        if self.connection:
            self.connection.close()


def seat_in_script(script, status):
    """The client comes, as ann, to a game in which it is ann's turn."""
    script.accept()
    script.expect('enterGame')
    script.say({'type': 'enterGame', 'found': True, 'expectedPlayers': 2, 'players': []})
    script.expect('login')
    script.say({'type': 'login', 'success': True}, status, {'type': 'gameStart'},
               {'type': 'turnEnable', 'player': 'ann', 'enable': True})
    script.expect('command')


def somebody_goes_while_a_command_is_on_its_way(server):
    """The command is refused because the game waits; when everybody is back it is sent again. The other one came through
    another protocol, with a name that is as long as they can be."""
    status = begin(server, expert=True)[0].status
    status = json.loads(json.dumps(status).replace('"bob"', json.dumps('\N{FOX FACE}' * 50)))
    for kind in (client, bot):
        script = Script()
        program = kind(script, ' ann ', '--code', 'AAAAA')  # blanks are not part of a name
        try:
            seat_in_script(script, status)
            script.say({'type': 'error', 'message': 'UserDisconnected'},
                       {'type': 'error', 'message': 'the game waits until everybody is back'}, status,
                       {'type': 'turnEnable', 'player': 'ann', 'enable': False}, {'type': 'ping'})
            script.expect('pong')  # and nothing else: it waits
            script.say(status, {'type': 'gameStart'}, {'type': 'turnEnable', 'player': 'ann', 'enable': True})
            script.expect('command')
            script.say({'type': 'win', 'winners': ['ann']})
            program.wait()
        finally:
            program.kill()
            script.close()


def bots_give_up_when_everything_is_refused(server):
    status = begin(server, expert=True)[0].status
    script = Script()
    program = bot(script, 'ann', '--code', 'AAAAA')
    try:
        seat_in_script(script, status)
        for _ in range(8):
            script.say({'type': 'error', 'message': 'no'}, status, {'type': 'turnEnable', 'player': 'ann', 'enable': True})
        program.wait(expected=1)
    finally:
        program.kill()
        script.close()


def wrong_calls_are_refused(server):
    bot(server, 'ann', '--code', 'ZZZZZ').wait(expected=1)
    Program([PARLOR, 'bot', 'eriantys', '--connect', server.address]).wait(expected=2)
    bot(server, 'ann', '--create', '5').wait(expected=2)
    bot(server, 'ann', '--kind', 'paper-soccer').wait(expected=2)


def main():
    with Server(PARLOR) as server:
        cases = [clients_play, bots_play, clients_and_bots_play_together, somebody_goes_while_a_command_is_on_its_way,
                 bots_give_up_when_everything_is_refused, wrong_calls_are_refused]
        rows = [(case.__name__.replace('_', ' '), lambda case=case: case(server)) for case in cases]
        wire.run_cases([*rows, ('the server ends in order', server.stop)])


main()
