//! Tables as the macro writes them down: numbers, which the compiler reads much faster than nested structs, unpacked
//! by const functions. A thousand forms cost 0.2 s this way, and 3 s as struct literals.

use crate::kind::{Kind, Names};
use crate::operands::{Visit, VisitStep};
use crate::print::{Line, LineStep};
use crate::table::{Access, Bits, Bound, Carrier, Form, Head, Isa, Part, Place, Reader, Shape, Slot, Step, ValueFn, WriteFn};
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

/// Unpacks the operands of all forms.
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
/// The most carriers that a component can have.
const MOST_CARRIERS: usize = 64;

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
    let mut out = [const { Reader { parse: nothing::<I>, late: false, absent: |_| None } }; N];
    let mut i = 0;
    while i < N {
        out[i] = kinds[i].reader;
        i += 1;
    }
    out
}

/// Unpacks all forms: three words of mask, three of value, where its operands begin and how many they are, and the index
/// of its component in `carriers`.
#[must_use]
pub const fn forms<I: Isa, const N: usize>(
    packed: [[u32; 9]; N],
    bounds: &'static [Bound],
    carriers: &[&[Carrier<I>]],
) -> [Form; N] {
    let mut out = [const { Form { fixed: ([0; 3], [0; 3]), bound: &[], checked: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [m0, m1, m2, v0, v1, v2, at, len, component] = packed[i];
        let bound = slice(bounds, at, len);
        let mut checked = 0;
        let mut nth = 0;
        while nth < bound.len() {
            if carriers[component as usize][bound[nth].carrier as usize].valid.is_some() {
                checked |= 1 << nth;
            }
            nth += 1;
        }
        out[i] = Form { fixed: ([m0, m1, m2], [v0, v1, v2]), bound, checked };
        i += 1;
    }
    out
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
pub const fn labels<const N: usize>(texts: &[&str; N]) -> [Label; N] {
    let mut out = [Label::NONE; N];
    let mut i = 0;
    while i < N {
        out[i] = Label::NONE.with(texts[i]);
        i += 1;
    }
    out
}

/// The index of a component in what is packed with the number of an operand and that of a short text.
const fn component(packed: u32) -> usize {
    (packed >> 24) as usize
}

/// Unpacks the steps of all lines: the index of what stands before it, the operand's number in its form and the
/// component's from bits 16 and 24 up, the operand as [`bounds`] has it, and where the operands of the form begin and,
/// from bit 16 up, how many they are. The number is 255 where there is none.
#[must_use]
pub const fn line_steps<I: Isa, const N: usize>(
    packed: [[u32; 3]; N],
    shorts: &[&str],
    bounds: &'static [Bound],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> [LineStep; N] {
    let none = LineStep { names: &[], place: Place::NONE, alters: 0, before: Short::new(""), bound: u8::MAX };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let [place, operand, all] = packed[i];
        out[i].before = Short::new(shorts[place as u16 as usize]);
        out[i].bound = (place >> 16) as u8;
        if out[i].bound != u8::MAX {
            let (bits, kind) = of(operand, component(place), carriers, kinds);
            let carriers = carriers[component(place)];
            let (low, third) = altering(kind.names.altered_by, slice(bounds, all & 0xFFFF, all >> 16), carriers);
            if let Some(place) = Place::new(&bits)
                && third == 0
            {
                (out[i].place, out[i].alters) = (place, low);
                out[i].names = by_width(&kind.names.by_width, operand);
            }
        }
        i += 1;
    }
    out
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

/// The bits of those carriers in a form that have one of these names.
const fn altering<I: Isa>(names: &[&str], form: &[Bound], carriers: &[Carrier<I>]) -> (u64, u32) {
    let mut mask = (0, 0);
    let mut i = 0;
    while i < form.len() * names.len() {
        let carrier = &carriers[form[i / names.len()].carrier as usize];
        if same(carrier.name.as_bytes(), names[i % names.len()].as_bytes()) {
            mask = with_bits(mask, carrier);
        }
        i += 1;
    }
    mask
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    a.len() == b.len() && i == a.len()
}

/// Unpacks all lines: the index of the suffix, where its steps begin and how many they are, and the component's index.
#[must_use]
pub const fn lines<I: Isa, const N: usize>(
    packed: [[u16; 4]; N],
    forms: &[Form; N],
    shorts: &[&str],
    steps: &'static [LineStep],
    carriers: &[&[Carrier<I>]],
    kinds: &[&[Kind<I>]],
) -> [Line; N] {
    let none =
        Line { suffix: Short::new(""), steps: &[], quiet: 0, loud: (0, 0), unless: 0 };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let [suffix, from, count, component] = packed[i];
        let (carriers, kinds) = (carriers[component as usize], kinds[component as usize]);
        let (steps, bound) = (slice(steps, from as u32, count as u32), forms[i].bound);
        let mut line = Line { suffix: Short::new(shorts[suffix as usize]), steps, ..none };
        let mut quiet = steps.len();
        while quiet > 0 {
            let step = &steps[quiet - 1];
            if step.bound == u8::MAX || !step.before.is_empty() {
                break;
            }
            let carrier = bound[step.bound as usize].carrier as usize;
            if !kinds[carrier].silent {
                break;
            }
            line.loud = with_bits(line.loud, &carriers[carrier]);
            quiet -= 1;
        }
        line.quiet = quiet as u8;
        let mut nth = 0;
        while nth < bound.len() {
            let carrier = bound[nth].carrier as usize;
            line.unless |= kinds[carrier].names.unless;
            nth += 1;
        }
        out[i] = line;
        i += 1;
    }
    out
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
    steps: &'static [VisitStep<I::Value>],
    kinds: &[&[Kind<I>]],
) -> [Visit<I::Value>; N] {
    let mut out = [const { Visit { steps: &[], unless: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [from, count, component] = packed[i];
        out[i].steps = slice(steps, from as u32, count as u32);
        let mut nth = 0;
        while nth < forms[i].bound.len() {
            let kind = &kinds[component as usize][forms[i].bound[nth].carrier as usize];
            out[i].unless |= kind.values.unless;
            nth += 1;
        }
        i += 1;
    }
    out
}

/// The way from each opcode of a component straight to its form.
#[must_use]
pub const fn heads<I: Isa, const N: usize>(
    table: &[u16; N],
    slots: &[Slot],
    shapes: &[Shape<I>],
    lines: &[Line],
    visits: &[Visit<I::Value>],
) -> [Head; N] {
    let mut out = [Head { text: 0, form: 0 }; N];
    let mut i = 0;
    while i < N {
        if table[i] != 0 {
            let slot = &slots[table[i] as usize - 1];
            let shape = &shapes[slot.shape as usize];
            out[i].text = slot.text;
            let form = shape.forms[0];
            if form != 0 && shape.split.is_none() {
                let at = form as usize - 1;
                if shape.words & (lines[at].unless | visits[at].unless) == 0 {
                    out[i].form = form;
                }
            }
        }
        i += 1;
    }
    out
}

/// Unpacks a component's slots: number, opcode, shape, and the index of the mnemonic's text.
#[must_use]
pub const fn slots<const N: usize>(packed: [[u16; 4]; N]) -> [Slot; N] {
    let mut out = [const { Slot { number: 0, opcode: 0, shape: 0, text: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [number, opcode, shape, text] = packed[i];
        out[i] = Slot { number, opcode, shape, text };
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
pub const fn entries<const N: usize>(packed: [[u16; 4]; N], texts: &[&'static str]) -> [Entry; N] {
    let mut out = [const { Entry { name: "", format: 0, component: 0, slot: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [text, format, component, slot] = packed[i];
        out[i] = Entry { name: texts[text as usize], format: format as u8, component: component as u8, slot };
        i += 1;
    }
    out
}
