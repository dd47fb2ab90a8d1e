#!/usr/bin/env python3
"""Everything that the server writes into journals is held against docs/journal.md and docs/dice.md by a program that shares no code with it:
clients/python/examples/verify_journal.py. Tables of every game, through every protocol, with seeds and without, given up and timed out, played on
from a position, imported, and a championship: all of them are right. Copies that were altered are not, even when whoever altered them has mended
the chain of hashes. Speaks TAP.

usage: verified.py PARLOR CLIENTS GOLDENS
"""
import hashlib
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import time

import native
import wire
from native import check

PARLOR, CLIENTS, GOLDENS = (os.path.abspath(path) for path in sys.argv[1:4])
VERIFIER = os.path.join(CLIENTS, 'verify_journal.py')
RANDOM = random.Random(12)
server = None
exported = []


def verifier(events):
    text = ''.join(json.dumps(event) + '\n' for event in events)
    done = subprocess.run([sys.executable, VERIFIER], input=text, capture_output=True, text=True, timeout=wire.DEADLINE_S * 2, check=False)
    check(not done.stderr, done.stderr)
    return done.returncode, done.stdout


def data():
    return os.path.join(server.data, 'data')


def journal(*words):
    done = subprocess.run([PARLOR, 'journal', *words, '--data', data()], capture_output=True, text=True, timeout=wire.DEADLINE_S * 2, check=False)
    check(done.returncode == 0, f'{words}: {done.stdout[-2000:]}{done.stderr}')
    return done.stdout


def export(*words):
    return [json.loads(line) for line in journal('export', *(words or ['--all'])).splitlines()]


def ended(code):
    """Waits for the end of a table that goes on by itself."""
    with native.Socket(server) as watcher:
        table = watcher.ask('table', type='watch', table=code)
        while not table['over']:
            version = table['version']
            table = watcher.hear_until('table', lambda message: message['version'] > version or message['over'])


def bots_play():
    """Every game with every number of players and the options that change what chance does."""
    ways = [('paper-soccer', 2, {}), ('santorini', 2, {}), ('santorini', 3, {}), ('renaissance', 1, {}), ('renaissance', 2, {}),
            ('renaissance', 4, {})]
    ways += [('eriantys', seats, {'mode': 'expert'}) for seats in (2, 3, 4)] + [('eriantys', 4, {})]
    ways += [('treasure-hunt', 2, {'players': players, 'forts': forts}) for players, forts in
             (('seed', 'one'), ('course', 'any'), ('mixed', 'one'), ('any', 'one'))]
    tables = [server.open(game, seats=seats, options=options, bots=[{'seat': seat, 'level': 1} for seat in range(seats)])
              for game, seats, options in ways]
    for table in tables:
        ended(table['code'])


def people_bring_seeds():
    """The commitment is told before anybody sits down; what chance decides at the beginning waits for the last of them."""
    for game, options in (('eriantys', {'mode': 'expert'}), ('renaissance', {}), ('treasure-hunt', {}), ('paper-soccer', {})):
        table = server.open(game, seats=2, options=options)
        check(table['version'] == 1 and table['dice']['seeds'] == [None, None] and table['dice']['mixed_after'] is None, f'{table}')
        path = f"/tables/{table['code']}"
        for seed in ('', 'x' * 65, 'a\nb', 7, {}):
            server.refused('POST', path + '/seats', 'field-invalid', {'name': 'ann', 'seed': seed}, status=400)
        ann = server.sit(table['code'], 'ann', seed='Grüße 1')
        waiting = server.get(path)
        check(waiting['version'] == 2 and waiting['dice']['seeds'] == ['Grüße 1', None] and waiting['dice']['mixed_after'] == 2, f'{waiting}')
        bob = server.sit(table['code'], 'bob', seed='x' * 64)
        begun = server.get(path)
        check(begun['dice']['commitment'] == table['dice']['commitment'], 'the commitment has changed')
        check(begun['dice']['seeds'] == ['Grüße 1', 'x' * 64] and begun['dice']['mixed_after'] == 2, f'{begun["dice"]}')
        tokens = [ann['token'], bob['token']]
        for _ in range(12):
            mover = server.get(path)['turn'][:1]
            legal = server.get(path, tokens[mover[0]]) if mover else {'legal': [], 'legal_samples': []}
            actions = legal['legal'] or legal['legal_samples']
            if actions:
                server.post(path + '/actions', {'actions': [RANDOM.choice(actions)]}, tokens[mover[0]])
        for token in tokens:
            server.ask_api('POST', path + '/resign', {}, token)
        check(server.get(path)['over'], 'a table that everybody has given up goes on')
        shown = journal('show', table['code'])
        check('ann sits at seat 0, adds "Grüße 1" to the dice' in shown, shown[:2000])
        again = server.post(path + '/rematch', {'seed': 'once more'}, ann['token'], status=201)
        check('once more' in server.get(f"/tables/{again['code']}")['dice']['seeds'], 'the seed of a rematch is lost')
    check('with seeds of players): 0 problems' in journal('verify'), 'no seeds are counted')


