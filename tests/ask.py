"""What the tests ask the program about itself, instead of spelling lists out: games, protocols, and the ready line."""
import functools
import json
import subprocess


@functools.cache
def told(parlor, what):
    """The list that `parlor WHAT --json` prints."""
    done = subprocess.run([parlor, what, '--json'], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[what]


def game_names(parlor):
    return [game['name'] for game in told(parlor, 'games')]


def doors(parlor):
    """(game, protocol) of those whose tables the API opens, too; those of the Universal Game System are made by its hall alone,
    and another framing of a protocol has the tables of that."""
    return [(protocol['game'], protocol['name']) for protocol in told(parlor, 'protocols')
            if protocol['game'] is not None and protocol['name'] != 'ugs' and protocol['of'] is None]


def listeners(parlor):
    """The names of all listeners, in the order of the ready line."""
    names = dict.fromkeys(protocol['listener'] for protocol in told(parlor, 'protocols'))
    return list(names)


def tls_listener(parlor, name):
    """The name of the listener by which another is reached over TLS."""
    return next(protocol['tls_listener'] for protocol in told(parlor, 'protocols') if protocol['listener'] == name)


def listen(parlor, *names):
    """Options of `parlor serve` by which these listeners have free ports of the loopback and all others are off, and which
    let whoever runs the tests run it."""
    return [*(word for name in listeners(parlor) for word in ('--' + name, '127.0.0.1:0' if name in names else 'off')), '--allow-root']


def ready(line):
    """The ready line as a dict from listener to address or 'off'; {} when it is something else."""
    words = line.split()
    if words[:1] != ['ready'] or not all('=' in word for word in words[1:]):
        return {}
    return dict(word.split('=', 1) for word in words[1:])


def port(address):
    """The port of an address in the ready line; 0 for 'off'."""
    return 0 if address == 'off' else int(address.rsplit(':', 1)[1])
