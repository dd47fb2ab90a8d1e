#!/usr/bin/env python3
"""Eriantys at tables with players of two protocols: clients of its own protocol, some of them of the kind that the authors of
the protocol wrote, and players over the native API. What happens while a table waits for somebody, and what is played for a
client that cannot play it.

usage: eriantys_guests.py PARLOR
"""
import sys

import native
import wire
from eriantys_wire import PATIENT, Client, Mind, step

PARLOR = sys.argv[1]
server = None


class Door:
    """Where clients of the protocol come in."""

    def __init__(self):
        self.port = int(server.addresses['eriantys'].rpartition(':')[2])


class Original(Client):
    """Like the authors' own client: it pongs without being asked and does not answer pings, cannot bear forwarded commands, and in
    the waiting room nothing but what leads out of it."""
    is_waiting = True

    def __init__(self, door, name):
        super().__init__(door, name)
        self.answers_pings = False
        self.send('pong')

    def read_any(self):
        message = super().read_any()
        kind = None if message is None else message['type']
        if kind == 'ping':
            self.send('pong')
        if kind == 'command' or (kind == 'turnEnable' and self.is_waiting):
            raise wire.Failure(f'{self.name}: connection lost by {message}')
        if kind == 'gameStart':
            self.is_waiting = False
        elif kind == 'error' and message['message'] == 'UserDisconnected':
            self.is_waiting = True
        return message


class Guest:
    """A player over the native API, who only asks when it has to."""

    def __init__(self, code, name):
        self.path = f'/tables/{code}'
        self.name, self.token = name, server.sit(code, name)['token']

    def act(self, *actions):
        server.post(self.path + '/actions', {'actions': list(actions)}, self.token)

    def table(self):
        return server.get(self.path, self.token)


def legal(guest, start):
    return next(action for action in guest.table()['legal'] if action.startswith(start))


def seated(door, players, kinds, names):
    """Clients of these kinds in one game, which still waits when there are fewer of them than players."""
    clients = [kind(door, name) for kind, name in zip(kinds, names)]
    code = clients[0].create(players)
    for client in clients:
        client.login(code)
    return code, clients


def begun(clients, mover):
    for client in clients:
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable', player=mover, enable=True)


def a_stranger_frees_the_seat():
    code, (ann,) = seated(Door(), 3, [Client], ['ann'])
    for word in 'leave', 'resign':
        stranger = Guest(code, 'stranger')
        native.check(server.post(f'{stranger.path}/{word}', token=stranger.token)['freed'] is True, 'freed')
        waiting = ann.expect('waitingRoomUpdate')
        while len(waiting['players']) > 1:  # from before
            waiting = ann.expect('waitingRoomUpdate')
        native.check(waiting['players'] == [{'name': 'ann', 'online': True}], f'{waiting}')
    bob, cid = Client(Door(), 'bob').login(code), Client(Door(), 'cid').login(code)
    begun([ann, bob, cid], 'ann')
    step([ann, bob, cid])


def partners_lose_together():
    code, clients = seated(Door(), 4, [Client, Original, Client], ['ann', 'bob', 'cid'])
    dan = Guest(code, 'dan')
    begun(clients, 'ann')
    server.post(dan.path + '/resign', token=dan.token)
    for client in clients:
        client.expect('win', winners=['ann', 'cid'])