class Lines:
    """A client of a protocol of lines of JSON that says what it is told to say."""

    def __init__(self, protocol):
        host, port = server.addresses[protocol].rsplit(':', 1)
        self.socket = socket.create_connection((host, int(port)), timeout=wire.DEADLINE_S)
        self.lines = self.socket.makefile(encoding='utf-8')

    def say(self, kind, **fields):
        self.socket.sendall(json.dumps(dict(fields, type=kind)).encode() + b'\n')

    def hear(self, kind):
        end = time.monotonic() + wire.DEADLINE_S
        for line in self.lines:
            check(time.monotonic() < end, f'{kind} does not come')
            message = json.loads(line)
            if message['type'] == 'ping':
                self.say('pong')
            if message['type'] == kind:
                return message
        raise wire.Failure(f'{kind} has not come')


def resigned_by_the_api(code, seed):
    seat = server.sit(code, 'native', seed=seed)
    server.post(f'/tables/{code}/resign', {}, seat['token'])


def lines_bring_seeds():
    """login of Eriantys, addPlayer of Santorini and loginRequest of Masters of Renaissance; a player of the API gives the table up."""
    client = Lines('eriantys')
    client.say('gameCreation', playersNumber=2, expert=True)
    code = client.hear('gameCreation')['code']
    client.say('enterGame', code=code)
    client.hear('enterGame')
    client.say('login', name='ann', seed='a\tb')
    check('64 bytes' in client.hear('error')['message'], 'no word about the seed')
    client.say('login', name='ann', seed='of Eriantys')
    client.hear('login')
    resigned_by_the_api(code, 'native 1')
    check(server.get(f'/tables/{code}')['dice']['seeds'] == ['of Eriantys', 'native 1'], code)
    client = Lines('santorini')
    client.hear('askNumberOfPlayers')
    client.say('setNumberOfPlayers', numberOfPlayers=2)
    client.say('addPlayer', name='ann', date='2000.01.01', seed='of Santorini')
    client.hear('playerAdded')
    code = server.get('/tables?game=santorini&state=open')['tables'][0]['code']
    resigned_by_the_api(code, 'native 2')
    check(server.get(f'/tables/{code}')['dice']['seeds'] == ['of Santorini', 'native 2'], code)
    client = Lines('renaissance')
    client.say('loginRequest', username='alice', seed='of Renaissance')
    client.hear('numberOfPlayersSelectionRequest')
    client.say('numberOfPlayersSelectionReply', number=1)
    client.hear('leaderCardsRequest')
    code = server.get('/tables?game=renaissance&state=running')['tables'][0]['code']
    check(server.get(f'/tables/{code}')['dice']['seeds'] == ['of Renaissance'], code)
    check('with seeds of players): 0 problems' in journal('verify', code), code)


