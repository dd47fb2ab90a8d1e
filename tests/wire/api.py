#!/usr/bin/env python3
"""The native API against a real server: every path, every refusal, WebSocket, bots, secrets, slow watchers, restarts. All
answers are held against the OpenAPI document that the server gives out.

usage: api.py PARLOR [WORDS OF A CASE]
"""
import json
import os
import random
import re
import subprocess
import sys
import threading
import time

import hunt
import native
import wire
from native import Socket, check, play_out

PARLOR = sys.argv[1]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'clients', 'python', 'examples', 'api_bot.py')
GAME_DEADLINE_S = 200
NO_TOKEN = '0' * 32
DIRECTIONS = 'Up', 'Down', 'Left', 'Right'
RANDOM = random.Random(8)
server = None


def two(game='paper-soccer', **fields):
    """(code, [token, token]) of a table that two people have taken."""
    code = server.open(game, **fields)['code']
    return code, [server.sit(code, name)['token'] for name in ('ann', 'bob')]


def act(code, token, *actions, version=None, status=200):
    body = {'actions': list(actions)}
    if version is not None:
        body['version'] = version
    return server.post(f'/tables/{code}/actions', body, token, status)


# Games and lists.

def games_are_listed():
    games = {game['name']: game for game in server.get('/games')['games']}
    check({'paper-soccer', 'treasure-hunt'} <= set(games), f'{sorted(games)}')
    check(games['treasure-hunt']['secrets'] and not games['paper-soccer']['secrets'], 'who has secrets')
    for name, game in games.items():
        table = server.open(name, seats=game['seats_max'],
                            options={option['name']: option['default'] for option in game['options']})
        check(len(table['seats']) == game['seats_max'] and table['state'] == 'open', f'{name}: {table["state"]}')


def tables_are_listed():
    codes = [server.open('paper-soccer')['code'] for _ in range(5)]
    hidden = server.open('paper-soccer', private=True)['code']
    found, path = [], '/tables?state=open&game=paper-soccer&limit=2'
    while path:
        page = server.get(path)
        found += [table['code'] for table in page['tables']]
        path = page['next'] and f'/tables?state=open&game=paper-soccer&limit=2&before={page["next"]}'
    check([code for code in found if code in codes] == codes[::-1] and len(found) == len(set(found)), f'{found} of {codes}')
    check(hidden not in found, 'a private table is listed')
    check(server.get(f'/tables/{hidden}')['private'], 'it is not private')
    check(server.get(f'/tables/{hidden.lower()}')['code'] == hidden, 'lower case is another code')
    running = two()[0]
    check(running in [table['code'] for table in server.get('/tables?state=running')['tables']], 'running')
    check(running not in [table['code'] for table in server.get('/tables?state=open')['tables']], 'running is not open')
    for query in 'state=lost', 'game=chess', 'limit=0', 'limit=101', 'limit=x', 'before=x', 'before=1-', 'before=x-K7QZ2':
        server.refused('GET', '/tables?' + query, 'field-invalid', status=400)


def finished_tables_are_listed():
    codes = []
    for private in False, False, True, False:
        code, tokens = two(private=private)
        server.post(f'/tables/{code}/resign', token=tokens[0])
        codes.append(code)
    hidden = codes.pop(2)
    found, path = [], '/tables?state=finished&limit=1'
    while path and len(found) < 10:
        page = server.get(path)
        found += [table['code'] for table in page['tables']]
        path = page['next'] and f'/tables?state=finished&limit=1&before={page["next"]}'
    check(found[:3] == codes[::-1] and hidden not in found, f'{found}, not {codes[::-1]}')
    table = server.get('/tables?state=finished&limit=1')['tables'][0]
    check(table['result'] == {'points': [0, 1], 'winners': [1], 'why': 'resigned'}, f'{table}')
    check(server.get('/tables?state=finished&game=treasure-hunt')['tables'] == [], 'of another game')


# Opening and sitting.

def opening_refuses():
    for body, error in (({}, 'field-missing'), ({'game': 'chess'}, 'game-unknown'), ({'game': 7}, 'field-missing'),
                        ({'game': 'paper-soccer', 'seats': 3}, 'seat-count'), ({'game': 'paper-soccer', 'seats': 'x'}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'options': {'size': 3}}, 'option-unknown'),
                        ({'game': 'paper-soccer', 'options': {'first-attacks': 'left'}}, 'option-invalid'),
                        ({'game': 'paper-soccer', 'options': []}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'bots': 1}, 'field-invalid'), ({'game': 'paper-soccer', 'bots': [{}]}, 'field-missing'),
                        ({'game': 'paper-soccer', 'bots': [{'seat': 2}]}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'bots': [{'seat': 1, 'level': 6}]}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'turn_ms': 10}, 'field-invalid'), ({'game': 'paper-soccer', 'private': 'x'}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'seat': {}}, 'field-missing'), ({'game': 'paper-soccer', 'seat': {'name': ''}}, 'field-missing'),
                        ({'game': 'paper-soccer', 'seat': {'name': 'x' * 51}}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'seat': {'name': 'x', 'seat': 2}}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'protocol': 'smoke'}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'protocol': 'treasure'}, 'field-invalid'),
                        ({'game': 'paper-soccer', 'from': {'code': 'K7QZ2'}}, 'field-invalid')):
        server.refused('POST', '/tables', error, body, status=400)
    for body in ({'game': 'paper-soccer', 'bots': [{'seat': 1}, {'seat': 1}]},
                 {'game': 'paper-soccer', 'bots': [{'seat': 0}], 'seat': {'name': 'x', 'seat': 0}}):
        server.refused('POST', '/tables', 'seat-taken', body, status=409)
    for text in ('', '[]', '3', '{', '{"game":1,"game":2}', '\xff', '[' * 40, '{"a":' * 40):
        answer = server.ask_api('POST', '/tables', text)
        check(answer['status'] == 400, f'{text}: {answer}')


