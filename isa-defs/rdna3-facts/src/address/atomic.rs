//! The treatment of denormals by floating-point atomics. Guide §13.2.

use crate::Opcode;

/// The hardware unit that executes an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicUnit {
    /// The caches, for buffer, flat and global instructions.
    Cache,
    /// The local data share.
    Lds,
}

/// The treatment of denormal inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denormals {
    /// Denormals are flushed.
    Flush,
    /// MODE.fp_denorm decides.
    Mode,
}

/// Returns the unit of a floating-point atomic and its treatment of denormal inputs; `None` for other opcodes. Guide
/// §13.2.
///
/// Caches use only the low bit of MODE.fp_denorm. In LDS, additions use the bits for inputs and outputs, comparisons
/// the bit for inputs.
#[must_use]
pub fn denormals(opcode: Opcode) -> Option<(AtomicUnit, Denormals)> {
    let name = opcode.name();
    if !(name.ends_with("_F32") || name.ends_with("_F64")) {
        return None;
    }
    if let Some(operation) = name.strip_prefix("DS_") {
        let atomic = ["ADD_", "MIN_", "MAX_", "CMPSTORE_"].iter().any(|o| operation.starts_with(o));
        return atomic.then_some((AtomicUnit::Lds, Denormals::Mode));
    }
    let (_, operation) = name.split_once("_ATOMIC_")?;
    Some((AtomicUnit::Cache, if operation.starts_with("ADD_") { Denormals::Flush } else { Denormals::Mode }))
}
