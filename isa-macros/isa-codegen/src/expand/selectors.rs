//! The fields of a format whose codes select a suffix dword.

use crate::ast::Block;
use crate::model::{DwordBits, Format};

/// A field whose codes select suffix dwords.
pub(super) struct Selector<'a> {
    /// The index of the field.
    pub(super) field: usize,
    pub(super) bits: &'a DwordBits,
    /// The codes that select a suffix dword, each with the suffix dword's index plus one.
    pub(super) codes: Vec<(u32, u8)>,
}

/// Returns the default suffix dword of a format, which fast paths assume an instruction with a suffix dword to have, and the
/// one selector that can select another suffix dword.
///
/// The suffix dword is an index plus one, and 0 if the format has no default suffix dword. The selector is an index, and `u8::MAX` if
/// none can select another suffix dword.
///
/// The default suffix dword is one that every selector can select. If there are several, it is the one with the fewest fields:
/// a literal constant.
pub(super) fn default_suffix_dword(f: &Format) -> [u8; 2] {
    let selectors = selectors(f);
    let every_selector_selects =
        |suffix_dword: &usize| selectors.iter().all(|s| s.codes.iter().any(|(_, t)| usize::from(*t) == *suffix_dword));
    let field_count =
        |suffix_dword: &usize| f.fields.iter().filter(|field| field.suffix_dword == Some(*suffix_dword - 1)).count();
    let suffix_dwords = 1..=f.suffix_dwords.len();
    let Some(suffix_dword) = suffix_dwords
        .filter(|suffix_dword| {
            !selectors.is_empty() && every_selector_selects(suffix_dword) || f.suffix_dwords.len() == 1
        })
        .min_by_key(field_count)
    else {
        return [0, u8::MAX];
    };
    let suffix_dword = suffix_dword as u8;
    let selects_other = |s: &Selector| s.codes.iter().any(|(_, t)| *t != suffix_dword);
    let mut others = (0..).zip(&selectors).filter(|(_, s)| selects_other(s)).map(|(index, _)| index);
    match (others.next(), others.next()) {
        (_, Some(_)) => [0, u8::MAX],
        (index, None) => [suffix_dword, index.unwrap_or(u8::MAX)],
    }
}

/// Returns the selectors of a format, in the order of [`Format::selector_fields`].
pub(super) fn selectors<'a>(f: &'a Format<'_>) -> Vec<Selector<'a>> {
    let selectors = f.selector_fields().filter_map(|(index, field)| {
        let bits = field.bits.first()?;
        let fits = |(code, _): &(u32, u8)| u64::from(*code) >> bits.width == 0;
        Some(Selector { field: index, bits, codes: codes_of_field(f, index).filter(fits).collect() })
    });
    selectors.collect()
}

/// Returns the codes of a field that select a suffix dword, each with the suffix dword's index plus one.
pub(super) fn codes_of_field(f: &Format, field: usize) -> impl Iterator<Item = (u32, u8)> {
    let name = f.fields.get(field).map(|field| &field.decl.name);
    let clauses = f.suffix_dwords.iter().zip(1u8..);
    clauses.flat_map(move |((clause, _), suffix_dword)| {
        let of_field = clause.when.iter().filter(move |(selector, _)| Some(selector) == name);
        of_field.map(move |(_, code)| (code.value as u32, suffix_dword))
    })
}

/// Returns the codes of all fields that select a suffix dword, each with the block of the suffix dword.
pub(super) fn selecting_codes<'a>(f: &'a Format<'_>) -> impl Iterator<Item = (u32, &'a Block)> {
    let clauses = f.suffix_dwords.iter();
    clauses.flat_map(|(clause, block)| clause.when.iter().map(|(_, code)| (code.value as u32, *block)))
}
