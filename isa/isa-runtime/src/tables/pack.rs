//! Tables as the macro writes them down: numbers, which the compiler reads much faster than nested structs, unpacked
//! by const functions. A thousand forms cost 0.2 s this way, and 3 s as struct literals.

mod lines;
mod visits;

use crate::operands::codes::{Kind, Names, Values};
use crate::print::text::{Label, Short};
use crate::tables::{
    Access, Bits, Bound, Carrier, Form, Format, Head, Isa, Literal, Part, Place, Reader, Run, Shape, Slot, Start, Step,
    Sure, ValueFn, WriteCodeFn, WriteFn, WriteLiteralFn,
};
use crate::{Class, Entry, Type};
pub use lines::{Lines, Source as LinesSource, line_steps, lines};
pub use visits::{visit_steps, visits};

/// What follows the lowest 8 bits of a packed [`Bound`], which are the carrier: access, class, lanes, bits.
const ACCESS: u32 = 8;
const CLASS: u32 = 10;
const LANES: u32 = 13;
const BITS: u32 = 20;

/// The flag of a packed [`Step`] that is a literal text.
const LITERAL: u16 = 0x8000;

/// The type in a packed [`Bound`].
pub(crate) const fn ty(packed: u32) -> Type {
    let class = match packed >> CLASS & 7 {
        0 => Class::Bits,
        1 => Class::Unsigned,
        2 => Class::Signed,
        3 => Class::EitherSign,
        4 => Class::Float,
        5 => Class::BFloat,
        _ => Class::Mask,
    };
    Type::new(class, (packed >> BITS) as u16, (packed >> LANES & 0x7F) as u8)
}

/// An operand as the macro writes it down.
const fn bound(packed: u32) -> Bound {
    let access = match packed >> ACCESS & 3 {
        0 => Access::Read,
        1 => Access::Write,
        2 => Access::ReadWrite,
        _ => Access::Modifier,
    };
    Bound { carrier: packed as u8, ty: ty(packed), access }
}

/// What [`Isa::bounds`] and [`Isa::kinds_of_bounds`] have.
pub struct Bounds<'a> {
    /// The former.
    pub all: &'a [u16],
    /// The latter.
    pub kinds: &'static [Bound],
}

/// Unpacks the operands that there are.
#[must_use]
pub const fn bounds<const N: usize>(packed: [u32; N]) -> [Bound; N] {
    let mut out = [bound(0); N];
    let mut i = 0;
    while i < N {
        out[i] = bound(packed[i]);
        i += 1;
    }
    out
}

