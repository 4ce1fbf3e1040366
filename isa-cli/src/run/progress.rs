//! The progress of a run on standard error: a bar on a terminal, and elsewhere a line now and then; and what kernels print.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

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
    /// Whether a line is due.
    due: Arc<AtomicBool>,
    printer: Printer,
    /// Shows the bar or asks for lines, and ends when the sender is dropped.
    shows: Option<(Sender<()>, JoinHandle<()>)>,
}

impl<'a> Progress<'a> {
    /// The progress of a number of work-groups; a hidden one shows nothing. `printer` gets what kernels print.
    pub fn new(
        groups: u64,
        is_hidden: bool,
        printer: Printer,
        describe: impl Fn(&Status) -> String + Send + Sync + 'a,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(Some(groups), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} work-groups, {elapsed}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let due = Arc::new(AtomicBool::new(false));
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
                    due.store(true, Ordering::Relaxed);
                    time = time.saturating_mul(2);
                }
            });
            (sender, thread)
        });
        Self { bar, describe: Box::new(describe), due, printer, shows }
    }

    /// Writes a line about a work-group that has been set aside.
    fn report(&self, status: &Status) {
        let Status { group: [x, y, z], wave, instructions, .. } = status;
        // Nobody has to read it.
        let _ = writeln!(
            io::stderr().lock(),
            "note: running for {} s, {} of {} work-groups have ended; work-group {x},{y},{z} has executed {instructions} \
             instructions, its wave {wave} is before {}",
            self.bar.elapsed().as_secs(),
            self.bar.position(),
            self.bar.length().unwrap_or(0),
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
        if self.due.swap(false, Ordering::Relaxed) {
            self.report(status);
        }
    }

    fn ended(&self, _group: [u32; 3], (): ()) {
        self.bar.inc(1);
    }
}
