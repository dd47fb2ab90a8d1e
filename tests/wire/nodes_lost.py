#!/usr/bin/env python3
"""Nodes on one PostgreSQL that are killed, and a database that is: what anybody was told is there at the others, what a node
took care of is taken over, and players go on elsewhere.

usage: nodes_lost.py PARLOR [WORDS OF A CASE]
"""
import threading
import time

import championship
import eriantys_wire
import native
import nodes
import renaissance_wire
import wire
from native import Socket, check
from nodes import RANDOM, bot, eventually

TAKEN_OVER_S = 5  # what another node took care of
BUSY_S = 3  # more on a machine that does other things, too
TABLES = 8  # so many that each node takes care of some


def killed(node):
    """The one that is left, and when the other was killed."""
    left, = nodes.cluster.kill(node)
    return left, time.monotonic()


def taken_over(what, condition, since):
    eventually(what, condition, TAKEN_OVER_S + BUSY_S - (time.monotonic() - since))
    print(f'# {what} after {time.monotonic() - since:.1f} s')


def bots_go_on():
    """Tables with a bot, opened at each node. When a node is killed the bots of all tables still move."""
    pair = nodes.cluster.ready()
    tables = []
    for number in range(TABLES):
        opened = pair[number % 2].open('paper-soccer', seat={'name': 'ann', 'seat': 0}, bots=[{'seat': 1, 'level': 1}])
        tables.append((opened['code'], opened['token']))

    def turn(node, code):
        return node.get(f'/tables/{code}')['turn']

    def act(node):
        for code, token in tables:
            table = node.get(f'/tables/{code}', token)
            while table['turn'] == [0]:
                node.act(code, token, RANDOM.choice(table['legal']))
                table = node.get(f'/tables/{code}', token)
    for number, (code, _) in enumerate(tables):
        eventually('the bot sits', lambda code=code: pair[0].get(f'/tables/{code}')['state'] == 'running')
    act(pair[1])
    for code, _ in tables:
        eventually('the bot moves', lambda code=code: turn(pair[0], code) != [1])
    left, since = killed(pair[RANDOM.randrange(2)])
    act(left)
    taken_over('all bots have moved', lambda: all(turn(left, code) != [1] for code, _ in tables), since)


def clocks_strike_once():
    """Whoever took care of a table, its clock strikes, and once."""
    pair = nodes.cluster.ready()
    codes = [pair[number % 2].two(turn_ms=1500)[0] for number in range(TABLES)]
    left, since = killed(pair[RANDOM.randrange(2)])
    taken_over('all clocks have struck', lambda: all(left.get(f'/tables/{code}')['over'] for code in codes), since + 1.5)
    another = nodes.cluster.ready()[-1]
    for code in codes:
        for node in (left, another):
            kinds = [event['kind'] for event in node.get(f'/tables/{code}/journal')['events']]
            check(kinds.count('timeout') == 1 and kinds[-1] == 'result', f'{code}: {kinds}')


def time_of_an_outage_is_free():
    """Nobody loses because the node of the players was lost: who was there has some time to come back."""
    pair = nodes.cluster.ready()
    code, (ann, _) = pair[0].two(turn_ms=4000)
    with Socket(pair[1]) as socket:
        socket.ask('table', type='watch', table=code, token=ann)
        eventually('ann is known to be there', lambda: pair[0].get(f'/tables/{code}')['seats'][0]['online'])
        left, since = killed(pair[1])

    def left_ms():
        clocks = left.get(f'/tables/{code}')['clocks']
        check(clocks is not None and clocks[0]['left_ms'] > 0, f'ann has lost after {time.monotonic() - since:.1f} s')
        return clocks[0]['left_ms']
    eventually('the clock has more time', lambda: left_ms() < 2000)
    eventually('the clock has more time', lambda: left_ms() > 2500)
    left.act(code, ann, 'N')