def paths_and_methods_refuse():
    for path in '/', '/nothing', '/games/x', '/tables/K7QZ2/x', '/tables/K7QZ2/at', '/tables/K7QZ2/at/1/x', '/tables/K7QZ2/seats/1':
        server.refused('GET', path, 'path-unknown', status=404)
    for path in '/tables/K7QZ2', '/tables/!', '/tables/K7QZ2/at/1', '/tables/K7QZ2/journal', '/tables/K7QZ2/wire':
        server.refused('GET', path, 'table-unknown', status=404)
    for word in 'actions', 'resign', 'leave', 'rematch':
        server.refused('POST', f'/tables/K7QZ2/{word}', 'table-unknown', {}, status=404)
    server.refused('POST', '/tables/K7QZ2/seats', 'table-unknown', {'name': 'x'}, status=404)
    for method, path, allow in (('POST', '/games', 'GET, HEAD'), ('DELETE', '/tables', 'GET, HEAD, POST'), ('GET', '/tables/K7QZ2/seats', 'POST'),
                                ('PUT', '/tables/K7QZ2', 'GET, HEAD'), ('OPTIONS', '/tables', 'GET, HEAD, POST')):
        status, head, text = server.request(method, '/api/v1' + path)
        check(status == 405 and head['Allow'] == allow, f'{method} {path}: {status} {head["Allow"]}')
        server.description.check_part('Problem', json.loads(text))
    status, head, text = server.request('HEAD', '/api/v1/games')
    check(status == 200 and text == b'' and int(head['Content-Length']) > 100, 'HEAD')
    check(server.request('GET', '/api/v1/ws')[0] == 426, 'a plain request for a WebSocket')


def seats_are_taken():
    code = server.open('paper-soccer')['code']
    bob = server.sit(code, 'bob', seat=1)
    check(bob['seat'] == 1, f'{bob}')
    server.refused('POST', f'/tables/{code}/seats', 'seat-taken', {'name': 'x', 'seat': 1}, status=409)
    server.refused('POST', f'/tables/{code}/seats', 'field-invalid', {'name': 'x', 'seat': 2}, status=400)
    server.refused('POST', f'/tables/{code}/seats', 'field-missing', {}, status=400)
    server.refused('POST', f'/tables/{code}/seats', 'field-missing', {'name': '  '}, status=400)
    server.refused('POST', f'/tables/{code}/seats', 'field-invalid', {'name': 'ä' * 51}, status=400)
    server.refused('POST', f'/tables/{code}/actions', 'table-waits', {'actions': ['N']}, bob['token'], status=409)
    name = 'Ö ' + '🦊' * 48
    ann = server.sit(code, name)
    table = server.get(f'/tables/{code}', ann['token'])
    check(table['seat'] == 0 and table['seats'][0]['name'] == name and table['state'] == 'running', f'{table}')
    server.refused('POST', f'/tables/{code}/seats', 'table-full', {'name': 'x'}, status=409)
    check(len({ann['token'], bob['token']}) == 2, 'the same token')


def bots_can_be_seated_later():
    opened = server.open('paper-soccer')
    code = opened['code']
    server.refused('POST', f'/tables/{code}/seats', 'token-unknown', {'bot': 1}, status=401)
    server.refused('POST', f'/tables/{code}/seats', 'field-invalid', {'bot': 9}, opened['owner_token'], status=400)
    bot = server.post(f'/tables/{code}/seats', {'bot': 1, 'seat': 1}, opened['owner_token'], 201)
    check(bot['seat'] == 1 and 'token' not in bot, f'{bot}')
    ann = server.sit(code, 'ann')
    table = play_out(server, code, {0: ann['token']}, RANDOM.choice)
    check(table['result']['why'] == 'played' and table['seats'][1]['level'] == 1, f'{table["result"]}')


# Playing.

def tokens_count():
    code, tokens = two()
    other, strangers = two()
    table = server.get(f'/tables/{code}')
    check(table['seat'] is None and table['as'] == 'watcher' and table['legal'] == [], f'{table}')
    for token in NO_TOKEN, strangers[0], 'x', tokens[0][:-1], tokens[0].upper() + 'A':
        server.refused('GET', f'/tables/{code}', 'token-unknown', token=token, status=401)
        server.refused('POST', f'/tables/{code}/actions', 'token-unknown', {'actions': ['N']}, token, status=401)
    for word in 'resign', 'leave', 'rematch':
        server.refused('POST', f'/tables/{code}/{word}', 'token-unknown', {}, status=401)
    server.refused('GET', f'/tables/{code}?as=1', 'not-allowed', token=tokens[0], status=403)
    server.refused('GET', f'/tables/{code}?as=all', 'not-allowed', token=tokens[0], status=403)
    server.refused('GET', f'/tables/{code}?as=7', 'field-invalid', token=tokens[0], status=400)
    check(server.get(f'/tables/{code}?as=watcher', tokens[0])['as'] == 'watcher', 'as a watcher')
    status, head, _ = server.request('GET', f'/api/v1/tables/{other}', headers={'Authorization': 'Basic eDp5'})
    check(status == 401 and head['Content-Type'] == 'application/problem+json', 'another scheme')