def clients_play():
    """The example clients of the other protocols, among themselves and with the bot of Treasure Hunt."""
    host, port = server.addresses['santorini'].rsplit(':', 1)
    ugs, eriantys, renaissance = (server.addresses[name] for name in ('ugs', 'eriantys', 'renaissance'))
    game = server.post('/tables', {'game': 'treasure-hunt', 'protocol': 'treasure'}, status=201)['code']
    championship = server.post('/championships', {'type': 'paper-soccer', 'players': 2}, status=201)['name']
    table = server.open('eriantys', protocol='eriantys', options={'mode': 'expert'})['code']
    commands = [['santorini', host, port, name, '2000.01.01', '2'] for name in ('cid', 'dan')]
    commands += [['eriantys', '--connect', eriantys, '--name', name, '--code', table] for name in ('cid', 'dan')]
    commands += [['renaissance', renaissance, '--name', 'cidro', '--players', '1']]
    commands += [['treasure', f'http://127.0.0.1:{server.port}', '--game', game, '--name', name,
                  '--interval', '0.01'] for name in ('cid', 'dan')]
    players = [['--nick', name, '--games', '1'] for name in ('cid', 'dan')]
    players += [['--nick', name, '--games', '1', '--game-type', championship] for name in ('eve', 'fay')]
    running = [subprocess.Popen([sys.executable, os.path.join(CLIENTS, words[0] + '_client.py'), *words[1:]], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT) for words in commands]
    running += [subprocess.Popen([sys.executable, os.path.join(CLIENTS, 'ugs_player.py'), '--connect_to', ugs, *words], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT) for words in players]
    for process in running:
        try:
            text = process.communicate(timeout=240)[0].decode()
        except subprocess.TimeoutExpired:
            process.kill()
            raise wire.Failure(f'{process.args} does not end') from None
        check(process.returncode == 0, f'{process.args}: {text[-800:]}')


def a_breach_of_the_rules_loses():
    """Two players of the Universal Game System, of whom the first to move sends a point that it cannot reach."""
    host, port = server.addresses['ugs'].rsplit(':', 1)
    players = {}
    for nick in ('gus', 'hal'):
        players[nick] = socket.create_connection((host, int(port)), timeout=wire.DEADLINE_S)
        players[nick].sendall(f'<message type="playerLogin"><playerLogin nick="{nick}" gameType="paper-soccer"/></message>'.encode())
    text = b''
    while b'</message>' not in text or b'nextPlayer' not in text:
        piece = players['gus'].recv(4096)
        check(piece, f'the server is gone: {text}')
        text += piece
    game, mover = re.search(rb'gameId id="(.*?)"', text).group(1).decode(), re.search(rb'nextPlayer nick="(.*?)"', text).group(1).decode()
    players[mover].sendall(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="9"/></move></message>'.encode())
    while b'gameOver' not in text:
        piece = players['gus'].recv(4096)
        check(piece, f'the server is gone: {text}')
        text += piece
    for player in players.values():
        player.close()


def time_runs_out():
    table = server.open('paper-soccer', turn_ms=1000, seat={'name': 'ann', 'seed': 'late'})
    server.sit(table['code'], 'bob')
    ended(table['code'])
    check(server.get(f"/tables/{table['code']}")['result']['why'] == 'time', 'the clock does not run')


def others_go_on():
    """From a position of a finished table, with outcomes that were given; and by a seat that leaves a table that waits."""
    before = next(t for t in server.get('/tables?state=finished&game=eriantys&limit=100')['tables'] if len(t['seats']) == 3)
    table = server.open('eriantys', seats=3, **{'from': {'code': before['code'], 'version': 20}},
                        bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}], seat={'name': 'ann', 'seed': 'from here'})
    check('(given)' in journal('show', table['code']), 'nothing was given')
    server.post(f"/tables/{table['code']}/resign", {}, table['token'])
    alone = server.open('santorini', seat={'name': 'ann'})
    server.ask_api('POST', f"/tables/{alone['code']}/leave", {}, alone['token'])


