//! Counters of outstanding work: which ones an instruction increments and by how much, in which order they decrease, and
//! which ones an instruction waits for (guide §5.6, §8.2, §11.1.1, §12.2.1.2, §14.3).
//!
//! ```
//! use rdna3::{Instr, counter::{Counter, raises, waits}};
//!
//! let load: Instr = "global_load_b32 v1, v0, s[2:3]".parse()?;
//! assert_eq!(raises(&load).map(|r| (r.counter, r.by)).collect::<Vec<_>>(), [(Counter::Vm, 1)]);
//! let wait: Instr = "s_waitcnt vmcnt(3)".parse()?;
//! assert_eq!(waits(&wait).most(Counter::Vm), Some(3));
//! # Ok::<(), rdna3::isa::ParseError>(())
//! ```

use core::fmt;

use rdna_rows::isa::{Inst, Op, Reg};
use rdna_rows::operands::WAIT_COUNTERS;
use rdna_rows::{File, Format, Generation, Instruction, Pipeline, Value, Wave, files, flags, isa, raw, roles};

use crate::export;
use crate::message::{Answer, message_in};

/// A counter of outstanding work. RDNA4 has seven; RDNA3 has the first four, of which [`Vm`](Counter::Vm) and
/// [`Lgkm`](Counter::Lgkm) count the work of the others too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[doc(alias = "waitcnt")]
pub enum Counter {
    /// VMcnt, in RDNA4 LOADcnt: loads from memory, atomics that return; in RDNA3 samples and ray intersections.
    Vm,
    /// VScnt, in RDNA4 STOREcnt: stores to memory, atomics that do not return.
    Vs,
    /// LGKMcnt, in RDNA4 DScnt: LDS, GDS; in RDNA3 scalar memory (K) and messages.
    Lgkm,
    /// EXPcnt: exports, and loads of parameters from LDS.
    Exp,
    /// SAMPLEcnt: samples.
    Sample,
    /// BVHcnt: ray intersections.
    Bvh,
    /// KMcnt: scalar memory and messages.
    Km,
}

impl Counter {
    /// All counters.
    pub const ALL: [Counter; 7] =
        [Counter::Vm, Counter::Vs, Counter::Lgkm, Counter::Exp, Counter::Sample, Counter::Bvh, Counter::Km];

    /// Returns the counters of a generation.
    #[must_use]
    pub const fn of<G: Generation>() -> &'static [Counter] {
        if G::SPLIT_WAITS.is_some() { &Self::ALL } else { Self::ALL.split_at(4).0 }
    }

    /// Returns the name in RDNA3's assembly.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Counter::Vm => "vmcnt",
            Counter::Vs => "vscnt",
            Counter::Lgkm => "lgkmcnt",
            Counter::Exp => "expcnt",
            Counter::Sample => "samplecnt",
            Counter::Bvh => "bvhcnt",
            Counter::Km => "kmcnt",
        }
    }

    /// Returns the name in the assembly of a generation.
    #[must_use]
    pub const fn name_in<G: Generation>(self) -> &'static str {
        if G::SPLIT_WAITS.is_some() { self.split_name() } else { self.name() }
    }

    const fn split_name(self) -> &'static str {
        match self {
            Counter::Vm => "loadcnt",
            Counter::Vs => "storecnt",
            Counter::Lgkm => "dscnt",
            counter => counter.name(),
        }
    }

    /// Returns the width in bits. Guide §3.1, table 4; RDNA4's §5.6.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Counter::Exp | Counter::Bvh => 3,
            Counter::Km => 5,
            Counter::Vm | Counter::Vs | Counter::Lgkm | Counter::Sample => 6,
        }
    }

    /// Returns the largest value. A wait for it waits for nothing.
    #[must_use]
    pub const fn max(self) -> u8 {
        (1 << self.bits()) - 1
    }

    /// Returns RDNA3's instruction that waits until the counter is at most `most`; `Display` writes it.
    #[must_use]
    pub const fn wait_for(self, most: u8) -> WaitText {
        WaitText { counter: self, most, is_split: false }
    }

    /// Returns the instruction of a generation that waits until the counter is at most `most`; `Display` writes it.
    #[must_use]
    pub const fn wait_in<G: Generation>(self, most: u8) -> WaitText {
        WaitText { counter: self, most, is_split: G::SPLIT_WAITS.is_some() }
    }
}

/// The text of an instruction that waits for one counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitText {
    counter: Counter,
    most: u8,
    is_split: bool,
}

