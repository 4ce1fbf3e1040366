//! The tables of the fast decoder, `isa::__private::decoder::DecoderTables`.
//!
//! The decoder maps the opcode bits of the first dword to an entry: the fixed bits of an instruction and the checks of
//! its operand codes. An opcode without an entry is left to the complete decoder.

use isa_body::Type;
use isa_schema::{
    BitRange, BitRanges, DecodedOpcode, DecodedRow, FixedBits, Index, MAX_SET_BYTES, OptionalIndex, QueryGroup,
    QueryRow, SET_BYTES, SETS_OF_BYTE, WindowRow,
};
use proc_macro2::TokenStream;
use quote::quote;

use super::selectors::selectors;
use super::tokens::{numbers, rows};
use super::window::Window;
use crate::ast::SetHeader;
use crate::interner::{ClassInterner, Interner, SliceInterner};
use crate::model::{Format, Set, Shape, Variant};
use crate::spanned::SpannedStr;
use crate::ty;

/// The most bits of the first dword, besides the window, that index the opcodes of a window.
const MAX_INDEX_BITS: u32 = 9;

/// The most suffix dwords of a format: a check stores two bits for each.
const MAX_SUFFIX_DWORDS: usize = 8;

/// The number of an opcode without an entry.
const NO_ENTRY: u16 = 0;

/// The number of an opcode that no row has.
const NO_ROW: u16 = u16::MAX;

/// A format and a shape of each of its components.
type ShapeKey = (usize, Vec<usize>);

/// A check of the code in a field.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CodeCheck {
    /// The operand class; `None` for a field that holds no operand of the row.
    class: OptionalIndex,
    ty: Type,
    /// The flags of the row.
    flags: u128,
    /// The effect of each suffix dword that the code may select: see [`suffix_dword_effects`].
    suffix_dword_effects: u32,
    /// The list of codes that select a suffix dword.
    selector: OptionalIndex,
    bits: BitRanges,
}

/// The part of a check that all checks of a group have in common, as in [`QueryGroup`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    class: OptionalIndex,
    ty: Type,
    suffix_dword_effects: u32,
    selector: OptionalIndex,
    width: u32,
}

impl CodeCheck {
    /// Returns what the check has in common with those of its group. The width is `u32::MAX` for a field with several ranges.
    fn group_key(&self) -> GroupKey {
        let CodeCheck { class, ty, suffix_dword_effects, selector, ref bits, .. } = *self;
        let width = if bits.second.width == 0 { bits.first.width.into() } else { u32::MAX };
        GroupKey { class, ty, suffix_dword_effects, selector, width }
    }

    /// Returns the key by which checks are sorted: those of a group, then those of equal flags are consecutive.
    fn sort_key(&self) -> (GroupKey, u128, [BitRange; 3]) {
        let BitRanges { first, second, third } = self.bits;
        (self.group_key(), self.flags, [first, second, third])
    }
}

/// The tables of the fast decoder while entries are added.
#[derive(Default)]
struct FastDecoder {
    classes: ClassInterner,
    /// The codes of selectors, each with the index of the suffix dword plus one.
    selectors: Interner<Vec<(u32, u8)>>,
    checks: Interner<CodeCheck>,
    /// Lists of indices in `checks`.
    check_lists: SliceInterner<u16>,
    entries: Vec<DecodedRow>,
    shapes: Interner<ShapeKey>,
    /// For each of `shapes` the index of its entry plus one, or [`NO_ENTRY`].
    entry_of_shape: Vec<u16>,
}

/// Generates the static `FAST_DECODER`.
pub(super) fn tables(header: &SetHeader, set: &Set, window: &Window) -> TokenStream {
    let mut decoder = FastDecoder::default();
    let mut opcodes: SliceInterner<u16> = SliceInterner::default();
    opcodes.intern(vec![0]);
    let (lo, window_bits) = (window.lo, ((1u32 << window.width) - 1) << window.lo);
    let windows: Vec<WindowRow> = (0u32..)
        .zip(&window.candidates)
        .map(|(value, formats)| {
            let Some((shift, mask)) = index_bits(set, formats, window_bits) else {
                return WindowRow { base: 0, shift: 0, mask: 0 };
            };
            let known_bits = window_bits | mask << shift;
            let list: Vec<u16> = (0..=mask)
                .map(|index| decoder.entry_number(header, set, formats, value << lo | index << shift, known_bits))
                .collect();
            let (base, _) = opcodes.intern(list);
            WindowRow { base: base as u16, shift: shift as u16, mask: mask as u16 }
        })
        .collect();
    decoder.items(header, &windows, &opcodes.items)
}

