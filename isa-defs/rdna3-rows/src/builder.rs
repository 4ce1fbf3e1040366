//! What the functions of [`build`](crate::build) take and give: registers, values, slots, the builder and its modifiers.
//!
//! A builder writes its line as text and has the parser read it, so it knows no encoding and no rule by itself.

mod modifiers;
pub mod slots;
mod values;

use core::fmt;
use core::marker::PhantomData;

use amdgpu_operands::build::Filled;
use isa::{Options, Text, ToText};

pub use crate::operands::{DelayAlu, HwRegister, ImageDim, LaneBit, Swizzle};
pub use amdgpu_operands::build::{
    Arg, EXEC, EXEC_HI, EXEC_LO, Exec, ExecHi, ExecLo, Groups, M0, M0Register, NULL, Null, OFF, Off, PRIVATE_BASE,
    PRIVATE_LIMIT, PrivateBase, PrivateLimit, RegisterError, SCC, SHARED_BASE, SHARED_LIMIT, Scc, Sgpr, Sgprs,
    SharedBase, SharedLimit, Ttmps, VCC, VCC_HI, VCC_LO, Vcc, VccHi, VccLo, Vgpr, VgprHalf, Vgprs, s, sgpr, ttmp, v,
    vgpr,
};
pub use modifiers::has;
pub use values::{
    Attribute, Channel, DependencyWaits, DppCtrl, ElementFormat, ExportTo, Message, MicrocodeVersion, ValueError, Waits,
};

use crate::{Instr, Rdna3, Violation, Wave};

/// An encoding that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Short,
    Long,
}

/// A line under construction, and the encoding that it is to have.
#[derive(Clone, Copy, Debug)]
struct Line {
    draft: Filled,
    dpp: bool,
    length: Option<Length>,
}

/// Why operands and modifiers, each well typed, make no instruction together.
pub type BuildError = amdgpu_operands::build::BuildError<Violation>;

impl Line {
    fn new(template: &'static str, given: &[Arg]) -> Self {
        Line { draft: Filled::new(template, given), dpp: false, length: None }
    }

    fn suffix(&self) -> &'static str {
        match (self.length, self.dpp) {
            (None, _) => "",
            (Some(Length::Short), _) => "_e32",
            (Some(Length::Long), false) => "_e64",
            (Some(Length::Long), true) => "_e64_dpp",
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.dpp && self.length == Some(Length::Short) {
            return Err(BuildError::rule(None, "with DPP the short encoding comes by itself: leave `.e32()` out"));
        }
        self.draft.check()
    }

    fn write(&self, out: &mut Text) {
        self.draft.write(self.suffix(), out);
    }

    fn build(&self, wave: Wave) -> Result<Instr, BuildError> {
        self.check()?;
        let built = self.draft.build::<Rdna3, _>(self.suffix(), wave, |instr| instr.check(wave));
        let Err(BuildError::Operand(error)) = built else { return built };
        // What types admit is what the long encoding takes, so that one knows best; of a line with DPP, one with it.
        let suffixes: &[&str] = match (self.length, self.dpp) {
            (_, true) => &["_e64_dpp", "_dpp"],
            (None, false) => &["_e64"],
            (Some(_), false) => &[],
        };
        let mut errors = suffixes.iter().filter_map(|suffix| {
            let error = self.draft.finish::<Rdna3>(suffix, Options::from(wave)).err()?;
            (!matches!(error.fault, isa::Fault::Mnemonic(_))).then_some(error)
        });
        Err(BuildError::Operand(errors.next().unwrap_or(error)))
    }
}

/// An instruction under construction: its operands, and the modifiers so far. `M` says which modifiers it has.
///
/// ```
/// use rdna3_rows::{Instr, Wave, build::*};
///
/// let add = v_add_f32(v(0), v(1), 1.0).neg(0).clamp().build(Wave::W32)?;
/// assert_eq!(add.to_string(), "v_add_f32_e64 v0, -v1, 1.0 clamp");
/// // Without a mode: in wave32.
/// let load: Instr = s_load_b64(sgpr!(4..=5), sgpr!(0..=1), NULL, 16).try_into()?;
/// assert_eq!(load.to_string(), "s_load_b64 s[4:5], s[0:1], 0x10");
/// # Ok::<(), BuildError>(())
/// ```
#[must_use = "a builder is no instruction before it is built"]
pub struct Builder<M> {
    line: Line,
    marker: PhantomData<fn() -> M>,
}

