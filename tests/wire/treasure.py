#!/usr/bin/env python3
"""Treasure Hunt over HTTP and XML against a real server: every message, every field gone wrong, what nobody may learn,
and whole games by both kinds of player, through kill -9 and back.

usage: treasure.py PARLOR [WORDS OF A CASE]
"""
import gzip
import http.client
import os
import random
import re
import socket
import sys
import xml.etree.ElementTree as xml

import hunt
import wire
from hunt import CoursePlayer, Player, SixForts, check, error, okay

PARLOR = sys.argv[1]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'clients', 'python', 'examples',
                       'treasure_client.py')
GAME_DEADLINE_S = 200
NOBODY = '00000000-0000-4000-8000-000000000000'
DIRECTIONS = 'Up', 'Down', 'Left', 'Right'
server = None


def two(query='', kinds=(Player, Player)):
    game = server.create(query)
    return [kind(server, game, name) for kind, name in zip(kinds, ('ann', 'bob'))]


def on_turn(players):
    """(who must act, its state, the other one)."""
    states = [player.state() for player in players]
    actors = [i for i, state in enumerate(states) if state.standing == 'MustAct']
    check(len(actors) == 1, f'{[state.standing for state in states]}: exactly one must act')
    return players[actors[0]], states[actors[0]], players[1 - actors[0]]


def register(body, game=None):
    return server.ask('POST', f'/games/{game or server.create()}/players', body)


def refused(text, name=None, contains=''):
    found, message = error(text)
    check(name is None or found == name, f'{found} ({message}) instead of {name}')
    check(contains in message, f'{contains!r} is not in {message!r}')


# Creating games.

def games_are_created():
    texts = [server.ask('GET', path) for path in ('/games', '/games/', '//games', '/games//', '/games?', '/games?x=1')]
    texts.append(server.ask('POST', '/games'))
    hunt.validate('uniqueGameIdentifier', texts)
    ids = [re.search('<uniqueGameID>(.{5})</uniqueGameID>', text).group(1) for text in texts]
    check(len(set(ids)) == len(ids), f'the same id twice: {ids}')
    check(all(re.fullmatch('[A-Z][0-9A-Z]{4}', name) for name in ids), f'strange ids: {ids}')


def creating_never_fails():
    for query in ('violation=none', 'actionTime=x', 'actionTime=-1', 'maxActions=0', 'maxActions=99999999999999999999', '&&&',
                  '=', 'violation', 'enableDebugMode=', '%00%ff', 'a' * 3000, 'violation=lose&violation=refuse'):
        hunt.validate('uniqueGameIdentifier', [server.ask('GET', '/games?' + query)])


# Registration.

def names_come_back():
    for name in ('x', "O'Neill & <Söhne> \"GmbH\"", 'Jürgen Weiß', '🦊' * 50, 'ä' * 50, ' blank ', 'a&amp;b', ']]>'):
        game = server.create()
        player, other = Player(server, game, name), Player(server, game, name)
        for state in (player.state(), other.state()):
            names = [entry.findtext('playerUsername') for entry in state.players]
            check(names == [name, name], f'{name!r} became {names}')
        player.check_states()


def course_names_come_back():
    for name in ("O'Neill & <Söhne>", '🦊' * 50):
        game = server.create()
        player = CoursePlayer(server, game, name)
        entry = player.state().own[0]
        check([entry.findtext(tag) for tag in ('firstName', 'lastName', 'uaccount')] == [name, 'Maier', 'maiera99'],
              'the names of a course player are others')
        player.check_states()


def registrations_may_look_different():
    inner = '<playerUsername>ann</playerUsername>'
    for body in (f'\n<playerRegistration>\n  {inner}\n</playerRegistration>\n',
                 f'\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?><playerRegistration>{inner}</playerRegistration>',
                 '<playerRegistration><playerUsername><![CDATA[ann]]></playerUsername></playerRegistration>',
                 f'<!-- a --><playerRegistration><!-- b -->{inner}<more><less/></more></playerRegistration><!-- c -->',
                 f'<playerRegistration xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{inner}</playerRegistration>',
                 '<a:playerRegistration xmlns:a="urn:a"><a:playerUsername>an&#110;</a:playerUsername></a:playerRegistration>',
                 '<playerRegistration><studentLastName>c</studentLastName><studentUAccount>d</studentUAccount>'
                 '<studentFirstName>b</studentFirstName></playerRegistration>'):
        hunt.validate('registrationResponse', [register(body)])


