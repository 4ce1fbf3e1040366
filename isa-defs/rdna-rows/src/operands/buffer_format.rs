//! How text names the format of a typed buffer access. Guide §10.7.

#[cfg(feature = "parse")]
use isa::class::expression::expression_in;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Cx, Text};

use super::data_format::BUFFER_FORMATS;
use super::ds::write_unless_zero;
use crate::Generation;

/// The format that is meant where text names none: `8_UNORM`.
const DEFAULT: u32 = 1;

/// Writes a format: its name, or its number if it has none.
pub(super) fn write_format<I: Generation>(_: &Cx<'_, I>, code: u32, out: &mut Text) {
    match BUFFER_FORMATS.get(code as usize) {
        _ if code == DEFAULT => {}
        Some(name) => {
            out.push(" format:[BUF_FMT_");
            out.push(name);
            out.push_ascii(b']');
        }
        None => write_unless_zero(" format:", code, out),
    }
}

/// Reads a format: a number, its name, or the two names that older assembly has.
#[cfg(feature = "parse")]
pub(super) fn read_format<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if !asm.input.eat_key("format") {
        return Ok(None);
    }
    if !asm.input.eat("[") {
        return expression_in(asm, 0, 127, "the format is a number from 0 to 127").map(Some);
    }
    let start = asm.input.at();
    let first = asm.input.word();
    let code = if let Some(name) = first.strip_prefix("BUF_FMT_") {
        BUFFER_FORMATS.iter().position(|f| *f == name)
    } else {
        let second = if asm.input.eat(",") { asm.input.word() } else { "" };
        split_format(first, second)
    };
    let Some(code) = code else {
        asm.input.go(start);
        return Err(asm.expected("a format that buffers can have, such as `BUF_FMT_32_FLOAT`"));
    };
    if asm.input.eat("]") { Ok(Some(code as u32)) } else { Err(asm.expected("`]`")) }
}

/// The format that two names stand for, as older assembly has them: the sizes of the components and what they are, in
/// either order. One of them may be left out, and is then that of the format that no text names.
fn split_format(first: &str, second: &str) -> Option<usize> {
    let default = BUFFER_FORMATS.get(DEFAULT as usize)?.split_once('_')?;
    let (mut data, mut number) = (None, None);
    for name in [first, second] {
        if let Some(sizes) = name.strip_prefix("BUF_DATA_FORMAT_").filter(|_| data.is_none()) {
            data = Some(sizes);
        } else if let Some(what) = name.strip_prefix("BUF_NUM_FORMAT_").filter(|_| number.is_none()) {
            number = Some(what);
        } else if !name.is_empty() || data.is_none() && number.is_none() {
            return None;
        }
    }
    let (data, number) = (data.unwrap_or(default.0), number.unwrap_or(default.1));
    BUFFER_FORMATS.iter().position(|name| match name.rsplit_once('_') {
        Some((sizes, what)) => sizes == data && what == number,
        // The format of nothing.
        None => *name == data && number == default.1,
    })
}
