//! How lines are read on the quick way: which name leads where, and what is to be read then. `parse::quick` goes by
//! these tables, which const functions fill from numbers that the macro writes down.
//!
//! A [`Way`] is what a name with its suffix leads to first: the bits that are the same in all instructions of its row,
//! and a [`Recipe`], which rows share. A recipe lists the operands in the order of text and the modifiers behind them.

use crate::kind::{Kind, Names};
use crate::mnemonic::mix;
use crate::pack::ty;
use crate::place::{Place, Run};
use crate::plain::Plain;
use crate::table::{Access, Bound, Carrier, Form, Isa};
use crate::{Class, Type};

/// The most words of eight bytes that a name with its suffix has.
pub(crate) const MOST_CHUNKS: usize = 6;

/// Where a name leads.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The bits that are the same in all instructions of the row, in the first two words; of a second component, those to
    /// be added.
    pub(crate) low: u64,
    /// A bit that must be zero in the end; where it is one, the next way is the one.
    pub(crate) split: u64,
    /// Its name in eight bytes each: where they begin, and how many they are.
    name: (u16, u8),
    /// The tail that always follows plus one, or 0.
    pub(crate) tail: u8,
    /// How many dwords come before a tail.
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
}

/// An operand or a modifier to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadStep {
    /// What is plain; nothing where the row has a word that says so, or the bits are not one run of the first two words.
    pub(crate) plain: &'static Plain,
    /// The bits of its code.
    pub(crate) place: Place,
    /// What is written for a flag.
    pub(crate) flag: crate::plain::Word,
    /// How many registers it has in each mode; 0 where whole registers are not meant.
    pub(crate) dwords: [u8; 2],
    /// Its number in the form.
    pub(crate) at: u8,
    /// Whether a comma stands before it.
    pub(crate) comma: bool,
    /// Whether its kind reads it twice.
    pub(crate) late: bool,
    /// Whether a literal of it is the number as it is written.
    pub(crate) literal: bool,
    /// Its type has eight bits.
    pub(crate) byte: bool,
}

/// The tables of the quick way of reading.
#[derive(Debug)]
pub struct Recipes {
    /// One more than the index of a way, at the place that its name's hash says or the next that is free.
    pub index: &'static [u16],
    /// The names of all ways, eight bytes at a time, the last filled up with zeros.
    pub names: &'static [u64],
    /// The ways.
    pub ways: &'static [Way],
    /// The recipes.
    pub recipes: &'static [Recipe],
    /// Their operands and modifiers.
    pub steps: &'static [ReadStep],
}

impl Recipes {
    /// The way of a name in words of eight bytes, of which so many count.
    #[inline(always)]
    pub(crate) fn find(&self, name: &[u64; MOST_CHUNKS], count: usize, hash: u64) -> Option<&'static Way> {
        let mask = self.index.len().wrapping_sub(1);
        let mut at = slot(hash);
        loop {
            let way = self.ways.get(usize::from(self.index.get(at & mask)?.checked_sub(1)?))?;
            let (start, len) = way.name;
            let known = self.names.get(usize::from(start)..usize::from(start) + usize::from(len))?;
            if usize::from(len) == count && known.iter().zip(name).all(|(a, b)| a == b) {
                return Some(way);
            }
            at = at.wrapping_add(1);
        }
    }
}

/// Where a name with this hash is looked for first.
#[inline(always)]
const fn slot(hash: u64) -> usize {
    (hash >> 32) as usize
}

/// How many words of eight bytes these names have.
#[must_use]
pub const fn name_words(names: &[&str]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < names.len() {
        count += names[i].len().div_ceil(8);
        i += 1;
    }
    count
}

/// The names of ways and where they are found.
pub struct Found<const W: usize, const H: usize> {
    /// See [`Recipes::names`].
    pub words: [u64; W],
    /// See [`Recipes::index`].
    pub index: [u16; H],
}

/// Puts down the names of ways; a way whose name is empty is not to be found. `H` is a power of two above their number.
#[must_use]
pub const fn found<const W: usize, const H: usize>(names: &[&str]) -> Found<W, H> {
    let mut out = Found { words: [0; W], index: [0; H] };
    fill_names(&mut out.words, &mut out.index, names);
    out
}

const fn fill_names(words: &mut [u64], index: &mut [u16], names: &[&str]) {
    let mask = index.len() - 1;
    let (mut next, mut i) = (0, 0);
    while i < names.len() {
        let mut rest = names[i].as_bytes();
        let mut hash = 0;
        while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
            words[next] = u64::from_le_bytes(*chunk);
            hash = mix(hash, words[next]);
            (rest, next) = (after, next + 1);
        }
        if !rest.is_empty() {
            while let Some((byte, before)) = rest.split_last() {
                words[next] = words[next] << 8 | *byte as u64;
                rest = before;
            }
            hash = mix(hash, words[next]);
            next += 1;
        }
        if !names[i].is_empty() {
            let mut at = slot(hash) & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = i as u16 + 1;
        }
        i += 1;
    }
}

