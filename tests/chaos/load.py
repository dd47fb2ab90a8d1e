"""Players of every protocol who play on and on through a proxy, whatever happens behind it, and who remember everything that they
were told. Whoever loses its connection begins a new table under a new name, or goes on with its token; what it was told before
still counts.

What is remembered is in the words of the protocol; `fact_of` of a player's class makes the same form from an event of the
journal, so that oracle.py can hold one against the other.
"""
import http.client
import itertools
import json
import os
import random
import selectors
import socket
import sys
import threading
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
for folder in ('tests/wire', 'clients/python/examples'):
    sys.path.insert(0, os.path.join(ROOT, folder))
import crash  # noqa: E402  (found by the lines above, like those that follow)
import eriantys_client  # noqa: E402
import native  # noqa: E402
import renaissance_client  # noqa: E402
import santorini_client  # noqa: E402
import treasure_client  # noqa: E402

SILENCE_S = 20  # after that a client gives its connection up
PAUSE_S = 0.2   # before it tries again
POLL_S = 0.03   # of a player who polls
FAILURES_MAX = 200  # in a row, until such a player gives up
DISCONNECTED = 'UserDisconnected'  # of Eriantys: nobody plays until everybody is there
MAYBE = 'maybe'  # stands in a fact that nobody has confirmed
PAUSE = 'after a pause'  # ends a fact: what was played before it may have been told as a whole and not one by one
STANDS = 'stands'  # begins a fact: how far the game is
WATCHED_MAX = 48
# Gods whose moves and builds are those that their players send; others build and move by themselves.
GODS = ('Apollo', 'Artemis', 'Athena', 'Atlas', 'Demeter', 'Hephaestus', 'Minotaur', 'Pan', 'Prometheus', 'Zeus')
LOST = (OSError, http.client.HTTPException, ValueError, KeyError, IndexError, AttributeError, StopIteration, SystemExit, RuntimeError,
        native.wire.Failure)


class Score:
    """What all players together have seen; shared by their threads."""

    def __init__(self, ports):
        self.ports = ports
        self.lock, self.ending = threading.Lock(), threading.Event()
        self.acknowledged = self.stall_s = 0
        self.last = time.monotonic()
        self.by_protocol, self.came, self.players = {}, {}, []
        self.api_acts = []    # (code, version, action)
        self.feed_events = {}  # code -> version -> {(at_ms, kind, actions)}: one, unless somebody was told something else
        self.numbers = itertools.count(1)

    def name(self, letter):
        """One that nobody has had."""
        return f'{letter}{next(self.numbers)}x'

    def begin(self, player):
        with self.lock:
            self.players.append(player)
            self.came[player.protocol] = self.came.get(player.protocol, 0) + 1

    def acknowledge(self, protocol):
        """A move is known to be on disk."""
        with self.lock:
            now = time.monotonic()
            self.stall_s, self.last = max(self.stall_s, now - self.last), now
            self.acknowledged += 1
            self.by_protocol[protocol] = self.by_protocol.get(protocol, 0) + 1

    def stall(self):
        """The longest time without an acknowledged move since this was asked last."""
        with self.lock:
            longest, self.stall_s = self.stall_s, 0
            return longest

    def feed(self, code, event):
        with self.lock:
            self.feed_events.setdefault(code, {}).setdefault(event['version'], set()).add(
                (event['at_ms'], event['kind'], ' '.join(event['actions'])))


class Teller:
    """Mixed into a client: the facts that it was told, in order."""
    protocol = None

    def begun(self, score, name):
        self.score, self.told, self.told_name = score, [], name
        score.begin(self)

    def tell(self, *fact):
        self.told.append(fact)
        self.score.acknowledge(self.protocol)


def place(cell):
    return f"{cell['i']}{cell['j']}"


class Santorini(santorini_client.Player, Teller):
    """Is told the moves and builds of both."""
    protocol = 'santorini'

    def __init__(self, score, name):
        super().__init__('127.0.0.1', score.ports['santorini'], name)
        self.begun(score, name)

    def on_chooseMatchGodCards(self, message):
        gods = [god for god in message['godDescriptions'] if god in GODS]
        self.send('setMatchGodCards', godCardNames=random.sample(sorted(gods), int(message['numberOfPlayers'])))

    def on_playerAdded(self, message):
        if not message['result']:
            raise RuntimeError('the name is taken')  # another would not be found in the journal

    def on_move(self, message):
        if message['result']:
            self.tell(message['name'], 'move', place(message['dst']))
        super().on_move(message)

    def on_build(self, message):
        if message['result']:
            self.tell(message['name'], 'build', place(message['dst']))
        super().on_build(message)

    @staticmethod
    def fact_of(name, words):
        return (name, 'move' if words[0] == 'move' else 'build', words[2]) if words[0] in ('move', 'build', 'dome') else None


