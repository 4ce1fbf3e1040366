//! Operands and modifiers of VOP3P.

use super::placing;
use isa::inst::Placing;
use isa::tables::AbsentFn;
use isa::{Asm, Class, CodeSet, Cx, Names, Operand, ParseError, Sure, Text, Type, Values};

use super::dpp::{text_type, write_signed};
use super::read::{Number, constant_value, inline_code, vector};
use super::vector::{Src, VGPRS, literal};
use super::vector_read::{Place, source_n};
use super::vop3::{is_number, read_bits, role, write_list};
use super::{
    LITERAL, SOURCE_NAMES, SOURCE_VALUES, SURE_SOURCES, source_codes, source_value, vector_source_printable,
    vgpr_value, write_source, write_vgpr,
};
use crate::{Generation, Value, Wave, flags, raw};

/// Source `N`: whole registers, signed only in the instructions with the word `mix`.
pub struct SrcP<const N: usize>;

impl<I: Generation, const N: usize> Operand<I> for SrcP<N> {
    type Get = Src;

    const PLACING: &'static Placing = &placing::srcp(N);

    const NAMES: Names = Names { unless: flags::MIX, ..SOURCE_NAMES };
    const VALUES: Values<Value> = SOURCE_VALUES;

    const SURE: Sure = SURE_SOURCES;

    fn codes(ty: Type) -> Option<&'static CodeSet> {
        Some(source_codes(ty))
    }

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        // Beside DPP the mixed-precision instructions take the second source from a VGPR.
        let dpp = N == 1 && cx.has(flags::MIX) && cx.suffix_dword != 0 && literal(cx).is_none();
        if dpp { code >= VGPRS } else { code != LITERAL || literal(cx).is_some() }
    }

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        vector_source_printable(code, cx.ty.dwords())
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let (ty, literal) = (text_type(cx), literal(cx));
        write_signed(cx, N, || is_number(code, ty, literal), out, |out| write_source(code, ty, literal, out));
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, cx.ty, literal(cx)))
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        source_n(asm, N, Place::Whole).map(Some)
    }
}

/// How many registers a WMMA accumulator takes: the row states wave32's type, and wave64 has twice the lanes.
pub(super) fn accumulator_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    match cx.mode {
        Wave::W32 => cx.ty.dwords(),
        Wave::W64 => cx.ty.dwords() / 2,
    }
}

/// Reads the registers of an accumulator.
fn read_accumulator<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    let dwords = asm.ty.dwords();
    vector(asm, if asm.mode == Wave::W64 { dwords / 2 } else { dwords })
}

static ACCUMULATOR: CodeSet = CodeSet::NONE.with(128, 208).with(240, 248).with(VGPRS, 511);

/// The matrix C of WMMA: registers, or an inline constant for all elements.
pub struct WmmaAcc;

impl<I: Generation> Operand<I> for WmmaAcc {
    type Get = Src;

    const PLACING: &'static Placing = &placing::WMMA_ACC;

    const SURE: Sure = Sure::Only(&ACCUMULATOR);

    fn printable(cx: &Cx<'_, I>, code: u32) -> bool {
        code == LITERAL && literal(cx).is_some()
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match code.checked_sub(VGPRS) {
            Some(number) => write_vgpr(number, accumulator_dwords(cx), out),
            None if code == LITERAL => out.hex(cx.suffix_dword_value()),
            None => write_source(code, cx.ty, None, out),
        }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(match code.checked_sub(VGPRS) {
            Some(number) => vgpr_value(number, accumulator_dwords(cx)),
            None => source_value(code, cx.ty, literal(cx)),
        })
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let Some(constant) = constant_value(asm)? else { return Ok(Some(read_accumulator(asm)? + VGPRS)) };
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
            const SURE: Sure = Sure::Within(3);
            const SILENT: bool = true;

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

    const ABSENT: Option<AbsentFn<I>> = Some(|asm| {
        if asm.has(flags::MIX) {
            return Some(0);
        }
        if read_sources(asm) == 3 {
            asm.set_field("OPSEL_HI2", 1);
        }
        Some(3)
    });
}
