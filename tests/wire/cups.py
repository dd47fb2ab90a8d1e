#!/usr/bin/env python3
"""Championships of any game over the API: every format of bots and people, who may do what, tables for calculators, news
over WebSocket, and a kill -9 in the middle after which it goes on to the move.

usage: cups.py PARLOR
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import native
import wire
from native import check

PARLOR = sys.argv[1]
DEADLINE_S = 120  # a hang guard: bots of level 1 are quick


def cup_open(server, name, **fields):
    body = dict({'name': name, 'game': 'paper-soccer', 'format': 'swiss'}, **fields)
    return server.post('/championships', body, status=201)['owner_token']


def enter_bots(server, name, owner, count, level=1):
    for i in range(count):
        entry = server.post(f'/championships/{name}/entrants', {'name': f'bot {i + 1}', 'bot': level}, owner, status=201)
        check('token' not in entry, f'{entry}')


def until(server, name, wanted, what):
    end = time.monotonic() + DEADLINE_S
    while True:
        cup = server.get(f'/championships/{name}')
        if wanted(cup):
            return cup
        check(time.monotonic() < end, f'{what}: {cup["state"]}, {cup["pairings_decided"]} of {cup["pairings_planned"]} decided')
        time.sleep(0.05)


def finished(server, name):
    return until(server, name, lambda cup: cup['state'] == 'finished', f'{name} does not end')


def formats():
    for form, tables in (('round-robin', 6), ('double-round-robin', 12), ('swiss', 4), ('knockout', 3), ('ladder', None)):
        owner = cup_open(server, form, format=form)
        enter_bots(server, form, owner, 4)
        summary = server.post(f'/championships/{form}/start', None, owner)
        check(summary['state'] == 'running' and summary['entered'] == 4, f'{summary}')
        cup = finished(server, form)
        check(tables is None or sum(p['how'] == 'played' for p in cup['pairings']) >= tables, f'{form}: {cup["pairings"]}')
        check([row['place'] for row in cup['standings']] == [1, 2, 3, 4], f'{cup["standings"]}')
        total = sum(row['points'] for row in cup['standings'])
        check(total == len(cup['pairings']), f'{form}: {total} points of {len(cup["pairings"])} tables')
        for pairing in cup['pairings']:
            table = server.get('/tables/' + pairing['table'])
            check([seat['name'] for seat in table['seats']] == pairing['players'], f'{table["seats"]} {pairing}')
            check(table['result']['points'] == pairing['results'], f'{table["result"]} {pairing}')
    listed = [one['name'] for one in server.get('/championships')['championships']]
    check(listed[:5] == ['ladder', 'knockout', 'swiss', 'double-round-robin', 'round-robin'], f'{listed}')


def every_game():
    for game in server.get('/games')['games']:
        for seats in range(2, game['seats_max'] + 1):
            name = f'{game["name"]}-{seats}'
            body = {'name': name, 'game': game['name'], 'format': 'knockout', 'seats': seats}
            made = server.post('/championships', body, status=201)
            check(made['seats'] == seats and made['type'] == game['name'], f'{made}')
            enter_bots(server, name, made['owner_token'], seats)
            server.post(f'/championships/{name}/start', None, made['owner_token'])
            playing = until(server, name, lambda cup: cup['pairings'] and (cup['pairings'][0]['state'] == 'playing' or
                            cup['pairings'][0]['how'] == 'played'), f'{name} has no table')
            table = server.get('/tables/' + playing['pairings'][0]['table'])
            check(len(table['seats']) == seats and table['game'] == game['name'], f'{table}')
            if server.get(f'/championships/{name}')['state'] == 'running':
                server.ask_api('POST', f'/championships/{name}/cancel', token=made['owner_token'])


def people():
    owner = cup_open(server, 'people', format='round-robin', turn_ms=3600000)
    tokens = {name: server.post('/championships/people/entrants', {'name': name}, status=201)['token'] for name in ('ann', 'bob', 'cid')}
    server.refused('POST', '/championships/people/entrants', 'field-invalid', {'name': 'ann'}, status=400)
    server.post('/championships/people/start', None, owner)
    for _ in range(3):
        cup = until(server, 'people', lambda cup: any(p['state'] == 'playing' for p in cup['pairings']), 'no table')
        pairing = next(p for p in cup['pairings'] if p['state'] == 'playing')
        loser = pairing['players'][1]
        you = server.get('/championships/people', tokens[loser])['you']
        check(you == {'name': loser, 'table': pairing['table'], 'seat': 1}, f'{you} {pairing}')
        table = server.get('/tables/' + pairing['table'], tokens[loser])
        check(table['seat'] == 1, f'{table}')
        server.refused('POST', f'/tables/{pairing["table"]}/seats', 'seat-taken', {'name': 'eve'})
        server.post(f'/tables/{pairing["table"]}/resign', {}, tokens[loser])
        decided = until(server, 'people', lambda cup: cup['pairings'][pairing['number']]['state'] == 'decided', 'undecided')
        decided = decided['pairings'][pairing['number']]
        check((decided['how'], decided['loser'], decided['reason'], decided['points']) == ('forfeited', loser, 'resigned', [1, 0]), f'{decided}')
        check(decided['why'] == f'{loser} resigned', f'{decided}')
    cup = finished(server, 'people')
    check(cup['you'] is None and server.get('/championships/people', tokens['ann'])['you'] == {'name': 'ann', 'table': None, 'seat': None}, 'you')


def who_may_what():
    owner = cup_open(server, 'rights')
    ann = server.post('/championships/rights/entrants', {'name': 'ann'}, status=201)['token']
    bob = server.post('/championships/rights/entrants', {'name': 'bob'}, status=201)['token']
    for what in ('start', 'pause', 'resume', 'cancel'):
        for token in (None, ann, native.NO_TOKEN):
            server.refused('POST', f'/championships/rights/{what}', 'token-unknown', token=token, status=401)
    server.refused('POST', '/championships/rights/entrants', 'token-unknown', {'name': 'x', 'bot': 1}, ann, status=401)
    server.refused('POST', '/championships/rights/entrants', 'field-invalid', {'name': 'x', 'bot': 9}, owner, status=400)
    server.refused('POST', '/championships/rights/leave', 'token-unknown', {'name': 'bob'}, ann, status=401)
    server.refused('POST', '/championships/rights/disqualify', 'token-unknown', {'name': 'bob'}, ann, status=401)
    check(server.post('/championships/rights/leave', {}, ann)['entered'] == 1, 'ann is still there')
    server.refused('POST', '/championships/rights/start', 'not-asked', token=owner)
    server.post('/championships/rights/entrants', {'name': 'ann'}, status=201)
    server.post('/championships/rights/start', None, owner)
    server.refused('POST', '/championships/rights/entrants', 'not-asked', {'name': 'late'})
    server.post('/championships/rights/pause', None, owner)
    server.refused('POST', '/championships/rights/pause', 'not-asked', token=owner)
    server.post('/championships/rights/resume', None, owner)
    before = until(server, 'rights', lambda cup: cup['pairings'][0]['table'], 'no table')['pairings'][0]['table']
    server.post('/championships/rights/replay', {'pairing': 0}, owner)
    after = until(server, 'rights', lambda cup: cup['pairings'][0]['table'] not in (None, before), 'no other table')
    check(after['pairings'][0]['replays'] == 1, f'{after["pairings"]}')
    server.refused('POST', '/championships/rights/replay', 'field-invalid', {'pairing': 7}, owner, status=400)
    server.refused('POST', '/championships/rights/replay', 'field-invalid', {}, owner, status=400)
    server.post('/championships/rights/disqualify', {'name': 'bob', 'why': 'two accounts'}, owner)
    cup = finished(server, 'rights')
    check(cup['standings'][0]['nick'] == 'ann' and cup['standings'][1]['gone'], f'{cup["standings"]}')
    gone = next(e for e in cup['entrants'] if e['name'] == 'bob')
    check(gone['disqualified'] and gone['why'] == 'two accounts', f'{gone}')
    server.refused('POST', '/championships/rights/cancel', 'table-over', token=owner, status=409)
    server.refused('POST', '/championships/rights/leave', 'token-unknown', {'name': 'bob'}, native.NO_TOKEN, status=401)
    check(bob, 'bob has a token')


def refusals():
    for fields, part in (({'format': 'league'}, 'format'), ({'name': 'a b'}, 'name'), ({'name': ''}, 'name'), ({'name': 'x' * 51}, 'name'),
                         ({'game': 'chess'}, 'game'), ({'seats': 3}, 'seats'), ({'rounds': 256}, 'rounds'), ({'rounds': -1}, 'rounds'),
                         ({'tables_max': 0}, 'tables_max'), ({'turn_ms': 5}, 'turn_ms'), ({'options': {'no': 1}}, 'no'),
                         ({'protocol': 'ugs'}, 'protocol'), ({'name': 7}, 'name')):
        body = dict({'name': 'fine', 'game': 'paper-soccer', 'format': 'swiss'}, **fields)
        refused = server.ask_api('POST', '/championships', body, status=400)
        check(part in refused['reason'], f'{fields}: {refused}')
    server.refused('GET', '/championships/nobody', 'table-unknown', status=404)
    server.refused('POST', '/championships/nobody/start', 'table-unknown', status=404)
    server.refused('GET', '/championships/nobody/what', 'path-unknown', status=404)
    cup_open(server, 'fine')
    refused = server.ask_api('POST', '/championships', {'name': 'fine', 'game': 'paper-soccer', 'format': 'swiss'}, status=400)
    check('of this name' in refused['reason'], f'{refused}')
    server.refused('GET', '/championships/fine?round=x', 'field-invalid', status=400)


def tables_for_calculators():
    owner = cup_open(server, 'csv', format='round-robin')
    server.post('/championships/csv/entrants', {'name': '=1+"x"', 'bot': 1}, owner, status=201)
    server.post('/championships/csv/entrants', {'name': 'bot', 'bot': 1}, owner, status=201)
    server.post('/championships/csv/start', None, owner)
    cup = finished(server, 'csv')
    for what, head in (('standings', 'place,name,points,played'), ('pairings', 'number,round,how,table,seat,name,points')):
        status, headers, data = server.request('GET', f'/api/v1/championships/csv/{what}.csv')
        text = data.decode()
        server.description.check_answer('GET', f'/api/v1/championships/csv/{what}.csv', status, headers['Content-Type'], text)
        rows = text.split('\r\n')
        check(rows[0].startswith(head) and len(rows) == 4 and '"\'=1+""x"""' in text, f'{text}')
    check(cup['pairings'][0]['table'] in text, f'{text}')
    check(len(server.get('/championships/csv?round=1')['pairings']) == 1 and server.get('/championships/csv?round=2')['pairings'] == [], 'rounds')


