#!/usr/bin/env python3
"""Checks an export of journals without any code of Parlor, from docs/journal.md and docs/dice.md alone: the form of every body, the chain of
hashes, the order of events, the commitment to the dice, drawn seats, everything that chance decided, and results as far as they follow from
what is checked here. What it cannot check it says at the end.

usage: parlor journal export --all | verify_journal.py [FILE]
"""
import hashlib
import json
import struct
import sys

SETUP, SEAT, ACTION, CHANCE, TIMEOUT, FORFEIT, RESULT, ATTENDANCE = range(1, 9)
CHAMPIONSHIP, ENTRANT, PAIR, WITHDRAWAL, CLOSE = range(9, 14)
PLAYED, FORFEITED_OLDER, UNDECIDED, FORFEITED = 1, 2, 3, 4
ZERO = bytes(32)
MASK = 2 ** 64 - 1
RULES = {'paper-soccer': {1}, 'santorini': {1, 2}, 'eriantys': {1}, 'renaissance': {1, 2}, 'treasure-hunt': {1}}


class Problem(Exception):
    """Something that no honest journal has."""


def need(is_so, what):
    if not is_so:
        raise Problem(what)


# The chain.

def number(value):
    return struct.pack('<Q', value & MASK)


def digest(*pieces, key=b''):
    return hashlib.blake2b(b''.join(number(len(p)) + p for p in pieces), digest_size=32, key=key).digest()


# Bodies. Every value has one form, and a body ends where it ends.

class Body:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, size):
        need(self.at + size <= len(self.data), 'the body is too short')
        self.at += size
        return self.data[self.at - size:self.at]

    def byte(self, low=0, high=255):
        value = self.bytes(1)[0]
        need(low <= value <= high, f'a byte of the body is {value}')
        return value

    def varint(self, high=2 ** 64 - 1):
        value = shift = 0
        while True:
            byte = self.byte()
            need(shift == 0 or byte != 0, 'a number of the body is longer than needed')
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                need(value <= high, 'a number of the body is too large')
                return value

    def zigzag(self):
        value = self.varint(2 ** 32 - 1)
        return -((value + 1) >> 1) if value & 1 else value >> 1

    def text(self, high=200, low=1):
        size = self.varint(high)
        need(size >= low, 'a text of the body is empty')
        try:
            text = self.bytes(size).decode()
        except UnicodeDecodeError:
            raise Problem('a text of the body is not UTF-8') from None
        need('\0' not in text, 'a text of the body has a NUL')
        return text

    def is_more(self):
        return self.at < len(self.data)

    def end(self):
        need(self.at == len(self.data), 'the body goes on where it must end')


def read_setup(b):
    setup = {'format': b.varint()}
    need(setup['format'] == 1, 'the format of the set-up is not known')
    setup['game'], setup['rules'], setup['seats'] = b.text(), b.varint(2 ** 32 - 1), b.byte(1, 4)
    setup['options'] = [b.zigzag() for _ in range(b.varint(16))]
    need(not setup['options'] or setup['options'][-1] != 0, 'the options end with 0')
    flags = b.byte(0, 31)
    setup['turn_ms'], setup['protocol'], setup['commitment'] = b.varint(2 ** 32 - 1), b.text(), b.bytes(32)
    setup['note'] = b.text(640) if flags & 2 else ''
    setup['house'] = b.text(640) if flags & 4 else ''
    return dict(setup, violation_loses=bool(flags & 1), is_given=bool(flags & 8), waits=bool(flags & 16))


def read_seat(b):
    seat, flags = b.byte(0, 3), b.byte(0, 63)
    if flags == 8:
        return {'seat': seat, 'name': '', 'is_drawn': False, 'seed': ''}
    need(not flags & 8, 'a free seat has something else')
    name = b.text()
    if flags & 2:
        b.bytes(32)
    if flags & 4:
        b.text(640)
    seed = b.text(64) if flags & 16 else ''
    need(not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in seed), 'a seed has control characters')
    if flags & 32:
        b.bytes(32)
    return {'seat': seat, 'name': name, 'is_drawn': bool(flags & 1), 'seed': seed}


