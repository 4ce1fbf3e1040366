//! The most frequent operations, which the interpreter computes without a call.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

use crate::num::Format;
use crate::operation::{Link, Operation, OperationKind, format};
use crate::primitive::extremes::{extreme, in_both_orders};
use crate::primitive::functions::{borrow_of, carry_of};
use crate::primitive::{Env, Primitive};
use crate::rows::{File, LANES, Row, Single, Wide};
use crate::units::{Numbers, Relation, Unit};

/// A closure that is inlined: the vector units of its caller are those that it is compiled for.
macro_rules! inline {
    (|$($arg:pat_param),*| $body:expr) => {
        #[inline(always)]
        |$($arg),*| $body
    };
}

/// An operation that the interpreter knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quick {
    /// None: its function is called.
    None,
    Copy,
    Not,
    /// The dword of a scalar row in all lanes.
    Broadcast,
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Sar,
    /// Shifts by a count that is the same in all lanes.
    ShlBy,
    ShrBy,
    SarBy,
    Blend,
    /// Two operators, as [`OperationKind::Chain`] has them, of which shifts are by a count that is the same in all lanes.
    AddAdd,
    SubSub,
    ShlAdd,
    AddShl,
    ShlOr,
    AndOr,
    OrOr,
    XorXor,
    XorAdd,
    Select,
    AddFloat,
    SubFloat,
    MulFloat,
    MinFloat,
    MaxFloat,
    Fma,
    /// `a & !b`.
    AndNot,
    /// The upper dword of a product of unsigned numbers. Of scalar rows only.
    MulHigh,
    /// The carry of a sum of two dwords and a carry, and the borrow of a difference: comparisons in lanes.
    Carry,
    Borrow,
    /// The lowest bits of a dword, and one bit of it. Of scalar rows only.
    Lowest,
    Bit,
    /// The first of two dwords if [`Primitive::relation`] holds, or else the second. Of scalar rows only.
    Extreme,
    /// A comparison: [`Primitive::relation`] says which.
    Compare,
    /// The bits of a mask in scalar rows: one for each lane, and the choice between two rows by them.
    Expand,
    Choose,
    /// The first dword's low half, in the low or the high half of the second dword.
    LowHalf,
    HighHalf,
    /// Comparisons that write a mask to scalar rows.
    EqFloat,
    LtFloat,
    LeFloat,
    LgFloat,
    OrderedFloat,
    EqDword,
    LtSigned,
    LtUnsigned,
    CarryMask,
    BorrowMask,
}

/// The relation that an operation compares its arguments by, also to select one of them, and what they are compared as.
pub(super) fn relation_of(operation: &Operation) -> Option<(Relation, Numbers)> {
    let op = match operation.kind {
        OperationKind::Binary(op) => op,
        OperationKind::Related(relation) => return Some((relation, Numbers::Float)),
        OperationKind::Call(Builtin::Min) if has_dwords(operation) => BinaryOp::Lt,
        OperationKind::Call(Builtin::Max) if has_dwords(operation) => BinaryOp::Gt,
        _ => return None,
    };
    let numbers = if has_floats(operation) {
        Numbers::Float
    } else if has_dwords(operation) {
        let is_signed = operation.args.first().is_some_and(|arg| arg.ty.class() == Class::Signed);
        if is_signed { Numbers::Signed } else { Numbers::Unsigned }
    } else {
        return None;
    };
    Some((relation(op)?, numbers))
}

fn is_dword(ty: Type) -> bool {
    ty.lanes() == 1 && ty.bits() == 32 && format(ty).is_none() && ty.class() != Class::Mask
}

/// Whether all arguments are integers of 32 bits.
fn has_dwords(operation: &Operation) -> bool {
    operation.args.iter().all(|arg| is_dword(arg.ty))
}

/// Whether the arguments are two integers of 32 bits and a carry.
fn adds_dwords(operation: &Operation) -> bool {
    let [a, b, carry] = &*operation.args else { return false };
    is_dword(a.ty) && is_dword(b.ty) && carry.ty.total_bits() == 1
}

/// Whether the arguments are a dword and the number of one of its bits.
fn is_bit_of_dword(operation: &Operation) -> bool {
    let [value, index] = &*operation.args else { return false };
    is_dword(value.ty) && index.ty == Type::new(Class::Unsigned, 5, 1)
}

