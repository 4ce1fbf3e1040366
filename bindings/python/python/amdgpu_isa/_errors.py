"""The exceptions of the package. The extension module makes them."""

import warnings


class Error(Exception):
    """The base of all exceptions of the package."""


class FormatError(Error, ValueError):
    """Data is not a code object, or is damaged."""


class AssemblyError(Error, ValueError):
    """A program has errors: ``diagnostics`` has all of them, the other fields are those of the first one."""

    def __init__(self, message="", diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else None
        self.message = first.message if first else message
        self.line = first.line if first else None
        self.column = first.column if first else None
        self.help = first.help if first else None


class AssemblyWarning(UserWarning):
    """A warning of a program: ``.warning`` asks for it, or a statement has no effect."""


class LaunchError(Error, ValueError):
    """A kernel cannot be launched: the arguments, the grid or the memory do not fit."""


class KernelFault(Error, RuntimeError):
    """A kernel has ended by a fault."""

    def __init__(
        self,
        message="",
        kernel="",
        group=(0, 0, 0),
        wave=0,
        lane=None,
        kind="",
        pc=0,
        instruction=None,
        source_line=None,
        address=None,
        argument=None,
        near=None,
        text=None,
        findings=(),
    ):
        super().__init__(message)
        self.kernel = kernel
        self.group = group
        self.wave = wave
        self.lane = lane
        self.kind = kind
        self.pc = pc
        self.instruction = instruction
        self.source_line = source_line
        self.address = address
        self.argument = argument
        self.near = near
        self.text = text
        self.findings = list(findings)


class DeviceAssert(KernelFault):
    """An assertion of a kernel has failed; ``text`` is what it printed."""


class KernelTimeout(KernelFault, TimeoutError):
    """A kernel has not ended in the given time."""


def warn(message):
    """Warns about a program."""
    warnings.warn(message, AssemblyWarning, stacklevel=2)
