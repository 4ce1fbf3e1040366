//! Work on parts of something, on as many threads as there are processors, whose results are taken in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Makes something of each part with `make`, and hands what comes of them to `take` in the order of the parts, until it
/// refuses one. Several parts are made at once, and one is taken at a time.
///
/// Each thread has a room of its own to make its parts in, and begins with the next one when its last one is taken: so
/// no more wait than one of each thread.
pub fn in_turn<P: Sync, W, R, E: Send>(
    parts: &[P],
    room: impl Fn() -> W + Sync,
    make: impl Fn(&P, &mut W) -> R + Sync,
    take: impl FnMut(R, &mut W) -> Result<(), E> + Send,
) -> Result<(), E> {
    let processors = if parts.len() < 2 { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    let threads = processors.min(parts.len()).max(1);
    let turns = Turns {
        begun: AtomicUsize::new(0),
        taking: Mutex::new(Taking { take, turn: 0, waiting: 0, over: false, outcome: Ok(()) }),
        comes: (0..threads).map(|_| Condvar::new()).collect(),
    };
    let work = || {
        let mut room = room();
        while let Some((nth, part)) = turns.begin(parts) {
            let made = make(part, &mut room);
            let Some(mut taking) = turns.await_turn(nth) else { return };
            if let Err(error) = (taking.take)(made, &mut room) {
                taking.outcome = Err(error);
                drop(taking);
                return turns.end();
            }
            taking.turn += 1;
            let anyone = taking.waiting > 0;
            drop(taking);
            if anyone {
                turns.come(nth + 1).notify_one();
            }
        }
    };
    // A thread that panics leaves a turn that does not come: the others shall not wait for it.
    let work = || {
        let _end = EndOfPanic(&|| turns.end());
        work();
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where there is no room for another thread, those that are there do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    turns.taking.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// Whose turn it is.
struct Turns<F, E> {
    /// How many parts are begun.
    begun: AtomicUsize,
    taking: Mutex<Taking<F, E>>,
    /// Told when the turn comes of a part with this remainder: of parts that wait at once, no two have the same.
    comes: Vec<Condvar>,
}

/// What one thread has at a time.
struct Taking<F, E> {
    take: F,
    /// The part that is taken next.
    turn: usize,
    /// How many wait for their turn.
    waiting: usize,
    /// Whether no part is taken any more.
    over: bool,
    outcome: Result<(), E>,
}

impl<F, E> Turns<F, E> {
    /// The next part that nobody has begun.
    fn begin<'a, P>(&self, parts: &'a [P]) -> Option<(usize, &'a P)> {
        let nth = self.begun.fetch_add(1, Ordering::Relaxed);
        parts.get(nth).map(|part| (nth, part))
    }

    fn come(&self, nth: usize) -> &Condvar {
        &self.comes[nth % self.comes.len()]
    }

    /// Waits until this part may be taken; `None` if it never will.
    fn await_turn(&self, nth: usize) -> Option<MutexGuard<'_, Taking<F, E>>> {
        let mut taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        taking.waiting += 1;
        let waits = |taking: &mut Taking<F, E>| taking.turn != nth && !taking.over;
        let mut taking = self.come(nth).wait_while(taking, waits).unwrap_or_else(PoisonError::into_inner);
        taking.waiting -= 1;
        (!taking.over).then_some(taking)
    }

    /// Nothing more is taken.
    fn end(&self) {
        self.taking.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.comes.iter().for_each(Condvar::notify_all);
    }
}

/// Calls a function when a panic passes.
struct EndOfPanic<'a>(&'a dyn Fn());

impl Drop for EndOfPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_until_one_is_refused() {
        let parts: Vec<usize> = (0..300).collect();
        for last in [0, 1, 150, 299, 1000] {
            let mut taken = Vec::new();
            let outcome = in_turn(
                &parts,
                Vec::new,
                |&part, room: &mut Vec<usize>| {
                    // Some take longer than others.
                    room.resize(part % 7 * 10_000, part);
                    2 * part
                },
                |made, _| {
                    taken.push(made);
                    if made == 2 * last { Err(last) } else { Ok(()) }
                },
            );
            let count = parts.len().min(last + 1);
            assert_eq!(outcome, if last < parts.len() { Err(last) } else { Ok(()) });
            assert!(taken.iter().copied().eq((0..count).map(|part| 2 * part)), "{taken:?}");
        }
        assert_eq!(in_turn(&[(); 0], || (), |(), ()| (), |(), ()| Err(())), Ok(()));
    }

    #[test]
    fn a_panic_ends_the_work() {
        let parts: Vec<usize> = (0..50).collect();
        let work = || in_turn(&parts, || (), |&part, ()| assert!(part != 20), |(), ()| Ok::<(), ()>(()));
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
