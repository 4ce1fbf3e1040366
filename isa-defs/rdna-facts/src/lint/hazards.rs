//! Hazards: instructions that must not follow each other closely, or not without something between them.
//!
//! Each rule is a search backwards from the later instruction over what is executed before it. A search knows nothing of
//! blocks and paths, so that the same rules hold for a program and for the instructions that a wave has executed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use rdna_rows::facts::share_parity;
use rdna_rows::operands::codes;
use rdna_rows::{Features, Format, Instruction, ScalarRereads, Wave, flags, roles};

use super::facts::{Fact, RegisterUse, Unit};
use super::span::{EXEC, Span, VCC_LO};
use super::{Certainty, Finding, Rule};
use crate::counter::{Counter, Kind, sends};

/// What a search has found out after one more instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing yet.
    Continue,
    /// No earlier instruction can break the rule.
    Expired,
    /// The instruction breaks the rule.
    Found(Certainty),
}

use Verdict::{Continue, Expired};

/// The rule is broken for all who know it: the guide, or LLVM and ACO.
const CERTAIN: Verdict = Verdict::Found(Certainty::Certain);
/// The rule is broken for LLVM or for ACO, not for both; or whether it is depends on what the program means.
const POSSIBLE: Verdict = Verdict::Found(Certainty::Possible);

/// A search backwards from an instruction for one that breaks a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Search {
    pub rule: Rule,
    sought: Sought,
    /// The counter in S_WAITCNT_DEPCTR that has to be zero.
    pub dependency: Option<&'static str>,
    /// The earlier instruction to name, if it is not the one that is found.
    pub earlier: Option<usize>,
    /// The registers in question.
    pub registers: Option<Span>,
}

/// The waits that certain findings about hazards ask for: the index of the instruction that one has to precede, and the counter of
/// dependencies that has to be zero.
#[derive(Default)]
pub(super) struct MissingWaits(BTreeSet<(usize, &'static str)>);

impl MissingWaits {
    /// Adds that of a finding, if it asks for one.
    pub fn add<I>(&mut self, finding: &Finding<I>) {
        let dependency = finding.dependency.filter(|_| finding.certainty == Certainty::Certain);
        self.0.extend(dependency.map(|dependency| (finding.at, dependency)));
    }

    /// The counters that have to be zero before an instruction.
    fn before(&self, at: usize) -> impl Iterator<Item = &'static str> {
        self.0.range((at, "")..(at + 1, "")).map(|(_, dependency)| *dependency)
    }
}

/// What a search looks for, and what it has seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sought {
    /// V_CMPX as the vector instruction before.
    Cmpx,
    /// A matrix instruction as the vector instruction before, whose result is among these.
    Matrix(Vec<Span>),
    /// An instruction of scalar memory directly before that invalidates, or does not.
    ScalarMemory { invalidates: bool },
    /// Anything but S_NOP directly before.
    NoNop,
    /// A vector instruction that uses `written`.
    VectorUse {
        written: Span,
        /// How many vector instructions may be in flight. One is done if as many follow it.
        most: u8,
        vectors: u8,
        transcendental: bool,
    },
    /// A memory instruction that reads `written`, and may not have.
    MemoryRead {
        written: Span,
        waited: Waited,
        /// A wait for all counters but VScnt, which LLVM takes for one for all.
        waits_for_all: bool,
    },
    /// A transcendental instruction that writes one of these.
    Transcendental { sources: Vec<Span>, vectors: u8, transcendentals: u8 },
    /// Results from before and after a scalar write of EXEC.
    Partial {
        sources: Vec<Source>,
        /// The number of vector instructions between the write of EXEC and the use.
        exec: Option<u8>,
        vectors: u8,
    },
    /// A write of the scalar registers.
    ScalarWrite { span: Span, scalar_done: bool, vector_done: bool },
    /// A vector instruction that reads the scalar registers as a lane mask, before they are written.
    LaneMask { span: Span, certainty: Certainty },
    /// A write of the scalar registers that is not known to be done.
    Rewrite {
        span: Span,
        scalar_done: bool,
        vector_done: bool,
        /// How many scalar instructions follow the write, and how many instructions at all.
        scalars: u8,
        distance: u16,
        /// Whether the last write of a part of VCC was a vector instruction's; `None`: none was found yet.
        vcc_is_vector: Option<bool>,
    },
    /// A vector instruction that reads one of the scalar registers, before one of them is written.
    FirstRead { pair: Span, certainty: Certainty, distance: u16 },
    /// Two vector instructions that write sources of one position of a dual-issue pair.
    Pair { sources: [Span; 2], vectors: u8 },
    /// An instruction of GDS that reads these, or EXEC.
    Gds { written: Vec<Span> },
    /// A setting of the priority below two.
    Priority,
    /// A store that may be pending.
    Store {
        in_scratch: bool,
        /// By how much later stores raise the counter, up to its maximum.
        later: u8,
    },
    /// An access to LDS, or a store, that may be pending.
    Shared { waited: Waited },
    /// An export with DONE.
    Done { of_position: bool },
    /// Pending work of GDS.
    GdsPending,
}

