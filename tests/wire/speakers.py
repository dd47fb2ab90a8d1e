"""The clients of the recorded conversations, one class for each way to speak: what a line of a conversation is in bytes,
where a message ends, what is passed over, and what is said when the server ends. PROTOCOLS has who speaks which protocol; one
that is not there is spoken in lines of JSON.

All of them are streams, so every conversation can be played in other pieces than it was written in.
"""
import collections
import json
import os
import select
import ssl
import struct
import time

import java_streams
import native
import schema
import wire

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs')


class UgsClient(wire.Client):
    """XML over TCP. A message is exactly the bytes of its line; the declaration before answers is understood."""
    head = wire.DECLARATION
    goodbye = ('<message type="serverShutdown"></message>',)

    def __init__(self, server, name, _company, _path):
        super().__init__(server.port, name)

    @staticmethod
    def start(parlor, options):
        # who waits alone for a while would be seated otherwise than those who meet at once
        return wire.Server(parlor, options if '--lobby-after' in options else ('--lobby-after', '0', *options))

    def frame(self, data):
        return data

    def is_beat(self, _message):
        return False

    def settle(self, server):
        """Waits until the server has read all that was sent: it has when it answers somebody who came later."""
        late = wire.Client(server.port, 'late')
        late.send('<message type="ping"/>')
        late.read_message()
        late.close()


class PortServer(wire.ProtocolServer):
    """A server with one listener, which is named like the option."""

    def __init__(self, listener, parlor, options):
        self.protocol = listener
        super().__init__(parlor, ('--store', 'memory', *options))


class LineClient(wire.Client):
    """JSON, one object a line. Every line of the server is held against its schema."""
    head = ''
    goodbye = ()
    options = ()
    beats = ('ping',)  # what comes whenever its time has come: passed over, unless it is what is expected
    answers_pings = True
    ping, pong = '{"type":"ping"}', b'{"type":"pong"}'
    question = ()  # something that is refused at any time, and how; (): the end of the stream tells what was not expected
    schemas = None

    def __init__(self, server, name, company, _path):
        super().__init__(server.port, name)
        self.company = company
        self.lines = collections.deque()
        self.is_ended = False

    @classmethod
    def start(cls, parlor, options):
        return PortServer(cls.listener, parlor, (*cls.options, *options))

    def frame(self, data):
        return data + b'\n'

    def read_more(self):
        """Hears all clients until there is something for this one: nobody may be taken for gone while another is waited for."""
        ending = time.monotonic() + wire.DEADLINE_S
        while not self.is_ended:
            here = {client.socket: client for client in self.company.values() if not client.is_ended}
            ready = select.select(list(here), [], [], max(ending - time.monotonic(), 0))[0]
            if not ready:
                raise wire.Failure(f'{self.name}: nothing comes; so far {self.data!r}')
            for link in ready:
                here[link].hear()
            if self.socket in ready:
                break
        return not self.is_ended

    def receive(self):
        if not wire.TLS:
            return self.socket.recv(65536)
        self.socket.setblocking(False)
        try:
            return self.socket.recv(65536)
        finally:
            self.socket.settimeout(wire.DEADLINE_S)

    def hear(self):
        """Takes what has come."""
        try:
            data = self.receive()
        except ConnectionResetError:
            data = b''
        except ssl.SSLWantReadError:
            return  # what came was for TLS itself
        self.is_ended = not data
        self.data += data
        for line in self.split():
            self.lines.append(line)
            if self.answers_pings and line == self.ping:
                try:
                    self.socket.sendall(self.frame(self.pong))
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the end is still to be read

    def split(self):
        """The messages that are whole; what is left of the data comes later."""
        *lines, self.data = self.data.split(b'\n')
        return [line.decode() for line in lines]

    def read_bytes(self, size):
        raise wire.Failure('lines are compared whole: use <')

    def read_message(self):
        while not self.lines:
            if self.is_ended or not self.read_more():
                if self.data:
                    raise wire.Failure(f'{self.name}: the stream ends in {self.data!r}')
                if not self.lines:
                    return None
        line = self.lines.popleft()
        if self.schemas is not None:
            wire.check_schema(self.schemas, 'server', json.loads(line))
        return line

    def is_beat(self, message):
        return json.loads(message)['type'] in self.beats

    def settle(self, _server):
        """All that the server has to say about what was sent before has come when its answer to this comes."""
        if not self.question:
            return
        question, answer = self.question
        self.send(self.frame(question.encode()))
        while True:
            message = self.read_message()
            if message == answer:
                return
            if message is None or not self.is_beat(message):
                raise wire.Failure(f'{self.name}: nobody expects {message}')


class SantoriniClient(LineClient):
    listener = 'santorini'
    schemas = schema.load(os.path.join(DOCS, 'protocols', 'santorini'))
    answers_pings = False  # who never answers one is borne with for long
    goodbye = ('{"type":"disconnect"}',)
    question = '{"type":"settle"}', '{"type":"error","description":"the type \'settle\' is not known"}'


class EriantysClient(LineClient):
    listener = 'eriantys'
    schemas = schema.load(os.path.join(DOCS, 'protocols', 'eriantys'))
    beats = 'ping', 'waitingRoomUpdate'
    options = '--eriantys-silence', '600'
    goodbye = ('{"type":"error","message":"the server is shutting down"}',)
    question = '{"type":"login","name":""}', '{"type":"login","success":false}'


class RenaissanceClient(LineClient):
    listener = 'renaissance'
    schemas = schema.load(os.path.join(DOCS, 'protocols', 'renaissance'))
    options = '--renaissance-silence', '600'
    question = '{"type":"loginRequest","username":"-"}', '{"type":"usernameResponse","isFree":false,"username":null}'


