#!/usr/bin/env python3
"""The operator's listener: GET /metrics by a strict reader of its form, the figures after known games held against the journal, health, and the
documents that speak of the numbers. Speaks TAP.

usage: metrics.py PARLOR ROOT
"""
import collections
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'hostile'))
import hostile  # noqa: E402  (found by the line above)
import native  # noqa: E402
import wire  # noqa: E402
from full_disk import LimitedDisk  # noqa: E402
from native import check  # noqa: E402

PARLOR, ROOT = os.path.abspath(sys.argv[1]), sys.argv[-1]
CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
NAME = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
SAMPLE = re.compile(rf'({NAME})(?:\{{(.*)\}})? (\S+)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SUFFIXES = {'counter': ('_total',), 'info': ('_info',), 'gauge': ('',), 'histogram': ('_bucket', '_count', '_sum')}
UNITS = ('seconds', 'bytes')
ILLEGAL_MOVES = 3


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a socket of the file system."""

    def __init__(self, path):
        super().__init__('localhost', timeout=wire.DEADLINE_S)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(wire.DEADLINE_S)
        self.sock.connect(self.path)


def request(connection, method, path):
    connection.request(method, path)
    answer = connection.getresponse()
    text = answer.read().decode()
    return answer.status, answer.headers, text


def labels_of(text):
    """A frozen set of pairs; everything has to be read, and no label twice."""
    found, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        check(match is not None and match.group(1) not in found, f'labels {text!r}')
        check(match.group(3) == '' or match.end() < len(text), f'labels {text!r} end with a comma')
        found[match.group(1)] = match.group(2)
        at = match.end()
    return frozenset(found.items())


class Family:
    def __init__(self, name):
        self.name, self.type, self.unit, self.help, self.samples = name, None, None, None, {}

    def add(self, name, labels, value):
        suffix = name[len(self.name):]
        check(self.type in SUFFIXES and suffix in SUFFIXES[self.type], f'{name} is no sample of {self.name}, a {self.type}')
        check((suffix, labels) not in self.samples, f'{name} {labels} comes twice')
        check(re.fullmatch(r'-?\d+(\.\d+)?(e[+-]?\d+)?', value), f'{name}: {value!r} is no number')
        self.samples[suffix, labels] = float(value)
        check(suffix == '_sum' or self.type == 'gauge' or float(value) >= 0, f'{name} is {value}')

    def close(self):
        check(self.type is not None and self.help, f'{self.name} has no type or no help')
        ends = [unit for unit in UNITS if self.name.endswith('_' + unit)]
        check([self.unit] == (ends or [None]), f'{self.name} has the unit {self.unit}')
        if self.type == 'histogram':
            self.close_histogram()

    def close_histogram(self):
        series = collections.defaultdict(list)
        for (suffix, labels), value in self.samples.items():
            if suffix == '_bucket':
                bound = dict(labels)['le']
                check(bound == '+Inf' or '.' in bound or 'e' in bound, f'{self.name}: le={bound} is written as no real number')
                series[frozenset(pair for pair in labels if pair[0] != 'le')].append((float(bound), value))
        for labels, buckets in series.items():
            bounds, counts = zip(*buckets)
            check(list(bounds) == sorted(set(bounds)) and bounds[-1] == float('inf'), f'{self.name}: bounds {bounds}')
            check(list(counts) == sorted(counts), f'{self.name}: counts {counts}')
            check(counts[-1] == self.samples['_count', labels], f'{self.name}: {counts[-1]} of _count')
            check(('_sum', labels) in self.samples, f'{self.name} has no _sum')


def parse(text):
    """name -> Family; every line must be right."""
    check(text.endswith('\n# EOF\n') and text.count('# EOF') == 1, f'the end is {text[-40:]!r}')
    families, current = {}, None
    for line in text.split('\n')[:-2]:
        match = re.fullmatch(rf'# (TYPE|UNIT|HELP) ({NAME}) (.+)', line)
        if match is None:
            sample = SAMPLE.match(line)
            check(sample is not None and current is not None, f'{line!r} is nothing')
            check(sample.group(1).startswith(current.name), f'{line!r} stands among those of {current.name}')
            current.add(sample.group(1), labels_of(sample.group(2) or ''), sample.group(3))
            continue
        word, name, value = match.groups()
        if current is None or current.name != name:
            check(name not in families, f'{name} comes twice')
            current = families[name] = Family(name)
        check(not current.samples and getattr(current, word.lower()) is None, f'{line!r} comes too late or twice')
        setattr(current, word.lower(), value)
    for family in families.values():
        family.close()
    return families


def sums(families, name, *keys):
    """(values of these labels) -> sum of the samples that are not buckets or sums."""
    found = collections.Counter()
    family = families[name]
    for (suffix, labels), value in family.samples.items():
        if suffix in ('', '_total', '_count', '_info'):
            found[tuple(dict(labels)[key] for key in keys)] += value
    return {key: value for key, value in found.items() if value}


class Server(native.Server):
    """One with every listener, and the operator's."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory(prefix='parlor-admin-')
        self.path = os.path.join(self.folder.name, 'admin.sock')
        super().__init__(PARLOR, [*wire.ask.listen(PARLOR, *wire.ask.listeners(PARLOR)), '--admin', f'{self.path}, 127.0.0.1:0', *options])

    def ports(self):
        return {name: wire.ask.port(address) for name, address in self.addresses.items() if ':' in address}

    def metrics(self):
        status, headers, text = request(LocalConnection(self.path), 'GET', '/metrics')
        check((status, headers['Content-Type']) == (200, CONTENT_TYPE), f'{status} {headers}')
        return parse(text)


def journal_of(server):
    """The events, and code -> (game, protocol)."""
    def told(*words):
        return subprocess.run([PARLOR, 'journal', *words, '--data', os.path.join(server.data, 'data')], capture_output=True, text=True,
                              timeout=wire.DEADLINE_S * 2, check=True).stdout.splitlines()
    return [json.loads(line) for line in told('export', '--all')], {line.split()[0]: tuple(line.split()[3:5]) for line in told('list')}


def told_by_journal(events, tables):
    """What the figures have to be."""
    moves = collections.Counter(tables[event['table']] for event in events if event['word'] == 'action')
    ended = collections.Counter((*tables[event['table']], event['text'].split(':')[0]) for event in events if event['word'] == 'result')
    return dict(collections.Counter(tables.values())), dict(moves), dict(ended)


def both_places_tell():
    with Server() as server:
        check(os.stat(server.path).st_mode & 0o777 == 0o600, 'the socket is not for its owner alone')
        check(server.addresses['admin'] == server.path, f'{server.addresses}')
        tcp = http.client.HTTPConnection('127.0.0.1', server.ports()['admin-tcp'], timeout=wire.DEADLINE_S)
        for connection in (LocalConnection(server.path), tcp):
            status, headers, text = request(connection, 'GET', '/metrics')
            check(status == 200 and headers['Content-Type'] == CONTENT_TYPE, f'{status} {headers}')
            parse(text)
            check(request(connection, 'HEAD', '/metrics')[2] == '', 'HEAD has a body')
            check(request(connection, 'POST', '/metrics')[0] == 405, 'numbers can be posted')
            check(request(connection, 'GET', '/health/live')[0] == 200 == request(connection, 'GET', '/health/ready')[0], 'not healthy')
            check(request(connection, 'GET', '/')[0] == 404 == request(connection, 'GET', '/api/v1/tables')[0], 'players are served here')
            connection.close()
        check(server.request('GET', '/metrics')[0] == 404, 'players see numbers')
        server.process.terminate()
        server.wait()
        check(not os.path.exists(server.path), 'the socket is left behind')


def strangers_are_refused():
    for where, why in (('0.0.0.0:9464', 'on this machine alone'), ('192.0.2.1:1', 'on this machine alone'), ('example.org:1', 'on this machine alone'),
                       ('here', 'takes the path of a socket'), ('/tmp/' + 'x' * 120, 'at most 107 bytes'), ('/a,/b', 'one socket and one address')):
        done = subprocess.run([PARLOR, 'serve', '--admin', where], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
        check(done.returncode == 2 and f"--admin cannot be '" in done.stderr and why in done.stderr, f'{where}: {done}')


def a_socket_in_use_is_left_alone():
    with Server() as server:
        done = subprocess.run([PARLOR, 'serve', *wire.ask.listen(PARLOR, 'http'), '--store', 'memory', '--data', os.path.join(server.data, 'second'),
                               '--admin', server.path], capture_output=True, text=True, timeout=wire.DEADLINE_S, check=False)
        check(done.returncode == 1 and 'cannot listen for admin' in done.stderr, f'{done}')
        server.metrics()
        server.kill()  # leaves the socket behind
        with native.Server(PARLOR, ['--admin', server.path]):
            check(request(LocalConnection(server.path), 'GET', '/health/live')[0] == 200, 'a socket that nobody has is not taken')


def figures_are_true():
    with Server() as server:
        for player in list(hostile.pairs(server)):
            player.finish()
        for game in wire.ask.game_names(PARLOR):
            seats = [{'seat': seat, 'level': 1} for seat in range(2)]
            code = server.open(game, seats=2, bots=seats)['code']
            native.play_out(server, code, {}, None)
        waiting = server.open('paper-soccer')['code']
        families = server.metrics()
        events, tables = journal_of(server)
        opened, moves, ended = told_by_journal(events, tables)
        check(len(opened) >= 2 * len(wire.ask.game_names(PARLOR)), f'too little was played: {opened}')
        check(sums(families, 'parlor_moves', 'game', 'protocol') == moves, f'{sums(families, "parlor_moves", "game", "protocol")} {moves}')
        check(sums(families, 'parlor_tables_opened', 'game', 'protocol') == opened, 'tables opened')
        check(sums(families, 'parlor_tables_ended', 'game', 'protocol', 'outcome') == ended, 'tables ended')
        check(sums(families, 'parlor_tables', 'game', 'protocol') == {('paper-soccer', 'api'): 1}, f'tables that run, {waiting}')
        begun = sum(sums(families, 'parlor_tables_begun').values())
        check(begun == sum(opened.values()) - 1, f'{begun} tables began')
        check(sums(families, 'parlor_store_events')[()] == len(events), f'{len(events)} events')
        appends = sums(families, 'parlor_store_appends', 'result')
        check(list(appends) == [('saved',)], f'{appends}')
        check(sums(families, 'parlor_answer_seconds')[()] == appends[('saved',)], 'every append is one answer of a table')
        commits = sums(families, 'parlor_store_commit_seconds')[()]
        check(0 < commits <= appends[('saved',)], f'{commits} commits')
        check(sums(families, 'parlor_store_queue') == {} and sums(families, 'parlor_store_writable') == {(): 1}, 'the store is not at rest')
        check(sums(families, 'parlor_loop_turn_seconds')[()] > 0, 'the loop has not turned')
        for name in ('parlor_memory_bytes', 'parlor_memory_max_bytes', 'process_resident_memory_bytes', 'process_max_fds', 'process_cpu_seconds'):
            check(sums(families, name)[()] > 0, name)


def connections_and_bytes_are_counted():
    with Server() as server:
        before = server.metrics()
        check(sums(before, 'parlor_connections', 'protocol').get(('santorini',), 0) == 0, 'somebody is there')
        line = b'{"type": "nothing"}\n'
        peers = [socket.create_connection(('127.0.0.1', server.ports()['santorini']), timeout=wire.DEADLINE_S) for _ in range(3)]
        heard = 0
        for peer in peers:
            heard += len(peer.makefile('rb').readline())  # what it says to everybody who comes
        server_side = server.metrics()
        check(sums(server_side, 'parlor_connections', 'protocol')[('santorini',)] == 3, 'three are there')
        check(sums(server_side, 'parlor_sent_bytes', 'protocol')[('santorini',)] >= heard, 'what was sent')
        peers[0].sendall(line)
        peers[0].makefile('rb').readline()
        families = server.metrics()
        check(sums(families, 'parlor_received_bytes', 'protocol')[('santorini',)] == len(line), 'what was received')
        check(sums(families, 'parlor_messages', 'protocol')[('santorini',)] == 1, 'what was heard')
        check(sums(families, 'parlor_refusals', 'protocol') == {('santorini',): 1}, f'{sums(families, "parlor_refusals", "protocol", "error")}')
        for peer in peers:
            peer.close()


def refusals_and_limits_are_counted():
    with Server('--address-tables-max', '2') as server:
        code, tokens = server.two()
        mover = server.get(f'/tables/{code}')['turn'][0]
        before = sums(server.metrics(), 'parlor_http_answers', 'code')
        for _ in range(ILLEGAL_MOVES):
            server.act(code, tokens[mover], '0,0 9,9', status=422)
        server.act(code, tokens[1 - mover], '0,0 0,1', status=422)
        server.open('paper-soccer')
        server.refused('POST', '/tables', 'address-full', {'game': 'paper-soccer'}, status=429)
        families = server.metrics()
        refusals = sums(families, 'parlor_refusals', 'protocol', 'error', 'rule')
        check(sum(refusals.values()) == ILLEGAL_MOVES + 2, f'{refusals}')
        check(refusals[('api', 'address-full', '')] == 1, f'{refusals}')
        check(sums(families, 'parlor_limit_hits', 'limit') == {('address-tables',): 1}, f'{sums(families, "parlor_limit_hits", "limit")}')
        after = sums(families, 'parlor_http_answers', 'code')
        check(after[('4xx',)] - before.get(('4xx',), 0) == ILLEGAL_MOVES + 2, f'{before} {after}')
        check(after[('2xx',)] - before[('2xx',)] == 1, f'{before} {after}')


def a_store_that_cannot_write_is_not_ready():
    class Disk(LimitedDisk):
        extra = ['--admin', '127.0.0.1:0']
    with Disk() as disk:
        port = wire.ask.port(disk.server.addresses['admin-tcp'])
        code, tokens = disk.server.two()
        disk.fill()
        mover = disk.server.get(f'/tables/{code}')['turn'][0]
        disk.server.act(code, tokens[mover], disk.server.get(f'/tables/{code}', tokens[mover])['legal'][0], status=503)
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=wire.DEADLINE_S)
        check(request(connection, 'GET', '/health/live')[0] == 200, 'not alive')
        check(request(connection, 'GET', '/health/ready')[0] == 503, 'ready without a disk')
        check(sums(parse(request(connection, 'GET', '/metrics')[2]), 'parlor_store_writable') == {}, 'writable without a disk')
        disk.empty()
        while request(connection, 'GET', '/health/ready')[0] != 200:
            pass
        check(sums(parse(request(connection, 'GET', '/metrics')[2]), 'parlor_store_writable') == {(): 1}, 'not writable with a disk')


def documents_name_what_there_is():
    with Server() as server:
        families = server.metrics()
    with open(os.path.join(ROOT, 'docs', 'administration.md'), encoding='utf-8') as file:
        page = file.read()
    rows = dict(re.findall(r'^\| `(\w+)` \| (\w+) \|', page, re.M))
    check(rows == {name: family.type for name, family in families.items()}, f'{set(rows.items()) ^ {(n, f.type) for n, f in families.items()}}')
    limits = {dict(labels)['limit'] for _, labels in families['parlor_limit_hits'].samples}
    told = set(re.findall(r'`([a-z-]+)` \(', page.split('values of `limit`:')[1].split('refused-at-door')[0]))
    check(limits == told, f'{limits ^ told}')


def the_dashboard_asks_for_what_there_is():
    with Server() as server:
        families = server.metrics()
    known = {name + suffix for name, family in families.items() for suffix in SUFFIXES[family.type]}
    with open(os.path.join(ROOT, 'deploy', 'grafana-dashboard.json'), encoding='utf-8') as file:
        dashboard = json.load(file)
    queries = [target['expr'] for panel in dashboard['panels'] for target in panel['targets']]
    queries += [variable['query'] for variable in dashboard['templating']['list'] if variable['type'] == 'query']
    check(len(queries) > 20, f'{len(queries)} queries')
    for query in queries:
        asked = set(re.findall(r'\b(?:parlor|process)_\w+', query))
        check(asked and asked <= known, f'{query}: {asked - known}')


def main():
    wire.run_cases([
        ('numbers and health at a socket and an address', both_places_tell),
        ('an address that others reach is refused', strangers_are_refused),
        ('a socket in use is left alone, one that is left behind is taken', a_socket_in_use_is_left_alone),
        ('after games over every protocol the figures are those of the journal', figures_are_true),
        ('connections and bytes are counted', connections_and_bytes_are_counted),
        ('refusals and limits are counted', refusals_and_limits_are_counted),
        ('a store that cannot write is not ready', a_store_that_cannot_write_is_not_ready),
        ('docs/administration.md lists the numbers that there are', documents_name_what_there_is),
        ('the dashboard asks for numbers that there are', the_dashboard_asks_for_what_there_is),
    ])


if __name__ == '__main__':
    main()
