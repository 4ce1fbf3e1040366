//! What the functions of [`build`](crate::build) take and give: registers, values, slots, the builder and its modifiers.
//!
//! A builder writes its line as text and has the parser read it, so it knows no encoding and no rule by itself.

mod modifiers;
mod registers;
pub mod slots;
mod values;

use core::fmt;
use core::marker::PhantomData;

use isa::build::Draft;
use isa::{Options, Text, ToText};

pub use crate::operands::{DelayAlu, HwRegister, ImageDim, LaneBit, Swizzle};
pub use crate::{sgpr, ttmp, vgpr};
pub use modifiers::has;
pub use registers::*;
pub use values::{
    Attribute, Channel, DependencyWaits, DppCtrl, ElementFormat, ExportTo, Groups, Message, MicrocodeVersion,
    ValueError, Waits,
};

use crate::operands::{Counter, Registers, scalar_code, write_counters, write_sgpr, write_vgpr, write_vgpr_half};
use crate::{File, Half as RegisterHalf, Instr, Rdna3, Violation, Wave};

/// A value in the place of an operand.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Arg {
    /// Registers.
    Registers(Registers),
    /// An integer.
    Integer(i64),
    /// A floating-point number of 32 bits.
    Single(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// A name.
    Word(&'static str),
    /// A name with a number.
    Numbered(&'static str, u8),
    /// A key and a number.
    Keyed(&'static str, i32),
    /// Groups of vector registers.
    Groups(Groups),
    /// Counters and the constant that holds them.
    Counters(&'static [Counter], u16),
    /// Left out.
    Nothing,
    /// A value that is none.
    Fault(&'static str),
}

macro_rules! numbers {
    ($($ty:ty, $n:ident => $arg:expr;)*) => {$(
        impl From<$ty> for Arg {
            fn from($n: $ty) -> Arg {
                $arg
            }
        }
    )*};
}

numbers! {
    i16, n => Arg::Integer(n.into());
    u16, n => Arg::Integer(n.into());
    i32, n => Arg::Integer(n.into());
    u32, n => Arg::Integer(n.into());
    i64, n => Arg::Integer(n);
    // Above the range of `i64` it is a pattern of 64 bits.
    u64, n => Arg::Integer(n as i64);
    f32, x => Arg::Single(x);
    f64, x => Arg::Double(x);
}

fn write_registers(r: Registers, out: &mut Text) {
    match (r.file, r.half) {
        (File::Vgpr, Some(half)) => write_vgpr_half(r.first.into(), half == RegisterHalf::High, out),
        (File::Vgpr, None) => write_vgpr(r.first.into(), r.count, out),
        _ => {
            if let Some(code) = scalar_code(r) {
                write_sgpr(code, r.count, out);
            }
        }
    }
}

impl ToText for Arg {
    fn write_to(&self, out: &mut Text) {
        match *self {
            Arg::Registers(r) => write_registers(r, out),
            Arg::Integer(n) => n.write_to(out),
            Arg::Single(x) => x.write_to(out),
            Arg::Double(x) => x.write_to(out),
            Arg::Word(word) => out.push(word),
            Arg::Numbered(name, n) => {
                out.push(name);
                out.dec(n.into());
            }
            Arg::Keyed(key, n) => {
                out.push(key);
                n.write_to(out);
            }
            Arg::Groups(groups) => {
                for (i, (first, count)) in groups.each().enumerate() {
                    out.push(if i == 0 { "[" } else { ", " });
                    write_vgpr(first.into(), count, out);
                }
                out.push_ascii(b']');
            }
            Arg::Counters(counters, code) => write_counters(counters, code.into(), out),
            Arg::Nothing | Arg::Fault(_) => {}
        }
    }
}

/// An encoding that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Short,
    Long,
}

/// The most operands that text has.
const OPERANDS: usize = 5;

/// A line under construction.
#[derive(Clone, Copy, Debug)]
struct Line {
    draft: Draft,
    args: [Arg; OPERANDS],
    /// Which operands are negated, a bit each.
    neg: u8,
    /// Of which operands the absolute value is taken, a bit each.
    abs: u8,
    dpp: bool,
    length: Option<Length>,
}

/// Why operands and modifiers, each well typed, make no instruction together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuildError {
    /// What the parser says of the operands as they are written.
    Operand(isa::build::BuildError),
    /// The instruction breaks a rule between its operands.
    Illegal(Violation),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Operand(error) => error.fmt(f),
            BuildError::Illegal(violation) => violation.fmt(f),
        }
    }
}

impl core::error::Error for BuildError {}

fn fault(operand: Option<&'static str>, rule: &'static str) -> BuildError {
    BuildError::Operand(isa::build::BuildError { operand, fault: isa::Fault::Rule(rule) })
}

impl Line {
    fn new(template: &'static str, given: &[Arg]) -> Self {
        let mut args = [Arg::Nothing; OPERANDS];
        for (to, from) in args.iter_mut().zip(given) {
            *to = *from;
        }
        Line { draft: Draft::new(template), args, neg: 0, abs: 0, dpp: false, length: None }
    }

    /// The bit of the operand that is source `n`; `None` where there is none.
    fn source(&self, n: u8) -> Option<u8> {
        self.draft.operands().position(|name| name.as_bytes() == [b's', b'0'.wrapping_add(n)]).map(|at| 1 << at)
    }

    fn operand(&self, nth: usize, out: &mut Text) {
        let Some(arg) = self.args.get(nth) else { return };
        let (neg, abs) = (self.neg >> nth & 1 == 1, self.abs >> nth & 1 == 1);
        if neg {
            out.push("neg(");
        }
        if abs {
            out.push("abs(");
        }
        arg.write_to(out);
        for _ in 0..u8::from(neg) + u8::from(abs) {
            out.push_ascii(b')');
        }
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
            return Err(fault(None, "with DPP the short encoding comes by itself: leave `.e32()` out"));
        }
        for (name, arg) in self.draft.operands().zip(&self.args) {
            if let Arg::Fault(rule) = arg {
                return Err(fault(Some(name), rule));
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut Text) {
        self.draft.write(self.suffix(), |_, nth, out| self.operand(nth, out), out);
    }

    fn build(&self, wave: Wave) -> Result<Instr, BuildError> {
        self.check()?;
        let operand = |_, nth, out: &mut Text| self.operand(nth, out);
        match self.draft.finish::<Rdna3>(self.suffix(), operand, Options::from(wave)) {
            // Of what only the guide forbids, text lets pass what a builder refuses.
            Ok(instr) => instr.check(wave).map(|()| instr).map_err(BuildError::Illegal),
            Err(error) => {
                // A rule between operands knows the operand that it is broken by.
                let lenient = Options { mode: wave, lenient: true };
                let instr = self.draft.finish::<Rdna3>(self.suffix(), operand, lenient);
                if let Some(violation) = instr.ok().and_then(|instr| instr.check(wave).err()) {
                    return Err(BuildError::Illegal(violation));
                }
                // What types admit is what the long encoding takes, so that one knows best; of a line with DPP, one with it.
                let suffixes: &[&str] = match (self.length, self.dpp) {
                    (_, true) => &["_e64_dpp", "_dpp"],
                    (None, false) => &["_e64"],
                    (Some(_), false) => &[],
                };
                let mut errors = suffixes.iter().filter_map(|suffix| {
                    let error = self.draft.finish::<Rdna3>(suffix, operand, Options::from(wave)).err()?;
                    (!matches!(error.fault, isa::Fault::Mnemonic(_))).then_some(error)
                });
                Err(BuildError::Operand(errors.next().unwrap_or(error)))
            }
        }
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

impl<M> Clone for Builder<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Builder<M> {}

impl<M> Builder<M> {
    /// For the functions of [`build`](crate::build).
    #[doc(hidden)]
    pub fn new(template: &'static str, args: &[Arg]) -> Self {
        Builder { line: Line::new(template, args), marker: PhantomData }
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

/// The line as the parser reads it.
impl<M> ToText for Builder<M> {
    fn write_to(&self, out: &mut Text) {
        self.line.write(out);
    }
}

impl<M> fmt::Display for Builder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.line.write(&mut text);
        f.pad(text.as_str())
    }
}

impl<M> fmt::Debug for Builder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Builder({self})")
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
