//! A wait that a check leaves out, and how the run does without it.

use core::fmt;

use crate::check::Checker;
use crate::check::facts::COUNTERS;
use crate::check::order::WaveOrder;
use crate::step::{Checked, Step};

/// A wait that the check leaves out. What it would have proved is counted by what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Omitted {
    /// The address.
    pub pc: u64,
    /// How often it was executed.
    pub executed: u64,
    /// How often all that it waits for was known to be done.
    pub idle: u64,
    /// Loads and atomics whose results it would have proved.
    pub results: Fates,
    /// Work whose completion it would have proved to other waves.
    pub accesses: Fates,
}

/// What became of work that the wait would have proved to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fates {
    /// A later wait proved it before anything depended on it.
    pub later: u64,
    /// The wave ended before anything depended on it.
    pub ended: u64,
    /// The wave went on to a barrier, or to a store or an atomic that other waves may see. Where they rely on it, there is a race.
    pub passed: u64,
}

impl fmt::Display for Omitted {
    /// Writes how a run without findings does without the wait.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Omitted { executed, idle, results, accesses, .. } = self;
        if *executed == 0 {
            return f.write_str("the run does not execute it");
        }
        if idle == executed {
            return f.write_str("all that it waits for was proved done before");
        }
        let reasons = [
            (results.later, "later waits prove the results before they are used"),
            (results.ended, "waves end without using the results"),
            (accesses.later, "later waits prove the accesses before a barrier or a store"),
            (accesses.passed, "no other wave relies on the accesses"),
            (accesses.ended, "waves end after the accesses"),
        ];
        let held = reasons.iter().filter(|(count, _)| *count != 0);
        for (n, (_, text)) in held.enumerate() {
            f.write_str(if n == 0 { "" } else { "; " })?;
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Checker {
    /// Executes the instruction at an address as if it waited for nothing, and counts what that changes.
    #[must_use]
    pub fn without_wait(self, pc: u64) -> Self {
        Checker { omitted: Some(Omitted { pc, ..Omitted::default() }), ..self }
    }

    /// The wait that is left out. Call it after the last work-group has ended.
    #[must_use]
    pub const fn omitted(&self) -> Option<Omitted> {
        self.omitted
    }

    /// Whether the current instruction is the wait that is left out.
    #[inline]
    pub(super) fn is_omitted(&self) -> bool {
        self.omitted.is_some_and(|omitted| omitted.pc == self.pc)
    }

    /// Marks what the wait would have proved.
    #[cold]
    pub(super) fn omit(&mut self, waits: &[Option<u8>; COUNTERS]) {
        let Some(state) = self.current.waves.get_mut(self.wave) else { return };
        let proves = [state.flight.omit(waits), state.order.omit(waits)];
        if let Some(omitted) = &mut self.omitted {
            omitted.executed += 1;
            omitted.idle += u64::from(proves == [false; 2]);
        }
    }

    /// Counts work that a later wait has proved: that of the instruction that ends the wave proves it all.
    #[cold]
    pub(super) fn proved_later(&mut self, checked: &Checked) {
        let (Some(omitted), Some(state)) = (&mut self.omitted, self.current.waves.get_mut(self.wave)) else { return };
        let (results, accesses) = (state.flight.take_proved(), state.order.take(WaveOrder::is_complete));
        let ends = checked.steps.iter().any(|step| matches!(step, Step::End { .. }));
        let fate = |fates: &mut Fates, count| *(if ends { &mut fates.ended } else { &mut fates.later }) += count;
        fate(&mut omitted.results, results);
        fate(&mut omitted.accesses, accesses);
    }

    /// Counts work after which a wave goes on to what other waves may see.
    #[cold]
    pub(super) fn passed(&mut self, wave: usize) {
        let (Some(omitted), Some(state)) = (&mut self.omitted, self.current.waves.get_mut(wave)) else { return };
        omitted.accesses.passed += state.order.take(|_, _| true);
    }

    /// Counts work of waves that end.
    pub(super) fn end_omitted(&mut self) {
        let Some(omitted) = &mut self.omitted else { return };
        for state in &mut self.current.waves {
            omitted.results.ended += state.flight.count_omitted();
            omitted.accesses.ended += state.order.take(|_, _| true);
        }
    }
}
