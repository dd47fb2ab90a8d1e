#!/usr/bin/env python3
"""The real server on a real PostgreSQL that syncs: the server is killed, the database is killed, and nothing that anybody
was told is missing.

usage: postgres_store.py PARLOR [--rounds N] [--pairs N] [--seed N]
"""
import os
import re
import select
import selectors
import signal
import socket
import subprocess
import sys
import time

import crash
import native
import wire

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import postgres  # noqa: E402  (found by the line above)

PARLOR = crash.OPTIONS.parlor
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'goldens', 'paper-soccer-65-turns.txt')
KILLS = 3  # of the database, while players move
TRIES = 5


def server_is_killed():
    with postgres.Postgres() as database:
        crash.crash_rounds_on(database.url)


def told_of(players):
    return [sum(map(len, player.told.values())) for player in players]


def commands_take_a_database():
    """Beside a running server: by its own role, and by one that may only look and is shown no secret."""
    with postgres.Postgres() as database, native.Server(PARLOR, ['--store', database.url, '--store-alone']) as server:
        code, _ = server.two('renaissance', seats=2)
        database.sql('CREATE ROLE viewer LOGIN; GRANT USAGE ON SCHEMA parlor TO viewer; '
                     'GRANT SELECT ON ALL TABLES IN SCHEMA parlor TO viewer')
        native.check('could not be checked yet' in crash.journal(database.url_of('viewer'), 'verify'), 'a viewer knows the secret')
        native.check(code in crash.journal(database.url_of('viewer'), 'list'), 'a viewer cannot list')
        for arguments, status in ((['journal', 'import', GOLDEN], 0), (['replay', code], 0), (['journal', 'backup', os.devnull], 2),
                                  (['journal', 'repair'], 2)):
            done = subprocess.run([PARLOR, *arguments, '--store', database.url], stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=wire.DEADLINE_S, check=False)
            native.check(done.returncode == status, f'{arguments} ended with {done.returncode}: {done.stderr}')
        native.check('2 tables' in crash.journal(database.url, 'verify'), 'the imported table is not there')
        server.stop()


def games_go_on(players, selector, told):
    crash.play(players, selector, lambda states: states > crash.MOVES_AFTER_MAX or all(
        now > then for now, then in zip(told_of(players), told)))
    if any(now <= then for now, then in zip(told_of(players), told)):
        raise wire.Failure('a game does not go on after the database is back')


def database_killed_once(database, server, players, selector):
    """Everybody is told that nothing can be saved, and then every game goes on by itself."""
    before = told_of(players)
    crash.play(players, selector, lambda states: states >= crash.RANDOM.randrange(50, 200))
    for player in players:
        player.errors.clear()
    database.kill()
    crash.play(players, selector, lambda states: all(player.errors for player in players))
    if not all('cannot save' in player.errors[0] for player in players):
        raise wire.Failure(f'{[player.errors for player in players]}')
    wire.log_in(server, f'guest{before[0]}', 'another-game').close()  # what needs no database goes on
    told = told_of(players)
    database.start()
    games_go_on(players, selector, told)
    return crash.compare(database.url, players)


def database_is_killed():
    with postgres.Postgres() as database:
        selector = selectors.DefaultSelector()
        server = crash.Server(database.url)
        try:
            players = [crash.Player(server.port, f'pg{i}', selector) for i in range(6)]
            for _ in range(KILLS):
                checked = database_killed_once(database, server, players, selector)
            text = server.check_log()
            if not re.search(r'store-promise.*(store-failed.*store-recovered.*){%d}' % KILLS, text, re.S):
                raise wire.Failure('the log does not tell of it: ' + text[-2000:])
            server.process.send_signal(signal.SIGTERM)
            crash.play(players, selector, lambda states: False)
            server.wait()
            crash.journal(database.url, 'verify')
        finally:
            server.kill()
    print(f'# the database was killed {KILLS} times; {checked} messages were told, none is missing in the journal')


def table_goes_on():
    """A table of the API over two servers, one after the other, and the commands that look at it."""
    with postgres.Postgres() as database:
        options = ['--store', database.url, '--store-alone']
        server = native.Server(PARLOR, options)
        code = server.open('paper-soccer')['code']
        tokens = [server.sit(code, name)['token'] for name in ('ann', 'bob')]

        def act():
            mover = tokens[server.get(f'/tables/{code}')['turn'][0]]
            action = server.get(f'/tables/{code}', mover)['legal'][0]
            server.post(f'/tables/{code}/actions', {'actions': [action]}, mover)
        act()
        shown = server.get(f'/tables/{code}')
        server.close()
        server = native.Server(PARLOR, options)
        native.check(server.get(f'/tables/{code}')['version'] == shown['version'], 'the table is not the same')
        act()
        native.check(server.get(f'/tables/{code}')['version'] > shown['version'], 'it does not go on')
        native.check(code in crash.journal(database.url, 'list', '--running'), 'it is not listed')
        native.check('ann sits' in crash.journal(database.url, 'show', code), 'it cannot be shown')
        crash.journal(database.url, 'verify', code)
        native.check(len(crash.journal(database.url, 'export', code).splitlines()) >= 5, 'it cannot be exported')
        native.check(database.sql('SELECT count(*) FROM parlor.secrets WHERE table_id <> 0') == '1', 'its secret is not kept')
        server.stop()


