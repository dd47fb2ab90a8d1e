#!/usr/bin/env python3
"""Clocks through the real program: what a seat has left of its game, over a restart too; a loss on time with its stamps, in the
API, in `parlor journal show` and for a verifier of its own; bots that have one second for a whole game while all threads are busy;
and what the journal keeps of every way to lose a game. Speaks TAP.

usage: clocks.py PARLOR VERIFIER
"""
import os
import subprocess
import sys

import native
import wire

PARLOR, VERIFIER = sys.argv[1:3]
check = native.check


def loss(server, code):
    """The event by which a table was lost."""
    events = server.get(f'/tables/{code}/journal')['events']
    return next(event for event in events if event['kind'] in ('forfeit', 'timeout'))


def told(server, *arguments):
    done = subprocess.run([PARLOR, 'journal', *arguments, '--data', os.path.join(server.data, 'data')], capture_output=True, text=True, check=False, timeout=wire.DEADLINE_S)
    check(done.returncode == 0, f'{arguments}: {done}')
    return done.stdout


def move(server, code, tokens):
    """Whoever is on turn plays the first legal action."""
    seat = server.get(f'/tables/{code}')['turn'][0]
    state = server.get(f'/tables/{code}', tokens[seat])
    server.act(code, tokens[seat], state['legal'][0])
    return seat


def clocks(server, code):
    return {clock['seat']: clock['left_ms'] for clock in server.get(f'/tables/{code}')['clocks']}


def a_game_clock_is_used_and_outlives_a_restart():
    with native.Server(PARLOR) as server:
        code, tokens = server.two(game_ms=3600000, increment_ms=1000)
        first = move(server, code, tokens)
        while move(server, code, tokens) == first:
            pass
        charged = {0: 0, 1: 0}
        for event in server.get(f'/tables/{code}/journal')['events']:
            if event['kind'] == 'action':
                charged[event['seat']] += event['used_ms']
        left = clocks(server, code)
        check(3600000 - charged[first] <= left[first] + 1000 and left[first] <= 3601000 - charged[first], f'{left} {charged}')
        again = server.again()
    with again:
        after = clocks(again, code)
        # What the turn had taken when the server ended is not in the journal: the turn begins again.
        check(after[first] <= 3601000 - charged[first] and after[1 - first] == left[1 - first], f'{left} {after}')
        check(again.get(f'/tables/{code}')['turn'] == [first], 'another turn')
        again.stop()


def who_has_no_time_left_loses_with_stamps():
    with native.Server(PARLOR) as server:
        code, tokens = server.two(game_ms=1000)
        with native.Socket(server) as one:
            one.ask('table', type='watch', table=code, token=tokens[0])
            over = one.hear_until('table', lambda table: table['over'])
        check(over['result']['why'] == 'time' and over['result']['winners'] == [1], f'{over["result"]}')
        event = loss(server, code)
        stamps = event['stamps']
        check(event['kind'] == 'timeout' and event['rule'] == 'clocks C2' and 'whole game' in event['why'], f'{event}')
        check(stamps['used_ms'] >= 1000 == stamps['allowed_ms'] and stamps['heard_ms'] - stamps['asked_ms'] >= 990, f'{event}')
        shown = told(server, 'show', code)
        check('out of time (clocks C2: ' in shown and ' of 1 s' in shown and ', asked 20' in shown, shown)
        server.stop()
        told(server, 'verify', 'all')
        exported = subprocess.run([PARLOR, 'journal', 'export', '--all', '--data', os.path.join(server.data, 'data')], capture_output=True, check=True, timeout=wire.DEADLINE_S)
        subprocess.run([sys.executable, VERIFIER], input=exported.stdout, check=True, capture_output=True, timeout=wire.DEADLINE_S)


