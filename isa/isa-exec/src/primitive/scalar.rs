//! Operations on scalar rows that runs execute: a function for each operation and for each class of its operands.

use crate::primitive::Primitive;
use crate::primitive::functions::{borrow_of, carry_of};
use crate::primitive::quick::Quick;
use crate::rows::{File, Single};
use crate::units::{Numbers, Relation};

/// The number of rows that the operations of runs access. The number of such a row is a byte, so that no access compares it with a length.
pub(crate) const WINDOW: usize = 256;

/// How an operation sets SCC.
#[derive(Clone, Copy)]
pub(crate) enum Scc<'p> {
    /// Not at all.
    Kept,
    /// A row becomes whether the result is not 0.
    IsNotZero(u16),
    /// By an operation on the same rows.
    Of(&'p Primitive<Single>),
}

impl Scc<'_> {
    /// The row of SCC, if it is written.
    pub(crate) const fn row(self) -> Option<u16> {
        match self {
            Scc::Kept => None,
            Scc::IsNotZero(row) => Some(row),
            Scc::Of(primitive) => Some(primitive.dst),
        }
    }
}

/// An operation by which functions are selected.
type Key = (Quick, Option<(Relation, Numbers)>);

/// Computes operations on scalar rows: the function is that of the first one.
type Execute = fn(&[ScalarOperation], &mut [Single; WINDOW]);

/// The most operations of which each function calls the next one. In release builds these are jumps; others have a frame for each.
const MAX_CALLS: usize = 64;

/// Defines [`Scalar`] by the result for two dwords `a` and `b`, which are `x` and `y` as signed numbers, and the third dword `c`. First the
/// operations with the name that they have in [`Quick`], then those that a relation selects. The last ones compute SCC too, which is `flag`
/// for the result `value`: the others set it if the result is not 0.
macro_rules! scalar_operations {
    (
        |$a:ident, $b:ident, $c:ident, $x:ident, $y:ident|
        $($same:ident => $value:expr,)*
        ---
        $($name:ident = $quick:ident($relation:ident, $numbers:pat) => $related:expr,)*
        ---
        $($both:ident = $first:pat, $second:pat => $result:expr, $flag:expr,)*
    ) => {
        /// An operation on scalar rows that has functions.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Scalar {
            $($same,)*
            $($name,)*
            $($both,)*
        }

        impl Scalar {
            /// In the order of their numbers.
            const ALL: &[Scalar] = &[$(Scalar::$same,)* $(Scalar::$name,)* $(Scalar::$both,)*];

            /// The operation, or the two of which the second computes SCC.
            const fn of(first: Key, second: Option<Key>) -> Option<Scalar> {
                Some(match (first, second) {
                    $(((Quick::$same, _), None) => Scalar::$same,)*
                    $(((Quick::$quick, Some((Relation::$relation, $numbers))), None) => Scalar::$name,)*
                    $(($first, Some($second)) => Scalar::$both,)*
                    _ => return None,
                })
            }

            /// The result.
            #[inline(always)]
            fn value(self, $a: u32, $b: u32, $c: u32) -> u32 {
                let ($x, $y) = ($a as i32, $b as i32);
                match self {
                    $(Scalar::$same => $value,)*
                    $(Scalar::$name => $related,)*
                    $(Scalar::$both => $result,)*
                }
            }

            /// Whether SCC becomes 1.
            #[inline(always)]
            fn flag(self, $a: u32, $b: u32, $c: u32, value: u32) -> bool {
                let ($x, $y) = ($a as i32, $b as i32);
                match self {
                    $(Scalar::$both => $flag,)*
                    _ => value != 0,
                }
            }

            /// The function for the arguments that are constants.
            fn function(self, is_constant: [bool; 2], sets_scc: bool) -> Execute {
                match self {
                    $(Scalar::$same => function::<{ Scalar::$same as usize }>(is_constant, sets_scc),)*
                    $(Scalar::$name => function::<{ Scalar::$name as usize }>(is_constant, sets_scc),)*
                    $(Scalar::$both => function::<{ Scalar::$both as usize }>(is_constant, sets_scc),)*
                }
            }
        }
    };
}

