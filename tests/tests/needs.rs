//! A comparison that is left out is told to who runs `cargo test` without options.

use std::process::Command;

use isa_tests::needs::{left_out, llvm_mc, shared_for, summary};

/// Set for the process that runs the test below on its own.
const INNER: &str = "ISA_TESTS_LEFT_OUT";

#[test]
fn leaves_comparisons_out() {
    if std::env::var_os(INNER).is_none() {
        return;
    }
    println!("captured");
    assert_eq!(llvm_mc("one comparison"), None);
    assert_eq!(llvm_mc("one comparison"), None);
    assert_eq!(llvm_mc("a second"), None);
    assert_eq!(shared_for("another", "no/such/file"), None);
    left_out("a third", "of a reason", "do something about it");
    summary();
}

#[test]
fn what_is_left_out_is_shown_though_tests_pass() {
    let this = std::env::current_exe().unwrap();
    let run = Command::new(this)
        .args(["leaves_comparisons_out", "--exact"])
        .env(INNER, "1")
        .env("LLVM_MC", "/no/such/llvm-mc")
        .env_remove("RUST_TEST_NOCAPTURE")
        .output()
        .unwrap();
    assert!(run.status.success());
    assert!(!String::from_utf8_lossy(&run.stdout).contains("captured"));
    let said = String::from_utf8_lossy(&run.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("LEFT OUT: ")).collect();
    assert_eq!(
        lines,
        [
            "LEFT OUT: one comparison: /no/such/llvm-mc cannot be started; `apt-get install llvm-22` has it checked; LLVM_MC=PATH names \
             another",
            "LEFT OUT: another: ../shared/no/such/file does not exist; put ../shared beside the repository to have it checked",
            "LEFT OUT: a third: of a reason; do something about it",
            "LEFT OUT: 1 comparisons (another): ../shared/no/such/file does not exist; put ../shared beside the repository to have it \
             checked",
            "LEFT OUT: 2 comparisons (one comparison, a second): /no/such/llvm-mc cannot be started; `apt-get install llvm-22` has it \
             checked; LLVM_MC=PATH names another",
            "LEFT OUT: 1 comparisons (a third): of a reason; do something about it",
            "LEFT OUT: compile errors, all calls of builders, comparisons with LLVM beyond the golden vectors: `cargo xtask ci` checks \
             them",
        ]
    );
}
