#!/usr/bin/env python3
"""Several real servers on one real PostgreSQL: whoever speaks to any of them speaks to all. Games of every protocol with seats at
different nodes, requests that reach one node after the other, and what nobody may be told twice or differently.

usage: nodes.py PARLOR [WORDS OF A CASE]
"""
import functools
import itertools
import os
import random
import re
import sys
import threading
import time
import types

import builders
import eriantys_wire
import hunt
import native
import renaissance_wire
import wire
from native import Socket, check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import postgres  # noqa: E402  (found by the line above)

PARLOR = sys.argv[1]
RANDOM = random.Random(wire.SEED)
NODES = 2
MEETINGS = 3  # of two bots of one protocol that come at the same time
# A test that is held up for a while has not left.
PATIENT = ['--santorini-silence', '600', '--eriantys-silence', '600', '--renaissance-silence', '600', '--login-timeout', '600']


class Node(native.Server):
    """parlor serve with all its listeners, on a database."""
    numbers = itertools.count(1)

    def __init__(self, database, *options):
        super().__init__(PARLOR, [*wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR)), '--store', database.url, '--store-alone',
                                  '--seed', f'{wire.SEED}{next(self.numbers):03}', *PATIENT, *options])
        self.is_stopped = False

    def at(self, listener):
        """The same server as clients of a protocol want it."""
        return types.SimpleNamespace(port=wire.ask.port(self.addresses[listener]), address=self.addresses[listener])

    def stop(self):
        self.is_stopped = True
        super().stop()


def eventually(what, condition, deadline_s=wire.DEADLINE_S):
    """Asks until it is so; gives what the condition gave."""
    ending = time.monotonic() + deadline_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > ending:
            raise wire.Failure(f'not within {deadline_s} s: {what if isinstance(what, str) else what()}')


class Cluster:
    """The nodes of all cases; those that a case has killed are replaced before the next."""

    def __init__(self, database):
        self.database, self.nodes = database, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.close()

    def ready(self):
        """All of them, when each knows of all others."""
        self.nodes = [node for node in self.nodes if node.process.poll() is None]
        if len(self.nodes) < NODES:
            self.nodes += [Node(self.database) for _ in range(NODES - len(self.nodes))]
            since = self.database.sql('SELECT clock_timestamp()')
            eventually('every node has looked who is there', lambda: self.database.sql(
                f"SELECT count(*) FROM parlor.nodes WHERE seen > '{since}'") == str(NODES))
        return self.nodes

    def kill(self, node):
        node.kill()
        text = node.error_text()
        check(not re.search(r'Sanitizer|runtime error:|Assertion', text), text[-4000:])
        return [other for other in self.nodes if other is not node]

    def stop(self):
        """Every node ends in order, and the journals are whole."""
        for node in self.ready():
            node.stop()
        done = wire.Process([PARLOR, 'journal', 'verify', '--store', self.database.url]).wait()
        check('tables' in done, done)


cluster = None


class Anywhere:
    """Every request goes to another node than the one before."""

    def __init__(self, nodes):
        self.turns = itertools.cycle(nodes)
        self.description = nodes[0].description

    def __getattr__(self, name):
        return getattr(next(self.turns), name)


