//! Object files of `isa asm --emit obj`: sections, symbols and relocations. The expected ones are those of llvm-mc 22.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::*;
use amdgpu_object::{Definition, Object, OsAbi, RelocationTarget, SymbolType, read_object};

/// The object file of a program.
fn object(source: &str) -> Object {
    let (said, bytes) = output(source, &["--emit", "obj"]);
    assert_eq!(said.status, Some(0), "{source}\n{}", said.err);
    read_object(&bytes).expect("the file is an object")
}

/// The relocations of an object: section, offset, type, symbol or section, and addend.
fn relocations(source: &str) -> Vec<String> {
    let object = object(source);
    let mut lines = Vec::new();
    for section in &object.sections {
        for relocation in &section.relocations {
            let target = match relocation.target {
                RelocationTarget::Symbol(id) => object.symbols[id.0].name.clone(),
                RelocationTarget::Section(id) => format!("[{}]", object.sections[id.0].name),
                RelocationTarget::Absolute => "*".into(),
            };
            let (offset, kind, addend) = (relocation.offset, relocation.kind, relocation.addend);
            lines.push(format!("{}+{offset:x} {kind:?} {target} {addend:x}", section.name));
        }
    }
    lines
}

/// The symbols of an object: name, value, size, type, binding and visibility.
fn symbols(source: &str) -> BTreeSet<String> {
    let object = object(source);
    let described = object.symbols.iter().map(|symbol| {
        let place = match symbol.definition {
            Definition::Undefined => "undefined".into(),
            Definition::Absolute(value) => format!("{value:x}"),
            Definition::Section(id, offset) => format!("{}+{offset:x}", object.sections[id.0].name),
            Definition::Common { align } => format!("common/{align}"),
            Definition::Lds { align } => format!("lds/{align}"),
        };
        let (size, kind, binding, visibility) = (symbol.size, symbol.kind, symbol.binding, symbol.visibility);
        format!("{} {place} {size} {kind:?} {binding:?} {visibility:?}", symbol.name)
    });
    described.collect()
}

fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|line| (*line).to_string()).collect()
}

#[test]
fn relocations_name_what_llvm_names() {
    let source = ".data\n.globl y\ny: .long 0\nl: .long 0\n.text\ns_add_u32 s0, s0, y@rel32@lo+4\ns_add_u32 s0, s0, l@rel32@lo+4\n\
        s_add_u32 s0, s0, l@abs32@lo+4\ns_add_u32 s0, s0, l@gotpcrel32@lo+4\n.L1: s_add_u32 s0, s0, .L1@gotpcrel32@hi\n\
        .hidden h\nh: .long h, y-., u, u-.\n.weak w\nw: .quad w, u+8, y-h, .L1\n";
    assert_eq!(
        relocations(source),
        [
            ".text+4 Rel32Lo y 4",
            ".text+c Rel32Lo [.data] 8",
            ".text+14 Abs32Lo [.data] 8",
            ".text+1c Gotpcrel32Lo [.data] 8",
            ".text+24 Gotpcrel32Hi [.text] 20",
            ".text+28 Abs32 [.text] 28",
            ".text+2c Rel32 y 0",
            ".text+30 Abs32 u 0",
            ".text+34 Rel32 u 0",
            ".text+38 Abs64 w 0",
            ".text+40 Abs64 u 8",
            ".text+48 Rel64 y 20",
            ".text+50 Abs64 [.text] 20",
        ]
    );
    // A variable at an address is a separate symbol.
    let source = "a:\nx = a+4\n.globl x\ns_nop 0\ns_branch x\n.quad x, z\n.set z, a+9\n.set v, u+4\n.long v\n";
    assert_eq!(
        relocations(source),
        [".text+4 Rel16 x 0", ".text+8 Abs64 x 0", ".text+10 Abs64 [.text] 9", ".text+18 Abs32 u 4"]
    );
    // Entries of a mergeable section move.
    let source =
        ".section .m,\"aMS\",@progbits,1\n.L1: .asciz \"abc\"\nl2: .asciz \"d\"\n.data\n.quad .L1, l2, l2+1, .L1+2\n";
    let expected = [".data+0 Abs64 [.m] 0", ".data+8 Abs64 [.m] 4", ".data+10 Abs64 l2 1", ".data+18 Abs64 .L1 2"];
    assert_eq!(relocations(source), expected);
}

