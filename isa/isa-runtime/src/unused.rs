//! Fields that an instruction does not use.
//!
//! The fields of operands and modifiers that the row does not have, and those of operands that other fields switch off, may hold
//! anything: decoding ignores them, and instructions keep their words. Encoders write 0 or the value that the format states.

use core::fmt;

use crate::decode::first_field;
use crate::tables::view::{Rows, View};
use crate::tables::{Component, EncodingVariant, FixedBits, Format, Isa, MAX_DWORDS};

/// What is in the fields that an instruction does not use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnusedFields {
    /// What encoders and parsers write.
    #[default]
    Usual,
    /// What newer assemblers write, where a format states it (`else 0 newer 0x80`): LLVM 23 and later for RDNA3. In instructions
    /// with an operand in a suffix dword, such as those with DPP, the same as [`Usual`](Self::Usual).
    Newer,
}

/// A field that an instruction does not use and that holds something else than encoders write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnusedField {
    /// The guide's name of the format.
    pub format: &'static str,
    /// The guide's name of the field.
    pub field: &'static str,
    /// The code in the field.
    pub code: u32,
    /// The code that encoders write.
    pub usual: u32,
}

impl fmt::Display for UnusedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnusedField { format, field, code, usual } = self;
        write!(f, "{format}: {field} holds {code} (0x{code:x}) instead of {usual}, and is not used")
    }
}

/// Returns the dwords of an instruction with these contents of the fields that it does not use.
#[must_use]
pub fn with_unused_fields<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], fields: UnusedFields) -> [u32; MAX_DWORDS] {
    let mut out = *words;
    // Whether a field is used does not depend on the mode.
    let (Some(format), Some(mode)) = (Format::<I>::at(format), I::ALL_MODES.first()) else { return out };
    let Ok(rows) = Rows::find(format, words) else { return out };
    for View { component, cx, .. } in rows.views(format, words, *mode) {
        let bits = cx.variant.fixed::<I>();
        let FixedBits { mask, value: usual } = &bits.written;
        let changes = match fields {
            UnusedFields::Newer if !has_operand_in_suffix_dword(format, component, cx.variant) => format.newer,
            _ => &[0; MAX_DWORDS],
        };
        for (i, word) in out.iter_mut().enumerate() {
            let unused = mask[i] & !bits.required[i];
            *word = *word & !unused | (usual[i] ^ changes[i]) & unused;
        }
    }
    clear_unused_operands(&rows, format, &mut out, *mode);
    out
}

/// Returns whether an operand is in a field of the suffix dword, as the first source of DPP is.
fn has_operand_in_suffix_dword<I: Isa>(
    format: &Format<I>,
    component: &Component<I>,
    variant: &EncodingVariant,
) -> bool {
    variant.operands::<I>().any(|bound| {
        let field = component.carrier(bound).and_then(|carrier| format.fields.get(usize::from(carrier.field)));
        field.is_some_and(|field| field.suffix_dword != 0)
    })
}

/// Clears the fields of operands that other fields switch off.
fn clear_unused_operands<I: Isa>(
    rows: &Rows<I>,
    format: &'static Format<I>,
    words: &mut [u32; MAX_DWORDS],
    mode: I::Mode,
) {
    let given = *words;
    for View { component, cx, .. } in rows.views(format, &given, mode) {
        if !component.may_be_unused {
            continue;
        }
        let mut cx = cx;
        for (bound, carrier) in cx.variant.carriers(component) {
            (cx.ty, cx.name) = (bound.ty, carrier.name);
            if !component.uses(&cx, bound.carrier) {
                carrier.bits.set(words, 0);
            }
        }
    }
}

/// Returns whether the fields of operands that other fields switch off are 0. The fields that the row does not use do not matter.
pub(crate) fn has_clear_operands<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], mode: I::Mode) -> bool {
    let Some(format) = Format::<I>::at(format) else { return true };
    if !format.components.iter().any(|component| component.may_be_unused) {
        return true;
    }
    let Ok(rows) = Rows::find(format, words) else { return true };
    let mut cleared = *words;
    clear_unused_operands(&rows, format, &mut cleared, mode);
    cleared == *words
}

/// Returns the first field that an instruction does not use and that holds something else than encoders write.
#[must_use]
pub fn unused_field<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> Option<UnusedField> {
    let (at, usual) = different_field::<I>(format, words)?;
    let format = Format::<I>::at(format)?;
    let field = format.fields.get(at)?;
    Some(UnusedField {
        format: format.name,
        field: field.name,
        code: field.bits.get(words),
        usual: field.bits.get(&usual),
    })
}

/// Returns the index of the field that [`unused_field`] returns.
pub(crate) fn unused_field_index<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> Option<u8> {
    different_field::<I>(format, words).map(|(at, _)| at as u8)
}

/// Returns the index of the first field that an instruction does not use and that holds something else than encoders write, with
/// the dwords that they write.
fn different_field<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> Option<(usize, [u32; MAX_DWORDS])> {
    let usual = with_unused_fields::<I>(format, words, UnusedFields::Usual);
    let differs: [u32; MAX_DWORDS] = core::array::from_fn(|i| words[i] ^ usual[i]);
    if differs == [0; MAX_DWORDS] {
        return None;
    }
    let suffix_dword = crate::suffix_dword::<I>(format, words);
    let at = first_field(Format::<I>::at(format)?, &differs, suffix_dword)?;
    Some((at, usual))
}

/// Returns whether the dwords are those that encoders write: each field holds a code that the format names, and the fields that the
/// instruction does not use hold what encoders write.
#[must_use]
pub fn is_canonical<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> bool {
    let length = crate::length::<I>(format, words);
    let words_of_length = words.get(..length).unwrap_or(words);
    I::ALL_MODES.iter().any(|mode| crate::decode::<I>(words_of_length, *mode).is_ok())
        && unused_field::<I>(format, words).is_none()
}
