#!/usr/bin/env python3
"""Paper Soccer tables at which players of the Universal Game System meet players of the native API: those of the papers and
those that move segment by segment, whole games from both directions, bots, leaving, time-outs, private tables, and a server that
is killed.

usage: ugs_door.py PARLOR CLIENTS
"""
import os
import random
import re
import sys

import native
import wire
from native import check, play_out
from segments_player import Player

PARLOR, CLIENTS = sys.argv[1:3]
RANDOM = random.Random(7)
PROGRAM_DEADLINE_S = 120
SOON, LATE = '0.05', '0.4'  # seconds
OPTIONS = ('--lobby-after', SOON)


def start(*options):
    return native.Server(PARLOR, (*wire.ask.listen(PARLOR, 'http', 'ugs'), *(options or OPTIONS)))


def stop(server, clients=()):
    """SIGTERM: these clients must be told and closed, with nothing before, and the server must end in order."""
    server.process.terminate()
    for client in clients:
        client.expect(wire.SHUTDOWN)
        client.expect_end()
        client.close()
    server.wait()


def log_in(server, nick, game_type='paper-soccer'):
    client = wire.Client(server.ugs_port, nick)
    client.send(wire.player_login(nick, game_type))
    client.expect(wire.ACCEPTED)
    return client


def example(server, nick, game_type='paper_soccer'):
    """The Python example, which knows nothing but the protocol page; it plays one game."""
    return wire.Process([sys.executable, os.path.join(CLIENTS, 'ugs_player.py'), '--connect_to', server.addresses['ugs'], '--nick', nick,
                         '--games', '1', '--game-type', game_type])


def open_door(server, **fields):
    return server.open('paper-soccer', protocol='ugs', **fields)


def wait_for(server, condition):
    """The summary of the first table of the lobby for which the condition holds."""
    with native.Socket(server) as lobby:
        for table in lobby.ask('lobby', type='lobby')['tables']:
            if condition(table):
                return table
        return lobby.hear_until('lobby-table', lambda message: condition(message['table']))['table']


def waiting(nick):
    return lambda table: table['state'] == 'open' and nick in [seat['name'] for seat in table['seats']]


def begun(server, code, token):
    with native.Socket(server) as socket:
        socket.say(type='watch', table=code, token=token)
        return socket.hear_until('table', lambda table: table['state'] == 'running')


def over(server, code):
    with native.Socket(server) as socket:
        socket.say(type='watch', table=code)
        return socket.hear_until('table', lambda table: table['over'])


def play(server, code, seat, token, nick):
    """Plays the seat of the API to the end. Returns whether the one with the nick has won."""
    begun(server, code, token)
    table = play_out(server, code, {seat: token}, RANDOM.choice)
    check(table['result']['why'] == 'played', f'{table["result"]}')
    check(sorted((s['kind'], s['protocol']) for s in table['seats']) == [('person', 'api'), ('person', 'ugs')], f'{table["seats"]}')
    names = [s['name'] for s in table['seats']]
    check(sorted(names) == sorted(['native', nick]), f'{names}')
    journal = server.get(f'/tables/{code}/journal', token)
    check(journal['events'][-1]['kind'] == 'result', f'{journal["events"][-1]}')
    return names.index(nick) in table['result']['winners']


def result_of_example(program, has_won):
    text = program.wait(deadline_s=PROGRAM_DEADLINE_S)
    check(f'1 games: {int(has_won)} won, {int(not has_won)} lost' in text, f'{has_won}: {text}')


def game_of_papers_api_waits():
    with start() as server:
        opened = open_door(server, seat={'name': 'native', 'seat': RANDOM.randrange(2)})
        check(opened['state'] == 'open' and opened['protocol'] == 'ugs', f'{opened}')
        program = example(server, 'ann')
        result_of_example(program, play(server, opened['code'], opened['seat'], opened['token'], 'ann'))
        stop(server)


