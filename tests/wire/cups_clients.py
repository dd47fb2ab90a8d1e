#!/usr/bin/env python3
"""Championships at which clients of the games' own protocols take part: Paper Soccer for eight, half of them Python clients of
the Universal Game System; the other four games with Python clients, too; who may not sit down, and who does not come.

usage: cups_clients.py PARLOR CLIENTS
"""
import csv
import os
import subprocess
import sys
import threading
import time

import native
import wire
from native import check

PARLOR, CLIENTS = sys.argv[1:3]
DEADLINE_S = 240  # a hang guard
asking = threading.Lock()  # there is one connection to ask on


class Client(threading.Thread):
    """An entrant that is a program: asks where it is to play, and starts a client for that table, until all is over."""

    def __init__(self, cup, name, token, command):
        super().__init__(daemon=True)
        self.cup, self.name_, self.token, self.command = cup, name, token, command
        self.played, self.wrong = [], None

    def run(self):
        try:
            end = time.monotonic() + DEADLINE_S
            while time.monotonic() < end:
                with asking:
                    cup = server.get(f'/championships/{self.cup}', self.token)
                table = cup['you']['table']
                if cup['state'] in ('finished', 'cancelled'):
                    return
                if table is None or table in self.played:
                    time.sleep(0.05)
                    continue
                self.played.append(table)
                subprocess.run(self.call(table), check=True, timeout=DEADLINE_S, stdout=subprocess.DEVNULL)
            self.wrong = 'it does not end'
        except Exception as problem:  # told by the test
            self.wrong = repr(problem)

    def call(self, table):
        return [sys.executable, os.path.join(CLIENTS, self.command[0])] + [
            word.replace('TABLE', table).replace('NAME', self.name_) for word in self.command[1:]]


def cup_open(name, **fields):
    return server.post('/championships', dict({'name': name, 'game': 'paper-soccer', 'format': 'swiss', 'turn_ms': 3600000}, **fields),
                       status=201)['owner_token']


def play(cup, owner, names, command, bots):
    clients = []
    for i in range(bots):
        server.post(f'/championships/{cup}/entrants', {'name': f'bot-{i + 1}', 'bot': 1}, owner, status=201)
    for name in names:
        entry = server.post(f'/championships/{cup}/entrants', {'name': name, 'client': True}, status=201)
        clients.append(Client(cup, name, entry['token'], command))
    server.post(f'/championships/{cup}/start', None, owner)
    for client in clients:
        client.start()
    for client in clients:
        client.join(DEADLINE_S + 30)
        check(not client.is_alive() and client.wrong is None, f'{client.name_}: {client.wrong}')
    found = server.get(f'/championships/{cup}')
    check(found['state'] == 'finished', f'{found["state"]}')
    check(all(p['how'] in ('played', 'bye') and p['replays'] == 0 for p in found['pairings']), f'{found["pairings"]}')
    for pairing in found['pairings']:
        if pairing['how'] == 'played':
            seats = server.get('/tables/' + pairing['table'])['seats']
            check([seat['name'] for seat in seats] == pairing['players'], f'{seats} {pairing}')
    return found


def paper_soccer_for_eight():
    owner = cup_open('eight', protocol='ugs')
    port = str(server.ugs_port)
    found = play('eight', owner, ['ann', 'bob', 'cid', 'dan'],
                 ['ugs_player.py', '--connect_to', '127.0.0.1:' + port, '--nick', 'NAME', '--game-type', 'paper-soccer#TABLE', '--games', '1'], 4)
    check(len(found['pairings']) == 12 and len(found['standings']) == 8, f'{found}')
    check(sum(row['points'] for row in found['standings']) == 12, f'{found["standings"]}')


def eriantys():
    owner = cup_open('islands', game='eriantys', format='round-robin', protocol='eriantys')
    play('islands', owner, ['ann', 'bob'], ['eriantys_client.py', '--connect', server.addresses['eriantys'], '--name', 'NAME', '--code', 'TABLE'], 1)


def treasure_hunt():
    owner = cup_open('chests', game='treasure-hunt', format='knockout', protocol='treasure')
    play('chests', owner, ['ann'], ['treasure_client.py', f'http://127.0.0.1:{server.port}', '--game', 'TABLE', '--name', 'NAME',
                                    '--interval', '0.4'], 1)


def santorini():
    owner = cup_open('towers', game='santorini', format='round-robin', protocol='santorini')
    host, port = server.addresses['santorini'].split(':')
    play('towers', owner, ['ann', 'bob'], ['santorini_client.py', host, port, 'NAME', '--table', 'TABLE'], 1)


def renaissance():
    owner = cup_open('masters', game='renaissance', format='knockout', protocol='renaissance')
    play('masters', owner, ['anna'], ['renaissance_client.py', server.addresses['renaissance'], '--name', 'NAME', '--table', 'TABLE'], 1)


