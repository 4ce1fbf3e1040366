//! What a checker of running waves has to know about instructions besides their bodies.

use isa_exec::check::{Facts, Issue};
use rdna3_facts::Instruction;
use rdna3_facts::counter::{Counter, Kind, Queue, raises, waits};
use rdna3_facts::export::ExportType;

/// Returns the facts about an instruction.
#[must_use]
pub fn facts<I: Instruction>(instr: &I) -> Facts {
    let issues = raises(instr).map(|raise| Issue {
        counter: raise.counter as u8,
        by: raise.by,
        least: raise.least(),
        queue: raise.kind.queue().map(number_of_queue),
        kind: number_of_kind(raise.kind),
    });
    let mut facts = Facts { issues: issues.collect(), ..Facts::default() };
    let limits = waits(instr);
    if !limits.open {
        for counter in Counter::ALL {
            facts.waits[counter as usize] = limits.most(counter);
        }
    }
    facts
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
