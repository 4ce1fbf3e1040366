//! A class that excludes a register that no run has.

use isa::isa;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
    Sp,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    pub trait Sets: isa::Isa<Value = super::Value> {}

    isa! {
        operands for I: Sets;
        value super::Value of super::File;

        values {
            0..=14 reg "r{}";
            15     sp  "sp";
        }

        /// A register.
        operand Reg -> u8 = reg | sp except "fp";
    }
}

fn main() {}
