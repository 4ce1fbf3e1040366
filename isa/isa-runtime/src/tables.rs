//! The tables that `isa_set!` generates: what one microcode format, one row and one operand are.
//!
//! A [`Format`] has one [`Component`] for each opcode it holds (two for dual-issue formats). A component's opcode
//! leads to a [`Slot`] (a row as this format carries it), whose [`Shape`] says which bits are fixed, which operands
//! there are and how they are written. Rows that agree in all that share a shape, so the tables stay small.
//! A [`SuffixDword`] is a further dword that some value in the base words announces: a literal constant, say.

mod bodies;
pub(crate) mod pack;
pub(crate) mod place;
pub(crate) mod view;

use crate::encode::Kept;
use crate::operands::Visiting;
pub use crate::operands::codes::{
    AbsentFn, Case, CodeSet, Kind, Literal, Names, ParseFn, Sure, ValidFn, ValueFn, Values, WriteCodeFn, WriteFn,
    WriteLiteralFn,
};
use crate::print::Printing;
pub use crate::tables::bodies::{Bodies, BodyEffects, Semantics, semantics};
pub(crate) use crate::tables::place::Packed;
pub use crate::tables::place::{Bits, Part, Place, Rest, Run};
use crate::{Label, Type};

/// The most dwords that any instruction has.
pub const MAX_DWORDS: usize = 3;

/// An instruction set: the types its tables speak of and the tables themselves.
pub trait Isa: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static {
    /// The instruction enum.
    type Instr: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// What decides how some words are read besides the words themselves, such as a wave size.
    type Mode: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// What an operand comes to: registers, a constant …
    type Value: Copy + core::fmt::Debug + 'static;
    /// The enum of all mnemonics.
    type Opcode: Copy + Eq + core::hash::Hash + core::fmt::Debug + 'static;
    /// The index of an opcode in [`mnemonics`](Self::mnemonics).
    fn opcode_index(opcode: Self::Opcode) -> u16;
    /// The opcode with an index.
    fn opcode_at(index: u16) -> Option<Self::Opcode>;
    /// The modifiers, by their places in [`Inst`](crate::Inst).
    fn modifiers() -> &'static [crate::inst::Modifier];
    /// What encoding operand-level instructions needs.
    fn lowering() -> &'static crate::inst::plan::Lowering<Self>;
    /// [`Inst::encode`](crate::Inst::encode), compiled once in the crate of the tables; `checked`: the rules between
    /// operands hold.
    #[doc(hidden)]
    fn encode_inst(
        inst: &crate::Inst<Self>,
        mode: Self::Mode,
        checked: bool,
    ) -> Result<Self::Instr, crate::EncodeError>;
    /// The generation that the set is, where blocks that it shares with others cover several; empty where none does.
    const GENERATION: &'static str = "";
    /// The microcode formats, in the order in which `isa_set!` names them.
    fn formats() -> &'static [Format<Self>];
    /// For each value of the [`window`](Self::window): the formats to try, the most specific first.
    fn candidates(window: u32) -> &'static [u8];
    /// The bits of the first dword that tell formats apart: lowest bit and width.
    fn window() -> (u8, u8);
    /// The instruction of format `format` with these words, `len` of which count; `None` for a format that is not there.
    #[inline]
    fn instr(format: u8, words: [u32; MAX_DWORDS], len: u8) -> Option<Self::Instr> {
        Self::kept(format, Kept::new(words, len))
    }
    /// The same of words that are put together.
    #[doc(hidden)]
    fn kept(format: u8, kept: Kept) -> Option<Self::Instr>;
    /// The format of an instruction and its words.
    fn parts(instr: &Self::Instr) -> (u8, [u32; MAX_DWORDS]);
    /// The instruction that words surely begin with, the first two as one number, and its length; `None` where the tables
    /// of this way are not sure.
    fn quick(low: u64, third: u32, mode: Self::Mode) -> Option<(Self::Instr, usize)>;
    /// Whether a word surely begins no instruction of any row.
    fn hopeless(word: u32) -> bool;
    /// The forms that shapes name.
    fn forms() -> &'static [Form];
    /// The operands and modifiers that forms have: indices in [`kinds_of_bounds`](Self::kinds_of_bounds).
    fn bounds() -> &'static [u16];
    /// All operands and modifiers that there are, each once.
    fn kinds_of_bounds() -> &'static [Bound];
    /// The forms that shapes have: one more than the index in [`forms`](Self::forms), or 0 where there is none.
    fn forms_of_shapes() -> &'static [u16];
    /// The words that shapes have.
    fn words_of_shapes() -> &'static [u128];
    /// What each format is for, and the sections of the guide: the doc comment of its block.
    fn docs() -> &'static [&'static str];
    /// Masks of bits and their values, which forms name.
    fn fixed() -> &'static [Fixed];
    /// What writing text needs besides.
    fn printing() -> &'static Printing<Self>;
    /// What reading text needs besides.
    fn reading() -> &'static Reading<Self>;
    /// What listing operands needs besides.
    fn visiting() -> &'static Visiting<Self>;
    /// The mnemonics as text has them, without suffixes: what slots name.
    fn labels() -> &'static [Label];
    /// Whether an instruction obeys the rules between its operands that text must obey.
    ///
    /// # Errors
    /// The rule it breaks.
    fn legal(_instr: &Self::Instr, _mode: Self::Mode) -> Result<(), crate::Forbidden> {
        Ok(())
    }
    /// The index of a mode among those that `isa_set!` names.
    fn mode_index(mode: Self::Mode) -> usize;
    /// The name of a mode.
    fn mode_name(mode: Self::Mode) -> &'static str;
    /// The generation that the set is, where blocks that it shares with others cover several.
    #[must_use]
    fn generation() -> Option<&'static str> {
        Some(Self::GENERATION).filter(|name| !name.is_empty())
    }
    /// All rows under all their names, sorted by name and then by format.
    fn entries() -> &'static [crate::Entry];
    /// The names of all opcodes in the guide's spelling, in the order of the generated `Opcode`.
    fn mnemonics() -> &'static [&'static str];
    /// The bodies of rows.
    fn bodies() -> &'static Bodies;
    /// The relations between opcodes.
    fn relations() -> isa_body::Relations;
}

