//! Code objects against those of ld.lld: the same objects linked by both.

use std::fs;
use std::path::Path;

use amdgpu_object::{LinkError, read_object, write_code_object, write_object};
use object::LittleEndian as Le;
use object::elf;
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _, Rela as _, SectionHeader as _, Sym as _};

use crate::llvm;

const TRIPLE: &str = "amdgcn-amd-amdhsa";

/// Links an object with ld.lld. Returns the code object, or the messages of ld.lld.
fn lld(name: &str, object: &[u8]) -> Option<Result<Vec<u8>, String>> {
    let mut command = llvm::tool("ld.lld")?;
    let (input, output) = (llvm::path(&format!("{name}.lld.o")), llvm::path(&format!("{name}.lld.co")));
    fs::write(&input, object).unwrap();
    let result = command.args(["-shared", "--no-undefined", "-o"]).arg(&output).arg(&input).output().unwrap();
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    Some(if result.status.success() { Ok(fs::read(output).unwrap()) } else { Err(message) })
}

/// A section of a linked file that is loaded: name, address, size, contents, flags.
type Loaded = (String, u64, u64, Vec<u8>, u64);

/// The parts of a code object that a loader reads.
#[derive(Debug, PartialEq)]
struct Image {
    header: (u32, u8, u8),
    sections: Vec<Loaded>,
    segments: Vec<(u32, u32, u64, u64, u64, u64, u64)>,
    dynamic: Vec<(i64, u64)>,
    relocations: Vec<(u64, u32, String, i64)>,
    exported: Vec<(String, u64, u64, u8, u8)>,
    symbols: Vec<(String, u64, u64, u8, u8)>,
}

impl Image {
    fn read(file: &[u8]) -> Self {
        let header = elf::FileHeader64::<Le>::parse(file).unwrap();
        assert_eq!(header.e_type(Le), elf::ET_DYN);
        let sections = header.sections(Le, file).unwrap();
        let symbols = |kind| {
            let table = sections.symbols(Le, file, kind).unwrap();
            let mut symbols = Vec::new();
            for symbol in table.symbols().iter().skip(1) {
                let name = String::from_utf8_lossy(table.symbol_name(Le, symbol).unwrap()).into_owned();
                symbols.push((name, symbol.st_value(Le), symbol.st_size(Le), symbol.st_info.0, symbol.st_other.0));
            }
            symbols
        };
        let exported = symbols(elf::SHT_DYNSYM);
        // Each linker adds its own symbols.
        let mut named: Vec<_> = symbols(elf::SHT_SYMTAB).into_iter().filter(|symbol| symbol.0 != "_DYNAMIC").collect();
        named.sort();
        let mut relocations = Vec::new();
        let mut dynamic = Vec::new();
        let mut loaded = Vec::new();
        for section in sections.iter() {
            if section.sh_flags(Le).0 & elf::SHF_ALLOC.0 == 0 {
                continue;
            }
            if let Some((table, _)) = section.rela(Le, file).unwrap() {
                for relocation in table {
                    let symbol = relocation.r_sym(Le, false);
                    let name = symbol.checked_sub(1).map(|nth| exported[nth as usize].0.clone()).unwrap_or_default();
                    let number = relocation.r_type(Le, false).0;
                    relocations.push((relocation.r_offset(Le), number, name, relocation.r_addend(Le)));
                }
            }
            if let Some((table, _)) = section.dynamic(Le, file).unwrap() {
                dynamic.extend(table.iter().map(|entry| (entry.d_tag(Le).0, entry.d_val(Le))));
            }
            let name = String::from_utf8_lossy(sections.section_name(Le, section).unwrap()).into_owned();
            let flags = section.sh_flags(Le).0 & !(elf::SHF_MERGE | elf::SHF_STRINGS).0;
            // The names within a table of names are in any order, and indices of sections depend on what is not loaded.
            let bytes = match section.sh_type(Le) {
                elf::SHT_STRTAB | elf::SHT_DYNSYM | elf::SHT_HASH => Vec::new(),
                _ => section.data(Le, file).unwrap().to_vec(),
            };
            loaded.push((name, section.sh_addr(Le), section.sh_size(Le), bytes, flags));
        }
        relocations.sort();
        let segments = header.program_headers(Le, file).unwrap().iter().map(|segment| {
            let (kind, flags) = (segment.p_type(Le).0, segment.p_flags(Le).0);
            let place = (segment.p_offset(Le), segment.p_vaddr(Le));
            (kind, flags, place.0, place.1, segment.p_filesz(Le), segment.p_memsz(Le), segment.p_align(Le))
        });
        let ident = header.e_ident();
        Self {
            header: (header.e_flags(Le).0, ident.os_abi.0, ident.abi_version),
            sections: loaded,
            segments: segments.collect(),
            dynamic,
            relocations,
            exported,
            symbols: named,
        }
    }
}

