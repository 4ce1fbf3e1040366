//! What the macros say of blocks that cannot be right, what builders say of misuse, and what a newcomer writes.
//!
//! After a change of words: `TRYBUILD=overwrite cargo test -p isa-tests --test ui`, then read the difference.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/macro/*.rs");
    cases.compile_fail("ui/asm/*.rs");
    cases.compile_fail("ui/build/*.rs");
}
