#!/usr/bin/env python3
"""Limits per address: connections, and tables that somebody has opened. Who has too many is told so in the words of every
protocol, and has room again when something is over.

usage: limits.py PARLOR [WORDS OF A CASE]
"""
import json
import re
import socket
import sys
import types

import builders
import eriantys_wire
import hunt
import native
import renaissance_wire
import wire
from native import Socket, check, request_from

PARLOR = sys.argv[1]
PROTOCOLS = [name for name in wire.ask.listeners(PARLOR) if name != 'http']
LISTENERS = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
LONG = ['--idle-timeout', '600']  # whoever holds a connection may be slow
HOME, STRANGER = '127.0.0.1', '127.0.0.2'
ADDRESS_SENTENCE = 'your address has as many of these as the server takes'


def serve(*options):
    return native.Server(PARLOR, [*LISTENERS, *LONG, '--store', 'memory', '--log-level', 'info', '--admin', '127.0.0.1:0', *options])


def port_of(server, protocol):
    return types.SimpleNamespace(port=wire.ask.port(server.addresses[protocol]))


def connect(port):
    return socket.create_connection(('127.0.0.1', port), timeout=wire.DEADLINE_S)


def read_to_end(client):
    data = b''
    while piece := client.recv(65536):
        data += piece
    client.close()
    return data


def connections_are_limited():
    """The server's own connection of the test and two more fill the address."""
    with serve('--address-connections-max', '3') as server:
        sockets = [Socket(server) for _ in range(2)]
        for protocol in PROTOCOLS:
            words = read_to_end(connect(port_of(server, protocol).port)).decode()
            if protocol == 'renaissance-java':  # has no word for it: the client ends with the connection
                check(words == '', words)
                continue
            check(ADDRESS_SENTENCE in words, f'{protocol}: {words!r}')
            if protocol == 'ugs':
                check(re.search(r'<message type="error">.*</message>', words), words)
            else:
                check(all(isinstance(json.loads(line), dict) for line in words.splitlines()) and words.endswith('\n'), words)
        head, body = read_to_end(connect(server.port)).split(b'\r\n\r\n')
        check(head.startswith(b'HTTP/1.1 429 ') and b'Content-Type: application/problem+json' in head, f'{head}')
        problem = json.loads(body)
        server.description.check_part('Problem', problem)
        check(problem['error'] == 'address-full' and problem['status'] == 429, f'{problem}')
        check(server.get('/games')['games'], 'those who are there are not served')
        sockets[0].close()
        while b'429' in (head := one_request(server.port)):  # until the server has noticed that there is room
            pass
        check(head.startswith(b'HTTP/1.1 200 '), f'{head}')
        sockets[1].close()
        told(server, 'address-connections', 'address-connections-max')
        server.stop()


