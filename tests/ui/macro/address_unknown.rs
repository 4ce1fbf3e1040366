//! A name that nothing has is an error where an address is formed, not in each body that uses the address.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    address mem in global = base;
    0 => LOAD (d: u32, s: u32) { d = mem.u32; }
    1 => LOADH (d: u32, s: u32) { d = mem.u16 as u32; }
}

isa_tests::toy_set! { F }

fn main() {}
