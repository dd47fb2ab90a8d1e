#!/usr/bin/env python3
"""Attacks beside honest pairs. While strangers flood a server with little memory, a pair of players of every protocol plays a
whole game to its end, a person plays against a bot of the server, and somebody asks small things again and again. All of them
must be through; what the server computes between such a question and its answer is bounded (measured as its own time of the
processor, so that other work of the machine does not count); its memory stays under the ceiling, and is given back.

usage: hostile.py PARLOR [WORDS OF A CASE]
"""
import os
import random
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'wire'))
import certificates  # noqa: E402  (found by the line above)
import native  # noqa: E402
import wire  # noqa: E402

PARLOR = sys.argv[1]
MEMORY_MB = 64
LEFT_MB_MAX = 24  # of memory when the strangers are gone, with the tables that have been opened
QUESTIONS = 21
QUESTION_CPU_MS_MAX = 400  # with sanitizers; without shares it was seconds
PAIR_S = 300  # a guard against hanging, nothing else
PUBLIC_TABLES = 100
BOT_TABLES = 30
IDLE_SOCKETS, IDLE_SOCKET_BYTES_MAX = 500, 2048
LINED_UP = ('renaissance', 'santorini')  # where players are put together in the order of their coming
TOO_OFTEN = 'address-too-often'
ANY_NUMBER = ('--address-requests-max', '0')  # of requests: what is looked at is what else holds


class Server(native.Server):
    def __init__(self, *options):
        super().__init__(PARLOR, [*wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR)), '--memory-max', f'{MEMORY_MB}M', '--store',
                                  'memory', '--log-level', 'info', '--hunt-poll-interval', '0', '--message-timeout', '600',
                                  '--idle-timeout', '600', *options])

    def loop_ms(self):
        """What the thread of the loop has computed."""
        with open(f'/proc/{self.process.pid}/task/{self.process.pid}/schedstat', encoding='ascii') as file:
            return int(file.read().split()[0]) / 1e6

    def ports(self):
        return {name: wire.ask.port(address) for name, address in self.addresses.items()}


class Attack(wire.Process):
    """Strangers, until the block ends."""

    def __init__(self, server, kind, count):
        super().__init__([sys.executable, os.path.join(HERE, 'attacks.py'), kind, str(count),
                          *(f'{name}={port}' for name, port in server.ports().items())])
        line = self.process.stdout.readline().decode().strip()
        native.check(line == 'ready', f'{kind}: {line!r} {self.error_text()[-500:]}')


class Attacks:
    def __init__(self, server, **kinds):
        self.server, self.kinds = server, kinds

    def __enter__(self):
        self.all = [Attack(self.server, kind.replace('_', '-'), count) for kind, count in self.kinds.items()]

    def __exit__(self, *_):
        for attack in self.all:
            attack.kill()


class Bot(wire.Process):
    """One player of a pair, a program that speaks the protocol of its game."""

    def __init__(self, game, *options):
        level = '5' if game == 'treasure-hunt' else '1'  # hunters who slip take many more turns
        super().__init__([PARLOR, 'bot', game, '--level', level, *options])

    def finish(self):
        try:
            self.wait(deadline_s=PAIR_S)
        except wire.Failure as failure:
            raise wire.Failure(f'{" ".join(self.arguments[2:])}: {failure}') from None


def at(server, name):
    return f'127.0.0.1:{server.ports()[name]}'


def pair_of(game, *options):
    return [Bot(game, *options, '--name', name) for name in ('player1', 'player2')]


def second_of(first, game, option, word, *options):
    """The one who comes to the game that the first one has told of."""
    line = first.process.stdout.readline().decode().split()
    native.check(line[:1] == [word], f'{game}: {line} {first.error_text()[-500:]}')
    return Bot(game, *options, option, line[1])


def pairs(server):
    """Two players of every protocol, on their way, also where strangers stand in line before them."""
    eriantys = ['--connect', at(server, 'eriantys'), '--kind', 'random']
    hunt = ['--connect', f'http://{at(server, "http")}', '--interval', '0.01']
    for first, second in (('treasure-hunt', (hunt, '--game', 'game')), ('eriantys', (eriantys, '--code', 'code'))):
        options, option, word = second
        opener = Bot(first, *options, '--name', 'one')
        yield opener
        yield second_of(opener, first, option, word, *options, '--name', 'two')
    for game in LINED_UP:
        yield from pair_of(game, '--connect', at(server, game), '--kind', 'random', '--players', '2')
    for nick in ('one', 'two'):
        yield Bot('paper-soccer', '--connect_to', at(server, 'ugs'), '--kind', 'random', '--games', '1', '--nick', nick)


