//! How the compiler fills the tables of the quick way: from what kinds say is sure of their codes, which is asked once for
//! questions that are alike. Forms that come to the same in the end are kept once, and sets of codes too.

use super::{ALWAYS, ASK, CHECKS, Check, FORMS, Form, NO_ROW, SET, SETS, SetAt, TAIL, Tables, Window};
use crate::pack::ty;
use crate::table::{CodeSet, Sure};

/// What the macro knows of all forms.
pub struct Source<'a> {
    /// What is sure of each kind; the first one is sure of all codes.
    pub kinds: &'a [Sure],
    /// The codes that announce a tail, for each field that has some: the code and the tail's index plus one.
    pub announces: &'a [&'a [(u32, u8)]],
    /// What can be asked: kind, type, the row's words in two halves, what comes of tails (two bits each, from the first:
    /// 1 for `TAIL`, 2 for `ASK`), the index of the announcement plus one or 0, and up to three runs of bits, the
    /// highest first (dword, lowest bit and width, a byte each from the highest down). Questions that are alike but for
    /// the row's words and where the bits are follow one another.
    pub asks: &'a [[u32; 11]],
    /// Lists of indices in `asks`.
    pub lists: &'a [u16],
    /// Masks and values of two dwords; format, lengths without and with a tail, and mode plus one or 0, a byte each from
    /// the lowest; where the list of what is asked begins and how long it is.
    pub forms: &'a [[u32; 7]],
}

/// A form as it comes of what is asked.
#[derive(Clone, Copy)]
struct Asked {
    mask: u64,
    value: u64,
    checks: [Check; CHECKS],
    format: u8,
    len: u8,
    longer: u8,
}

impl Asked {
    /// Fits no words.
    const NONE: Asked = Asked { mask: 0, value: 1, checks: [Check::NONE; CHECKS], format: 0, len: 0, longer: 0 };

    /// Whether it has more fields to look up than are always.
    const fn more(&self) -> bool {
        self.checks[ALWAYS].number() != 0
    }
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
    all: [Set; SETS * SetAt::ALL.len()],
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
    forms: [Asked; F],
    count: usize,
    ids: [[u16; N]; M],
    sets: Sets,
}

impl<const M: usize, const N: usize, const F: usize> Built<M, N, F> {
    /// One more than the number of forms that have more fields to look up than are always.
    #[must_use]
    pub const fn more(&self) -> usize {
        let (mut more, mut i) = (1, 0);
        while i < self.count {
            more += self.forms[i].more() as usize;
            i += 1;
        }
        more
    }

    /// How many bytes the sets have, rounded up to a power of two.
    #[must_use]
    pub const fn sets(&self) -> usize {
        (self.sets.count.div_ceil(SETS) * SET).next_power_of_two()
    }
}

/// What being asked something comes to, whatever the form: bits of the first two dwords that must be zero, and the fields
/// to look up. Forms share their questions and lists of these, so this is worked out once for each and each mode.
#[derive(Clone, Copy)]
struct Answer {
    known: bool,
    /// Whether something is sure.
    sure: bool,
    zero: u64,
    checks: [Check; CHECKS],
    count: usize,
}

/// How many questions there can be; those beyond are never sure.
const MOST_ASKED: usize = 4096;
/// How many beginnings of lists have their answers kept; those beyond are worked out each time.
const KEPT: usize = 8192;

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

    /// Adds the answer to another question.
    const fn and(&mut self, other: &Answer) {
        self.sure = self.sure && other.sure && self.count + other.count <= CHECKS;
        self.zero |= other.zero;
        let mut i = 0;
        while i < other.count && self.sure {
            self.checks[self.count] = other.checks[i];
            self.count += 1;
            i += 1;
        }
    }

    const fn same(&self, other: &Answer) -> bool {
        let mut i = 0;
        while i < self.count {
            if !self.checks[i].same(other.checks[i]) {
                return false;
            }
            i += 1;
        }
        self.sure == other.sure && self.zero == other.zero && self.count == other.count
    }
}

