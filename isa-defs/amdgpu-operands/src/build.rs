//! The parts of the typed builders that the AMD sets share: registers, and which of them slots admit.

mod macros;
mod registers;

use isa_runtime::Text;

pub use crate::{sgpr, ttmp, vgpr};
pub use isa_runtime::Op;
pub use isa_runtime::build::{BuildError, InstBuilder, ModifierRange, RegisterError};
pub use registers::*;

use crate::{Half, write_range};

/// Writes registers of a file, or half of one: `v[4:7]`, `v1.h`.
fn write_registers(prefix: &str, first: u8, count: u8, half: Option<Half>, out: &mut Text) {
    write_range(prefix, first.into(), count, out);
    match half {
        None => {}
        Some(Half::High) => out.push(".h"),
        Some(Half::Low) => out.push(".l"),
    }
}