/// Whether all arguments are f32.
fn has_floats(operation: &Operation) -> bool {
    operation.args.iter().all(|arg| format(arg.ty) == Some(Format::F32) && arg.ty.lanes() == 1)
}

impl Quick {
    /// What the interpreter knows of an operation.
    pub fn of(operation: &Operation) -> Quick {
        let ty = operation.ty;
        let (is_float, dwords) = (has_floats(operation), has_dwords(operation));
        match operation.kind {
            OperationKind::Cast if dwords && is_dword(ty) => Quick::Copy,
            OperationKind::Unary(UnaryOp::Not) if dwords => Quick::Not,
            OperationKind::Binary(_) | OperationKind::Related(_) if relation_of(operation).is_some() => Quick::Compare,
            OperationKind::Binary(op) if is_float => Quick::of_floats(op),
            OperationKind::Binary(op) if dwords => Quick::of_dwords(op),
            OperationKind::Masked(op) if dwords => match (op, ty.class() == Class::Signed) {
                (BinaryOp::Shl, _) => Quick::Shl,
                (BinaryOp::Shr, false) => Quick::Shr,
                (BinaryOp::Shr, true) => Quick::Sar,
                _ => Quick::None,
            },
            OperationKind::Blend if dwords => Quick::Blend,
            OperationKind::AndNot if dwords => Quick::AndNot,
            OperationKind::MulHigh if operation.args.iter().all(|arg| arg.ty.class() != Class::Signed) => {
                Quick::MulHigh
            }
            OperationKind::Chain(Link::Add, Link::Add) => Quick::AddAdd,
            OperationKind::Chain(Link::Sub, Link::Sub) => Quick::SubSub,
            OperationKind::Chain(Link::And, Link::Or) => Quick::AndOr,
            OperationKind::Chain(Link::Or, Link::Or) => Quick::OrOr,
            OperationKind::Chain(Link::Xor, Link::Xor) => Quick::XorXor,
            OperationKind::Chain(Link::Xor, Link::Add) => Quick::XorAdd,
            OperationKind::Select if ty.total_bits() == 32 => Quick::Select,
            OperationKind::Call(Builtin::Fma) if is_float => Quick::Fma,
            OperationKind::Call(Builtin::Min) if is_float => Quick::MinFloat,
            OperationKind::Call(Builtin::Max) if is_float => Quick::MaxFloat,
            OperationKind::Call(Builtin::Min | Builtin::Max) if dwords && is_dword(ty) => Quick::Extreme,
            OperationKind::Call(Builtin::Carry) if adds_dwords(operation) => Quick::Carry,
            OperationKind::Call(Builtin::Borrow) if adds_dwords(operation) => Quick::Borrow,
            OperationKind::Slice(0) if ty.total_bits() < 32 && dwords => Quick::Lowest,
            OperationKind::Bit if is_bit_of_dword(operation) => Quick::Bit,
            _ => Quick::None,
        }
    }

    /// The same where the counts of shifts are the same in all lanes.
    pub fn uniform(self, operation: &Operation) -> Quick {
        match (self, operation.kind) {
            (Quick::Shl, _) => Quick::ShlBy,
            (Quick::Shr, _) => Quick::ShrBy,
            (Quick::Sar, _) => Quick::SarBy,
            (_, OperationKind::Chain(Link::Shl, Link::Add)) => Quick::ShlAdd,
            (_, OperationKind::Chain(Link::Add, Link::Shl)) => Quick::AddShl,
            (_, OperationKind::Chain(Link::Shl, Link::Or)) => Quick::ShlOr,
            (quick, _) => quick,
        }
    }

    fn of_floats(op: BinaryOp) -> Quick {
        match op {
            BinaryOp::Add => Quick::AddFloat,
            BinaryOp::Sub => Quick::SubFloat,
            BinaryOp::Mul => Quick::MulFloat,
            _ => Quick::None,
        }
    }

    fn of_dwords(op: BinaryOp) -> Quick {
        match op {
            BinaryOp::Add => Quick::Add,
            BinaryOp::Sub => Quick::Sub,
            BinaryOp::Mul => Quick::Mul,
            BinaryOp::And => Quick::And,
            BinaryOp::Or => Quick::Or,
            BinaryOp::Xor => Quick::Xor,
            _ => Quick::None,
        }
    }
}