def questions(server):
    """What the loop computes from a small question to its answer, in the middle."""
    taken = []
    for _ in range(QUESTIONS):
        before = server.loop_ms()
        server.get('/tables?limit=1')
        taken.append(server.loop_ms() - before)
    return statistics.median(taken)


def honest_play(server):
    players = list(pairs(server))
    cpu_ms = questions(server)
    table = server.open('paper-soccer', bots=[{'seat': 1, 'level': 1}])
    person = server.sit(table['code'], 'ann', seat=0)
    native.play_out(server, table['code'], {0: person['token']}, random.Random(1).choice)
    for player in players:
        player.finish()
    native.check(cpu_ms < QUESTION_CPU_MS_MAX, f'the loop computes {cpu_ms:.0f} ms before it answers a small question')
    return cpu_ms


def memory_of(server):
    """(the most that was in use, what is in use at the end) in bytes, after the end"""
    server.stop()
    found = re.search(r'ended memory_peak_bytes=(\d+) memory_bytes=(\d+)', server.error_text())
    native.check(found, server.error_text()[-500:])
    return [int(text) for text in found.groups()]


def memory_check(server, name, cpu_ms):
    """The ceiling was never passed, and what the strangers took is free."""
    peak_mb, left_mb = (size / (1 << 20) for size in memory_of(server))
    print(f'# {name}: {cpu_ms:.1f} ms of the loop a question, {peak_mb:.1f} MB at most, {left_mb:.1f} MB left', flush=True)
    native.check(peak_mb <= MEMORY_MB, f'{peak_mb:.1f} MB of {MEMORY_MB} were in use')
    native.check(left_mb <= LEFT_MB_MAX, f'{left_mb:.1f} MB are left')


def case_of(name, prepare=lambda server: None, options=ANY_NUMBER, **kinds):
    def case():
        with Server(*options) as server:
            prepare(server)
            with Attacks(server, **kinds):
                while options != ANY_NUMBER and TOO_OFTEN not in server.error_text():
                    time.sleep(0.1)
                cpu_ms = honest_play(server)
            native.check(options != ANY_NUMBER or TOO_OFTEN not in server.error_text(), 'requests of an address are limited')
            memory_check(server, name, cpu_ms)
    return f'honest pairs beside {name}', case


def idle_sockets():
    """Those who have been told something and wait for more."""
    peaks = []
    for count in (0, IDLE_SOCKETS):
        with Server() as server:
            sockets = [native.Socket(server) for _ in range(count + 1)]
            for client in sockets:
                client.ask('lobby', type='lobby')
            peaks.append(memory_of(server)[0])
    each = (peaks[1] - peaks[0]) / IDLE_SOCKETS
    print(f'# an idle WebSocket costs {each:.0f} bytes', flush=True)
    native.check(each < IDLE_SOCKET_BYTES_MAX, f'an idle WebSocket costs {each:.0f} bytes')


def handshakes():
    """Of TLS: those that make the server work, and those that are begun and not ended."""
    if certificates.MISSING:
        print(f'# {certificates.MISSING}', flush=True)
        return
    with certificates.Certificate() as certificate, Server(*ANY_NUMBER, *certificate.options(PARLOR, 'http')) as server:
        with Attacks(server, handshakes=60, handshakes_partial=150):
            cpu_ms = honest_play(server)
            native.check(' info tls-failed listener="https" ' in server.error_text(), 'nobody was thrown out')
        memory_check(server, 'handshakes', cpu_ms)


def public_tables(server):
    for _ in range(PUBLIC_TABLES):
        server.open('paper-soccer')


def deep_thinkers(server):
    """Tables of bots alone at the highest level. Whoever ends the server does not wait for them."""
    for _ in range(BOT_TABLES):
        server.open('paper-soccer', bots=[{'seat': seat, 'level': 5} for seat in range(2)])


def main():
    cases = [
        case_of('nobody'),
        case_of('dear answers', public_tables, lobby=20, lobby_read=10, openapi=10, list=10),
        case_of('garbage', ugs=10, santorini=10, renaissance=10, eriantys=10),
        case_of('what is begun and not ended', bodies=200, fragments=200, ugs_partial=60, lines_partial=100, unread=30, comers=100),
        case_of('an address that asks too often', public_tables, ('--address-requests-max', '1000'), questions=10, lobby_read=10, list=10, ugs=5, santorini=5, renaissance=5, eriantys=5),
        case_of('deep thinkers', deep_thinkers),
        ('handshakes of TLS', handshakes),
        ('an idle WebSocket costs little', idle_sockets),
    ]
    wire.run_cases([case for case in cases if all(word in case[0] for word in sys.argv[2:])])


if __name__ == '__main__':
    main()
