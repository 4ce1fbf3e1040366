//! What decodes and is forbidden all the same: rules between the operands of one instruction.
//!
//! Each rule stands here once: [`Instr::check`] asks it of a finished instruction, and the parser asks those of them that
//! LLVM's assembler holds too. A rule reads the operands and the modifiers of an instruction, so it holds for every row
//! that has them; where it concerns some rows only, a word of those rows says so. Rules about sizes that text has to
//! state (those of image accesses) stand with the kinds of operands and are asked from both sides.

mod memory;
mod plain;
mod rule;
mod scalar;
mod vector;

use core::fmt;

use isa::{Access, Cx, Forbidden};

pub use self::rule::{Authority, Rule};
use crate::{DecodeError, File, Instr, OperandInfo, Rdna3, Registers, Value, Wave};

/// What code is made for.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The role of the operand at fault, or the name of the modifier.
    pub operand: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { rule, operand } = self;
        write!(f, "{operand}: {}; {} (guide §{})", rule.text(), rule.mend(), rule.section())
    }
}

impl core::error::Error for Violation {}

/// What a rule finds: nothing, or the violation.
type Finding = Result<(), Violation>;

/// A violation if the condition holds.
fn forbid(condition: bool, rule: Rule, operand: &'static str) -> Finding {
    if condition { Err(Violation { rule, operand }) } else { Ok(()) }
}

/// The most operands that an instruction has: a dual-issue pair has two destinations, four sources and two masks.
const MOST_OPERANDS: usize = 8;

/// An instruction as the rules see it.
struct Facts<'a> {
    instr: &'a Instr,
    wave: Wave,
    operands: [Option<OperandInfo>; MOST_OPERANDS],
    /// The surroundings of the operands of the first component.
    cx: Cx<'a, Rdna3>,
}

impl<'a> Facts<'a> {
    /// `None` for what is no instruction.
    fn new(instr: &'a Instr, words: &'a [u32; isa::MAX_DWORDS], wave: Wave) -> Option<Self> {
        let cx = isa::surroundings(instr.format_index(), words, wave, 0)?;
        let mut operands = [None; MOST_OPERANDS];
        for (to, operand) in operands.iter_mut().zip(instr.operands(wave)) {
            *to = Some(operand);
        }
        Some(Facts { instr, wave, operands, cx })
    }

    fn operands(&self) -> impl Iterator<Item = &OperandInfo> {
        self.operands.iter().flatten()
    }

    fn reads(&self) -> impl Iterator<Item = &OperandInfo> {
        self.operands().filter(|o| o.access != Access::Write)
    }

    fn writes(&self) -> impl Iterator<Item = &OperandInfo> {
        self.operands().filter(|o| o.access != Access::Read)
    }

    fn operand(&self, role: &str) -> Option<&OperandInfo> {
        self.operands().find(|o| o.role == role)
    }

    /// Whether the row has one of these words.
    fn has(&self, words: u128) -> bool {
        self.cx.has(words)
    }

    /// The code of a modifier; 0 where the form has none of that name.
    fn modifier(&self, name: &str) -> u32 {
        self.cx.sibling(name).map_or(0, |(code, _)| code)
    }

