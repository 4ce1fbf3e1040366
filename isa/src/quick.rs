//! The quick way from words to an instruction: a few loads from small tables, which the compiler fills.
//!
//! The bits of the first dword that tell formats apart (the window) lead to the place of the opcode's other bits, these
//! to a number, and the number to one [`Form`]: two dwords of fixed bits, and the fields whose codes must be looked up.
//! What a code means there are two bits of a byte: none for a code that surely stands for something, [`TAIL`] for one
//! that announces the one tail that changes nothing else (a literal, say), [`ASK`] for everything that is not sure. Tables
//! have 512 bytes each and those of narrower fields repeat themselves, so that a code is a shift and a mask away
//! whatever its width. Four tables share their bytes: bits 0 to 3 say [`TAIL`] and bits 4 to 7 [`ASK`], one for each.
//!
//! The way never says no: what is not sure, [`walk`](crate::walk) looks at, and [`in_full`](crate::decode::in_full)
//! gives the account of what is wrong. Being sure is [`Operand::SURE`](crate::Operand::SURE); a test holds the ways
//! against each other.
//!
//! Lengths are told by branches, not by arithmetic: a processor guesses them, and so need not wait for one instruction
//! to know where the next begins.
//!
//! [`tables`] is run by the compiler. Forms that come to the same in the end are kept once, and sets of codes too.

use crate::encode::Kept;
use crate::pack::ty;
use crate::table::{CodeSet, Isa, MAX_DWORDS, Sure};

/// In a set: the code announces the tail that the form can have without any other change.
const TAIL: u8 = 1;
/// In a set: the tables do not know.
const ASK: u8 = 1 << SETS;

/// How many sets share bytes.
const SETS: usize = 4;

/// The number of the form, which fits no words, of opcodes that no row has. Form 0 fits none either, but rows may.
const NO_ROW: u8 = 1;

/// How many fields of a form can be looked up.
const CHECKS: usize = 6;
/// How many of them are always looked up, whether there are any or not: cheaper than to ask.
const ALWAYS: usize = 3;

/// Where the words with one value of the window have the rest of their opcode.
#[derive(Clone, Copy)]
pub struct Window {
    base: u16,
    mask: u16,
    shift: u32,
}

/// A field to look up: its lowest bit in the first two dwords, where its set begins, and which bits there are its own.
#[derive(Clone, Copy)]
struct Check {
    lo: u8,
    mask: u8,
    set: u16,
}

impl Check {
    /// Always sure.
    const NONE: Check = Check { lo: 0, mask: 0, set: 0 };
}

/// All that is to be held against the words of one form.
#[derive(Clone, Copy)]
pub struct Form {
    mask: u64,
    value: u64,
    checks: [Check; CHECKS],
    format: u8,
    /// The length without an announced tail.
    len: u8,
    /// The length with one.
    longer: u8,
    /// Whether there are more than [`ALWAYS`] checks.
    more: bool,
}

impl Form {
    /// Fits no words.
    const NONE: Form =
        Form { mask: 0, value: 1, checks: [Check::NONE; CHECKS], format: 0, len: 0, longer: 0, more: false };
}

/// The tables of a set: `M` modes, `W` windows, `O` opcodes, `F` forms, `S` bytes of sets (a power of two).
pub struct Tables<const M: usize, const W: usize, const O: usize, const F: usize, const S: usize> {
    windows: [Window; W],
    ops: [[u8; O]; M],
    forms: [Form; F],
    sets: [u8; S],
}

impl<const M: usize, const W: usize, const O: usize, const F: usize, const S: usize> Tables<M, W, O, F, S> {
    /// The number of the form that the opcode in a first dword leads to.
    #[inline(always)]
    fn op(&self, lo: u8, mode: usize, word: u32) -> Option<u8> {
        let window = self.windows.get((word >> lo) as usize & (W - 1))?;
        let at = usize::from(window.base) + (word >> (window.shift & 31) & u32::from(window.mask)) as usize;
        self.ops.get(mode)?.get(at).copied()
    }
}

