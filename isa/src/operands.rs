//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Isa, MAX_DWORDS, gather};
use crate::view::{Rows, View};

/// One operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandInfo<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// The role that the row gives it: `d`, `s0`, `addr` …
    pub role: &'static str,
    /// Whether it is read, written or both.
    pub access: Access,
    /// The type that the row gives it; its width, unless modifiers change that ([`value`](Self::value) says).
    pub ty: Type,
    /// The registers or the constant that it is.
    pub value: I::Value,
    /// Which instruction of a dual-issue pair it belongs to: 0 or 1.
    pub component: u8,
}

/// The operands of an instruction; see [`operands()`].
#[derive(Clone, Debug)]
pub struct Operands<I: Isa> {
    format: u8,
    words: [u32; MAX_DWORDS],
    mode: I::Mode,
    component: u8,
    at: u8,
}

/// The operands of an instruction, in the order of its row.
#[must_use]
pub const fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], mode: I::Mode) -> Operands<I> {
    Operands { format, words, mode, component: 0, at: 0 }
}

impl<I: Isa> Iterator for Operands<I>
where
    I::Value: PartialEq + Eq,
{
    type Item = OperandInfo<I>;

    fn next(&mut self) -> Option<OperandInfo<I>> {
        let format = I::formats().get(usize::from(self.format))?;
        let rows = Rows::find(format, &self.words).ok()?;
        loop {
            let View { component, mut cx, .. } =
                rows.views(format, &self.words, self.mode).nth(usize::from(self.component))?;
            while let Some(bound) = cx.form.bound.get(usize::from(self.at)) {
                self.at += 1;
                let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else {
                    continue;
                };
                if bound.access == Access::Modifier {
                    continue;
                }
                cx.ty = bound.ty;
                cx.name = carrier.name;
                if let Some(value) = (carrier.kind.value)(&cx, gather(carrier.parts, &self.words)) {
                    return Some(OperandInfo {
                        role: carrier.name,
                        access: bound.access,
                        ty: bound.ty,
                        value,
                        component: self.component,
                    });
                }
            }
            self.component += 1;
            self.at = 0;
        }
    }
}
