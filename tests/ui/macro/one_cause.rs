//! A mistake in a field, a template, a type or an address is one error, though many rows have it.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32) { d = s; }
    1 => B (d: u32, s: u32) { d = s + 1; }
    2 => C (d: int, s: u32) { d = s; }
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}";
    0 => H (d: u32, s: u32);
    1 => I (d: u32, s: u32);
    2 => J (d: u32);
}

isa! {
    format M: 32 {
        E [31:24] = 0b11,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    address mem in global = base;
    0 => K (d: u32, s: u32) { d = mem.u32; }
    1 => L (d: u32, s: u32) { d = mem.u16 as u32; }
}

isa_ui_tests::toy_set! { F }

mod other {
    use super::G;

    isa_ui_tests::toy_set! { G }
}

mod addresses {
    use super::M;

    isa_ui_tests::toy_set! { M }
}

fn main() {}
