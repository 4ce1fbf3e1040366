//! Joins operations of an instruction into one where a fused operation computes the same: fewer passes over rows.
//!
//! Patterns are those of operations and types, wherever bodies contain them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;

use isa_runtime::body::{BinaryOp, Builtin, Class, Type};

use crate::operation::{Argument, Link, Operation, OperationKind, dwords};
use crate::primitive::Primitive;
use crate::rows::{Row, Single, Wide};
use crate::step::Step;
use crate::units::Relation;

/// The type of dwords in fused operations.
const DWORD: Type = Type::new(Class::Bits, 32, 1);

/// Rows that operations of a kind of step compute.
trait Fusible: Row {
    /// The operation of a step, if it computes such rows.
    fn primitive(step: &Step) -> Option<&Primitive<Self>>;
    /// The step of an operation.
    fn step(primitive: Primitive<Self>) -> Step;
}

impl Fusible for Wide {
    fn primitive(step: &Step) -> Option<&Primitive<Self>> {
        match step {
            Step::Lanes(primitive) => Some(primitive),
            _ => None,
        }
    }

    fn step(primitive: Primitive<Self>) -> Step {
        Step::Lanes(primitive)
    }
}

impl Fusible for Single {
    fn primitive(step: &Step) -> Option<&Primitive<Self>> {
        match step {
            Step::Wave(primitive) => Some(primitive),
            _ => None,
        }
    }

    fn step(primitive: Primitive<Self>) -> Step {
        Step::Wave(primitive)
    }
}

/// The steps of an instruction, with what later steps read.
struct Fuser<'a, R> {
    steps: &'a mut Vec<Step>,
    /// Whether a row is a temporary.
    is_temporary: &'a dyn Fn(u16) -> bool,
    /// The dword that a row holds in all lanes, if it is a constant.
    constant: &'a dyn Fn(u16) -> Option<u32>,
    rows: PhantomData<R>,
}

/// Fuses operations on scalar rows: shifts by the lowest bits of a count, the upper halves of products, and sums and differences with a
/// carry. The interpreter has no others that runs execute.
pub(crate) fn fuse_scalars(
    steps: &mut Vec<Step>,
    is_temporary: &dyn Fn(u16) -> bool,
    constant: &dyn Fn(u16) -> Option<u32>,
) {
    Fuser::<Single> { steps, is_temporary, constant, rows: PhantomData }.fuse(|fuser, at| {
        let primitive = fuser.primitive(at)?;
        let (operation, dst) = (&primitive.operation, primitive.dst);
        let fused = match operation.kind {
            OperationKind::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr)) => {
                fuser.masked(at, op, operation).or_else(|| fuser.high(at, op, operation, dst))
            }
            OperationKind::Binary(BinaryOp::Add | BinaryOp::Sub) => {
                let same =
                    |kind| [Link::Add, Link::Sub].into_iter().any(|link| kind == OperationKind::Chain(link, link));
                fuser.chain(at, operation).filter(|(chain, _)| same(chain.kind))
            }
            _ => None,
        };
        fused.map(|(operation, gone)| Fused { operation, dst, gone })
    });
}

/// Fuses operations on wide rows.
pub(crate) fn fuse(steps: &mut Vec<Step>, is_temporary: &dyn Fn(u16) -> bool, constant: &dyn Fn(u16) -> Option<u32>) {
    Fuser::<Wide> { steps: &mut *steps, is_temporary, constant, rows: PhantomData }.fuse(Fuser::fused);
    let broadcasts: Vec<u16> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Broadcast { dst, .. } => Some(*dst),
            _ => None,
        })
        .collect();
    for step in steps {
        if let Step::Lanes(primitive) = step {
            primitive.specialize(&|row| constant(row).is_some() || broadcasts.contains(&row));
        }
    }
}

/// A fused operation.
struct Fused {
    operation: Operation,
    /// The first row of its result.
    dst: u16,
    /// The steps that it replaces besides the last one.
    gone: Vec<usize>,
}

