"""Santorini at one table: set-up, turns, refusals, and every tolerance of the protocol page (section 7), over sockets.

    santorini.py PARLOR
"""
import functools
import json
import sys

import wire
from builders import NAMES, Asker, Server, begun, build, cell, cells, check, connect, listed, move, named, skip, turn

PARLOR = sys.argv[1]


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
def the_game_of_the_page(server):
    ann, bob = players = named(server, 2)

    def both(kind, **fields):
        for player in players:
            player.expect(kind, **fields)
    gods = ann.expect('chooseMatchGodCards', numberOfPlayers=2)['godDescriptions']
    check(len(gods) == 30, f'{len(gods)} gods are offered to two')
    ann.send('setMatchGodCards', godDescriptions=['Demeter', 'Minotaur'], name='ann')
    both('setMatchGodCards', result=True, godCardNames=['Demeter', 'Minotaur'], godDescriptions=['Demeter', 'Minotaur'])
    both('turnUpdate', name='bob')
    check(list(bob.expect('askGod', chosenGodCards=[])['godDescriptions']) == ['Demeter', 'Minotaur'], 'the gods of the table')
    bob.send('setGodCard', godCard='Minotaur')
    both('godCardAssigned', name='bob', godCard='Minotaur', result=True)
    both('turnUpdate', name='ann')
    ann.expect('askGod', chosenGodCards=['Minotaur'])
    ann.send('setGodCard', godCard='Demeter')
    both('godCardAssigned', name='ann', godCard='Demeter', result=True)
    both('turnUpdate', name='ann')
    ann.expect('chooseStartPlayer', players=['ann', 'bob'])
    ann.send('setStartPlayer', name='bob')
    both('setStartPlayer', name='bob', result=True)
    both('stateUpdate', state='SETUP_COLOR')
    bob.expect('askColor', chosenColors=[])
    bob.send('colorUpdate', color='MAGENTA')
    both('colorUpdate', name='bob', color='MAGENTA', result=True)
    both('turnUpdate', name='ann')
    ann.expect('askColor', chosenColors=['MAGENTA'])
    ann.send('colorUpdate', color='WHITE')
    both('colorUpdate', name='ann', color='WHITE', result=True)
    both('turnUpdate', name='bob')
    both('stateUpdate', state='SETUP_BUILDERS')
    bob.expect('askBuilders')
    bob.send('buildersPlacement', name='bob', positions=cells('44 23'))
    both('buildersPlacement', name='bob', positions=cells('44 23'), result=True)
    both('turnUpdate', name='ann')
    ann.expect('askBuilders')
    ann.send('buildersPlacement', name='ann', positions=cells('00 22'))
    both('buildersPlacement', name='ann', positions=cells('00 22'), result=True)
    both('turnUpdate', name='bob')
    both('stateUpdate', state='GAME')
    moves = bob.expect('possibleMoveDestinations', builders=[1, 2])
    check([listed(moves, 0), listed(moves, 1)] == [{'33', '34', '43'}, {'22', '33', '12', '34', '13', '24', '14', '32'}],
          f'the destinations of the page, not {moves}')
    move(bob, '23', '22')
    both('builderPushed', name='ann', src=cell('22'), dst=cell('21'))
    both('move', name='bob', src=cell('23'), dst=cell('22'), result=True)
    builds = bob.expect('possibleBuildDestinations', builders=[2])
    check([listed(builds, n) for n in range(4)] == [{'33', '34', '43'}, {'11', '33', '12', '23', '13', '31', '32'}, set(), set()],
          f'the idle builder is shown, too, not {builds}')
    build(bob, '22', '12', buildDome=False)
    both('build', name='bob', src=cell('22'), dst=cell('12'), buildDome=False, result=True)
    both('turnUpdate', name='ann')
    turn_of_ann = [('00', '01', '02', '11'), ('01', '11', '02', '12'), ('11', '02', '12', None)]
    turn_of_bob = [('44', '43', '44'), ('43', '44', '43'), ('44', '34', '44')]
    for (src, dst, first, second), theirs in zip(turn_of_ann, turn_of_bob):
        ann.expect('possibleMoveDestinations')
        move(ann, src, dst)
        both('move', name='ann', result=True)
        ann.expect('possibleBuildDestinations')
        build(ann, dst, first)
        both('build', name='ann', result=True)
        ann.expect('askStep', possibleSteps=['BUILD', 'END'])
        ann.send('setStepChoice', name='ann', stepChoice='BUILD' if second else 'END')
        if second:
            ann.expect('setStepChoice', name='ann', stepChoice='BUILD', result=True)
            again = ann.expect('possibleBuildDestinations')
            check(first not in listed(again, 0), 'Demeter builds elsewhere the second time')
            build(ann, dst, second)
            both('build', name='ann', result=True)
        both('turnUpdate', name='bob')
        bob.expect('possibleMoveDestinations')
        move(bob, *theirs[:2])
        both('move', name='bob', result=True)
        bob.expect('possibleBuildDestinations')
        build(bob, *theirs[1:])
        both('build', name='bob', result=True)
        both('turnUpdate', name='ann')
    ann.expect('possibleMoveDestinations')
    move(ann, '02', '12')
    both('move', name='ann', src=cell('02'), dst=cell('12'), result=True)
    both('endGame', winner='ann')
    both('disconnect')
    for player in players:
        player.expect_end()