def actions_are_all_or_nothing():
    code, (ann, bob) = two()
    path = f'/tables/{code}/actions'
    version = server.get(f'/tables/{code}')['version']
    server.refused('POST', path, 'not-your-turn', {'actions': ['N']}, bob, 422)
    refusal = server.refused('POST', path, 'not-your-turn', {'actions': ['N', 'N']}, ann, 422)
    check(refusal['version'] == version and refusal['index'] == 1, f'{refusal}')
    refusal = server.refused('POST', path, 'action-text', {'actions': ['up']}, ann, 422)
    check(refusal['index'] == 0, f'{refusal}')
    for body, error in (({}, 'field-missing'), ({'actions': []}, 'field-missing'), ({'actions': 'N'}, 'field-invalid'), ({'actions': [1]}, 'field-invalid'),
                        ({'actions': ['N'] * 513}, 'field-invalid'), ({'actions': ['N'], 'version': 'x'}, 'field-invalid'),
                        ({'actions': ['N'], 'dry_run': 'x'}, 'field-invalid')):
        server.refused('POST', path, error, body, ann, 400)
    server.refused('POST', path, 'conflict', {'actions': ['N'], 'version': version - 1}, ann, 409)
    server.refused('POST', path, 'conflict', {'actions': ['N'], 'version': version + 1}, ann, 409)
    check(server.get(f'/tables/{code}')['version'] == version, 'something has happened')
    done = act(code, ann, 'N', version=version)
    check(done == {'code': code, 'version': version + 1}, f'{done}')
    refusal = server.refused('POST', path, 'step-used', {'actions': ['S']}, bob, 422)
    check(refusal['rule'] == 'paper-soccer R4' and refusal['index'] == 0 and 'line' in refusal['reason'], f'{refusal}')


def steps_can_be_tried():
    code, (ann, bob) = two()
    path = f'/tables/{code}/actions'
    before = server.get(f'/tables/{code}', ann)
    tried = server.post(path, {'actions': ['N'], 'dry_run': True}, ann)
    check(tried['view']['ball'] == [0, 1] and tried['turn'] == [1] and tried['legal'] == [] and not tried['chance'], f'{tried}')
    check(server.post(path, {'actions': [], 'dry_run': True}, ann)['legal'] == before['legal'], 'nothing tried')
    check(server.refused('POST', path, 'not-your-turn', {'actions': ['N', 'N'], 'dry_run': True}, ann, 422)['index'] == 1, 'index')
    server.refused('POST', path, 'conflict', {'actions': ['N'], 'version': 1, 'dry_run': True}, ann, 409)
    server.refused('POST', path, 'not-your-turn', {'actions': ['N'], 'dry_run': True}, bob, 422)
    check(server.get(f'/tables/{code}', ann)['version'] == before['version'], 'a trial has changed something')
    check(tried['played'] == 1 and tried['unknown'] is False, f'{tried}')


def texts_are_no_numbers():
    """Nor are they flags. A refusal names the field."""
    code, (ann, _) = two()
    soccer, hunt_ = {'game': 'paper-soccer'}, {'game': 'treasure-hunt'}
    for path, body, part in (
            ('/tables', {**soccer, 'seats': '2'}, 'seats'), ('/tables', {**soccer, 'turn_ms': '60000'}, 'turn_ms'),
            ('/tables', {**soccer, 'watch_delay_ms': '0'}, 'watch_delay_ms'), ('/tables', {**soccer, 'private': 'true'}, 'private'),
            ('/tables', {**soccer, 'inspect': 1}, 'inspect'), ('/tables', {**soccer, 'bots': [{'seat': '1'}]}, 'seat of a bot'),
            ('/tables', {**soccer, 'bots': [{'seat': 1, 'level': '3'}]}, 'level of a bot'), ('/tables', {**soccer, 'seat': {'name': 'a', 'seat': '0'}}, 'seat'),
            ('/tables', {**soccer, 'from': {'code': code, 'version': '3'}}, 'from'), ('/tables', {**hunt_, 'options': {'actions-max': '320'}}, 'actions-max'),
            (f'/tables/{code}/seats', {'name': 'a', 'seat': '1'}, 'seat'), (f'/tables/{code}/seats', {'bot': '3'}, 'bot'),
            (f'/tables/{code}/actions', {'actions': ['N'], 'version': '3'}, 'version'), (f'/tables/{code}/actions', {'actions': ['N'], 'dry_run': 'true'}, 'dry_run'),
            ('/championships', {'type': 'paper-soccer', 'players': '2'}, 'players')):
        refusal = server.ask_api('POST', path, body, ann, 400)
        check(refusal['error'] in ('field-invalid', 'option-invalid', 'field-missing') and part in refusal['reason'], f'{path} {body}: {refusal}')
    with Socket(server) as socket:
        refusal = socket.ask('refused', type='watch', table=code, version='1')
        check(refusal['error'] == 'field-invalid' and 'version' in refusal['reason'], f'{refusal}')
    check(server.get(f'/tables/{code}')['version'] == 3, 'something has happened')


def clocks_of_other_protocols():
    for game, protocol in (('treasure-hunt', 'treasure'), ('eriantys', 'eriantys'), ('santorini', 'santorini'), ('renaissance', 'renaissance')):
        if protocol not in next(known['protocols'] for known in server.get('/games')['games'] if known['name'] == game):
            continue
        refusal = server.refused('POST', '/tables', 'field-invalid', {'game': game, 'protocol': protocol, 'turn_ms': 60000}, status=400)
        check(refusal['reason'].startswith('turn_ms'), f'{refusal}')


def who_gave_up_is_told_so():
    code, (ann, bob) = two()
    server.post(f'/tables/{code}/resign', token=ann)
    for path, body in (('actions', {'actions': ['N']}), ('actions', {'actions': ['N'], 'dry_run': True}), ('resign', None), ('leave', None)):
        refusal = server.refused('POST', f'/tables/{code}/{path}', 'given-up', body, ann, 409)
        check('given this game up' in refusal['reason'], f'{refusal}')
        server.refused('POST', f'/tables/{code}/{path}', 'table-over', body, bob, 409)
    with Socket(server) as socket:
        check(socket.ask('refused', type='act', table=code, token=ann, actions=['N'])['error'] == 'given-up', 'over WebSocket')
        check(socket.ask('refused', type='act', table=code, token=bob, actions=['N'])['error'] == 'table-over', 'over WebSocket')
    server.refused('POST', f'/tables/{code}/seats', 'table-over', {'name': 'cid'}, status=409)
    three = server.open('renaissance', seats=3)['code']  # goes on without one of them
    tokens = [server.sit(three, name)['token'] for name in 'abc']
    mover = server.get(f'/tables/{three}')['turn'][0]
    server.post(f'/tables/{three}/resign', token=tokens[mover])
    check(not server.get(f'/tables/{three}')['over'], 'it is over')
    server.refused('POST', f'/tables/{three}/actions', 'given-up', {'actions': ['x']}, tokens[mover], 409)