    /// A violation at the first of these operands for which the condition holds.
    fn forbid<'o>(
        operands: impl Iterator<Item = &'o OperandInfo>,
        rule: Rule,
        wrong: impl Fn(&OperandInfo) -> bool,
    ) -> Finding {
        let mut operands = operands;
        match operands.find(|o| wrong(o)) {
            Some(o) => Err(Violation { rule, operand: o.role }),
            None => Ok(()),
        }
    }

    fn ranges(&self) -> Finding {
        let past = |first: u8, count: u8| u16::from(first) + u16::from(count) > 256;
        Self::forbid(self.operands(), Rule::VgprRange, |o| match o.value {
            Value::Registers(r) => r.file == File::Vgpr && past(r.first, r.count),
            Value::Scattered { groups, first, count } => {
                first.iter().zip(count).take(usize::from(groups)).any(|(first, count)| past(*first, count))
            }
            _ => false,
        })
    }

    /// The rules that LLVM's assembler holds.
    fn assembler(&self) -> Finding {
        self.ranges()?;
        match self.instr {
            Instr::Vop1(_)
            | Instr::Vop2(_)
            | Instr::Vopc(_)
            | Instr::Vop3(_)
            | Instr::Vop3sd(_)
            | Instr::Vop3p(_)
            | Instr::Vopd(_) => self.vector(),
            Instr::Sopk(_) | Instr::Smem(_) => self.scalar(),
            Instr::Mubuf(_) | Instr::Mtbuf(_) | Instr::Mimg(_) => self.memory(),
            _ => Ok(()),
        }
    }

    /// The rules that only the guide has.
    fn guide(&self) -> Finding {
        match self.instr {
            Instr::Vop1(_)
            | Instr::Vop2(_)
            | Instr::Vopc(_)
            | Instr::Vop3(_)
            | Instr::Vop3sd(_)
            | Instr::Vop3p(_)
            | Instr::Vopd(_)
            | Instr::Vinterp(_) => self.vector_guide(),
            Instr::Sop1(_) | Instr::Sopk(_) | Instr::Sopp(_) | Instr::Smem(_) => self.scalar_guide(),
            Instr::Ds(_)
            | Instr::Mubuf(_)
            | Instr::Mtbuf(_)
            | Instr::Mimg(_)
            | Instr::Scratch(_)
            | Instr::Global(_) => self.memory_guide(),
            _ => Ok(()),
        }
    }
}

/// The registers of an operand.
fn registers(operand: &OperandInfo) -> Option<Registers> {
    match operand.value {
        Value::Registers(r) => Some(r),
        _ => None,
    }
}

/// Whether an operand is registers of one of these files.
fn is_in(operand: &OperandInfo, files: &[File]) -> bool {
    registers(operand).is_some_and(|r| files.contains(&r.file))
}

/// Whether two groups of registers have one in common.
fn overlap(a: Registers, b: Registers) -> bool {
    let end = |r: Registers| u16::from(r.first) + u16::from(r.count);
    a.file == b.file && u16::from(a.first) < end(b) && u16::from(b.first) < end(a)
}

impl Instr {
    /// Whether the instruction obeys the rules of its target.
    ///
    /// # Errors
    /// The first rule it breaks; one that LLVM's assembler holds comes before one that only the guide has.
    pub fn check(&self, target: impl Into<Target>) -> Result<(), Violation> {
        let wave = target.into().wave;
        let words = self.words();
        self.exists(&words, wave)?;
        let Some(facts) = Facts::new(self, &words, wave) else { return Ok(()) };
        if !plain::surely(self, &words) {
            facts.assembler()?;
        }
        facts.guide()
    }

    /// Whether these words are an instruction in this wave size.
    fn exists(&self, words: &[u32; isa::MAX_DWORDS], wave: Wave) -> Finding {
        let Err(error) = Instr::decode(words, wave) else { return Ok(()) };
        let other = if wave == Wave::W32 { Wave::W64 } else { Wave::W32 };
        let mode = matches!(error, DecodeError::WrongMode { .. }) || Instr::decode(words, other).is_ok();
        let rule = if mode { Rule::WaveSize } else { Rule::Canonical };
        Err(Violation { rule, operand: error.field().unwrap_or("instruction") })
    }
}

/// What the parser asks: the rules that LLVM's assembler holds too. That the instruction exists it knows already.
#[inline(always)]
pub(crate) fn for_text(instr: &Instr, wave: Wave) -> Result<(), Forbidden> {
    let words = instr.words();
    if plain::surely(instr, &words) { Ok(()) } else { by_rules(*instr, wave) }
}

/// The same by the rules themselves.
#[inline(never)]
fn by_rules(instr: Instr, wave: Wave) -> Result<(), Forbidden> {
    let (instr, words) = (&instr, instr.words());
    let Some(facts) = Facts::new(instr, &words, wave) else { return Ok(()) };
    let told = |Violation { rule, operand }| Forbidden { operand, rule: rule.text(), mend: rule.mend() };
    facts.assembler().map_err(told)
}

#[cfg(test)]
mod tests;
