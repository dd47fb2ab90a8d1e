"""Santorini: who meets whom, who goes and comes back, restarts, pings, ceilings, and whole games by strangers, over sockets.

    santorini_lobby.py PARLOR CLIENT

CLIENT is clients/python/examples/santorini_client.py. PARLOR_GAMES in the environment is the number of random games.
"""
import functools
import json
import os
import random
import socket
import sys
import time

import builders
import wire
from builders import COLORS, DATES, NAMES, Asker, Board, Server, begun, build, cell, cells, check, connect, move, named, skip, turn

PARLOR, CLIENT = sys.argv[1:3]
GAMES = int(os.environ.get('PARLOR_GAMES', '40'))


def on_server(*options):
    """A case with a server of its own, which must end well."""
    def wrap(case):
        @functools.wraps(case)
        def run():
            with Server(PARLOR, ('--store', 'memory', *options)) as server:
                case(server)
                server.stop()
        return run
    return wrap


@on_server()
def who_comes_early_waits(server):
    """Before the number is chosen everybody waits; then they join in order, and the next one is asked."""
    first = Asker(server.port, 'first')
    first.expect('askNumberOfPlayers')
    others = []
    for number in range(4):
        others.append(Asker(server.port, f'other{number}'))
        check(others[-1].settle() == [], 'something is said to somebody who waits')
    first.send('setNumberOfPlayers', numberOfPlayers=3)
    for player in (first, others[0], others[1]):
        player.expect('stateUpdate', state='SETUP_PLAYERS')
        player.expect('askNickAndDate')
    others[2].expect('askNumberOfPlayers')
    check(others[3].settle() == [], 'one is asked, not two')
    others[2].close()
    others[3].expect('askNumberOfPlayers')
    others[3].send('setNumberOfPlayers', numberOfPlayers=2)
    others[3].expect('stateUpdate')
    late = Asker(server.port, 'late')
    late.expect('stateUpdate')
    for player in (others[3], late):
        player.expect('askNickAndDate')


@on_server()
def a_name_before_its_time_is_refused(server):
    first, second = Asker(server.port, 'first'), Asker(server.port, 'second')
    first.expect('askNumberOfPlayers')
    second.send('addPlayer', name='second', date='2000.01.01')
    second.expect_refusal('playerAdded')
    first.send('addPlayer', name='first', date='2000.01.01')
    first.expect_refusal('playerAdded')
    first.expect('askNumberOfPlayers')
    second.send('setNumberOfPlayers', numberOfPlayers=2)
    second.expect('error')
    first.send('setNumberOfPlayers', numberOfPlayers=2)
    first.expect('stateUpdate')
    first.expect('askNickAndDate')


@on_server()
def who_leaves_unnamed_makes_room(server):
    ann, bob = connect(server, 2)
    bob.close()
    late = Asker(server.port, 'late')
    late.read_until('stateUpdate', state='SETUP_PLAYERS')  # asked for a number first when the server learns of bob later
    late.expect('askNickAndDate')
    ann.send('addPlayer', name='ann', date=DATES[0])
    late.send('addPlayer', name='late', date=DATES[1])
    for player in (ann, late):
        player.read_until('stateUpdate', state='SETUP_CARDS')


@on_server()
def a_table_that_nobody_wants_is_dropped(server):
    ann, bob = connect(server, 2)
    for player in (ann, bob):
        player.send('disconnect')
        player.expect_end()
    other = Asker(server.port, 'other')
    other.expect('askNumberOfPlayers')


@on_server()
def who_goes_before_all_are_named_makes_room(server):
    """By word or without one: the seat is free at once, the others stay, and the next one sits there under any name."""
    for goes in (lambda player: player.send('disconnect'), lambda player: player.close()):
        ann, bob, cid = connect(server, 3)
        ann.send('addPlayer', name='ann', date=DATES[0])
        skip((ann, bob, cid), 'playerAdded', name='ann')
        bob.send('addPlayer', name='bob', date=DATES[1])
        skip((ann, bob, cid), 'playerAdded', name='bob')
        goes(ann)
        bob.expect('playerDisconnected', name='ann')
        cid.expect('playerDisconnected', name='ann')
        bob.settle()  # nobody is heard before it is saved
        dora = Asker(server.port, 'dora')
        dora.expect('stateUpdate', state='SETUP_PLAYERS')
        dora.expect('playerAdded', name='bob')
        dora.expect('askNickAndDate')
        dora.send('addPlayer', name='ann', date='2001.01.01')
        skip((bob, cid, dora), 'playerAdded', name='ann', result=True)
        cid.send('addPlayer', name='cid', date=DATES[2])
        skip((bob, cid, dora), 'turnUpdate', name='ann')
        dora.expect('chooseMatchGodCards', numberOfPlayers=3)
        dora.send('disconnect')
        skip((bob, cid), 'disconnect')


