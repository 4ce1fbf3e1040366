//! Builds the fast decoder's tables in const evaluation. Equal queries, patterns and sets of codes are stored once.

mod sets;

use isa_schema::{BitRange, BitRanges, DecodedOpcode, DecodedRow, Index, QueryGroup, QueryRow, Rows, WindowRow};

use super::{
    Check, DecoderTables, FurtherChecks, MAX_CHECKS, MAX_PATTERNS, NEEDS_CHECK, NO_ROW, Pattern, SET_BYTES,
    SETS_OF_BYTE, SUFFIX_DWORD, SetAt, UNCONDITIONAL_CHECKS, Window,
};
use crate::tables::{CodeSet, PartCodes, ValidCodes};
use sets::{MAX_SETS, NO_SET, Set, Sets};

/// The facts about all encoding variants that the macro passes.
pub struct DecoderSource<'a> {
    /// The codes of each operand class that decode without a call. For the first one all codes do.
    pub classes: &'a [ValidCodes],
    /// The codes that select a suffix dword, for each field that has any: the code, and the index of the suffix dword plus one.
    pub selectors: &'a [&'a [(u32, u8)]],
    /// What consecutive queries share.
    pub groups: Rows<QueryGroup>,
    /// The flags of rows.
    pub flags: &'a [u128],
    /// The bit ranges of fields that have several.
    pub bit_ranges: Rows<BitRanges>,
    /// The queries.
    pub queries: Rows<QueryRow>,
    /// Lists of indices in `queries`.
    pub lists: &'a [u16],
    /// The rows in their encoding variants.
    pub rows: Rows<DecodedRow>,
}

/// The checks of a pattern as numbers ([`Check::number`]): first the unconditional ones, then the others, the first check in the
/// lowest bits. Numbers of 128 bits are compared in one step of const evaluation.
type Checks = [u128; MAX_CHECKS / UNCONDITIONAL_CHECKS];

/// Returns a check.
const fn check(checks: u128, nth: usize) -> u32 {
    (checks >> (32 * nth)) as u32
}

/// A pattern under construction: fixed bits, bits of the third dword that are 0, checks, and the format with the lengths, a byte
/// each.
#[derive(Clone, Copy)]
struct PatternParts {
    mask: u64,
    value: u64,
    third_zero: u32,
    checks: Checks,
    facts: u32,
}

impl PatternParts {
    /// Matches nothing.
    const NONE: PatternParts = PatternParts { mask: 0, value: 1, third_zero: 0, checks: [0; 2], facts: 0 };

    /// Returns whether there are further checks than the fixed bits and the unconditional lookups.
    const fn has_further(&self) -> bool {
        self.checks[1] != 0 || self.third_zero != 0
    }

    /// Hashes the pattern. Const evaluation of a call of a hash function takes ten times as long as these operators.
    const fn hash(&self) -> usize {
        let [first, more] = self.checks;
        let checks = first ^ first >> 53 ^ more >> 7;
        let all = self.mask ^ self.value << 7 ^ self.facts as u64 ^ checks as u64;
        ((all as u128 * 0x9E37_79B9_7F4A_7C15) as u64 >> 52) as usize
    }

    const fn same(&self, other: &PatternParts) -> bool {
        self.mask == other.mask
            && self.value == other.value
            && self.third_zero == other.third_zero
            && self.facts == other.facts
            && self.checks[0] == other.checks[0]
            && self.checks[1] == other.checks[1]
    }
}

/// The patterns and sets of all modes, each once, for `N` encoding variants.
///
/// Functions without const parameters fill this and [`DecoderTables`], since their const evaluation is several times faster.
pub struct Built<const M: usize, const N: usize> {
    patterns: [PatternParts; MAX_PATTERNS],
    count: usize,
    ids: [[u16; N]; M],
    sets: Sets,
}

impl<const M: usize, const N: usize> Built<M, N> {
    /// Returns the number of patterns with further checks plus one.
    #[must_use]
    pub const fn n_further(&self) -> usize {
        let (mut n, mut i) = (1, 0);
        while i < self.count {
            n += self.patterns[i].has_further() as usize;
            i += 1;
        }
        n
    }

