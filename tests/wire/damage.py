#!/usr/bin/env python3
"""A data directory that was damaged between two runs: secrets of dice that are gone, a write-ahead log that was lost, pages
that were overwritten. What is hit is named, the rest goes on, and nothing is told as if it were whole.

usage: damage.py PARLOR [--seed N]

Speaks TAP; the seed of the places that are damaged is printed first.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import sqlite3
import struct
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
LISTENERS = [word for name in wire.ask.listeners(OPTIONS.parlor) if name not in ('http', 'ugs')
             for word in ('--' + name, '127.0.0.1:0')]

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

    def copy(self):
        """Another directory with the same files."""
        other = Data()
        shutil.copytree(self.path, other.path)
        return other

    def refused(self, *options):
        """The server does not start: what it says."""
        return self.run('serve', *wire.ask.listen(OPTIONS.parlor, 'ugs'), *options, status=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)


class Pages:
    """The pages of a database file that nobody has open, by what they hold."""

    def __init__(self, file):
        self.file = file
        with open(file, 'rb') as source:
            self.data = source.read()
        self.size = struct.unpack('>H', self.data[16:18])[0]
        database = sqlite3.connect(file)
        self.roots = dict(database.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))
        database.close()

    def page(self, number):
        return self.data[(number - 1) * self.size:number * self.size]

    def walk(self, name):
        """(number, type) of every page of a tree; 2 and 5 are inner ones, 10 and 13 leaves."""
        waiting = [self.roots[name]]
        while waiting:
            number = waiting.pop()
            page = self.page(number)
            yield number, page[0]
            if page[0] in (2, 5):
                cells = struct.unpack('>H', page[3:5])[0]
                pointers = struct.unpack(f'>{cells}H', page[12:12 + 2 * cells])
                waiting += [struct.unpack('>I', page[at:at + 4])[0] for at in pointers] + [struct.unpack('>I', page[8:12])[0]]

    def last(self, name):
        """The page of a tree on which the newest rows stand, and the next ones will."""
        number = self.roots[name]
        while self.page(number)[0] == 5:
            number = struct.unpack('>I', self.page(number)[8:12])[0]
        return number

    def tables_on(self, number):
        """The ids of the tables of which a leaf of events has rows."""
        page, found = self.page(number), set()
        for at in struct.unpack(f'>{(n := struct.unpack(">H", page[3:5])[0])}H', page[8:8 + 2 * n]):
            at = skip_varint(page, skip_varint(page, at))
            types, size = [], page[at]
            data, at = at + size, at + 1
            while len(types) < 2:
                types.append(page[at])
                at += 1
            width = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}[types[1]]
            found.add(int.from_bytes(page[data:data + width], 'big'))
        return found

    def overwrite(self, number, place):
        """Puts noise over a page of another file, which has the same pages."""
        with open(place, 'r+b') as target:
            target.seek((number - 1) * self.size)
            target.write(bytes(RANDOM.randrange(256) for _ in range(self.size)))


def skip_varint(page, at):
    while page[at] & 0x80:
        at += 1
    return at + 1


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


def play_some(server, count=6):
    """Some tables in which something has happened; returns their codes, versions and tokens."""
    tables = {}
    for _ in range(count):
        code = server.open('eriantys')['code']
        tokens = [server.sit(code, name)['token'] for name in ('Ada', 'Bob')]
        for _ in range(RANDOM.randrange(4, 12)):
            table = server.get(f'/tables/{code}')
            own = server.get(f'/tables/{code}', tokens[table['turn'][0]])
            server.post(f'/tables/{code}/actions', {'actions': [RANDOM.choice(own['legal'])]}, tokens[own['seat']])
        tables[code] = server.get(f'/tables/{code}')['version']
    return tables


def lost_log():
    """kill -9, then the write-ahead log is gone or cut: the next start says so, names the tables, and changes nothing."""
    with Data() as data:
        with data.serve() as server:
            tables = play_some(server)
            server.kill()
        wal = data.file + '-wal'
        check(os.path.getsize(wal) > 0, 'the log is empty')
        for keeps in (0, RANDOM.randrange(os.path.getsize(wal) // 4, os.path.getsize(wal) // 2)):
            with data.copy() as hit:
                if keeps == 0:
                    os.remove(hit.file + '-wal')
                else:
                    os.truncate(hit.file + '-wal', keeps)
                text = hit.refused()
                check('has lost the last' in text and 'parlor.db-wal' in text and '--accept-loss' in text, text)
                check(any(code in text for code in tables), f'{list(tables)}: {text}')
                check('warning: the journal' in hit.run('journal', 'list'), 'list does not warn')
                shutil.copy(wal, hit.file + '-wal')  # put back, all is well
                with hit.serve() as server:
                    for code, version in tables.items():
                        check(server.get(f'/tables/{code}')['version'] == version, code)
                    server.stop()
                    check('loss' not in server.error_text(), server.error_text())
        os.remove(wal)
        data.refused()
        with data.serve('--accept-loss') as server:
            codes = [table['code'] for table in server.get('/tables')['tables']]
            check(set(codes) <= set(tables), f'{codes}')
            fresh = play_some(server, 2)
            server.stop()
            check('journal-loss-accepted' in server.error_text(), server.error_text())
        with data.serve() as server:  # it was accepted once; nothing is missing since
            for code, version in fresh.items():
                check(server.get(f'/tables/{code}')['version'] == version, code)


def no_false_alarm():
    """Kills, orderly ends, copies with and without the mark, backups and retention are no loss."""
    with Data() as data:
        for way in range(4):
            with data.serve('--keep-tables', '1') as server:
                play_some(server, 2)
                for code in [table['code'] for table in server.get('/tables')['tables']][:2]:
                    server.open('paper-soccer', bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}])
                if way % 2:
                    server.stop()
                else:
                    server.kill()
            backup = os.path.join(data.root, 'backup.db')
            data.run('journal', 'backup', backup)
            with Data() as other:
                os.mkdir(other.path)
                shutil.copy(backup, other.file)
                with other.serve() as server:
                    server.stop()
                    check('loss' not in server.error_text(), server.error_text())
            with data.copy() as other:
                os.remove(other.file + '-mark')
                with other.serve() as server:
                    server.stop()
            check('warning' not in data.run('journal', 'list'), 'a false alarm')


class Damage:
    """A journal of many tables, finished and running, and what is on its pages."""

    def __init__(self):
        self.data = Data()
        with self.data.serve() as server:
            self.running = play_some(server, 10)
            bots = [{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}]
            codes = [server.open('santorini', bots=bots)['code'] for _ in range(16)]
            hunt = server.open('treasure-hunt', protocol='treasure')['code']
            token = server.sit(hunt, 'Ada')['token']
            server.sit(hunt, 'Bob')
            server.post(f'/tables/{hunt}/resign', {}, token)
            for code in codes + [hunt]:
                deadline = time.monotonic() + wire.DEADLINE_S
                while server.get(f'/tables/{code}')['state'] != 'finished':
                    check(time.monotonic() < deadline, f'{code} does not end')
            self.finished, self.hunt = codes, hunt
            server.stop()
        lines = [json.loads(line) for line in self.data.run('journal', 'export', '--all').splitlines()]
        self.codes = {line['id']: line['table'] for line in lines}
        self.events = {code: [line['hash'] for line in lines if line['table'] == code] for code in self.codes.values()}
        self.pages = Pages(self.data.file)

    def hit_by(self, number):
        return {self.codes[table] for table in self.pages.tables_on(number)}


def digest(file):
    with open(file, 'rb') as source:
        return hashlib.sha256(source.read()).hexdigest()


def check_served(damage, data, hit, goes_on):
    """The server starts; tables that are not hit are as they were, those that are hit are named and answered with 503."""
    with data.serve() as server:
        for code in damage.running:
            state = server.request('GET', f'/api/v1/tables/{code}')[0]
            check(state == (503 if code in hit else 200), f'{code} ({code in hit}): {state}')
        for code in damage.finished:
            status, head, body = server.request('GET', f'/api/v1/tables/{code}')
            if code in hit:
                check(status == 503 and json.loads(body)['error'] == 'unavailable' and head['Retry-After'], f'{code}: {status} {body}')
                check(server.request('GET', f'/api/v1/tables/{code}/journal')[0] == 503, code)
            else:
                check(status == 200, f'{code}: {status} {body}')
        listed = {table['code'] for table in server.get('/tables?state=finished&limit=100')['tables']}
        check(listed == (set(damage.finished) | {damage.hunt}) - hit, f'{listed} with {hit}')
        fresh = play_some(server, 1) if goes_on else []
        server.stop()
        log = server.error_text()
        for code in damage.running:
            named = any('journal-broken' in line and f'"{code}"' in line for line in log.splitlines())
            check(named == (code in hit), f'{code}: {log[-2000:]}')
        check(all(code not in hit for code in fresh), 'fresh')


def check_repaired(damage, data, hit):
    """repair saves everything that is not hit, of the rest what comes before, and leaves the damaged file alone."""
    before = digest(data.file)
    text = data.run('journal', 'repair', status=1 if hit else 0)
    check(digest(data.file) == before, 'the damaged file was changed')
    with Data() as other:
        os.mkdir(other.path)
        shutil.move(data.file + '.repaired', other.file)
        saved = {}
        for line in other.run('journal', 'export', '--all').splitlines():
            line = json.loads(line)
            saved.setdefault(line['table'], []).append(line['hash'])
        for code, events in damage.events.items():
            got = saved.get(code, [])
            check(got == events[:len(got)], f'{code} was saved wrong')
            check(code in hit or got == events, f'{code}: {len(got)} of {len(events)}, and it is not hit')
            if code in hit:
                words = f'{code}: {len(got)} of {len(events)} events' if got else f'{code}: none of {len(events)} events'
                check(len(got) < len(events) and words in text, f'{words}: {text}')
        check(f'{len(damage.events) - len(hit)} tables saved whole' in text, text)
        problems = other.run('journal', 'verify', status=0)
        check(': 0 problems' in problems, problems)


def damaged_leaf():
    damage = DAMAGE[0]
    leaves = [number for number, kind in damage.pages.walk('events') if kind == 13]
    check(len(leaves) > 8, f'{len(leaves)} pages are too few')
    for number in RANDOM.sample(leaves, 4):
        with damage.data.copy() as data:
            hit = damage.hit_by(number)
            damage.pages.overwrite(number, data.file)
            text = data.run('journal', 'verify', status=1)
            named = {line.split()[0] for line in text.splitlines()[:-1]}
            check(named == hit, f'page {number}: {named} instead of {hit}: {text}')
            check_repaired(damage, data, hit)
            check_served(damage, data, hit, number != damage.pages.last('events'))


def damaged_tree():
    """Pages without events of their own: what stands behind them is hidden from the server, and saved by repair."""
    damage = DAMAGE[0]
    inner = [number for number, kind in damage.pages.walk('events') if kind == 5]
    index = [number for number, kind in damage.pages.walk('sqlite_autoindex_events_1') if kind == 10]
    rows = [number for number, kind in damage.pages.walk('tables') if kind == 13]
    for number in [RANDOM.choice(inner), RANDOM.choice(index), RANDOM.choice(rows)]:
        with damage.data.copy() as data:
            damage.pages.overwrite(number, data.file)
            data.run('journal', 'verify', status=1)
            check_repaired(damage, data, set())


def damaged_hunt():
    """A finished game of Treasure Hunt that cannot be read is told so in the words of that protocol."""
    damage = DAMAGE[0]
    table = next(number for number, code in damage.codes.items() if code == damage.hunt)
    number = next(number for number, kind in damage.pages.walk('events') if kind == 13 and table in damage.pages.tables_on(number))
    with damage.data.copy() as data:
        damage.pages.overwrite(number, data.file)
        with data.serve() as server:
            text = server.ask('GET', f'/games/{damage.hunt}/states/00000000-0000-4000-8000-000000000000')
            check('>Error<' in text and 'cannot be read at the moment' in text, text)
            server.stop()


DAMAGE = []
CASES = [('tables without the secret of their dice end undecided', dice_without_their_secret),
         ('a write-ahead log that was lost is noticed', lost_log),
         ('what is no loss is not called one', no_false_alarm),
         ('a journal to damage', lambda: DAMAGE.append(Damage())),
         ('a damaged page of events hits its tables and no others', damaged_leaf),
         ('a damaged page of a tree hides nothing from repair', damaged_tree),
         ('a damaged game of Treasure Hunt', damaged_hunt)]

print(f'# seed {OPTIONS.seed}', flush=True)
wire.run_cases(CASES)
