//! The fields of a format whose codes select a suffix dword.

use isa_schema::{BitRange, DefaultSuffixDword, Index};

use crate::ast::Block;
use crate::model::Format;

/// A field whose codes select suffix dwords.
pub(super) struct Selector<'a> {
    /// The index of the field.
    pub(super) field: usize,
    pub(super) bits: &'a BitRange,
    /// The codes that select a suffix dword, each with the suffix dword's index plus one.
    pub(super) codes: Vec<(u32, u8)>,
}

/// Returns the default suffix dword of a format, which fast paths assume an instruction with a suffix dword to have, and the
/// one selector that can select another suffix dword.
///
/// The default suffix dword is one that every selector can select. If there are several, it is the one with the fewest fields:
/// a literal constant.
pub(super) fn default_suffix_dword(f: &Format) -> DefaultSuffixDword {
    const NONE: DefaultSuffixDword = DefaultSuffixDword { suffix_dword: None, selector: None };
    let selectors = selectors(f);
    let selects = |selector: &Selector, suffix_dword: u8| selector.codes.iter().any(|(_, t)| *t == suffix_dword);
    // The suffix dword with the fewest fields, and their number.
    let mut best: Option<(u8, usize)> = None;
    for (suffix_dword, (_, block)) in (1..).zip(&f.suffix_dwords) {
        let is_candidate = !selectors.is_empty() && selectors.iter().all(|s| selects(s, suffix_dword));
        let count = block.fields.len();
        if (is_candidate || f.suffix_dwords.len() == 1) && best.is_none_or(|(_, least)| count < least) {
            best = Some((suffix_dword, count));
        }
    }
    let Some((suffix_dword, _)) = best else { return NONE };
    let selects_another = |selector: &Selector| selector.codes.iter().any(|(_, t)| *t != suffix_dword);
    let mut others = (0..).zip(&selectors).filter(|(_, selector)| selects_another(selector));
    let other = others.next();
    if others.next().is_some() {
        return NONE;
    }
    DefaultSuffixDword {
        suffix_dword: Index::new(usize::from(suffix_dword) - 1),
        selector: other.and_then(|(index, _)| Index::new(index)),
    }
}

/// Returns the selectors of a format, in the order of [`Format::selector_fields`].
pub(super) fn selectors<'a>(f: &'a Format<'_>) -> Vec<Selector<'a>> {
    let mut selectors = Vec::new();
    for index in &f.selector_fields {
        if let Some(bits) = f.fields[*index].bits.first() {
            let mut codes = codes_of_field(f, *index);
            codes.retain(|(code, _)| u64::from(*code) >> bits.width == 0);
            selectors.push(Selector { field: *index, bits, codes });
        }
    }
    selectors
}

/// Returns the codes of a field that select a suffix dword, each with the suffix dword's index plus one.
pub(super) fn codes_of_field(f: &Format, field: usize) -> Vec<(u32, u8)> {
    let mut codes = Vec::new();
    for ((clause, _), suffix_dword) in f.suffix_dwords.iter().zip(1..) {
        for (selector, code) in &clause.when {
            if *selector == f.fields[field].decl.name {
                codes.push((code.value as u32, suffix_dword));
            }
        }
    }
    codes
}

/// Returns the codes of all fields that select a suffix dword, each with the block of the suffix dword.
pub(super) fn selecting_codes<'a>(f: &'a Format<'_>) -> Vec<(u32, &'a Block)> {
    let mut codes = Vec::new();
    for (clause, block) in &f.suffix_dwords {
        codes.extend(clause.when.iter().map(|(_, code)| (code.value as u32, *block)));
    }
    codes
}