def standby_takes_over():
    """With a standby nothing else must be said; and when the primary is killed, it has everything that anybody was told."""
    with postgres.Postgres() as database:
        database.begin_standby()
        server = native.Server(PARLOR, ['--store', database.standby.url, '--log-level', 'info'])
        native.check('and at the standby of standby' in server.error_text(), server.error_text())
        server.stop()
        server.close()
        selector = selectors.DefaultSelector()
        server = crash.Server(database.standby.url)
        try:
            players = [crash.Player(server.port, f'st{i}', selector) for i in range(6)]
            crash.play(players, selector, lambda states: states >= 200)
            for player in players:
                player.errors.clear()
            database.kill()
            crash.play(players, selector, lambda states: all(player.errors for player in players))
            told = told_of(players)
            database.standby.promote()
            games_go_on(players, selector, told)
            print(f'# {crash.compare(database.standby.url, players)} messages were told, none is missing at the standby')
            server.process.send_signal(signal.SIGTERM)
            crash.play(players, selector, lambda states: False)
            server.wait()
            crash.journal(database.standby.url, 'verify')
        finally:
            server.kill()


def until_ready_is(server, status):
    """What /health/ready says when it has this status at last."""
    until = time.monotonic() + wire.DEADLINE_S
    while time.monotonic() < until:
        found, _, text = server.request('GET', '/health/ready')
        if found == status:
            return text
    raise wire.Failure(f'/health/ready does not become {status}')


def health_follows_the_database():
    """One that hangs is no better than one that is gone; the server is alive all the time."""
    with postgres.Postgres() as database, native.Server(PARLOR, ['--store', database.url, '--store-alone']) as server:
        until_ready_is(server, 200)
        database.halt()
        try:
            native.check(b'does not answer' in until_ready_is(server, 503), 'another reason')
            native.check(server.request('GET', '/health/live')[0] == 200, 'not alive')
        finally:
            database.go_on()
        until_ready_is(server, 200)
        database.kill()
        native.check(b'store-failed' in until_ready_is(server, 503), 'another reason')
        database.start()
        until_ready_is(server, 200)
        server.stop()


def has_bytes(plain):
    return bool(select.select([plain], [], [], 0)[0])


def looking_back_holds_up_nobody():
    """The database hangs while somebody asks for finished tables: everybody else is answered before that is."""
    asked = b'GET /api/v1/tables?state=finished HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    with postgres.Postgres() as database, native.Server(PARLOR, ['--store', database.url, '--store-alone']) as server:
        code, tokens = server.two()
        server.post(f'/tables/{code}/resign', {}, tokens[0])
        native.check([table['code'] for table in server.get('/tables?state=finished')['tables']] == [code], 'it is not listed')
        was_first = False
        for _ in range(TRIES):  # the wait for a database that hangs ends, and a machine may be busy for as long
            until_ready_is(server, 200)
            with socket.create_connection(('127.0.0.1', server.port), timeout=wire.DEADLINE_S) as plain:
                database.halt()
                try:
                    plain.sendall(asked)
                    others = [server.request('GET', '/api/v1/games')[0] for _ in range(3)]
                    was_first = others == [200] * 3 and not has_bytes(plain)
                finally:
                    database.go_on()
                status = plain.recv(1 << 16).split(b' ')[1]
                native.check(status in (b'200', b'503'), f'{status}')
            if was_first:
                break
        native.check(was_first, 'others are answered after whoever waits for the database')
        until_ready_is(server, 200)
        native.check(server.get('/tables?state=finished')['tables'], 'it is not listed any more')
        server.stop()


def promise_is_asked_for():
    with postgres.Postgres() as database:
        for setting, sentence in (('', 'synchronous_standby_names'), ('?options=-csynchronous_commit%3Doff', 'synchronous_commit = on')):
            url = database.url.replace('?', setting + '&' if setting else '?', 1)
            done = subprocess.run([PARLOR, 'serve', '--store', url, *wire.ask.listen(PARLOR, 'ugs')], capture_output=True, text=True,
                                  timeout=wire.DEADLINE_S, check=False)
            native.check(done.returncode == 1 and sentence in done.stderr, f'{done.returncode} {done.stderr}')


def main():
    if postgres.MISSING:
        print(f'1..0 # SKIP {postgres.MISSING}')
        return
    print(f'# seed {crash.OPTIONS.seed}', flush=True)
    wire.run_cases([
        ('a table goes on after kill -9 of the server', table_goes_on),
        ('every command takes a database', commands_take_a_database),
        ('a database that promises too little is refused', promise_is_asked_for),
        ('a database that hangs or is gone: not ready, but alive', health_follows_the_database),
        ('a database that hangs: looking back holds up nobody else', looking_back_holds_up_nobody),
        ('the primary is killed and the standby promoted: it has everything', standby_takes_over),
        (f'{crash.OPTIONS.rounds} rounds of kill -9 of the server: nothing that was said is lost', server_is_killed),
        (f'{KILLS} times kill -9 of the database: players are told, and the games go on by themselves', database_is_killed),
    ])


if __name__ == '__main__':
    main()
