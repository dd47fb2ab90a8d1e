#!/usr/bin/env python3
"""Masters of Renaissance over JSON, on a real server: the set-up, turns, refusals and tolerances. Each test names the rows of
docs/protocols/renaissance.md that it is about; more of them are in renaissance_absence.py and renaissance_clients.py.

usage: renaissance.py PARLOR [CASE]
"""
import json
import socket
import sys

import renaissance_wire
import wire
from renaissance_wire import (KEPT, KINDS, LEADER, MAIN, QUIET, Client, begin, demand, end_turn, join, keep_leaders, market_turn, push, until,
                              with_server)


def nicknames(server):
    """Row 1: 4 to 15 characters without blanks; row 35: one login per connection."""
    client = Client(server)
    for name in ('abc', 'a' * 16, 'with blank', 'tab\tbed', '', 'ab\u00a0cd', 'no\u2028line', 'ab\u200bcd', '\u202eabcd'):
        client.say('loginRequest', username=name)
        client.expect('usernameResponse', isFree=False, username=None)
    for fields in ({}, {'username': None}, {'username': 12345}, {'username': ['alice']}):
        client.say('loginRequest', **fields)
        client.expect('usernameResponse', isFree=False, username=None)
    client.login('z\u00fcri\U0001f40e"\\')
    client.expect('numberOfPlayersSelectionRequest', max=4)
    client.say('loginRequest', username='other')
    client.expect('usernameResponse', isFree=False, username=None)
    other = Client(server)
    other.say('loginRequest', username=client.name)
    other.expect('usernameResponse', isFree=False, username=None)
    other.login('a' * 15).close()
    client.close()


def ask_before_login(server):
    """Row 36: whatever is not a login is refused before one, and changes nothing."""
    client = Client(server)
    for kind in ('numberOfPlayersSelectionReply', 'leaderCardsReply', 'resourcesReply', 'actionReply', 'actionParameters',
                 'rowColumnSelection', 'resourcesManageReply', 'endTurn', 'ping', 'setupUpdate', ''):
        client.say(kind)
        client.expect_error()
    client.login('alice')
    client.expect('numberOfPlayersSelectionRequest')
    client.say('endTurn')
    client.expect_error(then='numberOfPlayersSelectionRequest')
    client.close()


def number_of_players(server):
    """A number outside 1 to 4 is asked for again; row 33: it may come as text."""
    client = Client(server).login('alice')
    client.expect('numberOfPlayersSelectionRequest')
    for number in (0, 5, -1, 2.5, 'two', None, True, [2]):
        client.say('numberOfPlayersSelectionReply', number=number)
        client.expect('numberOfPlayersSelectionRequest')
    client.say('numberOfPlayersSelectionReply', number=' 1 ')
    client.expect('players', players=['alice'])
    client.close()


def queue(server):
    """Rows 2 and 3: logins are answered while the first still chooses; seats are in the order of coming, and who is one too
    many opens the next game."""
    names = ['first', 'second', 'third', 'fourth']
    clients = [Client(server).login(name) for name in names]
    clients[0].expect('numberOfPlayersSelectionRequest')
    clients[0].send('numberOfPlayersSelectionReply', number=3)
    for client in clients[:3]:
        client.expect('players', players=names[:3])
    clients[3].expect('numberOfPlayersSelectionRequest')
    clients[3].send('numberOfPlayersSelectionReply', number=1)
    clients[3].expect('players', players=['fourth'])


def slow_chooser(server):
    """Who is asked for the number and says nothing does not keep others waiting for ever."""
    slow, quick = Client(server).login('slow'), Client(server).login('quick')
    slow.expect('numberOfPlayersSelectionRequest')
    slow.expect('errorMessage', error='INVALID_ACTION')
    message = quick.read()
    while message['type'] != 'players':  # the answer may be too late too: then the turn to choose comes round again
        if message['type'] == 'numberOfPlayersSelectionRequest':
            quick.send('numberOfPlayersSelectionReply', number=2)
        message = quick.read()
    demand(message['players'] == ['quick', 'slow'], 'who has chosen sits first')
    until(slow, 'players')


