#!/usr/bin/env python3
"""Plays the conversations tests/wire/ugs/*.conv with a real server, each of them three times: as it is, with one byte
per write, and with everything that a client sends in a row in one write.

    # comment
    $ --seed 1 --no-builtin-master     options of the server, before anything else
    & two-players                      the lines of inc/two-players.conv come here
    A+                                 A connects
    A> <message ...>                   A sends these bytes
    A< <message ...>                   the next message that A receives is the XML declaration and exactly these bytes
    A<< bytes                          A receives exactly these bytes
    A*9< <message ...>                 the same message nine times
    A<| <message ...>                  as A<, but such lines one after the other may come true in any order
    AB< <message ...>                  A and B each receive it
    A!                                 A finds its connection closed by the server, with nothing before
    A-                                 A closes its connection
    @ other second first A B           sets {second} to the one of A and B that {first} is not
    {first}> <message ...>             the client whose name was captured

In texts, \\n \\r \\t \\\\ \\xHH are bytes and {*9:text} is nine times text. In what is expected {any} is some text, and any
other {name} keeps what it finds there; from then on {name} stands for that, in both directions.

When a conversation is through, the server is stopped by SIGTERM: every client that is still there must receive
serverShutdown and then the end, and nothing before; the server must exit with 0.

The conversations in wrong/ are not what the server says, and must be noticed: they test what is above.

usage: conversations.py PARLOR [NAME]...
"""
import glob
import os
import re
import sys

import wire

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ugs')
STEP = re.compile(r'(?P<who>[A-Z]+|\{\w+\})(?:\*(?P<count>\d+))?(?P<verb>[+!-]|<<|<\||<|>)(?: (?P<text>.*))?')
LARGE = 4096  # bytes; what is longer goes out in pieces of LARGE_PIECE when others go byte by byte
LARGE_PIECE = 61
MODES = {'as it is': {}, 'one byte per write': {'piece': 1}, 'in one write': {'coalesces': True}}


def read_lines(name):
    with open(os.path.join(HERE, name), encoding='utf-8', newline='\n') as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip('\n')
            if line.startswith('& '):
                yield from read_lines(f'inc/{line[2:]}.conv')
            elif line and not line.startswith('#'):
                yield f'{name}:{number}', line


def to_bytes(text):
    """Texts of a file to bytes: repetitions, then escapes."""
    text = re.sub(r'\{\*(\d+):(.*?)\}', lambda match: int(match.group(1)) * match.group(2), text)
    data = text.encode()
    names = {b'n': b'\n', b'r': b'\r', b't': b'\t', b'\\': b'\\'}
    return re.sub(rb'\\(?:x([0-9a-fA-F]{2})|(.))',
                  lambda match: bytes.fromhex(match.group(1).decode()) if match.group(1) else names[match.group(2)], data)


class Conversation:
    def __init__(self, parlor, name, piece=None, coalesces=False):
        self.parlor, self.name, self.piece, self.coalesces = parlor, name, piece, coalesces
        self.clients, self.values = {}, {}
        self.waiting = None  # (client, bytes) that are not sent yet, when sends are coalesced
        self.any_order = []  # (client, text) of lines A<| that have not come true yet

    def run(self):
        lines = list(read_lines(self.name))
        options = [word for _, line in lines if line.startswith('$ ') for word in line[2:].split()]
        with wire.Server(self.parlor, options) as server:
            for where, line in lines:
                try:
                    if not line.startswith('$ '):
                        self.step(server, line)
                except wire.Failure as failure:
                    raise wire.Failure(f'{where}: {line[:200]}\n{failure}\n{server.error_text()[-2000:]}') from None
            self.flush()
            self.take_any_order()
            self.settle(server)
            server.stop(self.clients.values())

    def settle(self, server):
        """Waits until the server has read all that was sent: it has when it answers somebody who came later."""
        late = wire.Client(server.port, 'late')
        late.send('<message type="ping"/>')
        late.read_message()
        late.close()

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
        if verb == '>':
            self.send(name, to_bytes(self.fill(text)))
            return
        self.flush()
        if verb == '+':
            self.clients[name] = wire.Client(server.port, name)
        elif verb == '-':
            self.clients.pop(name).close()
        elif verb == '!':
            self.clients[name].expect_end()
            self.clients.pop(name).close()
        elif verb == '<<':
            expected = to_bytes(self.fill(text))
            found = self.clients[name].read_bytes(len(expected))
            if found != expected:
                raise wire.Failure(f'got {found!r}')
        else:
            self.values.update(self.clients[name].expect(self.pattern(text)).groupdict())

    def take_any_order(self):
        """Reads one message for each line A<|; each must fit one of the client's lines that is still open."""
        while self.any_order:
            name = self.any_order[0][0]
            message = self.clients[name].read_message()
            for line in self.any_order:
                match = re.fullmatch(re.escape(wire.DECLARATION) + self.pattern(line[1]), message or '', re.S)
                if line[0] == name and match:
                    self.any_order.remove(line)
                    self.values.update(match.groupdict())
                    break
            else:
                raise wire.Failure(f'{name} got {message}')

    def fill(self, text):
        """Puts what is known in the place of its name."""
        return re.sub(r'\{(\w+)\}', lambda match: self.values[match.group(1)], text)

    def pattern(self, text):
        """The regular expression of an expected text; to_bytes has no say here, only names and repetitions."""
        text = re.sub(r'\{\*(\d+):(.*?)\}', lambda match: int(match.group(1)) * match.group(2), text)
        result = ''
        for literal, name in re.findall(r'([^{]+)|\{(\w+)\}', text):
            if literal:
                result += re.escape(literal)
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


def names_in(folder):
    return sorted(os.path.relpath(path, HERE) for path in glob.glob(os.path.join(HERE, folder, '*.conv')))


def main():
    parlor, wanted = sys.argv[1], sys.argv[2:]
    names = [name for name in names_in('') if not wanted or name[:-5] in wanted]
    cases = [(f'{name[:-5]}, {mode}', Conversation(parlor, name, **how).run)
             for name in names for mode, how in MODES.items()]
    cases += [(f'{name[:-5]} is noticed', must_fail(Conversation(parlor, name))) for name in names_in('wrong')]
    wire.run_cases(cases)


if __name__ == '__main__':
    main()