#[test]
fn branches_to_other_sections_are_left_to_the_linker() {
    let source = "s_branch d\n.section .foo,\"ax\"\ns_nop 0\nd: s_branch .text\n.text\n.globl g\ng: s_branch g\n";
    let expected = [".text+0 Rel16 [.foo] 4", ".text+4 Rel16 g 0", ".foo+4 Rel16 [.text] 0"];
    assert_eq!(relocations(source), expected);
    assert_eq!(text(source), "ffffa0bfffffa0bf");
    refused("s_branch nowhere\n", &["the label `nowhere` is not defined"]);
    refused(".globl later\ns_branch later\n", &["the label `later` is not defined"]);
    refused(".short f\nf:\n", &["no relocation puts this address into 2 bytes"]);
    refused(".data\nd: .long d-e\n.text\ne: s_nop 0\n", &["different sections"]);
    refused(".long 1f\n.data\n.quad 2f\n", &["no label `1` follows", "no label `2` follows"]);
    refused(".long u-., .-u\n", &["input:1:14", "`u` is not defined"]);
}

#[test]
fn symbols_have_the_attributes_that_directives_say() {
    let source = ".globl u\n.weak w\n.hidden h\n.type t,@object\n.size z, 4\n.local l\n.long q\n.protected p\n.no_dead_strip n\n";
    let expected = set(&[
        "u undefined 0 NoType Global Default",
        "w undefined 0 NoType Weak Default",
        "h undefined 0 NoType Global Hidden",
        "t undefined 0 Object Global Default",
        "l undefined 0 NoType Local Default",
        "q undefined 0 NoType Global Default",
        "p undefined 0 NoType Global Protected",
        "n undefined 0 NoType Global Default",
    ]);
    assert_eq!(symbols(source), expected);
    let source = ".type f,@function\n.size f, .Lend-f\n.globl f\nf: s_nop 0\n.Lend:\n.set g, f\n.set h, f+4\n.globl g\n.weak h\n.hidden h\n\
        .set k, max(4, n)\n.set n, 9\n.set undefined, nothing+1\n1: s_nop 0\n";
    let expected = set(&[
        "f .text+0 4 Function Global Default",
        "g .text+0 4 Function Global Default",
        "h .text+4 4 Function Weak Hidden",
        "k 9 0 NoType Local Default",
        "n 9 0 NoType Local Default",
        "nothing undefined 0 NoType Global Default",
    ]);
    assert_eq!(symbols(source), expected);
    refused(".local x\n.globl x\n.weak y\n.globl y\n", &["`x` had another binding", "`y` had another binding"]);
    refused(".size f, f\nf: s_nop 0\n", &["input:1:10", "the size of a symbol is a number"]);
}

#[test]
fn variables_that_a_linker_allocates() {
    let source = ".comm c, 16, 8\n.local d\n.comm d,4\n.lcomm e, 8\n.globl g\n.amdgpu_lds g, 16, 64\n.amdgpu_lds h, 16\n.amdgpu_lds f, 4\n.long f\n";
    let expected = set(&[
        "c common/256 16 Object Global Default",
        "d .bss+0 4 Object Local Default",
        "e .bss+4 8 Object Local Default",
        "f lds/4 4 Object Global Default",
        "g lds/64 16 Object Global Default",
    ]);
    assert_eq!(symbols(source), expected);
    assert_eq!(relocations(source), [".text+0 Abs32 f 0"]);
    refused(".amdgpu_lds x, -1\n", &["input:1:16", "negative"]);
    refused(".amdgpu_lds x, 1, 3\n.amdgpu_lds y, 1<<18\n", &["power of two", "131072 bytes"]);
    refused("x: s_nop 0\n.amdgpu_lds x, 4\n.comm x, 4\n", &["`x` is defined twice", "2 errors"]);
}

