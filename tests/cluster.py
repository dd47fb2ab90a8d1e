"""Everything that several nodes of Parlor stand on, on this machine: etcd, PostgreSQL under Patroni (or one primary with its standby),
nodes, and HAProxy, with the files of deploy/cluster and other addresses in them. As users without privileges, in a directory of
its own that goes with it. Shared by `make cluster`, `make chaos` and the tests.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import ask
import postgres

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPLOY = ROOT / 'deploy' / 'cluster'
DEADLINE_S = 60
SYSTEM_PYTHON = '/usr/bin/python3'  # Patroni's, and with it comes a reader of YAML
LISTEN_PORTS = (10000, 32000)  # below those that connections are given (ip_local_port_range)
NODE_PORT_OFFSET = 10000  # what a node listens on, above the public port
PUBLIC_PORTS = {'http': 8080, 'ugs': 8888, 'santorini': 2033, 'eriantys': 36803, 'renaissance': 4000,
                'renaissance-java': 4001}  # of deploy/cluster/haproxy.cfg
MISSING_PROXY = None if shutil.which('haproxy') or os.path.exists('/usr/sbin/haproxy') else 'HAProxy is not installed (package haproxy)'
MISSING_FAILOVER = next((f'{program} is not installed (package {package})' for program, package in
                         (('patroni', 'patroni'), ('etcd', 'etcd-server')) if not shutil.which(program)), postgres.MISSING)


def free_ports(count):
    """So many ports of the loopback that nobody has, and that no connection is given by the system before a program listens there."""
    ports = set()
    while len(ports) < count:
        port = random.SystemRandom().randrange(*LISTEN_PORTS)
        with contextlib.suppress(OSError), socket.create_server(('127.0.0.1', port)):
            ports.add(port)
    return list(ports)


def children_of(pid):
    """Its processes, and theirs."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in os.listdir(f'/proc/{pid}/task'):
            with open(f'/proc/{pid}/task/{task}/children', encoding='ascii') as children:
                found += [int(child) for child in children.read().split()]
    return found + [grandchild for child in found for grandchild in children_of(child)]


def wait_for(what, is_there, deadline_s=DEADLINE_S):
    """Looks again and again; the deadline is only against hanging."""
    until = time.monotonic() + deadline_s
    while time.monotonic() < until:
        found = is_there()
        if found:
            return found
        time.sleep(0.05)
    raise RuntimeError(f'{what} does not come')


def get(port, path, timeout_s=2):
    """(status, text) of a request over HTTP; (0, why) without an answer."""
    try:
        with urllib.request.urlopen(f'http://127.0.0.1:{port}{path}', timeout=timeout_s) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


class Program:
    """One program with a log of its own, which can be killed, stopped, continued and started again."""

    def __init__(self, name, folder, arguments, launcher=()):
        self.name, self.arguments, self.process = name, [*launcher, *map(str, arguments)], None
        self.log_path = os.path.join(folder, name + '.log')
        self.is_stopped = False

    def start(self):
        with open(self.log_path, 'ab') as log:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd='/', start_new_session=True)
        self.is_stopped = False

    def pids(self):
        """Of everything that belongs to it, itself last."""
        if self.process is None or self.process.poll() is not None:
            return []
        return [*children_of(self.process.pid), self.process.pid]

    def signal(self, number):
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        self.signal(signal.SIGSTOP)
        self.is_stopped = True

    def go_on(self):
        self.signal(signal.SIGCONT)
        self.is_stopped = False

    def kill(self):
        pids = self.pids()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()
        wait_for(f'the end of {self.name}', lambda: not any(map(postgres.is_alive, pids)))

    def end(self):
        """In order, and by force when that takes too long."""
        if self.is_stopped:
            self.go_on()
        pids = self.pids()
        if self.is_running():
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def log(self):
        with contextlib.suppress(FileNotFoundError), open(self.log_path, encoding='utf-8', errors='replace') as log:
            return log.read()
        return ''


class Node(Program):
    """parlor serve on a database, with every protocol."""

    def __init__(self, name, folder, parlor, url, options=()):
        names = ask.listeners(parlor)
        self.ports = dict(zip(names, free_ports(len(names))))
        listeners = [word for protocol, port in self.ports.items() for word in ('--' + protocol, f'127.0.0.1:{port}')]
        super().__init__(name, folder, [parlor, 'serve', '--store', url, *listeners, '--allow-root', '--log-level', 'info', *options])

    def is_ready(self):
        return get(self.ports['http'], '/health/ready')[0] == 200


