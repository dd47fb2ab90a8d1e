#!/usr/bin/env python3
"""Whole games of Masters of Renaissance on a real server: by minds that also try what must be refused, by those who win or
lose alone in every way, by the Python example and by bots.

usage: renaissance_clients.py PARLOR [CASE]
"""
import json
import random
import re
import socket
import sys

import renaissance_wire
import wire
from renaissance_wire import (KINDS, LEADER, MAIN, QUIET, Client, Mind, Party, begin, demand, end_turn, names_of, push, until, with_server)

PARLOR = sys.argv[1]

class Saver(Mind):
    """Alone: never discards what it can store, and never buys."""

    def choose(self, actions):
        if 'ENDTURN' in actions:
            return 'ENDTURN', None
        inputs = [kind for content in self.board.warehouse.values() for kind in content][:2]
        if len(inputs) == 2:
            payment = self.pay({kind: inputs.count(kind) for kind in inputs})
            return 'USEPRODUCTION', {'boardResources': inputs + ['COINS'], 'paymentResources': payment}
        lines = [(row, True, at) for at, row in enumerate(self.ledger.marbles)]
        _, is_row, index = min(lines, key=lambda line: len(set(line[0]) - {'WHITE', 'RED'}))
        return 'MARKETACTION', {'index': index, 'isRow': is_row}

    def arrange(self, taken):
        pool = {kind: taken.count(kind) for kind in KINDS}
        for content in self.board.warehouse.values():
            for kind in content:
                pool[kind] += 1
        warehouse = {}
        for depot, kind in zip((2, 1, 0), sorted(KINDS, key=lambda kind: -pool[kind])):
            warehouse[str(depot)] = [kind] * min(depot + 1, pool[kind])
            pool[kind] -= len(warehouse[str(depot)])
        return warehouse, {kind: amount for kind, amount in pool.items() if amount}


class Waster(Saver):
    """Alone: throws everything away, so that Lorenzo goes ahead."""

    def choose(self, actions):
        if 'ENDTURN' in actions:
            return 'ENDTURN', None
        return 'MARKETACTION', {'index': self.rng.randrange(3), 'isRow': True}

    def arrange(self, taken):
        return {}, {kind: taken.count(kind) for kind in KINDS if kind in taken}


class Buyer(Saver):
    """Buys what it can, lets its cards produce, and takes from the market what it can store."""

    def choose(self, actions):
        if 'ENDTURN' in actions or 'MARKETACTION' not in actions:
            return 'ENDTURN', None
        earned = [leader for leader in self.hand if self.earned(leader)]
        if earned:
            return 'PLAYLEADERCARD', {'id': earned[0]}
        purchases = list(self.purchases())
        if purchases:
            return 'BUYDEVELOPMENTCARD', max(purchases, key=lambda purchase: purchase['level'])
        if sum(map(len, self.board.warehouse.values())) >= 4 and self.rng.random() < 0.6:
            production = self.production()
            if production:
                return 'USEPRODUCTION', production
        lines = [(row, True, at) for at, row in enumerate(self.ledger.marbles)]
        lines += [([row[at] for row in self.ledger.marbles], False, at) for at in range(4)]
        return 'MARKETACTION', dict(zip(('isRow', 'index'), max(lines, key=self.worth)[1:]),
                                    exchangeResources=[])

    def worth(self, line):
        taken = [renaissance_wire.MARBLES[marble] for marble in line[0] if marble in renaissance_wire.MARBLES]
        lost = sum(self.arrange(taken)[1].values())
        return len(taken) - 2.5 * lost + 0.5 * line[0].count('RED')


