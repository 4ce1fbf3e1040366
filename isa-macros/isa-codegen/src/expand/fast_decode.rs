//! The tables of the fast decoder, `isa::__private::decoder::DecoderTables`.
//!
//! The decoder maps the opcode bits of the first dword to an entry: the fixed bits of an instruction and the checks of
//! its operand codes. An opcode without an entry is left to the complete decoder.

mod patterns;

use isa_body::Type;
use isa_schema::{BitRange, FixedBits, UNDEFINED_OPCODE, WindowRow};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::selectors::selectors;
use super::tokens::{numbers, rows};
use super::window::Window;
use crate::ast::{OperandClass, SetHeader};
use crate::interner::{Interner, SliceInterner};
use crate::model::{Format, Set, Shape, Variant};
use crate::operand_tables::valid_codes::ValidCodes;
use crate::spanned::SpannedStr;
use crate::ty;
use patterns::Patterns;

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
    class: Option<usize>,
    ty: Type,
    /// The flags of the row.
    flags: u128,
    /// The effect of each suffix dword that the code may select: see [`suffix_dword_effects`].
    suffix_dword_effects: u32,
    /// The list of codes that select a suffix dword.
    selector: Option<usize>,
    bits: Vec<BitRange>,
}

/// The bits that instructions of a row have, and the checks of its codes.
struct Entry {
    /// The mask of the fixed bits of the first two dwords.
    mask: u64,
    value: u64,
    /// The index of the format.
    format: u8,
    /// The length in dwords without a selected suffix dword.
    len: u8,
    /// The length with one.
    len_with_suffix_dword: u8,
    /// The only mode in which the row exists.
    only_mode: Option<usize>,
    /// The indices of the checks.
    checks: Vec<usize>,
}

/// The tables of the fast decoder while entries are added.
struct FastDecoder<'a> {
    header: &'a SetHeader,
    set: &'a Set<'a>,
    class_names: Interner<String>,
    /// The codes of the classes that decode without a call; `None` for a class that is not in the set's tables, whose instructions the
    /// slow path decodes.
    classes: Vec<Option<ValidCodes>>,
    /// The codes of selectors, each with the index of the suffix dword plus one.
    selectors: Interner<Vec<(u32, u8)>>,
    checks: Interner<CodeCheck>,
    entries: Vec<Entry>,
    shapes: Interner<ShapeKey>,
    /// For each of `shapes` the index of its entry plus one, or [`NO_ENTRY`].
    entry_of_shape: Vec<u16>,
}

/// Generates the static `FAST_DECODER`.
pub(super) fn tables(header: &SetHeader, set: &Set, window: &Window) -> TokenStream {
    let mut decoder = FastDecoder {
        header,
        set,
        class_names: Interner::default(),
        classes: Vec::new(),
        selectors: Interner::default(),
        checks: Interner::default(),
        entries: Vec::new(),
        shapes: Interner::default(),
        entry_of_shape: Vec::new(),
    };
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
                .map(|index| decoder.entry_number(formats, value << lo | index << shift, known_bits))
                .collect();
            let (base, _) = opcodes.intern(list);
            WindowRow { base: base as u16, shift: shift as u16, mask: mask as u16 }
        })
        .collect();
    decoder.items(&windows, &opcodes.items)
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

