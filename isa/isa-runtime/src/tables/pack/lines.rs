//! How forms are written: steps, lines, and the lists that lines share.

use super::{Bounds, Fact, Rest, ty};
use crate::Class;
use crate::print::text::{Copies, Name, Short};
use crate::print::{BY_MODE, Line, LineStep, MODIFIER, Mask, Masks, NO_OPERAND};
use crate::tables::{Form, Place};

/// Unpacks the steps of all lines: the index of what stands before it, from bit 8 up the operand as [`LineStep`] has it,
/// and from bit 16 up which of `asked` it is: the component, and the operand as [`bounds`](super::bounds) has it.
#[must_use]
pub const fn line_steps<const N: usize, const A: usize>(
    packed: &[u32; N],
    asked: &[[u32; 2]; A],
    shorts: &[Short],
    facts: &[&[Fact]],
) -> [LineStep; N] {
    let none = LineStep { names: &[], ones: 0, lo: 0, before: Short::new(""), carrier: u8::MAX, bound: NO_OPERAND };
    let mut known = [none; A];
    fill_operands(&mut known, asked, facts);
    let mut out = [none; N];
    fill_line_steps(&mut out, packed, &known, shorts);
    out
}

const fn fill_operands(out: &mut [LineStep], asked: &[[u32; 2]], facts: &[&[Fact]]) {
    let mut i = 0;
    while i < out.len() {
        let [component, operand] = asked[i];
        let (fact, step) = (&facts[component as usize][operand as u8 as usize], &mut out[i]);
        if let Some(Place { ones, lo }) = fact.place {
            (step.ones, step.lo, step.carrier) = (ones, lo, operand as u8);
            step.names = fact.names.of(ty(operand));
            if matches!(ty(operand).class(), Class::Mask) && !step.names.is_empty() {
                step.lo |= BY_MODE;
            }
            if fact.silent && step.names.is_empty() {
                step.names = &[Name::EMPTY];
            }
        }
        i += 1;
    }
}

const fn fill_line_steps(out: &mut [LineStep], packed: &[u32], known: &[LineStep], shorts: &[Short]) {
    let mut i = 0;
    while i < out.len() {
        let (what, step) = (packed[i], &mut out[i]);
        let bound = (what >> 8) as u8;
        if bound == NO_OPERAND {
            step.names = &[Name::EMPTY];
        } else {
            *step = known[(what >> 16) as usize];
        }
        (step.before, step.bound) = (shorts[what as u8 as usize], bound);
        i += 1;
    }
}

/// All lines and the lists that they share.
pub struct Lines<const N: usize> {
    /// The lines.
    pub lines: [Line; N],
    /// What they share.
    pub masks: Masks,
}

impl Masks {
    /// For what finds no room: always loud, never ready.
    const CAREFUL: Masks =
        Masks { loud: [[u64::MAX; 4]; 128], alters: [[u64::MAX; 4]; 64], unless: [[u64::MAX; 4]; 16] };
}

/// Where a list of which so many are known has a mask, which is added if it is new; the last place if there is no room.
const fn place(list: &mut [Mask], known: &mut usize, mask: Mask) -> u8 {
    let mut at = 0;
    while at < *known {
        let other = &list[at];
        if other[0] == mask[0] && other[1] == mask[1] && other[2] == mask[2] && other[3] == mask[3] {
            return at as u8;
        }
        at += 1;
    }
    if at + 1 < list.len() {
        list[at] = mask;
        *known += 1;
    }
    at as u8
}

/// What lines are made of.
pub struct Source<'a> {
    /// Where its steps begin and how many they are, and the index of what is behind the last operand.
    pub packed: &'a [[u16; 3]],
    /// That: where its steps begin, how many they are, and the index of the modifiers.
    pub trails: &'a [[u16; 3]],
    /// As [`forms`](super::forms) has them.
    pub modifiers: &'a [[u16; 3]],
    /// The forms.
    pub forms: &'a [Form],
    /// Rows that have no texts ready.
    pub unless: &'a [[u128; 3]],
    /// Their operands.
    pub bounds: &'a Bounds<'a>,
    /// The steps.
    pub steps: &'static [LineStep],
    /// What is known of all carriers.
    pub facts: &'a [&'a [Fact]],
}

/// What is behind the last operand.
#[derive(Clone, Copy)]
struct Trail {
    /// See [`Line`].
    quiet: u8,
    loud: u8,
    /// The mask that `loud` is the index of.
    mask: Mask,
}

