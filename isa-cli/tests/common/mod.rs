//! Helpers of the tests: running the program, and writing small ELF files without the library that the program reads them
//! with.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// `s_endpgm`, in memory order.
pub const ENDPGM: [u8; 4] = [0x00, 0x00, 0xb0, 0xbf];
/// `v_cmp_gt_u32_e32 vcc_lo, s3, v1`, or `vcc` in wave64.
pub const COMPARE: [u8; 4] = [0x03, 0x02, 0x98, 0x7c];
/// `exp invalid_target_32 v4, v3, v2, v1`: LLVM prints it, and nobody names that target.
pub const NONCANONICAL: [u8; 8] = [0x0f, 0x02, 0x00, 0xf8, 0x04, 0x03, 0x02, 0x01];
/// No instruction.
pub const UNKNOWN: [u8; 4] = [0xff; 4];

/// The output of a run.
#[derive(Debug)]
pub struct Said {
    pub out: String,
    pub err: String,
    pub status: Option<i32>,
}

/// The program, with no settings of the terminal in its way.
pub fn isa(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isa"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the program over standard input.
pub fn run(args: &[&str], input: &[u8]) -> Said {
    let mut child = isa(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is a pipe");
    let input = input.to_vec();
    // From a thread: the program answers while it still reads. It may also end before it has read all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let said = Said { out: text(stdout), err: text(stderr), status: status.code() };
    assert!(!said.err.contains("panicked"), "{args:?}: {}", said.err);
    said
}

/// Returns a program for gfx1100 with a kernel `k` of wave32: its name in the metadata, its instructions but for S_ENDPGM, the sizes of
/// its arguments and of its LDS in bytes, and its metadata from the list of arguments on.
pub fn kernel_program(name: &str, body: &str, kernarg_bytes: usize, lds_bytes: usize, metadata: &str) -> String {
    format!(
        r#"
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
  .amdhsa_kernarg_size {kernarg_bytes}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size {lds_bytes}
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: "{name}"
    .symbol: k.kd
    .kernarg_segment_size: {kernarg_bytes}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds_bytes}
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 42
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
{metadata}...
.end_amdgpu_metadata
"#
    )
}

/// Returns a part of a text bundle, as `clang -x hip -S` writes it.
pub fn bundle_part(id: &str, text: &str) -> String {
    format!("# __CLANG_OFFLOAD_BUNDLE____START__ {id}\n{text}# __CLANG_OFFLOAD_BUNDLE____END__ {id}\n")
}

/// Assembles a program for gfx1100 into a code object.
pub fn assemble(program: &str, code_object: &Path) {
    let source = code_object.with_extension("s").to_string_lossy().into_owned();
    std::fs::write(&source, program).expect("a file");
    let said = run(&["asm", "--arch", "gfx1100", &source, "-o", &code_object.to_string_lossy(), "--emit", "co"], b"");
    assert_eq!(said.status, Some(0), "{}", said.err);
}

/// A section of an [`Elf`].
pub struct Section {
    pub name: &'static str,
    pub kind: u32,
    pub flags: u64,
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// A symbol of an [`Elf`].
pub struct Symbol {
    pub name: &'static str,
    pub kind: u8,
    /// The position in the list of sections, from 1.
    pub section: u16,
    pub value: u64,
    pub size: u64,
}

pub const REL: u16 = 1;
pub const DYN: u16 = 3;
pub const NOTYPE: u8 = 0;
pub const OBJECT: u8 = 1;
pub const FUNC: u8 = 2;

/// A file to be.
pub struct Elf {
    pub kind: u16,
    pub machine: u16,
    pub flags: u32,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
    pub relocations: Vec<Relocation>,
}

/// A relocation of an [`Elf`].
pub struct Relocation {
    /// Counted from 1.
    pub section: u16,
    /// From the section's start, or an address in a linked file.
    pub offset: u64,
    /// The number of the relocation type.
    pub kind: u32,
    /// The position in the list of symbols, from 1; 0 for none.
    pub symbol: u32,
    pub addend: i64,
}

impl Elf {
    /// A code object for gfx1100 without anything in it.
    pub fn new(kind: u16) -> Self {
        Self { kind, machine: 224, flags: 0x41, sections: Vec::new(), symbols: Vec::new(), relocations: Vec::new() }
    }

    /// Adds an executable section.
    pub fn code(self, name: &'static str, address: u64, bytes: Vec<u8>) -> Self {
        self.section(name, 6, address, bytes)
    }

    /// Adds a section that is read only.
    pub fn data(self, name: &'static str, address: u64, bytes: Vec<u8>) -> Self {
        self.section(name, 2, address, bytes)
    }

    fn section(mut self, name: &'static str, flags: u64, address: u64, bytes: Vec<u8>) -> Self {
        self.sections.push(Section { name, kind: 1, flags, address, bytes });
        self
    }

    /// Adds a symbol; `section` counts from 1.
    pub fn symbol(mut self, name: &'static str, kind: u8, section: u16, value: u64, size: u64) -> Self {
        self.symbols.push(Symbol { name, kind, section, value, size });
        self
    }

    /// Adds a relocation; `section` and `symbol` count from 1.
    pub fn relocation(mut self, section: u16, offset: u64, kind: u32, symbol: u32, addend: i64) -> Self {
        self.relocations.push(Relocation { section, offset, kind, symbol, addend });
        self
    }

    /// The sections that have relocations, in order.
    fn relocated(&self) -> Vec<u16> {
        let mut sections: Vec<u16> = self.relocations.iter().map(|r| r.section).collect();
        sections.sort_unstable();
        sections.dedup();
        sections
    }

    /// The file: header, sections' bytes, symbols, their names, sections' names, section headers.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0; 64];
        let mut headers = vec![0; 64];
        let mut names = vec![0];
        let mut header = |out: &mut Vec<u8>, s: &Section, name: &str, link: u32, info: u32, entry: u64| {
            let mut field = |bytes: &[u8]| headers.extend_from_slice(bytes);
            field(&(names.len() as u32).to_le_bytes());
            field(&s.kind.to_le_bytes());
            for value in [s.flags, s.address, out.len() as u64, s.bytes.len() as u64] {
                field(&value.to_le_bytes());
            }
            field(&link.to_le_bytes());
            field(&info.to_le_bytes());
            field(&4u64.to_le_bytes());
            field(&entry.to_le_bytes());
            names.extend_from_slice(name.as_bytes());
            names.push(0);
            out.extend_from_slice(&s.bytes);
        };
        for section in &self.sections {
            header(&mut out, section, section.name, 0, 0, 0);
        }
        let (mut symbols, mut strings) = (vec![0; 24], vec![0]);
        for s in &self.symbols {
            symbols.extend_from_slice(&(strings.len() as u32).to_le_bytes());
            symbols.extend_from_slice(&[0x10 | s.kind, 0]);
            symbols.extend_from_slice(&s.section.to_le_bytes());
            symbols.extend_from_slice(&s.value.to_le_bytes());
            symbols.extend_from_slice(&s.size.to_le_bytes());
            strings.extend_from_slice(s.name.as_bytes());
            strings.push(0);
        }
        let table = |kind, bytes| Section { name: "", kind, flags: 0, address: 0, bytes };
        let relocated = self.relocated();
        let count = self.sections.len() as u32 + relocated.len() as u32;
        for &section in &relocated {
            let mut bytes = Vec::new();
            for r in self.relocations.iter().filter(|r| r.section == section) {
                bytes.extend_from_slice(&r.offset.to_le_bytes());
                bytes.extend_from_slice(&(u64::from(r.symbol) << 32 | u64::from(r.kind)).to_le_bytes());
                bytes.extend_from_slice(&r.addend.to_le_bytes());
            }
            header(&mut out, &table(4, bytes), ".rela", count + 1, section.into(), 24);
        }
        header(&mut out, &table(2, symbols), ".symtab", count + 2, 0, 24);
        header(&mut out, &table(3, strings), ".strtab", 0, 0, 0);
        // Names of the tables themselves: this section's own name must be among them before its size is known.
        let all = names.len() + ".shstrtab\0".len();
        headers.extend_from_slice(&(names.len() as u32).to_le_bytes());
        headers.extend_from_slice(&3u32.to_le_bytes());
        for value in [0, 0, out.len() as u64, all as u64, 0, 1, 0] {
            headers.extend_from_slice(&value.to_le_bytes());
        }
        names.extend_from_slice(b".shstrtab\0");
        out.extend_from_slice(&names);
        let start = out.len() as u64;
        out.extend_from_slice(&headers);
        out[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x40");
        out[16..18].copy_from_slice(&self.kind.to_le_bytes());
        out[18..20].copy_from_slice(&self.machine.to_le_bytes());
        out[20..24].copy_from_slice(&1u32.to_le_bytes());
        out[40..48].copy_from_slice(&start.to_le_bytes());
        out[48..52].copy_from_slice(&self.flags.to_le_bytes());
        let small = [64u16, 56, 0, 64, count as u16 + 4, count as u16 + 3];
        for (i, value) in small.into_iter().enumerate() {
            out[52 + 2 * i..54 + 2 * i].copy_from_slice(&value.to_le_bytes());
        }
        out
    }
}

/// A kernel descriptor whose code is `entry` bytes from it.
pub fn descriptor(wave32: bool, entry: i64) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[16..24].copy_from_slice(&entry.to_le_bytes());
    bytes[57] = u8::from(wave32) << 2;
    bytes
}

/// Assembles standard input.
pub const ARGS: [&str; 4] = ["asm", "--arch", "gfx1100", "-"];

/// Assembles a program and returns the bytes of its `.text` in hex.
pub fn text(source: &str) -> String {
    let said = output(source, &[]);
    assert_eq!(said.0.status, Some(0), "{source}\n{}", said.0.err);
    said.1.iter().map(|b| format!("{b:02x}")).collect()
}

/// Runs with `-o` and reads the file back.
pub fn output(source: &str, more: &[&str]) -> (Said, Vec<u8>) {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nth = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("asm-{}-{nth}", std::process::id()));
    let path = path.to_str().expect("the path is UTF-8");
    let said = run(&[&ARGS[..], more, &["-o", path]].concat(), source.as_bytes());
    let bytes = std::fs::read(path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    (said, bytes)
}

/// The program is refused, and each of these parts is said.
pub fn refused(source: &str, parts: &[&str]) {
    let said = run(&ARGS, source.as_bytes());
    assert_eq!(said.status, Some(1), "{source}\n{said:?}");
    assert!(said.out.is_empty(), "{said:?}");
    for part in parts {
        assert!(said.err.contains(part), "{source}: no {part:?} in\n{}", said.err);
    }
}
