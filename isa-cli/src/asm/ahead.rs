//! Lines that mean the same wherever they stand, read before their turn comes: on threads, a part of the file each.
//!
//! Nearly all lines of a program are instructions whose operands name no symbol. What such a line comes to depends on
//! nothing that stands before it, unless that is a comment or a block that is still open. Branches to labels and labels
//! themselves depend on a little more, which [`Program::take`](super::program::Program::take) looks at when their turn
//! comes. All other lines, and all that are wrong, are left to be read in the ordinary way.

use std::collections::HashMap;
use std::ops::Range;

use crate::arch::{Instr, Reader, Reads, Wave, parse, with_set};
use crate::asm::cursor::{Cursor, in_name, is_blank};
use crate::asm::expr::Expr;
use crate::asm::instr::{Hole, Pending};
use crate::asm::program::{behind_name, label};
use crate::asm::source::Lines;

/// Lines one behind the other, and what they come to.
#[derive(Debug, Default)]
pub struct Run {
    /// Where they stand in the file, the last one's end included.
    pub lines: Range<usize>,
    /// The bytes of their instructions.
    pub bytes: Vec<u8>,
    /// What is not in the bytes, and behind how many of them it stands.
    pub marks: Vec<(usize, Mark)>,
    /// Behind how many of them each instruction begins and where it stands in the file, if rows are kept.
    pub rows: Vec<(usize, Range<usize>)>,
}

/// What stands at a place besides bytes.
#[derive(Debug)]
pub enum Mark {
    /// A label, and where its name stands.
    Label(String, Range<usize>),
    /// What a branch of so many bytes waits for, which names one symbol and no more.
    Branch(u64, Pending),
}

/// The runs of a part, in order.
pub fn runs(lines: Lines<'_>, reader: Reader, keeps_rows: bool) -> Vec<Run> {
    with_set!(reader.arch(), S => runs_of::<S>(lines, reader.wave(), keeps_rows))
}

fn runs_of<S: Reads>(mut lines: Lines<'_>, wave: Wave, keeps_rows: bool) -> Vec<Run> {
    let mut known = Known { wave, keeps_rows, branches: HashMap::new() };
    let mut runs = Vec::new();
    let mut run = Run::default();
    while let Some((start, raw)) = lines.next_raw() {
        let known = if lines.is_plain(start, raw) {
            known.line::<S>(raw, start, &mut run)
        } else {
            known.line_with_comment::<S>(&mut lines, raw, start, &mut run)
        };
        if known.is_some() {
            run.lines = if run.lines.is_empty() { start } else { run.lines.start }..lines.at();
        } else if !run.lines.is_empty() {
            runs.push(std::mem::take(&mut run));
        }
    }
    runs.extend((!run.lines.is_empty()).then_some(run));
    runs
}

/// What is known of lines, wherever they stand.
struct Known {
    wave: Wave,
    keeps_rows: bool,
    /// The text before a symbol that is the last operand, and the branch with 0 in its place if that is one.
    branches: HashMap<String, Option<Instr>>,
}

impl Known {
    /// The same as [`line`](Self::line) for one in which comments may stand. What reaches over several lines is left to
    /// whoever knows where it began.
    #[inline(never)]
    fn line_with_comment<S: Reads>(
        &mut self,
        lines: &mut Lines<'_>,
        raw: &str,
        start: usize,
        run: &mut Run,
    ) -> Option<()> {
        let closed = lines.open_comment().is_none();
        let clean = lines.without_comments(start, raw);
        if closed && lines.open_comment().is_none() { self.line::<S>(&clean, start, run) } else { None }
    }

    /// Adds what a line comes to; `None`, and nothing added, where that is not known.
    #[inline(always)]
    fn line<S: Reads>(&mut self, clean: &str, start: usize, run: &mut Run) -> Option<()> {
        let bytes = clean.as_bytes();
        let Some((begin, operands)) = surely_code(bytes).or_else(|| code(bytes)) else {
            return label_or_nothing(Cursor::new(clean, start), run);
        };
        // Few lines end otherwise than with their last operand.
        let end = if bytes.last().is_some_and(u8::is_ascii_graphic) { bytes.len() } else { clean.trim_end().len() };
        let text = clean.get(begin..end)?;
        let symbol = matches!(bytes.get(operands), Some(b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'.'))
            && !has_comma(bytes, operands)
            && behind(bytes, operands, in_name) == end
            && bytes.get(operands..end) != Some(b".");
        let place = run.bytes.len();
        if symbol
            && let Some((before, name)) = text.split_at_checked(operands - begin)
            && let Some(instr) = self.branch::<S>(before, text)
        {
            let span = start + operands..start + end;
            let expr = Expr::Symbol { name: name.into(), kind: None, span: span.clone() };
            let hole = Hole::Branch(before.into(), String::new());
            run.marks.push((place, Mark::Branch(instr.size() as u64, Pending { expr, span, hole })));
            instr.append(&mut run.bytes);
        } else {
            parse::<S>(text, self.wave).ok()?.append(&mut run.bytes);
        }
        if self.keeps_rows {
            run.rows.push((place, start + begin..start + end));
        }
        Some(())
    }

