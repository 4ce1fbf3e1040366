//! Waits for memory: an instruction that names a register which a load has yet to write waits for the load's counter.

use std::collections::BTreeMap;

use rdna3::counter::{Counter, Queue, Raise, WaitLimits, raises};
use rdna3::{RegisterEffects, Unit, Wave};

use crate::Result;
use crate::allocate::successors;
use crate::select::Line;

/// A load that has yet to write a register.
#[derive(Clone, Copy)]
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

/// The effects of a line on registers and counters.
#[derive(Default)]
struct Facts {
    registers: RegisterEffects,
    raises: Vec<Raise>,
}

/// Inserts the waits that code with physical registers needs.
///
/// # Errors
/// An instruction has no encoding.
pub fn insert_waits(code: &[Line]) -> Result<Vec<Line>> {
    let facts = code.iter().map(Facts::of).collect::<Result<Vec<Facts>>>()?;
    // The pending loads before each line: those of all paths to it.
    let mut before = vec![State::new(); code.len() + 1];
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (line, facts) in facts.iter().enumerate() {
            let after = facts.execute(before[line].clone());
            for next in successors(code, line) {
                is_stable &= !join(&mut before[next], &after);
            }
        }
    }
    let mut out = Vec::new();
    for ((line, facts), state) in code.iter().zip(&facts).zip(&before) {
        out.extend(facts.needed(state).instructions().map(Line::Inst));
        out.push(*line);
    }
    Ok(out)
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

impl Facts {
    fn of(line: &Line) -> Result<Facts> {
        let Some(inst) = line.inst() else { return Ok(Facts::default()) };
        let instr = inst.encode(Wave::W32)?;
        Ok(Facts { registers: instr.register_effects(Wave::W32), raises: raises(&instr).collect() })
    }

    /// Returns the waits before the line.
    fn needed(&self, state: &State) -> WaitLimits {
        let mut waits = WaitLimits::default();
        let named = self.registers.read.iter().chain(self.registers.written.iter());
        for pending in named.filter_map(|unit| state.get(&unit)) {
            waits.add(pending.counter, pending.later);
        }
        waits
    }

    /// Changes the pending loads as the line and the waits before it do.
    fn execute(&self, mut state: State) -> State {
        let waits = self.needed(&state);
        state.retain(|_, pending| waits.most(pending.counter).is_none_or(|most| pending.later < most));
        for raise in &self.raises {
            let (counter, queue) = (raise.counter, raise.kind.queue());
            for pending in state.values_mut().filter(|p| p.queue.is_some() && p.queue == queue && p.counter == counter)
            {
                pending.later = pending.later.saturating_add(raise.least()).min(counter.max() - 1);
            }
            state.extend(self.registers.written.iter().map(|unit| (unit, Pending { counter, queue, later: 0 })));
        }
        state
    }
}
