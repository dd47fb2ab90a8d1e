#!/usr/bin/env python3
"""Masters of Renaissance over JSON, on a real server: the set-up, turns, refusals, tolerances (each test names the rows of
docs/protocols/renaissance.md that it is about), absence and return in every phase, several tables, restarts, and programs
that play whole games.

usage: renaissance.py PARLOR
"""
import json
import random
import re
import sys

import renaissance_wire
import wire
from renaissance_wire import KINDS, LEADER, MAIN, Client, Mind, Party, begin, join, keep_leaders

PARLOR = sys.argv[1]
QUIET = ('--store', 'memory', '--renaissance-silence', '60')


def with_server(case, *options):
    def run():
        with renaissance_wire.Server(PARLOR, options or QUIET) as server:
            case(server)
            if server.process.poll() is None:  # unless the case has killed it
                server.stop()
    return run


def demand(condition, why):
    if not condition:
        raise wire.Failure(why)


# The set-up

def nicknames(server):
    """Row 1: 4 to 15 characters without blanks; row 35: one login per connection."""
    client = Client(server)
    for name in ('abc', 'a' * 16, 'with blank', 'tab\tbed', '', 'ab\u00a0cd', 'no\u2028line'):
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
    quick.expect('numberOfPlayersSelectionRequest')
    quick.send('numberOfPlayersSelectionReply', number=2)
    for client in (slow, quick):
        client.expect('players', players=['quick', 'slow'])


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


# Turns

def push(client, index=0, is_row=True, **fields):
    client.send('actionReply', action='MARKETACTION')
    client.expect('actionResponse', action='MARKETACTION')
    client.send('rowColumnSelection', username=client.name, index=index, isRow=is_row, **fields)
    return client.expect('resourcesManageRequest')['resources']


def end_turn(client):
    client.send('actionReply', action='ENDTURN')
    client.expect('actionResponse', action='ENDTURN')


def until(client, *kinds):
    while True:
        message = client.read()
        demand(message is not None, f'{client.name}: the stream has ended')
        if message['type'] in kinds:
            return message


def market_turn(clients, mover):
    """The mover takes the first row, discards everything and ends its turn; everybody has read until then."""
    push(clients[mover])
    clients[mover].send('resourcesManageReply', warehouse={})
    for client in clients:
        until(client, 'layoutUpdate')
    clients[mover].expect('possibleAction')
    end_turn(clients[mover])


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
    rows = alice.market['marbles']
    row = max(range(3), key=lambda at: sum(marble in renaissance_wire.MARBLES for marble in rows[at]))
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


# Lines

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


def pings(server):
    """A ping at once and then every two seconds; a client that stays silent is dropped, and the others are told."""
    alice, bobby = begin(server)
    alice.answers_pings = False
    bobby.expect('disconnectionMessage', nickname='alice')
    bobby.expect('possibleAction')
    demand(alice.pings > 0 or alice.read() is None, 'a ping comes at once')
    until_end(alice)
    demand(bobby.pings > 1, 'pings go on')


def until_end(client):
    while client.read() is not None:
        pass


def first_ping(server):
    client = Client(server)
    line = client.read_line()
    demand(json.loads(line) == {'type': 'ping'}, 'a ping comes first')


# Absence and return

def names_of(leaders):
    return set(re.findall(r'L0\d\d', json.dumps(leaders)))


