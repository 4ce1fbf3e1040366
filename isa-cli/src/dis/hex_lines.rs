//! `isa dis --hex`: disassembles lines of hex, each one instruction.

use std::fmt::Write as _;
use std::io::{BufReader, Read, Write};

use amdgpu_arch::hex::{self, Accept};
use amdgpu_arch::{Instr, MAX_DWORDS, Reader};

use crate::failure::Failure;
use crate::lines::{self, TooLong};

/// Answers each line of hex with the text of the instruction, or with `error: …`.
pub fn answer<R: Read>(
    file: &str,
    input: BufReader<R>,
    output: &mut impl Write,
    reader: Reader,
    accept: Accept,
) -> Result<(), Failure> {
    lines::answer(file, input, output, |line, said| {
        // Writing to a String does not fail.
        let _ = match decode_line(line, reader, accept) {
            Ok(instr) => write!(said, "{instr}"),
            Err(why) => write!(said, "error: {why}"),
        };
    })
}

/// Decodes a line of hex, which must consist of one instruction.
pub fn decode_line(line: Result<&[u8], TooLong>, reader: Reader, accept: Accept) -> Result<Instr, String> {
    let line = line.map_err(|TooLong(length)| {
        format!("the line holds {length} characters, and no instruction has more than {} bytes", 4 * MAX_DWORDS)
    })?;
    hex::instr(line, reader, accept).map_err(|error| error.to_string())
}
