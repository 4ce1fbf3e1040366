//! Missing waits and hazards: results that are read before they arrive, bodies of clauses, pairs of instructions that must
//! not be adjacent, the end of a program (guide §2.4, §5.2, §5.3, §5.6, §7.2.8, §7.9, §12.2, §13.4, §14).
//!
//! ```
//! use rdna3::{Instr, Wave, lint::{Rule, lint}};
//!
//! let code: Vec<Instr> = ["s_load_b32 s4, s[0:1], null", "s_add_u32 s4, s4, s5", "s_endpgm"]
//!     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
//! let findings = lint(&code, Wave::W32);
//! assert_eq!((findings[0].rule, findings[0].at), (Rule::ReadTooEarly, 1));
//! assert_eq!(findings[0].help(), "s_waitcnt lgkmcnt(0)");
//! # Ok::<(), rdna3::isa::ParseError>(())
//! ```
//!
//! [`lint`] reports findings that are certain: they happen whenever some edge of the control flow is taken, on every path
//! to it and from it. [`Program::possible`] also reports waits that are missing on some paths only.

mod executed;
mod facts;
mod hazards;
mod local;
mod masks;
mod paths;
mod pending;
mod scalar_reads;
mod solve;
mod span;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;

use rdna_rows::{Family, Generation, Instr, Instruction, Wave, flags};

use crate::counter::Counter;
use facts::Facts;

use crate::flow::Graph;
pub use executed::{Executed, Use, check_executed};
pub use span::Span;

/// A rule of the guide about sequences of instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A register is read while a result for it is pending.
    ReadTooEarly,
    /// A register is written while a result for it is pending, which will replace the new value.
    WriteTooEarly,
    /// A register, or EXEC, is written before an export has read it.
    ExportOverwritten,
    /// A direct load from LDS writes a register that vector instructions may not have read yet.
    LdsDirectOverVector,
    /// A direct load from LDS writes a register that a memory instruction may not have read yet.
    LdsDirectOverMemory,
    /// The length of S_CLAUSE is not from 2 to 63.
    ClauseLength,
    /// A clause begins with an instruction that has no type of clause.
    ClauseStart,
    /// A clause contains an instruction that is neither of its type nor internal.
    ClauseMember,
    /// A span between breaks of a clause does not begin with the clause's type or has fewer than two instructions of it.
    ClauseSpan,
    /// S_DELAY_ALU is in a clause of vector instructions.
    ClauseDelay,
    /// A lane permutation directly follows V_CMPX.
    PermlaneAfterCmpx,
    /// A matrix instruction reads as A, B or index the result of the matrix instruction directly before it.
    MatrixBackToBack,
    /// GDS has pending work when global wave synchronization begins.
    GwsBefore,
    /// Global wave synchronization is not directly followed by a wait.
    GwsAfter,
    /// DS_ORDERED_COUNT is not directly followed by a wait.
    OrderedCountAfter,
    /// An export follows the one with DONE.
    ExportAfterDone,
    /// No export of positions, or of colours and depth, has DONE.
    ExportWithoutDone,
    /// The message that deallocates VGPRs is not directly followed by the end of the wave.
    DeallocThenEnd,
    /// S_NOP does not directly precede the message that deallocates VGPRs.
    NopBeforeDealloc,
    /// Stores to scratch memory are pending when it is deallocated with the VGPRs.
    ScratchBeforeDealloc,
    /// A cache invalidation is in a group with other scalar memory instructions.
    InvalidateApart,
    /// A vector instruction reads the result of a transcendental one that is close before it.
    TranscendentalUse,
    /// A vector instruction reads results from before and after a write of EXEC that are close before it.
    PartialForwarding,
    /// A scalar register is read that was written after a vector instruction had read it as a lane mask.
    MaskRewritten,
    /// A scalar register is read that was written after a vector instruction had read it.
    ScalarRewritten,
    /// The result of a 64-bit multiply-add overlaps a source.
    LateSources,
    /// A dual-issue pair reads two new registers, both even or both odd, in the same place.
    PairParity,
    /// A register, or EXEC, is written before an instruction of GDS has read it.
    GdsOverwritten,
    /// An export has a low priority.
    ExportPriority,
    /// Stores are pending at the last export of positions.
    StoreBeforeExport,
    /// An access to LDS is pending at a barrier.
    PendingAtBarrier,
    /// Code runs off its end.
    RunsOff,
    /// Fewer than 64 dwords of padding follow the last instruction.
    Padding,
}

