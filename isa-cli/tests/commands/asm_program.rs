//! Whole programs through `isa asm`: bytes, labels, directives, relocations, and the listing.

use std::io::Read;
use std::process::Stdio;

use crate::common::*;

#[test]
fn nothing_is_left_of_what_the_output_held() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-over-{}", std::process::id()));
    std::fs::write(&path, [7; 100]).unwrap();
    for (source, bytes) in
        [("s_nop 0\ns_nop 1\n", &[0, 0, 0x80, 0xbf, 1, 0, 0x80, 0xbf][..]), ("s_endpgm\n", &[0, 0, 0xb0, 0xbf])]
    {
        let said = run(&[&ARGS[..], &["-o", path.to_str().unwrap()]].concat(), source.as_bytes());
        assert_eq!((said.status, std::fs::read(&path).unwrap()), (Some(0), bytes.to_vec()));
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_program_says_what_it_is_for() {
    let listing = |source: &str| run(&["asm", "-"], source.as_bytes());
    for (target, instruction) in [
        ("amdgcn-amd-amdhsa--gfx1100", "s_waitcnt vmcnt(0)"),
        ("amdgpu12.00-amd-amdhsa-unknown-gfx1200", "s_wait_loadcnt 0x0"),
    ] {
        let said = listing(&format!("// a kernel\n\t.text\n\t.amdgcn_target \"{target}\"\n\t{instruction}\n"));
        assert!(said.status == Some(0) && said.out.contains(instruction), "{said:?}");
    }
    let fails = |source: &str, part: &str| {
        let said = listing(source);
        assert!(said.status == Some(1) && said.err.contains(part), "{said:?}");
    };
    fails("s_nop 0\n", "the program has no `.amdgcn_target`: `--arch` selects a processor");
    fails(".amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n", "`amdgcn-amd-amdhsa--gfx906`: it is not read; supported: ");
    // What the command says comes first.
    let said = run(&ARGS, b".amdgcn_target \"amdgcn-amd-amdhsa--gfx1200\"\n");
    assert!(said.err.contains("the file is for rdna4, and `--arch` asks for rdna3"), "{said:?}");

    // A file that is read in parts.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-target-{}", std::process::id()));
    let (source, output) = (path.with_extension("s"), path.with_extension("bin"));
    let lines = "v_mov_b32 v1, v2\n".repeat(10_000);
    std::fs::write(&source, format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1151\"\n{lines}")).unwrap();
    let said = run(&["asm", source.to_str().unwrap(), "-o", output.to_str().unwrap()], &[]);
    assert_eq!((said.status, std::fs::read(&output).unwrap().len()), (Some(0), 40_000), "{}", said.err);
    for file in [source, output] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn labels_in_both_directions() {
    // Encodings as llvm-mc has them.
    assert_eq!(
        text("f: s_nop 0\n s_branch f\n s_cbranch_execz .L1\n.L1: s_nop 1\n"),
        "000080bffeffa0bf0000a5bf010080bf"
    );
    assert_eq!(text("\"a b\": s_nop 3 // c\n s_branch \"a b\" ; d\n"), "030080bffeffa0bf");
    assert_eq!(text("l1: l2:\n s_branch .\n s_call_b64 s[0:1], l2\n"), "ffffa0bffeff00ba");
}

#[test]
fn comments_are_no_statements() {
    assert_eq!(text("# 1 \"x.c\"\n/* a\n b */ s_nop 0 /* ; */ // x\n"), "000080bf");
}

#[test]
fn gaps_are_filled_as_llvm_does() {
    assert_eq!(text("s_nop 0\n.p2align 4\ns_nop 1\n"), "000080bf000080bf000080bf000080bf010080bf");
    assert_eq!(
        text(".byte 1\n.p2align 3, 5\n.balignl 16, 0x01020304\n.p2align 8,,4\n"),
        "01050505050505050403020104030201"
    );
    assert_eq!(text(".byte 1\n.align 8\n"), "01000000000080bf");
    assert_eq!(
        text(".fill 2,4,0xbf9f0000\n.fill 3\n.fill 2,2\n.skip 2,7\n.zero 1\n"),
        "00009fbf00009fbf00000000000000070700"
    );
    assert_eq!(text(".fill 2,9,1\n.org 18, 2\n"), "010000000000000001000000000000000202");
}

#[test]
fn data_of_every_size() {
    assert_eq!(text(".byte 1, -1, 'a'\n.short 0x102\n.long f-.\nf: .quad -2\n"), "01ff61020104000000feffffffffffffff");
    assert_eq!(text(".ascii \"a\\n\", \"b\"\n.asciz \"c\"\n.uleb128 300\n.sleb128 -2\n"), "610a626300ac027e");
}

#[test]
fn symbols_in_operands() {
    assert_eq!(text(".set k, 5\nv_mov_b32 v0, s[k]\ns_waitcnt vmcnt(k-2) & lgkmcnt(k)\n"), "0502007e570c89bf");
    assert_eq!(text("k = 5\nv_mov_b32 v0, k*2+100\nk = 6\ns_mov_b32 s0, -k\n"), "ff02007e6e000000c60080be");
    assert_eq!(
        text("a: s_nop 0\nb: s_mov_b32 s0, b-a\ns_mov_b32 s0, late-a\nlate:\n"),
        "000080bfff0080be04000000ff0080be14000000"
    );
    assert_eq!(text(".equ k, 3\nds_load_b32 v0, v0 offset:k+3\n"), "0600d8d800000000");
}

#[test]
fn other_sections_are_apart() {
    let source = "s_nop 0\n.section .rodata,\"a\",@progbits\nx: .long 1\n.text\ns_nop 1\n.pushsection .data\n.byte 1\n\
        .popsection\ns_nop 2\n.data\n.previous\ns_nop 3\n";
    assert_eq!(text(source), "000080bf010080bf020080bf030080bf");
}

#[test]
fn relocations_are_listed_and_zero() {
    let source = "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, f@rel32@lo+4\ns_addc_u32 s1, s1, f@rel32@hi+12\n.long g\n\
        .globl h\nh: s_add_u32 s0, s0, h@gotpcrel32@lo+4\nl: s_mov_b32 s0, l@abs32@lo\n";
    let (said, bytes) = output(source, &["--relocations"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let expected = ".text\t8\tR_AMDGPU_REL32_LO\tf+0x4\n.text\t10\tR_AMDGPU_REL32_HI\tf+0xc\n\
        .text\t14\tR_AMDGPU_ABS32\tg+0x0\n.text\t1c\tR_AMDGPU_GOTPCREL32_LO\th+0x4\n\
        .text\t24\tR_AMDGPU_ABS32_LO\t.text+0x20\n";
    assert_eq!(said.out, expected);
    assert_eq!(bytes[8..12], [0; 4]);
}

#[test]
fn the_scratch_buffer_is_left_to_the_linker() {
    // llc writes these names without a directive; llvm-mc gives them this relocation in all fields.
    let source = "s_mov_b32 s0, SCRATCH_RSRC_DWORD0\nv_mov_b32 v1, SCRATCH_RSRC_DWORD1+4\n.long SCRATCH_RSRC_DWORD0\n\
        .quad SCRATCH_RSRC_DWORD1\ns_mov_b32 s0, SCRATCH_RSRC_DWORD0@rel32@hi\n";
    let (said, bytes) = output(source, &["--relocations"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let expected = ".text\t4\tR_AMDGPU_ABS32_LO\tSCRATCH_RSRC_DWORD0+0x0\n\
        .text\tc\tR_AMDGPU_ABS32_LO\tSCRATCH_RSRC_DWORD1+0x4\n.text\t10\tR_AMDGPU_ABS32_LO\tSCRATCH_RSRC_DWORD0+0x0\n\
        .text\t14\tR_AMDGPU_ABS32_LO\tSCRATCH_RSRC_DWORD1+0x0\n.text\t20\tR_AMDGPU_ABS32_LO\tSCRATCH_RSRC_DWORD0+0x0\n";
    assert_eq!(said.out, expected);
    assert_eq!(bytes[4..8], [0; 4]);
    let (said, _) = output("s_mov_b32 s0, SCRATCH_RSRC_DWORD2\n", &["--relocations"]);
    assert_eq!(said.status, Some(1), "{said:?}");
}

#[test]
fn a_kernel_as_clang_writes_it() {
    let source = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\t.amdhsa_code_object_version 6\n\t.text\n\t.globl k\n\
        \t.p2align 8\n\t.type k,@function\nk: ; @k\n\ts_endpgm\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6, 0x0\n\
        \t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1)\n\
        \t\t.amdhsa_next_free_sgpr 1\n\t.end_amdhsa_kernel\n\t.text\n.Lend:\n\t.size k, .Lend-k\n\
        \t.set k.num_vgpr, max(3, amdgpu.max_num_vgpr)\n\t.set k.num_agpr, 0\n\t.set amdgpu.max_num_vgpr, 2\n\
        \t.ident \"x\"\n\t.section \".note.GNU-stack\",\"\",@progbits\n\t.addrsig\n\
        \t.amdgpu_metadata\n---\namdhsa.version: [1, 2] # no; comment /* here\namdhsa.kernels: []\n...\n\t.end_amdgpu_metadata\n";
    assert_eq!(text(source), "0000b0bf");
}

#[test]
fn the_listing_shows_address_bytes_and_source() {
    let said = run(&ARGS, b"x: s_nop 0 ; c\n\ts_branch x\n.data\n.long 1\n");
    assert_eq!(said.status, Some(0), "{said:?}");
    let lines: Vec<Vec<&str>> = said.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines, [["0", "000080bf", "s_nop", "0"], ["4", "feffa0bf", "s_branch", "x"]]);
}

#[test]
fn the_example_comes_back() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/matmul.gfx1100.co");
    let listed = run(&["dis", "--format", "tsv", file], b"");
    let (mut source, mut bytes) = (String::new(), String::new());
    for line in listed.out.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, hex, instr, ".text"] = columns[..] else { continue };
        bytes.push_str(hex);
        source.push_str(instr);
        source.push('\n');
    }
    assert!(bytes.len() > 1000, "{listed:?}");
    assert_eq!(text(&source), bytes);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let source = "s_nop 0\n".repeat(100_000);
    let mut child = isa(&ARGS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is a pipe");
    let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut stdin, source.as_bytes())));
    let mut stdout = child.stdout.take().expect("its standard output is a pipe");
    stdout.read_exact(&mut [0; 10]).expect("it prints");
    drop(stdout);
    let ended = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic");
    assert_eq!((ended.status.code(), ended.stderr), (Some(0), vec![]));
}
