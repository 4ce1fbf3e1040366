//! Tables as the macro writes them down: numbers, which the compiler reads much faster than nested structs, unpacked
//! by const functions. A thousand forms cost 0.2 s this way, and 3 s as struct literals.

use crate::kind::{Kind, Names};
use crate::mnemonic::same;
use crate::operands::{Visit, VisitStep};
use crate::print::{Line, LineStep, MODIFIER, Masks, NO_OPERAND};
use crate::table::{
    Access, Bits, Bound, Carrier, Form, Head, Isa, Part, Place, Reader, Run, Shape, Slot, Step, ValueFn, WriteFn,
};
use crate::text::{Label, Short};
use crate::{Class, Entry, Type};

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

const fn slice<T>(all: &'static [T], start: u32, len: u32) -> &'static [T] {
    all.split_at(start as usize).1.split_at(len as usize).0
}

/// Makes a component's carriers of their names, fields and bits.
#[must_use]
pub const fn carriers<I: Isa, const N: usize>(
    packed: [(&'static str, u8, Bits); N],
    kinds: &[Kind<I>; N],
) -> [Carrier<I>; N] {
    const { assert!(N <= MOST_CARRIERS, "a component has too many carriers") };
    let mut out = [const { Carrier { name: "", field: 0, bits: NO_BITS, valid: None, printable: never::<I> } }; N];
    let mut i = 0;
    while i < N {
        let (name, field, bits) = packed[i];
        out[i] = Carrier { name, field, bits, valid: kinds[i].valid, printable: kinds[i].printable };
        i += 1;
    }
    out
}

const NO_BITS: Bits = Bits { first: Part::NONE, rest: &[] };
/// The most carriers that a component can have: operands name them by a byte.
const MOST_CARRIERS: usize = 256;

fn never<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> bool {
    false
}

/// What writes each of these kinds.
#[must_use]
pub const fn writers<I: Isa, const N: usize>(kinds: &[Kind<I>; N]) -> [WriteFn<I>; N] {
    fn nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32, _: &mut crate::Text) {}
    let mut out = [nothing::<I> as WriteFn<I>; N];
    let mut i = 0;
    while i < N {
        out[i] = kinds[i].write;
        i += 1;
    }
    out
}

/// What each of these kinds comes to.
#[must_use]
pub const fn valuers<I: Isa, const N: usize>(kinds: &[Kind<I>; N]) -> [ValueFn<I>; N] {
    fn nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> Option<I::Value> {
        None
    }
    let mut out = [nothing::<I> as ValueFn<I>; N];
    let mut i = 0;
    while i < N {
        out[i] = kinds[i].value;
        i += 1;
    }
    out
}

/// What reads each of these kinds.
#[must_use]
pub const fn readers<I: Isa, const N: usize>(kinds: &[Kind<I>; N]) -> [Reader<I>; N] {
    fn nothing<I: Isa>(_: &mut crate::Asm<'_, '_, I>) -> Result<Option<u32>, crate::ParseError> {
        Ok(None)
    }
    let mut out = [const { Reader { parse: nothing::<I>, late: false, absent: None } }; N];
    let mut i = 0;
    while i < N {
        out[i] = kinds[i].reader;
        i += 1;
    }
    out
}

/// Unpacks all forms: the index of its fixed bits, where its operands begin and how many they are, the same of its
/// modifiers, and the index of its component in `carriers`.
#[must_use]
pub const fn forms<I: Isa, const N: usize>(
    packed: [[u16; 6]; N],
    bounds: &Bounds<'_>,
    carriers: &[&[Carrier<I>]],
) -> [Form; N] {
    let mut out = [Form { fixed: 0, operands: Run::NONE, modifiers: Run::NONE, checked: 0 }; N];
    let mut i = 0;
    while i < N {
        let [fixed, operands, n_operands, modifiers, n_modifiers, component] = packed[i];
        let mut form = Form {
            fixed,
            operands: Run { start: operands, len: n_operands as u8 },
            modifiers: Run { start: modifiers, len: n_modifiers as u8 },
            checked: 0,
        };
        let mut nth = 0;
        while nth < form.count() {
            if carriers[component as usize][bound_of(&form, bounds, nth).carrier as usize].valid.is_some() {
                form.checked |= 1 << nth;
            }
            nth += 1;
        }
        out[i] = form;
        i += 1;
    }
    out
}

/// The operand or modifier of a form with this number.
pub(crate) const fn bound_of(form: &Form, bounds: &Bounds<'_>, nth: u8) -> &'static Bound {
    let Form { operands, modifiers, .. } = form;
    let at =
        if nth < operands.len { operands.start + nth as u16 } else { modifiers.start + (nth - operands.len) as u16 };
    &bounds.kinds[bounds.all[at as usize] as usize]
}

/// What is to be read of all forms: where in `steps` it begins and how many they are.
#[must_use]
pub const fn texts<const N: usize>(packed: [[u16; 2]; N], steps: &'static [Step]) -> [&'static [Step]; N] {
    let mut out: [&[Step]; N] = [&[]; N];
    let mut i = 0;
    while i < N {
        out[i] = slice(steps, packed[i][0] as u32, packed[i][1] as u32);
        i += 1;
    }
    out
}

/// Texts that are ready to be copied.
#[must_use]
pub const fn labels<const N: usize>(texts: [&str; N]) -> [Label; N] {
    let mut out = [Label::NONE; N];
    let mut i = 0;
    while i < N {
        // The macro has refused longer ones.
        assert!(texts[i].len() <= Label::MOST);
        out[i] = Label::NONE.with(texts[i]);
        i += 1;
    }
    out
}

/// Unpacks the steps of all lines: the index of what stands before it, the operand's number and that of its component
/// from bits 16 and 24 up, and the operand as [`bounds`] has it.
#[must_use]
pub const fn line_steps<I: Isa, const N: usize>(
    packed: [[u32; 2]; N],
    shorts: &[Short],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> [LineStep; N] {
    let mut out = [LineStep { names: &[], ones: 0, lo: 0, before: Short::new(""), bound: NO_OPERAND }; N];
    let mut i = 0;
    while i < N {
        let [place, operand] = packed[i];
        (out[i].before, out[i].bound) = (shorts[place as u8 as usize], (place >> 16) as u8);
        if out[i].bound != NO_OPERAND {
            let (bits, kind) = of(operand, component(place), carriers, kinds);
            if let Some(Place { ones, lo }) = Place::new(&bits) {
                (out[i].ones, out[i].lo) = (ones, lo);
                out[i].names = by_width(&kind.names.by_width, operand);
            }
        }
        i += 1;
    }
    out
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

/// The index of a component in what is packed with the number of an operand and that of a short text.
const fn component(packed: u32) -> usize {
    (packed >> 24) as usize
}

/// The bits and the kind of an operand.
const fn of<'a, I: Isa>(
    operand: u32,
    component: usize,
    carriers: &[&[Carrier<I>]],
    kinds: &[&'a [Kind<I>]],
) -> (Bits, &'a Kind<I>) {
    let carrier = operand as u8 as usize;
    (carriers[component][carrier].bits, &kinds[component][carrier])
}

/// What is ready for an operand of this type.
const fn by_width<T>(ready: &[&'static [T]; 5], operand: u32) -> &'static [T] {
    let width = Names::width(ty(operand)) as usize;
    if width < ready.len() { ready[width] } else { &[] }
}

/// A mask of the words, the first two as one number, with the bits of a carrier added.
const fn with_bits<I: Isa>((low, third): (u64, u32), carrier: &Carrier<I>) -> (u64, u32) {
    let mut mask = [0; 3];
    carrier.bits.set(&mut mask, u32::MAX);
    (low | mask[0] as u64 | (mask[1] as u64) << 32, third | mask[2])
}

/// The bits of those carriers of a form that have one of these names.
const fn altering<I: Isa>(names: &[&str], form: &Form, bounds: &Bounds<'_>, carriers: &[Carrier<I>]) -> (u64, u32) {
    let mut mask = (0, 0);
    let mut i = 0;
    while i < form.count() as usize * names.len() {
        let carrier = &carriers[bound_of(form, bounds, (i / names.len()) as u8).carrier as usize];
        if same(carrier.name.as_bytes(), names[i % names.len()].as_bytes()) {
            mask = with_bits(mask, carrier);
        }
        i += 1;
    }
    mask
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

/// Unpacks all lines: the index of the suffix, where its steps begin and how many they are, the same for the modifiers,
/// and the component's index.
#[must_use]
pub const fn lines<I: Isa, const N: usize>(
    packed: [[u16; 6]; N],
    forms: &[Form; N],
    bounds: &Bounds<'_>,
    steps: &[LineStep],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> Lines<N> {
    let none = Line { suffix: 0, steps: Run::NONE, modifiers: Run::NONE, quiet: 0, loud: 0, alters: 0, unless: 0 };
    let mut out = Lines { lines: [none; N], masks: Masks::CAREFUL };
    let mut known = [0usize; 3];
    let mut i = 0;
    while i < N {
        let [suffix, from, count, more, n_more, component] = packed[i];
        let (form, carriers, kinds) = (&forms[i], carriers[component as usize], kinds[component as usize]);
        let mut line = Line {
            suffix: suffix as u8,
            steps: Run { start: from, len: count as u8 },
            modifiers: Run { start: more, len: n_more as u8 },
            quiet: n_more as u8,
            ..none
        };
        let mut loud = (0, 0);
        while line.quiet > 0 {
            let at = steps[more as usize + line.quiet as usize - 1].bound - MODIFIER;
            let carrier = bound_of(form, bounds, form.operands.len + at).carrier as usize;
            if !kinds[carrier].silent {
                break;
            }
            loud = with_bits(loud, &carriers[carrier]);
            line.quiet -= 1;
        }
        let mut alters = [0; 4];
        let mut nth = 0;
        while nth < count as usize {
            let step = &steps[from as usize + nth];
            if step.bound < MODIFIER {
                let kind = &kinds[bound_of(form, bounds, step.bound).carrier as usize];
                let (low, third) = altering(kind.names.altered_by, form, bounds, carriers);
                // Nothing is ready where the third word has a say.
                alters[nth & 3] |= if third == 0 { low } else { u64::MAX };
            }
            nth += 1;
        }
        let mut unless = 0;
        let mut nth = 0;
        while nth < form.count() {
            unless |= kinds[bound_of(form, bounds, nth).carrier as usize].names.unless;
            nth += 1;
        }
        let masks = &mut out.masks;
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
        out.lines[i] = line;
        i += 1;
    }
    out
}

const fn same_mask(a: (u64, u32), b: (u64, u32)) -> bool {
    a.0 == b.0 && a.1 == b.1
}

const fn same_masks(a: &[u64; 4], b: &[u64; 4]) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

/// Unpacks the operands that are listed of all forms: its number in its form and the component's as [`line_steps`] has
/// them, and the operand as [`bounds`] has it.
#[must_use]
pub const fn visit_steps<I: Isa, const N: usize>(
    packed: [[u32; 2]; N],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> [VisitStep<I::Value>; N] {
    let none = const {
        let ty = Type::new(Class::Bits, 32, 1);
        VisitStep { role: "", values: &[], place: Place::NONE, ty, access: Access::Modifier, bound: 0 }
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let [place, operand] = packed[i];
        let (bits, kind) = of(operand, component(place), carriers, kinds);
        let Bound { ty, access, carrier } = bound(operand);
        let role = carriers[component(place)][carrier as usize].name;
        out[i] = VisitStep { role, ty, access, bound: (place >> 16) as u8, ..none };
        if let Some(place) = Place::new(&bits) {
            out[i].place = place;
            out[i].values = by_width(&kind.values.by_width, operand);
        }
        i += 1;
    }
    out
}

/// Unpacks what is listed of all forms: where its steps begin and how many they are, and the component's index.
#[must_use]
pub const fn visits<I: Isa, const N: usize>(
    packed: [[u16; 3]; N],
    forms: &[Form; N],
    bounds: &Bounds<'_>,
    steps: &'static [VisitStep<I::Value>],
    kinds: &[&[Kind<I>]],
) -> [Visit<I::Value>; N] {
    let mut out = [const { Visit { steps: &[], unless: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [from, count, component] = packed[i];
        out[i].steps = slice(steps, from as u32, count as u32);
        let mut nth = 0;
        while nth < forms[i].count() {
            let kind = &kinds[component as usize][bound_of(&forms[i], bounds, nth).carrier as usize];
            out[i].unless |= kind.values.unless;
            nth += 1;
        }
        i += 1;
    }
    out
}

/// Unpacks a component's shapes: the index of its words, where its forms begin and how many they are, the word and the
/// bit that split it or 255, the tail that always follows, and what announces tails.
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
pub struct Ways<'a, I: Isa> {
    /// See [`Isa::forms_of_shapes`].
    pub forms: &'a [u16],
    /// See [`Isa::words_of_shapes`].
    pub words: &'a [u128],
    /// All lines and what they share.
    pub lines: (&'a [Line], &'a Masks),
    /// All lists of operands.
    pub visits: &'a [Visit<I::Value>],
}

/// The way from each opcode of a component straight to its form.
#[must_use]
pub const fn heads<I: Isa, const N: usize>(
    table: &[u16; N],
    slots: &[Slot],
    texts: &[u16],
    shapes: &[Shape<I>],
    ways: &Ways<'_, I>,
) -> [Head; N] {
    let mut out = [Head { text: 0, form: 0 }; N];
    let mut i = 0;
    while i < N {
        if table[i] != 0 {
            let slot = &slots[table[i] as usize - 1];
            let shape = &shapes[slot.shape as usize];
            out[i].text = texts[table[i] as usize - 1];
            let form = ways.forms[shape.forms.start as usize];
            if form != 0 && shape.split.is_none() {
                let at = form as usize - 1;
                let unless = ways.lines.1.unless[ways.lines.0[at].unless as usize] | ways.visits[at].unless;
                if ways.words[shape.words as usize] & unless == 0 {
                    out[i].form = form;
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

/// What each code of a field announces: for the codes of the list their tail plus one, for all others 0.
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

/// Unpacks the names of rows: the index of the text, format, component, slot.
#[must_use]
pub const fn entries<const N: usize>(packed: [[u16; 4]; N], labels: &'static [Label]) -> [Entry; N] {
    let mut out = [const { Entry { name: "", format: 0, component: 0, slot: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [text, format, component, slot] = packed[i];
        let name = labels[text as usize].as_str();
        out[i] = Entry { name, format: format as u8, component: component as u8, slot };
        i += 1;
    }
    out
}