def game_of_papers_player_waits():
    with start() as server:
        program = example(server, 'ann')
        code = wait_for(server, waiting('ann'))['code']
        seat = server.sit(code, 'native')
        result_of_example(program, play(server, code, seat['seat'], seat['token'], 'ann'))
        stop(server)


def result_of_segments(player, has_won):
    check(player.ended.acquire(timeout=wire.DEADLINE_S), f'no end: {player.failure} {player.told}')
    check(player.failure is None and player.results == [has_won] and player.unplayed == [False], f'{player.failure}: {player.results}')


def game_of_segments_api_waits():
    for seat in 0, 1:
        with start() as server:
            opened = open_door(server, seat={'name': 'native', 'seat': seat})
            player = Player(server.ugs_port, '7', seed=seat)
            player.start()
            result_of_segments(player, play(server, opened['code'], seat, opened['token'], '7'))
            stop(server)


def game_of_segments_player_waits():
    with start() as server:
        player = Player(server.ugs_port, '7')
        player.start()
        code = wait_for(server, waiting('7'))['code']
        seat = server.sit(code, 'native')
        result_of_segments(player, play(server, code, seat['seat'], seat['token'], '7'))
        stop(server)


def game_against_a_bot():
    with start() as server:
        opened = open_door(server, bots=[{'seat': 0, 'level': 1}])
        program = example(server, 'ann')
        table = over(server, opened['code'])
        check(table['result']['why'] == 'played', f'{table["result"]}')
        check([(s['kind'], s['name']) for s in table['seats']] == [('bot', 'Bot 1'), ('person', 'ann')], f'{table["seats"]}')
        result_of_example(program, 1 in table['result']['winners'])
        stop(server)


def two_tables_that_wait_meet():
    """Somebody opens a table although a player waits alone at another: that one comes over."""
    with start() as server:
        ann = log_in(server, 'ann')
        alone = wait_for(server, waiting('ann'))['code']
        opened = open_door(server, seat={'name': 'native', 'seat': 0})
        ann.expect(state(opened['code'], 'native', ''))
        check(over(server, alone)['result']['why'] == 'undecided', 'the table that is left')
        stop(server, [ann])


def two_players_meet_there():
    """A second player of the hall sits down where the first waits in the lobby."""
    with start() as server:
        ann = log_in(server, 'ann')
        code = wait_for(server, waiting('ann'))['code']
        bob = log_in(server, 'bob')
        first = re.search(r'nextPlayer nick="(\w+)"', ann.read_message()).group(1)
        bob.expect(state(code, first, ''))
        stop(server, [ann, bob])


def point(x, y):
    return f'<point x="{x}" y="{y}"/>'


def state(code, after, points):
    return f'<message type="gameState"><gameId id="{code}"/><nextPlayer nick="{after}"/><gameState>{points}</gameState></message>'


def lost(code, loser, winner, inside='', order=None):
    results = {loser: 'loser', winner: 'winner'}
    players = ''.join(f'<player nick="{nick}" result="{results[nick]}"/>' for nick in order or results)
    return f'<message type="gameState"><gameId id="{code}"/><gameOver>{players}</gameOver><gameState>{inside}</gameState></message>'


def move(code, points):
    return f'<message type="move"><gameId id="{code}"/><move>{points}</move></message>'


def seated(server, seat=0, name='native'):
    """(the table as the API has it, ann, code): the API sits at the seat, ann at the other, and the game has begun."""
    opened = open_door(server, seat={'name': name, 'seat': seat})
    ann = log_in(server, 'ann')
    ann.expect(state(opened['code'], name if seat == 0 else 'ann', ''))
    return opened, ann, opened['code']