/// The instruction that these words surely begin with, and its length. `lo` is the window's lowest bit.
#[inline(always)]
pub fn decode<I: Isa, const M: usize, const W: usize, const O: usize, const F: usize, const S: usize>(
    tables: &'static Tables<M, W, O, F, S>,
    lo: u8,
    mode: usize,
    words: &[u32; MAX_DWORDS],
) -> Option<(I::Instr, usize)> {
    let [w0, w1, w2] = *words;
    let id = tables.op(lo, mode, w0)?;
    let form = tables.forms.get(usize::from(id))?;
    let low = u64::from(w0) | u64::from(w1) << 32;
    let look = |c: &Check| tables.sets[(usize::from(c.set) | (low >> (c.lo & 63)) as usize & 511) & (S - 1)] & c.mask;
    let [a, b, c, d, e, f] = &form.checks;
    let mut class = look(a) | look(b) | look(c);
    if form.more {
        class |= look(d) | look(e) | look(f);
    }
    if low & form.mask != form.value || class >= 1 << SETS {
        return None;
    }
    let (low, third, len) = match if class == 0 { form.len } else { form.longer } {
        1 => (u64::from(w0), 0, 1),
        2 => (low, 0, 2),
        _ => (low, w2, 3),
    };
    Some((I::kept(form.format, Kept::packed(low, third, len as u8))?, len))
}

/// Whether a word surely begins no instruction of any row, so that no other way need be tried.
#[inline]
pub fn hopeless<const M: usize, const W: usize, const O: usize, const F: usize, const S: usize>(
    tables: &'static Tables<M, W, O, F, S>,
    lo: u8,
    word: u32,
) -> bool {
    tables.op(lo, 0, word) == Some(NO_ROW)
}

/// What the macro knows of all forms.
pub struct Source<'a> {
    /// What is sure of each kind; the first one is sure of all codes.
    pub kinds: &'a [Sure],
    /// The codes that announce a tail, for each field that has some: the code and the tail's index plus one.
    pub announces: &'a [&'a [(u32, u8)]],
    /// What can be asked: kind, type, the row's words in two halves, what comes of tails (two bits each, from the first:
    /// 1 for `TAIL`, 2 for `ASK`), the index of the announcement plus one or 0, and up to three runs of bits, the
    /// highest first (dword, lowest bit and width, a byte each from the highest down).
    pub asks: &'a [[u32; 11]],
    /// Lists of indices in `asks`.
    pub lists: &'a [u16],
    /// Masks and values of two dwords; format, lengths without and with a tail, and mode plus one or 0, a byte each from
    /// the lowest; where the list of what is asked begins and how long it is.
    pub forms: &'a [[u32; 7]],
}

/// A set of codes of a field that is as wide as this.
#[derive(Clone, Copy)]
struct Set {
    codes: CodeSet,
    width: u8,
    announce: u16,
    tails: u16,
}

const NO_SET: Set = Set { codes: CodeSet::ALL, width: 0, announce: 0, tails: 0 };

const fn same_set(a: &Set, b: &Set) -> bool {
    a.width == b.width && a.announce == b.announce && a.tails == b.tails && a.codes.same(&b.codes)
}

/// Sets of codes, each once.
struct Sets {
    all: [Set; 128],
    count: usize,
}

impl Sets {
    /// The number of a set; 0 is the one that is sure of everything.
    const fn at(&mut self, set: Set) -> Option<u16> {
        let mut i = 0;
        while i < self.count {
            if same_set(&self.all[i], &set) {
                return Some(i as u16);
            }
            i += 1;
        }
        if i == self.all.len() {
            return None;
        }
        self.all[i] = set;
        self.count += 1;
        Some(i as u16)
    }
}

/// The forms and sets of all modes, each once: `N` forms come in, at most `F` go out.
///
/// The compiler runs functions with constant parameters several times more slowly than others, so this and [`Tables`]
/// are filled by such as have none.
pub struct Built<const M: usize, const N: usize, const F: usize> {
    forms: [Form; F],
    count: usize,
    ids: [[u16; N]; M],
    sets: Sets,
}

