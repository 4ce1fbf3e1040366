//! The tables that `isa_set!` generates: what one microcode format, one row and one operand are.
//!
//! A [`Format`] has one [`Component`] for each opcode it holds (two for dual-issue formats). A component's opcode
//! leads to a [`Slot`] (a row as this format carries it), whose [`Shape`] says which bits are fixed, which operands
//! there are and how they are written. Rows that agree in all that share a shape, so the tables stay small.
//! A [`Tail`] is a further dword that some value in the base words announces: a literal constant, say.

use crate::{Name, Text, Type};

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
    /// The microcode formats, in the order in which `isa_set!` names them.
    fn formats() -> &'static [Format<Self>];
    /// For each value of the [`window`](Self::window): the formats to try, the most specific first.
    fn candidates(window: u32) -> &'static [u8];
    /// The bits of the first dword that tell formats apart: lowest bit and width.
    fn window() -> (u8, u8);
    /// The instruction of format `format` with these words, `len` of which count; `None` for a format that is not there.
    fn instr(format: u8, words: [u32; MAX_DWORDS], len: u8) -> Option<Self::Instr>;
    /// The format of an instruction and its words.
    fn parts(instr: &Self::Instr) -> (u8, [u32; MAX_DWORDS]);
    /// The instruction that words surely begin with, and its length; `None` where the tables of this way are not sure.
    fn quick(words: &[u32; MAX_DWORDS], mode: Self::Mode) -> Option<(Self::Instr, usize)>;
    /// The forms that shapes name.
    fn forms() -> &'static [Form];
    /// Whether an instruction obeys the rules between its operands that text must obey.
    ///
    /// # Errors
    /// The rule it breaks.
    fn legal(_instr: &Self::Instr, _mode: Self::Mode) -> Result<(), crate::Forbidden> {
        Ok(())
    }
    /// The name of a mode.
    fn mode_name(mode: Self::Mode) -> &'static str;
    /// The generation that the set is, where blocks that it shares with others cover several.
    fn generation() -> Option<&'static str> {
        None
    }
    /// All rows under all their names, sorted by name and then by format.
    fn entries() -> &'static [crate::Entry];
    /// Where the rows of a name are in [`entries`](Self::entries), by its hash.
    fn index() -> &'static [u16];
    /// The names of all opcodes in the guide's spelling, in the order of the generated `Opcode`.
    fn mnemonics() -> &'static [&'static str];
}

/// A run of bits inside one dword of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    word: u8,
    lo: u8,
    width: u8,
    /// As many ones as the width; kept because every operand of every instruction is read through it.
    ones: u32,
}

impl Part {
    /// No bits: always 0.
    pub const NONE: Part = Part::new(0, 0, 0);

    /// `width` bits (0 to 32) of dword `word` from bit `lo` up.
    #[must_use]
    pub const fn new(word: u8, lo: u8, width: u8) -> Self {
        Part { word, lo, width, ones: ((1u64 << width) - 1) as u32 }
    }

    /// Which dword.
    #[must_use]
    pub const fn word(self) -> u8 {
        self.word
    }

    /// The lowest bit in that dword.
    #[must_use]
    pub const fn lo(self) -> u8 {
        self.lo
    }

    /// The width in bits.
    #[must_use]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The value of these bits in `words`.
    #[inline]
    #[must_use]
    pub const fn get(self, words: &[u32; MAX_DWORDS]) -> u32 {
        // A dword that is not there holds nothing: the compiler cannot know that there is none such.
        if (self.word as usize) < MAX_DWORDS { words[self.word as usize] >> self.lo & self.ones } else { 0 }
    }

    /// Replaces these bits of `words`; bits of `value` beyond the width are dropped.
    pub const fn set(self, words: &mut [u32; MAX_DWORDS], value: u32) {
        if (self.word as usize) < MAX_DWORDS {
            let word = &mut words[self.word as usize];
            *word = *word & !(self.ones << self.lo) | (value & self.ones) << self.lo;
        }
    }
}

/// The bits of a field or an opcode: nearly always one run, sometimes several, the highest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The highest run; of width 0 where there are no bits at all.
    pub first: Part,
    /// The others.
    pub rest: &'static [Part],
}

impl Bits {
    /// The value of these bits in `words`.
    #[inline]
    #[must_use]
    pub const fn get(&self, words: &[u32; MAX_DWORDS]) -> u32 {
        let mut value = self.first.get(words);
        let mut i = 0;
        while i < self.rest.len() {
            let p = self.rest[i];
            value = value << (p.width & 31) | p.get(words);
            i += 1;
        }
        value
    }

