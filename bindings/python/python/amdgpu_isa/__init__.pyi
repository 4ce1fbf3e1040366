import os
from collections.abc import Iterable, Mapping
from typing import Literal, Optional, Union

from ._errors import AssemblyError as AssemblyError
from ._errors import AssemblyWarning as AssemblyWarning
from ._errors import DeviceAssert as DeviceAssert
from ._errors import Error as Error
from ._errors import FormatError as FormatError
from ._errors import KernelFault as KernelFault
from ._errors import KernelTimeout as KernelTimeout
from ._errors import LaunchError as LaunchError
from ._native import CHECK_KINDS as CHECK_KINDS
from ._native import CodeObject as CodeObject
from ._native import Diagnostic as Diagnostic
from ._native import Disassembly as Disassembly
from ._native import Finding as Finding
from ._native import Instruction as Instruction
from ._native import Kernel as Kernel
from ._native import KernelArgument as KernelArgument
from ._native import LaunchResult as LaunchResult
from ._native import LintFinding as LintFinding
from ._native import Mapped as Mapped
from ._native import Opcode as Opcode
from ._native import decode as decode
from ._native import disassemble as disassemble
from ._native import explain as explain
from ._native import lint as lint
from ._native import load as load
from ._native import mapped as mapped
from ._native import opcodes as opcodes

def assemble(
    text: str,
    arch: str = ...,
    emit: Literal["co", "obj", "text"] = ...,
    wave: Optional[int] = ...,
    symbols: Optional[Mapping[str, int]] = ...,
    include: Optional[Iterable[Union[str, os.PathLike[str]]]] = ...,
) -> bytes: ...
