#!/usr/bin/env python3
"""Talks to a server by hand: what is typed goes out line by line, what comes in is shown. Ctrl-C or Ctrl-D ends it."""
import argparse
import socket
import sys
import threading

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('host')
parser.add_argument('port', type=int)
options = parser.parse_args()
try:
    connection = socket.create_connection((options.host, options.port))
except (OSError, OverflowError) as problem:
    sys.exit(f'cannot connect to {options.host}:{options.port}: {problem}')


def show():
    """Until the server closes the connection."""
    while piece := connection.recv(65536):
        sys.stdout.write(piece.decode('utf-8', 'replace').replace('</message>', '</message>\n'))  # UGS has no lines
        sys.stdout.flush()
    print('\nthe server has closed the connection', file=sys.stderr)


shower = threading.Thread(target=show, daemon=True)
shower.start()
try:
    for line in sys.stdin:
        connection.sendall(line.encode())
    connection.shutdown(socket.SHUT_WR)
    shower.join()
except (KeyboardInterrupt, BrokenPipeError, ConnectionResetError):
    pass