def refusals_name_no_library():
    for text in ('{"a":"\\u0000"}', '{"\\u0000":1}', '{', '[' * 40, '{"a":01}', '{"a":1e999}', '{"a":99999999999999999999}', '{"a":tru}', '\x00', '{"a":1,"a":2}', '"a"', '{"a":"\\ud800"}'):
        refusal = server.ask_api('POST', '/tables', text, status=400)
        check(not re.search('jansson|JSON_|expat|sqlite|wslay|libuv|http.parser', refusal['reason'], re.I), f'{text}: {refusal}')
    check('\\u0000 is not allowed' in server.ask_api('POST', '/tables', '{"a":"\\u0000"}', status=400)['reason'], 'NUL')


def requests_can_be_repeated():
    """With an Idempotency-Key who asks again, because the answer was lost, is given the same seat and tokens."""
    def ask(where, path, body, key, status=201, token=None):
        return where.ask_api('POST', path, body, token, status, {'Idempotency-Key': key} if key else {})

    def key():
        return f'{RANDOM.getrandbits(128):032x}'

    with native.Server(PARLOR) as own:
        opening, order = key(), {'game': 'paper-soccer', 'seat': {'name': 'ann'}}
        first = ask(own, '/tables', order, opening)
        again = ask(own, '/tables', order, opening)
        same = 'code', 'token', 'owner_token', 'seat'
        check([first[name] for name in same] == [again[name] for name in same], f'{again}')
        check(ask(own, '/tables', dict(order, private=True), opening, 422)['error'] == 'key-reused', 'another body')
        check(ask(own, '/tables', order, key())['code'] != first['code'], 'another key')
        check(len(own.get('/tables')['tables']) == 2, 'tables were opened')
        path, sitting = f'/tables/{first["code"]}/seats', key()
        sat = ask(own, path, {'name': 'ann'}, sitting)
        check(own.get(f'/tables/{first["code"]}', sat['token'])['seats'][1]['name'] == 'ann (2)', 'the name')
        check(ask(own, path, {'name': 'ann'}, sitting) == sat, 'sat twice')
        check(ask(own, path, {'name': 'bob'}, sitting, 422)['error'] == 'key-reused', 'another name')
        check(ask(own, path, {'name': 'ann', 'seat': 0}, sitting, 422)['error'] == 'key-reused', 'another seat')
        check(ask(own, path, {'name': 'ann'}, key(), 409)['error'] == 'table-full', 'another key')
        for wrong in 'short', 'x' * 65, 'with a blank in it':
            check('Idempotency-Key' in ask(own, path, {'name': 'ann'}, wrong, 400)['reason'], wrong)
        # Two of them at the same time, as when a client gives up waiting for the first.
        both, crowd = key(), own.open('paper-soccer')['code']
        twin, body = wire.Client(own.port, 'twin'), json.dumps({'name': 'cid'})
        twin.send(f'POST /api/v1/tables/{crowd}/seats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                  f'Idempotency-Key: {both}\r\nContent-Length: {len(body)}\r\n\r\n{body}')
        sat_twin = ask(own, f'/tables/{crowd}/seats', {'name': 'cid'}, both)
        twin.close()
        check(sum(seat['kind'] == 'person' for seat in own.get(f'/tables/{crowd}')['seats']) == 1, 'two seats for one')
        check(ask(own, f'/tables/{crowd}/seats', {'name': 'cid'}, both)['token'] == sat_twin['token'], 'the twin')
        own.post(f'/tables/{first["code"]}/resign', token=sat['token'])
        matching = key()
        rematch = ask(own, f'/tables/{first["code"]}/rematch', None, matching, token=sat['token'])
        check(ask(own, f'/tables/{first["code"]}/rematch', None, matching, token=sat['token']) == rematch, 'the rematch')
        check(ask(own, f'/tables/{first["code"]}/rematch', None, key(), 409, sat['token'])['error'] == 'seat-taken', 'another rematch')
        last, last_key = own.open('santorini')['code'], key()
        last_sat = ask(own, f'/tables/{last}/seats', {'name': 'dot'}, last_key)
        with own.again() as later:
            check(ask(later, f'/tables/{last}/seats', {'name': 'dot'}, last_key)['token'] == last_sat['token'], 'after a restart')
            check(ask(later, f'/tables/{rematch["code"]}/seats', {'name': 'eve'}, key(), 409)['error'] == 'seat-taken', 'the kept seat')
            reopened_key = key()
            reopened = ask(later, '/tables', {'game': 'eriantys'}, reopened_key)
            with later.again() as last_run:
                once_more = ask(last_run, '/tables', {'game': 'eriantys'}, reopened_key)
                check(once_more['code'] == reopened['code'] and once_more['owner_token'] == reopened['owner_token'], 'the table after a restart')


def a_trial_tells_nothing_hidden():
    """What a trial says is so once it is played, and a step that uncovers something is open until then."""
    code, tokens = two('treasure-hunt')
    path = f'/tables/{code}/actions'
    opened = 0
    for _ in range(60):
        seat = server.get(f'/tables/{code}')['turn'][0]
        own = server.get(f'/tables/{code}', tokens[seat])
        me = own['view']['seats'][seat]
        for text in own['legal']:
            tried = server.post(path, {'actions': [text], 'dry_run': True}, tokens[seat])
            check(tried['version'] == own['version'], 'a trial has a version of its own')
            if tried['unknown']:
                check(tried['played'] == 0 and tried['view'] == own['view'] and tried['turn'] == [seat], f'{tried}')
            if me['treasure'] == 'hidden':
                check(not tried['view']['seats'][seat]['collected'], f'{tried["view"]}')
            error = 'outcome-unknown' if tried['unknown'] else 'not-your-turn'
            for is_dry in (True, False):
                refusal = server.refused('POST', path, error, {'actions': [text, 'up'], 'dry_run': is_dry}, tokens[seat], 422)
                check(refusal['index'] == 1, f'{refusal}')
        text = me.get('direction') or RANDOM.choice(own['legal'])
        tried = server.post(path, {'actions': [text], 'dry_run': True}, tokens[seat])
        act(code, tokens[seat], text)
        after = server.get(f'/tables/{code}', tokens[seat])
        opened += tried['unknown']
        if not tried['unknown'] and not tried['chance']:
            check(tried['view'] == after['view'] and tried['turn'] == after['turn'], f'{tried["view"]} {after["view"]}')
        if after['over']:
            break
    check(opened > 0, 'no step was open')


def every_game_is_played_against_bots():
    for game in server.get('/games')['games']:
        seats = game['seats_max']
        opened = server.open(game['name'], seats=seats, seat={'name': 'ann'}, bots=[{'seat': n, 'level': 1} for n in range(1, seats)])
        table = play_out(server, opened['code'], {0: opened['token']}, RANDOM.choice)
        check(table['state'] == 'finished' and table['result']['why'] == 'played', f'{game["name"]}: {table["result"]}')
        check([seat['kind'] for seat in table['seats']] == ['person'] + ['bot'] * (seats - 1), f'{table["seats"]}')
        journal = server.get(f'/tables/{opened["code"]}/journal')
        check(journal['as'] == 'all' and journal['over'] and journal['events'][-1]['kind'] == 'result', 'the journal')
        check([event['version'] for event in journal['events']][:3] == [1, 2, 3], 'the journal counts')


def bots_play_each_other():
    code = server.open('paper-soccer', bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 2}])['code']
    table = play_out(server, code, {}, None)
    check(table['result']['why'] == 'played', f'{table["result"]}')


