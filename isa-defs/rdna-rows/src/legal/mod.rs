//! The rules between the operands of an instruction. An instruction that decodes can break them.
//!
//! Each rule is stated once, for all generations: `Instr::check` checks all of them, and the parser those that LLVM's assembler has
//! too. A rule reads operands and modifiers, so it applies to every row that has them, or to the rows with a flag. Rules about the
//! sizes of image accesses, which text states, are in the operand classes.

mod fast;
mod memory;
mod rule;
mod scalar;
mod vector;

use isa::{Access, Cx, DecodeError, Forbidden, MAX_DWORDS, OperandInfo};

pub use self::rule::Rule;
use crate::{Family, File, Format, Generation, Instruction, Registers, Value, Wave};
pub use amdgpu_operands::Authority;

/// The machine that `check` assumes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The wave size.
    pub wave: Wave,
}

impl From<Wave> for Target {
    fn from(wave: Wave) -> Self {
        Target { wave }
    }
}

/// A rule that an instruction breaks.
pub type Violation = amdgpu_operands::Violation<Rule>;

/// The result of checking a rule.
type Finding = Result<(), Violation>;

/// A violation if the condition holds.
fn forbid(condition: bool, rule: Rule, operand: &'static str) -> Finding {
    if condition { Err(Violation::new(rule, operand)) } else { Ok(()) }
}

/// The most operands that an instruction has: a dual-issue pair has two destinations, four sources and two masks.
const MOST_OPERANDS: usize = 8;

/// An instruction as the rules see it.
struct Facts<'a, I: Generation> {
    instr: &'a I::Instr,
    wave: Wave,
    operands: [Option<OperandInfo<I>>; MOST_OPERANDS],
    /// The surroundings of the operands of the first component.
    cx: Cx<'a, I>,
}

impl<'a, I: Generation> Facts<'a, I> {
    /// `None` for what is not an instruction.
    fn new(instr: &'a I::Instr, words: &'a [u32; MAX_DWORDS], wave: Wave) -> Option<Self> {
        let (format, _) = I::parts(instr);
        let cx = isa::surroundings(format, words, wave, 0)?;
        let mut operands = [None; MOST_OPERANDS];
        for (to, operand) in operands.iter_mut().zip(instr.operand_infos(wave)) {
            *to = Some(operand);
        }
        Some(Facts { instr, wave, operands, cx })
    }

    fn operands(&self) -> impl Iterator<Item = &OperandInfo<I>> {
        self.operands.iter().flatten()
    }

    fn reads(&self) -> impl Iterator<Item = &OperandInfo<I>> {
        self.operands().filter(|o| o.access != Access::Write)
    }

    fn writes(&self) -> impl Iterator<Item = &OperandInfo<I>> {
        self.operands().filter(|o| o.access != Access::Read)
    }

    fn operand(&self, role: &str) -> Option<&OperandInfo<I>> {
        self.operands().find(|o| o.role == role)
    }

    /// Returns whether the row has one of these flags.
    fn has(&self, flags: u128) -> bool {
        self.cx.has(flags)
    }

    /// Returns the code of a modifier, or 0 if the encoding variant has none of that name.
    fn modifier(&self, modifier: isa::Modifier) -> u32 {
        self.cx.sibling(modifier.name).map_or(0, |(code, _)| code)
    }

    /// A violation at the first of these operands for which the condition holds.
    fn forbid<'o>(
        operands: impl Iterator<Item = &'o OperandInfo<I>>,
        rule: Rule,
        wrong: impl Fn(&OperandInfo<I>) -> bool,
    ) -> Finding {
        let mut operands = operands;
        match operands.find(|o| wrong(o)) {
            Some(o) => Err(Violation::new(rule, o.role)),
            None => Ok(()),
        }
    }

    fn is(&self, format: Format) -> bool {
        self.instr.microcode() == format
    }

    fn ranges(&self) -> Finding {
        let past = |first: u8, count: u8| u16::from(first) + u16::from(count) > 256;
        // Text has as many registers of streamout as the type takes, even where the instruction moves one.
        let in_text = |o: &OperandInfo<I>| if self.has(crate::flags::STREAMOUT) { o.ty.dwords() } else { 0 };
        Self::forbid(self.operands(), Rule::VgprRange, |o| match o.value {
            Value::Registers(r) => r.file == File::Vgpr && past(r.first, r.count.max(in_text(o))),
            Value::Scattered { groups, first, count } => {
                first.iter().zip(count).take(usize::from(groups)).any(|(first, count)| past(*first, count))
            }
            _ => false,
        })
    }

    /// The rules that LLVM's assembler holds.
    fn assembler(&self) -> Finding {
        self.ranges()?;
        match self.instr.microcode() {
            Format::Vinterp => Ok(()),
            format if format.is_vector_alu() => self.vector(),
            Format::Sop2 | Format::Sopc | Format::Sopk | Format::Smem => self.scalar(),
            Format::Mubuf | Format::Mtbuf => self.memory(),
            format if format.is_image() => self.memory(),
            _ => Ok(()),
        }
    }

    /// The rules that only the guide has.
    fn guide(&self) -> Finding {
        match self.instr.microcode() {
            format if format.is_vector_alu() => self.vector_guide(),
            Format::Sop1 | Format::Sopk | Format::Sopp | Format::Smem => self.scalar_guide(),
            Format::Ds | Format::Mubuf | Format::Mtbuf | Format::Scratch | Format::Global => self.memory_guide(),
            format if format.is_image() => self.memory_guide(),
            _ => Ok(()),
        }
    }
}