def read_actions(b):
    who, actions = b.byte(), []
    is_timed = 64 <= who < 68
    who -= 64 if is_timed else 0
    need(who < 4 or who >= 254, 'nobody has this number')
    for _ in range(b.varint(512)):
        action = b.bytes(b.byte(1, 16))
        need(len(action) == 1 or action[-1] != 0, 'an action ends with 0')
        actions.append(action)
    need(actions, 'there is no action')
    if is_timed:
        b.varint(2 ** 33 - 1)  # what the seat was charged for it, of its time for the whole game
    return {'who': who, 'actions': actions}


def read_loss(b, lowest):
    seat, flagged = b.byte(0, 3), b.byte()
    has_stamps, reason = bool(flagged & 16), flagged & ~16
    need(lowest <= reason <= (3 if lowest else 0), 'there is no such reason')
    loss = {'seat': seat, 'reason': reason}
    if has_stamps or (reason == 2 and b.at < len(b.data)):
        loss.update(why=b.text(400, low=0), rule=b.text(40, low=0), sent=b.text(4096, low=0))
        need(loss['why'] or (has_stamps and not loss['rule'] and not loss['sent']), 'a sentence is missing')
    if has_stamps:
        loss['stamps'] = [b.varint(2 ** 63 - 1), b.varint(2 ** 63 - 1), b.varint(2 ** 32 - 1), b.varint(2 ** 32 - 1)]
    return loss


def read_result(b):
    outcome, seats = b.byte(1, 4), b.byte(1, 4)
    return {'outcome': outcome, 'points': [b.zigzag() for _ in range(seats)], 'secret': b.bytes(32)}


def read_pair(b):
    pair = {'a': b.varint(), 'b': b.varint(), 'flags': b.byte(0, 15)}
    need(pair['a'] < pair['b'], 'a pair is not in order')
    return pair


READERS = {
    SETUP: read_setup, SEAT: read_seat, ACTION: read_actions, CHANCE: read_actions, RESULT: read_result, PAIR: read_pair,
    TIMEOUT: lambda b: read_loss(b, 0),
    FORFEIT: lambda b: read_loss(b, 1),
    ATTENDANCE: lambda b: {'seat': b.byte(0, 3), 'is_back': b.byte(0, 1)},
    CHAMPIONSHIP: lambda b: {'format': b.varint(1), 'number': b.varint(), 'entrants': b.varint(1024), 'type': b.text()},
    ENTRANT: lambda b: {'nick': b.text(), 'home': b.bytes(32) if b.is_more() else b''}, WITHDRAWAL: lambda b: {'entrant': b.varint()}, CLOSE: lambda b: {'outcome': b.byte(1, 3)},
}


def read_body(kind, data):
    need(kind in READERS, 'there is no such kind of event')
    body = Body(data)
    fields = READERS[kind](body)
    body.end()
    return fields


# Dice.

def rotate(x, by):
    return (x << by | x >> (64 - by)) & MASK


class Generator:
    def __init__(self, draw):
        self.s = list(struct.unpack('<4Q', draw))
        if not any(self.s):
            self.s[0] = 1

    def next(self):
        s = self.s
        result = rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def below(self, n):
        product = (self.next() >> 32) * n
        while product % 2 ** 32 < (2 ** 32 - n) % n:
            product = (self.next() >> 32) * n
        return product >> 32

    def inside_out(self, things):
        places = []
        for i, thing in enumerate(things):
            k = self.below(i + 1)
            places.append(places[k] if k < i else thing)
            places[k] = thing
        return places


class Dice:
    """What the events of a table so far mean for its next draw."""

    def __init__(self, table):
        self.table, self.waits, self.is_opening, self.seat_events = table, False, True, 0
        self.seeds, self.is_mixed = ZERO, False

    def follow(self, seq, kind, fields):
        if kind == SETUP:
            self.waits = fields['waits']
        elif kind == SEAT:
            self.seat_events += self.is_opening
            if fields['seed']:
                self.seeds = digest(b'parlor seed', self.seeds, number(seq), number(fields['seat']), fields['seed'].encode())
                self.is_mixed = True
        elif kind != CHANCE:
            self.is_opening = False

    def draw(self, secret, seq, purpose):
        if self.waits and self.is_opening:
            seq -= self.seat_events
        pieces = [number(self.table), number(seq), purpose] + [self.seeds] * self.is_mixed
        return Generator(digest(*pieces, key=secret))


