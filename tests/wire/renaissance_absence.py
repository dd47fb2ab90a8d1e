#!/usr/bin/env python3
"""Masters of Renaissance over JSON, on a real server: players who leave and come back in every phase, and servers that are
killed and started again.

usage: renaissance_absence.py PARLOR [CASE]
"""
import socket
import sys

import renaissance_wire
import wire
from renaissance_wire import (KEPT, LEADER, MAIN, QUIET, Client, back, begin, demand, end_turn, join, market_turn, names_of, push, until,
                              with_server)


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
    carol.close()
    until(bobby, 'disconnectionMessage')
    alice.close()
    until(bobby, 'disconnectionMessage')
    bobby.close()
    carol = back(server, 'carol')
    turn = until(carol, 'possibleAction')  # after bobby's startTurn, if she is back before it was noticed that he left
    demand(turn['actions'] == LEADER + MAIN, 'she plays')
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
        turn = until(bobby, 'possibleAction')  # after alice's startTurn, if he was back before her time was over
        demand(turn['actions'] == LEADER + MAIN, 'he plays in her place')
        again.stop()


def last_word(server):
    """What was asked before the sending side was closed is answered, also what has to be saved; then the player has left."""
    alice, bobby = join(server, ['alice', 'bobby'])
    for client in (alice, bobby):
        client.expect_all('players', 'devCardGrid', 'market', 'leaderCardsRequest')
    bobby.answers_pings = False
    bobby.send('leaderCardsReply', leaderCards=bobby.heard[-1]['leaderCards'][:2])
    bobby.socket.shutdown(socket.SHUT_WR)
    bobby.expect('leaderCardsResponse')
    bobby.expect_end()
    alice.expect('disconnectionMessage', nickname='bobby')
    back(server, 'bobby')


CASES = [
    ('absence in the set-up', with_server(leave_in_set_up)),
    ('absence in the set-up alone', with_server(leave_alone_in_set_up)),
    ('absence between turns: rows 24, 39, 40', with_server(leave_between_turns)),
    ('absence on turn', with_server(leave_on_turn)),
    ('absence in a market action', with_server(leave_in_market)),
    ('absence in a market action alone', with_server(leave_alone_in_market)),
    ('everybody leaves', with_server(everybody_leaves)),
    ('the last word is answered', with_server(last_word, *KEPT)),
    ('nobody returns: row 29', with_server(nobody_returns, *QUIET, '--renaissance-keep', '0.001')),
    ('kill -9 and restart', with_server(restart, *KEPT, '--renaissance-return', '600')),
    ('kill -9, and somebody stays away', with_server(restart_without_player, *KEPT, '--renaissance-return', '0.5')),
]
if __name__ == '__main__':
    wire.run_cases([(name, case) for name, case in CASES if ''.join(sys.argv[2:3]) in name])
