//! Facts about opcodes for compilers. The methods of the generated `Opcode` call these functions.

mod operation;

use isa_body::{Place, Relation, State};

use crate::inst::plan::{RegisterClass, register_class_of_role};
use crate::operands::RowOperand;
use crate::tables::{Access, BodyEffects, Component, Field, Format, Isa, Shape, Slot};

pub use operation::{Operation, operation};

/// Returns what the body of an opcode reads and writes.
fn effects<I: Isa>(opcode: I::Opcode) -> BodyEffects {
    I::inst_tables().bodies.effects(I::opcode_index(opcode))
}

/// Returns whether an instruction may continue elsewhere than at the next one, without coming back.
#[must_use]
pub fn is_branch<I: Isa>(opcode: I::Opcode) -> bool {
    let effects = effects::<I>(opcode);
    effects.jumps() && !effects.saves_pc()
}

/// Returns whether a branch may also continue at the next instruction.
#[must_use]
pub fn is_conditional_branch<I: Isa>(opcode: I::Opcode) -> bool {
    is_branch::<I>(opcode) && effects::<I>(opcode).writes_partly(State::Pc)
}

/// Returns whether an instruction can be the last one of a basic block only: a branch, or the end of the program.
#[must_use]
pub fn is_terminator<I: Isa>(opcode: I::Opcode) -> bool {
    is_branch::<I>(opcode) || effects::<I>(opcode).ends()
}

/// Returns whether the next instruction can follow, also after a call.
#[must_use]
pub fn falls_through<I: Isa>(opcode: I::Opcode) -> bool {
    !is_terminator::<I>(opcode) || is_conditional_branch::<I>(opcode)
}

/// Returns whether an instruction may read memory.
#[must_use]
pub fn may_load<I: Isa>(opcode: I::Opcode) -> bool {
    Place::ALL.iter().any(|place| effects::<I>(opcode).loads(*place))
}

/// Returns whether an instruction may write memory.
#[must_use]
pub fn may_store<I: Isa>(opcode: I::Opcode) -> bool {
    Place::ALL.iter().any(|place| effects::<I>(opcode).stores(*place))
}

/// Returns whether an instruction does something besides writing operands and memory and branching: it must not be removed
/// or reordered.
#[must_use]
pub fn has_side_effects<I: Isa>(opcode: I::Opcode) -> bool {
    let effects = effects::<I>(opcode);
    let writes_state = [State::Mode, State::Status].into_iter().any(|state| effects.writes(state));
    effects.acts() || effects.ends() || effects.is_barrier() || writes_state
}

/// Returns whether other lanes or waves decide what an instruction does, so that it must not depend on further conditions.
/// DPP controls make an instruction convergent, too.
#[must_use]
pub fn is_convergent<I: Isa>(opcode: I::Opcode) -> bool {
    effects::<I>(opcode).crosses_lanes() || effects::<I>(opcode).is_barrier()
}

/// Returns whether the result depends on the sources alone, so that it can be computed again wherever they are known: the
/// instruction reads no memory, no old value of its destination and no state but EXEC and MODE, and writes one operand only.
#[must_use]
pub fn is_rematerializable<I: Isa>(opcode: I::Opcode) -> bool {
    let effects = effects::<I>(opcode);
    let is_pure =
        |state: State| !effects.writes(state) && (matches!(state, State::Exec | State::Mode) || !effects.reads(state));
    let mut written = operands::<I>(opcode).filter(|operand| operand.access != Access::Read);
    let is_single = written.next().is_some_and(|d| d.access == Access::Write) && written.next().is_none();
    let accesses = may_load::<I>(opcode) || may_store::<I>(opcode);
    let depends = effects.is_external() || effects.keeps_old_values() || is_convergent::<I>(opcode);
    is_single && State::ALL.iter().all(|state| is_pure(*state)) && !accesses && !depends && !effects.acts()
}

/// Returns the opcode with a relation to an opcode.
#[must_use]
pub fn related<I: Isa>(opcode: I::Opcode, relation: Relation) -> Option<I::Opcode> {
    I::inst_tables().relations.one(I::opcode_index(opcode), relation).and_then(I::opcode_at)
}

/// Returns the opcode with a relation to an opcode that concerns a source, by its index among the operands.
#[must_use]
pub fn related_at<I: Isa>(opcode: I::Opcode, relation: Relation, operand: usize) -> Option<I::Opcode> {
    let mut all = I::inst_tables().relations.of(I::opcode_index(opcode), relation);
    all.find(|(index, _)| usize::from(*index) == operand).and_then(|(_, other)| I::opcode_at(other))
}

/// An encoding of an opcode: a format, or a component of a dual-issue format, with the opcode number there.
#[derive(Clone, Copy, Debug)]
pub struct Encoding<I: Isa> {
    format: &'static Format<I>,
    format_index: u8,
    component: &'static Component<I>,
    index: u8,
    slot: &'static Slot,
}