impl Sought {
    /// Whether the hazard is sought within a function. It passes with time, and a jump to another function takes longer. LLVM and ACO
    /// look for it within functions, and emit nothing where only caller and callee together have it.
    const fn ends_with_function(&self) -> bool {
        match self {
            Sought::Cmpx
            | Sought::Matrix(_)
            | Sought::VectorUse { .. }
            | Sought::Transcendental { .. }
            | Sought::Partial { .. }
            | Sought::ScalarWrite { .. }
            | Sought::LaneMask { .. }
            | Sought::Rewrite { .. }
            | Sought::FirstRead { .. }
            | Sought::Pair { .. } => true,
            Sought::ScalarMemory { .. }
            | Sought::NoNop
            | Sought::MemoryRead { .. }
            | Sought::Gds { .. }
            | Sought::Priority
            | Sought::Store { .. }
            | Sought::Shared { .. }
            | Sought::Done { .. }
            | Sought::GdsPending => false,
        }
    }
}

/// A vector register that an instruction reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Source {
    register: Span,
    /// The operand that it is a part of.
    operand: u8,
    /// The number of vector instructions between its last write and its use.
    written: Option<u8>,
}

/// What waits have proved while a search goes back: for each counter, how much of the work that is issued before this
/// point may be pending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Waited([i16; Counter::ALL.len()]);

impl Waited {
    const NOT: Waited = Waited([i16::MAX; Counter::ALL.len()]);

    /// Takes account of an instruction's waits.
    fn wait(&mut self, fact: &Fact) {
        for (left, counter) in self.0.iter_mut().zip(Counter::ALL) {
            // The register that adds to a limit may hold zero.
            let most = fact.waits.most(counter).map(|most| if fact.waits.open { 0 } else { most });
            *left = (*left).min(most.map_or(i16::MAX, i16::from));
        }
    }

    /// Takes account of work that is issued.
    fn issue(&mut self, fact: &Fact) {
        for raise in fact.raises.iter().flatten().filter(|raise| raise.kind.queue().is_some()) {
            let left = &mut self.0[raise.counter as usize];
            *left = if *left == i16::MAX { i16::MAX } else { left.saturating_sub(i16::from(raise.least())) };
        }
    }

    /// Returns whether all work of an instruction is done.
    fn covers(&self, fact: &Fact) -> bool {
        fact.raises.iter().flatten().all(|raise| self.0[raise.counter as usize] <= 0)
    }
}

/// How many vector instructions may lie between a transcendental one and the use of its result, and how many of them may
/// be transcendental, for the hazard to exist. LLVM and ACO have the same numbers.
const TRANSCENDENTAL_GAP: (u8, u8) = (5, 1);
/// How many vector instructions may lie between the results from before and after a write of EXEC (without the later
/// one), and between the later one and the use of both.
const PARTIAL_GAP: (u8, u8) = (2, 4);
/// After how many vector instructions a direct load from LDS need not wait for one.
const LDS_DIRECT_GAP: u8 = 15;
/// How many vector instructions may lie between two results and the pair that reads them. Nobody has published it.
const PAIR_GAP: u8 = 5;

