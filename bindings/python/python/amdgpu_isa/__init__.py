"""Assembler, disassembler, lint and launches of AMD GPU kernels, without a GPU."""

from ._errors import (
    AssemblyError,
    AssemblyWarning,
    DeviceAssert,
    Error,
    FormatError,
    KernelFault,
    KernelTimeout,
    LaunchError,
)
from ._native import (
    CHECK_KINDS,
    CodeObject,
    Diagnostic,
    Disassembly,
    Finding,
    Instruction,
    Kernel,
    KernelArgument,
    LaunchResult,
    LintFinding,
    Mapped,
    Opcode,
    decode,
    disassemble,
    explain,
    lint,
    load,
    mapped,
    opcodes,
)
from ._native import assemble as _assemble


def assemble(text, arch="gfx1100", emit="co", wave=None, symbols=None, include=None):
    """Assembles a program in LLVM's syntax.

    ``emit`` is ``co`` (a code object), ``obj`` (a relocatable object) or ``text`` (the bytes of ``.text``). ``symbols`` maps names to
    numbers, ``include`` lists the folders of included files; without it ``.include`` is an error.
    """
    symbols = list(symbols.items()) if symbols else None
    return _assemble(text, arch, emit, wave, symbols, list(include) if include is not None else None)


__all__ = [
    "CHECK_KINDS",
    "AssemblyError",
    "AssemblyWarning",
    "CodeObject",
    "DeviceAssert",
    "Diagnostic",
    "Disassembly",
    "Error",
    "Finding",
    "FormatError",
    "Instruction",
    "Kernel",
    "KernelArgument",
    "KernelFault",
    "KernelTimeout",
    "LaunchError",
    "LaunchResult",
    "LintFinding",
    "Mapped",
    "Opcode",
    "assemble",
    "decode",
    "disassemble",
    "explain",
    "lint",
    "load",
    "mapped",
    "opcodes",
]
