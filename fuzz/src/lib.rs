//! What the fuzz targets do with their inputs: functions that panic if a library does, or if its results contradict each other.
//!
//! `fuzz_targets/` calls them from libFuzzer. `tests/tests/text/hostile.rs` calls them with the seeds of `isa_tests::seeds` and changed seeds,
//! so that they compile and run without a nightly compiler too.

mod assembler;
mod files;
mod instructions;
mod launches;
mod texts;

/// A function of an input.
pub type Target = fn(&[u8]);

/// The targets and their names.
pub const TARGETS: [(&str, Target); 10] = [
    ("decode", instructions::decode),
    ("parse", instructions::parse),
    ("program", assembler::program),
    ("elf", files::elf),
    ("bundle", files::bundle),
    ("object", files::object),
    ("launch", launches::launch),
    ("execute", launches::execute),
    ("cases", texts::cases),
    ("names", texts::names),
];

/// Runs the target of a name.
pub fn run(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.expect("a target of this name").1(input);
}