@on_server()
def three_players_are_offered_the_gods_that_fit(server):
    players = named(server, 3)
    gods = players[0].expect('chooseMatchGodCards', numberOfPlayers=3)['godDescriptions']
    check(len(gods) == 27 and not {'Aphrodite', 'Chronus', 'Circe'} & set(gods), f'{len(gods)} gods are offered to three')
    players[0].send('setMatchGodCards', godCardNames=['Pan', 'Atlas', 'Athena'])
    for player in players:
        player.expect('setMatchGodCards', result=True)
    for number in (1, 2, 0):
        for player in players:
            player.expect('turnUpdate', name=NAMES[number])
        players[number].expect('askGod')
        players[number].send('setGodCard', godCard=['Athena', 'Pan', 'Atlas'][number])
        for player in players:
            player.expect('godCardAssigned', name=NAMES[number])


@on_server()
def refused_set_up_answers_are_asked_again(server):
    """Section 7: bad number, refused answer, god outside the match set, duplicate nickname."""
    ann = Asker(server.port, 'ann')
    ann.expect('askNumberOfPlayers')
    for number in (1, 4, 'two', 2.5, None, [2]):
        ann.send_raw(json.dumps({'type': 'setNumberOfPlayers', 'numberOfPlayers': number}))
        ann.expect('errorNumber')
        ann.expect('askNumberOfPlayers')
    ann.send('setNumberOfPlayers', numberOfPlayers=2)
    ann.expect('stateUpdate')
    bob = Asker(server.port, 'bob')
    bob.expect('stateUpdate')
    for player in (ann, bob):
        player.expect('askNickAndDate')
    ann.send('addPlayer', name='ann', date='2000.05.05')
    for player in (ann, bob):
        player.expect('playerAdded', name='ann')
    for fields in ({'name': 'ann', 'date': '1990.01.01'}, {'name': 'bob', 'date': '1999.02.29'}, {'name': 'bob', 'date': '1999.13.01'},
                   {'name': 'bob', 'date': 'yesterday'}, {'name': 'bob', 'date': '1999.02.'}, {'name': 'bob'}, {'date': '1990.01.01'},
                   {'name': '', 'date': '1990.01.01'}, {'name': ' ', 'date': '1990.01.01'}, {'name': 'x' * 33, 'date': '1990.01.01'},
                   {'name': 'a\nb', 'date': '1990.01.01'}, {'name': 'a\u009bb', 'date': '1990.01.01'}, {'name': '\u00a0\u3000', 'date': '1990.01.01'}, {'name': 7, 'date': '1990.01.01'}):
        bob.send_raw(json.dumps({'type': 'addPlayer', **fields}))
        bob.expect_refusal('playerAdded')
        bob.expect('askNickAndDate')
    bob.send('addPlayer', name='bob', date='1990.05.05')
    for player in (ann, bob):
        player.read_until('turnUpdate', name='ann')
    ann.expect('chooseMatchGodCards')
    for gods in (['Pan'], ['Pan', 'Pan'], ['Pan', 'Nobody'], ['Pan', 'Atlas', 'Zeus'], [], ['Pan', 7], 'Pan', None,
                 ['Pan', 'Atlas', 'Zeus', 'Hera']):
        ann.send_raw(json.dumps({'type': 'setMatchGodCards', 'godCardNames': gods}))
        ann.expect_refusal('setMatchGodCards')
        ann.expect('chooseMatchGodCards')
    ann.send('setMatchGodCards', godCardNames=['Pan', 'Atlas'])
    bob.read_until('askGod')
    for god in ('Zeus', 'Nobody', None, 3):
        bob.send_raw(json.dumps({'type': 'setGodCard', 'godCard': god}))
        bob.expect_refusal('godCardAssigned')
        bob.expect('askGod')
    bob.send('setGodCard', godCard='Pan')
    ann.read_until('askGod')
    ann.send('setGodCard', godCard='Pan')
    ann.expect_refusal('godCardAssigned')
    ann.expect('askGod', chosenGodCards=['Pan'])
    ann.send('setGodCard', godCard='Atlas')
    ann.read_until('chooseStartPlayer')
    for name in ('nobody', '', None):
        ann.send_raw(json.dumps({'type': 'setStartPlayer', 'name': name}))
        ann.expect_refusal('setStartPlayer')
        ann.expect('chooseStartPlayer')
    ann.send('setStartPlayer', name='bob')
    bob.read_until('askColor')
    for color in ('RED', None, 5):
        bob.send_raw(json.dumps({'type': 'colorUpdate', 'color': color}))
        bob.expect_refusal('colorUpdate')
        bob.expect('askColor')
    bob.send('colorUpdate', color='WHITE')
    ann.read_until('askColor')
    ann.send('colorUpdate', color='WHITE')
    ann.expect_refusal('colorUpdate', color='WHITE')
    ann.expect('askColor', chosenColors=['WHITE'])
    ann.send('colorUpdate', color='MAGENTA')
    bob.read_until('askBuilders')
    for positions in (cells('00'), cells('00 00'), cells('00 11 22'), [{'i': 0}, cell('11')], [cell('00'), {'i': 5, 'j': 0}], None, 'here',
                      [cell('00'), {'i': -1, 'j': 0}], [cell('00'), None]):
        bob.send_raw(json.dumps({'type': 'buildersPlacement', 'positions': positions}))
        bob.expect_refusal('buildersPlacement')
        bob.expect('askBuilders')
    bob.send('buildersPlacement', positions=cells('00 11'))
    ann.read_until('askBuilders')
    ann.send('buildersPlacement', positions=cells('00 22'))
    ann.expect_refusal('buildersPlacement', positions=cells('00 22'))
    ann.expect('askBuilders')
    check(all(message['type'] != 'error' and message.get('result') is not False for message in bob.settle()),
          'a refusal reached somebody else')