/// Unpacks the steps of what is to be read.
#[must_use]
pub const fn steps<const N: usize>(packed: [u16; N], literals: &[&'static str]) -> [Step; N] {
    let mut out = [Step::Operand(0); N];
    let mut i = 0;
    while i < N {
        out[i] = if packed[i] & LITERAL == 0 {
            Step::Operand(packed[i] as u8)
        } else {
            Step::Literal(literals[(packed[i] & !LITERAL) as usize])
        };
        i += 1;
    }
    out
}

/// Makes a component's carriers of their names, fields and bits.
#[must_use]
pub const fn carriers<I: Isa, const N: usize>(
    packed: [(&'static str, u8, Bits); N],
    kinds: &[&Kind<I>; N],
) -> [Carrier<I>; N] {
    const { assert!(N <= MOST_CARRIERS, "a component has too many carriers") };
    let mut out = [const { Carrier { name: "", field: 0, bits: NO_BITS, valid: None, printable: never::<I> } }; N];
    let mut i = 0;
    while i < N {
        let (name, field, bits) = packed[i];
        let is_checked = bits.width() > kinds[i].bits as u32;
        let valid = if is_checked { kinds[i].valid } else { None };
        out[i] = Carrier { name, field, bits, valid, printable: kinds[i].printable };
        i += 1;
    }
    out
}

const NO_BITS: Bits = Bits { first: Part::NONE, rest: &[] };
/// The most carriers that a component can have: operands name them by a byte, the highest of which is for none.
const MOST_CARRIERS: usize = 255;

fn never<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> bool {
    false
}

/// Const functions that take one thing of each kind: they cannot be one function that is told what to take.
macro_rules! of_each_kind {
    ($($(#[$doc:meta])* $name:ident: $type:ty, at first $first:expr, then $kind:ident => $take:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name<I: Isa, const N: usize>(kinds: &[&Kind<I>; N]) -> [$type; N] {
            let mut out: [$type; N] = [const { $first }; N];
            let mut i = 0;
            while i < N {
                let $kind = kinds[i];
                out[i] = $take;
                i += 1;
            }
            out
        }
    )*};
}

of_each_kind! {
    /// What writes each of these kinds.
    writers: WriteFn<I>, at first writes_nothing::<I>, then kind => kind.write;
    /// What writes each of these kinds from its code alone.
    writers_alone: Option<WriteCodeFn>, at first None, then kind => kind.names.alone;
    /// The code that stands for a literal for each of these kinds, and what writes it.
    writers_of_literals: Option<(u16, WriteLiteralFn)>, at first None, then kind => match kind.names.literal {
        Some(Literal { code, make, .. }) => Some((code, make)),
        None => None,
    };
    /// What each of these kinds comes to.
    valuers: ValueFn<I>, at first is_nothing::<I>, then kind => kind.value;
    /// What is ready of that.
    values: Values<I::Value>, at first Values::NONE, then kind => kind.values;
    /// What reads each of these kinds.
    readers: Reader<I>, at first reads_nothing::<I>(), then kind => kind.reader;
}

fn writes_nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32, _: &mut crate::Text) {}

fn is_nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> Option<I::Value> {
    None
}

const fn reads_nothing<I: Isa>() -> Reader<I> {
    Reader { parse: |_| Ok(None), late: false, absent: None }
}

/// What is known of a carrier without its functions. The compiler runs functions with constant or other parameters several
/// times more slowly than plain ones, so the long tables are filled by such as know no more than this.
#[derive(Clone, Copy)]
pub struct Fact {
    pub(crate) name: &'static str,
    /// Its bits, where they are one run of the first two words.
    pub(crate) place: Option<Place>,
    /// A mask of its bits, the first two words as one number.
    pub(crate) mask: (u64, u32),
    /// Whether decoding has to ask whether a code means something.
    pub(crate) checked: bool,
    /// Whether it writes nothing where its code is 0.
    pub(crate) silent: bool,
    /// Texts that are ready.
    pub(crate) names: Names,
    /// The carriers that change how it is written: a bit for each.
    pub(crate) altered_by: [u128; 2],
    /// Rows with one of these words have no values ready, and the same of literals.
    pub(crate) unless: u128,
    pub(crate) unless_literal: u128,
    /// Whether it is read twice, and whether what text leaves out stands for something else than 0.
    pub(crate) late: bool,
    pub(crate) absent: bool,
    /// Its plainest texts.
    pub(crate) plain: &'static crate::Plain,
    /// The codes that are sure, and the words and whether the mode can have a say in it.
    pub(crate) sure: Sure,
    pub(crate) depends: (u128, bool),
}

/// What is known of a component's carriers.
#[must_use]
pub const fn facts<I: Isa, const N: usize>(carriers: &[Carrier<I>; N], kinds: &[&Kind<I>; N]) -> [Fact; N] {
    let none = Fact {
        name: "",
        place: None,
        mask: (0, 0),
        checked: false,
        silent: false,
        names: Names::NONE,
        altered_by: [0; 2],
        unless: 0,
        unless_literal: 0,
        late: false,
        absent: false,
        plain: &crate::Plain::NONE,
        sure: Sure::NONE,
        depends: (0, false),
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let (carrier, kind) = (&carriers[i], kinds[i]);
        let place = Place::new(&carrier.bits);
        let mask = mask(&carrier.bits, place);
        out[i] = Fact {
            name: carrier.name,
            place,
            mask,
            checked: carrier.valid.is_some(),
            silent: kind.silent,
            names: kind.names,
            altered_by: [0; 2],
            unless: kind.values.unless,
            unless_literal: match (&kind.names.literal, &kind.values.literal) {
                (Some(text), Some(value)) => text.unless | value.unless,
                (Some(Literal { unless, .. }), None) | (None, Some(Literal { unless, .. })) => *unless,
                (None, None) => 0,
            },
            late: kind.reader.late,
            absent: kind.reader.absent.is_some(),
            plain: kind.plain,
            sure: kind.sure,
            depends: kind.depends,
        };
        i += 1;
    }
    find_altering(&mut out);
    out
}

/// The bits of a carrier, the first two words as one number.
const fn mask(bits: &Bits, place: Option<Place>) -> (u64, u32) {
    if let Some(Place { ones, lo }) = place {
        return ((ones as u64) << lo, 0);
    }
    let mut mask = [0; 3];
    bits.set(&mut mask, u32::MAX);
    (mask[0] as u64 | (mask[1] as u64) << 32, mask[2])
}

const fn find_altering(facts: &mut [Fact]) {
    let mut i = 0;
    while i < facts.len() {
        let names = facts[i].names.altered_by;
        let mut nth = 0;
        while nth < names.len() {
            let name = names[nth].as_bytes();
            let mut other = 0;
            while other < facts.len() {
                if same(facts[other].name.as_bytes(), name) {
                    facts[i].altered_by[other >> 7] |= 1 << (other & 127);
                }
                other += 1;
            }
            nth += 1;
        }
        i += 1;
    }
}

pub(crate) const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = a.len();
    while i > 0 && a[i - 1] == b[i - 1] {
        i -= 1;
    }
    i == 0
}

/// All forms, and which rows have nothing ready in them.
pub struct Forms<const N: usize> {
    /// The forms.
    pub forms: [Form; N],
    /// Rows with one of these words have no texts ready, and the same of values and of literals.
    pub unless: [[u128; 3]; N],
}

/// Unpacks all forms: the index of its fixed bits, where its operands begin and how many they are, and the index of its
/// modifiers; `modifiers` are the index of the component in `facts`, where they begin and how many they are.
#[must_use]
pub const fn forms<const N: usize, const K: usize>(
    packed: &[[u16; 4]; N],
    modifiers: &[[u16; 3]; K],
    bounds: &Bounds<'_>,
    facts: &[&[Fact]],
) -> Forms<N> {
    let form = Form { fixed: 0, operands: Run::NONE, modifiers: Run::NONE, checked: 0 };
    let mut out = Forms { forms: [form; N], unless: [[0; 3]; N] };
    let mut known = [Asked { checked: 0, unless: [0; 3] }; K];
    let mut i = 0;
    while i < K {
        let [component, from, count] = modifiers[i];
        known[i] = asked(facts[component as usize], bounds, from, count);
        i += 1;
    }
    fill_forms(&mut out.forms, &mut out.unless, packed, (modifiers, &known), bounds, facts);
    out
}

/// Which of a list of operands decoding has to ask, and which rows have nothing ready in them.
#[derive(Clone, Copy)]
struct Asked {
    checked: u32,
    unless: [u128; 3],
}

const fn asked(facts: &[Fact], bounds: &Bounds<'_>, from: u16, count: u16) -> Asked {
    let (mut checked, mut texts, mut values, mut literals) = (0, 0, 0, 0);
    let mut nth = 0;
    while nth < count {
        let fact = &facts[bounds.kinds[bounds.all[(from + nth) as usize] as usize].carrier as usize];
        if fact.checked {
            checked |= 1 << nth;
        }
        texts |= fact.names.unless;
        values |= fact.unless;
        literals |= fact.unless_literal;
        nth += 1;
    }
    Asked { checked, unless: [texts, values, literals] }
}

const fn fill_forms(
    out: &mut [Form],
    unless: &mut [[u128; 3]],
    packed: &[[u16; 4]],
    (modifiers, known): (&[[u16; 3]], &[Asked]),
    bounds: &Bounds<'_>,
    facts: &[&[Fact]],
) {
    let mut i = 0;
    while i < out.len() {
        let [fixed, at, count, rest] = packed[i];
        let ([component, more_at, more], rest) = (modifiers[rest as usize], &known[rest as usize]);
        let first = asked(facts[component as usize], bounds, at, count);
        let mut checked = first.checked;
        if rest.checked != 0 {
            checked |= rest.checked << count;
        }
        let (a, b) = (&first.unless, &rest.unless);
        unless[i] = [a[0] | b[0], a[1] | b[1], a[2] | b[2]];
        let operands = Run { start: at, len: count as u8 };
        out[i] = Form { fixed, operands, modifiers: Run { start: more_at, len: more as u8 }, checked };
        i += 1;
    }
}

/// What is to be read of all forms: `runs` are where in `steps` it begins and how many they are, `packed` the indices of
/// these.
#[must_use]
pub const fn texts<const N: usize, const R: usize>(
    packed: [u16; N],
    runs: &[[u16; 2]; R],
    steps: &'static [Step],
) -> [&'static [Step]; N] {
    let (mut known, mut out): ([&[Step]; R], [&[Step]; N]) = ([&[]; R], [&[]; N]);
    let mut rest = Rest { all: steps, behind: steps, end: 0 };
    let mut i = 0;
    while i < R {
        known[i] = rest.slice(runs[i]);
        i += 1;
    }
    let mut i = 0;
    while i < N {
        out[i] = known[packed[i] as usize];
        i += 1;
    }
    out
}

/// Lists out of a longer one, mostly one behind the other. The compiler takes long for each cut.
struct Rest<T: 'static> {
    all: &'static [T],
    /// What is behind the last list.
    behind: &'static [T],
    /// Where that begins.
    end: u16,
}

