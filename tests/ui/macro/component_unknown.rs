//! A component that the format lacks, a component that is named twice, and rows that name none.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        RESERVED [7:0] reserved,
    }
    text "{d}";
    0 => A (d: u32);
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OPX [23:20] = opcode x,
        OPY [19:16] = opcode y,
        DX [15:8]: x.out d: Reg,
        DY [7:0]: z.out d: Reg,
    }
    components x " :: " y;
    text "{d}";
    x 0 => DUO_A = A;
    z 0 => DUO_A = A;
    1 => DUO_B = A;
    x, z 2 => DUO_C = A;
    x, x 3 => DUO_D = A;
    x, 4 => DUO_E = A;
}

isa_ui_tests::toy_set! { F, G }

fn main() {}