class Keen(Buyer):
    """Among others: after leaders of one ability, which it plays as soon as it can."""
    ability = 'store'

    def keep(self, dealt):
        return sorted(dealt, key=lambda leader: renaissance_wire.parts(leader)[0] != self.ability)[:2]

    def gain(self):
        wanted = [renaissance_wire.parts(leader)[2] for leader in self.hand]
        return next((kind for kind in wanted if kind in KINDS), self.rng.choice(KINDS))

    def choose(self, actions):
        earned = [leader for leader in self.hand if self.earned(leader)]
        if earned:
            return 'PLAYLEADERCARD', {'id': earned[0]}
        action, parameters = super().choose(actions)
        exchange = self.board.leaders('exchange')
        if action == 'MARKETACTION' and len(exchange) == 2:
            line = self.ledger.marbles[parameters['index']]
            if not parameters['isRow']:
                line = [row[parameters['index']] for row in self.ledger.marbles]
            parameters['exchangeResources'] = [self.rng.choice(exchange) for marble in line if marble == 'WHITE']
        return action, parameters

    def arrange(self, taken):
        return Mind.arrange(self, taken)


class Prober(Party):
    """Random games in which everything is also tried in ways that must be refused, or that a tolerant server takes."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rows = dict.fromkeys((6, 8, 11, 12, 13, 14, 15, 16, 17, 18, 33, 38), 0)

    def probe(self, name, row, kind, action=None, error='INVALID_ACTION', then='possibleAction', **fields):
        """Something that must be refused, after which the same is asked again."""
        client = self.clients[name]
        self.rows[row] += 1
        if action:
            client.say('actionReply', action=action)
            client.expect('actionResponse', action=action)
        client.say(kind, **fields)
        client.expect_error(error)
        client.expect(then)

    def act(self, name, message):
        mind, board = self.minds[name], self.ledger.boards[name]
        if 'ENDTURN' in message['actions']:
            self.probe_twice(name)
        else:
            self.clients[name].send('actionReply', action='ENDTURN')
            self.clients[name].expect_error(then='possibleAction')
            self.rows[6] += 1
        if 'MARKETACTION' in message['actions']:
            self.probe_exchange(name, board)
            self.probe_production(name, mind, board)
        return super().act(name, message)

    def probe_twice(self, name):
        self.rows[8] += 1
        self.clients[name].send('actionReply', action=self.rng.choice(MAIN))
        self.clients[name].expect_error(then='possibleAction')

    def probe_exchange(self, name, board):
        exchange = board.leaders('exchange')
        row = next((at for at, row in enumerate(self.ledger.marbles) if 'WHITE' in row), None)
        if not exchange or row is None:
            return
        whites = self.ledger.marbles[row].count('WHITE')
        wrong = next(kind for kind in KINDS if kind not in exchange)
        for kinds in ([wrong] * whites, exchange[:1] * (whites + 1), [] if len(exchange) == 2 else [exchange[0]] * (whites + 2)):
            self.probe(name, 15, 'rowColumnSelection', action='MARKETACTION', index=row, isRow=True, exchangeResources=kinds)

    def probe_production(self, name, mind, board):
        for slot, cards in enumerate(board.slots):
            inputs = {kind: 2 * amount for kind, amount in renaissance_wire.card(cards[-1], 1).items()} if cards else {}
            payment = mind.pay(inputs) if cards else None
            if payment is not None:
                self.probe(name, 16, 'actionParameters', action='USEPRODUCTION', devCardSlots=[slot, slot], paymentResources=payment)
        leaders = board.leaders('production')
        payment = mind.pay({leaders[0]: 2}) if leaders else None
        if payment is not None:
            self.probe(name, 16, 'actionParameters', action='USEPRODUCTION', leaderCardSlots=[0, 0],
                       leaderResources=['COINS', 'COINS'], paymentResources=payment)

    def send(self, name, kind, **fields):
        """What is sent is said in another way, now and then."""
        self.requests += 1
        self.ledger.request = dict(fields)
        text = json.dumps({'type': kind, **fields})
        payment = fields.get('paymentResources')
        if kind == 'actionParameters' and payment and self.rng.random() < 0.5:
            self.rows[18] += 1
            payment = {place: [kind for kind, amount in amounts.items() for _ in range(amount)] for place, amounts in payment.items()}
            text = json.dumps({'type': kind, **fields, 'paymentResources': payment})
        elif fields.get('boardResources') and self.rng.random() < 0.5:
            self.rows[17] += 1
            text = json.dumps({'type': kind, **fields, 'boardResources': fields['boardResources'][2:]})
        elif self.rng.random() < 0.3 and '"username"' not in text:
            self.rows[33] += 1
            text = re.sub(r'("level": |"index": |"devCardSlot": )(\d)', r'\1"\2"', text)
            text = re.sub(r'"(COINS|STONES|SERVANTS|SHIELDS|L\d+|[A-Z]+CARD|[A-Z]+ACTION|ENDTURN)"', lambda m: m.group(0).lower(), text)
        if kind == 'actionParameters' and fields['action'] == 'BUYDEVELOPMENTCARD':
            board = self.ledger.boards[name]
            number = self.ledger.grid[3 - fields['level']][renaissance_wire.COLORS.index(fields['color'])]
            self.rows[38] += any(kind not in renaissance_wire.card(number, 0) for kind in board.leaders('discount'))
        self.clients[name].send_raw(text)

    def manage(self, name, message):
        warehouse, discard = self.minds[name].arrange(message['resources'])
        kinds = [content[0] for content in warehouse.values() if content]
        self.rows[14] += len(set(kinds)) < len(kinds)
        before = [kind for content in self.ledger.boards[name].warehouse.values() for kind in content]
        self.rows[13] += any(before.count(kind) + message['resources'].count(kind) - amount < before.count(kind)
                             for kind, amount in discard.items())
        everything = before + message['resources']
        if everything:
            missing = [kind for kind in KINDS if everything.count(kind) < 3][0:1]
            for kind in missing:
                self.probe(name, 11, 'resourcesManageReply', error='MANAGE_RESOURCES', then='resourcesManageRequest',
                           warehouse={'2': [kind] * 3})
        if self.rng.random() < 0.3:
            self.rows[12] += 1
            warehouse = {depot: content for depot, content in warehouse.items() if content}
            self.ledger.request = {}
            self.clients[name].say('resourcesManageReply', warehouse=warehouse, discard=None)
            return
        self.send(name, 'resourcesManageReply', warehouse=warehouse, discard=discard)


def probed_games(server):
    """Rows 6, 8, 11 to 18, 33 and 38 wherever they can come up in games of two to four; rows 23, 25, 26 and 27 are held by
    the ledger at every update."""
    rng, rows, number = random.Random(7), {}, 0
    while number < 8 or (number < 60 and not all(rows.values())):
        players = 2 + number % 3
        party = Prober(server, [f'play{number}-{seat}' for seat in range(players)], rng)
        if number % 2 == 1:
            Keen.ability = renaissance_wire.ABILITIES[number // 2 % 4]
            party.minds = {name: Keen(party.ledger, name, rng) for name in party.clients}
        party.play()
        party.close()
        for row, count in party.rows.items():
            rows[row] = rows.get(row, 0) + count
        number += 1
    demand(all(rows.values()), f'not everything came up: {rows}')
    print(f'# {number} games, times that each row came up: {rows}', flush=True)


def secrets(server):
    """Leaders that nobody has played or discarded are in no message to others but in setupUpdate."""
    rng = random.Random(11)
    for number in range(4):
        names = [f'play{number}-{seat}' for seat in range(2 + number % 3)]
        party = Party(server, names, rng)
        party.play()
        for name, client in party.clients.items():
            own = {leader for message in client.heard if message['type'] == 'leaderCardsRequest' for leader in message['leaderCards']}
            shown = set()
            for message in client.heard:
                if message['type'] == 'layoutUpdate':
                    shown |= names_of([message['id']]) if message['action'] in LEADER else set()
                if message['type'] != 'setupUpdate':
                    demand(names_of(message) <= own | shown, f'{name} sees {message}')
        party.close()


def solo_games(server, mind, wanted, tries=80):
    """Plays alone until the game ends as wanted; returns what the client heard."""
    rng = random.Random(3)
    for number in range(tries):
        name = f'{mind.__name__}{number}'[:15]
        party = Party(server, [name], rng)
        party.minds = {name: mind(party.ledger, name, rng)}
        score = party.play()
        party.close()
        heard = party.clients[name].heard
        if wanted(party.ledger, score, heard):
            return heard
    raise wire.Failure(f'no game out of {tries} ended as it should')


def kinds(heard):
    return [message['type'] for message in heard]


def solo_lost_by_faith(server):
    """Lorenzo comes to 24 with his tokens: lorenzoUpdate, endGame, finalScore."""
    heard = solo_games(server, Saver, lambda ledger, score, heard: score['lorenzoWon'] and ledger.lorenzo == 24
                       and 'faith' in heard[-3].get('message', ''))
    demand(kinds(heard)[-3:] == ['lorenzoUpdate', 'endGame', 'finalScore'], kinds(heard)[-5:])


def solo_lost_by_cards(server):
    """A colour has no card left."""
    heard = solo_games(server, Saver, lambda ledger, score, heard: score['lorenzoWon'] and ledger.lorenzo < 24)
    demand(kinds(heard)[-3:] == ['lorenzoUpdate', 'endGame', 'finalScore'], kinds(heard)[-5:])
    grid = heard[-3]['devCardGrid']
    demand(any(not any(row[column] for row in grid) for column in range(4)), f'no colour is gone in {grid}')


def solo_lost_by_discards(server):
    """Row 31: Lorenzo comes to 24 by what the player discards: the game ends after the turn, without a token."""
    heard = solo_games(server, Waster, lambda ledger, score, heard: score['lorenzoWon'] and heard[-2]['type'] == 'actionResponse')
    demand(kinds(heard)[-5:] == ['layoutUpdate', 'endGame', 'possibleAction', 'actionResponse', 'finalScore'], kinds(heard)[-6:])


def solo_won(server):
    """Seven cards, or 24 steps: endGame with the action, finalScore after the turn, and no token any more."""
    heard = solo_games(server, Buyer, lambda ledger, score, heard: not score['lorenzoWon'])
    demand(kinds(heard)[-4:] == ['endGame', 'possibleAction', 'actionResponse', 'finalScore'], kinds(heard)[-6:])


def other_of(party, name):
    return next(other for other in party.clients if other != name)


def until_last_round(party):
    """Two play until one has met the condition of the end; returns who."""
    party.set_up()
    mover = next(iter(party.clients))
    while not party.ledger.ending:
        message = party.hear_until(mover, 'possibleAction', 'resourcesManageRequest', 'layoutUpdate')
        if message['type'] == 'possibleAction' and party.act(mover, message):
            mover = other_of(party, mover)
        elif message['type'] == 'resourcesManageRequest':
            party.manage(mover, message)
        elif message['type'] == 'layoutUpdate' and any(board.faith == 24 or len(board.cards()) == 7
                                                       for board in party.ledger.boards.values()):
            party.hear_until(mover, 'endGame')
    return mover


def end_without(server):
    """Two play, and one of them leaves in the last round; returns who, and the score."""
    party = Party(server, ['alice', 'bobby'], random.Random(5))
    mover = until_last_round(party)
    other = other_of(party, mover)
    party.clients[other].close()
    while True:
        message = party.hear_until(mover, 'possibleAction', 'resourcesManageRequest', 'finalScore')
        if message['type'] == 'possibleAction':
            party.act(mover, message)
        elif message['type'] == 'resourcesManageRequest':
            party.manage(mover, message)
        else:
            return other, message


def last_round_without(server):
    """Row 28: who is gone in the last round is skipped, and has its points in the score; row 26: endGame comes once. Who was
    away at the end is told it with the next login, which is then answered as that of a new player."""
    other, message = end_without(server)
    demand(set(message['scores']) == {'alice', 'bobby'}, 'both have points')
    back = Client(server)
    back.send('loginRequest', username=other)
    for kind in ('players', 'devCardGrid', 'market', 'reconnectionUpdate', 'endGame'):
        back.expect(kind)
    demand(back.expect('finalScore') == message, 'who was away is told the same')
    back.expect('usernameResponse', isFree=True, username=other)
    back.expect('numberOfPlayersSelectionRequest')
    back.expect_nothing(then='numberOfPlayersSelectionRequest')


def leave(client):
    """Leaves in a way that shows when the server knows."""
    client.socket.shutdown(socket.SHUT_WR)
    client.answers_pings = False
    while client.read() is not None:
        pass


def last_round_of_nobody(server):
    """Row 28: when all lose the connection in the last round, the first to return plays on, whoever that is."""
    parties = (Party(server, [f'alice{number}', f'bobby{number}'], random.Random(number)) for number in range(50))
    for first in (0, 1):
        party = next(party for party in parties if until_last_round(party).startswith('alice'))  # and bobby has a last turn
        alice, bobby = party.clients
        while True:
            message = party.hear_until(alice, 'possibleAction', 'resourcesManageRequest', 'startTurn')
            if message['type'] == 'startTurn':
                break
            if message['type'] == 'possibleAction':
                party.act(alice, message)
            else:
                party.manage(alice, message)
        leave(party.clients[alice])
        leave(party.clients[bobby])
        client = renaissance_wire.back(server, (bobby, alice)[first])
        client.expect('endGame')
        client.expect('possibleAction')
        push(client)
        client.send('resourcesManageReply', warehouse={})
        until(client, 'possibleAction')
        end_turn(client)
        demand(set(client.expect('finalScore')['scores']) == {alice, bobby}, 'both have points')


def again_on_the_same_connection(server):
    """After the end the nicknames are free, and the connection may log in to the next game."""
    rng = random.Random(9)
    party = Party(server, ['alice', 'bobby'], rng)
    party.play()
    alice = party.clients['alice']
    other = Client(server).login('bobby')  # a nickname of the game that is over
    other.expect('numberOfPlayersSelectionRequest')
    alice.login('alice')
    other.send('numberOfPlayersSelectionReply', number=2)
    for client in (alice, other):
        client.expect('players', players=['bobby', 'alice'])


def programs(make, games):
    def run():
        with renaissance_wire.Server(PARLOR, QUIET) as server:
            for players in (1, 2, 3, 4):
                started = [wire.Process(make(server, f'play{players}-{seat}', players)) for seat in range(players)]
                outputs = {program.wait(deadline_s=200) for program in started}
                demand(len(outputs) == 1 and len(outputs.pop().splitlines()) == games, f'{players} players: {outputs}')
            server.stop()
    return run


def example(server, name, players):
    return [sys.executable, renaissance_wire.EXAMPLE, server.address, '--name', name, '--players', str(players)]


def bot(server, name, players):
    return [PARLOR, 'bot', 'renaissance', '--connect', server.address, '--name', name, '--players', str(players), '--level', '1']


def random_bot(server, name, players):
    return bot(server, name, players) + ['--kind', 'random', '--games', '5']


class Pretender(wire.Pretender):
    """A server for one example, held against the schemas, to which alice comes back with these leaders in play."""

    def __init__(self, played, strongbox):
        super().__init__([sys.executable, renaissance_wire.EXAMPLE, '127.0.0.1:PORT', '--name', 'alice'])
        names, empty = ('alice', 'bobby'), {'0': [], '1': [], '2': []}
        self.hear('loginRequest')
        self.say('players', players=list(names))
        self.say('devCardGrid', devCardGrid=[['D038', 'D048', 'D045', 'D047'], ['D018', 'D028', 'D029', 'D027'], ['D002', 'D004', 'D001', 'D015']])
        self.say('market', marbles=[['GREY', 'PURPLE', 'BLUE', 'WHITE'], ['WHITE', 'YELLOW', 'RED', 'WHITE'], ['WHITE', 'RED', 'GREY', 'WHITE']],
                 freeMarble='YELLOW')
        self.say('reconnectionUpdate', username='alice', devCards={name: [None] * 3 for name in names},
                 devCardSlots={name: empty for name in names}, faithTrackPositions={name: 0 for name in names},
                 leaderCardsPlayed={'alice': played, 'bobby': []}, leaderCards=[],
                 strongbox={name: {kind: strongbox.get(kind, 0) for kind in KINDS} for name in names},
                 warehouse={name: empty for name in names}, cardsInHand={'alice': 0, 'bobby': 2},
                 playersConnected={name: True for name in names}, vaticanReportActivated={name: {} for name in names}, setupDone=True)

    def say(self, kind, **fields):
        renaissance_wire.check('server', {'type': kind, **fields})
        super().say(kind, **fields)

    def hear(self, kind):
        answer = super().hear(kind)
        renaissance_wire.check('client', answer)
        return answer

    def offer(self, wanted):
        """The main actions are possible; the example must choose this one. What it says about it."""
        self.say('possibleAction', actions=MAIN)
        demand(self.hear('actionReply')['action'] == wanted, f'not {wanted}')
        self.say('actionResponse', action=wanted)
        return self.hear('rowColumnSelection' if wanted == 'MARKETACTION' else 'actionParameters')

    def end(self):
        self.say('finalScore', scores={'alice': 3, 'bobby': 2}, lorenzoWon=False)
        demand(self.close() == 'alice=3 bobby=2\n', 'it sees the end')


def example_with_discount():
    """R17: a leader in play makes cards cheaper. When that is refused all the same, the example does something else."""
    server = Pretender(['L001'], {'SERVANTS': 1})
    bought = server.offer('BUYDEVELOPMENTCARD')
    demand((bought['color'], bought['level']) == ('PURPLE', 1), f'D002 costs two servants: {bought}')
    paid = [(kind, amount) for place in bought['paymentResources'].values() for kind, amount in place.items() if amount]
    demand(paid == [('SERVANTS', 1)], f'one less: {bought}')
    server.say('errorMessage', error='INVALID_ACTION', reason='it may not')
    server.offer('MARKETACTION')
    server.end()


def example_with_two_exchanges():
    """Row 15: with two leaders for white marbles each marble has to be named. NOT_SAVED is no refusal."""
    server = Pretender(['L012', 'L009'], {})
    pushed = server.offer('MARKETACTION')
    demand((pushed['isRow'], pushed['index']) == (True, 0), f'the line with the most resources: {pushed}')
    demand(len(pushed['exchangeResources']) == 1 and pushed['exchangeResources'][0] in ('COINS', 'SERVANTS'), f'{pushed}')
    server.say('errorMessage', error='NOT_SAVED', reason='the disk is full')
    server.say('resourcesManageRequest', resources=['COINS', 'STONES'])
    server.hear('resourcesManageReply')
    server.end()


def example_gives_up():
    """A server that refuses everything is no server to play with."""
    server = Pretender([], {})
    for _ in range(4):
        server.offer('MARKETACTION')
        server.say('errorMessage', error='INVALID_ACTION', reason='never')
    server.close(expected=1)
    demand('never' in server.program.error_text(), 'why')


class Thrifty(Buyer):
    """Prefers leaders that make cards cheaper, and avoids those for white marbles."""

    def keep(self, dealt):
        wishes = ('discount', 'store', 'production', 'exchange')
        return sorted(dealt, key=lambda leader: wishes.index(renaissance_wire.parts(leader)[0]))[:2]


def until_discount(party):
    """Plays until somebody has a leader that makes cards cheaper, and returns who; None when the game ends before."""
    party.minds = {name: Thrifty(party.ledger, name, party.rng) for name in party.clients}
    party.set_up()
    mover = 'alice'
    while True:
        message = party.hear_until(mover, 'possibleAction', 'resourcesManageRequest', 'finalScore')
        for name, board in party.ledger.boards.items():
            if board.leaders('discount'):
                return name
        if message['type'] == 'finalScore':
            return None
        if message['type'] == 'resourcesManageRequest':
            party.manage(mover, message)
        elif party.act(mover, message):
            mover = 'bobby' if mover == 'alice' else 'alice'


def example_takes_over(server):
    """The example goes on in the middle of a game of somebody who pays less."""
    parties = (Party(server, ['alice', 'bobby'], random.Random(seed)) for seed in range(50))
    party, taken = next((party, taken) for party in parties if (taken := until_discount(party)))
    party.clients.pop(taken).close()
    for client in party.clients.values():
        until(client, 'disconnectionMessage')
        client.close()
    program = wire.Process(example(server, taken, 2))
    demand(f'{taken}=' in program.wait(deadline_s=200), 'the game is played to its end')


def bot_after_return(server):
    """The bot comes back to a game in the middle, and plays it to the end without those who stay away."""
    alice, bobby, carol = begin(server, ['alice', 'bobby', 'carol'])
    alice.close()
    until(carol, 'disconnectionMessage')
    bobby.close()
    until(carol, 'disconnectionMessage')
    carol.close()
    program = wire.Process(bot(server, 'alice', 3))
    demand(program.wait(deadline_s=200).startswith('game over:'), 'the game is played to its end')


def bot_after_end(server):
    """The bot that was away at the end is told it, and plays its next game with the same login."""
    name, score = end_without(server)
    told, own = wire.Process(bot(server, name, 1) + ['--games', '2']).wait(deadline_s=200).splitlines()
    demand(all(f' {player} {points}' in told for player, points in score['scores'].items()), f'the end is told: {told}')
    demand(own.startswith(f'game over: {name} '), f'another game is played: {own}')


CASES = [
    ('games with everything that can be refused: rows 6, 8, 11 to 18, 23, 25, 26, 27, 33, 38', with_server(probed_games, *QUIET, '--seed', '1')),
    ('leaders stay hidden: row 5', with_server(secrets)),
    ('alone, lost to the faith of Lorenzo', with_server(solo_lost_by_faith, *QUIET, '--seed', '2')),
    ('alone, lost because a colour is gone', with_server(solo_lost_by_cards, *QUIET, '--seed', '3')),
    ('alone, lost by the own discards: row 31', with_server(solo_lost_by_discards)),
    ('alone, won', with_server(solo_won, *QUIET, '--seed', '4')),
    ('gone in the last round: rows 26, 28', with_server(last_round_without)),
    ('nobody is there in the last round: row 28', with_server(last_round_of_nobody)),
    ('another game on the same connection', with_server(again_on_the_same_connection)),
    ('games of 1 to 4 examples', programs(example, 1)),
    ('games of 1 to 4 bots', programs(bot, 1)),
    ('games of 1 to 4 random bots', programs(random_bot, 5)),
    ('an example with a discount', example_with_discount),
    ('an example with two leaders for white marbles: row 15', example_with_two_exchanges),
    ('an example that is refused again and again', example_gives_up),
    ('an example takes a seat over', with_server(example_takes_over, *QUIET, '--seed', '6')),
    ('a bot comes back to a game', with_server(bot_after_return)),
    ('a bot comes back after the end', with_server(bot_after_end)),
]
if __name__ == '__main__':
    wire.run_cases([(name, case) for name, case in CASES if ''.join(sys.argv[2:3]) in name])