/// Checks that LLVM's tools read a file without complaint.
fn check_with_tools(path: &Path) {
    for (name, options) in [("llvm-readelf", "--all"), ("llvm-objdump", "-d")] {
        let Some(mut command) = llvm::tool(name) else { return };
        let result = command.arg(options).arg(path).output().unwrap();
        let message = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(result.status.success() && message.is_empty(), "{name} {}: {message}", path.display());
    }
}

/// Links an object with both linkers and compares everything that is loaded.
fn compare(name: &str, object: &[u8]) {
    let read = read_object(object).unwrap();
    let ours = write_code_object(&read);
    let Some(theirs) = lld(name, object) else { return };
    let (ours, theirs) = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (ours, theirs) => panic!("{name}: {:?}, lld: {:?}", ours.map(drop), theirs.map(drop)),
    };
    let path = llvm::path(&format!("{name}.co"));
    fs::write(&path, &ours).unwrap();
    check_with_tools(&path);
    let (ours, theirs) = (Image::read(&ours), Image::read(&theirs));
    for (ours, theirs) in ours.sections.iter().zip(&theirs.sections) {
        assert_eq!(ours, theirs, "{name}");
    }
    assert_eq!(ours, theirs, "{name}");
    // An object that was read and written links to the same code object.
    let written = write_object(&read).unwrap();
    let again = read_object(&written).unwrap();
    assert_eq!(Image::read(&write_code_object(&again).unwrap()), ours, "{name}, written again");
}

fn assemble(name: &str, program: &str) -> Option<Vec<u8>> {
    Some(llvm::assemble(name, program, TRIPLE, &["-mcpu=gfx1100"])?.unwrap())
}

fn compile(name: &str, source: &str, options: &[&str]) -> Option<Vec<u8>> {
    let mut clang = llvm::tool("clang")?;
    let (input, output) = (llvm::path(&format!("{name}.cl")), llvm::path(&format!("{name}.cl.o")));
    fs::write(&input, source).unwrap();
    let fixed = ["-x", "cl", "-cl-std=CL2.0", "-target", TRIPLE, "-mcpu=gfx1100", "-nogpulib", "-w", "-c"];
    let result = clang.args(fixed).args(options).arg(&input).arg("-o").arg(&output).output().unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    Some(fs::read(output).unwrap())
}

const KERNELS: &str = "
__global int variable = 5;
__global int zeros[100];
__constant int table[4] = {1, 2, 3, 4};
__global int *__constant pointers[2] = {&variable, 0};
__attribute__((noinline)) int helper(int x) { return x * 3 + table[x & 3]; }
__attribute__((noinline)) float other(float x) { return x * 2; }
__kernel void first(__global int *x) {
    x[0] = helper(x[1]) + variable + *pointers[x[2] & 1] + zeros[x[5]];
}
__kernel void second(__global float *x) { __local float l[64]; l[(int)x[0]] = 1; x[3] = other(l[(int)x[4]]); }
__kernel void third(__global int *x) {
    switch (x[0]) {
    case 0: x[1] = 5; break;
    case 1: x[2] = 7; break;
    case 2: x[9] = 1; break;
    case 3: x[3] = 8; break;
    case 4: x[4] = 9; break;
    case 5: x[7] = 3; break;
    default: x[8] = 2;
    }
}
";