@on_server()
def nobody_is_seated_with_somebody_who_has_gone(server):
    """The script of one who holds newcomers: a number, a name, and away. The next two meet each other."""
    for _ in range(3):
        first = Asker(server.port, 'first')
        first.expect('askNumberOfPlayers')
        first.send('setNumberOfPlayers', numberOfPlayers=2)
        first.expect('stateUpdate')
        ghost = Asker(server.port, 'ghost')
        ghost.expect('stateUpdate')
        ghost.expect('askNickAndDate')
        ghost.send('addPlayer', name='ghost', date='1999.01.01')
        ghost.expect('playerAdded', name='ghost')
        ghost.close()
        first.read_until('playerDisconnected', name='ghost')
        first.send('disconnect')
        first.expect_end()
    players = named_after_a_while(server)
    players[0].expect('chooseMatchGodCards')


def named_after_a_while(server):
    """Two newcomers who are seated with each other, whatever is asked of the first."""
    ann = Asker(server.port, 'ann')
    if ann.read()['type'] == 'askNumberOfPlayers':
        ann.send('setNumberOfPlayers', numberOfPlayers=2)
        ann.expect('stateUpdate', state='SETUP_PLAYERS')
    bob = Asker(server.port, 'bob')
    check([message['type'] for message in (bob.read(), bob.read())] == ['stateUpdate', 'askNickAndDate'],
          'nobody but ann is at the table')
    ann.read_until('askNickAndDate')
    for player, date in ((ann, DATES[0]), (bob, DATES[1])):
        player.send('addPlayer', name=player.name, date=date)
        skip((ann, bob), 'playerAdded', name=player.name, result=True)
    skip((ann, bob), 'turnUpdate', name='ann')
    return ann, bob


@on_server('--santorini-grace', '600')
def who_comes_back_is_told_who_is_away(server):
    ann, bob, cid = begun(server, ('Pan', 'Atlas', 'Limus'), ('00 22', '44 23', '40 04'))
    bob.close()
    skip((ann, cid), 'playerDisconnected', name='bob')
    ann.close()
    cid.read_until('playerDisconnected', name='ann')
    back = Asker(server.port, 'ann')
    back.expect('askNumberOfPlayers')
    back.send('addPlayer', name='ann')
    back.read_until('turnUpdate', name='ann')
    back.expect('playerDisconnected', name='bob')
    back.expect('possibleMoveDestinations')


@on_server('--santorini-grace', '600')
def who_says_its_name_only_when_asked_comes_back(server):
    """The clients of the document do. First in line it is asked for the number, then at once for its name; behind the first in line,
    for its name, and who is not missed keeps it until there is a table."""
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    bob.close()
    ann.read_until('playerDisconnected', name='bob')
    back = Asker(server.port, 'bob')
    back.expect('askNumberOfPlayers')
    back.send('setNumberOfPlayers', numberOfPlayers=2)
    back.expect('stateUpdate', state='SETUP_PLAYERS')
    back.expect('askNickAndDate')
    back.send('addPlayer', name='bob', date=DATES[1])
    back.read_until('turnUpdate', name='ann')
    ann.read_until('playerReconnected', name='bob')
    back.close()
    ann.read_until('playerDisconnected', name='bob')
    first = Asker(server.port, 'first')
    first.expect('askNumberOfPlayers')
    second, third = Asker(server.port, 'second'), Asker(server.port, 'bob')
    second.expect('askNickAndDate')
    second.send('addPlayer', name='second', date='1970.01.01')
    third.expect('askNickAndDate')
    third.send('addPlayer', name='bob', date=DATES[1])
    third.read_until('turnUpdate', name='ann')
    first.send('setNumberOfPlayers', numberOfPlayers=2)
    first.expect('stateUpdate', state='SETUP_PLAYERS')
    first.read_until('playerAdded', name='second', result=True)
    second.read_until('playerAdded', name='second', result=True)
    first.send('addPlayer', name='first', date=DATES[0])
    skip((first, second), 'turnUpdate', name='first')


@on_server()
def a_day_that_is_yet_to_come_is_refused(server):
    ann, bob = connect(server, 2)
    ann.send('addPlayer', name='ann', date='2990.05.05')
    check('yet to come' in ann.expect_refusal('playerAdded', name='ann'), 'why')
    ann.expect('askNickAndDate')
    ann.send('addPlayer', name='ann', date=time.strftime('%Y.%m.%d', time.gmtime()))
    skip((ann, bob), 'playerAdded', name='ann', result=True)