/// After how many scalar instructions a scalar result is written for certain, though a vector instruction has read its register
/// before. ACO has this number; LLVM 19 had it too, later ones wait however many there are.
const SCALARS_UNTIL_WRITTEN: u8 = 10;
/// How many instructions the lint goes back to the write of a scalar register, and over executed ones from there to its first read.
/// It bounds the time that the lint takes; compilers have no bound.
const REREAD_DISTANCE: u16 = 1000;

impl Search {
    fn new(rule: Rule, sought: Sought) -> Self {
        Search { rule, sought, dependency: None, earlier: None, registers: None }
    }

    fn waits_for(self, dependency: &'static str) -> Self {
        Search { dependency: Some(dependency), ..self }
    }

    fn about(self, registers: Span) -> Self {
        Search { registers: Some(registers), ..self }
    }

    /// Calls `add` with the searches for the instructions that an instruction must not follow. `uses_gds`: the program
    /// has instructions of GDS.
    pub fn begin<I: Instruction>(
        instr: &I,
        fact: &Fact,
        features: &Features,
        wave: Wave,
        uses_gds: bool,
        mut add: impl FnMut(Search),
    ) {
        match fact.unit {
            Unit::Vector | Unit::Transcendental => Self::of_vector(fact, features, wave, &mut add),
            Unit::LdsDirect => Self::of_lds_direct(fact, &mut add),
            Unit::Export => Self::of_export(fact, features, &mut add),
            Unit::Scalar if sends(instr).is_some_and(|message| message.ends) => {
                add(Search::new(Rule::NopBeforeDealloc, Sought::NoNop));
                add(Search::new(Rule::ScratchBeforeDealloc, Sought::Store { in_scratch: true, later: 0 }));
            }
            Unit::Scalar if instr.body_effects().is_barrier() => {
                add(Search::new(Rule::PendingAtBarrier, Sought::Shared { waited: Waited::NOT }));
            }
            _ if fact.format == Format::Smem => {
                let invalidates = fact.has(flags::INVALIDATES);
                add(Search::new(Rule::InvalidateApart, Sought::ScalarMemory { invalidates }));
            }
            _ if fact.has(flags::GWS) => add(Search::new(Rule::GwsBefore, Sought::GdsPending)),
            _ => {}
        }
        if fact.unit.is_vector() || fact.unit == Unit::Scalar {
            match features.hazards.scalar_rereads {
                ScalarRereads::LaneMask if wave == Wave::W64 => Self::of_scalar_sources(fact, &mut add),
                ScalarRereads::LaneMask => {}
                ScalarRereads::Pair => Self::of_rereads(fact, &mut add),
            }
        }
        if uses_gds {
            let written = fact.uses.iter().filter(|u| u.writes && (u.span.is_vector() || u.span.overlaps(EXEC)));
            let written: Vec<Span> = written.map(|u| u.span).collect();
            if !written.is_empty() {
                add(Search::new(Rule::GdsOverwritten, Sought::Gds { written }));
            }
        }
    }