    /// Returns [`n_further`](Self::n_further) if a pattern has bits of the third dword that are 0, otherwise 0.
    #[must_use]
    pub const fn n_third_zero(&self) -> usize {
        let mut i = 0;
        while i < self.count {
            if self.patterns[i].third_zero != 0 {
                return self.n_further();
            }
            i += 1;
        }
        0
    }

    /// Returns the lookups of the patterns with further checks.
    #[must_use]
    pub const fn further<const R: usize, const T: usize>(&self) -> Further<R, T> {
        let mut further = Further { checks: [[Check::NONE; MAX_CHECKS - UNCONDITIONAL_CHECKS]; R], third_zero: [0; T] };
        let (mut i, mut next) = (0, 1);
        while i < self.count {
            let pattern = &self.patterns[i];
            if pattern.has_further() {
                further.checks[next] = unpack_checks(pattern.checks[1]);
                if next < T {
                    further.third_zero[next] = pattern.third_zero;
                }
                next += 1;
            }
            i += 1;
        }
        further
    }
}

/// The lookups of the patterns with further checks, and for each the bits of the third dword that are 0, unless none are. The first
/// element belongs to no pattern.
pub struct Further<const R: usize, const T: usize> {
    /// The lookups.
    pub checks: [FurtherChecks; R],
    /// The bits of the third dword.
    pub third_zero: [u32; T],
}

/// The answer to queries that encoding variants share: bits that must be 0, and lookups.
#[derive(Clone, Copy)]
struct Answer {
    /// Whether the answer is another than [`Answer::NONE`] in any mode. Most answers are not.
    is_notable: bool,
    /// Whether the tables can decide the query.
    is_decided: bool,
    /// Whether the answer in another mode differs from that in the first one.
    differs: bool,
    /// The bits of the first two dwords.
    zero: u64,
    /// The bits of the third dword.
    third_zero: u32,
    checks: Checks,
    /// The number of checks.
    count: usize,
}

/// The most queries. Further ones are never decided.
const MAX_QUERIES: usize = 4096;

impl Answer {
    const NONE: Answer = Answer {
        is_notable: false,
        is_decided: true,
        differs: false,
        zero: 0,
        third_zero: 0,
        checks: [0; 2],
        count: 0,
    };
    /// The answer to a query that the tables cannot decide.
    const UNDECIDED: Answer = Answer { is_notable: true, is_decided: false, ..Answer::NONE };

    /// Adds bits that must be 0.
    const fn require_zero(&mut self, word: u32, mask: u32) {
        match word {
            0 | 1 => self.zero |= (mask as u64) << (32 * word),
            _ => self.third_zero |= mask,
        }
    }

    /// Adds the answer to another query.
    const fn and(&mut self, other: &Answer) {
        self.is_decided = self.is_decided && other.is_decided && self.count + other.count <= MAX_CHECKS;
        self.zero |= other.zero;
        self.third_zero |= other.third_zero;
        if self.count == 0 {
            (self.checks, self.count) = (other.checks, other.count);
            return;
        }
        let mut i = 0;
        while i < other.count && self.is_decided {
            let next = check(other.checks[i / UNCONDITIONAL_CHECKS], i % UNCONDITIONAL_CHECKS);
            let (at, lo) = (self.count / UNCONDITIONAL_CHECKS, 32 * (self.count % UNCONDITIONAL_CHECKS));
            self.checks[at] |= (next as u128) << lo;
            self.count += 1;
            i += 1;
        }
    }

    const fn same(&self, other: &Answer) -> bool {
        self.is_decided == other.is_decided
            && self.zero == other.zero
            && self.third_zero == other.third_zero
            && self.count == other.count
            && self.checks[0] == other.checks[0]
            && self.checks[1] == other.checks[1]
    }
}

