#!/usr/bin/env python3
"""HTTP/1.1 of a real server over sockets: what is malformed is refused, connections are kept and closed as the client was
told, slow and greedy clients harm nobody. What is served over it has tests of its own; here every path is unknown.

usage: http_port.py PARLOR
"""
import gzip
import http.client
import json
import re
import socket
import struct
import sys

import wire

PARLOR = sys.argv[1]
HTTP = ['--http', '127.0.0.1:0']
HOST = 'Host: localhost\r\n'
NOTHING = '/no/such/path'
GET = f'GET {NOTHING} HTTP/1.1\r\n{HOST}\r\n'
BODY_BYTES_MAX = 64 * 1024
FLOOD_BYTES_MAX = 64 * 1024 * 1024

REFUSED = [  # request, status; each ends the connection
    ('GET /x HTTP/1.1\n' + HOST + '\n', 400),
    ('GET /x HTTP/1.1\r\n' + HOST + 'A: b\r\n folded\r\n\r\n', 400),
    ('GET /x HTTP/1.1\r\n' + HOST + 'A : b\r\n\r\n', 400),
    ('GET /x HTTP/1.1\r\n\r\n', 400),
    ('GET /x HTTP/1.1\r\n' + HOST + HOST + '\r\n', 400),
    ('GET /x\r\n\r\n', 400),
    ('GET /x y HTTP/1.1\r\n' + HOST + '\r\n', 400),
    ('GET x HTTP/1.1\r\n' + HOST + '\r\n', 400),
    ('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400),
    ('<message type="logout"/>', 400),
    ('GET /x HTTP/3.0\r\n' + HOST + '\r\n', 505),
    ('BREW /x HTTP/1.1\r\n' + HOST + '\r\n', 501),
    ('CONNECT x:1 HTTP/1.1\r\n' + HOST + '\r\n', 501),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 400),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Content-Length: +5\r\n\r\nhello', 400),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Transfer-Encoding: chunked\r\n\r\n5\rXhello\r\n0\r\n\r\n', 400),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Transfer-Encoding: gzip\r\n\r\nx', 501),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Expect: rain\r\nContent-Length: 1\r\n\r\nx', 417),
    ('GET /x HTTP/1.1\r\n' + HOST + 'A: ' + 'a' * 9000 + '\r\n\r\n', 431),
    ('GET /' + 'x' * 9000 + ' HTTP/1.1\r\n' + HOST + '\r\n', 431),
    (f'POST /x HTTP/1.1\r\n{HOST}Content-Length: {BODY_BYTES_MAX + 1}\r\n\r\n' + 'x' * (BODY_BYTES_MAX + 1), 413),
    ('POST /x HTTP/1.1\r\n' + HOST + 'Transfer-Encoding: chunked\r\n\r\n' + ('1000\r\n' + 'x' * 4096 + '\r\n') * 17, 413),
]


class Peer(wire.Client):
    """A connection that reads HTTP answers."""

    def answer(self, has_body=True):
        """Status, headers with small names, and body of the next answer."""
        while b'\r\n\r\n' not in self.data:
            if not self.read_more():
                raise wire.Failure(f'{self.name}: the stream ends in {self.data!r}')
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        line, *lines = head.decode('latin-1').split('\r\n')
        match = re.fullmatch(r'HTTP/1\.1 (\d{3}) [A-Za-z -]+', line)
        if match is None:
            raise wire.Failure(f'{self.name}: not a status line: {line!r}')
        headers = dict(re.fullmatch(r'([A-Za-z-]+): (.*)', each).groups() for each in lines)
        headers = {name.lower(): value for name, value in headers.items()}
        status = int(match.group(1))
        if status != 100 and not re.fullmatch(r'\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT', headers.get('date', '')):
            raise wire.Failure(f'{self.name}: no date in {headers}')
        body = self.read_bytes(int(headers.get('content-length', 0))) if has_body else b''
        return status, headers, body

    def expect_answer(self, status):
        got, headers, body = self.answer()
        if got != status:
            raise wire.Failure(f'{self.name}: expected {status} but got {got} {body!r}')
        return headers

    def expect_close(self):
        """The stream must end; a reset would mean that the answer before it could have been lost."""
        while True:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                raise wire.Failure(f'{self.name}: reset instead of closed') from None
            if not data:
                return
            raise wire.Failure(f'{self.name}: expected the end, but got {data!r}')


def server_of(*options):
    return wire.Server(PARLOR, [*HTTP, *options])


def serves(server):
    """A good client is served as if nothing had been."""
    peer = Peer(server.http_port, 'good')
    peer.send(GET)
    peer.expect_answer(404)
    peer.close()