def leave_in_set_up(server):
    """Who leaves while leaders are chosen, or resources, does not block the others; what is owed is made up for on return,
    and the set-up is then told to that player alone. The seat keeps its bonus."""
    alice, bobby, carol = join(server, ['alice', 'bobby', 'carol'])
    for client in (alice, bobby, carol):
        client.expect_all('players', 'devCardGrid', 'market', 'leaderCardsRequest')
    dealt = {client.name: client.heard[-1]['leaderCards'] for client in (alice, bobby, carol)}
    carol.close()
    for client in (alice, bobby):
        client.expect('disconnectionMessage', nickname='carol')
        client.send('leaderCardsReply', leaderCards=dealt[client.name][:2])
        client.expect('leaderCardsResponse')
    for client in (alice, bobby):
        client.expect_all('faithTrackUpdate', 'resourcesRequest')
    bobby.close()
    alice.expect('disconnectionMessage', nickname='bobby')
    alice.send('resourcesReply', warehouse={})
    alice.expect('resourcesResponse')
    setup = alice.expect_all('devCardGrid', 'market', 'setupUpdate')[2]
    demand(setup['leaderCards'] == {'alice': dealt['alice'][:2], 'bobby': dealt['bobby'][:2], 'carol': []}, 'leaders')
    alice.expect('possibleAction')
    carol = Client(server, 'carol')
    update = carol.back()
    demand(update['setupDone'] is False and update['leaderCards'] == [], 'carol has chosen nothing')
    demand(update['playersConnected'] == {'alice': True, 'bobby': False, 'carol': True}, 'who is there')
    carol.expect('startTurn', nickname='alice')
    carol.expect('leaderCardsRequest', leaderCards=dealt['carol'])
    alice.expect('reconnectionMessage', nickname='carol')
    carol.send('leaderCardsReply', leaderCards=dealt['carol'][2:])
    carol.expect('leaderCardsResponse')
    carol.expect('resourcesRequest', number=1)
    bobby = Client(server, 'bobby')
    update = bobby.back()
    demand(update['setupDone'] is False and update['leaderCards'] == dealt['bobby'][:2], 'bobby has his leaders')
    bobby.expect('startTurn', nickname='alice')
    bobby.expect('resourcesRequest', number=1)
    carol.expect('reconnectionMessage', nickname='bobby')
    for client in (carol, bobby):
        client.send('resourcesReply', warehouse={'0': ['SHIELDS']})
        client.expect('resourcesResponse')
        setup = client.expect('setupUpdate')
        demand(setup['warehouse'][client.name]['0'] == ['SHIELDS'] and len(setup['leaderCards'][client.name]) == 2, 'set-up')
        client.expect_nothing()
    alice.expect('reconnectionMessage', nickname='bobby')
    clients = [alice, bobby, carol]
    market_turn(clients, 0)
    bobby.expect('possibleAction', actions=LEADER + MAIN)


def leave_alone_in_set_up(server):
    """Alone, the set-up waits as it is."""
    alice, = join(server, ['alice'])
    dealt = alice.expect_all('players', 'devCardGrid', 'market', 'leaderCardsRequest')[3]['leaderCards']
    alice.close()
    alice = back(server, 'alice')
    alice.expect('lorenzoUpdate', faithTrackPosition=0, message='')
    alice.expect('leaderCardsRequest', leaderCards=dealt)
    alice.send('leaderCardsReply', leaderCards=dealt[:2])
    alice.expect_all('leaderCardsResponse', 'resourcesRequest')
    alice.close()
    alice = back(server, 'alice')
    alice.expect('lorenzoUpdate')
    alice.expect('possibleAction', actions=LEADER + MAIN)


def back(server, name):
    """A connection that has come back to its seat as soon as the server has noticed that the last one is gone."""
    while True:
        client = Client(server, name)
        client.send('loginRequest', username=name)
        if client.read()['type'] == 'players':
            client.expect_all('devCardGrid', 'market')
            client.update = client.expect('reconnectionUpdate', username=name)
            return client
        client.close()


def leave_between_turns(server):
    """Rows 24, 39, 40: who leaves on another's turn is skipped, and comes back to everything that may be known."""
    alice, bobby, carol = begin(server, ['alice', 'bobby', 'carol'])
    carol_hand = carol.setup['leaderCards']['carol']
    carol.close()
    for client in (alice, bobby):
        client.expect('disconnectionMessage', nickname='carol')
    for mover, other in ((alice, bobby), (bobby, alice)):
        market_turn([mover, other], 0)
        other.expect('possibleAction')
        mover.expect('startTurn', nickname=other.name)
    carol = back(server, 'carol')
    update = carol.update
    for client in (alice, bobby):
        client.expect('reconnectionMessage', nickname='carol')
    demand(update['leaderCards'] == carol_hand, 'the own hand')
    demand(update['cardsInHand'] == {'alice': 2, 'bobby': 2, 'carol': 2}, 'the hands of others are counted')
    demand(update['warehouse']['carol'] == {'0': [], '1': ['STONES'], '2': []}, 'the own warehouse')
    last = [message for message in alice.heard if 'faithTrackPositions' in message][-1]['faithTrackPositions']
    demand(update['faithTrackPositions'] == last, 'absent players get faith from what others discard')
    demand(update['devCards'] == dict.fromkeys(['alice', 'bobby', 'carol'], [None] * 3), 'no cards yet')
    hidden = set(alice.setup['leaderCards']['alice'] + alice.setup['leaderCards']['bobby'])
    demand(not names_of(update) & hidden, 'leaders of others are hidden')
    carol.expect('startTurn', nickname='alice')
    carol.expect_nothing()
    market_turn([alice, bobby, carol], 0)
    bobby.expect('possibleAction')
    market_turn([bobby, alice, carol], 0)
    until(carol, 'possibleAction')


