#!/usr/bin/env python3
"""Tests of the source tree itself, speaking TAP: layers, banned calls, lists that must be complete, rule numbers.

Every check takes a tree (a dict from path to text) and yields what is wrong with it. After the real tree each check
is given a small tree with a mistake in it and must find it: see MISTAKES.

usage: tree.py [ROOT]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LAYERS = {'base': 0, 'game': 1, 'games': 2, 'bots': 2, 'store': 2, 'host': 3, 'wire': 4, 'server': 5, 'cli': 6}
NEIGHBOURS = {('bots', 'games')}  # of one rank, and still allowed
FUNCTION_LINES_MAX = 90
FILE_LINES_MAX = 1000
RULES_SYSTEM_HEADERS = {'assert.h', 'inttypes.h', 'limits.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'string.h'}
RULES_OWN_HEADERS_BANNED = {'base/mem.h', 'base/clock.h', 'base/log.h', 'base/timers.h', 'base/buf.h'}

CALL = r'(?<![\w.>])(?:%s)\s*\('
BANNED = [  # call, the one file that may
    (CALL % 'strcpy|strcat|sprintf|vsprintf|gets|system|alloca|localtime|gmtime|strtok', None),
    (CALL % 'rand|srand|random|srandom|drand48', None),
    (CALL % 'time|gettimeofday|clock_gettime|clock', 'src/base/clock.c'),
    (CALL % 'malloc|calloc|realloc|free|strdup|strndup|asprintf|vasprintf', 'src/base/mem.c'),
]
RULES_BANNED = CALL % r'mem_\w+|buf_\w+|printf|fprintf|puts|fputs|putchar|fopen|open|read|write|getenv|clock_\w+'

STORE_READS = r'\bstore_(read|read_running|list|list_finished|secret|last_table|origin)\('
STORE_READERS = ('src/host/cup/cups.c', 'src/host/hall/restore.c', 'src/host/table/tables.c')
TRUTH_OWNER = 'src/host/table/'  # which turns it into views
TRUTH_PRIVATE = r'\btable_state\s*\(|(?:->|\.)truth\b|^\s*#\s*include\s+"host/table/internal\.h"'
TRUTH_BANNED = r'\bstruct game_state\b|\bfold\w*(?:->|\.)(?:state|before)\b'
TRUTH_KNOWERS = ('src/game/', 'src/games/', 'src/bots/', 'src/cli/', TRUTH_OWNER)  # rules, search, and tools for journals


def code_of(text):
    """C without its comments and the content of its strings; lines stay where they are."""
    def blank(match):
        piece = match.group(0)
        kept = '""' if piece[0] == '"' else ' ' if piece[0] == '/' else "' '"
        return kept + '\n' * piece.count('\n')
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def c_files(tree, under='src/'):
    return {path: text for path, text in tree.items() if path.startswith(under) and path.endswith(('.c', '.h'))}


def numbered(text):
    return enumerate(text.split('\n'), 1)


def check_layers(tree):
    for path, text in c_files(tree).items():
        layer = path.split('/')[1]
        for number, line in numbered(text):
            match = re.match(r'\s*#\s*include\s+"(\w+)/', line)
            if match is None or match.group(1) not in LAYERS or match.group(1) == layer:
                continue
            other = match.group(1)
            if LAYERS[other] >= LAYERS[layer] and (layer, other) not in NEIGHBOURS:
                yield f'{path}:{number}: {layer}/ includes {other}/'


def check_layer_names(tree):
    for path in c_files(tree):
        if path.split('/')[1] not in LAYERS:
            yield f'{path} is in no layer'


def check_banned_calls(tree):
    for path, text in c_files(tree).items():
        for number, line in numbered(code_of(text)):
            for pattern, owner in BANNED:
                match = re.search(pattern, line)
                if match and path != owner:
                    yield f'{path}:{number}: {match.group(0)}...)'


def check_loop_does_not_wait(tree):
    """What a start reads is read in these files; whatever runs on the loop asks the store, and hears later (store_load, store_look)."""
    for path, text in c_files(tree).items():
        if not path.startswith(('src/host/', 'src/wire/', 'src/server/')) or path in STORE_READERS:
            continue
        for number, line in numbered(code_of(text)):
            match = re.search(STORE_READS, line)
            if match:
                yield f'{path}:{number}: {match.group(0)}...)'


def check_rules_are_pure(tree):
    for path, text in c_files(tree, 'src/games/').items():
        for number, line in numbered(text):
            match = re.match(r'\s*#\s*include\s+([<"])([^>"]+)', line)
            if match and match.group(1) == '<' and match.group(2) not in RULES_SYSTEM_HEADERS:
                yield f'{path}:{number}: rules do not include <{match.group(2)}>'
            if match and match.group(1) == '"' and match.group(2) in RULES_OWN_HEADERS_BANNED:
                yield f'{path}:{number}: rules do not include {match.group(2)}'
        for number, line in numbered(code_of(text)):
            match = re.search(RULES_BANNED, line)
            if match:
                yield f'{path}:{number}: rules do not call {match.group(0)}...)'
            if re.match(r'\s*static\s+(?!const\b|inline\b)[^()]*[;=]', line):
                yield f'{path}:{number}: rules keep nothing outside the state'


def is_listed(listed, path, folder, name):
    """A source stands in a list by its path, or in the line of its folder by its name."""
    line = re.search(rf"^  \['{folder}', \[(.*?)\]\]", listed, re.M | re.S)
    return f"'{path}'" in listed or line is not None and f"'{name}'" in line.group(1)


def check_truth_stays(tree):
    """Only views leave the folder of the tables: nobody else there is can name the truth."""
    for path, text in c_files(tree).items():
        if path.startswith(TRUTH_OWNER):
            continue
        banned = TRUTH_PRIVATE if path.startswith(TRUTH_KNOWERS) else f'{TRUTH_PRIVATE}|{TRUTH_BANNED}'
        code = code_of(text).split('\n')
        for number, line in numbered(text):
            match = re.search(banned, line if line.lstrip().startswith('#') else code[number - 1])
            if match:
                yield f'{path}:{number}: {match.group(0).strip()}'


def is_of_a_list(tree, path):
    """Commands have a list of their own, see below; pictures and bots are built because a game or protocol of their name is."""
    match = re.fullmatch(r'src/cli/(draw|bot)/(\w+)\.c', path)
    names = {'draw': [identifier for identifier, _ in game_names(tree)], 'bot': protocol_names(tree)}
    return match is not None and match.group(2) in names[match.group(1)]


def check_sources_are_built(tree):
    for path in tree:
        match = re.fullmatch(r'(src/\w+)/((?:(\w+)/)?(\w+\.c))', path)
        listed = tree.get(match.group(1) + '/meson.build', '') if match else ''
        known = path == 'src/cli/main.c' or path.startswith('src/cli/cmd_') or is_of_a_list(tree, path)
        if match and not known and not is_listed(listed, *match.groups()[1:]):
            yield f'{path} is not in {match.group(1)}/meson.build'
        match = re.fullmatch(r'tests/unit/test_(\w+)\.c', path)
        if match and f"'{match.group(1)}'" not in tree.get('tests/meson.build', ''):
            yield f'{path} is not in tests/meson.build'
        match = re.fullmatch(r'(tests/fuzz)/fuzz_(\w+)\.c|(tests/sim)/dialect_(\w+)\.c', path)
        folder, name = filter(None, match.groups()) if match else ('', '')
        if match and f"'{name}'" not in tree.get(f'{folder}/meson.build', '') and name not in protocol_names(tree):
            yield f'{path} is neither in {folder}/meson.build nor of a protocol'


def check_commands_are_listed(tree):
    listed = re.search(r'^commands = \[(.*?)\]', tree.get('src/cli/meson.build', ''), re.M | re.S)
    for path, text in tree.items():
        match = re.fullmatch(r'src/cli/cmd_(\w+)\.c', path)
        if match:
            if not re.search(rf'^const struct command cmd_{match.group(1)}\b', text, re.M):
                yield f'{path} has no struct command of its name'
            if not listed or f"'{match.group(1)}'" not in listed.group(1):
                yield f'{path} is not in the list of src/cli/meson.build'


def game_names(tree):
    """The names on wires of the games in the list, and their sources."""
    listed = re.search(r'^games = \[(.*?)^\]', tree.get('src/games/meson.build', ''), re.M | re.S)
    for identifier in re.findall(r"^  \['(\w+)', ", listed.group(1) if listed else '', re.M):
        source = tree.get(f'src/games/{identifier}/{identifier}.c', '')
        name = re.search(r'\.name\s*=\s*"([^"]+)"', source)
        yield identifier, name.group(1) if name else ''


def protocol_names(tree):
    listed = re.search(r'^protocols = \[(.*?)^\]', tree.get('src/wire/meson.build', ''), re.M | re.S)
    return re.findall(r"^  \['(\w+)', ", listed.group(1) if listed else '', re.M)


def check_protocols_are_complete(tree):
    for name in (name.replace('_', '-') for name in protocol_names(tree)):
        if f'docs/protocols/{name}.md' not in tree and f'docs/{name}.md' not in tree:
            yield f'docs/protocols/{name}.md is missing'
        if not any(re.fullmatch(rf'tests/wire/{name}/[\w-]+\.conv', path) for path in tree):
            yield f'tests/wire/{name} has no recorded conversation'


def check_games_are_complete(tree):
    for identifier, name in game_names(tree):
        if not name:
            yield f'src/games/{identifier}/{identifier}.c does not name its game'
            continue
        if name != identifier.replace('_', '-'):
            yield f'src/games/{identifier}/{identifier}.c is called {name}'
        for path in f'docs/rules/{name}.md', f'tests/perft/{name}.txt':
            if path not in tree:
                yield f'{path} is missing'
        if not any(path.startswith(f'tests/goldens/{name}') for path in tree):
            yield f'tests/goldens has no game of {name}'


def rules_of(tree, name):
    return set(re.findall(r'^[#*\-|\s]*(R\d+)\b', tree.get(f'docs/rules/{name}.md', ''), re.M))


def citations_of(tree, identifier, name):
    """Where each rule of a game is cited outside its page: rule -> path."""
    cited = {}
    for path, text in tree.items():
        if path.startswith(('src/', 'tests/')) and identifier in path.replace('-', '_'):
            for rule in re.findall(r'\bR\d+\b', text):
                cited.setdefault(rule, path)
    return cited


def check_rules_are_cited(tree):
    for identifier, name in game_names(tree):
        rules, cited = rules_of(tree, name), citations_of(tree, identifier, name)
        if not rules:
            yield f'docs/rules/{name}.md has no numbered rules'
        for rule in sorted(set(cited) - rules):
            yield f'{cited[rule]} cites {rule}, which docs/rules/{name}.md does not have'
        for rule in sorted(rules - set(cited)):
            yield f'{rule} of docs/rules/{name}.md is cited nowhere in code or tests'


def check_make_targets(tree):
    """What the Makefile lists as a target, and what its help and the docs tell people to type, has a recipe."""
    text = tree.get('Makefile', '')
    recipes = set(re.findall(r'^([a-z]+):.*\n\t', text, re.M))
    listed = set(' '.join(re.findall(r'^\.PHONY:(.*)$', text, re.M)).split())
    for name in sorted(listed - recipes):
        yield f'Makefile: {name} has no recipe'
    for path, content in sorted(tree.items()):
        if path.endswith('.md') or path == 'Makefile':
            for name in sorted(set(re.findall(r'(?:`|"|^)make ([a-z]+)\b', content, re.M)) - recipes):
                yield f'{path}: there is no make {name}'


def refusals_of(tree, under):
    """The rows of lists of refusals under a path: path, constant, word, rule."""
    row = r'\bX\((\w+),\s*"([^"]*)",\s*"[^"]*"(?:,\s*"([^"]*)")?\)'
    for path, text in c_files(tree, under).items():
        for constant, word, rule in re.findall(row, text):
            yield path, constant, word, rule


def check_errors_name_real_rules(tree):
    for path, constant, word, rule in refusals_of(tree, 'src/games/'):
        name, _, number = rule.rpartition(' ')
        if rule and (number not in rules_of(tree, name) or f'/{name.replace("-", "_")}/' not in path):
            yield f'{path}: {rule} of ERR_{constant} is no rule of that game'


def check_error_words(tree):
    shared = {word for path, constant, word, rule in refusals_of(tree, 'src/base/err.h')}
    seen = {}
    if not shared:
        yield 'src/base/err.h has no list'
    for path, constant, word, rule in [*refusals_of(tree, 'src/base/err.h'), *refusals_of(tree, 'src/games/')]:
        is_new = word not in seen.setdefault(path, set()) and (path == 'src/base/err.h' or word not in shared)
        if not is_new or not re.fullmatch(r'[a-z]+(-[a-z]+)*', word):
            yield f'{path}: the word "{word}" of ERR_{constant} is not a new word'
        seen[path].add(word)


def check_errors_have_one_owner(tree):
    """What is nobody's enforces no rule: a rule belongs to a game, and so does what it refuses."""
    for path, constant, word, rule in refusals_of(tree, 'src/base/err.h'):
        if rule:
            yield f'{path}: ERR_{constant} is a refusal of {rule.split()[0]}'


