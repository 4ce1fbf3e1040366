//! The types behind the functions of [`build`](crate::build): registers, values, slots, the builder and its modifiers.
//!
//! A builder fills an [`Inst`], whose encoder knows all encodings, so a builder knows none.

mod modifiers;
pub mod slots;
mod values;

use core::fmt;
use core::marker::PhantomData;

use amdgpu_operands::build::InstBuilder;
use isa::{EncodeError, ErrorKind, Inst};

pub use crate::operands::{DelayAlu, HwRegister, ImageDim, LaneBit, Rdna4HwRegister, Swizzle};
pub use amdgpu_operands::build::{
    EXEC, EXEC_HI, EXEC_LO, Exec, ExecHi, ExecLo, M0, M0Register, NULL, Null, OFF, Off, Op, PRIVATE_BASE,
    PRIVATE_LIMIT, PrivateBase, PrivateLimit, RegisterError, SCC, SHARED_BASE, SHARED_LIMIT, Scc, Sgprs, SharedBase,
    SharedLimit, Ttmps, VCC, VCC_HI, VCC_LO, Vcc, VccHi, VccLo, VgprHalf, Vgprs, VirtualSgprs, VirtualVgprs, s, sgpr,
    ttmp, v, vgpr,
};
pub use modifiers::has;
pub use values::{
    AtomicHint, Attribute, Channel, DependencyWaits, DppCtrl, ElementFormat, ExportTo, Hint, MemoryScope, Message,
    MicrocodeVersion, ValueError, Waits,
};

use crate::{Generation, Instruction, Target, Violation, Wave, flags, legal};

/// Why operands and modifiers, each well typed, make no instruction together.
pub type BuildError = amdgpu_operands::build::BuildError<Violation>;

/// An error that concerns no single operand.
const fn general(rule: &'static str) -> EncodeError {
    EncodeError { operand: None, kind: ErrorKind::Rule(rule) }
}

/// An instruction of the generation `I` under construction: its operands, and the modifiers so far. `M` says which
/// modifiers it has.
///
/// ```
/// use rdna_rows::{Instr, Wave, build::*};
///
/// let add = v_add_f32(v(0), v(1), 1.0).neg(0).clamp().build(Wave::W32)?;
/// assert_eq!(add.to_string(), "v_add_f32_e64 v0, -v1, 1.0 clamp");
/// // Without a mode: in wave32.
/// let load: Instr = s_load_b64(sgpr!(4..=5), sgpr!(0..=1), NULL, 16).try_into()?;
/// assert_eq!(load.to_string(), "s_load_b64 s[4:5], s[0:1], 0x10");
/// // An operand that is known only at run time.
/// let source: Op = if load.len() == 2 { v(1).op() } else { sgpr!(1).op() };
/// assert_eq!(v_mov_b32(v(0), source).instr()?.to_string(), "v_mov_b32_e32 v0, v1");
/// # Ok::<(), BuildError>(())
/// ```
#[must_use = "a builder is not an instruction before it is built"]
pub struct Builder<I: Generation, M> {
    inst: InstBuilder<I>,
    /// Whether the dimension of an image has been stated, which has no default.
    has_dim: bool,
    /// Whether DPP controls have been stated, which decide the short encoding.
    has_dpp: bool,
    /// Whether the short encoding has been asked for.
    is_short: bool,
    marker: PhantomData<fn() -> M>,
}

isa::build::builder! { <I: Generation, M> Builder<I, M> }

impl<I: Generation, M> Builder<I, M> {
    /// For the functions of [`build`](crate::build).
    #[doc(hidden)]
    #[inline]
    pub const fn new(inst: InstBuilder<I>) -> Self {
        Builder { inst, has_dim: false, has_dpp: false, is_short: false, marker: PhantomData }
    }

    /// Returns the operand-level instruction.
    ///
    /// # Errors
    /// An argument that is not a value, a modifier that is stated twice or has no such value.
    #[inline]
    pub fn inst(self) -> Result<Inst<I>, BuildError> {
        if self.has_dpp && self.is_short {
            const SHORT: &str = "with DPP the short encoding comes by itself: leave `.e32()` out";
            return Err(BuildError::Operand(general(SHORT)));
        }
        self.inst.inst().copied().map_err(BuildError::Operand)
    }

    /// Builds the instruction in the shortest encoding that takes it, and applies all rules of its `check`.
    ///
    /// # Errors
    /// The operand or modifier that no encoding takes, or the rule that the operands and modifiers break together.
    #[inline]
    pub fn build(self, wave: Wave) -> Result<I::Instr, BuildError> {
        if self.is_short {
            self.inst()?;
        }
        let instr = self.inst.build(wave, |instr| legal::check_rules(instr, Target::from(wave)))?;
        self.require_dim(&instr)?;
        Ok(instr)
    }

    /// Builds the instruction without the rules between operands, for code generators that obey them by construction. The
    /// words are those of this opcode all the same.
    ///
    /// # Errors
    /// The operand or modifier that no encoding takes.
    #[inline]
    pub fn build_unchecked(self, wave: Wave) -> Result<I::Instr, BuildError> {
        if self.is_short {
            self.inst()?;
        }
        let instr = self.inst.encode_unchecked(wave).map_err(BuildError::Operand)?;
        self.require_dim(&instr)?;
        Ok(instr)
    }