def told_is_there():
    """What the node that is killed has answered is known to the other, whoever asks first."""
    for _ in range(3):
        pair = nodes.cluster.ready()
        code, tokens = pair[0].two()
        for turn in range(RANDOM.randrange(1, 5)):  # not as far as the goal
            version = pair[1].act(code, tokens[turn % 2], 'N')['version']
        opened = pair[1].open('santorini', seat={'name': 'cid'})
        left, _ = killed(pair[1])
        with Socket(left) as socket:
            check(socket.ask('table', type='watch', table=code)['version'] == version, 'a move is missing')
        table = left.get(f'/tables/{opened["code"]}', opened['token'])
        check(table['seats'][0]['name'] == 'cid' and table['seat'] == 0, f'{table["seats"]}')
        left.sit(opened['code'], 'dan')


def players_come_back():
    """A player of Masters of Renaissance and one of Eriantys whose node was killed take their seats up at the other."""
    pair = nodes.cluster.ready()
    ann, bob = eriantys_wire.Client(pair[0].at('eriantys'), 'ann'), eriantys_wire.Client(pair[1].at('eriantys'), 'bob')
    code = ann.create()
    for client in (ann, bob):
        client.login(code)
    for client in (ann, bob):
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable', player='ann', enable=True)
    clients = nodes.renaissance_pair(pair)
    renaissance_wire.market_turn(clients, 0)
    clients[1].expect('possibleAction')
    eriantys_wire.step([ann, bob])
    told = bob.status
    left, _ = killed(pair[1])
    renaissance_wire.until(clients[0], 'disconnectionMessage')
    bobby = renaissance_wire.back(left.at('renaissance'), 'bobby')
    check(bobby.update['setupDone'] and bobby.update['playersConnected'] == {'alice': True, 'bobby': True}, f'{bobby.update}')
    renaissance_wire.until(clients[0], 'reconnectionMessage')
    bob = nodes.eriantys_back(left, code, 'bob')
    check(bob.expect('status')['gameBoard'] == told['gameBoard'], 'the game is another one')
    for client in (ann, bob, bobby, *clients):
        client.close()


def halls(pair):
    """(those that have the hall, the others)."""
    here = [node for node in pair if wire.hall_is_here(node.at('ugs').port)]
    return here, [node for node in pair if node not in here]


def hall_moves():
    """The hall of the Universal Game System is at one node; after kill -9 the other has it, with its championships."""
    pair = nodes.cluster.ready()
    (here,), (elsewhere,) = eventually('one node has the hall', lambda: (lambda found: all(found) and found)(halls(pair)))
    refused = elsewhere.refused('POST', '/championships', 'unavailable', {'type': 'paper-soccer', 'players': 3}, status=503)
    check('another node' in refused['reason'], f'{refused}')
    check(elsewhere.get('/championships')['hall_elsewhere'], 'a list without those of the hall does not say so')
    name = here.post('/championships', {'type': 'paper-soccer', 'players': 3}, status=201)['name']
    first = [wire.log_in(here.at('ugs'), nick, name) for nick in 'AB']
    left, since = killed(here)
    for client in first:
        client.close()
    taken_over('the hall is at the other node', lambda: halls([left])[0], since)
    shown, = [one for one in left.get('/championships')['championships'] if one['name'] == name]
    check(shown['state'] == 'open', f'{shown}')
    players = [championship.Player(left.at('ugs'), nick, championship.stronger(nick), name) for nick in 'ABC']
    for player in players:
        player.start()

    def rows():
        shown, = [one for one in left.get('/championships')['championships'] if one['name'] == name]
        return shown['standings'] if shown['state'] == 'finished' else None
    standing = eventually('the championship is played', rows)
    check([(row['nick'], row['won']) for row in standing] == [('C', 2), ('B', 1), ('A', 0)], f'{standing}')
    for player in players:
        player.client.close()
        player.join(wire.DEADLINE_S)


