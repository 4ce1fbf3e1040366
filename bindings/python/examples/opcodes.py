"""Counts the opcodes of the kernels of a file, and prints what the most frequent ones compute."""

from collections import Counter
from pathlib import Path

import amdgpu_isa as isa

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

listing = isa.disassemble(EXAMPLES / "matmul.gfx1100.co")
counts = Counter(opcode for row in listing for opcode in row.opcodes)
for opcode, count in counts.most_common(5):
    known = isa.opcodes(listing.arch).get(opcode)
    print(f"{count:4} {opcode:20} {known.computes.splitlines()[:1] if known else ''}")
assert counts
