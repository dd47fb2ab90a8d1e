#!/usr/bin/env python3
"""WebSocket of the native API against a real server: playing, watching, late and slow watchers, the lobby, the end.

usage: api_socket.py PARLOR [WORDS OF A CASE]
"""
import sys
import time

import native
import wire
from native import DELAY_LONG_MS, NO_TOKEN, Socket, check

PARLOR = sys.argv[1]
server = None


def watching_and_playing():
    code, (ann, bob) = server.two()
    with Socket(server) as one, Socket(server) as other, Socket(server) as watcher:
        first = one.ask('table', type='watch', table=code, token=ann)
        check(first['seat'] == 0 and first['events'] == [] and len(first['legal']) == 8 and not first['gap'], f'{first}')
        check(first['seats'][0]['online'], 'not online')
        other.ask('table', type='watch', table=code, token=bob)
        check(watcher.ask('table', type='watch', table=code)['seat'] is None, 'a watcher')
        acted = one.ask('acted', type='act', table=code, version=first['version'], actions=['N'])
        check(acted['version'] == first['version'] + 1 and acted['code'] == code, f'{acted}')
        for who, seat in ((other, 1), (watcher, None)):
            told = who.hear_until('table', lambda message: message['version'] == acted['version'])
            check(told['seat'] == seat and [event['actions'] for event in told['events']] == [['N']], f'{told["events"]}')
            check(bool(told['legal']) == (seat == 1) and told['view']['ball'] == [0, 1], f'{told["legal"]}')
        check(one.ask('refused', type='act', table=code, version=1, actions=['N'])['status'] == 409, 'an old version')
        check(one.ask('refused', type='act', table=code, actions=['N'])['error'] == 'not-your-turn', 'out of turn')
        tried = other.ask('tried', type='act', table=code, actions=['N'], dry_run=True)
        check(tried['view']['ball'] == [0, 2], f'{tried["view"]}')
        refused = watcher.ask('refused', type='act', table=code, actions=['N'])
        check(refused['error'] == 'token-unknown' and refused['status'] == 401, f'{refused}')
        with_token = watcher.ask('acted', type='act', table=code, actions=['N'], token=bob)
        check(with_token['version'] == acted['version'] + 1, f'{with_token}')
        one.close()
        gone = other.hear_until('table', lambda message: not message['seats'][0]['online'])
        check(gone['events'] == [], 'somebody going is no event')
        check(watcher.ask('ok', type='unwatch', table=code)['id'] == 'ask', 'unwatch')
    with Socket(server) as back:
        table = back.ask('table', type='watch', table=code, token=ann, version=first['version'])
        check([event['actions'] for event in table['events']] == [['N'], ['N']], f'{table["events"]}')


def watchers_are_late():
    """A table whose delay is longer than the test: nobody without a seat learns what is played before it is over."""
    code, (ann, bob) = server.two(watch_delay_ms=DELAY_LONG_MS)
    with Socket(server) as player, Socket(server) as watcher, Socket(server) as lobby:
        player.ask('table', type='watch', table=code, token=ann)
        first = watcher.ask('table', type='watch', table=code)
        check(first['version'] == 1 and first['watch_delay_ms'] == DELAY_LONG_MS and first['state'] == 'running', f'{first}')
        check([seat['name'] for seat in first['seats']] == ['ann', 'bob'] and first['clocks'] is None, f'{first["seats"]}')
        done = server.act(code, ann, 'N')
        seen = player.hear_until('table', lambda message: message['version'] == done['version'])
        check(seen['view']['ball'] == [0, 1], 'a player is late')
        check(server.get(f'/tables/{code}', bob)['version'] == done['version'], 'a player is late')
        check(server.get(f'/tables/{code}?as=watcher', bob)['version'] == done['version'], 'a player is late')
        late = server.get(f'/tables/{code}')
        check(late['version'] == 1 and late['view']['ball'] == [0, 0] and late['last']['kind'] == 'setup', f'{late}')
        server.get(f'/tables/{code}/at/1')
        for version in range(2, done['version'] + 2):
            server.refused('GET', f'/tables/{code}/at/{version}', 'version-unknown', status=404)
        check(server.get(f'/tables/{code}/at/{done["version"]}', bob)['version'] == done['version'], 'the past of a player')
        for query in '', '?from=2', f'?from={done["version"]}', '?limit=1':
            journal = server.get(f'/tables/{code}/journal{query}')
            check(journal['version'] == 1 and [event['version'] for event in journal['events']] in ([1], []) and journal['next'] is None, f'{journal}')
        check(len(server.get(f'/tables/{code}/journal', bob)['events']) == done['version'], 'the journal of a player')
        for listed in server.get('/tables')['tables'], lobby.ask('lobby', type='lobby')['tables']:
            row = [table for table in listed if table['code'] == code][0]
            check(row['version'] == 1 and row['watch_delay_ms'] == DELAY_LONG_MS and row['turn'] == first['turn'], f'{row}')
        check('version' not in server.refused('POST', f'/tables/{code}/seats', 'table-full', {'name': 'eve'}, status=409), 'how far it is')
        again = watcher.ask('table', type='watch', table=code, version=0)
        check(again['version'] == 1 and [event['version'] for event in again['events']] == [1], f'{again["events"]}')
        # That a player goes is news, that a move was made is none.
        player.close()
        told = watcher.hear_until('table', lambda message: not message['seats'][0]['online'])
        check(told['version'] == 1 and told['events'] == [], f'{told}')
        server.post(f'/tables/{code}/resign', token=ann)
        while not (told := watcher.hear_until('table'))['over']:
            check(told['version'] == 1, f'{told}')
        check(not told['gap'], f'{told}')
        check([event['version'] for event in told['events']] == list(range(2, told['version'] + 1)), f'{told["events"]}')
    check(server.get(f'/tables/{code}/journal')['events'][-1]['kind'] == 'result', 'the whole journal')


