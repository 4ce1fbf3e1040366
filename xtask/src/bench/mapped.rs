//! That decoding and printing a mapped file takes time in proportion to its length, and no memory that grows with it.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write, sink};
use std::{env, process};

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use memmap2::Mmap;
use rdna3::isa::Text;
use rdna3::{DecodeError, Decoder};

use super::WAVE;

/// The number of instructions between two measurements of memory.
const BETWEEN: usize = 1 << 20;
/// The parts of the file that are worked on.
const PARTS: [usize; 4] = [8, 4, 2, 1];

/// A pass over the file that calls its second argument to measure memory.
type Work = fn(&[u8], &mut dyn FnMut()) -> Result<usize>;

/// Decodes everything; how many instructions there are.
fn decode(bytes: &[u8], look: &mut dyn FnMut()) -> Result<usize> {
    let mut count = 0usize;
    for item in Decoder::new(bytes, WAVE) {
        count += usize::from(item.result.is_ok());
        if count.is_multiple_of(BETWEEN) {
            look();
        }
    }
    Ok(count)
}

/// Decodes and writes a line for each.
fn list(bytes: &[u8], look: &mut dyn FnMut()) -> Result<usize> {
    let mut out = BufWriter::new(sink());
    let mut text = Text::new();
    let mut count = 0usize;
    for item in Decoder::new(bytes, WAVE) {
        let (Ok(instr) | Err(DecodeError::NonCanonical { instr, .. })) = item.result else { continue };
        text.clear();
        instr.write(WAVE, &mut text);
        writeln!(out, "{:x}\t{}", item.offset, text.as_str())?;
        count += 1;
        if count.is_multiple_of(BETWEEN) {
            look();
        }
    }
    Ok(count)
}

/// Repeats `code` in a file of this many MiB, maps it, and works on an eighth, a quarter, a half and all of it.
pub fn run(name: &str, code: &[u8], mib: usize) -> Result<()> {
    let map = map(code, mib << 20)?;
    println!("{name}, repeated in a file of {mib} MiB, mapped; one thread");
    println!(
        "{:<18} {:>9} {:>13} {:>8} {:>7}   anonymous memory in KiB: before, most, more",
        "", "MiB", "instructions", "s", "M/s"
    );
    let works: [(&str, Work); 2] = [("decode", decode), ("decode and print", list)];
    for (what, work) in works {
        for part in PARTS {
            let part = map.get(..map.len() / part / 4 * 4).unwrap_or_default();
            let before = anonymous()?;
            let mut most = before;
            let begin = ThreadTime::now();
            let count = work(part, &mut || most = most.max(anonymous().unwrap_or(usize::MAX)))?;
            most = most.max(anonymous()?);
            let seconds = begin.elapsed().as_secs_f64();
            println!(
                "{what:<18} {:>9} {count:>13} {seconds:>8.2} {:>7.1}   {before} {most} {}",
                part.len() >> 20,
                count as f64 / seconds / 1e6,
                most - before
            );
        }
    }
    Ok(())
}

/// A file of this many bytes of repeated code, mapped. It has no name any more: nothing is left behind.
#[allow(unsafe_code, reason = "a file is mapped")]
fn map(code: &[u8], length: usize) -> Result<Mmap> {
    let path = env::temp_dir().join(format!("isa-bench-{}", process::id()));
    let about = || format!("{} cannot be written", path.display());
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).with_context(about)?;
    fs::remove_file(&path)?;
    fill(&file, code, length).with_context(about)?;
    // SAFETY: the file has no name, and nothing else writes to it.
    unsafe { Mmap::map(&file) }.context("the file cannot be mapped")
}

fn fill(mut file: &File, code: &[u8], length: usize) -> std::io::Result<()> {
    let mut left = length;
    while left > 0 {
        let piece = code.get(..left.min(code.len())).unwrap_or(code);
        file.write_all(piece)?;
        left -= piece.len();
    }
    Ok(())
}

/// Returns the anonymous memory of this process in KiB.
fn anonymous() -> Result<usize> {
    let status = fs::read_to_string("/proc/self/status").context("/proc/self/status cannot be read")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix("RssAnon:")).context("no RssAnon in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