def seats_are_kept():
    owner = cup_open('kept', protocol='ugs', format='knockout')
    token = server.post('/championships/kept/entrants', {'name': 'ann', 'client': True}, status=201)['token']
    server.post('/championships/kept/entrants', {'name': 'bot', 'bot': 1}, owner, status=201)
    server.post('/championships/kept/start', None, owner)
    end = time.monotonic() + DEADLINE_S
    while (you := server.get('/championships/kept', token)['you'])['table'] is None:
        check(time.monotonic() < end, 'no table')
        time.sleep(0.05)
    # Nobody else is told where it is.
    check(server.get('/championships/kept')['pairings'][0]['table'] is None, 'the code is told')
    check(you['table'] not in [t['code'] for t in server.get('/tables')['tables']], 'the table is in the list')
    # Whoever has the code and another name finds no seat, and waits as if it had not named a table.
    eve = wire.Client(server.ugs_port, 'eve')
    eve.send(wire.player_login('eve', f'paper-soccer#{you["table"]}'))
    eve.expect(r'<message type="loginResponse">.*accept="yes".*')
    check(server.get('/tables/' + you['table'])['seats'][you['seat']]['name'] == '', 'somebody sits there')
    server.refused('POST', f'/tables/{you["table"]}/seats', 'seat-taken', {'name': 'ann'})
    ann = wire.Client(server.ugs_port, 'ann')
    ann.send(wire.player_login('ann', f'paper-soccer#{you["table"]}'))
    ann.expect(r'<message type="loginResponse">.*accept="yes".*')
    ann.expect(r'<message type="gameState">.*')
    check(server.get('/championships/kept')['pairings'][0]['table'] == you['table'], 'everybody has come, and the code is not told')
    ann.close()
    eve.close()


def a_forfeit_keeps_its_cause():
    """Rule, sentence, what was sent and the stamps are those of the table's journal, wherever a result is shown."""
    owner = cup_open('fair', protocol='ugs', format='knockout')
    token = server.post('/championships/fair/entrants', {'name': 'ann', 'client': True}, status=201)['token']
    server.post('/championships/fair/entrants', {'name': 'bot', 'bot': 1}, owner, status=201)
    server.post('/championships/fair/start', None, owner)
    end = time.monotonic() + DEADLINE_S
    while (code := server.get('/championships/fair', token)['you']['table']) is None:
        check(time.monotonic() < end, 'no table')
        time.sleep(0.05)
    ann = wire.Client(server.ugs_port, 'ann')
    ann.send(wire.player_login('ann', f'paper-soccer#{code}'))
    ann.expect(r'<message type="loginResponse">.*accept="yes".*')
    while ann.expect(r'<message type="gameState"><gameId id="(.*?)"/><nextPlayer nick="(.*?)"/>.*').group(2) != 'ann':
        pass
    ann.send(f'<message type="move"><gameId id="{code}"/><move><point x="0" y="77"/></move></message>')
    while (cup := server.get('/championships/fair'))['state'] != 'finished':
        check(time.monotonic() < end, 'it does not end')
        time.sleep(0.05)
    pairing = cup['pairings'][0]
    forfeit = next(event for event in server.get(f'/tables/{code}/journal')['events'] if event['kind'] == 'forfeit')
    check(pairing['how'] == 'forfeited' and pairing['loser'] == 'ann' and 'y="77"' in pairing['sent'], f'{pairing}')
    check(all(pairing[field] == forfeit[field] for field in ('reason', 'rule', 'why', 'sent', 'stamps')), f'{pairing} {forfeit}')
    text = server.request('GET', '/api/v1/championships/fair/pairings.csv')[2].decode()
    lost = next(row for row in csv.DictReader(text.splitlines()) if row['name'] == 'ann')
    check((lost['rule'], lost['sent'], int(lost['asked_ms'])) == (forfeit['rule'], forfeit['sent'], forfeit['stamps']['asked_ms']), f'{lost}')
    shown = subprocess.run([PARLOR, 'championship', '--url', f'http://127.0.0.1:{server.port}', 'show', 'fair'], stdout=subprocess.PIPE,
                           text=True, check=True, timeout=DEADLINE_S).stdout
    check(f'; ({forfeit["rule"]}) {forfeit["why"]}, sent <move>' in shown and ', asked 20' in shown, shown)
    ann.close()


def refusals():
    for fields in ({'protocol': 'eriantys'}, {'protocol': 'no'}, {'protocol': 7}):
        refused = server.refused('POST', '/championships', 'field-invalid', dict({'name': 'x', 'game': 'paper-soccer', 'format': 'swiss'}, **fields), status=400)
        check('protocol' in refused['reason'], f'{refused}')
    cup_open('plain')
    refused = server.refused('POST', '/championships/plain/entrants', 'field-invalid', {'name': 'ann', 'client': True}, status=400)
    check('could not come' in refused['reason'], f'{refused}')
    server.refused('POST', '/championships/plain/entrants', 'field-invalid', {'name': 'ann', 'client': 1}, status=400)


CASES = [
    ('Paper Soccer for eight, half of them Python clients', paper_soccer_for_eight),
    ('Eriantys with Python clients', eriantys),
    ('Treasure Hunt with a Python client', treasure_hunt),
    ('Santorini with Python clients', santorini),
    ('Masters of Renaissance with a Python client', renaissance),
    ('seats are kept for names', seats_are_kept),
    ('a forfeit keeps its cause', a_forfeit_keeps_its_cause),
    ('what is refused', refusals),
]


def main():
    global server
    words = ' '.join(sys.argv[3:])
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', '--eriantys', '127.0.0.1:0', '--santorini', '127.0.0.1:0',
                                '--renaissance', '127.0.0.1:0']) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
