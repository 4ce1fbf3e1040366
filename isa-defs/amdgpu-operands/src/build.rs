//! The parts of the typed builders that the AMD sets share: registers and their values, and macros for the slots, markers
//! and methods that each set defines itself.

mod macros;
mod registers;

use core::fmt;

use isa_runtime::{Text, ToText};

pub use crate::{sgpr, ttmp, vgpr};
pub use isa_runtime::Op;
pub use isa_runtime::build::{BuildError, Field, InstBuilder};
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

/// Shows what text writes, with the formatter's width.
#[doc(hidden)]
pub fn pad(value: &impl ToText, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = Text::new();
    value.write_to(&mut text);
    f.pad(text.as_str())
}
