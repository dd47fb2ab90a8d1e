#!/usr/bin/env python3
"""The Debian packages in a root that has nothing else: mmdebstrap makes one of Debian's archive, apt installs the packages with what they need, and the server runs
there as its unit says, as nobody and on a read-only root, and a game is played to its end. Then the packages go, and nothing stays. Needs root. Speaks TAP.

usage: clean_root.py FOLDER     with parlor_*.deb and parlor-doc_*.deb (make debtest)
"""
import atexit
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ('', 'wire')]
import ask  # noqa: E402  (found by the line above)
import wire  # noqa: E402
from native import check  # noqa: E402

MINUTES_S = 20 * 60  # a hang guard: the archive may be far away
NOBODY = '65534:65534'
# A copy of the root that cannot be written, in a name space that goes with its process; what systemd would give to the service can.
READ_ONLY = '''set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=0755 tmpfs "$root/run"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind "$STATE" "$root/var/lib/parlor"
install -d -m 0700 -o 65534 -g 65534 "$root/run/parlor"
exec chroot --userspec=65534:65534 "$root" "$@"
'''


class Root:
    """A clean root with the packages installed."""

    def __init__(self, packages):
        self.folder = tempfile.mkdtemp(prefix='parlor-root-')
        self.path = os.path.join(self.folder, 'root')
        self.state = os.path.join(self.folder, 'state')
        atexit.register(shutil.rmtree, self.folder, True)
        os.mkdir(self.state, 0o700)
        os.chown(self.state, 65534, 65534)
        names = ' '.join('/tmp/' + os.path.basename(package) for package in packages)
        hooks = [f'--customize-hook=copy-in {" ".join(packages)} /tmp', f'--customize-hook=chroot "$1" apt-get install -y -qq --no-install-recommends {names}',
                 f'--customize-hook=chroot "$1" rm {names}', '--customize-hook=mkdir -p "$1/var/lib/parlor"']
        run('mmdebstrap', '--quiet', '--variant=minbase', *hooks, 'bookworm', self.path)

    def inside(self, *words):
        return run('chroot', self.path, *words)

    def service(self, *options):
        """The server as the unit starts it, with these options besides."""
        unit = pathlib.Path(self.path, 'usr/lib/systemd/system/parlor.service').read_text(encoding='utf-8')
        words = re.search(r'^ExecStart=(.*)$', unit, re.M)[1].split()
        return wire.Process(['unshare', '--mount', '--', 'env', f'STATE={self.state}', 'sh', '-c', READ_ONLY, 'sh', self.path, *words, *options])


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=MINUTES_S, stdin=subprocess.DEVNULL, check=False)
    check(done.returncode == 0, f'{" ".join(words)}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}')
    return done.stdout


root = None


def it_is_installed():
    global root
    packages = sorted(glob.glob(os.path.join(os.path.abspath(sys.argv[1]), 'parlor*_*.deb')))
    packages = [package for package in packages if '-dbgsym' not in package]
    check(len(packages) == 2, f'parlor and parlor-doc: {packages}')
    root = Root(packages)
    check(root.inside('dpkg', '--verify', 'parlor', 'parlor-doc') == '', 'files differ from those of the package')
    check(root.inside('dpkg', '--audit') == '', 'something is half installed')
    conf = pathlib.Path(root.path, 'etc/parlor/parlor.conf').read_text(encoding='utf-8')
    check(all(line.startswith('#') or not line for line in conf.splitlines()), 'the file sets something')
    for page in ('usr/share/man/man1/parlor-serve.1.gz', 'usr/share/doc/parlor/docs/operating.md'):
        check(os.path.exists(os.path.join(root.path, page)), f'{page} is not there')


def a_game_is_played():
    server = root.service(*ask.listen(os.path.join(root.path, 'usr/bin/parlor'), 'http', 'ugs'))
    try:
        line = server.process.stdout.readline().decode()
        addresses = ask.ready(line)
        check(bool(addresses), f'{line}\n{server.error_text()}')
        status = pathlib.Path(f'/proc/{server.process.pid}/status').read_text(encoding='ascii')
        check(re.search(r'^Uid:\t65534\t65534\t65534', status, re.M) and re.search(r'^CapEff:\t0+$', status, re.M), status)
        check(re.search(r' info sandboxed ', server.error_text()) or ' sandbox-partial ' in server.error_text(), server.error_text())
        bots = [subprocess.Popen(['chroot', '--userspec=' + NOBODY, root.path, 'parlor', 'bot', 'paper-soccer', '--connect_to', addresses['ugs'], '--nick', nick,
                                  '--games', '1'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for nick in ('ann', 'bob')]
        for bot in bots:
            said = bot.communicate(timeout=MINUTES_S)[0]
            check(bot.returncode == 0, said)
        page = run('nsenter', f'--target={server.process.pid}', '--mount', '--root', 'parlor', 'admin', 'status')
        check('connections' in page, page)
        server.process.terminate()
        server.wait()
    finally:
        server.kill()
    check(' table-ended ' in server.error_text(), server.error_text())
    shutil.copytree(root.state, os.path.join(root.path, 'tmp', 'state'))
    listed = root.inside('parlor', 'journal', 'list', '--data', '/tmp/state')
    check(listed.count('paper-soccer') == 1, listed)
    root.inside('parlor', 'journal', 'verify', '--data', '/tmp/state')


def it_goes():
    """With its configuration; what players did stays until somebody removes it."""
    root.inside('apt-get', 'purge', '-y', '-qq', 'parlor', 'parlor-doc')
    left = [path for path in ('usr/bin/parlor', 'etc/parlor', 'usr/lib/systemd/system/parlor.service', 'usr/share/doc/parlor', 'usr/share/doc/parlor-doc')
            if os.path.exists(os.path.join(root.path, path))]
    check(not left, f'left behind: {left}')


wire.run_cases([
    ('the packages are installed in a clean root', it_is_installed),
    ('a game is played there, as nobody on a read-only root', a_game_is_played),
    ('nothing stays when they are purged', it_goes),
])