def strangers_at_a_table_that_waits():
    """Who sits down and goes again, whichever way, leaves the seat free: there is no result before everybody has come."""
    for game in 'eriantys', 'santorini', 'renaissance':
        opened = server.open(game, seats=3, seat={'name': 'ann'})
        path = f'/tables/{opened["code"]}'
        for word in 'leave', 'resign':
            stranger = server.post(path + '/seats', {'name': 'stranger'}, status=201)
            done = server.post(path + '/' + word, token=stranger['token'])
            check(done.get('freed') is True, f'{game} {word}: {done}')
            table = server.get(path)
            check(table['state'] == 'open' and table['result'] is None and
                  [seat['kind'] for seat in table['seats']] == ['person', 'free', 'free'], f'{table}')
            server.refused('POST', path + '/' + word, 'token-unknown', token=stranger['token'])
        check(server.post(path + '/resign', token=opened['token']).get('freed') is True, 'the last one goes')
        check(server.get(path)['result'] == {'points': [0, 0, 0], 'winners': [], 'why': 'undecided'}, 'a result without a game')


def strangers_at_a_game_of_treasure_hunt():
    code = server.open('treasure-hunt', protocol='treasure')['code']
    for word in 'leave', 'resign':
        stranger = server.sit(code, 'stranger')
        check(server.post(f'/tables/{code}/{word}', token=stranger['token']).get('freed') is True, word)
    for name in 'ann', 'bob':
        hunt.Player(server, code, name)
    check([seat['name'] for seat in server.get(f'/tables/{code}')['seats']] == ['ann', 'bob'], 'two others')


def partners_lose_together():
    opened = server.open('eriantys', seats=4, seat={'name': 'a'})
    path = f'/tables/{opened["code"]}'
    tokens = [opened['token']] + [server.post(path + '/seats', {'name': name}, status=201)['token'] for name in 'bcd']
    check('freed' not in server.post(path + '/resign', token=tokens[2]), 'nothing is freed')
    check(server.get(path)['result'] == {'points': [0, 1, 0, 1], 'winners': [1, 3], 'why': 'resigned'}, 'result')


def resigning_and_leaving():
    code, (ann, bob) = two()
    check(server.post(f'/tables/{code}/resign', token=bob)['version'] == server.get(f'/tables/{code}')['version'], 'version')
    table = server.get(f'/tables/{code}')
    check(table['result'] == {'points': [1, 0], 'winners': [0], 'why': 'resigned'} and table['turn'] == [], f'{table}')
    for path, body in (('resign', {}), ('leave', {}), ('actions', {'actions': ['N']}), ('seats', {'name': 'x'})):
        server.refused('POST', f'/tables/{code}/{path}', 'table-over', body, ann, 409)
    code, (ann, bob) = two()
    server.post(f'/tables/{code}/leave', {}, ann)
    check(server.get(f'/tables/{code}')['result']['why'] == 'left', 'left')
    opened = server.open('paper-soccer', seat={'name': 'ann'})
    server.post(f'/tables/{opened["code"]}/leave', token=opened['token'])
    table = server.get(f'/tables/{opened["code"]}')
    check(table['result'] == {'points': [0, 0], 'winners': [], 'why': 'undecided'}, f'{table["result"]}')


def rematches():
    code, (ann, bob) = two(options={'first-attacks': 'bottom'}, private=True)
    server.refused('POST', f'/tables/{code}/rematch', 'table-runs', token=ann, status=409)
    with Socket(server) as watcher:
        watcher.ask('table', type='watch', table=code, token=bob)
        server.post(f'/tables/{code}/resign', token=bob)
        first = server.post(f'/tables/{code}/rematch', token=ann, status=201)
        told = watcher.hear_until('table', lambda message: message['rematch'] is not None)
    check(told['rematch'] == first['code'] != code and first['seat'] == 1, f'{told["rematch"]} {first}')
    server.refused('POST', f'/tables/{first["code"]}/seats', 'seat-taken', {'name': 'stranger'}, status=409)
    server.refused('POST', f'/tables/{code}/rematch', 'seat-taken', token=ann, status=409)
    second = server.post(f'/tables/{code}/rematch', token=bob, status=201)
    check(second['code'] == first['code'] and second['seat'] == 0, f'{second}')
    table = server.get(f'/tables/{first["code"]}', second['token'])
    check([seat['name'] for seat in table['seats']] == ['bob', 'ann'] and table['private'], f'{table["seats"]}')
    check(table['options'] == {'first-attacks': 'bottom'} and table['state'] == 'running', f'{table["options"]}')
    act(first['code'], second['token'], 'N')
    opened = server.open('paper-soccer', seat={'name': 'ann', 'seat': 1}, bots=[{'seat': 0, 'level': 2}])
    server.post(f'/tables/{opened["code"]}/resign', token=opened['token'])
    again = server.post(f'/tables/{opened["code"]}/rematch', token=opened['token'], status=201)
    table = server.get(f'/tables/{again["code"]}')
    check([seat['level'] for seat in table['seats']] == [None, 2] and again['seat'] == 0, f'{table["seats"]}')


