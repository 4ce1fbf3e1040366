//! The constraints on the registers of operands, for register allocators.

use isa_schema::{OpStepRow, Plan, RowPlan};

use super::{NO_BIT, OpStep, described};
use crate::Isa;
use crate::inst::{File, Inst, RegisterPlace};
use crate::operands::RowOperand;
use crate::tables::Format;

/// The constraints on the registers of an operand, for register allocators.
#[derive(Clone, Copy, Debug)]
#[doc(alias("MCRegisterClass", "TargetRegisterClass"))]
pub struct RegisterClass {
    /// The registers that it can be, in all encodings of the opcode. Of an instruction: in those that have its modifiers. If other
    /// fields decide the number of registers, the ranges are those for as many as the operand has.
    pub files: RegisterFiles,
    /// How many registers it has; 0 if other fields decide it.
    pub count: u8,
    /// Whether it can be a constant instead: an inline constant, a literal, or a number in its field.
    pub takes_constants: bool,
    /// Whether it can be half of a register.
    pub has_halves: bool,
    /// Whether the operand is read and written in one register.
    pub is_tied: bool,
}

/// Registers of one file that an operand can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterRange {
    /// The file.
    pub file: File,
    /// The number of the first register.
    pub first: u16,
    /// The last number that the operand's first register can have.
    pub last: u16,
    /// The alignment of the operand's first register.
    pub align: u16,
}

/// The registers that an operand can be, by file.
#[derive(Clone, Copy, Debug)]
pub struct RegisterFiles {
    /// The registers in the encoding that has the most places.
    places: &'static [RegisterPlace],
    count: u8,
    /// Whether registers with halves have numbers below [`HALVES_IN_NUMBER`](Self::HALVES_IN_NUMBER) in all encodings.
    has_halves_in_number: bool,
    /// Whether other fields hold the lowest bits of the number: those of the second destination of a pair.
    has_bits_elsewhere: bool,
}

impl RegisterFiles {
    /// The number of registers whose halves a field can name that has the half in the number's highest bit.
    const HALVES_IN_NUMBER: u16 = 0x80;

    /// Returns each range of registers.
    pub fn iter(&self) -> impl Iterator<Item = RegisterRange> {
        let Self { count, has_halves_in_number, has_bits_elsewhere, .. } = *self;
        self.places.iter().filter_map(move |place| {
            let align = if has_bits_elsewhere { 1 } else { place.alignment(count) };
            let last = match place.last {
                last if place.any_count => last,
                last => (last + 1).checked_sub(u16::from(count.max(1)))?,
            };
            let is_narrow = has_halves_in_number && place.has_halves;
            let last = if is_narrow { last.min(Self::HALVES_IN_NUMBER - 1) } else { last };
            let RegisterPlace { file, first, .. } = *place;
            (last >= first).then_some(RegisterRange { file: File(file), first, last, align })
        })
    }
}

/// Returns the register class of an operand of an instruction, over the encodings that have its modifiers: an instruction with DPP
/// has other sources than one without.
pub(in crate::inst) fn register_class<I: Isa>(inst: &Inst<I>, index: usize, mode: I::Mode) -> Option<RegisterClass> {
    let row = described::<I>(inst).nth(index)?;
    let component = u8::from(index >= inst.first_len());
    let opcode = if component == 0 { inst.opcode } else { inst.second? };
    let is_dual = |format: u8| Format::<I>::at(format).is_some_and(Format::is_dual_issue);
    let can_encode = |row: &RowPlan, plan: &Plan| {
        (inst.pin.format == 0 || inst.pin.format == row.format + 1)
            && inst.second.is_some() == is_dual(row.format)
            && (component > 0 || inst.modifiers & !plan.modifiers == 0 && plan.required & !inst.modifiers == 0)
    };
    let opcode = I::opcode_index(opcode);
    let of_encodings = register_class_of_role::<I>(opcode, component, row, mode, can_encode);
    let mut class = of_encodings.or_else(|| register_class_of_role::<I>(opcode, component, row, mode, |_, _| true))?;
    if class.count == 0
        && let Some(reg) = inst.ops().get(index).and_then(|op| op.as_reg())
    {
        class.files.count = reg.count;
    }
    Some(class)
}

/// Returns the register class of an operand, given by its row, over the encodings of an opcode that a function selects.
pub(crate) fn register_class_of_role<I: Isa>(
    opcode: u16,
    component: u8,
    row: &RowOperand,
    mode: I::Mode,
    can_encode: impl Fn(&RowPlan, &Plan) -> bool,
) -> Option<RegisterClass> {
    let all = I::inst_tables().lowering;
    let mut found: Option<RegisterClass> = None;
    for row_plan in all.rows(opcode).iter().filter(|row| row.component == component) {
        for plan in all.plans_of(row_plan).filter(|plan| can_encode(row_plan, plan)) {
            let of_role = |step: &&OpStep| {
                I::tables().operand_tables.row(plan.variant, step.bound).is_some_and(|r| r.role == row.role)
            };
            let Some(step) = plan.steps.of(all.steps).iter().find(of_role) else { continue };
            let count = if step.is(OpStepRow::IS_DEPENDENT) { 0 } else { step.dwords(I::mode_index(mode)) };
            let has_bits_elsewhere = component > 0 && step.is(OpStepRow::IS_DEPENDENT);
            let class = found.get_or_insert(RegisterClass {
                files: RegisterFiles {
                    places: step.place.registers,
                    count,
                    has_halves_in_number: true,
                    has_bits_elsewhere,
                },
                count,
                takes_constants: false,
                has_halves: false,
                is_tied: row.access == crate::Access::ReadWrite,
            });
            class.takes_constants |= step.is(OpStepRow::TAKES_CONSTANTS) || step.place.placing.number.is_some();
            class.has_halves |= step.half != NO_BIT;
            class.files.has_halves_in_number &= step.half == OpStepRow::HALF_IN_NUMBER;
            if step.place.registers.len() > class.files.places.len() {
                class.files.places = step.place.registers;
            }
        }
    }
    found
}