def wrong_registrations_are_refused():
    def body(inner):
        return f'<playerRegistration>{inner}</playerRegistration>'
    student = '<studentFirstName>a</studentFirstName><studentLastName>b</studentLastName>'
    game = server.create()
    for text, part in ((body(''), 'playerUsername is missing'),
                       (body('<playerUsername/>'), 'playerUsername is empty'),
                       (body('<playerUsername></playerUsername>'), 'playerUsername is empty'),
                       (body(f'<playerUsername>{"x" * 51}</playerUsername>'), '51 characters'),
                       (body(f'<playerUsername>{"🦊" * 51}</playerUsername>'), '51 characters'),
                       (body('<playerUsername>a</playerUsername><playerUsername>b</playerUsername>'), 'more than one'),
                       (body('<name>ann</name>'), 'playerUsername is missing'),
                       (body(f'<deeper><playerUsername>a</playerUsername></deeper>'), 'playerUsername is missing'),
                       (body(student), 'studentUAccount is missing'),
                       (body(student + '<studentUAccount/>'), 'studentUAccount is empty'),
                       (body(student + f'<studentUAccount>{"x" * 51}</studentUAccount>'), '51 characters')):
        refused(register(text, game), 'InvalidFieldException', part)
    refused(register('<playerMove><playerUsername>a</playerUsername></playerMove>', game), 'WrongMessageException')
    refused(register('<PlayerRegistration><playerUsername>a</playerUsername></PlayerRegistration>', game))
    check(len(Player(server, game).state().players) == 1, 'a refused registration took a seat')


def not_xml_is_refused():
    entity = ''.join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10 if i else "ha"}">' for i in range(10))
    inner = '<playerRegistration><playerUsername>{}</playerUsername></playerRegistration>'
    game = server.create()
    for body in ('', ' ', 'x', '{"playerUsername": "ann"}', '<', '<playerRegistration>', '<playerRegistration></b>', inner.format('a') * 2,
                 inner.format('&nbsp;'), inner.format('&#0;'), inner.format('\x01'), b'\xff\xfe<\x00a\x00/\x00>\x00',
                 inner.format('ä').encode('latin-1'), inner.format('a').encode('utf-16'),
                 '<?xml version="1.0" encoding="ISO-8859-1"?>' + inner.format('a'),
                 '<!DOCTYPE a>' + inner.format('a'),
                 f'<!DOCTYPE a [{entity}]>' + inner.format('&a9;'),
                 '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' + inner.format('&b;'),
                 '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">' + inner.format('a'),
                 '<playerRegistration>' + '<a>' * 5000 + '</a>' * 5000 + '</playerRegistration>'):
        refused(register(body, game), 'MalformedMessageException')
    for path in 'moves', 'halfmaps':
        refused(server.ask('POST', f'/games/{game}/{path}', f'<!DOCTYPE a [{entity}]><a>&a9;</a>'), 'MalformedMessageException')


def large_bodies_are_refused():
    name = '<playerUsername>a</playerUsername>'
    padding = '<!--' + 'x' * (64 * 1024 - 200) + '-->'
    hunt.validate('registrationResponse', [register(f'<playerRegistration>{padding}{name}</playerRegistration>')])
    connection = http.client.HTTPConnection('127.0.0.1', server.port, timeout=wire.DEADLINE_S)
    connection.request('POST', f'/games/{server.create()}/players', 'x' * (64 * 1024 + 1))
    status = connection.getresponse().status
    connection.close()
    check(status == 413, f'a body that is too large gave {status}')


def two_players_are_enough():
    players = two()
    for kind in Player, CoursePlayer:
        refused(register(kind(server, '', register=False).registration(), players[0].game), 'GameFullException')
    check(len(players[0].state().players) == 2, 'there are more than two')


# Ids.

def unknown_games_are_refused():
    player = Player(server, server.create())
    for game in ('ZZZZZ', 'zzzzz', '00000', 'A', 'ABCDEF', 'A' * 200, '%41BCDE', 'ILOUU', '..', 'A%20BC'):
        refused(register(player.registration(), game), 'GameNotFoundException')
        refused(server.ask('GET', f'/games/{game}/states/{player.id}'), 'GameNotFoundException')
        move = f'<playerMove><uniquePlayerID>{player.id}</uniquePlayerID><move>Up</move></playerMove>'
        refused(server.ask('POST', f'/games/{game}/moves', move), 'GameNotFoundException')
        refused(server.ask('POST', f'/games/{game}/halfmaps', hunt.half_body(player.id, hunt.half_map())), 'GameNotFoundException')


def unknown_players_are_refused():
    players, others = two(), two()
    actor, _, waiter = on_turn(players)
    mask = actor.state().other[0].findtext('uniquePlayerID')
    before = [player.state().text for player in players]
    for name in (NOBODY, others[0].id, mask, actor.id[:-1], actor.id + '0', actor.id.upper().replace('-', ''), 'x', 'x' * 2000):
        refused(server.ask('GET', f'/games/{actor.game}/states/{name}'), 'PlayerUnknownException')
        move = f'<playerMove><uniquePlayerID>{name}</uniquePlayerID><move>Up</move></playerMove>'
        refused(server.ask('POST', f'/games/{actor.game}/moves', move), 'PlayerUnknownException')
        refused(server.ask('POST', f'/games/{actor.game}/halfmaps', hunt.half_body(name, hunt.half_map())), 'PlayerUnknownException')
    check([player.state().text for player in players] == before, 'a refusal has changed something')
    check(mask not in (actor.id, waiter.id), 'the id of the other player is its real one')