scalar_operations! {
    |a, b, c, x, y|
    Copy => a,
    Not => !a,
    Add => a.wrapping_add(b),
    Sub => a.wrapping_sub(b),
    Mul => a.wrapping_mul(b),
    And => a & b,
    Or => a | b,
    Xor => a ^ b,
    Shl => a << (b & 31),
    Shr => a >> (b & 31),
    Sar => (x >> (b & 31)) as u32,
    AndNot => a & !b,
    MulHigh => ((u64::from(a) * u64::from(b)) >> 32) as u32,
    AddAdd => a.wrapping_add(b).wrapping_add(c),
    SubSub => a.wrapping_sub(b).wrapping_sub(c),
    Select => if c & 1 != 0 { a } else { b },
    Bit => a >> (b & 31) & 1,
    ---
    Min = Extreme(Lt, Numbers::Unsigned) => a.min(b),
    Max = Extreme(Gt, Numbers::Unsigned) => a.max(b),
    MinSigned = Extreme(Lt, Numbers::Signed) => x.min(y) as u32,
    MaxSigned = Extreme(Gt, Numbers::Signed) => x.max(y) as u32,
    Eq = Compare(Eq, Numbers::Unsigned | Numbers::Signed) => u32::from(a == b),
    Ne = Compare(Ne, Numbers::Unsigned | Numbers::Signed) => u32::from(a != b),
    Lt = Compare(Lt, Numbers::Unsigned) => u32::from(a < b),
    Le = Compare(Le, Numbers::Unsigned) => u32::from(a <= b),
    Gt = Compare(Gt, Numbers::Unsigned) => u32::from(a > b),
    Ge = Compare(Ge, Numbers::Unsigned) => u32::from(a >= b),
    LtSigned = Compare(Lt, Numbers::Signed) => u32::from(x < y),
    LeSigned = Compare(Le, Numbers::Signed) => u32::from(x <= y),
    GtSigned = Compare(Gt, Numbers::Signed) => u32::from(x > y),
    GeSigned = Compare(Ge, Numbers::Signed) => u32::from(x >= y),
    ---
    AddCarry = (Quick::Add, _), (Quick::Carry, _) => a.wrapping_add(b), a.checked_add(b).is_none(),
    AddAddCarry = (Quick::AddAdd, _), (Quick::Carry, _) =>
        a.wrapping_add(b).wrapping_add(c), carry_of(a, b, c) != 0,
    SubBorrow = (Quick::Sub, _), (Quick::Compare, Some((Relation::Lt, Numbers::Unsigned))) => a.wrapping_sub(b), a < b,
    SubSubBorrow = (Quick::SubSub, _), (Quick::Borrow, _) =>
        a.wrapping_sub(b).wrapping_sub(c), borrow_of(a, b, c) != 0,
    MinFirst = (Quick::Extreme, Some((Relation::Lt, Numbers::Unsigned))),
        (Quick::Compare, Some((Relation::Lt, Numbers::Unsigned))) => a.min(b), a < b,
    MaxFirst = (Quick::Extreme, Some((Relation::Gt, Numbers::Unsigned))),
        (Quick::Compare, Some((Relation::Ge, Numbers::Unsigned))) => a.max(b), a >= b,
    MinSignedFirst = (Quick::Extreme, Some((Relation::Lt, Numbers::Signed))),
        (Quick::Compare, Some((Relation::Lt, Numbers::Signed))) => x.min(y) as u32, x < y,
    MaxSignedFirst = (Quick::Extreme, Some((Relation::Gt, Numbers::Signed))),
        (Quick::Compare, Some((Relation::Ge, Numbers::Signed))) => x.max(y) as u32, x >= y,
}

/// The function of the operation whose number is `KIND`.
fn function<const KIND: usize>(is_constant: [bool; 2], sets_scc: bool) -> Execute {
    match (is_constant, sets_scc) {
        ([false, false], false) => execute::<KIND, false, false, false>,
        ([false, false], true) => execute::<KIND, false, false, true>,
        ([false, true], false) => execute::<KIND, false, true, false>,
        ([false, true], true) => execute::<KIND, false, true, true>,
        ([true, false], false) => execute::<KIND, true, false, false>,
        ([true, false], true) => execute::<KIND, true, false, true>,
        ([true, true], false) => execute::<KIND, true, true, false>,
        ([true, true], true) => execute::<KIND, true, true, true>,
    }
}

