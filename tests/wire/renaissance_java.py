#!/usr/bin/env python3
"""Masters of Renaissance over Java object streams, on a real server, by a program that has the object streams of the JDK (java/): whole
games alone, of two and at tables with others, absence and return, and a server that is killed.

usage: renaissance_java.py PARLOR [CASE]
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

import wire

PARLOR = sys.argv[1]
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'java')
DEADLINE_S = 120  # of a whole game: a guard against hanging
PAUSE = '0.005'  # this client handles messages in their order, so it needs no longer ones
CLASSES = tempfile.TemporaryDirectory(prefix='parlor-java-')


class Server(wire.ProtocolServer):
    """Both framings of the game."""
    protocol = 'renaissance-java'
    others = ('renaissance', 'http')

    def port_of(self, listener):
        return self.addresses[listener].rsplit(':', 1)[1]


class Player(wire.Process):
    """The program in java/parlor; what it tells, line by line."""

    def __init__(self, server, name, players, *rest, seed=1):
        super().__init__(['java', '-cp', CLASSES.name, '-Xshare:auto', 'parlor.StreamPlayer', str(server.port), name, str(players),
                          str(seed), *rest])
        self.lines = []

    def until(self, pattern):
        """Reads up to a line that fits."""
        while True:
            line = self.process.stdout.readline().decode().rstrip('\n')
            if not line:
                raise wire.Failure(f'nothing more after {self.lines[-20:]}\n{self.error_text()[-3000:]}')
            self.lines.append(line)
            if re.fullmatch(pattern, line):
                return line

    def end(self):
        """Everything that it has told, when it has ended in order."""
        self.lines += self.wait(deadline_s=DEADLINE_S).splitlines()
        return self.lines


def demand(condition, what):
    if not condition:
        raise wire.Failure(what)


def scores(line):
    """What a line "score false {alice=3, bobby=2}" says, the best first."""
    match = re.fullmatch(r'score (true|false) \{(.*)\}', line)
    demand(match, f'no score: {line}')
    return match.group(1) == 'true', {name: int(points) for name, points in (word.split('=') for word in match.group(2).split(', '))}


def bot(server, name, players):
    return wire.Process([PARLOR, 'bot', 'renaissance', '--connect', f'127.0.0.1:{server.port_of("renaissance")}', '--name', name,
                         '--players', str(players)])


def alone(server):
    """Everything that can be refused is, once, and the game goes on to its end."""
    for seed in (1, 2, 3):
        lines = Player(server, f'carla{seed}', 1, seed=seed).end()
        demand(lines[0] == f'login carla{seed}', lines[0])
        for word in ('error STARTING_LEADER_CARD', 'error INVALID_ACTION', 'error MANAGE_RESOURCES', 'ending'):
            demand(word in lines, f'no {word} in {lines}')
        demand(list(scores(lines[-1])[1]) == [f'carla{seed}'], lines[-1])


def two(server):
    """Both are told the same end; who is second begins with a resource."""
    first = Player(server, 'alice', 2, seed=4)
    first.until('login alice')
    second = Player(server, 'bobby', 2, seed=5)
    ends = [player.end()[-1] for player in (first, second)]
    demand(ends[0] == ends[1], f'two ends: {ends}')
    _, points = scores(ends[0])
    demand(set(points) == {'alice', 'bobby'} and list(points.values()) == sorted(points.values(), reverse=True), ends[0])


def at_the_pace_of_their_client(server):
    """With the pauses that are set when nobody says otherwise."""
    scores(Player(server, 'carla', 1, seed=6).end()[-1])


def with_lines_of_json(server):
    """One table, two framings; in both orders of coming."""
    for number in range(2):
        names = [f'java{number}', f'json{number}']
        if number == 0:
            player = Player(server, names[0], 2, seed=number)
            player.until(f'login {names[0]}')
            other = bot(server, names[1], 2)
        else:
            other = bot(server, names[1], 2)
            wait_for_table(server)
            player = Player(server, names[0], 2, seed=number)
        told = player.end()
        output = other.wait(deadline_s=DEADLINE_S)
        _, points = scores(told[-1])
        demand(set(points) == set(names), told[-1])
        for name in names:
            demand(str(points[name]) in output, f'the bot has heard of another end: {output}')


def request(server, method, path, body=None):
    asked = urllib.request.Request(f'http://127.0.0.1:{server.port_of("http")}{path}', method=method,
                                   data=None if body is None else json.dumps(body).encode(),
                                   headers={'Content-Type': 'application/json'})
    with urllib.request.urlopen(asked, timeout=wire.DEADLINE_S) as answer:
        return json.load(answer)


def wait_for_table(server):
    """A table is open and somebody sits there."""
    ending = time.monotonic() + wire.DEADLINE_S
    while not any(table['state'] == 'open' for table in request(server, 'GET', '/api/v1/tables')['tables']):
        demand(time.monotonic() < ending, 'nobody has opened a table')


def with_a_bot_of_the_server(server):
    """A table that was opened over the API, with two bots and a free seat: they act as fast as they can."""
    opened = request(server, 'POST', '/api/v1/tables', {'game': 'renaissance', 'protocol': 'renaissance', 'seats': 3,
                                                        'bots': [{'seat': 1, 'level': 1}, {'seat': 2, 'level': 1}]})
    lines = Player(server, 'carla', 3, seed=21).end()
    _, points = scores(lines[-1])
    table = request(server, 'GET', f'/api/v1/tables/{opened["code"]}')
    demand(set(points) == {seat['name'] for seat in table['seats']} and len(points) == 3, f'{lines[-1]} at {table["seats"]}')


def leave_and_return(server):
    """Who has left comes back by its name, in the middle of a game, and both play on to the end."""
    first = Player(server, 'alice', 2, 'leave', '4', seed=8)
    first.until('login alice')
    second = Player(server, 'bobby', 2, seed=9)
    demand(first.end()[-1] == 'left', first.lines)
    second.until('Disconnection alice')
    again = Player(server, 'alice', 2, seed=10)
    again.until('return true')
    second.until('Reconnection alice')
    ends = [player.end()[-1] for player in (again, second)]
    demand(ends[0] == ends[1], f'two ends: {ends}')
    scores(ends[0])


def leave_in_set_up(server):
    """Before leaders are chosen, and before resources are."""
    for number, message in enumerate(('LeaderCardsRequest', 'ResourcesRequest')):
        names = f'alice{number}', f'bobby{number}'
        first = Player(server, names[0], 2, seed=11)
        first.until(f'login {names[0]}')
        second = Player(server, names[1], 2, 'stop', message, seed=12)
        second.until('stopped')
        second.kill()
        first.until(f'Disconnection {names[1]}')
        again = Player(server, names[1], 2, seed=13)
        again.until('return false')
        again.until('set-up .*')
        ends = [player.end()[-1] for player in (first, again)]
        demand(ends[0] == ends[1], f'two ends: {ends}')


def away_at_the_end(server):
    """Who was away when the game ended is told how, and nothing more."""
    first = Player(server, 'alice', 2, 'leave', '3', seed=14)
    first.until('login alice')
    other = bot(server, 'bobby', 2)
    demand(first.end()[-1] == 'left', first.lines)
    other.wait(deadline_s=DEADLINE_S)
    lines = Player(server, 'alice', 2, seed=15).end()
    demand(lines[0] == 'return true' and lines[1] == 'ending' and len(lines) == 3, lines)
    scores(lines[-1])


def killed_in_a_turn(server):
    """A server that is killed in the middle of a market action: the game goes on where it was."""
    player = Player(server, 'carla', 1, 'stop', 'ResourcesManageRequest', seed=16)
    player.until('stopped')
    server = server.killed()
    try:
        demand(player.end()[-1] in ('gone', 'stopped'), player.lines)
        again = Player(server, 'carla', 1, seed=17)
        again.until('return true')
        scores(again.end()[-1])
        server.stop()
    finally:
        server.close()


def killed_with_two(server):
    """Both come back, also whose turn it is, and play on."""
    first = Player(server, 'alice', 2, seed=18)
    first.until('login alice')
    second = Player(server, 'bobby', 2, seed=19)
    second.until('bought .*')
    server = server.killed()
    try:
        for player in (first, second):
            player.kill()
        again = [Player(server, name, 2, seed=20) for name in ('alice', 'bobby')]
        for player in again:
            player.until('return true')
        ends = [player.end()[-1] for player in again]
        demand(ends[0] == ends[1], f'two ends: {ends}')
        server.stop()
    finally:
        server.close()


def names(server):
    """What their own server gives to these names, ours does not; nor a name that somebody has."""
    for name in ('admin1', 'admin4', 'abc', 'a name with', 'sixteencharacter'):
        demand(Player(server, name, 1).end() == ['refused'], f'{name} was not refused')
    first = Player(server, 'admin5', 2)
    first.until('login admin5')
    demand(Player(server, 'admin5', 2).end() == ['refused'], 'somebody else has the name')
    first.kill()


def compile_player():
    sources = glob.glob(os.path.join(SOURCES, '**', '*.java'), recursive=True)
    subprocess.run(['javac', '-Xlint:all', '-Werror', '-d', CLASSES.name, *sources], check=True)


def with_server(case, *options):
    def run():
        with Server(PARLOR, ['--store', 'memory', *options]) as server:
            case(server)
            server.stop()
    return run


def with_disk(case):
    def run():
        with Server(PARLOR, ['--renaissance-java-pause', PAUSE]) as server:
            case(server)
    return run


def main():
    quick = '--renaissance-java-pause', PAUSE
    cases = [(case.__name__.replace('_', ' '), with_server(case, *quick))
             for case in (names, alone, two, with_lines_of_json, with_a_bot_of_the_server, leave_and_return, leave_in_set_up, away_at_the_end)]
    cases += [(case.__name__.replace('_', ' '), with_disk(case)) for case in (killed_in_a_turn, killed_with_two)]
    cases.append(('at the pace of their client', with_server(at_the_pace_of_their_client)))
    compile_player()
    wire.run_cases([case for case in cases if len(sys.argv) < 3 or sys.argv[2] in case[0]])


if __name__ == '__main__':
    main()
