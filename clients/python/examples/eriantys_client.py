#!/usr/bin/env python3
"""An Eriantys player over lines of JSON: it plays at random, but never illegally, and pays for characters when it can."""
import argparse, json, random, socket, sys

COLORS = ('BLUE', 'FUCHSIA', 'GREEN', 'RED', 'YELLOW')
HERALD, HERBALIST, MUSHROOMS, THIEF = 3, 5, 9, 12
PAYABLE = (2, HERALD, 4, HERBALIST, 6, 8, MUSHROOMS, THIEF)  # those that need no student of the card


class Table:
    """What a status shows, from the eyes of one player."""
    def __init__(self, status, name):
        self.status, self.name = status, name
        self.board = status.get('board') or status['gameBoard']
        self.me = next(player for player in status['players'] if player['name'] == name)
        self.islands = [island.get('id', at) for at, island in enumerate(self.board['islands'])]

    def assistant(self):
        """A card that nobody has played in this round, or any when there is none."""
        taken = {played['assistant'] for played in self.board['playedAssistants']}
        hand = [card['id'] for card in self.me['assistants']]
        return {'subtype': 'playAssistant', 'player': self.name,
                'assistant': random.choice([card for card in hand if card not in taken] or hand)}

    def student(self):
        """From the entrance to the dining room while there is room, or to an island."""
        school = self.me['schoolBoard']
        color = random.choice([color for color in COLORS if school['entrance'][color]])
        to_dining = school['diningRoom'][color] < 10 and random.random() < 0.6
        return {'subtype': 'move', 'pawn': 'student', 'player': self.name, 'color': color, 'from': 'entrance',
                'to': 'diningRoom' if to_dining else 'island', 'fromId': None,
                'toId': None if to_dining else random.choice(self.islands), 'special': False}

    def mother_nature(self):
        """Up to half of the assistant's value, clockwise."""
        value = next(played['assistant'] for played in self.board['playedAssistants'] if played['player'] == self.name)
        at, steps = self.islands.index(self.board['motherNatureIsland']), random.randint(1, (value + 1) // 2)
        return {'subtype': 'move', 'pawn': 'motherNature', 'island': self.islands[(at + steps) % len(self.islands)],
                'move': True}

    def cloud(self):
        full = [at for at, cloud in enumerate(self.board['clouds']) if any(cloud.values())]
        return {'subtype': 'refill', 'player': self.name, 'cloud': random.choice(full)}

    def character(self):
        """A character to pay, when one is affordable and none was paid in this turn."""
        cards = self.board['characters']
        if any(card['paidInRound'] for card in cards) or random.random() < 0.5:
            return None
        able = [card['id'] for card in cards if card['id'] in PAYABLE and card.get('availableBans', 1)
                and card['effectCost'] + card['alreadyPaid'] <= self.me['coins']]
        return {'subtype': 'pay', 'player': self.name, 'character': random.choice(able)} if able else None

    def effect(self):
        """What the character that was paid in this turn wants to know, when it was not told yet."""
        card = next((card for card in self.board['characters'] if card['active']), {'id': 0})
        if card['id'] not in (HERALD, HERBALIST, MUSHROOMS, THIEF) or not card.get('usesNumber', 1):
            return None
        if card['id'] == HERALD:
            return {'subtype': 'move', 'pawn': 'motherNature', 'island': random.choice(self.islands), 'move': False}
        if card['id'] == HERBALIST:
            return {'subtype': 'ban', 'island': random.choice(self.islands)}
        if card['id'] == MUSHROOMS and self.board['ignoreColor']:
            return None
        return {'subtype': 'ignore' if card['id'] == MUSHROOMS else 'return', 'color': random.choice(COLORS)}

    def command(self):
        phase = self.status['subPhase']
        if phase == 'PLAY_ASSISTANT':
            return self.assistant()
        return (self.effect() or self.character()
                or {'MOVE_MOTHER_NATURE': self.mother_nature, 'CHOOSE_CLOUD': self.cloud}.get(phase, self.student)())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--connect', metavar='HOST:PORT', default='127.0.0.1:36803', help='where the server listens (default %(default)s)')
    parser.add_argument('--name', type=str.strip, required=True, help='what it is called')
    parser.add_argument('--code', help='of the game to enter; without it one is created')
    parser.add_argument('--create', type=int, metavar='N', default=2, choices=(2, 3, 4), help='a game for so many players (default 2)')
    parser.add_argument('--expert', action='store_true', help='create it with coins and characters')
    options = parser.parse_args()
    host, _, port = options.connect.rpartition(':')
    if not host or not port.isdigit():
        parser.error(f'{options.connect}: an address is HOST:PORT')
    try:
        connection = socket.create_connection((host, int(port)))
    except (OSError, OverflowError) as problem:
        sys.exit(f'cannot connect to {options.connect}: {problem}')

    def send(kind, **fields):
        connection.sendall(json.dumps({'type': kind, **fields}).encode() + b'\n')

    if options.code:
        send('enterGame', code=options.code)
    else:
        send('gameCreation', playersNumber=options.create, expert=options.expert)
    table = None
    for line in connection.makefile(encoding='utf-8'):
        message = json.loads(line)
        kind = message['type']
        if kind == 'ping':
            send('pong')
        elif kind == 'gameCreation':
            print('code', message['code'], flush=True)
            send('enterGame', code=message['code'])
        elif kind == 'enterGame' and message['found']:
            send('login', name=options.name)
        elif kind == 'status':
            table = Table(message, options.name)
        elif kind == 'turnEnable' and message['enable'] and message['player'] == options.name:
            send('command', **table.command())
        elif kind == 'win':
            print('winners', json.dumps(message['winners']), flush=True)
            break
        elif kind == 'error':
            print('error', message['message'], flush=True)
        elif message.get('found') is False or message.get('success') is False:
            raise SystemExit(f'refused: {line.strip()}')


if __name__ == '__main__':
    main()