@on_server()
def refused_moves_change_nothing_and_stay_private(server):
    """Section 7: out-of-range or missing coordinates; another builder; the idle builder's list is never accepted."""
    ann, bob = begun(server, ('Pan', 'Demeter'), ('00 22', '44 23'))
    moves = ann.read_until('possibleMoveDestinations')
    for fields in ({'src': cell('00'), 'dst': cell('02')}, {'src': cell('44'), 'dst': cell('43')}, {'src': cell('22'), 'dst': cell('23')},
                   {'src': cell('11'), 'dst': cell('12')}, {'src': cell('00'), 'dst': cell('00')}):
        ann.send('move', **fields)
        ann.expect_refusal('move', name='ann', **fields)
    for fields in ({'dst': cell('01')}, {'src': cell('00')}, {}, {'src': {'i': 0, 'j': 9}, 'dst': cell('01')}, {'src': 0, 'dst': 1},
                   {'src': {'i': -1, 'j': 0}, 'dst': cell('01')}, {'src': {'i': 1e9, 'j': 0.5}, 'dst': cell('01')},
                   {'src': {'i': 999999999999, 'j': 0}, 'dst': cell('01')}, {'src': [0, 0], 'dst': cell('01')}):
        ann.send_raw(json.dumps({'type': 'move', **fields}))
        ann.expect_refusal('move', name='ann')
    build(ann, '00', '01')
    check('before' in ann.expect_refusal('build'), 'the move comes before the build')
    for where in listed(moves, 0):
        check(where not in ('00', '22', '44', '23'), 'an occupied cell is listed')
    move(ann, '00', '01')
    ann.expect('move', result=True)
    builds = ann.expect('possibleBuildDestinations', builders=[1])
    check(listed(builds, 1), 'the idle builder is not shown')
    build(ann, '22', listed(builds, 1).pop())
    check('builder' in ann.expect_refusal('build'), 'the other builder may not build')
    build(ann, '01', '02', buildDome=True)
    ann.expect_refusal('build', buildDome=True)
    ann.send_raw('{"type":"build","src":{"i":0,"j":1},"dst":{"i":0,"j":2},"buildDome":"perhaps"}')
    ann.expect_refusal('build')
    move(ann, '01', '02')
    ann.expect_refusal('move')
    bob.expect('move', name='ann', src=cell('00'), dst=cell('01'))
    build(ann, '01', '00')
    for player in (ann, bob):
        player.expect('build', name='ann')
        player.expect('turnUpdate', name='bob')


