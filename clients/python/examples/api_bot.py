#!/usr/bin/env python3
"""A bot for any game of a Parlor server, over the native API (docs/api.md) with nothing but the standard library.

    api_bot.py http://127.0.0.1:8080 paper-soccer [NAME]     opens a table against a bot of the server
    api_bot.py http://127.0.0.1:8080 K7QZ2 [NAME]            sits down at a table that is open

It knows no rules: `legal` says what is allowed, and one of these is chosen at random. Put your own idea into choose().
"""
import argparse
import http.client
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request

POLL_S = 0.05  # between two looks at the table, while others think


class Api:
    def __init__(self, server):
        self.base, self.token = server.rstrip('/') + '/api/v1', None

    def ask(self, path, body=None):
        """(status, JSON) of a GET, or of a POST when there is a body."""
        request = urllib.request.Request(self.base + path, None if body is None else json.dumps(body).encode(),
                                         {'Content-Type': 'application/json', 'Idempotency-Key': secrets.token_hex(16)})
        if self.token:
            request.add_header('Authorization', 'Bearer ' + self.token)
        for may_repeat in (True, False):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as refusal:
                return refusal.code, json.load(refusal)
            except OSError:  # the answer was lost; with its key a request is not done twice
                if not may_repeat or path.endswith('/actions'):
                    raise

    def must(self, path, body=None):
        status, answer = self.ask(path, body)
        if status >= 400:
            sys.exit(f'{path}: {answer["error"]}: {answer["reason"]}')
        return answer


def choose(table):
    """One of the actions that are allowed now. table['view'] is all that the seat may know."""
    return random.choice(table['legal'] or table['legal_samples'])


def sit_down(api, where, name):
    """(code, seat): at the table of a code, or at a new one for the name of a game."""
    games = {game['name']: game for game in api.must('/games')['games']}
    if where in games:
        bots = [{'seat': seat} for seat in range(1, games[where]['seats_min'])]
        seat = api.must('/tables', {'game': where, 'bots': bots, 'seat': {'name': name}})
    else:
        seat = api.must(f'/tables/{where}/seats', {'name': name})
    api.token = seat['token']
    return seat['code'], seat['seat']


def play(api, code, seat):
    """Acts whenever it is on turn, until the table is over."""
    while True:
        table = api.must(f'/tables/{code}')
        if table['over']:
            return table['result']
        if seat not in table['turn'] or table['state'] == 'open':
            time.sleep(POLL_S)
            continue
        action = choose(table)
        status, answer = api.ask(f'/tables/{code}/actions', {'version': table['version'], 'actions': [action]})
        if status == 409:
            continue  # the table has moved on: look again
        if status >= 400:
            sys.exit(f'{action}: {answer["error"]}: {answer["reason"]} {answer["rule"]}')
        print(f'{answer["version"]}: {action}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('url', help='of the server')
    parser.add_argument('where', help='the name of a game, or the code of a table')
    parser.add_argument('name', nargs='?', default='api_bot', help='what it is called (default %(default)s)')
    options = parser.parse_args()
    try:
        api = Api(options.url)
        code, seat = sit_down(api, options.where, options.name)
        result = play(api, code, seat)
    except (OSError, ValueError, http.client.HTTPException) as problem:
        sys.exit(f'{options.url}: {problem}')
    print('won' if seat in result['winners'] else 'lost', result['points'], result['why'])


main()
