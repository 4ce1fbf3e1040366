//! The pre-parser: parses the lines of each part of the file that do not depend on other lines, in parallel.
//!
//! Most lines of a program are instructions whose operands name no symbol. Their bytes do not depend on earlier lines, unless an
//! earlier line opens a comment, a string or a block. Labels and branches to labels depend on little more, which
//! [`Program::part`](crate::program::Program::part) checks when it takes them over in order. The pre-parser leaves all other lines,
//! and all that are wrong, to the program.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use amdgpu_arch::{Instr, InstructionSet, Reader, Wave, begins_register, parse, parse_line_fast, with_set};
use isa::ErrorKind;

use crate::lex::cursor::{Cursor, behind_name, in_name, is_blank, label, trim_end};
use crate::lex::lines::Lines;
use crate::lex::parts::NOT_UTF8;

/// Consecutive lines that are parsed, and their bytes.
#[derive(Debug, Default)]
pub struct Run {
    /// Their positions in the source, with the last line end.
    pub lines: Range<usize>,
    /// The range of their bytes among those of the part.
    pub bytes: Range<usize>,
    /// Labels and branches, and the offset of each in the bytes.
    pub marks: Vec<(usize, Mark)>,
    /// For a listing, the offset of each instruction in the bytes and its position in the source.
    pub rows: Vec<(usize, Range<usize>)>,
}

/// A label or a branch, which the program defines or resolves.
#[derive(Debug)]
pub enum Mark {
    /// A label and the position of its name.
    Label(String, Range<usize>),
    /// A branch to a symbol, and where the symbol is in the source.
    Branch { target: String, span: Range<usize> },
}

/// A cache of parsed texts that are parts of many lines.
#[derive(Default)]
pub struct Memo {
    /// The text before a symbol that is the last operand, and the branch with 0 in its place if that is one.
    branches: HashMap<String, Option<Instr>>,
    /// Names that are not mnemonics, such as those of macros: the parser takes 2 µs to find that out.
    unknown: HashSet<String>,
}

/// The size at which a table of [`Memo`] is cleared: in larger ones few entries are found again.
const MAX_ENTRIES: usize = 1 << 10;

/// Parses the lines of a part and returns the runs in order. Their bytes replace the contents of `bytes`.
pub fn runs(lines: Lines<'_>, reader: Reader, keeps_rows: bool, bytes: &mut Vec<u8>, memo: &mut Memo) -> Vec<Run> {
    bytes.clear();
    with_set!(reader.arch(), S => runs_of::<S>(lines, reader.wave(), keeps_rows, bytes, memo))
}

fn runs_of<S: InstructionSet>(
    mut lines: Lines<'_>,
    wave: Wave,
    keeps_rows: bool,
    bytes: &mut Vec<u8>,
    memo: &mut Memo,
) -> Vec<Run> {
    let mut parser = PreParser { wave, keeps_rows, memo, bytes, run: Run::default() };
    let mut runs = Vec::new();
    // The position of the first line of the run.
    let mut first = None;
    loop {
        // The fast parser finds the end of a line itself, which saves a search for it.
        let (begin, mut rest) = (lines.at(), lines.bare());
        let mut at = begin;
        while let Some((instr, next)) = parse_line_fast::<S>(rest, wave)
            && let Some(behind) = rest.get(next..).filter(|behind| !behind.is_empty() || rest.ends_with('\n'))
        {
            parser.instruction(&instr, rest, at..at + next);
            (at, rest) = (at + next, behind);
        }
        if at > begin {
            first.get_or_insert(begin);
            lines.go_on(at);
        }
        let Some((start, raw)) = lines.next_raw() else { break };
        let clean = lines.clean(start, raw);
        let line = clean.as_ref().and_then(|clean| parser.line::<S>(clean, start));
        if clean.is_none() {
            // The next lines are probably part of a comment or string.
            lines.go_on(start);
            lines.next();
        }
        if line.is_some() {
            first.get_or_insert(start);
        } else if let Some(first) = first.take() {
            runs.push(parser.end(first..start));
        }
    }
    runs.extend(first.map(|first| parser.end(first..lines.at())));
    runs
}

/// The state of the pre-parser.
struct PreParser<'b> {
    wave: Wave,
    keeps_rows: bool,
    memo: &'b mut Memo,
    /// The bytes of the part's instructions.
    bytes: &'b mut Vec<u8>,
    /// The current run.
    run: Run,
}

