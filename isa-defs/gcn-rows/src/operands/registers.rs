//! Registers and values of operands, and codes that LLVM prints although no instruction may have them.

use amdgpu_operands::files;
use isa::class::What;
use isa::{Cx, Meaning, Operand};

use super::{ResourceSgprs, SmemBase, SmemData, space};
use crate::{Generation, flags};

/// Which set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum File {
    /// Scalar general-purpose registers.
    Sgpr = files::SGPR,
    /// Vector general-purpose registers, v0 to v255.
    Vgpr = files::VGPR,
    /// Trap temporaries.
    Ttmp = files::TTMP,
    /// The vector condition code: 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc = files::VCC,
    /// The execute mask: 0 is `exec_lo`, 1 is `exec_hi`.
    Exec = files::EXEC,
    /// The base of scratch memory for flat instructions.
    FlatScratch = files::FLAT_SCRATCH,
    /// Which lanes are to repeat an access after a page fault.
    XnackMask = files::XNACK_MASK,
    /// The address of the trap handler.
    Tba = files::TBA,
    /// The address of the trap handler's memory.
    Tma = files::TMA,
    /// M0.
    M0 = files::M0,
    /// The text that LLVM prints for a code of later architectures. No register of these generations.
    Null = files::NULL,
    /// Memory apertures and status bits that read as constants: the number is the source code.
    Special = files::SPECIAL,
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

/// The value of an operand.
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

impl Value {
    /// Returns the value of a meaning.
    #[must_use]
    pub const fn of(meaning: Meaning<File>) -> Value {
        match meaning {
            Meaning::Registers { file, first, count, .. } => Value::Registers(Registers::new(file, first, count)),
            Meaning::Integer(n) => Value::Integer(n as i8),
            Meaning::Float(bits) => Value::Float(bits),
            Meaning::Literal(n) => Value::Immediate(n as i32),
            Meaning::Number(n) => Value::Immediate(n),
            Meaning::Off => Value::Off,
        }
    }
}

/// Whether LLVM prints registers from a code on that an operand of `dwords` cannot have: ranges that are not aligned or
/// end beyond the last register, and registers of other generations. `is_valid` says which codes the operand can have.
fn prints<I: Generation>(code: u32, dwords: u8, is_valid: impl Fn(u32) -> bool) -> bool {
    let space = space::<I>();
    let (from, count) = (space.aligned(code, dwords), u32::from(dwords));
    let Some(run) = space.run(code) else { return false };
    match run.what {
        What::Numbered { file: File::Sgpr, .. } => is_valid(from) || from + count <= 104,
        What::Numbered { file: File::Ttmp, .. } => from >= u32::from(run.first) && from + count <= 128,
        What::Names { file: File::Null, .. } => true,
        What::Names { file: File::M0 | File::Exec | File::Special, .. } => false,
        What::Names { .. } => dwords <= 2 && (dwords == 1 || code.is_multiple_of(2)),
        _ => false,
    }
}

/// The codes of registers of a file, in the space of all.
pub(super) fn prints_data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code, cx.ty.dwords(), |code| <SmemData as Operand<I>>::check(cx, code))
}

/// As [`prints_data`], for the base of an address.
pub(super) fn prints_base<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code * 2, cx.ty.dwords(), |code| <SmemBase as Operand<I>>::check(cx, code / 2))
}

/// As [`prints_data`], for a resource.
pub(super) fn prints_resource<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code * 4, 4, |code| <ResourceSgprs as Operand<I>>::check(cx, code / 4))
}

/// Whether LLVM, which has a disassembler from the third generation on, names a source of other generations.
pub(super) fn prints_source<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    cx.has(flags::GCN1_2 | flags::GCN1_4) && matches!(code, 104 | 105 | 125 | 230 | 231 | 235..=239)
}