def watchers_see_it_in_the_end():
    """A table with a short delay: what a watcher is told is never younger than that, and comes by itself."""
    delay_ms = 700
    code, (ann, bob) = server.two(watch_delay_ms=delay_ms)
    with Socket(server) as watcher, Socket(server) as other:
        versions = [watcher.ask('table', type='watch', table=code)['version']]
        done = [server.act(code, token, 'N')['version'] for token in (ann, bob, ann)]
        other.ask('table', type='watch', table=code)
        events = []
        while versions[-1] < done[-1]:
            told = watcher.hear_until('table')
            now_ms = time.time() * 1000
            versions.append(told['version'])
            events += told['events']
            check(all(event['at_ms'] + delay_ms <= now_ms for event in told['events']), f'at {now_ms}: {told["events"]}')
        other.hear_until('table', lambda message: message['version'] == done[-1])
        check([event['version'] for event in events] == list(range(versions[0] + 1, done[-1] + 1)), f'{versions} {events}')
        check(server.get(f'/tables/{code}')['version'] == done[-1], 'not over HTTP')
    server.refused('POST', '/tables', 'field-invalid', {'game': 'paper-soccer', 'watch_delay_ms': DELAY_LONG_MS + 1}, status=400)
    server.refused('POST', '/tables', 'field-invalid', {'game': 'paper-soccer', 'watch_delay_ms': -1}, status=400)


def words_on_a_socket():
    code, (ann, _) = server.two()
    with Socket(server) as one:
        check(one.ask('pong', type='ping') == {'type': 'pong', 'id': 'ask'}, 'ping')
        for message, error in (({}, 'field-missing'), ({'type': 'dance'}, 'unknown-type'), ({'type': 'watch'}, 'field-missing'),
                               ({'type': 'watch', 'table': 'K7QZ2'}, 'table-unknown'), ({'type': 'watch', 'table': '!'}, 'table-unknown'),
                               ({'type': 'watch', 'table': code, 'token': NO_TOKEN}, 'token-unknown'),
                               ({'type': 'watch', 'table': code, 'as': 'all'}, 'not-allowed'), ({'type': 'watch', 'table': code, 'as': 1}, 'not-allowed'),
                               ({'type': 'act', 'table': code, 'token': ann}, 'field-missing'),
                               ({'type': 'act', 'table': code, 'token': ann, 'actions': []}, 'field-missing'),
                               ({'type': 'inspect', 'table': code, 'token': ann}, 'token-unknown')):
            answer = one.ask('refused', **message)
            check(answer['error'] == error, f'{message}: {answer}')
        for text, error in ((b'x', 'malformed'), (b'[]', 'field-invalid'), (b'{"id":[]}', 'field-invalid'), (b'[' * 100, 'too-deep'),
                            (b'{"id":"%s"}' % (b'x' * 65), 'field-invalid')):
            one.send_frame(0x81, text)
            check(one.hear()['error'] == error, f'{text}')
        one.say(type='ping', id=17)
        check(one.hear() == {'type': 'pong', 'id': 17}, 'a number as id')
        one.say(type='ping')
        check(one.hear() == {'type': 'pong'}, 'no id')
        one.send_frame(0x01, b'{"type":')
        one.send_frame(0x89, b'still there?')
        one.send_frame(0x80, b'"ping"}')
        check(one.frame() == (10, b'still there?') and one.hear() == {'type': 'pong'}, 'in pieces')
    for first, payload, code_sent in ((0x82, b'bytes', 1003), (0x81, b'\xff', 1007), (0x81, b'x' * 65537, 1009), (0x83, b'', 1002), (0x88, b'\x03\xe8', 1000)):
        with Socket(server) as one:
            one.send_frame(first, payload)
            one.expect_close(code_sent)
    for head in ('Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x', 'X: y'):
        client = wire.Client(server.port)
        client.send(f'GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{head}\r\n\r\n')
        check(client.read_bytes(12)[9:] in (b'426', b'400'), head)
        client.close()


