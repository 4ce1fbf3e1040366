//! The operand-level form of an instruction: an opcode, operands and modifiers.
//!
//! An [`Inst`] is what LLVM calls an `MCInst`, with physical or virtual registers. It is made from an opcode and operands
//! ([`Inst::new`]), or from an encoded instruction ([`lift`]); register allocators visit and rename its registers;
//! [`Inst::encode`] chooses the encoding that the parser would choose. Lowering (encoding) and lifting, its inverse, interpret
//! *plans*: for each row in each format and with each suffix dword, the bits of its operands and modifiers ([`plan`]).

mod effects;
mod lift;
mod lower;
pub mod plan;
mod rewrite;
mod unallocated;

use core::fmt;

use isa_schema::ALL_REFUSE;

pub use crate::class::placing::{
    BitOf, ConstantPlace, Count, CountBase, CountSum, CountTerm, Dependent, HalfPlace, NumberPlace, OpList, Placing,
    RegisterPlace, last_digit, same_registers,
};
pub use crate::modifier::Modifier;
pub use crate::op::{File, Op, OpKind, Reg, RegHalf};
use crate::operands::RowOperand;
use crate::tables::Format;
use crate::{ErrorKind, Isa};
pub use effects::{InstEffect, InstResource};
pub use isa_schema::ConstantEncoding;
pub use lift::{lift, lift_open};
#[doc(hidden)]
pub use lower::{encode_by_fast_plans, encode_by_plans};

/// The most operands that an instruction has.
pub const MAX_OPS: usize = 8;

/// The error of a value with more bits than its modifier.
pub(crate) const TOO_WIDE: &str = "the value has more bits than this modifier";

/// The encoding to which an [`Inst`] is pinned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pin {
    /// The index of the format plus one, or 0.
    format: u8,
    /// The index of the suffix dword plus two, 1 for no suffix dword, or 0.
    suffix_dword: u8,
}

impl Pin {
    /// No encoding: it is chosen as the parser does.
    const FREE: Pin = Pin { format: 0, suffix_dword: 0 };
}

/// An operand-level instruction: an opcode, operands and modifiers. 96 bytes.
#[derive(Clone, Copy)]
#[doc(alias("MCInst", "MachineInstr"))]
pub struct Inst<I: Isa> {
    ops: [Op; MAX_OPS],
    modifiers: u64,
    opcode: I::Opcode,
    second: Option<I::Opcode>,
    pin: Pin,
    /// The number of operands; in the upper half, how many of them belong to the second instruction of a dual-issue pair.
    counts: u8,
    /// The groups of opcodes that lack a stated modifier, a bit each, and [`ALL_REFUSE`].
    refusing_groups: u8,
}

impl<I: Isa> PartialEq for Inst<I> {
    fn eq(&self, other: &Self) -> bool {
        self.ops == other.ops
            && self.modifiers == other.modifiers
            && self.opcode == other.opcode
            && self.second == other.second
            && self.pin == other.pin
            && self.counts == other.counts
            && self.has_foreign_modifier() == other.has_foreign_modifier()
    }
}

impl<I: Isa> Eq for Inst<I> {}

impl<I: Isa> fmt::Debug for Inst<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Inst");
        out.field("opcode", &self.opcode);
        if let Some(second) = self.second {
            out.field("second", &second);
        }
        out.field("operands", &self.ops());
        for modifier in plan::modifiers_of(self) {
            if let Some(value) = modifier.get(self.modifiers).filter(|_| self.modifiers & modifier.mask() != 0) {
                out.field(modifier.name, &value);
            }
        }
        out.finish()
    }
}

impl<I: Isa> Inst<I> {
    /// An instruction with these operands, in the order of its row. Operands that every encoding implies can be left out.
    ///
    /// Operands beyond the eighth are dropped, and encoding then fails for their number.
    #[inline]
    #[must_use]
    pub const fn new<const N: usize>(opcode: I::Opcode, operands: [Op; N]) -> Self {
        let mut ops = [Op::NONE; MAX_OPS];
        let mut i = 0;
        while i < N && i < MAX_OPS {
            ops[i] = operands[i];
            i += 1;
        }
        let counts = if N > MAX_OPS { MAX_OPS as u8 + 1 } else { N as u8 };
        Inst { ops, modifiers: 0, opcode, second: None, pin: Pin::FREE, counts, refusing_groups: 0 }
    }

    /// An instruction without operands that has no encoding. Words without a row are lifted to it.
    #[doc(hidden)]
    #[must_use]
    pub const fn unencodable(opcode: I::Opcode) -> Self {
        Inst { pin: Pin { format: u8::MAX, suffix_dword: 0 }, ..Inst::new(opcode, []) }
    }

