#!/usr/bin/env python3
"""TLS of a real server: versions, resumption, what breaks a handshake and whom that concerns, certificates that are read again while games
go on, pages and WebSockets over https; and the recorded conversations of every protocol, spoken over TLS.

usage: tls.py PARLOR [WORDS OF A CASE]
"""
import http.client
import json
import re
import signal
import socket
import ssl
import sys
import warnings

import certificates
import conversations
import native
import wire
from native import check

PARLOR = sys.argv[1]
HELLO_S = '0.5'  # for a handshake, where a test waits for its end
MANY = 60  # handshakes that stand still
GREETING = wire.player_login('ann', 'another-game').encode()
ACCEPTED = re.compile(wire.re.escape(wire.DECLARATION).encode() + wire.ACCEPTED.encode())


class Server(wire.Process):
    """parlor serve with every listener, plain and over TLS."""

    def __init__(self, certificate, *options, level='info'):
        names = wire.ask.listeners(PARLOR)
        super().__init__([PARLOR, 'serve', '--store', 'memory', '--data', certificate.folder, *wire.ask.listen(PARLOR, *names),
                          *certificate.options(PARLOR, *names), '--log-level', level, *options])
        ready = self.process.stdout.readline().decode()
        self.addresses = wire.ask.ready(ready)
        if not self.addresses:
            self.kill()
            raise wire.Failure(f'the server is not ready: {ready!r}\n{self.error_text()[-2000:]}')

    def port(self, name):
        return wire.ask.port(self.addresses[name])

    def until(self, pattern):
        """Waits for a line of the log; a server that ends does not say it any more."""
        while not (found := re.search(pattern, self.error_text())):
            check(self.process.poll() is None, self.error_text()[-2000:])
        return found

    def stop(self):
        self.process.terminate()
        self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def plain(server, name):
    return socket.create_connection(('127.0.0.1', server.port(name)), timeout=wire.DEADLINE_S)


def connect(server, name='ugs-tls', context=None, session=None):
    return (context or CERTIFICATE.client()).wrap_socket(plain(server, name), server_hostname='localhost', session=session)


def refused(act):
    """A client whose handshake must fail."""
    try:
        act().close()
    except (ssl.SSLError, ConnectionResetError):
        return
    raise wire.Failure('nobody refuses it')


def read_until(link, end):
    data = b''
    while end not in data:
        piece = link.recv(65536)
        check(piece, f'the stream ends after {data!r}')
        data += piece
    return data


def is_served(link, nick='ann'):
    """A player who logs in."""
    link.sendall(wire.player_login(nick, 'another-game').encode())
    return ACCEPTED.match(read_until(link, b'</message>'))


def versions():
    with Server(CERTIFICATE) as server:
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with connect(server, context=CERTIFICATE.client(version)) as link:
                check(is_served(link, version.name), f'{version} is not served')
                check(link.version() == version.name.replace('_', '.'), link.version())
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', DeprecationWarning)
            old = CERTIFICATE.client(ssl.TLSVersion.TLSv1_1)
        old.set_ciphers('ALL:@SECLEVEL=0')
        refused(lambda: connect(server, context=old))
        server.until(r' info tls-failed listener="ugs-tls" peer="127\.0\.0\.1" reason="unsupported protocol" unsaid=0\n')
        weak = CERTIFICATE.client(ssl.TLSVersion.TLSv1_2)
        weak.set_ciphers('AES128-SHA')
        refused(lambda: connect(server, context=weak))
        server.until('reason="no shared cipher"')
        server.stop()


def sessions_are_resumed():
    with Server(CERTIFICATE) as server:
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = CERTIFICATE.client(version)
            with connect(server, context=context) as link:
                check(is_served(link, version.name + 'a') and not link.session_reused, 'the first one is new')
                session = link.session
            with connect(server, context=context, session=session) as link:
                check(link.session_reused and is_served(link, version.name + 'b'), f'{version}: not resumed')
        server.stop()


