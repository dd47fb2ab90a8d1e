#!/usr/bin/env python3
"""Whole games of players that move segment by segment (section 14 of docs/protocols/ugs.md), through a real server: against
Parlor's bot, the Python example, each other, and in a championship; and players of the papers that log in as if they were such.
Nobody may ever send an illegal move or leave a game that is not over.

usage: segments.py PARLOR
"""
import os
import re
import sys
import threading

import wire
from segments_player import Player

PARLOR = sys.argv[1]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'clients', 'python', 'examples', 'ugs_player.py')
PROGRAM_DEADLINE_S = 300
NICK, OTHER_NICK = '1234567890', '7'


def serve(*options):
    return wire.Server(PARLOR, ['--log-level', 'debug', *options])


def bot(server, nick, games, *options):
    return wire.Process([PARLOR, 'bot', 'paper-soccer', '--connect_to', server.address, '--nick', nick, '--games', str(games),
                         '--level', '1', *options])


def example(server, nick, games, *options):
    return wire.Process([sys.executable, EXAMPLE, '--connect_to', server.address, '--nick', nick, '--games', str(games), *options])


def begin(server, nick, seed=0, on_turn=None):
    player = Player(server.port, nick, seed, on_turn)
    player.start()
    return player


def counts(program):
    """(won, played) from what a player of the papers printed."""
    output = program.wait(deadline_s=PROGRAM_DEADLINE_S)
    match = re.search(r'^(\d+) games: (\d+) won, (\d+) lost$', output, re.M)
    if match is None:
        raise wire.Failure(f'no results in {output[-500:]!r}')
    return int(match.group(2)), int(match.group(1))


def check(server, players, games):
    """The server ends, its players with it; they have played so many whole games, and broken no rule."""
    server.process.terminate()
    for player in players:
        player.finish()
        if len(player.results) < games or player.errors:
            raise wire.Failure(f'{player.nick} has played {len(player.results)} of {games} games and heard {player.errors}')
    server.wait()
    log = server.error_text()
    if 'illegal-move' in log:
        raise wire.Failure('illegal: ' + re.search(r'.*illegal-move.*', log).group(0))


def check_played(server, games):
    """The first so many games were decided by a goal or a dead end, not because somebody had left."""
    for code in range(1, games + 1):
        told = wire.Process([PARLOR, 'journal', 'show', str(code), '--data', os.path.join(server.data, 'data')]).wait()
        if not re.search(r'  result +played: ', told):
            raise wire.Failure(f'game {code}: {told[-800:]}')


def against(opponent, games, *options):
    def run():
        with serve(*options) as server:
            player = begin(server, NICK)
            won, played = counts(opponent(server, 'other', games))
            check(server, [player], games)
            if (played, won) != (games, games - sum(player.results[:games])) or any(player.unplayed[:games]):
                raise wire.Failure(f'{won} of {played} won, and the other one has {player.results}, unplayed {player.unplayed}')
            check_played(server, min(games, 20))
    return run


def against_each_other():
    games = 20
    with serve() as server:
        players = [begin(server, nick, seed) for seed, nick in enumerate((NICK, OTHER_NICK))]
        for player in players:
            player.wait_for(games)
        check(server, players, games)
        if any(a == b for a, b in zip(*(player.results[:games] for player in players))):
            raise wire.Failure(f'{[player.results for player in players]}')
        check_played(server, games)


def papers_with_such_a_name():
    """Players of the papers lose nothing by a nick of digits and paper_football, whoever begins and whoever they meet."""
    games = 10
    name = '--game-type', 'paper_football'
    for seed, (first, second) in enumerate(((bot, bot), (bot, example), (example, example)) * 2):
        with serve('--seed', str(seed)) as server:
            found = [counts(program) for program in (first(server, '17', games, *name), second(server, '18', games, *name))]
            if [played for _, played in found] != [games, games] or sum(won for won, _ in found) != games:
                raise wire.Failure(f'{games} games gave (won, played) {found}')
            check(server, [], games)
            check_played(server, games)


def opponent_leaves():
    """The opponent leaves whenever it is the other one's turn, and is gone before the answer comes."""
    games = 20
    is_gone = threading.Semaphore(0)

    def on_turn(_player):
        if not is_gone.acquire(timeout=wire.DEADLINE_S):
            raise wire.Failure('the opponent does not leave')
        return True

    with serve('--seed', '1') as server:
        player = begin(server, NICK, on_turn=on_turn)
        other = wire.log_in(server, 'other')
        for _ in range(games):
            state = other.expect(r'.*<gameId id="(\w+)"/><nextPlayer nick="(\w+)"/>.*')
            if state.group(2) == 'other':
                other.send(f'<message type="move"><gameId id="{state.group(1)}"/><move><point x="0" y="1"/></move></message>')
                other.expect(f'.*<nextPlayer nick="{NICK}"/>.*')
            other.send(f'<message type="leaveGame"><gameId id="{state.group(1)}"/></message><message type="ping"/>')
            other.expect(wire.ERROR)  # to the ping: the game is over
            is_gone.release()
        player.wait_for(games)
        other.close()
        is_gone.release()  # for the game that has begun meanwhile
        check(server, [player], games)
        if not all(player.results):
            raise wire.Failure(f'it has lost one: {player.results}')


def championship():
    """Two of them, a bot and the example: six games, one list."""
    with serve('--championship', 'paper_football', '4', '--port', '0') as server:
        players = [begin(server, nick, seed) for seed, nick in enumerate((NICK, OTHER_NICK))]
        programs = [bot(server, 'bot', 0), example(server, 'example', 0, '--game-type', 'paper_football')]
        for player in players:
            player.finish()
        output = programs[0].wait(deadline_s=PROGRAM_DEADLINE_S)
        counts(programs[1])
        server.wait()
        rows = [(nick, int(won), int(lost)) for nick, won, lost in re.findall(r'^\s*\d+\. (\S+)\s+(\d+) won\s+(\d+) lost$', output, re.M)]
        if len(rows) != 4 or sum(won for _, won, _ in rows) != 6 or any(won + lost != 3 for _, won, lost in rows):
            raise wire.Failure(f'six games gave {rows}')
        for player in players:
            if player.champions != rows or len(player.results) != 3 or any(player.unplayed):
                raise wire.Failure(f'{player.nick} was told {player.champions} and has {player.results}, not {rows}')
        if 'illegal-move' in server.error_text():
            raise wire.Failure('an illegal move')


def main():
    wire.run_cases([
        ('a hundred games against a bot', against(bot, 100)),
        ('the Python example', against(example, 30)),
        ('the Python example, where the first player attacks the bottom goal', against(example, 30, '--first-attacks', 'bottom')),
        ('two of them', against_each_other),
        ('opponents who leave during its turn', opponent_leaves),
        ('players of the papers with such a nick', papers_with_such_a_name),
        ('a championship', championship),
    ])


main()
