#!/usr/bin/env python3
"""The cards of shared links: what programs that show links read in the head of the document. Who plays and how it stands in words for players, addresses
by the name that was asked for, nothing of private tables, and nothing that hostile names or heads could change.

usage: cards.py PARLOR [WORDS OF A CASE]
"""
import gzip
import html.parser
import http.client
import ssl
import struct
import sys
import time

import certificates
import native
import wire
from native import check

PARLOR = sys.argv[1]
HOSTILE = '"><script>alert(1)</script>&\''
GAMES = wire.ask.game_names(PARLOR)


class Head(html.parser.HTMLParser):
    """What a reader of cards takes from a document."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.title, self.scripts, self.is_title = {}, '', [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        name = attrs.get('property') or attrs.get('name')
        if tag == 'meta' and name:
            check(name not in self.tags, f'{name} is there twice')
            self.tags[name] = attrs['content']
        if tag == 'script':
            self.scripts.append(attrs.get('src'))
        self.is_title = tag == 'title'

    def handle_data(self, data):
        if self.is_title:
            self.title += data

    def handle_endtag(self, tag):
        self.is_title = False


def ask(server, path, method='GET', tls=None, **headers):
    """Status, headers with small names, body; Host=None sends none."""
    if tls is not None:
        connection = http.client.HTTPSConnection('localhost', tls.port(PARLOR, server.addresses, 'http'), timeout=wire.DEADLINE_S,
                                                 context=ssl.create_default_context(cafile=tls.file))
    else:
        connection = http.client.HTTPConnection('127.0.0.1', server.port, timeout=wire.DEADLINE_S)
    connection.putrequest(method, path, skip_host='Host' in headers)
    for name, value in headers.items():
        if value is not None:
            connection.putheader(name.replace('_', '-'), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def card(server, path, status=200, **headers):
    got, _, body = ask(server, path, **headers)
    check(got == status, f'{path} is {got}')
    head = Head(body.decode())
    check(len(head.scripts) == 1 and head.scripts[0].startswith('/assets/'), f'{path}: scripts {head.scripts}')
    return head


def told(head):
    """Title and description, which stand there in three ways each."""
    tags = head.tags
    check(tags['og:title'] == tags['twitter:title'] == head.title, f'titles differ: {tags} {head.title}')
    check(tags['og:description'] == tags['twitter:description'] == tags['description'], f'descriptions differ: {tags}')
    return tags['og:title'], tags['og:description']


def opened(server, game='paper-soccer', **wish):
    return server.open(game, **wish)


def tables_in_words():
    with native.Server(PARLOR) as server:
        table = opened(server, seat={'name': 'Ann'})
        code = table['code']
        check(told(card(server, f'/t/{code}')) == ('Ann invites you to a game of Paper Soccer',
                                                   'Sit down and play in the browser. Nothing to install, no account.'), 'an invitation')
        check(told(card(server, f'/t/{code.lower()}/')) == told(card(server, f'/t/{code}')), 'small letters, or a slash behind it')
        bob = server.sit(code, HOSTILE)
        check(told(card(server, f'/t/{code}')) == (f'Paper Soccer: Ann and {HOSTILE}', 'The game is on: watch it live.'), 'while it is played')
        server.post(f'/tables/{code}/resign', {}, bob['token'])
        title, about = told(card(server, f'/t/{code}'))
        check((title, about) == (f'Paper Soccer: Ann and {HOSTILE}', 'Ann has won. See the game again, move by move.'), f'the end: {title}, {about}')
        title, about = told(card(server, f'/t/{code}/at/2'))
        check(title == f'Paper Soccer: Ann and {HOSTILE}' and 'position' in about and 'won' not in about, f'a replay: {title}, {about}')
        for game in GAMES:
            empty = card(server, f'/t/{opened(server, game)["code"]}')
            check(told(empty)[0].startswith('A table of '), f'{told(empty)}')
            status, headers, picture = ask(server, empty.tags['og:image'].split(str(server.port))[1])
            check((status, headers['content-type']) == (200, 'image/png'), f'{game}: {status} {headers}')
            check(picture[:8] == b'\x89PNG\r\n\x1a\n' and struct.unpack('>II', picture[16:24]) == (1200, 630), f'{game}: no picture for a card')
            check((empty.tags['og:image:width'], empty.tags['og:image:height']) == ('1200', '630'), f'{empty.tags}')
            check(empty.tags['twitter:card'] == 'summary_large_image' and f'/cards/{game}.png' in empty.tags['twitter:image'], f'{empty.tags}')
        server.stop()


def private_tables_tell_nothing():
    with native.Server(PARLOR) as server:
        table = opened(server, 'santorini', private=True, options={'gods': 'none'}, seat={'name': 'Ann'})
        code, cards = table['code'], []
        cards.append(told(card(server, f'/t/{code}')))
        bob = server.sit(code, 'Bob')
        cards.append(told(card(server, f'/t/{code}')))
        cards.append(told(card(server, f'/t/{code}/at/2')))
        server.post(f'/tables/{code}/resign', {}, bob['token'])
        cards += [told(card(server, f'/t/{code}')), told(card(server, f'/t/{code}/at/3')), told(card(server, f'/t/{code}/wire'))]
        check(set(cards) == {('A table of Santorini', 'Open it to play or to watch.')}, f'{cards}')
        body = ask(server, f'/t/{code}')[2]
        check(b'Ann' not in body and b'Bob' not in body, 'names of a private table')
        late = opened(server, watch_delay_ms=native.DELAY_LONG_MS, seat={'name': 'Cid'})
        server.sit(late['code'], 'Dan')
        move = server.get(f'/tables/{late["code"]}', late['token'])
        check(ask(server, f'/t/{late["code"]}/at/{move["version"]}')[0] == 404, 'a position that watchers do not know yet')
        server.stop()


def guesses_count():
    """Who tries codes by their cards is as blind as who tries them by the API."""
    with native.Server(PARLOR) as server:
        code = opened(server, private=True)['code']
        check(told(card(server, f'/t/{code}'))[0] == 'A table of Paper Soccer', 'the card is not there')
        for number in range(150):
            ask(server, f'/t/ZZ{number:03}QQQQQ')
        head = card(server, f'/t/{code}')
        check(head.tags['og:title'] == 'Parlor' and 'Soccer' not in str(head.tags), f'{head.tags}')
        server.stop()


def players_by_name():
    with native.Server(PARLOR) as server:
        check(told(card(server, '/p/Ann%20B'))[0] == 'Games of Ann B', 'a name')
        check(told(card(server, '/p/%C3%84nne'))[0] == 'Games of Änne', 'letters of other languages')
        check(told(card(server, '/p/%22%3E%3Cscript%3E%26'))[0] == 'Games of "><script>&', 'a hostile name')
        for path in '/p/', '/p/%', '/p/%zz', '/p/%ff', '/p/%00', '/p/a%0ab', '/p/' + 'x' * 60, '/p/Ann/Bob':
            check(ask(server, path)[0] == 404, path)
        server.stop()


def championships_in_words():
    with native.Server(PARLOR, ['--ugs', '127.0.0.1:0']) as server:
        cup = server.post('/championships', {'name': 'spring', 'game': 'santorini', 'options': {'gods': 'none'}, 'format': 'knockout'}, status=201)
        head = card(server, '/c/spring')
        check(told(head) == ('spring: a championship of Santorini', 'It waits for entrants: enter by name and play in the browser. Nothing to install, no account.'), f'{told(head)}')
        check('/cards/santorini.png' in head.tags['og:image'], f'{head.tags}')
        tokens = [server.post('/championships/spring/entrants', {'name': name}, status=201)['token'] for name in (HOSTILE, 'Bob')]
        server.post('/championships/spring/start', {}, cup['owner_token'])
        check(told(card(server, '/c/spring/'))[1] == 'It is being played: standings, tables and replays, live.', 'while it is played')
        server.post('/championships/spring/leave', {}, tokens[1])
        end = time.monotonic() + wire.DEADLINE_S
        while server.get('/championships/spring')['state'] != 'finished':
            check(time.monotonic() < end, 'it does not end')
        check(told(card(server, '/c/spring'))[1] == f'{HOSTILE} has won. The standings, and every game to see again.', 'the end')
        hall = server.post('/championships', {'type': 'paper-soccer', 'players': 4}, status=201)
        check(ask(server, '/c/' + hall['name'].replace('#', '%23'))[0] == 200, 'one of the hall')
        for path in '/c/none', '/c/spring/x', '/c/%ff', '/c//spring':
            check(ask(server, path)[0] == 404, path)
        check(ask(server, '/c')[0] == ask(server, '/c/')[0] == 200, 'all of them')
        server.stop()


def unknown_addresses():
    with native.Server(PARLOR) as server:
        code = opened(server)['code']
        document = ask(server, '/')[2]
        for path in '/t/', '/t/QQQQQ', '/t/no-code', f'/t/{code}/at/999', f'/t/{code}/at/0', f'/t/{code}/at/x', f'/t/{code}/at', f'/t/{code}/else', f'/t//{code}':
            status, headers, body = ask(server, path)
            check((status, body) == (404, document) and headers['content-type'].startswith('text/html'), f'{path} is {status}')
        for path in '/cup', '/t', '/replay', '/replay/1', '/players/Ann':
            check(ask(server, path, Accept='text/html')[::2] == (404, document), path)
            check(ask(server, path)[0] == 404, path)
        check(ask(server, f'/t/{code}', 'POST')[0] == 405, 'POST of a page')
        server.stop()


def addresses_by_name():
    """The name and port that were asked for, and the scheme of the client as far as it can be known."""
    def base(server, **headers):
        tags = card(server, '/p/Ann', **headers).tags
        check(tags['og:image'] == tags['twitter:image'] and tags['og:image'].endswith('/cards/parlor.png'), f'{tags}')
        check(tags['og:url'] == tags['og:image'][:-len('/cards/parlor.png')] + '/p/Ann', f'{tags}')
        return tags['og:url'][:-len('/p/Ann')]
    with native.Server(PARLOR, ['--host', 'games.example']) as server:
        check(base(server) == f'http://127.0.0.1:{server.port}', 'an address')
        check(base(server, Host='games.example') == 'http://games.example', 'a name')
        check(base(server, Host='[::1]:8080') == 'http://[::1]:8080', 'IPv6')
        check(base(server, Host='games.example', X_Forwarded_Proto='https') == 'http://games.example', 'a stranger is believed')
        check(base(server, Host='games.example', X_Forwarded_Host='evil.example') == 'http://games.example', 'another name is believed')
        server.stop()
    with native.Server(PARLOR, ['--trusted-proxy', '127.0.0.1', '--host', 'games.example']) as server:
        check(base(server, Host='games.example', X_Forwarded_Proto='https') == 'https://games.example', 'a proxy with TLS')
        check(base(server, Host='games.example', X_Forwarded_Proto='https, http') == 'http://games.example', 'the last one counts')
        check(base(server, Host='games.example', X_Forwarded_Proto='javascript:') == 'http://games.example', 'no scheme at all')
        check(base(server, Host='games.example', Forwarded='proto=https') == 'http://games.example', 'the other header is believed')
        server.stop()
    with native.Server(PARLOR, ['--trusted-proxy', '127.0.0.1', '--proxy-header', 'forwarded', '--host', 'games.example']) as server:
        check(base(server, Host='games.example', Forwarded='for=192.0.2.1;proto=https') == 'https://games.example', 'Forwarded')
        check(base(server, Host='games.example', Forwarded='proto=https, for=192.0.2.1;proto="http"') == 'http://games.example', 'the last element counts')
        server.stop()


def addresses_over_tls():
    certificate = certificates.Certificate()
    try:
        with native.Server(PARLOR, certificate.options(PARLOR, 'http')) as server:
            _, _, body = ask(server, '/p/Ann', tls=certificate)
            port = certificate.port(PARLOR, server.addresses, 'http')
            check(Head(body.decode()).tags['og:url'] == f'https://localhost:{port}/p/Ann', 'over TLS')
            server.stop()
    finally:
        certificate.close()


def hostile_heads():
    """A name that is none of the server's is refused; what is no plain address gives a card without addresses, and the same words."""
    with native.Server(PARLOR) as server:
        words = told(card(server, '/p/Ann'))
        for host in '["><script>]', "[x'onload=1]", '[::1]@evil.example', '[evil.example', '[::1]:x', '[::1]:99999', '127.0.0.1:0', '[a b]', '[' + 'a' * 300 + ']':
            status, _, body = ask(server, '/p/Ann', Host=host)
            check(status in (200, 400, 403), f'{host}: {status}')
            if status == 200:
                head = Head(body.decode())
                check(told(head) == words, f'{host}: {told(head)}')
                check(not {'og:url', 'og:image', 'twitter:image'} & set(head.tags), f'{host}: {head.tags}')
                check(host.encode() not in body and len(head.scripts) == 1, f'{host} is in the document')
        for host in 'evil.example', 'evil.example:80', '127.0.0.1.evil.example':
            status, _, body = ask(server, '/p/Ann', Host=host)
            check(status == 403 and b'<meta' not in body, f'{host}: {status}')
        server.stop()