@on_server()
def out_of_turn_is_an_error_to_the_sender(server):
    """Section 7: wrong client or wrong phase."""
    ann, bob = begun(server, ('Pan', 'Demeter'), ('00 22', '44 23'))
    ann.expect('possibleMoveDestinations')
    for kind, fields in (('move', {'src': cell('44'), 'dst': cell('43')}), ('setStepChoice', {'stepChoice': 'END'}),
                         ('colorUpdate', {'color': 'WHITE'}), ('addPlayer', {'name': 'bert', 'date': '2000.01.01'}),
                         ('setNumberOfPlayers', {'numberOfPlayers': 2})):
        bob.send(kind, **fields)
        bob.expect('error')
    for kind, fields in (('colorUpdate', {'color': 'LIGHT_BLUE'}), ('buildersPlacement', {'positions': cells('11 12')}),
                         ('setGodCard', {'godCard': 'Pan'}), ('addPlayer', {'name': 'ann', 'date': '2000.01.01'})):
        ann.send(kind, **fields)
        ann.expect('error')
    check(ann.settle() == [] and bob.settle() == [], 'somebody heard of it')


@on_server()
def steps_are_chosen_and_bind(server):
    """Section 7: step not offered."""
    ann, bob = begun(server, ('Artemis', 'Prometheus'), ('00 22', '44 23'))
    ann.expect('possibleMoveDestinations')
    ann.send('setStepChoice', stepChoice='END')
    ann.expect_refusal('setStepChoice', stepChoice='END')
    ann.expect('possibleMoveDestinations')
    move(ann, '00', '01')
    ann.expect('move', result=True)
    ann.expect('askStep', possibleSteps=['MOVE', 'BUILD'])
    for word in ('END', 'FORCE', 'DANCE', '', None):
        ann.send_raw(json.dumps({'type': 'setStepChoice', 'stepChoice': word}))
        ann.expect_refusal('setStepChoice')
        ann.expect('askStep', possibleSteps=['MOVE', 'BUILD'])
    ann.send('setStepChoice', stepChoice='BUILD')
    ann.expect('setStepChoice', name='ann', stepChoice='BUILD', result=True)
    ann.expect('possibleBuildDestinations')
    move(ann, '01', '02')
    ann.expect_refusal('move')
    ann.send('setStepChoice', stepChoice='MOVE')
    ann.expect('setStepChoice', stepChoice='MOVE', result=True)
    again = ann.expect('possibleMoveDestinations')
    check('00' not in listed(again, 0), 'Artemis does not go back')
    move(ann, '01', '02')
    ann.expect('move', result=True)
    ann.expect('possibleBuildDestinations')
    build(ann, '02', '03')
    bob.read_until('askStep', possibleSteps=['MOVE', 'BUILD'])
    bob.send_raw('{"type":"setStepChoice","stepChoice":"build"}')
    bob.expect('setStepChoice', name='bob', stepChoice='BUILD', result=True)
    bob.expect('possibleBuildDestinations', builders=[1, 2])
    build(bob, '44', '43')
    bob.expect('build', result=True)
    bob.expect('possibleMoveDestinations', builders=[1])
    check('setStepChoice' not in [message['type'] for message in ann.settle()], 'a choice of steps reached somebody else')


