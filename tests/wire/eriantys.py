#!/usr/bin/env python3
"""Eriantys over JSON, with the real server: set-up, the order of messages, refusals, every tolerance, leaving and coming
back, several games, restarts. Numbers in names are those of the tolerances on docs/protocols/eriantys.md.

usage: eriantys.py PARLOR [WORD]    only the cases with this word in their names
"""
import json
import random
import socket
import sys

import wire
from eriantys_wire import JESTER, PATIENT, Client, Mind, Server, begin, play, step

PARLOR = sys.argv[1]
SUB_PHASES = ('PLAY_ASSISTANT', 'MOVE_STUDENT_1', 'MOVE_STUDENT_2', 'MOVE_STUDENT_3', 'MOVE_MOTHER_NATURE', 'CHOOSE_CLOUD')


def assert_equal(got, wanted):
    if got != wanted:
        raise wire.Failure(f'expected {json.dumps(wanted)[:600]}\n but got {json.dumps(got)[:600]}')


def refused(client, line, reason=None):
    """The line changes nothing: the sender is told why, and where the game stands (1)."""
    before = client.status
    if isinstance(line, dict):
        line = json.dumps({'type': 'command', **line})
    client.send_raw(line)
    message = client.expect('error')['message']
    if reason and reason not in message:
        raise wire.Failure(f'{line} is refused with {message!r}')
    assert_equal(client.expect_turn(before['activeUser']), before)


def setup_and_start(server):
    ann, bob = Client(server, 'ann'), Client(server, 'bob')
    code = ann.create(2)
    assert len(code) == 5, code
    assert_equal(ann.enter(code), {'type': 'enterGame', 'found': True, 'expectedPlayers': 2, 'players': []})
    ann.send('login', name='ann')
    ann.expect('login', success=True)
    assert_equal(bob.enter(f'  {code.lower()} ')['players'], [{'name': 'ann', 'online': True}])
    bob.send('login', name='bob')
    bob.expect('login', success=True)
    for client in ann, bob:
        status = client.expect('status', round=0, expert=False, phase='PLANNING', subPhase='PLAY_ASSISTANT', activeUser='ann')
        client.expect('gameStart')
        client.expect('turnEnable', player='ann', enable=True)
        assert_equal([player['name'] for player in status['players']], ['ann', 'bob'])
        assert_equal([player['coins'] for player in status['players']], [1, 1])
        assert_equal(len({player['wizardType'] for player in status['players']}), 2)
        assert_equal([sum(cloud.values()) for cloud in status['gameBoard']['clouds']], [3, 3])
    assert_equal(Client(server).enter(code), {'type': 'enterGame', 'found': False})


def waiting_room_is_told_after_each_ping(server):
    ann = Client(server, 'ann')
    code = ann.create(3)
    ann.login(code)
    assert_equal(ann.read_any()['type'], 'ping')
    update = {'type': 'waitingRoomUpdate', 'expectedPlayers': 3, 'players': [{'name': 'ann', 'online': True}]}
    assert_equal(ann.read_any(), update)
    zoe = Client(server, 'Zoe').login(code)
    zoe.close()
    wanted = [{'name': 'Zoe', 'online': False}, {'name': 'ann', 'online': True}]
    ann.expect('error', message='UserDisconnected')
    assert_equal(ann.expect('waitingRoomUpdate')['players'], wanted)
    assert_equal(Client(server).enter(code)['players'], wanted)


def whole_games_in_order(server):
    rng = random.Random(1)
    for names in (('ann', 'bob'), ('ann', 'bob', 'cid'), ('ann', 'bob', 'cid', 'dan')):
        for expert in (False, True):
            clients = begin(server, names, expert)
            winners = play(clients, rng)
            if winners is not None and len(names) == 4:
                assert winners in (['ann', 'cid'], ['bob', 'dan']), winners
            for client in clients:  # 18: nothing more about that game
                client.expect_nothing()
            assert_equal(Client(server).enter(clients[0].code)['found'], False)