impl<R: Fusible> Fuser<'_, R> {
    /// Replaces operations for which `fused` finds a fused one.
    fn fuse(mut self, fused: impl Fn(&Self, usize) -> Option<Fused>) {
        let mut at = 0;
        while at < self.steps.len() {
            // An operation that was fused may be fused again.
            while let Some(fused) = fused(&self, at) {
                at -= self.replace(at, fused);
            }
            at += 1;
        }
    }

    /// Replaces steps; returns how many before `at` are gone.
    fn replace(&mut self, at: usize, Fused { operation, dst, mut gone }: Fused) -> usize {
        if let Some(step) = self.steps.get_mut(at) {
            *step = R::step(Primitive::new(operation, dst));
        }
        gone.sort_unstable();
        gone.dedup();
        for index in gone.iter().rev() {
            self.steps.remove(*index);
        }
        gone.len()
    }

    fn primitive(&self, at: usize) -> Option<&Primitive<R>> {
        R::primitive(self.steps.get(at)?)
    }

    /// The operation before `at` that computes an argument which nothing else reads, and its index.
    fn producer(&self, at: usize, argument: Argument) -> Option<(usize, &Operation)> {
        if !(self.is_temporary)(argument.row) {
            return None;
        }
        let rows = argument.row..argument.row.saturating_add(dwords(argument.ty));
        // Steps between that write registers could change what the operation reads.
        let found = (0..at).rev().map(|index| (index, self.steps.get(index)));
        let mut pure = found.take_while(|(_, step)| step.is_some_and(Step::is_pure));
        let (index, primitive) = pure.find_map(|(index, step)| {
            let primitive = R::primitive(step?).filter(|primitive| primitive.dst == argument.row)?;
            Some((index, primitive))
        })?;
        if self.reads(&rows, index) > 1 {
            return None;
        }
        Some((index, &primitive.operation))
    }

    /// How many steps after `index` read one of the rows.
    fn reads(&self, rows: &core::ops::Range<u16>, index: usize) -> usize {
        self.steps.iter().skip(index + 1).filter(|step| step.reads_rows(rows, R::IS_WIDE)).count()
    }

    /// Returns the fused operation that can replace the operation at an index.
    fn fused(&self, at: usize) -> Option<Fused> {
        let primitive = self.primitive(at)?;
        let (operation, dst) = (&primitive.operation, primitive.dst);
        let fused = match operation.kind {
            OperationKind::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr)) => {
                let masked = self.masked(at, op, operation);
                let funnel = masked.or_else(|| self.funnel(at, op, operation, dst));
                funnel.or_else(|| self.high(at, op, operation, dst))
            }
            OperationKind::Binary(op @ (BinaryOp::And | BinaryOp::Or)) if operation.ty.total_bits() == 1 => {
                self.related(at, op, operation)
            }
            OperationKind::Binary(BinaryOp::Add) if operation.ty.bits() == 128 => self.multiply_add(at, operation),
            OperationKind::Call(Builtin::BytePerm) => self.bytes_of_two(at, operation),
            OperationKind::Call(Builtin::Bfe) => self.field(at, operation),
            OperationKind::Binary(BinaryOp::Mul) if is_dword(operation) => self.product_24(at, operation),
            _ => None,
        };
        let fused = fused.or_else(|| self.blend(at, operation)).or_else(|| self.chain(at, operation));
        fused.map(|(operation, gone)| Fused { operation, dst, gone })
    }

    /// A field of a dword whose place and width are the lowest bits of rows: the function of the operation looks at these alone.
    fn field(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [value, offset, width] = *operation.args else { return None };
        if value.ty.total_bits() != 32 {
            return None;
        }
        let [(mut gone, offset_row), (others, width_row)] = [self.count(at, offset, 5)?, self.count(at, width, 5)?];
        gone.extend(others);
        let args = [value, Argument { row: offset_row.row, ..offset }, Argument { row: width_row.row, ..width }];
        let fused = Operation { args: Box::new(args), ..operation.clone() };
        (!gone.is_empty()).then_some((fused, gone))
    }

    /// The row of a shift count that is computed as the lowest `bits` bits of a row or has no more, and the step that cuts it.
    fn count(&self, at: usize, count: Argument, bits: u16) -> Option<(Vec<usize>, Argument)> {
        if count.ty != Type::new(Class::Unsigned, bits, 1) {
            return None;
        }
        if let Some((cut, Operation { kind: OperationKind::Slice(0), args, .. })) = self.producer(at, count)
            && let [whole] = **args
            && whole.ty.total_bits() == 32
        {
            return Some((Vec::from([cut]), Argument { row: whole.row, ty: DWORD }));
        }
        Some((Vec::new(), Argument { ty: DWORD, ..count }))
    }

    /// A shift by the lowest bits of a count.
    fn masked(&self, at: usize, op: BinaryOp, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [value, count] = *operation.args else { return None };
        let bits = match value.ty.bits() {
            32 => 5,
            64 => 6,
            _ => return None,
        };
        if !is_integer(value.ty) {
            return None;
        }
        let (gone, count) = self.count(at, count, bits)?;
        Some((Operation { kind: OperationKind::Masked(op), ty: operation.ty, args: Box::new([value, count]) }, gone))
    }

    /// The upper half of a product: a shift of a product of extended numbers.
    fn high(&self, at: usize, op: BinaryOp, operation: &Operation, dst: u16) -> Option<(Operation, Vec<usize>)> {
        let [value, count] = *operation.args else { return None };
        let is_wanted = op == BinaryOp::Shr && value.ty.bits() == 64 && value.ty.lanes() == 1;
        if !is_wanted || (self.constant)(count.row) != Some(32) || self.reads(&(dst + 1..dst + 2), at) > 0 {
            return None;
        }
        let (mul, product) = self.producer(at, value)?;
        let [a, b] = *product.args else { return None };
        if product.kind != OperationKind::Binary(BinaryOp::Mul) {
            return None;
        }
        let (first, a) = self.extended(mul, a, 32)?;
        let (second, b) = self.extended(mul, b, 32)?;
        let operation = Operation { kind: OperationKind::MulHigh, ty: DWORD, args: Box::new([a, b]) };
        Some((operation, [Some(mul), first, second].into_iter().flatten().collect()))
    }

    /// The number that an argument extends, and the operation that does; none extends a constant.
    fn extended(&self, at: usize, argument: Argument, bits: u16) -> Option<(Option<usize>, Argument)> {
        let Some((index, operation)) = self.producer(at, argument) else {
            return self.extended_constant(argument, bits).map(|constant| (None, constant));
        };
        let from = *operation.args.first()?;
        let is_number = matches!(from.ty.class(), Class::Signed | Class::Unsigned);
        let fits = operation.kind == OperationKind::Cast && from.ty.bits() == bits && from.ty.lanes() == 1;
        (fits && is_number).then_some((Some(index), from))
    }

    /// The lowest bits of a constant whose other bits are their extension.
    fn extended_constant(&self, argument: Argument, bits: u16) -> Option<Argument> {
        let Argument { row, ty } = argument;
        let constant = |at: u16| (self.constant)(row.saturating_add(at));
        let is_negative = ty.class() == Class::Signed && constant(bits / 32 - 1)? >> 31 != 0;
        let extension = if is_negative { u32::MAX } else { 0 };
        let is_extended = (bits / 32..dwords(ty)).all(|at| constant(at) == Some(extension));
        is_extended.then_some(Argument { row, ty: Type::new(ty.class(), bits, 1) })
    }

    /// The product of the lowest 24 bits of two dwords.
    fn product_24(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [a, b] = *operation.args else { return None };
        let [(first, a), (second, b)] = [self.number_24(at, a)?, self.number_24(at, b)?];
        let fused = Operation { args: Box::new([a, b]), ..operation.clone() };
        (a.ty == b.ty).then_some((fused, Vec::from([first, second])))
    }

    /// The row of which an argument is the lowest 24 bits, extended by their sign if they have one, and the step that extends them or sets
    /// the other bits to 0.
    fn number_24(&self, at: usize, argument: Argument) -> Option<(usize, Argument)> {
        let (index, operation) = self.producer(at, argument)?;
        let [from] = *operation.args else { return None };
        let class = match operation.kind {
            OperationKind::Cast if from.ty == Type::new(Class::Signed, 24, 1) => Class::Signed,
            OperationKind::Slice(0) if operation.ty == Type::new(Class::Unsigned, 24, 1) => Class::Unsigned,
            _ => return None,
        };
        (from.ty.total_bits() <= 32).then_some((index, Argument { row: from.row, ty: Type::new(class, 24, 1) }))
    }

    /// A product of two extended numbers and a number of 64 bits, of which the lower 65 bits matter.
    fn multiply_add(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [product, addend] = *operation.args else { return None };
        let (mul, of_product) = self.producer(at, product)?;
        if of_product.kind != OperationKind::Binary(BinaryOp::Mul) {
            return None;
        }
        let [a, b] = *of_product.args else { return None };
        let (first, a) = self.extended(mul, a, 32)?;
        let (second, b) = self.extended(mul, b, 32)?;
        let (third, c) = self.extended(at, addend, 64)?;
        let operation = Operation { kind: OperationKind::MulAdd, ty: operation.ty, args: Box::new([a, b, c]) };
        Some((operation, [Some(mul), first, second, third].into_iter().flatten().collect()))
    }

    /// The lower half of a shift of two joined dwords.
    fn funnel(&self, at: usize, op: BinaryOp, operation: &Operation, dst: u16) -> Option<(Operation, Vec<usize>)> {
        let [value, count] = *operation.args else { return None };
        if op != BinaryOp::Shr || value.ty.bits() != 64 || self.reads(&(dst + 1..dst + 2), at) > 0 {
            return None;
        }
        let (join, of_value) = self.producer(at, value)?;
        let [low, high] = *of_value.args else { return None };
        let dwords = low.ty.total_bits() == 32 && high.ty.total_bits() == 32;
        if of_value.kind != OperationKind::Call(Builtin::Join) || !dwords {
            return None;
        }
        let (mut gone, count) = self.count(at, count, 5)?;
        gone.push(join);
        Some((Operation { kind: OperationKind::Funnel, ty: DWORD, args: Box::new([low, high, count]) }, gone))
    }

    /// Bytes of two joined dwords.
    fn bytes_of_two(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [value, selectors] = *operation.args else { return None };
        let (mut join, mut of_value) = self.producer(at, value)?;
        let mut gone = Vec::from([join]);
        // The dwords as one number.
        if of_value.kind == OperationKind::Cast {
            (join, of_value) = self.producer(join, *of_value.args.first()?)?;
            gone.push(join);
        }
        let [low, high] = *of_value.args else { return None };
        let dwords = low.ty.total_bits() == 32 && high.ty.total_bits() == 32;
        if of_value.kind != OperationKind::Call(Builtin::Join) || !dwords || value.ty.total_bits() != 64 {
            return None;
        }
        let args = Box::new([low, high, selectors]);
        Some((Operation { kind: OperationKind::BytesOfTwo, ty: operation.ty, args }, gone))
    }

    /// A relation of two f32 that is written as two: `a < b || a > b`, `a == a && b == b`, `a != a || b != b`.
    fn related(&self, at: usize, op: BinaryOp, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        const FLOAT: Type = Type::new(Class::Float, 32, 1);
        let [left, right] = *operation.args else { return None };
        let (first, left) = self.producer(at, left)?;
        let (second, right) = self.producer(at, right)?;
        let ([a, b], [c, d]) = (&*left.args, &*right.args) else { return None };
        if [a, b, c, d].iter().any(|arg| arg.ty != FLOAT) {
            return None;
        }
        let is_of_each = a.row == b.row && c.row == d.row;
        let (relation, args) = match (op, left.kind, right.kind) {
            (BinaryOp::Or, OperationKind::Binary(BinaryOp::Lt), OperationKind::Binary(BinaryOp::Gt))
                if a.row == c.row && b.row == d.row =>
            {
                (Relation::Lg, [*a, *b])
            }
            (BinaryOp::And, OperationKind::Binary(BinaryOp::Eq), OperationKind::Binary(BinaryOp::Eq)) if is_of_each => {
                (Relation::Ordered, [*a, *c])
            }
            (BinaryOp::Or, OperationKind::Binary(BinaryOp::Ne), OperationKind::Binary(BinaryOp::Ne)) if is_of_each => {
                (Relation::Unordered, [*a, *c])
            }
            _ => return None,
        };
        let kind = OperationKind::Related(relation);
        Some((Operation { kind, ty: operation.ty, args: Box::new(args) }, Vec::from([first, second])))
    }

    /// `a & b | !a & c`.
    fn blend(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let [left, right] = *operation.args else { return None };
        if operation.kind != OperationKind::Binary(BinaryOp::Or) || !is_dword(operation) {
            return None;
        }
        let is_and = |found: Option<(usize, &Operation)>| {
            let (index, operation) = found?;
            let [a, b] = *operation.args else { return None };
            (operation.kind == OperationKind::Binary(BinaryOp::And)).then_some((index, a, b))
        };
        let (first, a, b) = is_and(self.producer(at, left))?;
        let (second, not_a, c) = is_and(self.producer(at, right))?;
        let (third, of_not) = self.producer(second, not_a)?;
        let is_not = matches!(of_not.kind, OperationKind::Unary(isa_runtime::body::UnaryOp::Not));
        if !is_not || of_not.args.first()?.row != a.row {
            return None;
        }
        let args = Box::new([a, b, c]);
        Some((Operation { kind: OperationKind::Blend, ty: operation.ty, args }, Vec::from([first, second, third])))
    }

    /// Two operators in a row.
    fn chain(&self, at: usize, operation: &Operation) -> Option<(Operation, Vec<usize>)> {
        let second = link(operation)?;
        let [left, right] = *operation.args else { return None };
        let commutes = !matches!(second, Link::Sub | Link::Shl | Link::Shr);
        let sides = [Some((left, right)), commutes.then_some((right, left))];
        sides.into_iter().flatten().find_map(|(inner, c)| {
            let (index, first) = self.producer(at, inner)?;
            let [a, b] = *first.args else { return None };
            let kind = OperationKind::Chain(link(first)?, second);
            Some((Operation { kind, ty: operation.ty, args: Box::new([a, b, c]) }, Vec::from([index])))
        })
    }
}

