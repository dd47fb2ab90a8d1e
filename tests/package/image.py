#!/usr/bin/env python3
"""The image that `make image` has built: what its Containerfile says it is started as, its page, and a game that is played in its root, which cannot be written, as nobody.
The root is entered without a runtime of containers, so that it works where none can start one. Needs root and buildah. Speaks TAP.

usage: image.py [NAME]     (make imagetest)
"""
import json
import shutil
import sys
import tempfile

import readonly
from readonly import check, run, wire

NAME = sys.argv[1] if len(sys.argv) > 1 else 'localhost/parlor'


def it_runs_as_nobody():
    config = json.loads(run('buildah', 'inspect', '--type', 'image', NAME))['OCIv1']['config']
    check(config['User'] == 'nobody:nogroup' and config['StopSignal'] == 'SIGTERM', f'{config}')
    check(list(config['Volumes']) == ['/var/lib/parlor'], f'{config}')
    reached = [word for word in config['Cmd'] if not word.startswith('--')]
    check({f'{address.rsplit(":", 1)[1]}/tcp' for address in reached} == set(config['ExposedPorts']), f'{config}')


def a_game_is_played():
    folder = tempfile.mkdtemp(prefix='parlor-image-')
    container = run('buildah', 'from', '--pull-never', NAME).strip()
    try:
        config = json.loads(run('buildah', 'inspect', container))['OCIv1']['config']
        state = readonly.make_state(folder)
        root = run('buildah', 'mount', container).strip()
        readonly.play_there(root, state, config['Entrypoint'])
        listed = run('chroot', root, 'parlor', 'protocols')
        check('santorini' in listed, listed)
    finally:
        run('buildah', 'rm', container)
        shutil.rmtree(folder, True)


wire.run_cases([
    ('it says how it is run', it_runs_as_nobody),
    ('a game is played, as nobody on a read-only root', a_game_is_played),
])
