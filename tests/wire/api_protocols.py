#!/usr/bin/env python3
"""Tables of other protocols as the native API has them: players of both at one table, the wire inspector, owners, delays,
and championships of the Universal Game System.

usage: api_protocols.py PARLOR [WORDS OF A CASE]
"""
import random
import re
import sys
import tempfile
import threading

import hunt
import native
import wire
from native import DELAY_LONG_MS, Socket, check

PARLOR = sys.argv[1]
DIRECTIONS = 'Up', 'Down', 'Left', 'Right'
RANDOM = random.Random(8)
server = None


def clocks_of_other_protocols():
    for game, protocol in wire.ask.doors(PARLOR):
        if protocol not in next(known['protocols'] for known in server.get('/games')['games'] if known['name'] == game):
            continue
        refusal = server.refused('POST', '/tables', 'field-invalid', {'game': game, 'protocol': protocol, 'turn_ms': 60000}, status=400)
        check(refusal['reason'].startswith('turn_ms'), f'{refusal}')


def strangers_at_a_game_of_treasure_hunt():
    code = server.open('treasure-hunt', protocol='treasure')['code']
    for word in 'leave', 'resign':
        stranger = server.sit(code, 'stranger')
        check(server.post(f'/tables/{code}/{word}', token=stranger['token']).get('freed') is True, word)
    for name in 'ann', 'bob':
        hunt.Player(server, code, name)
    check([seat['name'] for seat in server.get(f'/tables/{code}')['seats']] == ['ann', 'bob'], 'two others')


def a_hunt_of_two_protocols():
    """A Treasure Hunt client and a player of the API at one table, opened by either."""
    for opens in 'client', 'api':
        if opens == 'client':
            code = server.create()
        else:
            opened = server.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, inspect=True)
            code = opened['code']
            check(opened['protocol'] == 'treasure' and opened['inspect'], f'{opened["protocol"]}')
        check(code in [table['code'] for table in server.get('/tables?state=open')['tables']], 'it is not in the lobby')
        client = hunt.Player(server, code, 'carl')
        check(server.get(f'/tables/{code}')['seats'][0]['online'], 'who has just registered is not online')
        seat = server.sit(code, 'ann')
        table = server.get(f'/tables/{code}', seat['token'])
        check([(s['kind'], s['protocol']) for s in table['seats']] == [('person', 'treasure'), ('person', 'api')], f'{table["seats"]}')
        table = server.get(f'/tables/{code}', seat['token'])
        server.act(code, seat['token'], 'enter seed')
        check(client.state().standing in ('MustAct', 'MustWait'), 'the client sees no opponent')
        for _ in range(12):
            table = server.get(f'/tables/{code}', seat['token'])
            if table['over']:
                break
            if table['turn'] == [1]:
                server.act(code, seat['token'], RANDOM.choice(table['legal']))
            else:
                client.move(RANDOM.choice(DIRECTIONS))
        if not table['over']:
            server.post(f'/tables/{code}/resign', token=seat['token'])
        check(client.state().standing in ('Won', 'Lost'), 'the client is not told')
        if opens == 'api':
            look_at_the_wire(code, opened['owner_token'])


def look_at_the_wire(code, owner):
    items = server.get(f'/tables/{code}/wire', owner)['items']
    check({item['protocol'] for item in items} == {'treasure'} and items[0]['direction'] == 'in', f'{items[:2]}')
    check(any('carl' in item['text'] for item in items), 'the registration is not there')
    numbers = [item['n'] for item in items]
    check(numbers == sorted(set(numbers)), f'{numbers}')
    server.refused('GET', f'/tables/{code}/wire', 'token-unknown', status=401)


def the_inspector_shows_refusals():
    opened = server.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, inspect=True)
    code, owner = opened['code'], opened['owner_token']
    with Socket(server) as one:
        check(one.ask('wire', type='inspect', table=code, token=owner)['items'] == [], 'nothing yet')
        players = [hunt.Player(server, code, name) for name in ('carl', 'dora')]
        states = [player.state() for player in players]
        waiting = [player for player, state in zip(players, states) if state.standing != 'MustAct'][0]
        waiting.move('Up')
        item = None
        while item is None:
            for found in one.hear_until('wire')['items']:
                item = found if found['refused'] else item
        check(item['error'] == 'not-your-turn' and item['direction'] == 'in' and '>Up<' in item['text'], f'{item}')
        check(waiting.id not in item['text'] and '*' * 36 in item['text'], f'a credential is recorded: {item}')
    only = server.get(f'/tables/{code}/wire?refused=true', owner)
    check(len(only['items']) == 1 and only['items'][0]['n'] == item['n'], f'{only}')
    legal = server.get(f'/tables/{code}/wire/{item["n"]}', owner)
    other = 1 - legal['seat']
    check(legal['turn'] == [other] and legal['legal'] == [] and legal['seat'] == item['seat'], f'it was the turn of the other: {legal}')
    server.refused('GET', f'/tables/{code}/wire/{item["n"]}', 'token-unknown', status=401)
    for number in 'x', '0', '-1', '999':
        server.refused('GET', f'/tables/{code}/wire/{number}', 'path-unknown', token=owner, status=404)
    page = server.get(f'/tables/{code}/wire?limit=1', owner)
    check(len(page['items']) == 1 and page['next'] == page['items'][0]['n'] + 1, f'{page}')


