//! The modifiers of a set, and where `isa::Inst` keeps each.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::ast::{Access, OperandClass};
use crate::interner::Interner;
use crate::lists::{entry, insert};
use crate::model::{Format, Operand, Set};
use crate::operand_tables::valid_codes::Case;

/// No such modifier.
pub(super) const NONE: u8 = 255;

/// The bits of `isa::Inst` that hold modifiers.
const MODIFIER_BITS: u8 = 64;

/// The most modifiers of a set: the runtime has sets of them with a bit each.
const MAX_MODIFIERS: usize = 128;

/// The most groups of mnemonics: `isa::Inst` has a bit for each.
const MAX_GROUPS: usize = 7;

/// A modifier of the set.
#[derive(Default)]
pub(super) struct Modifier {
    /// The number of bits of its values.
    pub(super) width: u8,
    /// Whether a further bit says that the modifier is stated: its default depends on the row, or it has none.
    has_presence: bool,
    /// The default, if it is the same in all rows.
    default: u32,
    /// The lowest bit.
    pub(super) lo: u8,
    /// The groups of mnemonics that have it, a bit each.
    groups: u8,
}

impl Modifier {
    /// Returns the number of bits that it takes in `isa::Inst`.
    fn bits(&self) -> u8 {
        self.width + u8::from(self.has_presence)
    }

    /// Returns a mask of these bits, from `lo` on.
    fn mask(&self, lo: u8) -> u64 {
        1u64.unbounded_shl(self.bits().into()).wrapping_sub(1).unbounded_shl(lo.into())
    }

    /// Returns a mask of its bits in `isa::Inst`.
    pub(super) fn placed_mask(&self) -> u64 {
        self.mask(self.lo)
    }

    /// Returns the bit in `isa::Inst` that says that it is stated, or 0 if it has none.
    pub(super) fn presence(&self) -> u64 {
        if self.has_presence { 1 << self.width << self.lo } else { 0 }
    }

    /// Returns the value that `isa::Inst` holds as 0.
    pub(super) fn value_of_zero(&self) -> u32 {
        if self.has_presence { 0 } else { self.default }
    }
}

/// The modifiers of a set. Those of one group of mnemonics have different bits in `isa::Inst`.
pub(super) struct Modifiers<'a> {
    /// The modifiers by their names.
    all: Vec<(&'a str, Modifier)>,
    /// The group of each mnemonic.
    pub(super) groups: Vec<usize>,
}

/// Returns whether an operand can select a suffix dword.
fn selects_suffix_dword(format: &Format, operand: &Operand) -> bool {
    operand.access == Access::Modifier && operand.field.is_some_and(|field| format.selector_fields.contains(&field))
}

impl<'a> Modifiers<'a> {
    /// Assigns bits to the modifiers of a set. Returns an error if they do not fit.
    pub(super) fn assign(set: &'a Set<'_>) -> Result<Self, TokenStream> {
        let mut all: Vec<(&str, Modifier)> = Vec::new();
        let mut of_mnemonic: Vec<Vec<&str>> = vec![Vec::new(); set.mnemonics.len()];
        for format in &set.formats {
            for component in &format.components {
                for operand in component.operands.iter().filter(|o| o.access == Access::Modifier) {
                    if selects_suffix_dword(format, operand) {
                        continue;
                    }
                    let width: u8 = operand.bits.iter().map(|range| range.width).sum();
                    let has_other_default = operand.decl.unused.value != 0;
                    let has_presence = operand.suffix_dword.is_some() && width > 1 || has_other_default;
                    let new = || Modifier { default: default(set, &operand.class), ..Modifier::default() };
                    let modifier = entry(&mut all, operand.name.as_str(), new);
                    modifier.width = modifier.width.max(width);
                    modifier.has_presence |= has_presence;
                }
                for encoding in &component.encodings {
                    let variants = component.shapes[encoding.shape].variants.iter().flatten();
                    for bound in variants.flat_map(|v| &v.bound).filter(|b| b.access == Access::Modifier) {
                        let operand = &component.operands[bound.operand];
                        if !selects_suffix_dword(format, operand) {
                            insert(&mut of_mnemonic[encoding.mnemonic], operand.name.as_str());
                        }
                    }
                }
            }
        }
        let mut rows = Interner::default();
        let row_of_mnemonic: Vec<usize> = of_mnemonic.iter().map(|modifiers| rows.intern(modifiers)).collect();
        let groups = allocate(&mut all, &rows.items)?;
        Ok(Modifiers { all, groups: row_of_mnemonic.iter().map(|row| groups[*row]).collect() })
    }