    /// Adds an operand to an instruction that is not a pair. One beyond the eighth is dropped, and encoding then fails for the number of operands.
    #[inline]
    pub(crate) const fn push(&mut self, op: Op) {
        // Of one instruction, `counts` is the number of operands.
        let len = self.counts as usize;
        if len < MAX_OPS {
            self.ops[len] = op;
        }
        if len <= MAX_OPS {
            self.counts += 1;
        }
    }

    /// Two instructions that are issued together, with the modifiers of the first. Encoding fails if the second has modifiers.
    #[must_use]
    pub const fn pair(first: Self, second: Self) -> Self {
        let mut all = first;
        let mut i = 0;
        while i < second.len() {
            let at = first.len() + i;
            if at < MAX_OPS && i < MAX_OPS {
                all.ops[at] = second.ops[i];
            }
            i += 1;
        }
        let len = first.len() + second.len();
        all.set_counts(first.len(), if len > MAX_OPS { MAX_OPS + 1 } else { len });
        all.second = Some(second.opcode);
        if second.modifiers != 0 || second.refusing_groups != 0 {
            all.refusing_groups |= ALL_REFUSE;
        }
        all
    }

    /// Returns the number of operands; more than [`MAX_OPS`] if some were dropped.
    #[inline(always)]
    const fn len(&self) -> usize {
        self.counts as usize & 15
    }

    /// Returns how many operands belong to the first instruction of a dual-issue pair; of any other instruction all.
    #[inline(always)]
    const fn first_len(&self) -> usize {
        self.len().saturating_sub(self.counts as usize >> 4)
    }

    /// Sets the numbers of operands, of the first instruction of a pair and of both.
    #[inline(always)]
    const fn set_counts(&mut self, first: usize, all: usize) {
        self.counts = (all | all.saturating_sub(first) << 4) as u8;
    }

    /// The instruction with a modifier. Encoding fails if the opcode lacks the modifier, or the value has more bits than it.
    /// [`try_with`](Self::try_with) returns that error at once, and names the modifier in any case.
    #[inline]
    #[must_use]
    pub const fn with(mut self, modifier: Modifier, value: u32) -> Self {
        self = self.with_own(modifier, value);
        self.refusing_groups |= modifier.lacking_groups;
        if value as u64 > modifier.ones() {
            self.refusing_groups |= ALL_REFUSE;
        }
        self
    }

    /// The instruction with a modifier that the opcode has, and a value that the modifier holds.
    #[inline]
    pub(crate) const fn with_own(mut self, modifier: Modifier, value: u32) -> Self {
        self.modifiers = self.modifiers & !modifier.mask() | modifier.place(value);
        self
    }

    /// Returns whether a modifier was stated that the opcode's group lacks, or a value that its modifier does not hold.
    fn has_foreign_modifier(&self) -> bool {
        self.refusing_groups & I::inst_tables().lowering.opcode_rows(I::opcode_index(self.opcode)).modifier_groups != 0
    }

    /// The instruction with a modifier, for modifiers and values that are known at run time only.
    ///
    /// # Errors
    /// If no encoding of the opcode has the modifier, or the value has more bits than it.
    pub fn try_with(self, modifier: Modifier, value: u32) -> Result<Self, EncodeError> {
        let kind = if !self.has_modifier(modifier) {
            ErrorKind::Modifier(None)
        } else if u64::from(value) > modifier.ones() {
            ErrorKind::Rule(TOO_WIDE)
        } else {
            return Ok(self.with(modifier, value));
        };
        Err(EncodeError { operand: Some(modifier.name), kind })
    }

    /// Returns the value of a modifier. `None` if the opcode lacks it, or it is not stated; then the instruction has its default.
    #[must_use]
    pub fn modifier(&self, modifier: Modifier) -> Option<u32> {
        let rows = I::inst_tables().lowering.opcode_rows(I::opcode_index(self.opcode));
        if modifier.lacking_groups & rows.modifier_groups != 0 { None } else { modifier.get(self.modifiers) }
    }

    /// Returns whether a modifier is stated, or has another value than its default.
    #[must_use]
    pub const fn has_stated_modifiers(&self) -> bool {
        self.modifiers != 0
    }

    /// Returns the instruction with another opcode, in the encoding that the parser would choose.
    #[must_use]
    pub const fn with_opcode(mut self, opcode: I::Opcode) -> Self {
        self.opcode = opcode;
        self.pin = Pin::FREE;
        self
    }

