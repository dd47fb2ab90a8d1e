#!/usr/bin/env python3
"""A server with few rights (--sandbox) plays, saves, copies its journal, reads its options again and ends in order; no thread of it has more rights than
another. And root is refused where others can connect. What exactly fails afterwards is in tests/unit/test_sandbox.c. Speaks TAP.

usage: rights.py PARLOR
"""
import glob
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

import native
import wire
from native import check

PARLOR = os.path.abspath(sys.argv[1])


def rights(server):
    """What /proc says of every thread."""
    found = set()
    for path in glob.glob(f'/proc/{server.process.pid}/task/*/status'):
        with open(path, encoding='ascii') as file:
            found.add(tuple(re.findall(r'^(?:NoNewPrivs|Seccomp):\s+(\d+)', file.read(), re.M)))
    return found


def it_works_with_few_rights():
    with tempfile.TemporaryDirectory() as folder:
        conf, copy = os.path.join(folder, 'parlor.conf'), os.path.join(folder, 'copies', 'journal.db')
        os.mkdir(os.path.dirname(copy))
        with open(conf, 'w', encoding='ascii') as file:
            file.write('address-tables-max = 100\n')
        with native.Server(PARLOR, ['--sandbox', '--log-level', 'info', '--config', conf, '--backup', copy, '--backup-every', '1', '--admin',
                                    os.path.join(folder, 'admin.sock')]) as server:
            for game in wire.ask.game_names(PARLOR):
                code = server.open(game, seats=2, bots=[{'seat': 1, 'level': 1}])['code']
                native.play_out(server, code, {0: server.sit(code, 'ann', seat=0)['token']}, random.Random(1).choice)
            if 'sandbox-partial' not in server.error_text():
                check(rights(server) == {('1', '2')}, f'{rights(server)}')
            with open(conf, 'w', encoding='ascii') as file:
                file.write('address-tables-max = 101\n')
            server.process.send_signal(signal.SIGHUP)
            while ' reloaded changed="address-tables-max"' not in server.error_text() or ' backup ' not in server.error_text():
                server.get('/tables?limit=1')
            check('backup-failed' not in server.error_text(), server.error_text())
            server.process.terminate()
            server.wait()
        check(os.path.exists(copy) and not os.path.exists(os.path.join(folder, 'admin.sock')), 'what is left behind')


def root_is_refused():
    if os.geteuid() != 0:
        return
    off = wire.ask.listen(PARLOR)
    for host in ('0.0.0.0', '[::]'):
        done = subprocess.run([PARLOR, 'serve', *off, '--http', f'{host}:0', '--store', 'memory'], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
        check(done.returncode == 2 and 'run it as a user of its own, or say --allow-root' in done.stderr, f'{done}')
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([PARLOR, 'serve', *off, '--http', '0.0.0.0:0', '--store', 'memory', '--data', folder, '--allow-root'], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        check(process.stdout.readline().startswith(b'ready '), 'not told enough')
        process.terminate()
        check(process.wait(timeout=wire.DEADLINE_S) == 0, 'no orderly end')
        process.stdout.close()


wire.run_cases([
    ('a server with few rights does all that it should', it_works_with_few_rights),
    ('root is refused where others can connect', root_is_refused),
])