/// A field as the guide names it.
#[derive(Debug)]
pub struct Field {
    /// The guide's name, such as `VSRC1`.
    pub name: &'static str,
    /// Its bits.
    pub bits: Bits,
    /// The index of the suffix dword it belongs to plus one, or 0 for the base words.
    pub suffix_dword: u8,
}

/// One microcode format.
#[derive(Debug)]
pub struct Format<I: Isa> {
    /// The guide's name.
    pub name: &'static str,
    /// How many dwords come before a suffix dword.
    pub dwords: u8,
    /// The bits that are the same in every instruction of the format: a mask and their value.
    pub fixed: ([u32; MAX_DWORDS], [u32; MAX_DWORDS]),
    /// All fields of the base words and, after them, of each suffix dword.
    pub fields: &'static [Field],
    /// The dwords that may follow.
    pub suffix_dwords: &'static [SuffixDword],
    /// The same conditions by field, for decoding: what each code of the field announces.
    pub announces: &'static [Announce],
    /// The instructions it holds: one, but for dual-issue formats.
    pub components: &'static [Component<I>],
    /// What stands between the texts of two components.
    pub join: &'static str,
    /// What a mnemonic that several formats carry ends in, such as `_e32`.
    pub suffix: &'static str,
    /// The one mode in which the format exists, if there is such a limit.
    pub only: Option<I::Mode>,
}

/// A dword that may follow a format's base words.
#[derive(Debug)]
pub struct SuffixDword {
    /// Its name, such as `DPP16`.
    pub name: &'static str,
    /// What mnemonics end in where it follows, such as `_dpp`; empty if it leaves them as they are.
    pub suffix: &'static str,
    /// It follows when one of these fields holds the code beside it.
    pub when: &'static [(Part, u32)],
}

/// A field whose codes may announce a suffix dword.
#[derive(Debug)]
pub struct Announce {
    /// The field.
    pub part: Part,
    /// For each code the suffix dword's index plus one, or 0.
    pub suffix_dwords: &'static [u8],
}