def leave_on_turn(server):
    """Who leaves on the own turn, before the main action, after choosing one and after it: the turn is over."""
    alice, bobby = begin(server)
    alice.close()
    bobby.expect('disconnectionMessage', nickname='alice')
    bobby.expect('possibleAction', actions=LEADER + MAIN)
    alice = back(server, 'alice')
    alice.expect('startTurn', nickname='bobby')
    bobby.expect('reconnectionMessage', nickname='alice')
    bobby.send('actionReply', action='MARKETACTION')
    bobby.expect('actionResponse')
    bobby.close()
    alice.expect('disconnectionMessage', nickname='bobby')
    alice.expect('possibleAction')
    bobby = back(server, 'bobby')
    bobby.expect('startTurn', nickname='alice')
    alice.expect('reconnectionMessage')
    push(alice)
    alice.send('resourcesManageReply', warehouse={})
    until(alice, 'possibleAction')
    until(bobby, 'layoutUpdate')
    alice.close()  # after the main action
    bobby.expect('disconnectionMessage')
    bobby.expect('possibleAction', actions=LEADER + MAIN)
    bobby.say('rowColumnSelection', index=0, isRow=True)  # the choice of the turn that was lost does not count
    bobby.expect_error(then='possibleAction')


def leave_in_market(server):
    """Who leaves in the middle of a market action: the push stands, what was taken is discarded for the others' faith, the
    warehouse is as before, the turn is over."""
    alice, bobby = begin(server)
    before = alice.market
    taken = push(alice, 1)
    alice.close()
    bobby.expect('disconnectionMessage', nickname='alice')
    row = before['marbles'][1]
    if taken or 'RED' in row:
        bobby.expect('faithTrackUpdate', faithTrackPositions={'alice': row.count('RED'), 'bobby': len(taken)})
    layout = bobby.expect('layoutUpdate', nickname='alice', action='MARKETACTION', index=1, isRow=True)
    demand(layout['marbles'][1] == row[1:] + [before['freeMarble']] and layout['freeMarble'] == row[0], 'the push stands')
    demand(layout['warehouse'] == {'0': [], '1': [], '2': []}, 'nothing is kept')
    bobby.expect('possibleAction', actions=LEADER + MAIN)
    alice = back(server, 'alice')
    alice.expect('startTurn', nickname='bobby')
    alice.say('resourcesManageReply', warehouse={})
    alice.expect_error()


def leave_alone_in_market(server):
    """Alone, the game waits: the market action is where it was, and Lorenzo does nothing meanwhile."""
    alice, = begin(server, ['alice'])
    taken = push(alice)
    alice.close()
    alice = back(server, 'alice')
    alice.expect('lorenzoUpdate', faithTrackPosition=0, message='')
    alice.expect('resourcesManageRequest', resources=taken)
    alice.send('resourcesManageReply', warehouse={})
    until(alice, 'possibleAction')
    alice.close()
    alice = back(server, 'alice')
    alice.expect('lorenzoUpdate')
    alice.expect('possibleAction', actions=LEADER + ['ENDTURN'])
    end_turn(alice)
    demand(until(alice, 'lorenzoUpdate')['message'] != '', 'Lorenzo acts')


def everybody_leaves(server):
    """When all were away, the first to return plays."""
    alice, bobby, carol = begin(server, ['alice', 'bobby', 'carol'])
    for client in (carol, alice, bobby):
        client.close()
    carol = back(server, 'carol')
    carol.expect('possibleAction', actions=LEADER + MAIN)
    push(carol)
    carol.send('resourcesManageReply', warehouse={})
    until(carol, 'possibleAction')
    end_turn(carol)
    carol.expect('possibleAction', actions=LEADER + MAIN)


def nobody_returns(server):
    """Row 29: a game that everybody has left is given up after a time, and the nicknames are free again."""
    alice, bobby = begin(server)
    alice.close()
    bobby.expect('disconnectionMessage')
    bobby.close()
    while True:  # --renaissance-keep is so short that it is over before anybody can log in, sooner or later
        client = Client(server, 'alice')
        client.send('loginRequest', username='alice')
        message = client.read()
        if message['type'] == 'usernameResponse' and message['isFree']:
            break
        client.close()
    client.expect('numberOfPlayersSelectionRequest')


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


