//! One line in, one line out: the shape of every `--hex` mode.

use std::io::{BufRead, BufReader, Read, Write};

use crate::failure::Failure;

/// The number of bytes of a line that are kept. Every instruction is much shorter in hex and in text, so that a longer line,
/// such as one of a binary file, is an error, and memory stays bounded.
pub const MAX_LINE_SIZE: usize = 1 << 16;

/// A line longer than [`MAX_LINE_SIZE`], with the length it had.
#[derive(Debug, Clone, Copy)]
pub struct TooLong(pub usize);

/// Calls `answer` for each line of `input` with an empty string to fill, and writes the string as a line.
///
/// Before it waits for more input, everything answered so far is written out: a program that sends a line and waits
/// for the answer gets it, and a long file still costs a write per buffer and no allocation per line.
pub fn answer<R: Read>(
    file: &str,
    mut input: BufReader<R>,
    output: &mut impl Write,
    mut answer: impl FnMut(Result<&[u8], TooLong>, &mut String),
) -> Result<(), Failure> {
    let mut line = Vec::new();
    let mut said = String::new();
    while let Some(length) = next_line(file, &mut input, output, &mut line)? {
        said.clear();
        let whole = if length > MAX_LINE_SIZE { Err(TooLong(length)) } else { Ok(&line[..]) };
        answer(whole, &mut said);
        said.push('\n');
        output.write_all(said.as_bytes())?;
    }
    output.flush()?;
    Ok(())
}

/// Reads up to the next line end and returns the line's length; `line` keeps the first [`MAX_LINE_SIZE`] bytes of it.
fn next_line<R: Read>(
    file: &str,
    input: &mut BufReader<R>,
    output: &mut impl Write,
    line: &mut Vec<u8>,
) -> Result<Option<usize>, Failure> {
    line.clear();
    let mut length = 0;
    let mut ended = false;
    let mut any = false;
    while !ended {
        if input.buffer().is_empty() {
            output.flush()?;
        }
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Failure::about(file, format_args!("cannot be read: {e}"))),
        };
        if chunk.is_empty() {
            // A last line without a line end still counts; nothing after the last line end does not.
            return Ok(any.then_some(length));
        }
        any = true;
        let end = chunk.iter().position(|&b| b == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        length += part.len();
        line.extend_from_slice(&part[..part.len().min(MAX_LINE_SIZE - line.len())]);
        ended = end.is_some();
        let used = part.len() + usize::from(ended);
        input.consume(used);
    }
    Ok(Some(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(input: &[u8]) -> String {
        let mut out = Vec::new();
        // A buffer of three bytes, so that lines span reads.
        let reader = BufReader::with_capacity(3, input);
        answer("input", reader, &mut out, |line, said| {
            said.push_str(&match line {
                Ok(line) => line.len().to_string(),
                Err(TooLong(n)) => format!("long {n}"),
            });
        })
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn as_many_lines_out_as_in() {
        assert_eq!(lengths(b""), "");
        assert_eq!(lengths(b"\n"), "0\n");
        assert_eq!(lengths(b"\n\nabcd\nx"), "0\n0\n4\n1\n");
        assert_eq!(lengths(b"\xff\xfe\0\n"), "3\n");
    }

    #[test]
    fn very_long_lines_are_counted_and_not_kept() {
        let mut input = vec![b'a'; MAX_LINE_SIZE];
        input.extend_from_slice(b"\n");
        assert_eq!(lengths(&input), format!("{MAX_LINE_SIZE}\n"));
        input.splice(0..0, *b"bb");
        assert_eq!(lengths(&input), format!("long {}\n", MAX_LINE_SIZE + 2));
    }
}
