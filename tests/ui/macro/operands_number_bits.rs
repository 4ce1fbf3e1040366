//! A range does not fit its bits.

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

        /// A number.
        number Imm = 0..=4096, bits 12;
    }
}

fn main() {}
