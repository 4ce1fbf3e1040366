//! The numbers of register files, which all generations share.

/// Scalar general-purpose registers.
pub const SGPR: u8 = 0;
/// Vector general-purpose registers.
pub const VGPR: u8 = 1;
/// Trap temporaries.
pub const TTMP: u8 = 2;
/// The vector condition code.
pub const VCC: u8 = 3;
/// The execute mask.
pub const EXEC: u8 = 4;
/// M0.
pub const M0: u8 = 5;
/// NULL.
pub const NULL: u8 = 6;
/// The scalar condition code.
pub const SCC: u8 = 7;
/// Memory apertures and status bits that read as constants: the number is the source code.
pub const SPECIAL: u8 = 8;
/// The base of scratch memory for flat instructions.
pub const FLAT_SCRATCH: u8 = 9;
/// The lanes that repeat an access after a page fault.
pub const XNACK_MASK: u8 = 10;
/// The address of the trap handler.
pub const TBA: u8 = 11;
/// The address of the trap handler's memory.
pub const TMA: u8 = 12;
