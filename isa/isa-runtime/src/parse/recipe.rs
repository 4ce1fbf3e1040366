//! How lines are read on the quick way: which name leads where, and what is to be read then. `parse::fast` goes by
//! these tables, which const functions fill from numbers that the macro writes down.
//!
//! A [`Way`] is what a name with its suffix leads to first: the bits that are the same in all instructions of its row,
//! and a [`Recipe`], which rows share. A recipe lists the operands in the order of text and the modifiers behind them.

use crate::operands::codes::Names;
use crate::parse::plain::{Plain, beyond};
use crate::tables::pack::{Fact, ty};
use crate::tables::place::{Place, Run};
use crate::tables::{Bound, Form, Sure};
use crate::{Class, Type};

/// A name with its suffix, the first eight characters in the first number, the first of them the lowest; zeros behind it.
pub type Name = [u64; MOST / 8];

/// The most characters of a name: what is longer is not on the quick way.
const MOST: usize = 24;

/// Where a name leads.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The bits that are the same in all instructions of the row, in the first two words; of a second component, those to
    /// be added.
    pub(crate) low: u64,
    /// A bit that must be zero in the end; where it is one, the next way is the one.
    pub(crate) split: u64,
    /// Its name; nothing for a way that is not found by name.
    name: Name,
    /// The suffix dword that always follows plus one, or 0.
    pub(crate) suffix_dword: u8,
    /// How many dwords come before a suffix dword.
    pub(crate) dwords: u8,
    /// The index of the format.
    pub(crate) format: u8,
    /// The second of two components.
    pub(crate) second: bool,
    /// The index of its recipe.
    pub(crate) recipe: u16,
    /// The index of the row in [`Isa::entries`].
    pub(crate) entry: u16,
    /// The index of the way where this bit is one or, of a format with two components, of the second one of this name.
    /// `u16::MAX` where there is none.
    pub(crate) next: u16,
    /// One of two components.
    pub(crate) pair: bool,
}

/// What is to be read of a form.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub(crate) steps: Run,
    pub(crate) modifiers: Run,
    /// The index of the form.
    pub(crate) form: u16,
    /// The operands and modifiers that are looked at once more when the line is read: a bit for each whose kind is late,
    /// and for each modifier that its kind fills in where it is left out.
    pub(crate) late: u32,
    pub(crate) absent: u32,
    /// The operands that stand in a fixed order: a bit for each.
    pub(crate) placed: u32,
    /// The modes in which all that is plain, and what is left out, is sure to be decoded as it is: a bit for each.
    pub(crate) sure: u8,
}

/// Registers by their numbers, or small numbers, where the letter says nothing: the letter of the file, the code of the first,
/// and what is [`beyond`] the highest number, 0 where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File {
    pub letter: u8,
    pub base: u16,
    pub end: u32,
}

/// How many files can be plain.
const FILES: usize = 2;

/// The letter of no file: a byte that no text has.
const NO_LETTER: u8 = 0xff;

impl File {
    /// Nothing.
    const NONE: File = File { letter: NO_LETTER, base: 0, end: 0 };
}

/// An operand or a modifier to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadStep {
    /// The index of what is plain: a number, so that a program's start has nothing to write into this table. 0, nothing, where the
    /// row has a word that says so, or the bits are not one run of the first two words.
    plain: u16,
    /// The files of its plain registers, where one is plain in each mode and its number, added to that of the file, the code.
    pub(crate) files: [File; FILES],
    /// Its plain small numbers.
    pub(crate) numbers: File,
    /// What is written for a flag, the first character the lowest.
    pub(crate) flag: u64,
    /// The bits of its code.
    pub(crate) place: Place,
    /// How many registers it has in each mode; 0 where whole registers are not meant.
    pub(crate) dwords: [u8; 2],
    /// What mostly stands before it, its bits, and how many these are: a blank before the first one, a comma and a blank
    /// before others. What no text has where mostly nothing stands before it.
    pub(crate) lead: u16,
    pub(crate) lead_ones: u16,
    pub(crate) lead_bits: u8,
    /// Its number in the form.
    pub(crate) at: u8,
    /// Whether its kind reads it twice.
    pub(crate) late: bool,
    /// The modes in which all plain codes are sure, but that of a literal: a bit for each.
    sure: u8,
    /// Whether a literal of it is the number as it is written.
    pub(crate) literal: bool,
    /// Its type has eight bits.
    pub(crate) byte: bool,
}

