#!/usr/bin/env python3
"""A cluster as deploy/cluster describes it, under load from every protocol through HAProxy, while nodes and databases are killed, stopped
and continued, and connections are cut. At the end everything that anybody was told must be in the journals.

usage: chaos.py PARLOR [--rounds N] [--nodes N] [--members N] [--pairs N] [--seed N] [--faults WORD,...] [--ugs-check PATH]

Prints a line per round and a report; the exit status is 0 only when nothing is lost and every round went on afterwards.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import cluster  # noqa: E402  (found by the line above)

GO_ON_S = 90        # until a cluster that was disturbed must have acknowledged moves of its own again
MOVES_AFTER = 60    # so many
MOVES_BEFORE = 200  # in all, before the first fault
LOG_BYTES = 2500    # of each program, when something is wrong
STOP_S = (0.5, 6)   # of a node that is stopped
FAILOVER_S = 90     # until there must be another primary
SHARES = {'node-kill': 4, 'node-stop': 3, 'cut': 3, 'session-cut': 2, 'primary-kill': 2, 'primary-stop': 1, 'standby-kill': 1, 'switchover': 1}


def parse():
    parser = argparse.ArgumentParser(description='Faults for a cluster under load; nothing that was told may be lost.')
    parser.add_argument('parlor')
    parser.add_argument('--rounds', type=int, default=20)
    parser.add_argument('--nodes', type=int, default=3, choices=(1, 2, 3))
    parser.add_argument('--members', type=int, default=3, choices=(2, 3), help='databases under Patroni')
    parser.add_argument('--pairs', type=int, default=2, help='tables of each protocol at a time')
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--faults', default=','.join(SHARES), help='which (default: %(default)s)')
    parser.add_argument('--ugs-check', help='what HAProxy asks instead of /health/ugs')
    parser.add_argument('--keep', action='store_true', help='keep the logs and the export, and say where')
    return parser.parse_args()


OPTIONS = parse()
sys.argv[1:] = [OPTIONS.parlor, '--seed', str(OPTIONS.seed)]  # crash.py reads them, too
import load    # noqa: E402  pylint: disable=wrong-import-position
import oracle  # noqa: E402  pylint: disable=wrong-import-position

RANDOM = random.Random(OPTIONS.seed)


class Chaos:
    """The faults, each of which leaves the cluster whole again."""

    def __init__(self, running):
        self.running, self.database = running, running.database
        self.counts, self.failovers = collections.Counter(), 0

    def another_primary(self, before):
        """Whoever takes over; the time that took."""
        started = time.monotonic()

        def is_another():
            now = self.database.primary()
            return now is not None and now is not before
        try:
            cluster.wait_for('another primary', is_another, FAILOVER_S)
        except RuntimeError as error:
            raise RuntimeError(f'after {before.name}: {error}' + logs(self.database.members)) from None
        self.failovers += 1
        return f'another after {time.monotonic() - started:.1f} s'

    def node_kill(self):
        node = RANDOM.choice(self.running.nodes)
        node.kill()
        node.start()
        cluster.wait_for(f'{node.name} after its kill', node.is_ready)
        return node.name

    def node_stop(self):
        node = RANDOM.choice(self.running.nodes)
        seconds = RANDOM.uniform(*STOP_S)
        node.stop()
        time.sleep(seconds)
        node.go_on()
        return f'{node.name} for {seconds:.1f} s'

    def cut(self):
        node = RANDOM.choice(self.running.nodes)
        backend = RANDOM.choice(('http_ready', 'santorini', 'eriantys', 'renaissance', 'ugs'))
        self.running.proxy.cut(backend, node.name)
        return f'{backend} of {node.name}'

    def session_cut(self):
        """Sessions of the nodes at the database, in the middle of whatever they do."""
        first = cluster.wait_for('a primary', self.database.primary)
        count = RANDOM.randint(1, 3)
        self.database.sql(first, 'parlor', "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name "
                          f"LIKE 'parlor%' ORDER BY random() LIMIT {count}) AS chosen")
        return f'{count} of {first.name}'

    def primary_kill(self):
        first = cluster.wait_for('a primary', self.database.primary)
        first.kill()
        words = self.another_primary(first)
        first.start()
        return f'{first.name}, {words}'

    def primary_stop(self):
        """With its Patroni, as when a whole machine stands still; it wakes up as a primary that is none any more."""
        first = cluster.wait_for('a primary', self.database.primary)
        first.stop()
        words = self.another_primary(first)
        first.go_on()
        return f'{first.name}, {words}'

    def switchover(self):
        """As before the primary's machine is serviced. Patroni refuses as long as no standby is near enough; then it is asked again."""
        first = cluster.wait_for('a primary', self.database.primary)
        request = urllib.request.Request(f'http://127.0.0.1:{first.api_port}/switchover', json.dumps({'leader': first.name}).encode())

        def is_taken():
            try:
                with urllib.request.urlopen(request, timeout=FAILOVER_S):
                    return True
            except urllib.error.HTTPError:
                return self.database.primary() not in (None, first)
            except OSError:
                return True
        cluster.wait_for('a switchover', is_taken, FAILOVER_S)
        return f'{first.name}, {self.another_primary(first)}'

    def standby_kill(self):
        first = cluster.wait_for('a primary', self.database.primary)
        standby = RANDOM.choice([member for member in self.database.members if member is not first])
        standby.kill()
        standby.start()
        return standby.name

    def round(self):
        """One fault, after which the databases are whole again; what it was."""
        words = OPTIONS.faults.split(',')
        fault, = RANDOM.choices(words, [SHARES[word] for word in words])
        said = getattr(self, fault.replace('-', '_'))()
        self.counts[fault] += 1
        try:
            cluster.wait_for('a primary with a synchronous standby', self.database.is_whole, FAILOVER_S)
        except RuntimeError as error:
            raise RuntimeError(f'{fault} ({said}): {error}' + logs(self.database.members)) from None
        return f'{fault} ({said})'


