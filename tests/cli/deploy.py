#!/usr/bin/env python3
"""The files of deploy/cluster are what their programs take: HAProxy, Patroni, etcd, systemd and parlor itself. What is not installed here is
skipped and says so. Speaks TAP.

usage: deploy.py PARLOR
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import ask  # noqa: E402  (found by the line above)
import cluster  # noqa: E402
import postgres  # noqa: E402

PARLOR = os.path.abspath(sys.argv[1])
DEADLINE_S = 60


class Skipped(Exception):
    """Its program is not here."""


def run(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S,
                          check=False)
    assert done.returncode == 0, (words, done.stdout)
    return done.stdout


def text_of(name):
    return (cluster.DEPLOY / name).read_text(encoding='utf-8')


def haproxy_takes_it():
    """With addresses for the names of the nodes, which stand in /etc/hosts."""
    if cluster.MISSING_PROXY:
        raise Skipped(cluster.MISSING_PROXY)
    with tempfile.NamedTemporaryFile('w', suffix='.cfg') as file:
        file.write(re.sub(r'\bnode([123]):', r'127.0.0.\1:', text_of('haproxy.cfg')))
        file.flush()
        run(shutil.which('haproxy') or '/usr/sbin/haproxy', '-c', '-f', file.name)


def haproxy_has_every_listener():
    """On the public port, and for each node 10000 above, as in parlor.conf. A protocol without a port there is not for the public yet."""
    config, nodes = text_of('haproxy.cfg'), text_of('parlor.conf')
    print(f'# not in haproxy.cfg: {sorted(set(ask.listeners(PARLOR)) - set(cluster.PUBLIC_PORTS)) or "none"}')
    for name, port in cluster.PUBLIC_PORTS.items():
        assert name in ask.listeners(PARLOR), name
        assert re.search(rf'^ +bind :{port}$', config, re.M), name
        for number in (1, 2, 3):
            assert f'server node{number} node{number}:{port + cluster.NODE_PORT_OFFSET} check' in config, (name, number)
        assert re.search(rf'^{name} = 0\.0\.0\.0:{port + cluster.NODE_PORT_OFFSET}$', nodes, re.M), name


def patroni_takes_it():
    """With addresses and directories of this machine."""
    if cluster.MISSING_FAILOVER:
        raise Skipped(cluster.MISSING_FAILOVER)
    folder = tempfile.mkdtemp(prefix='parlor-deploy-')
    try:
        launcher = []
        if os.geteuid() == 0:
            launcher = postgres.unprivileged()
            os.chown(folder, *postgres.nobody())
        etcd_port, = cluster.free_ports(1)
        cluster.Member('db1', folder, etcd_port, launcher, {})
        done = subprocess.run([*launcher, 'env', f'HOME={folder}', 'patroni', '--validate-config', os.path.join(folder, 'db1.json')],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S, check=False, cwd='/')
        # What it has against this machine: one does not reach others by the loopback, and no etcd runs here.
        wrong = [line for line in done.stdout.splitlines() if 'must not contain "127.0.0.1"' not in line and 'is not reachable' not in line]
        assert not wrong, wrong
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def patroni_never_commits_alone():
    """What the nodes rely on (docs/scale.md)."""
    config = text_of('patroni.yml')
    for line in ('synchronous_mode: true', 'synchronous_mode_strict: true', 'synchronous_commit: "on"'):
        assert re.search(rf'^ +{re.escape(line)}$', config, re.M), line
    assert re.search(r'^etcd:$', config, re.M) and 'ETCD_ENABLE_V2=true' in text_of('etcd')


def parlor_takes_it():
    """Other listeners and no database; the names of all options are known."""
    listeners = [word for name in ask.listeners(PARLOR) for word in ('--' + name, '127.0.0.1:0')]
    folder = tempfile.mkdtemp(prefix='parlor-deploy-')
    server = subprocess.Popen([PARLOR, 'serve', '--config', str(cluster.DEPLOY / 'parlor.conf'), '--store', 'memory', '--data', folder, *listeners, '--allow-root'],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert ask.ready(server.stdout.readline()), 'it does not get ready'
    finally:
        server.terminate()
        server.wait(DEADLINE_S)
        shutil.rmtree(folder, ignore_errors=True)
    assert server.returncode == 0, server.returncode


def systemd_takes_it():
    if not shutil.which('systemd-analyze'):
        raise Skipped('systemd is not here')
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'parlor.service.d'))
        for name, text in (('parlor.service', f'[Service]\nExecStart={PARLOR} serve\n'), ('parlor.service.d/cluster.conf', text_of('parlor.service.conf'))):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)
        output = run('systemd-analyze', 'verify', '--man=no', os.path.join(folder, 'parlor.service'))
        assert 'cluster.conf' not in output and 'parlor.service' not in output, output


CASES = [haproxy_takes_it, haproxy_has_every_listener, patroni_takes_it, patroni_never_commits_alone, parlor_takes_it, systemd_takes_it]


def main():
    print(f'1..{len(CASES)}')
    failed = False
    for number, case in enumerate(CASES, 1):
        name = case.__name__.replace('_', ' ')
        try:
            case()
            print(f'ok {number} - {name}')
        except Skipped as why:
            print(f'ok {number} - {name} # SKIP {why}')
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            failed = True
            print(f'not ok {number} - {name}')
            print('\n'.join('# ' + line for line in str(error).splitlines()))
    sys.exit(1 if failed else 0)


main()
