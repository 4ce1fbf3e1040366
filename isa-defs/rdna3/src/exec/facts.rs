//! What a checker of running waves has to know about instructions besides their bodies.

extern crate alloc;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt::Debug;

use isa_exec::check::{Broken, COUNTERS, CacheLevel, Facts, Issue, LONGEST_SEQUENCE, Registers, Sequenced};
use isa_exec::layout::Counters;
use rdna_facts::counter::{Counter, Kind, Queue, raises, waits};
use rdna_facts::export::ExportType;
use rdna_facts::isa::{self, Isa};
use rdna_facts::lint::{Authority, Executed, Finding, Use, check_executed};
use rdna_facts::operands::DEVICE_SCOPE;
use rdna_facts::{Family, Format, Generation, Instruction, Wave, cache};

/// Returns the counters of outstanding work of a generation.
#[must_use]
pub const fn counters<G: Generation>() -> Counters {
    Counters {
        max: largest::<G>(),
        wait: wait_for::<G>,
        invalidate: if G::SPLIT_WAITS.is_some() { ["global_inv"; 2] } else { ["buffer_gl0_inv", "buffer_gl1_inv"] },
        authority: match G::FAMILY {
            Family::Gfx11 => "guide §5.6",
            Family::Gfx12 => "guide §5.7",
        },
    }
}

const fn largest<G: Generation>() -> [u8; COUNTERS] {
    let counters = Counter::of::<G>();
    let mut max = [0; COUNTERS];
    let mut n = 0;
    while n < counters.len() {
        max[counters[n] as usize] = counters[n].max();
        n += 1;
    }
    max
}

fn wait_for<G: Generation>(number: u8, most: u8) -> String {
    Counter::ALL.get(usize::from(number)).map_or(String::new(), |counter| counter.wait_in::<G>(most).to_string())
}

/// An instruction as the rules about hazards see it.
#[derive(Debug)]
struct Step<I>(Executed<I>);

impl<I: Instruction + Debug + Send + Sync> Sequenced for Step<I> {
    fn check(&self, sequence: &[&dyn Sequenced], first: usize, begins: bool) -> Vec<Broken> {
        let mut executed = Vec::with_capacity(sequence.len());
        for sequenced in sequence {
            let any: &dyn Any = *sequenced;
            // All are of one instruction set.
            let Some(Step(instr)) = any.downcast_ref::<Step<I>>() else { return Vec::new() };
            executed.push(instr);
        }
        let mut all = Vec::new();
        for end in first + 1..=executed.len() {
            let start = end.saturating_sub(LONGEST_SEQUENCE);
            let findings = check_executed(executed.get(start..end).unwrap_or_default(), begins && start == 0);
            all.extend(findings.iter().map(|finding| broken(finding, start)));
        }
        all
    }
}

/// A finding about instructions of a sequence from the index `start` on.
fn broken<I: Instruction>(finding: &Finding<I>, start: usize) -> Broken {
    let advice = finding.help().to_string();
    let advice = match (finding.wait, finding.dependency) {
        (None, None) if advice.is_empty() => advice,
        (None, None) => format!(": {advice}"),
        _ => format!(": insert `{advice}` before the instruction"),
    };
    let authority = finding.authority();
    let help = format!("{}{advice} ({authority})", finding.rule.text());
    let mut registers = Registers::default();
    for register in finding.registers.into_iter().flat_map(|span| span.uses()) {
        add(&mut registers, register);
    }
    Broken {
        at: start + finding.at,
        earlier: finding.earlier.map(|(at, _)| start + at),
        registers,
        authority: match authority {
            Authority::Guide(_) => None,
            Authority::Compilers(names) => Some(names),
        },
        help: Cow::Owned(help),
    }
}

fn add(registers: &mut Registers, Use { is_vector, register, halves, .. }: Use) {
    match is_vector {
        true => registers.add_vector(register, halves),
        false => registers.add_scalar(register),
    }
}

/// Returns the facts about an instruction.
#[must_use]
pub fn facts<I: Instruction + Debug + Send + Sync>(instr: &I, wave: Wave) -> Facts {
    let issues = raises(instr).map(|raise| Issue {
        counter: raise.counter as u8,
        by: raise.by,
        least: raise.least(),
        queue: raise.kind.queue().map(number_of_queue),
        kind: number_of_kind(raise.kind),
    });
    let mut facts = Facts {
        issues: issues.collect(),
        is_coherent: is_coherent(instr),
        invalidates: invalidates(instr),
        ..Facts::default()
    };
    let limits = waits(instr);
    if !limits.open {
        for counter in Counter::ALL {
            facts.waits[counter as usize] = limits.most(counter);
        }
    }
    let executed = Executed::new(instr, wave);
    for register in executed.uses() {
        if register.reads {
            add(&mut facts.reads, register);
        }
        if register.writes {
            add(&mut facts.writes, register);
        }
    }
    facts.sequenced = Some(Arc::new(Step(executed)));
    facts
}

/// Whether the instruction, if it is a load, sees the whole device (guide §4.1.1; of RDNA4 §4.1).
fn is_coherent<I: Instruction>(instr: &I) -> bool {
    let (format, _) = <I::Generation as Isa>::parts(instr);
    let words = instr.dwords();
    let Some(cx) = isa::surroundings::<I::Generation>(format, &words, Wave::W32, 0) else { return false };
    if let Some((scope, _)) = cx.sibling("scope") {
        return scope >= DEVICE_SCOPE;
    }
    let glc = instr.microcode() != Format::Smem && cx.sibling("glc").is_some_and(|(code, _)| code != 0);
    cache::load(cache::Bits { glc, ..cache::Bits::default() }, 0).scope == cache::Scope::Device
}

/// The level of the cache that the instruction invalidates. Loads of scalar memory are not followed.
fn invalidates<I: Instruction>(instr: &I) -> Option<CacheLevel> {
    match cache::invalidated(instr)? {
        cache::Cache::L0 => Some(CacheLevel::ComputeUnit),
        cache::Cache::Gl1 => Some(CacheLevel::Shared),
        cache::Cache::Scalar => None,
    }
}

const fn number_of_queue(queue: Queue) -> u8 {
    match queue {
        Queue::Memory => 0,
        Queue::Lds => 1,
        Queue::Gds => 2,
        Queue::Answers => 3,
        Queue::LdsDirect => 4,
        Queue::Export(of) => 5 + number_of_export(of),
    }
}

const fn number_of_kind(kind: Kind) -> u8 {
    match kind {
        Kind::Load => 0,
        Kind::Sample => 1,
        Kind::Ray => 2,
        Kind::Store => 3,
        Kind::Lds => 4,
        Kind::Gds => 5,
        Kind::Scalar => 6,
        Kind::Message => 7,
        Kind::Answer => 8,
        Kind::LdsDirect => 9,
        Kind::Export(of) => 10 + number_of_export(of),
    }
}

const fn number_of_export(of: ExportType) -> u8 {
    of as u8
}