# Paths and methods.

def other_paths_are_unknown():
    game = server.create()
    for path in ('/foo', '/game', f'/games/{game}', f'/games/{game}/foo', f'/games/{game}/states', '/games/a/b/c/d/e',
                 f'/games/{game}/players/x', '/GAMES'):
        status, headers, data = server.request('GET', path)
        check(status == 404 and headers['Content-Type'].startswith('application/xml'), f'{path} gave {status}')
        refused(data.decode(), 'UnknownPathException')


def other_methods_are_refused():
    player = Player(server, server.create())
    for method, path in (('GET', 'players'), ('GET', 'moves'), ('GET', 'halfmaps'), ('PUT', 'moves'), ('DELETE', 'players'),
                         ('POST', f'states/{player.id}'), ('PUT', f'states/{player.id}')):
        refused(server.ask(method, f'/games/{player.game}/{path}', 'x' if method == 'PUT' else None), 'WrongMethodException')
    status, headers, data = server.request('HEAD', f'/games/{player.game}/states/{player.id}')
    check(status == 200 and int(headers['Content-Length']) > 300 and data == b'', 'HEAD is not GET without its body')


def paths_and_headers_may_look_different():
    players = two()
    actor, state, _ = on_turn(players)
    state_path = f'//games/{actor.game}//states/{actor.id}/?now=1'
    check(hunt.State(server.ask('GET', state_path), actor.id).text == state.text, 'doubled slashes make a difference')
    direction = next(name for name in DIRECTIONS if name not in state.illegal())
    move = f'<playerMove><move>\n {direction} </move><uniquePlayerID> {actor.id}\n</uniquePlayerID></playerMove>'
    _, _, data = server.request('POST', f'/games/{actor.game}/moves/', move, {'Content-Type': 'text/plain', 'Accept': 'image/png'})
    okay(data.decode())
    _, headers, data = server.request('GET', f'/games/{actor.game}/states/{actor.id}', None, {'Content-Type': 'application/xml'})
    check(headers['Content-Type'].startswith('application/xml'), 'a GET with a Content-Type')


def bodies_may_come_in_pieces():
    text = Player(server, '', register=False).registration().encode()
    head = f'POST /games/{server.create()}/players HTTP/1.1\r\nHost: localhost\r\n'.encode()
    chunks = b''.join(b'%x\r\n%s\r\n' % (len(text[i:i + 7]), text[i:i + 7]) for i in range(0, len(text), 7)) + b'0\r\n\r\n'
    for request, first in ((head + b'Transfer-Encoding: chunked\r\n\r\n' + chunks, b'HTTP/1.1 200'),
                           (head + b'Expect: 100-continue\r\nContent-Length: %d\r\n\r\n' % len(text) + text, b'HTTP/1.1 100')):
        with socket.create_connection(('127.0.0.1', server.port), wire.DEADLINE_S) as connection:
            connection.sendall(request)
            data = b''
            while b'</responseEnvelope>' not in data:
                piece = connection.recv(65536)
                check(piece, f'the stream ends after {data!r}')
                data += piece
        check(data.startswith(first) and b'<uniquePlayerID>' in data, f'{data!r}')


def requests_may_be_pipelined():
    players = two()
    actor, state, _ = on_turn(players)
    direction = next(name for name in DIRECTIONS if name not in state.illegal())
    move = f'<playerMove><uniquePlayerID>{actor.id}</uniquePlayerID><move>{direction}</move></playerMove>'
    poll = f'GET /games/{actor.game}/states/{actor.id} HTTP/1.1\r\nHost: localhost\r\n\r\n'
    with socket.create_connection(('127.0.0.1', server.port), wire.DEADLINE_S) as connection:
        connection.sendall((poll + f'POST /games/{actor.game}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(move)}\r\n\r\n{move}'
                            + poll * 3).encode())
        data = b''
        while data.count(b'</responseEnvelope>') < 5:
            piece = connection.recv(65536)
            check(piece, 'the stream ends')
            data += piece
    answers = re.findall(r'<responseEnvelope>.*?</responseEnvelope>', data.decode(), re.S)
    check('gameStateId' in answers[0] and 'gameStateId' not in answers[1], 'the answers are out of order')
    check('<state>MustAct</state>' in answers[0] and state.id in answers[0], 'the first answer is not the old state')


def states_are_compressed_when_asked_for():
    player = two()[0]
    path = f'/games/{player.game}/states/{player.id}'
    plain = server.ask('GET', path)
    for _ in range(2):
        status, headers, data = server.request('GET', path, None, {'Accept-Encoding': 'gzip, deflate'})
        check(status == 200 and headers['Content-Encoding'] == 'gzip', 'it is not compressed')
        check(gzip.decompress(data).decode() == plain, 'the compressed state is another one')
        check(len(data) < len(plain) / 8, f'{len(data)} of {len(plain)} bytes')


