#!/usr/bin/env python3
"""parlor check: Parlor itself conforms to all of its protocols; servers that are broken in one word do not, and the rule is named.
Speaks TAP.

usage: check.py PARLOR
"""
import json
import os
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wire'))
import wire  # noqa: E402

PARLOR = os.path.abspath(sys.argv[1])
DEADLINE_S = 600
PROTOCOLS = ('ugs', 'treasure', 'santorini', 'eriantys', 'renaissance')


class Server(wire.ProtocolServer):
    protocol = 'ugs'
    others = ('http', 'santorini', 'eriantys', 'renaissance')

    def of(self, protocol):
        return self.addresses['http' if protocol == 'treasure' else protocol]


class Broken:
    """A server that says one word otherwise: whatever comes from another server passes with it replaced. Both words are of the
    same length, so that lengths in heads stay true."""

    def __init__(self, address, right, wrong):
        assert len(right) == len(wrong)
        host, port = address.rsplit(':', 1)
        self.target, self.right, self.wrong = (host, int(port)), right.encode(), wrong.encode()
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.address = f'127.0.0.1:{self.listener.getsockname()[1]}'
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            for source, sink, is_answer in (client, server, False), (server, client, True):
                threading.Thread(target=self.relay, args=(source, sink, is_answer), daemon=True).start()

    def relay(self, source, sink, is_answer):
        try:
            while data := source.recv(65536):
                sink.sendall(data.replace(self.right, self.wrong) if is_answer else data)
        except OSError:
            pass
        for one in source, sink:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def check(protocol, address, *options):
    return subprocess.run([PARLOR, 'check', protocol, address, *options], capture_output=True, text=True, timeout=DEADLINE_S, check=False)


def parlor_conforms(protocol):
    def case():
        with Server(PARLOR, ['--hunt-poll-interval', '0.01', '--free-loopback']) as server:
            done = check(protocol, server.of(protocol), '--json', '--patience', '60')
            assert done.returncode == 0, done
            report = json.loads(done.stdout)
            assert report['conforms'] and report['protocol'] == protocol and all(m['conforms'] for m in report['messages']), report
            assert report['game'] == {'played': True, 'conforms': True, 'why': ''}, report['game']
            assert len([m for m in report['messages'] if m['direction'] == 'heard']) >= 8, report
            assert all(m['rule'].startswith(protocol) and m['sentence'] for m in report['messages']), report
            server.kill()
    return case


def a_broken_server_is_told_its_rule():
    for protocol, right, wrong, rule, sentence in (
            ('ugs', 'result="loser"', 'result="LOSER"', 'ugs 3.5', 'an illegal move ends the game: gameOver names its player as loser'),
            ('ugs', 'accept="no"', 'accept="NO"', 'ugs 3.3', 'a nick that is in use is refused'),
            ('santorini', '"type":"turnUpdate"', '"type":"turnupdate"', 'santorini 3', 'the youngest chooses them'),
            ('eriantys', '"found":true', '"found":null', 'eriantys, A game from its beginning', 'who enters learns for how many it is'),
            ('treasure', 'MustWait', 'Waiting!', 'treasure 5', 'whoever is alone waits: its state is MustWait'),
            ('renaissance', '"isFree":false', '"isFree": true', 'renaissance, Login and lobby', 'nicknames have 4 to 15 characters')):
        with Server(PARLOR) as server, Broken(server.of(protocol), right, wrong) as broken:
            done = check(protocol, broken.address, '--talk-only', '--patience', '60')
            assert done.returncode == 1 and f'     {rule}: {sentence}' in done.stdout and 'does not conform' in done.stdout, done
            assert done.stdout.count('FAIL') == 1, done.stdout
            report = json.loads(check(protocol, broken.address, '--talk-only', '--json', '--patience', '60').stdout)
            last = report['messages'][-1]
            assert not report['conforms'] and not last['conforms'] and last['rule'] == rule and last['why'] and last['awaited'], report
            server.kill()


def a_silent_server_does_not_conform():
    with socket.create_server(('127.0.0.1', 0)) as listener:
        done = check('santorini', f'127.0.0.1:{listener.getsockname()[1]}', '--patience', '0.2')
        assert done.returncode == 1 and 'but: nothing came' in done.stdout, done
        address = listener.getsockname()
    done = check('ugs', f'127.0.0.1:{address[1]}')
    assert done.returncode == 1 and 'no connection could be made' in done.stdout, done


def wrong_calls_are_refused():
    for arguments, words in (('chess', '127.0.0.1:1'), "no protocol 'chess'"), (('ugs',), 'needs PROTOCOL HOST:PORT'), (('ugs', 'nowhere'), 'HOST:PORT'):
        done = subprocess.run([PARLOR, 'check', *arguments], capture_output=True, text=True, timeout=DEADLINE_S, check=False)
        assert done.returncode == 2 and words in done.stderr and done.stdout == '', done


CASES = [(f'parlor conforms to {protocol}', parlor_conforms(protocol)) for protocol in PROTOCOLS] + [
    (case.__name__.replace('_', ' '), case) for case in (a_broken_server_is_told_its_rule, a_silent_server_does_not_conform, wrong_calls_are_refused)]

if __name__ == '__main__':
    wire.run_cases(CASES)
