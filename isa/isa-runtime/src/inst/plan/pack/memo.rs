//! A cache for the const evaluation of steps, so that it computes equal steps once.

use super::modifiers::FormModifiers;
use super::place_facts::NO_CARRIER;
use super::{NO_BIT, Source};
use crate::inst::plan::ones;
use crate::tables::EncodingVariant;

impl Source<'_> {
    /// Returns the step of an earlier list that equals the step of the list `nth` with this bound, except for its index in the form
    /// and the bits of modifiers. Such steps have the same component and bound, and rows whose relevant flags are equal.
    pub(super) const fn known(&self, memo: &[Known], bound: u16, nth: usize, relevant_flags: u128) -> Option<usize> {
        let known = memo[bound as usize];
        if known.list == Known::NONE.list {
            return None;
        }
        let ([component, _, flags, _], [other, _, other_flags, _]) = (self.lists[nth], self.lists[known.list as usize]);
        if component != other {
            return None;
        }
        let is_equal = flags == other_flags
            || (self.flags[flags as usize] ^ self.flags[other_flags as usize]) & relevant_flags == 0;
        if is_equal { Some(known.step as usize) } else { None }
    }
}

/// The latest step that was computed for a bound, and its list. Const evaluation takes several times as long to compute a
/// step as to copy an equal one.
#[derive(Clone, Copy)]
pub(super) struct Known {
    list: u16,
    step: u16,
}

impl Known {
    pub(super) const NONE: Known = Known { list: u16::MAX, step: 0 };

    pub(super) const fn new(list: usize, step: usize) -> Self {
        Known { list: list as u16, step: step as u16 }
    }
}

/// The bits of a form's modifiers. Forms with the same modifiers often follow one another, so they are computed when these change.
pub(super) struct FormBits {
    modifiers: FormModifiers,
    pub(super) bits: ModifierBits,
    /// The bits of the modifiers of which the decoder accepts every code.
    pub(super) open: u64,
}

impl FormBits {
    pub(super) const NONE: FormBits =
        FormBits { modifiers: FormModifiers::NONE, bits: ModifierBits([NO_BIT; 256]), open: 0 };

    /// Sets the bits to those of a list's form.
    pub(super) const fn update(&mut self, source: &Source<'_>, component: u16, form: &EncodingVariant) {
        let modifiers = FormModifiers::new(component, form);
        if modifiers.equals(self.modifiers) {
            return;
        }
        *self = FormBits { modifiers, ..FormBits::NONE };
        let facts = source.facts[component as usize];
        let mut at = form.modifiers.len;
        while at > 0 {
            at -= 1;
            let fact = &facts[source.bound(form, form.operands.len + at).carrier as usize];
            self.bits.0[fact.id as usize] = fact.range.lo;
            let is_unchecked = at < 32 && modifiers.unchecked >> at & 1 == 1;
            if is_unchecked && fact.range.rest.is_empty() && fact.range.lo < 64 {
                self.open |= (ones(fact.range.width) as u64) << fact.range.lo;
            }
        }
    }
}

/// The lowest bits of a form's modifiers by their ids.
pub(super) struct ModifierBits([u8; 256]);

impl ModifierBits {
    /// Returns a bit of a modifier, or [`NO_BIT`].
    pub(super) const fn get(&self, id: u8, bit: u8) -> u8 {
        if id == NO_CARRIER {
            return NO_BIT;
        }
        match self.0[id as usize] {
            NO_BIT => NO_BIT,
            lo => lo + bit,
        }
    }
}

/// The modifier that chooses the second code which selects a suffix dword: the one that the placing of a carrier named
/// last.
pub(super) struct SelectorFlag {
    component: u16,
    carrier: u8,
    modifier: u8,
}

impl SelectorFlag {
    pub(super) const NONE: SelectorFlag = SelectorFlag { component: u16::MAX, carrier: 0, modifier: u8::MAX };

    /// Returns the modifier that one of a form's modifiers names, or `u8::MAX`.
    pub(super) const fn of(&mut self, source: &Source<'_>, component: u16, form: &EncodingVariant) -> u8 {
        let facts = source.facts[component as usize];
        let mut at = form.operands.len;
        while at < form.count() {
            let carrier = source.bound(form, at).carrier;
            if let Some(name) = facts[carrier as usize].placing.selector_flag {
                if self.component != component || self.carrier != carrier {
                    *self = SelectorFlag { component, carrier, modifier: source.modifier(name) };
                }
                if self.modifier != u8::MAX {
                    return self.modifier;
                }
            }
            at += 1;
        }
        u8::MAX
    }
}

/// The number of steps that are written at once. An array of pointers takes const evaluation time proportional to its
/// length for each write, so steps are collected in a short one.
pub(super) const CHUNK: usize = 64;

/// Copies elements of a chunk to their place.
pub(super) const fn write<T: Copy>(out: &mut [T], first: usize, chunk: &[T; CHUNK], len: usize) {
    let (_, out) = out.split_at_mut(first);
    out.split_at_mut(len).0.copy_from_slice(chunk.split_at(len).0);
}
