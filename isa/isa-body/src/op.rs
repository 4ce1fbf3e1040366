//! The operations of a body, and their encoding.

use crate::builtin::Builtin;
use crate::place::{Place, State, named};
use crate::ty::{Class, Type};

/// A value: the index of the operation that computes it.
pub type ValueId = u8;

/// The destination of [`Op::Write`](crate::Op::Write).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// An operand, by its index in the row's list of roles.
    Role(u8),
    /// The high half of an operand's register; the low half is kept. Only for operands of at most 16 bits.
    High(u8),
    /// The register at a distance from an operand's: the role and the distance, a value in registers of 32 bits.
    Relative(u8, ValueId),
    /// One lane of an operand's register, in a body that runs once a wave: the role and the lane.
    Lane(u8, ValueId),
    /// State of the wave.
    State(State),
}

/// The condition of an operation that always takes effect, as encoded.
pub(crate) const ALWAYS: u8 = u8::MAX;

named! {
    /// An operator with one operand.
    UnaryOp {
        /// Arithmetic negation; of a float it flips the sign, also of NaN.
        Neg = "-",
        /// Bitwise complement.
        Not = "!",
    }
}

named! {
    /// An operator with two operands of one type. Comparisons give `u1`; a shift count may have its own type.
    BinaryOp {
        /// Addition.
        Add = "+",
        /// Subtraction.
        Sub = "-",
        /// Multiplication.
        Mul = "*",
        /// Integer division, which rounds toward zero; 0 if the divisor is 0.
        Div = "/",
        /// The remainder of a division that rounds toward zero; 0 if the divisor is 0.
        Rem = "%",
        /// Bitwise conjunction.
        And = "&",
        /// Bitwise disjunction.
        Or = "|",
        /// Bitwise exclusive disjunction.
        Xor = "^",
        /// Shift to the left.
        Shl = "<<",
        /// Shift to the right, which copies the sign of a signed number.
        Shr = ">>",
        /// Equality.
        Eq = "==",
        /// Inequality; true if a float is NaN.
        Ne = "!=",
        /// Less than.
        Lt = "<",
        /// Less than or equal.
        Le = "<=",
        /// Greater than.
        Gt = ">",
        /// Greater than or equal.
        Ge = ">=",
    }
}

/// Which part of an operand's register is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The operand as its type has it.
    Whole,
    /// The high half of the register of an operand with at most 16 bits.
    High,
}

named! {
    /// A fact about the operand in a role. It is known before the instruction is executed.
    OperandFact {
        /// The operand is an inline constant: a code names it, and no literal follows.
        Inline = "inline",
        /// The operand has one value for all lanes: a scalar register or a constant, not a vector register.
        Scalar = "scalar",
    }
}