/// Whether a type is one integer.
fn is_integer(ty: Type) -> bool {
    matches!(ty.class(), Class::Bits | Class::Unsigned | Class::Signed) && ty.lanes() == 1
}

/// Whether an operation computes one dword from dwords.
fn is_dword(operation: &Operation) -> bool {
    let dword = |ty: Type| is_integer(ty) && ty.bits() == 32;
    dword(operation.ty) && operation.args.iter().all(|arg| dword(arg.ty))
}

/// The operator of an operation on dwords, as a link of a chain.
fn link(operation: &Operation) -> Option<Link> {
    if !is_dword(operation) {
        return None;
    }
    Some(match operation.kind {
        OperationKind::Binary(BinaryOp::Add) => Link::Add,
        OperationKind::Binary(BinaryOp::Sub) => Link::Sub,
        OperationKind::Binary(BinaryOp::Mul) => Link::Mul,
        OperationKind::Binary(BinaryOp::And) => Link::And,
        OperationKind::Binary(BinaryOp::Or) => Link::Or,
        OperationKind::Binary(BinaryOp::Xor) => Link::Xor,
        OperationKind::Masked(BinaryOp::Shl) => Link::Shl,
        OperationKind::Masked(BinaryOp::Shr) if operation.ty.class() != Class::Signed => Link::Shr,
        _ => return None,
    })
}
