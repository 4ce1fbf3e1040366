//! The lint over real code: what a compiler has written draws no finding, on no path; with one wait taken out it draws the
//! right one. A sample runs here, `cargo xtask lint` takes out every wait.

use isa_tests::needs::shared_for;
use isa_tests::removal::{Tally, kernels, measure, objects, text_of};
use isa_tests::vectors::example_code;
use rdna3::Wave;
use rdna3::lint::Program;

/// Lints code, takes out each `every`th wait, and gives what became of that.
fn sample(name: &str, code: &[u8], every: usize) -> Tally {
    let mut all = Tally::default();
    for kernel in kernels(code) {
        let mut program = Program::new(&kernel.instrs, Wave::W32, &[]);
        let findings = [program.certain(), program.possible_waits()].concat();
        assert!(findings.is_empty(), "{name}+{:#x}: {}", kernel.offset, findings[0]);
        all.add(measure(&mut program, every, |at, findings| {
            panic!("{name}+{:#x} without the wait at {at}: {findings:?}", kernel.offset);
        }));
    }
    println!("{name}: {all}");
    all
}

#[test]
fn the_example_kernels_need_their_waits() {
    let tally = sample("matmul", &example_code().unwrap(), 1);
    assert_eq!(tally.removed, 20);
    assert_eq!((tally.found, tally.on_some_path), (17, 0), "{tally}");
}

#[test]
fn compiled_kernels_need_their_waits() {
    if shared_for("lint of compiled kernels", "corpus").is_none() {
        return;
    }
    let objects = objects().unwrap();
    assert!(!objects.is_empty());
    let mut all = Tally::default();
    for path in objects {
        let name = path.display().to_string();
        all.add(sample(&name, &text_of(&path).unwrap(), 193));
    }
    println!("all: {all}");
    // Every missing wait is found on at least one path, and no other wait is reported.
    assert!(all.removed > 35, "{all}");
    assert_eq!(all.wrong, 0, "{all}");
    assert!(all.found * 3 > all.removed, "{all}");
}
