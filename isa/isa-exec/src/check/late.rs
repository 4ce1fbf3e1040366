//! Results that arrive late: a register keeps its value until a wait proves the load complete.
//!
//! The executor loads at once. Afterwards the checker puts the old values back, and the results into the registers when the hardware
//! must have done so at the latest. What a kernel does with a register in between shows what a missing wait can do.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::check::Checker;
use crate::check::facts::{COUNTERS, Facts};
use crate::check::finding::Register;
use crate::check::flight::{Shares, in_order};
use crate::layout::Counters;
use crate::rows::{Row, Single, Wide};
use crate::step::Checked;
use crate::wave::Wave;

/// The results of a wave that have not arrived, those of the oldest instruction first.
#[derive(Debug, Default)]
pub(super) struct Late {
    results: Vec<Results>,
    /// What the destination of the current instruction held before it.
    old: Option<Vec<Values>>,
}

/// The results of an instruction.
#[derive(Debug)]
struct Results {
    shares: Shares,
    values: Vec<Values>,
    /// The counter and the queue, if there is only one.
    queue: Option<(u8, u8)>,
}

/// Values of a register.
#[derive(Debug)]
enum Values {
    Scalar {
        register: u16,
        value: u32,
    },
    /// Of 32 lanes of a vector register.
    Vector {
        register: u16,
        /// 0, or 1 for lanes 32 to 63.
        half: usize,
        /// The lanes that are written.
        lanes: u32,
        /// The bits that are written.
        bits: u32,
        row: Wide,
    },
}

impl Values {
    /// What the registers hold that an instruction writes.
    fn read(facts: &Facts, wave: &Wave) -> Vec<Values> {
        let exec = wave.exec();
        let mut values = Vec::new();
        for register in facts.writes.list() {
            match register {
                Register::Scalar(register) => values.push(Values::Scalar { register, value: wave.sgpr(register) }),
                Register::Vector(register) => {
                    let [low, high] = facts.writes.halves(register).map(u32::from);
                    let bits = low * 0xFFFF + high * 0xFFFF_0000;
                    for (half, file) in wave.wide.iter().enumerate().filter(|_| register < wave.vectors) {
                        let lanes = (exec >> (32 * half)) as u32;
                        values.push(Values::Vector { register, half, lanes, bits, row: *file.row(register) });
                    }
                }
            }
        }
        values
    }

    /// Returns what the same registers hold now.
    fn read_again(&self, wave: &Wave) -> Values {
        match *self {
            Values::Scalar { register, .. } => Values::Scalar { register, value: wave.sgpr(register) },
            Values::Vector { register, half, lanes, bits, row } => {
                let row = wave.wide.get(half).map_or(row, |file| *file.row(register));
                Values::Vector { register, half, lanes, bits, row }
            }
        }
    }

    /// Writes the values.
    fn write(&self, wave: &mut Wave) {
        match self {
            Values::Scalar { register, value } => wave.scalar.set_row(*register, Single([*value])),
            Values::Vector { register, half, lanes, bits, row } => {
                let Some(file) = wave.wide.get_mut(*half) else { return };
                let kept = *file.row(*register);
                let merged = Wide::from_fn(|lane| row.0[lane] & bits | kept.0[lane] & !bits);
                file.set_lanes(*register, *lanes, merged);
            }
        }
    }
}

impl Late {
    /// Writes the results that have arrived. Those of one queue arrive in their order. Nothing orders two queues: the queue that
    /// began first comes last, since the executor loads in the other order.
    fn arrive(&mut self, wave: &mut Wave) {
        let (arrived, pending): (Vec<_>, Vec<_>) =
            core::mem::take(&mut self.results).into_iter().partition(|results| !results.shares.is_pending());
        self.results = pending;
        // With each result the place at which its queue began.
        let mut ordered: Vec<(usize, Results)> = Vec::with_capacity(arrived.len());
        for results in arrived {
            let is_same = |(_, other): &&(usize, Results)| other.queue.is_some() && other.queue == results.queue;
            let began = ordered.iter().find(is_same).map_or(ordered.len(), |(began, _)| *began);
            ordered.push((began, results));
        }
        ordered.sort_by_key(|(began, _)| Reverse(*began));
        ordered.iter().flat_map(|(_, results)| &results.values).for_each(|values| values.write(wave));
    }

    fn wait(&mut self, waits: &[Option<u8>; COUNTERS], wave: &mut Wave) {
        self.results.iter_mut().for_each(|results| results.shares.wait(waits));
        self.arrive(wave);
    }

    /// Follows the work of an instruction before it is executed.
    fn issue(&mut self, facts: &Facts, counters: &Counters, wave: &mut Wave) {
        for (issue, max) in in_order(facts, counters) {
            for results in &mut self.results {
                results.shares.issue(issue, max);
            }
        }
        self.arrive(wave);
        self.old = Some(Values::read(facts, wave));
    }

    /// Takes the results of the instruction back after it.
    fn withdraw(&mut self, facts: &Facts, wave: &mut Wave) {
        let Some(old) = self.old.take() else { return };
        let values = old.iter().map(|values| values.read_again(wave)).collect();
        old.iter().for_each(|values| values.write(wave));
        let queue = match facts.issues.as_slice() {
            [issue] => issue.queue.map(|queue| (issue.counter, queue)),
            _ => None,
        };
        self.results.push(Results { shares: Shares::new(facts), values, queue });
    }
}

impl Checker {
    /// Follows the waits and the work of an instruction before it is executed, if results arrive late. Returns whether the
    /// instruction has results that are to be withdrawn.
    pub(super) fn delay(&mut self, checked: &Checked, wave: &mut Wave) -> bool {
        let facts = &checked.facts;
        let waits = facts.waits.iter().any(Option::is_some) && !self.is_omitted();
        let issues = !facts.issues.is_empty();
        let counters = wave.layout.counters;
        let Some(state) = self.state().filter(|_| waits || issues) else { return false };
        if waits {
            state.late.wait(&facts.waits, wave);
        }
        if issues {
            state.late.issue(facts, &counters, wave);
        }
        issues
    }

    /// Lets the registers that an instruction has written hold what they held before it, if its results arrive late.
    pub(super) fn withdraw(&mut self, checked: &Checked, wave: &mut Wave) {
        if self.is_late
            && let Some(state) = self.state()
        {
            state.late.withdraw(&checked.facts, wave);
        }
    }
}
