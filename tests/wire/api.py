#!/usr/bin/env python3
"""The native API against a real server: every path, every refusal, games, bots, secrets, restarts. All answers are held
against the OpenAPI document that the server gives out. WebSocket is in api_socket.py, what tables of other protocols have
of the API in api_protocols.py.

usage: api.py PARLOR [WORDS OF A CASE]
"""
import json
import os
import random
import re
import subprocess
import sys

import native
import wire
from native import NO_TOKEN, Socket, check, play_out

PARLOR = sys.argv[1]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'clients', 'python', 'examples', 'api_bot.py')
GAME_DEADLINE_S = 200
CLAIM_AFTER_S = 1
RANDOM = random.Random(8)
server = None


# Games and lists.

def games_are_listed():
    games = {game['name']: game for game in server.get('/games')['games']}
    check({'paper-soccer', 'treasure-hunt'} <= set(games), f'{sorted(games)}')
    check(games['treasure-hunt']['secrets'] and not games['paper-soccer']['secrets'], 'who has secrets')
    for name, game in games.items():
        table = server.open(name, seats=game['seats_max'],
                            options={option['name']: option['default'] for option in game['options']})
        check(len(table['seats']) == game['seats_max'] and table['state'] == 'open', f'{name}: {table["state"]}')


def protocols_are_listed():
    told = server.get('/protocols')
    known = {protocol['name']: protocol for protocol in told['protocols']}
    version = subprocess.run([PARLOR, '--version'], capture_output=True, text=True, check=True).stdout.strip()
    check(f'parlor {told["version"]}' == version, f'{told["version"]}, the program is {version}')
    check(set(known) == {protocol['name'] for protocol in wire.ask.told(PARLOR, 'protocols')}, f'{sorted(known)}')
    check(known['api']['listener'] == 'http' and known['api']['address'].endswith(f':{server.port}'), f'{known["api"]}')
    check(known['santorini']['address'] is None, f'it is off: {known["santorini"]}')


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
    running = server.two()[0]
    check(running in [table['code'] for table in server.get('/tables?state=running')['tables']], 'running')
    check(running not in [table['code'] for table in server.get('/tables?state=open')['tables']], 'running is not open')
    for query in 'state=lost', 'game=chess', 'limit=0', 'limit=101', 'limit=x', 'before=x', 'before=1-', 'before=x-K7QZ2':
        server.refused('GET', '/tables?' + query, 'field-invalid', status=400)


def finished_tables_are_listed():
    codes = []
    for private in False, False, True, False:
        code, tokens = server.two(private=private)
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
    code, tokens = server.two()
    other, strangers = server.two()
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
    code, (ann, bob) = server.two()
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
    done = server.act(code, ann, 'N', version=version)
    check(done == {'code': code, 'version': version + 1}, f'{done}')
    refusal = server.refused('POST', path, 'step-used', {'actions': ['S']}, bob, 422)
    check(refusal['rule'] == 'paper-soccer R4' and refusal['index'] == 0 and 'line' in refusal['reason'], f'{refusal}')


def steps_can_be_tried():
    code, (ann, bob) = server.two()
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
    code, (ann, _) = server.two()
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


def who_gave_up_is_told_so():
    code, (ann, bob) = server.two()
    server.post(f'/tables/{code}/resign', token=ann)
    for path, body in (('actions', {'actions': ['N']}), ('actions', {'actions': ['N'], 'dry_run': True}), ('resign', None), ('leave', None)):
        refusal = server.refused('POST', f'/tables/{code}/{path}', 'given-up', body, ann, 409)
        check('given this game up' in refusal['reason'], f'{refusal}')
        server.refused('POST', f'/tables/{code}/{path}', 'table-over', body, bob, 409)
    with Socket(server) as socket:
        check(socket.ask('refused', type='act', table=code, token=ann, actions=['N'])['error'] == 'given-up', 'over WebSocket')
        check(socket.ask('refused', type='act', table=code, token=bob, actions=['N'])['error'] == 'table-over', 'over WebSocket')
        check(socket.ask('refused', type='act', table=code, actions=['N'])['error'] == 'table-over', 'without a token')
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
    code, tokens = server.two('treasure-hunt')
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
        server.act(code, tokens[seat], text)
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


