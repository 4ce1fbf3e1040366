//! What typed builders of RDNA build, against golden words.

use core::fmt::Display;

use rdna3::{Instruction, Wave};

/// The results of calls.
#[derive(Default)]
pub struct Tally {
    calls: usize,
    wrong: Vec<String>,
}

impl Tally {
    /// Adds a call: the text and the words of the instruction, and what was built. Generated code calls this.
    pub fn case<I: Instruction + Display, E: Display>(
        &mut self,
        wave: Wave,
        text: &str,
        words: &[u32],
        built: Result<I, E>,
    ) {
        self.calls += 1;
        match built {
            Ok(instr) if instr.dwords().get(..instr.dword_count()) == Some(words) => {}
            Ok(instr) => self.wrong.push(format!("{text}\n  built {instr}, for {wave:?}")),
            Err(error) => self.wrong.push(format!("{text}\n  {error}")),
        }
    }

    /// Makes the calls of generated functions. Fails if one has built something else, or if there are not more calls than `least`.
    pub fn check(parts: &[fn(&mut Self)], least: usize) {
        let mut tally = Self::default();
        parts.iter().for_each(|part| part(&mut tally));
        let some: Vec<&String> = tally.wrong.iter().take(60).collect();
        assert!(some.is_empty(), "{} of {} differ:\n{some:#?}", tally.wrong.len(), tally.calls);
        assert!(tally.calls > least, "{} calls", tally.calls);
    }
}

/// Returns the error of a builder, for mistakes that types cannot express.
pub fn error<I: Display, E: Display>(built: Result<I, E>) -> String {
    match built {
        Ok(instr) => panic!("built {instr}"),
        Err(error) => error.to_string(),
    }
}
