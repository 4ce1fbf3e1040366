//! Work on parts of something, on as many threads as there are processors, whose results are taken in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// Results of each thread that may wait for their turn before it makes no more.
const WAITING: usize = 3;

/// Makes something of each part with `make`, and hands what comes of them to `take` in the order of the parts, until it
/// refuses one. Several parts are made at once, and one is taken at a time, by whichever thread finds that its turn has come.
///
/// Each part is made in a room of its own, which `take` gets with what came of it and which is used again afterwards.
pub fn in_turn<P: Sync, W: Send, R: Send, E: Send>(
    parts: &[P],
    room: impl Fn() -> W + Sync,
    make: impl Fn(&P, &mut W) -> R + Sync,
    take: impl FnMut(R, &mut W) -> Result<(), E> + Send,
) -> Result<(), E> {
    let state = State {
        begun: 0,
        made: VecDeque::new(),
        waiting: 0,
        idle: 0,
        threads: 0,
        rooms: Vec::new(),
        take: Some(take),
        over: false,
        outcome: Ok(()),
    };
    let turns = Turns { state: Mutex::new(state), fewer: Condvar::new() };
    let work = || {
        // A thread that panics leaves a turn that does not come: the others shall not wait for it.
        let _end = EndOfPanic(&|| turns.end());
        turns.lock().threads += 1;
        while let Some((nth, spare)) = turns.begin(parts.len()) {
            let Some(part) = parts.get(nth) else { return };
            let mut room = spare.unwrap_or_else(&room);
            let made = make(part, &mut room);
            turns.made(nth, made, room);
        }
    };
    thread::scope(|scope| {
        if parts.len() > 1 {
            // How many processors there are takes a while to find out, in which this thread has begun.
            spawn(scope, || {
                let processors = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
                for _ in 2..processors {
                    spawn(scope, work);
                }
                if processors > 1 {
                    work();
                }
            });
        }
        work();
    });
    turns.state.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// Starts a thread. Where there is no room for another one, those that are there do the work.
fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) {
    let _ = thread::Builder::new().spawn_scoped(scope, work);
}

/// Whose turn it is.
struct Turns<W, R, F, E> {
    state: Mutex<State<W, R, F, E>>,
    /// Told when fewer results wait, or when all is over.
    fewer: Condvar,
}

struct State<W, R, F, E> {
    /// How many parts are begun.
    begun: usize,
    /// What came of the parts from the next one on that is taken: those that are done.
    made: VecDeque<Option<(R, W)>>,
    /// How many of them are done.
    waiting: usize,
    /// How many threads wait for fewer of them.
    idle: usize,
    threads: usize,
    /// Rooms that are free.
    rooms: Vec<W>,
    /// Whoever has this takes results.
    take: Option<F>,
    /// Whether no part is begun or taken any more.
    over: bool,
    outcome: Result<(), E>,
}

impl<W, R, E, F: FnMut(R, &mut W) -> Result<(), E>> Turns<W, R, F, E> {
    fn lock(&self) -> MutexGuard<'_, State<W, R, F, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next of so many parts that nobody has begun, once not too many results wait, and a room if one is free.
    fn begin(&self, parts: usize) -> Option<(usize, Option<W>)> {
        let many = |state: &mut State<W, R, F, E>| state.waiting >= WAITING * state.threads && !state.over;
        let mut state = self.lock();
        state.idle += 1;
        let mut state = self.fewer.wait_while(state, many).unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        if state.over || state.begun >= parts {
            return None;
        }
        state.begun += 1;
        state.made.push_back(None);
        Some((state.begun - 1, state.rooms.pop()))
    }

    /// Leaves what came of a part to be taken, and takes all whose turn has come, unless another thread does.
    fn made(&self, nth: usize, made: R, room: W) {
        let mut state = self.lock();
        let taken = state.begun - state.made.len();
        state.waiting += 1;
        if let Some(place) = state.made.get_mut(nth - taken) {
            *place = Some((made, room));
        }
        if state.over {
            return;
        }
        let Some(mut take) = state.take.take() else { return };
        while let Some((made, mut room)) = state.made.pop_front_if(|next| next.is_some()).flatten() {
            state.waiting -= 1;
            let anyone = state.idle > 0;
            drop(state);
            if anyone {
                self.fewer.notify_one();
            }
            let outcome = take(made, &mut room);
            state = self.lock();
            state.rooms.push(room);
            if outcome.is_err() {
                state.outcome = outcome;
                drop(state);
                return self.end();
            }
        }
        state.take = Some(take);
    }

    /// Nothing more is begun or taken.
    fn end(&self) {
        self.lock().over = true;
        self.fewer.notify_all();
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_until_one_is_refused() {
        let parts: Vec<usize> = (0..300).collect();
        for last in [0, 1, 150, 299, 1000] {
            let mut taken = Vec::new();
            let rooms = AtomicUsize::new(0);
            let outcome = in_turn(
                &parts,
                || {
                    rooms.fetch_add(1, Ordering::Relaxed);
                    Vec::new()
                },
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
            // Each thread is in one, one is taken, and the others wait.
            let threads = thread::available_parallelism().map_or(1, usize::from);
            assert!(rooms.into_inner() <= threads * (WAITING + 2), "{last}");
        }
        assert_eq!(in_turn(&[(); 0], || (), |(), ()| (), |(), ()| Err(())), Ok(()));
    }

    #[test]
    fn what_is_slow_is_waited_for() {
        let parts: Vec<u64> = (0..40).collect();
        for slow in 0..4 {
            let mut taken = Vec::new();
            let pause = |now: bool| std::thread::sleep(std::time::Duration::from_millis(u64::from(now) * 5));
            let Ok(()) = in_turn(
                &parts,
                || (),
                |&part, ()| {
                    pause(part % 20 == slow);
                    part
                },
                |made, ()| {
                    pause(made % 20 == slow + 2);
                    taken.push(made);
                    Ok::<_, std::convert::Infallible>(())
                },
            );
            assert_eq!(taken, parts);
        }
    }

    #[test]
    fn a_panic_ends_the_work() {
        let parts: Vec<usize> = (0..50).collect();
        let work = || in_turn(&parts, || (), |&part, ()| assert!(part != 20), |(), ()| Ok::<(), ()>(()));
        assert!(std::panic::catch_unwind(work).is_err());
        let refuse = |part: usize, (): &mut ()| {
            assert!(part != 20);
            Ok::<(), ()>(())
        };
        let take = || in_turn(&parts, || (), |&part, ()| part, refuse);
        assert!(std::panic::catch_unwind(take).is_err());
    }
}