impl ReadStep {
    /// Nothing that could be read.
    const NONE: ReadStep = ReadStep {
        plain: 0,
        files: [File::NONE; FILES],
        numbers: File::NONE,
        flag: 0,
        place: Place::NONE,
        dwords: [0; 2],
        lead: u16::MAX,
        lead_ones: u16::MAX,
        lead_bits: 0,
        at: 0,
        late: false,
        sure: 0,
        literal: false,
        byte: false,
    };

    /// Whether a comma stands before it.
    #[inline(always)]
    pub(crate) const fn comma(&self) -> bool {
        self.lead_bits == 16
    }
}

/// The tables of the quick way of reading.
#[derive(Debug)]
pub struct Recipes {
    /// One more than the index of a way, at the place that its name's hash says or the next that is free.
    pub index: &'static [u16],
    /// The ways.
    pub ways: &'static [Way],
    /// The recipes.
    pub recipes: &'static [Recipe],
    /// Their operands and modifiers.
    pub steps: &'static [ReadStep],
    /// What is plain of these, nothing first.
    pub plains: &'static [&'static Plain],
}

impl Recipes {
    /// What is plain of an operand or a modifier.
    #[inline(always)]
    pub(crate) fn plain(&self, step: &ReadStep) -> &'static Plain {
        self.plains.get(usize::from(step.plain)).copied().unwrap_or(&Plain::NONE)
    }

    /// The way of a name.
    #[inline(always)]
    pub(crate) fn find(&self, [a, b, c]: Name) -> Option<&'static Way> {
        let mask = self.index.len().wrapping_sub(1);
        let mut at = slot([a, b, c]);
        loop {
            let way = self.ways.get(usize::from(self.index.get(at & mask)?.checked_sub(1)?))?;
            let [x, y, z] = way.name;
            if (a ^ x) | (b ^ y) | (c ^ z) == 0 {
                return Some(way);
            }
            at = at.wrapping_add(1);
        }
    }
}

/// A number times an odd one of its own. As an operator of longer numbers, since the compiler fills a table by this and takes
/// ten times as long for a call; the machine code is the same.
#[inline(always)]
const fn times(word: u64, odd: u64) -> u64 {
    (word as u128 * odd as u128) as u64
}

/// Where a name is looked for first: by the highest bits of products, to which all bits come. They do not wait for each
/// other.
#[inline(always)]
const fn slot([a, b, c]: Name) -> usize {
    let all = times(a, 0x9E37_79B9_7F4A_7C15) ^ times(b, 0xC2B2_AE3D_27D4_EB4F) ^ times(c, 0x1656_67B1_9E37_79F9);
    (all >> 48) as usize
}

/// Where ways are found by their names. `N` is a power of two above their number.
#[must_use]
pub const fn found<const N: usize>(ways: &[Way]) -> [u16; N] {
    let mut out = [0; N];
    fill_index(&mut out, ways);
    out
}

const fn fill_index(index: &mut [u16], ways: &[Way]) {
    let mask = index.len() - 1;
    let mut i = 0;
    while i < ways.len() {
        if ways[i].name[0] != 0 {
            let mut at = slot(ways[i].name) & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = i as u16 + 1;
        }
        i += 1;
    }
}

/// Unpacks ways: recipe, entry and next way, the suffix dword that always follows plus one, the format and how many dwords it has,
/// how many components the format has besides, and the number of this one; beside them the bits of the row and the one that splits it; and the names, zeros
/// for a way that is not found by one.
#[must_use]
pub const fn ways<const N: usize>(packed: &[[u16; 8]; N], bits: &[[u64; 2]; N], names: &[Name; N]) -> [Way; N] {
    let none = Way {
        low: 0,
        split: 0,
        name: [0; MOST / 8],
        suffix_dword: 0,
        dwords: 0,
        format: 0,
        second: false,
        recipe: 0,
        entry: 0,
        next: u16::MAX,
        pair: false,
    };
    let mut out = [none; N];
    fill_ways(&mut out, packed, bits, names);
    out
}

