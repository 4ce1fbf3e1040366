//! The progress of a run, on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts the work-groups that have ended.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many work-groups; a hidden one shows nothing.
    pub fn new(groups: u64, is_hidden: bool) -> Self {
        // Nothing is drawn where standard error is no terminal.
        let target = if is_hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(4) };
        let bar = ProgressBar::with_draw_target(Some(groups), target);
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} work-groups, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    /// Counts a work-group.
    pub fn advance(&self) {
        self.0.inc(1);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
