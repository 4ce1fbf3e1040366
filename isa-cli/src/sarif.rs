//! Files in the format SARIF.

use std::fs;
use std::path::Path;

use amdgpu_report::sarif::{Outcome, document};

use crate::failure::Failure;
use crate::input;

/// Writes a file with the results of one run.
pub fn write(path: &Path, outcomes: &[Outcome<'_>]) -> Result<(), Failure> {
    let text = format!("{:#}\n", document(("isa", env!("CARGO_PKG_VERSION")), outcomes));
    let failed = |error| Failure::about(&input::name(path), format_args!("cannot be written: {error}"));
    fs::write(path, text).map_err(failed)
}