/// The relation of an operator.
fn relation(op: BinaryOp) -> Option<Relation> {
    Some(match op {
        BinaryOp::Eq => Relation::Eq,
        BinaryOp::Ne => Relation::Ne,
        BinaryOp::Lt => Relation::Lt,
        BinaryOp::Le => Relation::Le,
        BinaryOp::Gt => Relation::Gt,
        BinaryOp::Ge => Relation::Ge,
        _ => return None,
    })
}

/// 32 lanes of a wave.
pub(crate) struct LaneFile<'a> {
    /// Their rows.
    pub file: &'a mut File<Wide>,
    /// Those that write.
    pub writing: u32,
    /// Which half of the wave they are: the scalar row of their bits, from the first one of a mask on.
    pub half: u16,
}

/// An operation on wide rows, as runs hold it.
#[derive(Clone, Copy, Debug)]
pub struct VectorOperation {
    quick: Quick,
    /// Whether all lanes are stored, and not only those that write.
    is_whole: bool,
    /// Of a comparison: whether its bits are those of lanes in which it does not hold.
    negated: bool,
    /// Of a comparison: the bit of inactive lanes; `None`: they keep theirs.
    pub(crate) inactive: Option<bool>,
    /// The rows of the arguments.
    args: [u16; 3],
    /// The row of the result: of a comparison the first scalar row of the mask.
    pub(crate) dst: u16,
    /// In a run: how many steps of the code lie between the first one of the run and that of the operation.
    pub(crate) distance: u16,
}

impl VectorOperation {
    /// An operation whose result is stored in the lanes that write, or in all.
    #[inline(always)]
    pub(crate) const fn new(primitive: &Primitive<Wide>, dst: u16, is_whole: bool) -> Self {
        VectorOperation { is_whole, ..Self::of(primitive.quick, primitive.args, dst) }
    }

    /// An operation whose result is stored in the lanes that write.
    #[inline(always)]
    const fn of(quick: Quick, args: [u16; 3], dst: u16) -> Self {
        VectorOperation { quick, is_whole: false, negated: false, inactive: None, args, dst, distance: 0 }
    }

    /// A copy of a scalar row to all lanes.
    #[inline(always)]
    pub(crate) const fn broadcast(dst: u16, src: u16) -> Self {
        VectorOperation { is_whole: true, ..Self::of(Quick::Broadcast, [src, 0, 0], dst) }
    }

    /// The bit of each lane in a mask, whose first scalar row is `src`.
    #[inline(always)]
    pub(crate) const fn expand(dst: u16, src: u16) -> Self {
        VectorOperation { is_whole: true, ..Self::of(Quick::Expand, [src, 0, 0], dst) }
    }

    /// One of two rows in each lane that writes, by its bit of a mask.
    #[inline(always)]
    pub(crate) const fn choose(mask: u16, [yes, no]: [u16; 2], dst: u16) -> Self {
        Self::of(Quick::Choose, [mask, yes, no], dst)
    }

    /// The low half of each lane of a row, in a half of a vector register.
    #[inline(always)]
    pub(crate) const fn half(src: u16, dst: u16, high: bool) -> Self {
        Self::of(if high { Quick::HighHalf } else { Quick::LowHalf }, [src, dst, 0], dst)
    }

    /// A comparison that writes a bit for each lane to scalar rows.
    pub(crate) fn comparison(primitive: &Primitive<Wide>, dst: u16, inactive: Option<bool>, negated: bool) -> Self {
        let quick = match (primitive.relation, primitive.quick) {
            (Some((Relation::Eq | Relation::Ne, Numbers::Float)), _) => Quick::EqFloat,
            (Some((Relation::Lt | Relation::Gt, Numbers::Float)), _) => Quick::LtFloat,
            (Some((Relation::Le | Relation::Ge, Numbers::Float)), _) => Quick::LeFloat,
            (Some((Relation::Lg, _)), _) => Quick::LgFloat,
            (Some((Relation::Ordered | Relation::Unordered, _)), _) => Quick::OrderedFloat,
            (Some((Relation::Eq | Relation::Ne, _)), _) => Quick::EqDword,
            (Some((_, Numbers::Signed)), _) => Quick::LtSigned,
            (Some((_, Numbers::Unsigned)), _) => Quick::LtUnsigned,
            (None, Quick::Carry) => Quick::CarryMask,
            (None, Quick::Borrow) => Quick::BorrowMask,
            (None, _) => Quick::None,
        };
        // `a > b` is `b < a`, and `a <= b` is the opposite of `b < a` unless there are NaNs.
        let is_swapped = match primitive.relation {
            Some((Relation::Gt, _)) => true,
            Some((Relation::Ge, numbers)) => numbers == Numbers::Float,
            Some((Relation::Le, numbers)) => numbers != Numbers::Float,
            _ => false,
        };
        let mut args = primitive.args;
        if is_swapped {
            args.swap(0, 1);
        }
        VectorOperation { negated: negated != is_opposite(primitive), inactive, ..Self::of(quick, args, dst) }
    }

