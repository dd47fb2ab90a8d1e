#!/usr/bin/env python3
"""The log and the signals of a real server: its forms, what is never in it, what is said at the door, and what SIGHUP and SIGTERM do. Speaks TAP.

usage: logs.py PARLOR
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'hostile'))
import hostile  # noqa: E402  (found by the line above)
import native  # noqa: E402
import wire  # noqa: E402
from native import check  # noqa: E402

PARLOR = os.path.abspath(sys.argv[1])
EVERYTHING = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
TEXT = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warn|error) [a-z-]+(?: [a-z_]+=(?:-?\d+|"(?:[^"\\]|\\.)*"))*')
JOURNAL = '/run/systemd/journal/socket'
STRANGERS = 50
UNREAD_REQUESTS = 64
SECRET = 'Sesame-open-up-4711'
PLAIN = r"[\w .,:;#'/()=+\[\]-]*"  # what any other field may say
# What a line says of a table and its players, and of what form.
FIELDS = {
    'table': r'[0-9A-Z]{1,10}', 'game': r'[a-z-]+', 'protocol': r'[a-z-]+', 'seats': r'\d', 'outcome': r'played|forfeited|undecided', 'events': r'\d+',
    'points': r'-?\d+( -?\d+)*', 'address': r'[\d.:\[\]a-f]*(/64)?|/.*/admin\.sock', 'why': None, 'rule': r'([a-z-]+ R\d+)?', 'type': r'[\w-]+', 'nick': r'[\w-]+',
    'number': r'\d+', 'what': r'[a-z ]+', 'status': r'\d{3}', 'memory_bytes': r'\d+', 'memory_peak_bytes': r'\d+', 'players': r'\d+', 'id': r'\d+', 'name': r'[\w#-]+',
    'mistakes': r'\d+', 'champion': r'[\w-]+', 'error': r'\d+', 'text': r'[a-zA-Z ,.]+',
}


class Server(native.Server):
    def __init__(self, *options):
        super().__init__(PARLOR, [*EVERYTHING, *options])

    def ports(self):
        return {name: wire.ask.port(address) for name, address in self.addresses.items()}

    def lines(self):
        return self.error_text().splitlines()

    def until(self, word):
        """Waits for a line of the log."""
        while word not in self.error_text():
            check(self.process.poll() is None, f'the server has ended: {self.error_text()[-2000:]}')
            self.get('/tables?limit=1')  # goes by in its time

    def end(self):
        self.process.terminate()
        self.wait()


def play_everything(server):
    for player in list(hostile.pairs(server)):
        player.finish()
    tokens = []
    for game in wire.ask.game_names(PARLOR):
        code = server.open(game, seats=2, bots=[{'seat': 1, 'level': 1}])['code']
        tokens.append(server.sit(code, 'ann', seat=0)['token'])
        native.play_out(server, code, {0: tokens[-1]}, lambda actions: actions[0])
    return tokens


def every_line_is_text():
    with Server('--log-level', 'debug') as server:
        play_everything(server)
        server.end()
        check(len(server.lines()) > 20, 'hardly anything was said')
        for line in server.lines():
            check(TEXT.fullmatch(line), f'{line!r}')


def every_line_is_json():
    with Server('--log-level', 'debug', '--log-format', 'json') as server:
        play_everything(server)
        server.end()
        told = [json.loads(line) for line in server.lines()]
    check(all({'time', 'level', 'event'} <= set(line) for line in told), f'{told[:3]}')
    began, ended = ([line for line in told if line['event'] == event] for event in ('table-began', 'table-ended'))
    # In the Universal Game System two who have played are put together again if they have not gone yet.
    games, played = 2 * len(wire.ask.game_names(PARLOR)), [line for line in ended if line['outcome'] == 'played']
    check(len(began) == len(ended) and len(played) == games, f'{games} games: {len(began)} began, {len(ended)} ended, {len(played)} played')
    check({line['game'] for line in ended} == set(wire.ask.game_names(PARLOR)), 'a game is missing')


def nothing_secret_is_said():
    """Tokens, secrets of seats, of dice and of the operator, ids of players: none is in any line; and what a line says of a table has a known form."""
    operator = 'ab' * 16
    with tempfile.NamedTemporaryFile('w', suffix='.token') as file:
        file.write(operator)
        file.flush()
        with Server('--log-level', 'debug', '--inspect', file.name) as server:
            tokens = play_everything(server)
            peer = socket.create_connection(('127.0.0.1', server.ports()['renaissance']), timeout=wire.DEADLINE_S)
            stream = peer.makefile('rb')
            for secret in (SECRET, SECRET * 10):  # the second one is refused
                peer.sendall(json.dumps({'type': 'username', 'username': 'eve', 'secret': secret}).encode() + b'\n')
                stream.readline()
            peer.close()
            server.refused('POST', '/tables', 'field-invalid', {'game': 'paper-soccer', 'seats': SECRET})
            server.ask_api('GET', '/tables/ABCDE', token=SECRET)
            done = subprocess.run([PARLOR, 'journal', 'export', '--all', '--data', os.path.join(server.data, 'data')], capture_output=True, text=True,
                                  check=True, timeout=wire.DEADLINE_S * 2)
            dice = re.findall(r'secret of the dice ([0-9a-f]{64})', done.stdout)
            server.end()
            log = server.error_text()
    check(len(dice) >= 2 * len(wire.ask.game_names(PARLOR)), f'{len(dice)} secrets of dice')
    for word in (*tokens, *dice, operator, SECRET):
        check(word not in log, f'the log has {word!r}')
    check(not re.search(r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}', log), 'the log has the id of a player')
    for line in log.splitlines():
        for name, text, number in re.findall(r' ([a-z_]+)=(?:"((?:[^"\\]|\\.)*)"|(-?\d+))', line):
            form = FIELDS.get(name, PLAIN)
            check(form is None or re.fullmatch(form, text or number), f'{name}={text or number}: {line}')
            check('{' not in text and '<' not in text, f'a message of a client: {line}')
            check(not re.search(r'[0-9a-f]{20}', text), f'something that nobody can guess: {line}')


def the_journal_is_found_by_itself():
    """Where systemd says that standard error is its journal, and there is no socket, lines have their priority before them."""
    if os.path.exists(JOURNAL):
        return
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, 'log'), 'w+b') as log:
        status = os.fstat(log.fileno())
        for stream, pattern in ((f'{status.st_dev}:{status.st_ino}', rb'<6>2'), ('1:1', rb'2')):
            log.seek(0)
            log.truncate()
            process = subprocess.Popen([PARLOR, 'serve', *wire.ask.listen(PARLOR, 'http'), '--store', 'memory', '--data', folder], stderr=log,
                                       stdout=subprocess.PIPE, env=dict(os.environ, JOURNAL_STREAM=stream))
            process.stdout.readline()
            process.terminate()
            check(process.wait(timeout=wire.DEADLINE_S) == 0, 'no orderly end')
            process.stdout.close()
            log.seek(0)
            check(all(re.match(pattern, line) for line in log.readlines()), f'{stream}: {pattern}')


def crowds_at_the_door_leave_one_line():
    with Server('--log-level', 'info', '--connections-max', '1') as server:
        server.get('/tables?limit=1')
        for _ in range(STRANGERS):
            peer = socket.create_connection(('127.0.0.1', server.ports()['santorini']), timeout=wire.DEADLINE_S)
            try:
                check(peer.recv(1) == b'', 'there was room')
            except ConnectionResetError:
                pass
            peer.close()
        lines = [line for line in server.lines() if 'refused-at-door' in line]
        check(1 <= len(lines) <= 5 and 'limit="connections" option="connections-max"' in lines[0], f'{lines}')


class Configured:
    """A server whose configuration file can be written again."""

    def __init__(self, *lines):
        self.file = tempfile.NamedTemporaryFile('w', suffix='.conf')
        self.write(*lines)
        self.server = Server('--config', self.file.name, '--log-level', 'info')

    def write(self, *lines):
        self.file.seek(0)
        self.file.truncate()
        self.file.write('\n'.join(lines) + '\n')
        self.file.flush()

    def reload(self, word):
        count = self.server.error_text().count(word)
        self.server.process.send_signal(signal.SIGHUP)
        while self.server.error_text().count(word) == count:
            self.server.get('/tables?limit=1')
        return [line for line in self.server.lines() if word in line][-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()
        self.file.close()


def hangup_reloads():
    with Configured('address-tables-max = 1') as told:
        server = told.server
        server.open('paper-soccer')
        server.refused('POST', '/tables', 'address-full', {'game': 'paper-soccer'}, status=429)
        line = told.reload(' reloaded ')
        check(line.endswith('changed="" needs_restart=""'), line)
        told.write('address-tables-max = 2', 'players-max = 7', 'memory-max = 64M')
        line = told.reload(' reloaded ')
        check(line.endswith('changed="address-tables-max memory-max" needs_restart="players-max"') or
              line.endswith('changed="memory-max address-tables-max" needs_restart="players-max"'), line)
        server.open('paper-soccer')
        server.refused('POST', '/tables', 'address-full', {'game': 'paper-soccer'}, status=429)
        told.write('address-tables-max = many')
        told.reload(' reload-refused ')
        server.refused('POST', '/tables', 'address-full', {'game': 'paper-soccer'}, status=429)
        told.write('address-tables-max = 3', 'players-max = 7', 'memory-max = 64M')
        line = told.reload(' reloaded ')
        check(line.endswith('changed="address-tables-max" needs_restart="players-max"'), line)
        server.open('paper-soccer')
        server.end()


def the_level_changes_while_it_runs():
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as file:
        file.write('log-level = info\n')
        file.flush()
        server = native.Server.__new__(native.Server)
        server.parlor, server.options, server.data, server.connection = PARLOR, (), tempfile.mkdtemp(prefix='parlor-test-'), None
        wire.Process.__init__(server, [PARLOR, 'serve', '--data', os.path.join(server.data, 'data'), *wire.ask.listen(PARLOR, 'http'), '--config', file.name])
        try:
            server.port = wire.ask.port(wire.ask.ready(server.process.stdout.readline().decode())['http'])
            file.seek(0)
            file.write('log-level = debug\nlog-format = json\n')
            file.flush()
            server.process.send_signal(signal.SIGHUP)
            while '"reloaded"' not in server.error_text():
                check(server.request('GET', '/health/live')[0] == 200, 'not alive')
            with socket.create_connection(('127.0.0.1', server.port), timeout=wire.DEADLINE_S) as peer:
                peer.sendall(b'GET / HTTP/9.9\r\n\r\n')
                check(b' 505 ' in peer.recv(4096), 'not refused')
            server.process.terminate()
            server.wait()
            check('"level":"debug"' in server.error_text(), server.error_text())
        finally:
            server.close()


def the_second_signal_ends_at_once():
    """A client that reads nothing keeps the server for some seconds; a second SIGTERM does not wait for it."""
    with Server('--log-level', 'info') as server:
        peer = socket.create_connection(('127.0.0.1', server.port), timeout=wire.DEADLINE_S)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(UNREAD_REQUESTS):
            peer.sendall(b'GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n')
        check(peer.recv(1) == b'H', 'no answer')
        server.get('/tables?limit=1')
        server.process.send_signal(signal.SIGTERM)
        while 'number=15' not in server.error_text():
            check(server.process.poll() is None, 'it has ended already')
        server.process.send_signal(signal.SIGTERM)
        server.wait()
        check('goodbye-cut-short' not in server.error_text(), 'it has waited for the client')
        check(server.error_text().count('number=15') == 2, 'it has ended with the first signal')
        peer.close()


def main():
    wire.run_cases([
        ('every line is an event with fields', every_line_is_text),
        ('every line is JSON', every_line_is_json),
        ('nothing secret is said', nothing_secret_is_said),
        ('the journal of systemd is found by itself', the_journal_is_found_by_itself),
        ('crowds at the door leave one line', crowds_at_the_door_leave_one_line),
        ('SIGHUP reads the configuration file again', hangup_reloads),
        ('the level of the log changes while it runs', the_level_changes_while_it_runs),
        ('a second SIGTERM ends at once', the_second_signal_ends_at_once),
    ])


if __name__ == '__main__':
    main()
