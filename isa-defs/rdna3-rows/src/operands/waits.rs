//! What S_WAITCNT, S_WAITCNT_DEPCTR and S_DELAY_ALU wait for (guide §5.6, §5.7).

use isa::{
    Asm, Code, CodeSet, Cx, Label, Name, Names, Operand, ParseError, Plain, PlainPart as Part, PlainParts as Parts,
    Short, Sure, Text, Values, Word,
};

use super::expression::{expression, expression_in};
use super::immediates::PLAIN_NUMBERS;
use crate::{Generation, Value};

/// What all these constants come to.
const IMMEDIATE: Values<Value> = Values::alone(|code| Value::Immediate(code as i32));

/// A counter in the constant of a wait: the wait ends once it is no higher. All bits set: it is not waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// Its name in text.
    pub name: &'static str,
    /// The lowest bit.
    pub lo: u8,
    /// The width in bits.
    pub width: u8,
}

impl Counter {
    const fn new(name: &'static str, lo: u8, width: u8) -> Self {
        Counter { name, lo, width }
    }

    /// The highest count, which stands for no wait.
    #[must_use]
    pub const fn most(&self) -> u32 {
        (1 << self.width) - 1
    }

    /// The count in a constant.
    #[must_use]
    pub const fn of(&self, code: u32) -> u32 {
        code >> self.lo & self.most()
    }
}

/// The counters of S_WAITCNT, in the order of text.
pub static WAIT_COUNTERS: [Counter; 3] =
    [Counter::new("vmcnt", 10, 6), Counter::new("expcnt", 0, 3), Counter::new("lgkmcnt", 4, 6)];

/// The counters of S_WAITCNT_DEPCTR, in the order of text.
pub static DEPENDENCY_COUNTERS: [Counter; 7] = [
    Counter::new("depctr_hold_cnt", 7, 1),
    Counter::new("depctr_sa_sdst", 0, 1),
    Counter::new("depctr_va_vdst", 12, 4),
    Counter::new("depctr_va_sdst", 9, 3),
    Counter::new("depctr_va_ssrc", 8, 1),
    Counter::new("depctr_va_vcc", 1, 1),
    Counter::new("depctr_vm_vsrc", 2, 3),
];

/// The bits that belong to a counter.
const fn covered(counters: &[Counter]) -> u32 {
    let (mut bits, mut i) = (0, 0);
    while i < counters.len() {
        bits |= counters[i].most() << counters[i].lo;
        i += 1;
    }
    bits
}

/// Writes the counters that are waited for, or all of them if none is.
pub(crate) fn write_counters(counters: &[Counter], code: u32, out: &mut Text) {
    let idle = counters.iter().all(|c| c.of(code) == c.most());
    let mut first = true;
    for c in counters.iter().filter(|c| idle || c.of(code) != c.most()) {
        if !first {
            out.push_ascii(b' ');
        }
        first = false;
        out.push(c.name);
        out.push_ascii(b'(');
        out.dec(c.of(code));
        out.push_ascii(b')');
    }
}

/// The counters of S_WAITCNT as text has them, ready to be copied, by their counts.
static WAIT_NAMES: [&[Name]; 3] = {
    const fn all<const N: usize>(counter: Counter) -> [Name; N] {
        let mut out = [Name::NONE; N];
        let mut count = 0;
        while count < N {
            out[count] = Name::EMPTY.with(counter.name).with("(").with_dec(count as u32).with(")");
            count += 1;
        }
        out
    }
    [&all::<64>(WAIT_COUNTERS[0]), &all::<8>(WAIT_COUNTERS[1]), &all::<64>(WAIT_COUNTERS[2])]
};

