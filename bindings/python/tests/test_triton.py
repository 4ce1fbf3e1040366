"""Triton on the CPU, where torch and Triton are installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import REPOSITORY

FOLDER = REPOSITORY / "examples/triton"
TRITON = sorted(path for path in FOLDER.glob("*.py") if not path.name.startswith("test_"))
LACKING = [name for name in ("torch", "triton") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"LEFT OUT: {' and '.join(LACKING)} cannot be imported")


def run(arguments: list[str], tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "AMDGPU_ISA_TRITON": "1", "TRITON_CACHE_DIR": str(tmp_path), **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("example", TRITON, ids=lambda path: path.stem)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    result = run([str(example)], tmp_path, AMDGPU_ISA_CHECK="1")
    assert (result.returncode, result.stderr) == (0, ""), result.stderr


def test_the_workflow_tests_the_kernels(tmp_path: Path) -> None:
    command = (FOLDER / "workflow.yml").read_text().rstrip().splitlines()[-1].split()
    assert command[0] == "venv/bin/python"
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, *command[1:], "-p", "no:cacheprovider"],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0 and "9 passed" in result.stdout, result.stdout


OUT_OF_BOUNDS = """
import torch, triton, triton.language as tl
import amdgpu_isa as isa, amdgpu_isa.triton

@triton.jit
def store(x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x + offsets, offsets)

x = torch.zeros(100, dtype=torch.int32)
try:
    store[(1,)](x, BLOCK=128)
except isa.KernelFault as fault:
    assert fault.source_line.endswith("program.py:8"), fault.source_line
    assert (fault.kernel, fault.argument, fault.kind) == ("store", 0, "unmapped")
else:
    raise AssertionError("a fault")
with amdgpu_isa.triton.check() as findings:
    store[(1,)](x, BLOCK=128)
assert [finding.kind for finding in findings] == ["out-of-bounds"]
assert findings[0].source_line.endswith("program.py:8")
assert x.tolist() == list(range(100))
"""


POINTERS = """
import torch, triton, triton.language as tl

@triton.jit
def copy(addresses, to, last: tl.int64, N: tl.constexpr):
    for n in range(N):
        x = tl.load(addresses + n).to(tl.pointer_type(tl.float32))
        tl.store(to + n, tl.load(x + n))
    tl.store(to + N, tl.load(last.to(tl.pointer_type(tl.float32), bitcast=True)))

xs = [torch.rand(5) for _ in range(4)]
views = [x[1:] for x in xs]
addresses = torch.tensor([view.data_ptr() for view in views], dtype=torch.int64)
last, to = torch.rand(1), torch.zeros(5)
copy[(1,)](addresses, to, last.data_ptr(), N=4)
assert to.tolist() == [view[n].item() for n, view in enumerate(views)] + last.tolist(), to
"""


def test_addresses_in_arguments_reach_tensors(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(POINTERS)
    result = run([str(tmp_path / "program.py")], tmp_path)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr


def test_faults_and_findings_name_lines_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(OUT_OF_BOUNDS)
    result = run([str(tmp_path / "program.py")], tmp_path)
    assert result.returncode == 0, result.stderr


NUMPY = """
import numpy as np, triton, triton.language as tl
import amdgpu_isa.triton

@triton.jit
def double(x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.device_print("lane", offsets)
    tl.store(x + offsets, tl.load(x + offsets) * 2)

x = np.arange(32, dtype=np.float32)
double[(1,)](amdgpu_isa.triton.tensor(x), BLOCK=32, num_warps=1)
assert x.tolist() == [2 * n for n in range(32)]
"""


def test_arrays_of_numpy_and_prints(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(NUMPY)
    result = run([str(tmp_path / "program.py")], tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("lane") == 32, result.stdout