impl fmt::Display for WaitText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.counter {
            counter if self.is_split => write!(f, "s_wait_{} {:#x}", counter.split_name(), self.most),
            Counter::Vs => write!(f, "s_waitcnt_vscnt null, {:#x}", self.most),
            counter => write!(f, "s_waitcnt {}({})", counter.name(), self.most),
        }
    }
}

/// The kind of work that a counter counts. Different kinds that increment one counter finish in any order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Loads from memory, and atomics that return.
    Load,
    /// Samples, and IMAGE_MSAA_LOAD, which the hardware executes among them.
    Sample,
    /// Ray intersections.
    Ray,
    /// Stores, and atomics that do not return.
    Store,
    /// LDS, and flat accesses, which may go there.
    Lds,
    /// GDS and global wave synchronization.
    Gds,
    /// Scalar memory.
    Scalar,
    /// Messages without an answer.
    Message,
    /// Messages with an answer.
    Answer,
    /// Exports of one type.
    Export(export::ExportType),
    /// Parameter and direct loads from LDS.
    LdsDirect,
}

impl Kind {
    /// Returns the queue of this kind of work: the counter decreases in the order of each queue. `None`: in any order.
    ///
    /// Loads, samples and ray intersections may *write* their registers in any order, but VMcnt decreases in order. Scalar
    /// loads return in any order (§8.2).
    #[must_use]
    pub const fn queue(self) -> Option<Queue> {
        Some(match self {
            Kind::Load | Kind::Sample | Kind::Ray => Queue::Memory,
            Kind::Store => return None,
            Kind::Lds => Queue::Lds,
            Kind::Gds => Queue::Gds,
            Kind::Scalar | Kind::Message => return None,
            Kind::Answer => Queue::Answers,
            // §5.6 gives depth a separate queue; LLVM assumes that colours and depth are in order.
            Kind::Export(export::ExportType::Depth) => Queue::Export(export::ExportType::Color),
            Kind::Export(kind) => Queue::Export(kind),
            Kind::LdsDirect => Queue::LdsDirect,
        })
    }
}

/// Work that decrements its counter in the order in which it was issued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Queue {
    /// [`Kind::Load`], [`Kind::Sample`], [`Kind::Ray`].
    Memory,
    /// [`Kind::Lds`].
    Lds,
    /// [`Kind::Gds`].
    Gds,
    /// [`Kind::Answer`].
    Answers,
    /// [`Kind::Export`] of this type; depth is among colours.
    Export(export::ExportType),
    /// [`Kind::LdsDirect`].
    LdsDirect,
}

/// An increment of a counter by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Raise {
    /// The counter.
    pub counter: Counter,
    /// The increment.
    pub by: u8,
    /// The kind of work.
    pub kind: Kind,
    /// Whether the counter decreases by all of `by` when the work is done. A message with an answer decrements it once
    /// when it is sent; a scalar load may return its parts at different times (§8.2).
    pub at_once: bool,
}

impl Raise {
    const fn one(counter: Counter, kind: Kind) -> Self {
        Raise { counter, by: 1, kind, at_once: true }
    }

    /// Returns the part of the counter that is certain to remain while the work is not done.
    #[must_use]
    pub const fn least(self) -> u8 {
        if self.at_once { self.by } else { 1 }
    }
}

/// Returns the counters that an instruction increments: none, one, or the two of a flat access.
pub fn raises<I: Instruction>(instr: &I) -> impl Iterator<Item = Raise> + use<I> {
    let pair = match instr.microcode() {
        Format::Smem => [Some(scalar(instr)), None],
        Format::Ds if is_gds(instr) => [Some(Raise::one(Counter::Lgkm, Kind::Gds)), None],
        Format::Ds => [Some(Raise::one(Counter::Lgkm, Kind::Lds)), None],
        Format::Mubuf | Format::Mtbuf | Format::Global | Format::Scratch => [Some(memory(instr)), None],
        format if format.is_image() => [Some(image(instr)), None],
        Format::Flat => [Some(memory(instr)), Some(Raise::one(Counter::Lgkm, Kind::Lds))],
        Format::Exp => {
            let target = export::ExportTarget::from_code(raw::Exp::from_bits(instr.low64()).target());
            let kind = Kind::Export(target.map_or(export::ExportType::Color, export::ExportTarget::of_type));
            [Some(Raise::one(Counter::Exp, kind)), None]
        }
        Format::Ldsdir => [Some(Raise::one(Counter::Exp, Kind::LdsDirect)), None],
        _ if instr.flags() & flags::MESSAGE != 0 => [Some(sent(instr)), None],
        _ => [None, None],
    };
    pair.into_iter().flatten()
}