/// Unpacks ways: recipe, entry and next way, the tail that always follows plus one, the format and how many dwords it has,
/// how many components the format has besides, and the number of this one; beside them the bits of the row and the one that splits it; and the names as [`found`] has them.
#[must_use]
pub const fn ways<const N: usize>(packed: &[[u16; 8]; N], bits: &[[u64; 2]; N], names: &[&str]) -> [Way; N] {
    let none = Way {
        low: 0,
        split: 0,
        name: (0, 0),
        tail: 0,
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

const fn fill_ways(out: &mut [Way], packed: &[[u16; 8]], bits: &[[u64; 2]], names: &[&str]) {
    let (mut next_name, mut i) = (0, 0);
    while i < out.len() {
        let [recipe, entry, next, tail, format, dwords, others, component] = packed[i];
        let [low, split] = bits[i];
        let len = names[i].len().div_ceil(8);
        let name = (next_name as u16, len as u8);
        next_name += len;
        let (pair, second) = (others != 0, component != 0);
        let (tail, format, dwords) = (tail as u8, format as u8, dwords as u8);
        out[i] = Way { low, split, name, tail, dwords, format, second, recipe, entry, next, pair };
        i += 1;
    }
}

/// Unpacks what is to be read: the number of the operand in its form, and from bits 8 and 16 up whether a comma stands
/// before it and the component; the operand as `bounds` has it; and the index of the row's words.
#[must_use]
pub const fn read_steps<I: Isa, const N: usize>(
    packed: &[[u32; 3]; N],
    words: &[u128],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> [ReadStep; N] {
    let none = ReadStep {
        plain: &Plain::NONE,
        place: Place::NONE,
        flag: crate::plain::Word::new("", 0, 0),
        dwords: [0; 2],
        at: 0,
        comma: false,
        late: false,
        literal: false,
        byte: false,
    };
    let mut out = [none; N];
    fill_steps(&mut out, packed, words, carriers, kinds);
    out
}

const fn fill_steps<I: Isa>(
    out: &mut [ReadStep],
    packed: &[[u32; 3]],
    words: &[u128],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) {
    let mut i = 0;
    while i < out.len() {
        let [what, operand, row] = packed[i];
        let component = (what >> 16) as usize;
        let (carrier, ty) = (operand as u8 as usize, ty(operand));
        let kind = &kinds[component][carrier];
        let step = &mut out[i];
        (step.at, step.comma, step.late) = (what as u8, what >> 8 & 1 == 1, kind.reader.late);
        let Carrier { name, bits, .. } = &carriers[component][carrier];
        if let Some(place) = Place::new(bits)
            && kind.plain.unless & words[row as usize] == 0
        {
            step.place = place;
            (step.plain, step.dwords) = match (ty.class(), kind.plain.mask) {
                (Class::Mask, Some(mask)) => mask,
                (Class::Mask, None) => (&Plain::NONE, [0; 2]),
                _ if kind.plain.whole => (kind.plain, [ty.dwords(); 2]),
                _ => (kind.plain, [Names::width(ty); 2]),
            };
            step.literal = is_whole(ty);
            step.byte = ty.total_bits() == 8;
            if kind.plain.flag {
                step.flag = crate::plain::Word::new(name, 0, 1);
            }
        }
        i += 1;
    }
}

/// Whether a literal of this type is 32 bits as they are written.
const fn is_whole(ty: Type) -> bool {
    let narrow = matches!(ty.class(), Class::Float | Class::BFloat) && ty.bits() != 32;
    ty.total_bits() == 32 && !narrow && !matches!(ty.class(), Class::Mask)
}

/// Unpacks recipes: the form, where its operands begin and how many they are, the same of its modifiers, and the
/// component.
#[must_use]
pub const fn recipes<I: Isa, const N: usize>(
    packed: &[[u16; 6]; N],
    forms: &[Form],
    bounds: &crate::pack::Bounds<'_>,
    kinds: &[&[Kind<I>]],
) -> [Recipe; N] {
    let none = Recipe { steps: Run::NONE, modifiers: Run::NONE, form: 0, late: 0, absent: 0 };
    let mut out = [none; N];
    fill_recipes(&mut out, packed, forms, bounds, kinds);
    out
}

const fn fill_recipes<I: Isa>(
    out: &mut [Recipe],
    packed: &[[u16; 6]],
    forms: &[Form],
    bounds: &crate::pack::Bounds<'_>,
    kinds: &[&[Kind<I>]],
) {
    let mut i = 0;
    while i < out.len() {
        let [form, from, count, more, n_more, component] = packed[i];
        let (mut late, mut absent) = (0, 0);
        let mut at = 0;
        while at < forms[form as usize].count() {
            let Bound { carrier, access, .. } = crate::pack::bound_of(&forms[form as usize], bounds, at);
            let reader = &kinds[component as usize][*carrier as usize].reader;
            if reader.late {
                late |= 1 << at;
            }
            if reader.absent.is_some() && matches!(access, Access::Modifier) {
                absent |= 1 << at;
            }
            at += 1;
        }
        out[i] = Recipe {
            steps: Run { start: from, len: count as u8 },
            modifiers: Run { start: more, len: n_more as u8 },
            form,
            late,
            absent,
        };
        i += 1;
    }
}