impl<I: Isa> Encoding<I> {
    /// Returns the guide's name of the microcode format.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.format.name
    }

    /// Returns the index of the format in [`Tables::formats`](crate::tables::Tables::formats).
    #[must_use]
    pub fn format_index(&self) -> u8 {
        self.format_index
    }

    /// Returns the flags of the row, a bit each as in the module `flags` of the set.
    #[must_use]
    pub fn flags(&self) -> u128 {
        self.shape().map_or(0, Shape::flags)
    }

    /// Returns the suffix that distinguishes the mnemonic, such as `_e64`; empty if the format has none.
    #[must_use]
    pub fn suffix(&self) -> &'static str {
        self.format.suffix
    }

    /// Returns the number in the opcode field.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.slot.number
    }

    /// Returns which component of a dual-issue format it is, 0 or 1. `None` for any other format.
    #[must_use]
    pub fn component(&self) -> Option<u8> {
        self.format.is_dual_issue().then_some(self.index)
    }

    /// Returns the length in dwords without a suffix dword.
    #[must_use]
    pub fn dwords(&self) -> u8 {
        self.format.dwords
    }

    fn shape(&self) -> Option<&'static Shape<I>> {
        self.component.shapes.get(usize::from(self.slot.shape))
    }

    /// Returns the names of the suffix dwords that can follow, such as `LITERAL` and `DPP16`.
    pub fn suffix_dwords(&self) -> impl Iterator<Item = &'static str> + use<I> {
        let (format, shape) = (self.format, self.shape());
        let can_follow = move |suffix_dword: usize| {
            shape.is_some_and(|shape| shape.all_variants(format).any(|other| other.suffix_dword == suffix_dword))
        };
        (1..).zip(format.suffix_dwords).filter(move |(number, _)| can_follow(*number)).map(|(_, dword)| dword.name)
    }

    /// Returns whether a suffix dword always follows.
    #[must_use]
    pub fn always_has_suffix_dword(&self) -> bool {
        self.shape().is_some_and(|shape| shape.always != 0)
    }

    /// Returns the field that holds an operand or a modifier, by its role or name. `None` if it has no bits here.
    ///
    /// A field of a suffix dword counts only if no field of the format itself holds the operand.
    #[must_use]
    pub fn field(&self, role: &str) -> Option<&'static Field> {
        let variants = self.shape()?.all_variants(self.format);
        let carriers = variants.flat_map(|selected| selected.variant.carriers(self.component));
        let of_role = carriers.filter(|(_, carrier)| carrier.name == role);
        let fields = of_role.filter_map(|(_, carrier)| self.format.fields.get(usize::from(carrier.field)));
        fields.min_by_key(|field| field.suffix_dword)
    }

    /// Returns the operands of the encoding with the most operands.
    fn operands(&self) -> &'static [crate::operands::OperandStep<I::Value>] {
        let variants = self.shape().map_or(&[][..], Shape::variants);
        let lists = variants
            .iter()
            .filter_map(|variant| I::tables().operand_tables.lists.get(usize::from(*variant).checked_sub(1)?));
        lists.map(|list| list.steps).max_by_key(|steps| steps.len()).unwrap_or_default()
    }
}

/// Returns the encodings of an opcode, in the order in which the parser tries them.
pub fn encodings<I: Isa>(opcode: I::Opcode) -> impl Iterator<Item = Encoding<I>> {
    let number = I::opcode_index(opcode);
    I::tables().formats.iter().zip(0..).flat_map(move |(format, format_index)| {
        format.components.iter().zip(0..).flat_map(move |(component, index)| {
            let slots = component.slots.iter().filter(move |slot| slot.opcode == number);
            slots.map(move |slot| Encoding { format, format_index, component, index, slot })
        })
    })
}

/// Returns the operands of an opcode's row, in its order. Those that an encoding implies are among them.
pub fn operands<I: Isa>(opcode: I::Opcode) -> impl Iterator<Item = &'static RowOperand> {
    // The last encoding has the most operands; dual-issue formats lack some.
    let single = encodings::<I>(opcode).filter(|encoding| encoding.component().is_none()).last();
    let encoding = single.or_else(|| encodings::<I>(opcode).next());
    encoding.map(|encoding| encoding.operands()).unwrap_or_default().iter().map(|step| &step.row)
}

/// Returns the registers that an operand can be, in all encodings, by its index among the operands.
#[must_use]
pub fn register_class<I: Isa>(opcode: I::Opcode, operand: usize, mode: I::Mode) -> Option<RegisterClass> {
    let row = operands::<I>(opcode).nth(operand)?;
    let component = encodings::<I>(opcode).map(|encoding| encoding.index).min()?;
    register_class_of_role::<I>(I::opcode_index(opcode), component, row, mode, |_, _| true)
}

/// Returns whether an opcode can be a component of a dual-issue instruction: the first, and the second.
#[must_use]
pub fn dual_components<I: Isa>(opcode: I::Opcode) -> [bool; 2] {
    let has = |index| encodings::<I>(opcode).any(|encoding| encoding.component() == Some(index));
    [has(0), has(1)]
}