def news():
    owner = cup_open(server, 'news', format='knockout')
    socket = native.Socket(server)
    socket.say(type='watch-championship', name='news', id=1)
    first = socket.hear()
    check(first['type'] == 'championship' and first['id'] == 1, f'{first}')
    first = first['championship']
    check((first['name'], first['state']) == ('news', 'open'), f'{first}')
    enter_bots(server, 'news', owner, 2)
    server.post('/championships/news/start', None, owner)
    last = first
    while last['state'] != 'finished':
        message = socket.hear()
        check(message['type'] == 'championship' and message['championship']['version'] > last['version'], f'{last} {message}')
        last = message['championship']
        server.description.check_part('CupSummary', last)
    for message, error in (({'type': 'watch-championship'}, 'field-missing'), ({'type': 'watch-championship', 'name': 'no'}, 'table-unknown')):
        socket.say(**message)
        check(socket.hear()['error'] == error, f'{message}')
    socket.say(type='unwatch-championship', name='news', id=2)
    check(socket.hear() == {'type': 'ok', 'id': 2}, 'ok')
    socket.close()


def from_the_shell():
    def call(*words, token='', status=0):
        done = subprocess.run([PARLOR, 'championship', '--url', f'http://127.0.0.1:{server.port}', *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S, env=dict(os.environ, PARLOR_TOKEN=token))
        check(done.returncode == status, f'{words}: {done}')
        return done.stdout if status == 0 else done.stderr
    owner = call('open', 'shell', '--game', 'paper-soccer', '--format', 'knockout').strip()
    check(call('enter', 'shell', 'Rook', 'Pawn', '--bot', '1', token=owner) == '', 'bots have no tokens')
    token, name = call('enter', 'shell', 'ann').split()
    check(name == 'ann' and len(token) == 32, f'{token} {name}')
    check('is open' in call('leave', 'shell', token=token), 'ann has left')
    check('owner' in call('start', 'shell', status=1), 'anybody starts it')
    check(call('start', 'shell', token=owner) == 'shell is running\n', 'it does not start')
    finished(server, 'shell')
    shown = call('show', 'shell')
    check(shown.startswith('shell: paper-soccer, knockout, finished\n') and 'Rook' in shown and 'played' in shown, shown)
    check('1500.00 +- 350.00' in shown, shown)  # bots of one level do not count against each other
    check(call('csv', 'shell').startswith('place,name,points') and 'knockout' in call('list'), 'csv and list')
    check(json.loads(call('show', 'shell', '--json'))['state'] == 'finished', 'json')
    check('no such championship' in call('show', 'nobody', status=1), 'nobody')
    check('is no name' in call('show', 'a/b', status=1), 'a path')
    check('--help' in call('dance', status=2), 'a word that is none')


def killed_in_the_middle():
    """A Swiss of 16 bots in Eriantys: killed twice while tables run, it goes on to the move."""
    with native.Server(PARLOR) as first:
        current = first
        owner = cup_open(current, 'winter', game='eriantys', tables_max=8)
        enter_bots(current, 'winter', owner, 16)
        current.post('/championships/winter/start', None, owner)
        for decided in (5, 14):
            cup = until(current, 'winter', lambda cup, n=decided: cup['pairings_decided'] >= n and
                        any(p['state'] == 'playing' for p in cup['pairings']), 'too slow')
            check(cup['state'] == 'running', f'{cup["state"]}')
            running = {p['table']: current.get('/tables/' + p['table'])['version'] for p in cup['pairings'] if p['state'] == 'playing'}
            check(running, 'nothing runs')
            current = current.again()
            after = current.get('/championships/winter')
            check(after['version'] >= cup['version'], f'{after["version"]} {cup["version"]}')
            check(all(new['players'] == old['players'] and (old['state'] != 'decided' or new == old)
                      for new, old in zip(after['pairings'], cup['pairings'])), 'something was played again')
            for table, version in running.items():
                check(current.get('/tables/' + table)['version'] >= version, f'{table} is not where it was')
        cup = finished(current, 'winter')
        check(len(cup['pairings']) == 32 and all(p['how'] == 'played' and p['replays'] == 0 for p in cup['pairings']), f'{cup["pairings"]}')
        met = [frozenset(p['players']) for p in cup['pairings']]
        check(len(set(met)) == 32, 'somebody has met twice')
        current.close()


def ratings():
    """Ratings go on with the token, count championships that are over, and are the same after a restart."""
    def season(name, ann):
        owner = cup_open(server, name, format='round-robin', game='santorini')
        entry = server.post(f'/championships/{name}/entrants', {'name': 'ann'}, ann, status=201)
        check(('token' in entry) == (ann is None), f'{entry}')
        ann = ann or entry['token']
        enter_bots(server, name, owner, 2, level=1)
        server.post(f'/championships/{name}/start', None, owner)
        for _ in range(2):
            until(server, name, lambda cup: server.get(f'/championships/{name}', ann)['you']['table'], 'no table')
            table = server.get(f'/championships/{name}', ann)['you']['table']
            server.post(f'/tables/{table}/resign', {}, ann)
            until(server, name, lambda cup: any(p['table'] == table and p['state'] == 'decided' for p in cup['pairings']), table)
        return finished(server, name), ann
    check(server.get('/ratings?game=santorini') == {'game': 'santorini', 'rated': 0, 'ratings': []}, 'somebody is rated')
    cup, ann = season('one', None)
    rows = {row['nick']: row for row in cup['standings']}
    check(rows['ann']['rating'] < 1400 and rows['ann']['deviation'] < 300, f'{rows}')
    check(rows['ann']['rating_change'] == round(rows['ann']['rating'] - 1500, 2), f'{rows}')
    check(rows['bot 1']['rating'] == rows['bot 2']['rating'] > 1600, f'{rows}')
    cup, ann = season('two', ann)
    listed = server.get('/ratings?game=santorini')
    check([(row['place'], row['name'], row['bot'], row['games'], row['championships']) for row in listed['ratings']] ==
          [(1, 'level:1', 1, 4, 2), (2, 'ann', None, 4, 2)], f'{listed}')
    check(cup['standings'][-1]['rating'] == listed['ratings'][1]['rating'] < rows['ann']['rating'], f'{cup["standings"]}')
    check(server.get('/ratings?game=santorini&limit=1')['ratings'] == listed['ratings'][:1], 'limit')
    for query in ('', '?game=chess', '?game=santorini&limit=0', '?game=santorini&limit=x'):
        server.refused('GET', '/ratings' + query, 'field-invalid', status=400)
    cup_open(server, 'three', game='santorini')
    server.refused('POST', '/championships/three/entrants', 'token-unknown', {'name': 'eve'}, native.NO_TOKEN, status=401)
    server.post('/championships/three/entrants', {'name': 'ann'}, ann, status=201)
    server.refused('POST', '/championships/three/entrants', 'field-invalid', {'name': 'also ann'}, ann, status=400)
    check(server.get('/championships/three')['standings'][0]['rating'] == listed['ratings'][1]['rating'], 'three')
    shown = subprocess.run([PARLOR, 'championship', '--url', f'http://127.0.0.1:{server.port}', 'ratings', '--game', 'santorini'],
                           stdout=subprocess.PIPE, text=True, timeout=DEADLINE_S, check=True).stdout
    check(shown.splitlines()[0].split()[:3] == ['1', 'level:1', f'{listed["ratings"][0]["rating"]:.2f}'], shown)


def ratings_after_a_restart():
    with native.Server(PARLOR) as first:
        owner = cup_open(first, 'last', format='round-robin')
        for level in (1, 2):
            first.post('/championships/last/entrants', {'name': f'bot {level}', 'bot': level}, owner, status=201)
        first.post('/championships/last/start', None, owner)
        cup = finished(first, 'last')
        listed = first.get('/ratings?game=paper-soccer')
        check(listed['rated'] == 2, f'{listed}')
        second = first.again()
        check(second.get('/ratings?game=paper-soccer') == listed, 'other ratings')
        check(second.get('/championships/last')['standings'] == cup['standings'], 'other standings')
        second.close()


def by_configuration():
    """Opened once, filled and begun by itself, and found again after a restart; what is wrong is said at the start."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'cups.json')
        house = {'name': 'house', 'game': 'paper-soccer', 'format': 'knockout', 'begin_with': 2,
                 'bots': [{'name': 'Rook', 'level': 1}, {'name': 'Pawn', 'level': 1}]}
        for wrong, part in (('[', 'not JSON'), ({}, 'list'), ([7], 'object'), ([dict(house, game='chess')], 'game'), ([dict(house, format='x')], 'format'),
                            ([house, house], 'another championship'), ([dict(house, bots=[{'name': 'Rook'}])], 'bots'), ([dict(house, begin_with=1)], 'begin_with'),
                            ([house, dict(house, name='a b')], 'championship 2: name')):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(wrong if isinstance(wrong, str) else json.dumps(wrong))
            done = subprocess.run([PARLOR, 'serve', '--http', '127.0.0.1:0', '--data', os.path.join(folder, 'none'), '--championships', path],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S)
            check(done.returncode == 2 and part in done.stderr, f'{wrong}: {done}')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump([house, {'name': 'guests', 'game': 'eriantys', 'format': 'swiss', 'seats': 3}], file)
        with native.Server(PARLOR, ['--championships', path]) as first:
            end = time.monotonic() + DEADLINE_S
            while len(first.get('/championships')['championships']) < 2:
                check(time.monotonic() < end, 'not opened')
                time.sleep(0.05)
            cup = finished(first, 'house')
            check([row['name'] for row in cup['entrants']] == ['Rook', 'Pawn'], f'{cup["entrants"]}')
            check(first.get('/championships/guests')['seats'] == 3, 'seats')
            first.post('/championships/guests/entrants', {'name': 'ann'}, status=201)
            second = first.again()
            found = {one['name']: one for one in second.get('/championships')['championships']}
            check(set(found) == {'house', 'guests'} and len(found) == 2, f'{found}')
            check(second.get('/championships/house')['version'] == cup['version'] and found['guests']['entered'] == 1, f'{found}')
            second.close()


def every_answer_was_seen():
    missing = server.description.unanswered() & native.OF_CHAMPIONSHIPS
    check(not missing, f'never answered: {sorted(missing)}')


CASES = [
    ('bots of every format, and what tables say', formats),
    ('every game, for as many as play it', every_game),
    ('people with tokens', people),
    ('who may what', who_may_what),
    ('what is refused, and why', refusals),
    ('tables for calculators', tables_for_calculators),
    ('news over WebSocket', news),
    ('from the shell', from_the_shell),
    ('ratings', ratings),
    ('by configuration', by_configuration),
    ('the same ratings after a restart', ratings_after_a_restart),
    ('every answer of the document has come', every_answer_was_seen),
    ('killed in the middle', killed_in_the_middle),
]



def main():
    global server
    words = ' '.join(sys.argv[2:])
    with native.Server(PARLOR) as server:
        wire.run_cases([case for case in CASES if words in case[0]])


main()