def a_second_game_on_the_same_connections(server):
    clients = begin(server)
    play(clients, random.Random(2))
    code = clients[1].create(2, True)
    for client in reversed(clients):
        client.login(code)
    for client in clients:
        client.expect('status', activeUser='bob')
        client.expect('gameStart')
        client.expect('turnEnable', player='bob', enable=True)
    play(clients, random.Random(3), until=lambda status: status['round'] == 1)


def several_games_at_once(server):
    games = [begin(server, ('ann', 'bob', 'cid')[:count]) for count in (2, 3, 2)]
    rng = random.Random(4)
    left = list(games)
    while left:
        game = rng.choice(left)
        if step(game, rng=rng) is not None:
            left.remove(game)


def pongs_unasked(server, name):
    """A client that has ponged before it was pinged. Where the first ping was faster, another one tries."""
    while True:
        client = Client(server, name)
        client.send('pong')
        client.send('enterGame', code='-')
        if client.read_any()['type'] == 'enterGame':
            return client
        client.close()


def commands_are_forwarded_but_not_to_who_pongs_unasked(server):
    """Decision: programs that pong before they were pinged cannot bear forwarded commands."""
    ann, bob = Client(server, 'ann'), pongs_unasked(server, 'bob')
    code = ann.create(2)
    ann.login(code)
    bob.login(code)
    for client in ann, bob:
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable')
    ann.command(subtype='playAssistant', player='ann', assistant=5)
    for client in ann, bob:
        client.expect('turnEnable', player='ann', enable=False)
        client.expect_turn('bob')
    bob.command(subtype='playAssistant', player='bob', assistant=3)
    ann.expect('command', subtype='playAssistant', player='bob', assistant=3)
    for client in ann, bob:
        client.expect('turnEnable', player='bob', enable=False)
        client.expect_turn('bob')
    assert_equal(bob.status['subPhase'], 'MOVE_STUDENT_1')


def illegal_commands_are_refused_1(server):
    ann, bob = begin(server)
    refused(bob, {'subtype': 'playAssistant', 'player': 'bob', 'assistant': 1}, 'another seat')
    refused(ann, {'subtype': 'playAssistant', 'assistant': 0}, 'values 1 to 10')
    refused(ann, {'subtype': 'playAssistant', 'assistant': 11}, 'values 1 to 10')
    refused(ann, {'subtype': 'refill', 'cloud': 0}, 'planning')
    refused(ann, {'subtype': 'pay', 'character': 1}, 'planning')
    refused(ann, {'subtype': 'move', 'pawn': 'motherNature', 'island': 1, 'move': True}, 'planning')
    step([ann, bob], {'subtype': 'playAssistant', 'player': 'ann', 'assistant': 4})
    refused(bob, {'subtype': 'playAssistant', 'assistant': 4}, 'another player has played')
    step([ann, bob], {'subtype': 'playAssistant', 'player': 'bob', 'assistant': 9})
    refused(ann, {'subtype': 'playAssistant', 'assistant': 5}, 'planning phase only')
    refused(ann, {'subtype': 'pay', 'character': 1}, 'no characters in a normal game')
    refused(ann, {'subtype': 'move', 'pawn': 'motherNature', 'island': 1, 'move': True}, 'must be moved first')
    refused(ann, {'subtype': 'refill', 'cloud': 0}, 'must be moved first')
    refused(ann, {'subtype': 'ban', 'island': 0})
    refused(ann, {'subtype': 'return', 'color': 'RED'})
    empty = next((color for color, count in Mind(ann.status).entrance.items() if not count), None)
    if empty:
        refused(ann, {'subtype': 'move', 'pawn': 'student', 'color': empty, 'from': 'entrance', 'to': 'diningRoom'}, 'entrance')
    for _ in range(3):
        step([ann, bob], next(iter(Mind(ann.status).students())))
    refused(ann, {'subtype': 'move', 'pawn': 'motherNature', 'island': 7, 'move': True}, 'that far')
    refused(ann, {'subtype': 'move', 'pawn': 'motherNature', 'island': 0, 'move': True}, 'that far')
    refused(ann, {'subtype': 'move', 'pawn': 'motherNature', 'island': 12, 'move': True}, '0 to 11')
    step([ann, bob], next(iter(Mind(ann.status).mother())))
    refused(ann, {'subtype': 'refill', 'cloud': 2}, 'as many clouds as players')
    step([ann, bob], {'subtype': 'refill', 'player': 'ann', 'cloud': 1})
    for client in ann, bob:
        client.expect_nothing()  # nobody heard of the other's mistakes


