//! Flags that follow from bodies, in rows and with facts that bodies do not have.

use isa::isa;

isa! {
    format F: 32 {
        OP [31:24] = opcode,
        D [23:16]: out d: Reg,
        S [15:8]: s0: Reg,
        T [7:0]: s1: Reg,
    }
    flags load = loads, store = writes, both = duplicates mask;
    run lanes;
    text "{d}, {s0}, {s1}";
    0 => A (d: u32, s0: u32) load { d = mem.u32; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
