#!/usr/bin/env python3
"""A disk without room, for clients that ask: every request is answered, with 503 and "busy", and what the answer says
about what has become of it is true when there is room again.

usage: full_disk.py PARLOR
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import hunt
import native
import wire

PARLOR = os.path.abspath(sys.argv[1])
NOTHING = 'nothing has happened'


class Disk:
    """A data directory whose disk can be full, and the server on it."""
    extra = ()  # options of the server, of the classes that follow from this one

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='parlor-full-')
        self.program = os.path.join(tempfile.mkdtemp(prefix='parlor-full-'), 'parlor')
        with open(self.program, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\nexec ' + self.launcher() + f' {PARLOR} "$@"\n')
        os.chmod(self.program, 0o755)
        self.server = native.Server(self.program, ['--log-level', 'info', '--disk-reserve', '0', '--ugs', '127.0.0.1:0', '--renaissance', '127.0.0.1:0',
                                                  *self.extra], self.folder)

    def close(self):
        self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(os.path.dirname(self.program), ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class LimitedDisk(Disk):
    """Files may not grow: the store does not know for a while what has become of its write."""

    def launcher(self):
        return 'env --ignore-signal=XFSZ'

    def limit(self, size):
        resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def fill(self):
        self.limit(1)

    def empty(self):
        self.limit(resource.RLIM_INFINITY)


class SmallDisk(Disk):
    """A file system of its own that another file fills: the store knows that nothing was written."""

    def launcher(self):
        return ('unshare --user --map-root-user --mount sh -c \'mount -t tmpfs -o size=8m none "$0" && exec "$@"\' ' + self.folder)

    def shown(self):
        return f'/proc/{self.server.process.pid}/root{self.folder}'

    def fill(self):
        with open(os.path.join(self.shown(), 'filler'), 'wb', buffering=0) as filler:
            try:
                while filler.write(bytes(4096)) == 4096:
                    pass
            except OSError:
                pass

    def empty(self):
        os.remove(os.path.join(self.shown(), 'filler'))


def busy(answer):
    """Whether an answer that must be 503 says that nothing has happened."""
    status, headers, text = answer
    value = json.loads(text)
    native.check(status == 503 and headers['Retry-After'] and value['error'] == 'busy', f'{status} {value}')
    return NOTHING in value['reason']


def busy_xml(answer):
    status, headers, text = answer
    native.check(status == 503 and headers['Retry-After'], f'{status} {text[:300]}')
    native.check(xml.fromstring(text).findtext('state') == 'Error', f'{text[:300]}')
    return NOTHING in hunt.error(text.decode())[1]


def post(server, path, body, token=None):
    head = {'Content-Type': 'application/json'}
    if token:
        head['Authorization'] = 'Bearer ' + token
    return server.request('POST', '/api/v1' + path, json.dumps(body), head)


def answered(kind):
    def case():
        with kind() as disk:
            server = disk.server
            code = server.open('paper-soccer')['code']
            tokens = [server.sit(code, name)['token'] for name in ('ann', 'bob')]
            shown = server.get(f'/tables/{code}', tokens[0])
            mover = tokens[shown['turn'][0]]
            action = server.get(f'/tables/{code}', mover)['legal'][0]
            other = server.open('paper-soccer')['code']
            guest_of = server.open('renaissance', protocol='renaissance')['code']
            before = server.get(f'/tables/{guest_of}')['version']
            game = server.create()
            count = len(server.get('/tables?limit=100')['tables'])
            disk.fill()
            is_undone = busy(post(server, f'/tables/{code}/actions', {'actions': [action]}, mover))
            busy(post(server, f'/tables/{other}/seats', {'name': 'carl'}))
            sitting = busy(post(server, f'/tables/{guest_of}/seats', {'name': 'eve'}))
            opening = busy(post(server, '/tables', {'game': 'paper-soccer'}))
            championship = busy(post(server, '/championships', {'type': 'paper-soccer', 'players': 2}))
            native.check(server.get('/championships') == {'championships': []}, 'a championship is shown that is not saved')
            creating = busy_xml(server.request('GET', '/games'))
            busy_xml(server.request('POST', f'/games/{game}/players', '<playerRegistration><playerUsername>dora</playerUsername>'
                                    '</playerRegistration>'))
            with native.Socket(server) as one:
                refused = one.ask('refused', type='act', table=code, token=mover, actions=[action])
                native.check(refused['error'] == 'busy', f'{refused}')
            native.check(server.get(f'/tables/{code}')['version'] == shown['version'], 'something was told that is not saved')
            native.check(server.request('GET', '/health/live')[0] == 200, 'a server that answers is not alive')
            status, _, text = server.request('GET', '/health/ready')
            native.check(status == 503 and b'store-failed' in text, f'ready without a disk: {status} {text}')
            disk.empty()
            while 'store-recovered' not in server.error_text():
                server.get('/tables?limit=1')
            native.check(server.request('GET', '/health/ready')[0] == 200, 'not ready with a disk')
            last = server.open('paper-soccer')['code']  # by now everything that was on its way is saved, or never will be
            server.sit(last, 'last')
            version = server.get(f'/tables/{code}')['version']
            native.check(version == shown['version'] or not is_undone, 'what had not happened has happened')
            status = 503
            while version == shown['version'] and status == 503:
                status, _, text = post(server, f'/tables/{code}/actions', {'actions': [action]}, mover)
                native.check(status == 200 or NOTHING in json.loads(text)['reason'], f'{text}')
                version = server.get(f'/tables/{code}')['version']
            native.check(server.get(f'/tables/{guest_of}')['version'] == before or not sitting, 'eve sits although nothing has happened')
            tables = server.get('/tables?limit=100')['tables']
            native.check(len(tables) == count + 1 or not (opening and creating), f'{len(tables)} tables, {count} before')
            name = json.loads(post(server, '/championships', {'type': 'paper-soccer', 'players': 2})[2])['name']
            names = [one['name'] for one in server.get('/championships')['championships']]
            native.check(name in names and (len(names) == 1 or not championship), f'{names}')
            server.stop()
    return case


def can_mount():
    done = subprocess.run(['unshare', '--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def main():
    cases = [('files may not grow', answered(LimitedDisk))]
    if can_mount():
        cases.append(('a full disk', answered(SmallDisk)))
    wire.run_cases(cases)


if __name__ == '__main__':
    main()