def lobby_left(server):
    """Row 32: who leaves before everybody has come is forgotten: the nickname is free, and so is the seat."""
    alice, bobby, other = (Client(server).login(name) for name in ('alice', 'bobby', 'other'))
    alice.expect('numberOfPlayersSelectionRequest')
    alice.close()  # before having chosen
    bobby.expect('numberOfPlayersSelectionRequest')
    bobby.send('numberOfPlayersSelectionReply', number=3)
    other.close()
    while True:  # until the server has noticed
        other = Client(server)
        other.send('loginRequest', username='other')
        if other.expect('usernameResponse')['isFree']:
            break
    alice = Client(server).login('alice')
    seated = set()
    for client in (alice, bobby, other):
        seated.add(tuple(client.expect('players')['players']))
    demand(len(seated) == 1 and set(seated.pop()) == {'alice', 'bobby', 'other'}, 'not everybody plays')


def lobby_back(server):
    """Row 32: who logs in again at once is no longer at the table, and takes the seat that is free; nobody asks for a number."""
    alice, bobby = Client(server).login('alice'), Client(server).login('bobby')
    alice.expect('numberOfPlayersSelectionRequest')
    alice.send('numberOfPlayersSelectionReply', number=3)
    for _ in range(20):
        bobby.socket.shutdown(socket.SHUT_WR)
        bobby.answers_pings = False
        bobby.expect_end()  # the server knows, and saves it
        bobby = Client(server).login('bobby')
        bobby.expect_nothing()
    carol = Client(server).login('carol')
    demand(set(bobby.expect('players')['players']) == {'alice', 'bobby', carol.name}, 'not everybody plays')


def lobby_forlorn(server):
    """Row 32: a game that everybody has left before it began is not waiting for those who come later."""
    alice = Client(server).login('alice')
    alice.expect('numberOfPlayersSelectionRequest')
    alice.send('numberOfPlayersSelectionReply', number=2)
    alice.close()
    names = iter(f'late{number}' for number in range(1000))
    while True:
        late = Client(server).login(next(names))
        late.say('nothing')
        if late.read()['type'] == 'numberOfPlayersSelectionRequest':
            break
        late.close()  # it has still found the game of alice, who was about to leave


def set_up_order(server):
    """Rows 3, 4, 5 and the order of the messages of the set-up, for four."""
    names = ['alice', 'bobby', 'carol', 'david']
    clients = join(server, names)
    keep_leaders(clients)
    for seat in (3, 1, 0):  # in any order
        clients[seat].send('resourcesReply', warehouse={'1': ['COINS'] * [0, 1, 1, 2][seat]})
        clients[seat].expect('resourcesResponse', accepted=True)
        clients[seat].expect_nothing()
    clients[2].send('resourcesReply', username='carol', warehouse={'0': ['SHIELDS'], '1': [], '2': []})
    clients[2].expect('resourcesResponse')
    for client in clients:
        _, _, setup = client.expect_all('devCardGrid', 'market', 'setupUpdate')
        demand(list(setup['leaderCards']) == names, 'the leaders of all are shown, in the order of the seats')
        demand(setup['warehouse']['david'] == {'0': [], '1': ['COINS', 'COINS'], '2': []}, 'the coins of david')
        demand(setup['faithTrackPositions'] == dict(zip(names, (0, 0, 1, 1))), 'the first places')
        demand(len({leader for leaders in setup['leaderCards'].values() for leader in leaders}) == 8, 'leaders')
    clients[0].expect('possibleAction', actions=LEADER + MAIN)
    for client in clients[1:]:
        client.expect('startTurn', nickname='alice')
        client.expect_nothing()


