//! The treatment of denormals by floating-point atomics. Guide §13.2.

use super::body::access;
use crate::Opcode;
use crate::isa::body::Place;

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
pub enum AtomicDenormals {
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
pub fn denormals(opcode: Opcode) -> Option<(AtomicUnit, AtomicDenormals)> {
    let access = access(opcode).filter(|access| access.is_atomic && access.ty.is_float() && access.ty.lanes() == 1)?;
    Some(match (access.place, access.adds) {
        (Place::Lds | Place::Lds1, _) => (AtomicUnit::Lds, AtomicDenormals::Mode),
        (_, true) => (AtomicUnit::Cache, AtomicDenormals::Flush),
        (_, false) => (AtomicUnit::Cache, AtomicDenormals::Mode),
    })
}