@on_server()
def a_step_may_be_implied(server):
    """Section 7: a move or build without a choice, where one is asked for."""
    ann, _ = begun(server, ('Artemis', 'Pan'), ('00 22', '44 23'))
    ann.expect('possibleMoveDestinations')
    move(ann, '00', '01')
    ann.read_until('askStep')
    build(ann, '01', '02')
    ann.expect('build', result=True)


@on_server()
def domes_and_heights(server):
    """Section 7: buildDome false on height 3, true on a low cell, missing; Hephaestus without a second build."""
    players = ann, bob = begun(server, ('Hephaestus', 'Pan'), ('01 40', '44 24'))
    bob_turns = [('44', '43', '44'), ('43', '42', '43'), ('42', '43', '42')]
    ann.expect('possibleMoveDestinations')
    move(ann, '01', '11')
    ann.read_until('possibleBuildDestinations')
    build(ann, '11', '00', buildDome=True)
    ann.expect_refusal('build')
    build(ann, '11', '00')
    ann.expect('build', result=True, buildDome=False)
    ann.expect('askStep', possibleSteps=['BUILD', 'END'])
    ann.send('setStepChoice', stepChoice='BUILD')
    ann.expect('setStepChoice')
    check(listed(ann.expect('possibleBuildDestinations'), 0) == {'00'}, 'Hephaestus builds on the same cell again')
    build(ann, '11', '00')
    ann.expect('build', result=True)
    turn(players, 1, *bob_turns[0])
    turn(players, 0, '11', '10', '00')
    for player in players:
        player.expect('turnUpdate', name='bob')
    turn(players, 1, *bob_turns[1])
    ann.read_until('possibleMoveDestinations')
    move(ann, '10', '11')
    builds = ann.read_until('possibleBuildDestinations')
    check('00' in listed(builds, 2) and '00' not in listed(builds, 0), 'three blocks take a dome and nothing else')
    build(ann, '11', '00', buildDome=False)
    ann.expect_refusal('build')
    build(ann, '11', '00', buildDome=True)
    ann.expect('build', result=True, buildDome=True)
    ann.expect('turnUpdate', name='bob')


