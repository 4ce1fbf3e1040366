//! Operands of MUBUF whose validity or size depends on other fields.

use amdgpu_operands::Llvm;
use isa::class::{RunKind, constant_value};
use isa::{Asm, Class, Constant, Cx, Operand, ParseError, Type};

use super::{BufferSoffset, buffer_fields, space};
use crate::{Generation, flags, roles};

/// Whether ADDR64 can have this value: an address of 64 bits has no index and no offset from registers.
pub(super) fn is_address<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    let fields = buffer_fields(cx);
    code == 0 || !(fields.offen() || fields.idxen())
}

/// Whether TFE can have this value.
pub(super) fn is_tfe<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    code == 0 || !(cx.has(flags::TO_LDS) && buffer_fields(cx).lds())
}

/// Reads a scalar register, a status bit or an inline constant.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    const DWORD: Type = Type::new(Class::Bits, 32, 1);
    let start = asm.input.at();
    let has = |asm: &mut Asm<'_, '_, I>, code: u32| <BufferSoffset as Operand<I>>::check(&asm.cx(), code);
    let word = asm.input.peek_word();
    // Where a load can also go to LDS, LLVM takes `scc` for a modifier that later generations have.
    let is_modifier = word == "scc" && asm.has(flags::TO_LDS) && asm.cx().sibling(roles::D).is_some();
    let is_name = |name: &str| name == word || name.strip_prefix("src_") == Some(word) && !is_modifier;
    for run in space::<I>().runs {
        if let RunKind::Names { file: super::File::Special | super::File::Scc, each, .. } = run.kind
            && let Some(nth) = each.iter().position(|name| is_name(name))
            && has(asm, u32::from(run.first) + nth as u32)
        {
            asm.input.word();
            return Ok(Some(u32::from(run.first) + nth as u32));
        }
    }
    if let Some(span) = space::<I>().registers::<I, Llvm>(asm)? {
        if span.count == 1 && span.code < 128 && has(asm, span.code) {
            return Ok(Some(span.code));
        }
        asm.input.go(start);
        return Err(asm.rule("this operand is one scalar register"));
    }
    let found: Option<Constant> = constant_value::<I, Llvm>(asm)?;
    match found.and_then(|n| space::<I>().constants.inline(n, DWORD)).map(u32::from).filter(|code| has(asm, *code)) {
        Some(code) => Ok(Some(code)),
        None => {
            asm.input.go(start);
            Err(asm.expected("a scalar register or an inline constant"))
        }
    }
}