# States.

def a_player_waits_for_the_second():
    game = server.create()
    first = Player(server, game)
    state = first.state()
    check(state.standing == 'MustWait' and not state.nodes and not state.other, 'the first player alone')
    check('<map>' not in state.text, 'there is an empty map')
    check(first.state().text == state.text, 'the state changes by itself')
    refused(first.move('Up'), 'NotYourTurnException')
    second = Player(server, game)
    check(first.state().id != state.id, 'the id of the state stays when the second comes')
    check(len(second.state().nodes) == 100, 'there is no map')
    first.check_states()


def the_map_is_whole():
    shapes = set()
    for _ in range(12):
        for player in two():
            state = player.state()
            width, height = max(x for x, _ in state.nodes) + 1, max(y for _, y in state.nodes) + 1
            shapes.add((width, height))
            check(set(state.nodes) == {(x, y) for x in range(width) for y in range(height)}, 'the map has holes')
            check(len(state.where('playerPositionState', 'MyPlayerPosition', 'BothPlayerPosition')) == 1, 'own position')
            check(len(state.where('playerPositionState', 'EnemyPlayerPosition', 'BothPlayerPosition')) == 1, 'enemy position')
            check(state.where('fortState', 'MyFortPresent') == [state.position], 'the avatar does not start on its fort')
            land = {place for place in state.nodes if state.effort(place)}
            check(hunt.is_connected(land), 'the map has islands')
            player.check_states()
    check(shapes == {(10, 10), (20, 5)}, f'shapes: {shapes}')


def state_ids_change_exactly_with_the_view():
    players = two('?maxActions=60')
    last, known = {}, {player.id: set() for player in players}

    def look():
        for player in players:
            state, again = player.state(), player.state()
            check(state.text == again.text, 'the same state in two forms')
            before = last.get(player.id)
            check(before is None or (before.id == state.id) == (before.content == state.content),
                  'the id and the content do not change together')
            check(before is None or before.id == state.id or state.id not in known[player.id], 'an id comes back')
            known[player.id].add(state.id)
            last[player.id] = state

    hunt.play(players, each=look)
    look()
    hunt.check_over(players)
    check(not set.intersection(*known.values()), 'two players have the same state id')
    check(all(re.fullmatch(hunt.UUID, name) for ids in known.values() for name in ids), 'a state id is no UUID')
    check(min(map(len, known.values())) > 50, 'too few ids')


def secrets_stay_secret():
    hits = looks = 0
    for _ in range(3):
        players = two()
        truth = {player: player.state().position for player in players}
        masks = [player.state().other[0].findtext('uniquePlayerID') for player in players]
        forts = [player.state().where('fortState', 'MyFortPresent')[0] for player in players]
        for _ in range(4000):
            for number, player in enumerate(players):
                other = players[1 - number]
                state = player.state()
                truth[player] = state.position
                player.uncover(state)
                check(other.id not in state.text, 'the real id of the opponent is shown')
                check(state.other[0].findtext('uniquePlayerID') == masks[number], 'the masked id changes')
                shown = state.where('fortState', 'EnemyFortPresent')
                check(shown == ([forts[1 - number]] if forts[1 - number] in player.seen else []), f'the fort is shown at {shown}')
                treasures = state.where('treasureState', 'MyTreasuresPresent')
                check(len(treasures) <= 1 and set(treasures) <= player.seen, 'a treasure is shown that was not uncovered')
                check(not (treasures and state.has_treasure), 'a treasure is shown after it was collected')
                if state.standing in ('Won', 'Lost'):
                    continue
                if player.actions < 8:
                    looks += 1
                    hits += state.enemy == other.state().position
                else:
                    check(state.enemy == other.state().position, 'the enemy is not where it is')
            if not any([player.step() for player in players]):
                break
        hunt.check_over(players)
    check(looks > 40 and hits < looks / 4, f'the enemy was where it was shown in {hits} of {looks} early states')


# Moves.