def the_inspector_of_the_server():
    """--inspect records every table; its token opens them all."""
    token = 'f' * 32
    with tempfile.NamedTemporaryFile('w', suffix='.token') as file:
        print(token, file=file, flush=True)
        inspector_of_the_server(token, ['--inspect', file.name])


def inspector_of_the_server(token, options):
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', *options, '--store', 'memory']) as own:
        clients = {}
        for nick in 'A', 'B':
            clients[nick] = wire.Client(own.ugs_port, nick)
            clients[nick].send(wire.player_login(nick))
            clients[nick].expect(wire.ACCEPTED)
        begun = [client.expect(r'<message type="gameState"><gameId id="(.*?)"/><nextPlayer nick="(.)"/>.*') for client in clients.values()]
        code, first = begun[0].group(1), begun[0].group(2)
        second = 'B' if first == 'A' else 'A'
        table = own.get(f'/tables/{code}')
        check(table['protocol'] == 'ugs' and table['state'] == 'running' and table['inspect'], f'{table["protocol"]}')
        check(all(seat['online'] for seat in table['seats']), f'{table["seats"]}')
        with Socket(own) as watcher:
            watcher.ask('table', type='watch', table=code)
            clients[second].send(f'<message type="move"><gameId id="{code}"/><move><point x="0" y="1"/></move></message>')
            clients[second].expect(wire.ERROR)
            clients[first].send(f'<message type="move"><gameId id="{code}"/><move><point x="0" y="2"/></move></message>')
            over = watcher.hear_until('table', lambda message: message['over'])
        check(over['result']['why'] == 'violation', f'{over["result"]}')
        for client in clients.values():
            client.expect(r'<message type="gameState">.*<gameOver>.*')
        items = own.get(f'/tables/{code}/wire', token)['items']
        broken = [item for item in items if item['rule']]
        check(len(broken) == 1 and broken[0]['error'] == 'step-too-long' and broken[0]['rule'] == 'paper-soccer R2', f'{broken}')
        legal = own.get(f'/tables/{code}/wire/{broken[0]["n"]}', token)
        check(legal['turn'] == [legal['seat']] == [broken[0]['seat']] and len(legal['legal']) == 8 and 'N' in legal['legal'], f'{legal}')
        check([item['direction'] for item in items if item['error'] == 'refused'] == ['out'], f'{items}')
        check(len({item['connection'] for item in items if item['connection']}) == 2, 'two connections')
        own.refused('GET', f'/tables/{code}/wire', 'token-unknown', token='0' * 32, status=401)
        for client in clients.values():
            client.close()
        own.stop()


def recording_begins_later():
    """A player of the Universal Game System who has not named the table was seated, because nothing was recorded; its owner has it recorded from
    then on. A move that breaks a rule is shown with what would have been legal."""
    opened = server.open('paper-soccer', protocol='ugs', seat={'name': 'ann'})
    code, owner = opened['code'], opened['owner_token']
    client = wire.Client(server.ugs_port, 'udo')
    client.send(wire.player_login('udo'))
    client.expect(wire.ACCEPTED)
    begun = client.expect(r'<message type="gameState"><gameId id="(.*?)"/><nextPlayer nick="(.*?)"/>.*')
    check(begun.group(1) == code and not server.get(f'/tables/{code}')['inspect'], f'{begun.group(0)}')
    for token in None, opened['token'], native.NO_TOKEN:
        server.refused('POST', f'/tables/{code}/wire', 'token-unknown', {}, token, 401)
    check(server.get(f'/tables/{code}/wire', owner) == {'code': code, 'items': [], 'next': 0}, 'something is recorded')
    with Socket(server) as watcher:
        watcher.ask('table', type='watch', table=code)
        check(server.post(f'/tables/{code}/wire', {}, owner) == {'code': code, 'inspect': True}, 'not recorded')
        check(watcher.hear_until('table')['inspect'], 'nobody is told that it is recorded')
        server.post(f'/tables/{code}/wire', token=owner)  # once more changes nothing
        if begun.group(2) != 'udo':
            server.act(code, opened['token'], 'N')
            client.expect(r'<message type="gameState">.*<nextPlayer nick="udo"/>.*')
        client.send(f'<message type="move"><gameId id="{code}"/><move><point x="0" y="0"/></move></message>')
        watcher.hear_until('table', lambda message: message['over'])
    items = server.get(f'/tables/{code}/wire', owner)['items']
    broken = [item for item in items if item['refused'] and item['rule']]
    check(len(broken) == 1 and broken[0]['direction'] == 'in', f'{items}')
    legal = server.get(f'/tables/{code}/wire/{broken[0]["n"]}', owner)
    check(legal['seat'] == 1 and legal['turn'] == [1] and 0 < len(legal['legal']) <= 8, f'{legal}')
    server.refused('POST', f'/tables/{code}/wire', 'table-over', {}, owner, 409)
    client.close()