def leaders_refused(server):
    """Rows 19, 20, 21 and 36 in the set-up: leaders that were not offered, twice the same, too many."""
    clients = join(server, ['alice', 'bobby'])
    for client in clients:
        client.expect_all('players', 'devCardGrid', 'market')
    alice, bobby = clients
    dealt = alice.expect('leaderCardsRequest')['leaderCards']
    others = bobby.expect('leaderCardsRequest')['leaderCards']
    for cards in ([dealt[0]] * 2, [dealt[0], others[0]], dealt[:1], dealt[:3], [], None, 'L001', ['L000', dealt[0]],
                  ['L017', dealt[0]], [dealt[0], 'D001'], [1, 2], [dealt[0], None]):
        alice.say('leaderCardsReply', leaderCards=cards)
        alice.expect_error('STARTING_LEADER_CARD')
        alice.expect('leaderCardsRequest', leaderCards=dealt)  # all four
    alice.say('leaderCardsReply', username='bobby', leaderCards=dealt[:2])  # row 10
    alice.expect_error(then='leaderCardsRequest')
    alice.say('resourcesReply', warehouse={})
    alice.expect_error(then='leaderCardsRequest')
    alice.say('leaderCardsReply', leaderCards=[dealt[3].lower(), dealt[0]])  # row 33
    alice.expect('leaderCardsResponse', accepted=True)
    alice.say('leaderCardsReply', leaderCards=dealt[:2])
    alice.expect_error()
    bobby.send('leaderCardsReply', leaderCards=others[:2])
    bobby.expect_all('leaderCardsResponse', 'resourcesRequest')
    alice.expect('resourcesRequest', number=0)


def resources_refused(server):
    """Row 22: starting resources keep the rules of depots; rows 12 and 33."""
    clients = join(server, ['alice', 'bobby', 'carol', 'david'])
    keep_leaders(clients)
    david = clients[3]
    for warehouse in ({'0': ['COINS', 'COINS']}, {'0': ['COINS'], '1': ['COINS']}, {'1': ['COINS', 'STONES']}, {'1': ['COINS']},
                      {'2': ['COINS'] * 3}, {}, {'3': ['COINS'] * 2}, {'5': ['COINS'] * 2}, {'x': ['COINS'] * 2}, None, [],
                      {'1': 'COINS'}, {'1': ['FAITH', 'COINS']}, {'1': [None, None]}, {'1': {'COINS': 2}}):
        david.say('resourcesReply', warehouse=warehouse)
        david.expect_error('STARTING_RESOURCES')
        david.expect('resourcesRequest', number=2)
    david.say('resourcesReply', warehouse={'2': ['coins'], ' 0 ': ['Stones'], '4': []})
    david.expect('resourcesResponse')
    alice = clients[0]
    alice.say('resourcesReply', warehouse={'0': ['COINS']})
    alice.expect_error('STARTING_RESOURCES')
    alice.expect('resourcesRequest', number=0)
    alice.say('resourcesReply')
    alice.expect_error('STARTING_RESOURCES', then='resourcesRequest')
    alice.send('resourcesReply', warehouse={})
    alice.expect('resourcesResponse')


def solo_set_up(server):
    """The same for one: no resources, and Lorenzo is not seen before he acts."""
    alice, = begin(server, ['alice'])
    demand(alice.setup['faithTrackPositions'] == {'alice': 0}, 'the first place')


def turn_order(server):
    """A whole turn as everybody sees it, message by message."""
    alice, bobby = clients = begin(server)
    row = alice.market['marbles'][0]
    taken = push(alice)
    bobby.expect_nothing()
    gained = [renaissance_wire.MARBLES[marble] for marble in row if marble in renaissance_wire.MARBLES]
    demand(sorted(taken) == sorted(gained), f'{row} gives {taken}')
    alice.send('resourcesManageReply', warehouse={'0': [], '1': [], '2': []}, discard={kind: taken.count(kind) for kind in KINDS})
    if 'RED' in row or taken:
        for client in clients:
            client.expect('faithTrackUpdate', report=False, vaticanReportActivated=[], vaticanReportPosition=0,
                          faithTrackPositions={'alice': row.count('RED'), 'bobby': len(taken)})
    for client in clients:
        client.expect('layoutUpdate', nickname='alice', action='MARKETACTION', index=0, isRow=True, freeMarble=row[0],
                      warehouse={'0': [], '1': [], '2': []}, strongbox=None)
    alice.expect('possibleAction', actions=LEADER + ['ENDTURN'])
    end_turn(alice)
    bobby.expect('possibleAction', actions=LEADER + MAIN)
    alice.expect('startTurn', nickname='bobby')
    alice.expect_nothing()


