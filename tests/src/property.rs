//! Property tests: the same cases in each run, unless the environment asks for more.
//!
//! `PROPERTY_CASES=N` multiplies the number of cases by N and draws them from a random seed, which a failing test prints.
//! `PROPERTY_CASES=N,SEED` repeats such a run.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use proptest::test_runner::{Config, RngSeed};

use crate::sample::Sample;

/// The environment variable.
const VARIABLE: &str = "PROPERTY_CASES";

/// The seed of proptest without the variable.
const SEED: u64 = 2026;

/// The value of the environment variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Request {
    factor: u32,
    seed: u64,
}

/// Returns the configuration of a test of `cases` cases that proptest draws.
///
/// # Panics
/// `PROPERTY_CASES` has another form.
#[must_use]
pub fn config(cases: u32) -> Config {
    let (factor, seed) = request().map_or((1, SEED), |r| (r.factor, r.seed));
    let cases = cases.saturating_mul(factor);
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}

/// Returns the number of cases of a test that draws `cases` cases itself.
///
/// # Panics
/// As [`config`].
#[must_use]
pub fn count(cases: usize) -> usize {
    request().map_or(cases, |r| cases.saturating_mul(r.factor as usize))
}

/// Returns the step with which a test goes through a list of which it tries one in `most` by default, and all with a factor of `most`.
///
/// # Panics
/// As [`config`].
#[must_use]
pub fn stride(most: usize) -> usize {
    most / count(1).clamp(1, most)
}

/// Returns the generator of numbers for a test that draws its cases itself.
///
/// # Panics
/// As [`config`].
#[must_use]
pub fn sample() -> Sample {
    request().map_or_else(Sample::new, |r| Sample::seeded(r.seed))
}

/// Returns what the variable says in this process; `None` if it is not set.
fn request() -> Option<Request> {
    static REQUEST: OnceLock<Option<Request>> = OnceLock::new();
    let request = *REQUEST.get_or_init(|| {
        let value = std::env::var(VARIABLE).ok()?;
        let form = "write a factor, or a factor and a seed: `20` or `20,7`";
        Some(parse(&value).unwrap_or_else(|| panic!("{VARIABLE} is `{value}`; help: {form}")))
    });
    if let Some(Request { factor, seed }) = request {
        // `cargo test` shows this line for a test that fails.
        println!("repeat this run with {VARIABLE}={factor},{seed}");
    }
    request
}

fn parse(value: &str) -> Option<Request> {
    let (factor, seed) = match value.split_once(',') {
        Some((factor, seed)) => (factor, seed.parse().ok()?),
        None => (value, random_seed()),
    };
    Some(Request { factor: factor.parse().ok()?, seed })
}

fn random_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(SEED, |now| now.as_nanos() as u64)
}

#[test]
fn the_variable_has_a_factor_and_perhaps_a_seed() {
    assert_eq!(parse("20,7"), Some(Request { factor: 20, seed: 7 }));
    assert_eq!(parse("3").map(|r| r.factor), Some(3));
    for wrong in ["", "x", "-1", "1,", "1,2,3", "1, 2"] {
        assert_eq!(parse(wrong), None, "{wrong}");
    }
}
