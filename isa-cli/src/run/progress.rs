//! The progress of a run on standard error: a bar on a terminal, and elsewhere a line now and then; and what kernels print.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use amdgpu_dispatch::{Host, Printed, Status};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::print::Printer;

/// A run that is shorter shows no bar.
const LONG: Duration = Duration::from_secs(1);

/// The time after which a run writes its first line; each further line comes after twice the time of the one before.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// How a status is described.
type Describe<'a> = Box<dyn Fn(&Status) -> String + Send + Sync + 'a>;

/// Counts the work-groups that have ended, and knows where the others are.
pub struct Progress<'a> {
    bar: ProgressBar,
    describe: Describe<'a>,
    due: Arc<Due>,
    groups: u64,
    start: Instant,
    printer: Printer,
    /// Shows the bar or asks for lines, and ends when the sender is dropped.
    shows: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How many lines are due.
#[derive(Default)]
struct Due {
    lines: AtomicU64,
    /// How many were written.
    written: Mutex<u64>,
}

impl<'a> Progress<'a> {
    /// The progress of a number of work-groups; a hidden one shows nothing.
    pub fn new(groups: u64, is_hidden: bool, describe: impl Fn(&Status) -> String + Send + Sync + 'a) -> Self {
        let bar = ProgressBar::with_draw_target(Some(groups), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} work-groups, {elapsed}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let due = Arc::new(Due::default());
        let shows = (!is_hidden).then(|| {
            let (sender, receiver) = mpsc::channel();
            let (shown, due) = (bar.clone(), Arc::clone(&due));
            let thread = thread::spawn(move || {
                let is_over = |time| receiver.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
                if io::stderr().is_terminal() {
                    if !is_over(LONG) {
                        shown.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
                        shown.enable_steady_tick(LONG);
                    }
                    return;
                }
                let mut time = FIRST_LINE;
                while !is_over(time) {
                    due.lines.fetch_add(1, Ordering::Relaxed);
                    time = time.saturating_mul(2);
                }
            });
            (sender, thread)
        });
        let printer = Printer::default();
        Self { bar, describe: Box::new(describe), due, groups, start: Instant::now(), printer, shows }
    }

    /// Writes a line about a work-group that has been set aside, if one is due.
    fn report(&self, status: &Status) {
        let mut written = self.due.written.lock().unwrap_or_else(PoisonError::into_inner);
        let due = self.due.lines.load(Ordering::Relaxed);
        if *written >= due {
            return;
        }
        *written = due;
        let Status { group: [x, y, z], wave, instructions, .. } = status;
        // Nobody has to read it.
        let _ = writeln!(
            io::stderr().lock(),
            "note: running for {} s, {} of {} work-groups have ended; work-group {x},{y},{z} has executed {instructions} \
             instructions, its wave {wave} is before {}",
            self.start.elapsed().as_secs(),
            self.bar.position(),
            self.groups,
            (self.describe)(status),
        );
    }

    /// Removes the bar.
    ///
    /// # Errors
    /// What a kernel has printed could not be written.
    pub fn finish(self) -> io::Result<()> {
        if let Some((sender, thread)) = self.shows {
            drop(sender);
            // The bar is removed whether or not its thread has panicked.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
        self.printer.finish()
    }
}

impl Host for Progress<'_> {
    type Observer = ();

    fn observer(&self, _group: [u32; 3]) {}

    fn print(&self, _group: [u32; 3], printed: &[Printed]) {
        self.bar.suspend(|| self.printer.print(printed));
    }

    fn suspended(&self, status: &Status) {
        if self.due.lines.load(Ordering::Relaxed) > 0 {
            self.report(status);
        }
    }

    fn ended(&self, _group: [u32; 3], (): ()) {
        self.bar.inc(1);
    }
}