/// What comes of a question, wherever the field stands.
#[derive(Clone, Copy)]
enum Outcome {
    /// Every code is sure.
    Nothing,
    /// None is.
    Never,
    /// Bits beside these must be zero.
    Within(u32),
    /// The number of a set.
    Set(u16),
    /// Each run of bits is asked by itself.
    Parts(&'static [(u8, u8, Sure)]),
}

/// The width of a field that is one run of bits; 0 where there are none.
const fn width(runs: [u32; 3]) -> u32 {
    if runs[1] == 0 { runs[0] & 0xFF } else { u32::MAX }
}

/// Whether two questions are the same but for where their fields are; `words` are those that their kind asks for.
const fn alike(a: &[u32; 11], b: &[u32; 11], words: u128) -> bool {
    a[0] == b[0]
        && a[1] == b[1]
        && a[6] == b[6]
        && a[7] == b[7]
        && width([a[8], a[9], a[10]]) == width([b[8], b[9], b[10]])
        && (row_words(a) ^ row_words(b)) & words == 0
}

/// The words of the row that a question is about.
const fn row_words(asked: &[u32; 11]) -> u128 {
    asked[2] as u128 | (asked[3] as u128) << 32 | (asked[4] as u128) << 64 | (asked[5] as u128) << 96
}

/// The answers to all questions in a mode; `first` are those in the first mode, if this is another. Questions that are
/// alike follow one another, so that most need no more than the outcome of the last.
const fn ask_all(out: &mut [Answer], sets: &mut Sets, source: &Source<'_>, mode: u8, first: Option<&[Answer]>) {
    let (mut words, mut by_mode, mut outcome) = (0, false, Outcome::Never);
    let mut i = 0;
    while i < source.asks.len() && i < out.len() {
        let asked = &source.asks[i];
        let [kind, packed, .., tails, announce, a, b, c] = *asked;
        let sure = &source.kinds[kind as usize];
        let new = i == 0 || source.asks[i - 1][0] != kind;
        if new {
            (words, by_mode) = sure.depends();
        }
        match first {
            Some(first) if !by_mode => out[i] = first[i],
            _ => {
                if new || !alike(asked, &source.asks[i - 1], words) {
                    let sure = sure.of(ty(packed), row_words(asked), mode);
                    outcome = outcome_of(sets, &sure, (announce, tails), width([a, b, c]));
                }
                out[i] = answer(sets, outcome, [a, b, c]);
            }
        }
        i += 1;
    }
}

/// What comes of a question about a field that is as wide as this.
const fn outcome_of(sets: &mut Sets, sure: &Sure, (announce, tails): (u32, u32), width: u32) -> Outcome {
    let small = width <= 9;
    let mut codes = match *sure {
        Sure::All if announce == 0 => return Outcome::Nothing,
        Sure::All => CodeSet::ALL,
        Sure::Only(set) | Sure::With(set) => *set,
        // Not a matter of sets.
        Sure::Within(bits) if announce == 0 => return Outcome::Within(bits),
        Sure::Within(bits) if small => CodeSet::within(bits),
        Sure::Parts(parts) if announce == 0 => return Outcome::Parts(parts),
        Sure::Within(_) | Sure::Cases(_) | Sure::Parts(_) => return Outcome::Never,
    };
    if width == 0 {
        return if codes.has(0) { Outcome::Nothing } else { Outcome::Never };
    }
    let all = if small { codes.with(1 << width, 511) } else { codes };
    if announce == 0 && all.same(&CodeSet::ALL) {
        return Outcome::Nothing;
    }
    if !small {
        return Outcome::Never;
    }
    // Codes that the field cannot hold do not tell sets apart.
    codes = codes.without(1 << width, 511);
    match sets.at(Set { codes, width: width as u8, announce: announce as u16, tails: tails as u16 }) {
        None => Outcome::Never,
        Some(set) => Outcome::Set(set),
    }
}

/// The answer to a question about these runs of bits.
const fn answer(sets: &mut Sets, outcome: Outcome, runs: [u32; 3]) -> Answer {
    let mut answer = Answer { known: true, ..Answer::NONE };
    match outcome {
        Outcome::Nothing => {}
        Outcome::Never => answer.sure = false,
        Outcome::Within(bits) => {
            // From the lowest run up.
            let mut outside = !bits as u64;
            let mut i = runs.len();
            while i > 0 && answer.sure {
                i -= 1;
                let (word, lo, width) = (runs[i] >> 16, runs[i] >> 8 & 0xFF, runs[i] & 0xFF);
                let ones = ((1u64 << width) - 1) as u32;
                answer.sure = answer.zero(word, (outside as u32 & ones) << lo);
                outside >>= width;
            }
        }
        Outcome::Set(set) => {
            let (word, lo) = (runs[0] >> 16, runs[0] >> 8 & 0xFF);
            answer.sure = word < 2;
            let (set, mask) = (SetAt::ALL[set as usize / SETS], (TAIL | ASK) << (set % SETS as u16));
            answer.checks[0] = Check { lo: (word * 32 + lo) as u8, mask, set };
            answer.count = 1;
        }
        Outcome::Parts(parts) => {
            answer.sure = runs[1] == 0;
            let mut i = 0;
            while i < parts.len() && answer.sure {
                let (lo, width, sure) = parts[i];
                let run = ((runs[0] & !0xFF) + ((lo as u32) << 8)) | width as u32;
                let part = outcome_of(sets, &sure, (0, 0), width as u32);
                // A part has no parts.
                let part = if let Outcome::Parts(_) = part { Outcome::Never } else { part };
                answer.and(&self::answer(sets, part, [run, 0, 0]));
                i += 1;
            }
        }
    }
    answer
}

const fn hash(form: &Asked) -> usize {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut all = form.mask.wrapping_mul(31) ^ form.value;
    all = all.wrapping_mul(SPREAD) ^ form.format as u64 ^ (form.longer as u64) << 8;
    let mut i = 0;
    while i < CHECKS {
        all = all.wrapping_mul(SPREAD) ^ form.checks[i].number() as u64;
        i += 1;
    }
    (all.wrapping_mul(SPREAD) >> 52) as usize
}

const fn same_form(a: &Asked, b: &Asked) -> bool {
    let mut i = 0;
    while i < CHECKS {
        if !a.checks[i].same(b.checks[i]) {
            return false;
        }
        i += 1;
    }
    a.mask == b.mask && a.value == b.value && a.format == b.format && a.len == b.len && a.longer == b.longer
}

/// Makes the forms and sets of all modes.
#[must_use]
pub const fn build<const M: usize, const N: usize, const F: usize>(source: &Source<'_>) -> Built<M, N, F> {
    let sets = Sets { all: [NO_SET; SETS * SetAt::ALL.len()], count: 1 };
    let mut built = Built { forms: [Asked::NONE; F], count: 1 + NO_ROW as usize, ids: [[0; N]; M], sets };
    let mut lists = Lists { first: [0; 4096], next: &mut [0; F] };
    let mut first = Answers::NONE;
    let mut mode = 0;
    while mode < M {
        let Built { forms, ids, sets, count } = &mut built;
        let (of_first, rest) = ids.split_at_mut(mode);
        if mode == 0 {
            *count = of_mode(source, mode, forms, *count, &mut rest[0], &mut lists, sets, &mut first, None);
        } else {
            let before = Some((&first, &of_first[0] as &[u16]));
            let mut answers = Answers::NONE;
            *count = of_mode(source, mode, forms, *count, &mut rest[0], &mut lists, sets, &mut answers, before);
        }
        mode += 1;
    }
    built
}

/// Forms with the same hash, as lists: where each begins, and what follows each form.
struct Lists<'a> {
    first: [u16; 4096],
    next: &'a mut [u16],
}

