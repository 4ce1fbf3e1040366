"""Programs of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "examples"
HISTOGRAM = EXAMPLES / "histogram.gfx1100.co"

POINTER = "global_buffer"


def program(body: str, arguments: Sequence[tuple[str, int, str]] = (), lds: int = 0, hidden: str = "") -> str:
    """A kernel ``k`` of these instructions: arguments are name, size and kind, one after the other."""
    lines, offset = "", 0
    for name, size, kind in arguments:
        offset = -(-offset // size) * size
        lines += f"      - {{ .name: {name}, .offset: {offset}, .size: {size}, .value_kind: {kind} }}\n"
        offset += size
    return f"""
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl k
.p2align 8
.type k,@function
k:
{body}
  s_endpgm
.Lfunc_end:
.size k, .Lfunc_end-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size 264
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size {lds}
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: "k"
    .symbol: k.kd
    .kernarg_segment_size: 264
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 42
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
{lines}{hidden}      - {{ .offset: 256, .size: 2, .value_kind: hidden_group_size_x }}
...
.end_amdgpu_metadata
"""


# The instructions of the example, in a kernel ``k``.
SAXPY = program(
    (Path(__file__).resolve().parents[1] / "examples/saxpy.s").read_text().split("saxpy:\n")[1].split("    s_endpgm")[0],
    [("x", 8, POINTER), ("y", 8, POINTER), ("a", 4, "by_value"), ("n", 4, "by_value")],
)

# Spins until memory is not 0, which sleeps never change.
ENDLESS = program(
    """
  s_load_b64 s[4:5], s[0:1], 0
  v_mov_b32 v1, 0
  s_mov_b32 s6, 0
.Lspin:
  s_add_u32 s6, s6, 1
  s_branch .Lspin
""",
    [("flag", 8, POINTER)],
)
