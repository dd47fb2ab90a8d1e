#!/usr/bin/env python3
"""The web page of a real server over HTTP: which paths it has, how it is kept by browsers, under which policy it runs.

usage: page.py PARLOR
"""
import gzip
import http.client
import re
import sys

import wire

PARLOR = sys.argv[1]


def check(condition, what):
    if not condition:
        raise wire.Failure(what)


def server_of():
    return wire.Server(PARLOR, ['--http', '127.0.0.1:0'])


def ask(server, path, method='GET', **headers):
    """Status, headers with small names, body."""
    connection = http.client.HTTPConnection('127.0.0.1', server.http_port, timeout=wire.DEADLINE_S)
    connection.request(method, path, headers={name.replace('_', '-'): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def assets_of(document):
    return re.findall(r'(?:src|href)="(/[^"]+)"', document.decode())


def paths():
    with server_of() as server:
        status, headers, document = ask(server, '/')
        check(status == 200 and headers['content-type'].startswith('text/html'), f'/ is {status} {headers}')
        for path in '/archive', '/c', '/connect', '/rules/santorini', '/docs/api', '/docs/protocols/santorini', '/?from=somewhere':
            check(ask(server, path)[::2] == (200, document), f'{path} is not the document')
        for path in '/t/K7QZ2', '/t/K7QZ2/at/17', '/t/K7QZ2/wire':
            check(ask(server, path)[::2] == (404, document), f'{path}, of no table, is not the document')
        for path in '/t', '/p', '/rules/chess', '/docs/protocols/chess', '/docs/decisions', '/tables', '/assets/', '/assets/app.js', '/index.html', '/../etc/passwd', '/stamp':
            check(ask(server, path)[0] == 404, f'{path} is not refused')
        for method in 'POST', 'PUT', 'DELETE':
            status, headers, _ = ask(server, '/', method)
            check(status == 405 and headers['allow'] == 'GET, HEAD', f'{method} / is {status} {headers}')
        status, headers, body = ask(server, '/', 'HEAD')
        check((status, body, headers['content-length']) == (200, b'', str(len(document))), f'HEAD / is {status} {headers}')
        server.stop()


def kept_by_browsers():
    with server_of() as server:
        _, _, document = ask(server, '/')
        for path in ['/'] + assets_of(document):
            status, headers, body = ask(server, path)
            check(status == 200 and body, f'{path} is {status}')
            lasting = 'immutable' in headers['cache-control']
            check(lasting == path.startswith('/assets/'), f'{path} is kept as {headers["cache-control"]}')
            check(headers.get('vary') == 'Accept-Encoding', f'{path} does not say that it varies')
            tag = headers['etag']
            for tags in tag, f'W/{tag}', f'"other", {tag}', '*':
                status, again, nothing = ask(server, path, If_None_Match=tags)
                check((status, nothing, again['etag']) == (304, b'', tag), f'{path} with {tags} is {status}')
            check(ask(server, path, If_None_Match='"other"')[0] == 200, f'{path} is taken for another')
            status, headers, packed = ask(server, path, Accept_Encoding='gzip')
            check(headers['content-encoding'] == 'gzip' and gzip.decompress(packed) == body, f'{path} is packed wrongly')
            check(headers['etag'] == tag and headers['vary'] == 'Accept-Encoding', f'{path}: {headers}')
        server.stop()


def policy():
    with server_of() as server:
        _, headers, document = ask(server, '/')
        rules = headers['content-security-policy']
        for word in "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'":
            check(word in rules, f'{word} is not in {rules}')
        check('unsafe' not in rules and headers['x-content-type-options'] == 'nosniff', f'{headers}')
        check(not re.search(rb'<script(?![^>]*src=)|\son\w+=|style=', document), 'the document has a script or style of its own')
        check(all(path.startswith('/') and not path.startswith('//') for path in assets_of(document)), 'it loads from elsewhere')
        server.stop()


wire.run_cases([
    ('the page has its paths and no others', paths),
    ('browsers keep what cannot change and ask for the rest', kept_by_browsers),
    ('nothing but the page itself may run in it', policy),
])