def imports_are_right():
    """With the data directory to itself."""
    server.stop()
    for name in sorted(os.listdir(GOLDENS)):
        if name.endswith('.txt') and (name.startswith(('eriantys-3', 'treasure', 'renaissance-solo', 'santorini-chaos', 'paper-soccer-goal'))):
            journal('import', os.path.join(GOLDENS, name))


def both_verify_all():
    """The program and the stranger's program agree that everything is right, and on how much it is."""
    exported.extend(export())
    own = journal('verify').splitlines()[-1].split(': 0 problems')[0]
    status, text = verifier(exported)
    check(status == 0, text[:3000])
    check(text.splitlines()[0] == own + ': 0 problems', f'{text} is not {own}')
    check('not checked: whether moves are legal' in text and 'who has won by the rules of' in text, text)
    words = {event['word'] for event in exported}
    wanted = {'setup', 'seat', 'action', 'chance', 'timeout', 'forfeit', 'result', 'championship', 'entrant', 'pair', 'close'}
    check(wanted <= words, f'{wanted - words} never happened')
    journals = {event['table'] for event in exported}
    print(f'# {len(journals)} journals, {len(exported)} events')


# Altered copies.

def digest(*pieces):
    return hashlib.blake2b(b''.join(struct.pack('<Q', len(p)) + p for p in pieces), digest_size=32).digest()


def mended(events):
    """The same events, with the numbers and hashes that they would have."""
    before, out = bytes(32), []
    for seq, event in enumerate(events, 1):
        numbers = [struct.pack('<Q', n) for n in (event['id'], seq, event['time_ms'], event['kind'])]
        before = digest(before, *numbers, bytes.fromhex(event['body']))
        out.append(dict(event, seq=seq, hash=before.hex(), last_seq=len(events)))
    return out


def journals_of(protocol_or_game, word='chance'):
    """The journals that have such an event and a result, by what their set-up says."""
    codes = {}
    for event in exported:
        codes.setdefault(event['table'], []).append(event)
    return [events for events in codes.values() if events[-1]['word'] == 'result' and any(e['word'] == word for e in events) and
            protocol_or_game in events[0]['text']]


def noticed(events, what, complaint=''):
    status, text = verifier(events)
    check(status == 1 and complaint in text, f'{what} is not noticed: {text}')


def with_body(events, place, body):
    return mended(events[:place] + [dict(events[place], body=body.hex())] + events[place + 1:])


def drawn_places(events):
    return [i for i, e in enumerate(events) if e['word'] == 'chance' and e['body'].startswith('ff')]


def other_outcomes(body, rng):
    """An outcome of the same kind with two arguments exchanged, or one that is another."""
    out = bytearray(body)
    if len(out) == 4:
        return bytes([*out[:2], 2, out[3], 1])
    for _ in range(100):
        i, k = rng.randrange(4, len(out)), rng.randrange(4, len(out))
        if out[i] != out[k] and out[max(i, k)] and (max(i, k) < len(out) - 1 or out[min(i, k)]):
            out[i], out[k] = out[k], out[i]
            return bytes(out)
    out[-1] = out[-1] % 200 + 1
    return bytes(out)


def outcomes_that_were_chosen_are_noticed():
    for game in ('eriantys', 'renaissance', 'treasure-hunt'):
        for events in journals_of(game):
            places = drawn_places(events)
            for place in RANDOM.sample(places, min(3, len(places))):
                body = bytes.fromhex(events[place]['body'])
                noticed(with_body(events, place, other_outcomes(body, RANDOM)), f'an outcome of {game}, event {place + 1}')
            if places:
                given = b'\xfe' + bytes.fromhex(events[places[-1]]['body'])[1:]
                noticed(with_body(events, places[-1], given), 'a drawn outcome called given', 'must be drawn')