/// How one opcode of a format leads to a row, and which bits carry which role.
#[derive(Debug)]
pub struct Component<I: Isa> {
    /// Its number among the components of all formats.
    pub nth: u8,
    /// The opcode's bits.
    pub opcode: Bits,
    /// The index of the field in [`Format::fields`]; `u8::MAX` if no field has just these bits.
    pub field: u8,
    /// For each opcode one more than the index of its slot, or 0.
    pub table: &'static [u16],
    /// The rows as this format carries them.
    pub slots: &'static [Slot],
    /// Everything that carries an operand or a modifier.
    pub carriers: &'static [Carrier<I>],
    /// The shapes that slots name.
    pub shapes: &'static [Shape<I>],
    /// The opcode's bits once more, where they can be had so.
    pub place: Option<Place>,
}

impl<I: Isa> Component<I> {
    /// The mnemonic of an opcode's number as text has it, without a suffix; empty where there is no such opcode.
    #[must_use]
    pub fn text(&self, number: u16) -> &'static str {
        let heads = I::printing().heads.get(usize::from(self.nth)).copied().unwrap_or_default();
        let head = heads.get(usize::from(number)).filter(|_| self.table.get(usize::from(number)) != Some(&0));
        head.and_then(|head| I::labels().get(usize::from(head.text))).map_or("", Label::as_str)
    }

    /// The number of the opcode in these words.
    #[inline(always)]
    #[must_use]
    pub(crate) fn number(&self, words: Packed) -> u32 {
        match self.place {
            Some(place) => place.get(words.low),
            None => self.scattered(words),
        }
    }

    #[cold]
    #[inline(never)]
    fn scattered(&self, words: Packed) -> u32 {
        self.opcode.get(&words.words())
    }
}

/// The way from the words of a format with one component straight to the form.
#[derive(Clone, Copy, Debug)]
// A power of two in size, which is a shift away.
#[repr(align(64))]
pub struct Start {
    /// The heads of its opcodes.
    pub(crate) heads: &'static [Head],
    /// What the codes of one field announce, where it can announce other suffix dwords than the usual one.
    pub(crate) suffix_dwords: &'static [u8],
    /// The bits of that field.
    pub(crate) announcer: Place,
    /// The bits of the opcode.
    pub(crate) place: Place,
    /// The length of instructions without a suffix dword; 0 where none can go this way.
    pub(crate) dwords: u8,
    /// The component's number.
    pub(crate) component: u8,
    /// The usual suffix dword, a literal: what follows unless that field says otherwise, as index plus one; 0 where there is none.
    pub(crate) suffix_dword: u8,
}

impl Start {
    /// One more than the index of the form, and the index of the label, of an instruction of this length, if it can go
    /// this way.
    #[inline(always)]
    pub(crate) fn head(starts: &'static [Start], low: u64, format: u8, len: u8) -> Option<(u16, u16)> {
        let start = starts.get(usize::from(format))?;
        let head = start.heads.get(start.place.get(low) as usize)?;
        let form = if start.dwords == len {
            head.form
        } else if start.usual(low) {
            head.longer
        } else {
            0
        };
        Some((form, head.text))
    }

    /// Whether an instruction that has a suffix dword has the usual one.
    #[inline(always)]
    fn usual(&self, low: u64) -> bool {
        let other = self.suffix_dwords.get(self.announcer.get(low) as usize).copied().unwrap_or(0);
        other == 0 || other == self.suffix_dword
    }

    /// The usual suffix dword of an instruction: which it is, as index plus one, and the word; 0 and nothing where none follows.
    /// Of formats with two components, which have two dwords, the word that is the third.
    #[inline(always)]
    pub(crate) fn suffix_dword(&self, low: u64, rest: Rest) -> (u8, Option<u32>) {
        match self.dwords {
            n if n == rest.len() => (0, None),
            // The opcode does not lead to the form directly.
            0 => (0, None),
            1 => (self.suffix_dword, Some((low >> 32) as u32)),
            _ => (self.suffix_dword, Some(rest.third())),
        }
    }
}

