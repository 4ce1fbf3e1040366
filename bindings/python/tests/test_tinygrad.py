"""tinygrad's kernels on the CPU, where tinygrad and a libLLVM for gfx1100 are installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import EXAMPLES

LIBRARIES = [path for version in range(30, 17, -1) for path in Path("/usr/lib").glob(f"*/libLLVM-{version}.so")]
LACKING = [] if LIBRARIES or "LLVM_PATH" in os.environ else ["libLLVM 18 or later"]
LACKING += ["tinygrad"] if importlib.util.find_spec("tinygrad") is None else []


@pytest.mark.skipif(bool(LACKING), reason=f"LEFT OUT: {' and '.join(LACKING)} cannot be found")
def test_the_example_runs(tmp_path: Path) -> None:
    library = os.environ.get("LLVM_PATH") or str(LIBRARIES[0])
    variables = {"LLVM_PATH": library, "XDG_CACHE_HOME": str(tmp_path), "AMDGPU_ISA_CHECK": "1"}
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / "tinygrad/run.py")],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(" agrees\n") == 8 and result.stdout.endswith(" launches\n"), result.stdout