def clocks_run():
    opened = server.open('paper-soccer', turn_ms=1000, seat={'name': 'ann'})
    check(opened['clocks'] is None and opened['state'] == 'open', 'nobody is waited for yet')
    with Socket(server) as watcher:
        watcher.ask('table', type='watch', table=opened['code'])
        bob = server.sit(opened['code'], 'bob')
        clocks = server.get(f'/tables/{opened["code"]}', bob['token'])['clocks']
        check([clock['running'] for clock in clocks] == [True, False] and clocks[0]['left_ms'] <= 1000, f'{clocks}')
        over = watcher.hear_until('table', lambda message: message['over'])
    check(over['result'] == {'points': [0, 1], 'winners': [1], 'why': 'time'}, f'{over["result"]}')


def from_here():
    code, (ann, bob) = two()
    act(code, ann, 'N')
    version = act(code, bob, 'N')['version']
    act(code, ann, 'NE')
    server.refused('POST', '/tables', 'table-runs', {'game': 'paper-soccer', 'from': {'code': code, 'version': version}}, status=409)
    server.post(f'/tables/{code}/resign', token=ann)
    fork = server.open('paper-soccer', seat={'name': 'eve', 'seat': 0}, bots=[{'seat': 1, 'level': 1}], **{'from': {'code': code, 'version': version}})
    old = server.get(f'/tables/{code}/at/{version}')
    check(fork['view'] == old['view'] and fork['turn'] == [0] and fork['state'] == 'running', f'{fork["view"]} {old["view"]}')
    act(fork['code'], fork['token'], fork['legal'][0])
    for source in ({'code': code, 'version': 99}, {'code': 'ZZZZZ', 'version': 1}):
        server.refused('POST', '/tables', 'from-impossible', {'game': 'paper-soccer', 'from': source}, status=422)
    server.refused('POST', '/tables', 'from-impossible', {'game': 'treasure-hunt', 'from': {'code': code, 'version': 2}}, status=422)


def from_here_after_chance():
    """A hunt goes on from where another was: with the same land and the same treasures, which the rules have from chance."""
    opened = server.open('treasure-hunt', bots=[{'seat': 0, 'level': 1}, {'seat': 1, 'level': 1}])
    play_out(server, opened['code'], {}, None)
    journal = server.get(f'/tables/{opened["code"]}/journal')['events']
    hidden = [event['version'] for event in journal if event['text'].startswith('hide')][0]
    version = [event['version'] for event in journal if event['kind'] == 'action' and event['version'] > hidden][3] - 1
    fork = server.open('treasure-hunt', bots=[{'seat': 1, 'level': 1}], seat={'name': 'eve', 'seat': 0},
                       **{'from': {'code': opened['code'], 'version': version}})
    there = server.get(f'/tables/{opened["code"]}/at/{version}?as=0')
    check(fork['view'] == there['view'], f'{fork["view"]} is not {there["view"]}')
    running = [event for event in server.get(f'/tables/{fork["code"]}/journal', fork['token'])['events'] if event['kind'] == 'chance']
    check(running and journal[hidden - 1]['text'] not in [event['text'] for event in running], f'eve is told where the treasures are: {running}')
    server.post(f'/tables/{fork["code"]}/resign', token=fork['token'])
    both = [[event['actions'] for event in server.get(f'/tables/{code}/journal')['events']
             if event['kind'] in ('action', 'chance')] for code in (opened['code'], fork['code'])]
    played = len([event for event in journal if event['kind'] in ('action', 'chance') and event['version'] <= version])
    check(both[0][:played] == both[1][:played], 'another beginning')


# The past.

def positions_and_journals():
    code, (ann, bob) = two()
    pictures = []
    choice = random.Random(18).choice  # of its own: these moves do not end the game, others could
    for number in range(12):
        table = server.get(f'/tables/{code}', (ann, bob)[number % 2])
        if not table['legal']:
            table = server.get(f'/tables/{code}', (bob, ann)[number % 2])
        if table['over']:  # steps at random may find the goal
            break
        pictures.append(table)
        act(code, (ann, bob)[table['seat']], choice(table['legal']))
    order = pictures[:]
    RANDOM.shuffle(order)
    for picture in order:
        past = server.get(f'/tables/{code}/at/{picture["version"]}', (ann, bob)[picture['seat']])
        for field in 'view', 'legal', 'turn', 'version', 'last', 'seat', 'as', 'over':
            check(past[field] == picture[field], f'{field}: {past[field]} is not {picture[field]}')
    now = server.get(f'/tables/{code}')['version']
    for version in 0, now + 1, 10 ** 15, -1, 'x':
        server.refused('GET', f'/tables/{code}/at/{version}', 'version-unknown', status=404)
    journal = server.get(f'/tables/{code}/journal')
    check([event['version'] for event in journal['events']] == list(range(1, now + 1)) and journal['next'] is None, f'{journal}')
    page = server.get(f'/tables/{code}/journal?from=4&limit=2')
    check(page['events'] == journal['events'][3:5] and page['next'] == 6, f'{page}')
    check(server.get(f'/tables/{code}/journal?from={now + 1}')['events'] == [], 'beyond the end')
    for query in 'from=0', 'from=x', 'limit=0', 'limit=1001':
        server.refused('GET', f'/tables/{code}/journal?{query}', 'field-invalid', status=400)
    check('secret' not in json.dumps(journal['events']), 'the secret of a table that runs')
    server.post(f'/tables/{code}/resign', token=ann)
    last = server.get(f'/tables/{code}/journal')['events'][-1]
    check(last['kind'] == 'result' and len(last['secret']) == 64, f'{last}')


