//! An opcode field, or a code, of more bits than the tables keep.

use isa::isa;

isa! {
    format F: 64 {
        W [63:32, 7:0]: s: Number,
        OP [31:8] = opcode,
    }
    text "{s}";
    0 => A (s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