/// Returns whether a DS instruction works on the global data share.
fn is_gds<I: Instruction>(instr: &I) -> bool {
    !is_split::<I>() && raw::Ds::from_bits(instr.low64()).gds()
}

/// Returns whether all counters have their own waits.
const fn is_split<I: Instruction>() -> bool {
    <I::Generation as Generation>::SPLIT_WAITS.is_some()
}

/// Returns the counter of scalar memory and messages.
const fn scalar_counter<I: Instruction>() -> Counter {
    if is_split::<I>() { Counter::Km } else { Counter::Lgkm }
}

/// Loads of two or more dwords count twice (§8.2).
fn scalar<I: Instruction>(instr: &I) -> Raise {
    let wide = instr.operand_infos(Wave::W32).any(|o| o.role == roles::D && o.ty.dwords() > 1);
    Raise { by: 1 + u8::from(wide), at_once: !wide, ..Raise::one(scalar_counter::<I>(), Kind::Scalar) }
}

/// An access that only reads registers is a store. One that neither writes a register nor reads data loads into LDS or
/// invalidates a cache.
fn memory<I: Instruction>(instr: &I) -> Raise {
    let mut stores = false;
    for operand in instr.operand_infos(Wave::W32) {
        if operand.access != isa::Access::Read {
            return Raise::one(Counter::Vm, Kind::Load);
        }
        stores |= operand.role == roles::DATA;
    }
    let stores = stores || instr.flags() & flags::WRITES_BACK != 0;
    if stores { Raise::one(Counter::Vs, Kind::Store) } else { Raise::one(Counter::Vm, Kind::Load) }
}

fn image<I: Instruction>(instr: &I) -> Raise {
    let row = instr.flags();
    let (counter, kind) = if row & flags::RAY != 0 {
        (Counter::Bvh, Kind::Ray)
    } else if row & flags::MSAA != 0 || instr.operand_infos(Wave::W32).any(|o| o.role == roles::SAMP) {
        (Counter::Sample, Kind::Sample)
    } else {
        return memory(instr);
    };
    Raise::one(if is_split::<I>() { counter } else { Counter::Vm }, kind)
}

/// A message. One whose answer goes to an SGPR counts twice.
fn sent<I: Instruction>(instr: &I) -> Raise {
    if is_answered(instr) {
        Raise { counter: scalar_counter::<I>(), by: 2, kind: Kind::Answer, at_once: false }
    } else {
        Raise::one(scalar_counter::<I>(), Kind::Message)
    }
}

/// The wait of an instruction: an upper limit for each counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WaitLimits {
    most: [Option<u8>; Counter::ALL.len()],
    /// Whether an SGPR adds to the limits, which are then not known.
    pub open: bool,
}

impl WaitLimits {
    /// Returns the value that the counter has at most after the wait; `None` if the instruction does not wait for it.
    #[must_use]
    pub const fn most(&self, counter: Counter) -> Option<u8> {
        self.most[counter as usize]
    }

    /// Adds a limit for a counter. The lower one of two counts.
    pub fn add(&mut self, counter: Counter, most: u8) {
        let limit = &mut self.most[counter as usize];
        *limit = Some(limit.map_or(most, |old| old.min(most)));
    }

