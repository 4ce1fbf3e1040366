//! The arguments of a kernel as the command line gives them: `buf:FILE`, `f32:1.5` and so on.

use std::path::PathBuf;

use amdgpu_arch::hex;
use amdgpu_dispatch::{LaunchArgument, MemoryContent, MemoryRange};

/// The values of `--arg`, for messages.
const SYNTAX: &str = "buf:FILE, buf:zero:BYTES, buf:uninit:BYTES, buf:@K+OFFSET, lds:BYTES, u8: u16: u32: u64: i8: i16: i32: i64: f16: f32: f64:NUMBER, hex:BYTES";

/// Reads an argument of a kernel. The error says what is wrong with it.
pub fn argument(text: &str) -> Result<LaunchArgument, String> {
    let (kind, value) = text.split_once(':').ok_or_else(|| unknown(text))?;
    let wrong = || format!("`{value}` is not a value of type {kind}");
    let bytes = match kind {
        "buf" => return buffer(value),
        "lds" => {
            let bytes = unsigned(value).and_then(|bytes| u32::try_from(bytes).ok());
            return bytes.map(LaunchArgument::Lds).ok_or_else(|| format!("`{value}` is not a number of bytes"));
        }
        "hex" => {
            let mut bytes = vec![0; value.len() / 2 + 1];
            let count = if value.is_empty() { Ok(0) } else { hex::parse(value.as_bytes(), &mut bytes) };
            bytes.truncate(count.map_err(|error| format!("`{value}`: {error}"))?);
            Some(bytes)
        }
        "u8" | "u16" | "u32" | "u64" => number(value, bits(kind), false),
        "i8" | "i16" | "i32" | "i64" => number(value, bits(kind), true),
        "f16" => value.parse::<f64>().ok().map(|number| f16_bits(number).to_le_bytes().to_vec()),
        "f32" => value.parse::<f32>().ok().map(|number| number.to_le_bytes().to_vec()),
        "f64" => value.parse::<f64>().ok().map(|number| number.to_le_bytes().to_vec()),
        _ => return Err(unknown(text)),
    };
    bytes.map(LaunchArgument::Value).ok_or_else(wrong)
}

fn unknown(text: &str) -> String {
    format!("`{text}` is not an argument; help: write one of {SYNTAX}")
}

fn buffer(value: &str) -> Result<LaunchArgument, String> {
    let Some(part) = value.strip_prefix('@') else { return content(value).map(LaunchArgument::Buffer) };
    let (argument, offset) = part.split_once('+').unwrap_or((part, "0"));
    let read = argument.parse().ok().zip(unsigned(offset));
    let read = read.map(|(argument, offset)| LaunchArgument::Part { argument, offset });
    read.ok_or_else(|| format!("`{value}` is not @K or @K+OFFSET; help: the file of this name is `buf:./{value}`"))
}

/// Reads `FILE` or `zero:BYTES`.
fn content(value: &str) -> Result<MemoryContent, String> {
    let number = |bytes: &str| unsigned(bytes).ok_or_else(|| format!("`{bytes}` is not a number of bytes"));
    if let Some(bytes) = value.strip_prefix("uninit:") {
        return number(bytes).map(MemoryContent::Unwritten);
    }
    match value.strip_prefix("zero:") {
        Some(bytes) => number(bytes).map(MemoryContent::Zeros),
        None if value.is_empty() => Err("the name of a file is missing".into()),
        None => Ok(MemoryContent::File(value.into())),
    }
}

/// Reads `ADDRESS=FILE` or `ADDRESS=zero:BYTES`.
pub fn map(text: &str) -> Result<(u64, MemoryContent), String> {
    let parts = text.split_once('=').and_then(|(at, value)| Some((address(at)?, value)));
    let (address, value) = parts.ok_or_else(|| format!("`{text}` is not ADDRESS=FILE or ADDRESS=zero:BYTES"))?;
    // As in `--arg`.
    Ok((address, content(value.strip_prefix("buf:").unwrap_or(value))?))
}

/// Reads an address, whose digits `_` may separate.
fn address(text: &str) -> Option<u64> {
    unsigned(&text.replace('_', ""))
}

/// The number of bits of a type such as `u16`.
fn bits(kind: &str) -> u32 {
    kind.get(1..).and_then(|bits| bits.parse().ok()).unwrap_or(0)
}