@on_server()
def who_gives_up_in_the_set_up_loses(server):
    ann, bob = named(server, 2)
    ann.expect('chooseMatchGodCards')
    ann.send('disconnect')
    ann.expect_end()
    bob.expect('playerDisconnected', name='ann')
    bob.expect('endGame', winner='bob')
    bob.expect('disconnect')
    bob.expect_end()
    ann, bob, cid = named(server, 3)
    bob.send('disconnect')
    for player in (ann, cid):
        player.read_until('playerDisconnected', name='bob')
        player.expect('endGame', winner='')
        player.expect('disconnect')
        player.expect_end()


@on_server()
def who_gives_up_in_the_game_loses(server):
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    bob.send('disconnect')
    bob.expect_end()
    ann.read_until('playerDisconnected', name='bob')
    while (message := ann.read())['type'] == 'builderRemoved':
        check(message['name'] == 'bob', f'{message}')
    check(message == {'type': 'endGame', 'winner': 'ann'}, f'{message}')
    ann.expect('disconnect')
    ann.expect_end()


@on_server()
def of_three_the_other_two_go_on(server):
    players = ann, bob, cid = begun(server, ('Pan', 'Atlas', 'Limus'), ('00 22', '44 23', '40 04'))
    ann.expect('possibleMoveDestinations')
    ann.send('disconnect')
    for player in (bob, cid):
        player.read_until('playerDisconnected', name='ann')
        player.read_until('lossUpdate', name='ann', reason='left')
        player.expect('lostUpdate', name='ann')
        player.expect('turnUpdate', name='bob')
    turn(players[1:], 0, '44', '43', '44')
    for player in (bob, cid):
        player.expect('turnUpdate', name='cid')
    bob.close()
    cid.read_until('playerDisconnected', name='bob')
    back = Asker(server.port, 'bob')
    back.expect('askNumberOfPlayers')
    back.send('addPlayer', name='bob')
    back.read_until('lossUpdate', name='ann', reason='left')  # she did not lose
    back.expect('lostUpdate', name='ann')
    back.expect('turnUpdate', name='cid')


def boards_equal(left, right):
    check(left.shown() == right.shown(), f'{left.shown()}\n  is not {right.shown()}')


def watch(player, board, until, **fields):
    """Reads up to that message, and takes everything onto the board."""
    while True:
        message = player.read()
        check(message is not None, 'the stream has ended')
        board.take(message)
        if message['type'] == until and all(message.get(key) == value for key, value in fields.items()):
            return message


@on_server()
def who_comes_back_draws_the_same_board(server):
    board = Board()
    ann, bob = begun(server, ('Artemis', 'Atlas'), ('00 22', '44 23'))
    for name, places in (('ann', '00 22'), ('bob', '44 23')):
        board.take({'type': 'buildersPlacement', 'name': name, 'positions': cells(places)})
    ann.expect('possibleMoveDestinations')
    move(ann, '00', '01')
    ann.read_until('askStep')
    build(ann, '01', '00')
    watch(bob, board, 'turnUpdate', name='bob')
    bob.expect('possibleMoveDestinations')
    move(bob, '44', '43')
    watch(bob, board, 'move')
    bob.expect('possibleBuildDestinations')
    build(bob, '43', '44', buildDome=True)
    watch(bob, board, 'turnUpdate', name='ann')
    ann.read_until('possibleMoveDestinations')
    move(ann, '01', '11')
    ann.read_until('askStep')
    ann.send('setStepChoice', stepChoice='BUILD')
    ann.expect('setStepChoice')
    ann.expect('possibleBuildDestinations')
    watch(bob, board, 'move')
    ann.close()
    bob.expect('playerDisconnected', name='ann')
    back = Asker(server.port, 'ann')
    back.expect('askNumberOfPlayers')
    back.send('addPlayer', name='ann', date='1970.01.01')
    drawn = Board()
    replay = []
    while True:
        message = back.read()
        replay.append(message)
        drawn.take(message)
        if message['type'] == 'turnUpdate':
            break
    boards_equal(drawn, board)
    order = [message['type'] for message in replay]
    for first, then in (('playerAdded', 'setMatchGodCards'), ('godCardAssigned', 'setStartPlayer'), ('colorUpdate', 'buildersPlacement')):
        check(order.index(first) < order.index(then), f'{first} comes before {then}')
    states = [message['state'] for message in replay if message['type'] == 'stateUpdate']
    check(states == ['SETUP_PLAYERS', 'SETUP_CARDS', 'SETUP_COLOR', 'SETUP_BUILDERS', 'GAME'], f'{states}')
    check(replay[-1]['name'] == 'ann', 'it is still her turn')
    back.expect('askStep', possibleSteps=['MOVE', 'BUILD'])
    bob.expect('playerReconnected', name='ann')
    other = Asker(server.port, 'other')
    other.expect('askNumberOfPlayers')
    other.send('addPlayer', name='ann', date='1970.01.01')
    other.expect_refusal('playerAdded')
    build(back, '11', '10')
    for player in (back, bob):
        player.read_until('build', result=True)


