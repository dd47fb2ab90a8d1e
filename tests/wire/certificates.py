"""Certificates for tests of TLS, made by the openssl program: each signs itself, is for localhost and the loopback, and is all that its
clients trust."""
import os
import shutil
import ssl
import subprocess
import tempfile

import wire

MISSING = None if shutil.which('openssl') else 'openssl is not installed'


class Certificate:
    """Files of PEM in a directory of their own, and contexts of clients."""

    def __init__(self, name='localhost'):
        self.folder = tempfile.mkdtemp(prefix='parlor-tls-')
        self.file, self.key = os.path.join(self.folder, 'certificate.pem'), os.path.join(self.folder, 'key.pem')
        self.make(name)

    def make(self, name='localhost'):
        """Another one in place of the files."""
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30',
                        '-subj', f'/CN={name}', '-addext', f'subjectAltName=DNS:{name},DNS:localhost,IP:127.0.0.1',
                        '-keyout', self.key, '-out', self.file], check=True, capture_output=True, timeout=wire.DEADLINE_S)

    @property
    def files(self):
        return ['--tls-certificate', self.file, '--tls-key', self.key]

    def options(self, parlor, *names):
        """Options of `parlor serve` by which these listeners are open over TLS."""
        return [*self.files, *(word for name in names for word in ('--' + wire.ask.tls_listener(parlor, name), '127.0.0.1:0'))]

    def listen(self, parlor, *names):
        return [*wire.ask.listen(parlor, *names), *self.options(parlor, *names)]

    def port(self, parlor, addresses, name):
        return wire.ask.port(addresses[wire.ask.tls_listener(parlor, name)])

    def client(self, version=None, alpn=()):
        """What a client needs that trusts this certificate alone; of one version if it is told."""
        context = ssl.create_default_context(cafile=self.file)
        if version is not None:
            context.minimum_version = context.maximum_version = version
        if alpn:
            context.set_alpn_protocols(list(alpn))
        return context

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