def wrong_moves_are_refused():
    players = two()
    actor, state, waiter = on_turn(players)
    before = [player.state().text for player in players]

    def send(inner, root='playerMove'):
        return server.ask('POST', f'/games/{actor.game}/moves', f'<{root}>{inner}</{root}>')

    name = f'<uniquePlayerID>{actor.id}</uniquePlayerID>'
    for inner, part in (('<move>Up</move>', 'uniquePlayerID is missing'), ('<uniquePlayerID/><move>Up</move>', 'uniquePlayerID is empty'),
                        (name, 'move is missing'), (name + '<move/>', 'move is empty'), (name + '<move>up</move>', "'up'"),
                        (name + '<move>1</move>', "'1'"), (name + '<move>UpDown</move>', 'Up, Down, Left or Right'),
                        (name + f'<move>{"x" * 3000}</move>', "'xxx"), (name * 2 + '<move>Up</move>', 'more than one'),
                        (name + '<move>Up</move><move>Up</move>', 'more than one')):
        refused(send(inner), 'InvalidFieldException', part)
    refused(send(name + '<move>Up</move>', 'playerMoves'), 'WrongMessageException')
    for direction in DIRECTIONS:
        refused(waiter.move(direction), 'NotYourTurnException')
    for direction in state.illegal():
        refused(actor.move(direction), 'IllegalMoveException')
    refused(server.ask('POST', f'/games/{actor.game}/halfmaps', hunt.half_body(actor.id, hunt.half_map())), 'IllegalHalfMapException')
    check([player.state().text for player in players] == before, 'a refusal has changed something')


def steps_take_effort():
    players = two()
    costs = set()
    for _ in range(150):
        actor, state, _ = on_turn(players)
        if not hasattr(actor, 'spent') or state.position != actor.start:
            if hasattr(actor, 'spent'):
                expected = state.effort(actor.start) + state.effort(state.position)
                check(actor.spent == expected, f'a step of {expected} took {actor.spent}')
                costs.add(expected)
            actor.start, actor.spent = state.position, 0
            actor.heading = random.choice([name for name in DIRECTIONS if name not in state.illegal()])
        okay(actor.move(actor.heading))
        actor.spent += 1
        if actor.state().standing in ('Won', 'Lost'):
            break
    check(2 in costs, f'steps of {costs}')


def find_border(players):
    """Walks until somebody must act beside water or the border; returns (who, an illegal direction, the other)."""
    for _ in range(500):
        actor, state, waiter = on_turn(players)
        if state.illegal():
            return actor, state.illegal()[0], waiter
        actor.act(state)
    raise wire.Failure('no border was found')


def a_violation_can_lose():
    players = two('?violation=lose')
    actor, direction, waiter = find_border(players)
    refused(waiter.move('Up'), 'NotYourTurnException')
    check(actor.state().standing == 'MustAct', 'a seed player has lost by acting out of turn')
    refused(actor.move(direction), 'IllegalMoveException', 'lost')
    check([player.state().standing for player in (actor, waiter)] == ['Lost', 'Won'], 'the violation has not lost')
    for player in players:
        for name in DIRECTIONS:
            refused(player.move(name), 'GameOverException')
    hunt.check_over(players)


def limits_strike():
    players = two('?maxActions=4')
    for _ in range(4):
        actor, state, waiter = on_turn(players)
        actor.act(state)
    check((waiter.state().standing, actor.state().standing) == ('Lost', 'Won'), 'the next to act has not lost')
    players = two('?actionTime=0.05')
    hunt.play([Spectator(player) for player in players])
    hunt.check_over(players)
    game = server.create('?actionTime=0.05&enableDebugMode=true')
    players = [Player(server, game), Player(server, game)]
    hunt.play(players, actions=6)


class Spectator:
    """Only looks."""

    def __init__(self, player):
        self.player, self.actions = player, 0

    def step(self):
        return self.player.state().standing in ('MustAct', 'MustWait')


# Course players.

def course_players_send_half_maps():
    players = two(kinds=(CoursePlayer, CoursePlayer))
    check(all(not player.state().nodes for player in players), 'there is a map without half maps')
    first, _, second = on_turn(players)
    sent = hunt.half_map()
    okay(first.send_half(sent))
    state = first.state()
    check(len(state.nodes) == 50 and state.standing == 'MustWait', f'{len(state.nodes)} nodes after the first half map')
    fort = next((x, y) for x, y, _, has_fort in sent if has_fort)
    left, top = min(x for x, _ in state.nodes), min(y for _, y in state.nodes)
    check(state.where('fortState', 'MyFortPresent') == [(fort[0] + left, fort[1] + top)], 'the fort is elsewhere')
    check(all(state.nodes[x + left, y + top]['terrain'] == terrain for x, y, terrain, _ in sent), 'the terrain is another one')
    check(not second.state().where('fortState', 'MyFortPresent', 'EnemyFortPresent'), 'the fort is no secret')
    okay(second.send_half(hunt.half_map()))
    check([len(player.state().nodes) for player in players] == [100, 100], 'the map is not whole')
    check(on_turn(players)[0] is first, 'they do not take turns')
    for player in players:
        player.check_states()


