//! Addresses of DS instructions in the global data share. Guide §12.6.

use amdgpu_memory::codes;

use super::lds::{DsAccess, DsForm, LdsAlignment, lds_piece};
pub use super::window::Window;
use super::{Address, Fault, NO_ACCESS, Spans};
use crate::{Instr, Opcode};

/// The state that a GDS address depends on besides the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GdsState {
    /// The value of the VGPR that ADDR names in the first active lane, the only one that GDS serves.
    pub addr: u32,
    /// M0.
    pub m0: u32,
    /// The alignment mode.
    pub alignment: LdsAlignment,
}

/// Returns the bytes of GDS that a DS instruction accesses: one piece for each address. Guide §12.6.
///
/// # Errors
/// [`NO_ACCESS`] for instructions that access no GDS. Each piece may have its own fault.
pub fn address(instr: &Instr, state: &GdsState) -> Result<Spans, Fault> {
    let access = DsAccess::of(instr).filter(|access| access.gds).ok_or(NO_ACCESS)?;
    let window = Window::from_bits(state.m0);
    let piece = |at: u64| {
        let size = u32::from(window.size());
        let inside = lds_piece(at, access.bytes, access.atomic, size, state.alignment)?;
        Ok(Address::new(inside.byte + u64::from(window.base()), inside.bytes))
    };
    let at = |offset: u32| piece(state.addr.wrapping_add(offset).into());
    match access.form {
        DsForm::One => Ok(Spans::one(at(access.offset().into()))),
        DsForm::Counter => Ok(Spans::one(piece(u64::from(access.offset())))),
        DsForm::Two(unit) => Ok(access.two(access.two_offsets(unit).map(at))),
        DsForm::AddTid => Err(NO_ACCESS),
    }
}

codes! {
    /// The registers that `DS_ADD_GS_REG_RTN` and `DS_SUB_GS_REG_RTN` update, by bits 5 to 2 of OFFSET0. Guide §12.6.1,
    /// table 61.
    pub enum StreamoutRegister: full {
        /// Dwords written to buffer 0.
        DwordsWritten0 = 0 "GDS_STRMOUT_DWORDS_WRITTEN_0",
        /// Dwords written to buffer 1.
        DwordsWritten1 = 1 "GDS_STRMOUT_DWORDS_WRITTEN_1",
        /// Dwords written to buffer 2.
        DwordsWritten2 = 2 "GDS_STRMOUT_DWORDS_WRITTEN_2",
        /// Dwords written to buffer 3.
        DwordsWritten3 = 3 "GDS_STRMOUT_DWORDS_WRITTEN_3",
        /// A register of the GS stage.
        Gs0 = 4 "GDS_GS_0",
        /// A register of the GS stage.
        Gs1 = 5 "GDS_GS_1",
        /// A register of the GS stage.
        Gs2 = 6 "GDS_GS_2",
        /// A register of the GS stage.
        Gs3 = 7 "GDS_GS_3",
        /// Primitives that stream 0 needs.
        PrimsNeeded0 = 8 "GDS_STRMOUT_PRIMS_NEEDED_0",
        /// Primitives written to stream 0.
        PrimsWritten0 = 9 "GDS_STRMOUT_PRIMS_WRITTEN_0",
        /// Primitives that stream 1 needs.
        PrimsNeeded1 = 10 "GDS_STRMOUT_PRIMS_NEEDED_1",
        /// Primitives written to stream 1.
        PrimsWritten1 = 11 "GDS_STRMOUT_PRIMS_WRITTEN_1",
        /// Primitives that stream 2 needs.
        PrimsNeeded2 = 12 "GDS_STRMOUT_PRIMS_NEEDED_2",
        /// Primitives written to stream 2.
        PrimsWritten2 = 13 "GDS_STRMOUT_PRIMS_WRITTEN_2",
        /// Primitives that stream 3 needs.
        PrimsNeeded3 = 14 "GDS_STRMOUT_PRIMS_NEEDED_3",
        /// Primitives written to stream 3.
        PrimsWritten3 = 15 "GDS_STRMOUT_PRIMS_WRITTEN_3",
    }
}

impl StreamoutRegister {
    /// The number of dwords of the register and of the returned value. Guide §12.6.1, tables 61 and 62.
    #[must_use]
    pub const fn dwords(self) -> u8 {
        if (self as u8) < 8 { 1 } else { 2 }
    }

    /// Returns the register that an instruction updates; `None` for other instructions.
    #[must_use]
    pub fn of(instr: &Instr) -> Option<Self> {
        let Instr::Ds(x) = instr else { return None };
        let streamout = matches!(instr.opcode(), Opcode::DS_ADD_GS_REG_RTN | Opcode::DS_SUB_GS_REG_RTN);
        streamout.then(|| StreamoutRegister::from_bits(x.offset0() >> 2))
    }
}
