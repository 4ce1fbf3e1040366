"""Triton without a GPU: Triton compiles for AMD, and kernels run on the CPU.

Triton finds this package by its entry point ``triton.backends``. It is active where no GPU is. Variables of the environment:

- ``AMDGPU_ISA_TRITON``: ``1`` makes it active, ``0`` turns it off; without it, it is active where no GPU is.
- ``AMDGPU_ISA_ARCH``: the processor to compile for, ``gfx1100`` by default.
- ``AMDGPU_ISA_CHECK``: ``1`` checks each launch; findings are warnings of the class ``FindingWarning``.
- ``AMDGPU_ISA_TIMEOUT``: seconds after which a launch ends.
"""

from ._state import FindingWarning, check, tensor

__all__ = ["FindingWarning", "check", "tensor"]
