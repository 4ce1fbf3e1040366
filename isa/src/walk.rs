//! The way through the tables for words that [`quick`](crate::quick) is not sure of: straight on, without saying why
//! when something is wrong.
//!
//! `decode` falls back on its full account of errors where this finds no canonical instruction. Both read the same
//! tables, and a test holds them against each other.

use crate::table::{Component, Cx, Format, Isa, MAX_DWORDS, Shape};
use crate::view::{announced, form, row};
use crate::{Class, Type};

/// The canonical instruction that these words begin with, if they do, and its length in dwords.
#[inline(never)]
pub(crate) fn decode<I: Isa>(words: &[u32; MAX_DWORDS], have: usize, mode: I::Mode) -> Option<(I::Instr, usize)> {
    let (lo, width) = I::window();
    let window = words[0] >> lo & (u32::MAX >> (32 - width));
    I::candidates(window).iter().find_map(|&id| in_format(id, I::formats().get(usize::from(id))?, words, have, mode))
}

/// The same in one format.
#[inline]
fn in_format<I: Isa>(
    id: u8,
    format: &'static Format<I>,
    words: &[u32; MAX_DWORDS],
    have: usize,
    mode: I::Mode,
) -> Option<(I::Instr, usize)> {
    if words[0] & format.fixed.0[0] != format.fixed.1[0] || format.only.is_some_and(|only| only != mode) {
        return None;
    }
    let (first, second) = match format.components {
        [one] => (one, None),
        [one, two] => (one, Some(two)),
        _ => return None,
    };
    let (_, shape) = row(first, words)?;
    let other = match second {
        Some(component) => Some((component, row(component, words)?.1)),
        None => None,
    };
    // A second announcement, or one beside the tail that always follows, is for the full account to judge.
    let (always, announcers) = match other {
        Some((_, other)) => (shape.always.max(other.always), shape.announcers | other.announcers),
        None => (shape.always, shape.announcers),
    };
    let mut tail = always;
    for found in announced(format, announcers, words) {
        if tail != 0 && tail != found {
            return None;
        }
        tail = found;
    }
    let length = usize::from(format.dwords) + usize::from(tail != 0);
    if length > have {
        return None;
    }
    let words = match length {
        1 => [words[0], 0, 0],
        2 => [words[0], words[1], 0],
        _ => *words,
    };
    if !holds(format, 0, first, shape, &words, tail, mode) {
        return None;
    }
    if let Some((component, shape)) = other
        && !holds(format, 1, component, shape, &words, tail, mode)
    {
        return None;
    }
    Some((I::instr(id, words, length as u8)?, length))
}

/// Whether one component's fixed bits and operands are as they should be.
#[inline(always)]
fn holds<I: Isa>(
    format: &'static Format<I>,
    nth: u8,
    component: &'static Component<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    tail: u8,
    mode: I::Mode,
) -> bool {
    let Some(form) = form(format, shape, words, tail) else { return false };
    let (mask, value) = form.fixed::<I>();
    let wrong = words[0] & mask[0] ^ value[0] | words[1] & mask[1] ^ value[1] | words[2] & mask[2] ^ value[2];
    if wrong != 0 || shape.only.is_some_and(|only| only != mode) {
        return false;
    }
    let ty = Type::new(Class::Bits, 32, 1);
    let mut cx = Cx { words, mode, ty, name: "", tail, format, component: nth, shape, form };
    let mut checked = form.checked;
    while checked != 0 {
        let Some(bound) = form.nth::<I>(checked.trailing_zeros() as u8) else { return false };
        let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { return false };
        let Some(valid) = carrier.valid else { return false };
        cx.ty = bound.ty;
        cx.name = carrier.name;
        if !valid(&cx, carrier.bits.get(words)) {
            return false;
        }
        checked &= checked - 1;
    }
    true
}
