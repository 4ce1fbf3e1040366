//! Numbers of registers that fields decide: an unknown mode, a division by 0, too many fields, and a number that stands for
//! something else than the literal.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};
#[allow(unused_imports)] use isa_ui_tests::toy::Mode;

isa! {
    operands for I: Sets;
    value Value of File;
    mode Mode { Narrow, Wide };

    values {
        0..=14 reg "r{}";
        15     sp  "sp";
    }

    operand Halved -> u8 = reg, dwords type / 2 in Broad;
    operand Crowded -> u8 = reg, dwords a + b + 2 * c + d;
    number Narrowed = 0..=255, constants half_bits;
}

isa! {
    operands for I: Sets;
    value Value of File;
    mode Mode { Narrow, Wide };

    values {
        0..=14 reg "r{}";
    }

    operand Divided -> u8 = reg, dwords type / 0 in Wide;
}

fn main() {}
