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
import native
import renaissance_wire
import wire
from native import Socket, check

PARLOR = sys.argv[1]
PROTOCOLS = [name for name in wire.ask.listeners(PARLOR) if name != 'http']
LISTENERS = wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR))
LONG = ['--idle-timeout', '600']  # whoever holds a connection may be slow
ADDRESS_SENTENCE = 'your address has as many of these as the server takes'


def serve(*options):
    return native.Server(PARLOR, [*LISTENERS, *LONG, '--store', 'memory', *options])


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
    with serve('--address-connections-max', '3', '--limit-loopback') as server:
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
    with serve('--address-tables-max', '2', '--limit-loopback') as server:
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
        server.stop()


def this_machine_is_not_limited_unless_it_is_said():
    with serve('--address-tables-max', '1', '--address-connections-max', '1') as server:
        for _ in range(3):
            server.open('paper-soccer')
        with Socket(server) as one, Socket(server) as other:
            check(one.ask('pong', type='ping') == other.ask('pong', type='ping'), 'one is not served')
        server.stop()


def rematches_count():
    with serve('--address-tables-max', '1', '--limit-loopback') as server:
        old = server.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        server.post(f'/tables/{old["code"]}/resign', token=old['token'])
        between = server.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        server.refused('POST', f'/tables/{old["code"]}/rematch', 'address-full', token=old['token'], status=429)
        server.post(f'/tables/{between["code"]}/resign', token=between['token'])
        server.post(f'/tables/{old["code"]}/rematch', token=old['token'], status=201)
        server.stop()


CASES = [
    ('connections of one address', connections_are_limited),
    ('tables of one address', tables_are_limited),
    ('rematches count as tables', rematches_count),
    ('addresses of this machine', this_machine_is_not_limited_unless_it_is_said),
]

words_of_case = ' '.join(sys.argv[2:])
wire.run_cases([case for case in CASES if words_of_case in case[0]])
