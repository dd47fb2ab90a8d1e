#!/usr/bin/env python3
"""Whose seat it is: players who are known by a name come back from the same address or by their secret, over a restart too;
what strangers can learn of private and inspected tables; and who may read the files.

Addresses are those of the loopback network: 127.0.0.1 is where the players are, 127.0.0.2 a stranger.

usage: seats.py PARLOR [WORDS OF A CASE]
"""
import json
import os
import re
import socket
import stat
import sys
import time

import hunt
import native
import wire
from native import Socket, check, request_from

PARLOR = sys.argv[1]
LISTENERS = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
PATIENT = ['--santorini-grace', '600', '--santorini-silence', '600', '--eriantys-silence', '600', '--renaissance-silence', '600']
HOME, AWAY = '127.0.0.1', '127.0.0.2'
BIRTH = '1990.05.05'


def serve(*options, data=None):
    return native.Server(PARLOR, [*LISTENERS, *PATIENT, *options], data)


class Line:
    """A client of lines of JSON, from an address."""

    def __init__(self, server, protocol, origin=HOME):
        port = wire.ask.port(server.addresses[protocol])
        self.socket = socket.create_connection(('127.0.0.1', port), timeout=wire.DEADLINE_S, source_address=(origin, 0))
        self.lines = self.socket.makefile(encoding='utf-8')

    def say(self, kind, **fields):
        self.socket.sendall(json.dumps({'type': kind, **fields}).encode() + b'\n')

    def hear(self, *kinds):
        """The next message of one of these kinds."""
        until = time.monotonic() + wire.DEADLINE_S  # pings come for ever
        for line in self.lines:
            check(time.monotonic() < until, f'no {kinds} comes')
            message = json.loads(line)
            if message['type'] == 'ping':
                self.say('pong')
            elif message['type'] in kinds:
                return message
        raise wire.Failure(f'no {kinds} comes any more')

    def close(self):
        self.lines.close()
        self.socket.close()


class Santorini:
    protocol = 'santorini'

    @staticmethod
    def begin(server, secret=None):
        """(code, the two players) of a table that has begun; the first one has this secret."""
        ann = Line(server, 'santorini')
        ann.hear('askNumberOfPlayers')
        ann.say('setNumberOfPlayers', numberOfPlayers=2)
        bob = Line(server, 'santorini')
        for one, name, more in ((ann, 'ann', {'secret': secret} if secret else {}), (bob, 'bob', {})):
            one.hear('askNickAndDate')
            one.say('addPlayer', name=name, date=BIRTH, **more)
            one.hear('playerAdded')
        for one in ann, bob:
            one.hear('stateUpdate')  # all have come
        return server.get('/tables')['tables'][0]['code'], ann, bob

    @staticmethod
    def claim(server, code, origin, **fields):
        """Whether somebody from there is the player again."""
        one = Line(server, 'santorini', origin)
        one.hear('askNumberOfPlayers', 'askNickAndDate')
        one.say('addPlayer', name='ann', date=BIRTH, **fields)
        one.say('none such')
        message = one.hear('playerAdded', 'error')
        one.close()
        return message['type'] == 'playerAdded' and message['result']


class Eriantys:
    protocol = 'eriantys'

    @staticmethod
    def enter(server, code, origin=HOME):
        one = Line(server, 'eriantys', origin)
        one.say('enterGame', code=code)
        check(one.hear('enterGame')['found'], 'it is not found')
        return one

    @classmethod
    def begin(cls, server, secret=None):
        opener = Line(server, 'eriantys')
        opener.say('gameCreation', playersNumber=2, expert=False)
        code = opener.hear('gameCreation')['code']
        ann, bob = cls.enter(server, code), cls.enter(server, code)
        for one, name, more in ((ann, 'ann', {'secret': secret} if secret else {}), (bob, 'bob', {})):
            one.say('login', name=name, **more)
            check(one.hear('login')['success'], f'{name} cannot sit down')
        bob.hear('gameStart')
        opener.close()
        return code, ann, bob

    @classmethod
    def claim(cls, server, code, origin, **fields):
        one = cls.enter(server, code, origin)
        one.say('login', name='ann', **fields)
        is_player = one.hear('login')['success']
        one.close()
        return is_player


class Renaissance:
    protocol = 'renaissance'

    @staticmethod
    def login(server, name, origin=HOME, **fields):
        one = Line(server, 'renaissance', origin)
        one.say('loginRequest', username=name, **fields)
        return one

    @classmethod
    def begin(cls, server, secret=None):
        anna = cls.login(server, 'anna', **({'secret': secret} if secret else {}))
        anna.hear('numberOfPlayersSelectionRequest')
        anna.say('numberOfPlayersSelectionReply', number=2)
        bert = cls.login(server, 'bert')
        bert.hear('leaderCardsRequest')
        return server.get('/tables')['tables'][0]['code'], anna, bert

    @classmethod
    def claim(cls, server, code, origin, **fields):
        one = cls.login(server, 'anna', origin, **fields)
        one.say('none such')
        message = one.hear('usernameResponse', 'players')
        one.close()
        return message['type'] == 'players'


