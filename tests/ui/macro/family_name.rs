//! A name that no `for` binds, and a fault in a family, which is said once.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    for rel in [0 LT, 1 EQ] {
        0 + rel => CMP_{rell} (d: u32, s: u32);
        8 + rel => CMPX_{rel} (d: u32, s: u31);
    }
}

isa_ui_tests::toy_set! { F }

fn main() {}