def malformed():
    with server_of() as server:
        for request, status in REFUSED:
            for piece in (None, 1) if len(request) < 1000 else (None, 1000):
                peer = Peer(server.http_port, repr(request[:60]))
                try:
                    peer.send(request.encode('latin-1'), piece)
                except ConnectionError:
                    pass  # refused before it was all said
                if peer.expect_answer(status).get('connection') != 'close':
                    raise wire.Failure(f'{peer.name}: the close was not announced')
                peer.expect_close()
                peer.close()
        serves(server)
        server.stop()


def kept_alive():
    """Python's own client, a thousand requests on one connection."""
    with server_of() as server:
        client = http.client.HTTPConnection('127.0.0.1', server.http_port, timeout=wire.DEADLINE_S)
        for number in range(1000):
            method = ('GET', 'POST', 'HEAD', 'PUT')[number % 4]
            client.request(method, f'{NOTHING}/{number}?q', body='<x/>' * number if method in ('POST', 'PUT') else None,
                           headers={'Accept-Encoding': 'gzip', 'Content-Type': 'application/xml'})
            answer = client.getresponse()
            body = answer.read()
            if answer.headers.get('Content-Encoding') == 'gzip':
                body = gzip.decompress(body)
            if answer.status != 404 or (len(body) == 0) != (method == 'HEAD'):
                raise wire.Failure(f'{method} {number}: {answer.status} {body!r}')
        client.close()
        server.stop()


def closed_when_told():
    with server_of() as server:
        for request, closes in ((f'GET {NOTHING} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n', True),
                                (f'GET {NOTHING} HTTP/1.0\r\n\r\n', True),
                                (f'GET {NOTHING} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', False), (GET, False)):
            peer = Peer(server.http_port, repr(request))
            peer.send(request)
            if (peer.expect_answer(404).get('connection') == 'close') != closes:
                raise wire.Failure(f'{peer.name}: wrong Connection header')
            if closes:
                peer.expect_close()
            else:
                peer.send(GET)
                peer.expect_answer(404)
            peer.close()
        server.stop()


def pipelined():
    with server_of() as server:
        peer = Peer(server.http_port)
        peer.send(GET * 5000, 7000)
        for _ in range(5000):
            peer.expect_answer(404)
        peer.send(GET * 3, 1)
        for _ in range(3):
            peer.expect_answer(404)
        peer.close()
        server.stop()