    /// Returns the instructions that wait until no counter is above its limit: in RDNA3 S_WAITCNT for all counters but VScnt, which has
    /// S_WAITCNT_VSCNT, in RDNA4 one for each counter. A limit that a counter cannot exceed needs no wait.
    ///
    /// ```
    /// use rdna3::{Wave, counter::{Counter, WaitLimits}};
    ///
    /// let mut waits = WaitLimits::default();
    /// waits.add(Counter::Vm, 3);
    /// waits.add(Counter::Vs, 0);
    /// let code: Result<Vec<_>, _> = waits.instructions().map(|inst: rdna3::Inst| inst.encode(Wave::W32)).collect();
    /// let text: Vec<String> = code?.iter().map(ToString::to_string).collect();
    /// assert_eq!(text, ["s_waitcnt vmcnt(3)", "s_waitcnt_vscnt null, 0x0"]);
    /// # Ok::<(), rdna3::isa::EncodeError>(())
    /// ```
    pub fn instructions<G: Generation>(&self) -> impl Iterator<Item = Inst<G>> + use<G> {
        let limits = *self;
        let limit = move |counter: Counter| limits.most(counter).filter(|most| *most < counter.max());
        let (mut code, mut is_needed) = (0, false);
        for field in &WAIT_COUNTERS {
            let known = Counter::ALL.into_iter().find(|counter| counter.name() == field.name);
            let most = known.and_then(limit).map(u32::from);
            is_needed |= most.is_some() && G::SPLIT_WAITS.is_none();
            code |= most.unwrap_or(field.most()) << field.lo;
        }
        let counters = is_needed.then(|| Inst::new(G::WAITCNT, [Op::int(code.into())]));
        let null = Op::reg(Reg::new(isa::inst::File(files::NULL), 0, 0));
        let stores = limit(Counter::Vs).zip(G::WAITCNT_VSCNT);
        let stores = stores.map(|(most, opcode)| Inst::new(opcode, [null, Op::int(most.into())]));
        let split = G::SPLIT_WAITS.into_iter().flatten().zip(Counter::ALL);
        let split =
            split.filter_map(move |(opcode, counter)| Some(Inst::new(opcode, [Op::int(limit(counter)?.into())])));
        counters.into_iter().chain(stores).chain(split)
    }

    /// Returns whether the instruction waits for no counter.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        matches!(self.most, [None, None, None, None, None, None, None])
    }
}

/// The counters that a row's flags name.
const WAITS: [(u128, Counter); 10] = [
    (flags::WAITS_VM, Counter::Vm),
    (flags::WAITS_VS, Counter::Vs),
    (flags::WAITS_LGKM, Counter::Lgkm),
    (flags::WAITS_EXP, Counter::Exp),
    (flags::WAITS_LOAD, Counter::Vm),
    (flags::WAITS_STORE, Counter::Vs),
    (flags::WAITS_DS, Counter::Lgkm),
    (flags::WAITS_SAMPLE, Counter::Sample),
    (flags::WAITS_BVH, Counter::Bvh),
    (flags::WAITS_KM, Counter::Km),
];

/// The flags of rows that wait for a counter.
pub const WAIT_FLAGS: u128 = {
    let (mut all, mut n) = (0, 0);
    while n < WAITS.len() {
        all |= WAITS[n].0;
        n += 1;
    }
    all
};

/// The rows that wait for one counter or two in RDNA4.
const SPLIT: u128 = flags::WAITS_LOAD
    | flags::WAITS_STORE
    | flags::WAITS_DS
    | flags::WAITS_SAMPLE
    | flags::WAITS_BVH
    | flags::WAITS_KM
    | flags::WAITS_EXP;

/// Returns the wait of an instruction of RDNA4 with these flags and this constant.
fn split_waits(row: u128, constant: u32) -> WaitLimits {
    let mut out = WaitLimits::default();
    // All other rows with a flag of RDNA3 wait for all work: S_WAITCNT, S_WAIT_IDLE, the end of a wave.
    if row & flags::WAITS_VM != 0 {
        out.most = [Some(0); Counter::ALL.len()];
        return out;
    }
    let is_pair = row & flags::WAITS_DS != 0 && row & (flags::WAITS_LOAD | flags::WAITS_STORE) != 0;
    for (_, counter) in WAITS.into_iter().filter(|(flag, _)| row & SPLIT & flag != 0) {
        // Of two counters, LDS has the lower byte.
        let count = match (is_pair, counter) {
            (true, Counter::Lgkm) => constant & 0x3f,
            (true, _) => constant >> 8 & 0x3f,
            (false, _) => constant,
        };
        // A wait for the largest value waits for nothing.
        out.most[counter as usize] = u8::try_from(count).ok().filter(|count| *count < counter.max());
    }
    out
}

