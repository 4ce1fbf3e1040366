"""Measures the goals of the package: a million instructions into objects and into text, and what a launch costs beyond the kernel.

The times are those of the processor, so that other programs on the machine do not count: ``python examples/performance.py``.
"""

import time
from pathlib import Path
from typing import Callable

import numpy as np

import amdgpu_isa as isa

HISTOGRAM = Path(__file__).parents[3] / "examples/histogram.gfx1100.co"
INSTRUCTIONS = 1_000_000
LAUNCHES = 1000


def least(run: Callable[[], object], times: int = 3) -> float:
    """Returns the least processor time of some runs, in seconds."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    return min(taken)


def main() -> None:
    lines = "v_add_f32 v0, v1, v2\ns_load_b64 s[4:5], s[0:1], 0x10\nglobal_store_b32 v1, v3, s[6:7]\ns_waitcnt vmcnt(0)\n"
    code = isa.assemble(lines * (INSTRUCTIONS // 4), arch="gfx1100", emit="co")
    listed = [0]

    def objects() -> None:
        listed[0] = len(list(isa.disassemble(code)))

    print(f"into objects: {least(objects):.2f} s for {listed[0]} instructions (goal: 1.5 s)")
    print(f"into text:    {least(lambda: isa.disassemble(code).text()):.3f} s (goal: 0.1 s)")

    kernel = isa.load(HISTOGRAM)["histogram"]
    text, counts, count = np.zeros(1, np.uint8), np.zeros(256, np.uint32), np.uint32(1)

    def launches() -> float:
        """Returns the time of the kernels alone."""
        return sum(kernel(text, count, counts, grid=1, block=256).seconds for _ in range(LAUNCHES))

    launches()
    begin = time.process_time()
    kernels = launches()
    taken = time.process_time() - begin
    each, alone = (1e3 * seconds / LAUNCHES for seconds in (taken, kernels))
    print(f"a launch:     {each:.3f} ms of processor time with its kernel, which runs for {alone:.3f} ms (goal: 0.2 ms more)")


if __name__ == "__main__":
    main()
