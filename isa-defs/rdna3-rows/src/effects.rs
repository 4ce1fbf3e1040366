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
        File::Scc => files::SCC,
        File::Null | File::Special => return None,
    };
    Unit::of_file(file, registers.first)
}

impl OperandRegisters for Value {
    fn add_to(&self, set: &mut RegisterSet) {
        match *self {
            Value::Registers(registers) => {
                if let Some(first) = first(registers) {
                    set.insert_run(first, registers.count);
                }
            }
            Value::Scattered { groups, first, count } => {
                for (first, count) in first.into_iter().zip(count).take(usize::from(groups)) {
                    set.insert_run(Unit::vgpr(first), count);
                }
            }
            _ => {}
        }
    }
}