/// Returns the wait that an instruction makes before the next one is issued, or (VINTERP, S_ENDPGM) before it executes.
#[must_use]
pub fn waits<I: Instruction>(instr: &I) -> WaitLimits {
    let mut out = WaitLimits::default();
    let format = instr.microcode();
    if format == Format::Vinterp {
        let most = raw::Vinterp::from_bits(instr.low64()).waitexp();
        // Seven, the highest, is not a wait.
        out.most[Counter::Exp as usize] = (most < 7).then_some(most);
        return out;
    }
    let row = instr.flags();
    if is_split::<I>() {
        return split_waits(row, instr.dwords()[0] & 0xffff);
    }
    let counters = WAITS.into_iter().filter(|(word, _)| row & word != 0).map(|(_, counter)| counter);
    // The constant is in the same bits of both.
    let constant = matches!(format, Format::Sopp | Format::Sopk).then(|| instr.dwords()[0] & 0xffff);
    for counter in counters {
        let most = match (format, constant) {
            // All counters in one constant; the row of S_WAIT_IDLE has none.
            (Format::Sopp, Some(code)) if row & flags::INTERNAL != 0 => {
                let field = WAIT_COUNTERS.iter().find(|f| f.name == counter.name());
                field
                    .map(|f| (f.of(code), f.most()))
                    .filter(|(count, most)| count != most)
                    .map(|(count, _)| count as u8)
            }
            (Format::Sopk, Some(code)) => Some((code & ((1 << counter.bits()) - 1)) as u8),
            _ => Some(0),
        };
        out.most[counter as usize] = most;
    }
    if format == Format::Sopk {
        let null = |value| matches!(value, Value::Registers(r) if r.file == File::Null);
        out.open = !out.is_empty() && instr.operand_infos(Wave::W32).any(|o| o.role == roles::S0 && !null(o.value));
    }
    out
}

/// The class by which S_DELAY_ALU counts an instruction. Guide §5.7, table 19.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DelayClass {
    /// Vector ALU: VALU_DEP counts these, and not the transcendental ones.
    Vector,
    /// Transcendental functions of up to 32 bits: TRANS32_DEP counts these.
    Transcendental,
    /// Scalar ALU: SALU_CYCLE waits for these.
    Scalar,
}

impl DelayClass {
    /// Returns the class of the instructions that a pipeline executes, if S_DELAY_ALU has one for them.
    #[must_use]
    pub const fn of(pipeline: Pipeline) -> Option<DelayClass> {
        match pipeline {
            Pipeline::Valu | Pipeline::Wmma => Some(DelayClass::Vector),
            Pipeline::Transcendental => Some(DelayClass::Transcendental),
            Pipeline::Salu => Some(DelayClass::Scalar),
            _ => None,
        }
    }
}

/// Returns the class of an instruction, if S_DELAY_ALU has one for it.
#[must_use]
pub fn delay_class<I: Instruction>(instr: &I) -> Option<DelayClass> {
    if is_vector(instr) {
        let trans = instr.flags() & flags::TRANS != 0;
        return Some(if trans { DelayClass::Transcendental } else { DelayClass::Vector });
    }
    let scalar = matches!(instr.microcode(), Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk);
    (scalar && instr.flags() & (flags::MESSAGE | flags::INTERNAL) == 0).then_some(DelayClass::Scalar)
}

/// Returns whether the vector ALU executes the instruction.
#[must_use]
pub fn is_vector<I: Instruction>(instr: &I) -> bool {
    instr.microcode().is_vector_alu()
}

/// A type of clause: all its members are of one. Guide §5.2, §16.5 (S_CLAUSE); RDNA4's §5.3, by which images are accessed in clauses
/// with buffers, global and scratch memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ClauseType {
    /// Image loads without a sampler; not in RDNA4.
    ImageLoad,
    /// Image stores; not in RDNA4.
    ImageStore,
    /// Image atomics; not in RDNA4.
    ImageAtomic,
    /// Image samples; not in RDNA4.
    ImageSample,
    /// Ray intersections; not in RDNA4.
    ImageRay,
    /// Loads of buffers, global and scratch memory; in RDNA4 also image loads, samples and ray intersections.
    Load,
    /// Stores to them; in RDNA4 also image stores.
    Store,
    /// Atomics on them; in RDNA4 also image atomics.
    Atomic,
    /// Flat loads.
    FlatLoad,
    /// Flat stores.
    FlatStore,
    /// Flat atomics.
    FlatAtomic,
    /// LDS.
    Lds,
    /// Scalar memory.
    Scalar,
    /// Vector ALU.
    Vector,
}

/// Returns the types of clause that an instruction can be a member of; the first is the type that it begins. Instructions
/// without a type may still be inside a clause: [`clause_internal`].
///
/// RDNA3's IMAGE_MSAA_LOAD has two: it has no sampler, so the guide makes it an image load (§5.2, §10.1); LLVM groups it with
/// samples, as the hardware executes it.
pub fn clause_types<I: Instruction>(instr: &I) -> impl Iterator<Item = ClauseType> + use<I> {
    let msaa = !clauses_unite::<I>() && instr.microcode().is_image() && instr.flags() & flags::MSAA != 0;
    clause_type(instr).into_iter().chain(msaa.then_some(ClauseType::ImageLoad))
}