    /// The bits of a comparison, where the function of its primitive has computed those in which that holds.
    pub(crate) fn mask_of(&self, primitive: &Primitive<Wide>, bits: u32) -> u32 {
        bits ^ if self.negated != is_opposite(primitive) { u32::MAX } else { 0 }
    }

    /// Computes the operation, and stores the lanes that write. False, and nothing is stored, if that needs a call of the function.
    #[inline(always)]
    pub(crate) fn execute<U: Unit>(
        &self,
        unit: U,
        lanes: &mut LaneFile<'_>,
        scalar: &mut File<Single>,
        env: &Env,
    ) -> bool {
        let LaneFile { file, writing, half } = lanes;
        let mask = if self.is_whole { u32::MAX } else { *writing };
        match self.quick {
            Quick::Copy => self.map(file, mask, inline!(|[a]| a)),
            Quick::Not => self.map(file, mask, inline!(|[a]| !a)),
            Quick::Broadcast => {
                file.set_row(self.dst, Wide([scalar.row(self.args[0]).0[0]; LANES]));
                true
            }
            Quick::Add => self.map(file, mask, inline!(|[a, b]| a.wrapping_add(b))),
            Quick::Sub => self.map(file, mask, inline!(|[a, b]| a.wrapping_sub(b))),
            Quick::Mul => self.map(file, mask, inline!(|[a, b]| a.wrapping_mul(b))),
            Quick::And => self.map(file, mask, inline!(|[a, b]| a & b)),
            Quick::Or => self.map(file, mask, inline!(|[a, b]| a | b)),
            Quick::Xor => self.map(file, mask, inline!(|[a, b]| a ^ b)),
            Quick::ShlBy => {
                let count = self.count(file, 1);
                self.map(file, mask, inline!(|[a]| a << count))
            }
            Quick::ShrBy => {
                let count = self.count(file, 1);
                self.map(file, mask, inline!(|[a]| a >> count))
            }
            Quick::SarBy => {
                let count = self.count(file, 1);
                self.map(file, mask, inline!(|[a]| (a as i32 >> count) as u32))
            }
            Quick::Blend => self.map(file, mask, inline!(|[a, b, c]| a & b | !a & c)),
            Quick::AddAdd => self.map(file, mask, inline!(|[a, b, c]| a.wrapping_add(b).wrapping_add(c))),
            Quick::SubSub => self.map(file, mask, inline!(|[a, b, c]| a.wrapping_sub(b).wrapping_sub(c))),
            Quick::AndOr => self.map(file, mask, inline!(|[a, b, c]| a & b | c)),
            Quick::OrOr => self.map(file, mask, inline!(|[a, b, c]| a | b | c)),
            Quick::XorXor => self.map(file, mask, inline!(|[a, b, c]| a ^ b ^ c)),
            Quick::XorAdd => self.map(file, mask, inline!(|[a, b, c]| (a ^ b).wrapping_add(c))),
            Quick::ShlAdd => {
                let count = self.count(file, 1);
                self.map(file, mask, inline!(|[a, _, c]| (a << count).wrapping_add(c)))
            }
            Quick::AddShl => {
                let count = self.count(file, 2);
                self.map(file, mask, inline!(|[a, b]| a.wrapping_add(b) << count))
            }
            Quick::ShlOr => {
                let count = self.count(file, 1);
                self.map(file, mask, inline!(|[a, _, c]| a << count | c))
            }
            Quick::Select => self.map(file, mask, inline!(|[a, b, c]| if a & 1 != 0 { b } else { c })),
            Quick::AddFloat => {
                self.float(unit, file, env, mask, inline!(|[a, b]| same(of_two(a, b, inline!(|a, b| a + b)))))
            }
            Quick::SubFloat => {
                self.float(unit, file, env, mask, inline!(|[a, b]| same(of_two(a, b, inline!(|a, b| a - b)))))
            }
            Quick::MulFloat => {
                self.float(unit, file, env, mask, inline!(|[a, b]| same(of_two(a, b, inline!(|a, b| a * b)))))
            }
            Quick::MinFloat => self.float(unit, file, env, mask, inline!(|[a, b]| extremes::<false>(a, b))),
            Quick::MaxFloat => self.float(unit, file, env, mask, inline!(|[a, b]| extremes::<true>(a, b))),
            Quick::Fma if U::HAS_FMA => self.float(unit, file, env, mask, inline!(|rows| same(unit.fma_f32(rows)))),
            Quick::Expand => {
                file.set_row(self.dst, Wide::of_bits(scalar.row(self.args[0].saturating_add(*half)).0[0]));
                true
            }
            Quick::Choose => {
                let [first, yes, no] = self.args;
                let chosen = Wide::expand(scalar.row(first.saturating_add(*half)).0[0]);
                let row = file.row(yes).select(&chosen, file.row(no));
                file.set_lanes(self.dst, mask, row);
                true
            }
            Quick::LowHalf => self.map(file, mask, inline!(|[new, old]| old & 0xFFFF_0000 | new & 0xFFFF)),
            Quick::HighHalf => self.map(file, mask, inline!(|[new, old]| old & 0xFFFF | new << 16)),
            Quick::EqFloat => self.compare(unit, lanes, scalar, env, (Relation::Eq, Numbers::Float)),
            Quick::LtFloat => self.compare(unit, lanes, scalar, env, (Relation::Lt, Numbers::Float)),
            Quick::LeFloat => self.compare(unit, lanes, scalar, env, (Relation::Le, Numbers::Float)),
            Quick::LgFloat => self.compare(unit, lanes, scalar, env, (Relation::Lg, Numbers::Float)),
            Quick::OrderedFloat => self.compare(unit, lanes, scalar, env, (Relation::Ordered, Numbers::Float)),
            Quick::EqDword => self.compare(unit, lanes, scalar, env, (Relation::Eq, Numbers::Unsigned)),
            Quick::LtSigned => self.compare(unit, lanes, scalar, env, (Relation::Lt, Numbers::Signed)),
            Quick::LtUnsigned => self.compare(unit, lanes, scalar, env, (Relation::Lt, Numbers::Unsigned)),
            Quick::CarryMask => self.carry(unit, lanes, scalar, inline!(|a, b, c| carry_of(a, b, c))),
            Quick::BorrowMask => self.carry(unit, lanes, scalar, inline!(|a, b, c| borrow_of(a, b, c))),
            // Every other operation is listed: a wildcard would cost a comparison before the jump.
            Quick::None | Quick::Shl | Quick::Shr | Quick::Sar | Quick::Fma | Quick::AndNot => false,
            Quick::MulHigh | Quick::Compare | Quick::Carry | Quick::Borrow | Quick::Lowest | Quick::Extreme => false,
            Quick::Bit => false,
        }
    }