def restart(server):
    """kill -9 in the middle of a market action, and in every phase of the set-up: whoever comes back goes on."""
    alice, bobby = begin(server)
    taken = push(alice)
    others = join(server, ['carol', 'david'])
    for client in others:
        client.expect_all('players', 'devCardGrid', 'market', 'leaderCardsRequest')
    dealt = others[1].heard[-1]['leaderCards']
    others[0].send('leaderCardsReply', leaderCards=others[0].heard[-1]['leaderCards'][:2])
    others[0].expect('leaderCardsResponse')
    lonely = Client(server).login('lonely')
    lonely.expect('numberOfPlayersSelectionRequest')
    lonely.send('numberOfPlayersSelectionReply', number=4)
    Client(server).login('lonely2')
    with server.killed() as again:
        bobby = back(again, 'bobby')  # alice is not away: she may still come back
        bobby.expect('startTurn', nickname='alice')
        demand(bobby.update['playersConnected'] == {'alice': False, 'bobby': True}, 'who is there')
        alice = back(again, 'alice')
        alice.expect('resourcesManageRequest', resources=taken)
        bobby.expect('reconnectionMessage', nickname='alice')
        alice.send('resourcesManageReply', warehouse={})
        until(bobby, 'layoutUpdate')
        until(alice, 'possibleAction')
        end_turn(alice)
        bobby.expect('possibleAction')
        david = back(again, 'david')
        david.expect('leaderCardsRequest', leaderCards=dealt)
        david.send('leaderCardsReply', leaderCards=dealt[:2])
        david.expect('leaderCardsResponse')
        david.expect('resourcesRequest', number=1)
        carol = back(again, 'carol')
        carol.expect_nothing()
        david.send('resourcesReply', warehouse={'1': ['COINS']})
        until(carol, 'setupUpdate')
        carol.expect('possibleAction', actions=LEADER + MAIN)
        lonely = Client(again).login('lonely')  # who waited has lost nothing but the place
        lonely.expect('numberOfPlayersSelectionRequest')
        again.stop()


def restart_without_player(server):
    """After a restart players have a time to come back, then their turns are skipped."""
    begin(server)
    with server.killed() as again:
        bobby = back(again, 'bobby')
        bobby.expect('startTurn', nickname='alice')
        bobby.expect('possibleAction', actions=LEADER + MAIN)
        again.stop()


# Whole games

class Saver(Mind):
    """Alone: never discards what it can store, and never buys."""

    def choose(self, actions):
        if 'ENDTURN' in actions:
            return 'ENDTURN', None
        inputs = [kind for content in self.board.warehouse.values() for kind in content][:2]
        if len(inputs) == 2:
            payment = self.pay({kind: inputs.count(kind) for kind in inputs})
            return 'USEPRODUCTION', {'boardResources': inputs + ['COINS'], 'paymentResources': payment}
        lines = [(row, True, at) for at, row in enumerate(self.ledger.marbles)]
        _, is_row, index = min(lines, key=lambda line: len(set(line[0]) - {'WHITE', 'RED'}))
        return 'MARKETACTION', {'index': index, 'isRow': is_row}

    def arrange(self, taken):
        pool = {kind: taken.count(kind) for kind in KINDS}
        for content in self.board.warehouse.values():
            for kind in content:
                pool[kind] += 1
        warehouse = {}
        for depot, kind in zip((2, 1, 0), sorted(KINDS, key=lambda kind: -pool[kind])):
            warehouse[str(depot)] = [kind] * min(depot + 1, pool[kind])
            pool[kind] -= len(warehouse[str(depot)])
        return warehouse, {kind: amount for kind, amount in pool.items() if amount}


class Waster(Saver):
    """Alone: throws everything away, so that Lorenzo goes ahead."""

    def choose(self, actions):
        if 'ENDTURN' in actions:
            return 'ENDTURN', None
        return 'MARKETACTION', {'index': self.rng.randrange(3), 'isRow': True}

    def arrange(self, taken):
        return {}, {kind: taken.count(kind) for kind in KINDS if kind in taken}


