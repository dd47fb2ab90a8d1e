#!/usr/bin/env python3
"""parlor match: bots against bots in one process, programs over the protocols of their games, and what goes wrong with them.
Speaks TAP.

usage: match.py PARLOR EXAMPLES
"""
import json
import os
import subprocess
import sys
import tempfile

DEADLINE_S = 300
PARLOR, EXAMPLES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BOTS = {  # how a bot comes in over the protocol of its game, as anybody's program would
    'paper-soccer': '--connect_to {host}:{port} --nick {name} --games 1',
    'santorini': '--connect {host}:{port} --name {name} --players {players}',
    'eriantys': '--connect {host}:{port} --name {name} --code {table}',
    'renaissance': '--connect {host}:{port} --name {name} --players {players}',
    'treasure-hunt': '--connect http://{host}:{port} --name {name} --game {table} --interval 0.01',
}

def match(directory, *arguments, status=0):
    out = os.path.join(directory, 'out')
    done = subprocess.run([PARLOR, 'match', '--output', out, *arguments], capture_output=True, text=True, timeout=DEADLINE_S,
                          check=False, stdin=subprocess.DEVNULL, cwd=directory)
    assert done.returncode == status, (arguments, done)
    if status != 0:
        return done
    with open(os.path.join(out, 'report.json'), encoding='utf-8') as file:
        return json.load(file)


def bots_play_the_same_match_again():
    """Whatever runs beside each other; seats rotate, and every game is kept as a text that can be imported."""
    reports = []
    for jobs in '1', '3':
        with tempfile.TemporaryDirectory() as directory:
            reports.append(match(directory, '--game', 'paper-soccer', 'level:2', 'random', '--games', '6', '--jobs', jobs))
            games = sorted(name for name in os.listdir(os.path.join(directory, 'out')) if name.endswith('.txt'))
            assert games == [f'game-{i:04}.txt' for i in range(1, 7)], games
            for name in games:
                subprocess.run([PARLOR, 'journal', 'import', os.path.join(directory, 'out', name), '--data',
                                os.path.join(directory, 'data')], check=True, capture_output=True, timeout=DEADLINE_S)
            verified = subprocess.run([PARLOR, 'journal', 'verify', '--data', os.path.join(directory, 'data')], check=False,
                                      capture_output=True, text=True, timeout=DEADLINE_S)
            assert verified.returncode == 0, verified
    for report in reports:
        for row in report['contestants']:
            for name in list(row):
                if name.startswith('decision_ms'):
                    del row[name]
    assert reports[0] == reports[1], reports
    strong, weak = reports[0]['contestants']
    assert reports[0]['games'] == 6 and strong['won'] == weak['lost'] and strong['won'] >= 5, reports[0]
    assert strong['score_interval'][0] > 0.4 and strong['superiority'] > 0.9, strong


def rounds_have_the_same_chance():
    """The first draws of the games of a round are the same, whoever sits where; those of the next round are others."""
    with tempfile.TemporaryDirectory() as directory:
        match(directory, '--game', 'eriantys', 'random', 'random', 'level:1', '--games', '6')
        draws = []
        for i in range(1, 7):
            with open(os.path.join(directory, 'out', f'game-{i:04}.txt'), encoding='utf-8') as file:
                lines = [line for line in file if line[0] in '0123c']
            first = next(i for i, line in enumerate(lines) if not line.startswith('chance'))
            draws.append(lines[:first])
        assert draws[0] and draws[0] == draws[1] == draws[2] != draws[3] == draws[4] == draws[5], draws


def more_than_two_are_ranked():
    with tempfile.TemporaryDirectory() as directory:
        report = match(directory, '--game', 'renaissance', 'level:2', 'random', 'random', 'random', '--games', '40', '--sprt',
                       'elo0=0,elo1=50')
        assert report['sprt']['verdict'] == 'elo1' and report['games'] < 40 and report['games'] % 4 == 0, report
        assert sum(row['won'] for row in report['contestants']) == sum(row['lost'] for row in report['contestants']), report
        assert report['contestants'][0]['score'] > 0.8, report
    with tempfile.TemporaryDirectory() as directory:
        report = match(directory, '--game', 'santorini', 'random', 'level:3', '--games', '40', '--sprt', 'elo0=0,elo1=50')
        assert report['sprt']['verdict'] == 'elo0' and report['games'] < 40, report


