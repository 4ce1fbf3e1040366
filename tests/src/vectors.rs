//! The inputs that tests share: where they stand and how they are read.
//!
//! The project's own golden vectors and the example kernel are in the repository. Larger vectors and code may stand in
//! `../shared` beside it; a test that needs them says so if they are absent ([`crate::needs`]).

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use object::{Object, ObjectSection};
use rdna3::Wave;

use crate::needs::shared_for;
use crate::paths::root;
use crate::sets::Set;

/// One line of a vector file: an instruction's bytes and its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// The set or mode: `wave32` or `wave64` of RDNA3, or a generation such as `gcn1.2`.
    pub wave: String,
    /// The bytes in memory order, as hex digits.
    pub hex: String,
    /// The text, blanks folded.
    pub text: String,
    /// Whether the text assembles to these very bytes. Otherwise some field is not as an assembler writes it.
    pub canonical: bool,
}

impl Line {
    /// The wave size as the decoder of RDNA3 takes it.
    #[must_use]
    pub fn mode(&self) -> Wave {
        if self.wave == "wave64" { Wave::W64 } else { Wave::W32 }
    }

    /// The dwords.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        hex_dwords(&self.hex)
    }
}

/// The dwords of hex digits in memory order.
#[must_use]
pub fn hex_dwords(hex: &str) -> Vec<u32> {
    let nibble = |d: &u8| char::from(*d).to_digit(16).unwrap_or(0);
    let byte = |pair: &[u8]| pair.iter().fold(0, |n, d| n << 4 | nibble(d));
    hex.as_bytes().chunks(8).map(|dword| dword.chunks(2).rev().fold(0, |n, pair| n << 8 | byte(pair))).collect()
}

/// Where the golden vectors of `sets` (`rdna3`, `gcn`) stand.
#[must_use]
pub fn golden_path(sets: &str) -> PathBuf {
    root().join(format!("tests/vectors/{sets}.tsv"))
}

/// The golden vectors of RDNA3.
///
/// # Errors
/// The file cannot be read, or a line of it is not three columns.
pub fn golden() -> io::Result<Vec<Line>> {
    lines(BufReader::new(fs::File::open(golden_path("rdna3"))?))
}

/// The golden vectors of a set.
///
/// # Errors
/// As [`golden`].
pub fn golden_of<S: Set>() -> io::Result<Vec<Line>> {
    Ok(of::<S>(&lines(BufReader::new(fs::File::open(golden_path(S::VECTORS))?))?))
}

/// The vectors of `../shared` for RDNA3, if they are there; says so if not.
///
/// # Errors
/// The file cannot be read, or a line of it is not three columns or more.
pub fn shared_decode() -> io::Result<Option<Vec<Line>>> {
    Ok(packed("vectors/rdna3_decode.tsv.gz")?.map(|all| all.to_vec()))
}

/// The vectors of `../shared` for a set; none where they are absent, which is said.
///
/// # Errors
/// As [`shared_decode`].
pub fn shared_decode_of<S: Set>() -> io::Result<Vec<Line>> {
    let mut all = of::<S>(&packed(&format!("vectors/{}_decode.tsv.gz", S::VECTORS))?.unwrap_or_default());
    if S::VECTORS == "gcn" {
        // The generations that LLVM cannot disassemble.
        all.extend(of::<S>(&packed("vectors/gcn_old_decode.tsv.gz")?.unwrap_or_default()));
    }
    Ok(all)
}

/// Lines of `../shared` for a set that LLVM's assembler takes or refuses, without their bytes; none where they are absent,
/// which is said.
///
/// # Errors
/// As [`shared_decode`].
pub fn shared_assembly_of<S: Set>() -> io::Result<Vec<Line>> {
    let mut all = Vec::new();
    for what in ["assemble", "assemble_errors"] {
        all.extend(of::<S>(&packed(&format!("vectors/{}_{what}.tsv.gz", S::VECTORS))?.unwrap_or_default()));
    }
    // Their second column is the text.
    let lines = all.into_iter().map(|line| Line { text: folded(&line.hex), hex: String::new(), ..line });
    Ok(lines.collect())
}

