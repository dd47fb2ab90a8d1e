#!/usr/bin/env python3
"""Checks an export of journals without any code of Parlor: chain of hashes and commitment to the dice.

usage: parlor journal export --all | verify_journal.py [FILE]
"""
import hashlib
import json
import struct
import sys

SETUP, RESULT = 1, 7


def number(value):
    return struct.pack('<q', value)


def digest(*pieces):
    return hashlib.blake2b(b''.join(number(len(p)) + p for p in pieces), digest_size=32).digest()


last, commitment, problems = {}, {}, 0
with open(sys.argv[1], encoding='utf-8') if len(sys.argv) > 1 else sys.stdin as lines:
    for line in lines:
        event = json.loads(line)
        table, body = event['id'], bytes.fromhex(event['body'])
        seq, before = last.get(table, (0, bytes(32)))
        right = digest(before, number(table), number(event['seq']), number(event['time_ms']), number(event['kind']), body)
        wrong = event['seq'] != seq + 1 or right.hex() != event['hash']
        if event['kind'] == SETUP:
            commitment[table] = body[-32:]
        elif event['kind'] == RESULT and any(commitment.get(table, b'')):
            wrong = wrong or digest(b'parlor dice', number(table), body[-32:]) != commitment[table]
        if wrong:
            problems += 1
            print(f"{event['table']} {event['seq']}: altered")
        last[table] = event['seq'], bytes.fromhex(event['hash'])
print(f'{len(last)} tables, {problems} problems')
sys.exit(1 if problems else 0)
