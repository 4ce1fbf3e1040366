//! The state file: a line for each finished part.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Counts;

/// The finished parts, and the file that records them.
pub struct State {
    pub done: BTreeMap<usize, Counts>,
    job: &'static str,
    file: Option<(File, PathBuf)>,
    failed: Option<std::io::Error>,
}

impl State {
    /// Reads the file, if there is one. Returns an error if another build of this program has written it.
    pub fn open(path: Option<&Path>, job: &'static str, stride: u32) -> Result<Self> {
        let mut state = State { done: BTreeMap::new(), job, file: None, failed: None };
        let Some(path) = path else { return Ok(state) };
        let header = format!("cargo xtask sweep, program {:016x}, stride {stride}", program()?);
        let about = || format!("{} cannot be written", path.display());
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.is_empty() {
            fs::write(path, format!("{header}\n")).with_context(about)?;
        } else if text.lines().next() != Some(&*header) {
            bail!(
                "{}: another program or stride has written this: it begins\n  {}\nand should begin\n  {header}\n\
                run the program that wrote it, or remove it to begin anew",
                path.display(),
                text.lines().next().unwrap_or_default()
            );
        }
        // The last line may have been cut short.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines().skip(1) {
            if let Some((part, counts)) = line.strip_prefix(job).and_then(read) {
                state.done.insert(part, counts);
            }
        }
        let mut file = OpenOptions::new().append(true).open(path).with_context(about)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").with_context(about)?;
        }
        state.file = Some((file, path.into()));
        Ok(state)
    }

    /// Writes down a part.
    pub fn keep(&mut self, part: usize, counts: &Counts) {
        let Some((file, _)) = &mut self.file else { return };
        let mut line = format!("{}\t{part}\t{}\t{}", self.job, counts.tried, counts.refused);
        for (name, [canonical, odd, texts]) in &counts.formats {
            let _ = write!(line, "\t{name}:{canonical}:{odd}:{texts}");
        }
        for (name, count) in &counts.classes {
            let _ = write!(line, "\t{name}={count}");
        }
        line.push('\n');
        if let Err(error) = file.write_all(line.as_bytes()) {
            self.failed = Some(error);
        }
    }

    /// Whether all of it could be written.
    pub fn finish(self) -> Result<()> {
        match (self.failed, self.file) {
            (Some(error), Some((_, path))) => {
                Err(error).with_context(|| format!("{} cannot be written", path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// A line without the job's name.
fn read(line: &str) -> Option<(usize, Counts)> {
    let mut columns = line.strip_prefix('\t')?.split('\t');
    let part = columns.next()?.parse().ok()?;
    let mut counts =
        Counts { tried: columns.next()?.parse().ok()?, refused: columns.next()?.parse().ok()?, ..Counts::default() };
    for column in columns {
        if let Some((name, count)) = column.split_once('=') {
            // One string for each class and run: as many as there are classes.
            *counts.classes.entry(known(name)).or_default() += count.parse::<u64>().ok()?;
            continue;
        }
        let mut parts = column.split(':');
        let name = parts.next()?;
        let format = known(name);
        let mut number = || parts.next()?.parse().ok();
        counts.formats.insert(format, [number()?, number()?, number()?]);
    }
    Some((part, counts))
}

/// The class of this name, which lives as long as the program.
fn known(name: &str) -> &'static str {
    static NAMES: std::sync::Mutex<Vec<&'static str>> = std::sync::Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(found) = names.iter().find(|n| **n == name) {
        return found;
    }
    let name: &'static str = Box::leak(name.to_string().into_boxed_str());
    names.push(name);
    name
}

/// A number that tells this program from every other.
fn program() -> Result<u64> {
    let bytes = fs::read(std::env::current_exe()?)?;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in bytes.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(eight)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
    Ok(hash)
}