/// An operation. `ty` is the type of its value; operations with a `condition` have effects and no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op<'a> {
    /// A constant, by its bits.
    Const {
        /// The type.
        ty: Type,
        /// The bits; those of a float are its IEEE 754 encoding.
        bits: u128,
    },
    /// An operand's value before the instruction, after the format's source clauses.
    Role {
        /// The type; `u1` for a mask in lanes.
        ty: Type,
        /// The index in the row's list of roles.
        role: u8,
        /// The part that is read.
        part: Part,
    },
    /// The value of the register at a distance from an operand's register.
    Relative {
        /// The type.
        ty: Type,
        /// The index in the row's list of roles.
        role: u8,
        /// The distance in registers of 32 bits, `u32`.
        distance: ValueId,
    },
    /// A modifier's code, an unsigned number.
    Field {
        /// The type.
        ty: Type,
        /// The name of the modifier.
        name: &'a str,
    },
    /// The state of the wave before the instruction.
    State {
        /// The type.
        ty: Type,
        /// The state.
        state: State,
    },
    /// In a fragment: the value that it changes. A register's bits are read as a value of the type; a constant has the
    /// type's format.
    Input {
        /// The type, as wide as the role's.
        ty: Type,
    },
    /// Whether an operand has a fact, `u1`.
    Is {
        /// The index in the row's list of roles.
        role: u8,
        /// The fact.
        fact: OperandFact,
    },
    /// An operator with one operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The type of the operand and the result.
        ty: Type,
        /// The operand.
        a: ValueId,
    },
    /// An operator with two operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The type of the first operand: that of the result, unless the operator compares.
        ty: Type,
        /// The first operand.
        a: ValueId,
        /// The second operand.
        b: ValueId,
    },
    /// A conversion. Between numbers it keeps the value: integers wrap, floats round as the mode has it, and a float
    /// that becomes an integer is truncated and saturates, NaN to 0. If one side is of class `b`, it keeps the bits: it
    /// drops upper bits or fills with zeros.
    Cast {
        /// The type of the result.
        ty: Type,
        /// The operand.
        a: ValueId,
    },
    /// Consecutive bits of a value, as many as `ty` has.
    Slice {
        /// The type of the result.
        ty: Type,
        /// The operand.
        a: ValueId,
        /// The lowest bit.
        lo: u16,
    },
    /// One bit of a value, `u1`; 0 beyond its width.
    Bit {
        /// The operand.
        a: ValueId,
        /// The number of the bit.
        index: ValueId,
    },
    /// The second operand if the condition holds, or else the third.
    Select {
        /// The type of the result.
        ty: Type,
        /// The condition, `u1`.
        condition: ValueId,
        /// The value if it holds.
        yes: ValueId,
        /// The value if it does not.
        no: ValueId,
    },
    /// A value with some of its bits replaced.
    Insert {
        /// The type of the operand and the result.
        ty: Type,
        /// The operand.
        a: ValueId,
        /// The lowest bit that is replaced.
        lo: u16,
        /// The new bits, as many as its type has.
        bits: ValueId,
    },
    /// A value with one bit replaced.
    InsertBit {
        /// The type of the operand and the result.
        ty: Type,
        /// The operand.
        a: ValueId,
        /// The number of the bit.
        index: ValueId,
        /// The new bit, `u1`.
        bit: ValueId,
    },
    /// A builtin function, or an action if it has no value.
    Call {
        /// The type of the result; `u1` for an action.
        ty: Type,
        /// The function.
        builtin: Builtin,
        /// The arguments.
        args: &'a [ValueId],
        /// The condition under which an action takes place; `None`: always.
        condition: Option<ValueId>,
    },
    /// A load from memory. Narrow types occupy as many bytes as they need.
    Load {
        /// The type of the value in memory.
        ty: Type,
        /// The access.
        place: Place,
        /// The address, if the body gives it in place of the format's clause.
        address: Option<ValueId>,
    },
    /// A store to memory.
    Store {
        /// The type of the value in memory.
        ty: Type,
        /// The access.
        place: Place,
        /// The address, if the body gives it in place of the format's clause.
        address: Option<ValueId>,
        /// The value.
        value: ValueId,
        /// The condition; `None`: always.
        condition: Option<ValueId>,
    },
    /// The start of an atomic, whose value is what memory holds. The operations up to [`Op::RmwEnd`] compute the new
    /// value.
    RmwBegin {
        /// The type of the value in memory.
        ty: Type,
        /// The access.
        place: Place,
        /// The address, if the body gives it in place of the format's clause.
        address: Option<ValueId>,
    },
    /// The end of an atomic, which stores a value. Its own value is the one before.
    RmwEnd {
        /// The type of the value in memory.
        ty: Type,
        /// The [`Op::RmwBegin`].
        begin: ValueId,
        /// The new value.
        value: ValueId,
    },
    /// An assignment.
    Write {
        /// The destination.
        target: Target,
        /// The value, of the destination's type.
        value: ValueId,
        /// The condition; `None`: always.
        condition: Option<ValueId>,
    },
    /// The end of a fragment, which gives its value.
    Return {
        /// The value.
        value: ValueId,
    },
}