class Proxy(Program):
    """HAProxy with deploy/cluster/haproxy.cfg, of which only addresses, users and sockets are others."""

    def __init__(self, folder, nodes, ugs_check=None, launcher=()):
        self.nodes, self.folder = nodes, folder
        self.ports = dict(zip(PUBLIC_PORTS, free_ports(len(PUBLIC_PORTS))))
        self.stats_port, = free_ports(1)
        self.socket = os.path.join(folder, 'haproxy.sock')
        config = os.path.join(folder, 'haproxy.cfg')
        with open(config, 'w', encoding='utf-8') as file:
            file.write(self.config((DEPLOY / 'haproxy.cfg').read_text(encoding='utf-8'), ugs_check))
        super().__init__('haproxy', folder, [shutil.which('haproxy') or '/usr/sbin/haproxy', '-db', '-f', config], launcher)

    def config(self, text, ugs_check):
        """The text of deploy/cluster/haproxy.cfg for these nodes; servers that there is no node for are left out."""
        names = {port: protocol for protocol, port in PUBLIC_PORTS.items()}
        nodes = {node.name: node.ports for node in self.nodes}

        def server(match):
            indent, name, port, check = match.groups()
            if name not in nodes:
                return ''
            check_port = f' port {nodes[name]["http"]}' if 'port' in check else ''
            return f'{indent}server {name} 127.0.0.1:{nodes[name][names[int(port) - NODE_PORT_OFFSET]]} check{check_port}\n'
        text = re.sub(r'^( +)server (node\d) node\d:(\d+) (check.*)\n', server, text, flags=re.M)
        text = re.sub(r'^ +bind :(\d+)$', lambda match: f'    bind 127.0.0.1:{self.ports[names[int(match.group(1))]]}', text, flags=re.M)
        text = re.sub(r'^ +(user|group|daemon|log /dev/log|log global).*\n', '', text, flags=re.M)
        text = re.sub(r'^ +maxconn \d+$', '    maxconn 4000', text, flags=re.M)  # files that a user may open
        text = text.replace('/run/haproxy/admin.sock', self.socket).replace('127.0.0.1:8404', f'127.0.0.1:{self.stats_port}')
        return text.replace('/health/ugs', ugs_check) if ugs_check else text

    def ask(self, command):
        """What HAProxy answers on its socket for operators."""
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(self.socket)
            one.sendall(command.encode() + b'\n')
            return b''.join(iter(lambda: one.recv(65536), b'')).decode()

    def cut(self, backend, server):
        """Closes every connection that goes there."""
        self.ask(f'shutdown sessions server {backend}/{server}')


