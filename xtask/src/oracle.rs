//! Answers of LLVM's disassembler to many words. It runs as a separate process ([`crate::libllvm`]), because it crashes on
//! some words; the next words then go to a new process.

use std::env;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use rdna3::Wave;

use crate::generate::Words;
use crate::libllvm::{READY, REFUSED};
use crate::machine::{self, Machine};

/// The hidden task that is LLVM's process.
pub const TASK: &str = "libllvm";

/// LLVM's answer to one word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It prints an instruction.
    Text {
        /// The text, blanks folded.
        text: String,
        /// The length in dwords.
        dwords: usize,
    },
    /// It is not an instruction to LLVM.
    Refused,
    /// LLVM itself crashed.
    Crashed,
}

impl Answer {
    /// The text, if there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Answer::Text { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// Whether libLLVM can be asked; otherwise why not.
pub fn available() -> Result<()> {
    ask(&[]).map(drop)
}

/// Asks LLVM about all of these words of RDNA3, in order.
pub fn ask(words: &[(Words, Wave)]) -> Result<Vec<Answer>> {
    let words: Vec<_> = words.iter().map(|(words, wave)| (*words, machine::rdna3(*wave))).collect();
    ask_of(&words)
}

/// Asks LLVM about all of these words, each of a machine that LLVM disassembles, in order.
pub fn ask_of(words: &[(Words, &'static Machine)]) -> Result<Vec<Answer>> {
    let mut answers = Vec::with_capacity(words.len());
    loop {
        session(words.get(answers.len()..).unwrap_or_default(), &mut answers)?;
        if answers.len() == words.len() {
            return Ok(answers);
        }
        answers.push(Answer::Crashed);
    }
}

/// One run of the process: adds answers until it ends.
fn session(words: &[(Words, &'static Machine)], answers: &mut Vec<Answer>) -> Result<()> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(TASK).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("this program cannot start itself")?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else { bail!("a process without pipes") };
    let mut input = String::with_capacity(words.len() * 32);
    for ([a, b, c], machine) in words {
        let _ = writeln!(input, "{a:x} {b:x} {c:x} {}", machine.name);
    }
    // A process that crashes leaves the rest of its input unread: that is not a fault of ours.
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()).is_ok());
    let mut lines = BufReader::new(stdout).lines();
    let ready = lines.next().transpose()?;
    for line in lines {
        let line = line?;
        answers.push(match line.split_once(' ') {
            Some((dwords, text)) => Answer::Text { text: text.into(), dwords: dwords.parse()? },
            None if line == REFUSED => Answer::Refused,
            None => bail!("an odd answer: {line}"),
        });
    }
    let _ = writer.join();
    child.wait()?;
    if ready.as_deref() != Some(READY) {
        let mut why = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_string(&mut why)?;
        }
        bail!("{}", why.trim().trim_start_matches("error: "));
    }
    Ok(())
}