    /// Replaces these bits of `words`; bits of `value` beyond the width are dropped.
    pub const fn set(&self, words: &mut [u32; MAX_DWORDS], value: u32) {
        let mut value = value as u64;
        let mut i = self.rest.len();
        while i > 0 {
            i -= 1;
            self.rest[i].set(words, value as u32);
            value >>= self.rest[i].width;
        }
        self.first.set(words, value as u32);
    }

    /// How many bits there are.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let mut width = self.first.width as u32;
        let mut i = 0;
        while i < self.rest.len() {
            width += self.rest[i].width as u32;
            i += 1;
        }
        width
    }

    /// The runs, the highest first.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        core::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

/// A field as the guide names it.
#[derive(Debug)]
pub struct Field {
    /// The guide's name, such as `VSRC1`.
    pub name: &'static str,
    /// Its bits.
    pub bits: Bits,
    /// The index of the tail it belongs to plus one, or 0 for the base words.
    pub tail: u8,
}

/// One microcode format.
#[derive(Debug)]
pub struct Format<I: Isa> {
    /// The guide's name.
    pub name: &'static str,
    /// The doc comment of the block: what the format is for, and the sections of the guide.
    pub doc: &'static str,
    /// How many dwords come before a tail.
    pub dwords: u8,
    /// The bits that are the same in every instruction of the format: a mask and their value.
    pub fixed: ([u32; MAX_DWORDS], [u32; MAX_DWORDS]),
    /// All fields of the base words and, after them, of each tail.
    pub fields: &'static [Field],
    /// The dwords that may follow.
    pub tails: &'static [Tail],
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
pub struct Tail {
    /// Its name, such as `DPP16`.
    pub name: &'static str,
    /// What mnemonics end in where it follows, such as `_dpp`; empty if it leaves them as they are.
    pub suffix: &'static str,
    /// It follows when one of these fields holds the code beside it.
    pub when: &'static [(Part, u32)],
}

/// A field whose codes may announce a tail.
#[derive(Debug)]
pub struct Announce {
    /// The field.
    pub part: Part,
    /// For each code the tail's index plus one, or 0.
    pub tails: &'static [u8],
}

/// How one opcode of a format leads to a row, and which bits carry which role.
#[derive(Debug)]
pub struct Component<I: Isa> {
    /// The opcode's bits.
    pub opcode: Bits,
    /// For each opcode one more than the index of its slot, or 0.
    pub table: &'static [u16],
    /// The rows as this format carries them.
    pub slots: &'static [Slot],
    /// Everything that carries an operand or a modifier.
    pub carriers: &'static [Carrier<I>],
    /// The shapes that slots name.
    pub shapes: &'static [Shape<I>],
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
    /// The mnemonic as text has it, without a suffix.
    pub text: &'static str,
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
    /// What the code in those bits means.
    pub kind: Kind<I>,
}

/// Everything about a row in one format but its name and number.
#[derive(Debug)]
pub struct Shape<I: Isa> {
    /// The row's words, a bit each.
    pub words: u128,
    /// The index of the tail that always follows plus one, or 0.
    pub always: u8,
    /// Which of [`Format::announces`] hold an operand of the row, whose code can announce a tail: a bit for each.
    pub announcers: u8,
    /// The only mode in which the row exists, if there is such a limit.
    pub only: Option<I::Mode>,
    /// A one-bit field that splits the row in two forms (atomics that return a value or do not).
    pub split: Option<Part>,
    /// The forms, by the split bit's value and then by tail (none, then the format's tails in order): one more than
    /// the index in [`Isa::forms`], or 0 where there is none.
    pub forms: &'static [u16],
}

/// A shape with one tail, or none: what is checked, listed and written.
#[derive(Debug)]
pub struct Form {
    /// Bits that have one canonical value here: a mask and the value.
    pub fixed: ([u32; MAX_DWORDS], [u32; MAX_DWORDS]),
    /// What follows the mnemonic directly, such as `_e64`.
    pub suffix: &'static str,
    /// The operands and modifiers that are there, those of the row first.
    pub bound: &'static [Bound],
    /// Which of them decoding has to ask whether their code means something: a bit for each, the lowest for the first.
    pub checked: u32,
    /// What is written after the mnemonic, in order.
    pub text: &'static [Step],
    /// What of it can be left out where modifiers are at their defaults.
    pub quiet: Quiet,
}

/// Modifiers at the end of a text that write nothing where their bits are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quiet {
    /// Their bits.
    pub mask: [u32; MAX_DWORDS],
    /// How many steps come before them.
    pub steps: u8,
    /// The bits that change how other operands are written: where one is set, no text is ready.
    pub alters: [u32; MAX_DWORDS],
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
    /// Which of [`Names::by_width`] is for its type.
    pub width: u8,
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

/// One step of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Write this.
    Literal(&'static str),
    /// Write the operand with this index in [`Form::bound`].
    Operand(u8),
}

/// A set of operand codes below 512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeSet([u64; 8]);

impl CodeSet {
    /// All codes.
    pub const ALL: CodeSet = CodeSet([u64::MAX; 8]);
    /// No code.
    pub const NONE: CodeSet = CodeSet([0; 8]);