@on_server()
def who_comes_back_as_the_document_would_have_it(server):
    """A client that knows nothing of coming back answers what it is asked, and finds its seat."""
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    bob.close()
    ann.read_until('playerDisconnected', name='bob')
    back = Asker(server.port, 'bob')
    back.expect('askNumberOfPlayers')
    back.send('setNumberOfPlayers', numberOfPlayers=2)
    back.expect('stateUpdate', state='SETUP_PLAYERS')
    other = Asker(server.port, 'other')
    other.expect('stateUpdate')
    back.expect('askNickAndDate')
    back.send('addPlayer', name='bob', date=DATES[1])
    back.read_until('turnUpdate', name='ann')
    third = Asker(server.port, 'third')
    third.expect('stateUpdate', state='SETUP_PLAYERS')
    ann.expect('playerReconnected', name='bob')


def won_by_ann_alone(server):
    """Ann wins while bob is away: with Pan she goes down from the second level. She has been told."""
    players = ann, bob = begun(server, ('Pan', 'Atlas'), ('00 40', '12 44'))
    for hers, his in ((('00', '10', '01'), ('12', '13', '02')), (('10', '01', '02'), ('44', '43', '44')),
                      (('01', '02', '03'), ('43', '33', '43'))):
        turn(players, 0, *hers)
        turn(players, 1, *his)
    ann.read_until('possibleMoveDestinations')
    bob.close()
    ann.read_until('playerDisconnected', name='bob')
    board = Board()
    for name, places in (('ann', '02 40'), ('bob', '13 33')):
        board.take({'type': 'buildersPlacement', 'name': name, 'positions': cells(places)})
    for where in ('01', '02', '02', '03', '43', '44'):
        board.take({'type': 'build', 'dst': cell(where), 'buildDome': False})
    move(ann, '02', '12')
    watch(ann, board, 'endGame', winner='ann')
    ann.expect('disconnect')
    ann.expect_end()
    return board


def is_told_the_end(back, board):
    """Whoever has said the name of a player is shown the board as it ended, and who won, and goes like those who were there."""
    drawn = Board()
    back.read_until('stateUpdate', state='SETUP_PLAYERS')
    watch(back, drawn, 'endGame', winner='ann')
    boards_equal(drawn, board)
    back.expect('disconnect')
    back.expect_end()


@on_server('--santorini-grace', '600')
def who_was_away_at_the_end_is_told(server):
    board = won_by_ann_alone(server)
    first = Asker(server.port, 'first')
    first.expect('askNumberOfPlayers')
    back = Asker(server.port, 'bob')
    back.send('addPlayer', name='bob')
    is_told_the_end(back, board)
    for name in ('bob', 'ann'):  # told once, and not to who was there
        player = Asker(server.port, name)
        player.send('addPlayer', name=name, date=DATES[1])
        player.expect_refusal('playerAdded')
    check(first.settle() == [], 'nobody else hears of it')


@on_server('--santorini-grace', '600')
def who_comes_back_after_the_end_makes_room_at_another_table(server):
    """Somebody who knows nothing of the end answers what it is asked; the table where it was asked goes on without it."""
    board = won_by_ann_alone(server)
    other, back = connect(server, 2)
    back.send('addPlayer', name='bob', date=DATES[1])
    is_told_the_end(back, board)
    late = Asker(server.port, 'late')
    late.read_until('stateUpdate', state='SETUP_PLAYERS')  # asked for a number first when the server learns of bob later
    late.expect('askNickAndDate')
    for player, date in ((other, DATES[0]), (late, DATES[1])):
        player.send('addPlayer', name=player.name, date=date)
    for player in (other, late):
        player.read_until('stateUpdate', state='SETUP_CARDS')


@on_server('--santorini-grace', '1')
def grace_ends(server):
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    bob.close()
    ann.read_until('playerDisconnected', name='bob')
    ann.read_until('endGame', winner='ann')
    ann.expect('disconnect')
    ann.expect_end()
    ann, bob, cid = begun(server, ('Pan', 'Atlas', 'Limus'), ('00 22', '44 23', '40 04'))
    ann.close()
    for player in (bob, cid):
        player.read_until('playerDisconnected', name='ann')
        player.read_until('lossUpdate', name='ann', reason='left')
        player.expect('lostUpdate', name='ann')
        player.expect('turnUpdate', name='bob')


def tries(case):
    """A case in which somebody has to be in time: on a machine that was too slow for it, it says so, and is tried again."""
    @functools.wraps(case)
    def run(*arguments):
        for _ in range(20):
            if case(*arguments):
                return
        raise wire.Failure('never in time')
    return run