/// Computes the operation whose number is `KIND`, and those that follow it. `A` and `B` are whether the first two arguments are constants.
///
/// Each function calls the next one: Zen 3 does not predict calls of different functions from one place in a loop without other branches
/// (decision 15).
fn execute<const KIND: usize, const A: bool, const B: bool, const SETS_SCC: bool>(
    operations: &[ScalarOperation],
    rows: &mut [Single; WINDOW],
) {
    let [operation, rest @ ..] = operations else { return };
    let scalar = const { Scalar::ALL[KIND] };
    let [first, second] = operation.constants;
    let [a, b, c] = [operation.a, operation.b, operation.c].map(|row| rows[usize::from(row)].0[0]);
    let (a, b) = (if A { first } else { a }, if B { second } else { b });
    let value = scalar.value(a, b, c);
    rows[usize::from(operation.dst)] = Single([value]);
    if SETS_SCC {
        rows[usize::from(operation.scc)] = Single([u32::from(scalar.flag(a, b, c, value))]);
    }
    if let [next, ..] = rest {
        (next.execute)(rest, rows);
    }
}

/// An operation on scalar rows, as runs hold it.
#[derive(Clone, Copy, Debug)]
pub struct ScalarOperation {
    execute: Execute,
    /// The first two arguments, where they are constants.
    constants: [u32; 2],
    /// The rows of the arguments that are not, and of the result. The first two are not together: the compiler would load both at once, and
    /// take them apart again.
    a: u8,
    dst: u8,
    b: u8,
    /// The row of SCC, where the operation sets it.
    scc: u8,
    /// The row of the third argument.
    c: u8,
}

impl ScalarOperation {
    /// The operation of a primitive that has a function and whose rows are in the window. `constant` returns the dword that a row holds,
    /// if it is a constant.
    pub(crate) fn new(
        primitive: &Primitive<Single>,
        scc: Scc<'_>,
        constant: &dyn Fn(u16) -> Option<u32>,
    ) -> Option<Self> {
        let key = |primitive: &Primitive<Single>| (primitive.quick, primitive.relation);
        let rows = |primitive: &Primitive<Single>| {
            let count = primitive.operation.args.len();
            // The condition of a selection is the last.
            let order = if primitive.quick == Quick::Select { [1, 2, 0] } else { [0, 1, 2] };
            order.map(|n| (n < count).then_some(primitive.args[n]))
        };
        let [a, b, c] = rows(primitive);
        if let Scc::Of(second) = scc {
            let [of_a, of_b, of_c] = rows(second);
            // A carry that is 0 is not an argument of the sum.
            let is_same = of_c == c || c.is_none() && of_c.and_then(constant) == Some(0);
            if [of_a, of_b] != [a, b] || !is_same {
                return None;
            }
        }
        let second = match scc {
            Scc::Of(second) => Some(key(second)),
            _ => None,
        };
        let mut constants = [a, b].map(|row| row.and_then(constant));
        let scalar = if primitive.quick == Quick::Lowest && second.is_none() {
            constants[1] = Some((1 << primitive.operation.ty.total_bits()) - 1);
            Scalar::And
        } else {
            Scalar::of(key(primitive), second)?
        };
        let byte = |row: Option<u16>| u8::try_from(row.unwrap_or(0)).ok();
        let of_row = |row, constant: Option<u32>| if constant.is_some() { Some(0) } else { byte(row) };
        Some(ScalarOperation {
            execute: scalar.function(constants.map(|constant| constant.is_some()), scc.row().is_some()),
            constants: constants.map(Option::unwrap_or_default),
            a: of_row(a, constants[0])?,
            b: of_row(b, constants[1])?,
            c: byte(c)?,
            dst: byte(Some(primitive.dst))?,
            scc: byte(scc.row())?,
        })
    }

