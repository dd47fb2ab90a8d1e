#!/usr/bin/env python3
"""Every command of parlor and every example client says in one sentence what is wrong with its arguments, and --help names
all of its options. Speaks TAP.

usage: usage.py PARLOR EXAMPLES
"""
import os
import re
import socket
import subprocess
import sys

DEADLINE_S = 60
PARLOR, EXAMPLES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# What an example needs at least, with an address where nobody listens in place of PORT.
LEAST = {'api_bot.py': ['http://127.0.0.1:PORT', 'santorini'], 'eriantys_client.py': ['--connect', '127.0.0.1:PORT', '--name', 'ann'],
         'renaissance_client.py': ['127.0.0.1:PORT', '--name', 'anna'], 'santorini_client.py': ['127.0.0.1', 'PORT', 'ann'],
         'talk.py': ['127.0.0.1', 'PORT'], 'treasure_client.py': ['http://127.0.0.1:PORT'],
         'ugs_player.py': ['--connect_to', '127.0.0.1:PORT', '--nick', 'ann']}
OTHERS = {'verify_journal.py'}  # reads a file


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=DEADLINE_S, check=False, stdin=subprocess.DEVNULL)
    assert 'Traceback' not in done.stderr, (arguments, done.stderr)
    return done


def refused(*arguments, status=2):
    """One line that begins with the name of the program, nothing else, and this exit status."""
    done = run(PARLOR, *arguments)
    assert done.returncode == status, (arguments, done)
    assert done.stdout == '' and re.fullmatch(r'parlor: [^\n]+\n', done.stderr), (arguments, done)
    assert 'usage:' not in done.stderr, (arguments, done)


def commands():
    return re.findall(r'^  (\w+)', run(PARLOR, '--help').stdout, re.M)


def bots():
    return re.findall(r'^  ([\w-]+)  ', run(PARLOR, 'bot', '--help').stdout, re.M)


def closed_port():
    """A port where nobody listens."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return str(probe.getsockname()[1])


def commands_refuse_in_a_sentence():
    assert len(commands()) >= 8, commands()
    for command in commands():
        refused(command, '--nonsense')
        refused(command, 'too', 'many', 'operands', 'for', 'anything')
        assert run(PARLOR, command, '--help').returncode == 0, command
    for command in 'master', 'bot', 'play', 'journal', 'replay', 'perft', 'tune':
        refused(command)
    for arguments in (['nothing'], ['play', 'chess'], ['play', 'santorini', '--level', '6'], ['play', 'santorini', '--option', 'x=y'],
                      ['play', 'santorini', '--seat', 'third'], ['bot', 'chess'], ['journal', 'show'], ['journal', 'nothing'],
                      ['perft', 'santorini', 'x'], ['bench', 'chess'], ['tune', 'chess'], ['serve', '--http', 'nowhere'], ['serve', '--data'],
                      ['master', '--connect_to', 'nowhere'], ['master', '--connect_to', '127.0.0.1:1', '--lenient-moves']):
        refused(*arguments)
    assert 'lenient-moves' not in run(PARLOR, 'serve', '--help').stdout + run(PARLOR, 'master', '--help').stdout


def bots_refuse_in_a_sentence():
    assert len(bots()) == 5, bots()
    port = closed_port()
    for game in bots():
        refused('bot', game)
        refused('bot', game, '--nonsense')
        text = run(PARLOR, 'bot', game, '--help').stdout
        address = '--connect_to' if '--connect_to' in text else '--connect'
        name = '--nick' if '--nick' in text else '--name'
        refused('bot', game, address, 'nowhere', name, 'anna')
        refused('bot', game, address, f'127.0.0.1:{port}', name, 'anna', '--level', '9')
        refused('bot', game, address, f'127.0.0.1:{port}', name, 'anna', status=1)


def examples_refuse_in_a_sentence():
    found = {name for name in os.listdir(EXAMPLES) if name.endswith('.py')} - OTHERS
    assert found == set(LEAST), found ^ set(LEAST)
    port = closed_port()
    for name, least in LEAST.items():
        program = [sys.executable, os.path.join(EXAMPLES, name)]
        text = run(*program, '--help')
        assert text.returncode == 0 and text.stdout.startswith('usage: ' + name), (name, text)
        for arguments in (['--nonsense'], []):
            done = run(*program, *arguments)
            assert done.returncode == 2 and done.stderr.startswith('usage: '), (name, done)
        done = run(*program, *[word.replace('PORT', 'port') for word in least])
        assert done.returncode in (1, 2) and done.stderr, (name, done)
        done = run(*program, *[word.replace('PORT', port) for word in least])
        assert done.returncode == 1 and re.fullmatch(r'[^\n]+\n', done.stderr), (name, done)


def forms_say_what_help_says():
    """The manual and the words for shells have the options of --help, each once, and no others."""
    calls = [(command,) for command in commands() if command != 'bot'] + [('bot', game) for game in bots()]
    assert [line.split('\t')[0] for line in run(PARLOR, '--help=words').stdout.splitlines()] == commands()
    assert [line.split('\t')[0] for line in run(PARLOR, 'bot', '--help=words').stdout.splitlines()] == bots()
    for call in calls:
        told = re.findall(r'^  (--[\w-]+)', run(PARLOR, *call, '--help').stdout, re.M)
        words = [line.split('\t') for line in run(PARLOR, *call, '--help=words').stdout.splitlines()]
        manual = run(PARLOR, *call, '--help=man').stdout
        assert [word[0] for word in words] == told and all(len(word) == 4 for word in words), (call, words)
        assert re.findall(r'^\\fB(\\-\\-[\w\\-]+)\\fR', manual, re.M) == [name.replace('-', '\\-') for name in told], (call, manual)
        assert manual.startswith('.TH PARLOR-') and '.SH DESCRIPTION\n' in manual, manual
    refused('serve', '--help=nonsense')


def main():
    cases = [commands_refuse_in_a_sentence, bots_refuse_in_a_sentence, examples_refuse_in_a_sentence, forms_say_what_help_says]
    print(f'1..{len(cases)}')
    failed = 0
    for number, case in enumerate(cases, 1):
        try:
            case()
            print(f'ok {number} - {case.__name__.replace("_", " ")}', flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f'not ok {number} - {case.__name__.replace("_", " ")}', flush=True)
            print('# ' + str(problem).replace('\n', '\n# '), flush=True)
    sys.exit(failed > 0)


main()