/// Receives encoded bytes.
pub trait Sink {
    /// Appends a byte.
    fn push(&mut self, byte: u8);
}

fn leb(mut n: u128, out: &mut impl Sink) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub(crate) const CLASSES: [Class; 7] =
    [Class::Bits, Class::Unsigned, Class::Signed, Class::EitherSign, Class::Float, Class::BFloat, Class::Mask];

/// A type is encoded as its class, with the highest bit set if the number of elements follows its width.
pub(crate) const HAS_LANES: u8 = 0x80;

fn put_type(ty: Type, out: &mut impl Sink) {
    out.push(ty.class() as u8 | if ty.lanes() == 1 { 0 } else { HAS_LANES });
    leb(u128::from(ty.bits()), out);
    if ty.lanes() != 1 {
        out.push(ty.lanes());
    }
}

fn condition_byte(condition: Option<ValueId>) -> u8 {
    condition.unwrap_or(ALWAYS)
}

impl Op<'_> {
    /// Encodes the operation.
    pub fn encode(&self, out: &mut impl Sink) {
        match *self {
            Op::Const { ty, bits } => {
                out.push(0);
                put_type(ty, out);
                leb(bits, out);
            }
            Op::Role { ty, role, part } => {
                out.push(if part == Part::Whole { 1 } else { 2 });
                put_type(ty, out);
                out.push(role);
            }
            Op::Relative { ty, role, distance } => {
                out.push(3);
                put_type(ty, out);
                out.push(role);
                out.push(distance);
            }
            Op::Field { ty, name } => {
                out.push(4);
                put_type(ty, out);
                out.push(name.len() as u8);
                name.bytes().for_each(|b| out.push(b));
            }
            Op::State { ty, state } => {
                out.push(5);
                put_type(ty, out);
                out.push(state as u8);
            }
            Op::Input { ty } => {
                out.push(6);
                put_type(ty, out);
            }
            Op::Unary { op, ty, a } => {
                out.push(7);
                put_type(ty, out);
                out.push(op as u8);
                out.push(a);
            }
            Op::Binary { op, ty, a, b } => {
                out.push(8);
                put_type(ty, out);
                out.push(op as u8);
                out.push(a);
                out.push(b);
            }
            Op::Cast { ty, a } => {
                out.push(9);
                put_type(ty, out);
                out.push(a);
            }
            Op::Slice { ty, a, lo } => {
                out.push(10);
                put_type(ty, out);
                out.push(a);
                leb(u128::from(lo), out);
            }
            Op::Bit { a, index } => {
                out.push(11);
                out.push(a);
                out.push(index);
            }
            Op::Select { ty, condition, yes, no } => {
                out.push(12);
                put_type(ty, out);
                out.push(condition);
                out.push(yes);
                out.push(no);
            }
            Op::Insert { ty, a, lo, bits } => {
                out.push(13);
                put_type(ty, out);
                out.push(a);
                leb(u128::from(lo), out);
                out.push(bits);
            }
            Op::InsertBit { ty, a, index, bit } => {
                out.push(14);
                put_type(ty, out);
                out.push(a);
                out.push(index);
                out.push(bit);
            }
            Op::Call { ty, builtin, args, condition } => {
                out.push(15);
                put_type(ty, out);
                out.push(builtin as u8);
                out.push(condition_byte(condition));
                out.push(args.len() as u8);
                args.iter().for_each(|arg| out.push(*arg));
            }
            Op::Load { ty, place, address } => {
                out.push(16);
                put_access(ty, place, address, out);
            }
            Op::Store { ty, place, address, value, condition } => {
                out.push(17);
                put_access(ty, place, address, out);
                out.push(value);
                out.push(condition_byte(condition));
            }
            Op::RmwBegin { ty, place, address } => {
                out.push(18);
                put_access(ty, place, address, out);
            }
            Op::RmwEnd { ty, begin, value } => {
                out.push(19);
                put_type(ty, out);
                out.push(begin);
                out.push(value);
            }
            Op::Write { target, value, condition } => {
                out.push(20);
                match target {
                    Target::Role(role) => [0, role, 0],
                    Target::High(role) => [1, role, 0],
                    Target::Relative(role, distance) => [2, role, distance],
                    Target::Lane(role, lane) => [3, role, lane],
                    Target::State(state) => [4, state as u8, 0],
                }
                .into_iter()
                .for_each(|b| out.push(b));
                out.push(value);
                out.push(condition_byte(condition));
            }
            Op::Return { value } => {
                out.push(21);
                out.push(value);
            }
            Op::Is { role, fact } => {
                out.push(22);
                out.push(role);
                out.push(fact as u8);
            }
        }
    }

    /// Returns the type of the operation's value, `None` if it has none.
    #[must_use]
    pub fn ty(&self) -> Option<Type> {
        match *self {
            Op::Binary { op, .. } if op.compares() => Some(Type::BOOL),
            Op::Bit { .. } | Op::Is { .. } => Some(Type::BOOL),
            Op::Const { ty, .. }
            | Op::Role { ty, .. }
            | Op::Relative { ty, .. }
            | Op::Field { ty, .. }
            | Op::State { ty, .. }
            | Op::Input { ty }
            | Op::Unary { ty, .. }
            | Op::Binary { ty, .. }
            | Op::Cast { ty, .. }
            | Op::Slice { ty, .. }
            | Op::Select { ty, .. }
            | Op::Insert { ty, .. }
            | Op::InsertBit { ty, .. }
            | Op::Call { ty, .. }
            | Op::Load { ty, .. }
            | Op::RmwBegin { ty, .. }
            | Op::RmwEnd { ty, .. } => Some(ty),
            Op::Store { .. } | Op::Write { .. } | Op::Return { .. } => None,
        }
    }
}