def strangers_break_nothing():
    """Each closes its own connection, with a line in the log; who is connected goes on."""
    with Server(CERTIFICATE) as server, connect(server) as honest:
        check(is_served(honest), 'not served')
        for bytes_said, reason in ((b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'http request'), (GREETING, 'wrong version number'),
                                   (b'\x16\x03\x01\x40\x00' + bytes(20000), '[^"]+'), (b'\x16\x03\x01', 'the peer has gone')):
            with plain(server, 'ugs-tls') as stranger:
                stranger.sendall(bytes_said)
                stranger.shutdown(socket.SHUT_WR)
                try:
                    while stranger.recv(65536):
                        pass
                except ConnectionResetError:
                    pass
            server.until(f'tls-failed listener="ugs-tls" peer="127.0.0.1" reason="{reason}"')
        honest.sendall(b'<message type="ping"/>')
        read_until(honest, b'</message>')
        broken = connect(server)
        raw = socket.socket(fileno=broken.detach())
        raw.sendall(b'\x17\x03\x03\x00\x20' + bytes(32))  # a record that nobody has sealed
        server.until('reason="decryption failed or bad record mac"')
        raw.close()
        honest.sendall(b'<message type="ping"/>')
        read_until(honest, b'</message>')
        server.stop()


def half_handshakes_are_waited_for_a_while():
    """Those who stand still in the middle are closed, and hold up nobody."""
    with Server(CERTIFICATE, '--message-timeout', HELLO_S) as server:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        half = CERTIFICATE.client().wrap_bio(incoming, outgoing, server_hostname='localhost')
        try:
            half.do_handshake()
        except ssl.SSLWantReadError:
            pass
        hello = outgoing.read()
        silent = [plain(server, 'ugs-tls') for _ in range(MANY)]
        for number, link in enumerate(silent):
            link.sendall(hello[:len(hello) * number // MANY])
        with connect(server) as honest:
            check(is_served(honest), 'not served')
            for link in silent:
                check(link.recv(65536) == b'' or link.close() is None, 'held')
                link.close()
            server.until('tls-failed listener="ugs-tls" peer="127.0.0.1" reason="nothing came for too long"')
        whole = plain(server, 'ugs-tls')
        whole.sendall(hello)
        while whole.recv(65536):  # its half of the handshake, and the end
            pass
        whole.close()
        server.stop()


def certificates_are_read_again():
    """SIGHUP, while a client is connected; one that cannot be used is told of and changes nothing."""
    def subject():
        with connect(server, context=anybody) as link:
            return link.getpeercert(binary_form=True)
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    with certificates.Certificate() as own, Server(own) as server:
        honest = connect(server, context=own.client())
        check(is_served(honest), 'not served')
        first = subject()
        own.make('second.example.org')
        server.process.send_signal(signal.SIGHUP)
        while subject() == first:
            pass
        second = subject()
        with open(own.key, 'w', encoding='utf-8') as file:
            file.write('-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----\n')
        server.process.send_signal(signal.SIGHUP)
        server.until(r' error certificate-refused why="[^"]*key\.pem: ')
        check(subject() == second, 'the old one is gone')
        own.make('third.example.org')
        server.process.send_signal(signal.SIGHUP)
        while subject() == second:
            pass
        honest.sendall(b'<message type="ping"/>')
        read_until(honest, b'</message>')
        honest.close()
        server.stop()


def wrong_files_are_refused():
    with certificates.Certificate() as own, certificates.Certificate() as other:
        for files, complaint in ((['--tls-certificate', 'nowhere.pem'], 'nowhere.pem: no such file'),
                                 (['--tls-certificate', own.file], 'certificate.pem: '),  # without its key
                                 (['--tls-certificate', own.file, '--tls-key', other.key], 'key values mismatch')):
            process = wire.Process([PARLOR, 'serve', '--store', 'memory', '--data', own.folder, *wire.ask.listen(PARLOR, 'http'),
                                    '--https', '127.0.0.1:0', *files])
            process.wait(1)
            check(complaint in process.error_text().lower(), process.error_text())
        process = wire.Process([PARLOR, 'serve', '--data', own.folder, '--ugs-tls', '127.0.0.1:0'])
        process.wait(2)
        check('--ugs-tls needs --tls-certificate' in process.error_text(), process.error_text())


def only_tls_can_be_spoken():
    with certificates.Certificate() as own:
        server = wire.Process([PARLOR, 'serve', '--store', 'memory', '--data', own.folder, *wire.ask.listen(PARLOR),
                               *own.options(PARLOR, 'ugs')])
        addresses = wire.ask.ready(server.process.stdout.readline().decode())
        check(addresses['ugs'] == 'off' and 'https' not in addresses, f'{addresses}')
        link = own.client().wrap_socket(socket.create_connection(('127.0.0.1', wire.ask.port(addresses['ugs-tls']))), server_hostname='localhost')
        check(is_served(link), 'not served')
        link.close()
        server.process.terminate()
        server.wait()


def pages_come_over_https():
    with Server(CERTIFICATE) as server:
        link = http.client.HTTPSConnection('localhost', server.port('https'), context=CERTIFICATE.client(alpn=['h2', 'http/1.1']))
        link.request('GET', '/')
        answer = link.getresponse()
        check(answer.status == 200 and b'<html' in answer.read(), f'{answer.status}')
        check(link.sock.selected_alpn_protocol() == 'http/1.1', f'{link.sock.selected_alpn_protocol()}')
        origin = f'https://localhost:{server.port("https")}'
        link.request('POST', '/api/v1/tables', '{"game":"paper-soccer"}', {'Content-Type': 'application/json', 'Origin': origin})
        answer = link.getresponse()
        text = answer.read()
        check(answer.status == 201, f'{answer.status} {text}')
        code = json.loads(text)['code']
        with connect(server, 'https') as tunnel:
            tunnel.sendall(native.handshake('/api/v1/ws', 'dGhlIHNhbXBsZSBub25jZQ==')
                           .replace(b'Host: localhost', b'Host: %b\r\nOrigin: %b' % (origin[8:].encode(), origin.encode())))
            read_until(tunnel, b's3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
            tunnel.sendall(native.frame(0x81, b'{"type":"lobby"}'))
            read_until(tunnel, code.encode())
        link.close()
        refused(lambda: connect(server, 'https', CERTIFICATE.client(alpn=['h2'])))
        server.until('reason="no application protocol"')
        refused(lambda: connect(server, 'santorini-tls', CERTIFICATE.client(alpn=['http/1.1'])))  # a browser that was sent there
        server.stop()


def addresses_are_limited():
    """Handshakes count, too."""
    with Server(CERTIFICATE, '--address-connections-max', '3') as server:
        links = [connect(server), connect(server, 'https'), plain(server, 'eriantys-tls')]
        refused(lambda: connect(server))
        check(is_served(links[0]), 'not served')
        links.pop().close()
        while True:
            try:
                connect(server).close()
                break
            except (ssl.SSLError, ConnectionResetError):
                pass
        for link in links:
            link.close()
        server.stop()


def the_end_is_told():
    """SIGTERM: a goodbye of the protocol, then the end of the stream; and who is in a handshake holds up nothing."""
    with Server(CERTIFICATE) as server, connect(server) as link, plain(server, 'https') as half:
        check(is_served(link), 'not served')
        half.sendall(b'\x16\x03\x01')
        server.process.terminate()
        check(b'serverShutdown' in read_until(link, b'</message>'), 'no goodbye')
        check(link.recv(1) == b'', 'not the end')  # by close_notify: without it this would be an error
        server.wait()


def much_comes_through():
    """An answer of many records, and a client that says much without reading."""
    with Server(CERTIFICATE) as server:
        link = http.client.HTTPSConnection('localhost', server.port('https'), context=CERTIFICATE.client())
        link.request('GET', '/api/v1/openapi.json')
        sealed = link.getresponse().read()
        link.close()
        link = http.client.HTTPConnection('localhost', server.port('http'))
        link.request('GET', '/api/v1/openapi.json')
        check(link.getresponse().read() == sealed and len(sealed) > 2 * 16384, f'{len(sealed)} bytes differ')
        link.close()
        request = b'GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'
        with connect(server, 'https') as tunnel:
            count = 20
            tunnel.sendall(request * count)
            data = b''
            while data.count(sealed) < count:
                piece = tunnel.recv(65536)
                check(piece, f'{data.count(sealed)} answers')
                data += piece
        server.stop()


def https_text(server, path):
    link = http.client.HTTPSConnection('localhost', server.port('https'), context=CERTIFICATE.client())
    link.request('GET', path)
    text = link.getresponse().read().decode()
    link.close()
    return text


def clients_speak_it():
    """The program's own bots and master, which check the certificate."""
    def run(status, *arguments):
        process = wire.Process([PARLOR, *arguments])
        return process.wait(status, deadline_s=120), process.error_text()
    with Server(CERTIFICATE, '--hunt-poll-interval', '0') as server:
        trust = '--tls-ca', CERTIFICATE.file
        at = {name: f'localhost:{server.port(name)}' for name in ('ugs-tls', 'santorini-tls', 'eriantys-tls', 'renaissance-tls', 'https')}
        ugs = 'bot', 'paper-soccer', '--connect_to', at['ugs-tls'], '--games', '1', '--level', '1'
        other = wire.Process([PARLOR, *ugs, '--nick', 'bob', *trust])
        check('1 games' in run(0, *ugs, '--nick', 'ann', '--tls', *trust)[0], 'no game over UGS')
        other.wait()
        santorini = 'bot', 'santorini', '--connect', at['santorini-tls'], '--games', '1', '--level', '1'
        other = wire.Process([PARLOR, *santorini, '--name', 'bob', *trust])
        check('1 games' in run(0, *santorini, '--name', 'ann', *trust)[0], 'no game of Santorini')
        other.wait()
        run(0, 'bot', 'renaissance', '--connect', at['renaissance-tls'], '--name', 'annie', '--players', '1', '--level', '1', *trust)
        hunt = 'bot', 'treasure-hunt', '--connect', 'https://' + at['https'], '--level', '1', '--interval', '0.01', *trust
        code = re.search(r'<uniqueGameID>(\w+)<', https_text(server, '/games')).group(1)
        other = wire.Process([PARLOR, *hunt, '--game', code, '--name', 'Bob'])
        run(0, *hunt, '--game', code, '--name', 'Ann')
        other.wait()
        for address, options, words in ((at['ugs-tls'], ('--tls',), 'self-signed certificate'),  # which the system does not know
                                        (f'localhost:{server.port("ugs")}', trust, 'no TLS with'),
                                        (at['ugs-tls'].replace('localhost', '127.0.0.1'), ('--tls', '--tls-ca', CERTIFICATE.key), 'it has no certificates')):
            said = run(1, 'bot', 'paper-soccer', '--connect_to', address, '--nick', 'eve', *options)[1]
            check(words in said, f'{address} {options}: {said}')
        with certificates.Certificate() as other:
            said = run(1, 'master', '--connect_to', at['ugs-tls'], '--game-type', 'chess', '--tls-ca', other.file)[1]
            check('certificate' in said, said)
        master = wire.Process([PARLOR, 'master', '--connect_to', at['ugs-tls'], '--game-type', 'chess', *trust])
        server.until('chess')
        server.stop()
        master.wait()


def conversations_over_tls(protocol):
    """Every recorded conversation of a protocol, as it is written."""
    wire.TLS = CERTIFICATE
    try:
        for path in conversations.paths_in(protocol, ''):
            conversations.Conversation(PARLOR, path).run()
    finally:
        wire.TLS = None


CASES = [
    ('versions', versions),
    ('sessions are resumed', sessions_are_resumed),
    ('strangers break nothing', strangers_break_nothing),
    ('half handshakes', half_handshakes_are_waited_for_a_while),
    ('certificates are read again', certificates_are_read_again),
    ('wrong files', wrong_files_are_refused),
    ('nothing but TLS', only_tls_can_be_spoken),
    ('pages and WebSockets', pages_come_over_https),
    ('addresses are limited', addresses_are_limited),
    ('the end is told', the_end_is_told),
    ('much comes through', much_comes_through),
    ('bots and master', clients_speak_it),
    *((f'conversations of {protocol["name"]}', lambda name=protocol['name']: conversations_over_tls(name))
      for protocol in wire.ask.told(PARLOR, 'protocols')),
]

if certificates.MISSING:
    print(f'1..0 # SKIP {certificates.MISSING}')
    sys.exit(0)
words_of_case = ' '.join(sys.argv[2:])
with certificates.Certificate() as CERTIFICATE:
    wire.run_cases([case for case in CASES if words_of_case in case[0]])
