//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Bound, Component, Cx, Form, Format, Isa, MAX_DWORDS, Shape};
use crate::view::{MAX_COMPONENTS, form, row, tail_of};

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

/// The operands of an instruction of this length, in the order of its row.
#[inline]
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Operands<I> {
    let format = I::formats().get(usize::from(format));
    let mut out = Operands { format, words, mode, rows: [None; MAX_COMPONENTS], tail: 0, component: 0, at: 0 };
    if let Some(format) = format {
        out.tail = tail_of(format, &words, len);
        for (to, component) in out.rows.iter_mut().zip(format.components) {
            *to = row(component, &words).and_then(|(_, shape)| Some((shape, form(format, shape, &words, out.tail)?)));
        }
    }
    out
}

impl<I: Isa> Operands<I>
where
    I::Value: PartialEq + Eq,
{
    /// The operand that a form has, unless its kind says that it is none.
    #[inline(always)]
    fn info(
        &self,
        format: &'static Format<I>,
        (nth, component): (u8, &'static Component<I>),
        (shape, form): (&'static Shape<I>, &'static Form),
        bound: &Bound,
    ) -> Option<OperandInfo<I>> {
        let carrier = component.carriers.get(usize::from(bound.carrier))?;
        let code = carrier.bits.get(&self.words);
        let (ty, name, values) = (bound.ty, carrier.name, &carrier.kind.values);
        let ready = match values.by_width.get(usize::from(bound.width)) {
            Some(ready) if shape.words & values.unless == 0 => ready.get(code as usize).copied().flatten(),
            _ => None,
        };
        let value = match ready {
            Some(value) => value,
            None => {
                let (words, mode, tail) = (&self.words, self.mode, self.tail);
                let cx = Cx { words, mode, ty, name, tail, format, component: nth, shape, form };
                (carrier.kind.value)(&cx, code)?
            }
        };
        Some(OperandInfo { role: name, access: bound.access, ty, value, component: nth })
    }
}

impl<I: Isa> Iterator for Operands<I>
where
    I::Value: PartialEq + Eq,
{
    type Item = OperandInfo<I>;

    #[inline]
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
                if let Some(info) = self.info(format, (nth, component), (shape, form), bound) {
                    return Some(info);
                }
            }
            self.component += 1;
            self.at = 0;
        }
    }

    /// One after the other, without keeping count between them: quicker than [`next`](Self::next).
    #[inline]
    fn fold<B, F: FnMut(B, OperandInfo<I>) -> B>(self, init: B, mut f: F) -> B {
        let mut all = init;
        let Some(format) = self.format else { return all };
        let first = usize::from(self.component);
        for ((nth, component), row) in format.components.iter().enumerate().zip(self.rows).skip(first) {
            let Some((shape, form)) = row else { return all };
            let from = if nth == first { usize::from(self.at) } else { 0 };
            for bound in form.bound.get(from..).unwrap_or_default() {
                if bound.access == Access::Modifier {
                    break;
                }
                if let Some(info) = self.info(format, (nth as u8, component), (shape, form), bound) {
                    all = f(all, info);
                }
            }
        }
        all
    }
}
