"""Java object streams in Python, for the recorded conversations: messages of Masters of Renaissance as lines

    LoginMessage {"username":"alice"}

The classes are those of java/, from whose sources names, fields and numbers are read. Written independently of the server's own reader
and writer, which it tests.
"""
import glob
import json
import os
import re
import struct

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'java', 'it', 'polimi', 'ingsw')
HEADER = bytes.fromhex('aced0005')
UTIL = {'ArrayList': ('java.util.ArrayList', 0x7881d21d99c7619d, 3, [('I', 'size', None)]),
        'HashMap': ('java.util.HashMap', 0x0507dac1c31660d1, 3, [('F', 'loadFactor', None), ('I', 'threshold', None)]),
        'Integer': ('java.lang.Integer', 0x12e2a0a4f7818738, 2, [('I', 'value', None)]),
        'Number': ('java.lang.Number', 0x86ac951d0b94e08b, 2, []),
        'Enum': ('java.lang.Enum', 0, 0x12, [])}
TYPES = {'int': 'I', 'boolean': 'Z', 'String': 'Ljava/lang/String;', 'Map': 'Ljava/util/Map;', 'HashMap': 'Ljava/util/HashMap;',
         'ArrayList': 'Ljava/util/ArrayList;', 'String[][]': '[[Ljava/lang/String;'}


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def load_enums():
    """simple name -> (class name, constants)"""
    enums = {}
    for path in glob.glob(os.path.join(SOURCES, '**', '*.java'), recursive=True):
        match = re.search(r'package ([\w.]+);\s+public enum (\w+) \{ ([\w, ]+) \}', read(path))
        if match:
            enums[match.group(2)] = f'{match.group(1)}.{match.group(2)}', match.group(3).split(', ')
    return enums


ENUMS = load_enums()


def field_of(kind, name):
    kind = re.sub(r'<.*>', '', kind)
    rows = kind.endswith('[][]')
    enum = ENUMS.get(kind.removesuffix('[][]'))
    code = ('[[' if rows else '') + f'L{enum[0].replace(".", "/")};' if enum else TYPES[kind]
    return (code, name, None) if len(code) == 1 else (code[0], name, code)


def load_records():
    """simple name -> (class name, number, flags, fields in the order of the stream)"""
    records = {}
    for path in glob.glob(os.path.join(SOURCES, 'messages', '**', 'Records.java'), recursive=True):
        text = read(path)
        package = re.search(r'package ([\w.]+);', text).group(1)
        for name, number, body in re.findall(r'class (\w+) implements Serializable \{\s+.*?serialVersionUID = (-?\d+)L;(.*?)\n\}', text, re.S):
            fields = [field_of(*field) for field in re.findall(r'^    ([\w<>?, \[\]]+) (\w+);', body, re.M)]
            fields.sort(key=lambda field: (field[2] is not None, field[1]))  # what Java does: numbers and flags first, then by name
            records[name] = f'{package}.{name}', int(number) % 2**64, 2, fields
    return records


RECORDS = load_records()
SHORT = {record[0]: name for name, record in RECORDS.items()}


class Writer:
    """One message that stands alone, behind a reset."""

    def __init__(self):
        self.out, self.handles, self.count = bytearray(b'\x79'), {}, 0

    def text(self, text):
        data = text.encode()
        self.out += struct.pack('>H', len(data)) + data

    def known(self, key):
        """Refers to what has a handle; otherwise it gets the next one, and False."""
        if key not in self.handles:
            return False
        self.out += b'\x71' + struct.pack('>I', 0x7e0000 + self.handles[key])
        return True

    def take(self, key=None):
        if key is not None:
            self.handles[key] = self.count
        self.count += 1

    def descriptor(self, name, number, flags, fields, above=None):
        if self.known(name):
            return
        self.out += b'\x72'
        self.text(name)
        self.out += struct.pack('>Q', number)
        self.take(name)
        self.out += struct.pack('>BH', flags, len(fields))
        for code, field, signature in fields:
            self.out += code.encode()
            self.text(field)
            if signature is not None and not self.known(('type', signature)):
                self.take(('type', signature))
                self.out += b'\x74'
                self.text(signature)
        self.out += b'\x78'
        if above:
            self.descriptor(*UTIL[above])
        else:
            self.out += b'\x70'

    def begin(self, *description):
        self.out += b'\x73'
        self.descriptor(*description)
        self.take()

    def enum(self, kind, word):
        name, words = ENUMS[kind]
        if word not in words and word is not None:
            raise ValueError(f'{kind} has no {word}')
        if self.known((name, word)):
            return
        self.out += b'\x7e'
        self.descriptor(name, 0, 0x12, [], 'Enum')
        self.take((name, word))
        self.string(word)

    def string(self, text):
        self.out += b'\x74'
        self.take()
        self.text(text)

    def value(self, value):
        """What JSON does not tell: resources are constants, other words are texts, numbers are boxed, and keys of maps too."""
        if value is None:
            self.out += b'\x70'
        elif isinstance(value, dict):
            self.begin(*UTIL['HashMap'])
            self.out += bytes.fromhex('3f4000000000000c770800000010') + struct.pack('>I', len(value))
            for key, item in value.items():
                self.value(int(key) if re.fullmatch(r'-?\d+', key) else key)
                self.value(item)
            self.out += b'\x78'
        elif isinstance(value, list):
            self.begin(*UTIL['ArrayList'])
            self.out += struct.pack('>I', len(value)) + b'\x77\x04' + struct.pack('>I', len(value))
            for item in value:
                self.value(item)
            self.out += b'\x78'
        elif isinstance(value, int):
            self.begin(*UTIL['Integer'], 'Number')
            self.out += struct.pack('>i', value)
        elif value in ENUMS['Resource'][1]:
            self.enum('Resource', value)
        else:
            self.string(value)

    def record(self, name, values):
        self.begin(*RECORDS[name])
        for code, field, signature in RECORDS[name][3]:
            enum = next((kind for kind, (full, _) in ENUMS.items() if signature == f'L{full.replace(".", "/")};'), None)
            if code == 'I':
                self.out += struct.pack('>i', values[field])
            elif code == 'Z':
                self.out += struct.pack('>?', values[field])
            elif enum and values[field] is not None:
                self.enum(enum, values[field])
            else:
                self.value(values[field])