def is_online(server, code, seat=0):
    return server.get(f'/tables/{code}')['seats'][seat]['online']


def wait_offline(server, code):
    """Reads until the news of the disconnection has come."""
    with Socket(server) as watcher:
        table = watcher.ask('table', type='watch', table=code)
        while table['seats'][0]['online']:
            table = watcher.hear_until('table')


def absent_players(protocol):
    def case():
        with serve() as server:
            code, player, other = protocol.begin(server)
            player.close()
            wait_offline(server, code)
            listed = server.get('/tables')['tables'][0]['seats'][0]
            check(listed['name'] == '' and listed['kind'] == 'person', f'a name that can be claimed is listed: {listed}')
            for fields in {}, {'secret': 'guess'}:
                check(not protocol.claim(server, code, AWAY, **fields), 'a stranger has the seat')
                check(not is_online(server, code), 'a stranger is online there')
            server = server.again()  # nobody is there any more, and what is known is in the journal
            check(not protocol.claim(server, code, AWAY), 'a stranger has the seat after a restart')
            check(protocol.claim(server, code, HOME), 'the player cannot come back after a restart')
            wait_offline(server, code)
            check(protocol.claim(server, code, HOME), 'the player cannot come back')
            other.close()
            server.close()
    return case


def secrets(protocol):
    def case():
        with serve() as server:
            code, player, other = protocol.begin(server, secret='open sesame')
            player.close()
            wait_offline(server, code)
            check(not protocol.claim(server, code, AWAY, secret='open barley'), 'a wrong secret is enough')
            check(protocol.claim(server, code, AWAY, secret='open sesame'), 'the secret is not enough')
            wait_offline(server, code)
            server = server.again()
            check(not protocol.claim(server, code, AWAY), 'no secret is enough after a restart')
            check(protocol.claim(server, code, AWAY, secret='open sesame'), 'the secret is not enough after a restart')
            other.close()
            server.close()
    return case


def from_anywhere(protocol):
    def case():
        with serve('--return-from', 'anywhere', '--store', 'memory') as server:
            code, player, other = protocol.begin(server)
            player.close()
            wait_offline(server, code)
            check(protocol.claim(server, code, AWAY), 'the name is not enough')
            other.close()
    return case


def entrants_come_back_from_home():
    """An entrant of a championship logs in again after a restart from where it was; the nick alone is not enough."""
    def login(nick, origin):
        client = socket.create_connection(('127.0.0.1', server.ugs_port), timeout=wire.DEADLINE_S, source_address=(origin, 0))
        client.sendall(wire.player_login(nick, name).encode())
        text = b''
        while b'loginResponse' not in text or not text.endswith(b'</message>'):
            piece = client.recv(4096)
            check(piece, f'the stream ends after {text}')
            text += piece
        return client, b'accept="yes"' in text
    with serve('--championship-return', '600', '--move-timeout', '600') as server:
        name = server.post('/championships', {'type': 'paper-soccer', 'players': 2}, status=201)['name']
        clients = [login(nick, HOME) for nick in ('ann', 'bob')]
        check(all(is_in for _, is_in in clients), 'they cannot enter')
        while server.get('/championships')['championships'][0]['state'] != 'running':
            pass
        server = server.again()
        check(not login('ann', AWAY)[1], 'a stranger is an entrant')
        check(login('ann', HOME)[1] and login('bob', HOME)[1], 'the entrants cannot come back')
        server.close()


def inspected_tables_are_for_who_names_them():
    """The lobby seats nobody at a table that records; who names the code sits there."""
    with serve('--store', 'memory') as server:
        santorini = server.open('santorini', protocol='santorini', inspect=True)['code']
        private = server.open('santorini', protocol='santorini', private=True)['code']
        one = Line(server, 'santorini')
        one.hear('askNumberOfPlayers')  # although a table has room
        one.say('addPlayer', name='ann', date=BIRTH, table='ZZZZZ')
        one.hear('error')
        one.say('addPlayer', name='ann', date=BIRTH, table=santorini.lower())
        one.hear('playerAdded')
        check([seat['name'] for seat in server.get(f'/tables/{santorini}')['seats']] == ['ann', ''], 'ann does not sit there')
        check([seat['name'] for seat in server.get(f'/tables/{private}')['seats']] == ['', ''], 'somebody sits at a private table')
        renaissance = server.open('renaissance', protocol='renaissance', inspect=True, seats=2)['code']
        two = Renaissance.login(server, 'anna')
        two.hear('numberOfPlayersSelectionRequest')
        three = Renaissance.login(server, 'bert', table=renaissance)
        check(three.hear('usernameResponse')['isFree'], 'bert cannot come')
        with Socket(server) as watcher:
            table = watcher.ask('table', type='watch', table=renaissance)
            while [seat['name'] for seat in table['seats']] != ['bert', '']:
                table = watcher.hear_until('table')
        for client in one, two, three:
            client.close()
        server.stop()