#[test]
fn sections_have_the_type_and_the_flags_that_are_written() {
    let source = ".section foo\n.byte 1\n.section \"a b\",\"aw\"\n.section .n,\"\",@note\n.section .n2,\"\",@0x7\n.section .nb,\"aw\",%nobits\n\
        .zero 5\n.p2align 4\n.section .m,\"aMS\",@progbits,4\n.section .o,\"ao\",@progbits,.text\n.section .u,\"a\",@progbits,unique,1\n\
        .byte 1\n.section .u,\"a\",@progbits,unique,2\n.byte 2\n.section .u,\"a\"\n.section .u,\"a\",@progbits,unique,1\n.byte 3\n\
        .section .g,\"axG\",@progbits,group,comdat\ns_nop 0\n.section .bss.x\n.zero 1<<34\n.section .debug_info\n.byte 1\n\
        .section .AMDGPU.csdata\n.long 1\n";
    let object = object(source);
    let described: Vec<String> = object
        .sections
        .iter()
        .map(|s| format!("{} {:x} {:x} {} {} {:x}", s.name, s.kind, s.flags, s.align, s.entry_size, s.size))
        .collect();
    assert_eq!(
        described,
        [
            ".text 1 6 4 0 0",
            "foo 1 0 1 0 1",
            "a b 1 3 1 0 0",
            ".n 7 0 1 0 0",
            ".n2 7 0 1 0 0",
            ".nb 8 3 16 0 10",
            ".m 1 32 1 4 0",
            ".o 1 82 1 0 0",
            ".u 1 2 1 0 2",
            ".u 1 2 1 0 1",
            ".u 1 2 1 0 0",
            ".g 1 206 1 0 4",
            ".bss.x 8 3 1 0 400000000",
        ]
    );
    assert_eq!((object.groups.len(), object.groups[0].comdat, object.groups[0].signature.as_str()), (1, true, "group"));
    for (source, why) in [
        (".section .u,\"a\"\n.section .u,\"aw\"\n", "another flags"),
        (".section .u,\"a\",@progbits\n.section .u,\"a\",@nobits\n", "another type"),
        (".section .u,\"ay\"\n", "unknown flag `y`"),
        (".section .u,\"a\",@nothing\n", "unknown type"),
        (".section .u,\"aM\"\n", "the type of the section"),
        (".section .u,\"aM\",@progbits\n", "the size of an entry"),
        (".section .u,\"aG\",@progbits\n", "the name of the group"),
        (".section .u,\"ao\",@progbits\n", "linked to"),
        (".section .u,\"a\",@progbits,unique\n", "a number"),
        (".bss\n.long 1\n", "has no contents"),
        (".bss\ns_nop 0\n", "has no contents"),
        (".section a b\n", "the name of a section"),
    ] {
        refused(source, &[why]);
    }
}

const KERNEL: &str = ".amdhsa_next_free_sgpr 1\n.end_amdhsa_kernel\n";

#[test]
fn descriptors_are_filled_in_after_layout() {
    let source = format!(
        ".weak k\n.p2align 8\nk: s_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr n+5\n{KERNEL}.set n, k.end-k\n.text\n.fill 15,4,0\nk.end:\n"
    );
    let built = object(&source);
    let rodata = built.sections.iter().find(|section| section.name == ".rodata").unwrap();
    // 69 VGPRs in granules of 8 are 9.
    assert_eq!(rodata.bytes[48..52], [0x08, 0, 0xac, 0xe0]);
    assert_eq!(relocations(&source), [".rodata+0 Rel64 k 10".replace("+0", "+10")]);
    let listed = symbols(&source);
    assert!(
        listed.contains("k .text+0 0 NoType Weak Protected")
            && listed.contains("k.kd .rodata+0 64 Object Weak Default"),
        "{listed:?}"
    );
    // The kernel is defined after its descriptor, in the same section.
    let early = format!(".byte 1\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n{KERNEL}k:\n");
    assert_eq!(relocations(&early), [".text+11 Rel64 [.text] 51"]);
    assert!(symbols(&early).contains("k.kd .text+1 64 Object Global Default"));
    for (value, why) in [
        ("513", "not in 0 to 512"),
        ("-1", "is -1, which is not in"),
        ("n*1000", "is 2000, which is not in"),
        ("later", "`later` is not defined"),
        ("x", "not an address"),
    ] {
        let source = format!(".amdhsa_kernel k\n.amdhsa_next_free_vgpr {value}\n{KERNEL}x:\nk: s_endpgm\n.set n, 2\n");
        refused(&source, &[why, "input:2:24"]);
    }
    refused(
        &format!(".amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.amdhsa_accum_offset 4\n{KERNEL}"),
        &["input:3:1", "gfx90a"],
    );
    refused(
        &format!(".amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.amdhsa_wavefront_size32 x\n{KERNEL}"),
        &["input:3:26", "known here"],
    );
}

