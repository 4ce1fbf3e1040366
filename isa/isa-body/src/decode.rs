//! The decoder of operations.

use crate::builtin::Builtin;
use crate::op::{ALWAYS, BinaryOp, CLASSES, HAS_LANES, Op, OperandFact, Part, Target, UnaryOp, ValueId};
use crate::place::{Place, State};
use crate::ty::Type;

/// Decodes a body or a fragment.
///
/// The iterator ends at the end of the code, or at bytes that are not an operation.
#[must_use]
pub const fn ops(code: &[u8]) -> Ops<'_> {
    Ops { code }
}

/// The operations of a body; see [`ops`].
#[derive(Clone, Debug)]
pub struct Ops<'a> {
    code: &'a [u8],
}

impl<'a> Ops<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.code.split_first()?;
        self.code = rest;
        Some(*first)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = usize::from(self.byte()?);
        let (bytes, rest) = self.code.split_at_checked(len)?;
        self.code = rest;
        Some(bytes)
    }

    /// Takes a fragment, which has two bytes of length.
    pub(crate) fn fragment(&mut self) -> Option<&'a [u8]> {
        let len = u16::from_le_bytes([self.byte()?, self.byte()?]);
        let (bytes, rest) = self.code.split_at_checked(usize::from(len))?;
        self.code = rest;
        Some(bytes)
    }

    pub(crate) fn leb(&mut self) -> Option<u128> {
        let mut n = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            n |= u128::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn ty(&mut self) -> Option<Type> {
        let byte = self.byte()?;
        let class = *CLASSES.get(usize::from(byte & !HAS_LANES))?;
        let bits = self.leb()? as u16;
        let lanes = if byte & HAS_LANES == 0 { 1 } else { self.byte()? };
        Some(Type::new(class, bits, lanes))
    }

    fn optional(&mut self) -> Option<Option<ValueId>> {
        self.byte().map(|byte| (byte != ALWAYS).then_some(byte))
    }

    fn access(&mut self) -> Option<(Type, Place, Option<ValueId>)> {
        Some((self.ty()?, Place::from_number(self.byte()?)?, self.optional()?))
    }

    fn target(&mut self) -> Option<Target> {
        let (kind, a, b) = (self.byte()?, self.byte()?, self.byte()?);
        Some(match kind {
            0 => Target::Role(a),
            1 => Target::High(a),
            2 => Target::Relative(a, b),
            3 => Target::Lane(a, b),
            4 => Target::State(State::from_number(a)?),
            _ => return None,
        })
    }

    fn op(&mut self) -> Option<Op<'a>> {
        Some(match self.byte()? {
            0 => Op::Const { ty: self.ty()?, bits: self.leb()? },
            1 => Op::Role { ty: self.ty()?, role: self.byte()?, part: Part::Whole },
            2 => Op::Role { ty: self.ty()?, role: self.byte()?, part: Part::High },
            3 => Op::Relative { ty: self.ty()?, role: self.byte()?, distance: self.byte()? },
            4 => Op::Field { ty: self.ty()?, name: core::str::from_utf8(self.bytes()?).ok()? },
            5 => Op::State { ty: self.ty()?, state: State::from_number(self.byte()?)? },
            6 => Op::Input { ty: self.ty()? },
            7 => Op::Unary { ty: self.ty()?, op: UnaryOp::from_number(self.byte()?)?, a: self.byte()? },
            8 => Op::Binary {
                ty: self.ty()?,
                op: BinaryOp::from_number(self.byte()?)?,
                a: self.byte()?,
                b: self.byte()?,
            },
            9 => Op::Cast { ty: self.ty()?, a: self.byte()? },
            10 => Op::Slice { ty: self.ty()?, a: self.byte()?, lo: self.leb()? as u16 },
            11 => Op::Bit { a: self.byte()?, index: self.byte()? },
            12 => Op::Select { ty: self.ty()?, condition: self.byte()?, yes: self.byte()?, no: self.byte()? },
            13 => Op::Insert { ty: self.ty()?, a: self.byte()?, lo: self.leb()? as u16, bits: self.byte()? },
            14 => Op::InsertBit { ty: self.ty()?, a: self.byte()?, index: self.byte()?, bit: self.byte()? },
            15 => Op::Call {
                ty: self.ty()?,
                builtin: Builtin::from_number(self.byte()?)?,
                condition: self.optional()?,
                args: self.bytes()?,
            },
            16 => {
                let (ty, place, address) = self.access()?;
                Op::Load { ty, place, address }
            }
            17 => {
                let (ty, place, address) = self.access()?;
                Op::Store { ty, place, address, value: self.byte()?, condition: self.optional()? }
            }
            18 => {
                let (ty, place, address) = self.access()?;
                Op::RmwBegin { ty, place, address }
            }
            19 => Op::RmwEnd { ty: self.ty()?, begin: self.byte()?, value: self.byte()? },
            20 => Op::Write { target: self.target()?, value: self.byte()?, condition: self.optional()? },
            21 => Op::Return { value: self.byte()? },
            22 => Op::Is { role: self.byte()?, fact: OperandFact::from_number(self.byte()?)? },
            _ => return None,
        })
    }
}

impl<'a> Iterator for Ops<'a> {
    type Item = Op<'a>;

    fn next(&mut self) -> Option<Op<'a>> {
        self.op()
    }
}
