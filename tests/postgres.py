#!/usr/bin/env python3
"""A PostgreSQL of its own for a test: in a directory of its own, on a Unix socket, as a user without privileges.

usage: postgres.py [--durable]

As a program: prints "ready DIRECTORY" when it can be connected to, or "missing WHY" and ends; then takes commands from
standard input, one a line, and answers each with "ok": kill (kill -9 of the server), start, stop. At the end of the
input the server is stopped and its directory removed, however the test has ended. Without --durable it does not sync.
"""
import contextlib
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DEADLINE_S = 60
NOBODY = 'nobody'
PORT = 5432


def programs():
    """The directory of the newest PostgreSQL of Debian's packages, or None."""
    found = sorted(glob.glob('/usr/lib/postgresql/*/bin'), key=lambda path: int(path.split('/')[-2]))
    return found[-1] if found and os.path.exists(os.path.join(found[-1], 'initdb')) else None


MISSING = None if programs() else 'PostgreSQL is not installed (package postgresql)'


def nobody():
    """(user, group) of somebody without privileges."""
    entry = pwd.getpwnam(NOBODY)
    return entry.pw_uid, entry.pw_gid


def unprivileged():
    """The words before a command of root's by which that user runs it."""
    return ['setpriv', f'--reuid={nobody()[0]}', f'--regid={nobody()[1]}', '--clear-groups']


def is_alive(pid):
    """Nobody may have taken notice of its end."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8', errors='replace') as stat:
            return stat.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


class Postgres:
    """The server; its directory holds the data, the socket and the log."""

    def __init__(self, is_durable=True, settings=()):
        self.process, self.standby = None, None
        self.folder = tempfile.mkdtemp(prefix='parlor-pg-')
        self.launcher = []
        if os.geteuid() == 0:
            os.chown(self.folder, *nobody())
            self.launcher = unprivileged()
        os.chmod(self.folder, 0o755)
        self.settings = {'listen_addresses': '', 'unix_socket_directories': self.folder, 'shared_buffers': '16MB',
                         'fsync': 'on' if is_durable else 'off', 'max_connections': '60', **dict(settings)}
        try:
            self.run('initdb', '-D', self.data, '-U', 'parlor', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def data(self):
        return os.path.join(self.folder, 'data')

    @property
    def url(self):
        return self.url_of('parlor')

    def url_of(self, user, database='postgres'):
        return f'postgresql:///{database}?host={self.folder}&user={user}'

    def run(self, program, *arguments):
        return subprocess.run([*self.launcher, os.path.join(programs(), program), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=True, cwd='/', timeout=DEADLINE_S).stdout

    def sql(self, text, url=None):
        """Runs it; one line per row."""
        return self.run('psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url or self.url, '-c', text).strip()

    def start(self):
        """Until it can be connected to; it is tried again while what was killed is still ending."""
        until = time.monotonic() + DEADLINE_S
        settings = [word for name, value in self.settings.items() for word in ('-c', f'{name}={value}')]
        while time.monotonic() < until:
            if self.process is None or self.process.poll() is not None:
                with open(os.path.join(self.folder, 'log'), 'ab') as log:
                    self.process = subprocess.Popen([*self.launcher, os.path.join(programs(), 'postgres'), '-D', self.data, *settings],
                                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd='/')
            with contextlib.suppress(subprocess.SubprocessError):
                self.run('pg_isready', '-h', self.folder, '-p', self.settings.get('port', str(PORT)), '-d', 'postgres', '-U', 'parlor')
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
        raise RuntimeError(f'PostgreSQL does not start: {self.log()[-2000:]}')

    def begin_standby(self):
        """A standby in the same directory, which every commit waits for from now on."""
        self.standby = Standby(self)
        self.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.sql('SELECT pg_reload_conf()')
        while self.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != '1':
            pass

    def log(self):
        with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as log:
            return log.read()

    def children(self):
        """The processes that serve connections, and the others that the server has."""
        with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children', encoding='ascii') as children:
            return [int(pid) for pid in children.read().split()]

    def halt(self):
        """Everything stands still, and every connection stays open; until go_on."""
        for pid in (self.process.pid, *self.children()):
            os.kill(pid, signal.SIGSTOP)

    def go_on(self):
        for pid in (self.process.pid, *self.children()):
            os.kill(pid, signal.SIGCONT)

    def kill(self):
        """The server and all its processes: those that serve a connection would otherwise go on for a moment."""
        pids = self.children()
        self.end(signal.SIGKILL)
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(map(is_alive, pids)):
            pass

    def stop(self):
        self.end(signal.SIGINT)

    def end(self, with_signal):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(with_signal)
            self.process.wait(DEADLINE_S)

    def close(self):
        if self.standby:
            self.standby.stop()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Standby(Postgres):
    """A copy of another server that follows it, at a port of its own."""

    def __init__(self, primary):  # pylint: disable=super-init-not-called
        self.process, self.standby, self.primary = None, None, primary
        self.folder, self.launcher = primary.folder, primary.launcher
        self.settings = {**primary.settings, 'port': str(PORT + 1), 'cluster_name': 'standby'}
        self.run('pg_basebackup', '-D', self.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', primary.url)
        self.start()

    @property
    def data(self):
        return os.path.join(self.folder, 'standby')

    def promote(self):
        """Makes it the one that takes writes, and that waits for nobody."""
        url = f'postgresql:///postgres?host={self.folder}&port={PORT + 1}&user=parlor'
        self.sql('SELECT pg_promote()', url)
        self.sql('ALTER SYSTEM RESET synchronous_standby_names', url)
        self.sql('SELECT pg_reload_conf()', url)

    def url_of(self, user, database='postgres'):
        """Both of them."""
        return f'postgresql:///{database}?host={self.folder},{self.folder}&port={PORT},{PORT + 1}&user={user}'


def main():
    if MISSING:
        print('missing', MISSING, flush=True)
        return
    with Postgres('--durable' in sys.argv) as server:
        print('ready', server.folder, flush=True)
        for line in sys.stdin:
            {'kill': server.kill, 'start': server.start, 'stop': server.stop}[line.strip()]()
            print('ok', flush=True)


if __name__ == '__main__':
    main()