def the_server_draws_one_of_several_forts():
    first, _, second = on_turn(two('?violation=refuse&forts=any', (SixForts, CoursePlayer)))
    has_second_sent = not isinstance(first, SixForts)
    if has_second_sent:
        okay(first.send_half(hunt.half_map()))
        first, second = second, first
    before = first.state().text
    refused(first.send_half([(x, y, terrain, fort or terrain == 'Mountain') for x, y, terrain, fort in hunt.half_map()]),
            'IllegalHalfMapException', 'R9)')
    refused(first.send_half([(x, y, terrain, False) for x, y, terrain, _ in hunt.half_map()]), 'IllegalHalfMapException', 'R8)')
    check(first.state().text == before, 'a half map that was refused has changed something')
    sent = hunt.half_map(6)
    okay(first.send_half(sent))
    state = first.state()
    fort, position = state.where('fortState', 'MyFortPresent'), state.where('playerPositionState', 'MyPlayerPosition', 'BothPlayerPosition')
    check(len(fort) == 1 and position == fort, f'forts at {fort}, the player at {position}')
    halves = {(fort[0][0] - x, fort[0][1] - y) for x, y, _, has_fort in sent if has_fort} & {(0, 0), (0, 5), (10, 0)}
    check(any(all(state.nodes[x + left, y + top]['terrain'] == terrain for x, y, terrain, _ in sent) for left, top in halves),
          'the fort is none of those that were sent, or the terrain is another one')
    check(not second.state().where('fortState', 'EnemyFortPresent'), 'the fort is no secret')
    if not has_second_sent:
        okay(second.send_half(hunt.half_map(1)))
    check(first.state().where('fortState', 'MyFortPresent') == fort, 'the fort has moved')
    first.check_states()


def several_forts_need_the_parameter():
    for query in '?violation=refuse', '?violation=refuse&forts=one', '?violation=refuse&forts=6':
        player = on_turn(two(query, (SixForts, SixForts)))[0]
        refused(player.send_half(hunt.half_map(6)), 'IllegalHalfMapException', 'R8)')
        okay(player.send_half(hunt.half_map()))


def games_of_several_forts_are_played():
    for kinds in (SixForts, SixForts), (Player, SixForts), (SixForts, CoursePlayer):
        players = two('?forts=any&enableDebugMode=true', kinds)
        hunt.play(players)
        hunt.check_over(players)
        for player in players:
            player.check_states()


def course_games_are_played():
    players = two(kinds=(CoursePlayer, CoursePlayer))
    hunt.play(players)
    hunt.check_over(players)
    check(any(state.where('treasureState', 'MyTreasureIsPresent') for player in players for state in player.states)
          or any(player.states[-1].has_treasure for player in players), 'nobody has seen a treasure')
    for player in players:
        player.check_states()


def mixed_games_are_played():
    for kinds in (Player, CoursePlayer), (CoursePlayer, Player):
        players = two(kinds=kinds)
        actor = on_turn(players)[0]
        check(isinstance(actor, CoursePlayer), 'the course player does not act first')
        course, seed = (players if isinstance(players[0], CoursePlayer) else players[::-1])
        check(course.state().other[0].findtext('firstName') == seed.name, 'the course player does not see the name')
        check(seed.state().other[0].findtext('playerUsername') == f'{course.name} Maier', 'the seed player does not see the name')
        hunt.play(players)
        hunt.check_over(players)
        for player in players:
            player.check_states()


def broken_halves():
    """(rule, half map) for every rule."""
    fields = hunt.half_map()
    plain = {(x, y): terrain for x, y, terrain, _ in fields}
    fort = next((x, y) for x, y, _, has_fort in fields if has_fort)

    def half(changed, forts=(fort,)):
        return [(x, y, changed.get((x, y), terrain), (x, y) in forts) for (x, y), terrain in plain.items()]

    yield 'R4', fields[:-1]
    yield 'R4', fields + fields[:1]
    yield 'R4', fields[:-1] + [(10, 0, 'Grass', False)]
    yield 'R4', fields[:-1] + [(0, -1, 'Grass', False)]
    yield 'R4', []
    yield 'R5', half({place: 'Grass' for place, terrain in plain.items() if terrain == 'Mountain'})
    yield 'R6', half({place: 'Mountain' for place, terrain in plain.items() if terrain == 'Grass' and place != fort})
    yield 'R7', half({place: 'Mountain' for place, terrain in plain.items() if terrain == 'Water'})
    yield 'R8', half({}, ())
    yield 'R8', half({}, [place for place, terrain in plain.items() if terrain == 'Grass'][:2])
    yield 'R9', half({}, [next(place for place, terrain in plain.items() if terrain == 'Mountain')])
    lake = {(x, 0) for x in range(5)}
    edge = {place: 'Water' if place in lake else 'Grass' for place in plain}
    edge.update({(x, 2): 'Mountain' for x in range(5)} | {(7, 2): 'Water', (8, 3): 'Water'})
    yield 'R10', half(edge, [(9, 4)])
    island = {place: 'Grass' for place in plain}
    island.update({(x, 2): 'Mountain' for x in range(2, 9)} | {(0, 1): 'Water', (1, 0): 'Water'})
    island.update({(x, 3): 'Water' for x in range(3, 9)})
    yield 'R11', half(island, [(9, 4)])


