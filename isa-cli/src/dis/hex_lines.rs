//! `isa dis --hex`: disassembles lines of hex, each one instruction.

use std::fmt::Write as _;
use std::io::{BufReader, Read, Write};

use amdgpu_arch::{Instr, MAX_DWORDS, Reader};

use crate::failure::Failure;
use crate::hex;
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

/// The instructions that a line may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Those that encoding writes.
    Canonical,
    /// Those without reserved codes.
    Decodable,
    /// Those with reserved codes, too.
    ReservedCodes,
}

/// Decodes a line of hex, which must consist of one instruction.
pub fn decode_line(line: Result<&[u8], TooLong>, reader: Reader, accept: Accept) -> Result<Instr, String> {
    let line = line.map_err(|TooLong(length)| {
        format!("the line holds {length} characters, and no instruction has more than {} bytes", 4 * MAX_DWORDS)
    })?;
    let mut bytes = [0; 4 * MAX_DWORDS];
    let size = hex::parse_instruction(line, &mut bytes).map_err(|e| e.to_string())?;
    if size % 4 != 0 {
        return Err(format!("the line holds {size} bytes, and instructions are made of 4-byte words"));
    }
    let mut words = [0; MAX_DWORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let instr = match reader.decode(&words[..size / 4]) {
        Ok((instr, _)) => instr,
        Err(error) => match error.noncanonical() {
            Some(instr) if accept == Accept::ReservedCodes => instr,
            _ => return Err(error.to_string()),
        },
    };
    if let Some(unused) = instr.unused_field().filter(|_| accept == Accept::Canonical) {
        return Err(format!("non-canonical {unused}"));
    }
    if instr.size() < size {
        return Err(format!("`{instr}` ends after {} of the line's {size} bytes", instr.size()));
    }
    Ok(instr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use amdgpu_arch::{Arch, Wave};

    fn text(line: &str) -> Result<String, String> {
        let reader = Reader::new(Arch::Rdna3, Wave::W32);
        decode_line(Ok(line.as_bytes()), reader, Accept::Decodable).map(|i| i.to_string())
    }

    #[test]
    fn a_line_is_one_whole_instruction() {
        assert_eq!(text("0000b0bf").as_deref(), Ok("s_endpgm"));
        assert_eq!(text("00000000").as_deref(), Ok("v_illegal"));
        let error = text("0000b0bf0000b0bf").unwrap_err();
        assert_eq!(error, "`s_endpgm` ends after 4 of the line's 8 bytes");
        assert!(text("000003f4").is_err(), "the second dword is missing");
        assert!(text("0000b0").unwrap_err().contains("3 bytes"));
        assert!(text("").unwrap_err().contains("empty"));
        assert!(text(&"00".repeat(13)).unwrap_err().contains("13 bytes"));
    }
}
