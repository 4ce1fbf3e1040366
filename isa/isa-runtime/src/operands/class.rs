//! The trait of operand classes, and the conversion of field values.

use crate::class::placing::{Dependent, Placing};
#[cfg(feature = "parse")]
use crate::parse::asm::{DefaultCodeFn, Reader};
use crate::tables::{UsedFn, ValidFn, ValueFn, WriteFn};
#[cfg(feature = "parse")]
use crate::{Asm, FastSyntax, ParseError};
use crate::{CodeSet, Cx, Isa, Names, Text, Type, ValidCodes, Values};

/// A field value that converts to and from its encoded bits.
pub trait Code: Copy {
    /// Converts a code. Bits that the value lacks are dropped.
    fn from_code(code: u32) -> Self;

    /// Returns the code of the value.
    fn into_code(self) -> u32;
}

/// Implements [`Code`] for integers, whose codes are unsigned integers of the same width.
macro_rules! numbers {
    ($($number:ty as $unsigned:ty),*) => {$(
        impl Code for $number {
            #[inline]
            fn from_code(code: u32) -> Self {
                code as $number
            }

            #[inline]
            fn into_code(self) -> u32 {
                u32::from(self as $unsigned)
            }
        }
    )*};
}

numbers!(u8 as u8, u16 as u16, u32 as u32, i8 as u8, i16 as u16, i32 as u32);

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

/// The value of operands without a field.
impl Code for () {
    fn from_code(_: u32) {}

    fn into_code(self) -> u32 {
        0
    }
}

/// An operand class: the meaning and the text of the codes in a field, for operands and modifiers.
///
/// The types that `isa!` blocks name after a role (`VSRC1 [16:9]: s1: Vgpr`) implement this. A class whose codes are all
/// valid keeps the default `codes` and `check`; a modifier keeps the default `value`.
#[doc(alias("AsmOperandClass", "RegisterOperand"))]
pub trait Operand<I: Isa> {
    /// The type of the field's generated accessor: the class itself, a number, a `bool` …
    type Get: Code;

    /// If not 0, all codes of at most this number of bits are valid, and decoding does not check narrower fields.
    const BITS: u8 = 0;

    /// The number of bits that a field needs for the class's numbers, or 0 if a field may have any width.
    const WIDTH: u8 = 0;

    /// Whether decoding calls [`codes`](Self::codes) and [`check`](Self::check). `false` if every code that fits the field is
    /// valid.
    const CHECKED: bool = true;

    /// The codes that are valid by the operand's type, the flags of its row and the mode. Encoders and parsers accept them without a
    /// call. For other codes they call [`codes`](Self::codes) and [`check`](Self::check), which are complete but slower. A code
    /// that selects a suffix dword is included if it is valid with that suffix dword.
    const VALID_CODES: ValidCodes = if Self::CHECKED { ValidCodes::NONE } else { ValidCodes::All };

    /// Whether instructions that have the operand may not use it, as [`is_used`](Self::is_used) says.
    const MAY_BE_UNUSED: bool = false;

    /// Whether [`write`](Self::write) writes nothing for the code 0, so that it need not be called.
    const OMIT_IF_ZERO: bool = false;

    /// The precomputed texts of codes: what [`write`](Self::write) writes in all instructions in which the modifiers of
    /// [`Names::altered_by`] are 0.
    const NAMES: Names = Names::NONE;

    /// The precomputed values of codes: what [`value`](Self::value) returns in all instructions.
    const VALUES: Values<I::Value> = Values::NONE;

    /// The syntax that the fast parser reads without [`parse`](Self::parse). It has the same codes as [`parse`](Self::parse), but
    /// may also have texts that [`parse`](Self::parse) refuses: if the result does not decode, the slow parser reads the line.
    #[cfg(feature = "parse")]
    const FAST_SYNTAX: &'static FastSyntax = &FastSyntax::NONE;

    /// How an operand of this class is placed in the bits of an instruction, and read back, by
    /// [`Inst`](crate::Inst). Classes of operand tables state it, and the generator computes the tables of encoding from them: a class
    /// that is Rust code keeps the default, by which its code is a number.
    const PLACING: &'static Placing = &Placing::CODE;

    /// How the operand depends on other fields, as a register count that a modifier changes. Only classes of operand tables state it.
    const DEPENDENT: Option<Dependent<I>> = None;

    /// Converts a code. A field's accessor calls it with any bits that the field holds.
    #[inline]
    fn get(code: u32) -> Self::Get {
        Self::Get::from_code(code)
    }

    /// Returns the code of a value, for the generated `with_*`.
    #[inline]
    fn code(value: Self::Get) -> u32 {
        value.into_code()
    }

