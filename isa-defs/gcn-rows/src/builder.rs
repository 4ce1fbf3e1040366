//! The types behind the functions of `build` in every generation: slots, the builder and its modifiers.
//!
//! A register that a generation lacks has a type all the same: the encoder refuses it.

pub mod slots;

use core::fmt;
use core::marker::PhantomData;

use amdgpu_operands::build::InstBuilder;
use isa::Inst;

pub use amdgpu_operands::build::{
    EXEC, EXEC_HI, EXEC_LO, EXECZ, Exec, ExecHi, ExecLo, Execz, FLAT_SCRATCH, FLAT_SCRATCH_HI, FLAT_SCRATCH_LO,
    FlatScratch, FlatScratchHi, FlatScratchLo, M0, M0Register, OFF, Off, Op, PRIVATE_BASE, PRIVATE_LIMIT, PrivateBase,
    PrivateLimit, RegisterError, SCC, SHARED_BASE, SHARED_LIMIT, Scc, Sgprs, SharedBase, SharedLimit, TBA, TBA_HI,
    TBA_LO, TMA, TMA_HI, TMA_LO, Tba, TbaHi, TbaLo, Tma, TmaHi, TmaLo, Ttmps, VCC, VCC_HI, VCC_LO, VCCZ, Vcc, VccHi,
    VccLo, Vccz, Vgprs, VirtualSgprs, VirtualVgprs, XNACK_MASK, XNACK_MASK_HI, XNACK_MASK_LO, XnackMask, XnackMaskHi,
    XnackMaskLo, s, sgpr, ttmp, v, vgpr,
};

use crate::{Generation, Violation, Wave};

/// Why operands and modifiers, each well typed, make no instruction together.
pub type BuildError = amdgpu_operands::build::BuildError<Violation>;

/// Which modifiers an instruction has: markers that generated groups of instructions carry.
pub mod has {
    isa::build::markers! {
        Offset "this instruction has no `offset`"
            "buffer instructions have it, and from GCN 1.4 on scalar memory, beside a register; a constant alone is the last parameter";
        Offen "this instruction has no `offen`" "buffer instructions on an address have it";
        Idxen "this instruction has no `idxen`" "buffer instructions on an address have it";
        Addr64 "this instruction has no `addr64`"
            "buffer instructions of GCN 1.0 and 1.1 have it; later a 64-bit address goes into the resource";
        Glc "this instruction has no choice of `glc`"
            "atomics that return the old value are separate functions, whose names end in `_glc`";
        Slc "this instruction has no `slc`" "buffer instructions have it";
        Tfe "this instruction has no `tfe`" "buffer instructions that are not atomics have it";
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
#[must_use = "a builder is not an instruction before it is built"]
pub struct Builder<I: Generation, M> {
    inst: InstBuilder<I>,
    marker: PhantomData<fn() -> M>,
}

isa::build::builder! { <I: Generation, M> Builder<I, M> }

impl<I: Generation, M> Builder<I, M> {
    /// For the functions of `build`.
    #[doc(hidden)]
    #[inline]
    pub const fn new(inst: InstBuilder<I>) -> Self {
        Builder { inst, marker: PhantomData }
    }

    /// Returns the operand-level instruction.
    ///
    /// # Errors
    /// A modifier that is stated twice or has no such value.
    #[inline]
    pub fn inst(self) -> Result<Inst<I>, BuildError> {
        self.inst.inst().copied().map_err(BuildError::Operand)
    }

    /// Builds the instruction, and applies all rules of its `check`.
    ///
    /// # Errors
    /// The operand or modifier that no encoding takes, or the rule that the operands and modifiers break together.
    #[inline]
    pub fn build(self) -> Result<I::Instr, BuildError> {
        self.inst.build(Wave::W64, I::check)
    }

    /// Builds the instruction without the rules between operands, for code generators that obey them by construction. The
    /// words are those of this opcode all the same.
    ///
    /// # Errors
    /// The operand or modifier that no encoding takes.
    #[inline]
    pub fn build_unchecked(self) -> Result<I::Instr, BuildError> {
        self.inst.encode_unchecked(Wave::W64).map_err(BuildError::Operand)
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inst = self.inst.unchecked();
        let Ok(instr) = inst.encode_unchecked(Wave::W64) else { return fmt::Debug::fmt(inst, f) };
        let (format, words) = I::parts(&instr);
        // No format of these sets has a tail.
        let len = I::tables().formats.get(usize::from(format)).map_or(0, |format| format.dwords);
        fmt::Display::fmt(&isa::Display::<I>::new(format, words, len, Wave::W64), f)
    }

    isa::build::flags! {
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

    /// A constant that is added to the address, in bytes; in scalar memory one beside a register.
    #[inline]
    pub fn offset(mut self, value: i32) -> Self
    where
        M: has::Offset,
    {
        if M::FIELD.name() == "soe" {
            self.offset_beside_register(value);
        } else {
            self.inst.set_number(M::FIELD, value.into());
        }
        self
    }

    /// Moves the register of a scalar address to the operand for one beside a constant, which takes its place.
    fn offset_beside_register(&mut self, value: i32) {
        match self.inst.ops_mut() {
            [.., offset, soffset] if *soffset == Op::OFF && offset.as_reg().is_some() => {
                *soffset = *offset;
                *offset = value.into();
            }
            [.., soffset] if *soffset != Op::OFF => self.inst.fail("a modifier is given twice"),
            _ => self.inst.fail("a constant beside a constant: add the two, or write a register as the last parameter"),
        }
    }
}
