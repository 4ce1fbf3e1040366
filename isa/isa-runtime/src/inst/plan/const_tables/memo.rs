//! Caches for the const evaluation of steps, so that it computes equal steps once.

use super::{NO_BIT, PlanSource};
use crate::const_tables::CHUNK;
use crate::tables::{FieldBits, Run};

/// A step that was computed for rows of a component with some flags, of which it depends on `relevant`.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The component, or `u16::MAX` for no step.
    pub(super) component: u16,
    /// The index of the flags.
    pub(super) flags: u16,
    /// The index of the step.
    pub(super) index: u16,
    pub(super) relevant: u128,
}

impl Known {
    pub(super) const NONE: Known = Known { component: u16::MAX, flags: 0, index: 0, relevant: 0 };

    /// Returns whether the step equals that of rows with these flags in a component.
    pub(super) const fn holds(&self, source: &PlanSource<'_>, component: u8, flags: u16) -> bool {
        self.component == component as u16
            && (self.flags == flags
                || (source.flags[self.flags as usize] ^ source.flags[flags as usize]) & self.relevant == 0)
    }
}

/// Returns a number that identifies a list of operands or modifiers of a component.
pub(super) const fn key(component: u8, run: Run) -> u64 {
    component as u64 | (run.start as u64) << 16 | (run.len as u64) << 32
}

/// The bits of a variant's modifiers.
#[derive(Clone, Copy)]
pub(super) struct ModifierBits {
    /// The modifiers: see [`key`].
    pub(super) key: u64,
    /// The lowest bits of the modifiers by their indices in [`PlanSource::modifiers`], otherwise [`NO_BIT`].
    lo: [u8; 256],
    /// The modifiers, a bit each.
    pub(super) all: u128,
    /// The flags of rows on which their steps depend.
    pub(super) flags: u128,
    /// The bits of the modifiers of which the decoder accepts every code.
    pub(super) open: u64,
    /// The modifier that chooses the second code which selects a suffix dword, or `u8::MAX`.
    pub(super) selector_flag: u8,
}

impl ModifierBits {
    pub(super) const NONE: ModifierBits =
        ModifierBits { key: u64::MAX, lo: [NO_BIT; 256], all: 0, flags: 0, open: 0, selector_flag: u8::MAX };

    /// Sets the bits to those of the modifiers of a variant, unless they are.
    pub(super) const fn update(&mut self, source: &PlanSource<'_>, component: u8, run: Run) {
        let key = key(component, run);
        if self.key == key {
            return;
        }
        *self = ModifierBits::NONE;
        self.key = key;
        let mut at = run.start + run.len as u16;
        while at > run.start {
            at -= 1;
            let (place, modifier, _) = source.place(component, source.bounds.all[at as usize]);
            self.flags |= place.flags;
            if place.selector_flag != u8::MAX {
                self.selector_flag = place.selector_flag;
            }
            if modifier == u8::MAX {
                continue;
            }
            let FieldBits { first, rest } = place.bits;
            self.lo[modifier as usize] = first.lo;
            self.all |= 1 << modifier;
            if place.is_unchecked && rest.is_empty() && first.lo < 64 {
                self.open |= (first.ones() as u64) << first.lo;
            }
        }
    }

    /// Returns a bit of a modifier, or [`NO_BIT`] if the variant lacks it.
    pub(super) const fn get(&self, (modifier, bit): (u8, u8)) -> u8 {
        let lo = self.lo[modifier as usize];
        if lo == NO_BIT { NO_BIT } else { lo + bit }
    }
}

/// Copies elements of a chunk to their place in a long list ([`CHUNK`]).
pub(super) const fn write<T: Copy>(out: &mut [T], first: usize, chunk: &[T; CHUNK], len: usize) {
    let (_, out) = out.split_at_mut(first);
    out.split_at_mut(len).0.copy_from_slice(chunk.split_at(len).0);
}
