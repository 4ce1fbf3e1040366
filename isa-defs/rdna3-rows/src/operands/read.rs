//! Readers that many kinds share: registers, numbers, sources, `name:value` modifiers.

use amdgpu_operands::Names;
pub use amdgpu_operands::{
    Number, call, constant_in_bars, constant_value, inline_code, integer, integer_in, key, keyed, literal_bits,
    literal_half, unknown_operand,
};
use isa::{Asm, Cx, Fault, ParseError, Type};

use super::{File, LITERAL, Registers, SPECIALS, source_codes};
use crate::{Generation, Wave};

const CONFLICT: &str = "an instruction holds one literal constant, and none beside DPP";

/// The registers that have names: the name, the file, the first register and how many.
pub static NAMED_REGISTERS: [(&str, File, u8, u8); 9] = [
    ("vcc", File::Vcc, 0, 2),
    ("vcc_lo", File::Vcc, 0, 1),
    ("vcc_hi", File::Vcc, 1, 1),
    ("exec", File::Exec, 0, 2),
    ("exec_lo", File::Exec, 0, 1),
    ("exec_hi", File::Exec, 1, 1),
    ("m0", File::M0, 0, 1),
    ("null", File::Null, 0, 0),
    ("scc", File::Scc, 0, 1),
];

/// How text names registers.
static NAMES: Names<File> = Names {
    named: &NAMED_REGISTERS,
    numbered: &[("v", File::Vgpr, 255), ("s", File::Sgpr, 105), ("ttmp", File::Ttmp, 15)],
    halves: Some(File::Vgpr),
    none: "no such register: they end at v255, s105 and ttmp15",
};

/// Reads registers: `v5`, `v[5:6]`, `v5.l`, `s3`, `vcc_lo`, `null`, `[s4,s5]`. `None`, and nothing taken, if something
/// else comes next. NULL has a count of 0: it is as wide as it must be.
///
/// # Errors
/// A number that no register of the file has, a range that goes down, a list with gaps.
pub fn registers<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Registers>, ParseError> {
    let read = amdgpu_operands::registers(asm, &NAMES)?;
    Ok(read.map(|r| Registers { half: r.half, ..Registers::new(r.file, r.first, r.count) }))
}

/// The 7-bit or 8-bit code of scalar registers; `None` for vector registers.
#[must_use]
pub fn scalar_code(r: Registers) -> Option<u32> {
    let base = match r.file {
        File::Sgpr => 0,
        File::Vcc => 106,
        File::Ttmp => 108,
        File::Null => 124,
        File::M0 => 125,
        File::Exec => 126,
        File::Scc => 253,
        File::Special | File::Vgpr => return None,
    };
    Some(base + u32::from(r.first))
}

/// Whether registers are as many as an operand of `dwords` takes; NULL is always, and SCC as a source.
#[must_use]
pub fn fits(r: Registers, dwords: u8) -> bool {
    matches!(r.file, File::Null | File::Scc) || r.count == dwords
}

/// Reads `dwords` scalar registers and gives their code.
///
/// # Errors
/// If something else comes next, or registers of another width.
pub fn scalar<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?;
    // SCC can be a source only.
    let code = read.filter(|r| r.file != File::Scc && fits(*r, dwords)).and_then(scalar_code);
    code.ok_or_else(|| {
        asm.input.go(start);
        match read {
            Some(r) if r.file == File::Vgpr => {
                asm.rule("a vector register cannot stand here: this operand is a scalar register")
            }
            Some(r) if r.file == File::Scc => asm.rule("SCC cannot stand here: it is a source only"),
            Some(_) => asm.registers(dwords, ""),
            None => expected_register(asm, "a scalar register"),
        }
    })
}

/// The fault of a name that is none of these, where a number could stand too and reading one gave `error`.
pub(super) fn unknown_name<I: Generation, T>(
    asm: &mut Asm<'_, '_, I>,
    error: ParseError,
    what: &'static str,
    names: impl IntoIterator<Item = &'static str>,
) -> Result<T, ParseError> {
    asm.input.go(error.start);
    let named = matches!(error.fault, Fault::Expected(_)) && !asm.input.peek_word().is_empty();
    Err(if named { asm.unknown_name(what, names) } else { error })
}