@on_server()
def numbers_flags_and_words_as_texts(server):
    """Section 7: numberOfPlayers "2", coordinates and buildDome as texts, names in any case, missing name and buildDome."""
    ann = Asker(server.port, 'ann')
    ann.expect('askNumberOfPlayers')
    ann.send_raw('{"numberOfPlayers":" 2 ","type":"setNumberOfPlayers"}')
    ann.expect('stateUpdate')
    bob = Asker(server.port, 'bob')
    bob.expect('stateUpdate')
    ann.send_raw('{"type":"addPlayer","name":"ann","date":"2000.5.5","shoes":[{}]}')
    bob.send_raw('{"type":"addPlayer","name":"bob","date":"2000.02.29"}')
    ann.read_until('chooseMatchGodCards')
    ann.send_raw('{"type":"setMatchGodCards","godDescriptions":{"Atlas":"domes","aRTEMIS":null}}')
    ann.expect('setMatchGodCards', result=True, godCardNames=['Atlas', 'Artemis'])
    bob.read_until('askGod')
    bob.send_raw('{"type":"setGodCard","godCard":" atlas "}')
    bob.read_until('godCardAssigned', godCard='Atlas', result=True)
    ann.read_until('askGod')
    ann.send('setGodCard', godCard='Artemis')
    ann.read_until('chooseStartPlayer')
    ann.send_raw('{"type":"setStartPlayer","name":"BOB"}')
    ann.read_until('setStartPlayer', result=True, name='bob')
    bob.read_until('askColor')
    bob.send_raw('{"type":"colorUpdate","color":"light_blue"}')
    ann.read_until('askColor')
    ann.send('colorUpdate', color='WHITE')
    bob.read_until('askBuilders')
    bob.send_raw('{"type":"buildersPlacement","positions":[{"i":"4","j":"4"},{"i":2.0,"j":3}]}')
    ann.read_until('askBuilders')
    ann.send('buildersPlacement', positions=cells('00 22'))
    bob.read_until('possibleMoveDestinations')
    bob.send_raw('{"type":"move","src":{"i":"4","j":"4"},"dst":{"i":"4","j":"3"}}')
    bob.read_until('move', result=True, name='bob')
    bob.read_until('possibleBuildDestinations')
    bob.send_raw('{"type":"build","src":{"i":4,"j":3},"dst":{"i":4,"j":4},"buildDome":"true"}')
    bob.expect('build', result=True, buildDome=True)
    ann.read_until('possibleMoveDestinations')
    ann.send_raw('{"type":"move","name":"somebody else","src":{"i":0,"j":0},"dst":{"i":0,"j":1}}')
    ann.expect('move', result=True, name='ann')
    ann.read_until('askStep')
    ann.send_raw('{"type":"build","src":{"i":0,"j":1},"dst":{"i":0,"j":0}}')
    ann.expect('build', result=True, buildDome=False)


@on_server()
def lines_as_the_document_prints_them(server):
    """Section 7: unquoted keys, printed quotes, text behind the object, sets in braces, all ends of lines, blank lines."""
    ann = Asker(server.port, 'ann')
    ann.expect('askNumberOfPlayers')
    ann.send_raw('{"numberOfPlayers":"2",type:"setNumberOfPlayers"}', '\r\n')
    ann.expect('stateUpdate')
    bob = Asker(server.port, 'bob')
    bob.expect('stateUpdate')
    for player in (ann, bob):
        player.expect('askNickAndDate')
    ann.send_raw('\n\r\n{"date":"2000.04.11","name":"ann","type":"addPlayer"} thank you }', '\r')
    ann.expect('playerAdded', name='ann', result=True)
    bob.send_raw('{ date : "1998.04.11", name : "bob", type : "addPlayer" }')
    ann.read_until('chooseMatchGodCards')
    ann.send_raw('{"godCardNames":{"Minotaur", "Zeus"},"name": "ann", "type":"setMatchGodCards"}')
    ann.expect('setMatchGodCards', result=True, godCardNames=['Minotaur', 'Zeus'])
    bob.read_until('askGod')
    bob.send_raw('{“godCard”:”Minotaur”,”type”:”setGodCard”}')
    bob.expect('godCardAssigned', result=True, name='bob', godCard='Minotaur')


@on_server()
def what_is_no_message_gets_an_error(server):
    """Section 7: unknown type, not JSON; and the ceilings. The table goes on."""
    ann, bob = begun(server, ('Pan', 'Demeter'), ('00 22', '44 23'))
    ann.expect('possibleMoveDestinations')
    for line in ('hello', '{', '[]', '7', '{}', '{"type":7}', '{"type":"dance"}', '{"type":"move","type":"move"}', '"text"', '}{', '{"type":99999999999999999999}',
                 '{"type":"' + 'x' * 300 + '"}', '{"type":"' + '\u00e4' * 100 + '"}', b'{"type":"\xff"}\n', '[' * 40, '{"a":' * 33 + '1' + '}' * 33,
                 '{"type":"move","src":' + '[' * 33 + ']' * 33 + '}'):
        ann.send_raw(line)
        ann.expect('error')
    ann.send_raw('{"type":"move","name":"' + 'x' * 70000 + '"}')
    check('too long' in ann.expect('error')['description'], 'a line of more than 64 KiB')
    move(ann, '00', '01')
    for player in (ann, bob):
        player.read_until('move', result=True)


