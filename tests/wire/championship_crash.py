#!/usr/bin/env python3
"""Championships outlive the server: it is killed with kill -9 in the middle of one, more than once, starts again on the
same data, the entrants come back with their nicks, and the list in the end is the right one. Whatever anybody was told
is not played again.

usage: championship_crash.py PARLOR
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request

import championship
import wire
from championship import PARLOR, Player, list_message, stronger

NICKS = 'ABCDE'
ROWS = [('E', 4, 0), ('D', 3, 1), ('C', 2, 2), ('B', 1, 3), ('A', 0, 4)]
RESULTS_UNTIL_KILL = 2  # with at most two games at a time, two rounds of it are never all ten
# Nothing may run out while a machine stands still.
PATIENCE = ['--championship-resume', '--championship-return', '3600', '--move-timeout', '3600', '--thanks-timeout', '3600', '--login-timeout', '3600']


class Round:
    """What was told between two kills. When it is enough nobody moves any more."""

    def __init__(self, results_max):
        self.results, self.results_max = {}, results_max
        self.is_enough = threading.Event()

    def told(self, game, message):
        results = dict(re.findall(r'<player nick="(\w)" result="(\w+)"/>', message))
        self.results[game] = (frozenset(results), results)
        if self.results_max is not None and len(self.results) >= self.results_max:
            self.is_enough.set()


class Entrant(Player):
    """Later letters win."""

    def __init__(self, server, nick, this_round, game_type):
        super().__init__(server, nick, stronger(nick), game_type)
        self.round = this_round

    def take(self, message):
        if '<gameOver>' in message:
            self.round.told(championship.game_id(message), message)
        elif self.round.is_enough.is_set():
            return True
        return super().take(message)


def enter(server, this_round, game_type, nicks=NICKS):
    players = [Entrant(server, nick, this_round, game_type) for nick in nicks]
    for player in players:
        player.start()
    return players


def kill_in_the_middle(server, game_type):
    """Lets some games be played, kills the server, and returns what was told."""
    this_round = Round(RESULTS_UNTIL_KILL)
    players = enter(server, this_round, game_type)
    if not this_round.is_enough.wait(wire.DEADLINE_S):
        raise wire.Failure(f'too little happens: {this_round.results}')
    server.kill()
    for player in players:
        player.join(wire.DEADLINE_S)
        player.client.close()
    if re.search(r'Sanitizer|runtime error:|Assertion|journal-', server.error_text()):
        raise wire.Failure(server.error_text()[-3000:])
    check_told(this_round)
    return this_round


def check_told(this_round):
    for pair, results in this_round.results.values():
        right = {nick: 'winner' if nick == max(pair) else 'loser' for nick in pair}
        if results != right:
            raise wire.Failure(f'{results} is not {right}')


def check_rounds(rounds):
    """Everybody met everybody, and nobody twice with a result that was told."""
    pairs = [pair for this_round in rounds for pair, _ in this_round.results.values()]
    if len(pairs) != len(set(pairs)):
        raise wire.Failure(f'some were played again: {pairs}')


def journal(data, *arguments):
    done = subprocess.run([PARLOR, 'journal', '--data', os.path.join(data, 'data'), *arguments], capture_output=True, text=True,
                          timeout=wire.DEADLINE_S, check=False)
    if done.returncode != 0:
        raise wire.Failure(f'parlor journal {arguments}: {done.stdout}{done.stderr}')
    return done.stdout


def championship_row(data, *arguments):
    rows = [line for line in journal(data, 'list', *arguments).splitlines() if ' championship ' in line]
    if len(rows) != 1:
        raise wire.Failure(f'not one championship: {rows}')
    return rows[0]


def with_data(case):
    def run():
        data = tempfile.mkdtemp(prefix='parlor-test-')
        try:
            case(data)
        finally:
            shutil.rmtree(data, ignore_errors=True)
    return run


def refused(server):
    """A player who has not entered: there is no room."""
    stranger = wire.Client(server.port, 'stranger')
    stranger.send(wire.player_login('stranger'))
    stranger.expect(r'<message type="loginResponse"><response accept="no"/><error id="3"/></message>')
    return stranger


def the_whole_server(data):
    """The mode of the papers: killed twice, then played to its end."""
    options = ['--championship', 'paper-soccer', str(len(NICKS)), '--port', '0', *PATIENCE]
    rounds = []
    for _ in range(2):
        with wire.Server(PARLOR, options, data) as server:
            rounds.append(kill_in_the_middle(server, 'paper-soccer'))
        if 'running: ' not in championship_row(data, '--running'):
            raise wire.Failure('the journal does not know that it runs')
    rounds.append(Round(None))
    with wire.Server(PARLOR, options, data) as server:
        stranger = refused(server)
        players = enter(server, rounds[-1], 'paper-soccer')
        championship.finish(server, players, ROWS)
        stranger.expect(wire.SHUTDOWN)
        stranger.close()
    check_told(rounds[-1])
    check_rounds(rounds)
    if 'E 4:0, D 3:1, C 2:2, B 1:3, A 0:4' not in championship_row(data, '--finished'):
        raise wire.Failure(championship_row(data))
    if '1 championships' not in journal(data, 'verify'):
        raise wire.Failure('it is not verified')
    code = championship_row(data).split()[0]
    shown = journal(data, 'show', code)
    if shown.count(' pair ') != 10 or shown.count(' entrant ') != 5:
        raise wire.Failure(shown)
    words = [json.loads(line)['word'] for line in journal(data, 'export', code).splitlines()]
    if words[0] != 'championship' or words[-1] != 'close' or words.count('pair') != 10:
        raise wire.Failure(f'{words}')
    with wire.Server(PARLOR, options, data) as server:  # what is over does not begin again: this is a new one
        wire.log_in(server, 'new').close()


def ask(server, path, body=None):
    request = urllib.request.Request(f'http://127.0.0.1:{server.http_port}/api/v1{path}',
                                     data=None if body is None else json.dumps(body).encode(),
                                     headers={'Content-Type': 'application/json'})
    with urllib.request.urlopen(request, timeout=wire.DEADLINE_S) as answer:
        return json.load(answer)


def only(server):
    found = ask(server, '/championships')['championships']
    if len(found) != 1:
        raise wire.Failure(f'not one championship: {found}')
    return found[0]


def standing_of(found):
    return {row['nick']: (row['won'], row['lost']) for row in found['standings']}


def check_standing(server, rounds):
    """At least what was told counts; more may have been decided that nobody heard of any more."""
    standing = standing_of(only(server))
    for nick in NICKS:
        told = [results[nick] for this_round in rounds for _, results in this_round.results.values() if nick in results]
        won, lost = standing[nick]
        if won < told.count('winner') or lost < told.count('loser'):
            raise wire.Failure(f'{nick} has {standing[nick]} and was told {told}')


def opened_while_it_runs(data):
    """Opened through the native API; killed before it begins, in the middle, and when it is over."""
    options = ['--http', '127.0.0.1:0', *PATIENCE]
    rounds = []
    with wire.Server(PARLOR, options, data) as server:
        name = ask(server, '/championships', {'type': 'paper-soccer', 'players': len(NICKS)})['name']
        server.kill()
    with wire.Server(PARLOR, options, data) as server:
        if only(server) != {'name': name, 'type': 'paper-soccer', 'players': 5, 'entered': 0, 'state': 'open', 'standings': []}:
            raise wire.Failure(f'{only(server)}')
        rounds.append(kill_in_the_middle(server, name))
    with wire.Server(PARLOR, options, data) as server:
        check_standing(server, rounds)
        rounds.append(kill_in_the_middle(server, name))
    rounds.append(Round(None))
    with wire.Server(PARLOR, options, data) as server:
        check_standing(server, rounds)
        for player in enter(server, rounds[-1], name):
            player.join(wire.DEADLINE_S)
            if player.messages[-2:] != [list_message(ROWS), wire.DECLARATION + wire.SHUTDOWN]:
                raise wire.Failure(f'{player.nick} {player.failure} {player.messages[-2:]}')
            player.client.close()
        server.kill()
    check_told(rounds[-1])
    check_rounds(rounds)
    with wire.Server(PARLOR, options, data) as server:
        found = ask(server, '/championships')['championships'][0]
        if standing_of(found) != {nick: (won, lost) for nick, won, lost in ROWS}:
            raise wire.Failure(f'{found}')
        second = ask(server, '/championships', {'type': 'paper-soccer', 'players': 2})
        if second['name'] == name:
            raise wire.Failure(f'{second}')
        server.stop()
    journal(data, 'verify')


def nobody_comes_back(data):
    """Then the rest is lost, and the server ends as after any championship."""
    options = ['--championship', 'paper-soccer', str(len(NICKS)), '--port', '0']
    with wire.Server(PARLOR, options + PATIENCE, data) as server:
        kill_in_the_middle(server, 'paper-soccer')
    with wire.Server(PARLOR, [*options, '--championship-resume', '--championship-return', '1'], data) as server:
        server.wait()
    row = championship_row(data, '--finished')
    counts = [(int(won), int(lost)) for won, lost in re.findall(r' (\d):(\d)', row.split(' events ')[1])]
    if sum(won for won, _ in counts) != 10 or sum(lost for _, lost in counts) != 10:
        raise wire.Failure(row)
    journal(data, 'verify')


def stopped_in_order(data):
    """SIGTERM is no end of a championship either: it goes on with the next start."""
    options = ['--championship', 'paper-soccer', '2', '--port', '0', *PATIENCE]
    with wire.Server(PARLOR, options, data) as server:
        clients = [wire.log_in(server, nick) for nick in 'AB']
        for client in clients:
            client.read_message()  # the game has begun
        server.stop(clients)
    with wire.Server(PARLOR, options, data) as server:
        refused(server).close()
        players = enter(server, Round(None), 'paper-soccer', 'AB')
        championship.finish(server, players, [('B', 1, 0), ('A', 0, 1)])


def begun_anew(data):
    """Who does not ask for it gets a new championship, and the old one waits in the journal."""
    options = ['--championship', 'paper-soccer', '2', '--port', '0']
    with wire.Server(PARLOR, options, data) as server:
        clients = [wire.log_in(server, nick) for nick in 'AB']
        for client in clients:
            client.read_message()  # the game has begun
        server.kill()
        for client in clients:
            client.close()
    with wire.Server(PARLOR, options, data) as server:
        players = enter(server, Round(None), 'paper-soccer', 'CD')
        championship.finish(server, players, [('D', 1, 0), ('C', 0, 1)])
    championship_row(data, '--running')
    championship_row(data, '--finished')


if __name__ == '__main__':
    wire.run_cases([
        ('the championship of a server is killed twice', with_data(the_whole_server)),
        ('one that was opened while it runs is killed four times', with_data(opened_while_it_runs)),
        ('nobody comes back', with_data(nobody_comes_back)),
        ('a championship is stopped and goes on', with_data(stopped_in_order)),
        ('a new championship after one that was left', with_data(begun_anew)),
    ])
