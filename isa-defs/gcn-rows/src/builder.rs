//! What the functions of `build` take and give in every generation: slots, the builder and its modifiers.
//!
//! A register that a generation lacks has a type all the same: the parser, which reads the line, refuses it.

pub mod slots;

use core::marker::PhantomData;

use amdgpu_operands::build::Filled;
use isa::Text;

pub use amdgpu_operands::build::{
    Arg, EXEC, EXEC_HI, EXEC_LO, EXECZ, Exec, ExecHi, ExecLo, Execz, FLAT_SCRATCH, FLAT_SCRATCH_HI, FLAT_SCRATCH_LO,
    FlatScratch, FlatScratchHi, FlatScratchLo, M0, M0Register, OFF, Off, PRIVATE_BASE, PRIVATE_LIMIT, PrivateBase,
    PrivateLimit, RegisterError, SCC, SHARED_BASE, SHARED_LIMIT, Scc, Sgpr, Sgprs, SharedBase, SharedLimit, TBA,
    TBA_HI, TBA_LO, TMA, TMA_HI, TMA_LO, Tba, TbaHi, TbaLo, Tma, TmaHi, TmaLo, Ttmps, VCC, VCC_HI, VCC_LO, VCCZ, Vcc,
    VccHi, VccLo, Vccz, Vgpr, Vgprs, XNACK_MASK, XNACK_MASK_HI, XNACK_MASK_LO, XnackMask, XnackMaskHi, XnackMaskLo, s,
    sgpr, ttmp, v, vgpr,
};

use crate::{Generation, Violation, Wave};

/// Why operands and modifiers, each well typed, make no instruction together.
pub type BuildError = amdgpu_operands::build::BuildError<Violation>;

/// Which modifiers an instruction has: markers that generated groups of instructions carry.
pub mod has {
    amdgpu_operands::markers! {
        Offset "this instruction has no `offset`"
            "buffer instructions have it, and from GCN 1.4 on scalar memory, beside a register; a constant alone is the last parameter";
        Offen "this instruction has no `offen`" "buffer instructions on an address have it";
        Idxen "this instruction has no `idxen`" "buffer instructions on an address have it";
        Addr64 "this instruction has no `addr64`"
            "buffer instructions of GCN 1.0 and 1.1 have it; later a 64-bit address goes into the resource";
        Glc "this instruction has no choice of `glc`"
            "atomics that return what was there are functions of their own, whose names end in `_glc`";
        Slc "this instruction has no `slc`" "buffer instructions have it";
        Tfe "this instruction has no `tfe`" "buffer instructions that are no atomics have it";
        Nv "this instruction has no `nv`" "scalar memory of GCN 1.4 has it";
    }
}

/// An instruction of the generation `I` under construction: its operands, and the modifiers so far. `M` says which
/// modifiers it has.
///
/// ```
/// use gcn_rows::gcn1_4::{Instr, build::*};
///
/// let load = buffer_load_dword(v(1), v(0), sgpr!(4..=7), 0).idxen().offset(16).build()?;
/// assert_eq!(load.to_string(), "buffer_load_dword v1, v0, s[4:7], 0 idxen offset:16");
/// let load: Instr = s_load_dword(sgpr!(0), sgpr!(2..=3), sgpr!(8)).offset(4).try_into()?;
/// assert_eq!(load.to_string(), "s_load_dword s0, s[2:3], s8 offset:0x4");
/// # Ok::<(), BuildError>(())
/// ```
#[must_use = "a builder is no instruction before it is built"]
pub struct Builder<I, M> {
    line: Line,
    marker: PhantomData<fn() -> (I, M)>,
}

/// A line, which has one encoding.
#[derive(Clone, Copy, Debug)]
struct Line(Filled);

impl Line {
    fn write(&self, out: &mut Text) {
        self.0.write("", out);
    }
}

amdgpu_operands::builder! { <I, M> Builder<I, M> }

impl<I: Generation, M> Builder<I, M> {
    /// For the functions of `build`.
    #[doc(hidden)]
    pub fn new(template: &'static str, args: &[Arg]) -> Self {
        Builder { line: Line(Filled::new(template, args)), marker: PhantomData }
    }

    fn draft(&mut self) -> &mut Filled {
        &mut self.line.0
    }

    /// The instruction.
    ///
    /// # Errors
    /// What the operands and modifiers break together.
    pub fn build(self) -> Result<I::Instr, BuildError> {
        self.line.0.build::<I, _>("", Wave::W64, I::check)
    }

    amdgpu_operands::flags! {
        /// The address has an offset in a register.
        offen Offen;
        /// The address has an index in a register.
        idxen Idxen;
        /// The address is one of 64 bits in two registers.
        addr64 Addr64;
        /// Coherent with the whole device.
        glc Glc;
        /// Streamed: not kept in the cache.
        slc Slc;
        /// Adds a register with the status of the access to the data.
        tfe Tfe;
        /// The memory is not volatile.
        nv Nv;
    }

    amdgpu_operands::numbers! {
        /// A constant that is added to the address, in bytes; in scalar memory one beside a register.
        offset Offset i32;
    }
}