def columns_move_up(server):
    """Row 33, and the push of a column: the free marble enters at the bottom."""
    alice, bobby = begin(server)
    column = [row[2] for row in alice.market['marbles']]
    alice.say('actionReply', action='marketaction')
    alice.expect('actionResponse', action='MARKETACTION')
    alice.say('rowColumnSelection', index='2', isRow='false')
    taken = alice.expect('resourcesManageRequest')['resources']
    alice.say('resourcesManageReply', warehouse={}, discard=[kind.lower() for kind in taken])
    layout = until(bobby, 'layoutUpdate')
    demand([row[2] for row in layout['marbles']] == column[1:] + [alice.market['freeMarble']], 'the column')
    demand(layout['freeMarble'] == column[0] and layout['isRow'] is False and layout['index'] == 2, 'the free marble')


def out_of_turn(server):
    """Rows 6, 9 and 36: who is not on turn is refused, is asked for nothing, and nobody else notices."""
    alice, bobby = begin(server)
    for kind, fields in (('actionReply', {'action': 'MARKETACTION'}), ('actionReply', {'action': 'ENDTURN'}), ('endTurn', {}),
                         ('rowColumnSelection', {'index': 0, 'isRow': True}), ('resourcesManageReply', {'warehouse': {}}),
                         ('actionParameters', {'action': 'PLAYLEADERCARD', 'id': 'L001'}),
                         ('leaderCardsReply', {'leaderCards': ['L001', 'L002']}), ('resourcesReply', {'warehouse': {}}),
                         ('numberOfPlayersSelectionReply', {'number': 2})):
        bobby.say(kind, **fields)
        bobby.expect_error()
        bobby.expect_nothing()
    alice.expect_nothing('possibleAction')
    push(alice)
    bobby.say('resourcesManageReply', warehouse={})
    bobby.expect_error()
    alice.expect_nothing('resourcesManageRequest')


