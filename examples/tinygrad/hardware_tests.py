"""A pytest plugin that runs tinygrad's tests of RDNA hardware by the package, in place of tinygrad's emulator.

The tests are in a checkout of tinygrad's repository: ``python -m pytest -p hardware_tests test/amd/hw``, with this folder and the checkout in
``PYTHONPATH``. ``AMDGPU_ISA_ARCH`` chooses the processor. The tests are for RDNA3; for RDNA4 their instructions are assembled again from text, and
those that RDNA4 lacks are skipped.
"""

import os
import re

import numpy as np
import pytest

import amdgpu_isa as isa

ARCH = os.environ.get("AMDGPU_ISA_ARCH", "gfx1100")
WAITS = "s_wait_loadcnt_dscnt 0x0\ns_wait_storecnt_dscnt 0x0\ns_wait_kmcnt 0x0"
KERNEL = """
.amdgcn_target "amdgcn-amd-amdhsa--{arch}"
.globl test
.p2align 8
.type test,@function
test:
{body}
.rodata
.p2align 6
.amdhsa_kernel test
  .amdhsa_next_free_vgpr 256
  .amdhsa_next_free_sgpr 96
  .amdhsa_wavefront_size32 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 65536
  .amdhsa_private_segment_fixed_size 65536
  .amdhsa_enable_private_segment 1
.end_amdhsa_kernel
"""
runs = 0


def assemble(body, arch):
    return isa.assemble(KERNEL.format(arch=arch, body=body), arch=arch, emit="co")


def code_object(code, arch):
    """A code object with this code as its kernel."""
    return assemble(".byte " + ",".join(map(str, code)), arch)


def as_rdna4(line):
    """An instruction of RDNA3 as RDNA4 has it."""
    if re.match(r"s_c?branch|s_call|s_getpc|s_setpc|s_swappc", line):
        pytest.skip("RDNA4: a branch, whose distance changes")
    if line.startswith("s_waitcnt"):
        return WAITS
    line = re.sub(r" glc\b", " th:TH_ATOMIC_RETURN" if "atomic" in line else "", line)
    return re.sub(r" [sd]lc\b", "", line)


def launch(object_file, buffer, lanes):
    global runs
    runs += 1
    isa.load(object_file)["test"](buffer, grid=1, block=lanes, timeout=10.0)


def pytest_collection_modifyitems():
    from test.amd.hw import helpers

    def run_rdna3(instructions, n_lanes=1):
        prologue, epilogue = helpers.get_prologue_epilogue(n_lanes)
        code = helpers.assemble(prologue + instructions + epilogue)
        if ARCH.startswith("gfx12"):
            lines = map(str, isa.disassemble(code_object(code, "gfx1100"), arch="gfx1100", wave=32))
            try:
                object_file = assemble("\n".join(map(as_rdna4, lines)), ARCH)
            except isa.AssemblyError as error:
                pytest.skip(f"RDNA4: {str(error).splitlines()[0]}")
        else:
            object_file = code_object(code, ARCH)
        output = np.zeros(helpers._out_bytes(n_lanes), np.uint8)
        launch(object_file, output, n_lanes)
        return helpers.parse_output(output.tobytes(), n_lanes)

    helpers.run_program_emu = run_rdna3
    from test.amd.hw import test_rdna4_permlane_var as permlane

    def run_rdna4(instructions, out_reg=2):
        output = np.zeros(permlane.LANES, np.uint32)
        launch(code_object(permlane._code(instructions, out_reg), "gfx1200"), output, permlane.LANES)
        return output.tolist()

    permlane._run_emu = run_rdna4


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{runs} launches for {ARCH}")
