#!/usr/bin/env python3
"""The commands `parlor journal` and `parlor replay`: import, list, show, export, verify, backup, stepping through a
table, and what they refuse. Speaks TAP.

usage: journal.py PARLOR GOLDEN VERIFIER
"""
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import ask  # noqa: E402  (found by the line above)

DEADLINE_S = 60
PARLOR, GOLDEN, VERIFIER = map(os.path.abspath, sys.argv[1:4])
CODE = re.compile(r'[0-9A-HJKMNP-TV-Z]{1,10}\n')


def run(*words, status=0, text=''):
    """Runs parlor; returns what it wrote on standard output, or on standard error when it must fail."""
    done = subprocess.run([PARLOR, *words], input=text, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == status, (words, done)
    return done.stdout if status == 0 else done.stdout + done.stderr


def journal(*words, status=0, text=''):
    return run('journal', *words, '--data', 'd', status=status, text=text)


def golden():
    with open(GOLDEN, encoding='utf-8') as file:
        return [line for line in file.read().split('\n') if line and not line.startswith('#')]


def imported(text=None):
    """A finished table, or a running one from this text; its code."""
    code = journal('import', GOLDEN) if text is None else journal('import', '-', text=text)
    assert CODE.fullmatch(code), code
    return code.strip()


def beginning():
    """The first ten actions of the golden game."""
    lines = golden()
    first = next(i for i, line in enumerate(lines) if line[0] in '01')
    return '\n'.join(lines[:first + 10]) + '\n'


def sql(text):
    database = sqlite3.connect('d/parlor.db')
    database.execute(text)
    database.commit()
    database.close()


def an_imported_table_can_be_listed():
    finished, running = imported(), imported(beginning())
    lines = journal('list').splitlines()
    assert [line.split()[0] for line in lines] == [finished, running], lines
    assert 'paper-soccer' in lines[0] and 'import' in lines[0] and 'seat 0: ' in lines[0], lines
    assert lines[1].endswith('11 events  running'), lines
    assert journal('list', '--running').split()[0] == running
    assert journal('list', '--finished').split()[0] == finished
    assert journal('list', '--game', 'chess') == ''
    assert len(journal('list', '--game', 'paper-soccer').splitlines()) == 2
    assert journal('list', '--limit', '1').split()[0] == running


def every_event_is_shown():
    code = imported()
    lines = journal('show', code).splitlines()
    actions = [line for line in golden() if line[0] in '01']
    assert len(lines) == len(actions) + 2
    assert re.match(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z     1  setup    paper-soccer, rules 1, 2 seats', lines[0])
    for line, action in zip(lines[1:], actions):
        seat, word = action.split()
        assert line.endswith(f'action   seat {seat}: {word}'), (line, action)
    assert ' result   played: seat 0: ' in lines[-1]
    assert journal('show', code.lower()).splitlines() == lines


def results_of_renaissance_are_points():
    """Points of each seat as players count them; what breaks a tie only where there is one; alone, won or lost."""
    results = {'two-seats': 'seat 0: 50, seat 1: 54', 'solo-won': 'seat 0: won with 44 points', 'solo-lost-faith': 'seat 0: lost',
               'four-seats': 'seat 0: 25 (5 left), seat 1: 25 (7 left), seat 2: 31, seat 3: 45'}
    for name, result in results.items():
        code = journal('import', os.path.join(os.path.dirname(GOLDEN), f'renaissance-{name}.txt')).strip()
        assert journal('list').splitlines()[-1].endswith(f' events  {result}'), journal('list')
        assert f'result   played: {result}; secret' in journal('show', code).splitlines()[-1]
        assert f'result: played: {result}; secret' in run('replay', code, '--data', 'd', '--at', '999999')


def replay_text_goes_round():
    code = imported()
    text = journal('export', code, '--replay')
    assert [line for line in text.splitlines() if not line.startswith('#')] == golden()
    again = imported(text)
    assert again != code
    assert journal('verify').endswith(' 0 problems\n')


def an_export_is_checked_by_anybody():
    code = imported()
    imported(beginning())
    text = journal('export', '--all')
    events = [json.loads(line) for line in text.splitlines()]
    assert {'table', 'id', 'seq', 'last_seq', 'time_ms', 'kind', 'word', 'body', 'hash', 'text'} == set(events[0])
    one = journal('export', code).splitlines()
    assert one == [line for line in text.splitlines() if json.loads(line)['table'] == code]
    assert journal('export', code, '--output', 'file') == ''

    def verifier(given):
        return subprocess.run([sys.executable, VERIFIER], input=given, capture_output=True, text=True, check=False)
    assert verifier(text).stdout.startswith(f'2 tables, {len(events)} events, 0 outcomes of chance: 0 problems\n'), verifier(text)
    assert verifier(text).returncode == 0
    for key, value in (('time_ms', 1), ('kind', 2), ('body', '00'), ('seq', 9), ('hash', '00' * 32), ('id', 5)):
        changed = dict(events[3])
        changed[key] = value
        lines = [json.dumps(changed if i == 3 else event) for i, event in enumerate(events)]
        assert verifier('\n'.join(lines)).returncode == 1, key
    without = [json.dumps(event) for i, event in enumerate(events) if i != 3]
    assert verifier('\n'.join(without)).returncode == 1


def verify_finds_what_was_altered():
    code = imported()
    running = imported(beginning())
    count = len([line for line in golden() if line[0] in '01']) + 2 + 11
    assert journal('verify') == f'2 tables, {count} events, 0 outcomes of chance: 0 problems\n'
    crimes = {
        'UPDATE events SET time_ms = time_ms + 1 WHERE seq = 3': 'chain of hashes is broken',
        'DELETE FROM events WHERE seq = 3': 'an event is missing or out of its place',
        'DELETE FROM events WHERE seq = (SELECT max(last_seq) FROM tables)': 'the journal is cut',
        'UPDATE tables SET finished_ms = 1': 'wrong about its end',
        "UPDATE tables SET secret = zeroblob(32) WHERE finished_ms = 0": 'not what the dice of the table gave',
        'UPDATE events SET hash = zeroblob(32) WHERE seq = 2': 'chain of hashes is broken',
    }
    journal('backup', 'clean')
    for crime, complaint in crimes.items():
        sql(crime)
        out = journal('verify', status=1)
        assert complaint in out and ' 0 problems' not in out, (crime, out)
        with open('clean', 'rb') as clean, open('d/parlor.db', 'wb') as file:
            file.write(clean.read())
    assert journal('verify', code).startswith('1 tables')
    assert journal('verify', running).startswith('1 tables')
    sql("UPDATE events SET time_ms = 0 WHERE seq = 2 AND table_id = (SELECT id FROM tables WHERE finished_ms <> 0)")
    assert f'{code} 2: ' in journal('verify', code, status=1)
    assert ': 0 problems' in journal('verify', running)


def a_secret_is_kept_until_the_end():
    running = imported(beginning())
    shown = journal('show', running)
    secret = sqlite3.connect('d/parlor.db').execute('SELECT hex(secret) FROM tables').fetchone()[0].lower()
    assert len(secret) == 64 and secret not in shown and secret not in journal('export', running)
    code = imported()
    rows = sqlite3.connect('d/parlor.db').execute('SELECT secret FROM tables WHERE finished_ms <> 0').fetchall()
    assert rows == [(None,)]
    assert re.search(r'secret of the dice [0-9a-f]{64}$', journal('show', code).strip())


def import_says_what_is_wrong():
    assert '-, line 3: ' in journal('import', '-', status=1, text='game paper-soccer 1\nseats 2\n0 NONSENSE\n')
    assert '-, line 4: ' in journal('import', '-', status=1, text='game paper-soccer 1\n\nseats 2\n1 N\n')
    assert '-, line 1: ' in journal('import', '-', status=1, text='game chess 1\n')
    assert 'cannot read nowhere' in journal('import', 'nowhere', status=1)
    assert 'larger than a megabyte' in journal('import', '-', status=1, text='#' * 1100000)


def import_wants_the_directory_alone():
    server = subprocess.Popen([PARLOR, 'serve', *ask.listen(PARLOR, 'ugs'), '--data', 'd'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout.readline().startswith('ready ')
        assert 'another server is using the data directory d' in journal('import', GOLDEN, status=1)
        assert journal('list') == ''
        assert journal('verify').startswith('0 tables')
        assert journal('backup', 'copy') == '' and os.path.getsize('copy') > 0
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=DEADLINE_S)
    imported()


def a_backup_is_a_data_directory():
    imported()
    listed = journal('list')
    os.mkdir('copy')
    journal('backup', 'copy/parlor.db')
    assert run('journal', 'list', '--data', 'copy') == listed
    assert 'cannot be written' in journal('backup', 'no/such/place', status=1)


def a_table_is_stepped_through():
    code = imported()
    count = len([line for line in golden() if line[0] in '01'])
    out = run('replay', code, '--data', 'd', '--ascii', text='n\n\np\nlast\nfirst\n7\nwhat\nq\nn\n')
    assert re.findall(r'^(\d+) of (\d+)', out, re.M) == [(str(n), str(count)) for n in (0, 1, 2, 1, count, 0, 7, 7)], out
    assert 'a number from 0 to' in out and out.count('result: played: ') == 1
    assert out.isascii()
    out = run('replay', code, '--data', 'd', '--at', '99999')
    assert f'{count} of {count}' in out and '◄ seat 0 attacks this goal' in out
    running = imported(beginning())
    assert 'the table goes on' in run('replay', running, '--data', 'd', text='last\n')


def wrong_calls_are_refused():
    imported()
    for words in ([], ['show'], ['export'], ['export', 'X', '--all'], ['export', '--all', '--replay'], ['import'],
                  ['backup'], ['burn'], ['list', 'X'], ['list', '--limit', '-1'], ['list', 'a', 'b']):
        journal(*words, status=2)
    assert 'is no code of a table' in journal('show', 'U', status=1)
    assert 'there is no table ZZZZ' in journal('show', 'ZZZZ', status=1)
    assert 'there is no table ZZZZ' in run('replay', 'ZZZZ', '--data', 'd', status=1)
    assert 'cannot be opened' in run('journal', 'list', '--data', 'nowhere', status=1)
    assert not os.path.exists('nowhere')
    run('replay', status=2)


def main():
    cases = [an_imported_table_can_be_listed, every_event_is_shown, results_of_renaissance_are_points, replay_text_goes_round,
             an_export_is_checked_by_anybody, verify_finds_what_was_altered, a_secret_is_kept_until_the_end,
             import_says_what_is_wrong, import_wants_the_directory_alone, a_backup_is_a_data_directory,
             a_table_is_stepped_through, wrong_calls_are_refused]
    print(f'1..{len(cases)}')
    is_good = True
    for number, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            try:
                case()
                print(f'ok {number} - {case.__name__}', flush=True)
            except (AssertionError, OSError, subprocess.SubprocessError, sqlite3.Error) as failure:
                is_good = False
                print(f'not ok {number} - {case.__name__}\n# {failure!r}', flush=True)
            os.chdir('/')
    sys.exit(0 if is_good else 1)


main()