/// The lines that are for this set.
fn of<S: Set>(lines: &[Line]) -> Vec<Line> {
    lines.iter().filter(|line| S::mode(&line.wave).is_some()).cloned().collect()
}

/// The lines of a packed file of `../shared`, if it is there; says so if not. Several tests of a program, and sets of a generation,
/// share a file: it is unpacked once.
fn packed(path: &str) -> io::Result<Option<Arc<[Line]>>> {
    static FILES: Mutex<BTreeMap<String, Arc<[Line]>>> = Mutex::new(BTreeMap::new());
    let Some(file) = shared_for("larger vectors", path) else { return Ok(None) };
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lines) = files.get(path) {
        return Ok(Some(Arc::clone(lines)));
    }
    let read: Arc<[Line]> = lines(BufReader::new(flate2::read::GzDecoder::new(fs::File::open(file)?)))?.into();
    files.insert(path.into(), Arc::clone(&read));
    Ok(Some(read))
}

/// The words of `../shared` that LLVM refuses, without a text, if they are there; says so if not.
///
/// # Errors
/// The file cannot be read, or a line of it is not two columns or more.
pub fn shared_invalid() -> io::Result<Option<Vec<Line>>> {
    let Some(path) = shared_for("words that LLVM refuses", "vectors/rdna3_invalid.tsv.gz") else { return Ok(None) };
    let unpacked = flate2::read::GzDecoder::new(fs::File::open(path)?);
    // A third column, empty, makes them lines like the others.
    let mut text = String::new();
    BufReader::new(unpacked).read_to_string(&mut text)?;
    lines(text.replace('\n', "\t\n").as_bytes()).map(Some)
}

/// The machine code of `../shared/corpus`, many kernels in a row, if it is there; says so if not.
///
/// # Errors
/// The file cannot be read or unpacked.
pub fn shared_code() -> io::Result<Option<Vec<u8>>> {
    let Some(path) = shared_for("the code of many kernels", "corpus/bench.gfx1100.text.xz") else { return Ok(None) };
    let mut bytes = Vec::new();
    lzma_rust2::XzReader::new(BufReader::new(fs::File::open(path)?), true).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The machine code of the example kernels.
///
/// # Errors
/// The file cannot be read or is not an ELF file with a `.text` section.
pub fn example_code() -> io::Result<Vec<u8>> {
    let file = fs::read(root().join("examples/matmul.gfx1100.co"))?;
    let object = object::File::parse(&*file).map_err(io::Error::other)?;
    let text = object.section_by_name(".text").ok_or_else(|| io::Error::other("no .text"))?;
    text.data().map(<[u8]>::to_vec).map_err(io::Error::other)
}

fn lines(input: impl BufRead) -> io::Result<Vec<Line>> {
    let mut out = Vec::new();
    for (number, line) in input.lines().enumerate() {
        let line = line?;
        let mut columns = line.split('\t');
        let (Some(wave), Some(hex), Some(text)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(io::Error::other(format!("line {}: not wave, bytes, text: {line}", number + 1)));
        };
        let canonical = columns.next().is_none_or(|kind| kind == "canonical");
        out.push(Line { wave: wave.into(), hex: hex.into(), text: folded(text), canonical });
    }
    Ok(out)
}

/// The text with each run of blanks as one, and none at its ends.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Dwords from bytes in memory order; up to three bytes at the end are dropped.
#[must_use]
pub fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect()
}

/// The bytes of dwords in memory order, as hex digits.
#[must_use]
pub fn hex(words: &[u32]) -> String {
    words.iter().map(|w| format!("{:08x}", w.swap_bytes())).collect()
}
