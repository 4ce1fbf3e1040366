//! Traces, breakpoints and counts of a run.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;

use amdgpu_dispatch::CODE_BASE;
use isa_exec::observe::{Observer, Site};
use isa_exec::wave::Wave;
use serde_json::json;

use crate::run::place::Places;
use crate::run::registers::{self, Snapshot};
use crate::run::stats::Counts;

/// The observer of a run: it traces, stops at breakpoints and counts.
pub struct Watch<'p, 'a> {
    pub places: &'a Places<'p>,
    pub is_traced: bool,
    /// The only wave of each work-group to trace.
    pub wave: Option<usize>,
    /// The only lane of vector registers to show.
    pub lane: Option<usize>,
    pub breakpoints: Vec<u64>,
    pub is_counted: bool,
    pub is_json: bool,
    /// How many vector registers the waves have.
    pub vectors: u16,
    /// Where traces go, and the first error of writing there.
    pub out: Mutex<Output>,
    /// The counts of work-groups that have ended.
    pub counts: Mutex<Counts>,
}

/// A destination of text that keeps its first error.
pub struct Output {
    to: Box<dyn Write + Send>,
    pub error: Option<io::Error>,
}

impl Output {
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self { to: Box::new(to), error: None }
    }

    /// Writes a line; whether that and all earlier ones succeeded.
    fn line(&mut self, line: &str) -> bool {
        if self.error.is_none() {
            self.error = writeln!(self.to, "{line}").err();
        }
        self.error.is_none()
    }

    pub fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
    }
}

/// Watches the waves of one work-group.
pub struct Watcher<'p, 'a> {
    watch: &'a Watch<'p, 'a>,
    group: [u32; 3],
    before: Snapshot,
    counts: Counts,
    /// Whether nobody reads the trace any more.
    is_closed: bool,
}

impl<'p, 'a> Watcher<'p, 'a> {
    pub fn new(watch: &'a Watch<'p, 'a>, group: [u32; 3]) -> Self {
        Self { watch, group, before: Snapshot::default(), counts: Counts::default(), is_closed: false }
    }

    /// Adds the counts of the work-group to those of the run.
    pub fn finish(self) {
        if self.watch.is_counted {
            // A thread that panicked has left whole counts behind.
            self.watch.counts.lock().unwrap_or_else(|error| error.into_inner()).merge(&self.counts);
        }
    }

    fn traces(&self, site: &Site) -> bool {
        self.watch.is_traced && self.watch.wave.is_none_or(|wave| wave == site.wave)
    }

    /// Writes the instruction and registers.
    fn write(&mut self, site: &Site, event: &str, values: &[registers::Value32]) {
        let Watch { places, is_json, .. } = self.watch;
        let text = places.text(site.pc).unwrap_or_default();
        let address = site.pc.wrapping_sub(CODE_BASE);
        let (symbol, source) = (places.symbol(site.pc), places.line(site.pc));
        let line = if *is_json {
            let mut line = json!({
                "event": event,
                "work_group": self.group,
                "wave": site.wave,
                "address": address,
                "instruction": text,
                "registers": registers::to_json(values),
            });
            for (key, value) in [("symbol", symbol), ("source", source)] {
                if let Some(value) = value {
                    line[key] = value.into();
                }
            }
            line.to_string()
        } else {
            let [x, y, z] = self.group;
            let mut line = format!("{x},{y},{z} wave {} {address:#x} {text}", site.wave);
            let mut notes = vec![registers::text(values)];
            notes.extend(source);
            notes.retain(|note| !note.is_empty());
            if !notes.is_empty() {
                line.push_str("  ; ");
                line.push_str(&notes.join("  ; "));
            }
            if event == "break" {
                line = format!("breakpoint: {line}");
            }
            line
        };
        let is_written = self.watch.out.lock().unwrap_or_else(|error| error.into_inner()).line(&line);
        self.is_closed |= !is_written;
    }
}

impl Observer for Watcher<'_, '_> {
    fn before(&mut self, site: &Site, wave: &Wave) -> ControlFlow<()> {
        if self.watch.breakpoints.contains(&site.pc) && self.watch.wave.is_none_or(|wave| wave == site.wave) {
            let now = Snapshot::new(wave, self.watch.vectors);
            // All registers that are not zero.
            self.write(site, "break", &now.changes(&Snapshot::default(), self.watch.lane));
            return ControlFlow::Break(());
        }
        if self.is_closed {
            return ControlFlow::Break(());
        }
        if self.watch.is_counted {
            self.counts.count(site.index, site.pc, wave.exec().count_ones());
        }
        if self.traces(site) {
            self.before = Snapshot::new(wave, self.watch.vectors);
        }
        ControlFlow::Continue(())
    }

    fn after(&mut self, site: &Site, wave: &Wave) {
        if self.traces(site) {
            let now = Snapshot::new(wave, self.watch.vectors);
            self.write(site, "instruction", &now.changes(&self.before, self.watch.lane));
        }
    }
}