def watchers_of_other_protocols_are_late():
    """--watch-delay is for tables of other protocols that say nothing else; a restart changes nothing."""
    with native.Server(PARLOR, ['--watch-delay', str(DELAY_LONG_MS // 1000)]) as own:
        theirs, plain = own.create(), own.open('paper-soccer')['code']
        ordered = own.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, watch_delay_ms=0)['code']
        hunt.Player(own, theirs, 'carl')
        ann = own.sit(theirs, 'ann')['token']
        own.post(f'/tables/{theirs}/actions', {'actions': ['enter seed']}, ann)
        for _ in range(2):
            for code, delay in ((theirs, DELAY_LONG_MS), (plain, 0), (ordered, 0)):
                check(own.get(f'/tables/{code}')['watch_delay_ms'] == delay, f'{code} is late by another time')
            late, truth = own.get(f'/tables/{theirs}'), own.get(f'/tables/{theirs}', ann)
            check(late['version'] == 1 < truth['version'] and late['seats'] == truth['seats'], f'{late["version"]} {truth["version"]}')
            own = own.again()
        own.post(f'/tables/{theirs}/resign', token=ann)
        check(own.get(f'/tables/{theirs}')['over'] and own.get(f'/tables/{theirs}')['version'] > truth['version'], 'over')
        own.close()


def owners_of_other_tables_after_a_restart():
    """What was ordered with a table of another protocol stands in its journal: also when it is killed, and when it is over."""
    with native.Server(PARLOR) as own:
        opened = own.open('treasure-hunt', protocol='treasure', options={'players': 'any'}, private=True, inspect=True)
        code, owner = opened['code'], opened['owner_token']
        for _ in range(2):
            own = own.again()
            table = own.get(f'/tables/{code}', owner)
            check(table['private'] and table['inspect'] and table['protocol'] == 'treasure', f'{table}')
            check(code not in [table['code'] for table in own.get('/tables')['tables']], 'a private table is listed')
            own.refused('GET', f'/tables/{code}/wire', 'token-unknown', status=401)
        player = hunt.Player(own, code, 'carl')
        check(any('carl' in item['text'] for item in own.get(f'/tables/{code}/wire', owner)['items']), 'nothing is recorded')
        ann = own.sit(code, 'ann')
        check(player.state().standing in ('MustAct', 'MustWait'), 'the client does not play')
        own.post(f'/tables/{code}/resign', token=ann['token'])
        own = own.again()
        check(own.get('/tables?state=finished')['tables'] == [], 'a private table is listed when it is over')
        check(own.get(f'/tables/{code}', owner)['over'], 'the owner is not known any more')
        own.close()


class Entrant(threading.Thread):
    """A player of the Universal Game System who breaks the rules whenever it is to move, and so loses that game."""

    def __init__(self, nick, game_type, port=None):
        super().__init__(daemon=True)
        self.nick, self.client, self.messages = nick, wire.Client(port or server.ugs_port, nick), []
        self.client.send(wire.player_login(nick, game_type))
        self.client.expect(wire.ACCEPTED)

    def run(self):
        while (message := self.client.read_message()) is not None:
            self.messages.append(message)
            game = re.search(r'<gameId id="(.*?)"/>', message)
            if '<gameOver>' in message:
                self.client.send(f'<message type="thank you"><gameId id="{game.group(1)}"/></message>')
            elif f'<nextPlayer nick="{self.nick}"/>' in message:
                self.client.send(f'<message type="move"><gameId id="{game.group(1)}"/><move><point x="0" y="9"/></move></message>')


def championships():
    check(server.get('/championships')['championships'] == [], 'there are some already')
    for body, error in (({}, 'field-missing'), ({'type': 'paper-soccer'}, 'field-missing'), ({'type': '', 'players': 2}, 'field-invalid'),
                        ({'type': 'x' * 60, 'players': 2}, 'field-invalid'), ({'type': 'x', 'players': 1}, 'field-invalid'),
                        ({'type': 'x', 'players': 1025}, 'field-invalid')):
        server.refused('POST', '/championships', error, body, status=400)
    for game in server.get('/games')['games']:
        if game['name'] != 'paper-soccer':
            refused = server.refused('POST', '/championships', 'field-invalid', {'type': game['name'], 'players': 2}, status=400)
            check('another protocol' in refused['reason'], f'{refused}')
    made = server.post('/championships', {'type': 'papersoccer', 'players': 3}, status=201)
    check(made == {'name': 'paper-soccer#1', 'type': 'paper-soccer', 'players': 3, 'entered': 0, 'state': 'open', 'standings': []}, f'{made}')
    other = server.post('/championships', {'type': 'paper-soccer', 'players': 2}, status=201)
    check(other['name'] == 'paper-soccer#2', f'{other}')
    entrants = [Entrant(nick, made['name']) for nick in ('a', 'b')]
    check(server.get('/championships')['championships'][0]['entered'] == 2, 'two have entered')
    outsiders = [Entrant(nick, 'paper-soccer') for nick in ('x', 'y')]
    for outsider in outsiders:
        outsider.client.expect(r'<message type="gameState">.*')
    entrants.append(Entrant('c', made['name']))
    late = wire.Client(server.ugs_port, 'late')
    late.send(wire.player_login('late', made['name']))
    late.expect(r'<message type="loginResponse">.*<error id="3"/>.*')
    late.close()
    for entrant in entrants:
        entrant.start()
    for entrant in entrants:
        entrant.join(wire.DEADLINE_S)
        check(not entrant.is_alive() and 'serverShutdown' in entrant.messages[-1], f'{entrant.nick}: {entrant.messages[-2:]}')
        rows = [(nick, int(won), int(lost)) for nick, won, lost in
                re.findall(r'<player nick="(.*?)" won="(\d+)" lost="(\d+)"/>', entrant.messages[-2])]
        found = server.get('/championships')['championships'][0]
        check(found['state'] == 'finished' and [(row['nick'], row['won'], row['lost']) for row in found['standings']] == rows, f'{found} {rows}')
        check(sum(row[1] for row in rows) == sum(row[2] for row in rows) == 3, f'{rows}')
        entrant.client.close()
    for outsider in outsiders:
        outsider.client.close()
    second = server.get('/championships')['championships'][1]
    check(second['state'] == 'open' and second['entered'] == 0, f'{second}')


def the_championship_of_the_server_is_listed():
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', '--championship', 'paper-soccer', '3', '--store', 'memory']) as own:
        def found():
            listed = own.get('/championships')['championships']
            check(len(listed) == 1, f'{listed}')
            return listed[0]
        expected = {'name': 'paper-soccer', 'type': 'paper-soccer', 'players': 3, 'entered': 0, 'state': 'open', 'standings': []}
        check(found() == expected, f'{found()}')
        entrants = [Entrant(nick, 'paper-soccer', own.ugs_port) for nick in ('a', 'b')]
        check(found() == dict(expected, entered=2), f'{found()}')
        entrants.append(Entrant('c', 'paper-soccer', own.ugs_port))
        entrants[0].client.expect(r'<message type="gameState">.*')
        now = found()
        check(now['state'] == 'running' and now['entered'] == 3 and {row['nick'] for row in now['standings']} == {'a', 'b', 'c'}, f'{now}')
        own.refused('POST', '/championships', 'too-many', {'type': 'paper-soccer', 'players': 2}, status=429)
        for entrant in entrants:
            entrant.client.close()


def every_answer_was_seen():
    """The cases before have had the operations answered well that api.py leaves to them."""
    missing = server.description.unanswered() & native.OF_OTHER_PROTOCOLS
    check(not missing, f'never answered: {sorted(missing)}')


CASES = [
    ('clocks of other protocols', clocks_of_other_protocols),
    ('strangers at a game of Treasure Hunt', strangers_at_a_game_of_treasure_hunt),
    ('watchers of other protocols are late', watchers_of_other_protocols_are_late),
    ('Treasure Hunt of two protocols', a_hunt_of_two_protocols),
    ('the wire inspector shows refusals', the_inspector_shows_refusals),
    ('the wire inspector of the whole server', the_inspector_of_the_server),
    ('recording begins when the owner wants it', recording_begins_later),
    ('owners of tables of other protocols, killed and started again', owners_of_other_tables_after_a_restart),
    ('championships of the Universal Game System', championships),
    ('the championship that the server was started for', the_championship_of_the_server_is_listed),
    ('every answer of the document has come', every_answer_was_seen),
]


def main():
    global server
    words = ' '.join(sys.argv[2:])
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0']) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
