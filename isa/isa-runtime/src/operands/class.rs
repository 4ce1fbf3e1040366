//! What an operand type of an instruction set provides, so that tables can name it.

use crate::inst::{Dependent, Placing};
use crate::tables::AbsentFn;
use crate::{Asm, CodeSet, Cx, Isa, Names, ParseError, Plain, Sure, Text, Type, Values};

/// A value that stands for the code in a field: what accessors give and `with_*` take.
pub trait Code: Copy {
    /// The value that a code stands for. Total: bits beyond the value's are dropped.
    fn from_code(code: u32) -> Self;

    /// The code of the value.
    fn into_code(self) -> u32;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Code for $number {
            #[inline]
            fn from_code(code: u32) -> Self {
                code as $number
            }

            #[inline]
            fn into_code(self) -> u32 {
                self as u32
            }
        }
    )*};
}

numbers!(u8, u16, u32, i32);

impl Code for i16 {
    #[inline]
    fn from_code(code: u32) -> Self {
        code as i16
    }

    #[inline]
    fn into_code(self) -> u32 {
        u32::from(self as u16)
    }
}

impl Code for bool {
    #[inline]
    fn from_code(code: u32) -> Self {
        code != 0
    }

    #[inline]
    fn into_code(self) -> u32 {
        u32::from(self)
    }
}

/// For operands that no bits carry.
impl Code for () {
    fn from_code(_: u32) {}

    fn into_code(self) -> u32 {
        0
    }
}

/// A kind of operand or modifier: what the code in a field means and how it is written.
///
/// The types that `isa!` blocks name after a role (`VSRC1 [16:9]: s1: Vgpr`) implement this. A kind whose codes are
/// all meaningful leaves `codes` and `check` alone; a modifier leaves `value` alone.
pub trait Operand<I: Isa> {
    /// What the generated accessor of the field gives: the kind itself, a number, a `bool` …
    type Get: Code;

    /// If not 0, all codes of so many bits are valid: decoding checks no field that has at most so many.
    const BITS: u8 = 0;

    /// How many bits a field needs that holds the class's numbers. 0 if it may have any number of bits.
    const WIDTH: u8 = 0;

    /// Whether decoding has to ask [`codes`](Self::codes) and [`check`](Self::check): `false` where every code that
    /// fits the field means something.
    const CHECKED: bool = true;

    /// The codes that stand for something as far as the operand's type, the words of its row and the mode decide it:
    /// decoding looks no further for them. Of all other codes it asks [`codes`](Self::codes) and
    /// [`check`](Self::check), which tell the whole truth, but more slowly. Codes that announce a suffix dword are
    /// among them if they stand for something where that suffix dword follows.
    const SURE: Sure = if Self::CHECKED { Sure::NONE } else { Sure::All };

    /// Whether [`write`](Self::write) writes nothing where the code is 0: then it need not be called.
    const SILENT: bool = false;

    /// Texts that are ready for codes of this kind: exactly what [`write`](Self::write) would write, wherever the operand
    /// stands, unless what [`Names::altered_by`] names is set. Other codes have none.
    const NAMES: Names = Names::NONE;

    /// What codes of this kind come to, where that is ready: exactly what [`value`](Self::value) would give, wherever the
    /// operand stands.
    const VALUES: Values<I::Value> = Values::NONE;

    /// The texts that are read without [`parse`](Self::parse), with the codes that it would give them where it takes them;
    /// it need not take them all, for an instruction that cannot be decoded is read again by [`parse`](Self::parse).
    const PLAIN: &'static Plain = &Plain::NONE;

    /// How an operand of this class is placed in the bits of an instruction, and read back, by
    /// [`Inst`](crate::Inst). By default its code is a number.
    const PLACING: &'static Placing = &Placing::CODE;

    /// For operands that depend on other fields, such as a number of registers that a modifier changes: which they are, and
    /// whether given ones are right.
    const DEPENDENT: Option<Dependent<I>> = None;

    /// Reads a code. Total: a field's accessor calls it with whatever the field holds.
    #[inline]
    fn get(code: u32) -> Self::Get {
        Self::Get::from_code(code)
    }

    /// The code of a value, for the generated `with_*`.
    #[inline]
    fn code(value: Self::Get) -> u32 {
        value.into_code()
    }

    /// The codes that name something, for an operand of type `ty`; `None`: every code does. What [`SURE`](Self::SURE)
    /// says to be the only codes, where it does.
    #[inline]
    fn codes(ty: Type) -> Option<&'static CodeSet> {
        match Self::SURE.of(ty, 0, 0) {
            Sure::Only(set) => Some(set),
            _ => None,
        }
    }

    /// Whether other disassemblers print this code although no guide names it: such a word is read as
    /// [`DecodeError::NonCanonical`](crate::DecodeError::NonCanonical) instead of being refused.
    #[inline]
    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        false
    }

    /// Whether `code` names something here, where that depends on the rest of the instruction.
    #[inline]
    fn check(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    /// Writes the operand, or a modifier with the blank before it (nothing where it is at its default). To be given unless
    /// [`Names::alone`] of [`NAMES`](Self::NAMES) does it.
    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if let Some(write) = Self::NAMES.alone {
            write(code, out);
        }
    }

    /// What the operand comes to; `None` for a modifier. To be given unless [`Values::alone`] of [`VALUES`](Self::VALUES)
    /// does it.
    #[inline]
    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<I::Value> {
        Self::VALUES.alone.map(|value| value(code))
    }

    /// Reads the operand or modifier from text and gives its code; what else it stands for (a sign that another field
    /// holds, a literal) it puts there itself. A modifier gives `None`, and takes nothing, where another one comes next.
    ///
    /// # Errors
    /// What is wrong with the text, where it is clear that it means this operand.
    fn parse(_asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Ok(None)
    }

    /// Whether [`parse`](Self::parse) is to be called once more when the whole line is read, at the same place and with
    /// [`Asm::late`] set: for operands whose width follows from what stands behind them. The first call then takes
    /// any width, the second one insists on the right one.
    const LATE: bool = false;

    /// What gives the code of an operand, or of a modifier, that text leaves out. `None`, or if it gives none: an operand
    /// must not be left out, and the field of a modifier stays as the form has it.
    const ABSENT: Option<AbsentFn<I>> = None;
}