def check_sentences_are_listed(tree):
    """Three words in a row are a sentence for somebody: clients are told those of a list, wire/NAME/refusals.h."""
    sentence = re.compile(r"(?:[A-Za-z']+|%[.*\w]+),?(?: (?:[a-z']+|'?%[.*\w]+'?),?){2,}")
    for path, text in c_files(tree, 'src/wire/').items():
        if re.search(r'/(refusals?\.h|protocol\.c)$', path):  # protocol.c speaks to whoever starts the server, as rows of options do
            continue
        text = re.sub(r'/\*.*?\*/', lambda comment: '\n' * comment.group(0).count('\n'), text, flags=re.S)
        text = re.sub(r'\b(?:static_assert|_Static_assert|LOG_TEXT|JSON_SCHEMA|(?:FIELD|ROW)_[A-Z0-9]+)\((?:[^()]|\([^()]*\))*\)', '', text)
        for number, line in numbered(text):
            for literal in re.findall(r'"((?:\\.|[^"\\])*)"', line):
                is_said = re.search(r'(?<![%.*\w])[a-z]+,? [a-z]', literal) and r'\r\n' not in literal
                if sentence.search(literal) and is_said and not literal.endswith('.'):  # a full stop: of a document
                    yield f'{path}:{number}: "{literal[:60]}" belongs into the list of refusals'


