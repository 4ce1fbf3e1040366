//! Registers and constants: what their codes come to and how they are written.

pub use amdgpu_operands::INLINE_FLOATS;
use amdgpu_operands::write_range;
use isa::{CodeSet, Plain, Text};

use crate::generation::{Features, Place};

/// Which set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// Scalar general-purpose registers.
    Sgpr,
    /// Vector general-purpose registers, v0 to v255.
    Vgpr,
    /// Trap temporaries.
    Ttmp,
    /// The vector condition code: 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc,
    /// The execute mask: 0 is `exec_lo`, 1 is `exec_hi`.
    Exec,
    /// The base of scratch memory for flat instructions.
    FlatScratch,
    /// Which lanes are to repeat an access after a page fault.
    XnackMask,
    /// The address of the trap handler.
    Tba,
    /// The address of the trap handler's memory.
    Tma,
    /// M0.
    M0,
    /// What LLVM prints for a code that later architectures gave a meaning; no register of these generations.
    Null,
    /// Memory apertures and status bits that read as constants: the number is the source code.
    Special,
}

/// Consecutive registers of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Registers {
    /// The file.
    pub file: File,
    /// The number of the first.
    pub first: u8,
    /// How many 32-bit registers.
    pub count: u8,
}

impl Registers {
    /// `count` registers from `first` on.
    #[must_use]
    pub const fn new(file: File, first: u8, count: u8) -> Self {
        Registers { file, first, count }
    }
}

/// What an operand comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Registers.
    Registers(Registers),
    /// An inline integer, -16 to 64.
    Integer(i8),
    /// An inline floating-point constant, as the bits of an `f32`.
    Float(u32),
    /// A number in the instruction's own fields.
    Immediate(i32),
    /// The slot is switched off (`off`).
    Off,
}

/// Registers that have names for one and for both: the file, and the names of the lower, the higher and the pair.
static PAIRS: [(File, [&str; 3]); 6] = [
    (File::Vcc, ["vcc_lo", "vcc_hi", "vcc"]),
    (File::Exec, ["exec_lo", "exec_hi", "exec"]),
    (File::FlatScratch, ["flat_scratch_lo", "flat_scratch_hi", "flat_scratch"]),
    (File::XnackMask, ["xnack_mask_lo", "xnack_mask_hi", "xnack_mask"]),
    (File::Tba, ["tba_lo", "tba_hi", "tba"]),
    (File::Tma, ["tma_lo", "tma_hi", "tma"]),
];

/// Constants and status bits among the source codes that have a name of their own.
pub static SPECIALS: [(u32, &str); 10] = [
    (230, "src_flat_scratch_base_lo"),
    (231, "src_flat_scratch_base_hi"),
    (235, "src_shared_base"),
    (236, "src_shared_limit"),
    (237, "src_private_base"),
    (238, "src_private_limit"),
    (239, "src_pops_exiting_wave_id"),
    (251, "src_vccz"),
    (252, "src_execz"),
    (253, "src_scc"),
];

const INTEGERS: u32 = 128;
const FLOATS: u32 = 240;

/// The plain texts of scalar registers: those that every generation has.
pub(super) const PLAIN_SGPRS: Plain = Plain { files: &[(b's', 0, 101)], whole: true, ..Plain::NONE };
/// The plain texts of scalar sources.
pub(super) const PLAIN_SOURCES: Plain =
    Plain { integers: Some((INTEGERS, 64)), negative: Some((INTEGERS + 64, 16)), ..PLAIN_SGPRS };
/// The plain texts of vector registers that are as many as the rest of the line says.
pub(super) const PLAIN_LATE: Plain = Plain { files: &[(b'v', 0, 255)], any: true, ..Plain::NONE };
/// The plain text of a flag.
pub(super) const PLAIN_FLAG: Plain = Plain { flag: true, ..Plain::NONE };

