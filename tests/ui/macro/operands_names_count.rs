//! A run has fewer names than codes.

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

        values {
            0..=2 reg "a" "b";
        }

        /// A register.
        operand Reg = reg;
    }
}

fn main() {}