def check_dependencies(tree):
    script, page = tree.get('tools/install-packages', ''), tree.get('docs/dependencies.md', '')
    wanted = set()
    for words in re.findall(r'^(?:build|page|fetch|test|cluster|deb|image)="([^"]*)"', script, re.M):
        wanted |= {word for word in words.split() if not word.startswith('$')}
    reasons = dict(re.findall(r'^\| `([^`]+)` \|\s*(.*?)\s*\|', page, re.M))
    if not wanted:
        yield 'tools/install-packages lists nothing'
    for package in sorted(wanted - set(reasons)):
        yield f'docs/dependencies.md does not say what {package} is for'
    for package in sorted(set(reasons) - wanted):
        yield f'docs/dependencies.md speaks of {package}, which tools/install-packages does not install'
    for package in sorted(wanted & set(reasons)):
        if len(reasons[package].split()) < 4:
            yield f'docs/dependencies.md gives no real reason for {package}'


def check_function_length(tree):
    for path, text in c_files(tree).items():
        start = None
        for number, line in numbered(text):
            if re.match(r'[A-Za-z_].*\)\s*\{$|[ \t]+.*\)\s*\{$', line) and start is None:
                start = number
            if line == '}':
                if start is not None and number - start + 1 > FUNCTION_LINES_MAX:
                    yield f'{path}:{start}: a function of {number - start + 1} lines'
                start = None


