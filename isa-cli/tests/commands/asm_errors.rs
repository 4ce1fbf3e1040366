//! The errors of `isa asm` for wrong programs: all of them, with positions. No program makes it panic.

use crate::common::*;

#[test]
fn all_errors_are_told_at_once() {
    let source = "s_nip 0\n s_nop 0\n\tv_mov_b32 v0, v999\n.nothing 1\n s_branch nowhere\n";
    let places = ["standard input:1:1", "standard input:3:16", "standard input:4:1", "standard input:5:11"];
    refused(source, &places);
    refused(source, &["`s_nop`", "^^^^", "unknown directive", "`nowhere` is not defined", "4 errors"]);
}

#[test]
fn labels() {
    refused("a: s_nop 0\na: s_nop 1\n", &["`a` is defined twice", "first here", "input:2:1"]);
    // A word of the metadata looks like a label, so that only the end tells that it is none.
    let metadata =
        ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels: []\nnowhere:\n...\n.end_amdgpu_metadata\n";
    refused(&format!("{metadata} s_nop 0\n s_branch nowhere\n"), &[":9:11", "`nowhere` is not defined", "1 error"]);
    refused("loop_head: s_nop 0\ns_branch loop_haed\n", &["`loop_haed` is not defined", "there is `loop_head`"]);
    refused("s_branch f\n.fill 32768, 4\nf:\n", &["32768 dwords away, 1 more"]);
    refused("f: .fill 32768, 4\ns_branch f\n", &["-32769 dwords away, 1 more"]);
    refused("1: s_branch 1f\n s_branch 2b\n", &["1:13", "no label `1` follows", "2:11", "no label `2` precedes"]);
    refused("s_branch f\n.byte 0\nf:\n", &["multiple of 4"]);
}

#[test]
fn names_of_sections_and_empty_names() {
    refused(".text: s_nop 0\n", &["input:1:1", "`.text` is a section"]);
    refused(".section foo\n.text\nfoo = 5\n", &["input:3:1", "`foo` is a section"]);
    for before in ["", "foo = 5\n", ".comm foo, 4\n"] {
        refused(&format!("{before}.section x,\"ao\",@progbits,foo\n"), &[":27", "`foo` is not defined in a section"]);
    }
    refused("foo: s_nop 0\n.section foo\n", &["input:1:1", "`foo` is a section"]);
    refused(".set a, \"\"\n.quad b+\"\"\n", &["input:1:9", "input:2:9", "expected the name of a symbol"]);
}

#[test]
fn errors_behind_a_symbol_stand_where_they_are_written() {
    refused(".set number, 5\ns_mov_b32 s0, number, oops\n", &["input:2:"]);
    refused(".set number, 500\nv_mov_b32 v[number], 1\n", &["input:2:"]);
}

#[test]
fn expressions() {
    refused(".byte 256, -129\n", &["256 does not fit 8 bits", "-129 does not fit 8 bits"]);
    refused(".long 1/0\n", &["division by zero"]);
    refused(".set a, b\n.set b, a\n.long a\n", &["the symbol `b` is defined by itself"]);
    refused(".set a, occupancy(1, 2, 3, 4)\n.long a\n", &["`occupancy` takes 7 arguments, not 4"]);
    refused(".long occupancy(16, 0, 1536, 9, 16, 20, 40)\n", &["one of the counts is not positive"]);
    refused(".p2align later\n.set later, 1\n", &["`later` is not known before this line"]);
    refused("s_add_u32 s0, s0, f@rel31\n", &["input:1:"]);
    refused(".short g\n", &["no relocation"]);
}