impl PreParser<'_> {
    /// Ends the current run, which consists of these lines.
    fn end(&mut self, lines: Range<usize>) -> Run {
        let end = self.bytes.len();
        let begun = std::mem::replace(&mut self.run, Run { bytes: end..end, ..Run::default() });
        Run { lines, bytes: begun.bytes.start..end, ..begun }
    }

    /// Appends an instruction with which `text` begins, at `span` in the source. Both may have blanks around it.
    #[inline(always)]
    fn instruction(&mut self, instr: &Instr, text: &str, span: Range<usize>) {
        if self.keeps_rows {
            let line = text.get(..span.len()).unwrap_or_default();
            let begin = span.start + behind(line.as_bytes(), 0, is_blank);
            self.run.rows.push((self.place(), begin..span.start + line.trim_end().len()));
        }
        instr.append(self.bytes);
    }

    /// The offset of the next byte in the run.
    fn place(&self) -> usize {
        self.bytes.len() - self.run.bytes.start
    }

    /// Parses a line into the current run; `None`, and the run is unchanged, if it depends on other lines or is wrong.
    #[inline(never)]
    fn line<S: InstructionSet>(&mut self, clean: &str, start: usize) -> Option<()> {
        // Most lines end with their last operand.
        let ends = clean.as_bytes().last().is_some_and(u8::is_ascii_graphic);
        let clean = if ends { clean } else { trim_end(clean) };
        let (bytes, end) = (clean.as_bytes(), clean.len());
        let Some((begin, operands)) = code(bytes) else {
            return self.label_or_nothing(Cursor::new(clean, start));
        };
        let text = clean.get(begin..)?;
        let symbol = matches!(bytes.get(operands), Some(b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'.'))
            && behind(bytes, operands, in_name) == end
            && bytes.get(operands..) != Some(b".");
        let instr = if symbol
            && let Some((before, name)) = text.split_at_checked(operands - begin)
            && !begins_register(name)
            && let Some(instr) = self.branch::<S>(before, text)
        {
            let mark = Mark::Branch { target: name.into(), span: start + operands..start + end };
            self.run.marks.push((self.place(), mark));
            instr
        } else {
            let (mnemonic, _) = text.split_at_checked(behind(bytes, begin, in_name) - begin)?;
            if self.memo.unknown.contains(mnemonic) {
                return None;
            }
            let parsed = parse::<S>(text, self.wave);
            if let Err(error) = &parsed
                && matches!(error.kind, ErrorKind::Mnemonic(_))
            {
                if self.memo.unknown.len() >= MAX_ENTRIES {
                    self.memo.unknown.clear();
                }
                self.memo.unknown.insert(mnemonic.into());
            }
            parsed.ok()?
        };
        self.instruction(&instr, clean, start..start + end);
        Some(())
    }

    /// Adds the label if the line consists of one.
    fn label_or_nothing(&mut self, input: Cursor<'_>) -> Option<()> {
        let mut input = input;
        if behind_name(input) == Some(b':') && !input.unread().contains(NOT_UTF8) {
            let (name, span) = label(&mut input)?;
            input.done().then(|| self.run.marks.push((self.place(), Mark::Label(name, span))))
        } else {
            input.done().then_some(())
        }
    }

    /// The branch `text` with 0 in place of the symbol after `before`; `None` if it is not a branch. The answer is the same for every
    /// symbol.
    #[inline(never)]
    fn branch<S: InstructionSet>(&mut self, before: &str, text: &str) -> Option<Instr> {
        if let Some(known) = self.memo.branches.get(before) {
            return *known;
        }
        let branch = match parse::<S>(text, self.wave) {
            Ok(_) => None,
            Err(_) => parse::<S>(&format!("{before}0"), self.wave).ok().filter(|instr| instr.branch().is_some()),
        };
        if self.memo.branches.len() >= MAX_ENTRIES {
            self.memo.branches.clear();
        }
        self.memo.branches.insert(before.into(), branch);
        branch
    }
}

/// The end of the bytes from `at` on that satisfy `like`.
#[inline(always)]
fn behind(bytes: &[u8], mut at: usize, like: fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|byte| like(*byte)) {
        at += 1;
    }
    at
}

