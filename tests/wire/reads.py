#!/usr/bin/env python3
"""The journal is not read while a table is played: what players and watchers are shown of it comes from memory. Counted by the
lines that the log has at debug for every reading of the store.

usage: reads.py PARLOR
"""
import os
import random
import sys

import native
import wire

PARLOR = os.path.abspath(sys.argv[1])
RANDOM = random.Random(7)
GAMES = wire.ask.game_names(PARLOR)
check = native.check


def readings(server, code):
    return [line for line in server.error_text().splitlines() if ' store-read ' in line and f'table="{code}"' in line]


def play(server, game, **fields):
    """A whole game of two players, with watchers, and another one who polls. Returns code, tokens and what was read before."""
    code = server.open(game, seats=2, **fields)['code']
    before = len(readings(server, code))
    tokens = {seat: server.sit(code, f'player {seat}')['token'] for seat in (0, 1)}
    with native.Socket(server) as one, native.Socket(server) as other, native.Socket(server) as lobby:
        lobby.ask('lobby', type='lobby')
        one.ask('table', type='watch', table=code)
        other.ask('table', type='watch', table=code, token=tokens[1])
        table = native.play_out(server, code, tokens, RANDOM.choice)
        server.get('/tables')
        one.hear_until('table', lambda message: message['over'])
        other.hear_until('table', lambda message: message['over'])
    shown = server.get(f'/tables/{code}')
    check(shown['over'] and shown['last']['kind'] == 'result' and shown['last']['version'] == table['version'], f'{shown["last"]}')
    return code, before


def nothing_is_read(game):
    with native.Server(PARLOR, ['--log-level', 'debug']) as server:
        code, before = play(server, game)
        lines = readings(server, code)
        check(len(lines) == before, f'{len(lines) - before} readings of {code}: {lines[before:before + 3]}')
        journal = server.get(f'/tables/{code}/journal')
        check(journal['events'] and len(readings(server, code)) > before, 'readings are not counted')
        server.stop()


def late_watchers_read_little():
    """Those who see a table with a delay look at its past: it is read when the first of them comes, not with every event."""
    with native.Server(PARLOR, ['--log-level', 'debug']) as server:
        code = server.open('santorini', watch_delay_ms=300)['code']
        tokens = [server.sit(code, name)['token'] for name in ('Ada', 'Bob')]
        with native.Socket(server) as watcher:
            told = watcher.ask('table', type='watch', table=code)['version']
            play_on(server, code, tokens, 2)
            told = watcher.hear_until('table', lambda message: message['version'] > told)['version']
            before = len(readings(server, code))
            play_on(server, code, tokens, 20)
            newest = server.get(f'/tables/{code}', tokens[0])['version']
            while told < newest:
                message = watcher.hear_until('table')
                check([event['version'] for event in message['events']] == list(range(told + 1, message['version'] + 1)), message)
                told = message['version']
            lines = readings(server, code)[before:]
            check(len(lines) <= 3, f'{len(lines)} readings: {lines}')  # while the past is caught up with
        server.stop()


def play_on(server, code, tokens, count):
    for _ in range(count):
        own = next(table for table in (server.get(f'/tables/{code}', token) for token in tokens) if table['seat'] in table['turn'])
        if own['over']:
            return
        server.post(f'/tables/{code}/actions', {'actions': [RANDOM.choice(own['legal'] or own['legal_samples'])]}, tokens[own['seat']])


def last_is_the_same_from_memory_and_journal():
    """What a table says of its last event is what the journal says of it, for everybody, also after a restart."""
    with native.Server(PARLOR) as server:
        code = server.open('eriantys')['code']
        tokens = [server.sit(code, name)['token'] for name in ('Ada', 'Bob')]
        for _ in range(12):
            table = server.get(f'/tables/{code}')
            seat = table['turn'][0]
            own = server.get(f'/tables/{code}', tokens[seat])
            server.post(f'/tables/{code}/actions', {'actions': [RANDOM.choice(own['legal'] or own['legal_samples'])]}, tokens[seat])
            check_last(server, code, tokens)
        server.kill()
        server = native.Server(PARLOR, data=server.data)
        check_last(server, code, tokens)
        server.post(f'/tables/{code}/resign', {}, tokens[0])
        check_last(server, code, tokens)
        table = server.get(f'/tables/{code}')
        check(table['result']['why'] == 'resigned', f'{table["result"]}')
        server.close()


def check_last(server, code, tokens):
    for token in [None, *tokens]:
        table = server.get(f'/tables/{code}', token)
        at = server.get(f'/tables/{code}/at/{table["version"]}', token)
        for field in ('last', 'view', 'version', 'result', 'over'):
            check(table[field] == at[field], f'{field} {table[field]} is {at[field]} in the journal')


CASES = [(f'{game}: no reading while it is played', lambda game=game: nothing_is_read(game)) for game in GAMES]
CASES.append(('late watchers do not read with every event', late_watchers_read_little))
CASES.append(('the last event is the same from memory and from the journal', last_is_the_same_from_memory_and_journal))

wire.run_cases(CASES)