/// Writes the counters of S_WAITCNT that are waited for, or all of them if none is.
fn write_waits(code: u32, out: &mut Text) {
    const BLANK: Short = Short::new(" ");
    let idle = code & covered(&WAIT_COUNTERS) == covered(&WAIT_COUNTERS);
    let mut before = Short::new("");
    for (counter, names) in WAIT_COUNTERS.iter().zip(WAIT_NAMES) {
        let count = counter.of(code);
        if (idle || count != counter.most())
            && let Some(name) = names.get(count as usize)
        {
            out.copy(&before, name);
            before = BLANK;
        }
    }
}

/// Whether a name and a parenthesis come next.
fn named<I: Generation>(asm: &mut Asm<'_, '_, I>) -> bool {
    let start = asm.input.at();
    let named = !asm.input.word().is_empty() && asm.input.eat("(");
    asm.input.go(start);
    named
}

/// Reads `vmcnt(0) expcnt(1)` up to the end of the line; `&` and `,` may stand between. What is not named is not waited
/// for. Where `free`, a counter may stand again, and `vmcnt_sat(100)` stands for the highest count.
fn read_counters<I: Generation>(asm: &mut Asm<'_, '_, I>, counters: &[Counter], free: bool) -> Result<u32, ParseError> {
    let mut code = covered(counters);
    let mut seen = 0;
    loop {
        let word = asm.input.peek_word();
        let (name, saturates) = match word.strip_suffix("_sat") {
            Some(name) if free => (name, true),
            _ => (word, false),
        };
        let Some(counter) = counters.iter().find(|c| c.name == name) else {
            return Err(asm.expected("the name of a counter"));
        };
        let bits = counter.most() << counter.lo;
        if !free && seen & bits != 0 {
            return Err(asm.rule("each counter stands once"));
        }
        seen |= bits;
        asm.input.take(word);
        if !asm.input.eat_byte(b'(') {
            return Err(asm.expected("`(`"));
        }
        let start = asm.input.at();
        let most = i64::from(counter.most());
        let count = match expression(asm)? {
            count if (0..=most).contains(&count) => count as u32,
            _ if saturates => counter.most(),
            _ => {
                asm.input.go(start);
                return Err(asm.rule("the counter has fewer bits than this count"));
            }
        };
        if !asm.input.eat(")") {
            return Err(asm.expected("`)`"));
        }
        code = code & !bits | count << counter.lo;
        let joined = asm.input.eat("&") || asm.input.eat(",");
        if !joined && asm.input.done() {
            return Ok(code);
        }
    }
}

/// Waits as nearly all texts have them.
static PLAIN_COUNTERS: Parts = {
    const fn part(name: &str, counter: Counter) -> Part {
        Part::new(name, counter.lo, counter.width, &[])
    }
    static ALL: [Part; 3] = {
        let [vm, exp, lgkm] = WAIT_COUNTERS;
        [part("vmcnt", vm), part("expcnt", exp), part("lgkmcnt", lgkm)]
    };
    Parts { none: covered(&WAIT_COUNTERS), between: Word::new(" ", 0, 0), all: &ALL }
};

/// The counts that S_WAITCNT waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitCounters;

impl<I: Generation> Operand<I> for WaitCounters {
    type Get = u16;

    const PLAIN: &'static Plain = &Plain { parts: Some(&PLAIN_COUNTERS), ..PLAIN_NUMBERS };

    const NAMES: Names = Names::alone(write_waits);
    const VALUES: Values<Value> = IMMEDIATE;

    const SURE: Sure = Sure::Within(covered(&WAIT_COUNTERS));

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    /// The bit that belongs to no counter is zero.
    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        code & !covered(&WAIT_COUNTERS) == 0
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if named(asm) {
            return read_counters(asm, &WAIT_COUNTERS, true).map(Some);
        }
        asm.state_bits();
        // Of a number the lowest bits count, as in LLVM.
        Ok(Some(expression(asm)? as u32))
    }
}

/// The counts that S_WAITCNT_DEPCTR waits for; a plain number where bits are set that belong to no counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DependencyCounters;

impl<I: Generation> Operand<I> for DependencyCounters {
    type Get = u16;