def draw_seats(generator, count):
    seats = list(range(count))
    for i in range(count - 1, 0, -1):
        k = generator.below(i + 1)
        seats[i], seats[k] = seats[k], seats[i]
    return seats


# Games: what chance needs to know, and no more. draw gives the outcome that must follow, play takes what was played. Actions are lists of
# 16 numbers, the kind first. is_whole: who has won can be told as well.

def action(*values):
    return list(values) + [0] * (16 - len(values))


class PaperSoccer:
    is_whole = False

    def __init__(self, setup):
        pass

    def draw(self, generator, outcome):
        raise Problem('nothing is left to chance in this game')

    def play(self, who, done):
        pass


class Santorini:
    is_whole = False

    def __init__(self, setup):
        self.seats, self.gods, self.deck = setup['seats'], {}, []

    def deck_make(self):
        return [god for god in range(1, 11) if god not in self.gods.values()]

    def draw(self, generator, outcome):
        need(len(self.gods) == self.seats and 14 in self.gods.values(), 'chance decides only for Chaos')
        return action(4, self.deck[generator.below(len(self.deck))])

    def play(self, who, done):
        if done[0] == 3:
            self.gods[who] = done[1]
            self.deck = self.deck_make()
        elif done[0] == 4:
            need(done[1] in self.deck, 'this power is not in the deck')
            self.deck.remove(done[1])
            self.deck = self.deck or self.deck_make()