def encode(line):
    """The bytes of a line."""
    name, _, values = line.partition(' ')
    writer = Writer()
    writer.record(name, json.loads(values or '{}'))
    return bytes(writer.out)


class Incomplete(Exception):
    """More bytes are needed."""


class Reader:
    """One message from the front of some bytes."""

    def __init__(self, data):
        self.data, self.at, self.handles = data, 0, []

    def take(self, size):
        if self.at + size > len(self.data):
            raise Incomplete
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, form):
        return struct.unpack('>' + form, self.take(struct.calcsize(form)))[0]

    def utf(self):
        return self.take(self.number('H')).decode()

    def keep(self, thing):
        self.handles.append(thing)
        return len(self.handles) - 1

    def descriptor(self):
        code = self.number('B')
        if code == 0x70:
            return None
        if code == 0x71:
            return self.handles[self.number('I') - 0x7e0000]
        name, number = self.utf(), self.number('Q')
        found = {'name': name, 'number': number}
        self.keep(found)
        found['flags'] = self.number('B')
        found['fields'] = []
        for _ in range(self.number('H')):
            code, field = self.take(1).decode(), self.utf()
            found['fields'].append((code, field, self.value() if code in 'L[' else None))
        assert self.number('B') == 0x78
        found['above'] = self.descriptor()
        known = RECORDS.get(SHORT.get(name))
        if known and (known[1], known[2], known[3]) != (number, found['flags'], found['fields']):
            raise ValueError(f'{name} is described otherwise')
        return found

    def fields(self, found):
        forms = {'I': 'i', 'Z': '?', 'F': 'f'}
        return {name: self.number(forms[code]) if code in forms else self.value() for code, name, _ in found['fields']}

    def object(self):
        found = self.descriptor()
        place = self.keep(None)
        name = found['name']
        if name == 'java.util.ArrayList':
            size = self.fields(found)['size']
            self.take(6)
            value = [self.value() for _ in range(size)]
            self.take(1)
        elif name in ('java.util.HashMap', 'java.util.LinkedHashMap'):
            self.fields(found if name == 'java.util.HashMap' else found['above'])
            self.take(6)
            value = {}
            for _ in range(self.number('I')):
                key = self.value()
                value[str(key)] = self.value()
            self.take(1)
            if name == 'java.util.LinkedHashMap':
                self.fields(found)
        elif name in ('java.lang.Integer', 'java.lang.Boolean'):
            value = self.fields(found)['value']
        else:
            return f'{SHORT[name]} {json.dumps(self.fields(found), separators=(",", ":"))}'
        self.handles[place] = value
        return value

    def value(self):
        code = self.number('B')
        if code == 0x70:
            return None
        if code == 0x71:
            return self.handles[self.number('I') - 0x7e0000]
        if code == 0x73:
            return self.object()
        if code == 0x74:
            place = self.keep(None)
            self.handles[place] = self.utf()
            return self.handles[place]
        if code == 0x75:
            self.descriptor()
            self.keep(None)
            return [self.value() for _ in range(self.number('I'))]
        assert code == 0x7e, f'byte {code:02x} at {self.at - 1}'
        self.descriptor()
        place = self.keep(None)
        self.handles[place] = self.value()
        return self.handles[place]


def decode(data):
    """(line, the bytes after it) of the first message; a reset may stand before it. None: it is not whole."""
    reader = Reader(data[1:] if data.startswith(b'\x79') else data)
    try:
        line = reader.value()
    except Incomplete:
        return None
    return line, reader.data[reader.at:]