/// The way from an opcode straight to a form, for writing it and listing its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The index in [`Isa::labels`].
    pub text: u16,
    /// One more than the index in [`Isa::forms`]; 0 where more has to be known: which suffix dword, which half, which words the
    /// row has.
    pub form: u16,
    /// The same of the form with the usual suffix dword.
    pub longer: u16,
}

/// A row as one format carries it.
#[derive(Debug)]
pub struct Slot {
    /// The number in the format's opcode field.
    pub number: u16,
    /// The index of the opcode in [`Isa::mnemonics`].
    pub opcode: u16,
    /// The index of its [`Shape`].
    pub shape: u16,
}

/// What carries an operand or a modifier in one component.
#[derive(Debug)]
pub struct Carrier<I: Isa> {
    /// The name of the role (`s0`) or of the modifier (`glc`).
    pub name: &'static str,
    /// The index of the field in [`Format::fields`]; `u8::MAX` for an implied operand, which no bits carry.
    pub field: u8,
    /// The bits.
    pub bits: Bits,
    /// Whether the code in those bits means something here; `None`: every code does.
    pub valid: Option<ValidFn<I>>,
    /// Whether a code that is not valid is printed all the same.
    pub printable: ValidFn<I>,
}

/// Everything about a row in one format but its name and number.
#[derive(Clone, Copy, Debug)]
pub struct Shape<I: Isa> {
    pub(crate) words: u16,
    pub(crate) forms: Run,
    pub(crate) split: Option<(u8, u8)>,
    /// The index of the suffix dword that always follows plus one, or 0.
    pub always: u8,
    /// Which of [`Format::announces`] hold an operand of the row, whose code can announce a suffix dword: a bit for each.
    pub announcers: u8,
    /// The only mode in which the row exists, if there is such a limit.
    pub only: Option<I::Mode>,
}

impl<I: Isa> Shape<I> {
    /// The row's words, a bit each.
    #[inline]
    #[must_use]
    pub fn words(&self) -> u128 {
        I::words_of_shapes().get(usize::from(self.words)).copied().unwrap_or(0)
    }

    /// A one-bit field that splits the row in two forms (atomics that return a value or do not).
    #[inline]
    #[must_use]
    pub const fn split(&self) -> Option<Part> {
        match self.split {
            Some((word, bit)) => Some(Part::new(word, bit, 1)),
            None => None,
        }
    }

    /// The forms, by the split bit's value and then by suffix dword (none, then the format's suffix dwords in order): one more than
    /// the index in [`Isa::forms`], or 0 where there is none.
    #[inline]
    #[must_use]
    pub fn forms(&self) -> &'static [u16] {
        self.forms.of(I::forms_of_shapes())
    }
}

/// A shape with one suffix dword, or none: what is checked.
///
/// How it is written and read and which operands it has, the tables of [`Isa::printing`], [`Isa::reading`] and
/// [`Isa::visiting`] say under the same index.
// Small on purpose, for there are many: lists that forms share are kept once.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub(crate) fixed: u16,
    pub(crate) operands: Run,
    pub(crate) modifiers: Run,
    /// Which of all of them decoding has to ask whether their code means something: a bit for each, the lowest for the
    /// first.
    pub checked: u32,
}

/// Bits that have one canonical value: a mask and the value.
pub type Fixed = ([u32; MAX_DWORDS], [u32; MAX_DWORDS]);

impl Form {
    /// Bits that have one canonical value here: a mask and the value.
    #[inline]
    #[must_use]
    pub fn fixed<I: Isa>(&self) -> &'static Fixed {
        I::fixed().get(usize::from(self.fixed)).unwrap_or(&([0; MAX_DWORDS], [0; MAX_DWORDS]))
    }

    /// The operands and modifiers that are there, those of the row first.
    #[inline]
    pub fn bound<I: Isa>(&self) -> impl Iterator<Item = &'static Bound> + Clone {
        let all = self.operands.of(I::bounds()).iter().chain(self.modifiers.of(I::bounds()));
        all.filter_map(|at| I::kinds_of_bounds().get(usize::from(*at)))
    }

    /// The operand or modifier with this number.
    #[inline]
    #[must_use]
    pub fn nth<I: Isa>(&self, at: u8) -> Option<&'static Bound> {
        match at.checked_sub(self.operands.len) {
            None => I::kinds_of_bounds().get(usize::from(*self.operands.nth(I::bounds(), at)?)),
            Some(at) => self.modifier::<I>(at),
        }
    }

    /// The modifier with this number among the modifiers.
    #[inline]
    #[must_use]
    pub fn modifier<I: Isa>(&self, at: u8) -> Option<&'static Bound> {
        I::kinds_of_bounds().get(usize::from(*self.modifiers.nth(I::bounds(), at)?))
    }

    /// How many operands and modifiers there are.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.operands.len + self.modifiers.len
    }
}

