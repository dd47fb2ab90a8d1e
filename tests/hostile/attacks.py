#!/usr/bin/env python3
"""What one stranger may try: floods of cheap requests with dear answers, of garbage, of things that are begun and never ended,
and of answers that nobody reads. A program of its own, so that whoever is honest does not wait for it; it goes on until it is
ended, comes back when it is thrown out, and says "ready" when all its connections have said something.

usage: attacks.py KIND CONNECTIONS NAME=PORT...
"""
import base64
import collections
import os
import selectors
import socket
import ssl
import struct
import sys
import time

PIECE_BYTES = 15 * 1024
READ_BYTES = 1 << 18
HOME = '127.0.0.66'  # strangers have an address of their own
RETURN_S = 0.5  # after which a stranger who was thrown out is back
BODY_BYTES = 64 * 1024


def repeat(request):
    return request * (PIECE_BYTES // len(request))


def frame(text):
    """A masked frame of WebSocket with less than 126 bytes; the mask is 0."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


def get(path):
    return f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n'.encode()


def upgrade():
    key = base64.b64encode(os.urandom(16)).decode()
    return (f'GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
            f'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n').encode()


def plain(path):
    return get(path).replace(b'Accept-Encoding: gzip\r\n', b'')


def client_hello():
    """The first words of a client of TLS."""
    outgoing = ssl.MemoryBIO()
    try:
        ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname='localhost').do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


# kind: (listener, what is said first, what is said after it again and again, whether answers are read)
KINDS = {
    'lobby': ('http', upgrade(), repeat(frame(b'{"type":"lobby"}')), False),
    'lobby-read': ('http', upgrade(), repeat(frame(b'{"type":"lobby"}')), True),
    'openapi': ('http', b'', repeat(get('/api/v1/openapi.json')), True),
    'list': ('http', b'', repeat(get('/api/v1/tables?limit=100')), True),
    'questions': ('http', b'', repeat(get('/api/v1/tables?limit=1')), True),
    'unread': ('http', b'', repeat(plain('/api/v1/openapi.json')), False),
    'bodies': ('http', f'POST /api/v1/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
               f'Content-Length: {BODY_BYTES}\r\n\r\n'.encode() + b' ' * (BODY_BYTES - 1), b'', True),
    'fragments': ('http', upgrade() + struct.pack('>BBHI', 0x01, 0xfe, 60000, 0) + b'x' * 60000, b'', True),
    'ugs': ('ugs', b'', repeat(b'<message type="ping"/>'), True),
    'ugs-partial': ('ugs', b'<message type="playerLogin"><playerLogin nick="' + b'x' * 200000, b'', True),
    'santorini': ('santorini', b'', repeat(b'x\n'), True),
    'renaissance': ('renaissance', b'', repeat(b'x\n'), True),
    'eriantys': ('eriantys', b'', repeat(b'{"type":"nonsense"}\n'), True),
    'handshakes': ('https', client_hello() + b'garbage', b'', True),  # the server signs, and throws out
    'handshakes-partial': ('https', client_hello()[:-1], b'', True),
    'lines-partial': ('santorini', b'{"type":"' + b'x' * 60000, b'', True),
    'comers': ('http', get('/api/v1/tables?limit=1'), b'', True),
}
TOGETHER = ['comers']  # kinds whose strangers go all at the same moment, when each has said something, and come back


class Stranger:
    """One connection, and the next one when it is over."""

    def __init__(self, kind, port, selector, away):
        _, self.first, self.piece, self.reads = KINDS[kind]
        self.port, self.selector, self.away, self.has_spoken = port, selector, away, False
        self.connect()

    def connect(self):
        self.socket = socket.socket()
        if not self.reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.socket.bind((HOME, 0))
        self.socket.connect_ex(('127.0.0.1', self.port))
        self.rest = memoryview(self.first or self.piece)
        self.selector.register(self.socket, selectors.EVENT_WRITE | self.reading(), self)

    def reading(self):
        return selectors.EVENT_READ if self.reads else 0

    def turn(self, events):
        try:
            if events & selectors.EVENT_READ and not self.socket.recv(READ_BYTES):
                raise ConnectionError
            if events & selectors.EVENT_WRITE:
                self.rest = self.rest[self.socket.send(self.rest):]
        except BlockingIOError:
            return
        except OSError:
            self.leave()
            return
        if not self.rest:
            self.has_spoken = True
            self.rest = memoryview(self.piece)
            if not self.piece:  # what was begun is never ended
                self.selector.modify(self.socket, selectors.EVENT_READ, self)

    def leave(self):
        self.selector.unregister(self.socket)
        self.socket.close()
        self.returns_at = time.monotonic() + RETURN_S
        self.away.append(self)


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    ports = {name: int(port) for name, port in (word.split('=') for word in sys.argv[3:])}
    selector = selectors.DefaultSelector()
    away = collections.deque()  # those who were thrown out, in the order of their return
    strangers = [Stranger(kind, ports[KINDS[kind][0]], selector, away) for _ in range(count)]
    is_ready = False
    while True:
        for key, events in selector.select(max(0, away[0].returns_at - time.monotonic()) if away else None):
            key.data.turn(events)
        while away and away[0].returns_at <= time.monotonic():
            away.popleft().connect()
        if (is_ready and kind not in TOGETHER) or not all(stranger.has_spoken for stranger in strangers):
            continue
        if not is_ready:
            is_ready = True
            print('ready', flush=True)
        if kind in TOGETHER:
            for stranger in strangers:
                stranger.leave()
                stranger.has_spoken = False


if __name__ == '__main__':
    main()
