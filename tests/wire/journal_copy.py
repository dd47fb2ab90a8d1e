#!/usr/bin/env python3
"""`parlor journal copy` between SQLite and a real PostgreSQL, and back: running tables go on with their tokens and dice, and
what is wrong on either side is refused.

usage: journal_copy.py PARLOR
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

import native
import wire

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import postgres  # noqa: E402  (found by the line above)

PARLOR = os.path.abspath(sys.argv[1])
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'goldens', 'paper-soccer-65-turns.txt')
UGS = ['--ugs', '127.0.0.1:0']


def journal(*words, status=0):
    """What it says, on both outputs; it must end with this status."""
    done = subprocess.run([PARLOR, 'journal', *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=2 * wire.DEADLINE_S, check=False)
    native.check(done.returncode == status, f'{words} ended with {done.returncode}: {done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def place(store):
    return ['--store', store] if store.startswith('postgresql:') else ['--data', store]


def exported(store):
    """Every event of every table; the row of a table is in it, too."""
    return sorted(journal('export', '--all', *place(store)).splitlines())


def serve(store):
    """A server on a directory, or on a database."""
    if store.startswith('postgresql:'):
        return native.Server(PARLOR, ['--store', store, '--store-alone', *UGS], os.devnull)  # nothing is kept in a directory
    return native.Server(PARLOR, UGS, os.path.dirname(store))


def act(server, code, tokens):
    """The seat that is on turn plays the first of its legal actions."""
    mover = tokens[server.get(f'/tables/{code}')['turn'][0]]
    shown = server.get(f'/tables/{code}', mover)
    server.act(code, mover, shown['legal'][0])


class Source:
    """A directory with a finished table, a running one with dice, a running championship, and two outages."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='parlor-copy-')
        self.store = os.path.join(self.folder, 'data')
        for _ in range(3):
            server = serve(self.store)
            server.stop()
        server = serve(self.store)
        self.code, self.tokens = server.two('renaissance', seats=2)
        act(server, self.code, self.tokens)
        self.championship = json.loads(server.request('POST', '/api/v1/championships', json.dumps(
            {'type': 'paper-soccer', 'players': 2}), {'Content-Type': 'application/json'})[2])['name']
        server.kill()
        self.finished = journal('import', GOLDEN, '--data', self.store).strip()

    def goes_on(self, store):
        """The running table is played on where it was, and the championship waits for its entrants."""
        server = serve(store)
        version = server.get(f'/tables/{self.code}')['version']
        act(server, self.code, self.tokens)
        native.check(server.get(f'/tables/{self.code}')['version'] > version, 'the table does not go on')
        names = [one['name'] for one in server.get('/championships')['championships']]
        native.check(self.championship in names, f'{names} without {self.championship}')
        server.process.send_signal(signal.SIGTERM)
        server.wait()
        words = journal('verify', *place(store))
        native.check(' 0 problems' in words and 'could not be checked' not in words, words)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def there_and_back():
    with postgres.Postgres(is_durable=False) as database, Source() as source:
        before = exported(source.store)
        outages = sqlite3.connect(os.path.join(source.store, 'parlor.db')).execute(
            "SELECT count(*) FROM meta WHERE key LIKE 'away %'").fetchone()[0]
        words = journal('copy', 'sqlite:' + source.store, database.url)
        native.check(f'copied 3 journals with {len(before)} events' in words, words)
        native.check(exported(database.url) == before and exported(source.store) == before, 'the copy is another')
        native.check(outages >= 2 and database.sql("SELECT count(*) FROM parlor.meta WHERE key LIKE 'away %'") == str(outages),
                     f'of {outages} outages others are there')
        native.check(database.sql('SELECT count(*) FROM parlor.secrets WHERE table_id <> 0') == '1', 'the secret is not there')
        key = sqlite3.connect(os.path.join(source.store, 'parlor.db')).execute("SELECT hex(value) FROM meta WHERE key = 'key'").fetchone()[0]
        native.check(database.sql("SELECT upper(encode(secret, 'hex')) FROM parlor.secrets WHERE table_id = 0") == key,
                     'players could not come back: the key is another')
        source.goes_on(database.url)
        before = exported(database.url)
        back = os.path.join(source.folder, 'back', 'data')
        os.mkdir(os.path.dirname(back))
        journal('copy', database.url, back)
        native.check(exported(back) == before, 'the way back has another')
        source.goes_on(back)