def at_once(*functions):
    """What each of them gives; they are called at the same time."""
    results = [None] * len(functions)

    def call(number):
        results[number] = functions[number]()
    threads = [threading.Thread(target=call, args=(number,)) for number in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(wire.DEADLINE_S)
    return results


# Two who wait at different nodes meet.


def bot(game, node, name, *options):
    return wire.Process([PARLOR, 'bot', game, '--connect', node.addresses[game], '--name', name, '--kind', 'random', *options])


def bots_meet(game, *options):
    """Both arrive at the same time, so that both may open a table."""
    nodes = cluster.ready()
    for number in range(MEETINGS):
        names = [f'{game}{number}{at}' for at in range(len(nodes))]
        bots = [bot(game, node, name, *options) for node, name in zip(nodes, names)]
        try:
            for one in bots:
                one.wait()
        finally:
            for one in bots:
                one.kill()
        tables = [table for table in nodes[0].get(f'/tables?game={game}&state=finished')['tables']
                  if names[0] in [seat['name'] for seat in table['seats']]]
        check(len(tables) == 1 and sorted(seat['name'] for seat in tables[0]['seats']) == sorted(names), f'{names}: {tables}')
    eventually('no table is left over', lambda: not any(node.get(f'/tables?game={game}')['tables'] for node in nodes))


def santorini_bots():
    bots_meet('santorini')


def renaissance_bots():
    bots_meet('renaissance', '--players', '2')


def eriantys_game():
    """Opened at one node, entered by its code at the other, and played to the end with everybody told the same."""
    first, second = cluster.ready()
    ann, bob = eriantys_wire.Client(first.at('eriantys'), 'ann'), eriantys_wire.Client(second.at('eriantys'), 'bob')
    code = ann.create(2, True)
    bob.login(code)  # at once, and as the first
    ann.login(code)
    clients = [bob, ann]
    for client in clients:
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable', player='bob', enable=True)
    check(eriantys_wire.play(clients, RANDOM), 'nobody has won')
    for client in clients:
        client.close()


class HuntPlayer(hunt.Player):
    """Holds every state against what it was told before."""

    def __init__(self, *arguments):
        self.passed, self.last = set(), None
        super().__init__(*arguments)

    def state(self):
        state = super().state()
        check(state.id not in self.passed, f'{self.name} sees an old state again')
        if self.last not in (None, state.id):
            self.passed.add(self.last)
        self.last = state.id
        return state

    def act(self, state):
        super().act(state)
        self.passed.add(state.id)  # its action changes it


def treasure_game():
    """Every request goes to another node."""
    anywhere = Anywhere(cluster.ready())
    game = anywhere.create()
    players = [HuntPlayer(anywhere, game, name) for name in ('ann', 'bob')]
    hunt.play(players)
    hunt.check_over(players)


# The native API.


def api_game():
    """Opened at one node and taken at the other at once; then every request goes to another node, with versions."""
    first, second = cluster.ready()
    opened = first.open('paper-soccer', seat={'name': 'ann'})
    code, tokens = opened['code'], [opened['token'], second.sit(opened['code'], 'bob')['token']]
    anywhere, version = Anywhere([first, second]), 0
    for _ in range(1000):
        table = anywhere.get(f'/tables/{code}')
        check(table['version'] >= version, f'{table["version"]} after {version}')
        if table['over']:
            break
        mover = tokens[table['turn'][0]]
        mine = anywhere.get(f'/tables/{code}', mover)
        check(mine['version'] == table['version'], f'{mine["version"]} is not {table["version"]}')
        version = anywhere.act(code, mover, RANDOM.choice(mine['legal']), version=mine['version'])['version']
    check(table['over'] and table['result']['why'] == 'played', f'{table["result"]}')
    shown = [node.get(f'/tables/{code}/journal') for node in (first, second)]
    check(shown[0] == shown[1] and shown[0]['over'], 'the journals differ')
    for node in (first, second):
        node.refused('POST', f'/tables/{code}/actions', 'table-over', {'actions': ['N']}, tokens[0])


def api_versions_conflict():
    """Of two who act on the same version at two nodes at the same time one is first, and the other is told so."""
    nodes = cluster.ready()
    for _ in range(5):
        code, tokens = nodes[0].two()
        version = nodes[0].get(f'/tables/{code}')['version']
        body = {'version': version, 'actions': ['N']}
        answers = at_once(*(functools.partial(node.ask_api, 'POST', f'/tables/{code}/actions', body, tokens[0]) for node in nodes))
        check(sorted(answer.get('error', 'done') for answer in answers) == ['conflict', 'done'], f'{answers}')
        check({node.get(f'/tables/{code}')['version'] for node in nodes} == {version + 1}, 'both have moved')


def watched_at_once():
    """What was answered at one node can be watched at the other immediately; and the same over WebSocket alone."""
    first, second = cluster.ready()
    with Socket(second) as watcher, Socket(first) as player:
        for _ in range(10):
            opened = first.open('paper-soccer', seat={'name': 'ann'})
            code, ann = opened['code'], opened['token']
            seen = watcher.ask('table', type='watch', table=code)
            check(seen['version'] >= opened['version'] and seen['seats'][0]['name'] == 'ann', f'{seen}')
            seat = second.sit(code, 'bob')
            acted = player.ask('acted', type='act', table=code, token=ann, actions=['N'])
            check(acted['version'] > seat['version'], f'{acted}')
            told = watcher.hear_until('table', lambda message: message['version'] >= acted['version'])  # pylint: disable=cell-var-from-loop
            check(told['view']['ball'] == [0, 1], f'{told["view"]}')


def feed_goes_on():
    """A feed is taken up at another node from the version that its watcher has: every event once, in order."""
    nodes = cluster.ready()
    code, tokens = nodes[0].two()
    seen, anywhere = [], Anywhere(nodes)
    for turn in range(12):
        with Socket(nodes[turn % 2]) as socket:
            version = seen[-1] if seen else 1
            told = socket.ask('table', type='watch', table=code, version=version)
            seen += [event['version'] for event in told['events']]
            check(not told['gap'] and told['version'] == max([version, *seen]), f'{told}')
            for _ in range(2):
                table = nodes[turn % 2].get(f'/tables/{code}')
                if table['over']:
                    break
                mover = tokens[table['turn'][0]]
                action = RANDOM.choice(anywhere.get(f'/tables/{code}', mover)['legal'])
                version = anywhere.act(code, mover, action)['version']
            if turn % 3:  # sometimes it goes before it was told
                while not seen or seen[-1] < version:
                    seen += [event['version'] for event in socket.hear_until('table')['events']]
    check(seen == list(range(2, seen[-1] + 1)), f'{seen}')


def keys_count_everywhere():
    """A request with a key that is repeated at another node is the same request."""
    first, second = cluster.ready()
    for number in range(10):
        key = {'Idempotency-Key': f'{os.urandom(16).hex()}'}
        body = {'game': 'paper-soccer', 'seat': {'name': 'ann'}}
        opened = [node.ask_api('POST', '/tables', body, None, 201, key) for node in (first, second)]
        check(opened[0]['code'] == opened[1]['code'] and opened[0]['token'] == opened[1]['token'] and
              opened[0]['owner_token'] == opened[1]['owner_token'], f'{opened}')
        other = {'Idempotency-Key': f'{os.urandom(16).hex()}'}
        sat = [node.ask_api('POST', f'/tables/{opened[0]["code"]}/seats', {'name': 'bob'}, None, 201, other) for node in (second, first)]
        check(sat[0]['token'] == sat[1]['token'] and sat[0]['seat'] == sat[1]['seat'], f'{number}: {sat}')
        second.ask_api('POST', '/tables', dict(body, game='santorini'), None, 422, key)


def keys_at_the_same_time():
    """Both have the request before either has answered: one may have to ask again, and there is one table."""
    nodes = cluster.ready()
    for _ in range(10):
        key, body = {'Idempotency-Key': os.urandom(16).hex()}, {'game': 'paper-soccer', 'seat': {'name': 'ann'}}
        opens = [functools.partial(node.ask_api, 'POST', '/tables', body, headers=key) for node in nodes]
        answers = [*at_once(*opens), *(ask() for ask in opens)]
        check(all(answer.get('error', 'busy') == 'busy' for answer in answers) and len({answer['code'] for answer in answers if 'code' in answer} |
              {answers[2]['code'], answers[3]['code']}) == 1, f'{answers}')


def seats_at_the_same_time():
    """Two who take any seat at two nodes at the same time both get one; a third does not, nor one who wants the seat of another."""
    nodes = cluster.ready()
    for _ in range(5):
        code = nodes[0].open('paper-soccer')['code']
        path = f'/tables/{code}/seats'
        sat = at_once(*(functools.partial(node.ask_api, 'POST', path, {'name': 'ann'}) for node in nodes))
        check(sorted(seat.get('seat', 9) for seat in sat) == [0, 1], f'{sat}')
        names = [seat['name'] for seat in nodes[0].get(f'/tables/{code}')['seats']]
        check(sorted(names) == ['ann', 'ann (2)'], f'{names}')
        nodes[1].refused('POST', path, 'table-full', {'name': 'cid'})
        code = nodes[1].open('paper-soccer')['code']
        sat = at_once(*(functools.partial(node.ask_api, 'POST', f'/tables/{code}/seats', {'name': 'ann', 'seat': 1}) for node in nodes))
        check(sorted(seat.get('error', 'sits') for seat in sat) == ['seat-taken', 'sits'], f'{sat}')
        code = nodes[0].open('paper-soccer')['code']
        key = {'Idempotency-Key': os.urandom(16).hex()}
        sat = at_once(*(functools.partial(node.ask_api, 'POST', f'/tables/{code}/seats', {'name': 'ann'}, headers=key) for node in nodes))
        check(sat[0]['token'] == sat[1]['token'] and sat[0]['seat'] == sat[1]['seat'], f'{sat}')
        game = nodes[0].create()
        players = at_once(*(functools.partial(hunt.Player, node, game, 'ann') for node in nodes))
        check(all(players), 'one of two cannot register')
        clients = [eriantys_wire.Client(node.at('eriantys'), name) for node, name in zip(nodes, ('ann', 'bob'))]
        code = clients[0].create()
        check(all(at_once(*(functools.partial(client.login, code) for client in clients))), 'one of two cannot log in')
        for client in clients:
            client.expect('status')
            client.close()


def lists_are_equal():
    """The lobby and who is online are the same at every node."""
    first, second = cluster.ready()
    code, (ann, _) = first.two()
    waits = second.open('santorini', seat={'name': 'cid'})['code']

    def listed(node):
        return node.get('/tables')['tables']
    def told():
        return ' '.join(f'{table["code"]}@{node.port}' for node in (first, second) for table in listed(node))
    eventually(lambda: "the lists are equal " + told(), lambda: listed(first) == listed(second) and {code, waits} <= {
        table['code'] for table in listed(first)})

    def online(node, at_code=code):
        return [seat['online'] for seat in node.get(f'/tables/{at_code}')['seats']]
    with Socket(first) as socket, Socket(second) as lobby:
        lobby.ask('lobby', type='lobby')
        socket.ask('table', type='watch', table=code, token=ann)
        eventually('ann is online at the other node', lambda: online(second)[0])
        private = first.open('paper-soccer')['code']
        lobby.hear_until('lobby-table', lambda message: message['table']['code'] == private)
    eventually('ann is not online any more', lambda: not online(second)[0])


# Several protocols at one table.


def api_against_santorini():
    """A player like the page at one node, a client of the game's protocol at the other, at a table that the first has opened."""
    first, second = cluster.ready()
    opened = first.open('santorini', protocol='santorini', seats=2, seat={'name': 'native', 'seat': 0})
    code = opened['code']
    stranger = bot('santorini', second, 'stranger')
    try:
        with Socket(first) as socket:
            socket.ask('table', type='watch', table=code, token=opened['token'])
            socket.hear_until('table', lambda message: message['state'] == 'running')
            table = native.play_out(first, code, {0: opened['token']}, RANDOM.choice)
        check(table['result']['why'] == 'played' and [seat['name'] for seat in table['seats']] == ['native', 'stranger'], f'{table}')
        stranger.wait()
    finally:
        stranger.kill()


def api_against_the_hall():
    """The same with Paper Soccer: the hall is at one node, and the table is opened, and found, at the other."""
    pair = cluster.ready()
    here = eventually('one node has the hall', lambda: next((node for node in pair if wire.hall_is_here(node.at('ugs').port)), None))
    elsewhere, = [node for node in pair if node is not here]
    for opens_first in True, False:
        opened = elsewhere.open('paper-soccer', protocol='ugs', seat={'name': 'native', 'seat': 0}) if opens_first else None
        stranger = wire.Process([PARLOR, 'bot', 'paper-soccer', '--connect_to', here.at('ugs').address, '--nick', 'stranger', '--games', '1',
                                 '--level', '1'])
        try:
            if opened is None:
                found = eventually('the player is in the lobby', lambda: [table for table in elsewhere.get('/tables?state=open')['tables']
                                                                          if table['protocol'] == 'ugs'])
                opened = dict(elsewhere.sit(found[0]['code'], 'native'), code=found[0]['code'])
            with Socket(elsewhere) as socket:
                socket.say(type='watch', table=opened['code'], token=opened['token'])
                socket.hear_until('table', lambda message: message['state'] == 'running')
                table = native.play_out(elsewhere, opened['code'], {opened['seat']: opened['token']}, RANDOM.choice)
            check(table['result']['why'] == 'played' and {seat['protocol'] for seat in table['seats']} == {'api', 'ugs'}, f'{table}')
            stranger.wait()
        finally:
            stranger.kill()


# Who is connected at one node cannot be replaced at another.


def renaissance_pair(pair):
    """Players at the two nodes whose set-up is done; the first has been asked for its action."""
    first, second = pair
    alice, bobby = renaissance_wire.Client(first.at('renaissance'), 'alice'), renaissance_wire.Client(second.at('renaissance'), 'bobby')
    alice.login()
    alice.expect('numberOfPlayersSelectionRequest')
    alice.send('numberOfPlayersSelectionReply', number=2)
    eventually('alice is known to sit', lambda: any(seat['name'] == 'alice' for table in second.get('/tables?state=open')['tables']
                                                    for seat in table['seats']))
    bobby.login()
    renaissance_wire.keep_leaders([alice, bobby])
    for client, stones in ((alice, []), (bobby, ['STONES'])):
        client.send('resourcesReply', username=client.name, warehouse={'0': [], '1': stones, '2': []})
        client.expect('resourcesResponse', accepted=True)
    for client in (alice, bobby):
        client.expect_all('devCardGrid', 'market', 'setupUpdate')
    bobby.expect('startTurn', nickname='alice')
    alice.expect('possibleAction')
    return [alice, bobby]


def renaissance_return():
    first, second = cluster.ready()
    alice, bobby = renaissance_pair((first, second))
    for node in (first, second):
        thief = renaissance_wire.Client(node.at('renaissance'), 'thief')
        thief.send('loginRequest', username='alice')
        thief.expect('usernameResponse', isFree=False)
        thief.close()
    renaissance_wire.market_turn([alice, bobby], 0)
    bobby.expect('possibleAction')
    alice.close()
    bobby.expect('disconnectionMessage', nickname='alice')
    alice = renaissance_wire.back(second.at('renaissance'), 'alice')
    check(alice.update['setupDone'] and alice.update['playersConnected'] == {'alice': True, 'bobby': True}, f'{alice.update}')
    bobby.expect('reconnectionMessage', nickname='alice')
    for client in (alice, bobby):
        client.close()


def eriantys_back(node, code, name):
    """A client that has its seat again, as soon as it is known that the last one is gone."""
    def back():
        client = eriantys_wire.Client(node.at('eriantys'), name)
        if client.enter(code)['found']:
            client.send('login', name=name)
            if client.expect('login')['success']:
                return client
        client.close()
        return None
    return eventually(f'{name} is back', back)


def eriantys_return():
    first, second = cluster.ready()
    ann, bob = eriantys_wire.Client(first.at('eriantys'), 'ann'), eriantys_wire.Client(second.at('eriantys'), 'bob')
    code = ann.create()
    for client in (ann, bob):
        client.login(code)
    for client in (ann, bob):
        client.expect('status')
        client.expect('gameStart')
        client.expect('turnEnable', player='ann', enable=True)
    eriantys_wire.step([ann, bob])
    for node in (first, second):
        thief = eriantys_wire.Client(node.at('eriantys'), 'ann')
        thief.login(code, success=False)
        thief.close()
    told = ann.status
    ann.close()
    ann = eriantys_back(second, code, 'ann')
    check(ann.expect('status')['gameBoard'] == told['gameBoard'], 'the game is another one')
    for client in (ann, bob):
        client.close()


def santorini_return():
    """Two at two nodes; who comes back at the other one is told the whole game, and nobody else can take the seat."""
    first, second = cluster.ready()
    ann = builders.Asker(first.at('santorini').port, 'ann')
    ann.expect('askNumberOfPlayers')
    ann.send('setNumberOfPlayers', numberOfPlayers=2)
    ann.expect('stateUpdate', state='SETUP_PLAYERS')
    eventually('the table is known', lambda: any(table['protocol'] == 'santorini' for table in second.get('/tables?state=open')['tables']))
    bob = builders.Asker(second.at('santorini').port, 'bob')
    bob.expect('stateUpdate', state='SETUP_PLAYERS')
    players = [ann, bob]
    for player in players:
        player.expect('askNickAndDate')
    for player, date in zip(players, builders.DATES):
        player.send('addPlayer', name=player.name, date=date, steps=builders.STEPS)
        for other in players:
            other.expect('playerAdded', name=player.name, result=True)
    ann.read_until('chooseMatchGodCards')
    bob.read_until('turnUpdate', name='ann')
    for node in (first, second):
        thief = builders.Asker(node.at('santorini').port, 'thief')
        thief.read_until('askNumberOfPlayers')
        thief.send('addPlayer', name='ann', date='2000.05.05', steps=builders.STEPS)
        thief.read_until('playerAdded', result=False)
        thief.close()
    ann.close()
    bob.read_until('playerDisconnected', name='ann')
    ann = builders.Asker(second.at('santorini').port, 'ann')
    ann.read_until('askNumberOfPlayers')
    ann.send('addPlayer', name='ann', date='2000.05.05', steps=builders.STEPS)
    ann.read_until('playerAdded', name='bob')
    ann.read_until('chooseMatchGodCards')
    bob.read_until('playerReconnected', name='ann')
    for player in (ann, bob):
        player.close()


CASES = [
    ('Santorini: two bots who arrive at two nodes at the same time meet', santorini_bots),
    ('Masters of Renaissance: the same', renaissance_bots),
    ('Eriantys: opened at one node, entered by its code at the other', eriantys_game),
    ('Treasure Hunt: every request goes to another node', treasure_game),
    ('API: every request goes to another node', api_game),
    ('API: of two who act on one version at two nodes one is first', api_versions_conflict),
    ('API: what was answered at one node is watched at the other at once', watched_at_once),
    ('API: a feed is taken up at another node without a gap', feed_goes_on),
    ('API: keys of requests count at every node', keys_count_everywhere),
    ('API: keys of requests count at two nodes at the same time', keys_at_the_same_time),
    ('two who sit down at two nodes at the same time both have a seat', seats_at_the_same_time),
    ('API: lists and presence are the same everywhere', lists_are_equal),
    ('a player of the API against one of Santorini at another node', api_against_santorini),
    ('a player of the API against one of the hall at another node', api_against_the_hall),
    ('Masters of Renaissance: a seat is taken once, and taken up at another node', renaissance_return),
    ('Eriantys: a seat is taken once, and taken up at another node', eriantys_return),
    ('Santorini: a seat is taken once, and taken up at another node', santorini_return),
]


def run(cases):
    """Those that the command line names, one after the other."""
    global cluster
    if postgres.MISSING:
        print(f'1..0 # SKIP {postgres.MISSING}')
        return
    words = ' '.join(sys.argv[2:])
    chosen = [case for case in cases if words in case[0]]
    with postgres.Postgres(is_durable=False) as database, Cluster(database) as cluster:
        wire.run_cases([*chosen, ('every node ends in order, and the journals are whole', cluster.stop)])


if __name__ == '__main__':
    run(CASES)
