//! Lists and cases with codes that do not fit, and a call without its names.

use isa::isa;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    pub trait Sets: isa::Isa<Value = super::Value> {}

    isa! {
        operands for I: Sets;
        value super::Value of super::File;

        /// More bits than a field has.
        modifier Lanes = list " lanes:[{}]" of 8 x 8;
        /// No place for the list.
        modifier Bits = list " bits" of 2 x 1;
        /// Codes twice.
        modifier Ctrl = cases { 0..=7 list " perm:[{}]" of 3 x 1, 4..=9 "shift:{}" };
        /// Several codes with one text.
        modifier Mirror = cases { 8..=9 "mirror" };
        /// Names that no list has.
        parts Message = call "send" { id [7:0] MESSAGES };
    }
}

fn main() {}
