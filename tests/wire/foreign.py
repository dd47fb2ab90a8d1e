#!/usr/bin/env python3
"""Clients of something else: what a browser, a client of TLS, a Java program, a mail client or a scanner says first is said on every listener that does not
speak it. It is answered in the words of the listener's own protocol or not at all, the connection ends cleanly when the client has said its last word, nothing
is begun or kept for it, and players are served as before.

usage: foreign.py PARLOR [WORDS OF A CASE]
"""
import json
import re
import socket
import struct
import subprocess
import sys

import native
import wire
from native import check

PARLOR = sys.argv[1]
LISTENERS = wire.ask.listeners(PARLOR)

JAVA_HEADER = b'\xac\xed\x00\x05'
JAVA_TEXT = JAVA_HEADER + b't\x00\x05hello'
JAVA_OBJECT = JAVA_HEADER + b'sr\x00\x11java.util.HashMap\x05\x07\xda\xc1\xc3\x16\x60\xd1\x03\x00\x02F\x00\nloadFactorI\x00\tthresholdxp?@\x00\x00\x00\x00\x00\x00w\x08\x00\x00\x00\x10\x00\x00\x00\x00x'
GREETINGS = {
    'the header of a Java object stream': JAVA_HEADER,
    'a text of a Java object stream': JAVA_TEXT,
    'an object of a Java object stream': JAVA_OBJECT,
    'a Java object stream of nested arrays': JAVA_HEADER + b'ur\x00\x13[Ljava.lang.Object;\x90\xceX\x9f\x10s)l\x02\x00\x00xp\x7f\xff\xff\xff' * 50,
    'a client of TLS': bytes.fromhex('16030100310100002d0303') + bytes(32) + bytes.fromhex('0000021301010000'),
    'a browser': b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'a post of XML': b'POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n<request/>',
    'HTTP/2': b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + bytes.fromhex('000000040000000000'),
    'a proxy that nobody trusts': b'PROXY TCP4 192.0.2.1 192.0.2.2 40000 80\r\n',
    'SSH': b'SSH-2.0-OpenSSH_9.2\r\n',
    'a mail client': b'EHLO example.org\r\nQUIT\r\n',
    'Redis': b'*1\r\n$4\r\nPING\r\n',
    'a line of JSON': b'{"type":"hello","name":"ann"}\n',
    'a message of XML': b'<?xml version="1.0"?><message type="hello"/>',
    'UTF-16': b'\xff\xfe' + '{"type":"login"}\n'.encode('utf-16-le'),
    'nothing but zeros': bytes(4096),
    'nothing but ones': b'\xff' * 4096,
    'a large number first': struct.pack('>I', 0x7fffffff) + b'x' * 100,
}
OWN = {  # what a listener understands
    'http': ('a browser', 'a post of XML'),
    'ugs': ('a message of XML',),
    'santorini': ('a line of JSON',), 'eriantys': ('a line of JSON',), 'renaissance': ('a line of JSON',),
    'renaissance-java': ('the header of a Java object stream', 'a text of a Java object stream', 'an object of a Java object stream'),
}


def said_to(server, listener, greeting, split):
    """What a client hears until the end of the stream, after it has said all it had to say. None when it went on for so long after the server's last word that
    the server did not wait for it: that can only be where it speaks byte by byte."""
    with socket.create_connection(('127.0.0.1', wire.ask.port(server.addresses[listener])), wire.DEADLINE_S) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for i in range(0, len(greeting), split):
                client.sendall(greeting[i:i + split])
            client.shutdown(socket.SHUT_WR)
            heard = b''
            while piece := client.recv(65536):
                heard += piece
        except (BrokenPipeError, ConnectionResetError):
            check(split == 1, 'the connection was reset')
            return None
        return heard


def check_words(listener, heard):
    """In the listener's own protocol, whole."""
    if listener == 'http':
        check(heard == b'' or heard.startswith(b'HTTP/1.1 4') or heard.startswith(b'HTTP/1.1 505'), f'{heard!r}')
    elif listener == 'ugs':
        check(re.fullmatch(r'((<\?xml [^>]*\?>)?<message type="error">[^<]*</message>)*', heard.decode()), f'{heard!r}')
    elif listener == 'renaissance-java':
        check(heard == b'' or heard.startswith(JAVA_HEADER), f'{heard!r}')
    elif listener in OWN:
        check(heard == b'' or heard.endswith(b'\n'), f'{heard!r}')
        for line in heard.splitlines():
            check(isinstance(json.loads(line), dict), f'{line!r}')


def case_of(listener):
    def case():
        with native.Server(PARLOR, [*wire.ask.listen(PARLOR, *LISTENERS), '--store', 'sqlite']) as server:
            answered = 0
            for name, greeting in GREETINGS.items():
                for split in (len(greeting), 1) if len(greeting) < 200 else (len(greeting),):
                    if name in OWN.get(listener, ()):
                        continue
                    heard = said_to(server, listener, greeting, split)
                    if heard is None:
                        continue
                    answered += heard != b''
                    try:
                        check_words(listener, heard)
                    except (wire.Failure, ValueError) as failure:
                        raise wire.Failure(f'{name}: {failure}') from None
            check(answered > 0, 'nobody is told anything')
            check(server.get('/tables')['tables'] == [], 'there is a table')
            check(server.process.poll() is None, 'the server has ended')
            kept = subprocess.run([PARLOR, 'journal', 'list', '--data', server.data + '/data'], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
            check(kept.returncode == 0 and kept.stdout.strip() == '', kept.stdout + kept.stderr)
            server.stop()
    return f'foreign greetings on {listener}', case


words = ' '.join(sys.argv[2:])
wire.run_cases([case for case in map(case_of, LISTENERS) if words in case[0]])