def logs(programs):
    return ''.join(f'\n--- {program.name}\n{program.log()[-LOG_BYTES:]}' for program in programs)


def goes_on(score, number, running):
    """Moves are acknowledged again."""
    before = score.acknowledged
    try:
        cluster.wait_for('moves', lambda: score.acknowledged >= before + number, GO_ON_S)
    except RuntimeError:
        raise RuntimeError(f'only {score.acknowledged - before} moves were acknowledged in {GO_ON_S} s' + logs(running.nodes)) from None


def journal(url, *words):
    done = subprocess.run([os.path.abspath(OPTIONS.parlor), 'journal', '--store', url, *words], capture_output=True, text=True, timeout=600,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f'parlor journal {words} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}')
    return done.stdout


def judge(score, running):
    """Everything that was told against the journals; what is wrong."""
    text = journal(running.database.url, 'export', '--all')
    if OPTIONS.keep:
        with tempfile.NamedTemporaryFile('w', suffix='.jsonl', delete=False) as file:
            file.write(text)
        print(f'# the export is {file.name}')
    journals = oracle.Journals(text)
    checked, wrong = oracle.compare(score, journals)
    wrong += [f'taken out and not missed: {what}' for what in oracle.unnoticed(score, journals, RANDOM)]
    print(f'# {journal(running.database.url, "verify").splitlines()[-1]}')
    for node in running.nodes:
        for word in ('Sanitizer', 'runtime error:', 'Assertion', 'journal-broken'):
            if word in node.log():
                wrong.append(f'{node.name}: {node.log()[-3000:]}')
    print('# told and there: ' + ', '.join(f'{count} {kind}' for kind, count in sorted(checked.items())))
    return wrong


def run(running):
    score = load.Score(running.proxy.ports)
    load.begin(score, OPTIONS.pairs)
    chaos, started, stalls = Chaos(running), time.monotonic(), []
    goes_on(score, MOVES_BEFORE, running)
    for number in range(1, OPTIONS.rounds + 1):
        begun = time.monotonic()
        score.stall()
        said = chaos.round()
        goes_on(score, MOVES_AFTER, running)
        stalls.append(score.stall())
        print(f'round {number}: {said}; {time.monotonic() - begun:.1f} s, stall {stalls[-1]:.1f} s, {score.acknowledged} moves so far', flush=True)
    score.ending.set()
    seconds = time.monotonic() - started
    for node in running.nodes:
        node.end()
    wrong = judge(score, running)
    kills = sum(count for word, count in chaos.counts.items() if word.endswith('kill'))
    print(f'# {", ".join(f"{word} {count}" for word, count in sorted(chaos.counts.items()))}; players that came: '
          + ', '.join(f'{count} {protocol}' for protocol, count in sorted(score.came.items())))
    print('# by protocol: ' + ', '.join(f'{count} {protocol}' for protocol, count in sorted(score.by_protocol.items())))
    print(f'{OPTIONS.rounds} rounds in {seconds:.0f} s: {score.acknowledged} moves acknowledged, {kills} kills, {chaos.failovers} failovers, '
          f'longest stall {max(stalls, default=0):.1f} s, lost {len(wrong)}', flush=True)
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


def main():
    missing = cluster.MISSING_PROXY or cluster.MISSING_FAILOVER
    if missing:
        sys.exit(missing)
    print(f'# seed {OPTIONS.seed}', flush=True)
    options = ['--hunt-poll-interval', '0', '--free-loopback']
    try:
        with cluster.Cluster(OPTIONS.parlor, OPTIONS.nodes, True, options, OPTIONS.ugs_check, OPTIONS.members) as running:
            return run(running)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        print(f'chaos: {error}')
        return 1


sys.exit(main())
