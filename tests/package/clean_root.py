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
import sys
import tempfile

import readonly
from readonly import check, run, wire


class Root:
    """A clean root with the packages installed."""

    def __init__(self, packages):
        self.folder = tempfile.mkdtemp(prefix='parlor-root-')
        atexit.register(shutil.rmtree, self.folder, True)
        self.path = os.path.join(self.folder, 'root')
        self.state = readonly.make_state(self.folder)
        names = ' '.join('/tmp/' + os.path.basename(package) for package in packages)
        hooks = [f'--customize-hook=copy-in {" ".join(packages)} /tmp', f'--customize-hook=chroot "$1" apt-get install -y -qq --no-install-recommends {names}',
                 f'--customize-hook=chroot "$1" rm {names}', '--customize-hook=mkdir -p "$1/var/lib/parlor"']
        run('mmdebstrap', '--quiet', '--variant=minbase', *hooks, 'bookworm', self.path)

    def inside(self, *words):
        return run('chroot', self.path, *words)

    def start(self):
        """The words by which the unit starts the server."""
        unit = pathlib.Path(self.path, 'usr/lib/systemd/system/parlor.service').read_text(encoding='utf-8')
        return re.search(r'^ExecStart=(.*)$', unit, re.M)[1].split()


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
    readonly.play_there(root.path, root.state, root.start())
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
