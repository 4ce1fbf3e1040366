//! Two codes have one name.

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

        /// A comparison.
        modifier Compare = names " {}" { 0 "lt", 1 "eq", 2 "lt", 1 "ne" };
    }
}

fn main() {}