impl<const M: usize, const N: usize, const F: usize> Built<M, N, F> {
    /// How many forms there are.
    #[must_use]
    pub const fn forms(&self) -> usize {
        self.count
    }

    /// How many bytes the sets have, rounded up to a power of two.
    #[must_use]
    pub const fn sets(&self) -> usize {
        (self.sets.count.div_ceil(SETS) * 512).next_power_of_two()
    }
}

/// What being asked one thing comes to, whatever the form: bits of the first two dwords that must be zero, and the
/// fields to look up. Forms share their questions, so this is worked out once for each question and mode.
#[derive(Clone, Copy)]
struct Answer {
    known: bool,
    /// Whether something is sure.
    sure: bool,
    zero: u64,
    checks: [Check; CHECKS],
    count: usize,
}

/// How many questions have their answers kept; those beyond are worked out each time.
const KEPT: usize = 2048;

impl Answer {
    const NONE: Answer = Answer { known: false, sure: true, zero: 0, checks: [Check::NONE; CHECKS], count: 0 };

    /// Adds bits that must be zero.
    const fn zero(&mut self, word: u32, mask: u32) -> bool {
        if mask != 0 {
            if word > 1 {
                return false;
            }
            self.zero |= (mask as u64) << (32 * word);
        }
        true
    }
}

/// Adds an answer to a form; `false` where nothing is sure.
const fn add(form: &mut Form, count: &mut usize, answer: &Answer) -> bool {
    // A bit that must be one and zero fits nothing.
    if !answer.sure || form.mask & form.value & answer.zero != 0 {
        return false;
    }
    form.mask |= answer.zero;
    if *count + answer.count > CHECKS {
        return false;
    }
    let mut i = 0;
    while i < answer.count {
        form.checks[*count] = answer.checks[i];
        *count += 1;
        i += 1;
    }
    form.more = *count > ALWAYS;
    true
}

/// What is asked of one field.
const fn ask(sets: &mut Sets, source: &Source<'_>, asked: &[u32; 11], mode: u8) -> Answer {
    let [kind, packed, w0, w1, w2, w3, tails, announce, runs @ ..] = *asked;
    let words = w0 as u128 | (w1 as u128) << 32 | (w2 as u128) << 64 | (w3 as u128) << 96;
    let sure = source.kinds[kind as usize].of(ty(packed), words, mode);
    let mut answer = Answer { known: true, ..Answer::NONE };
    if let Sure::Parts(parts) = sure {
        answer.sure = runs[1] == 0 && announce == 0;
        let mut i = 0;
        while i < parts.len() && answer.sure {
            let (lo, width, sure) = parts[i];
            let run = [((runs[0] & !0xFF) + ((lo as u32) << 8)) | width as u32, 0, 0];
            answer.sure = field(sets, &mut answer, &sure, (0, 0), run);
            i += 1;
        }
        return answer;
    }
    answer.sure = field(sets, &mut answer, &sure, (announce, tails), runs);
    answer
}

/// The same of one field, or of a part of one.
const fn field(
    sets: &mut Sets,
    answer: &mut Answer,
    sure: &Sure,
    (announce, tails): (u32, u32),
    runs: [u32; 3],
) -> bool {
    let (word, lo, width) = (runs[0] >> 16, runs[0] >> 8 & 0xFF, runs[0] & 0xFF);
    let single = runs[1] == 0 && width > 0;
    let small = single && width <= 9 && word < 2;
    let mut codes = match *sure {
        Sure::All if announce == 0 => return true,
        Sure::All => CodeSet::ALL,
        Sure::Only(set) | Sure::With(set) => *set,
        Sure::Within(bits) => {
            if announce == 0 || !small {
                // Not a matter of sets: bits that must not be there, from the lowest run up.
                let mut outside = !bits as u64;
                let mut i = runs.len();
                while i > 0 {
                    i -= 1;
                    let (word, lo, width) = (runs[i] >> 16, runs[i] >> 8 & 0xFF, runs[i] & 0xFF);
                    let ones = ((1u64 << width) - 1) as u32;
                    if !answer.zero(word, (outside as u32 & ones) << lo) {
                        return false;
                    }
                    outside >>= width;
                }
                return announce == 0;
            }
            CodeSet::within(bits)
        }
        Sure::Cases(_) | Sure::Parts(_) => return false,
    };
    if width == 0 {
        return codes.has(0);
    }
    let mut all = codes;
    if small {
        all = all.with(1 << width, 511);
    }
    if announce == 0 && all.same(&CodeSet::ALL) {
        return true;
    }
    if !small || answer.count == CHECKS {
        return false;
    }
    // Codes that the field cannot hold do not tell sets apart.
    codes = codes.without(1 << width, 511);
    let set = Set { codes, width: width as u8, announce: announce as u16, tails: tails as u16 };
    match sets.at(set) {
        None => false,
        Some(set) => {
            let (set, mask) = (set / SETS as u16 * 512, (TAIL | ASK) << (set % SETS as u16));
            answer.checks[answer.count] = Check { lo: (word * 32 + lo) as u8, mask, set };
            answer.count += 1;
            true
        }
    }
}