def one_plays_alone():
    with tempfile.TemporaryDirectory() as directory:
        report = match(directory, '--game', 'renaissance', 'level:1', '--games', '3')
        row = report['contestants'][0]
        assert report['games'] == row['won'] + row['lost'] == 3 and row['drawn'] == 0, report


def milliseconds_are_a_budget():
    with tempfile.TemporaryDirectory() as directory:
        report = match(directory, '--game', 'santorini', 'search:ms=2', 'level:5', '--time', '2', '--games', '2')
        for row in report['contestants']:
            assert 0 < row['decision_ms'] < 20, row  # twice the work of level 5 would be far more in this build


def weights_are_learned_again_from_their_seed():
    with tempfile.TemporaryDirectory() as directory:
        learned = []
        for seed in '1', '1', '2':
            path = os.path.join(directory, f'{len(learned)}.inc')
            done = subprocess.run([PARLOR, 'tune', 'paper-soccer', '--rounds', '2', '--games', '4', '--nodes', '20', '--seed', seed, '--out', path],
                                  capture_output=True, text=True, timeout=DEADLINE_S)
            assert done.returncode == 0 and 'round 2: ' in done.stderr, done
            with open(path) as file:
                learned.append(file.read())
        assert '.output_bias = ' in learned[0] and learned[0] == learned[1] != learned[2]


def every_game_with_weights_is_tuned():
    """Twice the same from a seed, with a weight in each line; and the bot as it was before can be matched."""
    with tempfile.TemporaryDirectory() as directory:
        for game, rounds in ('eriantys', '9'), ('renaissance', '1'), ('treasure-hunt', '1'):
            learned = []
            for seed in '3', '3', '1':
                path = os.path.join(directory, f'{game}{len(learned)}.inc')
                subprocess.run([PARLOR, 'tune', game, '--rounds', rounds, '--games', '2', '--nodes', '20', '--seed', seed, '--out', path],
                               capture_output=True, text=True, timeout=DEADLINE_S, check=True)
                with open(path) as file:
                    learned.append(file.read())
            assert learned[0] == learned[1] and (learned[0] != learned[2] or rounds == '1'), learned  # one round is seldom better
            assert all(line.split(',')[0].isdigit() and line.endswith(' */') for line in learned[0].splitlines()), learned[0]
        report = match(directory, '--game', 'eriantys', 'level:5,nodes=20', 'level:5,nodes=20,weights=first', '--games', '2')
        assert report['games'] == 2 and report['broken'] == 0, report


def programs_play_over_their_protocols():
    """A bot of this process and a program of a shell, on a server of their own whose journal stays."""
    for game, options in BOTS.items():
        with tempfile.TemporaryDirectory() as directory:
            report = match(directory, '--game', game, 'level:1', f'cmd:{PARLOR} bot {game} {options} --level 1', '--games', '2',
                           '--jobs', '2')
            assert report['games'] == 2 and report['broken'] == 0, (game, report)
            for row in report['contestants']:
                assert row['crashes'] == row['illegal'] == row['timeouts'] == 0, (game, report)
                assert row['won'] + row['drawn'] + row['lost'] == 2, (game, report)
            seats = []
            for i in 1, 2:
                listed = subprocess.run([PARLOR, 'journal', 'list', '--finished', '--data', f'{directory}/out/game-{i:04}'],
                                        capture_output=True, text=True, check=True, timeout=DEADLINE_S).stdout
                listed = listed.splitlines()[0]  # players of the Universal Game System may meet again before they log out
                seats.append(listed.index('alpha') < listed.index('bravo'))
            assert seats[0] != seats[1], (game, seats)


