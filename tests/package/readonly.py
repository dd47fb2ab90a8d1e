"""A server in a root of its own that cannot be written, as nobody and without any capability; only what a service or a container gives to it can. In a name space
that goes with its process, so nothing is left mounted. Needs root."""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ('', 'wire')]
import ask  # noqa: E402  (found by the line above)
import wire  # noqa: E402
from native import check  # noqa: E402

MINUTES_S = 20 * 60  # a hang guard: the archive of Debian may be far away
NOBODY = 65534
SCRIPT = '''set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=0755 tmpfs "$root/run"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind "$STATE" "$root/var/lib/parlor"
install -d -m 0700 -o 65534 -g 65534 "$root/run/parlor"
! touch "$root/usr/written" 2>/dev/null
exec chroot --userspec=65534:65534 "$root" "$@"
'''


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=MINUTES_S, stdin=subprocess.DEVNULL, check=False)
    check(done.returncode == 0, f'{" ".join(words)}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}')
    return done.stdout


def make_state(folder):
    """A directory for the journal, as a service or a volume has it."""
    state = os.path.join(folder, 'state')
    os.mkdir(state, 0o700)
    os.chown(state, NOBODY, NOBODY)
    return state


def play_there(root, state, words):
    """Starts these words in the root, lets two bots play a game there, and ends the server in order; gives its log."""
    listeners = dict.fromkeys(protocol['listener'] for protocol in json.loads(run('chroot', root, 'parlor', 'protocols', '--json'))['protocols'])
    places = [word for name in listeners for word in ('--' + name, '127.0.0.1:0' if name in ('http', 'ugs') else 'off')]
    server = wire.Process(['unshare', '--mount', '--', 'env', f'STATE={state}', 'sh', '-c', SCRIPT, 'sh', root, *words, *places])
    try:
        line = server.process.stdout.readline().decode()
        addresses = ask.ready(line)
        check(bool(addresses), f'{line}\n{server.error_text()}')
        status = pathlib.Path(f'/proc/{server.process.pid}/status').read_text(encoding='ascii')
        check(re.search(r'^Uid:\t65534\t65534\t65534', status, re.M) and re.search(r'^CapEff:\t0+$', status, re.M), status)
        check(re.search(r' info sandbox(ed|-partial) ', server.error_text()), server.error_text())
        bots = [subprocess.Popen(['chroot', f'--userspec={NOBODY}:{NOBODY}', root, 'parlor', 'bot', 'paper-soccer', '--connect_to', addresses['ugs'], '--nick', nick,
                                  '--games', '1'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for nick in ('ann', 'bob')]
        for bot in bots:
            said = bot.communicate(timeout=MINUTES_S)[0]
            check(bot.returncode == 0, said)
        if 'admin' in addresses:
            told = run('nsenter', f'--target={server.process.pid}', '--mount', '--root', 'parlor', 'admin', 'status')
            check('connections' in told, told)
        server.process.terminate()
        server.wait()
    finally:
        server.kill()
    check(' table-ended ' in server.error_text() and 'outcome="played"' in server.error_text(), server.error_text())
    return server.error_text()