#[test]
fn the_program_names_the_target() {
    for (target, os_abi, flags, version) in [
        ("amdgcn-amd-amdhsa--gfx1101", OsAbi::Hsa, 0x46, 4),
        ("amdgcn-amd-amdpal--gfx1102", OsAbi::Pal, 0x47, 0),
        ("amdgcn-mesa-mesa3d--gfx1103", OsAbi::Mesa3d, 0x44, 0),
        ("amdgcn-unknown-amdpal--gfx1102", OsAbi::Pal, 0x47, 0),
        ("amdgcn-unknown-mesa3d--gfx1103", OsAbi::Mesa3d, 0x44, 0),
        ("amdgcn-mesa-amdpal--gfx1102", OsAbi::Pal, 0x47, 0),
        ("amdgcn-mesa-unknown--gfx1102", OsAbi::None, 0x47, 0),
        ("amdgcn-amd-unknown-unknown-gfx1102", OsAbi::None, 0x47, 0),
        ("amdgcn-amd-amdhsa--gfx11-generic", OsAbi::Hsa, 0x100_0054, 4),
        ("amdgpu11.01-amd-amdhsa-unknown-gfx1101", OsAbi::Hsa, 0x46, 4),
        ("amdgpu11.02-amd-amdpal-unknown-", OsAbi::Pal, 0x47, 0),
        ("amdgpu11-amd-amdhsa-unknown-gfx1103", OsAbi::Hsa, 0x44, 4),
        ("amdgpu11-amd-amdhsa-unknown-gfx11-generic", OsAbi::Hsa, 0x100_0054, 4),
    ] {
        let source = format!(".amdgcn_target \"{target}\"\ns_nop 0\n");
        let said = {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-target-{}.o", std::process::id()));
            let said = run(&["asm", "--arch", "rdna3", "-", "-o", path.to_str().unwrap()], source.as_bytes());
            assert_eq!(said.status, Some(0), "{}", said.err);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            read_object(&bytes).unwrap()
        };
        assert_eq!((said.os_abi, said.flags, said.abi_version), (os_abi, flags, version), "{target}");
        // The processor that `--arch` names is not another one.
        refused(&source, &["input:1:16", "and not for gfx1100"]);
    }
    let version = object(".amdhsa_code_object_version 5\n").abi_version;
    assert_eq!((version, object("s_nop 0\n").flags), (3, 0x41));
    refused(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:xnack+\"\n", &["gfx1100 has no target feature `xnack+`"]);
    for (target, why) in [
        ("x86_64-linux", "`x86_64` is not an architecture of AMD GPUs"),
        ("amdgpu11.00-amd-amdhsa-unknown-gfx1101", "`gfx1101` is not a processor of `amdgpu11.00`"),
        ("amdgpu-amd-amdhsa-unknown-gfx1100", "`amdgpu` has no sub-architecture"),
        ("amdgpu11.99x-amd-amdhsa-unknown-gfx1100", "`amdgpu11.99x` has no known sub-architecture"),
        ("amdgpu11.50-amd-amdhsa-unknown-gfx1150", "the file is for rdna3.5, and `--arch` asks for rdna3"),
        ("amdgpu12.00-amd-amdhsa-unknown-gfx1200", "the file is for rdna4, and `--arch` asks for rdna3"),
        ("amdgpu12.50-amd-amdhsa-unknown-gfx1250", "the file is for gfx1250: it is not read"),
        ("amdgcn-amd-amdhsa--rdna3", "`rdna3` is not a processor"),
        ("amdgcn-amd-amdhsa-gfx1100", "the target names no processor"),
        ("amdgpu11.00-amd-amdhsa", "the target of gfx1100 has too few parts"),
        ("amdgcn-amd-amdhsa-unknown-gfx1100", "`unknown` is not the environment of this target"),
        ("amdgcn-amd-amdhsa-unknown-gfx1100", "LLVM writes `amdgcn-amd-amdhsa--gfx1100`"),
        ("amdgcn--amdhsa--gfx1100", "the target lacks the vendor"),
        ("amdgcn-pc-amdhsa--gfx1100", "`pc` is not the vendor of this target"),
        ("amdgcn-amd-linux--gfx1100", "`linux` is not an operating system of this target"),
        ("amdgpu11.00-amd-amdhsa-llvm-gfx1100", "LLVM writes `amdgpu11.00-amd-amdhsa-unknown-gfx1100`"),
        ("amdgcn-amd-amdhsa--gfx1100:", "the target `gfx1100:` is written `gfx1100`"),
    ] {
        refused(&format!(".amdgcn_target \"{target}\"\n"), &[why, "input:1:16"]);
    }
    let pal = object(".amd_amdgpu_isa \"amdgcn-amd-amdpal--gfx1100\"\n.long x+4\n");
    let note = pal.sections.iter().find(|section| section.name == ".note").unwrap();
    assert!(note.flags == 0 && note.bytes.windows(6).any(|bytes| bytes == b"amdpal"));
    let newer = object(".amd_amdgpu_isa \"amdgpu11.00-amd-amdpal-unknown-\"\n");
    let note = newer.sections.iter().find(|section| section.name == ".note").unwrap();
    assert!(note.bytes.windows(7).any(|bytes| bytes == b"gfx1100"), "the sub-architecture names the processor");
    // The addend is in the field.
    assert_eq!(pal.sections[0].relocations[0].addend, 4);
}