def check_static_names(tree):
    """A backtrace, a profile and grep say where one is: no name of a static function stands in two files."""
    places = {}
    for path, text in c_files(tree).items():
        for name in set(re.findall(r'^static [\w ]*?[ *](\w+)\(', code_of(text), re.M)):
            places.setdefault(name, []).append(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f'{name} is a function of {", ".join(sorted(paths))}: let it carry the noun of its file'


def check_file_length(tree):
    for path, text in tree.items():
        lines = text.count('\n')
        if lines > FILE_LINES_MAX and not path.startswith('tests/goldens/') and not path.endswith('-lock.json'):
            yield f'{path} has {lines} lines'


def check_text_files(tree):
    for path, text in tree.items():
        if text and not text.endswith('\n'):
            yield f'{path} does not end with a newline'
        if '\r' in text and not path.startswith(('tests/wire/', 'tests/fuzz/corpus/')):
            yield f'{path} has carriage returns'
        if re.search(r'[ \t]+$', text, re.M) and path.endswith(('.c', '.h', '.py', '.md', '.build')):
            yield f'{path} has blanks at the end of a line'


def check_open_ends(tree):
    words = '|'.join(first + second for first, second in (('TO', 'DO'), ('FIX', 'ME'), ('XX', 'X'), ('HA', 'CK')))
    for path, text in tree.items():
        for number, line in numbered(text):
            if re.search(rf'\b({words})\b', line):
                yield f'{path}:{number}: {line.strip()[:80]}'


def check_no_machine(tree):
    places = '|'.join(('home/' + r'\w', 'root/', 'wo' 'rk/', 'fa' 'rm/', 'mnt/', 'Users/'))
    hosts = '|'.join(('arti' 'factory', r'\bnexus\b', r'registry\.(?!npmjs\.org)\w', 'pypi' r'\.(?!org)\w', 'git' 'lab'))
    for path, text in tree.items():
        for number, line in numbered(text):
            if re.search(rf'(^|[^\w.])/({places})', line):
                yield f'{path}:{number}: a path of one machine: {line.strip()[:80]}'
            if re.search(hosts, line, re.I):
                yield f'{path}:{number}: the name of a private host: {line.strip()[:80]}'


def check_format(tree):
    """One call for all files: starting the program is what takes its time."""
    paths = [path for path in tree if path.endswith(('.c', '.h'))]
    with tempfile.TemporaryDirectory() as copy:
        for path in paths + [path for path in tree if path == '.clang-format']:
            os.makedirs(os.path.dirname(os.path.join(copy, path)) or copy, exist_ok=True)
            with open(os.path.join(copy, path), 'w', encoding='utf-8') as file:
                file.write(tree[path])
        said = subprocess.run(['clang-format', '--dry-run', *paths], cwd=copy, text=True, capture_output=True).stderr
    for path in sorted(set(re.findall(r'^(\S+?):\d+:\d+: warning', said, re.M))):
        yield f'{path} is not as clang-format would have it (make format)'


CHECKS = [
    ('nothing includes a higher layer', check_layers),
    ('every source is in a layer', check_layer_names),
    ('no banned calls', check_banned_calls),
    ('rules neither allocate nor do I/O nor remember', check_rules_are_pure),
    ('only views leave the tables', check_truth_stays),
    ('the loop does not wait for the store', check_loop_does_not_wait),
    ('every source is built', check_sources_are_built),
    ('every command is in the list', check_commands_are_listed),
    ('every game has its rules page, perft file and golden', check_games_are_complete),
    ('every protocol has its page and conversations', check_protocols_are_complete),
    ('every rule is cited, every citation is a rule', check_rules_are_cited),
    ('make does what it lists', check_make_targets),
    ('errors name real rules', check_errors_name_real_rules),
    ('error words are unique', check_error_words),
    ('a game has its refusals', check_errors_have_one_owner),
    ('sentences of protocols stand in their lists', check_sentences_are_listed),
    ('every package has a reason', check_dependencies),
    ('functions are short', check_function_length),
    ('functions carry the noun of their file', check_static_names),
    ('files are short', check_file_length),
    ('text files are clean', check_text_files),
    ('no open ends', check_open_ends),
    ('no paths or hosts of one machine', check_no_machine),
    ('sources are formatted', check_format),
]

CHESS = "games = [\n  ['chess', ['chess.c']],\n]\nfiles('games.c')\n"
SMOKE = "protocols = [\n  ['smoke', ['port.c', 'protocol.c']],\n]\n"
GAME = {'src/games/meson.build': CHESS, 'src/games/chess/chess.c': '.name = "chess",\n/* R1 */\n'}
MISTAKES = {  # for every check some small trees in which it must find something
    check_layers: [{'src/games/a.c': '#include "host/hall/hall.h"\n'}, {'src/base/a.c': '#include "game/game.h"\n'},
                   {'src/games/a.c': '#include "bots/a.h"\n'}, {'src/server/a.c': '#include "cli/a.h"\n'}],
    check_layer_names: [{'src/util/a.c': ''}],
    check_banned_calls: [{'src/host/a.c': f'int x = {call};\n'} for call in
                         ('strcpy(a, b)', 'sprintf (a)', 'rand()', 'time(NULL)', 'malloc(3)', 'free(a)', 'alloca(9)')],
    check_rules_are_pure: [{'src/games/a.c': line + '\n'} for line in
                           ('#include <stdlib.h>', '#include "base/mem.h"', 'x = mem_alloc(9);', '    printf("a");',
                            'static int counter;', '    static unsigned calls = 0;')],
    check_loop_does_not_wait: [{'src/host/hall/a.c': '    enum err e = store_read(store, id, 1, visit, context);\n'},
                               {'src/wire/go/a.c': '    if (store_list_finished(s, 0, 0, visit, c) != ERR_OK)\n'}],
    check_truth_stays: [{f'src/{folder}/a.c': f'    {line}\n'} for folder in ('wire/go', 'server', 'host/hall') for line in
                        ('const struct game_state *s;', 'x = table_state(t);', 'x = snapshot->truth;', 'x = fold->state;',
                         'x = p->fold.before;', '#include "host/table/internal.h"')] +
                       [{'src/cli/a.c': 'x = table_state(t);\n'}, {'src/bots/a.c': '#include "host/table/internal.h"\n'}],
    check_sources_are_built: [{'src/base/a.c': '', 'src/base/meson.build': "'b.c'\n"}, {'tests/unit/test_a.c': ''},
                              {'src/games/go/go.c': '', 'src/games/meson.build': CHESS},
                              {'tests/fuzz/fuzz_a.c': ''}, {'tests/sim/dialect_a.c': '', 'src/wire/meson.build': SMOKE}],
    check_commands_are_listed: [{'src/cli/cmd_a.c': 'const struct command cmd_a = {\n', 'src/cli/meson.build': "commands = ['b']\n"},
                                {'src/cli/cmd_a.c': '\n', 'src/cli/meson.build': "commands = ['a']\n"}],
    check_games_are_complete: [GAME, {'src/games/meson.build': CHESS, 'src/games/chess/chess.c': '.name = "go",\n'}],
    check_protocols_are_complete: [{'src/wire/meson.build': SMOKE, 'docs/protocols/smoke.md': ''},
                                   {'src/wire/meson.build': SMOKE, 'tests/wire/smoke/a.conv': ''}],
    check_make_targets: [{'Makefile': '.PHONY: go\n'}, {'Makefile': 'go:\n\techo\n', 'docs/a.md': 'Run `make gone`.\n'}],
    check_rules_are_cited: [GAME, dict(GAME, **{'docs/rules/chess.md': '## R1 one\n## R2 two\n'}),
                            dict(GAME, **{'docs/rules/chess.md': '## R2 two\n', 'tests/unit/test_chess.c': 'R2'})],
    check_errors_name_real_rules: [{'src/games/chess/refusals.h': 'X(A, "a", "b", "chess R9")\n'},
                                   {'src/games/go/go.c': 'X(A, "a", "b", "chess R1")\n', 'docs/rules/chess.md': '- R1 one\n'}],
    check_error_words: [{'src/base/err.h': 'X(A, "a", "") X(B, "a", "")\n'}, {}, {'src/base/err.h': 'X(A, "A", "")\n'},
                        {'src/base/err.h': 'X(A, "a", "")\n', 'src/games/chess/refusals.h': 'X(B, "a", "", "")\n'}],
    check_errors_have_one_owner: [{'src/base/err.h': 'X(A, "a", "b", "chess R1")\n'}],
    check_sentences_are_listed: [{'src/wire/chess/port.c': line + '\n'} for line in
                                 ('    refuse(s, "you do not play yet");', '    say("the field \\"a\\" is no move");',
                                  '    *why = "%s is missing";', 'static const char late[] = "come back, later then";')],
    check_dependencies: [{'tools/install-packages': 'build="gcc"\n'},
                         {'tools/install-packages': 'build="gcc"\n', 'docs/dependencies.md': '| `gcc` | why |\n'},
                         {'tools/install-packages': 'build="gcc"\n',
                          'docs/dependencies.md': '| `gcc` | it compiles all of this |\n| `tcc` | a b c d |\n'}],
    check_function_length: [{'src/a/a.c': 'int f(void) {\n' + '    x;\n' * FUNCTION_LINES_MAX + '}\n'}],
    check_static_names: [{'src/a/a.c': 'static void refuse(int x) {\n}\n', 'src/a/b.c': 'static enum err *refuse(void) {\n}\n'}],
    check_file_length: [{'a': '\n' * (FILE_LINES_MAX + 1)}],
    check_text_files: [{'a': 'x'}, {'a': 'x\r\n'}, {'a.c': 'x \n'}],
    check_open_ends: [{'a': 'TO' + 'DO: later\n'}],
    check_no_machine: [{'a': 'see /' + 'home/me/x\n'}, {'a': 'https://registry' + '.internal/x\n'}],
    check_format: [{'src/a.c': 'int   x ;\n'}],
}
INNOCENT = {  # a tree in which no check may find anything
    'src/host/table/a.c': '#include "host/table/internal.h"\nconst struct game_state *s = table_state(t);\n',
    'src/host/meson.build': "'table/a.c'\n",
    'src/games/games.c': '\n',
    'src/games/chess/chess.c': '/* R1: free() and time() */\nstatic const char *name = "malloc(";\n.name = "chess",\n',
    'src/cli/cmd_a.c': 'const struct command cmd_a = {\n    ops->free(a);\n',
    'src/wire/meson.build': SMOKE, 'docs/protocols/smoke.md': '', 'tests/wire/smoke/two-clients.conv': '',
    'tests/fuzz/fuzz_smoke.c': '', 'tests/sim/dialect_smoke.c': '',
    'src/games/meson.build': CHESS, 'src/cli/meson.build': "commands = ['a']\n",
    'src/base/err.h': 'X(A, "a-b", "", "")\n', 'docs/rules/chess.md': '- R1 one\n',
    'src/games/chess/refusals.h': 'X(B, "b", "c", "chess R1")\n', 'src/games/go/refusals.h': 'X(B, "b", "c", "")\n',
    'src/wire/smoke/refusals.h': 'REFUSAL(smoke_early, ERR_NOT_YOUR_TURN, "you do not play yet")\n',
    'src/wire/smoke/port.c': '/* "you do not play yet" */\nstatic_assert(A == 1, "the sentence says so");\nsay("thank you");\n',
    'src/wire/smoke/protocol.c': '.help = "how long a player may think",\n',
    'tests/perft/chess.txt': '', 'tests/goldens/chess-1.txt': '',
    'tools/install-packages': 'build="gcc"\n', 'docs/dependencies.md': '| `gcc` | it compiles all of this |\n',
}


def read_tree(root):
    listed = subprocess.run(['git', '-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                            capture_output=True, check=True).stdout.decode().split('\0')
    tree = {}
    for path in sorted(filter(None, listed)):
        full = os.path.join(root, path)
        if os.path.isfile(full) and not os.path.islink(full):
            with open(full, 'rb') as file:
                content = file.read()
            if b'\0' not in content and not path.startswith('tests/fuzz/corpus/'):
                tree[path] = content.decode('utf-8', 'replace')
    return tree


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
    tree = read_tree(root)
    has_format = shutil.which('clang-format') is not None
    print(f'1..{2 * len(CHECKS)}')
    for number, (name, check) in enumerate(CHECKS):
        if check is check_format and not has_format:
            print(f'ok {2 * number + 1} - {name} # SKIP clang-format is missing')
            print(f'ok {2 * number + 2} - the check itself: {name} # SKIP clang-format is missing')
            continue
        problems = list(check(tree))
        print(f'{"not ok" if problems else "ok"} {2 * number + 1} - {name}')
        for problem in problems:
            print(f'# {problem}')
        blind = [mistake for mistake in MISTAKES[check] if not list(check(mistake))]
        false = [] if check is check_format else list(check(INNOCENT))
        print(f'{"not ok" if blind or false else "ok"} {2 * number + 2} - the check itself: {name}')
        for mistake in blind:
            print(f'# does not see: {str(mistake)[:100]!r}')
        for problem in false:
            print(f'# complains without reason: {problem}')


main()
