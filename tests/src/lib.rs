//! What the tests share. The tests themselves are in `tests/`.

pub mod ages;
pub mod read_back;
pub mod rv32i;
pub mod toy;
pub mod vectors;
