//! AMD RDNA3 instructions: decode, encode and text, generated from a transcription of the ISA guide.
#![no_std]

pub mod operands;
pub use operands::{File, Half, Registers, Value};

/// How many lanes a wave has; it decides the width of lane masks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Wave {
    /// 32 lanes: masks are one SGPR.
    #[default]
    W32,
    /// 64 lanes: masks are two SGPRs.
    W64,
}
