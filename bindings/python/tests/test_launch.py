"""Launches of kernels."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import threading
import time
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import amdgpu_isa as isa
from programs import ENDLESS, HISTOGRAM, POINTER, REPOSITORY, SAXPY, program


@pytest.fixture(scope="module")
def saxpy() -> isa.Kernel:
    return isa.load(isa.assemble(SAXPY))["k"]


def run(kernel: isa.Kernel, x: Any, y: Any, n: int, **options: Any) -> isa.LaunchResult:
    return kernel(x, y, np.float32(2.5), np.int32(n), grid=(-(-n // 256),), block=(256,), **options)


@pytest.mark.parametrize("offset", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [1, 2, 7, 255, 256, 1000])
def test_arrays_are_used_in_place(saxpy: isa.Kernel, count: int, offset: int) -> None:
    x = np.arange(count + 8, dtype=np.float32)
    y = np.ones(count + 8, np.float32)
    expected = y.copy()
    expected[offset : offset + count] += np.float32(2.5) * x[offset : offset + count]
    result = run(saxpy, x[offset : offset + count], y[offset : offset + count], count)
    np.testing.assert_array_equal(y, expected)
    assert (result.groups, result.findings) == (-(-count // 256), []) and result.instructions > 0


def test_any_object_with_memory_is_an_argument(saxpy: isa.Kernel) -> None:
    class Tensor:
        """What a tensor of a framework has."""

        def __init__(self, values: np.ndarray[Any, Any]) -> None:
            self.values, self.nbytes = values, values.nbytes

        def data_ptr(self) -> int:
            return self.values.ctypes.data

    class DlPack:
        """An object with DLPack and nothing else."""

        def __init__(self, values: np.ndarray[Any, Any]) -> None:
            self.values = values

        def __dlpack__(self) -> Any:
            return self.values.__dlpack__()

        def __dlpack_device__(self) -> Any:
            return self.values.__dlpack_device__()

    values = [1.0, 2.0, 3.0]
    for wrap in (
        lambda: np.array(values, np.float32),
        lambda: array("f", values),
        lambda: (ctypes.c_float * 3)(*values),
        lambda: bytearray(np.array(values, np.float32).tobytes()),
        lambda: memoryview(array("f", values)),
        lambda: Tensor(np.array(values, np.float32)),
        lambda: DlPack(np.array(values, np.float32)),
    ):
        x, y = wrap(), wrap()
        run(saxpy, x, y, 3)
        memory: Any = getattr(y, "values", y)
        found = np.frombuffer(memory, np.float32)
        np.testing.assert_array_equal(found, np.float32(3.5) * np.array(values, np.float32))


def test_views_and_overlaps(saxpy: isa.Kernel) -> None:
    x = np.arange(64, dtype=np.float32)
    expected = x.copy()
    expected[:32] += np.float32(2.5) * x[32:]
    run(saxpy, x[32:], x[:32], 32)
    np.testing.assert_array_equal(x, expected)
    run(saxpy, x, x, 64)
    np.testing.assert_array_equal(x, np.float32(3.5) * expected)
    # The memory of a view with gaps or negative steps is that from its lowest byte to its highest.
    reverse = x[::-2]
    with pytest.raises(isa.KernelFault) as caught:
        run(saxpy, reverse, x, 3)
    assert caught.value.argument == 0


def test_pointers_can_be_numbers_and_none(saxpy: isa.Kernel) -> None:
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    with isa.mapped(x) as mapping:
        run(saxpy, mapping.address, y, 4)
        assert mapping.nbytes == 16
    assert y.tolist() == [2.5] * 4
    with pytest.raises(isa.KernelFault) as caught:
        run(saxpy, mapping.address, y, 4)
    assert caught.value.address == mapping.address
    with pytest.raises(isa.KernelFault, match="null pointer"):
        run(saxpy, None, y, 4)


def test_pointers_in_memory_reach_mapped_buffers() -> None:
    body = """
  s_load_b64 s[4:5], s[0:1], 0
  s_waitcnt lgkmcnt(0)
  s_load_b64 s[6:7], s[4:5], 0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_b32 v1, v0, s[6:7]