    /// The count of a shift, modulo 32, in an argument that is the same in all lanes.
    #[inline(always)]
    fn count(&self, file: &File<Wide>, argument: usize) -> u32 {
        file.get(self.args[argument], 0) & 31
    }

    /// Writes the lanes in which a relation holds.
    #[inline(always)]
    fn compare<U: Unit>(
        &self,
        unit: U,
        lanes: &LaneFile<'_>,
        scalar: &mut File<Single>,
        env: &Env,
        (relation, numbers): (Relation, Numbers),
    ) -> bool {
        let Some([a, b]) = self.rows::<2>(lanes.file) else { return false };
        let bits = if numbers == Numbers::Float && env.modes.f32.flush_inputs {
            unit.compare(relation, numbers, &flushed(a), &flushed(b))
        } else {
            unit.compare(relation, numbers, a, b)
        };
        let Some(bits) = bits else { return false };
        self.set_mask(lanes, scalar, bits);
        true
    }

    /// Writes the carry of each lane.
    #[inline(always)]
    fn carry<U: Unit>(
        &self,
        unit: U,
        lanes: &LaneFile<'_>,
        scalar: &mut File<Single>,
        f: impl Fn(u32, u32, u32) -> u32,
    ) -> bool {
        let Some([a, b, c]) = self.rows::<3>(lanes.file) else { return false };
        self.set_mask(lanes, scalar, unit.lowest(&of_three(a, b, c, f)));
        true
    }