@on_server('--santorini-turn-time', '1')
def a_turn_may_have_its_time_in_the_set_up(server):
    ann, bob = named(server, 2)
    bob.expect('endGame', winner='bob')
    ann.expect('chooseMatchGodCards')
    for player in (ann, bob):
        player.read_until('disconnect')
        player.expect_end()


@on_server('--santorini-turn-time', '1')
@tries
def a_turn_may_have_its_time_in_the_game(server):
    try:
        ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    except wire.Failure as failure:
        return check('the stream has ended before' in str(failure), str(failure))
    ann.expect('possibleMoveDestinations')
    bob.read_until('endGame', winner='bob')
    ann.read_until('disconnect')
    return True


@on_server('--santorini-answer-time', '1')
def who_does_not_answer_makes_way(server):
    """Of two who are asked for the number of players, and say nothing, the other one is asked then."""
    slow, next_one = Asker(server.port, 'slow'), Asker(server.port, 'next')
    for player in (slow, next_one, slow):
        player.expect('askNumberOfPlayers')
        check('long' in player.expect('error')['description'], 'why')


@on_server('--santorini-answer-time', '1')
def who_does_not_say_a_name_makes_way(server):
    ann = Asker(server.port, 'ann')
    ann.expect('askNumberOfPlayers')
    ann.send('setNumberOfPlayers', numberOfPlayers=2)
    ann.expect('stateUpdate', state='SETUP_PLAYERS')
    ann.send('addPlayer', name='ann', date=DATES[0])
    ann.expect('playerAdded', name='ann', result=True)
    for name in ('slow', 'other'):
        player = Asker(server.port, name)
        player.expect('stateUpdate', state='SETUP_PLAYERS')
        player.expect('playerAdded', name='ann')
        player.expect('askNickAndDate')
        check('long' in player.expect('error')['description'], 'why')
        player.expect('disconnect')
        player.expect_end()


def restart(players_count, prepare, go_on):
    """Plays up to somewhere, kills the server, and everybody comes back to another run on the same journal."""
    with Server(PARLOR, ('--santorini-grace', '600')) as server:
        players = prepare(server)
        again = server.killed()
        for player in players:
            player.close()
        with again:
            back = []
            for name in NAMES[:players_count]:
                back.append(Asker(again.port, name))
                back[-1].send('addPlayer', name=name)
                back[-1].read_until('stateUpdate', state='SETUP_PLAYERS')
            go_on(again, back)
            again.stop()


def in_the_middle_of_a_turn(server):
    players = ann, bob, _ = begun(server, ('Artemis', 'Atlas', 'Pan'), ('00 22', '44 23', '40 04'))
    ann.expect('possibleMoveDestinations')
    move(ann, '00', '01')
    skip(players, 'move', result=True)
    check(bob.settle() == [], 'nothing more')
    return players


def goes_on_exactly_there(_, players):
    ann, bob, cid = players
    ann.read_until('turnUpdate', name='ann')
    check(ann.read_until('askStep')['possibleSteps'] == ['MOVE', 'BUILD'], 'the turn is where it was')
    move(ann, '01', '00')
    ann.read_until('move', result=False)
    build(ann, '01', '02')
    for player in players:
        player.read_until('build', name='ann', result=True)
        player.read_until('turnUpdate', name='bob')
    turn((bob, cid), 0, '44', '43', '44')


def tables_survive_kill_9():
    restart(3, in_the_middle_of_a_turn, goes_on_exactly_there)


def before_all_are_named(server):
    ann, bob, cid = connect(server, 3)
    ann.send('addPlayer', name='ann', date=DATES[0])
    bob.send('addPlayer', name='bob', date=DATES[1])
    skip((ann, bob, cid), 'playerAdded', name='bob')
    return [ann, bob, cid]


def the_third_takes_the_last_seat(server, players):
    ann, bob = players
    cid = Asker(server.port, 'cid')
    cid.read_until('stateUpdate', state='SETUP_PLAYERS')  # asked for a number first when the server learns of bob later
    cid.expect('playerAdded', name='ann')
    cid.expect('playerAdded', name='bob')
    cid.expect('askNickAndDate')
    cid.send('addPlayer', name='cid', date=DATES[2])
    for player in (ann, bob, cid):
        player.read_until('turnUpdate', name='ann')
    ann.expect('chooseMatchGodCards')


def forming_tables_survive_kill_9():
    restart(2, before_all_are_named, the_third_takes_the_last_seat)


@tries
def one_of_two_comes_back_after_a_restart():
    with Server(PARLOR, ('--santorini-grace', '1')) as server:
        ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
        with server.killed() as again:
            ann.close()
            bob.close()
            back = Asker(again.port, 'ann')
            back.expect('askNumberOfPlayers')
            back.send('addPlayer', name='ann')
            if back.read()['type'] == 'playerAdded':
                return False  # refused: her time was over, too
            back.read_until('endGame', winner='ann')
            back.expect('disconnect')
            back.expect_end()
            again.stop()
    return True


