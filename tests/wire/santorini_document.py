"""Santorini with clients that know only the protocol document and the messages of its authors' server: whole games with every god.

    santorini_document.py PARLOR

Such a client answers MOVE, BUILD and END, waits until it is asked, names nothing that the document has no word for, and goes on with the
builder that has acted in its turn. It must never be stuck, and a move or build of a listed cell is never refused. PARLOR_GAMES
in the environment is the number of games for each god.
"""
import json
import os
import random
import sys

import builders
import wire
from builders import DATES, NAMES, Loop, Server, check

PARLOR = sys.argv[1]
GAMES = int(os.environ.get('PARLOR_GAMES', '2'))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'protocols', 'santorini', 'common.json'),
          encoding='utf-8') as file:
    GODS = json.load(file)['$defs']['god']['enum']
TWO_ONLY = ('Aphrodite', 'Chronus', 'Circe')
WORDS = ('MOVE', 'BUILD', 'END')


class Stranger(builders.Client):
    """The client of the document. It believes in its lists and in where it has put its builders."""

    def __init__(self, port, name, date, seats, gods):
        super().__init__(port, name)
        self.date, self.seats, self.gods = date, seats, gods
        self.builders, self.heights, self.lost = {}, {}, []
        self.acting, self.winner = None, None
        self.seen, self.last = set(), []

    def pump(self):
        for message in self.lines():
            self.seen.add(message['type'])
            self.last = [*self.last[-6:], message]
            check(message.get('result') is not False or message['type'] == 'buildersPlacement',
                  f'{self.name}, builder {self.acting}, is refused: {self.last}')
            getattr(self, 'on_' + message['type'], lambda _: None)(message)

    def on_askNumberOfPlayers(self, _):
        self.send('setNumberOfPlayers', numberOfPlayers=self.seats)

    def on_askNickAndDate(self, _):
        self.send('addPlayer', name=self.name, date=self.date)

    def on_chooseMatchGodCards(self, message):
        others = [god for god in message['godDescriptions'] if god not in self.gods]
        count = int(message['numberOfPlayers'])
        self.send('setMatchGodCards', name=self.name, godCardNames=(self.gods + random.sample(others, count))[:count])

    def on_askGod(self, message):
        self.send('setGodCard', godCard=random.choice([god for god in message['godDescriptions'] if god not in message['chosenGodCards']]))

    def on_chooseStartPlayer(self, message):
        self.send('setStartPlayer', name=random.choice(message['players']))

    def on_askColor(self, message):
        self.send('colorUpdate', color=random.choice([color for color in builders.COLORS if color not in message['chosenColors']]))

    def on_askBuilders(self, _):
        taken = [where for both in self.builders.values() for where in both]
        free = [where for where in ((i, j) for i in range(5) for j in range(5)) if where not in taken]
        self.send('buildersPlacement', name=self.name, positions=[{'i': i, 'j': j} for i, j in random.sample(free, 2)])

    def on_buildersPlacement(self, message):
        if message['result']:
            self.builders[message['name']] = [(where['i'], where['j']) for where in message['positions']]

    def on_turnUpdate(self, _):
        self.acting = None

    def on_askStep(self, message):
        check(set(message['possibleSteps']) <= set(WORDS), f'{self.name} is offered {message}')
        self.send('setStepChoice', name=self.name, stepChoice=random.choice(message['possibleSteps']))

    def choose(self, lists):
        """A builder and one of its cells: the builder that has acted, unless it has nothing to do."""
        hands = [number for number in (0, 1) if lists[number]]
        number = self.acting if self.acting in hands else random.choice(hands)
        i, j = self.builders[self.name][number]
        return {'i': i, 'j': j}, random.choice(lists[number])

    def on_possibleMoveDestinations(self, message):
        check(len(message['possibleDst']) == 2, f'{message}')
        src, dst = self.choose(message['possibleDst'])
        self.send('move', name=self.name, src=src, dst=dst)

    def on_possibleBuildDestinations(self, message):
        lists = message['possibleDst']
        check(len(lists) == 4, f'{message}')
        src, (dst, is_dome) = self.choose([[(where, False) for where in lists[n]] + [(where, True) for where in lists[n + 2]]
                                           for n in (0, 1)])
        self.send('build', name=self.name, src=src, dst=dst, buildDome=is_dome)

    def shift(self, message):
        src, dst = ((message[end]['i'], message[end]['j']) for end in ('src', 'dst'))
        for both in [self.builders[message['name']], *self.builders.values()]:
            if src in both:
                both[both.index(src)] = dst
                return both.index(dst)
        raise wire.Failure(f'{self.name}: nobody stands on {src}')

    def on_move(self, message):
        number = self.shift(message)
        if message['name'] == self.name:
            self.acting = number

    def on_builderPushed(self, message):  # not in the document, but its authors' client knows it
        self.shift(message)

    def on_builderRemoved(self, message):  # nor this, but a client that does not believe it takes one builder for another
        both, src = self.builders[message['name']], (message['src']['i'], message['src']['j'])
        both[both.index(src)] = None

    def on_build(self, message):
        dst = (message['dst']['i'], message['dst']['j'])
        self.heights[dst] = 4 if message['buildDome'] else self.heights.get(dst, 0) + 1
        if message['name'] == self.name and self.acting is None:
            self.acting = self.builders[self.name].index((message['src']['i'], message['src']['j']))

    def on_lostUpdate(self, message):
        self.lost.append(message['name'])

    def on_endGame(self, message):
        self.winner = message['winner']