def refused(source, target, sentence):
    words = journal('copy', source, target, status=1)
    native.check(sentence in words, words)


def what_is_wrong_is_refused():
    with postgres.Postgres(is_durable=False) as database, Source() as source:
        target = os.path.join(source.folder, 'target')
        refused(os.path.join(source.folder, 'nowhere'), target, 'no journal to copy')
        native.check(not os.path.exists(target), 'something was made')
        journal('copy', source.store, status=2)
        server = serve(source.store)
        refused(source.store, target, 'copy needs it alone')
        refused(database.url, source.store, 'cannot be opened')
        server.stop()
        journal('copy', source.store, database.url)
        refused(source.store, database.url, 'already; nothing was copied')
        database.sql('CREATE ROLE viewer LOGIN; GRANT USAGE ON SCHEMA parlor TO viewer; '
                     'GRANT SELECT ON ALL TABLES IN SCHEMA parlor TO viewer')
        refused(database.url_of('viewer'), target, 'copy as the role of the servers')
        native.check(journal('list', '--data', target) == '', 'something was copied without its secret')
        database.sql("UPDATE parlor.events SET body = body || '\\x00' WHERE seq = 3")
        refused(database.url, target, 'nothing was copied')
        native.check(journal('list', '--data', target) == '', 'an altered journal was copied')


def a_source_that_goes_on_is_found_out():
    """The copy is held up at the target, before it writes the outages, while a table of the source goes on."""
    with postgres.Postgres(is_durable=False) as database, Source() as source:
        database.sql('CREATE DATABASE target')
        target = database.url_of('parlor', 'target')
        empty = os.path.join(source.folder, 'empty')
        os.mkdir(empty)
        server = native.Server(PARLOR, UGS, empty)
        server.stop()
        journal('copy', os.path.join(empty, 'data'), target)  # makes the schema
        journal('copy', source.store, database.url)
        with subprocess.Popen([*database.launcher, os.path.join(postgres.programs(), 'psql'), '-X', '-q', '-d', target], stdin=subprocess.PIPE,
                              text=True, cwd='/') as holder:
            holder.stdin.write('BEGIN; LOCK TABLE parlor.meta IN SHARE MODE;\n')
            holder.stdin.flush()
            while database.sql("SELECT count(*) FROM pg_locks WHERE mode = 'ShareLock' AND granted AND locktype = 'relation'", target) == '0':
                pass
            with subprocess.Popen([PARLOR, 'journal', 'copy', database.url, target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True) as copy:
                while database.sql('SELECT count(*) FROM pg_locks WHERE NOT granted', target) == '0':
                    native.check(copy.poll() is None, 'the copy is not held up')
                database.sql("UPDATE parlor.tables SET last_seq = last_seq + 1 WHERE protocol = 'api'")
                holder.stdin.write('ROLLBACK;\n')
                holder.stdin.close()
                words = copy.communicate(timeout=wire.DEADLINE_S)[0]
            native.check(copy.returncode == 1 and 'the source has changed while it was copied' in words, words)


def main():
    if postgres.MISSING:
        print(f'1..0 # SKIP {postgres.MISSING}')
        return
    wire.run_cases([
        ('from a directory into a database and back, running tables included', there_and_back),
        ('what is wrong on either side is refused', what_is_wrong_is_refused),
        ('a source that goes on is found out', a_source_that_goes_on_is_found_out),
    ])


if __name__ == '__main__':
    main()
