#!/usr/bin/env python3
"""Random games of Masters of Renaissance over the socket: nothing may be lost or made, at any update, and nobody who keeps
the rules may be refused.

usage: renaissance_games.py PARLOR

PARLOR_GAMES: how many games, 40 when it is not set; a quarter of them each of one, two, three and four players.
PARLOR_SEED: of the choices and of the dice, 1 when it is not set.
"""
import os
import random
import sys
import time

import renaissance_wire
import wire

PARLOR = sys.argv[1]
GAMES = int(os.environ.get('PARLOR_GAMES', '40'))
SEED = int(os.environ.get('PARLOR_SEED', '1'))
CHECKED = 200  # games whose every line is held against the schemas; the others are only followed by the ledger


def games(players):
    def run():
        rng = random.Random(f'{SEED} {players}')
        lost = requests = 0
        started = time.monotonic()
        with renaissance_wire.Server(PARLOR, ['--store', 'memory', '--renaissance-silence', '60']) as server:
            for number in range(GAMES // 4):
                names = [f'play{number}-{seat}' for seat in range(players)]
                party = renaissance_wire.Party(server, names, rng, checks=number < CHECKED)
                try:
                    lost += party.play()['lorenzoWon']
                except wire.Failure as failure:
                    raise wire.Failure(f'game {number}: {failure}') from failure
                requests += party.requests
                party.close()
            server.stop()
        print(f'# {GAMES // 4} games, {requests} messages of players, {lost} lost to Lorenzo, '
              f'{time.monotonic() - started:.0f} s', flush=True)
    return run


wire.run_cases([(f'{GAMES // 4} random games of {players}', games(players)) for players in (1, 2, 3, 4)])
