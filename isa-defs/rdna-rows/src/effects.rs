//! The 32-bit registers that operands consist of.

use amdgpu_operands::{OperandRegisters, RegisterSet, Unit};

use crate::Value;
use crate::operands::RETURNED_GROUPS;

impl OperandRegisters for Value {
    fn add_to(&self, set: &mut RegisterSet) {
        match *self {
            Value::Registers(registers) => {
                if let Some(first) = Unit::of_file(registers.file as u8, registers.first) {
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

    fn add_written_to(&self, set: &mut RegisterSet) {
        match *self {
            Value::Scattered { first, count, .. } => {
                for (first, count) in first.into_iter().zip(count).take(RETURNED_GROUPS.end).skip(RETURNED_GROUPS.start)
                {
                    set.insert_run(Unit::vgpr(first), count);
                }
            }
            _ => self.add_to(set),
        }
    }
}