def seeds_that_were_changed_are_noticed():
    found = 0
    for events in journals_of('eriantys') + journals_of('renaissance') + journals_of('treasure-hunt'):
        for place, event in enumerate(events):
            body = bytes.fromhex(event['body'])
            # A single draw may be the same with another seed, many are not.
            if event['word'] == 'seat' and body[1] & 16 and sum(p > place for p in drawn_places(events)) >= 8:
                found += 1
                noticed(with_body(events, place, body[:-1] + bytes([body[-1] ^ 1])), 'another seed', 'the dice gave')
                unseeded = [dict(e) for e in events]
                size = len(event['text'].rsplit(', adds "', 1)[1][:-len('" to the dice')].encode())
                unseeded[place]['body'] = (bytes([body[0], body[1] & ~16]) + body[2:-size - 1]).hex()
                noticed(mended(unseeded), 'a seed that was left out', 'the dice gave')
    check(found >= 4, f'only {found} seeds')


def results_and_secrets_that_were_changed_are_noticed():
    for events in journals_of('treasure-hunt') + journals_of('paper-soccer', 'forfeit') + journals_of('', 'timeout'):
        body = bytearray.fromhex(events[-1]['body'])
        body[2], body[3] = body[3], body[2]
        noticed(with_body(events, len(events) - 1, bytes(body)), 'the points of the other')
    for events in journals_of('', 'result'):
        if 'undecided' not in events[-1]['text']:
            body = bytearray.fromhex(events[-1]['body'])
            body[-1] ^= 1
            noticed(with_body(events, len(events) - 1, bytes(body)), 'another secret', 'commits to')


def drawn_seats_that_were_changed_are_noticed():
    events = journals_of('opened by ugs', 'seat')[0]
    first, second = [i for i, e in enumerate(events) if e['word'] == 'seat'][:2]
    swapped = [dict(e) for e in events]
    for place, other in ((first, second), (second, first)):
        swapped[place]['body'] = events[other]['body'][:2] + events[place]['body'][2:]
    noticed(mended(swapped), 'seats that were chosen', 'another seat')


def cuts_and_changes_of_order_are_noticed():
    for events in [journals_of('', 'result')[0], next([e for e in exported if e['table'] == event['table']] for event in exported
                                                      if event['word'] == 'championship')]:
        noticed(events[:-1], 'a journal without its end', 'is cut')
        noticed(events[1:], 'a journal without its beginning')
        noticed(events[:2] + events[3:], 'a missing event', 'out of its place')
        noticed(events[:2] + [events[3], events[2]] + events[4:], 'another order', 'out of its place')
        noticed(mended(events[:2] + events[3:]) + [dict(events[-1], seq=len(events))], 'an event after the end')
        for key, value in (('time_ms', 1), ('body', '00'), ('hash', '00' * 32), ('kind', 6)):
            noticed([dict(e, **{key: value}) if i == 1 else e for i, e in enumerate(events)], key)


CASES = [
    ('bots play every game', bots_play), ('people bring seeds', people_bring_seeds), ('lines of JSON bring seeds', lines_bring_seeds),
    ('clients of every protocol play', clients_play), ('a breach of the rules loses', a_breach_of_the_rules_loses), ('time runs out', time_runs_out), ('others go on', others_go_on),
    ('imports are right', imports_are_right), ('the program and a stranger verify all of it', both_verify_all),
    ('outcomes that were chosen are noticed', outcomes_that_were_chosen_are_noticed),
    ('seeds that were changed are noticed', seeds_that_were_changed_are_noticed),
    ('results and secrets that were changed are noticed', results_and_secrets_that_were_changed_are_noticed),
    ('drawn seats that were changed are noticed', drawn_seats_that_were_changed_are_noticed),
    ('cuts and changes of order are noticed', cuts_and_changes_of_order_are_noticed),
]


def main():
    global server
    listeners = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
    with native.Server(PARLOR, [*listeners, '--idle-timeout', '600']) as server:
        wire.run_cases(CASES)


main()