class Renaissance(renaissance_client.Player, Teller):
    """Is told what both do in public."""
    protocol = 'renaissance'
    WORDS = {'MARKETACTION': 'push', 'BUYDEVELOPMENTCARD': 'buy', 'DISCARDLEADERCARD': 'discard'}

    def __init__(self, score, name):
        super().__init__(f"127.0.0.1:{score.ports['renaissance']}", name, 2)
        self.begun(score, name)

    def update(self, m):
        if m['type'] == 'layoutUpdate' and m['action'] in self.WORDS:
            self.tell(m['nickname'], self.WORDS[m['action']])
        super().update(m)

    @staticmethod
    def fact_of(name, words):
        return (name, words[0]) if words[0] in ('push', 'buy', 'discard') else None


class Eriantys(Teller):
    """Is told the commands of the other, and how far the game is after everything that happens, its own commands included."""
    protocol = 'eriantys'

    def __init__(self, score, name, code=None, created=None):
        self.socket = socket.create_connection(('127.0.0.1', score.ports['eriantys']))
        self.name, self.code, self.created, self.table = name, code, created, None
        self.is_paused = True
        self.begun(score, name)

    def send(self, kind, **fields):
        self.socket.sendall(json.dumps({'type': kind, **fields}).encode() + b'\n')

    def play(self):
        if self.code:
            self.send('enterGame', code=self.code)
        else:
            self.send('gameCreation', playersNumber=2, expert=False)
        for line in self.socket.makefile(encoding='utf-8'):
            message = json.loads(line)
            getattr(self, 'on_' + message['type'], lambda _: None)(message)
            if message['type'] == 'win':
                return

    def on_ping(self, _):
        self.send('pong')

    def on_gameCreation(self, message):
        self.created(message['code'])
        self.send('enterGame', code=message['code'])

    def on_enterGame(self, message):
        if not message['found']:
            raise RuntimeError('no such game')
        self.send('login', name=self.name)

    def on_status(self, message):
        self.table = eriantys_client.Table(message, self.name)
        fact = (STANDS, message['round'], message['activeUser'], message['subPhase'])
        self.told.append((*fact, PAUSE) if self.is_paused else fact)

    def on_error(self, message):
        self.is_paused = self.is_paused or message['message'] == DISCONNECTED

    def on_turnEnable(self, message):
        if message['enable'] and message['player'] == self.name:
            self.send('command', **self.table.command())

    def on_gameStart(self, _):
        """Everybody is there again; the status before it says how the game stands."""
        self.is_paused = False
        self.told[-1] = (*self.told[-1][:4], PAUSE)

    def on_command(self, message):
        word = {'playAssistant': 'assistant', 'refill': 'cloud'}.get(message['subtype'])
        if message['subtype'] == 'move':
            word = 'student' if message['pawn'] == 'student' else 'mother'
        extra = {'assistant': 'assistant', 'cloud': 'cloud', 'student': 'color'}.get(word)
        self.tell(word, *([str(message[extra])] if extra else []))

    @staticmethod
    def fact_of(name, words):
        return (name, *words[:1 if words[0] == 'mother' else 2])