/// A fault where a register should stand; registers and constants that have names are suggested.
pub(super) fn expected_register<I: Generation>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> ParseError {
    let named = NAMED_REGISTERS.iter().map(|r| r.0);
    asm.unknown_name(what, named.chain(SPECIALS.iter().map(|s| s.1)))
}

/// A fault where a vector register should stand and something else does, which has been read.
pub(super) fn not_vector<I: Generation>(asm: &mut Asm<'_, '_, I>, read: Option<Registers>) -> ParseError {
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
        Some(r) if r.file == File::Vgpr && r.count == dwords && r.half.is_none() => Ok(u32::from(r.first)),
        other => {
            asm.input.go(start);
            Err(match other {
                Some(r) if r.half.is_some() => asm.rule("this operand is a whole register, not a half"),
                Some(r) if r.file == File::Vgpr => asm.registers(dwords, ""),
                other => not_vector(asm, other),
            })
        }
    }
}

/// Reads a source and gives its 9-bit code: registers, a named constant, an inline constant, or a literal, which goes
/// behind the instruction. Signs are not read here.
///
/// # Errors
/// What cannot be a source of this type.
pub fn source<I: Generation>(asm: &mut Asm<'_, '_, I>, ty: Type) -> Result<u32, ParseError> {
    let start = asm.input.at();
    if let Some(r) = registers(asm)? {
        let code = if r.file == File::Vgpr { Some(256 + u32::from(r.first)) } else { scalar_code(r) };
        // SCC is a constant of any width.
        let fits = fits(r, ty.dwords()) || r.file == File::Scc;
        let Some(code) = code.filter(|_| fits && r.half.is_none()) else {
            asm.input.go(start);
            return Err(asm.registers(ty.dwords(), ""));
        };
        if !source_codes(ty).has(code) {
            asm.input.go(start);
            return Err(asm.rule("these registers cannot be a source here"));
        }
        return Ok(code);
    }
    let word = asm.input.peek_word();
    let is_word = |name: &str| name == word || name.strip_prefix("src_") == Some(word);
    if !word.is_empty()
        && let Some((code, _)) = SPECIALS.iter().find(|(code, name)| is_word(name) && source_codes(ty).has(*code))
    {
        asm.input.word();
        return Ok(*code);
    }
    if let Some(code) = later_literal(asm, ty)? {
        return Ok(code);
    }
    let forced = asm.input.eat_word("lit") || asm.input.eat_word("lit64");
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let Some(n) = constant_value(asm)? else { return Err(expected_register(asm, "a register or a constant")) };
    if forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    if !forced && let Some(code) = inline_code(n, ty) {
        return Ok(code);
    }
    // All 32 bits of a literal that a 16-bit operand takes.
    let all = || match n {
        Number::Integer(n) if forced => u32::try_from(n).ok(),
        _ => None,
    };
    let Some(bits) = literal_bits(n, ty).or_else(all) else {
        asm.input.go(start);
        return Err(asm.rule("a literal constant has 32 bits"));
    };
    asm.set_suffix_dword(bits, CONFLICT)?;
    Ok(LITERAL)
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
    // `lit` and `lit64` are no symbols where a literal can stand.
    if matches!(asm.input.peek_word(), "lit" | "lit64") {
        return Ok(None);
    }
    let Some(symbolic) = unknown_operand(asm) else { return Ok(None) };
    asm.defer_literal(symbolic, CONFLICT)?;
    Ok(Some(LITERAL))
}

/// Reads whole vector registers, as many as come next.
///
/// # Errors
/// If something else comes next.
pub fn vectors<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Registers, ParseError> {
    let start = asm.input.at();
    match registers(asm)?.filter(|r| r.file == File::Vgpr && r.half.is_none()) {
        Some(r) => Ok(r),
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
pub fn late_vector<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: fn(&Cx<'_, I>) -> u8) -> Result<u32, ParseError> {
    if asm.late {
        let dwords = dwords(&asm.cx());
        vector(asm, dwords)
    } else {
        Ok(u32::from(vectors(asm)?.first))
    }
}