#[test]
fn kernels_of_mesa_begin_with_their_descriptors() {
    let source = ".section .AMDGPU.config\n.long 1\n.section .AMDGPU.csdata\n.long 2\n.text\n.amdgpu_hsa_kernel k\nk:\n\
        .amd_kernel_code_t\n priority = 2\n compute_pgm_rsrc2_user_sgpr = later + 1\n is_dynamic_callstack = later\n\
        kernarg_segment_byte_size = 28\n workitem_vgpr_count = later\n call_convention = -1\n\
        .end_amd_kernel_code_t\n s_endpgm\n.amd_amdgpu_isa \"amdgcn-mesa-mesa3d--gfx1100\"\nlater = 1\n";
    let object = object(source);
    let names: Vec<&str> = object.sections.iter().map(|section| section.name.as_str()).collect();
    assert_eq!(names, [".text", ".AMDGPU.config", ".note"]);
    let dword = |at: usize| u32::from_le_bytes(object.sections[0].bytes[at..at + 4].try_into().unwrap());
    let dwords: Vec<(usize, u32)> = (0..260).step_by(4).map(|at| (at, dword(at))).filter(|(_, n)| *n != 0).collect();
    // llvm-mc 22 writes the same.
    assert_eq!(
        dwords,
        [
            (0, 1),
            (4, 2),
            (8, 0x000b_0001),
            (16, 256),
            (48, 0xe000_0800),
            (52, 0xffff_ffc5),
            (56, 0x0010_0400),
            (72, 28),
            (84, 0x0001_0000),
            (100, 0x0504_0404),
            (104, 0xffff_ffff),
            (256, 0xbfb0_0000),
        ]
    );
    let kernel = object.symbols.iter().find(|symbol| symbol.name == "k").unwrap();
    assert_eq!(kernel.kind, SymbolType::IndirectFunction);
}

