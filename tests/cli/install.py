#!/usr/bin/env python3
"""What `make install` puts, and that the Debian packages have the same: every file is in exactly one of them, and none of their lines leads nowhere. Links between
documents that are installed lead to one another. Speaks TAP.

usage: install.py PARLOR BUILD SOURCE_ROOT
"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'wire'))
import wire  # noqa: E402  (found by the line above)

PARLOR, BUILD, ROOT = (os.path.abspath(word) for word in sys.argv[1:4])
COMMANDS = re.findall(r'^  (\w+) ', subprocess.run([PARLOR, '--help'], capture_output=True, text=True, check=True).stdout, re.M)


def check(is_so, why):
    if not is_so:
        raise wire.Failure(why)


def installed(folder):
    """Paths of files below the prefix, as with a prefix of /usr."""
    subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', folder], check=True, capture_output=True, timeout=wire.DEADLINE_S)
    program = next(pathlib.Path(folder).rglob('bin/parlor'))
    prefix = program.parent.parent
    names = [str(path.relative_to(prefix)) for path in prefix.rglob('*') if path.is_file()]
    return prefix, sorted(name if name.startswith('etc/') else 'usr/' + name for name in names)


def everything_is_there():
    with tempfile.TemporaryDirectory() as folder:
        prefix, names = installed(folder)
        wanted = {'usr/bin/parlor', 'etc/parlor/parlor.conf', 'usr/lib/systemd/system/parlor.service', 'usr/share/man/man1/parlor.1',
                  'usr/share/bash-completion/completions/parlor', 'usr/share/zsh/vendor-completions/_parlor', 'usr/share/fish/vendor_completions.d/parlor.fish',
                  'usr/share/doc/parlor/README.md', 'usr/share/doc/parlor/docs/operating.md', 'usr/share/doc/parlor/deploy/grafana-dashboard.json'}
        check(COMMANDS, 'no commands')
        wanted |= {f'usr/share/man/man1/parlor-{command}.1' for command in COMMANDS}
        check(wanted <= set(names), f'not installed: {sorted(wanted - set(names))}')
        check(not [name for name in names if '__pycache__' in name], 'what Python has left there')
        conf = (prefix / 'etc/parlor/parlor.conf').read_text(encoding='utf-8')
        check(all(line.startswith('#') for line in conf.splitlines() if line), 'the file sets something')
        shown = subprocess.run([PARLOR, 'serve', '--help=words'], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r'--([a-z-]+)', shown):
            check(option in ('help', 'config') or re.search(rf'^# ?{option}\b', conf, re.M), f'{option} is not in the configuration file')


def packages_have_the_same():
    lines = {path.name: path.read_text(encoding='ascii').split() for path in pathlib.Path(ROOT, 'debian').glob('*.install')}
    with tempfile.TemporaryDirectory() as folder:
        _, names = installed(folder)
    check(len(lines) == 2, f'{lines}')
    for name in names:
        takers = [f'{package}: {line}' for package, words in lines.items() for line in words if name.startswith(line + '/') or fnmatch.fnmatch(name, line)]
        check(len(takers) == 1, f'{name} is in {takers or "no package"}')
    for package, words in lines.items():
        for line in words:
            check(any(name.startswith(line + '/') or fnmatch.fnmatch(name, line) for name in names), f'{package}: {line} is nowhere')


def links_lead_somewhere():
    """But for those to sources and tests, which are in the tree alone."""
    with tempfile.TemporaryDirectory() as folder:
        prefix, _ = installed(folder)
        docs = prefix / 'share/doc/parlor'
        pages = list(docs.rglob('*.md'))
        check(len(pages) > 20, f'{pages}')
        for page in pages:
            for link in re.findall(r'\]\(([^)#:\s]+)(?:#[^)]*)?\)', page.read_text(encoding='utf-8')):
                target = pathlib.Path(os.path.normpath(page.parent / link))
                inside = target.relative_to(docs).parts
                is_source = inside[0] == 'src' or (inside[0] == 'tests' and (target.suffix == '.py' or 'fixture' in inside or 'java' in inside))
                check(target.exists() or is_source, f'{page.relative_to(docs)} leads to {link}')


wire.run_cases([
    ('everything is installed', everything_is_there),
    ('the packages have the same', packages_have_the_same),
    ('links of the installed documents lead somewhere', links_lead_somewhere),
])