impl<T> Rest<T> {
    /// The list that begins here and has so many.
    const fn slice(&mut self, [start, len]: [u16; 2]) -> &'static [T] {
        if start != self.end {
            self.behind = self.all.split_at(start as usize).1;
        }
        let list;
        (list, self.behind) = self.behind.split_at(len as usize);
        self.end = start + len;
        list
    }
}

/// Texts that are ready to be copied: each with zeros behind it up to [`Label::MOST`] and then its length.
#[must_use]
pub const fn labels<const N: usize>(texts: &[u8]) -> [Label; N] {
    let mut out = [Label::NONE; N];
    fill_labels(&mut out, texts);
    out
}

const fn fill_labels(out: &mut [Label], texts: &[u8]) {
    let (texts, rest) = texts.as_chunks();
    assert!(texts.len() == out.len() && rest.is_empty());
    let mut i = 0;
    while i < out.len() {
        out[i] = Label::new(texts[i]);
        i += 1;
    }
}

/// Short texts.
#[must_use]
pub const fn shorts<const N: usize>(texts: [&str; N]) -> [Short; N] {
    let mut out = [Short::new(""); N];
    let mut i = 0;
    while i < N {
        // The macro has cut longer ones.
        assert!(texts[i].len() <= Short::MOST);
        out[i] = Short::new(texts[i]);
        i += 1;
    }
    out
}

