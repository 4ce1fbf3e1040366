#![doc = include_str!("../README.md")]

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// The number of results for each thread that may wait to be consumed. With more of them no further part is begun.
const MAX_WAITING: usize = 3;

/// Calls `make` with each part, on several threads at once, and `take` with each result, in the order of the parts, until
/// `take` returns an error. One thread at a time calls `take`: the one that has made the next result.
///
/// Each call of `make` has its own buffer, which `take` gets together with the result. Buffers are used again.
///
/// # Errors
/// The first error of `take`.
pub fn ordered_map<P: Sync, W: Send, R: Send, E: Send>(
    parts: &[P],
    new_buffer: impl Fn() -> W + Sync,
    make: impl Fn(&P, &mut W) -> R + Sync,
    take: impl FnMut(R, &mut W) -> Result<(), E> + Send,
) -> Result<(), E> {
    let state = State {
        begun: 0,
        made: VecDeque::new(),
        waiting: 0,
        idle: 0,
        threads: 0,
        buffers: Vec::new(),
        take: Some(take),
        over: false,
        outcome: Ok(()),
    };
    let queue = Queue { state: Mutex::new(state), fewer: Condvar::new() };
    let work = || {
        // The others would wait forever for the result of a thread that panics.
        let _end = EndOfPanic(&|| queue.end());
        queue.lock().threads += 1;
        while let Some((nth, spare)) = queue.begin(parts.len()) {
            let Some(part) = parts.get(nth) else { return };
            let mut buffer = spare.unwrap_or_else(&new_buffer);
            let made = make(part, &mut buffer);
            queue.made(nth, made, buffer);
        }
    };
    thread::scope(|scope| {
        if parts.len() > 1 {
            // Another thread counts the processors, which takes a while; this one begins at once.
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
    queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// Starts a thread. If the system refuses another one, the running threads do the work.
fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) {
    let _ = thread::Builder::new().spawn_scoped(scope, work);
}

/// The parts and their results, shared by the threads.
struct Queue<W, R, F, E> {
    state: Mutex<State<W, R, F, E>>,
    /// Notified when fewer results wait, and at the end.
    fewer: Condvar,
}

struct State<W, R, F, E> {
    /// The number of parts that have been begun.
    begun: usize,
    /// The results of the parts that have been begun and not taken; `None` if a part is not done.
    made: VecDeque<Option<(R, W)>>,
    /// The number of results in `made`.
    waiting: usize,
    /// The number of threads that wait for fewer results.
    idle: usize,
    threads: usize,
    /// The unused buffers.
    buffers: Vec<W>,
    /// The consumer; `None` while a thread calls it.
    take: Option<F>,
    /// Whether the work has ended: no more part is begun or taken.
    over: bool,
    outcome: Result<(), E>,
}

impl<W, R, E, F: FnMut(R, &mut W) -> Result<(), E>> Queue<W, R, F, E> {
    fn lock(&self) -> MutexGuard<'_, State<W, R, F, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the next of `parts` parts, once few enough results wait. Returns its index, and an unused buffer if there is one.
    fn begin(&self, parts: usize) -> Option<(usize, Option<W>)> {
        let many = |state: &mut State<W, R, F, E>| state.waiting >= MAX_WAITING * state.threads && !state.over;
        let mut state = self.lock();
        state.idle += 1;
        let mut state = self.fewer.wait_while(state, many).unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        if state.over || state.begun >= parts {
            return None;
        }
        state.begun += 1;
        state.made.push_back(None);
        Some((state.begun - 1, state.buffers.pop()))
    }

    /// Stores the result of part `nth`, and consumes the next results unless another thread does.
    fn made(&self, nth: usize, made: R, buffer: W) {
        let mut state = self.lock();
        let taken = state.begun - state.made.len();
        state.waiting += 1;
        if let Some(place) = state.made.get_mut(nth - taken) {
            *place = Some((made, buffer));
        }
        if state.over {
            return;
        }
        let Some(mut take) = state.take.take() else { return };
        while let Some((made, mut buffer)) = state.made.pop_front_if(|next| next.is_some()).flatten() {
            state.waiting -= 1;
            let anyone = state.idle > 0;
            drop(state);
            if anyone {
                self.fewer.notify_one();
            }
            let outcome = take(made, &mut buffer);
            state = self.lock();
            state.buffers.push(buffer);
            if outcome.is_err() {
                state.outcome = outcome;
                drop(state);
                return self.end();
            }
        }
        state.take = Some(take);
    }

    /// Ends the work.
    fn end(&self) {
        self.lock().over = true;
        self.fewer.notify_all();
    }
}

/// Calls a function when it is dropped by a panic.
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
            let buffers = AtomicUsize::new(0);
            let outcome = ordered_map(
                &parts,
                || {
                    buffers.fetch_add(1, Ordering::Relaxed);
                    Vec::new()
                },
                |&part, buffer: &mut Vec<usize>| {
                    // Some take longer than others.
                    buffer.resize(part % 7 * 10_000, part);
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
            // Each thread fills a buffer, one is consumed, and the others wait.
            let threads = thread::available_parallelism().map_or(1, usize::from);
            assert!(buffers.into_inner() <= threads * (MAX_WAITING + 2), "{last}");
        }
        assert_eq!(ordered_map(&[(); 0], || (), |(), ()| (), |(), ()| Err(())), Ok(()));
    }

    #[test]
    fn slow_parts_are_waited_for() {
        let parts: Vec<u64> = (0..40).collect();
        for slow in 0..4 {
            let mut taken = Vec::new();
            let pause = |now: bool| std::thread::sleep(std::time::Duration::from_millis(u64::from(now) * 5));
            let Ok(()) = ordered_map(
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
        let work = || ordered_map(&parts, || (), |&part, ()| assert!(part != 20), |(), ()| Ok::<(), ()>(()));
        assert!(std::panic::catch_unwind(work).is_err());
        let refuse = |part: usize, (): &mut ()| {
            assert!(part != 20);
            Ok::<(), ()>(())
        };
        let take = || ordered_map(&parts, || (), |&part, ()| part, refuse);
        assert!(std::panic::catch_unwind(take).is_err());
    }
}