class Eriantys:
    is_whole = False
    ON_CARD = {1: 4, 7: 6, 11: 4}

    def __init__(self, setup):
        self.seats, self.is_expert = setup['seats'], setup['options'][:1] == [1]
        self.bag, self.dining = [26] * 5, [[0] * 5 for _ in range(self.seats)]
        self.due = [('islands',)] + [(0, seat, 9 if self.seats == 3 else 7) for seat in range(self.seats)]
        self.due += [('characters',)] if self.is_expert else self.clouds()
        self.paid, self.clouds_taken, self.is_last = None, 0, False

    def clouds(self):
        return [(4, cloud, 4 if self.seats == 3 else 3) for cloud in range(self.seats)]

    def round_begin(self):
        if sum(self.bag) >= sum(cloud[2] for cloud in self.clouds()):
            self.due += self.clouds()
        else:
            self.is_last = True

    def draw(self, generator, outcome):
        need(self.due, 'nothing is left to chance now')
        due = self.due[0]
        if due == ('islands',):
            return action(15, *generator.inside_out([i // 2 for i in range(10)]))
        if due == ('characters',):
            chosen = []
            for character in range(1, 13):
                if generator.below(13 - character) < 3 - len(chosen):
                    chosen.append(character)
            return action(17, *chosen)
        left, drawn = list(self.bag), [0] * 5
        for _ in range(due[2]):
            at, color = generator.below(sum(left)), 0
            while at >= left[color]:
                at -= left[color]
                color += 1
            left[color] -= 1
            drawn[color] += 1
        return action(16, due[0], due[1], *drawn)

    def play_chance(self, done):
        need(self.due, 'nothing is left to chance now')
        due = self.due.pop(0)
        if done[0] == 15:
            for color in done[1:11]:
                self.bag[color] -= 1
        elif done[0] == 17:
            self.due += [(3, character, self.ON_CARD[character]) for character in done[1:4] if character in self.ON_CARD]
            self.due += self.clouds()
        else:
            need(list(due[:2]) == done[1:3] and due[2] == sum(done[3:8]), 'students for another place, or too many')
            self.bag = [have - drawn for have, drawn in zip(self.bag, done[3:8])]
            self.is_last = self.is_last or sum(self.bag) == 0
        need(min(self.bag) >= 0, 'students are drawn that are not in the bag')

    def play(self, who, done):
        kind, color = done[0], done[1]
        if who >= 4:
            self.play_chance(done)
            return
        need(not self.due, 'a seat acts where chance is to decide')
        if kind == 5:
            self.clouds_taken, self.paid = self.clouds_taken + 1, None
            if self.clouds_taken % self.seats == 0 and not self.is_last:
                self.round_begin()
        elif kind == 6:
            self.paid = done[1]
        elif kind in (3, 11):
            self.dining[who][color] += 1
        elif kind in (13, 14) and self.paid == 10:
            self.dining[who][color] += 1 if kind == 14 else -1
        elif kind == 12:
            for dining in self.dining:
                count = min(3, dining[color])
                dining[color] -= count
                self.bag[color] += count
        if kind in (7, 11) and sum(self.bag) > 0:
            self.due.append((3, self.paid, 1))
        elif kind in (7, 11):
            self.is_last = True


class Renaissance:
    is_whole = False
    PLACES = [1, 3, 0, 2]  # of purple, yellow, green, blue on the sheet of cards
    TOKENS = {1: 2, 2: 1, 3: 3, 4: 0}  # the colours that they take

    def __init__(self, setup):
        self.seats, self.hands = setup['seats'], []
        self.step, self.unseen, self.pile, self.color = 0, [], None, None
        self.tokens = set(range(1, 8)) if self.seats == 1 else set()

    def cards(self, pile):
        return [1 + pile // 4 * 16 + i * 4 + self.PLACES[pile % 4] for i in range(4)]

    def due(self):
        return ([1, 2] + [3] * self.seats)[self.step] if self.step < 2 + self.seats else None

    def reveals(self):
        """The pile whose next card is shown now."""
        if self.color is None:
            return self.pile
        return next((pile for pile in range(self.color, 12, 4) if self.unseen[pile]), None)

    def draw(self, generator, outcome):
        if self.due() == 1:
            marbles = [0, 0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5]
            for i in range(13, 1, -1):
                k = generator.below(i)
                marbles[k], marbles[i - 1] = marbles[i - 1], marbles[k]
            return action(1, *marbles)
        if self.due() == 2:
            return action(2, *[self.cards(pile)[generator.below(4)] for pile in range(12)])
        if self.due() == 3:
            left, hand = [leader for leader in range(1, 17) if leader not in sum(self.hands, [])], []
            for i, leader in enumerate(left):
                if len(hand) < 4 and generator.below(len(left) - i) < 4 - len(hand):
                    hand.append(leader)
            return action(3, len(self.hands), *hand)
        if outcome[0] == 5:
            need(self.tokens, 'there are no tokens at this table')
            return action(5, sorted(self.tokens)[generator.below(len(self.tokens))])
        pile = self.reveals()
        need(pile is not None and self.unseen[pile], 'there is no card to show')
        return action(4, sorted(self.unseen[pile])[generator.below(len(self.unseen[pile]))])

    def play_chance(self, done):
        kind = done[0]
        need(self.due() in (None, kind), 'chance decides something else first')
        self.step += 1
        if kind == 2:
            self.unseen = [set(self.cards(pile)) - {done[1 + pile]} for pile in range(12)]
        elif kind == 3:
            self.hands.append(done[2:6])
        elif kind == 4:
            pile = self.reveals()
            need(pile is not None and done[1] in self.unseen[pile], 'this card cannot be shown now')
            self.unseen[pile].remove(done[1])
            self.pile = None
        elif kind == 5:
            need(done[1] in self.tokens, 'this token is not in the stack')
            self.tokens = set(range(1, 8)) if done[1] == 7 else self.tokens - {done[1]}
            self.color = self.TOKENS.get(done[1])

    def play(self, who, done):
        if who >= 4:
            self.play_chance(done)
            return
        need(self.due() is None, 'a seat acts where chance is to decide')
        self.color = None
        if done[0] == 10:
            self.pile = 4 * (done[2] - 1) + done[1]


class TreasureHunt:
    """All of its rules but who may see what and what a half map that is sent must look like."""
    is_whole = True
    WATER, GRASS, MOUNTAIN = 1, 2, 3
    NONE = 255

    def __init__(self, setup):
        players, limit, _ = (setup['options'] + [0, 0, 0])[:3]
        self.kinds = [[1, 1], [2, 2], [2, 1], [0, 0]][players]  # 0 absent, 1 seed, 2 course
        self.limit, self.halves, self.forts = limit, [None, None], [None, None]
        self.phase = 'entering' if players == 3 else 'joining'
        self.actions, self.progress, self.direction, self.has_treasure = [0, 0], [0, 0], [0, 0], [False, False]
        self.position, self.treasures, self.named, self.winner = [None, None], [None, None], [], None
        self.mover = self.shape = self.origin = 0

    def width(self):
        return 20 if self.shape else 10

    def on_map(self, seat, field):
        x, y = field % 10, field // 10
        if seat != self.origin:
            x, y = (x + 10, y) if self.shape else (x, y + 5)
        return y * self.width() + x

    def terrain(self, field):
        x, y = field % self.width(), field // self.width()
        is_first = x < 10 and y < 5
        return self.halves[self.origin if is_first else 1 - self.origin][y % 5 * 10 + x % 10]

    @staticmethod
    def may_be_drowned(half):
        edges = ((half[:10], 4), (half[40:], 4), (half[::10], 2), (half[9::10], 2))
        if any(edge.count(1) > most for edge, most in edges):
            return False
        dry = {field for field in range(50) if half[field] != 1}
        reached, rest = set(), [min(dry)] if dry else []
        while rest:
            field = rest.pop()
            if field in dry and field not in reached:
                reached.add(field)
                rest += [field + 10, field - 10] + [field + 1] * (field % 10 < 9) + [field - 1] * (field % 10 > 0)
        return reached == dry

    @staticmethod
    def grass(generator, half):
        while True:
            field = generator.below(50)
            if half[field] == 2:
                return field

    def draw_half(self, generator):
        water, wanted = -1, 0
        while water != wanted:
            half, water, wanted = [2] * 50, 0, 7 + generator.below(4)
            for field in generator.inside_out(range(50)):
                if water == wanted:
                    break
                half[field] = 1
                if self.may_be_drowned(half):
                    water += 1
                else:
                    half[field] = 2
        for _ in range(5 + generator.below(8)):
            half[self.grass(generator, half)] = 3
        fort = self.grass(generator, half)
        fields = half + [0, 0]
        return action(3, *[sum(fields[4 * i + k] << 2 * k for k in range(4)) for i in range(13)], fort)

    def half_next(self):
        if self.kinds[self.mover] == 2 and self.halves[self.mover] is None:
            return self.mover
        return next((seat for seat in (0, 1) if self.kinds[seat] == 1 and self.halves[seat] is None), None)

    def is_chance(self):
        if self.phase == 'halves':
            return self.kinds[self.half_next()] == 1
        return self.phase in ('joining', 'drawing', 'hiding', 'faking')

    def draw(self, generator, outcome):
        need(self.is_chance(), 'nothing is left to chance now')
        if self.phase == 'joining':
            begins = [seat for seat in (0, 1) if self.kinds[seat] == 2 or self.kinds[1 - seat] == 1]
            ways = [(seat, shape, origin) for seat in begins for shape in (0, 1) for origin in (0, 1)]
            return action(2, *ways[generator.below(len(ways))])
        if self.phase == 'halves':
            return self.draw_half(generator)
        if self.phase == 'drawing':
            return action(7, self.on_map(self.mover, self.named[generator.below(len(self.named))]))
        if self.phase == 'faking':
            return action(6, *[generator.below(100) if self.actions[seat] < 8 else self.NONE for seat in (0, 1)])
        fields = []
        for seat in (0, 1):
            field = self.grass(generator, self.halves[seat])
            while self.on_map(seat, field) == self.forts[seat]:
                field = self.grass(generator, self.halves[seat])
            fields.append(self.on_map(seat, field))
        return action(4, *fields)

    def pass_turn(self):
        self.actions[self.mover] += 1
        if self.phase != 'over' and sum(self.actions) == self.limit:
            self.phase, self.winner = 'over', self.mover
        if self.phase != 'over':
            self.mover = 1 - self.mover

    def want_fakes(self):
        self.phase = 'faking' if min(self.actions) < 8 else 'moving'

    def half_done(self, seat, fort, is_sent):
        self.forts[seat] = self.position[seat] = fort
        if is_sent:
            self.pass_turn()
        if self.phase != 'over':
            self.phase = 'halves' if self.half_next() is not None else 'hiding'

    def play_half(self, who, done):
        seat = self.half_next()
        half = [done[1 + field // 4] >> field % 4 * 2 & 3 for field in range(50)]
        self.named = [field for field in range(50) if half[field] == 0]
        self.halves[seat] = [terrain or 2 for terrain in half]
        if done[14] == 253:
            self.phase = 'drawing'
        else:
            need(not self.named and done[14] < 50 and half[done[14]] == 2, 'a half map without a fort on grass')
            self.half_done(seat, self.on_map(seat, done[14]), who < 4)

    def play_move(self, seat, direction):
        x, y = self.position[seat] % self.width(), self.position[seat] // self.width()
        x, y = x + (direction == 3) - (direction == 2), y + (direction == 1) - (direction == 0)
        need(direction < 4 and 0 <= x < self.width() and 0 <= y < 100 // self.width(), 'a step off the map')
        to = y * self.width() + x
        need(self.terrain(to) != self.WATER, 'a step into the water')
        self.progress[seat] = self.progress[seat] + 1 if self.direction[seat] == direction else 1
        self.direction[seat] = direction
        if self.progress[seat] == sum(1 + (self.terrain(field) == self.MOUNTAIN) for field in (self.position[seat], to)):
            self.progress[seat], self.position[seat] = 0, to
            self.has_treasure[seat] = self.has_treasure[seat] or self.treasures[seat] == to
            if self.has_treasure[seat] and self.forts[1 - seat] == to:
                self.phase, self.winner = 'over', seat
        if self.progress[seat] == 0:
            self.direction[seat] = 0
        self.pass_turn()
        if self.phase != 'over':
            self.want_fakes()

    def play(self, who, done):
        kind = done[0]
        phases = {1: 'entering', 2: 'joining', 3: 'halves', 4: 'hiding', 5: 'moving', 6: 'faking', 7: 'drawing'}
        need(phases.get(kind) == self.phase, f'this cannot be done while the table is {self.phase}')
        need(self.is_chance() == (who >= 4), 'a seat acts where chance is to decide, or the other way round')
        if kind == 1:
            self.kinds[who] = done[1]
            self.phase = 'entering' if 0 in self.kinds else 'joining'
        need(who >= 4 or kind == 1 or who == self.mover, 'it is the turn of the other')
        if 0 not in self.kinds and self.limit == 0:
            self.limit = 320 if 2 in self.kinds else 10000
        if kind == 2:
            self.mover, self.shape, self.origin = done[1:4]
            self.phase = 'halves'
        elif kind == 3:
            self.play_half(who, done)
        elif kind == 4:
            self.treasures = done[1:3]
            self.want_fakes()
        elif kind == 5:
            self.play_move(who, done[1])
        elif kind == 6:
            self.phase = 'moving'
        elif kind == 7:
            self.half_done(self.mover, done[1], True)

    def score(self):
        need(self.phase == 'over', 'nobody has won yet')
        return [int(seat == self.winner) for seat in (0, 1)]


GAMES = {'paper-soccer': PaperSoccer, 'santorini': Santorini, 'eriantys': Eriantys, 'renaissance': Renaissance,
         'treasure-hunt': TreasureHunt}


# Tables.

class Table:
    def __init__(self, table, secret):
        self.dice, self.secret, self.setup, self.game = Dice(table), secret, None, None
        self.names, self.has_begun, self.acted, self.is_finished, self.drawn = [], False, set(), False, []
        self.retired, self.lost, self.chances, self.mixed = set(), None, 0, 0
        self.is_unsealed = self.is_unscored = False

    def take(self, seq, kind, fields):
        need((kind == SETUP) == (self.setup is None), 'a journal begins with one set-up')
        need(not self.is_finished, 'an event after the result')
        need(kind < CHAMPIONSHIP, 'an event of a championship at a table')
        need(self.lost is None or kind == RESULT or self.may_go_on(), 'the table is over, only its result can follow')
        need('seat' not in fields or fields['seat'] < self.setup['seats'], 'the table has no such seat')
        {SETUP: self.take_setup, SEAT: self.take_seat, ACTION: self.take_actions, CHANCE: self.take_actions, TIMEOUT: self.take_loss,
         FORFEIT: self.take_loss, RESULT: self.take_result, ATTENDANCE: self.take_attendance}[kind](seq, kind, fields)
        self.dice.follow(seq, kind, fields)

    def may_go_on(self):
        """Whether the rules know how to go on without the seat that was given up."""
        return self.setup['game'] == 'renaissance' or (self.setup['game'] == 'santorini' and self.setup['seats'] == 3)

    def has_dice(self):
        return self.setup['commitment'] != ZERO

    def take_setup(self, seq, kind, fields):
        self.setup, self.names = fields, [''] * fields['seats']
        need(fields['game'] in GAMES, f'this program does not know the game {fields["game"]}')
        need(fields['rules'] in RULES[fields['game']], f'this program does not know version {fields["rules"]} of the rules')
        if self.secret is not None and self.has_dice():
            need(digest(b'parlor dice', number(self.dice.table), self.secret) == fields['commitment'],
                 'the secret is not the one that the set-up commits to')
        self.game = GAMES[fields['game']](fields)

    def take_seat(self, seq, kind, fields):
        seat = fields['seat']
        may_change = not self.has_begun or ('' in self.names and seat not in self.acted)
        need(not self.names[seat] or may_change, 'a seat changes hands after the first action')
        self.names[seat] = fields['name']
        self.acted.discard(seat)
        if not fields['is_drawn']:
            return
        need(self.has_dice(), 'a seat is drawn at a table without dice')
        if self.secret is None:
            return
        if not self.drawn:
            self.drawn = [seq, draw_seats(self.dice.draw(self.secret, seq, b'seats'), self.setup['seats'])]
        place = seq - self.drawn[0]
        need(place < len(self.drawn[1]) and self.drawn[1][place] == fields['seat'], 'the dice gave another seat')

    def take_actions(self, seq, kind, fields):
        who = fields['who']
        need((kind == CHANCE) == (who >= 4), 'chance in place of a seat, or a seat in place of chance')
        may_be_given = self.setup['protocol'] == 'import' or (self.setup['is_given'] and not any(self.names))
        need(who != 254 or may_be_given, 'a given outcome at a table where it must be drawn')
        need(who >= 4 or who < self.setup['seats'], 'the table has no such seat')
        need(who != 255 or self.has_dice(), 'an outcome is drawn at a table without dice')
        generator = self.dice.draw(self.secret, seq, b'chance') if who == 255 and self.secret is not None else None
        for one in fields['actions']:
            done = action(*one)
            if generator is not None:
                right = self.game.draw(generator, done)
                need(right == done, f'the dice gave {right} and not {done}')
            self.game.play(who, done)
        self.chances += kind == CHANCE
        self.mixed += kind == CHANCE and self.dice.is_mixed
        self.has_begun = self.has_begun or kind == ACTION
        self.acted |= {who} if kind == ACTION else set()
        self.lost = None if kind == ACTION else self.lost

    def take_loss(self, seq, kind, fields):
        need(fields['seat'] not in self.retired, 'a seat that was given up before')
        self.retired.add(fields['seat'])
        self.lost = fields['seat']

    def take_attendance(self, seq, kind, fields):
        need(self.setup['game'] == 'renaissance', 'the rules know nothing of players that are away')

    def take_result(self, seq, kind, fields):
        points = fields['points']
        need(len(points) == self.setup['seats'], 'the result is for another number of seats')
        if fields['outcome'] in (FORFEITED, FORFEITED_OLDER):
            need(self.lost is not None and points[self.lost] == 0 and set(points) <= {0, 1}, 'nobody has lost in this way')
            has_teams = self.setup['game'] == 'eriantys' and len(points) == 4 and fields['outcome'] == FORFEITED
            need(all(self.names) or fields['outcome'] == FORFEITED_OLDER, 'somebody has lost a table that waited for players')
            team = 2 if has_teams else len(points)
            right = [int(seat % team != self.lost % team) for seat in range(len(points))]
            need(self.may_go_on() or points == right, f'the points are {points} and not {right}')
        elif fields['outcome'] == UNDECIDED:
            need(not any(points), 'points at an undecided table')
        elif self.game.is_whole:
            need(points == self.game.score(), f'the points are {points} and not {self.game.score()}')
        else:
            self.is_unscored = True
        is_lost = self.has_dice() and fields['outcome'] == UNDECIDED and fields['secret'] == ZERO
        if self.has_dice() and not is_lost:
            need(digest(b'parlor dice', number(self.dice.table), fields['secret']) == self.setup['commitment'],
                 'the secret is not the one that the set-up commits to')
        self.is_finished = True

    def end(self):
        self.is_unsealed = self.secret is None and self.setup is not None and self.has_dice()


class Championship:
    def __init__(self):
        self.wanted, self.nicks, self.pairs, self.gone, self.is_finished = 0, [], set(), set(), False

    def take(self, seq, kind, fields):
        need((kind == CHAMPIONSHIP) == (seq == 1), 'a journal begins with one set-up')
        need(not self.is_finished, 'an event after the end')
        if kind == CHAMPIONSHIP:
            need(fields['format'] == 1 and fields['entrants'] >= 2, 'a championship has at least two players')
            self.wanted = fields['entrants']
            return
        need(kind > CHAMPIONSHIP, 'an event of a table in a championship')
        is_deserted = kind == CLOSE and not self.nicks and fields['outcome'] == UNDECIDED
        need((kind == ENTRANT) == (len(self.nicks) < self.wanted) or is_deserted, 'all enter first, and nobody later')
        if kind == ENTRANT:
            need(fields['nick'] not in self.nicks, 'somebody enters twice')
            self.nicks.append(fields['nick'])
        elif kind == PAIR:
            pair = fields['a'], fields['b']
            need(pair[1] < self.wanted and pair not in self.pairs, 'a pair is decided twice, or is none')
            self.pairs.add(pair)
        elif kind == WITHDRAWAL:
            need(fields['entrant'] < self.wanted and fields['entrant'] not in self.gone, 'somebody goes twice, or is nobody')
            self.gone.add(fields['entrant'])
        else:
            self.is_finished = True
            self.check_end(fields['outcome'])

    def check_end(self, outcome):
        need(outcome in (PLAYED, UNDECIDED), 'a championship does not end like this')

    def end(self):
        pass


# The export.

def secret_of(events):
    """The secret that the result reveals; None: it does not, or not yet."""
    if events[-1]['kind'] != RESULT:
        return None
    try:
        secret = read_body(RESULT, bytes.fromhex(events[-1]['body']))['secret']
    except Problem:
        return None
    return None if secret == ZERO else secret


def verify(code, events, report):
    """Follows one journal as far as it is sound."""
    table, before = events[0]['id'], ZERO
    is_championship = events[0]['kind'] == CHAMPIONSHIP
    journal = Championship() if is_championship else Table(table, secret_of(events))
    for place, event in enumerate(events, 1):
        try:
            body, kind, seq = bytes.fromhex(event['body']), event['kind'], event['seq']
            need(seq == place and event['id'] == table, 'an event is missing or out of its place')
            right = digest(before, number(table), number(seq), number(event['time_ms']), number(kind), body)
            need(right.hex() == event['hash'], 'the chain of hashes is broken')
            journal.take(seq, kind, read_body(kind, body))
            before = right
        except (Problem, IndexError, KeyError, ValueError, TypeError) as problem:
            report(f"{code} {event.get('seq')}: {problem if isinstance(problem, Problem) else 'cannot be played: ' + repr(problem)}")
            return journal
    if events[-1].get('last_seq', len(events)) != len(events):
        report(f'{code} {len(events)}: the journal is cut')
    journal.end()
    return journal


def main():
    journals, problems, counts = {}, [], {'events': 0, 'chances': 0, 'mixed': 0, 'unsealed': 0, 'championships': 0}
    unscored = set()

    def report(text):
        problems.append(text)
        print(text)
    with open(sys.argv[1], encoding='utf-8') if len(sys.argv) > 1 else sys.stdin as lines:
        for line in lines:
            event = json.loads(line)
            journals.setdefault(event['table'], []).append(event)
    for code, events in journals.items():
        journal = verify(code, events, report)
        counts['events'] += len(events)
        if isinstance(journal, Championship):
            counts['championships'] += 1
            continue
        counts['chances'] += journal.chances
        counts['mixed'] += journal.mixed
        counts['unsealed'] += journal.is_unsealed
        if journal.is_unscored:
            unscored.add(journal.setup['game'])
    mixed = f" ({counts['mixed']} with seeds of players)" if counts['mixed'] else ''
    championships = f"{counts['championships']} championships, " if counts['championships'] else ''
    print(f"{len(journals) - counts['championships']} tables, {championships}{counts['events']} events, "
          f"{counts['chances']} outcomes of chance{mixed}: {len(problems)} problems")
    if counts['unsealed']:
        print(f"not checked: the dice of {counts['unsealed']} tables, whose secret is not known (yet)")
    if len(journals) > counts['championships']:
        print('not checked: whether moves are legal (but for Treasure Hunt)' +
              (f"; who has won by the rules of {', '.join(sorted(unscored))}" if unscored else ''))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
