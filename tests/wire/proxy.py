#!/usr/bin/env python3
"""Two nodes on one PostgreSQL behind HAProxy, with the configuration of deploy/cluster: who comes is sent to a node that can save, and while none
can, the nodes themselves say why.

usage: proxy.py PARLOR
"""
import json
import os
import socket
import sys

import native
import wire

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import cluster  # noqa: E402  (found by the line above)

PARLOR = os.path.abspath(sys.argv[1])
LINES = {'santorini': None, 'eriantys': {'type': 'gameCreation', 'playersNumber': 2, 'expert': False},
         'renaissance': {'type': 'loginRequest', 'username': 'alice'}}  # what a client says first, if the server does not
running = None


def ask(path):
    return cluster.get(running.proxy.ports['http'], path)


def until(what, status, path='/health/ready'):
    """What is answered through the proxy, once it has this status."""
    return cluster.wait_for(what, lambda: (lambda found: found if found[0] == status else None)(ask(path)))[1]


def every_protocol_gets_through():
    for name, message in LINES.items():
        with socket.create_connection(('127.0.0.1', running.proxy.ports[name]), timeout=wire.DEADLINE_S) as client:
            if message:
                client.sendall(json.dumps(message).encode() + b'\n')
            line = client.makefile(encoding='utf-8').readline()
            native.check('type' in json.loads(line), f'{name}: {line}')
    native.check(ask('/api/v1/games')[0] == 200, 'the API is not there')
    place = native.Server.__new__(native.Server)
    place.port, place.description = running.proxy.ports['http'], native.Description(json.loads(ask('/api/v1/openapi.json')[1]))
    with native.Socket(place) as feed:
        native.check(feed.ask('lobby', type='lobby')['tables'] is not None, 'no WebSocket')


def a_killed_node_is_left_out():
    """Requests are answered by the other, and by both when it is back."""
    first, second = running.nodes
    first.kill()
    until('the other node', 200)
    for _ in range(20):
        status, text = ask('/api/v1/games')
        native.check(status == 200, f'{status} {text[:200]} although a node is there')
    second.kill()
    native.check(until('the end of all', 503).startswith('<html>'), 'somebody answers')
    for node in running.nodes:
        node.start()
    until('both', 200)


def without_a_database_the_nodes_say_so():
    database = running.database.server
    database.halt()
    try:
        text = until('a node that is not ready', 503)
        native.check(text == 'the store does not answer\n', f'not a word of the node: {text[:300]}')
        native.check(ask('/health/live')[0] == 200, 'nobody is alive')
    finally:
        database.go_on()
    until('the database', 200)


def main():
    global running
    missing = cluster.MISSING_PROXY or cluster.postgres.MISSING
    if missing:
        print(f'1..0 # SKIP {missing}')
        return
    with cluster.Cluster(PARLOR, nodes=2) as running:
        wire.run_cases([
            ('every protocol gets through', every_protocol_gets_through),
            ('a killed node is left out', a_killed_node_is_left_out),
            ('without a database the nodes say so', without_a_database_the_nodes_say_so),
        ])


main()
