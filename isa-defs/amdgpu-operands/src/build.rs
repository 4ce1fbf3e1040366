//! What the typed builders of all of these sets share: registers and values, a line with its operands, and macros for
//! what each set has to have of its own.

mod line;
mod macros;
mod registers;

use core::fmt;

use isa_runtime::{Text, ToText};

pub use crate::{sgpr, ttmp, vgpr};
pub use line::{BuildError, Filled};
pub use registers::*;

use crate::{Half, write_range};

/// A value in the place of an operand.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Arg {
    /// Registers that have numbers: the letters before it, the number of the first, and how many.
    Registers(&'static str, u8, u8),
    /// Half of a vector register.
    Half(u8, Half),
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
    /// A constant that something of the set writes.
    Coded(fn(u32, &mut Text), u32),
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
    Groups, groups => Arg::Groups(groups);
}

impl ToText for Arg {
    fn write_to(&self, out: &mut Text) {
        match *self {
            Arg::Registers(prefix, first, count) => write_range(prefix, first.into(), count, out),
            Arg::Half(number, half) => {
                write_range("v", number.into(), 1, out);
                out.push(if half == Half::High { ".h" } else { ".l" });
            }
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
                    write_range("v", first.into(), count, out);
                }
                out.push_ascii(b']');
            }
            Arg::Coded(write, code) => write(code, out),
            Arg::Nothing | Arg::Fault(_) => {}
        }
    }
}

/// Groups of vector registers that need not follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Groups {
    len: u8,
    all: [(u8, u8); 5],
}

impl Groups {
    /// Up to five groups: the first register of each, and how many.
    #[must_use]
    pub fn of(groups: &[(u8, u8)]) -> Self {
        let mut all = [(0, 0); 5];
        for (to, from) in all.iter_mut().zip(groups) {
            *to = *from;
        }
        Groups { len: groups.len().min(5) as u8, all }
    }

    /// Each group: the first register, and how many.
    pub fn each(&self) -> impl Iterator<Item = (u8, u8)> {
        self.all.into_iter().take(usize::from(self.len))
    }
}

/// Writes `[0,1,2]`.
#[doc(hidden)]
pub fn list(numbers: &[u8], out: &mut Text) {
    for (i, n) in numbers.iter().enumerate() {
        out.push_ascii(if i == 0 { b'[' } else { b',' });
        out.dec(u32::from(*n));
    }
    out.push_ascii(b']');
}

/// Shows what text writes, with the formatter's width.
#[doc(hidden)]
pub fn pad(value: &impl ToText, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = Text::new();
    value.write_to(&mut text);
    f.pad(text.as_str())
}