/// Returns whether images are accessed in clauses with other memory. RDNA4's §5.3 has one type for both; its §16.5 has RDNA3's types, and
/// LLVM's clauses are those of §5.3.
const fn clauses_unite<I: Instruction>() -> bool {
    <I::Generation as Generation>::FEATURES.clauses.images_join_memory
}

fn clause_type<I: Instruction>(instr: &I) -> Option<ClauseType> {
    let row = instr.flags();
    let pick = |types: [ClauseType; 3]| {
        let raise = memory(instr);
        let atomic = crate::address::updates_memory(instr.body_effects());
        types[if atomic { 2 } else { usize::from(raise.kind == Kind::Store) }]
    };
    Some(match instr.microcode() {
        _ if row & flags::INVALIDATES != 0 => return None,
        Format::Smem => ClauseType::Scalar,
        Format::Ds if is_gds(instr) => return None,
        Format::Ds => ClauseType::Lds,
        format if format.is_image() => match image(instr).kind {
            Kind::Ray | Kind::Sample if clauses_unite::<I>() => ClauseType::Load,
            _ if clauses_unite::<I>() => pick([ClauseType::Load, ClauseType::Store, ClauseType::Atomic]),
            Kind::Ray => ClauseType::ImageRay,
            Kind::Sample => ClauseType::ImageSample,
            _ => pick([ClauseType::ImageLoad, ClauseType::ImageStore, ClauseType::ImageAtomic]),
        },
        Format::Flat => pick([ClauseType::FlatLoad, ClauseType::FlatStore, ClauseType::FlatAtomic]),
        Format::Mubuf | Format::Mtbuf | Format::Global | Format::Scratch => {
            pick([ClauseType::Load, ClauseType::Store, ClauseType::Atomic])
        }
        // §16.5 keeps VINTERP out of clauses.
        Format::Vinterp => return None,
        _ if is_vector(instr) => ClauseType::Vector,
        _ => return None,
    })
}

/// Returns whether an instruction may be inside a clause of any type: S_NOP, S_SLEEP, S_DELAY_ALU (but not in a clause of
/// vector instructions), and waits that read no SGPR.
///
/// Guide §5.2 forbids S_WAITCNT, §16.5 allows it and related instructions. This allows what either section allows.
#[must_use]
pub fn clause_internal<I: Instruction>(instr: &I) -> bool {
    instr.flags() & flags::INTERNAL != 0 && !waits(instr).open
}

/// The length and the spans of a clause, as S_CLAUSE's constant encodes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clause {
    /// The number of instructions, 2 to 63.
    pub length: u8,
    /// The number of instructions after which the hardware may switch to another wave; 0: never.
    pub span: u8,
}

impl Clause {
    /// Decodes the constant. Returns `None` for a length that the guide forbids.
    #[must_use]
    pub const fn from_code(code: u16) -> Option<Self> {
        let length = (code & 63) as u8 + 1;
        if length < 2 || length > 63 { None } else { Some(Clause { length, span: (code >> 8 & 15) as u8 }) }
    }

    /// Encodes the constant.
    #[must_use]
    pub const fn code(self) -> u16 {
        (self.length as u16).wrapping_sub(1) & 63 | (self.span as u16 & 15) << 8
    }
}

/// Whether an instruction that sends a message receives an answer in an SGPR.
fn is_answered<I: Instruction>(instr: &I) -> bool {
    instr.operand_infos(Wave::W32).any(|o| o.role == roles::D)
}

/// Returns the message that an instruction sends, if the guide lists its number for the opcode: S_SENDMSG_RTN_B32 and S_SENDMSG
/// have a table each, so 3 deallocates VGPRs in S_SENDMSG only.
#[must_use]
pub fn sends<I: Instruction>(instr: &I) -> Option<&'static crate::message::Message> {
    if instr.flags() & flags::MESSAGE == 0 {
        return None;
    }
    let message = instr.operand_infos(Wave::W32).find_map(|o| match o.value {
        Value::Immediate(code) if o.role == roles::IMM => message_in(I::Generation::FAMILY, code as u8),
        _ => None,
    })?;
    ((message.answer == Answer::Value) == is_answered(instr)).then_some(message)
}