@on_server('--santorini-silence', '1')
def pings_come_and_silence_is_noticed(server):
    """Section 2: who has answered a ping once must go on; who never did is borne with."""
    mute = Asker(server.port, 'mute', answers_pings=False)
    mute.expect('askNumberOfPlayers')
    once = Asker(server.port, 'once', answers_pings=False)
    once.send('pong')
    while not mute.data.endswith(b'{"type":"ping"}\n'):
        mute.data += mute.socket.recv(65536)
    mute.data = b''
    while once.socket.recv(65536):  # it may be asked before its time is over, because the first one says nothing
        pass
    mute.send('setNumberOfPlayers', numberOfPlayers=2)
    mute.expect('stateUpdate')


@on_server('--santorini-waiting-max', '2', '--santorini-tables-max', '1')
def ceilings(server):
    first, second, third = [Asker(server.port, name) for name in NAMES]
    first.expect('askNumberOfPlayers')
    third.expect('error')
    third.expect('disconnect')
    third.expect_end()
    first.send('setNumberOfPlayers', numberOfPlayers=2)
    for player in (first, second):
        player.expect('stateUpdate')
    fourth = Asker(server.port, 'fourth')
    fourth.expect('error')
    fourth.expect('disconnect')
    fourth.expect_end()


@on_server()
def a_mute_or_noisy_neighbour_harms_nobody(server):
    """One floods, one sends half a line, one never reads; a table beside them goes on."""
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    noisy, half, deaf = [Asker(server.port, name) for name in ('noisy', 'half', 'deaf')]
    noisy.send_raw('{"type":"dance"}\n' * 2000)
    half.send_raw(b'{"type":"setNumb')
    deaf.send_raw('{"type":"dance"}\n' * 20000)
    bob.send_raw('{"type":"move","src":{"i":4,"j":4},"dst":{"i":4,"j":3}}\n' * 500)
    check(sum(message['type'] == 'error' for message in bob.settle()) == 500, 'each of them is answered')
    turn((ann, bob), 0, '00', '01', '00')


@on_server()
def one_byte_at_a_time(server):
    ann = Asker(server.port, 'ann')
    ann.expect('askNumberOfPlayers')
    for byte in b'{"type":"setNumberOfPlayers","numberOfPlayers":2}\n':
        ann.send_raw(bytes([byte]))
    ann.expect('stateUpdate')
    ann.send_raw('{"type":"setNumberOfPlayers"}\n{"type":"addPlayer","name":"ann","date":"2000.01.01"}')
    ann.expect('error')
    ann.expect('playerAdded', name='ann')


@on_server()
def what_is_sent_ahead_waits_for_its_turn(server):
    """A client may send several lines without waiting for the answers: each is judged when the one before is saved."""
    ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
    ann.expect('possibleMoveDestinations')
    lines = [{'type': 'move', 'src': cell('00'), 'dst': cell('01')}, {'type': 'build', 'src': cell('01'), 'dst': cell('00')},
             {'type': 'move', 'src': cell('01'), 'dst': cell('02')}]
    ann.send_raw('\n'.join(json.dumps(line) for line in lines))
    ann.expect('move', result=True)
    ann.expect('possibleBuildDestinations')
    ann.expect('build', result=True)
    ann.expect('turnUpdate', name='bob')
    ann.expect('error')
    bob.read_until('turnUpdate', name='bob')


def finish(player):
    """The player says nothing more, but listens: as `printf ... | nc -N` does."""
    player.answers_pings = False
    player.socket.shutdown(socket.SHUT_WR)


def the_last_word_is_answered():
    """What was asked before the sending side was closed is answered, also what has to be saved; then the player has left."""
    with Server(PARLOR, ('--santorini-grace', '600')) as server:
        ann, bob = begun(server, ('Pan', 'Atlas'), ('00 22', '44 23'))
        ann.expect('possibleMoveDestinations')
        move(ann, '00', '01')
        build(ann, '01', '00')
        ann.send_raw('{"type":"dance"}')
        finish(ann)
        for kind in ('move', 'possibleBuildDestinations', 'build', 'turnUpdate', 'error'):
            ann.expect(kind)
        ann.expect_end()
        bob.read_until('playerDisconnected', name='ann')
        alone = Asker(server.port, 'alone')
        alone.expect('askNumberOfPlayers')
        alone.send('setNumberOfPlayers', numberOfPlayers=2)
        alone.send('addPlayer', name='alone', date=DATES[0])
        finish(alone)
        alone.expect('stateUpdate', state='SETUP_PLAYERS')
        alone.expect('askNickAndDate')  # it could be ann, who comes back
        alone.expect('playerAdded', name='alone', result=True)
        alone.expect_end()
        server.stop()


