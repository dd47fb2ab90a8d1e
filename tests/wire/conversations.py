#!/usr/bin/env python3
"""Plays recorded conversations with a real server. Each directory of tests/wire that is named like a protocol (speakers.py has
their clients) has some, NAME.conv. Each is played three times: as it is, with one byte per write, and with everything that a
client sends in a row in one write.

    # comment
    $ --seed 1 --no-builtin-master     options of the server, before anything else
    & two-players                      the lines of inc/two-players.conv come here
    A+                                 A connects
    A+ /api/v1/ws                      A connects and speaks WebSocket on that path (of HTTP protocols)
    A> message                         A sends this message
    A>> bytes                          A sends exactly these bytes
    A< message                         the next message that A receives is exactly this
    A<< bytes                          A receives exactly these bytes (ugs only)
    A*9< message                       the same message nine times
    A<| message                        as A<, but such lines one after the other may come true in any order
    AB< message                        A and B each receive it
    A!                                 A finds its connection closed by the server, with nothing before
    A-                                 A closes its connection
    A= message                         what A is told when the server ends, instead of the goodbye of its protocol
    @ other second first A B           sets {second} to the one of A and B that {first} is not
    {first}> message                   the client whose name was captured

A line that begins with blanks goes on with the one before. A message is XML of the Universal Game System, with the
declaration before answers left out; or a line of JSON; or for HTTP a request METHOD PATH [Bearer TOKEN] [BODY] and its answer
STATUS BODY. Pings of lines of JSON are answered and passed over wherever they are not expected, and so is what else
comes by the clock.

In what is sent, \\n \\r \\t \\\\ \\xHH are bytes, and everywhere {*9:text} is nine times text. In what is expected {any} is
some text without quotes, {...} is any text or none, and any other {name} keeps what it finds there; from then on {name} stands
for that, in both directions.

When a conversation is through, everything that was said must have been expected, and the server is stopped by SIGTERM: every client
that is still there must receive the goodbye of its protocol and then the end, and nothing before; the server must exit with 0.

The conversations in wrong/ are not what the server says, and must be noticed: they test what is above.

usage: conversations.py PARLOR [PROTOCOL | PROTOCOL/NAME]...
"""
import glob
import os
import re
import sys
import time

import wire
from speakers import SocketClient, speaker_of

HERE = os.path.dirname(os.path.abspath(__file__))
STEP = re.compile(r'(?P<who>[A-Z]+|\{\w+\})(?:\*(?P<count>\d+))?(?P<verb>[+!=-]|<<|<\||<|>>|>)(?: (?P<text>.*))?')
ESCAPES = {b'n': b'\n', b'r': b'\r', b't': b'\t', b'\\': b'\\'}
LARGE = 4096  # bytes; what is longer goes out in pieces of LARGE_PIECE when others go byte by byte
LARGE_PIECE = 61
MODES = {'as it is': {}, 'one byte per write': {'piece': 1}, 'in one write': {'coalesces': True}}


def read_lines(protocol, name):
    """(where, line) of what is to be done, with included lines in their places and continued ones joined."""
    lines = []
    with open(os.path.join(HERE, protocol, name), encoding='utf-8', newline='\n') as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip('\n')
            if line.startswith('& '):
                lines += read_lines(protocol, f'inc/{line[2:]}.conv')
            elif line.startswith(' ') and lines:
                lines[-1] = (lines[-1][0], lines[-1][1] + line.lstrip(' '))
            elif line and not line.startswith('#'):
                lines.append((f'{protocol}/{name}:{number}', line))
    return lines


def repeat(text):
    return re.sub(r'\{\*(\d+):(.*?)\}', lambda match: int(match.group(1)) * match.group(2), text)


def to_bytes(text):
    """Texts of a file to bytes: repetitions, then escapes."""
    return re.sub(rb'\\(?:x([0-9a-fA-F]{2})|(.))',
                  lambda match: bytes.fromhex(match.group(1).decode()) if match.group(1) else ESCAPES[match.group(2)],
                  repeat(text).encode())