def refused_actions(server):
    """Rows 6, 7, 8, 9, 10, 19 and 36 for who is on turn: refused, and asked again."""
    alice, bobby = begin(server)
    hand = alice.setup['leaderCards']['alice']
    for kind, fields in (('actionReply', {'action': 'ENDTURN'}), ('actionReply', {'action': 'MANAGE'}), ('actionReply', {}),
                         ('endTurn', {}), ('rowColumnSelection', {'index': 0, 'isRow': True}),
                         ('actionParameters', {'action': 'DISCARDLEADERCARD', 'id': hand[0]}), ('actionParameters', {}),
                         ('resourcesManageReply', {'warehouse': {}}), ('leaderCardsReply', {'leaderCards': hand})):
        alice.say(kind, **fields)
        alice.expect_error()
        alice.expect('possibleAction', actions=LEADER + MAIN)

    def refused(action, kind='actionParameters', then='possibleAction', named=None, **fields):
        alice.send('actionReply', action=action)
        alice.expect('actionResponse', action=action)
        alice.say(kind, **fields, **({'action': named} if named else {}))
        alice.expect_error(then=then)

    refused('DISCARDLEADERCARD', id=hand[0], username='bobby')
    refused('DISCARDLEADERCARD', id=hand[0], username=7)
    refused('DISCARDLEADERCARD', id=alice.setup['leaderCards']['bobby'][0])
    refused('DISCARDLEADERCARD', id='L999')
    refused('DISCARDLEADERCARD')
    refused('DISCARDLEADERCARD', id=hand[0], named='PLAYLEADERCARD')
    refused('PLAYLEADERCARD', id=hand[0])  # nobody has earned one yet
    refused('MARKETACTION', id=hand[0])
    refused('MARKETACTION', kind='rowColumnSelection', index=3, isRow=True)
    refused('MARKETACTION', kind='rowColumnSelection', index=4, isRow=False)
    refused('MARKETACTION', kind='rowColumnSelection', index=-1, isRow=True)
    refused('MARKETACTION', kind='rowColumnSelection', index=0)
    refused('MARKETACTION', kind='rowColumnSelection', isRow=True)
    refused('MARKETACTION', kind='rowColumnSelection', index=0, isRow='maybe')
    refused('MARKETACTION', kind='rowColumnSelection', index=0, isRow=True, exchangeResources=['COINS'])  # row 15
    refused('USEPRODUCTION', kind='rowColumnSelection', index=0, isRow=True)
    refused('USEPRODUCTION')
    refused('USEPRODUCTION', devCardSlots=[0])
    refused('USEPRODUCTION', boardResources=['COINS', 'COINS', 'STONES'])
    refused('BUYDEVELOPMENTCARD')
    refused('BUYDEVELOPMENTCARD', color='GREEN', level=1, devCardSlot=0, paymentResources={})
    refused('BUYDEVELOPMENTCARD', color='RED', level=1, devCardSlot=0, paymentResources={})
    refused('BUYDEVELOPMENTCARD', color='GREEN', level=4, devCardSlot=0, paymentResources={})
    # The choice may change until the parameters come.
    alice.send('actionReply', action='BUYDEVELOPMENTCARD')
    alice.expect('actionResponse', action='BUYDEVELOPMENTCARD')
    alice.send('actionReply', action='DISCARDLEADERCARD')
    alice.expect('actionResponse', action='DISCARDLEADERCARD')
    alice.send('actionParameters', username='alice', action='DISCARDLEADERCARD', id=hand[0])
    alice.expect('faithTrackUpdate', faithTrackPositions={'alice': 1, 'bobby': 0})
    alice.expect('layoutUpdate', nickname='alice', action='DISCARDLEADERCARD', id=hand[0])
    alice.expect('possibleAction', actions=LEADER + MAIN)
    refused('PLAYLEADERCARD', id='L999')  # row 19: with one card in the hand
    refused('DISCARDLEADERCARD', id=hand[0])
    for message in ('faithTrackUpdate', 'layoutUpdate'):
        bobby.expect(message)
    push(alice)
    alice.send('resourcesManageReply', warehouse={})
    until(alice, 'possibleAction')
    for action in MAIN:  # row 8
        alice.send('actionReply', action=action)
        alice.expect_error()
        alice.expect('possibleAction', actions=LEADER + ['ENDTURN'])
    alice.send('endTurn')  # row 9: without actionReply too
    alice.expect('startTurn', nickname='bobby')


def manage_refused(server):
    """Rows 11, 12 and 13: the warehouse after the market must add up."""
    alice, bobby = begin(server)
    rows = [[marble for marble in row if marble in renaissance_wire.MARBLES] for row in alice.market['marbles']]
    row = max(range(3), key=lambda at: (len(set(rows[at])) < 4, len(rows[at])))  # one kind is to be missing
    taken = push(alice, row)
    first, missing = taken[0], next(kind for kind in KINDS if kind not in taken)
    for fields in ({'warehouse': {'2': [missing]}}, {'warehouse': {'0': [first], '2': [first] * 3}},
                   {'warehouse': {'0': [first] * 2}}, {'warehouse': {'1': [first, missing]}}, {'warehouse': {'3': [first]}},
                   {'warehouse': {'9': [first]}}, {'warehouse': {}, 'discard': {}}, {'warehouse': {}, 'discard': {missing: 1}},
                   {'warehouse': {'0': [first]}, 'discard': {kind: taken.count(kind) for kind in KINDS}},
                   {'warehouse': {}, 'discard': {first: -1}}, {'warehouse': {}, 'discard': 'all'}, {'warehouse': None}, {},
                   {'warehouse': [[first]]}, {'warehouse': {'0': [first]}, 'discard': {'FAITH': 0}}):
        alice.say('resourcesManageReply', **fields)
        alice.expect_error('MANAGE_RESOURCES')
        alice.expect('resourcesManageRequest', resources=taken)
    alice.say('actionReply', action='ENDTURN')
    alice.expect_error(then='resourcesManageRequest')
    bobby.expect_nothing()
    alice.say('resourcesManageReply', warehouse={'0': [first]}, discard=None)
    until(alice, 'possibleAction')
    layout = until(bobby, 'layoutUpdate')
    demand(layout['warehouse'] == {'0': [first], '1': [], '2': []}, 'one is kept')
    end_turn(alice)
    bobby.expect('possibleAction')
    market_turn([alice, bobby][::-1], 0)
    # What was there before may be thrown away too, a step of faith for the other each.
    until(alice, 'possibleAction')
    before = [message for message in alice.heard if 'faithTrackPositions' in message][-1]['faithTrackPositions']
    taken = push(alice)
    alice.send('resourcesManageReply', warehouse={})
    after = until(bobby, 'faithTrackUpdate')['faithTrackPositions']
    demand(after['bobby'] - before['bobby'] == len(taken) + 1, 'the old one counts')