/// An operand or modifier that a form has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The index of its [`Carrier`].
    pub carrier: u8,
    /// Its type from the row.
    pub ty: Type,
    /// Whether it is read, written, or merely modifies.
    pub access: Access,
}

/// What an instruction does with an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read and written.
    ReadWrite,
    /// It is no operand: it changes what the instruction does.
    Modifier,
}

/// What reading text needs besides the forms.
#[derive(Debug)]
pub struct Reading<I: Isa> {
    /// What is to be read after the mnemonic, in order, for each form.
    pub texts: &'static [&'static [Step]],
    /// How the kinds of the carriers are read, for each component.
    pub readers: &'static [&'static [Reader<I>]],
    /// How nearly all lines are read.
    pub recipes: crate::parse::recipe::Recipes,
}

/// How an operand kind is read from text.
#[derive(Clone, Copy, Debug)]
pub struct Reader<I: Isa> {
    /// Reads it.
    pub parse: ParseFn<I>,
    /// Whether it is read a second time, once the rest of the line is known.
    pub late: bool,
    /// Its code where text leaves it out.
    pub absent: Option<AbsentFn<I>>,
}

/// One step of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// This text.
    Literal(&'static str),
    /// The operand with this index in [`Form::bound`].
    Operand(u8),
}

/// Where an operand stands: the instruction around it, and its own type.
pub struct Cx<'a, I: Isa> {
    /// The instruction's words; zero beyond its length.
    pub words: &'a [u32; MAX_DWORDS],
    /// The mode in which it is read, such as the wave size.
    pub mode: I::Mode,
    /// The operand's type from the row.
    pub ty: Type,
    /// The role or modifier name.
    pub name: &'static str,
    /// The index of the suffix dword that follows plus one, or 0.
    pub suffix_dword: u8,
    /// The format.
    pub format: &'static Format<I>,
    /// The component of the format: 0, or 1 for a dual-issue format's second half.
    pub component: u8,
    /// The shape of the row.
    pub shape: &'static Shape<I>,
    /// The form of the row.
    pub form: &'static Form,
}

impl<I: Isa> Cx<'_, I> {
    /// Whether the row has one of these words.
    #[inline]
    #[must_use]
    pub fn has(&self, words: u128) -> bool {
        self.shape.words() & words != 0
    }

    /// The first two words as one number: the raw layouts of 64-bit formats take it.
    #[inline]
    #[must_use]
    pub const fn low64(&self) -> u64 {
        self.words[0] as u64 | (self.words[1] as u64) << 32
    }

    /// The name of the suffix dword that follows, if one does.
    #[must_use]
    pub fn suffix_dword_name(&self) -> Option<&'static str> {
        Some(self.format.suffix_dwords.get(usize::from(self.suffix_dword.checked_sub(1)?))?.name)
    }

    /// The dword after the base words; 0 if there is none.
    #[inline]
    #[must_use]
    pub fn suffix_dword_value(&self) -> u32 {
        self.words.get(usize::from(self.format.dwords)).copied().unwrap_or(0)
    }

    /// The code that another role or modifier of this component holds, and its type; `None` if the form has none of
    /// that name.
    #[must_use]
    pub fn sibling(&self, name: &str) -> Option<(u32, Type)> {
        let component = self.format.components.get(usize::from(self.component))?;
        self.form.bound::<I>().find_map(|b| {
            let c = component.carriers.get(usize::from(b.carrier))?;
            (c.name == name).then(|| (c.bits.get(self.words), b.ty))
        })
    }
}