/// The answers in one mode: to questions, and to lists of them by where they begin.
struct Answers {
    questions: [Answer; MOST_ASKED],
    lists: [Answer; KEPT],
}

impl Answers {
    const NONE: Answers = Answers { questions: [Answer::NONE; MOST_ASKED], lists: [Answer::NONE; KEPT] };

    /// The answer to a list of questions.
    const fn list(&mut self, source: &Source<'_>, at: usize, len: usize) -> Answer {
        // An empty list begins where the next one does.
        let kept = at < KEPT && len > 0;
        if kept && self.lists[at].known {
            return self.lists[at];
        }
        let mut all = Answer { known: true, ..Answer::NONE };
        let mut nth = 0;
        while nth < len && all.sure {
            let asked = source.lists[at + nth] as usize;
            // What found no room is not sure.
            all.and(if asked < MOST_ASKED { &self.questions[asked] } else { &Answer { sure: false, ..Answer::NONE } });
            nth += 1;
        }
        if kept {
            self.lists[at] = all;
        }
        all
    }
}

/// Adds the forms of a mode; how many there are then. `before` is what came of the first mode, if this is another.
#[allow(clippy::too_many_arguments)]
const fn of_mode(
    source: &Source<'_>,
    mode: usize,
    forms: &mut [Asked],
    mut n_forms: usize,
    ids: &mut [u16],
    lists: &mut Lists<'_>,
    sets: &mut Sets,
    answers: &mut Answers,
    before: Option<(&Answers, &[u16])>,
) -> usize {
    let first: Option<&[Answer]> = match before {
        Some((first, _)) => Some(&first.questions),
        None => None,
    };
    ask_all(&mut answers.questions, sets, source, mode as u8, first);
    let mut i = 0;
    while i < ids.len() {
        let [m0, m1, v0, v1, facts, at, len] = source.forms[i];
        let only = facts >> 24;
        if only == 0 || only as usize == mode + 1 {
            let answer = answers.list(source, at as usize, len as usize);
            // Most forms are the same in all modes.
            if let Some((first, ids_of_first)) = before
                && only == 0
                && (at as usize) < KEPT
                && answer.same(&first.lists[at as usize])
            {
                ids[i] = ids_of_first[i];
                i += 1;
                continue;
            }
            let (mask, value) = (m0 as u64 | (m1 as u64) << 32, v0 as u64 | (v1 as u64) << 32);
            // A bit that must be one and zero fits nothing.
            if answer.sure && mask & value & answer.zero == 0 {
                let form = Asked {
                    mask: mask | answer.zero,
                    value,
                    checks: answer.checks,
                    format: facts as u8,
                    len: (facts >> 8) as u8,
                    longer: (facts >> 16) as u8,
                };
                let bucket = hash(&form);
                let mut id = lists.first[bucket];
                while id != 0 && !same_form(&forms[id as usize], &form) {
                    id = lists.next[id as usize];
                }
                // The tables name forms by a byte: what finds no room is left to the other way.
                if id == 0 && n_forms < FORMS {
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
    const R: usize,
    const S: usize,
    const N: usize,
    const MOST: usize,
>(
    source: &Source<'_>,
    built: &Built<M, N, MOST>,
    windows: &[[u16; 3]; W],
    ops: &[u16; O],
) -> Tables<M, W, O, R, S> {
    let mut out = Tables {
        windows: [Window { base: 0, mask: 0, shift: 0 }; W],
        ops: [[0; O]; M],
        forms: [Form::NONE; FORMS],
        more: [[Check::NONE; CHECKS - ALWAYS]; R],
        sets: [0; S],
    };
    fill_windows(&mut out.windows, windows);
    let mut mode = 0;
    while mode < M {
        fill_ops(&mut out.ops[mode], ops, &built.ids[mode]);
        mode += 1;
    }
    fill_forms(&mut out.forms, &mut out.more, built.forms.split_at(built.count).0);
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

const fn fill_forms(out: &mut [Form], more: &mut [[Check; CHECKS - ALWAYS]], forms: &[Asked]) {
    let (mut i, mut next) = (0, 1);
    while i < forms.len() {
        let Asked { mask, value, format, len, longer, checks: [a, b, c, others @ ..] } = forms[i];
        out[i] = Form { mask, value, checks: [a, b, c], format, len, longer, more: 0 };
        if forms[i].more() {
            out[i].more = next as u8;
            more[next] = others;
            next += 1;
        }
        i += 1;
    }
}

const fn fill_sets(out: &mut [u8], source: &Source<'_>, sets: &Sets) {
    // The first one stays as it is: for checks that a form does not need.
    let mut i = 1;
    while i < sets.count {
        let (bytes, group) = (bytes(source, &sets.all[i]), i / SETS * SET);
        // Eight codes at a time: no bit leaves its byte.
        let (chunks, _) = bytes.as_chunks::<8>();
        let (out, _) = out.split_at_mut(group).1.as_chunks_mut::<8>();
        let mut at = 0;
        while at < chunks.len() {
            let all = u64::from_le_bytes(out[at]) | u64::from_le_bytes(chunks[at]) << (i % SETS);
            out[at] = all.to_le_bytes();
            at += 1;
        }
        i += 1;
    }
}

/// What each code of a set comes to.
const fn bytes(source: &Source<'_>, set: &Set) -> [u8; SET] {
    let mut out = [0; SET];
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
    let mut have = size;
    while have < out.len() {
        let (from, to) = out.split_at_mut(have);
        to.split_at_mut(have).0.copy_from_slice(from);
        have *= 2;
    }
    out
}