def secrets_stay():
    """What the watcher and the other player are shown while a hunt runs does not depend on the treasures."""
    code, tokens = two('treasure-hunt')
    seen = {}
    for _ in range(30):
        table = server.get(f'/tables/{code}')
        if table['over']:
            break
        for who, token in (('watcher', None), (0, tokens[0]), (1, tokens[1])):
            seen.setdefault(who, []).append(server.get(f'/tables/{code}', token))
        mover = table['turn'][0]
        act(code, tokens[mover], RANDOM.choice(seen[mover][-1]['legal']))
    running = {who: server.get(f'/tables/{code}/journal', None if who == 'watcher' else tokens[who]) for who in seen}
    if not server.get(f'/tables/{code}')['over']:
        server.post(f'/tables/{code}/resign', token=tokens[0])
    truth = server.get(f'/tables/{code}/journal')
    hiding = [event for event in truth['events'] if event['kind'] == 'chance' and event['text'].startswith('hide')]
    check(len(hiding) == 1 and truth['as'] == 'all', f'{[event["text"] for event in truth["events"]][:8]}')
    for who, journal in running.items():
        shown = [event for event in journal['events'] if event['version'] == hiding[0]['version']][0]
        check(shown['text'] != hiding[0]['text'], f'{who} is told where the treasures are: {shown}')
        check(hiding[0]['text'] not in json.dumps(journal), f'{who}')
    full = server.get(f'/tables/{code}?as=all')
    check(full['as'] == 'all' and full['view'] != server.get(f'/tables/{code}?as=watcher')['view'], 'the truth after the end')
    for version in seen['watcher'][0]['version'], seen['watcher'][-1]['version']:
        check(server.get(f'/tables/{code}/at/{version}?as=1')['view'] ==
              [table for table in seen[1] if table['version'] == version][0]['view'], 'with the eyes of seat 1')


# WebSocket.

def watching_and_playing():
    code, (ann, bob) = two()
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


DELAY_LONG_MS = 24 * 60 * 60 * 1000  # no test lives so long


def watchers_are_late():
    """A table whose delay is longer than the test: nobody without a seat learns what is played before it is over."""
    code, (ann, bob) = two(watch_delay_ms=DELAY_LONG_MS)
    with Socket(server) as player, Socket(server) as watcher, Socket(server) as lobby:
        player.ask('table', type='watch', table=code, token=ann)
        first = watcher.ask('table', type='watch', table=code)
        check(first['version'] == 1 and first['watch_delay_ms'] == DELAY_LONG_MS and first['state'] == 'running', f'{first}')
        check([seat['name'] for seat in first['seats']] == ['ann', 'bob'] and first['clocks'] is None, f'{first["seats"]}')
        done = act(code, ann, 'N')
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
    code, (ann, bob) = two(watch_delay_ms=delay_ms)
    with Socket(server) as watcher, Socket(server) as other:
        versions = [watcher.ask('table', type='watch', table=code)['version']]
        done = [act(code, token, 'N')['version'] for token in (ann, bob, ann)]
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


def words_on_a_socket():
    code, (ann, _) = two()
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
        act(code, tokens[0], 'N')
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


# Mixed seats.

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
        act(code, seat['token'], 'enter seed')
        check(client.state().standing in ('MustAct', 'MustWait'), 'the client sees no opponent')
        for _ in range(12):
            table = server.get(f'/tables/{code}', seat['token'])
            if table['over']:
                break
            if table['turn'] == [1]:
                act(code, seat['token'], RANDOM.choice(table['legal']))
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
        check(item['error'] == 'not-your-turn' and item['direction'] == 'in' and waiting.id in item['text'], f'{item}')
    only = server.get(f'/tables/{code}/wire?refused=true', owner)
    check(len(only['items']) == 1 and only['items'][0]['n'] == item['n'], f'{only}')
    page = server.get(f'/tables/{code}/wire?limit=1', owner)
    check(len(page['items']) == 1 and page['next'] == page['items'][0]['n'] + 1, f'{page}')


def the_inspector_of_the_server():
    """--inspect records every table; its token opens them all."""
    token = 'f' * 32
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', '--inspect', token, '--store', 'memory']) as own:
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
        check([item['direction'] for item in items if item['error'] == 'refused'] == ['out'], f'{items}')
        check(len({item['connection'] for item in items if item['connection']}) == 2, 'two connections')
        own.refused('GET', f'/tables/{code}/wire', 'token-unknown', token='0' * 32, status=401)
        for client in clients.values():
            client.close()
        own.stop()


# Restarts, limits, others.