/// Returns the bits of the first dword, besides the window, that distinguish the opcodes of some formats: the lowest
/// bit, and as many ones as there are bits. Returns `None` if they are too far apart or not in the first dword.
fn index_bits(set: &Set, formats: &[u8], window: u32) -> Option<(u32, u32)> {
    let formats: Vec<&Format> = formats.iter().filter_map(|i| set.formats.get(usize::from(*i))).collect();
    let opcodes = || formats.iter().flat_map(|f| &f.components).flat_map(|c| &c.opcode);
    if formats.is_empty() || opcodes().any(|bits| bits.dword() != 0) {
        return None;
    }
    // The range from the lowest to the highest bit.
    let hull = |bits: u32| match bits {
        0 => (0, 0),
        _ => (bits.trailing_zeros(), u32::MAX >> (bits.leading_zeros() + bits.trailing_zeros())),
    };
    let bits = opcodes().fold(0, |all, bits| all | bits.mask()) & !window;
    // Formats that share a window often differ in further bits that all of them fix.
    let common = formats.iter().fold(!window, |all, f| all & f.fixed.mask[0]);
    let with_common = if formats.len() > 1 { hull(bits | common) } else { hull(bits) };
    let is_narrow = |(_, ones): &(u32, u32)| ones.count_ones() <= MAX_INDEX_BITS;
    Some(with_common).filter(is_narrow).or_else(|| Some(hull(bits)).filter(is_narrow))
}

impl FastDecoder {
    /// Returns the number of the entry for instructions that have `value` in the bits `known` of the first dword: its
    /// index plus one, [`NO_ROW`], or [`NO_ENTRY`] if the known bits do not identify the row.
    fn entry_number(&mut self, header: &SetHeader, set: &Set, formats: &[u8], value: u32, known: u32) -> u16 {
        let mut all_opcodes_known = true;
        for &id in formats {
            let format = &set.formats[usize::from(id)];
            if (value ^ format.fixed.value[0]) & format.fixed.mask[0] & known != 0 {
                continue;
            }
            let mut opcode_known = true;
            let shapes = format.components.iter().map(|c| {
                let number = c.opcode.iter().fold(0u64, |n, bits| {
                    n << bits.width | u64::from(value >> bits.lo) & (u64::MAX >> (64 - u32::from(bits.width)))
                });
                opcode_known &= c.opcode.iter().all(|bits| bits.dword() == 0 && bits.mask() & !known == 0);
                c.encoding(number).filter(|_| opcode_known).map(|e| e.shape)
            });
            let shapes = shapes.collect::<Option<Vec<usize>>>();
            // The first format that has the opcode is the candidate. Its entry checks the bits that are not known yet.
            if let Some(shapes) = shapes {
                let key = (usize::from(id), shapes);
                let index = self.shapes.intern(&key);
                if index == self.entry_of_shape.len() {
                    let entry = self.entry(header, format, &key);
                    self.entries.extend(entry);
                    self.entry_of_shape.push(entry.map_or(NO_ENTRY, |_| self.entries.len() as u16));
                }
                return self.entry_of_shape[index];
            }
            all_opcodes_known &= opcode_known;
        }
        if all_opcodes_known { NO_ROW } else { NO_ENTRY }
    }

    /// Returns the entry of a shape of each component. Returns `None` if the tables cannot express it.
    fn entry(&mut self, header: &SetHeader, format: &Format, (id, shapes): &ShapeKey) -> Option<DecodedRow> {
        let shapes: Vec<&Shape> = format.components.iter().zip(shapes).map(|(c, s)| &c.shapes[*s]).collect();
        let always = shapes.iter().map(|s| s.always).max()?;
        let variants: Vec<&Variant> = shapes.iter().map(|s| s.variants.get(always)?.as_ref()).collect::<Option<_>>()?;
        let fixed = combined_bits(format, &shapes, &variants);
        if fixed.mask[2] != 0 || format.suffix_dwords.len() > MAX_SUFFIX_DWORDS {
            return None;
        }
        let only_mode = only_mode(header, format, &shapes)?;
        let checks = self.checks(format, &shapes, &variants, always)?;
        let (first_query, n_queries) = self.check_lists.intern(checks);
        let low = |[first, second, _]: [u32; 3]| u64::from(first) | u64::from(second) << 32;
        Some(DecodedRow {
            mask: low(fixed.mask),
            value: low(fixed.value),
            format: *id as u8,
            len: format.dwords + u8::from(always != 0),
            len_with_suffix_dword: format.dwords + 1,
            only_mode,
            first_query,
            n_queries,
        })
    }

