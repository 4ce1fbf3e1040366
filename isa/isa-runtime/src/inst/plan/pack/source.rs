//! The tables that plans are made of.

use super::place_facts::PlaceFact;
use crate::inst::Modifier;
use crate::pack::same;
use crate::tables::{Bound, Bounds, EncodingVariant, Fixed};

/// The facts about the format of a component that plans depend on.
#[derive(Clone, Copy)]
pub struct FormatFact {
    /// The length without a suffix dword.
    pub dwords: u8,
    /// The bits that identify the format.
    pub fixed: Fixed,
    /// For each suffix dword: the lowest bit of the first field that selects it, the code, and the second code of that field or
    /// again the first. 255: no field selects it.
    pub suffix_dwords: &'static [[u16; 3]],
    /// The least and the greatest code that selects a suffix dword, in any field.
    pub selectors: (u16, u16),
    /// The suffix dword that is a literal, as an index plus one, or 0.
    pub literal: u8,
}

/// Everything that plans are made of.
pub struct Source<'a> {
    /// The carriers of all components.
    pub facts: &'a [&'a [PlaceFact]],
    /// The format of each component.
    pub formats: &'a [FormatFact],
    /// All forms.
    pub forms: &'a [EncodingVariant],
    /// The fixed bits of forms.
    pub fixed: &'a [Fixed],
    /// The operands of forms.
    pub bounds: &'a Bounds<'a>,
    /// The flags of rows.
    pub flags: &'a [u128],
    /// The modifiers of the set.
    pub modifiers: &'a [Modifier],
    /// Lists of places: the component, the form and the flags of each, and where the steps of its operands begin.
    pub lists: &'a [[u16; 4]],
}

/// A list of places: the operands and modifiers of a form in rows with equal flags.
pub(super) struct List<'a> {
    pub(super) component: u16,
    /// The carriers of the component.
    pub(super) facts: &'a [PlaceFact],
    pub(super) form: &'a EncodingVariant,
    /// The flags of the rows.
    pub(super) flags: u128,
    /// The index of the first step of its operands.
    pub(super) start: usize,
}

impl Source<'_> {
    /// Returns a list of places.
    pub(super) const fn list(&self, nth: usize) -> List<'_> {
        let [component, form, flags, start] = self.lists[nth];
        List {
            component,
            facts: self.facts[component as usize],
            form: &self.forms[form as usize],
            flags: self.flags[flags as usize],
            start: start as usize,
        }
    }

    /// Returns the operand or modifier of a form with an index, modifiers after operands.
    pub(in crate::inst::plan) const fn bound(&self, form: &EncodingVariant, at: u8) -> &Bound {
        &self.bounds.distinct[self.bound_index(form, at) as usize]
    }

    /// Returns the index of an operand or modifier of a form among the distinct ones.
    pub(in crate::inst::plan) const fn bound_index(&self, form: &EncodingVariant, at: u8) -> u16 {
        let operands = form.operands.len;
        let run =
            if at < operands { form.operands.start + at as u16 } else { form.modifiers.start + (at - operands) as u16 };
        self.bounds.all[run as usize]
    }

    /// Returns the index of the modifier with this name, or `u8::MAX`.
    pub(super) const fn modifier(&self, name: &str) -> u8 {
        let mut i = 0;
        while i < self.modifiers.len() {
            if same(self.modifiers[i].name.as_bytes(), name.as_bytes()) {
                return i as u8;
            }
            i += 1;
        }
        u8::MAX
    }
}
