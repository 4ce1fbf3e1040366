//! Readers that several kinds share: registers and sources.

use amdgpu_operands::{Number, constant_value, inline_code};
use isa::{Asm, Class, CodeSet, Cx, ParseError, Type};

use super::{File, Registers, SPECIALS, scalar_code};
use crate::{Generation, words};

/// Reads registers; `None`, and nothing taken, if something else comes next.
pub(super) fn registers<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Registers>, ParseError> {
    let read = amdgpu_operands::registers(asm, &I::FEATURES.names)?;
    Ok(read.map(|r| Registers::new(r.file, r.first, r.count)))
}

/// Reads `dwords` scalar registers whose code is among `codes`.
pub(super) fn scalar<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    dwords: u8,
    codes: &CodeSet,
    rule: &'static str,
) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?;
    let Some((r, code)) = read.and_then(|r| Some((r, scalar_code(I::FEATURES, r)?))) else {
        asm.input.go(start);
        return Err(asm.expected("a scalar register"));
    };
    if r.count == dwords && codes.has(code) {
        return Ok(code);
    }
    asm.input.go(start);
    Err(if r.count == dwords { asm.rule(rule) } else { asm.registers(dwords, "") })
}

/// Reads vector registers: any number of them while the rest of the line is unknown, and then as many as `dwords` finds
/// that the instruction takes.
pub(super) fn late_vector<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    dwords: fn(&Cx<'_, I>) -> u8,
) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let Some(r) = registers(asm)?.filter(|r| r.file == File::Vgpr) else {
        asm.input.go(start);
        return Err(asm.expected("a vector register"));
    };
    let dwords = dwords(&asm.cx());
    if asm.late && r.count != dwords {
        asm.input.go(start);
        return Err(asm.registers(dwords, ""));
    }
    Ok(u32::from(r.first))
}

/// Reads a scalar register, a status bit or an inline constant.
pub(super) fn source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    const DWORD: Type = Type::new(Class::Bits, 32, 1);
    let codes = &I::FEATURES.sources;
    let start = asm.input.at();
    if let Some(r) = registers(asm)? {
        return match scalar_code(I::FEATURES, r).filter(|code| r.count == 1 && codes.has(*code)) {
            Some(code) => Ok(code),
            None => {
                asm.input.go(start);
                Err(asm.rule("one scalar register stands here"))
            }
        };
    }
    let word = asm.input.peek_word();
    // Where a load can also go to LDS, LLVM takes `scc` for a modifier that later generations have.
    let modifier = word == "scc" && asm.has(words::TO_LDS) && asm.cx().sibling("d").is_some();
    let is_word = |name: &str| name == word || name.strip_prefix("src_") == Some(word) && !modifier;
    if let Some((code, _)) = SPECIALS.iter().find(|(code, name)| is_word(name) && codes.has(*code)) {
        asm.input.word();
        return Ok(*code);
    }
    let found: Option<Number> = constant_value(asm)?;
    match found.and_then(|n| inline_code(n, DWORD)).filter(|code| codes.has(*code)) {
        Some(code) => Ok(code),
        None => {
            asm.input.go(start);
            Err(asm.expected("a scalar register or an inline constant"))
        }
    }
}
