//! Readers that many classes share: registers, numbers, sources, `name:value` modifiers.

use amdgpu_operands::Llvm;
pub use amdgpu_operands::{
    Number, call, constant_in_bars, constant_value, inline_code, integer, integer_in, key, keyed, literal_bits,
    literal_half, unknown_operand,
};
use isa::class::{Span, Syntax};
use isa::{Asm, Cx, Fault, Operand, ParseError, Type, ValidCodes};

use super::tables0::SPACE;
use super::{File, Registers, Src3};
use crate::{Generation, Wave};

/// The code that selects a literal.
const LITERAL: u32 = 255;

/// The first source code that is a vector register.
const VGPRS: u32 = 256;

/// One more than the last code of a scalar register.
const SCALARS: u32 = 128;

/// Reads registers and status bits: `v5`, `v[5:6]`, `v5.l`, `s3`, `vcc_lo`, `null`, `[s4,s5]`. Returns `None`, and takes
/// nothing, if something else comes next.
///
/// # Errors
/// A number that no register of the file has, a range that goes down, a list with gaps.
pub fn registers<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Span>, ParseError> {
    SPACE.registers::<I, Llvm>(asm)
}

/// Reads `dwords` scalar registers and returns their code.
///
/// # Errors
/// Something else comes next, or registers of another width.
pub fn scalar<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?;
    if let Some(span) = read.filter(|span| span.code < SCALARS && SPACE.fits(*span, dwords)) {
        return Ok(span.code);
    }
    asm.input.go(start);
    let run = read.and_then(|span| SPACE.runs.get(usize::from(span.run)));
    Err(match read {
        Some(span) if span.code >= VGPRS => {
            asm.rule("a vector register cannot stand here: this operand is a scalar register")
        }
        Some(span) if span.code < SCALARS => asm.registers(dwords, ""),
        _ => match run.map_or("", |run| run.rule) {
            "" => expected_register(asm, "a scalar register"),
            rule => asm.rule(rule),
        },
    })
}

/// The error where a register should be; registers and constants that have names are suggested.
pub(super) fn expected_register<I: Generation>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> ParseError {
    SPACE.expected(asm, what)
}

/// A fault where a vector register should stand and something else does, which has been read.
pub(super) fn not_vector<I: Generation>(asm: &mut Asm<'_, '_, I>, read: Option<Span>) -> ParseError {
    match read {
        Some(_) => asm.rule("a scalar register cannot stand here: this operand is a vector register"),
        None => expected_register(asm, "a vector register"),
    }
}

/// Reads a lane mask: one SGPR in wave32, two in wave64.
///
/// # Errors
/// As [`scalar`].
pub fn mask<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    let dwords = if asm.mode == Wave::W64 { 2 } else { 1 };
    scalar(asm, dwords).map_err(|error| match error.fault {
        Fault::Registers(count, _) => {
            let why = ": a lane mask is one in wave32 and a pair in wave64";
            ParseError { fault: Fault::Registers(count, why), ..error }
        }
        _ => error,
    })
}

/// Reads `dwords` whole vector registers and gives the number of the first.
///
/// # Errors
/// If something else comes next, or registers of another width.
pub fn vector<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    match registers(asm)? {
        Some(r) if r.code >= VGPRS && r.count == dwords && r.half.is_none() => Ok(r.code - VGPRS),
        other => {
            asm.input.go(start);
            Err(match other {
                Some(r) if r.half.is_some() => asm.rule("this operand is a whole register, not a half"),
                Some(r) if r.code >= VGPRS => asm.registers(dwords, ""),
                other => not_vector(asm, other),
            })
        }
    }
}

/// Reads a lane mask as [`mask`] does, or a constant or status bit that can be one.
///
/// # Errors
/// As [`mask`].
pub fn mask_or_constant<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let codes = <Src3<0> as Operand<I>>::VALID_CODES.of(asm.ty, 0, asm.mode as u8);
    if let Ok(Some(span)) = registers(asm)
        && (SCALARS..VGPRS).contains(&span.code)
        && matches!(codes, ValidCodes::Only(set) | ValidCodes::With(set) if set.has(span.code))
    {
        return Ok(span.code);
    }
    asm.input.go(start);
    mask(asm)
}

/// Reads a constant whose value is known only later, such as an address: it is a literal, which takes 32 bits. `None`,
/// and nothing taken, if anything else comes next, or the operand takes constants of another width.
///
/// # Errors
/// If the instruction has another literal.
pub(super) fn later_literal<I: Generation>(asm: &mut Asm<'_, '_, I>, ty: Type) -> Result<Option<u32>, ParseError> {
    if ty.dwords() != 1 || ty.bits() == 16 {
        return Ok(None);
    }
    let Some(symbolic) = Llvm::deferred(asm) else { return Ok(None) };
    asm.defer_literal(symbolic, Llvm::CONFLICT)?;
    Ok(Some(LITERAL))
}

/// Reads whole vector registers, as many as come next.
///
/// # Errors
/// If something else comes next.
pub fn vectors<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Registers, ParseError> {
    let start = asm.input.at();
    match registers(asm)?.filter(|r| r.code >= VGPRS && r.half.is_none()) {
        Some(r) => Ok(Registers::new(File::Vgpr, (r.code - VGPRS) as u8, r.count)),
        None => {
            asm.input.go(start);
            Err(asm.expected("vector registers"))
        }
    }
}

/// Reads whole vector registers: any number of them while the rest of the line is unknown, and then as many as
/// `dwords` finds that the instruction takes.
///
/// # Errors
/// As [`vector`].
pub fn deferred_vector<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    dwords: fn(&Cx<'_, I>) -> u8,
) -> Result<u32, ParseError> {
    if asm.is_second_pass {
        let dwords = dwords(&asm.cx());
        vector(asm, dwords)
    } else {
        Ok(u32::from(vectors(asm)?.first))
    }
}
