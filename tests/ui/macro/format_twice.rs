//! Two formats of one name.

use isa::isa_set;

mod a {
    use isa::isa;

    isa! {
        format F: 32 {
            E [31:24] = 0b1,
            OP [23:16] = opcode,
            D [15:8]: out d: Reg,
            S [7:0]: s: Reg,
        }
        text "{d}, {s}";
        0 => A (d: u32, s: u32);
    }
}

mod b {
    use isa::isa;

    isa! {
        format F: 32 {
            E [31:24] = 0b10,
            OP [23:16] = opcode,
            D [15:8]: out d: Reg,
            S [7:0]: s: Reg,
        }
        text "{d}, {s}";
        0 => B (d: u32, s: u32);
    }
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { a::F, b::F }
}

fn main() {}