def what_cannot_be_read_is_refused_2(server):
    ann, bob = begin(server)
    for line, reason in (('{"type":"command","subtype":"dance"}', 'subtype'), ('{"type":"command"}', 'subtype'),
                         ('{"type":"command","subtype":"playAssistant"}', 'assistant'),
                         ('{"type":"command","subtype":"move","pawn":"king"}', 'pawn'),
                         ('{"type":"command","subtype":"playAssistant","assistant":1.5}', 'assistant')):
        refused(ann, line, reason)
    for line in ('{', '[]', '7', '{"type":"pong"}{"type":"pong"}', '{"type":"dance"}', '{}', '{"type":"login"}'):
        bob.send_raw(line)
        bob.expect('error')
    bob.expect_nothing()
    step([ann, bob])
    for _ in range(8):
        bob.send_raw('nonsense')
        bob.expect('error')
    bob.expect_end()
    ann.expect('error', message='UserDisconnected')
    long = Client(server)
    long.send_raw(b'{"type":"' + b'x' * 70000 + b'"}\n')
    long.expect('error')
    long.expect_end()


def spellings_are_borne_3(server):
    ann, bob = begin(server)
    clients = [ann, bob]
    ann.send_raw('\n \r\n')  # blank lines
    ann.send_raw(b'{"assistant": " 2 ", "x": [{}], "subtype": "playAssistant",\t"type":"command"}\r\n')
    bob.expect('command', subtype='playAssistant', player='ann', assistant=2)
    for client in clients:
        client.expect('turnEnable', player='ann', enable=False)
        client.expect_turn('bob')
    step(clients, {'subtype': 'playAssistant', 'player': 'bob', 'assistant': 8})
    for place in ('diningRoom', 'dining-room', 'dining_room'):
        color = next(color for color, count in Mind(ann.status).entrance.items() if count)
        ann.send_raw(json.dumps({'type': 'command', 'subtype': 'move', 'pawn': 'student', 'color': color.lower(),
                                 'from': 'entrance', 'to': place}))
        bob.expect('command', subtype='move', player='ann', color=color, to='diningRoom', fromId=None, toId=None, special=False)
        for client in clients:
            client.expect_turn('ann')
    for spelling in ('{"type":"enterGame","code":7}', '{"type":"gameCreation","playersNumber":"x","expert":0}'):
        bob.send_raw(spelling)
        bob.expect('error')
    bob.send_raw('{"expert":"false","type":"gameCreation","playersNumber":"2"}')
    bob.expect('gameCreation')


def names_of_others_are_refused_4(server):
    ann, bob = begin(server)
    refused(ann, {'subtype': 'playAssistant', 'player': 'bob', 'assistant': 3}, 'own name')
    ann.send_raw('{"type":"command","subtype":"playAssistant","player":" ann ","assistant":3}')
    bob.expect('command', player='ann', assistant=3)