def bodies():
    """The largest that is allowed, by length and in chunks, whole and in pieces; 100-continue."""
    with server_of() as server:
        peer = Peer(server.http_port)
        body = 'x' * BODY_BYTES_MAX
        for piece in (None, 1000):
            peer.send(f'POST {NOTHING} HTTP/1.1\r\n{HOST}Content-Length: {len(body)}\r\n\r\n{body}', piece)
            peer.expect_answer(404)
            chunks = ''.join(f'{1024:x};a=b\r\n{body[:1024]}\r\n' for _ in range(BODY_BYTES_MAX // 1024))
            peer.send(f'POST {NOTHING} HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\nA: b\r\n\r\n', piece)
            peer.expect_answer(404)
        peer.send(f'POST {NOTHING} HTTP/1.1\r\n{HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n')
        if peer.answer()[0] != 100 or peer.data:
            raise wire.Failure('not told to go on')
        peer.send('hello')
        peer.expect_answer(404)
        peer.close()
        server.stop()


def offered_upgrades():
    """An offer of HTTP/2 is ignored, and so is one of WebSocket at a path that does not speak it."""
    with server_of() as server:
        peer = Peer(server.http_port)
        peer.send(f'GET {NOTHING} HTTP/1.1\r\n{HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'
                  'HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n')
        peer.expect_answer(404)
        peer.send(f'GET {NOTHING} HTTP/1.1\r\n{HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
        peer.expect_answer(404)
        peer.send(GET)
        peer.expect_answer(404)
        peer.close()
        server.stop()


def too_slow():
    """A request that does not come to its end is refused."""
    with server_of('--message-timeout', '0.2') as server:
        for start in ('G', 'GET / HTTP/1.1\r\nHo', f'POST / HTTP/1.1\r\n{HOST}Content-Length: 5\r\n\r\nhell'):
            peer = Peer(server.http_port, repr(start))
            peer.send(start)
            peer.expect_answer(408)
            peer.expect_close()
            peer.close()
        serves(server)
        server.stop()


def too_idle():
    """A connection without a request is closed, be it before the first or after an answer."""
    with server_of('--idle-timeout', '0.2') as server:
        silent = Peer(server.http_port, 'silent')
        silent.expect_close()
        silent.close()
        for attempts_left in reversed(range(50)):
            kept = Peer(server.http_port, 'kept')
            try:
                kept.send(GET)
                kept.expect_answer(404)
                break
            except (ConnectionError, wire.Failure):  # this program was slow, and its request came too late
                kept.close()
                if attempts_left == 0:
                    raise
        kept.expect_close()
        kept.close()
        server.stop()


def never_reads():
    """Answers that nobody reads: the server stops listening to that client instead of piling them up."""
    with server_of() as server:
        deaf = Peer(server.http_port, 'deaf', receive_buffer=4096)
        deaf.socket.settimeout(1)
        sent = 0
        try:
            while sent < FLOOD_BYTES_MAX:
                sent += deaf.socket.send(GET.encode() * 1000)
        except (socket.timeout, ConnectionError):
            pass
        if sent >= FLOOD_BYTES_MAX:
            raise wire.Failure('the server reads for ever what it cannot answer')
        serves(server)
        deaf.socket.settimeout(wire.DEADLINE_S)
        for _ in range(10000):  # it was not dropped either: whoever reads late gets everything
            deaf.expect_answer(404)
        deaf.close()
        serves(server)
        server.stop()


def half_closed():
    """A client that has said its last word still hears the answers."""
    with server_of() as server:
        peer = Peer(server.http_port)
        peer.send(GET * 2 + 'GET / HT')
        peer.socket.shutdown(socket.SHUT_WR)
        peer.expect_answer(404)
        peer.expect_answer(404)
        peer.expect_close()
        peer.close()
        server.stop()


def resets():
    with server_of() as server:
        for text in ('', 'GET / HT', GET, GET * 100, f'POST / HTTP/1.1\r\n{HOST}Content-Length: 9\r\n\r\nx'):
            peer = Peer(server.http_port)
            peer.send(text)
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            peer.close()
            serves(server)
        server.stop()


def many_connections():
    with server_of() as server:
        crowd = [Peer(server.http_port, f'n{i}') for i in range(300)]
        for turn in range(3):
            for peer in crowd:
                peer.send(GET * (turn + 1))
            for peer in crowd:
                for _ in range(turn + 1):
                    peer.expect_answer(404)
        server.process.send_signal(wire.signal.SIGTERM)
        for peer in crowd:
            peer.expect_close()
            peer.close()
        server.wait()


def exchange(port, method, path, headers=(), body=None):
    """(status, headers, body) of one request with just these headers."""
    client = http.client.HTTPConnection('127.0.0.1', port, timeout=wire.DEADLINE_S)
    try:
        client.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {'Host': f'127.0.0.1:{port}', **dict(headers)}.items():
            client.putheader(name, value)
        if body is not None:
            client.putheader('Content-Length', str(len(body)))
        client.endheaders(None if body is None else body.encode())
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        client.close()


UPGRADE = {'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '13'}
TABLES, ORDER = '/api/v1/tables', '{"game":"paper-soccer"}'
JSON = {'Content-Type': 'application/json'}


def is_refused(answer, word, status=403):
    found, headers, body = answer
    if found != status or headers['Content-Type'] != 'application/problem+json' or json.loads(body)['error'] != word:
        raise wire.Failure(f'{word} was expected, and {found} {body} has come')


def is_let_in(answer, status):
    if answer[0] != status:
        raise wire.Failure(f'{status} was expected, and {answer[0]} {answer[2]} has come')


def foreign_pages():
    with server_of() as server:
        port = server.http_port
        for origin in 'http://evil.example', 'https://evil.example:443', 'null', f'http://localhost:{port}', f'http://127.0.0.1:{port + 1}', 'http://127.0.0.1':
            foreign = {'Origin': origin}
            is_refused(exchange(port, 'POST', TABLES, {**JSON, **foreign}, ORDER), 'origin-refused')
            is_refused(exchange(port, 'POST', TABLES, {'Content-Type': 'text/plain', **foreign}, ORDER), 'origin-refused')
            is_refused(exchange(port, 'GET', '/api/v1/ws', {**UPGRADE, **foreign}), 'origin-refused')
            is_refused(exchange(port, 'POST', '/games', foreign), 'origin-refused')
            is_let_in(exchange(port, 'GET', '/api/v1/games', foreign), 200)
        for own in {}, {'Origin': f'http://127.0.0.1:{port}'}, {'Host': f'localhost:{port}', 'Origin': f'http://LOCALHOST:{port}'}:
            is_let_in(exchange(port, 'POST', TABLES, {**JSON, **own}, ORDER), 201)
            is_let_in(exchange(port, 'GET', '/api/v1/ws', {**UPGRADE, **own}), 101)
        tables = json.loads(exchange(port, 'GET', TABLES)[2])['tables']
        if len(tables) != 3:
            raise wire.Failure(f'{len(tables)} tables were opened')
        server.stop()
    with server_of('--cors', 'https://a.example') as server:
        port = server.http_port
        is_let_in(exchange(port, 'POST', TABLES, {**JSON, 'Origin': 'https://a.example'}, ORDER), 201)
        is_let_in(exchange(port, 'GET', '/api/v1/ws', {**UPGRADE, 'Origin': 'https://a.example'}), 101)
        is_refused(exchange(port, 'GET', '/api/v1/ws', {**UPGRADE, 'Origin': 'https://b.example'}), 'origin-refused')
        is_refused(exchange(port, 'POST', TABLES, {**JSON, 'Origin': 'https://b.example'}, ORDER), 'origin-refused')
        server.stop()
    with server_of('--cors', '*') as server:
        is_let_in(exchange(server.http_port, 'GET', '/api/v1/ws', {**UPGRADE, 'Origin': 'https://b.example'}), 101)
        server.stop()


def foreign_names():
    with server_of('--host', 'games.example.org,pc-7') as server:
        port = server.http_port
        for host in 'localhost', f'localhost:{port}', '127.0.0.1', '192.0.2.1:80', f'[::1]:{port}', 'games.example.org', f'PC-7:{port}':
            for path in '/', '/api/v1/games':
                is_let_in(exchange(port, 'GET', path, {'Host': host}), 200)
        for host in 'evil.example', f'evil.example:{port}', 'example.org', '127.0.0.1.evil.example', 'pc-8':
            for path in '/', '/api/v1/games', '/games', NOTHING:
                is_refused(exchange(port, 'GET', path, {'Host': host}), 'host-unknown')
        server.stop()


def bodies_of_the_api_are_json():
    with server_of() as server:
        port = server.http_port
        for kind in 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'application/jsonp', '':
            head = {'Content-Type': kind} if kind else {}
            is_refused(exchange(port, 'POST', TABLES, head, ORDER), 'content-type', 415)
        for kind in 'application/json', 'Application/JSON; charset=utf-8':
            is_let_in(exchange(port, 'POST', TABLES, {'Content-Type': kind}, ORDER), 201)
        is_refused(exchange(port, 'POST', TABLES, {}), 'field-missing', 400)
        is_refused(exchange(port, 'POST', TABLES, {'Content-Type': 'text/plain'}), 'content-type', 415)
        server.stop()


def nothing_is_sniffed():
    with server_of() as server:
        port = server.http_port
        for method, path in (('GET', '/'), ('GET', '/games'), ('GET', '/api/v1/games'), ('GET', '/api/v1/none'), ('GET', NOTHING), ('PUT', '/'),
                             ('GET', '/games/x/states/y'), ('HEAD', '/'), ('BREW', '/'), ('GET', '/api/v1/ws')):
            status, headers, _ = exchange(port, method, path)
            if headers.get_all('X-Content-Type-Options') != ['nosniff']:
                raise wire.Failure(f'{method} {path} is {status} with {headers}')
        server.stop()


def unknown_paths():
    """A person is shown the page, a client of the API JSON, everybody else the envelope of Treasure Hunt."""
    browser = {'Accept': 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'}
    with server_of() as server:
        port = server.http_port
        page = exchange(port, 'GET', '/', browser)[2]
        for path in '/nowhere', NOTHING, '/apis', '/tables':
            status, headers, body = exchange(port, 'GET', path, browser)
            if status != 404 or not headers['Content-Type'].startswith('text/html') or body != page or 'Content-Security-Policy' not in headers:
                raise wire.Failure(f'{path}: {status} {headers}')
            for head in {}, {'Accept': '*/*'}, {'Accept': 'application/xml'}:
                status, headers, body = exchange(port, 'GET', path, head)
                if status != 404 or not headers['Content-Type'].startswith('application/xml') or 'UnknownPathException' not in body:
                    raise wire.Failure(f'{path}: {status} {headers} {body}')
            status, headers, body = exchange(port, 'POST', path, browser)
            if status != 404 or not headers['Content-Type'].startswith('application/xml'):
                raise wire.Failure(f'{path}: {status} {headers} {body}')
        for path in '/api', '/api/', '/api/v1', '/api/v2/games', '/api/v1/nothing':
            for head in {}, browser:
                is_refused(exchange(port, 'GET', path, head), 'path-unknown', 404)
        server.stop()


wire.run_cases([
    ('malformed requests are refused and the connection ends', malformed),
    ('a thousand requests of an ordinary client on one connection', kept_alive),
    ('connections end when they should', closed_when_told),
    ('pipelined requests are all answered', pipelined),
    ('large bodies, chunks, 100-continue', bodies),
    ('offers of other protocols', offered_upgrades),
    ('slow requests', too_slow),
    ('idle connections', too_idle),
    ('a client that never reads', never_reads),
    ('a client that has said its last word', half_closed),
    ('resets', resets),
    ('many connections, closed in order at the end', many_connections),
    ('pages of other origins', foreign_pages),
    ('names that are not the server\'s', foreign_names),
    ('bodies of the API say that they are JSON', bodies_of_the_api_are_json),
    ('no answer is sniffed', nothing_is_sniffed),
    ('unknown paths', unknown_paths),
])