@on_server()
def equal_dates_go_by_who_came_first(server):
    """Section 7: same birth date."""
    players = connect(server, 3)
    for number in (1, 2, 0):
        players[number].send('addPlayer', name=NAMES[number], date='1990.01.01')
        skip(players, 'playerAdded', name=NAMES[number])
    skip(players, 'turnUpdate', name='bob')
    players[1].expect('chooseMatchGodCards')


@on_server()
def effects_that_the_document_has_no_word_for(server):
    """Section 5: Zeus, Charon, Ares."""
    ann, bob = begun(server, ('Zeus', 'Charon'), ('00 33', '44 23'))
    ann.expect('possibleMoveDestinations')
    move(ann, '33', '34')
    check('34' in listed(ann.read_until('possibleBuildDestinations'), 1), 'Zeus builds under himself')
    build(ann, '34', '34')
    for player in (ann, bob):
        player.read_until('build', src=cell('34'), dst=cell('34'), result=True)
        player.expect('builderLifted', name='ann', dst=cell('34'))
    bob.read_until('askStep', possibleSteps=['MOVE', 'FORCE'])
    bob.send('setStepChoice', stepChoice='FORCE')
    bob.expect('setStepChoice', stepChoice='FORCE', result=True)
    forces = bob.expect('possibleForceDestinations', builders=[2])
    check([listed(forces, 0), listed(forces, 1)] == [set(), {'34'}], f'Charon brings 34 across 23 to 12, not {forces}')
    bob.send('force', src=cell('44'), dst=cell('34'))
    bob.expect_refusal('force')
    bob.send('force', src=cell('23'), dst=cell('34'))
    for player in (ann, bob):
        player.read_until('builderPushed', name='ann', src=cell('34'), dst=cell('12'))
        player.expect('force', name='bob', src=cell('23'), dst=cell('34'), result=True)
    check(listed(bob.expect('possibleMoveDestinations', builders=[2]), 1), 'Charon moves with the same builder')


@on_server()
def ares_takes_blocks_away(server):
    """Section 5: Ares."""
    players = ann, bob = begun(server, ('Ares', 'Pan'), ('00 33', '40 04'))
    turn(players, 0, '00', '01', '00')
    turn(players, 1, '40', '41', '40')
    turn(players, 0, '33', '34', '33')
    ann.expect('askStep', possibleSteps=['REMOVE', 'END'])
    ann.send('setStepChoice', stepChoice='REMOVE')
    ann.expect('setStepChoice', result=True)
    ann.expect('possibleRemoveDestinations', possibleDst=cells('00'))
    ann.send('remove', dst=cell('33'))
    ann.expect_refusal('remove', dst=cell('33'))
    ann.send('remove', dst=cell('00'))
    for player in players:
        player.read_until('remove', name='ann', dst=cell('00'), result=True)
        player.expect('turnUpdate', name='bob')


if __name__ == '__main__':
    wire.run_cases([
        ('the game of the page, message by message', the_game_of_the_page),
        ('three players are offered the gods that fit', three_players_are_offered_the_gods_that_fit),
        ('refused set-up answers are asked again', refused_set_up_answers_are_asked_again),
        ('refused moves change nothing and stay private', refused_moves_change_nothing_and_stay_private),
        ('out of turn is an error to the sender', out_of_turn_is_an_error_to_the_sender),
        ('steps are chosen, and bind', steps_are_chosen_and_bind),
        ('a step may be implied', a_step_may_be_implied),
        ('domes and heights', domes_and_heights),
        ('numbers, flags and words as texts', numbers_flags_and_words_as_texts),
        ('lines as the document prints them', lines_as_the_document_prints_them),
        ('what is no message gets an error', what_is_no_message_gets_an_error),
        ('equal dates go by who came first', equal_dates_go_by_who_came_first),
        ('Zeus lifts himself, Charon forces', effects_that_the_document_has_no_word_for),
        ('Ares takes blocks away', ares_takes_blocks_away),
    ])
