#!/usr/bin/env python3
"""What CONTRIBUTING.md promises, done: a sixth game is added to a copy of the tree by the files of tests/fixture/sixth_game
and one line, and is then played, simulated and tested because it is there; and so is a protocol for it, by those of
tests/fixture/sixth_protocol and one line. Speaks TAP.

Below these two folders every file stands where it goes in the copy. The copy is built without optimization, and only what is
needed of it.

usage: sixth.py [ROOT]
"""
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'wire'))
import native  # noqa: E402  (found by the line above)
import wire  # noqa: E402

GAME, IDENTIFIER, PROTOCOL = 'three-men', 'three_men', 'men'
TARGETS = ['parlor', 'tests/test_contract', 'tests/perft', 'tests/goldens', 'tests/sim/sim']
SIM_SEEDS = ['1', '2', '3', '4']
BUILD_DEADLINE_S = 600
check = native.check


def run(*words, cwd=None, text=None, env=None, deadline_s=BUILD_DEADLINE_S):
    """Runs a program that must end well; returns what it printed."""
    done = subprocess.run(words, cwd=cwd, input=text, env=env, capture_output=True, text=True, timeout=deadline_s, check=False)
    if done.returncode != 0:
        raise wire.Failure(f'{" ".join(words)}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}')
    return done.stdout


class Copy:
    """The tree as git knows it, in a folder and a repository of its own."""

    def __init__(self, folder):
        self.folder = folder
        listed = run('git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
        for path in filter(None, listed):
            self.put(os.path.join(ROOT, path), path)
        run('git', 'init', '--quiet', folder)
        run('git', 'add', '--all', cwd=folder)

    def put(self, source, path):
        target = os.path.join(self.folder, path)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)

    def overlay(self, name):
        """Puts the files of a fixture where they belong; returns their paths."""
        root = os.path.join(ROOT, 'tests', 'fixture', name)
        paths = [os.path.relpath(path, root) for path in glob.glob(os.path.join(root, '**'), recursive=True) if os.path.isfile(path)]
        for path in paths:
            check(not os.path.exists(os.path.join(self.folder, path)), f'{path} is there already')
            self.put(os.path.join(root, path), path)
        return paths

    def add_line(self, path, name, line):
        """Adds a line at the end of the list of that name."""
        with open(os.path.join(self.folder, path), encoding='utf-8') as file:
            text = file.read()
        changed = re.sub(rf'^({name} = \[\n(?:  .*\n)*)(\]\n)', lambda match: match.group(1) + line + '\n' + match.group(2), text, flags=re.M)
        check(changed != text, f'{path} has no list {name}')
        with open(os.path.join(self.folder, path), 'w', encoding='utf-8') as file:
            file.write(changed)

    def changes(self):
        """(paths that are new, {path: (lines added, lines removed)} of those that were there)"""
        added = run('git', 'ls-files', '--others', '--exclude-standard', cwd=self.folder).split()
        rows = [row.split('\t') for row in run('git', 'diff', '--numstat', cwd=self.folder).splitlines()]
        return sorted(added), {path: (int(more), int(less)) for more, less, path in rows}

    def build(self):
        env = dict(os.environ)
        if 'CC' not in env:
            env['CC'] = 'ccache gcc' if shutil.which('ccache') else 'gcc'
        run('meson', 'setup', 'build', '--buildtype=plain', '-Dtests=enabled', cwd=self.folder, env=env)
        run('ninja', '-j', os.environ.get('JOBS', '2'), '-C', 'build', *TARGETS, cwd=self.folder, env=env)

    def program(self, path):
        return os.path.join(self.folder, 'build', path)


def added(fixture, listed, line, files, tests):
    """Adds a fixture and its line; nothing else changes, and these are the files, and the folders of its tests."""
    paths = copy.overlay(fixture)
    copy.add_line(f'{listed}/meson.build', os.path.basename(listed) if listed != 'src/wire' else 'protocols', line)
    new, changed = copy.changes()
    check(new == sorted(paths), f'new are {new}')
    check(changed == {f'{listed}/meson.build': (1, 0)}, f'changed are {changed}')
    check([path for path in new if not path.startswith('tests/')] == files, f'{new}')
    check({os.path.dirname(path) for path in new if path.startswith('tests/')} == tests, f'{new}')
    run('git', 'add', '--all', cwd=copy.folder)


def a_game_is_little():
    added('sixth_game', 'src/games', f"  ['{IDENTIFIER}', ['{IDENTIFIER}.c']],",
          [f'docs/rules/{GAME}.md', f'src/games/{IDENTIFIER}/{IDENTIFIER}.c'], {'tests/perft', 'tests/goldens'})


def a_protocol_is_little():
    added('sixth_protocol', 'src/wire', f"  ['{PROTOCOL}', ['{PROTOCOL}.c']],",
          [f'docs/protocols/{PROTOCOL}.md', f'src/wire/{PROTOCOL}/{PROTOCOL}.c'], {f'tests/wire/{PROTOCOL}'})


def it_builds():
    copy.build()


def the_tree_is_complete():
    told = run(sys.executable, 'tests/tree/tree.py', cwd=copy.folder)
    wrong = [line for line in told.splitlines() if line.startswith(('not ok', '# '))]
    check(not wrong, '\n'.join(wrong))


