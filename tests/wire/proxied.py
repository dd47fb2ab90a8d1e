#!/usr/bin/env python3
"""Clients whose connections a proxy hands on: by the PROXY protocol on every listener, by X-Forwarded-For and Forwarded over HTTP. Limits hold for
where they are, and only proxies that the server was told of are believed.

usage: proxied.py PARLOR [WORDS OF A CASE]
"""
import http.client
import ipaddress
import re
import socket
import ssl
import struct
import sys

import certificates
import wire
from native import check

PARLOR = sys.argv[1]
LISTENERS = wire.ask.listeners(PARLOR)
SIGNATURE = b'\r\n\r\n\0\r\nQUIT\n'
ADDRESS_SENTENCE = b'your address has as many of these as the server takes'
PROXY, STRANGER = '127.0.0.1', '127.0.0.2'


def header(origin=None, command=1, records=b''):
    """Of version 2, for a client at that address; None: the proxy speaks for itself."""
    if origin is None:
        return SIGNATURE + bytes([0x20, 0]) + struct.pack('>H', len(records)) + records
    address = ipaddress.ip_address(origin)
    family = 1 if address.version == 4 else 2
    ends = address.packed + bytes(len(address.packed)) + struct.pack('>HH', 40000, 8888) + records
    return SIGNATURE + bytes([0x20 | command, family << 4 | 1]) + struct.pack('>H', len(ends)) + ends


def line(origin):
    """The same of version 1."""
    four = ipaddress.ip_address(origin).version == 4
    return f'PROXY TCP{4 if four else 6} {origin} {"127.0.0.1" if four else "::1"} 40000 8888\r\n'.encode()


class Server(wire.Process):
    """parlor serve with every listener, behind one proxy."""

    def __init__(self, *options, proxies=PROXY, names='all'):
        self.folder = certificates.Certificate()
        headers = ['--proxy-protocol', names] if names else []
        super().__init__([PARLOR, 'serve', '--store', 'memory', '--data', self.folder.folder, *wire.ask.listen(PARLOR, *LISTENERS),
                          '--trusted-proxy', proxies, *headers, *options])
        self.addresses = wire.ask.ready(self.process.stdout.readline().decode())
        if not self.addresses:
            self.kill()
            raise wire.Failure(f'the server is not ready\n{self.error_text()[-2000:]}')

    def connect(self, name='ugs', say=b'', origin=PROXY):
        link = socket.create_connection(('127.0.0.1', wire.ask.port(self.addresses[name])), wire.DEADLINE_S, source_address=(origin, 0))
        link.sendall(say)
        return link

    def until(self, pattern):
        while not re.search(pattern, self.error_text()):
            check(self.process.poll() is None, self.error_text()[-2000:])

    def stop(self):
        self.process.terminate()
        self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.folder.close()


def read_to_end(link):
    data = b''
    try:
        while piece := link.recv(65536):
            data += piece
    except ConnectionResetError:
        pass
    link.close()
    return data


def log_in(link, nick):
    link.sendall(wire.player_login(nick, 'another-game').encode())
    data = b''
    while b'</message>' not in data:
        piece = link.recv(65536)
        check(piece, f'{nick}: the end after {data!r}')
        data += piece
    return b'accept="yes"' in data


def limits_hold_behind_a_proxy():
    """Two of each address on any listener; IPv6 counts by its network of 64 bits."""
    with Server('--address-connections-max', '2') as server:
        for first, second, third, other in (('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'),
                                            ('2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8:0:1::1')):
            kept = [server.connect(say=header(first)), server.connect(say=header(second))]
            check(log_in(kept[0], 'ann' + first) and log_in(kept[1], 'bob' + first), 'not served')
            for name in LISTENERS:
                said = read_to_end(server.connect(name, header(third)))
                check(ADDRESS_SENTENCE in said or name == 'renaissance-java' and said == b'', f'{name}: {said!r}')
            check(ADDRESS_SENTENCE in read_to_end(server.connect('ugs', line(third))), 'version 1 counts otherwise')
            with server.connect(say=header(other)) as link:
                check(log_in(link, 'cid' + first), 'another address is not served')
            for link in kept:
                link.close()
        server.stop()