/// The texts of a rule.
struct RuleText {
    id: &'static str,
    text: &'static str,
    help: &'static str,
    authority: Authority,
}

/// Who states a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Authority {
    /// The guide, in these sections.
    Guide(&'static str),
    /// Compilers, whose code avoids what the guide does not mention: their names.
    Compilers(&'static str),
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Authority::Guide(section) => write!(f, "guide §{section}"),
            Authority::Compilers(names) => f.write_str(names),
        }
    }
}

/// How certain a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// It happens whenever some edge of the control flow is taken.
    Certain,
    /// It happens on some path, if that path is ever taken; or only one of two compilers avoids it; or it depends on what
    /// the program means, such as which data other waves read.
    Possible,
}

impl Rule {
    const fn texts(self) -> RuleText {
        use Authority::{Compilers, Guide};
        const BOTH: Authority = Compilers("LLVM and ACO");
        let (id, text, help, authority) = match self {
            Rule::ReadTooEarly => {
                ("read-too-early", "a register is read before its pending result arrives", "", Guide("5.6"))
            }
            Rule::WriteTooEarly => {
                ("write-too-early", "a register is written before its pending result arrives", "", Guide("5.6"))
            }
            Rule::ExportOverwritten => {
                ("export-overwritten", "a register is written before a pending export reads it", "", Guide("14.3"))
            }
            Rule::LdsDirectOverVector => (
                "lds-direct-over-vector",
                "a direct load from LDS may overwrite a register before a vector instruction reads it",
                "lower wait_vdst",
                Guide("12.2.1.2"),
            ),
            Rule::LdsDirectOverMemory => (
                "lds-direct-over-memory",
                "a direct load from LDS may overwrite a register before a memory instruction reads it",
                "",
                Guide("12.2.1.2"),
            ),
            Rule::ClauseLength => (
                "clause-length",
                "the length of a clause is not from 2 to 63",
                "give s_clause the number of instructions minus one, 1 to 62",
                Guide("5.2"),
            ),
            Rule::ClauseStart => (
                "clause-start",
                "a clause begins with an instruction that has no type of clause",
                "move the instruction before s_clause",
                Guide("5.2"),
            ),
            Rule::ClauseMember => (
                "clause-member",
                "an instruction is not of the type of its clause",
                "end the clause before the instruction",
                Guide("5.2"),
            ),
            Rule::ClauseSpan => (
                "clause-span",
                "a span of a clause does not begin with the type of the clause, or has one instruction of it",
                "choose another span between breaks",
                Guide("5.2"),
            ),
            Rule::ClauseDelay => (
                "clause-delay",
                "s_delay_alu is in a clause of vector instructions",
                "move s_delay_alu before s_clause",
                Guide("5.2"),
            ),
            Rule::PermlaneAfterCmpx => (
                "permlane-after-cmpx",
                "a lane permutation directly follows v_cmpx",
                "put another vector instruction (v_nop) between them",
                Guide("7.2.8"),
            ),
            Rule::MatrixBackToBack => (
                "matrix-back-to-back",
                "a matrix instruction reads as A, B or index the result of the one directly before it",
                "put v_nop or an independent vector instruction between them",
                Guide("7.9"),
            ),
            Rule::GwsBefore => {
                ("gws-before", "GDS may have pending work when global wave synchronization begins", "", Guide("13.4.1"))
            }
            Rule::GwsAfter => {
                ("gws-after", "global wave synchronization is not directly followed by a wait", "", Guide("13.4.1"))
            }
            Rule::OrderedCountAfter => {
                ("ordered-count-after", "ds_ordered_count is not directly followed by a wait", "", Guide("13.4.1"))
            }
            Rule::ExportAfterDone => (
                "export-after-done",
                "an export follows the last one of its kind",
                "put done on the last export of the kind only",
                Guide("15.10.1"),
            ),
            Rule::ExportWithoutDone => (
                "export-without-done",
                "no export of this kind has done",
                "put done on the last one",
                Guide("14.2, 16.19"),
            ),
            Rule::DeallocThenEnd => (
                "dealloc-then-end",
                "the wave continues after its VGPRs are deallocated",
                "put s_endpgm directly after the message",
                Guide("5.3"),
            ),
            Rule::NopBeforeDealloc => (
                "nop-before-dealloc",
                "no s_nop directly precedes the message that deallocates VGPRs",
                "put s_nop 0 directly before the message",
                BOTH,
            ),
            Rule::ScratchBeforeDealloc => (
                "scratch-before-dealloc",
                "stores to scratch memory may be pending when it is deallocated with the VGPRs",
                "",
                BOTH,
            ),
            Rule::TranscendentalUse => (
                "transcendental-use",
                "a vector instruction may read a register before a transcendental instruction has written it",
                "",
                BOTH,
            ),
            Rule::PartialForwarding => (
                "partial-forwarding",
                "a vector instruction reads results from before and after a write of exec too soon",
                "",
                BOTH,
            ),
            Rule::MaskRewritten => (
                "mask-rewritten",
                "a scalar register is read too soon that was a lane mask and then was written",
                "",
                BOTH,
            ),
            Rule::ScalarRewritten => (
                "scalar-rewritten",
                "a scalar register is read too soon that a vector instruction has read and that then was written",
                "",
                BOTH,
            ),
            Rule::LateSources => (
                "late-sources",
                "the result of a 64-bit multiply-add overlaps a source, which may be read too late",
                "choose other registers for the result",
                Compilers("LLVM"),
            ),
            Rule::PairParity => (
                "pair-parity",
                "a dual-issue pair reads two new registers, both even or both odd, in the same place",
                "",
                Compilers("LLVM"),
            ),
            Rule::GdsOverwritten => (
                "gds-overwritten",
                "a register is written before a pending instruction of GDS reads it",
                "",
                Compilers("ACO"),
            ),
            Rule::ExportPriority => (
                "export-priority",
                "an export may have a priority below two",
                "begin the shader with s_setprio 2",
                BOTH,
            ),
            Rule::StoreBeforeExport => (
                "store-before-export",
                "stores that later stages read may be pending at the last export of positions",
                "",
                Compilers("ACO"),
            ),
            Rule::PendingAtBarrier => (
                "pending-at-barrier",
                "an access to lds may be pending at a barrier, after which other waves use the data",
                "",
                Guide("5.6"),
            ),
            Rule::InvalidateApart => (
                "invalidate-apart",
                "a cache invalidation is in a group with other scalar memory instructions",
                "put an instruction of another type between them",
                Guide("8.3"),
            ),
            Rule::RunsOff => ("runs-off", "code runs off its end", "end it with s_endpgm", Guide("5.1")),
            Rule::Padding => (
                "padding",
                "fewer than 64 dwords of padding follow the code",
                "add s_code_end, 64 times in all",
                Guide("2.4"),
            ),
        };
        RuleText { id, text, help, authority }
    }