def database_is_killed():
    """Connections stay, games go on by themselves, and the hall stays where it was."""
    database, pair = nodes.cluster.database, nodes.cluster.ready()
    (here,), (elsewhere,) = eventually('one node has the hall', lambda: (lambda found: all(found) and found)(halls(pair)))
    waits = wire.log_in(here.at('ugs'), 'waits')
    bots = [bot('santorini', node, f'outage{at}', '--games', '40') for at, node in enumerate(pair)]
    code, tokens = pair[0].two()
    try:
        with Socket(pair[0]) as one, Socket(pair[1]) as other:
            for socket in (one, other):
                socket.ask('table', type='watch', table=code)
            for _ in range(2):
                table = pair[0].get(f'/tables/{code}')
                token = tokens[table['turn'][0]]
                action = pair[0].get(f'/tables/{code}', token)['legal'][0]
                games = int(database.sql("SELECT count(*) FROM parlor.tables WHERE finished_ms > 0 AND protocol = 'santorini'"))
                database.kill()
                answer = pair[0].ask_api('POST', f'/tables/{code}/actions', {'actions': [action]}, token)
                check(answer.get('error') in ('busy', 'unavailable'), f'{answer}')
                database.start()

                def act():
                    table = pair[1].ask_api('GET', f'/tables/{code}')
                    if table.get('turn') is None:
                        return None
                    token = tokens[table['turn'][0]]
                    legal = pair[1].ask_api('GET', f'/tables/{code}', None, token).get('legal')
                    return pair[1].ask_api('POST', f'/tables/{code}/actions', {'actions': legal[:1]}, token).get('version') if legal else None
                version = eventually('the table goes on', act)
                for socket in (one, other):
                    socket.hear_until('table', lambda message: message['version'] >= version)  # pylint: disable=cell-var-from-loop
                eventually('the games of Santorini go on', lambda: int(database.sql(
                    "SELECT count(*) FROM parlor.tables WHERE finished_ms > 0 AND protocol = 'santorini'")) > games)  # pylint: disable=cell-var-from-loop
        for one in bots:
            one.wait()
    finally:
        for one in bots:
            one.kill()
    check(halls(pair) == ([here], [elsewhere]), 'the hall has moved')
    comes = wire.log_in(here.at('ugs'), 'comes')
    waits.expect(r'<message type="gameState">.*</message>')
    for client in (waits, comes):
        client.close()


def championships_go_on():
    """Championships of bots that each node directs some of. When a node is killed all of them are played to the end, no table twice,
    and the ratings are the same at the node that is left and at one that comes later."""
    pair = nodes.cluster.ready()
    names = [f'lost-{number}' for number in range(TABLES // 2)]
    for number, name in enumerate(names):
        at = pair[number % 2]
        owner = at.post('/championships', {'name': name, 'game': 'paper-soccer', 'format': 'round-robin'}, status=201)['owner_token']
        for entrant in range(4):
            at.post(f'/championships/{name}/entrants', {'name': f'bot {entrant}', 'bot': 1 + entrant % 2}, owner, status=201)
        at.post(f'/championships/{name}/start', None, owner)
    eventually('tables are decided', lambda: any(pair[0].get(f'/championships/{name}')['pairings_decided'] > 0 for name in names))
    before = {name: pair[0].get(f'/championships/{name}') for name in names}
    left, since = killed(pair[RANDOM.randrange(2)])
    eventually('all championships are over', lambda: all(left.get(f'/championships/{name}')['state'] == 'finished' for name in names), 120)
    print(f'# all championships are over after {time.monotonic() - since:.1f} s')
    another = nodes.cluster.ready()[-1]
    for name in names:
        cup = left.get(f'/championships/{name}')
        check(len(cup['pairings']) == 6 and all(p['how'] == 'played' and p['replays'] == 0 for p in cup['pairings']), f'{cup["pairings"]}')
        check(all(new == old for new, old in zip(cup['pairings'], before[name]['pairings']) if old['state'] == 'decided'), 'played again')
        check(another.get(f'/championships/{name}')['standings'] == cup['standings'], 'other standings')
    check(another.get('/ratings?game=paper-soccer') == left.get('/ratings?game=paper-soccer'), 'other ratings')


CASES = [
    ('bots are taken over', bots_go_on),
    ('championships go on', championships_go_on),
    ('clocks strike, and once', clocks_strike_once),
    ('the time of an outage is charged to nobody', time_of_an_outage_is_free),
    ('what the lost node has told is known to the other', told_is_there),
    ('players of the lost node come back at the other', players_come_back),
    ('the hall moves with its championships', hall_moves),
    ('the database is killed: connections stay and games go on', database_is_killed),
]


if __name__ == '__main__':
    nodes.run(CASES)
