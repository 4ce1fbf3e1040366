//! The reads and writes of an instruction: operands, state of the wave, and memory.

use isa_body::{Clause, Place, Run, Space, State};

use crate::operands::{OperandInfo, Operands, RowOperand, operands};
use crate::tables::view::{MAX_COMPONENTS, surroundings};
use crate::tables::{Access, Format, Isa, MAX_DWORDS, Semantics, semantics};

/// Something that an instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// An operand.
    Operand(OperandInfo<I>),
    /// State of the wave that the text does not name.
    State(State),
    /// Memory in an address space.
    Memory(Space),
}

/// An effect of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// The operand, state or memory that is read or written.
    pub resource: Resource<I>,
    /// Whether it is read, written or both. What is written in part counts as read too.
    pub access: Access,
    /// Whether it is written in part, or on some paths only, so that it keeps a part of its old value: a half of a
    /// register, a single bit, a conditional move, lanes that DPP disables.
    pub is_partial: bool,
    /// Whether the lanes that EXEC excludes keep their old value: the instruction runs in lanes, and each one writes its own
    /// element of the register. Liveness has to count such a write as a read, unless no lane had a value before.
    pub is_masked: bool,
}

/// How an instruction uses an operand: [`Effect`] without the resource.
#[derive(Clone, Copy)]
pub(crate) struct Use {
    pub access: Access,
    pub is_partial: bool,
    pub is_masked: bool,
}

/// The bodies and clauses of an instruction's components.
#[derive(Clone, Debug)]
pub(crate) struct Behaviour([Option<Semantics>; MAX_COMPONENTS]);

/// The effects of an instruction; see [`effects()`].
#[derive(Clone, Debug)]
pub struct Effects<I: Isa> {
    format: u8,
    words: [u32; MAX_DWORDS],
    operands: Operands<I>,
    behaviour: Behaviour,
    /// The index of the next state, and after all states of the next access.
    next: usize,
}

/// Returns what an instruction of this length reads and writes: first its operands, then state and memory.
///
/// A row without a body has its operands only.
#[must_use]
pub fn effects<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Effects<I> {
    let behaviour = Behaviour::of::<I>(format, &words);
    Effects { format, words, operands: operands(format, words, len, mode), behaviour, next: 0 }
}

/// Returns the code of a modifier of a component, or of a field by its name in capitals. A modifier that the row lacks
/// has the code 0.
///
/// Bodies and clauses name fields by [`Op::Field`](isa_body::Op::Field).
#[must_use]
pub fn field<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], component: u8, mode: I::Mode, name: &str) -> u32 {
    let found = surroundings::<I>(format, words, mode, component).and_then(|cx| {
        let of_modifier = cx.sibling(name).map(|(code, _)| code);
        of_modifier.or_else(|| {
            let of_format = |f: &&crate::tables::Field| {
                f.name == name && (f.suffix_dword == 0 || f.suffix_dword == cx.suffix_dword)
            };
            cx.format.fields.iter().find(of_format).map(|f| f.bits.get(words))
        })
    });
    found.unwrap_or(0)
}

impl Behaviour {
    /// Returns the behaviour of the rows that these dwords select.
    pub fn of<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> Self {
        Behaviour([0, 1].map(|component| semantics::<I>(format, words, component)))
    }

    /// Returns how a component uses an operand.
    pub fn operand(&self, component: u8, row: &RowOperand) -> Use {
        let plain = Use { access: row.access, is_partial: false, is_masked: false };
        let semantics = self.0.get(usize::from(component)).and_then(Option::as_ref);
        let Some(semantics) = semantics else { return plain };
        let Some(role) = semantics.roles().iter().position(|name| *name == row.role) else { return plain };
        let is_mask = row.ty.class() == crate::Class::Mask;
        let runs_in_lanes = semantics.clauses().any(|clause| matches!(clause, Clause::Run(Run::Lanes)));
        let is_masked = runs_in_lanes && !is_mask;
        if semantics.clauses().any(|clause| matches!(clause, Clause::Tied(tied) if usize::from(tied) == role)) {
            return Use { access: Access::ReadWrite, is_partial: true, is_masked };
        }
        if row.access == Access::Read {
            return plain;
        }
        let is_narrow = !is_mask && row.ty.total_bits() <= 16;
        let may_disable = !is_mask && semantics.clauses().any(|clause| matches!(clause, Clause::Active(_)));
        let is_partial = semantics.effects().writes_role_partly(role as u8) || is_narrow || may_disable;
        Use { access: if is_partial { Access::ReadWrite } else { row.access }, is_partial, is_masked }
    }