    /// Returns the indices of the checks of all fields that hold operands or select a suffix dword.
    fn checks(&mut self, format: &Format, shapes: &[&Shape], variants: &[&Variant], always: usize) -> Option<Vec<u16>> {
        let selectors = self.selectors(format, shapes);
        let suffix_dword_effects = suffix_dword_effects(format, shapes, variants, always);
        let mut checks: Vec<u16> = Vec::new();
        let mut checked_fields: Vec<usize> = Vec::new();
        for ((component, variant), shape) in format.components.iter().zip(variants).zip(shapes) {
            for bound in &variant.bound {
                let operand = &component.operands[bound.operand];
                let class = Index::new(self.classes.intern(&operand.class));
                let selector = selectors.iter().find(|(field, _)| operand.field == Some(*field)).and_then(|(_, s)| *s);
                checked_fields.extend(operand.field);
                checks.push(self.check(CodeCheck {
                    class,
                    ty: bound.ty,
                    flags: shape.flags,
                    suffix_dword_effects: selector.map_or(0, |_| suffix_dword_effects),
                    selector,
                    bits: bit_ranges(&operand.bits)?,
                }));
            }
        }
        // A field that holds no operand of the row can select a suffix dword too.
        for (field, selector) in selectors.iter().filter(|(field, _)| !checked_fields.contains(field)) {
            checks.push(self.check(CodeCheck {
                class: None,
                ty: ty::MODIFIER,
                flags: 0,
                suffix_dword_effects,
                selector: *selector,
                bits: bit_ranges(&format.fields[*field].bits)?,
            }));
        }
        Some(checks)
    }

    /// Returns the fields that can select a suffix dword of these shapes, each with the index of its list of codes.
    fn selectors(&mut self, format: &Format, shapes: &[&Shape]) -> Vec<(usize, OptionalIndex)> {
        let able = shapes.iter().fold(0, |all, s| all | s.selectors);
        let selectors = selectors(format).into_iter().enumerate().filter(|(nth, _)| able >> nth & 1 == 1);
        selectors.map(|(_, s)| (s.field, Index::new(self.selectors.intern(&s.codes)))).collect()
    }

    /// Returns the index of a check.
    fn check(&mut self, check: CodeCheck) -> u16 {
        self.checks.intern(&check) as u16
    }

