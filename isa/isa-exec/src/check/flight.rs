//! Loads in flight: registers that may not be used yet.

use crate::check::rows::RegisterSet;
use crate::check::{Checked, Checker};
use crate::wave::Wave;

/// What is in flight in a wave.
#[derive(Debug, Default)]
pub(super) struct Flight {}

impl Flight {
    /// Whether code that uses only some registers has nothing to do with what is in flight.
    pub fn is_apart(&self, _registers: &RegisterSet) -> bool {
        true
    }
}

impl Checker {
    /// Checks the registers of an instruction against what is in flight, and follows what the instruction waits for and issues.
    pub(super) fn fly(&mut self, _checked: &Checked, _wave: &Wave) {}
}