    /// Computes operations. Not inlined, since code compiled for AVX clears the upper halves of registers before each call of other code.
    #[inline(never)]
    pub(crate) fn execute(operations: &[ScalarOperation], file: &mut File<Single>) {
        // Files of waves have more rows.
        let Some(rows) = file.rows_mut().first_chunk_mut() else { return };
        for operations in operations.chunks(MAX_CALLS) {
            if let [first, ..] = operations {
                (first.execute)(operations, rows);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;

    use isa_runtime::body::{BinaryOp, Builtin, Class, Type};

    use super::*;
    use crate::num::Mode;
    use crate::operation::{Argument, Link, Modes, Operation, OperationKind};
    use crate::primitive::Env;
    use crate::primitive::quick::tests::{dword, operations};
    use crate::units::Units;

    const ENV: Env = Env { modes: Modes::new(Mode(0x3F0)), units: Units::BASELINE, mask: u32::MAX };
    const ROWS: [u16; 3] = [100, 101, 102];
    const RESULT: u16 = 103;
    const SCC: u16 = 104;

    fn primitive(kind: OperationKind, ty: Type, types: &[Type], dst: u16) -> Primitive<Single> {
        let args: Box<[Argument]> = ROWS.into_iter().zip(types).map(|(row, ty)| Argument { row, ty: *ty }).collect();
        Primitive::new(Operation { kind, ty, args }, dst)
    }

    /// Compares an operation with the functions of its primitives, with the first two arguments in rows and as constants; returns whether
    /// there is one.
    fn check(primitive: &Primitive<Single>, scc: Scc<'_>, dwords: [u32; 3]) -> bool {
        let mut known = false;
        // A sum of two has a carry of 0.
        let has_carry = primitive.operation.args.len() > 2;
        for [a, b] in [[false, false], [false, true], [true, false], [true, true]] {
            let is_constant = [a, b, !has_carry];
            let constant = |row: u16| {
                let n = usize::from(row.checked_sub(ROWS[0])?);
                (*is_constant.get(n)?).then_some(dwords[n])
            };
            let Some(operation) = ScalarOperation::new(primitive, scc, &constant) else { continue };
            known = true;
            let mut right = File::<Single>::new(WINDOW);
            ROWS.into_iter().zip(dwords).for_each(|(row, dword)| right.set(row, 0, dword));
            let mut found = right.clone();
            (primitive.run)(&mut right, primitive, &ENV, primitive.dst);
            match scc {
                Scc::Kept => {}
                Scc::IsNotZero(row) => right.set(row, 0, u32::from(right.get(primitive.dst, 0) != 0)),
                Scc::Of(second) => (second.run)(&mut right, second, &ENV, second.dst),
            }
            ScalarOperation::execute(&[operation], &mut found);
            let results = |file: &File<Single>| [RESULT, SCC].map(|row| file.get(row, 0));
            assert_eq!(results(&found), results(&right), "{primitive:?} {dwords:X?} {is_constant:?}");
        }
        known
    }

    #[test]
    fn runs_compute_what_functions_do() {
        let (mut state, mut known) = (1, 0);
        for (kind, ty, types) in operations() {
            let primitive = primitive(kind, ty, &types, RESULT);
            for round in 0..40 {
                let mut dwords = [0; 3].map(|_| dword(&mut state, round > 1));
                // Values of fewer bits have zeros above them.
                for (dword, ty) in dwords.iter_mut().zip(&types) {
                    *dword &= u32::MAX >> (32 - ty.total_bits().min(32));
                }
                known += usize::from(check(&primitive, Scc::Kept, dwords));
                check(&primitive, Scc::IsNotZero(SCC), dwords);
            }
        }
        assert!(known > 40 * 30, "{known} cases");
    }

    #[test]
    fn runs_set_scc_as_functions_do() {
        const U32: Type = Type::new(Class::Unsigned, 32, 1);
        const I32: Type = Type::new(Class::Signed, 32, 1);
        let binary = |op| OperationKind::Binary(op);
        let (min, max) = (OperationKind::Call(Builtin::Min), OperationKind::Call(Builtin::Max));
        let (carry, borrow) = (OperationKind::Call(Builtin::Carry), OperationKind::Call(Builtin::Borrow));
        let carried: &[Type] = &[U32, U32, Type::BOOL];
        let pairs: [(OperationKind, &[Type], OperationKind, &[Type]); 8] = [
            (binary(BinaryOp::Sub), &[U32; 2], binary(BinaryOp::Lt), &[U32; 2]),
            (OperationKind::Chain(Link::Add, Link::Add), &[U32; 3], carry, carried),
            (OperationKind::Chain(Link::Sub, Link::Sub), &[U32; 3], borrow, carried),
            (min, &[U32; 2], binary(BinaryOp::Lt), &[U32; 2]),
            (max, &[U32; 2], binary(BinaryOp::Ge), &[U32; 2]),
            (min, &[I32; 2], binary(BinaryOp::Lt), &[I32; 2]),
            (max, &[I32; 2], binary(BinaryOp::Ge), &[I32; 2]),
            (binary(BinaryOp::Add), &[U32; 2], carry, carried),
        ];
        let mut state = 1;
        for (first, of_first, second, of_second) in pairs {
            let first = primitive(first, of_first[0], of_first, RESULT);
            let second = primitive(second, Type::BOOL, of_second, SCC);
            for round in 0..200 {
                let [a, b, c] = [0; 3].map(|_| dword(&mut state, round > 1) << (round & 3));
                let b = if round % 5 == 0 { a } else { b };
                let carry = if of_first.len() > 2 { c & 1 } else { 0 };
                assert!(check(&first, Scc::Of(&second), [a, b, carry]), "{first:?} {second:?}");
            }
        }
    }
}
