//! What must and must not stand between instructions: waits before results are read, the bodies of clauses, pairs that
//! must be kept apart, what the end of a program needs (guide §2.4, §5.2, §5.3, §5.6, §7.2.8, §7.9, §12.2, §13.4, §14).
//!
//! ```
//! use rdna3::{Instr, Wave, lint::{Rule, lint}};
//!
//! let code: Vec<Instr> = ["s_load_b32 s4, s[0:1], null", "s_add_u32 s4, s4, s5", "s_endpgm"]
//!     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
//! let findings = lint(&code, Wave::W32);
//! assert_eq!((findings[0].rule, findings[0].at), (Rule::ReadTooEarly, 1));
//! assert_eq!(findings[0].mend(), "s_waitcnt lgkmcnt(0)");
//! # Ok::<(), rdna3::isa::ParseError>(())
//! ```
//!
//! [`lint`] reports what is certain: it happens whenever some edge of the control flow is taken, whichever way the code
//! was come to and goes on. [`Program::possible`] also reports waits that are missing on some paths only.

mod facts;
mod flow;
mod local;
mod pending;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;

use rdna3_rows::{Instr, Wave};

use crate::counter::Counter;
use facts::Facts;
pub use facts::Span;
use flow::Graph;

/// What code does that the guide forbids, or leaves out that it requires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A register is read before the value that is on its way has arrived.
    ReadTooEarly,
    /// A register is written before the value that is on its way has arrived, which will replace what is written.
    WriteTooEarly,
    /// A register, or EXEC, is written before an export has read it.
    ExportOverwritten,
    /// A direct load from LDS writes a register that vector instructions may not have read yet.
    LdsDirectOverVector,
    /// A direct load from LDS writes a register that a memory instruction may not have read yet.
    LdsDirectOverMemory,
    /// S_CLAUSE has a length from 2 to 63.
    ClauseLength,
    /// A clause begins with an instruction that has a type of clause.
    ClauseStart,
    /// All instructions of a clause are of its type, or internal.
    ClauseMember,
    /// Each span between breaks begins with the clause's type and has two instructions of it or more.
    ClauseSpan,
    /// S_DELAY_ALU stands in no clause of vector instructions.
    ClauseDelay,
    /// A lane permutation does not follow a V_CMPX directly.
    PermlaneAfterCmpx,
    /// A matrix instruction does not read as A or B what the one directly before it writes.
    MatrixBackToBack,
    /// GDS has nothing under way when global wave synchronization begins.
    GwsBefore,
    /// Global wave synchronization is waited for at once.
    GwsAfter,
    /// An export with DONE is the last of its kind.
    ExportAfterDone,
    /// Some export of positions, or of colours and depth, has DONE.
    ExportWithoutDone,
    /// Behind the message that gives VGPRs back the wave ends.
    DeallocThenEnd,
    /// Invalidating the scalar cache stands apart from other scalar memory instructions.
    InvalidateApart,
    /// Code ends with an instruction that nothing runs past.
    RunsOff,
    /// Behind the last instruction are 64 dwords of padding.
    Padding,
}

impl Rule {
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Rule::ReadTooEarly => ("a result is read before it has arrived", "", "5.6"),
            Rule::WriteTooEarly => ("a register is written while a result is on its way to it", "", "5.6"),
            Rule::ExportOverwritten => ("what an export has yet to read is overwritten", "", "14.3"),
            Rule::LdsDirectOverVector => (
                "a direct load from LDS may overwrite a register before a vector instruction has read it",
                "lower wait_vdst",
                "12.2.1.2",
            ),
            Rule::LdsDirectOverMemory => (
                "a direct load from LDS may overwrite a register before a memory instruction has read it",
                "put a vector instruction or an export between",
                "12.2.1.2",
            ),
            Rule::ClauseLength => ("a clause has 2 to 63 instructions", "give their number minus one, 1 to 62", "5.2"),
            Rule::ClauseStart => (
                "a clause begins with an instruction of its type",
                "move what is internal, or is of no type, before s_clause",
                "5.2",
            ),
            Rule::ClauseMember => ("an instruction is not of its clause's type", "end the clause before it", "5.2"),
            Rule::ClauseSpan => (
                "a span of a clause begins with its type and has two instructions of it",
                "choose another span between breaks",
                "5.2",
            ),
            Rule::ClauseDelay => ("s_delay_alu stands in a clause of vector instructions", "take it out", "5.2"),
            Rule::PermlaneAfterCmpx => (
                "a lane permutation directly follows v_cmpx",
                "put another vector instruction (v_nop) between",
                "7.2.8",
            ),
            Rule::MatrixBackToBack => (
                "a matrix instruction reads as A or B what the one directly before it writes",
                "put v_nop or an independent vector instruction between",
                "7.9",
            ),
            Rule::GwsBefore => {
                ("GDS may be busy when global wave synchronization begins", "s_waitcnt lgkmcnt(0)", "13.4.1")
            }
            Rule::GwsAfter => (
                "global wave synchronization is not waited for at once",
                "s_waitcnt lgkmcnt(0) directly behind it",
                "13.4.1",
            ),
            Rule::ExportAfterDone => {
                ("an export follows the last of its kind", "leave done to the last export of the kind", "15.10.1")
            }
            Rule::ExportWithoutDone => ("no export of this kind has done", "add done to the last one", "14.2, 16.19"),
            Rule::DeallocThenEnd => ("the wave goes on without VGPRs", "s_endpgm directly behind the message", "5.3"),
            Rule::InvalidateApart => (
                "a cache invalidation stands in a group with other scalar memory instructions",
                "put an instruction of another type between",
                "8.3",
            ),
            Rule::RunsOff => ("code runs off its end", "s_endpgm", "5.1"),
            Rule::Padding => ("the code lacks padding behind it", "s_code_end, 64 times in all", "2.4"),
        }
    }

    /// What is wrong, in a sentence.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.words().0
    }

    /// The section of the guide.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.words().2
    }
}

