//! Lists of operands: one that is declared twice, one that is declared after its row, and an operand that a list repeats.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    operands both = (d: u32, s: u32);
    operands both = (d: u32);
    text "{d}, {s}";
    0 => A (..later);
    1 => B (..both, s: u32);
    operands later = (d: u32, s: u32);
    2 => C (..);
}

isa_ui_tests::toy_set! { F }

fn main() {}