def any_island_of_a_group_stands_for_it_5(server):
    rng = random.Random(11)
    while True:
        clients = begin(server, expert=False)
        play(clients, rng, until=lambda status: status['subPhase'] == 'MOVE_STUDENT_1'
             and any(island['size'] > 1 for island in status['gameBoard']['islands']))
        group = next((island for island in clients[0].status['gameBoard']['islands'] if island['size'] > 1), None)
        if group is not None:
            break
    mover = next(client for client in clients if client.name == client.status['activeUser'])
    other = next(client for client in clients if client is not mover)
    mind = Mind(mover.status)
    color = next(color for color, count in mind.entrance.items() if count)
    mover.command(**mind.move(color, 'entrance', 'island', to_id=(group['id'] + group['size'] - 1) % 12))
    other.expect('command', toId=group['id'])
    mover.expect_turn(mover.name)
    after = next(island for island in mover.status['gameBoard']['islands'] if island['id'] == group['id'])
    assert_equal(after['students'][color], group['students'][color] + 1)


def pings_pongs_and_errors_are_ignored_7(server):
    ann = Client(server, 'ann')
    for line in ('{"type":"ping"}', '{"type":"pong"}', '{"type":"error","message":"x"}', '{"type":"error"}'):
        ann.send_raw(line)
    ann.expect_nothing()


def pipelined_commands_have_a_status_each_8(server):
    ann, bob = begin(server)
    step([ann, bob], {'subtype': 'playAssistant', 'player': 'ann', 'assistant': 2})
    step([ann, bob], {'subtype': 'playAssistant', 'player': 'bob', 'assistant': 8})
    entrance = dict(Mind(ann.status).entrance)
    lines = []
    for _ in range(3):
        color = next(color for color, count in entrance.items() if count)
        entrance[color] -= 1
        lines.append(json.dumps({'type': 'command', **Mind(ann.status).move(color, 'entrance', 'island', to_id=3)}))
    lines.append('{"type":"command","subtype":"move","pawn":"motherNature","island":1,"move":true}')
    ann.send_raw('\n'.join(lines))
    for sub_phase in ('MOVE_STUDENT_2', 'MOVE_STUDENT_3', 'MOVE_MOTHER_NATURE', 'CHOOSE_CLOUD'):
        bob.expect('command')
        for client in ann, bob:
            client.expect('status', subPhase=sub_phase)
            client.expect('turnEnable', player='ann', enable=True)


def half_swaps_10(server):
    """Either half first, nothing else in between, and the turn goes on."""
    for first in ('in', 'out'):
        clients = pay_jester(server)
        mover, other = clients
        mind = Mind(mover.status)
        inward = mind.move(next(c for c, n in mind.active['containedStudents'].items() if n), 'card', 'entrance', JESTER, None, True)
        outward = mind.move(next(c for c, n in mind.entrance.items() if n), 'entrance', 'card', None, JESTER, True)
        halves = (inward, outward) if first == 'in' else (outward, inward)
        step(clients, halves[0])
        assert_equal(mover.status['gameBoard']['characters'][jester_at(mover.status)]['usesNumber'], 5)
        refused(mover, next(iter(Mind(mover.status).students())), 'other half')
        refused(mover, halves[0], 'other half')
        step(clients, halves[1])
        step(clients, next(iter(Mind(mover.status).students())))
        assert_equal(other.status['subPhase'], 'MOVE_STUDENT_2')


def jester_at(status):
    return next(at for at, card in enumerate(status['gameBoard']['characters']) if card['id'] == JESTER)


def pay_jester(server, names=('ann', 'bob')):
    """A game in which ann has just paid for the Jester."""
    clients = begin(server, names, expert=True, wanted=(JESTER,))
    for value, client in enumerate(clients, 1):
        step(clients, {'subtype': 'playAssistant', 'player': client.name, 'assistant': value})
    step(clients, {'subtype': 'pay', 'player': clients[0].name, 'character': JESTER})
    return clients


