//! LLVM's syntax of numbers and constants, for operand classes that are tables.

use isa_runtime::class::Syntax;
use isa_runtime::{Asm, InlineFloat, Isa, ParseError, Text, Type};

use crate::{expression_in, integer};

/// LLVM's syntax of AMD's sets: numbers may be expressions over symbols.
#[derive(Clone, Copy, Debug)]
pub struct Llvm;

impl Syntax for Llvm {
    fn integer<I: Isa>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> Result<i64, ParseError> {
        integer(asm, what)
    }

    fn number<I: Isa>(asm: &mut Asm<'_, '_, I>, low: i64, high: i64, rule: &'static str) -> Result<u32, ParseError> {
        expression_in(asm, low, high, rule)
    }

    fn write_float(float: &InlineFloat, ty: Type, out: &mut Text) {
        // 1/(2 pi) has all of its digits in 64 bits. Integers of 16 bits show what they get.
        match ty.total_bits() {
            64 if float.code == INVERSE_TWO_PI => out.push("0.15915494309189532"),
            16 if !ty.is_float() => out.hex(float.f16.into()),
            _ => out.push(float.name),
        }
    }

    fn write_literal(value: u32, ty: Type, out: &mut Text) {
        crate::write_literal(value, ty, out);
    }
}

/// The code of 1/(2 pi).
const INVERSE_TWO_PI: u16 = 248;
