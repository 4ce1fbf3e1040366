//! How forms are written: steps, lines, and the lists that lines share.

use super::{Bounds, Fact, bound_of, by_width, component, slice, ty};
use crate::kind::Names;
use crate::print::{Line, LineStep, MODIFIER, Masks, NO_OPERAND};
use crate::table::{Form, Place};
use crate::text::{Copies, Name, Short};

/// Unpacks the steps of all lines: the index of what stands before it, the operand's number and that of its component
/// from bits 16 and 24 up, and the operand as [`bounds`](super::bounds) has it.
#[must_use]
pub const fn line_steps<const N: usize>(packed: &[[u32; 2]; N], shorts: &[Short], facts: &[&[Fact]]) -> [LineStep; N] {
    let none = LineStep { names: &[], ones: 0, lo: 0, before: Short::new(""), carrier: u8::MAX, bound: NO_OPERAND };
    let mut out = [none; N];
    fill_line_steps(&mut out, packed, shorts, facts);
    out
}

const fn fill_line_steps(out: &mut [LineStep], packed: &[[u32; 2]], shorts: &[Short], facts: &[&[Fact]]) {
    let mut i = 0;
    while i < out.len() {
        let [place, operand] = packed[i];
        let step = &mut out[i];
        (step.before, step.bound) = (shorts[place as u8 as usize], (place >> 16) as u8);
        if step.bound != NO_OPERAND {
            let fact = &facts[component(place)][operand as u8 as usize];
            if let Some(Place { ones, lo }) = fact.place {
                (step.ones, step.lo, step.carrier) = (ones, lo, operand as u8);
                step.names = by_width(&fact.names.by_width, Names::width(ty(operand)));
                if fact.silent && step.names.is_empty() {
                    step.names = &[Name::EMPTY];
                }
            }
        }
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
        Masks { loud: [(u64::MAX, u32::MAX); 128], alters: [[u64::MAX; 4]; 64], unless: [u128::MAX; 16] };
}

/// What lines are made of.
pub struct Source<'a> {
    /// The index of the suffix, where its steps begin and how many they are, the same for the modifiers, and the
    /// component's index.
    pub packed: &'a [[u16; 6]],
    /// The forms.
    pub forms: &'a [Form],
    /// Rows that have no texts ready.
    pub unless: &'a [[u128; 3]],
    /// Their operands.
    pub bounds: &'a Bounds<'a>,
    /// The steps.
    pub steps: &'static [LineStep],
    /// The suffixes and what stands before operands.
    pub shorts: &'a [Short],
    /// What is known of all carriers.
    pub facts: &'a [&'a [Fact]],
}

/// Unpacks all lines.
#[must_use]
pub const fn lines<const N: usize>(source: &Source<'_>) -> Lines<N> {
    let suffix = Short::new("");
    let none = Line { special: 0, steps: &[], suffix, modifiers: 0, count: 0, quiet: 0, loud: 0, alters: 0, unless: 0 };
    let mut out = Lines { lines: [none; N], masks: Masks::CAREFUL };
    fill_lines(&mut out.lines, &mut out.masks, source);
    out
}

const fn fill_lines(out: &mut [Line], masks: &mut Masks, source: &Source<'_>) {
    let Source { packed, forms, unless, bounds, steps, shorts, facts } = *source;
    let mut known = [0usize; 3];
    let mut i = 0;
    while i < out.len() {
        let [suffix, from, count, more, n_more, component] = packed[i];
        let (form, facts) = (&forms[i], facts[component as usize]);
        let mut line = Line {
            steps: slice(steps, from as u32, count as u32),
            suffix: shorts[suffix as usize],
            modifiers: more,
            count: n_more as u8,
            quiet: n_more as u8,
            ..out[i]
        };
        let mut loud = (0, 0);
        while line.quiet > 0 {
            let at = steps[more as usize + line.quiet as usize - 1].bound - MODIFIER;
            let fact = &facts[bound_of(form, bounds, form.operands.len + at).carrier as usize];
            if !fact.silent {
                break;
            }
            loud = (loud.0 | fact.mask.0, loud.1 | fact.mask.1);
            line.quiet -= 1;
        }
        let mut alters = [0; 4];
        let mut nth = 0;
        while nth < count as usize {
            let step = &steps[from as usize + nth];
            if step.bound < MODIFIER {
                let names = facts[bound_of(form, bounds, step.bound).carrier as usize].names.altered_by;
                if !names.is_empty() {
                    let (low, third) = altering(names, form, bounds, facts);
                    // Nothing is ready where the third word has a say.
                    alters[nth & 3] |= if third == 0 { low } else { u64::MAX };
                }
            }
            nth += 1;
        }
        line.special = if line.quiet == 0 && loud.1 == 0 && count as usize <= Copies::COUNT {
            loud.0 | alters[0] | alters[1] | alters[2] | alters[3]
        } else {
            u64::MAX
        };
        let unless = unless[i][0];
        while (line.loud as usize) < known[0] && !same_mask(masks.loud[line.loud as usize], loud) {
            line.loud += 1;
        }
        if line.loud as usize == known[0] && known[0] + 1 < masks.loud.len() {
            masks.loud[known[0]] = loud;
            known[0] += 1;
        }
        while (line.alters as usize) < known[1] && !same_masks(&masks.alters[line.alters as usize], &alters) {
            line.alters += 1;
        }
        if line.alters as usize == known[1] && known[1] + 1 < masks.alters.len() {
            masks.alters[known[1]] = alters;
            known[1] += 1;
        }
        while (line.unless as usize) < known[2] && masks.unless[line.unless as usize] != unless {
            line.unless += 1;
        }
        if line.unless as usize == known[2] && known[2] + 1 < masks.unless.len() {
            masks.unless[known[2]] = unless;
            known[2] += 1;
        }
        out[i] = line;
        i += 1;
    }
}

/// The bits of those carriers of a form that have one of these names.
const fn altering(names: &[&str], form: &Form, bounds: &Bounds<'_>, facts: &[Fact]) -> (u64, u32) {
    let mut mask = (0, 0);
    let mut nth = 0;
    while nth < form.count() {
        let fact = &facts[bound_of(form, bounds, nth).carrier as usize];
        let mut i = 0;
        while i < names.len() {
            if same(fact.name.as_bytes(), names[i].as_bytes()) {
                mask = (mask.0 | fact.mask.0, mask.1 | fact.mask.1);
            }
            i += 1;
        }
        nth += 1;
    }
    mask
}

const fn same_mask(a: (u64, u32), b: (u64, u32)) -> bool {
    a.0 == b.0 && a.1 == b.1
}

const fn same_masks(a: &[u64; 4], b: &[u64; 4]) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = a.len();
    while i > 0 && a[i - 1] == b[i - 1] {
        i -= 1;
    }
    i == 0
}
