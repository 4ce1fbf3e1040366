//! Codes that LLVM prints although no instruction may have them.

use isa::class::RunKind;
use isa::{Cx, Operand};

use super::{File, ResourceSgprs, SmemBase, SmemData, space};
use crate::{Generation, flags};

/// Whether LLVM prints registers from a code on that an operand of `dwords` cannot have: ranges that are not aligned or
/// end beyond the last register, and registers of other generations. `is_valid` says which codes the operand can have.
fn prints<I: Generation>(code: u32, dwords: u8, is_valid: impl Fn(u32) -> bool) -> bool {
    let space = space::<I>();
    let (from, count) = (space.aligned(code, dwords), u32::from(dwords));
    let Some(run) = space.run(code) else { return false };
    match run.kind {
        RunKind::Numbered { file: File::Sgpr, .. } => is_valid(from) || from + count <= 104,
        RunKind::Numbered { file: File::Ttmp, .. } => from >= u32::from(run.first) && from + count <= 128,
        RunKind::Names { file: File::Null, .. } => true,
        RunKind::Names { file: File::M0 | File::Exec | File::Scc | File::Special, .. } => false,
        RunKind::Names { .. } => dwords <= 2 && (dwords == 1 || code.is_multiple_of(2)),
        _ => false,
    }
}

/// The codes of registers of a file, in the space of all.
pub(super) fn prints_data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code, cx.ty.dwords(), |code| <SmemData as Operand<I>>::check(cx, code))
}

/// As [`prints_data`], for the base of an address.
pub(super) fn prints_base<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code * 2, cx.ty.dwords(), |code| <SmemBase as Operand<I>>::check(cx, code / 2))
}

/// As [`prints_data`], for a resource.
pub(super) fn prints_resource<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints::<I>(code * 4, 4, |code| <ResourceSgprs as Operand<I>>::check(cx, code / 4))
}

/// Whether LLVM, which has a disassembler from the third generation on, names a source of other generations.
pub(super) fn prints_source<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    cx.has(flags::GCN1_2 | flags::GCN1_4) && matches!(code, 104 | 105 | 125 | 230 | 231 | 235..=239)
}