const fn hash(form: &Form) -> usize {
    let mut all = (form.mask as u32).wrapping_mul(31) ^ (form.mask >> 32) as u32;
    all = all.wrapping_mul(0x9E37_79B1) ^ form.value as u32;
    all = all.wrapping_mul(0x9E37_79B1) ^ (form.value >> 32) as u32 ^ form.format as u32 ^ (form.longer as u32) << 8;
    let mut i = 0;
    while i < CHECKS {
        all = all.wrapping_mul(0x9E37_79B1) ^ form.checks[i].lo as u32;
        all ^= (form.checks[i].set as u32) << 8 ^ (form.checks[i].mask as u32) << 24;
        i += 1;
    }
    (all.wrapping_mul(0x9E37_79B1) >> 20) as usize
}

const fn same_form(a: &Form, b: &Form) -> bool {
    let mut i = 0;
    while i < CHECKS {
        let (a, b) = (&a.checks[i], &b.checks[i]);
        if a.lo != b.lo || a.set != b.set || a.mask != b.mask {
            return false;
        }
        i += 1;
    }
    a.mask == b.mask && a.value == b.value && a.format == b.format && a.len == b.len && a.longer == b.longer
}

/// Makes the forms and sets of all modes.
#[must_use]
pub const fn build<const M: usize, const N: usize, const F: usize>(source: &Source<'_>) -> Built<M, N, F> {
    let sets = Sets { all: [NO_SET; 128], count: 1 };
    let mut built = Built { forms: [Form::NONE; F], count: 1 + NO_ROW as usize, ids: [[0; N]; M], sets };
    let mut lists = Lists { first: [0; 4096], next: &mut [0; F] };
    let mut mode = 0;
    while mode < M {
        let (forms, ids) = (&mut built.forms, &mut built.ids[mode]);
        built.count = of_mode(source, mode, forms, built.count, ids, &mut lists, &mut built.sets);
        mode += 1;
    }
    built
}

/// Forms with the same hash, as lists: where each begins, and what follows each form.
struct Lists<'a> {
    first: [u16; 4096],
    next: &'a mut [u16],
}