    /// Returns whether any encoding of the opcode has a modifier.
    #[must_use]
    pub fn has_modifier(&self, modifier: Modifier) -> bool {
        plan::modifiers_of(self).any(|other| *other == modifier)
    }

    /// Returns the opcode; of a dual-issue pair, that of the first instruction.
    #[must_use]
    pub const fn opcode(&self) -> I::Opcode {
        self.opcode
    }

    /// Returns the opcode of the second instruction of a dual-issue pair.
    #[must_use]
    pub const fn second_opcode(&self) -> Option<I::Opcode> {
        self.second
    }

    /// Returns the operands without the facts of the row.
    #[inline]
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        self.ops.get(..self.len()).unwrap_or(&self.ops)
    }

    /// Returns the operands, which can be changed.
    pub fn ops_mut(&mut self) -> &mut [Op] {
        let len = self.len().min(MAX_OPS);
        self.ops.get_mut(..len).unwrap_or_default()
    }

    /// Returns the operands, each with its role, access and type from the row. A list of registers has several
    /// operands of one role.
    pub fn operands(&self) -> impl Iterator<Item = (&Op, &'static RowOperand)> {
        self.ops().iter().zip(plan::described::<I>(self))
    }

    /// Returns the register class of an operand: the constraints that a register allocator obeys, in the encodings that have the
    /// instruction's modifiers.
    #[must_use]
    pub fn register_class(&self, index: usize, mode: I::Mode) -> Option<plan::RegisterClass> {
        plan::register_class::<I>(self, index, mode)
    }

    /// Returns the instruction with other registers. The function gets the registers of each operand, and its role, access and type
    /// from the row.
    #[must_use]
    pub fn map_registers(&self, mut f: impl FnMut(Reg, &RowOperand) -> Reg) -> Self {
        let mut out = *self;
        for (op, row) in out.ops.iter_mut().zip(plan::described::<I>(self)) {
            if let Some(reg) = op.as_reg() {
                *op = op.with_reg(f(reg, row));
            }
        }
        out
    }

    /// Returns the instruction without a pinned encoding: [`encode`](Self::encode) chooses one as the parser does.
    #[must_use]
    pub const fn shortest(mut self) -> Self {
        self.pin = Pin::FREE;
        self
    }

    /// Returns the instruction pinned to the first format whose mnemonics have this suffix, such as `_e64`.
    #[must_use]
    pub fn with_suffix(mut self, suffix: &str) -> Self {
        let rows = I::inst_tables().lowering.rows(I::opcode_index(self.opcode));
        let formats = rows.iter().filter_map(|row| Some((row.format, Format::<I>::at(row.format)?)));
        let found = formats.filter(|(_, format)| format.suffix == suffix).map(|(at, _)| at + 1).next();
        self.pin = Pin { format: found.unwrap_or(u8::MAX), suffix_dword: 0 };
        self
    }

    /// Encodes the instruction in the encoding that the parser would choose, or in the one that it was lifted from.
    ///
    /// # Errors
    /// An operand or a modifier that no encoding can hold, a register that is still virtual, or a rule between operands
    /// that assembly text must obey too.
    #[inline]
    pub fn encode(&self, mode: I::Mode) -> Result<I::Instr, EncodeError> {
        match I::encode_inst_fast(self, mode).instr::<I>() {
            Some(instr) if I::legal(&instr, mode).is_ok() => Ok(instr),
            _ => I::encode_inst(self, mode, true),
        }
    }

    /// Encodes the instruction without the rules between operands, for instructions that have been checked before. The
    /// words are those of a decodable instruction with this opcode all the same.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), but for rules between operands.
    #[inline]
    pub fn encode_unchecked(&self, mode: I::Mode) -> Result<I::Instr, EncodeError> {
        match I::encode_inst_fast(self, mode).instr::<I>() {
            Some(instr) => Ok(instr),
            None => I::encode_inst(self, mode, false),
        }
    }

    /// Encodes on the slow path only. A test compares it with [`encode`](Self::encode) and
    /// [`encode_unchecked`](Self::encode_unchecked).
    ///
    /// # Errors
    /// Those of `encode`.
    #[doc(hidden)]
    pub fn encode_slow(&self, mode: I::Mode, checked: bool) -> Result<I::Instr, EncodeError> {
        I::encode_inst(self, mode, checked)
    }
}

/// Why an operand-level instruction has no encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EncodeError {
    /// The role of the operand that cannot be encoded, if the error concerns one.
    pub operand: Option<&'static str>,
    /// The error.
    pub kind: ErrorKind,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operand) = self.operand {
            write!(f, "{operand}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl core::error::Error for EncodeError {}
