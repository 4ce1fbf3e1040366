//! The fast parser returns the same results as the slow path, for lines of every sort and for
//! lines with faults. `PROPERTY_CASES=1800 cargo test --release -p isa-tests --test text fast_parse` tries 18 million of each set.

use std::collections::BTreeSet;

use isa::__private::parser::{parse_fast, parse_slow};
use isa::parse_line_fast;
use isa::{Options, Text};
use isa_tests::each_set;
use isa_tests::property;
use isa_tests::sample::Sample;
use isa_tests::sets::{Set, format, read};
use isa_tests::vectors::{Line, golden_of, shared_assembly_of, shared_decode_of};

/// The comparison of the fast and the slow parser.
#[derive(Default)]
struct Tried {
    lines: usize,
    /// The number of lines that the fast parser accepts.
    quick: usize,
    faults: Vec<String>,
}

impl Tried {
    fn line<S: Set>(&mut self, text: &str, options: Options<S::Mode>) {
        self.lines += 1;
        let quick = parse_fast::<S>(text, options);
        self.first_of_several::<S>(text, options, quick);
        let Some(quick) = quick else { return };
        self.quick += 1;
        let full = parse_slow::<S>(text, options);
        if full != Ok(quick) {
            self.faults.push(format!("{text:?} {options:?}: {quick:x?}, and on the slow path {full:x?}"));
        }
    }

    /// Checks that the fast parser reads a line in the same way if other lines follow it.
    fn first_of_several<S: Set>(&mut self, text: &str, options: Options<S::Mode>, single: Option<S::Instr>) {
        let ends = ["\n", "\r\n", "\n", "\n", "\r\n"];
        let nth = self.lines % ends.len();
        let more =
            format!("{text}{}{}", ends[nth], ["        ", "s_nop 0\n", ", v1 lgkm", "0x10 v_nop", "v_nop :: "][nth]);
        let first = parse_line_fast::<S>(&more, options);
        // A text with a line end in it has another first line.
        if !text.contains(['\r', '\n']) && first != single.map(|instr| (instr, text.len() + ends[nth].len())) {
            self.faults.push(format!("{more:?} {options:?}: {first:x?}, and by itself {single:x?}"));
        }
    }

    fn check(&self, what: &str, least: usize) {
        println!("{what}: {} of {} lines are read quickly", self.quick, self.lines);
        let shown: String = self.faults.iter().take(20).map(|fault| format!("\n{fault}")).collect();
        assert!(self.faults.is_empty(), "{what}: {} lines differ:{shown}", self.faults.len());
        assert!(
            self.quick * 100 >= least * self.lines,
            "{what}: the fast parser accepts {} of {}",
            self.quick,
            self.lines
        );
    }
}

/// The modes, both strictly and leniently.
fn options<S: Set>() -> Vec<Options<S::Mode>> {
    let modes = S::MODES.iter().map(|(_, mode)| *mode);
    modes.flat_map(|mode| [false, true].map(|lenient| Options { mode, lenient })).collect()
}

/// Returns the initial texts: those of all vectors, and those that their words print.
fn texts<S: Set>() -> Vec<String> {
    let mut out: BTreeSet<String> = BTreeSet::new();
    let words: Vec<Line> = [golden_of::<S>().unwrap(), shared_decode_of::<S>().unwrap()].concat();
    let mut buffer = Text::new();
    for line in &words {
        let Some(mode) = S::mode(&line.wave) else { continue };
        if let Some(instr) = read::<S>(&line.words(), mode) {
            let (format, words) = S::parts(&instr);
            buffer.clear();
            isa::write_text::<S>(format, words, isa::length::<S>(format, &words) as u8, mode, &mut buffer);
            out.insert(buffer.as_str().into());
        }
    }
    out.extend(words.into_iter().chain(shared_assembly_of::<S>().unwrap()).map(|line| line.text));
    out.into_iter().collect()
}

#[test]
fn vectors_are_read_alike() {
    fn check<S: Set>() {
        let mut tried = Tried::default();
        for text in texts::<S>().iter().step_by(property::stride(16)) {
            for options in options::<S>() {
                tried.line::<S>(text, options);
            }
        }
        tried.check(&format!("{:?}", S::MODES), 25);
    }
    each_set!(S => check::<S>());
}

/// The fast path parses the golden texts of all formats but those whose operands need special parsers.
#[test]
fn golden_texts_are_read_quickly() {
    fn check<S: Set>() {
        let mut tried = Tried::default();
        for line in golden_of::<S>().unwrap().iter().filter(|line| line.canonical) {
            let mode = S::mode(&line.wave).unwrap();
            let Some(instr) = read::<S>(&line.words(), mode) else { continue };
            if !matches!(format::<S>(&instr), "EXP" | "LDSDIR" | "VINTERP" | "ILLEGAL") {
                tried.line::<S>(&line.text, Options { mode, lenient: false });
            }
        }
        tried.check(&format!("golden {:?}", S::MODES), 50);
    }
    each_set!(S => check::<S>());
}