def restarts():
    with native.Server(PARLOR) as own:
        opened = own.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}], private=True)
        hunts = own.open('treasure-hunt', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        done = own.open('paper-soccer', seat={'name': 'ann'}, bots=[{'seat': 1, 'level': 1}])
        own.post(f'/tables/{done["code"]}/resign', token=done['token'])
        done_before = own.get(f'/tables/{done["code"]}', done['token'])
        told = {table['code']: table['version'] for table in (opened, hunts)}
        for _ in range(4):
            for table in opened, hunts:
                now = own.get(f'/tables/{table["code"]}', table['token'])
                if now['legal']:
                    answer = own.ask_api('POST', f'/tables/{table["code"]}/actions', {'actions': [now['legal'][0]]}, table['token'])
                    told[table['code']] = answer['version']
            own = own.again()
            for code, version in told.items():
                check(own.get(f'/tables/{code}')['version'] >= version, f'{code}: an answer was lost')
        check(own.get(f'/tables/{opened["code"]}')['private'], 'private no more')
        check(own.get(f'/tables/{done["code"]}', done['token'])['result'] == done_before['result'], 'the result has changed')
        for table in opened, hunts:
            over = play_out(own, table['code'], {0: table['token']}, RANDOM.choice)
            check(over['result']['why'] == 'played', f'{over["result"]}')
        again = own.post(f'/tables/{done["code"]}/rematch', token=done['token'], status=201)
        check(again['seat'] == 1, f'{again}')
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


def ceilings():
    with native.Server(PARLOR, ['--tables-max', '2', '--watchers-max', '1', '--cors', 'https://a.example', '--store', 'memory']) as own:
        codes = [own.open('paper-soccer')['code'] for _ in range(2)]
        own.refused('POST', '/tables', 'too-many', {'game': 'paper-soccer'}, status=429)
        token = own.sit(codes[0], 'ann')['token']
        own.post(f'/tables/{codes[0]}/leave', token=token)
        codes.append(own.open('paper-soccer')['code'])
        with Socket(own) as one, Socket(own) as other:
            one.ask('table', type='watch', table=codes[1])
            check(other.ask('refused', type='watch', table=codes[1])['error'] == 'too-many', 'a second watcher')
            check(one.ask('table', type='watch', table=codes[1])['code'] == codes[1], 'the same once more')
        status, head, text = own.request('OPTIONS', '/api/v1/tables')
        check(status == 204 and head['Access-Control-Allow-Origin'] == 'https://a.example' and not text, f'{status}')
        status, head, _ = own.request('GET', '/api/v1/games')
        check(status == 200 and head['Access-Control-Allow-Origin'] == 'https://a.example', 'CORS')
        status, head, _ = own.request('GET', '/api/v1/nothing')
        check(status == 404 and head['Access-Control-Allow-Origin'] == 'https://a.example', 'CORS of a refusal')
        own.stop()
    check('Access-Control-Allow-Origin' not in server.request('GET', '/api/v1/games')[1], 'CORS unasked')


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


def the_example_plays():
    opened = server.open('paper-soccer', bots=[{'seat': 1, 'level': 1}])
    done = subprocess.run([sys.executable, EXAMPLE, server.address, opened['code'], 'example'], capture_output=True, text=True,
                          timeout=GAME_DEADLINE_S, check=False)
    check(done.returncode == 0 and ('won' in done.stdout or 'lost' in done.stdout), f'{done.stdout} {done.stderr}')
    with open(EXAMPLE, encoding='utf-8') as file:
        check(len(file.readlines()) <= 100, 'the example is longer than it says')


def every_answer_was_seen():
    """The cases before have had every operation of the document answered well at least once."""
    missing = []
    for path, operations in server.description.document['paths'].items():
        for method in operations:
            statuses = {status for seen_method, seen_path, status in server.description.seen
                        if (seen_method.lower(), seen_path) == (method, path)}
            if not statuses & {200, 201} and not path.endswith(('/ws', '/openapi.json')):
                missing.append(f'{method} {path}')
    check(not missing, f'never answered: {missing}')


CASES = [
    ('the games', games_are_listed),
    ('lists of tables, page by page', tables_are_listed),
    ('lists of finished tables', finished_tables_are_listed),
    ('openings that are refused', opening_refuses),
    ('paths and methods that are refused', paths_and_methods_refuse),
    ('taking seats', seats_are_taken),
    ('bots that come later', bots_can_be_seated_later),
    ('tokens', tokens_count),
    ('actions: all or nothing, versions, refusals', actions_are_all_or_nothing),
    ('actions that are only tried', steps_can_be_tried),
    ('a trial tells nothing hidden', a_trial_tells_nothing_hidden),
    ('texts are no numbers', texts_are_no_numbers),
    ('requests that are repeated', requests_can_be_repeated),
    ('clocks of other protocols', clocks_of_other_protocols),
    ('who gave up is told so', who_gave_up_is_told_so),
    ('refusals name no library', refusals_name_no_library),
    ('every game against bots, to its end', every_game_is_played_against_bots),
    ('bots among themselves', bots_play_each_other),
    ('resigning and leaving', resigning_and_leaving),
    ('strangers at a table that waits', strangers_at_a_table_that_waits),
    ('strangers at a game of Treasure Hunt', strangers_at_a_game_of_treasure_hunt),
    ('partners lose together', partners_lose_together),
    ('rematches', rematches),
    ('clocks', clocks_run),
    ('a table that goes on from another', from_here),
    ('a table that goes on from where chance had decided', from_here_after_chance),
    ('positions of the past, and journals', positions_and_journals),
    ('secrets stay with those who may know them', secrets_stay),
    ('WebSocket: watching and playing', watching_and_playing),
    ('watchers are late', watchers_are_late),
    ('late watchers see it in the end', watchers_see_it_in_the_end),
    ('watchers of other protocols are late', watchers_of_other_protocols_are_late),
    ('WebSocket: what is said wrongly', words_on_a_socket),
    ('WebSocket: the lobby', the_lobby_is_told),
    ('WebSocket: slow watchers', slow_watchers_are_dropped_to_the_newest),
    ('WebSocket: the end of the server', goodbye),
    ('Treasure Hunt of two protocols', a_hunt_of_two_protocols),
    ('the wire inspector shows refusals', the_inspector_shows_refusals),
    ('the wire inspector of the whole server', the_inspector_of_the_server),
    ('killed and started again', restarts),
    ('owners of tables of other protocols, killed and started again', owners_of_other_tables_after_a_restart),
    ('ceilings and CORS', ceilings),
    ('championships of the Universal Game System', championships),
    ('the championship that the server was started for', the_championship_of_the_server_is_listed),
    ('the example in Python', the_example_plays),
    ('every answer of the document has come', every_answer_was_seen),
]


def main():
    global server
    words = ' '.join(sys.argv[2:])
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0']) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