class Buyer(Saver):
    """Buys what it can, lets its cards produce, and takes from the market what it can store."""

    def choose(self, actions):
        if 'ENDTURN' in actions or 'MARKETACTION' not in actions:
            return 'ENDTURN', None
        earned = [leader for leader in self.hand if self.earned(leader)]
        if earned:
            return 'PLAYLEADERCARD', {'id': earned[0]}
        purchases = list(self.purchases())
        if purchases:
            return 'BUYDEVELOPMENTCARD', max(purchases, key=lambda purchase: purchase['level'])
        if sum(map(len, self.board.warehouse.values())) >= 4 and self.rng.random() < 0.6:
            production = self.production()
            if production:
                return 'USEPRODUCTION', production
        lines = [(row, True, at) for at, row in enumerate(self.ledger.marbles)]
        lines += [([row[at] for row in self.ledger.marbles], False, at) for at in range(4)]
        return 'MARKETACTION', dict(zip(('isRow', 'index'), max(lines, key=self.worth)[1:]),
                                    exchangeResources=[])

    def worth(self, line):
        taken = [renaissance_wire.MARBLES[marble] for marble in line[0] if marble in renaissance_wire.MARBLES]
        lost = sum(self.arrange(taken)[1].values())
        return len(taken) - 2.5 * lost + 0.5 * line[0].count('RED')


class Keen(Buyer):
    """Among others: after leaders of one ability, which it plays as soon as it can."""
    ability = 'store'

    def keep(self, dealt):
        return sorted(dealt, key=lambda leader: renaissance_wire.parts(leader)[0] != self.ability)[:2]

    def gain(self):
        wanted = [renaissance_wire.parts(leader)[2] for leader in self.hand]
        return next((kind for kind in wanted if kind in KINDS), self.rng.choice(KINDS))

    def choose(self, actions):
        earned = [leader for leader in self.hand if self.earned(leader)]
        if earned:
            return 'PLAYLEADERCARD', {'id': earned[0]}
        action, parameters = super().choose(actions)
        exchange = self.board.leaders('exchange')
        if action == 'MARKETACTION' and len(exchange) == 2:
            line = self.ledger.marbles[parameters['index']]
            if not parameters['isRow']:
                line = [row[parameters['index']] for row in self.ledger.marbles]
            parameters['exchangeResources'] = [self.rng.choice(exchange) for marble in line if marble == 'WHITE']
        return action, parameters

    def arrange(self, taken):
        return Mind.arrange(self, taken)