class RenaissanceJavaClient(LineClient):
    """Java object streams. A message is written as the name of its class and its fields as JSON; pauses are short, because these
    clients handle messages in their order."""
    listener = 'renaissance-java'
    options = '--renaissance-silence', '600', '--renaissance-java-pause', '0.001'
    ping, pong = 'Ping {}', b'Pong {}'
    question = 'LoginMessage {"username":"-"}', 'UsernameResponse {"isFree":false,"nickname":null}'

    def __init__(self, server, name, company, path):
        super().__init__(server, name, company, path)
        self.has_header = False
        self.send(java_streams.HEADER)

    def frame(self, data):
        return java_streams.encode(data.decode())

    def split(self):
        if not self.has_header and len(self.data) >= len(java_streams.HEADER):
            if not self.data.startswith(java_streams.HEADER):
                raise wire.Failure(f'{self.name}: no stream of objects: {self.data!r}')
            self.has_header, self.data = True, self.data[len(java_streams.HEADER):]
        while self.has_header and (decoded := java_streams.decode(self.data)):
            line, self.data = decoded
            yield line

    def is_beat(self, message):
        return message == self.ping


class HttpClient(wire.Client):
    """HTTP/1.1 on a connection that is kept. A request is written METHOD PATH [Bearer TOKEN] [BODY], its answer STATUS BODY,
    without the declaration of XML. Answers of the native API are held against its OpenAPI document."""
    head = ''
    goodbye = ()
    with open(os.path.join(DOCS, 'api', 'openapi.json'), encoding='utf-8') as file:
        description = native.Description(json.load(file))

    def __init__(self, server, name, _company, _path):
        super().__init__(server.port, name)
        self.asked = collections.deque()  # (method, path) of requests that have no answer yet

    @staticmethod
    def start(parlor, options):
        return PortServer('http', parlor, ('--hunt-poll-interval', '0', *options))

    def frame(self, data):
        method, path, *rest = data.split(b' ', 2)
        body = rest[0] if rest else b''
        head = b''
        if body.startswith(b'Bearer '):
            token, _, body = body[7:].partition(b' ')
            head = b'Authorization: Bearer ' + token + b'\r\n'
        if path.startswith(b'/api/') and body:
            head += b'Content-Type: application/json\r\n'
        self.asked.append((method.decode(), path.decode()))
        return b'%b %b HTTP/1.1\r\nHost: localhost\r\n%bContent-Length: %d\r\n\r\n%b' % (method, path, head, len(body), body)

    def read_message(self):
        while b'\r\n\r\n' not in self.data:
            if not self.read_more():
                if self.data:
                    raise wire.Failure(f'{self.name}: the stream ends in {self.data!r}')
                return None
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        first, *fields = head.decode().split('\r\n')
        fields = {name.lower(): value.strip() for name, value in (field.split(':', 1) for field in fields)}
        status = int(first.split()[1])
        body = self.read_bytes(int(fields['content-length'])).decode()
        method, path = self.asked.popleft()
        if path.startswith('/api/'):
            self.description.check_answer(method, path, status, fields['content-type'], json.loads(body))
        if body.startswith(wire.DECLARATION):
            body = body[len(wire.DECLARATION):]
        return f'{status} {body}'

    def is_beat(self, _message):
        return False

    def settle(self, _server):
        self.send(self.frame(b'GET /settle'))
        message = self.read_message()
        if message is None or not message.startswith('404 '):
            raise wire.Failure(f'{self.name}: nobody expects {message}')


class SocketClient(wire.Client):
    """Text messages of WebSocket. The end that the server announces is the message "close CODE"."""
    head = ''
    goodbye = ('close 1001',)

    def __init__(self, server, name, _company, path):
        super().__init__(server.port, name)
        self.send(native.handshake(path, 'dGhlIHNhbXBsZSBub25jZQ=='))
        while b'\r\n\r\n' not in self.data:
            if not self.read_more():
                raise wire.Failure(f'{name}: no handshake, but {self.data!r}')
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        if not head.startswith(b'HTTP/1.1 101 '):
            raise wire.Failure(f'{name}: {head!r}')

    def frame(self, data):
        return native.frame(0x81, data)

    def read_message(self):
        while self.data or self.read_more():
            opcode, size = self.read_bytes(2)
            if size >= 126:
                size = int.from_bytes(self.read_bytes(2 if size == 126 else 8), 'big')
            payload = self.read_bytes(size)
            if opcode == 0x89:
                self.send(native.frame(0x8a, payload))
            elif opcode == 0x88:
                return f'close {struct.unpack(">H", payload[:2])[0]}'
            else:
                return payload.decode()
        return None

    def is_beat(self, message):
        """Who is online changes by the clock: a table of which nothing new is told."""
        value = json.loads(message) if message.startswith('{') else {}
        return value.get('type') == 'table' and 'id' not in value and not value['gap'] and not value['events']

    def settle(self, _server):
        self.send(self.frame(b'{"type":"ping","id":"settle"}'))
        message = self.read_message()
        while message is not None and self.is_beat(message):
            message = self.read_message()
        if message != '{"type":"pong","id":"settle"}':
            raise wire.Failure(f'{self.name}: nobody expects {message}')


PROTOCOLS = {'ugs': UgsClient, 'santorini': SantoriniClient, 'eriantys': EriantysClient, 'renaissance': RenaissanceClient,
             'renaissance-java': RenaissanceJavaClient, 'treasure': HttpClient, 'api': HttpClient}


def speaker_of(protocol):
    """The class of its clients."""
    return PROTOCOLS.get(protocol) or type('Client', (LineClient,), {'listener': protocol})