#[test]
fn outputs_and_formats() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("emit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let assemble = |args: &[&str], source: &str| run(&[&ARGS[..], args].concat(), source.as_bytes());
    let head = |name: &str| std::fs::read(folder.join(name)).unwrap()[..18].to_vec();
    for (name, e_type) in [("a.o", 1), ("a.co", 3), ("a.hsaco", 3)] {
        assert_eq!(assemble(&["-o", &file(name)], "s_endpgm\n").status, Some(0), "{name}");
        assert_eq!((&head(name)[..4], head(name)[16]), (&b"\x7fELF"[..], e_type), "{name}");
    }
    assert_eq!(assemble(&["-o", &file("a.o"), "--emit", "raw"], "s_endpgm\n").status, Some(0));
    assert_eq!(std::fs::read(folder.join("a.o")).unwrap(), [0, 0, 0xb0, 0xbf]);
    // Standard output.
    assert_eq!(run(&[&ARGS[..], &["-o", "-"]].concat(), b".ascii \"hello\"\n").out, "hello");
    assert!(!Path::new("-").exists());
    // Nothing is written where anything is wrong.
    for (args, source, why) in [
        (&["-o", &file("b.co")][..], ".quad nowhere\n", "nowhere"),
        (&["-o", &file("b.co")], "s_nip 0\n", "unknown mnemonic"),
        (&["-o", &file("b.o")], ".amdgpu_metadata\n---\n- 1\n.end_amdgpu_metadata\n", "metadata"),
    ] {
        let said = assemble(args, source);
        assert!(said.status == Some(1) && said.err.contains(why), "{said:?}");
        assert!(!Path::new(args[1]).exists());
    }
    let gcn = run(&["asm", "--arch", "gfx900", "-", "-o", &file("c.o")], b".byte 1\n");
    assert!(gcn.status == Some(1) && gcn.err.contains("object files of gcn1.4 are not written"), "{gcn:?}");
    assert!(!folder.join("c.o").exists());
    assert_eq!(assemble(&["--emit", "obj"], "s_endpgm\n").status, Some(2));
    assert_eq!(assemble(&["--emit", "elf", "-o", &file("d")], "s_endpgm\n").status, Some(2));
    if Path::new("/dev/full").exists() {
        let said = assemble(&["-o", "/dev/full"], "s_endpgm\n");
        assert!(said.status == Some(1) && said.err.contains("/dev/full: cannot be written"), "{said:?}");
        assert_eq!(assemble(&["-o", "/dev/null", "--emit", "obj"], "s_endpgm\n").status, Some(0));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn all_executable_sections_are_listed() {
    let said = run(&ARGS, b".section .text.f,\"ax\",@progbits\nf: s_nop 1\n.section .text.g,\"ax\",@progbits\ns_branch f\n.rodata\n.long 1\n");
    assert_eq!(
        said.out,
        ".text.f:\n       0  010080bf                  s_nop 1\n.text.g:\n       0  ffffa0bf                  s_branch f\n"
    );
}

#[test]
fn counts_of_registers_that_the_program_sets_are_symbols() {
    let source = ".set .amdgcn.next_free_vgpr, 2\ns_mov_b32 s1, s2\nglobal_load_b64 v[0:1], v[2:3], off\n";
    assert_eq!(symbols(source), set(&[".amdgcn.next_free_vgpr 4 0 NoType Local Default"]));
    assert_eq!(symbols("v_mov_b32 v1, .amdgcn.next_free_vgpr\n"), set(&[]));
}

#[test]
fn types_combine_as_in_llvm() {
    let source = ".type f,@gnu_indirect_function\n.type f,@object\n.type t,@tls_object\n.type t,@notype\n.type o,@function\n\
        .type o,@common\n.type c,@common\n.type n,@notype\n.type n,@object\n";
    let expected = [
        "f undefined 0 IndirectFunction Global Default",
        "t undefined 0 Tls Global Default",
        "o undefined 0 Function Global Default",
        "c undefined 0 Object Global Default",
        "n undefined 0 Object Global Default",
    ];
    assert_eq!(symbols(source), set(&expected));
}

#[test]
fn symbols_that_variables_name_are_listed() {
    let u = "u undefined 0 NoType Global Default";
    for source in [".set a, u\n", ".set a, u+4\n", ".set a, u\n.set b, a\n", ".set .La, u\n", ".set a, u\n.globl a\n"] {
        assert_eq!(symbols(source), set(&[u]), "{source}");
    }
    assert_eq!(symbols(".set a, u\n.set a, 5\n"), set(&[u, "a 5 0 NoType Local Default"]));
    assert_eq!(symbols(".set a, .Lu\n"), set(&[]));
    assert_eq!(
        symbols(".set a, u\nu:\n"),
        set(&["a .text+0 0 NoType Local Default", "u .text+0 0 NoType Local Default"])
    );
}

#[test]
fn symbols_of_thread_local_sections_are_thread_local() {
    let source =
        ".section .foo,\"awT\"\n.type a,@function\na: .long 1\n.type b,@object\nb:\nx = .\ny = a + 4\n.text\nc:\n";
    let expected = [
        "a .foo+0 0 Tls Local Default",
        "b .foo+4 0 Tls Local Default",
        "x .foo+4 0 Tls Local Default",
        "y .foo+4 0 Tls Local Default",
        "c .text+0 0 NoType Local Default",
    ];
    assert_eq!(symbols(source), set(&expected));
}

#[test]
fn quoted_names_have_two_escapes() {
    let source = "\"a\\\"b\": .long 0\n\"c\\\\d\": .long 0\n\"e\\n\": .long 0\n.long \"u\\x41\"\n\
        .section \"s\\\"\\\\\",\"aG\",@progbits,\"g\\\"\",comdat\n";
    let expected = [
        "a\"b .text+0 0 NoType Local Default",
        "c\\d .text+4 0 NoType Local Default",
        "e\\n .text+8 0 NoType Local Default",
        "u\\x41 undefined 0 NoType Global Default",
    ];
    assert_eq!(symbols(source), set(&expected));
    let object = object(source);
    // The names of sections and groups have none.
    assert_eq!(object.sections[1].name, "s\\\"\\\\");
    assert_eq!(object.groups[0].signature, "g\\\"");
}

#[test]
fn a_register_with_a_relocation_specifier_is_a_symbol() {
    let source = "s_add_u32 s2, s2, v4@rel32@lo+4\ns_add_u32 s2, s2, s1@rel32@lo+4\nv_mov_b32 v1, v2@abs32@lo\n\
        s_mov_b32 s2, vcc_lo@abs32@lo\nv_add_f32 v0, m0@abs32@hi, v2\n.long s[0]@x\n";
    let (lines, last) = source.split_at(source.find(".long").expect("the last line"));
    let expected = [
        ".text+4 Rel32Lo v4 4",
        ".text+c Rel32Lo s1 4",
        ".text+14 Abs32Lo v2 0",
        ".text+1c Abs32Lo vcc_lo 0",
        ".text+24 Abs32Hi m0 0",
    ];
    assert_eq!(relocations(lines), expected);
    for wrong in [last, "s_mov_b32 s2, s1 @abs32@lo\n", "s_mov_b32 s2@abs32@lo, 5\n", "s_mov_b32 s2, s[2:3]@abs32@lo\n"]
    {
        refused(wrong, &["input:1:"]);
    }
}

#[test]
fn weak_references_do_not_need_their_symbol() {
    let of = |source: &str| (relocations(source), symbols(source));
    let only = |relocation: &str, symbol: &str| (vec![relocation.to_string()], set(&[symbol]));
    let weak = only(".text+0 Abs32 b 0", "b undefined 0 NoType Weak Default");
    let global = |visibility| only(".text+0 Abs32 b 0", &format!("b undefined 0 NoType Global {visibility}"));
    for source in
        [".weakref a, b\n.long a\n", ".long a\n.weakref a, c\n.weakref a, b\n", ".weakref a, b\n.set x, a\n.long x\n"]
    {
        assert_eq!(of(source), weak, "{source}");
    }
    assert_eq!(of(".weakref a, b\n"), (vec![], set(&[])));
    // Other references and attributes make it a symbol like others.
    assert_eq!(of(".weakref a, b\n.long a\n.section .debug_x\n.long b\n"), global("Default"));
    assert_eq!(of(".weakref a, b\n.long a\n.cg_profile b, b, 1\n"), global("Default"));
    assert_eq!(of(".weakref a, b\n.hidden b\n.long a\n"), global("Hidden"));
    assert_eq!(
        of(".weakref a, b\n.globl b\nb: .long a\n"),
        only(".text+0 Abs32 [.text] 0", "b .text+0 0 NoType Global Default")
    );
    refused(".weakref a, b\n.weakref c, a\n", &["input:2:10", "`a` is a weak reference itself"]);
    refused(".weakref a, b\n.amdgpu_lds b, 4\n", &["input:1:10", "`b` is in LDS"]);
}

#[test]
fn symbols_have_versions() {
    let source = ".globl f\n.type f,@function\nf: .long f, g, h\n.size f, 4\n.symver f, f@V1\n.symver f, \"f x@@V2\"\n.hidden g\n\
        .symver g, g@@@V3\n.symver i, i@V4\n.globl i\n.symver h, h2@V5, remove\nh = 6\n";
    assert_eq!(relocations(source), [".text+0 Abs32 f 0", ".text+4 Abs32 g@V3 0"]);
    let expected = [
        "f .text+0 4 Function Global Default",
        "f@V1 .text+0 4 Function Global Default",
        "f x@@V2 .text+0 4 Function Global Default",
        "g@V3 undefined 0 NoType Global Hidden",
        "h2@V5 6 0 NoType Local Default",
    ];
    assert_eq!(symbols(source), set(&expected));
    let source = ".symver f, f@@@V\n.quad f\n.globl f\nf:\n.symver u, u@V\n.weak u\n.type u,@object\n.size u, 8\n.section .debug_x\n.quad u\n";
    assert_eq!(relocations(source), [".text+0 Abs64 f@@V 0"]);
    let expected = ["f@@V .text+8 0 NoType Global Default", "u@V undefined 8 Object Weak Default"];
    assert_eq!(symbols(source), set(&expected));
    refused("f:\ng:\n.symver f, f@V\n.symver g, f@V\n", &["input:4:12", "`f@V` is defined twice"]);
    let (said, _) = output("f:\n.symver f, f@V\n", &["--emit", "co"]);
    assert!(said.status == Some(1) && said.err.contains("`f@V` is a version of a symbol"), "{said:?}");
}

#[test]
fn numbered_labels_are_temporary_symbols_in_the_order_in_which_they_are_named() {
    // A symbol of a section whose strings a linker merges stays in the table if something is added to it.
    let source = ".data\n.quad 1f + 3\n.section .m,\"aMS\",@progbits,1\n7: .asciz \"one\"\n2: .asciz \"two\"\n1: .asciz \"three\"\n\
        .data\n.quad 2b + 1, 2f + 1, 1b\n.section .m\n1: .asciz \"four\"\n2: .asciz \"five\"\n.data\n.quad 1b + 1\n";
    assert_eq!(
        relocations(source),
        [
            ".data+0 Abs64 .Ltmp0 3",
            ".data+8 Abs64 .Ltmp2 1",
            ".data+10 Abs64 .Ltmp3 1",
            ".data+18 Abs64 [.m] 8",
            ".data+20 Abs64 .Ltmp4 1",
        ]
    );
}

/// A program whose unused fields the versions of LLVM fill differently, with data between its instructions.
const UNUSED: &str = "s_branch k\n.long 0xd73c0000, 0x00020202\n.p2align 4\nk:\nv_lshlrev_b64 v[0:1], 2, v[2:3]\n\
    v_cmp_gt_i32_e64 s2, s4, v6\nv_mov_b32_e64 v0, v1\nv_nop_e64\nv_pk_add_f16 v0, v1, v2\nv_mul_lo_u32 v0, v1, e-k\n\
    v_mov_b32_e64_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf\nv_fma_f32 v0, v1, v2, v3\n\
    v_add_co_u32 v0, s2, v1, v2\ns_endpgm\ne:\n";

#[test]
fn the_target_tells_which_llvm_to_follow() {
    // The words of llvm-mc 22 and of the assembler of LLVM 24.
    let older = "0300a0bf00003cd702020200000080bf00003cd782040200020044d4040c0200000081d501010000000080d50000000000400fcc01050218\
                 00002cd701ff010054000000000081d5fa00000001e400ff000013d601050e04000200d7010502000000b0bf";
    let newer = "0300a0bf00003cd702020200000080bf00003cd782040202020044d4040c0202000081d501010102000080d58000010200400fcc0105021a\
                 00002cd701ff010254000000000081d5fa00000001e400ff000013d601050e04000200d7010502020000b0bf";
    let named = |target: &str| format!(".amdgcn_target \"{target}\"\n{UNUSED}");
    let (amdgcn, amdgpu) = (named("amdgcn-amd-amdhsa--gfx1100"), named("amdgpu11.00-amd-amdhsa-unknown-gfx1100"));
    for (source, args, expected) in [
        (UNUSED, &[][..], older),
        (&amdgcn, &[], older),
        (&amdgpu, &[], newer),
        (&amdgpu, &["--llvm", "22"], older),
        (UNUSED, &["--llvm", "23"], newer),
        (&amdgcn, &["--llvm", "24"], newer),
    ] {
        let (said, bytes) = output(source, &[&["--emit", "obj"], args].concat());
        assert_eq!(said.status, Some(0), "{}", said.err);
        let text = &read_object(&bytes).unwrap().sections[0].bytes;
        let hex: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected, "{args:?}");
    }
    let line = b"v_lshlrev_b64 v[0:1], 2, v[2:3]\n";
    assert_eq!(run(&["asm", "--arch", "gfx1100", "--hex", "-"], line).out, "00003cd782040200\n");
    assert_eq!(run(&["asm", "--arch", "gfx1100", "--llvm", "23", "--hex", "-"], line).out, "00003cd782040202\n");
    let said = run(&["asm", "--arch", "gfx1100", "--llvm", "21", "-"], b"");
    assert!(said.status == Some(2) && said.err.contains("the versions are 22 and 23"), "{said:?}");
}

#[test]
fn programs_of_llvm_24_keep_their_target_and_prefetch_size() {
    let source = "\t.amdgcn_target \"amdgpu11.00-amd-amdhsa-unknown-gfx1100\"\n\t.amdhsa_code_object_version 5\n\t.text\n\
        \t.globl\tadd\n\t.p2align\t8\n\t.type\tadd,@function\nadd:\n\t.cfi_sections .debug_frame\n\t.cfi_startproc\n\
        \t.cfi_llvm_def_aspace_cfa 64, 0, 6\n\t.cfi_llvm_register_pair 16, 62, 32, 63, 32\n\
        \ts_load_b64 s[0:1], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b16_e32 v1.l, v0.h\n\
        \tv_add_nc_u16 v1.h, v0.l, v1.l\n\tglobal_store_d16_hi_b16 v0, v1, s[0:1]\n\t.fill 256, 4, 0xbf800000\n\ts_endpgm\n\
        .Lfunc_end0:\n\t.size\tadd, .Lfunc_end0-add\n\t.cfi_endproc\n\t.section\t.rodata,\"a\",@progbits\n\t.p2align\t6, 0x0\n\
        \t.amdhsa_kernel add\n\t\t.amdhsa_next_free_vgpr 2\n\t\t.amdhsa_next_free_sgpr 2\n\
        \t\t.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end0-add)<<4)&1008)>>4\n\t.end_amdhsa_kernel\n\t.text\n\
        \t.set .Ladd.num_named_barrier, 0\n\t.section\t.AMDGPU.gpr_maximums,\"\",@progbits\n\
        \t.set amdgpu.max_num_named_barrier, 0\n\t.text\n\t.section\t\".note.GNU-stack\",\"\",@progbits\n\
        \t.amdgpu_metadata\n---\namdhsa.kernels:  []\namdhsa.target:   amdgpu11.00-amd-amdhsa-unknown-gfx1100\n\
        amdhsa.version:\n  - 1\n  - 2\n...\n\n\t.end_amdgpu_metadata\n";
    let (said, bytes) = output(source, &["--emit", "obj"]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    let object = read_object(&bytes).unwrap();
    let section = |name: &str| &object.sections.iter().find(|section| section.name == name).unwrap().bytes;
    assert_eq!((object.flags, object.abi_version), (0x41, 3));
    // 1,060 bytes are 9 lines of the instruction cache.
    assert_eq!(section(".rodata")[44..48], (9_u32 << 4).to_le_bytes());
    let target = b"amdgpu11.00-amd-amdhsa-unknown-gfx1100";
    assert!(section(".note").windows(target.len()).any(|bytes| bytes == target));
}
