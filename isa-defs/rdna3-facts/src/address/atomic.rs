//! What floating-point atomics on memory do with denormals. Guide §13.2.

use crate::Opcode;

/// Which hardware does the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicUnit {
    /// The caches: buffer, flat, global and scratch instructions.
    Cache,
    /// The local data share.
    Lds,
}

/// What becomes of denormal inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denormals {
    /// They are flushed.
    Flush,
    /// MODE.fp_denorm decides.
    Mode,
}

/// What becomes of denormal inputs of a floating-point atomic; `None` for other opcodes. Guide §13.2.
///
/// Caches look at the lower bit of MODE.fp_denorm alone. The LDS has both: additions use the bits for inputs and
/// outputs, comparisons the one for inputs.
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
