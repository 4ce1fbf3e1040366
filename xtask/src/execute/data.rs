//! The first line of a program: its grid and arguments.
//!
//! `// global=X,Y,Z local=X,Y,Z [skip=CONFIGURATION|PROCESSOR]… ARGUMENT…`, where an argument is a number (`u32:7`, `i8:-1`, `f32:0.5`), a structure
//! (`struct:HEX`) or a buffer of this many bytes: `in:` random, `out:` zeros, `float:`, `double:` and `half:` numbers between -2 and 2,
//! `bits:` random with many special floating-point numbers.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::rng::Rng;

/// The contents of a program's first line.
pub struct Header {
    pub global: String,
    pub local: String,
    /// Configurations and processors with which the program is not run.
    pub skipped: Vec<String>,
    pub arguments: Vec<Argument>,
}

/// An argument of a program.
pub enum Argument {
    Number { text: String, bits: u64 },
    Structure { bytes: Vec<u8>, hex: String },
    Buffer { contents: BufferContents },
}

/// The initial contents of a buffer.
pub struct BufferContents {
    kind: Kind,
    size: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Zero,
    Random,
    Half,
    Float,
    Double,
    Bits,
}

impl Header {
    /// Reads the first line of a program.
    pub fn read(source: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(source)?;
        let wrong = || format!("the first line of {}", source.display());
        let line = text.lines().next().and_then(|line| line.strip_prefix("// ")).with_context(wrong)?;
        let mut header = Header { global: String::new(), local: String::new(), skipped: vec![], arguments: vec![] };
        for word in line.split(' ') {
            match word.split_once('=') {
                Some(("global", sizes)) => header.global = sizes.into(),
                Some(("local", sizes)) => header.local = sizes.into(),
                Some(("skip", configuration)) => header.skipped.push(configuration.into()),
                Some(_) => bail!("{}: `{word}`", wrong()),
                None => header.arguments.push(argument(word).with_context(wrong)?),
            }
        }
        Ok(header)
    }
}

fn argument(word: &str) -> Result<Argument> {
    let (kind, value) = word.split_once(':').with_context(|| format!("`{word}`"))?;
    let kind = match kind {
        "u8" | "u16" | "u32" | "u64" => return Ok(Argument::Number { text: word.into(), bits: value.parse()? }),
        // The host converts the argument to its type.
        "i8" | "i16" | "i32" | "i64" => {
            return Ok(Argument::Number { text: word.into(), bits: value.parse::<i64>()? as u64 });
        }
        "f16" => return Ok(Argument::Number { text: word.into(), bits: half(value.parse()?).into() }),
        "f32" => return Ok(Argument::Number { text: word.into(), bits: value.parse::<f32>()?.to_bits().into() }),
        "f64" => return Ok(Argument::Number { text: word.into(), bits: value.parse::<f64>()?.to_bits() }),
        "struct" => {
            let byte = |at: usize| u8::from_str_radix(value.get(at..at + 2).unwrap_or_default(), 16);
            let bytes = (0..value.len()).step_by(2).map(byte).collect::<Result<_, _>>()?;
            return Ok(Argument::Structure { bytes, hex: value.into() });
        }
        "out" => Kind::Zero,
        "in" => Kind::Random,
        "half" => Kind::Half,
        "float" => Kind::Float,
        "double" => Kind::Double,
        "bits" => Kind::Bits,
        _ => bail!("`{word}`"),
    };
    Ok(Argument::Buffer { contents: BufferContents { kind, size: value.parse()? } })
}

/// Dwords that are, or begin, zeros, infinities, denormal numbers and the largest ones.
const SPECIAL: [u32; 11] = [
    0,
    1 << 31,
    0x7F80_0000,
    0xFF80_0000,
    1,
    0x007F_FFFF,
    0x0080_0000,
    0x7F7F_FFFF,
    0x7FF0_0000,
    0xFFF0_0000,
    0x3FF0_0000,
];

impl BufferContents {
    /// Returns the bytes, which are the same for the same `seed`.
    pub fn bytes(&self, seed: u64) -> Vec<u8> {
        let mut random = Rng::new(seed + 1);
        let mut bytes = Vec::with_capacity(self.size + 8);
        while bytes.len() < self.size {
            let between = random.next() as i64 as f64 / (1_u64 << 62) as f64;
            match self.kind {
                Kind::Zero => bytes.push(0),
                Kind::Random => bytes.extend(random.next().to_le_bytes()),
                Kind::Half => bytes.extend(half(between).to_le_bytes()),
                Kind::Float => bytes.extend((between as f32).to_le_bytes()),
                Kind::Double => bytes.extend(between.to_le_bytes()),
                Kind::Bits if random.below(16) == 0 => {
                    bytes.extend(SPECIAL[random.below(SPECIAL.len())].to_le_bytes());
                }
                Kind::Bits => bytes.extend(random.word().to_le_bytes()),
            }
        }
        bytes.truncate(self.size);
        bytes
    }
}

/// The f16 with the upper ten bits of the significand of a number between -2 and 2; too small ones become zero.
fn half(number: f64) -> u16 {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i64 - 1023 + 15;
    let magnitude = if exponent > 0 { (exponent as u64) << 10 | bits >> 42 & 0x3FF } else { 0 };
    (bits >> 63 << 15 | magnitude) as u16
}

/// Says how buffers differ, if they do: how many dwords, and the first ones.
pub fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let pairs = expected.chunks(4).zip(found.chunks(4)).enumerate();
    let differing: Vec<_> = pairs.filter(|(_, (expected, found))| expected != found).collect();
    let mut text = format!("{} of {} dwords differ", differing.len(), expected.len().div_ceil(4));
    for (at, (expected, found)) in differing.iter().take(4) {
        let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
        // Writing to a string does not fail.
        let _ = write!(text, "; [{at}] is {} instead of {}", hex(found), hex(expected));
    }
    Some(text)
}
