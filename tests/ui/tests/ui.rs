//! The errors of the macros for invalid blocks, of `asm!` and of builders for misuse.
//!
//! Blocks that compile are in `pass`, each a separate test (`Cargo.toml`): with a case that passes, trybuild compiles the cases
//! one after the other instead of all in one run of cargo.
//!
//! After a change of messages: `TRYBUILD=overwrite cargo test -p isa-ui-tests --test ui -- --ignored`, then read the difference.

#[test]
#[ignore = "compiles for a minute: `cargo test -p isa-ui-tests --test ui -- --ignored`"]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("macro/*.rs");
    cases.compile_fail("asm/*.rs");
    cases.compile_fail("build/*.rs");
}
