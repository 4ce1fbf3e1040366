//! The clauses of formats: how the operands of their rows are fetched and written, and how addresses are formed.

use crate::decode::{Ops, ops};
use crate::op::Sink;
use crate::place::{Place, Space, State};

/// How often a body is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Run {
    /// Once for each active lane of the wave.
    #[default]
    Lanes,
    /// Once for the wave.
    Wave,
}

/// A clause that applies to an instruction, with roles as indices in the row's list of roles.
///
/// The clauses of an instruction are in the order in which they apply: those of its suffix dword first, then those of
/// its format. Several clauses for one source are applied one after the other.
#[derive(Clone, Debug)]
pub enum Clause<'a> {
    /// The body runs in lanes, or once a wave.
    Run(Run),
    /// Changes a source after it was fetched: the role, and the fragment from its value to the new one.
    Source(u8, Ops<'a>),
    /// Changes a result before it is written: the role, and the fragment from its value to the new one.
    Result(u8, Ops<'a>),
    /// The fragment says, of type `u1`, whether the integer arithmetic of the body saturates: the body is evaluated
    /// with exact integers, and the result takes the nearest value of its type when it is written to the role.
    Saturate(u8, Ops<'a>),
    /// The role counts as written, and its old value as read, even where a modifier says that it is only read. LLVM
    /// ties the data of image atomics so; an allocator must not expect it to survive.
    Tied(u8),
    /// The bit that lanes that do not run get in a mask that the body writes.
    Inactive(u8, bool),
    /// The fragment says, of type `u1`, whether a lane writes its results: DPP disables lanes.
    Active(Ops<'a>),
    /// The address of an access: the space, the modifier that must be 1 for the clause to apply (a later clause that
    /// applies replaces an earlier one), and the fragment, which may read roles.
    Address(Place, Space, Option<&'a str>, Ops<'a>),
    /// The instruction reads state if the modifier of one bit is 1.
    Reads(State, &'a str),
}

impl Clause<'_> {
    /// Encodes a clause whose fragment is `code`.
    pub fn encode(&self, code: &[u8], out: &mut impl Sink) {
        match *self {
            Clause::Run(run) => [0, run as u8].into_iter().for_each(|b| out.push(b)),
            Clause::Source(role, _) => [1, role].into_iter().for_each(|b| out.push(b)),
            Clause::Result(role, _) => [2, role].into_iter().for_each(|b| out.push(b)),
            Clause::Saturate(role, _) => [3, role].into_iter().for_each(|b| out.push(b)),
            Clause::Inactive(role, bit) => [4, role, u8::from(bit)].into_iter().for_each(|b| out.push(b)),
            Clause::Tied(role) => [7, role].into_iter().for_each(|b| out.push(b)),
            Clause::Active(_) => out.push(5),
            Clause::Reads(state, field) => {
                [8, state as u8, field.len() as u8].into_iter().for_each(|b| out.push(b));
                field.bytes().for_each(|b| out.push(b));
            }
            Clause::Address(place, space, field, _) => {
                [6, place as u8, space as u8].into_iter().for_each(|b| out.push(b));
                let field = field.unwrap_or_default();
                out.push(field.len() as u8);
                field.bytes().for_each(|b| out.push(b));
            }
        }
        if !matches!(self, Clause::Run(_) | Clause::Inactive(..) | Clause::Tied(_) | Clause::Reads(..)) {
            (code.len() as u16).to_le_bytes().into_iter().for_each(|b| out.push(b));
            code.iter().for_each(|b| out.push(*b));
        }
    }
}

/// Decodes the clauses of an instruction.
pub fn clauses(code: &[u8]) -> impl Iterator<Item = Clause<'_>> + Clone {
    let mut rest = ops(code);
    core::iter::from_fn(move || clause(&mut rest))
}

fn clause<'a>(rest: &mut Ops<'a>) -> Option<Clause<'a>> {
    Some(match rest.byte()? {
        0 => Clause::Run(if rest.byte()? == 0 { Run::Lanes } else { Run::Wave }),
        1 => Clause::Source(rest.byte()?, ops(rest.fragment()?)),
        2 => Clause::Result(rest.byte()?, ops(rest.fragment()?)),
        3 => Clause::Saturate(rest.byte()?, ops(rest.fragment()?)),
        4 => Clause::Inactive(rest.byte()?, rest.byte()? != 0),
        5 => Clause::Active(ops(rest.fragment()?)),
        6 => {
            let (place, space) = (Place::from_number(rest.byte()?)?, Space::from_number(rest.byte()?)?);
            let field = core::str::from_utf8(rest.bytes()?).ok()?;
            Clause::Address(place, space, (!field.is_empty()).then_some(field), ops(rest.fragment()?))
        }
        7 => Clause::Tied(rest.byte()?),
        8 => Clause::Reads(State::from_number(rest.byte()?)?, core::str::from_utf8(rest.bytes()?).ok()?),
        _ => return None,
    })
}