def the_lobby_is_told():
    with Socket(server) as one:
        lobby = one.ask('lobby', type='lobby')
        check(len(lobby['tables']) <= 100 and all(table['state'] != 'finished' for table in lobby['tables']), 'the lobby')
        hidden = server.open('paper-soccer', private=True)['code']
        code = server.open('paper-soccer')['code']
        first = one.hear_until('lobby-table')['table']
        check(first['code'] == code and first['state'] == 'open', f'{first} instead of {code}; {hidden} is private')
        tokens = [server.sit(code, name)['token'] for name in ('ann', 'bob')]
        one.hear_until('lobby-table', lambda message: message['table']['state'] == 'running')
        server.act(code, tokens[0], 'N')
        server.post(f'/tables/{code}/resign', token=tokens[0])
        message = one.hear()
        check(message == {'type': 'lobby-gone', 'code': code}, f'{message}')
        check(one.ask('ok', type='unlobby')['type'] == 'ok', 'unlobby')
        server.open('paper-soccer')
        check(one.ask('pong', type='ping')['type'] == 'pong', 'silence after it')


def slow_watchers_are_dropped_to_the_newest():
    with native.Server(PARLOR, ['--store', 'memory']) as own:
        code = own.open('paper-soccer')['code']
        tokens = [own.sit(code, '🦊' * 50)['token'] for _ in range(2)]
        slow, quick, player = Socket(own, receive_buffer=4096), Socket(own), Socket(own)
        for one in slow, quick:
            one.ask('table', type='watch', table=code)
        # Coming and going is news: more of it than the buffers on the way to the slow one hold.
        for batch in range(40):
            for _ in range(50):
                player.say(type='watch', table=code, token=tokens[0])
                player.say(type='unwatch', table=code)
            player.say(type='ping', id=f'batch {batch}')
            player.skip(f'batch {batch}'.encode())
            quick.say(type='ping', id=f'batch {batch}')
            quick.skip(f'batch {batch}'.encode())
        version = own.post(f'/tables/{code}/actions', {'actions': ['N']}, tokens[0])['version']
        told = quick.hear_until('table', lambda message: message['version'] == version)
        check(not told['gap'] and told['events'][0]['actions'] == ['N'], 'the quick one is told everything')
        slow.skip(b'"gap":true')
        version = own.post(f'/tables/{code}/actions', {'actions': ['N']}, tokens[1])['version']
        told = slow.hear_until('table', lambda message: message['version'] == version)
        check(not told['gap'] and told['events'][0]['actions'] == ['N'], 'after that it is told everything again')
        for one in slow, quick, player:
            one.close()
        own.stop()


def goodbye():
    with native.Server(PARLOR) as own, Socket(own) as one:
        one.ask('lobby', type='lobby')
        own.open('paper-soccer', bots=[{'seat': 0, 'level': 5}, {'seat': 1, 'level': 5}])
        one.hear_until('lobby-table', lambda message: message['table']['state'] == 'running')
        own.process.terminate()
        one.expect_close(1001)
        own.wait()


CASES = [
    ('WebSocket: watching and playing', watching_and_playing),
    ('watchers are late', watchers_are_late),
    ('late watchers see it in the end', watchers_see_it_in_the_end),
    ('WebSocket: what is said wrongly', words_on_a_socket),
    ('WebSocket: the lobby', the_lobby_is_told),
    ('WebSocket: slow watchers', slow_watchers_are_dropped_to_the_newest),
    ('WebSocket: the end of the server', goodbye),
]


def main():
    global server
    words = ' '.join(sys.argv[2:])
    with native.Server(PARLOR) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