impl FastDecoder<'_> {
    /// Returns the number of the entry for instructions that have `value` in the bits `known` of the first dword: its
    /// index plus one, [`NO_ROW`], or [`NO_ENTRY`] if the known bits do not identify the row.
    fn entry_number(&mut self, formats: &[u8], value: u32, known: u32) -> u16 {
        let mut all_opcodes_known = true;
        for &id in formats {
            let format = &self.set.formats[usize::from(id)];
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
                    let entry = self.entry(format, &key);
                    let is_known = entry.is_some();
                    self.entries.extend(entry);
                    self.entry_of_shape.push(if is_known { self.entries.len() as u16 } else { NO_ENTRY });
                }
                return self.entry_of_shape[index];
            }
            all_opcodes_known &= opcode_known;
        }
        if all_opcodes_known { NO_ROW } else { NO_ENTRY }
    }

    /// Returns the entry of a shape of each component. Returns `None` if the tables cannot express it.
    fn entry(&mut self, format: &Format, (id, shapes): &ShapeKey) -> Option<Entry> {
        let shapes: Vec<&Shape> = format.components.iter().zip(shapes).map(|(c, s)| &c.shapes[*s]).collect();
        let always = shapes.iter().map(|s| s.always).max()?;
        let variants: Vec<&Variant> = shapes.iter().map(|s| s.variants.get(always)?.as_ref()).collect::<Option<_>>()?;
        let fixed = combined_bits(format, &shapes, &variants);
        if fixed.mask[2] != 0 || format.suffix_dwords.len() > MAX_SUFFIX_DWORDS {
            return None;
        }
        let only_mode = only_mode(self.header, format, &shapes)?;
        let checks = self.checks(format, &shapes, &variants, always);
        let low = |[first, second, _]: [u32; 3]| u64::from(first) | u64::from(second) << 32;
        Some(Entry {
            mask: low(fixed.mask),
            value: low(fixed.value),
            format: *id as u8,
            len: format.dwords + u8::from(always != 0),
            len_with_suffix_dword: format.dwords + 1,
            only_mode,
            checks,
        })
    }

    /// Returns the indices of the checks of all fields that hold operands or select a suffix dword.
    fn checks(&mut self, format: &Format, shapes: &[&Shape], variants: &[&Variant], always: usize) -> Vec<usize> {
        let selectors = self.selectors(format, shapes);
        let suffix_dword_effects = suffix_dword_effects(format, shapes, variants, always);
        let mut checks: Vec<usize> = Vec::new();
        let mut checked_fields: Vec<usize> = Vec::new();
        for ((component, variant), shape) in format.components.iter().zip(variants).zip(shapes) {
            for bound in &variant.bound {
                let operand = &component.operands[bound.operand];
                let class = Some(self.class(&operand.class));
                let selector = selectors.iter().find(|(field, _)| operand.field == Some(*field)).map(|(_, s)| *s);
                checked_fields.extend(operand.field);
                checks.push(self.checks.intern(&CodeCheck {
                    class,
                    ty: bound.ty,
                    flags: shape.flags,
                    suffix_dword_effects: selector.map_or(0, |_| suffix_dword_effects),
                    selector,
                    bits: operand.bits.clone(),
                }));
            }
        }
        // A field that holds no operand of the row can select a suffix dword too.
        for (field, selector) in selectors.iter().filter(|(field, _)| !checked_fields.contains(field)) {
            checks.push(self.checks.intern(&CodeCheck {
                class: None,
                ty: ty::MODIFIER,
                flags: 0,
                suffix_dword_effects,
                selector: Some(*selector),
                bits: format.fields[*field].bits.clone(),
            }));
        }
        checks
    }

    /// Returns the fields that can select a suffix dword of these shapes, each with the index of its list of codes.
    fn selectors(&mut self, format: &Format, shapes: &[&Shape]) -> Vec<(usize, usize)> {
        let able = shapes.iter().fold(0, |all, s| all | s.selectors);
        let selectors = selectors(format).into_iter().enumerate().filter(|(nth, _)| able >> nth & 1 == 1);
        selectors.map(|(_, s)| (s.field, self.selectors.intern(&s.codes))).collect()
    }

    /// Returns the index of a class.
    fn class(&mut self, class: &OperandClass) -> usize {
        let index = self.class_names.intern(&class.text);
        if index == self.classes.len() {
            self.classes
                .push(self.set.classes.as_ref().and_then(|classes| classes.class(class)).map(|class| class.decoded()));
        }
        index
    }

    /// Generates the static.
    fn items(&self, windows: &[WindowRow], opcodes: &[u16]) -> TokenStream {
        let mut patterns = Patterns::new(self);
        let bytes = |bytes: &[u8]| Literal::byte_string(bytes);
        let ops = (0..self.header.modes.len()).map(|mode| {
            let numbers = patterns.of_mode(mode);
            let op = |entry: &u16| match *entry {
                NO_ENTRY => 0,
                NO_ROW => UNDEFINED_OPCODE,
                entry => numbers[usize::from(entry) - 1],
            };
            bytes(&opcodes.iter().map(op).collect::<Vec<u8>>())
        });
        let ops: Vec<Literal> = ops.collect();
        let (pattern_rows, further) = patterns.rows();
        let (third_zero, sets) = (patterns.third_zero(), patterns.set_bytes());
        let (n_modes, n_windows, n_opcodes, n_set_bytes, n_further) =
            (ops.len(), windows.len(), opcodes.len(), sets.len(), further.len());
        let (windows, pattern_rows, further, third_zero, sets) =
            (rows(windows), rows(&pattern_rows), rows(&further), numbers(&third_zero), bytes(&sets));
        quote! {
            static FURTHER: [private::decoder::FurtherChecks; #n_further] = private::decoder::further(#further);
            pub(super) static FAST_DECODER: private::decoder::DecoderTables<#n_modes, #n_windows, #n_opcodes, #n_set_bytes> =
                private::decoder::tables(#windows, [#(*#ops),*], #pattern_rows, &FURTHER, &[#third_zero], *#sets);
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
fn only_mode(header: &SetHeader, format: &Format, shapes: &[&Shape]) -> Option<Option<usize>> {
    let of_format = format.block.only_mode.as_ref().map(SpannedStr::as_str);
    let names = of_format.into_iter().chain(shapes.iter().filter_map(|s| s.only_mode.as_deref()));
    let mut modes: Vec<usize> = names.filter_map(|name| header.modes.iter().position(|m| m == name)).collect();
    modes.dedup();
    if modes.len() > 1 {
        return None;
    }
    Some(modes.first().copied())
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