    /// Builds the instruction in wave32.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    #[inline]
    pub fn instr(self) -> Result<I::Instr, BuildError> {
        self.build(Wave::W32)
    }

    /// Requires that the dimension of an image has been stated.
    #[inline]
    fn require_dim(&self, instr: &I::Instr) -> Result<(), BuildError> {
        if instr.microcode().is_image() && !self.has_dim && instr.flags() & flags::RAY == 0 {
            return Err(BuildError::Operand(general(
                "the dimension of the image is missing: `.dim(ImageDim::D2)`, say",
            )));
        }
        Ok(())
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inst = self.inst.unchecked();
        let both = [Wave::W32, Wave::W64].map(|wave| Some((wave, inst.encode_unchecked(wave).ok()?)));
        match both.into_iter().flatten().next() {
            Some((wave, instr)) => {
                let format = I::parts(&instr).0;
                fmt::Display::fmt(&isa::Display::<I>::new(format, instr.dwords(), instr.dword_count() as u8, wave), f)
            }
            None => fmt::Debug::fmt(inst, f),
        }
    }
}

/// Half of a dual-issue pair; `M` says whether it can be the first ([`has::X`]) or the second ([`has::Y`]).
#[must_use = "a half is not an instruction before it is built with another one: `dual(x, y)`"]
pub struct DualHalf<I: Generation, M> {
    inst: InstBuilder<I>,
    marker: PhantomData<fn() -> M>,
}

impl<I: Generation, M> Clone for DualHalf<I, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Generation, M> Copy for DualHalf<I, M> {}

impl<I: Generation, M> fmt::Debug for DualHalf<I, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DualHalf({:?})", self.inst.unchecked())
    }
}

impl<I: Generation, M> DualHalf<I, M> {
    /// For the functions of [`build`](crate::build).
    #[doc(hidden)]
    #[inline]
    pub const fn new(inst: InstBuilder<I>) -> Self {
        DualHalf { inst, marker: PhantomData }
    }

    /// The same half, of which is no longer said what it can be.
    const fn any(self) -> DualHalf<I, ()> {
        DualHalf { inst: self.inst, marker: PhantomData }
    }
}

/// Two instructions that a wave issues together.
///
/// ```
/// use rdna_rows::build::*;
///
/// let pair = dual(v_dual_add_f32(v(0), v(1), v(2)), v_dual_mov_b32(v(3), v(4))).build()?;
/// assert_eq!(pair.to_string(), "v_dual_add_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4");
/// # Ok::<(), BuildError>(())
/// ```
pub fn dual<I: Generation>(x: impl First<I>, y: impl Second<I>) -> Pair<I> {
    Pair { x: x.first().inst, y: y.second().inst }
}

/// A builder that can be the first of a dual-issue pair.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a half of a pair",
    label = "not half of a pair",
    note = "the halves of pairs have their own functions, `v_dual_…`; what has none cannot be issued so"
)]
pub trait First<I: Generation> {
    /// The half.
    fn first(self) -> DualHalf<I, ()>;
}

/// A builder that can be the second of a dual-issue pair.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a half of a pair",
    label = "not half of a pair",
    note = "the halves of pairs have their own functions, `v_dual_…`; what has none cannot be issued so"
)]
pub trait Second<I: Generation> {
    /// The half.
    fn second(self) -> DualHalf<I, ()>;
}

impl<I: Generation, M: has::X> First<I> for DualHalf<I, M> {
    fn first(self) -> DualHalf<I, ()> {
        self.any()
    }
}

impl<I: Generation, M: has::Y> Second<I> for DualHalf<I, M> {
    fn second(self) -> DualHalf<I, ()> {
        self.any()
    }
}

/// A dual-issue pair under construction.
#[must_use = "a pair is not an instruction before it is built"]
#[derive(Clone, Copy, Debug)]
pub struct Pair<I: Generation> {
    x: InstBuilder<I>,
    y: InstBuilder<I>,
}

impl<I: Generation> Pair<I> {
    /// Returns the operand-level instruction.
    ///
    /// # Errors
    /// An argument that is not a value.
    pub fn inst(&self) -> Result<Inst<I>, BuildError> {
        let (x, y) = (self.x.inst(), self.y.inst());
        Ok(Inst::pair(*x.map_err(BuildError::Operand)?, *y.map_err(BuildError::Operand)?))
    }

    /// Builds the instruction, which exists in wave32 only.
    ///
    /// # Errors
    /// The rule that the halves break together.
    pub fn build(self) -> Result<I::Instr, BuildError> {
        let instr = self.build_unchecked()?;
        legal::check_rules(&instr, Target::from(Wave::W32)).map_err(BuildError::Illegal)?;
        Ok(instr)
    }

    /// Builds the instruction without the rules between operands, as [`Builder::build_unchecked`] does.
    ///
    /// # Errors
    /// The operand that the encoding does not take.
    pub fn build_unchecked(self) -> Result<I::Instr, BuildError> {
        self.inst()?.encode_unchecked(Wave::W32).map_err(BuildError::Operand)
    }
}