class Treasure(Teller):
    """Knows which of its own moves were taken, and goes on at whichever node answers. A move without an answer may have been taken."""
    protocol = 'treasure'

    def __init__(self, score, name, game):
        self.server = treasure_client.Server(f"http://127.0.0.1:{score.ports['http']}", 0.02)
        self.server.connection.timeout = SILENCE_S
        self.name, self.game, self.failures = name, game, 0
        self.begun(score, name)

    def ask(self, *request):
        """The answer, or None when there is none or it is no good one; too many of those in a row end the game."""
        try:
            answer = self.server.ask(*request)
            self.failures = 0
            return answer
        except (OSError, http.client.HTTPException, SyntaxError, SystemExit):
            self.server.connection.close()
            self.failures += 1
            if self.failures > FAILURES_MAX:
                raise
            self.score.ending.wait(PAUSE_S)
            return None

    def play(self):
        answer = self.server.ask('POST', f'/games/{self.game}/players',
                                 f'<playerRegistration><playerUsername>{self.name}</playerUsername></playerRegistration>')
        player, seen, direction, start = answer.findtext('data/uniquePlayerID'), set(), None, None
        while not self.score.ending.is_set():
            answer = self.ask('GET', f'/games/{self.game}/states/{player}')
            data = answer.find('data') if answer is not None else None
            me = next(p for p in data.iter('player') if p.findtext('uniquePlayerID') == player) if data is not None else None
            if me is None or me.findtext('state') != 'MustAct':
                if me is not None and me.findtext('state') in ('Won', 'Lost'):
                    return
                self.score.ending.wait(POLL_S)
                continue
            fields = treasure_client.Map(data)
            seen.add(fields.me)
            if fields.me != start:
                start, direction = fields.me, treasure_client.choose(fields, seen, me.findtext('collectedTreasure') == 'true')
            if self.ask('POST', f'/games/{self.game}/moves', f'<playerMove><uniquePlayerID>{player}</uniquePlayerID><move>{direction}</move>'
                        '</playerMove>') is not None:
                self.tell(direction.lower())
            else:
                self.told.append((direction.lower(), MAYBE))

    @staticmethod
    def fact_of(name, words):
        return (name, words[0]) if words[0] != 'enter' else None


class Ugs(crash.Player):
    """A player of the Universal Game System; crash.py has what it remembers and how that is compared."""
    protocol = 'ugs'

    def __init__(self, score, name, selector):
        self.score, self.told_name, self.waits = score, name, False
        super().__init__(score.ports['ugs'], name, selector)
        score.begin(self)

    def send(self, text):
        self.waits = self.waits or 'type="move"' in text
        super().send(text)

    def take(self, message):
        if 'type="gameState"' in message and '<point' in message and self.waits:
            self.waits = False
            self.score.acknowledge(self.protocol)
        return super().take(message)


class Http:
    """Requests of the native API, each with its outcome: (status, answer), or (0, None) when nobody knows."""

    def __init__(self, score):
        self.score, self.connection = score, None

    def ask(self, method, path, body=None, token=None):
        head = {'Content-Type': 'application/json'} if body is not None else {}
        if token:
            head['Authorization'] = 'Bearer ' + token
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection('127.0.0.1', self.score.ports['http'], timeout=SILENCE_S)
            self.connection.request(method, '/api/v1' + path, None if body is None else json.dumps(body), head)
            answer = self.connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if 'json' in answer.headers.get('Content-Type', '') else None
        except (OSError, http.client.HTTPException, ValueError):
            self.connection = None
            return 0, None

    def sure(self, method, path, body=None, token=None, status=200):
        """An answer that must be this; otherwise the table is given up."""
        found, answer = self.ask(method, path, body, token)
        if found != status:
            raise RuntimeError(f'{method} {path}: {found} {answer}')
        return answer


def api_play(score):
    """One table of the native API, by two seats in turn; goes on with its tokens after whatever happens."""
    server = Http(score)
    code = server.sure('POST', '/tables', {'game': random.choice(('paper-soccer', 'santorini'))}, status=201)['code']
    tokens = [server.sure('POST', f'/tables/{code}/seats', {'name': score.name('n')}, status=201)['token'] for _ in range(2)]
    with score.lock:
        score.came['api'] = score.came.get('api', 0) + 2
    while not score.ending.is_set():
        status, table = server.ask('GET', f'/tables/{code}')
        if status == 404 or (status == 200 and table['over']):
            return
        if status != 200 or not table['turn']:
            score.ending.wait(PAUSE_S)
            continue
        token = tokens[table['turn'][0]]
        status, own = server.ask('GET', f'/tables/{code}', token=token)
        if status != 200 or not (own['legal'] or own['legal_samples']):
            score.ending.wait(POLL_S)
            continue
        action = random.choice(own['legal'] or own['legal_samples'])
        status, answer = server.ask('POST', f'/tables/{code}/actions', {'actions': [action], 'version': own['version']}, token)
        if status == 200:
            with score.lock:
                score.api_acts.append((code, answer['version'], action))
            score.acknowledge('api')
        elif status not in (0, 409, 422, 502, 503, 504):
            raise native.wire.Failure(f'{action} at {code}: {status} {answer}')