    fn of_vector(fact: &Fact, features: &Features, wave: Wave, add: &mut dyn FnMut(Search)) {
        if fact.has(flags::PERMLANE) {
            add(Search::new(Rule::PermlaneAfterCmpx, Sought::Cmpx));
        }
        if fact.has(flags::WMMA) {
            let has_index = fact.has(flags::SPARSE);
            let is_factor =
                |u: &&RegisterUse| matches!(u.role, roles::S0 | roles::S1) || u.role == roles::S2 && has_index;
            let factors = fact.uses.iter().filter(is_factor).map(|u| u.span).collect();
            add(Search::new(Rule::MatrixBackToBack, Sought::Matrix(factors)));
        }
        let sources = || -> Vec<Span> {
            let mut sources: Vec<Span> = fact.exact_sources().collect();
            sources.sort_unstable();
            sources.dedup();
            sources
        };
        if features.hazards.transcendental_use {
            let sources = sources();
            if !sources.is_empty() {
                let sought = Sought::Transcendental { sources, vectors: 0, transcendentals: 0 };
                add(Search::new(Rule::TranscendentalUse, sought).waits_for("depctr_va_vdst"));
            }
        }
        if features.hazards.partial_forwarding && wave == Wave::W64 {
            let registers = |(operand, span): (usize, Span)| {
                span.each().map(move |register| Source { register, operand: operand as u8, written: None })
            };
            let sources: Vec<Source> = sources().into_iter().enumerate().flat_map(registers).collect();
            if sources.len() > 1 {
                let sought = Sought::Partial { sources, exec: None, vectors: 0 };
                add(Search::new(Rule::PartialForwarding, sought).waits_for("depctr_va_vdst"));
            }
        }
        if fact.format == Format::Vopd {
            for position in [roles::S0, roles::S1] {
                let of = |u: &&RegisterUse| u.role == position && u.span.is_vector();
                let mut of_position = fact.uses.iter().filter(of).map(|u| u.span);
                if let (Some(x), Some(y)) = (of_position.next(), of_position.next())
                    && share_parity(x.first().into(), y.first().into())
                {
                    let search = Search::new(Rule::PairParity, Sought::Pair { sources: [x, y], vectors: 0 });
                    add(search.waits_for("depctr_va_vdst"));
                }
            }
        }
    }

    fn of_lds_direct(fact: &Fact, add: &mut dyn FnMut(Search)) {
        let Some(written) = fact.uses.iter().find(|u| u.writes).map(|u| u.span) else { return };
        let most = fact.lds_limit.unwrap_or(0);
        if most > 0 {
            let sought = Sought::VectorUse { written, most, vectors: 0, transcendental: false };
            add(Search::new(Rule::LdsDirectOverVector, sought).about(written));
        }
        if fact.awaits_memory_reads {
            return;
        }
        let sought = Sought::MemoryRead { written, waited: Waited::NOT, waits_for_all: false };
        add(Search::new(Rule::LdsDirectOverMemory, sought).about(written).waits_for("depctr_vm_vsrc"));
    }

    fn of_export(fact: &Fact, features: &Features, add: &mut dyn FnMut(Search)) {
        if features.hazards.export_priority {
            add(Search::new(Rule::ExportPriority, Sought::Priority));
        }
        if let Some(export) = fact.export {
            add(Search::new(Rule::ExportAfterDone, Sought::Done { of_position: export.of_position }));
            if export.of_position && export.is_done {
                add(Search::new(Rule::StoreBeforeExport, Sought::Store { in_scratch: false, later: 0 }));
            }
        }
    }

    /// The scalar registers that an instruction reads, but for EXEC and M0, whose reads no hazard concerns.
    fn of_scalar_sources(fact: &Fact, add: &mut dyn FnMut(Search)) {
        for span in fact.uses.iter().filter(|u| u.reads && is_general(u.span)).map(|u| u.span) {
            let sought = Sought::ScalarWrite { span, scalar_done: false, vector_done: false };
            add(Search::new(Rule::MaskRewritten, sought));
        }
    }

    /// The scalar registers that an instruction reads: they may have been read by a vector instruction, and then written.
    fn of_rereads(fact: &Fact, add: &mut dyn FnMut(Search)) {
        for span in fact.uses.iter().filter(|u| u.reads && is_general(u.span)).map(|u| u.span) {
            let (scalar_done, vector_done) = (false, fact.unit == Unit::Scalar);
            let sought =
                Sought::Rewrite { span, scalar_done, vector_done, scalars: 0, distance: 0, vcc_is_vector: None };
            add(Search::new(Rule::ScalarRewritten, sought));
        }
    }

