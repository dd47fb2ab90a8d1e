#!/usr/bin/env python3
"""The examples of the documents are true: requests are sent to a real server, messages are read and held against schemas,
commands and their options exist. Every fenced block is looked at by one of the cases, or stands in NOT_RUN with the reason.

usage: documents.py PARLOR SOURCE_ROOT
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as xml

import native
import wire
from native import check

PARLOR, ROOT = sys.argv[1:3]
PAGES = ['README.md', 'docs/api.md', 'docs/tutorial.md'] + sorted(
    os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, 'docs', 'protocols', '*.md')))

# How blocks begin that are only to be read, and why.
NOT_RUN = {
    'make ': 'installs and builds; tests of their own run it',
    'ready http=': 'what the server prints; tests/cli/serve.py has it',
    '              ┌': 'a picture of the terminal; tests/unit/test_play.c has it',
    'champions:': 'how a championship ends; tests/wire/players.py plays one',
    'import re, socket': 'a whole program that plays against itself; tests/wire/players.py plays such ones',
    'nc ': 'a person types there; the conversations in tests/wire have the same',
    'GET /games': 'a request line; tests/wire/treasure has it as a conversation',
    'POST /games': 'a request line; tests/wire/treasure has it as a conversation',
}
PREFIX = re.compile(r'^(?:[A-Z]>[A-Z]|\w+ ?[<>])\s*')  # who says it to whom


class Block:
    def __init__(self, page, text, match):
        self.page, self.kind, self.body = page, match.group(1), match.group(2)
        self.line = text[:match.start()].count('\n') + 1
        headings = re.findall(r'^#+ (.*)$', text[:match.start()], re.M)
        self.heading = headings[-1] if headings else ''

    def __str__(self):
        return f'{self.page}:{self.line}'

    def lines(self):
        return [line for line in self.body.split('\n') if line.strip()]


def blocks():
    for page in PAGES:
        with open(os.path.join(ROOT, page), encoding='utf-8') as file:
            text = file.read()
        for match in re.finditer(r'^```(\w*)\n(.*?)^```', text, re.S | re.M):
            yield Block(page, text, match)


def is_messages(block):
    return any(PREFIX.sub('', line).lstrip().startswith(('{', '<')) for line in block.lines())


def commands(block):
    """The command lines of a block, without what shells do with them."""
    found = []
    for line in re.sub(r'\\\n\s*', '', block.body).split('\n'):
        line = re.sub(r'^\$ ', '', line.strip())
        line = re.sub(r'\s+#.*$', '', line)
        for part in re.split(r'\s*(?:&&|;)\s*|\s&\s*$', line):
            if re.match(r'(build/)?parlor |curl |python3 |clients/', part):
                found.append(part.strip().rstrip('&').strip())
    return found


def kind_of(block):
    if any(block.body.startswith(start) for start in NOT_RUN):
        return 'read'
    if block.kind in ('json', 'xml'):
        return block.kind
    if commands(block):
        return 'commands'
    return 'messages' if is_messages(block) else None


def every_block_is_looked_at():
    unknown = [f'{block} {block.body[:60]!r}' for block in blocks() if kind_of(block) is None]
    check(not unknown, '; '.join(unknown))
    unused = [start for start in NOT_RUN if not any(block.body.startswith(start) for block in blocks())]
    check(not unused, f'NOT_RUN has {unused}, which no document has')


# Messages.

def xml_is_well_formed():
    for block in blocks():
        if kind_of(block) != 'xml' or '...' in block.body:
            continue
        body = re.sub(r'<\?xml.*?\?>', '', block.body)
        try:
            xml.fromstring(f'<all>{body}</all>')
        except xml.ParseError as error:
            raise wire.Failure(f'{block}: {error}') from error


def types_of(value, found):
    """Every value that a schema allows for a field named type."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == 'type' and isinstance(inner, dict):
                found.update([inner['const']] if 'const' in inner else inner.get('enum', ()))
            types_of(inner, found)
    elif isinstance(value, list):
        for inner in value:
            types_of(inner, found)
    return found


def messages_are_json_of_known_types():
    for block in blocks():
        if kind_of(block) != 'messages' or not block.page.startswith('docs/protocols/'):
            continue
        known = set()
        for path in glob.glob(os.path.join(ROOT, block.page[:-len('.md')], '**', '*.json'), recursive=True):
            with open(path, encoding='utf-8') as file:
                types_of(json.load(file), known)
        for line in block.lines():
            text = PREFIX.sub('', line).strip()
            if not text.startswith('{') or '...' in text or text.count('{') != text.count('}'):
                continue
            try:
                message, _ = json.JSONDecoder().raw_decode(text)  # a remark may follow
            except ValueError as error:
                raise wire.Failure(f'{block}: {text}: {error}') from error
            check(not known or message.get('type') in known, f'{block}: no schema knows {message.get("type")}')


# The native API.

def api_blocks():
    return [block for block in blocks() if block.page == 'docs/api.md' and kind_of(block) == 'json']


