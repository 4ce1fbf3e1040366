"""Counts the bytes of a text with the kernel of a code object, checks it, and compares the result with NumPy."""

from pathlib import Path

import numpy as np

import amdgpu_isa as isa

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

histogram = isa.load(EXAMPLES / "histogram.gfx1100.co")["histogram"]
text = np.fromfile(EXAMPLES / "README.md", np.uint8)
counts = np.zeros(256, np.uint32)
result = histogram(text, np.uint32(text.size), counts, grid=-(-text.size // 256), block=256, check=True)
assert result.findings == []
np.testing.assert_array_equal(counts, np.bincount(text, minlength=256))
print(f"{result.groups} work-groups, {result.instructions} instructions, {counts[ord('e')]} times the letter e")