def the_program_lists_them():
    known = {game['name']: game for game in wire.ask.told(copy.program('parlor'), 'games')}
    check(GAME in known, f'{sorted(known)}')
    check(known[GAME]['title'] == 'Three Men' and known[GAME]['protocols'] == ['api', PROTOCOL] and known[GAME]['bots'] == ['search', 'random'],
          f'{known[GAME]}')
    protocols = {protocol['name']: protocol for protocol in wire.ask.told(copy.program('parlor'), 'protocols')}
    check(protocols[PROTOCOL]['game'] == GAME and protocols[PROTOCOL]['listener'] == PROTOCOL, f'{protocols}')
    check('--men-tables-max' in run(copy.program('parlor'), 'serve', '--help'), 'its option is not told')


def its_tests_run():
    """Contract and secrets, perft, and goldens: those of its name are in the list of tests, and pass."""
    listed = [test['name'] for test in json.loads(run('meson', 'introspect', '--tests', 'build', cwd=copy.folder))]
    own = sorted(name for name in listed if GAME in name)
    check(own == [f'contract {GAME}', f'perft {GAME}'] and f'{PROTOCOL} conversations' in listed, f'{own}')
    run('meson', 'test', '-C', 'build', '--no-rebuild', *own, 'goldens', f'{PROTOCOL} conversations', cwd=copy.folder)
    with open(copy.program('meson-logs/testlog.txt'), encoding='utf-8') as file:
        log = file.read()
    for part in ('redacted actions show no secret', 'three-men.txt', 'three-men-row.txt', 'men/whole-game, one byte per write'):
        check(part in log, f'no test says {part}')


def it_is_simulated():
    told = run(copy.program('tests/sim/sim'), '--only', 'api', *SIM_SEEDS)
    found = re.search(rf'events folded:.* {GAME}=(\d+)', told)
    check(found is not None and int(found.group(1)) > 0, told[-1000:])


def it_is_played_over_the_api():
    choices = iter(range(10**6))
    with native.Server(copy.program('parlor')) as server:
        code = server.open(GAME, seats=2)['code']
        tokens = {seat: server.sit(code, name)['token'] for seat, name in enumerate(('ann', 'bob'))}
        table = native.play_out(server, code, tokens, lambda legal: legal[next(choices) * 7 % len(legal)])
        check(table['over'] and table['result']['why'] == 'played', f'{table["result"]}')
        names = [cell['name'] for cell in table['view']['board']['cells']]
        check(names == ['a3', 'b3', 'c3', 'a2', 'b2', 'c2', 'a1', 'b1', 'c1'], f'{names}')
        bots = server.open(GAME, seats=2, bots=[{'seat': seat, 'level': 1} for seat in (0, 1)])['code']
        with native.Socket(server) as watcher:
            if not watcher.ask('table', type='watch', table=bots)['over']:
                watcher.hear_until('table', lambda message: message['over'])
        server.stop()
        told = run(copy.program('parlor'), 'journal', 'verify', '--data', os.path.join(server.data, 'data'))
        check(told.startswith('2 tables') and ' 0 problems' in told, told)


def it_is_played_in_the_terminal():
    cells = [column + row for row in '123' for column in 'abc']
    lines = [f'put {cell}' for cell in cells] * 3 + [f'{start} {end}' for start in cells for end in cells] * 15
    told = run(copy.program('parlor'), 'play', GAME, '--seed', '5', '--level', '1', text='\n\n'.join(lines))
    check('\n    2  . . .\n' in told and 'Another one? ' in told, told[-1000:])
    check(re.search(r'(You have (won|lost)|It is a draw): the points are', told), told[-1000:])


def the_protocol_meets_the_api():
    """A table that is opened through the API for the protocol: its client and a player of the API play it to the end."""
    with native.Server(copy.program('parlor'), [f'--{PROTOCOL}', '127.0.0.1:0']) as server:
        code = server.open(GAME, seats=2, protocol=PROTOCOL)['code']
        host, port = server.addresses[PROTOCOL].rsplit(':', 1)
        with socket.create_connection((host, int(port)), wire.DEADLINE_S) as client, client.makefile('rw', encoding='utf-8') as lines:
            def hear(kind):
                told = json.loads(lines.readline())
                check(told['type'] == kind, f'{told} instead of {kind}')
                return told

            def say(**message):
                lines.write(json.dumps(message) + '\n')
                lines.flush()

            say(type='sit', code=code, name='ann')
            check(hear('seated')['seat'] == 0, 'ann sits elsewhere')
            bob = server.sit(code, 'bob')['token']
            server.get(f'/tables/{code}', bob)
            for action in ('put a1', 'lay c3', 'put a2', 'put b1', 'lay a3'):
                seat = hear('table')['turn'][0]
                if seat == 0:
                    say(type='act', action=action)
                else:
                    server.act(code, bob, action)
                told = hear('played')
                check(told == {'type': 'played', 'seat': seat, 'action': action}, f'{told}')
            check(hear('over')['points'] == [1, 0], 'who has won')
        check(server.get(f'/tables/{code}')['protocol'] == PROTOCOL, 'the table is of another protocol')
        server.stop()


folder = tempfile.mkdtemp(prefix='parlor-sixth-')
try:
    copy = Copy(folder)
    wire.run_cases([
        ('a sixth game is a page, a source, its tests, and one line', a_game_is_little),
        ('a protocol is a page, a source, its conversations, and one line', a_protocol_is_little),
        ('both build', it_builds),
        ('the test of the tree misses nothing', the_tree_is_complete),
        ('the program lists them', the_program_lists_them),
        ('contract, secrets, perft, goldens and conversations are tested', its_tests_run),
        ('the game is simulated', it_is_simulated),
        ('it is played over the API, by people and bots', it_is_played_over_the_api),
        ('it is played in the terminal', it_is_played_in_the_terminal),
        ('players of the protocol and of the API sit at one table', the_protocol_meets_the_api),
    ])
finally:
    shutil.rmtree(folder, ignore_errors=True)
