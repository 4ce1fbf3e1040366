//! Runs the steps of CI, several at a time: each one in a process that has its output to itself.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::Step;

/// How a step ended.
pub enum StepOutcome {
    Passed,
    Failed(String),
    LeftOut(String),
}

/// A step that has ended, and its time by the clock.
pub struct Report {
    pub name: &'static str,
    pub time: Duration,
    pub outcome: StepOutcome,
}

/// The steps that have not begun, those that run, and the reports of those that have ended.
#[derive(Default)]
struct Progress {
    waiting: Vec<&'static Step>,
    running: Vec<&'static Step>,
    reports: Vec<Report>,
}

impl Progress {
    /// Takes the first step that may begin. An exclusive step begins when no step runs, and no later step overtakes it.
    fn next(&mut self) -> Option<&'static Step> {
        let unfinished = |name: &str| self.running.iter().chain(&self.waiting).any(|step| step.name == name);
        let first_exclusive = self.waiting.iter().position(|step| step.exclusive).unwrap_or(self.waiting.len());
        let ready = match self.waiting.first() {
            Some(step) if step.exclusive => self.running.is_empty().then_some(0),
            _ => self.waiting[..first_exclusive].iter().position(|step| !step.after.is_some_and(unfinished)),
        };
        let step = self.waiting.remove(ready?);
        self.running.push(step);
        Some(step)
    }

    /// Whether an exclusive step runs.
    fn is_exclusive(&self) -> bool {
        self.running.iter().any(|step| step.exclusive)
    }
}

/// Runs `steps`, at most `jobs` at a time, and returns their reports in the order of `steps`. A step that fails does not keep the
/// others from running. The output of a step is printed when the step ends.
///
/// # Errors
/// The path of this program is not known.
pub fn run(steps: &[&'static Step], left_out: impl Fn(&Step) -> Option<String>, jobs: usize) -> Result<Vec<Report>> {
    // Asked for now: after the step "build" has replaced the file, the path would be that of a deleted one.
    let program = env::current_exe()?;
    let mut progress = Progress::default();
    for step in steps {
        match left_out(step) {
            Some(why) => {
                progress.reports.push(Report {
                    name: step.name,
                    time: Duration::ZERO,
                    outcome: StepOutcome::LeftOut(why),
                });
            }
            None => progress.waiting.push(step),
        }
    }
    let (progress, ended) = (Mutex::new(progress), Condvar::new());
    let work = || {
        let mut state = progress.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.waiting.is_empty() {
                return;
            }
            let next = if state.is_exclusive() { None } else { state.next() };
            let Some(step) = next else {
                state = ended.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let begin = Instant::now();
            let outcome = match run_apart(&program, step.name) {
                Ok(()) => StepOutcome::Passed,
                Err(error) => StepOutcome::Failed(format!("{error:#}")),
            };
            state = progress.lock().unwrap_or_else(PoisonError::into_inner);
            state.running.retain(|other| other.name != step.name);
            state.reports.push(Report { name: step.name, time: begin.elapsed(), outcome });
            ended.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(work);
        }
    });
    let mut reports = progress.into_inner().unwrap_or_else(PoisonError::into_inner).reports;
    reports.sort_by_key(|report| steps.iter().position(|step| step.name == report.name));
    Ok(reports)
}

/// Runs a step as `cargo xtask ci --only NAME` and prints its output in one piece.
fn run_apart(program: &Path, name: &str) -> Result<()> {
    let (mut output, writer) = std::io::pipe()?;
    let mut command = Command::new(program);
    command.args(["ci", "--only", name]).stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().context("the step cannot be started")?;
    // The command holds the ends that write, and the text ends when the last one is closed.
    drop(command);
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut output, &mut text)?;
    let status = child.wait()?;
    let text = String::from_utf8_lossy(&text);
    println!("\n==== {name}\n{}", text.trim_end());
    if status.success() {
        return Ok(());
    }
    let error = text.lines().rev().find_map(|line| line.strip_prefix("error: "));
    bail!("{}", error.map_or_else(|| status.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::Need;

    const FIRST: Step = Step::new("first", Need::Nothing, || Ok(())).exclusive();
    const LONG: Step = Step::new("long", Need::Nothing, || Ok(()));
    const LATER: Step = Step::new("later", Need::Nothing, || Ok(())).after("long");
    const OTHER: Step = Step::new("other", Need::Nothing, || Ok(()));

    fn names(progress: &mut Progress) -> Vec<&'static str> {
        std::iter::from_fn(|| progress.next().map(|step| step.name)).collect()
    }

    #[test]
    fn steps_begin_after_those_that_they_need() {
        let waiting = vec![&LONG, &LATER, &OTHER];
        let mut progress = Progress { waiting, ..Progress::default() };
        assert_eq!(names(&mut progress), ["long", "other"]);
        progress.running.retain(|step| step.name != "long");
        assert_eq!(names(&mut progress), ["later"]);
    }

    #[test]
    fn an_exclusive_step_waits_for_all_before_it_and_holds_back_those_behind_it() {
        let waiting = vec![&LONG, &FIRST, &OTHER];
        let mut progress = Progress { waiting, ..Progress::default() };
        assert_eq!(names(&mut progress), ["long"]);
        progress.running.clear();
        assert_eq!(progress.next().map(|step| step.name), Some("first"));
        assert!(progress.is_exclusive());
    }
}
