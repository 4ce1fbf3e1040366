//! How the compiler fills the tables of the quick way: from what kinds say is sure of their codes, which is asked once for
//! questions that are alike. Forms that come to the same in the end are kept once, and sets of codes too.

use super::{ALWAYS, ASK, CHECKS, Check, FORMS, Form, NO_ROW, SET, SETS, SetAt, TAIL, Tables, Window};
use crate::tables::pack::ty;
use crate::tables::{CodeSet, Sure};

/// What the macro knows of all forms.
pub struct Source<'a> {
    /// What is sure of each kind; the first one is sure of all codes.
    pub kinds: &'a [Sure],
    /// The codes that announce a suffix dword, for each field that has some: the code and the suffix dword's index plus one.
    pub announces: &'a [&'a [(u32, u8)]],
    /// What is the same of questions that follow one another: kind, type, what comes of suffix dwords (two bits each, from the
    /// first: 1 for `TAIL`, 2 for `ASK`), the index of the announcement plus one or 0, and the width of the field, or
    /// `u32::MAX` of one that has several runs of bits.
    pub groups: &'a [[u32; 5]],
    /// Words of rows.
    pub words: &'a [u128],
    /// Runs of bits (dword, lowest bit and width, a byte each from the highest down), the highest first.
    pub runs: &'a [[u32; 3]],
    /// What can be asked: the index of the group, that of the row's words, and the run of bits or the index of several.
    pub asks: &'a [[u32; 3]],
    /// Lists of indices in `asks`.
    pub lists: &'a [u16],
    /// Masks and values of two dwords; format, lengths without and with a suffix dword, and mode plus one or 0, a byte each from
    /// the lowest; where the list of what is asked begins and how long it is.
    pub forms: &'a [[u32; 7]],
}

/// A form as it comes of what is asked: the fixed bits, the checks as [`Check::number`] has them, and the format with the
/// lengths, a byte each from the lowest.
#[derive(Clone, Copy)]
struct Asked {
    mask: u64,
    value: u64,
    checks: [u32; CHECKS],
    facts: u32,
}

impl Asked {
    /// Fits no words.
    const NONE: Asked = Asked { mask: 0, value: 1, checks: [0; CHECKS], facts: 0 };

    /// Whether it has more fields to look up than are always.
    const fn more(&self) -> bool {
        self.checks[ALWAYS] != 0
    }

    /// In plain operators: the compiler takes ten times as long for a call.
    const fn hash(&self) -> usize {
        let mut all = self.mask ^ self.value << 7 ^ self.value >> 9 ^ self.facts as u64;
        let mut i = 0;
        while i < CHECKS && self.checks[i] != 0 {
            all = all << 11 ^ all >> 5 ^ self.checks[i] as u64;
            i += 1;
        }
        ((all as u128 * 0x9E37_79B9_7F4A_7C15) as u64 >> 52) as usize
    }

    const fn same(&self, other: &Asked) -> bool {
        if self.mask != other.mask || self.value != other.value || self.facts != other.facts {
            return false;
        }
        let mut i = 0;
        while i < CHECKS && self.checks[i] == other.checks[i] {
            i += 1;
        }
        i == CHECKS
    }
}

/// A set of codes of a field that is as wide as this.
#[derive(Clone, Copy)]
struct Set {
    /// A number that differs for most sets of codes: the compiler takes long to compare them.
    key: u64,
    codes: CodeSet,
    width: u8,
    announce: u16,
    suffix_dwords: u16,
}

const NO_SET: Set = Set { key: 0, codes: CodeSet::ALL, width: 0, announce: 0, suffix_dwords: 0 };

