//! LLVM's syntax of numbers and constants, for operand classes that are tables.

use isa_runtime::class::{Syntax, write_forced};
#[cfg(feature = "parse")]
use isa_runtime::class::{
    constant_after_signs,
    expression::{expression_in, unknown_operand},
    signs::{SignPlace, Signs},
};
#[cfg(feature = "parse")]
use isa_runtime::{Asm, Constant, Isa, ParseError, Symbolic};
use isa_runtime::{Class, Constants, InlineFloat, Text, Type};

#[cfg(feature = "parse")]
use crate::symbol::{begins_modifier, begins_register};

/// LLVM's syntax of AMD's sets: numbers may be expressions over symbols.
#[derive(Clone, Copy, Debug)]
pub struct Llvm;

impl Syntax for Llvm {
    #[cfg(feature = "parse")]
    const CONFLICT: &'static str = "an instruction holds one literal constant, and none beside DPP";
    // `|lit(1.0)|` is the inline constant.
    #[cfg(feature = "parse")]
    const FORCES_LITERALS_BETWEEN_BARS: bool = false;

    #[cfg(feature = "parse")]
    fn begins_operand(text: &str) -> bool {
        begins_register(text) || begins_modifier(text)
    }

    #[cfg(feature = "parse")]
    fn number<I: Isa>(asm: &mut Asm<'_, '_, I>, low: i64, high: i64, rule: &'static str) -> Result<u32, ParseError> {
        expression_in(asm, low, high, rule)
    }

    #[cfg(feature = "parse")]
    fn constant<I: Isa>(asm: &mut Asm<'_, '_, I>, signs: Signs) -> Result<Option<(Constant, bool)>, ParseError> {
        let start = asm.input.at();
        let is_wide = asm.input.eat_word("lit64");
        let is_forced = is_wide || asm.input.eat_word("lit");
        if is_wide && signs.place != SignPlace::None && !signs.has_bars {
            return Err(asm.rule_at(start, "`lit64(…)` needs literals of 64 bits, which this generation lacks"));
        }
        if is_forced && !asm.input.eat("(") {
            return Err(asm.expected("`(`"));
        }
        constant_after_signs::<I, Self>(asm, signs, is_forced)
    }

    #[cfg(feature = "parse")]
    fn deferred<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Option<Symbolic> {
        // `lit` and `lit64` are not symbols where a literal can be.
        if matches!(asm.input.peek_word(), "lit" | "lit64") { None } else { unknown_operand::<I, Self>(asm) }
    }

    fn write_float(float: &InlineFloat, ty: Type, out: &mut Text) {
        // 1/(2 pi) has all of its digits in 64 bits. Integers of 16 bits show what they get.
        match ty.total_bits() {
            64 if float.code == INVERSE_TWO_PI => out.push("0.15915494309189532"),
            16 if !ty.is_float() => out.hex(float.f16.into()),
            _ => out.push(float.name),
        }
    }

    /// Writes `lit(…)` where the plain number would assemble to an inline constant.
    ///
    /// A 16-bit operand takes the low half of the literal; a 64-bit float takes the literal as its high half.
    fn write_literal(constants: &Constants, value: u32, ty: Type, out: &mut Text) {
        if ty.bits() == 64 && ty.is_float() {
            // An f64 that is exactly an inline constant shows as that constant.
            return match constants.floats.iter().find(|f| f.f64 == u64::from(value) << 32) {
                Some(float) => out.push(float.name),
                None if value == 0 => out.push("0"),
                None => out.hex(value),
            };
        }
        if constants.is_inline(value, ty) {
            write_forced(value, out);
        } else if ty.total_bits() == 16 && ty.class() != Class::BFloat {
            out.hex(value & 0xffff);
        } else {
            out.hex(value);
        }
    }

    fn is_literal_number(constants: &Constants, value: u32, ty: Type) -> bool {
        // An f64 shows inline constants by name, never as `lit(…)`.
        ty.bits() == 64 && ty.is_float() || !constants.is_inline(value, ty)
    }
}

/// The code of 1/(2 pi).
const INVERSE_TWO_PI: u16 = 248;