def unused_effects_are_lost_11(server):
    clients = pay_jester(server)
    for _ in range(3):
        step(clients, next(iter(Mind(clients[0].status).students())))
    step(clients, next(iter(Mind(clients[0].status).mother())))
    step(clients, Mind(clients[0].status).clouds()[0])
    assert_equal(clients[0].status['activeUser'], 'bob')
    assert_equal([card['active'] for card in clients[0].status['gameBoard']['characters']], [False] * 3)
    assert_equal(clients[0].status['gameBoard']['characters'][jester_at(clients[0].status)]['alreadyPaid'], True)


def payments_are_refused_12(server):
    clients = pay_jester(server)
    ann = clients[0]
    refused(ann, {'subtype': 'pay', 'character': JESTER}, 'already paid')
    refused(ann, {'subtype': 'pay', 'character': 0})
    refused(ann, {'subtype': 'pay', 'character': 13})
    for _ in range(3):
        step(clients, next(iter(Mind(ann.status).students())))
    step(clients, next(iter(Mind(ann.status).mother())))
    step(clients, Mind(ann.status).clouds()[0])
    bob = clients[1]
    absent = next(id for id in range(1, 13) if id not in [card['id'] for card in bob.status['gameBoard']['characters']])
    refused(bob, {'subtype': 'pay', 'character': absent}, 'not in play')
    dear = [card['id'] for card in bob.status['gameBoard']['characters'] if card['effectCost'] + card['alreadyPaid'] > 1]
    refused(bob, {'subtype': 'pay', 'character': dear[0]}, 'coins')


def waiting_seats_are_taken_over_13(server):
    """All seats have names, two of them offline: the one that left first goes."""
    clients = [Client(server, name) for name in ('ann', 'bob', 'cid')]
    ann, bob, cid = clients
    code = ann.create(3)
    ann.login(code)
    bob.login(code)
    bob.send('logout')
    ann.expect('error', message='UserDisconnected')
    cid.login(code)
    ann.send('logout')
    cid.expect('error', message='UserDisconnected')
    dan = Client(server, 'dan').login(code)
    assert_equal([player['name'] for player in Client(server).enter(code)['players']], ['ann', 'cid', 'dan'])
    bob.login(code)  # takes over from ann
    for client in bob, dan, cid:
        status = client.expect('status', activeUser='bob')
        assert_equal([player['name'] for player in status['players']], ['bob', 'dan', 'cid'])
        client.expect('gameStart')
        client.expect('turnEnable', player='bob')
    dan.close()
    for client in bob, cid:
        client.expect('error', message='UserDisconnected')
    ann.login(code, success=False)  # after the start only the old names


def logins_are_refused_14_15(server):
    ann = Client(server, 'ann')
    ann.send('login', name='ann')
    ann.expect('login', success=False)  # no game
    code = ann.create(2)
    for name in ('', '   ', 'x' * 33):
        ann.enter(code)
        ann.send_raw(json.dumps({'type': 'login', 'name': name}))
        ann.expect('login', success=False)
    ann.send_raw('{"type":"login","name":7}')
    ann.expect('error')
    ann.login(code)
    ann.send('login', name='ann2')
    ann.expect('login', success=False)
    ann.send('enterGame', code=code)
    ann.expect('error')
    again = Client(server, 'ann')
    again.login(code, success=False)  # online already
    bob = Client(server, 'bób "x" \\ 日本')
    bob.login(code)
    ann.expect('status')
    ann.expect('gameStart')
    again.send('login', name='cid')
    again.expect('login', success=False)  # full
    assert_equal(ann.status['players'][1]['name'], 'bób "x" \\ 日本')
    ann.send_raw('{"type":"logout"}')
    ann.send_raw('{"type":"logout"}')
    ann.expect('turnEnable')
    ann.expect('error')
    ann.command(subtype='playAssistant', player='ann', assistant=1)
    ann.expect('error')
    other = ann.create(2)
    ann.login(other)


