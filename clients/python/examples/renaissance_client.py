#!/usr/bin/env python3
"""A player for Masters of Renaissance over lines of JSON, with nothing but Python's standard library.

    renaissance_client.py 127.0.0.1:4000 --name alice --players 2     plays one game and prints the scores

It buys whatever it can pay, otherwise lets its cards produce, otherwise goes to the market, and turns its leaders into
faith. Under a name that has a seat in a running game it goes on with that game, whatever leaders are in play there.
"""
import argparse
import json
import re
import socket
import sys

KINDS = ['COINS', 'STONES', 'SERVANTS', 'SHIELDS']
COLORS = ['PURPLE', 'YELLOW', 'GREEN', 'BLUE']
# D001 to D048: what a card costs, takes and gives, of each kind; and the faith it gives.
CARDS = '''
0002/1000/00001 0020/0100/00001 2000/0001/00001 0200/0010/00001 0111/0100/00100 1011/1000/00010 1110/0010/01000 1101/0001/10000
0003/0020/11010 0030/2000/01110 3000/0200/10110 0300/0002/11100 2002/0110/20001 0220/1001/02001 2020/0101/00201 0202/1010/00021
0004/0100/00002 0040/1000/00002 4000/0010/00002 0400/0001/00002 0023/0011/03000 2030/1010/00030 3200/1100/00300 0302/0101/30000
0005/2000/02002 0050/0200/20002 5000/0020/00022 0500/0002/00202 3003/1000/00021 0033/0100/00201 3300/0010/02001 0330/0001/20001
0006/2000/03002 0060/0200/30002 6000/0020/00032 0600/0002/00302 0025/1010/02021 2050/0101/20201 5200/1001/02201 0520/0110/20021
0007/0010/10003 0070/1000/01003 7000/0100/00013 0700/0001/00103 4004/0100/30010 0044/1000/03100 4400/0010/10030 0440/0001/01300
'''.split()
LEADERS = ['SERVANTS', 'SHIELDS', 'STONES', 'COINS']  # L001 to L004 make cards cheaper, L009 to L012 are for white marbles


def card(number, part):
    """What a card costs (0), takes (1) or gives (2)."""
    digits = CARDS[int(number[1:]) - 1].split('/')[part]
    return {kind: int(digit) for kind, digit in zip(KINDS, digits) if digit != '0'}