def kept_by_browsers():
    with native.Server(PARLOR) as server:
        path = f'/t/{opened(server, seat={"name": "Ann"})["code"]}'
        _, headers, body = ask(server, path)
        check(headers['cache-control'] == 'no-cache' and headers['vary'] == 'Accept-Encoding', f'{headers}')
        check("default-src 'none'" in headers['content-security-policy'], f'{headers}')
        check(ask(server, path, If_None_Match=headers['etag'])[::2] == (304, b''), 'it is sent again')
        status, packed, content = ask(server, path, Accept_Encoding='gzip')
        check((status, packed['content-encoding'], gzip.decompress(content), packed['etag']) == (200, 'gzip', body, headers['etag']), f'{packed}')
        status, head, nothing = ask(server, path, 'HEAD')
        check((status, nothing, head['content-length']) == (200, b'', str(len(body))), f'HEAD is {status} {head}')
        server.sit(path[3:], 'Bob')
        check(ask(server, path, If_None_Match=headers['etag'])[0] == 200, 'the card is that of before')
        server.stop()


wire.run_cases([
    ('tables in words for players, with a picture of every game', tables_in_words),
    ('of private and late tables no more than everybody may know', private_tables_tell_nothing),
    ('guesses count', guesses_count),
    ('players by name', players_by_name),
    ('championships in words for players', championships_in_words),
    ('unknown addresses are not found', unknown_addresses),
    ('addresses by the name and the way that were asked for', addresses_by_name),
    ('addresses over TLS', addresses_over_tls),
    ('hostile heads change nothing', hostile_heads),
    ('browsers ask again and are told when it is the same', kept_by_browsers),
])