class Conversation:
    def __init__(self, parlor, path, piece=None, coalesces=False):
        self.parlor, self.piece, self.coalesces = parlor, piece, coalesces
        self.protocol, self.name = path.split('/', 1)
        self.speaker = speaker_of(self.protocol)
        self.clients, self.values = {}, {}
        self.waiting = None  # (client, bytes) that are not sent yet, when sends are coalesced
        self.any_order = []  # (client, text) of lines A<| that have not come true yet

    def run(self):
        lines = read_lines(self.protocol, self.name)
        options = [word for _, line in lines if line.startswith('$ ') for word in line[2:].split()]
        with self.speaker.start(self.parlor, options) as server:
            for where, line in lines:
                try:
                    if not line.startswith('$ '):
                        self.step(server, line)
                except wire.Failure as failure:
                    raise wire.Failure(f'{where}: {line[:200]}\n{failure}\n{server.error_text()[-2000:]}') from None
            self.flush()
            self.take_any_order()
            self.end(server)

    def end(self, server):
        for client in self.clients.values():
            client.settle(server)
        if server.process.poll() is not None:
            server.wait()
            raise wire.Failure('the server has ended before it was told to')
        server.process.terminate()
        for client in self.clients.values():
            for text in client.goodbye:
                self.take(client, [text])
            self.take_end(client)
        server.wait()

    def step(self, server, line):
        if line.startswith('@ other '):
            target, known, *names = line.split()[2:]
            self.values[target], = [name for name in names if name != self.values[known]]
            return
        match = STEP.fullmatch(line)
        if match is None:
            raise wire.Failure('this is no line of a conversation')
        who, verb, text = match.group('who'), match.group('verb'), match.group('text') or ''
        names = [self.values[who[1:-1]]] if who.startswith('{') else list(who)
        for name in names:
            for _ in range(int(match.group('count') or 1)):
                self.act(server, name, verb, text)

    def act(self, server, name, verb, text):
        if verb == '<|':
            self.flush()
            self.any_order.append((name, text))
            return
        self.take_any_order()
        if verb in ('>', '>>'):
            data = to_bytes(self.fill(text))
            self.send(name, self.clients[name].frame(data) if verb == '>' else data)
            return
        self.flush()
        if verb == '+':
            self.clients[name] = (SocketClient if text else self.speaker)(server, name, self.clients, text)
        elif verb == '=':
            self.clients[name].goodbye = (text,)
        elif verb == '-':
            self.clients.pop(name).close()
        elif verb == '!':
            self.take_end(self.clients[name])
            self.clients.pop(name)
        elif verb == '<<':
            expected = to_bytes(self.fill(text))
            found = self.clients[name].read_bytes(len(expected))
            if found != expected:
                raise wire.Failure(f'got {found!r}')
        else:
            self.take(self.clients[name], [text])

    def take(self, client, texts):
        """Reads the next message, which must fit one of these texts; returns which. Beats of the clock are passed over."""
        ending = time.monotonic() + wire.DEADLINE_S
        while True:
            message = client.read_message()
            for text in texts:
                match = re.fullmatch(re.escape(client.head) + self.pattern(text), message or '', re.S)
                if match:
                    self.values.update(match.groupdict())
                    return text
            if message is None or not client.is_beat(message) or time.monotonic() > ending:
                raise wire.Failure(f'{client.name} got {message}')

    def take_end(self, client):
        message = client.read_message()
        while message is not None and client.is_beat(message):
            message = client.read_message()
        if message is not None:
            raise wire.Failure(f'{client.name}: expected the end of the stream, but got {message}')
        client.close()

    def take_any_order(self):
        """Reads one message for each line A<|; each must fit one of the client's lines that is still open."""
        while self.any_order:
            name = self.any_order[0][0]
            text = self.take(self.clients[name], [text for other, text in self.any_order if other == name])
            self.any_order.remove((name, text))

    def fill(self, text):
        """Puts what is known in the place of its name."""
        return re.sub(r'\{([a-z]\w*)\}', lambda match: self.values[match.group(1)], text)

    def pattern(self, text):
        """The regular expression of an expected text; to_bytes has no say here, only names and repetitions."""
        result = ''
        for place, part in enumerate(re.split(r'\{([a-z]\w*|\.\.\.)\}', repeat(text))):
            name = part if place % 2 else None
            if name is None:
                result += re.escape(part)
            elif name == '...':
                result += '.*?'
            elif name == 'any':
                result += '[^<>"]+'
            elif name in self.values:
                result += re.escape(self.values[name])
            elif f'(?P<{name}>' in result:
                result += f'(?P={name})'
            else:
                result += f'(?P<{name}>[^<>"]+)'
        return result

    def send(self, name, data):
        if self.coalesces and self.waiting is not None and self.waiting[0] == name:
            self.waiting = (name, self.waiting[1] + data)
            return
        self.flush()
        self.waiting = (name, data)
        if not self.coalesces:
            self.flush()

    def flush(self):
        if self.waiting is None:
            return
        name, data = self.waiting
        self.waiting = None
        piece = LARGE_PIECE if self.piece and len(data) > LARGE else self.piece
        try:
            self.clients[name].send(data, piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server may refuse and close before it has read all; what it said is still to be read


def must_fail(conversation):
    def run():
        try:
            conversation.run()
        except wire.Failure:
            for client in conversation.clients.values():
                client.close()
            return
        raise wire.Failure('nobody noticed')
    return run


def paths_in(protocol, folder):
    return sorted(os.path.relpath(path, HERE) for path in glob.glob(os.path.join(HERE, protocol, folder, '*.conv')))


def main():
    protocols = [protocol['name'] for protocol in wire.ask.told(sys.argv[1], 'protocols')]
    parlor, wanted = sys.argv[1], sys.argv[2:] or protocols
    cases = []
    for protocol in protocols:
        paths = [path for path in paths_in(protocol, '') if protocol in wanted or path[:-5] in wanted]
        cases += [(f'{path[:-5]}, {mode}', Conversation(parlor, path, **how).run)
                  for path in paths for mode, how in MODES.items()]
        if protocol in wanted:
            cases += [(f'{path[:-5]} is noticed', must_fail(Conversation(parlor, path))) for path in paths_in(protocol, 'wrong')]
    wire.run_cases(cases)


if __name__ == '__main__':
    main()