    /// Returns the name of the rule for programs, in lower case with hyphens. It does not change between versions.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.texts().id
    }

    /// Returns the sentence that states the error.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.texts().text
    }

    /// Returns the wait that is missing, for rules that need the same one everywhere.
    const fn wait(self) -> Option<(Counter, u8)> {
        match self {
            Rule::GwsBefore | Rule::GwsAfter | Rule::OrderedCountAfter => Some((Counter::Lgkm, 0)),
            Rule::ScratchBeforeDealloc | Rule::StoreBeforeExport => Some((Counter::Vs, 0)),
            Rule::PendingAtBarrier => Some((Counter::Lgkm, 0)),
            Rule::GdsOverwritten => Some((Counter::Exp, 0)),
            _ => None,
        }
    }

    /// Returns how certain a finding is at most.
    const fn certainty(self) -> Certainty {
        match self {
            Rule::OrderedCountAfter
            | Rule::PairParity
            | Rule::GdsOverwritten
            | Rule::ExportPriority
            | Rule::StoreBeforeExport
            | Rule::PendingAtBarrier => Certainty::Possible,
            _ => Certainty::Certain,
        }
    }

    /// Returns who states the rule; of the guide, the sections of RDNA3's.
    #[must_use]
    pub const fn authority(self) -> Authority {
        self.texts().authority
    }

    /// Returns who states the rule; of the guide, the sections of the family's.
    #[must_use]
    pub const fn authority_in(self, family: Family) -> Authority {
        match (self.rdna4_section(), family) {
            (Some(section), Family::Gfx12) => Authority::Guide(section),
            _ => self.texts().authority,
        }
    }

    /// The sections of RDNA4's guide, where they have other numbers.
    const fn rdna4_section(self) -> Option<&'static str> {
        Some(match self {
            Rule::ReadTooEarly | Rule::WriteTooEarly | Rule::PendingAtBarrier => "5.7",
            Rule::ClauseLength | Rule::ClauseStart | Rule::ClauseMember | Rule::ClauseSpan | Rule::ClauseDelay => "5.3",
            Rule::MatrixBackToBack => "7.12.1",
            Rule::ExportAfterDone => "14",
            Rule::ExportWithoutDone => "14.1, 14.2",
            Rule::DeallocThenEnd => "5.4",
            _ => return None,
        })
    }
}