def inspectors_do_not_look_into_hands():
    """The owner of a table of Treasure Hunt sees its own client, and of a stranger's only that something was said; in the end all."""
    registration = '<playerRegistration><playerUsername>{}</playerUsername></playerRegistration>'
    with serve('--store', 'memory') as server:
        opened = server.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, inspect=True)
        code, owner = opened['code'], opened['owner_token']
        ids = {}
        for name, origin in ('carl', HOME), ('dora', AWAY):
            text = request_from(server, origin, 'POST', f'/games/{code}/players', registration.format(name))[1]
            ids[name] = re.search(hunt.UUID, text).group()
            request_from(server, origin, 'GET', f'/games/{code}/states/{ids[name]}')
            request_from(server, origin, 'POST', f'/games/{code}/moves', '<wrong/>')

        def look():
            return server.get(f'/tables/{code}/wire', owner)['items']
        items = look()
        mine, theirs = [item for item in items if not item['hidden']], [item for item in items if item['hidden']]
        check(len(mine) == 6 and len(theirs) == 6, f'{items}')
        check(any('carl' in item['text'] for item in mine) and any(item['refused'] for item in mine), f'{mine}')
        check(all(item['text'] == item['error'] == item['reason'] == '' and not item['refused'] for item in theirs), f'{theirs}')
        check(len(server.get(f'/tables/{code}/wire?refused=true', owner)['items']) == 1, 'a refusal of a stranger shows')
        with Socket(server) as one:
            check(one.ask('wire', type='inspect', table=code, token=owner)['items'] == items, 'the socket shows something else')
        api = server.get(f'/tables/{code}')
        check(api['state'] == 'running', f'{api["state"]}')
        loser = [name for name in ids if 'MustAct' in request_from(server, HOME, 'GET', f'/games/{code}/states/{ids[name]}')[1]]
        check(loser, 'nobody is to act')
        for name in ids:  # a breach of the rules ends it
            request_from(server, HOME, 'POST', f'/games/{code}/halfmaps',
                         f'<playerHalfMap><uniquePlayerID>{ids[name]}</uniquePlayerID></playerHalfMap>')
        for item in look():
            check(not any(secret in item['text'] for secret in ids.values()), f'a credential is shown: {item}')
        server.stop()


def private_codes_are_rationed():
    with serve('--store', 'memory') as server:
        opened = server.open('paper-soccer', private=True)
        code, owner = opened['code'], opened['owner_token']
        check(len(code) == 10, f'{code} can be guessed')
        public = server.open('paper-soccer')['code']
        eriantys = server.open('eriantys', protocol='eriantys', private=True)['code']
        check(len(eriantys) >= 9, f'{eriantys} can be guessed')
        tries, status = 0, 404
        while status == 404:
            status, _ = request_from(server, AWAY, 'GET', f'/api/v1/tables/Z{tries:04}')
            tries += 1
        check(status == 429 and 100 <= tries < 120, f'{status} after {tries}')
        check(request_from(server, AWAY, 'GET', f'/api/v1/tables/{code}')[0] == 429, 'a private table shows')
        check(request_from(server, AWAY, 'GET', f'/api/v1/tables/{code}', headers={'Authorization': f'Bearer {owner}'})[0] == 200, 'its owner cannot look')
        check(request_from(server, AWAY, 'POST', f'/api/v1/tables/{code}/seats', '{"name":"eve"}', {'Content-Type': 'application/json'})[0] == 429, 'a seat')
        check(request_from(server, AWAY, 'GET', f'/api/v1/tables/{public}')[0] == 200, 'a public table does not show')
        check(request_from(server, HOME, 'GET', f'/api/v1/tables/{code}')[0] == 200, 'others cannot look')
        one = Line(server, 'eriantys', AWAY)
        one.say('enterGame', code=eriantys)
        check(not one.hear('enterGame')['found'], 'a private table is found')
        one.close()
        Eriantys.enter(server, eriantys).close()
        server.stop()