def partners_lose_together():
    opened = server.open('eriantys', seats=4, seat={'name': 'a'})
    path = f'/tables/{opened["code"]}'
    tokens = [opened['token']] + [server.post(path + '/seats', {'name': name}, status=201)['token'] for name in 'bcd']
    check('freed' not in server.post(path + '/resign', token=tokens[2]), 'nothing is freed')
    check(server.get(path)['result'] == {'points': [0, 1, 0, 1], 'winners': [1, 3], 'why': 'resigned'}, 'result')


def resigning_and_leaving():
    code, (ann, bob) = server.two()
    check(server.post(f'/tables/{code}/resign', token=bob)['version'] == server.get(f'/tables/{code}')['version'], 'version')
    table = server.get(f'/tables/{code}')
    check(table['result'] == {'points': [1, 0], 'winners': [0], 'why': 'resigned'} and table['turn'] == [], f'{table}')
    for path, body in (('resign', {}), ('leave', {}), ('actions', {'actions': ['N']}), ('seats', {'name': 'x'})):
        server.refused('POST', f'/tables/{code}/{path}', 'table-over', body, ann, 409)
    code, (ann, bob) = server.two()
    server.post(f'/tables/{code}/leave', {}, ann)
    check(server.get(f'/tables/{code}')['result']['why'] == 'left', 'left')
    opened = server.open('paper-soccer', seat={'name': 'ann'})
    server.post(f'/tables/{opened["code"]}/leave', token=opened['token'])
    table = server.get(f'/tables/{opened["code"]}')
    check(table['result'] == {'points': [0, 0], 'winners': [], 'why': 'undecided'}, f'{table["result"]}')


def absent(code, token):
    """Waits until the other player of a table of two is known to be gone."""
    while True:
        seats = server.get(f'/tables/{code}/claim', token)['seats']
        if seats:
            return seats[0]


def players_who_are_gone():
    code, (ann, bob) = server.two()
    check(server.get(f'/tables/{code}/claim', bob) == {'code': code, 'seats': []}, 'both are there')
    server.refused('GET', f'/tables/{code}/claim', 'token-unknown', None, None, 401)
    server.refused('POST', f'/tables/{code}/claim', 'claim-early', {'seat': 0}, bob, 409)
    for body in ({'seat': 1}, {'seat': 2}, {'seat': -1}, {'seat': '0'}, {'seat': 0, 'bot': 0}, {'seat': 0, 'bot': 6}):
        server.refused('POST', f'/tables/{code}/claim', 'field-invalid', body, bob, 400)
    server.refused('POST', f'/tables/{code}/claim', 'field-missing', {}, bob, 400)
    waiting = server.open('paper-soccer', seat={'name': 'ann'})
    server.refused('POST', f'/tables/{waiting["code"]}/claim', 'table-waits', {'seat': 1}, waiting['token'], 409)
    alone = server.open('paper-soccer', bots=[{'seat': 0}], seat={'name': 'ann'})
    server.refused('POST', f'/tables/{alone["code"]}/claim', 'claim-impossible', {'seat': 0}, alone['token'], 422)
    with Socket(server) as page:
        page.ask('table', type='watch', table=code, token=ann)
    seat = absent(code, bob)
    check(seat['seat'] == 0 and seat['bot'] is None and seat['in_ms'] <= CLAIM_AFTER_S * 1000, f'{seat}')
    while seat['in_ms'] > 0:
        seat = absent(code, bob)
    server.post(f'/tables/{code}/claim', {'seat': 0}, bob)
    check(server.get(f'/tables/{code}')['result'] == {'points': [0, 1], 'winners': [1], 'why': 'left'}, 'claimed')
    server.refused('POST', f'/tables/{code}/claim', 'table-over', {'seat': 0}, bob, 409)