def creations_are_refused_16(server):
    ann = Client(server, 'ann')
    for number in ('1', '5', '0', '-2', '2.5', 'null', '"two"', '[]'):
        ann.send_raw(f'{{"type":"gameCreation","playersNumber":{number},"expert":true}}')
        ann.expect('error')
        ann.create()  # and the count of mistakes begins again
    ann.send_raw('{"type":"gameCreation","playersNumber":2}')
    ann.expect('error')


def unknown_games_are_not_found(server):
    ann = Client(server, 'ann')
    for code in ('ZZZZZ', '', '12345', '!', 'A' * 40):
        ann.send_raw(json.dumps({'type': 'enterGame', 'code': code}))
        ann.expect('enterGame', found=False)
    ann.send('login', name='ann')
    ann.expect('login', success=False)


def drop(server, clients, gone, how):
    """One leaves and comes back: nothing else has changed. Returns the clients again."""
    before = clients[0].status
    others = [client for client in clients if client is not gone]
    if how == 'logout':
        gone.send('logout')
    elif how == 'garbage':
        gone.send_raw(b'x' * 70000 + b'\n')
    else:
        gone.close()
    for client in others:
        client.expect('error', message='UserDisconnected')
        if before['phase'] == 'ACTION':
            assert_equal(client.expect('status'), before)
    mover = next((client for client in others if client.name == before['activeUser']), None)
    if mover:  # paused: commands are refused, and nobody may play
        mover.command(**Mind(before).choose(random))
        mover.expect('error')
        mover.expect_turn(mover.name, enable=False)
    again = gone if how == 'logout' else Client(server, gone.name)
    found = again.enter(gone.code)
    assert_equal(found['players'], sorted(({'name': client.name, 'online': client is not gone} for client in clients),
                                          key=lambda player: player['name']))
    again.code = gone.code
    again.send('login', name=gone.name)
    again.expect('login', success=True)
    clients = [again if client is gone else client for client in clients]
    for client in clients:
        assert_equal(client.expect('status'), before)
        client.expect('gameStart')
        client.expect('turnEnable', player=before['activeUser'], enable=True)
    return clients


def reconnection_in_every_sub_phase(server):
    rng = random.Random(7)
    clients = begin(server, ('ann', 'bob'), expert=True)
    for sub_phase in SUB_PHASES * 2:
        for on_turn in (True, False):
            play(clients, rng, until=lambda status, wanted=sub_phase: status['subPhase'] == wanted)
            mover = clients[0].status['activeUser']
            gone = next(client for client in clients if (client.name == mover) == on_turn)
            clients = drop(server, clients, gone, rng.choice(('close', 'logout', 'garbage')))
            assert_equal(clients[0].status['subPhase'], sub_phase)
        step(clients, rng=rng)
    clients = begin(server, ('ann', 'bob', 'cid'))
    play(clients, rng, until=lambda status: status['subPhase'] == 'MOVE_STUDENT_4')
    clients = drop(server, clients, clients[1], 'close')
    play(clients, rng)


def reconnection_in_the_open_half_of_a_swap(server):
    for first in ('in', 'out'):
        for on_turn in (True, False):
            clients = pay_jester(server)
            mind = Mind(clients[0].status)
            half = (mind.move(next(c for c, n in mind.active['containedStudents'].items() if n), 'card', 'entrance', JESTER, None, True)
                    if first == 'in' else
                    mind.move(next(c for c, n in mind.entrance.items() if n), 'entrance', 'card', None, JESTER, True))
            step(clients, half)
            clients = drop(server, clients, clients[0 if on_turn else 1], 'close')
            refused(clients[0], next(iter(Mind(clients[0].status).students())), 'other half')
            step(clients, Mind(clients[0].status).commands()[0])
            play(clients, random.Random(8))


