#!/usr/bin/env python3
"""The championship of the papers: everybody meets everybody once, the list is right, and the server ends by itself.

The players are scripted: who wins a pair is decided before. No message tells a player whom it plays against until the
other one is named as the next, so a player that is to lose moves legally until it knows the other, and then illegally.

usage: championship.py PARLOR
"""
import itertools
import re
import sys
import threading

import wire

PARLOR = sys.argv[1]


def game_id(message):
    return re.search(r'<gameId id="(.*?)"/>', message).group(1)


class Player(threading.Thread):
    """Plays until the stream ends. beats(other) says whether it wins; on_first is called before its first answer."""

    def __init__(self, server, nick, beats, game_type='paper-soccer', on_turn=None):
        super().__init__(daemon=True)
        self.client = wire.log_in(server, nick, game_type)
        self.nick, self.beats, self.on_turn = nick, beats, on_turn
        self.messages, self.failure, self.others = [], None, {}

    def run(self):
        try:
            while (message := self.client.read_message()) is not None:
                self.messages.append(message)
                if 'type="gameState"' in message and not self.take(message):
                    return
        except (wire.Failure, OSError) as error:
            self.failure = error

    def take(self, message):
        """False when the player is gone."""
        game = game_id(message)
        if '<gameOver>' in message:
            self.client.send(f'<message type="thank you"><gameId id="{game}"/></message>')
            return True
        next_nick = re.search(r'<nextPlayer nick="(.*?)"/>', message).group(1)
        if next_nick != self.nick:
            self.others[game] = next_nick
            return True
        if self.on_turn is not None:
            return self.on_turn(self, game)
        points = re.findall(r'<point x="(-?\d+)" y="(-?\d+)"/>', message)
        y = int(points[-1][1]) if points else 0
        must_lose = game in self.others and not self.beats(self.others[game])
        self.move(game, 9 if must_lose else y + 1)
        return True

    def move(self, game, y):
        self.client.send(f'<message type="move"><gameId id="{game}"/><move><point x="0" y="{y}"/></move></message>')

    def games_of(self):
        """The messages of each game."""
        games = {}
        for message in self.messages:
            if 'type="gameState"' in message:
                games.setdefault(game_id(message), []).append(message)
        return games


def list_message(rows):
    players = ''.join(f'<player nick="{nick}" won="{won}" lost="{lost}"/>' for nick, won, lost in rows)
    return f'{wire.DECLARATION}<message type="championsList">{players}</message>'


def finish(server, players, rows):
    """Everybody who stayed is told the list, then the end; the server ends with 0 by itself."""
    for player in players:
        player.join(wire.DEADLINE_S)
        if player.is_alive() or player.failure:
            raise wire.Failure(f'{player.nick} did not come to an end: {player.failure} {player.messages[-3:]}')
        shutdown = wire.DECLARATION + wire.SHUTDOWN
        if player.messages[-2:] != [list_message(rows), shutdown]:
            raise wire.Failure(f'{player.nick} expected {list_message(rows)}\n but got {player.messages[-2:]}')
        player.client.close()
    server.wait()


def play(count, nicks, beats_of, rows, options=()):
    with wire.Server(PARLOR, ['--championship', 'paper-soccer', str(count), '--port', '0', *options]) as server:
        players = [Player(server, nick, beats_of(nick)) for nick in nicks]
        for player in players:
            player.start()
        finish(server, players, rows)
        return players


def stronger(nick):
    """Later letters beat earlier ones."""
    return lambda other: nick > other


def four_players():
    players = play(4, 'ABCD', stronger, [('D', 3, 0), ('C', 2, 1), ('B', 1, 2), ('A', 0, 3)])
    pairs = set()
    for player in players:
        if len(player.games_of()) != 3:
            raise wire.Failure(f'{player.nick} played {len(player.games_of())} games')
        for messages in player.games_of().values():
            pairs.add(frozenset(re.findall(r'<player nick="(\w)"', messages[-1])))
    if pairs != {frozenset(pair) for pair in itertools.combinations('ABCD', 2)}:
        raise wire.Failure(f'not everybody met everybody: {pairs}')


def one_at_a_time():
    play(5, 'EDCBA', stronger, [('E', 4, 0), ('D', 3, 1), ('C', 2, 2), ('B', 1, 3), ('A', 0, 4)], ['--max-parallel', '1'])