def half_maps_are_checked_by_the_rules():
    player, _, other = on_turn(two('?violation=refuse', (CoursePlayer, CoursePlayer)))
    before = player.state().text
    for rule, fields in broken_halves():
        refused(player.send_half(fields), 'IllegalHalfMapException', f'{rule})')
        check(player.state().text == before, f'a half map that breaks {rule} has changed something')
    refused(other.send_half(hunt.half_map()), 'NotYourTurnException')
    refused(player.move('Up'), 'IllegalMoveException')
    okay(player.send_half(hunt.half_map()))
    okay(other.send_half(hunt.half_map()))
    refused(player.send_half(hunt.half_map()), 'IllegalHalfMapException')


def course_players_lose_by_violations():
    def result(offend):
        actor, _, waiter = on_turn(two('?enableDebugMode=true', (CoursePlayer, CoursePlayer)))
        guilty = offend(actor, waiter)
        innocent = waiter if guilty is actor else actor
        check((guilty.state().standing, innocent.state().standing) == ('Lost', 'Won'), 'the violation has not lost')
        refused(innocent.send_half(hunt.half_map()), 'GameOverException')

    def half(actor, _):
        refused(actor.send_half(next(broken_halves())[1]), 'IllegalHalfMapException', 'lost')
        return actor

    def out_of_turn(_, waiter):
        refused(waiter.send_half(hunt.half_map()), 'NotYourTurnException', 'lost')
        return waiter

    def move_first(actor, _):
        refused(actor.move('Up'), 'IllegalMoveException', 'lost')
        return actor

    def twice(actor, waiter):
        okay(actor.send_half(hunt.half_map()))
        okay(waiter.send_half(hunt.half_map()))
        refused(actor.send_half(hunt.half_map()), 'IllegalHalfMapException', 'lost')
        return actor

    for offend in half, out_of_turn, move_first, twice:
        result(offend)


def wrong_half_maps_are_refused():
    player, _, _ = on_turn(two(kinds=(CoursePlayer, CoursePlayer)))
    body = hunt.half_body(player.id, hunt.half_map())
    node = re.search('<playerHalfMapNode>.*?</playerHalfMapNode>', body).group(0)
    for tag in 'X', 'Y', 'fortPresent', 'terrain':
        element = re.search(f'<{tag}>.*?</{tag}>', node).group(0)
        for text, part in (('', f'{tag} of node 1 is missing'), (f'<{tag}/>', f'{tag} of node 1 is'),
                           (f'<{tag}>?</{tag}>', f"{tag} of node 1 is '?'"), (f'<{tag}>{"9" * 99}</{tag}>', f'{tag} of node 1'),
                           (element * 2, 'more than one')):
            broken = body.replace(node, node.replace(element, text), 1)
            refused(server.ask('POST', f'/games/{player.game}/halfmaps', broken), 'InvalidFieldException', part)
    for broken, name in ((body.replace('uniquePlayerID', 'id'), 'InvalidFieldException'),
                         (body.replace('playerHalfMap>', 'halfMap>'), 'WrongMessageException'),
                         (body.replace('</playerHalfMapNodes>', node * 400 + '</playerHalfMapNodes>'), None)):
        refused(server.ask('POST', f'/games/{player.game}/halfmaps', broken), name)
        if name is None:
            return
        check(player.state().standing == 'MustAct', 'a half map that cannot be read has lost')


# Whole games, restarts, limits of the server.

def example(game=None, name='ann'):
    return wire.Process([sys.executable, EXAMPLE, server.address, '--interval', '0', '--name', name,
                         *(['--game', game] if game else [])])


def results(*programs):
    found = sorted(program.wait(deadline_s=GAME_DEADLINE_S).split()[-1] for program in programs)
    check(found == ['Lost', 'Won'], f'it ended {found}')


def two_examples_play():
    game = server.create()
    results(example(game, "O'Neill & <Sons>"), example(game, 'bob'))


def the_example_plays_a_course_player():
    game = server.create('?violation=lose&enableDebugMode=true')
    player = CoursePlayer(server, game)
    program = example(game)
    hunt.play([player])
    check(player.state().standing in ('Won', 'Lost'), 'it is not over')
    program.wait(deadline_s=GAME_DEADLINE_S)


def the_bot_is_an_opponent():
    for kind in Player, CoursePlayer:
        player = kind(server, server.create('?enableDummyCompetition=true'))
        hunt.play([player])
        check(player.state().standing in ('Won', 'Lost'), 'it is not over')
        refused(register(player.registration(), player.game), 'GameFullException')
        player.check_states()


def the_bot_is_a_program():
    game = server.create()
    first = wire.Process([PARLOR, 'bot', 'treasure-hunt', '--connect', server.address, '--game', game, '--interval', '0'])
    second = wire.Process([PARLOR, 'bot', 'treasure-hunt', '--connect', server.address, '--game', game, '--interval', '0',
                           '--name', 'bob'])
    found = sorted(program.wait(deadline_s=GAME_DEADLINE_S).strip() for program in (first, second))
    check(found == [f'game {game}: lost', f'game {game}: won'], f'it ended {found}')


