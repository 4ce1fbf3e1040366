"""The examples, and the code of the package's page and of the guide."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from programs import REPOSITORY

PACKAGE = REPOSITORY / "bindings/python"


def blocks() -> list[tuple[str, str]]:
    """The code of pages, with a name for each block."""
    found = []
    for page in (PACKAGE / "README.md", REPOSITORY / "docs/guide/python.md"):
        code = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
        assert code, page
        found += [(f"{page.name} {number}", block) for number, block in enumerate(code)]
    return found


@pytest.mark.parametrize(("name", "code"), blocks(), ids=lambda value: value if len(value) < 40 else "")
def test_code_of_pages_runs(name: str, code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=PACKAGE)


@pytest.mark.parametrize("example", sorted((PACKAGE / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(example: Path) -> None:
    subprocess.run([sys.executable, str(example)], check=True, timeout=120)


def test_the_workflow_of_the_guide_is_the_example() -> None:
    page = (REPOSITORY / "docs/guide/test-triton-kernels-in-ci.md").read_text()
    workflow = (REPOSITORY / "examples/triton/workflow.yml").read_text()
    assert re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) == [workflow]
    # The step "python" of `cargo xtask ci` runs the last command (test_triton.py).
    assert workflow.endswith(" venv/bin/python -m pytest --isa-gpu examples/triton\n")
