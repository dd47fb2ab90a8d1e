#!/usr/bin/env python3
"""Reads in the program itself what the linker and the compiler were asked to do against mistakes of ours: the program lies at
another address every time, what the linker has filled in cannot be written to, no stack can be executed, functions begin
with the mark for indirect calls, and the calls of the library that know how much room there is are used. What leaves no
trace there (stacks that grow page by page) is read in the commands that built it. Speaks TAP.

usage: hardening.py PARLOR [--fortified]
"""
import json
import os
import struct
import sys

PARLOR = sys.argv[1]
IS_FORTIFIED = '--fortified' in sys.argv
ET_DYN, EM_X86_64 = 3, 62
PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO, PF_X = 2, 0x6474e551, 0x6474e552, 1
SHT_SYMTAB, SHT_DYNSYM = 2, 11
DT_FLAGS, DT_FLAGS_1, DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 30, 0x6ffffffb, 8, 1, 0x08000000
ENDBR64 = bytes.fromhex('f30f1efa')


class Program:
    """A 64-bit ELF file of little end."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        assert self.data[:6] == b'\x7fELF\x02\x01', 'not a 64-bit program of little end'
        (self.type, self.machine, _, _, programs_at, sections_at, _, _, program_size, program_count, section_size,
         section_count, _) = struct.unpack_from('<HHIQQQIHHHHHH', self.data, 16)
        self.segments = [struct.unpack_from('<IIQQQQQQ', self.data, programs_at + i * program_size)
                         for i in range(program_count)]  # type, flags, offset, address, -, size in the file, in memory, -
        self.sections = [struct.unpack_from('<IIQQQQIIQQ', self.data, sections_at + i * section_size)
                         for i in range(section_count)]  # name, type, flags, address, offset, size, link, -, -, -

    def segment(self, kind):
        return next((segment for segment in self.segments if segment[0] == kind), None)

    def dynamic(self):
        _, _, offset, _, _, size, _, _ = self.segment(PT_DYNAMIC)
        return dict(struct.unpack_from('<qQ', self.data, at) for at in range(offset, offset + size, 16))

    def symbols(self, kind):
        """name: value"""
        found = {}
        for section in self.sections:
            if section[1] != kind:
                continue
            names = self.sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, _, value, _ = struct.unpack_from('<IBBHQQ', self.data, at)
                end = self.data.index(b'\0', names + name)
                found[self.data[names + name:end].decode()] = value
        return found

    def bytes_at(self, address, size):
        for _, _, offset, start, _, in_file, _, _ in (segment for segment in self.segments if segment[0] == 1):
            if start <= address < start + in_file:
                return self.data[offset + address - start:][:size]
        raise AssertionError(f'nothing lies at {address:#x}')


def it_lies_anywhere(program):
    assert program.type == ET_DYN, program.type
    assert program.dynamic().get(DT_FLAGS_1, 0) & DF_1_PIE, program.dynamic()


def what_the_linker_filled_in_is_read_only(program):
    assert program.segment(PT_GNU_RELRO) is not None
    dynamic = program.dynamic()
    assert dynamic.get(DT_FLAGS, 0) & DF_BIND_NOW and dynamic[DT_FLAGS_1] & DF_1_NOW, dynamic


def no_stack_is_executed(program):
    stack = program.segment(PT_GNU_STACK)
    assert stack is not None and not stack[1] & PF_X, stack
    assert not any(flags & PF_X and flags & 2 for _, flags, *_ in program.segments), 'memory to be written and executed'


def functions_begin_with_the_mark(program):
    if program.machine != EM_X86_64:
        return
    symbols = program.symbols(SHT_SYMTAB)
    for name in ('main', 'conns_init', 'mem_alloc', 'http_port_create'):
        assert program.bytes_at(symbols[name], 4) == ENDBR64, name


def stacks_are_guarded(program):
    assert '__stack_chk_fail' in program.symbols(SHT_DYNSYM)
    with open(os.path.join(os.path.dirname(PARLOR), 'compile_commands.json'), encoding='utf-8') as file:
        commands = [entry['command'] for entry in json.load(file) if 'src/server/conn.c' in entry['file']]
    assert commands
    for command in commands:
        assert '-fstack-clash-protection' in command and '-fstack-protector-strong' in command, command
        assert not IS_FORTIFIED or '-D_FORTIFY_SOURCE=3' in command, command


def the_library_checks_what_it_can(program):
    checked = sorted(name for name in program.symbols(SHT_DYNSYM) if name.endswith('_chk'))
    assert not IS_FORTIFIED or '__snprintf_chk' in checked and '__memcpy_chk' in checked, checked


def main():
    program = Program(PARLOR)
    cases = [it_lies_anywhere, what_the_linker_filled_in_is_read_only, no_stack_is_executed, functions_begin_with_the_mark,
             stacks_are_guarded, the_library_checks_what_it_can]
    print(f'1..{len(cases)}')
    failures = 0
    for number, case in enumerate(cases, 1):
        try:
            case(program)
            print(f'ok {number} - {case.__name__}')
        except AssertionError as failure:
            failures += 1
            print(f'not ok {number} - {case.__name__}\n# {failure}')
    return failures > 0


sys.exit(main())
