//! Instruction sets and wave sizes as arguments of functions.

use amdgpu_arch::{TargetSelection, Wave};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Reads the name of a processor or of a set.
pub fn selection(arch: &str) -> PyResult<TargetSelection> {
    TargetSelection::parse(arch)
        .map_err(|error| PyValueError::new_err(format!("arch `{}`: {error}", arch.escape_debug())))
}

/// Reads a wave size.
pub fn wave(lanes: Option<u32>) -> PyResult<Option<Wave>> {
    match lanes {
        None => Ok(None),
        Some(32) => Ok(Some(Wave::W32)),
        Some(64) => Ok(Some(Wave::W64)),
        Some(lanes) => Err(PyValueError::new_err(format!("a wave has 32 or 64 lanes, not {lanes}"))),
    }
}

/// Returns the wave size of code of a set without any statement: 64 for GCN, which has no other.
pub fn default_wave(selection: &TargetSelection) -> Wave {
    if selection.arch.is_rdna() { Wave::W32 } else { Wave::W64 }
}