def programs_of_python_reach_a_verdict():
    """Two programs that a shell starts, decided by the sequential test."""
    player = f'{sys.executable} {EXAMPLES}/ugs_player.py --connect_to {{host}}:{{port}} --nick {{name}}'
    bot = f'{PARLOR} bot paper-soccer {BOTS["paper-soccer"]} --level 3'
    with tempfile.TemporaryDirectory() as directory:
        report = match(directory, '--game', 'paper-soccer', f'cmd:{bot}', f'cmd:{player}', '--games', '40', '--jobs', '2',
                       '--sprt', 'elo0=0,elo1=100')
        assert report['sprt']['verdict'] == 'elo1' and report['games'] < 40, report


def faults_are_counted():
    bot = f'cmd:{PARLOR} bot santorini {BOTS["santorini"]} --level 1'
    for program, fault in (('exit 3', 'crashes'), ('exit 0', 'crashes'), ('exec sleep 1000', 'timeouts')):
        with tempfile.TemporaryDirectory() as directory:
            report = match(directory, '--game', 'santorini', bot, f'cmd:{program}', '--games', '2', '--limit', '1')
            good, bad = report['contestants']
            assert bad[fault] == 2 and bad['lost'] == 2 and good['won'] == 2 and good[fault] == 0, (program, report)


def moves_that_lose_are_counted():
    """An example client whose ball jumps over the pitch."""
    with open(os.path.join(EXAMPLES, 'ugs_player.py'), encoding='utf-8') as file:
        text = file.read()
    wrong = text.replace("send('move', game", "move = [(3, 3)]\n        send('move', game")
    assert wrong != text
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, 'wrong.py'), 'w', encoding='utf-8') as file:
            file.write(wrong)
        program = f'cmd:{sys.executable} wrong.py --connect_to {{host}}:{{port}} --nick {{name}} --games 1'
        report = match(directory, '--game', 'paper-soccer', program, 'level:1', '--games', '2')
        bad, good = report['contestants']
        assert bad['illegal'] == 2 and bad['lost'] == 2 and good['illegal'] == 0 and good['won'] == 2, report


def calls_that_are_wrong():
    with tempfile.TemporaryDirectory() as directory:
        for arguments in (['level:1', 'random'], ['--game', 'chess', 'level:1', 'random'], ['--game', 'santorini', 'level:6', 'random'],
                          ['--game', 'santorini', 'level:1', 'nobody'], ['--game', 'santorini', 'level:1,speed=3', 'random'],
                          ['--game', 'santorini', 'cmd:', 'random'], ['--game', 'santorini', 'random', 'random', '--sprt', 'elo0=9,elo1=3'],
                          ['--game', 'treasure-hunt', 'random', 'random', 'random'], ['--game', 'santorini', 'random', 'cmd:x', '--opening', '3']):
            done = match(directory, *arguments, status=2)
            assert done.stderr.startswith('parlor: ') and done.stderr.count('\n') == 1, (arguments, done)
        match(directory, '--game', 'santorini', 'random', 'random', '--games', '2')
        assert 'holds a match already' in match(directory, '--game', 'santorini', 'random', 'random', status=1).stderr


TESTS = [bots_play_the_same_match_again, rounds_have_the_same_chance, more_than_two_are_ranked, one_plays_alone,
         milliseconds_are_a_budget, weights_are_learned_again_from_their_seed, every_game_with_weights_is_tuned, programs_play_over_their_protocols, programs_of_python_reach_a_verdict, faults_are_counted,
         moves_that_lose_are_counted, calls_that_are_wrong]

print(f'1..{len(TESTS)}')
failed = 0
for number, test in enumerate(TESTS, 1):
    try:
        test()
        print(f'ok {number} - {test.__name__}', flush=True)
    except (AssertionError, OSError, subprocess.SubprocessError, ValueError) as error:
        failed += 1
        print(f'not ok {number} - {test.__name__}', flush=True)
        print(f'# {type(error).__name__}: {error}'.replace('\n', '\n# '), flush=True)
sys.exit(failed > 0)
