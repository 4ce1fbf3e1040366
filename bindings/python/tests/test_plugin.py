"""The plug-in of pytest."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import amdgpu_isa as isa
from programs import POINTER, SAXPY, program

TESTS = '''
import numpy as np
import pytest
import amdgpu_isa as isa

saxpy, early = isa.load("saxpy.co")["k"], isa.load("early.co")["k"]

def launch(count, **options):
    x, y = np.ones(100, np.float32), np.zeros(count, np.float32)
    saxpy(x, y, np.float32(2.5), np.int32(100), block=128, **options)
    assert (y == 2.5).all()

def test_right():
    launch(100)

def test_short():
    launch(90)

@pytest.mark.isa_allow("out-of-bounds")
def test_short_marked():
    launch(90)

def test_short_allowed(isa_check):
    isa_check.allow("out-of-bounds")
    launch(90)
    assert {finding.kind for finding in isa_check.findings} == {"out-of-bounds"}

def test_explicit():
    launch(90, check=["out-of-bounds"])

def test_refused_and_wrong():
    launch(90)
    assert 1 == 2

@pytest.mark.xfail(strict=True)
def test_expected():
    launch(90)

def test_early():
    early(np.zeros(32, np.uint32), block=32)

def test_early_again():
    early(np.zeros(32, np.uint32), block=32)

def test_count(isa_check):
    launch(100)
    launch(100)
    assert isa_check.launches in (0, 2)
'''

# The kernel stores a register while a load into it is pending.
EARLY = program(
    """
  s_load_b64 s[4:5], s[0:1], 0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]
  global_store_b32 v1, v2, s[4:5]
""",
    [("x", 8, POINTER)],
)

FINDINGS = {"test_short", "test_refused_and_wrong", "test_early", "test_early_again"}


@pytest.fixture
def cases(pytester: pytest.Pytester) -> pytest.Pytester:
    (pytester.path / "saxpy.co").write_bytes(isa.assemble(SAXPY))
    (pytester.path / "early.co").write_bytes(isa.assemble(EARLY))
    pytester.makepyfile(TESTS)
    return pytester


def failed(result: pytest.RunResult) -> set[str]:
    """The names of the tests that failed."""
    return {line.split("::")[1].split()[0] for line in result.outlines if line.startswith("FAILED")}


def test_findings_of_checks_and_lint_fail_tests(cases: pytest.Pytester) -> None:
    result = cases.runpytest_subprocess("--isa-gpu")
    assert failed(result) == FINDINGS
    result.assert_outcomes(passed=5, failed=4, xfailed=1)
    result.stdout.fnmatch_lines(
        ["amdgpu-isa: *gfx1100; checks: all; lint: on", "2 findings of amdgpu-isa:", "*[[]out-of-bounds[]] k: *argument 1*"]
    )
    text = result.stdout.str()
    # One by the lint, one by the check that saw it happen; a test that failed by itself has its findings as a section.
    assert "[read-too-early]" in text and "[missing-wait]" in text and "assert 1 == 2" in text
    assert "Captured amdgpu-isa call" in text


def test_options_choose_what_fails(cases: pytest.Pytester) -> None:
    # Accesses outside of the arguments are always looked for: they are faults otherwise, also in tests that allow them.
    some = cases.runpytest_subprocess("--isa-gpu", "--isa-check=race", "--isa-no-lint")
    assert failed(some) == {"test_short", "test_refused_and_wrong"}
    # Without checks, an access outside of the arguments is a fault.
    without = cases.runpytest_subprocess("--isa-gpu", "--isa-check=none")
    assert failed(without) >= {"test_short", "test_short_marked", "test_early"}
    assert "KernelFault" in without.stdout.str()
    linted = cases.runpytest_subprocess("--isa-gpu", "--isa-no-lint", "--isa-allow=missing-wait")
    assert failed(linted) == {"test_short", "test_refused_and_wrong"}
    cases.makeini("[pytest]\nisa_allow = out-of-bounds read-too-early missing-wait\n")
    allowed = cases.runpytest_subprocess("--isa-gpu")
    assert failed(allowed) == {"test_refused_and_wrong", "test_expected"}
    wrong = cases.runpytest_subprocess("--isa-gpu", "--isa-check=wrong")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
    wrong.stderr.fnmatch_lines(["*--isa-check: `wrong` is not a kind; the kinds are out-of-bounds, *"])


def test_without_the_option_nothing_changes(cases: pytest.Pytester) -> None:
    result = cases.runpytest_subprocess()
    # The other launches are faults, as outside of pytest.
    assert {"test_early", "test_early_again", "test_right"}.isdisjoint(failed(result))
    assert "amdgpu-isa: kernels run" not in result.stdout.str() and "[read-too-early]" not in result.stdout.str()


DEVICES = """
import torch

def test_names():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1
    x = torch.zeros(4, device="cuda:0").to("cuda").cuda()
    assert x.is_cuda and x.data_ptr() and torch.device("cuda").type == "cuda"
    torch.cuda.synchronize()
    assert torch.rand(4, device=torch.device("cuda")).sum() > 0
    assert torch.zeros(4, device=torch.cuda.current_device()).sum() == 0

def test_fixture(isa_device):
    assert isa_device.type == "cpu" and torch.zeros(4, device=isa_device).sum() == 0
"""


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="LEFT OUT: torch cannot be imported")
def test_the_device_cuda_is_the_cpu(pytester: pytest.Pytester, tmp_path: Path) -> None:
    pytester.makepyfile(DEVICES)
    pytester.runpytest_subprocess("--isa-gpu").assert_outcomes(passed=2)
    without = pytester.runpytest_subprocess()
    assert without.ret != 0 or "skipped" in without.stdout.str() or isa_has_gpu()


def isa_has_gpu() -> bool:
    """Whether torch has a GPU."""
    import torch

    return bool(torch.cuda.is_available())