def moves_are_whole():
    """Steps of one turn are one move for the player of the papers, whatever they are for the API; and the other way round."""
    with start() as server:
        opened, ann, code = seated(server)
        server.act(code, opened['token'], 'N')
        ann.expect(state(code, 'ann', point(0, 1)))
        ann.send(move(code, point(-1, 0)))
        ann.expect(state(code, 'native', point(-1, 0)))
        with native.Socket(server) as socket:
            socket.say(type='watch', table=code, token=opened['token'])
            version = socket.hear_until('table', lambda table: table['turn'] == [0])['version']
            server.act(code, opened['token'], 'E')  # to the centre, where the ball bounces
            server.act(code, opened['token'], 'NE')
            ann.expect(state(code, 'ann', point(0, 0) + point(1, 1)))
            ann.send(move(code, point(0, 1) + point(-1, 2)))
            ann.expect(state(code, 'native', point(0, 1) + point(-1, 2)))
            table = socket.hear_until('table', lambda table: table['turn'] == [0] and table['version'] > version + 2)
            check(table['view']['ball'] == [-1, 2], f'{table["view"]["ball"]}')
        stop(server, [ann])


def player_leaves():
    for goodbye in (lambda ann, code: ann.send(f'<message type="leaveGame"><gameId id="{code}"/></message>'),
                    lambda ann, code: ann.send('<message type="logout"></message>'), lambda ann, code: ann.close()):
        with start() as server:
            _, ann, code = seated(server)
            goodbye(ann, code)
            result = over(server, code)['result']
            check(result['why'] == 'left' and result['winners'] == [0], f'{result}')
            stop(server)


def api_leaves():
    for request in 'resign', 'leave':
        with start() as server:
            opened, ann, code = seated(server)
            server.post(f'/tables/{code}/{request}', {}, opened['token'])
            ann.expect(lost(code, 'native', 'ann'))
            ann.send(f'<message type="thank you"><gameId id="{code}"/></message>')
            check(wait_for(server, waiting('ann'))['code'] != code, 'the next table')
            stop(server, [ann])


def api_is_silent():
    with start('--move-timeout', LATE) as server:
        opened, ann, code = seated(server)
        ann.expect(lost(code, 'native', 'ann'))
        result = over(server, code)['result']
        check(result['why'] == 'time' and result['winners'] == [1], f'{result}')
        check(opened['seat'] == 0, f'{opened}')
        stop(server, [ann])


def player_is_silent():
    with start('--move-timeout', LATE, '--thanks-timeout', LATE) as server:
        _, ann, code = seated(server, seat=1)
        check('no move within' in ann.read_message(), 'the error')
        ann.expect(lost(code, 'ann', 'native'))
        result = over(server, code)['result']
        check(result['why'] == 'time' and result['winners'] == [1], f'{result}')
        check('you did not answer any more' in ann.read_message(), 'the farewell')
        ann.expect_end()
        stop(server)


def player_breaks_a_rule():
    with start() as server:
        _, ann, code = seated(server, seat=1)
        ann.send(move(code, point(0, 2)))
        ann.expect(lost(code, 'ann', 'native', point(0, 2) + '<!-- paper-soccer R2: [^<]* -->'))
        result = over(server, code)['result']
        check(result['why'] == 'violation' and result['winners'] == [1], f'{result}')
        event, = [event for event in server.get(f'/tables/{code}/journal')['events'] if event['kind'] == 'forfeit']
        check(event['rule'] == 'paper-soccer R2' and event['sent'] == f'<move>{point(0, 2)}</move>', f'{event}')
        stop(server, [ann])


def player_goes_before_the_game():
    """The seat of a player who waited and has gone is free; with nobody else there the table ends."""
    with start() as server:
        ann = log_in(server, 'ann')
        code = wait_for(server, waiting('ann'))['code']
        ann.close()
        check(over(server, code)['result']['why'] == 'undecided', 'the table')
        stop(server)


def names():
    """Blanks are not for nicks, and nobody has the name of another."""
    with start() as server:
        opened = open_door(server, seat={'name': 'ann', 'seat': 0})
        ann = log_in(server, 'ann')
        ann.expect(state(opened['code'], 'ann_2', ''))
        check([s['name'] for s in begun(server, opened['code'], opened['token'])['seats']] == ['ann', 'ann (2)'], 'names')
        again = open_door(server, seat={'name': 'Bob the Builder', 'seat': 0})
        bob = log_in(server, 'bob')
        bob.expect(state(again['code'], 'Bob_the_Builder', ''))
        stop(server, [ann, bob])