/// Reads an unsigned number, decimal or hexadecimal.
pub fn unsigned(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The bytes of an integer, if it fits a number of bits.
fn number(text: &str, bits: u32, is_signed: bool) -> Option<Vec<u8>> {
    let (magnitude, is_negative) = match text.strip_prefix('-') {
        Some(rest) => (unsigned(rest)?, true),
        None => (unsigned(text)?, false),
    };
    let number = if is_negative { -i128::from(magnitude) } else { magnitude.into() };
    let (least, most) = if is_signed { (-1 << (bits - 1), 1 << (bits - 1)) } else { (0, 1_i128 << bits) };
    let fits = (least..most).contains(&number);
    fits.then(|| number.to_le_bytes().iter().copied().take(bits as usize / 8).collect())
}

/// The f16 that is nearest to a number.
fn f16_bits(number: f64) -> u16 {
    use isa_exec::num::{FloatMode, Format, convert};
    convert(Format::F64, FloatMode::IEEE, Format::F16, FloatMode::IEEE, number.to_bits()) as u16
}

/// Reads sizes in up to three dimensions: `X`, `X,Y` or `X,Y,Z`.
pub fn sizes(text: &str) -> Result<Vec<u32>, String> {
    let size = |part: &str| unsigned(part).and_then(|size| u32::try_from(size).ok()).filter(|size| *size > 0);
    let sizes: Option<Vec<u32>> = text.split(',').map(size).collect();
    let sizes = sizes.filter(|sizes| sizes.len() <= 3);
    sizes.ok_or_else(|| format!("`{text}` is not X, X,Y or X,Y,Z with numbers of at least 1"))
}

/// Reads `K=FILE`, `ADDRESS=FILE` or `ADDRESS+BYTES=FILE`. An address begins with `0x`.
pub fn dump(text: &str) -> Result<(MemoryRange, PathBuf), String> {
    let what = |text: &str| {
        if !text.starts_with("0x") {
            return text.parse().ok().map(MemoryRange::Argument);
        }
        let (at, bytes) = match text.split_once('+') {
            Some((at, bytes)) => (at, Some(unsigned(bytes)?)),
            None => (text, None),
        };
        Some(MemoryRange::Address { address: address(at)?, bytes })
    };
    let parts = text.split_once('=').filter(|(_, file)| !file.is_empty());
    let read = parts.and_then(|(text, file)| Some((what(text)?, file.into())));
    read.ok_or_else(|| format!("`{text}` is not K=FILE with the index of an argument, or 0xADDRESS[+BYTES]=FILE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_bytes_of_their_type() {
        let value = |text| match argument(text) {
            Ok(LaunchArgument::Value(bytes)) => bytes,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(value("u8:255"), [255]);
        assert_eq!(value("i16:-2"), [0xFE, 0xFF]);
        assert_eq!(value("u64:0x100"), [0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(value("i64:-9223372036854775808"), i64::MIN.to_le_bytes());
        assert_eq!(value("f16:1.5"), [0x00, 0x3E]);
        assert_eq!(value("f32:-0"), [0, 0, 0, 0x80]);
        assert_eq!(value("f64:inf"), f64::INFINITY.to_le_bytes());
        assert_eq!(value("hex:0102"), [1, 2]);
        assert_eq!(argument("buf:zero:16"), Ok(LaunchArgument::Buffer(MemoryContent::Zeros(16))));
        assert_eq!(argument("buf:a:b"), Ok(LaunchArgument::Buffer(MemoryContent::File("a:b".into()))));
        assert_eq!(argument("buf:@2"), Ok(LaunchArgument::Part { argument: 2, offset: 0 }));
        assert_eq!(argument("buf:@0+0x10"), Ok(LaunchArgument::Part { argument: 0, offset: 16 }));
        assert_eq!(argument("lds:64"), Ok(LaunchArgument::Lds(64)));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for text in ["buf:@", "buf:@x", "buf:@1+", "buf:@1-4", "buf:@-1"] {
            assert!(argument(text).is_err_and(|error| error.contains("`buf:./@")), "{text}");
        }
        for text in ["u8:256", "u8:-1", "i8:128", "f32:x", "u32:", "hex:1", "buf:", "buf:zero:-1", "x:1", "1"] {
            assert!(argument(text).is_err(), "{text}");
        }
        assert!(sizes("0").is_err() && sizes("1,2,3,4").is_err() && sizes("").is_err());
        assert_eq!(sizes("4,2"), Ok(vec![4, 2]));
        assert_eq!(dump("1=out"), Ok((MemoryRange::Argument(1), "out".into())));
        let address = 0xffff_8000_0000_1000;
        let memory = |bytes| Ok((MemoryRange::Address { address, bytes }, "a=b".into()));
        assert_eq!(dump("0xffff8000_00001000=a=b"), memory(None));
        assert_eq!(dump("0xffff800000001000+0x20=a=b"), memory(Some(32)));
        for text in ["x=out", "1=", "0x=out", "0x10+=out", "0x10+x=out", "0x10"] {
            assert!(dump(text).is_err(), "{text}");
        }
        assert_eq!(map("0xffff8000_00001000=a"), Ok((address, MemoryContent::File("a".into()))));
        assert_eq!(map("4096=zero:0x10"), Ok((4096, MemoryContent::Zeros(16))));
        for text in ["=a", "0x10=", "0x10", "x=a", "0x10=zero:", "0x10000000000000000=a"] {
            assert!(map(text).is_err(), "{text}");
        }
    }
}
