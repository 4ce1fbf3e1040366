//! Operands of an operand-level instruction: registers, constants, or nothing.

use core::fmt;

use crate::Constant;

/// A register file, by the number that the set gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct File(pub u8);

/// The half of a register that an operand of 16 bits means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegHalf {
    /// Bits 15 to 0.
    Low,
    /// Bits 31 to 16.
    High,
}

/// Consecutive registers of one file, physical or virtual.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "MCRegister")]
pub struct Reg {
    /// The file.
    pub file: File,
    /// The number of the first register, or the number of a virtual register.
    pub number: u32,
    /// The number of registers. 0 means as many as the operand has: for registers that stand for operands of any width, and for
    /// those whose width the mode decides, such as lane masks.
    pub count: u8,
    /// The half, of an operand of 16 bits.
    pub half: Option<RegHalf>,
    /// Whether a register allocator has yet to replace it.
    pub is_virtual: bool,
}

impl Reg {
    /// The most registers of an operand.
    pub(crate) const MAX_COUNT: u8 = 32;

    /// Physical registers.
    #[must_use]
    pub const fn new(file: File, number: u32, count: u8) -> Self {
        Reg { file, number, count, half: None, is_virtual: false }
    }

    /// One physical register, by the number of its file: `Reg::of(MyFile::X as u8, 5)`.
    #[must_use]
    pub const fn of(file: u8, number: u32) -> Self {
        Reg::new(File(file), number, 1)
    }

    /// Registers that a register allocator has yet to choose.
    #[must_use]
    pub const fn new_virtual(file: File, number: u32, count: u8) -> Self {
        Reg { file, number, count, half: None, is_virtual: true }
    }
}

/// An operand: registers, a constant, or nothing. Ten bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, packed(2))]
#[doc(alias("MCOperand", "MachineOperand"))]
pub struct Op {
    /// Of registers: the file, the count, and the number in the upper half. Of constants: their 64 bits.
    bits: u64,
    /// The kind, and flags from bit 3 on.
    tag: u16,
}

const KIND: u16 = 7;
pub(crate) const REGISTER: u16 = 1;
pub(crate) const INTEGER: u16 = 2;
const FLOAT: u16 = 3;
pub(crate) const OFF: u16 = 4;
const IMPLIED: u16 = 5;

const VIRTUAL: u16 = 1 << 3;
const LOW: u16 = 1 << 4;
const HIGH: u16 = 1 << 5;
pub(crate) const NEG: u16 = 1 << 6;
pub(crate) const ABS: u16 = 1 << 7;
const FORCED: u16 = 1 << 8;

/// The contents of an [`Op`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OpKind {
    /// Nothing: the slot is empty.
    None,
    /// Registers.
    Reg(Reg),
    /// A constant.
    Constant(Constant),
    /// An operand that is switched off, such as an absent address.
    Off,
    /// The register that the encoding implies.
    Implied,
}

impl Op {
    /// An empty slot.
    pub const NONE: Op = Op { bits: 0, tag: 0 };
    /// An operand that is switched off.
    pub const OFF: Op = Op { bits: 0, tag: OFF };
    /// The register that the encoding implies.
    pub const IMPLIED: Op = Op { bits: 0, tag: IMPLIED };

    /// Registers.
    #[inline]
    #[must_use]
    pub const fn reg(reg: Reg) -> Op {
        let half = match reg.half {
            None => 0,
            Some(RegHalf::Low) => LOW,
            Some(RegHalf::High) => HIGH,
        };
        let is_virtual = if reg.is_virtual { VIRTUAL } else { 0 };
        Op {
            bits: reg.file.0 as u64 | (reg.count as u64) << 8 | (reg.number as u64) << 32,
            tag: REGISTER | half | is_virtual,
        }
    }

    /// An integer, which stands for the bits of the operand.
    #[inline]
    #[must_use]
    pub const fn int(n: i64) -> Op {
        Op { bits: n as u64, tag: INTEGER }
    }

    /// A floating-point number, which is rounded to the operand's format. A NaN must have few enough bits for it.
    #[inline]
    #[must_use]
    pub const fn float(x: f64) -> Op {
        Op { bits: x.to_bits(), tag: FLOAT }
    }

    /// The negated operand.
    #[must_use]
    pub const fn neg(mut self) -> Op {
        self.tag ^= NEG;
        self
    }

    /// The absolute value of the operand. A negation applies after it.
    #[must_use]
    pub const fn abs(mut self) -> Op {
        self.tag |= ABS;
        self
    }

    /// The same constant as a literal, even if an inline constant is equal: `lit(…)` in LLVM's text.
    #[must_use]
    pub const fn literal(mut self) -> Op {
        if matches!(self.tag & KIND, INTEGER | FLOAT) {
            self.tag |= FORCED;
        }
        self
    }