    /// Returns the valid codes for an operand of type `ty`, or `None` if every code is valid. By default these are the codes
    /// of [`VALID_CODES`](Self::VALID_CODES) if it has no others.
    #[inline]
    fn codes(ty: Type) -> Option<&'static CodeSet> {
        match Self::VALID_CODES.of(ty, 0, 0) {
            ValidCodes::Only(set) => Some(set),
            _ => None,
        }
    }

    /// Returns whether other disassemblers print this invalid code. Decoding such a word returns
    /// [`DecodeError::NonCanonical`](crate::DecodeError::NonCanonical), which carries the instruction.
    #[inline]
    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        false
    }

    /// Returns whether the instruction uses the operand. Other fields can say that it does not, as the address of a buffer access
    /// without an index and an offset. Then the operand's field may hold any code, and encoders write 0.
    #[inline]
    fn is_used(_cx: &Cx<'_, I>) -> bool {
        true
    }

    /// Returns whether `code` is valid in this instruction, if that depends on other fields.
    #[inline]
    fn check(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    /// Writes the operand, or a modifier with the blank before it (nothing if it has its default). Required unless
    /// [`NAMES`](Self::NAMES) has [`Names::context_free`].
    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if let Some(write) = Self::NAMES.context_free {
            write(code, out);
        }
    }

    /// Returns the value of the operand, or `None` for a modifier. Required unless [`VALUES`](Self::VALUES) has
    /// [`Values::context_free`].
    #[inline]
    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<I::Value> {
        Self::VALUES.context_free.map(|value| value(code))
    }

    /// Parses the operand or modifier and returns its code. The function itself sets other fields to which the text applies, as
    /// a sign or the literal. For a modifier it returns `None` and consumes nothing if another modifier comes next.
    ///
    /// # Errors
    /// The text is wrong, and can mean no other operand.
    #[cfg(feature = "parse")]
    fn parse(_asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        Ok(None)
    }

    /// Whether the parser calls [`parse`](Self::parse) again at the same position after the whole line, with
    /// [`Asm::is_second_pass`] set. This is for operands whose width depends on later modifiers: the first call accepts any
    /// width, and the second one checks it.
    #[cfg(feature = "parse")]
    const DEFERRED: bool = false;

    /// Returns the code of an operand or modifier that the text omits. Without it, or if it returns `None`, the operand is
    /// required, and the field of a modifier keeps the bits of the encoding variant.
    #[cfg(feature = "parse")]
    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = None;

    /// Of a modifier without text: the text of another modifier that sets it, for errors. Empty: its own name.
    #[cfg(feature = "parse")]
    const STATED_BY: &'static str = "";
}

/// The facts of an operand class: the constants and functions of its [`Operand`] implementation.
pub struct ClassFacts<I: Isa> {
    /// Returns whether a code is valid, or `None` if every code is.
    pub valid: Option<ValidFn<I>>,
    /// All codes of at most this number of bits are valid.
    pub bits: u8,
    /// Returns whether disassemblers print an invalid code.
    pub printable: ValidFn<I>,
    /// Returns whether the instruction uses the operand, or `None` if every instruction does.
    pub is_used: Option<UsedFn<I>>,
    /// Whether the code 0 has no text.
    pub omit_if_zero: bool,
    /// The precomputed texts.
    pub names: Names,
    /// Prints the operand.
    pub write: WriteFn<I>,
    /// The codes that are valid without a check.
    pub valid_codes: ValidCodes,
    /// The flags on which the valid codes depend, and whether they depend on the mode.
    pub depends: (u128, bool),
    /// The syntax that the fast parser knows.
    #[cfg(feature = "parse")]
    pub fast_syntax: &'static FastSyntax,
    /// The precomputed values.
    pub values: Values<I::Value>,
    /// How the operand is parsed.
    #[cfg(feature = "parse")]
    pub reader: Reader<I>,
    /// How the operand is placed in the bits of an instruction.
    pub placing: &'static Placing,
    /// See [`Operand::DEPENDENT`].
    pub dependent: Option<Dependent<I>>,
    /// Returns the value of an operand, or `None` for a modifier.
    pub value: ValueFn<I>,
}

impl<I: Isa> ClassFacts<I> {
    /// Returns the facts of a class.
    #[must_use]
    pub const fn of<O: Operand<I>>() -> Self {
        ClassFacts {
            valid: if O::CHECKED { Some(valid::<I, O>) } else { None },
            bits: O::BITS,
            printable: O::printable,
            is_used: if O::MAY_BE_UNUSED { Some(O::is_used) } else { None },
            omit_if_zero: O::OMIT_IF_ZERO,
            names: O::NAMES,
            values: O::VALUES,
            write: O::write,
            valid_codes: O::VALID_CODES,
            depends: O::VALID_CODES.depends(),
            #[cfg(feature = "parse")]
            fast_syntax: O::FAST_SYNTAX,
            #[cfg(feature = "parse")]
            reader: Reader {
                parse: O::parse,
                is_deferred: O::DEFERRED,
                default: O::DEFAULT_CODE,
                stated_by: O::STATED_BY,
            },
            placing: O::PLACING,
            dependent: O::DEPENDENT,
            value: O::value,
        }
    }
}

/// Returns whether a code is valid: the static set and the check in one call, since decoding makes it for every operand.
fn valid<I: Isa, O: Operand<I>>(cx: &Cx<'_, I>, code: u32) -> bool {
    O::codes(cx.ty).is_none_or(|set| set.has(code)) && O::check(cx, code) || O::MAY_BE_UNUSED && !O::is_used(cx)
}
