#!/usr/bin/env python3
"""Tables that go on from another one refer to its journal: they cost next to nothing on disk, and whoever looks sees everything,
after a restart, at another node, by every command of `parlor journal`, and in a copy.

usage: origin.py PARLOR VERIFIER
"""
import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile

import native
import wire

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import postgres  # noqa: E402  (found by the line above)

PARLOR, VERIFIER = (os.path.abspath(path) for path in sys.argv[1:3])
GOLDENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'goldens')
TABLES = 40
TABLE_BYTES_MAX = 2000  # of one that goes on from another: its set-up, what stands for the rest, a seat
DEPTH_MAX = 32          # STORE_ORIGINS_MAX


def journal(*words, status=0):
    done = subprocess.run([PARLOR, 'journal', *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=2 * wire.DEADLINE_S, check=False)
    native.check(done.returncode == status, f'{words} ended with {done.returncode}: {done.stdout}{done.stderr}')
    return done.stdout


def started(stack, server):
    """A server that does not outlive the case, whatever becomes of it; its data stay."""
    stack.callback(server.kill)
    return server


def on_disk(data):
    """(rows, bytes) of all events."""
    with contextlib.closing(sqlite3.connect(os.path.join(data, 'parlor.db'))) as database:
        return database.execute('SELECT count(*), sum(length(body) + length(hash) + 32) FROM events').fetchone()


def played(server, code, token=None, until=None):
    """What was done there, by seats and chance, up to a version."""
    events = []
    while True:
        page = server.get(f'/tables/{code}/journal?from={len(events) + 1}', token)['events']
        events += page
        if not page:
            break
    return [event['actions'] for event in events if event['kind'] in ('action', 'chance') and (until is None or event['version'] <= until)]


def finished_hunt(server):
    """A table of two bots that is over, with outcomes of dice; a late version of it, and the seat on turn then."""
    code = server.open('treasure-hunt', bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}])['code']
    native.play_out(server, code, {}, None)
    version = server.get(f'/tables/{code}')['version'] - 2
    while not (turn := server.get(f'/tables/{code}/at/{version}')['turn']):  # somebody, not chance
        version -= 1
    return code, version, turn[0]


def go_on(server, source, version, seat):
    """Eve goes on from there against a bot, and is on turn."""
    return server.open('treasure-hunt', bots=[{'seat': 1 - seat, 'level': 1}], seat={'name': 'eve', 'seat': seat},
                       **{'from': {'code': source, 'version': version}})


def end(server, mine):
    """Eve resigns, unless what she has done, or the bot's answer to it, has ended the game."""
    value = server.ask_api('POST', f'/tables/{mine["code"]}/resign', token=mine['token'])
    native.check(value.get('error', 'table-over') == 'table-over', f'{value}')


def cheap_and_whole():
    with tempfile.TemporaryDirectory(prefix='parlor-origin-') as folder:
        data = os.path.join(folder, 'data')
        with contextlib.ExitStack() as stack:
            server = started(stack, native.Server(PARLOR, [], folder))
            source, version, seat = finished_hunt(server)
            before = on_disk(data)
            origin = {'from': {'code': source, 'version': version}}
            codes = [server.open('treasure-hunt', **origin)['code'] for _ in range(TABLES)]
            rows, size = (after - earlier for after, earlier in zip(on_disk(data), before))
            native.check(rows <= 3 * TABLES and size <= TABLE_BYTES_MAX * TABLES,
                         f'{TABLES} tables of {version} events each take {rows} rows and {size} bytes')
            mine = go_on(server, source, version, seat)
            native.check(mine['view'] == server.get(f'/tables/{source}/at/{version}?as={seat}')['view'], 'another position')
            server.act(mine['code'], mine['token'], mine['legal'][0])
            server = started(stack, server.again())
            end(server, mine)
            whole = played(server, source, until=version)
            native.check(played(server, mine['code'])[:len(whole)] == whole, 'another beginning')
            version_of = server.get(f'/tables/{codes[0]}')['version']
            native.check(version_of > len(whole), f'{version_of} events of which {len(whole)} are referred to')
            server.stop()
        everywhere(folder, data, mine['code'], codes[0])


