"""A device of tinygrad, "ISA": tinygrad's AMD back end compiles its kernels for gfx1100, and they run on the CPU.

``import isa_device`` before the first tensor. ``AMDGPU_ISA_ARCH`` chooses another processor. tinygrad 0.14 or later, with a libLLVM of version 18
or later (``LLVM_PATH`` names it).
"""

import os
import struct
import sys
import time
import types

# The device of tensors that name none.
os.environ.setdefault("DEV", "ISA")

import numpy as np
from tinygrad.device import Allocator, Compiled, Program
from tinygrad.renderer.llvmir import AMDLLVMRenderer

import amdgpu_isa as isa

# Findings of the checks, where `check` is on.
findings = []
check = os.environ.get("AMDGPU_ISA_CHECK") == "1"
launches = 0


class IsaAllocator(Allocator):
    """Memory of the device: arrays of bytes."""

    def _alloc(self, size, options):
        return np.empty(size, np.uint8)

    def _copyin(self, dest, src):
        dest[:] = np.frombuffer(src, np.uint8)

    def _copyout(self, dest, src):
        dest[:] = memoryview(src)

    def _as_buffer(self, src):
        return memoryview(src)

    def _offset(self, buf, size, offset):
        return buf[offset : offset + size]


class IsaProgram(Program):
    """A kernel: a relocatable object without metadata, whose arguments are pointers and then 32-bit integers."""

    def __init__(self, device, elf):
        self.kernel = isa.load(elf.lib, arch=device.arch)[elf.name]

    def __call__(self, *buffers, global_size=(1, 1, 1), local_size=(1, 1, 1), vals=(), wait=False, **_):
        global launches
        launches += 1
        began = time.perf_counter()
        values = [struct.pack("<i", value) for value in vals]
        result = self.kernel(*buffers, *values, grid=global_size, block=local_size, check=check)
        findings.extend(result.findings)
        return time.perf_counter() - began


class IsaDevice(Compiled):
    """The device."""

    def __init__(self, device):
        arch = os.environ.get("AMDGPU_ISA_ARCH", "gfx1100")
        super().__init__(device, IsaAllocator(self), [AMDLLVMRenderer], IsaProgram, arch=arch)


# tinygrad looks each device up as a module.
_module = types.ModuleType("tinygrad.runtime.ops_isa")
_module.IsaDevice = IsaDevice
IsaDevice.__module__ = _module.__name__
sys.modules[_module.__name__] = _module
