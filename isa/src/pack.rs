//! Tables as the macro writes them down: numbers, which the compiler reads much faster than nested structs, unpacked
//! by const functions. A thousand forms cost 0.2 s this way, and 3 s as struct literals.

use crate::table::{Access, Bound, Carrier, Form, Isa, Quiet, Slot, Step};
use crate::{Class, Entry, Names, Type};

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

/// Unpacks the operands of all forms.
#[must_use]
pub const fn bounds<const N: usize>(packed: [u32; N]) -> [Bound; N] {
    let word = Type::new(Class::Bits, 32, 1);
    let mut out = [Bound { carrier: 0, ty: word, access: Access::Modifier, width: 0 }; N];
    let mut i = 0;
    while i < N {
        let p = packed[i];
        let access = match p >> ACCESS & 3 {
            0 => Access::Read,
            1 => Access::Write,
            2 => Access::ReadWrite,
            _ => Access::Modifier,
        };
        out[i] = Bound { carrier: p as u8, ty: ty(p), access, width: Names::width(ty(p)) };
        i += 1;
    }
    out
}

/// Unpacks the texts of all forms.
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

/// Which carriers decoding has to ask whether their code means something: a bit for each, the lowest for the first.
#[must_use]
const fn checked<I: Isa>(carriers: &[Carrier<I>]) -> u64 {
    let mut out = 0;
    let mut i = 0;
    while i < carriers.len() {
        if carriers[i].kind.valid.is_some() {
            out |= 1 << i;
        }
        i += 1;
    }
    out
}

/// What [`forms`] has to know of a component's carriers: which are [`checked`], and the bits of those that write nothing
/// where these are zero.
pub struct Facts {
    checked: u64,
    silent: [Option<[u32; 3]>; 64],
    /// The bits of those that change how others are written.
    alters: [[u32; 3]; 64],
}

/// See `Facts`.
#[must_use]
pub const fn facts<I: Isa>(carriers: &[Carrier<I>]) -> Facts {
    let mut silent = [None; 64];
    let mut alters = [[0; 3]; 64];
    let mut i = 0;
    while i < carriers.len() && i < silent.len() {
        let carrier = &carriers[i];
        let mut mask = [0; 3];
        carrier.bits.set(&mut mask, u32::MAX);
        if carrier.kind.silent {
            silent[i] = Some(mask);
        }
        if carrier.kind.alters {
            alters[i] = mask;
        }
        i += 1;
    }
    Facts { checked: checked(carriers), silent, alters }
}

/// The modifiers at the end of a text that write nothing where their bits are zero.
const fn quiet(text: &[Step], bound: &[Bound], facts: &Facts) -> Quiet {
    let mut mask = [0; 3];
    let mut steps = text.len();
    while steps > 0 {
        let Step::Operand(at) = text[steps - 1] else { break };
        let carrier = bound[at as usize].carrier as usize;
        if carrier >= facts.silent.len() {
            break;
        }
        let Some(bits) = facts.silent[carrier] else { break };
        mask = [mask[0] | bits[0], mask[1] | bits[1], mask[2] | bits[2]];
        steps -= 1;
    }
    let mut alters = [0; 3];
    let mut i = 0;
    while i < bound.len() {
        let carrier = bound[i].carrier as usize;
        // Far carriers are taken for such as change everything.
        let bits = if carrier < facts.alters.len() { facts.alters[carrier] } else { [u32::MAX; 3] };
        alters = [alters[0] | bits[0], alters[1] | bits[1], alters[2] | bits[2]];
        i += 1;
    }
    Quiet { mask, steps: steps as u8, alters }
}

/// Unpacks all forms: three words of mask, three of value, the suffix's index, where its operands begin and how many
/// they are, the same for its text, and the index of its component in `facts`.
#[must_use]
pub const fn forms<const N: usize>(
    packed: [[u32; 12]; N],
    suffixes: &[&'static str],
    bounds: &'static [Bound],
    steps: &'static [Step],
    facts: &[Facts],
) -> [Form; N] {
    const QUIET: Quiet = Quiet { mask: [0; 3], steps: 0, alters: [0; 3] };
    const NONE: Form = Form { fixed: ([0; 3], [0; 3]), suffix: "", bound: &[], checked: 0, text: &[], quiet: QUIET };
    let mut out = [NONE; N];
    let mut i = 0;
    while i < N {
        let [m0, m1, m2, v0, v1, v2, suffix, at, len, from, count, component] = packed[i];
        let bound = slice(bounds, at, len);
        let mut asked = 0;
        let mut nth = 0;
        while nth < bound.len() {
            if facts[component as usize].checked >> bound[nth].carrier & 1 == 1 {
                asked |= 1 << nth;
            }
            nth += 1;
        }
        out[i] = Form {
            fixed: ([m0, m1, m2], [v0, v1, v2]),
            suffix: suffixes[suffix as usize],
            bound,
            checked: asked,
            text: slice(steps, from, count),
            quiet: quiet(slice(steps, from, count), bound, &facts[component as usize]),
        };
        i += 1;
    }
    out
}

/// Unpacks a component's slots: number, opcode, shape, and the index of the mnemonic's text.
#[must_use]
pub const fn slots<const N: usize>(packed: [[u16; 4]; N], texts: &[&'static str]) -> [Slot; N] {
    let mut out = [const { Slot { number: 0, opcode: 0, shape: 0, text: "" } }; N];
    let mut i = 0;
    while i < N {
        let [number, opcode, shape, text] = packed[i];
        out[i] = Slot { number, opcode, shape, text: texts[text as usize] };
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
