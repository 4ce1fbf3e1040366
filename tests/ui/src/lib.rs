//! Sets and operand classes that the cases of compile errors use. The cases are in `macro`, `asm` and `build`, the test is `tests/ui.rs`.

pub mod tables;
pub mod toy;
