//! The word zero.

use isa::isa;

isa! {
    /// The word zero, which no format of the guide claims: it is VOP2's opcode 0, reserved. Padding and stray reads
    /// look like it, so LLVM gives it a name.
    format ILLEGAL: 32 {
        ENCODING [31:0] = 0,
    }
    // `unlisted`: LLVM knows the opcode, the guide does not list it.
    quirks unlisted;

    0 => V_ILLEGAL () unlisted { external(); }
}
