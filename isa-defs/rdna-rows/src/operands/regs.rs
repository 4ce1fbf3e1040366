//! Registers and values of operands.

use core::ops::Range;

use amdgpu_operands::files;
pub use amdgpu_operands::{Half, InlineFloat};
use isa::class::OpList;
use isa::class::write_range;
use isa::{Class, Meaning, Op, Reg, Text, Type};

use super::tables0::{CONSTANTS, SPACE};

/// Which set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum File {
    /// Scalar general-purpose registers, s0 to s105.
    Sgpr = files::SGPR,
    /// Vector general-purpose registers, v0 to v255.
    Vgpr = files::VGPR,
    /// Trap temporaries, ttmp0 to ttmp15.
    Ttmp = files::TTMP,
    /// The vector condition code: 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc = files::VCC,
    /// The execute mask: 0 is `exec_lo`, 1 is `exec_hi`.
    Exec = files::EXEC,
    /// M0.
    M0 = files::M0,
    /// NULL: reads as zero, writes are dropped.
    Null = files::NULL,
    /// The scalar condition code.
    Scc = files::SCC,
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
    /// The half that is meant, of a 16-bit operand.
    pub half: Option<Half>,
}

impl Registers {
    /// `count` whole registers from `first` on.
    #[must_use]
    pub const fn new(file: File, first: u8, count: u8) -> Self {
        Registers { file, first, count, half: None }
    }
}

/// The groups of an address that RDNA4's ray intersections also write: the ray's origin and direction (guide §10.9.1). They only
/// read the node, the extent of the ray and the mask.
pub const RETURNED_GROUPS: Range<usize> = 2..4;

/// The value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Registers.
    Registers(Registers),
    /// Up to five separate groups of VGPRs (an image address): how many groups, the first register of each, and how
    /// many registers the last group has; all others have one, but in ray-tracing instructions, whose groups of
    /// three `long` marks with a bit each.
    Scattered {
        /// How many groups.
        groups: u8,
        /// The first register of each group.
        first: [u8; 5],
        /// How many registers each group has.
        count: [u8; 5],
    },
    /// An inline integer, -16 to 64.
    Integer(i8),
    /// An inline floating-point constant, as the bits of an `f32`.
    Float(u32),
    /// A literal constant.
    Literal(u32),
    /// A number in the instruction's own fields.
    Immediate(i32),
    /// A branch target: signed dwords from the end of the instruction.
    Branch(i16),
    /// The slot is switched off (`off`).
    Off,
}

impl Value {
    /// Returns the value of a meaning.
    #[must_use]
    pub const fn of(meaning: Meaning<File>) -> Value {
        match meaning {
            Meaning::Registers { file, first, count, half } => {
                let half = match half {
                    None => None,
                    Some(true) => Some(Half::High),
                    Some(false) => Some(Half::Low),
                };
                Value::Registers(Registers { file, first, count, half })
            }
            Meaning::Integer(n) => Value::Integer(n as i8),
            Meaning::Float(bits) => Value::Float(bits),
            Meaning::Literal(bits) => Value::Literal(bits),
            Meaning::Number(n) => Value::Immediate(n),
            Meaning::Off => Value::Off,
        }
    }
}

/// The inline floating-point constants, from code 240 on.
pub static INLINE_FLOATS: &[InlineFloat] = CONSTANTS.floats;

/// Returns the name of a register or status bit by its source code, if it has its own name.
#[must_use]
pub fn register_name(code: u32) -> Option<&'static str> {
    SPACE.register_name(code)
}

/// Returns whether a register or several have this name.
#[cfg(feature = "parse")]
#[must_use]
pub fn is_register_name(name: &str) -> bool {
    SPACE.is_register_name(name)
}

/// Returns the value of whole vector registers.
#[must_use]
pub const fn vgpr_value(first: u32, dwords: u8) -> Value {
    Value::Registers(Registers::new(File::Vgpr, first as u8, dwords))
}

/// Returns whole vector registers as an operand of an `Inst`.
pub(super) fn vgpr_operands(first: u32, dwords: u8) -> OpList {
    OpList::one(Op::reg(Reg::new(isa::File(files::VGPR), first, dwords)))
}

/// Returns the value of half of a vector register.
#[must_use]
pub fn vgpr_half_value(number: u32, high: bool) -> Value {
    let half = if high { Half::High } else { Half::Low };
    Value::Registers(Registers { half: Some(half), ..Registers::new(File::Vgpr, number as u8, 1) })
}

/// Writes `dwords` vector registers from number `first` on.
pub fn write_vgpr(first: u32, dwords: u8, out: &mut Text) {
    write_range("v", first, dwords, out);
}

/// The number of 32-bit registers of a lane mask or of any other type in this wave size.
#[must_use]
pub const fn dwords_in(ty: Type, wave: crate::Wave) -> u8 {
    match (ty.class(), wave) {
        (Class::Mask, crate::Wave::W64) => 2,
        (Class::Mask, crate::Wave::W32) => 1,
        _ => ty.dwords(),
    }
}