class Member(Program):
    """One PostgreSQL under Patroni, with deploy/cluster/patroni.yml."""

    def __init__(self, name, folder, etcd_port, launcher, timing):
        self.folder, self.port_, self.api_port = folder, *free_ports(2)
        self.data = os.path.join(folder, name)
        self.launcher_ = launcher
        path = os.path.join(folder, name + '.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(self.config(name, etcd_port, timing), file, indent=2)  # which is YAML, too
        os.chmod(path, 0o644)
        super().__init__(name, folder, ['env', f'HOME={folder}', shutil.which('patroni'), path], launcher)

    def config(self, name, etcd_port, timing):
        config = json.loads(subprocess.run([SYSTEM_PYTHON, '-c', 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'],
                                           input=(DEPLOY / 'patroni.yml').read_text(encoding='utf-8'), capture_output=True, text=True, check=True).stdout)
        config['name'] = name
        config['restapi'] = {field: f'127.0.0.1:{self.api_port}' for field in config['restapi']}
        config['etcd'] = {'hosts': f'127.0.0.1:{etcd_port}'}
        config['bootstrap']['dcs'].update(timing)
        config['bootstrap']['dcs']['postgresql']['parameters'].update(shared_buffers='16MB', max_connections=60)
        rules = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
        config['bootstrap']['pg_hba'] = rules
        config['postgresql'].update(listen=f'127.0.0.1:{self.port_}', connect_address=f'127.0.0.1:{self.port_}', data_dir=self.data,
                                    bin_dir=postgres.programs(), pgpass=os.path.join(self.folder, name + '.pgpass'), pg_hba=rules)
        config['postgresql']['parameters'] = {'unix_socket_directories': self.folder}
        config['watchdog'] = {'mode': 'off'}
        return config

    def pids(self):
        """PostgreSQL is not a child of Patroni any more."""
        found = super().pids()
        with contextlib.suppress(OSError, ValueError, IndexError), open(os.path.join(self.data, 'postmaster.pid'), encoding='ascii') as file:
            postmaster = int(file.read().split()[0])
            if postgres.is_alive(postmaster) and b'postgres' in pathlib.Path(f'/proc/{postmaster}/cmdline').read_bytes():
                found = [*children_of(postmaster), postmaster, *found]
        return list(dict.fromkeys(found))

    def is_primary(self):
        return self.is_running() and not self.is_stopped and get(self.api_port, '/primary')[0] == 200

    def end(self):
        pids = self.pids()
        super().end()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class Failover:
    """etcd and so many members under Patroni. Its url names all of them."""

    TIMING = {'ttl': 5, 'loop_wait': 1, 'retry_timeout': 2}  # a test has no time for more

    def __init__(self, folder, launcher, members):
        client, peer = free_ports(2)
        data = os.path.join(folder, 'etcd')
        self.etcd = Program('etcd', folder, ['etcd', '--data-dir', data, '--listen-client-urls', f'http://127.0.0.1:{client}',
                                             '--advertise-client-urls', f'http://127.0.0.1:{client}', '--listen-peer-urls', f'http://127.0.0.1:{peer}',
                                             '--initial-advertise-peer-urls', f'http://127.0.0.1:{peer}', '--initial-cluster',
                                             f'default=http://127.0.0.1:{peer}', '--enable-v2', '--unsafe-no-fsync'], launcher)
        self.members = [Member(f'db{number + 1}', folder, client, launcher, self.TIMING) for number in range(members)]
        self.etcd_port = client

    def start(self):
        self.etcd.start()
        wait_for('etcd', lambda: get(self.etcd_port, '/health')[0] == 200)
        for member in self.members:
            member.start()
        wait_for('a primary with a synchronous standby', self.is_whole, 2 * DEADLINE_S)
        first = self.primary()
        self.sql(first, 'postgres', 'CREATE ROLE parlor LOGIN')
        self.sql(first, 'postgres', "CREATE DATABASE parlor OWNER parlor ENCODING 'UTF8' TEMPLATE template0")

    def is_whole(self):
        """There is a primary whose commits wait for a standby that is there, and etcd knows that this very one may take over: while Patroni goes
        over to another standby the two are not the same, and nobody could take over from a primary that is lost then."""
        first = self.primary()
        if first is None:
            return False
        with contextlib.suppress(RuntimeError, KeyError, ValueError, subprocess.SubprocessError):
            members = json.loads(get(first.api_port, '/cluster')[1])['members']
            named = [member['name'] for member in members if member['role'] == 'sync_standby']
            waited_for = self.sql(first, 'postgres', "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'")
            return len(named) == 1 and waited_for == named[0]
        return False

    def primary(self):
        return next((member for member in self.members if member.is_primary()), None)

    @property
    def url(self):
        places = ','.join(f'127.0.0.1:{member.port_}' for member in self.members)
        return f'postgresql://parlor@{places}/parlor'

    def sql(self, member, database, text):
        # The standby has it, too, when this is over: a node may ask that one first.
        place = f'postgresql://postgres@127.0.0.1:{member.port_}/{database}?options=-csynchronous_commit%3Dremote_apply'
        done = subprocess.run([os.path.join(postgres.programs(), 'psql'), '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', place, '-c', text],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=DEADLINE_S)
        if done.returncode != 0:
            raise RuntimeError(f'{member.name}: {text}: {done.stdout}')
        return done.stdout.strip()

    def end(self):
        for member in self.members:
            member.end()
        self.etcd.end()


class Standing:
    """One primary with a synchronous standby, without anybody who fails over."""

    def __init__(self):
        self.server = postgres.Postgres()

    def start(self):
        self.server.begin_standby()

    @property
    def url(self):
        return self.server.standby.url

    def end(self):
        self.server.close()


class Cluster:
    """All of it. Usable as a context; what was started is ended and removed in any case."""

    def __init__(self, parlor, nodes=3, has_failover=False, options=(), ugs_check=None, members=3):
        self.folder = tempfile.mkdtemp(prefix='parlor-cluster-')
        self.parlor, self.node_count, self.options, self.ugs_check = os.path.abspath(parlor), nodes, options, ugs_check
        launcher = []
        if os.geteuid() == 0:
            launcher = postgres.unprivileged()
            os.chown(self.folder, *postgres.nobody())
        os.chmod(self.folder, 0o755)
        self.nodes, self.proxy, self.database, self.launcher = [], None, None, launcher
        self.has_failover, self.members = has_failover, members

    def start(self):
        self.database = Failover(self.folder, self.launcher, self.members) if self.has_failover else Standing()
        self.database.start()
        self.nodes = [Node(f'node{number + 1}', self.folder, self.parlor, self.database.url, self.options) for number in range(self.node_count)]
        for node in self.nodes:
            node.start()
            wait_for(node.name, lambda one=node: one.is_ready() or not one.is_running())
            if not node.is_running():
                raise RuntimeError(f'{node.name} has ended: {node.log()[-2000:]}')
        self.proxy = Proxy(self.folder, self.nodes, self.ugs_check, self.launcher)
        self.proxy.start()
        wait_for('HAProxy', lambda: get(self.proxy.ports['http'], '/health/ready')[0] == 200 or not self.proxy.is_running())
        if not self.proxy.is_running():
            raise RuntimeError(f'HAProxy has ended: {self.proxy.log()[-2000:]}')

    def end(self):
        for program in (self.proxy, *self.nodes):
            if program is not None:
                program.end()
        if self.database is not None:
            self.database.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()