    /// Goes back over an instruction, which has the index `at`, and over the waits that are missing before it: one wait is one finding,
    /// also if it serves several uses.
    pub fn step(&mut self, fact: &Fact, at: usize, missing: &MissingWaits) -> Verdict {
        let verdict = self.step_over(fact, at);
        if verdict != Continue {
            return verdict;
        }
        let mut waits = fact.cleared().chain(missing.before(at));
        if waits.any(|dependency| self.ends_at_wait(dependency)) { Expired } else { Continue }
    }

    /// Goes back over an instruction, but for its waits until a counter of dependencies is zero.
    fn step_over(&mut self, fact: &Fact, at: usize) -> Verdict {
        if fact.is_call {
            // Nothing is known of what the callee executes. It may have read any register.
            return if matches!(self.sought, Sought::FirstRead { .. }) { POSSIBLE } else { Expired };
        }
        if fact.leaves_function && self.sought.ends_with_function() {
            return Expired;
        }
        let unit = fact.unit;
        let is_vector = unit.is_vector();
        // Exports and memory instructions are issued after the vector instructions before them have finished.
        let drains = matches!(unit, Unit::Memory | Unit::Export);
        match &mut self.sought {
            Sought::Cmpx if is_vector => {
                if fact.writes(EXEC) {
                    CERTAIN
                } else {
                    Expired
                }
            }
            Sought::Matrix(factors) if is_vector => {
                let is_result = |span: &Span| fact.has(flags::WMMA) && fact.writes(*span);
                if factors.iter().any(is_result) { CERTAIN } else { Expired }
            }
            Sought::Cmpx | Sought::Matrix(_) => Continue,
            Sought::ScalarMemory { invalidates } => {
                let is_other = fact.format == Format::Smem && fact.has(flags::INVALIDATES) != *invalidates;
                if is_other { CERTAIN } else { Expired }
            }
            Sought::NoNop => {
                if fact.has(flags::NOP) {
                    Expired
                } else {
                    CERTAIN
                }
            }
            Sought::VectorUse { written, most, vectors, transcendental } => {
                if let Some(limit) = fact.lds_limit.or_else(|| fact.alu_limit("depctr_va_vdst")) {
                    *most = (*most).min(limit.saturating_add(*vectors));
                    return if limit == 0 { Expired } else { Continue };
                }
                if drains || *vectors >= LDS_DIRECT_GAP {
                    return Expired;
                }
                if !is_vector {
                    return Continue;
                }
                // Transcendental instructions overtake others, so that the number in flight says nothing of an instruction.
                *transcendental |= unit == Unit::Transcendental;
                if fact.touches(*written) {
                    return if *vectors < *most || *transcendental { CERTAIN } else { Expired };
                }
                *vectors += 1;
                Continue
            }
            Sought::MemoryRead { written, waited, waits_for_all } => {
                if is_vector || unit == Unit::Export || fact.awaits_memory_reads {
                    return Expired;
                }
                waited.wait(fact);
                let others = [Counter::Vm, Counter::Lgkm, Counter::Exp];
                *waits_for_all |= others.into_iter().all(|counter| fact.waits.most(counter) == Some(0));
                // A wait for the memory instruction proves that it has read its registers.
                if unit == Unit::Memory && fact.vector_sources().any(|s| s.overlaps(*written)) && !waited.covers(fact) {
                    return if *waits_for_all { POSSIBLE } else { CERTAIN };
                }
                waited.issue(fact);
                Continue
            }
            Sought::Transcendental { sources, vectors, transcendentals } => {
                let (most, most_transcendental) = TRANSCENDENTAL_GAP;
                if drains || fact.lds_limit == Some(0) || *vectors > most || *transcendentals > most_transcendental {
                    return Expired;
                }
                if unit == Unit::Transcendental {
                    if let Some(read) = sources.iter().find(|span| fact.writes_exactly(**span)) {
                        self.registers = Some(*read);
                        return CERTAIN;
                    }
                    // ACO does not tell the halves of a register from each other.
                    if let Some(read) = sources.iter().find(|span| fact.writes(span.whole())) {
                        self.registers = Some(*read);
                        return POSSIBLE;
                    }
                    *transcendentals += 1;
                }
                *vectors += u8::from(is_vector);
                Continue
            }
            Sought::Partial { sources, exec, vectors } => {
                if drains || *vectors > PARTIAL_GAP.0 + PARTIAL_GAP.1 + 2 {
                    return Expired;
                }
                let verdict = partial(sources, exec, *vectors, fact);
                *vectors += u8::from(is_vector);
                verdict
            }
            Sought::ScalarWrite { span, scalar_done, vector_done } => {
                let is_vcc = is_in_vcc(*span);
                let written = fact.uses.iter().filter(|u| u.writes).find_map(|u| u.span.intersection(*span));
                let Some(written) = written else { return Continue };
                let Some(dependency) = scalar_result(unit, is_vcc) else { return Expired };
                let is_done = if is_vector { *vector_done } else { *scalar_done };
                if is_done {
                    return Expired;
                }
                self.dependency = Some(dependency);
                self.earlier = Some(at);
                self.registers = Some(written);
                self.sought = Sought::LaneMask { span: written, certainty: Self::mask_certainty(fact) };
                Continue
            }
            Sought::LaneMask { span, certainty } => {
                if fact.lane_mask.is_some_and(|mask| mask.overlaps(*span)) {
                    return Verdict::Found(*certainty);
                }
                // LLVM has put a wait after an earlier write.
                *certainty =
                    if fact.writes(*span) { Certainty::Possible } else { (*certainty).max(Self::mask_certainty(fact)) };
                Continue
            }
            Sought::Rewrite { span, scalar_done, vector_done, scalars, distance, vcc_is_vector } => {
                *distance += 1;
                let waits_for_results = matches!(fact.format, Format::Smem | Format::Mubuf | Format::Mtbuf);
                if waits_for_results || fact.format.is_image() || *distance > REREAD_DISTANCE {
                    return Expired;
                }
                let is_vcc = is_in_vcc(*span);
                if vcc_is_vector.is_none() && fact.uses.iter().any(|u| u.writes && is_in_vcc(u.span)) {
                    *vcc_is_vector = Some(is_vector);
                }
                let written = fact.uses.iter().filter(|u| u.writes).find_map(|u| u.span.intersection(*span));
                let dependency = written.and_then(|_| scalar_result(unit, is_vcc));
                let is_done = if is_vector { *vector_done } else { *scalar_done };
                if written.is_some() && dependency.is_none() {
                    return Expired;
                }
                let (Some(written), Some(dependency), false) = (written, dependency, is_done) else {
                    // The rest may have been written by another instruction.
                    match written.map(|written| span.without(written).next()) {
                        Some(Some(rest)) => *span = rest,
                        Some(None) => return Expired,
                        None => {}
                    }
                    if unit == Unit::Scalar {
                        *scalars = scalars.saturating_add(u8::from(fact.format != Format::Sopp));
                        // A scalar instruction waits for the vector results that it reads, and for all before them.
                        let awaits = |u: &RegisterUse| u.reads && is_general(u.span) && is_in_vcc(u.span) == is_vcc;
                        *vector_done |= fact.uses.iter().any(awaits);
                    }
                    return Continue;
                };
                let is_far = unit == Unit::Scalar && *scalars > SCALARS_UNTIL_WRITTEN;
                // LLVM keeps one unit for both halves of VCC: the one that has written one of them last.
                let is_forgotten = is_vcc && *vcc_is_vector != Some(is_vector);
                let certainty = if is_far || is_forgotten { Certainty::Possible } else { Certainty::Certain };
                let pair = written.aligned_pairs();
                self.dependency = Some(dependency);
                self.earlier = Some(at);
                self.registers = Some(written);
                if is_vector && fact.reads(pair) {
                    return Verdict::Found(certainty);
                }
                self.sought = Sought::FirstRead { pair, certainty, distance: 0 };
                Continue
            }
            Sought::FirstRead { pair, certainty, distance } => {
                *distance += 1;
                if is_vector && fact.reads(*pair) {
                    return Verdict::Found(*certainty);
                }
                if *distance > REREAD_DISTANCE { Expired } else { Continue }
            }
            Sought::Pair { sources, vectors } => {
                if drains || *vectors > PAIR_GAP {
                    return Expired;
                }
                if is_vector && sources.iter().any(|span| fact.writes(*span)) {
                    return POSSIBLE;
                }
                *vectors += u8::from(is_vector);
                Continue
            }
            Sought::Gds { written } => {
                let is_done = |counter| fact.waits.most(counter) == Some(0);
                if is_done(Counter::Exp) || is_done(Counter::Lgkm) {
                    return Expired;
                }
                let is_gds = fact.raises.iter().flatten().any(|raise| raise.kind == Kind::Gds);
                let read = written.iter().find(|span| span.overlaps(EXEC) || fact.reads(**span));
                match read.filter(|_| is_gds) {
                    Some(read) => {
                        self.registers = Some(*read);
                        POSSIBLE
                    }
                    None => Continue,
                }
            }
            Sought::Priority if fact.has(flags::PRIORITY) => {
                if fact.constant >= 2 {
                    Expired
                } else {
                    POSSIBLE
                }
            }
            Sought::Priority => Continue,
            Sought::Store { in_scratch, later } => {
                if fact.waits.most(Counter::Vs) == Some(0) {
                    return Expired;
                }
                let stores = fact.raises.iter().flatten().filter(|raise| raise.counter == Counter::Vs);
                let raised = stores.fold(0, |sum: u8, raise| sum.saturating_add(raise.least()));
                let total = later.saturating_add(raised);
                // The guide does not define a full counter. LLVM takes stores that it cannot hold as done.
                let is_full = total > Counter::Vs.max();
                *later = total.min(Counter::Vs.max());
                match (raised > 0, *in_scratch) {
                    (true, true) if fact.format == Format::Scratch && is_full => POSSIBLE,
                    (true, true) if fact.format == Format::Scratch => CERTAIN,
                    (true, false) if fact.format != Format::Scratch => POSSIBLE,
                    _ => Continue,
                }
            }
            Sought::Shared { waited } => {
                if fact.is_barrier {
                    return Expired;
                }
                waited.wait(fact);
                let is_lds = fact.raises.iter().flatten().any(|raise| raise.kind == Kind::Lds);
                if is_lds && fact.has_memory && !waited.covers(fact) {
                    return POSSIBLE;
                }
                waited.issue(fact);
                Continue
            }
            Sought::Done { of_position } => {
                let is_done = fact.export.is_some_and(|e| e.is_done && e.of_position == *of_position);
                if is_done { CERTAIN } else { Continue }
            }
            Sought::GdsPending => {
                if !fact.waits.open && fact.waits.most(Counter::Lgkm) == Some(0) {
                    return Expired;
                }
                let is_gds = fact.raises.iter().flatten().any(|raise| raise.kind == Kind::Gds);
                if is_gds { CERTAIN } else { Continue }
            }
        }
    }