    /// Writes the bits of a comparison.
    #[inline(always)]
    fn set_mask(&self, lanes: &LaneFile<'_>, scalar: &mut File<Single>, bits: u32) {
        let bits = bits ^ if self.negated { u32::MAX } else { 0 };
        scalar.set_bits(self.dst.saturating_add(lanes.half), bits, lanes.writing, self.inactive);
    }

    /// The rows of the first arguments. `None` if there are not as many rows, which no lowered code has: functions take zeros then.
    #[expect(
        clippy::manual_memcpy,
        reason = "the compiler reads a copied slice as one number, which it takes apart again"
    )]
    #[inline(always)]
    fn rows<'a, const N: usize>(&self, file: &'a File<Wide>) -> Option<[&'a Wide; N]> {
        let mut at = [0; N];
        for n in 0..N {
            at[n] = self.args[n];
        }
        file.get_rows(at)
    }

    /// Computes dwords from those in the same lane.
    #[inline(always)]
    fn map<const N: usize>(&self, file: &mut File<Wide>, mask: u32, f: impl Fn([u32; N]) -> u32) -> bool {
        let Some(rows) = self.rows::<N>(file) else { return false };
        let row = Wide::from_fn(
            #[inline(always)]
            |lane| {
                let mut dwords = [0; N];
                for n in 0..N {
                    dwords[n] = rows[n].0[lane];
                }
                f(dwords)
            },
        );
        file.set_lanes(self.dst, mask, row);
        true
    }

    /// Computes f32 by the host's instructions; false, and nothing is stored, if the mode or the values need the function. `f` returns the
    /// result and a row that is a NaN where an argument or the result is.
    #[inline(always)]
    fn float<U: Unit, const N: usize>(
        &self,
        unit: U,
        file: &mut File<Wide>,
        env: &Env,
        mask: u32,
        f: impl Fn([&Wide; N]) -> [Wide; 2],
    ) -> bool {
        let Some(rows) = self.rows::<N>(file) else { return false };
        let [row, checked] = f(rows);
        let needs_care = match env.modes.fast_f32 {
            Some(false) => unit.has_nan(&checked, mask),
            Some(true) => unit.has_nan_or_denormal(rows, &checked, mask),
            None => true,
        };
        if !needs_care {
            file.set_lanes(self.dst, mask, row);
        }
        !needs_care
    }
}

/// Whether an operation in line compares by the opposite of the relation of a primitive.
fn is_opposite(primitive: &Primitive<Wide>) -> bool {
    match primitive.relation {
        Some((Relation::Ne | Relation::Unordered, _)) => true,
        Some((Relation::Le | Relation::Ge, numbers)) => numbers != Numbers::Float,
        _ => false,
    }
}

/// A row of f32 whose denormals are zeros.
#[inline(always)]
fn flushed(row: &Wide) -> Wide {
    const SIGN: u32 = 0x8000_0000;
    const INFINITY: u32 = 0x7F80_0000;
    Wide::from_fn(
        #[inline(always)]
        |lane| row.0[lane] & (SIGN | if row.0[lane] & INFINITY != 0 { u32::MAX } else { 0 }),
    )
}

/// A result that is a NaN where an argument is.
#[inline(always)]
const fn same(row: Wide) -> [Wide; 2] {
    [row, row]
}

/// The smaller f32 in each lane, or the larger one if `MAX` is set, and a row that is a NaN where an argument is.
#[inline(always)]
fn extremes<const MAX: bool>(a: &Wide, b: &Wide) -> [Wide; 2] {
    let row = Wide::from_fn(
        #[inline(always)]
        |lane| extreme::<u32, MAX>(a.0[lane], b.0[lane]),
    );
    // All bits of a NaN make another number one.
    let checked = Wide::from_fn(
        #[inline(always)]
        |lane| {
            let [first, second] = in_both_orders::<u32, MAX>(a.0[lane], b.0[lane]);
            first | second
        },
    );
    [row, checked]
}

/// A row of the results of a function of two f32.
#[inline(always)]
fn of_two(a: &Wide, b: &Wide, f: impl Fn(f32, f32) -> f32) -> Wide {
    Wide::from_fn(
        #[inline(always)]
        |lane| f(f32::from_bits(a.0[lane]), f32::from_bits(b.0[lane])).to_bits(),
    )
}

