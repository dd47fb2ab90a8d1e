#!/usr/bin/env python3
"""Clients that behave badly on the level of bytes and connections: after each of them the server must still serve
others as if nothing had been, and end in order.

usage: robustness.py PARLOR
"""
import random
import signal
import socket
import struct
import sys

import wire

PARLOR = sys.argv[1]
SEED = 20110301
FLOOD_BYTES_MAX = 64 * 1024 * 1024
PING = b'<message type="ping"/>'


def play_some(server):
    """Two players log in, meet, and one of them wins: the server serves."""
    nicks = ('good1', 'good2')
    players = [wire.log_in(server, nick) for nick in nicks]
    state = r'<message type="gameState"><gameId id="(\d+)"/><nextPlayer nick="(\w+)"/><gameState></gameState></message>'
    game, first = [player.expect(state) for player in players][0].groups()
    mover = players[nicks.index(first)]
    mover.send(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="1"/></move></message>')
    for player in players:
        player.expect(r'<message type="gameState">.*<point x="0" y="1"/></gameState></message>')
    mover.send('<message type="leaveGame"/>')
    other = players[1 - nicks.index(first)]
    other.expect(r'<message type="gameState">.*<gameOver>.*</gameOver><gameState></gameState></message>')
    for player in players:
        player.send('<message type="logout"/>')
        player.expect_end()
        player.close()


def never_reads():
    """Answers that nobody reads: the server stops listening to that client instead of piling them up."""
    with wire.Server(PARLOR) as server:
        deaf = wire.Client(server.port, 'deaf', receive_buffer=4096)
        deaf.socket.settimeout(1)
        sent = 0
        try:
            while sent < FLOOD_BYTES_MAX:
                sent += deaf.socket.send(PING * 1000)
        except (socket.timeout, ConnectionError):
            pass
        if sent >= FLOOD_BYTES_MAX:
            raise wire.Failure('the server reads for ever what it cannot answer')
        play_some(server)
        deaf.close()
        play_some(server)
        server.stop()


def slow_player():
    """A player who does not read what the game says is dropped, and its game goes on without it."""
    with wire.Server(PARLOR) as server:
        master = wire.Client(server.port, 'master')
        master.send('<message type="gameMasterLogin"><gameMasterLogin id="m" gameType="go" playersMin="2" playersMax="2"/>'
                    '</message>')
        master.expect(wire.ACCEPTED)
        reads = wire.log_in(server, 'reads', 'go')
        slow = wire.Client(server.port, 'slow', receive_buffer=4096)
        slow.send(wire.player_login('slow', 'go'))
        slow.expect(wire.ACCEPTED)
        game = master.expect('<message type="beginGame"><gameId id="(.*?)"/>.*</message>').group(1)
        load = 'x' * 60000
        state = f'<message type="gameState"><gameId id="{game}"/><nextPlayer nick="reads"/><gameState>{load}</gameState></message>'
        for _ in range(1000):
            master.send(state)
            message = reads.read_message()
            if message is None or 'gameOver' in message:
                raise wire.Failure('the reading player lost its game')
            master.socket.settimeout(0.01)
            try:
                master.data += master.socket.recv(65536)
            except socket.timeout:
                pass
            finally:
                master.socket.settimeout(wire.DEADLINE_S)
            if master.data:
                break
        master.expect(f'<message type="playerLeftGame"><player nick="slow"/><gameId id="{game}"/></message>')
        master.send(f'<message type="gameState"><gameId id="{game}"/><gameOver><player nick="reads" result="winner"/></gameOver>'
                    '<gameState/></message>')
        reads.expect('.*<gameOver>.*')
        slow.close()
        play_some(server)
        server.stop([master, reads])


def many_clients():
    with wire.Server(PARLOR) as server:
        crowd = [wire.log_in(server, f'n{i}', f'type{i % 7}') for i in range(400)]
        play_some(server)
        for client in crowd[::2]:
            client.close()
        play_some(server)
        server.stop(crowd[1::2])


def connection_ceiling():
    """Who is one too many is closed at once, and there is room again when somebody leaves."""
    with wire.Server(PARLOR, ['--connections-max', '3']) as server:
        three = [wire.log_in(server, f'n{i}', 'go') for i in range(3)]
        wire.Client(server.port, 'fourth').expect_end()
        three[0].send('<message type="logout"/>')
        three[0].expect_end()
        three[0].close()
        while True:  # until the server has noticed that the place is free
            late = wire.Client(server.port, 'late')
            try:
                late.send(wire.player_login('late', 'go'))
                message = late.read_message()
            except ConnectionError:
                message = None
            if message is not None:
                break
            late.close()
        if 'accept="yes"' not in message:
            raise wire.Failure(message)
        server.stop([three[1], three[2], late])


def half_closed():
    """A client that has said its last word still hears the answers."""
    with wire.Server(PARLOR) as server:
        client = wire.Client(server.port)
        client.send(wire.player_login('half') + '<message type="ping"/>')
        client.socket.shutdown(socket.SHUT_WR)
        client.expect(wire.ACCEPTED)
        client.expect(wire.ERROR)
        client.expect_end()
        client.close()
        play_some(server)
        server.stop()


def resets():
    """Connections that are reset, before, in and after a message, and in a game."""
    with wire.Server(PARLOR) as server:
        for text in ('', '<message ty', wire.player_login('gone', 'go'), wire.player_login('gone', 'go') + '<message'):
            client = wire.Client(server.port)
            client.send(text)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            client.close()
        stays = wire.log_in(server, 'stays')
        leaver = wire.log_in(server, 'leaver')
        begins = r'<message type="gameState"><gameId id="\d+"/><nextPlayer nick="\w+"/><gameState></gameState></message>'
        leaver.expect(begins)
        leaver.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        leaver.close()
        stays.expect(begins)
        stays.expect('.*<player nick="stays" result="winner"/>.*')
        stays.send('<message type="logout"/>')
        stays.expect_end()
        stays.close()
        play_some(server)
        server.stop()


def garbage():
    """Good messages with some bytes changed, cut out or doubled, and pure noise."""
    draw = random.Random(SEED)
    good = (wire.player_login('x') + '<message type="move"><gameId id="1"/><move><point x="0" y="1"/></move></message>'
            '<message type="gameMasterLogin"><gameMasterLogin id="a" gameType="b" playersMin="2" playersMax="2"/></message>'
            '<message type="gameState"><gameId id="1"/><nextPlayer nick="x"/><gameState/></message>').encode()
    with wire.Server(PARLOR) as server:
        for number in range(300):
            data = bytearray(good if number % 5 else draw.randbytes(draw.randrange(2000)))
            for _ in range(draw.randrange(6)):
                at = draw.randrange(len(data) + 1)
                kind = draw.randrange(3)
                data[at:at + (kind > 0) * draw.randrange(9)] = draw.randbytes(kind < 2) + data[:draw.randrange(9) * (kind == 2)]
            client = wire.Client(server.port)
            try:
                client.send(bytes(data), draw.choice((None, 1, 7)))
                if number % 2:
                    client.socket.shutdown(socket.SHUT_WR)
                    while client.read_more():
                        pass
            except ConnectionError:
                pass
            client.close()
        play_some(server)
        server.stop()


def signals():
    """SIGINT is as good as SIGTERM; a second signal does not spoil the end; a server nobody has spoken to ends too."""
    with wire.Server(PARLOR) as server:
        client = wire.log_in(server, 'a')
        server.process.send_signal(signal.SIGINT)
        client.expect(wire.SHUTDOWN)
        client.expect_end()
        server.process.send_signal(signal.SIGTERM)
        client.close()
        server.wait()
    with wire.Server(PARLOR) as server:
        server.stop()


def main():
    print(f'# seed {SEED}')
    wire.run_cases([
        ('a client that never reads', never_reads),
        ('a player that is too slow', slow_player),
        ('four hundred clients', many_clients),
        ('the ceiling of connections', connection_ceiling),
        ('a half-closed connection', half_closed),
        ('connections that are reset', resets),
        ('garbage', garbage),
        ('signals', signals),
    ])


main()