/// Numbers at which something changes.
const NUMBERS: [&str; 40] = [
    "0", "1", "2", "3", "4", "5", "7", "8", "10", "15", "16", "17", "31", "32", "63", "64", "65", "99", "100", "101",
    "102", "103", "104", "105", "106", "107", "127", "128", "254", "255", "256", "4095", "4096", "-4096", "-1", "-16",
    "-17", "010", "65535", "65536",
];
/// Words that replace others.
const WORDS: [&str; 64] = [
    "vcc",
    "vcc_lo",
    "vcc_hi",
    "exec",
    "exec_lo",
    "exec_hi",
    "m0",
    "null",
    "scc",
    "src_scc",
    "off",
    "glc",
    "slc",
    "dlc",
    "noglc",
    "offen",
    "idxen",
    "tfe",
    "lds",
    "gds",
    "clamp",
    "noclamp",
    "offset:16",
    "offset:-1",
    "offset:0x10",
    "offset0:1",
    "offset1:255",
    "offset:4095",
    "offset:65535",
    "mul:2",
    "op_sel:[1,0,0]",
    "neg_lo:[1,0]",
    "1.0",
    "-1.0",
    "0.5",
    "4.0",
    "3.0",
    "1.5",
    "1e3",
    "0.15915494",
    "0x1",
    "0x3f800000",
    "0xffffffff",
    "0x3e22f983",
    "0x12345678",
    "0x",
    "0x1ffffffff",
    "lit(0x1)",
    "neg(v1)",
    "-v1",
    "|v1|",
    "abs(s1)",
    "v1.l",
    "v1.h",
    "v[0:0]",
    "s[2:3]",
    "s[0:3]",
    "s[4:11]",
    "v[1:2]",
    "v[254:255]",
    "ttmp1",
    "ttmp[2:3]",
    "1+2",
    "(1)",
];
const SUFFIXES: [&str; 6] = ["_e32", "_e64", "_dpp", "_e64_dpp", "_e3", "_"];
const BYTES: &[u8] = b"0123456789abcdefsvx_,.:[]()|-+*/& \t\0\n~$\xc3\xa9";

/// Where a token begins and ends that is chosen: a word, a number, or a mark.
fn token(line: &str, sample: &mut Sample) -> std::ops::Range<usize> {
    let within = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let bytes = line.as_bytes();
    if bytes.is_empty() {
        return 0..0;
    }
    let at = sample.below(bytes.len());
    if !within(bytes[at]) {
        return at..at + 1;
    }
    let start = bytes[..at].iter().rposition(|b| !within(*b)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|b| !within(*b)).map_or(bytes.len(), |after| at + after);
    start..end
}

/// Where each operand and modifier begins and ends; the mnemonic is the first.
fn operands(line: &str) -> Vec<std::ops::Range<usize>> {
    let parts = line.split([',', ' ']).map(|part| part.as_ptr() as usize - line.as_ptr() as usize);
    let starts: Vec<usize> = parts.collect();
    let ends = starts.iter().skip(1).map(|next| next - 1).chain([line.len()]);
    starts.iter().zip(ends).map(|(start, end)| *start..end).filter(|range| !range.is_empty()).collect()
}

/// A line with one thing changed.
fn changed(line: &str, all: &[String], sample: &mut Sample) -> Option<String> {
    let mut bytes = line.as_bytes().to_vec();
    match sample.below(12) {
        // An operand of another line, or one that is often somewhere else.
        0..=2 => {
            let other = sample.of(all);
            let (ours, theirs) = (operands(line), operands(other));
            if ours.is_empty() || theirs.is_empty() {
                return None;
            }
            // Mostly at the same place.
            let here = sample.below(ours.len());
            let there = if sample.below(4) > 0 && here < theirs.len() { here } else { sample.below(theirs.len()) };
            bytes.splice(ours[here].clone(), other.as_bytes()[theirs[there].clone()].iter().copied());
        }
        3 | 4 => {
            let ours = operands(line);
            if ours.is_empty() {
                return None;
            }
            bytes.splice(sample.of(&ours).clone(), sample.of(&WORDS).bytes());
        }
        5 => {
            let here = token(line, sample);
            bytes.splice(here, sample.of(&NUMBERS).bytes());
        }
        // The digits of a register or a number.
        6 | 7 => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
            if digits.is_empty() {
                return None;
            }
            bytes[*sample.of(&digits)] = b'0' + sample.below(10) as u8;
        }
        // A character more, fewer or another.
        8 => {
            let at = sample.below(bytes.len() + 1);
            bytes.insert(at, *sample.of(BYTES));
        }
        9 => {
            let at = sample.below(bytes.len().max(1));
            bytes.drain(at..(at + 1 + sample.below(3)).min(line.len()));
        }
        // Another mnemonic, or another suffix.
        10 => {
            let end = line.find(' ').unwrap_or(line.len());
            let other = sample.of(all).split(' ').next().unwrap_or_default().as_bytes();
            bytes.splice(..end, other.iter().copied());
        }
        _ => {
            let end = line.find(' ').unwrap_or(line.len());
            let stem = SUFFIXES.iter().find_map(|suffix| line[..end].strip_suffix(suffix)).unwrap_or(&line[..end]);
            bytes.splice(stem.len()..end, sample.of(&SUFFIXES).bytes());
        }
    }
    String::from_utf8(bytes).ok()
}

/// How many lines of each set are changed, times the factor of `PROPERTY_CASES`.
const CHANGED: usize = 5_000;

#[test]
fn changed_lines_are_read_alike() {
    fn check<S: Set>() {
        let count = property::count(CHANGED);
        let (texts, options, mut sample) = (texts::<S>(), options::<S>(), property::sample());
        let mut tried = Tried::default();
        while tried.lines < count {
            let options = *sample.of(&options);
            let mut line = sample.of(&texts).clone();
            // Lines that the fast parser declines test little.
            if parse_fast::<S>(&line, options).is_none() && sample.below(4) > 0 {
                continue;
            }
            for _ in 0..=[0, 0, 0, 1, 2][sample.below(5)] {
                line = changed(&line, &texts, &mut sample).unwrap_or(line);
            }
            tried.line::<S>(&line, options);
        }
        tried.check(&format!("changed {:?}", S::MODES), 5);
    }
    each_set!(S => check::<S>());
}
