"""Holds everything that anybody was told against the journals. What is not there is lost; what is there differently was told to
somebody by a history that is not the one that counts.
"""
import json
import re

import load

ACTION = re.compile(r'seat \d+ \((.*?)\): (.*)')
PLAYED = 1  # the outcome of a result that was played to its end (docs/journal.md)
SELF_TEST_CUTS = 3  # of the told facts of each kind, that are taken out of the journal to see whether anybody notices


class Journals:
    """All events of a store, as `parlor journal export --all` writes them."""

    def __init__(self, text):
        self.events = {}
        for line in text.splitlines():
            event = json.loads(line)
            self.events.setdefault(event['table'], []).append(event)
        self.tables_of = {}
        for code, events in self.events.items():
            for event in events:
                if event['word'] == 'seat' and ' sits at seat ' in event['text']:
                    self.tables_of.setdefault(event['text'].split(' sits at seat ')[0], []).append((event['time_ms'], code))

    def actions(self, code):
        """(name, words) of every action, in order."""
        for event in self.events.get(code, []):
            match = ACTION.match(event['text']) if event['word'] == 'action' else None
            if match:
                yield match.group(1), match.group(2).split()

    def table_of(self, name):
        """Where it sat down last: two who wait at different nodes meet at the table of one of them."""
        return max(self.tables_of.get(name, []), default=(0, None))[1]


def facts_told_to(player, journals):
    """What the journal says, in the form of what a player of its protocol is told."""
    code = journals.table_of(player.told_name)
    facts = []
    for name, words in journals.actions(code):
        fact = player.fact_of(name, words)
        if fact is None:
            continue
        if player.protocol == 'treasure':    # its own moves
            facts += [fact[1:]] if name == player.told_name else []
        else:
            facts.append(fact)
    return facts


def compare_ugs(player, journals):
    wrong = []
    for code, told in player.told.items():
        events = [(event['word'], bytes.fromhex(event['body'])) for event in journals.events.get(code, [])]
        is_broken_off = any(word in ('forfeit', 'timeout') or (word == 'result' and body[0] != PLAYED) for word, body in events)
        try:
            facts = load.crash.facts_of_journal(events)
        except (AssertionError, KeyError, IndexError) as error:
            wrong.append(f'ugs: the journal of {code} makes no sense: {error}')
            continue
        if is_broken_off and told and told[-1][0][0] == 'over' and not told[-1][1]:  # nobody has moved to that
            told = told[:-1]
        if told != facts[:len(told)]:
            wrong.append(f'ugs: {player.told_name} was told of {code}\n  {told}\nbut the journal says\n  {facts}')
    return sum(map(len, player.told.values())), wrong


def is_beginning(told, facts):
    """Whether facts begin with what was told, of which some facts may never have happened."""
    places = {0}
    for fact in told:
        is_sure = fact[-1] != load.MAYBE
        wanted = fact if is_sure else fact[:-1]
        places = {place + 1 for place in places if facts[place:place + 1] == [wanted]} | (set() if is_sure else places)
    return bool(places)


STUDENTS = 3  # that a player moves in a turn, when there are two players


def eriantys_stands(actions):
    """How far the game of two players is before each action, and after the last one: (round, who is to act, what comes); None: not known."""
    stands, number, played, turns, students, coming = [], 0, 0, 0, 0, 'PLAY_ASSISTANT'
    for place in range(len(actions) + 1):
        name, word = (actions[place][0], actions[place][1][0]) if place < len(actions) else (None, None)
        if coming == 'CHOOSE_CLOUD' and word != 'cloud':  # nothing is on the clouds any more, or it is not known yet
            if word is None:
                stands.append((None, None, None))
                break
            turns, students, coming = turns + 1, 0, 'MOVE_STUDENT_1'
        if turns == 2:
            number, played, turns, coming = number + 1, 0, 0, 'PLAY_ASSISTANT'
        stands.append((number, name, coming))
        if word == 'assistant':
            played += 1
            coming = 'MOVE_STUDENT_1' if played == 2 else 'PLAY_ASSISTANT'
        elif word == 'student':
            students += 1
            coming = 'MOVE_MOTHER_NATURE' if students == STUDENTS else f'MOVE_STUDENT_{students + 1}'
        elif word == 'mother':
            coming = 'CHOOSE_CLOUD'
        elif word == 'cloud':
            turns, students, coming = turns + 1, 0, 'MOVE_STUDENT_1'
    return stands