def a_bot_takes_over_for_who_is_gone():
    """The table says so, nobody asks for it, and the one who comes back has the seat again."""
    for wrong in (-1, 6, '3', True):
        server.refused('POST', '/tables', 'field-invalid', {'game': 'paper-soccer', 'absent_bot': wrong}, None, 400)
    refused = {'game': 'paper-soccer', 'protocol': 'ugs', 'absent_bot': 2}
    server.refused('POST', '/tables', 'field-invalid', refused, None, 400)
    opened = server.open('paper-soccer', absent_bot=2, turn_ms=60000, seat={'name': 'ann'})
    code, ann = opened['code'], opened['token']
    bob = server.post(f'/tables/{code}/seats', {'name': 'bob'}, status=201)['token']
    table = server.get(f'/tables/{code}')
    check((table['absent_bot'], table['turn_ms'], table['game_ms'], table['increment_ms']) == (2, 60000, 0, 0), f'{table}')
    with Socket(server) as page:
        page.ask('table', type='watch', table=code, token=ann)
    while table['turn'] == [0]:
        table = server.get(f'/tables/{code}', bob)
    check(table['seats'][0]['name'] == 'ann' and not table['seats'][0]['online'], f'{table["seats"]}')
    check(server.get(f'/tables/{code}/claim', bob)['seats'][0]['bot'] == 2, 'the bot plays on')
    server.get(f'/tables/{code}', ann)
    check(server.get(f'/tables/{code}/claim', bob)['seats'] == [], 'ann is back')
    while table['turn'] == [1]:
        server.post(f'/tables/{code}/actions', {'actions': table['legal'][:1]}, bob)
        table = server.get(f'/tables/{code}', bob)
    check(table['turn'] == [0], f'{table["turn"]}')
    server.post(f'/tables/{code}/actions', {'actions': server.get(f'/tables/{code}', ann)['legal'][:1]}, ann)


def seats_go_to_another_device():
    code, (ann, bob) = server.two()
    server.refused('POST', f'/tables/{code}/handover', 'token-unknown', {}, None, 401)
    first = server.post(f'/tables/{code}/handover', {}, bob, 201)['handover']
    second = server.post(f'/tables/{code}/handover', {}, bob, 201)
    check(second['for_ms'] > 0 and second['handover'] not in (first, bob), f'{second}')
    other, _ = server.two()
    for path, text in ((code, first), (other, second['handover']), (code, 'x'), (code, bob)):
        server.refused('POST', f'/tables/{path}/handover', 'handover-unknown', {'handover': text}, None, 404)
    server.refused('POST', f'/tables/{code}/handover', 'field-invalid', {'handover': 7}, None, 400)
    got = server.post(f'/tables/{code}/handover', {'handover': second['handover']})
    check(got == {'code': code, 'seat': 1, 'token': bob}, f'{got}')
    server.refused('POST', f'/tables/{code}/handover', 'handover-unknown', {'handover': second['handover']}, None, 404)


def rematches():
    code, (ann, bob) = server.two(options={'first-attacks': 'bottom'}, private=True)
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
    server.act(first['code'], second['token'], 'N')
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
        server.sit(opened['code'], 'bob')
        clocks = watcher.hear_until('table', lambda message: message['clocks'])['clocks']
        check([clock['running'] for clock in clocks] == [True, False] and clocks[0]['left_ms'] <= 1000, f'{clocks}')
        over = watcher.hear_until('table', lambda message: message['over'])
    check(over['result'] == {'points': [0, 1], 'winners': [1], 'why': 'time'}, f'{over["result"]}')


def from_here():
    code, (ann, bob) = server.two()
    server.act(code, ann, 'N')
    version = server.act(code, bob, 'N')['version']
    server.act(code, ann, 'NE')
    server.refused('POST', '/tables', 'table-runs', {'game': 'paper-soccer', 'from': {'code': code, 'version': version}}, status=409)
    server.post(f'/tables/{code}/resign', token=ann)
    fork = server.open('paper-soccer', seat={'name': 'eve', 'seat': 0}, bots=[{'seat': 1, 'level': 1}], **{'from': {'code': code, 'version': version}})
    old = server.get(f'/tables/{code}/at/{version}')
    check(fork['view'] == old['view'] and fork['turn'] == [0] and fork['state'] == 'running', f'{fork["view"]} {old["view"]}')
    server.act(fork['code'], fork['token'], fork['legal'][0])
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
    code, (ann, bob) = server.two()
    pictures = []
    choice = random.Random(18).choice  # of its own: these moves do not end the game, others could
    for number in range(12):
        table = server.get(f'/tables/{code}', (ann, bob)[number % 2])
        if not table['legal']:
            table = server.get(f'/tables/{code}', (bob, ann)[number % 2])
        if table['over']:  # steps at random may find the goal
            break
        pictures.append(table)
        server.act(code, (ann, bob)[table['seat']], choice(table['legal']))
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
    code, tokens = server.two('treasure-hunt')
    seen = {}
    for _ in range(30):
        table = server.get(f'/tables/{code}')
        if table['over']:
            break
        for who, token in (('watcher', None), (0, tokens[0]), (1, tokens[1])):
            seen.setdefault(who, []).append(server.get(f'/tables/{code}', token))
        mover = table['turn'][0]
        server.act(code, tokens[mover], RANDOM.choice(seen[mover][-1]['legal']))
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