def private_tables():
    with start() as server:
        opened = open_door(server, private=True, seat={'name': 'native', 'seat': 0})
        code = opened['code']
        stranger = log_in(server, 'stranger')
        wait_for(server, waiting('stranger'))
        client = wire.Client(server.ugs_port, 'ann')
        client.send(wire.player_login('ann', 'paper-soccer#NONE'))
        client.expect('<message type="loginResponse"><response accept="no"/><error id="2"/></message>')
        client.send(wire.player_login('ann', f'paper_soccer#{code}'))
        client.expect(wire.ACCEPTED)
        client.expect(state(code, 'native', ''))
        late = wire.Client(server.ugs_port, 'late')
        late.send(wire.player_login('late', f'paper-soccer#{code}'))
        late.expect('<message type="loginResponse"><response accept="no"/><error id="3"/></message>')
        stop(server, [client, stranger])


def killed():
    """Who waits over the API waits on; a game with a player of the hall ends undecided, as all of them do."""
    with start() as server:
        opened = open_door(server, seat={'name': 'first', 'seat': 0})
        ann = log_in(server, 'ann')
        ann.expect(state(opened['code'], 'first', ''))
        server.act(opened['code'], opened['token'], 'N')
        other = open_door(server, private=True, seat={'name': 'second', 'seat': 0})
        bob = log_in(server, 'bob')
        waits = wait_for(server, waiting('bob'))['code']
        with server.again() as after:
            check(over(after, opened['code'])['result']['why'] == 'undecided', 'the game')
            check(over(after, waits)['result']['why'] == 'undecided', 'the table of the one who waited')
            check(after.get(f'/tables/{other["code"]}', other['token'])['state'] == 'open', 'the one that waits')
            cid = log_in(after, 'cid', f'paper-soccer#{other["code"]}')
            cid.expect(state(other['code'], 'second', ''))
            after.act(other['code'], other['token'], 'N')
            cid.expect(state(other['code'], 'cid', point(0, 1)))
            stop(after, [cid])
        ann.close()
        bob.close()


def doors_that_there_are():
    with start() as server:
        games = {game['name']: game for game in server.get('/games')['games']}
        check('ugs' in games['paper-soccer']['protocols'], f'{games["paper-soccer"]["protocols"]}')
        server.refused('POST', '/tables', 'option-invalid', {'game': 'paper-soccer', 'protocol': 'ugs', 'options': {'first-attacks': 'bottom'}})
        stop(server)
    for options in (('--no-builtin-master',), ('--championship', 'paper-soccer', '2')):
        with start(*options) as server:
            games = {game['name']: game for game in server.get('/games')['games']}
            check('ugs' not in games['paper-soccer']['protocols'], f'{options}')
            server.refused('POST', '/tables', 'field-invalid', {'game': 'paper-soccer', 'protocol': 'ugs'})
            stop(server)


CASES = [
    ('a player of the papers comes to who waits over the API', game_of_papers_api_waits),
    ('a player of the papers who waits is found in the lobby', game_of_papers_player_waits),
    ('a player of segments comes to who waits over the API', game_of_segments_api_waits),
    ('a player of segments who waits is found in the lobby', game_of_segments_player_waits),
    ('a player of the papers against a bot of the server', game_against_a_bot),
    ('two tables that wait for each other become one', two_tables_that_wait_meet),
    ('two players of the hall at a table of the lobby', two_players_meet_there),
    ('steps are whole moves', moves_are_whole),
    ('the player leaves', player_leaves),
    ('who came over the API leaves', api_leaves),
    ('who came over the API says nothing', api_is_silent),
    ('the player says nothing', player_is_silent),
    ('the player breaks a rule', player_breaks_a_rule),
    ('the player goes before the game', player_goes_before_the_game),
    ('names', names),
    ('private tables are named at login', private_tables),
    ('a server that is killed', killed),
    ('where there is a door', doors_that_there_are),
]

wire.run_cases(CASES)
