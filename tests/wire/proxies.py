#!/usr/bin/env python3
"""HAProxy, nginx and Caddy with the files of deploy/proxy before a real server: recorded conversations of every protocol that they hand on, page and
WebSocket over https, and limits that count for the clients and not for the proxy. A proxy that is not installed is skipped and says so.

usage: proxies.py PARLOR [WORDS OF A CASE]
"""
import http.client
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile

import certificates
import conversations
import native
import wire
from native import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import cluster  # noqa: E402  (found by the line above)
import postgres  # noqa: E402

PARLOR = os.path.abspath(sys.argv[1])
DEPLOY = pathlib.Path(__file__).resolve().parents[2] / 'deploy' / 'proxy'
NAME = 'games.example.org'
ADDRESS_SENTENCE = b'your address has as many of these as the server takes'
NODE_PORT_OFFSET = 10000  # in those files, of the server above the public port


def served():
    """The listeners of parlor.conf and their ports there, and its other lines as options."""
    rows = re.findall(r'^([\w-]+) = (.*)$', (DEPLOY / 'parlor.conf').read_text(encoding='utf-8'), re.M)
    listeners = {name: wire.ask.port(value) for name, value in rows if name in wire.ask.listeners(PARLOR)}
    return listeners, [word for name, value in rows if name not in listeners for word in ('--' + name, value)]


LISTENERS, OPTIONS = served()


def quiet_ports(count):
    """Ports that nobody uses, and that no connection is given by the system meanwhile."""
    found = []
    while len(found) < count:
        port = random.randrange(20000, 32000)
        with socket.socket() as one:
            try:
                one.bind(('', port))
            except OSError:
                continue
        if port not in found:
            found.append(port)
    return found


class Proxy:
    """One program with its file, of which only ports, users and paths are others. It is what wire.TLS wants: servers listen where it hands on to,
    and clients connect to it."""
    program, file, hands_on = None, None, tuple(LISTENERS)

    def __init__(self):
        self.certificate = certificates.Certificate(NAME)
        self.folder = self.certificate.folder
        with open(self.certificate.file, encoding='utf-8') as one, open(self.certificate.key, encoding='utf-8') as two:
            pathlib.Path(self.folder, 'both.pem').write_text(one.read() + two.read(), encoding='utf-8')
        free = quiet_ports(2 * len(LISTENERS))
        self.inner, self.outer = dict(zip(LISTENERS, free)), dict(zip(LISTENERS, free[len(LISTENERS):]))
        text = (DEPLOY / self.file).read_text(encoding='utf-8')
        for name, port in LISTENERS.items():
            text = text.replace(f'127.0.0.1:{port}', f'127.0.0.1:{self.inner[name]}')
        self.config = os.path.join(self.folder, self.file)
        pathlib.Path(self.config).write_text(self.rewrite(text), encoding='utf-8')
        launcher = []
        if os.geteuid() == 0:
            launcher = postgres.unprivileged()
            for name in ('', *os.listdir(self.folder)):
                os.chown(os.path.join(self.folder, name), *postgres.nobody())
        self.log = open(os.path.join(self.folder, 'log'), 'wb')
        self.process = subprocess.Popen([*launcher, 'env', f'HOME={self.folder}', self.where(), *self.arguments()], stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=subprocess.STDOUT, cwd='/')
        cluster.wait_for(self.program, self.is_up)

    @classmethod
    def where(cls):
        return shutil.which(cls.program) or (f'/usr/sbin/{cls.program}' if os.path.exists(f'/usr/sbin/{cls.program}') else None)

    def is_up(self):
        if self.process.poll() is not None:
            raise wire.Failure(f'{self.program} has ended: {pathlib.Path(self.log.name).read_text()[-2000:]}')
        try:
            for name in self.hands_on:
                socket.create_connection(('127.0.0.1', self.outer[name]), wire.DEADLINE_S).close()
            return True
        except ConnectionRefusedError:
            return False

    def public(self, name):
        """The public port in the file."""
        return 443 if name == 'http' else LISTENERS[name] - NODE_PORT_OFFSET

    def client(self):
        return self.certificate.client()

    def listen(self, parlor, *names):
        return [*(word for name in wire.ask.listeners(parlor)
                  for word in ('--' + name, f'127.0.0.1:{self.inner[name]}' if name in names else 'off')), '--allow-root', *OPTIONS]

    def port(self, _parlor, _addresses, name):
        return self.outer[name]

    def connect(self, name, origin='127.0.0.1'):
        return self.client().wrap_socket(socket.create_connection(('127.0.0.1', self.outer[name]), wire.DEADLINE_S, source_address=(origin, 0)),
                                         server_hostname=NAME)

    def close(self):
        self.process.terminate()
        self.process.wait(wire.DEADLINE_S)
        self.log.close()
        self.certificate.close()