fn place(features: &Features, code: u32) -> Option<&Place> {
    let inside = |p: &&Place| code >= p.code && code < p.code + p.count;
    features.places.iter().find(inside).or_else(|| features.printed.iter().find(inside))
}

/// The registers that scalar registers from `code` (below 128) on are; `None` for a code that is none.
pub(crate) fn scalar(features: &Features, code: u32, dwords: u8) -> Option<Registers> {
    let place = place(features, code)?;
    Some(Registers::new(place.file, (code - place.code) as u8, dwords))
}

/// The code of scalar registers.
pub(crate) fn scalar_code(features: &Features, r: Registers) -> Option<u32> {
    let place = features.places.iter().find(|p| p.file == r.file)?;
    Some(place.code + u32::from(r.first))
}

/// What LLVM prints as `null`, whatever the width.
const NULL: u32 = 125;

/// The code of the first register that is meant: LLVM clears the low bits of one that is not aligned.
pub(crate) const fn aligned(code: u32, dwords: u8) -> u32 {
    match dwords {
        _ if code == NULL => code,
        1 => code,
        2 => code & !1,
        _ => code & !3,
    }
}

/// Whether LLVM prints registers from `code` on although the generation has none such: ranges that are not aligned or go
/// beyond the last register, and names of other generations.
pub(crate) fn printable(features: &Features, code: u32, dwords: u8, valid: &CodeSet) -> bool {
    let from = aligned(code, dwords);
    match place(features, code).map(|p| p.file) {
        Some(File::Sgpr) => valid.has(from) || from + u32::from(dwords) <= 104,
        Some(File::Ttmp) => {
            place(features, from).is_some_and(|p| p.file == File::Ttmp && from + u32::from(dwords) <= 128)
        }
        Some(File::Null) => true,
        Some(_) => code == from && dwords <= 2 && !matches!(code, 124 | 126 | 127),
        None => false,
    }
}

/// Writes `dwords` scalar registers from `code` on.
pub(crate) fn write_scalar(features: &Features, code: u32, dwords: u8, out: &mut Text) {
    let Some(r) = scalar(features, code, dwords) else { return };
    match r.file {
        File::Sgpr => write_range("s", r.first.into(), dwords, out),
        File::Ttmp => write_range("ttmp", r.first.into(), dwords, out),
        File::M0 => out.push("m0"),
        File::Null => out.push("null"),
        file => {
            let Some((_, names)) = PAIRS.iter().find(|(f, _)| *f == file) else { return };
            let which = if dwords == 2 { 2 } else { usize::from(r.first & 1) };
            out.push(names[which]);
        }
    }
}

/// Writes a source by its 8-bit code: a scalar register, an inline constant, a status bit.
pub(crate) fn write_source(features: &Features, code: u32, out: &mut Text) {
    match code {
        0..INTEGERS => write_scalar(features, code, 1, out),
        INTEGERS..=192 => out.dec(code - INTEGERS),
        193..=208 => {
            out.push_ascii(b'-');
            out.dec(code - 192);
        }
        FLOATS..=248 => {
            if let Some(float) = INLINE_FLOATS.get((code - FLOATS) as usize) {
                out.push(float.name);
            }
        }
        _ => {
            if let Some((_, name)) = SPECIALS.iter().find(|(c, _)| *c == code) {
                out.push(name);
            }
        }
    }
}

/// What a source comes to.
pub(crate) fn source_value(features: &Features, code: u32) -> Option<Value> {
    Some(match code {
        0..INTEGERS => Value::Registers(scalar(features, code, 1)?),
        INTEGERS..=192 => Value::Integer((code - INTEGERS) as i8),
        193..=208 => Value::Integer(-((code - 192) as i8)),
        FLOATS..=248 => Value::Float(INLINE_FLOATS.get((code - FLOATS) as usize)?.f32),
        _ => Value::Registers(Registers::new(File::Special, code as u8, 1)),
    })
}