class Unlooked:
    """The place of native.Socket's server, which holds nothing against the document here: other tests do."""

    def __init__(self, port):
        self.port, self.description = port, self

    def check_part(self, *_):
        pass


def watch(score):
    """A watcher of whatever is in the lobby, of all protocols; after a cut it goes on with the version that it has."""
    versions = {}
    while not score.ending.is_set():
        try:
            with native.Socket(Unlooked(score.ports['http'])) as feed:
                feed.socket.settimeout(SILENCE_S)
                feed.say(type='lobby')
                for code, version in versions.items():
                    feed.say(type='watch', table=code, version=version)
                watch_feed(score, feed, versions)
        except LOST:
            score.ending.wait(PAUSE_S)


def watch_feed(score, feed, versions):
    while not score.ending.is_set():
        message = feed.hear()
        if message['type'] in ('lobby', 'lobby-table'):
            shown = message['tables'] if message['type'] == 'lobby' else [message['table']]
            for code in [table['code'] for table in shown if table['code'] not in versions][:max(0, WATCHED_MAX - len(versions))]:
                versions[code] = 0
                feed.say(type='watch', table=code, version=0)
        elif message['type'] == 'table':
            for event in message['events']:
                score.feed(message['code'], event)
            if not message.get('gap'):
                versions[message['code']] = message['version']
            if message['over']:
                versions.pop(message['code'], None)
                feed.say(type='unwatch', table=message['code'])
        elif message['type'] in ('gone', 'refused'):
            versions.pop(message.get('code'), None)


def again_and_again(score, play):
    """A thread that plays one table after the other, whatever happens to them."""
    def run():
        while not score.ending.is_set():
            try:
                play(score)
            except LOST:
                pass
            score.ending.wait(PAUSE_S)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def two(first, second):
    """Both to their end; the second in a thread of its own."""
    def run():
        try:
            second.play()
        except LOST:
            pass
        second_socket = getattr(second, 'socket', None)
        if second_socket is not None:
            second_socket.close()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        first.play()
    finally:
        if getattr(first, 'socket', None) is not None:
            first.socket.close()
        thread.join()


def santorini_play(score):
    two(Santorini(score, score.name('s')), Santorini(score, score.name('s')))


def renaissance_play(score):
    two(Renaissance(score, score.name('ren')), Renaissance(score, score.name('ren')))


def treasure_play(score):
    answer = treasure_client.Server(f"http://127.0.0.1:{score.ports['http']}", 0).ask('GET', '/games')
    game = answer.findtext('uniqueGameID')
    two(Treasure(score, score.name('t'), game), Treasure(score, score.name('t'), game))


def eriantys_play(score):
    known, codes = threading.Event(), []

    def created(code):
        codes.append(code)
        known.set()
    first = Eriantys(score, score.name('e'), created=created)
    thread = threading.Thread(target=swallow, args=(first.play,), daemon=True)
    thread.start()
    try:
        if known.wait(SILENCE_S):
            second = Eriantys(score, score.name('e'), codes[0])
            try:
                second.play()
            finally:
                second.socket.close()
    finally:
        first.socket.close()
        thread.join()


def swallow(play):
    try:
        play()
    except LOST:
        pass


def ugs_play(score, players):
    """So many players in one thread; whoever is disconnected comes again under another name."""
    selector = selectors.DefaultSelector()
    while not score.ending.is_set():
        while len(selector.get_map()) < players:
            try:
                Ugs(score, score.name('u'), selector)
            except OSError:
                score.ending.wait(PAUSE_S)
                break
        for key, _ in selector.select(PAUSE_S):
            try:
                if key.data.read() is None:
                    score.ending.wait(PAUSE_S)
            except OSError:
                selector.unregister(key.fileobj)
                key.data.socket.close()


def begin(score, pairs):
    """So many tables of each protocol at a time; returns the threads."""
    socket.setdefaulttimeout(SILENCE_S)
    plays = [api_play, santorini_play, renaissance_play, treasure_play, eriantys_play]
    threads = [again_and_again(score, play) for play in plays for _ in range(pairs)]
    threads.append(again_and_again(score, lambda one: ugs_play(one, 2 * pairs)))
    threads += [threading.Thread(target=watch, args=(score,), daemon=True) for _ in range(2)]
    for thread in threads[-2:]:
        thread.start()
    return threads