/// A place where code breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Finding<I = Instr> {
    /// The rule.
    pub rule: Rule,
    /// The index of the instruction that breaks it.
    pub at: usize,
    /// That instruction.
    pub instr: I,
    /// The earlier instruction that it conflicts with, and its index, if there is one.
    pub earlier: Option<(usize, I)>,
    /// The counter to wait for, and the value that it may have at most after the wait.
    pub wait: Option<(Counter, u8)>,
    /// The counter of dependencies that S_WAITCNT_DEPCTR has to wait for, by its name there.
    pub dependency: Option<&'static str>,
    /// How certain it is.
    pub certainty: Certainty,
    /// The index of the instruction before which the missing wait has to be inserted: [`at`](Self::at), or that of the S_CLAUSE
    /// directly before it, since no clause begins with a wait.
    pub insert_at: usize,
    /// The registers in question.
    pub registers: Option<Span>,
    /// The wave size, which the text of the instructions depends on.
    pub wave: Wave,
}

impl<I: Instruction> Finding<I> {
    /// Returns the advice: for a missing wait the instruction to insert before [`insert_at`](Self::insert_at).
    #[must_use]
    pub fn help(&self) -> Help<I> {
        Help(*self)
    }

    /// Returns who states the rule; of the guide, the sections of the generation's.
    #[must_use]
    pub fn authority(&self) -> Authority {
        self.rule.authority_in(<I::Generation as Generation>::FAMILY)
    }
}

/// The advice of a finding; `Display` writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Help<I = Instr>(Finding<I>);

impl<I: Instruction> fmt::Display for Help<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_split = <I::Generation as Generation>::SPLIT_WAITS.is_some();
        match (self.0.wait, self.0.dependency) {
            (Some((counter, most)), _) => counter.wait_in::<I::Generation>(most).fmt(f),
            (None, Some(counter)) if is_split => write!(f, "s_wait_alu {counter}(0)"),
            (None, Some(counter)) => write!(f, "s_waitcnt_depctr {counter}(0)"),
            (None, None) => f.write_str(self.0.rule.texts().help),
        }
    }
}

impl<I: Instruction> PartialEq<&str> for Help<I> {
    fn eq(&self, other: &&str) -> bool {
        alloc::string::ToString::to_string(self) == *other
    }
}

impl<I: Instruction> fmt::Display for Finding<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.rule.text())?;
        if let Some(span) = self.registers {
            write!(f, " ({span})")?;
        }
        write!(f, " ({}): {}", self.authority(), self.instr.display_in(self.wave))?;
        if let Some((at, instr)) = self.earlier {
            write!(f, "; {at}: {}", instr.display_in(self.wave))?;
        }
        write!(f, "; help: {}", self.help())?;
        if self.insert_at != self.at && (self.wait.is_some() || self.dependency.is_some()) {
            write!(f, " before {}", self.insert_at)?;
        }
        Ok(())
    }
}

/// Returns the findings that are certain about consecutive instructions, the first one the entry.
///
/// A branch out of the slice leaves the program. The end of the slice is not checked: [`Program::whole`] does that.
#[must_use]
pub fn lint<I: Instruction>(instrs: &[I], wave: Wave) -> Vec<Finding<I>> {
    Program::new(instrs, wave, &[]).certain()
}

/// Instructions with the facts that the rules need, computed once.
#[derive(Debug)]
#[doc(alias("GCNHazardRecognizer", "SIInsertWaitcnts"))]
pub struct Program<I = Instr> {
    instrs: Vec<I>,
    wave: Wave,
    facts: Facts,
    graph: Graph,
    whole: bool,
    padded: bool,
}

impl<I: Instruction> Program<I> {
    /// Makes a program of consecutive instructions. `entries` are the indices, besides 0, at which execution may begin:
    /// kernels and functions.
    #[must_use]
    pub fn new(instrs: &[I], wave: Wave, entries: &[usize]) -> Self {
        Self::with_unresolved(instrs, wave, entries, &[])
    }