/// The result of a query, independent of the field's position.
#[derive(Clone, Copy)]
enum Outcome {
    /// Every code is valid.
    Nothing,
    /// The tables cannot decide.
    Never,
    /// All other bits must be 0.
    Within(u32),
    /// A lookup in a set, as [`Check::number`] has it for a field at bit 0.
    Set(u32),
    /// Each bit range is checked by itself.
    Parts(&'static [PartCodes]),
}

/// Answers all queries in a mode. Similar queries are consecutive, so most of them reuse the last outcome. In later modes, `out`
/// has the answers in the first mode already, and `first` is told which of them differ.
const fn answer_all(
    out: &mut [Answer],
    sets: &mut Sets,
    source: &DecoderSource<'_>,
    queries: &[QueryRow],
    mode: u8,
    mut first: Option<&mut [Answer]>,
) {
    let (mut last, mut flags, mut by_mode) = (usize::MAX, 0, false);
    let (mut group, mut i, n_groups) = (0, 0, source.groups.len());
    while group < n_groups {
        let QueryGroup { class, ty, suffix_dword_effects, selector, width, end } = source.groups.get(group);
        // The first class is that of fields without an operand.
        let (class, selector) = (Index::to_number(class) as usize, Index::to_number(selector));
        let end = if end as usize > MAX_QUERIES { MAX_QUERIES } else { end as usize };
        group += 1;
        if class != last {
            last = class;
            (flags, by_mode) = source.classes[class].depends();
        }
        if first.is_some() && !by_mode {
            i = end;
            continue;
        }
        // The flags for which the outcome has been computed.
        let (mut known, mut is_known, mut outcome) = (0, false, Outcome::Never);
        while i < end {
            let QueryRow { flags: row, bits } = queries[i];
            let row = source.flags[row as usize] & flags;
            if !is_known || known != row {
                (known, is_known) = (row, true);
                let codes = source.classes[class].of(ty, row, mode);
                outcome = outcome_of(sets, &codes, (selector, suffix_dword_effects), width);
            }
            out[i] = match outcome {
                Outcome::Nothing => Answer::NONE,
                Outcome::Never => Answer::UNDECIDED,
                Outcome::Set(set) if width != u32::MAX && bits >> 16 < 2 => {
                    let lo = (bits >> 16) * 32 + (bits >> 8 & 0xFF);
                    Answer { is_notable: true, checks: [(set | lo) as u128, 0], count: 1, ..Answer::NONE }
                }
                _ if width == u32::MAX => answer(sets, outcome, source.bit_ranges.get(bits as usize)),
                _ => answer(sets, outcome, one_range(BitRange::from_number(bits))),
            };
            if let Some(first) = &mut first
                && !out[i].same(&first[i])
            {
                (first[i].is_notable, first[i].differs) = (true, true);
            }
            i += 1;
        }
    }
}

/// Returns the outcome of a query about a field of this width. The selector is the number of an index: a comparison with 0 takes
/// less time in const evaluation than a call of `Option::is_none`.
const fn outcome_of(sets: &mut Sets, valid: &ValidCodes, (selector, suffix_dwords): (u16, u32), width: u32) -> Outcome {
    let small = width <= 9;
    let mut codes = match *valid {
        ValidCodes::All if selector == 0 => return Outcome::Nothing,
        ValidCodes::All => CodeSet::ALL,
        ValidCodes::Only(set) | ValidCodes::With(set) => *set,
        // These need no set.
        ValidCodes::Within(bits) if selector == 0 => return Outcome::Within(bits),
        ValidCodes::Within(bits) if small => CodeSet::within(bits),
        ValidCodes::Parts(parts) if selector == 0 => return Outcome::Parts(parts),
        ValidCodes::Within(_) | ValidCodes::Cases(_) | ValidCodes::Parts(_) => return Outcome::Never,
    };
    if width == 0 {
        return if codes.has(0) { Outcome::Nothing } else { Outcome::Never };
    }
    // Codes that the field cannot hold do not matter.
    let (all, key) = if small { codes.cut(1 << width) } else { (codes.same(&CodeSet::ALL), 0) };
    if selector == 0 && all {
        return Outcome::Nothing;
    }
    if !small {
        return Outcome::Never;
    }
    match sets.at(Set { key, codes, width: width as u8, selector, suffix_dwords: suffix_dwords as u16 }) {
        None => Outcome::Never,
        Some(set) => {
            let (set, mask) =
                (SetAt::ALL[set as usize / SETS_OF_BYTE], (SUFFIX_DWORD | NEEDS_CHECK) << (set % SETS_OF_BYTE as u16));
            Outcome::Set(Check { lo: 0, mask, set }.number())
        }
    }
}

/// Returns the bits of a field with one range.
const fn one_range(range: BitRange) -> BitRanges {
    BitRanges { first: range, second: BitRange::NONE, third: BitRange::NONE }
}

/// Returns the answer to a query about these bit ranges.
const fn answer(sets: &mut Sets, outcome: Outcome, ranges: BitRanges) -> Answer {
    let ranges = [ranges.first, ranges.second, ranges.third];
    let mut answer = Answer { is_notable: true, ..Answer::NONE };
    match outcome {
        Outcome::Nothing => {}
        Outcome::Never => answer.is_decided = false,
        Outcome::Within(bits) => {
            // The least significant range first.
            let mut outside = !bits as u64;
            let mut i = ranges.len();
            while i > 0 {
                i -= 1;
                let range = ranges[i];
                answer.require_zero(range.dword() as u32, (outside as u32 & range.ones()) << range.lo_in_dword());
                outside >>= range.width;
            }
        }
        Outcome::Set(set) => {
            answer.is_decided = ranges[0].lo < 64;
            answer.checks[0] = (set | ranges[0].lo as u32) as u128;
            answer.count = 1;
        }
        Outcome::Parts(parts) => {
            answer.is_decided = ranges[1].width == 0;
            let mut i = 0;
            while i < parts.len() && answer.is_decided {
                let PartCodes { lo, width, codes } = parts[i];
                // A part ends where the field ends.
                let rest = ranges[0].width.saturating_sub(lo);
                let width = if width < rest { width } else { rest };
                let part = outcome_of(sets, &codes, (0, 0), width as u32);
                // Parts are not nested.
                let part = if let Outcome::Parts(_) = part { Outcome::Never } else { part };
                answer.and(&self::answer(sets, part, one_range(BitRange::new(ranges[0].lo + lo, width))));
                i += 1;
            }
        }
    }
    answer
}

/// Builds the patterns and sets of all modes. The sets have at most `set_bytes` bytes; the slow path decodes fields without one.
#[must_use]
pub const fn build<const M: usize, const N: usize>(source: &DecoderSource<'_>, set_bytes: usize) -> Built<M, N> {
    let most = set_bytes / SET_BYTES * SETS_OF_BYTE;
    let sets = Sets { all: [NO_SET; MAX_SETS], count: 1, most, known: [0; Sets::SIZE] };
    let mut built =
        Built { patterns: [PatternParts::NONE; MAX_PATTERNS], count: 1 + NO_ROW as usize, ids: [[0; N]; M], sets };
    let mut queries = [QueryRow::ZERO; MAX_QUERIES];
    let n_queries = source.queries.len();
    let queries = queries.split_at_mut(if n_queries < MAX_QUERIES { n_queries } else { MAX_QUERIES }).0;
    source.queries.unpack(queries);
    let mut rows = [DecodedRow::ZERO; N];
    source.rows.unpack(&mut rows);
    let mut answers = [[Answer::NONE; MAX_QUERIES]; M];
    let mut mode = 0;
    while mode < M {
        let (first, others) = answers.split_at_mut(1);
        if mode == 0 {
            answer_all(&mut first[0], &mut built.sets, source, queries, 0, None);
        } else {
            others[mode - 1] = first[0];
            answer_all(&mut others[mode - 1], &mut built.sets, source, queries, mode as u8, Some(&mut first[0]));
        }
        mode += 1;
    }
    let mut patterns = PatternTable::EMPTY;
    let mut variants = Variants { rows: &rows, differs: &mut [false; N] };
    let mut mode = 0;
    while mode < M {
        let (of_first, rest) = built.ids.split_at_mut(mode);
        let of_first = if mode == 0 { None } else { Some(&of_first[0] as &[u16]) };
        patterns.add_mode(source, &mut variants, &ModeAnswers { mode, all: &answers[mode], of_first }, &mut rest[0]);
        mode += 1;
    }
    (built.patterns, built.count) = (patterns.all, patterns.count);
    built
}

/// The encoding variants.
struct Variants<'a> {
    rows: &'a [DecodedRow],
    /// Whether the pattern of each depends on the mode. The first mode sets it.
    differs: &'a mut [bool],
}