def protocols_have_clocks_for_the_whole_game():
    """Options of the protocols; the seats are those of the API, which comes in through their doors."""
    games = ('santorini', 'eriantys', 'renaissance')
    options = [word for game in games for word in (f'--{game}', '127.0.0.1:0', f'--{game}-game-time', '1', f'--{game}-increment', '0.5')]
    with native.Server(PARLOR, options + ['--eriantys-turn-time', '600']) as server:
        codes = []
        for game in games:
            code, _ = server.two(game, protocol=game, seats=2)
            while not (table := server.get(f'/tables/{code}'))['game_ms']:  # names and births come first
                check(not table['over'], f'{table["result"]}')
            check((table['game_ms'], table['increment_ms'], table['turn_ms']) == (1000, 500, 600000 if game == 'eriantys' else 0), f'{table}')
            codes.append(code)
        for game, code in zip(games, codes):
            with native.Socket(server) as one:
                table = one.ask('table', type='watch', table=code)
                while not table['over']:
                    table = one.hear_until('table')
            # Masters of Renaissance goes on without a player, and then without the other.
            check(table['result']['why'] == ('played' if game == 'renaissance' else 'time'), f'{table["result"]}')
            event = loss(server, code)
            check(event['rule'] == 'clocks C2' and event['stamps']['allowed_ms'] == 1000, f'{event}')
        server.stop()
        told(server, 'verify', 'all')


def bots_never_lose_on_time():
    """Tables of strong bots want all threads there are; others have one second for a whole game, and no increment."""
    with native.Server(PARLOR, ['--free-loopback']) as server:
        # Thoughts of a quarter of a second, one after the other: the test waits for one of them at every step.
        for _ in range(4):
            server.open('santorini', bots=[{'seat': seat, 'level': 4} for seat in (0, 1)])
        strong = [{'seat': seat, 'level': 5} for seat in (0, 1)]
        games = [game['name'] for game in native.wire.ask.told(PARLOR, 'games')]
        codes = [(game, server.open(game, seats=2, bots=strong, game_ms=1000)['code']) for game in games]
        for game, code in codes:
            with native.Socket(server) as one:
                table = one.ask('table', type='watch', table=code)
                while not table['over']:
                    table = one.hear_until('table')
            check(table['result']['why'] == 'played', f'{game}: {table["result"]}')
            server.connection = None  # it may have been idle for too long
            used = {0: 0, 1: 0}
            at = 1
            while at:
                page = server.get(f'/tables/{code}/journal?from={at}')
                for event in page['events']:
                    if event['kind'] == 'action':
                        used[event['seat']] += event['used_ms']
                at = page['next']
            check(max(used.values()) < 1000, f'{game}: {used}')
        server.kill()


def every_way_to_lose_is_explained():
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', '--move-timeout', '1']) as server:
        players = [wire.Client(server.ugs_port) for _ in range(2)]
        for player, nick in zip(players, ('ann', 'bob')):
            player.send(wire.player_login(nick, 'paper-soccer'))
            player.expect(wire.ACCEPTED)
        state = r'<message type="gameState"><gameId id="(\d+)"/><nextPlayer nick="(\w+)"/><gameState></gameState></message>'
        code, _ = players[0].expect(state).groups()
        while 'gameOver' not in players[0].read_message():
            pass
        event = loss(server, code)
        check((event['kind'], event['reason'], event['rule'], event['why']) == ('timeout', 'time', 'clocks C1', 'no move within 1 s'), f'{event}')
        check(event['stamps']['allowed_ms'] == 1000 <= event['stamps']['used_ms'], f'{event}')

        code, tokens = server.two()
        server.post(f'/tables/{code}/resign', token=tokens[1])
        event = loss(server, code)
        check(event['reason'] == 'resigned' and 'stamps' not in event, f'{event}')
        check('resigned, asked' not in told(server, 'show', code), 'no clock had a part in it')
        server.kill()


CASES = [(case.__name__.replace('_', ' '), case) for case in (
    a_game_clock_is_used_and_outlives_a_restart, who_has_no_time_left_loses_with_stamps,
    protocols_have_clocks_for_the_whole_game, bots_never_lose_on_time,
    every_way_to_lose_is_explained)]

if __name__ == '__main__':
    wire.run_cases(CASES)