    /// Makes a program in which a linker has yet to fill in the targets of some branches: their indices, in order.
    #[must_use]
    pub fn with_unresolved(instrs: &[I], wave: Wave, entries: &[usize], unresolved: &[usize]) -> Self {
        let facts = Facts::new(instrs, wave);
        let graph = Graph::new(instrs, entries, unresolved);
        Program { instrs: instrs.to_vec(), wave, facts, graph, whole: false, padded: false }
    }

    /// Declares the instructions to be all of the code: it must not run off its end, and some export must have DONE.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Requires padding at the end. A code object needs none: its loader maps whole pages, and a linker puts other
    /// sections after the code.
    #[must_use]
    pub fn padded(mut self) -> Self {
        self.padded = true;
        self
    }

    /// Returns the instructions.
    #[must_use]
    pub fn instrs(&self) -> &[I] {
        &self.instrs
    }

    /// Replaces an instruction. The new one must be as long as the old one, and neither may branch.
    pub fn replace(&mut self, at: usize, instr: I) {
        if let Some(old) = self.instrs.get_mut(at) {
            *old = instr;
            self.facts.replace(at, &instr, self.wave);
        }
    }

    /// Returns the findings that are certain, by index. A wait that several instructions need is one finding, about the first of
    /// them.
    #[must_use]
    pub fn certain(&self) -> Vec<Finding<I>> {
        let mut out = self.certain_waits();
        self.add_hazards(Certainty::Certain, &mut out);
        out
    }

    /// Adds the findings that are not about pending results, and sorts all.
    fn add_hazards(&self, least: Certainty, out: &mut Vec<Finding<I>>) {
        paths::check(self, least, out);
        local::check(self, out);
        out.retain(|finding| finding.certainty <= least);
        out.sort_by_key(|f| (f.at, f.rule));
    }

    /// Returns the waits that are certainly missing, by index.
    #[must_use]
    pub fn certain_waits(&self) -> Vec<Finding<I>> {
        let mut out = Vec::new();
        solve::certain(self, &mut out);
        merge(&mut out);
        out
    }

    /// Returns all findings, by index: those that happen on some path at least, those that only one of two compilers avoids,
    /// and those that depend on what the program means, besides those that are certain. A wait that several
    /// instructions need may be a finding about each.
    #[must_use]
    pub fn possible(&self) -> Vec<Finding<I>> {
        let mut out = self.possible_waits();
        self.add_hazards(Certainty::Possible, &mut out);
        out
    }

    /// Returns the waits that are missing on some path at least, including those that are certain. Without any, the waits
    /// of the code suffice, except for work that is pending when a function is entered or left, or when control goes through a
    /// register (S_SETPC_B64), as branches of compilers over long distances do.
    #[must_use]
    pub fn possible_waits(&self) -> Vec<Finding<I>> {
        let mut out = Vec::new();
        solve::possible(self, &mut out);
        merge(&mut out);
        out
    }

    fn finding(&self, rule: Rule, at: usize, earlier: Option<usize>) -> Option<Finding<I>> {
        let instr = *self.instrs.get(at)?;
        let earlier = earlier.and_then(|i| Some((i, *self.instrs.get(i)?)));
        let insert_at = self.insertion_point(at);
        Some(Finding {
            rule,
            at,
            instr,
            earlier,
            wait: rule.wait(),
            dependency: None,
            certainty: rule.certainty(),
            insert_at,
            registers: None,
            wave: self.wave,
        })
    }

    /// Returns where to insert a wait that has to precede an instruction.
    fn insertion_point(&self, at: usize) -> usize {
        let is_clause = |i: &usize| self.instrs.get(*i).is_some_and(|i| i.flags() & flags::CLAUSE != 0);
        // A branch to the instruction does not execute S_CLAUSE.
        let is_entered = self.graph.blocks.binary_search_by_key(&at, |block| block.range.start).is_ok();
        at.checked_sub(1).filter(is_clause).filter(|_| !is_entered).unwrap_or(at)
    }
}

/// Sorts findings by index and keeps one for each use of registers and counter: that of the strongest wait.
fn merge<I>(findings: &mut Vec<Finding<I>>) {
    findings.sort_by_key(|f| (f.at, f.rule, f.registers, f.wait));
    findings.dedup_by_key(|f| (f.at, f.rule, f.registers, f.wait.map(|(counter, _)| counter)));
}
