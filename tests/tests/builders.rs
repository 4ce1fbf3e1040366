//! Typed builders against the parser: a call for golden lines of every mnemonic in each of its encodings.

use rdna3::Wave::{W32, W64};
use rdna3::build::*;
use rdna3::{Instr, Wave};

/// What came of the calls.
#[derive(Default)]
struct Tally {
    calls: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn case(&mut self, wave: Wave, text: &str, built: Result<Instr, BuildError>) {
        self.calls += 1;
        let wanted = Instr::parse(text, wave).unwrap_or_else(|e| panic!("{text}: {e}"));
        match built {
            Ok(instr) if instr == wanted => {}
            Ok(instr) => self.wrong.push(format!("{text}\n  built {}", instr.display(wave))),
            Err(error) => self.wrong.push(format!("{text}\n  {error}")),
        }
    }
}

include!("../vectors/builders.rs");

#[test]
fn what_is_built_is_what_is_parsed() {
    let mut tally = Tally::default();
    for part in PARTS {
        part(&mut tally);
    }
    let some: Vec<&String> = tally.wrong.iter().take(60).collect();
    assert!(some.is_empty(), "{} of {} differ:\n{some:#?}", tally.wrong.len(), tally.calls);
    assert!(tally.calls > 3000, "{} calls", tally.calls);
}