/// Unpacks all lines; `T` is how many trails there are.
#[must_use]
pub const fn lines<const N: usize, const T: usize>(source: &Source<'_>) -> Lines<N> {
    let none = Line {
        special: 0,
        steps: &[],
        modifiers: 0,
        count: 0,
        quiet: 0,
        loud: 0,
        alters: 0,
        unless: 0,
        by_mode: false,
    };
    let mut out = Lines { lines: [none; N], masks: Masks::CAREFUL };
    let mut trails = [Trail { quiet: 0, loud: 0, mask: [0; 4] }; T];
    fill_trails(&mut trails, &mut out.masks, source);
    fill_lines(&mut out.lines, &mut out.masks, &trails, source);
    out
}

const fn fill_trails(out: &mut [Trail], masks: &mut Masks, source: &Source<'_>) {
    let mut known = 0;
    let mut i = 0;
    while i < out.len() {
        let [from, count, modifiers] = source.trails[i];
        let [component, begin, _] = source.modifiers[modifiers as usize];
        let (mut quiet, mut mask) = (count as u8, [0; 4]);
        while quiet > 0 {
            let at = source.steps[from as usize + quiet as usize - 1].bound - MODIFIER;
            let kind = source.bounds.all[begin as usize + at as usize];
            let fact = &source.facts[component as usize][source.bounds.kinds[kind as usize].carrier as usize];
            if !fact.silent {
                break;
            }
            mask[0] |= fact.mask.0;
            mask[1] |= fact.mask.1 as u64;
            quiet -= 1;
        }
        out[i] = Trail { quiet, loud: place(&mut masks.loud, &mut known, mask), mask };
        i += 1;
    }
}

/// What alters the text of a carrier's operands in forms with certain modifiers.
#[derive(Clone, Copy)]
struct Altering {
    /// The modifiers and the carrier, plus one.
    of: u32,
    mask: u64,
}

/// How many of these are kept: a power of two.
const KEPT: usize = 512;

const fn fill_lines(out: &mut [Line], masks: &mut Masks, trails: &[Trail], source: &Source<'_>) {
    let Source { packed, forms, unless, bounds, steps, .. } = *source;
    let mut kept = [Altering { of: 0, mask: 0 }; KEPT];
    let mut known = [0; 2];
    let mut rest = Rest { all: steps, behind: steps, end: 0 };
    let mut i = 0;
    while i < out.len() {
        let [from, count, trail] = packed[i];
        let [more, n_more, modifiers] = source.trails[trail as usize];
        let (form, trail) = (&forms[i], &trails[trail as usize]);
        let facts = source.facts[source.modifiers[modifiers as usize][0] as usize];
        let (mut alters, mut by_mode) = ([0; 4], false);
        let mut nth = 0;
        while nth < count as usize {
            let step = &steps[from as usize + nth];
            by_mode |= step.lo & BY_MODE != 0;
            if step.bound < MODIFIER {
                let kind = bounds.all[form.operands.start as usize + step.bound as usize];
                let carrier = bounds.kinds[kind as usize].carrier;
                let by = &facts[carrier as usize].altered_by;
                if by[0] | by[1] != 0 {
                    let of = ((modifiers as u32) << 8 | carrier as u32) + 1;
                    let kept = &mut kept[(of ^ of >> 5) as usize % KEPT];
                    if kept.of != of {
                        *kept = Altering { of, mask: altering(by, form, bounds, facts) };
                    }
                    alters[nth & 3] |= kept.mask;
                }
            }
            nth += 1;
        }
        let [loud, third, ..] = trail.mask;
        let plain = trail.quiet == 0 && third == 0 && count as usize <= Copies::COUNT;
        let special = if plain { loud | alters[0] | alters[1] | alters[2] | alters[3] } else { u64::MAX };
        let unless = unless[i][0];
        out[i] = Line {
            steps: rest.slice([from, count]),
            special,
            modifiers: more,
            count: n_more as u8,
            quiet: trail.quiet,
            loud: trail.loud,
            alters: place(&mut masks.alters, &mut known[0], alters),
            unless: place(&mut masks.unless, &mut known[1], [unless as u64, (unless >> 64) as u64, 0, 0]),
            by_mode,
        };
        i += 1;
    }
}

/// The bits of those modifiers of a form that are among these carriers; all bits where the third word has a say: nothing is
/// ready then.
const fn altering(by: &[u128; 2], form: &Form, bounds: &Bounds<'_>, facts: &[Fact]) -> u64 {
    let (mut mask, mut third) = (0, 0);
    let mut nth = 0;
    while nth < form.modifiers.len {
        let kind = bounds.all[form.modifiers.start as usize + nth as usize];
        let carrier = bounds.kinds[kind as usize].carrier;
        if by[(carrier >> 7) as usize] >> (carrier & 127) & 1 == 1 {
            let fact = &facts[carrier as usize];
            mask |= fact.mask.0;
            third |= fact.mask.1;
        }
        nth += 1;
    }
    if third == 0 { mask } else { u64::MAX }
}
