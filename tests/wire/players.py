#!/usr/bin/env python3
"""Whole games between programs, through a real server: the Python example, Parlor's bots, its built-in master and its
master program. No player may ever send an illegal move, so none may turn up in the master's log.

usage: players.py PARLOR
"""
import os
import re
import sys

import wire

PARLOR = sys.argv[1]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'clients', 'python', 'examples', 'ugs_player.py')
LEVEL = '1'  # of the bots: they need not think long here, and the sanitizers think for them
PROGRAM_DEADLINE_S = 200


def example(server, nick, games):
    return wire.Process([sys.executable, EXAMPLE, '--connect_to', server.address, '--nick', nick, '--games', str(games)])


def bot(server, nick, games, *options):
    return wire.Process([PARLOR, 'bot', 'paper-soccer', '--connect_to', server.address, '--nick', nick, '--games', str(games),
                         '--level', LEVEL, *options])


def results(program):
    """(won, played) from what a player printed."""
    output = program.wait(deadline_s=PROGRAM_DEADLINE_S)
    counts = re.findall(r': (\d+) of (\d+) won', output)
    if counts:
        return tuple(map(int, counts[-1]))
    match = re.search(r'^(\d+) games: (\d+) won, (\d+) lost$', output, re.M)
    if match is None or int(match.group(2)) + int(match.group(3)) != int(match.group(1)):
        raise wire.Failure(f'no results in {output[-500:]!r}')
    return int(match.group(2)), int(match.group(1))


def check(programs, games, *logs):
    """Every game was played by both, won by one, and without an illegal move."""
    counts = [results(program) for program in programs]
    if [played for _, played in counts] != [games, games] or sum(won for won, _ in counts) != games:
        raise wire.Failure(f'{games} games gave (won, played) {counts}')
    for log in logs:
        if 'illegal-move' in log.error_text():
            raise wire.Failure('illegal: ' + re.search(r'.*illegal-move.*', log.error_text()).group(0))
    return counts


def two(first, second, games):
    def run():
        with wire.Server(PARLOR, ['--log-level', 'debug']) as server:
            check([first(server, 'first', games), second(server, 'second', games)], games, server)
            server.stop()
    return run


def master_program():
    """The same with the master as a program of its own, and the server knowing nothing of Paper Soccer."""
    with wire.Server(PARLOR, ['--no-builtin-master']) as server:
        master = wire.Process([PARLOR, 'master', '--connect_to', server.address])
        check([bot(server, 'first', 20), bot(server, 'second', 20)], 20, master)
        server.stop()
        master.wait()


def master_refused():
    """Where there is a master already, the program says so and ends."""
    with wire.Server(PARLOR) as server:
        wire.Process([PARLOR, 'master', '--connect_to', server.address]).wait(expected=1)
        server.stop()