/// The answers of which the patterns of a mode are made.
struct ModeAnswers<'a> {
    mode: usize,
    /// The answers to the queries.
    all: &'a [Answer],
    /// The patterns of the first mode, in later ones.
    of_first: Option<&'a [u16]>,
}

/// The patterns of all modes, each once, and a hash table of them: the first pattern of each bucket, and the next one after each
/// pattern.
struct PatternTable {
    all: [PatternParts; MAX_PATTERNS],
    count: usize,
    first: [u16; 4096],
    next: [u16; MAX_PATTERNS],
}

impl PatternTable {
    const EMPTY: PatternTable = PatternTable {
        all: [PatternParts::NONE; MAX_PATTERNS],
        count: 1 + NO_ROW as usize,
        first: [0; 4096],
        next: [0; MAX_PATTERNS],
    };

    /// Returns the number of a pattern, which it adds if it is new, or 0 if the table is full.
    const fn add(&mut self, pattern: &PatternParts) -> u16 {
        let bucket = pattern.hash();
        let mut id = self.first[bucket];
        while id != 0 && !self.all[id as usize].same(pattern) {
            id = self.next[id as usize];
        }
        // Patterns have one-byte indices. Without room, the slow path decodes the instruction.
        if id == 0 && self.count < MAX_PATTERNS {
            id = self.count as u16;
            self.all[self.count] = *pattern;
            self.next[self.count] = self.first[bucket];
            self.first[bucket] = id;
            self.count += 1;
        }
        id
    }