def one_request(port):
    """The first line of the answer; of who is turned away that says so. A reset is as good."""
    with connect(port) as client:
        try:
            client.sendall(b'GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
            return client.recv(64)
        except ConnectionError:
            return b'429'


def tables_are_limited():
    with serve('--address-tables-max', '2') as server:
        tables = [server.open('paper-soccer', seat={'name': 'ann'}) for _ in range(2)]
        refusal = server.refused('POST', '/tables', 'address-full', {'game': 'paper-soccer'}, status=429)
        check(refusal['reason'] == ADDRESS_SENTENCE, f'{refusal}')
        for game, protocol in wire.ask.doors(PARLOR):
            server.refused('POST', '/tables', 'address-full', {'game': game, 'protocol': protocol}, status=429)
        status, _, text = server.request('GET', '/games')
        check(status == 200 and b'TooManyGamesException' in text, f'{text}')
        visitor = builders.Asker(port_of(server, 'santorini').port, 'ann')
        visitor.expect('askNumberOfPlayers')
        visitor.send('setNumberOfPlayers', numberOfPlayers=2)
        check(visitor.expect('error')['description'] == ADDRESS_SENTENCE, 'santorini')
        visitor.expect('disconnect')
        client = eriantys_wire.Client(port_of(server, 'eriantys'), 'ann')
        client.send('gameCreation', playersNumber=2, expert=False)
        check(client.expect('error')['message'] == ADDRESS_SENTENCE, 'eriantys')
        client.close()
        client = renaissance_wire.Client(port_of(server, 'renaissance'), 'annie')
        client.login()
        client.expect('numberOfPlayersSelectionRequest')
        client.send('numberOfPlayersSelectionReply', number=2)
        client.expect_error(then='numberOfPlayersSelectionRequest')
        server.post(f'/tables/{tables[0]["code"]}/leave', token=tables[0]['token'])  # nobody else was there: it is over
        client.send('numberOfPlayersSelectionReply', number=2)
        while len(server.get('/tables?game=renaissance')['tables']) == 0:
            pass
        client.close()
        told(server, 'address-tables', 'address-tables-max')
        server.stop()


def this_machine_is_not_limited_when_that_is_said():
    with serve('--address-tables-max', '1', '--address-connections-max', '1', '--free-loopback') as server:
        for _ in range(3):
            server.open('paper-soccer')
        with Socket(server) as one, Socket(server) as other:
            check(one.ask('pong', type='ping') == other.ask('pong', type='ping'), 'one is not served')
        server.stop()


def rematches_count():
    with serve('--address-tables-max', '1') as server:
        old = server.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        server.post(f'/tables/{old["code"]}/resign', token=old['token'])
        between = server.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        server.refused('POST', f'/tables/{old["code"]}/rematch', 'address-full', token=old['token'], status=429)
        server.post(f'/tables/{between["code"]}/resign', token=between['token'])
        server.post(f'/tables/{old["code"]}/rematch', token=old['token'], status=201)
        server.stop()


def room_is_taken_from_who_has_most():
    """Tables that only wait make room for who has less; those that are played never do, and who has most gets no more."""
    def open_from(origin, **fields):
        status, text = request_from(server, origin, 'POST', '/api/v1/tables', json.dumps({'game': 'paper-soccer', **fields}),
                                    {'Content-Type': 'application/json'})
        return status, json.loads(text).get('code')
    with serve('--tables-max', '4') as server:
        played, _ = server.two()
        greedy = [open_from(STRANGER)[1] for _ in range(3)]
        check(open_from(STRANGER)[0] == 429, 'who has most gets one more')
        status, modest = open_from(HOME)
        check(status == 201, f'{status}: who has less gets none')
        states = {code: server.get(f'/tables/{code}')['state'] for code in (played, modest, *greedy)}
        check(states == {played: 'running', modest: 'open', greedy[0]: 'finished', greedy[1]: 'open', greedy[2]: 'open'}, f'{states}')
        check(open_from(HOME)[0] == 429, 'who has as much takes from others')
        server.stop()


def championships_make_room():
    """Championships to which nobody has come make room for who has less, and not those where somebody waits."""
    def open_from(origin):
        status, text = request_from(server, origin, 'POST', '/api/v1/championships', '{"type":"chess","players":2}', {'Content-Type': 'application/json'})
        return status, json.loads(text).get('name')
    with serve() as server:
        first = open_from(STRANGER)[1]
        ann = wire.Client(server.ugs_port, 'ann')
        ann.send(wire.player_login('ann', first))
        ann.expect(wire.ACCEPTED)
        status = 201
        while status == 201:
            status, _ = open_from(STRANGER)
        check(status == 429, f'{status}')
        status, name = open_from(HOME)
        check(status == 201, f'{status}: one address has all of them')
        states = {found['name']: found['state'] for found in server.get('/championships')['championships']}
        check(states[first] == states[name] == 'open' and states[first.replace('#1', '#2')] == 'finished', f'{states}')
        ann.close()
        server.stop()


def games_of_others_are_not_ended():
    """Any number of GET /games drops games of the same address, and never one that is played."""
    with serve('--hunt-games-max', '5') as server:
        code = server.create()
        players = [hunt.Player(server, code, name) for name in ('carl', 'dora')]
        for _ in range(20):
            check(request_from(server, STRANGER, 'GET', '/games')[0] == 200, 'creating fails')
        check(all(player.state().standing in ('MustAct', 'MustWait') for player in players), 'a game that is played is gone')
        server.stop()


def journals_are_rationed():
    """An address whose tables have written more than its share of an hour opens no more; others do."""
    with serve('--address-journal-max', '1', '--address-tables-max', '0') as server:
        code, tokens = server.two('eriantys')
        status, count = 201, 0
        server.post(f'/tables/{code}/resign', token=tokens[0])
        while status == 201 and count < 5000:
            status, _ = request_from(server, STRANGER, 'POST', '/api/v1/tables', json.dumps({'game': 'paper-soccer', 'bots': [{'seat': 0, 'level': 1}]}),
                                     {'Content-Type': 'application/json'})
            count += 1
        check(status == 429 and 500 < count < 5000, f'{status} after {count}')
        server.open('paper-soccer')
        told(server, 'address-journal', 'address-journal-max')
        server.stop()


def connect_from(origin, port):
    return socket.create_connection(('127.0.0.1', port), timeout=wire.DEADLINE_S, source_address=(origin, 0))


def requests_are_limited():
    """Who asks too often is refused in the words of every protocol, others are not, and after a moment it is served again."""
    sentence = 'your address asks more often than the server answers'
    with serve('--address-requests-max', '1') as server:
        def ask(origin, path):
            return request_from(server, origin, 'GET', path)
        for number, protocol in enumerate(PROTOCOLS, 10):
            client = connect_from(f'127.0.0.{number}', port_of(server, protocol).port)
            if protocol == 'renaissance-java':  # has no word for it
                client.close()
                continue
            client.sendall({'ugs': b'<message type="x"/>', 'eriantys': b'{"type":"pong"}\n'}.get(protocol, b'{}\n') * 20)
            words = b''
            while sentence.encode() not in words:
                piece = client.recv(65536)
                check(piece, f'{protocol}: {words!r}')
                words += piece
            if protocol == 'ugs':
                check(re.search(r'<message type="error">[^<]*' + sentence, words.decode()), words)
            client.close()
        status, text = 200, ''
        while status == 200:
            status, text = ask(STRANGER, '/api/v1/games')
        check(status == 429 and json.loads(text)['error'] == 'too-often' and sentence in text, f'{status} {text}')
        status, text = ask(STRANGER, '/games/ABCDE/states/x')
        check(status == 429 and '<exceptionName>TooManyRequestsException</exceptionName>' in text, f'{status} {text}')
        check(ask('127.0.0.3', '/api/v1/games')[0] == 200, 'somebody else is refused')
        with Socket(server) as listener:
            for _ in range(20):
                listener.say(type='ping')
            message = listener.hear_until('refused')
            check(message['error'] == 'too-often' and message['status'] == 429, f'{message}')
        while status == 429:  # what is refused costs nothing, so the time comes
            status, _ = ask(STRANGER, '/api/v1/games')
        check(status == 200, f'{status}')
        told(server, 'address-requests', 'address-requests-max')
        server.stop()


def open_from(server, origin, **fields):
    status, text = request_from(server, origin, 'POST', '/api/v1/tables', json.dumps({'game': 'paper-soccer', **fields}), {'Content-Type': 'application/json'})
    return status, json.loads(text)


def bytes_are_limited():
    """Long answers use up what an address may have, requests of others are answered, and after a moment it is served again."""
    with serve('--address-bytes-max', '512K') as server:
        status, count = 200, 0
        while status == 200:
            status, text = request_from(server, STRANGER, 'GET', '/api/v1/openapi.json')
            count += 1
        check(status == 429 and json.loads(text)['error'] == 'too-often', f'{status} {text}')
        check(request_from(server, '127.0.0.3', 'GET', '/api/v1/openapi.json')[0] == 200, 'somebody else is refused')
        while status == 429:
            status, _ = request_from(server, STRANGER, 'GET', '/api/v1/games')
        check(status == 200, f'{status}')
        told(server, 'address-bytes', 'address-bytes-max')
        server.stop()


def thinking_is_limited():
    """Whose bots have thought for too long gets no more of them, at new tables and old ones; tables without bots, and others, are not concerned."""
    bots = [{'seat': 0, 'level': 5}, {'seat': 1, 'level': 5}]
    with serve('--address-thinking-max', '1', '--address-tables-max', '0') as server:
        mine = open_from(server, STRANGER)[1]
        status, answer = 201, None
        while status == 201:
            status, answer = open_from(server, STRANGER, bots=bots)
        check(status == 429 and answer['error'] == 'address-full', f'{status} {answer}')
        status, text = request_from(server, STRANGER, 'POST', f'/api/v1/tables/{mine["code"]}/seats', json.dumps({'bot': 5}),
                                    {'Content-Type': 'application/json', 'Authorization': f'Bearer {mine["owner_token"]}'})
        check(status == 429 and json.loads(text)['error'] == 'address-full', f'{status} {text}')
        check(open_from(server, STRANGER)[0] == 201, 'a table without bots')
        check(open_from(server, HOME, bots=bots)[0] == 201, 'somebody else')
        told(server, 'address-thinking', 'address-thinking-max')
        server.stop()


def told(server, limit, option):
    """Who has run into a ceiling is counted, and a line of the log says where from."""
    check(re.search(rf' info refused-at-door limit="{limit}" option="{option}" address="127\.0\.0\.\d+" times=\d+\n', server.error_text()), server.error_text())
    with connect(wire.ask.port(server.addresses['admin-tcp'])) as link:
        link.sendall(b'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n')
        text = b''
        while piece := link.recv(65536):
            text += piece
    found = re.search(rf'^parlor_limit_hits_total{{limit="{limit}"}} (\d+)', text.decode(), re.M)
    check(found and int(found[1]) > 0, text.decode())


def scarce_disks_open_nothing():
    """With less than the reserve free no table opens, and those that are open go on."""
    with native.Server(PARLOR, [*LISTENERS, *LONG, '--disk-reserve', '0']) as server:
        code, tokens = server.two()
        server.kill()
        own = native.Server(PARLOR, [*LISTENERS, *LONG, '--disk-reserve', '1000000'], server.data)
        status = 201
        while status == 201:  # until the first beat
            status = request_from(own, HOME, 'POST', '/api/v1/tables', '{"game":"paper-soccer"}', {'Content-Type': 'application/json'})[0]
        check(status == 429, f'{status}')
        table = own.get(f'/tables/{code}', tokens[0])
        mover = tokens[table['turn'][0]]
        own.act(code, mover, own.get(f'/tables/{code}', mover)['legal'][0])
        own.close()


CASES = [
    ('connections of one address', connections_are_limited),
    ('tables of one address', tables_are_limited),
    ('rematches count as tables', rematches_count),
    ('room is taken from who has most', room_is_taken_from_who_has_most),
    ('championships make room', championships_make_room),
    ('games of others are not ended', games_of_others_are_not_ended),
    ('journals are rationed', journals_are_rationed),
    ('requests of one address', requests_are_limited),
    ('bytes of one address', bytes_are_limited),
    ('thinking of one address', thinking_is_limited),
    ('scarce disks open nothing', scarce_disks_open_nothing),
    ('addresses of this machine', this_machine_is_not_limited_when_that_is_said),
]

words_of_case = ' '.join(sys.argv[2:])
wire.run_cases([case for case in CASES if words_of_case in case[0]])
