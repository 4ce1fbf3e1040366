//! A run names a generation that the values do not cover.

use isa::isa;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
    Other,
    Pc,
    Sp,
    Fp,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    pub trait Sets: isa::Isa<Value = super::Value> {}

    isa! {
        operands for I: Sets;
        value super::Value of super::File;

        values of old, new {
            0..=15  reg "r{}";
            16..=31 more as reg from 16 "x{}" in newer;
        }

        /// A register.
        operand Reg = reg;
    }
}

fn main() {}
