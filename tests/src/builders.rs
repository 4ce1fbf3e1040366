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

    /// Fails if a call has built something else, or if there were not more calls than `least`.
    pub fn check(&self, least: usize) {
        let some: Vec<&String> = self.wrong.iter().take(60).collect();
        assert!(some.is_empty(), "{} of {} differ:\n{some:#?}", self.wrong.len(), self.calls);
        assert!(self.calls > least, "{} calls", self.calls);
    }
}