amdgpu_operands::builder! { <M> Builder<M> }

impl<M> Builder<M> {
    /// For the functions of [`build`](crate::build).
    #[doc(hidden)]
    pub fn new(template: &'static str, args: &[Arg]) -> Self {
        Builder { line: Line::new(template, args), marker: PhantomData }
    }

    fn draft(&mut self) -> &mut Filled {
        &mut self.line.draft
    }

    /// The instruction, in the shortest encoding that takes it.
    ///
    /// # Errors
    /// What the operands and modifiers break together.
    pub fn build(self, wave: Wave) -> Result<Instr, BuildError> {
        self.line.build(wave)
    }

    /// The instruction in wave32.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn instr(self) -> Result<Instr, BuildError> {
        self.line.build(Wave::W32)
    }
}

/// In wave32.
impl<M> TryFrom<Builder<M>> for Instr {
    type Error = BuildError;

    fn try_from(builder: Builder<M>) -> Result<Instr, BuildError> {
        builder.instr()
    }
}

/// Half of a dual-issue pair; `M` says whether it can be the first ([`has::X`]) or the second ([`has::Y`]).
#[must_use = "a half is no instruction before it is built with another one: `dual(x, y)`"]
pub struct Half<M> {
    line: Line,
    marker: PhantomData<fn() -> M>,
}

impl<M> Clone for Half<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Half<M> {}

impl<M> fmt::Debug for Half<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.line.write(&mut text);
        write!(f, "Half({})", text.as_str())
    }
}

impl<M> Half<M> {
    /// For the functions of [`build`](crate::build).
    #[doc(hidden)]
    pub fn new(template: &'static str, args: &[Arg]) -> Self {
        Half { line: Line::new(template, args), marker: PhantomData }
    }
}

/// Two instructions that a wave issues together.
///
/// ```
/// use rdna3_rows::build::*;
///
/// let pair = dual(v_dual_add_f32(v(0), v(1), v(2)), v_dual_mov_b32(v(3), v(4))).build()?;
/// assert_eq!(pair.to_string(), "v_dual_add_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4");
/// # Ok::<(), BuildError>(())
/// ```
pub fn dual(x: impl First, y: impl Second) -> Pair {
    Pair { x: x.first().line, y: y.second().line }
}

/// What can be the first of a dual-issue pair.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no half of a pair",
    label = "not half of a pair",
    note = "the halves of pairs have functions of their own, `v_dual_…`; what has none cannot be issued so"
)]
pub trait First {
    /// The half.
    fn first(self) -> Half<()>;
}

/// What can be the second of a dual-issue pair.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no half of a pair",
    label = "not half of a pair",
    note = "the halves of pairs have functions of their own, `v_dual_…`; what has none cannot be issued so"
)]
pub trait Second {
    /// The half.
    fn second(self) -> Half<()>;
}

impl<M: has::X> First for Half<M> {
    fn first(self) -> Half<()> {
        Half { line: self.line, marker: PhantomData }
    }
}

impl<M: has::Y> Second for Half<M> {
    fn second(self) -> Half<()> {
        Half { line: self.line, marker: PhantomData }
    }
}

/// A dual-issue pair under construction.
#[must_use = "a pair is no instruction before it is built"]
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    x: Line,
    y: Line,
}

impl Pair {
    /// The instruction, which exists in wave32 only.
    ///
    /// # Errors
    /// What the halves break together.
    pub fn build(self) -> Result<Instr, BuildError> {
        self.x.check()?;
        self.y.check()?;
        let mut text = Text::new();
        self.write_to(&mut text);
        let lenient = Options { mode: Wave::W32, lenient: true };
        let parsed = Instr::parse(text.as_str(), Wave::W32);
        let checked = parsed.or_else(|error| Instr::parse(text.as_str(), lenient).map_err(|_| error));
        match checked {
            Ok(instr) => instr.check(Wave::W32).map(|()| instr).map_err(BuildError::Illegal),
            Err(error) => Err(BuildError::Operand(isa::build::BuildError { operand: None, fault: error.fault })),
        }
    }
}

impl TryFrom<Pair> for Instr {
    type Error = BuildError;

    fn try_from(pair: Pair) -> Result<Instr, BuildError> {
        pair.build()
    }
}

impl ToText for Pair {
    fn write_to(&self, out: &mut Text) {
        self.x.write(out);
        out.push(" :: ");
        self.y.write(out);
    }
}