#[test]
fn compiled_kernels() {
    for (nth, options) in [
        &["-O0"][..],
        &["-O2"],
        &["-O2", "-ffunction-sections", "-fdata-sections"],
        &["-O1", "-mwavefrontsize64"],
        &["-O2", "-gline-tables-only"],
        &["-O1", "-fPIC", "-fvisibility=default"],
        &["-O2", "-mcode-object-version=5"],
        &["-O2", "-mcode-object-version=4"],
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("link_kernels_{nth}");
        let Some(object) = compile(&name, KERNELS, options) else { return };
        compare(&name, &object);
    }
}

/// Equal strings in two sections, constants of two sizes, and relocations against them.
const STRINGS: &str = "
.section .rodata.str1.1,\"aMS\",@progbits,1
.irpc n, abcdefghijklmnopqrstuvwxyzabcdefghij
.asciz \"text \\n\"
.endr
tail: .asciz \"ext q\"
.section .rodata.other,\"aMS\",@progbits,1
again: .asciz \"text q\"
empty: .asciz \"\"
.section .rodata.wide,\"aMS\",@progbits,4
.p2align 2
wide: .long 1, 2, 0, 1, 2, 0, 3, 0
.section .rodata.cst8,\"aM\",@progbits,8
.p2align 3
.irp n, 1, 2, 3, 2, 1, 9, 8, 7
.quad \\n
.endr
constant: .quad 3
.section .rodata.cst16,\"aM\",@progbits,16
.p2align 4
.octa 1, 2, 1
.section .rodata,\"a\"
.long again-., tail-., empty-., wide-., constant-., constant+4-.
.text
s_getpc_b64 s[0:1]
s_add_u32 s0, s0, again@rel32@lo+4
s_addc_u32 s1, s1, again@rel32@hi+12
.data
.quad again, constant, wide+12
";

#[test]
fn hand_written_programs() {
    for (nth, program) in [
        // Symbols of all visibilities, through the global offset table and from data.
        ".globl f\nf: s_endpgm\n.globl g\n.protected g\ng: s_endpgm\n.globl h\n.hidden h\nh: s_endpgm\n.globl i\n.internal i\ni: s_endpgm
         s_add_u32 s0, s0, f@gotpcrel32@lo+4\ns_addc_u32 s0, s0, f@gotpcrel32@hi+12\ns_add_u32 s0, s0, g@gotpcrel32@lo+4
         s_add_u32 s0, s0, h@gotpcrel32@lo+4\ns_add_u32 s0, s0, h@rel32@lo+4\ns_addc_u32 s0, s0, h@rel32@hi+12
         s_add_u32 s0, s0, wh@rel32@lo+4\n.weak wh\n.hidden wh
         .data\n.quad f\n.quad g+5\n.quad h-1\n.quad i\nloc: .quad loc\n.quad wh\n.long g-.\n.long h-.\n.quad abs\n.globl abs\n.set abs, 77
         .hidden abs\n.byte 1\n.quad loc",
        // Merging by name, alignment, variables without contents.
        ".section .text.b,\"ax\"\ns_nop 1\n.section .text.a,\"ax\"\n.p2align 8\ns_nop 2\n.text\ns_nop 3\n.section .rodata.x,\"a\"\n.byte 1
         .section .rodata.cst8,\"aM\",@progbits,8\n.p2align 3\n.quad 5\n.section .data.rel.ro.q,\"aw\"\nq: .quad q\n.section .data.z,\"aw\"
         .byte 2\n.section foo,\"a\"\n.byte 3\n.section bar,\"aw\"\n.p2align 4\n.byte 4\n.bss\n.zero 9\n.section .bss.y,\"aw\",@nobits\n.p2align 5
         .zero 3\n.section .textual,\"ax\"\ns_nop 5\n.section .rodatas,\"a\"\n.long 7",
        // Segments of every kind, and none but the necessary ones.
        ".section .x,\"awx\"\ns_nop 0\n.section .n,\"a\",@note\n.long 4, 0, 1\n.asciz \"AMD\"\n.data\n.long 1",
        "s_endpgm", ".data\n.globl v\nv: .long 1", ".bss\n.globl z\nz: .zero 4096\n.zero 5000",
        // Large alignments.
        ".p2align 13\nk: s_nop 0\n.data\n.p2align 16\n.quad k",
        // Branches between sections.
        ".globl f\n.hidden f\nf: s_nop 0\n.section .text.b,\"ax\"\n.reloc ., R_AMDGPU_REL16, f\ns_branch 0\n.long 5",
        // Strings and constants that are merged, and references into them.
        STRINGS,
        // Sections that are not loaded.
        ".section .debug_x\nd: .long 5\n.quad k\n.long e\n.section .debug_y\n.long 1\ne: .long d\n.text\nk: s_nop 0\n.section .q,\"e\"\n.long 1",
        // Beginnings and ends of sections.
        ".data\n.long __start_foo-.\n.long __stop_foo-.\n.section foo,\"aw\"\n.long 2,3",
        // A COMDAT group.
        ".section .text.c,\"axG\",@progbits,c,comdat\n.weak c\n.hidden c\nc: s_nop 0\n.text\ns_add_u32 s0, s0, c@rel32@lo+4",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("link_program_{nth}");
        // lld has a place for the section that LLVM always writes, even if it is empty.
        let program = format!(".text\ns_nop 0\n{program}");
        let Some(object) = assemble(&name, &program) else { return };
        compare(&name, &object);
    }
}

