//! Parsing of several lines with run-time values: the expansion of `instrs!`.

use core::fmt;

use crate::{ErrorKind, Isa, Options, ParseError, Text, ToText, parse, reach};

/// A fragment of a line.
#[derive(Clone, Copy)]
pub enum LinePart<'a> {
    /// Literal text.
    Text(&'a str),
    /// A value.
    Value(&'a dyn ToText),
    /// A branch to the line with this number.
    Label(usize),
}

impl fmt::Debug for LinePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.write_to(&mut text, 0);
        f.write_str(text.as_str())
    }
}

impl LinePart<'_> {
    fn write_to(&self, out: &mut Text, distance: i16) {
        match self {
            LinePart::Text(text) => out.push(text),
            LinePart::Value(value) => value.write_to(out),
            LinePart::Label(_) => distance.write_to(out),
        }
    }
}

/// An error in one of several lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineError {
    /// The number of the line, from 0.
    pub line: usize,
    /// The error. Its position counts from the start of the line.
    pub error: ParseError,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}: {}", self.line, self.error)
    }
}

impl core::error::Error for LineError {}

/// Parses lines that may branch to each other. `dwords` returns the length of an instruction.
///
/// # Errors
/// The first line that is not an instruction, or whose branch does not reach.
pub fn instructions<I: Isa, const N: usize>(
    lines: &[&[LinePart<'_>]; N],
    mode: I::Mode,
    dwords: fn(&I::Instr) -> usize,
) -> Result<[I::Instr; N], LineError> {
    let read = |at: usize, line: &[LinePart<'_>], distance: i16| {
        let mut text = Text::new();
        line.iter().for_each(|part| part.write_to(&mut text, distance));
        parse::<I>(text.as_str(), Options::from(mode)).map_err(|error| LineError { line: at, error })
    };
    let mut all = None;
    let mut places = [0i64; N];
    let mut end = 0;
    for (at, line) in lines.iter().enumerate() {
        let instr = read(at, line, 0)?;
        if let Some(place) = places.get_mut(at) {
            *place = end;
        }
        end += dwords(&instr) as i64;
        if let Some(to) = all.get_or_insert([instr; N]).get_mut(at) {
            *to = instr;
        }
    }
    for (at, line) in lines.iter().enumerate() {
        let label = line.iter().find_map(|part| if let LinePart::Label(target) = part { Some(*target) } else { None });
        let Some(target) = label else { continue };
        let place = |at: usize| places.get(at).copied().unwrap_or(end);
        let distance = reach(place(target) - place(at + 1)).map_err(|far| {
            let error = ParseError { start: 0, end: 0, kind: ErrorKind::Branch(far) };
            LineError { line: at, error }
        })?;
        let instr = read(at, line, distance)?;
        if let Some(to) = all.as_mut().and_then(|all| all.get_mut(at)) {
            *to = instr;
        }
    }
    // `all` is `None` only if there are no lines.
    let none = ParseError { start: 0, end: 0, kind: ErrorKind::Expected("an instruction") };
    all.ok_or(LineError { line: 0, error: none })
}
