//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Cx, Form, Format, Isa, MAX_DWORDS, Shape};
use crate::view::{MAX_COMPONENTS, Rows, form};

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
#[derive(Clone)]
pub struct Operands<I: Isa> {
    format: Option<&'static Format<I>>,
    words: [u32; MAX_DWORDS],
    mode: I::Mode,
    rows: [Option<(&'static Shape<I>, &'static Form)>; MAX_COMPONENTS],
    tail: u8,
    component: u8,
    at: u8,
}

impl<I: Isa> core::fmt::Debug for Operands<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Operands").field("component", &self.component).field("at", &self.at).finish_non_exhaustive()
    }
}

/// The operands of an instruction, in the order of its row.
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], mode: I::Mode) -> Operands<I> {
    let format = I::formats().get(usize::from(format));
    let mut out = Operands { format, words, mode, rows: [None; MAX_COMPONENTS], tail: 0, component: 0, at: 0 };
    if let Some(format) = format
        && let Ok(found) = Rows::find(format, &words)
    {
        out.tail = found.tail;
        for (to, (_, shape)) in out.rows.iter_mut().zip(found.rows.into_iter().flatten()) {
            *to = form(format, shape, &words, found.tail).map(|form| (shape, form));
        }
    }
    out
}

impl<I: Isa> Iterator for Operands<I>
where
    I::Value: PartialEq + Eq,
{
    type Item = OperandInfo<I>;

    fn next(&mut self) -> Option<OperandInfo<I>> {
        let format = self.format?;
        loop {
            let nth = self.component;
            let component = format.components.get(usize::from(nth))?;
            let (shape, form) = (*self.rows.get(usize::from(nth))?)?;
            while let Some(bound) = form.bound.get(usize::from(self.at)) {
                self.at += 1;
                // A row's operands come before its modifiers.
                if bound.access == Access::Modifier {
                    break;
                }
                let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { continue };
                let (words, mode, tail) = (&self.words, self.mode, self.tail);
                let (ty, name) = (bound.ty, carrier.name);
                let cx = Cx { words, mode, ty, name, tail, format, component: nth, shape, form };
                if let Some(value) = (carrier.kind.value)(&cx, carrier.bits.get(words)) {
                    return Some(OperandInfo { role: name, access: bound.access, ty, value, component: nth });
                }
            }
            self.component += 1;
            self.at = 0;
        }
    }
}