class Player:
    def __init__(self, address, name, players, table):
        self.socket = socket.create_connection(address.rsplit(':', 1))
        self.login = {'type': 'loginRequest', 'username': name, **({'table': table} if table else {})}
        self.name, self.players, self.action, self.parameters, self.refused = name, players, None, None, []
        self.warehouse, self.strongbox, self.slots, self.grid, self.marbles = {}, {}, [[], [], []], [], []
        self.hand, self.played = [], []

    def leaders(self, first):
        """The kinds of those in play among the four leaders from this number on."""
        return [LEADERS[int(leader[1:]) - first] for leader in self.played if 0 <= int(leader[1:]) - first < 4]

    def stored(self):
        """How many of each kind lie in the depots: in those of the board, and in those of leaders."""
        places = [(kind, int(depot) > 2) for depot, content in self.warehouse.items() for kind in content]
        return {kind: [places.count((kind, False)), places.count((kind, True))] for kind in KINDS}

    def pay(self, price):
        """From where the price can be paid, or None when it cannot."""
        payment, stored = {'warehouse': {}, 'leaderDepot': {}, 'strongbox': {}}, self.stored()
        for kind, amount in price.items():
            for place, there in zip(payment, [*stored[kind], self.strongbox.get(kind, 0)]):
                payment[place][kind] = min(amount, there)
                amount -= payment[place][kind]
            if amount:
                return None
        return payment

    def purchase(self):
        for level in (3, 2, 1):
            slot = next((i for i, cards in enumerate(self.slots) if len(cards) == level - 1), None)
            for color, number in zip(COLORS, self.grid[3 - level]):
                price = card(number, 0) if number else {}
                payment = self.pay({kind: amount - self.leaders(1).count(kind) for kind, amount in price.items()})
                if price and payment and slot is not None:
                    return {'color': color, 'level': level, 'devCardSlot': slot, 'paymentResources': payment}
        return None

    def production(self):
        price, used = {}, []
        for slot, cards in enumerate(self.slots):
            more = card(cards[-1], 1) if cards else {}
            both = {kind: price.get(kind, 0) + more.get(kind, 0) for kind in KINDS}
            if more and self.pay(both):
                price, used = both, used + [slot]
        return used and {'paymentResources': self.pay(price), 'devCardSlots': used, 'boardResources': [],
                         'leaderResources': [], 'leaderCardSlots': []}

    def choose(self, actions):
        if 'DISCARDLEADERCARD' in actions and self.hand:
            return 'DISCARDLEADERCARD', {'id': self.hand[0]}
        if 'MARKETACTION' not in actions:
            return 'ENDTURN', None
        for action, parameters in (('BUYDEVELOPMENTCARD', self.purchase()), ('USEPRODUCTION', self.production())):
            if parameters and action not in self.refused:
                return action, parameters
        lines = [(row, True, i) for i, row in enumerate(self.marbles)]
        lines += [(column, False, i) for i, column in enumerate(zip(*self.marbles))]
        line, is_row, index = max(lines, key=lambda line: sum(marble not in ('WHITE', 'RED') for marble in line[0]))
        return 'MARKETACTION', {'index': index, 'isRow': is_row, 'exchangeResources': self.leaders(9)[:1] * line.count('WHITE')}

    def arrange(self, taken):
        """The largest heaps into the largest depots; what has no place is discarded."""
        counts = {kind: sum(stored) + taken.count(kind) for kind, stored in self.stored().items()}
        return {str(i): [kind] * min(counts[kind], i + 1) for i, kind in enumerate(sorted(KINDS, key=counts.get)[1:])}

    def update(self, m):
        self.marbles, self.grid = m.get('marbles', self.marbles), m.get('devCardGrid', self.grid)
        own, bought = m, m['type'] == 'layoutUpdate' and m['action'] == 'BUYDEVELOPMENTCARD'
        if m['type'] in ('setupUpdate', 'reconnectionUpdate'):
            own = {field: value[self.name] for field, value in m.items() if isinstance(value, dict)}
            self.hand, self.played = own.get('leaderCards', m['leaderCards']), own.get('leaderCardsPlayed', [])
            self.slots = [own['devCardSlots'][key] for key in '012'] if 'devCardSlots' in own else self.slots
        if bought:
            self.grid[3 - m['level']][COLORS.index(m['color'])] = m['newId']
        if m.get('nickname', self.name) != self.name:
            return
        self.warehouse, self.strongbox = own.get('warehouse') or self.warehouse, own.get('strongbox') or self.strongbox
        if bought:
            self.slots[m['devCardSlot']].append(m['id'])
        if m['type'] == 'layoutUpdate':
            self.hand, self.refused = [leader for leader in self.hand if leader != m.get('id')], []

    def answer(self, m):
        """What to say to a message, or None."""
        if m['type'] == 'possibleAction':
            self.action, self.parameters = self.choose(m['actions'])
            return {'type': 'actionReply', 'action': self.action}
        if m['type'] == 'actionResponse' and self.parameters:
            kind = {'type': 'actionParameters', 'action': m['action']}
            return {**(kind if m['action'] != 'MARKETACTION' else {'type': 'rowColumnSelection'}), **self.parameters}
        fields = {'ping': dict, 'numberOfPlayersSelectionRequest': lambda: {'number': self.players},
                  'leaderCardsRequest': lambda: {'leaderCards': m['leaderCards'][:2]},
                  'resourcesRequest': lambda: {'warehouse': {'1': ['COINS'] * m['number']}},
                  'resourcesManageRequest': lambda: {'warehouse': self.arrange(m['resources'])}}.get(m['type'])
        return fields and {'type': m['type'].replace('Request', 'Reply').replace('ping', 'pong'), **fields()}

    def play(self):
        lines, answer = self.socket.makefile('r', encoding='utf-8'), self.login
        while True:
            self.socket.sendall((json.dumps(answer) + '\n').encode() if answer else b'')
            message = json.loads(next(lines, '{"type": "the server is gone", "isFree": false}'))
            if message['type'] == 'errorMessage' and message['error'] != 'NOT_SAVED':  # otherwise it goes on by itself
                self.refused.append(self.action)  # and what is asked for comes again
            if len(self.refused) > 3 or message.get('isFree') is False:
                raise SystemExit(f'refused: {message}')
            if message['type'] == 'finalScore':
                return message
            self.update(message)
            answer = self.answer(message)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='A player for Masters of Renaissance: plays one game and prints the scores.')
    parser.add_argument('address', help='HOST:PORT where the server listens for Masters of Renaissance')
    parser.add_argument('--name', required=True, help='what it is called, 4 to 15 characters; a seat of that name is taken again')
    parser.add_argument('--players', type=int, default=2, choices=range(1, 5), help='when it opens the game (default 2)')
    parser.add_argument('--table', metavar='CODE', help='of a private table, such as one of a championship')
    options = parser.parse_args()
    if not re.fullmatch(r'.+:\d+', options.address):
        parser.error(f'{options.address}: an address is HOST:PORT')
    try:
        player = Player(**vars(options))
    except (OSError, OverflowError) as problem:
        sys.exit(f'cannot connect to {options.address}: {problem}')
    result = player.play()
    print(*[f'{name}={points}' for name, points in result['scores'].items()], *['lost'] * result['lorenzoWon'])