def eriantys_place(player, journals):
    """How many actions of the journal the player was told of, one way or the other; None: it was told something else."""
    actions = list(journals.actions(journals.table_of(player.told_name)))
    stands, place = eriantys_stands(actions), 0
    for fact in player.told:
        is_paused = fact[-1] == load.PAUSE
        if fact[0] == load.STANDS:
            while place < len(stands) and any(a is not None and a != b for a, b in zip(stands[place], fact[1:4])):
                if place < len(actions) and not is_paused and actions[place][0] != player.told_name:
                    return None  # the other has acted, and nobody said so
                place += 1
        else:
            while place < len(actions) and actions[place][0] == player.told_name:
                place += 1
            if place >= len(actions) or player.fact_of(*actions[place])[1:] != fact:
                return None
            place += 1
        if place > len(actions):
            return None
    return place


def compare_eriantys(player, journals):
    if not player.told or eriantys_place(player, journals) is not None:
        return len(player.told), []
    code = journals.table_of(player.told_name)
    return len(player.told), [f'eriantys: {player.told_name} was told\n  {player.told}\nbut the journal of {code} says\n  '
                              f'{list(journals.actions(code))}']


def compare_player(player, journals):
    """(facts, what is wrong)."""
    if player.protocol == 'ugs':
        return compare_ugs(player, journals)
    if player.protocol == 'eriantys':
        return compare_eriantys(player, journals)
    facts = facts_told_to(player, journals)
    if is_beginning(player.told, facts):
        return len(player.told), []
    return len(player.told), [f'{player.protocol}: {player.told_name} was told\n  {player.told[-20:]}\nbut the journal of '
                              f'{journals.table_of(player.told_name)} says\n  {facts[max(0, len(player.told) - 20):len(player.told) + 2]}']


def compare_acts(acts, journals):
    """An action that was answered with a version stands there, or one before it when it ended the game."""
    wrong = []
    for code, version, action in acts:
        events = journals.events.get(code, [])
        near = [event['text'].split(': ', 1)[-1] for event in events[max(0, version - 3):version] if event['word'] == 'action']
        if len(events) < version or action not in near:
            wrong.append(f'api: {action} at {code} was acknowledged as version {version}, but there is {near} of {len(events)}')
    return len(acts), wrong


def compare_feeds(feeds, journals):
    """What watchers were told, whichever node and however often."""
    count, wrong = 0, []
    for code, versions in feeds.items():
        events = journals.events.get(code, [])
        for version, told in versions.items():
            count += 1
            if len({at_and_kind[:2] for at_and_kind in told}) > 1:
                wrong.append(f'feed: {code} has two versions {version}: {told}')
            at_ms, kind, _ = next(iter(told))
            if len(events) < version or (events[version - 1]['time_ms'], events[version - 1]['word']) != (at_ms, kind):
                wrong.append(f'feed: {code} version {version} was told as {told}, but the journal has {events[version - 1:version]}')
    return count, wrong


def compare(score, journals):
    """(facts checked by kind, what is wrong)."""
    checked, wrong = {}, []

    def add(kind, result):
        checked[kind] = checked.get(kind, 0) + result[0]
        wrong.extend(result[1])
    for player in score.players:
        add(player.protocol, compare_player(player, journals))
    add('api', compare_acts(score.api_acts, journals))
    add('feed', compare_feeds(score.feed_events, journals))
    return checked, wrong


def unnoticed(score, journals, rng):
    """Takes told events out of the journals, one at a time; those whose loss nobody has noticed."""
    missed = []
    tables = {'api': [(code, version) for code, version, _ in score.api_acts[-50:]],
              'feed': [(code, max(versions)) for code, versions in score.feed_events.items()]}
    for player in score.players:
        code = journals.table_of(player.told_name)
        if player.told and code and player.protocol == 'eriantys':
            own = [event['seq'] for event in journals.events[code] if event['word'] == 'action' and ACTION.match(event['text'])]
            tables.setdefault(player.protocol, []).extend((code, number) for number in own[:eriantys_place(player, journals)])
        elif player.told and code and player.protocol != 'ugs':
            own = [event for event in journals.events[code] if event['word'] == 'action' and is_told(player, event)]
            sure = sum(fact[-1] != load.MAYBE for fact in player.told)
            if sure == len(player.told):
                tables.setdefault(player.protocol, []).extend((code, event['seq']) for event in own[:sure])
        elif player.told and player.protocol == 'ugs':
            tables.setdefault('ugs', []).extend((code, next(event['seq'] for event in journals.events[code] if event['word'] == 'action'))
                                                for code, told in player.told.items() if len(told) > 2)
    for kind, places in tables.items():
        for code, number in rng.sample(places, min(SELF_TEST_CUTS, len(places))):
            whole = journals.events[code]
            journals.events[code] = [event for event in whole if event['seq'] != number]
            if not compare(score, journals)[1]:
                missed.append(f'{kind}: event {number} of {code}')
            journals.events[code] = whole
    return missed


def is_told(player, event):
    match = ACTION.match(event['text'])
    fact = match and player.fact_of(match.group(1), match.group(2).split())
    is_own = match and match.group(1) == player.told_name
    return bool(fact) and (is_own if player.protocol == 'treasure' else True)