/// One place where code breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The index of the instruction that should not stand here as it does.
    pub at: usize,
    /// That instruction.
    pub instr: Instr,
    /// The one before it that it clashes with, and its index, if there is one.
    pub earlier: Option<(usize, Instr)>,
    /// The counter that has to be waited for, and the most that may be left of it.
    pub wait: Option<(Counter, u8)>,
    /// The registers that it is about.
    pub registers: Option<Span>,
    /// The wave size, which the text of the instructions depends on.
    pub wave: Wave,
}

impl Finding {
    /// What to do about it: for a wait that is missing the instruction to put before [`at`](Self::at).
    #[must_use]
    pub fn mend(&self) -> Mend {
        Mend(*self)
    }
}

/// The mend of a finding; its Display says what to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mend(Finding);

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.wait {
            Some((Counter::Vs, most)) => write!(f, "s_waitcnt_vscnt null, {most:#x}"),
            Some((counter, most)) => write!(f, "s_waitcnt {}({most})", counter.name()),
            None => f.write_str(self.0.rule.words().1),
        }
    }
}

impl PartialEq<&str> for Mend {
    fn eq(&self, other: &&str) -> bool {
        alloc::string::ToString::to_string(self) == *other
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.rule.text())?;
        if let Some(span) = self.registers {
            write!(f, " ({span})")?;
        }
        write!(f, " (guide §{}): {}", self.rule.section(), self.instr.display(self.wave))?;
        if let Some((at, instr)) = self.earlier {
            write!(f, "; {at}: {}", instr.display(self.wave))?;
        }
        write!(f, "; mend: {}", self.mend())
    }
}

/// What is certain about instructions that stand one behind the other, the first one the entry.
///
/// Branches lead to instructions of the slice where they can; elsewhere nothing is known. Nothing is asked of the end:
/// [`Program::whole`] does that.
#[must_use]
pub fn lint(instrs: &[Instr], wave: Wave) -> Vec<Finding> {
    Program::new(instrs, wave, &[]).certain()
}

/// Instructions with the facts that rules ask for, worked out once.
#[derive(Debug)]
pub struct Program {
    instrs: Vec<Instr>,
    wave: Wave,
    facts: Facts,
    graph: Graph,
    whole: bool,
    padded: bool,
}

impl Program {
    /// Instructions that stand one behind the other. `entries` has the indices, besides 0, at which execution may begin:
    /// kernels and functions.
    #[must_use]
    pub fn new(instrs: &[Instr], wave: Wave, entries: &[usize]) -> Self {
        let facts = Facts::new(instrs, wave);
        let graph = Graph::new(instrs, entries);
        Program { instrs: instrs.to_vec(), wave, facts, graph, whole: false, padded: false }
    }

    /// This is all of the code: it must not run off its end, and some export must have DONE.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// This is all that will be loaded, or what follows is not known to be readable: the code itself must have its
    /// padding. Of a code object that is not so: its loader maps whole pages, and a linker lays other sections behind.
    #[must_use]
    pub fn padded(mut self) -> Self {
        self.padded = true;
        self
    }

    /// The instructions.
    #[must_use]
    pub fn instrs(&self) -> &[Instr] {
        &self.instrs
    }

    /// Puts another instruction in a place. It must be as long as the one that stood there, and neither may branch.
    pub fn replace(&mut self, at: usize, instr: Instr) {
        if let Some(place) = self.instrs.get_mut(at) {
            *place = instr;
            self.facts.replace(at, &instr, self.wave);
        }
    }

    /// What is certain, by index.
    #[must_use]
    pub fn certain(&self) -> Vec<Finding> {
        let mut out = self.certain_waits();
        local::check(self, &mut out);
        out.sort_by_key(|f| (f.at, f.rule));
        out
    }

    /// Waits that are certainly missing, by index.
    #[must_use]
    pub fn certain_waits(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        pending::certain(self, &mut out);
        tidy(&mut out);
        out
    }

    /// Waits that are missing on some path at least, those that are certain among them. Where there are none, the waits
    /// of the code are enough, but for what is on its way when a function is entered or left.
    #[must_use]
    pub fn possible(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        pending::possible(self, &mut out);
        tidy(&mut out);
        out
    }

    fn finding(&self, rule: Rule, at: usize, earlier: Option<usize>) -> Option<Finding> {
        let instr = *self.instrs.get(at)?;
        let earlier = earlier.and_then(|i| Some((i, *self.instrs.get(i)?)));
        Some(Finding { rule, at, instr, earlier, wait: None, registers: None, wave: self.wave })
    }
}

/// By index, and each place once, whichever of several earlier instructions it clashes with.
fn tidy(findings: &mut Vec<Finding>) {
    findings.sort_by_key(|f| (f.at, f.rule, f.registers, f.wait));
    findings.dedup_by_key(|f| (f.at, f.rule, f.registers, f.wait));
}