    /// The branch that `text` is, with 0 in the place of the symbol behind `before`. Where one symbol is refused as what it
    /// would be without a meaning, a register, say, all are: places to go to have no names.
    #[inline(never)]
    fn branch<S: Reads>(&mut self, before: &str, text: &str) -> Option<Instr> {
        if let Some(known) = self.branches.get(before) {
            return *known;
        }
        let branch = match parse::<S>(text, self.wave) {
            Ok(_) => None,
            Err(_) => parse::<S>(&format!("{before}0"), self.wave).ok().filter(|instr| instr.branch().is_some()),
        };
        self.branches.insert(before.into(), branch);
        branch
    }
}

/// Where the bytes end that are like this.
#[inline(always)]
fn behind(bytes: &[u8], mut at: usize, like: fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|byte| like(*byte)) {
        at += 1;
    }
    at
}

/// Where the name of an instruction begins in a line and where what stands behind it; `None` for a label, an assignment and
/// all that cannot be an instruction.
#[inline(never)]
fn code(bytes: &[u8]) -> Option<(usize, usize)> {
    let begin = behind(bytes, 0, is_blank);
    // No name of an instruction holds another byte, and what begins with another is none.
    let operands = behind(bytes, behind(bytes, begin, in_name), is_blank);
    let sign = matches!(bytes.get(operands), Some(b':' | b'='));
    (!sign && bytes.get(begin)?.is_ascii_alphabetic()).then_some((begin, operands))
}

