//! A condition tests a flag, and no clause names the module of flags.

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
            0..=15  reg "r{}";
            16..=31 int 0..=15;
        }

        /// A register or a number.
        operand Src = reg if plain else reg | int;
    }
}

fn main() {}