class HAProxy(Proxy):
    program, file = 'haproxy', 'haproxy.cfg'

    def rewrite(self, text):
        for name in LISTENERS:
            text = re.sub(rf'^( +)bind :{self.public(name)} ', rf'\g<1>bind 127.0.0.1:{self.outer[name]} ', text, flags=re.M)
        text = re.sub(r'^ +(user|group|daemon|log /dev/log|log global).*\n', '', text, flags=re.M)
        return re.sub(r'^ +maxconn \d+$', '    maxconn 1000', text, flags=re.M).replace(f'/etc/haproxy/{NAME}.pem', self.folder + '/both.pem')

    def arguments(self):
        return ['-db', '-f', self.config]


class Nginx(Proxy):
    program, file = 'nginx', 'nginx.conf'

    def rewrite(self, text):
        for name in LISTENERS:
            text = text.replace(f'listen {self.public(name)} ssl', f'listen 127.0.0.1:{self.outer[name]} ssl')
        places = '\n'.join(f'    {word}_temp_path {self.folder}/{word};' for word in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))
        text = text.replace('http {', 'http {\n' + places, 1).replace('user www-data;', '').replace('/run/nginx.pid', self.folder + '/pid')
        text = text.replace('modules/', '/usr/lib/nginx/modules/').replace('/var/log/nginx/error.log', 'stderr').replace('auto;', '1;')
        text = text.replace('worker_connections 20000', 'worker_connections 1000')
        return text.replace(f'/etc/nginx/{NAME}.pem', self.certificate.file).replace(f'/etc/nginx/{NAME}.key', self.certificate.key)

    def arguments(self):
        return ['-c', self.config, '-g', 'daemon off;', '-e', 'stderr']


class Caddy(Proxy):
    program, file, hands_on = 'caddy', 'Caddyfile', ('http',)

    def rewrite(self, text):
        files = f'tls {self.certificate.file} {self.certificate.key}'
        text = text.replace(f'{NAME} {{', f'https://localhost:{self.outer["http"]}, https://{NAME}:{self.outer["http"]} {{\n\t{files}', 1)
        return f'{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system {self.folder}\n}}\n' + text

    def arguments(self):
        return ['run', '--adapter', 'caddyfile', '--config', self.config]


