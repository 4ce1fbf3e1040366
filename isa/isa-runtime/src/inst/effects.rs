//! The reads and writes of an operand-level instruction, before or after register allocation.

use isa_body::{Place, Space, State};
use isa_schema::OpStepRow;

use super::plan::row_plan_of;
use super::{File, Inst, Reg};
use crate::dwords::Bits96;
use crate::effects::{Behaviour, Use};
use crate::operands::RowOperand;
use crate::tables::{Access, Isa};

/// Something that an operand-level instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstResource {
    /// Registers of an operand, physical or virtual. Operands that the encoding implies are among them.
    Register(Reg),
    /// State of the wave that no operand names.
    State(State),
    /// Memory in an address space.
    Memory(Space),
}

/// An effect of an operand-level instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstEffect {
    /// The register, state or memory that is read or written.
    pub resource: InstResource,
    /// Whether it is read, written or both. A partial write counts as a read as well.
    pub access: Access,
    /// Whether it is written in part, or on some paths only, so that it keeps a part of its old value.
    pub is_partial: bool,
    /// Whether the lanes that EXEC excludes keep their old value; see [`Effect::is_masked`](crate::Effect::is_masked).
    pub is_masked: bool,
}

impl InstEffect {
    /// Returns the registers of an operand that is read or written.
    #[must_use]
    pub const fn reg(&self) -> Option<Reg> {
        match self.resource {
            InstResource::Register(reg) => Some(reg),
            _ => None,
        }
    }

    /// Returns whether the instruction needs the old value: it reads it, or keeps a part or some lanes of it.
    #[must_use]
    pub fn needs_old_value(&self) -> bool {
        self.access != Access::Write || self.is_partial || self.is_masked
    }

    /// Returns whether the instruction writes it.
    #[must_use]
    pub fn is_written(&self) -> bool {
        matches!(self.access, Access::Write | Access::ReadWrite)
    }
}

impl<I: Isa> Inst<I> {
    /// Returns what the instruction reads and writes: first the registers of its operands, then state and memory. The operands need
    /// not have an encoding yet. If no encoding has as many operands, there are no effects.
    pub fn effects(&self) -> impl Iterator<Item = InstEffect> + use<'_, I> {
        let behaviour = self.behaviour();
        let [of_registers, of_state, of_memory] = [(); 3].map(|()| behaviour.clone());
        let registers = self.registers().filter_map(move |(component, reg, row)| {
            let Use { access, is_partial, is_masked } = of_registers.as_ref()?.operand(component, row);
            Some(InstEffect { resource: InstResource::Register(reg), access, is_partial, is_masked })
        });
        let states = State::ALL.iter().filter_map(move |state| {
            let (access, is_partial) = of_state.as_ref()?.state(*state, |name| self.is_set(name))?;
            Some(InstEffect { resource: InstResource::State(*state), access, is_partial, is_masked: false })
        });
        let accesses = Place::ALL.iter().filter_map(move |place| {
            let (space, access) = of_memory.as_ref()?.memory(*place, |name| self.is_set(name))?;
            Some(InstEffect { resource: InstResource::Memory(space), access, is_partial: false, is_masked: false })
        });
        registers.chain(states).chain(accesses)
    }

    /// Returns the registers of all operands, each with its component and its facts from the row: first those that
    /// [`ops`](Self::ops) has, then those that the encoding implies and `ops` leaves out.
    fn registers(&self) -> impl Iterator<Item = (u8, Reg, &'static RowOperand)> + use<'_, I> {
        let of_component = |index: usize| u8::from(index >= self.first_len());
        let stated = move || self.operands().enumerate().map(move |(index, (op, row))| (of_component(index), op, row));
        let named = stated().filter_map(|(component, op, row)| Some((component, op.as_reg()?, row)));
        let steps = [0, 1].into_iter().flat_map(|component| {
            let (_, plan) = row_plan_of::<I>(self, component)?;
            let steps =
                plan.steps.of(I::inst_tables().lowering.steps).iter().filter(|step| step.is(OpStepRow::IS_IMPLIED));
            Some(steps.filter_map(move |step| {
                Some((component, step, I::tables().operand_tables.row(plan.variant, step.bound)?))
            }))
        });
        let implied = steps.flatten().filter_map(move |(component, step, row)| {
            let is_named =
                stated().any(|(of, op, other)| of == component && other.role == row.role && op.as_reg().is_some());
            let place = step.place.registers.first().filter(|_| !is_named)?;
            Some((component, Reg::new(File(place.file), place.first.into(), step.dwords), row))
        });
        named.chain(implied)
    }

    /// Returns the reads and writes of the first encoding with as many operands.
    fn behaviour(&self) -> Option<Behaviour> {
        let (row, plan) = row_plan_of::<I>(self, 0)?;
        let mut words = Bits96 { low: plan.low | row.opcode, third: plan.third };
        if let Some((second, _)) = row_plan_of::<I>(self, 1) {
            words.low |= second.opcode;
        }
        Some(Behaviour::of::<I>(row.format, &words.dwords()))
    }

    /// Returns whether a modifier is stated and not zero.
    fn is_set(&self, name: &str) -> bool {
        I::inst_tables()
            .modifiers
            .iter()
            .filter(|modifier| modifier.name == name)
            .any(|m| self.modifier(*m).unwrap_or(0) != 0)
    }
}