const fn fill_ways(out: &mut [Way], packed: &[[u16; 8]], bits: &[[u64; 2]], names: &[Name]) {
    let mut i = 0;
    while i < out.len() {
        let [recipe, entry, next, suffix_dword, format, dwords, others, component] = packed[i];
        let [low, split] = bits[i];
        let name = names[i];
        let (pair, second) = (others != 0, component != 0);
        let (suffix_dword, format, dwords) = (suffix_dword as u8, format as u8, dwords as u8);
        out[i] = Way { low, split, name, suffix_dword, dwords, format, second, recipe, entry, next, pair };
        i += 1;
    }
}

/// What the macro knows of all that is to be read.
pub struct Asks<'a> {
    /// What is asked: the index of the group, the component and, in the lowest eight bits, the carrier, and the index of the
    /// row's words. Those of a group follow one another, ordered by these, so that what is the same of them is worked
    /// out once.
    pub all: &'a [[u16; 3]],
    /// Carriers of the same kind and type: an operand as `bounds` has it, and the index of the codes which announce suffix dwords
    /// in the field.
    pub groups: &'a [[u32; 2]],
    /// Those codes.
    pub announces: &'a [&'a [u32]],
    /// Words of rows.
    pub words: &'a [u128],
}

/// Unpacks what is to be read: the number of the operand in its form, from bit 8 up what stands before it (0 for nothing,
/// 1 for a blank, 2 for a comma), and from bit 16 up which of `A` `asks` it is.
#[must_use]
pub const fn read_steps<const N: usize, const A: usize>(
    packed: &[u32; N],
    asks: &Asks<'_>,
    facts: &[&[Fact]],
) -> [ReadStep; N] {
    let mut answers = [ReadStep::NONE; A];
    fill_answers(&mut answers, asks, facts);
    let mut out = [ReadStep::NONE; N];
    fill_steps(&mut out, packed, &answers);
    out
}

const fn fill_answers(out: &mut [ReadStep], asks: &Asks<'_>, facts: &[&[Fact]]) {
    // What is the same in a group, and for which words it is known what is sure.
    let (mut last, mut step, mut plain, mut known) = (u16::MAX, ReadStep::NONE, &Plain::NONE, None);
    let mut i = 0;
    while i < out.len() {
        let [group, carrier, row] = asks.all[i];
        let fact = &facts[(carrier >> 8) as usize][carrier as u8 as usize];
        let [operand, announced] = asks.groups[group as usize];
        if group != last {
            (last, known) = (group, None);
            step = ReadStep { late: fact.late, ..ReadStep::NONE };
            let dwords;
            (plain, dwords) = plain_of(fact.plain, ty(operand));
            (step.plain, step.dwords) = (group + 1, dwords);
            fill_plain(&mut step, plain, ty(operand));
        }
        let row = asks.words[row as usize];
        match fact.place {
            Some(place) if fact.plain.unless & row == 0 && has_room(fact.plain, place.ones) => {
                let matters = row & fact.depends.0;
                match known {
                    Some(words) if words == matters => {}
                    _ => {
                        known = Some(matters);
                        step.sure = sure(fact, plain, ty(operand), matters, asks.announces[announced as usize]);
                    }
                }
                out[i] = step;
                out[i].place = place;
                if plain.flag {
                    out[i].flag = crate::parse::plain::Word::new(fact.name, 0, 1).bytes;
                }
            }
            _ => out[i].late = fact.late,
        }
        i += 1;
    }
}

/// Whether a field has room for all registers of a class: it may be shorter than the code space.
const fn has_room(plain: &Plain, ones: u32) -> bool {
    let mut i = 0;
    while i < plain.files.len() {
        let (_, base, last) = plain.files[i];
        if (base + last as u32) >> plain.aligned > ones {
            return false;
        }
        i += 1;
    }
    true
}