    const CHECKED: bool = false;

    const NAMES: Names = Names::alone(|code, out| {
        if code & !covered(&DEPENDENCY_COUNTERS) == 0 {
            write_counters(&DEPENDENCY_COUNTERS, code, out);
        } else {
            out.hex(code);
        }
    });
    const VALUES: Values<Value> = IMMEDIATE;

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if named(asm) {
            return read_counters(asm, &DEPENDENCY_COUNTERS, false).map(Some);
        }
        expression_in(asm, -0x8000, 0xffff, "the constant has 16 bits: it lies between -32768 and 65535").map(Some)
    }
}

/// What an instruction can depend on, by the number in S_DELAY_ALU.
pub static DELAY_IDS: [&str; 12] = [
    "NO_DEP",
    "VALU_DEP_1",
    "VALU_DEP_2",
    "VALU_DEP_3",
    "VALU_DEP_4",
    "TRANS32_DEP_1",
    "TRANS32_DEP_2",
    "TRANS32_DEP_3",
    "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1",
    "SALU_CYCLE_2",
    "SALU_CYCLE_3",
];

/// How far the second instruction of S_DELAY_ALU is from the first, by its number.
pub static DELAY_SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];

/// Two dependencies and the distance between the instructions that have them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DelayAlu {
    /// What the next instruction depends on: an index in [`DELAY_IDS`].
    pub id0: u8,
    /// Which instruction the second dependency belongs to: an index in [`DELAY_SKIPS`].
    pub skip: u8,
    /// What that one depends on: an index in [`DELAY_IDS`].
    pub id1: u8,
}

/// One of the three parts of a delay as text has it.
struct DelayPart {
    name: &'static str,
    /// The lowest bit of its number in the constant, and as many ones as the number has bits.
    lo: u8,
    ones: u32,
    /// The names of its numbers, and what stands for a number without one.
    names: &'static [&'static str],
    unknown: &'static str,
}

const NO_ID: &str = "/* invalid instid value */";
const NO_SKIP: &str = "/* invalid instskip value */";

/// The three parts in the order of text.
static DELAY_PARTS: [DelayPart; 3] = [
    DelayPart { name: "instid0", lo: 0, ones: 15, names: &DELAY_IDS, unknown: NO_ID },
    DelayPart { name: "instskip", lo: 4, ones: 7, names: &DELAY_SKIPS, unknown: NO_SKIP },
    DelayPart { name: "instid1", lo: 7, ones: 15, names: &DELAY_IDS, unknown: NO_ID },
];

impl DelayPart {
    /// Its number in a constant.
    const fn of(&self, code: u32) -> u32 {
        code >> self.lo & self.ones
    }
}

/// What stands between two parts.
const BETWEEN: &str = " | ";

/// The texts of the parts with what stands between them, ready to be copied: this instruction is in every tenth line.
static DELAY_LABELS: [[Label; 12]; 3] = {
    const fn all(part: &str, names: &[&str]) -> [Label; 12] {
        let mut out = [Label::NONE; 12];
        let mut i = 0;
        while i < names.len() {
            out[i] = Label::NONE.with(part).with("(").with(names[i]).with(")").with(BETWEEN);
            i += 1;
        }
        out
    }
    [all("instid0", &DELAY_IDS), all("instskip", &DELAY_SKIPS), all("instid1", &DELAY_IDS)]
};