    /// Returns the modifier with an index.
    pub(super) fn get(&self, index: u8) -> &Modifier {
        &self.all[usize::from(index)].1
    }

    /// Returns the index of a modifier.
    pub(super) fn index(&self, name: &str) -> u8 {
        self.all.iter().position(|(key, _)| *key == name).map_or(NONE, |index| index as u8)
    }

    /// Generates the constants of the module `modifiers`.
    pub(super) fn module(&self) -> TokenStream {
        let consts = self.all.iter().enumerate().map(|(index, (name, _))| {
            let ident = Ident::new(&name.to_uppercase(), Span::call_site());
            let doc = format!("The modifier `{name}`.");
            quote!(#[doc = #doc] pub const #ident: ::isa::Modifier = super::__tables::MODIFIERS[#index];)
        });
        quote! {
            /// The modifiers, for `Inst::with`.
            pub mod modifiers { #(#consts)* }
        }
    }

    /// Generates the table of all modifiers.
    pub(super) fn items(&self) -> TokenStream {
        let count = self.all.len();
        let modifiers = self.all.iter().map(|(name, modifier)| {
            let (Modifier { width, has_presence, lo, groups, .. }, default) = (modifier, modifier.value_of_zero());
            quote!(::isa::Modifier::new(#name, #lo, #width, #has_presence, #default, #groups))
        });
        quote!(pub(super) const MODIFIERS: [::isa::Modifier; #count] = [#(#modifiers),*];)
    }
}

/// Returns the default of a modifier of a class, if it is the same in all rows.
fn default(set: &Set, class: &OperandClass) -> u32 {
    let declared = set.classes.as_ref().and_then(|classes| classes.class(class));
    match declared.map(|declared| declared.placing(class.argument()).default).as_deref() {
        Some([(Case::Else, code)]) => *code,
        _ => 0,
    }
}

/// Groups the mnemonics and chooses the bits of each modifier, so that the modifiers of a group do not overlap. `rows` has the
/// modifiers of each mnemonic. Returns the group of each row.
///
/// # Errors
/// The modifiers of a mnemonic do not fit, or there are too many modifiers or groups.
fn allocate(all: &mut [(&str, Modifier)], rows: &[Vec<&str>]) -> Result<Vec<usize>, TokenStream> {
    let refuse = |message: String| Err(quote!(::core::compile_error!(#message);));
    if all.len() > MAX_MODIFIERS {
        return refuse(format!(
            "the set has {} modifiers, and its tables hold {MAX_MODIFIERS}\nhelp: split it into two sets, or give modifiers that no row has together one name",
            all.len()
        ));
    }
    let of_row = |row: &Vec<&str>| {
        all.iter().enumerate().fold(0u128, |set, (index, (name, _))| set | u128::from(row.contains(name)) << index)
    };
    let sets: Vec<u128> = rows.iter().map(of_row).collect();
    let bits = |set: u128| -> u32 { members(all, set).map(|modifier| u32::from(modifier.bits())).sum() };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|row| std::cmp::Reverse(bits(sets[*row])));
    let mut groups: Vec<u128> = Vec::new();
    let mut group_of_row = vec![0; rows.len()];
    for row in order {
        let set = sets[row];
        let nth = match groups.iter().position(|group| group & set == set) {
            Some(nth) => nth,
            None => {
                let fits = |nth: &usize| {
                    let mut merged = groups.clone();
                    merged[*nth] |= set;
                    bits(merged[*nth]) <= MODIFIER_BITS.into() && place(all, &merged).is_ok()
                };
                let nth = (0..groups.len()).find(fits).unwrap_or(groups.len());
                if nth == groups.len() {
                    groups.push(0);
                }
                groups[nth] |= set;
                nth
            }
        };
        group_of_row[row] = nth;
    }
    match place(all, &groups) {
        Ok(lowest) => all.iter_mut().zip(lowest).for_each(|((_, modifier), lo)| modifier.lo = lo),
        Err(name) => {
            return refuse(format!(
                "the modifiers of a mnemonic have more than {MODIFIER_BITS} bits together, among them `{name}`\nhelp: fewer rows of this format can have it, or its field can be narrower"
            ));
        }
    }
    if groups.len() > MAX_GROUPS {
        return refuse(format!(
            "the modifiers of the set's mnemonics have more than {MODIFIER_BITS} bits, in more than {MAX_GROUPS} groups\nhelp: split it into two sets, or narrow the fields of modifiers"
        ));
    }
    for (index, (_, modifier)) in all.iter_mut().enumerate() {
        let has = |group: &u128| (group >> index & 1) as u8;
        modifier.groups = groups.iter().enumerate().fold(0, |mask, (nth, group)| mask | has(group) << nth);
    }
    Ok(group_of_row)
}

/// Returns the modifiers of a set that has a bit for each.
fn members<'a>(all: &'a [(&str, Modifier)], set: u128) -> impl Iterator<Item = &'a Modifier> {
    all.iter().enumerate().filter(move |(index, _)| set >> index & 1 == 1).map(|(_, (_, modifier))| modifier)
}

/// Chooses the lowest bit of each modifier, so that no two of a group overlap. The widest come first.
///
/// # Errors
/// The name of a modifier that does not fit.
fn place<'a>(all: &[(&'a str, Modifier)], groups: &[u128]) -> Result<Vec<u8>, &'a str> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(all[*index].1.bits()));
    let mut lowest = vec![0; all.len()];
    for (at, index) in order.iter().enumerate() {
        let neighbors = groups.iter().filter(|group| *group >> index & 1 == 1).fold(0, |all, group| all | group);
        let rivals = order[..at].iter().filter(|other| neighbors >> **other & 1 == 1);
        let taken = rivals.fold(0, |taken, other| taken | all[*other].1.mask(lowest[*other]));
        let (name, modifier) = &all[*index];
        let last = MODIFIER_BITS.checked_sub(modifier.bits()).ok_or(*name)?;
        lowest[*index] = (0..=last).find(|lo| taken & modifier.mask(*lo) == 0).ok_or(*name)?;
    }
    Ok(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_at_most_128_modifiers() {
        let modifier = || ("m", Modifier { width: 1, ..Modifier::default() });
        let mut all: Vec<_> = (0..128).map(|_| modifier()).collect();
        assert!(allocate(&mut all, &[]).is_ok());
        all.push(modifier());
        let error = allocate(&mut all, &[]).unwrap_err().to_string();
        assert!(error.contains("the set has 129 modifiers"), "{error}");
    }

    #[test]
    fn modifiers_of_a_group_do_not_overlap() {
        let modifier = |name, width| (name, Modifier { width, ..Modifier::default() });
        let mut all = [modifier("a", 40), modifier("b", 20), modifier("c", 40), modifier("d", 8)];
        let groups = allocate(&mut all, &[vec!["d"], vec!["a", "b"], vec!["c", "d"], vec![]]).unwrap();
        assert_eq!(groups, [1, 0, 1, 0]);
        let of = all.map(|(_, modifier)| (modifier.lo, modifier.groups));
        assert_eq!(of, [(0, 1), (40, 1), (0, 2), (40, 2)]);
    }

    #[test]
    fn sets_have_at_most_7_groups() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let modifier = |name| (name, Modifier { width: 40, ..Modifier::default() });
        let mut all = names.map(modifier);
        let rows = names.map(|name| vec![name]);
        assert!(allocate(&mut all, &rows[..7]).is_ok());
        let error = allocate(&mut all, &rows).unwrap_err().to_string();
        assert!(error.contains("in more than 7 groups"), "{error}");
    }
}