    /// Goes back over a wait until a counter of dependencies is zero. Returns whether no earlier instruction can break the rule.
    fn ends_at_wait(&mut self, dependency: &str) -> bool {
        match &mut self.sought {
            Sought::VectorUse { .. } | Sought::Transcendental { .. } | Sought::Partial { .. } | Sought::Pair { .. }
                if dependency == "depctr_va_vdst" =>
            {
                return true;
            }
            Sought::MemoryRead { .. } if dependency == "depctr_vm_vsrc" => return true,
            Sought::ScalarWrite { span, scalar_done, vector_done } => {
                *scalar_done |= dependency == "depctr_sa_sdst";
                *vector_done |= dependency == "depctr_va_vdst" || dependency == vector_result(is_in_vcc(*span));
            }
            Sought::Rewrite { span, scalar_done, vector_done, .. } => {
                *scalar_done |= dependency == "depctr_sa_sdst";
                *vector_done |= dependency == vector_result(is_in_vcc(*span));
            }
            _ => {}
        }
        false
    }

    /// Returns how certain it is that a lane mask may still be read after an instruction: ACO takes it as read once a vector
    /// instruction reads a scalar register, LLVM does not.
    fn mask_certainty(fact: &Fact) -> Certainty {
        let reads = fact.unit.is_vector() && fact.uses.iter().any(|u| u.reads && is_general(u.span));
        if reads { Certainty::Possible } else { Certainty::Certain }
    }

