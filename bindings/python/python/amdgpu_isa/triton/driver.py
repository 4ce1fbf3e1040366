"""The driver: loads what Triton's AMD back end compiles, and launches it on memory of the host."""

import os
import re
import struct
import sys
import time

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from .. import _cuda
from .._native import load
from . import _state
from ._pointers import base_tensor, reached

_INTEGERS = {"i1": 1, "u1": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8}

if os.environ.get("AMDGPU_ISA_CUDA") == "1":
    # A process that a test of ``pytest --isa-gpu`` has started. Without an available GPU, Triton's other drivers are inactive.
    _cuda.install(is_available=False)


def _arch():
    return os.environ.get("AMDGPU_ISA_ARCH", "gfx1100")


def _has_gpu():
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        return True
    return any(os.path.exists(path) for path in ("/dev/kfd", "/dev/nvidiactl"))


def _pack(kind, value):
    """Returns the bytes of a value as the kernel's arguments hold them."""
    if kind in _INTEGERS:
        size = _INTEGERS[kind]
        return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    value = float(value)
    if kind == "fp16":
        return struct.pack("<e", value)
    if kind == "bf16":
        return struct.pack("<f", value)[2:]
    if kind in ("fp32", "f32"):
        return struct.pack("<f", value)
    if kind == "fp64":
        return struct.pack("<d", value)
    raise TypeError(f"arguments of the type {kind} are not supported")


def _flatten(kind, value):
    """Yields type and value of each argument of the kernel, with tuples and tensor descriptors taken apart."""
    if isinstance(kind, (tuple, list)):
        for part, of_part in zip(kind, value):
            yield from _flatten(part, of_part)
    elif kind in ("constexpr", ""):
        return
    elif kind.startswith("tensordesc"):
        item = re.match(r"tensordesc<([^[>]*)\[", kind).group(1)
        yield "*" + item, value.base
        yield from (("i64", number) for number in (*value.shape, *value.strides))
        yield "i1", value.padding == "nan"
        if hasattr(value, "round_f32_to_tf32"):
            yield "i1", value.round_f32_to_tf32
        yield from (("i32", number) for number in value.shape)
        yield from (("i64", number) for number in value.strides)
    else:
        yield kind, value


class IsaUtils:
    """What Triton asks about the device, and how it loads code."""

    def load_binary(self, name, binary, shared, device):
        kernel = load(binary)[name]
        # Programs divide by the number of registers.
        return kernel, kernel, max(kernel.vgprs, 1), kernel.vgpr_spills, kernel.max_block

    def get_device_properties(self, device):
        return {
            "arch": _arch(),
            "warpSize": 32,
            "max_shared_mem": 65536,
            "multiprocessor_count": os.cpu_count() or 1,
            "sm_clock_rate": 1_000_000,
            "mem_clock_rate": 1_000_000,
            "mem_bus_width": 64,
            "max_num_regs": 65536,
            "max_threads_per_sm": 2048,
        }


class IsaLauncher:
    """Launches a kernel of a compiled function."""

    def __init__(self, src, metadata):
        self.types = list(src.signature.values())
        self.lanes = metadata.warp_size

    def __call__(self, x, y, z, stream, kernel, packed, launch_metadata, enter, leave, *args):
        if enter is not None:
            enter(launch_metadata)
        if x * y * z > 0:
            self.launch((x, y, z), packed[0], packed[2], kernel, args)
        if leave is not None:
            leave(launch_metadata)

    def launch(self, grid, warps, shared, kernel, args):
        args = list(_flatten(tuple(self.types), args))
        values = [base_tensor(value) if kind.startswith("*") else _pack(kind, value) for kind, value in args]
        # Scratch memory for the device and for profiles, which these kernels do not use.
        values += [None] * (len(kernel.args) - len(values))
        options = _state.options()
        with reached(args):
            result = kernel(*values, grid=grid, block=self.lanes * warps, lds=shared, **options)
        # An observer of launches, such as the pytest plug-in, has got the others.
        if result.findings and "check" in options:
            _state.report(result.findings)


class _Event:
    """An event of the device interface: launches end before they return."""

    def __init__(self, enable_timing=True):
        self.time = 0.0

    def record(self):
        self.time = time.perf_counter()

    def elapsed_time(self, other):
        return (other.time - self.time) * 1e3


class _Device:
    """The part of ``torch.cuda`` that Triton's benchmarks use."""

    Event = _Event

    @staticmethod
    def synchronize(*_):
        pass

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def set_device(_):
        pass


class IsaDriver(DriverBase):
    """The driver that Triton finds by the entry point of the package."""

    def __init__(self):
        self.utils, self.launcher_cls = IsaUtils(), IsaLauncher

    @classmethod
    def is_active(cls):
        wanted = os.environ.get("AMDGPU_ISA_TRITON", "")
        return wanted == "1" or wanted != "0" and not _has_gpu()

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_current_target(self):
        return GPUTarget("hip", _arch(), 32)

    def get_device_capability(self, device=None):
        return (11, 0)

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_device_interface(self):
        return _Device

    def map_python_to_cpp_type(self, ty):
        from triton.backends.amd.driver import ty_to_cpp

        return ty_to_cpp(ty)

    def get_benchmarker(self):
        from triton.testing import do_bench

        return do_bench

    def get_empty_cache_for_benchmark(self):
        import torch

        return torch.empty(1024, dtype=torch.int)

    def clear_cache(self, cache):
        cache.zero_()

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args