def what_is_no_header_closes_the_connection():
    with Server('--message-timeout', '0.5') as server:
        with server.connect(say=header('192.0.2.1')) as honest:
            check(log_in(honest, 'ann'), 'not served')
            for said, reason in ((b'PROXY TCP5 192.0.2.1 127.0.0.1 40000 8888\r\n', 'the line of the header is not as it should be'),
                                 (wire.player_login('bob').encode(), 'a trusted proxy did not begin with a header of the PROXY protocol'),
                                 (header('192.0.2.1', command=7), 'the version or command of the header is not known'),
                                 (header('192.0.2.1', records=b'\x04\xff\xffx'), 'a record of the header is cut off'),
                                 (SIGNATURE + b'\x21\x11\xff\xff', 'the header is too long'),
                                 (SIGNATURE[:5], 'nothing came for too long')):
                check(read_to_end(server.connect(say=said)) == b'', f'{said!r} is answered')
                server.until(f'proxy-refused listener="ugs" peer="127.0.0.1" reason="{reason}"')
            honest.sendall(b'<message type="ping"/>')
            check(b'error' in honest.recv(65536), 'gone')
        server.stop()


def headers_come_in_any_split():
    with Server() as server:
        with server.connect() as link:
            for byte in header('192.0.2.1', records=b'\x04\x00\x03xyz') + wire.player_login('ann', 'another-game').encode():
                link.sendall(bytes([byte]))
            check(b'accept="yes"' in link.recv(65536), 'not served')
        with server.connect() as link:
            for byte in line('192.0.2.1') + wire.player_login('cid', 'another-game').encode():
                link.sendall(bytes([byte]))
            check(b'accept="yes"' in link.recv(65536), 'version 1 is not served')
        with server.connect(say=header() + wire.player_login('bob', 'another-game').encode()) as link:  # the proxy itself
            check(b'accept="yes"' in link.recv(65536), 'not served')
        server.stop()


def strangers_are_not_believed():
    """Who is no trusted proxy is served without a header, and one that it sends is what the protocol makes of it."""
    with Server('--address-connections-max', '1') as server:
        with server.connect(origin=STRANGER) as link:
            check(log_in(link, 'ann'), 'not served')
            said = read_to_end(server.connect(origin=STRANGER, say=header('192.0.2.1')))
            check(ADDRESS_SENTENCE in said, f'{said!r}')
        server.stop()


def only_named_listeners_want_headers():
    with Server(names='santorini,eriantys') as server:
        with server.connect() as link:
            check(log_in(link, 'ann'), 'not served')
        check(read_to_end(server.connect('eriantys', b'{"type":"login","name":"ann"}\n')) == b'', 'no header is wanted')
        server.stop()
    for options, complaint in ((('--proxy-protocol', 'ugs,chess', '--trusted-proxy', PROXY), 'takes listeners such as http or ugs'),
                               (('--proxy-protocol', 'ugs'), '--proxy-protocol needs --trusted-proxy')):
        process = wire.Process([PARLOR, 'serve', *options])
        process.wait(2)
        check(complaint in process.error_text(), process.error_text())


def headers_stand_before_tls():
    with certificates.Certificate() as certificate, Server('--address-connections-max', '1', *certificate.options(PARLOR, 'ugs')) as server:
        def connect(origin):
            return certificate.client().wrap_socket(server.connect('ugs-tls', header(origin)), server_hostname='localhost')
        with connect('192.0.2.1') as link:
            check(log_in(link, 'ann'), 'not served')
            try:
                connect('192.0.2.1').close()
                raise wire.Failure('the address has no limit')
            except (ssl.SSLError, ConnectionResetError):
                pass
            with connect('192.0.2.2') as other:
                check(log_in(other, 'bob'), 'not served')
        server.stop()


def opened(server, **headers):
    """The status of a table that is opened with these headers; - in a name stands as _."""
    link = http.client.HTTPConnection('127.0.0.1', wire.ask.port(server.addresses['http']), timeout=wire.DEADLINE_S)
    link.request('POST', '/api/v1/tables', '{"game":"paper-soccer"}',
                 {'Content-Type': 'application/json', **{name.replace('_', '-'): value for name, value in headers.items()}})
    status = link.getresponse().status
    link.close()
    return status


