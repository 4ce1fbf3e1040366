//! Addresses of accesses as sums, which the access itself computes: fewer passes over rows, and a look at one row tells whether the
//! lanes access consecutive memory.

use isa_runtime::body::{BinaryOp, Class, Run, Type};

use crate::lower::Context;
use crate::lower::values::Value;
use crate::operation::{Argument, Operation, OperationKind, dwords};
use crate::step::{Step, Sum};

impl Context<'_> {
    /// The address in a value: what it adds of scalars and constants apart from the number of each lane.
    pub(super) fn sum(&mut self, address: &Value) -> Sum {
        let row = Argument { row: self.row(address), ty: address.ty };
        let is_short = address.ty.total_bits() <= 32;
        let mut sum = Sum { row, scalar: None, offset: 0, is_short };
        // The steps that may compute a part.
        let mut steps = self.steps.as_slice();
        while let Some((before, Operation { kind: OperationKind::Binary(BinaryOp::Add), ty, args })) =
            self.producer(steps, sum.row)
        {
            steps = before;
            let [a, b] = **args else { break };
            let bits = [ty.total_bits(), a.ty.total_bits(), b.ty.total_bits()];
            if bits != [32; 3] && bits != [64; 3] {
                break;
            }
            let parts = [(a, b), (b, a)];
            if let Some((row, offset)) = parts.iter().find_map(|(row, other)| Some((row, self.constant_in(*other)?))) {
                sum = Sum { row: *row, offset: sum.offset.wrapping_add(offset), ..sum };
            } else if let Some((row, scalar)) =
                parts.iter().find_map(|(row, other)| Some((row, self.scalar_in(*other)?)))
                && sum.scalar.is_none()
            {
                sum = Sum { row: *row, scalar: Some(scalar), ..sum };
            } else {
                break;
            }
        }
        // The extension of a dword.
        if let Some((_, Operation { kind: OperationKind::Cast, args, .. })) = self.producer(steps, sum.row)
            && let [from] = **args
            && from.ty.total_bits() == 32
            && matches!(from.ty.class(), Class::Bits | Class::Unsigned)
        {
            sum.row = from;
        }
        sum
    }

    /// The address of a scalar access, whose two low bits are cut off in the end: they need not be cut off in its parts, if the others
    /// are multiples of 4.
    pub(super) fn scalar_sum(&mut self, address: &Value) -> Sum {
        let sum = self.sum(address);
        let is_aligned = sum.scalar.is_none() && sum.offset.is_multiple_of(4);
        match self.producer(&self.steps, sum.row) {
            Some((_, Operation { kind: OperationKind::Binary(BinaryOp::And), ty, args })) if is_aligned => match **args
            {
                [row, mask] if self.constant_in(mask) == Some(!3) && ty.total_bits() == 64 => Sum { row, ..sum },
                _ => sum,
            },
            _ => sum,
        }
    }

    /// A row whose low bytes are those of a value that a store of a type writes.
    pub(super) fn stored(&mut self, ty: Type, value: &Value) -> u16 {
        let row = self.row(value);
        let is_whole = ty.total_bits().is_multiple_of(8) && ty.total_bits() <= value.ty.total_bits().min(32);
        match self.producer(&self.steps, Argument { row, ty: value.ty }) {
            Some((_, Operation { kind: OperationKind::Slice(0), args, .. })) if is_whole => {
                args.first().map_or(row, |from| from.row)
            }
            _ => row,
        }
    }

    /// The operation that computes the rows of an argument, and the steps before it. Rows of temporaries are written once.
    fn producer<'s>(&self, steps: &'s [Step], argument: Argument) -> Option<(&'s [Step], &'s Operation)> {
        let operation = |step: &'s Step| match step {
            Step::Lanes(primitive) if self.run == Run::Lanes => Some((primitive.dst, &primitive.operation)),
            Step::Wave(primitive) if self.run == Run::Wave => Some((primitive.dst, &primitive.operation)),
            _ => None,
        };
        let at = steps.iter().rposition(|step| operation(step).is_some_and(|(dst, _)| dst == argument.row))?;
        Some((steps.get(..at)?, operation(steps.get(at)?)?.1))
    }

    /// The number that an argument is, if it is a constant of at most 64 bits.
    fn constant_in(&self, argument: Argument) -> Option<u64> {
        let (first, constants) = match self.run {
            Run::Lanes => (self.program.wide_constants(), &self.program.wide.dwords),
            Run::Wave => (self.program.scalar_constants(), &self.program.scalar.dwords),
        };
        let at = usize::from(argument.row.checked_sub(first)?);
        let low = u64::from(*constants.get(at)?);
        match dwords(argument.ty) {
            1 => Some(low),
            2 => Some(u64::from(*constants.get(at + 1)?) << 32 | low),
            _ => None,
        }
    }

    /// The scalar rows that an argument of lanes has its value from.
    fn scalar_in(&self, argument: Argument) -> Option<Argument> {
        let count = dwords(argument.ty);
        let broadcast = self.broadcasts.iter().find(|known| (known.count, known.row) == (count, argument.row))?;
        (self.run == Run::Lanes)
            .then_some(Argument { row: broadcast.scalar, ty: Type::new(Class::Unsigned, 32 * count, 1) })
    }

    /// The scalar rows that hold a value which is the same in all lanes.
    pub(super) fn uniform(&mut self, value: &Value) -> u16 {
        if let (Some(bits), None) = (value.known, value.row) {
            return self.scalar_constant(bits, value.ty);
        }
        let row = self.row(value);
        if self.run == Run::Wave {
            return row;
        }
        let found = self.scalar_in(Argument { row, ty: value.ty });
        if found.is_none() {
            self.fail("it accesses a buffer whose resource or scalar offset is not in scalar registers");
        }
        found.map_or(0, |scalar| scalar.row)
    }
}
