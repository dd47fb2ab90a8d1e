#!/usr/bin/env python3
"""A data directory that was damaged between two runs: secrets of dice that are gone, a write-ahead log that was lost, pages
that were overwritten. What is hit is named, the rest goes on, and nothing is told as if it were whole.

usage: damage.py PARLOR [--seed N]

Speaks TAP; the seed of the places that are damaged is printed first.
"""
import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time

import native
import wire

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument('parlor')
OPTIONS.add_argument('--seed', type=int, default=int(time.time()))
OPTIONS = OPTIONS.parse_args()
OPTIONS.parlor = os.path.abspath(OPTIONS.parlor)
RANDOM = random.Random(OPTIONS.seed)
LISTENERS = [word for name in ('santorini', 'eriantys', 'renaissance') for word in ('--' + name, '127.0.0.1:0')]

check = native.check


class Server(native.Server):
    """Leaves its data to the next one."""

    def close(self):
        self.kill()


class Data:
    """A data directory that outlives its servers."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix='parlor-damage-')
        self.path = os.path.join(self.root, 'data')
        self.file = os.path.join(self.path, 'parlor.db')

    def serve(self, *options):
        return Server(OPTIONS.parlor, [*LISTENERS, *options], self.root)

    def run(self, *arguments, status=0):
        """A command of the program on this directory: what it prints on both streams."""
        done = subprocess.run([OPTIONS.parlor, *arguments, '--data', self.path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=wire.DEADLINE_S, check=False)
        text = done.stdout.decode('utf-8', 'replace')
        check(done.returncode == status, f'{arguments} ended with {done.returncode}, not {status}: {text}')
        return text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)


def wait_until_over(server, codes):
    """Asks until these tables are finished."""
    for code in codes:
        deadline = time.monotonic() + wire.DEADLINE_S
        while (table := server.get(f'/tables/{code}'))['state'] != 'finished':
            check(time.monotonic() < deadline, f'{code} does not end: {table}')
        check(table['result']['why'] == 'undecided', f'{code}: {table["result"]}')


def dice_without_their_secret():
    """Tables of every protocol; of some the secret is taken away, of one it is exchanged. They end undecided, the others go
    on, and verify says what is so."""
    with Data() as data:
        with data.serve() as server:
            hit = [server.open('santorini', protocol='santorini')['code'], server.open('eriantys', protocol='eriantys')['code'],
                   server.open('renaissance', protocol='renaissance', seats=2)['code'],
                   server.open('treasure-hunt', protocol='treasure')['code'], server.open('eriantys')['code']]
            whole = [server.open('eriantys')['code'], server.open('santorini')['code']]
            seats = {code: server.sit(code, 'Ada') for code in hit + whole}
            for code in hit[1:] + whole[:1]:  # some wait, some are played
                server.sit(code, 'Bob')
            ids = {code: int(line.split()[0]) for code in hit for line in [journal_id(data, code)]}
            server.kill()
        database = sqlite3.connect(data.file)
        database.execute(f'UPDATE tables SET secret = NULL WHERE id IN ({",".join(str(ids[code]) for code in hit[:-1])})')
        database.execute('UPDATE tables SET secret = zeroblob(32) WHERE id = ?', (ids[hit[-1]],))
        database.commit()
        database.close()
        with data.serve() as server:
            wait_until_over(server, hit)
            for code in hit:
                token = seats[code]['token']
                check(server.get(f'/tables/{code}', token=token)['state'] == 'finished', code)
            for code, state in zip(whole, ('running', 'open')):
                check(server.get(f'/tables/{code}')['state'] == state, code)
            server.stop()
            log = server.error_text()
            for code in hit:
                lines = [line for line in log.splitlines() if code in line and 'table-undecided' in line]
                check(len(lines) == 1 and 'secret of its dice' in lines[0], f'{code}: {log}')
        text = data.run('journal', 'verify')
        for code in hit:
            check(len([line for line in text.splitlines() if line.startswith(code + ' ') and 'had lost the secret' in line]) == 1, text)
        check(f'0 problems, {len(hit)} tables whose dice cannot be checked any more' in text, text)
        check('had lost the secret of the dice' in data.run('journal', 'show', hit[0]), hit[0])


def journal_id(data, code):
    """The number of a table, by the first line of its export."""
    line = data.run('journal', 'export', code).splitlines()[0]
    return line.split('"id":')[1].split(',')[0].strip() + ' ' + code


CASES = [('tables without the secret of their dice end undecided', dice_without_their_secret)]

print(f'# seed {OPTIONS.seed}', flush=True)
wire.run_cases(CASES)
