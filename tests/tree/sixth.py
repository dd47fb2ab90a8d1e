#!/usr/bin/env python3
"""What CONTRIBUTING.md promises, done: a sixth game is added to a copy of the tree by the files of tests/fixture/sixth_game
and one line, and is then played, simulated and tested because it is there. Speaks TAP.

Below tests/fixture/sixth_game every file stands where it goes in the copy. The copy is built without optimization, and only what
is needed of it.

usage: sixth.py [ROOT]
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'wire'))
import native  # noqa: E402  (found by the line above)
import wire  # noqa: E402

GAME, IDENTIFIER = 'three-men', 'three_men'
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


def only_what_is_promised():
    """A rules page, one source, tests, and one line."""
    paths = copy.overlay('sixth_game')
    copy.add_line('src/games/meson.build', 'games', f"  ['{IDENTIFIER}', ['{IDENTIFIER}.c']],")
    added, changed = copy.changes()
    check(added == sorted(paths), f'added {added}')
    check(changed == {'src/games/meson.build': (1, 0)}, f'changed {changed}')
    others = [path for path in added if not path.startswith('tests/')]
    check(others == [f'docs/rules/{GAME}.md', f'src/games/{IDENTIFIER}/{IDENTIFIER}.c'], f'{others}')
    kinds = {path.split('/')[1] for path in added if path.startswith('tests/')}
    check(kinds == {'perft', 'goldens'}, f'tests are {kinds}')


def it_builds():
    copy.build()


def the_tree_is_complete():
    told = run(sys.executable, 'tests/tree/tree.py', cwd=copy.folder)
    wrong = [line for line in told.splitlines() if line.startswith(('not ok', '# '))]
    check(not wrong, '\n'.join(wrong))


def the_program_lists_it():
    known = {game['name']: game for game in wire.ask.told(copy.program('parlor'), 'games')}
    check(GAME in known, f'{sorted(known)}')
    check(known[GAME]['title'] == 'Three Men' and known[GAME]['protocols'] == ['api'] and known[GAME]['bots'] == ['search', 'random'],
          f'{known[GAME]}')


def its_tests_run():
    """Contract and secrets, perft, and goldens: those of its name are in the list of tests, and pass."""
    listed = [test['name'] for test in json.loads(run('meson', 'introspect', '--tests', 'build', cwd=copy.folder))]
    own = sorted(name for name in listed if GAME in name)
    check(own == [f'contract {GAME}', f'perft {GAME}'], f'{own}')
    run('meson', 'test', '-C', 'build', '--no-rebuild', *own, 'goldens', cwd=copy.folder)
    with open(copy.program('meson-logs/testlog.txt'), encoding='utf-8') as file:
        log = file.read()
    for part in ('redacted actions show no secret', 'three-men.txt', 'three-men-row.txt'):
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


folder = tempfile.mkdtemp(prefix='parlor-sixth-')
try:
    copy = Copy(folder)
    wire.run_cases([
        ('a sixth game is a page, a source, its tests, and one line', only_what_is_promised),
        ('it builds', it_builds),
        ('the test of the tree misses nothing', the_tree_is_complete),
        ('the program lists it', the_program_lists_it),
        ('its contract, secrets, perft and goldens are tested', its_tests_run),
        ('it is simulated', it_is_simulated),
        ('it is played over the API, by people and bots', it_is_played_over_the_api),
        ('it is played in the terminal', it_is_played_in_the_terminal),
    ])
finally:
    shutil.rmtree(folder, ignore_errors=True)
