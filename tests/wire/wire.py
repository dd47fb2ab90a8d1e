"""What the wire tests share: a running server, raw UGS clients, and TAP.

Written from the protocol page alone, without a line of the server's own code, so that both can be wrong only in
different ways. Nothing here sleeps: clients read until the thing comes; DEADLINE_S is only there so that a test that
waits for something that never comes ends at all.
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import ask  # noqa: E402  (found by the line above)

DEADLINE_S = 60
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


SEED = os.environ.get('PARLOR_SEED', '1')


def seeded(options, data):
    """The options of a server, and a seed unless they have one: what chance decides is the same in every run, and with another
    PARLOR_SEED another. Not on data of an earlier run: codes of tables would come again."""
    return [*options, *(() if data is not None or '--seed' in options else ('--seed', SEED))]


TLS = None  # a certificates.Certificate, or what does as it does: then servers listen as it says, and a Client speaks TLS


def listen(parlor, *names):
    """Options by which these listeners are open and no others."""
    return TLS.listen(parlor, *names) if TLS else ask.listen(parlor, *names)


def port_of(parlor, addresses, name):
    return TLS.port(parlor, addresses, name) if TLS else ask.port(addresses[name])


class Failure(Exception):
    """Something did not come out as it should."""


class Process:
    """A program that is started here and must end well: with the expected status, and nothing from a sanitizer."""

    sanitizer = 'detect_leaks=1:abort_on_error=1'

    def __init__(self, arguments):
        self.arguments = arguments
        self.errors = tempfile.TemporaryFile()
        environment = dict(os.environ, ASAN_OPTIONS=self.sanitizer,
                           UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1')
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=environment)

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().decode('utf-8', 'replace')

    def wait(self, expected=0, deadline_s=DEADLINE_S):
        """Waits for the end; returns what it printed."""
        try:
            output = self.process.communicate(timeout=deadline_s)[0].decode('utf-8', 'replace')
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f'{self.arguments[1]} did not end\n{self.error_text()[-2000:]}') from None
        text = self.error_text()
        if re.search(r'ERROR: \w+Sanitizer|runtime error:|Assertion .* failed', text):
            raise Failure(f'{self.arguments[1]}: {text[-4000:]}')
        if self.process.returncode != expected:
            raise Failure(f'{self.arguments[1]} ended with {self.process.returncode}, not {expected}\n{text[-2000:]}')
        return output

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Server(Process):
    """parlor serve on free ports of the loopback, with a data directory of its own, or one that outlives it."""

    def __init__(self, parlor, options=(), data=None):
        self.has_own_data = data is None
        self.data = data or tempfile.mkdtemp(prefix='parlor-test-')
        super().__init__([parlor, 'serve', '--data', os.path.join(self.data, 'data'),
                          *listen(parlor, 'ugs'), '--log-level', 'warn', *seeded(options, data)])
        guard = threading.Timer(DEADLINE_S, self.kill)
        guard.start()
        self.ready = self.process.stdout.readline().decode().strip()
        guard.cancel()
        self.addresses = ask.ready(self.ready)
        if not self.addresses:
            self.kill()
            raise Failure(f'the server is not ready: {self.ready!r}\n{self.error_text()[-2000:]}')
        self.http_port, self.port = ask.port(self.addresses['http']), port_of(parlor, self.addresses, 'ugs')

    @property
    def address(self):
        return f'127.0.0.1:{self.port}'

    def stop(self, clients=()):
        """SIGTERM: these clients must be told and closed, with nothing before, and the server must end in order."""
        if self.process.poll() is not None:
            self.wait()
            raise Failure('the server has ended before it was told to')
        self.process.send_signal(signal.SIGTERM)
        for client in clients:
            client.expect(SHUTDOWN)
            client.expect_end()
            client.close()
        self.wait()

    def close(self):
        self.kill()
        if self.has_own_data:
            shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class ProtocolServer(Process):
    """parlor serve with the listener of one protocol alone; can be killed and started again on the same data."""
    protocol = None  # "eriantys"; of the classes that follow from this one
    others = ()  # listeners that are open besides

    def __init__(self, parlor, options=(), data=None):
        self.parlor, self.options = parlor, options
        self.data = data or tempfile.mkdtemp(prefix='parlor-test-')
        super().__init__([parlor, 'serve', '--data', os.path.join(self.data, 'data'), *listen(parlor, self.protocol, *self.others),
                          '--log-level', 'warn', *seeded(options, data)])
        guard = threading.Timer(DEADLINE_S, self.kill)
        guard.start()
        ready = self.process.stdout.readline().decode()
        guard.cancel()
        if not ask.ready(ready):
            self.kill()
            raise Failure(f'the server is not ready: {ready!r}\n{self.error_text()[-2000:]}')
        self.addresses = ask.ready(ready)
        self.port = port_of(parlor, self.addresses, self.protocol)

    @property
    def address(self):
        return f'127.0.0.1:{self.port}'

    def killed(self):
        """Another server on the same data, after kill -9."""
        self.kill()
        return type(self)(self.parlor, self.options, self.data)

    def stop(self):
        self.process.terminate()
        self.wait()

    def close(self):
        self.kill()
        shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Pretender:
    """Says to one program whatever a server of JSON lines could say. PORT in its arguments is where."""

    def __init__(self, arguments):
        with socket.create_server(('127.0.0.1', 0)) as listener:
            listener.settimeout(DEADLINE_S)
            port = str(listener.getsockname()[1])
            self.program = Process([argument.replace('PORT', port) for argument in arguments])
            self.socket, _ = listener.accept()
        self.socket.settimeout(DEADLINE_S)
        self.stream = self.socket.makefile('rw', encoding='utf-8', newline='\n')

    def say(self, kind, **fields):
        self.stream.write(json.dumps({'type': kind, **fields}) + '\n')
        self.stream.flush()

    def hear(self, kind):
        answer = json.loads(self.stream.readline())
        if answer['type'] != kind:
            raise Failure(f'{kind} is what should come, not {answer}')
        return answer

    def close(self, expected=0):
        self.stream.close()
        self.socket.close()
        return self.program.wait(expected, deadline_s=100)


def check_schema(schemas, direction, message):
    """A message of one direction ("client", "server") must be as its schema says."""
    name = f'{direction}/{message.get("type")}.json'
    if name not in schemas.files:
        raise Failure(f'no {direction} says {message}')
    wrong = schemas.check(name, message)
    if wrong:
        raise Failure(f'{name}: {wrong}\n  in {json.dumps(message)[:2000]}')


def split_message(data):
    """The number of bytes of the message at the start of data, or 0 when its end has not come. A message is the
    declaration, comments and processing instructions before its root element, and the element."""
    depth, at = 0, 0
    while True:
        at = data.find(b'<', at)
        if at < 0:
            return 0
        for opening, closing in ((b'<!--', b'-->'), (b'<![CDATA[', b']]>'), (b'<?', b'?>')):
            if data.startswith(opening, at):
                end = data.find(closing, at + len(opening))
                if end < 0:
                    return 0
                at = end + len(closing)
                break
        else:
            tag = re.compile(rb'<[^>"\']*(?:"[^"]*"[^>"\']*|\'[^\']*\'[^>"\']*)*>').match(data, at)
            if tag is None:
                return 0
            at = tag.end()
            text = tag.group(0)
            if text.startswith(b'</'):
                depth -= 1
            elif not text.endswith(b'/>'):
                depth += 1
            if depth == 0:
                return at


class Client:
    """One connection to the UGS port."""

    def __init__(self, port, name='client', receive_buffer=None):
        self.name = name
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(DEADLINE_S)
        self.socket.connect(('127.0.0.1', port))
        if TLS:
            self.socket = TLS.client().wrap_socket(self.socket, server_hostname='localhost')
        self.data = b''

    def send(self, text, piece=None):
        """Sends, in one write or in pieces of so many bytes."""
        data = text if isinstance(text, bytes) else text.encode()
        for at in range(0, len(data), piece or max(len(data), 1)):
            self.socket.sendall(data[at:at + (piece or len(data))])

    def read_more(self):
        """False at the end of the stream."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            return False
        except socket.timeout:
            raise Failure(f'{self.name}: nothing comes; so far {self.data!r}') from None
        self.data += data
        return bool(data)

    def read_message(self):
        """The next message as it came; a message must begin where the one before has ended. None at the end."""
        while True:
            size = split_message(self.data)
            if size:
                break
            if not self.read_more():
                if self.data:
                    raise Failure(f'{self.name}: the stream ends in {self.data!r}')
                return None
        message, self.data = self.data[:size], self.data[size:]
        return message.decode()

    def read_bytes(self, size):
        while len(self.data) < size:
            if not self.read_more():
                raise Failure(f'{self.name}: the stream ends after {self.data!r}')
        data, self.data = self.data[:size], self.data[size:]
        return data

    def expect(self, pattern):
        """The next message must match the pattern whole, behind the declaration; returns the match."""
        message = self.read_message()
        if message is None:
            raise Failure(f'{self.name}: expected {pattern}, but the stream has ended')
        match = re.fullmatch(re.escape(DECLARATION) + pattern, message, re.S)
        if match is None:
            raise Failure(f'{self.name}: expected {pattern}\n  but got {message}')
        return match

    def expect_end(self):
        message = self.read_message()
        if message is not None:
            raise Failure(f'{self.name}: expected the end of the stream, but got {message}')

    def close(self):
        self.socket.close()