/// Unpacks a component's shapes: the index of its words, where its forms begin and how many they are, the word and the
/// bit that split it or 255, the suffix dword that always follows, and what announces suffix dwords.
#[must_use]
pub const fn shapes<I: Isa, const N: usize>(packed: [([u16; 7], Option<I::Mode>); N]) -> [Shape<I>; N] {
    let none = const { Shape { words: 0, forms: Run::NONE, split: None, always: 0, announcers: 0, only: None } };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let ([words, start, len, word, bit, always, announcers], only) = packed[i];
        out[i] = Shape {
            words,
            forms: Run { start, len: len as u8 },
            split: if word == u8::MAX as u16 { None } else { Some((word as u8, bit as u8)) },
            always: always as u8,
            announcers: announcers as u8,
            only,
        };
        i += 1;
    }
    out
}

/// What [`heads`] has to know of all components.
pub struct Ways<'a> {
    /// See [`Isa::forms_of_shapes`].
    pub forms: &'a [u16],
    /// See [`Isa::words_of_shapes`].
    pub words: &'a [u128],
    /// See [`Forms::unless`].
    pub unless: &'a [[u128; 3]],
}

impl Ways<'_> {
    /// The form at a place, if something is ready of a row with these words; a literal as well, where there is one.
    const fn form(&self, at: usize, words: u128, literal: bool) -> u16 {
        let form = self.forms[at];
        if form == 0 {
            return 0;
        }
        let [texts, values, literals] = self.unless[form as usize - 1];
        if words & (texts | values) == 0 && (!literal || words & literals == 0) { form } else { 0 }
    }
}

