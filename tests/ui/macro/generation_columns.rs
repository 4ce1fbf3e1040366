//! A row with the wrong number of columns, one that is nowhere, and columns without generations.

use isa::isa;

isa! {
    format F: 32 of old, middle, new {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 1 => A (d: u32, s: u32);
    - - - => B (d: u32, s: u32);
    1 - 2 => C (d: u32, s: u32);
    3 3 3 3 => D (d: u32, s: u32);
}

isa! {
    format G: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 1 => E (d: u32, s: u32);
}

isa_ui_tests::toy_set! { of old; F }

isa! {
    format H: 64 96 32 of (old, middle), new {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
        LOW [63:32] ignored,
        HIGH [95:64] ignored in new,
    }
    text "{d}, {s}";
    0 - => F (d: u32, s: u32) in new;
    1 => G (d: u32, s: u32) in newest;
    2 => H (d: u32, s: u32) named I;
    3 4 5 => J (d: u32, s: u32);
}

fn main() {}