"""
    kernel = isa.load(isa.assemble(program(body, [("table", 8, POINTER)])))["k"]
    target = np.zeros(8, np.uint32)
    table = np.array([target.ctypes.data], np.uint64)
    with isa.mapped(target):
        kernel(table, block=8)
    assert target.tolist() == list(range(8))
    with pytest.raises(isa.KernelFault):
        kernel(table, block=8)


def test_faults_have_fields(saxpy: isa.Kernel) -> None:
    x, y = np.ones(300, np.float32), np.zeros(290, np.float32)
    with pytest.raises(isa.KernelFault) as caught:
        run(saxpy, x, y, 300)
    fault = caught.value
    assert (fault.kernel, fault.group, fault.wave, fault.lane, fault.kind) == ("k", (1, 0, 0), 1, 2, "unmapped")
    assert (fault.argument, fault.address) == (1, y.ctypes.data + y.nbytes)
    assert fault.instruction == "global_load_b32 v3, v1, s[6:7]" and fault.source_line is None
    assert str(fault).endswith("0 bytes past the end of argument 1 (y), which has 1160 bytes")
    assert fault.pc in [row.address for row in isa.disassemble(isa.assemble(SAXPY))]


SAXPY_CL = """kernel void saxpy(global const float *x, global float *y, float a, uint n) {
    uint i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
    if (i < n)
        y[i] += a * x[i];
}
"""


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="LEFT OUT: clang-22 compiles the kernel with line tables")
def test_compiled_kernels_have_types_and_lines(tmp_path: Path) -> None:
    (tmp_path / "saxpy.cl").write_text(SAXPY_CL)
    options = "-x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -O2 -gline-tables-only"
    subprocess.run(["clang-22", *options.split(), "saxpy.cl", "-o", "saxpy.co"], check=True, cwd=tmp_path)
    kernel = isa.load(tmp_path / "saxpy.co")["saxpy"]
    assert [argument.type_name for argument in kernel.args] == ["float*", "float*", "float", "uint"]
    x, y = np.ones(100, np.float32), np.zeros(100, np.float32)
    kernel(x, y, 2.5, 100, items=100, block=64)
    assert y.tolist() == [2.5] * 100
    with pytest.raises(isa.KernelFault) as caught:
        kernel(x, y[:90], 2.5, 100, items=100, block=64)
    assert caught.value.source_line and caught.value.source_line.endswith("saxpy.cl:4")
    assert caught.value.argument == 1 and "saxpy.cl:4" in str(caught.value)


def test_read_only_memory_is_not_written(saxpy: isa.Kernel) -> None:
    contents = np.ones(32, np.float32).tobytes()
    y = np.zeros(32, np.float32)
    run(saxpy, contents, y, 32)
    with pytest.raises(isa.KernelFault, match="read-only"):
        run(saxpy, y, contents, 32)
    y.flags.writeable = False
    with pytest.raises(isa.KernelFault, match="read-only"):
        run(saxpy, contents, y, 32)
    assert contents == np.ones(32, np.float32).tobytes()


def test_checks_return_findings(saxpy: isa.Kernel) -> None:
    x, y = np.ones(300, np.float32), np.zeros(290, np.float32)
    result = run(saxpy, x, y, 300, check=True)
    finding = result.findings[0]
    assert (finding.kind, finding.is_error, finding.argument) == ("out-of-bounds", True, 1)
    assert (finding.group, finding.wave, finding.access, finding.space) == ((1, 0, 0), 1, "read", "global")
    assert "past the end of argument 1 (y)" in str(finding)
    assert y[0] == 2.5, "the run goes on after a finding"
    assert run(saxpy, x, y[:200], 200, check=True).findings == []
    assert run(saxpy, x, y[:200], 200, check=["race"]).findings == []
    with pytest.raises(ValueError, match="the kinds are out-of-bounds"):
        run(saxpy, x, y, 4, check="none")


@pytest.mark.parametrize("check", [None, False, "race", ["race", "missing-wait"], []])
def test_accesses_that_a_check_does_not_look_for_are_faults(saxpy: isa.Kernel, check: Any) -> None:
    x, y = np.ones(300, np.float32), np.zeros(290, np.float32)
    with pytest.raises(isa.KernelFault, match=r"past the end of argument 1 \(y\)") as error:
        run(saxpy, x, y, 300, check=check)
    assert (error.value.kind, error.value.group, error.value.wave, error.value.lane) == ("unmapped", (1, 0, 0), 1, 2)
    y = np.zeros(300, np.float32)
    y.flags.writeable = False
    with pytest.raises(isa.KernelFault, match="read-only"):
        run(saxpy, x, y, 300, check=check)


def test_wrong_arguments_are_refused(saxpy: isa.Kernel) -> None:
    x = np.ones(4, np.float32)
    one = np.float32(1)
    with pytest.raises(TypeError, match=r"k has 4 arguments \(x, y, a, n\), and 1 are given"):
        saxpy(x)
    with pytest.raises(TypeError, match=r"argument 2 \(a\): a Python float"):
        saxpy(x, x, 2.5, np.int32(4))
    with pytest.raises(TypeError, match=r"argument 3 \(n\): a value of 8 bytes, and the kernel expects 4"):
        saxpy(x, x, one, np.int64(4))
    with pytest.raises(ValueError, match=r"argument 3 \(n\): 4294967296 does not fit"):
        saxpy(x, x, one, 1 << 32)
    with pytest.raises(TypeError, match=r"argument 0 \(x\): `str` has neither"):
        saxpy("x", x, one, 4)
    with pytest.raises(ValueError, match="sizes"):
        saxpy(x, x, one, 4, block=(1, 2, 3, 4))
    with pytest.raises(isa.LaunchError):
        saxpy(x, x, one, 4, block=2048)
    with pytest.raises(isa.LaunchError, match="LDS"):
        saxpy(x, x, one, 4, lds=1 << 20)
    with pytest.raises(ValueError, match="turn"):
        saxpy(x, x, one, 4, turn=0)


def test_values_can_be_python_integers(saxpy: isa.Kernel) -> None:
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    saxpy(x, y, np.float32(1), 4, items=4, block=4)
    saxpy(x, y, ctypes.c_float(1), ctypes.c_int32(4), items=4, block=4)
    saxpy(x, y, np.float32(1).tobytes(), np.uint32(4), items=4, block=4)
    assert y.tolist() == [3.0] * 4


def test_orders_of_waves_agree() -> None:
    kernel = isa.load(HISTOGRAM)["histogram"]
    text = np.random.default_rng(2).integers(0, 256, 10_000).astype(np.uint8)
    orders: list[dict[str, Any]] = [{"turn": 1}, {"turn": 16}, {"turn": 4096}, {"seed": 0}, {"seed": 1, "turn": 7}]
    for options in orders:
        counts = np.zeros(256, np.uint32)
        kernel(text, np.uint32(text.size), counts, grid=40, block=256, **options)
        np.testing.assert_array_equal(counts, np.bincount(text, minlength=256))


def test_a_seed_shows_a_race_that_the_usual_order_hides() -> None:
    # Wave 0 stores what the other wave loads, without a barrier.
    body = """
  s_load_b64 s[4:5], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v3, 7
  v_cmp_gt_u32 vcc_lo, 32, v0
  s_waitcnt lgkmcnt(0)
  s_cbranch_vccz .Lload
  global_store_b32 v1, v3, s[4:5]
  s_endpgm