const fn same_set(a: &Set, b: &Set) -> bool {
    a.width == b.width && a.announce == b.announce && a.suffix_dwords == b.suffix_dwords && a.codes.same(&b.codes)
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
            if self.all[i].key == set.key && same_set(&self.all[i], &set) {
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

/// The forms and sets of all modes, each once: `N` forms come in, at most as many go out as a byte can name.
///
/// The compiler runs functions with constant parameters several times more slowly than others, so this and [`Tables`]
/// are filled by such as have none.
pub struct Built<const M: usize, const N: usize> {
    forms: [Asked; FORMS],
    count: usize,
    ids: [[u16; N]; M],
    sets: Sets,
}

impl<const M: usize, const N: usize> Built<M, N> {
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
    /// Whether it is another than in the first mode: of a question.
    other: bool,
    zero: u64,
    /// As [`Check::number`] has them.
    checks: [u32; CHECKS],
    count: usize,
}

/// How many questions there can be; those beyond are never sure.
const MOST_ASKED: usize = 4096;
/// How many beginnings of lists have their answers kept; those beyond are worked out each time.
const KEPT: usize = 8192;

impl Answer {
    const NONE: Answer = Answer { known: false, sure: true, other: false, zero: 0, checks: [0; CHECKS], count: 0 };

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
            if self.checks[i] != other.checks[i] {
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

/// Puts down the answers to all questions in a mode; `first` are those in the first mode, if this is another, and stand
/// there already. Questions that are alike follow one another, so that most need no more than the outcome of the last.
const fn ask_all(out: &mut [Answer], sets: &mut Sets, source: &Source<'_>, mode: u8, first: Option<&[Answer]>) {
    let (mut group, mut last, mut asked) = (u32::MAX, u32::MAX, [0; 5]);
    let (mut words, mut by_mode, mut known, mut outcome) = (0, false, None, Outcome::Never);
    let mut i = 0;
    while i < source.asks.len() && i < out.len() {
        let [nth, row, runs] = source.asks[i];
        if nth != group {
            (group, asked, known) = (nth, source.groups[nth as usize], None);
            if asked[0] != last {
                last = asked[0];
                (words, by_mode) = source.kinds[last as usize].depends();
            }
        }
        if first.is_none() || by_mode {
            let [kind, packed, suffix_dwords, announce, width] = asked;
            let row = source.words[row as usize] & words;
            match known {
                Some(words) if words == row => {}
                _ => {
                    known = Some(row);
                    let sure = source.kinds[kind as usize].of(ty(packed), row, mode);
                    outcome = outcome_of(sets, &sure, (announce, suffix_dwords), width);
                }
            }
            out[i] = match outcome {
                Outcome::Nothing => Answer::NONE,
                Outcome::Never => Answer { sure: false, ..Answer::NONE },
                _ if width == u32::MAX => answer(sets, outcome, source.runs[runs as usize]),
                _ => answer(sets, outcome, [runs, 0, 0]),
            };
            if let Some(first) = first {
                out[i].other = !out[i].same(&first[i]);
            }
        }
        i += 1;
    }
}

/// What comes of a question about a field that is as wide as this.
const fn outcome_of(sets: &mut Sets, sure: &Sure, (announce, suffix_dwords): (u32, u32), width: u32) -> Outcome {
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
    // Codes that the field cannot hold do not tell sets apart.
    let (all, key) = if small { codes.cut(1 << width) } else { (codes.same(&CodeSet::ALL), 0) };
    if announce == 0 && all {
        return Outcome::Nothing;
    }
    if !small {
        return Outcome::Never;
    }
    match sets.at(Set {
        key,
        codes,
        width: width as u8,
        announce: announce as u16,
        suffix_dwords: suffix_dwords as u16,
    }) {
        None => Outcome::Never,
        Some(set) => Outcome::Set(set),
    }
}

/// The answer to a question about these runs of bits.
const fn answer(sets: &mut Sets, outcome: Outcome, runs: [u32; 3]) -> Answer {
    let mut answer = Answer::NONE;
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
            answer.checks[0] = Check { lo: (word * 32 + lo) as u8, mask, set }.number();
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

/// Makes the forms and sets of all modes.
#[must_use]
pub const fn build<const M: usize, const N: usize>(source: &Source<'_>) -> Built<M, N> {
    let sets = Sets { all: [NO_SET; SETS * SetAt::ALL.len()], count: 1 };
    let mut built = Built { forms: [Asked::NONE; FORMS], count: 1 + NO_ROW as usize, ids: [[0; N]; M], sets };
    let mut known = Known { first: [0; 4096], next: [0; FORMS] };
    let mut first = Answers { questions: [Answer::NONE; MOST_ASKED], lists: [Answer::NONE; KEPT] };
    let mut mode = 0;
    while mode < M {
        let Built { forms, ids, sets, count } = &mut built;
        let (of_first, rest) = ids.split_at_mut(mode);
        if mode == 0 {
            *count = of_mode(source, mode, forms, *count, &mut rest[0], &mut known, sets, &mut first, None);
        } else {
            let before = Some((&first.questions as &[Answer], &of_first[0] as &[u16]));
            let mut answers = Answers { questions: first.questions, lists: [Answer::NONE; KEPT] };
            *count = of_mode(source, mode, forms, *count, &mut rest[0], &mut known, sets, &mut answers, before);
        }
        mode += 1;
    }
    built
}

/// Forms with the same hash as lists: where each begins, and what follows each form.
struct Known {
    first: [u16; 4096],
    next: [u16; FORMS],
}

impl Known {
    /// The number of a form, which is a new one if it is that which comes next; 0 where there is no room.
    const fn at(&mut self, forms: &mut [Asked; FORMS], form: &Asked, next: usize) -> u16 {
        let bucket = form.hash();
        let mut id = self.first[bucket];
        while id != 0 && !forms[id as usize].same(form) {
            id = self.next[id as usize];
        }
        // The tables name forms by a byte: what finds no room is left to the other way.
        if id == 0 && next < FORMS {
            id = next as u16;
            forms[next] = *form;
            self.next[next] = self.first[bucket];
            self.first[bucket] = id;
        }
        id
    }
}

/// The answers in one mode: to questions, and to lists of them by where they begin.
struct Answers {
    questions: [Answer; MOST_ASKED],
    lists: [Answer; KEPT],
}

impl Answers {
    /// Whether one of a list of questions has another answer than in the first mode.
    const fn other(&self, source: &Source<'_>, at: usize, len: usize) -> bool {
        let mut nth = 0;
        while nth < len {
            let asked = source.lists[at + nth] as usize;
            if asked < MOST_ASKED && self.questions[asked].other {
                return true;
            }
            nth += 1;
        }
        false
    }

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
            if asked >= MOST_ASKED {
                all.sure = false;
            } else {
                let one = &self.questions[asked];
                // Most say nothing but that.
                if !one.sure || one.zero != 0 || one.count != 0 {
                    all.and(one);
                }
            }
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
    forms: &mut [Asked; FORMS],
    mut n_forms: usize,
    ids: &mut [u16],
    known: &mut Known,
    sets: &mut Sets,
    answers: &mut Answers,
    before: Option<(&[Answer], &[u16])>,
) -> usize {
    let first: Option<&[Answer]> = match before {
        Some((first, _)) => Some(first),
        None => None,
    };
    ask_all(&mut answers.questions, sets, source, mode as u8, first);
    let mut i = 0;
    while i < ids.len() {
        let [m0, m1, v0, v1, facts, at, len] = source.forms[i];
        let only = facts >> 24;
        if only == 0 || only as usize == mode + 1 {
            // Most forms are the same in all modes.
            if let Some((_, of_first)) = before
                && only == 0
                && !answers.other(source, at as usize, len as usize)
            {
                ids[i] = of_first[i];
                i += 1;
                continue;
            }
            let answer = answers.list(source, at as usize, len as usize);
            let (mask, value) = (m0 as u64 | (m1 as u64) << 32, v0 as u64 | (v1 as u64) << 32);
            // A bit that must be one and zero fits nothing.
            if answer.sure && mask & value & answer.zero == 0 {
                let form = Asked { mask: mask | answer.zero, value, checks: answer.checks, facts: facts & 0xFF_FFFF };
                let id = known.at(forms, &form, n_forms);
                if id as usize == n_forms {
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
pub const fn tables<const M: usize, const W: usize, const O: usize, const R: usize, const S: usize, const N: usize>(
    source: &Source<'_>,
    built: &Built<M, N>,
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
        let op = ops[i];
        if op == u16::MAX {
            out[i] = NO_ROW;
        } else if op != 0 {
            out[i] = ids[op as usize - 1] as u8;
        }
        i += 1;
    }
}

const fn fill_forms(out: &mut [Form], more: &mut [[Check; CHECKS - ALWAYS]], forms: &[Asked]) {
    let (mut i, mut next) = (0, 1);
    while i < forms.len() {
        let Asked { mask, value, checks: [a, b, c, d, e, f], facts } = forms[i];
        let (format, len, longer) = (facts as u8, (facts >> 8) as u8, (facts >> 16) as u8);
        let checks = [Check::of(a), Check::of(b), Check::of(c)];
        out[i] = Form { mask, value, checks, format, len, longer, more: 0 };
        if forms[i].more() {
            out[i].more = next as u8;
            more[next] = [Check::of(d), Check::of(e), Check::of(f)];
            next += 1;
        }
        i += 1;
    }
}

const fn fill_sets(out: &mut [u8], source: &Source<'_>, sets: &Sets) {
    // The first one stays as it is: for checks that a form does not need.
    let mut i = 1;
    while i < sets.count {
        fill_set(out, source, &sets.all[i], i);
        i += 1;
    }
}

/// Puts down what each code of a set comes to.
const fn fill_set(out: &mut [u8], source: &Source<'_>, set: &Set, nth: usize) {
    let (group, place, size) = (nth / SETS * SET, nth % SETS, 1usize << set.width);
    let codes = set.codes.bits();
    let mut low = 0;
    while low < size {
        let mut others = !codes[low / 64];
        if size < 64 {
            others &= (1 << size) - 1;
        }
        while others != 0 {
            fill_code(out, group, low + others.trailing_zeros() as usize, size, ASK << place);
            others &= others - 1;
        }
        low += 64;
    }
    if set.announce != 0 {
        let announced = source.announces[set.announce as usize - 1];
        let mut i = 0;
        while i < announced.len() {
            let (code, suffix_dword) = announced[i];
            let plain = set.suffix_dwords >> (2 * (suffix_dword - 1)) & 3 == 1 && set.codes.has(code);
            fill_code(out, group, code as usize, size, if plain { TAIL } else { ASK } << place);
            i += 1;
        }
    }
}

/// Adds to what a code comes to, and the codes that are the same in the bits of the field.
const fn fill_code(out: &mut [u8], group: usize, code: usize, size: usize, bits: u8) {
    let mut at = code;
    while at < SET {
        out[group + at] |= bits;
        at += size;
    }
}