def strangers_play(count):
    def case():
        with Server(PARLOR, ('--store', 'memory')) as server:
            for _ in range(3):
                programs = [wire.Process([sys.executable, CLIENT, '127.0.0.1', str(server.port), name, date, str(count)])
                            for name, date in zip(NAMES[:count], DATES)]
                winners = {program.wait(deadline_s=100) for program in programs}
                check(len(winners) == 1 and winners.pop()[8:].strip() in (*NAMES, ''), f'the winners are {winners}')
            server.stop()
    return case


class Pretender(wire.Pretender):
    def grant(self, kind, **changes):
        """Hears a request and tells that it was done."""
        answer = {**self.hear(kind), 'result': True, **changes}
        del answer['type']
        self.say('godCardAssigned' if kind == 'setGodCard' else kind, **answer)
        return answer


def a_stranger_follows_a_builder_that_another_player_leads():
    """Section 5: with Dionysus the move of an opponent may be that of one's own builder."""
    server = Pretender([sys.executable, CLIENT, '127.0.0.1', 'PORT', 'ann'])
    server.say('buildersPlacement', name='ann', positions=cells('00 44'), result=True)
    server.say('buildersPlacement', name='bob', positions=cells('22 33'), result=True)
    server.say('move', name='bob', src=cell('00'), dst=cell('01'), result=True)
    server.say('turnUpdate', name='ann')
    server.say('possibleMoveDestinations', possibleDst=[cells('02'), []])
    answer = server.hear('move')
    check((answer['src'], answer['dst']) == (cell('01'), cell('02')), f'it stands on 01, not {answer}')
    server.say('endGame', winner='bob')
    check(server.close() == 'winner: bob\n', 'it sees the end')


def seated_bot():
    """parlor bot santorini as ann at a table of three, whose turn begins."""
    server = Pretender([PARLOR, 'bot', 'santorini', '--connect', '127.0.0.1:PORT', '--name', 'ann', '--kind', 'random', '--players', '3'])
    gods = ['Pan', 'Hera', 'Athena']
    server.say('stateUpdate', state='SETUP_PLAYERS')
    server.say('askNickAndDate')
    server.hear('addPlayer')
    for name in NAMES:
        server.say('playerAdded', name=name, result=True)
    server.say('turnUpdate', name='bob')
    server.say('setMatchGodCards', name='bob', godCardNames=gods, godDescriptions=gods, result=True)
    server.say('turnUpdate', name='cid')
    server.say('godCardAssigned', name='cid', godCard='Athena', result=True)
    server.say('turnUpdate', name='ann')
    server.say('askGod', godDescriptions={god: '' for god in gods}, chosenGodCards=['Athena'])
    taken = server.grant('setGodCard', name='ann')['godCard']
    server.say('turnUpdate', name='bob')
    server.say('godCardAssigned', name='bob', godCard='Pan' if taken == 'Hera' else 'Hera', result=True)
    server.say('turnUpdate', name='bob')
    server.say('setStartPlayer', name='ann', result=True)
    server.say('askColor', chosenColors=[])
    own = server.grant('colorUpdate')['color']
    for name, color in zip(('bob', 'cid'), [color for color in COLORS if color != own]):
        server.say('colorUpdate', name=name, color=color, result=True)
    server.say('askBuilders')
    mine = server.grant('buildersPlacement')['positions']
    free = [where for where in cells('00 04 40 44 02 20') if where not in mine]
    for name, places in (('bob', free[:2]), ('cid', free[2:4])):
        server.say('buildersPlacement', name=name, positions=places, result=True)
    server.say('turnUpdate', name='ann')
    server.say('stateUpdate', state='GAME')
    server.say('possibleMoveDestinations', possibleDst=[[], []])
    return server


def a_bot_answers_once_when_somebody_leaves():
    """Section 6: the question that was open is asked again; the answer to the first one may be on its way."""
    server = seated_bot()
    request = server.hear('move')
    server.say('lossUpdate', name='cid', reason='left')
    server.say('possibleMoveDestinations', possibleDst=[[], []])
    server.say('move', name='ann', src=request['src'], dst=request['dst'], result=True)
    server.say('possibleBuildDestinations', possibleDst=[[], [], [], []])
    server.grant('build')
    server.say('endGame', winner='ann')
    check('1 won' in server.close(), 'it goes on')