def end_turn_twice(server):
    """Row 9 and the decision about ENDTURN: one endTurn right after it is swallowed, no second one, and not later."""
    alice, bobby = begin(server)
    push(alice)
    alice.send('resourcesManageReply', warehouse={})
    until(alice, 'possibleAction')
    end_turn(alice)
    alice.send('endTurn')
    alice.expect('startTurn', nickname='bobby')
    alice.send('endTurn')
    alice.expect_error()
    until(bobby, 'possibleAction')
    bobby.expect_nothing('possibleAction')
    alice.close()
    solo, = begin(server, ['soloist'])
    push(solo)
    solo.send('resourcesManageReply', warehouse={})
    until(solo, 'possibleAction')
    end_turn(solo)
    solo.send('endTurn')
    until(solo, 'possibleAction')
    solo.expect_nothing('possibleAction')


def lenient(server):
    """Row 7 with --renaissance-lenient: the action named in the parameters counts."""
    alice, = begin(server, ['alice'])
    hand = alice.setup['leaderCards']['alice']
    alice.send('actionParameters', action='DISCARDLEADERCARD', id=hand[0])
    alice.expect_all('faithTrackUpdate', 'layoutUpdate', 'possibleAction')
    alice.say('actionParameters', id=hand[1])
    alice.expect_error(then='possibleAction')
    alice.send('rowColumnSelection', index=0, isRow=True)
    alice.expect('resourcesManageRequest')


def lines(server):
    """Row 34: what is no message is refused, and the connection stays; a line over 64 KiB ends it. Any split, CR and LF."""
    client = Client(server)
    for line in ('{', 'nonsense', '[]', '"text"', '17', 'null', '{"type":"pong"} x', '{"type":1}', '{"type":"pong","type":"pong"}',
                 '{"type":"loginRequest","username":"\\ud800"}', '[' * 5000, '{"a":' * 40 + '1' + '}' * 40):
        client.send_raw(line)
        client.expect_error()
    client.send_raw(b'\xff\xfe{}\n')
    client.expect_error()
    client.send_raw(b'{"type":"loginRequest","username":"nul\x00l"}\n')
    client.expect_error()
    client.send_raw(b'\n\r\n\r\r\n')  # blank lines
    client.say('loginRequest', username='alice', more=[1, {'x': None}])  # unknown fields are ignored
    client.expect('usernameResponse', isFree=True)
    client.expect('numberOfPlayersSelectionRequest')
    client.send_raw('nonsense')
    client.expect_error(then='numberOfPlayersSelectionRequest')
    for byte in b'{"type":"numberOfPlayersSelectionReply","number":1}\r\n':
        client.send_raw(bytes([byte]))
    client.expect_all('players', 'devCardGrid', 'market', 'leaderCardsRequest')
    client.send_raw(b'x' * 65536 + b'\n')
    client.expect_error(then='leaderCardsRequest')
    client.send_raw(b'x' * 65537)
    client.expect_error()
    client.expect_end()