class Server(wire.Process):
    """parlor serve where the proxy hands on to."""

    def __init__(self, proxy, *options):
        super().__init__([PARLOR, 'serve', '--store', 'memory', '--data', os.path.join(proxy.folder, 'data'), '--log-level', 'warn',
                          *proxy.listen(PARLOR, *LISTENERS), *options])
        if not wire.ask.ready(self.process.stdout.readline().decode()):
            self.kill()
            raise wire.Failure(f'the server is not ready\n{self.error_text()[-2000:]}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def largest(protocol):
    """The recorded conversation with most in it."""
    return max(conversations.paths_in(protocol, ''), key=lambda path: os.path.getsize(os.path.join(conversations.HERE, path)))


class HttpConversation(conversations.Conversation):
    """A proxy keeps connections of HTTP open when the server has ended."""

    def take_end(self, client):
        client.close()


def conversations_get_through(proxy):
    wire.TLS = proxy
    try:
        for protocol in wire.ask.told(PARLOR, 'protocols'):
            if protocol['listener'] in proxy.hands_on:
                kind = HttpConversation if protocol['listener'] == 'http' else conversations.Conversation
                kind(PARLOR, largest(protocol['name'])).run()
    finally:
        wire.TLS = None


def read_until(link, *ends):
    data = b''
    while not any(end in data for end in ends):
        piece = link.recv(65536)
        check(piece, f'the stream ends after {data!r}')
        data += piece
    return data


def pages_come_over_https(proxy):
    with Server(proxy) as server:
        with proxy.connect('http') as link:
            link.sendall(f'GET / HTTP/1.1\r\nHost: {NAME}:{proxy.outer["http"]}\r\nConnection: close\r\n\r\n'.encode())
            check(b' 200 OK\r\n' in read_until(link, b'</html>'), 'no page')
        with proxy.connect('http') as link:
            origin = f'{NAME}:{proxy.outer["http"]}'
            link.sendall(native.handshake('/api/v1/ws', 'dGhlIHNhbXBsZSBub25jZQ==')
                         .replace(b'Host: localhost', b'Host: %b\r\nOrigin: https://%b' % (origin.encode(), origin.encode())))
            read_until(link, b's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
            link.sendall(native.frame(0x81, b'{"type":"lobby"}'))
            read_until(link, b'"tables":')
        server.process.terminate()
        server.wait()


def opened(proxy, origin, **headers):
    link = http.client.HTTPSConnection('localhost', proxy.outer['http'], timeout=wire.DEADLINE_S, source_address=(origin, 0), context=proxy.client())
    link.request('POST', '/api/v1/tables', '{"game":"paper-soccer"}', {'Content-Type': 'application/json', **headers})
    status = link.getresponse().status
    link.close()
    return status


def limits_count_for_clients(proxy):
    """Whatever they say themselves about where they are."""
    with Server(proxy, '--address-tables-max', '1', '--address-connections-max', '2') as server:
        check(opened(proxy, '127.0.0.2') == 201 and opened(proxy, '127.0.0.2') == 429, 'the first client')
        for header in ('X-Forwarded-For', 'Forwarded'):
            check(opened(proxy, '127.0.0.2', **{header: '198.51.100.7' if header[0] == 'X' else 'for=198.51.100.7'}) == 429, f'{header} of a client is believed')
        check(opened(proxy, '127.0.0.3') == 201, 'another client')
        for name in proxy.hands_on:
            if name != 'ugs':
                continue
            kept = [proxy.connect(name, '127.0.0.2') for _ in range(2)]
            for number, link in enumerate(kept):
                link.sendall(wire.player_login(f'ann{number}', 'another-game').encode())
                read_until(link, b'accept="yes"')
            with proxy.connect(name, '127.0.0.2') as third:
                check(ADDRESS_SENTENCE in read_until(third, b'</message>'), 'a third one')
            with proxy.connect(name, '127.0.0.3') as other:
                other.sendall(wire.player_login('bob', 'another-game').encode())
                read_until(other, b'accept="yes"')
            for link in kept:
                link.close()
        server.process.terminate()
        server.wait()


def every_listener_is_handed_on():
    """HAProxy and nginx have one of each, where parlor.conf has it."""
    check(set(LISTENERS) == set(wire.ask.listeners(PARLOR)), f'parlor.conf has {sorted(LISTENERS)}')
    check(OPTIONS[OPTIONS.index('--proxy-protocol') + 1].split(',') == [name for name in LISTENERS if name != 'http'], f'{OPTIONS}')
    for proxy in (HAProxy, Nginx):
        text = (DEPLOY / proxy.file).read_text(encoding='utf-8')
        for name, port in LISTENERS.items():
            check(f'127.0.0.1:{port}' in text, f'{proxy.file} does not know {name}')


def run(proxy, case):
    if proxy.where() is None:
        return lambda: print(f'# {proxy.program} is not installed', flush=True)

    def play():
        one = proxy()
        try:
            case(one)
        finally:
            one.close()
    return play


CASES = [('every listener is handed on', every_listener_is_handed_on)] + [
    (f'{proxy.program}: {name}' + (' # SKIP not installed' if proxy.where() is None else ''), run(proxy, case))
    for proxy in (HAProxy, Nginx, Caddy)
    for name, case in (('conversations get through', conversations_get_through), ('page and WebSocket', pages_come_over_https),
                       ('limits count for clients', limits_count_for_clients))]

if certificates.MISSING:
    print(f'1..0 # SKIP {certificates.MISSING}')
    sys.exit(0)
words_of_case = ' '.join(sys.argv[2:])
wire.run_cases([case for case in CASES if words_of_case in case[0]])
