#!/usr/bin/env python3
"""A server gives up what it does not need: it plays, saves, copies its journal, keeps few tables, reads its options and certificates again and ends in
order, but foreign files stay closed, and no thread has more rights than another. And it does not run as root unless told. What exactly fails is in
tests/unit/test_sandbox.c. Speaks TAP.

usage: rights.py PARLOR
"""
import glob
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile

import certificates
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


def put(path, text):
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)


def until(server, *words):
    """Reads the log until all of these are in it; a server that hangs fails the requests."""
    while not all(word in server.error_text() for word in words):
        server.get('/tables?limit=1')


def it_works_with_few_rights():
    with tempfile.TemporaryDirectory() as folder:
        conf, copy = os.path.join(folder, 'parlor.conf'), os.path.join(folder, 'copies', 'journal.db')
        os.mkdir(os.path.dirname(copy))
        put(conf, 'address-tables-max = 100\n')
        with native.Server(PARLOR, ['--log-level', 'info', '--config', conf, '--backup', copy, '--backup-every', '1', '--keep-tables', '2', '--admin',
                                    os.path.join(folder, 'admin.sock')]) as server:
            for game in wire.ask.game_names(PARLOR):
                code = server.open(game, seats=2, bots=[{'seat': 1, 'level': 1}])['code']
                native.play_out(server, code, {0: server.sit(code, 'ann', seat=0)['token']}, random.Random(1).choice)
            told = re.search(r' info (sandboxed|sandbox-partial) landlock=(\d+) seccomp=(\d)', server.error_text())
            check(told is not None, server.error_text())
            check((told[1] == 'sandboxed') == (int(told[2]) > 0 and told[3] == '1'), told[0])
            check(rights(server) == {('1', '2' if told[3] == '1' else '0')}, f'{told[0]} {rights(server)}')
            put(conf, 'address-tables-max = 101\n')
            server.process.send_signal(signal.SIGHUP)
            until(server, ' reloaded changed="address-tables-max"', ' backup ')
            check('backup-failed' not in server.error_text(), server.error_text())
            server.process.terminate()
            server.wait()
        check(os.path.exists(copy) and not os.path.exists(os.path.join(folder, 'admin.sock')), 'what is left behind')


def certificate_of(port):
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    with wire.socket.create_connection(('127.0.0.1', port), wire.DEADLINE_S) as link, anybody.wrap_socket(link) as tls:
        return tls.getpeercert(binary_form=True)


def links_are_followed():
    """As certbot keeps certificates: links to an archive beside, in which the renewed one is a file of its own."""
    if certificates.MISSING:
        return
    with tempfile.TemporaryDirectory() as folder, certificates.Certificate() as made:
        live, archive = os.path.join(folder, 'live'), os.path.join(folder, 'archive')
        os.mkdir(live)
        os.mkdir(archive)
        def renew(number):
            for source, name in ((made.file, 'certificate'), (made.key, 'key')):
                shutil.copy(source, os.path.join(archive, f'{name}{number}.pem'))
                os.symlink(os.path.join(archive, f'{name}{number}.pem'), os.path.join(live, 'new'))
                os.replace(os.path.join(live, 'new'), os.path.join(live, f'{name}.pem'))
        renew(1)
        with native.Server(PARLOR, ['--store', 'memory', '--log-level', 'info', '--https', '127.0.0.1:0', '--tls-certificate',
                                    os.path.join(live, 'certificate.pem'), '--tls-key', os.path.join(live, 'key.pem')]) as server:
            port = wire.ask.port(server.addresses['https'])
            first = certificate_of(port)
            made.make('renewed.example.org')
            renew(2)
            server.process.send_signal(signal.SIGHUP)
            until(server, ' reloaded ')
            check('certificate-refused' not in server.error_text(), server.error_text())
            check(certificate_of(port) != first, 'the old certificate is still there')
            server.stop()


def foreign_files_are_closed():
    """A file of options that leads elsewhere after the start: it is not opened, but where the sandbox is off it is."""
    for words, is_open in (([], False), (['--sandbox', 'off'], True)):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as foreign:
            conf = os.path.join(folder, 'parlor.conf')
            put(conf, 'address-tables-max = 100\n')
            put(os.path.join(foreign, 'other.conf'), 'address-tables-max = 101\n')
            with native.Server(PARLOR, ['--store', 'memory', '--log-level', 'info', '--config', conf, *words]) as server:
                if 'landlock=0' in server.error_text():
                    return
                check(('sandbox' in server.error_text()) != is_open, server.error_text())
                os.remove(conf)
                os.symlink(os.path.join(foreign, 'other.conf'), conf)
                server.process.send_signal(signal.SIGHUP)
                until(server, ' reloaded changed="address-tables-max"' if is_open else ' reload-refused ')
                check(is_open or 'Permission denied' in server.error_text(), server.error_text())
                server.stop()


def starts_as_root(*options, **who):
    """Whether it becomes ready, and what it says otherwise."""
    off = [word for name in wire.ask.listeners(PARLOR) for word in ('--' + name, 'off')]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        program = shutil.copy(PARLOR, folder)  # where everybody can read it
        process = subprocess.Popen([program, 'serve', *off, '--data', os.path.join(folder, 'data'), '--store', 'memory', *options], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **who)
        ready = process.stdout.readline().startswith('ready ')
        process.terminate()
        said = process.communicate(timeout=wire.DEADLINE_S)[1]
        return ready, process.returncode, said


def root_is_refused():
    if os.geteuid() != 0:
        return
    for place in ('127.0.0.1:0', '0.0.0.0:0', '[::]:0'):
        ready, status, said = starts_as_root('--http', place)
        check(not ready and status == 2 and 'run it as a user of its own, or say --allow-root' in said, f'{place} {status} {said}')
    ready, status, said = starts_as_root('--http', '0.0.0.0:0', '--allow-root')
    check(ready and status == 0, f'told to: {status} {said}')
    ready, status, said = starts_as_root('--http', '127.0.0.1:0', user='nobody', extra_groups=[])
    check(ready and status == 0, f'nobody: {status} {said}')


wire.run_cases([
    ('a server with few rights does all that it should', it_works_with_few_rights),
    ('renewed certificates behind links are read', links_are_followed),
    ('foreign files are closed', foreign_files_are_closed),
    ('root is refused unless told', root_is_refused),
])
