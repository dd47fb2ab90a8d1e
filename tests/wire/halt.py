#!/usr/bin/env python3
"""A server that stands still (stopped, here, for longer than any clock) costs nobody a game: what lay in the sockets
meanwhile is read before any time is over, and the halt is charged to nobody. A restart charges nobody either, but the
time before it counts. And SIGHUP ends nothing.

usage: halt.py PARLOR
"""
import concurrent.futures
import select
import signal
import sys
import time

import native
import wire

PARLOR = sys.argv[1]
CLOCK_S = 15  # in which even a slow machine gets from the beginning of a turn to the halt
HALT_S = 18  # the one thing here that takes its time: it is what is tested; so the cases run at the same time


class Halt:
    """The server is stopped, does not see what is done meanwhile, and goes on HALT_S later."""

    def __init__(self, server):
        self.process = server.process

    def __enter__(self):
        self.process.send_signal(signal.SIGSTOP)
        self.until = time.monotonic() + HALT_S

    def __exit__(self, *_):
        select.select([], [], [], max(0, self.until - time.monotonic()))
        self.process.send_signal(signal.SIGCONT)


def ugs():
    with wire.Server(PARLOR, ['--move-timeout', str(CLOCK_S)]) as server:
        nicks = ('ann', 'bob')
        players = [wire.log_in(server, nick) for nick in nicks]
        state = r'<message type="gameState"><gameId id="(\d+)"/><nextPlayer nick="(\w+)"/><gameState></gameState></message>'
        game, first = [player.expect(state) for player in players][0].groups()
        with Halt(server):
            players[nicks.index(first)].send(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="1"/></move></message>')
        for player in players:
            player.expect(r'<message type="gameState">.*<nextPlayer .*<point x="0" y="1"/></gameState></message>')
        with Halt(server):  # with nothing in the sockets, the turn is not over either
            pass
        players[1 - nicks.index(first)].send(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="2"/></move></message>')
        for player in players:
            player.expect(r'<message type="gameState">.*<nextPlayer .*<point x="0" y="2"/></gameState></message>')
        server.stop(players)


def api():
    with native.Server(PARLOR) as server:
        table = server.open('paper-soccer', turn_ms=CLOCK_S * 1000)
        tokens = [server.sit(table['code'], name)['token'] for name in ('ann', 'bob')]
        now = server.get(f'/tables/{table["code"]}', tokens[0])
        mover = now['turn'][0]
        action = server.get(f'/tables/{table["code"]}', tokens[mover])['legal'][0]
        with native.Socket(server) as one:
            one.ask('table', type='watch', table=table['code'], token=tokens[mover])
            with Halt(server):
                one.say(type='act', id='move', table=table['code'], actions=[action])
            answer = one.hear_until('acted')
            native.check(answer['id'] == 'move', f'{answer}')
        after = server.get(f'/tables/{table["code"]}')
        native.check(not after['over'], f'the game was lost: {after["result"]}')
        server.stop()


def json_pings():
    """Whoever had no chance to answer a ping is not gone."""
    class Renaissance(wire.ProtocolServer):
        protocol = 'renaissance'

    with Renaissance(PARLOR, ['--renaissance-silence', str(CLOCK_S)]) as server:
        client = wire.Client(server.port)
        client.send('x\n')
        while b'errorMessage' not in client.data:
            client.read_more()
        with Halt(server):
            pass
        with Halt(server):
            pass
        client.data = b''
        client.send('x\n')
        while b'errorMessage' not in client.data:
            native.check(client.read_more(), 'the connection was given up')
        client.close()
        server.stop()


def clock_after_a_crash():
    """What was used of a turn before the server was killed counts, and the time in which nobody was there does not."""
    turn_ms, used_ms = 600000, 8000
    with native.Server(PARLOR) as server:
        table = server.open('paper-soccer', turn_ms=turn_ms)
        tokens = [server.sit(table['code'], name)['token'] for name in ('ann', 'bob')]
        path = f'/tables/{table["code"]}'
        left = turn_ms
        while left > turn_ms - used_ms:  # a sign of life is left every second
            select.select([], [], [], 0.1)
            left = min(clock['left_ms'] for clock in server.get(path, tokens[0])['clocks'])
        server.kill()
        select.select([], [], [], HALT_S)
        started = time.monotonic()
        with server.again() as again:
            anew = min(clock['left_ms'] for clock in again.get(path, tokens[0])['clocks'])
            passed = (time.monotonic() - started) * 1000
            native.check(left - passed - 1 <= anew < turn_ms - used_ms // 2, f'{anew} ms are left, {left} were before')


def hangup():
    with native.Server(PARLOR, ['--log-level', 'info']) as server:
        server.process.send_signal(signal.SIGHUP)
        while ' info reloaded ' not in server.error_text():
            server.get('/tables')
        server.stop()


CASES = [
    ('UGS: a move that lay in its socket', ugs),
    ('API: the same', api),
    ('Masters of Renaissance: pings', json_pings),
    ('the clock of an API table after a crash', clock_after_a_crash),
    ('SIGHUP', hangup),
]

with concurrent.futures.ThreadPoolExecutor(len(CASES)) as pool:
    wire.run_cases([(name, pool.submit(case).result) for name, case in CASES])