    /// Returns the pairs of scalar registers that a vector instruction has to have read before for the rule to be broken, and how
    /// certain that would be, if nothing else is sought any more.
    pub const fn first_read(&self) -> Option<(Span, Certainty)> {
        match self.sought {
            Sought::FirstRead { pair, certainty, .. } => Some((pair, certainty)),
            _ => None,
        }
    }

    /// Returns what holds if nothing is executed before.
    pub const fn at_start(&self) -> Verdict {
        match self.sought {
            Sought::NoNop => CERTAIN,
            Sought::Priority => POSSIBLE,
            _ => Expired,
        }
    }
}

/// Returns whether a part of them is in VCC, whose writes have a counter of dependencies for themselves.
fn is_in_vcc(span: Span) -> bool {
    span.overlaps(Span::mask(VCC_LO, Wave::W64))
}

/// Returns the counter of dependencies of the scalar registers that vector instructions write.
const fn vector_result(is_vcc: bool) -> &'static str {
    if is_vcc { "depctr_va_vcc" } else { "depctr_va_sdst" }
}

/// Returns the counter of dependencies of the scalar registers that a unit writes. `None` for memory, whose results have other counters.
fn scalar_result(unit: Unit, is_vcc: bool) -> Option<&'static str> {
    match unit {
        Unit::Scalar => Some("depctr_sa_sdst"),
        unit if unit.is_vector() => Some(vector_result(is_vcc)),
        _ => None,
    }
}