    /// Generates the static.
    fn items(&self, header: &SetHeader, windows: &[WindowRow], opcodes: &[u16]) -> TokenStream {
        let isa = &header.name;
        let classes = &self.classes.tokens;
        let selectors = self.selectors.items.iter().map(|codes| {
            let codes = codes.iter().map(|(code, suffix_dword)| quote!((#code, #suffix_dword)));
            quote!(&[#(#codes),*])
        });
        let keys = self.checks.items.iter().map(CodeCheck::sort_key);
        let mut sorted: Vec<_> = keys.zip(0..).collect();
        sorted.sort_unstable();
        // The index in the sorted list of each check.
        let mut sorted_index = vec![0; sorted.len()];
        for (at, (_, original)) in sorted.iter().enumerate() {
            sorted_index[*original] = at as u16;
        }
        let (mut flags, mut split_fields) = (Interner::default(), Interner::default());
        let (mut groups, mut queries): (Vec<QueryGroup>, Vec<QueryRow>) = (Vec::new(), Vec::new());
        let mut last = None;
        // The most sets that lookups can need: one for all codes and, for each group, one for each mode and different flags of rows.
        let mut n_sets = 1;
        for (_, index) in &sorted {
            let check = &self.checks.items[*index];
            let key = check.group_key();
            let GroupKey { class, ty, suffix_dword_effects, selector, width } = key;
            let is_split = check.bits.second.width != 0;
            let bits = if is_split { split_fields.intern(&check.bits) as u32 } else { check.bits.first.to_number() };
            queries.push(QueryRow { flags: flags.intern(&check.flags) as u16, bits });
            let end = queries.len() as u32;
            if last != Some((key, check.flags)) {
                n_sets += header.modes.len();
            }
            match groups.last_mut() {
                Some(group) if last.is_some_and(|(last, _)| last == key) => group.end = end,
                _ => groups.push(QueryGroup { class, ty, suffix_dword_effects, selector, width, end }),
            }
            last = Some((key, check.flags));
        }
        let set_bytes = (n_sets.div_ceil(SETS_OF_BYTE) * SET_BYTES).next_power_of_two().min(MAX_SET_BYTES);
        let lists = self.check_lists.items.iter().map(|original| sorted_index[usize::from(*original)]);
        let lists = numbers(&lists.collect::<Vec<_>>());
        let (n_entries, n_modes, n_windows, n_opcodes) =
            (self.entries.len(), header.modes.len(), windows.len(), opcodes.len());
        let (groups, flags, split_fields, queries, entries) =
            (rows(&groups), &flags.items, rows(&split_fields.items), rows(&queries), rows(&self.entries));
        let defined = (0u16..).zip(opcodes).filter(|(_, number)| **number != NO_ROW);
        let opcode =
            |(position, number): (u16, &u16)| DecodedOpcode { position, row: Index::from_number((*number).into()) };
        let (windows, opcodes) = (rows(windows), rows(&defined.map(opcode).collect::<Vec<_>>()));
        quote! {
            static SOURCE: private::decoder::DecoderSource<'static> = private::decoder::DecoderSource {
                classes: &[::isa::ValidCodes::All, #(<#classes as ::isa::Operand<#isa>>::DECODED_CODES),*],
                selectors: &[#(#selectors),*],
                groups: #groups,
                flags: &[#(#flags),*],
                bit_ranges: #split_fields,
                queries: #queries,
                lists: &[#lists],
                rows: #entries,
            };
            // Crates that decode evaluate the numbers in the type of `FAST_DECODER`, so none of them comes from `BUILT`.
            static BUILT: private::decoder::Built<#n_modes, #n_entries> = private::decoder::build(&SOURCE, #set_bytes);
            static FURTHER: private::decoder::Further<{ BUILT.n_further() }, { BUILT.n_third_zero() }> = BUILT.further();
            pub(super) static FAST_DECODER: private::decoder::DecoderTables<#n_modes, #n_windows, #n_opcodes, #set_bytes> =
                private::decoder::tables(&SOURCE, &BUILT, (&FURTHER.checks, &FURTHER.third_zero), #windows, #opcodes);
        }
    }
}

/// Returns the required bits of a format and of a variant of each component, with the variant bits 0.
fn combined_bits(format: &Format, shapes: &[&Shape], variants: &[&Variant]) -> FixedBits {
    let mut fixed = format.fixed;
    for variant in variants {
        for dword in 0..3 {
            fixed.mask[dword] |= variant.fixed.required.mask[dword];
            fixed.value[dword] |= variant.fixed.required.value[dword];
        }
    }
    for bit in shapes.iter().filter_map(|s| s.variant_bit) {
        fixed.set(&[bit], 0);
    }
    fixed
}

/// Returns the only mode in which these shapes exist, `Some(None)` if they exist in all, and `None` if they exist in different
/// modes.
fn only_mode(header: &SetHeader, format: &Format, shapes: &[&Shape]) -> Option<OptionalIndex> {
    let of_format = format.block.only_mode.as_ref().map(SpannedStr::as_str);
    let names = of_format.into_iter().chain(shapes.iter().filter_map(|s| s.only_mode.as_deref()));
    let mut modes: Vec<usize> = names.filter_map(|name| header.modes.iter().position(|m| m == name)).collect();
    modes.dedup();
    if modes.len() > 1 {
        return None;
    }
    Some(modes.first().and_then(|mode| Index::new(*mode)))
}

/// Returns the bits of a field. Returns `None` if there are more than three ranges.
fn bit_ranges(bits: &[BitRange]) -> Option<BitRanges> {
    let range = |index: usize| bits.get(index).copied().unwrap_or(BitRange::NONE);
    (bits.len() <= 3).then(|| BitRanges { first: range(0), second: range(1), third: range(2) })
}

/// Returns the effect of each suffix dword that a code may select, two bits each: 1 if the suffix dword adds a dword and changes nothing
/// else, 2 if the fast decoder cannot handle it.
fn suffix_dword_effects(format: &Format, shapes: &[&Shape], variants: &[&Variant], always: usize) -> u32 {
    let mut is_first = true;
    (1..=format.suffix_dwords.len()).fold(0, |effects, suffix_dword| {
        let changes_nothing = variants.iter().zip(shapes).all(|(variant, shape)| {
            let with_suffix_dword = shape.variants.get(suffix_dword).and_then(Option::as_ref);
            with_suffix_dword.is_some_and(|with_suffix_dword| {
                with_suffix_dword.fixed.required == variant.fixed.required && with_suffix_dword.bound == variant.bound
            })
        });
        // At most one suffix dword: the fast decoder does not find out which of two is selected.
        let is_simple = is_first && if always == 0 { changes_nothing } else { suffix_dword == always };
        is_first &= !is_simple;
        effects | if is_simple { 1 } else { 2 } << (2 * (suffix_dword - 1))
    })
}