.Lload:
  global_load_b32 v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_b32 v1, v2, s[4:5] offset:4
"""
    kernel = isa.load(isa.assemble(program(body, [("x", 8, POINTER)])))["k"]

    def loaded(**options: Any) -> int:
        x = np.zeros(2, np.uint32)
        kernel(x, block=64, **options)
        return int(x[1])

    assert {loaded() for _ in range(3)} == {7}
    assert {loaded(seed=seed) for seed in range(20)} == {0, 7}
    assert loaded(seed=3) == loaded(seed=3)
    x = np.zeros(2, np.uint32)
    assert "race" in [finding.kind for finding in kernel(x, block=64, check=True).findings]


def moves(first: int, values: Iterable[object]) -> str:
    """Moves of values to consecutive vector registers."""
    return "".join(f"  v_mov_b32 v{first + n}, {value}\n" for n, value in enumerate(values))


def words_of(text: bytes) -> list[int]:
    """The dwords of a text, filled with zeros to 16 bytes or 24."""
    filled = text.ljust(16 if len(text) <= 16 else 24, b"\0")
    return [int.from_bytes(filled[at : at + 4], "little") for at in range(0, len(filled), 4)]


HOSTCALL = (REPOSITORY / "isa-cli/tests/services/hostcall.s").read_text()


def test_kernels_print(capsys: pytest.CaptureFixture[str]) -> None:
    message = moves(10, ["0xc3", 0, 0, 0]) + moves(14, words_of(b"group %d lane %2d\n")) + moves(20, ["s2", 0, "v0", 0])
    body = f"  s_load_b64 s[4:5], s[0:1], 80\n{message}  hostcall 2\n"
    hidden = "      - { .offset: 80, .size: 8, .value_kind: hidden_hostcall_buffer }\n"
    kernel = isa.load(isa.assemble(HOSTCALL + program(body, hidden=hidden)))["k"]
    kernel(grid=3, block=2)
    expected = "".join(f"group {group} lane {lane:2}\n" for group in range(3) for lane in range(2))
    assert capsys.readouterr().out == expected


def test_failed_assertions_have_their_text(capsys: pytest.CaptureFixture[str]) -> None:
    # A message to standard error: its descriptor says BEGIN, END and 3 numbers.
    message = moves(10, ["0x63", 0, 1, 0]) + moves(14, words_of(b"x < 3 failed\n"))
    body = f"  s_load_b64 s[4:5], s[0:1], 80\n{message}  hostcall 2\n  s_trap 2\n"
    hidden = "      - { .offset: 80, .size: 8, .value_kind: hidden_hostcall_buffer }\n"
    kernel = isa.load(isa.assemble(HOSTCALL + program(body, hidden=hidden)))["k"]
    with pytest.raises(isa.DeviceAssert) as caught:
        kernel(block=1)
    assert caught.value.text == "x < 3 failed" and caught.value.kind == "trap"
    assert capsys.readouterr().err == "x < 3 failed\n"


def test_timeouts_end_a_run() -> None:
    kernel = isa.load(isa.assemble(ENDLESS))["k"]
    begin = time.monotonic()
    with pytest.raises(isa.KernelTimeout, match="has not ended after 0.3 s") as caught:
        kernel(np.zeros(1, np.uint32), timeout=0.3)
    assert 0.3 <= time.monotonic() - begin < 5 and isinstance(caught.value, TimeoutError)
    with pytest.raises(isa.KernelFault, match="10000 instructions"):
        kernel(np.zeros(1, np.uint32), max_instructions=10_000)
    with pytest.raises(ValueError, match="timeout"):
        kernel(np.zeros(1, np.uint32), timeout=-1.0)


def test_ctrl_c_ends_a_run() -> None:
    kernel = isa.load(isa.assemble(ENDLESS))["k"]
    # A shell without job control starts background jobs with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            kernel(np.zeros(1, np.uint32), timeout=60)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_threads_launch_independently(saxpy: isa.Kernel) -> None:
    endless = isa.load(isa.assemble(ENDLESS))["k"]
    errors: list[BaseException] = []

    def spin() -> None:
        try:
            endless(np.zeros(1, np.uint32), timeout=3)
        except isa.KernelTimeout as error:
            errors.append(error)

    spinning = [threading.Thread(target=spin) for _ in range(3)]
    for thread in spinning:
        thread.start()
    begin = time.monotonic()
    for n in range(1, 20):
        x, y = np.ones(n, np.float32), np.zeros(n, np.float32)
        run(saxpy, x, y, n)
        assert y.tolist() == [2.5] * n
    assert time.monotonic() - begin < 3, "launches do not wait for those of other threads"
    for thread in spinning:
        thread.join()
    assert len(errors) == 3


def test_a_forked_process_launches(saxpy: isa.Kernel) -> None:
    run(saxpy, np.ones(4, np.float32), np.zeros(4, np.float32), 4)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        y = np.zeros(4, np.float32)
        run(saxpy, np.ones(4, np.float32), y, 4)
        os._exit(0 if y.tolist() == [2.5] * 4 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_atomics_of_small_buffers_are_one_step() -> None:
    body = """
  s_load_b64 s[4:5], s[0:1], 0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add_u32 v1, v2, s[4:5]
"""
    kernel = isa.load(isa.assemble(program(body, [("x", 8, POINTER)])))["k"]
    all_counts = np.zeros(3, np.uint32)
    for at in range(3):
        kernel(all_counts[at : at + 1], grid=200, block=64)
    assert all_counts.tolist() == [12800] * 3


def test_a_launch_is_quick(saxpy: isa.Kernel) -> None:
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    run(saxpy, x, y, 64)

    def seconds() -> float:
        begin = time.perf_counter()
        for _ in range(100):
            run(saxpy, x, y, 64)
        return (time.perf_counter() - begin) / 100

    # The least of some tries: other processes share the processor.
    assert min(seconds() for _ in range(20)) < 0.2e-3
