#!/usr/bin/env python3
"""parlor practice through the real program: clients that put messages together again, wait and come back play on in bad weather;
the same seed has the same faults; without --faults there are none. Speaks TAP.

usage: practice.py PARLOR EXAMPLES
"""
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wire'))
import wire  # noqa: E402

PARLOR, EXAMPLES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DEADLINE_S = 300


class Practice:
    """A practice server: where it is with and without faults, and what it has said about faults when it has ended."""

    def __init__(self, *options):
        self.errors = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen([PARLOR, 'practice', '--free-ports', *options], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        lines = [self.process.stdout.readline() for _ in range(2)]
        assert lines[0].startswith('calm ') and lines[1].startswith('ready '), lines
        self.calm, self.rough = ({word.split('=')[0]: word.split('=')[1] for word in line.split()[1:]} for line in lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.status = self.process.wait(timeout=DEADLINE_S)
        self.process.stdout.close()
        self.errors.seek(0)
        self.said = self.errors.read().splitlines()
        self.errors.close()

    def faults(self):
        return [line for line in self.said if line.startswith('fault ')]


def place(address):
    host, port = address.rsplit(':', 1)
    return host, int(port)


def requests(practice, count):
    """So many connections, each with requests one after the other until it is dropped or all are answered; how many were."""
    answered = []
    for _ in range(count):
        connection = http.client.HTTPConnection(*place(practice.rough['http']), timeout=wire.DEADLINE_S)
        done = 0
        try:
            for _ in range(6):
                connection.request('GET', '/api/v1/games', headers={'Accept-Encoding': 'identity'})
                json.loads(connection.getresponse().read())
                done += 1
        except (http.client.HTTPException, OSError):
            pass
        connection.close()
        answered.append(done)
    return answered


def the_same_seed_has_the_same_faults():
    runs = []
    for seed in '5', '5', '6':
        with Practice('--faults', seed) as practice:
            answered = requests(practice, 8)
        assert practice.status == 0, practice.said
        runs.append((answered, practice.faults()))
    assert runs[0] == runs[1] != runs[2], runs
    assert any('dropped' in line for line in runs[0][1]) and any('pause of' in line for line in runs[0][1]), runs[0]
    assert min(runs[0][0]) < 6 == max(runs[0][0]), runs[0][0]


def without_faults_there_are_none():
    with Practice() as practice:
        assert requests(practice, 4) == [6] * 4
    assert practice.status == 0 and not practice.faults(), practice.said


class Stubborn:
    """A client of the API that asks again, on a new connection, until it has an answer."""

    def __init__(self, address):
        self.address = address
        self.lost = 0

    def ask(self, method, path, body=None, token=None, key=None):
        head = {'Content-Type': 'application/json'}
        head.update({'Authorization': 'Bearer ' + token} if token else {})
        head.update({'Idempotency-Key': key} if key else {})
        for _ in range(200):
            connection = http.client.HTTPConnection(*place(self.address), timeout=wire.DEADLINE_S)
            try:
                connection.request(method, '/api/v1' + path, json.dumps(body) if body is not None else None, head)
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (http.client.HTTPException, OSError, ValueError):
                self.lost += 1
            finally:
                connection.close()
        raise AssertionError('the weather is too bad')


def a_client_that_comes_back_plays_a_whole_game():
    """Against a bot of the server, with every kind of fault; a move whose answer is lost is made once."""
    with Practice('--faults', '11') as practice:
        client = Stubborn(practice.rough['http'])
        status, table = client.ask('POST', '/tables', {'game': 'paper-soccer', 'seat': {'name': 'ann', 'seat': 0},
                                                       'bots': [{'seat': 1, 'level': 1}]}, key='practice-of-the-tests')
        assert status in (200, 201), table
        code, token = table['code'], table['token']
        for _ in range(5000):
            _, table = client.ask('GET', f'/tables/{code}', token=token)
            if table['over']:
                break
            if table['turn'] == [0]:
                client.ask('POST', f'/tables/{code}/actions', {'actions': table['legal'][:1], 'version': table['version']}, token)
        assert table['over'] and table['result']['why'] == 'played', table
    assert client.lost > 0 and any('dropped' in line for line in practice.faults()), (client.lost, practice.said)


def pieces_are_put_together():
    """A message in many small pieces means the same to the server, and its answer to the client."""
    with Practice('--faults', '4', '--kinds', 'fragments') as practice:
        for nick in ('ann', 'bob', 'cid'):
            with socket.create_connection(place(practice.rough['ugs']), timeout=wire.DEADLINE_S) as client:
                client.sendall(wire.player_login(nick, 'paper-soccer').encode() + b' ' * 4000)
                data = b''
                while b'</message>' not in data:
                    piece = client.recv(65536)
                    assert piece, data
                    data += piece
                assert re.search(wire.ACCEPTED, data.decode()), data
                client.shutdown(socket.SHUT_WR)  # the rest arrives before that does, and then the server hangs up
                while client.recv(65536):
                    pass
    pieces = [int(word) for line in practice.said for word in re.findall(r'(\d+) pieces from the client', line)]
    assert len(pieces) == 3 and min(pieces) > 3, practice.said


def wrong_calls_are_refused():
    for arguments, words in (('--kinds', 'rain'), '--kinds takes'), (('--faults', 'x'), '--faults'), (('--', '--no-such-option'), 'does not listen'):
        done = subprocess.run([PARLOR, 'practice', '--free-ports', *arguments], capture_output=True, text=True, timeout=DEADLINE_S, check=False)
        assert done.returncode in (1, 2) and words in done.stderr and done.stdout == '', done


CASES = [(case.__name__.replace('_', ' '), case) for case in (
    the_same_seed_has_the_same_faults, without_faults_there_are_none, a_client_that_comes_back_plays_a_whole_game,
    pieces_are_put_together, wrong_calls_are_refused)]

if __name__ == '__main__':
    wire.run_cases(CASES)