    /// Returns how the instruction uses state, if it does, and whether it writes a part only. `is_set` tells whether a
    /// modifier is 1.
    pub fn state(&self, state: State, is_set: impl Fn(&str) -> bool) -> Option<(Access, bool)> {
        let any = |f: &dyn Fn(&Semantics) -> bool| self.0.iter().flatten().any(f);
        let is_read_if = |s: &Semantics| {
            s.clauses().any(|clause| matches!(clause, Clause::Reads(of, field) if of == state && is_set(field)))
        };
        let is_read = any(&|s| s.effects().reads(state)) || any(&is_read_if);
        let access = access(is_read, any(&|s| s.effects().writes(state)))?;
        Some((access, any(&|s| s.effects().writes_partly(state))))
    }

    /// Returns the address space of an access to memory and how it is used, if the instruction has it. `is_set` tells
    /// whether a modifier is 1.
    pub fn memory(&self, place: Place, is_set: impl Fn(&str) -> bool) -> Option<(Space, Access)> {
        let semantics = self.0.iter().flatten().next()?;
        let access = access(semantics.effects().loads(place), semantics.effects().stores(place))?;
        let mut space = if matches!(place, Place::Lds | Place::Lds1) { Space::Lds } else { Space::Global };
        for clause in semantics.clauses() {
            // The last clause that applies.
            if let Clause::Address(of, in_space, field, _) = clause
                && of == place
                && field.is_none_or(&is_set)
            {
                space = in_space;
            }
        }
        Some((space, access))
    }
}

/// Returns the code of a modifier by its bits; the mode has no influence.
fn modifier<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], name: &str) -> u32 {
    let component = Format::<I>::at(format).and_then(|format| format.components.first());
    component
        .into_iter()
        .flat_map(|component| component.carriers)
        .find(|c| c.name == name)
        .map_or(0, |c| c.bits.get(words))
}

/// Returns the access of something that is read or written.
fn access(is_read: bool, is_written: bool) -> Option<Access> {
    match (is_read, is_written) {
        (false, false) => None,
        (true, false) => Some(Access::Read),
        (false, true) => Some(Access::Write),
        (true, true) => Some(Access::ReadWrite),
    }
}

impl<I: Isa> Iterator for Effects<I>
where
    I::Value: PartialEq + Eq,
{
    type Item = Effect<I>;

    fn next(&mut self) -> Option<Effect<I>> {
        if let Some(operand) = self.operands.next() {
            let Use { access, is_partial, is_masked } = self.behaviour.operand(operand.component, operand.row);
            return Some(Effect { resource: Resource::Operand(operand), access, is_partial, is_masked });
        }
        loop {
            let index = self.next;
            self.next += 1;
            let is_set = |name: &str| modifier::<I>(self.format, &self.words, name) != 0;
            let found = match State::ALL.get(index) {
                Some(state) => self.behaviour.state(*state, is_set).map(|(access, is_partial)| Effect {
                    resource: Resource::State(*state),
                    access,
                    is_partial,
                    is_masked: false,
                }),
                None => {
                    let place = *Place::ALL.get(index - State::ALL.len())?;
                    self.behaviour.memory(place, is_set).map(|(space, access)| Effect {
                        resource: Resource::Memory(space),
                        access,
                        is_partial: false,
                        is_masked: false,
                    })
                }
            };
            if found.is_some() {
                return found;
            }
        }
    }
}
