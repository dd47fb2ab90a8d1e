"""What the Treasure Hunt tests share: a server with its --http listener, both kinds of player, the schemas, and the
rules as far as a player needs them. Written from the protocol page alone.
"""
import heapq
import http.client
import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

import wire

SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'protocols', 'treasure')
UUID = r'[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
STEPS = {'Up': (0, -1), 'Down': (0, 1), 'Left': (-1, 0), 'Right': (1, 0)}
EFFORT = {'Grass': 1, 'Mountain': 2}
random.seed(1)  # a test does the same every time, as far as it depends on its own choices


class Server(wire.Process):
    """parlor serve with only the --http listener; can be killed and started again on the same data."""

    def __init__(self, parlor, options=(), data=None):
        self.parlor, self.options = parlor, options
        self.data = data or tempfile.mkdtemp(prefix='parlor-test-')
        super().__init__([parlor, 'serve', '--data', os.path.join(self.data, 'data'), *wire.ask.listen(parlor, 'http'),
                          '--log-level', 'warn', '--hunt-poll-interval', '0', '--hunt-action-time', '60',
                          *wire.seeded(options, data)])
        guard = threading.Timer(wire.DEADLINE_S, self.kill)
        guard.start()
        ready = self.process.stdout.readline().decode()
        guard.cancel()
        self.addresses = wire.ask.ready(ready)
        if not self.addresses:
            self.kill()
            raise wire.Failure(f'the server is not ready: {ready!r}\n{self.error_text()[-2000:]}')
        self.port = wire.ask.port(self.addresses['http'])
        self.connection = None

    @property
    def address(self):
        return f'http://127.0.0.1:{self.port}'

    def request(self, method, path, body=None, headers=()):
        """(status, headers, body) of one request, on a connection that is kept."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=wire.DEADLINE_S)
        data = body.encode() if isinstance(body, str) else body
        try:
            self.connection.request(method, path, data, dict(headers))
            answer = self.connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except Exception:
            self.connection.close()
            self.connection = None
            raise

    def ask(self, method, path, body=None):
        """The text of an answer that must be 200 and XML."""
        status, headers, data = self.request(method, path, body, {'Accept': 'application/xml'})
        if status != 200 or not headers['Content-Type'].startswith('application/xml'):
            raise wire.Failure(f'{method} {path} gave {status} {headers["Content-Type"]} {data[:300]}')
        return data.decode()

    def create(self, query=''):
        return xml.fromstring(self.ask('GET', '/games' + query).encode()).findtext('uniqueGameID')

    def restarted(self):
        """Another run on the same data, after kill -9."""
        self.kill()
        return Server(self.parlor, self.options, self.data)

    def stop(self):
        self.process.terminate()
        self.wait()

    def close(self):
        self.kill()
        shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def validate(schema, texts):
    """All these documents must keep the schema."""
    folder = tempfile.mkdtemp(prefix='parlor-test-')
    try:
        paths = []
        for number, text in enumerate(texts):
            paths.append(os.path.join(folder, f'{number}.xml'))
            with open(paths[-1], 'w', encoding='utf-8') as file:
                file.write(text)
        result = subprocess.run(['xmllint', '--noout', '--nonet', '--schema', os.path.join(SCHEMAS, schema + '.xsd'), *paths],
                                capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise wire.Failure(f'{schema}: {result.stderr[:1500]}')
    finally:
        shutil.rmtree(folder)


def check(condition, text):
    if not condition:
        raise wire.Failure(text)


def error(text):
    """(name, message) of an answer that must be a refusal."""
    validate('errorEnvelope', [text])
    answer = xml.fromstring(text.encode())
    return answer.findtext('exceptionName'), answer.findtext('exceptionMessage')


def okay(text):
    validate('moveResponse', [text])
    check(xml.fromstring(text.encode()).findtext('state') == 'Okay', f'not Okay: {text[:300]}')


class State:
    """One state answer."""

    def __init__(self, text, player_id):
        self.text = text
        root = xml.fromstring(text.encode())
        check(root.findtext('state') == 'Okay', f'no state: {text[:300]}')
        data = root.find('data')
        self.id = data.findtext('gameStateId')
        self.players = list(data.iter('player'))
        self.own = [p for p in self.players if p.findtext('uniquePlayerID') == player_id]
        check(len(self.own) == 1, f'{len(self.own)} entries of the player itself')
        self.other = [p for p in self.players if p is not self.own[0]]
        self.standing = self.own[0].findtext('state')
        self.has_treasure = self.own[0].findtext('collectedTreasure') == 'true'
        self.nodes = {}
        for node in data.iter('mapNode'):
            place = int(node.findtext('X')), int(node.findtext('Y'))
            check(place not in self.nodes, f'{place} is there twice')
            self.nodes[place] = {child.tag: child.text for child in node}

    def where(self, tag, *words):
        return [place for place, node in self.nodes.items() if node[tag] in words]

    @property
    def position(self):
        return self.where('playerPositionState', 'MyPlayerPosition', 'BothPlayerPosition')[0]

    @property
    def enemy(self):
        return self.where('playerPositionState', 'EnemyPlayerPosition', 'BothPlayerPosition')[0]

    @property
    def content(self):
        """Everything but the id of the state."""
        return self.text.replace(self.id, '')

    def effort(self, place):
        return EFFORT.get(self.nodes.get(place, {}).get('terrain'))

    def illegal(self):
        """Directions that lead into water or off the map."""
        x, y = self.position
        return [name for name, (dx, dy) in STEPS.items() if self.effort((x + dx, y + dy)) is None]


class Player:
    """A seed player: explores the nearest field that is new to it, and goes for what it sees."""
    schema = 'gameStateResponse'

    def __init__(self, server, game, name='ann', register=True):
        self.server, self.game, self.name = server, game, name
        self.seen, self.direction, self.start, self.actions, self.states = set(), None, None, 0, []
        if register:
            text = server.ask('POST', f'/games/{game}/players', self.registration())
            validate('registrationResponse', [text])
            self.id = xml.fromstring(text.encode()).findtext('data/uniquePlayerID')
            check(re.fullmatch(UUID, self.id) is not None, f'the id {self.id} is no UUID')

    def registration(self):
        return f'<playerRegistration><playerUsername>{escape(self.name)}</playerUsername></playerRegistration>'

    def state(self):
        state = State(self.server.ask('GET', f'/games/{self.game}/states/{self.id}'), self.id)
        self.states.append(state)
        return state

    def move(self, direction):
        """The text of the answer."""
        return self.server.ask('POST', f'/games/{self.game}/moves', '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
                               f'<playerMove><uniquePlayerID>{self.id}</uniquePlayerID><move>{direction}</move></playerMove>')

    def way(self, state, is_goal):
        queue, done = [(0, state.position, None)], set()
        while queue:
            cost, place, first = heapq.heappop(queue)
            if place in done:
                continue
            done.add(place)
            if first and is_goal(place):
                return first
            for name, (dx, dy) in STEPS.items():
                beside = place[0] + dx, place[1] + dy
                if state.effort(beside) and beside not in done:
                    heapq.heappush(queue, (cost + state.effort(place) + state.effort(beside), beside, first or name))
        raise wire.Failure('there is nowhere to go')

    def uncover(self, state):
        x, y = state.position
        self.seen.add((x, y))
        if state.effort((x, y)) == 2:
            self.seen |= {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}

    def act(self, state):
        self.uncover(state)
        if state.position != self.start:
            self.start = state.position
            targets = (state.where('fortState', 'EnemyFortPresent') if state.has_treasure
                       else state.where('treasureState', 'MyTreasuresPresent', 'MyTreasureIsPresent'))
            self.direction = self.way(state, (lambda p: p == targets[0]) if targets else (lambda p: p not in self.seen))
        okay(self.move(self.direction))
        self.actions += 1

    def step(self):
        """Acts if it is its turn; true while the game goes on."""
        state = self.state()
        if state.standing == 'MustAct':
            self.act(state)
        return state.standing in ('MustAct', 'MustWait')

    def check_states(self):
        validate(self.schema, {state.text for state in self.states})


class CoursePlayer(Player):
    """A course player: three names, other words, and a half map as its first action."""
    schema = 'course-gameStateResponse'
    forts = 1  # of its half map

    def registration(self):
        return ('<?xml version="1.0" encoding="UTF-8" standalone="yes"?><playerRegistration>'
                f'<studentFirstName>{escape(self.name)}</studentFirstName><studentLastName>Maier</studentLastName>'
                '<studentUAccount>maiera99</studentUAccount></playerRegistration>')

    def send_half(self, fields):
        return self.server.ask('POST', f'/games/{self.game}/halfmaps', half_body(self.id, fields))

    def act(self, state):
        if len(state.nodes) < 100 and not state.where('fortState', 'MyFortPresent'):
            okay(self.send_half(half_map(self.forts)))
            self.actions += 1
        else:
            super().act(state)


class SixForts(CoursePlayer):
    """A course player of 2025: six fields of its half map are forts, and the server draws one of them."""
    forts = 6


def half_body(player_id, fields):
    nodes = ''.join(f'<playerHalfMapNode><X>{x}</X><Y>{y}</Y><fortPresent>{"true" if fort else "false"}</fortPresent>'
                    f'<terrain>{terrain}</terrain></playerHalfMapNode>' for x, y, terrain, fort in fields)
    return (f'<playerHalfMap><uniquePlayerID>{player_id}</uniquePlayerID><playerHalfMapNodes>{nodes}</playerHalfMapNodes>'
            '</playerHalfMap>')


def is_connected(land):
    done, todo = set(), [next(iter(land))]
    while todo:
        x, y = todo.pop()
        if (x, y) not in done:
            done.add((x, y))
            todo += [(x + dx, y + dy) for dx, dy in STEPS.values() if (x + dx, y + dy) in land]
    return len(done) == len(land)


def half_map(forts=1):
    """A random half map that keeps all rules, with so many forts: a list of (x, y, terrain, has a fort), in any order."""
    places = [(x, y) for x in range(10) for y in range(5)]
    while True:
        terrains = ['Water'] * 8 + ['Mountain'] * 8 + ['Grass'] * 34
        random.shuffle(terrains)
        fields = dict(zip(places, terrains))
        land = {place for place in places if fields[place] != 'Water'}
        rows = [sum(fields[x, y] == 'Water' for x in range(10)) for y in (0, 4)]
        columns = [sum(fields[x, y] == 'Water' for y in range(5)) for x in (0, 9)]
        if max(rows) <= 4 and max(columns) <= 2 and is_connected(land):
            chosen = random.sample([place for place in places if fields[place] == 'Grass'], forts)
            random.shuffle(places)
            return [(x, y, fields[x, y], (x, y) in chosen) for x, y in places]


def play(players, actions=None, each=None):
    """Lets them play until it is over, or until so many actions were done; calls each after everybody's turn."""
    for _ in range(4000):
        going = []
        for player in players:
            going.append(player.step())
            if each:
                each()
        if not any(going) or (actions is not None and sum(player.actions for player in players) >= actions):
            return
    raise wire.Failure('the game does not end')


def check_over(players):
    """One has won and the other has lost, in the eyes of both, and it stays so."""
    states = [player.state() for player in players]
    check(sorted(state.standing for state in states) == ['Lost', 'Won'], f'it ended {[s.standing for s in states]}')
    for player, state in zip(players, states):
        check(player.state().text == state.text, 'the state changes after the end')
        check(state.other[0].findtext('state') != state.standing, 'both have the same result')
    return states