def two_players():
    play(2, 'AB', stronger, [('B', 1, 0), ('A', 0, 1)])


def ties_keep_login_order():
    """Rock, paper, scissors: everybody wins once."""
    wins = {('C', 'A'), ('A', 'B'), ('B', 'C')}
    play(3, 'CAB', lambda nick: lambda other: (nick, other) in wins, [('C', 1, 1), ('A', 1, 1), ('B', 1, 1)])


def alias():
    """The championship of a name is that of all names of the game."""
    with wire.Server(PARLOR, ['--championship', 'paper_football', '2', '--port', '0']) as server:
        players = [Player(server, 'A', stronger('A')), Player(server, 'B', stronger('B'), 'papersoccer')]
        for player in players:
            player.start()
        finish(server, players, [('B', 1, 0), ('A', 0, 1)])


def refusals():
    """Another type is error 2, one player too many error 3, and whoever was there cannot come back."""
    refused = r'<message type="loginResponse"><response accept="no"/><error id="{}"/></message>'
    with wire.Server(PARLOR, ['--championship', 'paper-soccer', '4', '--port', '0']) as server:
        late = wire.Client(server.port, 'late')
        late.send(wire.player_login('late', 'chess'))
        late.expect(refused.format(2))
        late.send('<message type="gameMasterLogin"><gameMasterLogin id="m" gameType="chess" playersMin="2" playersMax="2"/></message>')
        late.expect(refused.format(2))
        early = wire.log_in(server, 'early')
        early.send('<message type="logout"/>')  # before it begins a place is free again
        early.expect_end()
        early.close()
        players = [Player(server, nick, stronger(nick)) for nick in 'ABCD']
        late.send(wire.player_login('late'))
        late.expect(refused.format(3))
        players[0].client.close()  # A is gone with the first game
        late.send(wire.player_login('A'))
        answer = late.read_message()
        while 'id="1"' in answer:  # until the server has noticed that A is gone, the nick is in use
            late.close()
            late = wire.Client(server.port, 'late')
            late.send(wire.player_login('A'))
            answer = late.read_message()
        if answer != wire.DECLARATION + refused.format(3):
            raise wire.Failure(answer)
        for player in players[1:]:
            player.start()
        finish(server, players[1:], [('D', 3, 0), ('C', 2, 1), ('B', 1, 2), ('A', 0, 3)])
        late.expect(wire.SHUTDOWN)
        late.close()


def leavers(how):
    """D is the best and goes at its second turn; all that is not decided is lost, also against A."""
    def goes(player, game):
        if how == 'closes':
            player.client.close()
            return False
        if how == 'logs out':
            player.client.send('<message type="logout"/>')
        return True  # or says nothing at all

    def run():
        patience = ['--move-timeout', '4', '--thanks-timeout', '4'] if how == 'is silent' else []
        with wire.Server(PARLOR, ['--championship', 'paper-soccer', '4', '--port', '0', *patience]) as server:
            players = [Player(server, nick, lambda other, nick=nick: other == 'D' or nick > other) for nick in 'ABC']
            players.append(Player(server, 'D', stronger('D'), on_turn=goes))
            for player in players:
                player.start()
            finish(server, players[:3], [('C', 3, 0), ('B', 2, 1), ('A', 1, 2), ('D', 0, 3)])
            players[3].join(wire.DEADLINE_S)
            if any('championsList' in message for message in players[3].messages) != (how == 'is silent'):
                raise wire.Failure('the list is for those who are still connected, and for nobody else')
            players[3].client.close()
    return run


def leave_one_game():
    """leaveGame gives up one game; the others are played."""
    def leaves_first(player, game):
        if player.on_turn is not None:
            player.client.send(f'<message type="leaveGame"><gameId id="{game}"/></message>')
            player.on_turn = None
        return True

    with wire.Server(PARLOR, ['--championship', 'paper-soccer', '3', '--port', '0']) as server:
        players = [Player(server, nick, stronger(nick)) for nick in 'AB']
        players.append(Player(server, 'C', stronger('C'), on_turn=leaves_first))
        for player in players:
            player.start()
        for player in players:
            player.join(wire.DEADLINE_S)
        rows = re.findall(r'<player nick="(\w)" won="(\d)" lost="(\d)"/>', players[0].messages[-2])
        # C loses the game that it leaves and wins the other one.
        if dict((nick, (won, lost)) for nick, won, lost in rows)['C'] != ('1', '1'):
            raise wire.Failure(f'{rows}')
        server.wait()