const fn fill_steps(out: &mut [ReadStep], packed: &[u32], answers: &[ReadStep]) {
    let mut i = 0;
    while i < out.len() {
        let what = packed[i];
        out[i] = answers[(what >> 16) as usize];
        let step = &mut out[i];
        step.at = what as u8;
        match what >> 8 & 3 {
            0 => {}
            1 => (step.lead, step.lead_ones, step.lead_bits) = (b' ' as u16, 0xff, 8),
            _ => (step.lead, step.lead_ones, step.lead_bits) = (COMMA, 0xffff, 16),
        }
        i += 1;
    }
}

/// A comma and a blank.
const COMMA: u16 = u16::from_le_bytes(*b", ");

/// The modes in which all plain codes are sure and announce no suffix dword.
const fn sure(fact: &Fact, plain: &Plain, ty: Type, words: u128, announced: &[u32]) -> u8 {
    let first = all_sure(&fact.sure.of(ty, words, 0), plain, announced);
    let second = if fact.depends.1 { all_sure(&fact.sure.of(ty, words, 1), plain, announced) } else { first };
    first as u8 | (second as u8) << 1
}

const fn all_sure(sure: &Sure, plain: &Plain, announced: &[u32]) -> bool {
    if matches!(sure, Sure::All) && announced.is_empty() {
        return true;
    }
    let mut all = true;
    let mut i = 0;
    while i < plain.files.len() && all {
        let (_, base, last) = plain.files[i];
        all &= run_sure(sure, base >> plain.aligned, (base + last as u32) >> plain.aligned, announced);
        i += 1;
    }
    let mut i = 0;
    while i < plain.names.len() && all {
        all &= run_sure(sure, plain.names[i].code, plain.names[i].code, announced);
        i += 1;
    }
    if let Some((zero, last)) = plain.integers {
        all &= run_sure(sure, zero, zero + last as u32, announced);
    }
    if let Some((zero, last)) = plain.negative {
        all &= run_sure(sure, zero + 1, zero + last as u32, announced);
    }
    if let Some(parts) = plain.parts {
        // Numbers, which are rarer, have to be asked for.
        all &= parts.sure(sure);
    } else if let Some(last) = plain.numbers {
        all &= run_sure(sure, 0, last, announced);
    }
    if plain.flag {
        all &= run_sure(sure, 0, 1, announced);
    }
    // A negative number has bits that only its field limits.
    if let Some((_, least, last)) = plain.key {
        all &= matches!(sure, Sure::All) || least >= 0 && run_sure(sure, 0, last as u32, announced);
    }
    all
}

/// Whether a run of codes is sure, and none of them announces a suffix dword.
const fn run_sure(sure: &Sure, first: u32, last: u32, announced: &[u32]) -> bool {
    let mut i = 0;
    while i < announced.len() {
        if announced[i] >= first && announced[i] <= last {
            return false;
        }
        i += 1;
    }
    sure.covers(first, last)
}

/// What is plain in each group of what is asked, behind nothing, which is the first. `N` is one more than their number.
#[must_use]
pub const fn plains<const N: usize>(asks: &Asks<'_>, facts: &[&[Fact]]) -> [&'static Plain; N] {
    let mut out = [&Plain::NONE; N];
    let mut i = 0;
    while i < asks.all.len() {
        let [group, carrier, _] = asks.all[i];
        if i == 0 || asks.all[i - 1][0] != group {
            let fact = &facts[(carrier >> 8) as usize][carrier as u8 as usize];
            out[group as usize + 1] = plain_of(fact.plain, ty(asks.groups[group as usize][0])).0;
        }
        i += 1;
    }
    out
}

/// What is plain for a type, and how many registers it has in each mode.
const fn plain_of(plain: &'static Plain, ty: Type) -> (&'static Plain, [u8; 2]) {
    match (ty.class(), plain.mask) {
        (Class::Mask, Some(mask)) => mask,
        (Class::Mask, None) => (&Plain::NONE, [0; 2]),
        _ if plain.whole => (plain, [ty.dwords(); 2]),
        _ => (plain, [Names::width(ty); 2]),
    }
}

