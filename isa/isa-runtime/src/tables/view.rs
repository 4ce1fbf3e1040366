//! An instruction seen through its tables: which row it is, how long it is.

use crate::Type;
use crate::tables::{Access, Component, Cx, Form, Format, Isa, MAX_DWORDS, Shape, Slot};

/// The suffix dwords that the codes in these words announce, as index plus one; `announcers` has a bit for each field that
/// holds an operand.
#[inline(always)]
pub(crate) fn announced<I: Isa>(
    format: &Format<I>,
    announcers: u8,
    words: &[u32; MAX_DWORDS],
) -> impl Iterator<Item = u8> {
    let asked = format.announces.iter().enumerate().filter(move |(i, _)| announcers >> i & 1 == 1);
    asked
        .map(|(_, a)| a.suffix_dwords.get(a.part.get(words) as usize).copied().unwrap_or(0))
        .filter(|suffix_dword| *suffix_dword != 0)
}

/// The row that the opcode in these words names, as the component carries it.
#[inline(always)]
pub(crate) fn row<I: Isa>(
    component: &'static Component<I>,
    words: &[u32; MAX_DWORDS],
) -> Option<(&'static Slot, &'static Shape<I>)> {
    let number = component.opcode.get(words);
    let slot = component.slots.get(usize::from(component.table.get(number as usize)?.checked_sub(1)?))?;
    Some((slot, component.shapes.get(usize::from(slot.shape))?))
}

/// The index of the form of a row with this suffix dword.
#[inline(always)]
pub(crate) fn form_index<I: Isa>(
    format: &Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    suffix_dword: u8,
) -> Option<usize> {
    let half = shape.split().map_or(0, |bit| bit.get(words) as usize);
    let at = *shape.forms().get(half * (format.suffix_dwords.len() + 1) + usize::from(suffix_dword))?;
    usize::from(at).checked_sub(1)
}

/// The form of a row with this suffix dword.
#[inline(always)]
pub(crate) fn form<I: Isa>(
    format: &Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    suffix_dword: u8,
) -> Option<&'static Form> {
    I::forms().get(form_index(format, shape, words, suffix_dword)?)
}

/// The most components that any format has.
const MAX_COMPONENTS: usize = 2;

/// The rows of an instruction, one for each component of its format, and the suffix dword that follows.
pub(crate) struct Rows<I: Isa> {
    pub rows: [Option<(&'static Slot, &'static Shape<I>)>; MAX_COMPONENTS],
    pub suffix_dword: u8,
    /// Which of [`Format::announces`] hold operands of the rows.
    pub announcers: u8,
}

impl<I: Isa> Rows<I> {
    /// The rows that the opcodes in these words name, or the first component whose opcode names none.
    #[inline]
    pub fn find(format: &'static Format<I>, words: &[u32; MAX_DWORDS]) -> Result<Self, &'static Component<I>> {
        let mut rows = [None; MAX_COMPONENTS];
        let mut always = 0;
        let mut announcers = 0;
        for (to, component) in rows.iter_mut().zip(format.components) {
            let found = row(component, words).ok_or(component)?;
            always = always.max(found.1.always);
            announcers |= found.1.announcers;
            *to = Some(found);
        }
        // The suffix dwords of a format are in the order of their claim: the first one wins where two are announced.
        let first = || announced(format, announcers, words).min().unwrap_or(0);
        let mut suffix_dword = if always != 0 { always } else { first() };
        // A row that cannot have the suffix dword has a code of its own there, or a wrong one.
        if suffix_dword != 0
            && rows.iter().flatten().any(|(_, shape)| form(format, shape, words, suffix_dword).is_none())
        {
            suffix_dword = 0;
        }
        Ok(Rows { rows, suffix_dword, announcers })
    }

    /// Each component with its row and the surroundings that operand kinds see; stops at one that has no such form.
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
                let form = form(format, shape, words, suffix_dword)?;
                let ty = Type::new(crate::Class::Bits, 32, 1);
                let cx = Cx { words, mode, ty, name: "", suffix_dword, format, component: i as u8, shape, form };
                Some(View { slot, component, cx })
            },
        )
    }
}

/// One component of an instruction: its row and the surroundings that operand kinds see.
pub(crate) struct View<'a, I: Isa> {
    pub slot: &'static Slot,
    pub component: &'static Component<I>,
    pub cx: Cx<'a, I>,
}

/// Which suffix dword follows these words: its index in the format's suffix dwords plus one, or 0.
#[inline]
#[must_use]
pub fn suffix_dword<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> u8 {
    let Some(format) = I::formats().get(usize::from(format)) else { return 0 };
    Rows::find(format, words).map_or(0, |rows| rows.suffix_dword)
}

/// How many dwords an instruction of this format takes.
#[must_use]
pub fn length<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> usize {
    let base = I::formats().get(usize::from(format)).map_or(0, |f| f.dwords);
    usize::from(base) + usize::from(suffix_dword::<I>(format, words) != 0)
}

/// The index in [`Isa::mnemonics`] of each component's opcode; the first is `component` 0.
#[must_use]
pub fn opcode<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], component: usize) -> Option<u16> {
    let format = I::formats().get(usize::from(format))?;
    row(format.components.get(component)?, words).map(|(slot, _)| slot.opcode)
}

/// The words of an instruction's row, a bit each; those of the first component if there are two.
#[inline]
#[must_use]
pub fn flags<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> u128 {
    let component = I::formats().get(usize::from(format)).and_then(|f| f.components.first());
    component.and_then(|c| row(c, words)).map_or(0, |(_, shape)| shape.words())
}

/// The types of what an instruction's row reads, of the first component if there are two, whatever follows it.
pub fn types_read<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> impl Iterator<Item = Type> {
    let component = I::formats().get(usize::from(format)).and_then(|f| f.components.first());
    let forms = component.and_then(|c| row(c, words)).map(|(_, shape)| shape.forms()).unwrap_or_default();
    let any = forms.iter().find_map(|at| I::forms().get(usize::from(*at).checked_sub(1)?));
    let bound = any.into_iter().flat_map(Form::bound::<I>);
    bound.filter(|b| matches!(b.access, Access::Read | Access::ReadWrite)).map(|b| b.ty)
}

/// What operand kinds see around them in one component of an instruction, without the name and the type of an operand;
/// `None` if the words name no row there.
#[must_use]
pub fn surroundings<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], mode: I::Mode, component: u8) -> Option<Cx<'_, I>> {
    let format = I::formats().get(usize::from(format))?;
    let rows = Rows::find(format, words).ok()?;
    rows.views(format, words, mode).nth(usize::from(component)).map(|view| view.cx)
}

/// The suffix dword of an instruction of this length, as index plus one; `shape` is that of its only component, or of one of two.
#[inline]
pub(crate) fn suffix_dword_of<I: Isa>(
    format: &'static Format<I>,
    shape: &'static Shape<I>,
    words: &[u32; MAX_DWORDS],
    len: u8,
) -> u8 {
    // Most have none, and then nothing has to be looked for.
    match format.components {
        _ if len <= format.dwords => 0,
        [_] if shape.always != 0 => shape.always,
        [_] => announced(format, shape.announcers, words).min().unwrap_or(0),
        _ => Rows::find(format, words).map_or(0, |rows| rows.suffix_dword),
    }
}