def everywhere(folder, data, over, running):
    """The commands, and what does not share code with the server."""
    journal('verify', '--data', data)
    exported = journal('export', '--all', '--data', data)
    verified = subprocess.run([sys.executable, VERIFIER], input=exported, capture_output=True, text=True, check=False)
    native.check(verified.returncode == 0, verified.stdout + verified.stderr)
    native.check('given' in exported, 'no outcome was given')
    for code in (over, running):
        native.check(len(journal('show', code, '--all', '--data', data).splitlines()) > 20, 'show leaves something out')
    text = os.path.join(folder, 'text')
    with open(text, 'w', encoding='utf-8') as out:
        out.write(journal('export', over, '--replay', '--data', data))
    journal('import', text, '--data', data)
    copy = os.path.join(folder, 'copy')
    journal('copy', data, copy)
    native.check(on_disk(copy) == on_disk(data), f'the copy has {on_disk(copy)} and not {on_disk(data)}')
    native.check(journal('export', '--all', '--data', copy) == journal('export', '--all', '--data', data), 'another copy')
    repaired = os.path.join(folder, 'repaired')
    os.mkdir(repaired)
    journal('repair', '--data', data, '--output', os.path.join(repaired, 'parlor.db'))
    native.check(journal('export', over, '--data', repaired) == journal('export', over, '--data', data), 'repair has lost something')
    journal('verify', '--data', repaired)
    with contextlib.closing(sqlite3.connect(os.path.join(copy, 'parlor.db'))) as database, database:
        database.execute('UPDATE events SET body = body || x\'00\' WHERE kind = 3 AND table_id = (SELECT origin FROM tables WHERE origin NOT NULL)')
    native.check(over in journal('verify', '--data', copy, status=1), 'a change of the other journal is not noticed')


def not_for_ever():
    """One goes on from another that goes on from another, up to a ceiling."""
    with tempfile.TemporaryDirectory(prefix='parlor-origin-') as folder:
        data = os.path.join(folder, 'data')
        native.Server(PARLOR, [], folder).stop()
        code, version = journal('import', os.path.join(GOLDENS, 'paper-soccer-65-turns.txt'), '--data', data).strip(), 30
        with contextlib.ExitStack() as stack:
            server = started(stack, native.Server(PARLOR, [], folder))
            for _ in range(DEPTH_MAX):
                opened = server.open('paper-soccer', seat={'name': 'eve'}, **{'from': {'code': code, 'version': version}})
                code = opened['code']
                server.sit(code, 'bob')
                server.post(f'/tables/{code}/resign', token=opened['token'])
            server.refused('POST', '/tables', 'from-impossible', {'game': 'paper-soccer', 'from': {'code': code, 'version': version}}, status=422)
            server = started(stack, server.again())
            native.check(len(played(server, code)) > 20, 'something is missing')
            server.stop()
        journal('verify', '--data', data)


def at_other_nodes():
    with postgres.Postgres(is_durable=False) as database, contextlib.ExitStack() as stack:
        one, other = (stack.enter_context(native.Server(PARLOR, ['--store', database.url, '--store-alone'], os.devnull)) for _ in range(2))
        source, version, seat = finished_hunt(one)
        before = int(database.sql('SELECT count(*) FROM parlor.events'))
        mine = go_on(one, source, version, seat)
        there = other.get(f'/tables/{mine["code"]}', mine['token'])
        native.check(there['view'] == mine['view'] and there['version'] >= mine['version'], f'{there} is not {mine}')
        other.act(mine['code'], mine['token'], there['legal'][0])
        end(other, mine)
        whole = played(one, source, until=version)
        for server in (one, other):
            native.check(played(server, mine['code'])[:len(whole)] == whole, 'another beginning')
        rows = int(database.sql('SELECT count(*) FROM parlor.events')) - before
        native.check(rows < len(whole), f'{rows} rows for {len(whole)} actions that are referred to')
        journal('verify', '--store', database.url)


def main():
    cases = [
        ('tables that go on from another are cheap, and whole wherever they are looked at', cheap_and_whole),
        ('tables go on from tables that go on, but not for ever', not_for_ever),
    ]
    if not postgres.MISSING:
        cases.append(('what is opened at one node is played at another', at_other_nodes))
    wire.run_cases(cases)


if __name__ == '__main__':
    main()
