//! Threads that are kept between launches.
//!
//! Each launch that runs has its own threads, so that launches from several threads of the caller do not wait for each other. No thread
//! exists before the first launch, and a process that was forked starts new ones.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pools that no launch uses, and the process that has started them.
struct Idle {
    process: u32,
    pools: Vec<Pool>,
}

/// Threads of a launch.
struct Pool {
    threads: ThreadPool,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    fn start() -> Result<Self, String> {
        let mut handles = Vec::new();
        let builder = ThreadPoolBuilder::new().spawn_handler(|worker| {
            handles.push(thread::Builder::new().spawn(|| worker.run())?);
            Ok(())
        });
        let threads = builder.build().map_err(|error| error.to_string())?;
        Ok(Self { threads, handles })
    }

    /// Ends the threads and waits for their end.
    fn end(self) {
        drop(self.threads);
        // The threads of a pool end without a result; rayon passes panics on to the launch.
        self.handles.into_iter().for_each(|handle| drop(handle.join()));
    }
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, pools: Vec::new() });

/// How long the caller waits before it looks after a run.
const WATCH_EVERY: Duration = Duration::from_millis(20);

fn idle() -> MutexGuard<'static, Idle> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes an idle pool, or starts one.
fn take() -> Result<Pool, String> {
    let mut idle = idle();
    let process = std::process::id();
    if idle.process != process {
        // Threads do not survive a fork; to end their pools would wait for them.
        std::mem::take(&mut idle.pools).into_iter().for_each(std::mem::forget);
        idle.process = process;
    }
    match idle.pools.pop() {
        Some(pool) => Ok(pool),
        None => Pool::start(),
    }
}

/// Ends the threads that launches have left, and waits for their end. A launch that runs keeps its threads.
///
/// A program calls it before it unloads the library that holds this code. Later launches start new threads.
pub fn end_idle_threads() {
    let pools = {
        let mut idle = idle();
        let pools = std::mem::take(&mut idle.pools);
        if idle.process != std::process::id() {
            // Their threads did not survive a fork.
            pools.into_iter().for_each(std::mem::forget);
            return;
        }
        pools
    };
    pools.into_iter().for_each(Pool::end);
}

/// Runs a function on threads of a pool. Until it returns, the caller's thread calls `watch` every 20 ms and at a deadline.
///
/// # Errors
/// Threads cannot be started.
pub(crate) fn run_watched<T: Send>(
    run: impl FnOnce() -> T + Send,
    deadline: Option<Instant>,
    mut watch: impl FnMut(),
) -> Result<T, String> {
    let pool = take()?;
    let (state, changed) = (Mutex::new(Run { has_ended: false, result: None }), Condvar::new());
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    pool.threads.in_place_scope(|scope| {
        scope.spawn(|_| {
            // Also if the function panics: the scope passes the panic on.
            let _end = OnDrop(|| {
                lock().has_ended = true;
                changed.notify_all();
            });
            let result = run();
            lock().result = Some(result);
        });
        let mut run = lock();
        while !run.has_ended {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let wait = left.filter(|left| !left.is_zero()).map_or(WATCH_EVERY, |left| left.min(WATCH_EVERY));
            let (guard, waited) = changed.wait_timeout(run, wait).unwrap_or_else(PoisonError::into_inner);
            run = guard;
            if waited.timed_out() && !run.has_ended {
                drop(run);
                watch();
                run = lock();
            }
        }
    });
    let result = lock().result.take();
    idle().pools.push(pool);
    result.ok_or_else(|| "a thread has ended early".into())
}

/// The state of a run.
struct Run<T> {
    has_ended: bool,
    result: Option<T>,
}

/// Calls a function when it is dropped.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