def two_are_gone_and_come_back(server):
    clients = begin(server, ('ann', 'bob', 'cid'))
    ann, bob, cid = clients
    bob.close()
    for client in ann, cid:
        client.expect('error', message='UserDisconnected')
    cid.close()
    ann.expect('error', message='UserDisconnected')
    ann.expect('waitingRoomUpdate', expectedPlayers=3, players=[
        {'name': 'ann', 'online': True}, {'name': 'bob', 'online': False}, {'name': 'cid', 'online': False}])
    code = ann.code
    bob = Client(server, 'bob').login(code)
    Client(server, 'dan').login(code, success=False)
    bob.expect_nothing()
    ann.command(subtype='playAssistant', player='ann', assistant=1)
    ann.expect('error')
    ann.expect_turn('ann', enable=False)
    cid = Client(server, 'cid').login(code)
    for client in ann, bob, cid:
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable', player='ann', enable=True)
    play([ann, bob, cid], random.Random(9), until=lambda status: status['phase'] == 'ACTION')


def old_connections_keep_their_seat_until_they_are_gone(server):
    """Decision: by name only when the old connection is gone."""
    ann, bob = begin(server)
    thief = Client(server, 'bob')
    assert_equal(thief.enter(ann.code)['found'], False)
    thief.send('login', name='bob')
    thief.expect('login', success=False)
    step([ann, bob])


def come_back(server, names, code, before):
    """Everybody comes to a server that was started again, and the game stands where it stood."""
    clients = [Client(server, name).login(code) for name in names]
    for client in clients:
        client.code = code
        assert_equal(client.expect('status'), before)
        client.expect('gameStart')
        client.expect('turnEnable', player=before['activeUser'], enable=True)
    return clients


def restart_goes_on_where_it_was(_):
    """kill -9 in every sub-phase, in an open half of a swap, and in a waiting room."""
    names, rng = ('ann', 'bob'), random.Random(10)
    server = Server(PARLOR)
    try:
        clients = pay_jester(server)
        code, mind = clients[0].code, Mind(clients[0].status)
        waiting = Client(server, 'zoe')
        other = waiting.create(4, True)
        waiting.login(other)
        step(clients, mind.move(next(c for c, n in mind.entrance.items() if n), 'entrance', 'card', None, JESTER, True))
        for sub_phase in ('MOVE_STUDENT_1', *SUB_PHASES):
            play(clients, rng, until=lambda status, wanted=sub_phase: status['subPhase'] == wanted)
            server = server.killed()
            clients = come_back(server, names, code, clients[0].status)
        play(clients, rng)
        assert_equal(Client(server).enter(other)['players'], [{'name': 'zoe', 'online': False}])
        server.stop()
    finally:
        server.close()


def seated_alone(server, name):
    """A client that waits in a game of its own. Where the game was given up before the login, another one is made."""
    while True:
        client = Client(server, name)
        client.code = client.create()
        client.enter(client.code)
        client.send('login', name=name)
        if client.expect('login')['success']:
            return client
        client.close()


def empty_games_are_given_up(_):
    with Server(PARLOR, (*PATIENT, '--eriantys-keep', '0.5')) as server:
        ann, looker = seated_alone(server, 'ann'), Client(server)
        unused = looker.create()
        while looker.enter(unused)['found']:
            looker.expect('ping')
        assert_equal(looker.enter(ann.code)['found'], True)  # ann is still there
        ann.close()
        while looker.enter(ann.code)['found']:
            looker.expect('ping')


def silent_clients_have_left(_):
    with Server(PARLOR, ('--eriantys-silence', '1')) as server:
        silent = Client(server)
        silent.answers_pings = False
        silent.expect_end()


def tables_have_a_ceiling(_):
    with Server(PARLOR, (*PATIENT, '--eriantys-tables-max', '3')) as server:
        playing = begin(server)
        ann = Client(server, 'zoe')
        kept = ann.create()
        ann.login(kept)
        codes = [ann.create() for _ in range(5)]  # those without anybody make room
        found = [Client(server).enter(one)['found'] for one in codes]
        assert_equal(found, [False] * 4 + [True])
        bob = Client(server, 'yan')
        bob.login(codes[-1])
        bob.send('gameCreation', playersNumber=2, expert=False)
        bob.expect('error', message='the server has all the games it can have')
        assert_equal(Client(server).enter(playing[0].code)['found'], False)  # full, not gone


