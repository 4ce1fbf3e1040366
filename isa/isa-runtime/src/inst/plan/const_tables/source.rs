//! The tables that plans are made of.

use isa_schema::{CarrierPlace, PlaceList, Rows, SelectingCode};

use super::place_facts::PlaceFact;
use crate::inst::Modifier;
use crate::inst::plan::OpPlace;
use crate::tables::{Bound, Bounds, EncodingVariant, FixedBits, VariantBits};

/// The facts about the format of a component that plans depend on.
#[derive(Clone, Copy)]
pub struct FormatFact {
    /// The length without a suffix dword.
    pub dwords: u8,
    /// The bits that identify the format.
    pub fixed: FixedBits,
    /// For each suffix dword the code of the first field that selects it.
    pub suffix_dwords: Rows<SelectingCode>,
    /// The least and the greatest code that selects a suffix dword, in any field.
    pub selectors: (u16, u16),
    /// The suffix dword that is a literal, as an index plus one, or 0.
    pub literal: u8,
}

/// Everything that plans are made of.
pub struct PlanSource<'a> {
    /// The places of all components.
    pub places: &'a [PlaceFact],
    /// The places as steps refer to them.
    pub op_places: &'static [OpPlace],
    /// The places of the carriers of all components.
    pub carriers: &'a [Rows<CarrierPlace>],
    /// The format of each component.
    pub formats: &'a [FormatFact],
    /// All variants.
    pub variants: &'a [EncodingVariant],
    /// The fixed bits of variants.
    pub fixed: &'a [VariantBits],
    /// The operands of variants.
    pub bounds: &'a Bounds<'a>,
    /// The flags of rows.
    pub flags: &'a [u128],
    /// The modifiers of the set.
    pub modifiers: &'a [Modifier],
    /// The lists of operands and modifiers.
    pub lists: Rows<PlaceList>,
}

impl PlanSource<'_> {
    /// Returns the operand or modifier with an index in the lists of all variants: its place, its modifier or 255, and its bound.
    pub(super) const fn place(&self, component: u8, index: u16) -> (&PlaceFact, u8, &Bound) {
        let bound = &self.bounds.distinct[index as usize];
        let CarrierPlace { place, modifier } = self.carriers[component as usize].get(bound.carrier as usize);
        (&self.places[place as usize], modifier, bound)
    }
}
