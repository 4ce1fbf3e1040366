//! The bytecode of instruction bodies: what an instruction computes, as data. Depend on `isa-core`, which re-exports it as
//! `isa::body`.
//!
//! `isa!` checks the body of each row and encodes it; [`ops`] decodes it. A body is a straight line of operations
//! without branches or loops. The operation with index `n` computes the value `n`; later operations name it by this
//! index. An `if` of the row language becomes [`Op::Select`], and a condition on the operations that have effects.
//!
//! # Execution model
//! - A body *runs in lanes* or *once a wave* ([`Run`]). In lanes it is evaluated for each active lane; roles, `vcc` and
//!   `exec` of a mask type are then the lane's own bit, of type `u1`, and a value that depends on no lane is the same
//!   in all of them. A body that runs once a wave sees `vcc` and `exec` as 64-bit numbers.
//! - All reads see the state before the instruction. [`Op::Write`] takes effect when the body has ended, for all
//!   lanes at once; memory operations take effect in their order. Lanes of an atomic ([`Op::RmwBegin`]) take turns, the
//!   lowest first.
//! - Integers wrap at the width of their type. A shift by the width or more gives 0, or the sign of a signed number.
//! - Floating-point operations round and flush denormals as the mode register says. Comparisons follow IEEE 754: all
//!   but `!=` are false if an operand is NaN.
//! - Types of several elements work element by element, with [`Type::lanes`] elements, the first in the lowest bits. A
//!   shift count with one element applies to all elements.
//!
//! # Fragments
//! A format states once how its rows fetch sources, write results and form addresses. These *fragments* have the same
//! bytecode as bodies. A fragment for a source or a result reads the value that it changes by [`Op::Input`] and ends in
//! [`Op::Return`]. [`Clause`] lists the kinds of fragments.
#![no_std]

mod builtin;
mod clause;
mod decode;
mod fidelity;
mod op;
mod place;
mod print;
mod relation;
#[cfg(test)]
mod tests;
mod ty;
mod ulps;

pub use builtin::Builtin;
pub use clause::{Clause, Run, clauses};
pub use decode::{Ops, ops};
pub use fidelity::Fidelity;
pub use op::{BinaryOp, Op, OperandFact, Part, Sink, Target, UnaryOp, ValueId};
pub use place::{Place, Space, State};
pub use print::write_body;
pub use relation::{Relation, Relations};
pub use ty::{Class, Type};
pub use ulps::Ulps;
