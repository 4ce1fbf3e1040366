//! The reads and writes of an instruction: operands, state of the wave, and memory.

use isa_body::{Clause, Place, Space, State};

use crate::operands::{OperandInfo, Operands, operands};
use crate::tables::view::surroundings;
use crate::tables::{Access, Isa, MAX_DWORDS, Semantics, semantics};

/// The most components that any format has.
const COMPONENTS: usize = 2;

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
}

/// The effects of an instruction; see [`effects()`].
#[derive(Clone, Debug)]
pub struct Effects<I: Isa> {
    format: u8,
    words: [u32; MAX_DWORDS],
    operands: Operands<I>,
    semantics: [Option<Semantics>; COMPONENTS],
    /// The index of the next state, and after all states of the next access.
    next: usize,
}

/// Returns what an instruction of this length reads and writes: first its operands, then state and memory.
///
/// A row without a body has its operands only.
#[must_use]
pub fn effects<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Effects<I> {
    let semantics = [0, 1].map(|component| semantics::<I>(format, &words, component));
    Effects { format, words, operands: operands(format, words, len, mode), semantics, next: 0 }
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

impl<I: Isa> Effects<I>
where
    I::Value: PartialEq + Eq,
{
    /// Returns the effect of an operand.
    fn operand(&self, operand: OperandInfo<I>) -> Effect<I> {
        let mut effect = Effect { resource: Resource::Operand(operand), access: operand.access, is_partial: false };
        let semantics = self.semantics.get(usize::from(operand.component)).and_then(Option::as_ref);
        let Some(semantics) = semantics else { return effect };
        let Some(role) = semantics.roles().iter().position(|name| *name == operand.role) else { return effect };
        if semantics.clauses().any(|clause| matches!(clause, Clause::Tied(tied) if usize::from(tied) == role)) {
            return Effect { access: Access::ReadWrite, is_partial: true, ..effect };
        }
        if operand.access == Access::Read {
            return effect;
        }
        let body = semantics.effects();
        let is_mask = operand.ty.class() == crate::Class::Mask;
        let is_narrow = !is_mask && operand.ty.total_bits() <= 16;
        let mut clauses = semantics.clauses();
        let may_disable = !is_mask && clauses.any(|clause| matches!(clause, Clause::Active(_)));
        effect.is_partial = body.writes_role_partly(role as u8) || is_narrow || may_disable;
        if effect.is_partial {
            effect.access = Access::ReadWrite;
        }
        effect
    }

    /// Returns the effect of state, if the instruction uses it.
    fn state(&self, state: State) -> Option<Effect<I>> {
        let any = |f: &dyn Fn(&Semantics) -> bool| self.semantics.iter().flatten().any(f);
        let access = access(any(&|s| s.effects().reads(state)), any(&|s| s.effects().writes(state)))?;
        let is_partial = any(&|s| s.effects().writes_partly(state));
        Some(Effect { resource: Resource::State(state), access, is_partial })
    }

    /// Returns the effect of an access to memory, if the instruction has it.
    fn memory(&self, place: Place) -> Option<Effect<I>> {
        let semantics = self.semantics.iter().flatten().next()?;
        let body = semantics.effects();
        let access = access(body.loads(place), body.stores(place))?;
        let space = self.space(semantics, place);
        Some(Effect { resource: Resource::Memory(space), access, is_partial: false })
    }

    /// Returns the address space of an access: that of the last clause that applies.
    fn space(&self, semantics: &Semantics, place: Place) -> Space {
        let is_set = |name: &str| modifier::<I>(self.format, &self.words, name) != 0;
        let mut space = if matches!(place, Place::Lds | Place::Lds1) { Space::Lds } else { Space::Global };
        for clause in semantics.clauses() {
            if let Clause::Address(of, in_space, field, _) = clause
                && of == place
                && field.is_none_or(is_set)
            {
                space = in_space;
            }
        }
        space
    }
}

/// Returns the code of a modifier by its bits, whatever the mode.
fn modifier<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], name: &str) -> u32 {
    let carriers = I::formats().get(usize::from(format)).and_then(|f| f.components.first()).map(|c| c.carriers);
    carriers.into_iter().flatten().find(|c| c.name == name).map_or(0, |c| c.bits.get(words))
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
            return Some(self.operand(operand));
        }
        loop {
            let index = self.next;
            self.next += 1;
            let found = match State::ALL.get(index) {
                Some(state) => self.state(*state),
                None => self.memory(*Place::ALL.get(index - State::ALL.len())?),
            };
            if found.is_some() {
                return found;
            }
        }
    }
}