def a_bot_that_is_refused_because_somebody_left_thinks_again():
    server = seated_bot()
    request = server.hear('move')
    server.say('lossUpdate', name='cid', reason='left')
    server.say('move', name='ann', src=request['src'], dst=request['dst'], result=False)
    server.say('error', description='no more')
    server.grant('setStepChoice')
    server.say('possibleMoveDestinations', possibleDst=[[], []])
    server.grant('move')
    server.say('endGame', winner='ann')
    check('1 won' in server.close(), 'it goes on')


def bots_play():
    """parlor bot santorini rebuilds the table from the messages alone, and is never refused."""
    with Server(PARLOR, ('--store', 'memory')) as server:
        for count, options in ((2, ('--kind', 'random', '--games', '8')), (3, ('--kind', 'random', '--games', '8')),
                               (2, ('--level', '1', '--games', '1')), (3, ('--level', '1', '--games', '1'))):
            programs = [wire.Process([PARLOR, 'bot', 'santorini', '--connect', f'127.0.0.1:{server.port}', '--name', name, '--born', date,
                                      '--players', str(count), *options]) for name, date in zip(NAMES[:count], DATES)]
            for program in programs:
                output = program.wait(deadline_s=100)
                check(f'{options[-1]} games:' in output, f'the bot says {output!r}')
        server.stop()


def random_games():
    """Whatever is listed is accepted, with all gods; every line is held against the schemas unless there are many games."""
    seed = int(os.environ.get('PARLOR_SEED', '1'))
    print(f'# seed {seed}, {GAMES} games', flush=True)
    random.seed(seed)
    builders.Client.is_checked = GAMES <= 200
    gods, requests = {}, 0

    def each(players):
        nonlocal requests
        requests += sum(player.requests for player in players)
        for god in players[0].gods_seen:
            gods[god] = gods.get(god, 0) + 1
    with Server(PARLOR, ('--store', 'memory')) as server:
        builders.play_games(server.port, GAMES, 16, each)
        server.stop()
    print(f'# {requests} requests, none refused, {len(gods)} gods', flush=True)


if __name__ == '__main__':
    wire.run_cases([
        ('who comes early waits', who_comes_early_waits),
        ('a name before its time is refused', a_name_before_its_time_is_refused),
        ('who leaves unnamed makes room', who_leaves_unnamed_makes_room),
        ('a table that nobody wants is dropped', a_table_that_nobody_wants_is_dropped),
        ('who goes before all are named makes room', who_goes_before_all_are_named_makes_room),
        ('nobody is seated with somebody who has gone', nobody_is_seated_with_somebody_who_has_gone),
        ('who comes back is told who is away', who_comes_back_is_told_who_is_away),
        ('who says its name only when asked comes back', who_says_its_name_only_when_asked_comes_back),
        ('a day that is yet to come is refused', a_day_that_is_yet_to_come_is_refused),
        ('who gives up in the set-up loses', who_gives_up_in_the_set_up_loses),
        ('who gives up in the game loses', who_gives_up_in_the_game_loses),
        ('of three the other two go on', of_three_the_other_two_go_on),
        ('who comes back draws the same board', who_comes_back_draws_the_same_board),
        ('who comes back as the document would have it', who_comes_back_as_the_document_would_have_it),
        ('who was away at the end is told', who_was_away_at_the_end_is_told),
        ('who comes back after the end makes room at another table', who_comes_back_after_the_end_makes_room_at_another_table),
        ('grace ends', grace_ends),
        ('a turn may have its time in the set-up', a_turn_may_have_its_time_in_the_set_up),
        ('a turn may have its time in the game', a_turn_may_have_its_time_in_the_game),
        ('who does not answer makes way', who_does_not_answer_makes_way),
        ('who does not say a name makes way', who_does_not_say_a_name_makes_way),
        ('tables survive kill -9', tables_survive_kill_9),
        ('forming tables survive kill -9', forming_tables_survive_kill_9),
        ('one of two comes back after a restart', one_of_two_comes_back_after_a_restart),
        ('pings come and silence is noticed', pings_come_and_silence_is_noticed),
        ('ceilings', ceilings),
        ('a mute or noisy neighbour harms nobody', a_mute_or_noisy_neighbour_harms_nobody),
        ('one byte at a time', one_byte_at_a_time),
        ('what is sent ahead waits for its turn', what_is_sent_ahead_waits_for_its_turn),
        ('the last word is answered', the_last_word_is_answered),
        ('strangers play, two of them', strangers_play(2)),
        ('strangers play, three of them', strangers_play(3)),
        ('a stranger follows a builder that another player leads', a_stranger_follows_a_builder_that_another_player_leads),
        ('a bot answers once when somebody leaves', a_bot_answers_once_when_somebody_leaves),
        ('a bot that is refused because somebody left thinks again', a_bot_that_is_refused_because_somebody_left_thinks_again),
        ('bots play, two and three of them', bots_play),
        ('random games without a refusal', random_games),
    ])