/// Puts down what is plain for a type.
const fn fill_plain(step: &mut ReadStep, plain: &Plain, ty: Type) {
    step.literal = is_whole(ty);
    step.byte = ty.total_bits() == 8;
    // What is read twice has its place put down.
    if step.late {
        return;
    }
    let mut i = 0;
    while plain.aligned == 0 && i < plain.files.len() && i < FILES && matches!(step.dwords, [1, 1]) {
        let (letter, base, last) = plain.files[i];
        step.files[i] = File { letter, base: base as u16, end: beyond(last) };
        i += 1;
    }
    let (base, last) = match (plain.numbers, plain.integers) {
        (Some(_), _) if plain.parts.is_some() => return,
        // Higher ones are rare.
        (Some(last), _) => (0, if last > 0xff { 0xff } else { last as u8 }),
        (None, Some((zero, last))) => (zero, last),
        (None, None) => return,
    };
    step.numbers = File { letter: 0, base: base as u16, end: beyond(last) };
}

/// Whether a literal of this type is 32 bits as they are written.
const fn is_whole(ty: Type) -> bool {
    let narrow = matches!(ty.class(), Class::Float | Class::BFloat) && ty.bits() != 32;
    ty.total_bits() == 32 && !narrow && !matches!(ty.class(), Class::Mask)
}

/// The modes in which the code 0 is sure.
const fn zero_sure(fact: &Fact, ty: Type, words: u128) -> u8 {
    let first = fact.sure.of(ty, words, 0).covers(0, 0);
    let second = if fact.depends.1 { fact.sure.of(ty, words, 1).covers(0, 0) } else { first };
    first as u8 | (second as u8) << 1
}

/// Unpacks recipes: the form, where its operands begin and how many they are, the same of its modifiers, the component, the
/// index of the row's words, and the modes in which its bits are those of an instruction.
#[must_use]
pub const fn recipes<const N: usize>(
    packed: &[[u16; 8]; N],
    steps: &[ReadStep],
    words: &[u128],
    forms: &[Form],
    bounds: &crate::tables::pack::Bounds<'_>,
    facts: &[&[Fact]],
) -> [Recipe; N] {
    let none = Recipe { steps: Run::NONE, modifiers: Run::NONE, form: 0, late: 0, absent: 0, placed: 0, sure: 0 };
    let mut out = [none; N];
    fill_recipes(&mut out, packed, steps, words, forms, bounds, facts);
    out
}

const fn fill_recipes(
    out: &mut [Recipe],
    packed: &[[u16; 8]],
    steps: &[ReadStep],
    words: &[u128],
    forms: &[Form],
    bounds: &crate::tables::pack::Bounds<'_>,
    facts: &[&[Fact]],
) {
    let mut i = 0;
    while i < out.len() {
        let [form, from, count, more, n_more, component, row, fit] = packed[i];
        let (mut late, mut absent, mut sure) = (0, 0, fit as u8);
        let (facts, Form { operands, modifiers, .. }) = (facts[component as usize], &forms[form as usize]);
        let mut at = 0;
        while at < operands.len {
            let kind = bounds.all[operands.start as usize + at as usize];
            if facts[bounds.kinds[kind as usize].carrier as usize].late {
                late |= 1 << at;
            }
            at += 1;
        }
        let mut nth = 0;
        while nth < modifiers.len {
            let Bound { carrier, ty, .. } = &bounds.kinds[bounds.all[modifiers.start as usize + nth as usize] as usize];
            let fact = &facts[*carrier as usize];
            // What is not there has the code 0, unless its kind says otherwise.
            if fact.absent {
                absent |= 1 << at;
                sure = 0;
            } else {
                sure &= if matches!(fact.sure, Sure::All) { 0b11 } else { zero_sure(fact, *ty, words[row as usize]) };
            }
            if fact.late {
                late |= 1 << at;
            }
            (at, nth) = (at + 1, nth + 1);
        }
        let mut placed = 0;
        let mut nth = 0;
        while nth < count + n_more {
            let step = &steps[(if nth < count { from + nth } else { more + nth - count }) as usize];
            placed |= if nth < count { 1 << step.at } else { 0 };
            sure &= step.sure;
            nth += 1;
        }
        out[i] = Recipe {
            steps: Run { start: from, len: count as u8 },
            modifiers: Run { start: more, len: n_more as u8 },
            form,
            late,
            absent,
            placed,
            sure,
        };
        i += 1;
    }
}
