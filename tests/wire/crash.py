#!/usr/bin/env python3
"""Crashes of the real server: it is killed at random moments while players move, starts again on the same data, and
everything that any player was told must be in the journal. Then the same for a disk without room.

usage: crash.py PARLOR [--rounds N] [--pairs N] [--seed N]

Speaks TAP; the seed of the random moments and moves is printed first.
"""
import argparse
import json
import os
import random
import re
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import wire

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument('parlor')
OPTIONS.add_argument('--rounds', type=int, default=10)
OPTIONS.add_argument('--pairs', type=int, default=8)
OPTIONS.add_argument('--seed', type=int, default=int(time.time()))
OPTIONS = OPTIONS.parse_args()
OPTIONS.parlor = os.path.abspath(OPTIONS.parlor)
RANDOM = random.Random(OPTIONS.seed)

MOVES_UNTIL_KILL = 600     # at most; the moment is drawn anew in every round
DELAY_UNTIL_KILL_S = 0.02  # at most, behind that: the kill does not come in step with what is read
MOVES_AFTER_MAX = 20000    # of others, until a game that could not be saved must have gone on
ROOM_BYTES = 60 * 1024     # that the journal has left before its disk is full
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]  # as the journal numbers them


class Pitch:
    """Enough of the rules to move legally (docs/rules/paper-soccer.md)."""

    def __init__(self):
        self.ball, self.lines, self.touched = (0, 0), set(), {(0, 0)}

    def exits(self):
        (x, y) = self.ball
        for dx, dy in STEPS:
            u, v = x + dx, y + dy
            into_goal = abs(v) == 6 and abs(x) <= 1 and abs(u) <= 1 and 0 in (x, u)
            along_border = (x == u and abs(x) == 4) or (y == v and abs(y) == 5 and max(abs(x), abs(u)) > 1)
            if (into_goal or (abs(u) <= 4 and abs(v) <= 5 and not along_border)) \
                    and frozenset((self.ball, (u, v))) not in self.lines:
                yield u, v

    def step(self, to):
        """Moves the ball; true when the move must go on."""
        bounces = to in self.touched or abs(to[0]) == 4 or (abs(to[1]) == 5 and to[0] != 0)
        self.lines.add(frozenset((self.ball, to)))
        self.touched.add(to)
        self.ball = to
        return bounces and abs(to[1]) < 6 and next(self.exits(), None) is not None

    def move(self):
        """A random legal move; the pitch stays as it is."""
        trial = Pitch()
        trial.ball, trial.lines, trial.touched = self.ball, set(self.lines), set(self.touched)
        points = [RANDOM.choice(list(trial.exits()))]
        while trial.step(points[-1]):
            points.append(RANDOM.choice(list(trial.exits())))
        return points


def fact_of(message):
    """What a gameState says, in a form that can be compared: who is next or how it ended, and the points."""
    points = tuple((int(x), int(y)) for x, y in re.findall(r'<point x="(-?\d+)" y="(-?\d+)"/>', message))
    following = re.search(r'<nextPlayer nick="([^"]+)"/>', message)
    if following:
        return ('next', following.group(1)), points
    return ('over', tuple(re.findall(r'<player nick="([^"]+)" result="([^"]+)"/>', message))), points


