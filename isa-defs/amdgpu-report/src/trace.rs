//! Traces, breakpoints and counts of a run.

mod registers;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use amdgpu_dispatch::{CODE_BASE, Host};
use isa_exec::observe::{Observer, Site};
use isa_exec::wave::Wave;
use serde_json::json;

use crate::places::Places;
use crate::statistics::InstructionTally;
use registers::Snapshot;

/// What a trace shows, and in which form.
#[derive(Debug, Clone, Default)]
pub struct TraceOptions {
    /// Whether each instruction is written, with the registers that it changes.
    pub is_traced: bool,
    /// The only wave of each work-group to trace or to stop in; `None` for all.
    pub wave: Option<usize>,
    /// The only lane of vector registers to show; `None` for all.
    pub lane: Option<usize>,
    /// The addresses of instructions to stop before.
    pub breakpoints: Vec<u64>,
    /// Whether executed instructions are counted, for [`RunStatistics`](crate::RunStatistics).
    pub is_counted: bool,
    /// Whether the trace is lines of JSON.
    pub is_json: bool,
}

/// The trace of a run: what its observers write and count.
pub struct Trace<'p, 'a> {
    places: &'a Places<'p>,
    options: TraceOptions,
    /// How many vector registers the waves have.
    vectors: u16,
    /// Where traces go, and the first error of writing there.
    out: Mutex<TraceOutput>,
    /// The counts of work-groups that have ended.
    tally: Mutex<InstructionTally>,
}

impl<'p, 'a> Trace<'p, 'a> {
    /// Creates the trace of a kernel whose waves have this number of vector registers.
    pub fn new(places: &'a Places<'p>, options: TraceOptions, vectors: u16, out: impl Write + Send + 'static) -> Self {
        Self { places, options, vectors, out: Mutex::new(TraceOutput::new(out)), tally: Mutex::default() }
    }

    /// Returns the observer of a work-group. [`TraceObserver::finish`] ends it.
    #[must_use]
    pub fn observer(&'a self, group: [u32; 3]) -> TraceObserver<'p, 'a> {
        TraceObserver {
            trace: self,
            group,
            before: Snapshot::default(),
            tally: InstructionTally::default(),
            is_closed: false,
        }
    }

    /// Ends the trace, and returns the counts.
    ///
    /// # Errors
    /// The destination did not take the text.
    pub fn finish(self) -> io::Result<InstructionTally> {
        self.out.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
        Ok(self.tally.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Traces each work-group of a run, and does nothing else. A host with more to do calls [`Trace::observer`] and [`TraceObserver::finish`].
impl<'p, 'a> Host for &'a Trace<'p, 'a> {
    type Observer = TraceObserver<'p, 'a>;

    fn observer(&self, group: [u32; 3]) -> Self::Observer {
        Trace::observer(self, group)
    }

    fn ended(&self, _group: [u32; 3], observer: Self::Observer) {
        observer.finish();
    }
}

/// A destination of text that keeps its first error.
struct TraceOutput {
    to: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl TraceOutput {
    fn new(to: impl Write + Send + 'static) -> Self {
        Self { to: Box::new(to), error: None }
    }

    /// Writes a line; whether that and all earlier ones succeeded.
    fn line(&mut self, line: &str) -> bool {
        if self.error.is_none() {
            self.error = writeln!(self.to, "{line}").err();
        }
        self.error.is_none()
    }

    fn finish(mut self) -> io::Result<()> {
        match self.error {
            Some(error) => Err(error),
            None => self.to.flush(),
        }
    }
}

/// Observes the waves of one work-group: it traces, stops at breakpoints and counts.
pub struct TraceObserver<'p, 'a> {
    trace: &'a Trace<'p, 'a>,
    group: [u32; 3],
    before: Snapshot,
    tally: InstructionTally,
    /// Whether nobody reads the trace any more.
    is_closed: bool,
}

impl TraceObserver<'_, '_> {
    /// Adds the counts of the work-group to those of the run.
    pub fn finish(self) {
        if self.trace.options.is_counted {
            // A thread that panicked has left whole counts behind.
            self.trace.tally.lock().unwrap_or_else(PoisonError::into_inner).merge(&self.tally);
        }
    }

    fn traces(&self, site: &Site) -> bool {
        self.trace.options.is_traced && self.trace.options.wave.is_none_or(|wave| wave == site.wave)
    }

    /// Writes the instruction and registers.
    fn write(&mut self, site: &Site, event: &str, values: &[registers::Value32]) {
        let Trace { places, options, .. } = self.trace;
        let text = places.text(site.pc).unwrap_or_default();
        let address = site.pc.wrapping_sub(CODE_BASE);
        let (symbol, source) = (places.symbol(site.pc), places.line(site.pc));
        let line = if options.is_json {
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
        let is_written = self.trace.out.lock().unwrap_or_else(PoisonError::into_inner).line(&line);
        self.is_closed |= !is_written;
    }
}

impl Observer for TraceObserver<'_, '_> {
    fn before(&mut self, site: &Site, wave: &Wave) -> ControlFlow<()> {
        if self.trace.options.breakpoints.contains(&site.pc)
            && self.trace.options.wave.is_none_or(|wave| wave == site.wave)
        {
            let now = Snapshot::new(wave, self.trace.vectors);
            // All registers that are not zero.
            self.write(site, "break", &now.changes(&Snapshot::default(), self.trace.options.lane));
            return ControlFlow::Break(());
        }
        if self.is_closed {
            return ControlFlow::Break(());
        }
        if self.trace.options.is_counted {
            self.tally.count(site.index, site.pc, wave.exec().count_ones());
        }
        if self.traces(site) {
            self.before = Snapshot::new(wave, self.trace.vectors);
        }
        ControlFlow::Continue(())
    }

    fn after(&mut self, site: &Site, wave: &Wave) {
        if self.traces(site) {
            let now = Snapshot::new(wave, self.trace.vectors);
            self.write(site, "instruction", &now.changes(&self.before, self.trace.options.lane));
        }
    }
}