def play(server, count, gods, kinds):
    """A game; kinds of players in the order of their connections."""
    loop = Loop()
    players = [kind(server.port, name, date, count, gods) for kind, name, date in zip(kinds, NAMES, DATES[:1] * 3)]
    try:
        for player in players:
            loop.add(player)
            loop.run(lambda player=player: player.seen)  # pylint: disable=cell-var-from-loop
        loop.run(lambda: all(player.is_ended for player in players))
    finally:
        loop.close()
    winners = {player.winner for player in players}
    check(len(winners) == 1 and None not in winners, f'with {gods} the winners are {winners}')
    return players


def page_player(port, name, date, seats, gods):
    return builders.Player(port, name, date, seats, gods)


def strangers_play_every_god():
    seed = int(os.environ.get('PARLOR_SEED', '1'))
    print(f'# seed {seed}', flush=True)
    random.seed(seed)
    with Server(PARLOR, ('--store', 'memory')) as server:
        for god in GODS * GAMES:
            play(server, 2, [god], (Stranger, Stranger))
            if god not in TWO_ONLY:
                play(server, 3, [god], (Stranger, Stranger, Stranger))
        server.stop()


def strangers_and_clients_of_the_page_play():
    random.seed(2)
    with Server(PARLOR, ('--store', 'memory')) as server:
        for god in GODS:
            play(server, 2, [god], (Stranger, page_player))
            if god not in TWO_ONLY:
                play(server, 3, [god], (page_player, Stranger, page_player))
        server.stop()


def strangers_and_bots_play():
    random.seed(3)
    games = 10
    with Server(PARLOR, ('--store', 'memory')) as server:
        bot = wire.Process([PARLOR, 'bot', 'santorini', '--connect', f'127.0.0.1:{server.port}', '--name', 'bot', '--born', '1950.01.01',
                            '--kind', 'random', '--games', str(games)])
        for number in range(games):
            gods = [('Charon', 'Ares', 'Dionysus', 'Medusa', 'Poseidon')[number % 5]]
            play(server, 2, gods, (Stranger,))
        check(f'{games} games:' in bot.wait(deadline_s=100), 'the bot has played them')
        server.stop()


if __name__ == '__main__':
    wire.run_cases([
        ('clients of the document play with every god', strangers_play_every_god),
        ('clients of the document play with clients of the page', strangers_and_clients_of_the_page_play),
        ('clients of the document play with a bot', strangers_and_bots_play),
    ])
