//! The 32-bit registers that operands consist of.

use amdgpu_operands::{OperandRegisters, RegisterSet, Unit};

use crate::Value;

impl OperandRegisters for Value {
    fn add_to(&self, set: &mut RegisterSet) {
        if let Value::Registers(registers) = *self
            && let Some(first) = Unit::of_file(registers.file as u8, registers.first)
        {
            set.insert_run(first, registers.count);
        }
    }
}