    /// Adds the patterns of a mode, and sets `ids` to the number of each variant's pattern.
    const fn add_mode(
        &mut self,
        source: &DecoderSource<'_>,
        variants: &mut Variants<'_>,
        answers: &ModeAnswers<'_>,
        ids: &mut [u16],
    ) {
        let Variants { rows, differs } = variants;
        let (mut i, n_variants) = (0, ids.len());
        while i < n_variants {
            // Most encoding variants have the same pattern in all modes.
            if let Some(of_first) = answers.of_first
                && !differs[i]
            {
                ids[i] = of_first[i];
                i += 1;
                continue;
            }
            let row = &rows[i];
            let is_in_mode = match row.only_mode {
                Some(only) => {
                    differs[i] = true;
                    only.get() == answers.mode
                }
                None => true,
            };
            if is_in_mode {
                let answer = answer_list(answers.all, source, row.first_query as usize, row.n_queries as usize);
                if answers.mode == 0 {
                    differs[i] |= answer.differs;
                }
                // A bit that must be 1 and 0 matches nothing.
                if answer.is_decided && row.mask & row.value & answer.zero == 0 {
                    ids[i] = self.add(&PatternParts {
                        mask: row.mask | answer.zero,
                        value: row.value,
                        third_zero: answer.third_zero,
                        checks: answer.checks,
                        facts: row.format as u32 | (row.len as u32) << 8 | (row.len_with_suffix_dword as u32) << 16,
                    });
                }
            }
            i += 1;
        }
    }
}

/// Returns the answer to a list of queries.
const fn answer_list(answers: &[Answer], source: &DecoderSource<'_>, at: usize, len: usize) -> Answer {
    let mut all = Answer::NONE;
    let (mut nth, end) = (at, at + len);
    while nth < end {
        let query = source.lists[nth] as usize;
        if query >= MAX_QUERIES {
            return Answer::UNDECIDED;
        }
        let one = &answers[query];
        if one.is_notable {
            all.differs |= one.differs;
            all.and(one);
        }
        nth += 1;
    }
    all
}

/// Builds the tables. Opcodes that are not in `opcodes` are undefined.
#[must_use]
pub const fn tables<const M: usize, const W: usize, const O: usize, const S: usize, const N: usize>(
    source: &DecoderSource<'_>,
    built: &Built<M, N>,
    (further, third_zero): (&'static [FurtherChecks], &'static [u32]),
    windows: Rows<WindowRow>,
    opcodes: Rows<DecodedOpcode>,
) -> DecoderTables<M, W, O, S> {
    let mut out = DecoderTables {
        windows: [Window { base: 0, mask: 0, shift: 0 }; W],
        ops: [[NO_ROW; O]; M],
        patterns: [Pattern::NONE; MAX_PATTERNS],
        further,
        third_zero,
        sets: [0; S],
    };
    fill_windows(&mut out.windows, windows);
    let mut mode = 0;
    while mode < M {
        fill_ops(&mut out.ops[mode], opcodes, &built.ids[mode]);
        mode += 1;
    }
    fill_patterns(&mut out.patterns, built.patterns.split_at(built.count).0);
    fill_sets(&mut out.sets, source, &built.sets);
    out
}

