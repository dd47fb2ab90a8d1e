#!/usr/bin/env python3
"""The command line of `parlor serve`: what it refuses and how, its one line on standard output, its data directory,
its configuration file, its end. Speaks TAP.

usage: serve.py PARLOR
"""
import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import ask  # noqa: E402  (found by the line above)

DEADLINE_S = 30
LOGINS = 300  # each is a line of the log; a pipe of 16 KiB takes less than half of them
PARLOR = os.path.abspath(sys.argv[1])
OTHERS = [name for name in ask.listeners(PARLOR) if name not in ('http', 'ugs')]
OFF = [*(word for name in ('http', *OTHERS) for word in ('--' + name, 'off')), '--allow-root']


class Serve:
    """A server that runs in a directory of its own while the block lasts, and must then end with 0."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        self.process = subprocess.Popen([PARLOR, 'serve', *OFF, *self.options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        addresses = ask.ready(line)
        if list(addresses) != ask.listeners(PARLOR) or any(addresses[name] != 'off' for name in OTHERS):
            self.process.kill()
            raise AssertionError(f'not a ready line: {line!r} {self.process.communicate()[1]}')
        self.http, self.host, self.port = addresses['http'], addresses['ugs'].rsplit(':', 1)[0], ask.port(addresses['ugs'])
        return self

    def __exit__(self, *failure):
        self.process.send_signal(signal.SIGTERM)
        rest, errors = self.process.communicate(timeout=DEADLINE_S)
        if failure[0] is None:
            assert (self.process.returncode, rest) == (0, ''), (self.process.returncode, rest, errors)


def refused(status, complaint, *options):
    """The server does not start: exit status, nothing on standard output, and this on standard error."""
    done = subprocess.run([PARLOR, 'serve', *OFF, *options], capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == status, (options, done)
    assert done.stdout == '', (options, done)
    assert complaint in done.stderr, (options, done)


def login(server, nick):
    peer = socket.create_connection((server.host.strip('[]'), server.port), timeout=DEADLINE_S)
    peer.sendall(f'<message type="playerLogin"><playerLogin nick="{nick}" gameType="chess"/></message>'.encode())
    read_until(peer, b'</message>')
    return peer


def read_until(peer, end):
    got = b''
    while not got.endswith(end):
        piece = peer.recv(4096)
        assert piece, got
        got += piece
    return got


def one_line_is_printed_and_the_end_is_orderly():
    with Serve('--ugs', '127.0.0.1:0') as server:
        assert server.host == '127.0.0.1' and server.port > 0
        peer = login(server, 'ann')
        server.process.send_signal(signal.SIGINT)
        assert b'serverShutdown' in read_until(peer, b'</message>')
        assert peer.recv(1) == b''
        peer.close()


def names_and_port_stand_for_an_address():
    with Serve('--ugs', 'localhost:1', '--port', '0') as server:
        assert server.host == '127.0.0.1' and server.port > 1
        login(server, 'ann').close()


def http_listens_where_it_is_told():
    with Serve('--ugs', '127.0.0.1:0') as server:
        assert server.http == 'off'
    with Serve('--ugs', '127.0.0.1:0', '--http', '127.0.0.1:0') as server:
        host, port = server.http.split(':')
        peer = socket.create_connection((host, int(port)), timeout=DEADLINE_S)
        peer.sendall(b'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
        assert peer.makefile('rb').read().startswith(b'HTTP/1.1 404 ')
        peer.close()
    help_text = subprocess.run([PARLOR, 'serve', '--help'], capture_output=True, text=True, check=True).stdout
    assert re.search(r'--http ADDR:PORT .*127\.0\.0\.1:8080', help_text), help_text


def any_listener_can_be_off():
    for name in OTHERS:
        help_text = subprocess.run([PARLOR, 'serve', '--help'], capture_output=True, text=True, check=True).stdout
        assert '(default 1G)' in help_text, help_text
        assert re.search(fr'--{name} ADDR:PORT .*127\.0\.0\.1:\d+', help_text), help_text
        refused(2, f"--{name} cannot be 'here'", f'--{name}', 'here')
    with Serve('--ugs', '127.0.0.1:0', '--http', 'off', '--renaissance=off'):
        pass


def wrong_calls_are_refused():
    refused(2, "--ugs cannot be 'here'", '--ugs', 'here')
    refused(2, "--ugs cannot be '127.0.0.1:65536'", '--ugs', '127.0.0.1:65536')
    refused(2, 'nothing to serve', '--ugs', 'off')
    refused(2, 'number of players from 2', '--championship', 'chess', '1')
    refused(2, 'takes TYPE PLAYERS', '--championship', 'chess')
    refused(2, 'seconds from', '--move-timeout', '-1')
    for size in ('1', '64', '64X', '-64M', 'M', '', '9999999999G', '31M'):
        refused(2, f"--memory-max cannot be '{size}': it takes bytes from 32M to", '--memory-max', size)
    refused(2, 'is more than --renaissance-name-max', '--renaissance-name-min', '16')
    refused(2, 'no option', '--colour', 'blue')
    refused(2, '--lenient-moves is gone: players that send one segment', '--lenient-moves')
    refused(2, "takes options only, no 'blue'", 'blue')


def an_address_that_is_taken_is_refused():
    with Serve('--ugs', '127.0.0.1:0') as server:
        refused(1, 'address already in use', '--ugs', f'127.0.0.1:{server.port}', '--data', 'other')


def a_data_directory_has_one_server():
    with Serve('--ugs', '127.0.0.1:0', '--data', 'one'):
        refused(1, 'another server is using the data directory one', '--ugs', '127.0.0.1:0', '--data', 'one')
    with Serve('--ugs', '127.0.0.1:0', '--data', 'one'):
        pass
    refused(1, 'cannot make the data directory', '--data', 'no/such/place')


def the_command_line_wins_over_the_file():
    with open('parlor.conf', 'w', encoding='utf-8') as file:
        file.write('# comment\nugs = 127.0.0.1:1\nchampionship = chess 3\nnewline = yes\n')
    with Serve('--config', 'parlor.conf', '--ugs', '127.0.0.1:0') as server:
        peer = socket.create_connection((server.host, server.port), timeout=DEADLINE_S)
        peer.sendall(b'<message type="playerLogin"><playerLogin nick="ann" gameType="draughts"/></message>')
        assert b'accept="no"' in read_until(peer, b'</message>\n')
        peer.close()
    with open('parlor.conf', 'w', encoding='utf-8') as file:
        file.write('colour = blue\n')
    refused(2, "parlor.conf:1: no option 'colour'", '--config', 'parlor.conf')
    with open('parlor.conf', 'w', encoding='utf-8') as file:
        file.write('lenient-moves = no\n')
    refused(2, '--lenient-moves is gone', '--config', 'parlor.conf')
    refused(2, '--limit-loopback is gone', '--limit-loopback')


def the_file_that_help_writes_is_read():
    """With every option in a comment, and with all of them set to what they are anyway."""
    conf = subprocess.run([PARLOR, 'serve', '--help=conf'], capture_output=True, text=True, check=True).stdout
    defaults = re.findall(r'^#([\w-]+) = (.*)$', conf, re.M)
    assert len(defaults) > 40, conf
    usable = [(name, value) for name, value in defaults if value == 'no' or not value.isupper()]
    assert ('move-timeout', '30') in usable, usable
    for text in conf, ''.join(f'{name} = {value}\n' for name, value in usable if name not in ask.listeners(PARLOR)):
        with open('parlor.conf', 'w', encoding='utf-8') as file:
            file.write(text)
        with Serve('--config', 'parlor.conf', '--ugs', '127.0.0.1:0'):
            pass


def a_supervisor_gives_sockets_and_is_told():
    """As systemd does it: a socket that listens already, and what becomes of the server."""
    with socket.socket() as listening, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        listening.bind(('127.0.0.1', 0))
        listening.listen()
        told.bind('told')
        told.settimeout(DEADLINE_S)
        number = listening.getsockname()[1]
        fd = listening.fileno()
        process = subprocess.Popen(
            ['/bin/sh', '-c', f'LISTEN_PID=$$ exec "$@" 3<&{fd}', 'sh', PARLOR, 'serve', *OFF, '--ugs', '127.0.0.1:1'],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=(fd,),
            env={**os.environ, 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'ugs', 'NOTIFY_SOCKET': os.path.abspath('told'), 'WATCHDOG_USEC': '9000000'})
        try:
            assert ask.ready(process.stdout.readline())['ugs'] == f'127.0.0.1:{number}'
            assert told.recv(100) == b'READY=1'
            assert told.recv(100) == b'WATCHDOG=1'
            socket.create_connection(('127.0.0.1', number), timeout=DEADLINE_S).close()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=DEADLINE_S)
        said = told.recv(100)
        while said == b'WATCHDOG=1':
            said = told.recv(100)
        assert said == b'STOPPING=1', said


def given(listening, *options):
    """A server on a socket that listens already, as systemd starts it; ready."""
    fd = listening.fileno()
    process = subprocess.Popen(
        ['/bin/sh', '-c', f'LISTEN_PID=$$ exec "$@" 3<&{fd}', 'sh', PARLOR, 'serve', *OFF, '--ugs', 'off', '--http', '127.0.0.1:1', *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, pass_fds=(fd,), env={**os.environ, 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'http'})
    assert ask.ready(process.stdout.readline())['http'].endswith(f':{listening.getsockname()[1]}')
    return process


def a_restart_under_given_sockets_refuses_nobody():
    """Who connects while the old server ends, while there is none, and while the new one starts: none is refused, and who came when the old
    one had gone is answered by the new one."""
    request = b'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

    def attempt():
        peer = socket.create_connection(listening.getsockname(), timeout=DEADLINE_S)
        peer.sendall(request)
        return peer
    with socket.create_server(('127.0.0.1', 0), backlog=1024) as listening:
        old = given(listening)
        with attempt() as peer:
            assert b' 200 ' in read_until(peer, b'\n'), 'not served'
        old.send_signal(signal.SIGTERM)
        during = [attempt() for _ in range(200)]
        assert old.wait(timeout=DEADLINE_S) == 0, old.returncode
        after = [attempt() for _ in range(100)]
        new = given(listening)
        try:
            after.append(attempt())
            for peer in after:
                assert b' 200 ' in read_until(peer, b'\n'), 'who waited is not served'
            for peer in [*during, *after]:
                peer.close()
        finally:
            new.send_signal(signal.SIGTERM)
            new.communicate(timeout=DEADLINE_S)
        assert new.returncode == 0, new.returncode


def connections_have_a_ceiling():
    with Serve('--ugs', '127.0.0.1:0', '--connections-max', '1') as server:
        first = login(server, 'ann')
        second = socket.create_connection((server.host, server.port), timeout=DEADLINE_S)
        assert second.recv(1) == b''
        first.close()
        second.close()


def a_log_that_nobody_reads_stops_nobody():
    """Logins go on when standard error is full; what was dropped is counted, and said when there is room again."""
    with Serve('--ugs', '127.0.0.1:0') as server:
        log = server.process.stderr.fileno()
        fcntl.fcntl(log, fcntl.F_SETPIPE_SZ, 16384)
        for number in range(LOGINS):
            login(server, f'player{number}').close()
        lines, text = [], ''
        while not any('log-dropped' in line for line in lines):
            text += os.read(log, 65536).decode()
            *whole, text = text.split('\n')
            lines += whole
        dropped = int(next(re.search(r' warn log-dropped lines=(\d+)$', line).group(1) for line in lines if 'log-dropped' in line))
        told = sum(' info player-login ' in line for line in lines)
        assert told > 0 and dropped > 0 and told + dropped >= LOGINS, (told, dropped)
        assert all(re.match(r'\d{4}-\d\d-\d\dT', line) for line in lines), lines
        login(server, 'last').close()


def main():
    cases = [one_line_is_printed_and_the_end_is_orderly, names_and_port_stand_for_an_address,
             http_listens_where_it_is_told, any_listener_can_be_off, wrong_calls_are_refused,
             an_address_that_is_taken_is_refused, a_data_directory_has_one_server,
             the_command_line_wins_over_the_file, the_file_that_help_writes_is_read, a_supervisor_gives_sockets_and_is_told, a_restart_under_given_sockets_refuses_nobody,
             connections_have_a_ceiling, a_log_that_nobody_reads_stops_nobody]
    print(f'1..{len(cases)}')
    is_good = True
    for number, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            try:
                case()
                print(f'ok {number} - {case.__name__}', flush=True)
            except (AssertionError, OSError, subprocess.SubprocessError) as failure:
                is_good = False
                print(f'not ok {number} - {case.__name__}\n# {failure!r}', flush=True)
            os.chdir('/')
    sys.exit(0 if is_good else 1)


main()