def forwarded_says_where_clients_are():
    """RFC 7239: the last address of it, which the proxy itself has written. The header that was not named counts nothing."""
    with Server('--address-tables-max', '1', '--proxy-header', 'forwarded', names=None) as server:
        check(opened(server, Forwarded='for=192.0.2.1') == 201, 'refused')
        for value in ('for=192.0.2.1', 'For="192.0.2.1:4711";proto=https', 'for=198.51.100.9, for=192.0.2.1', 'by=10.0.0.1;FOR=192.0.2.1;host=a',
                      'for="a, for=198.51.100.9"  ,for=192.0.2.1'):
            check(opened(server, Forwarded=value) == 429, value)
        check(opened(server, X_Forwarded_For='198.51.100.7', Forwarded='for=192.0.2.1') == 429, 'the other header is believed')
        check(opened(server, Forwarded='for="[2001:db8::1]"') == 201, 'IPv6')
        for value in ('for="[2001:db8::2]:80"', 'for="[2001:db8:0:0:1::1]"'):
            check(opened(server, Forwarded=value) == 429, value)
        check(opened(server, Forwarded='for=192.0.2.3') == 201, 'another one')
        check(opened(server, Forwarded='for=unknown') == 201, 'of the proxy itself')
        for value in ('for=unknown', 'for=_hidden', 'for=', 'for="', 'for', '=', ';', ',', 'for="192.0.2.9', 'proto=https', 'for=192.0.2.9,'):
            check(opened(server, Forwarded=value) == 429, value)
        server.stop()
    with Server('--address-tables-max', '1', names=None) as server:
        check(opened(server, X_Forwarded_For='192.0.2.1') == 201, 'refused')
        check(opened(server, X_Forwarded_For='198.51.100.7, 192.0.2.1', Forwarded='for=198.51.100.8') == 429, 'the other header is believed')
        check(opened(server, X_Forwarded_For='192.0.2.2') == 201, 'another one')
        server.stop()


def asked(server, origin=PROXY, link=None, **headers):
    """The status of a small question; over a connection that stays, or one of its own."""
    own = link or http.client.HTTPConnection('127.0.0.1', wire.ask.port(server.addresses['http']), timeout=wire.DEADLINE_S, source_address=(origin, 0))
    own.request('GET', '/api/v1/games', headers={name.replace('_', '-'): value for name, value in headers.items()})
    answer = own.getresponse()
    answer.read()
    if link is None:
        own.close()
    return answer.status


def requests_are_counted_where_they_come_from():
    """Ten at once and one a second: whoever asks more often is refused, and nobody else behind the same proxy, not even over the same connection."""
    for name, value in (('X_Forwarded_For', '{}'), ('Forwarded', 'for={}')):
        options = ['--proxy-header', 'forwarded'] if name == 'Forwarded' else []
        with Server('--address-requests-max', '1', *options, names=None) as server:
            link = http.client.HTTPConnection('127.0.0.1', wire.ask.port(server.addresses['http']), timeout=wire.DEADLINE_S)
            statuses = [asked(server, link=link, **{name: value.format('192.0.2.1')}) for _ in range(40)]
            check(statuses[:10] == [200] * 10 and 429 in statuses, f'{name}: {statuses}')
            check(asked(server, link=link, **{name: value.format('192.0.2.2')}) == 200, f'{name}: another client of the proxy is refused')
            check(asked(server, STRANGER, **{name: value.format('192.0.2.1')}) == 200, f'{name}: a stranger is believed')
            link.close()
            server.stop()
    sentence = b'your address asks more often than the server answers'
    with Server('--address-requests-max', '1') as server:
        with server.connect(say=header('192.0.2.1') + b'<message type="x"/>' * 40) as link:
            words = b''
            while sentence not in words:
                piece = link.recv(65536)
                check(piece, f'{words!r}')
                words += piece
            with server.connect(say=header('192.0.2.2')) as other:
                check(log_in(other, 'ann'), 'another client of the proxy is refused')
        server.stop()


CASES = [
    ('limits hold behind a proxy', limits_hold_behind_a_proxy),
    ('what is no header closes the connection', what_is_no_header_closes_the_connection),
    ('headers come in any split', headers_come_in_any_split),
    ('strangers are not believed', strangers_are_not_believed),
    ('only named listeners want headers', only_named_listeners_want_headers),
    ('headers stand before TLS', headers_stand_before_tls),
    ('Forwarded', forwarded_says_where_clients_are),
    ('requests are counted where they come from', requests_are_counted_where_they_come_from),
]

if certificates.MISSING:
    print(f'1..0 # SKIP {certificates.MISSING}')
    sys.exit(0)
words_of_case = ' '.join(sys.argv[2:])
wire.run_cases([case for case in CASES if words_of_case in case[0]])