const fn fill_windows(out: &mut [Window], windows: Rows<WindowRow>) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let WindowRow { base, shift, mask } = windows.get(i);
        out[i] = Window { base, mask, shift: shift as u32 };
        i += 1;
    }
}

const fn fill_ops(out: &mut [u8], opcodes: Rows<DecodedOpcode>, ids: &[u16]) {
    let (mut i, count) = (0, opcodes.len());
    while i < count {
        let DecodedOpcode { position, row } = opcodes.get(i);
        out[position as usize] = match row {
            Some(row) => ids[row.get()] as u8,
            None => 0,
        };
        i += 1;
    }
}

const fn fill_patterns(out: &mut [Pattern], patterns: &[PatternParts]) {
    let (mut i, mut next, count) = (0, 1, patterns.len());
    while i < count {
        let PatternParts { mask, value, checks: [checks, _], facts, .. } = patterns[i];
        let (format, len, len_with_suffix_dword) = (facts as u8, (facts >> 8) as u8, (facts >> 16) as u8);
        let checks = unpack_checks(checks);
        out[i] = Pattern { mask, value, checks, format, len, len_with_suffix_dword, further: 0 };
        if patterns[i].has_further() {
            out[i].further = next as u8;
            next += 1;
        }
        i += 1;
    }
}

/// Returns the checks with these numbers.
const fn unpack_checks(numbers: u128) -> [Check; UNCONDITIONAL_CHECKS] {
    if numbers == 0 {
        return [Check::NONE; UNCONDITIONAL_CHECKS];
    }
    [Check::of(check(numbers, 0)), Check::of(check(numbers, 1)), Check::of(check(numbers, 2))]
}

/// The lookup results of eight codes, a byte each.
type Row = u64;

/// The number of rows of a set.
const ROWS: usize = SET_BYTES / 8;

const fn fill_sets(out: &mut [u8], source: &DecoderSource<'_>, sets: &Sets) {
    let (out, mut nth) = (out.as_chunks_mut().0, 0);
    while nth < sets.count {
        let (mut rows, mut place) = ([0; ROWS], 0);
        while place < SETS_OF_BYTE && nth + place < sets.count {
            fill_set(&mut rows, source, &sets.all[nth + place], place);
            place += 1;
        }
        let (mut row, first) = (0, nth / SETS_OF_BYTE * ROWS);
        while row < ROWS {
            if rows[row] != 0 {
                out[first + row] = rows[row].to_le_bytes();
            }
            row += 1;
        }
        nth += SETS_OF_BYTE;
    }
}

/// Adds the lookup results of a set.
const fn fill_set(rows: &mut [Row; ROWS], source: &DecoderSource<'_>, set: &Set, place: usize) {
    let (codes, size) = (set.codes.bits(), 1usize << set.width);
    // All codes that are equal in the bits of a narrow field have the same result.
    let (mut invalid, mut width) = (!codes[0], size);
    if size < 64 {
        invalid &= (1 << size) - 1;
    }
    while width < 64 {
        invalid |= invalid << width;
        width *= 2;
    }
    let mut word = 0;
    while word < ROWS / 8 {
        let mut row = 8 * word;
        let mut bits = if size < 64 { invalid } else { !codes[word & (size / 64 - 1)] };
        while bits != 0 {
            if bits & 0xFF != 0 {
                rows[row] |= spread(bits & 0xFF) << (SETS_OF_BYTE + place);
            }
            bits >>= 8;
            row += 1;
        }
        word += 1;
    }
    if set.selector != 0 {
        let mut selecting = source.selectors[set.selector as usize - 1];
        while let [(code, suffix_dword), rest @ ..] = selecting {
            let is_simple = set.suffix_dwords >> (2 * (*suffix_dword - 1)) & 3 == 1 && set.codes.has(*code);
            let result = if is_simple { SUFFIX_DWORD } else { NEEDS_CHECK } << place;
            let mut at = *code as usize;
            while at < SET_BYTES {
                rows[at / 8] |= (result as Row) << (8 * (at % 8));
                at += size;
            }
            selecting = rest;
        }
    }
}

/// Returns a row with a byte of 0 or 1 for each of eight bits.
const fn spread(bits: u64) -> Row {
    // Each byte keeps one of the bits, which the sum carries to bit 7.
    let bits = (bits * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (bits + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
}