#[test]
fn directives() {
    refused(".p2align 40\n.balign 3\n", &["input:1:10", "input:2:9", "power of two"]);
    refused("s_nop 0\n.fill 1<<40, 8\n.p2align 31\n", &["256 MiB", "2 errors"]);
    refused(".popsection\n.end_amdhsa_kernel\n", &["`.pushsection`", "`.amdhsa_kernel`"]);
    refused(".globel x\n", &["there is `.globl`"]);
    refused(".type f, @nothing\n", &["type of a symbol"]);
    refused(".ascii \"\\q\"\n.ascii \"abc\n", &["input:1:9", "escape", "input:2:8", "the string has no end"]);
    refused(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n", &["gfx900", "input:1:16"]);
    refused(".amdhsa_code_object_version 99\n", &["3 to 6"]);
    refused("s_nop 0\n/* no end\n", &["input:2:1", "the comment has no end"]);
}

#[test]
fn kernels() {
    refused(
        ".amdhsa_kernel k\n.amdhsa_nothing 1\n.amdhsa_ieee_mode 1\n.amdhsa_ieee_mode 1\n",
        &["input:2:1", "set twice", "first here", "no `.end_amdhsa_kernel`"],
    );
    refused(".amdhsa_kernel k\n.end_amdhsa_kernel\n", &["needs `.amdhsa_next_free_vgpr`"]);
    refused(
        ".amdhsa_kernel k\nlabel:\n.amdhsa_next_free_vgpr 1\n",
        &["input:2:1", "unknown in an `.amdhsa_kernel` block"],
    );
    refused(".amdhsa_kernel k\n1: .amdhsa_next_free_vgpr 1\n", &["input:2:1", "unknown in an `.amdhsa_kernel` block"]);
    refused(".amdgpu_metadata\n---\n", &["no `.end_amdgpu_metadata`"]);
    refused(".amdgpu_metadata\n---\na: 1\na: 2\n.end_amdgpu_metadata\n", &["input:4:1", "key `a` twice"]);
    refused(".amdgpu_metadata\n---\na: 1\n.end_amdgpu_metadata\n", &["lacks `amdhsa.version`"]);
}

#[test]
fn kernels_of_mesa() {
    let block = |lines: &str| {
        let isa = ".amd_amdgpu_isa \"amdgcn-mesa-mesa3d--gfx1100\"\n";
        format!(".amd_kernel_code_t\n{lines}\n.end_amd_kernel_code_t\n{isa}")
    };
    for (line, why) in [
        ("user_sgpr_count = 32", "32 does not fit the 5 bits of `user_sgpr_count`"),
        ("reserved_vgpr_first = 65536", "does not fit the 16 bits"),
        ("gds_segment_byte_size = later", "known here"),
        ("enable_wavefront_size32 = 0", "waves of 32 lanes, and not of 64"),
        ("wavefront_size = 6", "waves of 32 lanes, and not of 64"),
        ("priority = 1 priv = 1", "end of the line"),
        ("priority", "expected `=`"),
        ("prioritee = 1", "unknown in an `.amd_kernel_code_t` block"),
    ] {
        refused(&block(line), &["input:2:", why]);
    }
    refused(".amd_kernel_code_t\n", &["input:1:1", "no `.end_amd_kernel_code_t` follows"]);
    refused(".end_amd_kernel_code_t\n", &["input:1:1", "no `.amd_kernel_code_t` precedes this"]);
    refused(".amdgpu_hsa_kernel k\nk:\n", &["input:1:1", "`.amdgpu_hsa_kernel` is not for HSA", "`.amdhsa_kernel`"]);
}

#[test]
fn usage_and_files() {
    let status = |args: &[&str]| run(args, b"").status;
    assert_eq!(status(&["asm", "--hex", "-"]), Some(2));
    assert_eq!(status(&["asm", "-"]), Some(1));
    assert_eq!(status(&["asm", "--arch", "gfx1100", "--hex", "-o", "x", "-"]), Some(2));
    assert_eq!(status(&["asm", "--arch", "gfx1100", "/nowhere/at/all"]), Some(1));
    assert_eq!(status(&["asm", "--arch", "gfx1100", "-o", "/nowhere/at/all", "-"]), Some(1));
    let said = run(&ARGS, b"s_nop 0\n\xff\n");
    assert!(said.status == Some(1) && said.err.contains("input:2:1") && said.err.contains("not UTF-8"), "{said:?}");
}

#[test]
fn nothing_makes_it_panic() {
    let source =
        "a: .set b, c+1 ; x\n\"q\": v_add_f32 v0, |v[b]|, é@rel32@lo, (a-b)\n.fill b, 'x', \"s\\x41\"\n.p2align a,,\n";
    for end in (0..source.len()).filter(|end| source.is_char_boundary(*end)) {
        run(&ARGS, &source.as_bytes()[..end]);
    }
    for bad in
        ["=", ".", "..", ":", "::", ".=1", "@", "\"", "\"\":", "1:", "s_branch", "s_branch @", "s_nop 'é", "\u{1b}[31m"]
    {
        let said = run(&ARGS, bad.as_bytes());
        assert!(!said.err.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn shifts_have_counts_of_0_to_63() {
    let why = "a shift by less than 0 or more than 63";
    refused("s_mov_b32 s0, 1<<64\ns_mov_b32 s0, 5>>-1\n", &["input:1:16", "input:2:16", why, "2 errors"]);
    refused(".quad 5>>64\na: .long 0\nb:\n.quad (b-a)<<(b-a+60)\nx = 1<<(0-1)\n", &["input:1:7", "input:4:7", why]);
}