def check_journal(own, game):
    """The forts of both were drawn by the dice of the table, and everybody can recompute them."""
    data = ['--data', os.path.join(own.data, 'data')]
    shown = wire.Process([PARLOR, 'journal', 'show', *data, '--all', game]).wait()
    check(shown.count(' drawn\n') == 2 and len(re.findall(r'chance.*\bfort \d+,\d+', shown)) == 2, f'two forts are drawn: {shown}')
    verified = wire.Process([PARLOR, 'journal', 'verify', *data, 'all']).wait()
    check(': 0 problems' in verified, f'the journal: {verified}')


def everything_survives_kill():
    global server
    with hunt.Server(PARLOR) as own:
        kept, server = server, own
        try:
            games = [two(), two('?enableDebugMode=true', (CoursePlayer, CoursePlayer)),
                     two('?violation=lose&enableDebugMode=true', (Player, CoursePlayer)),
                     [Player(server, server.create())],
                     [Player(server, server.create('?enableDummyCompetition=true'))], two('?violation=lose'),
                     two('?forts=any&enableDebugMode=true', (SixForts, SixForts)),
                     two('?forts=any&enableDebugMode=true', (SixForts, SixForts))]
            hunt.play(games[0], actions=7)
            on_turn(games[1])[0].step()
            hunt.play(games[2], actions=9)
            games[4][0].step()
            on_turn(games[6])[0].step()
            hunt.play(games[7], actions=9)
            over = games[5]
            actor, direction, _ = find_border(over)
            refused(actor.move(direction))
            players = [player for game in games for player in game]
            before = [player.state().text for player in players if player is not games[4][0]]
            own = server = own.restarted()
            for player in players:
                player.server = server
            check([player.state().text for player in players if player is not games[4][0]] == before, 'a state is another one')
            refused(register(games[0][0].registration(), games[0][0].game), 'GameFullException')
            refused(server.ask('GET', f'/games/{games[0][0].game}/states/{games[1][0].id}'), 'PlayerUnknownException')
            games[3].append(Player(server, games[3][0].game))
            for game in games[:5] + games[6:]:
                hunt.play(game)
            for game in games[:4] + games[6:]:
                hunt.check_over(game)
            refused(over[0].move('Up'), 'GameOverException')
            own.stop()
            check_journal(own, games[6][0].game)
            own.close()
        finally:
            server = kept


def the_oldest_game_is_dropped():
    global server
    with hunt.Server(PARLOR, ['--hunt-games-max', '3']) as own:
        kept, server = server, own
        try:
            idle, over, busy = server.create(), two('?maxActions=1'), two()
            actor, state, _ = on_turn(over)
            actor.act(state)
            texts = [player.state().text for player in busy]
            server.create()
            for player in busy:
                player.state()
            check(over[0].state().standing in ('Won', 'Lost'), 'a finished game cannot be looked at again')
            for _ in range(2):
                server.create()
            refused(server.ask('GET', f'/games/{idle}/states/{busy[0].id}'), 'GameNotFoundException')
            check([player.state().text for player in busy] == texts, 'the game that is in use was dropped')
            own.stop()
        finally:
            server = kept


def all_cases():
    return [(function.__name__.replace('_', ' '), function) for function in (
        games_are_created, creating_never_fails, names_come_back, course_names_come_back, registrations_may_look_different,
        wrong_registrations_are_refused, not_xml_is_refused, large_bodies_are_refused, two_players_are_enough,
        unknown_games_are_refused, unknown_players_are_refused, other_paths_are_unknown, other_methods_are_refused,
        paths_and_headers_may_look_different, bodies_may_come_in_pieces, requests_may_be_pipelined,
        states_are_compressed_when_asked_for, a_player_waits_for_the_second, the_map_is_whole,
        state_ids_change_exactly_with_the_view, secrets_stay_secret, wrong_moves_are_refused, steps_take_effort,
        a_violation_can_lose, limits_strike, course_players_send_half_maps, the_server_draws_one_of_several_forts,
        several_forts_need_the_parameter, games_of_several_forts_are_played, course_games_are_played, mixed_games_are_played,
        half_maps_are_checked_by_the_rules, course_players_lose_by_violations, wrong_half_maps_are_refused, two_examples_play,
        the_example_plays_a_course_player, the_bot_is_an_opponent, the_bot_is_a_program, everything_survives_kill,
        the_oldest_game_is_dropped)]


def main():
    global server
    with hunt.Server(PARLOR) as server:
        def ends_in_order():
            server.stop()
        cases = all_cases() + [('the server ends in order', ends_in_order)]
        wire.run_cases([case for case in cases if len(sys.argv) == 2 or sys.argv[2] in case[0]])


if __name__ == '__main__':
    main()
