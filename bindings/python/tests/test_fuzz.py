"""Random calls of all functions: no end of the process, no leak, no write outside of what a call maps.

``AMDGPU_ISA_FUZZ=1000000`` makes that many calls, ``AMDGPU_ISA_FUZZ_SEED`` changes them.
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import amdgpu_isa as isa
from programs import EXAMPLES, HISTOGRAM, POINTER, SAXPY, program

COUNT = int(os.environ.get("AMDGPU_ISA_FUZZ", "3000"))
SEED = int(os.environ.get("AMDGPU_ISA_FUZZ_SEED", "5"))

# Each lane stores 7 and reads at an address plus an offset that arguments state.
STORE = program(
    """
  s_load_b64 s[4:5], s[0:1], 0
  s_load_b32 s6, s[0:1], 8
  s_waitcnt lgkmcnt(0)
  v_lshl_add_u32 v1, v0, 2, s6
  v_mov_b32 v2, 7
  global_store_b32 v1, v2, s[4:5]
  global_load_b32 v3, v1, s[4:5]
  global_atomic_add_u32 v1, v2, s[4:5]
  s_waitcnt vmcnt(0)
""",
    [("p", 8, POINTER), ("offset", 4, "by_value")],
)

# Errors that a wrong call may raise.
EXPECTED = (TypeError, ValueError, OverflowError, KeyError, IndexError, OSError, isa.Error)


def resident_bytes() -> int:
    """The memory of the process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Calls:
    """Random calls."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.contents = [HISTOGRAM.read_bytes(), (EXAMPLES / "matmul.gfx1100.co").read_bytes(), isa.assemble(SAXPY)]
        self.saxpy = isa.load(self.contents[2])["k"]
        self.store = isa.load(isa.assemble(STORE))["k"]
        self.histogram = isa.load(HISTOGRAM)["histogram"]
        # Only the middle of each is an argument, and bytes around it keep their values.
        self.guards = [np.full(4096, 7, np.uint8) for _ in range(4)]
        self.rows = isa.disassemble(HISTOGRAM)
        self.text = self.rows.text()
        self.calls: list[Callable[[], object]] = [self.launch] * 6 + [self.launch_store] * 6 + [self.launch_damaged]
        self.calls += [self.read, self.decode, self.explain, self.index, self.assemble, self.map]

    def below(self, count: int) -> int:
        return int(self.random.integers(count))

    def pick(self, values: list[Any]) -> Any:
        return values[self.below(len(values))]

    def value(self) -> Any:
        """A value that may be right for an argument."""
        guard = self.pick(self.guards)
        start = 1024 + self.below(64)
        fixed: list[Any] = [None, 0, -1, 1 << 63, 1 << 64, 2.5, float("nan"), True, b"", b"1234", "text", [], (), {}, object()]
        fixed += [np.float32(1), np.int32(3), np.int64(3), np.float64(2), np.bool_(True), np.uint32(1 << 31), 4, 100]
        fixed += [bytearray(100), memoryview(b"12345678"), np.zeros(0), np.ones((3, 3))[:, ::2], np.ones(9, np.float32)[::-1]]
        fixed += [guard[start : start + 4 * self.below(200)], guard[start : 2048 : 1 + self.below(3)]]
        # Memory of the process that no argument maps.
        fixed += [guard.ctypes.data + self.below(4096), guard.ctypes.data + 4096, id(self), id(fixed)]
        return self.pick(fixed)

    def arguments(self, kernel: isa.Kernel) -> list[Any]:
        """Arguments of a kernel, some of them wrong."""
        values = []
        for argument in kernel.args:
            guard, start = self.pick(self.guards), 1024 + self.below(64)
            memory = guard[start : start + 4 * self.below(200)]
            right = memory if argument.kind == "global_buffer" else self.pick([np.int32(self.below(300)), 40, b"1234"])
            values.append(self.value() if self.below(8) == 0 else right)
        if self.below(20) == 0:
            values.append(self.value())
        return values

    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"max_instructions": 2000, "timeout": 0.5}
        if self.below(2):
            options["block"] = self.pick([1, 3, 32, 33, 64, 70, (4, 4), (2, 2, 2)])
            options["grid"] = self.pick([1, 2, (2, 2), 5])
        if self.below(4) == 0:
            options["check"] = self.pick([True, "race", ["out-of-bounds", "missing-wait"], "none", False])
        if self.below(8) == 0:
            names = ["grid", "block", "items", "lds", "check", "timeout", "turn", "seed", "max_instructions", "resident", "stack"]
            wrong = [None, 0, -1, 1, 7, 1 << 20, 1 << 31, 1 << 64, 2.5, "1", (), (0,), (1, 2, 3, 4), [1 << 32], b"1", object()]
            options[self.pick(names)] = self.pick(wrong)
        if options["timeout"] is None or options["max_instructions"] is None or options.get("grid") == 1 << 31:
            options["timeout"] = 0.01
        return options

    def launch(self) -> object:
        kernel = self.pick([self.saxpy, self.histogram])
        return kernel(*self.arguments(kernel), **self.options())

    def launch_store(self) -> object:
        guard = self.pick(self.guards)
        pointer = self.pick([guard[1024:3072], guard.ctypes.data + 1024, self.value()])
        return self.store(pointer, self.pick([self.below(4096), 1 << 31, -self.below(4096) - 1]), **self.options())

    def damaged(self) -> bytes:
        data = bytearray(self.pick(self.contents))
        for _ in range(self.below(8)):
            at = self.below(len(data))
            if self.below(2):
                data[at] = self.below(256)
            else:
                struct.pack_into("<I", data, min(at & ~3, len(data) - 4), self.pick([0, 1, 0xFFFF_FFFF, 1 << 31, 4096]))
        if self.below(4) == 0:
            del data[self.below(len(data)) :]
        return bytes(data)

    def launch_damaged(self) -> object:
        kernels = isa.load(self.damaged()).kernels
        if not kernels:
            return None
        kernel = self.pick(kernels)
        return kernel(*self.arguments(kernel), **self.options())

    def read(self) -> object:
        data = self.pick([self.damaged(), self.value()])
        return self.pick([isa.load, isa.lint, lambda data: isa.disassemble(data).text()])(data)

    def arch(self) -> Any:
        return self.pick(["gfx1100", "gfx1151", "gfx1201", "gfx900", "rdna3", "gfx9999", "", None, 3])

    def decode(self) -> object:
        data = self.pick([self.random.bytes(self.below(40)), self.value()])
        rows = isa.decode(data, arch=self.arch(), wave=self.pick([None, 32, 64, 7, -1]), address=self.pick([0, 256, 1 << 63, -1]))
        return [(str(row), row.reads, row.writes, row.opcodes, row.target, row.loads, row.computes) for row in rows]

    def explain(self) -> object:
        line = self.pick(self.text.splitlines())
        at = self.below(len(line) + 1)
        text = line[:at] + self.pick(["", "v0", ",", "0x", "\0", "é", "[", "9" * 30]) + line[at + self.below(3) :]
        return isa.explain(self.pick([text, self.random.bytes(8), self.value()]), arch=self.arch()).computes

    def index(self) -> object:
        index = self.pick([0, -1, 10**6, 1 << 70, slice(None), slice(3, None, -1), slice(0, 10, 3), "0", None, 2.5])
        return self.rows[index]

    def assemble(self) -> object:
        lines = self.text.splitlines()[: 1 + self.below(20)]
        lines.insert(self.below(len(lines)), self.pick(["", ".rept 3", ".if", '.include "x"', ".byte 1", "{", "\0", "x = y"]))
        return isa.assemble("\n".join(lines), arch=self.arch(), emit=self.pick(["co", "obj", "text", "other"]))

    def map(self) -> object:
        with isa.mapped(self.value()) as mapping:
            return self.store(mapping.address, self.below(64), max_instructions=100)


def test_random_calls() -> None:
    calls = Calls(SEED)
    outcomes: Counter[str] = Counter()
    warm = resident_bytes()
    for number in range(COUNT):
        call = calls.pick(calls.calls)
        try:
            call()
            outcomes[f"{call.__name__}: returns"] += 1
        except EXPECTED as error:
            outcomes[f"{call.__name__}: {type(error).__name__}"] += 1
        if number == max(COUNT // 10, 1000):
            warm = resident_bytes()
    growth = resident_bytes() - warm
    print(f"{COUNT} calls, {growth >> 10} KiB more than after a tenth of them", dict(sorted(outcomes.items())))
    for guard in calls.guards:
        assert (guard[:1024] == 7).all() and (guard[3072:] == 7).all()
    # Each kind of call succeeds at times, and fails at times.
    for call in {call.__name__ for call in calls.calls}:
        assert outcomes[f"{call}: returns"], (call, outcomes)
        assert len([outcome for outcome in outcomes if outcome.startswith(f"{call}: ")]) > 1, (call, outcomes)
    assert outcomes["launch_store: KernelFault"]
    assert growth < 64 << 20, f"{growth >> 20} MiB"


def test_failing_calls_keep_nothing() -> None:
    saxpy = isa.load(isa.assemble(SAXPY))["k"]

    def fail(count: int) -> None:
        for _ in range(count):
            big = np.ones(1 << 18, np.float32)
            with pytest.raises(isa.KernelFault):
                saxpy(np.ones(8, np.float32), big, np.float32(1), 64, block=64)
            with pytest.raises(TypeError):
                saxpy(big, big, "a", 64)

    fail(20)
    before = resident_bytes()
    fail(200)
    # A call that kept its memory would add 1 MiB.
    assert resident_bytes() - before < 20 << 20
