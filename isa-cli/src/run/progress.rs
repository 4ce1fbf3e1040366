//! The progress of a run, on standard error if that is a terminal.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run that is shorter shows no bar.
const LONG: Duration = Duration::from_secs(1);

/// Counts the work-groups that have ended.
pub struct Progress {
    bar: ProgressBar,
    /// Shows the bar of a long run, and ends when the sender is dropped.
    shows: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// A bar for so many work-groups; a hidden one shows nothing.
    pub fn new(groups: u64, is_hidden: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(groups), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} work-groups, {elapsed}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let shows = (!is_hidden).then(|| {
            let (sender, receiver) = mpsc::channel();
            let shown = bar.clone();
            let thread = thread::spawn(move || {
                if receiver.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                    // Nothing is drawn where standard error is no terminal.
                    shown.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
                    shown.enable_steady_tick(LONG);
                }
            });
            (sender, thread)
        });
        Self { bar, shows }
    }

    /// Counts a work-group that has ended.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Removes the bar.
    pub fn finish(self) {
        if let Some((sender, thread)) = self.shows {
            drop(sender);
            // The bar is removed whether or not its thread has panicked.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