class Master(threading.Thread):
    """A master of its own making. verdict(nicks) gives the result of each, or None to fall silent and be gone."""

    def __init__(self, server, verdict, game_type='coin'):
        super().__init__(daemon=True)
        self.client = wire.Client(server.port, 'master')
        self.client.send(f'<message type="gameMasterLogin"><gameMasterLogin id="m" gameType="{game_type}" playersMin="2"'
                         ' playersMax="2"/></message>')
        self.client.expect(wire.ACCEPTED)
        self.verdict, self.games = verdict, 0

    def run(self):
        while (message := self.client.read_message()) is not None:
            if 'type="beginGame"' not in message:
                continue
            self.games += 1
            results = self.verdict(re.findall(r'<player nick="(\w+)"/>', message))
            if results is None:
                break
            players = ''.join(f'<player nick="{nick}" result="{result}"/>' for nick, result in results)
            self.client.send(f'<message type="gameState"><gameId id="{game_id(message)}"/><gameOver>{players}</gameOver>'
                             '<gameState/></message>')
        self.client.close()


def with_master(verdicts, rows, options=()):
    """A championship of a game that the server does not know, with one master after the other."""
    with wire.Server(PARLOR, ['--championship', 'coin', '3', '--port', '0', *options]) as server:
        players = [Player(server, nick, stronger(nick), 'coin') for nick in 'ABC']
        for player in players:
            player.start()
        for verdict in verdicts:
            master = Master(server, verdict)
            master.start()
            master.join(wire.DEADLINE_S)
            if master.is_alive():
                raise wire.Failure('the master is still there')
        finish(server, players, rows)


def higher_wins(nicks):
    return [(nick, 'winner' if nick == max(nicks) else 'loser') for nick in nicks]


def external_master():
    with_master([higher_wins], [('C', 2, 0), ('B', 1, 1), ('A', 0, 2)])


def no_winner():
    """Two losers, or no winner, count as they are sent."""
    with_master([lambda nicks: [(nick, 'loser') for nick in nicks]], [('A', 0, 2), ('B', 0, 2), ('C', 0, 2)])
    with_master([lambda nicks: [(nicks[0], 'looser')]], [('C', 0, 0), ('B', 0, 1), ('A', 0, 2)])


def master_lost():
    """What a lost master left undecided is played again with the next one."""
    with_master([lambda nicks: None, higher_wins], [('C', 2, 0), ('B', 1, 1), ('A', 0, 2)])


def no_master_any_more():
    """Without another master the list is what has been decided."""
    with_master([lambda nicks: None], [('A', 0, 0), ('B', 0, 0), ('C', 0, 0)], ['--master-timeout', '4'])


def master_of_three():
    """A master whose games are not for two is of no use here."""
    with wire.Server(PARLOR, ['--championship', 'coin', '3', '--port', '0']) as server:
        client = wire.Client(server.port)
        client.send('<message type="gameMasterLogin"><gameMasterLogin id="m" gameType="coin" playersMin="3" playersMax="4"/></message>')
        client.expect(r'<message type="loginResponse"><response accept="no"/><error id="5"/></message>')
        server.stop([client])


def stopped():
    """SIGTERM ends a championship that runs."""
    with wire.Server(PARLOR, ['--championship', 'coin', '2', '--port', '0']) as server:
        server.stop([wire.log_in(server, nick, 'coin') for nick in 'AB'])


def main():
    wire.run_cases([
        ('four players', four_players),
        ('five players, one game at a time', one_at_a_time),
        ('two players', two_players),
        ('ties keep the order of login', ties_keep_login_order),
        ('another name of the game', alias),
        ('who is refused', refusals),
        ('a player who closes loses the rest', leavers('closes')),
        ('a player who logs out loses the rest', leavers('logs out')),
        ('a player who falls silent loses the rest', leavers('is silent')),
        ('leaveGame gives up one game', leave_one_game),
        ('a master of another game', external_master),
        ('games without a winner', no_winner),
        ('a master is lost and another comes', master_lost),
        ('a master is lost and none comes', no_master_any_more),
        ('a master for three', master_of_three),
        ('a championship is stopped', stopped),
    ])


if __name__ == '__main__':
    main()
