#!/usr/bin/env python3
"""parlor admin: what the operator sees and does at a running server, over its socket; and who may not. Speaks TAP.

usage: admin.py PARLOR
"""
import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

import native
import wire
from metrics import LocalConnection, parse, sums
from native import check

PARLOR = os.path.abspath(sys.argv[1])
NOBODY = 65534


class Server(native.Server):
    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory(prefix='parlor-admin-')
        self.path = os.path.join(self.folder.name, 'admin.sock')
        super().__init__(PARLOR, [*wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR)), '--log-level', 'info', '--admin', f'{self.path},127.0.0.1:0', *options])

    def ports(self):
        return {name: wire.ask.port(address) for name, address in self.addresses.items() if ':' in address}

    def admin(self, *words, status=0):
        """What the command prints: on standard output, or when it fails on standard error."""
        done = subprocess.run([PARLOR, 'admin', '--socket', self.path, *words], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
        check(done.returncode == status, f'{words}: {done}')
        check((done.stderr if status == 0 else done.stdout) == '', f'{words}: {done}')
        return done.stdout if status == 0 else done.stderr

    def asked(self, *words):
        return json.loads(self.admin(*words, '--json'))

    def logged(self, command):
        return [line for line in self.error_text().splitlines() if f' info admin command="{command}" ' in line]


def status_and_lists():
    with Server() as server:
        code, _ = server.two()
        told = server.asked('status')
        check(told['tables'] == 1 and told['writable'] and not told['draining'] and told['said'] == 'the server is ready', f'{told}')
        check('tables: 1\n' in server.admin('status') and server.admin('status').endswith('the server is ready\n'), 'status as text')
        table, = server.asked('tables')['tables']
        check((table['table'], table['game'], table['state'], table['seats'], table['free']) == (code, 'paper-soccer', 'running', 2, 0), f'{table}')
        check(re.search(rf'^{code}\tpaper-soccer\tapi\trunning\t2\t0\t', server.admin('tables'), re.M), server.admin('tables'))
        listed = server.asked('connections')['connections']
        check({row['listener'] for row in listed} == {'http', 'admin'} and {row['address'] for row in listed} == {'127.0.0.1', ''}, f'{listed}')
        check(server.asked('bans') == {'bans': []} and server.asked('championships') == {'championships': []}, 'something is there')


def a_table_is_closed():
    with Server() as server:
        code, _ = server.two()
        with native.Socket(server) as watcher:
            watcher.ask('table', type='watch', table=code)
            check(server.admin('close-table', code) == f'table {code} ends undecided\n', 'not said')
            table = watcher.hear_until('table', lambda message: message['over'])
        check('undecided' in json.dumps(table['result']), f'{table["result"]}')
        check('is finished' in server.admin('close-table', code, status=1), 'it can end twice')
        check('there is no table ZZZZZ here' in server.admin('close-table', 'ZZZZZ', status=1), 'no such table')
        check(len(server.logged('close-table')) == 3 and f'uid={os.geteuid()} pid=' in server.logged('close-table')[0], f'{server.error_text()}')


def a_connection_is_closed():
    with Server() as server:
        peer = socket.create_connection(('127.0.0.1', server.ports()['santorini']), timeout=wire.DEADLINE_S)
        peer.makefile('rb').readline()
        number, = [row['connection'] for row in server.asked('connections')['connections'] if row['listener'] == 'santorini']
        check(server.admin('close-connection', str(number)) == f'connection {number} is closed\n', 'not said')
        with contextlib.suppress(ConnectionResetError):
            while peer.recv(4096):
                pass
        check('no such connection' in server.admin('close-connection', str(number), status=1), 'it is closed twice')
        check("'soon' is no number" in server.admin('close-connection', 'soon', status=2), 'a word is a number')


def is_let_in(server):
    peer = socket.create_connection(('127.0.0.1', server.ports()['santorini']), timeout=wire.DEADLINE_S)
    try:
        return peer.makefile('rb').readline() != b''
    except ConnectionResetError:
        return False
    finally:
        peer.close()


def an_address_is_banned():
    with Server() as server:
        check(is_let_in(server), 'nobody comes in')
        check(re.match(r'127\.0\.0\.1 is banned for 60 seconds; \d+ connections from there are closed\n', server.admin('ban', '127.0.0.1', '60')), 'not said')
        check(not is_let_in(server), 'somebody comes in')
        ban, = server.asked('bans')['bans']
        check(ban['address'] == '127.0.0.1' and 0 < ban['seconds'] <= 60, f'{ban}')
        _, _, text = answer(LocalConnection(server.path), 'GET', '/metrics')
        check(sums(parse(text), 'parlor_limit_hits', 'limit') == {('bans',): 1}, 'it is not counted')
        check(server.admin('lift', '127.0.0.1') == '127.0.0.1 is not banned any more\n', 'not said')
        check(is_let_in(server), 'nobody comes in again')
        server.admin('lift', '127.0.0.1', status=1)
        server.admin('ban', 'example.org', status=1)
        server.admin('ban', '192.0.2.1', '0', status=1)


def answer(connection, method, path, body=None, headers=()):
    connection.request(method, path, body, dict(headers))
    found = connection.getresponse()
    return found.status, found.headers, found.read().decode()


def an_address_behind_a_proxy_is_banned():
    with Server('--trusted-proxy', '127.0.0.1') as server:
        server.admin('ban', '192.0.2.7')
        for client, status in (('192.0.2.7', 403), ('192.0.2.8', 200)):
            web = http.client.HTTPConnection('127.0.0.1', server.ports()['http'], timeout=wire.DEADLINE_S)
            found, _, text = answer(web, 'GET', '/api/v1/games', headers=[('X-Forwarded-For', client)])
            check(found == status and (status == 200 or json.loads(text)['error'] == 'banned'), f'{client}: {found} {text}')
            web.close()


def everybody_is_told():
    with Server() as server:
        with native.Socket(server) as first, native.Socket(server) as second:
            for each in (first, second):
                each.ask('pong', type='ping')
            check(server.admin('announce', 'The server ends at noon.') == 'announced to 2 connections of the API and the page\n', 'not said')
            for each in (first, second):
                message = each.hear_until('announcement', lambda message: True)
                check(message == {'type': 'announcement', 'text': 'The server ends at noon.'}, f'{message}')
        check('one line' in server.admin('announce', 'a\nb', status=1), 'two lines')


def championships():
    with Server() as server:
        check(server.admin('open-championship', 'paper-soccer', '3') == 'championship paper-soccer#1 is open for 3 players\n', 'not said')
        check('from 2 to 1024' in server.admin('open-championship', 'paper-soccer', '1', status=1), 'a championship of one')
        row, = server.asked('championships')['championships']
        check((row['championship'], row['state'], row['paused'], row['players'], row['entered']) == ('paper-soccer#1', 'open', False, 3, 0), f'{row}')
        server.admin('pause', 'paper-soccer#1')
        programs = [wire.Process([PARLOR, 'bot', 'paper-soccer', '--connect_to', f'127.0.0.1:{server.ports()["ugs"]}', '--nick', nick, '--kind', 'random', '--game-type',
                                  'paper-soccer#1']) for nick in ('ann', 'bob', 'eve')]
        until(lambda: server.asked('championships')['championships'][0]['state'] == 'running')
        row, = server.asked('championships')['championships']
        check(row['paused'] and row['entered'] == 3 and server.asked('status')['tables'] == 0, f'{row}')
        server.admin('resume', 'paper-soccer#1')
        until(lambda: server.asked('championships')['championships'][0]['state'] == 'finished')
        for program in programs:
            program.process.wait(timeout=wire.DEADLINE_S)
            program.kill()
        server.admin('open-championship', 'paper-soccer', '2')
        peer = wire.Client(server.ports()['ugs'])
        peer.send(wire.player_login('zoe', 'paper-soccer#2'))
        until(lambda: server.asked('championships')['championships'][1]['entered'] == 1)
        check('is cancelled' in server.admin('cancel', 'paper-soccer#2'), 'not said')
        until(lambda: server.asked('championships')['championships'][1]['state'] == 'finished')
        peer.close()
        check('is over' in server.admin('cancel', 'paper-soccer#2', status=1) and 'no such' in server.admin('pause', 'chess#1', status=1), 'twice')


def championships_with_a_format():
    with Server() as server:
        def state():
            row, = server.asked('championships')['championships']
            return row['state']
        check(server.admin('open', 'spring', 'santorini', 'round-robin') == 'championship spring is opened\n', 'not said')
        check('of this name' in server.admin('open', 'spring', 'santorini', 'swiss', status=1), 'twice')
        check('format is' in server.admin('open', 'summer', 'santorini', 'league', status=1), 'a league')
        check('0 entrants' in server.admin('begin', 'spring', status=1), 'begun without anybody')
        for bot in ('Rook', 'Pawn'):
            server.admin('enter-bot', 'spring', bot, '5')
        check('has this name' in server.admin('enter-bot', 'spring', 'Rook', '1', status=1), 'twice')
        check('level' in server.admin('enter-bot', 'spring', 'King', '6', status=1), 'a level that is none')
        until(lambda: server.asked('championships')['championships'][0]['entered'] == 2)
        row, = server.asked('championships')['championships']
        check(row == {'championship': 'spring', 'type': 'santorini', 'state': 'open', 'paused': False, 'players': 2, 'entered': 2}, f'{row}')
        check('is open' in server.admin('pause', 'spring', status=1), 'paused before it begins')
        server.admin('begin', 'spring')
        until(lambda: state() == 'running')
        server.admin('pause', 'spring')
        until(lambda: state() == 'paused')
        server.admin('resume', 'spring')
        until(lambda: state() == 'running')
        check('as it stands' in server.admin('cancel', 'spring'), 'not said')
        until(lambda: state() == 'cancelled')
        check('is cancelled' in server.admin('cancel', 'spring', status=1), 'twice')
        check('no such' in server.admin('begin', 'winter', status=1) and 'no such' in server.admin('enter-bot', 'winter', 'x', '1', status=1), 'winter')
        check(len(server.logged('begin')) >= 2, server.error_text())


def until(condition):
    while not condition():
        pass


def draining_ends_the_server():
    with Server() as server:
        code, tokens = server.two()
        check('no more tables are opened' in server.admin('drain') and server.asked('status')['draining'], 'not said')
        check(server.refused('POST', '/tables', 'draining', {'game': 'paper-soccer'}, status=503)['reason'], 'a table opens')
        check('tables are opened again' in server.admin('undrain'), 'not said')
        other = server.open('paper-soccer')['code']
        server.admin('close-table', other)
        server.admin('drain')
        check(server.process.poll() is None, 'it has ended before its table')
        mover = server.get(f'/tables/{code}')['turn'][0]
        server.post(f'/tables/{code}/resign', token=tokens[mover])
        server.wait()
        check(' info drained ' in server.error_text(), server.error_text())


def options_are_read_again():
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as file:
        with Server('--config', file.name) as server:
            check('read again' in server.admin('reload') and ' info reloaded ' in server.error_text(), 'not said')
            file.write('nonsense = 1\n')
            file.flush()
            check('nothing has changed' in server.admin('reload', status=1) and ' error reload-refused ' in server.error_text(), 'not said')


def others_may_not():
    with Server() as server:
        tcp = http.client.HTTPConnection('127.0.0.1', server.ports()['admin-tcp'], timeout=wire.DEADLINE_S)
        check(answer(tcp, 'GET', '/admin/status')[0] == 403 == answer(tcp, 'POST', '/admin/drain')[0], 'commands over TCP')
        check(server.request('POST', '/admin/drain')[0] == 404, 'commands of players')
        local = LocalConnection(server.path)
        check(answer(local, 'GET', '/admin/drain')[0] == 405 and answer(local, 'GET', '/admin/nothing')[0] == 404, 'a path that is none')
        check(answer(local, 'POST', '/admin/announce', '[]')[0] == 400 == answer(local, 'POST', '/admin/announce', '{')[0], 'a body that is none')
        check(not server.asked('status')['draining'], 'it drains')
        if os.geteuid() == 0:  # the mode is opened for others, and still they may not
            os.chmod(server.folder.name, 0o755)
            os.chmod(server.path, 0o666)
            code = f'import os,socket; os.setuid({NOBODY}); s=socket.socket(socket.AF_UNIX); s.connect({server.path!r}); s.send(b"GET /admin/status HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"); print(len(s.recv(99)))'
            done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
            check(done.stdout.strip() == '0' or 'reset' in done.stderr or 'Broken pipe' in done.stderr, f'{done}')


def wrong_calls_are_refused():
    done = subprocess.run([PARLOR, 'admin', '--socket', '/nowhere/socket', 'status'], capture_output=True, text=True, check=False)
    check(done.returncode == 1 and 'no server answers at /nowhere/socket' in done.stderr, f'{done}')
    for words in (['nothing'], ['ban'], ['status', 'now'], ['open-championship', 'chess']):
        done = subprocess.run([PARLOR, 'admin', *words], capture_output=True, text=True, check=False)
        check(done.returncode == 2 and "see 'parlor admin --help'" in done.stderr, f'{done}')


def main():
    wire.run_cases([
        ('status, tables and connections', status_and_lists),
        ('a table is closed', a_table_is_closed),
        ('a connection is closed', a_connection_is_closed),
        ('an address is banned', an_address_is_banned),
        ('an address behind a proxy is banned', an_address_behind_a_proxy_is_banned),
        ('everybody is told', everybody_is_told),
        ('championships are opened, paused, gone on with and cancelled', championships),
        ('championships with a format', championships_with_a_format),
        ('draining ends the server after its last table', draining_ends_the_server),
        ('options are read again', options_are_read_again),
        ('others may not', others_may_not),
        ('wrong calls are refused', wrong_calls_are_refused),
    ])


main()