/// Adds the forms of a mode; how many there are then.
const fn of_mode(
    source: &Source<'_>,
    mode: usize,
    forms: &mut [Form],
    mut n_forms: usize,
    ids: &mut [u16],
    lists: &mut Lists<'_>,
    sets: &mut Sets,
) -> usize {
    let mut answers = [Answer::NONE; KEPT];
    let mut i = 0;
    while i < ids.len() {
        let [m0, m1, v0, v1, facts, at, len] = source.forms[i];
        let only = facts >> 24;
        if only == 0 || only as usize == mode + 1 {
            let mut form = Form {
                mask: m0 as u64 | (m1 as u64) << 32,
                value: v0 as u64 | (v1 as u64) << 32,
                format: facts as u8,
                len: (facts >> 8) as u8,
                longer: (facts >> 16) as u8,
                ..Form::NONE
            };
            let mut sure = true;
            let mut count = 0;
            let mut nth = 0;
            while nth < len && sure {
                let asked = source.lists[(at + nth) as usize] as usize;
                sure = if asked < KEPT {
                    if !answers[asked].known {
                        answers[asked] = ask(sets, source, &source.asks[asked], mode as u8);
                    }
                    add(&mut form, &mut count, &answers[asked])
                } else {
                    add(&mut form, &mut count, &ask(sets, source, &source.asks[asked], mode as u8))
                };
                nth += 1;
            }
            if sure {
                let bucket = hash(&form) & 4095;
                let mut id = lists.first[bucket];
                while id != 0 && !same_form(&forms[id as usize], &form) {
                    id = lists.next[id as usize];
                }
                // The tables name forms by a byte: what finds no room is left to the other way.
                if id == 0 && n_forms <= u8::MAX as usize {
                    id = n_forms as u16;
                    forms[n_forms] = form;
                    lists.next[n_forms] = lists.first[bucket];
                    lists.first[bucket] = id;
                    n_forms += 1;
                }
                ids[i] = id;
            }
        }
        i += 1;
    }
    n_forms
}

/// The tables: windows as base, shift and mask, opcodes as the index of a form that came in plus one, or 0, or
/// `u16::MAX` where no row has the opcode.
#[must_use]
pub const fn tables<
    const M: usize,
    const W: usize,
    const O: usize,
    const F: usize,
    const S: usize,
    const N: usize,
    const MOST: usize,
>(
    source: &Source<'_>,
    built: &Built<M, N, MOST>,
    windows: &[[u16; 3]; W],
    ops: &[u16; O],
) -> Tables<M, W, O, F, S> {
    let mut out = Tables {
        windows: [Window { base: 0, mask: 0, shift: 0 }; W],
        ops: [[0; O]; M],
        forms: [Form::NONE; F],
        sets: [0; S],
    };
    fill_windows(&mut out.windows, windows);
    let mut mode = 0;
    while mode < M {
        fill_ops(&mut out.ops[mode], ops, &built.ids[mode]);
        mode += 1;
    }
    out.forms.copy_from_slice(built.forms.split_at(F).0);
    fill_sets(&mut out.sets, source, &built.sets);
    out
}

const fn fill_windows(out: &mut [Window], windows: &[[u16; 3]]) {
    let mut i = 0;
    while i < out.len() {
        let [base, shift, mask] = windows[i];
        out[i] = Window { base, mask, shift: shift as u32 };
        i += 1;
    }
}

const fn fill_ops(out: &mut [u8], ops: &[u16], ids: &[u16]) {
    let mut i = 0;
    while i < out.len() {
        if ops[i] == u16::MAX {
            out[i] = NO_ROW;
        } else if ops[i] != 0 {
            out[i] = ids[ops[i] as usize - 1] as u8;
        }
        i += 1;
    }
}

const fn fill_sets(out: &mut [u8], source: &Source<'_>, sets: &Sets) {
    // The first one stays as it is: for checks that a form does not need.
    let mut i = 1;
    while i < sets.count {
        let (bytes, group) = (bytes(source, &sets.all[i]), i / SETS * 512);
        let mut code = 0;
        while code < bytes.len() {
            out[group + code] |= bytes[code] << (i % SETS);
            code += 1;
        }
        i += 1;
    }
}

/// What each code of a set comes to.
const fn bytes(source: &Source<'_>, set: &Set) -> [u8; 512] {
    let mut out = [0; 512];
    let size = 1usize << set.width;
    let mut code = 0;
    while code < size {
        if !set.codes.has(code as u32) {
            out[code] = ASK;
        }
        code += 1;
    }
    if set.announce != 0 {
        let announced = source.announces[set.announce as usize - 1];
        let mut i = 0;
        while i < announced.len() {
            let (code, tail) = announced[i];
            let plain = set.tails >> (2 * (tail - 1)) & 3 == 1 && set.codes.has(code);
            out[code as usize] = if plain { TAIL } else { ASK };
            i += 1;
        }
    }
    let mut code = size;
    while code < 512 {
        out[code] = out[code & (size - 1)];
        code += 1;
    }
    out
}