/// The registers of an operand.
fn registers<I: Generation>(operand: &OperandInfo<I>) -> Option<Registers> {
    match operand.value {
        Value::Registers(r) => Some(r),
        _ => None,
    }
}

/// Whether an operand is registers of one of these files.
fn is_in<I: Generation>(operand: &OperandInfo<I>, files: &[File]) -> bool {
    registers(operand).is_some_and(|r| files.contains(&r.file))
}

/// Whether two groups of registers have one in common.
fn overlap(a: Registers, b: Registers) -> bool {
    let end = |r: Registers| u16::from(r.first) + u16::from(r.count);
    a.file == b.file && u16::from(a.first) < end(b) && u16::from(b.first) < end(a)
}

/// Checks that an instruction obeys the rules of its target.
///
/// # Errors
/// The first rule it breaks; one that LLVM's assembler holds comes before one that only the guide has.
pub(crate) fn check<T: Instruction>(instr: &T, target: Target) -> Result<(), Violation> {
    let dwords = instr.dwords();
    exists::<T::Generation>(&dwords, target.wave).map_err(in_guide::<T>)?;
    check_rules(instr, target)
}

/// Checks the rules of an instruction that was decoded or encoded, and is therefore decodable.
#[inline]
pub(crate) fn check_rules<T: Instruction>(instr: &T, target: Target) -> Result<(), Violation> {
    if obeys_all(instr, target.wave) { Ok(()) } else { check_facts(*instr, target.wave).map_err(in_guide::<T>) }
}

/// Returns a violation with the section of the generation's guide.
fn in_guide<T: Instruction>(violation: Violation) -> Violation {
    match T::Generation::FAMILY {
        Family::Gfx11 => violation,
        Family::Gfx12 => violation.in_later_guide(),
    }
}

/// Returns whether the fast paths see that an instruction obeys all rules.
// Out of line, or every caller of `check` gets a copy of both fast paths.
#[inline(never)]
fn obeys_all<T: Instruction>(instr: &T, wave: Wave) -> bool {
    let dwords = instr.dwords();
    fast::obeys_assembler(instr, &dwords) && fast::obeys_guide(instr, &dwords, wave)
}

/// Checks the rules themselves.
// Out of line, so that instructions of the fast paths do not set up the large frame of `Facts`.
#[inline(never)]
fn check_facts<T: Instruction>(instr: T, wave: Wave) -> Result<(), Violation> {
    let dwords = instr.dwords();
    let Some(facts) = Facts::<T::Generation>::new(&instr, &dwords, wave) else { return Ok(()) };
    facts.assembler()?;
    facts.guide()
}

/// Whether these words are an instruction in this wave size.
fn exists<I: Generation>(words: &[u32; MAX_DWORDS], wave: Wave) -> Finding {
    let Err(error) = isa::decode::<I>(words, wave) else { return Ok(()) };
    let other = if wave == Wave::W32 { Wave::W64 } else { Wave::W32 };
    let mode = matches!(error, DecodeError::WrongMode { .. }) || isa::decode::<I>(words, other).is_ok();
    let rule = if mode { Rule::WaveSize } else { Rule::ReservedCode };
    Err(Violation::new(rule, error.field().unwrap_or("instruction")))
}

/// Checks the rules of LLVM's assembler, for the parser, whose instructions are decodable.
#[inline(always)]
pub(crate) fn for_text<T: Instruction>(instr: &T, wave: Wave) -> Result<(), Forbidden> {
    let words = instr.dwords();
    if fast::obeys_assembler(instr, &words) { Ok(()) } else { by_rules(*instr, wave) }
}

/// The same by the rules themselves.
#[inline(never)]
fn by_rules<T: Instruction>(instr: T, wave: Wave) -> Result<(), Forbidden> {
    let words = instr.dwords();
    let Some(facts) = Facts::<T::Generation>::new(&instr, &words, wave) else { return Ok(()) };
    Violation::of_assembler(facts.assembler())
}

/// The verdicts of the fast paths and of the rules on an instruction, which a test compares: by the assembler's rules, then by the
/// guide's.
#[derive(Debug)]
pub struct Verdicts {
    /// Whether the fast path accepts the instruction.
    pub fast: [bool; 2],
    /// The first rule that the instruction breaks.
    pub rules: [Result<(), Violation>; 2],
}

/// Returns the verdicts on an instruction; `None` for what is not an instruction.
pub fn verdicts<T: Instruction>(instr: &T, wave: Wave) -> Option<Verdicts> {
    let dwords = instr.dwords();
    let facts = Facts::<T::Generation>::new(instr, &dwords, wave)?;
    let fast = [fast::obeys_assembler(instr, &dwords), fast::obeys_guide(instr, &dwords, wave)];
    Some(Verdicts { fast, rules: [facts.assembler(), facts.guide()] })
}