def ceilings():
    with native.Server(PARLOR, ['--tables-max', '2', '--watchers-max', '1', '--cors', 'https://a.example', '--store', 'memory']) as own:
        codes = [own.open('paper-soccer')['code'] for _ in range(2)]
        own.refused('POST', '/tables', 'too-many', {'game': 'paper-soccer'}, status=429)
        tokens = [own.sit(codes[0], name)['token'] for name in ('ann', 'bob')]
        own.post(f'/tables/{codes[0]}/leave', token=tokens[0])
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


def the_example_plays():
    opened = server.open('paper-soccer', bots=[{'seat': 1, 'level': 1}])
    done = subprocess.run([sys.executable, EXAMPLE, server.address, opened['code'], 'example'], capture_output=True, text=True,
                          timeout=GAME_DEADLINE_S, check=False)
    check(done.returncode == 0 and ('won' in done.stdout or 'lost' in done.stdout), f'{done.stdout} {done.stderr}')
    with open(EXAMPLE, encoding='utf-8') as file:
        check(len(file.readlines()) <= 100, 'the example is longer than it says')


def health_is_told():
    """Alive and ready; with a store that cannot be written full_disk.py asks."""
    for path in ('/health/live', '/health/ready', '/health/ugs'):
        status, headers, text = server.request('GET', path)
        server.description.check_answer('GET', path, status, headers['Content-Type'], text.decode())
        check((status, text) == (200, b'ok\n') and headers['Cache-Control'] == 'no-store', f'{path}: {status} {text}')
        check(server.request('HEAD', path)[0] == 200, f'HEAD {path}')
        status, headers, _ = server.request('POST', path, '')
        check(status == 405 and headers['Allow'] == 'GET, HEAD', f'POST {path}: {status}')
    check(server.request('GET', '/health')[0] == 404, '/health')


def hints_are_given():
    """One person against bots: in every game the hint is legal, the same twice, and counts after steps that are only tried."""
    for game in server.get('/games')['games']:
        table = server.open(game['name'], seats=2, bots=[{'seat': 1, 'level': 1}], seat={'name': 'ann', 'seat': 0})
        code, token = table['code'], table['token']
        with Socket(server) as watcher:
            table = watcher.ask('table', type='watch', table=code, token=token)
            while table['turn'] != [0]:  # bots have chosen, too, where all begin together
                table = watcher.hear_until('table')
        path = f'/tables/{code}/hint'
        hint = server.get(path, token)
        check(hint['version'] == table['version'] and hint['seat'] == 0 and hint['level'] == 3, f'{hint}')
        check(table['legal_unlisted'] or hint['action'] in table['legal'], f'{game["name"]}: {hint["action"]} is not in {table["legal"]}')
        line = hint['why']['line']
        check(line[0] == {'seat': 0, 'action': hint['action']}, f'{game["name"]}: {hint}')
        if game['name'] == 'paper-soccer':
            check(hint['why']['nodes'] > 0 and hint['why']['depth'] > 0 and hint['why']['value'] is not None, f'{hint}')
        again = server.get(path, token)
        check(again == hint, f'{game["name"]}: {again} instead of {hint}')
        tried = server.post(f'/tables/{code}/actions', {'actions': [hint['action']], 'dry_run': True}, token)
        wish = {'version': table['version'], 'actions': [hint['action']]}
        if tried['over'] or tried['chance'] or tried['unknown'] or 0 not in tried['turn']:
            later = server.ask_api('POST', path, wish, token)
            check(later['error'] in ('not-your-turn', 'outcome-unknown'), f'{game["name"]}: {later}')
        else:
            later = server.post(path, wish, token)
            check(tried['legal_unlisted'] or later['action'] in tried['legal'], f'{game["name"]}: {later["action"]} is not in {tried["legal"]}')
        server.refused('GET', path, 'token-unknown', token=NO_TOKEN, status=401)
        server.refused('POST', path, 'conflict', {'version': 1, 'actions': []}, token, 409)
        server.refused('POST', path, 'field-invalid', {'actions': 'N'}, token, 400)
        check(server.get(f'/tables/{code}', token)['version'] == table['version'], 'a hint has changed the table')