impl Op<'_> {
    /// Calls a function with each value that the operation reads.
    pub fn for_each_value(&self, mut f: impl FnMut(ValueId)) {
        match *self {
            Op::Const { .. }
            | Op::Role { .. }
            | Op::Field { .. }
            | Op::State { .. }
            | Op::Input { .. }
            | Op::Is { .. } => {}
            Op::Relative { distance: a, .. }
            | Op::Unary { a, .. }
            | Op::Cast { a, .. }
            | Op::Slice { a, .. }
            | Op::Return { value: a } => f(a),
            Op::Binary { a, b, .. }
            | Op::Bit { a, index: b }
            | Op::Insert { a, bits: b, .. }
            | Op::RmwEnd { begin: a, value: b, .. } => [a, b].into_iter().for_each(f),
            Op::Select { condition: a, yes: b, no: c, .. } | Op::InsertBit { a, index: b, bit: c, .. } => {
                [a, b, c].into_iter().for_each(f);
            }
            Op::Call { args, condition, .. } => args.iter().copied().chain(condition).for_each(f),
            Op::Load { address, .. } | Op::RmwBegin { address, .. } => address.into_iter().for_each(f),
            Op::Store { address, value, condition, .. } => {
                address.into_iter().chain([value]).chain(condition).for_each(f);
            }
            Op::Write { target, value, condition } => {
                let index = match target {
                    Target::Relative(_, id) | Target::Lane(_, id) => Some(id),
                    Target::Role(_) | Target::High(_) | Target::State(_) => None,
                };
                index.into_iter().chain([value]).chain(condition).for_each(f);
            }
        }
    }
}

impl BinaryOp {
    /// Returns whether the result is the same with the operands exchanged.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        use BinaryOp::{Add, And, Eq, Mul, Ne, Or, Xor};
        matches!(self, Add | Mul | And | Or | Xor | Eq | Ne)
    }

    /// Returns whether the operator compares its operands.
    #[must_use]
    pub const fn compares(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

fn put_access(ty: Type, place: Place, address: Option<ValueId>, out: &mut impl Sink) {
    put_type(ty, out);
    out.push(place as u8);
    out.push(condition_byte(address));
}
