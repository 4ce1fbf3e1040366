"""The plug-in of pytest: with ``--isa-gpu``, kernels of tests run on the CPU, checked and linted.

Without the option it changes nothing. The guide page "Test Triton kernels in CI" describes it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Generator, Sequence
from typing import Any, Callable, Optional, Union

import pytest

from . import _cuda
from ._native import CHECK_KINDS, Finding, Kernel, LintFinding, observe

_OPTION = "--isa-gpu"


class IsaCheck:
    """The launches of a test, and what checks and lint have found in them.

    The fixture ``isa_check`` returns it. ``allow`` lets findings pass, by the kind of a check or the rule of the lint.
    """

    def __init__(self, check: Union[bool, Sequence[str]], lint: bool, allowed: Sequence[str]) -> None:
        self.check = check
        self.launches = 0
        self.findings: list[Union[Finding, LintFinding]] = []
        self._lint = lint
        self._linted: set[str] = set()
        self._allowed = set(allowed)

    def allow(self, *names: str) -> None:
        """Lets findings of kinds and rules pass in this test."""
        self._allowed.update(names)

    def launched(self, kernel: Kernel, findings: Sequence[Finding]) -> None:
        """Records a launch. The package calls it."""
        self.launches += 1
        # Those that are worth a look, and not wrong, do not fail a test.
        self.findings += [finding for finding in findings if finding.is_error]
        if not self._lint:
            return
        for finding in kernel.lint():
            text = str(finding)
            if text not in self._linted:
                self._linted.add(text)
                self.findings.append(finding)

    def refused(self) -> list[str]:
        """Returns the texts of the findings that are not allowed."""
        texts = []
        for finding in self.findings:
            name = finding.kind if isinstance(finding, Finding) else finding.rule
            if name not in self._allowed:
                texts.append(f"[{name}] {finding}")
        return texts


def _make_only_driver() -> Callable[[], None]:
    """Makes Triton's other drivers inactive, which torch seems to have a GPU for. Returns a function that undoes it."""
    try:
        backends: Any = importlib.import_module("triton.backends").backends
    except ImportError:
        return lambda: None
    drivers = [backend.driver for backend in backends.values() if not backend.driver.__module__.startswith("amdgpu_isa")]
    before = [(driver, driver.__dict__.get("is_active")) for driver in drivers]
    for driver in drivers:
        driver.is_active = staticmethod(lambda: False)

    def undo() -> None:
        for driver, is_active in before:
            if is_active is None:
                del driver.is_active
            else:
                driver.is_active = is_active

    return undo


class _IsaGpu:
    """The part of the plug-in that ``--isa-gpu`` registers."""

    def __init__(self, config: pytest.Config) -> None:
        kinds = str(config.getoption("isa_check"))
        self.check: Union[bool, list[str]] = kinds == "all"
        if kinds not in ("all", "none"):
            # Without it, an access outside of the arguments is a fault, also in tests that allow it.
            self.check = ["out-of-bounds", *kinds.split(",")]
            for kind in set(self.check).difference(CHECK_KINDS):
                known = ", ".join(CHECK_KINDS)
                raise pytest.UsageError(f"--isa-check: `{kind}` is not a kind; the kinds are {known}")
        self.lint = not config.getoption("isa_no_lint")
        self.allowed = [*config.getini("isa_allow"), *config.getoption("isa_allow")]
        self.before: dict[str, Optional[str]] = {}
        arch = config.getoption("isa_arch")
        # The variables are for processes that tests start, too.
        self.set_variable("AMDGPU_ISA_TRITON", "1")
        self.set_variable("AMDGPU_ISA_CHECK", None)
        if arch:
            self.set_variable("AMDGPU_ISA_ARCH", str(arch))
        self.undo: list[Callable[[], None]] = [_make_only_driver(), _cuda.install()]
        self.set_variable("AMDGPU_ISA_CUDA", "1")

    def set_variable(self, name: str, value: Optional[str]) -> None:
        self.before[name] = os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value

    def pytest_report_header(self) -> str:
        checks = {True: "all", False: "none"}[self.check] if isinstance(self.check, bool) else ", ".join(self.check)
        arch, lint = os.environ.get("AMDGPU_ISA_ARCH", "gfx1100"), "on" if self.lint else "off"
        return f"amdgpu-isa: kernels run on the CPU, Triton compiles for {arch}; checks: {checks}; lint: {lint}"

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, None]:
        allowed = [*self.allowed]
        for mark in item.iter_markers("isa_allow"):
            allowed += mark.args
        record = IsaCheck(self.check, self.lint, allowed)
        item.stash[_RECORD] = record
        before = observe(record)
        yield
        observe(before)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, None]:
        outcome = yield
        refused = item.stash[_RECORD].refused()
        if not refused:
            return
        if outcome.excinfo is not None:
            item.add_report_section("call", "amdgpu-isa", "\n".join(refused))
            return
        plural = "" if len(refused) == 1 else "s"
        text = "\n".join([f"{len(refused)} finding{plural} of amdgpu-isa:", *refused])
        error = pytest.fail.Exception(text, pytrace=False)
        # Versions of pluggy before 1.1 have no other way than to raise it here.
        if not hasattr(outcome, "force_exception"):
            raise error
        outcome.force_exception(error)

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        item.stash[_RECORD].findings.clear()

    def pytest_unconfigure(self) -> None:
        for undo in self.undo:
            undo()
        for name, value in self.before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


_RECORD = pytest.StashKey[IsaCheck]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("amdgpu-isa", "kernels of AMD GPUs on the CPU")
    group.addoption(_OPTION, action="store_true", help="run kernels on the CPU; findings of checks and lint fail tests")
    group.addoption("--isa-arch", metavar="NAME", help="the processor that Triton compiles for (gfx1100)")
    group.addoption("--isa-check", metavar="KINDS", default="all", help="all, none, or kinds with commas, such as race")
    group.addoption("--isa-no-lint", action="store_true", help="do not lint the kernels that are launched")
    group.addoption(
        "--isa-allow", metavar="NAME", action="append", default=[], help="let findings of a kind or rule pass"
    )
    parser.addini("isa_allow", "kinds of findings and rules of the lint that pass", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and the rest of the plug-in where it is asked for."""
    config.addinivalue_line("markers", "isa_allow(*names): lets findings of these kinds and rules pass (--isa-gpu)")
    if config.getoption("isa_gpu"):
        config.pluginmanager.register(_IsaGpu(config), "amdgpu-isa-gpu")


@pytest.fixture
def isa_device(request: pytest.FixtureRequest) -> Any:
    """The device of a test's tensors: the CPU with ``--isa-gpu``, else the GPU; without both the test is skipped."""
    torch: Any = pytest.importorskip("torch")
    if request.config.getoption("isa_gpu"):
        return torch.device("cpu")
    if not torch.cuda.is_available():
        pytest.skip(f"torch has no GPU; {_OPTION} runs the test without one")
    return torch.device("cuda")


@pytest.fixture
def isa_check(request: pytest.FixtureRequest) -> IsaCheck:
    """The launches of the test, and their findings. Without ``--isa-gpu`` there are none."""
    record = request.node.stash.get(_RECORD, None)
    return record if record is not None else IsaCheck(False, False, [])