class Prober(Party):
    """Random games in which everything is also tried in ways that must be refused, or that a tolerant server takes."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rows = dict.fromkeys((6, 8, 11, 12, 13, 14, 15, 16, 17, 18, 33, 38), 0)

    def probe(self, name, row, kind, action=None, error='INVALID_ACTION', then='possibleAction', **fields):
        """Something that must be refused, after which the same is asked again."""
        client = self.clients[name]
        self.rows[row] += 1
        if action:
            client.say('actionReply', action=action)
            client.expect('actionResponse', action=action)
        client.say(kind, **fields)
        client.expect_error(error)
        client.expect(then)

    def act(self, name, message):
        mind, board = self.minds[name], self.ledger.boards[name]
        if 'ENDTURN' in message['actions']:
            self.probe_twice(name)
        else:
            self.clients[name].send('actionReply', action='ENDTURN')
            self.clients[name].expect_error(then='possibleAction')
            self.rows[6] += 1
        if 'MARKETACTION' in message['actions']:
            self.probe_exchange(name, board)
            self.probe_production(name, mind, board)
        return super().act(name, message)

    def probe_twice(self, name):
        self.rows[8] += 1
        self.clients[name].send('actionReply', action=self.rng.choice(MAIN))
        self.clients[name].expect_error(then='possibleAction')

    def probe_exchange(self, name, board):
        exchange = board.leaders('exchange')
        row = next((at for at, row in enumerate(self.ledger.marbles) if 'WHITE' in row), None)
        if not exchange or row is None:
            return
        whites = self.ledger.marbles[row].count('WHITE')
        wrong = next(kind for kind in KINDS if kind not in exchange)
        for kinds in ([wrong] * whites, exchange[:1] * (whites + 1), [] if len(exchange) == 2 else [exchange[0]] * (whites + 2)):
            self.probe(name, 15, 'rowColumnSelection', action='MARKETACTION', index=row, isRow=True, exchangeResources=kinds)

    def probe_production(self, name, mind, board):
        for slot, cards in enumerate(board.slots):
            inputs = {kind: 2 * amount for kind, amount in renaissance_wire.card(cards[-1], 1).items()} if cards else {}
            payment = mind.pay(inputs) if cards else None
            if payment is not None:
                self.probe(name, 16, 'actionParameters', action='USEPRODUCTION', devCardSlots=[slot, slot], paymentResources=payment)
        leaders = board.leaders('production')
        payment = mind.pay({leaders[0]: 2}) if leaders else None
        if payment is not None:
            self.probe(name, 16, 'actionParameters', action='USEPRODUCTION', leaderCardSlots=[0, 0],
                       leaderResources=['COINS', 'COINS'], paymentResources=payment)

    def send(self, name, kind, **fields):
        """What is sent is said in another way, now and then."""
        self.requests += 1
        self.ledger.request = dict(fields)
        text = json.dumps({'type': kind, **fields})
        payment = fields.get('paymentResources')
        if kind == 'actionParameters' and payment and self.rng.random() < 0.5:
            self.rows[18] += 1
            payment = {place: [kind for kind, amount in amounts.items() for _ in range(amount)] for place, amounts in payment.items()}
            text = json.dumps({'type': kind, **fields, 'paymentResources': payment})
        elif fields.get('boardResources') and self.rng.random() < 0.5:
            self.rows[17] += 1
            text = json.dumps({'type': kind, **fields, 'boardResources': fields['boardResources'][2:]})
        elif self.rng.random() < 0.3 and '"username"' not in text:
            self.rows[33] += 1
            text = re.sub(r'("level": |"index": |"devCardSlot": )(\d)', r'\1"\2"', text)
            text = re.sub(r'"(COINS|STONES|SERVANTS|SHIELDS|L\d+|[A-Z]+CARD|[A-Z]+ACTION|ENDTURN)"', lambda m: m.group(0).lower(), text)
        if kind == 'actionParameters' and fields['action'] == 'BUYDEVELOPMENTCARD':
            board = self.ledger.boards[name]
            number = self.ledger.grid[3 - fields['level']][renaissance_wire.COLORS.index(fields['color'])]
            self.rows[38] += any(kind not in renaissance_wire.card(number, 0) for kind in board.leaders('discount'))
        self.clients[name].send_raw(text)

    def manage(self, name, message):
        warehouse, discard = self.minds[name].arrange(message['resources'])
        kinds = [content[0] for content in warehouse.values() if content]
        self.rows[14] += len(set(kinds)) < len(kinds)
        before = [kind for content in self.ledger.boards[name].warehouse.values() for kind in content]
        self.rows[13] += any(before.count(kind) + message['resources'].count(kind) - amount < before.count(kind)
                             for kind, amount in discard.items())
        everything = before + message['resources']
        if everything:
            missing = [kind for kind in KINDS if everything.count(kind) < 3][0:1]
            for kind in missing:
                self.probe(name, 11, 'resourcesManageReply', error='MANAGE_RESOURCES', then='resourcesManageRequest',
                           warehouse={'2': [kind] * 3})
        if self.rng.random() < 0.3:
            self.rows[12] += 1
            warehouse = {depot: content for depot, content in warehouse.items() if content}
            self.ledger.request = {}
            self.clients[name].say('resourcesManageReply', warehouse=warehouse, discard=None)
            return
        self.send(name, 'resourcesManageReply', warehouse=warehouse, discard=discard)


def probed_games(server):
    """Rows 6, 8, 11 to 18, 33 and 38 wherever they can come up in games of two to four; rows 23, 25, 26 and 27 are held by
    the ledger at every update."""
    rng, rows, number = random.Random(7), {}, 0
    while number < 8 or (number < 60 and not all(rows.values())):
        players = 2 + number % 3
        party = Prober(server, [f'play{number}-{seat}' for seat in range(players)], rng)
        if number % 2 == 1:
            Keen.ability = renaissance_wire.ABILITIES[number // 2 % 4]
            party.minds = {name: Keen(party.ledger, name, rng) for name in party.clients}
        party.play()
        party.close()
        for row, count in party.rows.items():
            rows[row] = rows.get(row, 0) + count
        number += 1
    demand(all(rows.values()), f'not everything came up: {rows}')
    print(f'# {number} games, times that each row came up: {rows}', flush=True)


def secrets(server):
    """Leaders that nobody has played or discarded are in no message to others but in setupUpdate."""
    rng = random.Random(11)
    for number in range(4):
        names = [f'play{number}-{seat}' for seat in range(2 + number % 3)]
        party = Party(server, names, rng)
        party.play()
        for name, client in party.clients.items():
            own = {leader for message in client.heard if message['type'] == 'leaderCardsRequest' for leader in message['leaderCards']}
            shown = set()
            for message in client.heard:
                if message['type'] == 'layoutUpdate':
                    shown |= names_of([message['id']]) if message['action'] in LEADER else set()
                if message['type'] != 'setupUpdate':
                    demand(names_of(message) <= own | shown, f'{name} sees {message}')
        party.close()


def solo_games(server, mind, wanted, tries=80):
    """Plays alone until the game ends as wanted; returns what the client heard."""
    rng = random.Random(3)
    for number in range(tries):
        name = f'{mind.__name__}{number}'[:15]
        party = Party(server, [name], rng)
        party.minds = {name: mind(party.ledger, name, rng)}
        score = party.play()
        party.close()
        heard = party.clients[name].heard
        if wanted(party.ledger, score, heard):
            return heard
    raise wire.Failure(f'no game out of {tries} ended as it should')


def kinds(heard):
    return [message['type'] for message in heard]


def solo_lost_by_faith(server):
    """Lorenzo comes to 24 with his tokens: lorenzoUpdate, endGame, finalScore."""
    heard = solo_games(server, Saver, lambda ledger, score, heard: score['lorenzoWon'] and ledger.lorenzo == 24
                       and 'faith' in heard[-3].get('message', ''))
    demand(kinds(heard)[-3:] == ['lorenzoUpdate', 'endGame', 'finalScore'], kinds(heard)[-5:])


def solo_lost_by_cards(server):
    """A colour has no card left."""
    heard = solo_games(server, Saver, lambda ledger, score, heard: score['lorenzoWon'] and ledger.lorenzo < 24)
    demand(kinds(heard)[-3:] == ['lorenzoUpdate', 'endGame', 'finalScore'], kinds(heard)[-5:])
    grid = heard[-3]['devCardGrid']
    demand(any(not any(row[column] for row in grid) for column in range(4)), f'no colour is gone in {grid}')


def solo_lost_by_discards(server):
    """Row 31: Lorenzo comes to 24 by what the player discards: the game ends after the turn, without a token."""
    heard = solo_games(server, Waster, lambda ledger, score, heard: score['lorenzoWon'] and heard[-2]['type'] == 'actionResponse')
    demand(kinds(heard)[-5:] == ['layoutUpdate', 'endGame', 'possibleAction', 'actionResponse', 'finalScore'], kinds(heard)[-6:])


def solo_won(server):
    """Seven cards, or 24 steps: endGame with the action, finalScore after the turn, and no token any more."""
    heard = solo_games(server, Buyer, lambda ledger, score, heard: not score['lorenzoWon'])
    demand(kinds(heard)[-4:] == ['endGame', 'possibleAction', 'actionResponse', 'finalScore'], kinds(heard)[-6:])


def last_round_without(server):
    """Row 28: who is gone in the last round is skipped, and has its points in the score; row 26: endGame comes once."""
    rng = random.Random(5)
    party = Party(server, ['alice', 'bobby'], rng)
    party.set_up()
    mover = 'alice'
    while not party.ledger.ending:
        message = party.hear_until(mover, 'possibleAction', 'resourcesManageRequest', 'layoutUpdate')
        if message['type'] == 'possibleAction' and party.act(mover, message):
            mover = 'bobby' if mover == 'alice' else 'alice'
        elif message['type'] == 'resourcesManageRequest':
            party.manage(mover, message)
        elif message['type'] == 'layoutUpdate' and (party.ledger.boards['alice'].faith == 24
                                                    or len(party.ledger.boards['alice'].cards()) == 7
                                                    or party.ledger.boards['bobby'].faith == 24
                                                    or len(party.ledger.boards['bobby'].cards()) == 7):
            party.hear_until(mover, 'endGame')
    other = 'bobby' if mover == 'alice' else 'alice'
    party.clients[other].close()
    while True:
        message = party.hear_until(mover, 'possibleAction', 'resourcesManageRequest', 'finalScore')
        if message['type'] == 'possibleAction':
            party.act(mover, message)
        elif message['type'] == 'resourcesManageRequest':
            party.manage(mover, message)
        else:
            break
    demand(set(message['scores']) == {'alice', 'bobby'}, 'both have points')


def again_on_the_same_connection(server):
    """After the end the nicknames are free, and the connection may log in to the next game."""
    rng = random.Random(9)
    party = Party(server, ['alice', 'bobby'], rng)
    party.play()
    alice = party.clients['alice']
    other = Client(server).login('bobby')  # a nickname of the game that is over
    other.expect('numberOfPlayersSelectionRequest')
    alice.login('alice')
    other.send('numberOfPlayersSelectionReply', number=2)
    for client in (alice, other):
        client.expect('players', players=['bobby', 'alice'])


def programs(make, games):
    def run():
        with renaissance_wire.Server(PARLOR, QUIET) as server:
            for players in (1, 2, 3, 4):
                started = [wire.Process(make(server, f'play{players}-{seat}', players)) for seat in range(players)]
                outputs = {program.wait(deadline_s=200) for program in started}
                demand(len(outputs) == 1 and len(outputs.pop().splitlines()) == games, f'{players} players: {outputs}')
            server.stop()
    return run


def example(server, name, players):
    return [sys.executable, renaissance_wire.EXAMPLE, server.address, '--name', name, '--players', str(players)]


def bot(server, name, players):
    return [PARLOR, 'bot', 'renaissance', '--connect', server.address, '--name', name, '--players', str(players), '--level', '1']


def random_bot(server, name, players):
    return bot(server, name, players) + ['--kind', 'random', '--games', '5']


def bot_after_return(server):
    """The bot comes back to a game in the middle and plays it to the end, without who stays away."""
    alice, bobby, carol = begin(server, ['alice', 'bobby', 'carol'])
    alice.close()
    until(carol, 'disconnectionMessage')
    bobby.close()
    until(carol, 'disconnectionMessage')
    carol.close()
    started = [wire.Process(bot(server, name, 2)) for name in ('alice', 'bobby')]
    for program in started:
        demand(program.wait(deadline_s=200).startswith('game over:'), 'the game is played to its end')


KEPT = ('--renaissance-silence', '60')  # with a journal
CASES = [
    ('nicknames: rows 1, 35', with_server(nicknames)),
    ('messages before a login: row 36', with_server(ask_before_login)),
    ('the number of players: row 33', with_server(number_of_players)),
    ('a queue of logins: rows 2, 3', with_server(queue)),
    ('who does not choose goes behind', with_server(slow_chooser, *QUIET, '--renaissance-answer-time', '0.2')),
    ('a lobby is left: row 32', with_server(lobby_left)),
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
    ('silence', with_server(pings, '--store', 'memory', '--renaissance-silence', '3')),
    ('absence in the set-up', with_server(leave_in_set_up)),
    ('absence in the set-up alone', with_server(leave_alone_in_set_up)),
    ('absence between turns: rows 24, 39, 40', with_server(leave_between_turns)),
    ('absence on turn', with_server(leave_on_turn)),
    ('absence in a market action', with_server(leave_in_market)),
    ('absence in a market action alone', with_server(leave_alone_in_market)),
    ('everybody leaves', with_server(everybody_leaves)),
    ('nobody returns: row 29', with_server(nobody_returns, *QUIET, '--renaissance-keep', '0.001')),
    ('nicknames of running games', with_server(name_taken_in_game)),
    ('several tables', with_server(several_tables)),
    ('kill -9 and restart', with_server(restart, *KEPT)),
    ('kill -9, and somebody stays away', with_server(restart_without_player, *KEPT, '--renaissance-return', '0.5')),
    ('games with everything that can be refused: rows 6, 8, 11 to 18, 23, 25, 26, 27, 33, 38', with_server(probed_games, *QUIET, '--seed', '1')),
    ('leaders stay hidden: row 5', with_server(secrets)),
    ('alone, lost to the faith of Lorenzo', with_server(solo_lost_by_faith, *QUIET, '--seed', '2')),
    ('alone, lost because a colour is gone', with_server(solo_lost_by_cards, *QUIET, '--seed', '3')),
    ('alone, lost by the own discards: row 31', with_server(solo_lost_by_discards)),
    ('alone, won', with_server(solo_won, *QUIET, '--seed', '4')),
    ('gone in the last round: rows 26, 28', with_server(last_round_without)),
    ('another game on the same connection', with_server(again_on_the_same_connection)),
    ('games of 1 to 4 examples', programs(example, 1)),
    ('games of 1 to 4 bots', programs(bot, 1)),
    ('games of 1 to 4 random bots', programs(random_bot, 5)),
    ('bots come back to a game', with_server(bot_after_return)),
]


if __name__ == '__main__':
    only = sys.argv[2] if len(sys.argv) > 2 else ''
    wire.run_cases([(name, case) for name, case in CASES if only in name])