def transcript(options, needs_master):
    """What two scripted players read in ten games."""
    read = []
    with wire.Server(PARLOR, ['--seed', '5', *options]) as server:
        nicks = ('a', 'b')
        players = [wire.log_in(server, nick) for nick in nicks]
        master = wire.Process([PARLOR, 'master', '--connect_to', server.address, '--seed', '5']) if needs_master else None
        for game in range(1, 11):
            for y in (1, 2, 9):  # two good steps and an illegal one
                messages = [player.read_message() for player in players]
                mover = re.search(r'<nextPlayer nick="(.)"/>', messages[0]).group(1)
                players[nicks.index(mover)].send(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="{y}"/></move></message>')
                read += messages
            for player in players:
                read.append(player.read_message())
                player.send('<message type="thank you"/>')
        for player in players:
            read.append(player.read_message())
        server.stop(players)
        if master:
            master.wait()
    return read


def without_draws(messages):
    """The same with who begins called 1 and the other one 2, game by game: who begins is drawn."""
    result, names = [], {}
    for message in messages:
        if '<gameState></gameState>' in message:
            first = re.search(r'<nextPlayer nick="(.)"/>', message).group(1)
            names = {first: '1', 'ab'.replace(first, ''): '2'}
        result.append(re.sub(r'nick="(.)"', lambda match: f'nick="{names[match.group(1)]}"', message))
    return result


def both_masters_agree():
    """Players cannot tell the built-in master from the program."""
    built_in = without_draws(transcript([], False))
    program = without_draws(transcript(['--no-builtin-master'], True))
    if built_in != program or len(built_in) != 82:
        raise wire.Failure(f'{len(built_in)} and {len(program)} messages, first difference: '
                           f'{next((pair for pair in zip(built_in, program) if pair[0] != pair[1]), None)}')


def seed_repeats():
    """With the same seed everything comes out the same, the draws included."""
    if transcript([], False) != transcript([], False):
        raise wire.Failure('the same seed gave another series of games')


def both_begin():
    """The master draws who begins: in forty games both do."""
    begins = set()
    with wire.Server(PARLOR) as server:
        nicks = ('a', 'b')
        players = [wire.log_in(server, nick) for nick in nicks]
        state = r'<message type="gameState"><gameId id="\d+"/><nextPlayer nick="(\w)"/>.*</message>'
        for _ in range(40):
            first = [player.expect(state).group(1) for player in players][0]
            begins.add(first)
            players[nicks.index(first)].send('<message type="move"><move/></message>')
            for player in players:
                player.expect('.*<gameOver>.*')
                player.send('<message type="thank you"/>')
        for player in players:
            player.expect(state)
        server.stop(players)
    if begins != set(nicks):
        raise wire.Failure(f'only {begins} began in forty games')


def championship():
    """Eight bots: 28 games, the list is whole and sorted, everybody reads the same."""
    nicks = [f'bot{i}' for i in range(8)]
    with wire.Server(PARLOR, ['--championship', 'paper-soccer', '8', '--port', '0', '--log-level', 'debug']) as server:
        bots = [bot(server, nick, 0, '--seed', str(i)) for i, nick in enumerate(nicks)]
        outputs = [program.wait(deadline_s=PROGRAM_DEADLINE_S) for program in bots]
        server.wait()
        if 'illegal-move' in server.error_text():
            raise wire.Failure('an illegal move')
    tables = [re.findall(r'^\s*\d+\. (\S+)\s+(\d+) won\s+(\d+) lost$', output, re.M) for output in outputs]
    rows = [(nick, int(won), int(lost)) for nick, won, lost in tables[0]]
    if any(table != tables[0] for table in tables) or sorted(nick for nick, _, _ in rows) != nicks:
        raise wire.Failure(f'{tables}')
    if sum(won for _, won, _ in rows) != 28 or sum(lost for _, _, lost in rows) != 28:
        raise wire.Failure(f'28 games gave {rows}')
    if any(won + lost != 7 for _, won, lost in rows) or rows != sorted(rows, key=lambda row: (-row[1], row[2])):
        raise wire.Failure(f'not sorted: {rows}')
    for nick, output in zip(nicks, outputs):
        if output.count(': won') + output.count(': lost') != 7:
            raise wire.Failure(f'{nick} says {output[-800:]}')


def illegal_move():
    """Who loses by an illegal move finds out why: in the last gameState, and in the journal with what was sent."""
    why = 'paper-soccer R2: a step goes to one of the eight neighbouring points'
    move = '<move><point x="3" y="3"/></move>'
    with wire.Server(PARLOR) as server:
        clients = {nick: wire.log_in(server, nick) for nick in ('ann', 'bob')}
        begun = [client.expect(r'.*<gameId id="(\w+)"/><nextPlayer nick="(\w+)"/>.*') for client in clients.values()]
        game, mover = begun[0].groups()
        clients[mover].send(f'<message type="move"><gameId id="{game}"/>{move}</message>')
        for client in clients.values():
            client.expect(f'.*<player nick="{mover}" result="loser"/>.*<gameState><point x="3" y="3"/><!-- {why} --></gameState></message>')
        for words in (('journal', 'show', game), ('replay', game, '--at', '1')):
            told = wire.Process([PARLOR, *words, '--data', os.path.join(server.data, 'data')]).wait()
            if f'({mover}) broke the rules ({why}), sent {move}, asked 20' not in told:
                raise wire.Failure(f'{words}: {told[-800:]}')


def main():
    wire.run_cases([
        ('two Python examples', two(example, example, 40)),
        ('a bot and a Python example', two(bot, example, 20)),
        ('two bots and the built-in master', two(bot, bot, 20)),
        ('two bots and the master program', master_program),
        ('the built-in master and the program are one', both_masters_agree),
        ('a seed repeats the draws', seed_repeats),
        ('a second master', master_refused),
        ('who begins is drawn', both_begin),
        ('a championship of eight bots', championship),
        ('an illegal move is explained', illegal_move),
    ])


main()
