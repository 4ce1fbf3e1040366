//! Waits for memory: an instruction that names a register which a load has yet to write waits for the load's counter.

use std::collections::BTreeMap;

use rdna3::build::{Waits, s_waitcnt};
use rdna3::counter::{Counter, Queue, raises};
use rdna3::{Inst, Instr, Unit, Wave};

use crate::Result;
use crate::allocate::successors;
use crate::select::Line;

/// A load that has yet to write a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    /// The counter that the load has increased.
    counter: Counter,
    /// The loads that finish in the order of their issue; `None` if this one may finish at any time.
    queue: Option<Queue>,
    /// The number that later loads of the queue have added to the counter. Once the counter is not above it, the register is
    /// written.
    later: u8,
}

/// The registers that loads have yet to write.
type State = BTreeMap<Unit, Pending>;

/// Inserts the waits that code with physical registers needs.
///
/// # Errors
/// An instruction has no encoding.
pub fn insert_waits(code: &[Line]) -> Result<Vec<Line>> {
    let before = analyze(code)?;
    let mut out = Vec::new();
    for (line, state) in code.iter().zip(before) {
        if let Line::Inst(inst) = line {
            let counts = needed(&inst.encode(Wave::W32)?, &state);
            if !counts.is_empty() {
                out.push(Line::Inst(wait(&counts)?));
            }
        }
        out.push(*line);
    }
    Ok(out)
}

/// Returns the pending loads before each line: those of all paths to it.
fn analyze(code: &[Line]) -> Result<Vec<State>> {
    let mut before = vec![State::new(); code.len() + 1];
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (at, line) in code.iter().enumerate() {
            let mut after = before[at].clone();
            if let Line::Inst(inst) = line {
                execute(&inst.encode(Wave::W32)?, &mut after);
            }
            for next in successors(code, at) {
                is_stable &= !join(&mut before[next], &after);
            }
        }
    }
    before.pop();
    Ok(before)
}

/// Adds the loads that are pending on another path. Returns whether there are new ones.
fn join(state: &mut State, other: &State) -> bool {
    let mut has_changed = false;
    for (unit, pending) in other {
        let known = state.entry(*unit).or_insert(Pending { later: u8::MAX, ..*pending });
        has_changed |= pending.later < known.later;
        known.later = known.later.min(pending.later);
    }
    has_changed
}

/// Returns the waits before an instruction: counters, and the value that each may have at most.
fn needed(instr: &Instr, state: &State) -> BTreeMap<Counter, u8> {
    let effects = instr.register_effects(Wave::W32);
    let mut waits = BTreeMap::new();
    for unit in effects.read.iter().chain(effects.written.iter()) {
        if let Some(pending) = state.get(&unit) {
            let most = waits.entry(pending.counter).or_insert(pending.later);
            *most = pending.later.min(*most);
        }
    }
    waits
}

/// Changes the pending loads as an instruction and the waits before it do.
fn execute(instr: &Instr, state: &mut State) {
    for (counter, most) in needed(instr, state) {
        state.retain(|_, pending| pending.counter != counter || pending.later < most);
    }
    for raise in raises(instr) {
        let queue = raise.kind.queue();
        for pending in state.values_mut() {
            if pending.queue.is_some() && pending.queue == queue && pending.counter == raise.counter {
                pending.later = pending.later.saturating_add(raise.least()).min(raise.counter.max() - 1);
            }
        }
        for unit in instr.register_effects(Wave::W32).written.iter() {
            state.insert(unit, Pending { counter: raise.counter, queue, later: 0 });
        }
    }
}

/// Returns the instruction that waits until counters have at most these values.
fn wait(counts: &BTreeMap<Counter, u8>) -> Result<Inst> {
    let waits = counts.iter().fold(Waits::NONE, |waits, (counter, most)| match counter {
        Counter::Vm => waits.vmcnt(*most),
        Counter::Lgkm => waits.lgkmcnt(*most),
        Counter::Exp => waits.expcnt(*most),
        // Stores write no registers, so nothing waits for them.
        Counter::Vs => waits,
    });
    Ok(s_waitcnt(waits).inst()?)
}
