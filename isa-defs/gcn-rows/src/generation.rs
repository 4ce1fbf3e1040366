//! In what the generations differ besides their rows and operands: ranges of offsets, the layout of data.
//!
//! The facts are LLVM's for gfx600, gfx700, gfx803 and gfx900.

use isa::Isa;

use crate::{Value, Violation, Wave};

/// A generation: an instruction set of this crate.
pub trait Generation: Isa<Mode = Wave, Value = Value> {
    /// The features in which it differs from other generations.
    const FEATURES: &'static Features;

    /// Whether an instruction obeys the rules between its operands.
    ///
    /// # Errors
    /// The first rule it breaks.
    fn check(instr: &Self::Instr) -> Result<(), Violation>;
}

/// The features in which generations differ.
#[derive(Debug)]
pub struct Features {
    /// Its place in the order of generations, from 0.
    pub nth: usize,
    /// Whether elements of 16 bits have a register each instead of half of one.
    pub unpacked_d16: bool,
    /// The range of constant offsets of scalar memory.
    pub smem_offset: (i64, i64),
    /// The error for a constant offset outside that range.
    pub smem_rule: &'static str,
}

/// GCN 1.0.
pub static GCN1_0: Features = Features { nth: 0, unpacked_d16: false, smem_offset: (0, 0), smem_rule: "" };

/// GCN 1.1.
pub static GCN1_1: Features = Features { nth: 1, ..GCN1_0 };

/// GCN 1.2.
pub static GCN1_2: Features = Features {
    nth: 2,
    unpacked_d16: true,
    smem_offset: (0, 0xf_ffff),
    smem_rule: "the offset has 20 bits: it lies between 0 and 1048575",
};

/// GCN 1.4.
pub static GCN1_4: Features = Features {
    nth: 3,
    unpacked_d16: false,
    smem_offset: (-0x10_0000, 0xf_ffff),
    smem_rule: "the offset has 21 bits: it lies between -1048576 and 1048575",
};