    /// Returns the contents without signs.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> OpKind {
        match self.tag & KIND {
            REGISTER => OpKind::Reg(self.register()),
            INTEGER => OpKind::Constant(Constant::Integer(self.bits as i64)),
            FLOAT => OpKind::Constant(Constant::Float(f64::from_bits(self.bits))),
            OFF => OpKind::Off,
            IMPLIED => OpKind::Implied,
            _ => OpKind::None,
        }
    }

    /// Returns the registers of an operand that is registers.
    #[inline(always)]
    const fn register(self) -> Reg {
        let bits = self.bits;
        Reg {
            file: File(bits as u8),
            number: (bits >> 32) as u32,
            count: (bits >> 8) as u8,
            half: match self.tag & (LOW | HIGH) {
                LOW => Some(RegHalf::Low),
                HIGH => Some(RegHalf::High),
                _ => None,
            },
            is_virtual: self.tag & VIRTUAL != 0,
        }
    }

    /// Returns the registers, if it is registers.
    #[inline]
    #[must_use]
    pub const fn as_reg(self) -> Option<Reg> {
        if self.tag & KIND == REGISTER { Some(self.register()) } else { None }
    }

    /// Returns the same operand with other registers, and its signs.
    #[must_use]
    pub const fn with_reg(self, reg: Reg) -> Op {
        let mut op = Op::reg(reg);
        op.tag |= self.tag & (NEG | ABS);
        op
    }

    /// Returns whether it is negated.
    #[inline]
    #[must_use]
    pub const fn is_negated(self) -> bool {
        self.tag & NEG != 0
    }

    /// Returns whether its absolute value is taken.
    #[inline]
    #[must_use]
    pub const fn is_absolute(self) -> bool {
        self.tag & ABS != 0
    }

    /// Returns whether it must be a literal.
    #[inline]
    #[must_use]
    pub const fn is_forced(self) -> bool {
        self.tag & FORCED != 0
    }

    /// Returns whether it is negated or an absolute value.
    #[inline(always)]
    pub(crate) const fn has_signs(self) -> bool {
        self.tag & (NEG | ABS) != 0
    }

    /// Returns whether it is a whole physical register without signs.
    #[inline(always)]
    pub(crate) const fn is_plain_register(self) -> bool {
        self.tag == REGISTER
    }

    /// Returns the file, the count and the number of registers.
    #[inline(always)]
    pub(crate) const fn register_bits(self) -> (u8, u8, u32) {
        let bits = self.bits;
        (bits as u8, (bits >> 8) as u8, (bits >> 32) as u32)
    }

    /// Returns the bits and the tag.
    #[inline(always)]
    pub(crate) const fn parts(self) -> (u64, u16) {
        (self.bits, self.tag)
    }

    /// Returns the number of registers, or 0 for an operand that is switched off. Returns `None` for other operands, and for
    /// registers that stand for operands of any width.
    #[inline(always)]
    pub(crate) const fn register_count(self) -> Option<u8> {
        let bits = self.bits;
        match (self.tag & KIND, (bits >> 8) as u8) {
            (OFF, _) => Some(0),
            (REGISTER, count) if count > 0 => Some(count),
            _ => None,
        }
    }

    /// Applies the signs to a constant, for an encoding without bits for them. `bits` is the operand's width.
    pub(crate) const fn folded(self, bits: u16) -> Op {
        let OpKind::Constant(constant) = self.kind() else { return self };
        let folded = match constant.with_signs(self.is_negated(), self.is_absolute(), bits) {
            Constant::Integer(n) => Op::int(n),
            Constant::Float(x) => Op::float(x),
        };
        Op { tag: folded.tag | self.tag & FORCED, ..folded }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negated() {
            f.write_str("-")?;
        }
        if self.is_absolute() {
            f.write_str("|")?;
        }
        match self.kind() {
            OpKind::None => f.write_str("none")?,
            OpKind::Off => f.write_str("off")?,
            OpKind::Implied => f.write_str("implied")?,
            OpKind::Constant(Constant::Integer(n)) => write!(f, "{n}")?,
            OpKind::Constant(Constant::Float(x)) => write!(f, "{x:?}")?,
            OpKind::Reg(reg) => {
                let sigil = if reg.is_virtual { "%" } else { "" };
                write!(f, "{sigil}f{}:{}x{}", reg.file.0, reg.number, reg.count)?;
                if let Some(half) = reg.half {
                    f.write_str(if half == RegHalf::High { ".h" } else { ".l" })?;
                }
            }
        }
        if self.is_absolute() {
            f.write_str("|")?;
        }
        f.write_str(if self.is_forced() { " (literal)" } else { "" })
    }
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Op {
            #[inline]
            fn from(n: $ty) -> Op {
                Op::int(n as i64)
            }
        }
    )*};
}

// A u64 above the range of i64 is a pattern of 64 bits.
integers!(i8, u8, i16, u16, i32, u32, i64, u64);

impl From<f32> for Op {
    #[inline]
    fn from(x: f32) -> Op {
        if !x.is_nan() {
            return Op::float(x.into());
        }
        // Bit by bit: a conversion would make a signalling NaN quiet.
        let bits = u64::from(x.to_bits());
        Op { bits: bits >> 31 << 63 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29, tag: FLOAT }
    }
}

impl From<f64> for Op {
    #[inline]
    fn from(x: f64) -> Op {
        Op::float(x)
    }
}

impl From<Reg> for Op {
    #[inline]
    fn from(reg: Reg) -> Op {
        Op::reg(reg)
    }
}
