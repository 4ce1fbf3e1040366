from collections.abc import Sequence
from typing import Optional

from ._native import Diagnostic, Finding

class Error(Exception): ...
class FormatError(Error, ValueError): ...

class AssemblyError(Error, ValueError):
    diagnostics: list[Diagnostic]
    message: str
    line: Optional[int]
    column: Optional[int]
    help: Optional[str]
    def __init__(self, message: str = ..., diagnostics: Sequence[Diagnostic] = ...) -> None: ...

class AssemblyWarning(UserWarning): ...
class LaunchError(Error, ValueError): ...

class KernelFault(Error, RuntimeError):
    kernel: str
    group: tuple[int, int, int]
    wave: int
    lane: Optional[int]
    kind: str
    pc: int
    instruction: Optional[str]
    source_line: Optional[str]
    address: Optional[int]
    argument: Optional[int]
    near: Optional[str]
    text: Optional[str]
    findings: list[Finding]

class DeviceAssert(KernelFault): ...
class KernelTimeout(KernelFault, TimeoutError): ...

def warn(message: str) -> None: ...
