"""What the tests of the native API share: requests whose answers are held against the OpenAPI document that the server
itself gives out, a WebSocket client by hand, and players. Written from docs/api.md alone.
"""
import base64
import hashlib
import http.client
import json
import os
import re
import socket
import struct
import time

import hunt
import schema
import wire

NO_TOKEN = '0' * 32
DELAY_LONG_MS = 24 * 60 * 60 * 1000  # no test lives so long
OF_OTHER_PROTOCOLS = {'get /api/v1/tables/{code}/wire', 'post /api/v1/tables/{code}/wire', 'get /api/v1/tables/{code}/wire/{n}',
                      'get /api/v1/championships', 'post /api/v1/championships'}
OF_CHAMPIONSHIPS = {('get ' if what.endswith('csv') or what == '' else 'post ') + '/api/v1/championships/{name}' + what for what in (
    '', '/entrants', '/leave', '/start', '/pause', '/resume', '/cancel', '/disqualify', '/replay', '/standings.csv', '/pairings.csv')} | {'get /api/v1/ratings'}


def check(condition, text):
    if not condition:
        raise wire.Failure(text)


class Description:
    """The OpenAPI document: which answer has which form."""

    def __init__(self, document):
        self.document = document
        self.schemas = schema.Schemas.__new__(schema.Schemas)
        self.schemas.files = {'openapi': document}
        for name, inner in document['components']['schemas'].items():
            self.schemas.look_over('openapi', inner)
            check(isinstance(inner, dict), name)
        self.paths = [(re.compile(re.sub(r'\{\w+\}', '[^/]+', path) + '$'), path) for path in document['paths']]
        self.seen = set()

    def operation(self, method, path):
        """The operation that a request is; None when the document does not know it."""
        plain = path.split('?')[0]
        found = [name for pattern, name in self.paths if pattern.match(plain)]
        if not found:
            return None, None
        exact = plain if plain in found else found[0]
        return exact, self.document['paths'][exact].get({'HEAD': 'get'}.get(method, method.lower()))

    def check_answer(self, method, path, status, content_type, value):
        name, operation = self.operation(method, path)
        if operation is None:
            check(status in (404, 405), f'{method} {path} is not in the document, and yet answered with {status}')
            answer = {'$ref': '#/components/responses/Problem'}
        else:
            check(str(status) in operation['responses'], f'{method} {path}: the document knows no answer {status}: {value}')
            answer = operation['responses'][str(status)]
            self.seen.add((method, name, status))
        if '$ref' in answer:
            _, answer = self.schemas.find('openapi', answer['$ref'])
        check(content_type in answer['content'], f'{method} {path}: {content_type}')
        wrong = self.schemas.walk('openapi', answer['content'][content_type]['schema'], value, '')
        check(wrong is None, f'{method} {path} -> {status}: {wrong}')

    def unanswered(self):
        """The operations that have not been answered well so far."""
        seen = {f'{method.lower()} {path}' for method, path, status in self.seen if status in (200, 201)}
        return {f'{method} {path}' for path, operations in self.document['paths'].items() for method in operations
                if not path.endswith(('/ws', '/openapi.json'))} - seen

    def check_part(self, name, value):
        wrong = self.schemas.walk('openapi', {'$ref': '#/components/schemas/' + name}, value, '')
        check(wrong is None, f'{name}: {wrong}')


class Server(hunt.Server):
    """A server with its --http listener, spoken to as the API."""

    def __init__(self, parlor, options=(), data=None):
        super().__init__(parlor, options, data)
        self.description = Description(json.loads(self.request('GET', '/api/v1/openapi.json')[2]))

    @property
    def ugs_port(self):
        return wire.ask.port(self.addresses['ugs'])

    def ask_api(self, method, path, body=None, token=None, status=None, headers=()):
        """The JSON of an answer, which must be as the document says; and of this status when one is given."""
        head = dict(headers)
        if token:
            head['Authorization'] = 'Bearer ' + token
        if body is not None:
            head.setdefault('Content-Type', 'application/json')
        data = json.dumps(body) if isinstance(body, (dict, list)) else body
        found, answer_head, text = self.request(method, '/api/v1' + path, data, head)
        value = json.loads(text)
        self.description.check_answer(method, '/api/v1' + path, found, answer_head['Content-Type'], value)
        if found >= 400:
            check(value['status'] == found, f'{value} has come with {found}')
        check(status is None or found == status, f'{method} {path}: {found} instead of {status}: {value}')
        return value

    def get(self, path, token=None, status=200):
        return self.ask_api('GET', path, token=token, status=status)

    def post(self, path, body=None, token=None, status=200):
        return self.ask_api('POST', path, body, token, status)

    def refused(self, method, path, error, body=None, token=None, status=None):
        value = self.ask_api(method, path, body, token, status)
        check(value.get('error') == error, f'{method} {path} {body}: {value} instead of {error}')
        return value

    def open(self, game, **fields):
        return self.post('/tables', dict(fields, game=game), status=201)

    def sit(self, code, name, **fields):
        return self.post(f'/tables/{code}/seats', dict(fields, name=name), status=201)

    def two(self, game='paper-soccer', **fields):
        """(code, [token, token]) of a table that two people have taken."""
        code = self.open(game, **fields)['code']
        return code, [self.sit(code, name)['token'] for name in ('ann', 'bob')]

    def act(self, code, token, *actions, version=None, status=200):
        body = {'actions': list(actions)}
        if version is not None:
            body['version'] = version
        return self.post(f'/tables/{code}/actions', body, token, status)

    def again(self):
        """Killed without warning, and started again on the same data."""
        self.kill()
        return Server(self.parlor, self.options, self.data)