def the_end_of_the_server_is_told(_):
    with Server(PARLOR) as server:
        clients = begin(server)
        idle = Client(server)
        idle.expect('ping')
        server.process.terminate()
        for client in (*clients, idle):
            client.expect('error', message='the server is shutting down')
            client.expect_end()
        server.wait()


def floods_hurt_nobody_else(server):
    """A player who sends refused commands without end, and one who never reads: the others go on."""
    ann, bob = begin(server)
    others = begin(server, ('cid', 'dan'))
    line = b'{"type":"command","subtype":"refill","cloud":0}\n'
    bob.socket.settimeout(0.2)
    try:
        for _ in range(300):
            bob.socket.sendall(line * 50)
    except OSError:
        pass  # the server reads no more of it, or has closed
    play(others, random.Random(12))
    ann.command(subtype='playAssistant', player='ann', assistant=1)
    while ann.read()['type'] != 'turnEnable':  # which is said to ann only in answer to the command
        pass
    bob.close()


def the_last_word_is_answered(server):
    """What was asked before the sending side was closed is answered, also what has to be saved; then the player has left."""
    cid = Client(server, 'cid')
    cid.answers_pings = False
    cid.send('gameCreation', playersNumber=2, expert=False)
    cid.socket.shutdown(socket.SHUT_WR)
    code = cid.expect('gameCreation')['code']
    cid.expect_end()
    dan = Client(server, 'dan')
    dan.answers_pings = False
    dan.send('enterGame', code=code)
    dan.send('login', name='dan')
    dan.socket.shutdown(socket.SHUT_WR)
    dan.expect('enterGame', found=True)
    dan.expect('login', success=True)
    while dan.read() is not None:
        pass
    ann, bob = begin(server)
    ann.answers_pings = False
    ann.command(subtype='playAssistant', player='ann', assistant=1)
    ann.socket.shutdown(socket.SHUT_WR)
    ann.expect('turnEnable', player='ann', enable=False)
    ann.expect('status', activeUser='bob')
    ann.expect('turnEnable', player='bob', enable=True)
    ann.expect_end()
    back = Client(server, 'ann')
    while not back.enter(ann.code)['found']:  # until it is known that ann is gone
        pass
    back.send('login', name='ann')
    back.expect('login', success=True)
    back.expect('status', activeUser='bob')


def main():
    cases = [setup_and_start, waiting_room_is_told_after_each_ping, whole_games_in_order, a_second_game_on_the_same_connections,
             several_games_at_once, commands_are_forwarded_but_not_to_who_pongs_unasked,
             illegal_commands_are_refused_1, what_cannot_be_read_is_refused_2, spellings_are_borne_3, names_of_others_are_refused_4,
             any_island_of_a_group_stands_for_it_5, pings_pongs_and_errors_are_ignored_7, pipelined_commands_have_a_status_each_8,
             half_swaps_10, unused_effects_are_lost_11, payments_are_refused_12, waiting_seats_are_taken_over_13,
             logins_are_refused_14_15, creations_are_refused_16, unknown_games_are_not_found, reconnection_in_every_sub_phase,
             reconnection_in_the_open_half_of_a_swap, two_are_gone_and_come_back,
             old_connections_keep_their_seat_until_they_are_gone, floods_hurt_nobody_else, the_last_word_is_answered, restart_goes_on_where_it_was,
             empty_games_are_given_up, silent_clients_have_left, tables_have_a_ceiling, the_end_of_the_server_is_told]
    with Server(PARLOR) as server:
        rows = [(case.__name__.replace('_', ' '), lambda case=case: case(server)) for case in cases
                if sys.argv[2:] == [] or sys.argv[2] in case.__name__]
        wire.run_cases([*rows, ('the server ends in order', server.stop)])


main()