#[test]
fn what_lld_refuses() {
    for (program, message) in [
        ("s_add_u32 s0, s0, u@rel32@lo\n.data\n.quad v\n.long u-.", "the symbols `u`, `v` are undefined"),
        ("s_add_u32 s0, s0, u@gotpcrel32@lo", "the symbol `u` is undefined"),
        (".amdgpu_lds l, 16\ns_mov_b32 s0, l@abs32@lo", "relocation `R_AMDGPU_ABS32_LO` against `l` at `.text+0x4`"),
        (".data\n.long d\nd: .long 4", "relocation `R_AMDGPU_ABS32` against `.data` at `.data+0x0`"),
        (".section .rodata\n.quad d\nd: .long 4", "is in a section that the loader cannot change"),
        (".globl d\nd: s_add_u32 s0, s0, d@rel32@lo", "another code object may define the symbol"),
        ("s_add_u32 s0, s0, q@rel32@lo\n.protected q\n.globl q\n.set q, 9", "the distance to a number is not constant"),
        (".data\n.reloc ., R_AMDGPU_RELATIVE64, d\nd: .quad 0", "is for loaders"),
        (".weak u\ns_add_u32 s0, s0, u@rel32@lo", "another code object may define the symbol"),
        (
            ".hidden f\n.globl f\nf: .zero 140000\n.reloc ., R_AMDGPU_REL16, f\ns_branch 0",
            "is out of the range of a branch",
        ),
    ] {
        let Some(object) = assemble("link_refused", program) else { return };
        let error = write_code_object(&read_object(&object).unwrap()).unwrap_err();
        assert!(error.to_string().contains(message), "{program}\n{error}");
        let Some(theirs) = lld("link_refused", &object) else { return };
        assert!(theirs.is_err(), "{program}");
    }
}

#[test]
fn all_undefined_symbols_are_named_once() {
    let Some(object) = assemble("link_undefined", ".data\n.quad a, b, a, c\n.weak w\n.quad w") else { return };
    let error = write_code_object(&read_object(&object).unwrap()).unwrap_err();
    assert_eq!(error, LinkError::Undefined { names: vec!["a".into(), "b".into(), "c".into()] });
}