/// The offsets of the mnemonic and of the operands in a line; `None` for a label, an assignment and anything else that cannot be an
/// instruction.
fn code(bytes: &[u8]) -> Option<(usize, usize)> {
    let begin = behind(bytes, 0, is_blank);
    // Mnemonics consist of these bytes.
    let operands = behind(bytes, behind(bytes, begin, in_name), is_blank);
    let sign = matches!(bytes.get(operands), Some(b':' | b'='));
    (!sign && bytes.get(begin)?.is_ascii_alphabetic()).then_some((begin, operands))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use super::*;
    use crate::lex::parts::{PART, PartBuffer, Text};
    use crate::options::Options;
    use crate::program::Program;
    use crate::target::Target;

    /// Lines whose meaning depends on other lines, and those other lines.
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
        "\tv_mov_b32 v0, 0x12345678 \t\n",
        "s_mov_b32 s0, s1\r\n",
        " s_nop 2 \r\n",
        "s_endpgm\n",
        "s_nop 3\r",
        "s_nop \r 4\n",
        "s_mov_b32                                                                                   s0, \
                                                                                                     s1\n",
        ".macro m x\n",
        " s_nop \\x\nl\\@: s_branch l\\@\n",
        ".endm\n",
        "m 1\n",
        ".macro s_nop x\n.byte \\x\n.endm\n",
        ".purgem s_nop\n",
        ".rept 2\ns_nop 3\n",
        ".endr\n",
        ".if 0\n",
        ".else\n",
        ".endif\n",
        ".exitm\n",
        "1: s_branch 1b\n",
        "s_branch 1f\n",
        "s_nop 10",
    ];

    fn options(listing: bool) -> Options<'static> {
        Options { listing, ..Options::new(Target::parse("rdna3").unwrap(), Wave::W32) }
    }

    fn told(p: &Program<'_>) -> String {
        assert!(p.report.is_whole());
        let sections = p.sections.list().iter().map(|s| format!("{} {:x?}\n", s.name(), s.bytes));
        let sections = sections.collect::<String>();
        format!("{sections}{:?}\n{:?}\n{:?}\n{:?}", p.rows, p.relocations, p.report.diagnostics(), p.metadata.hsa())
    }

    #[test]
    fn instructions_beyond_the_largest_section_are_errors() {
        let source = ".data\n.skip 0xffffff8\n.text\ns_nop 0\ns_nop 1\ns_nop 2\n";
        let p = Program::assemble(Text::Whole(source), &options(false));
        assert_eq!((p.report.len(), p.sections.subsections()[0].len()), (1, 8));
        assert_eq!(p.report.diagnostics()[0].span, source.len() - 8..source.len() - 1);
    }

    #[test]
    fn pre_parsed_lines_have_the_same_effect() {
        let mut random = isa_tests::random::numbers();
        let mut taken = 0;
        for round in 0..300 {
            // Some programs are all code, others have none. Some have no comments, which decide how lines are split.
            let kinds = [10, 22, LINES.len()][round % 3];
            let bare = round % 2 == 0;
            let lines = LINES[..kinds].iter().filter(|line| !bare || !line.contains([';', '/', '#']));
            let lines: Vec<_> = lines.collect();
            let source: String = (0..=random(60)).map(|_| *lines[random(lines.len())]).collect();
            let file = Mutex::new(io::Cursor::new(source.clone()));
            let (whole, file) = (Text::Whole(&source), Text::File(&file, source.len()));
            let mut sequential = Program::new(whole, &options(true));
            sequential.part(Lines::new(&source, 0, 0), Vec::new(), &[]);
            sequential.finish();
            for size in [1, 30, 100, PART] {
                for text in [whole, file] {
                    let p = Program::in_parts(text, &options(true), size);
                    assert_eq!(told(&p), told(&sequential), "{size}: {source}");
                    let (mut buffer, mut bytes) = (PartBuffer::default(), Vec::new());
                    for part in text.parts(size) {
                        let lines = text.read(&part, &mut buffer).expect("the text can be read");
                        taken += runs(lines, options(false).reader(), false, &mut bytes, &mut Memo::default()).len();
                    }
                }
            }
        }
        assert!(taken > 5_000, "{taken}");
    }

    #[test]
    fn a_file_that_shrinks_is_not_taken_for_whole() {
        let source = LINES[..10].concat().repeat(20);
        let file = Mutex::new(io::Cursor::new(source.clone()));
        for (size, whole) in [(source.len(), true), (source.len() + 1, false), (10 * source.len(), false)] {
            let p = Program::in_parts(Text::File(&file, size), &options(false), 64);
            assert_eq!(p.report.is_whole(), whole, "{size}");
        }
    }
}