ERROR = r'<message type="error">[^<]+</message>'
ACCEPTED = r'<message type="loginResponse"><response accept="yes"/></message>'
SHUTDOWN = r'<message type="serverShutdown"></message>'


def player_login(nick, game_type='paper-soccer'):
    return f'{DECLARATION}<message type="playerLogin"><playerLogin nick="{nick}" gameType="{game_type}"/></message>'


def log_in(server, nick, game_type='paper-soccer'):
    """A player who has just been accepted."""
    client = Client(server.port, nick)
    client.send(player_login(nick, game_type))
    client.expect(ACCEPTED)
    return client


def hall_is_here(port):
    """Whether the hall of the Universal Game System is at this node."""
    client = Client(port)
    client.send(player_login('looker', 'another-game'))
    message = client.read_message()
    is_here = message is not None and 'another node' not in message
    if not is_here:
        client.expect_end()
    client.close()
    return is_here


def run_cases(cases):
    """Runs (name, function) one after the other and reports them as TAP."""
    print(f'1..{len(cases)}', flush=True)
    failed = 0
    for number, (name, case) in enumerate(cases, 1):
        started = time.monotonic()
        try:
            case()
            print(f'ok {number} - {name}', flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f'not ok {number} - {name}')
            text = str(error) if isinstance(error, Failure) else traceback.format_exc()
            print('\n'.join(f'# {line}' for line in text.splitlines()))
            print(f'# after {time.monotonic() - started:.1f} s', flush=True)
    sys.exit(1 if failed else 0)
