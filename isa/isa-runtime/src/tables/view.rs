//! Lookup of an instruction's rows, length and suffix dword in the tables.

use crate::Type;
use crate::tables::{Component, Cx, EncodingVariant, Format, Isa, MAX_DWORDS, Shape, Slot};

/// Returns the suffix dwords that the codes in these dwords select, as indices plus one. `selector_mask` has a bit for each field
/// that holds an operand.
#[inline(always)]
pub(crate) fn selected<I: Isa>(
    format: &Format<I>,
    selector_mask: u8,
    words: &[u32; MAX_DWORDS],
) -> impl Iterator<Item = u8> {
    let fields = format.selectors.iter().enumerate().filter(move |(i, _)| selector_mask >> i & 1 == 1);
    fields
        .map(|(_, a)| a.suffix_dwords.get(a.bits.get(words) as usize).copied().unwrap_or(0))
        .filter(|suffix_dword| *suffix_dword != 0)
}

/// Returns the row with the opcode in these dwords.
#[inline(always)]
pub(crate) fn row<I: Isa>(
    component: &'static Component<I>,
    words: &[u32; MAX_DWORDS],
) -> Option<(&'static Slot, &'static Shape<I>)> {
    let number = component.opcode.get(words);
    let slot = component.slots.get(usize::from(component.table.get(number as usize)?.checked_sub(1)?))?;
    Some((slot, component.shapes.get(usize::from(slot.shape))?))
}

/// Returns the index of the encoding variant of a row with this suffix dword.
#[inline(always)]
pub(crate) fn variant_index<I: Isa>(
    format: &Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    suffix_dword: u8,
) -> Option<usize> {
    let variant_bit = shape.variant_bit.map_or(0, |bit| bit.get(words) as usize);
    shape.variant_index(format, variant_bit, suffix_dword.into())
}

/// Returns the encoding variant of a row with this suffix dword.
#[inline(always)]
pub(crate) fn variant<I: Isa>(
    format: &Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    suffix_dword: u8,
) -> Option<&'static EncodingVariant> {
    I::tables().variants.get(variant_index(format, shape, words, suffix_dword)?)
}

/// The most components of a format.
pub(crate) const MAX_COMPONENTS: usize = 2;

/// The rows of an instruction, one for each component of its format, and its suffix dword.
pub(crate) struct Rows<I: Isa> {
    pub rows: [Option<(&'static Slot, &'static Shape<I>)>; MAX_COMPONENTS],
    pub suffix_dword: u8,
    /// A bit for each of [`Format::selectors`]: whether the field holds an operand of a row.
    pub selector_mask: u8,
}

impl<I: Isa> Rows<I> {
    /// Returns the rows with the opcodes in these dwords, or the first component with an unknown opcode.
    #[inline]
    pub fn find(format: &'static Format<I>, words: &[u32; MAX_DWORDS]) -> Result<Self, &'static Component<I>> {
        let mut rows = [None; MAX_COMPONENTS];
        let mut always = 0;
        let mut selector_mask = 0;
        for (to, component) in rows.iter_mut().zip(format.components) {
            let found = row(component, words).ok_or(component)?;
            always = always.max(found.1.always);
            selector_mask |= found.1.selector_mask;
            *to = Some(found);
        }
        // If the codes select several suffix dwords, the first one in the order of the format takes precedence.
        let first = || selected(format, selector_mask, words).min().unwrap_or(0);
        let mut suffix_dword = if always != 0 { always } else { first() };
        // A row that cannot have the suffix dword has another meaning for the code, or an invalid code.
        if suffix_dword != 0
            && rows.iter().flatten().any(|(_, shape)| variant(format, shape, words, suffix_dword).is_none())
        {
            suffix_dword = 0;
        }
        Ok(Rows { rows, suffix_dword, selector_mask })
    }

    /// Returns each component with its row and the context of its operands, up to one without a matching encoding variant.
    #[inline]
    pub fn views<'a>(
        &self,
        format: &'static Format<I>,
        words: &'a [u32; MAX_DWORDS],
        mode: I::Mode,
    ) -> impl Iterator<Item = View<'a, I>> {
        let suffix_dword = self.suffix_dword;
        self.rows.iter().flatten().zip(format.components).enumerate().map_while(
            move |(i, (&(slot, shape), component))| {
                let variant = variant(format, shape, words, suffix_dword)?;
                let ty = Type::new(crate::Class::Bits, 32, 1);
                let cx = Cx { words, mode, ty, name: "", suffix_dword, format, component: i as u8, shape, variant };
                Some(View { slot, component, cx })
            },
        )
    }
}

/// A component of an instruction: its row and the context of its operands.
pub(crate) struct View<'a, I: Isa> {
    pub slot: &'static Slot,
    pub component: &'static Component<I>,
    pub cx: Cx<'a, I>,
}

/// Returns the suffix dword of an instruction, as an index in the format's suffix dwords plus one, or 0.
#[inline]
#[must_use]
pub fn suffix_dword<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> u8 {
    let Some(format) = Format::<I>::at(format) else { return 0 };
    Rows::find(format, words).map_or(0, |rows| rows.suffix_dword)
}

/// Returns the length of an instruction in dwords.
#[must_use]
pub fn length<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> usize {
    let base = Format::<I>::at(format).map_or(0, |format| format.dwords);
    usize::from(base) + usize::from(suffix_dword::<I>(format, words) != 0)
}

/// Returns the index in [`Tables::mnemonics`](crate::tables::Tables::mnemonics) of a component's opcode.
#[must_use]
pub fn opcode<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], component: usize) -> Option<u16> {
    row(Format::<I>::at(format)?.components.get(component)?, words).map(|(slot, _)| slot.opcode)
}

/// Returns the flags of an instruction's row, a bit each. For a dual-issue pair, returns those of the first instruction.
#[inline]
#[must_use]
pub fn flags<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> u128 {
    let component = Format::<I>::at(format).and_then(|format| format.components.first());
    component.and_then(|component| row(component, words)).map_or(0, |(_, shape)| shape.flags())
}

/// Returns the context of the operands of a component, without the name and the type of an operand. Returns `None` if the opcode is
/// unknown.
#[must_use]
pub fn surroundings<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], mode: I::Mode, component: u8) -> Option<Cx<'_, I>> {
    let format = Format::at(format)?;
    let rows = Rows::find(format, words).ok()?;
    rows.views(format, words, mode).nth(usize::from(component)).map(|view| view.cx)
}

/// Returns the suffix dword of an instruction of this length, as an index plus one. `shape` is that of one of its components.
#[inline]
pub(crate) fn suffix_dword_of<I: Isa>(
    format: &'static Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    len: u8,
) -> u8 {
    // Most instructions have no suffix dword.
    match format.components {
        _ if len <= format.dwords => 0,
        [_] if shape.always != 0 => shape.always,
        [_] => selected(format, shape.selector_mask, words).min().unwrap_or(0),
        _ => Rows::find(format, words).map_or(0, |rows| rows.suffix_dword),
    }
}