/// Where writing begins for each format; `suffix_dwords` are the usual ones, and the index in [`Format::announces`] of what can
/// announce others.
#[must_use]
pub const fn starts<I: Isa, const N: usize>(
    formats: &[Format<I>; N],
    heads: &'static [&'static [Head]],
    suffix_dwords: &[[u8; 2]; N],
) -> [Start; N] {
    let (place, none) = (Place::NONE, 0);
    let none = Start {
        heads: &[],
        suffix_dwords: &[],
        announcer: place,
        place,
        dwords: none,
        component: none,
        suffix_dword: none,
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        if let [one] = formats[i].components
            && let Some(place) = one.place
        {
            let Format { dwords, announces, .. } = formats[i];
            let [suffix_dword, other] = suffix_dwords[i];
            out[i] = Start { heads: heads[one.nth as usize], place, dwords, component: one.nth, suffix_dword, ..none };
            if (other as usize) < announces.len()
                && let Some(announcer) = Place::of(announces[other as usize].part)
            {
                (out[i].suffix_dwords, out[i].announcer) = (announces[other as usize].suffix_dwords, announcer);
            }
        }
        i += 1;
    }
    out
}

/// The way from each opcode of a component straight to its form, without a suffix dword and with this one.
#[must_use]
pub const fn heads<I: Isa, const N: usize>(
    table: &[u16; N],
    slots: &[Slot],
    texts: &[u16],
    shapes: &[Shape<I>],
    ways: &Ways<'_>,
    suffix_dword: u8,
) -> [Head; N] {
    let mut out = [Head { text: 0, form: 0, longer: 0 }; N];
    let mut i = 0;
    while i < N {
        if table[i] != 0 {
            let slot = &slots[table[i] as usize - 1];
            let shape = &shapes[slot.shape as usize];
            out[i].text = texts[table[i] as usize - 1];
            if shape.split.is_none() {
                let words = ways.words[shape.words as usize];
                out[i].form = ways.form(shape.forms.start as usize, words, false);
                if suffix_dword != 0 {
                    out[i].longer = ways.form(shape.forms.start as usize + suffix_dword as usize, words, true);
                }
            }
        }
        i += 1;
    }
    out
}

/// Unpacks a component's slots: number, opcode, shape.
#[must_use]
pub const fn slots<const N: usize>(packed: [[u16; 3]; N]) -> [Slot; N] {
    let mut out = [const { Slot { number: 0, opcode: 0, shape: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [number, opcode, shape] = packed[i];
        out[i] = Slot { number, opcode, shape };
        i += 1;
    }
    out
}

/// What each code of a field announces: for the codes of the list their suffix dword plus one, for all others 0.
#[must_use]
pub const fn announce<const N: usize>(codes: &[(u32, u8)]) -> [u8; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < codes.len() {
        out[codes[i].0 as usize] = codes[i].1;
        i += 1;
    }
    out
}

/// Unpacks the names of rows: format, component, slot.
#[must_use]
pub const fn entries<const N: usize>(packed: &[[u16; 3]; N], names: &[&'static str; N]) -> [Entry; N] {
    let mut out = [const { Entry { name: "", format: 0, component: 0, slot: 0 } }; N];
    fill_entries(&mut out, packed, names);
    out
}

const fn fill_entries(out: &mut [Entry], packed: &[[u16; 3]], names: &[&'static str]) {
    let mut i = 0;
    while i < out.len() {
        let [format, component, slot] = packed[i];
        out[i] = Entry { name: names[i], format: format as u8, component: component as u8, slot };
        i += 1;
    }
}