/// Returns whether they are scalar registers in whose reads a hazard may be: neither M0 nor EXEC.
fn is_general(span: Span) -> bool {
    !span.is_vector() && u32::from(span.end()) <= codes::NULL
}

/// One more instruction of [`Sought::Partial`]: `vectors` vector instructions lie between it and the use.
///
/// LLVM looks at the nearest results from before and from after the write of EXEC, of whole operands; ACO looks at each
/// register.
fn partial(sources: &mut [Source], exec: &mut Option<u8>, vectors: u8, fact: &Fact) -> Verdict {
    let (most, most_after) = PARTIAL_GAP;
    let mut has_changed = false;
    if fact.unit.is_vector() {
        for source in
            sources.iter_mut().filter(|source| source.written.is_none() && fact.writes_exactly(source.register))
        {
            source.written = Some(vectors);
            has_changed = true;
        }
    } else if fact.unit == Unit::Scalar && exec.is_none() && fact.writes(EXEC) {
        has_changed = sources.iter().any(|source| source.written.is_some());
        *exec = has_changed.then_some(vectors);
    }
    let written = || sources.iter().filter_map(|source| Some((source.operand, source.written?)));
    if vectors > most_after && written().next().is_none() {
        return Expired;
    }
    let (true, Some(exec)) = (has_changed, *exec) else { return Continue };
    let (before, after) = (|| written().filter(|w| w.1 >= exec), || written().filter(|w| w.1 < exec));
    let is_close = |(_, before): (u8, u8), (_, after): (u8, u8)| after <= most_after && before - after - 1 <= most;
    // The last write of an operand is that of the register that is written last.
    let is_last = |w: &(u8, u8)| written().all(|other| other.0 != w.0 || other.1 >= w.1);
    let nearest = before().filter(is_last).min_by_key(|w| w.1).zip(after().filter(is_last).min_by_key(|w| w.1));
    if nearest.is_some_and(|(before, after)| is_close(before, after)) {
        CERTAIN
    } else if before().any(|before| after().any(|after| is_close(before, after))) {
        POSSIBLE
    } else {
        Continue
    }
}
