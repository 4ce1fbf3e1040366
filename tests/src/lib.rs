//! What the tests share. The tests themselves are in `tests/`.

pub mod ages;
pub mod guide;
pub mod needs;
pub mod removal;
pub mod rv32i;
pub mod sample;
pub mod sets;
pub mod toy;
pub mod vectors;