/// The same of a line with one blank behind the first word, if it looks as nearly all of those do: it is looked for in
/// eight bytes at a time.
#[inline(always)]
fn surely_code(bytes: &[u8]) -> Option<(usize, usize)> {
    let begin = behind(bytes, 0, is_blank);
    let mut at = begin;
    let blank = loop {
        let found = below(eight(bytes, at)?, 0x21);
        if found != 0 {
            break at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    };
    let next = *bytes.get(blank + 1)?;
    let sign = matches!(next, b':' | b'=') || is_blank(next) || bytes.get(blank.checked_sub(1)?) == Some(&b':');
    (!sign && bytes.get(begin)?.is_ascii_alphabetic()).then_some((begin, blank + 1))
}

/// Whether a comma surely stands among the next eight bytes: what begins here is one operand of several.
#[inline(always)]
fn has_comma(bytes: &[u8], at: usize) -> bool {
    // Those bytes become zero that are commas.
    eight(bytes, at).is_some_and(|eight| below(eight ^ (EACH * u64::from(b',')), 1) != 0)
}

/// A one in each of eight bytes.
const EACH: u64 = u64::MAX / 0xff;

/// Bits of which the lowest is that of the first of eight bytes that is less than this; none if there is no such byte.
#[inline(always)]
fn below(eight: u64, byte: u64) -> u64 {
    eight.wrapping_sub(EACH * byte) & !eight & (EACH * 0x80)
}

/// The next eight bytes, the first one lowest.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Adds the label that a line is, if that is all.
#[inline(never)]
fn label_or_nothing(input: Cursor<'_>, run: &mut Run) -> Option<()> {
    let mut input = input;
    if behind_name(input) == Some(b':') {
        let (name, span) = label(&mut input)?;
        input.done().then(|| run.marks.push((run.bytes.len(), Mark::Label(name, span))))
    } else {
        input.done().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use super::*;
    use crate::arch::Arch;
    use crate::asm::program::Program;
    use crate::asm::text::{PART, Room, Text};

    /// Lines that others change the meaning of, and those others.
    const LINES: &[&str] = &[
        "s_nop 0\n",
        "\ts_mov_b32 s0, s1 // x\n",
        "  v_add_f32 v0, v1, v2 ; y\r\n",
        "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3\n",
        "a:\n",
        "b: ; a label\n",
        "c: s_nop 1\n",
        "d: e:\n",
        "\"a\":\n",
        "s_branch a\n",
        "s_cbranch_scc0 b // c\n",
        "s_cbranch_execz\tvcc_lo\n",
        "vcc_lo:\n",
        "s_branch nowhere\n",
        "s_branch k\n",
        "s_branch .\n",
        "s_branch 3\n",
        "s_call_b64 s[0:1], a\n",
        "s_mov_b32 s0, k\n",
        "s_mov_b32 s0, s1x\n",
        "s_mov_b32 s0, b-a\n",
        "s_add_u32 s0, s0, a@rel32@lo+4\n",
        ".set k, 5\n",
        "k = 6\n",
        "s1 = 7\n",
        "s_nop = 8\n",
        "s_nop : s_nop 2\n",
        "s_endpgm:\n",
        ".long k, a\n",
        ".data\n",
        ".text\n",
        ".p2align 4\n",
        "/* s_nop 3\n",
        "s_nop 4 */ s_nop 5\n",
        "s_nop /* 6 */ 7\n",
        "# s_nop 8\n",
        ".ascii \"; /* \" ; z\n",
        ".amdhsa_kernel f\n",
        ".amdhsa_next_free_vgpr 1\n",
        ".amdhsa_next_free_sgpr 1\n",
        ".end_amdhsa_kernel\n",
        ".amdgpu_metadata\n---\n",
        ".end_amdgpu_metadata\n",
        "s_nip 1\n",
        "v_add_f32 v0, s1, s2, s3\n",
        "\n",
        "  \t \u{b}\n",
        "é: s_nop 9\n",
        "a_long_label: s_nop 1\n",
        "another_label : s_nop 1\n",
        "close_by:s_nop 1, 2\n",
        "a_variable = 6\n",
        "a_variable  = 6\n",
        "s_cbranch_vccnz  = 6\n",
        "s_cbranch_vccnz  a\n",
        "s_mov_b32  s0,s1 \n",
        "\t s_setpc_b64 vcc\n",
        "s_waitcnt vmcnt(0)lgkmcnt(0)\n",
        "s_delay_alu\tinstid0(VALU_DEP_1)\t\r\n",
        "s_nop 10",
    ];

    fn reader() -> Reader {
        Reader::new(Arch::Rdna3, Wave::W32)
    }

    fn told(p: &Program<'_>) -> String {
        assert!(p.is_whole());
        let sections = p.sections.iter().map(|s| format!("{} {:x?}\n", s.name, s.bytes));
        let sections = sections.collect::<String>();
        format!("{sections}{:?}\n{:?}\n{:?}\n{:?}", p.rows, p.relocations, p.faults, p.metadata)
    }

    #[test]
    fn what_finds_no_room_is_a_fault() {
        let source = ".data\n.skip 0xffffff8\n.text\ns_nop 0\ns_nop 1\ns_nop 2\n";
        let p = Program::assemble(Text::Whole(source), reader(), false);
        assert_eq!((p.faults.len(), p.sections[0].len()), (1, 8));
        assert_eq!(p.faults[0].span, source.len() - 8..source.len() - 1);
    }

    #[test]
    fn what_is_read_ahead_is_what_stands_there() {
        let mut random = crate::random::numbers();
        let mut taken = 0;
        for round in 0..600 {
            // Some programs are nearly all code, others are none.
            let kinds = [10, 22, LINES.len()][round % 3];
            let source: String = (0..=random(30)).map(|_| LINES[random(kinds)]).collect();
            let file = Mutex::new(io::Cursor::new(source.clone()));
            let (whole, file) = (Text::Whole(&source), Text::File(&file, source.len()));
            let mut in_turn = Program::new(whole, reader(), true);
            in_turn.part(Lines::new(&source, 0, 0), Vec::new());
            in_turn.finish();
            for size in [1, 30, 100, PART] {
                for text in [whole, file] {
                    let p = Program::in_parts(text, reader(), true, size);
                    assert_eq!(told(&p), told(&in_turn), "{size}: {source}");
                    let mut room = Room::default();
                    for part in text.parts(size) {
                        let lines = text.read(&part, &mut room).expect("the text can be read");
                        taken += runs(lines, reader(), false).len();
                    }
                }
            }
        }
        assert!(taken > 10_000, "{taken}");
    }

    #[test]
    fn a_file_that_shrinks_is_not_taken_for_whole() {
        let source = LINES[..10].concat().repeat(20);
        let file = Mutex::new(io::Cursor::new(source.clone()));
        for (size, whole) in [(source.len(), true), (source.len() + 1, false), (10 * source.len(), false)] {
            let p = Program::in_parts(Text::File(&file, size), reader(), false, 64);
            assert_eq!(p.is_whole(), whole, "{size}");
        }
    }
}
