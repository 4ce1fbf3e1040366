//! Operands and modifiers of VOP3P.

use super::placing;
use isa::inst::Placing;
use isa::tables::DefaultCodeFn;
use isa::{Asm, Class, Cx, Operand, ParseError, Text, Type, ValidCodes};

use super::read::{Number, constant_value, inline_code, vector};
use super::vector::VGPRS;
use super::vector_read::{Place, source_n};
use super::vop3::{read_bits, role, write_list};
use crate::{Generation, Wave, flags, raw};

/// Returns whether a code can be source `N` beside a suffix dword: beside DPP the mixed-precision instructions take the second
/// source from a VGPR.
pub(super) fn is_source<const N: usize, I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    N != 1 || !cx.has(flags::MIX) || cx.suffix_dword_name() == Some("LITERAL") || code >= VGPRS
}

/// Reads source `N`.
pub(super) fn read_source<const N: usize, I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    source_n(asm, N, Place::Whole).map(Some)
}

/// How many registers a WMMA accumulator takes: the row states wave32's type, and wave64 has twice the lanes.
pub(super) fn accumulator_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    match cx.mode {
        Wave::W32 => cx.ty.dwords(),
        Wave::W64 => cx.ty.dwords() / 2,
    }
}

/// Reads the matrix C of WMMA.
pub(super) fn read_accumulator<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let Some(constant) = constant_value(asm)? else {
        let dwords = accumulator_dwords(&asm.cx());
        return Ok(Some(vector(asm, dwords)? + VGPRS));
    };
    // LLVM compares with the inline constants of 64 bits, whatever the type of the elements. 1/(2 pi) is never equal
    // to the shorter constant that it prints.
    const DOUBLE: Type = Type::new(Class::Float, 64, 1);
    let printed = matches!(constant, Number::Float(f) if f == 0.159_154_94);
    // An integer with the bits of an inline float is that constant where the elements are integers: LLVM refuses it, and
    // builders, which have no floats there, write it.
    let element = Type::new(asm.ty.class(), asm.ty.bits(), 1);
    let bits = if element.is_float() { None } else { inline_code(constant, element) };
    match inline_code(constant, DOUBLE).or(printed.then_some(248)).or(bits) {
        Some(code) => Ok(Some(code)),
        None => {
            asm.input.go(start);
            Err(asm.rule("a matrix takes inline constants only"))
        }
    }
}

/// How many sources the instruction has: 2 or 3.
fn sources<I: Generation>(cx: &Cx<'_, I>) -> u32 {
    if cx.sibling("s2").is_some() { 3 } else { 2 }
}

/// The same while the text is read.
fn read_sources<I: Generation>(asm: &Asm<'_, '_, I>) -> u32 {
    if role(asm, "s2").is_some() { 3 } else { 2 }
}

/// Modifiers with a bit for each source, the first source's lowest, written as a list unless all are 0. The word `mix`
/// turns off the last two: signs stand at the operands there.
macro_rules! lists {
    ($($(#[$doc:meta])* $kind:ident $name:literal hidden $word:expr;)*) => {$(
        $(#[$doc])*
        pub struct $kind;

        impl<I: Generation> Operand<I> for $kind {
            type Get = u8;

            // The bit of a third source needs one.
            const VALID_CODES: ValidCodes = ValidCodes::Within(3);
            const OMIT_IF_ZERO: bool = true;

            fn check(cx: &Cx<'_, I>, code: u32) -> bool {
                code >> sources(cx) == 0
            }

            fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
                if code != 0 && !cx.has($word) {
                    write_list($name, (0..sources(cx)).map(|n| code >> n & 1), out);
                }
            }

            fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
                if asm.has($word) {
                    return Ok(None);
                }
                let name = $name.trim_matches([' ', ':']);
                Ok(read_bits(asm, name)?.map(|bits| bits & ((1 << read_sources(asm)) - 1)))
            }
        }
    )*};
}

lists! {
    /// OPSEL: the half of each source that gives the low half of the result.
    OpSelLo " op_sel:" hidden 0;
    /// NEG: which sources are negated for the low half of the result.
    NegLo " neg_lo:" hidden flags::MIX;
    /// NEG_HI: which sources are negated for the high half of the result.
    NegHi " neg_hi:" hidden flags::MIX;
}

/// OPSEL_HI: the half of each source that gives the high half of the result. The third source's bit is OPSEL_HI2.
///
/// Left out where all are 1, or with the word `mix` where all are 0: there a bit says that a source is an f16.
pub struct OpSelHi;

impl<I: Generation> Operand<I> for OpSelHi {
    type Get = u8;

    const PLACING: &'static Placing = &placing::modifier(&[(isa::Case::Flag(flags::MIX), 0), (isa::Case::Else, 3)]);

    const CHECKED: bool = false;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let third = u32::from(raw::Vop3p::from_bits(cx.low64()).opsel_hi2());
        let count = sources(cx);
        let bits = (third << 2 | code) & ((1 << count) - 1);
        let default = if cx.has(flags::MIX) { 0 } else { (1 << count) - 1 };
        if bits != default {
            write_list(" op_sel_hi:", (0..count).map(|n| bits >> n & 1), out);
        }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let Some(bits) = read_bits(asm, "op_sel_hi")? else { return Ok(None) };
        if read_sources(asm) == 3 {
            asm.set_field("OPSEL_HI2", bits >> 2 & 1);
        }
        Ok(Some(bits & 3))
    }

    const DEFAULT_CODE: Option<DefaultCodeFn<I>> = Some(|asm| {
        if asm.has(flags::MIX) {
            return Some(0);
        }
        if read_sources(asm) == 3 {
            asm.set_field("OPSEL_HI2", 1);
        }
        Some(3)
    });
}
