//! The 32-bit registers that operands consist of.

use amdgpu_operands::{OperandRegisters, RegisterSet, Unit, files};

use crate::{File, Registers, Value};

/// Returns the first unit of registers, `None` for what holds nothing that is written: NULL and constants.
fn first(registers: Registers) -> Option<Unit> {
    let file = match registers.file {
        File::Vgpr => files::VGPR,
        File::Sgpr => files::SGPR,
        File::Vcc => files::VCC,
        File::Ttmp => files::TTMP,
        File::M0 => files::M0,
        File::Exec => files::EXEC,
        File::FlatScratch => files::FLAT_SCRATCH,
        File::XnackMask => files::XNACK_MASK,
        File::Tba => files::TBA,
        File::Tma => files::TMA,
        File::Null | File::Special => return None,
    };
    Unit::of_file(file, registers.first)
}

impl OperandRegisters for Value {
    fn add_to(&self, set: &mut RegisterSet) {
        if let Value::Registers(registers) = *self
            && let Some(first) = first(registers)
        {
            set.insert_run(first, registers.count);
        }
    }
}