def request_from(server, origin, method, path, body=None, headers=()):
    """(status, text) of one HTTP request from an address."""
    connection = http.client.HTTPConnection('127.0.0.1', server.port, timeout=wire.DEADLINE_S, source_address=(origin, 0))
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def handshake(path, key):
    """The request that turns a connection into a WebSocket."""
    return (f'GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n'
            f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n').encode()


def frame(first, payload):
    """A masked frame, as clients send them."""
    mask = os.urandom(4)
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else \
        struct.pack('>BH', 0x80 | 126, len(payload)) if len(payload) < 65536 else \
        struct.pack('>BQ', 0x80 | 127, len(payload))
    return bytes([first]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


class Socket:
    """A WebSocket client: text messages both ways, with nothing but the standard library."""

    def __init__(self, server, receive_buffer=None):
        self.server = server
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(wire.DEADLINE_S)
        self.socket.connect(('127.0.0.1', server.port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(handshake('/api/v1/ws', key))
        self.data = b''
        while b'\r\n\r\n' not in self.data:
            self.more()
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        accept = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest())
        lines = [line.split(b': ', 1) for line in head.split(b'\r\n')[1:]]  # a proxy may write the names otherwise
        check(head.startswith(b'HTTP/1.1 101 ') and [b'sec-websocket-accept', accept] in [[name.lower(), value] for name, value in lines],
              f'handshake: {head!r}')

    def more(self):
        try:
            data = self.socket.recv(65536)
        except socket.timeout:
            raise wire.Failure(f'nothing comes; so far {self.data[:500]!r}') from None
        check(data, f'the stream has ended after {self.data[:500]!r}')
        self.data += data

    def take(self, size):
        while len(self.data) < size:
            self.more()
        data, self.data = self.data[:size], self.data[size:]
        return data

    def frame(self):
        """(opcode, payload) of the next frame; frames of the server are whole and not masked."""
        first, second = self.take(2)
        check(first & 0x80 and not second & 0x80, f'frame {first:x} {second:x}')
        size = second
        if size == 126:
            size = struct.unpack('>H', self.take(2))[0]
        elif size == 127:
            size = struct.unpack('>Q', self.take(8))[0]
        return first & 0x0f, self.take(size)

    def send_frame(self, first, payload):
        self.socket.sendall(frame(first, payload))

    def say(self, **message):
        self.send_frame(0x81, json.dumps(message).encode())

    def hear(self):
        """The next message; pings are answered, but are no reason to wait for ever."""
        ending = time.monotonic() + wire.DEADLINE_S
        while True:
            opcode, payload = self.frame()
            check(time.monotonic() < ending, 'nothing comes but pings')
            if opcode == 9:
                self.send_frame(0x8a, payload)
                continue
            check(opcode == 1, f'opcode {opcode}: {payload!r}')
            return self.look(json.loads(payload))

    def look(self, message):
        """Holds what has a form in the document against it."""
        rest = {key: value for key, value in message.items() if key not in ('type', 'id', 'gap', 'events')}
        if message['type'] == 'table':
            self.server.description.check_part('Table', rest)
            for event in message['events']:
                self.server.description.check_part('Event', event)
        elif message['type'] == 'tried':
            self.server.description.check_part('TriedTable', rest)
        elif message['type'] == 'lobby':
            self.server.description.check_part('Tables', dict(rest, next=None))
        elif message['type'] == 'lobby-table':
            self.server.description.check_part('Summary', message['table'])
        elif message['type'] == 'wire':
            self.server.description.check_part('Wire', dict(rest, next=0))
        return message

    def hear_until(self, kind, condition=lambda message: True):
        """Reads on until such a message comes."""
        while True:
            message = self.hear()
            if message['type'] == kind and condition(message):
                return message

    def skip(self, text):
        """Reads on, without looking closely, until a frame has this in it."""
        while text not in self.frame()[1]:
            pass

    def ask(self, kind, **message):
        """Says something and gives the answer to it; what comes in between is passed over."""
        self.say(id='ask', **message)
        while True:
            answer = self.hear()
            if answer.get('id') == 'ask':
                check(answer['type'] == kind, f'{message}: {answer}')
                return answer

    def expect_close(self, code):
        opcode, payload = self.frame()
        while opcode != 8:
            opcode, payload = self.frame()
        check(payload[:2] == struct.pack('>H', code) if code else payload == b'', f'closed with {payload!r}, not {code}')

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def play_out(server, code, tokens, choose, plies_max=5000):
    """Plays a table to its end: those whose tokens these are act by choice, the bots by themselves. Returns the table."""
    with Socket(server) as watcher:
        table = watcher.ask('table', type='watch', table=code)
        for _ in range(plies_max):
            if table['over']:
                return table
            movers = [seat for seat in table['turn'] if seat in tokens]
            if movers:
                own = server.get(f'/tables/{code}', tokens[movers[0]])
                if own['version'] == table['version'] and not own['over']:
                    actions = own['legal'] or own['legal_samples']
                    answer = server.ask_api('POST', f'/tables/{code}/actions', {'version': own['version'],
                                                                              'actions': [choose(actions)]}, tokens[movers[0]])
                    check('error' not in answer or answer['error'] == 'conflict', f'{answer}')
            version = table['version']
            table = watcher.hear_until('table', lambda message: message['version'] > version or message['over'])
    raise wire.Failure(f'{code} does not end')
