#!/usr/bin/env python3
"""Bursts: one piece with as many of the most expensive requests of a protocol as fit, from clients that do not read the
answers. What is queued for them stays under the ceiling of a connection (otherwise the server drops it), memory stays
bounded, others are answered meanwhile, and everything arrives as soon as they read.

usage: burst.py PARLOR
"""
import json
import re
import socket
import sys
import time

import hunt
import native
import wire

PARLOR = sys.argv[1]
PIECE_BYTES = 15 * 1024  # what the server reads at once
CONNECTIONS = 20
GROWTH_MB_MAX = 120  # of the server's memory by all of them; each may have a megabyte unsent, and sanitizers keep some
PUBLIC_TABLES = 100
LISTENERS = [word for name in ('ugs', 'santorini', 'renaissance') for word in ('--' + name, '127.0.0.1:0')]

wire.Process.sanitizer += ':quarantine_size_mb=4'


class Server(native.Server):
    """One that listens for every protocol."""

    def __init__(self, options=()):
        super().__init__(PARLOR, [*LISTENERS, *options])

    def port_of(self, protocol):
        return wire.ask.port(self.addresses[protocol])

    def peak_mb(self):
        with open(f'/proc/{self.process.pid}/status', encoding='ascii') as file:
            return int(re.search(r'VmHWM:\s+(\d+) kB', file.read()).group(1)) // 1024

    def check_undisturbed(self):
        log = self.error_text()
        native.check('slow-consumer-dropped' not in log, f'more was queued than a connection may have: {log[-300:]}')


def repeat(request):
    """(piece, how many requests it is)"""
    count = PIECE_BYTES // len(request)
    return request * count, count


def connect(port):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(wire.DEADLINE_S)
    client.connect(('127.0.0.1', port))
    return client


def count_answers(client, pattern, count):
    """Reads until so many answers have come; the pattern is how they begin, in less than 64 bytes."""
    found, rest, ending = 0, b'', time.monotonic() + wire.DEADLINE_S
    while found < count:
        try:
            data = client.recv(1 << 20)
        except socket.timeout:
            raise wire.Failure(f'{found} of {count} answers have come, and then no more') from None
        native.check(time.monotonic() < ending, f'only {found} of {count} answers have come')
        native.check(data, f'the stream has ended after {found} of {count} answers')
        data = rest + data
        last = 0
        for match in re.finditer(pattern, data):
            found += 1
            last = match.end()
        rest = data[max(last, len(data) - 64):]
    native.check(found == count, f'{found} answers to {count} requests')


def burst(server, open_client, piece, count, pattern):
    """Clients send the piece and do not read; another is answered; then the first of them reads, and all of its answers
    are there."""
    before = server.peak_mb()
    clients = [open_client() for _ in range(CONNECTIONS)]
    for client in clients:
        client.sendall(piece)
    for _ in range(3):  # each time the server has gone through all of its sockets
        server.get('/tables?limit=1')
    growth = server.peak_mb() - before
    native.check(growth < GROWTH_MB_MAX, f'the server has grown by {growth} MB')
    print(f'# {count} requests each from {CONNECTIONS}: {growth} MB more', flush=True)
    count_answers(clients[0], pattern, count)
    for client in clients:
        client.close()
    server.get('/tables?limit=1')
    server.check_undisturbed()


def open_socket(server):
    return native.Socket(server, receive_buffer=4096).socket


def websocket_lobby():
    with Server() as server:
        for _ in range(PUBLIC_TABLES):
            server.open('paper-soccer')
        piece, count = repeat(native.frame(0x81, b'{"type":"lobby"}'))
        burst(server, lambda: open_socket(server), piece, count, rb'\{"type":"lobby","tables":')
        server.stop()


def long_table(server):
    """A table that two bots have played to its end."""
    table = server.open('santorini', bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}])
    with native.Socket(server) as watcher:
        shown = watcher.ask('table', type='watch', table=table['code'])
        if not shown['over']:
            watcher.hear_until('table', lambda message: message['over'])
    return table


def websocket_watch():
    """The whole journal with every answer."""
    with Server() as server:
        code = long_table(server)['code']
        request = json.dumps({'type': 'watch', 'table': code, 'version': 0}).encode()
        piece, count = repeat(native.frame(0x81, request))
        burst(server, lambda: open_socket(server), piece, count, rb'\{"type":"table","code":')
        server.stop()


def websocket_inspect():
    """Everything that the inspector has recorded with every answer."""
    with Server() as server:
        table = server.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, inspect=True)
        for _ in range(20):
            server.request('POST', f'/games/{table["code"]}/moves', '<wrong>' + 'x' * 5000 + '</wrong>')
        request = json.dumps({'type': 'inspect', 'id': 1, 'table': table['code'], 'token': table['owner_token']}).encode()
        piece, count = repeat(native.frame(0x81, request))
        burst(server, lambda: open_socket(server), piece, count, rb'\{"type":"wire","id":1,')
        server.stop()


def wire_client(server, protocol):
    return connect(server.port_of(protocol))


def json_lines(protocol, line):
    """The shortest line that is answered with a refusal and ends nothing. In Eriantys there is none: eight end the
    connection."""
    def case():
        with Server() as server:
            piece, count = repeat(line)
            burst(server, lambda: wire_client(server, protocol), piece, count, rb'\{"type":"error')
            server.stop()
    return case


def ugs():
    with Server() as server:
        piece, count = repeat(b'<message type="ping"/>')
        burst(server, lambda: wire_client(server, 'ugs'), piece, count, rb'<message type="error">')
        server.stop()


def http_large():
    """The largest document that there is for everybody, and the list of tables."""
    with Server() as server:
        for _ in range(PUBLIC_TABLES):
            server.open('paper-soccer')
        for path in ('/api/v1/openapi.json', '/api/v1/tables?limit=100'):
            piece, count = repeat(f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.encode())
            burst(server, lambda: connect(server.port), piece, count, rb'HTTP/1\.1 200 OK\r\n')
        server.stop()


def http_behind_one_that_waits():
    """Answers that are there, but may not leave before that to a poll that came too early."""
    with Server(['--hunt-poll-interval', '1']) as server:
        game = server.create()
        player = hunt.Player(server, game)
        path = f'/games/{game}/states/{player.id}'
        early = f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.encode() * 2
        piece, count = repeat(b'GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
        burst(server, lambda: connect(server.port), early + piece, count + 2, rb'HTTP/1\.1 200 OK\r\n')
        server.stop()


wire.run_cases([
    ('WebSocket: the lobby', websocket_lobby),
    ('WebSocket: a table with its journal', websocket_watch),
    ('WebSocket: the inspector', websocket_inspect),
    ('UGS', ugs),
    ('Santorini', json_lines('santorini', b'x\n')),
    ('Masters of Renaissance', json_lines('renaissance', b'x\n')),
    ('HTTP: large answers', http_large),
    ('HTTP: large answers behind one that waits', http_behind_one_that_waits),
])