    /// This set and the codes from `first` to `last`, both included; codes above 511 are left out.
    #[must_use]
    pub const fn with(mut self, first: u32, last: u32) -> Self {
        let mut i = 0;
        while i < self.0.len() {
            self.0[i] |= CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// This set without the codes from `first` to `last`.
    #[must_use]
    pub const fn without(mut self, first: u32, last: u32) -> Self {
        let mut i = 0;
        while i < self.0.len() {
            self.0[i] &= !CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// The codes from `first` to `last` among the 64 of which the `nth` number has the bits.
    const fn run(nth: usize, first: u32, last: u32) -> u64 {
        let (low, high) = (nth as u32 * 64, nth as u32 * 64 + 63);
        if first > last || first > high || last < low {
            return 0;
        }
        let from = first.saturating_sub(low);
        let to = if last < high { last - low } else { 63 };
        u64::MAX >> (63 - (to - from)) << from
    }

    /// Whether both sets have the same codes.
    #[must_use]
    pub const fn same(&self, other: &CodeSet) -> bool {
        let mut i = 0;
        while i < self.0.len() {
            if self.0[i] != other.0[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether `code` is in the set.
    #[inline]
    #[must_use]
    pub const fn has(&self, code: u32) -> bool {
        code < 512 && self.0[(code >> 6) as usize] >> (code & 63) & 1 == 1
    }
}

/// The codes of an operand kind that surely stand for something, wherever the operand is: see
/// [`Operand::SURE`](crate::Operand::SURE).
#[derive(Clone, Copy, Debug)]
pub enum Sure {
    /// All that fit the field.
    All,
    /// These, and no others.
    Only(&'static CodeSet),
    /// These; others have to be asked for.
    With(&'static CodeSet),
    /// Those without a bit beside these; others have to be asked for.
    Within(u32),
    /// Those whose runs of bits (the lowest bit and the width) are sure each.
    Parts(&'static [(u8, u8, Sure)]),
    /// What the first of these cases says that holds; none where no case holds.
    Cases(&'static [(Case, Sure)]),
}

/// What the codes of a kind can depend on.
#[derive(Clone, Copy, Debug)]
pub enum Case {
    /// A lane mask.
    Mask,
    /// A type of up to so many dwords; a lane mask has one.
    Dwords(u8),
    /// A row with this word.
    Word(u128),
    /// The mode with this index among those that `isa_set!` names.
    Mode(u8),
    /// Anything else.
    Else,
}

impl Sure {
    /// No code is sure.
    pub const NONE: Sure = Sure::Cases(&[]);

    /// What holds for an operand of this type, in a row with these words, in the mode with this index.
    #[must_use]
    pub const fn of(self, ty: Type, words: u128, mode: u8) -> Sure {
        let mut this = self;
        'deeper: while let Sure::Cases(cases) = this {
            let mut i = 0;
            while i < cases.len() {
                let (case, then) = cases[i];
                let holds = match case {
                    Case::Mask => matches!(ty.class(), crate::Class::Mask),
                    Case::Dwords(n) => ty.dwords() <= n,
                    Case::Word(word) => words & word != 0,
                    Case::Mode(n) => n == mode,
                    Case::Else => true,
                };
                if holds {
                    this = then;
                    continue 'deeper;
                }
                i += 1;
            }
            return Sure::NONE;
        }
        this
    }
}

/// Texts of a kind's codes that are ready to be copied: see [`Operand::NAMES`](crate::Operand::NAMES).
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Rows with one of these words write the operand by other means.
    pub unless: u128,
    /// The texts by code: for operands of 16 bits in all, and for those of one to four registers.
    pub by_width: [&'static [Name]; 5],
}

impl Names {
    /// No texts.
    pub const NONE: Names = Names { unless: 0, by_width: [&[]; 5] };

    /// Which of [`by_width`](Self::by_width) is for a type; one that is not there where a mode decides the width.
    pub(crate) const fn width(ty: Type) -> u8 {
        match ty.class() {
            crate::Class::Mask => u8::MAX,
            _ if ty.total_bits() == 16 => 0,
            _ => ty.dwords(),
        }
    }
}

/// What a kind's codes come to, where that is ready: see [`Operand::VALUES`](crate::Operand::VALUES).
#[derive(Clone, Copy, Debug)]
pub struct Values<V: 'static> {
    /// In rows with one of these words the operand is something else.
    pub unless: u128,
    /// The values by code: for operands of 16 bits in all, and for those of one to four registers.
    pub by_width: [&'static [Option<V>]; 5],
}

impl<V> Values<V> {
    /// No values.
    pub const NONE: Self = Values { unless: 0, by_width: [&[]; 5] };
}

/// What the tables keep of an [`Operand`](crate::Operand) type.
pub struct Kind<I: Isa> {
    /// Whether a code means something here; `None`: every code does.
    pub valid: Option<fn(&Cx<'_, I>, u32) -> bool>,
    /// Whether a code that is not valid is printed all the same.
    pub printable: fn(&Cx<'_, I>, u32) -> bool,
    /// Whether it writes nothing where its code is 0.
    pub silent: bool,
    /// Whether it changes how other operands are written.
    pub alters: bool,
    /// Texts that are ready.
    pub names: Names,
    /// Its text.
    pub write: fn(&Cx<'_, I>, u32, &mut Text),
    /// Values that are ready.
    pub values: Values<I::Value>,
    /// What texts of it are read at once.
    pub plain: crate::Plain,
    /// Reads it from text.
    pub parse: ParseFn<I>,
    /// Whether it is read a second time, once the rest of the line is known.
    pub late: bool,
    /// Its code where text leaves it out.
    pub absent: fn(&mut crate::Asm<'_, '_, I>) -> Option<u32>,
    /// What it comes to; `None` for a modifier.
    pub value: fn(&Cx<'_, I>, u32) -> Option<I::Value>,
}

/// See [`Operand::parse`](crate::Operand::parse).
pub type ParseFn<I> = fn(&mut crate::Asm<'_, '_, I>) -> Result<Option<u32>, crate::ParseError>;

impl<I: Isa> core::fmt::Debug for Kind<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Kind")
    }
}

impl<I: Isa> Kind<I> {
    /// The table entry of an operand type.
    #[must_use]
    pub const fn of<O: crate::Operand<I>>() -> Self {
        Kind {
            valid: if O::CHECKED { Some(valid::<I, O>) } else { None },
            printable: O::printable,
            silent: O::SILENT,
            alters: O::ALTERS,
            names: O::NAMES,
            values: O::VALUES,
            write: O::write,
            plain: O::PLAIN,
            parse: O::parse,
            late: O::LATE,
            absent: O::absent,
            value: O::value,
        }
    }
}

/// One call where an operand kind has two questions: decoding asks every operand.
fn valid<I: Isa, O: crate::Operand<I>>(cx: &Cx<'_, I>, code: u32) -> bool {
    O::codes(cx.ty).is_none_or(|set| set.has(code)) && O::check(cx, code)
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
    /// The index of the tail that follows plus one, or 0.
    pub tail: u8,
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
    pub const fn has(&self, words: u128) -> bool {
        self.shape.words & words != 0
    }

    /// The first two words as one number: the raw layouts of 64-bit formats take it.
    #[inline]
    #[must_use]
    pub const fn low64(&self) -> u64 {
        self.words[0] as u64 | (self.words[1] as u64) << 32
    }

    /// The name of the tail that follows, if one does.
    #[must_use]
    pub fn tail_name(&self) -> Option<&'static str> {
        Some(self.format.tails.get(usize::from(self.tail.checked_sub(1)?))?.name)
    }

    /// The dword after the base words; 0 if there is none.
    #[inline]
    #[must_use]
    pub fn tail_word(&self) -> u32 {
        self.words.get(usize::from(self.format.dwords)).copied().unwrap_or(0)
    }

    /// The code that another role or modifier of this component holds, and its type; `None` if the form has none of
    /// that name.
    #[must_use]
    pub fn sibling(&self, name: &str) -> Option<(u32, Type)> {
        let component = self.format.components.get(usize::from(self.component))?;
        self.form.bound.iter().find_map(|b| {
            let c = component.carriers.get(usize::from(b.carrier))?;
            (c.name == name).then(|| (c.bits.get(self.words), b.ty))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::CodeSet;

    #[test]
    fn sets_have_the_codes_that_were_put_in() {
        for (first, last) in [(0, 0), (0, 511), (63, 64), (1, 0), (70, 300), (128, 191), (500, 600), (512, 700)] {
            let (with, without) = (CodeSet::NONE.with(first, last), CodeSet::ALL.without(first, last));
            for code in 0..512 {
                assert_eq!(with.has(code), (first..=last).contains(&code), "{code} in {first}..={last}");
                assert_eq!(without.has(code), !with.has(code), "{code} in {first}..={last}");
            }
            assert!(!with.has(512));
        }
    }
}