/// Delays as nearly all texts have them.
static PLAIN_DELAYS: Parts = {
    /// All names, those of the most frequent numbers first, which are from `frequent` on and from 0.
    const fn names<const N: usize>(names: &[&str; N], frequent: usize) -> [[Word; 2]; N] {
        let mut out = [Word::enclosed("", 0); N];
        let mut i = 0;
        while i < N {
            let code = (frequent + i) % N;
            out[i] = Word::enclosed(names[code], code as u32);
            i += 1;
        }
        out
    }
    // SALU_CYCLE_1 and VALU_DEP_1.
    static NAMED_IDS: [[Word; 2]; 12] = names(&DELAY_IDS, 9);
    static NAMED_SKIPS: [[Word; 2]; 6] = names(&DELAY_SKIPS, 1);
    static ALL: [Part; 3] = [
        Part::new("instid0", 0, 4, &NAMED_IDS),
        Part::new("instskip", 4, 3, &NAMED_SKIPS),
        Part::new("instid1", 7, 4, &NAMED_IDS),
    ];
    Parts { none: 0, between: Word::new(BETWEEN, 0, 0), all: &ALL }
};

/// Writes the parts of a delay that say something.
fn write_delay(code: u32, out: &mut Text) {
    let start = out.len();
    for (part, labels) in DELAY_PARTS.iter().zip(&DELAY_LABELS) {
        let number = part.of(code) as usize;
        if number != 0 && !labels.get(number).is_some_and(|label| out.label(label)) {
            out.push(part.name);
            out.push_ascii(b'(');
            out.push(part.unknown);
            out.push(")");
            out.push(BETWEEN);
        }
    }
    if out.len() == start {
        out.push_ascii(b'0');
    } else {
        out.cut(BETWEEN.len());
    }
}

static IDS: CodeSet = CodeSet::NONE.with(0, DELAY_IDS.len() as u32 - 1);
static SKIPS: CodeSet = CodeSet::NONE.with(0, DELAY_SKIPS.len() as u32 - 1);

impl Code for DelayAlu {
    fn from_code(code: u32) -> Self {
        DelayAlu { id0: (code & 15) as u8, skip: (code >> 4 & 7) as u8, id1: (code >> 7 & 15) as u8 }
    }

    fn into_code(self) -> u32 {
        u32::from(self.id0) & 15 | (u32::from(self.skip) & 7) << 4 | (u32::from(self.id1) & 15) << 7
    }
}

impl<I: Generation> Operand<I> for DelayAlu {
    type Get = DelayAlu;

    const PLAIN: &'static Plain = &Plain { parts: Some(&PLAIN_DELAYS), ..PLAIN_NUMBERS };

    const NAMES: Names = Names::alone(write_delay);
    const VALUES: Values<Value> = IMMEDIATE;

    const SURE: Sure = Sure::Parts(&[
        (0, 4, Sure::Only(&IDS)),
        (4, 3, Sure::Only(&SKIPS)),
        (7, 4, Sure::Only(&IDS)),
        (11, 5, Sure::Within(0)),
    ]);

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    /// Each number has a name, and the bits above are zero.
    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        code >> 11 == 0 && DELAY_PARTS.iter().all(|part| (part.of(code) as usize) < part.names.len())
    }

    /// `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)`, each part where it is wanted, or a number.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if !named(asm) {
            asm.state_bits();
            return expression_in(asm, -0x8000, 0xffff, "the constant has 16 bits: it lies between -32768 and 65535")
                .map(Some);
        }
        let mut code = 0;
        loop {
            let word = asm.input.peek_word();
            let Some(part) = DELAY_PARTS.iter().find(|part| part.name == word) else {
                return Err(asm.expected("`instid0`, `instskip` or `instid1`"));
            };
            asm.input.take(word);
            if !asm.input.eat_byte(b'(') {
                return Err(asm.expected("`(`"));
            }
            let word = asm.input.peek_word();
            // Names that are alike differ in their last letter.
            let last = word.bytes().last();
            let is = |name: &&str| name.bytes().last() == last && *name == word;
            let Some(number) = part.names.iter().position(is) else {
                return Err(asm.unknown_name("a name that this part knows", part.names.iter().copied()));
            };
            asm.input.take(word);
            if !asm.input.eat_byte(b')') {
                return Err(asm.expected("`)`"));
            }
            code |= (number as u32) << part.lo;
            if !asm.input.eat_byte(b'|') {
                return Ok(Some(code));
            }
        }
    }
}
