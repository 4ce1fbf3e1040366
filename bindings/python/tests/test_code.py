"""Assembler, disassembler, lint and tables."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest

import amdgpu_isa as isa
from programs import EXAMPLES, HISTOGRAM, SAXPY


def test_rows_are_objects() -> None:
    listing = isa.disassemble(HISTOGRAM)
    assert (listing.arch, listing.symbols) == ("gfx1100", [(0x1600, "histogram", "kernel, wave32")])
    first, second = listing[0], list(listing)[1]
    assert (first.address, str(first), first.size) == (0x1600, "s_load_b32 s2, s[0:1], 0x8", 8)
    assert (second.opcode, second.format, second.reads, second.writes) == (
        "v_lshl_or_b32",
        "VOP3",
        ["s15", "exec_lo", "v0"],
        ["v1"],
    )
    assert (first.loads, first.stores, first.bytes.hex()) == (["scalar"], [], "800000f4080000f8")
    branch = next(row for row in listing if row.mnemonic == "s_cbranch_execz")
    assert branch.target in [row.address for row in listing]
    assert len(listing) == len(list(listing)) and str(listing[-1]) == "s_endpgm"
    assert [row.address for row in listing[1:3]] == [0x1608, 0x1610]
    with pytest.raises(IndexError):
        listing[len(listing)]


def test_text_assembles_to_the_same_bytes() -> None:
    listing = isa.disassemble(HISTOGRAM)
    again = isa.assemble(listing.text(), emit="text")
    assert again == b"".join(row.bytes for row in listing)


def test_data_come_from_paths_and_buffers() -> None:
    contents = HISTOGRAM.read_bytes()
    texts = {
        isa.disassemble(data).text()
        for data in (HISTOGRAM, str(HISTOGRAM), contents, bytearray(contents), memoryview(contents), isa.load(contents))
    }
    assert len(texts) == 1
    with pytest.raises(FileNotFoundError):
        isa.load("missing.co")
    with pytest.raises(TypeError):
        isa.load(5)  # type: ignore[arg-type]
    with pytest.raises(isa.FormatError):
        isa.disassemble(b"not a file")


def bundle(entries: dict[str, bytes]) -> bytes:
    """The bundle that clang embeds in programs: code objects for several targets, each at a page."""
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)), b""
    for target, contents in entries.items():
        head += struct.pack("<QQQ", 4096 + len(body), len(contents), len(target)) + target.encode()
        body += contents + bytes(-len(contents) % 4096)
    return head.ljust(4096, b"\0") + body


HOST = "host-x86_64-unknown-linux-gnu-"
TARGETS = {arch: f"hipv4-amdgcn-amd-amdhsa--{arch}" for arch in ("gfx1100", "gfx1101")}


def saxpy_for(arch: str) -> bytes:
    return isa.assemble(SAXPY.replace("gfx1100", arch), arch=arch)


def assert_kernel_runs(loaded: isa.CodeObject) -> None:
    x, y = np.ones(40, np.float32), np.zeros(40, np.float32)
    loaded["k"](x, y, np.float32(2.5), 40, block=64)
    assert (y == 2.5).all()


def test_kernels_of_fat_binaries_run() -> None:
    both = bundle({HOST: b"", **{TARGETS[arch]: saxpy_for(arch) for arch in TARGETS}})
    for arch in TARGETS:
        loaded = isa.load(both, arch=arch)
        assert (loaded.arch, [kernel.arch for kernel in loaded.kernels]) == (arch, [arch])
        assert_kernel_runs(loaded)
    with pytest.raises(isa.FormatError, match="several processors: gfx1100 .*, gfx1101"):
        isa.load(both)
    with pytest.raises(isa.FormatError, match="no code for gfx1201 is in the file"):
        isa.load(both, arch="gfx1201")
    for count in range(0, len(both), 997):
        try:
            isa.load(both[:count], arch="gfx1101")
        except isa.FormatError:
            pass
    # As in a program: bytes before and after, and two bundles for one processor.
    one = bundle({HOST: b"", TARGETS["gfx1100"]: saxpy_for("gfx1100")})
    assert_kernel_runs(isa.load(one))
    text = isa.disassemble(one).text()
    assert text.startswith("k:") and isa.lint(one) == []
    twice = isa.load(one + bundle({HOST: b"", TARGETS["gfx1100"]: HISTOGRAM.read_bytes()}))
    assert sorted(twice) == ["histogram", "k"]


@pytest.mark.skipif(shutil.which("clang-offload-bundler-22") is None, reason="LEFT OUT: needs clang-offload-bundler-22")
def test_compressed_bundles_of_clang_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "host").write_bytes(b"")
    command = ["clang-offload-bundler-22", "-type=o", "-compress", "-input=host", "-output=all.hipfb"]
    for arch in TARGETS:
        (tmp_path / arch).write_bytes(saxpy_for(arch))
        command.append(f"-input={arch}")
    command.append(f"-targets={HOST},{','.join(TARGETS.values())}")
    subprocess.run(command, check=True, cwd=tmp_path)
    assert (tmp_path / "all.hipfb").read_bytes()[:4] == b"CCOB"
    assert_kernel_runs(isa.load(tmp_path / "all.hipfb", arch="gfx1101"))


def test_bytes_are_decoded() -> None:
    rows = isa.decode(bytes.fromhex("01008abf ffffffff 0000b0bf"), address=0x100)
    assert [row.is_instruction for row in rows] == [True, False, True]
    assert rows[1].error and str(rows[1]) == ".long 0xffffffff" and rows[1].opcode is None
    assert (rows[2].address, rows[2].mnemonic) == (0x108, "s_endpgm")
    assert str(isa.decode(np.array([0xBF8A0001], np.uint32))[0]) == str(rows[0])
    with pytest.raises(ValueError, match="gfx1"):
        isa.decode(b"", arch="gfx1")


def test_errors_have_lines_and_advice() -> None:
    with pytest.raises(isa.AssemblyError) as caught:
        isa.assemble("s_nop 0\n  v_add_f32 v0, v1\n  v_ad_f32 v0, v1, v2\n")
    first, second = caught.value.diagnostics
    assert (first.line, first.column, first.severity) == (2, 19, "error")
    assert (second.line, second.column) == (3, 3)
    assert second.message == "unknown mnemonic; there is `v_add_f32`"
    assert caught.value.line == 2 and "2:19: error" in str(caught.value)


def test_warnings_are_warnings() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        isa.assemble('.warning "careful"\ns_endpgm\n')
    assert [warning.category for warning in caught] == [isa.AssemblyWarning]


def test_options_of_the_assembler(tmp_path: Path) -> None:
    (tmp_path / "part.s").write_text("s_nop STEP\n")
    text = isa.assemble('.include "part.s"\n', emit="text", symbols={"STEP": 3}, include=[tmp_path])
    assert text == bytes.fromhex("030080bf")
    assert isa.assemble("s_nop 0", emit="obj")[:4] == b"\x7fELF"
    with pytest.raises(isa.AssemblyError):
        isa.assemble('.include "part.s"\n')
    with pytest.raises(ValueError, match="emit"):
        isa.assemble("", emit="elf")  # type: ignore[arg-type]


def test_kernels_have_facts() -> None:
    code = isa.load(isa.assemble(SAXPY))
    kernel = code["k"]
    assert ([k.name for k in code.kernels], list(code), len(code), "k" in code) == (["k"], ["k"], 1, True)
    assert [(a.name, a.kind, a.offset, a.size) for a in kernel.args] == [
        ("x", "global_buffer", 0, 8),
        ("y", "global_buffer", 8, 8),
        ("a", "by_value", 16, 4),
        ("n", "by_value", 20, 4),
    ]
    facts = (kernel.wave, kernel.vgprs, kernel.sgprs, kernel.spills, kernel.lds, kernel.scratch, kernel.max_block)
    assert facts == (32, 32, 42, 0, 0, 0, 1024)
    assert isa.load(HISTOGRAM)["histogram"].required_block == [256, 1, 1]
    with pytest.raises(KeyError, match="the kernels are k"):
        code["other"]


def test_lint_finds_missing_waits() -> None:
    broken = SAXPY.replace("  s_waitcnt vmcnt(0)\n", "")
    findings = isa.lint(isa.assemble(broken))
    assert findings and all(finding.is_certain for finding in findings)
    assert "s_waitcnt" in findings[0].help and findings[0].instruction.startswith("v_fmac_f32")
    assert findings[0].earlier_instruction and findings[0].earlier_instruction.startswith("global_load_b32")
    assert isa.lint(isa.assemble(SAXPY)) == []
    assert isa.lint(EXAMPLES / "matmul.gfx1100.co") == []


def test_instructions_are_explained() -> None:
    explained = isa.explain("v_add_f32 v0, v1, v2")
    assert (explained.opcode, explained.format, explained.computes) == ("v_add_f32", "VOP2", ["d = s0 + s1;"])
    assert str(isa.explain(bytes.fromhex("01050006"))) == "v_add_f32_e32 v0, v1, v2"
    pair = isa.explain("v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v2, v4")
    assert len(pair.opcodes) == 2
    with pytest.raises(ValueError, match="column"):
        isa.explain("v_add_f32 v0")


def test_opcodes_of_all_sets() -> None:
    add = isa.opcodes("gfx1100")["v_add_f32"]
    assert (add.computes, add.guide_name, "VOP3" in add.formats) == ("d = s0 + s1;", "V_ADD_F32", True)
    assert len(isa.opcodes("gfx1201")) > 1000 and "v_dual_add_f32" in add.aliases
    assert "buffer_load_dword" in isa.opcodes("gfx900")


def test_damaged_input_is_an_error() -> None:
    random = np.random.default_rng(1)
    contents = HISTOGRAM.read_bytes()
    for _ in range(300):
        data = bytearray(contents)
        for _ in range(random.integers(1, 20)):
            data[random.integers(len(data))] = random.integers(256)
        del data[random.integers(len(data) // 2, len(data)) :]
        for function in (isa.disassemble, isa.load, isa.lint):
            try:
                function(data)
            except isa.Error:
                pass
        text = data.decode("latin-1")
        for arch in ("gfx1100", "gfx1201", "gfx900"):
            isa.decode(data, arch=arch).text()
            with pytest.raises(isa.AssemblyError):
                isa.assemble(text, arch=arch)


def test_read_of_a_stream() -> None:
    assert len(isa.disassemble(io.BytesIO(HISTOGRAM.read_bytes()).getbuffer())) > 20
