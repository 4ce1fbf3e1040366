//! The literal constant, which any format that takes one shares.

use isa::isa;

isa! {
    /// A 32-bit constant after the base words. A source field that holds 255 stands for it; rows that name their
    /// constant apart from the sources carry it as `k`. Guide §6.2.
    dword LITERAL {
        LITERAL [31:0]: k: Literal,
    }
    text "";
}