def pipelined(server):
    """Everything at once: each message is judged when the one before is done."""
    alice, bobby = begin(server)
    hand = alice.setup['leaderCards']['alice']
    alice.send_raw(b''.join(json.dumps(message).encode() + b'\n' for message in (
        {'type': 'actionReply', 'action': 'DISCARDLEADERCARD'}, {'type': 'actionParameters', 'id': hand[0]},
        {'type': 'actionReply', 'action': 'DISCARDLEADERCARD'}, {'type': 'actionParameters', 'id': hand[1]},
        {'type': 'actionReply', 'action': 'MARKETACTION'}, {'type': 'rowColumnSelection', 'index': 0, 'isRow': True},
        {'type': 'resourcesManageReply', 'warehouse': {}}, {'type': 'actionReply', 'action': 'ENDTURN'}, {'type': 'endTurn'})))
    until(alice, 'startTurn')
    demand(not any(message['type'] == 'errorMessage' for message in alice.heard), 'nothing is refused')
    until(bobby, 'possibleAction')


def until_end(client):
    while client.read() is not None:
        pass


def silence(server):
    """A client that answers no ping is dropped. That the others are told is in tests/unit/test_renaissance_port.c, where the
    clock stands still while somebody answers."""
    client = Client(server)
    client.answers_pings = False
    until_end(client)
    demand(client.pings > 0, 'it was pinged before')


def first_ping(server):
    client = Client(server)
    line = client.read_line()
    demand(json.loads(line) == {'type': 'ping'}, 'a ping comes first')


def name_taken_in_game(server):
    """A nickname of a running game is unique on the whole port as long as its player is connected."""
    players = begin(server)
    client = Client(server)
    for name in (player.name for player in players):
        client.say('loginRequest', username=name)
        client.expect('usernameResponse', isFree=False, username=None)
    client.login('ALICE')


def several_tables(server):
    """Tables do not hear of each other."""
    tables = [begin(server, [f'{name}{at}' for name in ('alice', 'bobby')]) for at in range(5)]
    for clients in tables:
        market_turn(clients, 0)
    for clients in tables:
        clients[1].expect('possibleAction')
        clients[1].expect_nothing('possibleAction')
        others = {client.name for other in tables if other is not clients for client in other}
        demand(not any(name in json.dumps(client.heard) for client in clients for name in others), 'a word of another table')


CASES = [
    ('nicknames: rows 1, 35', with_server(nicknames)),
    ('messages before a login: row 36', with_server(ask_before_login)),
    ('the number of players: row 33', with_server(number_of_players)),
    ('a queue of logins: rows 2, 3', with_server(queue)),
    ('who does not choose goes behind', with_server(slow_chooser, *QUIET, '--renaissance-answer-time', '0.2')),
    ('a lobby is left: row 32', with_server(lobby_left)),
    ('a lobby is left for a moment: row 32', with_server(lobby_back, *KEPT)),
    ('a lobby that all have left: row 32', with_server(lobby_forlorn)),
    ('the order of the set-up: rows 3, 4, 5', with_server(set_up_order)),
    ('leaders that are refused: rows 10, 19, 20, 21, 33, 36', with_server(leaders_refused)),
    ('starting resources that are refused: rows 12, 22, 33', with_server(resources_refused)),
    ('the set-up alone', with_server(solo_set_up)),
    ('a turn, message by message', with_server(turn_order)),
    ('columns, and words in small letters: row 33', with_server(columns_move_up)),
    ('out of turn: rows 6, 9, 36', with_server(out_of_turn)),
    ('refused actions: rows 6, 7, 8, 9, 10, 15, 19, 36', with_server(refused_actions)),
    ('refused warehouses: rows 11, 12, 13', with_server(manage_refused)),
    ('endTurn after ENDTURN: row 9', with_server(end_turn_twice)),
    ('parameters alone: row 7', with_server(lenient, *QUIET, '--renaissance-lenient')),
    ('lines: row 34', with_server(lines)),
    ('everything at once', with_server(pipelined)),
    ('a ping comes first', with_server(first_ping)),
    ('silence', with_server(silence, '--store', 'memory', '--renaissance-silence', '0.5')),
    ('nicknames of running games', with_server(name_taken_in_game)),
    ('several tables', with_server(several_tables)),
]
if __name__ == '__main__':
    wire.run_cases([(name, case) for name, case in CASES if ''.join(sys.argv[2:3]) in name])