class Player:
    """A player who moves at once and remembers everything that it is told."""

    def __init__(self, port, nick, selector):
        self.nick, self.data, self.told, self.errors, self.pitch = nick, b'', {}, [], Pitch()
        self.socket = socket.create_connection(('127.0.0.1', port), timeout=wire.DEADLINE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.selector = selector
        selector.register(self.socket, selectors.EVENT_READ, self)
        self.send(wire.player_login(nick))

    def send(self, text):
        try:
            self.socket.sendall(text.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass

    def read(self):
        """Takes what has come; false at the end of the stream. The number of states goes to the caller."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b''
        if not data:
            self.selector.unregister(self.socket)
            self.socket.close()
            return None
        self.data += data
        states = 0
        while (end := self.data.find(b'</message>')) >= 0:
            message, self.data = self.data[:end + 10].decode(), self.data[end + 10:]
            states += self.take(message)
        return states

    def take(self, message):
        if 'type="error"' in message:
            self.errors.append(message)
        if 'type="gameState"' not in message:
            return 0
        game = re.search(r'<gameId id="([^"]+)"/>', message).group(1)
        (word, who), points = fact = fact_of(message)
        if game not in self.told:
            self.told[game], self.pitch = [], Pitch()
        self.told[game].append(fact)
        if word == 'over':
            self.send(f'<message type="thank you"><gameId id="{game}"/></message>')
            return 1
        for point in points:
            self.pitch.step(point)
        if who == self.nick:
            move = ''.join(f'<point x="{x}" y="{y}"/>' for x, y in self.pitch.move())
            self.send(f'<message type="move"><gameId id="{game}"/><move>{move}</move></message>')
        return 1


def place(data):
    """The options that name a data directory, or a database."""
    return ['--store', data] if data.startswith('postgresql:') else ['--data', data]


class Server(wire.Process):
    """parlor serve on a data directory or a database that outlives it."""

    def __init__(self, data, launcher=(), options=()):
        super().__init__([*launcher, OPTIONS.parlor, 'serve', *place(data), '--store-alone', *options, *wire.ask.listen(OPTIONS.parlor, 'ugs'),
                          '--log-level', 'info'])
        self.ready = self.process.stdout.readline().decode()
        addresses = wire.ask.ready(self.ready)
        if not addresses:
            self.kill()
            raise wire.Failure(f'the server is not ready: {self.ready!r}\n{self.error_text()[-2000:]}')
        self.port = wire.ask.port(addresses['ugs'])

    def await_hall(self):
        """On a database the hall comes when that of a server that was killed is given up."""
        deadline = time.monotonic() + wire.DEADLINE_S
        while not wire.hall_is_here(self.port):
            if time.monotonic() > deadline:
                raise wire.Failure('the hall does not come')
        return self

    def check_log(self):
        """What was killed says nothing at its end; but a sanitizer may have spoken before."""
        text = self.error_text()
        if re.search(r'Sanitizer|runtime error:|Assertion|journal-broken|journal-conflict', text):
            raise wire.Failure(text[-3000:])
        return text


def journal(data, *arguments, launcher=()):
    done = subprocess.run([*launcher, OPTIONS.parlor, 'journal', *place(data), *arguments], capture_output=True, text=True,
                          timeout=10 * wire.DEADLINE_S, check=False)
    if done.returncode != 0:
        raise wire.Failure(f'parlor journal {arguments} ended with {done.returncode}: {done.stdout[-1500:]}{done.stderr[-1500:]}')
    return done.stdout


def journals_read(data, codes, launcher):
    """The events (kind, body) of these tables, in order."""
    events = {code: [] for code in codes}
    for line in journal(data, 'export', '--all', launcher=launcher).splitlines():
        event = json.loads(line)
        if event['table'] in events:
            events[event['table']].append((event['word'], bytes.fromhex(event['body'])))
    return events


def directions_of(body):
    """The directions of the steps of an action (docs/journal.md, bodies)."""
    count, at, shift = 0, 1, 0
    while True:
        count |= (body[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if body[at - 1] < 128:
            break
    for _ in range(count):
        size = body[at]
        yield body[at + 2] if size > 1 else 0
        at += 1 + size


def facts_of_journal(events):
    """What players are told about a table with this journal when nobody breaks the rules or leaves."""
    names, mover, pitch, facts = {}, 0, Pitch(), []
    for index, (word, body) in enumerate(events):
        after, after_body = events[index + 1] if index + 1 < len(events) else ('', b'')
        points = []
        if word == 'seat':
            names[body[0]] = body[3:].decode()
            if after == 'seat':
                continue
        elif word == 'action':
            mover, goes_on = body[0], False
            for direction in directions_of(body):
                dx, dy = STEPS[direction]
                points.append((pitch.ball[0] + dx, pitch.ball[1] + dy))
                goes_on = pitch.step(points[-1])
            assert not goes_on, events
            mover = 1 - mover
        else:
            continue
        if after == 'result' and after_body[0] == 1:
            results = tuple((names[seat], 'winner' if after_body[2 + seat] > 0 else 'loser') for seat in (0, 1))
            facts.append((('over', results), tuple(points)))
        else:
            facts.append((('next', names[mover]), tuple(points)))
    return facts


def compare(data, players, launcher=()):
    """Everything that these players were told is in the journal. Returns how many facts that were."""
    checked = 0
    journals = journals_read(data, {code for player in players for code in player.told}, launcher)
    for player in players:
        for code, told in player.told.items():
            facts = facts_of_journal(journals[code])
            if told != facts[:len(told)]:
                raise wire.Failure(f'{player.nick} was told about table {code}\n  {told}\nbut the journal says\n  {facts}')
            checked += len(told)
    return checked


def play(players, selector, is_enough):
    """Lets the players play until it is enough, or all have lost the server."""
    states = 0
    while selector.get_map() and not is_enough(states):
        ready = selector.select(wire.DEADLINE_S)
        if not ready:
            raise wire.Failure('nothing happens any more')
        for key, _ in ready:
            states += key.data.read() or 0
    return states


def crash(data, nick, options=()):
    """A server is killed while these players move; returns them."""
    selector = selectors.DefaultSelector()
    server = Server(data, options=options).await_hall()
    players = [Player(server.port, f'{nick}c{i}', selector) for i in range(2 * OPTIONS.pairs)]
    moment = RANDOM.randrange(1, MOVES_UNTIL_KILL)
    play(players, selector, lambda states: states >= moment)
    killer = threading.Timer(RANDOM.random() * DELAY_UNTIL_KILL_S, server.process.kill)
    killer.start()
    play(players, selector, lambda states: False)  # on and on, and what was on its way still arrives
    killer.join()
    server.process.wait()
    server.check_log()
    return players


def crash_rounds_on(data):
    checked = tables = 0
    everybody = []
    for number in range(OPTIONS.rounds):
        players = crash(data, f'r{number}')
        again = Server(data)
        checked += compare(data, players)
        tables += len({code for player in players for code in player.told})
        if number % 10 == 9:
            journal(data, 'verify')
        again.kill()  # at once: it is also killed while it settles what it has found
        again.check_log()
        everybody += players
    last = Server(data).await_hall()
    last.process.send_signal(signal.SIGTERM)
    last.wait()
    compare(data, everybody)
    journal(data, 'verify')
    running = journal(data, 'list', '--running').strip()
    if running:
        raise wire.Failure(f'tables still run: {running}')
    print(f'# {OPTIONS.rounds} kills and {OPTIONS.rounds} more at the start after; {checked} messages about {tables} tables '
          'were told, none is missing in the journal')


def crash_rounds():
    data = tempfile.mkdtemp(prefix='parlor-crash-')
    try:
        crash_rounds_on(data)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def forgetting_is_noticed():
    """The same with a server that keeps nothing: the comparison must find that."""
    data = tempfile.mkdtemp(prefix='parlor-crash-')
    try:
        first = Server(data)  # leaves an empty journal
        first.process.send_signal(signal.SIGTERM)
        first.wait()
        players = crash(data, 'forgotten', ['--store', 'memory'])
        try:
            compare(data, players)
        except wire.Failure:
            return
        raise wire.Failure('a server that forgets everything was not found out')
    finally:
        shutil.rmtree(data, ignore_errors=True)


def disk_runs_full(data, launcher, beside, fill, empty):
    """Plays until the disk is full, looks, makes room, and plays on. beside is how a program sees the server's files."""
    selector = selectors.DefaultSelector()
    server = Server(data, launcher, options=['--disk-reserve', '0'])  # or no game begins on so small a disk
    try:
        players = [Player(server.port, f'full{i}', selector) for i in range(6)]
        play(players, selector, lambda states: states >= 100)
        fill(server)
        play(players, selector, lambda states: all(player.errors for player in players))
        if not all('cannot save' in player.errors[0] for player in players):
            raise wire.Failure(f'{[player.errors for player in players]}')
        guest = wire.log_in(server, 'guest', 'another-game')  # what needs no disk goes on
        told = [sum(map(len, player.told.values())) for player in players]
        compare(data, players, beside(server))
        empty(server)
        play(players, selector, lambda states: states > MOVES_AFTER_MAX or all(
            sum(map(len, player.told.values())) > before for player, before in zip(players, told)))
        if any(sum(map(len, player.told.values())) <= before for player, before in zip(players, told)):
            raise wire.Failure('a game does not go on after there was room again')
        guest.close()
        compare(data, players, beside(server))
        journal(data, 'verify', launcher=beside(server))
        if not re.search(r'store-failed.*store-recovered', server.check_log(), re.S):
            raise wire.Failure('the log does not tell of it: ' + server.error_text()[-1000:])
        server.process.send_signal(signal.SIGTERM)
        play(players, selector, lambda states: False)
        server.wait()
    finally:
        server.kill()


def full_by_limit():
    """The size of files is limited: writing fails in the middle of a page."""
    data = tempfile.mkdtemp(prefix='parlor-full-')

    def fill(server):
        largest = max(os.path.getsize(os.path.join(data, name)) for name in os.listdir(data))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (largest + ROOM_BYTES, resource.RLIM_INFINITY))

    def empty(server):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    try:
        disk_runs_full(data, ['env', '--ignore-signal=XFSZ'], lambda server: [], fill, empty)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def full_for_real():
    """A small file system of its own, which another file fills."""
    data = tempfile.mkdtemp(prefix='parlor-full-')
    mount = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"'

    def shown(server):
        return f'/proc/{server.process.pid}/root{data}'

    def fill(server):
        with open(os.path.join(shown(server), 'filler'), 'wb', buffering=0) as filler:
            free = os.statvfs(shown(server))
            filler.write(bytes(free.f_bavail * free.f_frsize - ROOM_BYTES))

    def empty(server):
        os.remove(os.path.join(shown(server), 'filler'))
    try:
        disk_runs_full(data, ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, data],
                       lambda server: ['nsenter', '--target', str(server.process.pid), '--user', '--mount'], fill, empty)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def can_mount():
    done = subprocess.run(['unshare', '--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def main():
    cases = [
        (f'{OPTIONS.rounds} rounds of kill -9: nothing that was said is lost', crash_rounds),
        ('a server that forgets is found out', forgetting_is_noticed),
        ('files may not grow: nothing is acknowledged, the games go on when they may', full_by_limit),
    ]
    if can_mount():
        cases.append(('a full disk: nothing is acknowledged, the games go on when there is room', full_for_real))
    else:
        print('# no file systems may be mounted here: the case of a real full disk is left out')
    print(f'# seed {OPTIONS.seed}', flush=True)
    wire.run_cases(cases)


if __name__ == '__main__':
    main()