def values_are_told():
    table = server.open('paper-soccer', bots=[{'seat': 1, 'level': 1}], seat={'name': 'ann', 'seat': 0})
    code, token = table['code'], table['token']
    server.refused('GET', f'/tables/{code}/values', 'table-runs', status=409)
    play_out(server, code, {0: token}, RANDOM.choice)
    values, path = [], f'/tables/{code}/values'
    while path:
        page = server.get(path)
        values += page['values']
        path = page['next'] and f'/tables/{code}/values?from={page["next"]}'
    events = server.get(f'/tables/{code}/journal')['events']
    acting = [event['version'] for event in events if event['kind'] == 'action']
    check({value['version'] + 1 for value in values} >= set(acting), f'{values} of {acting}')
    check(len({value['value'] for value in values}) > 3, f'all the same: {values}')
    check(server.get(f'/tables/{code}/values?from=3&limit=2')['values'] == [v for v in values if v['version'] in (3, 4)], 'another value')
    for query in 'from=0', 'limit=0', 'limit=33', 'from=x':
        server.refused('GET', f'/tables/{code}/values?{query}', 'field-invalid', status=400)
    check(server.get(f'/tables/{code}/values?from=9999')['values'] == [], 'after the end')


def people_get_no_advice():
    code, (ann, _) = server.two()
    refusal = server.refused('GET', f'/tables/{code}/hint', 'advice-refused', token=ann, status=403)
    check('bots' in refusal['reason'], f'{refusal}')
    server.post(f'/tables/{code}/resign', token=ann)
    server.refused('GET', f'/tables/{code}/values', 'advice-refused', status=403)
    waiting = server.open('paper-soccer', seat={'name': 'ann', 'seat': 0})
    server.refused('GET', f'/tables/{waiting["code"]}/hint', 'advice-refused', token=waiting['token'], status=403)


def every_answer_was_seen():
    """The cases before have had every operation of the document answered well at least once."""
    missing = server.description.unanswered() - native.OF_OTHER_PROTOCOLS - native.OF_CHAMPIONSHIPS
    check(not missing, f'never answered: {sorted(missing)}')


CASES = [
    ('the games', games_are_listed),
    ('the protocols', protocols_are_listed),
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
    ('who gave up is told so', who_gave_up_is_told_so),
    ('refusals name no library', refusals_name_no_library),
    ('every game against bots, to its end', every_game_is_played_against_bots),
    ('bots among themselves', bots_play_each_other),
    ('resigning and leaving', resigning_and_leaving),
    ('strangers at a table that waits', strangers_at_a_table_that_waits),
    ('partners lose together', partners_lose_together),
    ('players who are gone', players_who_are_gone),
    ('a bot takes over for who is gone', a_bot_takes_over_for_who_is_gone),
    ('a seat goes to another device', seats_go_to_another_device),
    ('rematches', rematches),
    ('clocks', clocks_run),
    ('a table that goes on from another', from_here),
    ('a table that goes on from where chance had decided', from_here_after_chance),
    ('positions of the past, and journals', positions_and_journals),
    ('secrets stay with those who may know them', secrets_stay),
    ('killed and started again', restarts),
    ('ceilings and CORS', ceilings),
    ('the example in Python', the_example_plays),
    ('health', health_is_told),
    ('hints of a bot', hints_are_given),
    ('values of positions', values_are_told),
    ('people get no advice against people', people_get_no_advice),
    ('every answer of the document has come', every_answer_was_seen),
]


def main():
    global server
    words = ' '.join(sys.argv[2:])
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0', '--claim-after', str(CLAIM_AFTER_S), '--absent-after', str(CLAIM_AFTER_S)]) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