def forwarded_addresses_count():
    """Behind a trusted proxy the last address that it names is the client's; nobody else is believed."""
    with serve('--store', 'memory', '--trusted-proxy', HOME, '--address-tables-max', '1') as server:
        def open_from(origin, forwarded):
            head = {'Content-Type': 'application/json', **({'X-Forwarded-For': forwarded} if forwarded else {})}
            return request_from(server, origin, 'POST', '/api/v1/tables', '{"game":"paper-soccer"}', head)[0]
        check(open_from(HOME, '10.0.0.1') == 201 and open_from(HOME, '10.0.0.1') == 429, 'one client, two tables')
        check(open_from(HOME, '10.0.0.1, 10.0.0.2') == 201 and open_from(HOME, '10.0.0.9, 10.0.0.2') == 429, 'the last one counts')
        check(open_from(AWAY, '10.0.0.3') == 201 and open_from(AWAY, '10.0.0.4') == 429, 'anybody is believed')
        server.stop()


def names_are_one_line():
    """No protocol takes a name that ends a line, has a control character or turns the direction of text."""
    with serve('--store', 'memory') as server:
        code = server.open('paper-soccer')['code']
        game = server.create()
        for bad in '\x85', '\u202e', '\u2066', '\u2028', '\u200f', '\x1b', '\n':
            name = f'an{bad}na'
            server.refused('POST', f'/tables/{code}/seats', 'field-invalid', {'name': name}, status=400)
            one = Renaissance.login(server, name)
            check(not one.hear('usernameResponse')['isFree'], f'Renaissance: {name!r}')
            two = Line(server, 'eriantys')
            two.say('gameCreation', playersNumber=2, expert=False)
            two.say('enterGame', code=two.hear('gameCreation')['code'])
            two.say('login', name=name)
            check(not two.hear('login')['success'], f'Eriantys: {name!r}')
            three = Line(server, 'santorini')
            three.hear('askNumberOfPlayers')
            three.say('setNumberOfPlayers', numberOfPlayers=2)
            three.hear('stateUpdate')
            three.say('addPlayer', name=name, date=BIRTH)
            three.hear('error')
            for client in one, two, three:
                client.close()
            if bad != '\x1b':  # which is no character of XML
                text = request_from(server, HOME, 'POST', f'/games/{game}/players', '<playerRegistration><playerUsername>'
                                    f'an&#{ord(bad)};na</playerUsername></playerRegistration>')[1]
                check('Error' in text and not re.search(hunt.UUID, text), f'Treasure Hunt: {name!r}: {text}')
                nick = wire.Client(server.ugs_port, 'x')
                nick.send(wire.player_login(f'an&#{ord(bad)};na'))
                nick.expect(r'<message type="loginResponse">.*error.*')
                nick.close()
        server.stop()


def files_are_for_their_owner():
    old = os.umask(0o022)
    try:
        with serve() as server:
            server.open('paper-soccer')
            folder = os.path.join(server.data, 'data')
            for name in os.listdir(folder):
                mode = stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
                check(mode & 0o077 == 0, f'{name} has mode {mode:o}')
            os.chmod(os.path.join(folder, 'parlor.db'), 0o644)
            server = server.again()
            check(stat.S_IMODE(os.stat(os.path.join(folder, 'parlor.db')).st_mode) == 0o600, 'an old file stays open')
            server.close()
    finally:
        os.umask(old)


def strangers_who_leave_end_nothing():
    """A table that waits goes on waiting when somebody has sat down there and left again."""
    with serve('--store', 'memory') as server:
        for path in 'leave', 'resign':
            code = server.open('paper-soccer')['code']
            token = server.sit(code, 'eve')['token']
            check(server.post(f'/tables/{code}/{path}', token=token)['freed'], 'the seat is not free')
            check(server.get(f'/tables/{code}')['state'] == 'open', 'the table is over')
            check(server.sit(code, 'ann')['seat'] == 0, 'nobody can come any more')
        server.stop()


PROTOCOLS = Santorini, Eriantys, Renaissance
wire.run_cases([case for case in (
    *((f'absent players of {protocol.protocol}', absent_players(protocol)) for protocol in PROTOCOLS),
    *((f'players with a secret of {protocol.protocol}', secrets(protocol)) for protocol in PROTOCOLS),
    *((f'from anywhere, {protocol.protocol}', from_anywhere(protocol)) for protocol in PROTOCOLS),
    ('entrants come back from home', entrants_come_back_from_home),
    ('inspected tables are for who names them', inspected_tables_are_for_who_names_them),
    ('the inspector does not look into hands', inspectors_do_not_look_into_hands),
    ('codes of private tables are rationed', private_codes_are_rationed),
    ('forwarded addresses count', forwarded_addresses_count),
    ('names are one line', names_are_one_line),
    ('files are for their owner', files_are_for_their_owner),
    ('strangers who leave end nothing', strangers_who_leave_end_nothing),
) if ' '.join(sys.argv[2:]) in case[0]])