/// A row of the results of a function of three dwords.
#[inline(always)]
fn of_three(a: &Wide, b: &Wide, c: &Wide, f: impl Fn(u32, u32, u32) -> u32) -> Wide {
    Wide::from_fn(
        #[inline(always)]
        |lane| f(a.0[lane], b.0[lane], c.0[lane]),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use std::boxed::Box;
    use std::vec::Vec;

    use super::*;
    use crate::num::Mode;
    use crate::operation::{Argument, Modes};
    use crate::units::{Baseline, Task, Units};

    const U32: Type = Type::new(Class::Unsigned, 32, 1);
    const U5: Type = Type::new(Class::Unsigned, 5, 1);
    const I32: Type = Type::new(Class::Signed, 32, 1);
    const F32: Type = Type::new(Class::Float, 32, 1);

    /// All operations that the interpreter knows: kind, result and arguments.
    pub fn operations() -> Vec<(OperationKind, Type, Vec<Type>)> {
        let mut all = Vec::from([
            (OperationKind::Cast, U32, Vec::from([I32])),
            (OperationKind::Unary(UnaryOp::Not), U32, Vec::from([U32])),
            (OperationKind::Blend, U32, Vec::from([U32; 3])),
            (OperationKind::AndNot, U32, Vec::from([U32; 2])),
            (OperationKind::MulHigh, U32, Vec::from([U32; 2])),
            (OperationKind::Select, U32, Vec::from([Type::BOOL, U32, U32])),
            (OperationKind::Call(Builtin::Fma), F32, Vec::from([F32; 3])),
            (OperationKind::Call(Builtin::Min), F32, Vec::from([F32; 2])),
            (OperationKind::Call(Builtin::Max), F32, Vec::from([F32; 2])),
            (OperationKind::Call(Builtin::Min), U32, Vec::from([U32; 2])),
            (OperationKind::Call(Builtin::Max), U32, Vec::from([U32; 2])),
            (OperationKind::Call(Builtin::Min), I32, Vec::from([I32; 2])),
            (OperationKind::Call(Builtin::Max), I32, Vec::from([I32; 2])),
            (OperationKind::Call(Builtin::Carry), Type::BOOL, Vec::from([U32, U32, Type::BOOL])),
            (OperationKind::Call(Builtin::Borrow), Type::BOOL, Vec::from([U32, U32, Type::BOOL])),
            (OperationKind::Slice(0), Type::BOOL, Vec::from([U32])),
            (OperationKind::Slice(0), U5, Vec::from([U32])),
            (OperationKind::Bit, Type::BOOL, Vec::from([U32, U5])),
        ]);
        for op in BinaryOp::ALL {
            for ty in [U32, I32, F32] {
                all.push((OperationKind::Binary(*op), if op.compares() { Type::BOOL } else { ty }, Vec::from([ty; 2])));
            }
        }
        for op in [BinaryOp::Shl, BinaryOp::Shr] {
            for ty in [U32, I32] {
                all.push((OperationKind::Masked(op), ty, Vec::from([ty, U32])));
            }
        }
        for relation in [Relation::Lg, Relation::Ordered, Relation::Unordered] {
            all.push((OperationKind::Related(relation), Type::BOOL, Vec::from([F32; 2])));
        }
        for first in Link::ALL {
            for second in Link::ALL {
                all.push((OperationKind::Chain(first, second), U32, Vec::from([U32; 3])));
            }
        }
        all
    }

    /// A dword: any, or a number that floats or integers treat in a special way. `state` is a sequence of random numbers.
    pub fn dword(state: &mut u64, with_special: bool) -> u32 {
        // Zeros, denormals, the least normal numbers, whose products with others are denormals, infinities and NaNs.
        const SPECIAL: [u32; 10] = [
            0,
            0x8000_0000,
            1,
            0x8000_1234,
            0x007F_FFFF,
            0x0080_0000,
            0x80FF_FFFF,
            0xFF80_0000,
            0x7FC0_0001,
            0x7F80_0001,
        ];
        *state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let random = (*state >> 32) as u32;
        match with_special && random.is_multiple_of(61) {
            true => SPECIAL[(random >> 8) as usize % 10],
            // Exponents near that of 1, so that sums are finite.
            false => random & 0x87FF_FFFF | 0x3800_0000,
        }
    }

    const ROUNDS: usize = 40;

    struct Execute<'a> {
        primitive: &'a Primitive<Wide>,
        file: &'a mut File<Wide>,
        env: Env,
    }

    impl Task for Execute<'_> {
        /// The bits of a comparison, negated, if it needs no call of its function.
        type Output = Option<u32>;

        fn run<U: Unit>(self, unit: U) -> Option<u32> {
            let mut scalar = File::new(1);
            let mut lanes = LaneFile { file: self.file, writing: u32::MAX, half: 0 };
            let is_comparison = matches!(self.primitive.quick, Quick::Compare | Quick::Carry | Quick::Borrow);
            let comparison = VectorOperation::comparison(self.primitive, 0, None, true);
            let is_done = is_comparison && comparison.execute(unit, &mut lanes, &mut scalar, &self.env);
            lanes.writing = self.env.mask;
            let operation = VectorOperation::new(self.primitive, 12, false);
            if !operation.execute(unit, &mut lanes, &mut scalar, &self.env) {
                (self.primitive.run)(lanes.file, self.primitive, &self.env, 12);
            }
            is_done.then(|| scalar.get(0, 0))
        }
    }

    #[test]
    fn a_half_of_a_register_keeps_the_other_half() {
        for (high, expected) in [(false, 0xAAAA_5678), (true, 0x5678_BBBB)] {
            let (mut file, mut scalar) = (File::<Wide>::new(2), File::new(1));
            file.set_row(0, Wide([0x1234_5678; LANES]));
            file.set_row(1, Wide([0xAAAA_BBBB; LANES]));
            let mut lanes = LaneFile { file: &mut file, writing: 0xFF, half: 0 };
            let env = Env { modes: Modes::new(Mode(0x3F0)), units: Units::BASELINE, mask: u32::MAX };
            assert!(VectorOperation::half(0, 1, high).execute(Baseline, &mut lanes, &mut scalar, &env));
            assert_eq!([7, 8].map(|lane| file.get(1, lane)), [expected, 0xAAAA_BBBB]);
        }
    }

    #[test]
    fn the_interpreter_computes_what_functions_do() {
        let mut state = 1;
        let (mut known, mut compared) = (0, 0);
        for (kind, ty, types) in operations() {
            let args: Box<[Argument]> = (0..).zip(types).map(|(n, ty)| Argument { row: 4 * n, ty }).collect();
            let operation = Operation { kind, ty, args };
            for (round, is_uniform) in (0..ROUNDS).zip([false, true].into_iter().cycle()) {
                let mut wide = Primitive::<Wide>::new(operation.clone(), 12);
                if is_uniform {
                    wide.specialize(&|_| true);
                }
                if wide.quick == Quick::None {
                    continue;
                }
                known += 1;
                let mut file = File::<Wide>::new(16);
                for row in [0, 4, 8, 12] {
                    let mut value = dword(&mut state, round > 1);
                    for lane in 0..32 {
                        if !(is_uniform && row > 0) {
                            value = dword(&mut state, round > 1);
                        }
                        file.set(row, lane, value);
                    }
                }
                // The usual mode, and one that flushes denormals.
                for (mode, mask) in [(0x3F0, u32::MAX), (0x3F0, 0x1234_5678), (0x300, u32::MAX), (0x3F0, 0)] {
                    let modes = Modes::new(Mode(mode));
                    file.prepare(if round & 1 == 0 { mask } else { 0 });
                    for units in Units::all() {
                        let env = Env { modes, units, mask };
                        let (mut found, mut right) = (file.clone(), file.clone());
                        let lanes = units.run_task(Execute { primitive: &wide, file: &mut found, env });
                        (wide.run)(&mut right, &wide, &env, 12);
                        for lane in 0..32 {
                            assert_eq!(found.get(12, lane), right.get(12, lane), "{kind:?} {ty}, {}", units.name());
                        }
                        if let Some(lanes) = lanes.filter(|_| mask == u32::MAX) {
                            compared += 1;
                            assert_eq!(!lanes, Baseline.lowest(right.row(12)), "{kind:?} of {:?}", operation.args);
                        }
                    }
                }
            }
        }
        // Each of the kinds that the interpreter has.
        assert!(known > ROUNDS * 30, "{known} cases");
        assert!(compared > ROUNDS, "{compared} comparisons");
    }
}
