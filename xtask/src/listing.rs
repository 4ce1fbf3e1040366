//! Listings of real code objects assembled again: `isa dis`, then `isa asm`, must give every byte of `.text` back.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Holds code objects against the program.
pub fn run(program: &Path, files: &[PathBuf]) -> Result<()> {
    let scratch = std::env::temp_dir().join(format!("isa-listing-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let result = files.iter().try_for_each(|file| comes_back(program, file, &scratch));
    std::fs::remove_dir_all(&scratch)?;
    result
}

fn comes_back(program: &Path, file: &Path, scratch: &Path) -> Result<()> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let listed = Command::new(program).args(["dis", "--format", "tsv"]).arg(file).output()?;
    let listed = String::from_utf8(listed.stdout)?;
    let (mut source, mut bytes, mut lines) = (String::new(), Vec::new(), Vec::new());
    for line in listed.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, hex, text, ".text"] = columns[..] else { continue };
        source.push_str(text);
        source.push('\n');
        lines.push((bytes.len(), text));
        for at in (0..hex.len()).step_by(2) {
            bytes.push(u8::from_str_radix(hex.get(at..at + 2).unwrap_or_default(), 16)?);
        }
    }
    if lines.is_empty() {
        bail!("{name}: nothing of .text is listed");
    }
    let (from, to) = (scratch.join("listing.s"), scratch.join("listing.bin"));
    std::fs::write(&from, source)?;
    let said = Command::new(program).args(["asm", "--arch", "gfx1100"]).arg(&from).arg("-o").arg(&to).output()?;
    if !said.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&said.stderr).lines().take(5).collect::<Vec<_>>().join("\n"));
    }
    let back = std::fs::read(&to)?;
    if let Some(at) = (0..bytes.len().max(back.len())).find(|at| bytes.get(*at) != back.get(*at)) {
        let (_, text) = lines.iter().rfind(|(start, _)| *start <= at).context("no line")?;
        bail!("{name}: byte {at:#x} comes back changed, in `{text}`");
    }
    println!("{name}: {} lines, {} bytes come back", lines.len(), bytes.len());
    Ok(())
}
