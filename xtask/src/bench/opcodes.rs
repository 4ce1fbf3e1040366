//! How long each opcode takes to execute: nanoseconds for 32 lanes on one thread.

mod list;
pub mod record;
mod sample;
mod state;
mod timing;

use std::collections::BTreeSet;

use anyhow::Result;

use self::sample::Sample;
use self::timing::{COPIES, Follower, Loop, Setting};

/// How often each loop is measured; the least time counts.
const ROUNDS: usize = 7;

/// An instruction of the table.
struct Row {
    sample: Sample,
    /// Its loop, or why it cannot be measured.
    body: Result<Loop>,
    follower: Follower,
}

/// A part of the table.
struct Section {
    title: String,
    rows: Vec<Row>,
}

/// Measures and prints: the opcodes of the list, or all.
pub fn run(all: bool, only: &str) -> Result<()> {
    let only = only.to_lowercase();
    let settings = Setting::all();
    let memory = state::memory()?;
    let mut sections = if all { everything() } else { listed()? };
    for section in &mut sections {
        section.rows.retain(|row| row.sample.name.to_lowercase().contains(&only));
    }
    sections.retain(|section| !section.rows.is_empty());
    let mut empty = Follower::ALL.into_iter().map(|follower| Loop::new(None, follower)).collect::<Result<Vec<_>>>()?;
    for body in &mut empty {
        body.calibrate(&settings, &memory)?;
    }
    for row in sections.iter_mut().flat_map(|section| &mut section.rows) {
        row.attempt(|body| body.calibrate(&settings, &memory));
    }
    for _ in 0..ROUNDS {
        for body in &mut empty {
            body.measure(&settings, &memory)?;
        }
        for row in sections.iter_mut().flat_map(|section| &mut section.rows) {
            row.attempt(|body| body.measure(&settings, &memory));
        }
    }
    println!("\nnanoseconds of an instruction for 32 lanes, one thread; the least of {ROUNDS} rounds");
    print(&settings, &sections, &empty);
    Ok(())
}

/// Prints the table, and how many goals are missed.
fn print(settings: &[Setting], sections: &[Section], empty: &[Loop]) {
    let (mut goals, mut missed) = (0, 0);
    let titles: String = settings.iter().map(|setting| format!(" {:>13}", setting.title)).collect();
    for section in sections {
        let width = section.rows.iter().map(|row| row.sample.name.len()).max().unwrap_or(0).max(section.title.len());
        println!("\n{:<width$}{titles} {:>9}", section.title, "goal");
        for row in &section.rows {
            let body = match &row.body {
                Ok(body) => body,
                Err(error) => {
                    println!("{:<width$} not measured: {error:#}", row.sample.name);
                    continue;
                }
            };
            let mut line = format!("{:<width$}", row.sample.name);
            let mut marks = String::new();
            let goal = list::goal(&row.sample.opcode, row.sample.name.contains("dpp"));
            let without = empty[row.follower as usize].nanoseconds();
            for ((setting, time), without) in settings.iter().zip(body.nanoseconds()).zip(without) {
                let time = (time - without) / f64::from(COPIES);
                line += &format!(" {time:>13.1}");
                let Some(goal) = setting.goal(goal) else { continue };
                goals += 1;
                if time > goal {
                    missed += 1;
                    marks += if setting.is_baseline() { "  baseline missed" } else { "  missed" };
                }
            }
            let goal = goal.map_or(String::new(), |goal| format!(" {goal:>9.1}"));
            println!("{line}{goal}{marks}");
        }
    }
    println!("\n{missed} of {goals} goals are missed");
}

impl Row {
    fn new(sample: Sample) -> Self {
        let follower = Follower::of(&sample.instr);
        Row { body: Loop::new(Some(&sample), follower), sample, follower }
    }

    /// Does something with the loop; an error is kept instead of the loop.
    fn attempt(&mut self, action: impl FnOnce(&mut Loop) -> Result<()>) {
        if let Ok(body) = &mut self.body
            && let Err(error) = action(body)
        {
            self.body = Err(error);
        }
    }
}

/// The opcodes of the list, in its order, each once.
fn listed() -> Result<Vec<Section>> {
    let frequent: Vec<&str> = list::FREQUENT.split_whitespace().collect();
    let in_family =
        |name: &str| list::FAMILIES.iter().any(|(_, begins)| begins.iter().any(|begin| name.starts_with(begin)));
    let mut seen = BTreeSet::new();
    // The first format of a name is the shortest encoding.
    let mut samples = sample::all(|name| (frequent.contains(&name) || in_family(name)) && seen.insert(name.to_owned()));
    for (name, line) in list::CHOSEN {
        if let Some(sample) = samples.iter_mut().find(|sample| sample.name == name) {
            *sample = Sample { name: name.into(), ..Sample::parse(line)? };
        }
    }
    let mut sections = Vec::new();
    let mut take = |title: &str, is_wanted: &dyn Fn(&str) -> bool| {
        let (taken, rest) = std::mem::take(&mut samples).into_iter().partition(|sample| is_wanted(&sample.name));
        samples = rest;
        let taken: Vec<Sample> = taken;
        sections.push(Section { title: title.into(), rows: taken.into_iter().map(Row::new).collect() });
    };
    for (title, begins) in list::FAMILIES {
        take(title, &|name| begins.iter().any(|begin| name.starts_with(begin)));
    }
    take("other frequent opcodes", &|_| true);
    let lines: Result<Vec<Row>> = list::LINES.iter().map(|line| Ok(Row::new(Sample::parse(line)?))).collect();
    sections.push(Section { title: "DPP and operands".into(), rows: lines? });
    Ok(sections)
}

/// All opcodes in all formats, a section for each format.
fn everything() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for sample in sample::all(|_| true) {
        match sections.last_mut() {
            Some(section) if section.title == sample.format => section.rows.push(Row::new(sample)),
            _ => sections.push(Section { title: sample.format.into(), rows: vec![Row::new(sample)] }),
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_list_is_an_opcode() {
        let names: BTreeSet<String> = sample::names().collect();
        for name in list::FREQUENT.split_whitespace().chain(list::CHOSEN.iter().map(|(name, _)| *name)) {
            assert!(names.contains(name), "{name}");
        }
        for begin in list::FAMILIES.iter().flat_map(|(_, begins)| *begins) {
            assert!(names.iter().any(|name| name.starts_with(begin)), "{begin}");
        }
    }

    #[test]
    fn a_loop_executes_all_copies_and_nothing_else() {
        let (memory, setting) = (state::memory().unwrap(), Setting::all()[0]);
        let sample = Sample::parse("v_cmpx_lt_i32_e32 v0, v1").unwrap();
        let mut body = Loop::new(Some(&sample), Follower::of(&sample.instr)).unwrap();
        body.run(&setting, &memory, 3).unwrap();
        let mut jump = Loop::new(Some(&Sample::parse("s_branch 2").unwrap()), Follower::Nothing).unwrap();
        assert!(jump.run(&setting, &memory, 3).is_err());
    }
}