def json_of_the_api():
    """Examples have the form that the OpenAPI document says."""
    parts = {'Errors': 'Problem', 'GET /api/v1/games': 'Games', 'GET /api/v1/protocols': 'Protocols',
             'GET /api/v1/tables': 'Tables', 'POST /api/v1/tables': 'NewTable',
             'GET /api/v1/tables/{code}': 'Table', 'GET /api/v1/tables/{code}/journal': 'Journal', '6. The wire inspector': 'Wire'}
    with native.Server(PARLOR, ['--store', 'memory']) as server:
        for block in api_blocks():
            check(block.heading in parts, f'{block}: which part of the OpenAPI document is below "{block.heading}"?')
            value = json.loads(block.body)
            mended = json.loads(re.sub(r'"(commitment|secret)":"\.\.\."', r'"\1":"' + '0' * 64 + '"', json.dumps(value, separators=(',', ':'))))
            server.description.check_part(parts.pop(block.heading), mended)
        check(not parts, f'there are no examples of {sorted(parts)}')


def example(heading):
    return json.loads(next(block.body for block in api_blocks() if block.heading == heading))


def examples_of_the_api_are_true():
    with native.Server(PARLOR, ['--store', 'memory']) as server:
        opened = server.post('/tables', example('POST /api/v1/tables'), status=201)
        check(opened['seat'] == 0 and opened['seats'][1]['kind'] == 'bot', f'{opened}')
        known = {game['name']: game for game in server.get('/games')['games']}
        for game in example('GET /api/v1/games')['games']:
            real = known[game['name']]
            check({name: game[name] for name in game if name != 'options'} == {name: real[name] for name in game if name != 'options'}, f'{real}')
            check([dict(option, help='') for option in game['options']] == [dict(option, help='') for option in real['options']], f'{real["options"]}')
        code = server.open('paper-soccer')['code']
        tokens = [server.sit(code, name)['token'] for name in ('ann', 'bob')]
        server.post(f'/tables/{code}/actions', {'actions': ['N']}, tokens[0])
        refusal = server.ask_api('POST', f'/tables/{code}/actions', {'actions': ['S']}, tokens[1], 422)
        check({name: refusal[name] for name in refusal if name != 'version'} == example('Errors'), f'{refusal}')
        table = example('GET /api/v1/tables/{code}')
        check(set(table) == set(server.get(f'/tables/{code}', tokens[0])), 'a table has other fields')
        texts = set(table['legal'] + table['last']['actions'])
        check(texts <= texts_of(server, table['game'], len(table['seats'])), f'{texts} are no actions of {table["game"]}')
        for event in example('GET /api/v1/tables/{code}/journal')['events']:
            if event['kind'] == 'action':
                check(set(event['actions']) <= {'N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'}, f'{event}')


def texts_of(server, game, seats):
    """What was allowed in the beginning of a game."""
    code = server.open(game, seats=seats)['code']
    tokens = [server.sit(code, f'p{seat}')['token'] for seat in range(seats)]
    texts = set()
    for _ in range(12):
        seat = server.get(f'/tables/{code}')['turn'][0]
        own = server.get(f'/tables/{code}', tokens[seat])
        legal = own['legal'] or own['legal_samples']
        texts.update(legal)
        server.post(f'/tables/{code}/actions', {'actions': [legal[-1]]}, tokens[seat])
    return texts


# Commands.

def run_curl(command, server, known):
    """The answer of a curl of the documents: at the server's port, with the code and token of the answer before."""
    command = re.sub(r'(localhost|127\.0\.0\.1):8080', f'127.0.0.1:{server.port}', command)
    command = command.replace('K7QZ2', known.get('code', 'K7QZ2')).replace('5f0c...', known.get('token', ''))
    done = subprocess.run(shlex.split(command) + ['--fail-with-body', '-sS', '--max-time', str(wire.DEADLINE_S)], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f'{command}: {done.stdout} {done.stderr}')
    if done.stdout.startswith('{'):
        known.update({name: value for name, value in json.loads(done.stdout).items() if name in ('code', 'token')})


def curl_works():
    count = 0
    with native.Server(PARLOR, ['--store', 'memory']) as server:
        for block in blocks():
            known = {}
            for command in commands(block) if kind_of(block) == 'commands' else ():
                if command.startswith('curl '):
                    run_curl(command, server, known)
                    count += 1
    check(count > 4, 'there are hardly any')


def help_of(name):
    """What a command says about itself, and one of its own commands where it has some."""
    texts = [subprocess.run([PARLOR, *words, '--help'], capture_output=True, text=True, check=False) for words in (name.split(), name.split()[:1])]
    check(any(done.returncode == 0 for done in texts), f'there is no parlor {name}')
    return ''.join(done.stdout for done in texts)


def options_exist():
    helps = {}
    for block in blocks():
        for command in commands(block) if kind_of(block) == 'commands' else ():
            words = shlex.split(command)
            if words[0].endswith('parlor'):
                name = ' '.join(word for word in words[1:3] if re.fullmatch(r'[a-z][a-z-]*', word))
                helps[name] = helps.get(name) or help_of(name)
                for word in words[2:]:
                    option = re.match(r'\[?(--[a-z_-]+)', word)
                    check(option is None or option.group(1) in helps[name], f'{block}: {name} has no {word}')
            elif words[0] != 'curl':
                path = next(word for word in words if word.endswith('.py'))
                check(os.path.exists(os.path.join(ROOT, path)), f'{block}: there is no {path}')


wire.run_cases([
    ('every block is looked at, or has a reason', every_block_is_looked_at),
    ('XML is well-formed', xml_is_well_formed),
    ('messages of the protocol pages are JSON of known types', messages_are_json_of_known_types),
    ('examples of the API have the right form', json_of_the_api),
    ('examples of the API are true', examples_of_the_api_are_true),
    ('commands with curl work', curl_works),
    ('commands and their options exist', options_exist),
])