def a_pause_is_quiet():
    """What somebody does over the API while another is missing is told when everybody is there again."""
    code, (ann, bob) = seated(Door(), 3, [Original, Client], ['ann', 'bob'])
    cid = Guest(code, 'cid')
    begun([ann, bob], 'ann')
    for client, card in (ann, 9), (bob, 8):
        client.command(subtype='playAssistant', player=client.name, assistant=card)
        for other in ann, bob:
            if other is bob and client is ann:
                other.expect('command')
            other.expect('turnEnable', player=client.name, enable=False)
            other.expect('status')
            other.expect('turnEnable', enable=True)
    bob.close()
    ann.expect('error', message='UserDisconnected')
    cid.act('assistant 1')  # and is the first to act
    cid.act(legal(cid, 'student'))
    ann.expect('waitingRoomUpdate')
    ann.expect('waitingRoomUpdate')
    cid.act(legal(cid, 'student'))
    bob = Client(Door(), 'bob').login(code)
    begun([ann, bob], 'cid')
    native.check(ann.status['subPhase'] == 'MOVE_STUDENT_3' and ann.status == bob.status, f'{ann.status["subPhase"]}')
    cid.act(legal(cid, 'student'))
    bob.expect('command', subtype='move')
    for client in ann, bob:
        client.expect_turn('cid')
    # In the action phase the status comes once more, and the end of the game is told at once.
    bob.close()
    ann.expect('error', message='UserDisconnected')
    ann.expect('status')
    server.post(cid.path + '/resign', token=cid.token)
    ann.expect('win', winners=['ann', 'bob'])


def turn(clients):
    """Whoever is on turn does what wins nothing, so that a game takes all its rounds."""
    mind = Mind(clients[0].status)
    phase = mind.status['subPhase']
    commands = {'MOVE_MOTHER_NATURE': mind.mother, 'CHOOSE_CLOUD': mind.clouds}.get(phase, mind.students)()
    command = next(one for one in commands if one.get('to', 'island') == 'island')
    mover = next(client for client in clients if client.name == mind.name)
    mover.command(**command)
    for client in clients:
        if client is not mover and not isinstance(client, Original):
            client.expect('command')
        message = client.read()
        while message['type'] != 'status':
            message = client.read()
        client.expect('turnEnable', player=message['activeUser'], enable=True)


def planned(clients, name, card):
    mover = next(client for client in clients if client.name == name)
    mover.command(subtype='playAssistant', player=name, assistant=card)
    told(clients, name, card)


def told(clients, name, card):
    for client in clients:
        if client.name != name and not isinstance(client, Original):
            client.expect('command', subtype='playAssistant', assistant=card)
        client.expect('turnEnable', player=name, enable=False)
        client.expect('status')
        client.expect('turnEnable', enable=True)


def nine_rounds(clients, first, second):
    """Both keep the tenth assistant, and the first of them begins the tenth round."""
    cards = [2, 3, 4, 5, 6, 7, 8, 9, 1]
    for number, card in enumerate(cards):
        hands = {first: card, second: cards[number - 1]}
        beginner = clients[0].status['activeUser']
        for name in sorted(hands, key=lambda name: name != beginner):
            planned(clients, name, hands[name])
        while clients[0].status['phase'] == 'ACTION':
            turn(clients)
    native.check(clients[0].status['activeUser'] == first, f'{clients[0].status["activeUser"]} begins')
    planned(clients, first, 10)


def the_last_assistant_is_sent():
    _, clients = seated(Door(), 2, [Client, Original], ['ann', 'bob'])
    begun(clients, 'ann')
    nine_rounds(clients, 'bob', 'ann')
    planned(clients, 'ann', 10)
    native.check(clients[0].status['phase'] == 'ACTION', 'the game goes on')


def the_last_assistant_is_played_for_who_cannot_send_it():
    """The authors' client refuses to send a card that somebody has played, although it is the only one."""
    _, clients = seated(Door(), 2, [Client, Original], ['ann', 'bob'])
    begun(clients, 'ann')
    nine_rounds(clients, 'ann', 'bob')
    told(clients, 'bob', 10)
    native.check(clients[0].status['phase'] == 'ACTION', 'the game goes on')


CASES = [
    ('a stranger frees the seat', a_stranger_frees_the_seat),
    ('partners lose together', partners_lose_together),
    ('a pause is quiet', a_pause_is_quiet),
    ('the last assistant is sent', the_last_assistant_is_sent),
    ('the last assistant is played for who cannot send it', the_last_assistant_is_played_for_who_cannot_send_it),
]


def main():
    global server
    with native.Server(PARLOR, [*wire.ask.listen(PARLOR, 'http', 'eriantys'), *PATIENT]) as server:
        wire.run_cases(CASES)


main()
